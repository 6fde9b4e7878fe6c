//! Random documents: every way to write YAML that an edit may meet, with comments that can be told apart.
// Tests of other crates draw documents too, and use other parts of what there is.
#![allow(dead_code)]

use super::choices::Choices;

/// What a random document may have besides plain data.
pub trait Extras {
    /// An entry for a map at a path: a key that is written as it is, and the text of its value.
    fn entry(&mut self, _choices: &mut Choices, _places: &[Place], _path: &[String]) -> Option<(String, String)> {
        None
    }
    /// Whether the document may have what no JSON has.
    fn only_json(&self) -> bool {
        false
    }
}

/// Nothing besides plain data.
pub struct Plain;

impl Extras for Plain {}

/// Only what JSON can say.
pub struct OnlyJson;

impl Extras for OnlyJson {
    fn only_json(&self) -> bool {
        true
    }
}

/// Something that was written already.
#[derive(Clone, Debug)]
pub struct Place {
    /// Keys and indexes.
    pub path: Vec<String>,
    /// What is there.
    pub kind: Kind,
    /// The name of its anchor.
    pub anchor: Option<String>,
    /// Whether it is complete: what is not contains what is being written.
    pub done: bool,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scalar, perhaps by an alias.
    Scalar,
    /// A list.
    List,
    /// A map.
    Map,
}

/// Writes a document.
pub fn document(choices: &mut Choices, extras: &mut dyn Extras) -> String {
    let json = extras.only_json();
    let mut writer = Writer {
        choices,
        extras,
        out: String::new(),
        places: Vec::new(),
        path: Vec::new(),
        anchors: Vec::new(),
        comments: 0,
    };
    if json {
        writer.json(3, 0);
        let out = &mut writer.out;
        out.push('\n');
        return writer.out;
    }
    match writer.choices.below(20) {
        17 => writer.out.push_str("---\n"),
        18 => writer.out.push_str("%YAML 1.2\n---\n"),
        19 => writer.out.push_str("# head\n\n--- # mark\n"),
        _ => {}
    }
    if writer.choices.chance(10) {
        writer.flow(3, 0, Some(Kind::Map));
        writer.trailing();
    } else {
        writer.block_map(0, false, 3);
    }
    let end = writer.choices.below(12);
    let mut text = writer.out;
    match end {
        9 => text.push_str("...\n"),
        10 | 11 => {
            text.pop();
        }
        _ => {}
    }
    match choices.below(12) {
        10 => text = text.replace('\n', "\r\n"),
        11 => text.insert(0, '\u{feff}'),
        _ => {}
    }
    text
}

const KEYS: &[&str] = &["x", "y", "z", "k", "l", "a", "b", "'q k'", "\"d k\"", "é", "1", "true", "k.k", "m/n", "~"];
const SCALARS: &[&str] = &[
    "1",
    "2",
    "v",
    "two",
    "v w",
    "true",
    "null",
    "~",
    "2.5",
    "x#y",
    "é ü",
    "http://x/#y",
    "'it''s'",
    "'# no'",
    "\"t\\tb\"",
    "\"\"",
    "'1'",
    "-1",
    "+/x",
    "2024-01-01",
];
const FLOW_SCALARS: &[&str] = &["1", "v", "two", "true", "null", "2.5", "'a, b'", "\"}\"", "''", "é", "x#y", "v w"];

struct Writer<'w, 'b, 'e> {
    choices: &'w mut Choices<'b>,
    extras: &'e mut dyn Extras,
    out: String,
    places: Vec<Place>,
    path: Vec<String>,
    /// Names with what they stand for.
    anchors: Vec<(String, Kind)>,
    comments: usize,
}

impl Writer<'_, '_, '_> {
    fn comment(&mut self) {
        self.comments += 1;
        let comments = self.comments;
        self.out.push_str(&format!("# c{comments}."));
    }

    /// What stands behind a value on its line, and the line break.
    fn trailing(&mut self) {
        match self.choices.below(12) {
            9 => self.out.push(' '),
            10 => self.out.push_str("  "),
            11 => {
                self.out.push_str(if self.choices.chance(20) { " " } else { "  " });
                self.comment();
            }
            _ => {}
        }
        self.out.push('\n');
    }

    /// Comments and empty lines before an entry.
    fn above(&mut self, column: usize) {
        match self.choices.below(14) {
            11 => self.out.push('\n'),
            12 => {
                self.indent(column);
                self.comment();
                self.out.push('\n');
            }
            13 => {
                self.out.push_str("\n ");
                self.comment();
                self.out.push_str("\n\n");
            }
            _ => {}
        }
    }

    fn indent(&mut self, column: usize) {
        self.out.extend(std::iter::repeat_n(' ', column));
    }

    fn note(&mut self, kind: Kind, anchor: Option<String>) -> usize {
        self.places.push(Place { path: self.path.clone(), kind, anchor, done: kind == Kind::Scalar });
        self.places.len() - 1
    }

    fn block_map(&mut self, column: usize, beside: bool, depth: usize) {
        let count = 1 + self.choices.below(4);
        let mut used: Vec<String> = Vec::new();
        let top = depth == 3 && self.path.is_empty();
        let mut first = true;
        let mut line = |writer: &mut Self| {
            if !(std::mem::take(&mut first) && beside) {
                writer.above(column);
                writer.indent(column);
            }
        };
        for at in 0..count {
            if self.choices.chance(25)
                && let Some((key, value)) = self.extras.entry(self.choices, &self.places, &self.path)
                && !used.contains(&key)
            {
                line(self);
                used.push(key.clone());
                self.out.push_str(&key);
                self.out.push(':');
                if !value.is_empty() {
                    self.out.push(' ');
                    self.out.push_str(&value);
                }
                self.trailing();
            }
            let maps: Vec<String> =
                self.anchors.iter().filter(|(_, kind)| *kind == Kind::Map).map(|(n, _)| n.clone()).collect();
            if self.choices.chance(8) && !maps.is_empty() && !used.contains(&"<<".to_owned()) {
                used.push("<<".to_owned());
                line(self);
                let one = self.choices.below(maps.len());
                let two = self.choices.below(maps.len());
                match self.choices.below(4) {
                    3 => self.out.push_str(&format!("<<: [*{}, *{}]", maps[one], maps[two])),
                    _ => self.out.push_str(&format!("<<: *{}", maps[one])),
                }
                self.trailing();
            }
            let key = if top { ["a", "b", "c", "d", "e"][at] } else { self.choices.choose(KEYS) };
            if used.iter().any(|used| used == key) {
                continue;
            }
            used.push(key.to_owned());
            line(self);
            self.path.push(key.trim_matches(['\'', '"']).to_owned());
            match self.choices.below(24) {
                21 => {
                    self.out.push_str("? ");
                    self.out.push_str(key);
                    self.trailing();
                    if !self.choices.chance(15) {
                        self.above(column);
                        self.indent(column);
                        self.out.push(':');
                        self.value(column, true, depth);
                    }
                }
                22 => {
                    self.out.push_str(key);
                    self.out.push_str(" :");
                    self.value(column, true, depth);
                }
                23 => {
                    self.out.push_str("!!str ");
                    self.out.push_str(key.trim_matches('~'));
                    self.out.push_str(" :");
                    self.value(column, true, depth);
                }
                _ => {
                    self.out.push_str(key);
                    self.out.push(':');
                    self.value(column, true, depth);
                }
            }
            self.path.pop();
        }
    }

    /// An entry that is all there is of a map.
    fn only_extra(&mut self) -> Option<(String, String)> {
        if !self.choices.chance(15) {
            return None;
        }
        self.extras.entry(self.choices, &self.places, &self.path)
    }

    fn block_list(&mut self, column: usize, beside: bool, depth: usize) {
        for at in 0..1 + self.choices.below(4) {
            if at > 0 || !beside {
                self.above(column);
                self.indent(column);
            }
            self.path.push(at.to_string());
            self.out.push('-');
            match self.only_extra() {
                Some((key, value)) => {
                    self.out.push_str(format!(" {key}: {value}").trim_end());
                    self.trailing();
                }
                None => self.value(column, false, depth),
            }
            self.path.pop();
        }
    }

    /// A value behind a colon or dash, with its line break; `column` is that of the key or dash.
    fn value(&mut self, column: usize, is_entry: bool, depth: usize) {
        let choice = self.choices.below(if depth == 0 { 17 } else { 29 });
        match choice {
            0..=5 => {
                let text = self.choices.choose(SCALARS);
                let blank = if self.choices.chance(8) { "   " } else { " " };
                self.note(Kind::Scalar, None);
                self.out.push_str(&format!("{blank}{text}"));
                self.trailing();
            }
            6 => {
                self.note(Kind::Scalar, None);
                self.trailing();
            }
            7 => {
                self.note(Kind::Scalar, None);
                let mark = self.choices.choose(&["!!str 5", "! x", "!!int '3'", "!own z", "!!str", "!!null ''"]);
                self.out.push_str(&format!(" {mark}"));
                self.trailing();
            }
            8 => {
                let name = self.name(Kind::Scalar);
                self.note(Kind::Scalar, Some(name.clone()));
                let text = self.choices.choose(&["1", "v", "'q'", ""]);
                self.out.push_str(format!(" &{name} {text}").trim_end());
                self.trailing();
            }
            9 | 10 => match self.choices.of_any(&self.anchors).cloned() {
                Some((name, kind)) => {
                    self.note(kind, None);
                    self.out.push_str(&format!(" *{name}"));
                    self.trailing();
                }
                None => self.out.push_str(" none\n"),
            },
            11 | 12 => {
                self.note(Kind::Scalar, None);
                self.block_scalar(column);
            }
            13 | 14 => {
                self.note(Kind::Scalar, None);
                self.lines(column);
            }
            15 | 16 => {
                self.out.push(' ');
                self.flow(depth.min(2), column + 1, None);
                self.trailing();
            }
            17..=23 => self.nested(column, is_entry, depth, Kind::Map),
            _ => self.nested(column, is_entry, depth, Kind::List),
        }
    }

    fn name(&mut self, kind: Kind) -> String {
        let name = match self.choices.below(8) {
            7 => "A".to_owned(),
            _ => format!("A{}", self.anchors.len()),
        };
        self.anchors.retain(|(known, _)| *known != name);
        // It can be referred to once it is complete; a scalar is at once.
        if kind == Kind::Scalar {
            self.anchors.push((name.clone(), kind));
        }
        name
    }

    fn nested(&mut self, column: usize, is_entry: bool, depth: usize, kind: Kind) {
        let anchor = (self.choices.chance(15)).then(|| self.name(kind));
        let place = self.note(kind, anchor.clone());
        let step = match (kind, is_entry) {
            (Kind::List, true) => self.choices.choose(&[0, 2, 0, 4, 1]),
            (_, true) => self.choices.choose(&[2, 2, 4, 1]),
            (_, false) => self.choices.choose(&[2, 2, 2, 4, 1]),
        };
        let beside = !is_entry && step >= 2 && anchor.is_none() && !self.choices.chance(20);
        let tag = if self.choices.chance(5) { Some(if kind == Kind::Map { "!!map" } else { "!!seq" }) } else { None };
        let beside = beside && tag.is_none();
        if beside {
            self.indent(step - 1);
        } else {
            let own_line = self.choices.chance(10);
            let marks = [anchor.as_ref().map(|name| format!("&{name}")), tag.map(str::to_owned)];
            let marks = marks.into_iter().flatten().collect::<Vec<_>>().join(" ");
            if !marks.is_empty() {
                if own_line {
                    self.trailing();
                    self.indent(column + step.max(1));
                } else {
                    self.out.push(' ');
                }
                self.out.push_str(&marks);
            }
            self.trailing();
        }
        match kind {
            Kind::List => self.block_list(column + step, beside, depth - 1),
            _ => match self.only_extra() {
                Some((key, value)) => {
                    if !beside {
                        self.indent(column + step);
                    }
                    self.out.push_str(format!("{key}: {value}").trim_end());
                    self.trailing();
                }
                None => self.block_map(column + step, beside, depth - 1),
            },
        }
        self.done(place, anchor, kind);
    }

    fn done(&mut self, place: usize, anchor: Option<String>, kind: Kind) {
        self.places[place].done = true;
        if let Some(name) = anchor {
            self.anchors.retain(|(known, _)| *known != name);
            self.anchors.push((name, kind));
        }
    }

    fn block_scalar(&mut self, column: usize) {
        let style = self.choices.choose(&["|", ">"]);
        let keep = self.choices.choose(&["", "-", "+"]);
        let step = 1 + self.choices.below(3);
        let number = if self.choices.chance(20) { step.to_string() } else { String::new() };
        self.out.push_str(&format!(" {style}{number}{keep}"));
        if self.choices.chance(10) {
            self.out.push(' ');
            self.comment();
        }
        self.out.push('\n');
        for at in 0..self.choices.below(4) {
            if at > 0 && self.choices.chance(20) {
                self.out.push('\n');
            }
            let deeper = if at > 0 && self.choices.chance(20) { 2 } else { 0 };
            self.indent(column + step + deeper);
            let line = self.choices.choose(&["text", "# no comment", "- a", "k: v", "é"]);
            self.out.push_str(line);
            self.out.push('\n');
        }
        if self.choices.chance(15) {
            self.out.push('\n');
        }
    }

    /// A scalar over several lines.
    fn lines(&mut self, column: usize) {
        let (begin, end) =
            self.choices.choose(&[("one", "two"), ("'one", "# two'"), ("\"one", "# two\""), ("\"one \\", "two\"")]);
        if self.choices.chance(15) {
            self.out.push('\n');
            self.indent(column + 1);
        } else {
            self.out.push(' ');
        }
        self.out.push_str(begin);
        self.out.push('\n');
        if self.choices.chance(20) {
            self.out.push('\n');
        }
        let more = 1 + self.choices.below(3);
        self.indent(column + more);
        self.out.push_str(end);
        self.trailing();
    }

    /// A collection in brackets; `column` is what further lines are indented by.
    fn flow(&mut self, depth: usize, column: usize, kind: Option<Kind>) {
        let kind = kind.unwrap_or_else(|| self.choices.choose(&[Kind::List, Kind::Map]));
        let anchor = self.choices.chance(10).then(|| self.name(kind));
        let place = self.note(kind, anchor.clone());
        if let Some(name) = &anchor {
            self.out.push_str(&format!("&{name} "));
        }
        let (open, close) = if kind == Kind::Map { ('{', '}') } else { ('[', ']') };
        let lines = self.choices.chance(20);
        let count = self.choices.below(4);
        let mut used: Vec<String> = Vec::new();
        self.out.push(open);
        self.gap(lines, column, "");
        for at in 0..count {
            let before = self.out.len();
            if kind == Kind::Map {
                let extra = if self.choices.chance(20) {
                    self.extras.entry(self.choices, &self.places, &self.path)
                } else {
                    None
                };
                if let Some((key, value)) = extra {
                    if used.contains(&key) {
                        continue;
                    }
                    let quoted = if key.contains([',', '[', ']', '{', '}', '?', '%', '&', '*']) {
                        format!("'{key}'")
                    } else {
                        key.clone()
                    };
                    used.push(key);
                    self.out.push_str(&format!("{quoted}: {}", if value.is_empty() { "null" } else { &value }));
                } else {
                    let key = self.choices.choose(KEYS);
                    if used.iter().any(|used| used == key) {
                        continue;
                    }
                    used.push(key.to_owned());
                    self.path.push(key.trim_matches(['\'', '"']).to_owned());
                    match self.choices.below(12) {
                        9 => {
                            self.note(Kind::Scalar, None);
                            self.out.push_str(key);
                        }
                        10 => {
                            self.out.push_str(&format!("? {key} : "));
                            self.flow_value(depth, column);
                        }
                        11 if key.starts_with('"') => {
                            self.out.push_str(&format!("{key}:"));
                            self.flow_value(depth, column);
                        }
                        _ => {
                            self.out.push_str(&format!("{key}: "));
                            self.flow_value(depth, column);
                        }
                    }
                    self.path.pop();
                }
            } else {
                self.path.push(at.to_string());
                if let Some((key, value)) = self.only_extra() {
                    self.out.push_str(&format!("{{'{key}': {}}}", if value.is_empty() { "null" } else { &value }));
                } else if self.choices.chance(6) {
                    self.out.push_str("p: ");
                    self.flow_value(0, column);
                } else {
                    self.flow_value(depth, column);
                }
                self.path.pop();
            }
            if self.out.len() == before {
                continue;
            }
            let own_line = lines && self.choices.chance(20);
            self.gap(own_line, column, "");
            self.out.push(',');
            self.gap(lines, column, " ");
        }
        if !self.choices.chance(15)
            && let Some(comma) = self.out.rfind(',')
            && self.out[comma..].trim_end() == ","
        {
            self.out.replace_range(comma..=comma, "");
        }
        self.out.push(close);
        self.done(place, anchor, kind);
    }

    fn gap(&mut self, lines: bool, column: usize, otherwise: &str) {
        if !lines {
            return self.out.push_str(otherwise);
        }
        if self.choices.chance(20) {
            self.out.push(' ');
            self.comment();
        }
        self.out.push('\n');
        let more = self.choices.below(3);
        self.indent(column + more);
    }

    fn flow_value(&mut self, depth: usize, column: usize) {
        match self.choices.below(if depth == 0 { 8 } else { 11 }) {
            6 => match self.choices.of_any(&self.anchors).cloned() {
                Some((name, kind)) => {
                    self.note(kind, None);
                    self.out.push_str(&format!("*{name} "));
                }
                None => self.out.push_str("none"),
            },
            7 => {
                let name = self.name(Kind::Scalar);
                self.note(Kind::Scalar, Some(name.clone()));
                self.out.push_str(&format!("&{name} v"));
            }
            8..=10 => self.flow(depth - 1, column, None),
            _ => {
                self.note(Kind::Scalar, None);
                let text = self.choices.choose(FLOW_SCALARS);
                self.out.push_str(text);
            }
        }
    }

    fn json(&mut self, depth: usize, column: usize) {
        let lines = self.choices.chance(50);
        let choice = if depth == 3 { 9 } else { self.choices.below(if depth == 0 { 6 } else { 10 }) };
        let scalars = ["1", "-2.5e3", "\"v\"", "true", "null", "\"\\u00e9 \\\" é\""];
        if choice < 6 {
            return self.out.push_str(scalars[choice]);
        }
        let map = choice >= 8;
        self.out.push(if map { '{' } else { '[' });
        let keys = ["\"x\"", "\"y\"", "\"z z\"", "\"1\"", "\"é\\n\""];
        let first = self.choices.below(keys.len());
        let count = self.choices.below(4);
        let line = |writer: &mut Self, column: usize| {
            if lines {
                writer.out.push('\n');
                writer.indent(column);
            }
        };
        for at in 0..count {
            line(self, column + 2);
            if map {
                self.out.push_str(keys[(first + at) % keys.len()]);
                self.out.push_str(if self.choices.chance(20) { ":" } else { ": " });
            }
            self.json(depth - 1, column + 2);
            if at + 1 < count {
                self.out.push_str(if lines || self.choices.chance(20) { "," } else { ", " });
            }
        }
        line(self, column);
        self.out.push(if map { '}' } else { ']' });
    }
}
