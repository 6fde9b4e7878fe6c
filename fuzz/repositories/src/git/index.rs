//! The index of the working tree.

use sha1::{Digest, Sha1};

use super::objects::hash;
use super::pack::distance;
use crate::random::Random;
use crate::repository::File;

/// An index of about the files that are there.
pub(super) fn index(files: &[File], lies: bool, random: &mut Random) -> Vec<u8> {
    const PATHS: [&str; 7] = ["../outside", ".git/config", "/etc/passwd", "a//b", "data/../../x", "a\\b", "x/.GIT/y"];
    const MODES: [u32; 6] = [0o100_644, 0o100_755, 0o120_000, 0o160_000, 0o040_000, 0o020_000];
    let version = 2 + random.below(3) as u32;
    let mut index = [b"DIRC".as_slice(), &version.to_be_bytes(), &(files.len() as u32).to_be_bytes()].concat();
    let mut before = Vec::new();
    for file in files {
        let begun = index.len();
        let path =
            if lies && random.once_in(60) { random.one(&PATHS).copied().unwrap_or("a") } else { &file.path }.as_bytes();
        let mode = if lies && random.once_in(60) { random.one(&MODES).copied().unwrap_or(0) } else { 0o100_644 };
        index.extend([0; 24]);
        index.extend(mode.to_be_bytes());
        index.extend([0; 8]);
        index.extend((file.bytes.len() as u32).to_be_bytes());
        index.extend(hash("blob", &file.bytes));
        let stage = if lies && random.once_in(60) { 0x1000 } else { 0 };
        index.extend((stage | path.len().min(0xfff) as u16).to_be_bytes());
        if version == 4 {
            let shared = path.iter().zip(&before).take_while(|(one, other)| one == other).count();
            let cut = if lies && random.once_in(60) { random.size(1 << 20) } else { before.len() - shared };
            index.extend(distance(cut as u64));
            index.extend(&path[shared..]);
            index.push(0);
        } else {
            index.extend(path);
            index.resize(index.len() + 8 - (index.len() - begun) % 8, 0);
        }
        before = path.to_vec();
    }
    if lies && random.once_in(10) {
        const NAMES: [&[u8; 4]; 5] = [b"TREE", b"link", b"sdir", b"xxxx", b"FSMN"];
        index.extend(random.one(&NAMES).copied().unwrap_or(b"TREE"));
        index.extend((random.size(1 << 20) as u32).to_be_bytes());
    }
    let trailer = Sha1::digest(&index);
    index.extend(trailer);
    index
}
