//! [`CountEqualRows`]: lets `lookups` return equal rows once, with their number, where a query groups and counts them.
//!
//! Most nodes share most of their answers. A query that does not use the node needs a row for each of the answers, not
//! for each node: `count(*)` becomes the sum of the numbers, and `count(distinct ...)`, `min` and `max` are the same.

use std::sync::Arc;

use datafusion::catalog::default_table_source::{provider_as_source, source_as_provider};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, JoinType, Result};
use datafusion::logical_expr::expr::{AggregateFunction, AggregateFunctionParams};
use datafusion::logical_expr::logical_plan::TableScanBuilder;
use datafusion::logical_expr::{Aggregate, Expr, Filter, Join, LogicalPlan, Projection, SubqueryAlias, TableScan};
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};

use crate::functions::{row_count, weighted_mode};
use crate::tables::columns::{MULTIPLICITY, Table};
use crate::tables::scan::FleetTable;

/// The optimization.
#[derive(Debug)]
pub(crate) struct CountEqualRows;

impl OptimizerRule for CountEqualRows {
    fn name(&self) -> &str {
        "count_equal_rows"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let rewritten = match &plan {
            LogicalPlan::Aggregate(aggregate) => of_aggregate(aggregate)?,
            LogicalPlan::Join(join) => of_join(join)?,
            _ => None,
        };
        Ok(match rewritten {
            Some(rewritten) => Transformed::yes(rewritten),
            None => Transformed::no(plan),
        })
    }
}

/// How an aggregation depends on the number of equal rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dependence {
    /// Not at all, like `min`.
    Independent,
    /// There is a function that takes the number.
    Counting,
}

fn of_aggregate(aggregate: &Aggregate) -> Result<Option<LogicalPlan>> {
    let Some(dependences) = aggregate.aggr_expr.iter().map(dependence_of).collect::<Option<Vec<Dependence>>>() else {
        return Ok(None);
    };
    if aggregate.group_expr.iter().any(Expr::is_volatile) {
        return Ok(None);
    }
    let counts = dependences.contains(&Dependence::Counting);
    let Some(input) = merged(&aggregate.input, counts)? else { return Ok(None) };
    if !counts {
        let functions = aggregate.aggr_expr.clone();
        let aggregate = Aggregate::try_new(Arc::new(input), aggregate.group_expr.clone(), functions)?;
        return Ok(Some(LogicalPlan::Aggregate(aggregate)));
    }
    let input = Arc::new(input);
    let column = multiplicity(&input)?;
    if let Some(grouped) = grouped_twice(aggregate, &input, &column)? {
        return Ok(Some(grouped));
    }
    let functions = aggregate.aggr_expr.iter().map(|function| counting(function, &column)).collect();
    let aggregate = Aggregate::try_new(input, aggregate.group_expr.clone(), functions)?;
    Ok(Some(LogicalPlan::Aggregate(aggregate)))
}

/// Returns the function of an aggregation without its name.
fn function_of(function: &Expr) -> Option<&AggregateFunction> {
    match function {
        Expr::Alias(alias) => function_of(&alias.expr),
        Expr::AggregateFunction(function) => Some(function),
        _ => None,
    }
}

/// Counts the distinct values of a column and rows at once: by the value first, then without it. Otherwise each group
/// would have a set of its values. `None` if the aggregation has other functions.
fn grouped_twice(
    aggregate: &Aggregate,
    input: &Arc<LogicalPlan>,
    multiplicity: &Column,
) -> Result<Option<LogicalPlan>> {
    if aggregate.group_expr.iter().any(|group| matches!(group, Expr::GroupingSet(_))) {
        return Ok(None);
    }
    let inner_column = |name: String| Expr::Column(Column::new_unqualified(name));
    let (mut value, mut inner, mut outer) = (None, Vec::new(), Vec::new());
    for (number, function) in aggregate.aggr_expr.iter().enumerate() {
        let Some(AggregateFunction { func, params }) = function_of(function) else { return Ok(None) };
        match (func.name(), params.args.as_slice()) {
            ("count", [argument]) if params.distinct && params.filter.is_none() => {
                if value.get_or_insert(argument) != &argument {
                    return Ok(None);
                }
                let column = inner_column("#value".to_owned());
                let count = AggregateFunction::new_udf(func.clone(), vec![column], false, None, vec![], None);
                outer.push(Expr::AggregateFunction(count));
            }
            ("count", [_]) if !params.distinct => {
                let name = format!("#count{number}");
                inner.push(counting(function, multiplicity).unalias().alias(name.clone()));
                let count =
                    AggregateFunction::new_udf(row_count(), vec![inner_column(name)], false, None, vec![], None);
                outer.push(Expr::AggregateFunction(count));
            }
            _ => return Ok(None),
        }
    }
    let Some(value) = value else { return Ok(None) };
    let names: Vec<String> = (0..aggregate.group_expr.len()).map(|number| format!("#group{number}")).collect();
    let groups = aggregate.group_expr.iter().zip(&names).map(|(group, name)| group.clone().alias(name));
    let groups = groups.chain([value.clone().alias("#value")]).collect();
    let by_value = LogicalPlan::Aggregate(Aggregate::try_new(input.clone(), groups, inner)?);
    let groups = names.into_iter().map(inner_column).collect();
    let counted = LogicalPlan::Aggregate(Aggregate::try_new(Arc::new(by_value), groups, outer)?);
    let columns = counted.schema().columns();
    let named = columns.into_iter().zip(aggregate.schema.iter());
    let named =
        named.map(|(column, (table, field))| Expr::Column(column).alias_qualified(table.cloned(), field.name()));
    Ok(Some(LogicalPlan::Projection(Projection::try_new(named.collect(), Arc::new(counted))?)))
}

/// Rows of the side that only selects others are needed once.
fn of_join(join: &Join) -> Result<Option<LogicalPlan>> {
    let (mut left, mut right) = (join.left.clone(), join.right.clone());
    let selecting = match join.join_type {
        JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => &mut right,
        JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => &mut left,
        _ => return Ok(None),
    };
    let Some(once) = merged(selecting, false)? else { return Ok(None) };
    *selecting = Arc::new(once);
    with_sides(join, left, right).map(Some)
}

fn with_sides(join: &Join, left: Arc<LogicalPlan>, right: Arc<LogicalPlan>) -> Result<LogicalPlan> {
    let Join { on, filter, join_type, join_constraint, null_equality, null_aware, .. } = join;
    let (on, filter) = (on.clone(), filter.clone());
    Join::try_new(left, right, on, filter, *join_type, *join_constraint, *null_equality, *null_aware)
        .map(LogicalPlan::Join)
}

/// Returns the dependence of a function of an aggregation, or `None` if it is unknown.
fn dependence_of(function: &Expr) -> Option<Dependence> {
    let AggregateFunction { func, params } = function_of(function)?;
    let is_known = params.order_by.is_empty()
        && params.null_treatment.is_none()
        && !params.args.iter().any(Expr::is_volatile)
        && !params.filter.as_ref().is_some_and(|filter| filter.is_volatile());
    match func.name() {
        _ if !is_known => None,
        _ if params.distinct => Some(Dependence::Independent),
        "min" | "max" => Some(Dependence::Independent),
        "count" | "mode" if params.args.len() == 1 => Some(Dependence::Counting),
        _ => None,
    }
}

/// Returns a function for rows that stand for several, under the same name.
fn counting(function: &Expr, multiplicity: &Column) -> Expr {
    let Some(AggregateFunction { func, params }) = function_of(function).filter(|function| !function.params.distinct)
    else {
        return function.clone();
    };
    let AggregateFunctionParams { args, filter, .. } = params.clone();
    let column = Expr::Column(multiplicity.clone());
    let call = match (func.name(), args.as_slice()) {
        ("mode", [value]) => {
            AggregateFunction::new_udf(weighted_mode(), vec![value.clone(), column], false, filter, vec![], None)
        }
        ("count", [Expr::Literal(value, _)]) if !value.is_null() => {
            AggregateFunction::new_udf(row_count(), vec![column], false, filter, vec![], None)
        }
        ("count", [value]) => {
            let is_present = value.clone().is_not_null();
            let filter = match filter {
                Some(filter) => filter.and(is_present),
                None => is_present,
            };
            AggregateFunction::new_udf(row_count(), vec![column], false, Some(Box::new(filter)), vec![], None)
        }
        _ => return function.clone(),
    };
    Expr::AggregateFunction(call).alias(function.schema_name().to_string())
}

/// Returns a plan with equal rows of `lookups` as one row, and with their number if `counts`. `None` if it has no such
/// rows.
fn merged(plan: &LogicalPlan, counts: bool) -> Result<Option<LogicalPlan>> {
    let below = |input: &LogicalPlan| -> Result<Option<Arc<LogicalPlan>>> { Ok(merged(input, counts)?.map(Arc::new)) };
    Ok(match plan {
        LogicalPlan::TableScan(scan) => merged_scan(scan, counts)?,
        LogicalPlan::Filter(filter) if !filter.predicate.is_volatile() => match below(&filter.input)? {
            Some(input) => Some(LogicalPlan::Filter(Filter::try_new(filter.predicate.clone(), input)?)),
            None => None,
        },
        LogicalPlan::Projection(projection) if projection.expr.iter().all(is_repeatable) => {
            match below(&projection.input)? {
                Some(input) => {
                    let mut columns = projection.expr.clone();
                    if counts {
                        columns.push(Expr::Column(multiplicity(&input)?));
                    }
                    Some(LogicalPlan::Projection(Projection::try_new(columns, input)?))
                }
                None => None,
            }
        }
        LogicalPlan::SubqueryAlias(named) => match below(&named.input)? {
            Some(input) => Some(LogicalPlan::SubqueryAlias(SubqueryAlias::try_new(input, named.alias.clone())?)),
            None => None,
        },
        LogicalPlan::Join(join) if matches!(join.join_type, JoinType::LeftSemi | JoinType::LeftAnti) => {
            match below(&join.left)? {
                Some(left) => Some(with_sides(join, left, join.right.clone())?),
                None => None,
            }
        }
        LogicalPlan::Join(join) if matches!(join.join_type, JoinType::RightSemi | JoinType::RightAnti) => {
            match below(&join.right)? {
                Some(right) => Some(with_sides(join, join.left.clone(), right)?),
                None => None,
            }
        }
        _ => None,
    })
}

fn merged_scan(scan: &TableScan, counts: bool) -> Result<Option<LogicalPlan>> {
    let provider = source_as_provider(&scan.source)?;
    let Some(table) = provider.downcast_ref::<FleetTable>() else { return Ok(None) };
    let Some(projection) = scan.projection.as_ref().filter(|_| scan.fetch.is_none()) else { return Ok(None) };
    if table.table != Table::Lookups || table.merges_rows {
        return Ok(None);
    }
    // Either no column of the node is used, or no other.
    let of_node: Vec<usize> = ["node", "facts"].iter().filter_map(|name| table.table.index(name)).collect();
    let uses_node = projection.iter().any(|column| of_node.contains(column));
    if uses_node && !projection.iter().all(|column| of_node.contains(column)) {
        return Ok(None);
    }
    let mut projection = projection.clone();
    if counts {
        projection.push(table.table.columns().len());
    }
    let merging = FleetTable { table: table.table, fleet: table.fleet.clone(), merges_rows: true };
    let scan = TableScanBuilder::new(scan.table_name.clone(), provider_as_source(Arc::new(merging)))
        .with_projection(Some(projection))
        .with_filters(scan.filters.clone())
        .build()?;
    Ok(Some(LogicalPlan::TableScan(scan)))
}

/// Returns whether a column is equal for equal rows, and not confused with their number.
fn is_repeatable(column: &Expr) -> bool {
    !column.is_volatile() && column.schema_name().to_string() != MULTIPLICITY
}

/// Returns the column with the numbers of equal rows.
fn multiplicity(plan: &LogicalPlan) -> Result<Column> {
    let (table, field) = plan.schema().qualified_field_with_unqualified_name(MULTIPLICITY)?;
    Ok(Column::new(table.cloned(), field.name()))
}
