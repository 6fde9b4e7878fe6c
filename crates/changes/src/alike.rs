//! [`Alike`]: keys whose answers are made of the same sources and the same variables.
//!
//! The answer to a key is made of the places that have the key, of those that have `lookup_options`, and of those that have a key which one
//! of these mentions. All other places of a node could be left out of its hierarchies, and the answer were the same: the file that only one
//! node has tells this node from the others for the keys in the file, and for no other key.

use std::collections::BTreeSet;
use std::sync::Arc;

use hieratic::{Footing, Mentions, Node, SourceData, numbered};
use hieratic_value::Str;
use rustc_hash::FxHashMap;

use crate::reach::{Both, Mentioned};

/// Keys of a node whose answers are made of the same, before facts are put in.
pub(crate) struct Alike {
    /// A number for the places on both sides that say something of the keys, with their sources.
    pub(crate) said: u128,
    /// The variables that these mention.
    pub(crate) variables: BTreeSet<Str>,
    /// The keys, in the order in which they were given.
    pub(crate) keys: Vec<Str>,
}

/// Divides keys of a node by what their answers are made of.
pub(crate) fn alike<'k>(view: &View<'_>, keys: impl IntoIterator<Item = &'k Str>) -> Vec<Alike> {
    let mut groups: FxHashMap<Said, Vec<Str>> = FxHashMap::default();
    for key in keys {
        let mentions: Vec<&Mentions> = view.mentioned(key).collect();
        let said = match mentions.iter().all(|mentions| mentions.keys.is_empty()) {
            true => {
                let mut said = view.options.clone();
                view.add(key, &mut said.sources);
                said.variables.extend(mentions.iter().flat_map(|mentions| &mentions.variables).cloned());
                said
            }
            false => view.closure([key.clone(), Node::OPTIONS_KEY.into()]),
        };
        groups.entry(said).or_default().push(key.clone());
    }
    let numbered = |(said, keys): (Said, Vec<Str>)| Alike { said: view.number(&said), variables: said.variables, keys };
    groups.into_iter().map(numbered).collect()
}

/// What the answer to a key is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Said {
    /// The sources, by their numbers in the view: a bit for each.
    sources: Vec<u64>,
    variables: BTreeSet<Str>,
}

impl Said {
    fn has(&self, source: usize) -> bool {
        self.sources.get(source / 64).is_some_and(|bits| bits >> (source % 64) & 1 == 1)
    }
}

/// The places of a node on both sides, each source once.
pub(crate) struct View<'f> {
    /// The places with the side on which they are. Of those that can be read, the source; of the others, why not.
    places: Vec<(usize, &'f Footing, Option<usize>)>,
    sources: Vec<&'f SourceData>,
    mentions: Vec<Arc<Mentioned>>,
    /// What `lookup_options` are made of, and so every answer.
    options: Said,
}

impl<'f> View<'f> {
    pub(crate) fn of(both: &Both<'f>) -> View<'f> {
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let (mut places, mut sources) = (Vec::new(), Vec::new());
        for (side, footprint) in [both.base, both.head].into_iter().enumerate() {
            for footing in &footprint.places {
                let source = footing.data.as_ref().map(|data| {
                    *numbers.entry(data.id()).or_insert_with(|| {
                        sources.push(data);
                        sources.len() - 1
                    })
                });
                if source.is_some() || footing.fault.is_some() {
                    places.push((side, footing, source));
                }
            }
        }
        let mut view = View { places, sources, mentions: both.mentions(), options: Said::default() };
        view.options = view.closure([Node::OPTIONS_KEY.into()]);
        view
    }

    /// Adds the sources that have a key.
    fn add(&self, key: &str, to: &mut Vec<u64>) {
        to.resize(self.sources.len().div_ceil(64), 0);
        for (index, source) in self.sources.iter().enumerate() {
            if let Some(bits) = to.get_mut(index / 64).filter(|_| source.written(key).is_some()) {
                *bits |= 1 << (index % 64);
            }
        }
    }

    /// What the values of a key mention.
    fn mentioned(&self, key: &str) -> impl Iterator<Item = &Mentions> {
        self.mentions.iter().filter_map(move |mentioned| mentioned.by.get(key))
    }

    /// What is said of keys and of all keys that their values mention.
    fn closure(&self, keys: impl IntoIterator<Item = Str>) -> Said {
        let mut said = Said::default();
        let mut seen: BTreeSet<Str> = keys.into_iter().collect();
        let mut open: Vec<Str> = seen.iter().cloned().collect();
        while let Some(key) = open.pop() {
            self.add(&key, &mut said.sources);
            for mentions in self.mentioned(&key) {
                open.extend(mentions.keys.iter().filter(|key| seen.insert((*key).clone())).cloned());
                said.variables.extend(mentions.variables.iter().cloned());
            }
        }
        said
    }

    /// A number for the places with these sources. A file that cannot be read says something of every key: looking it up fails.
    fn number(&self, said: &Said) -> u128 {
        let is_meant = |source: &Option<usize>| source.is_none_or(|source| said.has(source));
        let places = self.places.iter().filter(|(_, _, source)| is_meant(source));
        let told = places.map(|(side, footing, _)| {
            (*side, footing.place, footing.data.as_ref().map(SourceData::id), &footing.fault)
        });
        numbered(&told.collect::<Vec<_>>())
    }
}
