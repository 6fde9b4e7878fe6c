//! [`UnreadContents`] decides whether data files have changed only in keys that no lookup has read.
//!
//! Most commits of a repository change a few keys of large files, and a history asks for one key.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::hiera::KeyRecord;
use hieratic::value::Str;
use hieratic::{Hash, Node};
use hieratic_git::{ChangedContent, ContentId, Error, Repository};

use crate::block_text::BlockText;

/// The parts of plain YAML files that an answer depends on: the values of some keys.
#[derive(Debug)]
pub struct ReadData {
    /// The names of the files, relative to the root of the repository.
    files: HashSet<PathBuf>,
    /// The keys.
    keys: Vec<Str>,
}

impl ReadData {
    /// Creates the dependencies of the lookups of a node whose keys were [recorded](Node::recording_keys). Returns
    /// `None` if files may have been read in other ways.
    pub fn new(node: &Node, keys: &KeyRecord, root: &Path) -> Option<ReadData> {
        let files = node.yaml_files()?;
        // Files outside of the repository do not change with a commit.
        let names = files.iter().filter_map(|file| file.strip_prefix(root).ok());
        Some(ReadData { files: names.map(Path::to_owned).collect(), keys: keys.keys() })
    }
}

/// The largest file that is compared, in bytes.
const LARGEST: usize = 4 << 20;
/// The most bytes that are kept.
const MOST_BYTES: usize = 64 << 20;
/// The size of a string with its values, as a multiple of the size of the string.
const VALUES_FACTOR: usize = 6;

/// A parsed file with its bytes.
type Contents = BlockText<Arc<[u8]>>;

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
        changed: &[ChangedContent],
        keys: &ReadData,
    ) -> Result<bool, Error> {
        for one in changed {
            if !keys.files.contains(&one.path) || !self.is_unread(repository, one, &keys.keys)? {
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
        let base = repository.read_content(changed.base)?;
        let (head, head_hash) = match self.take(&changed.path) {
            Some(known) if known.content == changed.head => (Some(known.text), known.values),
            other => {
                let text = repository.read_content(changed.head)?;
                // Another version is still near.
                match other.filter(|_| text.len() <= LARGEST).map(|other| other.text.changed(text.clone())) {
                    Some(Ok((text, _))) => (Some(text), None),
                    Some(Err(_)) | None => parsed(text),
                }
            }
        };
        let base = match head.as_ref().filter(|_| base.len() <= LARGEST).map(|head| head.changed(base.clone())) {
            Some(Ok((text, keys))) => {
                self.keep(changed, text, None);
                return Ok(!recorded_keys.iter().any(|key| keys.contains(&**key)));
            }
            Some(Err(_)) | None => base,
        };
        let head_hash = head_hash.or_else(|| BlockText::parse(head.as_ref()?.text()).1);
        let (text, base_hash) = parsed(base);
        text.into_iter().for_each(|text| self.keep(changed, text, base_hash.clone()));
        let (Some(base), Some(head)) = (base_hash, head_hash) else { return Ok(false) };
        let is_same = |key: &Str| match (base.get(key), head.get(key)) {
            (Some(base), Some(head)) => base.is_same_in_order(head),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        Ok(recorded_keys.iter().all(is_same))
    }

    /// Takes the version of a file that is kept.
    fn take(&mut self, path: &Path) -> Option<KnownVersion> {
        let known = self.kept.remove(path)?;
        self.bytes -= known.size();
        Some(known)
    }

    /// Keeps the version of a file before a commit.
    fn keep(&mut self, changed: &ChangedContent, text: Contents, values: Option<Hash>) {
        let version = KnownVersion { content: changed.base, text, values };
        if self.bytes + version.size() > MOST_BYTES {
            self.kept.clear();
            self.bytes = 0;
        }
        self.bytes += version.size();
        self.kept.insert(changed.path.clone(), version);
    }
}

/// A file that is parsed as a whole, unless it is too large.
fn parsed(text: Arc<[u8]>) -> (Option<Contents>, Option<Hash>) {
    if text.len() > LARGEST { (None, None) } else { BlockText::parse(text) }
}
