//! Promises: requirements of a repository for the values of its nodes, in `promises/*.yaml` and `promises/*.pp`.
//!
//! [`forms`] checks those in YAML, [`functions`] those in the Puppet language. Both return [`Breach`]es. A breach that
//! several nodes share is one finding.

mod across;
mod budgets;
mod forms;
mod functions;
mod read;

use std::collections::BTreeMap;

use hieratic_diagnostics::{Severity, Source, Span};

use crate::finding::Finding;
use crate::rules::{RuleContext, broken_promise, invalid_promise, unchecked_promise};
use crate::workspace::nodes::GivenNode;
use budgets::PromiseBudgets;
use read::Promises;

/// A breach of a promise for one or several nodes, by index. Without nodes, it does not depend on nodes.
#[derive(Clone, Debug)]
pub(crate) struct Breach {
    /// The name of the promise.
    pub(crate) promise: String,
    pub(crate) severity: Severity,
    /// The message.
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The value that breaks it, or the promise itself.
    pub(crate) place: (Source, Span),
    /// The promise, if it is at another position.
    pub(crate) stated: Option<(Source, Span)>,
    pub(crate) nodes: Vec<usize>,
}

/// Finds everything that breaks a promise, and the promises that cannot be read or checked.
pub(super) fn check(cx: &RuleContext<'_>) {
    let workspace = cx.workspace;
    let Promises { forms, files, mut findings } = read::read(workspace);
    if forms.is_empty() && files.is_empty() {
        return cx.report_all(findings);
    }
    let nodes: Vec<&GivenNode<'_>> = cx.nodes.nodes.iter().collect();
    let budgets = PromiseBudgets::new(cx.options.settings.limits, nodes.len());
    let (mut breaches, ended) = forms::check(workspace, &forms, &nodes, &budgets, &mut findings);
    let (more, ended_too) = functions::check(workspace, &files, &nodes, &budgets, &mut findings);
    cx.report_all(findings);
    breaches.extend(more);
    let start = |source: &Source| (source.clone(), Span { start: 0, end: 0 });
    if let Some(reason) = ended.or(ended_too) {
        let place = forms.first().map(|form| form.place.clone());
        cx.report(invalid_promise::stopped(reason, place.or_else(|| files.first().map(|file| start(&file.source)))));
    }
    let needing = || forms.iter().filter(|form| form.needs_nodes());
    let unchecked =
        if nodes.is_empty() { needing().count() + files.iter().map(functions::count).sum::<usize>() } else { 0 };
    if unchecked > 0 {
        let place = needing().next().map(|form| form.place.clone());
        let place = place.or_else(|| files.first().map(|file| start(&file.source)));
        cx.report(unchecked_promise::without_nodes(unchecked, place));
    }
    cx.report_all(to_findings(breaches, &nodes));
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
        groups.into_values().take(MOST_FINDINGS).map(|breach| broken_promise::of_breach(breach, nodes)).collect();
    if more > 0
        && let Some(last) = findings.last()
    {
        let place = last.primary().map(|(source, span)| (source.clone(), span));
        findings.push(broken_promise::more(more, place));
    }
    findings
}
