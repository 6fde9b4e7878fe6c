//! Merging objects, with the changes in place that the reference makes.
//!
//! The deep merge is that of the `deep_merge` library, which Puppet calls with a copy of the lower value: it changes
//! both sides while it goes. What that does to knockouts, and to what an explanation showed before, is kept to the
//! letter; `docs/differences.md` tells where that surprises.

use hieratic_regexp::Regexp;
use hieratic_value::Value;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Deep, Kind, Strategy, assert_mergeable, sort};
use crate::Error;
use crate::object::{Content, Mark, Object, ObjectMap};

/// The only value, which some strategies still change.
pub(crate) fn single(strategy: &Strategy, value: Object) -> Object {
    match (strategy.kind(), elements(&value)) {
        (Kind::Unique, Some(elements)) => array(unique(elements), &value),
        _ => value,
    }
}

/// The first of several values.
pub(crate) fn first(strategy: &Strategy, value: Object) -> Object {
    match strategy.kind() {
        Kind::Unique => array(flattened(&value), &value),
        _ => value,
    }
}

/// Two values as one; the first has the higher priority.
pub(crate) fn merge(strategy: &Strategy, e1: &Object, e2: &Object) -> Result<Object, Error> {
    assert_mergeable(strategy.kind(), &e1.to_value(), &e2.to_value())?;
    match strategy.kind() {
        Kind::Default | Kind::First => Ok(e1.clone()),
        Kind::Unique => {
            let mut all = flattened(e1);
            all.extend(flattened(e2));
            Ok(array(unique(all), e1))
        }
        Kind::Hash => {
            let mut map = pairs(e2).unwrap_or_default();
            map.extend(pairs(e1).unwrap_or_default());
            Ok(keeping_keys(Object::new(Content::Hash(map), e1.mark().clone()), e1, e2))
        }
        Kind::Deep(options) | Kind::UnconstrainedDeep(options) => deep(options, e1, e2),
        Kind::ReverseDeep(options) => deep(options, e2, e1),
    }
}

/// The deep merge of `source` (the higher priority) with a copy of `dest`.
pub(crate) fn deep(options: &Deep, source: &Object, dest: &Object) -> Result<Object, Error> {
    let merged = Merge::new(options)?.merge(source, &dest.deep_clone())?;
    Ok(keeping_keys(merged, source, dest))
}

/// What came of two values: a secret key of either may have become a key anywhere in it.
fn keeping_keys(merged: Object, one: &Object, other: &Object) -> Object {
    if one.has_secret_key() || other.has_secret_key() { merged.with_secret_key() } else { merged }
}

fn elements(object: &Object) -> Option<Vec<Object>> {
    match &*object.content() {
        Content::Array(elements) => Some(elements.clone()),
        _ => None,
    }
}

fn pairs(object: &Object) -> Option<ObjectMap> {
    match &*object.content() {
        Content::Hash(map) => Some(map.clone()),
        _ => None,
    }
}

fn array(elements: Vec<Object>, like: &Object) -> Object {
    Object::new(Content::Array(elements), like.mark().clone())
}

/// The elements without those that equal an earlier one.
fn unique(elements: Vec<Object>) -> Vec<Object> {
    let mut seen: IndexSet<Value, FxBuildHasher> = IndexSet::default();
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
                return Err(Error::fatal("merge-option", "knockout_prefix cannot be an empty string in deep_merge!")
                    .help("give a prefix such as `--`, or leave the option away"));
            }
            Some(knockout) => {
                let pattern = knockout.pattern.as_ref().map_err(|message| {
                    Error::fatal("merge-option", message.clone())
                        .help("the prefix is read as a regular expression: put a backslash before special characters")
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
            let bare = Value::from(prefix);
            if elements(source).is_some_and(|all| all.iter().any(|element| element.to_value() == bare)) {
                dest = cleared(&dest);
                delete(source, &bare);
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

    /// Takes the marked elements out of `source`, and what they name out of `dest`.
    ///
    /// The two may be the same array. Then elements go while the array is walked, and Ruby's way of closing the gaps
    /// afterwards decides what is left.
    fn knock_out(&self, source: &Object, dest: &Object, pattern: &Regexp) {
        let (mut read, mut kept) = (0, 0);
        while let Some(element) = element(source, read) {
            read += 1;
            let named = element.as_text().and_then(|text| {
                let stripped = without_prefix(pattern, &text);
                (stripped != *text).then(|| (Value::from(stripped), Value::String(text)))
            });
            match named {
                Some((item, marked)) => {
                    delete(dest, &item);
                    delete(dest, &marked);
                }
                None => {
                    if read - 1 != kept {
                        store(source, kept, element);
                    }
                    kept += 1;
                }
            }
        }
        close_gap(source, read, kept);
    }

    /// What takes the place of something that it cannot merge with.
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

/// The text without the prefix, wherever a line begins with it.
pub(crate) fn without_prefix(pattern: &Regexp, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut position = 0;
    while position <= text.len() {
        let Some(found) = pattern.find_at(text, position) else { break };
        out.push_str(&text[position..found.start]);
        position = found.end;
        if found.start == found.end {
            // An empty match: go on behind the next character.
            let Some(next) = text[position..].chars().next() else { break };
            out.push(next);
            position += next.len_utf8();
        }
    }
    out.push_str(text.get(position..).unwrap_or(""));
    out
}

fn entry(object: &Object, index: usize) -> Option<(Value, Object)> {
    match &*object.content() {
        Content::Hash(map) => map.get_index(index).map(|(key, value)| (key.clone(), value.clone())),
        _ => None,
    }
}

fn element(object: &Object, index: usize) -> Option<Object> {
    match &*object.content() {
        Content::Array(elements) => elements.get(index).cloned(),
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
    if let Some(mut map) = pairs(object) {
        map.insert(key, value);
        object.replace(Content::Hash(map));
    }
}

/// Ruby's `Array#delete`: every element that is equal goes.
fn delete(object: &Object, value: &Value) {
    if let Some(mut all) = elements(object) {
        all.retain(|element| !element.to_value().loosely_equals(value));
        object.replace(Content::Array(all));
    }
}

fn store(object: &Object, index: usize, value: Object) {
    if let Some(mut all) = elements(object) {
        if all.len() <= index {
            all.resize_with(index + 1, || Object::scalar(Value::Undef, Mark::default()));
        }
        all[index] = value;
        object.replace(Content::Array(all));
    }
}

/// Ends Ruby's `delete_if`: what was not read moves behind what was kept.
fn close_gap(object: &Object, read: usize, kept: usize) {
    if let Some(mut all) = elements(object)
        && kept < all.len()
        && kept < read
    {
        let tail = all.split_off(read.min(all.len()));
        all.truncate(kept);
        all.extend(tail);
        object.replace(Content::Array(all));
    }
}

/// Ruby's `clear` where the object has it, in place; otherwise nothing is left.
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
    use proptest::prelude::{Just, Strategy as Generator, any, prop_assert_eq, prop_oneof, proptest};

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

    fn tree() -> impl Generator<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Undef),
            any::<bool>().prop_map(Value::from),
            (0i64..4).prop_map(Value::from),
            "[a-c]".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec(("[a-c]", inner), 0..4)
                    .prop_map(|pairs| pairs.into_iter().collect::<Hash>().into()),
            ]
        })
    }

    proptest! {
        #[test]
        fn shared_values_and_objects_merge_alike(e1 in tree(), e2 in tree(), e3 in tree(), hashes: bool, sort: bool) {
            let deep = strategy(&[("merge_hash_arrays", hashes.into()), ("sort_merged_arrays", sort.into())]);
            let object = |value: &Value| Object::of(value, &Mark::default());
            let by_objects = merge(&deep, &object(&e1), &object(&e2)).and_then(|two| merge(&deep, &two, &object(&e3)));
            let by_values = plain::merge(&deep, e1, e2).and_then(|two| plain::merge(&deep, two, e3));
            prop_assert_eq!(by_values, by_objects.map(|object| object.to_value()));
        }

        #[test]
        fn a_hash_merge_keeps_every_key_and_the_higher_value(
            e1 in proptest::collection::hash_map("[a-d]", 0i64..9, 0..4),
            e2 in proptest::collection::hash_map("[a-d]", 0i64..9, 0..4),
        ) {
            let hash = |pairs: &std::collections::HashMap<String, i64>| {
                Value::from(pairs.iter().map(|(k, v)| (k.as_str(), Value::from(*v))).collect::<Hash>())
            };
            let merged = plain::merge(&crate::Strategy::hash(), hash(&e1), hash(&e2)).unwrap();
            let merged = merged.as_hash().unwrap();
            for key in e1.keys().chain(e2.keys()) {
                let expected = e1.get(key).or_else(|| e2.get(key)).copied();
                prop_assert_eq!(merged.get(key).cloned(), expected.map(Value::from));
            }
        }

        #[test]
        fn a_unique_merge_has_every_element_once(e1 in proptest::collection::vec(0i64..6, 0..8), e2 in proptest::collection::vec(0i64..6, 0..8)) {
            let list = |items: &[i64]| items.iter().map(|item| Value::from(*item)).collect::<Value>();
            let unique = Strategy::parse(&"unique".into()).unwrap();
            let merged = plain::merge(&unique, list(&e1), list(&e2)).unwrap();
            let mut expected: Vec<i64> = Vec::new();
            for item in e1.iter().chain(&e2) {
                if !expected.contains(item) {
                    expected.push(*item);
                }
            }
            prop_assert_eq!(merged, list(&expected));
        }
    }
}
