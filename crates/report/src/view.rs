//! [`View`]: what all formats show of a comparison.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use hieratic::diagnostics::Severity;
use hieratic::value::Str;
use hieratic::value::text::REDACTED;
use hieratic::{Environment, Hash, Origin, Redactor, Value};
use hieratic_impact::{
    Answer, Broken, CatalogReport, Cause, Change, Declaration, Description, DistinguishingFacts, Group, LevelAt,
    ParameterChange, Report, Subject, group_by_nodes, hierarchy_facts,
};
use hieratic_lint::{Finding, SYNTHETIC, shown_node};

use crate::rows::{Line, lines_of, shortened};
use crate::sides::Sides;
use crate::uncompared::Uncompared;
use crate::{Nodes, catalogs, counted, failing};

/// The results that a [`View`] is made from.
pub struct ComparisonResults<'f> {
    /// The keys that change.
    pub report: &'f Report,
    /// The class parameters that change.
    pub declared: &'f [ParameterChange],
    /// The findings of `check` that only the head has.
    pub findings: &'f [Finding],
    /// The changes of catalogs, or `None` if catalogs are not compared.
    pub catalogs: Option<&'f CatalogReport>,
}

/// A comparison in the form that all output formats share, with secrets redacted.
#[derive(Default)]
pub struct View {
    /// The names of the base and the head.
    pub names: [String; 2],
    /// The number of nodes that were compared.
    pub nodes: usize,
    /// The number of distinct nodes whose keys were looked up.
    pub classes: usize,
    /// Whether the nodes are synthetic: derived from the paths of data files.
    pub are_synthetic: bool,
    /// The number of nodes with changes.
    pub touched: usize,
    /// The number of keys with changes.
    pub keys: usize,
    /// The number of answers and catalogs that fail in the head but not in the base.
    pub failures: usize,
    /// The number of resources that change, if catalogs are compared.
    pub resources: usize,
    /// Whether catalogs are compared.
    pub has_catalogs: bool,
    /// The keys that change, by the nodes that they change on.
    pub groups: Vec<NodeGroup>,
    /// The nodes whose lookups or catalogs fail on a side.
    pub broken: Vec<NodeGroup>,
    /// The resources that change.
    pub catalogs: Vec<NodeGroup>,
    /// The class parameters that are declared in another way.
    pub parameters: Vec<Parameter>,
    /// The findings of `check` that are new in the head.
    pub findings: Vec<NewFinding>,
    /// The parts that were not or could not be compared.
    pub notes: Vec<String>,
    /// The names of the environments that were compared, if a repository has several.
    pub environments: Vec<Str>,
    /// The environments that one side alone has.
    pub lone: Vec<LoneEnvironment>,
    /// The number of nodes whose lookups fail on both sides for the same reason.
    pub failing: usize,
    /// The resources with changes that rules ignore.
    pub ignored: BTreeSet<String>,
    /// The sets behind the counts. [`merge_views`](crate::merge_views) needs them to count across environments.
    pub(crate) parts: CountedSets,
}

/// The sets behind the counts of a view.
#[derive(Default)]
pub(crate) struct CountedSets {
    pub(crate) touched: BTreeSet<usize>,
    pub(crate) failing: BTreeSet<usize>,
    pub(crate) keys: BTreeSet<String>,
    pub(crate) resources: BTreeSet<String>,
    /// The files that changed and whose effect is not shown.
    pub(crate) uncompared: Uncompared,
    /// The notes on this environment alone.
    pub(crate) notes: Vec<String>,
}

/// An environment that one side alone has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoneEnvironment {
    /// Its name.
    pub name: Str,
    /// Whether the head has it.
    pub is_head: bool,
}

/// The changes of some nodes.
pub struct NodeGroup {
    /// Which nodes: `all 12 nodes`, `3 of 12 nodes: role=web`; and in which environments, if a repository has several.
    pub title: String,
    /// The environments, if a repository has several.
    pub environments: Vec<Str>,
    /// The number of nodes.
    pub count: usize,
    /// The facts that describe the nodes, or `None` if no few facts do.
    pub facts: Option<Vec<(String, String)>>,
    /// Their names.
    pub names: Vec<Str>,
    /// The changes on these nodes.
    pub changes: Vec<ChangeEntry>,
    /// The reasons of base and head why hierarchies or data cannot be used, or catalogs do not compile.
    pub reasons: [Option<String>; 2],
    /// Whether the reasons are errors of catalogs.
    pub is_catalog: bool,
}

impl NodeGroup {
    /// The reasons of base and head; for a side without one, that it works.
    pub fn reason_texts(&self) -> [&str; 2] {
        let fine = if self.is_catalog { "the catalog compiles" } else { "can be looked up" };
        [0, 1].map(|side| self.reasons[side].as_deref().unwrap_or(fine))
    }
}

/// On which sides something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// On both, and not the same.
    Changed,
    /// In the head alone.
    Added,
    /// In the base alone.
    Removed,
}

impl ChangeKind {
    /// Returns the kind for presence in the base and in the head.
    pub fn from_sides(is_in: [bool; 2]) -> ChangeKind {
        match is_in {
            [false, true] => ChangeKind::Added,
            [true, false] => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        }
    }
}

/// A key with another answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChangeEntry {
    /// The key; the reference of a resource.
    pub key: String,
    /// The sides that have it.
    pub kind: ChangeKind,
    /// The parts that differ. Empty if there were too many changes to compute the parts of each.
    pub lines: Vec<Line>,
    /// Why it changes.
    pub causes: Vec<String>,
    /// The first line of a file that causes it; where a resource is declared.
    pub place: Option<(String, u32)>,
    /// Further remarks on a resource: that it is new, what restarts.
    pub remarks: Vec<String>,
}

/// A class parameter that is declared in another way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The environments, if a repository has several.
    pub environments: Vec<Str>,
    /// The parameter with its class.
    pub key: String,
    /// The file and line of its declaration.
    pub place: (String, u32),
    /// The declarations of base and head, in words.
    pub sides: [Option<String>; 2],
}

/// A finding of `check`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewFinding {
    /// The environments, if a repository has several.
    pub environments: Vec<Str>,
    /// The rule.
    pub code: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Its file and line.
    pub place: Option<(String, u32)>,
    /// The message.
    pub message: String,
}

/// The most node names that a title lists if facts do not describe the nodes.
const MOST_NAMES: usize = 5;

/// In which of so many environments something is, as a part of a sentence: ` in environment staging`. Empty if none is
/// named.
pub fn in_environments<S: AsRef<str>>(names: &[S], all: usize) -> String {
    match names {
        [] => String::new(),
        [only] => format!(" in environment {}", only.as_ref()),
        names if names.len() == all => format!(" in all {all} environments"),
        some => format!(" in environments {}", some.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    }
}

impl View {
    /// Creates the view of a comparison.
    pub fn new(
        sides: &Sides,
        nodes: &Nodes,
        found: &ComparisonResults<'_>,
        environments: [&Environment; 2],
        mask: &Redactor,
    ) -> View {
        let ComparisonResults { report, declared, findings, catalogs } = *found;
        let head = environments[1];
        let facts: Vec<&Hash> =
            nodes.subjects.iter().map(|subject| subject.head.as_ref().unwrap_or(&subject.base).facts()).collect();
        let is_same = |catalogs: &CatalogReport| catalogs.groups.is_empty() && catalogs.broken.is_empty();
        let facts = match report.groups.is_empty() && report.broken.is_empty() && catalogs.is_none_or(is_same) {
            true => DistinguishingFacts::default(),
            false => DistinguishingFacts::new(&facts, &hierarchy_facts(head)),
        };
        // Thousands of groups have the same nodes in them.
        let shown: Vec<OnceCell<Str>> = vec![OnceCell::new(); nodes.subjects.len()];
        let name = |index: usize| -> Option<Str> {
            let subject = nodes.subjects.get(index)?;
            let shown = shown
                .get(index)?
                .get_or_init(|| mask.name(&shown_node(subject.head.as_ref().unwrap_or(&subject.base))).into());
            Some(shown.clone())
        };
        let group = |touched: &[usize]| {
            describe_nodes(touched, touched.iter().filter_map(|index| name(*index)).collect(), nodes, &facts, mask)
        };
        let subjects = &nodes.subjects;
        let changes = report.groups.iter().flat_map(|Group { nodes, changes }| {
            let changed = |change| ChangeEntry {
                remarks: remarks(change, nodes, subjects, mask),
                ..changed(change, sides, mask)
            };
            changes.iter().map(move |change| (nodes.clone(), changed(change)))
        });
        let groups: Vec<NodeGroup> = group_by_nodes(merge_equal(changes))
            .into_iter()
            .map(|(nodes, changes)| NodeGroup { changes, ..group(&nodes) })
            .collect();
        let mut broken: Vec<NodeGroup> = report
            .broken
            .iter()
            .map(|Broken { nodes, reasons }| {
                let redacted = |reason: &Option<String>| Some(mask.message(reason.as_ref()?).into_owned());
                NodeGroup { reasons: [redacted(&reasons[0]), redacted(&reasons[1])], ..group(nodes) }
            })
            .collect();
        let touched: BTreeSet<usize> = report
            .groups
            .iter()
            .flat_map(|group| &group.nodes)
            .chain(report.broken.iter().flat_map(|broken| &broken.nodes))
            .copied()
            .collect();
        let touched_catalogs = catalogs.iter().flat_map(|catalogs| {
            let changed = catalogs.groups.iter().flat_map(|group| &group.nodes);
            changed.chain(catalogs.broken.iter().flat_map(|broken| &broken.nodes)).copied()
        });
        let touched: BTreeSet<usize> = touched.into_iter().chain(touched_catalogs).collect();
        let mut own_notes = Vec::new();
        let mut catalog_groups = Vec::new();
        if let Some(catalogs) = catalogs {
            catalog_groups = catalogs::groups(catalogs, &group, sides, mask);
            broken.extend(catalogs::broken(catalogs, &group, sides));
            own_notes.extend(catalogs::notes(catalogs, sides, mask));
        }
        let resources: BTreeSet<String> =
            catalog_groups.iter().flat_map(|group| &group.changes).map(|change| change.key.clone()).collect();
        let all = || report.groups.iter().flat_map(|group| &group.changes);
        let keys: BTreeSet<String> = all().map(|change| change.key.to_string()).collect();
        own_notes.extend(failing::notes(report, sides, mask));
        let [before, now] = environments.map(Environment::missing_hierarchy);
        if let (Some(_), Some(missing)) = (before, now) {
            own_notes.push(format!("data: {missing}"));
        }
        let failing: BTreeSet<usize> = report.failing.iter().flat_map(|failing| &failing.nodes).copied().collect();
        let uncompared = Uncompared::new(sides, environments, catalogs.is_some());
        let mut notes = sides.notes();
        notes.extend(uncompared.notes());
        notes.extend(own_notes.iter().cloned());
        let fails = |change: &&Change| matches!(change.answers[1], Answer::Error(_));
        let failures = all().filter(fails).count() + broken.iter().filter(|broken| broken.reasons[1].is_some()).count();
        View {
            names: sides.names.clone(),
            nodes: report.nodes,
            classes: report.classes,
            are_synthetic: nodes.are_synthetic,
            touched: touched.len(),
            keys: keys.len(),
            failures,
            resources: resources.len(),
            has_catalogs: catalogs.is_some(),
            groups,
            broken,
            catalogs: catalog_groups,
            parameters: declared.iter().filter_map(|change| parameter(change, sides, mask)).collect(),
            findings: findings.iter().map(|finding| new_finding(finding, sides, mask)).collect(),
            notes,
            environments: Vec::new(),
            lone: Vec::new(),
            failing: failing.len(),
            ignored: catalogs.map(|catalogs| catalogs.ignored.clone()).unwrap_or_default(),
            parts: CountedSets { touched, failing, keys, resources, uncompared, notes: own_notes },
        }
    }

    /// Redacts everything that a reader without access to the files may not see: all values of keys that are secret on
    /// a side, of keys for which `is_secret` is true, and of values in which `mask` finds a secret of any revision.
    ///
    /// A key that is secret in the head may have been public in the base, so its old values would reveal the secret.
    pub fn redact_secrets(&mut self, mask: &Redactor, is_secret: &dyn Fn(&str) -> bool) {
        for change in self.groups.iter_mut().chain(&mut self.catalogs).flat_map(|group| &mut group.changes) {
            let has_decrypted = |line: &Line| {
                let text = Value::from(vec![Value::from(line.path.clone()), line.value.clone()]).inspect();
                line.is_redacted || text.contains(REDACTED) || mask.text(&text) != text
            };
            if !change.lines.is_empty() && (change.lines.iter().any(has_decrypted) || is_secret(&change.key)) {
                change.redact();
            }
        }
    }

    /// Reports whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
            && self.broken.is_empty()
            && self.catalogs.is_empty()
            && self.parameters.is_empty()
            && self.findings.is_empty()
            && self.lone.is_empty()
    }

    /// Reports whether nothing could be compared: all nodes fail on both sides for the same reason.
    fn is_blind(&self) -> bool {
        self.nodes > 0 && self.failing == self.nodes && self.touched == 0
    }

    /// In which environments something is, as a part of a sentence: ` in environment staging`. Empty if there is only
    /// one.
    pub fn within(&self, environments: &[Str]) -> String {
        in_environments(environments, self.environments.len())
    }

    /// That rules ignore changes, in a sentence.
    pub fn ignored_summary(&self) -> Option<String> {
        let names = self.ignored.iter().take(MOST_NAMES).map(String::as_str);
        let mut names: Vec<&str> = names.collect();
        if self.ignored.len() > MOST_NAMES {
            names.push("...");
        }
        (!names.is_empty())
            .then(|| format!("changes of {}: {}", counted(self.ignored.len(), "resource"), names.join(", ")))
    }

    /// A sentence that summarizes the comparison.
    pub fn headline(&self) -> String {
        let made_up = if self.are_synthetic { " (made up from the hierarchy: name facts with --facts)" } else { "" };
        let among = match self.environments.len() {
            0 => String::new(),
            count => format!(" in {}", counted(count, "environment")),
        };
        let nodes = format!("{}{made_up}{among}", counted(self.nodes, "node"));
        if self.is_blind() && self.is_empty() {
            return format!(
                "Nothing is compared, since all lookups fail on both sides: {nodes}, {} -> {}",
                self.names[0], self.names[1]
            );
        }
        if self.is_empty() {
            let what = if self.has_catalogs { "No answer and no catalog" } else { "No answer" };
            return format!("{what} changes: {nodes}, {} -> {}", self.names[0], self.names[1]);
        }
        if self.keys == 0 && self.resources == 0 && self.broken.is_empty() {
            let parameters = match self.parameters.len() {
                0 => None,
                count => Some(format!("{} of class parameters", counted(count, "declaration"))),
            };
            let findings = match self.findings.len() {
                0 => None,
                count => Some(counted(count, "new finding")),
            };
            let lone = |is_head: bool| {
                let count = self.lone.iter().filter(|lone| lone.is_head == is_head).count();
                let what = if is_head { "is new" } else { "is removed" };
                (count > 0).then(|| match count {
                    1 => format!("1 environment {what}"),
                    _ => format!("{count} environments {}", what.replace("is", "are")),
                })
            };
            let other: Vec<String> = [parameters, findings, lone(true), lone(false)].into_iter().flatten().collect();
            return format!(
                "No answer changes, but {}: {nodes}, {} -> {}",
                other.join(", "),
                self.names[0],
                self.names[1]
            );
        }
        let broken: usize =
            self.broken.iter().filter(|group| group.reasons[1].is_some()).map(|group| group.count).sum();
        if broken > 0 && self.keys == 0 && self.resources == 0 {
            let what = if self.has_catalogs { "Lookups or catalogs" } else { "Lookups" };
            return format!("{what} fail on {broken} of {nodes}, {} -> {}", self.names[0], self.names[1]);
        }
        let repaired: usize = self.broken.iter().map(|group| group.count).sum();
        if repaired > 0 && self.keys == 0 && self.resources == 0 {
            let what = if self.has_catalogs { "Lookups or catalogs" } else { "Lookups" };
            return format!(
                "{what} work on {repaired} of {nodes} that failed before, {} -> {}",
                self.names[0], self.names[1]
            );
        }
        let verb = if self.keys + self.resources == 1 { "changes" } else { "change" };
        let keys = Some(counted(self.keys, "key")).filter(|_| self.keys > 0 || self.resources == 0);
        let resources = Some(counted(self.resources, "resource")).filter(|_| self.resources > 0);
        let what: Vec<String> = keys.into_iter().chain(resources).collect();
        format!("{} {verb} on {} of {nodes}, {} -> {}", what.join(" and "), self.touched, self.names[0], self.names[1])
    }
}

/// Merges equal changes into one of all their nodes. The unchanged parts of the values do not count.
fn merge_equal(changes: impl Iterator<Item = (Vec<usize>, ChangeEntry)>) -> Vec<(Vec<usize>, ChangeEntry)> {
    let mut all: Vec<(Vec<usize>, ChangeEntry)> = Vec::new();
    let mut known: HashMap<ChangeEntry, usize> = HashMap::new();
    for (nodes, change) in changes {
        // Without parts, two changes cannot be known to be equal.
        let same = known.get(&change).filter(|_| !change.lines.is_empty());
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

/// A group without changes yet.
fn describe_nodes(
    touched: &[usize],
    names: Vec<Str>,
    nodes: &Nodes,
    facts: &DistinguishingFacts,
    mask: &Redactor,
) -> NodeGroup {
    let all = nodes.subjects.len();
    let count = touched.len();
    let of = format!("{count} of {}", counted(all, "node"));
    let (title, facts) = match facts.describe(touched) {
        Description::All if all == 1 => (names.join(", "), None),
        Description::All => (format!("all {}", counted(all, "node")), None),
        Description::Where(pairs) => {
            let pairs: Vec<(String, String)> =
                pairs.into_iter().map(|(name, value)| (name, mask.text(&value).into_owned())).collect();
            let title = match names.as_slice() {
                [only] if !nodes.are_synthetic || pairs.iter().any(|(_, value)| **value == **only) => only.to_string(),
                _ => format!("{of}: {}", describe_facts(&pairs)),
            };
            (title, Some(pairs))
        }
        Description::Named => {
            let mut shown: Vec<&str> = names.iter().take(MOST_NAMES).map(|name| &**name).collect();
            if names.len() > MOST_NAMES {
                shown.push("...");
            }
            (format!("{of}: {}", shown.join(", ")), None)
        }
    };
    let (environments, changes) = (Vec::new(), Vec::new());
    NodeGroup { title, environments, count, facts, names, changes, reasons: [None, None], is_catalog: false }
}

/// Further remarks on a change.
fn remarks(change: &Change, touched: &[usize], subjects: &[Subject], mask: &Redactor) -> Vec<String> {
    let first = touched.first().and_then(|first| subjects.get(*first)).filter(|_| change.varies);
    first.map(|first| format!("different on each node, as on {}", mask.name(&first.name))).into_iter().collect()
}

fn changed(change: &Change, sides: &Sides, mask: &Redactor) -> ChangeEntry {
    let origin = |origin: &Origin| match origin {
        Origin::File { file, line, .. } => format!("{}:{line}", sides.shown(file)),
        other => other.to_string(),
    };
    let place = change.causes.iter().find_map(|cause| match cause {
        Cause::Line { file, line, is_head: true } => Some((sides.shown(file), *line)),
        Cause::Rule { place: Some((file, line)), .. } => Some((sides.shown(file), *line)),
        Cause::Hierarchy { file, added, other, .. } => {
            Some((sides.shown(file), added.iter().chain(other).find_map(|level| level.line)?))
        }
        _ => None,
    });
    ChangeEntry {
        key: mask.name(&change.key).into_owned(),
        kind: ChangeKind::from_sides([0, 1].map(|side| !matches!(change.answers[side], Answer::Missing))),
        lines: lines_of(&change.parts, &origin),
        causes: change.causes.iter().map(|cause| describe_cause(cause, sides)).collect(),
        place,
        remarks: Vec::new(),
    }
}

/// A cause in words.
fn describe_cause(cause: &Cause, sides: &Sides) -> String {
    match cause {
        Cause::Line { file, line, is_head: true } => format!("{}:{line}", sides.shown(file)),
        Cause::Line { file, line, is_head: false } => format!("{}:{line} before the change", sides.shown(file)),
        Cause::Rule { base, head, place } => {
            let place = place.as_ref().map_or(String::new(), |(file, line)| format!(" ({}:{line})", sides.shown(file)));
            format!("a different merge rule: {base} before, {head} now{place}")
        }
        Cause::Hierarchy { file, removed, added, other, reordered } => {
            let shown = sides.shown(file);
            let named = |levels: &[LevelAt], what: &str, when: &str| {
                let level = |LevelAt { name, line }: &LevelAt| match line {
                    Some(line) => format!("'{name}' ({shown}:{line}{when})"),
                    None => format!("'{name}'"),
                };
                let levels: Vec<String> = levels.iter().map(level).collect();
                (!levels.is_empty()).then(|| format!("{what} {}", levels.join(", ")))
            };
            let order = reordered.then(|| "a different order".to_owned());
            let what: Vec<String> = [
                named(removed, "without", " before the change"),
                named(added, "with", ""),
                named(other, "a different", ""),
                order,
            ]
            .into_iter()
            .flatten()
            .collect();
            let what = if what.is_empty() { String::new() } else { format!(": {}", what.join(", ")) };
            format!("the levels of {shown}{what}")
        }
        Cause::File { file } => sides.shown(file),
        Cause::Facts => "other facts".to_owned(),
    }
}

fn new_finding(finding: &Finding, sides: &Sides, mask: &Redactor) -> NewFinding {
    let diagnostic = mask.diagnostic(&finding.diagnostic);
    let file = std::path::absolute(finding.file()).unwrap_or_else(|_| finding.file().into());
    NewFinding {
        environments: Vec::new(),
        code: finding.rule.id(),
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        place: (!finding.file().is_empty()).then(|| (sides.shown(&file), finding.line().unwrap_or(1))),
        message: diagnostic.message,
    }
}

fn parameter(change: &ParameterChange, sides: &Sides, mask: &Redactor) -> Option<Parameter> {
    let [base, head] = &change.sides;
    let declared = head.as_ref().or(base.as_ref())?;
    let describe = |declared: &Declaration| {
        let kind = declared.kind.as_deref().unwrap_or("Any");
        // A default that code writes for a secret is as secret as its value.
        let is_secret =
            |default: &String| !mask.reveals() && (kind.contains("Sensitive") || default.contains("Sensitive"));
        let default =
            declared.default.clone().map(|default| if is_secret(&default) { REDACTED.into() } else { default });
        let text = match &default {
            Some(default) => format!("{kind}, default {default}"),
            None => format!("{kind}, required"),
        };
        shortened(&mask.text(&text.split_whitespace().collect::<Vec<_>>().join(" ")))
    };
    Some(Parameter {
        environments: Vec::new(),
        key: change.key.clone(),
        place: (sides.shown(&declared.file), declared.line),
        sides: [base.as_ref().map(describe), head.as_ref().map(describe)],
    })
}

impl ChangeEntry {
    /// Leaves of what differs only that it does.
    fn redact(&mut self) {
        let redacted = |is_head: bool| Line {
            is_head,
            path: Vec::new(),
            value: REDACTED.into(),
            is_error: false,
            is_redacted: true,
            origin: None,
        };
        let sides = match self.kind {
            ChangeKind::Changed => vec![false, true],
            ChangeKind::Added => vec![true],
            ChangeKind::Removed => vec![false],
        };
        self.lines = sides.into_iter().map(redacted).collect();
        self.remarks.clear();
    }

    /// Reports whether all lines are redacted, so that the view only shows that there is a change.
    pub fn is_redacted(&self) -> bool {
        !self.lines.is_empty() && self.lines.iter().all(|line| line.is_redacted)
    }
}

/// Renders the facts that describe nodes. The name of a synthetic node is not a fact.
pub fn describe_facts(pairs: &[(String, String)]) -> String {
    let shown = |(name, value): &(String, String)| match value == SYNTHETIC {
        true => "not named by a data file".to_owned(),
        false => format!("{name}={value}"),
    };
    pairs.iter().map(shown).collect::<Vec<_>>().join(" and ")
}
