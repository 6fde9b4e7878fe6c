//! Values that come into other values: whether the way into them exists, and what becomes of them there.

use std::sync::Arc;

use hieratic::hiera::codes;
use hieratic::hiera::inspect::{Interpolated, InterpolationKind, interpolations};
use hieratic::{Key, Query, Segment, Value};
use hieratic_value::collections::{HashMap, HashSet};

use super::super::data::{DataFile, is_alias};
use super::super::list;
use super::super::lookup_options::AllOptions;
use super::super::nodes::GivenNode;
use super::View;
use crate::finding::Finding;
use crate::rules;

/// The properties of a key that interpolations look up, computed once for all of them.
pub(super) struct NamedKey<'r> {
    /// The first value with no parts, for a way that begins with a name and for one that begins with a number.
    without_parts: [Option<(&'r DataFile, &'r Value)>; 2],
    /// Whether no value has such parts, and none is converted.
    is_always_so: [bool; 2],
    /// Strings that `literal()` protects, each with the variables that result from it. At most [`MOST_PROTECTED`].
    protected: Vec<(&'r DataFile, Vec<String>)>,
    /// Whether the value becomes Sensitive.
    is_sensitive: bool,
}

/// The most protected strings of a key that are tried.
const MOST_PROTECTED: usize = 8;

/// Collects the keys that interpolations look up.
pub(super) fn named<'r>(files: &'r [Arc<DataFile>], options: &AllOptions<'r>) -> HashMap<&'r str, NamedKey<'r>> {
    let mut names: HashSet<String> = HashSet::default();
    for file in files.iter().filter(|file| file.may_interpolate()) {
        for text in file.texts().iter().filter(|text| text.text.contains("%{")) {
            for found in interpolations(text.text) {
                if let InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. } = found.kind
                    && let Ok(key) = Key::parse(&key)
                {
                    names.insert(key.root().to_string());
                }
            }
        }
    }
    let mut named: HashMap<&str, NamedKey<'_>> = HashMap::default();
    for file in files {
        for (key, value) in file.entries().filter(|(key, _)| names.contains(*key)) {
            let known = named.entry(key).or_insert_with(|| NamedKey::new(key, options));
            for by_number in [false, true] {
                match has_nothing_inside(value, by_number) {
                    true => _ = known.without_parts[usize::from(by_number)].get_or_insert((file, value)),
                    false => known.is_always_so[usize::from(by_number)] = false,
                }
            }
            if let Some(text) = value.as_str().filter(|text| text.contains("literal("))
                && known.protected.len() < MOST_PROTECTED
            {
                known.protected.push((file, protected(text)));
            }
        }
    }
    named
}

impl NamedKey<'_> {
    /// Creates the entry of a key from its options, before any value is added.
    fn new<'r>(key: &str, options: &AllOptions<'_>) -> NamedKey<'r> {
        let all: Vec<&Value> = options.applying(key).collect();
        let converts = |options: &&Value| options.as_hash().is_some_and(|options| options.contains("convert_to"));
        let is_certain = !all.iter().any(converts);
        NamedKey {
            without_parts: [None, None],
            is_always_so: [is_certain, is_certain],
            protected: Vec::new(),
            is_sensitive: !all.is_empty() && all.iter().all(|options| makes_sensitive(options)),
        }
    }
}

/// That a key leads into a value that has nothing inside: such a lookup fails.
///
/// Without nodes this holds only if every value of the key is so, and no level could bring another.
pub(super) fn no_way(key: &Key, written: &str, view: &View<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    let first = key.segments().first()?;
    let by_number = usize::from(matches!(first, Segment::Index(_)));
    let root = key.root();
    let named = view.named.get(&**root)?;
    let (file, value) = named.without_parts[by_number]?;
    let fails = |known: &&&GivenNode<'_>| {
        let answer = known.node.lookup(&Query::new(key.text()));
        matches!(answer, Err(error) if error.code() == codes::KEY_PATH)
    };
    let failing: Vec<&str> = readers.iter().filter(fails).map(|known| known.name).collect();
    let is_certain = !view.knows_nodes && !view.hidden && !view.has_unread_levels && named.is_always_so[by_number];
    if failing.is_empty() && !is_certain {
        return None;
    }
    let what = match value {
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Boolean(_) => "a boolean",
        _ => "a number",
    };
    let message = format!("'{written}' fails: '{first}' selects a part of '{root}', which is {what}");
    let found = Finding::new(&rules::FAILING_LOOKUP, message);
    let found = found.related(&file.source, file.value_span(root), "the value is here");
    let found = if failing.is_empty() { found } else { found.note(format!("on {}", list(&failing))) };
    Some(found.help(format!("look up '{root}', or quote the dot if it belongs to the name: '{}'", key.text())))
}

/// Reports whether an uninterpolated value has no parts to select by a name, or by a number. An alias may be replaced
/// by any value.
fn has_nothing_inside(value: &Value, by_number: bool) -> bool {
    match value {
        Value::String(text) => !is_alias(text),
        Value::Array(_) => !by_number,
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => true,
        _ => false,
    }
}

/// Finds what is lost when a value becomes a part of a string.
pub(super) fn as_text(key: &str, written: &str, view: &View<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    // A malformed key is another finding.
    let key = Key::parse(key).ok()?;
    redacted(&key, written, view).or_else(|| interpolated_twice(&key, written, view, readers))
}

/// A value is Sensitive, so that its redaction mark is interpolated.
fn redacted(key: &Key, written: &str, view: &View<'_>) -> Option<Finding> {
    let root = key.root();
    view.named.get(&**root).filter(|named| named.is_sensitive)?;
    let message = format!("'{written}' puts the text 'Sensitive [value redacted]' in the place of '{root}'");
    let found = Finding::new(&rules::SENSITIVE_INTERPOLATION, message);
    let found = found.note(format!("lookup_options makes '{root}' Sensitive, and only alias() keeps that"));
    Some(found.help(format!("write `%{{alias('{}')}}` as the entire string, or build the text in code", key.text())))
}

/// Reports whether options convert a value to Sensitive.
fn makes_sensitive(options: &Value) -> bool {
    let to = options.as_hash().and_then(|options| options.get("convert_to"));
    let kind = match to {
        Some(Value::Array(elements)) => elements.first(),
        other => other,
    };
    kind.and_then(Value::as_str).is_some_and(|kind| kind == "Sensitive" || kind.starts_with("Sensitive["))
}

/// A string protects a `%{` by `literal()`, which protects it only once: the result of `lookup()` is interpolated
/// again.
fn interpolated_twice(key: &Key, written: &str, view: &View<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    if !key.segments().is_empty() {
        return None;
    }
    let root = key.root();
    let mut protected = view.named.get(&**root)?.protected.iter();
    let (file, inner) =
        protected.find_map(|(file, inner)| Some((file, inner.iter().find(|inner| is_empty(inner, view, readers))?)))?;
    let message = format!("'{written}' interpolates '{root}' again: '%{{{inner}}}' in it comes out empty");
    let found = Finding::new(&rules::EMPTY_INTERPOLATION, message);
    let found = found.related(&file.source, file.value_span(root), "literal() protects it only once");
    Some(found.help(format!("write `%{{alias('{root}')}}` as the entire string, or repeat the text here")))
}

/// The variables in a string after `literal()` has produced a `%{` in it.
fn protected(text: &str) -> Vec<String> {
    let mut out = String::new();
    let mut done = 0;
    let mut marks = Vec::new();
    for found in interpolations(text) {
        out.push_str(&text[done..found.range.start]);
        done = found.range.end;
        if let InterpolationKind::Literal(literal) = found.kind {
            marks.push(out.len());
            out.push_str(&literal);
        }
    }
    out.push_str(&text[done..]);
    let again = interpolations(&out).into_iter().filter(|found| marks.contains(&found.range.start));
    again
        .filter_map(|found| match found.kind {
            InterpolationKind::Variable(name) => Some(name),
            _ => None,
        })
        .collect()
}

/// Reports whether a variable is missing on a node that reads the string. Without nodes: whether it cannot be a fact,
/// because names of facts are lowercase.
fn is_empty(variable: &str, view: &View<'_>, readers: &[&GivenNode<'_>]) -> bool {
    if view.knows_nodes {
        return readers.iter().any(|known| known.node.interpolated(variable) == Interpolated::Missing);
    }
    let root = variable.strip_prefix("::").unwrap_or(variable).split('.').next().unwrap_or_default();
    !root.contains("::") && !root.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}
