//! The functions that queries have besides those of DataFusion: `mode`, `from_json` and the operators `->` and `->>`.

mod json;
mod json_text;
mod mode;
mod row_count;

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

pub(crate) use mode::weighted_mode;
pub(crate) use row_count::row_count;

/// Adds the functions to those of a session.
pub(crate) fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    registry.register_udaf(Arc::new(AggregateUDF::from(mode::Mode::new())))?;
    registry.register_udf(Arc::new(ScalarUDF::from(json::FromJson::new())))?;
    registry.register_expr_planner(Arc::new(json::Operators))?;
    Ok(())
}
