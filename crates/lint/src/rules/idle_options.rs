//! # idle-options
//!
//! `lookup_options` change nothing. (note)
//!
//! ## What is found
//!
//! With `--hygiene`, one of:
//!
//! - a level above has options of the same key or pattern, and every node that reads the file reads that level;
//! - a level below has the same options, for every node;
//! - the options say `merge: first`, which holds without them;
//! - the options merge hashes, and no node finds a key that they apply to in two places.
//!
//! Options with `convert_to` are not judged. A note says how many bytes shorter the file would be.
//!
//! ## Why it matters
//!
//! People expect merging where nothing is merged.
//!
//! ## How to fix it
//!
//! Remove the options, unless another level is going to have the key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::servers: {merge: first}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! # removed
//! ```
//!
//! A comment `# hieratic: ignore idle-options` on the same line or the line before accepts the finding.

use std::cell::LazyCell;

use hieratic::hiera::literal_start;
use hieratic::ruby_regexp::Regexp;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Strategy, Value};

use super::RuleContext;
use crate::finding::Finding;
use crate::hygiene::{ChainLink, Modules, ReadSets, Reason, Sizes, SourceKind, chain_of, proof, removable_options};
use crate::rules;
use crate::workspace::data::{DataFile, LOOKUP_OPTIONS};
use crate::workspace::lookup_options::{PatternBudget, with_start};
use crate::workspace::{Workspace, list, named};

/// Finds options that repeat others or are overridden, that state the default, and merges of keys with a single source.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, read_sets) = (cx.workspace, cx.read_sets());
    let idle = removable_options(workspace, read_sets, cx.needed);
    let mut sizes = Sizes::default();
    let reported: HashSet<(usize, &str)> = idle.iter().map(|one| (one.file, one.key.as_str())).collect();
    for one in &idle {
        let file = &workspace.files[one.file];
        let name = one.key.strip_prefix(LOOKUP_OPTIONS).map_or(one.key.as_str(), |name| &name[1..]);
        let others: Vec<String> = one.others.iter().map(|other| named(&workspace.files[*other].path)).collect();
        let others = list(&others.iter().map(String::as_str).collect::<Vec<_>>());
        let message = match one.reason {
            Reason::Shadowed => {
                let overrides = if one.others.len() == 1 { "overrides" } else { "override" };
                format!("{} uses the options of '{name}': {others} {overrides} them", read_sets.no_node_subject())
            }
            _ => format!("The options of '{name}' repeat those in {others}"),
        };
        let at = file.span_of(&[LOOKUP_OPTIONS, name]);
        let finding = Finding::new(&rules::IDLE_OPTIONS, message).at(&file.source, at, "");
        let finding = sized(finding.note(proof(read_sets, &one.nodes)), &mut sizes, one.file, file, name);
        cx.report(finding.help("remove them"));
    }
    let reach = OptionMatches::new(workspace, read_sets);
    // Options without effect are not read: the proof is the same for all.
    let proof = LazyCell::new(|| proof(read_sets, &(0..read_sets.nodes.len()).collect::<Vec<_>>()));
    for (index, file) in workspace.files.iter().enumerate().filter(|(_, file)| file.is_plain()) {
        if workspace.module_of(file).is_some() {
            continue;
        }
        for (name, options) in file.options().and_then(Value::as_hash).into_iter().flat_map(|hash| hash.iter()) {
            let Some(name) = name.as_str() else { continue };
            if reported.contains(&(index, format!("{LOOKUP_OPTIONS}.{name}").as_str())) {
                continue;
            }
            let Some(merge) = options.as_hash().filter(|options| options.len() == 1).and_then(|only| only.get("merge"))
            else {
                continue;
            };
            if let Some(message) = without_effect(workspace, read_sets, &reach, name, merge) {
                let finding = Finding::new(&rules::IDLE_OPTIONS, message)
                    .at(&file.source, file.span_of(&[LOOKUP_OPTIONS, name]), "")
                    .note(proof.clone());
                let finding = sized(finding, &mut sizes, index, file, name);
                cx.report(finding.help("remove them, unless another level is going to have the key"));
            }
        }
    }
}

/// A finding with the bytes that would go.
fn sized(finding: Finding, sizes: &mut Sizes, index: usize, file: &DataFile, name: &str) -> Finding {
    match sizes.size_of_options(index, file, name) {
        Some(bytes) => finding.note(format!("without them, the file is {bytes} bytes shorter")),
        None => finding,
    }
}

/// The options and the keys of the data that they apply to.
struct OptionMatches<'r> {
    /// The keys by the name of the options that apply to them.
    keys: HashMap<&'r str, Vec<&'r str>>,
    /// The names of options by a key that they apply to.
    names: HashMap<&'r str, Vec<&'r str>>,
    modules: Modules<'r>,
    /// The files that have a key.
    holders: HashMap<&'r str, Vec<usize>>,
    /// The modules with a source that may have any key of theirs; `None` for one that may have any key.
    unknown: HashSet<Option<usize>>,
}

impl<'r> OptionMatches<'r> {
    fn new(workspace: &'r Workspace, read_sets: &ReadSets) -> OptionMatches<'r> {
        let mut all: Vec<&str> = workspace.keys().into_iter().collect();
        all.sort_unstable();
        let mut reach = OptionMatches {
            keys: HashMap::default(),
            names: HashMap::default(),
            modules: Modules::new(workspace),
            holders: HashMap::default(),
            unknown: HashSet::default(),
        };
        for (index, file) in workspace.files.iter().enumerate() {
            for key in file.hash.keys().filter_map(Value::as_str) {
                reach.holders.entry(key).or_default().push(index);
            }
        }
        let places = read_sets.all.iter().flat_map(|read_set| &read_set.places);
        reach.unknown.extend(places.filter(|place| place.kind == SourceKind::Unknown).map(|place| place.module));
        let searches = PatternBudget::default();
        for file in &workspace.files {
            let names = file.options().and_then(Value::as_hash).into_iter().flat_map(|hash| hash.keys());
            for name in names.filter_map(Value::as_str) {
                if reach.keys.contains_key(name) {
                    continue;
                }
                let keys: Vec<&str> = if name.starts_with('^') {
                    match Regexp::new(name) {
                        Ok(pattern) => {
                            let candidates = with_start(&all, literal_start(name));
                            candidates.filter(|key| searches.may_match(&pattern, key)).collect()
                        }
                        // A pattern that cannot be read is another finding.
                        Err(_) => Vec::new(),
                    }
                } else {
                    vec![name]
                };
                for key in &keys {
                    reach.names.entry(key).or_default().push(name);
                }
                reach.keys.insert(name, keys);
            }
        }
        reach
    }
}

/// The reason why a merge does nothing.
fn without_effect(
    workspace: &Workspace,
    read_sets: &ReadSets,
    reach: &OptionMatches<'_>,
    name: &str,
    merge: &Value,
) -> Option<String> {
    let strategy = Strategy::parse(merge).ok()?;
    let keys = reach.keys.get(name)?;
    // Without this name, another one could apply. A pattern may be intended for keys that are not in the data yet.
    let is_alone = keys.iter().all(|key| reach.names.get(key).is_none_or(|names| names.len() == 1));
    if !is_alone || workspace.has_hidden_keys() || name.starts_with('^') && keys.is_empty() {
        return None;
    }
    if matches!(strategy.name(), "first" | "default") {
        return Some(format!("The options of '{name}' have no effect: `first` is the default"));
    }
    // A strategy only preserves a single value if the value has no knockout marks.
    if !matches!(strategy.name(), "hash" | "deep") || strategy.options().contains("knockout_prefix") {
        return None;
    }
    let holders = |key: &str| reach.holders.get(key).map(Vec::as_slice).unwrap_or_default();
    let is_once = |key: &&str| {
        let holders = holders(key);
        let is_hash = |file: &usize| workspace.files[*file].hash.get(key).is_none_or(|value| value.as_hash().is_some());
        if !holders.iter().all(is_hash) {
            return false;
        }
        let module = reach.modules.of_key(key);
        if reach.unknown.contains(&None) || module.is_some() && reach.unknown.contains(&module) {
            return false;
        }
        // A node may read a file in two levels.
        let has = |file: usize| holders.contains(&file);
        let mut chains = read_sets.all.iter().map(|read_set| chain_of(read_set, module, &has));
        holders.is_empty() || chains.all(|chain| chain.len() < 2 && !chain.contains(&ChainLink::Unknown))
    };
    let has_some = keys.iter().any(|key| !holders(key).is_empty());
    (has_some && keys.iter().all(is_once)).then(|| {
        format!("{} finds a key in two places for which the options of '{name}' merge it", read_sets.no_node_subject())
    })
}
