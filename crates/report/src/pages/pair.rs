//! [`pair`]: a part of a value before and after, side by side, with what differs in it marked.

use crate::{Line, Row, Sign, rows};
use hieratic::diagnostics::render::visible_line;
use maud::{Markup, html};

/// A part of a value on one side.
#[derive(Clone, Copy, Debug)]
pub struct Side<'s> {
    /// The part and its value, on one line.
    pub text: &'s str,
    /// The origin of the part.
    pub origin: Option<&'s str>,
}

/// Renders a part of a value on both sides. The common prefix and suffix are not marked.
pub fn pair(sides: [Option<Side<'_>>; 2]) -> Markup {
    let marked = match sides {
        [Some(base), Some(head)] => differing(base.text, head.text),
        _ => None,
    };
    let texts = |side: usize, text: &str| -> Markup {
        let range = marked.and_then(|(start, ends)| {
            Some((text.get(..start)?, text.get(start..ends[side])?, text.get(ends[side]..)?))
        });
        html! {
            @match range {
                Some((before, middle, after)) if !middle.is_empty() => { (before) mark { (middle) } (after) },
                _ => (text),
            }
        }
    };
    html! {
        div.sides {
            @for (index, side) in sides.iter().enumerate() {
                @match (side, index) {
                    (None, _) => p.dim.none { "—" },
                    (Some(side), 0) => div { pre { del.lost { "− " (texts(0, side.text)) } } (from(side.origin)) },
                    (Some(side), _) => div { pre { ins.added { "+ " (texts(1, side.text)) } } (from(side.origin)) },
                }
            }
        }
    }
}

fn from(origin: Option<&str>) -> Markup {
    html! { @if let Some(origin) = origin { p.from { (visible_line(origin)) } } }
}

/// Returns the offset at which two strings begin to differ, and the offset in each at which the difference ends; `None`
/// if they have little in common.
fn differing(base: &str, head: &str) -> Option<(usize, [usize; 2])> {
    let same = base.chars().zip(head.chars()).take_while(|(one, other)| one == other);
    let start: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let rests = [base.get(start..)?, head.get(start..)?];
    let same = rests[0].chars().rev().zip(rests[1].chars().rev()).take_while(|(one, other)| one == other);
    let end: usize = same.map(|(c, _)| c.len_utf8()).sum();
    // A single common letter means nothing: `true` and `false` have the same ending.
    let is_much = (start + end) * 3 >= base.len().min(head.len());
    (is_much && start + end > 0).then(|| (start, [base.len() - end, head.len() - end]))
}

/// Renders the parts of a value that differ: base and head next to each other, strings of several lines line by line.
pub fn lines(lines: &[Line]) -> Markup {
    let mut out = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        let other = after.first().filter(|other| !line.is_head && other.is_head && other.path == line.path);
        let (group, after) = rest.split_at(1 + usize::from(other.is_some()));
        rest = after;
        out.push(match other {
            Some(other) => {
                let rows = rows(group);
                match rows.iter().any(|row| row.sign == Sign::Around) {
                    true => text(&rows),
                    false => sides([Some(line), Some(other)]),
                }
            }
            None if line.is_head => sides([None, Some(line)]),
            None => sides([Some(line), None]),
        });
    }
    html! { @for part in &out { (part) } }
}

fn sides(lines: [Option<&Line>; 2]) -> Markup {
    let texts = lines.map(|line| line.map(Line::text));
    let side = |index: usize| {
        let origin = lines[index]?.origin.as_deref();
        Some(Side { text: texts[index].as_deref()?, origin })
    };
    pair([side(0), side(1)])
}

/// Renders a string of several lines.
fn text(rows: &[Row<'_>]) -> Markup {
    html! {
        pre.text {
            @for Row { sign, text, origin } in rows {
                @match sign {
                    Sign::Removed => del.lost { "− " (text) },
                    Sign::Added => ins.added { "+ " (text) },
                    Sign::Around => { "  " (text) },
                }
                @if let Some(origin) = origin { "  " span.dim { (visible_line(origin)) } }
                "\n"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differences_are_marked() {
        let shown = |base, head| pair([base, head].map(|text| Some(Side { text, origin: None }))).into_string();
        let text = shown("port = 8080", "port = 8443");
        assert!(text.contains("port = 8<mark>080</mark>") && text.contains("port = 8<mark>443</mark>"), "{text}");
        let text = shown("a = \"ä1\"", "a = \"äö1\"");
        assert!(text.contains("+ a = &quot;ä<mark>ö</mark>1&quot;") && text.contains("− a = &quot;ä1&quot;"), "{text}");
        assert!(!shown("x", "y").contains("<mark>") && !shown("true", "false").contains("<mark>"));
        assert!(shown("<b>", "<i>").contains("&lt;<mark>b</mark>&gt;"));
        assert!(pair([None, Some(Side { text: "1", origin: Some("a:1") })]).into_string().contains("a:1"));
    }
}
