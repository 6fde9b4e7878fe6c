//! The objects of a repository: folders as nobody would write them, commits, tags.

use std::collections::BTreeMap;
use std::io::Write;

use sha1::{Digest, Sha1};

use crate::random::Random;
use crate::repository::File;

/// The name of an object.
pub(super) type Id = [u8; 20];
/// What is in a folder: its mode, its name, and its object.
pub(super) type Entry = (&'static str, Vec<u8>, Id);

/// The objects of a repository, in the order in which they were made.
#[derive(Default)]
pub(super) struct Objects {
    pub(super) all: Vec<(Id, &'static str, Vec<u8>)>,
    /// Whether folders have what nobody would put there.
    pub(super) has_unusual: bool,
}

pub(super) fn hash(kind: &str, bytes: &[u8]) -> Id {
    Sha1::new_with_prefix(format!("{kind} {}\0", bytes.len())).chain_update(bytes).finalize().into()
}

pub(super) fn hex(id: Id) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    // Memory takes all that is written to it.
    let _ = packed.write_all(bytes);
    packed.finish().unwrap_or_default()
}

impl Objects {
    fn add(&mut self, kind: &'static str, bytes: Vec<u8>) -> Id {
        let id = hash(kind, &bytes);
        if !self.all.iter().any(|(known, ..)| *known == id) {
            self.all.push((id, kind, bytes));
        }
        id
    }

    pub(super) fn tree(&mut self, entries: &[Entry]) -> Id {
        let one = |(mode, name, id): &Entry| [mode.as_bytes(), b" ", name, b"\0", id.as_slice()].concat();
        self.add("tree", entries.iter().flat_map(one).collect())
    }

    /// The tree of some files, with what nobody would put there now and then.
    pub(super) fn tree_of(&mut self, files: &[File], random: &mut Random) -> Id {
        let mut folders: BTreeMap<String, Vec<Entry>> = BTreeMap::from([(String::new(), Vec::new())]);
        for file in files {
            let content = file.link.as_ref().map_or(&*file.bytes, |link| link.as_bytes());
            let id = self.add("blob", content.to_vec());
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let mode = if file.link.is_some() { "120000" } else { "100644" };
            folders.entry(folder.to_owned()).or_default().push((mode, name.as_bytes().to_vec(), id));
            for (at, _) in folder.match_indices('/') {
                folders.entry(folder[..at].to_owned()).or_default();
            }
        }
        if self.has_unusual && random.once_in(2) {
            let unusual = self.unusual(random);
            let at = random.below(folders.len());
            if let Some(entries) = folders.values_mut().nth(at) {
                entries.push(unusual);
            }
        }
        // The deepest first.
        let mut names: Vec<String> = folders.keys().cloned().collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.matches('/').count() + usize::from(!name.is_empty())));
        let mut root = [0; 20];
        for name in names {
            let mut entries = folders.remove(&name).unwrap_or_default();
            entries.sort_by(|one, other| one.1.cmp(&other.1));
            let id = self.tree(&entries);
            let Some(parent) = name.rsplit_once('/').map(|(parent, _)| parent).or((!name.is_empty()).then_some(""))
            else {
                root = id;
                continue;
            };
            let last = name.rsplit('/').next().unwrap_or(&name).as_bytes().to_vec();
            folders.entry(parent.to_owned()).or_default().push(("40000", last, id));
        }
        root
    }

    /// Folders of so many names that lie in each other, each of which is the same one.
    pub(super) fn bomb(&mut self, width: usize, depth: usize, name: &str, text: &str) -> Id {
        let leaf = self.add("blob", text.as_bytes().to_vec());
        let names: Vec<Vec<u8>> = (0..width).map(|number| format!("{name}{number}").into_bytes()).collect();
        let mut tree = self.tree(&names.iter().map(|name| ("100644", name.clone(), leaf)).collect::<Vec<_>>());
        for _ in 0..depth {
            tree = self.tree(&names.iter().map(|name| ("40000", name.clone(), tree)).collect::<Vec<_>>());
        }
        tree
    }

    fn unusual(&mut self, random: &mut Random) -> Entry {
        const NAMES: [&[u8]; 12] =
            [b"..", b".", b"", b".git", b".GIT", b"a/b", b"a\\b", b"\xff", b"data", b"hiera.yaml", b"git~1", b"x"];
        const MODES: [&str; 8] = ["100644", "40000", "120000", "160000", "20000", "0", "777777777", "x"];
        if random.once_in(2) {
            let (width, depth) = (2 + random.below(12), random.below(14));
            let tree = self.bomb(width, depth, "n", &format!("a: {}\n", random.below(9)));
            return ("40000", b"data".to_vec(), tree);
        }
        if random.once_in(4) {
            let mut tree = self.tree(&[]);
            for _ in 0..random.size(600) {
                tree = self.tree(&[("40000", b"d".to_vec(), tree)]);
            }
            return ("40000", b"deep".to_vec(), tree);
        }
        let id = self.all.get(random.below(self.all.len())).map_or([7; 20], |(id, ..)| *id);
        if random.once_in(6) {
            return ("100644", vec![b'n'; random.size(100_000)], id);
        }
        let (mode, name) = (random.one(&MODES), random.one(&NAMES));
        (mode.copied().unwrap_or("100644"), name.copied().unwrap_or(b"x").to_vec(), id)
    }

    pub(super) fn commit(&mut self, tree: Id, parents: &[Id], number: usize) -> Id {
        let parents: String = parents.iter().map(|parent| format!("parent {}\n", hex(*parent))).collect();
        let who = format!("A <a@example.com> {number} +0000");
        let text = format!("tree {}\n{parents}author {who}\ncommitter {who}\n\nChange {number}\n", hex(tree));
        self.add("commit", text.into_bytes())
    }

    /// Tags that stand for each other, and commits with many parents.
    pub(super) fn tags(&mut self, head: Id, random: &mut Random) -> Id {
        let mut id = head;
        if random.once_in(2) {
            let parents: Vec<Id> = (0..random.size(2_000)).map(|_| head).collect();
            id = self.commit(self.all.first().map_or(head, |(id, ..)| *id), &parents, 1);
        }
        for _ in 0..random.size(150) {
            id = self.add("tag", format!("object {}\ntype commit\ntag a\n", hex(id)).into_bytes());
        }
        if random.once_in(8) {
            let mut large = format!("object {}\ntype commit\ntag a\n\n", hex(id)).into_bytes();
            large.resize(large.len() + random.size(20_000_000), b'x');
            id = self.add("tag", large);
        }
        id
    }
}
