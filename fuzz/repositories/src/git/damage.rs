//! Damage: bits that flip, files that end early, are longer, or are something else.

use crate::random::Random;
use crate::repository::{File, Repository};

/// Changes bytes of a file, or makes something else of it.
pub(super) fn damage(git: &mut Repository, random: &mut Random) {
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
