//! [`UnreadContents`] decides whether data files have changed only in keys that no lookup has read.
//!
//! Most commits of a repository change a few keys of large files, and a history asks for one key.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::hiera::{KeyRecord, YamlFiles};
use hieratic::value::Str;
use hieratic::{Hash, Node};
use hieratic_git::{ChangedContent, ChangedContents, ContentId, Error, Repository};

use crate::block_text::BlockText;

/// The parts of plain YAML files that an answer depends on: the values of some keys.
#[derive(Debug)]
pub struct ReadData {
    /// The names of the files, relative to the root of the repository.
    files: HashSet<PathBuf>,
    /// The patterns by which more files would be found.
    found: YamlFiles,
    /// The root of the repository.
    root: PathBuf,
    /// The keys.
    keys: Vec<Str>,
}

impl ReadData {
    /// Creates the dependencies of the lookups of a node whose keys were [recorded](Node::recording_keys). Returns
    /// `None` if files may have been read in other ways.
    pub fn new(node: &Node, keys: &KeyRecord, root: &Path) -> Option<ReadData> {
        let found = node.yaml_files()?;
        // Files outside of the repository do not change with a commit.
        let files = found.files.iter().filter_map(|file| file.strip_prefix(root).ok());
        let files = files.map(Path::to_owned).collect();
        Some(ReadData { files, found, root: root.to_owned(), keys: keys.keys() })
    }

    /// Adds a file that was found at an older commit.
    pub(crate) fn add_file(&mut self, name: &Path) {
        self.files.insert(name.to_owned());
    }

    /// Returns whether a folder, of which nothing but the name was read, can only be a module that has none of the keys.
    fn is_other_module(&self, folder: &Path) -> bool {
        self.found.is_other_module(&self.root.join(folder), &self.keys)
    }

    /// Returns whether nothing but the values of keys in a changed file can matter.
    fn depends_on_keys_of(&self, changed: &ChangedContent) -> bool {
        (!changed.is_read || self.files.contains(&changed.path))
            && (!changed.is_listed || self.found.may_be_found(&self.root.join(&changed.path)))
    }
}

/// The largest file that is compared, in bytes.
const LARGEST: usize = 4 << 20;
/// The most bytes that are kept.
const MOST_BYTES: usize = 64 << 20;
/// The size of a string with its values, as a multiple of the size of the string.
const VALUES_FACTOR: usize = 6;

/// The bytes of a file.
type Bytes = Arc<[u8]>;

/// A parsed file with its bytes.
type Contents = BlockText<Bytes>;

/// A version of a data file.
#[derive(Debug)]
struct KnownVersion {
    content: ContentId,
    text: Contents,
    /// The values by key, if the version was parsed as a whole: as the next one will be then, for example because the
    /// file has anchors.
    values: Option<Hash>,
}

impl KnownVersion {
    /// The approximate size in memory, in bytes.
    fn size(&self) -> usize {
        let length = self.text.text().len();
        if self.values.is_some() { VALUES_FACTOR * length } else { length }
    }
}

/// Compares versions of data files. The last version of each is kept.
#[derive(Debug, Default)]
pub(crate) struct UnreadContents {
    kept: HashMap<PathBuf, KnownVersion>,
    /// The bytes that are kept.
    bytes: usize,
}

impl UnreadContents {
    /// Returns whether a commit changed files only in keys that no lookup has read.
    pub(crate) fn are_unread(
        &mut self,
        repository: &Repository,
        changed: &ChangedContents,
        keys: &ReadData,
    ) -> Result<bool, Error> {
        if !changed.folders.iter().all(|folder| keys.is_other_module(folder)) {
            return Ok(false);
        }
        for one in &changed.files {
            if !keys.depends_on_keys_of(one) || !self.is_unread(repository, one, &keys.keys)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_unread(
        &mut self,
        repository: &Repository,
        changed: &ChangedContent,
        recorded_keys: &[Str],
    ) -> Result<bool, Error> {
        let (base, head) = match (changed.base, changed.head) {
            (Some(base), Some(head)) => (base, head),
            (Some(content), None) | (None, Some(content)) => {
                return self.has_no_key(repository, &changed.path, content, recorded_keys);
            }
            (None, None) => return Ok(true),
        };
        let base_text = repository.read_content(base)?;
        let (head, head_hash) = match self.take(&changed.path) {
            Some(known) if known.content == head => (Some(known.text), known.values),
            other => {
                let text = repository.read_content(head)?;
                // Another version is still near.
                match other.filter(|_| text.len() <= LARGEST).map(|other| other.text.changed(text.clone())) {
                    Some(Ok((text, _))) => (Some(text), None),
                    Some(Err(_)) | None => parsed(text),
                }
            }
        };
        let base_text =
            match head.as_ref().filter(|_| base_text.len() <= LARGEST).map(|head| head.changed(base_text.clone())) {
                Some(Ok((text, keys))) => {
                    self.keep(&changed.path, base, text, None);
                    return Ok(!recorded_keys.iter().any(|key| keys.contains(&**key)));
                }
                Some(Err(_)) | None => base_text,
            };
        let head_hash = head_hash.or_else(|| BlockText::parse(head.as_ref()?.text()).1);
        let (text, base_hash) = parsed(base_text);
        text.into_iter().for_each(|text| self.keep(&changed.path, base, text, base_hash.clone()));
        let (Some(base), Some(head)) = (base_hash, head_hash) else { return Ok(false) };
        let is_same = |key: &Str| match (base.get(key), head.get(key)) {
            (Some(base), Some(head)) => base.is_same_in_order(head),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        Ok(recorded_keys.iter().all(is_same))
    }

    /// Returns whether a file that exists only on one side of a commit has none of the keys.
    fn has_no_key(
        &mut self,
        repository: &Repository,
        path: &Path,
        content: ContentId,
        keys: &[Str],
    ) -> Result<bool, Error> {
        let (text, values) = parsed(repository.read_content(content)?);
        let is_without = values.as_ref().is_some_and(|values| keys.iter().all(|key| values.get(key).is_none()));
        self.take(path);
        text.into_iter().for_each(|text| self.keep(path, content, text, values.clone()));
        Ok(is_without)
    }

    /// Takes the version of a file that is kept.
    fn take(&mut self, path: &Path) -> Option<KnownVersion> {
        let known = self.kept.remove(path)?;
        self.bytes -= known.size();
        Some(known)
    }

    /// Keeps a version of a file, of which no other is kept.
    fn keep(&mut self, path: &Path, content: ContentId, text: Contents, values: Option<Hash>) {
        let version = KnownVersion { content, text, values };
        if self.bytes + version.size() > MOST_BYTES {
            self.kept.clear();
            self.bytes = 0;
        }
        self.bytes += version.size();
        self.kept.insert(path.to_owned(), version);
    }
}

/// A file that is parsed as a whole, unless it is too large.
fn parsed(text: Arc<[u8]>) -> (Option<Contents>, Option<Hash>) {
    if text.len() > LARGEST { (None, None) } else { BlockText::parse(text) }
}
