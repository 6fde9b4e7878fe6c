//! Code lenses above keys of data: how many levels define the key, how many nodes see this value, and whether the key
//! is looked up.

use hieratic::Query;
use lsp_types::{CodeLens, Command};

use super::define::{files_with, mentioned};
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The maximum number of nodes that are looked up for each key.
const MAX_NODES: usize = 64;

/// The maximum number of keys of a file with a lens.
const MAX_KEYS: usize = 300;

/// The lenses of a file of data.
pub(crate) fn lenses(snapshot: &Snapshot, document: &Document) -> Vec<CodeLens> {
    let Some((view, file)) = snapshot.data_of(&document.path) else { return Vec::new() };
    let Some(analysis) = snapshot.analysis_of(&document.path) else { return Vec::new() };
    let mentioned = mentioned(analysis);
    let environment = snapshot.environment(view);
    let opened = snapshot.chosen.nodes.iter().take(MAX_NODES).filter_map(|facts| environment.node(facts).ok());
    let nodes: Vec<hieratic::Node> = opened
        .filter(|node| node.sources().is_ok_and(|sources| sources.iter().any(|source| source == file.path())))
        .collect();
    let key_usage = view.key_usage();
    let knows_nodes = !snapshot.chosen.nodes.is_empty();
    let top = document.keys().top().filter(|(_, key, ..)| *key != hieratic_lint::LOOKUP_OPTIONS);
    let mut lenses = Vec::new();
    for (_, key, span, _) in top.take(MAX_KEYS) {
        if snapshot.check_cancelled().is_err() {
            break;
        }
        let mut parts = Vec::new();
        if knows_nodes {
            let quoted = hieratic::quoted_key(key);
            let sees = |node: &&hieratic::Node| {
                let why = node.why(&Query::new(&quoted));
                why.layers.iter().any(|layer| {
                    let is_own =
                        matches!(&layer.place, Some(hieratic::Origin::File { file: at, .. }) if **at == *file.path());
                    let is_kept = layer.parts.is_empty()
                        || layer.parts.iter().any(|part| part.fate == hieratic::PartStatus::Kept);
                    is_own && is_kept
                })
            };
            let count = nodes.iter().filter(sees).count();
            parts.push(match count {
                0 => "no known node sees this value".to_owned(),
                1 => "1 node sees this value".to_owned(),
                count => format!("{count} nodes see this value"),
            });
        }
        let others = files_with(view, key).count().saturating_sub(1);
        if others > 0 {
            parts.push(if others == 1 { "in 1 other file".to_owned() } else { format!("in {others} other files") });
        }
        let looked_up = mentioned.lookups(key).len();
        if looked_up > 0 {
            let times = if looked_up == 1 { "once".to_owned() } else { format!("{looked_up} times") };
            parts.push(format!("looked up by data {times}"));
        } else if key_usage.is_certain() && !key_usage.may_look_up(key) {
            parts.push("nothing looks this up".to_owned());
        }
        if parts.is_empty() {
            continue;
        }
        let command = Command { title: parts.join(" · "), command: String::new(), arguments: None };
        lenses.push(CodeLens { range: document.range(span), command: Some(command), data: None });
    }
    lenses
}
