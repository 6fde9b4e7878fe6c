//! [`removable`]: the entries of data that can be removed without changing an answer.

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Strategy, Value};
use rayon::prelude::*;

use super::chain::{Chain, ChainLink, EntryEffect, RemovalCause, Values, chain_of, entry_effect};
use super::defaults;
use super::lookup_paths::{Modules, ReadSets};
use super::merged::{self, Merges};
use super::needed::Needed;
use crate::workspace::data::{DataFile, LOOKUP_OPTIONS};
use crate::workspace::lookup_calls::{LookupCall, Merge};
use crate::workspace::lookup_options::AllOptions;
use crate::workspace::{Code, Workspace};

/// A removable entry. All removable entries can be removed together.
#[derive(Clone, Debug)]
pub(crate) struct Removable {
    /// The file, by its number.
    pub(crate) file: usize,
    /// The key.
    pub(crate) key: String,
    /// The reason.
    pub(crate) reason: Reason,
    /// The files with the same value, or above it; without duplicates.
    pub(crate) others: Vec<usize>,
    /// The nodes that read the file, by index; empty if the proof holds for any node.
    pub(crate) nodes: Vec<usize>,
}

/// The reason why an entry is removable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Every node that reads the file gets the value from a level above.
    Shadowed,
    /// Every node that uses it gets the same value from a level below.
    Redundant,
    /// The values that it is merged with contain all of it.
    Merged,
    /// It is the default of the parameter.
    RepeatsDefault,
}

/// The removable entries: each of them alone, and all of them together.
///
/// If the first value wins, the order of the sources decides; if values are [merged], they are merged with and without
/// each of them. Keys that code looks up with an unknown strategy are skipped.
pub(crate) fn removable(workspace: &Workspace, code: &Code, read_sets: &ReadSets, needed: &Needed) -> Vec<Removable> {
    let holders = defining_files(workspace);
    let options = AllOptions::new(&workspace.files);
    let merges = Merges::new(workspace);
    let defaults = defaults::of_parameters(workspace, code);
    let modules = Modules::new(workspace);
    let mut keys: Vec<(&str, &Vec<usize>)> = holders.iter().map(|(key, files)| (*key, files)).collect();
    keys.sort_unstable();
    keys.par_iter()
        .filter(|(key, _)| !key.contains("%{"))
        .flat_map_iter(|(key, files)| {
            let module = modules.of_key(key);
            if !takes_first(key, &options, code) {
                return merged::of_key(workspace, read_sets, code, &merges, key, files, module, needed);
            }
            let default = defaults.get(*key);
            of_key(workspace, read_sets, key, files, module, default, needed)
        })
        .collect()
}

/// The files that have each key, the most specific first.
fn defining_files(workspace: &Workspace) -> HashMap<&str, Vec<usize>> {
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::default();
    for (index, file) in workspace.files.iter().enumerate().filter(|(_, file)| file.is_plain()) {
        for (key, _) in file.entries() {
            holders.entry(key).or_default().push(index);
        }
    }
    for files in holders.values_mut() {
        files.sort_erased_by_key(|file| rank(&workspace.files[*file]));
    }
    holders
}

/// The first position of a file in the hierarchies.
fn rank(file: &DataFile) -> (usize, usize) {
    (file.config, file.reached.first().map_or(0, |reach| reach.level))
}

/// Returns whether the first value of a key is the answer for every caller.
fn takes_first(key: &str, options: &AllOptions<'_>, code: &Code) -> bool {
    let is_first = |options: &Value| match options.as_hash() {
        Some(options) => options.get("merge").is_none_or(|merge| {
            Strategy::parse(merge).is_ok_and(|strategy| matches!(strategy.name(), "first" | "default"))
        }),
        None => options.is_undef(),
    };
    let by_code = |merge: &Merge| matches!(merge, Merge::Options | Merge::Named("first"));
    // Templates and Ruby code may compute any key. The finding says so; otherwise no key could be removed.
    let is_unknown = |request: &LookupCall| request.place.is_none() && request.key.is_anything();
    options.get(key).all(is_first)
        && code.lookup_calls.for_key(key).all(|request| by_code(&request.merge) || is_unknown(request))
}

/// The files whose entries for a key may be removable: those of the environment, unless another environment needs them.
pub(crate) fn candidates(workspace: &Workspace, key: &str, files: &[usize], needed: &Needed) -> Vec<usize> {
    let is_candidate = |file: &usize| {
        let file = &workspace.files[*file];
        workspace.module_of(file).is_none() && !needed.has(&file.path, key)
    };
    files.iter().copied().filter(is_candidate).collect()
}

fn of_key(
    workspace: &Workspace,
    read_sets: &ReadSets,
    key: &str,
    files: &[usize],
    module: Option<usize>,
    default: Option<&Value>,
    needed: &Needed,
) -> Vec<Removable> {
    let candidates = candidates(workspace, key, files, needed);
    if candidates.is_empty() || files.len() < 2 && default.is_none() {
        return Vec::new();
    }
    let value = |file: usize| workspace.files[file].hash.get(key);
    // Options in the data of a module that is not here may merge the values.
    let may_merge = workspace.is_of_missing_module(key);
    removed(read_sets, files, &candidates, module, &Values { of_file: &value, default, may_merge })
        .into_iter()
        .map(|(file, reason, others, nodes)| Removable { file, key: key.to_owned(), reason, others, nodes })
        .collect()
}

/// The removable files of a key, each with the reason, the files that make it removable, and the nodes that read it.
pub(crate) type RemovedEntries = Vec<(usize, Reason, Vec<usize>, Vec<usize>)>;

/// Finds the removable files among `candidates`, the most specific first.
pub(crate) fn removed(
    read_sets: &ReadSets,
    files: &[usize],
    candidates: &[usize],
    module: Option<usize>,
    values: &Values<'_>,
) -> RemovedEntries {
    let known: HashSet<usize> = files.iter().copied().collect();
    let mut chains: HashMap<Chain, Vec<usize>> = HashMap::default();
    for read_set in &read_sets.all {
        let mut chain = chain_of(read_set, module, &|file| known.contains(&file));
        chain.extend(values.default.is_some().then_some(ChainLink::Default));
        chains.entry(chain).or_default().extend(&read_set.nodes);
    }
    // Of the chains of many nodes, few have the file of one of them.
    let mut of_file: HashMap<usize, Vec<(&Chain, &Vec<usize>)>> = HashMap::default();
    for (chain, nodes) in &chains {
        let files: HashSet<usize> = chain.iter().filter_map(|link| link.file()).collect();
        files.into_iter().for_each(|file| of_file.entry(file).or_default().push((chain, nodes)));
    }
    let mut out: HashSet<usize> = HashSet::default();
    let mut found: RemovedEntries = Vec::new();
    // A removed entry can make others removable.
    loop {
        let before = out.len();
        for file in candidates {
            if out.contains(file) {
                continue;
            }
            let Some(chains) = of_file.get(file) else { continue };
            if let Some((reason, others, nodes)) = removal_reason(chains, *file, &out, values) {
                out.insert(*file);
                found.push((*file, reason, others, nodes));
            }
        }
        if out.len() == before {
            return found;
        }
    }
}

/// Returns why the entry of a file is removable, alone and together with the removed ones.
fn removal_reason(
    chains: &[(&Chain, &Vec<usize>)],
    file: usize,
    out: &HashSet<usize>,
    values: &Values<'_>,
) -> Option<(Reason, Vec<usize>, Vec<usize>)> {
    let mut reason = None;
    let (mut others, mut nodes) = (Vec::new(), Vec::new());
    for (chain, of) in chains {
        let alone = entry_effect(chain, file, &|_| false, values);
        let support = match entry_effect(chain, file, &|other| out.contains(&other), values) {
            EntryEffect::Needed => return None,
            EntryEffect::Absent => continue,
            EntryEffect::Idle(RemovalCause::Above(_)) if values.may_merge => return None,
            EntryEffect::Idle(support) => support,
        };
        if !matches!(alone, EntryEffect::Idle(_)) {
            return None;
        }
        nodes.extend(of.iter());
        let (of_chain, other) = match support {
            RemovalCause::Above(other) => (Reason::Shadowed, Some(other)),
            RemovalCause::Below(other) => (Reason::Redundant, Some(other)),
            RemovalCause::Default => (Reason::RepeatsDefault, None),
        };
        others.extend(other);
        // An entry that is overridden for some nodes and repeated for others counts as repeated.
        reason = Some(match (reason, of_chain) {
            (None | Some(Reason::Shadowed), of_chain) => of_chain,
            (Some(Reason::RepeatsDefault), _) | (_, Reason::RepeatsDefault) => Reason::RepeatsDefault,
            (Some(known), _) => known,
        });
    }
    others.sort_unstable();
    others.dedup();
    nodes.sort_unstable();
    reason.map(|reason| (reason, others, nodes))
}

/// The removable entries of `lookup_options`. Each name counts as a key: the first level that has it wins. The order of
/// patterns is that of the lowest level, so a pattern is only removable if a lower level repeats it.
pub(crate) fn options(workspace: &Workspace, read_sets: &ReadSets, needed: &Needed) -> Vec<Removable> {
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::default();
    for (index, file) in workspace.files.iter().enumerate().filter(|(_, file)| file.is_plain()) {
        let names = file.options().and_then(Value::as_hash).into_iter().flat_map(|hash| hash.keys());
        for name in names.filter_map(Value::as_str) {
            holders.entry(name).or_default().push(index);
        }
    }
    let mut found = Vec::new();
    for (name, mut files) in holders {
        files.sort_erased_by_key(|file| rank(&workspace.files[*file]));
        let key = format!("{LOOKUP_OPTIONS}.{name}");
        let own = candidates(workspace, &key, &files, &Needed::default());
        let candidates = candidates(workspace, &key, &own, needed);
        if candidates.is_empty() || files.len() < 2 {
            continue;
        }
        let value = |file: usize| workspace.files[file].options()?.as_hash()?.get(name);
        // Options of modules are merged in another way.
        let removed =
            removed(read_sets, &own, &candidates, None, &Values { of_file: &value, default: None, may_merge: false });
        let stays = |reason: Reason| name.starts_with('^') && reason != Reason::Redundant;
        let goes = removed.into_iter().filter(|(_, reason, ..)| !stays(*reason));
        found.extend(goes.map(|(file, reason, others, nodes)| Removable {
            file,
            key: key.clone(),
            reason,
            others,
            nodes,
        }));
    }
    found
}
