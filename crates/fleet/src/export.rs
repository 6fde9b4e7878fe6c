//! [`export`] and [`answers`]: the answers of nodes, in order.

use std::io::{self, Write};

use hieratic::lookup::matches_patterns;
use hieratic::value::{Str, Value};
use hieratic::{Environment, Facts};

use crate::classes::Classes;
use crate::each::{NodeResult, NodeSelection, each_after};
use crate::node_answers::NodeAnswers;
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
    let mut writer = Writer::new(format, out, options)?;
    let take = &mut |_: &Progress, node: &str, rows: &NodeRows| writer.write(node, rows);
    let summary = answers_from(environment, nodes, options, Progress::default(), take)?;
    let coverage = coverage_of(&summary, options);
    writer.finish(&coverage)?;
    Ok(summary)
}

/// The metadata of a file about its nodes.
pub(crate) fn coverage_of(summary: &Summary, options: &Options<'_>) -> Vec<(String, String)> {
    let keys: serde_json::Map<String, serde_json::Value> =
        options.named.iter().zip(&summary.found).map(|(key, nodes)| (key.clone(), (*nodes).into())).collect();
    let Summary { nodes, rows, failed, unanswered, .. } = summary;
    let coverage = serde_json::json!({
        "nodes": nodes, "rows": rows, "failed": failed, "unanswered": unanswered, "keys": keys,
    });
    vec![("hieratic.coverage".to_owned(), coverage.to_string())]
}

/// The chosen facts of a node as JSON, those that it has.
fn chosen_facts(facts: &Facts, options: &Options<'_>) -> Result<Option<Str>, String> {
    let as_json = |facts: &Value| hieratic_output::json(facts).map_err(|error| error.to_string());
    if options.has_all_facts {
        let all = Value::from(facts.facts().clone());
        return Ok(Some(as_json(&options.redactor.marked(&all))?.into()));
    }
    if options.facts.is_empty() {
        return Ok(None);
    }
    let all = Value::from(facts.facts().clone());
    let chosen = options.facts.iter().filter_map(|path| {
        let names: Vec<&str> = path.split('.').collect();
        let value = all.at_path(&names)?;
        Some((Value::from(path.as_str()), options.redactor.marked(value)))
    });
    Ok(Some(as_json(&Value::Hash(chosen.collect()))?.into()))
}

/// Writes the answers of nodes as [`export`] does, and saves the progress. After a failure or the end of the process,
/// the same call continues from the last saved progress, if `out` is truncated to its length at that time. The output
/// equals that of an uninterrupted run. The row groups of a Parquet file are smaller than those of [`export`], so that
/// the progress is saved more often.
///
/// NDJSON and CSV output is complete. The groups of a Parquet file must be [joined](crate::join).
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
    answers_with_facts(environment, nodes, options, &mut |node, _, rows| take(node, rows))
}

/// A function that receives the name of a node, its chosen facts as JSON, and its answers.
pub type TakeAnswers<'t> = dyn FnMut(&str, Option<&str>, &Rows) -> io::Result<()> + Send + 't;

/// Passes the answers of nodes to `take`, like [`answers`], with the chosen facts of the node as JSON, if there are
/// any.
///
/// # Errors
/// The error of `take`.
pub fn answers_with_facts(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeError>>,
    options: &Options<'_>,
    take: &mut TakeAnswers<'_>,
) -> io::Result<Summary> {
    answers_from(environment, nodes, options, Progress::default(), &mut |_, node, rows| {
        take(node, rows.facts.as_deref(), &rows.completed())
    })
}

/// Passes the answers of nodes to `take`, like [`answers`], without completing the answers that nodes share.
///
/// # Errors
/// The error of `take`.
pub fn shared_answers(
    environment: &Environment,
    nodes: impl Iterator<Item = Result<Source, NodeError>>,
    options: &Options<'_>,
    take: &mut (dyn FnMut(&str, &NodeAnswers) -> io::Result<()> + Send),
) -> io::Result<Summary> {
    answers_from(environment, nodes, options, Progress::default(), &mut |_, node, rows| {
        take(node, &NodeAnswers(rows.clone()))
    })
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
    let (classes_before, lookups_before) = (from.summary.classes, from.summary.lookups);
    let mut progress = from;
    progress.summary.found.resize(options.named.len(), 0);
    let work = |_: &str, facts: &Facts| {
        let mut rows =
            classes.of(environment, facts, options).map_err(|error| message_of(&error, &options.redactor))?;
        rows.facts = chosen_facts(facts, options)?;
        Ok(rows)
    };
    let choice = NodeSelection { chosen: options.chosen, shard: options.shard };
    each_after(progress.sources, nodes, &choice, &work, &NodeRows::unshared_size, &mut |part| {
        pass_results(part, take, options.named, &mut progress)?;
        let (result, lookups) = classes.counts();
        (progress.summary.classes, progress.summary.lookups) = (classes_before + result, lookups_before + lookups);
        (options.progress)(&progress.summary);
        Ok(())
    })?;
    Ok(progress.summary)
}

/// The maximum number of failed nodes whose error is recorded.
const MAX_FAULTS: usize = 20;

fn pass_results(
    part: Vec<NodeResult<NodeRows>>,
    take: &mut Consumer<'_>,
    named: &[String],
    progress: &mut Progress,
) -> io::Result<()> {
    for result in part {
        let result = match result {
            Ok(Some((node, rows))) => {
                take(progress, &node, &rows)?;
                Ok(Some(rows))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        let summary = &mut progress.summary;
        match result {
            Ok(Some(rows)) => {
                summary.nodes += 1;
                summary.rows += rows.rows.len() as u64;
                summary.failed += rows.rows.iter().filter(|row| row.answer.is_err()).count() as u64;
                for (one, nodes) in named.chunks(1).zip(&mut summary.found) {
                    *nodes += u64::from(has(&rows.rows, one));
                }
            }
            Ok(None) => {}
            Err(error) => {
                summary.unanswered += 1;
                if summary.faults.len() < MAX_FAULTS {
                    summary.faults.push(error);
                }
            }
        }
        progress.sources += 1;
        progress.rows = 0;
    }
    Ok(())
}

/// Returns whether one of the rows, which are sorted by key, is for a key or pattern.
fn has(rows: &Rows, named: &[String]) -> bool {
    let name = named.first().map_or("", String::as_str);
    let start = name.find(['*', '?']).map_or(name, |wildcard| &name[..wildcard]);
    let first = rows.partition_point(|row| *row.key < *start);
    let candidates = rows[first..].iter().take_while(|row| row.key.starts_with(start));
    candidates.map(|row| &*row.key).any(|key| matches_patterns(key, named))
}
