//! [`Report`]: the result of a comparison, for all formats.

use std::collections::BTreeSet;

use hieratic::value::Str;
use hieratic::value::text::REDACTED;
use hieratic::{Redactor, Value};
use hieratic_impact::{Diff, Side};
use hieratic_lint::SYNTHETIC;
use serde::Serialize;

use crate::change::{Change, ChangeKind, Secrecy};
use crate::counted;
use crate::forge::ForgeLinks;
use crate::overview::Overview;
use crate::place::Place;
use crate::rows::LONGEST;
use crate::truncation::truncate;
use crate::uncompared::Uncompared;

/// The changes between base and head. Secrets are redacted, and paths are relative to the root.
#[derive(Default)]
pub struct Report {
    /// The names of the sides.
    pub names: Diff<String>,
    /// The counts.
    pub summary: Summary,
    /// Whether catalogs are compared.
    pub has_catalogs: bool,
    /// Whether the repository has no data of Hiera, so that only its jobs are compared.
    pub is_without_data: bool,
    /// The changes, grouped by kind and by the affected nodes. Groups with the most nodes are first.
    pub groups: Vec<ChangeGroup>,
    /// The parts that were not or could not be compared.
    pub notes: Vec<String>,
    /// The names of the environments that were compared, if a repository has several.
    pub environments: Vec<Str>,
    /// The name of the environment, if only one was compared.
    pub only_environment: Str,
    /// The environments that only one side has.
    pub lone: Vec<LoneEnvironment>,
    /// The number of nodes whose lookups fail on both sides with the same error.
    pub failing: usize,
    /// The links to the lines of each side at a forge.
    pub forge: Diff<Option<ForgeLinks>>,
    /// The command that shows the complete report, for formats that are truncated. It is empty if there is none.
    pub command: String,
    /// The resources with changes that rules ignore.
    pub ignored: BTreeSet<String>,
    /// The sets behind the counts. [`merge_reports`](crate::merge_reports) needs them to count across environments.
    pub(crate) counted: CountedSets,
}

/// The counts of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The number of nodes that were compared.
    pub nodes: usize,
    /// The number of distinct nodes whose keys were looked up.
    #[serde(rename = "asked")]
    pub classes: usize,
    /// Whether the nodes are synthetic: derived from the paths of data files.
    #[serde(rename = "made_up")]
    pub are_synthetic: bool,
    /// The number of nodes with changes.
    pub changed_nodes: usize,
    /// The number of keys with changes.
    pub changed_keys: usize,
    /// The number of changed resources, if catalogs are compared.
    pub changed_resources: usize,
    /// The number of answers and catalogs that fail in the head but not in the base.
    pub failures: usize,
}

/// The sets behind the counts of a report.
#[derive(Default)]
pub(crate) struct CountedSets {
    pub(crate) nodes: BTreeSet<usize>,
    pub(crate) failing: BTreeSet<usize>,
    pub(crate) keys: BTreeSet<String>,
    pub(crate) resources: BTreeSet<String>,
    /// The files that changed and whose effect is not shown.
    pub(crate) uncompared: Uncompared,
    /// The notes on this environment alone.
    pub(crate) notes: Vec<String>,
    /// Whether values may change that were not compared: keys fail on both sides, or no hierarchy reads the data.
    pub(crate) is_uncertain: bool,
}

/// An environment that only one side has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoneEnvironment {
    /// The name of the environment.
    pub name: Str,
    /// The side that has it.
    pub side: Side,
}

impl LoneEnvironment {
    /// Returns `new` or `removed`.
    pub fn word(&self) -> &'static str {
        match self.side {
            Side::Base => "removed",
            Side::Head => "new",
        }
    }
}

/// Changes of the same kind, on the same nodes of the same environments.
#[derive(Clone, Debug)]
pub struct ChangeGroup {
    /// The nodes; `None` for changes of the repository.
    pub nodes: Option<NodeSet>,
    /// The environments, if a repository has several.
    pub environments: Vec<Str>,
    /// The changes, at least one.
    pub changes: Vec<Change>,
}

/// A set of compared nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeSet {
    /// A description of the nodes: `all 12 nodes`, `3 of 12 nodes: role=web`.
    pub title: String,
    /// The number of nodes.
    pub count: usize,
    /// The facts that describe the nodes, or `None` if a few facts do not suffice.
    pub facts: Option<Vec<(String, String)>>,
    /// The names of the nodes.
    pub names: Vec<Str>,
}

impl ChangeGroup {
    /// Returns the kind of the changes in the group.
    pub fn kind(&self) -> Option<&'static ChangeKind> {
        self.changes.first().map(Change::kind)
    }

    /// Returns the number of nodes of the group.
    pub fn count(&self) -> usize {
        self.nodes.as_ref().map_or(0, |nodes| nodes.count)
    }

    /// Returns the names of the nodes of the group.
    pub fn names(&self) -> &[Str] {
        self.nodes.as_ref().map_or(&[], |nodes| &nodes.names)
    }
}

/// The most names that a sentence lists.
pub(crate) const MOST_NAMES: usize = 5;

/// The most names of nodes in a title.
pub(crate) const MOST_NODES: usize = 3;

/// Returns the names of some environments as a part of a sentence: ` in environment staging`. `all` is the number of
/// all environments. Returns an empty string without names.
pub fn in_environments<S: AsRef<str>>(names: &[S], all: usize) -> String {
    match names {
        [] => String::new(),
        [only] => format!(" in environment {}", only.as_ref()),
        names if names.len() == all => format!(" in all {all} environments"),
        some => format!(" in environments {}", some.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    }
}

impl Report {
    /// Returns the groups of a kind.
    pub fn groups_of(&self, kind: &'static ChangeKind) -> impl Iterator<Item = &ChangeGroup> {
        self.groups.iter().filter(move |group| group.kind() == Some(kind))
    }

    /// Returns the kinds with changes and their groups, in the order of the output.
    pub fn sections(&self) -> impl Iterator<Item = (&'static ChangeKind, Vec<&ChangeGroup>)> {
        let first = Change::KINDS.into_iter().filter(|kind| kind.is_first);
        let kinds = first.chain(Change::KINDS.into_iter().filter(|kind| !kind.is_first));
        let sections = kinds.map(|kind| (kind, self.groups_of(kind).collect::<Vec<_>>()));
        sections.filter(|(_, groups)| !groups.is_empty())
    }

    /// Returns all changes.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.groups.iter().flat_map(|group| &group.changes)
    }

    /// Returns the number of changes of a kind.
    pub fn count(&self, kind: &'static ChangeKind) -> usize {
        self.groups_of(kind).map(|group| group.changes.len()).sum()
    }

    /// Returns the title of a group: its nodes and, if the repository has several environments, their names.
    pub fn title(&self, group: &ChangeGroup) -> String {
        let catalogs = match group.changes.first() {
            Some(change) if change.is_about_catalogs() && group.count() == 1 => "catalog of ",
            Some(change) if change.is_about_catalogs() => "catalogs of ",
            _ => "",
        };
        let nodes = group.nodes.as_ref().map_or("", |nodes| &nodes.title);
        format!("{catalogs}{nodes}{}", self.within(&group.environments))
    }

    /// Redacts everything that a reader without access to the files may not see: all values of keys that are secret on
    /// a side or for which `is_secret` returns true, and all values in which `redactor` finds a secret of any revision.
    ///
    /// A key that is secret in the head may have been public in the base, so its old values would reveal the secret.
    pub fn redact_secrets(&mut self, redactor: &Redactor, is_secret: &dyn Fn(&str) -> bool) {
        let has_secret = |value: &Value| {
            let text = value.inspect();
            text.contains(REDACTED) || redactor.text(&text) != text
        };
        let secrecy = Secrecy { is_secret_key: is_secret, has_secret: &has_secret };
        for change in self.groups.iter_mut().flat_map(|group| &mut group.changes) {
            change.redact_secrets(&secrecy);
        }
    }

    /// Returns whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.lone.is_empty()
    }

    /// Returns whether nothing could be compared: all nodes fail on both sides for the same reason.
    fn is_blind(&self) -> bool {
        let Summary { nodes, changed_nodes, .. } = self.summary;
        nodes > 0 && self.failing == nodes && changed_nodes == 0
    }

    /// Returns the names of environments as a part of a sentence: ` in environment staging`. Returns an empty string if
    /// the repository has only one.
    pub fn within(&self, environments: &[Str]) -> String {
        in_environments(environments, self.environments.len())
    }

    /// Returns a sentence about the ignored changes, or `None` if there are none.
    pub fn ignored_summary(&self) -> Option<String> {
        let names = self.ignored.iter().take(MOST_NAMES).map(String::as_str);
        let mut names: Vec<&str> = names.collect();
        if self.ignored.len() > MOST_NAMES {
            names.push("...");
        }
        (!names.is_empty())
            .then(|| format!("changes of {}: {}", counted(self.ignored.len(), "resource"), names.join(", ")))
    }

    /// Returns a sentence that summarizes the comparison.
    pub fn headline(&self) -> String {
        let Summary { nodes, are_synthetic, changed_nodes, changed_keys: keys, changed_resources: resources, .. } =
            self.summary;
        let synthetic = if are_synthetic { " (made up from the hierarchy: name facts with --facts)" } else { "" };
        let among = match self.environments.len() {
            0 => String::new(),
            count => format!(" in {}", counted(count, "environment")),
        };
        let nodes = format!("{}{synthetic}{among}", counted(nodes, "node"));
        let sides = format!("{} -> {}", self.names.base, self.names.head);
        if self.is_without_data {
            let count = self.changes().count();
            let verb = if count == 1 { "changes" } else { "change" };
            let others = self.count_others().join(", ");
            return if count == 0 { format!("No job changes: {sides}") } else { format!("{others} {verb}: {sides}") };
        }
        if self.is_blind() && self.is_empty() {
            return format!("Nothing is compared, since all lookups fail on both sides: {nodes}, {sides}");
        }
        let subject = if self.has_catalogs { "No values and no catalogs" } else { "No values" };
        let verb = if self.counted.is_uncertain { "are known to change" } else { "change" };
        if self.is_empty() {
            return format!("{subject} {verb}: {nodes}, {sides}");
        }
        let (mut failing, mut all) = (0, 0);
        for group in &self.groups {
            if let [Change::Failure(failure), ..] = group.changes.as_slice() {
                all += group.count();
                failing += if failure.reasons.head.is_some() { group.count() } else { 0 };
            }
        }
        if keys == 0 && resources == 0 {
            let operations = if self.has_catalogs { "Lookups or catalogs" } else { "Lookups" };
            if failing > 0 {
                return format!("{operations} fail on {failing} of {nodes}, {sides}");
            }
            if all > 0 {
                return format!("{operations} work on {all} of {nodes} that failed before, {sides}");
            }
            return format!("{subject} {verb}, but {}: {nodes}, {sides}", self.count_others().join(", "));
        }
        let verb = if keys + resources == 1 { "changes" } else { "change" };
        let keys = Some(counted(keys, "key")).filter(|_| keys > 0 || resources == 0);
        let resources = Some(counted(resources, "resource")).filter(|_| resources > 0);
        let subject: Vec<String> = keys.into_iter().chain(resources).collect();
        format!("{} {verb} on {changed_nodes} of {nodes}, {sides}", subject.join(" and "))
    }

    /// Returns the first line of all formats: the numbers of changes, nodes and failures, and the parts that were not
    /// compared.
    pub fn first_line(&self) -> String {
        let mut line = self.headline();
        let findings = self.changes().filter(|change| matches!(change, Change::Finding(_))).count();
        let mut more = Vec::new();
        // A report without changed keys says that lookups fail.
        let changes = self.summary.changed_keys + self.summary.changed_resources;
        match self.summary.failures {
            0 => {}
            _ if changes == 0 => {}
            count => {
                let operation = if self.has_catalogs { "lookup or catalog" } else { "lookup" };
                let plural = if self.has_catalogs { "lookups or catalogs" } else { "lookups" };
                more.push(if count == 1 { format!("1 {operation} fails") } else { format!("{count} {plural} fail") });
            }
        }
        // A report without changed keys counts them already.
        if findings > 0 && changes > 0 {
            more.push(counted(findings, "new finding"));
        }
        match self.notes.as_slice() {
            [] => {}
            [only] => more.push(format!("not compared: {}", truncate(only, LONGEST))),
            // The first one says which values are not known.
            [first, others @ ..] if self.counted.is_uncertain && changes == 0 => {
                more.push(format!(
                    "not compared: {} and {}",
                    truncate(first, LONGEST),
                    counted(others.len(), "more part")
                ));
            }
            notes => more.push(format!("{} not compared", counted(notes.len(), "part"))),
        }
        more.iter().for_each(|more| line.push_str(&format!("; {more}")));
        line
    }

    /// Returns the address of a line of one side at the forge.
    pub fn link(&self, side: Side, place: &Place) -> Option<String> {
        let forge = self.forge.as_ref().side(side).as_ref()?;
        Some(forge.line(&place.file, place.line))
    }

    /// Returns the table of the changed keys and resources.
    pub fn overview(&self) -> Overview {
        Overview::new(self)
    }

    /// The changes that are not of nodes, counted in words.
    fn count_others(&self) -> Vec<String> {
        let kinds = Change::KINDS.into_iter().filter_map(|kind| Some((kind, kind.heading.as_ref()?)));
        let changes = kinds.filter_map(|(kind, heading)| match self.count(kind) {
            0 => None,
            count => Some(format!("{}{}", counted(count, heading.noun), heading.noun_of)),
        });
        let lone = [Side::Head, Side::Base].into_iter().filter_map(|side| {
            let mut lone = self.lone.iter().filter(|lone| lone.side == side);
            let word = lone.next()?.word();
            Some(match lone.count() {
                0 => format!("1 environment is {word}"),
                more => format!("{} environments are {word}", more + 1),
            })
        });
        changes.chain(lone).collect()
    }
}

/// Formats the facts that describe nodes. The name of a synthetic node is left out.
pub fn describe_facts(pairs: &[(String, String)]) -> String {
    let shown = |(name, value): &(String, String)| {
        if value == SYNTHETIC { "without their own data file".to_owned() } else { format!("{name}={value}") }
    };
    pairs.iter().map(shown).collect::<Vec<_>>().join(" and ")
}
