//! Replays the recorded answers of the reference (`conformance/directives`).

use std::path::{Path, PathBuf};

use hieratic_directives::{
    Document, Expanded, Failure, File, Files, LocalFiles, Options, ReadFault, Record, RestoreOptions, expand, restore,
};
use hieratic_value::{Rich, Value};
use serde_json::{Value as Json, json};

/// Cases whose recorded answer is a defect of the reference. The intended behavior is tested below, and described in
/// `docs/differences.md`.
const DEFECTS: &[&str] = &[
    "abs-into-string-index",
    "abs-tilde-in-plain-plus-key",
    "anchor-optional-missing",
    "inc-nested-basedir-restored",
    "list-nested-list-not-visited",
    "list-of-maps-target",
    "opt-missing-in-list-after-splice",
    "opt-missing-two-in-map",
    "opt-whiteout-with-missing",
    "str-delete",
    "str-error-scalar",
    "str-error-unused",
    "str-second-level",
];

/// Cases where the reference fails with an error of Python, or of its system, for which there are better words.
const OTHER_MESSAGES: &[&str] = &[
    "anchor-self",
    "inc-cycle-two",
    "inc-template-in-name",
    "list-toplevel-doc",
    "opt-empty",
    "yaml-toplevel-list-result",
    "yaml-toplevel-scalar-result",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/directives").canonicalize().unwrap()
}

/// Files of a folder, and pages that a server would have.
struct WithPages {
    local: LocalFiles,
    address: String,
    pages: Json,
}

impl Files for WithPages {
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        let Some(page) = name.strip_prefix(&self.address).filter(|_| !self.address.is_empty()) else {
            return self.local.read(name, folder);
        };
        match self.pages[page].as_str() {
            Some(text) => Ok(File { name: name.into(), identity: name.into(), folder: None, text: text.into() }),
            None => Err(ReadFault { message: "HTTP Error 404: Not Found".into(), help: None, absent: true }),
        }
    }
}

fn run(folder: &Path, case: &Json) -> Result<Expanded, Failure> {
    let text = std::fs::read_to_string(folder.join("main.yaml")).unwrap();
    let (mut files, options) = given(folder, case);
    expand(&Document::parse(&text, "main.yaml", folder)?, &mut files, &options)
}

/// Returns the files and the options of a case.
fn given(folder: &Path, case: &Json) -> (WithPages, Options) {
    let environment = case["env"].as_object().into_iter().flatten();
    let environment = environment.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
    let files = WithPages {
        local: LocalFiles::below(folder),
        address: case["server"]["address"].as_str().unwrap_or("").into(),
        pages: case["server"]["pages"].clone(),
    };
    (files, Options { environment, record: Record::All, ..Options::default() })
}

/// A value as the cases write it.
fn to_json(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => json!(truth),
        Value::Integer(number) => json!(number),
        Value::Float(number) if number.is_finite() => json!(number),
        Value::Float(number) => json!({"$float": number.to_string()}),
        Value::String(text) => json!(&**text),
        Value::Array(elements) => elements.iter().map(to_json).collect(),
        Value::Hash(hash) => Json::Object(hash.iter().map(|(key, value)| (key_text(key), to_json(value))).collect()),
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(number) => serde_json::from_str(&number.to_string()).unwrap(),
            _ => panic!("{rich:?}"),
        },
    }
}

fn key_text(key: &Value) -> String {
    match key {
        Value::String(text) => text.to_string(),
        other => to_json(other).to_string(),
    }
}

fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Float(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(elements) => elements.iter().map(from_json).collect(),
        Json::Object(object) => match object.get("$float").and_then(Json::as_str) {
            Some(float) => Value::Float(float.parse().unwrap()),
            None => {
                let pairs = object.iter().map(|(key, value)| (Value::from(key.as_str()), from_json(value)));
                pairs.collect::<hieratic_value::Hash>().into()
            }
        },
    }
}

/// Dates are text here.
fn without_dates(json: &Json) -> Json {
    match json {
        Json::Object(object) => match object.get("$date") {
            Some(date) if object.len() == 1 => date.clone(),
            _ => Json::Object(object.iter().map(|(key, value)| (key.clone(), without_dates(value))).collect()),
        },
        Json::Array(elements) => elements.iter().map(without_dates).collect(),
        other => other.clone(),
    }
}

#[test]
fn every_document_expands_as_recorded() {
    let mut failures = Vec::new();
    let mut count = 0;
    let mut names: Vec<_> =
        std::fs::read_dir(folder().join("expand")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names {
        let case: Json = serde_json::from_slice(&std::fs::read(path.join("case.json")).unwrap()).unwrap();
        let id = case["id"].as_str().unwrap();
        count += 1;
        let answer = run(&path, &case);
        let agrees = match (&answer, case["error"].as_str()) {
            (Ok(expanded), None) => {
                // The order of keys is a part of the answer, which only the text of JSON shows.
                let (ours, recorded) = (to_json(&expanded.to_value()).to_string(), without_dates(&case["expanded"]));
                ours == format!("{recorded}")
            }
            (Err(failure), Some(_)) => {
                let cause = case["error_detail"]["cause"].as_str().unwrap();
                let cause = cause.split_once(": ").unwrap().1.replace("<DIR>", path.to_str().unwrap());
                // The message is that of the reference, up to advice that it adds.
                cause.starts_with(failure.message()) || OTHER_MESSAGES.contains(&id)
            }
            _ => false,
        };
        let shown = match &answer {
            Ok(expanded) => to_json(&expanded.to_value()).to_string(),
            Err(failure) => failure.to_string(),
        };
        if agrees == DEFECTS.contains(&id) {
            failures.push(format!("{id}\n  ours     {shown}\n  recorded {} {}", case["expanded"], case["error"]));
        }
    }
    assert!(count >= 120, "{count} cases");
    assert!(failures.is_empty(), "{} of {count} differ\n{}", failures.len(), failures.join("\n"));
}

/// The changed documents of the recorded cases. The reference does not restore all of them; here all are restored.
#[test]
fn every_changed_document_is_restored() {
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder().join("expand")).unwrap() {
        let path = entry.unwrap().path();
        let case: Json = serde_json::from_slice(&std::fs::read(path.join("case.json")).unwrap()).unwrap();
        let id = case["id"].as_str().unwrap();
        let Ok(unchanged) = run(&path, &case) else { continue };
        let text = std::fs::read_to_string(path.join("main.yaml")).unwrap();
        let document = Document::parse(&text, "main.yaml", &path).unwrap();
        let (mut files, options) = given(&path, &case);
        let options = RestoreOptions { expand: options, into_includes: false };
        let restored = restore(&document, &unchanged.to_value(), &mut files, &options).unwrap();
        assert_eq!(restored.text, text, "{id}: what is unchanged stays to the byte");
        for change in case["restored"].as_array().unwrap() {
            let name = change["change"].as_str().unwrap();
            if DEFECTS.contains(&id) && name.starts_with("nothing changed") {
                continue;
            }
            count += 1;
            let changed = from_json(&without_dates(&change["changed"]));
            let restored = match restore(&document, &changed, &mut files, &options) {
                Ok(restored) => restored,
                Err(failure) => {
                    failures.push(format!("{id}, {name}: {failure}"));
                    continue;
                }
            };
            let again = Document::parse(&restored.text, "main.yaml", &path);
            match again.and_then(|again| expand(&again, &mut files, &options.expand)) {
                Ok(again) if serde_equal(&to_json(&again.to_value()), &to_json(&changed)) => {}
                Ok(again) => failures.push(format!("{id}, {name}:\n{}\n{}", restored.text, to_json(&again.to_value()))),
                Err(failure) => failures.push(format!("{id}, {name}:\n{}\n{failure}", restored.text)),
            }
        }
    }
    assert!(count >= 140, "{count} changes");
    assert!(failures.is_empty(), "{} of {count} differ\n{}", failures.len(), failures.join("\n"));
}

/// Equality without the order of keys.
fn serde_equal(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|same| serde_equal(value, same)))
        }
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| serde_equal(one, other))
        }
        _ => one == other,
    }
}
