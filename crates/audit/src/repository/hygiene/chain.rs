//! [`Chain`]: the sources of one key in the order of the levels, and which of them can be removed.

use hieratic::Value;

use super::worlds::{What, World};

/// A place that has a key, or may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Link {
    /// This file has it.
    Always(usize),
    /// This file has it, and may be read. Of links with the same number, one counts at most.
    Maybe(usize, Option<u32>),
    /// It may have the key, with any value.
    Unseen,
    /// The parameter's default counts.
    Default,
}

impl Link {
    /// The file.
    pub(super) fn file(self) -> Option<usize> {
        match self {
            Link::Always(file) | Link::Maybe(file, _) => Some(file),
            Link::Unseen | Link::Default => None,
        }
    }
}

/// Why an entry can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// This file is above it.
    Above(usize),
    /// This file has the same value below it.
    Below(usize),
    /// The parameter's default is the same.
    Default,
}

/// The sources of one key, in lookup order.
pub(super) type Chain = Vec<Link>;

/// The links of a key in a list of sources; `has` reports whether a file has the key.
pub(super) fn of_world(world: &World, module: Option<usize>, has: &dyn Fn(usize) -> bool) -> Chain {
    let asked = world.places.iter().filter(|place| place.module.is_none() || place.module == module);
    asked
        .filter_map(|place| match place.what {
            What::File(file) => has(file).then_some(Link::Always(file)),
            What::Maybe(file, group) => has(file).then_some(Link::Maybe(file, group)),
            What::Unseen => Some(Link::Unseen),
        })
        .collect()
}

/// The values of a key, by file, and the default of its parameter.
pub(super) struct Values<'v> {
    /// The value in a file.
    pub(super) of_file: &'v dyn Fn(usize) -> Option<&'v Value>,
    /// The default.
    pub(super) default: Option<&'v Value>,
    /// Whether values may be merged, so that a value counts although another one is above it.
    pub(super) may_merge: bool,
}

impl<'v> Values<'v> {
    fn of(&self, link: Link) -> Option<&'v Value> {
        match link {
            Link::Always(file) | Link::Maybe(file, _) => (self.of_file)(file),
            Link::Default => self.default,
            Link::Unseen => None,
        }
    }
}

/// The effect of an entry in a chain without the entries that are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// The chain does not have it.
    Absent,
    /// The answer can be another one without it.
    Needed,
    /// The answer is the same without it.
    Idle(Support),
}

/// The effect of a file's entry if the first value wins.
pub(super) fn worth(chain: &[Link], file: usize, is_out: &dyn Fn(usize) -> bool, values: &Values<'_>) -> Worth {
    let mut live = chain.iter().copied().filter(|link| !link.file().is_some_and(is_out));
    let group = loop {
        match live.next() {
            None => return Worth::Absent,
            Some(Link::Always(own)) if own == file => break None,
            Some(Link::Maybe(own, group)) if own == file => break group,
            // Every node that reads the file reads this one first, provided that the rest of the chain contains the
            // file.
            Some(Link::Always(above)) => {
                return match live.any(|link| link.file() == Some(file)) {
                    true => Worth::Idle(Support::Above(above)),
                    false => Worth::Absent,
                };
            }
            Some(Link::Maybe(..) | Link::Unseen | Link::Default) => {}
        }
    };
    let Some(own) = (values.of_file)(file) else { return Worth::Needed };
    for link in live {
        match link {
            link if link.file() == Some(file) => {}
            // A node that reads the one reads not the other.
            Link::Maybe(_, other) if other.is_some() && other == group => {}
            Link::Unseen => return Worth::Needed,
            // The order of keys counts: code that goes through a hash sees it.
            link if !values.of(link).is_some_and(|value| value.is_same_in_order(own)) => return Worth::Needed,
            Link::Always(below) => return Worth::Idle(Support::Below(below)),
            Link::Default => return Worth::Idle(Support::Default),
            Link::Maybe(..) => {}
        }
    }
    Worth::Needed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worth of the first file where the files have these values.
    fn of(chain: &[Link], values: &[i64], file: usize) -> Worth {
        let values: Vec<Value> = values.iter().map(|value| Value::from(*value)).collect();
        let default = Value::from(9);
        let values = Values { of_file: &|file| values.get(file), default: Some(&default), may_merge: false };
        worth(chain, file, &|_| false, &values)
    }

    #[test]
    fn an_entry_is_idle_if_it_is_hidden_or_repeats() {
        use Link::{Always, Default, Maybe, Unseen};
        for (chain, values, file, expected) in [
            (vec![Always(0), Always(1)], vec![1, 2], 1, Worth::Idle(Support::Above(0))),
            (vec![Always(0), Always(1)], vec![1, 2], 0, Worth::Needed),
            (vec![Always(0), Always(1)], vec![1, 1], 0, Worth::Idle(Support::Below(1))),
            (vec![Always(0), Maybe(1, None), Always(2)], vec![1, 2, 1], 0, Worth::Needed),
            (vec![Always(0), Maybe(1, None), Always(2)], vec![1, 1, 1], 0, Worth::Idle(Support::Below(2))),
            (vec![Maybe(0, Some(1)), Maybe(1, Some(1)), Always(2)], vec![1, 2, 1], 0, Worth::Idle(Support::Below(2))),
            (vec![Maybe(0, None), Always(1)], vec![1, 2], 1, Worth::Needed),
            (vec![Always(0), Unseen, Always(1)], vec![1, 1], 0, Worth::Needed),
            (vec![Always(0), Unseen, Always(1)], vec![1, 1], 1, Worth::Idle(Support::Above(0))),
            (vec![Unseen, Always(0), Always(1)], vec![1, 1], 0, Worth::Idle(Support::Below(1))),
            (vec![Always(0), Default], vec![9], 0, Worth::Idle(Support::Default)),
            (vec![Always(0), Default], vec![8], 0, Worth::Needed),
            (vec![Always(1)], vec![8, 8], 0, Worth::Absent),
            (vec![Always(0), Always(0), Always(1)], vec![1, 1], 0, Worth::Idle(Support::Below(1))),
        ] {
            assert_eq!(of(&chain, &values, file), expected, "{chain:?} {values:?}");
        }
    }
}
