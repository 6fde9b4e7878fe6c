//! Compares and updates plain data as Unfurl does, the program that defines merge directives.
//!
//! In comparisons of values, `1`, `1.0` and `true` are equal, and the order of keys does not matter. The rules are
//! those of its functions `diff_dicts`, `patch_dict` and `intersect_dict`
//! (<https://docs.unfurl.run/yaml-merge-directives.html>).

use hieratic_value::{Hash, Value};

use crate::equality::{self, EqualityIndex};
use crate::merge::STRATEGY;

/// Returns the map that, merged with `old`, gives `new`: changed and new keys, and a whiteout for each removed key.
///
/// ```
/// use hieratic_directives::data::difference;
/// use hieratic_value::{Hash, Value};
///
/// let hash = |pairs: &[(&str, i64)]| pairs.iter().map(|(key, number)| (*key, Value::from(*number))).collect::<Hash>();
/// let difference = difference(&hash(&[("a", 1), ("b", 2), ("c", 3)]), &hash(&[("a", 1), ("b", 5)]));
/// assert_eq!(Value::from(difference).inspect(), r#"{"b"=>5, "c"=>{"+%"=>"whiteout"}}"#);
/// ```
///
/// A changed list is included as a whole. A shorter list cannot be expressed, because merging only makes lists longer.
pub fn difference(old: &Hash, new: &Hash) -> Hash {
    let changed = old.iter().filter_map(|(key, value)| {
        let Some(expected) = new.get_value(key) else { return Some((key.clone(), strategy("whiteout"))) };
        if equality::values(value, expected) {
            return None;
        }
        let change = match (value, expected) {
            (Value::Hash(old), Value::Hash(new)) => difference(old, new).into(),
            // A null value alone would keep the map.
            (Value::Hash(_), Value::Undef) => strategy("nullout"),
            _ => expected.clone(),
        };
        Some((key.clone(), change))
    });
    changed.chain(missing(old, new)).collect()
}

/// The treatment of keys and items of the old data that the new data lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// They are removed.
    Remove,
    /// They are preserved.
    Preserve,
}

/// Returns `new` with the order of keys and the notation of equal values from `old`.
///
/// ```
/// use hieratic_directives::data::{Lacking, patch};
/// use hieratic_value::{Hash, Value};
///
/// let hash = |pairs: &[(&str, Value)]| pairs.iter().cloned().collect::<Hash>();
/// let old = hash(&[("b", 1.into()), ("a", 2.into()), ("l", vec![1.into(), 2.into()].into())]);
/// let new = hash(&[("a", 3.into()), ("b", 1.0.into()), ("l", vec![2.into(), 3.into()].into())]);
/// assert_eq!(Value::from(patch(&old, &new, Lacking::Remove)).inspect(), r#"{"b"=>1, "a"=>3, "l"=>[2, 3]}"#);
/// assert_eq!(Value::from(patch(&old, &new, Lacking::Preserve)).inspect(), r#"{"b"=>1, "a"=>3, "l"=>[1, 2, 3]}"#);
/// ```
pub fn patch(old: &Hash, new: &Hash, lacking: Lacking) -> Hash {
    let kept = old.iter().filter_map(|(key, value)| {
        let value = match (new.get_value(key), lacking) {
            (None, Lacking::Remove) => return None,
            (None, Lacking::Preserve) => value.clone(),
            (Some(expected), _) if equality::values(value, expected) => value.clone(),
            (Some(expected), _) => match (value, expected) {
                (Value::Hash(old), Value::Hash(new)) => patch(old, new, lacking).into(),
                (Value::Array(old), Value::Array(new)) => patch_list(old, new, lacking),
                _ => expected.clone(),
            },
        };
        Some((key.clone(), value))
    });
    kept.chain(missing(old, new)).collect()
}

fn patch_list(old: &[Value], new: &[Value], lacking: Lacking) -> Value {
    let mut known = EqualityIndex::default();
    let mut place = |item: &Value| known.find(old, |item| item, item);
    match lacking {
        Lacking::Remove => {
            new.iter().map(|item| place(item).and_then(|at| old.get(at)).unwrap_or(item).clone()).collect()
        }
        Lacking::Preserve => old.iter().chain(new.iter().filter(|item| place(item).is_none())).cloned().collect(),
    }
}

/// Returns the part of `old` that is equal in `new`: keys that are missing or different in `new` are left out, at any
/// depth of maps.
///
/// ```
/// use hieratic_directives::data::intersection;
/// use hieratic_value::{Hash, Value};
///
/// let hash = |pairs: &[(&str, i64)]| pairs.iter().map(|(key, number)| (*key, Value::from(*number))).collect::<Hash>();
/// let both = intersection(&hash(&[("a", 1), ("b", 2), ("c", 3)]), &hash(&[("c", 3), ("b", 5)]));
/// assert_eq!(Value::from(both).inspect(), r#"{"c"=>3}"#);
/// ```
pub fn intersection(old: &Hash, new: &Hash) -> Hash {
    let common = old.iter().filter_map(|(key, value)| {
        let expected = new.get_value(key)?;
        let value = match (value, expected) {
            _ if equality::values(value, expected) => value.clone(),
            (Value::Hash(old), Value::Hash(new)) => intersection(old, new).into(),
            _ => return None,
        };
        Some((key.clone(), value))
    });
    common.collect()
}

/// The pairs of `new` whose keys `old` lacks.
fn missing(old: &Hash, new: &Hash) -> impl Iterator<Item = (Value, Value)> {
    let pairs = new.iter().filter(|(key, _)| old.get_value(key).is_none());
    pairs.map(|(key, value)| (key.clone(), value.clone()))
}

/// A map with nothing but a strategy.
pub(crate) fn strategy(name: &str) -> Value {
    [(STRATEGY, Value::from(name))].into_iter().collect::<Hash>().into()
}
