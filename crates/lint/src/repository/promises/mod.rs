//! Promises: requirements of a repository for the values of its nodes, in `promises/*.yaml` and `promises/*.pp`.
//!
//! [`forms`] are the short ones, [`functions`] those in the Puppet language. Both find [`Breach`]es. A breach that
//! several nodes share is one finding.

mod across;
mod budgets;
mod forms;
mod functions;
mod read;

use std::collections::BTreeMap;

use hieratic_diagnostics::{Severity, Source, Span};

use super::nodes::{GivenNode, SampleNodes};
use super::{Code, Repository, list};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;
use budgets::{PromiseBudgets, stopped};
use read::Promises;

/// A breach of a promise for one or several nodes, by index. Without nodes, it does not depend on nodes.
#[derive(Clone, Debug)]
struct Breach {
    /// The name of the promise.
    promise: String,
    severity: Severity,
    /// The message.
    message: String,
    help: Option<String>,
    /// The value that breaks it, or the promise itself.
    place: (Source, Span),
    /// The promise, if it is at another position.
    stated: Option<(Source, Span)>,
    nodes: Vec<usize>,
}

/// Everything that breaks a promise, and the promises that cannot be read or checked.
pub(super) fn check(repository: &Repository, _: &Code, known: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
    let Promises { forms, files, mut findings } = read::read(repository);
    if forms.is_empty() && files.is_empty() {
        return findings;
    }
    let nodes: Vec<&GivenNode<'_>> = known.nodes.iter().collect();
    let budgets = PromiseBudgets::new(options.settings.limits, nodes.len());
    let (mut breaches, ended) = forms::check(repository, &forms, &nodes, &budgets, &mut findings);
    let (more, ended_too) = functions::check(repository, &files, &nodes, &budgets, &mut findings);
    breaches.extend(more);
    let unchecked = match nodes.is_empty() {
        true => {
            forms.iter().filter(|form| form.needs_nodes()).count() + files.iter().map(functions::count).sum::<usize>()
        }
        false => 0,
    };
    let start = |source: &Source| (source.clone(), Span { start: 0, end: 0 });
    if let Some(why) = ended.or(ended_too) {
        let place = forms.first().map(|form| form.place.clone());
        findings.push(stopped(why, place.or_else(|| files.first().map(|file| start(&file.source)))));
    }
    if unchecked > 0 {
        let promises = if unchecked == 1 { "1 promise was".to_owned() } else { format!("{unchecked} promises were") };
        let place = forms
            .iter()
            .find(|form| form.needs_nodes())
            .map(|form| form.place.clone())
            .or_else(|| files.first().map(|file| start(&file.source)));
        let finding = Finding::new(&rules::UNCHECKED_PROMISE, format!("{promises} not checked: no nodes are given"));
        let finding = match place {
            Some((source, span)) => finding.at(&source, span, ""),
            None => finding,
        };
        findings.push(finding.help("pass --facts with a folder that has one file of facts per node"));
    }
    findings.extend(to_findings(breaches, &nodes));
    findings
}

/// The most broken promises that are listed. Each of them takes time to render.
const MOST_FINDINGS: usize = 10_000;

/// Turns breaches into findings. Equal breaches of several nodes become one.
fn to_findings(breaches: Vec<Breach>, nodes: &[&GivenNode<'_>]) -> Vec<Finding> {
    type Key = (String, String, String, u32);
    let mut groups: BTreeMap<Key, Breach> = BTreeMap::new();
    for breach in breaches {
        let (source, span) = &breach.place;
        let key = (breach.promise.clone(), breach.message.clone(), source.name().to_owned(), span.start);
        match groups.get_mut(&key) {
            Some(known) => known.nodes.extend(&breach.nodes),
            None => _ = groups.insert(key, breach),
        }
    }
    let more = groups.len().saturating_sub(MOST_FINDINGS);
    let mut findings: Vec<Finding> =
        groups.into_values().take(MOST_FINDINGS).map(|breach| finding(breach, nodes)).collect();
    if more > 0
        && let Some(last) = findings.last()
    {
        let message = format!("{more} more broken promises are not listed");
        let summary = Finding::new(&rules::BROKEN_PROMISE, message).help("fix those that are listed first");
        let place = last.primary().map(|(source, span)| (source.clone(), span));
        findings.push(match place {
            Some((source, span)) => summary.at(&source, span, ""),
            None => summary,
        });
    }
    findings
}

fn finding(breach: Breach, nodes: &[&GivenNode<'_>]) -> Finding {
    let Breach { promise, severity, message, help, place, stated, nodes: mut affected } = breach;
    let finding = Finding::new(&rules::BROKEN_PROMISE, format!("{promise}: {message}")).with_severity(severity);
    let mut finding = finding.at(&place.0, place.1, "");
    if let Some((source, span)) = stated {
        finding = finding.related(&source, span, "the promise");
    }
    affected.sort_unstable();
    affected.dedup();
    if !affected.is_empty() {
        let names: Vec<&str> = affected.iter().filter_map(|node| nodes.get(*node)).map(|node| node.name).collect();
        finding = finding.note(format!("for {} of {} nodes: {}", names.len(), nodes.len(), list(&names)));
    }
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}
