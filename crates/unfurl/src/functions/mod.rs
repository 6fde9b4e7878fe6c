//! The functions that a map can call: `{concat: [...]}`.
//!
//! A function is a row in a table: its name, whether it needs `eval` around it, and its implementation. The names and
//! their meanings are those of <https://docs.unfurl.run/expressions.html#expression-functions>.

mod arguments;
mod attributes;
mod environment;
mod files;
mod labels;
mod logic;
mod lookups;
mod missing;
mod ports;
mod schema;
mod texts;

use hieratic_diagnostics::nearest;
use hieratic_python_values as python;
use hieratic_value::{Hash, Value};

use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::scope::Scope;

/// A function.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// True if a map with this only key calls the function, without `eval` around it.
    alone: bool,
    pub(crate) run: Run,
}

/// The implementation of a function, which takes its argument and the scope of the call.
type Run = fn(&dyn Host, &Datum, &mut Scope) -> Result<Datum, ExpressionError>;

const fn inside(name: &'static str, run: Run) -> Function {
    Function { name, alone: false, run }
}

const fn alone(name: &'static str, run: Run) -> Function {
    Function { name, alone: true, run }
}

/// The functions that there are.
const FUNCTIONS: &[Function] = &[
    inside("if", logic::choose),
    inside("and", logic::and),
    inside("or", logic::or),
    inside("not", logic::not),
    alone("q", logic::quote),
    inside("eq", logic::equal),
    inside("foreach", logic::foreach),
    inside("is_function_defined", is_function_defined),
    inside("validate", schema::validate),
    inside("template", files::template),
    alone("concat", texts::concat),
    alone("token", texts::token),
    inside("urljoin", texts::urljoin),
    inside("sensitive", texts::sensitive),
    inside("to_label", labels::to_label),
    inside("to_dns_label", labels::to_dns_label),
    inside("to_kubernetes_label", labels::to_kubernetes_label),
    inside("to_googlecloud_label", labels::to_googlecloud_label),
    alone("get_env", environment::get_env),
    alone("has_env", environment::has_env),
    inside("to_env", environment::to_env),
    alone("get_input", attributes::get_input),
    alone("get_attribute", attributes::get_attribute),
    inside("lookup", lookups::lookup),
    inside("abspath", files::abspath),
    inside("get_dir", files::get_dir),
    inside("file", files::file),
    alone("generate_string", missing::generate_string),
    alone("_generate", missing::generate_string),
    inside("tempfile", missing::tempfile),
    inside("python", missing::python),
    alone("get_artifact", missing::get_artifact),
    alone("get_nodes_of_type", attributes::get_nodes_of_type),
    alone("get_property", attributes::get_property),
    inside("container_image", missing::container_image),
    inside("get_ensemble_metadata", missing::get_ensemble_metadata),
    inside("external", missing::external),
    inside("local", missing::local),
    inside("secret", missing::secret),
    inside("portspec", ports::portspec),
];

/// The functions that only report that they are not supported.
const UNAVAILABLE: [&str; 10] = [
    "generate_string",
    "_generate",
    "tempfile",
    "python",
    "get_artifact",
    "container_image",
    "get_ensemble_metadata",
    "external",
    "local",
    "secret",
];

/// A function by its name.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Checks whether a function of that name needs no `eval` around it.
pub(crate) fn stands_alone(name: &str) -> bool {
    find(name).is_some_and(|function| function.alone)
}

/// The names of the functions that can be called.
pub(crate) fn available() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name).filter(|name| !UNAVAILABLE.contains(name))
}

/// `{is_function_defined: NAME}`: whether there is a function of that name.
fn is_function_defined(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let name = host.map_value(argument, scope)?;
    if let Datum::Plain(Plain { value: Value::Undef, .. }) = name {
        return Ok(Datum::done(false));
    }
    let name = arguments::text(&name, "the name of the function")?;
    Ok(Datum::done(available().any(|function| function == &*name)))
}

/// The error of a map that should call a function and calls none.
pub(crate) fn missing(keys: &Hash) -> ExpressionError {
    let shown = python::repr(&Value::from(keys.clone()));
    let near = keys.keys().filter_map(Value::as_str).find_map(|key| nearest(key, available()));
    let fault = ExpressionError::new(format!("Function missing in {shown}"));
    match near {
        Some(_) => fault.did_you_mean(near, ""),
        None => fault.help("one of the keys must be a function name; 'q' quotes a map that is data"),
    }
}
