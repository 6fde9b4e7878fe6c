//! Data files: read once, shared by every node, read again only when they change.

use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use hieratic_document::{self as document, Position, Positions, hocon, json, yaml};
use hieratic_eyaml::{Decryptor, KeySource};
use hieratic_pcore as pcore;
use hieratic_powers::{Files, Powers};
use hieratic_value::{Hash, Str, Value};
use smallvec::SmallVec;

use crate::Error;
use crate::backend::function::DataReader;
use crate::codes;
use crate::directives;
use crate::error::{Place, unreadable};
use crate::key::{self, Key};
use crate::node::Shared;
use crate::numbers::Numbers;
use crate::recent::Recent;
use crate::secrets::Secrets;
use crate::stamp::{Sighting, Stamp};
use crate::string_keys::with_string_keys;
use crate::template::Template;
use crate::variable::Variables;

/// The data of one source: values by key, each compiled when it is first asked for.
#[derive(Debug)]
pub(crate) struct Data {
    /// What tells the source from every other one, whether that is still held or not.
    number: u64,
    hash: Hash,
    entries: Box<[OnceLock<Entry>]>,
    /// Where things stand in the file, if that was asked for.
    positions: Option<Positions>,
    /// What origins and messages call the source.
    name: SourceName,
    opener: Option<Opener>,
    /// Whether all of it is secret.
    secret: bool,
    /// Whether a node has read it.
    is_read: AtomicBool,
    /// Outcomes of merges whose last part is here. The map is read without locks. To make one is a call of the system, and most sources need
    /// none.
    merged: OnceLock<papaya::HashMap<MergedKey, Merged, rustc_hash::FxBuildHasher>>,
    /// The variables that the values name.
    variables: Variables,
    /// The numbers of the keys, once a table has asked for them; none if there were too many.
    numbers: OnceLock<Option<Box<[Option<u32>]>>>,
}

/// How many sources there have been. The first is not 0.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// What decrypts the values of a source, and where their plain texts are remembered.
#[derive(Clone, Debug)]
struct Opener {
    decryptor: Arc<Decryptor>,
    secrets: Secrets,
}

/// The numbers that identify a merge: the strategy, the sources and the places of the values, and the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedKey(SmallVec<[u64; 14]>);

impl std::hash::Hash for MergedKey {
    /// Addresses and small numbers, which nobody can choose: the fast way of hashing is good enough.
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

/// The outcome of a merge. The other sources are held, so that no other can come to lie where they are.
#[derive(Debug)]
struct Merged {
    value: Value,
    _sources: Box<[Arc<Data>]>,
}

/// How many outcomes one source keeps.
const MOST_MERGED: usize = 100_000;

/// What a source is called.
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
    /// The type of a value that is no data, which every lookup of it reports.
    pub(crate) invalid: Option<Box<str>>,
}

/// Why a value could not be decrypted, and the encrypted text.
#[derive(Clone, Debug)]
pub(crate) struct DecryptionFault {
    pub(crate) text: Str,
    pub(crate) message: String,
    /// Whether the reference ends its command because of it.
    pub(crate) fatal: bool,
}

impl Entry {
    /// The compiled value, if there is nothing wrong with it.
    pub(crate) fn template(&self) -> Option<&Template> {
        self.template.as_ref().ok().filter(|_| self.invalid.is_none())
    }

    /// The value, if it is handed out as it lies.
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
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Data {
            number,
            hash,
            entries,
            positions,
            name,
            opener: None,
            secret: false,
            is_read: AtomicBool::new(false),
            merged: OnceLock::new(),
            variables: Variables::default(),
            numbers: OnceLock::new(),
        }
    }

    /// What tells the source from every other one.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The same data, all of it secret or not.
    pub(crate) fn marked(self, secret: bool) -> Data {
        Data { secret, ..self }
    }

    /// Where a path of keys ends: at the last of them.
    pub(crate) fn place_of(&self, path: &[&str]) -> Option<(&Arc<Path>, Position)> {
        let SourceName::File(file) = &self.name else { return None };
        let (mut hash, mut positions) = (&self.hash, self.positions.as_ref()?);
        let (last, around) = path.split_last()?;
        for key in around {
            positions = positions.entry(hash.index_of(key)?)?.1;
            hash = hash.get(key)?.as_hash()?;
        }
        let (at, value) = positions.entry(hash.index_of(last)?)?;
        Some((value.file().unwrap_or(file), at))
    }

    /// Whether all of the data is secret.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    fn encrypted(self, opener: Opener) -> Data {
        Data { opener: Some(opener), ..self }
    }

    /// Notes that a node reads it; whether another one did before.
    pub(crate) fn is_read_again(&self) -> bool {
        // Written only once: threads that write to the same place wait for each other.
        self.is_read.load(Ordering::Relaxed) || self.is_read.swap(true, Ordering::Relaxed)
    }

    /// Where the root of a key is, which stands for it in a [`MergedKey`].
    pub(crate) fn position(&self, key: &Key) -> Option<usize> {
        key::position(self.hash.as_map(), key)
    }

    /// The value at the position of a key.
    pub(crate) fn entry_at(&self, key: &Key, position: usize) -> Option<&Entry> {
        Some(self.entries.get(position)?.get_or_init(|| self.compile(key.root())))
    }

    /// The value of a key, and where it stands.
    pub(crate) fn get(&self, key: &str) -> Option<(&Entry, Option<&Positions>)> {
        let index = self.hash.index_of(key)?;
        let entry = self.entries.get(index)?.get_or_init(|| self.compile(key));
        let positions = self.positions.as_ref().and_then(|all| Some(all.entry(index)?.1));
        Some((entry, positions))
    }

    fn compile(&self, key: &str) -> Entry {
        static NOTHING: Value = Value::Undef;
        let value = self.hash.get(key).unwrap_or(&NOTHING);
        // The reference checks what is looked up before it is interpolated, except for encrypted data, which cannot
        // hold anything else than YAML does anyway.
        let invalid = (!pcore::is_rich_data(value)).then(|| pcore::infer(value).to_string().into());
        let template = match &self.opener {
            None => Ok(Template::compile(value, &self.variables)),
            Some(opener) => decrypted(value, opener, &self.variables),
        };
        Entry { template, invalid }
    }

    /// The value of a key as it is written.
    pub(crate) fn written(&self, key: &str) -> Option<&Value> {
        self.hash.get(key)
    }

    /// The outcome of a merge, if it is known.
    pub(crate) fn merged(&self, key: &MergedKey) -> Option<Value> {
        self.merged.get()?.pin().get(key).map(|merged| merged.value.clone())
    }

    /// Keeps the outcome of a merge.
    pub(crate) fn keep_merged(&self, key: MergedKey, value: Value, sources: Box<[Arc<Data>]>) {
        let merged = self.merged.get_or_init(papaya::HashMap::default).pin();
        if merged.len() >= MOST_MERGED {
            merged.clear();
        }
        merged.insert(key, Merged { value, _sources: sources });
    }

    /// The keys of the source.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.hash.keys()
    }

    /// The numbers of the keys, in their order. All who share a source share the [numbers](Store::numbers).
    pub(crate) fn numbers(&self, numbers: &Numbers) -> Option<&[Option<u32>]> {
        self.numbers.get_or_init(|| numbers.of_file(self)).as_deref()
    }

    /// An error about a key that has no place yet, placed in this source: at the key, if positions are known.
    pub(crate) fn place(&self, error: Error, key: &str) -> Error {
        let SourceName::File(file) = &self.name else { return error };
        if error.place().is_some() {
            return error;
        }
        error.at(match self.place_of(&[key]) {
            Some((file, at)) => Place { file: file.clone(), line: Some(at.line), column: Some(at.column) },
            None => Place::file(file),
        })
    }

    pub(crate) fn name(&self) -> &SourceName {
        &self.name
    }
}

/// Compiles a value with its encrypted strings decrypted and marked as secret.
fn decrypted(value: &Value, opener: &Opener, variables: &Variables) -> Result<Template, Box<DecryptionFault>> {
    match value {
        Value::String(text) if hieratic_eyaml::is_encrypted(text) => match opener.decryptor.decrypt_text(text) {
            Ok(plain) => {
                let plain = Value::from(plain);
                opener.secrets.add(&plain);
                Ok(Template::Secret(Box::new(Template::compile(&plain, variables))))
            }
            Err(error) => Err(Box::new(DecryptionFault {
                text: text.clone(),
                message: error.to_string(),
                fatal: error.is_unknown_encryptor(),
            })),
        },
        Value::Array(elements) => {
            let elements: Result<Box<[_]>, _> =
                elements.iter().map(|element| decrypted(element, opener, variables)).collect();
            Ok(Template::Array(elements?))
        }
        Value::Hash(hash) => {
            let pairs: Result<Box<[_]>, _> = hash
                .iter()
                .map(|(key, value)| {
                    decrypted(value, opener, variables).map(|value| (Template::compile(key, variables), value))
                })
                .collect();
            Ok(Template::Hash(pairs?))
        }
        other => Ok(Template::compile(other, variables)),
    }
}

/// The files that a level's options name as keys.
pub(crate) fn key_files(options: &Hash) -> impl Iterator<Item = Arc<Path>> + '_ {
    KEY_OPTIONS.into_iter().filter_map(|name| options.get(name)?.as_str().map(|file| Path::new(file).into()))
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Yaml,
    /// YAML whose merge directives are expanded.
    Directives,
    Json,
    Hocon,
    /// One that a [`DataReader`] of this name reads.
    Foreign(&'static str),
}

/// The option of `yaml_data` by which merge directives in its files are expanded.
pub(crate) const DIRECTIVES: &str = "directives";

impl Format {
    /// Whether a function that reads such files takes these options. The reference's take none.
    pub(crate) fn takes(self, options: &Hash) -> bool {
        let known = |key: &Value| matches!(self, Format::Yaml | Format::Directives) && key.as_str() == Some(DIRECTIVES);
        options.keys().all(known)
    }
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct DataFile {
    /// The file as it was before it was read.
    pub(crate) sighting: Sighting,
    /// The files that it includes.
    pub(crate) included: Vec<(Arc<Path>, Sighting)>,
    pub(crate) content: Result<Content, Error>,
}

/// What a file held.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Hash(Arc<Data>),
    /// A YAML file that holds no hash, which is a warning; `empty` tells whether it holds nothing at all.
    NoHash {
        empty: bool,
    },
    /// Something else, which is an error for the functions that do not warn.
    Other(Value),
}

type FileKey = (Arc<Path>, Format);
/// A file whose strings may be encrypted, how it was seen if that was now, and what it holds, decrypted, if that is a hash.
type Opened = (Arc<DataFile>, Option<Sighting>, Option<Arc<Data>>);

type SecretKey = (Arc<Path>, Str);
/// A file as it was read, the keys that it was decrypted with, and its data with a decryptor.
type Decrypted = (Arc<DataFile>, Vec<Option<Stamp>>, Arc<Data>);

/// The options of a level whose strings may be encrypted that name files.
const KEY_OPTIONS: [&str; 2] = ["pkcs7_private_key", "pkcs7_public_key"];

/// A file as it was read last. Whoever reads it holds the lock, so that others who need it wait instead of reading it too.
type Slot = Mutex<Option<Arc<DataFile>>>;

/// All files that were read, and what was decrypted of them.
#[derive(Debug)]
pub(crate) struct Store {
    files: Mutex<Recent<FileKey, Arc<Slot>>>,
    secrets: Mutex<Recent<SecretKey, Decrypted>>,
    positions: bool,
    /// Whether a file that was read is never looked at again.
    once: bool,
    /// The readers of formats that this crate does not know.
    readers: Vec<Arc<dyn DataReader>>,
    /// The plain texts of what was decrypted.
    plain: Secrets,
    powers: Powers,
    /// A store for the same folders, which has what is the same there.
    like: Option<Arc<Shared>>,
    /// The numbers of keys in its files, and in those of the store that it is like.
    numbers: Arc<Numbers>,
}

impl Store {
    /// A store that keeps the positions of values, if `positions` asks for them.
    pub(crate) fn new(positions: bool, powers: Powers) -> Store {
        Store {
            files: Mutex::new(Recent::new(usize::MAX)),
            secrets: Mutex::new(Recent::new(usize::MAX)),
            positions,
            once: false,
            readers: Vec::new(),
            plain: Secrets::default(),
            powers,
            like: None,
            numbers: Arc::default(),
        }
    }

    /// Takes what its files do not [patch](Files::is_patched) from the store of another environment.
    pub(crate) fn set_like(&mut self, other: Arc<Shared>) {
        self.plain = other.store.plain.clone();
        self.numbers = other.store.numbers.clone();
        self.like = Some(other);
    }

    /// A store of the same kind that takes what its files do not [patch](Files::is_patched) from this one, which is that of `shared`.
    pub(crate) fn patched(&self, shared: &Arc<Shared>, powers: Powers) -> Store {
        Store {
            files: Mutex::new(Recent::new(usize::MAX)),
            secrets: Mutex::new(Recent::new(usize::MAX)),
            positions: self.positions,
            once: self.once,
            readers: self.readers.clone(),
            plain: self.plain.clone(),
            powers,
            like: Some(shared.clone()),
            numbers: self.numbers.clone(),
        }
    }

    /// Lets its files do what these powers let them.
    pub(crate) fn set_powers(&mut self, powers: Powers) {
        self.powers = powers;
    }

    /// Looks at no file again that was read.
    pub(crate) fn set_once(&mut self, once: bool) {
        self.once = once;
    }

    /// Keeps about so many files from now on, those that were asked for lately.
    pub(crate) fn keep(&self, files: usize) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).keep(files);
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).keep(files);
    }

    /// Adds a reader of a format that this crate does not know.
    pub(crate) fn add_reader(&mut self, reader: Arc<dyn DataReader>) {
        self.readers.push(reader);
    }

    /// The reader of that name.
    pub(crate) fn format(&self, name: &str) -> Option<Format> {
        self.readers.iter().find(|reader| reader.name() == name).map(|reader| Format::Foreign(reader.name()))
    }

    /// The plain texts of what is secret in the files.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.plain
    }

    /// The numbers of the keys in its files.
    pub(crate) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The store that has a file in the place of this one.
    fn of_like(&self, path: &Path, format: Format, files: &Files) -> Option<&Store> {
        // Other formats may read further files, which may not be the same.
        let is_same = matches!(format, Format::Yaml | Format::Json | Format::Hocon) && !files.is_patched(path);
        self.like.as_ref().filter(|_| is_same).map(|other| &other.store)
    }

    /// Whether a file was read already, be it as it is now or not.
    pub(crate) fn has(&self, path: &Arc<Path>, format: Format, files: &Files) -> bool {
        if let Some(other) = self.of_like(path, format, files) {
            return other.has(path, format, files);
        }
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(&(path.clone(), format)).is_some()
    }

    /// The content of a file, read if it was not, or if it has changed; and how it was seen just now, unless it was read after that. Whoever
    /// has just seen that it is a regular file says so.
    pub(crate) fn file(
        &self,
        path: &Arc<Path>,
        is_file: bool,
        format: Format,
        files: &Files,
    ) -> (Arc<DataFile>, Option<Sighting>) {
        if let Some(other) = self.of_like(path, format, files) {
            return other.file(path, is_file, format, files);
        }
        let key = (path.clone(), format);
        let slot = self.files.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(key, Arc::default);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if self.once
            && let Some(known) = &*slot
        {
            return (known.clone(), None);
        }
        let seen = match &*slot {
            None => None,
            Some(known) => {
                let sighting = Sighting::of(files, path);
                let is_current = sighting.exists()
                    && known.sighting.holds(&sighting)
                    && known.included.iter().all(|(path, then)| then.holds(&Sighting::of(files, path)));
                if is_current {
                    return (known.clone(), Some(sighting));
                }
                Some(sighting)
            }
        };
        let (bytes, sighting) = match seen {
            Some(sighting) => (files.read(path), sighting),
            // Whoever holds nodes for long may have seen it long ago.
            None => read_first(path, is_file && self.once, files),
        };
        let mut included = Vec::new();
        let content = match bytes {
            Ok(bytes) => self.content(&bytes, path, format, &mut included),
            Err(error) => Err(unreadable(&error, path)),
        };
        let sighted = |path: PathBuf| (path.as_path().into(), Sighting::of(files, &path));
        let included = included.into_iter().map(sighted).collect();
        let read = Arc::new(DataFile { sighting, included, content });
        *slot = Some(read.clone());
        (read, None)
    }

    /// The data of a file whose strings may be encrypted, decrypted with what the options say.
    pub(crate) fn encrypted(&self, path: &Arc<Path>, options: &Hash, files: &Files) -> Result<Opened, Error> {
        if let Some(other) = &self.like
            && !std::iter::once(path.clone()).chain(key_files(options)).any(|path| files.is_patched(&path))
        {
            return other.store.encrypted(path, options, files);
        }
        let (file, now) = self.file(path, false, Format::Yaml, files);
        let Content::Hash(data) = file.content.clone()? else { return Ok((file, now, None)) };
        let key: SecretKey = (path.clone(), Value::Hash(options.clone()).inspect().into());
        let keys: Vec<Option<Stamp>> = key_files(options).map(|file| Stamp::of(files, &file)).collect();
        let known = self.secrets.lock().unwrap_or_else(PoisonError::into_inner).get(&key);
        if let Some((of, with, known)) = known
            && Arc::ptr_eq(&of, &file)
            && with == keys
        {
            return Ok((file, now, Some(known)));
        }
        let source = KeySource { files: files.clone(), variables: self.powers.variables.clone() };
        let opener = Opener { decryptor: Arc::new(Decryptor::new(options, &source)), secrets: self.plain.clone() };
        let made = Arc::new(Data::new(data.hash.clone(), data.positions.clone(), data.name.clone()).encrypted(opener));
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (file.clone(), keys, made.clone()));
        Ok((file, now, Some(made)))
    }

    fn content(
        &self,
        bytes: &[u8],
        path: &Arc<Path>,
        format: Format,
        included: &mut Vec<PathBuf>,
    ) -> Result<Content, Error> {
        let file = path.display().to_string();
        let (value, positions) = match format {
            Format::Directives => directives::read(bytes, path, self.positions, &self.powers, included)?,
            Format::Foreign(name) => {
                let Some(reader) = self.readers.iter().find(|reader| reader.name() == name) else {
                    return Err(Error::fatal(codes::DATA_FUNCTION, format!("'{name}' does not read files")));
                };
                let (value, positions) = reader.read(bytes, path)?;
                (value, self.positions.then_some(positions))
            }
            _ => self.parse(bytes, format, &file).map_err(|error| syntax_error(&error, format, path))?,
        };
        Ok(match (value, format) {
            (Value::Hash(hash), Format::Yaml | Format::Directives) => {
                let hash = Value::Hash(hash);
                let (hash, positions) = match with_string_keys(&hash) {
                    None => (hash, positions),
                    // Keys that fell together have no place of their own any more.
                    Some(changed) => (changed, None),
                };
                self.hash(hash, positions, path)
            }
            (hash @ Value::Hash(_), _) => self.hash(hash, positions, path),
            (other, Format::Yaml | Format::Directives) => Content::NoHash { empty: !other.is_truthy() },
            (other, _) => Content::Other(other),
        })
    }

    fn hash(&self, value: Value, positions: Option<Positions>, path: &Arc<Path>) -> Content {
        let hash = value.as_hash().cloned().unwrap_or_default();
        Content::Hash(Arc::new(Data::new(hash, positions, SourceName::File(path.clone()))))
    }

    /// The variables that HOCON's substitutions may fall back to.
    fn environment(&self) -> hocon::Environment {
        self.powers.variables.iter().collect()
    }

    fn parse(&self, bytes: &[u8], format: Format, file: &str) -> Result<(Value, Option<Positions>), document::Error> {
        let yaml_options = yaml::Options { symbols: true, regexps: false, file };
        if self.positions {
            let document = match format {
                Format::Yaml | Format::Directives | Format::Foreign(_) => {
                    yaml::parse_with_positions(bytes, &yaml_options)?
                }
                Format::Json => json::parse_with_positions(bytes)?,
                Format::Hocon => hocon::parse_with_positions(bytes, &self.environment())?,
            };
            return Ok((document.value, Some(document.positions)));
        }
        let value = match format {
            Format::Yaml | Format::Directives | Format::Foreign(_) => yaml::parse(bytes, &yaml_options)?,
            Format::Json => json::parse(bytes)?,
            Format::Hocon => hocon::parse_in(bytes, &self.environment())?,
        };
        Ok((value, None))
    }
}

/// Reads a file that was not read before, and tells what it was like then.
fn read_first(path: &Path, is_file: bool, files: &Files) -> (io::Result<Vec<u8>>, Sighting) {
    let now = SystemTime::now();
    if let Ok((bytes, about)) = files.read_seen(path, is_file)
        && about.len > 0
    {
        return (Ok(bytes), Sighting::at(now, about));
    }
    // What is not there yet, and what is being emptied, has to be seen before it is read.
    let sighting = Sighting::of(files, path);
    (files.read(path), sighting)
}

pub(crate) fn syntax_error(error: &document::Error, format: Format, path: &Arc<Path>) -> Error {
    let message = match format {
        Format::Yaml | Format::Directives => format!("Unable to parse {}", error.message()),
        Format::Json | Format::Hocon | Format::Foreign(_) => {
            format!("Unable to parse ({}): {}", path.display(), error.message())
        }
    };
    let place = Place {
        file: path.clone(),
        line: error.position().map(|position| position.line),
        column: error.position().map(|position| position.column),
    };
    let fault = Error::lookup(codes::DATA_SYNTAX, message).at(place);
    match error.hint() {
        Some(hint) => fault.help(hint),
        None => fault,
    }
}
