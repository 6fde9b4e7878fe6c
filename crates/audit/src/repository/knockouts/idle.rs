//! Knockouts that remove nothing: of keys of hashes, and under options that know no prefix. They stay in the answer.

use std::sync::Arc;

use hieratic::{Strategy, Value};
use rustc_hash::FxHashMap;

use super::super::data::{DataFile, any_text};
use super::super::lookup_options::AllOptions;
use crate::finding::Finding;
use crate::rules;

/// The prefix that is meant where options name none.
const USUAL: &str = "--";

/// Every knockout that names what another file has in the same place, and that no merge recognizes.
pub(super) fn check(files: &[Arc<DataFile>], options: &AllOptions<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut holders: FxHashMap<&str, Vec<&DataFile>> = FxHashMap::default();
    for file in files {
        for (key, _) in file.entries() {
            holders.entry(key).or_default().push(file);
        }
    }
    for file in files {
        for (key, value) in file.entries() {
            let others = holders.get(key).map(Vec::as_slice).unwrap_or_default();
            if others.len() < 2 {
                continue;
            }
            let applying: Vec<&Value> = options.applying(key).collect();
            let Some(prefix) = prefix_of(&applying) else { continue };
            if !any_text(value, &|text| text.starts_with(prefix.text)) {
                continue;
            }
            let others: Vec<&Value> = others
                .iter()
                .filter(|other| !std::ptr::eq(**other, &**file))
                .filter_map(|other| other.content().0.get(key))
                .collect();
            idle(file, key, value, &others, &prefix, &mut findings);
        }
    }
    findings
}

/// What marks a knockout.
struct Prefix<'o> {
    text: &'o str,
    /// Whether the options know it.
    is_known: bool,
}

/// The prefix that all options of a key agree on, or the usual one if they know none; none where nothing is merged.
fn prefix_of<'o>(applying: &[&'o Value]) -> Option<Prefix<'o>> {
    let mut found: Option<Prefix<'o>> = None;
    for options in applying {
        let merge = options.as_hash()?.get("merge")?;
        // A merge that is none is a finding of its own.
        let strategy = Strategy::parse(merge).ok()?;
        if !matches!(strategy.name(), "unique" | "hash" | "deep") {
            return None;
        }
        let text = merge.as_hash().and_then(|merge| merge.get("knockout_prefix")).and_then(Value::as_str);
        let prefix = match text {
            Some("") => return None,
            Some(text) => Prefix { text, is_known: strategy.name() == "deep" },
            None => Prefix { text: USUAL, is_known: false },
        };
        if found.as_ref().is_some_and(|known| known.text != prefix.text || known.is_known != prefix.is_known) {
            return None;
        }
        found = Some(prefix);
    }
    found
}

/// The knockouts in a value that name what the other values have in the same place. What is read nests no deeper than the readers allow.
fn idle(
    file: &DataFile,
    key: &str,
    value: &Value,
    others: &[&Value],
    prefix: &Prefix<'_>,
    findings: &mut Vec<Finding>,
) {
    let mut open = vec![(vec![key], value, others.to_vec())];
    while let Some((path, value, others)) = open.pop() {
        match value {
            Value::Hash(hash) => {
                let hashes: Vec<_> = others.iter().filter_map(|other| other.as_hash()).collect();
                for (name, value) in hash {
                    let Some(name) = name.as_str() else { continue };
                    let inside = [path.as_slice(), &[name]].concat();
                    if let Some(meant) = name.strip_prefix(prefix.text)
                        && hashes.iter().any(|hash| hash.contains(meant))
                    {
                        let why = "a merge removes elements of arrays, and no keys of hashes";
                        let help = match prefix.is_known {
                            true => "remove the line: a merge cannot take a key away",
                            false => "remove the line: the merge takes nothing away",
                        };
                        let found = stays(key, name, why).at(&file.source, file.span_of(&inside), "");
                        findings.push(found.help(help));
                    }
                    let within = hashes.iter().filter_map(|hash| hash.get(name)).collect();
                    open.push((inside, value, within));
                }
            }
            // What the options know is removed, or lost, which is another finding.
            Value::Array(elements) if !prefix.is_known => {
                for text in elements.iter().filter_map(Value::as_str) {
                    let Some(meant) = text.strip_prefix(prefix.text).filter(|meant| !meant.is_empty()) else {
                        continue;
                    };
                    let has = |other: &&Value| {
                        other.as_array().is_some_and(|all| all.iter().any(|one| one.as_str() == Some(meant)))
                    };
                    if others.iter().any(has) {
                        let from = file.span_of(&path).range().start;
                        let found = stays(key, text, "the merge options have no knockout_prefix");
                        let help = format!("write `merge: {{strategy: deep, knockout_prefix: '{}'}}`", prefix.text);
                        findings.push(found.at(&file.source, file.find(from, text), "").help(help));
                    }
                }
            }
            _ => {}
        }
    }
}

fn stays(key: &str, knockout: &str, why: &str) -> Finding {
    let message = format!("The knockout '{knockout}' of the key '{key}' removes nothing and stays: {why}");
    Finding::new(&rules::LOST_KNOCKOUT, message)
}
