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

pub(crate) use self::schema::conforms;
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
    pub(crate) run: Run,
}

/// The implementation of a function, which takes its argument and the scope of the call.
type Run = fn(&dyn Host, &Datum, &mut Scope) -> Result<Datum, ExpressionError>;

const fn function(name: &'static str, run: Run) -> Function {
    Function { name, run }
}

/// The functions that there are.
const FUNCTIONS: &[Function] = &[
    function("if", logic::choose),
    function("and", logic::and),
    function("or", logic::or),
    function("not", logic::not),
    function("q", logic::quote),
    function("eq", logic::equal),
    function("foreach", logic::foreach),
    function("is_function_defined", is_function_defined),
    function("validate", schema::validate),
    function("template", files::template),
    function("concat", texts::concat),
    function("token", texts::token),
    function("urljoin", texts::urljoin),
    function("sensitive", texts::sensitive),
    function("to_label", labels::to_label),
    function("to_dns_label", labels::to_dns_label),
    function("to_kubernetes_label", labels::to_kubernetes_label),
    function("to_googlecloud_label", labels::to_googlecloud_label),
    function("get_env", environment::get_env),
    function("has_env", environment::has_env),
    function("to_env", environment::to_env),
    function("get_input", attributes::get_input),
    function("get_attribute", attributes::get_attribute),
    function("lookup", lookups::lookup),
    function("abspath", files::abspath),
    function("get_dir", files::get_dir),
    function("file", files::file),
    function("generate_string", missing::generate_string),
    function("_generate", missing::generate_string),
    function("tempfile", missing::tempfile),
    function("python", missing::python),
    function("get_artifact", missing::get_artifact),
    function("get_nodes_of_type", attributes::get_nodes_of_type),
    function("get_property", attributes::get_property),
    function("container_image", missing::container_image),
    function("get_ensemble_metadata", missing::get_ensemble_metadata),
    function("external", missing::external),
    function("local", missing::local),
    function("secret", missing::secret),
    function("portspec", ports::portspec),
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
    let error = ExpressionError::new(format!("Function missing in {shown}"));
    match near {
        Some(_) => error.did_you_mean(near, ""),
        None => error.help("one of the keys must be a function name; 'q' quotes a map that is data"),
    }
}
