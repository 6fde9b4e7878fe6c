//! # failing-lookup
//!
//! Lookups of a key fail. (error)
//!
//! ## What is found
//!
//! - Values of several levels cannot be merged as `lookup_options` say: a list in a `hash` merge, a hash in a `unique`
//!   merge.
//! - `sort_merged_arrays` compares elements of different types.
//! - `convert_to` cannot convert the value.
//! - A value contains a symbol (`:name`), or a hash key that is neither a string nor a number (`yes:`, `~:`, `[1]:`).
//! - `%{lookup('a.b')}` selects a part of a string, a number or a list.
//!
//! Each merge and conversion is confirmed with a real lookup. The finding is at the value. Without `--facts`, a value
//! is not judged if facts, or levels that depend on facts, could change the result.
//!
//! ## Why it matters
//!
//! The catalog of every node that reads the value fails.
//!
//! ## How to fix it
//!
//! Write values of one kind in all levels, or change the merge. Quote words that YAML reads as booleans, null or
//! symbols.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! answers: {yes: 1, no: 0}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! answers: {'yes': 1, 'no': 0}
//! ```
//!
//! A comment `# hieratic: ignore failing-lookup` on the same line or the line before accepts the finding.

use hieratic::hiera::codes;
use hieratic::lookup::{Key, Segment, quoted_key};
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Node, Query, Strategy, Value};
use hieratic_diagnostics::Span;
use rayon::prelude::*;

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::walks::interpolations::{KeyView, NamedKey};
use crate::walks::values::quoting;
use crate::workspace::data::{DataFile, any_text, has_interpolation, is_alias};
use crate::workspace::lookup_options::AllOptions;
use crate::workspace::nodes::{GivenNode, SampleNodes};
use crate::workspace::{Workspace, list};

/// A key whose values are merged or converted.
struct Suspect<'f> {
    key: &'f str,
    /// The files that have it.
    files: Vec<usize>,
    /// Whether the values are merged into one list.
    is_unique: bool,
    /// Whether they are merged into one hash.
    is_hash: bool,
    /// Whether `convert_to` converts the values.
    is_converted: bool,
    /// Whether a failure on a node with unknown facts is a failure on every node that reads the same values.
    is_certain: bool,
}

/// A failure: the key, the file to blame and the message.
struct LookupFailure<'f> {
    key: &'f str,
    message: String,
    help: Option<String>,
    blamed: usize,
    /// Another file whose value is part of it.
    other: Option<usize>,
}

/// Tries every lookup that can fail because of how values are merged, sorted or converted, on nodes that read the values.
/// Keys for which that depends on facts that are not known are omitted.
///
/// The facts and some levels of a synthetic node, and of a node without facts, are unknown. There a failure counts only
/// if neither could change it: no alias brings in a value of another type, one set of options applies, and a conversion
/// sees one value in which nothing is interpolated. The other keys are counted as not judged.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, known) = (cx.workspace, cx.nodes);
    let suspects = suspects(workspace);
    let failed: Vec<(LookupFailure<'_>, Option<&str>)> = if known.nodes.is_empty() {
        failures_of_synthetic(workspace, known, &suspects)
    } else {
        let mut of_file: HashMap<usize, Vec<&str>> = HashMap::default();
        for suspect in suspects.values() {
            suspect.files.iter().for_each(|file| of_file.entry(*file).or_default().push(suspect.key));
        }
        let of_node = |node| failures_of_given(workspace, node, &suspects, &of_file);
        known.nodes.par_iter().flat_map_iter(of_node).collect()
    };
    let mut causes: HashMap<(usize, &str), usize> = HashMap::default();
    let mut reported: Vec<(LookupFailure<'_>, Vec<&str>)> = Vec::new();
    for (failed, node) in failed {
        let at = *causes.entry((failed.blamed, failed.key)).or_insert_with(|| {
            reported.push((failed, Vec::new()));
            reported.len() - 1
        });
        reported[at].1.extend(node);
    }
    reported.sort_erased_by_key(|(failed, _)| (failed.blamed, failed.key));
    cx.report_all(reported.iter().map(|(failed, nodes)| finding(workspace, failed, nodes)));
    omit(cx, &suspects);
}

/// The finding about a part of a value that is not data.
pub(crate) fn no_data(file: &DataFile, key: &str, subject: &str, part: &Value, span: Span) -> Finding {
    let message = format!("Every lookup of '{key}' fails: {subject}");
    Finding::new(&rules::FAILING_LOOKUP, message).at(&file.source, span, "").help(quoting(file, part, span))
}

/// Omits the keys whose merge or conversion depends on facts that are not known.
fn omit(cx: &RuleContext<'_>, suspects: &HashMap<&str, Suspect<'_>>) {
    let path = |file: &usize| &cx.workspace.files[*file].path;
    let is_judged = |suspect: &Suspect<'_>| {
        let is_read = |file: &usize| cx.nodes.readers_of(*file).any(|node| node.has_facts);
        suspect.is_certain || suspect.files.iter().any(is_read)
    };
    for suspect in suspects.values().filter(|suspect| !is_judged(suspect)) {
        if let Some(file) = suspect.files.first() {
            cx.omit(path(file), suspect.key);
        }
    }
}

/// The keys whose values are merged or converted, by name.
fn suspects(workspace: &Workspace) -> HashMap<&str, Suspect<'_>> {
    let options = AllOptions::new(&workspace.files);
    let mut suspects: HashMap<&str, Suspect<'_>> = HashMap::default();
    let mut innocent: HashSet<&str> = HashSet::default();
    for (index, file) in workspace.files.iter().enumerate() {
        for (key, value) in file.entries() {
            if innocent.contains(key) {
                continue;
            }
            if !suspects.contains_key(key) {
                let applying: Vec<&Value> = options.get(key).collect();
                if !applying.iter().any(|options| matters(options)) {
                    innocent.insert(key);
                    continue;
                }
                let is_one = applying.windows(2).all(|pair| pair[0] == pair[1]);
                let sees_one = applying.iter().all(|options| !converts(options) || !merges(options));
                let is =
                    |name: &str| applying.iter().any(|options| strategy(options).is_some_and(|one| one.name() == name));
                let (is_unique, is_hash) = (is("unique"), is("hash"));
                let is_converted = applying.iter().any(|options| converts(options));
                let is_certain = is_one && sees_one;
                let files = Vec::new();
                suspects.insert(key, Suspect { key, files, is_unique, is_hash, is_converted, is_certain });
            }
            if let Some(suspect) = suspects.get_mut(key) {
                suspect.files.push(index);
                suspect.is_certain &= if suspect.is_converted {
                    !has_interpolation(value)
                } else {
                    // A merge depends on types only, and an interpolated string stays a string.
                    !any_text(value, &is_alias)
                };
            }
        }
    }
    suspects
}

/// Returns whether options can make a lookup fail.
fn matters(options: &Value) -> bool {
    converts(options) || merges(options)
}

fn converts(options: &Value) -> bool {
    options.as_hash().and_then(|options| options.get("convert_to")).is_some_and(|to| !to.is_undef())
}

fn merges(options: &Value) -> bool {
    // An unknown strategy is another finding.
    strategy(options).is_some_and(|strategy| !matches!(strategy.name(), "first" | "default"))
}

fn strategy(options: &Value) -> Option<Strategy> {
    let merge = options.as_hash()?.get("merge")?;
    Strategy::parse(merge).ok()
}

/// The failures of a node that is given.
fn failures_of_given<'f, 'n>(
    workspace: &'f Workspace,
    known: &'n GivenNode<'_>,
    suspects: &HashMap<&'f str, Suspect<'f>>,
    of_file: &HashMap<usize, Vec<&'f str>>,
) -> Vec<(LookupFailure<'f>, Option<&'n str>)> {
    let keys: HashSet<&str> =
        known.files.iter().filter_map(|file| of_file.get(&(*file as usize))).flatten().copied().collect();
    let read = keys.iter().filter_map(|key| suspects.get(key));
    let judged = read.filter(|suspect| known.has_facts || suspect.is_certain);
    let failed = judged.filter_map(|suspect| try_lookup(workspace, &known.node, suspect));
    failed.map(|failed| (failed, Some(known.name))).collect()
}

/// The failures of the nodes that the paths of files describe.
fn failures_of_synthetic<'f>(
    workspace: &'f Workspace,
    known: &SampleNodes<'_>,
    suspects: &HashMap<&'f str, Suspect<'f>>,
) -> Vec<(LookupFailure<'f>, Option<&'f str>)> {
    let files: Vec<usize> = (0..workspace.files.len()).collect();
    files
        .into_par_iter()
        .flat_map_iter(|index| {
            let keys = workspace.files[index].entries().filter_map(|(key, _)| suspects.get(key));
            let certain: Vec<&Suspect<'_>> = keys.filter(|suspect| suspect.is_certain).collect();
            if certain.is_empty() {
                return Vec::new();
            }
            let sample_nodes = known.sample_nodes(workspace, index);
            let all = sample_nodes.iter().flat_map(|sample| certain.iter().map(move |suspect| (sample, suspect)));
            all.filter_map(|(sample, suspect)| Some((try_lookup(workspace, sample.node(), suspect)?, None))).collect()
        })
        .collect()
}

/// The error of a lookup of a key, if the values cause it.
fn try_lookup<'f>(workspace: &Workspace, node: &Node, suspect: &Suspect<'f>) -> Option<LookupFailure<'f>> {
    let key = quoted_key(suspect.key);
    let error = node.lookup(&Query::new(&key)).err()?;
    let code = error.code();
    if ![codes::MERGE_TYPE, codes::MERGE_SORT, codes::CONVERT].contains(&code) {
        // The other errors are findings of other rules (secrets, interpolations, cycles, options, configurations,
        // files), missing keys, or exceeded limits. If a level is missing, no lookup gives more, but the available
        // values may fail without it.
        let is_level = workspace.has_unread_levels() || workspace.has_other_sources();
        return if is_level && suspect.is_certain {
            certain_failure(suspect, &written(workspace, node, suspect))
        } else {
            None
        };
    }
    // A type that no module has is a finding of the options; one that a module may have is not resolved here.
    if code == codes::CONVERT && error.to_string().contains("TypeReference[") {
        return None;
    }
    let values = values(workspace, node, &key, suspect);
    let wrong = match code {
        codes::MERGE_TYPE => not_mergeable(suspect, &values),
        codes::MERGE_SORT => values.iter().find(|(_, value)| is_mixed(value)).or_else(|| values.get(1)),
        _ => values.first(),
    };
    let blamed = wrong.or(values.first()).map_or_else(|| suspect.files[0], |(file, _)| *file);
    let other = if code == codes::CONVERT { None } else { other(&values, blamed) };
    let help = error.help_text().map(str::to_owned);
    Some(LookupFailure { key: suspect.key, message: error.to_string(), help, blamed, other })
}

/// A merge into a hash fails, whatever other levels add, if one of the available values is not a hash. For a list this
/// does not hold: a level with several files can bring any value, and a single value becomes an element.
fn certain_failure<'f>(suspect: &Suspect<'f>, values: &[(usize, Value)]) -> Option<LookupFailure<'f>> {
    if values.len() < 2 || !suspect.is_hash || suspect.is_unique {
        return None;
    }
    let (blamed, _) = not_mergeable(suspect, values)?;
    let message = "its merge takes hashes with string keys from every level".to_owned();
    Some(LookupFailure { key: suspect.key, message, help: None, blamed: *blamed, other: other(values, *blamed) })
}

/// The first value that cannot be merged with the others.
fn not_mergeable<'v>(suspect: &Suspect<'_>, values: &'v [(usize, Value)]) -> Option<&'v (usize, Value)> {
    if suspect.is_unique {
        // The highest value may be a hash, which becomes an element.
        values.iter().skip(1).find(|(_, value)| value.as_hash().is_some() || value.is_undef())
    } else {
        values.iter().find(|(_, value)| !has_only_strings(value))
    }
}

/// Another file than the one to blame.
fn other(values: &[(usize, Value)], blamed: usize) -> Option<usize> {
    values.iter().map(|(file, _)| *file).find(|file| *file != blamed)
}

/// The values of a key in the files that a node reads, the highest first.
fn values(workspace: &Workspace, node: &Node, key: &str, suspect: &Suspect<'_>) -> Vec<(usize, Value)> {
    // Errors in the hierarchy are findings of its configuration.
    let surveys = node.survey(key).unwrap_or_default();
    let value = |location: &hieratic::lookup::Survey| {
        let path = location.location.as_deref()?;
        let is_it = |file: &&usize| workspace.files[**file].path.as_os_str() == path;
        let file = *suspect.files.iter().find(is_it)?;
        // The error of a single location is another finding.
        Some((file, location.found.as_ref().ok()?.as_ref()?.to_value()))
    };
    surveys.iter().filter_map(value).collect()
}

/// The uninterpolated values of a key in the files that a node reads, the highest first.
fn written(workspace: &Workspace, node: &Node, suspect: &Suspect<'_>) -> Vec<(usize, Value)> {
    // Errors in the hierarchy are findings of its configuration.
    let read = node.sources().unwrap_or_default();
    let value = |path: &std::path::PathBuf| {
        let file = *suspect.files.iter().find(|file| workspace.files[**file].path == *path)?;
        Some((file, workspace.files[file].content().0.get(suspect.key)?.clone()))
    };
    read.iter().filter_map(value).collect()
}

/// Returns whether a value is a hash whose keys are all strings.
fn has_only_strings(value: &Value) -> bool {
    value.as_hash().is_some_and(|hash| hash.keys().all(|key| key.as_str().is_some()))
}

/// Returns whether an array in a value has elements that cannot be sorted together.
fn is_mixed(value: &Value) -> bool {
    match value {
        Value::Array(elements) => {
            let mut kinds = elements.iter().map(kind);
            let first = kinds.next().flatten();
            !elements.is_empty() && (first.is_none() || kinds.any(|kind| kind != first))
        }
        Value::Hash(hash) => hash.iter().any(|(_, value)| is_mixed(value)),
        _ => false,
    }
}

/// The kind of a value, within which values can be sorted.
fn kind(value: &Value) -> Option<u8> {
    match value {
        Value::Integer(_) | Value::Float(_) => Some(0),
        Value::String(_) => Some(1),
        _ => None,
    }
}

fn finding(workspace: &Workspace, failed: &LookupFailure<'_>, nodes: &[&str]) -> Finding {
    let LookupFailure { key, message, help, blamed, other } = failed;
    let file = &workspace.files[*blamed];
    let message = format!("The lookup of '{key}' fails: {message}");
    let mut found = Finding::new(&rules::FAILING_LOOKUP, message).at(&file.source, file.value_span(key), "");
    if let Some(other) = other {
        let other = &workspace.files[*other];
        found = found.related(&other.source, other.value_span(key), "it is merged with this value");
    }
    if !nodes.is_empty() {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        found = found.note(format!("on {}", list(&nodes)));
    }
    found.help(match help {
        Some(help) => help.clone(),
        None => "change the value, or the options of the key in lookup_options".to_owned(),
    })
}

/// Reports a key with a path into a value without parts: such a lookup fails.
///
/// Without nodes this holds only if every value of the key is so, and no level could bring another.
pub(crate) fn no_way(key: &Key, written: &str, view: &KeyView<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    let first = key.segments().first()?;
    let by_number = usize::from(matches!(first, Segment::Index(_)));
    let root = key.root();
    let named: &NamedKey<'_> = view.named.get(&**root)?;
    let (file, value) = named.without_parts[by_number]?;
    let fails = |known: &&&GivenNode<'_>| {
        let answer = known.node.lookup(&Query::new(key.text()));
        matches!(answer, Err(error) if error.code() == codes::KEY_PATH)
    };
    let failing: Vec<&str> = readers.iter().filter(fails).map(|known| known.name).collect();
    let is_certain = !view.knows_nodes && !view.hidden && !view.has_unread_levels && named.is_always_so[by_number];
    if failing.is_empty() && !is_certain {
        return None;
    }
    let subject = match value {
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Boolean(_) => "a boolean",
        _ => "a number",
    };
    let message = format!("'{written}' fails: '{first}' selects a part of '{root}', which is {subject}");
    let found = Finding::new(&rules::FAILING_LOOKUP, message);
    let found = found.related(&file.source, file.value_span(root), "the value is here");
    let found = if failing.is_empty() { found } else { found.note(format!("on {}", list(&failing))) };
    Some(found.help(format!("look up '{root}', or quote the dot if it belongs to the name: '{}'", key.text())))
}
