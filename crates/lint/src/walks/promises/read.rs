//! Reads the folder `promises`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::code::Condition;
use hieratic::puppet_types::Type;
use hieratic::ruby_regexp::Regexp;
use hieratic::sandbox::FileKind;
use hieratic::value::ErasedSort as _;
use hieratic::{Hash, Value};
use hieratic_diagnostics::{Severity, Source, Span};
use hieratic_puppet_syntax::ast::Program;

use crate::finding::Finding;
use crate::rules::invalid_promise;
use crate::texts;
use crate::workspace::Workspace;
use crate::workspace::data::{DataFile, Reader};
use crate::workspace::types::{Types, language};

/// Everything that a repository promises.
#[derive(Default)]
pub(super) struct Promises {
    pub(super) forms: Vec<Form>,
    pub(super) files: Vec<CodeFile>,
    /// The findings about promises that cannot be read.
    pub(super) findings: Vec<Finding>,
}

/// A promise in its short form.
pub(super) struct Form {
    /// Its name.
    pub(super) name: String,
    /// The position of the promise.
    pub(super) place: (Source, Span),
    /// The keys that it concerns. `*` matches any string.
    pub(super) keys: Vec<String>,
    /// For which nodes it has to hold.
    pub(super) filter: Option<Condition>,
    /// The severity of a breach.
    pub(super) severity: Severity,
    /// The message of a breach.
    pub(super) message: Option<String>,
    /// The requirements.
    pub(super) conditions: Vec<Requirement>,
}

/// A requirement for the values of keys.
pub(super) enum Requirement {
    /// The value has a type, which is written like this.
    Type(Type, String),
    /// Numbers are in a range.
    Range { least: Option<f64>, most: Option<f64> },
    /// The value is one of these.
    OneOf(Vec<Value>),
    /// Strings match.
    Matches(Regexp),
    /// Strings do not match.
    NotMatches(Regexp),
    /// There is a value.
    Required,
    /// There is no value.
    Forbidden,
    /// All strings are encrypted where they are written.
    Encrypted,
    /// All nodes of a group have the same value.
    Equal { by: Option<Condition> },
    /// No two nodes of a group have the same value.
    Unique { by: Option<Condition> },
    /// The values of a group add up to something in a range.
    Sum { by: Option<Condition>, least: Option<f64>, most: Option<f64> },
}

impl Requirement {
    /// Returns whether checking it needs known nodes.
    pub(super) fn needs_nodes(&self) -> bool {
        matches!(
            self,
            Requirement::Required | Requirement::Equal { .. } | Requirement::Unique { .. } | Requirement::Sum { .. }
        )
    }
}

impl Form {
    /// Returns whether a part of it cannot be checked without nodes.
    pub(super) fn needs_nodes(&self) -> bool {
        self.filter.is_some() || self.conditions.iter().any(Requirement::needs_nodes)
    }
}

/// A file of promises in the Puppet language.
pub(super) struct CodeFile {
    pub(super) source: Source,
    pub(super) program: Arc<Program>,
}

/// Reads all promises.
pub(super) fn read(workspace: &Workspace) -> Promises {
    let mut promises = Promises::default();
    let folder = workspace.root().join("promises");
    let readable = workspace.readable();
    let mut files: Vec<PathBuf> = readable
        .list(&folder)
        .unwrap_or_default()
        .into_iter()
        .filter(|entry| entry.kind == FileKind::File)
        .map(|entry| folder.join(entry.name))
        .collect();
    files.sort_erased();
    if files.is_empty() {
        return promises;
    }
    let language = language(&workspace.environment);
    let mut types = Types::new(&language);
    for path in files {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("yaml" | "yml") => forms(&path, workspace, &mut types, &mut promises),
            Some("pp") => {
                // The check of manifests reports errors in a manifest.
                if let Ok(source) = texts::read(&path, readable)
                    && let Some(program) = hieratic_puppet_syntax::parse(&source, &Default::default()).program
                {
                    promises.files.push(CodeFile { source, program: Arc::new(program) });
                }
            }
            _ => {}
        }
    }
    promises
}

fn forms(path: &Path, workspace: &Workspace, types: &mut Types<'_>, promises: &mut Promises) {
    let (file, wrong) = DataFile::read(path, workspace.readable(), 0, Vec::new(), Reader::Yaml);
    promises.findings.extend(wrong);
    let Some(file) = file else { return };
    for (name, value) in file.entries() {
        let place = (file.source.clone(), file.key_span(name));
        match form(name, value, place.clone(), types) {
            Ok(form) => promises.forms.push(form),
            Err(message) => promises.findings.push(invalid_promise::not_valid(name, &message, &place)),
        }
    }
}

/// The words of a promise that are not requirements.
const ABOUT: [&str; 4] = ["key", "where", "severity", "message"];
/// The words of requirements.
const REQUIREMENTS: [&str; 11] = [
    "type",
    "range",
    "one_of",
    "matches",
    "not_matches",
    "required",
    "forbidden",
    "encrypted",
    "equal",
    "unique",
    "sum",
];

fn form(name: &str, value: &Value, place: (Source, Span), types: &mut Types<'_>) -> Result<Form, String> {
    let Some(hash) = value.as_hash() else { return Err("it is not a hash".to_owned()) };
    let text = |name: &str| match hash.get(name) {
        None | Some(Value::Undef) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.to_string())),
        Some(_) => Err(format!("'{name}' is not a string")),
    };
    let keys: Vec<String> = match hash.get("key") {
        Some(Value::String(key)) => vec![key.to_string()],
        Some(Value::Array(keys)) => keys
            .iter()
            .map(|key| key.as_str().map(str::to_owned).ok_or_else(|| "each entry of 'key' must be a string".to_owned()))
            .collect::<Result<_, _>>()?,
        _ => return Err("'key' is missing".to_owned()),
    };
    let severity = match text("severity")?.as_deref() {
        None | Some("error") => Severity::Error,
        Some("warning") => Severity::Warning,
        Some("note") => Severity::Note,
        Some(other) => return Err(format!("'{other}' is not a severity: write error, warning or note")),
    };
    let mut conditions = Vec::new();
    for (word, value) in hash.iter() {
        let word = word.as_str().unwrap_or_default();
        if ABOUT.contains(&word) {
            continue;
        }
        match requirement(word, value, types)? {
            Some(requirement) => conditions.push(requirement),
            None if REQUIREMENTS.contains(&word) => {}
            None => {
                let near = hieratic_diagnostics::nearest(word, ABOUT.into_iter().chain(REQUIREMENTS));
                return Err(match near {
                    Some(near) => format!("'{word}' is unknown; did you mean '{near}'?"),
                    None => format!("'{word}' is unknown"),
                });
            }
        }
    }
    if conditions.is_empty() {
        return Err(format!("it requires nothing: add one of {}", REQUIREMENTS.join(", ")));
    }
    let filter = text("where")?.map(|filter| Condition::new(&filter));
    Ok(Form { name: name.to_owned(), place, keys, filter, severity, message: text("message")?, conditions })
}

/// Parses a requirement; `None` if it is switched off, or if the word is not a requirement.
fn requirement(word: &str, value: &Value, types: &mut Types<'_>) -> Result<Option<Requirement>, String> {
    let is_on = || match value {
        Value::Boolean(is_on) => Ok(*is_on),
        _ => Err(format!("'{word}' is neither true nor false")),
    };
    let pattern = || match value {
        Value::String(pattern) => {
            Regexp::new(pattern).map_err(|error| format!("'{word}' is not a valid pattern: {error}"))
        }
        _ => Err(format!("'{word}' is not a string")),
    };
    Ok(match word {
        "type" => {
            let text = value.as_str().ok_or("'type' is not a string")?;
            let kind =
                types.get(text).ok_or_else(|| format!("'{text}' is not a known type; is its module missing?"))?;
            Some(Requirement::Type(kind, text.to_owned()))
        }
        "range" => {
            let (least, most) = range(value).ok_or("'range' is not written as [least, most]")?;
            Some(Requirement::Range { least, most })
        }
        "one_of" => {
            let values = value.as_array().ok_or("'one_of' is not an array")?;
            Some(Requirement::OneOf(values.to_vec()))
        }
        "matches" => Some(Requirement::Matches(pattern()?)),
        "not_matches" => Some(Requirement::NotMatches(pattern()?)),
        "required" => is_on()?.then_some(Requirement::Required),
        "forbidden" => is_on()?.then_some(Requirement::Forbidden),
        "encrypted" => is_on()?.then_some(Requirement::Encrypted),
        "equal" => by(word, value)?.map(|by| Requirement::Equal { by }),
        "unique" => by(word, value)?.map(|by| Requirement::Unique { by }),
        "sum" => {
            let hash = value.as_hash().ok_or("'sum' is not a hash")?;
            let number = |name: &str| match hash.get(name) {
                None => Ok(None),
                Some(value) => number_of(value).map(Some).ok_or_else(|| format!("'{name}' of 'sum' is not a number")),
            };
            let (least, most) = (number("least")?, number("most")?);
            if least.is_none() && most.is_none() {
                return Err("'sum' has neither 'least' nor 'most'".to_owned());
            }
            known_words(hash, &["least", "most", "by"], word)?;
            Some(Requirement::Sum { by: condition(hash)?, least, most })
        }
        _ => None,
    })
}

/// The groups of `equal: true` or `equal: {by: facts.site}`; `None` if it is false.
fn by(word: &str, value: &Value) -> Result<Option<Option<Condition>>, String> {
    match value {
        Value::Boolean(is_on) => Ok(is_on.then_some(None)),
        Value::Hash(hash) => {
            known_words(hash, &["by"], word)?;
            Ok(Some(condition(hash)?))
        }
        _ => Err(format!("'{word}' is neither true nor a hash with 'by'")),
    }
}

fn condition(hash: &Hash) -> Result<Option<Condition>, String> {
    match hash.get("by") {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(Condition::new(text))),
        Some(_) => Err("'by' is not a string".to_owned()),
    }
}

fn known_words(hash: &Hash, known: &[&str], of: &str) -> Result<(), String> {
    match hash.keys().find(|key| !key.as_str().is_some_and(|key| known.contains(&key))) {
        Some(unknown) => Err(format!("'{of}' has no '{}'", unknown.to_text())),
        None => Ok(()),
    }
}

fn range(value: &Value) -> Option<(Option<f64>, Option<f64>)> {
    let [least, most] = value.as_array()? else { return None };
    let end = |value: &Value| match value {
        Value::Undef => Some(None),
        value => number_of(value).map(Some),
    };
    Some((end(least)?, end(most)?))
}

/// A number as a float. Integers that are not exact as a float are larger than realistic quantities.
pub(super) fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}
