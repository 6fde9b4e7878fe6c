//! Parses documents as PyYAML's safe loader does with libyaml, which Ansible uses.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use hieratic_python_values::{parse_float, parse_int};
use hieratic_source::Position;
use hieratic_yaml::MAX_TAG_DIRECTIVES;
use hieratic_yaml::events::{Events, Kind as Event, Marks, Scalar};
use minijinja::Error;
use minijinja::Value;

use super::resolver::{Resolver, Tag};
use crate::error::{Result, error};
use crate::objects::{Big, Datetime, Dict, Encrypted, Entries, List, Set, Tuple, Verbatim, Zone};
use crate::python::kind::{entries, hashable};
use crate::python::{Kind, iterate, kind};

/// The maximum nesting depth of collections.
const MAX_DEPTH: usize = 150;

/// The loader whose rules apply.
#[derive(Clone, Copy, PartialEq)]
pub enum Loader {
    /// PyYAML's safe loader, for the filters.
    Safe,
    /// Ansible's own loader, for variables: tags mark encrypted strings and strings that are not templates.
    Ansible,
}

/// Parses all documents of a string.
pub fn parse(text: &str) -> Result<Vec<Value>> {
    parse_placed("", text, Loader::Safe).map_err(|(error, _)| error)
}

/// A line, counted from 1, and a column, counted from 0.
pub type Place = (usize, usize);

/// Parses all documents of a file. Errors have a position, and encrypted strings store the name of the file.
pub fn parse_placed(name: &str, text: &str, loader: Loader) -> std::result::Result<Vec<Value>, (Error, Option<Place>)> {
    let placed = |at: Position| move |error: Error| (error, Some((at.line as usize, at.column as usize - 1)));
    crate::work::steps(text.len() / 16).and_then(|()| crate::work::bytes(text.len())).map_err(|error| (error, None))?;
    if let Some((at, letter)) = text.char_indices().find(|(_, letter)| !is_allowed(*letter)) {
        let message = format!(
            "the character U+{:04X} is not allowed in YAML; write it in double quotes as \"\\x{0:02x}\"",
            u32::from(letter)
        );
        return Err(placed(Position::at_offset(text.as_bytes(), at))(error(message)));
    }
    // Parsing `%TAG` directives takes quadratic time.
    if text.match_indices("%TAG").nth(MAX_TAG_DIRECTIVES).is_some() {
        return Err((error(format!("the string has more than {MAX_TAG_DIRECTIVES} %TAG directives")), None));
    }
    // A byte order mark at the start is not part of the content.
    let mut events = Events::new(text.strip_prefix('\u{feff}').unwrap_or(text).as_bytes());
    let mut documents = Vec::new();
    let (resolver, anchors, stack) = (Resolver::new(), HashMap::new(), Vec::new());
    let mut reader = Reader { name, line: 0, loader, resolver, anchors, stack, unsafe_from: None };
    loop {
        let event = events.next().map_err(|problem| {
            let message = error(format!("the string is not valid YAML: {}", problem.text));
            placed(problem.at)(message)
        })?;
        if matches!(event.kind, Event::StreamEnd) {
            return Ok(documents);
        }
        reader.line = event.at.line;
        if let Some(document) = reader.event(event.kind).map_err(placed(event.at))? {
            documents.push(document);
        }
    }
}

/// Returns whether a character is allowed in YAML.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

/// A collection that is being parsed.
enum Open {
    Sequence { items: Vec<Value>, anchor: Option<String>, is_pairs: bool },
    Mapping { entries: Vec<(Value, Value, bool)>, key: Option<(Value, bool)>, anchor: Option<String>, is_set: bool },
}

struct Reader<'n> {
    /// The name of the file.
    name: &'n str,
    /// The line of the event.
    line: u32,
    loader: Loader,
    resolver: Resolver,
    /// The values of anchors; `None` while a value is being parsed.
    anchors: HashMap<String, Option<Value>>,
    stack: Vec<Open>,
    /// The depth of the innermost enclosing collection with the tag `!unsafe`.
    unsafe_from: Option<usize>,
}

impl Reader<'_> {
    /// Takes an event; a document that it ends.
    fn event(&mut self, event: Event<'_>) -> Result<Option<Value>> {
        match event {
            Event::DocumentStart => {
                self.anchors.clear();
                Ok(None)
            }
            Event::Alias(name) => {
                let value = match self.anchors.get(&*name) {
                    Some(Some(value)) => value.clone(),
                    Some(None) => return Err(error(format!("the alias *{name} refers to a value that contains it"))),
                    None => return Err(error("found undefined alias")),
                };
                self.value(value, false)
            }
            Event::Scalar(scalar) => self.scalar(scalar),
            Event::SequenceStart(marks) => {
                self.check_tag(&marks, &["seq", "omap", "pairs"])?;
                self.note_unsafe(&marks);
                let is_pairs = marks.tag.as_deref().and_then(standard).is_some_and(|name| name != "seq");
                let anchor = self.name(marks.anchor)?;
                self.open(Open::Sequence { items: Vec::new(), anchor, is_pairs })
            }
            Event::MappingStart(marks) => {
                self.check_tag(&marks, &["map", "set"])?;
                self.note_unsafe(&marks);
                let is_set = !self.is_merged() && marks.tag.as_deref().and_then(standard) == Some("set");
                let anchor = self.name(marks.anchor)?;
                self.open(Open::Mapping { entries: Vec::new(), key: None, anchor, is_set })
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let (value, anchor) = match self.stack.pop() {
                    Some(Open::Sequence { items, anchor, is_pairs: false }) => (List::value(items), anchor),
                    Some(Open::Sequence { items, anchor, is_pairs: true }) => (pairs(&items)?, anchor),
                    Some(Open::Mapping { entries, anchor, is_set: false, .. }) => {
                        (Dict::value(merged(entries)?), anchor)
                    }
                    Some(Open::Mapping { entries, anchor, is_set: true, .. }) => {
                        (Set::value(merged(entries)?.into_keys().collect()), anchor)
                    }
                    None => return Err(error("the events of the document are out of order")),
                };
                self.unsafe_from = self.unsafe_from.filter(|from| *from < self.stack.len());
                self.stands_for(anchor, &value);
                self.value(value, false)
            }
            Event::DocumentEnd | Event::StreamEnd | Event::Other => Ok(None),
        }
    }

    /// Takes note that a collection is marked `!unsafe`.
    fn note_unsafe(&mut self, marks: &Marks<'_>) {
        if self.loader == Loader::Ansible && marks.tag.as_deref() == Some(UNSAFE) {
            self.unsafe_from.get_or_insert(self.stack.len());
        }
    }

    /// Takes note of a name; none may be there twice.
    fn name(&mut self, anchor: Option<impl Into<String>>) -> Result<Option<String>> {
        let Some(anchor) = anchor.map(Into::into) else { return Ok(None) };
        match self.anchors.entry(anchor.clone()) {
            Entry::Occupied(_) => Err(error(format!("found duplicate anchor '{anchor}'"))),
            Entry::Vacant(place) => {
                place.insert(None);
                Ok(Some(anchor))
            }
        }
    }

    fn stands_for(&mut self, anchor: Option<String>, value: &Value) {
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Some(value.clone()));
        }
    }

    fn scalar(&mut self, scalar: Scalar<'_>) -> Result<Option<Value>> {
        let Scalar { marks, text, quoted, .. } = scalar;
        let anchor = self.name(marks.anchor)?;
        let is_variable = self.loader == Loader::Ansible;
        // A tag decides, with or without quotes. Otherwise a plain scalar, or one with the lone tag `!`, is resolved by
        // its form.
        let resolved = match marks.tag.as_deref() {
            None if quoted => Tag::Text,
            None => self.resolver.resolve(&text),
            // A lone tag `!` without a value.
            Some("!") if text.is_empty() && scalar.plain => Tag::Text,
            Some("!") => self.resolver.resolve(&text),
            Some(UNSAFE) if is_variable => Tag::Unsafe,
            Some(tag) if is_variable && is_vault(tag) => {
                if text.trim_start().starts_with("$ANSIBLE_VAULT;") {
                    Tag::Vault
                } else {
                    let problem =
                        "the value of '!vault' is not encrypted: expected text that starts with $ANSIBLE_VAULT;";
                    return Err(error(problem));
                }
            }
            Some(tag) => standard(tag).and_then(Tag::named).ok_or_else(|| unknown(tag))?,
        };
        // PyYAML resolves `=` to a string if it is a key.
        let resolved = if resolved == Tag::Default && self.awaits_key() { Tag::Text } else { resolved };
        let is_merge = resolved == Tag::Merge;
        if is_merge && !self.awaits_key() {
            return Err(error("could not determine a constructor for the tag 'tag:yaml.org,2002:merge'"));
        }
        let mut value = match resolved {
            Tag::Vault => {
                let place = format!("{}:{}", self.name, self.line).into();
                Value::from_object(Encrypted { text: (&*text).into(), place, why: None })
            }
            _ => read(resolved, &text)?,
        };
        if resolved == Tag::Text && self.is_unsafe() && !self.awaits_key() {
            value = read(Tag::Unsafe, &text)?;
        }
        self.stands_for(anchor, &value);
        self.value(value, is_merge)
    }

    /// Rejects a collection whose tag is for another type.
    fn check_tag(&self, marks: &Marks<'_>, known: &[&str]) -> Result<()> {
        let is_known = |tag: &str| match standard(tag) {
            Some(name) => known.contains(&name),
            None => tag == "!" || self.loader == Loader::Ansible && tag == UNSAFE,
        };
        match marks.tag.as_deref().filter(|tag| !is_known(tag)) {
            Some(tag) if !self.is_merged() => Err(unknown(tag)),
            _ => Ok(()),
        }
    }

    fn open(&mut self, open: Open) -> Result<Option<Value>> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(error(format!("the document nests more than {MAX_DEPTH} levels deep")));
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

    /// Returns whether the value of `<<` comes next, whose tag is ignored.
    fn is_merged(&self) -> bool {
        matches!(self.stack.last(), Some(Open::Mapping { key: Some((_, true)), .. }))
    }

    /// Returns whether strings here are not templates because of the tag of an enclosing collection.
    fn is_unsafe(&self) -> bool {
        self.unsafe_from.is_some()
    }

    /// Returns whether a key of a mapping comes next.
    fn awaits_key(&self) -> bool {
        matches!(self.stack.last(), Some(Open::Mapping { key: None, .. }))
    }
}

/// The tag for content whose strings are not templates.
const UNSAFE: &str = "!unsafe";

/// Returns whether a tag declares an encrypted string.
fn is_vault(tag: &str) -> bool {
    matches!(tag, "!vault" | "!vault-encrypted")
}

/// The name of a tag of YAML itself, also where it is written in full: `!<tag:yaml.org,2002:int>`.
fn standard(tag: &str) -> Option<&str> {
    tag.strip_prefix("tag:yaml.org,2002:")
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

fn unknown(tag: &str) -> Error {
    error(format!("could not determine a constructor for the tag '{tag}'"))
}

/// Converts a scalar to the type of its tag.
fn read(tag: Tag, text: &str) -> Result<Value> {
    let unread = |problem: &str| error(format!("invalid {problem} '{text}'"));
    let digits = text.replace('_', "");
    Ok(match tag {
        Tag::Null => Value::from(()),
        Tag::Bool => match text.to_ascii_lowercase().as_str() {
            "yes" | "true" | "on" => Value::from(true),
            "no" | "false" | "off" => Value::from(false),
            _ => return Err(unread("truth value")),
        },
        Tag::Int => int(&digits).ok_or_else(|| unread("integer"))?,
        Tag::Float => float(&digits).ok_or_else(|| unread("float"))?,
        Tag::Timestamp => timestamp(text)?,
        Tag::Binary => Value::from_bytes(bytes(text).ok_or_else(|| unread("base 64"))?),
        Tag::Default => {
            return Err(error("could not determine a constructor for the tag 'tag:yaml.org,2002:value'"));
        }
        // Encrypted values are created by the reader, which has the position.
        Tag::Merge | Tag::Text | Tag::Vault => Value::from(text),
        Tag::Unsafe => Value::from_object(Verbatim(text.into())),
    })
}

/// Decodes Base64 as Python does: other ASCII characters are skipped, and padding ends the data.
fn bytes(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() {
        return None;
    }
    let (mut digits, mut pads) = (String::with_capacity(text.len()), 0);
    for letter in text.chars() {
        match letter {
            '=' if digits.len() % 4 >= 2 => {
                pads += 1;
                if digits.len() % 4 + pads >= 4 {
                    break;
                }
            }
            'A'..='Z' | 'a'..='z' | '0'..='9' | '+' | '/' => {
                digits.push(letter);
                pads = 0;
            }
            _ => {}
        }
    }
    let is_whole = digits.len() % 4 == 0 || digits.len() % 4 + pads >= 4;
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, lenient).decode(digits).ok().filter(|_| is_whole)
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
        // Such numbers are times, which a float represents exactly.
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
    let bad = || error(format!("invalid timestamp '{text}'"));
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
    let micros: i128 = format!("{fraction:0<6}").get(..6).and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
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
    let time = Datetime { zone: offset.map(Zone::new), ..parsed }.plus(micros)?;
    Ok(Value::from_object(time))
}

/// Returns the entries with those of `<<`, which apply unless the same key is set.
fn merged(read: Vec<(Value, Value, bool)>) -> Result<Entries> {
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
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::repr;

    /// The results are those of PyYAML 6.0.2 with libyaml 0.2.5, as Ansible 2.15 uses it.
    #[test]
    fn rare_forms_parse_as_in_pyyaml() {
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
            ("a\n\u{feff} b", "'a \\ufeff b'"),
            ("'a\n\u{feff} b'", "'a \\ufeff b'"),
            ("\"a\n\u{feff} b\"", "'a \\ufeff b'"),
            ("! '12'", "12"),
            ("- ! 1\n- !\n", "[1, '']"),
            ("! ''", "None"),
            ("!!set {a, b: 1}", "{'a', 'b'}"),
            ("!!set {}", "set()"),
            ("!!binary '1:2:3.4'", "b'\\xd7m\\xf8'"),
            ("a:\t1", "{'a': 1}"),
            ("a\u{85}b", "'a b'"),
            ("{<<: !!seq {a: 1}}", "{'a': 1}"),
            ("{<<: !!set {a}}", "{'a': None}"),
        ];
        for (text, expected) in cases {
            let read = parse(text).expect("it is YAML").pop().expect("there is a document");
            assert_eq!(repr(&read).expect("it can be written"), expected, "{text:?}");
        }
        for text in [
            "!!value =",
            "a: \u{7}",
            "!vault |\n  $ANSIBLE_VAULT;1",
            "!unsafe a",
            "[&a 1, &a 2]",
            "\ta",
            "- a\n\u{feff}- b",
            "!!binary x",
            "!!omap [{a: 1, b: 2}]",
            "!!pairs [1]",
            "a: 1\n\u{feff}b: 2",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
