//! Names of revisions: branches, tags, and what else can begin a range.

use std::collections::BTreeSet;
use std::path::Path;

use hieratic::sandbox::Files;

/// The most names that are offered.
const MOST: usize = 5_000;
/// The deepest folder of a name with slashes.
const DEEPEST: usize = 8;

/// The branches and tags of the repository around a folder, and `HEAD`. Without a repository there are none.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let folder = hieratic::sandbox::plain(folder);
    let Some(root) = hieratic::layers::repository_of(&folder) else { return Vec::new() };
    let git = root.join(".git");
    let mut found = BTreeSet::new();
    for kind in ["heads", "tags", "remotes"] {
        let folder = git.join("refs").join(kind);
        loose(&folder, &folder, 0, &mut found);
    }
    // A repository without the file has no packed names.
    let packed = Files::below([&root]).read(&git.join("packed-refs")).unwrap_or_default();
    for line in String::from_utf8_lossy(&packed).lines() {
        let name = line.split_once(' ').map_or("", |(_, name)| name);
        let short = ["refs/heads/", "refs/tags/", "refs/remotes/"].iter().find_map(|prefix| name.strip_prefix(prefix));
        if let Some(short) = short.filter(|_| found.len() < MOST) {
            found.insert(short.to_owned());
        }
    }
    found.retain(|name| !name.ends_with("/HEAD"));
    std::iter::once("HEAD".to_owned()).chain(found).collect()
}

fn loose(root: &Path, folder: &Path, depth: usize, found: &mut BTreeSet<String>) {
    // A kind without names has no folder.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().take(MOST) {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEEPEST => loose(root, &path, depth + 1, found),
            Ok(kind) if kind.is_file() && found.len() < MOST => {
                found.extend(path.strip_prefix(root).ok().and_then(Path::to_str).map(str::to_owned));
            }
            Ok(_) | Err(_) => {}
        }
    }
}
