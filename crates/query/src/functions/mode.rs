//! `mode(column)`: the most frequent value.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, Int64Array};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::cast::{as_int64_array, as_list_array};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};

/// The most frequent value of a column; of those that are equally frequent, the smallest. Missing values do not count.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Mode {
    /// Whether a second column says for how many rows each row stands.
    is_weighted: bool,
    signature: Signature,
}

impl Mode {
    pub(super) fn new() -> Mode {
        Mode { is_weighted: false, signature: Signature::any(1, Volatility::Immutable) }
    }
}

/// Returns the same function for rows that stand for several.
pub(crate) fn weighted_mode() -> Arc<AggregateUDF> {
    let signature = Signature::any(2, Volatility::Immutable);
    Arc::new(AggregateUDF::from(Mode { is_weighted: true, signature }))
}

impl AggregateUDFImpl for Mode {
    fn name(&self) -> &str {
        if self.is_weighted { "weighted_mode" } else { "mode" }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match arguments {
            [value, ..] => Ok(value.clone()),
            [] => exec_err!("mode needs a column"),
        }
    }

    fn accumulator(&self, arguments: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        let kind = arguments.return_field.data_type().clone();
        Ok(Box::new(ModeCounts { counts: HashMap::new(), bytes: 0, kind }))
    }

    fn state_fields(&self, arguments: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let list = |name: &str, kind: DataType| {
            let elements = Field::new_list_field(kind, true);
            Arc::new(Field::new(format!("{}[{name}]", arguments.name), DataType::List(Arc::new(elements)), true))
        };
        Ok(vec![list("values", arguments.return_field.data_type().clone()), list("counts", DataType::Int64)])
    }
}

/// The values of a column and their numbers.
#[derive(Debug)]
struct ModeCounts {
    counts: HashMap<ScalarValue, i64>,
    /// The size of the values, in bytes.
    bytes: usize,
    kind: DataType,
}

impl ModeCounts {
    fn add(&mut self, values: &ArrayRef, counts: Option<&Int64Array>) -> Result<()> {
        for index in (0..values.len()).filter(|index| !values.is_null(*index)) {
            let value = ScalarValue::try_from_array(values, index)?;
            let count = counts.map_or(1, |counts| counts.value(index));
            match self.counts.get_mut(&value) {
                Some(known) => *known += count,
                None => {
                    self.bytes += value.size();
                    self.counts.insert(value.compacted(), count);
                }
            }
        }
        Ok(())
    }
}

impl Accumulator for ModeCounts {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        match values {
            [values] => self.add(values, None),
            [values, counts] => self.add(values, Some(as_int64_array(counts)?)),
            _ => exec_err!("mode needs a column"),
        }
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [values, counts] = states else { return exec_err!("mode has two columns of state") };
        for (values, counts) in as_list_array(values)?.iter().zip(as_list_array(counts)?.iter()) {
            if let (Some(values), Some(counts)) = (values, counts) {
                self.add(&values, Some(as_int64_array(&counts)?))?;
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let (values, counts): (Vec<ScalarValue>, Vec<ScalarValue>) =
            std::mem::take(&mut self.counts).into_iter().map(|(value, count)| (value, count.into())).unzip();
        let values = ScalarValue::new_list_nullable(&values, &self.kind);
        let counts = ScalarValue::new_list_nullable(&counts, &DataType::Int64);
        Ok(vec![ScalarValue::List(values), ScalarValue::List(counts)])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let by_count = |one: &(&ScalarValue, &i64), other: &(&ScalarValue, &i64)| {
            one.1.cmp(other.1).then_with(|| other.0.partial_cmp(one.0).unwrap_or(std::cmp::Ordering::Equal))
        };
        match self.counts.iter().max_by(by_count) {
            Some((value, _)) => Ok(value.clone()),
            None => ScalarValue::try_from(&self.kind),
        }
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.bytes + self.counts.capacity() * size_of::<(ScalarValue, i64)>()
    }
}
