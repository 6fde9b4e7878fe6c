//! Parses a path.

use hieratic_diagnostics::{Source, Span};
use hieratic_python_values as python;

use super::{Key, Modifier, Path, Segment, Test};
use crate::ExpressionError;

/// The maximum nesting depth of filters.
const MAX_DEPTH: usize = 100;

/// The maximum length of a path in bytes.
const MAX_LENGTH: usize = 1 << 16;

impl Path {
    /// Parses the part of a source that is a path.
    pub(crate) fn parse(source: &Source, span: Span) -> Result<Path, ExpressionError> {
        let span = source.clamp(span);
        let text = source.slice(span);
        if text.len() > MAX_LENGTH {
            return Err(ExpressionError::limit(format!("the expression is longer than {MAX_LENGTH} bytes")));
        }
        let mut parser = Parser { text, at: 0, base: span.first() };
        let written = parser.path(None, 0).map_err(|(error, place)| error.at(source, place))?;
        if let [only] = &written[..]
            && only.key == Key::None
            && only.filters.is_empty()
            && !text.contains("::")
        {
            return Err(nothing(only).at(source, span));
        }
        let segments = super::lower::path(&written).into();
        Ok(Path { source: source.clone(), span, written, segments })
    }
}

/// Creates the error for a path without a target.
fn nothing(segment: &Segment) -> ExpressionError {
    let message = match (&segment.test, segment.modifier) {
        (Some(_), _) => "the left side of the comparison is missing",
        (None, Modifier::None) => "the expression is empty",
        (None, _) => "the expression selects nothing",
    };
    ExpressionError::syntax(message).help("'.' is the instance itself, '::' all instances by name")
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// The offset of the text in its source.
    base: usize,
}

/// An error with its position.
type PositionedError = (ExpressionError, Span);

impl<'t> Parser<'t> {
    /// Reads steps to the end, or, if a bracket is open (there), to the one that closes it.
    fn path(&mut self, open: Option<usize>, depth: usize) -> Result<Vec<Segment>, PositionedError> {
        if depth > MAX_DEPTH {
            let error = ExpressionError::limit(format!("filters nest deeper than {MAX_DEPTH} levels"));
            return Err((error, self.span(self.at, self.at + 1)));
        }
        let mut segments: Vec<Segment> = Vec::new();
        loop {
            self.steps(&mut segments, open.is_some())?;
            let bracket = self.at;
            match self.text.as_bytes().get(self.at) {
                Some(b'[') => {
                    self.at += 1;
                    let filter = self.path(Some(bracket), depth + 1)?;
                    let end = self.at;
                    let span = self.span(bracket, end);
                    match segments.last_mut() {
                        Some(last) if last.filters.len() >= MAX_DEPTH => {
                            return Err((
                                ExpressionError::limit(format!("a step has more than {MAX_DEPTH} filters")),
                                span,
                            ));
                        }
                        Some(last) => {
                            last.filters.push(filter);
                            last.span.end = span.end;
                        }
                        None => segments.push(Segment { filters: vec![filter], ..Segment::empty(span) }),
                    }
                }
                Some(_) if open.is_some() => {
                    self.at += 1;
                    return Ok(ended(segments));
                }
                Some(_) => {
                    let error = ExpressionError::syntax("the ']' closes no '['").help("write the filter as '[path]'");
                    return Err((error, self.span(bracket, bracket + 1)));
                }
                None => match open {
                    None => return Ok(ended(segments)),
                    Some(open) => {
                        let error = ExpressionError::syntax("the '[' is never closed").help("add ']' after the filter");
                        return Err((error, self.span(open, open + 1)));
                    }
                },
            }
        }
    }

    /// Parses the steps before the next bracket.
    fn steps(&mut self, segments: &mut Vec<Segment>, in_filter: bool) -> Result<(), PositionedError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let chunk = rest.get(..rest.find(['[', ']']).unwrap_or(rest.len())).unwrap_or_default();
        // Text after a filter belongs to the filtered step; otherwise it is a separate step.
        let mut after = segments.last().is_some_and(|last| !last.filters.is_empty());
        let mut start = self.at;
        for part in chunk.split("::") {
            let span = self.span(start, start + part.len());
            match segments.last_mut().filter(|_| std::mem::take(&mut after)) {
                Some(_) if part.is_empty() => {}
                Some(last) => suffix(last, part, span).map_err(|error| (error, span))?,
                None => {
                    let head = in_filter && segments.is_empty();
                    segments.push(segment(part, head, span));
                }
            }
            start += part.len() + 2;
        }
        self.at += chunk.len();
        Ok(())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start, self.base + end)
    }
}

/// The steps of a whole path: nothing follows the last.
fn ended(mut segments: Vec<Segment>) -> Vec<Segment> {
    if let Some(last) = segments.last_mut() {
        last.apart = false;
    }
    segments
}

/// Parses the text after a filter: a comparison, a question mark, or only whitespace.
fn suffix(last: &mut Segment, text: &str, span: Span) -> Result<(), ExpressionError> {
    let more = segment(text, false, span);
    if more.key != Key::None || more.modifier == Modifier::Not {
        return Err(ExpressionError::syntax(format!("unexpected '{}' after a filter", python::strip(text)))
            .help("write '::' before the next step"));
    }
    if more.test.is_some() {
        last.test = more.test;
    }
    if more.modifier != Modifier::None {
        last.modifier = more.modifier;
    }
    last.apart = true;
    last.span.end = more.span.end.max(last.span.end);
    Ok(())
}

/// Parses a step without its filters. At the head of a filter, `!` negates the filter, also in `!=x`.
fn segment(text: &str, head: bool, span: Span) -> Segment {
    let stripped = python::strip(text);
    let start = span.first() + (text.len() - text.trim_start_matches(python::is_white).len()).min(text.len());
    let span = Span::new(start, start + stripped.len());
    let unkeyed = !head && stripped.starts_with("!=");
    let (body, modifier) = if let Some(rest) = stripped.strip_prefix('!').filter(|_| !unkeyed) {
        (rest, Modifier::Not)
    } else if let Some(rest) = stripped.strip_suffix('?') {
        (rest, Modifier::First)
    } else {
        (stripped, Modifier::None)
    };
    let (name, test) = match body.split_once('=') {
        None => (body, None),
        Some((before, text)) => match before.strip_suffix('!') {
            Some(before) => (before, Some(Test { differs: true, text: text.into() })),
            None => (before, Some(Test { differs: false, text: text.into() })),
        },
    };
    Segment { key: key(name), modifier, test, ..Segment::empty(span) }
}

fn key(name: &str) -> Key {
    if name.is_empty() {
        Key::None
    } else if name == "*" {
        Key::All
    } else if let Some(variable) = name.strip_prefix('$') {
        Key::Variable(variable.into())
    } else if let Some(index) = python::parse_int(name, 10) {
        // No list is that long, so a larger index is equivalent.
        Key::Index(i64::try_from(&index).unwrap_or(i64::MAX))
    } else {
        Key::Name(name.into())
    }
}
