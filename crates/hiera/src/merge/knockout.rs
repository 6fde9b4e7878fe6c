//! Knockouts at depth: which of them the pairwise merge lost, and the merge in which none is lost.

use hieratic_value::Value;

use super::objects::without_prefix;
use super::{Deep, Kind, Knockout, Strategy, objects};
use crate::Error;
use crate::object::{Content, Object};

/// A value that one source gave, before any merge changed it.
#[derive(Clone, Debug)]
pub(crate) struct Contribution {
    pub(crate) value: Object,
    /// Where it came from, for messages.
    pub(crate) place: String,
}

/// A knockout that did not remove what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostKnockout {
    /// The key that was looked up.
    pub key: String,
    /// The element that asked for the removal, prefix included.
    pub knockout: String,
    /// The path of the array inside the value; empty for the value itself.
    pub path: String,
    /// The source that asked for it.
    pub place: String,
    /// The source that brought the element back.
    pub back_from: String,
}

/// Merges from the lowest source upwards, so that every knockout meets all that lies below it.
pub(crate) fn merge_strictly(strategy: &Strategy, contributions: &[Contribution]) -> Result<Option<Object>, Error> {
    let options: &Deep = match strategy.kind() {
        Kind::Deep(deep) | Kind::UnconstrainedDeep(deep) | Kind::ReverseDeep(deep) => deep,
        _ => return Ok(None),
    };
    let mut sources: Vec<&Contribution> = contributions.iter().collect();
    if !matches!(strategy.kind(), Kind::ReverseDeep(_)) {
        sources.reverse();
    }
    let mut merged: Option<Object> = None;
    for source in sources {
        let value = source.value.snapshot();
        merged = Some(match merged {
            None => value,
            Some(below) => objects::deep(options, &value, &below)?,
        });
    }
    Ok(merged)
}

/// The knockouts whose element is in the answer although no source above them asked for it.
pub(crate) fn lost(
    knockout: &Knockout,
    key: &str,
    contributions: &[Contribution],
    answer: &Value,
) -> Vec<LostKnockout> {
    let Ok(pattern) = &knockout.pattern else { return Vec::new() };
    let mut lost = Vec::new();
    for (level, contribution) in contributions.iter().enumerate() {
        let value = contribution.value.to_value();
        each_string(&value, &mut Vec::new(), &mut |path, text| {
            let item = without_prefix(pattern, text);
            if item == text || item.is_empty() {
                return;
            }
            let has =
                |value: &Value| array_at(value, path).is_some_and(|all| all.contains(&Value::from(item.as_str())));
            let above = contributions[..=level].iter().any(|source| has(&source.value.to_value()));
            let below = contributions[level + 1..].iter().find(|source| has(&source.value.to_value()));
            if let (false, Some(back), true) = (above, below, has(answer)) {
                lost.push(LostKnockout {
                    key: key.into(),
                    knockout: text.into(),
                    path: path.iter().map(|key| key.to_text()).collect::<Vec<_>>().join("."),
                    place: contribution.place.clone(),
                    back_from: back.place.clone(),
                });
            }
        });
    }
    lost
}

/// Calls back for every string in an array, with the path of hash keys to the array.
fn each_string<'a>(value: &'a Value, path: &mut Vec<&'a Value>, found: &mut impl FnMut(&[&Value], &str)) {
    match value {
        Value::Array(elements) => elements.iter().filter_map(Value::as_str).for_each(|text| found(path, text)),
        Value::Hash(hash) => {
            for (key, value) in hash {
                path.push(key);
                each_string(value, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn array_at<'a>(value: &'a Value, path: &[&Value]) -> Option<&'a [Value]> {
    path.iter().try_fold(value, |value, key| value.as_hash()?.get_value(key))?.as_array()
}

/// Whether anything in the value is marked for removal at all; most values are not.
pub(crate) fn may_hold_knockouts(knockout: &Knockout, object: &Object) -> bool {
    let Ok(pattern) = &knockout.pattern else { return false };
    match &*object.content() {
        Content::Array(elements) => {
            elements.iter().any(|element| element.as_text().is_some_and(|text| pattern.is_match(&text)))
        }
        Content::Hash(map) => map.values().any(|value| may_hold_knockouts(knockout, value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Mark;
    use hieratic_value::Hash;

    fn source(items: &[&str], place: &str) -> Contribution {
        let value: Value = items.iter().map(|item| Value::from(*item)).collect();
        Contribution { value: Object::of(&value, &Mark::default()), place: place.into() }
    }

    fn deep() -> Strategy {
        let options: Hash = [("strategy", Value::from("deep")), ("knockout_prefix", "--".into())].into_iter().collect();
        Strategy::parse(&options.into()).unwrap()
    }

    #[test]
    fn a_strict_merge_removes_at_every_depth() {
        let sources = [source(&["--x"], "a"), source(&["y"], "b"), source(&["x", "z"], "c")];
        let merged = merge_strictly(&deep(), &sources).unwrap().unwrap().to_value();
        assert_eq!(merged, ["z", "y"].into_iter().map(Value::from).collect());
    }

    #[test]
    fn a_lost_knockout_is_named_with_both_places() {
        let sources = [source(&["--x"], "a"), source(&["y"], "b"), source(&["x", "z"], "c")];
        let answer: Value = ["x", "z", "y"].into_iter().map(Value::from).collect();
        let strategy = deep();
        let lost = lost(strategy.knockout().unwrap(), "k", &sources, &answer);
        assert_eq!(
            lost,
            [LostKnockout {
                key: "k".into(),
                knockout: "--x".into(),
                path: String::new(),
                place: "a".into(),
                back_from: "c".into()
            }]
        );
    }
}
