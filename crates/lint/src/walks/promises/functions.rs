//! Promises in the Puppet language: functions without parameters, called for every node.
//!
//! A function returns undef, `true` or an empty array if the promise is kept. A string is a message, a hash has a
//! message with its key and severity, an array has several of these.

use std::collections::BTreeMap;
use std::sync::Arc;

use hieratic::budget::{Budget, Exhausted};
use hieratic::puppet_eval::Options as Language;
use hieratic::{Code as Puppet, Value};
use hieratic_diagnostics::{Severity, Source, Span};
use hieratic_puppet_syntax::ast::{Function, Node as Tree, Program};
use rayon::prelude::*;

use super::Breach;
use super::budgets::PromiseBudgets;
use super::forms::place_of;
use super::read::CodeFile;
use crate::finding::Finding;
use crate::rules::invalid_promise;
use crate::workspace::Workspace;
use crate::workspace::nodes::GivenNode;

/// A function that is a promise.
struct Promise {
    name: String,
    /// The `@summary` in the comment above it.
    summary: Option<String>,
    severity: Severity,
    place: (Source, Span),
    /// The call of it.
    call: Arc<Program>,
}

/// The number of promises in a file.
pub(super) fn count(file: &CodeFile) -> usize {
    promises(file).len()
}

/// The functions of a file that have no parameters. Others are there to be called by them.
fn promises(file: &CodeFile) -> Vec<Promise> {
    let mut found = Vec::new();
    let mut open = vec![&file.program.body];
    while let Some(expr) = open.pop() {
        match &expr.node {
            Tree::Block(statements) => open.extend(statements.iter().rev()),
            Tree::Function(function) if function.parameters.is_empty() => found.extend(promise(function, file)),
            _ => {}
        }
    }
    found
}

fn promise(function: &Function, file: &CodeFile) -> Option<Promise> {
    let start = function.span.first();
    let text = file.source.text();
    let end = text.get(start..)?.find(['(', '{']).map_or(start, |at| start + text[start..start + at].trim_end().len());
    let call =
        hieratic_puppet_syntax::parse(&Source::new("", format!("{}()", function.name)), &Default::default()).program?;
    let mut promise = Promise {
        name: function.name.to_string(),
        summary: None,
        severity: Severity::Error,
        place: (file.source.clone(), Span::new(start, end)),
        call: Arc::new(call),
    };
    for line in hieratic_puppet_syntax::documentation::comment_above(text, start) {
        let line = line.trim();
        if let Some(summary) = line.strip_prefix("@summary") {
            promise.summary = Some(summary.trim().trim_end_matches('.').to_owned());
        } else if let Some(severity) = line.strip_prefix("@severity") {
            promise.severity = severity_of(severity.trim()).unwrap_or(promise.severity);
        }
    }
    Some(promise)
}

fn severity_of(word: &str) -> Option<Severity> {
    match word {
        "error" => Some(Severity::Error),
        "warning" => Some(Severity::Warning),
        "note" => Some(Severity::Note),
        _ => None,
    }
}

/// Returns the breaches of promises, and the reason why they may be incomplete. A promise that cannot be evaluated is a
/// finding.
pub(super) fn check(
    workspace: &Workspace,
    files: &[CodeFile],
    nodes: &[&GivenNode<'_>],
    budgets: &PromiseBudgets,
    findings: &mut Vec<Finding>,
) -> (Vec<Breach>, Option<Exhausted>) {
    let all: Vec<(&CodeFile, Vec<Promise>)> = files.iter().map(|file| (file, promises(file))).collect();
    if all.iter().all(|(_, promises)| promises.is_empty()) {
        return (Vec::new(), None);
    }
    let of_nodes: Vec<NodeResult> = nodes
        .par_iter()
        .enumerate()
        .map(|(index, node)| {
            let mut found = NodeResult::default();
            found.ended = of_node(workspace, &all, index, node, budgets, &mut found).err();
            found
        })
        .collect();
    let (mut breaches, mut ended) = (Vec::new(), None);
    let mut failed: BTreeMap<(String, String), (Place, usize)> = BTreeMap::new();
    for found in of_nodes {
        breaches.extend(found.breaches);
        ended = ended.or(found.ended);
        for FailedPromise { name, message, place } in found.failed {
            failed.entry((name, message)).or_insert((place, 0)).1 += 1;
        }
    }
    for ((name, message), (place, nodes)) in failed {
        findings.push(invalid_promise::fails(&name, &message, &place, nodes));
    }
    (breaches, ended)
}

type Place = (Source, Span);

/// The result for a node.
#[derive(Default)]
struct NodeResult {
    breaches: Vec<Breach>,
    failed: Vec<FailedPromise>,
    /// The reason why it may not be all.
    ended: Option<Exhausted>,
}

/// A promise whose code fails.
struct FailedPromise {
    name: String,
    message: String,
    place: Place,
}

fn of_node(
    workspace: &Workspace,
    all: &[(&CodeFile, Vec<Promise>)],
    index: usize,
    node: &GivenNode<'_>,
    budgets: &PromiseBudgets,
    found: &mut NodeResult,
) -> Result<(), Exhausted> {
    let budget = budgets.for_node(index);
    let language = Language { budget: budget.clone(), ..Language::for_version(workspace.environment.puppet_version()) };
    let puppet = Puppet::new(Some(&workspace.environment), node.facts.clone(), language);
    let mut evaluator = puppet.evaluator();
    for (file, promises) in all {
        let defined = evaluator.run_more(&file.program);
        for promise in promises {
            budget.step()?;
            let outcome = match &defined {
                Ok(_) => evaluator.run_more(&promise.call),
                Err(failure) => Err(failure.clone()),
            };
            match outcome {
                Ok(answer) => {
                    let mut all = Vec::new();
                    collect_breaches(&answer, budgets, &mut all)?;
                    for reported in all {
                        // The position of the value is looked up.
                        budget.steps(if reported.key.is_some() { workspace.files.len() as u64 } else { 1 })?;
                        let breach = reported.breach(workspace, promise, index, node, budget);
                        budgets.keep(&breach)?;
                        found.breaches.push(breach);
                    }
                }
                Err(failure) => {
                    let message = failure.to_string();
                    budgets.keep_message(&message)?;
                    found.failed.push(FailedPromise {
                        name: promise.name.clone(),
                        message,
                        place: promise.place.clone(),
                    });
                }
            }
        }
    }
    Ok(())
}

/// One breach in the result of a promise.
struct ReportedBreach {
    message: String,
    key: Option<String>,
    severity: Option<Severity>,
    help: Option<String>,
}

/// Collects the breaches in the result of a promise.
fn collect_breaches(
    answer: &Value,
    budgets: &PromiseBudgets,
    found: &mut Vec<ReportedBreach>,
) -> Result<(), Exhausted> {
    let plain = |message: String| ReportedBreach { message, key: None, severity: None, help: None };
    let broken = || "it does not hold".to_owned();
    let one = match answer {
        Value::Undef | Value::Boolean(true) => return Ok(()),
        Value::Boolean(false) => plain(broken()),
        Value::String(message) if message.is_empty() => return Ok(()),
        Value::String(message) => plain(message.to_string()),
        Value::Array(several) => return several.iter().try_for_each(|one| collect_breaches(one, budgets, found)),
        Value::Hash(hash) if hash.is_empty() => return Ok(()),
        Value::Hash(hash) => {
            let text = |name: &str| hash.get(name).and_then(Value::as_str).map(str::to_owned);
            ReportedBreach {
                message: text("message").unwrap_or_else(broken),
                key: text("key"),
                severity: text("severity").as_deref().and_then(severity_of),
                help: text("help"),
            }
        }
        other => plain(other.to_text()),
    };
    budgets.keep_message(&one.message)?;
    found.push(one);
    Ok(())
}

impl ReportedBreach {
    fn breach(
        self,
        workspace: &Workspace,
        promise: &Promise,
        index: usize,
        node: &GivenNode<'_>,
        budget: &Budget,
    ) -> Breach {
        let place = self.key.as_deref().and_then(|key| place_of(workspace, &node.node, key, budget));
        Breach {
            promise: promise.summary.clone().unwrap_or_else(|| promise.name.clone()),
            severity: self.severity.unwrap_or(promise.severity),
            message: self.message,
            help: self.help,
            stated: place.is_some().then(|| promise.place.clone()),
            place: place.unwrap_or_else(|| promise.place.clone()),
            nodes: vec![index],
        }
    }
}
