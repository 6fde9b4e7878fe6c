//! `get_input`, `get_attribute`: TOSCA's functions, as far as a tree of instances supports them.

use hieratic_diagnostics::nearest;
use hieratic_python_values as python;
use hieratic_value::Value;

use super::arguments::{list, text};
use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::lazy::LazyList;
use crate::scope::Scope;

/// `{get_input: NAME}`, `{get_input: [NAME, DEFAULT]}`: an entry of the root's attribute `inputs`.
///
/// <https://docs.unfurl.run/expressions.html#get-input>
pub(super) fn get_input(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let (name, default) = if argument.is_list() {
        let mut elements = host.elements(argument)?.into_iter();
        let name = elements.next().ok_or_else(|| ExpressionError::new("'get_input' has no name"))?;
        (name, elements.next())
    } else {
        (argument.clone(), None)
    };
    let name = host.force(&name)?;
    let inputs = host.project(&Datum::Instance(0), &Value::from("inputs"), scope)?;
    let found = match &inputs {
        Some(inputs) => host.project(inputs, &name, scope)?,
        None => None,
    };
    match (found, default) {
        (Some(value), _) => Ok(value),
        (None, Some(default)) => host.map_value(&default, scope),
        (None, None) => {
            let error = ExpressionError::new(format!("undefined input '{}'", python::text(&name)));
            let known: Vec<String> = inputs
                .and_then(|inputs| inputs.keys().cloned())
                .map(|keys| keys.keys().filter_map(|key| key.as_str().map(str::to_owned)).collect())
                .unwrap_or_default();
            let near = nearest(&python::text(&name), known.iter().map(String::as_str)).map(str::to_owned);
            Err(match near {
                Some(near) => error.did_you_mean(Some(&near), ""),
                None => error.help("inputs are the attribute 'inputs' of the root; [name, default] gives a default"),
            })
        }
    }
}

/// `{get_attribute: [ENTITY, ATTRIBUTE, KEY...]}`: an attribute of an instance, by its name, or of `SELF`, or of its
/// ancestors (`HOST`).
///
/// <https://docs.unfurl.run/expressions.html#get-attribute>
pub(super) fn get_attribute(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let elements = list(host, &host.map_value(argument, scope)?, "get_attribute")?;
    let [entity, attribute, keys @ ..] = &elements[..] else {
        return Err(ExpressionError::new("'get_attribute' needs an instance and an attribute")
            .help("write get_attribute: [name, attribute]"));
    };
    let entity = text(entity, "the instance of 'get_attribute'")?;
    let last = scope.last;
    let starts: Vec<usize> = match &*entity {
        "SELF" => vec![last],
        "HOST" => {
            // From the root to the nearest, as in `.parents`.
            let mut hosts: Vec<usize> = host.shared().tree.ancestors(last).skip(1).collect();
            hosts.reverse();
            hosts
        }
        "SOURCE" | "TARGET" => {
            return Err(ExpressionError::new(format!("{entity} only exists for relationships"))
                .help("a tree of instances has no relationships"));
        }
        name => host.shared().tree.find(name).into_iter().collect(),
    };
    let attribute = host.force(attribute)?;
    // A requirement refers to the node that fulfills it.
    if let ([start], [inner, keys @ ..]) = (&starts[..], keys)
        && let Some(target) = required(host, *start, &attribute, scope)?
    {
        let inner = host.force(inner)?;
        return found_at(host, vec![target], &inner, keys, scope);
    }
    found_at(host, starts, &attribute, keys, scope)
}

/// The node that fulfills a requirement of another, unless that has an attribute of the same name.
fn required(host: &dyn Host, of: usize, name: &Value, scope: &mut Scope) -> Result<Option<usize>, ExpressionError> {
    let tree = host.shared().tree.clone();
    let targets = tree.node(of).template.as_ref().map(|template| template.targets.as_slice()).unwrap_or_default();
    let target = targets.iter().rfind(|(known, _)| name.as_str() == Some(known)).map(|(_, target)| *target);
    // An attribute that only a type may give, which is not known, does not hide the written value.
    let is_written = name.as_str().is_some_and(|name| tree.node(of).attributes.get(name).is_some());
    let is_hidden = target.is_some() && is_written && host.project(&Datum::Instance(of), name, scope)?.is_some();
    Ok(target.filter(|_| !is_hidden))
}

/// Returns the values of an attribute of instances, at the keys after it.
fn found_at(
    host: &dyn Host,
    starts: Vec<usize>,
    attribute: &Value,
    keys: &[Datum],
    scope: &mut Scope,
) -> Result<Datum, ExpressionError> {
    let mut found = Vec::new();
    for start in starts {
        let mut value = host.project(&Datum::Instance(start), attribute, scope)?;
        for key in keys {
            let key = match host.force(key)? {
                // Indexes may be strings, as in a path.
                Value::String(text) => match python::parse_int(&text, 10).and_then(|index| i64::try_from(index).ok()) {
                    Some(index) => Value::Integer(index),
                    None => Value::String(text),
                },
                key => key,
            };
            value = match value {
                Some(value) => host.project(&value, &key, scope)?,
                None => break,
            };
        }
        found.extend(value);
        if !keys.is_empty() && !found.is_empty() {
            break;
        }
    }
    Ok(match found.len() {
        0 => Datum::Plain(Plain { value: Value::Undef, templates: false }),
        1 => found.remove(0),
        _ => LazyList::known(found),
    })
}

/// `{get_property: [ENTITY, PROPERTY, KEY...]}`: a property of a node template, by its name, or of `SELF`, or of the
/// nodes that host it (`HOST`). A requirement in the place of the property refers to the node that fulfills it.
///
/// <https://docs.unfurl.run/expressions.html#get-property>
pub(super) fn get_property(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let elements = list(host, &host.map_value(argument, scope)?, "get_property")?;
    let [entity, property, keys @ ..] = &elements[..] else {
        return Err(ExpressionError::new("'get_property' needs a node and a property")
            .help("write get_property: [name, property]"));
    };
    let entity = text(entity, "the node of 'get_property'")?;
    let property = text(property, "the property of 'get_property'")?;
    let tree = host.shared().tree.clone();
    let has = |id: &usize, name: &str| {
        tree.node(*id).template.as_ref().is_some_and(|template| template.properties.contains(name))
    };
    let start = match &*entity {
        "SELF" => scope.last,
        "HOST" => tree.ancestors(scope.last).skip(1).find(|id| has(id, &property)).ok_or_else(|| {
            ExpressionError::new(format!(
                "no node that hosts '{}' has the property '{property}'",
                tree.node(scope.last).name
            ))
        })?,
        "SOURCE" | "TARGET" => {
            return Err(ExpressionError::new(format!("{entity} only exists for relationships"))
                .help("name the node, or a requirement: get_property: [SELF, REQUIREMENT, PROPERTY]"));
        }
        name => tree.find(name).ok_or_else(|| {
            let near = nearest(name, tree.names()).map(str::to_owned);
            ExpressionError::new(format!("Node template \"{name}\" was not found")).did_you_mean(near.as_deref(), "")
        })?,
    };
    let Some(template) = &tree.node(start).template else {
        return Err(ExpressionError::new(format!(
            "'{}' is no node template, and has no properties",
            tree.node(start).name
        ))
        .help("properties are those of the node templates of an ensemble; use 'get_attribute' for other trees"));
    };
    if has(&start, &property) {
        return found_at(host, vec![start], &Value::String(property), keys, scope);
    }
    let target = template.targets.iter().rfind(|(name, _)| *name == property).map(|(_, target)| *target);
    if let (Some(target), [inner, keys @ ..]) = (target, keys) {
        let inner = text(inner, "the property of 'get_property'")?;
        if has(&target, &inner) {
            return found_at(host, vec![target], &Value::String(inner), keys, scope);
        }
    }
    let (name, near) = (&tree.node(start).name, nearest(&property, template.properties.iter().map(|name| &**name)));
    let message =
        format!("get_property function referencing property \"{property}\" not found in node template \"{name}\"");
    Err(match &template.unseen {
        Some(advice) => ExpressionError::new(message).help(advice.to_string()),
        None => ExpressionError::new(message).did_you_mean(near, ""),
    })
}

/// `{get_nodes_of_type: TYPE}`: the nodes of a type or of one that is derived from it.
///
/// <https://docs.unfurl.run/expressions.html#get-nodes-of-type>
pub(super) fn get_nodes_of_type(
    host: &dyn Host,
    argument: &Datum,
    scope: &mut Scope,
) -> Result<Datum, ExpressionError> {
    let name = text(&host.map_value(argument, scope)?, "the type of 'get_nodes_of_type'")?;
    let tree = &host.shared().tree;
    let mut found = Vec::new();
    let mut templates = 0_usize;
    for id in tree.descendants(0) {
        host.shared().step()?;
        let Some(template) = &tree.node(id).template else { continue };
        templates += 1;
        match (template.is_of_type(&name), &template.unseen) {
            (Some(false), _) => {}
            (Some(true), _) => found.push(Datum::Instance(id)),
            (None, advice) => {
                let message = format!("whether '{}' is of the type '{name}' is not known", tree.node(id).name);
                let error = ExpressionError::new(message);
                return Err(match advice {
                    Some(advice) => error.help(advice.to_string()),
                    None => error,
                });
            }
        }
    }
    if templates == 0 {
        return Err(
            ExpressionError::new("the tree has no node templates").help("types are those of the nodes of an ensemble")
        );
    }
    Ok(LazyList::known(found))
}
