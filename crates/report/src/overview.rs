//! [`Overview`]: the table of a report, which all formats show before the details.
//!
//! A row is one change of a key or a resource, on all its nodes and with all its origins.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use hieratic::value::ErasedSort as _;
use hieratic::value::{Hash, Str};
use hieratic::{Value, diagnostics::render::visible_line};
use hieratic_impact::{Diff, Part, Presence, Side};

use crate::change::{Change, Job, Key, Resource, Severity};
use crate::counted;
use crate::notation::{part_path, part_text, yaml_text};
use crate::place::Place;
use crate::report::{ChangeGroup, MOST_NODES, NodeSet, Report, describe_facts};
use crate::truncation::{truncate, truncate_both};

/// The table of a report.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// The keys. Failing keys are first, then those with the most nodes.
    pub keys: Vec<OverviewRow>,
    /// The resources. Those with the most severe effect are first, then those with the most nodes.
    pub resources: Vec<OverviewRow>,
    /// The Nomad jobs, by name. Those that are not valid are first.
    pub jobs: Vec<OverviewRow>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverviewRow {
    /// The key, the resource or the job.
    pub name: String,
    /// The sides that have it.
    pub presence: Presence,
    /// The effect of applying a changed resource, in words. For a key it says whether lookups fail, for a job from which
    /// file it moved.
    pub effect: String,
    /// The values on one line; `None` on a side without one.
    pub values: Diff<Option<String>>,
    /// The number of other changes of the same key, which other nodes have. The values are those of the first.
    pub others: usize,
    /// The number of nodes.
    pub nodes: usize,
    /// A short description of the nodes: `all 12`, `3: role=web`.
    pub which: String,
    /// The lines that cause the change.
    pub places: Vec<Place>,
    /// The side of these lines: the base if the head has none.
    pub side: Side,
}

/// The most rows of a key. More are one row, because each node or so has another change.
const MOST_OF_KEY: usize = 3;

/// The most characters of a value in the table.
const LONGEST: usize = 50;

/// The most names of the path of a field of a job.
const PATH_OF_FIELD: usize = 2;

/// How many parts do not fit if the table shows only the path that all of them have in common.
const MANY_PARTS: usize = 3;

impl OverviewRow {
    /// Returns the number of other changes of the same key, in words; `None` without any.
    pub fn more(&self) -> Option<String> {
        (self.others > 0).then(|| counted(self.others, "other change"))
    }

    /// Returns `new`, `changed` or `removed`.
    pub fn state(&self) -> &'static str {
        self.presence.word().unwrap_or("changed")
    }

    /// Returns at most `most` ranges of neighboring lines, each as a string with its first line, and the number of the
    /// remaining ranges. One line between two others belongs to their range: it names a hash, say.
    pub fn ranges(&self, most: usize) -> (Vec<(String, Place)>, usize) {
        let mut ranges: Vec<(Place, u32)> = Vec::new();
        for place in &self.places {
            match ranges.last_mut() {
                Some((first, last)) if first.file == place.file && place.line <= last.saturating_add(2) => {
                    *last = place.line;
                }
                _ => ranges.push((place.clone(), place.line)),
            }
        }
        let more = ranges.len().saturating_sub(most);
        let text = |(first, last): (Place, u32)| match last {
            last if last > first.line => (format!("{first}-{last}"), first),
            _ => (first.to_string(), first),
        };
        (ranges.into_iter().take(most).map(text).collect(), more)
    }
}

/// The identity of a row: changes of several groups with the same identity share it.
type Identity<'c> = (&'c str, Presence, String, Vec<(&'c [Value], Diff<Option<&'c Value>>)>);

/// A row with its collected data.
struct Collected<'r> {
    row: OverviewRow,
    severity: Severity,
    places: BTreeSet<Place>,
    sets: Vec<&'r NodeSet>,
    environments: BTreeSet<&'r Str>,
}

impl Overview {
    /// The table of a report.
    pub(crate) fn new(report: &Report) -> Overview {
        let mut keys = RowCollector::default();
        let mut resources = RowCollector::default();
        let mut jobs = Vec::new();
        for group in &report.groups {
            for change in &group.changes {
                match change {
                    Change::Key(key) => keys.add(group, key_row(key), Severity::default(), &key.parts, key.places()),
                    Change::Resource(resource) => {
                        let places: Vec<Place> = resource.place.iter().cloned().collect();
                        resources.add(
                            group,
                            resource_row(resource),
                            resource.severity,
                            &resource.parts,
                            (Side::Head, places),
                        );
                    }
                    Change::Job(job) => jobs.push((!job.is_invalid(), job_row(job))),
                    Change::Failure(_) | Change::Parameter(_) | Change::Finding(_) => {}
                }
            }
        }
        jobs.sort_erased_by(|(one_valid, one), (other_valid, other)| {
            (one_valid, &one.name).cmp(&(other_valid, &other.name))
        });
        let jobs = jobs.into_iter().map(|(_, row)| row).collect();
        Overview { keys: keys.finish(report), resources: resources.finish(report), jobs }
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.resources.is_empty() && self.jobs.is_empty()
    }
}

#[derive(Default)]
struct RowCollector<'r> {
    known: HashMap<Identity<'r>, usize>,
    found: Vec<Collected<'r>>,
}

impl<'r> RowCollector<'r> {
    fn add(
        &mut self,
        group: &'r ChangeGroup,
        (name, row): (&'r str, OverviewRow),
        severity: Severity,
        parts: &'r [Part],
        (side, places): (Side, Vec<Place>),
    ) {
        let value = |part: &'r Part| {
            (part.path.as_slice(), part.values.as_ref().map(|side| side.as_ref().map(|found| &found.value)))
        };
        let identity = (name, row.presence, row.effect.clone(), parts.iter().map(value).collect());
        // Without parts, two changes cannot be known to be equal.
        let same = self.known.get(&identity).copied().filter(|_| !parts.is_empty());
        let at = match same {
            Some(at) => at,
            None => {
                self.known.insert(identity, self.found.len());
                let (places, sets, environments) = Default::default();
                self.found.push(Collected { row, severity, places, sets, environments });
                self.found.len() - 1
            }
        };
        if let Some(found) = self.found.get_mut(at) {
            // Lines of one side are shown: those of the head if there are any.
            if side == Side::Head && found.row.side == Side::Base {
                found.row.side = Side::Head;
                found.places.clear();
            }
            if side == found.row.side {
                found.places.extend(places);
            }
            found.sets.extend(&group.nodes);
            found.environments.extend(&group.environments);
        }
    }

    fn finish(self, report: &Report) -> Vec<OverviewRow> {
        let mut rows: Vec<(Severity, OverviewRow)> = combined(self.found)
            .into_iter()
            .map(|Collected { row, severity, places, sets, environments }| {
                let (nodes, which) = which(&sets, report.summary.nodes);
                let environments: Vec<&Str> = environments.into_iter().collect();
                let within = crate::in_environments(&environments, report.environments.len());
                let which = format!("{which}{within}");
                (severity, OverviewRow { nodes, which, places: places.into_iter().collect(), ..row })
            })
            .collect();
        rows.sort_erased_by(|(one_severity, one), (other_severity, other)| {
            let order = |severity: &Severity, row: &OverviewRow| (*severity, row.effect.is_empty(), Reverse(row.nodes));
            let order = order(one_severity, one).cmp(&order(other_severity, other));
            order.then_with(|| one.name.cmp(&other.name))
        });
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

/// Makes one row of the changes of a key that differ on more than a few groups of nodes. The most severe comes first,
/// then one that stands for the most nodes.
fn combined(found: Vec<Collected<'_>>) -> Vec<Collected<'_>> {
    let mut by_name: HashMap<String, usize> = HashMap::new();
    let mut keys: Vec<Vec<Collected<'_>>> = Vec::new();
    for one in found {
        let at = *by_name.entry(one.row.name.clone()).or_insert(keys.len());
        match keys.get_mut(at) {
            Some(key) => key.push(one),
            None => keys.push(vec![one]),
        }
    }
    keys.into_iter().flat_map(|key| if key.len() <= MOST_OF_KEY { key } else { combined_key(key) }).collect()
}

/// Makes one row of all changes of a key.
fn combined_key(mut changes: Vec<Collected<'_>>) -> Vec<Collected<'_>> {
    let mut nodes: HashMap<Form, usize> = HashMap::new();
    for change in &changes {
        *nodes.entry(change.form()).or_default() += change.count();
    }
    // The sort keeps the order of equal ones.
    changes.sort_by_cached_key(|one| {
        (one.severity, one.row.effect.is_empty(), Reverse(nodes.get(&one.form()).copied()), Reverse(one.count()))
    });
    let mut changes = changes.into_iter();
    let mut first = changes.next();
    if let Some(first) = &mut first {
        changes.for_each(|other| first.add_other(other));
    }
    first.into_iter().collect()
}

/// The form of a change: the sides that have the key, and those that have a value in the parts that differ.
type Form = (Presence, bool, bool);

impl Collected<'_> {
    fn form(&self) -> Form {
        let Diff { base, head } = self.row.values.as_ref().map(Option::is_some);
        (self.row.presence, base, head)
    }

    fn count(&self) -> usize {
        self.sets.iter().map(|set| set.count).sum()
    }

    /// Adds another change of the same key, which is less important.
    fn add_other(&mut self, other: Self) {
        if self.row.presence != other.row.presence {
            self.row.presence = Presence::Both;
        }
        if self.row.side == other.row.side {
            self.places.extend(other.places);
        } else if other.row.side == Side::Head {
            (self.places, self.row.side) = (other.places, Side::Head);
        }
        self.sets.extend(other.sets);
        self.environments.extend(other.environments);
        self.row.others += other.row.others + 1;
    }
}

fn key_row(key: &Key) -> (&str, OverviewRow) {
    let fails = Diff { base: Side::Base, head: Side::Head }.map(|side| {
        key.parts.iter().any(|part| part.values.as_ref().side(side).as_ref().is_some_and(|found| found.is_error))
    });
    let effect = match (fails.head, &key.as_on) {
        (true, _) if fails.base => "fails, as before".to_owned(),
        (true, _) => "fails".to_owned(),
        (false, Some(_)) => "differs by node".to_owned(),
        (false, None) => String::new(),
    };
    (&key.key, row(&key.key, key.presence, effect, &key.parts))
}

fn resource_row(resource: &Resource) -> (&str, OverviewRow) {
    let word = resource.presence.word();
    let effects = resource.remarks.iter().filter(|remark| Some(remark.as_str()) != word).map(String::as_str);
    let effect = effects.collect::<Vec<_>>().join(", ");
    (&resource.reference, row(&resource.reference, resource.presence, effect, &resource.parts))
}

fn job_row(job: &Job) -> OverviewRow {
    let moved = job.moved_from.as_ref().map(|file| format!("moved from {file}")).unwrap_or_default();
    // The names of the group and the task would leave no room for the values.
    let shortened = |part: &Part| {
        let start = part.path.len().saturating_sub(PATH_OF_FIELD);
        Part { path: part.path.iter().skip(start).cloned().collect(), ..part.clone() }
    };
    let parts: Vec<Part> = job.parts.iter().map(shortened).collect();
    let mut row = row(&job.title(), job.presence, moved, &parts);
    if job.presence == Presence::Both && !job.states.is_same() {
        row.values = job.states.as_ref().map(|state| state.as_ref().map(|text| truncate(&visible_line(text), LONGEST)));
    }
    row.places.push(job.place.clone());
    row.side = if job.presence == Presence::Base { Side::Base } else { Side::Head };
    row
}

fn row(name: &str, presence: Presence, effect: String, parts: &[Part]) -> OverviewRow {
    let values = match presence {
        Presence::Both => changed(parts),
        Presence::Head | Presence::Base => Diff { base: Side::Base, head: Side::Head }.map(|side| whole(parts, side)),
    };
    let values = values.map(|side| side.map(|text| visible_line(&text)));
    OverviewRow {
        name: name.to_owned(),
        presence,
        effect,
        values,
        others: 0,
        nodes: 0,
        which: String::new(),
        places: Vec::new(),
        side: Side::Base,
    }
}

/// The parts that differ on each side. Of many only the first are shown, or the path that they have in common.
fn changed(parts: &[Part]) -> Diff<Option<String>> {
    let text = |side: Side| {
        let found: Vec<(&[Value], String)> = parts.iter().filter_map(|part| shown_part(part, side)).collect();
        let fits = |count: &usize| {
            found.iter().take(*count).map(|(_, text)| text.chars().count() + 2).sum::<usize>() <= LONGEST + 2
        };
        let most = (1..=found.len()).take_while(fits).last().unwrap_or(1).max(1);
        let more = found.len().saturating_sub(most);
        let common = common_path(found.iter().map(|(path, _)| *path));
        if more >= MANY_PARTS && !common.is_empty() {
            return Some((format!("{} ({})", part_path(common), counted(found.len(), "value")), 0));
        }
        let shown = found.iter().take(most).map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(", ");
        (!found.is_empty()).then_some((shown, more))
    };
    let found = Diff { base: Side::Base, head: Side::Head }.map(text);
    let texts = found.as_ref().map(|side| side.as_ref().map_or("", |(shown, _)| shown));
    truncate_both(texts, Diff { base: LONGEST, head: LONGEST }).zip(found).map(|(shown, found)| match found? {
        (_, 0) => Some(shown),
        (_, more) => Some(format!("{shown} and {more} more")),
    })
}

/// The path of a part on a side, and its text.
fn shown_part(part: &Part, side: Side) -> Option<(&[Value], String)> {
    let value = part.values.as_ref().side(side).as_ref()?;
    let path = part.moved_from.as_ref().filter(|_| side == Side::Base).unwrap_or(&part.path);
    let text = if value.is_error { error_text(&value.value) } else { part_text(path, &value.value) };
    Some((path, text))
}

/// The message of an error.
fn error_text(message: &Value) -> String {
    format!("error: {}", message.to_text().trim())
}

/// The beginning that all paths have in common.
fn common_path<'p>(mut paths: impl Iterator<Item = &'p [Value]>) -> &'p [Value] {
    let Some(first) = paths.next() else { return &[] };
    let shared = |length: usize, path: &[Value]| {
        first.iter().zip(path).take(length).take_while(|(one, other)| one == other).count()
    };
    let length = paths.fold(first.len(), shared);
    first.get(..length).unwrap_or_default()
}

/// The value of a side that has all of it in the parts.
fn whole(parts: &[Part], side: Side) -> Option<String> {
    if let [Part { values, .. }] = parts
        && let Some(found) = values.as_ref().side(side).as_ref().filter(|found| found.is_error)
    {
        return Some(truncate(&error_text(&found.value), LONGEST));
    }
    let found: Vec<(&[Value], &Value)> = parts
        .iter()
        .filter_map(|part| Some((part.path.as_slice(), &part.values.as_ref().side(side).as_ref()?.value)))
        .collect();
    (!found.is_empty()).then(|| truncate(&yaml_text(&value_of_parts(&found, 0)), LONGEST))
}

/// The deepest nesting that is put together.
const DEEPEST: usize = 64;

/// A value made of its scalars, in order. Indexes that count from 0 are those of an array.
pub(crate) fn value_of_parts(parts: &[(&[Value], &Value)], depth: usize) -> Value {
    let Some((first, value)) = parts.first() else { return Value::Undef };
    if first.len() <= depth || depth >= DEEPEST {
        return (*value).clone();
    }
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    let mut rest = parts;
    while let Some(((path, _), after)) = rest.split_first() {
        let Some(segment) = path.get(depth) else {
            rest = after;
            continue;
        };
        let count = rest.iter().take_while(|(path, _)| path.get(depth) == Some(segment)).count();
        let (own, after) = rest.split_at(count);
        pairs.push((segment.clone(), value_of_parts(own, depth + 1)));
        rest = after;
    }
    let is_array = pairs.iter().enumerate().all(|(index, (segment, _))| *segment == Value::from(index));
    if is_array {
        pairs.into_iter().map(|(_, value)| value).collect()
    } else {
        Value::from(pairs.into_iter().collect::<Hash>())
    }
}

/// The number of nodes of several sets, and which they are. A node is in one of the sets, or, with several
/// environments, in more.
fn which(sets: &[&NodeSet], all: usize) -> (usize, String) {
    match sets {
        [] => (0, String::new()),
        [set] => (set.count, set.words(all)),
        sets => {
            let names: BTreeSet<&Str> = sets.iter().flat_map(|set| &set.names).collect();
            let names: Vec<&str> = names.into_iter().map(|name| &**name).collect();
            (names.len(), words(&names, all))
        }
    }
}

impl NodeSet {
    /// Describes the nodes in a few words.
    fn words(&self, all: usize) -> String {
        match &self.facts {
            Some(facts) if self.count > 1 => format!("{}: {}", self.count, describe_facts(facts)),
            _ if self.names.is_empty() => self.title.clone(),
            _ => words(&self.names.iter().map(|name| &**name).collect::<Vec<_>>(), all),
        }
    }
}

fn words(names: &[&str], all: usize) -> String {
    match names {
        [only] => (*only).to_owned(),
        names if names.len() == all => format!("all {all}"),
        names => {
            let shown = names.iter().take(MOST_NODES).copied().collect::<Vec<_>>().join(", ");
            match names.len().saturating_sub(MOST_NODES) {
                0 => format!("{}: {shown}", names.len()),
                more => format!("{}: {shown} and {more} more", names.len()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_one_line_between_others() {
        let place = |line| Place { file: "a.yaml".into(), line };
        let mut row = row("k", Presence::Both, String::new(), &[]);
        row.places = [1, 2, 4, 7, 8, 20].map(place).to_vec();
        let (ranges, more) = row.ranges(2);
        assert_eq!(ranges, [("a.yaml:1-4".to_owned(), place(1)), ("a.yaml:7-8".to_owned(), place(7))]);
        assert_eq!(more, 1);
    }

    #[test]
    fn parts_that_do_not_fit_are_named_by_their_common_path() {
        let value = |text: &str| hieratic_impact::PartValue {
            value: text.into(),
            origin: None,
            is_error: false,
            is_redacted: false,
        };
        let part = |name: &str| {
            let path = ["web", "connection", name].map(Value::from).to_vec();
            Part::new(path, Diff { base: None, head: Some(value("a-rather-long-value-of-it")) })
        };
        let few = changed(&["id", "type"].map(part));
        assert_eq!(few.head.as_deref(), Some("web.connection.id: a-rather-long-value-of-it and 1 more"));
        let many = changed(&["id", "type", "uuid", "mtu"].map(part));
        assert_eq!((many.base, many.head.as_deref()), (None, Some("web.connection (4 values)")));
    }
}
