//! Merges so that the result does not reveal a secret.
//!
//! A merge reads values: it drops equal elements, sorts, removes elements by a prefix, and rejects values of the wrong
//! type. If such a decision depends on a secret, the result is redacted as a whole, and a rejection is not an error:
//! the answer is equal for all secrets. Parts that depend only on keys stay: the user is still shown for a hash with a
//! password.

use super::objects;
use super::strategy::{Strategy, StrategyKind};
use crate::Error;
use crate::object::{Content, Object, ObjectMap};

/// Applies the strategy to a single value, or the first of several: a unique merge flattens and deduplicates it.
pub(crate) fn alone(strategy: &Strategy, value: Object) -> Object {
    if matches!(strategy.kind(), StrategyKind::Unique) && value.has_hidden() { value.as_secret() } else { value }
}

/// Two values as one; the first has the higher priority.
pub(crate) fn merge(strategy: &Strategy, higher: &Object, lower: &Object) -> Result<Object, Error> {
    if !higher.has_hidden() && !lower.has_hidden() {
        return objects::merge(strategy, higher, lower);
    }
    // A merge changes its sides.
    let (one, other) = (higher.snapshot(), lower.snapshot());
    match objects::merge(strategy, higher, lower) {
        Ok(merged) => Ok(match strategy.kind() {
            StrategyKind::Default | StrategyKind::First => merged,
            StrategyKind::Hash if !one.is_hidden() && !other.is_hidden() => merged,
            StrategyKind::Hash | StrategyKind::Unique => merged.as_secret(),
            StrategyKind::Deep(_) | StrategyKind::UnconstrainedDeep(_) | StrategyKind::ReverseDeep(_) => {
                deep(&one, &other, &merged)
            }
        }),
        Err(error) if error.is_limit() => Err(error),
        // An error about secrets would reveal something about them.
        Err(_) => Ok(one.as_secret()),
    }
}

/// Redacts the result of a deep merge where a secret may have decided.
fn deep(one: &Object, other: &Object, merged: &Object) -> Object {
    if one.is_hidden() || other.is_hidden() {
        return merged.as_secret();
    }
    if !one.has_hidden() && !other.has_hidden() {
        return merged.clone();
    }
    let (one, other, content) = (one.content(), other.content(), merged.content());
    let (Content::Hash(one), Content::Hash(other), Content::Hash(both)) = (&*one, &*other, &*content) else {
        return merged.as_secret();
    };
    let pairs = both.iter().map(|(key, value)| {
        let replacement = match (one.get(key), other.get(key)) {
            (Some(one), Some(other)) => deep(one, other, value),
            // A value without a counterpart is merged with itself, which deduplicates its arrays.
            (Some(alone), None) | (None, Some(alone)) if in_array(alone) => value.as_secret(),
            _ => value.clone(),
        };
        (key.clone(), replacement)
    });
    let pairs: ObjectMap = pairs.collect();
    Object::new(Content::Hash(pairs), merged.mark().clone())
}

/// Returns whether an array contains a secret.
fn in_array(object: &Object) -> bool {
    match &*object.content() {
        Content::Array(elements) => elements.iter().any(Object::has_hidden),
        Content::Hash(map) => map.values().any(in_array),
        Content::Scalar(_) | Content::Verbatim(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Mark;
    use hieratic_value::{Hash, Value};

    fn strategy(pairs: &[(&str, Value)]) -> Strategy {
        Strategy::parse(&pairs.iter().cloned().collect::<Hash>().into()).unwrap()
    }

    fn open(value: &str) -> Object {
        Object::marked(&value.into(), &Mark::default())
    }

    fn secret(value: &str) -> Object {
        open(value).as_secret()
    }

    fn list(elements: Vec<Object>) -> Object {
        Object::new(Content::Array(elements), Mark::default())
    }

    fn hash(pairs: Vec<(&str, Object)>) -> Object {
        Object::new(Content::Hash(pairs.into_iter().map(|(k, v)| (k.into(), v)).collect()), Mark::default())
    }

    #[test]
    fn values_that_a_secret_decides_are_redacted() {
        let knockout = strategy(&[
            ("strategy", "deep".into()),
            ("knockout_prefix", "s".into()),
            ("sort_merged_arrays", true.into()),
        ]);
        for strategy in [strategy(&[("strategy", "unique".into())]), knockout] {
            let answers = ["a", "m", "s", "zzz"].map(|word| {
                merge(&strategy, &list(vec![secret(word), open("b")]), &list(vec![open("a"), open("s")]))
                    .unwrap()
                    .masked()
            });
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        }
    }

    #[test]
    fn a_refusal_tells_nothing() {
        let hash_merge = strategy(&[("strategy", "hash".into())]);
        let other = hash(vec![("a", open("1"))]);
        let (fits, not) = (hash(vec![("b", open("2"))]).as_secret(), secret("text"));
        let answer = |side: &Object| merge(&hash_merge, side, &other).unwrap().masked();
        assert_eq!(answer(&fits), answer(&not));
    }

    #[test]
    fn the_effect_of_keys_is_shown() {
        let deep_merge = strategy(&[("strategy", "deep".into())]);
        let side =
            |user: &str, word: &str| hash(vec![("db", hash(vec![("user", open(user)), ("word", secret(word))]))]);
        let merged = merge(&deep_merge, &side("a", "x"), &side("b", "y")).unwrap().masked();
        assert_eq!(merged.to_text(), r#"{"db"=>{"user"=>"a", "word"=>"Sensitive [value redacted]"}}"#);
    }
}
