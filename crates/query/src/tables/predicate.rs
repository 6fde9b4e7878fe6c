//! [`Predicates`]: the conditions of a query on nodes, keys or paths, which are evaluated before rows are computed.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{Array, BooleanArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, Volatility};
use datafusion::physical_expr::expressions::DynamicFilterPhysicalExpr;
use datafusion::physical_expr::utils::{collect_columns, reassign_expr_columns};
use datafusion::physical_expr::{PhysicalExpr, split_conjunction};

use super::columns::Table;

/// Conditions on columns that are known before a row is computed.
#[derive(Clone, Default)]
pub(crate) struct Predicates(Vec<Predicate>);

/// A condition on one column.
#[derive(Clone)]
struct Predicate {
    column: &'static str,
    /// The condition, on the only column of a table of one column.
    condition: Arc<dyn PhysicalExpr>,
    /// The condition as plans print it.
    shown: String,
    /// The only values for which it may hold, if it lists them.
    listed: Option<Vec<String>>,
}

impl Predicates {
    /// Returns the column of a condition, if it is on one of the known columns alone, and deterministic.
    pub(crate) fn column_of(table: Table, condition: &Expr) -> Option<&'static str> {
        let mut named = None;
        let mut fits = true;
        let walked = condition.apply(|part| {
            match part {
                Expr::Column(column) => {
                    let known = table.filter_columns().iter().find(|known| **known == column.name);
                    fits &= known.is_some() && (named.is_none() || named == known);
                    named = known;
                }
                Expr::ScalarFunction(call) => fits &= call.func.signature().volatility == Volatility::Immutable,
                Expr::Exists(_) | Expr::InSubquery(_) | Expr::ScalarSubquery(_) | Expr::OuterReferenceColumn(..) => {
                    fits = false;
                }
                _ => {}
            }
            Ok(if fits { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
        });
        walked.ok().and(named.copied()).filter(|_| fits)
    }

    /// Collects the conditions of a query on a table that are on a single known column.
    pub(crate) fn of(state: &dyn Session, table: Table, conditions: &[Expr]) -> Result<Predicates> {
        let one = |condition: &Expr| -> Result<Option<Predicate>> {
            let Some(column) = Predicates::column_of(table, condition) else { return Ok(None) };
            let schema = DFSchema::try_from(Schema::clone(&single_column_schema(column)))?;
            Ok(Some(Predicate {
                column,
                condition: state.create_physical_expr(condition.clone(), &schema)?,
                shown: condition.to_string(),
                listed: listed_values(condition),
            }))
        };
        let rows: Result<Vec<Option<Predicate>>> = conditions.iter().map(one).collect();
        Ok(Predicates(rows?.into_iter().flatten().collect()))
    }

    /// Adds the current state of dynamic conditions, which become known while a query runs. They refer to the rows of a
    /// plan; conditions on several columns at once are left to the plan.
    pub(crate) fn with_dynamic(&self, table: Table, conditions: &[Arc<dyn PhysicalExpr>]) -> Result<Predicates> {
        let mut all = self.clone();
        for condition in conditions {
            let now = condition.clone().transform_up(|part| {
                Ok(match part.downcast_ref::<DynamicFilterPhysicalExpr>() {
                    Some(dynamic) => Transformed::yes(dynamic.current()?),
                    None => Transformed::no(part),
                })
            })?;
            for part in split_conjunction(&now.data) {
                let columns = collect_columns(part);
                let mut names = columns.iter().map(|column| column.name());
                let name = names.next().filter(|first| names.all(|other| other == *first));
                let known = name.and_then(|name| table.filter_columns().iter().find(|known| **known == name));
                let Some(column) = known.copied() else { continue };
                let condition = reassign_expr_columns(part.clone(), &single_column_schema(column))?;
                let shown = condition.to_string();
                all.0.push(Predicate { column, condition, shown, listed: None });
            }
        }
        Ok(all)
    }

    /// Returns whether there is a condition on a column.
    pub(crate) fn has(&self, column: &str) -> bool {
        self.0.iter().any(|predicate| predicate.column == column)
    }

    /// Returns the text for a column in plans: the values that it may have, or the conditions on it.
    pub(crate) fn display(&self, column: &str) -> Option<String> {
        let of_column: Vec<&Predicate> = self.0.iter().filter(|predicate| predicate.column == column).collect();
        match of_column.as_slice() {
            [] => None,
            [Predicate { listed: Some(values), .. }] => Some(format!("[{}]", values.join(", "))),
            several => Some(several.iter().map(|one| one.shown.as_str()).collect::<Vec<_>>().join(" AND ")),
        }
    }

    /// Returns the sieve of a column's conditions.
    pub(crate) fn filter<'p>(&'p self, column: &str) -> ValueFilter<'p> {
        let conditions = self.0.iter().filter(|predicate| predicate.column == column).map(|one| &one.condition);
        ValueFilter { conditions: conditions.collect(), known: Mutex::default(), fault: Mutex::default() }
    }
}

impl fmt::Debug for Predicates {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.0.iter().map(|predicate| &predicate.shown)).finish()
    }
}

/// Returns the schema of a table with one string column.
fn single_column_schema(column: &str) -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new(column, DataType::Utf8, false)]))
}

/// The values that a condition lists: `=`, `IN`, and several of these with `OR`.
fn listed_values(condition: &Expr) -> Option<Vec<String>> {
    let text = |value: &Expr| match value {
        Expr::Literal(
            ScalarValue::Utf8(Some(text)) | ScalarValue::Utf8View(Some(text)) | ScalarValue::LargeUtf8(Some(text)),
            _,
        ) => Some(text.clone()),
        _ => None,
    };
    match condition {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => match (&**left, &**right) {
            (Expr::Column(_), value) | (value, Expr::Column(_)) => Some(vec![text(value)?]),
            _ => None,
        },
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            Some([listed_values(left)?, listed_values(right)?].concat())
        }
        Expr::InList(InList { expr, list, negated: false }) if matches!(**expr, Expr::Column(_)) => {
            list.iter().map(text).collect()
        }
        _ => None,
    }
}

/// Evaluates conditions on the values of a column, and caches the results: the same key occurs on many nodes.
pub(crate) struct ValueFilter<'p> {
    conditions: Vec<&'p Arc<dyn PhysicalExpr>>,
    known: Mutex<HashMap<String, bool>>,
    /// The first error of a condition.
    fault: Mutex<Option<DataFusionError>>,
}

/// Of how many values it is remembered.
const MAX_CACHED: usize = 100_000;

impl ValueFilter<'_> {
    /// Returns whether the conditions hold for a value. On an error it returns false, and [`fault`](Self::fault)
    /// returns the error.
    pub(crate) fn accepts(&self, value: &str) -> bool {
        if self.conditions.is_empty() {
            return true;
        }
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known().get(value) {
            return *answer;
        }
        let answer = self.evaluate(value).unwrap_or_else(|fault| {
            self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
            false
        });
        let mut known = known();
        if known.len() >= MAX_CACHED {
            known.clear();
        }
        known.insert(value.to_owned(), answer);
        answer
    }

    /// Returns the first error of a condition.
    pub(crate) fn fault(&self) -> Result<()> {
        match self.fault.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    fn evaluate(&self, value: &str) -> Result<bool> {
        let row = RecordBatch::try_new(single_column_schema("value"), vec![Arc::new(StringArray::from(vec![value]))])?;
        for condition in &self.conditions {
            let result = condition.evaluate(&row)?.into_array(1)?;
            let result = result.as_any().downcast_ref::<BooleanArray>();
            // A condition that is null selects no row.
            if !result.is_some_and(|result| !result.is_null(0) && result.value(0)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
