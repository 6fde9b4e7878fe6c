//! What of a `.git` leads elsewhere: to other references in circles, to other folders, out of the repository.

use crate::random::Random;
use crate::repository::{File, Repository};

/// The folder beside every repository that nobody may open anything in, seen from the root of the repository: see [`crate::outside`].
const OUTSIDE: &str = "../outside";

/// Adds references that lead to each other, and names that git does not write.
pub(super) fn references(git: &mut Repository, head: &str, random: &mut Random) {
    match random.below(8) {
        0 => {
            // Each leads to the next one, and the last one to the first.
            let count = 1 + random.size(40);
            for number in 0..count {
                let next = (number + 1) % count;
                git.put(File::new(format!(".git/refs/heads/c{number}"), format!("ref: refs/heads/c{next}\n")));
            }
            git.put(File::new(".git/HEAD", "ref: refs/heads/c0\n"));
        }
        1 => {
            // The last one of a chain stands for a commit.
            let count = 1 + random.size(12);
            for number in 0..count {
                let next = if number + 1 == count { "main".to_owned() } else { format!("c{}", number + 1) };
                git.put(File::new(format!(".git/refs/heads/c{number}"), format!("ref: refs/heads/{next}\n")));
            }
            git.put(File::new(".git/refs/heads/other", "ref: refs/heads/c0\n"));
        }
        2 => {
            // U+FFFD is written as a byte that is no Unicode.
            for name in ["refs/heads/\u{fffd}", "refs/tags/\u{fffd}", "refs/replace/\u{fffd}", "logs/\u{fffd}"] {
                git.put(File::new(format!(".git/{name}"), format!("{head}\n")));
            }
            git.put(File::new(".git/HEAD", b"ref: refs/heads/\xff\n".as_slice()));
        }
        3 => {
            const NAMES: [&str; 8] =
                ["../../HEAD", "refs/../../x", "/etc/passwd", "refs/heads//main", "refs/heads/.lock", "HEAD", "", "@"];
            let mut packed = String::from("# pack-refs with: peeled fully-peeled sorted\n");
            for _ in 0..random.size(3_000) {
                let name = random.one(&NAMES).copied().unwrap_or_default();
                packed += &format!("{head} {name}\n");
                if random.once_in(4) {
                    packed += &format!("^{head}\n");
                }
            }
            packed += &format!("{head} refs/heads/main\n");
            git.put(File::new(".git/packed-refs", packed));
        }
        4 => {
            // Commits in whose place each other are read.
            let reversed: String = head.chars().rev().collect();
            git.put(File::new(format!(".git/refs/replace/{head}"), format!("{reversed}\n")));
            git.put(File::new(format!(".git/refs/replace/{reversed}"), format!("{head}\n")));
        }
        5 => {
            let zero = "0".repeat(40);
            let mut log = String::new();
            for number in 0..random.size(2_000) {
                let text = if random.once_in(9) { "checkout: moving from a to \u{1b}[31m" } else { "commit: x" };
                log += &format!("{zero} {head} A <a@example.com> {number} +0000\t{text}\n");
            }
            git.put(File::new(".git/logs/HEAD", log.as_str()));
            git.put(File::new(".git/logs/refs/heads/main", log));
        }
        6 => {
            let name = "n".repeat(random.size(250));
            git.put(File::new(format!(".git/refs/heads/{name}"), format!("{head}\n")));
            let depth = "d/".repeat(random.size(300));
            git.put(File::new(format!(".git/refs/tags/{depth}x"), format!("{head}\n")));
        }
        _ => {
            const TARGETS: [&str; 4] =
                ["../../../../outside/refs/heads/main", "main", "../../HEAD", "/proc/self/environ"];
            let link = random.one(&TARGETS).map(|target| (*target).to_owned());
            git.put(File { link, ..File::new(".git/refs/heads/main", "") });
        }
    }
}

/// Makes folders of the repository lie elsewhere: inside of it, outside, in circles.
pub(super) fn folders(git: &mut Repository, random: &mut Random) {
    match random.below(7) {
        0 => {
            // Folders of objects that name each other.
            let count = 1 + random.size(130);
            for number in 0..count {
                let next = (number + 1) % count;
                git.put(File::new(
                    format!(".git/a{number}/info/alternates"),
                    format!("../a{next}\n../objects\n\n# more\n"),
                ));
            }
            git.put(File::new(".git/objects/info/alternates", "../a0\n"));
        }
        1 => {
            let up = if random.once_in(2) { format!("../../{OUTSIDE}/objects") } else { format!("../../{OUTSIDE}") };
            git.put(File::new(".git/objects/info/alternates", format!("{up}\n")));
        }
        2 => {
            const PLACES: [&str; 6] =
                [".", "../.git", "../../outside", "worktrees/..", "\u{0}", "./worktrees/w/../../x/.."];
            git.put(File::new(".git/commondir", random.one(&PLACES).copied().unwrap_or(".")));
        }
        3 => moved(git, random),
        4 => {
            // The folder of a link lies outside: what is in it is not this repository's.
            const FOLDERS: [(&str, &str); 5] = [
                (".git/objects", "../../outside/objects"),
                (".git/refs", "../../outside/refs"),
                (".git/objects/pack", "../../../outside/objects/pack"),
                (".git", "../outside"),
                (".git/info", "../../outside/info"),
            ];
            let (folder, target) = random.one(&FOLDERS).copied().unwrap_or(FOLDERS[0]);
            git.files.retain(|file| file.path != folder && !file.path.starts_with(&format!("{folder}/")));
            git.files.push(File { link: Some(target.to_owned()), ..File::new(folder, "") });
        }
        5 => {
            const FILES: [(&str, &str); 5] = [
                (".git/HEAD", "../../outside/HEAD"),
                (".git/config", "../../outside/config"),
                (".git/index", "../../outside/index"),
                (".git/packed-refs", "../../outside/packed-refs"),
                (".git/shallow", "../../outside/HEAD"),
            ];
            let (file, target) = random.one(&FILES).copied().unwrap_or(FILES[0]);
            git.put(File { link: Some(target.to_owned()), ..File::new(file, "") });
        }
        _ => {
            // A file of the working tree, and a folder of data, which are links that lead out.
            const LINKS: [(&str, &str); 4] = [
                ("common.yaml", "../outside/data.yaml"),
                ("data", "../outside"),
                ("hiera.yaml", "../outside/hiera.yaml"),
                ("x", "x"),
            ];
            let (path, target) = random.one(&LINKS).copied().unwrap_or(LINKS[0]);
            git.files.push(File { link: Some(target.to_owned()), ..File::new(path, "") });
        }
    }
}

/// Makes a linked working tree or a submodule of the repository: its `.git` is a file that says where the rest is.
fn moved(git: &mut Repository, random: &mut Random) {
    let place = if random.once_in(2) { "kept" } else { "kept/.git" };
    for file in &mut git.files {
        if let Some(rest) = file.path.strip_prefix(".git/") {
            file.path = format!("{place}/{rest}");
        }
    }
    if random.once_in(3) {
        git.put(File::new(".git", format!("gitdir: {place}\n")));
        return;
    }
    let own = format!("{place}/worktrees/w");
    let head = git.files.iter().find(|file| file.path == format!("{place}/HEAD")).map(|file| file.bytes.clone());
    git.put(File::new(format!("{own}/HEAD"), head.unwrap_or_default()));
    const COMMON: [&str; 5] = ["../..", "../../", "..", ".", "../../../../outside"];
    const BACK: [&str; 4] = ["../../../.git", "../../../../.git", "/", "../../../../outside/.git"];
    git.put(File::new(format!("{own}/commondir"), random.one(&COMMON).copied().unwrap_or("../..")));
    git.put(File::new(format!("{own}/gitdir"), random.one(&BACK).copied().unwrap_or("/")));
    const TARGETS: [&str; 4] = ["", "/../w", "/../../../../outside", "/HEAD"];
    let target = random.one(&TARGETS).copied().unwrap_or("");
    git.put(File::new(".git", format!("gitdir: {own}{}\n", if random.once_in(2) { "" } else { target })));
}

/// Names of files that are ignored, which take long to compare with.
pub(super) fn ignored(git: &mut Repository, random: &mut Random) {
    const LINES: [&str; 8] = [
        "**/**/**/**/a*b*c*d",
        "{a,b}{c,d}{e,f}{g,h}",
        "!*",
        "*[!a-z]*[",
        "\\",
        "/**/x/**/y/**/z",
        "????????????????*",
        "[[:alpha:]]*",
    ];
    let mut text = Vec::new();
    for _ in 0..random.size(2_000) {
        text.extend(random.one(&LINES).copied().unwrap_or("*").as_bytes());
        text.push(b'\n');
    }
    let path = if random.once_in(2) { ".git/info/exclude" } else { ".gitignore" };
    git.put(File::new(path, text));
}
