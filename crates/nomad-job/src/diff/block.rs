//! The compared parts of two jobs, and their change.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use hieratic_value::ErasedSort as _;

/// Plain values by name; those of maps and lists by name and key.
pub(super) type FlatFields = BTreeMap<String, String>;

/// A part of a job with the server's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    pub(super) name: &'static str,
    /// The name that identifies the block among others of its kind.
    pub(super) key: String,
    pub(super) fields: FlatFields,
    /// Values that are compared, but not shown.
    pub(super) hidden: FlatFields,
    /// Fields that are shown only if both sides have the block.
    pub(super) of_both: Vec<(&'static str, String)>,
    pub(super) parts: Vec<BlockPart>,
    pub(super) rule: CompareRule,
}

/// The rule for comparing blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum CompareRule {
    /// The block differs as a whole, and unchanged parts are shown.
    #[default]
    Whole,
    /// As [`Whole`](CompareRule::Whole), but only differences are shown.
    Terse,
    /// Only what differs in its fields counts.
    Fields,
    /// A block without fields counts as missing.
    Filled,
}

/// A part of a block that is not a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum BlockPart {
    /// Strings in any order.
    Set(&'static str, Vec<String>),
    /// Strings in any order, shown only if they change.
    QuietSet(&'static str, Vec<String>),
    /// An optional block.
    One(Option<Box<Block>>),
    /// An optional block that is shown even if it is unchanged.
    Shown(&'static str, Option<Box<Block>>),
    /// Blocks that are found by their key.
    Keyed(Vec<Block>),
    /// Blocks that are found by their key, in the order of their keys instead of their changes.
    Sorted(Vec<Block>),
    /// Blocks that are compared in their order.
    Listed(Vec<Block>),
    /// Services: those with the most in common are compared.
    Services(Vec<Block>),
    /// Templates: found by where they are written to, unless both sides have one.
    Templates(Vec<Block>),
}

/// The change of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Change {
    #[default]
    None,
    Added,
    Deleted,
    Edited,
}

impl Change {
    pub(super) fn marker(self) -> &'static str {
        match self {
            Change::None => "",
            Change::Added => "+ ",
            Change::Deleted => "- ",
            Change::Edited => "+/- ",
        }
    }

    /// The name of the change in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            Change::None => "None",
            Change::Added => "Added",
            Change::Deleted => "Deleted",
            Change::Edited => "Edited",
        }
    }

    pub(super) fn from_presence(old: bool, new: bool) -> Change {
        match (old, new) {
            (false, true) => Change::Added,
            (true, false) => Change::Deleted,
            _ => Change::Edited,
        }
    }

    /// In this order they are sorted.
    fn rank(self) -> u8 {
        match self {
            Change::Edited => 0,
            Change::Added => 1,
            Change::Deleted => 2,
            Change::None => 3,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FieldDiff {
    pub(super) change: Change,
    pub(super) name: String,
    pub(super) old: String,
    pub(super) new: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ObjectDiff {
    pub(super) change: Change,
    pub(super) name: &'static str,
    pub(super) fields: Vec<FieldDiff>,
    pub(super) objects: Vec<ObjectDiff>,
}

/// Compares two blocks; `None` if they are equal.
pub(super) fn compare(old: Option<&Block>, new: Option<&Block>) -> Option<ObjectDiff> {
    let either = new.or(old)?;
    if old == new {
        return None;
    }
    let nothing = FlatFields::new();
    let are_both = old.is_some() && new.is_some();
    let flat = |block: Option<&'_ Block>| {
        let mut fields = block.map_or(nothing.clone(), |block| block.fields.clone());
        let of_both = block.filter(|_| are_both).into_iter().flat_map(|block| &block.of_both);
        fields.extend(of_both.map(|(name, value)| ((*name).to_owned(), value.clone())));
        fields
    };
    let fields = fields(&flat(old), &flat(new), either.rule != CompareRule::Terse);
    let mut change = Change::from_presence(old.is_some(), new.is_some());
    if either.rule == CompareRule::Filled {
        let is_filled = |block: Option<&'_ Block>| block.is_some_and(|block| !block.fields.is_empty());
        change = match (is_filled(old), is_filled(new)) {
            (false, _) => Change::Added,
            (_, new) => Change::from_presence(true, new),
        };
    }
    if either.rule == CompareRule::Fields {
        let has = |change| fields.iter().any(|field| field.change == change);
        change = match (has(Change::Edited), has(Change::Added), has(Change::Deleted)) {
            (true, ..) | (_, true, true) => Change::Edited,
            (_, true, false) => Change::Added,
            (_, false, true) => Change::Deleted,
            _ => return None,
        };
    }
    let mut objects = Vec::new();
    for at in 0..either.parts.len() {
        let part = |block: Option<&'_ Block>| block.and_then(|block| block.parts.get(at).cloned());
        let (before, after) = (part(old), part(new));
        let empty = before.as_ref().or(after.as_ref()).map(BlockPart::without_values);
        let Some(empty) = empty else { continue };
        objects.extend(parts(&before.unwrap_or_else(|| empty.clone()), &after.unwrap_or(empty)));
    }
    Some(ObjectDiff { change, name: either.name, fields, objects })
}

impl BlockPart {
    /// The part of a block that is not there.
    fn without_values(&self) -> BlockPart {
        match self {
            BlockPart::Set(name, _) => BlockPart::Set(name, Vec::new()),
            BlockPart::QuietSet(name, _) => BlockPart::QuietSet(name, Vec::new()),
            BlockPart::One(_) => BlockPart::One(None),
            BlockPart::Shown(name, _) => BlockPart::Shown(name, None),
            BlockPart::Keyed(_) => BlockPart::Keyed(Vec::new()),
            BlockPart::Sorted(_) => BlockPart::Sorted(Vec::new()),
            BlockPart::Listed(_) => BlockPart::Listed(Vec::new()),
            BlockPart::Services(_) => BlockPart::Services(Vec::new()),
            BlockPart::Templates(_) => BlockPart::Templates(Vec::new()),
        }
    }
}

/// Compares the same part of two blocks.
pub(super) fn parts(old: &BlockPart, new: &BlockPart) -> Vec<ObjectDiff> {
    let is_sorted = matches!(old, BlockPart::Sorted(_));
    let mut found: Vec<ObjectDiff> = match (old, new) {
        (BlockPart::Set(name, old), BlockPart::Set(_, new)) => return set(name, old, new).into_iter().collect(),
        (BlockPart::QuietSet(name, old), BlockPart::QuietSet(_, new)) => {
            return set(name, old, new).filter(|object| object.change != Change::None).into_iter().collect();
        }
        (BlockPart::One(old), BlockPart::One(new)) => {
            return compare(old.as_deref(), new.as_deref()).into_iter().collect();
        }
        (BlockPart::Shown(name, old), BlockPart::Shown(_, new)) => {
            let same = || ObjectDiff { name, ..ObjectDiff::default() };
            return vec![compare(old.as_deref(), new.as_deref()).unwrap_or_else(same)];
        }
        (BlockPart::Keyed(old) | BlockPart::Sorted(old), BlockPart::Keyed(new) | BlockPart::Sorted(new)) => {
            let by_key = |blocks: &'_ [Block]| -> BTreeMap<String, Block> {
                blocks.iter().map(|block| (block.key.clone(), block.clone())).collect()
            };
            let (old_keys, new_keys) = (keys(old), keys(new));
            let (old, new) = (by_key(old), by_key(new));
            let mut keys = old_keys;
            keys.extend(new_keys.into_iter().filter(|key| !old.contains_key(key)));
            if is_sorted {
                keys.sort_unstable();
            }
            keys.iter().filter_map(|key| compare(old.get(key), new.get(key))).collect()
        }
        (BlockPart::Listed(old), BlockPart::Listed(new)) => {
            (0..old.len().max(new.len())).filter_map(|at| compare(old.get(at), new.get(at))).collect()
        }
        (BlockPart::Services(old), BlockPart::Services(new)) => {
            let mut free = FreeServices::new(new);
            match_blocks(old, new, |block, at| free.take(block, at))
        }
        (BlockPart::Templates(old), BlockPart::Templates(new)) => {
            let mut free = BTreeMap::<&str, BTreeSet<usize>>::new();
            for (at, block) in new.iter().enumerate() {
                free.entry(&block.key).or_default().insert(at);
            }
            match_blocks(old, new, |block, _| free.get_mut(block.key.as_str())?.pop_first())
        }
        _ => Vec::new(),
    };
    if !is_sorted {
        sort(&mut found);
    }
    found
}

/// The keys of blocks, each once, in the order of the job. The reference walks through a hash table, which has this order
/// in most cases if there are few.
fn keys(blocks: &[Block]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    blocks.iter().map(|block| block.key.clone()).filter(|key| seen.insert(key.clone())).collect()
}

/// Compares each block with its match, which `find` returns and does not return again.
fn match_blocks(old: &[Block], new: &[Block], mut find: impl FnMut(&Block, usize) -> Option<usize>) -> Vec<ObjectDiff> {
    if let ([old], [new]) = (old, new) {
        return compare(Some(old), Some(new)).into_iter().collect();
    }
    let mut is_matched = vec![false; new.len()];
    let mut found = Vec::new();
    for (at, block) in old.iter().enumerate() {
        let partner = find(block, at);
        if let Some(matched) = partner.and_then(|partner| is_matched.get_mut(partner)) {
            *matched = true;
        }
        found.extend(compare(Some(block), partner.and_then(|partner| new.get(partner))));
    }
    let unmatched = new.iter().zip(&is_matched).filter(|(_, is_matched)| !**is_matched);
    found.extend(unmatched.filter_map(|(block, _)| compare(None, Some(block))));
    found
}

/// The name and the port of a service.
type ServiceKey<'b> = (Option<&'b String>, Option<&'b String>);

fn service_key(block: &Block) -> ServiceKey<'_> {
    (block.fields.get("Name"), block.fields.get("PortLabel"))
}

/// The services without a match. The reference looks for the one with the highest score: 3 for the same name, 2 for the
/// same port and 1 for the same place, more than 2 in all; of several, the first one.
struct FreeServices<'b> {
    new: &'b [Block],
    by_key: BTreeMap<ServiceKey<'b>, BTreeSet<usize>>,
    by_name: BTreeMap<Option<&'b String>, BTreeSet<usize>>,
}

impl<'b> FreeServices<'b> {
    fn new(new: &'b [Block]) -> Self {
        let mut free = FreeServices { new, by_key: BTreeMap::new(), by_name: BTreeMap::new() };
        for (at, block) in new.iter().enumerate() {
            let key = service_key(block);
            free.by_key.entry(key).or_default().insert(at);
            free.by_name.entry(key.0).or_default().insert(at);
        }
        free
    }

    fn take(&mut self, old: &Block, at: usize) -> Option<usize> {
        let best = self.best(old, at)?;
        let key = service_key(self.new.get(best)?);
        if let Some(free) = self.by_key.get_mut(&key) {
            free.remove(&best);
        }
        if let Some(free) = self.by_name.get_mut(&key.0) {
            free.remove(&best);
        }
        Some(best)
    }

    fn best(&self, old: &Block, at: usize) -> Option<usize> {
        let (name, port) = service_key(old);
        let first_of = |free: &BTreeSet<usize>| free.get(&at).or_else(|| free.first()).copied();
        if let Some(best) = self.by_key.get(&(name, port)).and_then(first_of) {
            return Some(best);
        }
        let of_name = self.by_name.get(&name);
        if of_name.is_some_and(|free| free.contains(&at)) {
            return Some(at);
        }
        // The name alone counts as much as the port at the same place.
        let of_place = self.new.get(at).map(service_key).filter(|key| key.1 == port);
        let of_place = of_place.and_then(|key| self.by_key.get(&key)?.get(&at));
        [of_name.and_then(|free| free.first()), of_place].into_iter().flatten().min().copied()
    }
}

/// Compares strings without regard to their order.
fn set(name: &'static str, old: &[String], new: &[String]) -> Option<ObjectDiff> {
    let (old, new): (BTreeSet<&String>, BTreeSet<&String>) = (old.iter().collect(), new.iter().collect());
    let mut fields: Vec<FieldDiff> = Vec::new();
    for text in old.union(&new) {
        let change = match (old.contains(text), new.contains(text)) {
            // An empty string counts as missing.
            _ if text.is_empty() => Change::None,
            (true, true) => Change::None,
            (known, _) => Change::from_presence(known, !known),
        };
        let side = |other: Change| if change == other { String::new() } else { (*text).clone() };
        let field = FieldDiff { change, name: name.to_owned(), old: side(Change::Added), new: side(Change::Deleted) };
        fields.push(field);
    }
    // An added string has no old side, so it comes first.
    fields.sort_erased_by(|one, other| (&one.old, &one.new).cmp(&(&other.old, &other.new)));
    let change = match (old.is_subset(&new), new.is_subset(&old)) {
        (true, true) => Change::None,
        (no_deleted, no_added) => Change::from_presence(!no_deleted, !no_added),
    };
    (!fields.is_empty()).then_some(ObjectDiff { change, name, fields, objects: Vec::new() })
}

/// The values that differ, by name; with their context all of them.
pub(super) fn fields(old: &FlatFields, new: &FlatFields, context: bool) -> Vec<FieldDiff> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let field = |name: &String| {
        let text = |texts: &FlatFields| texts.get(name).cloned().unwrap_or_default();
        let (old, new) = (text(old), text(new));
        // An empty string counts as missing.
        let change = if old == new { Change::None } else { Change::from_presence(!old.is_empty(), !new.is_empty()) };
        (context || change != Change::None).then(|| FieldDiff { change, name: name.clone(), old, new })
    };
    names.into_iter().filter_map(field).collect()
}

/// So many objects the reference sorts by insertion.
const MAX_INSERTION: usize = 12;

/// Sorts with the algorithm of the reference: the comparison is not a strict order, so another algorithm gives another
/// result.
fn sort(objects: &mut [ObjectDiff]) {
    if objects.len() > MAX_INSERTION {
        objects.sort_erased_by(order);
        return;
    }
    for end in 1..objects.len() {
        for at in (1..=end).rev() {
            let [before, after] = &mut objects[at - 1..=at] else { return };
            if !less(after, before) {
                break;
            }
            objects.swap(at, at - 1);
        }
    }
}

/// Returns whether an object comes before another one. As in the reference, a comparison that reaches the inner objects
/// sorts them: other objects keep theirs as they are.
fn less(one: &mut ObjectDiff, other: &mut ObjectDiff) -> bool {
    if one == other {
        return false;
    }
    match order_without_values(one, other) {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => {
            if one.fields.iter().zip(&other.fields).any(|(one, other)| order_of_fields(one, other).is_lt()) {
                return true;
            }
            sort(&mut one.objects);
            sort(&mut other.objects);
            one.objects.iter_mut().zip(&mut other.objects).any(|(one, other)| less(one, other))
        }
    }
}

/// Compares the name, the change, and how much there is in two objects.
fn order_without_values(one: &ObjectDiff, other: &ObjectDiff) -> Ordering {
    let key = |object: &ObjectDiff| (object.change.rank(), object.fields.len(), object.objects.len());
    one.name.cmp(other.name).then_with(|| key(one).cmp(&key(other)))
}

fn order_of_fields(one: &FieldDiff, other: &FieldDiff) -> Ordering {
    (&one.name, &one.old, &one.new).cmp(&(&other.name, &other.old, &other.new))
}

/// A strict order, for many objects.
fn order(one: &ObjectDiff, other: &ObjectDiff) -> Ordering {
    order_without_values(one, other)
        .then_with(|| first_difference(one.fields.iter().zip(&other.fields).map(|(a, b)| order_of_fields(a, b))))
        .then_with(|| first_difference(one.objects.iter().zip(&other.objects).map(|(a, b)| order(a, b))))
}

fn first_difference(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
