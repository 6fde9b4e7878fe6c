//! The functions of sprig that need patterns, digests or documents.

use std::sync::LazyLock;

use hieratic_budget::Budget;
use hieratic_go_template::{Fault, Value, sprig};
use hieratic_hcl_functions::{FunctionTable, functions};
use hieratic_hcl_types::Value as HclValue;
use hieratic_hcl_types::go::{letters, path};

/// Calls a function of sprig: one that templates of Go have anyhow, or one of these. Nothing is returned if there is none
/// of that name.
pub(crate) fn call(name: &str, arguments: &[Value], budget: &Budget) -> Option<Result<Value, Fault>> {
    if let Some(result) = sprig::call(name, arguments) {
        return Some(result);
    }
    let of_paths = [("osBase", "base"), ("osDir", "dir"), ("osExt", "ext"), ("osIsAbs", "isAbs")];
    if let Some((_, of_slashes)) = of_paths.iter().find(|(known, _)| *known == name) {
        return sprig::call(of_slashes, arguments);
    }
    Some(match (name, arguments) {
        ("maxf", [first, others @ ..]) => extreme(first, others, f64::max),
        ("minf", [first, others @ ..]) => extreme(first, others, f64::min),
        ("hello", []) => Ok("Hello!".into()),
        ("sha1sum", [Value::String(text)]) => in_hcl("sha1", &[text], budget).map(Value::from),
        ("sha256sum", [Value::String(text)]) => in_hcl("sha256", &[text], budget).map(Value::from),
        ("sha512sum", [Value::String(text)]) => in_hcl("sha512", &[text], budget).map(Value::from),
        ("clean" | "osClean", [Value::String(text)]) => Ok(path::clean(text).into()),
        ("swapcase", [Value::String(text)]) => Ok(with_cases_swapped(text).into()),
        // A document that is not valid is nothing.
        ("fromJson", [Value::String(text)]) => Ok(from_json(text, budget).unwrap_or_default()),
        ("mustFromJson", [Value::String(text)]) => from_json(text, budget),
        ("regexQuoteMeta", [Value::String(text)]) => Ok(quote_meta(text).into()),
        ("regexMatch" | "mustRegexMatch", [Value::String(pattern), Value::String(text)]) => {
            parts(pattern, text, budget).map(|parts| Value::Bool(!parts.matches.is_empty()))
        }
        ("regexFind" | "mustRegexFind", [Value::String(pattern), Value::String(text)]) => {
            parts(pattern, text, budget).map(|parts| parts.matches.first().cloned().unwrap_or_default().into())
        }
        ("regexFindAll" | "mustRegexFindAll", [Value::String(pattern), Value::String(text), Value::Int(count)]) => {
            parts(pattern, text, budget).map(|parts| {
                let found = parts.matches.into_iter().map(Value::from);
                Value::list(found.take(usize::try_from(*count).unwrap_or(usize::MAX)).collect())
            })
        }
        (
            "regexReplaceAll" | "mustRegexReplaceAll",
            [Value::String(pattern), Value::String(text), Value::String(by)],
        ) => in_hcl("regex_replace", &[text, pattern, by], budget).map(Value::from),
        (
            "regexReplaceAllLiteral" | "mustRegexReplaceAllLiteral",
            [Value::String(pattern), Value::String(text), Value::String(by)],
        ) => in_hcl("regex_replace", &[text, pattern, &by.replace('$', "$$")], budget).map(Value::from),
        ("regexSplit" | "mustRegexSplit", [Value::String(pattern), Value::String(text), Value::Int(count)]) => {
            split(pattern, text, *count, budget)
        }
        _ => return None,
    })
}

/// The functions of HCL, which read no files.
static FUNCTIONS: LazyLock<FunctionTable> = LazyLock::new(|| functions(None));

/// Calls a function of HCL with strings, which returns one.
fn in_hcl(name: &str, arguments: &[&str], budget: &Budget) -> Result<String, Fault> {
    let Some(function) = FUNCTIONS.get(name) else { return Err(Fault::NotHere(name.to_owned())) };
    let arguments: Vec<HclValue> = arguments.iter().map(|text| HclValue::string(*text)).collect();
    let value = function.call_with_budget(budget, &arguments).map_err(|error| Fault::error(error.message()))?;
    value.as_str().map(|text| text.to_string()).ok_or_else(|| Fault::error(format!("{name} returned no string")))
}

/// The largest or smallest of some numbers.
fn extreme(first: &Value, others: &[Value], of: fn(f64, f64) -> f64) -> Result<Value, Fault> {
    let number = |value: &Value| match sprig::call("float64", std::slice::from_ref(value)) {
        Some(Ok(Value::Float(number))) => Ok(number),
        Some(Err(error)) => Err(error),
        Some(Ok(_)) | None => Err(Fault::NotHere("float64".to_owned())),
    };
    let start = number(first)?;
    others.iter().try_fold(start, |best, value| Ok(of(best, number(value)?))).map(Value::Float)
}

/// The matches of a pattern in a string, and the strings between them, of which there is one more.
struct Parts {
    matches: Vec<String>,
    between: Vec<String>,
}

/// Divides a string by a pattern. Each match is put between two letters that the string does not have.
fn parts(pattern: &str, text: &str, budget: &Budget) -> Result<Parts, Fault> {
    let mut free = ('\u{e000}'..='\u{f8ff}').filter(|letter| !text.contains(*letter));
    let (Some(open), Some(close)) = (free.next(), free.next()) else {
        return Err(Fault::NotHere("a pattern in a string with all private letters".to_owned()));
    };
    let marked = in_hcl("regex_replace", &[text, pattern, &format!("{open}${{0}}{close}")], budget)?;
    let mut pieces = marked.split(open);
    let mut parts = Parts { matches: Vec::new(), between: vec![pieces.next().unwrap_or_default().to_owned()] };
    for piece in pieces {
        let (found, rest) = piece.split_once(close).unwrap_or((piece, ""));
        parts.matches.push(found.to_owned());
        parts.between.push(rest.to_owned());
    }
    Ok(parts)
}

/// Splits a string as Go's `Regexp.Split` does.
fn split(pattern: &str, text: &str, count: i64, budget: &Budget) -> Result<Value, Fault> {
    if count == 0 {
        return Ok(Value::list(Vec::new()));
    }
    if !pattern.is_empty() && text.is_empty() {
        return Ok(Value::list(vec!["".into()]));
    }
    let parts = parts(pattern, text, budget)?;
    // A negative count has no limit.
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    let mut pieces = Vec::new();
    let (mut begin, mut end, mut at) = (0, 0, 0);
    for (between, found) in parts.between.iter().zip(&parts.matches) {
        if pieces.len() == most.saturating_sub(1) {
            break;
        }
        at += between.len();
        end = at;
        at += found.len();
        if at != 0 {
            pieces.push(Value::from(text.get(begin..end).unwrap_or_default()));
        }
        begin = at;
    }
    if end != text.len() {
        pieces.push(Value::from(text.get(begin..).unwrap_or_default()));
    }
    Ok(Value::list(pieces))
}

fn quote_meta(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$".contains(letter) {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted
}

fn with_cases_swapped(text: &str) -> String {
    let mut is_behind_space = true;
    let swap = |letter: char| {
        let is_lower = letter.is_lowercase();
        let swapped = match letter {
            letter if is_lower && is_behind_space => letters::title_letter(letter),
            letter if is_lower => letters::upper(letter),
            letter => letters::lower(letter),
        };
        // The reference remembers a space until the next letter that has cases.
        is_behind_space = if swapped == letter && !is_lower { letter.is_whitespace() } else { false };
        swapped
    };
    text.chars().map(swap).collect()
}

/// The value of a document of JSON, whose numbers are all floating-point ones.
pub(crate) fn from_json(text: &str, budget: &Budget) -> Result<Value, Fault> {
    let Some(function) = FUNCTIONS.get("jsondecode") else { return Err(Fault::NotHere("fromJson".to_owned())) };
    match function.call_with_budget(budget, &[HclValue::string(text)]) {
        Ok(value) => Ok(with_floats(&value)),
        Err(error) => Err(Fault::error(error.message())),
    }
}

fn with_floats(value: &HclValue) -> Value {
    match value {
        HclValue::Null(_) | HclValue::Unknown(_) => Value::Nil,
        HclValue::Bool(truth) => Value::Bool(*truth),
        HclValue::Number(number) => Value::Float(number.to_f64()),
        HclValue::String(text) => Value::from(&**text),
        HclValue::List(_) | HclValue::Set(_) | HclValue::Tuple(_) => {
            Value::list(value.elements().map(with_floats).collect())
        }
        HclValue::Map(_) | HclValue::Object(_) => {
            let entries = value.as_entries().unwrap_or_default();
            Value::map(entries.iter().map(|(key, value)| (key.to_string(), with_floats(value))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, arguments: &[Value]) -> String {
        let value = call(name, arguments, &Budget::default()).unwrap().unwrap();
        sprig::printf("%v", &[value])
    }

    #[test]
    fn patterns_are_those_of_go() {
        let text = || Value::from("Hello World");
        assert_eq!(shown("regexMatch", &["^H".into(), text()]), "true");
        assert_eq!(shown("regexMatch", &["x".into(), text()]), "false");
        assert_eq!(shown("regexFind", &["o.*".into(), text()]), "o World");
        assert_eq!(shown("regexFind", &["z".into(), text()]), "");
        assert_eq!(shown("regexFindAll", &["[lo]".into(), text(), Value::Int(3)]), "[l l o]");
        assert_eq!(shown("regexFindAll", &["[lo]".into(), text(), Value::Int(-1)]), "[l l o o l]");
        assert_eq!(shown("regexReplaceAll", &["(l)+".into(), text(), "<$1>".into()]), "He<l>o Wor<l>d");
        assert_eq!(shown("regexReplaceAllLiteral", &["l+".into(), text(), "$1".into()]), "He$1o Wor$1d");
        assert_eq!(shown("regexSplit", &["o".into(), text(), Value::Int(-1)]), "[Hell  W rld]");
        assert_eq!(shown("regexSplit", &["o".into(), text(), Value::Int(2)]), "[Hell  World]");
        assert_eq!(shown("regexSplit", &["".into(), "ab".into(), Value::Int(-1)]), "[a b]");
        assert_eq!(shown("regexQuoteMeta", &["a.b$".into()]), r"a\.b\$");
        assert!(call("regexMatch", &["(".into(), text()], &Budget::default()).unwrap().is_err());
    }

    #[test]
    fn texts_are_digested_and_decoded() {
        assert_eq!(shown("sha1sum", &["x".into()]), "11f6ad8ec52a2984abaafd7c3b516503785c2072");
        assert_eq!(shown("b64dec", &["aGk=".into()]), "hi");
        assert_eq!(shown("fromJson", &["{\"a\": [1, 2.5, null]}".into()]), "map[a:[1 2.5 <nil>]]");
        assert_eq!(shown("fromJson", &["{".into()]), "<nil>");
        assert_eq!(shown("clean", &["/a//b/..".into()]), "/a");
        assert_eq!(shown("swapcase", &["aBc".into()]), "AbC");
        assert_eq!(shown("osBase", &["/a/b.c".into()]), "b.c");
        assert_eq!(shown("maxf", &["1.5".into(), Value::Int(3)]), "3");
    }
}
