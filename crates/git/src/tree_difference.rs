//! [`TreeDifference`]: the entries in which two trees of git differ.
//!
//! Most commits change one entry of a folder with hundreds. The common prefix and suffix of both trees are compared as
//! bytes, and only the entries between them are parsed.

use std::cmp::Ordering;
use std::ffi::CStr;
use std::str;
use std::sync::Arc;

use hieratic_budget::Budget;

use crate::common::common_start;
use crate::error::Error;
use crate::folder::{self, EntryKind};
use crate::id::{Id, LENGTH};
use crate::names::check_name;
use crate::objects::ObjectKind;
use crate::repository::Repository;

/// The bytes of a tree while it is compared. Their memory is given back when they go.
pub(crate) struct TreeBytes<'b> {
    pub(crate) bytes: Arc<[u8]>,
    budget: &'b Budget,
}

impl<'b> TreeBytes<'b> {
    /// Reads a tree. Without an id, the tree is empty.
    pub(crate) fn read(repository: &'b Repository, id: Option<Id>) -> Result<TreeBytes<'b>, Error> {
        let budget = repository.budget();
        let bytes = match id {
            Some(id) => repository.read(id, ObjectKind::Tree, u64::MAX)?,
            None => Arc::default(),
        };
        budget.bytes(bytes.len())?;
        Ok(TreeBytes { bytes, budget })
    }
}

impl Drop for TreeBytes<'_> {
    fn drop(&mut self) {
        self.budget.give_back(0, self.bytes.len());
    }
}

/// The kind and the id of an entry; `None` if it is missing.
pub(crate) type Side = Option<(EntryKind, Id)>;

/// The entries in which two trees differ.
#[derive(Debug, Default)]
pub(crate) struct TreeDifference<'t> {
    /// The names and both sides, in the order of the bytes of the names.
    pub(crate) entries: Vec<(&'t [u8], [Side; 2])>,
    /// The number of entries that were passed.
    pub(crate) passed: u64,
}

/// An entry of a tree that differs.
#[derive(Clone, Copy)]
struct Entry<'t> {
    name: &'t [u8],
    kind: EntryKind,
    id: Id,
}

impl<'t> TreeDifference<'t> {
    /// Compares two trees. `None` if an entry that differs is not as git writes it: reading the tree as a whole says why.
    pub(crate) fn new(base: &'t [u8], head: &'t [u8]) -> Option<TreeDifference<'t>> {
        let (mut rest, mut passed) = ([base, head], 0);
        let mut differing: [Vec<Entry<'t>>; 2] = [Vec::new(), Vec::new()];
        loop {
            let (start, before) = first_difference(rest[0], rest[1])?;
            rest = [rest[0].get(start..)?, rest[1].get(start..)?];
            passed += before + 1;
            if rest == [&[], &[]] {
                break;
            }
            let [mut after_base, mut after_head] = rest;
            let next = |side: usize, after: &mut &'t [u8]| match rest[side] {
                [] => Some(None),
                _ => entry(after).map(Some),
            };
            let (base, head) = (next(0, &mut after_base)?, next(1, &mut after_head)?);
            // An entry that is passed on one side alone is compared with those that come later on the other side.
            let order = match (&base, &head) {
                (Some(base), Some(head)) => base.order(head),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            if order != Ordering::Greater {
                differing[0].extend(base);
                rest[0] = after_base;
            }
            if order != Ordering::Less {
                differing[1].extend(head);
                rest[1] = after_head;
            }
        }
        let [base, head] = differing.map(sorted);
        Some(TreeDifference { entries: joined(&base?, &head?), passed })
    }
}

impl Entry<'_> {
    /// The order in a tree, in which a folder has a slash after its name.
    fn order(&self, other: &Entry<'_>) -> Ordering {
        let end = |entry: &Entry<'_>| if entry.kind == EntryKind::Tree { b'/' } else { 0 };
        let shorter = self.name.len().min(other.name.len());
        let next = |entry: &Entry<'_>| entry.name.get(shorter).copied().unwrap_or(end(entry));
        let start = self.name.get(..shorter).cmp(&other.name.get(..shorter));
        start.then_with(|| next(self).cmp(&next(other))).then_with(|| self.name.len().cmp(&other.name.len()))
    }
}

/// The offset of the first entry in which two trees differ, and the number of entries before it.
fn first_difference(base: &[u8], head: &[u8]) -> Option<(usize, u64)> {
    let equal = common_start(base, head);
    let (mut start, mut passed) = (0, 0);
    // Ids have any bytes, so that entries are found from the beginning on alone.
    while let Some(length) = length(base.get(start..)?).filter(|length| start + length <= equal) {
        start += length;
        passed += 1;
    }
    Some((start, passed))
}

/// The length of the first entry of a tree; `None` if there is none, or it is truncated.
fn length(tree: &[u8]) -> Option<usize> {
    // It is followed by a zero and an id.
    let length = CStr::from_bytes_until_nul(tree).ok()?.count_bytes() + 1 + LENGTH;
    (length <= tree.len()).then_some(length)
}

/// The next entry of a tree, if it is as git writes it.
fn entry<'t>(tree: &mut &'t [u8]) -> Option<Entry<'t>> {
    let (mode, name, id) = folder::entry(tree)?;
    check_name(name).ok()?;
    Some(Entry { name, kind: EntryKind::from_mode(mode?)?, id })
}

/// Entries in the order of the bytes of their names. `None` if a name is duplicated.
fn sorted(mut entries: Vec<Entry<'_>>) -> Option<Vec<Entry<'_>>> {
    entries.sort_by_key(|entry| entry.name);
    entries.windows(2).all(|two| two[0].name != two[1].name).then_some(entries)
}

/// The names of sorted entries of both sides, without those that are equal.
fn joined<'t>(mut base: &[Entry<'t>], mut head: &[Entry<'t>]) -> Vec<(&'t [u8], [Side; 2])> {
    let mut joined = Vec::new();
    while let Some(name) = base.first().into_iter().chain(head.first()).map(|entry| entry.name).min() {
        let take = |side: &mut &[Entry<'t>]| {
            let (first, rest) = side.split_first().filter(|(first, _)| first.name == name)?;
            *side = rest;
            Some((first.kind, first.id))
        };
        let sides = [take(&mut base), take(&mut head)];
        if sides[0] != sides[1] {
            joined.push((name, sides));
        }
    }
    joined
}

/// The name of an entry, if it is Unicode: others cannot be read.
pub(crate) fn readable_name(name: &[u8]) -> Option<&str> {
    str::from_utf8(name).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::folder::Folder;

    /// The entries of a tree: modes, names, and a byte of which the id consists.
    type Entries<'e> = &'e [(&'e str, &'e str, u8)];

    fn tree(entries: Entries<'_>) -> Vec<u8> {
        let one =
            |(mode, name, id): &(&str, &str, u8)| [mode.as_bytes(), b" ", name.as_bytes(), b"\0", &[*id; 20]].concat();
        entries.iter().flat_map(one).collect()
    }

    /// The difference as a comparison of whole folders finds it.
    fn expected(base: &[u8], head: &[u8]) -> Vec<(String, [Side; 2])> {
        let mut sides: BTreeMap<String, [Side; 2]> = BTreeMap::new();
        for (side, tree) in [base, head].into_iter().enumerate() {
            for entry in Folder::parse(tree, &Budget::default()).unwrap().iter() {
                sides.entry(entry.name.to_owned()).or_default()[side] = Some((entry.kind, entry.id));
            }
        }
        sides.into_iter().filter(|(_, sides)| sides[0] != sides[1]).collect()
    }

    fn found(base: &[u8], head: &[u8]) -> Vec<(String, [Side; 2])> {
        let difference = TreeDifference::new(base, head).unwrap();
        difference.entries.iter().map(|(name, sides)| (readable_name(name).unwrap().to_owned(), *sides)).collect()
    }

    #[test]
    fn differences_are_those_of_whole_folders() {
        // Folders, files and names of which one begins with another, in the order of git.
        let all =
            [("100644", "a"), ("100644", "a-b"), ("40000", "a.d"), ("100644", "b"), ("40000", "c"), ("120000", "d")];
        let mut trees: Vec<Vec<u8>> = Vec::new();
        for chosen in 0..1_u32 << all.len() {
            for (id, kind) in [(1, false), (2, false), (2, true)] {
                let mut entries: Vec<(&str, &str, u8)> = Vec::new();
                for (at, (mode, name)) in all.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1) {
                    // Some contents differ, and a file is in the place of a folder.
                    let mode = if kind && at == 0 { "40000" } else { mode };
                    entries.push((mode, name, if at % 2 == 0 { id } else { 1 }));
                }
                entries.sort_by_key(|(mode, name, _)| format!("{name}{}", if *mode == "40000" { "/" } else { "\0" }));
                trees.push(tree(&entries));
            }
        }
        for (number, base) in trees.iter().enumerate() {
            for head in trees.iter().skip(number % 5).step_by(5) {
                assert_eq!(found(base, head), expected(base, head));
            }
        }
    }

    #[test]
    fn order_in_a_tree_does_not_matter() {
        let base = tree(&[("100644", "c", 1), ("100644", "a", 1), ("100644", "b", 1)]);
        let head = tree(&[("100644", "a", 2), ("100644", "b", 1), ("100644", "c", 1)]);
        assert_eq!(found(&base, &head), expected(&base, &head));
        assert_eq!(found(&base, &head).len(), 1);
    }

    #[test]
    fn each_entry_is_passed_once() {
        let names: Vec<String> = (0..900).map(|number| format!("{number:04}")).collect();
        let all = |id: u8| -> Vec<u8> {
            let one =
                |name: &String| tree(&[("100644", name, if matches!(&**name, "0007" | "0890") { id } else { 1 })]);
            names.iter().flat_map(one).collect()
        };
        let (base, head) = (all(1), all(2));
        let difference = TreeDifference::new(&base, &head).unwrap();
        assert!(difference.entries.len() == 2 && difference.passed <= 903, "{}", difference.passed);
    }

    #[test]
    fn objects_that_git_never_writes_are_refused() {
        let base = tree(&[("100644", "a", 1)]);
        let wrong: [Entries<'_>; 4] = [
            &[("100644", "a", 1), ("100644", "..", 1)],
            &[("100644", "a", 1), ("20000", "b", 1)],
            &[("x", "a", 1)],
            &[("100644", "b", 1), ("100644", "b", 2)],
        ];
        for entries in wrong {
            assert!(TreeDifference::new(&base, &tree(entries)).is_none(), "{entries:?}");
        }
        let whole = tree(&[("100644", "a", 1), ("100644", "b", 1)]);
        for end in base.len() + 1..whole.len() {
            assert!(TreeDifference::new(&base, &whole[..end]).is_none(), "{end}");
        }
    }
}
