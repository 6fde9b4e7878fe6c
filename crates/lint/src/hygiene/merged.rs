//! Finds removable values of merged keys, by merging them with and without each value.
//!
//! The strategy of a key, and the files that a node reads, may be unknown. A value is removable if it is removable for
//! every possible strategy and every possible choice of files. Keys with too many of these are skipped, and so are
//! values whose merge cannot be predicted: with interpolations, with knockout prefixes, and in the data of modules.

use hieratic::hiera::PatternIndex;
use hieratic::ruby_regexp::Regexp;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Strategy, Value};

use super::lookup_paths::{ReadSet, ReadSets, ReadSource, SourceKind};
use super::needed::Needed;
use super::removable::{Reason, Removable, RemovedEntries, candidates};
use crate::workspace::data::{has_envelope, has_interpolation};
use crate::workspace::lookup_calls::{LookupCall, Merge};
use crate::workspace::lookup_options::PatternBudget;
use crate::workspace::{Code, Workspace};

/// The most choices of files that are tried for one value.
const MOST_CHOICES: usize = 256;

/// The most values that are merged for one key. The rest of the values is skipped.
const MOST_MERGES: usize = 2_000_000;

/// The number of the strategy that takes the first value.
const FIRST: usize = 0;

/// The merge strategies in the options of all files, each with the number of its file.
pub(crate) struct Merges<'r> {
    exact: HashMap<&'r str, Vec<(usize, usize)>>,
    /// In the order of the files. Without a pattern, the options of every key are unknown.
    patterns: Vec<(usize, Option<Regexp>, usize)>,
    index: PatternIndex,
    /// The distinct strategies; `None` for those that cannot be parsed.
    strategies: Vec<Option<Strategy>>,
    searches: PatternBudget,
}

/// The options of one key in a file.
#[derive(Default)]
struct KeyOptions {
    exact: Option<usize>,
    patterns: Vec<usize>,
}

impl<'r> Merges<'r> {
    pub(crate) fn new(workspace: &'r Workspace) -> Merges<'r> {
        let mut merges = Merges {
            exact: HashMap::default(),
            patterns: Vec::new(),
            index: PatternIndex::default(),
            strategies: vec![Some(Strategy::none().clone())],
            searches: PatternBudget::default(),
        };
        let mut numbers: HashMap<String, usize> = HashMap::default();
        for (index, file) in workspace.files.iter().enumerate() {
            let Some(options) = file.options().and_then(Value::as_hash) else { continue };
            for (name, options) in options.iter().filter_map(|(name, options)| Some((name.as_str()?, options))) {
                let merge = options.as_hash().and_then(|options| options.get("merge"));
                let number = match merge {
                    None => FIRST,
                    Some(merge) => {
                        let strategies = &mut merges.strategies;
                        *numbers.entry(merge.inspect()).or_insert_with(|| {
                            strategies.push(Strategy::parse(merge).ok().filter(|_| !has_interpolation(merge)));
                            strategies.len() - 1
                        })
                    }
                };
                if name.starts_with('^') {
                    let pattern = Regexp::new(name).ok();
                    // Whatever the key is, a pattern that cannot be read has to be looked at.
                    merges.index.add(if pattern.is_some() { name } else { "^" });
                    merges.patterns.push((index, pattern, number));
                } else {
                    merges.exact.entry(name).or_default().push((index, number));
                }
            }
        }
        merges
    }

    /// The options of a key in each file; `None` if these are unknown.
    fn key_options(&self, key: &str) -> Option<HashMap<usize, KeyOptions>> {
        let mut all: HashMap<usize, KeyOptions> = HashMap::default();
        for (file, number) in self.exact.get(key).into_iter().flatten() {
            all.entry(*file).or_default().exact = Some(*number);
        }
        for candidate in self.index.candidates(key) {
            let (file, pattern, number) = self.patterns.get(candidate)?;
            if self.searches.is_match(pattern.as_ref()?, key)? {
                all.entry(*file).or_default().patterns.push(*number);
            }
        }
        Some(all)
    }
}

/// The strategies that may apply in a world, by their numbers: the options of the first level count, and a name before
/// all patterns.
fn strategies<'w>(
    places: impl Iterator<Item = &'w ReadSource> + Clone,
    key_options: &HashMap<usize, KeyOptions>,
) -> Vec<usize> {
    let of = |place: &ReadSource| match place.kind {
        SourceKind::File(file) => Some((key_options.get(&file)?, true)),
        SourceKind::Maybe(file, _) => Some((key_options.get(&file)?, false)),
        SourceKind::Unknown => None,
    };
    let mut found = Vec::new();
    for (key_options, is_always) in places.clone().filter_map(of) {
        if let Some(number) = key_options.exact {
            found.push(number);
            if is_always {
                return found;
            }
        }
    }
    let mut is_certain = false;
    for (key_options, is_always) in places.filter_map(of) {
        is_certain |= is_always && !key_options.patterns.is_empty();
        found.extend(&key_options.patterns);
    }
    found.extend((!is_certain).then_some(FIRST));
    found.sort_unstable();
    found.dedup();
    found
}

/// A file that has the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ValuePart {
    level: u32,
    file: usize,
    /// `None` if it is always read. Otherwise it may be read, and of the files with the same number, at most one is.
    choice: Option<Option<u32>>,
}

/// The sources of a key for some nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Situation {
    parts: Vec<ValuePart>,
    /// The strategies that may apply.
    strategies: Vec<usize>,
    /// Whether all sources are known.
    is_known: bool,
}

fn situation(
    read_set: &ReadSet,
    module: Option<usize>,
    has: &HashSet<usize>,
    key_options: &HashMap<usize, KeyOptions>,
) -> Situation {
    let places = read_set.places.iter().filter(|place| place.module.is_none() || place.module == module);
    let mut situation = Situation { parts: Vec::new(), strategies: Vec::new(), is_known: true };
    for place in places.clone() {
        let (file, choice) = match place.kind {
            SourceKind::File(file) => (file, None),
            SourceKind::Maybe(file, group) => (file, Some(group)),
            SourceKind::Unknown => {
                situation.is_known = false;
                continue;
            }
        };
        if has.contains(&file) {
            situation.is_known &= place.module.is_none();
            situation.parts.push(ValuePart { level: place.level, file, choice });
        }
    }
    if situation.is_known {
        situation.strategies = strategies(places, key_options);
    }
    situation
}

/// Finds the removable values of a key that at least some nodes merge.
#[allow(clippy::too_many_arguments, reason = "all that is known of a key")]
pub(crate) fn of_key(
    workspace: &Workspace,
    read_sets: &ReadSets,
    code: &Code,
    merges: &Merges<'_>,
    key: &str,
    files: &[usize],
    module: Option<usize>,
    needed: &Needed,
) -> Vec<Removable> {
    let candidates = candidates(workspace, key, files, needed);
    if candidates.is_empty() || files.len() < 2 {
        return Vec::new();
    }
    let Some(key_options) = merges.key_options(key) else { return Vec::new() };
    // Templates and Ruby code may compute any key. The finding says so; otherwise no key could be removed.
    let is_unknown = |request: &LookupCall| request.place.is_none() && request.key.is_anything();
    let mut by_code: Vec<Strategy> = Vec::new();
    for request in code.lookup_calls.for_key(key).filter(|request| !is_unknown(request)) {
        match &request.merge {
            Merge::Options => {}
            Merge::Named(name) if by_code.iter().any(|known| known.name() == *name) => {}
            Merge::Named(name) => match Strategy::parse(&Value::from(*name)) {
                Ok(strategy) => by_code.push(strategy),
                Err(_) => return Vec::new(),
            },
            Merge::Unknown => return Vec::new(),
        }
    }
    let values: HashMap<usize, &Value> =
        files.iter().filter_map(|file| Some((*file, workspace.files[*file].hash.get(key)?))).collect();
    if values.values().any(|value| value.is_undef() || has_interpolation(value)) {
        return Vec::new();
    }
    let is_clear = |strategy: &Strategy| values.values().all(|value| is_clear(strategy, value));
    if !by_code.iter().all(is_clear) {
        return Vec::new();
    }
    let has: HashSet<usize> = files.iter().copied().collect();
    // Worlds are many, and strategies few.
    let mut clear: HashMap<usize, bool> = HashMap::default();
    let mut is_clear_number = |number: usize| {
        let strategy = merges.strategies.get(number).and_then(Option::as_ref);
        *clear.entry(number).or_insert_with(|| strategy.is_some_and(is_clear))
    };
    let mut situations: HashMap<Situation, Vec<usize>> = HashMap::default();
    for read_set in &read_sets.all {
        let mut situation = situation(read_set, module, &has, &key_options);
        situation.is_known &= situation.strategies.iter().all(|number| is_clear_number(*number));
        situations.entry(situation).or_default().extend(&read_set.nodes);
    }
    let is_choice = |situation: &Situation| situation.parts.iter().any(|part| part.choice.is_some());
    let texts = if situations.keys().any(is_choice) { texts(&values) } else { HashMap::default() };
    let mut sample = MergeTrial {
        merges,
        by_code: &by_code,
        values: &values,
        texts,
        left: MOST_MERGES,
        holders: HashMap::default(),
    };
    let removed = removed(&situations, &candidates, &mut sample);
    removed
        .into_iter()
        .map(|(file, reason, others, nodes)| Removable { file, key: key.to_owned(), reason, others, nodes })
        .collect()
}

/// Returns whether a strategy is idempotent on a value, and does not depend on the identity of its elements.
fn is_clear(strategy: &Strategy, value: &Value) -> bool {
    match strategy.name() {
        "first" | "default" => true,
        "unique" => match value {
            Value::Hash(_) => false,
            Value::Array(elements) => {
                let mut seen = HashSet::default();
                elements.iter().all(|element| !matches!(element, Value::Array(_)) && seen.insert(element))
            }
            _ => true,
        },
        "hash" => matches!(value, Value::Hash(_)),
        "deep" => {
            let options = strategy.options();
            let is_marked = ["knockout_prefix", "merge_hash_arrays"].iter().any(|name| options.contains(name));
            // Two secrets may have the same content, which only their decryption reveals.
            !is_marked && matches!(value, Value::Hash(_)) && !has_envelope(value)
        }
        _ => false,
    }
}

/// A string for each value, equal for equal values.
fn texts(values: &HashMap<usize, &Value>) -> HashMap<usize, String> {
    values.iter().map(|(file, value)| (*file, value.inspect())).collect()
}

fn removed(
    situations: &HashMap<Situation, Vec<usize>>,
    candidates: &[usize],
    sample: &mut MergeTrial<'_>,
) -> RemovedEntries {
    let mut of_file: HashMap<usize, Vec<(&Situation, &Vec<usize>)>> = HashMap::default();
    for (situation, nodes) in situations {
        let files: HashSet<usize> = situation.parts.iter().map(|part| part.file).collect();
        for file in files {
            of_file.entry(file).or_default().push((situation, nodes));
        }
    }
    let mut out: HashSet<usize> = HashSet::default();
    let mut found: RemovedEntries = Vec::new();
    for file in candidates {
        let Some(of) = of_file.get(file) else { continue };
        let can_go = of.iter().all(|(situation, _)| {
            sample.is_idle(situation, *file, &HashSet::default())
                && (out.is_empty() || sample.is_idle(situation, *file, &out))
        });
        if !can_go {
            continue;
        }
        let parts = of.iter().flat_map(|(situation, _)| &situation.parts).map(|part| part.file);
        let mut others: Vec<usize> = parts.filter(|other| other != file && !out.contains(other)).collect();
        others.sort_unstable();
        others.dedup();
        let mut nodes: Vec<usize> = of.iter().flat_map(|(_, nodes)| nodes.iter().copied()).collect();
        nodes.sort_unstable();
        out.insert(*file);
        found.push((*file, Reason::Merged, others, nodes));
    }
    found
}

/// Merges values with and without one.
struct MergeTrial<'t> {
    merges: &'t Merges<'t>,
    by_code: &'t [Strategy],
    values: &'t HashMap<usize, &'t Value>,
    texts: HashMap<usize, String>,
    /// The number of values that may still be merged.
    left: usize,
    /// For each situation, by its address: the file that has a key or an element, and whether no other one has it.
    holders: HashMap<usize, HashMap<&'t Value, (usize, bool)>>,
}

/// The keys of a hash or the elements of an array, which a merge keeps.
fn parts_of(value: &Value) -> Vec<&Value> {
    match value {
        Value::Hash(hash) => hash.keys().collect(),
        // A merge may leave undefined elements out.
        Value::Array(elements) => elements.iter().filter(|element| !element.is_undef()).collect(),
        scalar => vec![scalar],
    }
}

impl MergeTrial<'_> {
    /// Returns whether the answer of nodes is the same without the value of a file.
    fn is_idle(&mut self, situation: &Situation, file: usize, out: &HashSet<usize>) -> bool {
        if !situation.is_known {
            return false;
        }
        let of_options = situation.strategies.iter().filter_map(|number| self.merges.strategies.get(*number)?.as_ref());
        let strategies: Vec<&Strategy> = of_options.chain(self.by_code).collect();
        if strategies.iter().any(|strategy| self.has_own_part(strategy, situation, file)) {
            return false;
        }
        let Some(choices) = self.choices(situation, file, out) else { return false };
        for parts in choices {
            if !parts.iter().any(|part| part.file == file) {
                continue;
            }
            let less: Vec<ValuePart> = parts.iter().filter(|part| part.file != file).copied().collect();
            for strategy in &strategies {
                match self.left.checked_sub(parts.len() + less.len()) {
                    Some(left) => self.left = left,
                    None => return false,
                }
                let (Some(with), Some(without)) = (self.merged(strategy, &parts), self.merged(strategy, &less)) else {
                    return false;
                };
                if !with.is_same_in_order(&without) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether the value of a file has a key or an element that no other value of the nodes has. Without the
    /// file, it is missing in the answer, and nothing has to be merged to see that.
    fn has_own_part(&mut self, strategy: &Strategy, situation: &Situation, file: usize) -> bool {
        if !matches!(strategy.name(), "unique" | "hash" | "deep") {
            return false;
        }
        let key = std::ptr::from_ref(situation) as usize;
        let values = self.values;
        let holders = self.holders.entry(key).or_insert_with(|| {
            let mut holders: HashMap<&Value, (usize, bool)> = HashMap::default();
            for part in &situation.parts {
                for name in values.get(&part.file).into_iter().flat_map(|value| parts_of(value)) {
                    let definer = holders.entry(name).or_insert((part.file, true));
                    definer.1 &= definer.0 == part.file;
                }
            }
            holders
        });
        let is_own = |name: &Value| holders.get(name).is_some_and(|(definer, is_only)| *is_only && *definer == file);
        values.get(&file).into_iter().flat_map(|value| parts_of(value)).any(is_own)
    }

    /// The sets of files that a node may read; `None` if these are too many.
    fn choices(&self, situation: &Situation, file: usize, out: &HashSet<usize>) -> Option<Vec<Vec<ValuePart>>> {
        let parts: Vec<ValuePart> = situation.parts.iter().filter(|part| !out.contains(&part.file)).copied().collect();
        // Files with equal values of which a node reads at most one are a single choice.
        let mut groups: Vec<(Option<u32>, Vec<usize>)> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let Some(group) = part.choice else { continue };
            match groups.iter_mut().find(|(known, _)| known.is_some() && *known == group) {
                None => groups.push((group, vec![at])),
                Some((_, members)) => {
                    let text = |at: usize| parts.get(at).and_then(|part| self.texts.get(&part.file));
                    let is_known = members
                        .iter()
                        .any(|known| parts[*known].file != file && part.file != file && text(*known) == text(at));
                    if !is_known {
                        members.push(at);
                    }
                }
            }
            let count = groups.iter().try_fold(1_usize, |count, (_, members)| count.checked_mul(members.len() + 1));
            count.filter(|count| *count <= MOST_CHOICES)?;
        }
        let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
        for (_, members) in &groups {
            let more = chosen.iter().flat_map(|some| {
                members.iter().map(|member| {
                    let mut some = some.clone();
                    some.push(*member);
                    some
                })
            });
            let more: Vec<Vec<usize>> = more.collect();
            chosen.extend(more);
        }
        let read = |chosen: Vec<usize>| {
            let is_read = |(at, part): &(usize, &ValuePart)| part.choice.is_none() || chosen.contains(at);
            parts.iter().enumerate().filter(is_read).map(|(_, part)| *part).collect()
        };
        Some(chosen.into_iter().map(read).collect())
    }

    /// Merges values as a lookup does, level by level; `None` if there is no value, or if they cannot be merged.
    fn merged(&self, strategy: &Strategy, parts: &[ValuePart]) -> Option<Value> {
        let mut levels = Vec::new();
        for level in parts.chunk_by(|one, other| one.level == other.level) {
            let values = level.iter().filter_map(|part| Some((*self.values.get(&part.file)?).clone()));
            levels.extend(strategy.merged(values).ok()?);
        }
        strategy.merged(levels).ok()?
    }
}
