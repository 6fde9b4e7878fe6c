//! Repositories of git around the files, which no git has written: damaged, lying, enormous where they are unpacked, leading elsewhere.

mod damage;
mod elsewhere;
mod index;
mod objects;
mod pack;

use objects::{Id, Objects, hash, hex};

use crate::random::Random;
use crate::repository::{File, Repository};

/// What is wrong with a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attack {
    /// Names in folders, bombs of folders.
    Folders,
    /// A long history.
    Long,
    Tags,
    /// Objects that are missing.
    Missing,
    Configuration,
    Index,
    Shallow,
    /// Objects that say something wrong of themselves, and bombs.
    Objects,
    References,
    Elsewhere,
    Ignored,
    Damage,
}

/// Which of them a repository has: all in turn, or one. Of several, the first one would mostly keep the others from being reached.
struct Attacks {
    only: Option<Attack>,
}

impl Attacks {
    fn choose(random: &mut Random) -> Attacks {
        const ALL: [Attack; 12] = [
            Attack::Folders,
            Attack::Long,
            Attack::Tags,
            Attack::Missing,
            Attack::Configuration,
            Attack::Index,
            Attack::Shallow,
            Attack::Objects,
            Attack::References,
            Attack::Elsewhere,
            Attack::Ignored,
            Attack::Damage,
        ];
        Attacks { only: if random.once_in(4) { None } else { random.one(&ALL).copied() } }
    }

    /// Whether a repository has one: if it may have all, once in so many times.
    fn has(&self, attack: Attack, once_in: usize, random: &mut Random) -> bool {
        match self.only {
            Some(only) => only == attack,
            None => random.once_in(once_in),
        }
    }
}

/// Adds a repository of git with a few commits, of which the last has about the files that are there.
pub(crate) fn add(repository: &mut Repository, random: &mut Random) {
    let attacks = Attacks::choose(random);
    let mut objects = Objects { has_unusual: attacks.has(Attack::Folders, 2, random), ..Objects::default() };
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
    if attacks.has(Attack::Long, 8, random) {
        for number in 0..random.size(400) {
            let tree = objects.tree(&[("100644", b"data.yaml".to_vec(), hash("blob", &[b'a'; 8][..number % 8]))]);
            commits.push(objects.commit(tree, &commits.last().copied().into_iter().collect::<Vec<_>>(), number));
        }
    }
    let mut head = commits.last().copied().unwrap_or_default();
    if attacks.has(Attack::Tags, 6, random) {
        head = objects.tags(head, random);
    }
    if attacks.has(Attack::Missing, 6, random) && !objects.all.is_empty() {
        // Some are missing.
        for _ in 0..=random.below(3) {
            objects.all.swap_remove(random.below(objects.all.len()));
        }
    }
    let mut git = Repository::default();
    let branch = hex(head);
    git.put(File::new(".git/HEAD", "ref: refs/heads/main\n"));
    let odd = attacks.has(Attack::Configuration, 3, random);
    git.put(File::new(".git/config", config(odd, random)));
    if random.once_in(3) {
        git.put(File::new(".git/packed-refs", format!("# pack-refs with: peeled\n{branch} refs/heads/main\n")))
    } else {
        git.put(File::new(".git/refs/heads/main", format!("{branch}\n")))
    }
    git.put(File::new(".git/refs/heads/other", format!("{}\n", hex(commits.first().copied().unwrap_or_default()))));
    git.put(File::new(".git/objects/info/packs", ""));
    let lies = attacks.has(Attack::Index, 2, random);
    git.put(File::new(".git/index", index::index(&files, lies, random)));
    if attacks.has(Attack::Shallow, 10, random) {
        git.put(File::new(".git/shallow", format!("{}\n", hex(commits.last().copied().unwrap_or_default()))));
    }
    let lies = attacks.has(Attack::Objects, 2, random);
    let packed = random.below(objects.all.len() + 1);
    let loose = if random.once_in(2) { objects.all.len() } else { packed };
    for (id, kind, bytes) in objects.all.iter().take(loose) {
        git.put(pack::loose_object(id, kind, bytes, lies, random));
    }
    if loose < objects.all.len() || random.once_in(4) {
        let (pack, index) = pack::pack(&objects.all[loose.min(packed)..], lies, random);
        git.put(File::new(".git/objects/pack/pack-a.pack", pack));
        git.put(File::new(".git/objects/pack/pack-a.idx", index));
    }
    if attacks.has(Attack::References, 3, random) {
        elsewhere::references(&mut git, &branch, random);
    }
    if attacks.has(Attack::Elsewhere, 4, random) {
        elsewhere::folders(&mut git, random);
    }
    if attacks.has(Attack::Ignored, 10, random) {
        elsewhere::ignored(&mut git, random);
    }
    let most = if attacks.has(Attack::Damage, 2, random) { 4 } else { 0 };
    for _ in 0..random.below(most) {
        damage::damage(&mut git, random);
    }
    repository.files.extend(git.files);
}

/// A repository with two commits that have all files of a bomb in common but for what is in them: so many folders of so many names lie in
/// each other, each of which is the same one.
#[cfg(test)]
pub(crate) fn bomb(width: usize, depth: usize, name: &str) -> Repository {
    let mut objects = Objects::default();
    let mut commits: Vec<Id> = Vec::new();
    for number in 0..2 {
        let tree = objects.bomb(width, depth, name, &format!("port: {number}\n"));
        let tree = objects.tree(&[("40000", b"data".to_vec(), tree)]);
        let parents: Vec<Id> = commits.last().copied().into_iter().collect();
        commits.push(objects.commit(tree, &parents, number));
    }
    let mut git = Repository::default();
    git.put(File::new("hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, path: a.yaml}\n"));
    git.put(File::new(".git/HEAD", "ref: refs/heads/main\n"));
    let mut random = Random::new(0);
    for (at, branch) in commits.iter().zip(["other", "main"]) {
        git.put(File::new(format!(".git/refs/heads/{branch}"), format!("{}\n", hex(*at))));
    }
    for (id, kind, bytes) in &objects.all {
        git.put(pack::loose_object(id, kind, bytes, false, &mut random));
    }
    git
}

fn config(odd: bool, random: &mut Random) -> String {
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
    if odd {
        for _ in 0..random.below(3) {
            text.push_str(random.one(&LINES).copied().unwrap_or_default());
            text.push('\n');
        }
    }
    text
}
