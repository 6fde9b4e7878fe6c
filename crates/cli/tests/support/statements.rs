//! The statements of the references' documentation, as `conformance/specification` lists them.
//!
//! Its README describes the files. Each file is a section: its title, the page that it belongs to, and its statements, each with the
//! questions that show it. `specification.rs` asks the questions, and `prose/specification.rs` makes the page of them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// The documents, in the order of the page: their folders below `conformance/specification`.
const DOCUMENTS: &[&str] =
    &["hiera-merging", "puppet-data-types", "puppet-strings", "merge-directives", "hcl-expressions"];

/// What a question may be: exactly one of these.
pub const QUESTIONS: &[&str] = &["lookup", "puppet", "expand", "restore", "template", "hcl", "body", "job"];

/// What the answer may be: at least one of these.
pub const OUTCOMES: &[&str] = &["gives", "fails", "nothing", "notices", "warns", "prints"];

/// What else a question may have: variables, the part of the answer, the tree of instances and where to start, the changed document, and
/// other answers of later versions of Puppet.
const DETAILS: &[&str] = &["vars", "part", "tree", "start", "changed", "on_8", "on_9"];

/// Where a statement has something to begin with: levels of a hierarchy, files, facts.
const GIVEN: &[&str] = &["levels", "files", "facts"];

/// Whether a statement holds.
pub enum State {
    /// The reference and Hieratic do what it states.
    Holds,
    /// The reference does something else, and so does Hieratic: what.
    ReferenceDiffers(String),
    /// Hieratic does something else than the reference: what, and the page that says so.
    HieraticDiffers(String, String),
    /// It cannot be had here: why, and the page that says so.
    Absent(String, String),
    /// It advises, or describes what no example can show: why.
    Advice(String),
}

pub struct Statement {
    pub states: String,
    pub state: State,
    /// Levels, files and facts.
    pub given: Map<String, Value>,
    pub questions: Vec<Value>,
}

pub struct Section {
    /// The path below `conformance/specification`, without its extension.
    pub name: String,
    pub title: String,
    pub link: String,
    pub statements: Vec<Statement>,
}

pub struct Document {
    pub title: String,
    pub reference: String,
    pub sections: Vec<Section>,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/specification").canonicalize().unwrap()
}

/// All documents; a file that is not as the README says fails.
pub fn documents() -> Vec<Document> {
    DOCUMENTS.iter().map(|folder| document(folder)).collect()
}

fn document(folder: &str) -> Document {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let about = read(&root().join(folder).join("document.yaml"));
    let sections = files.iter().filter(|file| !file.ends_with("document.yaml")).flat_map(|file| sections(folder, file));
    Document { title: text(&about, "title"), reference: text(&about, "reference"), sections: sections.collect() }
}

/// The sections of a file: one YAML document each.
fn sections(folder: &str, file: &Path) -> Vec<Section> {
    let stem = file.file_stem().unwrap().to_str().unwrap();
    let name = format!("{folder}/{stem}");
    let read = read(file);
    let list = read.as_array().unwrap_or_else(|| panic!("{name}: a list of sections is expected"));
    list.iter().map(|section| self::section(&name, section)).collect()
}

fn section(name: &str, section: &Value) -> Section {
    allow(name, section, &["section", "link", "statements", "levels", "files", "facts"]);
    let given = given(section);
    let statements = section["statements"].as_array().unwrap_or_else(|| panic!("{name}: no statements"));
    Section {
        name: name.to_owned(),
        title: text(section, "section"),
        link: text(section, "link"),
        statements: statements.iter().map(|written| statement(name, written, &given)).collect(),
    }
}

fn given(written: &Value) -> Map<String, Value> {
    let names = GIVEN.iter().filter(|name| !written[**name].is_null());
    names.map(|name| ((*name).to_owned(), written[*name].clone())).collect()
}

fn statement(section: &str, written: &Value, inherited: &Map<String, Value>) -> Statement {
    let states = text(written, "states");
    let name = format!("{section}: {states}");
    // `recorded` names the folder with the answers of the reference, where `ask.py` cannot ask it.
    let own = ["states", "advice", "differs", "here", "absent", "see", "recorded", "ask"];
    allow(&name, written, &[&own, GIVEN, QUESTIONS, OUTCOMES, DETAILS].concat());
    let state = match ["advice", "differs", "here", "absent"].map(|field| written[field].as_str().map(str::to_owned)) {
        [None, None, None, None] => State::Holds,
        [Some(reason), None, None, None] => State::Advice(reason),
        [None, Some(subject), None, None] => State::ReferenceDiffers(subject),
        [None, None, Some(subject), None] => State::HieraticDiffers(subject, text(written, "see")),
        [None, None, None, Some(reason)] => State::Absent(reason, text(written, "see")),
        _ => panic!("{name}: more than one state"),
    };
    let questions = match &written["ask"] {
        Value::Null => {
            let fields = written.as_object().unwrap().iter();
            let is_of_question = |name: &str| [QUESTIONS, OUTCOMES, DETAILS].concat().contains(&name);
            let one: Map<_, _> = fields
                .filter(|(field, _)| is_of_question(field))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            if one.is_empty() { Vec::new() } else { vec![Value::Object(one)] }
        }
        list => list.as_array().unwrap_or_else(|| panic!("{name}: `ask` is no list")).clone(),
    };
    assert_eq!(questions.is_empty(), matches!(state, State::Advice(_)), "{name}: questions, except for advice");
    for question in &questions {
        allow(&name, question, &[QUESTIONS, OUTCOMES, DETAILS].concat());
        let count = |names: &[&str]| names.iter().filter(|name| question.get(**name).is_some()).count();
        assert_eq!(count(QUESTIONS), 1, "{name}: one question: {question}");
        assert!(count(OUTCOMES) > 0, "{name}: an outcome: {question}");
    }
    let mut given = inherited.clone();
    given.extend(self::given(written));
    Statement { states, state, given, questions }
}

/// Fails for fields that nothing reads.
fn allow(name: &str, written: &Value, fields: &[&str]) {
    let map = written.as_object().unwrap_or_else(|| panic!("{name}: a map is expected: {written}"));
    let unknown: Vec<&String> = map.keys().filter(|key| !fields.contains(&key.as_str())).collect();
    assert!(unknown.is_empty(), "{name}: unknown fields {unknown:?}");
}

fn text(written: &Value, field: &str) -> String {
    written[field].as_str().unwrap_or_else(|| panic!("`{field}` is expected in {written}")).to_owned()
}

fn read(file: &Path) -> Value {
    let name = file.display().to_string();
    let source = std::fs::read(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    yaml(&name, &source)
}

/// A document of YAML as plain data.
pub fn yaml(name: &str, source: &[u8]) -> Value {
    let value = hieratic::yaml::parse(source, &hieratic::yaml::Options::new(name));
    json(&value.unwrap_or_else(|error| panic!("{name}: {error:?}")))
}

fn json(value: &hieratic::Value) -> Value {
    match value {
        hieratic::Value::Undef => Value::Null,
        hieratic::Value::Boolean(value) => (*value).into(),
        hieratic::Value::Integer(value) => (*value).into(),
        hieratic::Value::Float(value) => (*value).into(),
        hieratic::Value::String(value) => value.to_string().into(),
        hieratic::Value::Array(items) => items.iter().map(json).collect(),
        hieratic::Value::Hash(pairs) => pairs.iter().map(|(key, value)| (key_text(key), json(value))).collect(),
        hieratic::Value::Rich(_) => panic!("no plain data: {}", value.inspect()),
    }
}

fn key_text(key: &hieratic::Value) -> String {
    match key {
        hieratic::Value::String(key) => key.to_string(),
        other => panic!("keys are strings: {}", other.inspect()),
    }
}
