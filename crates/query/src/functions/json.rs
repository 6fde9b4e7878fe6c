//! JSON in queries: the function [`from_json`](FromJson), and the [operators](Operators) `->` and `->>`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, ListBuilder, StringArray, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::cast::as_string_array;
use datafusion::common::{DFSchema, Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ExprSchemable, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, cast,
};
use datafusion::sql::sqlparser::ast::BinaryOperator;
use serde_json::Value;

use super::json_text::{as_text, elements, part};

/// Converts the operators `->` and `->>` to functions.
#[derive(Debug)]
pub(super) struct Operators;

impl ExprPlanner for Operators {
    fn plan_binary_op(&self, operation: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let is_text = match operation.op {
            BinaryOperator::Arrow => false,
            BinaryOperator::LongArrow => true,
            _ => return Ok(PlannerResult::Original(operation)),
        };
        // These operators bind less tightly than comparisons, as in DuckDB.
        if matches!(operation.right.get_type(schema), Ok(DataType::Boolean)) {
            let sign = operation.op.to_string();
            return plan_err!("the step of {sign} is a condition: write (json {sign} 'key') in parentheses");
        }
        let part = Arc::new(ScalarUDF::from(JsonPart::new(is_text)));
        // The step may be an integer.
        let step = cast(operation.right, DataType::Utf8);
        Ok(PlannerResult::Planned(part.call(vec![operation.left, step])))
    }
}

/// `json -> step` and `json ->> step`: the part of a value as JSON, or as text. A step is a key, an index, or a path with
/// dots.
#[derive(Debug, PartialEq, Eq, Hash)]
struct JsonPart {
    is_text: bool,
    signature: Signature,
}

impl JsonPart {
    fn new(is_text: bool) -> JsonPart {
        JsonPart { is_text, signature: Signature::uniform(2, vec![DataType::Utf8], Volatility::Immutable) }
    }

    fn find(&self, json: &str, step: &str) -> Result<Option<String>> {
        let failed = |error: serde_json::Error| not_json(json, &error);
        let mut found = part(json, &[step]).map_err(failed)?;
        if found.is_none() && step.contains('.') {
            found = part(json, &step.split('.').collect::<Vec<_>>()).map_err(failed)?;
        }
        Ok(match self.is_text {
            true => found.and_then(as_text),
            false => found.map(|value| value.to_string()),
        })
    }
}

impl ScalarUDFImpl for JsonPart {
    fn name(&self) -> &str {
        if self.is_text { "->>" } else { "->" }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn schema_name(&self, arguments: &[Expr]) -> Result<String> {
        let names: Vec<String> = arguments.iter().map(|argument| argument.schema_name().to_string()).collect();
        Ok(names.join(&format!(" {} ", self.name())))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&arguments.args)?;
        let [json, step] = arrays.as_slice() else { return exec_err!("{} needs two operands", self.name()) };
        let (json, step) = (as_string_array(json)?, as_string_array(step)?);
        let mut parts = StringBuilder::new();
        for (json, step) in json.iter().zip(step) {
            match (json, step) {
                (Some(json), Some(step)) => parts.append_option(self.find(json, step)?),
                _ => parts.append_null(),
            }
        }
        Ok(ColumnarValue::Array(Arc::new(parts.finish())))
    }
}

/// `from_json(json, '["json"]')`: the elements of an array as a list, as in DuckDB.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct FromJson {
    signature: Signature,
}

impl FromJson {
    pub(super) fn new() -> FromJson {
        FromJson { signature: Signature::uniform(2, vec![DataType::Utf8], Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for FromJson {
    fn name(&self) -> &str {
        "from_json"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [json, structure] = arguments.args.as_slice() else { return exec_err!("from_json needs two arguments") };
        let convert = match structure {
            ColumnarValue::Scalar(ScalarValue::Utf8(Some(structure))) => converter(structure)?,
            _ => return plan_err!("the structure of from_json is not a constant"),
        };
        let json = json.to_array(arguments.number_rows)?;
        let lists = lists(as_string_array(&json)?, convert)?;
        Ok(ColumnarValue::Array(lists))
    }
}

/// Converts an element of a list.
type Convert = fn(Value) -> Option<String>;

fn converter(structure: &str) -> Result<Convert> {
    // A structure that is not JSON is as unknown as any other.
    match elements(structure).ok().flatten().as_deref() {
        Some([Value::String(kind)]) if kind.eq_ignore_ascii_case("json") => Ok(|value| Some(value.to_string())),
        Some([Value::String(kind)]) if kind.eq_ignore_ascii_case("varchar") => Ok(as_text),
        _ => plan_err!("from_json does not know the structure {structure}: use '[\"json\"]' or '[\"varchar\"]'"),
    }
}

fn lists(json: &StringArray, convert: Convert) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for json in json {
        let found = match json {
            Some(json) => elements(json).map_err(|error| not_json(json, &error))?,
            None => None,
        };
        let is_array = found.is_some();
        for element in found.into_iter().flatten() {
            lists.values().append_option(convert(element));
        }
        lists.append(is_array);
    }
    Ok(Arc::new(lists.finish()))
}

fn not_json(json: &str, error: &serde_json::Error) -> datafusion::common::DataFusionError {
    let start: String = json.chars().take(40).collect();
    datafusion::common::DataFusionError::Execution(format!("'{start}' is not JSON: {error}"))
}
