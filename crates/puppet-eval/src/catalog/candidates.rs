//! [`CandidateIndex`]: the resources that a query may accept, found by the value of an attribute or by a tag.
//!
//! A collector tests each resource of its type. With as many collectors as resources, as in modules that realize one
//! user each, that is quadratic. The index leaves out resources that cannot match. The query decides about the others.

use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use super::query::Query;
use super::{CatalogBuilder, Tag};

/// The number of queries for one attribute that are answered without an index: to build it takes as long as some tests
/// of all resources.
const QUERIES_WITHOUT_INDEX: usize = 4;

/// The maximum number of values of a resource in the mean. A resource inherits all tags of its containers, and an array
/// can be long: an index must not take more memory than the resources.
const MAX_VALUES: usize = 64;

/// The resources of a pass of all collectors, by the values that queries name.
#[derive(Debug, Default)]
pub(crate) struct CandidateIndex {
    attributes: HashMap<(Str, Str), Postings<Box<[u8]>>>,
    tags: HashMap<Str, Postings<Tag>>,
    /// The number of values that were added since the caller has charged for them.
    added: u64,
}

/// The resources of a type by the values of one attribute, or by their tags.
#[derive(Debug)]
struct Postings<K> {
    /// The number of queries so far.
    queries: usize,
    /// The number of resources of the type that are in the index.
    indexed: usize,
    by_value: HashMap<K, Vec<usize>>,
    /// The number of values.
    values: usize,
    /// The resources whose value is not a string, which always stay candidates.
    others: Vec<usize>,
}

impl CandidateIndex {
    /// Returns the resources of a type that a query may accept, in the order of declaration. Returns `None` if the query
    /// does not name a value, or the index would take more than testing all resources.
    pub fn candidates(&mut self, catalog: &CatalogBuilder, kind: &Str, query: &Query) -> Option<Vec<usize>> {
        match query {
            Query::And(left, right) => {
                let left = self.candidates(catalog, kind, left);
                let right = self.candidates(catalog, kind, right);
                match (left, right) {
                    (Some(left), Some(right)) => Some(if left.len() < right.len() { left } else { right }),
                    (left, right) => left.or(right),
                }
            }
            Query::Or(left, right) => {
                let left = self.candidates(catalog, kind, left)?;
                let right = self.candidates(catalog, kind, right)?;
                Some(in_order(left.into_iter().chain(right).collect()))
            }
            Query::Tagged(tags) => {
                let postings = self.tags.entry(kind.clone()).or_default();
                for at in postings.unindexed(catalog.places_of(kind))? {
                    for tag in catalog.tags_of(*at) {
                        postings.add(tag, *at, &mut self.added)?;
                    }
                }
                Some(in_order(tags.iter().flat_map(|(_, tag)| postings.with(tag)).collect()))
            }
            Query::Attribute { name, value: Value::String(value), equal: true } => {
                let postings = self.attributes.entry((kind.clone(), name.clone())).or_default();
                for at in postings.unindexed(catalog.places_of(kind))? {
                    postings.add_value(catalog, *at, name, &mut self.added)?;
                }
                Some(in_order(postings.with(&key(value)).chain(postings.others.iter().copied()).collect()))
            }
            Query::Attribute { .. } => None,
        }
    }

    /// Returns the number of values that were added since the last call.
    pub fn take_added(&mut self) -> u64 {
        std::mem::take(&mut self.added)
    }

    /// Adds the values of a resource after a change of its attributes. Its former values stay, as queries test again.
    pub fn add_changes<'a>(
        &mut self,
        catalog: &CatalogBuilder,
        at: usize,
        kind: &Str,
        changed: impl Iterator<Item = &'a Str>,
    ) {
        for name in changed {
            if &**name == "tag" {
                // The contents of the resource inherit the tag.
                self.tags.clear();
            }
            if let Some(postings) = self.attributes.get_mut(&(kind.clone(), name.clone())) {
                // If it becomes too large, it refuses later queries.
                let _ = postings.add_value(catalog, at, name, &mut self.added);
            }
        }
    }
}

impl<K> Default for Postings<K> {
    fn default() -> Self {
        Postings { queries: 0, indexed: 0, by_value: HashMap::default(), values: 0, others: Vec::new() }
    }
}

impl<K: std::hash::Hash + Eq> Postings<K> {
    /// Returns the resources that are not in the index yet, and counts them as indexed. Returns `None` if there were few
    /// queries, or the index is too large.
    fn unindexed<'p>(&mut self, places: &'p [usize]) -> Option<&'p [usize]> {
        self.queries += 1;
        if self.queries <= QUERIES_WITHOUT_INDEX || self.values > MAX_VALUES.saturating_mul(self.indexed) {
            return None;
        }
        let new = places.get(self.indexed..).unwrap_or_default();
        self.indexed = places.len();
        Some(new)
    }

    /// Adds a value of a resource. Returns `None` if the index is too large; then it is emptied for good.
    fn add(&mut self, key: K, at: usize, added: &mut u64) -> Option<()> {
        self.values += 1;
        *added += 1;
        if self.values > MAX_VALUES.saturating_mul(self.indexed) {
            self.by_value = HashMap::default();
            return None;
        }
        self.by_value.entry(key).or_default().push(at);
        Some(())
    }

    fn with(&self, key: &K) -> impl Iterator<Item = usize> {
        self.by_value.get(key).into_iter().flatten().copied()
    }
}

impl Postings<Box<[u8]>> {
    /// Adds a resource by the value that a query compares: see [`Query::accepts`].
    fn add_value(&mut self, catalog: &CatalogBuilder, at: usize, name: &str, added: &mut u64) -> Option<()> {
        let resource = &catalog[at];
        if name == "title" {
            return self.add(key(&resource.shown_title()), at, added);
        }
        match resource.attribute(name) {
            // Only a string equals a string.
            None | Some(Value::Undef) => {}
            Some(Value::String(value)) => self.add(key(value), at, added)?,
            Some(Value::Array(elements)) if elements.iter().all(|element| matches!(element, Value::String(_))) => {
                for element in elements.iter().filter_map(Value::as_str) {
                    self.add(key(element), at, added)?;
                }
            }
            Some(_) => self.others.push(at),
        }
        Some(())
    }
}

/// Returns the key of a string: strings are equal without regard to the case of ASCII letters.
fn key(value: &str) -> Box<[u8]> {
    value.bytes().map(|byte| byte.to_ascii_lowercase()).collect()
}

fn in_order(mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    places.dedup();
    places.retain(|at| *at >= CatalogBuilder::FIRST);
    places
}
