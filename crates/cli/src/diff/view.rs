//! [`View`]: what all formats show of a comparison.

use std::collections::BTreeSet;

use hieratic::{Environment, Error, Hash, Mask, Value};
use hieratic_audit::Finding;
use hieratic_changes::{
    Broken, Cause, Change, Declared, Description, Found, Group, NodeFacts, ParameterChange, Part, Report, named_facts,
};

use hieratic_diagnostics::Severity;

use super::nodes::Nodes;
use super::sides::Sides;
use super::{Format, html, json, markdown, text, usage};
use crate::fleet::{shown_facts, shown_name};
use crate::output;
use crate::report::Reporter;

/// What is shown of a comparison.
pub(super) struct View {
    /// What the sides are called.
    pub(super) names: [String; 2],
    /// How many nodes were compared, and how many of these had to be asked.
    pub(super) nodes: usize,
    pub(super) classes: usize,
    pub(super) are_made_up: bool,
    /// How many nodes have other answers.
    pub(super) touched: usize,
    /// How many keys have other answers.
    pub(super) keys: usize,
    /// How many answers fail now that did not.
    pub(super) failures: usize,
    pub(super) groups: Vec<NodeGroup>,
    pub(super) broken: Vec<NodeGroup>,
    pub(super) parameters: Vec<Parameter>,
    /// What `check` finds in the head and did not find in the base.
    pub(super) findings: Vec<Told>,
    pub(super) notes: Vec<String>,
}

/// The changes of some nodes.
pub(super) struct NodeGroup {
    /// Which nodes: `all 12 nodes`, `3 of 12 nodes: role=web`.
    pub(super) title: String,
    pub(super) count: usize,
    /// The facts that describe them; none if no few facts do.
    pub(super) facts: Option<Vec<(String, String)>>,
    /// Their names.
    pub(super) names: Vec<String>,
    pub(super) changes: Vec<Changed>,
    /// Why hierarchies or data cannot be used, before and now.
    pub(super) reasons: [Option<String>; 2],
}

/// A key with another answer.
pub(super) struct Changed {
    pub(super) key: String,
    pub(super) lines: Vec<Line>,
    pub(super) causes: Vec<String>,
    /// The first line of a file that causes it.
    pub(super) place: Option<(String, u32)>,
}

/// A part of a value on one side.
pub(super) struct Line {
    pub(super) is_head: bool,
    pub(super) path: Vec<Value>,
    pub(super) value: Value,
    pub(super) is_fault: bool,
    pub(super) is_covered: bool,
    pub(super) origin: Option<String>,
}

/// A class parameter that is declared in another way.
pub(super) struct Parameter {
    pub(super) key: String,
    pub(super) place: (String, u32),
    /// What is said of it, before and now.
    pub(super) sides: [Option<String>; 2],
}

/// A finding of `check`.
pub(super) struct Told {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) place: Option<(String, u32)>,
    pub(super) message: String,
}

/// How many names of nodes are shown where facts do not describe them.
const MOST_NAMES: usize = 5;
/// How long a value may be on one line.
pub(super) const LONGEST: usize = 160;

impl View {
    pub(super) fn of(
        sides: &Sides,
        nodes: &Nodes,
        report: &Report,
        declared: &[ParameterChange],
        findings: &[Finding],
        head: &Environment,
        mask: &Mask,
    ) -> View {
        let facts: Vec<&Hash> =
            nodes.subjects.iter().map(|subject| subject.head.as_ref().unwrap_or(&subject.base).facts()).collect();
        let facts = match report.groups.is_empty() && report.broken.is_empty() {
            true => NodeFacts::default(),
            false => NodeFacts::of(&facts, &named_facts(head)),
        };
        let group = |touched: &[usize]| described(touched, nodes, &facts, mask);
        let groups: Vec<NodeGroup> = report
            .groups
            .iter()
            .map(|Group { nodes, changes }| NodeGroup {
                changes: changes.iter().map(|change| changed(change, sides, mask)).collect(),
                ..group(nodes)
            })
            .collect();
        let broken: Vec<NodeGroup> = report
            .broken
            .iter()
            .map(|Broken { nodes, reasons }| {
                let covered = |reason: &Option<String>| Some(mask.message(reason.as_ref()?).into_owned());
                NodeGroup { reasons: [covered(&reasons[0]), covered(&reasons[1])], ..group(nodes) }
            })
            .collect();
        let touched: BTreeSet<usize> = report
            .groups
            .iter()
            .flat_map(|group| &group.nodes)
            .chain(report.broken.iter().flat_map(|broken| &broken.nodes))
            .copied()
            .collect();
        let all = || report.groups.iter().flat_map(|group| &group.changes);
        let keys: BTreeSet<&str> = all().map(|change| &*change.key).collect();
        let fails = |change: &&Change| matches!(change.answers[1], hieratic_changes::Answer::Fault(_));
        let failures = all().filter(fails).count() + broken.iter().filter(|broken| broken.reasons[1].is_some()).count();
        View {
            names: sides.names.clone(),
            nodes: report.nodes,
            classes: report.classes,
            are_made_up: nodes.are_made_up,
            touched: touched.len(),
            keys: keys.len(),
            failures,
            groups,
            broken,
            parameters: declared.iter().filter_map(|change| parameter(change, sides)).collect(),
            findings: findings.iter().map(|finding| found(finding, sides, mask)).collect(),
            notes: sides.notes().to_vec(),
        }
    }

    /// Whether nothing changes.
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.broken.is_empty() && self.parameters.is_empty() && self.findings.is_empty()
    }

    /// What was compared, in a sentence.
    pub(super) fn headline(&self) -> String {
        let made_up = if self.are_made_up { " (made up from the hierarchy: name facts with --facts)" } else { "" };
        let nodes = format!("{}{made_up}", output::counted(self.nodes, "node"));
        if self.is_empty() {
            return format!("No answer changes: {nodes}, {} -> {}", self.names[0], self.names[1]);
        }
        if self.keys == 0 && self.broken.is_empty() {
            let parameters = match self.parameters.len() {
                0 => None,
                count => Some(format!("{} of class parameters", output::counted(count, "declaration"))),
            };
            let findings = match self.findings.len() {
                0 => None,
                count => Some(output::counted(count, "new finding")),
            };
            let other: Vec<String> = [parameters, findings].into_iter().flatten().collect();
            return format!(
                "No answer changes, but {}: {nodes}, {} -> {}",
                other.join(", "),
                self.names[0],
                self.names[1]
            );
        }
        let broken: usize =
            self.broken.iter().filter(|group| group.reasons[1].is_some()).map(|group| group.count).sum();
        if broken > 0 && self.keys == 0 {
            return format!("Lookups fail on {broken} of {nodes}, {} -> {}", self.names[0], self.names[1]);
        }
        let verb = if self.keys == 1 { "changes" } else { "change" };
        format!(
            "{} {verb} on {} of {nodes}, {} -> {}",
            output::counted(self.keys, "key"),
            self.touched,
            self.names[0],
            self.names[1]
        )
    }

    pub(super) fn print(&self, format: Format, reporter: &Reporter) -> Result<(), Error> {
        match format {
            Format::Text => reporter.print_text(text::written(self, reporter.colors_answers()).as_bytes()),
            Format::Markdown => reporter.print_text(markdown::written(self).as_bytes()),
            Format::Html => reporter.print_text(html::written(self).as_bytes()),
            Format::Json => reporter.tell_data(&json::written(self), hieratic_render::RenderAs::Json).map_err(usage)?,
            Format::Github => reporter.print_text(text::annotations(self).as_bytes()),
        }
        Ok(())
    }
}

/// A group without changes yet.
fn described(touched: &[usize], nodes: &Nodes, facts: &NodeFacts, mask: &Mask) -> NodeGroup {
    let names: Vec<String> = touched
        .iter()
        .filter_map(|index| nodes.subjects.get(*index))
        .map(|subject| mask.name(&subject.name).into_owned())
        .collect();
    let all = nodes.subjects.len();
    let count = touched.len();
    let of = format!("{count} of {}", output::counted(all, "node"));
    let (title, facts) = match facts.describe(touched) {
        Description::All if all == 1 => (names.join(", "), None),
        Description::All => (format!("all {}", output::counted(all, "node")), None),
        Description::Where(pairs) => {
            let pairs: Vec<(String, String)> =
                pairs.into_iter().map(|(name, value)| (name, mask.text(&value).into_owned())).collect();
            let title = match names.as_slice() {
                [only] if !nodes.are_made_up || pairs.iter().any(|(_, value)| value == only) => {
                    shown_name(only).to_owned()
                }
                _ => format!("{of}: {}", shown_facts(&pairs)),
            };
            (title, Some(pairs))
        }
        Description::Named => {
            let mut shown: Vec<&str> = names.iter().take(MOST_NAMES).map(|name| shown_name(name)).collect();
            if names.len() > MOST_NAMES {
                shown.push("...");
            }
            (format!("{of}: {}", shown.join(", ")), None)
        }
    };
    NodeGroup { title, count, facts, names, changes: Vec::new(), reasons: [None, None] }
}

fn changed(change: &Change, sides: &Sides, mask: &Mask) -> Changed {
    let line = |part: &Part, found: &Option<Found>, is_head: bool| {
        let found = found.as_ref()?;
        let origin = found.origin.as_ref().map(|origin| match origin {
            hieratic::Origin::File { file, line, .. } => format!("{}:{line}", sides.shown(file)),
            other => output::origin_text(other),
        });
        let Found { value, is_fault, is_covered, .. } = found;
        Some(Line {
            is_head,
            path: part.path.clone(),
            value: value.clone(),
            is_fault: *is_fault,
            is_covered: *is_covered,
            origin,
        })
    };
    let lines = change
        .parts
        .iter()
        .flat_map(|part| [line(part, &part.sides[0], false), line(part, &part.sides[1], true)].into_iter().flatten());
    let place = change.causes.iter().find_map(|cause| match cause {
        Cause::Line { file, line, is_head: true } => Some((sides.shown(file), *line)),
        Cause::Rule { place: Some((file, line)), .. } => Some((sides.shown(file), *line)),
        _ => None,
    });
    Changed {
        key: mask.name(&change.key).into_owned(),
        lines: lines.collect(),
        causes: change.causes.iter().map(|cause| told(cause, sides)).collect(),
        place,
    }
}

/// A cause in words.
fn told(cause: &Cause, sides: &Sides) -> String {
    match cause {
        Cause::Line { file, line, is_head: true } => format!("{}:{line}", sides.shown(file)),
        Cause::Line { file, line, is_head: false } => format!("{}:{line} before the change", sides.shown(file)),
        Cause::Rule { base, head, place } => {
            let place = place.as_ref().map_or(String::new(), |(file, line)| format!(" ({}:{line})", sides.shown(file)));
            format!("the merge rule was {base} and is {head} now{place}")
        }
        Cause::Hierarchy { file } => format!("the levels of {}", sides.shown(file)),
        Cause::File { file } => sides.shown(file),
        Cause::Facts => "other facts".to_owned(),
    }
}

fn found(finding: &Finding, sides: &Sides, mask: &Mask) -> Told {
    let diagnostic = mask.diagnostic(&finding.diagnostic);
    let file = std::path::absolute(finding.file()).unwrap_or_else(|_| finding.file().into());
    Told {
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

fn parameter(change: &ParameterChange, sides: &Sides) -> Option<Parameter> {
    let [base, head] = &change.sides;
    let declared = head.as_ref().or(base.as_ref())?;
    let told = |declared: &Declared| {
        let kind = declared.kind.as_deref().unwrap_or("Any");
        let text = match &declared.default {
            Some(default) => format!("{kind}, default {default}"),
            None => format!("{kind}, required"),
        };
        shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    Some(Parameter {
        key: change.key.clone(),
        place: (sides.shown(&declared.file), declared.line),
        sides: [base.as_ref().map(told), head.as_ref().map(told)],
    })
}

/// A text that fits on a line.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

impl Line {
    /// The part and its value on one line.
    pub(super) fn text(&self) -> String {
        let path = output::path_text(&self.path);
        let between = if path.is_empty() { "" } else { " = " };
        let value = if self.is_fault { self.value.to_text() } else { self.value.inspect() };
        shortened(&hieratic_diagnostics::render::visible_line(&format!("{path}{between}{value}")))
    }
}

impl Changed {
    /// Whether all that can be said is that it changes.
    pub(super) fn is_only_covered(&self) -> bool {
        !self.lines.is_empty() && self.lines.iter().all(|line| line.is_covered)
    }
}
