//! Schemas beside the check of types: an independent validator refuses what a type refuses, and nothing else.

use hieratic_json_schema::{Application, Form, Parameter, Schemas, document};
use hieratic_puppet_types::{Type, parse};
use hieratic_value::{Hash, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Values that JSON has. A float has a fraction: JSON Schema takes others for integers.
fn values() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-4i64..9).prop_map(Json::from),
        (-4i64..9).prop_map(|whole| json!(whole as f64 + 0.5)),
        "[a-cA-C.\\n/]{0,4}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec(("[a-d]{1,2}", inner), 0..4)
                .prop_map(|pairs| Json::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Types as the language writes them.
fn types() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "Any",
            "Undef",
            "Scalar",
            "ScalarData",
            "Numeric",
            "Integer",
            "Float",
            "String",
            "Boolean",
            "Data",
            "Collection",
            "Array",
            "Hash",
            "Struct",
            "Tuple",
            "Enum",
            "Pattern",
            "Optional",
            "NotUndef",
            "Iterable",
            "Regexp",
            "Sensitive",
            "Timestamp",
            "Type",
            "Callable",
            "Boolean[true]",
            "Float[0.0, 3.5]",
            "RichData",
            "Init",
            "Iterable[Integer]",
        ])
        .prop_map(str::to_owned),
        (-3i64..5, 0i64..5).prop_map(|(from, more)| format!("Integer[{from}, {}]", from + more)),
        (0i64..3, 0i64..3).prop_map(|(from, more)| format!("String[{from}, {}]", from + more)),
        (0i64..3, 0i64..3).prop_map(|(from, more)| format!("Collection[{from}, {}]", from + more)),
        prop::collection::vec("[a-c.]{1,2}", 1..3).prop_map(|all| format!("Enum['{}']", all.join("', '"))),
        "[a-c.]{1,3}".prop_map(|one| format!("Enum['{one}', true]")),
        prop::collection::vec(
            prop::sample::select(vec![
                "^a",
                "a$",
                r"\Ab",
                r"b\z",
                r"a\Z",
                "a.b",
                "[a-b]+",
                "(?i:a)b?",
                "[^a]",
                "(?i)[a-b]{2}",
                r"\w\s",
                r"\.",
                "a|b",
                "(ab)*c",
                r"\Aa{2}\z",
                "[.a-]",
                "(?m:a.b)",
                r"(?=a)\S",
                "a/b",
                r"(a)\1",
                r"[[:alpha:]]",
                r"\h{2,}?",
            ]),
            1..3
        )
        .prop_map(|all| format!("Pattern[/{}/]", all.join("/, /"))),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            (inner.clone(), 0i64..2, 0i64..3)
                .prop_map(|(of, least, more)| format!("Array[{of}, {least}, {}]", least + more)),
            inner.clone().prop_map(|of| format!("Array[{of}]")),
            ("String|Enum\\[a, b\\]|Pattern\\[/a/\\]|Integer|Any", inner.clone())
                .prop_map(|(key, value)| format!("Hash[{key}, {value}]")),
            (inner.clone(), 0i64..2).prop_map(|(of, least)| format!("Hash[String, {of}, {least}, 3]")),
            inner.clone().prop_map(|of| format!("Optional[{of}]")),
            inner.clone().prop_map(|of| format!("NotUndef[{of}]")),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| format!("Tuple[{}]", all.join(", "))),
            (prop::collection::vec(inner.clone(), 1..3), 0i64..2, 0i64..4).prop_map(|(all, least, more)| format!(
                "Tuple[{}, {least}, {}]",
                all.join(", "),
                least + more
            )),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|all| format!("Variant[{}]", all.join(", "))),
            prop::collection::vec(("a|b|Optional\\[c\\]|NotUndef\\[d\\]", inner), 1..4).prop_map(|all| {
                let all: Vec<String> = all.iter().map(|(key, value)| format!("{key} => {value}")).collect();
                format!("Struct[{{{}}}]", all.join(", "))
            }),
        ]
    })
}

fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => (*truth).into(),
        Json::Number(number) => match number.as_i64() {
            Some(number) => number.into(),
            None => number.as_f64().unwrap().into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(elements) => elements.iter().map(value_of).collect(),
        Json::Object(pairs) => {
            pairs.iter().map(|(key, value)| (Value::from(key.as_str()), value_of(value))).collect::<Hash>().into()
        }
    }
}

fn accepts(schema: &Json, definitions: Json, value: &Json) -> bool {
    let schema =
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [schema], "definitions": definitions});
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{schema}: {error}")).is_valid(value)
}

/// The type, unless the language refuses to build it.
fn kind(text: &str) -> Option<Type> {
    parse(text).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_schema_accepts_the_values_of_its_type(text in types(), values in prop::collection::vec(values(), 4)) {
        let Some(kind) = kind(&text) else { return Ok(()) };
        let mut schemas = Schemas::new(Form::AsValues);
        let schema = schemas.schema(&kind);
        let is_exact = schemas.is_exact();
        let definitions = Json::from(schemas.into_definitions());
        for value in &values {
            let (by_type, by_schema) = (kind.is_instance(&value_of(value)), accepts(&schema, definitions.clone(), value));
            if is_exact { prop_assert_eq!(by_type, by_schema, "{} {} {}", text, schema, value) } else { prop_assert!(!by_type || by_schema, "{} {} {}", text, schema, value) }
        }
    }

    #[test]
    fn a_schema_accepts_written_and_merged_values(text in types(), value in values()) {
        let Some(kind) = kind(&text) else { return Ok(()) };
        if kind.is_instance(&value_of(&value)) {
            for written in [Form::InData, Form::InParts] {
                let mut schemas = Schemas::new(written);
                let schema = schemas.schema(&kind);
                prop_assert!(accepts(&schema, schemas.into_definitions().into(), &value), "{} {} {}", text, schema, value);
            }
            let parts = match &value {
                Json::Object(pairs) => pairs.iter().map(|(key, value)| json!({key: value})).collect(),
                _ => Vec::new(),
            };
            for part in parts {
                let mut schemas = Schemas::new(Form::InParts);
                let schema = schemas.schema(&kind);
                prop_assert!(accepts(&schema, schemas.into_definitions().into(), &part), "{} {} {}", text, schema, part);
            }
        }
    }
}

#[test]
fn most_types_are_described_exactly() {
    let exact = |text: &str| {
        let mut schemas = Schemas::new(Form::AsValues);
        schemas.schema(&parse(text).unwrap());
        schemas.is_exact()
    };
    for text in [
        "Integer[1]",
        "Pattern[/^a/]",
        "Struct[{a => Integer}]",
        "Tuple[String, Integer]",
        "Hash[Enum[a], Array]",
        "Regexp",
    ] {
        assert!(exact(text), "{text}");
    }
    for text in ["Float", r"Pattern[/(a)\1/]", "Array[Float]"] {
        assert!(!exact(text), "{text}");
    }
}

fn parameter(key: &str, kind: &str, applies: Application) -> Parameter {
    Parameter {
        key: key.to_owned(),
        kind: Some(parse(kind).unwrap()),
        kind_text: Some(kind.to_owned()),
        default: Some(Value::from(80)),
        default_text: Some("80".to_owned()),
        documentation: Some("The port.".to_owned()),
        applies,
    }
}

#[test]
fn the_document_schema_accepts_data_files() {
    let schema = document(&[
        parameter("web::port", "Integer[1, 65535]", Application::Whole),
        parameter("web::hosts", "Array[Integer, 2]", Application::Elements),
        parameter("web::site", "Struct[{a => Integer, b => Struct[{c => Integer, d => Integer}]}]", Application::Deep),
        parameter("web::key", "Sensitive[String[1]]", Application::Secret),
        parameter("web::any", "Integer", Application::Unknown),
    ]);
    let validator = jsonschema::validator_for(&schema).unwrap();
    for good in [
        json!(null),
        json!({"web::port": 80, "other": {"x": 1}}),
        json!({"web::port": "%{facts.port}"}),
        json!({"web::port": "%{alias('port')}"}),
        json!({"web::port": null}),
        json!({"web::hosts": 1}),
        json!({"web::hosts": [1, [2]]}),
        json!({"web::site": {"b": {"c": 1}}}),
        json!({"web::key": "ENC[PKCS7,x]"}),
        json!({"web::any": "1"}),
        json!({"lookup_options": {"^web::": {"merge": {"strategy": "deep", "knockout_prefix": "--"}}}}),
    ] {
        assert!(validator.is_valid(&good), "{good}");
    }
    for bad in [
        json!([1]),
        json!({"web::port": 0}),
        json!({"web::port": "http"}),
        json!({"web::hosts": ["a"]}),
        json!({"web::site": {"e": 1}}),
        json!({"web::key": 1}),
        json!({"lookup_options": {"a": {"merge": "hsah"}}}),
    ] {
        assert!(!validator.is_valid(&bad), "{bad}");
    }
    assert_eq!(schema["properties"]["web::port"]["description"], "The port.\n\nType: Integer[1, 65535]\n\nDefault: 80");
    assert_eq!(schema["properties"]["web::port"]["default"], 80);
}
