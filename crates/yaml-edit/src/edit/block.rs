//! Edits maps and lists in block style, where each entry or item is on separate lines.

use hieratic_value::ErasedSort as _;
use hieratic_value::Value;

use super::entries::EntryChanges;
use super::text::{SourceStyle, Splice};
use super::{Added, Change, MapChange, Slot, new_value};
use crate::tree::{Entry, Item, Map};
use crate::write;

/// An entry or item as written.
struct EntryLines {
    /// The position of its key or dash.
    start: usize,
    /// The end of its lines.
    end: usize,
    /// The index of the entry. `None` for a merge key.
    index: Option<usize>,
    /// Whether it ends with a block scalar.
    is_scalar: bool,
}

/// A line, or several, of the new text.
enum OutputLine {
    /// An unchanged piece, with the replacements inside it.
    Unchanged(usize, Vec<Splice>),
    /// Only the comments above a piece that is gone.
    Comments(usize),
    /// Those and the one on the line of a piece that is written elsewhere now.
    Moved(usize, String),
    /// New text, and whether it ends with a block scalar.
    New(String, bool),
}

impl SourceStyle<'_> {
    pub(super) fn block_map(&self, map: &Map, change: &MapChange, splices: &mut Vec<Splice>) {
        let pieces = self.map_pieces(map);
        let Some(column) = pieces.first().map(|piece| self.column(piece.start)) else { return };
        let style = self.style(column, false);
        let entries = EntryChanges::from_change(change);
        let written = |added: &Added| {
            let key = write::key(&added.key, &style);
            let text = format!("{key}:{}", write::after_key(&added.value, &style));
            OutputLine::New(closed(text, &added.value), ends_with_lines(&added.value))
        };
        let mut lines: Vec<OutputLine> = entries.added(None).iter().map(|added| written(added)).collect();
        for (at, piece) in pieces.iter().enumerate() {
            let Some(index) = piece.index else {
                lines.push(OutputLine::Unchanged(at, Vec::new()));
                continue;
            };
            if entries.is_moved(index) {
                let beside = map.entries().get(index).and_then(|entry| self.comment_beside_entry(entry));
                lines.push(OutputLine::Moved(at, beside.unwrap_or_default().to_owned()));
            } else if entries.is_removed(index) {
                lines.push(OutputLine::Comments(at));
            } else {
                let mut inner = Vec::new();
                if let (Some(change), Some(entry)) = (entries.value(index), map.entries().get(index)) {
                    self.entry_value(entry, change, column, &mut inner);
                }
                lines.push(OutputLine::Unchanged(at, inner));
            }
            lines.extend(entries.added(Some(index)).iter().map(|added| written(added)));
        }
        // New entries after an entry that is not written come last.
        let merged = map.entries().iter().enumerate().filter(|(_, entry)| entry.merged);
        let behind_merged = merged.flat_map(|(at, _)| entries.added(Some(at)).iter().copied());
        lines.extend(behind_merged.chain(EntryChanges::added_behind(change, map.len())).map(written));
        self.rebuild(&pieces, lines, column, splices);
    }

    pub(super) fn block_list(&self, items: &[Item], slots: &[Slot], splices: &mut Vec<Splice>) {
        let mut pieces = Vec::new();
        let mut end = 0;
        for (index, item) in items.iter().enumerate() {
            let Some(start) = self.dash(end, item) else { return };
            let item_end = item.span().behind().max(start + 1);
            end = self.lines_end(item_end);
            pieces.push(EntryLines { start, end, index: Some(index), is_scalar: end == item_end });
        }
        let Some(column) = pieces.first().map(|piece| self.column(piece.start)) else { return };
        let style = self.style(column, false);
        let mut lines = Vec::new();
        let mut shown = 0;
        let mut kept = vec![false; pieces.len()];
        for slot in slots {
            if let Slot::Old(index, _) = slot
                && let Some(kept) = kept.get_mut(*index)
            {
                *kept = true;
            }
        }
        let gone = |at: &usize| kept.get(*at) == Some(&false);
        for slot in slots {
            match slot {
                Slot::New(value) => {
                    let text = closed(format!("-{}", write::after_dash(value, &style)), value);
                    lines.push(OutputLine::New(text, ends_with_lines(value)));
                }
                Slot::Old(index, change) => {
                    // Comments above items that are gone stay where they were.
                    lines.extend((shown..*index).filter(gone).map(OutputLine::Comments));
                    shown = shown.max(index + 1);
                    let mut inner = Vec::new();
                    if let (Some(change), Some(item)) = (change, items.get(*index)) {
                        let dash = pieces.get(*index).map_or(0, |piece| piece.start);
                        self.block_value(dash + 1, item, change, column, false, &mut inner);
                    }
                    lines.push(OutputLine::Unchanged(*index, inner));
                }
            }
        }
        lines.extend((shown..pieces.len()).filter(gone).map(OutputLine::Comments));
        self.rebuild(&pieces, lines, column, splices);
    }

    /// The entries that are written in a map, and its merge keys, in the order of the text.
    fn map_pieces(&self, map: &Map) -> Vec<EntryLines> {
        let written = map.entries().iter().enumerate().filter(|(_, entry)| !entry.merged);
        let mut pieces: Vec<EntryLines> = written
            .map(|(index, entry)| {
                let entry_end = self.entry_end(entry);
                let end = self.lines_end(entry_end);
                EntryLines { start: self.key_start(entry), end, index: Some(index), is_scalar: end == entry_end }
            })
            .collect();
        pieces.extend(map.merge_keys().iter().map(|merge| EntryLines {
            start: merge.span.first(),
            end: self.lines_end(merge.span.behind()),
            index: None,
            is_scalar: false,
        }));
        pieces.sort_erased_by_key(|piece| piece.start);
        pieces
    }

    fn entry_end(&self, entry: &Entry) -> usize {
        let value = entry.item.span();
        if value.start == value.end { self.colon_end(entry) } else { value.end as usize }
    }

    /// The comment after an entry, on its last line.
    fn comment_beside_entry(&self, entry: &Entry) -> Option<&str> {
        let end = self.entry_end(entry);
        let after = self.text.get(end..self.last_line_end(end))?;
        after.find('#').map(|at| after[at..].trim_end())
    }

    /// The comments that stand on a scalar, or what takes the place of one, after a colon or dash: between both, on the line of
    /// a block scalar's indicator, and after the scalar.
    fn comments_of(&self, lead: usize, item: &Item) -> Vec<&str> {
        let (start, end) = (item.span().first(), item.span().behind());
        let written = self.text.get(start..end).unwrap_or_default();
        let header = written.lines().next().unwrap_or_default();
        let first = header.split([' ', '\t']).find(|word| !word.is_empty() && !word.starts_with(['&', '!']));
        let is_block_scalar = first.is_some_and(|word| word.starts_with(['|', '>'])) && !item.is_alias();
        let header = if is_block_scalar { header.split_once(" #").map(|(_, comment)| comment) } else { None };
        let before = self.text.get(self.line_end(lead)..start).unwrap_or_default().split(['\n', '\r']);
        let before = before.map(str::trim).filter_map(|line| line.strip_prefix('#'));
        let after = self.text.get(end..self.last_line_end(end)).and_then(|text| text.split_once('#'));
        let after = after.map(|(_, comment)| comment);
        before.chain(header).chain(after).map(str::trim_end).collect()
    }

    /// Changes the value of an entry whose key is in a column.
    fn entry_value(&self, entry: &Entry, change: &Change, column: usize, splices: &mut Vec<Splice>) {
        if let Some(lead) = self.colon(entry) {
            return self.block_value(lead, &entry.item, change, column, true, splices);
        }
        // An explicit key that has no value.
        let value = new_value(entry.node(), change);
        let end = self.last_line_end(entry.key_span.behind());
        let new = write::after_key(&value, &self.style(column, false));
        let new = if end == self.len() { closed(new, &value) } else { new };
        splices.push(Splice { range: end..end, text: format!("\n{}:{new}", " ".repeat(column)) });
    }

    /// Changes the value after a colon or dash that ends at `lead`.
    fn block_value(
        &self,
        lead: usize,
        item: &Item,
        change: &Change,
        column: usize,
        is_entry: bool,
        splices: &mut Vec<Splice>,
    ) {
        let Some(value) = self.as_replacement(item, change) else {
            return self.change(item, change, splices);
        };
        let style = self.style(column, false);
        let new = if is_entry { write::after_key(&value, &style) } else { write::after_dash(&value, &style) };
        let begins_beside = !is_entry && write_lines(&value);
        let new = match item.node().anchor().filter(|_| !item.is_alias()) {
            // Beside the anchor it would name the first key.
            Some(name) if begins_beside => format!(" &{name}\n{}{}", " ".repeat(column + 2), new.trim_start()),
            _ => self.anchored(item, new),
        };
        let (head, rest) = match new.split_once('\n') {
            Some((head, rest)) => (head.to_owned(), format!("\n{rest}")),
            None => (new, String::new()),
        };
        let (start, end) = (item.span().first(), item.span().behind());
        let end = if start == end { lead } else { end };
        let rest = if self.last_line_end(end) == self.len() { closed(rest, &value) } else { rest };
        let tail = &self.text[self.lines_end(end)..];
        let rest = if ends_with_lines(&value) && continues_scalar(tail, column) {
            format!("{rest}\n{}#", " ".repeat(column))
        } else {
            rest
        };
        let lead_line = self.line_end(lead);
        let is_block = item.node().as_scalar().is_none() && !item.node().is_flow() && !item.is_alias();
        let mut splice = |range, text| splices.push(Splice { range, text });
        if start > lead_line && end > lead {
            // The old value is below: a comment next to the key stays.
            splice(lead..lead, head);
            let kept = if is_block { Vec::new() } else { self.comments_of(lead, item) };
            let kept: String = kept.iter().map(|comment| format!(" #{comment}")).collect();
            splice(lead_line..self.last_line_end(end), kept + &rest);
        } else if self.lines_end(end) == end && end > lead {
            // The old value is a block scalar, or ends with one, and so ends with a line break.
            let kept = if is_block { Vec::new() } else { self.comments_of(lead, item) };
            let kept: String = kept.iter().map(|comment| format!(" #{comment}")).collect();
            splice(lead..self.last_line_end(end), format!("{head}{kept}{rest}"));
        } else if !is_block {
            // There may be more than a blank between the colon and the value.
            let gap = if start > lead && start < end && !begins_beside { &self.text[lead..start] } else { "" };
            let head = match head.strip_prefix(' ') {
                Some(text) if !gap.is_empty() && gap.bytes().all(|byte| byte == b' ') => format!("{gap}{text}"),
                _ => head,
            };
            if rest.is_empty() && !head.is_empty() {
                return splice(lead..end, head);
            }
            // A tab may stand after a scalar, but not after a colon that may have another key after it.
            let tail = &self.text[end..self.line_end(end)];
            let blank = tail.len() - tail.trim_start_matches([' ', '\t']).len();
            let kept = if blank == tail.len() { "" } else { &tail[..blank] };
            splice(lead..end + blank, head + &kept.replace('\t', " "));
            let after = self.line_end(end);
            splice(after..after, rest);
        } else {
            // A block collection that begins on the line of its key or dash.
            splice(lead..self.line_end(end), format!("{head}{rest}"));
        }
    }

    /// Replaces all pieces of a collection by new lines.
    fn rebuild(&self, pieces: &[EntryLines], lines: Vec<OutputLine>, column: usize, splices: &mut Vec<Splice>) {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
        let stay = lines.len() == pieces.len()
            && lines.iter().enumerate().all(|(at, line)| matches!(line, OutputLine::Unchanged(old, _) if *old == at));
        if stay {
            splices.extend(lines.into_iter().flat_map(|line| match line {
                OutputLine::Unchanged(_, inner) => inner,
                _ => Vec::new(),
            }));
            return;
        }
        let indent = " ".repeat(column);
        let mut out = String::new();
        let mut is_closed = false;
        let mut in_scalar = false;
        let mut before = None;
        // A comment that is indented further would belong to a block scalar before it.
        let end_scalar = |out: &mut String, in_scalar: bool, after: &str| {
            if in_scalar && continues_scalar(after, column) {
                out.push_str(&indent);
                out.push_str("#\n");
            }
        };
        for line in lines {
            let is_next = |at: usize| before == at.checked_sub(1);
            let old = match line {
                OutputLine::Unchanged(at, _) | OutputLine::Comments(at) | OutputLine::Moved(at, _) => Some(at),
                OutputLine::New(..) => None,
            };
            let (above, body, is_scalar) = match line {
                OutputLine::Unchanged(at, inner) => {
                    let Some(piece) = pieces.get(at) else { continue };
                    let is_scalar = piece.is_scalar || !inner.is_empty();
                    (self.above(pieces, at), self.with(piece.start..piece.end, inner), is_scalar)
                }
                // Empty lines are removed with the entries that they separate, comments are not.
                OutputLine::Comments(at) => match self.above(pieces, at) {
                    blank if blank.trim().is_empty() => continue,
                    comments => (comments, String::new(), false),
                },
                OutputLine::Moved(at, comment) => (self.above(pieces, at), comment, false),
                OutputLine::New(text, is_scalar) => ("", text, is_scalar),
            };
            let above = match out.is_empty() {
                true => above.trim_start(),
                // Empty lines after a block scalar may belong to it.
                false if in_scalar && !old.is_some_and(is_next) => above.trim_start_matches(['\n', '\r']),
                false => above,
            };
            end_scalar(&mut out, in_scalar, above);
            out.push_str(above);
            in_scalar &= above.is_empty();
            if body.is_empty() {
                continue;
            }
            // The first line begins where the first piece began, after its indentation.
            if !out.is_empty() {
                out.push_str(&indent);
            }
            out.push_str(&body);
            (is_closed, in_scalar) = (body.ends_with('\n'), is_scalar);
            before = old;
            if !is_closed {
                out.push('\n');
            }
        }
        let after = &self.text[last.end..];
        if in_scalar && before.is_some_and(|at| at + 1 != pieces.len()) && after.starts_with(['\n', '\r']) {
            out.push_str(&indent);
            out.push_str("#\n");
        } else {
            end_scalar(&mut out, in_scalar, after);
        }
        if !is_closed
            && !self.is_behind_break(last.end)
            && let Some(line) = out.strip_suffix('\n')
        {
            out.truncate(line.trim_end_matches('\r').len());
        }
        splices.push(Splice { range: first.start..last.end, text: out });
    }

    /// The lines between a piece and the one before it: comments and empty lines.
    fn above(&self, pieces: &[EntryLines], at: usize) -> &str {
        match (at.checked_sub(1).and_then(|before| pieces.get(before)), pieces.get(at)) {
            (Some(before), Some(piece)) => {
                let line = self.line_start(piece.start);
                if before.end <= line { &self.text[before.end..line] } else { "" }
            }
            _ => "",
        }
    }
}

/// Returns whether a value is written in lines that begin next to a dash.
fn write_lines(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Hash(hash) => !hash.is_empty(),
        _ => false,
    }
}

/// The text of a value with a line break, if it ends with a block scalar that has one.
fn closed(text: String, value: &Value) -> String {
    if last_text(value).is_some_and(|text| text.ends_with('\n')) { text + "\n" } else { text }
}

/// Returns whether a value may be written so that it ends with a block scalar.
fn ends_with_lines(value: &Value) -> bool {
    last_text(value).is_some_and(|text| text.contains('\n'))
}

/// The text that is written last of a value, if it is one.
fn last_text(value: &Value) -> Option<&str> {
    let mut last = value;
    loop {
        last = match last {
            Value::Array(items) => items.last()?,
            Value::Hash(hash) => hash.as_map().last()?.1,
            other => return other.as_str(),
        };
    }
}

/// Returns whether a block scalar would absorb the next lines: a comment that is indented further than a column, or a
/// longer line of blanks.
fn continues_scalar(text: &str, column: usize) -> bool {
    for line in text.split(['\n', '\r']) {
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        let is_deep = blank > column || line[..blank].contains('\t');
        if blank < line.len() {
            return is_deep && line[blank..].starts_with('#');
        }
        if is_deep {
            return true;
        }
    }
    false
}
