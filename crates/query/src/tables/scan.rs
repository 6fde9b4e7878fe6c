//! [`FleetTable`]: a table for queries, and [`TableExec`]: the step of a plan that computes its rows.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, Statistics};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::coop::make_cooperative;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::filter_pushdown::{
    ChildPushdownResult, FilterPushdownPhase, FilterPushdownPropagation, PushedDown,
};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::stream::{RecordBatchReceiverStream, RecordBatchStreamAdapter};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
    ReplaceChildrenOptions, SendableRecordBatchStream,
};
use futures::TryStreamExt;

use super::columns::Table;
use super::make::{TableRequest, make_rows};
use super::predicate::Predicates;
use crate::fleet::FleetContext;

/// A table of a fleet.
#[derive(Debug)]
pub(crate) struct FleetTable {
    pub(crate) table: Table,
    pub(crate) fleet: Arc<FleetContext>,
    /// Whether equal rows are one row with their number, in the column [`MULTIPLICITY`](super::columns::MULTIPLICITY).
    pub(crate) merges_rows: bool,
}

#[async_trait]
impl TableProvider for FleetTable {
    fn schema(&self) -> SchemaRef {
        if self.merges_rows { self.table.schema_with_multiplicity() } else { self.table.schema() }
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let all = || (0..self.schema().fields().len()).collect();
        let projection: Vec<usize> = projection.cloned().unwrap_or_else(all);
        let predicates = Predicates::of(state, self.table, filters)?;
        Ok(Arc::new(TableExec::new(self, projection, predicates, limit)?))
    }

    /// A condition on one column that is known before the row is computed is evaluated here.
    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match Predicates::column_of(self.table, filter) {
            Some(_) => TableProviderFilterPushDown::Exact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(support).collect())
    }
}

/// Computes the rows of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableExec {
    fleet: Arc<FleetContext>,
    table: Table,
    /// The indexes of the requested columns in the table.
    projection: Vec<usize>,
    schema: SchemaRef,
    merges_rows: bool,
    predicates: Predicates,
    /// Conditions that become known while the query runs: the nodes of the other side of a join.
    later: Vec<Arc<dyn PhysicalExpr>>,
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl TableExec {
    fn new(
        table: &FleetTable,
        projection: Vec<usize>,
        predicates: Predicates,
        limit: Option<usize>,
    ) -> Result<TableExec> {
        let schema = Arc::new(table.schema().project(&projection)?);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema.clone()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        )
        .with_scheduling_type(SchedulingType::Cooperative);
        Ok(TableExec {
            fleet: table.fleet.clone(),
            table: table.table,
            projection,
            schema,
            merges_rows: table.merges_rows,
            predicates,
            later: Vec::new(),
            limit,
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
        })
    }

    /// Returns whether one of the columns is used.
    fn uses(&self, columns: &[&str]) -> bool {
        columns.iter().filter_map(|name| self.table.index(name)).any(|index| self.projection.contains(&index))
    }

    /// Returns whether answers are traced to their origins.
    fn traces(&self) -> bool {
        self.table == Table::Lookups
            && self.uses(&["file", "line", "level", "layer", "merge", "contributions", "secret"])
    }

    /// Describes the selected nodes in a plan.
    fn nodes(&self) -> String {
        let shown = self.predicates.display("node").unwrap_or_else(|| "all".to_owned());
        let Some(names) = self.fleet.names() else { return shown };
        let sieve = self.predicates.filter("node");
        let count = names.iter().filter(|name| sieve.accepts(name)).count();
        match self.predicates.has("node") {
            true => format!("{count} of {}", names.len()),
            false => format!("all {count}"),
        }
    }
}

impl DisplayAs for TableExec {
    fn fmt_as(&self, _: DisplayFormatType, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.table.step())?;
        let mut parts = Vec::new();
        for column in self.table.filter_columns() {
            parts.push(match *column {
                "node" => format!("nodes={}", self.nodes()),
                other => format!("{other}s={}", self.predicates.display(other).unwrap_or_else(|| "all".to_owned())),
            });
        }
        // Keys are more informative than nodes.
        parts.reverse();
        if !self.later.is_empty() {
            let mut columns: Vec<&str> = Vec::new();
            for filter in &self.later {
                let named = datafusion::physical_expr::utils::collect_columns(filter);
                columns.extend(
                    self.table.filter_columns().iter().filter(|name| named.iter().any(|one| one.name() == **name)),
                );
            }
            columns.dedup();
            parts.push(format!("joined by {}", columns.join(", ")));
        }
        if self.table == Table::Lookups {
            parts.push(format!("origins={}", if self.traces() { "traced" } else { "no" }));
            if self.merges_rows {
                parts.push("equal rows=counted".to_owned());
            }
        }
        parts.extend(self.limit.map(|limit| format!("limit={limit}")));
        if parts.is_empty() { Ok(()) } else { write!(out, ": {}", parts.join(", ")) }
    }
}

impl ExecutionPlan for TableExec {
    fn name(&self) -> &str {
        self.table.step()
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        for filter in &self.later {
            if f(filter)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, _: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let step = self.clone();
        let rows = context.session_config().batch_size();
        // Starts with the first request for rows: only then are the rows of the other side of a join known.
        let begun = async move {
            let predicates = step.predicates.with_dynamic(step.table, &step.later)?;
            let traces = step.traces();
            let request = TableRequest {
                fleet: step.fleet,
                table: step.table,
                schema: step.schema.clone(),
                projection: step.projection,
                merges_rows: step.merges_rows,
                predicates,
                traces,
                limit: step.limit,
                rows,
                metrics: step.metrics,
            };
            let mut stream = RecordBatchReceiverStream::builder(step.schema, 2);
            let sender = stream.tx();
            stream.spawn_blocking(move || make_rows(request, &sender));
            Ok::<_, DataFusionError>(stream.build())
        };
        let stream = futures::stream::once(begun).try_flatten();
        Ok(make_cooperative(Box::pin(RecordBatchStreamAdapter::new(self.schema.clone(), stream))))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    /// An estimate for ordering tables: the smallest is read first.
    fn statistics_from_inputs(&self, _: &[Arc<Statistics>], _: &StatisticsArgs) -> Result<Arc<Statistics>> {
        let mut rows = self.table.rough_size();
        for column in self.table.filter_columns() {
            if self.predicates.has(column) {
                rows /= 100;
            }
        }
        let rows = self.limit.map_or(rows, |limit| rows.min(limit));
        let mut statistics = Statistics::new_unknown(&self.schema);
        statistics.num_rows = Precision::Inexact(rows.max(1));
        Ok(Arc::new(statistics))
    }

    /// Takes conditions that become known while the query runs. The plan still evaluates them, so no filtering is
    /// promised.
    fn handle_child_pushdown_result(
        &self,
        phase: FilterPushdownPhase,
        result: ChildPushdownResult,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        let filters: Vec<Arc<dyn PhysicalExpr>> = result.parent_filters.into_iter().map(|one| one.filter).collect();
        let promised = vec![PushedDown::No; filters.len()];
        let propagation = FilterPushdownPropagation::with_parent_pushdown_result(promised);
        let is_of_interest = |filter: &Arc<dyn PhysicalExpr>| {
            let columns = datafusion::physical_expr::utils::collect_columns(filter);
            columns.iter().any(|column| self.table.filter_columns().contains(&column.name()))
        };
        let later: Vec<_> = filters.into_iter().filter(is_of_interest).collect();
        if phase != FilterPushdownPhase::Post || later.is_empty() {
            return Ok(propagation);
        }
        let step = TableExec { later: [self.later.clone(), later].concat(), ..self.clone() };
        Ok(propagation.with_updated_node(Arc::new(step)))
    }
}
