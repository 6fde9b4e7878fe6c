//! Standalone comments, which are printed between items.

use hieratic_value::collections::HashSet;

use crate::token::Token;
use crate::tree::{File, Item, Value};

/// Comment groups that stand alone, in order.
pub(super) struct StandaloneComments<'f>(Vec<&'f [Token]>);

impl<'f> StandaloneComments<'f> {
    pub(super) fn new(file: &'f File) -> Self {
        let mut used = HashSet::default();
        file.items.iter().for_each(|item| collect_item(item, &mut used));
        let alone = file.comments.iter().enumerate().filter(|(index, _)| !used.contains(index));
        StandaloneComments(alone.map(|(_, group)| group.0.as_slice()).collect())
    }

    /// The groups after one byte, and before another. At the start of the file nothing is before them.
    pub(super) fn between(&self, after: Option<usize>, before: usize) -> &[&'f [Token]] {
        let start = |group: &&[Token]| group.first().map_or(0, |comment| comment.place.offset);
        let first = self.0.partition_point(|group| after.is_some_and(|after| start(group) <= after));
        let rest = self.0.get(first..).unwrap_or_default();
        let count = rest.partition_point(|group| start(group) < before);
        rest.get(..count).unwrap_or_default()
    }
}

fn collect_item(item: &Item, used: &mut HashSet<usize>) {
    used.extend(item.lead_comment);
    used.extend(item.line_comment);
    collect(&item.value, used);
}

fn collect(value: &Value, used: &mut HashSet<usize>) {
    // The parser has limited the depth.
    stacker::maybe_grow(64 << 10, 1 << 20, || match value {
        Value::Literal(literal) => {
            used.extend(literal.lead_comment);
            used.extend(literal.line_comment);
        }
        Value::List(list) => list.values.iter().for_each(|value| collect(value, used)),
        Value::Object(object) => object.items.iter().for_each(|item| collect_item(item, used)),
    });
}
