//! [`Equivalence`]: the result of comparing the answers for a key symbolically, for all values of the variables.
//!
//! A value that interpolates the address of a node gives each node a different answer. The uninterpolated values show
//! for all nodes at once whether the answers of base and head differ: `http://%{ip}:80` never equals
//! `http://%{ip}:8080`.

use std::collections::BTreeSet;

use hieratic::Node;
use hieratic::dependencies::NodeDependencies;
use hieratic::hiera::inspect::{InterpolationKind, interpolations, is_encrypted};
use hieratic::value::collections::HashMap;
use hieratic::value::{Str, Value};

use crate::diff::{Diff, Side};
use crate::reach::FootprintPair;

/// The deepest nesting of lookups that is followed.
const DEEPEST: usize = 8;
/// The most pieces of a string that are compared.
const MOST_PIECES: usize = 64;

/// The proven relation between the base answer and the head answer of a key, assuming that no variable contains another
/// interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equivalence {
    /// They are the same.
    Equal,
    /// They are not the same.
    Different,
    /// Nothing.
    Unknown,
}

/// The answers of both sides before facts are interpolated.
pub(crate) struct SymbolicComparer<'f> {
    dependencies: Diff<&'f NodeDependencies>,
    /// The keys that `lookup_options` name: they may be merged, or converted.
    optional: BTreeSet<Str>,
    known: Diff<HashMap<Str, Option<SymbolicValue>>>,
}

/// A value with its variables uninterpolated.
#[derive(Clone, Debug, PartialEq)]
enum SymbolicValue {
    Value(Value),
    Template(Vec<Piece>),
}

/// A piece of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Variable(String),
}

impl<'f> SymbolicComparer<'f> {
    /// Starts without proofs; `None` if the keys that have options are unknown.
    pub(crate) fn new(both: &FootprintPair<'f>) -> Option<SymbolicComparer<'f>> {
        let dependencies = Diff { base: both.base, head: both.head };
        let mut names: BTreeSet<Str> = BTreeSet::new();
        for dependency in dependencies.into_iter().flat_map(|side| &side.places) {
            match dependency.data.as_ref().and_then(|data| data.written(Node::OPTIONS_KEY)) {
                None => {}
                Some(Value::Hash(options)) => {
                    for name in options.keys() {
                        let Value::String(name) = name else { return None };
                        names.insert(name.clone());
                    }
                }
                Some(_) => return None,
            }
        }
        Some(SymbolicComparer { dependencies, optional: both.keys_named(names.iter())?, known: Default::default() })
    }

    /// The proven relation for a key.
    pub(crate) fn compare(&mut self, key: &Str) -> Equivalence {
        let [Some(base), Some(head)] = [Side::Base, Side::Head].map(|side| self.value(side, key, DEEPEST)) else {
            return Equivalence::Unknown;
        };
        let is_other = match (base, head) {
            (base, head) if base == head => return Equivalence::Equal,
            (SymbolicValue::Value(_), SymbolicValue::Value(_)) => true,
            // An interpolated value is always a string.
            (SymbolicValue::Template(text), SymbolicValue::Value(value))
            | (SymbolicValue::Value(value), SymbolicValue::Template(text)) => {
                value.as_str().is_none_or(|value| always_differ(text, vec![Piece::Literal(value.to_owned())]))
            }
            (SymbolicValue::Template(base), SymbolicValue::Template(head)) => always_differ(base, head),
        };
        if is_other { Equivalence::Different } else { Equivalence::Unknown }
    }

    /// The value in the first source that has a key; `None` if it is not simple enough.
    fn value(&mut self, side: Side, key: &Str, depth: usize) -> Option<SymbolicValue> {
        if let Some(known) = self.known.as_ref().side(side).get(key) {
            return known.clone();
        }
        // A cyclic key has no answer.
        self.known.as_mut().side(side).insert(key.clone(), None);
        let value = self.read(side, key, depth);
        self.known.as_mut().side(side).insert(key.clone(), value.clone());
        value
    }

    fn read(&mut self, side: Side, key: &Str, depth: usize) -> Option<SymbolicValue> {
        if self.optional.contains(key) || depth == 0 {
            return None;
        }
        let module = key.strip_prefix("::").unwrap_or(key).split_once("::").map(|(module, _)| module);
        let applies = |of: &Option<Str>| of.as_deref().is_none_or(|of| Some(of) == module);
        let mut places = self.dependencies.side(side).places.iter().filter(|dependency| applies(&dependency.module));
        let value = places.find_map(|dependency| dependency.data.as_ref()?.written(key))?;
        if is_encrypted(value) {
            return None;
        }
        let text = match value {
            Value::String(text) if text.contains("%{") => text,
            value => return is_plain(value).then(|| SymbolicValue::Value(value.clone())),
        };
        let mut pieces: Vec<Piece> = Vec::new();
        let mut add = |piece: Piece| match (pieces.last_mut(), piece) {
            (Some(Piece::Literal(last)), Piece::Literal(more)) => last.push_str(&more),
            (_, piece) => pieces.push(piece),
        };
        let mut end = 0;
        for found in interpolations(text) {
            add(Piece::Literal(text.get(end..found.range.start)?.to_owned()));
            match found.kind {
                InterpolationKind::Variable(name) => add(Piece::Variable(name)),
                InterpolationKind::Lookup(key) if is_simple(&key) => match self.value(side, &key.into(), depth - 1)? {
                    SymbolicValue::Value(Value::String(text)) => add(Piece::Literal(text.to_string())),
                    SymbolicValue::Value(_) => return None,
                    SymbolicValue::Template(of_key) => of_key.into_iter().for_each(&mut add),
                },
                _ => return None,
            }
            end = found.range.end;
        }
        add(Piece::Literal(text.get(end..)?.to_owned()));
        pieces.retain(|piece| *piece != Piece::Literal(String::new()));
        (pieces.len() <= MOST_PIECES).then_some(SymbolicValue::Template(pieces))
    }
}

/// Returns whether a key is looked up by its plain name, without digging.
fn is_simple(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-'))
}

/// Returns whether a value is returned as written in data.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.contains("%{"),
        Value::Undef | Value::Boolean(_) | Value::Integer(_) => true,
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(pairs) => pairs.iter().all(|(key, value)| is_plain(key) && is_plain(value)),
        _ => false,
    }
}

/// Returns whether two strings always differ, if each variable has the same value in both.
fn always_differ(mut one: Vec<Piece>, mut other: Vec<Piece>) -> bool {
    one.reverse();
    other.reverse();
    // The common prefix is at the end of the lists now; in the second pass, the common suffix.
    for is_end in [false, true] {
        loop {
            match (one.last_mut(), other.last_mut()) {
                (Some(Piece::Variable(name)), Some(Piece::Variable(same))) if name == same => {
                    one.pop();
                    other.pop();
                }
                (Some(Piece::Literal(left)), Some(Piece::Literal(right))) => {
                    let cut = if is_end { strip_common_suffix(left, right) } else { strip_common_prefix(left, right) };
                    if !cut {
                        return true;
                    }
                    for pieces in [&mut one, &mut other] {
                        if pieces.last().is_some_and(|piece| *piece == Piece::Literal(String::new())) {
                            pieces.pop();
                        }
                    }
                }
                _ => break,
            }
        }
        one.reverse();
        other.reverse();
    }
    // The rest differs in length: the same variables, and another number of literal bytes.
    let length = |pieces: &[Piece]| -> usize {
        pieces.iter().map(|piece| if let Piece::Literal(text) = piece { text.len() } else { 0 }).sum()
    };
    let names = |pieces: &[Piece]| -> Vec<String> {
        let name = |piece: &Piece| if let Piece::Variable(name) = piece { Some(name.clone()) } else { None };
        let mut names: Vec<String> = pieces.iter().filter_map(name).collect();
        names.sort_unstable();
        names
    };
    length(&one) != length(&other) && names(&one) == names(&other)
}

/// Removes the common prefix of two strings; false if both continue with different characters.
fn strip_common_prefix(one: &mut String, other: &mut String) -> bool {
    let same: usize =
        one.chars().zip(other.chars()).take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum();
    one.drain(..same);
    other.drain(..same);
    one.is_empty() || other.is_empty()
}

/// Removes the common suffix of two strings; false if both continue with different characters.
fn strip_common_suffix(one: &mut String, other: &mut String) -> bool {
    let both = one.chars().rev().zip(other.chars().rev());
    let same: usize = both.take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum();
    one.truncate(one.len() - same);
    other.truncate(other.len() - same);
    one.is_empty() || other.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(text: &str) -> Vec<Piece> {
        let piece = |part: &str| match part.strip_prefix('$') {
            Some(name) => Piece::Variable(name.to_owned()),
            None => Piece::Literal(part.to_owned()),
        };
        text.split(' ').filter(|part| !part.is_empty()).map(piece).collect()
    }

    #[test]
    fn strings_that_always_differ_are_found() {
        for (one, other) in [
            ("http:// $ip :80", "http:// $ip :81"),
            ("http:// $ip :80", "http:// $ip :8080"),
            ("http:// $ip", "changed"),
            ("see $a", "see $a !"),
            ("$a x", "x $a y"),
            ("", "x"),
        ] {
            assert!(always_differ(pieces(one), pieces(other)), "{one} {other}");
            assert!(always_differ(pieces(other), pieces(one)), "{one} {other}");
        }
        for (one, other) in
            [("$a", "$b"), ("$a x", "x $a"), ("$a", "x"), ("$a", ""), ("x $a", "x $a"), ("$a $b", "$b $a")]
        {
            assert!(!always_differ(pieces(one), pieces(other)), "{one} {other}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        /// No values of two variables make strings equal that are reported as different.
        #[test]
        fn different_strings_differ_for_all_values(
            one in "(x|y|é| \\$a | \\$b ){0,5}",
            other in "(x|y|é| \\$a | \\$b ){0,5}",
        ) {
            let values = ["", "x", "y", "xx", "xy", "yx", "é", "éx", "xyx"];
            if always_differ(pieces(&one), pieces(&other)) {
                for a in values {
                    for b in values {
                        let text = |text: &str| text.replace("$a", a).replace("$b", b).replace(' ', "");
                        prop_assert_ne!(text(&one), text(&other));
                    }
                }
            }
        }
    }
}
