//! Recorded cases: lines of JSON, their values, and their files in memory.

// Each test that replays cases uses a part of this.
#![allow(dead_code)]

use std::path::{Component, Path, PathBuf};

use hieratic_directives::{File, Files, ReadFault};
use hieratic_value::{Hash, Rich, Value};
use serde_json::{Value as Json, json};

/// The lines of a file of the folder `conformance`.
pub fn lines(name: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A value as the cases write it.
pub fn to_json(value: &Value) -> Json {
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

/// The value that a case means.
pub fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Float(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(elements) => elements.iter().map(from_json).collect(),
        Json::Object(object) => {
            object.iter().map(|(key, value)| (Value::from(key.as_str()), from_json(value))).collect::<Hash>().into()
        }
    }
}

/// The files of a case, in the folder `/d`.
pub struct InMemory<'c>(pub &'c Json);

impl Files for InMemory<'_> {
    fn read(&mut self, name: &str, folder: &Path) -> Result<File, ReadFault> {
        let mut path = PathBuf::new();
        for component in folder.join(name).components() {
            match component {
                Component::ParentDir => drop(path.pop()),
                Component::CurDir => {}
                other => path.push(other),
            }
        }
        let name = path.strip_prefix("/d").unwrap_or(&path).display().to_string();
        match self.0[&name].as_str() {
            Some(text) => {
                let folder = path.parent().map(Path::to_owned);
                Ok(File { name: name.clone(), identity: name, folder, text: text.into() })
            }
            None => {
                let message = format!("[Errno 2] No such file or directory: '{}'", path.display());
                Err(ReadFault { message, help: None, absent: true })
            }
        }
    }
}
