//! [`Index`]: the staged files, with their metadata at git's last check. See
//! <https://git-scm.com/docs/gitformat-index>.

use hieratic_budget::Budget;
use sha1::{Digest, Sha1};

use crate::error::Error;
use crate::folder::EntryKind;
use crate::id::{Id, LENGTH};
use crate::names::check_path;

/// The staged files.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) entries: Vec<IndexEntry>,
}

/// A path of the index.
#[derive(Debug)]
pub(crate) struct IndexEntry {
    pub(crate) path: Vec<u8>,
    pub(crate) kind: EntryKind,
    pub(crate) id: Id,
    /// Whether this is a side of a conflict.
    pub(crate) is_in_conflict: bool,
    /// Whether the file counts as unchanged even if it is missing: the working tree is sparse.
    pub(crate) is_left_out: bool,
    /// The seconds and nanoseconds at which the file was changed last.
    pub(crate) modified: (u32, u32),
    pub(crate) size: u32,
}

/// The bits of the flags of an entry.
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const LENGTH_OF_NAME: u16 = 0x0fff;
/// The bit of the extended flags for a file that is not in a sparse working tree.
const SKIP_WORKTREE: u16 = 0x4000;
/// The overhead of an entry in bytes.
const ENTRY_OVERHEAD: usize = 96;

impl Index {
    /// Parses an index. The error is a sentence about a malformed index, or a limit that is reached.
    pub(crate) fn parse(bytes: &[u8], budget: &Budget) -> Result<Index, Error> {
        let damaged = |reason: String| Error::damaged("the index", reason);
        let (body, trailer) = bytes
            .split_at_checked(bytes.len().saturating_sub(LENGTH))
            .filter(|(body, _)| body.len() >= 12)
            .ok_or_else(|| damaged("it is too short".to_owned()))?;
        // A hash of zeros means no hash: `index.skipHash`.
        if trailer != [0; LENGTH] && trailer[..] != Sha1::digest(body)[..] {
            return Err(damaged("its hash does not match its content".to_owned()));
        }
        let mut rest = body;
        let version = match (take(&mut rest, 4), number(&mut rest)) {
            (Some(b"DIRC"), Some(version @ 2..=4)) => version,
            _ => return Err(damaged("its version is unknown".to_owned())),
        };
        let count = number(&mut rest).unwrap_or(0);
        let mut entries: Vec<IndexEntry> = Vec::new();
        for _ in 0..count {
            budget.step()?;
            let before = entries.last().map_or(&[][..], |entry| &entry.path);
            let entry = entry(&mut rest, version, before).map_err(damaged)?;
            budget.bytes(entry.path.len() + ENTRY_OVERHEAD)?;
            entries.push(entry);
        }
        while let Some(name) = take(&mut rest, 4) {
            budget.step()?;
            let size = number(&mut rest).unwrap_or(u32::MAX);
            if take(&mut rest, size as usize).is_none() {
                return Err(damaged("it is truncated".to_owned()));
            }
            match name {
                b"link" => {
                    return Err(Error::unsupported(
                        "the index is split",
                        "join it with `git update-index --no-split-index`",
                    ));
                }
                // Trees in the place of the entries below them: a sparse index.
                b"sdir" => {}
                // An extension that begins with a small letter is mandatory.
                [b'A'..=b'Z', ..] => {}
                name => {
                    let problem = format!("the index has the extension '{}'", name.escape_ascii());
                    return Err(Error::unsupported(problem, "rewrite it with `git read-tree HEAD`"));
                }
            }
        }
        // A split index has entries without names, so this comes after the check for a split index.
        for entry in &entries {
            let path = match entry.kind {
                EntryKind::Tree => entry.path.strip_suffix(b"/").unwrap_or(&entry.path),
                _ => &entry.path,
            };
            check_path(path).map_err(damaged)?;
        }
        Ok(Index { entries })
    }
}

fn entry(rest: &mut &[u8], version: u32, before: &[u8]) -> Result<IndexEntry, String> {
    let too_short = || "it is truncated".to_owned();
    let begun = rest.len();
    let mut numbers = [0; 10];
    for slot in &mut numbers {
        *slot = number(rest).ok_or_else(too_short)?;
    }
    let [_, _, seconds, nanoseconds, _, _, mode, _, _, size] = numbers;
    let id = take(rest, LENGTH).and_then(Id::at_start).ok_or_else(too_short)?;
    let flags = short(rest).ok_or_else(too_short)?;
    let further = if flags & EXTENDED != 0 && version > 2 { short(rest).ok_or_else(too_short)? } else { 0 };
    let path = if version == 4 {
        // The path is the one before, without some bytes at its end, and with others.
        let cut = usize::try_from(varint(rest).ok_or_else(too_short)?).map_err(|_| too_short())?;
        let kept = before.len().checked_sub(cut).ok_or("a path drops more bytes than the previous path has")?;
        let end = rest.iter().position(|byte| *byte == 0).ok_or_else(too_short)?;
        let path = [before.get(..kept).unwrap_or_default(), take(rest, end).ok_or_else(too_short)?].concat();
        take(rest, 1).ok_or_else(too_short)?;
        path
    } else {
        let length = match flags & LENGTH_OF_NAME {
            LENGTH_OF_NAME => rest.iter().position(|byte| *byte == 0).ok_or_else(too_short)?,
            length => usize::from(length),
        };
        let path = take(rest, length).ok_or_else(too_short)?.to_vec();
        // One to eight zeros follow, so that the entry has a length of eight times something.
        let padding = 8 - (begun - rest.len()) % 8;
        take(rest, padding).ok_or_else(too_short)?;
        path
    };
    let kind = EntryKind::from_mode(mode).ok_or_else(|| format!("'{}' has an unknown mode", path.escape_ascii()))?;
    Ok(IndexEntry {
        path,
        kind,
        id,
        is_in_conflict: flags & STAGE != 0,
        is_left_out: further & SKIP_WORKTREE != 0,
        modified: (seconds, nanoseconds),
        size,
    })
}

fn take<'b>(rest: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (used, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(used)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(take(rest, 4)?.try_into().ok()?))
}

fn short(rest: &mut &[u8]) -> Option<u16> {
    Some(u16::from_be_bytes(take(rest, 2)?.try_into().ok()?))
}

/// A number of seven bits a byte, of which each that follows adds one.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number: u64 = 0;
    loop {
        let byte = *take(rest, 1)?.first()?;
        number = number.checked_mul(128)?.checked_add(u64::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        number = number.checked_add(1)?;
    }
}
