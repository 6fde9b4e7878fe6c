//! The changes of catalogs, in the form in which a [`View`](crate::View) shows them.

use std::collections::BTreeSet;
use std::path::Path;

use hieratic::{Origin, Redactor};
use hieratic_impact::{Broken, CatalogGroup, CatalogReport, Effect, ResourceDelta};

use crate::counted;
use crate::rows::lines_of;
use crate::sides::Sides;
use crate::view::{ChangeEntry, ChangeKind, NodeGroup};

/// Describes some nodes as a group without changes.
type DescribeNodes<'d> = &'d dyn Fn(&[usize]) -> NodeGroup;

/// The changes of resources, as groups of nodes.
pub(crate) fn groups(
    report: &CatalogReport,
    group: DescribeNodes<'_>,
    sides: &Sides,
    mask: &Redactor,
) -> Vec<NodeGroup> {
    let shown = |CatalogGroup { nodes, resources }: &CatalogGroup| {
        let changes = resources.iter().map(|delta| changed(delta, sides, mask)).collect();
        NodeGroup { changes, ..titled(group(nodes)) }
    };
    report.groups.iter().map(shown).collect()
}

/// The nodes whose catalogs fail on a side.
pub(crate) fn broken(report: &CatalogReport, group: DescribeNodes<'_>, sides: &Sides) -> Vec<NodeGroup> {
    let root = sides.root_prefix();
    let shown = |Broken { nodes, reasons }: &Broken| {
        let reasons = reasons.clone().map(|reason| Some(reason?.replace(&root, "")));
        NodeGroup { reasons, is_catalog: true, ..titled(group(nodes)) }
    };
    report.broken.iter().map(shown).collect()
}

/// The most names that a note lists.
const MOST_NAMES: usize = 5;

/// The parts of catalogs that could not be compared, as notes.
pub(crate) fn notes(report: &CatalogReport, sides: &Sides, mask: &Redactor) -> Vec<String> {
    let mut notes = Vec::new();
    if report.failing > 0 {
        let count = counted(report.failing, "node");
        notes.push(format!("the catalogs of {count}, which fail on both sides with the same message"));
    }
    let listed = |all: &BTreeSet<String>| {
        let shown = all.iter().take(MOST_NAMES).map(|name| mask.text(name).replace(&sides.root_prefix(), ""));
        let more = (all.len() > MOST_NAMES).then(|| "...".to_owned());
        shown.chain(more).collect::<Vec<String>>().join(", ")
    };
    if !report.elsewhere.is_empty() {
        let count = counted(report.elsewhere.len(), "source");
        notes.push(format!("the content of {count} outside of the modules: {}", listed(&report.elsewhere)));
    }
    if !report.unread.is_empty() {
        let count = counted(report.unread.len(), "file");
        notes.push(format!("the content of {count} that cannot be read: {}", listed(&report.unread)));
    }
    notes
}

fn titled(group: NodeGroup) -> NodeGroup {
    let word = if group.count == 1 { "catalog" } else { "catalogs" };
    NodeGroup { title: format!("{word} of {}", group.title), ..group }
}

fn changed(delta: &ResourceDelta, sides: &Sides, mask: &Redactor) -> ChangeEntry {
    let state = match delta.is_in {
        [false, true] => Some("new".to_owned()),
        [true, false] => Some("removed".to_owned()),
        _ => None,
    };
    let place = delta.place.as_ref().map(|(file, line)| (sides.shown(Path::new(file)), *line));
    let origin = |origin: &Origin| origin.to_string().replace(&sides.root_prefix(), "");
    ChangeEntry {
        key: mask.name(&delta.reference).into_owned(),
        kind: ChangeKind::from_sides(delta.is_in),
        lines: lines_of(&delta.parts, &origin),
        causes: Vec::new(),
        place: place.filter(|_| delta.is_in[1]),
        remarks: state.into_iter().chain(delta.effects.iter().map(|effect| describe_effect(effect, mask))).collect(),
    }
}

/// The effect of applying the change, in words.
fn describe_effect(effect: &Effect, mask: &Redactor) -> String {
    match effect {
        Effect::Refreshes(service) if service.starts_with("Service[") => format!("restarts {}", mask.text(service)),
        Effect::Refreshes(command) => format!("runs {}", mask.text(command)),
        Effect::Package => "changes the package".to_owned(),
        Effect::Content => "changes the content".to_owned(),
        Effect::SourceMissing => "its source is missing".to_owned(),
    }
}
