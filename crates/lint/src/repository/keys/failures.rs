//! Lookups that fail because of how values are merged, sorted or converted. Each suspicion is tried on nodes that read
//! the values.
//!
//! The facts and some levels of a synthetic node, and of a node without facts, are unknown. There a failure counts only
//! if neither could change it: no alias brings in a value of another type, one set of options applies, and a conversion
//! sees one value in which nothing is interpolated. The other keys are counted as not judged.

use std::path::PathBuf;

use hieratic::hiera::codes;
use hieratic::{Node, Query, Strategy, Value, quoted_key};
use hieratic_value::collections::{HashMap, HashSet};
use rayon::prelude::*;

use super::super::data::{any_text, has_interpolation, is_alias};
use super::super::lookup_options::AllOptions;
use super::super::nodes::{GivenNode, SampleNodes};
use super::super::{Repository, list};
use crate::finding::Finding;
use crate::rules;

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

/// Every key of which lookups fail, and the keys of which that depends on facts that are not known, each with the first
/// file that has it.
pub(super) fn check(repository: &Repository, known: &SampleNodes<'_>) -> (Vec<Finding>, Vec<(PathBuf, String)>) {
    let suspects = suspects(repository);
    let failed: Vec<(LookupFailure<'_>, Option<&str>)> = match known.nodes.is_empty() {
        true => failures_of_synthetic(repository, known, &suspects),
        false => known.nodes.par_iter().flat_map_iter(|node| failures_of_given(repository, node, &suspects)).collect(),
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
    reported.sort_by_key(|(failed, _)| (failed.blamed, failed.key));
    let findings = reported.iter().map(|(failed, nodes)| finding(repository, failed, nodes)).collect();
    (findings, not_judged(repository, known, &suspects))
}

/// The keys whose merge or conversion depends on facts that are not known.
fn not_judged(
    repository: &Repository,
    known: &SampleNodes<'_>,
    suspects: &HashMap<&str, Suspect<'_>>,
) -> Vec<(PathBuf, String)> {
    let path = |file: &usize| &repository.files[*file].path;
    let is_judged = |suspect: &Suspect<'_>| {
        let reads =
            |node: &GivenNode<'_>| node.has_facts && suspect.files.iter().any(|file| node.files.contains(path(file)));
        suspect.is_certain || known.nodes.iter().any(reads)
    };
    let open = suspects.values().filter(|suspect| !is_judged(suspect));
    open.filter_map(|suspect| Some((path(suspect.files.first()?).clone(), suspect.key.to_owned()))).collect()
}

/// The keys whose values are merged or converted, by name.
fn suspects(repository: &Repository) -> HashMap<&str, Suspect<'_>> {
    let options = AllOptions::new(&repository.files);
    let mut suspects: HashMap<&str, Suspect<'_>> = HashMap::default();
    let mut innocent: HashSet<&str> = HashSet::default();
    for (index, file) in repository.files.iter().enumerate() {
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
                suspect.is_certain &= match suspect.is_converted {
                    true => !has_interpolation(value),
                    // A merge depends on types only, and an interpolated string stays a string.
                    false => !any_text(value, &is_alias),
                };
            }
        }
    }
    suspects
}

/// Reports whether options can make a lookup fail.
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
    repository: &'f Repository,
    known: &'n GivenNode<'_>,
    suspects: &HashMap<&'f str, Suspect<'f>>,
) -> Vec<(LookupFailure<'f>, Option<&'n str>)> {
    let reads = |suspect: &&Suspect<'_>| {
        let is_read = |file: &usize| known.files.contains(&repository.files[*file].path);
        (known.has_facts || suspect.is_certain) && suspect.files.iter().any(is_read)
    };
    let failed = suspects.values().filter(reads).filter_map(|suspect| try_lookup(repository, &known.node, suspect));
    failed.map(|failed| (failed, Some(known.name))).collect()
}

/// The failures of the nodes that the paths of files describe.
fn failures_of_synthetic<'f>(
    repository: &'f Repository,
    known: &SampleNodes<'_>,
    suspects: &HashMap<&'f str, Suspect<'f>>,
) -> Vec<(LookupFailure<'f>, Option<&'f str>)> {
    let files: Vec<usize> = (0..repository.files.len()).collect();
    files
        .into_par_iter()
        .flat_map_iter(|index| {
            let keys = repository.files[index].entries().filter_map(|(key, _)| suspects.get(key));
            let certain: Vec<&Suspect<'_>> = keys.filter(|suspect| suspect.is_certain).collect();
            if certain.is_empty() {
                return Vec::new();
            }
            let sample_nodes = repository.sample_nodes(known, index);
            let all = sample_nodes.iter().flat_map(|sample| certain.iter().map(move |suspect| (sample, suspect)));
            all.filter_map(|(sample, suspect)| Some((try_lookup(repository, sample.node(), suspect)?, None))).collect()
        })
        .collect()
}

/// The error of a lookup of a key, if the values cause it.
fn try_lookup<'f>(repository: &Repository, node: &Node, suspect: &Suspect<'f>) -> Option<LookupFailure<'f>> {
    let key = quoted_key(suspect.key);
    let error = node.lookup(&Query::new(&key)).err()?;
    let code = error.code();
    if ![codes::MERGE_TYPE, codes::MERGE_SORT, codes::CONVERT].contains(&code) {
        // The other errors are findings of other rules (secrets, interpolations, cycles, options, configurations,
        // files), missing keys, or exceeded limits. If a level is missing, no lookup gives more, but the available
        // values may fail without it.
        let is_level = repository.has_unread_levels() || repository.has_other_sources();
        return if is_level && suspect.is_certain {
            certain_failure(suspect, &written(repository, node, suspect))
        } else {
            None
        };
    }
    // A type that no module has is a finding of the options; one that a module may have is not resolved here.
    if code == codes::CONVERT && error.to_string().contains("TypeReference[") {
        return None;
    }
    let values = values(repository, node, &key, suspect);
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
    match suspect.is_unique {
        // The highest value may be a hash, which becomes an element.
        true => values.iter().skip(1).find(|(_, value)| value.as_hash().is_some() || value.is_undef()),
        false => values.iter().find(|(_, value)| !has_only_strings(value)),
    }
}

/// Another file than the one to blame.
fn other(values: &[(usize, Value)], blamed: usize) -> Option<usize> {
    values.iter().map(|(file, _)| *file).find(|file| *file != blamed)
}

/// The values of a key in the files that a node reads, the highest first.
fn values(repository: &Repository, node: &Node, key: &str, suspect: &Suspect<'_>) -> Vec<(usize, Value)> {
    // Errors in the hierarchy are findings of its configuration.
    let said = node.survey(key).unwrap_or_default();
    let value = |location: &hieratic::Survey| {
        let path = location.location.as_deref()?;
        let is_it = |file: &&usize| repository.files[**file].path.as_os_str() == path;
        let file = *suspect.files.iter().find(is_it)?;
        // The error of a single location is another finding.
        Some((file, location.found.as_ref().ok()?.as_ref()?.to_value()))
    };
    said.iter().filter_map(value).collect()
}

/// The uninterpolated values of a key in the files that a node reads, the highest first.
fn written(repository: &Repository, node: &Node, suspect: &Suspect<'_>) -> Vec<(usize, Value)> {
    // Errors in the hierarchy are findings of its configuration.
    let read = node.sources().unwrap_or_default();
    let value = |path: &std::path::PathBuf| {
        let file = *suspect.files.iter().find(|file| repository.files[**file].path == *path)?;
        Some((file, repository.files[file].content().0.get(suspect.key)?.clone()))
    };
    read.iter().filter_map(value).collect()
}

/// Reports whether a value is a hash whose keys are all strings.
fn has_only_strings(value: &Value) -> bool {
    value.as_hash().is_some_and(|hash| hash.keys().all(|key| key.as_str().is_some()))
}

/// Reports whether an array in a value has elements that cannot be sorted together.
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

fn finding(repository: &Repository, failed: &LookupFailure<'_>, nodes: &[&str]) -> Finding {
    let LookupFailure { key, message, help, blamed, other } = failed;
    let file = &repository.files[*blamed];
    let message = format!("The lookup of '{key}' fails: {message}");
    let mut found = Finding::new(&rules::FAILING_LOOKUP, message).at(&file.source, file.value_span(key), "");
    if let Some(other) = other {
        let other = &repository.files[*other];
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
