//! [`export`] and [`answers`]: the answers of nodes, one node after the other.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::powers::Limits;
use hieratic::{Environment, Facts, Mask};
use hieratic_value::Str;

use crate::classes::{Class, Classes};
use crate::each::{Choice, Met, each};
use crate::rows::{Row, message_of};
use crate::shard::Shard;
use crate::source::{NodeFault, Source};
use crate::write::{Format, Writer};

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
    /// How many lookups that took.
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
    let mut writer = Writer::new(format, out)?;
    let summary = answers(environment, nodes, options, &mut |node, rows| writer.write(node, rows))?;
    writer.finish()?;
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
    take: &mut (dyn FnMut(&str, &[Row]) -> io::Result<()> + Send),
) -> io::Result<Summary> {
    let classes = Classes::default();
    let mut summary = Summary::default();
    let work = |_: &str, facts: &Facts| {
        classes.of(environment, facts, options).map_err(|error| message_of(&error, &options.mask))
    };
    let choice = Choice { chosen: options.chosen, shard: options.shard };
    each(nodes, &choice, &work, &mut |part| {
        give(part, take, &mut summary)?;
        (summary.classes, summary.lookups) = classes.met();
        (options.progress)(&summary);
        Ok(())
    })?;
    Ok(summary)
}

fn give(
    part: Vec<Met<Arc<Class>>>,
    take: &mut (dyn FnMut(&str, &[Row]) -> io::Result<()> + Send),
    summary: &mut Summary,
) -> io::Result<()> {
    for met in part {
        match met {
            Ok((node, class)) => {
                take(&node, &class.rows)?;
                summary.nodes += 1;
                summary.rows += class.rows.len() as u64;
                summary.failed += class.rows.iter().filter(|row| row.answer.is_err()).count() as u64;
            }
            Err(fault) => {
                summary.unanswered += 1;
                if summary.faults.len() < MOST_FAULTS {
                    summary.faults.push(fault);
                }
            }
        }
    }
    Ok(())
}
