//! Code lenses above keys of data: how many levels define the key, how many nodes see this value, and whether the key
//! is looked up.
//!
//! The lenses of a version of a document are computed once for each state of the repository: editors request them
//! after each edit, and when they scroll.

use hieratic::value::collections::HashMap;
use lsp_types::{CodeLens, Command};

use super::define::mentioned;
use super::visibility::VisibleValues;
use crate::document::Document;
use crate::lens_cache::{CachedLenses, LensDependencies};
use crate::snapshot::Snapshot;

/// The maximum number of keys of a file with a lens.
const MAX_KEYS: usize = 300;

/// The lenses of a file of data.
pub(crate) fn lenses(snapshot: &Snapshot, document: &Document) -> Vec<CodeLens> {
    let Some(analysis) = snapshot.analysis_of(&document.path) else { return Vec::new() };
    let state = LensDependencies {
        generation: snapshot.generation,
        analysis: analysis.serial,
        chosen: snapshot.chosen.clone(),
    };
    if let Some(cached) = &*document.lenses()
        && cached.state.is_same(&state)
    {
        return cached.lenses.clone();
    }
    let lenses = compute(snapshot, document);
    // A list of a cancelled request is not whole.
    if snapshot.check_cancelled().is_ok() {
        *document.lenses() = Some(CachedLenses { state, lenses: lenses.clone() });
    }
    lenses
}

fn compute(snapshot: &Snapshot, document: &Document) -> Vec<CodeLens> {
    let Some((view, file)) = snapshot.data_of(&document.path) else { return Vec::new() };
    let Some(analysis) = snapshot.analysis_of(&document.path) else { return Vec::new() };
    let top = document.keys().top().filter(|(_, key, ..)| *key != hieratic_lint::LOOKUP_OPTIONS);
    let keys: Vec<_> = top.take(MAX_KEYS).map(|(_, key, span, _)| (key, span)).collect();
    let mut files: HashMap<&str, Vec<usize>> = keys.iter().map(|(key, _)| (*key, Vec::new())).collect();
    for (index, file) in view.files().iter().enumerate() {
        for (key, _) in file.entries() {
            if let Some(having) = files.get_mut(key) {
                having.push(index);
            }
        }
    }
    let mentioned = mentioned(snapshot, analysis);
    let key_usage = view.key_usage();
    let values = (!snapshot.chosen.nodes.is_empty()).then(|| VisibleValues::new(snapshot, view, analysis, file));
    let mut lenses = Vec::new();
    for (key, span) in keys {
        if snapshot.check_cancelled().is_err() {
            break;
        }
        let having = files.get(key).map_or(&[] as &[usize], Vec::as_slice);
        let mut parts = Vec::new();
        if let Some(values) = &values {
            parts.push(match values.count_nodes(key, having) {
                0 => "no known node sees this value".to_owned(),
                1 => "1 node sees this value".to_owned(),
                count => format!("{count} nodes see this value"),
            });
        }
        match having.len().saturating_sub(1) {
            0 => {}
            1 => parts.push("in 1 other file".to_owned()),
            others => parts.push(format!("in {others} other files")),
        }
        match mentioned.lookups(key).len() {
            0 if key_usage.is_certain() && !key_usage.may_look_up(key) => {
                parts.push("nothing looks this up".to_owned());
            }
            0 => {}
            1 => parts.push("looked up by data once".to_owned()),
            times => parts.push(format!("looked up by data {times} times")),
        }
        if parts.is_empty() {
            continue;
        }
        let command = Command { title: parts.join(" · "), command: String::new(), arguments: None };
        lenses.push(CodeLens { range: document.range(span), command: Some(command), data: None });
    }
    lenses
}
