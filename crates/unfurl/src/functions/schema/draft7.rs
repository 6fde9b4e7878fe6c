//! [`Draft7`]: the keywords of draft 7: <https://json-schema.org/draft-07/draft-handrews-json-schema-validation-01>.

use std::cell::Cell;
use std::cmp::Ordering;

use hieratic_jinja as jinja;
use hieratic_value::{Hash, Value};

use super::equality::{all_differ, same};
use super::numbers::{compare, is_integer, is_multiple, is_number};
use super::references::{Address, Documents, base_of, schemas_in};
use crate::shared::Shared;
use crate::{ExpressionError, stack};

/// The base address of a schema without one.
const HERE: &str = "schema:///";

const HELP: &str = "see https://json-schema.org/understanding-json-schema; remote schemas are not fetched";

/// A schema that values are checked with.
pub(super) struct Draft7<'s> {
    shared: &'s Shared,
    root: &'s Value,
    base: Address,
    /// The targets of references: the schemas in this one, and the meta-schema.
    documents: Documents<'s>,
    /// True if `format: regex` is checked, as it is for schemas.
    checks_patterns: bool,
    depth: Cell<usize>,
    /// True if the first failing keyword ends the check of a schema.
    lazy: Cell<bool>,
}

impl<'s> Draft7<'s> {
    pub(super) fn new(shared: &'s Shared, schema: &'s Value) -> Result<Draft7<'s>, ExpressionError> {
        let base = Address::parse(HERE.to_owned()).map_err(|(error, _)| ExpressionError::new(error.to_string()))?;
        let mut documents = Documents::new(shared, schema, &base)?;
        documents.add(shared, shared.draft7()?, &base)?;
        Ok(Draft7 {
            shared,
            root: schema,
            documents,
            base,
            checks_patterns: false,
            depth: Cell::new(0),
            lazy: Cell::new(false),
        })
    }

    /// Checks a schema by the rules for schemas.
    pub(super) fn check(shared: &Shared, schema: &Value) -> Result<(), ExpressionError> {
        let rules = Draft7 { checks_patterns: true, ..Draft7::new(shared, shared.draft7()?)? };
        if rules.accepts(schema)? {
            return Ok(());
        }
        let mut path = Vec::new();
        rules.find_fault(schema, &mut path)?;
        let message = if path.is_empty() {
            "a schema is a map, true or false".to_owned()
        } else {
            format!("the schema is not valid: draft 7 of JSON Schema does not allow what is at '{}'", path.join("/"))
        };
        Err(ExpressionError::new(message).help(HELP))
    }

    /// The keyword of a schema that the rules do not accept, in the innermost schema.
    fn find_fault(&self, schema: &Value, path: &mut Vec<String>) -> Result<(), ExpressionError> {
        let Value::Hash(hash) = schema else { return Ok(()) };
        for (keyword, value) in hash.iter() {
            let alone = Value::from([(keyword.clone(), value.clone())].into_iter().collect::<Hash>());
            if self.accepts(&alone)? {
                continue;
            }
            path.push(keyword.to_text());
            for (name, inner) in schemas_in(&keyword.to_text(), value) {
                if !self.accepts(inner)? {
                    path.extend(name);
                    return stack::grow(|| self.find_fault(inner, path));
                }
            }
            return Ok(());
        }
        Ok(())
    }

    /// Returns whether a value is valid.
    pub(super) fn accepts(&self, value: &Value) -> Result<bool, ExpressionError> {
        self.valid(self.root, &self.base, value)
    }

    /// Checks a value against a schema, evaluating all keywords: a keyword that cannot be evaluated is an error even if
    /// the value is invalid anyway. The reference does the same where it collects errors.
    fn valid_in_all(&self, schema: &'s Value, base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        self.valid_as(false, schema, base, value)
    }

    /// Checks a value against a schema, up to the first failing keyword. The reference does so where it needs no
    /// errors.
    fn is_valid(&self, schema: &'s Value, base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        self.valid_as(true, schema, base, value)
    }

    fn valid_as(&self, lazy: bool, schema: &'s Value, base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        let before = self.lazy.replace(lazy);
        let valid = self.valid(schema, base, value);
        self.lazy.set(before);
        valid
    }

    /// Checks a value against a schema.
    fn valid(&self, schema: &'s Value, base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        self.shared.step()?;
        let depth = self.depth.get();
        self.shared.budget.depth(depth + 1).map_err(ExpressionError::exhausted)?;
        self.depth.set(depth + 1);
        let valid = stack::grow(|| match schema {
            Value::Boolean(accepts) => Ok(*accepts),
            Value::Hash(schema) => self.valid_for_keywords(schema, base, value),
            _ => Err(ExpressionError::new("the schema refers to what is no schema: a schema is a map, true or false")
                .help(HELP)),
        });
        self.depth.set(depth);
        valid
    }

    fn valid_for_keywords(&self, schema: &'s Hash, base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        match schema.get("$ref") {
            None | Some(Value::Undef) => {}
            // Keywords next to a reference are ignored.
            Some(reference) => return self.valid_there(reference, base, value),
        }
        let base = &base_of(schema, base);
        self.each(schema.iter(), |(keyword, rule)| match keyword {
            Value::String(keyword) => self.keyword(keyword, rule, schema, base, value),
            _ => Ok(true),
        })
    }

    fn valid_there(&self, reference: &Value, base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        let text = reference.to_text();
        match self.documents.find(&text, base) {
            Some((schema, base)) => self.valid(schema, &base, value),
            None => Err(ExpressionError::new(format!("the schema refers to '{text}', which is not there")).help(HELP)),
        }
    }

    /// Checks a value against a keyword. Most keywords apply to values of one type, and accept all others.
    fn keyword(
        &self,
        keyword: &str,
        rule: &'s Value,
        schema: &'s Hash,
        base: &Address,
        value: &Value,
    ) -> Result<bool, ExpressionError> {
        let of_rule = |value: &Value| compare(value, rule);
        let count = |count: usize| compare(&Value::from(i64::try_from(count).unwrap_or(i64::MAX)), rule);
        Ok(match (keyword, value) {
            ("type", _) => self.is_of_type(rule, value)?,
            ("enum", _) => {
                self.shared.weigh(rule)?;
                elements(rule)?.iter().any(|one| same(one, value))
            }
            ("const", _) => {
                self.shared.weigh(rule)?;
                same(value, rule)
            }
            ("multipleOf", number) if is_number(number) => is_multiple(number, rule),
            ("minimum", number) if is_number(number) => of_rule(number) != Some(Ordering::Less),
            ("maximum", number) if is_number(number) => of_rule(number) != Some(Ordering::Greater),
            ("exclusiveMinimum", number) if is_number(number) => {
                !matches!(of_rule(number), Some(Ordering::Less | Ordering::Equal))
            }
            ("exclusiveMaximum", number) if is_number(number) => {
                !matches!(of_rule(number), Some(Ordering::Greater | Ordering::Equal))
            }
            ("minLength", Value::String(text)) => count(text.chars().count()) != Some(Ordering::Less),
            ("maxLength", Value::String(text)) => count(text.chars().count()) != Some(Ordering::Greater),
            ("pattern", Value::String(text)) => self.is_found(&rule.to_text(), text)?,
            ("format", Value::String(text)) if self.checks_patterns => self.is_pattern(text)?,
            ("minItems", Value::Array(items)) => count(items.len()) != Some(Ordering::Less),
            ("maxItems", Value::Array(items)) => count(items.len()) != Some(Ordering::Greater),
            ("uniqueItems", Value::Array(items)) if *rule == Value::from(true) => {
                self.shared.weigh(value)?;
                all_differ(items)
            }
            ("items", Value::Array(items)) => self.valid_items(rule, base, items)?,
            ("additionalItems", Value::Array(items)) => self.valid_additional_items(rule, schema, base, items)?,
            ("contains", Value::Array(items)) => self.contains(rule, base, items)?,
            ("minProperties", Value::Hash(map)) => count(map.len()) != Some(Ordering::Less),
            ("maxProperties", Value::Hash(map)) => count(map.len()) != Some(Ordering::Greater),
            ("required", Value::Hash(map)) => elements(rule)?.iter().all(|name| map.get_value(name).is_some()),
            ("properties", Value::Hash(map)) => {
                let schemas = entries(rule)?.iter();
                self.all(schemas.filter_map(|(name, schema)| Some((schema, map.get_value(name)?))), base)?
            }
            ("patternProperties", Value::Hash(map)) => self.valid_pattern_properties(entries(rule)?, base, map)?,
            ("additionalProperties", Value::Hash(map)) => self.valid_additional_properties(rule, schema, base, map)?,
            ("propertyNames", Value::Hash(map)) => self.all(map.iter().map(|(name, _)| (rule, name)), base)?,
            ("dependencies", Value::Hash(map)) => self.valid_dependencies(entries(rule)?, base, map, value)?,
            ("allOf", _) => self.all(elements(rule)?.iter().map(|schema| (schema, value)), base)?,
            ("anyOf", _) => self.valid_for_any(elements(rule)?, base, value)?,
            ("oneOf", _) => self.valid_for_one(elements(rule)?, base, value)?,
            ("not", _) => !self.is_valid(rule, base, value)?,
            ("if", _) => {
                let branch = if self.is_valid(rule, base, value)? { "then" } else { "else" };
                schema.get(branch).map_or(Ok(true), |schema| self.valid(schema, base, value))?
            }
            _ => true,
        })
    }

    /// Applies a check to each of several items.
    fn each<T>(
        &self,
        things: impl Iterator<Item = T>,
        check: impl Fn(T) -> Result<bool, ExpressionError>,
    ) -> Result<bool, ExpressionError> {
        let mut valid = true;
        for thing in things {
            valid &= check(thing)?;
            if !valid && self.lazy.get() {
                break;
            }
        }
        Ok(valid)
    }

    /// Checks values against their schemas.
    fn all<'v>(
        &self,
        pairs: impl Iterator<Item = (&'s Value, &'v Value)>,
        base: &Address,
    ) -> Result<bool, ExpressionError> {
        self.each(pairs, |(schema, value)| self.valid(schema, base, value))
    }

    /// Returns whether one of the elements is valid. Later ones are not checked.
    fn contains(&self, schema: &'s Value, base: &Address, items: &[Value]) -> Result<bool, ExpressionError> {
        items.iter().try_fold(false, |found, item| Ok(found || self.is_valid(schema, base, item)?))
    }

    fn valid_for_any(&self, schemas: &'s [Value], base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        schemas.iter().try_fold(false, |found, schema| Ok(found || self.valid_in_all(schema, base, value)?))
    }

    fn valid_for_one(&self, schemas: &'s [Value], base: &Address, value: &Value) -> Result<bool, ExpressionError> {
        let mut count = 0;
        for schema in schemas {
            let valid =
                if count == 0 { self.valid_in_all(schema, base, value) } else { self.is_valid(schema, base, value) };
            count += usize::from(valid?);
        }
        Ok(count == 1)
    }

    fn is_of_type(&self, names: &Value, value: &Value) -> Result<bool, ExpressionError> {
        let names = if let Value::Array(names) = names { &names[..] } else { std::slice::from_ref(names) };
        for name in names {
            let is = match name.to_text().as_str() {
                "array" => matches!(value, Value::Array(_)),
                "boolean" => matches!(value, Value::Boolean(_)),
                "integer" => is_integer(value),
                "null" => *value == Value::Undef,
                "number" => is_number(value),
                "object" => matches!(value, Value::Hash(_)),
                "string" => matches!(value, Value::String(_)),
                other => return Err(ExpressionError::new(format!("JSON Schema has no type '{other}'")).help(HELP)),
            };
            if is {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn valid_items(&self, rule: &'s Value, base: &Address, items: &[Value]) -> Result<bool, ExpressionError> {
        match rule {
            Value::Array(schemas) => self.all(schemas.iter().zip(items), base),
            _ => self.all(items.iter().map(|item| (rule, item)), base),
        }
    }

    /// Checks the items after those that `items` has a separate schema for.
    fn valid_additional_items(
        &self,
        rule: &'s Value,
        schema: &'s Hash,
        base: &Address,
        items: &[Value],
    ) -> Result<bool, ExpressionError> {
        let Some(Value::Array(schemas)) = schema.get("items") else { return Ok(true) };
        let rest = items.get(schemas.len()..).unwrap_or_default();
        self.all(rest.iter().map(|item| (rule, item)), base)
    }

    fn valid_pattern_properties(&self, schemas: &'s Hash, base: &Address, map: &Hash) -> Result<bool, ExpressionError> {
        self.each(schemas.iter(), |(pattern, schema)| {
            let pattern = pattern.to_text();
            self.each(map.iter(), |(name, value)| {
                Ok(!self.is_found(&pattern, &name.to_text())? || self.valid(schema, base, value)?)
            })
        })
    }

    /// Properties that neither `properties` nor a pattern is about.
    fn valid_additional_properties(
        &self,
        rule: &'s Value,
        schema: &'s Hash,
        base: &Address,
        map: &Hash,
    ) -> Result<bool, ExpressionError> {
        let named = schema.get("properties").map(entries).transpose()?;
        let patterns = schema.get("patternProperties").map(entries).transpose()?;
        let mut further = Vec::new();
        'properties: for (name, value) in map.iter() {
            if named.is_some_and(|named| named.get_value(name).is_some()) {
                continue;
            }
            for (pattern, _) in patterns.into_iter().flat_map(Hash::iter) {
                if self.is_found(&pattern.to_text(), &name.to_text())? {
                    continue 'properties;
                }
            }
            further.push((rule, value));
        }
        self.all(further.into_iter(), base)
    }

    /// Checks the dependencies of the properties that are present.
    fn valid_dependencies(
        &self,
        rules: &'s Hash,
        base: &Address,
        map: &Hash,
        value: &Value,
    ) -> Result<bool, ExpressionError> {
        let rules = rules.iter().filter(|(name, _)| map.get_value(name).is_some());
        self.each(rules, |(_, rule)| match rule {
            Value::Array(names) => Ok(names.iter().all(|name| map.get_value(name).is_some())),
            schema => self.valid(schema, base, value),
        })
    }

    /// Returns whether a Python pattern is found in a string.
    fn is_found(&self, pattern: &str, text: &str) -> Result<bool, ExpressionError> {
        self.shared.look_through(text.len())?;
        hieratic_jinja_ansible::is_found(pattern, text, &self.shared.budget).map_err(fault)
    }

    /// Returns whether a string is a valid Python pattern.
    fn is_pattern(&self, text: &str) -> Result<bool, ExpressionError> {
        match hieratic_jinja_ansible::is_found(text, "", &self.shared.budget) {
            Ok(_) => Ok(true),
            Err(error) if error.kind == jinja::TemplateErrorKind::Limit => Err(fault(error)),
            Err(_) => Ok(false),
        }
    }
}

fn fault(error: jinja::TemplateError) -> ExpressionError {
    let problem = match error.kind {
        jinja::TemplateErrorKind::Limit => ExpressionError::limit(error.message),
        _ => ExpressionError::new(error.message),
    };
    ExpressionError { help: error.help, ..problem }
}

/// The value of a keyword that is a list. A schema that a reference finds where the rules see none may have another value there.
fn elements(rule: &Value) -> Result<&[Value], ExpressionError> {
    match rule {
        Value::Array(items) => Ok(items),
        _ => {
            Err(ExpressionError::new("the schema is not valid: a keyword that takes a list has another value")
                .help(HELP))
        }
    }
}

/// Returns the value of a keyword that is a map.
fn entries(rule: &Value) -> Result<&Hash, ExpressionError> {
    match rule {
        Value::Hash(map) => Ok(map),
        _ => {
            Err(ExpressionError::new("the schema is not valid: a keyword that takes a map has another value")
                .help(HELP))
        }
    }
}
