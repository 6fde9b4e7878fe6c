//! Replays what the reference answered.
//!
//! `conformance/directives/eval.jsonl` and `conformance/unfurl/expressions.jsonl` hold recorded answers; their READMEs
//! describe them. What is deliberately different is in `DIFFERENT`, and in `docs/differences.md`.

// A panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_unfurl::{Context, Expression, ExpressionError, Files, Options, Tree};
use hieratic_value::{Hash, Value};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value as Json;

/// What is answered instead of the reference's answer, by the ids of the cases: the matches, or the error.
const DIFFERENT: [(&str, Result<&str, &str>); 6] = [
    ("filter-bool-coerced", Ok("[]")),
    ("path-empty", Err("the expression is empty")),
    ("path-into-string-index", Ok("[]")),
    ("path-special-missing", Err("an instance has no property '.zz'")),
    ("suite-025", Err("'.template' only exists for deployed instances")),
    ("var-missing", Err("the variable '$zz' is not defined")),
];

fn main() {
    let arguments = Arguments::from_args();
    let base = Arc::new(base());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut trials = Vec::new();
    for file in ["directives/eval.jsonl", "unfurl/expressions.jsonl", "unfurl/suite-expressions.jsonl"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        for line in text.lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let id = case["id"].as_str().unwrap().to_owned();
            let base = base.clone();
            trials.push(Trial::test(format!("{file}/{id}"), move || check(&case, base.path())));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The base folder of all cases.
fn base() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for (name, mode) in [("corpus-tool", 0o755), ("corpus-plain", 0o644)] {
        std::fs::write(bin.join(name), "#!/bin/sh\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(bin.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
        }
    }
    folder
}

fn check(case: &Json, base: &Path) -> Result<(), Failed> {
    let answer = answer(case, base);
    let shown = base.display().to_string();
    let id = case["id"].as_str().unwrap();
    let own = answer.map(|(result, one)| {
        let place =
            |value: Json| -> Json { serde_json::from_str(&value.to_string().replace(&shown, "<BASE>")).unwrap() };
        (place(result), one.map(place))
    });
    if let Some((_, different)) = DIFFERENT.iter().find(|(other, _)| *other == id) {
        return match (different, own) {
            (Ok(expected), Ok((result, _))) if serde_json::from_str::<Json>(expected).unwrap() == result => Ok(()),
            (Err(expected), Err(problem)) if problem.message == *expected => Ok(()),
            (expected, own) => Err(format!("expected {expected:?}, got {own:?}").into()),
        };
    }
    match (case["error"].as_str(), own) {
        (Some(error), Err(problem)) => {
            // Only the program's own messages are worth having word for word.
            let own_words = error.strip_prefix("UnfurlError: ").or_else(|| error.strip_prefix("UnfurlEvalError: "));
            match own_words.filter(|_| case["loose"].is_null()) {
                Some(words) if words != problem.message => Err(format!("expected '{words}', got '{problem}'").into()),
                _ => Ok(()),
            }
        }
        (Some(error), Ok(own)) => Err(format!("expected the fault '{error}', got {own:?}").into()),
        (None, Err(problem)) => Err(format!("expected {}, got the fault '{problem}'", case["result"]).into()),
        (None, Ok((result, one))) => {
            let expected = normal(&case["result"], &shown);
            if expected != result {
                return Err(format!("expected {expected}, got {result}").into());
            }
            match one {
                Some(one) if one != normal(&case["one"], &shown) => {
                    Err(format!("expected the one value {}, got {one}", case["one"]).into())
                }
                _ => Ok(()),
            }
        }
    }
}

/// The recorded answer with paths as they are in the folder of this run.
fn normal(recorded: &Json, base: &str) -> Json {
    let above = PathBuf::from(base).parent().unwrap().display().to_string();
    let text = recorded.to_string().replace("<BASE>/../", &format!("{above}/"));
    serde_json::from_str(&text).unwrap()
}

/// The answer, and for expressions the one value.
fn answer(case: &Json, base: &Path) -> Result<(Json, Option<Json>), ExpressionError> {
    let mut env: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in case["env"].as_object().into_iter().flatten() {
        env.insert(name.clone(), value.as_str().unwrap().to_owned());
    }
    env.insert("PATH".into(), base.join("bin").display().to_string());
    let vars = value(&case["vars"]).as_hash().cloned().unwrap_or_default();
    let env = env.into_iter().collect();
    let options = Options { vars, env, base: base.to_path_buf(), files: Files::below([base]), ..Options::default() };
    let context = Context::new(Tree::new(&value(&case["tree"]))?, options).start(case["start"].as_str().unwrap())?;
    match case["kind"].as_str().unwrap() {
        "expr" => {
            let expression = Expression::from_value(&value(&case["expr"]))?;
            let matches = context.resolve(&expression)?;
            let one = context.resolve_one(&expression)?;
            Ok((
                Json::Array(matches.iter().map(|found| json(&found.to_value())).collect()),
                Some(json(&one.to_value())),
            ))
        }
        "map" => Ok((json(&context.map_value(&value(&case["expr"]))?.to_value()), None)),
        "template" => Ok((json(&context.render_template(case["expr"].as_str().unwrap())?.to_value()), None)),
        other => panic!("a case of the kind {other}"),
    }
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::from(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::from(integer),
            None => Value::from(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(map) => map.iter().map(|(key, item)| (key.as_str(), value(item))).collect::<Hash>().into(),
    }
}

fn json(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(truth) => Json::Bool(*truth),
        Value::Integer(number) => Json::from(*number),
        Value::Float(number) => Json::from(*number),
        Value::String(text) => Json::from(&**text),
        Value::Array(items) => Json::Array(items.iter().map(json).collect()),
        Value::Hash(hash) => {
            let key = |key: &Value| key.as_str().map_or_else(|| json(key).to_string(), str::to_owned);
            Json::Object(hash.iter().map(|(k, item)| (key(k), json(item))).collect())
        }
        Value::Rich(rich) => match &**rich {
            hieratic_value::Rich::Sensitive(inner) => json(inner),
            _ => Json::String(value.to_text()),
        },
    }
}
