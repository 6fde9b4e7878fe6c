//! Maps and lists in block style: one entry or item after another, each on lines of its own.

use super::text::{Splice, Text};
use super::{Change, MapChange, Slot};
use crate::tree::{Entry, Item, Map};
use crate::write;

/// An entry or item as it is written.
struct Piece {
    /// Where its key or dash begins.
    start: usize,
    /// Where its lines end.
    end: usize,
    /// Which it is; none for a merge key.
    index: Option<usize>,
}

/// A line, or several, of the new text.
enum Line {
    /// A piece as it stands, with what is replaced in it.
    Old(usize, Vec<Splice>),
    /// Only the comments above a piece that is gone.
    Comments(usize),
    /// New text.
    New(String),
}

impl Text<'_> {
    pub(super) fn block_map(&self, map: &Map, change: &MapChange, splices: &mut Vec<Splice>) {
        let pieces = self.map_pieces(map);
        let Some(column) = pieces.first().map(|piece| self.column(piece.start)) else { return };
        let style = self.style(column, false);
        let new = |after: Option<usize>, lines: &mut Vec<Line>| {
            for added in change.added.iter().filter(|added| added.after == after) {
                let key = write::key(&added.key, &style);
                lines.push(Line::New(format!("{key}:{}", write::after_key(&added.value, &style))));
            }
        };
        let mut lines = Vec::new();
        new(None, &mut lines);
        for (at, piece) in pieces.iter().enumerate() {
            let Some(index) = piece.index else {
                lines.push(Line::Old(at, Vec::new()));
                continue;
            };
            if change.removed.contains(&index) {
                lines.push(Line::Comments(at));
            } else {
                let mut inner = Vec::new();
                let changed = change.values.iter().find(|(changed, _)| *changed == index);
                if let (Some((_, change)), Some(entry)) = (changed, map.entries().get(index)) {
                    self.block_value(self.colon_end(entry), &entry.item, change, column, true, &mut inner);
                }
                lines.push(Line::Old(at, inner));
            }
            new(Some(index), &mut lines);
        }
        let is_known = |after: Option<usize>| after.is_none_or(|at| pieces.iter().any(|piece| piece.index == Some(at)));
        for added in change.added.iter().filter(|added| !is_known(added.after)) {
            let key = write::key(&added.key, &style);
            lines.push(Line::New(format!("{key}:{}", write::after_key(&added.value, &style))));
        }
        self.rebuild(&pieces, lines, column, splices);
    }

    pub(super) fn block_list(&self, list: &Item, items: &[Item], slots: &[Slot], splices: &mut Vec<Splice>) {
        let mut pieces = Vec::new();
        let mut end = 0;
        for (index, item) in items.iter().enumerate() {
            let from = if index == 0 { 0 } else { end };
            let Some(start) = self.dash(from, item) else { return };
            end = self.lines_end((item.span().end as usize).max(start + 1));
            pieces.push(Piece { start, end, index: Some(index) });
        }
        let Some(column) = pieces.first().map(|piece| self.column(piece.start)) else { return };
        let _ = list;
        let style = self.style(column, false);
        let mut lines = Vec::new();
        let mut shown = 0;
        let kept = |index: usize| slots.iter().any(|slot| matches!(slot, Slot::Old(at, _) if *at == index));
        for slot in slots {
            match slot {
                Slot::New(value) => lines.push(Line::New(format!("-{}", write::after_dash(value, &style)))),
                Slot::Old(index, change) => {
                    // Comments above items that are gone stay where they were.
                    while shown < *index {
                        if !kept(shown) {
                            lines.push(Line::Comments(shown));
                        }
                        shown += 1;
                    }
                    shown = shown.max(index + 1);
                    let mut inner = Vec::new();
                    if let (Some(change), Some(item)) = (change, items.get(*index)) {
                        let dash = pieces.get(*index).map_or(0, |piece| piece.start);
                        self.block_value(dash + 1, item, change, column, false, &mut inner);
                    }
                    lines.push(Line::Old(*index, inner));
                }
            }
        }
        lines.extend((shown..pieces.len()).filter(|index| !kept(*index)).map(Line::Comments));
        self.rebuild(&pieces, lines, column, splices);
    }

    /// The entries that are written in a map, and its merge keys, in the order of the text.
    fn map_pieces(&self, map: &Map) -> Vec<Piece> {
        let written = map.entries().iter().enumerate().filter(|(_, entry)| !entry.merged);
        let mut pieces: Vec<Piece> = written
            .map(|(index, entry)| Piece {
                start: self.key_start(entry.key_span.start as usize),
                end: self.lines_end(self.entry_end(entry)),
                index: Some(index),
            })
            .collect();
        pieces.extend(map.merge_keys().iter().map(|span| Piece {
            start: span.start as usize,
            end: self.lines_end(span.end as usize),
            index: None,
        }));
        pieces.sort_by_key(|piece| piece.start);
        pieces
    }

    /// Where a key begins, with the question mark of an explicit one.
    fn key_start(&self, key: usize) -> usize {
        let before = self.text[self.line_start(key)..key].trim_end_matches([' ', '\t']);
        if before.trim_start_matches([' ', '\t', '-']) == "?" { key - (key - self.line_start(key) - before.len()) - 1 } else { key }
    }

    fn entry_end(&self, entry: &Entry) -> usize {
        let value = entry.item.span();
        if value.start == value.end { self.colon_end(entry) } else { value.end as usize }
    }

    /// Where the colon behind a key ends; where the key ends if there is none.
    pub(super) fn colon_end(&self, entry: &Entry) -> usize {
        let key = entry.key_span.end as usize;
        let at = self.skip_space(key);
        if self.text.as_bytes().get(at) == Some(&b':') { at + 1 } else { key }
    }

    /// Changes the value that stands behind a colon or dash which ends at `lead`.
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
        let (head, rest) = match new.split_once('\n') {
            Some((head, rest)) => (head.to_owned(), format!("\n{rest}")),
            None => (new, String::new()),
        };
        let (start, end) = (item.span().start as usize, item.span().end as usize);
        let end = if start == end { lead } else { end };
        let lead_line = self.line_end(lead);
        let mut splice = |range, text| splices.push(Splice { range, text });
        if start > lead_line {
            // The old value stands below: a comment beside the key stays.
            splice(lead..lead, head);
            let last = if self.lines_end(end) == end { end - 1 } else { self.line_end(end) };
            splice(lead_line..last, rest);
        } else if self.lines_end(end) == end && end > lead {
            // The old value is a block scalar, which ends with a line break.
            splice(lead..end - 1, format!("{head}{rest}"));
        } else if item.node().as_scalar().is_some() || item.node().is_flow() || item.is_alias() || start == end {
            // What stands between the colon and the value may be more than a blank.
            let gap = if start > lead && start < end { &self.text[lead..start] } else { "" };
            let head = match head.strip_prefix(' ') {
                Some(text) if !gap.is_empty() && gap.bytes().all(|byte| byte == b' ') => format!("{gap}{text}"),
                _ => head,
            };
            splice(lead..end, head);
            if !rest.is_empty() {
                let after = self.line_end(end);
                splice(after..after, rest);
            }
        } else {
            // A block collection that begins beside its key or dash.
            splice(lead..self.line_end(end), format!("{head}{rest}"));
        }
    }

    /// Replaces all pieces of a collection by new lines.
    fn rebuild(&self, pieces: &[Piece], lines: Vec<Line>, column: usize, splices: &mut Vec<Splice>) {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
        let stay = lines.len() == pieces.len()
            && lines.iter().enumerate().all(|(at, line)| matches!(line, Line::Old(old, _) if *old == at));
        if stay {
            splices.extend(lines.into_iter().flat_map(|line| match line {
                Line::Old(_, inner) => inner,
                _ => Vec::new(),
            }));
            return;
        }
        let indent = " ".repeat(column);
        let mut out = String::new();
        for line in lines {
            let (above, body) = match line {
                Line::Old(at, inner) => {
                    let Some(piece) = pieces.get(at) else { continue };
                    (self.above(pieces, at), self.with(piece.start..piece.end, inner))
                }
                // Empty lines go with what they set apart, comments do not.
                Line::Comments(at) => match self.above(pieces, at) {
                    blank if blank.trim().is_empty() => continue,
                    comments => (comments, String::new()),
                },
                Line::New(text) => ("", text),
            };
            if above.is_empty() && body.is_empty() {
                continue;
            }
            let above = if out.is_empty() { above.trim_start() } else { above };
            out.push_str(above);
            if body.is_empty() {
                continue;
            }
            // The first line begins where the first piece began, behind its indentation.
            if !out.is_empty() {
                out.push_str(&indent);
            }
            out.push_str(&body);
            if !body.ends_with('\n') {
                out.push('\n');
            }
        }
        if !self.text[first.start..last.end].ends_with('\n') && out.ends_with('\n') {
            out.pop();
        }
        splices.push(Splice { range: first.start..last.end, text: out });
    }

    /// The lines between a piece and the one before it: comments and empty lines.
    fn above(&self, pieces: &[Piece], at: usize) -> &str {
        match (at.checked_sub(1).and_then(|before| pieces.get(before)), pieces.get(at)) {
            (Some(before), Some(piece)) => {
                let line = self.line_start(piece.start);
                if before.end <= line { &self.text[before.end..line] } else { "" }
            }
            _ => "",
        }
    }
}
