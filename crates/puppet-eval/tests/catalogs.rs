//! Compiles the recorded control repositories: catalogs, warnings and errors are those of the reference.
//!
//! They were recorded from Puppet 7.23. OpenVox 8.28.1 and 9.0.0-beta2 gave the same for each of them.
//!
//! `CASES=FILE cargo test -p hieratic-puppet-eval --test all catalogs` runs other recorded cases than those in `conformance/catalog`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_eval::read::read;
use hieratic_puppet_eval::{
    EmptyEnvironment, Environment, EvalError, Evaluator, ExportedResource, Failure, Options, PuppetVersion, Request,
    Strict, Validator, VisibleVariables,
};
use hieratic_sandbox::Files;
use hieratic_value::{Hash, Value};

use crate::validation::Validation;

/// A folder with manifests and modules, and the resources that other nodes export.
struct Repository {
    root: PathBuf,
    exported: Option<Vec<(String, ExportedResource)>>,
}

impl Environment for Repository {
    fn name(&self) -> &str {
        "production"
    }

    fn root(&self) -> Option<&Path> {
        Some(&self.root)
    }

    fn module(&self, name: &str) -> Option<PathBuf> {
        Some(self.root.join("modules").join(name)).filter(|folder| folder.is_dir())
    }

    fn modules(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.root.join("modules")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn stores_exported(&self) -> bool {
        self.exported.is_some()
    }

    fn exported(&self, kind: &str) -> Option<Result<Arc<Vec<ExportedResource>>, String>> {
        let all = self.exported.as_ref()?.iter().filter(|(of, _)| of == kind);
        Some(Ok(Arc::new(all.map(|(_, one)| one.clone()).collect())))
    }

    fn validator(&self) -> &dyn Validator {
        &Validation
    }

    fn lookup(&self, request: &Request, visible: &dyn VisibleVariables) -> Result<Option<Value>, EvalError> {
        EmptyEnvironment.lookup(request, visible)
    }
}

fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Undef,
        serde_json::Value::Bool(bool) => (*bool).into(),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => Value::Float(number.as_f64().unwrap()),
        },
        serde_json::Value::String(text) => text.as_str().into(),
        serde_json::Value::Array(all) => all.iter().map(value).collect(),
        serde_json::Value::Object(all) => hash(all).into(),
    }
}

fn hash(all: &serde_json::Map<String, serde_json::Value>) -> Hash {
    all.iter().map(|(name, one)| (name.as_str(), value(one))).collect()
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Undef => serde_json::Value::Null,
        Value::Boolean(bool) => (*bool).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(_) => serde_json::from_str(&value.to_text()).unwrap(),
        Value::String(text) => (&**text).into(),
        Value::Array(all) => all.iter().map(json).collect(),
        Value::Hash(all) => all.iter().map(|(name, one)| (name.to_text(), json(one))).collect(),
        other => other.to_text().into(),
    }
}

/// What became of a case, in the words of the recorder.
#[derive(Debug, Default)]
pub struct Outcome {
    pub catalog: Option<serde_json::Value>,
    rich: Option<serde_json::Value>,
    pub error: Option<String>,
    logs: Vec<(String, String)>,
}

pub fn compile(case: &serde_json::Value, version: PuppetVersion) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["manifests", "modules"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    for (path, text) in case["files"].as_object().unwrap() {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.as_str().unwrap()).unwrap();
    }
    let node = case["node"].as_str().unwrap_or("web01.example.com");
    let exported = case["exported"].as_array().map(|all| {
        let one = |one: &serde_json::Value| ExportedResource {
            node: one["certname"].as_str().unwrap().to_owned(),
            title: one["title"].as_str().unwrap().to_owned(),
            tags: one["tags"].as_array().into_iter().flatten().map(|tag| tag.as_str().unwrap().to_owned()).collect(),
            file: one["file"].as_str().map(Arc::from),
            line: one["line"].as_u64().map(|line| line as u32),
            parameters: one["parameters"].as_object().map(hash).unwrap_or_default(),
        };
        all.iter().map(|json| (json["type"].as_str().unwrap().to_lowercase(), one(json))).collect()
    });
    let repository = Repository { root: root.to_owned(), exported };
    let options = Options {
        strict: case["strict"].as_str().map_or(Strict::Warning, |word| match word {
            "off" => Strict::Off,
            "error" => Strict::Error,
            _ => Strict::Warning,
        }),
        strict_variables: case["strict_variables"] == "true",
        node: node.to_owned(),
        files: Files::below([root]),
        with_exported: false,
        ..Options::for_version(version)
    };
    let mut evaluator = Evaluator::new(&repository, options.clone());
    let mut facts = hash(
        serde_json::json!({
            "networking": {"fqdn": node, "hostname": node.split('.').next()},
            "os": {"family": "Debian"},
        })
        .as_object()
        .unwrap(),
    );
    for given in ["facts", "parameters"] {
        for (name, one) in case[given].as_object().into_iter().flatten() {
            evaluator.set_variable(name, value(one));
            if given == "facts" {
                facts = facts
                    .iter()
                    .map(|(name, one)| (name.clone(), one.clone()))
                    .chain([(name.as_str().into(), value(one))])
                    .collect();
            }
        }
    }
    evaluator.set_variable("environment", "production".into());
    evaluator.set_variable("title", "main".into());
    evaluator.set_variable("name", "main".into());
    evaluator.set_facts(&facts);
    let trusted = serde_json::json!({"authenticated": "local", "certname": node, "domain": null, "extensions": {}, "hostname": node, "external": {}});
    evaluator.set_variable("trusted", value(&trusted));

    let mut outcome = Outcome::default();
    let manifests = manifests(&root.join("manifests"));
    let mut programs = Vec::new();
    let mut failed: Option<Failure> = None;
    for path in manifests {
        let source = Source::new(path.display().to_string(), std::fs::read_to_string(&path).unwrap());
        let read = read(&source, false, &options, &Validation);
        for problem in read.problems.iter().filter(|problem| problem.severity != Severity::Error) {
            evaluator.report(&source, problem);
        }
        match read.program {
            Ok(program) => programs.push(program),
            Err(rejected) => {
                failed = failed.or(Some(rejected.in_manifest("production")));
            }
        }
    }
    let classes: Vec<_> = case["classes"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, parameters)| {
            let parameters = parameters.as_object().into_iter().flatten();
            (name.as_str().into(), parameters.map(|(name, one)| (name.as_str().into(), value(one))).collect())
        })
        .collect();
    let compiled = match failed {
        Some(failure) => Err(failure),
        None => evaluator.compile_catalog(&programs, &classes),
    };
    outcome.logs = evaluator.take_logs().iter().map(|log| (log.level.name().to_owned(), log.text())).collect();
    outcome.logs.retain(|(level, _)| !matches!(level.as_str(), "debug" | "info"));
    match compiled {
        Ok(catalog) => {
            for rich in [false, true] {
                let (document, lossy) = catalog.document(rich);
                if !rich {
                    for one in lossy {
                        let resource = &catalog.resources[one.resource];
                        let place = match (&resource.file, resource.line) {
                            (Some(file), Some(line)) => format!(" (file: {file}, line: {line})"),
                            _ => String::new(),
                        };
                        outcome.logs.push(("warning".into(), format!("{}{place}", one.message)));
                    }
                }
                let mut data = json(&document.to_value());
                data.as_object_mut().unwrap().remove("code_id");
                let data = serde_json::from_str(&data.to_string().replace(root.to_str().unwrap(), "$ROOT")).unwrap();
                if rich { outcome.rich = Some(data) } else { outcome.catalog = Some(data) }
            }
        }
        Err(failure) => {
            let text = format!("{}{} on node {node}", failure.message, failure.place_text());
            outcome.error = Some(text.replace(root.to_str().unwrap(), "$ROOT"));
        }
    }
    for (_, text) in &mut outcome.logs {
        *text = text.replace(root.to_str().unwrap(), "$ROOT");
    }
    outcome
}

fn manifests(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(manifests(&path));
        } else if path.extension().is_some_and(|extension| extension == "pp") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The parts in which two catalogs differ, as lines.
fn differences(ours: &serde_json::Value, theirs: &serde_json::Value) -> Vec<String> {
    let mut found = Vec::new();
    // Texts are compared, because objects are equal whatever the order of their keys.
    let text = |part: &serde_json::Value| part.to_string();
    for part in ["tags", "classes", "edges", "name", "environment", "catalog_format"] {
        if text(&ours[part]) != text(&theirs[part]) {
            found.push(format!("{part}\n   ours: {}\n theirs: {}", ours[part], theirs[part]));
        }
    }
    let (mine, other) = (ours["resources"].as_array().unwrap(), theirs["resources"].as_array().unwrap());
    let name =
        |one: &serde_json::Value| format!("{}[{}]", one["type"].as_str().unwrap(), one["title"].as_str().unwrap());
    let names = |all: &[serde_json::Value]| all.iter().map(name).collect::<Vec<_>>();
    if names(mine) != names(other) {
        found.push(format!("resources\n   ours: {:?}\n theirs: {:?}", names(mine), names(other)));
    }
    for one in mine {
        let Some(two) = other.iter().find(|two| name(two) == name(one)) else { continue };
        if text(one) != text(two) {
            found.push(format!("{}\n   ours: {one}\n theirs: {two}", name(one)));
        }
    }
    found
}

/// What the reference says by chance: where Ruby holds an object.
fn without_addresses(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(start) = text.find(" by #<Puppet::Resource::Type:") {
        let Some(end) = text[start..].find('>') else { break };
        text.replace_range(start..=start + end, "");
    }
    for by in ["Class", "Node"] {
        while let Some(start) = text.find(&format!(" by {by}[")) {
            let Some(end) = text[start..].find(']') else { break };
            text.replace_range(start..=start + end, "");
        }
    }
    text
}

fn check(case: &serde_json::Value, version: PuppetVersion) -> Vec<String> {
    let ours = compile(case, version);
    let mut found = Vec::new();
    match (&ours.catalog, &ours.error, case["catalog"].is_object(), case["error"].as_str()) {
        (Some(catalog), _, true, _) => {
            found.extend(differences(catalog, &case["catalog"]));
            if found.is_empty() && case["rich"].is_object() {
                found.extend(differences(ours.rich.as_ref().unwrap(), &case["rich"]));
            }
        }
        (_, Some(error), _, Some(theirs)) => {
            if without_addresses(error) != without_addresses(theirs) {
                found.push(format!("error\n   ours: {error}\n theirs: {theirs}"));
            }
        }
        (_, ours, _, theirs) => found.push(format!("outcome\n   ours: {ours:?}\n theirs: {theirs:?}")),
    }
    let theirs: Vec<(String, String)> = case["logs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|log| (log[0].as_str().unwrap().to_owned(), log[1].as_str().unwrap().to_owned()))
        .filter(|(level, _)| level != "err")
        .collect();
    let mine: Vec<(String, String)> = ours.logs.into_iter().filter(|(level, _)| level != "err").collect();
    if mine != theirs {
        found.push(format!("logs\n   ours: {mine:?}\n theirs: {theirs:?}"));
    }
    found
}

#[test]
fn recorded_catalogs_are_equal_on_all_versions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/catalog");
    let files: Vec<PathBuf> = match std::env::var_os("CASES") {
        Some(file) => vec![file.into()],
        None => {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect()
        }
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            count += 1;
            for version in [PuppetVersion::V7, PuppetVersion::V8, PuppetVersion::V9] {
                let found = check(&case, version);
                if !found.is_empty() {
                    let name = case["name"].as_str().unwrap();
                    let program = case["files"]["manifests/site.pp"].as_str().unwrap_or("");
                    wrong.push(format!("### {name}, on {version:?}\n{program}\n{}", found.join("\n")));
                }
            }
        }
    }
    assert!(count > 0, "no cases were found");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}
