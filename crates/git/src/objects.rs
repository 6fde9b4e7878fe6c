//! [`Objects`]: the objects of a repository by their ids, loose and in packs.
//!
//! The author of a repository controls the headers of its objects. So nothing is allocated because a header declares a
//! size: the size is compared with a limit first, every inflated byte is charged, and the content must have the hash by
//! which it was requested.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use flate2::{Decompress, FlushDecompress, Status};
use hieratic_budget::Budget;
use hieratic_sandbox::is_absence;
use sha1::{Digest, Sha1};

use crate::cache::Cache;
use crate::error::Error;
use crate::id::Id;
use crate::pack::{ByteSource, Pack, PackRequest};
use crate::repository_paths::{RepositoryPaths, file_error};

/// The kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl ObjectKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ObjectKind::Commit => "commit",
            ObjectKind::Tree => "tree",
            ObjectKind::Blob => "blob",
            ObjectKind::Tag => "tag",
        }
    }

    pub(crate) fn from_name(name: &[u8]) -> Option<ObjectKind> {
        [ObjectKind::Commit, ObjectKind::Tree, ObjectKind::Blob, ObjectKind::Tag]
            .into_iter()
            .find(|kind| kind.name().as_bytes() == name)
    }

    /// The size limit for an object that is read regardless of the limit for files: half a million names in a folder, a
    /// long message.
    fn largest(self) -> u64 {
        match self {
            ObjectKind::Tree => 64 << 20,
            ObjectKind::Commit | ObjectKind::Tag => 16 << 20,
            ObjectKind::Blob => u64::MAX,
        }
    }
}

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectHeader {
    pub(crate) kind: ObjectKind,
    pub(crate) size: u64,
}

/// The objects of a repository.
#[derive(Debug)]
pub(crate) struct Objects {
    packs: RwLock<Option<Arc<Vec<Pack>>>>,
    /// The pack in which the last object was.
    last: AtomicUsize,
    /// Commits, trees and tags, headers, and the bases of differences in packs, which are read again and again.
    cache: Mutex<Cache>,
    is_partial: bool,
}

/// The limit of packs.
const MAX_PACKS: usize = 100_000;
/// The number of bytes that are inflated for one step.
pub(crate) const BYTES_PER_STEP: u64 = 128;

/// The location of an object.
enum ObjectLocation {
    Loose(PathBuf, Box<dyn Read + Send>),
    Packed(Arc<Vec<Pack>>, usize, u64),
}

impl Objects {
    pub(crate) fn new(is_partial: bool) -> Objects {
        Objects { packs: RwLock::default(), last: AtomicUsize::new(0), cache: Mutex::default(), is_partial }
    }

    /// The kind and the size of an object, without reading it.
    pub(crate) fn header(&self, place: &RepositoryPaths, id: Id, budget: &Budget) -> Result<ObjectHeader, Error> {
        if let Some(known) = self.cache().header(id) {
            return Ok(known);
        }
        if let Some((kind, bytes)) = self.cached(id) {
            return Ok(ObjectHeader { kind, size: bytes.len() as u64 });
        }
        let header = match self.find(place, id, budget)? {
            ObjectLocation::Loose(path, mut file) => {
                let mut inflating = InflateStream::new(ByteSource::Stream(&mut *file), budget);
                loose_header(&mut inflating).map_err(|reason| damaged(id, &path, reason))
            }
            ObjectLocation::Packed(packs, number, offset) => {
                packs[number].header(place, offset, budget).map_err(|error| error.into_error(id, packs[number].path()))
            }
        }?;
        self.cache().insert_header(id, header);
        Ok(header)
    }

    /// The bytes of an object that is of one kind, unless it is larger than allowed.
    pub(crate) fn read(
        &self,
        place: &RepositoryPaths,
        id: Id,
        kind: ObjectKind,
        largest: u64,
        budget: &Budget,
    ) -> Result<Arc<[u8]>, Error> {
        let is = |found: ObjectKind| {
            if found == kind {
                Ok(())
            } else {
                Err(Error::damaged(format!("object {id}"), format!("it is a {}, not a {}", found.name(), kind.name())))
            }
        };
        if let Some((found, bytes)) = self.cached(id) {
            is(found)?;
            return Ok(bytes);
        }
        let largest = largest.min(kind.largest());
        let accepts = |header: ObjectHeader| {
            is(header.kind)?;
            if header.size <= largest { Ok(()) } else { Err(too_large(id, header, largest)) }
        };
        budget.step()?;
        let bytes: Arc<[u8]> = match self.find(place, id, budget)? {
            ObjectLocation::Loose(path, mut file) => {
                let mut inflating = InflateStream::new(ByteSource::Stream(&mut *file), budget);
                let header = loose_header(&mut inflating).map_err(|reason| damaged(id, &path, reason))?;
                accepts(header)?;
                inflating.read_all(header.size).map_err(|reason| damaged(id, &path, reason))?.into()
            }
            ObjectLocation::Packed(packs, number, offset) => {
                let pack = &packs[number];
                let to_error = |error: ObjectError| error.into_error(id, pack.path());
                let request = PackRequest { accepts: &accepts, largest, cache: &self.cache };
                pack.read(place, offset, &request, budget).map_err(to_error)?
            }
        };
        budget.steps(bytes.len() as u64 / BYTES_PER_STEP)?;
        let hash = hash(kind, bytes.len() as u64).chain_update(&bytes).finalize();
        if id.bytes()[..] != hash[..] {
            return Err(Error::damaged(format!("object {id}"), "its content has another hash"));
        }
        if kind != ObjectKind::Blob {
            self.cache().insert_object(id, kind, bytes.clone());
        }
        Ok(bytes)
    }

    pub(crate) fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cached(&self, id: Id) -> Option<(ObjectKind, Arc<[u8]>)> {
        self.cache().object(id)
    }

    /// The names of objects that begin with some digits; no more than two of them, or of those of one kind.
    pub(crate) fn with_prefix(
        &self,
        place: &RepositoryPaths,
        digits: &str,
        kind: Option<ObjectKind>,
        budget: &Budget,
    ) -> Result<Vec<Id>, Error> {
        let mut found: Vec<Id> = Vec::new();
        for pack in self.packs(place, budget)?.iter() {
            pack.with_prefix(place, digits.as_bytes(), &mut found, budget)?;
        }
        let (start, rest) = digits.split_at(2);
        for objects in &place.objects {
            let folder = objects.join(start.to_ascii_lowercase());
            let entries = match place.files.list(&folder) {
                Ok(entries) => entries,
                Err(error) if is_absence(&error) => continue,
                Err(error) => return Err(file_error(&folder, &error)),
            };
            budget.steps(entries.len() as u64)?;
            let names = entries.iter().filter(|entry| {
                entry.name.as_bytes().get(..rest.len()).is_some_and(|start| start.eq_ignore_ascii_case(rest.as_bytes()))
            });
            found.extend(names.filter_map(|entry| Id::from_hex(format!("{start}{}", entry.name).as_bytes())));
        }
        found.sort();
        found.dedup();
        if found.len() > 1
            && let Some(kind) = kind
        {
            let mut of_kind = Vec::new();
            for id in found {
                if self.header(place, id, budget)?.kind == kind {
                    of_kind.push(id);
                }
            }
            found = of_kind;
        }
        Ok(found)
    }

    fn find(&self, place: &RepositoryPaths, id: Id, budget: &Budget) -> Result<ObjectLocation, Error> {
        let packs = self.packs(place, budget)?;
        if let Some(found) = self.find_packed(place, &packs, id, budget)? {
            return Ok(found);
        }
        let name = id.to_string();
        let (start, rest) = name.split_at(2);
        for objects in &place.objects {
            let path = objects.join(start).join(rest);
            match place.files.reader(&path) {
                Ok(file) => return Ok(ObjectLocation::Loose(path, file)),
                Err(error) if is_absence(&error) => {}
                Err(error) => return Err(file_error(&path, &error)),
            }
        }
        // Objects may have been packed since the packs were listed.
        let listed = Arc::new(list(place, budget)?);
        if !listed.iter().map(Pack::path).eq(packs.iter().map(Pack::path)) {
            *self.packs.write().unwrap_or_else(PoisonError::into_inner) = Some(listed.clone());
            if let Some(found) = self.find_packed(place, &listed, id, budget)? {
                return Ok(found);
            }
        }
        Err(self.missing(place, id))
    }

    fn find_packed(
        &self,
        place: &RepositoryPaths,
        packs: &Arc<Vec<Pack>>,
        id: Id,
        budget: &Budget,
    ) -> Result<Option<ObjectLocation>, Error> {
        let last = self.last.load(Ordering::Relaxed);
        let others = (0..packs.len()).filter(|number| *number != last);
        for number in packs.get(last).map(|_| last).into_iter().chain(others) {
            if let Some(offset) = packs[number].offset(place, id, budget)? {
                self.last.store(number, Ordering::Relaxed);
                return Ok(Some(ObjectLocation::Packed(packs.clone(), number, offset)));
            }
        }
        Ok(None)
    }

    fn packs(&self, place: &RepositoryPaths, budget: &Budget) -> Result<Arc<Vec<Pack>>, Error> {
        if let Some(known) = &*self.packs.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(known.clone());
        }
        let listed = Arc::new(list(place, budget)?);
        *self.packs.write().unwrap_or_else(PoisonError::into_inner) = Some(listed.clone());
        Ok(listed)
    }

    /// An object that is named and is not here.
    fn missing(&self, place: &RepositoryPaths, id: Id) -> Error {
        let message = format!("object {id} is missing in {}", place.common.display());
        if self.is_partial {
            Error::missing(
                format!("{message}, which is a partial clone"),
                "fetch the missing objects with `git fetch --refetch --no-filter`, or clone without --filter",
            )
        } else {
            Error::missing(
                message,
                "fetch it with `git fetch --refetch`, or clone the whole repository; `git fsck` lists all missing objects",
            )
        }
    }
}

/// The packs of a repository. A pack without an index is still being written.
fn list(place: &RepositoryPaths, budget: &Budget) -> Result<Vec<Pack>, Error> {
    let mut packs = Vec::new();
    for objects in &place.objects {
        let folder = objects.join("pack");
        let entries = match place.files.list(&folder) {
            Ok(entries) => entries,
            Err(error) if is_absence(&error) => continue,
            Err(error) => return Err(file_error(&folder, &error)),
        };
        budget.steps(entries.len() as u64)?;
        packs.extend(
            entries.iter().filter_map(|entry| entry.name.strip_suffix(".idx")).map(|name| Pack::new(folder.join(name))),
        );
        if packs.len() > MAX_PACKS {
            return Err(Error::damaged(folder.display(), format!("it has more than {MAX_PACKS} packs")));
        }
    }
    Ok(packs)
}

/// The beginning of the hash of an object.
pub(crate) fn hash(kind: ObjectKind, size: u64) -> Sha1 {
    Sha1::new_with_prefix(format!("{} {size}\0", kind.name()))
}

fn too_large(id: Id, header: ObjectHeader, largest: u64) -> Error {
    let ObjectHeader { kind, size } = header;
    let help = match kind {
        ObjectKind::Blob => format!("raise the limit: --limit file={}", largest.saturating_mul(10)),
        _ => "git never writes such an object: check the repository with `git fsck`".to_owned(),
    };
    Error::new(format!("the {} {id} has {size} bytes, more than {largest}", kind.name()), help)
}

/// The reason why an object could not be read.
pub(crate) enum ObjectError {
    /// It is not as git writes it.
    Damaged(String),
    /// A complete error.
    Error(Error),
}

impl ObjectError {
    pub(crate) fn into_error(self, id: Id, path: &std::path::Path) -> Error {
        damaged(id, path, self)
    }
}

impl<E: Into<Error>> From<E> for ObjectError {
    fn from(error: E) -> ObjectError {
        ObjectError::Error(error.into())
    }
}

fn damaged(id: Id, path: &std::path::Path, problem: ObjectError) -> Error {
    match problem {
        ObjectError::Damaged(reason) => Error::damaged(format!("object {id} in {}", path.display()), reason),
        ObjectError::Error(error) => error,
    }
}

pub(crate) fn wrong<T>(reason: impl Into<String>) -> Result<T, ObjectError> {
    Err(ObjectError::Damaged(reason.into()))
}

/// The header of a loose object.
fn loose_header(inflating: &mut InflateStream<'_>) -> Result<ObjectHeader, ObjectError> {
    /// A kind, and a number of 64 bits.
    const LONGEST: usize = 32;
    let mut text = Vec::new();
    loop {
        match inflating.read_some(1)?.first() {
            Some(0) => break,
            Some(byte) if text.len() < LONGEST => text.push(*byte),
            Some(_) | None => return wrong("its header is malformed"),
        }
    }
    let mut words = text.splitn(2, |byte| *byte == b' ');
    let kind = words.next().and_then(ObjectKind::from_name);
    let size = words.next().and_then(|size| std::str::from_utf8(size).ok()?.parse().ok());
    match (kind, size) {
        (Some(kind), Some(size)) => Ok(ObjectHeader { kind, size }),
        _ => wrong("its header is malformed"),
    }
}

/// A stream of bytes that are inflated on demand.
pub(crate) struct InflateStream<'s> {
    source: ByteSource<'s>,
    budget: &'s Budget,
    inflater: Inflater,
    /// The start of the unused input.
    at: usize,
    is_over: bool,
}

/// The number of bytes that are read at once.
const CHUNK: usize = 4 << 10;

impl<'s> InflateStream<'s> {
    pub(crate) fn new(source: ByteSource<'s>, budget: &'s Budget) -> InflateStream<'s> {
        InflateStream { source, budget, inflater: Inflater::take(), at: 0, is_over: false }
    }

    /// The next bytes, fewer only at the end.
    pub(crate) fn read_some(&mut self, count: usize) -> Result<Vec<u8>, ObjectError> {
        let InflateStream { source, budget, inflater, at, is_over } = self;
        let (inflate, input) = inflater.parts();
        let mut out = Vec::new();
        // At most half a megabyte before the first byte is inflated, regardless of the header.
        out.try_reserve_exact(count.min(CHUNK << 7)).map_err(|_| no_memory())?;
        while out.len() < count && !*is_over {
            if *at == input.len() {
                input.resize(CHUNK, 0);
                let read = source.read(input).map_err(|error| ObjectError::Damaged(error.to_string()))?;
                input.truncate(read);
                *at = 0;
                if read == 0 {
                    return wrong("it is truncated");
                }
            }
            if out.len() == out.capacity() {
                let more = out.len().max(CHUNK).min(count - out.len());
                out.try_reserve_exact(more).map_err(|_| no_memory())?;
            }
            let (start, read) = (out.len(), inflate.total_in());
            let room = (count - start).min(out.capacity() - start).min(CHUNK << 4);
            out.resize(start + room, 0);
            let produced = inflate.total_out();
            let rest = input.get(*at..).unwrap_or_default();
            let status = inflate.decompress(rest, &mut out[start..], FlushDecompress::None);
            let status = status.map_err(|error| ObjectError::Damaged(format!("it cannot be inflated: {error}")))?;
            let produced = usize::try_from(inflate.total_out() - produced).unwrap_or(0);
            let used = usize::try_from(inflate.total_in() - read).unwrap_or(0);
            out.truncate(start + produced);
            *at += used;
            budget.steps(produced as u64 / BYTES_PER_STEP + 1)?;
            *is_over = status == Status::StreamEnd;
            if produced == 0 && used == 0 && !*is_over && *at < input.len() {
                return wrong("it cannot be inflated");
            }
        }
        Ok(out)
    }

    /// Reads all bytes. Their number must be that of the header.
    pub(crate) fn read_all(&mut self, size: u64) -> Result<Vec<u8>, ObjectError> {
        let Ok(count) = usize::try_from(size) else { return wrong("it is larger than memory") };
        let bytes = self.read_some(count)?;
        if bytes.len() != count {
            return wrong("it is shorter than its header declares");
        }
        if !self.is_over && !self.read_some(1)?.is_empty() {
            return wrong("it is longer than its header declares");
        }
        Ok(bytes)
    }
}

/// The state of inflating, of 40 KB, with the input that is not yet inflated. A thread keeps one: a walk through a history
/// inflates some objects of a few hundred bytes for each commit.
struct Inflater(Option<Box<InflateState>>);

struct InflateState {
    inflate: Decompress,
    input: Vec<u8>,
}

thread_local! {
    static SPARE: Cell<Option<Box<InflateState>>> = const { Cell::new(None) };
}

impl Inflater {
    /// The one that the thread keeps, unless it is in use.
    fn take() -> Inflater {
        let mut spare = SPARE.take();
        if let Some(state) = &mut spare {
            state.inflate.reset(true);
            state.input.clear();
        }
        Inflater(spare)
    }

    fn parts(&mut self) -> (&mut Decompress, &mut Vec<u8>) {
        let new = || Box::new(InflateState { inflate: Decompress::new(true), input: Vec::new() });
        let state = self.0.get_or_insert_with(new);
        (&mut state.inflate, &mut state.input)
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // A thread that ends keeps none.
        let _ = SPARE.try_with(|spare| spare.set(self.0.take()));
    }
}

pub(crate) fn no_memory() -> ObjectError {
    ObjectError::Error(Error::new("there is not enough memory for an object", "lower the limits: --limit file=NUMBER"))
}

/// Converts an error of the system for a file to a fault of the object in it.
pub(crate) fn from_io(error: &io::Error) -> ObjectError {
    ObjectError::Damaged(error.to_string())
}
