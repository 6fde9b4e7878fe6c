//! [`TypeSetType`]: a set of types under one name.

use std::hash::{Hash as StdHash, Hasher};
use std::sync::{Arc, LazyLock};

use crate::quantities::{SemVer, SemVerRange};
use hieratic_value::{Hash, Str, Value};

use crate::alias::Alias;
use crate::build::BuildResult;
use crate::mismatch::assert_instance;
use crate::object;
use crate::range::IntegerRange;
use crate::types::{Key, Type};
use crate::values::{SemVerRangeValue, SemVerValue};

/// A set of types.
#[derive(Clone, Debug)]
pub struct TypeSetType {
    pub(crate) name: Option<Str>,
    pub(crate) name_authority: Option<Str>,
    pub(crate) pcore_uri: Option<Str>,
    pub(crate) pcore_version: Str,
    pub(crate) version: Option<Str>,
    types: Vec<(Str, Type)>,
    references: Vec<(Str, Reference)>,
    annotations: Option<Value>,
}

/// A reference of a type set to another one.
#[derive(Clone, Debug)]
struct Reference {
    name: Str,
    name_authority: Option<Str>,
    range: SemVerRange,
}

/// The supported versions of Pcore definitions.
const UNDERSTOOD: &str = "1.x";

impl TypeSetType {
    /// Returns the names of the types, and the types.
    pub fn types(&self) -> impl Iterator<Item = (&str, &Type)> {
        self.types.iter().map(|(name, kind)| (&**name, kind))
    }

    /// Returns the type with a name. Case is ignored.
    pub fn get(&self, name: &str) -> Option<&Type> {
        let exact = self.types.iter().find(|(known, _)| **known == *name);
        exact.or_else(|| self.types.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))).map(|(_, kind)| kind)
    }

    /// Names the set, and its types within it.
    pub(crate) fn named(&self, name: &Str) -> TypeSetType {
        let types = self.types.iter().map(|(own, kind)| {
            let full: Str = format!("{name}::{own}").into();
            let kind = match kind {
                Type::Object(Some(object)) if object.name().is_none() => {
                    let mut object = (**object).clone();
                    object.rename(&full);
                    Type::Object(Some(Arc::new(object)))
                }
                other => Type::Alias(Alias::new(&full, other.clone())),
            };
            (own.clone(), kind)
        });
        TypeSetType { name: Some(name.clone()), types: types.collect(), ..self.clone() }
    }

    /// Returns the definition of the set as a hash.
    pub(crate) fn entries(&self) -> Vec<(&'static str, Value)> {
        let mut entries: Vec<(&'static str, Value)> = Vec::new();
        let mut add = |key, value: Option<Value>| entries.extend(value.map(|value| (key, value)));
        let text = |text: &Option<Str>| text.as_ref().map(Value::from);
        add("annotations", self.annotations.clone());
        add("pcore_uri", text(&self.pcore_uri));
        add("pcore_version", Some(Value::from(&self.pcore_version)));
        add("name_authority", text(&self.name_authority));
        add("name", Some(text(&self.name).unwrap_or_default()));
        add("version", text(&self.version));
        entries
    }

    /// Returns the references to other sets, as written.
    pub(crate) fn reference_entries(&self) -> Vec<(&str, Hash)> {
        let entry = |reference: &Reference| {
            let authority = reference.name_authority.iter().filter(|one| Some(*one) != self.name_authority.as_ref());
            let authority = authority.map(|authority| ("name_authority", Value::from(authority)));
            let rest =
                [("name", Value::from(&reference.name)), ("version_range", Value::from(reference.range.to_string()))];
            authority.chain(rest).collect::<Hash>()
        };
        self.references.iter().map(|(alias, reference)| (&**alias, entry(reference))).collect()
    }
}

impl PartialEq for TypeSetType {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.name_authority == other.name_authority && self.version == other.version
    }
}

impl Eq for TypeSetType {}

impl StdHash for TypeSetType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

fn initializer() -> &'static Type {
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        let text = || Type::string_of_at_least(1);
        let some = || Some(IntegerRange::at_least(1i64));
        let version = || Type::variant([text(), Type::SEM_VER]);
        let reference = Type::structure([
            (Key::required("name"), object::qualified_name()),
            (Key::required("version_range"), Type::variant([text(), Type::SemVerRange])),
            (Key::optional("name_authority"), Type::STRING),
            (Key::optional("annotations"), object::annotations()),
        ]);
        let types = Type::variant([Type::Type(None), object::object_initializer().clone()]);
        Type::structure([
            (Key::optional("pcore_uri"), Type::STRING),
            (Key::required("pcore_version"), version()),
            (Key::optional("name_authority"), Type::STRING),
            (Key::optional("name"), object::qualified_name()),
            (Key::optional("version"), version()),
            (Key::optional("types"), Type::hash_of_size(object::simple_name(), types, some())),
            (Key::optional("references"), Type::hash_of_size(object::simple_name(), reference, some())),
            (Key::optional("annotations"), object::annotations()),
        ])
    });
    &TYPE
}

fn version(value: &Value) -> BuildResult<SemVer> {
    match (SemVerValue::downcast(value), value) {
        (Some(version), _) => Ok(version.clone()),
        (None, other) => SemVer::parse(other.as_str().unwrap_or_default()),
    }
}

/// Creates a type set from its definition, with an optional name that the hash need not contain.
///
/// # Errors
/// The hash does not define a type set. The message is the reference's.
pub fn type_set(name: Option<&str>, definition: &Hash) -> Result<Type, String> {
    if name.is_none() && definition.is_empty() {
        return Ok(Type::TypeSet(None));
    }
    let definition = &with_text_keys(definition);
    assert_instance("TypeSet initializer", initializer(), &Value::from(definition.clone()))
        .map_err(|mismatch| mismatch.to_string())?;
    let text = |key: &str| definition.get(key).and_then(Value::as_str).map(Str::from);
    let name = name.map(Str::from).or_else(|| text("name"));
    let shown = name.as_deref().unwrap_or_default();
    let pcore_version = version(definition.get("pcore_version").unwrap_or(&Value::Undef))?;
    if !SemVerRange::parse(UNDERSTOOD)?.includes(&pcore_version) {
        return Err(format!(
            "The pcore version for TypeSet '{shown}' is not understood by this runtime. Expected range {UNDERSTOOD}, got \
             {pcore_version}"
        ));
    }
    let mut types = Vec::new();
    for (key, value) in definition.get("types").and_then(Value::as_hash).cloned().unwrap_or_default().iter() {
        let kind = match value {
            Value::Hash(definition) => object::object_type(None, definition)?,
            other => Type::of_value(other).cloned().unwrap_or(Type::Any),
        };
        types.push((Str::from(key.as_str().unwrap_or_default()), kind));
    }
    let mut set = TypeSetType {
        name: None,
        name_authority: text("name_authority"),
        pcore_uri: text("pcore_uri"),
        pcore_version: pcore_version.to_string().into(),
        version: definition.get("version").map(version).transpose()?.map(|version| version.to_string().into()),
        types,
        references: Vec::new(),
        annotations: definition.get("annotations").filter(|one| !one.is_undef()).cloned(),
    };
    references(&mut set, shown, definition)?;
    let set = match &name {
        Some(name) => set.named(name),
        None => set,
    };
    Ok(Type::TypeSet(Some(Arc::new(set))))
}

/// Returns the definition with strings instead of types as the names of types.
fn with_text_keys(definition: &Hash) -> Hash {
    let text = |key: &Value| match Type::of_value(key) {
        Some(Type::Reference(name)) => Value::from(name),
        Some(kind) => Value::from(kind.name()),
        None => key.clone(),
    };
    let pairs = definition.iter().map(|(key, value)| match (key.as_str(), value) {
        (Some("types" | "references"), Value::Hash(inner)) => {
            (key.clone(), Value::from(inner.iter().map(|(key, value)| (text(key), value.clone())).collect::<Hash>()))
        }
        _ => (key.clone(), value.clone()),
    });
    pairs.collect()
}

fn references(set: &mut TypeSetType, shown: &str, definition: &Hash) -> BuildResult<()> {
    let Some(Value::Hash(given)) = definition.get("references") else { return Ok(()) };
    for (alias, given) in given {
        let (Value::String(alias), Value::Hash(given)) = (alias, given) else { continue };
        let text = |key: &str| given.get(key).and_then(Value::as_str).map(Str::from);
        let range = match given.get("version_range") {
            Some(Value::String(text)) => SemVerRange::parse(text)?,
            Some(other) => SemVerRangeValue::downcast(other).map(|range| range.range().clone()).ok_or("no range")?,
            None => SemVerRange::parse("*")?,
        };
        let reference = Reference {
            name: text("name").unwrap_or_default(),
            name_authority: text("name_authority").or_else(|| set.name_authority.clone()),
            range,
        };
        let empty = SemVerRange::parse("<0.0.0")?;
        let overlaps = set.references.iter().any(|(_, known)| {
            known.name == reference.name
                && known.name_authority == reference.name_authority
                && known.range.intersection(&reference.range) != empty
        });
        if overlaps {
            let authority = reference.name_authority.as_deref().unwrap_or_default();
            return Err(format!(
                "TypeSet '{shown}' references TypeSet '{authority}/{}' more than once using overlapping version ranges",
                reference.name
            ));
        }
        if set.types.iter().any(|(name, _)| name == alias) {
            return Err(format!(
                "TypeSet '{shown}' references a TypeSet using alias '{alias}'. The alias collides with the name of a \
                 declared type"
            ));
        }
        set.references.push((alias.clone(), reference));
    }
    Ok(())
}
