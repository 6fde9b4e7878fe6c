//! The events of a YAML stream, from libyaml translated to Rust, or read directly if the source is
//! [simple](super::simple).
//!
//! The interface of `unsafe-libyaml` is that of the C library: raw pointers and manual release. This module is the only
//! one of the crate that uses it, and returns safe events. The invariants are written at each `unsafe`.
//!
//! The events also serve dialects of YAML other than Ruby's:
//!
//! ```
//! use hieratic_yaml::events::{Events, Kind};
//!
//! let mut events = Events::new(b"[1]");
//! let mut scalars = 0;
//! loop {
//!     match events.next().map_err(|problem| problem.problem)?.kind {
//!         Kind::StreamEnd => break,
//!         Kind::Scalar(scalar) => scalars += scalar.text.len(),
//!         _ => {}
//!     }
//! }
//! assert_eq!(scalars, 1);
//! # Ok::<(), String>(())
//! ```
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use unsafe_libyaml as unsafe_yaml;

use super::fast;
use hieratic_source::Position;

/// An event and its position.
pub struct Event<'e> {
    /// The position of the start.
    pub at: Position,
    /// The byte offsets of the start and the end. (This translation of libyaml counts bytes; the C library counts
    /// characters.)
    pub extent: (u64, u64),
    /// The kind of the event.
    pub kind: Kind<'e>,
}

/// The kinds of events.
pub enum Kind<'e> {
    /// A document begins.
    DocumentStart,
    /// A document ends.
    DocumentEnd,
    /// The stream ends.
    StreamEnd,
    /// An alias of the node with this anchor.
    Alias(Cow<'e, str>),
    /// A scalar.
    Scalar(Scalar<'e>),
    /// A sequence begins.
    SequenceStart(Marks<'e>),
    /// A sequence ends.
    SequenceEnd,
    /// A mapping begins. Keys and values alternate.
    MappingStart(Marks<'e>),
    /// A mapping ends.
    MappingEnd,
    /// The start of the stream, which is ignored.
    Other,
}

/// A scalar.
pub struct Scalar<'e> {
    /// Its anchor and tag.
    pub marks: Marks<'e>,
    /// The content.
    pub text: Cow<'e, str>,
    /// Whether it is quoted or a block scalar, without a tag, so that it is always a string.
    pub quoted: bool,
    /// Whether it is a plain scalar.
    pub plain: bool,
    /// Whether it is a block scalar, after `|` or `>`.
    pub block: bool,
}

/// The anchor and the tag of a node.
pub struct Marks<'e> {
    /// The anchor.
    pub anchor: Option<Cow<'e, str>>,
    /// The tag, with the prefix of its handle.
    pub tag: Option<Cow<'e, str>>,
    /// Whether it is a flow collection.
    pub flow: bool,
}

/// A syntax error of libyaml.
pub struct Problem {
    /// The problem without its context.
    pub problem: String,
    /// The stage that found the problem.
    pub stage: Stage,
    /// The problem with its context, as in Psych.
    pub text: String,
    /// The position that Psych reports: the start of the context.
    pub reported: Position,
    /// The position of the problem itself.
    pub at: Position,
}

/// The stages of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The source has bytes or characters that YAML does not allow.
    Reader,
    /// The characters are not valid tokens.
    Scanner,
    /// The tokens are not a valid document.
    Parser,
}

/// The events of a source.
pub struct Events<'a> {
    reader: EventSource<'a>,
    // The parser reads from it all along.
    source: &'a [u8],
}

/// The source of the events.
enum EventSource<'a> {
    /// They are found already.
    Simple(&'a str, std::vec::IntoIter<fast::Token>),
    Library(Library),
}

/// libyaml, at work.
struct Library {
    // On the heap because the parser points into itself.
    parser: Box<MaybeUninit<unsafe_yaml::yaml_parser_t>>,
    // The last event that was returned; libyaml allocated the memory that it points to.
    event: Option<unsafe_yaml::yaml_event_t>,
}

impl<'a> Events<'a> {
    /// Creates the events of a UTF-8 source.
    pub fn new(source: &'a [u8]) -> Self {
        match fast::read(source) {
            Some((text, tokens)) => Events { reader: EventSource::Simple(text, tokens.into_iter()), source },
            None => Events::of_library(source),
        }
    }

    /// The events that libyaml finds.
    fn of_library(source: &'a [u8]) -> Self {
        let mut parser = Box::new(MaybeUninit::<unsafe_yaml::yaml_parser_t>::uninit());
        let pointer = parser.as_mut_ptr();
        // SAFETY: `pointer` is valid and aligned for writing; initializing makes the whole structure valid and fails
        // only when memory runs out, which the crate's allocator turns into an abort. `source` outlives the parser by
        // the lifetime of `Events`, and the parser only reads it. Psych declares its strings as UTF-8 to libyaml, so
        // that a byte order mark is part of the source and UTF-16 is an error.
        unsafe {
            let _ = unsafe_yaml::yaml_parser_initialize(pointer);
            unsafe_yaml::yaml_parser_set_encoding(pointer, unsafe_yaml::YAML_UTF8_ENCODING);
            unsafe_yaml::yaml_parser_set_input_string(pointer, source.as_ptr(), source.len() as u64);
        }
        Events { reader: EventSource::Library(Library { parser, event: None }), source }
    }

    /// Returns the next event. It borrows from the parser.
    ///
    /// Do not call it after an error or the end of the stream.
    ///
    /// # Errors
    ///
    /// The source is not valid YAML.
    #[allow(clippy::should_implement_trait, reason = "an event borrows from the parser, which iterators cannot say")]
    pub fn next(&mut self) -> Result<Event<'_>, Problem> {
        match &mut self.reader {
            EventSource::Simple(text, tokens) => Ok(event_of(tokens.next(), text)),
            EventSource::Library(library) => library.next(self.source),
        }
    }
}

/// An event that was found already.
fn event_of(token: Option<fast::Token>, source: &str) -> Event<'_> {
    let Some(fast::Token { kind, at, extent: (start, end), anchor, text }) = token else {
        return Event { at: Position::START, extent: (0, 0), kind: Kind::StreamEnd };
    };
    // No extent ends within a character.
    let between = |start: u32, end: u32| source.get(start as usize..end as usize).unwrap_or_default();
    let string = |start, end| Cow::Borrowed(between(start, end));
    let marks = |flow| Marks { anchor: (anchor.0 < anchor.1).then(|| string(anchor.0, anchor.1)), tag: None, flow };
    let (plain, quoted, block) = ((true, false, false), (false, true, false), (false, true, true));
    let scalar =
        |(plain, quoted, block), text| Kind::Scalar(Scalar { marks: marks(false), text, quoted, plain, block });
    let text = start + text;
    let kind = match kind {
        fast::FastKind::StreamStart => Kind::Other,
        fast::FastKind::DocumentStart => Kind::DocumentStart,
        fast::FastKind::DocumentEnd => Kind::DocumentEnd,
        fast::FastKind::StreamEnd => Kind::StreamEnd,
        fast::FastKind::Plain => scalar(plain, string(text, end)),
        fast::FastKind::Folded => scalar(plain, fast::folded(between(text, end)).into()),
        fast::FastKind::Quoted { escapes: false } => scalar(quoted, string(text + 1, end - 1)),
        fast::FastKind::Quoted { escapes: true } => scalar(quoted, fast::unescaped(between(text, end)).into()),
        fast::FastKind::Literal { indent, strips } => {
            scalar(block, fast::block_text(between(text, end), indent as usize, strips).into())
        }
        fast::FastKind::Alias => Kind::Alias(string(start + 1, end)),
        fast::FastKind::SequenceStart { flow } => Kind::SequenceStart(marks(flow)),
        fast::FastKind::SequenceEnd => Kind::SequenceEnd,
        fast::FastKind::MappingStart { flow } => Kind::MappingStart(marks(flow)),
        fast::FastKind::MappingEnd => Kind::MappingEnd,
    };
    Event { at, extent: (start.into(), end.into()), kind }
}

impl Library {
    fn next(&mut self, source: &[u8]) -> Result<Event<'_>, Problem> {
        self.release();
        let mut event = MaybeUninit::<unsafe_yaml::yaml_event_t>::uninit();
        // SAFETY: the parser was initialized in `of_library` and is not moved (boxed). When parsing succeeds the event is
        // fully written; when it fails the event is not looked at.
        let event = unsafe {
            if unsafe_yaml::yaml_parser_parse(self.parser.as_mut_ptr(), event.as_mut_ptr()).fail {
                return Err(self.problem(source));
            }
            event.assume_init()
        };
        let event = self.event.insert(event);
        let at = position(event.start_mark);
        let extent = (event.start_mark.index, event.end_mark.index);
        // SAFETY: for each type of event libyaml has set the member of the union that belongs to it; its pointers are
        // null or valid until the event is deleted, which needs `&mut self` and so the end of the returned borrow.
        let kind = unsafe {
            match event.type_ {
                unsafe_yaml::YAML_SCALAR_EVENT => {
                    let scalar = &event.data.scalar;
                    let bytes = std::slice::from_raw_parts(scalar.value, scalar.length as usize);
                    Kind::Scalar(Scalar {
                        marks: Marks { anchor: string(scalar.anchor), tag: string(scalar.tag), flow: false },
                        text: String::from_utf8_lossy(bytes),
                        quoted: scalar.quoted_implicit,
                        plain: scalar.style == unsafe_yaml::YAML_PLAIN_SCALAR_STYLE,
                        block: scalar.style == unsafe_yaml::YAML_LITERAL_SCALAR_STYLE
                            || scalar.style == unsafe_yaml::YAML_FOLDED_SCALAR_STYLE,
                    })
                }
                unsafe_yaml::YAML_SEQUENCE_START_EVENT => {
                    let start = &event.data.sequence_start;
                    let flow = start.style == unsafe_yaml::YAML_FLOW_SEQUENCE_STYLE;
                    Kind::SequenceStart(Marks { anchor: string(start.anchor), tag: string(start.tag), flow })
                }
                unsafe_yaml::YAML_MAPPING_START_EVENT => {
                    let start = &event.data.mapping_start;
                    let flow = start.style == unsafe_yaml::YAML_FLOW_MAPPING_STYLE;
                    Kind::MappingStart(Marks { anchor: string(start.anchor), tag: string(start.tag), flow })
                }
                unsafe_yaml::YAML_ALIAS_EVENT => Kind::Alias(string(event.data.alias.anchor).unwrap_or_default()),
                unsafe_yaml::YAML_SEQUENCE_END_EVENT => Kind::SequenceEnd,
                unsafe_yaml::YAML_MAPPING_END_EVENT => Kind::MappingEnd,
                unsafe_yaml::YAML_DOCUMENT_START_EVENT => Kind::DocumentStart,
                unsafe_yaml::YAML_DOCUMENT_END_EVENT => Kind::DocumentEnd,
                unsafe_yaml::YAML_STREAM_END_EVENT | unsafe_yaml::YAML_NO_EVENT => Kind::StreamEnd,
                _ => Kind::Other,
            }
        };
        Ok(Event { at, extent, kind })
    }

    fn problem(&self, source: &[u8]) -> Problem {
        // SAFETY: the parser was initialized in `of_library`.
        let parser = unsafe { self.parser.assume_init_ref() };
        // SAFETY: libyaml's messages are null or string constants that end in a zero byte.
        let (problem, context) = unsafe { (message(parser.problem), message(parser.context)) };
        let text = [problem, context].into_iter().flatten().collect::<Vec<_>>().join(" ");
        // A misspelling of the C library is part of the message that users search for. The translation fixed it.
        let mend = |text: &str| text.replace("hexadecimal", "hexdecimal");
        let text = mend(&text);
        let stage = match parser.error {
            unsafe_yaml::YAML_READER_ERROR => Stage::Reader,
            unsafe_yaml::YAML_SCANNER_ERROR => Stage::Scanner,
            _ => Stage::Parser,
        };
        let at = match parser.error {
            unsafe_yaml::YAML_READER_ERROR => Position::at_offset(source, parser.problem_offset as usize),
            _ => position(parser.problem_mark),
        };
        Problem { problem: mend(problem.unwrap_or_default()), stage, text, reported: position(parser.context_mark), at }
    }

    fn release(&mut self) {
        if let Some(mut event) = self.event.take() {
            // SAFETY: libyaml wrote this event, it was not deleted before (it was taken out), and nothing borrows it.
            unsafe { unsafe_yaml::yaml_event_delete(&mut event) }
        }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        self.release();
        // SAFETY: the parser was initialized in `of_library` and is deleted only here.
        unsafe { unsafe_yaml::yaml_parser_delete(self.parser.as_mut_ptr()) }
    }
}

/// An anchor or a tag.
///
/// # Safety
/// `pointer` is null, or ends in a zero byte and lives as long as `'e`.
unsafe fn string<'e>(pointer: *const u8) -> Option<Cow<'e, str>> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    let text = unsafe { CStr::from_ptr(pointer.cast::<c_char>()) };
    // Escapes in tags are not checked by libyaml to make sense.
    Some(text.to_string_lossy())
}

/// A message of libyaml.
///
/// # Safety
/// `pointer` is null or a constant that ends in a zero byte. unsafe-libyaml's `char` has a sign on every processor, that of
/// the system only on some.
unsafe fn message(pointer: *const i8) -> Option<&'static str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(pointer.cast::<c_char>()) }.to_str().ok()
}

fn position(mark: unsafe_yaml::yaml_mark_t) -> Position {
    let number = |from_zero: u64| u32::try_from(from_zero.saturating_add(1)).unwrap_or(u32::MAX);
    Position { line: number(mark.line), column: number(mark.column) }
}

#[cfg(test)]
mod tests;
