//! The filter `json_query`. => The filter `json_query`, which evaluates JMESPath.

use hieratic_jinja::extend::filters::arguments::{as_text, given};
use hieratic_jinja::extend::python::kind::hashable;
use hieratic_jinja::extend::python::{Kind, kind, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error, undefined, work};

use crate::jmespath;

pub const TABLE: Table = &[
    define("community.general.json_query", "expr", "Returns the result of an expression of JMESPath.", json_query),
    define("json_query", "expr", "Returns the result of an expression of JMESPath.", json_query),
];

/// Evaluates a JMESPath expression: the filter of the collection `community.general`.
fn json_query(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, expression] = args.bind(["data", "expr"], 2)?;
    let data = data.unwrap_or_default();
    if let Kind::Missing(missing) = kind(&data)? {
        return Err(undefined(missing.message()));
    }
    hashable(&given(expression.clone()))?;
    let expression = match &expression {
        Some(none) if none.is_none() => String::new(),
        Some(other) if !matches!(kind(other)?, Kind::Str(_) | Kind::Missing(_)) => {
            return Err(error(format!("'{}' object is not iterable", type_name(other))));
        }
        other => as_text(other)?,
    };
    jmespath::search(&expression, &data).map_err(|problem| match work::limit_of(&problem) {
        None => error(format!("JMESPathError in json_query filter plugin:\n{}", problem.detail().unwrap_or_default())),
        Some(_) => problem,
    })
}
