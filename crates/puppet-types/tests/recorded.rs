//! Answers of Puppet 7.23, recorded: every case has to come out the same here, to the letter.
//!
//! One case per line of JSON. Values are written with a tag: `["i", "5"]` is an integer, `["S", ...]` a secret. The cases
//! are random types and values, and whatever was found to be worth asking.

use hieratic_puppet_types::{
    ContainerFormat, FormatSpec, StringFormats, Type, assert_instance, convert_to_string, convert_to_string_with,
    describe_mismatch, infer, infer_set, is_rich_data, new_instance, parse,
};
use hieratic_value::{Hash, Rich, Value};
use serde_json::Value as Json;

fn value(json: &Json) -> Value {
    let text = || json[1].as_str().expect("a text");
    let list = || json[1].as_array().expect("a list").iter();
    match json[0].as_str().expect("a tag") {
        "n" => Value::Undef,
        "b" => Value::from(json[1] == true),
        "i" => Value::from(Rich::BigInteger(text().parse().expect("an integer"))),
        "f" => Value::from(text().replace("Infinity", "inf").parse::<f64>().expect("a float")),
        "s" => Value::from(text()),
        "a" => list().map(value).collect(),
        "h" => Value::from(list().map(|pair| (value(&pair[0]), value(&pair[1]))).collect::<Hash>()),
        "d" => Value::from(Rich::Default),
        "y" => Value::from(Rich::Symbol(text().into())),
        "S" => Value::sensitive(value(&json[1])),
        tag => panic!("unknown tag {tag}"),
    }
}

/// The value as the recording shows it.
fn shown(value: &Value) -> String {
    let list = |elements: Vec<String>| elements.join(", ");
    match value {
        Value::Array(elements) => format!("[{}]", list(elements.iter().map(shown).collect())),
        Value::Hash(hash) => {
            format!("{{{}}}", list(hash.iter().map(|(key, value)| shown(key) + "=>" + &shown(value)).collect()))
        }
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(secret) => format!("S({})", shown(secret)),
            _ => value.inspect(),
        },
        _ => value.inspect(),
    }
}

fn outcome<T, E: std::fmt::Display>(result: Result<T, E>, shown: impl Fn(T) -> String) -> String {
    result.map_or_else(|error| format!("!! {error}"), shown)
}

fn type_of(json: &Json) -> Type {
    let text = json.as_str().expect("a type");
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Runs every case of a file and reports all that came out differently.
fn replay(recorded: &str, check: impl Fn(&Json) -> Vec<(String, Json)>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in recorded.lines() {
        let case: Json = serde_json::from_str(line).expect("a line of JSON");
        for (got, expected) in check(&case) {
            count += 1;
            let expected = expected.as_str().map_or_else(|| expected.to_string(), str::to_owned);
            if got != expected {
                wrong.push(format!("{line}\n  got      {got}\n  expected {expected}"));
            }
        }
    }
    assert!(count > 100, "only {count} answers are recorded");
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn types_are_read_and_written() {
    replay(include_str!("recorded/parse.jsonl"), |case| {
        let text = case["t"].as_str().expect("a text");
        vec![(outcome(parse(text), |found| found.to_string()), case["r"].clone())]
    });
}

#[test]
fn values_are_inferred_and_checked() {
    replay(include_str!("recorded/check.jsonl"), |case| {
        let (kind, value) = (type_of(&case["t"]), value(&case["v"]));
        let message = assert_instance("Found value", &kind, &value).err();
        vec![
            (kind.is_instance(&value).to_string(), case["inst"].clone()),
            (message.map_or_else(|| "null".into(), |message| message.to_string()), case["msg"].clone()),
            (infer(&value).to_string(), case["infer"].clone()),
            (infer_set(&value).to_string(), case["set"].clone()),
            (infer(&value).generalize().to_string(), case["gen"].clone()),
            (is_rich_data(&value).to_string(), case["rich"].clone()),
            (convert_to_string(&value), case["str"].clone()),
        ]
    });
}

#[test]
fn types_are_compared() {
    replay(include_str!("recorded/assign.jsonl"), |case| {
        let (one, other) = (type_of(&case["a"]), type_of(&case["b"]));
        let mut answers = vec![
            (one.is_assignable(&other).to_string(), case["r"].clone()),
            (one.normalize().to_string(), case["norm"].clone()),
            (one.generalize().to_string(), case["gen"].clone()),
            (describe_mismatch("x", &one, &other), case["desc"].clone()),
        ];
        if case["common"].is_string() {
            answers.push((one.common_type(&other).to_string(), case["common"].clone()));
        }
        answers
    });
}

#[test]
fn values_are_converted() {
    replay(include_str!("recorded/new.jsonl"), |case| {
        let arguments: Vec<Value> = case["a"].as_array().expect("arguments").iter().map(value).collect();
        let result = new_instance(&type_of(&case["t"]), &arguments[0], &arguments[1..]);
        vec![(outcome(result, |result| shown(&result)), case["r"].clone())]
    });
}

#[test]
fn values_are_written_in_a_format() {
    replay(include_str!("recorded/format.jsonl"), |case| {
        let format = StringFormats::single(case["f"].as_str().expect("a format"));
        vec![(outcome(convert_to_string_with(&value(&case["v"]), &format), |text| text), case["r"].clone())]
    });
}

#[test]
fn values_are_written_in_formats_by_type() {
    fn entries(json: &Json) -> Vec<(Type, FormatSpec)> {
        json.as_array().expect("entries").iter().map(|entry| (type_of(&entry[0]), spec(&entry[1]))).collect()
    }
    fn spec(json: &Json) -> FormatSpec {
        let text = |key: &str| json[key].as_str().map(str::to_owned);
        match json {
            Json::String(format) => FormatSpec::Format(format.clone()),
            json => FormatSpec::Container(ContainerFormat {
                format: text("format"),
                separator: text("separator"),
                separator2: text("separator2"),
                string_formats: json.get("string_formats").filter(|formats| formats.is_array()).map(entries),
            }),
        }
    }
    replay(include_str!("recorded/formats.jsonl"), |case| {
        let formats = StringFormats::map(entries(&case["m"]));
        vec![(outcome(convert_to_string_with(&value(&case["v"]), &formats), |text| text), case["r"].clone())]
    });
}
