//! [`Row`]: the lines of a change, for all formats for people.

use std::borrow::Cow;
use std::collections::HashMap;

use hieratic::Value;
use hieratic::diagnostics::render::visible_line;
use hieratic::lookup::Origin;
use hieratic_impact::{Diff, Part, PartValue, Side};

use crate::notation::{part_path, part_text};
use crate::place::Place;
use crate::truncation::{truncate, truncate_both};
use crate::{LineDiff, counted};

/// A part of a value on one side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The side of the part.
    pub side: Side,
    /// The path of the part on its side: keys and indexes.
    pub path: Vec<Value>,
    /// The redacted value, or the message of an error.
    pub value: Value,
    /// Whether `value` is the message of an error.
    pub is_error: bool,
    /// Whether a part of the value is redacted.
    pub is_redacted: bool,
    /// Whether it is an element of an array that has moved. Other changes of the element are separate lines.
    pub is_moved: bool,
    /// The origin of the value.
    pub origin: Option<String>,
    /// The line that the origin names.
    pub place: Option<Place>,
}

/// Returns the lines of changed parts: for each part the line of the base, then the line of the head. `origin` formats
/// origins.
pub fn lines_of(parts: &[Part], origin: &dyn Fn(&Origin) -> String) -> Vec<Line> {
    let line = |part: &Part, side: Side, found: &Option<PartValue>| {
        let PartValue { value, origin: from, is_error, is_redacted } = found.as_ref()?;
        let path = part.moved_from.as_ref().filter(|_| side == Side::Base).unwrap_or(&part.path);
        let (origin, place) = from.as_ref().map(|from| described(from, origin(from))).unzip();
        Some(Line {
            side,
            path: path.clone(),
            value: value.clone(),
            is_error: *is_error,
            is_redacted: *is_redacted,
            is_moved: part.moved_from.is_some(),
            origin,
            place: place.flatten(),
        })
    };
    let both = |part: &Part| part.values.as_ref().sides().map(|(side, found)| line(part, side, found));
    parts.iter().flat_map(|part| both(part).into_iter().flatten()).collect()
}

/// An origin with its description, and the line that both name.
fn described(origin: &Origin, text: String) -> (String, Option<Place>) {
    let place = match origin {
        Origin::File { line, .. } => {
            let file = text.strip_suffix(&format!(":{line}"));
            file.map(|file| Place { file: file.to_owned(), line: *line })
        }
        _ => None,
    };
    (text, place)
}

/// A line of a diff: added, removed, or unchanged.
pub struct Row<'c> {
    /// The sign in front of the line.
    pub sign: Sign,
    /// The line, with control characters replaced.
    pub text: String,
    /// The origin of the line, unless it equals that of the previous line. Neighboring lines have a range.
    pub origin: Option<Cow<'c, str>>,
}

/// The side or sides that a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Only the base has the line.
    Removed,
    /// Only the head has the line.
    Added,
    /// Both sides have the line. It is context for the others.
    Context,
}

impl Sign {
    /// Returns the sign of a part that only one side has.
    pub fn from_side(side: Side) -> Sign {
        match side {
            Side::Base => Sign::Removed,
            Side::Head => Sign::Added,
        }
    }

    /// Returns the sign before the line.
    pub fn text(self) -> &'static str {
        match self {
            Sign::Removed => "-",
            Sign::Added => "+",
            Sign::Context => " ",
        }
    }
}

/// The most lines of a string that are shown.
const MOST_LINES: usize = 200;
/// The size of the largest strings that are compared line by line, in bytes.
const LARGEST: usize = 1 << 18;
/// The number of unchanged lines that are shown around a difference.
const AROUND: usize = 2;

/// Converts lines to rows. Strings with several lines are compared line by line.
pub fn rows(lines: &[Line]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        if let Some((other, after)) = after.split_first()
            && (line.is_moved && other.is_moved)
        {
            let text = format!("{} (moved from {})", other.text(), part_path(&line.path));
            let text = truncate(&visible_line(&text), LONGEST);
            rows.push(Row { sign: Sign::Context, text, origin: other.origin.as_deref().map(Cow::from) });
            rest = after;
            continue;
        }
        if let Some((other, after)) = after.split_first()
            && let Some(both) = texts(line, other)
        {
            let title = part_path(&line.path);
            let origin = other.origin.as_deref().map(Cow::from);
            let mut lines = compared(both);
            if !title.is_empty() {
                rows.push(Row { sign: Sign::Context, text: truncate(&visible_line(&title), LONGEST), origin });
            } else if let Some(first) = lines.first_mut() {
                first.origin = origin;
            }
            rows.extend(lines);
            rest = after;
            continue;
        }
        if let Some((other, after)) = after.split_first()
            && line.is_base_of(other)
        {
            let both = Diff { base: Some(line), head: Some(other) };
            let shown = texts_of_sides(both).zip(both).map(|(text, line)| Some(line?.row(text?)));
            rows.extend(shown.into_iter().flatten());
            rest = after;
            continue;
        }
        rows.push(line.row(truncate(&line.text(), LONGEST)));
        rest = after;
    }
    join_origins(&mut rows);
    rows
}

/// Leaves one origin of neighboring lines of a file, at the first row: each side by itself.
fn join_origins(rows: &mut [Row<'_>]) {
    /// Neighboring lines: the first row, the file, and the lines.
    type Range = (usize, String, u32, u32);
    let mut open: HashMap<Sign, Range> = HashMap::new();
    for index in 0..rows.len() {
        let Some(row) = rows.get_mut(index) else { continue };
        let Some(origin) = row.origin.as_deref() else { continue };
        let sign = row.sign;
        // An origin that is not a line of a file is not part of a range.
        let place = origin.rsplit_once(':').and_then(|(file, line)| match line.parse::<u32>() {
            Ok(line) => Some((file.to_owned(), line)),
            Err(_) => None,
        });
        let Some((file, line)) = place else {
            open.remove(&sign);
            continue;
        };
        let range =
            open.remove(&sign).filter(|(_, known, _, end)| *known == file && (line == *end || line == *end + 1));
        let Some((first, file, start, _)) = range else {
            open.insert(sign, (index, file, line, line));
            continue;
        };
        row.origin = None;
        if let Some(first) = rows.get_mut(first) {
            first.origin =
                Some(if line > start { format!("{file}:{start}-{line}") } else { format!("{file}:{start}") }.into());
        }
        open.insert(sign, (first, file, start, line));
    }
}

/// Returns the path and the value of a part on each side, on one line. Both are truncated so that they differ.
pub(crate) fn texts_of_sides(lines: Diff<Option<&Line>>) -> Diff<Option<String>> {
    let texts = lines.map(|line| line.map(Line::text));
    let both = texts.as_ref().map(|text| text.as_deref().unwrap_or_default());
    truncate_both(both, Diff { base: LONGEST, head: LONGEST }).zip(lines).map(|(text, line)| line.map(|_| text))
}

/// Returns the strings of the same part on both sides, if they are to be compared line by line.
fn texts<'l>(base: &'l Line, head: &'l Line) -> Option<Diff<&'l str>> {
    if !base.is_base_of(head) || base.is_error || head.is_error {
        return None;
    }
    let texts = Diff { base: base.value.as_str()?, head: head.value.as_str()? };
    let has_lines = |text: &str| text.trim_end_matches('\n').contains('\n');
    let is_small = texts.into_iter().all(|text| text.len() <= LARGEST);
    (texts.into_iter().any(has_lines) && is_small).then_some(texts)
}

fn compared<'c>(texts: Diff<&str>) -> Vec<Row<'c>> {
    let diff = LineDiff::new(texts.base, texts.head);
    let row =
        |sign, text: &str| Row { sign, text: format!("  {}", truncate(&visible_line(text), LONGEST)), origin: None };
    // A newline at the end that both lack is no difference.
    let has_end = texts.map(|text| text.ends_with('\n'));
    let differs_at_end = has_end.base != has_end.head;
    let mut rows = Vec::new();
    for (index, group) in diff.groups(AROUND).into_iter().enumerate() {
        if index > 0 {
            rows.push(row(Sign::Context, "..."));
        }
        for (sign, line) in group {
            rows.push(row(sign, line.strip_suffix('\n').unwrap_or(line)));
            if !line.ends_with(['\n', '\r']) && differs_at_end {
                rows.push(row(sign, "(no newline at the end)"));
            }
        }
    }
    if rows.len() > MOST_LINES {
        let more = rows.len() - MOST_LINES;
        rows.truncate(MOST_LINES);
        rows.push(row(Sign::Context, &format!("... and {}", counted(more, "more line"))));
    }
    rows
}

impl Line {
    /// Returns the path and the value on one line.
    fn text(&self) -> String {
        let text = if self.is_error { self.value.to_text() } else { part_text(&self.path, &self.value) };
        visible_line(&text)
    }

    /// Returns whether both are the same part, on the base and on the head.
    fn is_base_of(&self, other: &Line) -> bool {
        self.side == Side::Base && other.side == Side::Head && self.path == other.path
    }

    fn row(&self, text: String) -> Row<'_> {
        Row { sign: Sign::from_side(self.side), text, origin: self.origin.as_deref().map(Cow::from) }
    }
}

/// The maximum number of characters of a value on one line.
pub const LONGEST: usize = 160;
