//! [`Engine`]: runs queries over a fleet.

use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{CatalogProvider, MemoryCatalogProvider, MemorySchemaProvider, SchemaProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, TableReference};
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::object_store::ObjectStore;
use datafusion::physical_plan::{ExecutionPlan, SendableRecordBatchStream, displayable, execute_stream};
use datafusion::prelude::{SQLOptions, SessionConfig, SessionContext};
use futures::StreamExt;
use hieratic::budget::Limits;
use tokio::runtime::{Builder, Runtime};
use url::Url;

use crate::equal_rows::CountEqualRows;
use crate::error::{Fault, Kind};
use crate::fleet::FleetContext;
use crate::functions;
use crate::statement::{is_explain, parse_query};
use crate::tables::columns::Table;
use crate::tables::scan::FleetTable;

/// The catalog and the schema that tables are in.
const CATALOG: &str = "hieratic";
const SCHEMA: &str = "main";

/// The stack of threads that answer: expressions nest.
const STACK: usize = 16 << 20;

/// The stack of the thread that parses and plans: chains of operators are parsed before they are refused. Only the used
/// part takes memory.
const DEEP_STACK: usize = 256 << 20;

/// The maximum number of tables that a query may read, counting each mention: every one of them has a thread.
const MAX_TABLES: usize = 64;

/// Runs queries over a fleet.
pub struct Engine {
    /// `None` once it is shut down.
    runtime: Option<Runtime>,
    context: SessionContext,
    fleet: Arc<FleetContext>,
    limits: Limits,
}

impl Engine {
    /// Creates an engine for a fleet. Two limits apply: `bytes` is the memory of a query for sorting, joining and
    /// grouping, `time` its time.
    ///
    /// # Errors
    /// Threads cannot be started.
    pub fn new(fleet: FleetContext, limits: Limits) -> Result<Engine, Fault> {
        let failed = |error: std::io::Error| Fault::new(Kind::Failed, format!("threads cannot be started: {error}"));
        let runtime = Builder::new_multi_thread().thread_stack_size(STACK).enable_time().build().map_err(failed)?;
        let fleet = Arc::new(fleet);
        let context = session(&fleet, &limits).map_err(|error| Fault::of(&error))?;
        Ok(Engine { runtime: Some(runtime), context, fleet, limits })
    }

    /// Returns the fleet.
    pub fn fleet(&self) -> &FleetContext {
        &self.fleet
    }

    /// Plans a query. Its rows are computed lazily.
    ///
    /// # Errors
    /// The query is invalid, or cannot be planned.
    pub fn ask(&self, sql: &str) -> Result<Rows<'_>, Fault> {
        let plan = self.plan(sql)?;
        let runtime = self.runtime()?;
        let context = self.context.task_ctx();
        // Some steps start tasks as soon as they are made.
        let _entered = runtime.enter();
        let stream = execute_stream(plan, context).map_err(|error| Fault::of(&error))?;
        let deadline = self.limits.time.and_then(|time| Instant::now().checked_add(time));
        Ok(Rows { runtime, stream, deadline, limits: self.limits })
    }

    /// Returns the plan of a query as text: its steps, each below the step that consumes its rows, and the keys to look
    /// up.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn explain(&self, sql: &str) -> Result<String, Fault> {
        self.fleet.count_nodes();
        let plan = self.plan(sql)?;
        Ok(displayable(plan.as_ref()).indent(false).to_string())
    }

    fn plan(&self, sql: &str) -> Result<Arc<dyn ExecutionPlan>, Fault> {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, || self.planned(sql));
            let planned = thread.map(std::thread::ScopedJoinHandle::join);
            planned
                .map_err(|error| Fault::new(Kind::Failed, format!("threads cannot be started: {error}")))?
                .unwrap_or_else(|_| Err(Fault::new(Kind::Failed, "the query cannot be planned: the engine failed")))
        })
    }

    fn planned(&self, sql: &str) -> Result<Arc<dyn ExecutionPlan>, Fault> {
        let statement = parse_query(sql, self.limits.depth)?;
        let state = self.context.state();
        let to_error = |error: DataFusionError| Fault::of(&error);
        for name in state.resolve_table_references(&statement).map_err(to_error)? {
            check_table_name(&name)?;
        }
        if is_explain(&statement) {
            self.fleet.count_nodes();
        }
        self.runtime()?.block_on(async {
            let plan = state.statement_to_plan(statement).await.map_err(to_error)?;
            // Other statements were refused before, with a better message.
            let only_reads = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
            only_reads.verify_plan(&plan).map_err(|error| Fault { kind: Kind::Refused, ..Fault::of(&error) })?;
            if count_tables(&plan).map_err(to_error)? > MAX_TABLES {
                let message = format!("the query reads more than {MAX_TABLES} tables");
                return Err(Fault::new(Kind::Limit, message).help("a table counts each time that it is named"));
            }
            state.create_physical_plan(&plan).await.map_err(to_error)
        })
    }

    fn runtime(&self) -> Result<&Runtime, Fault> {
        self.runtime.as_ref().ok_or_else(|| Fault::new(Kind::Failed, "the engine was shut down"))
    }
}

impl Drop for Engine {
    /// Ends without waiting for cancelled lookups.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The rows of a query, computed lazily.
pub struct Rows<'e> {
    runtime: &'e Runtime,
    stream: SendableRecordBatchStream,
    deadline: Option<Instant>,
    limits: Limits,
}

impl Rows<'_> {
    /// Returns the columns.
    pub fn schema(&self) -> SchemaRef {
        self.stream.schema()
    }

    /// Returns the next rows, or `None` at the end.
    ///
    /// # Errors
    /// The query failed before its end.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Fault> {
        let stream = &mut self.stream;
        let deadline = self.deadline;
        let next = self.runtime.block_on(async move {
            match deadline {
                Some(deadline) => tokio::time::timeout_at(deadline.into(), stream.next()).await.ok(),
                None => Some(stream.next().await),
            }
        });
        match next {
            Some(batch) => batch.transpose().map_err(|error| Fault::of(&error)),
            None => {
                let seconds = self.limits.time.map_or(0, |time| time.as_secs());
                Err(Fault::new(Kind::Limit, format!("the query takes longer than {seconds} seconds"))
                    .help(format!("raise the limit: --limit time={}", seconds.saturating_mul(10).max(10))))
            }
        }
    }
}

/// Creates a session with our tables and no access to anything else: no file, no disk to spill to, no address.
fn session(fleet: &Arc<FleetContext>, limits: &Limits) -> Result<SessionContext, DataFusionError> {
    let mut config = SessionConfig::new()
        .with_default_catalog_and_schema(CATALOG, SCHEMA)
        .with_create_default_catalog_and_schema(false)
        .with_information_schema(true);
    let options = config.options_mut();
    options.sql_parser.collect_spans = true;
    options.execution.enable_recursive_ctes = false;
    // A plan of an example is the same on every machine.
    options.optimizer.repartition_joins = false;
    let memory = usize::try_from(limits.bytes).unwrap_or(usize::MAX);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(GreedyMemoryPool::new(memory)))
        .with_disk_manager_builder(DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled))
        .with_object_store_registry(Arc::new(NoObjectStores))
        .build_arc()?;
    let context = SessionContext::new_with_config_rt(config, runtime);
    let schema = Arc::new(MemorySchemaProvider::new());
    for table in Table::ALL {
        schema.register_table(
            table.name().to_owned(),
            Arc::new(FleetTable { table, fleet: fleet.clone(), merges_rows: false }),
        )?;
    }
    let catalog = MemoryCatalogProvider::new();
    catalog.register_schema(SCHEMA, schema)?;
    context.register_catalog(CATALOG, Arc::new(catalog));
    functions::register(&mut *context.state_ref().write())?;
    // After the other rules: only then are the used columns known.
    context.add_optimizer_rule(Arc::new(CountEqualRows));
    Ok(context)
}

/// Returns an error unless a name is that of a table.
fn check_table_name(name: &TableReference) -> Result<(), Fault> {
    if name.schema() == Some("information_schema") {
        return Ok(());
    }
    let is_ours = name.schema().is_none_or(|schema| schema == SCHEMA)
        && name.catalog().is_none_or(|catalog| catalog == CATALOG)
        && Table::ALL.iter().any(|table| table.name() == name.table());
    if is_ours { Ok(()) } else { Err(Fault::no_table(&name.to_string())) }
}

/// The number of tables that a plan reads.
fn count_tables(plan: &LogicalPlan) -> Result<usize, DataFusionError> {
    let mut count = 0;
    plan.apply_with_subqueries(|node| {
        count += usize::from(matches!(node, LogicalPlan::TableScan(_)));
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(count)
}

/// A registry without files, for an engine that must not read any.
#[derive(Debug)]
struct NoObjectStores;

impl ObjectStoreRegistry for NoObjectStores {
    fn register_store(&self, _: &Url, _: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        None
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>, DataFusionError> {
        Err(DataFusionError::Plan(format!("{url} is not read: a query only reads the tables of Hieratic")))
    }
}
