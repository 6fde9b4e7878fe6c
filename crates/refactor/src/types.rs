//! [`types`]: types for parameters of classes that have none, from the values that nodes see.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use hieratic::budget::Budget;
use hieratic::puppet_types::Type;
use hieratic::value::ErasedSort as _;
use hieratic::{Environment, Facts, Limits, Node as HieraNode, Query, Settings, Value};
use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::ast::{Class, Expr, Node, Operation, Program};
use hieratic_puppet_syntax::visit::each_expression;

use crate::data::apply_splices;
use crate::plan::{Plan, PlanError};

/// A parameter without a type, and the type for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedParameter {
    /// The key: `class::parameter`.
    pub key: String,
    /// The type, or the reason why there is none.
    pub kind: Result<String, Cow<'static, str>>,
}

/// The types for the parameters of classes.
#[derive(Debug)]
pub struct TypePlan {
    /// The changes of manifests.
    pub plan: Plan,
    /// The parameters without a type, sorted by key.
    pub parameters: Vec<TypedParameter>,
    /// The manifests that cannot be read, with the reasons. Their classes get no types, and the values that they pass
    /// are unknown.
    pub unread: Vec<String>,
}

/// The reason why a parameter gets no type.
const NO_VALUES: &str = "no node has a value for it";
const COMPUTED: &str = "its default is computed";
const PASSED: &str = "a declaration passes a value that is computed";
const MIXED: &str = "its values have no common type";
const FAILS: &str = "its value cannot be looked up for every node";

/// Writes types for the parameters of classes that have none: the common type of the default, of the values that the
/// nodes get, and of those that declarations of the class pass. `is_selected` selects the keys.
///
/// # Errors
/// The repository cannot be read.
pub fn types(
    settings: &Settings,
    nodes: &[Facts],
    limits: Limits,
    is_selected: &dyn Fn(&str) -> bool,
) -> Result<TypePlan, PlanError> {
    let mut plan = Plan::new(settings)?;
    let environment =
        Environment::open(settings).map_err(|error| PlanError::new(error.to_string(), "fix the environment first"))?;
    let opened = |facts: &Facts| {
        environment.node(facts).map_err(|error| PlanError::new(error.to_string(), "fix the facts of the node first"))
    };
    let opened: Vec<HieraNode> = nodes.iter().map(opened).collect::<Result<_, _>>()?;
    let mut programs: Vec<(std::path::PathBuf, String, Program)> = Vec::new();
    let mut unread = Vec::new();
    for (path, is_manifest) in plan.contents.code.clone() {
        if !is_manifest {
            continue;
        }
        // A module that only the module path has is not the repository's.
        if !plan.holds(&path) {
            continue;
        }
        let text = match plan.text(&path) {
            Ok(Some(text)) => text,
            // It was removed meanwhile.
            Ok(None) => continue,
            Err(error) => {
                unread.push(error.message);
                continue;
            }
        };
        let source = Source::new(plan.shown(&path), text.clone());
        match hieratic_puppet_syntax::parse(&source, &Default::default()).program {
            Some(program) => programs.push((path, text, program)),
            None => unread.push(format!("{} cannot be parsed", plan.shown(&path))),
        }
    }
    let passed = passed(&programs);
    // Most parameters have no data: nothing is looked up for these.
    let contents = &plan.contents;
    let is_open = contents.has_hidden_keys || !contents.unread.is_empty();
    let named: BTreeSet<String> = contents.data.iter().flat_map(|file| file.keys.iter().cloned()).collect();
    let has_data = |key: &str| is_open || named.contains(key);
    let mut typed = Vec::new();
    for (path, text, program) in &programs {
        let mut splices = Vec::new();
        each_expression(&program.body, &mut |expr| {
            let Node::Class(class) = &expr.node else { return };
            for parameter in class.parameters.iter().filter(|parameter| parameter.kind.is_none()) {
                let key = format!("{}::{}", class.name.to_lowercase(), parameter.name);
                if !is_selected(&key) {
                    continue;
                }
                let nodes = if has_data(&key) { opened.as_slice() } else { &[] };
                let kind = kind(class, parameter.default.as_ref(), &key, &passed, nodes, limits);
                if let Ok(kind) = &kind {
                    let at = parameter.at as usize;
                    splices.push((at..at, format!("{kind} ")));
                }
                typed.push(TypedParameter { key, kind });
            }
        });
        if !splices.is_empty() {
            plan.set(path, apply_splices(text, splices))?;
        }
    }
    typed.sort_erased_by(|one, other| one.key.cmp(&other.key));
    Ok(TypePlan { plan, parameters: typed, unread })
}

/// The values that declarations of classes pass, by key; `None` if one of them is computed.
fn passed(programs: &[(std::path::PathBuf, String, Program)]) -> BTreeMap<String, Option<Vec<Value>>> {
    let mut passed: BTreeMap<String, Option<Vec<Value>>> = BTreeMap::new();
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    for (_, _, program) in programs {
        each_expression(&program.body, &mut |expr| {
            let Node::Resource(resource) = &expr.node else { return };
            if !matches!(&resource.kind.node, Node::Name(name) if &**name == "class") {
                return;
            }
            for body in &resource.bodies {
                let Some(class) = constant(&body.title).and_then(|title| title.as_str().map(str::to_lowercase)) else {
                    continue;
                };
                let class = class.trim_start_matches("::").to_owned();
                for operation in &body.operations {
                    match operation {
                        Operation::Attribute { name, value, .. } => {
                            let values = passed.entry(format!("{class}::{name}")).or_insert_with(|| Some(Vec::new()));
                            match (constant(value), values.as_mut()) {
                                (Some(value), Some(values)) => values.push(value),
                                _ => *values = None,
                            }
                        }
                        // Anything can be in it.
                        Operation::Splat { .. } => _ = unknown.insert(format!("{class}::")),
                    }
                }
            }
        });
    }
    passed.extend(unknown.into_iter().map(|class| (class, None)));
    passed
}

fn kind(
    class: &Class,
    default: Option<&Expr>,
    key: &str,
    passed: &BTreeMap<String, Option<Vec<Value>>>,
    nodes: &[HieraNode],
    limits: Limits,
) -> Result<String, Cow<'static, str>> {
    let mut values = Vec::new();
    match default.map(constant) {
        None => {}
        Some(Some(value)) => values.push(value),
        Some(None) => return Err(COMPUTED.into()),
    }
    let of_class = format!("{}::", class.name.to_lowercase());
    match (passed.get(key), passed.contains_key(&of_class)) {
        (Some(None), _) | (_, true) => return Err(PASSED.into()),
        (Some(Some(given)), _) => values.extend(given.iter().cloned()),
        (None, _) => {}
    }
    let mut is_seen = false;
    for node in nodes {
        let query = Query { names: vec![key], budget: Budget::new(limits), ..Query::default() };
        match node.lookup(&query) {
            // An empty value lets the default count.
            Ok(Value::Undef) if default.is_some() => {}
            Ok(value) => {
                is_seen = true;
                values.push(value);
            }
            Err(error) if error.code() == HieraNode::NOT_FOUND => {}
            Err(error) if error.code() == hieratic::hiera::codes::LIMIT => {
                return Err(format!("{FAILS}: {error}").into());
            }
            // Other messages may have values in them.
            Err(_) => return Err(FAILS.into()),
        }
    }
    // A default of undef alone gives no type.
    if values.iter().all(Value::is_undef) && !is_seen || values.is_empty() {
        return Err(NO_VALUES.into());
    }
    let kind = common(&values).ok_or(MIXED)?;
    if values.iter().all(|value| kind.is_instance(value)) { Ok(kind.to_string()) } else { Err(MIXED.into()) }
}

/// The most types in a `Variant`.
const MOST_KINDS: usize = 3;

/// A useful common type of all values, if there is one.
fn common(values: &[Value]) -> Option<Type> {
    let is_empty = |value: &&Value| match value {
        Value::Array(elements) => elements.is_empty(),
        Value::Hash(hash) => hash.is_empty(),
        _ => false,
    };
    // An empty collection does not restrict its elements if another collection does.
    let is_less_specific = |value: &Value| {
        let alike =
            |other: &&Value| std::mem::discriminant(*other) == std::mem::discriminant(value) && !is_empty(other);
        is_empty(&value) && values.iter().any(|other| alike(&other))
    };
    let mut kinds: Vec<Type> = Vec::new();
    for value in values.iter().filter(|value| !value.is_undef() && !is_less_specific(value)) {
        let kind = general(value);
        match kinds.iter_mut().find(|known| same_kind(known, &kind)) {
            Some(known) => *known = known.common_type(&kind).generalize(),
            None => kinds.push(kind),
        }
    }
    let has_undef = values.iter().any(Value::is_undef);
    let is_useless = |kind: &Type| matches!(kind, Type::Any | Type::Undef);
    for kind in &mut kinds {
        *kind = replace_unit(kind)?;
    }
    let kind = match kinds.as_slice() {
        [] => return None,
        [only] => only.clone(),
        several if several.len() <= MOST_KINDS => Type::variant(kinds.clone()),
        _ => return None,
    };
    if is_useless(&kind) {
        return None;
    }
    Some(if has_undef { Type::optional(kind) } else { kind })
}

/// The type of a value, generalized.
fn general(value: &Value) -> Type {
    match value {
        // An empty default does not mean that the value must be empty.
        Value::Array(elements) if elements.is_empty() => Type::array(Type::Any),
        Value::Hash(hash) if hash.is_empty() => Type::hash(Type::STRING, Type::Any),
        value => hieratic::puppet_types::infer(value).generalize(),
    }
}

/// Replaces the element type of empty collections by `Any`: the language cannot name the empty type.
fn replace_unit(kind: &Type) -> Option<Type> {
    let text = kind.to_string();
    if text.contains("Unit") {
        hieratic::puppet_types::parse(&text.replace("Unit", "Any")).ok()
    } else {
        Some(kind.clone())
    }
}

/// Returns whether two types are of the same kind: both strings, both arrays.
fn same_kind(one: &Type, other: &Type) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// The value of an expression that is written out.
fn constant(expr: &Expr) -> Option<Value> {
    Some(match &expr.node {
        Node::Literal(value) => value.clone(),
        Node::Integer { value, .. } => Value::Integer(*value),
        Node::Name(name) => Value::String(name.clone()),
        Node::Parenthesized(inner) => constant(inner)?,
        Node::Minus(inner) => match constant(inner)? {
            Value::Integer(number) => Value::Integer(number.checked_neg()?),
            Value::Float(number) => Value::Float(-number),
            _ => return None,
        },
        Node::List(elements) => elements.iter().map(constant).collect::<Option<Vec<_>>>()?.into(),
        Node::Hash(entries) => entries
            .iter()
            .map(|entry| Some((constant(&entry.key)?, constant(&entry.value)?)))
            .collect::<Option<hieratic::Hash>>()?
            .into(),
        _ => return None,
    })
}
