//! Promises in YAML, checked for every node.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use hieratic::budget::{Budget, Exhausted};
use hieratic::lookup::{Key, Origin};
use hieratic::ruby_regexp::Regexp;
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashSet;
use hieratic::{Node, Query, Value};
use hieratic_diagnostics::{Source, Span};
use rayon::prelude::*;

use super::budgets::PromiseBudgets;
use super::read::{Form, Requirement, number_of};
use super::{Breach, across};
use crate::finding::Finding;
use crate::rules::invalid_promise;
use crate::texts::written_at;
use crate::workspace::Workspace;
use crate::workspace::data::{any_text, has_interpolation};
use crate::workspace::nodes::{GivenNode, synthetic_node};

/// A promise that was broken, or could not be evaluated, for a node.
pub(super) enum Outcome {
    Broken(Breach),
    Failed { form: usize, message: String },
}

/// The outcomes, and the reason why they may be incomplete.
pub(super) type Outcomes = (Vec<Outcome>, Option<Exhausted>);

/// Returns the breaches of promises, and the reason why they may be incomplete.
pub(super) fn check(
    workspace: &Workspace,
    forms: &[Form],
    nodes: &[&GivenNode<'_>],
    budgets: &PromiseBudgets,
    findings: &mut Vec<Finding>,
) -> (Vec<Breach>, Option<Exhausted>) {
    let keys = match keys(workspace, forms, &budgets.shared) {
        Ok(keys) => keys,
        Err(reason) => return (Vec::new(), Some(reason)),
    };
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut ended = None;
    for (form, keys) in forms.iter().zip(&keys) {
        if form.conditions.iter().any(|one| matches!(one, Requirement::Encrypted)) && form.filter.is_none() {
            ended = ended.or(unencrypted(workspace, form, keys, budgets, &mut outcomes).err());
        }
    }
    let interpolated: HashSet<&str> = workspace
        .files
        .iter()
        .flat_map(|file| file.entries())
        .filter(|(_, value)| has_interpolation(value))
        .map(|(key, _)| key)
        .collect();
    let checker = PromiseChecker { workspace, forms, keys: &keys, interpolated, budgets };
    let found: Vec<Outcomes> = if nodes.is_empty() {
        // For each file, a node that reads it. What holds for a value holds for it, too.
        let files = workspace.files.par_iter();
        let outcomes = files.flat_map_iter(|file| {
            let samples = file.reached.iter().filter_map(|reach| synthetic_node(workspace, &reach.bindings));
            samples.map(|sample| checker.for_synthetic_node(sample.node())).collect::<Vec<_>>()
        });
        outcomes.collect()
    } else {
        let mut found: Vec<Outcomes> =
            nodes.par_iter().enumerate().map(|(index, node)| checker.of_node(index, node)).collect();
        found.push(across::check(&checker, nodes));
        found
    };
    for (more, reason) in found {
        outcomes.extend(more);
        ended = ended.or(reason);
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
            findings.push(invalid_promise::not_evaluated(&form.name, &message, &form.place));
        }
    }
    (breaches, ended)
}

/// The number of bytes of names that are compared in a step.
const COMPARED: usize = 64;

/// The keys of each promise: those that it names, and those of the data that match its patterns.
fn keys(workspace: &Workspace, forms: &[Form], budget: &Budget) -> Result<Vec<Vec<String>>, Exhausted> {
    let all: Vec<(&str, String)> =
        workspace.keys().into_iter().map(|key| (key, hieratic::lookup::quoted_key(key).into_owned())).collect();
    let bytes: usize = all.iter().map(|(key, _)| key.len()).sum();
    forms.iter().map(|form| keys_of(form, &all, bytes, budget)).collect()
}

fn keys_of(form: &Form, all: &[(&str, String)], bytes: usize, budget: &Budget) -> Result<Vec<String>, Exhausted> {
    let mut keys = Vec::new();
    for key in &form.keys {
        if key.contains('*') {
            let parts: Vec<&str> = key.split('*').collect();
            let compared = all.len() + bytes / COMPARED + parts.len();
            budget.steps(compared as u64)?;
            keys.extend(all.iter().filter(|(key, _)| matches(&parts, key)).map(|(_, quoted)| quoted.clone()));
        } else {
            keys.push(key.clone());
        }
        budget.bytes(keys.last().map_or(0, String::len) + size_of::<String>())?;
    }
    let (count, length) = (keys.len(), keys.iter().map(String::len).sum::<usize>());
    budget.bytes(length + count * size_of::<String>())?;
    keys.sort_erased();
    keys.dedup();
    Ok(keys)
}

/// Returns whether a name consists of the parts of a pattern, in their order, with any text between them.
fn matches(parts: &[&str], name: &str) -> bool {
    let [first, between @ .., last] = parts else { return parts == [name] };
    let Some(rest) = name.strip_prefix(first) else { return false };
    // The earliest place for each part leaves the most for the others.
    let mut rest = rest;
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The inputs of checking promises.
pub(super) struct PromiseChecker<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) forms: &'a [Form],
    /// The keys of each form.
    pub(super) keys: &'a [Vec<String>],
    /// The keys of the data with a value that mentions something.
    interpolated: HashSet<&'a str>,
    pub(super) budgets: &'a PromiseBudgets,
}

impl Form {
    /// A breach of the promise at a place.
    fn breach(
        &self,
        message: String,
        place: (Source, Span),
        stated: Option<(Source, Span)>,
        nodes: Vec<usize>,
    ) -> Breach {
        let message = match &self.message {
            Some(own) => format!("{own} ({message})"),
            None => message,
        };
        Breach { promise: self.name.clone(), severity: self.severity, message, help: None, place, stated, nodes }
    }
}

impl PromiseChecker<'_> {
    /// The value of a key; `None` if it is missing, or if its lookup fails, which lookups report. An exceeded limit is
    /// an error, because the promise would count as kept.
    pub(super) fn value(&self, node: &Node, key: &str, budget: &Budget) -> Result<Option<Value>, String> {
        match node.lookup(&Query { names: vec![key], budget: budget.clone(), ..Query::default() }) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_limit() => Err(error.to_string()),
            Err(_) => Ok(None),
        }
    }

    /// Returns whether a promise applies to a node.
    pub(super) fn applies_to(&self, form: &Form, node: &GivenNode<'_>, budget: &Budget) -> Result<bool, String> {
        match &form.filter {
            None => Ok(true),
            Some(filter) => match filter.evaluate_within(&self.workspace.environment, node.facts, budget.clone()) {
                Ok(value) => Ok(value.is_truthy()),
                Err(failure) => Err(failure.to_string()),
            },
        }
    }

    fn of_node(&self, index: usize, node: &GivenNode<'_>) -> Outcomes {
        let mut outcomes = Vec::new();
        let ended = (0..self.forms.len()).try_for_each(|number| self.of_form(number, index, node, &mut outcomes));
        (outcomes, ended.err())
    }

    fn of_form(
        &self,
        number: usize,
        index: usize,
        node: &GivenNode<'_>,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Exhausted> {
        let (form, budget) = (&self.forms[number], self.budgets.for_node(index));
        budget.step()?;
        match self.applies_to(form, node, budget) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(message) => {
                self.budgets.keep_message(&message)?;
                outcomes.push(Outcome::Failed { form: number, message });
                return Ok(());
            }
        }
        let mut failure = None;
        for key in &self.keys[number] {
            budget.step()?;
            let value = match self.value(&node.node, key, budget) {
                Ok(value) => value,
                Err(message) => {
                    failure.get_or_insert(message);
                    continue;
                }
            };
            for condition in &form.conditions {
                let message = match (condition, &value) {
                    (Requirement::Encrypted, Some(_)) if form.filter.is_some() => {
                        budget.steps(self.workspace.files.len() as u64)?;
                        Ok(self.unencrypted_for(node, key))
                    }
                    (Requirement::Required, None) if node.has_facts => {
                        Ok(Some(format!("there is no value for '{key}'")))
                    }
                    (Requirement::Forbidden, Some(_)) => Ok(Some(format!("there is a value for '{key}'"))),
                    (condition, Some(value)) => broken(condition, key, value, budget),
                    (_, None) => Ok(None),
                };
                match message {
                    Ok(None) => {}
                    Ok(Some(message)) => {
                        self.broken(form, key, &node.node, message, vec![index], budget, outcomes)?;
                    }
                    Err(message) => _ = failure.get_or_insert(message),
                }
            }
        }
        if let Some(message) = failure {
            self.budgets.keep_message(&message)?;
            outcomes.push(Outcome::Failed { form: number, message });
        }
        Ok(())
    }

    fn for_synthetic_node(&self, node: &Node) -> Outcomes {
        let mut outcomes = Vec::new();
        let ended = self.find_for_synthetic_node(node, &mut outcomes);
        (outcomes, ended.err())
    }

    fn find_for_synthetic_node(&self, node: &Node, outcomes: &mut Vec<Outcome>) -> Result<(), Exhausted> {
        let budget = &self.budgets.shared;
        for (number, (form, keys)) in self.forms.iter().zip(self.keys).enumerate() {
            budget.step()?;
            if form.filter.is_some() {
                continue;
            }
            let mut failure = None;
            for key in keys {
                budget.step()?;
                let value = match self.value(node, key, budget) {
                    Ok(Some(value)) => value,
                    Ok(None) => continue,
                    Err(message) => {
                        failure.get_or_insert(message);
                        continue;
                    }
                };
                // The result of interpolating facts is unknown.
                if self.interpolated.contains(root(key).as_str()) {
                    continue;
                }
                for condition in &form.conditions {
                    let message = match condition {
                        Requirement::Forbidden => Ok(Some(format!("there is a value for '{key}'"))),
                        condition => broken(condition, key, &value, budget),
                    };
                    match message {
                        Ok(None) => {}
                        Ok(Some(message)) => self.broken(form, key, node, message, Vec::new(), budget, outcomes)?,
                        Err(message) => _ = failure.get_or_insert(message),
                    }
                }
            }
            if let Some(message) = failure {
                self.budgets.keep_message(&message)?;
                outcomes.push(Outcome::Failed { form: number, message });
            }
        }
        Ok(())
    }

    /// Notes that a value breaks a promise.
    #[expect(clippy::too_many_arguments, reason = "a breach has as many parts")]
    pub(super) fn broken(
        &self,
        form: &Form,
        key: &str,
        node: &Node,
        message: String,
        nodes: Vec<usize>,
        budget: &Budget,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Exhausted> {
        budget.steps(self.workspace.files.len() as u64)?;
        let place = place_of(self.workspace, node, key, budget);
        let stated = place.is_some().then(|| form.place.clone());
        let place = place.unwrap_or_else(|| form.place.clone());
        let breach = form.breach(message, place, stated, nodes);
        self.budgets.keep(&breach)?;
        outcomes.push(Outcome::Broken(breach));
        Ok(())
    }

    /// The message about a value of a node that a file has without encryption.
    fn unencrypted_for(&self, node: &GivenNode<'_>, key: &str) -> Option<String> {
        let root = root(key);
        let is_plain = |file: &u32| {
            let file = self.workspace.files.get(*file as usize);
            file.is_some_and(|file| file.hash.get(&root).is_some_and(is_unencrypted))
        };
        node.files.iter().any(is_plain).then(|| format!("the value of '{key}' is not encrypted"))
    }
}

/// The root key of a name that digs into a value.
pub(super) fn root(name: &str) -> String {
    Key::parse(name).map_or_else(|_| name.to_owned(), |key| key.root().to_string())
}

/// The position of the value of a key: its origin, or the first file that has the key.
pub(super) fn place_of(workspace: &Workspace, node: &Node, key: &str, budget: &Budget) -> Option<(Source, Span)> {
    // Without an answer, the promise itself is the place.
    let traced = node.lookup_traced(&Query { names: vec![key], budget: budget.clone(), ..Query::default() }).ok();
    let origin = traced.as_ref().and_then(|answer| answer.value.origin());
    if let Some(Origin::File { file, line, column }) = origin
        && let Some(file) = workspace.files.iter().find(|own| own.path == **file)
    {
        return Some((file.source.clone(), written_at(&file.source, *line, *column)));
    }
    let read = node.sources().unwrap_or_default();
    let root = root(key);
    let has =
        |path: &std::path::PathBuf| workspace.files.iter().find(|file| file.path == *path && file.hash.contains(&root));
    let file = read.iter().find_map(has)?;
    Some((file.source.clone(), file.key_span(&root)))
}

/// The message about a value that does not meet a requirement. It does not contain the value, which may be secret.
///
/// # Errors
/// A limit was exceeded, or a search took too long.
fn broken(condition: &Requirement, key: &str, value: &Value, budget: &Budget) -> Result<Option<String>, String> {
    let takes = |steps: usize| budget.steps(steps as u64).map_err(|reason| reason.to_string());
    let any = |pattern: &Regexp, expected: bool| {
        let problem = OnceCell::new();
        let found = any_text(value, &|text| match pattern.is_match_within(text, budget) {
            Ok(is_match) => is_match == expected,
            // Looking further would take as long again.
            Err(error) => {
                problem.get_or_init(|| error.to_string());
                true
            }
        });
        problem.into_inner().map_or(Ok(found), Err)
    };
    Ok(match condition {
        Requirement::Type(kind, text) => {
            takes(text.len() / 8)?;
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
            takes(values.len())?;
            (!values.contains(value))
                .then(|| format!("the value of '{key}' is not one of the {} allowed values", values.len()))
        }
        Requirement::Matches(pattern) => {
            any(pattern, false)?.then(|| format!("the value of '{key}' does not match /{}/", pattern.source()))
        }
        Requirement::NotMatches(pattern) => {
            any(pattern, true)?.then(|| format!("the value of '{key}' matches /{}/", pattern.source()))
        }
        _ => None,
    })
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

/// Returns whether a value contains an unencrypted string or a number.
fn is_unencrypted(value: &Value) -> bool {
    any_text(value, &|text| !hieratic::eyaml::is_encrypted(text) && !text.contains("%{"))
        || matches!(value, Value::Integer(_) | Value::Float(_))
}

/// Finds the values of keys that files have without encryption, for any node.
fn unencrypted(
    workspace: &Workspace,
    form: &Form,
    keys: &[String],
    budgets: &PromiseBudgets,
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Exhausted> {
    for key in keys {
        let root = root(key);
        budgets.shared.steps(workspace.files.len() as u64 + 1)?;
        for file in workspace.files.iter().filter(|file| file.hash.get(&root).is_some_and(is_unencrypted)) {
            let message = format!("the value of '{key}' is not encrypted");
            let place = (file.source.clone(), file.key_span(&root));
            let breach = form.breach(message, place, Some(form.place.clone()), Vec::new());
            budgets.keep(&breach)?;
            outcomes.push(Outcome::Broken(breach));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_names_as_a_whole() {
        let is = |pattern: &str, name: &str| matches(&pattern.split('*').collect::<Vec<_>>(), name);
        for (pattern, name) in
            [("*", ""), ("*", "a\nb"), ("a*", "a"), ("*b", "ab"), ("a*a", "aa"), ("a*b*c", "a.b.b.c"), ("**", "x")]
        {
            assert!(is(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a*", "ba"), ("*b", "ba"), ("a*a", "a"), ("a*b*c", "a.c.b"), ("*::port", "port")] {
            assert!(!is(pattern, name), "{pattern} {name}");
        }
        // A pattern with many parts takes no longer than its text and the name are long.
        let many = "k*".repeat(5_000);
        assert!(is(&many, &"k".repeat(5_000)));
        assert!(!is(&many, &"k".repeat(4_999)));
    }
}
