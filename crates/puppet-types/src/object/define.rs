//! Builds an object type from its definition, a hash. Every rule has the reference's message.

use std::sync::Arc;

use hieratic_value::{Hash, Str, Value};

use super::schema;
use super::{Attribute, AttributeKind, Function, ObjectType};
use crate::build::BuildResult;
use crate::infer::infer;
use crate::mismatch::assert_instance;
use crate::types::Type;

/// Creates an object type from its definition, with an optional name that the hash need not contain.
///
/// ```
/// use hieratic_puppet_types::{object_type, parse};
/// use hieratic_value::{Hash, Value};
/// let attributes: Hash = [("x", parse("Integer").unwrap().into_value())].into_iter().collect();
/// let definition: Hash = [("attributes", Value::from(attributes))].into_iter().collect();
/// let point = object_type(Some("Point"), &definition).unwrap();
/// assert_eq!(point.to_string(), "Object[{name => 'Point', attributes => {'x' => Integer}}]");
/// ```
///
/// # Errors
/// The hash does not define an object type. The message is the reference's.
pub fn object_type(name: Option<&str>, definition: &Hash) -> Result<Type, String> {
    if name.is_none() && definition.is_empty() {
        return Ok(Type::Object(None));
    }
    Ok(Type::Object(Some(Arc::new(define(name, definition)?))))
}

fn check(subject: &str, kind: &Type, value: &Value) -> BuildResult<()> {
    assert_instance(subject, kind, value).map_err(|mismatch| mismatch.to_string())
}

/// Defines the type.
pub(crate) fn define(name: Option<&str>, definition: &Hash) -> BuildResult<ObjectType> {
    check("object initializer", schema::object_initializer(), &Value::from(definition.clone()))?;
    let hash_of = |key: &str| definition.get(key).and_then(Value::as_hash).cloned().unwrap_or_default();
    let name = name.or_else(|| definition.get("name").and_then(Value::as_str)).map(Str::from);
    let mut kind = ObjectType {
        name,
        parent: definition.get("parent").and_then(Type::of_value).cloned(),
        type_parameters: Vec::new(),
        attributes: Vec::new(),
        functions: Vec::new(),
        equality: None,
        equality_include_type: !matches!(definition.get("equality_include_type"), Some(Value::Boolean(false))),
        checks: definition.get("checks").filter(|checks| !checks.is_undef()).cloned(),
        annotations: definition.get("annotations").filter(|one| !one.is_undef()).cloned(),
    };
    if let Some(Type::Reference(text)) = kind.parent.as_ref().map(Type::resolved) {
        return Err(format!("reference to unresolved type '{text}'"));
    }
    check_line(&kind)?;
    type_parameters(&mut kind, &hash_of("type_parameters"))?;
    attributes(&mut kind, &hash_of("attributes"), &hash_of("constants"))?;
    functions(&mut kind, &hash_of("functions"))?;
    equality(&mut kind, definition.get("equality"))?;
    Ok(kind)
}

/// The maximum number of ancestors of an object type.
const MAX_ANCESTORS: usize = 100;

fn check_line(kind: &ObjectType) -> BuildResult<()> {
    let mut parent = kind.parent();
    for _ in 0..MAX_ANCESTORS {
        match parent {
            None => return Ok(()),
            Some(one) if kind.name.is_some() && one.name == kind.name => break,
            Some(one) => parent = one.parent(),
        }
    }
    Err(format!("The Object type '{}' inherits from itself", kind.label()))
}

/// The definition of an attribute or a parameter: its type alone, or a hash.
struct Specification {
    hash: Hash,
}

impl Specification {
    fn get(&self, key: &str) -> Option<&Value> {
        self.hash.get(key)
    }

    fn is_true(&self, key: &str) -> bool {
        self.get(key) == Some(&Value::Boolean(true))
    }
}

fn text(value: &Value) -> Str {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_text().into(),
    }
}

fn type_parameters(kind: &mut ObjectType, given: &Hash) -> BuildResult<()> {
    for (key, specification) in given {
        let name = text(key);
        let (value_type, value) = match specification {
            Value::Hash(hash) => (hash.get("type").cloned().unwrap_or_default(), hash.get("value").cloned()),
            other => {
                let subject = format!("type_parameter {}[{name}]", kind.label());
                check(&subject, &Type::Type(None), other)?;
                (other.clone(), None)
            }
        };
        let value_type = match Type::of_value(&value_type) {
            Some(optional @ Type::Optional(_)) => optional.clone().into_value(),
            Some(other) => Type::optional(other.clone()).into_value(),
            None => value_type,
        };
        let mut pairs = vec![("type", value_type)];
        pairs.extend(value.map(|value| ("value", value)));
        let hash = pairs.into_iter().collect();
        let result = new_attribute(kind, &name, &Specification { hash }, true)?;
        let known = kind.parent().map(|parent| parent.type_parameters().into_iter().cloned().collect::<Vec<_>>());
        check_override(&result, known.iter().flatten().find(|known| known.name == name).map(MemberRef::Attribute))?;
        kind.type_parameters.push(result);
    }
    Ok(())
}

/// A member that another one may override.
enum MemberRef<'a> {
    Attribute(&'a Attribute),
    Function(&'a Function),
}

fn parent_member<'a>(kind: &'a ObjectType, name: &str) -> Option<MemberRef<'a>> {
    let parent = kind.parent()?;
    let attribute = parent.attributes().into_iter().find(|one| *one.name == *name).map(MemberRef::Attribute);
    let function = || parent.functions().into_iter().find(|one| *one.name == *name).map(MemberRef::Function);
    function().or(attribute)
}

fn attributes(kind: &mut ObjectType, given: &Hash, constants: &Hash) -> BuildResult<()> {
    let mut specifications: Vec<(Str, Value)> =
        given.iter().map(|(key, specification)| (text(key), specification.clone())).collect();
    for (key, value) in constants {
        let name = text(key);
        if given.contains(&name) {
            let label = kind.label();
            return Err(format!("attribute {label}[{name}] is defined as both a constant and an attribute"));
        }
        let pairs = [
            ("type", infer(value).generalize().into_value()),
            ("value", value.clone()),
            ("kind", Value::from("constant")),
            ("override", Value::from(parent_member(kind, &name).is_some())),
        ];
        specifications.push((name, Value::from(pairs.into_iter().collect::<Hash>())));
    }
    for (name, specification) in specifications {
        let hash = match specification {
            Value::Hash(hash) => hash,
            other => {
                check(&format!("attribute {}[{name}]", kind.label()), &Type::Type(None), &other)?;
                let optional = matches!(Type::of_value(&other), Some(Type::Optional(_)));
                let value = optional.then_some(("value", Value::Undef));
                std::iter::once(("type", other)).chain(value).collect()
            }
        };
        let result = new_attribute(kind, &name, &Specification { hash }, false)?;
        check_override(&result, parent_member(kind, &name))?;
        kind.attributes.push(result);
    }
    Ok(())
}

fn new_attribute(
    kind: &ObjectType,
    name: &Str,
    specification: &Specification,
    is_type_parameter: bool,
) -> BuildResult<Attribute> {
    let feature = if is_type_parameter { "type_parameter" } else { "attribute" };
    let label = format!("{feature} {}[{name}]", kind.label());
    let whole = Value::from(specification.hash.clone());
    check(&format!("initializer for {label}"), schema::attribute(), &whole)?;
    if matches!(&**name, "__ptype" | "__pvalue") {
        return Err(format!("The attribute '{name}' is reserved and cannot be used"));
    }
    let kind_name = specification.get("kind").and_then(Value::as_str);
    let attribute_kind = AttributeKind::ALL.into_iter().find(|one| Some(one.name()) == kind_name);
    let is_constant = attribute_kind == Some(AttributeKind::Constant);
    if is_constant && specification.get("final") == Some(&Value::Boolean(false)) {
        return Err(format!("{label} of kind 'constant' cannot be combined with final => false"));
    }
    let value_type = specification.get("type").and_then(Type::of_value).cloned().unwrap_or(Type::Any);
    match (specification.get("value"), attribute_kind) {
        (Some(_), Some(AttributeKind::Derived | AttributeKind::GivenOrDerived)) => {
            let kind = kind_name.unwrap_or_default();
            return Err(format!("{label} of kind '{kind}' cannot be combined with an attribute value"));
        }
        (Some(value), _) if !crate::build::is_default(value) => {
            check(&format!("{label} value"), &value_type, value)?;
        }
        (None, Some(AttributeKind::Constant)) => {
            return Err(format!("{label} of kind 'constant' requires a value"));
        }
        _ => {}
    }
    Ok(Attribute {
        name: name.clone(),
        container: kind.label().into(),
        value_type,
        kind: attribute_kind,
        value: specification.get("value").cloned(),
        is_override: specification.is_true("override"),
        is_final: is_constant || specification.is_true("final"),
        annotations: specification.get("annotations").filter(|one| !one.is_undef()).cloned(),
        is_type_parameter,
    })
}

/// Checks that an attribute overrides an inherited one only where that is allowed.
fn check_override(own: &Attribute, inherited: Option<MemberRef<'_>>) -> BuildResult<()> {
    let label = own.label();
    let feature = if own.is_type_parameter { "type_parameter" } else { "attribute" };
    match inherited {
        None if own.is_override => Err(not_inherited(&label, feature)),
        None => Ok(()),
        Some(MemberRef::Function(function)) => Err(format!("{label} attempts to override {}", function.label())),
        Some(MemberRef::Attribute(inherited)) => {
            let constants = [own, inherited].iter().all(|one| one.kind == Some(AttributeKind::Constant));
            let is_final = inherited.is_final && !constants;
            overridable(&label, &inherited.label(), is_final, own.is_override, &inherited.value_type, &own.value_type)
        }
    }
}

fn not_inherited(label: &str, feature: &str) -> String {
    format!("expected {label} to override an inherited {feature}, but no such {feature} was found")
}

fn overridable(
    own: &str,
    inherited: &str,
    is_final: bool,
    declared: bool,
    wide: &Type,
    narrow: &Type,
) -> BuildResult<()> {
    if is_final {
        return Err(format!("{own} attempts to override final {inherited}"));
    }
    if !declared {
        return Err(format!("{own} attempts to override {inherited} without having override => true"));
    }
    if !wide.is_assignable(narrow) {
        return Err(format!("{own} attempts to override {inherited} with a type that does not match"));
    }
    Ok(())
}

fn functions(kind: &mut ObjectType, given: &Hash) -> BuildResult<()> {
    for (key, specification) in given {
        let name = text(key);
        let hash = match specification {
            Value::Hash(hash) => hash.clone(),
            other => {
                check(&format!("function {}[{name}]", kind.label()), &schema::callable(), other)?;
                std::iter::once(("type", other.clone())).collect()
            }
        };
        check(&format!("initializer for function '{name}'"), schema::function(), &Value::from(hash.clone()))?;
        let specification = Specification { hash };
        let result = Function {
            name: name.clone(),
            container: kind.label().into(),
            callable: specification.get("type").and_then(Type::of_value).cloned().unwrap_or(Type::Any),
            is_override: specification.is_true("override"),
            is_final: specification.is_true("final"),
            annotations: specification.get("annotations").filter(|one| !one.is_undef()).cloned(),
        };
        let label = result.label();
        if kind.attributes.iter().any(|attribute| attribute.name == name) {
            return Err(format!("{label} conflicts with attribute with the same name"));
        }
        match parent_member(kind, &name) {
            None if result.is_override => return Err(not_inherited(&label, "function")),
            None => {}
            Some(MemberRef::Attribute(attribute)) => {
                return Err(format!("{label} attempts to override {}", attribute.label()));
            }
            Some(MemberRef::Function(inherited)) => overridable(
                &label,
                &inherited.label(),
                inherited.is_final,
                result.is_override,
                &inherited.callable,
                &result.callable,
            )?,
        }
        kind.functions.push(result);
    }
    Ok(())
}

fn equality(kind: &mut ObjectType, given: Option<&Value>) -> BuildResult<()> {
    let names: Vec<Str> = match given {
        None | Some(Value::Undef) => return Ok(()),
        Some(Value::Array(names)) => names.iter().map(text).collect(),
        Some(name) => vec![text(name)],
    };
    if !names.is_empty() && !kind.equality_include_type {
        return Err("equality_include_type = false cannot be combined with non empty equality specification".into());
    }
    let label = kind.label();
    for name in &names {
        let member = match parent_member(kind, name) {
            Some(MemberRef::Attribute(attribute)) => {
                if kind.parent().is_some_and(|parent| parent.equality_attributes().contains(name)) {
                    let (attribute, definer) = (attribute.label(), equality_definer(kind, name));
                    return Err(format!(
                        "{label} equality is referencing {attribute} which is included in equality of {definer}"
                    ));
                }
                Some(MemberRef::Attribute(attribute))
            }
            Some(function) => Some(function),
            None => {
                let attribute = kind.attributes.iter().find(|one| one.name == *name).map(MemberRef::Attribute);
                let function = || kind.functions.iter().find(|one| one.name == *name).map(MemberRef::Function);
                attribute.or_else(function)
            }
        };
        match member {
            None => {
                return Err(format!("{label} equality is referencing non existent attribute '{name}'"));
            }
            Some(MemberRef::Function(function)) => {
                return Err(format!(
                    "{label} equality is referencing {}. Only attribute references are allowed",
                    function.label()
                ));
            }
            Some(MemberRef::Attribute(attribute)) if attribute.kind == Some(AttributeKind::Constant) => {
                return Err(format!(
                    "{label} equality is referencing constant {}. Reference to constant is not allowed in equality",
                    attribute.label()
                ));
            }
            Some(MemberRef::Attribute(_)) => {}
        }
    }
    kind.equality = Some(names);
    Ok(())
}

/// Returns the topmost ancestor whose equality includes the attribute.
fn equality_definer(kind: &ObjectType, name: &Str) -> String {
    let mut current = kind;
    while let Some(parent) = current.parent() {
        if !parent.equality_attributes().contains(name) {
            break;
        }
        current = parent;
    }
    current.label().to_owned()
}
