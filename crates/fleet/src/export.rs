//! [`export`] and [`answers`]: the answers of nodes, one node after the other.

use std::io::{self, Write};

use hieratic::{Environment, Facts};

use crate::classes::Classes;
use crate::each::{NodeResult, NodeSelection, each_after};
use crate::node_query::message_of;
use crate::options::Options;
use crate::progress::{Ledger, Progress};
use crate::rows::{NodeRows, Rows};
use crate::source::{NodeError, Source};
use crate::summary::Summary;
use crate::write::{Format, ResumableWriter, Writer};

/// Writes the answers of nodes in the order of the nodes. A node that fails has no rows; the summary lists it.
///
/// # Errors
/// The rows cannot be written.
pub fn export<W: Write + Send>(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeError>>,
    options: &Options<'_>,
    format: Format,
    out: W,
) -> io::Result<Summary> {
    let mut writer = Writer::new(format, out, options.group)?;
    let take = &mut |_: &Progress, node: &str, rows: &NodeRows| writer.write(node, rows);
    let summary = answers_from(environment, nodes, options, Progress::default(), take)?;
    writer.finish()?;
    Ok(summary)
}

/// Writes the answers of nodes as [`export`] does, and saves the progress. After a failure or the end of the process,
/// the same call continues from the last saved progress, with `out` truncated to the state of that time. The bytes are
/// those of an uninterrupted run. The row groups of a Parquet file are smaller than those of [`export`], so that the
/// progress is saved more often.
///
/// An NDJSON or CSV file is complete as it is. The groups of a Parquet file have to be [joined](crate::join).
///
/// # Errors
/// The rows cannot be written.
pub fn export_continued<L: Ledger>(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeError>>,
    options: &Options<'_>,
    format: Format,
    from: Progress,
    out: L,
) -> io::Result<Summary> {
    let (mut done, is_begin) = (from.rows, from == Progress::default());
    let mut kept = ResumableWriter::new(format, out, options, is_begin)?;
    let summary = answers_from(environment, nodes, options, from, &mut |progress, node, rows| {
        let done = std::mem::take(&mut done);
        kept.write(progress, node, rows, done)
    })?;
    kept.finish()?;
    Ok(summary)
}

/// Passes the answers of nodes to `take`, a node and its rows at a time, in the order of the nodes. An error of `take`
/// ends the run.
///
/// # Errors
/// The error of `take`.
pub fn answers(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeError>>,
    options: &Options<'_>,
    take: &mut (dyn FnMut(&str, &Rows) -> io::Result<()> + Send),
) -> io::Result<Summary> {
    answers_from(environment, nodes, options, Progress::default(), &mut |_, node, rows| take(node, &rows.completed()))
}

/// Takes a node and its rows, with the progress up to it.
type Consumer<'t> = dyn FnMut(&Progress, &str, &NodeRows) -> io::Result<()> + Send + 't;

fn answers_from(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeError>>,
    options: &Options<'_>,
    from: Progress,
    take: &mut Consumer<'_>,
) -> io::Result<Summary> {
    let classes = Classes::default();
    let (asked_before, lookups_before) = (from.summary.classes, from.summary.lookups);
    let mut progress = from;
    let work = |_: &str, facts: &Facts| {
        classes.of(environment, facts, options).map_err(|error| message_of(&error, &options.mask))
    };
    let choice = NodeSelection { chosen: options.chosen, shard: options.shard };
    each_after(progress.sources, nodes, &choice, &work, &NodeRows::unshared_size, &mut |part| {
        pass_results(part, take, &mut progress)?;
        let (met, lookups) = classes.counts();
        (progress.summary.classes, progress.summary.lookups) = (asked_before + met, lookups_before + lookups);
        (options.progress)(&progress.summary);
        Ok(())
    })?;
    Ok(progress.summary)
}

/// The maximum number of failed nodes whose error is recorded.
const MAX_FAULTS: usize = 20;

fn pass_results(part: Vec<NodeResult<NodeRows>>, take: &mut Consumer<'_>, progress: &mut Progress) -> io::Result<()> {
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
                summary.rows += rows.rows.len() as u64;
                summary.failed += rows.rows.iter().filter(|row| row.answer.is_err()).count() as u64;
            }
            Ok(None) => {}
            Err(fault) => {
                summary.unanswered += 1;
                if summary.faults.len() < MAX_FAULTS {
                    summary.faults.push(fault);
                }
            }
        }
        progress.sources += 1;
        progress.rows = 0;
    }
    Ok(())
}
