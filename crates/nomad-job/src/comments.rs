//! The comments of a job file by their items, so that they can be printed with the same items.

use hieratic_hcl_syntax::{Body, Source, Span, comments, parse_config};
use hieratic_value::ErasedSort as _;
use hieratic_value::collections::HashMap;

/// Comments that were not written again so far.
#[derive(Default)]
pub(crate) struct Comments {
    /// Those of an argument, by the start of its expression, and of a block, by its own.
    by_item: HashMap<u32, ItemComments>,
    /// Those before everything, which an empty line separates from what follows.
    head: Vec<String>,
    /// The comments after all items.
    tail: Vec<String>,
    /// The offset of the job's block.
    job: Option<u32>,
}

/// The comments of an argument or a block.
#[derive(Default)]
pub(crate) struct ItemComments {
    /// On lines before it.
    pub(crate) before: Vec<String>,
    /// On the line on which it ends, or on which a block opens.
    pub(crate) behind: Option<String>,
    /// On the line on which a block of several lines ends.
    pub(crate) closing: Option<String>,
    /// On the last lines of a block.
    pub(crate) last: Vec<String>,
}

/// The part of an item that a comment on the same line follows.
#[derive(Clone, Copy)]
enum CommentSide {
    /// An argument, a block of one line, or the brace that opens a block.
    Behind,
    /// The brace that closes a block.
    Closing,
}

/// An argument or a block.
struct Item<'b> {
    /// The offset by which the job identifies it.
    key: u32,
    span: Span,
    block: Option<(&'b Body, Span, Span)>,
}

impl Comments {
    /// Collects the comments of a job file. A JSON file has none.
    pub(crate) fn from_source(source: &Source) -> Comments {
        let mut found = Comments::default();
        let spans = comments(source.bytes());
        if spans.is_empty() || source.bytes().first() == Some(&b'{') {
            return found;
        }
        let parsed = parse_config(Source::from(source.as_text().clone()));
        found.job = parsed.tree.blocks.iter().find(|block| &*block.kind == "job").map(|block| block.kind_span.start);
        let whole = Span { start: 0, end: u32::try_from(source.bytes().len()).unwrap_or(u32::MAX) };
        found.attach(source, &spans, &parsed.tree, whole, None);
        found
    }

    /// Attaches the comments within a body to its items.
    fn attach(&mut self, source: &Source, mut spans: &[Span], body: &Body, within: Span, block: Option<u32>) {
        let blocks = body.blocks.iter().map(|block| Item {
            key: block.kind_span.start,
            span: block.span(),
            block: Some((&block.body, block.open_span, block.close_span)),
        });
        let arguments = body.attributes().iter().map(|attribute| Item {
            key: attribute.expression.span().start,
            span: attribute.span,
            block: None,
        });
        let mut items: Vec<Item<'_>> = blocks.chain(arguments).collect();
        items.sort_erased_by_key(|item| item.span.start);
        // Most comments are far after the preceding token: the first line end decides.
        let line_ends = |from: u32, to: u32, most: usize| {
            let bytes = source.slice(Span { start: from, end: to.max(from) }).iter();
            bytes.filter(|byte| **byte == b'\n').take(most).count()
        };
        let text = |span: Span| source.text(span).trim_end().to_owned();
        // The item that a comment on the same line belongs to.
        let mut previous = block.map(|key| (key, within.start, CommentSide::Behind));
        for (at, item) in items.iter().enumerate() {
            let before = spans.partition_point(|span| span.start < item.span.start);
            let (leading, rest) = spans.split_at(before);
            spans = rest;
            for (number, span) in leading.iter().enumerate() {
                let next = leading.get(number + 1).map_or(item.span.start, |next| next.start);
                match previous {
                    Some((key, end, side)) if line_ends(end, span.start, 1) == 0 => {
                        self.behind(key, side, text(*span));
                    }
                    // A comment about the whole file, such as its license.
                    _ if block.is_none() && at == 0 && line_ends(span.end, next, 2) > 1 => {
                        self.head
                            .extend(self.by_item.remove(&item.key).into_iter().flat_map(|attached| attached.before));
                        self.head.push(text(*span));
                    }
                    _ => self.by_item.entry(item.key).or_default().before.push(text(*span)),
                }
            }
            let inside = spans.partition_point(|span| span.start < item.span.end);
            let (inner, rest) = spans.split_at(inside);
            spans = rest;
            match item.block {
                Some((body, open, close)) => {
                    let header = inner.partition_point(|span| span.start < open.start);
                    let (header, inner) = inner.split_at(header);
                    self.by_item.entry(item.key).or_default().before.extend(header.iter().map(|span| text(*span)));
                    let within = Span { start: open.end, end: close.start };
                    stacker::maybe_grow(64 << 10, 1 << 20, || self.attach(source, inner, body, within, Some(item.key)));
                }
                None if !inner.is_empty() => {
                    self.by_item.entry(item.key).or_default().before.extend(inner.iter().map(|span| text(*span)));
                }
                None => {}
            }
            let side = match item.block {
                Some((_, open, _)) if line_ends(open.end, item.span.end, 1) > 0 => CommentSide::Closing,
                _ => CommentSide::Behind,
            };
            previous = Some((item.key, item.span.end, side));
        }
        for span in spans {
            match (previous, block) {
                (Some((key, end, side)), _) if line_ends(end, span.start, 1) == 0 => {
                    self.behind(key, side, text(*span));
                }
                (_, Some(key)) => self.by_item.entry(key).or_default().last.push(text(*span)),
                (_, None) => self.tail.push(text(*span)),
            }
        }
    }

    fn behind(&mut self, key: u32, side: CommentSide, text: String) {
        let attached = self.by_item.entry(key).or_default();
        let place = match side {
            CommentSide::Behind => &mut attached.behind,
            CommentSide::Closing => &mut attached.closing,
        };
        match place {
            // A comment to the end of the line is the last one on it.
            Some(after) => {
                after.push(' ');
                after.push_str(&text);
            }
            after => *after = Some(text),
        }
    }

    /// The comments of what starts there; each of them once.
    pub(crate) fn take(&mut self, start: Option<u32>) -> ItemComments {
        start.and_then(|start| self.by_item.remove(&start)).unwrap_or_default()
    }

    /// The comments of the job itself.
    pub(crate) fn take_job(&mut self) -> ItemComments {
        self.take(self.job)
    }

    /// Takes the comments before and after the job.
    pub(crate) fn take_outer(&mut self) -> (Vec<String>, Vec<String>) {
        (std::mem::take(&mut self.head), std::mem::take(&mut self.tail))
    }
}
