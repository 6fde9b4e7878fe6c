//! [`Options`]: which answers are written, and how.

use std::path::{Path, PathBuf};

use hieratic::budget::Limits;
use hieratic::value::Str;
use hieratic::{Facts, Redactor};

use crate::shard::Shard;
use crate::summary::Summary;
use hieratic::sandbox::SlashPath as _;

/// The selection of answers, and their form.
pub struct Options<'o> {
    /// Returns whether a key is selected; by default, all are.
    pub wanted: &'o (dyn Fn(&str) -> bool + Sync),
    /// Keys and patterns for which the summary counts the nodes that have them: those that select keys.
    pub named: &'o [String],
    /// Returns whether a node is selected, by its facts; by default, all are. An error gives the reason why that is
    /// unknown.
    pub chosen: &'o (dyn Fn(&Facts) -> Result<bool, String> + Sync),
    /// The part of the nodes that is written.
    pub shard: Shard,
    /// Whether rows include the origins of their values. Otherwise answers are not traced, and `file`, `line`, `level`
    /// and `secret` are empty. Secrets are redacted in any case.
    pub origins: bool,
    /// Whether answers must not depend on secrets, for readers that may not see these.
    pub conceal: bool,
    /// The limits of one answer.
    pub limits: Limits,
    /// The redaction of secrets.
    pub redactor: Redactor,
    /// The folder that displayed paths are relative to.
    pub root: PathBuf,
    /// The folder of the global layer's configuration: data below it is of that layer.
    pub global: Option<PathBuf>,
    /// Facts that become columns of the rows, by their paths: `os.family`.
    pub facts: &'o [String],
    /// The metadata of a Parquet file about its run, by name.
    pub metadata: Vec<(String, String)>,
    /// The number of rows in a row group of a Parquet file. They are in memory until the group is written.
    pub group: usize,
    /// The maximum number of nodes or bytes between two [saved](crate::export_continued) states of the progress.
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
            wanted: &|_| true,
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
