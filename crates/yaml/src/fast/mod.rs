//! A fast path for YAML in plain style, as most data files are: its events without libyaml.
//!
//! [`read`] supports a subset of YAML that is recognizable line by line: mappings and sequences by indentation, scalars
//! with and without quotes, collections in brackets on one line, blocks after `|`, anchors, aliases and comments. It
//! returns the events of libyaml, with the same positions. For everything else, and for errors, it leaves the whole
//! file to libyaml: this parser reports no errors.
//!
//! The rules are those of [YAML 1.1](https://yaml.org/spec/1.1/) as libyaml 0.2.5 reads it. The tests compare the
//! events of both.

mod scalars;

use memchr::memchr;

use hieratic_source::Position;
use scalars::{Key, is_blank, is_entry, is_space_or_comment, key_end, name_end, plain, plain_in_flow, scalar};
pub(super) use scalars::{block_text, folded, unescaped};

/// The largest source in bytes. Longer ones are left to libyaml, which needs no memory for events that are not read
/// yet.
const MAX_BYTES: usize = 1 << 20;

/// A key after which libyaml does not look for a colon any more has 1,024 characters.
const LONGEST_KEY: usize = 1_000;

/// The limit of the nesting depth of brackets.
const MAX_BRACKETS: usize = 16;

/// An event of a simple text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: FastKind,
    /// The position of its beginning.
    pub at: Position,
    /// The start and the end, in bytes.
    pub extent: (u32, u32),
    /// The start and the end of the name of its anchor. They are equal without an anchor.
    pub anchor: (u32, u32),
    /// The offset of its text from its beginning: an anchor may be in between.
    pub text: u32,
}

/// The kinds of events in simple sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FastKind {
    StreamStart,
    DocumentStart,
    DocumentEnd,
    StreamEnd,
    /// A scalar without quotes; it may be empty.
    Plain,
    /// A scalar without quotes on several lines.
    Folded,
    /// A scalar in quotes, which its extent contains.
    Quoted {
        /// Whether the content has doubled quotes or backslash escapes.
        escapes: bool,
    },
    /// A scalar after `|`, whose lines are indented that far.
    Literal {
        indent: u32,
        /// Whether the last line break is stripped: `|-`.
        strips: bool,
    },
    /// The node of an anchor once more; the extent contains the asterisk.
    Alias,
    SequenceStart {
        flow: bool,
    },
    SequenceEnd,
    MappingStart {
        flow: bool,
    },
    MappingEnd,
}

/// A collection that is open.
#[derive(Clone, Copy, PartialEq)]
struct Open {
    kind: OpenKind,
    /// The column at which its entries stand.
    indent: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum OpenKind {
    Mapping,
    Sequence,
    /// A sequence at the indentation of the mapping that it is a value of.
    Indentless,
}

/// Splits a source into tokens.
struct FastReader<'s> {
    source: &'s [u8],
    tokens: Vec<Token>,
    open: Vec<Open>,
    /// The position of the next node if it is empty: after a colon or a hyphen.
    pending: Option<NodePosition>,
    /// The anchor of that node.
    anchor: Option<Anchor>,
    /// The scalar without quotes that ends the line before, by the number of its token.
    unfinished: Option<usize>,
    /// The block of text that is read.
    block: Option<Block>,
    /// Whether anything except comments was read.
    begun: bool,
    /// The line that is read, counted from 0, and where it begins.
    line: u32,
    start: usize,
}

#[derive(Clone, Copy)]
struct NodePosition {
    offset: usize,
    at: Position,
}

/// An anchor, and where its name ends.
#[derive(Clone, Copy)]
struct Anchor {
    place: NodePosition,
    end: usize,
}

/// A block of text after `|`.
#[derive(Clone, Copy)]
struct Block {
    /// The number of its token.
    token: usize,
    /// Lines of text are indented further than this.
    above: usize,
    /// The indentation of its lines, after the first one was read.
    indent: Option<usize>,
    /// The most spaces of an empty line before that.
    spaces: usize,
}

/// The text is not simple.
struct NotSimple;

type FastResult<T = ()> = Result<T, NotSimple>;

/// The source and its tokens, if it is simple.
pub(super) fn read(source: &[u8]) -> Option<(&str, Vec<Token>)> {
    if source.len() > MAX_BYTES {
        return None;
    }
    let text = std::str::from_utf8(source).ok().filter(|text| has_only_simple_characters(text))?;
    let reader = FastReader {
        source,
        tokens: Vec::with_capacity(source.len() / 16),
        open: Vec::new(),
        pending: None,
        anchor: None,
        unfinished: None,
        block: None,
        begun: false,
        line: 0,
        start: 0,
    };
    Some((text, reader.read().ok()?))
}

/// Returns whether all characters are printable, none is a tab, and lines end only in line feeds.
fn has_only_simple_characters(text: &str) -> bool {
    // Counted instead of sought, so that the compiler takes many bytes at once.
    if text.bytes().filter(|byte| !matches!(byte, b'\n' | b' '..=b'~')).count() == 0 {
        return true;
    }
    // Line breaks of Unicode, byte order marks, and code points that are not characters are not simple either.
    text.chars().all(|one| match one {
        '\n' | ' '..='~' => true,
        '\u{a0}'..='\u{d7ff}' => !matches!(one, '\u{2028}' | '\u{2029}'),
        '\u{e000}'..='\u{fffd}' => one != '\u{feff}',
        '\u{10000}'.. => true,
        _ => false,
    })
}

impl FastReader<'_> {
    fn read(mut self) -> FastResult<Vec<Token>> {
        let nowhere = Position { line: 1, column: 1 };
        self.push(FastKind::StreamStart, NodePosition { offset: 0, at: nowhere }, 0);
        while self.start < self.source.len() {
            let end = memchr(b'\n', &self.source[self.start..]).map_or(self.source.len(), |found| self.start + found);
            if !self.block_line(end)? {
                self.read_line(end)?;
            }
            self.start = end + 1;
            self.line += 1;
        }
        if self.open.is_empty() {
            return Err(NotSimple);
        }
        // Without a line feed at the end, blocks and lines that are indented further than a final comment end at other
        // positions.
        if self.source.last() != Some(&b'\n') {
            let line = self.source.iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
            let first = self.source[line..].iter().find(|byte| **byte != b' ');
            if self.block.is_some() || matches!(first, None | Some(b'#')) {
                return Err(NotSimple);
            }
        }
        self.end_block()?;
        // Behind the last line, whether or not it has an end.
        let end = NodePosition { offset: self.source.len(), at: Position { line: self.line + 1, column: 1 } };
        self.close(end, |_| true)?;
        self.push(FastKind::DocumentEnd, end, end.offset);
        self.push(FastKind::StreamEnd, end, end.offset);
        Ok(self.tokens)
    }

    /// Reads the line from `start` on, which ends before `end`.
    fn read_line(&mut self, end: usize) -> FastResult {
        let unfinished = self.unfinished.take();
        let Some(column) = self.source[self.start..end].iter().position(|byte| *byte != b' ') else { return Ok(()) };
        let content = self.start + column;
        let rest = &self.source[content..end];
        if rest[0] == b'#' {
            return Ok(());
        }
        if column == 0 && (rest.starts_with(b"---") || rest.starts_with(b"...")) {
            return self.document_start(rest, content);
        }
        let place = self.place(content);
        let is_first = !std::mem::replace(&mut self.begun, true);
        if is_first && self.tokens.len() == 1 {
            self.push(FastKind::DocumentStart, place, content);
        }
        if let (Some(token), Some(open)) = (unfinished, self.open.last())
            && column > open.indent
        {
            return self.continuation(token, content, end);
        }
        self.unroll(column, place, is_entry(rest))?;
        if self.open.is_empty() && !is_first {
            return Err(NotSimple);
        }
        self.node(content, end, column)
    }

    /// A further line of a scalar without quotes.
    fn continuation(&mut self, token: usize, content: usize, end: usize) -> FastResult {
        let rest = &self.source[content..end];
        let length = plain(rest).ok_or(NotSimple)?;
        if !is_blank(&rest[length..]) {
            return Err(NotSimple);
        }
        self.tokens[token].kind = FastKind::Folded;
        self.tokens[token].extent.1 = (content + length) as u32;
        self.unfinished = Some(token);
        Ok(())
    }

    /// `---` before all else.
    fn document_start(&mut self, rest: &[u8], content: usize) -> FastResult {
        let after = &rest[3..];
        if self.begun || self.tokens.len() > 1 || rest[0] != b'-' || !is_space_or_comment(after) {
            return Err(NotSimple);
        }
        let place = self.place(content);
        self.push(FastKind::DocumentStart, place, content + 3);
        Ok(())
    }

    /// Ends the collections that entries at a column do not belong to.
    fn unroll(&mut self, column: usize, place: NodePosition, is_entry: bool) -> FastResult {
        self.close(place, |open| {
            open.indent > column || (open.kind == OpenKind::Indentless && open.indent == column && !is_entry)
        })
    }

    /// Ends collections, the innermost first, as long as they are such.
    fn close(&mut self, place: NodePosition, ends: impl Fn(Open) -> bool) -> FastResult {
        while let Some(open) = self.open.last().copied().filter(|open| ends(*open)) {
            self.nothing()?;
            self.open.pop();
            let kind = if open.kind == OpenKind::Mapping { FastKind::MappingEnd } else { FastKind::SequenceEnd };
            self.push(kind, place, place.offset);
        }
        Ok(())
    }

    /// An empty scalar where a node could have stood.
    fn nothing(&mut self) -> FastResult {
        if self.anchor.is_some() {
            return Err(NotSimple);
        }
        if let Some(place) = self.pending.take() {
            self.push(FastKind::Plain, place, place.offset);
        }
        Ok(())
    }

    /// Reads a node in a column: entries of sequences, a key, or a value that was expected.
    fn node(&mut self, mut content: usize, end: usize, mut column: usize) -> FastResult {
        while is_entry(&self.source[content..end]) {
            self.enter(OpenKind::Sequence, column, self.place(content))?;
            self.pending = Some(self.place(content + 1));
            let Some(next) = self.content(content + 1, end) else { return Ok(()) };
            column += next - content;
            content = next;
        }
        let is_inside = self.open.last().is_some_and(|open| open.indent < column);
        match key_end(&self.source[content..end]) {
            Some(key) => self.pair(&key, content, end, column),
            None if is_inside && self.pending.is_some() => self.value(content, end),
            None => Err(NotSimple),
        }
    }

    /// Reads a key, and the part of its value on the same line.
    fn pair(&mut self, key: &Key, content: usize, end: usize, column: usize) -> FastResult {
        let place = self.place(content);
        self.enter(OpenKind::Mapping, column, place)?;
        self.push(key.kind, place, content + key.length);
        let after = content + key.colon + 1;
        self.pending = Some(self.place(after));
        self.content(after, end).map_or(Ok(()), |value| self.value(value, end))
    }

    /// The next character of the line that is not a space. Returns `None` if only a comment follows.
    fn content(&self, from: usize, end: usize) -> Option<usize> {
        self.skip(from, end).ok().filter(|at| self.source[*at] != b'#')
    }

    /// Begins the next entry of a collection at a column, which begins here unless it is open.
    fn enter(&mut self, kind: OpenKind, column: usize, place: NodePosition) -> FastResult {
        let is_sequence = kind == OpenKind::Sequence;
        match self.open.last() {
            Some(open) if open.indent == column && (open.kind == OpenKind::Mapping) != is_sequence => {
                return self.nothing();
            }
            Some(open) if open.indent == column && is_sequence && self.pending.is_some() => {
                self.open.push(Open { kind: OpenKind::Indentless, indent: column });
            }
            Some(open) if open.indent < column && self.pending.is_some() => {
                self.open.push(Open { kind, indent: column })
            }
            None => self.open.push(Open { kind, indent: column }),
            _ => return Err(NotSimple),
        }
        self.pending = None;
        let is_indentless = self.open.last().is_some_and(|open| open.kind == OpenKind::Indentless);
        let event =
            if is_sequence { FastKind::SequenceStart { flow: false } } else { FastKind::MappingStart { flow: false } };
        // The token after which there is no other.
        self.push_anchored(event, place, place.offset + usize::from(is_indentless));
        Ok(())
    }

    /// Reads the last node of a line: a scalar, a collection in brackets, an alias, the header of a block, or the
    /// anchor of a node on the next line.
    fn value(&mut self, mut content: usize, end: usize) -> FastResult {
        if self.source[content] == b'&' && self.anchor.is_none() {
            let name_end = name_end(&self.source[content..end]).ok_or(NotSimple)? + content;
            self.anchor = Some(Anchor { place: self.place(content), end: name_end });
            let Some(node) = self.content(name_end, end) else { return Ok(()) };
            content = node;
        }
        self.pending = None;
        let after = match self.source[content] {
            b'*' if self.anchor.is_none() => {
                let name_end = name_end(&self.source[content..end]).ok_or(NotSimple)? + content;
                self.push(FastKind::Alias, self.place(content), name_end);
                name_end
            }
            b'|' => return self.block(content, end),
            b'[' | b'{' => self.flow(content, end, MAX_BRACKETS)?,
            _ => {
                let (kind, length) = scalar(&self.source[content..end], plain)?;
                self.push_anchored(kind, self.place(content), content + length);
                if kind == FastKind::Plain && is_blank(&self.source[content + length..end]) {
                    self.unfinished = Some(self.tokens.len() - 1);
                }
                content + length
            }
        };
        if is_space_or_comment(&self.source[after..end]) { Ok(()) } else { Err(NotSimple) }
    }

    /// A collection in brackets, a scalar in one; where it ends.
    fn flow(&mut self, content: usize, end: usize, depth: usize) -> FastResult<usize> {
        let place = self.place(content);
        let (close, start_kind, end_kind) = match self.source[content] {
            b'[' => (b']', FastKind::SequenceStart { flow: true }, FastKind::SequenceEnd),
            b'{' => (b'}', FastKind::MappingStart { flow: true }, FastKind::MappingEnd),
            _ => return self.flow_scalar(content, end),
        };
        if depth == 0 {
            return Err(NotSimple);
        }
        self.push_anchored(start_kind, place, content + 1);
        let mut at = self.skip(content + 1, end)?;
        while self.source[at] != close {
            if close == b'}' {
                let colon = self.flow_scalar(at, end)?;
                if self.source.get(colon) != Some(&b':') || self.source.get(colon + 1) != Some(&b' ') {
                    return Err(NotSimple);
                }
                at = self.skip(colon + 1, end)?;
            }
            let after = self.flow(at, end, depth - 1)?;
            at = self.skip(after, end)?;
            match self.source[at] {
                b',' => at = self.skip(at + 1, end)?,
                byte if byte == close => {}
                _ => return Err(NotSimple),
            }
        }
        self.push(end_kind, self.place(at), at + 1);
        Ok(at + 1)
    }

    /// A scalar in brackets; where it ends.
    fn flow_scalar(&mut self, content: usize, end: usize) -> FastResult<usize> {
        let (kind, length) = scalar(&self.source[content..end], plain_in_flow)?;
        // Columns are counted in characters. A key that is longer than allowed has no colon after it.
        if length > LONGEST_KEY || !self.source[content..content + length].is_ascii() {
            return Err(NotSimple);
        }
        self.push(kind, self.place(content), content + length);
        Ok(content + length)
    }

    /// The next character of the line that is not a space.
    fn skip(&self, from: usize, end: usize) -> FastResult<usize> {
        let spaces = self.source[from..end].iter().position(|byte| *byte != b' ').ok_or(NotSimple)?;
        Ok(from + spaces)
    }

    /// `|` or `|-`, which ends the line.
    fn block(&mut self, content: usize, end: usize) -> FastResult {
        let strips = self.source.get(content + 1) == Some(&b'-');
        let after = content + 1 + usize::from(strips);
        if !is_blank(&self.source[after..end]) {
            return Err(NotSimple);
        }
        let above = self.open.last().map_or(0, |open| open.indent);
        self.push_anchored(FastKind::Literal { indent: 0, strips }, self.place(content), after);
        self.block = Some(Block { token: self.tokens.len() - 1, above, indent: None, spaces: 0 });
        Ok(())
    }

    /// Reads the line from `start` on, and returns whether it belongs to a block.
    fn block_line(&mut self, end: usize) -> FastResult<bool> {
        let Some(block) = &mut self.block else { return Ok(false) };
        let line = &self.source[self.start..end];
        let text = line.iter().position(|byte| *byte != b' ');
        match (block.indent, text) {
            (None, None) => block.spaces = block.spaces.max(line.len()),
            (None, Some(column)) if column > block.above && block.spaces <= column => block.indent = Some(column),
            (None, Some(_)) => return Err(NotSimple),
            (Some(indent), Some(column)) if column < indent => {
                self.end_block()?;
                return Ok(false);
            }
            (Some(_), _) => {}
        }
        Ok(true)
    }

    /// The block ends where the line begins.
    fn end_block(&mut self) -> FastResult {
        let Some(block) = self.block.take() else { return Ok(()) };
        let indent = block.indent.ok_or(NotSimple)?;
        let token = &mut self.tokens[block.token];
        token.extent.1 = self.start.min(self.source.len()) as u32;
        if let FastKind::Literal { indent: known, .. } = &mut token.kind {
            *known = indent as u32;
        }
        Ok(())
    }

    /// A place of the line, before which no character has more than one byte.
    fn place(&self, offset: usize) -> NodePosition {
        // A source of [`MAX_BYTES`] bytes fits.
        let column = (offset - self.start + 1) as u32;
        NodePosition { offset, at: Position { line: self.line + 1, column } }
    }

    fn push(&mut self, kind: FastKind, place: NodePosition, end: usize) {
        let extent = (place.offset as u32, end as u32);
        self.tokens.push(Token { kind, at: place.at, extent, anchor: (0, 0), text: 0 });
    }

    /// A node that may have an anchor, where it then begins.
    fn push_anchored(&mut self, kind: FastKind, place: NodePosition, end: usize) {
        let Some(anchor) = self.anchor.take() else { return self.push(kind, place, end) };
        let start = anchor.place.offset;
        let [start, text, name, name_end, end] =
            [start, place.offset - start, start + 1, anchor.end, end].map(|number| number as u32);
        self.tokens.push(Token { kind, at: anchor.place.at, extent: (start, end), anchor: (name, name_end), text });
    }
}
