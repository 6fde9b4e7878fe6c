//! `get_input`, `get_attribute`: TOSCA's functions, as far as a tree of instances answers them.

use hieratic_diagnostics::nearest;
use hieratic_pythonic as python;
use hieratic_value::Value;

use super::arguments::{list, text};
use crate::Fault;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::lazy::LazyList;
use crate::scope::Scope;

/// `{get_input: NAME}`, `{get_input: [NAME, DEFAULT]}`: what the attribute `inputs` of the root has under a name.
///
/// <https://docs.unfurl.run/expressions.html#get-input>
pub(super) fn get_input(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    let (name, default) = match argument.is_list() {
        true => {
            let mut elements = host.elements(argument)?.into_iter();
            let name = elements.next().ok_or_else(|| Fault::new("'get_input' has no name"))?;
            (name, elements.next())
        }
        false => (argument.clone(), None),
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
            let fault = Fault::new(format!("undefined input '{}'", python::text(&name)));
            let known: Vec<String> = inputs
                .and_then(|inputs| inputs.keys().cloned())
                .map(|keys| keys.keys().filter_map(|key| key.as_str().map(str::to_owned)).collect())
                .unwrap_or_default();
            let near = nearest(&python::text(&name), known.iter().map(String::as_str)).map(str::to_owned);
            Err(match near {
                Some(near) => fault.did_you_mean(Some(&near), ""),
                None => fault.help("inputs are the attribute 'inputs' of the root; [name, default] gives a default"),
            })
        }
    }
}

/// `{get_attribute: [ENTITY, ATTRIBUTE, KEY...]}`: an attribute of an instance, by its name, or of `SELF`, of the
/// instances that it stands in (`HOST`).
///
/// <https://docs.unfurl.run/expressions.html#get-attribute>
pub(super) fn get_attribute(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, Fault> {
    let elements = list(host, &host.map_value(argument, scope)?, "get_attribute")?;
    let [entity, attribute, keys @ ..] = &elements[..] else {
        return Err(Fault::new("'get_attribute' needs an instance and an attribute")
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
            return Err(Fault::new(format!("{entity} only exists for relationships"))
                .help("a tree of instances has no relationships"));
        }
        name => host.shared().tree.find(name).into_iter().collect(),
    };
    let attribute = host.force(attribute)?;
    let mut found = Vec::new();
    for start in starts {
        let mut value = host.project(&Datum::Instance(start), &attribute, scope)?;
        for key in keys {
            let key = match host.force(key)? {
                // Indexes may be written as texts, as in a path.
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
