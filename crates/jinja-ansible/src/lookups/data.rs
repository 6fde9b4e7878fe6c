//! Lookups of `ansible.utils` and `community.general` that take values apart or merge them.

use hieratic_jinja::extend::filters::arguments::as_text;
use hieratic_jinja::extend::objects::{Dict, Entries, List};
use hieratic_jinja::extend::python::compare::equal;
use hieratic_jinja::extend::python::kind::entries;
use hieratic_jinja::extend::python::{Kind, iterate, kind, str, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Value, define, error, work};

use super::lookup::Table;
use crate::collections;
use crate::pattern::compile;

pub const TABLE: Table = &[
    define("get_path", "var, path", "Returns the value at a path such as `a.b[0]`.", |host, args| {
        listed(host, args, ("get_path", 2), collections::get_path)
    }),
    define(
        "index_of",
        "data, test, value=None, key=None, fail_on_missing=False",
        "Returns the indices of the items for which a test holds.",
        |host, args| listed(host, args, ("index_of", 5), collections::index_of),
    ),
    define(
        "merge_variables",
        "*patterns, pattern_type='regex', initial_value=None, override='error'",
        "Merges the lists or dictionaries in all variables whose names match.",
        merge_variables,
    ),
    define(
        "to_paths",
        "var, prepend=None",
        "Converts nested data to one dictionary of paths and values.",
        |host, args| listed(host, args, ("to_paths", 2), collections::to_paths),
    ),
];

/// Calls a filter that has a lookup beside it, whose terms are the arguments of the filter.
fn listed(
    host: &dyn Host,
    mut args: Args,
    (name, parameters): (&str, usize),
    filter: fn(&dyn Host, Args) -> Result<Value>,
) -> Result<Vec<Value>> {
    args.take("wantlist");
    args.positional.truncate(parameters);
    args.callee = name.into();
    args.named.push(("wantlist".into(), Value::from(true)));
    iterate(&filter(host, args)?)
}

fn merge_variables(host: &dyn Host, mut args: Args) -> Result<Vec<Value>> {
    let (initial, pattern_type, overriding) =
        (args.take("initial_value"), args.take("pattern_type"), args.take("override"));
    let word =
        |value: Option<Value>, default: &str| value.map_or(Ok(default.to_owned()), |value| as_text(&Some(value)));
    let (pattern_type, overriding) = (word(pattern_type, "regex")?, word(overriding, "error")?);
    for (option, value, choices) in [
        ("pattern_type", &pattern_type, ["prefix", "suffix", "regex"]),
        ("override", &overriding, ["error", "warn", "ignore"]),
    ] {
        if !choices.contains(&value.as_str()) {
            let choices = choices.join(", ");
            return Err(error(format!("Invalid value '{value}' for the option {option}: valid values are {choices}")));
        }
    }
    let mut names = host.variable_names()?;
    names.sort_unstable();
    let mut found = Vec::new();
    for term in &args.positional {
        let Kind::Str(term) = kind(term)? else {
            let name = type_name(term);
            return Err(error(format!("Non-string type '<class '{name}'>' passed, only 'str' types are allowed!")));
        };
        let pattern = compile(if pattern_type == "regex" { term } else { "" }, false, false)?;
        let mut merged = initial.clone().filter(|initial| !initial.is_none());
        if let Some(merged) = &merged {
            check(merged)?;
        }
        for name in &names {
            let matches = match pattern_type.as_str() {
                "prefix" => name.starts_with(term),
                "suffix" => name.ends_with(term),
                _ => pattern.is_match(name).map_err(crate::pattern::too_expensive)?,
            };
            if !matches {
                continue;
            }
            let Some(value) = host.known(name)? else { continue };
            let value = host.rendered(&value)?;
            check(&value)?;
            merged = Some(match merged {
                None => value,
                Some(merged) => merge(&merged, &value, name, overriding == "error")?,
            });
        }
        found.push(merged.unwrap_or_else(|| Value::from(())));
    }
    Ok(found)
}

fn check(value: &Value) -> Result<()> {
    match kind(value)? {
        Kind::List | Kind::Dict => Ok(()),
        _ => Err(error("Not supported type detected, variable must be a list or a dict")),
    }
}

/// Merges the value of a variable into those before it.
fn merge(into: &Value, value: &Value, path: &str, is_strict: bool) -> Result<Value> {
    match (kind(into)?, kind(value)?) {
        (Kind::List, Kind::List) => joined(into, value),
        (Kind::Dict, Kind::Dict) => merge_dicts(into, value, path, is_strict),
        _ => Err(error("Unable to merge, not all variables are of the same type")),
    }
}

fn joined(into: &Value, value: &Value) -> Result<Value> {
    let mut items = iterate(into)?;
    let more = iterate(value)?;
    work::elements(items.len() + more.len())?;
    items.extend(more);
    Ok(List::value(items))
}

fn merge_dicts(into: &Value, value: &Value, path: &str, is_strict: bool) -> Result<Value> {
    let mut out: Entries = entries(into)?.into_iter().collect();
    let added = entries(value)?;
    work::elements(out.len() + added.len())?;
    for (key, value) in added {
        let merged = match (kind(&value)?, out.get(&key)) {
            (Kind::Dict, known) => {
                let known = known.cloned().unwrap_or_else(|| Dict::value(Entries::new()));
                let path = format!("{path}.{}", str(&key)?);
                work::deeper(|| match kind(&known)? {
                    Kind::Dict => merge_dicts(&known, &value, &path, is_strict),
                    _ => Err(error(format!("'{}' object has no attribute 'setdefault'", type_name(&known)))),
                })?
            }
            (Kind::List, Some(known)) => match kind(known)? {
                Kind::List => joined(known, &value)?,
                _ => return Err(error(format!("a list cannot be added to a {}", type_name(known)))),
            },
            (_, Some(known)) if is_strict && !equal(known, &value)? => {
                let (key, known, value) = (str(&key)?, str(known)?, str(&value)?);
                return Err(error(format!(
                    "The key '{key}' with value '{known}' will be overwritten with value '{value}' from '{path}.{key}'"
                )));
            }
            _ => value,
        };
        out.insert(key, merged);
    }
    Ok(Dict::value(out))
}
