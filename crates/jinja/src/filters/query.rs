//! `json_query`: values picked by an expression of JMESPath, <https://jmespath.org/specification.html>.

use jmespath::{Rcvar, Variable};
use minijinja::Value;

use super::{Table, as_text, given};
use crate::call::Args;
use crate::eval::Context;
use crate::json::{self, Layout};
use crate::python::{Result, error};

pub const TABLE: Table = &[("json_query", json_query)];

/// The longest expression.
const LONGEST: usize = 1 << 14;

fn json_query(_: &Context<'_>, args: Args) -> Result<Value> {
    let [data, expression] = args.bind(["data", "expr"], 2)?;
    let expression = as_text(&expression)?;
    if expression.len() > LONGEST {
        return Err(error("the JMESPath expression is too long"));
    }
    // Data goes in and out as JSON, whose texts are charged; what the expression goes through is charged by its size.
    let text = json::write(&given(data), &Layout { item: ",".into(), key: ":".into(), ..Layout::default() })?;
    crate::work::steps(text.len() / 16 * (1 + expression.len() / 16))?;
    let fault = |fault: jmespath::JmespathError| error(format!("JMESPathError in json_query filter plugin:\n{fault}"));
    let compiled = jmespath::compile(&expression).map_err(fault)?;
    let data = Variable::from_json(&text).map_err(|fault| error(format!("the value is no JSON: {fault}")))?;
    let found = compiled.search(Rcvar::new(data)).map_err(fault)?;
    json::parse(&found.to_string())
}
