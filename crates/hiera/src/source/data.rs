//! [`Data`]: the values of one source by key, each compiled on first use.

use std::hash::Hasher;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use hieratic_diagnostics::Source;
use hieratic_json::{Position, Positions};
use hieratic_puppet_types as pcore;
use hieratic_value::{Hash, Str, Value};
use smallvec::SmallVec;

use super::value_decryptor::{DecryptionFault, ValueDecryptor};
use crate::Error;
use crate::error::Place;
use crate::interner::{KeyId, KeyInterner};
use crate::key::{self, Key};
use crate::template::Template;
use crate::variable::Variables;

/// The id of a source, unique in the process even after the source was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u64);

impl SourceId {
    /// Returns the id of a new source.
    fn next() -> SourceId {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        // Counting to 2^64 takes centuries.
        SourceId(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the id as a number.
    pub fn as_u64(self) -> u64 {
        self.0
    }
}

/// The data of one source: values by key, each compiled when it is first looked up.
#[derive(Debug)]
pub(crate) struct Data {
    id: SourceId,
    hash: Hash,
    entries: Box<[OnceLock<Entry>]>,
    /// The positions of the values, if they were requested.
    positions: Option<Positions>,
    /// The source text, if positions were requested.
    source: Option<Source>,
    /// The name of the source in origins and messages.
    name: SourceName,
    opener: Option<ValueDecryptor>,
    /// Whether the whole data is secret.
    secret: bool,
    /// Whether a node has read it.
    is_read: AtomicBool,
    /// The cached results of merges whose last value is here. The map is read without locks. It is created lazily,
    /// because that is a system call, and most sources need none.
    merged: OnceLock<papaya::HashMap<MergedKey, CachedMerge, hieratic_value::collections::FixedState>>,
    /// The variables that the values name.
    variables: Variables,
    /// The ids of the keys, computed when an index first needs them. `None` inside if there were too many.
    key_ids: OnceLock<Option<Box<[Option<KeyId>]>>>,
}

/// The identity of a merge: the strategy, the sources and the places of the values, and the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedKey(SmallVec<[u64; 14]>);

impl std::hash::Hash for MergedKey {
    /// Addresses and small ids cannot be chosen by an attacker, so fast hashing is enough.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|number| state.write_usize(*number as usize));
    }
}

impl MergedKey {
    pub(crate) fn new(strategy: u64) -> MergedKey {
        MergedKey(smallvec::smallvec![strategy])
    }

    pub(crate) fn push(&mut self, number: u64) {
        self.0.push(number);
    }
}

/// The result of a merge. The other sources are kept alive, so that their addresses are not reused.
#[derive(Debug)]
struct CachedMerge {
    value: Value,
    _sources: Box<[Arc<Data>]>,
}

/// The maximum number of merge results that one source caches.
const MAX_MERGED: usize = 100_000;

/// The name of a source.
#[derive(Clone, Debug)]
pub(crate) enum SourceName {
    File(Arc<Path>),
    Other(Str),
}

impl std::fmt::Display for SourceName {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SourceName::File(path) => write!(out, "{}", path.display()),
            SourceName::Other(name) => out.write_str(name),
        }
    }
}

/// The value of one key. It is small, because a lookup waits for memory most of all.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) template: Result<Template, Box<DecryptionFault>>,
    /// The type of a value that is not data; every lookup reports it.
    pub(crate) invalid: Option<Box<str>>,
}

impl Entry {
    /// Returns the compiled value, if it is valid.
    pub(crate) fn template(&self) -> Option<&Template> {
        self.template.as_ref().ok().filter(|_| self.invalid.is_none())
    }

    /// Returns the value, if it needs no interpolation.
    pub(crate) fn plain(&self) -> Option<&Value> {
        match self.template()? {
            Template::Plain(value) => Some(value),
            _ => None,
        }
    }
}

impl Data {
    pub(crate) fn new(hash: Hash, positions: Option<Positions>, name: SourceName) -> Data {
        let entries = (0..hash.len()).map(|_| OnceLock::new()).collect();
        Data {
            id: SourceId::next(),
            hash,
            entries,
            positions,
            source: None,
            name,
            opener: None,
            secret: false,
            is_read: AtomicBool::new(false),
            merged: OnceLock::new(),
            variables: Variables::default(),
            key_ids: OnceLock::new(),
        }
    }

    /// Returns the id of the source.
    pub(crate) fn id(&self) -> SourceId {
        self.id
    }

    /// Sets the source text.
    pub(crate) fn with_source(self, source: Option<Source>) -> Data {
        Data { source, ..self }
    }

    /// Returns the source text, if positions were requested.
    pub(crate) fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Sets whether the whole data is secret.
    pub(crate) fn with_secret(self, secret: bool) -> Data {
        Data { secret, ..self }
    }

    /// Returns the position of the last key of a path.
    pub(crate) fn position_of_key(&self, path: &[&str]) -> Option<(&Arc<Path>, Position)> {
        let SourceName::File(file) = &self.name else { return None };
        let (mut hash, mut positions) = (&self.hash, self.positions.as_ref()?);
        let (last, outer) = path.split_last()?;
        for key in outer {
            positions = positions.entry(hash.index_of(key)?)?.1;
            hash = hash.get(key)?.as_hash()?;
        }
        let (at, value) = positions.entry(hash.index_of(last)?)?;
        Some((value.other_file().map_or(file, |other| &other.path), at))
    }

    /// Returns whether the whole data is secret.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    /// Returns a copy whose values are decrypted.
    pub(super) fn decrypted(&self, opener: ValueDecryptor) -> Data {
        let data = Data::new(self.hash.clone(), self.positions.clone(), self.name.clone());
        Data { opener: Some(opener), source: self.source.clone(), ..data }
    }

    /// Notes that a node reads it; whether another one did before.
    pub(crate) fn mark_read(&self) -> bool {
        // Written only once: threads that write to the same place wait for each other.
        self.is_read.load(Ordering::Relaxed) || self.is_read.swap(true, Ordering::Relaxed)
    }

    /// Returns the position of a key's root, which identifies it in a [`MergedKey`].
    pub(crate) fn position(&self, key: &Key) -> Option<usize> {
        key::position(self.hash.as_map(), key)
    }

    /// The value at the position of a key.
    pub(crate) fn entry_at(&self, key: &Key, position: usize) -> Option<&Entry> {
        Some(self.entries.get(position)?.get_or_init(|| self.compile(key.root())))
    }

    /// Returns the value of a key with its position.
    pub(crate) fn get(&self, key: &str) -> Option<(&Entry, Option<&Positions>)> {
        let index = self.hash.index_of(key)?;
        let entry = self.entries.get(index)?.get_or_init(|| self.compile(key));
        Some((entry, self.positions_at(index)))
    }

    /// Returns the positions of the value at an index.
    pub(crate) fn positions_at(&self, position: usize) -> Option<&Positions> {
        Some(self.positions.as_ref()?.entry(position)?.1)
    }

    fn compile(&self, key: &str) -> Entry {
        static NOTHING: Value = Value::Undef;
        let value = self.hash.get(key).unwrap_or(&NOTHING);
        // The reference checks a value before it is interpolated, except for encrypted data, which comes from YAML and
        // so cannot contain other types.
        let invalid = (!pcore::is_rich_data(value)).then(|| pcore::infer(value).to_string().into());
        let template = match &self.opener {
            None => Ok(Template::compile(value, &self.variables)),
            Some(opener) => opener.compile(value, &self.variables),
        };
        Entry { template, invalid }
    }

    /// The value of a key as written.
    pub(crate) fn written(&self, key: &str) -> Option<&Value> {
        self.hash.get(key)
    }

    /// Returns the cached result of a merge.
    pub(crate) fn merged(&self, key: &MergedKey) -> Option<Value> {
        self.merged.get()?.pin().get(key).map(|merged| merged.value.clone())
    }

    /// Keeps the outcome of a merge.
    pub(crate) fn cache_merged(&self, key: MergedKey, value: Value, sources: Box<[Arc<Data>]>) {
        let merged = self.merged.get_or_init(papaya::HashMap::default).pin();
        if merged.len() >= MAX_MERGED {
            merged.clear();
        }
        merged.insert(key, CachedMerge { value, _sources: sources });
    }

    /// The keys of the source.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.hash.keys()
    }

    /// Returns the ids of the keys, in order. All users of a source share its [interner](super::Store::numbers).
    pub(crate) fn key_ids(&self, interner: &KeyInterner) -> Option<&[Option<KeyId>]> {
        self.key_ids.get_or_init(|| interner.intern_all(self.keys())).as_deref()
    }

    /// Sets the place of an error about a key, unless it has one: the key in this source, if positions are known.
    pub(crate) fn place(&self, error: Error, key: &str) -> Error {
        let SourceName::File(file) = &self.name else { return error };
        if error.place().is_some() {
            return error;
        }
        let found = self.hash.index_of(key).and_then(|index| self.positions.as_ref()?.entry(index));
        error.at(match found {
            Some((at, value)) => match (value.other_file(), &self.source) {
                (Some(other), _) => Place::new(other.path.clone(), Some(at)).within(&other.source),
                (None, Some(source)) => Place::new(file.clone(), Some(at)).within(source),
                (None, None) => Place::new(file.clone(), Some(at)),
            },
            None => Place::file(file),
        })
    }

    pub(crate) fn name(&self) -> &SourceName {
        &self.name
    }
}
