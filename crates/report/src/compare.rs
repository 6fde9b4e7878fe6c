//! [`compare`]: compares two states of an environment, and reports all differences.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use hieratic::budget::{Budget, Progress};
use hieratic::value::Str;
use hieratic::{Environment, Error, Hash, Limits, Redactor};
use hieratic_impact::{
    Answer, AnswerReport, CatalogReport, Description, Diff, DistinguishingFacts, Group, Subject, compare_answers,
    compare_parameters, group_by_nodes, hierarchy_facts,
};
use hieratic_lint::shown_node;

use crate::change::{Change, Failure, Finding, Job, Key, Parameter, Resource};
use crate::jobs::{JobReport, NodeJobs};
use crate::report::{ChangeGroup, CountedSets, MOST_NODES, NodeSet, Report, Summary, describe_facts};
use crate::sides::{OpenSides, Sides};
use crate::uncompared::Uncompared;
use crate::{Nodes, counted, notes};

/// The options of [`compare`].
pub struct Options<'o> {
    /// Selects the keys to compare.
    pub selects_key: &'o (dyn Fn(&str) -> bool + Sync),
    /// The limits of a single lookup.
    pub limits: Limits,
    /// The maximum number of changed keys with parts and causes. All others are listed without.
    pub most_details: usize,
    /// The maximum number of answers that are listed separately if they differ only in facts. More of them become one
    /// change.
    pub most_variants: usize,
    /// Whether the parts of a change must not reveal a secret, even to clients that can send any request.
    pub conceal: bool,
    /// The budget of the whole request. When it is exhausted, the comparison ends with an empty report.
    pub parent_budget: Option<&'o Budget>,
    /// Receives the progress.
    pub progress: &'o dyn Progress,
    /// Detects new findings of `check`. The function decides whether the message of a finding is shown, or only the
    /// title of its rule.
    pub findings: Option<&'o ShowsMessage<'o>>,
    /// The changes of jobs. `None` if jobs are not compared.
    pub jobs: Option<&'o JobReport>,
    /// Compiles and compares catalogs.
    pub catalogs: Option<&'o CompareCatalogs<'o>>,
}

/// Decides whether the message of a finding may be shown.
pub type ShowsMessage<'o> = dyn Fn(&hieratic_lint::Finding) -> bool + Sync + 'o;

/// Compares the catalogs of both sides.
pub type CompareCatalogs<'o> = dyn Fn(Diff<&Environment>) -> Result<CatalogReport, Error> + Sync + 'o;

impl Options<'_> {
    /// Returns whether the whole request has ended.
    fn has_ended(&self) -> bool {
        self.parent_budget.is_some_and(|all| all.ended().is_err())
    }
}

/// Compares both sides for some nodes. Each kind of change is detected here.
///
/// # Errors
/// A file exists but cannot be read, or the catalogs cannot be compiled.
pub fn compare(
    open: &OpenSides<'_>,
    nodes: &Nodes,
    options: &Options<'_>,
    redactor: &Redactor,
) -> Result<Report, Error> {
    let (sides, environments) = (open.sides, open.environments.as_ref());
    let changed = sides.changed();
    let compare_answers = || {
        let answers = open.compare_answers(nodes, options, redactor);
        if options.findings.is_some() {
            // Its steps are not known.
            options.progress.begin("looking for new findings", 0);
        }
        answers
    };
    let find = || match options.findings {
        Some(_) if !options.has_ended() => sides.new_findings(environments, nodes, options.limits),
        _ => Vec::new(),
    };
    // The answers of few nodes, and the rules, do not fill all processors.
    let (answers, findings) = rayon::join(compare_answers, find);
    // The caller discards the report of a request that has ended.
    if options.has_ended() {
        return Ok(Report::default());
    }
    let mut parameters = compare_parameters(environments, changed.iter());
    parameters.retain(|delta| (options.selects_key)(&delta.key));
    let catalogs = options.catalogs.map(|compare| compare(environments)).transpose()?;
    let of_nodes = options.jobs.map(|jobs| {
        options.progress.begin("comparing jobs", 0);
        jobs.compare_for_nodes(environments, &nodes.subjects, options.parent_budget)
    });
    sides.check_complete()?;

    let describes_nodes = !answers.groups.is_empty()
        || !answers.broken.is_empty()
        || catalogs.as_ref().is_some_and(|catalogs| !catalogs.groups.is_empty() || !catalogs.broken.is_empty())
        || of_nodes.as_ref().is_some_and(|jobs| !jobs.deltas.is_empty());
    let builder = ReportBuilder::new(open, nodes, describes_nodes, redactor);
    let mut groups = builder.keys(&answers);
    let lookups = answers.broken.iter().map(|failing| (&failing.nodes, Failure::of_lookups(failing, redactor)));
    groups.extend(lookups.map(|(nodes, failure)| builder.group(nodes, vec![Change::Failure(failure)])));
    if let Some(catalogs) = &catalogs {
        for Group { nodes, changes } in &catalogs.groups {
            let changes = changes.iter().map(|delta| Change::Resource(Resource::new(delta, sides, redactor)));
            groups.push(builder.group(nodes, changes.collect()));
        }
        let failures = catalogs.broken.iter().map(|failing| (&failing.nodes, Failure::of_catalogs(failing, sides)));
        groups.extend(failures.map(|(nodes, failure)| builder.group(nodes, vec![Change::Failure(failure)])));
    }
    let parameters = parameters.iter().filter_map(|delta| Parameter::new(delta, sides, redactor));
    groups.extend(parameters.map(|parameter| of_repository(Change::Parameter(parameter))));
    let shows = |finding: &hieratic_lint::Finding| options.findings.is_some_and(|shows| shows(finding));
    let findings = findings.iter().map(|finding| Finding::new(finding, shows(finding), sides, redactor));
    groups.extend(findings.map(|finding| of_repository(Change::Finding(finding))));
    let mut notes = Vec::new();
    if let Some(NodeJobs { deltas, not_compared }) = of_nodes {
        let jobs = deltas.iter().map(|(node, delta)| (vec![*node], Job::new(delta, sides, redactor)));
        groups.extend(merge_equal(jobs, |_| true).into_iter().map(|(nodes, job)| {
            let nodes = Some(builder.describe(&nodes).title);
            of_repository(Change::Job(Job { nodes, ..job }))
        }));
        notes.extend(job_notes(&not_compared, sides, redactor));
    }
    let mut report = builder.report(groups, &answers, catalogs.as_ref(), options.jobs);
    report.notes.extend(notes);
    Ok(report)
}

/// The jobs that were not compared, as sentences.
fn job_notes<'j>(
    jobs: impl IntoIterator<Item = &'j (PathBuf, String)>,
    sides: &Sides,
    redactor: &Redactor,
) -> impl Iterator<Item = String> {
    jobs.into_iter().map(|(path, reason)| format!("{}: {}", sides.shown(path), redactor.text(reason)))
}

impl Report {
    /// Adds the changes of jobs, which are equal in all environments, and the jobs that were not compared.
    pub fn add_jobs(&mut self, jobs: &JobReport, sides: &Sides, redactor: &Redactor) {
        let changes = jobs.deltas.iter().map(|delta| Change::Job(Job::new(delta, sides, redactor)));
        self.groups.extend(changes.map(of_repository));
        self.notes.extend(job_notes(&jobs.not_compared, sides, redactor));
        self.notes.extend(note_on_unset(&jobs.unset, sides));
    }
}

/// The variables of jobs that have no value, in a sentence.
fn note_on_unset(unset: &BTreeMap<String, BTreeSet<PathBuf>>, sides: &Sides) -> Option<String> {
    let jobs: BTreeSet<&PathBuf> = unset.values().flatten().collect();
    let names = first_names(unset.keys().map(|name| format!("var.{name}")))?;
    let jobs = first_names(jobs.into_iter().map(|job| sides.shown(job)))?;
    Some(format!("the values that depend on {names} in {jobs}: no value in [[jobs]] or NOMAD_VAR_NAME"))
}

/// The first names of a list in words; `None` if it is empty.
fn first_names(names: impl Iterator<Item = String>) -> Option<String> {
    /// The number of names that are listed.
    const SHOWN: usize = 3;
    let mut names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    let last = names.pop()?;
    Some(if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) })
}

/// A change that is not of nodes.
fn of_repository(change: Change) -> ChangeGroup {
    ChangeGroup { nodes: None, environments: Vec::new(), changes: vec![change] }
}

impl OpenSides<'_> {
    /// Compares only the answers of nodes, for a proof that nothing changes. Secrets in the result are not redacted.
    pub fn compare_answers(&self, nodes: &Nodes, options: &Options<'_>, redactor: &Redactor) -> AnswerReport {
        let options = hieratic_impact::Options {
            changed: &self.sides.changed(),
            selects_key: options.selects_key,
            limits: options.limits,
            most_details: options.most_details,
            most_variants: options.most_variants,
            conceal: options.conceal,
            parent_budget: options.parent_budget,
            progress: options.progress,
        };
        compare_answers(self.environments.as_ref(), &nodes.subjects, &options, redactor)
    }
}

/// Makes groups of nodes, and the report of them.
struct ReportBuilder<'b> {
    open: &'b OpenSides<'b>,
    nodes: &'b Nodes,
    facts: DistinguishingFacts,
    /// The names of nodes as they are shown. Thousands of groups have the same nodes in them.
    names: Vec<OnceCell<Str>>,
    redactor: &'b Redactor,
}

impl<'b> ReportBuilder<'b> {
    /// Makes a builder. Without changes of nodes, their facts are not compared.
    fn new(
        open: &'b OpenSides<'b>,
        nodes: &'b Nodes,
        describes_nodes: bool,
        redactor: &'b Redactor,
    ) -> ReportBuilder<'b> {
        let facts = if describes_nodes {
            let facts: Vec<&Hash> = nodes.subjects.iter().map(|subject| subject.head_facts().facts()).collect();
            DistinguishingFacts::new(&facts, &hierarchy_facts(&open.environments.head))
        } else {
            DistinguishingFacts::default()
        };
        ReportBuilder { open, nodes, facts, names: vec![OnceCell::new(); nodes.subjects.len()], redactor }
    }

    /// The keys that change. Equal changes are one of all their nodes.
    fn keys(&self, answers: &AnswerReport) -> Vec<ChangeGroup> {
        let changes = answers.groups.iter().flat_map(|Group { nodes, changes }| {
            let first = nodes.first().and_then(|first| self.nodes.subjects.get(*first));
            let key =
                |delta| Key::new(delta, first.map(|first: &Subject| &*first.name), self.open.sides, self.redactor);
            changes.iter().map(move |delta| (nodes.clone(), key(delta))).collect::<Vec<_>>()
        });
        // Without parts, two changes cannot be known to be equal.
        let is_comparable = |key: &Key| !key.parts.is_empty();
        let groups = group_by_nodes(merge_equal(changes, is_comparable)).into_iter();
        groups.map(|(nodes, keys)| self.group(&nodes, keys.into_iter().map(Change::Key).collect())).collect()
    }

    fn name(&self, index: usize) -> Option<Str> {
        let (subject, name) = (self.nodes.subjects.get(index)?, self.names.get(index)?);
        Some(name.get_or_init(|| self.redactor.name(&shown_node(subject.head_facts())).into()).clone())
    }

    /// The changes of some nodes.
    fn group(&self, nodes: &[usize], changes: Vec<Change>) -> ChangeGroup {
        ChangeGroup { nodes: Some(self.describe(nodes)), environments: Vec::new(), changes }
    }

    /// Describes nodes by their facts.
    fn describe(&self, nodes: &[usize]) -> NodeSet {
        let names: Vec<Str> = nodes.iter().filter_map(|index| self.name(*index)).collect();
        let (all, count) = (self.nodes.subjects.len(), nodes.len());
        let of = format!("{count} of {}", counted(all, "node"));
        let (title, facts) = match self.facts.describe(nodes) {
            Description::All if all == 1 => (names.join(", "), None),
            Description::All => (format!("all {}", counted(all, "node")), None),
            Description::Where(pairs) => {
                let pairs: Vec<(String, String)> =
                    pairs.into_iter().map(|(name, value)| (name, self.redactor.text(&value).into_owned())).collect();
                let is_named = |only: &str| pairs.iter().any(|(_, value)| value == only);
                let title = match names.as_slice() {
                    [only] if !self.nodes.are_synthetic || is_named(only) => only.to_string(),
                    _ => format!("{of}: {}", describe_facts(&pairs)),
                };
                (title, Some(pairs))
            }
            Description::Named => {
                let shown = names.iter().take(MOST_NODES).map(|name| &**name).collect::<Vec<&str>>().join(", ");
                match names.len().saturating_sub(MOST_NODES) {
                    0 => (format!("{of}: {shown}"), None),
                    more => (format!("{of}: {shown} and {more} more"), None),
                }
            }
        };
        NodeSet { title, count, facts, names }
    }

    fn report(
        self,
        groups: Vec<ChangeGroup>,
        answers: &AnswerReport,
        catalogs: Option<&CatalogReport>,
        jobs: Option<&JobReport>,
    ) -> Report {
        let (sides, redactor) = (self.open.sides, self.redactor);
        let environments = self.open.environments.as_ref();
        let touched = answers.groups.iter().flat_map(|group| &group.nodes);
        let touched = touched.chain(answers.broken.iter().flat_map(|failing| &failing.nodes));
        let of_catalogs = catalogs.into_iter().flat_map(|catalogs| {
            let changed = catalogs.groups.iter().flat_map(|group| &group.nodes);
            changed.chain(catalogs.broken.iter().flat_map(|failing| &failing.nodes))
        });
        let keys = || answers.groups.iter().flat_map(|group| &group.changes);
        let resources = groups.iter().flat_map(|group| &group.changes).filter_map(|change| match change {
            Change::Resource(resource) => Some(resource.reference.clone()),
            _ => None,
        });
        let counted = CountedSets {
            nodes: touched.chain(of_catalogs).copied().collect(),
            failing: answers.failing.iter().flat_map(|failing| &failing.nodes).copied().collect(),
            keys: keys().map(|delta| delta.key.to_string()).collect(),
            resources: resources.collect(),
            uncompared: Uncompared::new(sides, environments, catalogs.is_some(), jobs),
            notes: notes::of_environment(answers, catalogs, environments, sides, redactor),
            is_uncertain: notes::is_uncertain(answers, environments),
        };
        let fails = |change: &Change| matches!(change, Change::Failure(failure) if failure.reasons.head.is_some());
        let summary = Summary {
            nodes: answers.nodes,
            classes: answers.classes,
            are_synthetic: self.nodes.are_synthetic,
            changed_nodes: counted.nodes.len(),
            changed_keys: counted.keys.len(),
            changed_resources: counted.resources.len(),
            failures: keys().filter(|delta| fails_anew(delta.answers.as_ref())).count()
                + groups.iter().flat_map(|group| &group.changes).filter(|change| fails(change)).count(),
        };
        // Those about values are first.
        let mut notes = counted.notes.clone();
        notes.extend(sides.notes());
        notes.extend(counted.uncompared.notes());
        Report {
            names: sides.names.clone(),
            summary,
            has_catalogs: catalogs.is_some(),
            groups,
            notes,
            failing: counted.failing.len(),
            only_environment: environments.head.name().into(),
            ignored: catalogs.map(|catalogs| catalogs.ignored.clone()).unwrap_or_default(),
            counted,
            ..Report::default()
        }
    }
}

/// Returns whether a lookup fails that worked before, or found nothing.
fn fails_anew(answers: Diff<&Answer>) -> bool {
    matches!(answers.head, Answer::Error(_)) && !matches!(answers.base, Answer::Error(_))
}

/// Merges equal changes that can be compared into one of all their nodes, in order.
fn merge_equal<C: Clone + Eq + std::hash::Hash>(
    changes: impl Iterator<Item = (Vec<usize>, C)>,
    is_comparable: impl Fn(&C) -> bool,
) -> Vec<(Vec<usize>, C)> {
    let mut all: Vec<(Vec<usize>, C)> = Vec::new();
    let mut known: HashMap<C, usize> = HashMap::new();
    for (nodes, change) in changes {
        let same = known.get(&change).filter(|_| is_comparable(&change));
        match same.and_then(|same| all.get_mut(*same)) {
            Some((more, _)) => more.extend(nodes),
            None => {
                known.insert(change.clone(), all.len());
                all.push((nodes, change));
            }
        }
    }
    for (nodes, _) in &mut all {
        nodes.sort_unstable();
        nodes.dedup();
    }
    all
}
