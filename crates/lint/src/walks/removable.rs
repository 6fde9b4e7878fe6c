//! Reports the entries of data that can be removed without changing an answer. Each is proved.

use crate::finding::Finding;
use crate::hygiene::{Reason, Removable, Sizes, proof, removable, shorter};
use crate::rules::{RuleContext, redundant_value, repeats_default, shadowed_value};
use crate::workspace::{list, named};

/// Finds values that are overridden for all nodes, and those that repeat what lookups find without them.
pub(super) fn check(cx: &RuleContext<'_>) {
    let mut sizes = Sizes::default();
    let computes = cx.code.lookup_calls.computed().iter().any(|request| request.key.is_anything());
    for one in &removable(cx.workspace, cx.code, cx.read_sets(), cx.needed) {
        let finding = finding(cx, one, &mut sizes);
        cx.report(if computes {
            finding.note("some code computes the keys of its lookups, which cannot be checked")
        } else {
            finding
        });
    }
}

fn finding(cx: &RuleContext<'_>, one: &Removable, sizes: &mut Sizes) -> Finding {
    let Removable { file, key, reason, others, nodes } = one;
    let files = &cx.workspace.files;
    let of = &files[*file];
    let names: Vec<String> = others.iter().map(|other| named(&files[*other].path)).collect();
    let names = list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (finding, help, note) = match reason {
        Reason::Shadowed => shadowed_value::of_key(cx.read_sets(), key, &names, others.len()),
        Reason::Redundant => redundant_value::below(key, &names),
        Reason::Merged => redundant_value::merged(key, &names),
        Reason::RepeatsDefault => repeats_default::of_key(key),
    };
    let mut finding = finding.at(&of.source, of.key_span(key), "");
    if let [other] = others.as_slice() {
        let other = &files[*other];
        finding = finding.related(&other.source, other.key_span(key), note);
    }
    finding = finding.note(proof(cx.read_sets(), nodes));
    if let Some(bytes) = sizes.entry_size(*file, of, key) {
        finding = finding.note(shorter(bytes));
    }
    finding.help(help)
}
