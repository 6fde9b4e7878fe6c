//! The lines of a source that labels are on, cut to a displayable size.
//!
//! A source may be a file of gigabytes: only the lines near the labels are read. The start of a line is included unless
//! it is very long, because columns refer to the displayed line, which is later cut to the width of the terminal. A
//! file may be a single line with any number of findings: the excerpt of each is bounded.

use std::ops::Range;

use super::control_chars::visible;
use crate::{Label, Position, Source, Span};

/// Labels that are further apart are shown as two excerpts, and of a span over more lines only the first is shown.
const MOST_LINES: u32 = 200;
/// The number of bytes of a line that are shown after its last label.
const BEHIND_LABELS: usize = 1000;
/// Labels of one line that are further apart are shown as two excerpts, and a line is cut before a label that is further in.
const FAR: usize = 4096;
/// The number of bytes of a long line that are shown before its first label.
const BEFORE_LABELS: usize = 200;
/// The mark of a cut.
const CUT: &str = "...";

/// Some lines of one source with the labels on them.
pub(super) struct Excerpt<'a> {
    source: &'a Source,
    /// The labels, with the bytes of the source that they are on.
    labels: Vec<(&'a Label, Range<usize>)>,
    /// The first and the last line.
    lines: (u32, u32),
}

/// An excerpt as it is shown.
pub(super) struct RenderedExcerpt {
    /// The lines, with control characters made visible.
    pub(super) text: String,
    /// The ranges of the labels in this excerpt, in their order.
    pub(super) ranges: Vec<Range<usize>>,
}

impl<'a> Excerpt<'a> {
    /// The excerpts that show all labels, the first with the primary one.
    pub(super) fn from_labels(labels: &'a [Label]) -> Vec<Excerpt<'a>> {
        let (primary, related): (Vec<&Label>, Vec<&Label>) = labels.iter().partition(|label| label.primary);
        let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
        for label in primary.into_iter().chain(related) {
            let (span, lines) = extent(label);
            let is_near = |excerpt: &&mut Excerpt<'a>| {
                excerpt.source == &label.source && excerpt.is_near(lines) && !excerpt.is_far_along(&span, lines)
            };
            match excerpts.iter_mut().find(is_near) {
                Some(excerpt) => {
                    excerpt.lines = (excerpt.lines.0.min(lines.0), excerpt.lines.1.max(lines.1));
                    excerpt.labels.push((label, span));
                }
                None => excerpts.push(Excerpt { source: &label.source, labels: vec![(label, span)], lines }),
            }
        }
        excerpts
    }

    fn is_near(&self, (first, last): (u32, u32)) -> bool {
        self.lines.1.max(last) - self.lines.0.min(first) < MOST_LINES
    }

    /// Returns whether a label is far from another one on the same line.
    fn is_far_along(&self, span: &Range<usize>, (first, _): (u32, u32)) -> bool {
        let is_far = |other: &Range<usize>| {
            other.start.abs_diff(span.start) > FAR && self.source.position(other.start).line == first
        };
        self.labels.iter().any(|(_, other)| is_far(other))
    }

    pub(super) fn source(&self) -> &'a Source {
        self.source
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = &'a Label> {
        self.labels.iter().map(|(label, _)| *label)
    }

    /// The number of the first line.
    pub(super) fn first_line(&self) -> u32 {
        self.lines.0
    }

    /// The real position of the primary label, if a redaction or a cut before it in its line moves the columns of the
    /// excerpt.
    pub(super) fn displaced_position(&self) -> Option<Position> {
        let (_, span) = self.labels.iter().find(|(label, _)| label.primary).or_else(|| self.labels.first())?;
        let place = self.source.position(span.start);
        let line = self.source.line(place.line).range();
        (self.visible_range(&line).start > line.start || self.source.is_redacted(line.start, span.start))
            .then_some(place)
    }

    /// The lines and the labels in them, ready to be drawn.
    pub(super) fn render(&self) -> RenderedExcerpt {
        let mut text = String::new();
        let mut ranges = vec![0..0; self.labels.len()];
        for number in self.lines.0..=self.lines.1 {
            if number > self.lines.0 {
                text.push('\n');
            }
            let line = self.source.line(number).range();
            let kept = self.visible_range(&line);
            if kept.start > line.start {
                text.push_str(CUT);
            }
            let from = text.len();
            let slice = |end: usize| visible(&self.source.displayed(kept.start, end));
            text.push_str(&slice(kept.end));
            // A label in the line end is shown after the last character.
            let shown_at = |offset: usize| from + slice(offset.clamp(kept.start, kept.end)).len();
            for ((_, span), range) in self.labels.iter().zip(&mut ranges) {
                if self.source.position(span.start).line == number {
                    range.start = shown_at(self.source.before_redaction(span.start));
                }
                if self.source.position(last_byte(span)).line == number {
                    range.end = shown_at(span.end).max(range.start);
                }
            }
            if kept.end < line.end {
                text.push_str(CUT);
            }
        }
        RenderedExcerpt { text, ranges }
    }

    /// The part of a line that is shown.
    fn visible_range(&self, line: &Range<usize>) -> Range<usize> {
        let on_line = |offset: &usize| (line.start..=line.end).contains(offset);
        let marked = || self.labels.iter().flat_map(|(_, span)| [span.start, span.end]).filter(on_line);
        let first = marked().min().unwrap_or(line.start);
        let start = if first - line.start > FAR {
            // A cut never splits a redacted span.
            self.source.before_redaction(first - BEFORE_LABELS).max(line.start)
        } else {
            line.start
        };
        // A label may be as long as the line.
        let last = marked().max().unwrap_or(line.start).min(first.saturating_add(FAR));
        let end = last.saturating_add(BEHIND_LABELS).min(line.end);
        self.source.clamp(Span::new(start, end)).range()
    }
}

/// The part of a label's source that can be shown, and its first and last line.
fn extent(label: &Label) -> (Range<usize>, (u32, u32)) {
    let source = &label.source;
    let mut span = source.clamp(label.span).range();
    let first = source.position(span.start).line;
    let mut last = source.position(last_byte(&span)).line;
    if last - first >= MOST_LINES {
        span.end = source.line(first).range().end.max(span.start);
        last = first;
    }
    (span, (first, last))
}

/// A span that ends with a newline does not reach into the next line.
fn last_byte(span: &Range<usize>) -> usize {
    span.end.saturating_sub(1).max(span.start)
}
