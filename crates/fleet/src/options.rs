//! [`Options`]: which answers are written, and how.

use std::path::{Path, PathBuf};

use hieratic::powers::Limits;
use hieratic::value::Str;
use hieratic::{Facts, Mask};

use crate::shard::Shard;
use crate::summary::Summary;

/// Which answers are written, and how.
pub struct Options<'o> {
    /// Which keys are meant; all by default.
    pub wanted: &'o (dyn Fn(&str) -> bool + Sync),
    /// Which nodes are meant, by their facts; all by default. An error says why that cannot be told.
    pub chosen: &'o (dyn Fn(&Facts) -> Result<bool, String> + Sync),
    /// Which part of the nodes is written.
    pub shard: Shard,
    /// Whether rows say where their values come from: without that, answers are not traced, and `file`, `line`, `level`
    /// and `secret` are empty. Secrets are redacted all the same.
    pub origins: bool,
    /// What one answer may cost.
    pub limits: Limits,
    /// What covers secrets.
    pub mask: Mask,
    /// The folder that paths of files are shown from.
    pub root: PathBuf,
    /// How many rows a group of a Parquet file has. They are in memory until the group is written.
    pub group: usize,
    /// How many nodes or bytes are written at most before the progress is [kept](crate::export_continued).
    pub keep_every: Every,
    /// Called with the numbers of nodes and rows after each part is written.
    pub progress: &'o (dyn Fn(&Summary) + Sync),
}

/// How many rows a group has, unless the options say otherwise. What they share is encoded once for each group, and
/// their columns are in memory until it is written.
const GROUP: usize = 1 << 24;

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            wanted: &|_| true,
            chosen: &|_| Ok(true),
            shard: Shard::default(),
            origins: true,
            limits: Limits::default(),
            mask: Mask::default(),
            root: PathBuf::new(),
            group: GROUP,
            keep_every: Every::default(),
            progress: &|_| {},
        }
    }
}

impl Options<'_> {
    /// A file as rows name it.
    pub(crate) fn shown(&self, file: &Path) -> Str {
        let below = file.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        below.unwrap_or(file).display().to_string().into()
    }
}

/// How often the progress of an export is kept. A Parquet file keeps it after each group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Every {
    /// After so many nodes.
    pub nodes: usize,
    /// After so many bytes.
    pub bytes: u64,
}

impl Default for Every {
    /// Some seconds of work: what is kept has to reach the disk first.
    fn default() -> Every {
        Every { nodes: 8192, bytes: 64 << 20 }
    }
}
