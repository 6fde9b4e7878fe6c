//! Scalars are what the recorded answers of the reference say.
//!
//! `conformance/unfurl/scalars.jsonl` was recorded from ruamel.yaml 0.17.21 (`YAML()`, the round-trip mode): `text` as a plain
//! scalar, or with a `tag` and `quoted` or not, is a value of a `kind`. `value` is that value as Python writes it, bytes
//! as hexadecimal digits; it is left out where it is the text itself. The kind `error` says that the reference fails.

use std::fs;
use std::path::Path;

use hieratic_json as json;
use hieratic_value::{Hash, Rich, Value};
use hieratic_yaml_edit::resolve12::{is_timestamp, plain_scalar, tagged_scalar};
use proptest::prelude::*;

/// What is recorded of a value: its kind, and its text as Python writes it.
fn show(value: &Value) -> (&'static str, Option<String>) {
    match value {
        Value::Undef => ("null", None),
        Value::Boolean(truth) => ("bool", Some(truth.to_string())),
        Value::Integer(_) => ("int", Some(value.inspect())),
        Value::Float(number) => ("float", Some(number.to_string())),
        Value::String(text) => ("text", Some(text.to_string())),
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(_) => ("int", Some(value.inspect())),
            Rich::Binary(bytes) => ("binary", Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())),
            other => panic!("no scalar reads as {other:?}"),
        },
        other => panic!("no scalar reads as {other:?}"),
    }
}

fn replay(case: &Hash) -> Result<(), String> {
    let field = |name: &str| case.get(name).and_then(Value::as_str);
    let text = field("text").ok_or("no text")?;
    let read = match field("tag") {
        Some(tag) => tagged_scalar(tag, text, case.get("quoted").is_some_and(Value::is_truthy)),
        None => plain_scalar(text),
    };
    let answer = show(&read);
    let expected = match field("kind").ok_or("no kind")? {
        // A number without a point is a float where the tag says so.
        "error" if field("tag") == Some("!!float") && answer.0 == "float" => answer.clone(),
        "error" => ("text", Some(text.into())),
        "timestamp" if is_timestamp(text) => ("text", Some(text.into())),
        "text" => ("text", Some(field("value").unwrap_or(text).into())),
        "float" => ("float", field("value").and_then(|value| value.parse().ok()).map(|value: f64| value.to_string())),
        "null" => ("null", None),
        "bool" => ("bool", field("value").map(Into::into)),
        "int" => ("int", field("value").map(Into::into)),
        "binary" => ("binary", field("value").map(Into::into)),
        kind => return Err(format!("{text:?}: {kind}")),
    };
    if field("tag").is_none() && field("kind") == Some("text") && is_timestamp(text) {
        return Err(format!("{text:?} is no timestamp"));
    }
    if answer == expected { Ok(()) } else { Err(format!("{case:?}: {answer:?}, not {expected:?}")) }
}

#[test]
fn scalars_match_the_reference() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/unfurl/scalars.jsonl");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in fs::read_to_string(path)?.lines() {
        let case = json::parse(line.as_bytes())?;
        count += 1;
        wrong.extend(replay(case.as_hash().ok_or("no object")?).err());
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 300, "only {count} cases");
    Ok(())
}

proptest! {
    #[test]
    fn an_integer_reads_as_itself(number in any::<i128>()) {
        prop_assert_eq!(plain_scalar(&number.to_string()).inspect(), number.to_string());
    }

    #[test]
    fn a_float_reads_as_itself(number in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL) {
        prop_assert_eq!(plain_scalar(&format!("{number:?}")), Value::from(number));
        prop_assert_eq!(plain_scalar(&format!("{number:e}")), Value::from(number));
    }

    #[test]
    fn words_are_strings_with_few_exceptions(text in "[a-zA-Z_][-a-zA-Z0-9_.: ]{0,8}") {
        prop_assume!(!matches!(text.to_lowercase().as_str(), "null" | "true" | "false"));
        prop_assert_eq!(plain_scalar(&text), Value::from(text));
    }

    #[test]
    fn no_text_and_no_tag_is_too_odd(tag in "(!!(int|float|bool|binary|null|str))|!|", text in any::<String>(), quoted: bool) {
        tagged_scalar(&tag, &text, quoted);
        plain_scalar(&text);
    }
}
