//! Merging objects, with the in-place changes of the reference.
//!
//! The deep merge is that of the `deep_merge` library, which Puppet calls with a copy of the lower value: it changes
//! both sides while it runs. The consequences for knockouts, and for values that an explanation showed before, are
//! reproduced exactly; `docs/differences.md` lists the surprising ones.

use hieratic_ruby_regexp::Regexp;
use hieratic_value::collections::{FixedState, HashSet};
use hieratic_value::{Str, Value};
use indexmap::IndexSet;

use super::mergeable::assert_mergeable;
use super::prefix::{knockout_target, without_prefix};
use super::strategy::{Deep, Strategy, StrategyKind};
use super::{self_knockout, sort};
use crate::Error;
use crate::codes;
use crate::object::{Content, Mark, Object, ObjectMap, work};

/// The only value, which some strategies still change.
pub(crate) fn single(strategy: &Strategy, value: Object) -> Object {
    match (strategy.kind(), elements(&value)) {
        (StrategyKind::Unique, Some(elements)) => array(unique(elements), &value),
        _ => value,
    }
}

/// The first of several values.
pub(crate) fn first(strategy: &Strategy, value: Object) -> Object {
    match strategy.kind() {
        StrategyKind::Unique => array(flattened(&value), &value),
        _ => value,
    }
}

/// Two values as one; the first has the higher priority.
pub(crate) fn merge(strategy: &Strategy, e1: &Object, e2: &Object) -> Result<Object, Error> {
    if let StrategyKind::Unique | StrategyKind::Hash = strategy.kind() {
        assert_mergeable(strategy.kind(), &e1.to_value(), &e2.to_value())?;
    }
    match strategy.kind() {
        StrategyKind::Default | StrategyKind::First => Ok(e1.clone()),
        StrategyKind::Unique => {
            let mut all = flattened(e1);
            all.extend(flattened(e2));
            Ok(array(unique(all), e1))
        }
        StrategyKind::Hash => {
            let mut map = pairs(e2).unwrap_or_default();
            map.extend(pairs(e1).unwrap_or_default());
            Ok(with_secret_keys(Object::new(Content::Hash(map), e1.mark().clone()), e1, e2))
        }
        StrategyKind::Deep(options) | StrategyKind::UnconstrainedDeep(options) => deep(options, e1, e2),
        StrategyKind::ReverseDeep(options) => deep(options, e2, e1),
    }
}

/// The deep merge of `source` (the higher priority) with a copy of `dest`.
pub(crate) fn deep(options: &Deep, source: &Object, dest: &Object) -> Result<Object, Error> {
    let merged = Merge::new(options)?.merge(source, &dest.deep_clone())?;
    Ok(with_secret_keys(merged, source, dest))
}

/// Marks the result of a merge: a secret key of either side may have become a key anywhere in it.
fn with_secret_keys(merged: Object, one: &Object, other: &Object) -> Object {
    if one.has_secret_key() || other.has_secret_key() { merged.with_secret_key() } else { merged }
}

fn elements(object: &Object) -> Option<Vec<Object>> {
    match &*object.content() {
        Content::Array(elements) => {
            work::count(elements.len());
            Some(elements.clone())
        }
        _ => None,
    }
}

fn pairs(object: &Object) -> Option<ObjectMap> {
    match &*object.content() {
        Content::Hash(map) => {
            work::count(map.len());
            Some(map.clone())
        }
        _ => None,
    }
}

fn array(elements: Vec<Object>, like: &Object) -> Object {
    Object::new(Content::Array(elements), like.mark().clone())
}

/// The elements without those that equal an earlier one.
fn unique(elements: Vec<Object>) -> Vec<Object> {
    let mut seen: IndexSet<Value, FixedState> = IndexSet::default();
    elements.into_iter().filter(|element| seen.insert(element.to_value())).collect()
}

fn flattened(object: &Object) -> Vec<Object> {
    fn flatten(out: &mut Vec<Object>, elements: &[Object]) {
        for element in elements {
            match &*element.content() {
                Content::Array(inner) => flatten(out, inner),
                _ => out.push(element.clone()),
            }
        }
    }
    let mut out = Vec::new();
    flatten(&mut out, std::slice::from_ref(object));
    out
}

/// One run of the deep merge.
struct Merge<'a> {
    options: &'a Deep,
    knockout: Option<(&'a str, &'a Regexp)>,
}

impl<'a> Merge<'a> {
    fn new(options: &'a Deep) -> Result<Merge<'a>, Error> {
        let knockout = match &options.knockout {
            None => None,
            Some(knockout) if knockout.prefix.is_empty() => {
                return Err(Error::fatal(
                    codes::MERGE_OPTION,
                    "knockout_prefix cannot be an empty string in deep_merge!",
                )
                .help("set a prefix such as `--`, or remove the option"));
            }
            Some(knockout) => {
                let pattern = knockout.pattern.as_ref().map_err(|message| {
                    Error::fatal(codes::MERGE_OPTION, message.clone())
                        .help("the prefix is a regular expression: escape special characters with a backslash")
                })?;
                Some((knockout.prefix.as_str(), pattern))
            }
        };
        Ok(Merge { options, knockout })
    }

    fn merge(&self, source: &Object, dest: &Object) -> Result<Object, Error> {
        if source.is_undef() {
            return Ok(dest.clone());
        }
        if !dest.is_truthy() {
            return Ok(source.clone());
        }
        if source.is_hash() {
            self.merge_hash(source, dest)
        } else if source.is_array() {
            self.merge_array(source, dest)
        } else {
            Ok(self.overwrite(source))
        }
    }

    fn merge_hash(&self, source: &Object, dest: &Object) -> Result<Object, Error> {
        let mut dest = dest.clone();
        let mut index = 0;
        // By index, because source and dest may be the same object and change on the way.
        while let Some((key, value)) = entry(source, index) {
            index += 1;
            if !dest.is_hash() {
                dest = self.overwrite(source);
                continue;
            }
            let below = pairs_get(&dest, &key).filter(Object::is_truthy).unwrap_or_else(|| value.shallow_copy());
            let merged = self.merge(&value, &below)?;
            insert(&dest, key, merged);
        }
        Ok(dest)
    }

    fn merge_array(&self, source: &Object, dest: &Object) -> Result<Object, Error> {
        let mut dest = dest.clone();
        if let Some((prefix, _)) = self.knockout {
            let is_bare = |element: &Object| element.plain_text().is_some_and(|text| *text == *prefix);
            let clears = matches!(&*source.content(), Content::Array(all) if all.iter().any(is_bare));
            if clears {
                dest = cleared(&dest);
                retain(source, |element| !is_bare(element));
            }
        }
        if !dest.is_array() {
            return Ok(self.overwrite(source));
        }
        if let Some((_, pattern)) = self.knockout {
            self.knock_out(source, &dest, pattern);
        }
        let (above, below) = (elements(source).unwrap_or_default(), elements(&dest).unwrap_or_default());
        let all_hashes = |elements: &[Object]| elements.iter().all(Object::is_hash);
        let mut merged = if self.options.merge_hash_arrays && all_hashes(&above) && all_hashes(&below) {
            let mut list = Vec::with_capacity(above.len().max(below.len()));
            for (index, lower) in below.iter().enumerate() {
                let nothing = || Object::new(Content::Hash(ObjectMap::default()), Mark::default());
                let higher = above.get(index).cloned().unwrap_or_else(nothing);
                list.push(self.merge(&higher, lower)?);
            }
            list.extend(above.iter().skip(below.len()).cloned());
            list
        } else {
            unique(below.into_iter().chain(above).collect())
        };
        if self.options.sort_merged_arrays {
            sort::sort(&mut merged, Object::to_value)?;
        }
        Ok(array(merged, source))
    }

    /// Removes the knockouts from `source`, and the elements that they name from `dest`.
    fn knock_out(&self, source: &Object, dest: &Object, pattern: &Regexp) {
        if source.identity() == dest.identity() {
            source.change(|content| {
                if let Content::Array(elements) = content {
                    self_knockout::knock_out(elements, pattern);
                }
            });
            return;
        }
        let mut gone: HashSet<Str> = HashSet::default();
        retain(source, |element| match knockout_target(pattern, element) {
            Some((item, marked)) => {
                gone.extend([item, marked]);
                false
            }
            None => true,
        });
        if !gone.is_empty() {
            retain(dest, |element| !element.plain_text().is_some_and(|text| gone.contains(&text)));
        }
    }

    /// Replaces a value that `source` cannot be merged with.
    fn overwrite(&self, source: &Object) -> Object {
        let Some((_, pattern)) = self.knockout else {
            return source.clone();
        };
        if let Some(text) = source.as_text() {
            if without_prefix(pattern, &text) != *text {
                return Object::scalar(Value::from(""), source.mark().clone());
            }
        } else if let Some(all) = elements(source) {
            let marked = |object: &Object| object.as_text().is_some_and(|text| pattern.is_match(&text));
            source.replace(Content::Array(all.into_iter().filter(|element| !marked(element)).collect()));
        }
        source.clone()
    }
}

fn entry(object: &Object, index: usize) -> Option<(Value, Object)> {
    match &*object.content() {
        Content::Hash(map) => map.get_index(index).map(|(key, value)| (key.clone(), value.clone())),
        _ => None,
    }
}

fn pairs_get(object: &Object, key: &Value) -> Option<Object> {
    match &*object.content() {
        Content::Hash(map) => map.get(key).cloned(),
        _ => None,
    }
}

fn insert(object: &Object, key: Value, value: Object) {
    let before = object.change(|content| match content {
        Content::Hash(map) => map.insert(key, value),
        _ => None,
    });
    // The old value is dropped outside the borrow.
    drop(before);
}

fn retain(object: &Object, keep: impl FnMut(&Object) -> bool) {
    object.change(|content| {
        if let Content::Array(elements) = content {
            work::count(elements.len());
            elements.retain(keep);
        }
    });
}

/// Ruby's `clear` in place, if the object has it; otherwise an undefined value.
fn cleared(object: &Object) -> Object {
    let empty = match &*object.content() {
        Content::Array(_) => Content::Array(Vec::new()),
        Content::Hash(_) => Content::Hash(ObjectMap::default()),
        Content::Scalar(Value::String(_)) => Content::Scalar(Value::from("")),
        _ => return Object::scalar(Value::Undef, Mark::default()),
    };
    object.replace(empty);
    object.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge::plain;
    use hieratic_value::Hash;

    fn strategy(pairs: &[(&str, Value)]) -> Strategy {
        let mut all = vec![("strategy", Value::from("deep"))];
        all.extend(pairs.iter().cloned());
        Strategy::parse(&all.into_iter().collect::<Hash>().into()).unwrap()
    }

    fn list(items: &[&str]) -> Value {
        items.iter().map(|item| Value::from(*item)).collect()
    }

    #[test]
    fn a_knockout_removes_from_the_next_level() {
        let knockout = strategy(&[("knockout_prefix", "--".into())]);
        let merged = plain::merge(&knockout, list(&["--a", "c"]), list(&["a", "b"])).unwrap();
        assert_eq!(merged, list(&["b", "c"]));
        let bare = plain::merge(&knockout, list(&["--", "c"]), list(&["a", "b"])).unwrap();
        assert_eq!(bare, list(&["c"]));
        let scalar = plain::merge(&knockout, "--x".into(), "y".into()).unwrap();
        assert_eq!(scalar, Value::from(""));
    }

    #[test]
    fn a_knockout_is_lost_below_the_next_level() {
        let knockout = strategy(&[("knockout_prefix", "--".into())]);
        let two = plain::merge(&knockout, list(&["--x"]), list(&["y"])).unwrap();
        assert_eq!(plain::merge(&knockout, two, list(&["x", "z"])).unwrap(), list(&["x", "z", "y"]));
    }

    #[test]
    fn an_empty_prefix_is_an_error() {
        let knockout = strategy(&[("knockout_prefix", "".into())]);
        let merged = plain::merge(&knockout, list(&["a"]), list(&["b"]));
        assert!(merged.is_err_and(|error| error.to_string().contains("cannot be an empty string")));
    }

    /// Data of one shape: two levels of hashes with keys and arrays that are theirs, and some that are not.
    fn level(count: usize, from: usize) -> Object {
        let key = |n: usize| Value::from(format!("key{n}"));
        let keys: Hash = (from..from + count).map(|n| (key(n), Value::from(n as i64))).collect();
        let texts = (from..from + count).map(|n| Value::from(format!("{}e{n}", if n % 3 == 0 { "--" } else { "" })));
        let hashes =
            (from..from + count).map(|n| Value::from([(key(n), Value::from(true))].into_iter().collect::<Hash>()));
        let parts = [("keys", keys.into()), ("texts", texts.collect()), ("hashes", hashes.collect::<Value>())];
        Object::marked(&parts.into_iter().collect::<Hash>().into(), &Mark::default())
    }

    #[test]
    fn the_work_of_a_merge_grows_with_the_data() {
        let options: [&[(&str, Value)]; 3] =
            [&[], &[("knockout_prefix", "--".into())], &[("merge_hash_arrays", true.into())]];
        for options in options {
            let work = |count: usize| {
                let (above, below) = (level(count, 0), level(count, count / 2));
                let deep = strategy(options);
                work::measure(|| merge(&deep, &above, &below).unwrap()).1
            };
            let (small, large) = (work(100), work(1_000));
            assert!(small >= 100 && large <= 11 * small, "{options:?}: {small} and {large}");
        }
    }
}
