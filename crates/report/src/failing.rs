//! The lookups that fail on both sides, so that their changes are unknown.

use hieratic::Redactor;
use hieratic_impact::{Broken, Report};

use crate::counted;
use crate::sides::Sides;

/// The most keys that a note names.
const MOST_NAMES: usize = 5;

/// The nodes and keys whose lookups fail on both sides, in sentences.
pub(crate) fn notes(report: &Report, sides: &Sides, mask: &Redactor) -> Vec<String> {
    let root = sides.root_prefix();
    let of_nodes = report.failing.iter().map(|Broken { nodes, reasons }| {
        let reason = reasons[1].as_deref().unwrap_or_default().replace(&root, "");
        let count = counted(nodes.len(), "node");
        format!("the lookups of {count}, which fail on both sides: {}", mask.message(&reason))
    });
    let mut notes: Vec<String> = of_nodes.collect();
    let keys = &report.failing_keys;
    if !keys.is_empty() {
        let shown = keys.iter().take(MOST_NAMES).map(|key| mask.name(key).into_owned());
        let more = (keys.len() > MOST_NAMES).then(|| "...".to_owned());
        let names: Vec<String> = shown.chain(more).collect();
        let verb = if keys.len() == 1 { "fails" } else { "fail" };
        let count = counted(keys.len(), "key");
        notes.push(format!("{count} that {verb} on both sides with the same message: {}", names.join(", ")));
    }
    notes
}
