//! [`Runner`]: runs the rules about an environment, on all cores.

use hieratic::Redactor;
use hieratic::value::collections::HashSet;
use rayon::prelude::*;

use crate::analysis::Analyzed;
use crate::finding::Finding;
use crate::hygiene::Needed;
use crate::options::Options;
use crate::rules::{self, Check, Kind, RuleContext, UnjudgedKey};
use crate::walks::Walk;
use crate::workspace::{Answers, Code, SampleNodes, Workspace};
use hieratic::budget::Progress;

/// The rules about an environment, with all that they are given.
pub(crate) struct Runner<'a> {
    /// The environment.
    pub(crate) workspace: &'a Workspace,
    /// Its code.
    pub(crate) code: &'a Code,
    /// The options of the check.
    pub(crate) options: &'a Options,
    /// The answers that are known from an earlier check.
    pub(crate) answers: &'a Answers,
    /// The entries of data that another environment needs.
    pub(crate) needed: &'a Needed,
    /// The findings of the analysis in an earlier check.
    pub(crate) analyzed: &'a Analyzed,
}

/// The checks that run in sequence, with one context.
type Job = Vec<Check>;

/// The jobs of all rules, in the order of their rows. A walk that rules share is one job, and so is all of hygiene, whose
/// rules share what nodes read. Lookups come last.
fn jobs(with_hygiene: bool) -> (Vec<Job>, Job) {
    let (mut jobs, mut hygiene, mut lookups): (Vec<Job>, Option<usize>, Job) = (Vec::new(), None, Vec::new());
    let mut walked: Vec<Walk> = Vec::new();
    let mut add_hygiene = |jobs: &mut Vec<Job>, check: Check| {
        if with_hygiene {
            let at = *hygiene.get_or_insert_with(|| {
                jobs.push(Vec::new());
                jobs.len() - 1
            });
            jobs[at].push(check);
        }
    };
    for kind in rules::ALL.iter().flat_map(|rule| rule.kinds) {
        match kind {
            Kind::Reading | Kind::Text | Kind::Program(_) => {}
            Kind::Environment(check) => jobs.push(vec![*check]),
            Kind::Hygiene(check) => add_hygiene(&mut jobs, *check),
            Kind::Lookups(check) => lookups.push(*check),
            Kind::Shared(walk) if walked.contains(walk) => {}
            Kind::Shared(walk) => {
                walked.push(*walk);
                if walk.is_hygiene() {
                    add_hygiene(&mut jobs, walk.check());
                } else {
                    jobs.push(vec![walk.check()]);
                }
            }
        }
    }
    (jobs, lookups)
}

impl Runner<'_> {
    /// Everything that is wrong with the environment, and the keys of which that is not known, each with the first file
    /// that has it.
    ///
    /// Findings at the same place are in the order of the rows of their rules.
    pub(crate) fn run(&self, progress: &dyn Progress) -> (Vec<Finding>, Vec<UnjudgedKey>) {
        let mut findings = self.workspace.findings_of_opening();
        let nodes = SampleNodes::new(self.workspace, &self.options.nodes);
        findings.extend(nodes.faults.iter().map(|error| rules::hierarchy::node(error)));
        let (jobs, lookups) = jobs(self.options.hygiene);
        progress.begin("rules", jobs.len());
        let each = || -> Vec<(Vec<Finding>, Vec<UnjudgedKey>)> {
            let found = jobs.par_iter().map(|job| {
                let found = self.run_job(job, &nodes);
                progress.step();
                found
            });
            found.collect()
        };
        let (found, last) = rayon::join(each, || self.run_job(&lookups, &nodes));
        let mut not_judged = Vec::new();
        for (more, omitted) in found.into_iter().chain([last]) {
            findings.extend(more);
            not_judged.extend(omitted);
        }
        tell_keys_once(&mut findings);
        tell_failures_once(&mut findings);
        // Secrets that lookups have decrypted are redacted in every message.
        let redactor = Redactor::new(self.workspace.environment.secrets(), false);
        findings.iter_mut().for_each(|finding| finding.redact(&redactor));
        (findings, not_judged)
    }

    fn run_job(&self, job: &Job, nodes: &SampleNodes<'_>) -> (Vec<Finding>, Vec<UnjudgedKey>) {
        let Runner { workspace, code, options, answers, needed, analyzed } = *self;
        let cx = RuleContext::new(workspace, code, nodes, options, (answers, analyzed), needed);
        job.iter().for_each(|check| check(&cx));
        cx.into_parts()
    }
}

/// Removes the findings of the analysis in lines that a catalog fails at: the failure is of a real node.
fn tell_failures_once(findings: &mut Vec<Finding>) {
    let line = |finding: &Finding| (finding.file().to_owned(), finding.line());
    let is_failure = |finding: &&Finding| finding.rule.id() == rules::CATALOG.id();
    let failed: HashSet<_> = findings.iter().filter(is_failure).map(line).collect();
    let is_analyzed = |finding: &Finding| {
        finding.rule.kinds.iter().any(|kind| matches!(kind, Kind::Shared(Walk::Analysis))) && finding.is_error()
    };
    findings.retain(|finding| failed.is_empty() || !is_analyzed(finding) || !failed.contains(&line(finding)));
}

/// Removes the finding that a key is never looked up if another finding says that it is not a parameter.
fn tell_keys_once(findings: &mut Vec<Finding>) {
    let place = |finding: &Finding| Some((finding.file().to_owned(), finding.primary()?.1.start));
    let is_unknown = |finding: &&Finding| finding.rule.id() == rules::UNKNOWN_PARAMETER.id();
    let reported: HashSet<(String, u32)> = findings.iter().filter(is_unknown).filter_map(place).collect();
    findings.retain(|finding| {
        let is_unused = finding.rule.id() == rules::UNUSED_KEY.id();
        !is_unused || !place(finding).is_some_and(|place| reported.contains(&place))
    });
}
