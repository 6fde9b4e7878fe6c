//! [`ChangeCollector`]: collects changes and merges equal ones.
//!
//! Data that interpolates a fact gives every node a different answer. For its author this is one change, but there can
//! be as many answers as nodes. A few are listed separately. For more, only the first node's answers are kept, and the
//! other nodes are counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hieratic::value::ErasedSort as _;
use hieratic::value::Str;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::value::ids::Fingerprint;

use crate::answers::Answer;
use crate::classes::SharedKeys;
use crate::diff::Diff;
use crate::shared_impact::{KeyPosition, SharedClass};
use crate::symbolic::Equivalence;

/// The changes that were found so far.
pub(crate) struct ChangeCollector {
    /// The ids of the classes by their fingerprints, in the order of registration.
    classes: HashMap<Fingerprint, usize>,
    /// The reason why the options of keys cannot be used for a class, on either side.
    pub(crate) broken: Vec<(usize, Diff<Option<String>>)>,
    /// The keys that fail on both sides with the same message.
    pub(crate) failing: BTreeSet<Str>,
    /// By key, and by the fingerprint of its uninterpolated data; `None` if that is unknown.
    changes: BTreeMap<Str, HashMap<Option<Fingerprint>, Variants>>,
    most: usize,
    /// The nodes that answer keys differently from the rest of their classes.
    excluded: HashMap<Str, HashSet<(usize, usize)>>,
    /// The keys of classes that could not be looked up on any node so far, by their indexes in the class of keys.
    pending: HashMap<usize, Vec<KeyPosition>>,
    /// The classes of keys with many answers.
    proved: HashMap<Fingerprint, ProvedChange>,
}

/// Keys of a class that are proved to change and have so many answers that only those of the first node are kept. The
/// other nodes are only counted.
struct ProvedChange {
    group: Arc<SharedClass>,
    /// No node after this one is the first of any of the keys.
    first: usize,
    classes: Vec<usize>,
}

/// A key with another answer, and the nodes on which it has it, sorted.
pub(crate) struct TouchedKey {
    pub(crate) key: Str,
    pub(crate) answers: Diff<Answer>,
    pub(crate) touched: Vec<usize>,
    pub(crate) varies: bool,
}

/// The answers to a key.
enum Variants {
    /// By a fingerprint of the answers.
    Few(HashMap<Fingerprint, Variant>),
    /// Many answers, of which only those of the first node are kept.
    Many(Variant),
}

/// Answers, the first node that gets them, and all classes that do.
struct Variant {
    answers: Diff<Answer>,
    first: usize,
    classes: Vec<usize>,
}

impl ChangeCollector {
    pub(crate) fn new(most: usize) -> ChangeCollector {
        ChangeCollector {
            classes: HashMap::default(),
            broken: Vec::new(),
            failing: BTreeSet::new(),
            changes: BTreeMap::new(),
            most,
            excluded: HashMap::default(),
            pending: HashMap::default(),
            proved: HashMap::default(),
        }
    }

    /// The number of classes.
    pub(crate) fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The place of a class, and whether it is met for the first time.
    pub(crate) fn class(&mut self, fingerprint: Fingerprint) -> (usize, bool) {
        let next = self.classes.len();
        let class = *self.classes.entry(fingerprint).or_insert(next);
        (class, class == next)
    }

    /// Registers a node: returns the id of its class, and the indexes of the keys to look up on the node.
    pub(crate) fn register(&mut self, shared: &SharedKeys, node: usize) -> (usize, Vec<KeyPosition>) {
        let SharedKeys { fingerprint, group, excepted, is_plain } = shared;
        let (class, is_new) = self.class(*fingerprint);
        for key in excepted.iter().map(|place| &group.keys[*place]) {
            self.excluded.entry(key.clone()).or_default().insert((class, node));
        }
        let is_excepted = |place: &KeyPosition| excepted.binary_search(place).is_ok();
        if !is_new {
            let Some(pending) = self.pending.get_mut(&class) else { return (class, Vec::new()) };
            let (still, to_look_up) = std::mem::take(pending).into_iter().partition(is_excepted);
            *pending = still;
            return (class, to_look_up);
        }
        let is_settled = *is_plain && self.is_counted(group, class, node);
        let (mut to_look_up, mut pending) = (Vec::new(), Vec::new());
        for ((place, key), verdict) in group.keys.entries().zip(&group.relations) {
            match verdict {
                Equivalence::Equal if *is_plain => {}
                Equivalence::Different if is_settled => {}
                Equivalence::Different if *is_plain && self.adds_to_many(key, group.data_fingerprint, class, node) => {}
                _ if is_excepted(&place) => pending.push(place),
                _ => to_look_up.push(place),
            }
        }
        if !pending.is_empty() {
            self.pending.insert(class, pending);
        }
        (class, to_look_up)
    }

    /// Returns whether a node adds only one more to the count of a class of keys. If so, counts it.
    fn is_counted(&mut self, group: &Arc<SharedClass>, class: usize, node: usize) -> bool {
        let proved = match self.proved.get_mut(&group.fingerprint) {
            Some(proved) => proved,
            None => {
                let sure = || group.keys.iter().zip(&group.relations).filter(|(_, is)| **is == Equivalence::Different);
                let first = |key: &Str| match self.changes.get(key)?.get(&Some(group.data_fingerprint))? {
                    Variants::Many(variant) => Some(variant.first),
                    Variants::Few(_) => None,
                };
                let firsts: Option<Vec<usize>> = sure().map(|(key, _)| first(key)).collect();
                let Some(first) = firsts.and_then(|firsts| firsts.into_iter().max()) else { return false };
                let proved = ProvedChange { group: group.clone(), first, classes: Vec::new() };
                self.proved.entry(group.fingerprint).or_insert(proved)
            }
        };
        let is_behind = node > proved.first;
        if is_behind {
            proved.classes.push(class);
        }
        is_behind
    }

    /// Returns whether the answers to a key are so many that those of a node are not kept. If so, counts its class.
    fn adds_to_many(&mut self, key: &Str, data_fingerprint: Fingerprint, class: usize, node: usize) -> bool {
        match self.changes.get_mut(key).and_then(|of_key| of_key.get_mut(&Some(data_fingerprint))) {
            Some(Variants::Many(variant)) if variant.first < node => {
                variant.classes.push(class);
                true
            }
            _ => false,
        }
    }

    /// Adds the answers of a class to a key, those of its node `first`.
    pub(crate) fn add(
        &mut self,
        key: &Str,
        data_fingerprint: Option<Fingerprint>,
        answers: Diff<Answer>,
        class: usize,
        first: usize,
    ) {
        let most = if data_fingerprint.is_some() { self.most } else { usize::MAX };
        let variants = self.changes.entry(key.clone()).or_default().entry(data_fingerprint);
        let variants = variants.or_insert_with(|| Variants::Few(HashMap::default()));
        match variants {
            Variants::Many(all) => all.add(class, first, || answers),
            Variants::Few(few) => {
                let variant = Variant { answers, first, classes: Vec::new() };
                few.entry(Fingerprint::new(&variant.answers)).or_insert(variant).add_class(class, first);
                if few.len() > most {
                    *variants = Variants::Many(Variant::merge(std::mem::take(few)));
                }
            }
        }
    }

    /// The changes, by key, with the nodes of the classes.
    pub(crate) fn changes(mut self, members: &[Vec<usize>]) -> Vec<TouchedKey> {
        for ProvedChange { group, classes, .. } in self.proved.into_values() {
            let sure =
                group.keys.iter().zip(&group.relations).filter(|(_, verdict)| **verdict == Equivalence::Different);
            for (key, _) in sure {
                let variants =
                    self.changes.get_mut(key).and_then(|of_key| of_key.get_mut(&Some(group.data_fingerprint)));
                if let Some(Variants::Many(variant)) = variants {
                    variant.classes.extend(&classes);
                }
            }
        }
        let mut all = Vec::new();
        for (key, signatures) in self.changes {
            let excluded = self.excluded.get(&key);
            let nodes = |classes: &[usize]| -> Vec<usize> {
                let mut nodes: Vec<usize> = Vec::new();
                for (class, members) in classes.iter().filter_map(|class| Some((*class, members.get(*class)?))) {
                    let is_meant = |node: &&usize| excluded.is_none_or(|excluded| !excluded.contains(&(class, **node)));
                    nodes.extend(members.iter().filter(is_meant));
                }
                nodes
            };
            // Different data may still give the same answers.
            let mut same: HashMap<Diff<Answer>, Vec<usize>> = HashMap::default();
            for variants in signatures.into_values() {
                match variants {
                    Variants::Many(Variant { answers, classes, .. }) => {
                        all.push(TouchedKey { key: key.clone(), answers, touched: nodes(&classes), varies: true });
                    }
                    Variants::Few(few) => {
                        for Variant { answers, classes, .. } in few.into_values() {
                            same.entry(answers).or_default().extend::<Vec<usize>>(nodes(&classes));
                        }
                    }
                }
            }
            let to_change = |(answers, touched)| TouchedKey { key: key.clone(), answers, touched, varies: false };
            all.extend(same.into_iter().map(to_change));
        }
        for change in &mut all {
            change.touched.sort_unstable();
            change.touched.dedup();
        }
        all.retain(|change| !change.touched.is_empty());
        all.sort_erased_by(|one, other| (&one.key, &one.touched).cmp(&(&other.key, &other.touched)));
        all
    }
}

impl Variant {
    fn add_class(&mut self, class: usize, first: usize) {
        self.first = self.first.min(first);
        self.classes.push(class);
    }

    fn add(&mut self, class: usize, first: usize, answers: impl FnOnce() -> Diff<Answer>) {
        if first < self.first {
            self.answers = answers();
        }
        self.add_class(class, first);
    }

    /// All of some variants as one: the answers of the first node.
    fn merge(few: HashMap<Fingerprint, Variant>) -> Variant {
        let mut all = Variant {
            answers: Diff { base: Answer::Missing, head: Answer::Missing },
            first: usize::MAX,
            classes: Vec::new(),
        };
        for Variant { answers, first, classes } in few.into_values() {
            if first < all.first {
                (all.answers, all.first) = (answers, first);
            }
            all.classes.extend(classes);
        }
        all
    }
}
