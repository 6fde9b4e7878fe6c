//! # lost-knockout
//!
//! A knockout is lost. (warning)
//!
//! ## What is found
//!
//! A deep merge with `knockout_prefix` removes an element in one level, and a lower level brings it back. Hieratic
//! confirms each suspected case with a real lookup.
//!
//! A knockout that no merge recognizes is reported too: of a hash key (`--guest: {}`), or under options without
//! `knockout_prefix`. It stays in the answer.
//!
//! ## Why it matters
//!
//! A knockout affects only the next level's value, not the whole merge. The removed element is silently back.
//!
//! ## How to fix it
//!
//! Add `strict_knockout: true` to the merge options, or repeat the knockout.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   users: {merge: {strategy: deep, knockout_prefix: '--'}}
//! users: [root, guest]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   users: {merge: {strategy: deep, knockout_prefix: '--', strict_knockout: true}}
//! users: [root, guest]
//! ```
//!
//! A comment `# hieratic: ignore lost-knockout` on the same line or the line before accepts the finding.

mod idle;

use std::path::Path;

use hieratic::lookup::{LostKnockout, Origin};
use hieratic::value::collections::HashSet;
use hieratic::{Query, Value};
use hieratic_diagnostics::Span;

use super::RuleContext;
use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;
use crate::workspace::data::{DataFile, any_text};
use crate::workspace::lookup_options::AllOptions;

/// Finds the knockouts that a node loses, and those that remove nothing.
pub(super) fn check(cx: &RuleContext<'_>) {
    let workspace = cx.workspace;
    let options = AllOptions::new(&workspace.files);
    cx.report_all(idle::check(&workspace.files, &options));
    let mut reported: HashSet<(String, String, usize)> = HashSet::default();
    let mut without_lines: Vec<(usize, &str, LostKnockout)> = Vec::new();
    for (index, file) in workspace.files.iter().enumerate() {
        for (key, value) in file.entries() {
            let prefixes: Vec<&str> = options.get(key).filter_map(prefix).collect();
            if !prefixes.iter().any(|prefix| any_text(value, &|text| text.starts_with(prefix))) {
                continue;
            }
            for sample in cx.nodes.sample_nodes(workspace, index) {
                let node = sample.node();
                node.take_lost_knockouts();
                // Tracing records the lines. Other errors of the key are findings of other rules.
                let _ = node.lookup_traced(&Query::new(key));
                for lost in node.take_lost_knockouts() {
                    let (file_name, line) = place(&lost.place);
                    if file_name != file.path {
                        continue;
                    }
                    if line.is_none() {
                        without_lines.push((index, key, lost));
                    } else if reported.insert((lost.key.clone(), lost.knockout.clone(), index)) {
                        cx.report(finding(file, key, &lost));
                    }
                }
            }
        }
    }
    // Other rules look keys up on the same nodes at the same time, and record no lines: their lost knockouts are known already.
    for (index, key, lost) in without_lines {
        if reported.insert((lost.key.clone(), lost.knockout.clone(), index)) {
            cx.report(finding(&workspace.files[index], key, &lost));
        }
    }
}

fn finding(file: &DataFile, key: &str, lost: &LostKnockout) -> Finding {
    let inside = if lost.path.is_empty() { String::new() } else { format!(", in '{}'", lost.path) };
    let message = format!("The knockout '{}' of the key '{}'{inside} is lost", lost.knockout, lost.key);
    let from = place(&lost.place).1.map_or(0, |line| file.source.offset(line, 1));
    let span = match file.find(from, &lost.knockout) {
        Span { start, end } if end > start => Span { start, end },
        _ => file.key_span(key),
    };
    let (back, line) = place(&lost.back_from);
    let back = shown(back);
    let back = line.map_or(back.clone(), |line| format!("{back}:{line}"));
    Finding::new(&rules::LOST_KNOCKOUT, message)
        .at(&file.source, span, "")
        .note(format!("{back} restores the element: knockouts only apply to the next level"))
        .help("add `strict_knockout: true` to the merge options of the key")
}

/// The knockout prefix, unless knockouts apply to all levels.
fn prefix(options: &Value) -> Option<&str> {
    let merge = options.as_hash()?.get("merge")?.as_hash()?;
    let strict = merge.get("strict_knockout").is_some_and(Value::is_truthy);
    merge.get("knockout_prefix")?.as_str().filter(|prefix| !strict && !prefix.is_empty())
}

/// The file of an origin, and the line if it is known: a file without lines is a source with a name.
fn place(origin: &Origin) -> (&Path, Option<u32>) {
    match origin {
        Origin::File { file, line, .. } => (file, Some(*line)),
        Origin::Named(name) => (Path::new(&**name), None),
    }
}
