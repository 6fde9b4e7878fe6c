//! The lines of a source that labels are on, cut to what can be shown.
//!
//! A source may be a file of gigabytes; only the lines near the labels are ever looked at. The start of a line is kept even if it
//! is longer than the terminal is wide, for the columns that are shown are counted in what is drawn. Of a line that goes on for
//! pages only what is near its labels is kept, and where the first one begins is told besides.

use std::ops::Range;

use super::visible::visible;
use crate::{Label, Place, Source, Span};

/// Labels that are further apart are shown as two excerpts, and of a span over more lines only the first is shown.
const MOST_LINES: u32 = 200;
/// How many bytes of a line are kept behind its last label.
const BEHIND_LABELS: usize = 1000;
/// How many bytes of a line are kept before its first label, if it has more than [`LONG`] of them there.
const BEFORE_LABELS: usize = 1000;
/// How many bytes of a line before its first label are shown whole.
const LONG: usize = 4000;
/// What stands where a line was cut.
const CUT: &str = "...";

/// Some lines of one source with the labels on them.
pub(super) struct Excerpt<'a> {
    source: &'a Source,
    /// The labels, with spans that lie in the source.
    labels: Vec<(&'a Label, Span)>,
    /// The first and the last line.
    lines: (u32, u32),
}

/// An excerpt as it is shown.
pub(super) struct Shown {
    /// The lines, with control characters made visible.
    pub(super) text: String,
    /// Where each of the labels lies in this text, in their order.
    pub(super) ranges: Vec<Range<usize>>,
}

impl<'a> Excerpt<'a> {
    /// The excerpts that show all labels, the first with the primary one.
    pub(super) fn of(labels: &'a [Label]) -> Vec<Excerpt<'a>> {
        let (primary, related): (Vec<&Label>, Vec<&Label>) = labels.iter().partition(|label| label.primary);
        let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
        for label in primary.into_iter().chain(related) {
            let (span, lines) = extent(label);
            match excerpts.iter_mut().find(|excerpt| excerpt.source == &label.source && excerpt.is_near(lines)) {
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

    /// Where the primary label begins, if something before it in its line is hidden or cut, so that what is shown is moved.
    pub(super) fn moved(&self) -> Option<Place> {
        let (_, span) = self.labels.iter().find(|(label, _)| label.primary).or_else(|| self.labels.first())?;
        let place = self.source.place(span.start);
        let line = self.source.line(place.line);
        (self.kept(line).start > line.start || self.source.hides(line.start, span.start)).then_some(place)
    }

    /// The lines and the labels in them, ready to be drawn.
    pub(super) fn shown(&self) -> Shown {
        let mut text = String::new();
        let mut ranges = vec![0..0; self.labels.len()];
        for number in self.lines.0..=self.lines.1 {
            if number > self.lines.0 {
                text.push('\n');
            }
            let line = self.source.line(number);
            let kept = self.kept(line);
            if kept.start > line.start {
                text.push_str(CUT);
            }
            let from = text.len();
            let slice = |end: usize| visible(&self.source.shown(kept.start, end));
            text.push_str(&slice(kept.end));
            // What lies in the line's end is shown behind its last character.
            let shown_at = |offset: usize| from + slice(offset.clamp(kept.start, kept.end)).len();
            for ((_, span), range) in self.labels.iter().zip(&mut ranges) {
                if self.source.place(span.start).line == number {
                    range.start = shown_at(self.source.before_hidden(span.start));
                }
                if self.source.place(last_byte(*span)).line == number {
                    range.end = shown_at(span.end).max(range.start);
                }
            }
            if kept.end < line.end {
                text.push_str(CUT);
            }
        }
        Shown { text, ranges }
    }

    /// The part of a line that is kept.
    fn kept(&self, line: Span) -> Span {
        let on_line = |offset: &usize| (line.start..=line.end).contains(offset);
        let marked = || self.labels.iter().flat_map(|(_, span)| [span.start, span.end]).filter(on_line);
        let end = marked().max().unwrap_or(line.start).saturating_add(BEHIND_LABELS).min(line.end);
        let first = marked().min().unwrap_or(line.start);
        let start =
            if first - line.start > LONG { self.source.before_hidden(first - BEFORE_LABELS) } else { line.start };
        self.source.clamp(Span { start: start.max(line.start), end })
    }
}

/// The part of a label's source that can be shown, and its first and last line.
fn extent(label: &Label) -> (Span, (u32, u32)) {
    let source = &label.source;
    let mut span = source.clamp(label.span);
    let first = source.place(span.start).line;
    let mut last = source.place(last_byte(span)).line;
    if last - first >= MOST_LINES {
        span.end = source.line(first).end.max(span.start);
        last = first;
    }
    (span, (first, last))
}

/// A span that ends with a newline does not reach into the next line.
fn last_byte(span: Span) -> usize {
    span.end.saturating_sub(1).max(span.start)
}
