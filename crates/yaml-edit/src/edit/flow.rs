//! Edits maps and lists in flow style, in braces and brackets.

use super::entries::EntryChanges;
use super::text::{SourceStyle, Splice};
use super::{Change, MapChange, Slot};
use crate::tree::{Entry, Item, Map};
use crate::write;

/// An entry or item of the new text.
enum FlowElement {
    /// An unchanged element, by its index among those that are written, with the replacements inside it.
    Unchanged(usize, Vec<Splice>),
    /// New text.
    New(String),
}

impl SourceStyle<'_> {
    pub(super) fn flow_map(&self, node: &Item, map: &Map, change: &MapChange, splices: &mut Vec<Splice>) {
        let style = self.style(0, true);
        let entries = EntryChanges::from_change(change);
        let mut ranges = Vec::new();
        let mut parts = Vec::new();
        // Comments of entries that are written elsewhere now.
        let mut comments = String::new();
        let new = |after: Option<usize>, comments: &mut String, parts: &mut Vec<FlowElement>| {
            parts.extend(entries.added(after).iter().map(|added| {
                let key = write::key(&added.key, &style);
                let above = std::mem::take(comments);
                FlowElement::New(format!("{above}{key}:{}", write::after_key(&added.value, &style)))
            }));
        };
        // Merge keys stand among the entries; they are found by their places.
        let mut merges = map.merge_keys().iter().peekable();
        new(None, &mut comments, &mut parts);
        for (index, entry) in map.entries().iter().enumerate() {
            if entry.merged {
                new(Some(index), &mut comments, &mut parts);
                continue;
            }
            while let Some(merge) = merges.next_if(|merge| merge.span.start < entry.key_span.start) {
                parts.push(FlowElement::Unchanged(ranges.len(), Vec::new()));
                ranges.push(merge.span.range());
            }
            if !entries.is_removed(index) {
                let mut inner = Vec::new();
                if let Some(change) = entries.value(index) {
                    self.flow_value(entry, change, &mut inner);
                }
                parts.push(FlowElement::Unchanged(ranges.len(), inner));
            }
            if entries.is_moved(index) {
                comments.push_str(&self.comments_behind(self.flow_entry_end(entry)));
            }
            ranges.push(self.key_start(entry)..self.flow_entry_end(entry));
            new(Some(index), &mut comments, &mut parts);
        }
        for merge in merges {
            parts.push(FlowElement::Unchanged(ranges.len(), Vec::new()));
            ranges.push(merge.span.range());
        }
        for added in EntryChanges::added_behind(change, map.len()) {
            let key = write::key(&added.key, &style);
            parts.push(FlowElement::New(format!("{key}:{}", write::after_key(&added.value, &style))));
        }
        self.rejoin(node, &ranges, parts, splices);
    }

    pub(super) fn flow_list(&self, node: &Item, items: &[Item], slots: &[Slot], splices: &mut Vec<Splice>) {
        let style = self.style(0, true);
        let ranges: Vec<_> = items.iter().map(|item| item.span().range()).collect();
        let parts = slots.iter().map(|slot| match slot {
            Slot::New(value) => FlowElement::New(write::after_dash(value, &style).trim_start().to_owned()),
            Slot::Old(index, change) => {
                let mut inner = Vec::new();
                if let (Some(change), Some(item)) = (change, items.get(*index)) {
                    match self.as_replacement(item, change) {
                        Some(value) => {
                            let text = self.anchored(item, write::after_dash(&value, &style)).trim_start().to_owned();
                            inner.push(Splice { range: item.span().range(), text });
                        }
                        None => self.change(item, change, &mut inner),
                    }
                }
                FlowElement::Unchanged(*index, inner)
            }
        });
        self.rejoin(node, &ranges, parts.collect(), splices);
    }

    /// The comments between the end of an entry and the next one, on separate lines.
    fn comments_behind(&self, mut at: usize) -> String {
        let mut out = String::new();
        loop {
            let next = self.skip_space(at);
            for line in self.text.get(at..next).unwrap_or_default().split(['\n', '\r']) {
                if let Some((_, comment)) = line.split_once('#') {
                    out.push_str(&format!("\n#{comment}"));
                }
            }
            if !self.text[next..].starts_with(',') {
                break;
            }
            at = next + 1;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    fn flow_entry_end(&self, entry: &Entry) -> usize {
        let value = entry.item.span();
        if value.start != value.end {
            return value.end as usize;
        }
        // The blank after the colon of an empty value belongs to it, unless a comment needs it.
        let end = self.colon_end(entry);
        let blank = self.text[end..].bytes().take_while(|byte| *byte == b' ').count();
        if self.text[end + blank..].starts_with('#') { end } else { end + blank }
    }

    fn flow_value(&self, entry: &Entry, change: &Change, splices: &mut Vec<Splice>) {
        let Some(value) = self.as_replacement(&entry.item, change) else {
            return self.change(&entry.item, change, splices);
        };
        let new = self.anchored(&entry.item, write::after_key(&value, &self.style(0, true)));
        let span = entry.item.span();
        let Some(lead) = self.colon(entry) else {
            // A key without a colon, which must not become a part of a mark, or of a map after a question mark.
            let at = entry.key_span.behind();
            let is_marked = self.text[entry.key_span.range()].starts_with(['!', '&', '*']);
            let is_bare = is_marked || entry.key_span.start == entry.key_span.end;
            let is_explicit = self.key_start(entry) < entry.key_span.first();
            // The colon of a key without a question mark has to be near, and on its line.
            let written = &self.text[entry.key_span.range()];
            if !is_explicit && (written.contains(['\n', '\r']) || written.len() > 500) {
                let start = entry.key_span.first();
                splices.push(Splice { range: start..start, text: "? ".into() });
                return splices.push(Splice { range: at..at, text: format!(" :{new}") });
            }
            let colon = if is_bare || is_explicit { " :" } else { ":" };
            return splices.push(Splice { range: at..at, text: format!("{colon}{new}") });
        };
        if span.start == span.end {
            splices.push(Splice { range: lead..lead, text: new });
        } else {
            let beside = lead == span.first();
            let text = if beside { new } else { new.trim_start().to_owned() };
            splices.push(Splice { range: span.range(), text });
        }
    }

    /// Puts the parts between the brackets. What stood after a part, a comment perhaps, goes with it.
    fn rejoin(
        &self,
        node: &Item,
        ranges: &[std::ops::Range<usize>],
        parts: Vec<FlowElement>,
        splices: &mut Vec<Splice>,
    ) {
        let stay = parts.len() == ranges.len()
            && parts.iter().enumerate().all(|(at, part)| matches!(part, FlowElement::Unchanged(old, _) if *old == at));
        if stay {
            splices.extend(parts.into_iter().flat_map(|part| match part {
                FlowElement::Unchanged(_, inner) => inner,
                FlowElement::New(_) => Vec::new(),
            }));
            return;
        }
        let mut end = node.span().behind().saturating_sub(1);
        if self.is_single_pair(node) {
            // More or less than one entry needs braces.
            end = node.span().behind();
            splices.push(Splice {
                range: ranges.first().map_or(end..end, |pair| pair.start..pair.start),
                text: "{".into(),
            });
            splices.push(Splice { range: end..end, text: "}".into() });
        }
        let (start, stop) = match (ranges.first(), ranges.last()) {
            (Some(first), Some(last)) => (first.start, last.end),
            _ => (end, end),
        };
        let between = |at: usize| Some(&self.text[ranges.get(at)?.end..ranges.get(at + 1)?.start]);
        // Items on separate lines stay that way.
        let usual =
            between(0).filter(|usual| !usual.contains('#') && usual.trim_start().starts_with(',')).unwrap_or(", ");
        let mut out = String::new();
        let mut before: Option<Option<usize>> = None;
        for part in parts {
            let (at, text) = match part {
                FlowElement::Unchanged(at, inner) => {
                    let Some(range) = ranges.get(at) else { continue };
                    (Some(at), self.with(range.clone(), inner))
                }
                FlowElement::New(text) => (None, text),
            };
            if let Some(before) = before {
                out.push_str(before.and_then(between).unwrap_or(usual));
            }
            out.push_str(&text);
            // Without a blank the colon of an empty value would belong to the key.
            if out.ends_with(':') {
                out.push(' ');
            }
            before = Some(at);
        }
        let stop = if out.is_empty() { end } else { stop };
        if let Some(at) = before.flatten() {
            self.comment_beside(at, ranges, stop, &mut out);
        }
        splices.push(Splice { range: start..stop, text: out });
    }

    /// Keeps the comment of a part that is the last now, after a trailing comma.
    fn comment_beside(&self, at: usize, ranges: &[std::ops::Range<usize>], stop: usize, out: &mut String) {
        let (Some(part), Some(next)) = (ranges.get(at), ranges.get(at + 1)) else { return };
        let beside = self.text[part.end..next.start].trim_end();
        if !beside.contains('#') {
            return;
        }
        let comma = self.skip_space(part.end).saturating_sub(part.end);
        let has_comma = self.text[self.skip_space(stop)..].starts_with(',');
        match (has_comma, beside.get(..comma), beside.get(comma + 1..)) {
            (true, Some(before), Some(after)) => out.extend([" ", before, after]),
            _ => out.push_str(beside),
        }
        if !self.text[stop..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r']) {
            out.push('\n');
        }
    }
}
