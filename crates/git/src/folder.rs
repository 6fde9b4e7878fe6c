//! [`Folder`]: the names in a tree of git. See <https://git-scm.com/docs/git-ls-tree>.

use hieratic_budget::{Budget, Exhausted};

use crate::id::{Id, LENGTH};
use crate::names::check_name;

/// The names in a folder, sorted by their bytes.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// All names, in order: a folder may have thousands.
    text: String,
    entries: Vec<StoredEntry>,
    /// The names that are not Unicode, escaped. Files with such names cannot be read.
    pub(crate) foreign: Vec<String>,
    /// About how many bytes of memory it takes.
    pub(crate) memory: usize,
}

/// An entry of a folder. Its name is a part of the names.
#[derive(Clone, Copy, Debug)]
struct StoredEntry {
    start: u32,
    end: u32,
    kind: EntryKind,
    id: Id,
}

/// An entry of a folder: its name, kind and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FolderEntry<'f> {
    pub(crate) name: &'f str,
    pub(crate) kind: EntryKind,
    pub(crate) id: Id,
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// A folder.
    Tree,
    /// A file.
    Blob,
    /// A link.
    Link,
    /// A submodule.
    Commit,
}

impl EntryKind {
    /// The kind for the mode that git writes before a name.
    pub(crate) fn from_mode(mode: u32) -> Option<EntryKind> {
        match mode >> 12 {
            0o4 => Some(EntryKind::Tree),
            0o10 => Some(EntryKind::Blob),
            0o12 => Some(EntryKind::Link),
            0o16 => Some(EntryKind::Commit),
            _ => None,
        }
    }

    /// Returns whether it is a file or a link.
    pub(crate) fn is_file(self) -> bool {
        matches!(self, EntryKind::Blob | EntryKind::Link)
    }
}

/// The overhead of a name in bytes.
const NAME_OVERHEAD: usize = 80;

/// The reason why a folder cannot be read.
#[derive(Debug)]
pub(crate) enum FolderError {
    Damaged(String),
    Exhausted(Exhausted),
}

impl From<Exhausted> for FolderError {
    fn from(exhausted: Exhausted) -> FolderError {
        FolderError::Exhausted(exhausted)
    }
}

impl Folder {
    /// Reads a folder.
    pub(crate) fn parse(bytes: &[u8], budget: &Budget) -> Result<Folder, FolderError> {
        let mut folder = Folder { memory: Folder::memory(bytes.len()), ..Folder::default() };
        let mut rest = bytes;
        let mut is_sorted = true;
        while !rest.is_empty() {
            budget.step()?;
            let (mode, name, id) =
                entry(&mut rest).ok_or_else(|| FolderError::Damaged("it is truncated".to_owned()))?;
            check_name(name).map_err(FolderError::Damaged)?;
            let kind = mode.and_then(EntryKind::from_mode);
            let shown = || name.escape_ascii().to_string();
            let Some(kind) = kind else {
                return Err(FolderError::Damaged(format!("the entry '{}' has an unknown mode", shown())));
            };
            match std::str::from_utf8(name) {
                Ok(name) => {
                    is_sorted &= folder.entries.last().is_none_or(|last| folder.name(last) < name);
                    folder.add(name, kind, id)?;
                }
                Err(_) => folder.foreign.push(shown()),
            }
        }
        // Git sorts them a little differently, and other programs may not sort them at all.
        if !is_sorted {
            let text = std::mem::take(&mut folder.text);
            folder.entries.sort_by(|one, other| name_in(&text, one).cmp(name_in(&text, other)));
            folder.text = text;
        }
        match folder.entries.windows(2).find(|two| folder.name(&two[0]) == folder.name(&two[1])) {
            Some(two) => {
                let name = folder.name(&two[0]).escape_default();
                Err(FolderError::Damaged(format!("the name '{name}' is duplicated")))
            }
            None => Ok(folder),
        }
    }

    fn add(&mut self, name: &str, kind: EntryKind, id: Id) -> Result<(), FolderError> {
        let too_large = |_| FolderError::Damaged("its names are too long".to_owned());
        let start = u32::try_from(self.text.len()).map_err(too_large)?;
        self.text.push_str(name);
        let end = u32::try_from(self.text.len()).map_err(too_large)?;
        self.entries.push(StoredEntry { start, end, kind, id });
        Ok(())
    }

    fn name(&self, entry: &StoredEntry) -> &str {
        name_in(&self.text, entry)
    }

    fn entry(&self, stored: &StoredEntry) -> FolderEntry<'_> {
        FolderEntry { name: self.name(stored), kind: stored.kind, id: stored.id }
    }

    /// The number of its names.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Its entries, sorted by their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = FolderEntry<'_>> {
        self.entries.iter().map(|stored| self.entry(stored))
    }

    /// The entry with a number.
    pub(crate) fn at(&self, index: usize) -> Option<FolderEntry<'_>> {
        self.entries.get(index).map(|stored| self.entry(stored))
    }

    /// The entry with a name.
    pub(crate) fn get(&self, name: &str) -> Option<FolderEntry<'_>> {
        let at = self.entries.binary_search_by(|one| self.name(one).cmp(name)).ok()?;
        self.at(at)
    }

    /// The memory for the names of a tree object of some size, in bytes.
    pub(crate) fn memory(bytes: usize) -> usize {
        // Each name has a number, a space, a zero and the name of an object, and one byte at least.
        bytes.saturating_add((bytes / (LENGTH + 8)).saturating_mul(NAME_OVERHEAD))
    }
}

/// The name of an entry: a part of the names.
fn name_in<'t>(text: &'t str, entry: &StoredEntry) -> &'t str {
    // Entries are made of whole names.
    text.get(entry.start as usize..entry.end as usize).unwrap_or_default()
}

/// The next entry: its mode if that is a number, its name, and its object.
pub(crate) fn entry<'b>(bytes: &mut &'b [u8]) -> Option<(Option<u32>, &'b [u8], Id)> {
    let space = bytes.iter().take(8).position(|byte| *byte == b' ')?;
    let mode = std::str::from_utf8(bytes.get(..space)?).ok().and_then(|mode| u32::from_str_radix(mode, 8).ok());
    let rest = bytes.get(space + 1..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    let (name, rest) = (rest.get(..end)?, rest.get(end + 1..)?);
    let id = Id::at_start(rest)?;
    *bytes = rest.get(LENGTH..)?;
    Some((mode, name, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let one = |(mode, name): &(&str, &[u8])| [mode.as_bytes(), b" ", name, b"\0", &[7; 20]].concat();
        entries.iter().flat_map(one).collect()
    }

    #[test]
    fn folders_are_read_and_checked() {
        let parse = |entries: &[(&str, &[u8])]| Folder::parse(&tree(entries), &Budget::default());
        let folder = parse(&[("40000", b"b"), ("100644", b"b.c"), ("120000", b"a"), ("100644", b"\xff")]).unwrap();
        let names: Vec<(&str, EntryKind)> = folder.iter().map(|one| (one.name, one.kind)).collect();
        assert_eq!(names, [("a", EntryKind::Link), ("b", EntryKind::Tree), ("b.c", EntryKind::Blob)]);
        assert_eq!(folder.foreign, ["\\xff"]);
        assert!(folder.get("b").is_some() && folder.get("c").is_none());
        let wrong: [&[(&str, &[u8])]; 7] = [
            &[("100644", b"..")],
            &[("40000", b".GIT")],
            &[("100644", b"a/b")],
            &[("100644", b"")],
            &[("20000", b"a")],
            &[("x", b"a")],
            &[("100644", b"a"), ("40000", b"a")],
        ];
        for entries in wrong {
            assert!(matches!(parse(entries), Err(FolderError::Damaged(_))), "{entries:?}");
        }
        let whole = tree(&[("100644", b"a")]);
        for end in 1..whole.len() {
            assert!(Folder::parse(&whole[..end], &Budget::default()).is_err(), "{end}");
        }
    }
}
