//! What is written reads back equal, by every reader of this crate.

use hieratic_json as json;
use hieratic_value::{BigInt, Hash, Rich, Value};
use hieratic_yaml as yaml;
use hieratic_yaml_edit::tree;
use hieratic_yaml_edit::write::{Style, after_dash, after_key, document, key, scalar};
use proptest::prelude::*;

use super::texts::texts;

fn scalars() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Undef),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<i128>().prop_map(|number| Value::from(Rich::BigInteger(BigInt::from(number)))),
        1 => (prop::num::f64::ANY).prop_filter("equal to itself", |number| !number.is_nan()).prop_map(Value::from),
        // Ruby's reader takes bytes that are ASCII for text.
        1 => prop::collection::vec(128u8..=255, 1..40).prop_map(|bytes| Value::from(Rich::Binary(bytes))),
        6 => texts().prop_map(Value::from),
    ]
}

fn values(keys: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Value> {
    let keys = keys.boxed();
    scalars().prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..4)
                .prop_map(|pairs| Value::from(pairs.into_iter().collect::<Hash>())),
        ]
    })
}

/// Keys that mappings may have: what is equal to another one when it is read would not be there twice.
fn keys() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => scalars(),
        1 => prop::collection::vec(scalars(), 0..3).prop_map(Value::from),
        1 => (scalars(), scalars()).prop_map(|pair| Value::from([pair].into_iter().collect::<Hash>())),
    ]
}

/// Keys that are text; what a tag before `<<` says is for the laws with all keys.
fn text_keys() -> impl Strategy<Value = Value> {
    texts().prop_filter("a merge key", |text| text != "<<").prop_map(Value::from)
}

fn styles() -> impl Strategy<Value = Style> {
    prop_oneof![
        4 => (0usize..5, 0usize..12, 0usize..5).prop_map(|(indent, step, dash_indent)| Style::Block { indent, step, dash_indent }),
        1 => Just(Style::Flow),
        1 => Just(Style::Json),
    ]
}

/// Reads as Ruby does.
fn ruby(text: &str) -> Result<Value, TestCaseError> {
    yaml::parse(text.as_bytes(), &yaml::Options::new("f"))
        .map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))
}

/// Reads as Python does.
fn python(text: &str) -> Result<Value, TestCaseError> {
    tree::parse(text, 0, "f")
        .map(|root| root.to_value())
        .map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))
}

fn pad(text: &str, style: &Style) -> String {
    match style {
        Style::Block { indent, .. } => " ".repeat(*indent) + text,
        _ => text.into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_document_reads_back(value in values(keys()), style in styles()) {
        prop_assume!(style != Style::Json);
        let text = document(&value, &style);
        prop_assert!(text.ends_with('\n'));
        prop_assert_eq!(ruby(&text)?, value, "{}", text);
    }

    #[test]
    fn a_document_reads_back_as_python_reads_it(value in values(text_keys()), style in styles()) {
        prop_assume!(style != Style::Json);
        let text = document(&value, &style);
        prop_assert_eq!(python(&text)?, value, "{}", text);
    }

    #[test]
    fn values_behind_a_key_read_back(name in text_keys(), value in values(text_keys()), style in styles()) {
        prop_assume!(style != Style::Json);
        let rest = after_key(&value, &style);
        prop_assert!(rest.is_empty() || rest.starts_with([' ', '\n']));
        prop_assert!(!rest.ends_with('\n'));
        let entry = pad(&format!("{}:{rest}", key(&name, &style)), &style);
        let (before, between, after) = match style {
            Style::Block { .. } => (pad("before: 1\n", &style), "\n", pad("after: 2\n", &style)),
            _ => ("{before: 1, ".into(), ", ", "after: 2}\n".into()),
        };
        let text = format!("{before}{entry}{between}{after}");
        let whole: Hash =
            [(Value::from("before"), Value::from(1)), (name, value), (Value::from("after"), Value::from(2))].into_iter().collect();
        prop_assert_eq!(ruby(&text)?, Value::from(whole.clone()), "{}", text);
        prop_assert_eq!(python(&text)?, Value::from(whole), "{}", text);
    }

    #[test]
    fn values_behind_a_dash_read_back(value in values(text_keys()), style in styles()) {
        prop_assume!(matches!(style, Style::Block { .. }));
        let rest = after_dash(&value, &style);
        prop_assert!(rest.starts_with(' '));
        prop_assert!(!rest.ends_with('\n'));
        let text = ["-".into(), format!("-{rest}"), "- after".into()].map(|line| pad(&line, &style)).join("\n");
        let whole = Value::from(vec![Value::Undef, value, Value::from("after")]);
        prop_assert_eq!(ruby(&text)?, whole.clone(), "{}", text);
        prop_assert_eq!(python(&text)?, whole, "{}", text);
    }

    #[test]
    fn a_scalar_is_one_line(value in values(text_keys()), style in styles()) {
        let text = scalar(&value, &style);
        prop_assert!(!text.contains('\n'));
    }

    #[test]
    fn json_reads_back(value in values(text_keys())) {
        let text = document(&value, &Style::Json);
        let read = json::parse(text.as_bytes()).map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
        // Bytes and infinities became text; once they have, nothing changes any more.
        prop_assert_eq!(document(&read, &Style::Json), text.as_str());
        // Readers of YAML do not look for the colon of a longer key.
        if !text.contains(&"k".repeat(1000)) {
            prop_assert_eq!(ruby(&text)?, read.clone(), "{}", &text);
            prop_assert_eq!(python(&text)?, read, "{}", &text);
        }
    }

    #[test]
    fn json_of_any_keys_reads_back_as_json(value in values(keys())) {
        let text = document(&value, &Style::Json);
        prop_assert!(json::parse(text.as_bytes()).is_ok(), "{}", text);
    }
}
