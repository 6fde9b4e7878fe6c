//! [`Found`]: the changes that were found so far, equal ones once.
//!
//! Data that mentions a fact gives every node a different answer. To its author this is one change, but there can be as many answers as
//! nodes. A few are listed separately. Of more, only the first is kept.

use std::collections::BTreeMap;

use hieratic::numbered;
use hieratic_value::Str;
use rustc_hash::FxHashMap;

use crate::answers::Answer;

/// The changes that were found so far.
pub(crate) struct Found {
    /// The classes by the numbers that tell them apart, in the order in which they were met.
    classes: FxHashMap<u128, usize>,
    /// Why the options of keys cannot be used for a class, on either side.
    pub(crate) broken: Vec<(usize, [Option<String>; 2])>,
    /// By key, and by what data says of it before facts are put in; none if that cannot be told.
    changes: BTreeMap<Str, FxHashMap<Option<u128>, Variants>>,
    most: usize,
}

/// A change: the nodes that it touches, sorted.
pub(crate) struct Told {
    pub(crate) key: Str,
    pub(crate) answers: [Answer; 2],
    pub(crate) touched: Vec<usize>,
    pub(crate) varies: bool,
}

/// The answers that data gives to a key.
enum Variants {
    /// By a number for the answers.
    Few(FxHashMap<u128, Variant>),
    /// Only those of the first node are kept.
    Many(Variant),
}

/// Answers, the first node that gets them, and all classes that do.
struct Variant {
    answers: [Answer; 2],
    first: usize,
    classes: Vec<usize>,
}

impl Found {
    pub(crate) fn new(most: usize) -> Found {
        Found { classes: FxHashMap::default(), broken: Vec::new(), changes: BTreeMap::new(), most }
    }

    /// How many classes there are.
    pub(crate) fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The place of a class, and whether it is met for the first time.
    pub(crate) fn class(&mut self, number: u128) -> (usize, bool) {
        let next = self.classes.len();
        let class = *self.classes.entry(number).or_insert(next);
        (class, class == next)
    }

    /// Adds the answers of a class to a key, asked of its node `first`.
    pub(crate) fn add(&mut self, key: &Str, signature: Option<u128>, answers: [Answer; 2], class: usize, first: usize) {
        let most = if signature.is_some() { self.most } else { usize::MAX };
        let variants = self.changes.entry(key.clone()).or_default().entry(signature);
        let variants = variants.or_insert_with(|| Variants::Few(FxHashMap::default()));
        match variants {
            Variants::Many(all) => all.add(class, first, || answers),
            Variants::Few(few) => {
                let variant = Variant { answers, first, classes: Vec::new() };
                few.entry(numbered(&variant.answers)).or_insert(variant).add_class(class, first);
                if few.len() > most {
                    *variants = Variants::Many(Variant::of_all(std::mem::take(few)));
                }
            }
        }
    }

    /// The changes, by key, with the nodes of the classes.
    pub(crate) fn changes(self, members: &[Vec<usize>]) -> Vec<Told> {
        let nodes =
            |classes: &[usize]| classes.iter().filter_map(|class| members.get(*class)).flatten().copied().collect();
        let mut all = Vec::new();
        for (key, signatures) in self.changes {
            // Data that says something else may still give the same answers.
            let mut same: FxHashMap<[Answer; 2], Vec<usize>> = FxHashMap::default();
            for variants in signatures.into_values() {
                match variants {
                    Variants::Many(Variant { answers, classes, .. }) => {
                        all.push(Told { key: key.clone(), answers, touched: nodes(&classes), varies: true });
                    }
                    Variants::Few(few) => {
                        for Variant { answers, classes, .. } in few.into_values() {
                            same.entry(answers).or_default().extend::<Vec<usize>>(nodes(&classes));
                        }
                    }
                }
            }
            let told = |(answers, touched)| Told { key: key.clone(), answers, touched, varies: false };
            all.extend(same.into_iter().map(told));
        }
        all.iter_mut().for_each(|told| told.touched.sort_unstable());
        all.sort_by(|one, other| (&one.key, &one.touched).cmp(&(&other.key, &other.touched)));
        all
    }
}

impl Variant {
    fn add_class(&mut self, class: usize, first: usize) {
        self.first = self.first.min(first);
        self.classes.push(class);
    }

    fn add(&mut self, class: usize, first: usize, answers: impl FnOnce() -> [Answer; 2]) {
        if first < self.first {
            self.answers = answers();
        }
        self.add_class(class, first);
    }

    /// All of some variants as one: the answers of the first node.
    fn of_all(few: FxHashMap<u128, Variant>) -> Variant {
        let mut all = Variant { answers: [Answer::Missing, Answer::Missing], first: usize::MAX, classes: Vec::new() };
        for Variant { answers, first, classes } in few.into_values() {
            if first < all.first {
                (all.answers, all.first) = (answers, first);
            }
            all.classes.extend(classes);
        }
        all
    }
}
