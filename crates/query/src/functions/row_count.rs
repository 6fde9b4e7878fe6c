//! `row_count(multiplicity)`: the number of rows, where each stands for several.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, Int64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::cast::as_int64_array;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};

/// Returns the function.
pub(crate) fn row_count() -> Arc<AggregateUDF> {
    let signature = Signature::exact(vec![DataType::Int64], Volatility::Immutable);
    Arc::new(AggregateUDF::from(RowCount { signature }))
}

/// Like `sum`, but 0 of no rows, as `count`.
#[derive(Debug, PartialEq, Eq, Hash)]
struct RowCount {
    signature: Signature,
}

impl AggregateUDFImpl for RowCount {
    fn name(&self) -> &str {
        "row_count"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(Some(0)))
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Total(0)))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs<'_>) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Totals::default()))
    }
}

fn column(columns: &[ArrayRef]) -> Result<&Int64Array> {
    match columns {
        [column] => as_int64_array(column),
        _ => exec_err!("row_count needs a column"),
    }
}

#[derive(Debug)]
struct Total(i64);

impl Accumulator for Total {
    fn update_batch(&mut self, columns: &[ArrayRef]) -> Result<()> {
        self.0 += column(columns)?.iter().flatten().sum::<i64>();
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.update_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.0.into()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(self.0.into())
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// The totals of groups.
#[derive(Debug, Default)]
struct Totals(Vec<i64>);

/// Returns whether a filter selects a row.
fn is_selected(filter: Option<&BooleanArray>, row: usize) -> bool {
    filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
}

impl GroupsAccumulator for Totals {
    fn update_batch(
        &mut self,
        columns: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        group_count: usize,
    ) -> Result<()> {
        self.0.resize(group_count, 0);
        let rows = column(columns)?.iter().zip(groups).enumerate();
        for (_, (count, group)) in rows.filter(|(row, _)| is_selected(filter, *row)) {
            if let Some(total) = self.0.get_mut(*group) {
                *total += count.unwrap_or(0);
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, groups: EmitTo) -> Result<ArrayRef> {
        Ok(Arc::new(Int64Array::from(groups.take_needed(&mut self.0))))
    }

    fn state(&mut self, groups: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate(groups)?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], group_count: usize) -> Result<()> {
        self.update_batch(states, groups, None, group_count)
    }

    fn convert_to_state(&self, columns: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let rows = column(columns)?.iter().enumerate();
        let counts = rows.map(|(row, count)| if is_selected(filter, row) { count.unwrap_or(0) } else { 0 });
        Ok(vec![Arc::new(counts.collect::<Int64Array>())])
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.capacity() * size_of::<i64>()
    }
}
