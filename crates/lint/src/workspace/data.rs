//! [`DataFile`]: a parsed data file, with everything that checks need.

use std::path::{Path, PathBuf};

use hieratic::hocon;
use hieratic::json;
use hieratic::json::{Document, Positions};
use hieratic::sandbox::Files;
use hieratic::yaml;
use hieratic::{Hash, Value};
use hieratic_diagnostics::{Source, Span};

use super::pattern::Bindings;
use crate::comments::Ignores;
use crate::finding::Finding;
use crate::rules::{conflict_marker, data_no_hash, data_syntax, duplicate_key};
use crate::texts::{self, written_at};

/// The backend that reads the files of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// YAML.
    Yaml,
    /// YAML whose merge directives are expanded.
    Directives,
    /// YAML with secrets.
    Eyaml,
    /// JSON.
    Json,
    /// HOCON.
    Hocon,
    /// Variable files of HCL.
    Hcl,
    /// An executable or a function of a module.
    Other,
}

impl Reader {
    /// Returns whether the backend usually reads files with this extension.
    pub(crate) fn usual(self, extension: &str) -> bool {
        match self {
            Reader::Yaml | Reader::Directives | Reader::Eyaml => matches!(extension, "yaml" | "yml" | "eyaml"),
            Reader::Json => extension == "json",
            Reader::Hocon => matches!(extension, "conf" | "hocon"),
            Reader::Hcl => matches!(extension, "hcl" | "tfvars" | "nomadvars"),
            Reader::Other => false,
        }
    }
}

/// A level that can lead to a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LevelMatch {
    /// The level, by its index in the configuration.
    pub(crate) level: usize,
    /// The values that variables must have.
    pub(crate) bindings: Bindings,
}

/// A parsed data file.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) source: Source,
    /// The configuration that leads to it, by its index.
    pub(crate) config: usize,
    /// The levels that lead to it, the most specific first.
    pub(crate) reached: Vec<LevelMatch>,
    /// The backend that reads it.
    pub(crate) reader: Reader,
    /// Its keys and values, with their positions; empty if it cannot be parsed.
    pub(crate) hash: Hash,
    /// Whether it could be read.
    pub(crate) is_readable: bool,
    /// Whether comments in it ignore findings.
    pub(crate) has_ignores: bool,
    positions: Positions,
}

/// A string in a data file: a key or a value.
pub struct Text<'f> {
    /// The string.
    pub text: &'f str,
    /// The byte offset in the file.
    pub start: usize,
    /// The key of the data that contains it.
    pub key: &'f str,
}

impl DataFile {
    /// Returns whether a level of a configuration leads to it, both by their indexes.
    pub(crate) fn is_of_level(&self, config: usize, level: usize) -> bool {
        self.config == config && self.reached.iter().any(|reach| reach.level == level)
    }

    /// Reads a file, and checks it separately from others.
    pub(crate) fn read(
        path: &Path,
        files: &Files,
        config: usize,
        reached: Vec<LevelMatch>,
        reader: Reader,
    ) -> (Option<DataFile>, Vec<Finding>) {
        let source = match texts::read(path, files) {
            Ok(source) => source,
            Err(finding) => return (None, vec![*finding]),
        };
        let (file, findings) = DataFile::parse(path, source, config, reached, reader);
        (Some(file), findings)
    }

    /// Parses and checks a file whose text was read.
    pub(crate) fn parse(
        path: &Path,
        source: Source,
        config: usize,
        reached: Vec<LevelMatch>,
        reader: Reader,
    ) -> (DataFile, Vec<Finding>) {
        let mut findings = Vec::new();
        if let Some(conflict) = conflict_marker::check(&source) {
            let file = DataFile::unparsed(path, source, config, reached, reader);
            return (DataFile { is_readable: false, ..file }, vec![conflict]);
        }
        let (value, positions) = match document(&source, reader) {
            Some(Ok(document)) => (document.value, document.positions),
            Some(Err(error)) => {
                findings.push(data_syntax::of_error(&source, &error));
                (Value::Undef, Positions::default())
            }
            None => {
                if reader == Reader::Hcl {
                    findings.extend(texts::hcl::syntax(&source));
                }
                (Value::Undef, Positions::default())
            }
        };
        let is_readable = findings.is_empty();
        if is_readable && !matches!(reader, Reader::Hocon | Reader::Hcl | Reader::Other) {
            // The file was parsed already, so an error here does not make it unreadable.
            findings.extend(duplicate_key::check(&source).unwrap_or_default());
        }
        let hash = match value {
            Value::Hash(hash) => hash,
            Value::Undef => Hash::default(),
            other => {
                findings.push(data_no_hash::of_value(&source, &other, positions.at()));
                Hash::default()
            }
        };
        let file = DataFile::unparsed(path, source, config, reached, reader);
        (DataFile { hash, is_readable, positions, ..file }, findings)
    }

    /// A file whose keys are not needed.
    pub(crate) fn unparsed(
        path: &Path,
        source: Source,
        config: usize,
        reached: Vec<LevelMatch>,
        reader: Reader,
    ) -> DataFile {
        DataFile {
            path: path.to_owned(),
            has_ignores: Ignores::are_in(source.text()),
            source,
            config,
            reached,
            reader,
            hash: Hash::default(),
            is_readable: true,
            positions: Positions::default(),
        }
    }

    /// Returns the file under another configuration.
    pub(crate) fn moved(&self, config: usize, reached: Vec<LevelMatch>) -> DataFile {
        DataFile { config, reached, ..self.clone() }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns whether the file could be parsed.
    pub fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// Returns the backend that reads the file.
    pub fn reader(&self) -> Reader {
        self.reader
    }

    /// Returns whether its backend reads no other files.
    pub(crate) fn is_alone(&self) -> bool {
        matches!(self.reader, Reader::Yaml | Reader::Eyaml | Reader::Json | Reader::Hocon)
    }

    /// Returns its keys and values, with their positions.
    pub fn content(&self) -> (&Hash, &Positions) {
        (&self.hash, &self.positions)
    }

    /// Returns the keys that can be looked up, with their values.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.hash
            .iter()
            .filter_map(|(key, value)| Some((key.as_str()?, value)))
            .filter(|(key, _)| *key != LOOKUP_OPTIONS)
    }

    /// Returns whether a lookup finds exactly its keys: no directive expands them, and the file has no errors.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_readable && matches!(self.reader, Reader::Yaml | Reader::Eyaml | Reader::Json | Reader::Hocon)
    }

    /// Returns the `lookup_options` in the file.
    pub fn options(&self) -> Option<&Value> {
        self.hash.get(LOOKUP_OPTIONS)
    }

    /// Returns the span of a key.
    pub fn key_span(&self, key: &str) -> Span {
        self.span_of(&[key])
    }

    /// Returns the span of the last key of a path.
    pub fn span_of(&self, keys: &[&str]) -> Span {
        let mut positions = &self.positions;
        let mut hash = Some(&self.hash);
        let mut at = positions.at();
        for key in keys {
            let Some((index, within)) = hash.and_then(|hash| Some((hash.index_of(key)?, hash))) else { break };
            let Some((position, inner)) = positions.entry(index) else { break };
            (at, positions) = (position, inner);
            hash = within.get(key).and_then(Value::as_hash);
        }
        written_at(&self.source, at.line, at.column)
    }

    /// Returns the span of the first word of the value of a key.
    pub fn value_span(&self, key: &str) -> Span {
        let at = self.hash.index_of(key).and_then(|index| Some(self.positions.entry(index)?.1.at()));
        match at {
            Some(at) => written_at(&self.source, at.line, at.column),
            None => self.key_span(key),
        }
    }

    /// Returns whether a string in the file may contain an interpolation. A cheap test on bytes: most files have none.
    pub(crate) fn may_interpolate(&self) -> bool {
        let text = self.source.text();
        // An escape can stand for any character.
        text.contains("%{") || text.contains('\\')
    }

    /// Returns all strings in the file, including keys, without `lookup_options`.
    pub fn texts(&self) -> Vec<Text<'_>> {
        let mut found = Vec::new();
        let mut cursor = Cursor::new(&self.source);
        for (index, (key, value)) in self.hash.iter().enumerate() {
            let Some(name) = key.as_str().filter(|name| *name != LOOKUP_OPTIONS) else { continue };
            let Some((at, positions)) = self.positions.entry(index) else { continue };
            if name.contains("%{") {
                found.push(Text { text: name, start: cursor.offset(at.line, at.column), key: name });
            }
            texts_in(name, value, positions, &mut cursor, &mut found);
        }
        found
    }

    /// Returns the span of a part of a string that begins at an offset, if the source has it literally.
    pub fn find(&self, from: usize, part: &str) -> Span {
        let text = self.source.text();
        match text.get(from..).and_then(|rest| rest.find(part)) {
            Some(at) => Span::new(from + at, from + at + part.len()),
            None => {
                let place = self.source.position(from);
                written_at(&self.source, place.line, place.column)
            }
        }
    }
}

// The parsers limit the depth of nesting.
fn texts_in<'f>(
    key: &'f str,
    value: &'f Value,
    positions: &Positions,
    cursor: &mut Cursor<'_>,
    found: &mut Vec<Text<'f>>,
) {
    match value {
        Value::String(text) => {
            let at = positions.at();
            found.push(Text { text, start: cursor.offset(at.line, at.column), key });
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                texts_in(key, element, positions.element(index).unwrap_or(positions), cursor, found);
            }
        }
        Value::Hash(hash) => {
            for (index, (name, value)) in hash.iter().enumerate() {
                let Some((at, inner)) = positions.entry(index) else { continue };
                if let Some(text) = name.as_str().filter(|text| text.contains("%{")) {
                    found.push(Text { text, start: cursor.offset(at.line, at.column), key });
                }
                texts_in(key, value, inner, cursor, found);
            }
        }
        _ => {}
    }
}

/// Finds bytes by lines and columns that mostly come in order, each from the last: a file may be one long line.
struct Cursor<'s> {
    source: &'s Source,
    line: u32,
    column: u32,
    offset: usize,
}

impl<'s> Cursor<'s> {
    fn new(source: &'s Source) -> Cursor<'s> {
        Cursor { source, line: 0, column: 0, offset: 0 }
    }

    fn offset(&mut self, line: u32, column: u32) -> usize {
        let further = column.checked_sub(self.column).filter(|_| line == self.line);
        let ahead = further.and_then(|further| {
            // Beyond the end of the line the source knows what to answer.
            let rest = self.source.text().get(self.offset..)?;
            let mut ahead = rest.char_indices().take_while(|(_, c)| *c != '\n');
            ahead.nth(further as usize).map(|(at, _)| self.offset + at)
        });
        self.offset = ahead.unwrap_or_else(|| self.source.offset(line, column));
        (self.line, self.column) = (line, column);
        self.offset
    }
}

/// The reserved key for the options of other keys.
pub const LOOKUP_OPTIONS: &str = "lookup_options";

/// Parses a file as its backend does; `None` if only the backend itself can.
fn document(source: &Source, reader: Reader) -> Option<Result<Document, hieratic::json::Error>> {
    let bytes = source.text().as_bytes();
    match reader {
        Reader::Yaml | Reader::Directives | Reader::Eyaml => {
            let options = yaml::Options { symbols: true, regexps: false, file: source.name() };
            Some(yaml::parse_with_positions(bytes, &options))
        }
        Reader::Json => Some(json::parse_with_positions(bytes)),
        Reader::Hocon => {
            let parsed = hocon::parse_with_positions(bytes, &hocon::Environment::empty());
            // The environment variables of the server are unknown.
            let is_unknown = |error: &hieratic::json::Error| {
                let message = error.message();
                message.contains("Could not resolve substitution") && !message.contains("cycle")
            };
            (!parsed.as_ref().is_err_and(is_unknown)).then_some(parsed)
        }
        Reader::Hcl | Reader::Other => None,
    }
}

/// Returns whether a file of YAML or JSON may contain a name in one of its strings. Only escape sequences and quotation
/// marks make the source differ from the value.
pub(crate) fn may_have(text: &str, name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '-');
    if !name.chars().all(is_plain) || text.contains(name) {
        return true;
    }
    // The other escapes stand for characters that are not plain.
    let spells = |escape: char| matches!(escape, 'x' | 'u' | 'U' | '\n' | '\r');
    text.contains("binary") || text.split('\\').skip(1).any(|rest| rest.starts_with(spells))
}

/// Returns whether a value contains an interpolation, at any depth.
pub fn has_interpolation(value: &Value) -> bool {
    any_text(value, &|text| text.contains("%{"))
}

/// Returns whether a string is replaced by the value of another key, which may be of any type.
pub(crate) fn is_alias(text: &str) -> bool {
    text.strip_prefix("%{").is_some_and(|rest| rest.trim_start().starts_with("alias("))
}

/// Returns whether a part of a value is encrypted.
pub(crate) fn has_envelope(value: &Value) -> bool {
    any_text(value, &|text| text.contains("ENC["))
}

/// Returns whether a predicate holds for any string inside a value.
pub(crate) fn any_text(value: &Value, is: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is(text),
        Value::Array(elements) => elements.iter().any(|element| any_text(element, is)),
        Value::Hash(hash) => hash.iter().any(|(key, value)| any_text(key, is) || any_text(value, is)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_may_contain_a_name() {
        for text in [
            "a::b: 1",
            "\"a::b\": 1",
            "x: \"%{lookup('a::b')}\"",
            "\"\\x61::b\": 1",
            "{\"\\u0061::b\": 1}",
            "? \"a:\\\n  :b\"\n: 1",
            "? !!binary YTo6Yg==\n: 1",
            "*k : 1",
        ] {
            assert_eq!(may_have(text, "a::b"), text != "*k : 1", "{text}");
        }
        assert!(!may_have("x: \"\\n\\d\\\\\"", "a::b"));
        assert!(may_have("'it''s': 1", "it's"));
    }

    #[test]
    fn a_cursor_agrees_with_the_source() {
        let source = Source::new("f", "a\u{e9}b\n\ncd\u{1f600}e\n");
        let mut cursor = Cursor::new(&source);
        for (line, column) in [(1, 1), (1, 3), (1, 4), (1, 9), (1, 2), (3, 1), (3, 4), (3, 5), (2, 1), (9, 9), (3, 3)] {
            assert_eq!(cursor.offset(line, column), source.offset(line, column), "{line}:{column}");
        }
    }
}
