//! [`Pack`]: many objects in one file, with an index of their names. See <https://git-scm.com/docs/gitformat-pack>.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{self, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_budget::Budget;
use hieratic_sandbox::is_absence;

use crate::block_file::{BlockFile, read_at};
use crate::cache::Cache;
use crate::delta;
use crate::error::Error;
use crate::id::{Id, LENGTH};
use crate::index_file::IndexFile;
use crate::objects::{InflateStream, ObjectError, ObjectHeader, ObjectKind, from_io, wrong};
use crate::repository_paths::{RepositoryPaths, file_error};

/// A pack. It is opened for the first object in it.
#[derive(Debug)]
pub(crate) struct Pack {
    /// An id that is unique while the program runs.
    serial: u64,
    /// The name of its files without their ends.
    path: PathBuf,
    opened: Mutex<Option<Arc<OpenPack>>>,
}

/// The files of a pack.
#[derive(Debug)]
struct OpenPack {
    index: IndexFile,
    /// The offset of the ids of objects in the index, and the distance between them in bytes.
    names: u64,
    stride: u64,
    /// The number of ids that begin with each byte or a smaller one.
    fanout: Vec<u32>,
    content: BlockFile,
    /// The end of the content of the last object.
    end: u64,
}

/// The number of packs that stay open. Others are opened each time: the number of files that a process may open is
/// small.
const MAX_OPEN: usize = 150;
/// The number of open packs.
static OPEN_PACKS: AtomicUsize = AtomicUsize::new(0);
/// The limit of the length of a chain of deltas, as in git.
const MAX_DELTAS: usize = 4095;
/// The size limit for the base of a delta, even if its result is small.
const LARGEST_BASE: u64 = 32 << 20;
/// The number of ids of an index that are read at once.
const BLOCK: u32 = 256;
/// The length of the hash at the end of both files.
const TRAILER: u64 = 20;

/// An object in a pack: its header, and where its content begins.
struct PackEntry {
    of: EntryContent,
    /// The size of the object, or of the difference.
    size: u64,
    content: u64,
}

/// The question of a reader about an object in a pack.
pub(crate) struct PackRequest<'r> {
    /// Refuses an object by its header, before it is put together.
    pub(crate) accepts: &'r dyn Fn(ObjectHeader) -> Result<(), Error>,
    /// The size limit.
    pub(crate) largest: u64,
    /// The bases of deltas that were read of late.
    pub(crate) cache: &'r Mutex<Cache>,
}

/// An object as a pack has it: deltas, each with its offset, and the base of the last one.
struct DeltaChain {
    deltas: Vec<(u64, PackEntry)>,
    kind: ObjectKind,
    base: ChainBase,
}

/// The end of a chain of deltas: bytes that are known, or a whole object with its offset.
enum ChainBase {
    Known(Arc<[u8]>),
    Entry(u64, PackEntry),
}

enum EntryContent {
    Object(ObjectKind),
    /// A difference to the object at this place.
    Delta(u64),
}

impl Pack {
    pub(crate) fn new(path: PathBuf) -> Pack {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Pack { serial: NEXT.fetch_add(1, atomic::Ordering::Relaxed), path, opened: Mutex::default() }
    }

    /// The name of its files without their ends.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The offset of an object. Returns `None` if it is not in the pack.
    pub(crate) fn offset(&self, place: &RepositoryPaths, id: Id, budget: &Budget) -> Result<Option<u64>, Error> {
        let Some(opened) = self.open_files(place)? else { return Ok(None) };
        opened.offset(id, budget).map_err(|error| error.into_error(id, &self.path))
    }

    /// The kind and the size of the object at an offset.
    pub(crate) fn header(
        &self,
        place: &RepositoryPaths,
        offset: u64,
        budget: &Budget,
    ) -> Result<ObjectHeader, ObjectError> {
        let opened = self.require_open(place)?;
        let first = opened.entry(offset, budget)?;
        let size = match first.of {
            EntryContent::Object(_) => first.size,
            EntryContent::Delta(_) => {
                let start = opened.inflate(&first, budget).read_some(delta::LONGEST_HEADER)?;
                delta::sizes(&mut &*start)?.1
            }
        };
        let mut entry = first;
        for _ in 0..=MAX_DELTAS {
            match entry.of {
                EntryContent::Object(kind) => return Ok(ObjectHeader { kind, size }),
                EntryContent::Delta(base) => entry = opened.entry(base, budget)?,
            }
        }
        wrong(format!("more than {MAX_DELTAS} deltas in one chain"))
    }

    /// The bytes of the object at an offset, if it is acceptable. The bases of its delta may be as large.
    pub(crate) fn read(
        &self,
        place: &RepositoryPaths,
        offset: u64,
        request: &PackRequest<'_>,
        budget: &Budget,
    ) -> Result<Arc<[u8]>, ObjectError> {
        let opened = self.require_open(place)?;
        let largest = request.largest.max(LARGEST_BASE);
        let cache = || request.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let inflate = |entry: &PackEntry| {
            if entry.size <= largest {
                opened.inflate(entry, budget).read_all(entry.size)
            } else {
                wrong(format!("it expands to {} bytes, more than {largest}", entry.size))
            }
        };
        let chain = self.chain(&opened, offset, request.cache, budget)?;
        // The size of a whole object is in its entry, and the size of another one in its delta.
        let mut first = None;
        let size = match (chain.deltas.first(), &chain.base) {
            (Some((_, entry)), _) => {
                let delta = inflate(entry)?;
                let size = delta::sizes(&mut &*delta)?.1;
                first = Some(delta);
                size
            }
            (None, ChainBase::Known(bytes)) => bytes.len() as u64,
            (None, ChainBase::Entry(_, entry)) => entry.size,
        };
        (request.accepts)(ObjectHeader { kind: chain.kind, size }).map_err(ObjectError::Error)?;
        let mut bytes = match chain.base {
            ChainBase::Known(bytes) => bytes,
            ChainBase::Entry(at, entry) => {
                let bytes: Arc<[u8]> = inflate(&entry)?.into();
                if !chain.deltas.is_empty() {
                    cache().insert_base((self.serial, at), chain.kind, bytes.clone());
                }
                bytes
            }
        };
        for (at, entry) in chain.deltas.into_iter().rev() {
            let delta = match first.take_if(|_| at == offset) {
                Some(first) => first,
                None => inflate(&entry)?,
            };
            bytes = delta::apply(&bytes, &delta, largest, budget)?.into();
            cache().insert_base((self.serial, at), chain.kind, bytes.clone());
        }
        Ok(bytes)
    }

    /// The deltas that lead to the object at an offset, and the base of the last one.
    fn chain(
        &self,
        opened: &OpenPack,
        offset: u64,
        cache: &Mutex<Cache>,
        budget: &Budget,
    ) -> Result<DeltaChain, ObjectError> {
        let mut deltas = Vec::new();
        let mut at = offset;
        loop {
            let known = cache.lock().unwrap_or_else(PoisonError::into_inner).base((self.serial, at));
            if let Some((kind, bytes)) = known {
                return Ok(DeltaChain { deltas, kind, base: ChainBase::Known(bytes) });
            }
            let entry = opened.entry(at, budget)?;
            match entry.of {
                EntryContent::Object(kind) => {
                    return Ok(DeltaChain { deltas, kind, base: ChainBase::Entry(at, entry) });
                }
                EntryContent::Delta(base) => {
                    deltas.push((at, entry));
                    at = base;
                }
            }
            if deltas.len() > MAX_DELTAS {
                return wrong(format!("more than {MAX_DELTAS} deltas in one chain"));
            }
        }
    }

    /// Adds the names in the pack that begin with some digits, of which there are two at least.
    pub(crate) fn with_prefix(
        &self,
        place: &RepositoryPaths,
        digits: &[u8],
        found: &mut Vec<Id>,
        budget: &Budget,
    ) -> Result<(), Error> {
        let Some(opened) = self.open_files(place)? else { return Ok(()) };
        let damaged = |reason: String| Error::damaged(self.path.display(), reason);
        let Some(first) = digits.get(..2).and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok())
        else {
            return Ok(());
        };
        let (mut from, to) = opened.range(first).map_err(damaged)?;
        while from < to {
            let until = to.min(from + BLOCK);
            budget.steps(u64::from(BLOCK / 16))?;
            let block = opened.names(from, until).map_err(|error| damaged(error.to_string()))?;
            found.extend(
                block.chunks(opened.stride()).filter_map(|one| opened.name(one)).filter(|id| id.begins_with(digits)),
            );
            from = until;
        }
        Ok(())
    }

    /// The files of the pack. Returns `None` if they were removed.
    fn open_files(&self, place: &RepositoryPaths) -> Result<Option<Arc<OpenPack>>, Error> {
        let mut slot = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = &*slot {
            return Ok(Some(opened.clone()));
        }
        let open = |end: &str| {
            let path = self.path.with_extension(end);
            match place.files.random_access(&path) {
                Ok(file) => Ok(Some(file)),
                Err(error) if is_absence(&error) => Ok(None),
                Err(error) => Err(file_error(&path, &error)),
            }
        };
        let (Some(index), Some(content)) = (open("idx")?, open("pack")?) else { return Ok(None) };
        let opened = OpenPack::new(index, content).map_err(|reason| Error::damaged(self.path.display(), reason))?;
        let opened = Arc::new(opened);
        if OPEN_PACKS.load(atomic::Ordering::Relaxed) < MAX_OPEN {
            *slot = Some(opened.clone());
        }
        Ok(Some(opened))
    }

    fn require_open(&self, place: &RepositoryPaths) -> Result<Arc<OpenPack>, ObjectError> {
        match self.open_files(place)? {
            Some(opened) => Ok(opened),
            None => wrong("the pack was removed"),
        }
    }
}

impl Drop for OpenPack {
    fn drop(&mut self) {
        OPEN_PACKS.fetch_sub(1, atomic::Ordering::Relaxed);
    }
}

impl OpenPack {
    fn new(index: File, content: File) -> Result<OpenPack, String> {
        let to_error = |error: io::Error| error.to_string();
        let (size, end) = (index.metadata().map_err(to_error)?.len(), content.metadata().map_err(to_error)?.len());
        let mut start = [0; 8];
        read_at(&index, &mut start, 0).map_err(to_error)?;
        let (table, of_name) = match start {
            [0xff, b't', b'O', b'c', 0, 0, 0, 2] => (8, 20 + 4 + 4),
            [0xff, b't', b'O', b'c', ..] => return Err("its index has an unknown version".to_owned()),
            _ => (0, 4 + 20),
        };
        let mut fanout = [0; 1024];
        read_at(&index, &mut fanout, table).map_err(to_error)?;
        let fanout: Vec<u32> = fanout.chunks_exact(4).filter_map(number).collect();
        let count = fanout.last().copied().unwrap_or(0);
        let names = table + 1024;
        if !fanout.is_sorted() || names + u64::from(count) * of_name + 2 * TRAILER > size {
            return Err("its index is shorter than it declares".to_owned());
        }
        read_at(&content, &mut start, 0).map_err(to_error)?;
        if !matches!(start, [b'P', b'A', b'C', b'K', 0, 0, 0, 2 | 3]) {
            return Err("it does not have the signature of a pack".to_owned());
        }
        let stride = if table == 0 { 24 } else { 20 };
        OPEN_PACKS.fetch_add(1, atomic::Ordering::Relaxed);
        let (index, content) = (IndexFile::new(index, size), BlockFile::new(content, end));
        Ok(OpenPack { index, names, stride, fanout, content, end: end.saturating_sub(TRAILER) })
    }

    /// The numbers of the names that begin with a byte.
    fn range(&self, first: u8) -> Result<(u32, u32), String> {
        let first = usize::from(first);
        let before = first.checked_sub(1).and_then(|before| self.fanout.get(before)).copied().unwrap_or(0);
        self.fanout.get(first).map(|end| (before, *end)).ok_or_else(|| "its index is too short".to_owned())
    }

    /// The bytes of some names, in the first version of the format with the places before them.
    fn names(&self, from: u32, to: u32) -> io::Result<Cow<'_, [u8]>> {
        let size = u64::from(to.saturating_sub(from)) * self.stride;
        let size = usize::try_from(size).map_err(io::Error::other)?;
        self.index.bytes(self.names + u64::from(from) * self.stride, size)
    }

    /// The number of a name in a block of sorted names.
    fn position(&self, block: &[u8], id: Id) -> Option<usize> {
        let stride = self.stride();
        let name = |at: usize| self.name(block.get(at * stride..(at + 1) * stride)?);
        let (mut from, mut to) = (0, block.len() / stride);
        while from < to {
            let middle = from.midpoint(to);
            match name(middle)?.cmp(&id) {
                Ordering::Equal => return Some(middle),
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
            }
        }
        None
    }

    fn name(&self, one: &[u8]) -> Option<Id> {
        Id::at_start(if self.is_first_version() { one.get(4..)? } else { one })
    }

    /// The distance between the names in the index.
    fn stride(&self) -> usize {
        usize::try_from(self.stride).unwrap_or(LENGTH)
    }

    fn is_first_version(&self) -> bool {
        self.stride == 24
    }

    fn offset(&self, id: Id, budget: &Budget) -> Result<Option<u64>, ObjectError> {
        let (mut from, mut to) = self.range(id.bytes()[0]).map_err(ObjectError::Damaged)?;
        let mut known = None;
        if let Some(start) = guess(id, from, to) {
            let block = self.names(start, start + BLOCK).map_err(|error| from_io(&error))?;
            let (first, last) =
                (self.name(&block), block.rchunks_exact(self.stride()).next().and_then(|last| self.name(last)));
            if first.is_some_and(|first| id < first) {
                to = start;
            } else if last.is_some_and(|last| id > last) {
                from = start + BLOCK;
            } else {
                (from, to, known) = (start, start + BLOCK, Some(block));
            }
        }
        while to.saturating_sub(from) > BLOCK {
            budget.step()?;
            let middle = from + (to - from) / 2;
            let one = self.names(middle, middle + 1).map_err(|error| from_io(&error))?;
            match self.name(&one) {
                Some(other) if other <= id => from = middle,
                Some(_) | None => to = middle,
            }
        }
        budget.step()?;
        let block = match known {
            Some(block) => block,
            None => self.names(from, to).map_err(|error| from_io(&error))?,
        };
        let stride = self.stride();
        let Some(at) = self.position(&block, id) else { return Ok(None) };
        let place = if self.is_first_version() {
            block.chunks_exact(stride).nth(at).and_then(number).map(u64::from)
        } else {
            let count = u64::from(self.fanout.last().copied().unwrap_or(0));
            let at = u64::from(from) + at as u64;
            let short = self.index.bytes(self.names + count * 24 + at * 4, 4).map_err(|error| from_io(&error))?;
            match number(&short) {
                // The offsets beyond two gigabytes are in a separate table.
                Some(long) if long >> 31 == 1 => {
                    let at = self.names + count * 28 + u64::from(long & 0x7fff_ffff) * 8;
                    let place = self.index.bytes(at, 8).map_err(|error| from_io(&error))?;
                    place.first_chunk().copied().map(u64::from_be_bytes)
                }
                short => short.map(u64::from),
            }
        };
        Ok(place)
    }

    fn entry(&self, offset: u64, budget: &Budget) -> Result<PackEntry, ObjectError> {
        /// A size of 64 bits, and the name of a base.
        const LONGEST: usize = 32;
        budget.step()?;
        let mut start = [0; LONGEST];
        let mut source = ByteSource::At { file: &self.content, offset, end: self.end };
        let read = source.read(&mut start).map_err(|error| from_io(&error))?;
        let bytes = start.get(..read).unwrap_or_default();
        let mut rest = bytes;
        let Some(first) = next(&mut rest) else { return wrong("it is behind the end of the pack") };
        let kind = first >> 4 & 7;
        let mut size = u64::from(first & 15);
        let mut last = first;
        let mut shift = 4;
        while last & 0x80 != 0 {
            let Some(byte) = next(&mut rest).filter(|_| shift < 60) else { return wrong("its size is malformed") };
            size |= u64::from(byte & 0x7f) << shift;
            (last, shift) = (byte, shift + 7);
        }
        let of = match kind {
            1 => EntryContent::Object(ObjectKind::Commit),
            2 => EntryContent::Object(ObjectKind::Tree),
            3 => EntryContent::Object(ObjectKind::Blob),
            4 => EntryContent::Object(ObjectKind::Tag),
            6 => {
                let back = distance(&mut rest).filter(|back| *back > 0).and_then(|back| offset.checked_sub(back));
                let Some(base) = back else { return wrong("its base is before the beginning of the pack") };
                EntryContent::Delta(base)
            }
            7 => {
                let Some(base) = Id::at_start(rest) else { return wrong("it has no base") };
                rest = rest.get(LENGTH..).unwrap_or_default();
                let Some(base) = self.offset(base, budget)? else { return wrong("its base is not in the pack") };
                EntryContent::Delta(base)
            }
            _ => return wrong("its kind is unknown"),
        };
        Ok(PackEntry { of, size, content: offset + (bytes.len() - rest.len()) as u64 })
    }

    fn inflate<'o>(&'o self, entry: &PackEntry, budget: &'o Budget) -> InflateStream<'o> {
        InflateStream::new(ByteSource::At { file: &self.content, offset: entry.content, end: self.end }, budget)
    }
}

/// Guesses the start of the block with a name, between two indexes whose names have the same first byte. Names are hashes,
/// so most of them are near the position that an even distribution gives. `None` if the range is a single block.
fn guess(id: Id, from: u32, to: u32) -> Option<u32> {
    let count = to.checked_sub(from).filter(|count| *count > BLOCK)?;
    let [_, rest @ ..] = id.bytes();
    let part = u64::from(u32::from_be_bytes(*rest.first_chunk()?));
    // Less than `count`, because the part is less than 2^32.
    let place = u32::try_from((u64::from(count) * part) >> 32).ok()?;
    Some(from + place.saturating_sub(BLOCK / 2).min(count - BLOCK))
}

fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().copied().map(u32::from_be_bytes)
}

fn next(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

/// The distance between a delta and its base before it.
fn distance(bytes: &mut &[u8]) -> Option<u64> {
    let mut byte = next(bytes)?;
    let mut distance = u64::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = next(bytes)?;
        distance = distance.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(byte & 0x7f))?;
    }
    Some(distance)
}

/// The source of bytes.
pub(crate) enum ByteSource<'s> {
    /// One after the other.
    Stream(&'s mut (dyn Read + Send)),
    /// From a place in a file to another.
    At {
        /// The file.
        file: &'s BlockFile,
        /// The place of the next byte.
        offset: u64,
        /// The place after the last one.
        end: u64,
    },
}

impl ByteSource<'_> {
    pub(crate) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            ByteSource::Stream(stream) => loop {
                match stream.read(into) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => return read,
                }
            },
            ByteSource::At { file, offset, end } => {
                let left = usize::try_from(end.saturating_sub(*offset)).unwrap_or(usize::MAX);
                let count = left.min(into.len());
                let into = into.get_mut(..count).unwrap_or_default();
                file.read_exact_at(into, *offset)?;
                *offset += count as u64;
                Ok(count)
            }
        }
    }
}
