//! [`Chain`]: the sources of one key in the order of the levels, and the ones that can be removed.

use hieratic::Value;

use super::lookup_paths::{ReadSet, SourceKind};

/// A place that has a key, or may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ChainLink {
    /// This file has it.
    Always(usize),
    /// This file has it, and may be read. Of links with the same number, one counts at most.
    Maybe(usize, Option<u32>),
    /// It may have the key, with any value.
    Unknown,
    /// The parameter's default counts.
    Default,
}

impl ChainLink {
    /// The file.
    pub(crate) fn file(self) -> Option<usize> {
        match self {
            ChainLink::Always(file) | ChainLink::Maybe(file, _) => Some(file),
            ChainLink::Unknown | ChainLink::Default => None,
        }
    }
}

/// The reason why an entry is removable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemovalCause {
    /// This file is above it.
    Above(usize),
    /// This file has the same value below it.
    Below(usize),
    /// The parameter's default is the same.
    Default,
}

/// The sources of one key, in lookup order.
pub(crate) type Chain = Vec<ChainLink>;

/// The links of a key in a list of sources; `has` reports whether a file has the key.
pub(crate) fn chain_of(read_set: &ReadSet, module: Option<usize>, has: &dyn Fn(usize) -> bool) -> Chain {
    let places = read_set.places.iter().filter(|place| place.module.is_none() || place.module == module);
    places
        .filter_map(|place| match place.kind {
            SourceKind::File(file) => has(file).then_some(ChainLink::Always(file)),
            SourceKind::Maybe(file, group) => has(file).then_some(ChainLink::Maybe(file, group)),
            SourceKind::Unknown => Some(ChainLink::Unknown),
        })
        .collect()
}

/// The values of a key, by file, and the default of its parameter.
pub(crate) struct Values<'v> {
    /// The value in a file.
    pub(crate) of_file: &'v dyn Fn(usize) -> Option<&'v Value>,
    /// The default.
    pub(crate) default: Option<&'v Value>,
    /// Whether values may be merged, so that a value counts although another one is above it.
    pub(crate) may_merge: bool,
}

impl<'v> Values<'v> {
    fn value(&self, link: ChainLink) -> Option<&'v Value> {
        match link {
            ChainLink::Always(file) | ChainLink::Maybe(file, _) => (self.of_file)(file),
            ChainLink::Default => self.default,
            ChainLink::Unknown => None,
        }
    }
}

/// The effect of an entry in a chain without the entries that are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryEffect {
    /// The chain does not have it.
    Absent,
    /// The answer can be another one without it.
    Needed,
    /// The answer is the same without it.
    Idle(RemovalCause),
}

/// The effect of the entry of a file, which is in the chain, if the first value wins. Of a long chain, only the links up
/// to the first one that counts are looked at.
pub(crate) fn entry_effect(
    chain: &[ChainLink],
    file: usize,
    is_out: &dyn Fn(usize) -> bool,
    values: &Values<'_>,
) -> EntryEffect {
    let mut live = chain.iter().copied().filter(|link| !link.file().is_some_and(is_out));
    let group = loop {
        match live.next() {
            None => return EntryEffect::Absent,
            Some(ChainLink::Always(own)) if own == file => break None,
            Some(ChainLink::Maybe(own, group)) if own == file => break group,
            // Every node that reads the file, which is further below, reads this one first.
            Some(ChainLink::Always(above)) => return EntryEffect::Idle(RemovalCause::Above(above)),
            Some(ChainLink::Maybe(..) | ChainLink::Unknown | ChainLink::Default) => {}
        }
    };
    let Some(own) = (values.of_file)(file) else { return EntryEffect::Needed };
    for link in live {
        match link {
            link if link.file() == Some(file) => {}
            // A node that reads the one reads not the other.
            ChainLink::Maybe(_, other) if other.is_some() && other == group => {}
            ChainLink::Unknown => return EntryEffect::Needed,
            // The order of keys counts: code that iterates over a hash sees it.
            link if !values.value(link).is_some_and(|value| value.is_same_in_order(own)) => return EntryEffect::Needed,
            ChainLink::Always(below) => return EntryEffect::Idle(RemovalCause::Below(below)),
            ChainLink::Default => return EntryEffect::Idle(RemovalCause::Default),
            ChainLink::Maybe(..) => {}
        }
    }
    EntryEffect::Needed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The effect of the first file if the files have these values.
    fn new(chain: &[ChainLink], values: &[i64], file: usize) -> EntryEffect {
        let values: Vec<Value> = values.iter().map(|value| Value::from(*value)).collect();
        let default = Value::from(9);
        let values = Values { of_file: &|file| values.get(file), default: Some(&default), may_merge: false };
        if !chain.iter().any(|link| link.file() == Some(file)) {
            return EntryEffect::Absent;
        }
        entry_effect(chain, file, &|_| false, &values)
    }

    #[test]
    fn an_overridden_or_repeated_entry_is_idle() {
        use ChainLink::{Always, Default, Maybe, Unknown};
        for (chain, values, file, expected) in [
            (vec![Always(0), Always(1)], vec![1, 2], 1, EntryEffect::Idle(RemovalCause::Above(0))),
            (vec![Always(0), Always(1)], vec![1, 2], 0, EntryEffect::Needed),
            (vec![Always(0), Always(1)], vec![1, 1], 0, EntryEffect::Idle(RemovalCause::Below(1))),
            (vec![Always(0), Maybe(1, None), Always(2)], vec![1, 2, 1], 0, EntryEffect::Needed),
            (vec![Always(0), Maybe(1, None), Always(2)], vec![1, 1, 1], 0, EntryEffect::Idle(RemovalCause::Below(2))),
            (
                vec![Maybe(0, Some(1)), Maybe(1, Some(1)), Always(2)],
                vec![1, 2, 1],
                0,
                EntryEffect::Idle(RemovalCause::Below(2)),
            ),
            (vec![Maybe(0, None), Always(1)], vec![1, 2], 1, EntryEffect::Needed),
            (vec![Always(0), Unknown, Always(1)], vec![1, 1], 0, EntryEffect::Needed),
            (vec![Always(0), Unknown, Always(1)], vec![1, 1], 1, EntryEffect::Idle(RemovalCause::Above(0))),
            (vec![Unknown, Always(0), Always(1)], vec![1, 1], 0, EntryEffect::Idle(RemovalCause::Below(1))),
            (vec![Always(0), Default], vec![9], 0, EntryEffect::Idle(RemovalCause::Default)),
            (vec![Always(0), Default], vec![8], 0, EntryEffect::Needed),
            (vec![Always(1)], vec![8, 8], 0, EntryEffect::Absent),
            (vec![Always(0), Always(0), Always(1)], vec![1, 1], 0, EntryEffect::Idle(RemovalCause::Below(1))),
        ] {
            assert_eq!(new(&chain, &values, file), expected, "{chain:?} {values:?}");
        }
    }
}
