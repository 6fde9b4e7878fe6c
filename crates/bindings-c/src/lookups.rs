//! Lookups, and the origins of answers.

use std::ffi::c_char;

use engine::budget::Budget;
use engine::explain::reasons;
use engine::lookup::{Origin, OriginRow, origins};
use engine::{Hash, Limits, Query, Strategy, Value};
use hieratic_bindings_core::{BindingError, LIMIT, Omissions, lookup_all};

use crate::failure::Failure;
use crate::ffi::{handle, into_c_json, into_handle, run_storing_error, text, text_or_null};
use crate::node::Node;
use crate::options::Options;
use crate::typed::TypedValue;

/// The options of a lookup.
const LOOKUP: &[&str] = &["default", "merge", "type", "reveal", "limits", "timeout"];

/// Builds the query of a lookup.
fn query<'q>(key: &'q str, options: &Options, limits: Limits) -> Result<Query<'q>, Failure> {
    let budget = Budget::new(options.limits_of_call(limits)?);
    let mut query = Query { names: vec![key], default: options.value("default").cloned(), budget, ..Query::default() };
    let refused = |name: &str, message: String| {
        Failure::argument(
            format!("the option '{name}': {message}"),
            "docs/explanation/merging.md lists the merge strategies",
        )
    };
    if let Some(merge) = options.value("merge") {
        let strategy = Strategy::parse(merge).map_err(|error| refused("merge", error.to_string()))?;
        query.merge = Some(strategy);
    }
    if let Some(text) = options.text("type")? {
        query.value_type = Some(engine::puppet_types::parse(text).map_err(|error| refused("type", error.to_string()))?);
    }
    Ok(query)
}

/// The arguments of the functions on one key.
struct KeyArguments<'a> {
    node: &'a Node,
    query: Query<'a>,
    reveal: bool,
}

/// Reads the arguments of a function on one key.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL.
unsafe fn key_arguments<'a>(
    node: *const Node,
    key: *const c_char,
    options: *const c_char,
) -> Result<KeyArguments<'a>, Failure> {
    // SAFETY: the contract of this function requires the same.
    let (node, key) = unsafe { (handle("node", node)?, text("key", key)?) };
    // SAFETY: the contract of this function requires the same.
    let options = Options::parse(unsafe { text_or_null("options", options) }?, LOOKUP)?;
    Ok(KeyArguments { node, query: query(key, &options, node.opened.limits)?, reveal: options.flag("reveal")? })
}

/// Looks up a key by the arguments of C. Secrets are marked, unless they are to be revealed.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL.
unsafe fn answer(node: *const Node, key: *const c_char, options: *const c_char) -> Result<Value, Failure> {
    // SAFETY: the contract of this function requires the same.
    let KeyArguments { node, query, reveal } = unsafe { key_arguments(node, key, options) }?;
    let answer = if reveal { node.node.lookup(&query) } else { node.node.lookup_redacted(&query) };
    let value = answer.map_err(|error| node.opened.failure(&error))?;
    Ok(node.opened.redactor(reveal).marked(&value))
}

/// Looks up a key: its value as JSON. Secrets are redacted, unless the option reveal is true.
///
/// `options` is NULL or a JSON object: default (any value: the answer if the key has none), merge ("first", "unique",
/// "hash", "deep", or an object with strategy), type (a Puppet type that the value must have), reveal, limits and timeout
/// (as hieratic_environment_open takes them).
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_lookup(
    node: *const Node,
    key: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    // SAFETY: the contract of this function requires the same.
    let work = || into_c_json(&unsafe { answer(node, key, options) }?);
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// Looks up a key, like hieratic_lookup, with the same options: its value with its type.
///
/// Free the result with hieratic_value_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_lookup_value(
    node: *const Node,
    key: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut TypedValue {
    // SAFETY: the contract of this function requires the same.
    let work = || Ok(into_handle(TypedValue::new(&unsafe { answer(node, key, options) }?)));
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// Looks up all keys that the node's hierarchy can answer: a JSON object. Secrets are redacted, unless the option
/// reveal is true.
///
/// `options` is NULL or a JSON object: patterns (a list of strings: keys, with * and ?), skip_errors (leave out keys
/// whose lookup fails), allow_empty (accept patterns that no key matches), reveal, limits and timeout.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_lookup_all(
    node: *const Node,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (node, options) = unsafe { (handle("node", node)?, text_or_null("options", options)?) };
        let options =
            Options::parse(options, &["patterns", "skip_errors", "allow_empty", "reveal", "limits", "timeout"])?;
        let redactor = node.opened.redactor(options.flag("reveal")?);
        let patterns = options.texts("patterns")?;
        let omitted = Omissions { errors: options.flag("skip_errors")?, unmatched: options.flag("allow_empty")? };
        let budget = Budget::new(options.limits_of_call(node.opened.limits)?);
        let found = lookup_all(&node.opened.environment, &node.node, &patterns, redactor, omitted, &budget)?;
        into_c_json(&redactor.marked(&found))
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// The keys that the node's hierarchy can answer, sorted: a JSON array of strings.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_keys(node: *const Node, error: *mut *mut Failure) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let node = unsafe { handle("node", node) }?;
        let keys = node.opened.environment.keys(&node.node).map_err(|error| node.opened.failure(&error))?;
        let charged = Budget::new(node.opened.limits).steps(keys.len() as u64);
        charged.map_err(|limit| Failure::from(BindingError::exhausted(&limit)))?;
        into_c_json(&keys.into_iter().map(Value::from).collect::<Vec<_>>().into())
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// Explains the answer to a key: the JSON object that `hieratic lookup KEY --why --render-as json` prints. A key
/// without a value is not an error: found is false. `options` is that of hieratic_lookup.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_why(
    node: *const Node,
    key: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let KeyArguments { node, query, reveal } = unsafe { key_arguments(node, key, options) }?;
        let why = node.node.why(&query);
        // An answer that work has no room for has no reasons.
        if let Err(error) = &why.answer
            && error.code().id() == LIMIT
        {
            return Err(node.opened.failure(error));
        }
        into_c_json(&reasons(&why, node.opened.redactor(reveal)))
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// The origins of the parts of a value: a JSON array with an object for each leaf: path (a list of keys and indexes),
/// value, file, line and column (or source, for a value without a file), and secret. `options` is that of
/// hieratic_lookup.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_origins(
    node: *const Node,
    key: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let KeyArguments { node, query, reveal } = unsafe { key_arguments(node, key, options) }?;
        let redactor = node.opened.redactor(reveal);
        let rows = origins(&node.node, &query, redactor);
        let rows = rows.map_err(|error| node.opened.failure(&error))?;
        into_c_json(&rows.into_iter().map(row).collect())
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

fn row(leaf: OriginRow) -> Value {
    let mut pairs = vec![("path", Value::from(leaf.path)), ("value", leaf.value)];
    match leaf.origin {
        Some(Origin::File { file, line, column }) => pairs.extend([
            ("file", Value::from(file.display().to_string())),
            ("line", i64::from(line).into()),
            ("column", i64::from(column).into()),
        ]),
        Some(Origin::Named(name)) => pairs.push(("source", Value::String(name))),
        None => {}
    }
    pairs.push(("secret", leaf.secret.into()));
    pairs.into_iter().collect::<Hash>().into()
}
