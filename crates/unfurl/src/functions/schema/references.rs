//! [`Documents`]: the targets of `$ref`: schemas by their addresses and names, and parts of them.
//!
//! <https://json-schema.org/draft-07/draft-handrews-json-schema-01#rfc.section.8>

use std::collections::HashMap;

use fluent_uri::{Iri, IriRef};
use hieratic_value::{Hash, Value};
use percent_encoding::percent_decode_str;

use crate::shared::Shared;
use crate::{ExpressionError, stack};

/// The keywords whose values are schemas, lists of schemas, and maps of schemas.
const SCHEMAS: [&str; 9] =
    ["additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"];
const LISTS: [&str; 4] = ["allOf", "anyOf", "items", "oneOf"];
const MAPS: [&str; 4] = ["definitions", "dependencies", "patternProperties", "properties"];

/// The schemas in the value of a keyword, each with where it is in the value.
pub(super) fn schemas_in<'s>(keyword: &str, value: &'s Value) -> Vec<(Option<String>, &'s Value)> {
    match value {
        Value::Array(items) if LISTS.contains(&keyword) => {
            items.iter().enumerate().map(|(at, item)| (Some(at.to_string()), item)).collect()
        }
        Value::Hash(map) if MAPS.contains(&keyword) => {
            map.iter().map(|(key, value)| (Some(key.to_text()), value)).collect()
        }
        _ if SCHEMAS.contains(&keyword) => vec![(None, value)],
        _ => Vec::new(),
    }
}

/// The address of a schema, without a fragment.
pub(super) type Address = Iri<String>;

/// A schema, and the address that its references are relative to.
pub(super) type SchemaLocation<'s> = (&'s Value, Address);

/// The schemas that have an address.
pub(super) struct Documents<'s> {
    by_address: HashMap<String, SchemaLocation<'s>>,
    by_name: HashMap<(String, String), SchemaLocation<'s>>,
}

impl<'s> Documents<'s> {
    /// A schema with all schemas in it. One without an address is at `base`.
    pub(super) fn new(shared: &Shared, root: &'s Value, base: &Address) -> Result<Documents<'s>, ExpressionError> {
        let mut documents = Documents { by_address: HashMap::new(), by_name: HashMap::new() };
        documents.by_address.insert(base.as_str().to_owned(), (root, base.clone()));
        documents.add(shared, root, base)?;
        Ok(documents)
    }

    /// Adds a schema with all schemas in it, as far as they have addresses that no other has.
    pub(super) fn add(&mut self, shared: &Shared, schema: &'s Value, base: &Address) -> Result<(), ExpressionError> {
        shared.step()?;
        let Value::Hash(hash) = schema else { return Ok(()) };
        let base = base_of(hash, base);
        if let Some(id) = id(hash) {
            match id.strip_prefix('#') {
                Some(name) => {
                    self.by_name.entry((base.as_str().to_owned(), name.to_owned())).or_insert((schema, base.clone()));
                }
                None => {
                    self.by_address.entry(base.as_str().to_owned()).or_insert((schema, base.clone()));
                }
            }
        }
        for (keyword, value) in hash.iter() {
            for (_, schema) in schemas_in(&keyword.to_text(), value) {
                stack::grow(|| self.add(shared, schema, &base))?;
            }
        }
        Ok(())
    }

    /// Resolves a reference.
    pub(super) fn find(&self, reference: &str, base: &Address) -> Option<SchemaLocation<'s>> {
        let (address, fragment) = resolved(reference, base)?;
        let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
        match fragment.strip_prefix('/') {
            None if fragment.is_empty() => self.by_address.get(address.as_str()).cloned(),
            None => self.by_name.get(&(address.as_str().to_owned(), fragment.into_owned())).cloned(),
            Some(path) => inside(self.by_address.get(address.as_str())?, path),
        }
    }
}

/// Resolves a JSON pointer in a schema.
fn inside<'s>((schema, base): &SchemaLocation<'s>, path: &str) -> Option<SchemaLocation<'s>> {
    let (mut schema, mut base) = (*schema, base.clone());
    for step in path.split('/') {
        let step = step.replace("~1", "/").replace("~0", "~");
        if let Value::Hash(hash) = schema {
            base = base_of(hash, &base);
        }
        schema = match schema {
            Value::Hash(hash) => hash.get(&step)?,
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some((schema, base))
}

/// The address that references in a schema are relative to.
pub(super) fn base_of(schema: &Hash, base: &Address) -> Address {
    match id(schema) {
        Some(id) if !id.starts_with('#') => resolved(&id, base).map_or_else(|| base.clone(), |(address, _)| address),
        _ => base.clone(),
    }
}

/// The address that a reference names, and its fragment.
fn resolved<'r>(reference: &'r str, base: &Address) -> Option<(Address, &'r str)> {
    let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    Some((IriRef::parse(address).ok()?.resolve_against(base).ok()?, fragment))
}

/// Returns the `$id` of a schema. Next to `$ref`, it is ignored.
fn id(schema: &Hash) -> Option<String> {
    match (schema.get("$id"), schema.get("$ref")) {
        (Some(Value::String(id)), None | Some(Value::Undef)) => Some(id.to_string()),
        _ => None,
    }
}
