//! Promises in their short forms, checked for every node.

use std::collections::BTreeMap;
use std::sync::Arc;

use hieratic::powers::Budget;
use hieratic::{Key, Node, Origin, Query, Value};
use hieratic_diagnostics::{Source, Span};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::read::{Form, Requirement, number_of};
use super::{Breach, across};
use crate::finding::Finding;
use crate::options::Options;
use crate::repository::Repository;
use crate::repository::data::{DataFile, any_text, has_interpolation};
use crate::repository::known::{KnownNode, made};
use crate::rules;
use crate::texts::written_at;

/// A promise that was broken, or could not be evaluated, for a node.
pub(super) enum Outcome {
    Broken(Breach),
    Failed { form: usize, message: String },
}

/// What breaks a promise.
pub(super) fn check(
    repository: &Repository,
    forms: &[Form],
    nodes: &[&KnownNode<'_>],
    options: &Options,
    findings: &mut Vec<Finding>,
) -> Vec<Breach> {
    let keys: Vec<Vec<String>> = forms.iter().map(|form| keys(repository, form)).collect();
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (form, keys) in forms.iter().zip(&keys) {
        if form.conditions.iter().any(|one| matches!(one, Requirement::Encrypted)) && form.filter.is_none() {
            outcomes.extend(unencrypted(repository, form, keys));
        }
    }
    let interpolated: FxHashSet<&str> = repository
        .files
        .iter()
        .flat_map(|file| file.entries())
        .filter(|(_, value)| has_interpolation(value))
        .map(|(key, _)| key)
        .collect();
    let asking = Asking { repository, forms, keys: &keys, interpolated, options };
    if nodes.is_empty() {
        // For each file, a node that reads it. What holds for a value holds for it, too.
        let files: Vec<Vec<Outcome>> = repository
            .files
            .par_iter()
            .flat_map_iter(|file| file.reached.iter().filter_map(|reach| made(repository, &reach.bindings)))
            .map(|trial| asking.of_made_up(trial.node()))
            .collect();
        outcomes.extend(files.into_iter().flatten());
    } else {
        let found: Vec<Vec<Outcome>> =
            nodes.par_iter().enumerate().map(|(index, node)| asking.of_node(index, node)).collect();
        outcomes.extend(found.into_iter().flatten());
        outcomes.extend(across::check(&asking, nodes));
    }
    let mut failed: BTreeMap<usize, String> = BTreeMap::new();
    let mut breaches = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Broken(breach) => breaches.push(breach),
            Outcome::Failed { form, message } => _ = failed.entry(form).or_insert(message),
        }
    }
    for (index, message) in failed {
        if let Some(form) = forms.get(index) {
            let message = format!("The promise '{}' cannot be evaluated: {message}", form.name);
            findings.push(Finding::new(&rules::INVALID_PROMISE, message).at(&form.place.0, form.place.1, ""));
        }
    }
    breaches
}

/// The keys that a promise is about: those that it names, and those of the data that its patterns match.
fn keys(repository: &Repository, form: &Form) -> Vec<String> {
    let mut keys = Vec::new();
    for key in &form.keys {
        match key.contains('*') {
            false => keys.push(key.clone()),
            true => {
                let pattern: Vec<String> = key.split('*').map(regex::escape).collect();
                let Ok(pattern) = regex::Regex::new(&format!("^{}$", pattern.join(".*"))) else { continue };
                let all = repository.keys();
                keys.extend(
                    all.into_iter()
                        .filter(|key| pattern.is_match(key))
                        .map(|key| hieratic::quoted_key(key).into_owned()),
                );
            }
        }
    }
    keys.sort();
    keys.dedup();
    keys
}

/// What promises are checked with.
pub(super) struct Asking<'a> {
    pub(super) repository: &'a Repository,
    pub(super) forms: &'a [Form],
    /// The keys of each form.
    pub(super) keys: &'a [Vec<String>],
    /// The keys of the data with a value that mentions something.
    interpolated: FxHashSet<&'a str>,
    pub(super) options: &'a Options,
}

impl Asking<'_> {
    /// The value of a key; none if there is none, or if it cannot be looked up, which lookups report.
    pub(super) fn value(&self, node: &Node, key: &str) -> Option<Value> {
        let budget = Budget::new(self.options.settings.limits);
        node.lookup(&Query { names: vec![key], budget, ..Query::default() }).ok()
    }

    /// Whether a promise is meant for a node.
    pub(super) fn is_meant(&self, form: &Form, node: &KnownNode<'_>) -> Result<bool, String> {
        match &form.filter {
            None => Ok(true),
            Some(filter) => match filter.of(&self.repository.environment, node.facts) {
                Ok(value) => Ok(value.is_truthy()),
                Err(failure) => Err(failure.to_string()),
            },
        }
    }

    fn of_node(&self, index: usize, node: &KnownNode<'_>) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for (number, form) in self.forms.iter().enumerate() {
            match self.is_meant(form, node) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(message) => {
                    outcomes.push(Outcome::Failed { form: number, message });
                    continue;
                }
            }
            for key in &self.keys[number] {
                let value = self.value(&node.node, key);
                for condition in &form.conditions {
                    let message = match (condition, &value) {
                        (Requirement::Encrypted, Some(_)) if form.filter.is_some() => self.unencrypted_for(node, key),
                        (Requirement::Required, None) if node.has_facts => {
                            Some(format!("there is no value for '{key}'"))
                        }
                        (Requirement::Forbidden, Some(_)) => Some(format!("there is a value for '{key}'")),
                        (condition, Some(value)) => broken(condition, key, value),
                        (_, None) => None,
                    };
                    if let Some(message) = message {
                        outcomes.push(Outcome::Broken(self.breach(form, key, &node.node, message, vec![index])));
                    }
                }
            }
        }
        outcomes
    }

    fn of_made_up(&self, node: &Node) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for (form, keys) in self.forms.iter().zip(self.keys).filter(|(form, _)| form.filter.is_none()) {
            for key in keys {
                let Some(value) = self.value(node, key) else { continue };
                // What facts make of a value is not known.
                if self.interpolated.contains(root(key).as_str()) {
                    continue;
                }
                for condition in &form.conditions {
                    let message = match condition {
                        Requirement::Forbidden => Some(format!("there is a value for '{key}'")),
                        condition => broken(condition, key, &value),
                    };
                    if let Some(message) = message {
                        outcomes.push(Outcome::Broken(self.breach(form, key, node, message, Vec::new())));
                    }
                }
            }
        }
        outcomes
    }

    /// What is said of a value that breaks a promise.
    pub(super) fn breach(&self, form: &Form, key: &str, node: &Node, message: String, nodes: Vec<usize>) -> Breach {
        let place = place_of(self.repository, node, key);
        let stated = place.is_some().then(|| form.place.clone());
        Breach {
            promise: form.name.clone(),
            severity: form.severity,
            message: form.message.clone().map_or(message.clone(), |own| format!("{own} ({message})")),
            help: None,
            place: place.unwrap_or_else(|| form.place.clone()),
            stated,
            nodes,
        }
    }

    /// Whether the value of a node is written without encryption somewhere.
    fn unencrypted_for(&self, node: &KnownNode<'_>, key: &str) -> Option<String> {
        let is_plain = |file: &Arc<DataFile>| {
            node.files.contains(&file.path) && file.hash.get(&root(key)).is_some_and(is_unencrypted)
        };
        self.repository.files.iter().any(is_plain).then(|| format!("the value of '{key}' is not encrypted"))
    }
}

/// The name of the key that holds what a name digs for.
pub(super) fn root(name: &str) -> String {
    Key::parse(name).map_or_else(|_| name.to_owned(), |key| key.root().to_string())
}

/// Where the value of a key is written: where it comes from, or in the first file that has it.
pub(super) fn place_of(repository: &Repository, node: &Node, key: &str) -> Option<(Source, Span)> {
    let traced = node.lookup_traced(&Query::new(key)).ok();
    let origin = traced.as_ref().and_then(|answer| answer.value.origin());
    if let Some(Origin::File { file, line, column }) = origin
        && let Some(file) = repository.files.iter().find(|own| own.path == **file)
    {
        return Some((file.source.clone(), written_at(&file.source, *line, *column)));
    }
    let read = node.sources().unwrap_or_default();
    let root = root(key);
    let has = |path: &std::path::PathBuf| {
        repository.files.iter().find(|file| file.path == *path && file.hash.contains(&root))
    };
    let file = read.iter().find_map(has)?;
    Some((file.source.clone(), file.key_span(&root)))
}

/// What is wrong with a value. It is not shown: it may be secret.
fn broken(condition: &Requirement, key: &str, value: &Value) -> Option<String> {
    match condition {
        Requirement::Type(kind, text) => {
            (!kind.is_instance(value)).then(|| format!("the value of '{key}' is not of the type {text}"))
        }
        Requirement::Range { least, most } => {
            let is_in =
                |number: f64| least.is_none_or(|least| least <= number) && most.is_none_or(|most| number <= most);
            let is_kept = match value {
                Value::Array(elements) => elements.iter().all(|element| number_of(element).is_some_and(is_in)),
                value => number_of(value).is_some_and(is_in),
            };
            (!is_kept).then(|| format!("the value of '{key}' is not {}", range_text(*least, *most)))
        }
        Requirement::OneOf(values) => {
            (!values.contains(value)).then(|| format!("the value of '{key}' is none of the {} allowed", values.len()))
        }
        Requirement::Matches(pattern) => {
            let is_wrong = any_text(value, &|text| !pattern.try_is_match(text).unwrap_or(true));
            is_wrong.then(|| format!("the value of '{key}' does not match /{}/", pattern.source()))
        }
        Requirement::NotMatches(pattern) => {
            let is_wrong = any_text(value, &|text| pattern.try_is_match(text).unwrap_or(false));
            is_wrong.then(|| format!("the value of '{key}' matches /{}/", pattern.source()))
        }
        _ => None,
    }
}

/// A range as words.
pub(super) fn range_text(least: Option<f64>, most: Option<f64>) -> String {
    match (least, most) {
        (Some(least), Some(most)) => format!("a number between {least} and {most}"),
        (Some(least), None) => format!("a number of at least {least}"),
        (None, Some(most)) => format!("a number of at most {most}"),
        (None, None) => "a number".to_owned(),
    }
}

/// Whether a string in a value is written as it is.
fn is_unencrypted(value: &Value) -> bool {
    any_text(value, &|text| !hieratic::eyaml::is_encrypted(text) && !text.contains("%{"))
        || matches!(value, Value::Integer(_) | Value::Float(_))
}

/// The values of keys that files have without encryption, whoever reads them.
fn unencrypted(repository: &Repository, form: &Form, keys: &[String]) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for file in &repository.files {
        for key in keys {
            if file.hash.get(&root(key)).is_some_and(is_unencrypted) {
                let message = format!("the value of '{key}' is not encrypted");
                outcomes.push(Outcome::Broken(Breach {
                    promise: form.name.clone(),
                    severity: form.severity,
                    message: form.message.clone().map_or(message.clone(), |own| format!("{own} ({message})")),
                    help: None,
                    place: (file.source.clone(), file.key_span(&root(key))),
                    stated: Some(form.place.clone()),
                    nodes: Vec::new(),
                }));
            }
        }
    }
    outcomes
}
