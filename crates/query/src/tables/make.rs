//! [`make`]: computes the rows of a table in batches.

use std::io;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder};
use hieratic::budget::Budget;
use hieratic::dependencies::DataDependency;
use hieratic::{Error, Facts};
use hieratic_fleet::{Classes, NodeResult, NodeSelection, Options, Scalar, Summary, each, shared_answers};
use tokio::sync::mpsc::Sender;

use super::columns::{Batches, Cell, Table};
use super::facts::{Leaf, leaves};
use super::lookup_rows::LookupRows;
use super::predicate::{Predicates, ValueFilter};
use super::repository;
use crate::fleet::FleetContext;

/// The rows that a plan requests from a table.
pub(crate) struct TableRequest {
    pub(crate) fleet: Arc<FleetContext>,
    pub(crate) table: Table,
    /// The requested columns.
    pub(crate) schema: SchemaRef,
    /// The indexes of these columns in the table.
    pub(crate) projection: Vec<usize>,
    /// Whether equal rows may be one row with their number.
    pub(crate) merges_rows: bool,
    pub(crate) predicates: Predicates,
    /// Whether answers are traced to their origins.
    pub(crate) traces: bool,
    pub(crate) limit: Option<usize>,
    /// The number of rows in a batch.
    pub(crate) rows: usize,
    pub(crate) metrics: ExecutionPlanMetricsSet,
}

/// Computes rows until the end, or until the consumer stops.
pub(crate) fn make_rows(request: TableRequest, sender: &Sender<Result<RecordBatch>>) -> Result<()> {
    let batches = Batches::new(request.table, request.schema.clone(), &request.projection);
    let mut out = RowSink { sender, batches, rows: request.rows, left: request.limit, fault: None, is_done: false };
    let rows = match request.table {
        Table::Lookups => lookups(&request, &mut out),
        Table::Facts => facts(&request, &mut out),
        Table::Nodes => nodes(&request, &mut out),
        Table::Levels => levels(&request, &mut out),
        Table::Files => repository::files(&request.fleet, &mut out),
        Table::Findings => repository::findings(&request.fleet, &mut out),
    };
    if let Some(fault) = out.fault.take() {
        return Err(fault);
    }
    match rows {
        Err(_) if out.is_done => Ok(()),
        Err(error) => Err(DataFusionError::External(error.into())),
        Ok(()) => {
            // The consumer may have stopped.
            let _ = out.send();
            out.fault.take().map_or(Ok(()), Err)
        }
    }
}

/// The output of rows.
pub(super) struct RowSink<'o> {
    sender: &'o Sender<Result<RecordBatch>>,
    batches: Batches,
    rows: usize,
    /// The maximum number of further rows.
    left: Option<usize>,
    fault: Option<DataFusionError>,
    /// Whether the consumer has stopped.
    is_done: bool,
}

impl RowSink<'_> {
    /// Adds a row. An error ends the work: no more rows are needed.
    pub(super) fn push<'c>(&mut self, cell: &dyn Fn(usize) -> Cell<'c>) -> io::Result<()> {
        if self.left == Some(0) {
            self.send()?;
            self.is_done = true;
            return Err(done());
        }
        self.left = self.left.map(|left| left - 1);
        self.batches.push(cell);
        if self.batches.is_full(self.rows) { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> io::Result<()> {
        if self.batches.rows() == 0 {
            return Ok(());
        }
        let batch = self.batches.finish().map_err(|fault| {
            self.fault = Some(fault.into());
            done()
        })?;
        self.sender.blocking_send(Ok(batch)).map_err(|_| {
            self.is_done = true;
            done()
        })
    }
}

fn done() -> io::Error {
    io::Error::other("no more rows are wanted")
}

impl TableRequest {
    fn filter(&self, column: &str) -> ValueFilter<'_> {
        self.predicates.filter(column)
    }

    /// Counts for `EXPLAIN ANALYZE`.
    fn count(&self, name: &'static str, count: usize) {
        MetricBuilder::new(&self.metrics).counter(name, 0).add(count);
    }

    pub(super) fn includes(&self, column: &str) -> bool {
        self.table.index(column).is_some_and(|index| self.projection.contains(&index))
    }

    /// Processes the selected nodes, and passes each result to `take`.
    fn each<T: Send>(
        &self,
        work: &(dyn Fn(&str, &Facts) -> Result<T, String> + Sync),
        take: &mut (dyn FnMut(&str, T) -> io::Result<()> + Send),
    ) -> io::Result<()> {
        let nodes = (self.fleet.nodes)().map_err(io::Error::other)?;
        let sieve = self.filter("node");
        let chosen = |facts: &Facts| is_selected(&self.fleet, &sieve, facts);
        let mut count = 0;
        each(nodes, &NodeSelection { chosen: &chosen, shard: self.fleet.shard }, work, &mut |part: Vec<
            NodeResult<T>,
        >| {
            for node_result in part {
                match node_result {
                    Ok(Some((node, result))) => {
                        count += 1;
                        take(&node, result)?;
                    }
                    Ok(None) => {}
                    Err(fault) => self.fleet.fault(fault),
                }
            }
            Ok(())
        })?;
        self.count("nodes_asked", count);
        check_filter(&sieve)
    }
}

/// Returns whether a node is selected: by the condition of the query first, which is cheaper.
fn is_selected(fleet: &FleetContext, sieve: &ValueFilter<'_>, facts: &Facts) -> Result<bool, String> {
    Ok(sieve.accepts(facts.node().unwrap_or("localhost")) && (fleet.chosen)(facts)?)
}

/// An error of a condition is one of the query.
fn check_filter(sieve: &ValueFilter<'_>) -> io::Result<()> {
    sieve.fault().map_err(io::Error::other)
}

/// Formats the error of a node.
fn message(fleet: &FleetContext, error: &Error) -> String {
    fleet.redactor.message(&error.to_string()).into_owned()
}

fn lookups(request: &TableRequest, out: &mut RowSink<'_>) -> io::Result<()> {
    let fleet = &request.fleet;
    let nodes = (fleet.nodes)().map_err(io::Error::other)?;
    let (of_nodes, of_keys) = (request.filter("node"), request.filter("key"));
    let options = Options {
        selects_key: &|key| of_keys.accepts(key),
        chosen: &|facts| is_selected(fleet, &of_nodes, facts),
        shard: fleet.shard,
        origins: request.traces,
        limits: fleet.limits,
        redactor: fleet.redactor.clone(),
        global: fleet.environment.layers().global_config.parent().map(Path::to_owned),
        root: fleet.root.clone(),
        has_all_facts: request.includes("facts"),
        progress: &|_| {},
        ..Options::default()
    };
    let mut rows = LookupRows::new(request);
    let summary: Summary =
        shared_answers(&fleet.environment, nodes, &options, &mut |node, answers| rows.add(node, answers, out))?;
    rows.send_counted(out)?;
    request.count("nodes_asked", summary.nodes);
    request.count("classes", summary.classes);
    request.count("lookups", usize::try_from(summary.lookups).unwrap_or(usize::MAX));
    summary.faults.into_iter().for_each(|fault| fleet.fault(fault));
    check_filter(&of_nodes)?;
    check_filter(&of_keys)
}

/// A scalar in the columns `text`, `integer`, `number` and `boolean`.
pub(super) fn of_scalar(scalar: &Scalar, column: usize) -> Cell<'_> {
    match (scalar, column) {
        (Scalar::String(text), 0) => Cell::Text(text),
        (Scalar::Integer(number), 1) => Cell::Integer(*number),
        // All numbers are compared as floats; `integer` has all their digits.
        (Scalar::Integer(number), 2) => Cell::Number(*number as f64),
        (Scalar::Float(number), 2) => Cell::Number(*number),
        (Scalar::Boolean(value), 3) => Cell::Boolean(*value),
        _ => Cell::None,
    }
}

fn facts(request: &TableRequest, out: &mut RowSink<'_>) -> io::Result<()> {
    let paths = request.filter("path");
    let work = |_: &str, facts: &Facts| -> Result<Vec<Leaf>, String> {
        Ok(leaves(facts.facts(), &request.fleet.redactor, &|path| paths.accepts(path)))
    };
    request.each(&work, &mut |node, leaves| {
        leaves.iter().try_for_each(|leaf| {
            out.push(&|column| match column {
                0 => Cell::Text(node),
                1 => Cell::Text(&leaf.path),
                2 => Cell::Text(&leaf.json),
                _ => of_scalar(&leaf.scalar, column - 3),
            })
        })
    })?;
    check_filter(&paths)
}

/// A node, as far as it was looked at.
#[derive(Default)]
struct NodeSummary {
    facts: usize,
    class: Option<String>,
    error: Option<String>,
}

fn nodes(request: &TableRequest, out: &mut RowSink<'_>) -> io::Result<()> {
    let fleet = &request.fleet;
    let classes = Classes::default();
    let opens = request.includes("class") || request.includes("error");
    let class = |facts: &Facts| -> Result<Option<String>, Error> {
        let node = fleet.environment.node(facts)?;
        classes.name(&node, &node.dependencies(&Budget::new(fleet.limits))?)
    };
    let work = |_: &str, facts: &Facts| -> Result<NodeSummary, String> {
        let mut seen = NodeSummary { facts: facts.facts().len(), ..NodeSummary::default() };
        if opens {
            match class(facts) {
                Ok(class) => seen.class = class,
                Err(error) => seen.error = Some(message(fleet, &error)),
            }
        }
        Ok(seen)
    };
    let environment = fleet.environment.name().to_owned();
    request.each(&work, &mut |node, seen| {
        out.push(&|column| match column {
            0 => Cell::Text(node),
            1 => Cell::Text(&environment),
            2 => Cell::text(seen.class.as_deref()),
            3 => Cell::count(Some(seen.facts)),
            _ => Cell::text(seen.error.as_deref()),
        })
    })
}

/// A place of a hierarchy.
struct Level {
    module: Option<String>,
    level: String,
    path: Option<String>,
    exists: bool,
    keys: Option<usize>,
    error: Option<String>,
}

fn levels(request: &TableRequest, out: &mut RowSink<'_>) -> io::Result<()> {
    let fleet = &request.fleet;
    let level = |dependency: DataDependency| Level {
        module: dependency.module.map(|module| module.to_string()),
        level: hieratic_fleet::level_name(&dependency.level).to_owned(),
        path: match (&dependency.path, &dependency.location) {
            (Some(path), _) => Some(fleet.shown(path)),
            (None, Some(location)) => Some(fleet.shown(Path::new(&**location))),
            (None, None) => None,
        },
        exists: dependency.path.is_some(),
        keys: dependency.data.as_ref().map(|data| data.keys().count()),
        error: dependency.fault.map(|fault| fleet.redactor.message(&fault).into_owned()),
    };
    let work = |_: &str, facts: &Facts| -> Result<Vec<Level>, String> {
        let dependencies = fleet.environment.node(facts).and_then(|node| node.dependencies(&Budget::new(fleet.limits)));
        let dependencies = dependencies.map_err(|error| message(fleet, &error))?;
        Ok(dependencies.places.into_iter().map(&level).collect())
    };
    request.each(&work, &mut |node, levels| {
        levels.iter().enumerate().try_for_each(|(position, level)| {
            out.push(&|column| match column {
                0 => Cell::Text(node),
                1 => Cell::count(Some(position + 1)),
                2 => Cell::text(level.module.as_deref()),
                3 => Cell::Text(&level.level),
                4 => Cell::text(level.path.as_deref()),
                5 => Cell::Boolean(level.exists),
                6 => Cell::count(level.keys),
                _ => Cell::text(level.error.as_deref()),
            })
        })
    })
}
