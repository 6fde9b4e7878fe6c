//! [`export`] and [`answers`]: the answers of nodes, one node after the other.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hieratic::powers::Limits;
use hieratic::{Environment, Facts, Mask};
use hieratic_value::Str;

use crate::classes::Classes;
use crate::each::{Choice, Met, each_behind};
use crate::progress::{Ledger, Progress};
use crate::rows::{Rows, message_of};
use crate::shard::Shard;
use crate::source::{NodeFault, Source};
use crate::write::{Format, GROUP, Kept, Writer};

/// Which answers are written, and how.
pub struct Options<'o> {
    /// Which keys are meant; all by default.
    pub wanted: &'o (dyn Fn(&str) -> bool + Sync),
    /// Which nodes are meant, by their facts; all by default. An error says why that cannot be told.
    pub chosen: &'o (dyn Fn(&Facts) -> Result<bool, String> + Sync),
    /// Which part of the nodes is written.
    pub shard: Shard,
    /// Whether rows say where their values come from: without that, answers are not traced, and `file`, `line`, `level` and `secret` are
    /// empty. Secrets are redacted all the same.
    pub origins: bool,
    /// What one answer may cost.
    pub limits: Limits,
    /// What covers secrets.
    pub mask: Mask,
    /// The folder that paths of files are shown from.
    pub root: PathBuf,
    /// How many rows a group of a Parquet file has. They are in memory until the group is written.
    pub group: usize,
    /// How many nodes or bytes are written at most before the progress is [kept](export_continued).
    pub keep_every: Every,
    /// Called with the numbers of nodes and rows after each part is written.
    pub progress: &'o (dyn Fn(&Summary) + Sync),
}

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

impl Options<'_> {
    /// A file as rows name it.
    pub(crate) fn shown(&self, file: &Path) -> Str {
        let below = file.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        below.unwrap_or(file).display().to_string().into()
    }
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many nodes.
    pub nodes: usize,
    /// How many rows.
    pub rows: u64,
    /// How many rows contain an error instead of a value.
    pub failed: u64,
    /// How often nodes had to be asked; all others are like one of them.
    pub classes: usize,
    /// How many keys they were asked for. What is made of the same as the answer of another node is not looked up again.
    pub lookups: u64,
    /// The first nodes that could not be asked at all, because their facts cannot be read or their hierarchies cannot be used.
    pub faults: Vec<NodeFault>,
    /// How many of these there were.
    pub unanswered: usize,
}

/// For how many unanswered nodes the reason is kept.
const MOST_FAULTS: usize = 20;

/// Writes the answers of nodes in the order of the nodes. A node that cannot be asked has no rows; the summary lists it.
///
/// # Errors
/// The rows cannot be written.
pub fn export<W: Write + Send>(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeFault>>,
    options: &Options<'_>,
    format: Format,
    out: W,
) -> io::Result<Summary> {
    let mut writer = Writer::new(format, out, options.group)?;
    let summary = answers(environment, nodes, options, &mut |node, rows| writer.write(node, rows))?;
    writer.finish()?;
    Ok(summary)
}

/// Writes the answers of nodes as [`export`] does, and keeps the progress. After a failure or the end of the process, the same call continues
/// with the progress that was kept last, and `out` with what had been written then. The bytes are those of a run without a break. Groups of
/// rows of a Parquet file are smaller than those of [`export`], so that the progress is kept more often.
///
/// An NDJSON or CSV file is complete as it is. The groups of a Parquet file have to be [joined](crate::join).
///
/// # Errors
/// The rows cannot be written.
pub fn export_continued<L: Ledger>(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeFault>>,
    options: &Options<'_>,
    format: Format,
    from: Progress,
    out: L,
) -> io::Result<Summary> {
    let (mut done, is_begin) = (from.rows, from == Progress::default());
    let mut kept = Kept::new(format, out, options, is_begin)?;
    let summary = answers_from(environment, nodes, options, from, &mut |progress, node, rows| {
        let done = std::mem::take(&mut done);
        kept.write(progress, node, rows, done)
    })?;
    kept.finish()?;
    Ok(summary)
}

/// Gives the answers of nodes to `take`, a node and its rows at a time, in the order of the nodes. An error of `take` ends the work.
///
/// # Errors
/// What `take` fails with.
pub fn answers(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeFault>>,
    options: &Options<'_>,
    take: &mut (dyn FnMut(&str, &Rows) -> io::Result<()> + Send),
) -> io::Result<Summary> {
    answers_from(environment, nodes, options, Progress::default(), &mut |_, node, rows| take(node, rows))
}

/// Takes a node and its rows, with the progress up to it.
type Take<'t> = dyn FnMut(&Progress, &str, &Rows) -> io::Result<()> + Send + 't;

fn answers_from(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeFault>>,
    options: &Options<'_>,
    from: Progress,
    take: &mut Take<'_>,
) -> io::Result<Summary> {
    let classes = Classes::default();
    let (asked_before, lookups_before) = (from.summary.classes, from.summary.lookups);
    let mut progress = from;
    let work = |_: &str, facts: &Facts| {
        classes.of(environment, facts, options).map_err(|error| message_of(&error, &options.mask))
    };
    let choice = Choice { chosen: options.chosen, shard: options.shard };
    each_behind(progress.sources, nodes, &choice, &work, &mut |part| {
        give(part, take, &mut progress)?;
        let (met, lookups) = classes.met();
        (progress.summary.classes, progress.summary.lookups) = (asked_before + met, lookups_before + lookups);
        (options.progress)(&progress.summary);
        Ok(())
    })?;
    Ok(progress.summary)
}

fn give(part: Vec<Met<Rows>>, take: &mut Take<'_>, progress: &mut Progress) -> io::Result<()> {
    for met in part {
        let met = match met {
            Ok(Some((node, rows))) => {
                take(progress, &node, &rows)?;
                Ok(Some(rows))
            }
            Ok(None) => Ok(None),
            Err(fault) => Err(fault),
        };
        let summary = &mut progress.summary;
        match met {
            Ok(Some(rows)) => {
                summary.nodes += 1;
                summary.rows += rows.len() as u64;
                summary.failed += rows.iter().filter(|row| row.answer.is_err()).count() as u64;
            }
            Ok(None) => {}
            Err(fault) => {
                summary.unanswered += 1;
                if summary.faults.len() < MOST_FAULTS {
                    summary.faults.push(fault);
                }
            }
        }
        progress.sources += 1;
        progress.rows = 0;
    }
    Ok(())
}
