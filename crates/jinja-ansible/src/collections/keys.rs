//! Filters of `ansible.utils` about keys and paths of data.

use std::collections::HashSet;

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::objects::{Dict, Entries, List};
use hieratic_jinja::extend::python::compare::{contains_item, sort};
use hieratic_jinja::extend::python::kind::{element, entries, truth};
use hieratic_jinja::extend::python::{Kind, iterate, kind, str, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Settings, Value, error, work};

use super::arguments::{bind, flag, items, optional_text, text, texts};
use crate::pattern::{Pattern, compile};

/// The deepest that data may nest.
const MAX_DEPTH: usize = 200;

fn deeper(depth: usize) -> Result<usize> {
    work::steps(1)?;
    depth.checked_sub(1).ok_or_else(|| error("the data nests too deeply"))
}

/// The comparison of keys with the given names.
enum Matching {
    Equality,
    Start,
    End,
    Pattern(std::rc::Rc<Pattern>),
}

impl Matching {
    fn new(parameter: &str, key: &str) -> Result<Matching> {
        Ok(match parameter {
            "starts_with" => Matching::Start,
            "ends_with" => Matching::End,
            // Python's `match` looks at the start alone.
            "regex" => Matching::Pattern(compile(&format!(r"\A(?:{key})"), false, false)?),
            _ => Matching::Equality,
        })
    }

    fn matches(&self, named: &str, key: &Value) -> Result<bool> {
        let Some(key) = key.as_str() else {
            return match self {
                Matching::Equality => Ok(false),
                _ => Err(error(format!("expected string, not '{}'", type_name(key)))),
            };
        };
        work::scan(key.len())?;
        Ok(match self {
            Matching::Equality => key == named,
            Matching::Start => key.starts_with(named),
            Matching::End => key.ends_with(named),
            Matching::Pattern(pattern) => {
                let mut found = false;
                pattern.each(key, 1, |_| {
                    found = true;
                    Ok(())
                })?;
                found
            }
        })
    }
}

/// The name of the way to compare; empty where keys have to be equal, which has no name.
fn matching(parameter: Option<Value>) -> Result<String> {
    let parameter = optional_text(parameter)?;
    match parameter.as_deref() {
        None => Ok(String::new()),
        Some(known @ ("starts_with" | "ends_with" | "regex")) => Ok(known.to_owned()),
        Some(other) => Err(error(format!(
            "value of matching_parameter must be one of: starts_with, ends_with, regex, got: {other}"
        ))),
    }
}

/// Returns the given names, each with its comparison.
fn targets(target: Option<Value>, parameter: Option<Value>) -> Result<Vec<(Matching, String)>> {
    let (target, parameter) = (texts(target, "target")?, matching(parameter)?);
    target.into_iter().map(|key| Ok((Matching::new(&parameter, &key)?, key))).collect()
}

/// The data of a filter that takes lists and maps.
fn data_of(value: Option<Value>, plugin: &str, subject: &str) -> Result<Value> {
    let value = given(value);
    match kind(&value)? {
        Kind::List | Kind::Dict => Ok(value),
        Kind::Missing(missing) => Err(hieratic_jinja::extend::undefined(missing.message())),
        _ => Err(error(format!("Error when using plugin '{plugin}': Input is not valid for {subject}"))),
    }
}

pub fn keep_keys(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, target, parameter] = bind(args, ["data", "target", "matching_parameter"], 2)?;
    let targets = targets(target, parameter)?;
    kept_keys(&data_of(data, "keep_keys", "keep operation")?, &targets, MAX_DEPTH)
}

fn is_empty(value: &Value) -> Result<bool> {
    Ok(matches!(kind(value)?, Kind::List | Kind::Dict) && !truth(value)?)
}

fn kept_keys(data: &Value, targets: &[(Matching, String)], depth: usize) -> Result<Value> {
    let depth = deeper(depth)?;
    match kind(data)? {
        Kind::List => {
            iterate(data)?.iter().map(|item| kept_keys(item, targets, depth)).collect::<Result<_>>().map(List::value)
        }
        Kind::Dict => {
            let mut keep = Entries::new();
            for (key, value) in entries(data)? {
                let is_branch = matches!(kind(&value)?, Kind::List | Kind::Dict);
                if !is_branch {
                    for (matching, named) in targets {
                        if matching.matches(named, &key)? {
                            keep.insert(key.clone(), value.clone());
                        }
                    }
                    continue;
                }
                // Every target finds the same in it.
                if targets.is_empty() {
                    continue;
                }
                let mut inner = kept_keys(&value, targets, depth)?;
                if kind(&inner).is_ok_and(|kind| matches!(kind, Kind::List)) {
                    let mut items = Vec::new();
                    for item in iterate(&inner)? {
                        if !is_empty(&item)? {
                            items.push(item);
                        }
                    }
                    if items.iter().all(|item| item.as_str().is_some()) {
                        continue;
                    }
                    inner = List::value(items);
                }
                if !is_empty(&inner)? {
                    keep.insert(key, inner);
                }
            }
            Ok(Dict::value(keep))
        }
        _ => Ok(data.clone()),
    }
}

pub fn remove_keys(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, target, parameter] = bind(args, ["data", "target", "matching_parameter"], 2)?;
    let targets = targets(target, parameter)?;
    let removed = removed(&data_of(data, "remove_keys", "attribute removal")?, &targets, MAX_DEPTH)?;
    without_empty(&removed, MAX_DEPTH)
}

fn removed(data: &Value, targets: &[(Matching, String)], depth: usize) -> Result<Value> {
    let depth = deeper(depth)?;
    match kind(data)? {
        Kind::List => {
            iterate(data)?.iter().map(|item| removed(item, targets, depth)).collect::<Result<_>>().map(List::value)
        }
        Kind::Dict => {
            let mut rest = Entries::new();
            'entries: for (key, value) in entries(data)? {
                for (matching, named) in targets {
                    if matching.matches(named, &key)? {
                        continue 'entries;
                    }
                }
                rest.insert(key, removed(&value, targets, depth)?);
            }
            Ok(Dict::value(rest))
        }
        _ => Ok(data.clone()),
    }
}

/// Removes empty values from lists.
fn without_empty(data: &Value, depth: usize) -> Result<Value> {
    let depth = deeper(depth)?;
    match kind(data)? {
        Kind::Dict => {
            let clear = |(key, value): (Value, Value)| Ok((key, without_empty(&value, depth)?));
            Ok(Dict::value(entries(data)?.into_iter().map(clear).collect::<Result<_>>()?))
        }
        Kind::List => {
            let mut items = Vec::new();
            for item in iterate(data)? {
                if truth(&item)? {
                    items.push(without_empty(&item, depth)?);
                }
            }
            Ok(List::value(items))
        }
        _ => Ok(data.clone()),
    }
}

/// A key and its replacement.
struct Replacement {
    matching: Matching,
    before: String,
    after: Value,
}

pub fn replace_keys(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, target, parameter] = bind(args, ["data", "target", "matching_parameter"], 2)?;
    let parameter = matching(parameter)?;
    let mut replacements = Vec::new();
    for one in iterate(&given(target))? {
        if !matches!(kind(&one)?, Kind::Dict) {
            return Err(error("the elements of target must be dictionaries with the keys before and after"));
        }
        let before = text(element(&one, &Value::from("before"))?, "before")?;
        let after = element(&one, &Value::from("after"))?;
        let after = after.map_or(Ok(Value::from(())), |after| str(&after).map(Value::from))?;
        replacements.push(Replacement { matching: Matching::new(&parameter, &before)?, before, after });
    }
    replaced(&data_of(data, "replace_keys", "replace operation")?, &replacements, MAX_DEPTH)
}

fn replaced(data: &Value, replacements: &[Replacement], depth: usize) -> Result<Value> {
    let depth = deeper(depth)?;
    match kind(data)? {
        Kind::List => iterate(data)?
            .iter()
            .map(|item| replaced(item, replacements, depth))
            .collect::<Result<_>>()
            .map(List::value),
        Kind::Dict => {
            let mut all: Entries = entries(data)?.into_iter().collect();
            for Replacement { matching, before, after } in replacements {
                let keys: Vec<Value> = all.keys().cloned().collect();
                work::steps(keys.len())?;
                for key in keys {
                    if matching.matches(before, &key)?
                        && let Some(value) = all.shift_remove(&key)
                    {
                        all.insert(after.clone(), value);
                    }
                }
            }
            let inner = |(key, value): (Value, Value)| Ok((key, replaced(&value, replacements, depth)?));
            Ok(Dict::value(all.into_iter().map(inner).collect::<Result<_>>()?))
        }
        _ => Ok(data.clone()),
    }
}

pub fn index_of(host: &dyn Host, args: Args) -> Result<Value> {
    let [data, test, value, key, fail, wantlist] =
        bind(args, ["data", "test", "value", "key", "fail_on_missing", "wantlist"], 2)?;
    let data = given(data);
    let items = match kind(&data)? {
        Kind::List | Kind::Tuple(_) => iterate(&data)?,
        Kind::Str(_) | Kind::Int(_) | Kind::Float(_) => {
            texts(Some(data), "data")?.into_iter().map(Value::from).collect()
        }
        _ => {
            return Err(error(format!(
                "argument 'data' is of type {} and cannot be converted to a list",
                type_name(&data)
            )));
        }
    };
    let (test, key) = (text(test, "test")?, optional_text(key)?);
    let (fail, wantlist) = (flag(fail, "fail_on_missing")?, flag(wantlist, "wantlist")?);
    let value = value.filter(|value| !value.is_none());
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for (at, entry) in items.iter().enumerate() {
        work::steps(1)?;
        let entry = match &key {
            None => entry.clone(),
            Some(name) => {
                if !matches!(kind(entry)?, Kind::Dict) {
                    return Err(failed(
                        "When a key name is provided, all list entries are required to be dictionaries",
                    ));
                }
                match element(entry, &Value::from(name.as_str()))? {
                    Some(entry) => entry,
                    None if fail => {
                        missing.push(format!("'{name}' was not found in '{}' at [{at}]", str(entry)?));
                        continue;
                    }
                    None => continue,
                }
            }
        };
        if holds(host, &test, entry, value.clone())? {
            found.push(Value::from(at));
        }
    }
    if !missing.is_empty() {
        return Err(failed(&format!("{}. fail_on_missing=True", missing.join(", "))));
    }
    Ok(match found.as_slice() {
        [only] if !wantlist => only.clone(),
        _ => List::value(found),
    })
}

fn failed(reason: &str) -> hieratic_jinja::extend::Error {
    error(format!("Error when using plugin 'index_of': {reason}"))
}

/// Applies a test, which may be negated.
fn holds(host: &dyn Host, test: &str, entry: Value, value: Option<Value>) -> Result<bool> {
    let (test, inverted) = match (test.strip_prefix('!'), test.strip_prefix("not ")) {
        (Some(_), _) => (test.trim_start_matches('!'), true),
        // The reference strips all these characters from the start.
        (None, Some(_)) => (test.trim_start_matches(['n', 'o', 't', ' ']), true),
        (None, None) => (test, false),
    };
    let test = if inverted && test == "=" { "==" } else { test };
    if !host.is_test(test) {
        return Err(failed(&format!("Error was: the test '{test}' was not found.")));
    }
    let value = match value {
        Some(value) if test == "in" && !matches!(kind(&value)?, Kind::List) => Some(List::value(vec![value])),
        value => value,
    };
    let args = Args { callee: test.into(), positional: [entry].into_iter().chain(value).collect(), named: Vec::new() };
    Ok(host.test(test, args)? != inverted)
}

pub fn to_paths(_: &dyn Host, args: Args) -> Result<Value> {
    let [var, prepend, wantlist] = bind(args, ["var", "prepend", "wantlist"], 1)?;
    let (var, prepend) = (given(var), optional_text(prepend)?.filter(|prepend| !prepend.is_empty()));
    let mut out = Entries::new();
    let top = match prepend {
        Some(prepend) => Dict::value([(Value::from(prepend), var)].into_iter().collect()),
        None => var,
    };
    let result = match (kind(&top)?, truth(&top)?) {
        (Kind::Dict, false) => Dict::value(Entries::new()),
        (Kind::List, false) => List::value(Vec::new()),
        _ => {
            write_paths(&top, None, &mut out, MAX_DEPTH)?;
            Dict::value(out)
        }
    };
    Ok(if flag(wantlist, "wantlist")? { List::value(vec![result]) } else { result })
}

fn is_name(text: &str) -> bool {
    let mut letters = text.strip_suffix('\n').unwrap_or(text).chars();
    letters.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && letters.all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
}

fn write_paths(data: &Value, name: Option<&Value>, out: &mut Entries, depth: usize) -> Result<()> {
    let depth = deeper(depth)?;
    let is_empty = !truth(data)?;
    let start = name.map_or(Ok(String::new()), str)?;
    match kind(data)? {
        Kind::Dict if !is_empty => {
            for (key, value) in entries(data)? {
                let path = match name {
                    None => key,
                    Some(_) => {
                        let Some(key) = key.as_str() else {
                            return Err(error("expected string or bytes-like object"));
                        };
                        work::bytes(start.len() + key.len())?;
                        Value::from(if is_name(key) { format!("{start}.{key}") } else { format!("{start}['{key}']") })
                    }
                };
                write_paths(&value, Some(&path).filter(|path| path.as_str() != Some("")), out, depth)?;
            }
        }
        Kind::List if !is_empty => {
            for (at, value) in iterate(data)?.iter().enumerate() {
                work::bytes(start.len())?;
                write_paths(value, Some(&Value::from(format!("{start}[{at}]"))), out, depth)?;
            }
        }
        Kind::Dict | Kind::List if name.is_none() => {}
        _ => {
            out.insert(name.cloned().unwrap_or_else(|| Value::from("")), data.clone());
        }
    }
    Ok(())
}

/// Returns the filter `get_path`: the part of the data at a path. The path is a Jinja expression whose variables are
/// the entries of the data.
pub fn get_path(host: &dyn Host, args: Args) -> Result<Value> {
    let [var, path, wantlist] = bind(args, ["var", "path", "wantlist"], 2)?;
    let (var, path) = (given(var), text(path, "path")?);
    if !matches!(kind(&var)?, Kind::Dict) {
        return Err(error(format!("the data of get_path must be a dictionary, not {}", type_name(&var))));
    }
    let found = host.render_alone("get_path", &format!("{{{{ {path} }}}}"), &var, Settings::default())?;
    Ok(if flag(wantlist, "wantlist")? { List::value(vec![found]) } else { found })
}

pub fn param_list_compare(_: &dyn Host, args: Args) -> Result<Value> {
    let [base, target] = bind(args, ["base", "target"], 2)?;
    let (base, target) = (items(base, "base")?, items(target, "target")?);
    let supported: HashSet<&str> = base.iter().map(String::as_str).collect();
    let mut combined: Vec<Value> = Vec::new();
    if target.iter().any(|entry| entry == "all") {
        combined.extend(base.iter().map(|entry| Value::from(entry.as_str())));
    }
    let is_plain = |entry: &&String| *entry != "all" && !entry.starts_with('!');
    for without in target.iter().filter_map(|entry| entry.strip_prefix('!')) {
        work::steps(combined.len())?;
        if let Some(at) = combined.iter().position(|entry| entry.as_str() == Some(without)) {
            combined.remove(at);
        }
    }
    for entry in target.iter().filter(is_plain).filter(|entry| supported.contains(entry.as_str())) {
        work::steps(combined.len())?;
        let entry = Value::from(entry.as_str());
        if !contains_item(&combined, &entry)? {
            combined.push(entry);
        }
    }
    let unsupported = target.iter().filter(is_plain).filter(|entry| !supported.contains(entry.as_str()));
    let unsupported = List::value(unsupported.map(|entry| Value::from(entry.as_str())).collect());
    let sorted = sort(combined.into_iter().map(|entry| (entry.clone(), entry)).collect(), false)?;
    let actionable = List::value(sorted.into_iter().map(|(_, entry)| entry).collect());
    let parts = [("actionable", actionable), ("unsupported", unsupported)];
    Ok(Dict::value(parts.map(|(name, value)| (Value::from(name), value)).into_iter().collect()))
}
