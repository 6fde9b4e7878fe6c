//! The events of a YAML 1.2 document, as in the round-trip parser of ruamel.yaml.
//!
//! [`yaml::events`](hieratic_yaml::events) is libyaml, which reads YAML 1.1. The versions differ in scalars, anchors
//! and keys, so one parser cannot read both. This is therefore a separate parser: [`Scanner`] splits the source into
//! tokens, and [`Yaml12Parser`] turns them into events.
//!
//! | | libyaml | here |
//! |---|---|---|
//! | `{a: ::b::c}` | an error | `::b::c` |
//! | `[a?b, a:b]` | an error, `a:b` | `a?b`, `a:b` |
//! | `&x.y v` | an error | an anchor `x.y` |
//! | `&a:b v` | an anchor `a`, the text `:b v` | an anchor `a:b` |
//! | tabs after an indicator or a value | blanks | an error |
//! | `%FOO bar` | an error | ignored |
//! | a line that begins with a tab in a block scalar | an error | text |
//! | U+0085, U+2028 and U+2029 | begin a line | break a line only in a scalar or a comment |
//!
//! A document with `%YAML 1.1` is read by the rules of that version, as far as the reference has them.

mod cursor;
mod error;
mod marks;
mod scalars;
mod scanner;
mod token;

use std::borrow::Cow;

use hieratic_value::collections::HashMap;

use cursor::Mark;
pub(crate) use error::Yaml12Error;
use hieratic_json::Error;
use hieratic_source::Position;
use hieratic_yaml::events::{Event, Kind, Marks, Scalar};
use scanner::Scanner;
use token::{Directive, Style, Tag, Token, TokenKind};

/// The events of a source, in order.
pub(crate) struct Yaml12Parser<'t> {
    scanner: Scanner<'t>,
    state: ParserState,
    /// The states to return to after the open nodes.
    states: Vec<ParserState>,
    /// The positions at which the open collections begin.
    opened: Vec<Mark>,
    handles: HashMap<&'t str, Cow<'t, str>>,
}

/// The next production of the grammar.
#[derive(Clone, Copy)]
enum ParserState {
    ImplicitDocument,
    Document,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequence,
    IndentlessSequence,
    BlockKey,
    BlockValue,
    FlowSequence { first: bool },
    PairKey,
    PairValue,
    PairEnd,
    FlowKey { first: bool },
    FlowValue,
    FlowNoValue,
    End,
}

/// The kinds of nodes that are allowed in a context.
#[derive(Clone, Copy, PartialEq)]
enum NodeContext {
    Block,
    /// The value of a key, whose dashes may be in the column of the key.
    BlockOrDashes,
    Flow,
}

/// The handle of the tags of YAML itself, and its prefix.
const YAML_HANDLE: (&str, &str) = ("!!", "tag:yaml.org,2002:");

type EventResult<'t> = Result<Event<'t>, Yaml12Error>;

impl<'t> Yaml12Parser<'t> {
    /// Starts to parse a source. A forbidden character is an error.
    pub(crate) fn new(text: &'t str, name: &str) -> Result<Yaml12Parser<'t>, Error> {
        if let Some((position, character)) = cursor::unprintable(text) {
            let number = u32::from(character);
            let message = format!(
                "unacceptable character #x{number:04x}: special characters are not allowed\n  in \"{name}\", position {position}"
            );
            let hint = "remove the control character, or write it as an escape in double quotes";
            let byte = text.char_indices().nth(position).map_or(text.len(), |(byte, _)| byte);
            let at = Position::at_offset(text.as_bytes(), byte);
            return Err(Error::new(message).at(at).with_hint(hint));
        }
        Ok(Yaml12Parser {
            scanner: Scanner::new(text),
            state: ParserState::ImplicitDocument,
            states: Vec::new(),
            opened: Vec::new(),
            handles: HashMap::default(),
        })
    }

    /// Returns whether the document has the directive `%YAML 1.1`.
    pub(crate) fn is_yaml11(&self) -> bool {
        self.scanner.is_yaml11
    }

    /// The next event. After an error or the end of the stream there is nothing more to ask for.
    pub(crate) fn next(&mut self) -> EventResult<'t> {
        match self.state {
            ParserState::ImplicitDocument => self.implicit_document(),
            ParserState::Document => self.document(),
            ParserState::DocumentContent => match self.scanner.peek()?.kind {
                TokenKind::Directive(_) | TokenKind::DocumentStart | TokenKind::DocumentEnd | TokenKind::StreamEnd => {
                    let mark = self.scanner.peek()?.start;
                    self.leave();
                    Ok(empty(mark))
                }
                _ => self.node(NodeContext::Block),
            },
            ParserState::DocumentEnd => self.document_end(),
            ParserState::BlockNode => self.node(NodeContext::Block),
            ParserState::BlockSequence => self.block_sequence(),
            ParserState::IndentlessSequence => self.indentless_sequence(),
            ParserState::BlockKey => self.block_key(),
            ParserState::BlockValue => self.block_value(),
            ParserState::FlowSequence { first } => self.flow_sequence(first),
            ParserState::PairKey => self.pair_key(),
            ParserState::PairValue => self.pair_value(),
            ParserState::PairEnd => {
                self.state = ParserState::FlowSequence { first: false };
                let mark = self.scanner.peek()?.start;
                Ok(event(mark, mark, Kind::MappingEnd))
            }
            ParserState::FlowKey { first } => self.flow_key(first),
            ParserState::FlowValue => self.flow_value(),
            ParserState::FlowNoValue => {
                self.state = ParserState::FlowKey { first: false };
                Ok(empty(self.scanner.peek()?.start))
            }
            ParserState::End => {
                let mark = self.scanner.cursor.mark();
                Ok(event(mark, mark, Kind::StreamEnd))
            }
        }
    }

    /// Continues with the collection around the node that ends here.
    fn leave(&mut self) {
        self.state = self.states.pop().unwrap_or(ParserState::End);
    }

    fn implicit_document(&mut self) -> EventResult<'t> {
        let token = self.scanner.peek()?;
        if matches!(token.kind, TokenKind::Directive(_) | TokenKind::DocumentStart | TokenKind::StreamEnd) {
            return self.document();
        }
        let mark = token.start;
        self.handles = default_handles();
        self.states.push(ParserState::DocumentEnd);
        self.state = ParserState::BlockNode;
        Ok(event(mark, mark, Kind::DocumentStart))
    }

    fn document(&mut self) -> EventResult<'t> {
        while matches!(self.scanner.peek()?.kind, TokenKind::DocumentEnd) {
            self.scanner.take()?;
        }
        if matches!(self.scanner.peek()?.kind, TokenKind::StreamEnd) {
            let token = self.scanner.take()?;
            self.state = ParserState::End;
            return Ok(event(token.start, token.end, Kind::StreamEnd));
        }
        self.directives()?;
        let token = self.scanner.peek()?;
        if !matches!(token.kind, TokenKind::DocumentStart) {
            let problem = format!("expected '<document start>', but found '{}'", token.kind.name());
            return Err(Yaml12Error::new(problem, token.start));
        }
        let token = self.scanner.take()?;
        self.states.push(ParserState::DocumentEnd);
        self.state = ParserState::DocumentContent;
        Ok(event(token.start, token.end, Kind::DocumentStart))
    }

    fn directives(&mut self) -> Result<(), Yaml12Error> {
        let mut has_version = false;
        self.handles.clear();
        while matches!(self.scanner.peek()?.kind, TokenKind::Directive(_)) {
            let Token { kind: TokenKind::Directive(directive), start, .. } = self.scanner.take()? else { break };
            match directive {
                Directive::Yaml(_) if has_version => {
                    return Err(Yaml12Error::new("found duplicate YAML directive", start));
                }
                Directive::Yaml(major) if major != 1 => {
                    let problem = "found incompatible YAML document (version 1.* is required)";
                    return Err(Yaml12Error::new(problem, start));
                }
                Directive::Yaml(_) => has_version = true,
                Directive::Tag(handle, prefix) => {
                    if self.handles.insert(handle, prefix).is_some() {
                        return Err(Yaml12Error::new(format!("duplicate tag handle '{handle}'"), start));
                    }
                }
                Directive::Other => {}
            }
        }
        for (handle, prefix) in default_handles() {
            self.handles.entry(handle).or_insert(prefix);
        }
        Ok(())
    }

    fn document_end(&mut self) -> EventResult<'t> {
        let start = self.scanner.peek()?.start;
        let mut end = start;
        if matches!(self.scanner.peek()?.kind, TokenKind::DocumentEnd) {
            end = self.scanner.take()?.end;
        }
        self.state = if self.is_yaml11() { ParserState::Document } else { ParserState::ImplicitDocument };
        Ok(event(start, end, Kind::DocumentEnd))
    }

    fn node(&mut self, place: NodeContext) -> EventResult<'t> {
        if let TokenKind::Alias(name) = self.scanner.peek()?.kind {
            let token = self.scanner.take()?;
            self.leave();
            return Ok(event(token.start, token.end, Kind::Alias(Cow::Borrowed(name))));
        }
        let (mut anchor, mut tag, mut bounds) = (None, None, None);
        // One of each, in any order.
        loop {
            match self.scanner.peek()?.kind {
                TokenKind::Anchor(name) if anchor.is_none() => anchor = Some(Cow::Borrowed(name)),
                TokenKind::Tag(_) if tag.is_none() => {}
                _ => break,
            }
            let token = self.scanner.take()?;
            let (first, _) = bounds.get_or_insert((token.start, token.end));
            let first = *first;
            bounds = Some((first, token.end));
            if let TokenKind::Tag(written) = token.kind {
                tag = Some(self.resolve_tag(written, first, token.start)?);
            }
        }
        let is_marked = bounds.is_some();
        let token = self.scanner.peek()?;
        let (start, end) = bounds.unwrap_or((token.start, token.start));
        let marks = |flow: bool| Marks { anchor: anchor.clone(), tag: tag.clone(), flow };
        if place == NodeContext::BlockOrDashes && matches!(token.kind, TokenKind::BlockEntry) {
            self.state = ParserState::IndentlessSequence;
            return Ok(event(start, token.end, Kind::SequenceStart(marks(false))));
        }
        let in_block = place != NodeContext::Flow;
        let (kind, state) = match token.kind {
            TokenKind::Scalar { .. } => {
                let token = self.scanner.take()?;
                let TokenKind::Scalar { text, style } = token.kind else { return Ok(empty(token.start)) };
                let quoted = style != Style::Plain && tag.is_none();
                let scalar = Scalar {
                    marks: Marks { anchor, tag, flow: false },
                    text,
                    quoted,
                    plain: style == Style::Plain,
                    block: style == Style::Block,
                };
                self.leave();
                return Ok(event(start, token.end, Kind::Scalar(scalar)));
            }
            TokenKind::FlowSequenceStart => {
                (Kind::SequenceStart(marks(true)), ParserState::FlowSequence { first: true })
            }
            TokenKind::FlowMappingStart => (Kind::MappingStart(marks(true)), ParserState::FlowKey { first: true }),
            TokenKind::BlockSequenceStart if in_block => {
                (Kind::SequenceStart(marks(false)), ParserState::BlockSequence)
            }
            TokenKind::BlockMappingStart if in_block => (Kind::MappingStart(marks(false)), ParserState::BlockKey),
            _ if is_marked => {
                self.leave();
                let marks = Marks { anchor, tag, flow: false };
                let scalar = Scalar { marks, text: Cow::Borrowed(""), quoted: false, plain: true, block: false };
                return Ok(event(start, end, Kind::Scalar(scalar)));
            }
            _ => {
                let subject = if in_block { "block" } else { "flow" };
                let problem = format!("expected the node content, but found '{}'", token.kind.name());
                let error = Yaml12Error::new(problem, token.start);
                return Err(error.during(format!("while parsing a {subject} node"), start));
            }
        };
        let token = self.scanner.take()?;
        self.opened.push(token.start);
        self.state = state;
        Ok(event(start, token.end, kind))
    }

    /// A tag as the reference gives it on: written out where it is one of YAML's own, as written otherwise.
    fn resolve_tag(&self, tag: Tag<'t>, node: Mark, at: Mark) -> Result<Cow<'t, str>, Yaml12Error> {
        const OWN: [&str; 12] =
            ["null", "bool", "int", "float", "binary", "timestamp", "omap", "pairs", "set", "str", "seq", "map"];
        let Tag { handle, suffix } = tag;
        let Some(handle) = handle else { return Ok(suffix) };
        let Some(prefix) = self.handles.get(handle) else {
            let error = Yaml12Error::new(format!("found undefined tag handle '{handle}'"), at);
            return Err(error.during("while parsing a node", node));
        };
        let written = if handle == YAML_HANDLE.0 && OWN.contains(&&*suffix) { &**prefix } else { handle };
        Ok(Cow::Owned(format!("{written}{suffix}")))
    }

    /// The end of a collection, which the next token is.
    fn close(&mut self, kind: Kind<'t>) -> EventResult<'t> {
        let token = self.scanner.take()?;
        self.leave();
        self.opened.pop();
        Ok(event(token.start, token.end, kind))
    }

    /// The error for an unexpected token in the innermost collection.
    fn unexpected(&mut self, context: &str, expected: &str) -> Yaml12Error {
        let opened = self.opened.last().copied().unwrap_or_default();
        match self.scanner.peek() {
            Ok(token) => {
                Yaml12Error::new(format!("{expected} '{}'", token.kind.name()), token.start).during(context, opened)
            }
            Err(error) => error,
        }
    }

    fn block_sequence(&mut self) -> EventResult<'t> {
        match self.scanner.peek()?.kind {
            TokenKind::BlockEntry => {
                let dash = self.scanner.take()?;
                if matches!(self.scanner.peek()?.kind, TokenKind::BlockEntry | TokenKind::BlockEnd) {
                    return Ok(empty(dash.end));
                }
                self.states.push(ParserState::BlockSequence);
                self.node(NodeContext::Block)
            }
            TokenKind::BlockEnd => self.close(Kind::SequenceEnd),
            _ => Err(self.unexpected("while parsing a block collection", "expected <block end>, but found")),
        }
    }

    fn indentless_sequence(&mut self) -> EventResult<'t> {
        if !matches!(self.scanner.peek()?.kind, TokenKind::BlockEntry) {
            let mark = self.scanner.peek()?.start;
            self.leave();
            return Ok(event(mark, mark, Kind::SequenceEnd));
        }
        let dash = self.scanner.take()?;
        if matches!(
            self.scanner.peek()?.kind,
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd
        ) {
            return Ok(empty(dash.end));
        }
        self.states.push(ParserState::IndentlessSequence);
        self.node(NodeContext::Block)
    }

    fn is_key_end(&mut self) -> Result<bool, Yaml12Error> {
        Ok(matches!(self.scanner.peek()?.kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd))
    }

    fn block_key(&mut self) -> EventResult<'t> {
        let is_yaml11 = self.is_yaml11();
        match self.scanner.peek()?.kind {
            TokenKind::Key => {
                let key = self.scanner.take()?;
                if self.is_key_end()? {
                    self.state = ParserState::BlockValue;
                    return Ok(empty(key.end));
                }
                self.states.push(ParserState::BlockValue);
                self.node(NodeContext::BlockOrDashes)
            }
            // A key of which nothing is written.
            TokenKind::Value if !is_yaml11 => {
                self.state = ParserState::BlockValue;
                Ok(empty(self.scanner.peek()?.start))
            }
            TokenKind::BlockEnd => self.close(Kind::MappingEnd),
            _ => Err(self.unexpected("while parsing a block mapping", "expected <block end>, but found")),
        }
    }

    fn block_value(&mut self) -> EventResult<'t> {
        if !matches!(self.scanner.peek()?.kind, TokenKind::Value) {
            self.state = ParserState::BlockKey;
            return Ok(empty(self.scanner.peek()?.start));
        }
        let colon = self.scanner.take()?;
        if self.is_key_end()? {
            self.state = ParserState::BlockKey;
            return Ok(empty(colon.end));
        }
        self.states.push(ParserState::BlockKey);
        self.node(NodeContext::BlockOrDashes)
    }

    fn flow_sequence(&mut self, first: bool) -> EventResult<'t> {
        if !first && !matches!(self.scanner.peek()?.kind, TokenKind::FlowSequenceEnd) {
            if !matches!(self.scanner.peek()?.kind, TokenKind::FlowEntry) {
                return Err(self.unexpected("while parsing a flow sequence", "expected ',' or ']', but got"));
            }
            self.scanner.take()?;
        }
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::FlowSequenceEnd => self.close(Kind::SequenceEnd),
            TokenKind::Key => {
                let (start, end) = (token.start, token.end);
                self.state = ParserState::PairKey;
                Ok(event(start, end, Kind::MappingStart(Marks { anchor: None, tag: None, flow: true })))
            }
            _ => {
                self.states.push(ParserState::FlowSequence { first: false });
                self.node(NodeContext::Flow)
            }
        }
    }

    fn pair_key(&mut self) -> EventResult<'t> {
        let key = self.scanner.take()?;
        if matches!(self.scanner.peek()?.kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
            self.state = ParserState::PairValue;
            return Ok(empty(key.end));
        }
        self.states.push(ParserState::PairValue);
        self.node(NodeContext::Flow)
    }

    fn pair_value(&mut self) -> EventResult<'t> {
        if !matches!(self.scanner.peek()?.kind, TokenKind::Value) {
            self.state = ParserState::PairEnd;
            return Ok(empty(self.scanner.peek()?.start));
        }
        let colon = self.scanner.take()?;
        if matches!(self.scanner.peek()?.kind, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
            self.state = ParserState::PairEnd;
            return Ok(empty(colon.end));
        }
        self.states.push(ParserState::PairEnd);
        self.node(NodeContext::Flow)
    }

    fn flow_key(&mut self, first: bool) -> EventResult<'t> {
        let is_yaml11 = self.is_yaml11();
        if !first && !matches!(self.scanner.peek()?.kind, TokenKind::FlowMappingEnd) {
            if !matches!(self.scanner.peek()?.kind, TokenKind::FlowEntry) {
                return Err(self.unexpected("while parsing a flow mapping", "expected ',' or '}', but got"));
            }
            self.scanner.take()?;
        }
        match self.scanner.peek()?.kind {
            TokenKind::FlowMappingEnd => self.close(Kind::MappingEnd),
            TokenKind::Key => {
                let key = self.scanner.take()?;
                if matches!(
                    self.scanner.peek()?.kind,
                    TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd
                ) {
                    self.state = ParserState::FlowValue;
                    return Ok(empty(key.end));
                }
                self.states.push(ParserState::FlowValue);
                self.node(NodeContext::Flow)
            }
            // A key of which nothing is written.
            TokenKind::Value if !is_yaml11 => {
                self.state = ParserState::FlowValue;
                Ok(empty(self.scanner.peek()?.start))
            }
            _ => {
                self.states.push(ParserState::FlowNoValue);
                self.node(NodeContext::Flow)
            }
        }
    }

    fn flow_value(&mut self) -> EventResult<'t> {
        if !matches!(self.scanner.peek()?.kind, TokenKind::Value) {
            self.state = ParserState::FlowKey { first: false };
            return Ok(empty(self.scanner.peek()?.start));
        }
        let colon = self.scanner.take()?;
        if matches!(self.scanner.peek()?.kind, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
            self.state = ParserState::FlowKey { first: false };
            return Ok(empty(colon.end));
        }
        self.states.push(ParserState::FlowKey { first: false });
        self.node(NodeContext::Flow)
    }
}

fn default_handles<'t>() -> HashMap<&'t str, Cow<'t, str>> {
    [("!", "!"), YAML_HANDLE].into_iter().map(|(handle, prefix)| (handle, Cow::Borrowed(prefix))).collect()
}

fn event(start: Mark, end: Mark, kind: Kind<'_>) -> Event<'_> {
    Event { at: start.position(), extent: (start.at as u64, end.at as u64), kind }
}

/// A node of which nothing is written.
fn empty<'t>(mark: Mark) -> Event<'t> {
    let marks = Marks { anchor: None, tag: None, flow: false };
    event(mark, mark, Kind::Scalar(Scalar { marks, text: Cow::Borrowed(""), quoted: false, plain: true, block: false }))
}
