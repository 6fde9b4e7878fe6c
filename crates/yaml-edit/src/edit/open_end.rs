//! A document that ends within a block scalar, without a line break.
//!
//! If something is added after it, the new line break would become part of the scalar. The scalar therefore gets the
//! indicator that strips its last line break: <https://yaml.org/spec/1.2.2/#8112-block-chomping-indicator>.

use std::ops::Range;

use super::text::Splice;
use crate::tree::{Content, Node};

/// The block scalar at the end, and the edit that strips its last line break. `None` if the document does not end so.
pub(super) fn find_open_end(text: &str, root: &Node) -> Option<(Range<usize>, Splice)> {
    if text.ends_with(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        return None;
    }
    let last = last_scalar(root)?;
    let range = last.span().range();
    if range.end != text.len() {
        return None;
    }
    let header = text.get(range.clone())?.lines().next()?;
    // Before the indicator there are at most the anchor and the tag of the node, each a separate word.
    let words = header.split([' ', '\t']);
    let word = words.filter(|word| !word.is_empty()).find(|word| !word.starts_with(['&', '!']))?;
    if !word.starts_with(['|', '>']) || word.contains('-') {
        return None;
    }
    let at = range.start + (word.as_ptr() as usize - header.as_ptr() as usize);
    let splice = Splice { range: at..at + word.len(), text: format!("{}-", word.replace('+', "")) };
    Some((range, splice))
}

/// The last scalar of the source. Aliases and scalars in brackets do not count.
fn last_scalar(root: &Node) -> Option<&Node> {
    let mut node = root;
    loop {
        let item = match node.content() {
            _ if node.is_flow() => return None,
            Content::Scalar(_) => return Some(node),
            Content::List(items) => items.last()?,
            Content::Map(map) => {
                let last = map.entries().iter().rev().find(|entry| !entry.merged).map(|entry| &entry.item)?;
                if map.merge_keys().last().is_some_and(|merge| merge.span.end > last.span().end) {
                    return None;
                }
                last
            }
        };
        if item.is_alias() {
            return None;
        }
        node = item.node();
    }
}
