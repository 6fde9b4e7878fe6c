//! Repositories of git around the files, which no git has written: damaged, lying, enormous where they are unpacked, leading elsewhere.

use std::collections::BTreeMap;
use std::io::Write;

use sha1::{Digest, Sha1};

use crate::random::Random;
use crate::repository::{File, Repository};

/// The name of an object.
type Id = [u8; 20];
/// What is in a folder: its mode, its name, and its object.
type Entry = (&'static str, Vec<u8>, Id);

/// The objects of a repository, in the order in which they were made.
#[derive(Default)]
struct Objects {
    all: Vec<(Id, &'static str, Vec<u8>)>,
}

/// Adds a repository of git with a few commits, of which the last has about the files that are there.
pub(crate) fn add(repository: &mut Repository, random: &mut Random) {
    let mut objects = Objects::default();
    let files: Vec<File> = repository.files.iter().filter(|file| !file.path.starts_with(".git/")).cloned().collect();
    let mut commits: Vec<Id> = Vec::new();
    let count = 2 + random.below(4);
    for number in 0..count {
        let mut then = files.clone();
        for _ in 0..count - 1 - number {
            let at = random.below(then.len());
            let text = format!("port: {}\n", random.below(100));
            match then.get_mut(at) {
                Some(file) if random.once_in(2) => file.bytes = text.into_bytes(),
                Some(_) => drop(then.swap_remove(at)),
                None => {}
            }
        }
        let tree = objects.tree_of(&then, random);
        let parents: Vec<Id> = commits.last().copied().into_iter().collect();
        commits.push(objects.commit(tree, &parents, number));
    }
    if random.once_in(8) {
        for number in 0..random.size(400) {
            let tree = objects.tree(&[("100644", b"data.yaml".to_vec(), hash("blob", &[b'a'; 8][..number % 8]))]);
            commits.push(objects.commit(tree, &commits.last().copied().into_iter().collect::<Vec<_>>(), number));
        }
    }
    let mut head = commits.last().copied().unwrap_or_default();
    if random.once_in(6) {
        head = tags(&mut objects, head, random);
    }
    if random.once_in(6) && !objects.all.is_empty() {
        // Some are missing.
        for _ in 0..=random.below(3) {
            objects.all.swap_remove(random.below(objects.all.len()));
        }
    }
    let mut git = Repository::default();
    let branch = hex(head);
    git.put(File::new(".git/HEAD", "ref: refs/heads/main\n"));
    git.put(File::new(".git/config", config(random)));
    match random.once_in(3) {
        true => git.put(File::new(".git/packed-refs", format!("# pack-refs with: peeled\n{branch} refs/heads/main\n"))),
        false => git.put(File::new(".git/refs/heads/main", format!("{branch}\n"))),
    }
    git.put(File::new(".git/refs/heads/other", format!("{}\n", hex(commits.first().copied().unwrap_or_default()))));
    git.put(File::new(".git/objects/info/packs", ""));
    git.put(File::new(".git/index", index(&files, random)));
    if random.once_in(10) {
        git.put(File::new(".git/shallow", format!("{}\n", hex(commits.last().copied().unwrap_or_default()))));
    }
    if random.once_in(8) {
        const PLACES: [&str; 6] = ["../objects", ".", "/proc/self", "../../..", "../../../../../etc", "\"a\""];
        let place = random.one(&PLACES).copied().unwrap_or_default();
        git.put(File::new(".git/objects/info/alternates", format!("{place}\n")));
    }
    let packed = random.below(objects.all.len() + 1);
    let loose = if random.once_in(2) { objects.all.len() } else { packed };
    for (id, kind, bytes) in objects.all.iter().take(loose) {
        git.put(loose_object(id, kind, bytes, random));
    }
    if loose < objects.all.len() || random.once_in(4) {
        let (pack, index) = pack(&objects.all[loose.min(packed)..], random);
        git.put(File::new(".git/objects/pack/pack-a.pack", pack));
        git.put(File::new(".git/objects/pack/pack-a.idx", index));
    }
    for _ in 0..random.below(4) {
        damage(&mut git, random);
    }
    repository.files.extend(git.files);
}

fn hash(kind: &str, bytes: &[u8]) -> Id {
    Sha1::new_with_prefix(format!("{kind} {}\0", bytes.len())).chain_update(bytes).finalize().into()
}

fn hex(id: Id) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
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

    fn tree(&mut self, entries: &[Entry]) -> Id {
        let one = |(mode, name, id): &Entry| [mode.as_bytes(), b" ", name, b"\0", id.as_slice()].concat();
        self.add("tree", entries.iter().flat_map(one).collect())
    }

    /// The tree of some files, with what nobody would put there now and then.
    fn tree_of(&mut self, files: &[File], random: &mut Random) -> Id {
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
        if random.once_in(4) {
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

    fn unusual(&mut self, random: &mut Random) -> Entry {
        const NAMES: [&[u8]; 12] =
            [b"..", b".", b"", b".git", b".GIT", b"a/b", b"a\\b", b"\xff", b"data", b"hiera.yaml", b"git~1", b"x"];
        const MODES: [&str; 8] = ["100644", "40000", "120000", "160000", "20000", "0", "777777777", "x"];
        if random.once_in(2) {
            let (width, depth) = (2 + random.below(12), random.below(14));
            let leaf = self.add("blob", format!("a: {}\n", random.below(9)).into_bytes());
            let names: Vec<Vec<u8>> = (0..width).map(|number| format!("n{number}").into_bytes()).collect();
            let mut tree = self.tree(&names.iter().map(|name| ("100644", name.clone(), leaf)).collect::<Vec<_>>());
            for _ in 0..depth {
                tree = self.tree(&names.iter().map(|name| ("40000", name.clone(), tree)).collect::<Vec<_>>());
            }
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
        let (mode, name) = (random.one(&MODES), random.one(&NAMES));
        (mode.copied().unwrap_or("100644"), name.copied().unwrap_or(b"x").to_vec(), id)
    }

    fn commit(&mut self, tree: Id, parents: &[Id], number: usize) -> Id {
        let parents: String = parents.iter().map(|parent| format!("parent {}\n", hex(*parent))).collect();
        let who = format!("A <a@example.com> {number} +0000");
        let text = format!("tree {}\n{parents}author {who}\ncommitter {who}\n\nChange {number}\n", hex(tree));
        self.add("commit", text.into_bytes())
    }
}

/// Tags that stand for each other, and commits with many parents.
fn tags(objects: &mut Objects, head: Id, random: &mut Random) -> Id {
    let mut id = head;
    if random.once_in(2) {
        let parents: Vec<Id> = (0..random.size(2_000)).map(|_| head).collect();
        id = objects.commit(objects.all.first().map_or(head, |(id, ..)| *id), &parents, 1);
    }
    for _ in 0..random.size(150) {
        id = objects.add("tag", format!("object {}\ntype commit\ntag a\n", hex(id)).into_bytes());
    }
    id
}

/// An object in a file of its own, which now and then says something wrong of itself.
fn loose_object(id: &Id, kind: &str, bytes: &[u8], random: &mut Random) -> File {
    const SIZES: [&str; 6] = ["0", "1", "4294967296", "18446744073709551615", "99999999999999999999", "-1"];
    let size = match random.once_in(60) {
        true => random.one(&SIZES).copied().unwrap_or_default().to_owned(),
        false => bytes.len().to_string(),
    };
    let mut whole = format!("{kind} {size}\0").into_bytes();
    whole.extend(bytes);
    if random.once_in(100) {
        whole.resize(whole.len() + random.size(40_000_000), b'x');
    }
    let name = hex(*id);
    File::new(format!(".git/objects/{}/{}", &name[..2], &name[2..]), deflated(&whole))
}

fn header(kind: u8, mut size: u64) -> Vec<u8> {
    let mut bytes = vec![kind << 4 | (size & 15) as u8];
    size >>= 4;
    while size > 0 {
        if let Some(last) = bytes.last_mut() {
            *last |= 0x80;
        }
        bytes.push((size & 0x7f) as u8);
        size >>= 7;
    }
    bytes
}

/// A number of seven bits a byte.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        bytes.push(byte | if number > 0 { 0x80 } else { 0 });
        if number == 0 {
            return bytes;
        }
    }
}

fn distance(mut number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7f) as u8];
    while number > 0x7f {
        number = (number >> 7) - 1;
        bytes.insert(0, (number & 0x7f) as u8 | 0x80);
    }
    bytes
}

/// A difference that makes some bytes of any base, or one that copies its base again and again.
fn difference(base: usize, bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const SIZES: [u64; 5] = [0, 1, 100_000_000, 1 << 40, u64::MAX];
    let mut delta = varint(base as u64);
    if random.once_in(12) {
        let copies = random.size(20_000);
        let size = match random.once_in(3) {
            true => random.one(&SIZES).copied().unwrap_or(0),
            false => (base.min(0xffff) * copies) as u64,
        };
        delta.extend(varint(size));
        for _ in 0..copies {
            delta.extend([0x80 | 0x30, base.min(0xffff) as u8, (base.min(0xffff) >> 8) as u8]);
        }
        return delta;
    }
    delta.extend(varint(bytes.len() as u64));
    for part in bytes.chunks(127) {
        delta.push(part.len() as u8);
        delta.extend(part);
    }
    delta
}

/// A pack of objects, some as differences to others, and its index.
fn pack(objects: &[(Id, &'static str, Vec<u8>)], random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    const SIZES: [u64; 5] = [0, 1, 3 << 30, 1 << 40, u64::MAX];
    let mut pack = [b"PACK\0\0\0\x02".as_slice(), &(objects.len() as u32).to_be_bytes()].concat();
    let mut places: Vec<(Id, u64)> = Vec::new();
    let deltas = random.once_in(2);
    for (at, (id, kind, bytes)) in objects.iter().enumerate() {
        let offset = pack.len() as u64;
        let number = match *kind {
            "commit" => 1,
            "tree" => 2,
            "blob" => 3,
            _ => 4,
        };
        let lie = random.once_in(80).then(|| random.one(&SIZES).copied().unwrap_or(0));
        let base = random.below(at + 1);
        match objects.get(base).zip(places.get(base)) {
            Some(((base_id, _, base_bytes), (_, base_at))) if deltas && base < at => {
                let delta = difference(base_bytes.len(), bytes, random);
                let size = lie.unwrap_or(delta.len() as u64);
                if random.once_in(2) {
                    pack.extend(header(6, size));
                    let wrong = random.once_in(60);
                    pack.extend(distance(if wrong { random.size(1 << 20) as u64 } else { offset - base_at }));
                } else {
                    pack.extend(header(7, size));
                    // One that is a difference to itself, or to what is not there.
                    pack.extend(if random.once_in(60) { *id } else { *base_id });
                }
                pack.extend(deflated(&delta));
            }
            _ => {
                pack.extend(header(number, lie.unwrap_or(bytes.len() as u64)));
                pack.extend(deflated(bytes));
            }
        }
        places.push((*id, offset));
    }
    let trailer = Sha1::digest(&pack);
    pack.extend(trailer);
    places.sort_unstable();
    let mut index = vec![0xff, b't', b'O', b'c', 0, 0, 0, 2];
    for first in 0..=255_u8 {
        let count = places.iter().filter(|(id, _)| id[0] <= first).count();
        let count = if random.once_in(5_000) { random.size(1 << 31) } else { count };
        index.extend((count as u32).to_be_bytes());
    }
    index.extend(places.iter().flat_map(|(id, _)| *id));
    index.extend(vec![0; places.len() * 4]);
    for (_, place) in &places {
        let place = if random.once_in(100) { random.size(1 << 31) as u64 | 0x8000_0000 } else { *place };
        index.extend((place as u32).to_be_bytes());
    }
    index.extend(trailer);
    let own = Sha1::digest(&index);
    index.extend(own);
    (pack, index)
}

fn config(random: &mut Random) -> String {
    const LINES: [&str; 16] = [
        "[core]\n\tbare = true",
        "[core]\n\tworktree = /",
        "[core]\n\trepositoryformatversion = 1",
        "[extensions]\n\tobjectFormat = sha256",
        "[extensions]\n\trefStorage = reftable",
        "[extensions]\n\tpartialClone = origin",
        "[remote \"origin\"]\n\tpromisor = true",
        "[include]\n\tpath = /dev/zero",
        "[includeIf \"gitdir:/\"]\n\tpath = ../../../etc/passwd",
        "[core]\n\tfsmonitor = touch /tmp/fsmonitor\n\thooksPath = /",
        "[filter \"x\"]\n\tclean = touch /tmp/clean",
        "[core]\n\texcludesFile = /proc/self/mem",
        "[branch \"main\"]\n\tremote = .\n\tmerge = refs/heads/main",
        "[a \"\\",
        "x = y",
        "[core]\n\tx = \"a\\\nb",
    ];
    let mut text = "[core]\n\trepositoryformatversion = 0\n".to_owned();
    if random.once_in(3) {
        for _ in 0..random.below(3) {
            text.push_str(random.one(&LINES).copied().unwrap_or_default());
            text.push('\n');
        }
    }
    text
}

/// An index of about the files that are there.
fn index(files: &[File], random: &mut Random) -> Vec<u8> {
    const PATHS: [&str; 7] = ["../outside", ".git/config", "/etc/passwd", "a//b", "data/../../x", "a\\b", "x/.GIT/y"];
    const MODES: [u32; 6] = [0o100_644, 0o100_755, 0o120_000, 0o160_000, 0o040_000, 0o020_000];
    let version = 2 + random.below(3) as u32;
    let mut index = [b"DIRC".as_slice(), &version.to_be_bytes(), &(files.len() as u32).to_be_bytes()].concat();
    let mut before = Vec::new();
    for file in files {
        let begun = index.len();
        let path = if random.once_in(60) { random.one(&PATHS).copied().unwrap_or("a") } else { &file.path }.as_bytes();
        let mode = if random.once_in(60) { random.one(&MODES).copied().unwrap_or(0) } else { 0o100_644 };
        index.extend([0; 24]);
        index.extend(mode.to_be_bytes());
        index.extend([0; 8]);
        index.extend((file.bytes.len() as u32).to_be_bytes());
        index.extend(hash("blob", &file.bytes));
        let stage = if random.once_in(60) { 0x1000 } else { 0 };
        index.extend((stage | path.len().min(0xfff) as u16).to_be_bytes());
        if version == 4 {
            let shared = path.iter().zip(&before).take_while(|(one, other)| one == other).count();
            let cut = if random.once_in(60) { random.size(1 << 20) } else { before.len() - shared };
            index.extend(distance(cut as u64));
            index.extend(&path[shared..]);
            index.push(0);
        } else {
            index.extend(path);
            index.resize(index.len() + 8 - (index.len() - begun) % 8, 0);
        }
        before = path.to_vec();
    }
    if random.once_in(10) {
        const NAMES: [&[u8; 4]; 5] = [b"TREE", b"link", b"sdir", b"xxxx", b"FSMN"];
        index.extend(random.one(&NAMES).copied().unwrap_or(b"TREE"));
        index.extend((random.size(1 << 20) as u32).to_be_bytes());
    }
    let trailer = Sha1::digest(&index);
    index.extend(trailer);
    index
}

/// Changes bytes of a file, or makes something else of it.
fn damage(git: &mut Repository, random: &mut Random) {
    const TARGETS: [&str; 9] =
        ["/dev/zero", "/proc/self/mem", "/proc/kmsg", "..", "/etc/passwd", "main", "/", "../../..", "/dev/tty"];
    let at = random.below(git.files.len());
    let Some(file) = git.files.get_mut(at) else { return };
    let (from, size) = (random.below(file.bytes.len()), random.size(64));
    match random.below(10) {
        0..=2 => {
            if let Some(byte) = file.bytes.get_mut(from) {
                *byte ^= 1 << random.below(8);
            }
        }
        3 => file.bytes.truncate(from),
        4 => {
            let part: Vec<u8> = file.bytes.iter().skip(from).take(size).copied().collect();
            file.bytes.splice(from..from, part);
        }
        5 => file.bytes.iter_mut().skip(from).take(size).for_each(|byte| *byte = 0xff),
        6 => file.link = random.one(&TARGETS).map(|target| (*target).to_owned()),
        7 => {
            // A whole folder that is somewhere else.
            const FOLDERS: [&str; 5] = [".git/objects", ".git/refs", ".git/objects/pack", ".git", ".git/refs/heads"];
            let folder = random.one(&FOLDERS).copied().unwrap_or(".git/refs");
            git.files.retain(|file| !file.path.starts_with(&format!("{folder}/")));
            let link = random.one(&TARGETS).map(|target| (*target).to_owned());
            git.files.push(File { link, ..File::new(folder, "") });
        }
        8 => {
            const NAMES: [(&str, &str); 6] = [
                (".git/commondir", "../../.."),
                (".git/commondir", "."),
                (".git/HEAD", "ref: refs/heads/../../HEAD\n"),
                (".git/HEAD", "ref: HEAD\n"),
                (".git/refs/heads/main", "ref: refs/heads/main\n"),
                (".git/info/exclude", "**/**/**/**/a*b*c*d\n{a,b}{c,d}{e,f}{g,h}\n"),
            ];
            if let Some((path, text)) = random.one(&NAMES) {
                git.put(File::new(*path, *text));
            }
        }
        _ => {
            git.files.retain(|file| !file.path.starts_with(".git/"));
            git.files.push(File::new(".git", "gitdir: ../../../../work\n"));
        }
    }
}
