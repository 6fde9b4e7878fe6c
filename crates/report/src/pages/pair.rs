//! [`pair`]: a part of a value in base and head, side by side, with the difference marked.

use std::ops::Range;

use crate::rows::texts_of_sides;
use crate::{Line, Place, Row, Sign, rows};
use hieratic::diagnostics::render::visible_line;
use hieratic_impact::{Diff, Side};
use maud::{Markup, html};

/// A part of a value on one side.
#[derive(Clone, Copy, Debug)]
pub struct SideText<'s> {
    /// The part and its value, on one line.
    pub text: &'s str,
    /// The origin of the part.
    pub origin: Option<&'s str>,
    /// The address of the origin.
    pub address: Option<&'s str>,
}

/// Returns the address of a line of a file on a side; `None` if there is no page of it.
pub type LineAddress<'a> = &'a dyn Fn(Side, &Place) -> Option<String>;

/// Renders a part of a value on both sides. The common prefix and suffix are not marked.
pub fn pair(sides: Diff<Option<SideText<'_>>>) -> Markup {
    let marked = sides.both().and_then(|both| differing(both.map(|side| side.text)));
    let marked = marked.map_or(Diff::default(), |marked| marked.map(Some));
    // A part of one side alone takes the place of both.
    let is_alone = sides.both().is_none();
    html! {
        div.sides.one[is_alone] {
            @for (side, (text, marked)) in sides.zip(marked).sides() {
                @match (text, side) {
                    (None, _) => {},
                    (Some(text), Side::Base) => {
                        div { pre { del.lost { "− " (mark(text.text, marked)) } } (from(text)) }
                    },
                    (Some(text), Side::Head) => {
                        div { pre { ins.added { "+ " (mark(text.text, marked)) } } (from(text)) }
                    },
                }
            }
        }
    }
}

/// Marks the difference of two strings. Strings with little in common are not marked.
pub fn marked(texts: Diff<&str>) -> Diff<Markup> {
    let ranges = differing(texts).map_or(Diff::default(), |ranges| ranges.map(Some));
    texts.zip(ranges).map(|(text, range)| mark(text, range))
}

/// A string with a range of it marked.
fn mark(text: &str, marked: Option<Range<usize>>) -> Markup {
    let parts =
        marked.and_then(|Range { start, end }| Some((text.get(..start)?, text.get(start..end)?, text.get(end..)?)));
    html! {
        @match parts {
            Some((before, middle, after)) if !middle.is_empty() => { (before) mark { (middle) } (after) },
            _ => (text),
        }
    }
}

fn from(text: SideText<'_>) -> Markup {
    html! {
        @match (text.origin, text.address) {
            (Some(origin), Some(address)) => p.from { a href=(address) rel="noreferrer" { (visible_line(origin)) } },
            (Some(origin), None) => p.from { (visible_line(origin)) },
            (None, _) => {},
        }
    }
}

/// Returns the range of each of two strings that differs; `None` if they have little in common.
fn differing(Diff { base, head }: Diff<&str>) -> Option<Diff<Range<usize>>> {
    let same = base.chars().zip(head.chars()).take_while(|(one, other)| one == other);
    let start: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let (base_rest, head_rest) = (base.get(start..)?, head.get(start..)?);
    let same = base_rest.chars().rev().zip(head_rest.chars().rev()).take_while(|(one, other)| one == other);
    let end: usize = same.map(|(c, _)| c.len_utf8()).sum();
    // A single common letter means nothing: `true` and `false` have the same ending.
    let is_much = (start + end) * 3 >= base.len().min(head.len());
    (is_much && start + end > 0).then(|| Diff { base, head }.map(|text| start..text.len() - end))
}

/// Renders the changed parts of a value: base and head side by side, strings with several lines line by line.
pub fn lines(lines: &[Line], address: LineAddress<'_>) -> Markup {
    let mut out = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        let is_other = |other: &&Line| {
            (line.side, other.side) == (Side::Base, Side::Head)
                && (other.path == line.path || other.is_moved && line.is_moved)
        };
        let other = after.first().filter(is_other);
        let (group, after) = rest.split_at(1 + usize::from(other.is_some()));
        rest = after;
        out.push(match other {
            Some(other) => {
                let rows = rows(group);
                if rows.iter().any(|row| row.sign == Sign::Context) {
                    text(&rows)
                } else {
                    sides(Diff { base: Some(line), head: Some(other) }, address)
                }
            }
            None => match line.side {
                Side::Base => sides(Diff { base: Some(line), head: None }, address),
                Side::Head => sides(Diff { base: None, head: Some(line) }, address),
            },
        });
    }
    html! { @for part in &out { (part) } }
}

fn sides(lines: Diff<Option<&Line>>, address: LineAddress<'_>) -> Markup {
    let texts = texts_of_sides(lines).zip(lines).map(|(text, line)| {
        let line = line?;
        let address = line.place.as_ref().and_then(|place| address(line.side, place));
        Some((text?, line.origin.as_deref(), address))
    });
    pair(texts.as_ref().map(|text| {
        let (text, origin, address) = text.as_ref()?;
        Some(SideText { text, origin: *origin, address: address.as_deref() })
    }))
}

/// Renders a string of several lines.
fn text(rows: &[Row<'_>]) -> Markup {
    html! {
        pre.text {
            @for Row { sign, text, origin } in rows {
                @match sign {
                    Sign::Removed => del.lost { "− " (text) },
                    Sign::Added => ins.added { "+ " (text) },
                    Sign::Context => { "  " (text) },
                }
                @if let Some(origin) = origin { "  " span.dim { (visible_line(origin)) } }
                "\n"
            }
        }
    }
}
