//! Filters of `ansible.utils` about facts: `consolidate` and `fact_diff`.

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::json::{self, Layout};
use hieratic_jinja::extend::objects::List;
use hieratic_jinja::extend::objects::{Dict, Entries};
use hieratic_jinja::extend::python::compare::{equal, sort};
use hieratic_jinja::extend::python::kind::{element, hashable};
use hieratic_jinja::extend::python::methods::lines;
use hieratic_jinja::extend::python::{Kind, iterate, kind, repr, str, type_name};
use hieratic_jinja::extend::{Args, Error, Host, Result, Value, error, undefined, work};

use super::arguments::{check_given, flag_or_true, only_keys, text, texts};
use super::unified_diff::unified_diff;
use crate::pattern::{Pattern, compile};

/// A list of dictionaries that are identified by one of their keys.
struct Source {
    name: String,
    match_key: Value,
    data: Vec<Value>,
    /// The values of the key, in order.
    found: Vec<Value>,
}

/// Returns the filter `consolidate`: the entries of several lists by the value of a key.
pub fn consolidate(_: &dyn Host, args: Args) -> Result<Value> {
    let names = ["data_sources", "fail_missing_match_key", "fail_missing_match_value", "fail_duplicate"];
    let [sources, missing_key, missing_value, duplicate] = args.bind(names, 1)?;
    let missing_key = flag_or_true(missing_key, "fail_missing_match_key")?;
    let missing_value = flag_or_true(missing_value, "fail_missing_match_value")?;
    let duplicate = flag_or_true(duplicate, "fail_duplicate")?;
    let sources = given(sources);
    if !matches!(kind(&sources)?, Kind::List) {
        return Err(error(format!(
            "argument 'data_sources' cannot be converted to a list: it is a {}",
            type_name(&sources)
        )));
    }
    let mut sources = iterate(&sources)?.iter().map(source).collect::<Result<Vec<_>>>()?;
    check_keys(&mut sources, missing_key, duplicate)?;
    let mut all: Vec<(Value, Value)> = Vec::new();
    let mut seen = Entries::new();
    for value in sources.iter().flat_map(|source| &source.found) {
        work::steps(1)?;
        if seen.insert(value.clone(), Value::from(())).is_none() {
            all.push((value.clone(), value.clone()));
        }
    }
    if missing_value {
        check_values(&sources, &all)?;
    }
    let all = sort(all, false)?;
    let mut result: Entries = Entries::new();
    let mut rows: Vec<Entries> = all.iter().map(|_| Entries::new()).collect();
    for source in &sources {
        let mut by_value = Entries::new();
        for entry in &source.data {
            work::steps(1)?;
            if let Some(value) = element(entry, &source.match_key)? {
                by_value.insert(value, entry.clone());
            }
        }
        for ((_, value), row) in all.iter().zip(&mut rows) {
            work::steps(1)?;
            let entry = by_value.get(value).cloned().unwrap_or_else(|| Dict::value(Entries::new()));
            row.insert(Value::from(source.name.as_str()), entry);
        }
    }
    for ((_, value), row) in all.into_iter().zip(rows) {
        result.insert(value, Dict::value(row));
    }
    Ok(Dict::value(result))
}

fn source(source: &Value) -> Result<Source> {
    if !matches!(kind(source)?, Kind::Dict) {
        return Err(error(format!("Elements value for option 'data_sources' is of type {}", type_name(source))));
    }
    only_keys(source, "data_sources", &["data", "match_key", "name"])?;
    let part = |name: &str| {
        let missing = || error(format!("missing required arguments: {name} found in data_sources"));
        element(source, &Value::from(name))?.ok_or_else(missing)
    };
    Ok(Source {
        name: text(Some(part("name")?), "name")?,
        match_key: Value::from(text(Some(part("match_key")?), "match_key")?),
        data: iterate(&part("data")?)?,
        found: Vec::new(),
    })
}

fn reported(filter: &str, problems: &[String]) -> Error {
    error(format!("Error when using plugin 'consolidate': '{filter}' reported {}", problems.join(", ")))
}

/// Collects the values of the keys.
fn check_keys(sources: &mut [Source], missing_key: bool, duplicate: bool) -> Result<()> {
    let (mut missing, mut repeated) = (Vec::new(), Vec::new());
    for (at, source) in sources.iter_mut().enumerate() {
        for (row, entry) in source.data.iter().enumerate() {
            work::steps(1)?;
            match kind(entry)? {
                Kind::Dict => {}
                Kind::Missing(one) => return Err(undefined(one.message())),
                _ => {
                    return Err(error(format!(
                        "data source {}: list entry {} is no dictionary, but of the type {}",
                        at + 1,
                        row + 1,
                        type_name(entry)
                    )));
                }
            }
            match element(entry, &source.match_key)? {
                Some(value) => {
                    hashable(&value)?;
                    source.found.push(value);
                }
                None if missing_key => {
                    let key = str(&source.match_key)?;
                    missing.push(format!(
                        "missing match key '{key}' in data source {} in list entry {}",
                        at + 1,
                        row + 1
                    ));
                }
                None => {}
            }
        }
        // Values that have no order are an error, also where repeated ones are not.
        let sorted = sort(source.found.iter().map(|value| (value.clone(), value.clone())).collect(), false)?;
        let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
        let is_repeated =
            pairs.try_fold(false, |found, ((left, _), (right, _))| Ok::<_, Error>(found || equal(left, right)?))?;
        if duplicate && is_repeated {
            repeated.push(format!("duplicate values in data source {}", at + 1));
        }
    }
    if !missing.is_empty() {
        return Err(reported("fail_missing_match_key", &missing));
    }
    if !repeated.is_empty() {
        return Err(reported("fail_duplicate", &repeated));
    }
    Ok(())
}

/// Checks that each source has each value.
fn check_values(sources: &[Source], all: &[(Value, Value)]) -> Result<()> {
    let mut problems = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let mut found = Entries::new();
        for value in &source.found {
            work::steps(1)?;
            found.insert(value.clone(), Value::from(()));
        }
        let mut missing = Vec::new();
        for (_, value) in all {
            work::steps(1)?;
            if !found.contains_key(value) {
                missing.push(str(value)?);
            }
        }
        if !missing.is_empty() {
            problems.push(format!("missing match value {} in data source {}", missing.join(", "), at + 1));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(reported("fail_missing_match_value", &problems)) }
}

/// Returns the filter `fact_diff`: the unified difference of two values, as the text of a list of lines.
pub fn fact_diff(_: &dyn Host, args: Args) -> Result<Value> {
    let [before, after, plugin] = args.bind(["before", "after", "plugin"], 2)?;
    let skipped = skipped_lines(plugin)?;
    let before = file_lines(given(before), &skipped)?;
    let after = file_lines(given(after), &skipped)?;
    let mut diff = unified_diff(&before, &after)?.concat();
    if !diff.is_empty() {
        diff.push('\n');
    }
    // The colors of a terminal are removed, also those in the values.
    let mut plain = String::new();
    let mut from = 0;
    compile(r"\x1B[@-_][0-?]*[ -/]*[@-~]", false, false)?.each(&diff, usize::MAX, |captures| {
        if let Some(color) = captures.get(0) {
            plain.push_str(diff.get(from..color.start()).unwrap_or_default());
            from = color.end();
        }
        Ok(())
    })?;
    plain.push_str(diff.get(from..).unwrap_or_default());
    work::bytes(plain.len())?;
    let shown = List::value(lines(&plain, false).into_iter().map(Value::from).collect());
    repr(&shown).map(Value::from)
}

/// Returns the patterns of lines that are left out. The name of the plugin has no effect.
fn skipped_lines(plugin: Option<Value>) -> Result<Vec<std::rc::Rc<Pattern>>> {
    let part = |dict: &Option<Value>, subject: &str, names: &[&str], name: &str| -> Result<Option<Value>> {
        let Some(dict) = dict else { return Ok(None) };
        if !matches!(kind(dict)?, Kind::Dict) {
            return Err(error(format!("argument '{subject}' must be a dictionary, not {}", type_name(dict))));
        }
        only_keys(dict, subject, names)?;
        element(dict, &Value::from(name))
    };
    let vars = part(&plugin, "plugin", &["name", "vars"], "vars")?;
    if let Some(name) = part(&plugin, "plugin", &["name", "vars"], "name")? {
        check_given(&name, "name", "str")?;
    }
    let skipped = part(&vars, "plugin.vars", &["skip_lines"], "skip_lines")?.filter(|skipped| !skipped.is_none());
    let skipped = skipped.map_or(Ok(Vec::new()), |skipped| texts(Some(skipped), "skip_lines"))?;
    // Python's `match` looks at the start alone.
    skipped.iter().map(|skipped| compile(&format!(r"\A(?:{skipped})"), false, false)).collect()
}

/// Returns the lines of a value, with their ends.
fn file_lines(value: Value, skipped: &[std::rc::Rc<Pattern>]) -> Result<Vec<String>> {
    let value = if skipped.is_empty() { value } else { without_lines(&value, skipped)? };
    let text = match kind(&value)? {
        Kind::Str(text) => text.to_owned(),
        Kind::None => String::new(),
        Kind::List => {
            let mut text = String::new();
            for item in iterate(&value)? {
                let item = str(&item)?;
                work::bytes(item.len() + 1)?;
                text.push_str(&item);
                text.push('\n');
            }
            if text.is_empty() { "\n".to_owned() } else { text }
        }
        Kind::Dict => {
            let layout =
                Layout { indent: Some(4), sort: true, item: ",".into(), key: ": ".into(), ..Layout::default() };
            format!("{}\n", json::write(&value, &layout)?)
        }
        Kind::Missing(missing) => return Err(undefined(missing.message())),
        _ => return Err(error(format!("'{}' object has no attribute 'splitlines'", type_name(&value)))),
    };
    work::bytes(text.len())?;
    let mut lines: Vec<String> = lines(&text, true).into_iter().map(str::to_owned).collect();
    if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
        last.push_str("\n\\ No newline at end of file\n");
    }
    Ok(lines)
}

fn without_lines(value: &Value, skipped: &[std::rc::Rc<Pattern>]) -> Result<Value> {
    let items = match kind(value)? {
        Kind::Str(text) => lines(text, false).into_iter().map(Value::from).collect(),
        _ => iterate(value)?,
    };
    let mut kept = Vec::new();
    for item in items {
        let line = str(&item)?;
        let mut is_skipped = false;
        for pattern in skipped {
            work::scan(line.len())?;
            pattern.each(&line, 1, |_| {
                is_skipped = true;
                Ok(())
            })?;
        }
        if !is_skipped {
            kept.push(item);
        }
    }
    Ok(List::value(kept))
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    fn lines(text: &str) -> Vec<String> {
        text.split_inclusive('\n').map(str::to_owned).collect()
    }

    #[test]
    fn distant_changes_are_in_groups_of_their_own() {
        let old: String = (0..30).map(|at| format!("{at}\n")).collect();
        let new = old.replace("\n3\n", "\nx\n").replace("\n25\n", "\n");
        let diff = unified_diff(&lines(&old), &lines(&new)).expect("within the budget").concat();
        let expected = "--- before\n+++ after\n@@ -1,7 +1,7 @@\n 0\n 1\n 2\n-3\n+x\n 4\n 5\n 6\n@@ -23,7 +23,6 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28\n";
        assert_eq!(diff, expected);
    }
}
