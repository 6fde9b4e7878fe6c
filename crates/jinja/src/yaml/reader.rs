//! Reads documents as PyYAML's safe loader does.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use hieratic_pythonic::{parse_float, parse_int};
use minijinja::Error;
use minijinja::Value;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::resolver::{Resolver, Tag};
use crate::objects::{Big, Datetime, Dict, Entries, List, Tuple};
use crate::python::kind::{entries, hashable};
use crate::python::{Kind, Result, error, iterate, kind};

/// How deeply collections may nest, and how many values aliases may make of a document.
const DEEPEST: usize = 150;

/// All documents of a text.
pub fn parse(text: &str) -> Result<Vec<Value>> {
    parse_placed(text).map_err(|(error, _)| error)
}

/// A line and a column, counted from 1 and 0.
pub type Place = (usize, usize);

/// All documents of a text, or an error with its place.
pub fn parse_placed(text: &str) -> std::result::Result<Vec<Value>, (Error, Option<Place>)> {
    let placed = |place: Marker| move |error: Error| (error, Some((place.line(), place.col())));
    crate::work::steps(text.len() / 16).and_then(|()| crate::work::bytes(text.len())).map_err(|error| (error, None))?;
    // A mark of the order of bytes is no part of the text.
    let text = text.strip_prefix(MARK).unwrap_or(text);
    if let Some((at, letter)) = text.char_indices().find(|(_, letter)| !is_allowed(*letter)) {
        let before = text.get(..at).unwrap_or_default();
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
        let message = format!(
            "the character U+{:04X} is not allowed in YAML; write it in double quotes as \"\\x{0:02x}\"",
            u32::from(letter)
        );
        return Err((error(message), Some((1 + before.matches('\n').count(), column))));
    }
    // Another mark is a blank at the start of a line and a letter elsewhere, as libyaml has it. The parser knows neither.
    let letter = if text.contains(MARK) { unused(text) } else { None };
    let replaced;
    let text = match letter {
        None => text,
        Some(letter) => {
            replaced = without_marks(text, letter);
            &replaced
        }
    };
    // A block at the very end of a text that has no newline there has none, either.
    let unended = (!text.ends_with(['\n', '\r'])).then(|| text.chars().count());
    let mut documents = Vec::new();
    let mut reader = Reader { resolver: Resolver::new(), anchors: HashMap::new(), stack: Vec::new() };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|fault| {
            let message = error(format!("the string is not valid YAML: {}", fault.info()));
            placed(*fault.marker())(message)
        })?;
        let event = match event {
            Event::Scalar(text, style @ (ScalarStyle::Literal | ScalarStyle::Folded), anchor, tag)
                if unended == Some(span.end.index()) =>
            {
                Event::Scalar(text.strip_suffix('\n').unwrap_or(&text).to_string().into(), style, anchor, tag)
            }
            event => event,
        };
        let event = match (event, letter) {
            (Event::Scalar(text, style, anchor, tag), Some(letter)) if text.contains(letter) => {
                Event::Scalar(text.replace(letter, "\u{feff}").into(), style, anchor, tag)
            }
            (event, _) => event,
        };
        if let Some(document) = reader.event(event).map_err(placed(span.start))? {
            documents.push(document);
        }
    }
    Ok(documents)
}

/// The mark of the order of bytes.
const MARK: char = '\u{feff}';

/// A letter for private use that a text does not have.
fn unused(text: &str) -> Option<char> {
    let used: HashSet<char> = text.chars().filter(|letter| PRIVATE.contains(letter)).collect();
    PRIVATE.into_iter().find(|letter| !used.contains(letter))
}

/// The letters for private use.
const PRIVATE: std::ops::RangeInclusive<char> = '\u{f0000}'..='\u{ffffd}';

/// The text with blanks for marks at the start of lines, and a letter for the others.
fn without_marks(text: &str, letter: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut starts = true;
    for next in text.chars() {
        out.push(match (next, starts) {
            (MARK, true) => ' ',
            (MARK, false) => letter,
            (other, _) => other,
        });
        starts = matches!(next, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    }
    out
}

/// Whether a character may stand in YAML.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

/// A collection that is being read.
enum Open {
    Sequence { items: Vec<Value>, anchor: usize, is_pairs: bool },
    Mapping { entries: Vec<(Value, Value, bool)>, key: Option<(Value, bool)>, anchor: usize },
}

struct Reader {
    resolver: Resolver,
    anchors: HashMap<usize, Value>,
    stack: Vec<Open>,
}

impl Reader {
    /// Takes an event; a document that it ends.
    fn event(&mut self, event: Event<'_>) -> Result<Option<Value>> {
        match event {
            Event::DocumentStart(_) => {
                self.anchors.clear();
                Ok(None)
            }
            Event::Alias(id) => {
                let value = self.anchors.get(&id).cloned().ok_or_else(|| error("found undefined alias"))?;
                self.value(value, false)
            }
            Event::Scalar(text, style, anchor, tag) => {
                // What Ansible Vault encrypted is for the filter `unvault`, `!unsafe` says that a text is no template.
                let own = ["vault", "vault-encrypted", "unsafe"];
                let is_vault = |tag: &saphyr_parser::Tag| tag.handle == "!" && tag.suffix.starts_with("vault");
                if tag.as_deref().is_some_and(is_vault) && !text.trim_start().starts_with("$ANSIBLE_VAULT;") {
                    return Err(error(
                        "the value of '!vault' is not encrypted: expected text that starts with $ANSIBLE_VAULT;",
                    ));
                }
                let tag = tag.filter(|tag| tag.handle != "!" || !own.contains(&tag.suffix.as_str()));
                // A lone mark lets the form decide, quotes or not.
                let is_mark = tag.as_deref().is_some_and(is_mark);
                let tag = tag.filter(|_| !is_mark);
                let tag = match &tag {
                    Some(tag) => Some(standard(tag).ok_or_else(|| unknown(tag))?),
                    None => None,
                };
                // A tag decides, quotes or not; without one the form of what stands without quotes does.
                let meant = match tag.filter(|tag| !tag.is_empty()) {
                    Some(tag) => Tag::named(tag)
                        .ok_or_else(|| error(format!("could not determine a constructor for the tag '!!{tag}'")))?,
                    // A mark before nothing is a text.
                    None if is_mark && style == ScalarStyle::Plain && text.is_empty() => Tag::Text,
                    None if style == ScalarStyle::Plain || is_mark => self.resolver.resolve(&text),
                    None => Tag::Text,
                };
                // PyYAML takes `=` for a text where it is a key.
                let meant = if meant == Tag::Default && self.awaits_key() { Tag::Text } else { meant };
                let is_merge = meant == Tag::Merge;
                if is_merge && !self.awaits_key() {
                    return Err(error("could not determine a constructor for the tag 'tag:yaml.org,2002:merge'"));
                }
                let value = scalar(meant, &text)?;
                self.anchors.insert(anchor, value.clone());
                self.value(value, is_merge)
            }
            Event::SequenceStart(anchor, tag) => {
                check_tag(tag.as_deref(), &["seq", "omap", "pairs"])?;
                let is_pairs = tag.as_deref().and_then(standard).is_some_and(|name| name != "seq");
                self.open(Open::Sequence { items: Vec::new(), anchor, is_pairs })
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(tag.as_deref(), &["map", "set"])?;
                self.open(Open::Mapping { entries: Vec::new(), key: None, anchor })
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let (value, anchor) = match self.stack.pop() {
                    Some(Open::Sequence { items, anchor, is_pairs: false }) => (List::value(items), anchor),
                    Some(Open::Sequence { items, anchor, is_pairs: true }) => (pairs(&items)?, anchor),
                    Some(Open::Mapping { entries, anchor, .. }) => (merged(entries)?, anchor),
                    None => return Err(error("the events of the document are out of order")),
                };
                self.anchors.insert(anchor, value.clone());
                self.value(value, false)
            }
            _ => Ok(None),
        }
    }

    fn open(&mut self, open: Open) -> Result<Option<Value>> {
        if self.stack.len() >= DEEPEST {
            return Err(error(format!("the document nests more than {DEEPEST} levels deep")));
        }
        self.stack.push(open);
        Ok(None)
    }

    fn value(&mut self, value: Value, is_merge: bool) -> Result<Option<Value>> {
        match self.stack.last_mut() {
            None => return Ok(Some(value)),
            Some(Open::Sequence { items, .. }) => items.push(value),
            Some(Open::Mapping { entries, key, .. }) => match key.take() {
                Some((key, is_merge)) => entries.push((key, value, is_merge)),
                None => {
                    hashable(&value).map_err(|_| error("while constructing a mapping: found unhashable key"))?;
                    *key = Some((value, is_merge));
                }
            },
        }
        Ok(None)
    }

    /// Whether a key of a mapping comes next.
    fn awaits_key(&self) -> bool {
        matches!(self.stack.last(), Some(Open::Mapping { key: None, .. }))
    }
}

/// The name of a tag of YAML itself, also where it is written in full: `!<tag:yaml.org,2002:int>`.
fn standard(tag: &saphyr_parser::Tag) -> Option<&str> {
    const OWN: &str = "tag:yaml.org,2002:";
    match tag.handle.as_str() {
        OWN => Some(&tag.suffix),
        "" => tag.suffix.strip_prefix(OWN),
        _ => None,
    }
}

/// The pairs of `!!pairs` and `!!omap`, each written as a mapping of one key.
fn pairs(items: &[Value]) -> Result<Value> {
    let pair = |item: &Value| match (kind(item)?, entries(item)) {
        (Kind::Dict, Ok(entries)) => match <[_; 1]>::try_from(entries) {
            Ok([(key, value)]) => Ok(Tuple::value(vec![key, value])),
            Err(entries) => {
                Err(error(format!("expected a mapping with a single key, but found {} keys", entries.len())))
            }
        },
        _ => Err(error("expected a mapping with a single key")),
    };
    items.iter().map(pair).collect::<Result<_>>().map(List::value)
}

/// Whether a tag says nothing but that there is one.
fn is_mark(tag: &saphyr_parser::Tag) -> bool {
    matches!((tag.handle.as_str(), tag.suffix.as_str()), ("!", "") | ("", "!"))
}

fn unknown(tag: &saphyr_parser::Tag) -> minijinja::Error {
    error(format!("could not determine a constructor for the tag '{}{}'", tag.handle, tag.suffix))
}

/// Refuses a collection whose tag says that it is something else.
fn check_tag(tag: Option<&saphyr_parser::Tag>, known: &[&str]) -> Result<()> {
    let Some(tag) = tag.filter(|tag| !is_mark(tag)) else { return Ok(()) };
    let is_known = match standard(tag) {
        Some(name) => known.contains(&name),
        // That texts in it are no templates.
        None => tag.handle == "!" && tag.suffix == "unsafe",
    };
    if is_known { Ok(()) } else { Err(unknown(tag)) }
}

/// What a scalar is, read as what it is meant to be.
fn scalar(meant: Tag, text: &str) -> Result<Value> {
    let unread = |what: &str| error(format!("could not read the {what} '{text}'"));
    let digits = text.replace('_', "");
    Ok(match meant {
        Tag::Null => Value::from(()),
        Tag::Bool => match text.to_ascii_lowercase().as_str() {
            "yes" | "true" | "on" => Value::from(true),
            "no" | "false" | "off" => Value::from(false),
            _ => return Err(unread("truth value")),
        },
        Tag::Int => int(&digits).ok_or_else(|| unread("integer"))?,
        Tag::Float => float(&digits).ok_or_else(|| unread("float"))?,
        Tag::Timestamp => timestamp(text)?,
        Tag::Binary => {
            let digits: String = text.split_ascii_whitespace().collect();
            Value::from_bytes(STANDARD.decode(digits).map_err(|_| unread("base 64"))?)
        }
        Tag::Default => {
            return Err(error("could not determine a constructor for the tag 'tag:yaml.org,2002:value'"));
        }
        Tag::Merge | Tag::Text => Value::from(text),
    })
}

/// Numbers with colons count in sixties.
fn sexagesimal(text: &str) -> Option<f64> {
    text.split(':').try_fold(0.0, |total, part| Some(total * 60.0 + part.parse::<f64>().ok()?))
}

fn int(digits: &str) -> Option<Value> {
    let (negative, unsigned) = match digits.strip_prefix(['-', '+']) {
        Some(rest) => (digits.starts_with('-'), rest),
        None => (false, digits),
    };
    let number = if unsigned.contains(':') {
        // Such numbers are times, which are far smaller than what a float holds exactly.
        crate::python::number::truncated(sexagesimal(unsigned)?).ok()?
    } else if unsigned.starts_with("0b") || unsigned.starts_with("0x") {
        parse_int(unsigned, 0)?
    } else if unsigned.len() > 1 && unsigned.starts_with('0') {
        parse_int(unsigned, 8)?
    } else {
        parse_int(unsigned, 10)?
    };
    Some(Big::value(&if negative { -number } else { number }))
}

fn float(digits: &str) -> Option<Value> {
    let lower = digits.to_ascii_lowercase();
    let (negative, unsigned) = match lower.strip_prefix(['-', '+']) {
        Some(rest) => (lower.starts_with('-'), rest),
        None => (false, lower.as_str()),
    };
    let number = match unsigned {
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        unsigned if unsigned.contains(':') => sexagesimal(unsigned)?,
        unsigned => parse_float(unsigned)?,
    };
    Some(Value::from(if negative { -number } else { number }))
}

fn timestamp(text: &str) -> Result<Value> {
    let bad = || error(format!("could not read the timestamp '{text}'"));
    let date = text.split(['T', 't', ' ', '\t']).next().unwrap_or("");
    let rest = text.get(date.len()..).unwrap_or("").trim_start_matches(['T', 't', ' ', '\t']);
    let parsed = Datetime::parse(&format!("{date} 0:00:00"), "%Y-%m-%d %H:%M:%S").map_err(|_| bad())?;
    if rest.is_empty() {
        return Ok(Value::from_object(Datetime::day(parsed.time.date())));
    }
    let zone = rest.find(['Z', '+', '-', ' ', '\t']).unwrap_or(rest.len());
    let (time, zone) = rest.split_at(zone);
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    // No minute of a date has more seconds.
    if time.rsplit(':').next().is_some_and(|seconds| seconds == "60" || seconds == "61") {
        return Err(bad());
    }
    let parsed = Datetime::parse(&format!("{date} {time}"), "%Y-%m-%d %H:%M:%S").map_err(|_| bad())?;
    let micros: i64 = format!("{fraction:0<6}").get(..6).and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
    let zone = zone.trim();
    let offset = match zone.strip_prefix(['+', '-']) {
        Some(written) => {
            let (hours, minutes) = written.split_once(':').unwrap_or((written, "0"));
            let part = |digits: &str| digits.parse::<i32>().ok().filter(|part| *part < 100);
            let seconds = part(hours).ok_or_else(bad)? * 3600 + part(minutes).ok_or_else(bad)? * 60;
            // A zone is less than a day away.
            if seconds >= 86_400 {
                return Err(bad());
            }
            Some(if zone.starts_with('-') { -seconds } else { seconds })
        }
        None => (zone == "Z").then_some(0),
    };
    Datetime { zone: offset, ..parsed }.plus(micros)
}

/// Entries with those of `<<`, which count where there are none of the same key.
fn merged(read: Vec<(Value, Value, bool)>) -> Result<Value> {
    let mut merged = Entries::new();
    for (_, value, _) in read.iter().filter(|(_, _, is_merge)| *is_merge) {
        let sources = match kind(value)? {
            Kind::Dict => vec![value.clone()],
            Kind::List => {
                let mut sources = iterate(value)?;
                sources.reverse();
                sources
            }
            _ => return Err(error("expected a mapping or list of mappings for merging")),
        };
        for source in sources {
            let source = entries(&source)?;
            crate::work::bytes(source.len() * 2 * crate::work::ELEMENT)?;
            merged.extend(source);
        }
    }
    merged.extend(read.into_iter().filter(|(_, _, is_merge)| !is_merge).map(|(key, value, _)| (key, value)));
    Ok(Dict::value(merged))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::repr;

    /// What PyYAML 6.0.3 reads, as Ansible 2.15 uses it.
    #[test]
    fn rare_forms_are_read_as_by_pyyaml() {
        let cases = [
            ("{=: 1}", "{'=': 1}"),
            ("!<tag:yaml.org,2002:int> '7'", "7"),
            ("!!pairs [a: 1, a: 2]", "[('a', 1), ('a', 2)]"),
            ("!!omap [a: 1]", "[('a', 1)]"),
            ("|\n  a\n  b", "'a\\nb'"),
            ("|\n  a\n  b\n", "'a\\nb\\n'"),
            ("|+\n  a\n\n", "'a\\n\\n'"),
            (">-\n  a\n  b", "'a b'"),
            ("x: |\n  é", "{'x': 'é'}"),
            ("\u{feff}a: \u{feff}b", "{'a': '\\ufeffb'}"),
            ("\u{feff}\u{feff}a: 1", "{'a': 1}"),
            ("- a\u{feff}\n- \u{feff}", "['a\\ufeff', '\\ufeff']"),
            ("x: [\u{feff}1, a\u{feff}]", "{'x': ['\\ufeff1', 'a\\ufeff']}"),
            ("|\n  \u{feff}x\n", "'\\ufeffx\\n'"),
            ("---\n\u{feff}a: 1\n", "{'a': 1}"),
            ("a: 1\n\u{feff}\nb: 2", "{'a': 1, 'b': 2}"),
            ("a:\n\u{feff}  b: 1", "{'a': {'b': 1}}"),
            ("a:\n \u{feff}b: 1", "{'a': {'\\ufeffb': 1}}"),
            ("'\u{f0000}\u{feff}'", "'\\U000f0000\\ufeff'"),
        ];
        for (text, expected) in cases {
            let read = parse(text).expect("it is YAML").pop().expect("there is a document");
            assert_eq!(repr(&read).expect("it can be written"), expected, "{text:?}");
        }
        for text in
            ["!!value =", "a: \u{7}", "!vault abc", "!!omap [{a: 1, b: 2}]", "!!pairs [1]", "a: 1\n\u{feff}b: 2"]
        {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
