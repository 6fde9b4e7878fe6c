//! # duplicate-key
//!
//! A key is duplicated. (error)
//!
//! ## What is found
//!
//! A map of a YAML or JSON file contains the same key twice. `1` and `'1'` are different keys. Merge keys (`<<`) may be
//! repeated.
//!
//! ## Why it matters
//!
//! The last value wins, and the other is silently lost. This is hard to see in a long file.
//!
//! ## How to fix it
//!
//! Remove one of them, or put both values under one key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [a]
//! ntp::iburst: true
//! ntp::servers: [b]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [a, b]
//! ntp::iburst: true
//! ```
//!
//! A comment `# hieratic: ignore duplicate-key` on the same line or the line before accepts the finding.

use hieratic::value::collections::HashMap;
use hieratic::yaml;
use hieratic::yaml::events::{Events, Kind, Problem};
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;

/// A map or list that is open.
enum Open {
    List,
    Map {
        /// The keys, each with its span and whether it is quoted.
        keys: HashMap<Box<str>, (Span, bool)>,
        /// Whether the next node is a key.
        at_key: bool,
    },
}

/// Finds every key that is in its map already, with both positions.
///
/// # Errors
///
/// The text is not YAML. Earlier findings are dropped, because a file that cannot be parsed has worse problems.
pub(crate) fn check(source: &Source) -> Result<Vec<Finding>, Problem> {
    let text = source.text();
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut events = Events::new(text.as_bytes());
    loop {
        let event = events.next()?;
        let (start, end) = (offset(event.extent.0), offset(event.extent.1));
        match event.kind {
            Kind::StreamEnd => return Ok(found),
            Kind::Scalar(scalar) => {
                if let Some(Open::Map { keys, at_key: true }) = open.last_mut() {
                    let span = Span::new(start, end);
                    match keys.get(&*scalar.text) {
                        Some((first, quoted)) if same(&scalar.text, *quoted, scalar.quoted) => {
                            found.push(twice(source, &scalar.text, *first, span));
                        }
                        _ => {
                            keys.insert((*scalar.text).into(), (span, scalar.quoted));
                        }
                    }
                }
                done(&mut open);
            }
            Kind::Alias(_) => done(&mut open),
            Kind::SequenceStart(_) => open.push(Open::List),
            Kind::MappingStart(_) => open.push(Open::Map { keys: HashMap::default(), at_key: true }),
            Kind::SequenceEnd | Kind::MappingEnd => {
                open.pop();
                done(&mut open);
            }
            Kind::DocumentStart | Kind::DocumentEnd | Kind::Other => {}
        }
    }
}

fn offset(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// A node is done: in a map a value follows a key, and a key a value.
fn done(open: &mut [Open]) {
    if let Some(Open::Map { at_key, .. }) = open.last_mut() {
        *at_key = !*at_key;
    }
}

/// Returns whether two keys with equal text are equal: `1` and `'1'` are not. Merge keys may be repeated.
fn same(text: &str, quoted: bool, other_quoted: bool) -> bool {
    if text == "<<" {
        return false;
    }
    quoted == other_quoted
        || yaml::parse(text.as_bytes(), &yaml::Options::new("")).is_ok_and(|value| value.as_str() == Some(text))
}

fn twice(source: &Source, key: &str, first: Span, second: Span) -> Finding {
    Finding::new(&rules::DUPLICATE_KEY, format!("The key '{key}' is duplicated; only the last value is used"))
        .at(source, second, "this value is used")
        .related(source, first, "this value is ignored")
        .help("remove one of them, or merge both values")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<(u32, String)> {
        let findings = check(&Source::new("t.yaml", text)).unwrap_or_default();
        findings.iter().map(|finding| (finding.line().unwrap_or(0), finding.diagnostic.message.clone())).collect()
    }

    #[test]
    fn keys_are_compared_within_their_map() {
        assert_eq!(keys("a: 1\nb: {a: 1}\nc: [{a: 1}, {a: 2}]\n"), []);
        assert_eq!(keys("a: 1\nb:\n  c: 1\n  c: 2\na: 2\n").iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4, 5]);
        assert_eq!(keys("{\"a\": 1, \"a\": 2}").len(), 1);
        assert_eq!(keys("1: a\n'1': b\n"), []);
        assert_eq!(keys("a: 1\n'a': b\n").len(), 1);
        assert_eq!(keys("x: &x {a: 1}\ny:\n  <<: *x\n  <<: *x\n"), []);
        assert_eq!(keys("? [a, a]\n: {}\n? [a, a]\n: {}\n"), []);
    }
}
