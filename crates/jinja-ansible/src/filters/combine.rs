//! The filter `combine`: <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/combine_filter.html>.

use hieratic_jinja::extend::filters::arguments::{as_flag, as_text};
use hieratic_jinja::extend::objects::{Dict, Entries, List};
use hieratic_jinja::extend::python::compare::{contains_item, equal};
use hieratic_jinja::extend::python::kind::{element, entries};
use hieratic_jinja::extend::python::{Kind, iterate, kind, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error, undefined};

pub const TABLE: Table = &[define(
    "combine",
    "*dictionaries, recursive=False, list_merge='replace'",
    "Merges dictionaries; later ones win. `recursive=True` merges the nested ones, `list_merge` says how lists merge.",
    combine,
)];

/// The values of the argument `list_merge` of `combine`.
pub const MODES: [&str; 6] = ["replace", "keep", "append", "prepend", "append_rp", "prepend_rp"];

/// Merges two dictionaries. Values in `over` take precedence; `recursive` merges nested dictionaries, and `lists` is
/// one of [`MODES`].
pub fn merge_hashes(under: &Value, over: &Value, recursive: bool, lists: &str) -> Result<Value> {
    combined(under, over, recursive, lists, MAX_DEPTH)
}

/// The maximum depth of a combination of dictionaries.
const MAX_DEPTH: usize = 100;

fn combine(_: &dyn Host, mut args: Args) -> Result<Value> {
    let recursive = as_flag(args.take("recursive"), false)?;
    let lists = args.take("list_merge").map_or(Ok("replace".into()), |mode| as_text(&Some(mode)))?;
    args.only(&[]).map_err(|_| error("'recursive' and 'list_merge' are the only valid keyword arguments"))?;
    let mut dicts = Vec::new();
    for term in args.positional {
        match kind(&term)? {
            Kind::List | Kind::Tuple(_) => dicts.extend(iterate(&term)?),
            // As in `flatten`, null values are left out.
            Kind::None | Kind::Str("None" | "null") => {}
            _ => dicts.push(term),
        }
    }
    let Some(mut out) = dicts.pop() else { return Ok(Dict::value(Entries::new())) };
    if let Kind::Missing(missing) = kind(&out)? {
        return Err(undefined(missing.message()));
    }
    // A single value stays, whatever it is.
    for dict in dicts.iter().rev() {
        out = combined(dict, &out, recursive, &lists, MAX_DEPTH)?;
    }
    Ok(out)
}

/// A dictionary with another one over it.
fn combined(under: &Value, over: &Value, recursive: bool, lists: &str, depth: usize) -> Result<Value> {
    if !MODES.contains(&lists) {
        return Err(error(format!("merge_hash: 'list_merge' argument can only be equal to {}", MODES.join(", "))));
    }
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error("the dictionaries nest too deeply"));
    };
    for side in [under, over] {
        match kind(side)? {
            Kind::Dict => {}
            Kind::Missing(missing) => return Err(undefined(missing.message())),
            _ => {
                let name = type_name(side);
                return Err(error(format!("failed to combine variables, expected dicts but got a '{name}'")));
            }
        }
    }
    // An equal value stays, also where its lists would be joined.
    if equal(under, over)? {
        return Ok(over.clone());
    }
    let mut out: Entries = entries(under)?.into_iter().collect();
    for (key, value) in entries(over)? {
        let Some(there) = element(under, &key)? else {
            out.insert(key, value);
            continue;
        };
        let merged = match (kind(&there)?, kind(&value)?) {
            (Kind::Dict, Kind::Dict) if recursive => combined(&there, &value, recursive, lists, depth)?,
            (Kind::List, Kind::List) => merge_lists(iterate(&there)?, iterate(&value)?, lists)?,
            _ => value,
        };
        out.insert(key, merged);
    }
    Ok(Dict::value(out))
}

fn merge_lists(under: Vec<Value>, over: Vec<Value>, mode: &str) -> Result<Value> {
    let without = |items: Vec<Value>, others: &[Value]| {
        let mut kept = Vec::new();
        for item in items {
            if !contains_item(others, &item)? {
                kept.push(item);
            }
        }
        Ok::<_, hieratic_jinja::extend::Error>(kept)
    };
    Ok(List::value(match mode {
        "replace" => over,
        "keep" => under,
        "append" => [under, over].concat(),
        "prepend" => [over, under].concat(),
        "append_rp" => [without(under, &over)?, over].concat(),
        _ => {
            let rest = without(under, &over)?;
            [over, rest].concat()
        }
    }))
}
