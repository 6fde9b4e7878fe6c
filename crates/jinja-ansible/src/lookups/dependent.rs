//! The lookup `dependent` of `community.general`.

use hieratic_jinja::extend::objects::{Dict, Entries};
use hieratic_jinja::extend::python::compare::sort;
use hieratic_jinja::extend::python::kind::{entries, is_sequence};
use hieratic_jinja::extend::python::{Kind, iterate, kind, repr, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Settings, Value, error, work};

/// Returns the lookup `dependent`: dictionaries with an item of each list, of which later ones may be expressions that
/// use the items before them, as `item.name`.
pub fn dependent(host: &dyn Host, args: Args) -> Result<Vec<Value>> {
    let mut lists: Vec<(Value, Value)> = Vec::new();
    for (index, term) in args.positional.iter().enumerate() {
        if !matches!(kind(term)?, Kind::Dict) {
            return Err(error(format!("Parameter {index} must be a dictionary, got <class '{}'>", type_name(term))));
        }
        let mut parts = entries(term)?;
        let (Some((name, list)), count) = (parts.pop(), parts.len() + 1) else {
            return Err(error(format!("Parameter {index} must be a one-element dictionary, got 0 elements")));
        };
        if count > 1 {
            return Err(error(format!("Parameter {index} must be a one-element dictionary, got {count} elements")));
        }
        if lists.iter().any(|(known, _)| *known == name) {
            return Err(error(format!("The variable {} appears more than once", repr(&name)?)));
        }
        if !(is_sequence(&list) || matches!(kind(&list)?, Kind::Dict | Kind::Str(_))) {
            return Err(error(format!(
                "Parameter {} (index {index}) must have a value of type string, dictionary or list, got type {}",
                repr(&name)?,
                type_name(&list)
            )));
        }
        lists.push((name, list));
    }
    let mut found = Vec::new();
    if !lists.is_empty() {
        combine(host, &lists, &mut Entries::new(), &mut found)?;
    }
    Ok(found)
}

/// Adds the combinations of the items so far with those of the other lists.
fn combine(host: &dyn Host, lists: &[(Value, Value)], items: &mut Entries, found: &mut Vec<Value>) -> Result<()> {
    let Some(((name, list), rest)) = lists.split_first() else {
        work::elements(items.len() + 1)?;
        found.push(Dict::value(items.clone()));
        return Ok(());
    };
    let list = match kind(list)? {
        Kind::Str(expression) => {
            let item = Entries::from_iter([(Value::from("item"), Dict::value(items.clone()))]);
            host.render_with(
                "dependent",
                &format!("{{{{{expression}}}}}"),
                &Dict::value(item),
                Settings::default(),
                false,
            )?
        }
        _ => list.clone(),
    };
    let values = match kind(&list)? {
        Kind::Dict => {
            let pair = |(key, value)| Dict::value(Entries::from_iter([("key".into(), key), ("value".into(), value)]));
            let keyed = entries(&list)?.into_iter().map(|(key, value)| (key.clone(), pair((key, value)))).collect();
            sort(keyed, false)?.into_iter().map(|(_, pair)| pair).collect()
        }
        Kind::Str(_) => iterate(&list)?,
        _ if is_sequence(&list) => iterate(&list)?,
        _ => {
            return Err(error(format!(
                "Did not obtain dictionary or list while evaluating {}, but <class '{}'>",
                repr(name)?,
                type_name(&list)
            )));
        }
    };
    for value in values {
        work::steps(1)?;
        items.insert(name.clone(), value);
        work::deeper(|| combine(host, rest, items, found))?;
    }
    // An item of the combinations so far is not one of the next.
    items.shift_remove(name);
    Ok(())
}
