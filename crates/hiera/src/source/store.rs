//! [`Store`]: a cache of all data files, until they change.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use hieratic_crypto::eyaml::KeySource;
use hieratic_diagnostics::Source;
use hieratic_hocon as hocon;
use hieratic_json as json;
use hieratic_json::Positions;
use hieratic_sandbox::{Capabilities, Files};
use hieratic_value::{Hash, Str, Value};
use hieratic_yaml as yaml;

use super::data::{Data, SourceName};
use super::format::{DataReader, Format, syntax_error};
use super::value_decryptor::{ValueDecryptor, key_files};
use crate::Error;
use crate::codes;
use crate::directives;
use crate::file_id::{FileId, Observation};
use crate::generational_cache::GenerationalCache;
use crate::interner::KeyInterner;
use crate::secrets::Secrets;
use crate::string_keys::with_string_keys;
use hieratic_sandbox::SlashPath as _;

/// A file that was read.
#[derive(Debug)]
pub(crate) struct DataFile {
    /// The file as it was before it was read.
    pub(crate) observation: Observation,
    /// The files that it includes.
    pub(crate) included: Vec<(Arc<Path>, Observation)>,
    pub(crate) content: Result<Content, Error>,
}

impl DataFile {
    /// Returns whether the file, and all that it includes, are known to be as they were when it was read.
    fn is_unchanged(&self, observation: &Observation, files: &Files) -> bool {
        observation.exists()
            && self.observation.holds(observation)
            && self.included.iter().all(|(path, then)| then.holds(&Observation::read(files, path)))
    }
}

/// The content of a file.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Hash(Arc<Data>),
    /// A YAML file without a hash, which is a warning. `empty` is set if the file is empty.
    NoHash {
        empty: bool,
    },
    /// Other content, which is an error for the functions that do not warn.
    Other(Value),
}

/// A file with its latest observation, unless it was read after that.
pub(crate) type ReadFile = (Arc<DataFile>, Option<Observation>);

type FileKey = (Arc<Path>, Format);
type SecretKey = (Arc<Path>, Str);
/// A file as it was read, the keys that it was decrypted with, and its data with a decryptor.
type Decrypted = (Arc<DataFile>, Vec<Option<FileId>>, Arc<Data>);

/// The last read state of a file. The thread that reads it holds the lock, so that others wait instead of reading it
/// too.
type Slot = Mutex<Option<Arc<DataFile>>>;
type FileSlots = Mutex<GenerationalCache<FileKey, Arc<Slot>>>;

/// A cache of all files that were read, and of their decrypted data.
#[derive(Debug)]
pub(crate) struct Store {
    files: Arc<FileSlots>,
    /// The files of another store, which are taken over if they are still the same.
    former: Option<Arc<FileSlots>>,
    secrets: Mutex<GenerationalCache<SecretKey, Decrypted>>,
    positions: bool,
    /// Whether a file that was read is never checked again.
    once: bool,
    /// The readers of formats that this crate does not know.
    readers: Vec<Arc<dyn DataReader>>,
    /// The plain strings of the decrypted values.
    plain: Secrets,
    capabilities: Capabilities,
    /// The interner of keys, shared with related stores.
    interner: Arc<KeyInterner>,
}

impl Store {
    /// Creates a store, which records the positions of values if `positions` is set.
    pub(crate) fn new(positions: bool, capabilities: Capabilities) -> Store {
        Store {
            files: Arc::new(Mutex::new(GenerationalCache::new(usize::MAX))),
            former: None,
            secrets: Mutex::new(GenerationalCache::new(usize::MAX)),
            positions,
            once: false,
            readers: Vec::new(),
            plain: Secrets::default(),
            capabilities,
            interner: Arc::default(),
        }
    }

    /// Shares the secrets and the interner of another environment's store.
    pub(crate) fn share_secrets_of(&mut self, other: &Store) {
        self.plain = other.plain.clone();
        self.interner = other.interner.clone();
    }

    /// Takes files over from another store of the same kind, if they are the same where this one reads them.
    pub(crate) fn take_over(&mut self, other: &Store) {
        self.share_secrets_of(other);
        if self.positions == other.positions {
            self.former = Some(other.files.clone());
        }
    }

    /// Returns an empty store of the same kind that shares secrets and the interner with this one.
    pub(crate) fn empty_copy(&self, capabilities: Capabilities) -> Store {
        Store {
            files: Arc::new(Mutex::new(GenerationalCache::new(usize::MAX))),
            former: None,
            secrets: Mutex::new(GenerationalCache::new(usize::MAX)),
            positions: self.positions,
            once: self.once,
            readers: self.readers.clone(),
            plain: self.plain.clone(),
            capabilities,
            interner: self.interner.clone(),
        }
    }

    /// Sets the capabilities of its files.
    pub(crate) fn set_capabilities(&mut self, capabilities: Capabilities) {
        self.capabilities = capabilities;
    }

    /// Looks at no file again that was read.
    pub(crate) fn set_once(&mut self, once: bool) {
        self.once = once;
    }

    /// Limits the cache to about this number of recently used files.
    pub(crate) fn set_capacity(&self, files: usize) {
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

    /// Returns the plain strings of the secrets in the files.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.plain
    }

    /// Returns the interner of keys.
    pub(crate) fn numbers(&self) -> &KeyInterner {
        &self.interner
    }

    /// Returns whether a file was read before, even if it has changed since.
    pub(crate) fn has(&self, path: &Arc<Path>, format: Format) -> bool {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(&(path.clone(), format)).is_some()
    }

    /// Returns the text of a data file as it was last read, if positions were requested.
    pub(crate) fn source(&self, path: &Arc<Path>) -> Option<Source> {
        let known = [Format::Yaml, Format::Json, Format::Hocon, Format::Directives];
        let formats = known.into_iter().chain(self.readers.iter().map(|reader| Format::Foreign(reader.name())));
        formats.into_iter().find_map(|format| {
            let slot = self.files.lock().unwrap_or_else(PoisonError::into_inner).get(&(path.clone(), format))?;
            let file = slot.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
            match &file.content {
                Ok(Content::Hash(data)) => data.source().cloned(),
                _ => None,
            }
        })
    }

    fn slot(&self, path: &Arc<Path>, format: Format) -> Arc<Slot> {
        let key = (path.clone(), format);
        self.files.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(key, Arc::default)
    }

    /// Returns the content of a file, which is reread if it has changed, and the observation that was just made, unless
    /// the file was read after that. `is_file` means that the caller has just seen a regular file.
    pub(crate) fn file(&self, path: &Arc<Path>, is_file: bool, format: Format, files: &Files) -> ReadFile {
        let slot = self.slot(path, format);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if self.once
            && let Some(known) = &*slot
        {
            return (known.clone(), None);
        }
        if slot.is_none()
            && let Some((known, observation)) = self.former_file(path, format, files)
        {
            *slot = Some(known.clone());
            return (known, Some(observation));
        }
        if let Some(known) = &*slot {
            let observation = Observation::read(files, path);
            if known.is_unchanged(&observation, files) {
                return (known.clone(), Some(observation));
            }
        }
        // For nodes that live long, the caller may have seen the file long ago.
        let (bytes, observation) = read_observed(path, is_file && self.once, files);
        let mut included = Vec::new();
        let content = match bytes {
            Ok(bytes) => self.content(&bytes, path, format, &mut included),
            Err(error) => Err(Error::of_file(&error, path)),
        };
        let sighted = |path: PathBuf| (path.as_path().into(), Observation::read(files, &path));
        let included = included.into_iter().map(sighted).collect();
        let read = Arc::new(DataFile { observation, included, content });
        *slot = Some(read.clone());
        (read, None)
    }

    /// Returns the file that the former store has read, if it is the same, and the observation.
    fn former_file(&self, path: &Arc<Path>, format: Format, files: &Files) -> Option<(Arc<DataFile>, Observation)> {
        // Other formats may read further files, which may not be the same.
        let former = self.former.as_ref().filter(|_| matches!(format, Format::Yaml | Format::Json | Format::Hocon))?;
        let slot = former.lock().unwrap_or_else(PoisonError::into_inner).get(&(path.clone(), format))?;
        let known = slot.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let observation = Observation::read(files, path);
        known.is_unchanged(&observation, files).then_some((known, observation))
    }

    /// Returns the content of a file from another store, which is used only once if files are never rechecked.
    pub(crate) fn file_from(&self, path: &Arc<Path>, format: Format, other: impl FnOnce() -> ReadFile) -> ReadFile {
        if !self.once {
            return other();
        }
        let slot = self.slot(path, format);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(known) => (known.clone(), None),
            None => {
                let read = other();
                *slot = Some(read.0.clone());
                read
            }
        }
    }

    /// Returns the data of a file with encrypted strings, decrypted with the keys of the options. `None` if it contains
    /// no hash.
    pub(crate) fn decrypted(
        &self,
        path: &Arc<Path>,
        file: &Arc<DataFile>,
        options: &Hash,
        files: &Files,
    ) -> Result<Option<Arc<Data>>, Error> {
        let Content::Hash(data) = &file.content.as_ref().map_err(Error::clone)? else { return Ok(None) };
        let key: SecretKey = (path.clone(), Value::Hash(options.clone()).inspect().into());
        let keys: Vec<Option<FileId>> = key_files(options).map(|file| FileId::read(files, &file)).collect();
        let known = self.secrets.lock().unwrap_or_else(PoisonError::into_inner).get(&key);
        if let Some((of, with, known)) = known
            && Arc::ptr_eq(&of, file)
            && with == keys
        {
            return Ok(Some(known));
        }
        let source = KeySource { files: files.clone(), variables: self.capabilities.variables.clone() };
        let result = Arc::new(data.decrypted(ValueDecryptor::new(options, &source, self.plain.clone())));
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (file.clone(), keys, result.clone()));
        Ok(Some(result))
    }

    fn content(
        &self,
        bytes: &[u8],
        path: &Arc<Path>,
        format: Format,
        included: &mut Vec<PathBuf>,
    ) -> Result<Content, Error> {
        let file = path.to_slashes();
        let (value, positions) = match format {
            Format::Directives => directives::read(bytes, path, self.positions, &self.capabilities, included)?,
            Format::Foreign(name) => {
                let Some(reader) = self.readers.iter().find(|reader| reader.name() == name) else {
                    return Err(Error::fatal(codes::DATA_FUNCTION, format!("'{name}' does not read files")));
                };
                let (value, positions) = reader.read(bytes, path)?;
                (value, self.positions.then_some(positions))
            }
            _ => {
                let source = || Source::new(file.as_str(), bytes);
                self.parse(bytes, format, &file).map_err(|error| syntax_error(&error, format, path, &source()))?
            }
        };
        let source = positions.is_some().then(|| Source::new(file.as_str(), bytes));
        Ok(match (value, format) {
            (Value::Hash(hash), Format::Yaml | Format::Directives) => {
                let hash = Value::Hash(hash);
                let (hash, positions) = match with_string_keys(&hash) {
                    None => (hash, positions),
                    // Keys that became equal have no single position.
                    Some(changed) => (changed, None),
                };
                self.hash(hash, positions, path, source)
            }
            (hash @ Value::Hash(_), _) => self.hash(hash, positions, path, source),
            (other, Format::Yaml | Format::Directives) => Content::NoHash { empty: !other.is_truthy() },
            (other, _) => Content::Other(other),
        })
    }

    fn hash(&self, value: Value, positions: Option<Positions>, path: &Arc<Path>, source: Option<Source>) -> Content {
        let hash = value.as_hash().cloned().unwrap_or_default();
        let data = Data::new(hash, positions, SourceName::File(path.clone()));
        Content::Hash(Arc::new(data.with_source(source)))
    }

    /// The variables that HOCON's substitutions may fall back to.
    fn environment(&self) -> hocon::Environment {
        self.capabilities.variables.iter().collect()
    }

    fn parse(
        &self,
        bytes: &[u8],
        format: Format,
        file: &str,
    ) -> Result<(Value, Option<Positions>), hieratic_json::Error> {
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

/// Reads a file, and returns the state of the file that was read: its path may lead to another one a moment later.
fn read_observed(path: &Path, is_file: bool, files: &Files) -> (io::Result<Vec<u8>>, Observation) {
    let now = SystemTime::now();
    // Errors are handled below.
    if let Ok((bytes, about)) = files.read_with_stat(path, is_file)
        && about.len > 0
    {
        return (Ok(bytes), Observation::at(now, about));
    }
    // A file that does not exist yet, or is being rewritten, must be observed before it is read.
    let observation = Observation::read(files, path);
    (files.read(path), observation)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn content_belongs_to_the_observed_file_while_a_link_is_exchanged() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let versions = ["a", "b"];
        for version in versions {
            fs::write(root.join(version), format!("{version}: 1\n")).unwrap();
        }
        let link = |version: &str| {
            symlink(version, root.join("new")).unwrap();
            fs::rename(root.join("new"), root.join("current")).unwrap();
        };
        link("a");
        // Files that have just been written are read again each time.
        std::thread::sleep(std::time::Duration::from_millis(40));
        let files = Files::anywhere();
        let [a, b] = versions.map(|version| FileId::read(&files, &root.join(version)));
        let store = Store::new(false, Capabilities::below([root]));
        let path: Arc<Path> = root.join("current").into();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..2000 {
                    versions.iter().rev().for_each(|version| link(version));
                }
                is_over.store(true, Ordering::Relaxed);
            });
            while !is_over.load(Ordering::Relaxed) {
                let (file, _) = store.file(&path, true, Format::Yaml, &files);
                let Ok(Content::Hash(data)) = &file.content else { panic!("{:?}", file.content) };
                let id = if data.written("a").is_some() { &a } else { &b };
                assert_eq!(file.observation.file_id, *id, "the content is that of the other version");
            }
        });
    }
}
