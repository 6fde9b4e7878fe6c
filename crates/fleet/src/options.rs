//! [`Options`]: the selection and the form of the answers.

use std::path::{Path, PathBuf};

use hieratic::budget::Limits;
use hieratic::value::Str;
use hieratic::{Facts, Redactor};

use crate::shard::Shard;
use crate::summary::Summary;
use hieratic::sandbox::SlashPath as _;

/// The selection of answers, and their form.
pub struct Options<'o> {
    /// Returns whether a key is selected. By default, all are.
    pub selects_key: &'o (dyn Fn(&str) -> bool + Sync),
    /// The keys and patterns that select keys. The summary counts the nodes with a row for each of them.
    pub named: &'o [String],
    /// Returns whether a node is selected, by its facts. By default, all are. An error is the reason why this is
    /// unknown.
    pub chosen: &'o (dyn Fn(&Facts) -> Result<bool, String> + Sync),
    /// The shard of nodes to process.
    pub shard: Shard,
    /// Whether rows include the origins of their values. Otherwise answers are not traced, and `file`, `line`, `level`
    /// and `secret` are empty. Secrets are always redacted.
    pub origins: bool,
    /// Whether answers must not depend on secrets, for readers without access to secrets.
    pub conceal: bool,
    /// The limits of one answer.
    pub limits: Limits,
    /// The redaction of secrets.
    pub redactor: Redactor,
    /// The folder that displayed paths are relative to.
    pub root: PathBuf,
    /// The folder of the global layer's configuration. Data below it belongs to this layer.
    pub global: Option<PathBuf>,
    /// Facts that become columns of the rows, by their paths: `os.family`.
    pub facts: &'o [String],
    /// Whether all facts of a node are its chosen facts, as they are nested.
    pub has_all_facts: bool,
    /// The metadata of a Parquet file about its run, by name.
    pub metadata: Vec<(String, String)>,
    /// The number of rows in a row group of a Parquet file. They stay in memory until the group is written.
    pub group: usize,
    /// The interval at which the progress is [saved](crate::export_continued).
    pub keep_every: SaveInterval,
    /// Called with the current counts after each part is written.
    pub progress: &'o (dyn Fn(&Summary) + Sync),
}

/// The default number of rows in a row group. Shared values are encoded once for each group, and its columns are in
/// memory until it is written.
const GROUP: usize = 1 << 23;

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            selects_key: &|_| true,
            named: &[],
            chosen: &|_| Ok(true),
            shard: Shard::default(),
            origins: true,
            conceal: false,
            limits: Limits::default(),
            redactor: Redactor::default(),
            root: PathBuf::new(),
            global: None,
            facts: &[],
            has_all_facts: false,
            metadata: Vec::new(),
            group: GROUP,
            keep_every: SaveInterval::default(),
            progress: &|_| {},
        }
    }
}

impl Options<'_> {
    /// A file as rows name it.
    pub(crate) fn shown(&self, file: &Path) -> Str {
        let below = file.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        below.unwrap_or(file).to_slashes().into()
    }
}

/// The interval at which the progress of an export is saved. A Parquet file saves it after each row group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaveInterval {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of bytes.
    pub bytes: u64,
}

impl Default for SaveInterval {
    /// Some seconds of work: saving has to wait for the disk.
    fn default() -> SaveInterval {
        SaveInterval { nodes: 8192, bytes: 64 << 20 }
    }
}
