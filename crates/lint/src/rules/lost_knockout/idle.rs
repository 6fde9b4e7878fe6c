//! Knockouts that remove nothing: of keys of hashes, and under options that know no prefix. They stay in the answer.

use std::sync::Arc;

use hieratic::value::collections::HashMap;
use hieratic::{Strategy, Value};

use crate::finding::Finding;
use crate::rules;
use crate::workspace::data::{DataFile, any_text};
use crate::workspace::lookup_options::AllOptions;

/// The prefix that is assumed if the options name none.
const USUAL: &str = "--";

/// Every knockout that names what another file has in the same place, and that no merge recognizes.
pub(super) fn check(files: &[Arc<DataFile>], options: &AllOptions<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut holders: HashMap<&str, Vec<&DataFile>> = HashMap::default();
    let mut known: HashMap<&str, NamePositions<'_>> = HashMap::default();
    for file in files {
        for (key, _) in file.entries() {
            holders.entry(key).or_default().push(file);
        }
    }
    for file in files {
        for (key, value) in file.entries() {
            let others = holders.get(key).map(Vec::as_slice).unwrap_or_default();
            if others.len() < 2 {
                continue;
            }
            let applying: Vec<&Value> = options.applying(key).collect();
            let Some(prefix) = prefix_of(&applying) else { continue };
            if !any_text(value, &|text| text.starts_with(prefix.text)) {
                continue;
            }
            let names = known.entry(key).or_insert_with(|| NamePositions::new(key, others));
            idle(file, key, value, names, &prefix, &mut findings);
        }
    }
    findings
}

/// The names in the values of a key, by their position in the value.
struct NamePositions<'f> {
    /// For each position and name, the first file that has it, and whether others do.
    places: HashMap<(String, &'f str), (*const DataFile, bool)>,
}

impl<'f> NamePositions<'f> {
    fn new(key: &str, files: &[&'f DataFile]) -> NamePositions<'f> {
        let mut names = NamePositions { places: HashMap::default() };
        for file in files {
            let Some(value) = file.content().0.get(key) else { continue };
            let mut add = |place: &[&str], name: &'f str| {
                let own = std::ptr::from_ref(*file);
                names
                    .places
                    .entry((joined(place), name))
                    .and_modify(|(first, more)| *more |= *first != own)
                    .or_insert((own, false));
            };
            each_name(value, &mut add);
        }
        names
    }

    /// Returns whether another file has a name in a position.
    fn has(&self, place: &[&str], name: &'f str, file: &DataFile) -> bool {
        self.places.get(&(joined(place), name)).is_some_and(|(first, more)| *more || *first != std::ptr::from_ref(file))
    }
}

/// The last part of the position of elements of an array. It cannot be a key of a hash.
const ELEMENTS: &str = "\0";

/// A place in one text.
fn joined(place: &[&str]) -> String {
    place.join("\0")
}

/// Calls `give` with every key of a hash and every string of an array in a value, and its position. The parsers limit
/// the depth of nesting.
fn each_name<'f>(value: &'f Value, give: &mut dyn FnMut(&[&str], &'f str)) {
    let mut open: Vec<(Vec<&str>, &Value)> = vec![(Vec::new(), value)];
    while let Some((place, value)) = open.pop() {
        match value {
            Value::Hash(hash) => {
                for (name, value) in hash {
                    let Some(name) = name.as_str() else { continue };
                    give(&place, name);
                    open.push(([place.as_slice(), &[name]].concat(), value));
                }
            }
            Value::Array(elements) => {
                let place = [place.as_slice(), &[ELEMENTS]].concat();
                elements.iter().filter_map(Value::as_str).for_each(|text| give(&place, text));
            }
            _ => {}
        }
    }
}

/// A knockout prefix.
struct KnockoutPrefix<'o> {
    text: &'o str,
    /// Whether the options name it.
    is_known: bool,
}

/// The prefix that all options of a key agree on, or the usual one if they know none; none where nothing is merged.
fn prefix_of<'o>(applying: &[&'o Value]) -> Option<KnockoutPrefix<'o>> {
    let mut found: Option<KnockoutPrefix<'o>> = None;
    for options in applying {
        let merge = options.as_hash()?.get("merge")?;
        // An invalid merge is another finding.
        let strategy = Strategy::parse(merge).ok()?;
        if !matches!(strategy.name(), "unique" | "hash" | "deep") {
            return None;
        }
        let text = merge.as_hash().and_then(|merge| merge.get("knockout_prefix")).and_then(Value::as_str);
        let prefix = match text {
            Some("") => return None,
            Some(text) => KnockoutPrefix { text, is_known: strategy.name() == "deep" },
            None => KnockoutPrefix { text: USUAL, is_known: false },
        };
        if found.as_ref().is_some_and(|known| known.text != prefix.text || known.is_known != prefix.is_known) {
            return None;
        }
        found = Some(prefix);
    }
    found
}

/// The knockouts in a value that name what other files have in the same place.
fn idle<'f>(
    file: &DataFile,
    key: &str,
    value: &'f Value,
    names: &NamePositions<'f>,
    prefix: &KnockoutPrefix<'_>,
    findings: &mut Vec<Finding>,
) {
    each_name(value, &mut |place, name| {
        let Some(suggestion) = name.strip_prefix(prefix.text).filter(|suggestion| names.has(place, suggestion, file))
        else {
            return;
        };
        let Some((_, outer)) = place.split_last().filter(|(last, _)| **last == ELEMENTS) else {
            let reason = "a merge removes elements of arrays, and no keys of hashes";
            let help = if prefix.is_known {
                "remove the line: a merge cannot take a key away"
            } else {
                "remove the line: the merge takes nothing away"
            };
            let span = file.span_of(&[&[key], place, &[name]].concat());
            return findings.push(stays(key, name, reason).at(&file.source, span, "").help(help));
        };
        // A knockout of the options is removed, or lost, which is another finding.
        if !prefix.is_known && !suggestion.is_empty() {
            let from = file.span_of(&[&[key], outer].concat()).range().start;
            let found = stays(key, name, "the merge options have no knockout_prefix");
            let help = format!("write `merge: {{strategy: deep, knockout_prefix: '{}'}}`", prefix.text);
            findings.push(found.at(&file.source, file.find(from, name), "").help(help));
        }
    });
}

fn stays(key: &str, knockout: &str, reason: &str) -> Finding {
    let message = format!("The knockout '{knockout}' of the key '{key}' removes nothing and stays: {reason}");
    Finding::new(&rules::LOST_KNOCKOUT, message)
}
