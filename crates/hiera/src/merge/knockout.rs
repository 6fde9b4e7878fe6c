//! Knockouts: elements of a higher level that remove elements of a lower one, in a deep merge with `knockout_prefix`.
//!
//! # The rule
//!
//! 1. An element of the higher array that begins with the prefix is removed, and so is the element of the lower array
//!    that it names without the prefix.
//! 2. An element that is only the prefix removes all elements of the lower array.
//! 3. A string with the prefix in the place of another value, or of nothing, becomes an empty string.
//!
//! Keys of hashes have no knockouts: the prefix in a key is a part of its name. `knockout_keys: true`, an extension,
//! [adds them](merge_without_keys): a key with the prefix, whatever its value, removes the key that it names from all
//! lower levels, and a key that is only the prefix removes all of them.
//!
//! ```
//! use hieratic_json::parse;
//! use hieratic_hiera::Strategy;
//!
//! let strategy = Strategy::parse(&parse(br#"{"strategy": "deep", "knockout_prefix": "--"}"#)?)?;
//! let merged = |levels: &[&str]| -> Result<String, Box<dyn std::error::Error>> {
//!     let levels: Result<Vec<_>, _> = levels.iter().map(|level| parse(level.as_bytes())).collect();
//!     Ok(strategy.merged(levels?)?.unwrap().inspect())
//! };
//! assert_eq!(merged(&[r#"["--a", "c"]"#, r#"["a", "b"]"#])?, r#"["b", "c"]"#);
//! assert_eq!(merged(&[r#"["--", "c"]"#, r#"["a", "b"]"#])?, r#"["c"]"#);
//! assert_eq!(merged(&[r#""--a""#, r#""a""#])?, r#""""#);
//! // A knockout meets only the next level: it is gone before the third one brings the element back.
//! assert_eq!(merged(&[r#"["--a"]"#, r#"["b"]"#, r#"["a"]"#])?, r#"["a", "b"]"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The merge itself is in [`objects`], which treats knockouts as the reference does. This module handles the case in
//! the last line of the example: [`lost`] finds knockouts that the pairwise merge lost, and [`merge_strictly`] merges
//! from the lowest level upwards, so that none is lost. `strict_knockout: true` requests that.

use std::cell::RefCell;

use hieratic_ruby_regexp::Regexp;
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Str, Value};

use super::objects;
use super::prefix::without_prefix;
use super::strategy::{Deep, Knockout, Strategy, StrategyKind};
use crate::Error;
use crate::codes;
use crate::object::{Content, Object, Origin, work};

/// A value that one source gave, before any merge changed it.
#[derive(Clone, Debug)]
pub(crate) struct Contribution {
    pub(crate) value: Object,
    /// Its source.
    pub(crate) origin: Origin,
}

/// The values of the sources of one key, in the order of priority.
#[derive(Debug, Default)]
pub(crate) struct Contributions(RefCell<Vec<Contribution>>);

impl Contributions {
    pub(crate) fn add(&self, contribution: Contribution) {
        self.0.borrow_mut().push(contribution);
    }

    pub(crate) fn into_values(self) -> Vec<Contribution> {
        self.0.into_inner()
    }
}

/// A knockout that did not remove its element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostKnockout {
    /// The key that was looked up.
    pub key: String,
    /// The knockout, prefix included.
    pub knockout: String,
    /// The path of the array in the value. It is empty for the value itself.
    pub path: String,
    /// The source of the knockout.
    pub place: Origin,
    /// The source of the element.
    pub back_from: Origin,
}

/// Merges from the lowest source upwards, so that every knockout applies to all lower sources.
pub(crate) fn merge_strictly(strategy: &Strategy, contributions: &[Contribution]) -> Result<Option<Object>, Error> {
    let options: &Deep = match strategy.kind() {
        StrategyKind::Deep(deep) | StrategyKind::UnconstrainedDeep(deep) | StrategyKind::ReverseDeep(deep) => deep,
        _ => return Ok(None),
    };
    upwards(options, highest_first(strategy, contributions).into_iter().rev())
}

/// The values, that of the source first which counts most.
fn highest_first(strategy: &Strategy, contributions: &[Contribution]) -> Vec<Object> {
    let values = contributions.iter().map(|source| source.value.snapshot());
    match strategy.kind() {
        StrategyKind::ReverseDeep(_) => values.rev().collect(),
        _ => values.collect(),
    }
}

/// Merges each value over the values before it, which are lower.
fn upwards(options: &Deep, lowest_first: impl Iterator<Item = Object>) -> Result<Option<Object>, Error> {
    let mut merged: Option<Object> = None;
    for value in lowest_first {
        merged = Some(match merged {
            None => value,
            Some(below) => objects::deep(options, &value, &below)?,
        });
    }
    Ok(merged)
}

/// Merges the sources after each has lost the keys that a higher one knocks out. Also returns the names of those keys.
pub(crate) fn merge_without_keys(
    strategy: &Strategy,
    knockout: &Knockout,
    contributions: &[Contribution],
) -> Result<Option<(Object, Vec<Str>)>, Error> {
    let (StrategyKind::Deep(deep) | StrategyKind::UnconstrainedDeep(deep) | StrategyKind::ReverseDeep(deep)) =
        strategy.kind()
    else {
        return Ok(None);
    };
    let pattern = knockout.pattern.as_ref().map_err(|message| Error::fatal(codes::MERGE_OPTION, message.clone()))?;
    let sources = highest_first(strategy, contributions);
    let mut removed = RemovedKeys::default();
    let mut names = Vec::new();
    for source in &sources {
        removed.apply(pattern, source, &mut names);
    }
    if knockout.strict {
        return Ok(upwards(deep, sources.into_iter().rev())?.map(|merged| (merged, names)));
    }
    let mut merged: Option<Object> = None;
    for source in sources {
        merged = Some(match merged {
            None => source,
            Some(above) => objects::deep(deep, &above, &source)?,
        });
    }
    Ok(merged.map(|merged| (merged, names)))
}

/// The keys that higher sources knocked out of a hash.
#[derive(Default)]
struct RemovedKeys {
    keys: HashSet<Value>,
    all: bool,
    /// Those of the hashes in it.
    inside: HashMap<Value, RemovedKeys>,
}

impl RemovedKeys {
    /// Removes them from a source, and takes those over that the source knocks out below it.
    fn apply(&mut self, pattern: &Regexp, source: &Object, names: &mut Vec<Str>) {
        let mut own = Vec::new();
        let inside: Vec<(Value, Object)> = source.change(|content| {
            let Content::Hash(map) = content else { return Vec::new() };
            work::count(map.len());
            map.retain(|key, _| {
                if let Some(text) = key.as_str() {
                    let named = without_prefix(pattern, text);
                    if named != text {
                        own.push(named);
                        return false;
                    }
                }
                !self.all && !self.keys.contains(key)
            });
            map.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
        });
        for (key, value) in inside {
            if value.is_hash() {
                self.inside.entry(key).or_default().apply(pattern, &value, names);
            }
        }
        for key in own {
            names.push(key.as_str().into());
            if key.is_empty() { self.all = true } else { _ = self.keys.insert(key.as_str().into()) }
        }
    }
}

/// Returns the knockouts whose element is in the answer although no source above them has it.
pub(crate) fn lost(
    knockout: &Knockout,
    key: &str,
    contributions: &[Contribution],
    answer: &Value,
) -> Vec<LostKnockout> {
    // An invalid pattern was an error of the merge.
    let Ok(pattern) = &knockout.pattern else { return Vec::new() };
    let values: Vec<Value> = contributions.iter().map(|source| source.value.to_value()).collect();
    let mut known: HashMap<Vec<&Value>, ElementLevels<'_>> = HashMap::default();
    let mut lost = Vec::new();
    for (level, value) in values.iter().enumerate() {
        each_array(value, &mut Vec::new(), &mut |path, elements| {
            for text in elements.iter().filter_map(Value::as_str) {
                let item = without_prefix(pattern, text);
                if item == text || item.is_empty() {
                    continue;
                }
                if !known.contains_key(path) {
                    known.insert(path.to_vec(), ElementLevels::new(&values, answer, path));
                }
                if let Some(back) = known[path].back_from(level, &item.as_str().into()) {
                    lost.push(LostKnockout {
                        key: key.into(),
                        knockout: text.into(),
                        path: path.iter().map(|key| key.to_text()).collect::<Vec<_>>().join("."),
                        place: contributions[level].origin.clone(),
                        back_from: contributions[back].origin.clone(),
                    });
                }
            }
        });
    }
    lost
}

/// The sources of each element in the arrays at one path.
struct ElementLevels<'v> {
    /// The levels that have an element, the highest first.
    levels: HashMap<&'v Value, Vec<usize>>,
    in_answer: HashSet<&'v Value>,
}

impl<'v> ElementLevels<'v> {
    fn new(values: &'v [Value], answer: &'v Value, path: &[&Value]) -> ElementLevels<'v> {
        let mut levels: HashMap<&Value, Vec<usize>> = HashMap::default();
        for (level, value) in values.iter().enumerate() {
            for element in array_at(value, path).unwrap_or_default() {
                work::count(1);
                let sources = levels.entry(element).or_default();
                if sources.last() != Some(&level) {
                    sources.push(level);
                }
            }
        }
        ElementLevels { levels, in_answer: array_at(answer, path).unwrap_or_default().iter().collect() }
    }

    /// Returns the level that brings back an element that `level` knocks out, if the answer has it and no higher level
    /// does.
    fn back_from(&self, level: usize, item: &Value) -> Option<usize> {
        let sources = self.levels.get(item)?;
        let is_below = self.in_answer.contains(item) && sources.first().is_some_and(|highest| *highest > level);
        is_below.then(|| sources[0])
    }
}

/// Calls back for every array, with the path of hash keys to it.
fn each_array<'a>(value: &'a Value, path: &mut Vec<&'a Value>, found: &mut impl FnMut(&[&'a Value], &'a [Value])) {
    match value {
        Value::Array(elements) => found(path, elements),
        Value::Hash(hash) => {
            for (key, value) in hash {
                path.push(key);
                each_array(value, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn array_at<'a>(value: &'a Value, path: &[&Value]) -> Option<&'a [Value]> {
    path.iter().try_fold(value, |value, key| value.as_hash()?.get_value(key))?.as_array()
}

/// Returns whether a part of the value may be a knockout; most values have none.
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

    fn source(items: &[&str], name: &str) -> Contribution {
        let value: Value = items.iter().map(|item| Value::from(*item)).collect();
        Contribution { value: Object::marked(&value, &Mark::default()), origin: Origin::Named(name.into()) }
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

    fn merged_without_keys(sources: &[&str], more: &str) -> Value {
        let parse = |text: &str| hieratic_json::parse(text.as_bytes()).unwrap();
        let options = format!(r#"{{"strategy": "deep", "knockout_prefix": "--", "knockout_keys": true{more}}}"#);
        let strategy = Strategy::parse(&parse(&options)).unwrap();
        let contribution = |text: &&str| Contribution {
            value: Object::marked(&parse(text), &Mark::default()),
            origin: Origin::Named("".into()),
        };
        let sources: Vec<Contribution> = sources.iter().map(contribution).collect();
        merge_without_keys(&strategy, strategy.knockout().unwrap(), &sources).unwrap().unwrap().0.to_value()
    }

    #[test]
    fn keys_are_knocked_out_of_all_lower_levels() {
        let merged = |sources: &[&str]| merged_without_keys(sources, "").inspect();
        assert_eq!(
            merged(&[r#"{"--a": null, "b": 1}"#, r#"{"c": 1}"#, r#"{"a": 1, "d": 1}"#]),
            r#"{"d"=>1, "c"=>1, "b"=>1}"#
        );
        // A key in a level above the knockout stays.
        assert_eq!(merged(&[r#"{"a": 1}"#, r#"{"--a": null}"#, r#"{"a": 2}"#]), r#"{"a"=>1}"#);
        assert_eq!(
            merged(&[r#"{"h": {"--x": 0}}"#, r#"{"h": {"x": 1, "y": 2}, "x": 3}"#]),
            r#"{"h"=>{"y"=>2}, "x"=>3}"#
        );
        assert_eq!(merged(&[r#"{"--": null, "a": 1}"#, r#"{"b": 1}"#]), r#"{"a"=>1}"#);
        assert_eq!(merged(&[r#"{"--a": 1}"#]), "{}");
        assert_eq!(merged(&[r#"["--a"]"#, r#"["a", "b"]"#]), r#"["b"]"#);
    }

    #[test]
    fn keys_and_strict_knockouts_go_together() {
        let sources = [r#"{"--a": null, "l": ["--x"]}"#, r#"{"l": ["y"]}"#, r#"{"a": 1, "l": ["x", "z"]}"#];
        assert_eq!(merged_without_keys(&sources, r#", "strict_knockout": true"#).inspect(), r#"{"l"=>["z", "y"]}"#);
    }

    #[test]
    fn lost_knockouts_are_found_in_one_pass() {
        let work = |count: usize| {
            let texts = |prefix: &str| (0..count).map(|n| format!("{prefix}{n}")).collect::<Vec<_>>();
            let of = |texts: &[String], place| source(&texts.iter().map(String::as_str).collect::<Vec<_>>(), place);
            let (knockouts, items) = (texts("--"), texts(""));
            let sources = [of(&knockouts, "a"), of(&["y".into()], "b"), of(&items, "c")];
            let strategy = deep();
            let answer = sources[2].value.to_value();
            let (lost, work) = work::measure(|| lost(strategy.knockout().unwrap(), "k", &sources, &answer));
            assert_eq!(lost.len(), count);
            work
        };
        let (small, large) = (work(100), work(1_000));
        assert!(small >= 100 && large <= 11 * small, "{small} and {large}");
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
                place: Origin::Named("a".into()),
                back_from: Origin::Named("c".into())
            }]
        );
    }
}
