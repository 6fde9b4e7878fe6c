//! Documents with merge directives, HCL and jobs.

use std::ffi::c_char;
use std::path::PathBuf;

use engine::budget::Budget;
use engine::nomad_job::schema::is_field;
use engine::{Hash, Limits, Permissions, Value};
use hieratic_bindings_core::{JobData, JobOptions, NamedDocument, api_job, data_of_hcl};

use crate::failure::Failure;
use crate::ffi::{into_c_json, into_c_string, run_storing_error, text, text_or_null};
use crate::node::{Node, node_or_null};
use crate::options::{Options, object};

/// The options of a document.
const DOCUMENT: &[&str] = &["name", "folder", "variables", "allow_outside", "allow_network", "limits", "timeout"];

/// The options of a job.
const JOB: &[&str] = &[
    "name",
    "folder",
    "variables",
    "var_files",
    "allow_undeclared",
    "allow_files",
    "allow_outside",
    "reveal",
    "limits",
    "timeout",
];

/// A document with its permissions and variables.
struct Request {
    text: NamedDocument,
    variables: Vec<(String, String)>,
    permissions: Permissions,
    budget: Budget,
}

impl Request {
    fn new(document: &str, options: &Options) -> Result<Request, Failure> {
        let text = NamedDocument {
            text: document.to_owned(),
            name: options.text("name")?.unwrap_or("document").to_owned(),
            folder: options.folder()?,
        };
        let budget = Budget::new(options.limits(Limits::default())?);
        Ok(Request { text, variables: options.pairs("variables")?, permissions: options.permissions()?, budget })
    }
}

/// Expands the merge directives of a YAML document: a JSON object with data, and directives (those that were written in
/// the document, each with path, key and value).
///
/// `options` is NULL or a JSON object: name (of the document, in messages), folder (of relative paths; the
/// current folder by default), variables (an object of strings: environment variables that names of files may have),
/// allow_outside, allow_network, limits and timeout.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// Strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_expand(
    document: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (document, options) = unsafe { (text("document", document)?, text_or_null("options", options)?) };
        let request = Request::new(document, &Options::parse(options, DOCUMENT)?)?;
        let expanded = request.text.expand(request.variables, request.permissions, &request.budget)?;
        let applied = expanded.applied.into_iter().map(|one| {
            let pairs = [("path", Value::from(one.path)), ("key", one.key.into()), ("value", one.value)];
            Value::from(pairs.into_iter().collect::<Hash>())
        });
        let pairs = [("data", expanded.value), ("directives", applied.collect())];
        into_c_json(&pairs.into_iter().collect::<Hash>().into())
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// Restores the directives of a document from its changed, expanded data: returns the new source. `original` is the
/// document with its directives, `changed` a JSON object. The options are those of hieratic_expand.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// Strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_restore(
    original: *const c_char,
    changed: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (original, changed) = unsafe { (text("original", original)?, text("changed", changed)?) };
        // SAFETY: the contract of this function requires the same.
        let options = Options::parse(unsafe { text_or_null("options", options) }?, DOCUMENT)?;
        let request = Request::new(original, &options)?;
        let changed = Value::Hash(object("changed", changed)?);
        into_c_string(request.text.restore(&changed, request.variables, request.permissions, &request.budget)?)
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// A document of HCL as JSON: an expression is "${...}" with its source, a block is a list below its labels. `options`
/// is NULL or a JSON object: name (of the document, in messages).
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// Strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_hcl_to_json(
    document: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (document, options) = unsafe { (text("document", document)?, text_or_null("options", options)?) };
        let options = Options::parse(options, &["name"])?;
        into_c_json(&data_of_hcl(document, options.text("name")?.unwrap_or("document"))?)
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// A Nomad job as the API's JSON. `node` is NULL, or the node for lookups by the function `hiera` of the job; its
/// secrets are redacted, unless the option reveal is true.
///
/// `options` is NULL or a JSON object: variables (an object of values, converted to the types of the variables as HCL
/// converts), var_files (a list of paths), limits, timeout, name (of the job, in messages), folder (of the job), allow_files (functions on files work, in that folder),
/// allow_outside, allow_undeclared (values for variables that the job does not declare are ignored) and reveal.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_job(
    node: *const Node,
    job: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (node, job) = unsafe { (node_or_null(node), text("job", job)?) };
        // SAFETY: the contract of this function requires the same.
        let options = Options::parse(unsafe { text_or_null("options", options) }?, JOB)?;
        let variables = options.object("variables")?.into_iter().flat_map(Hash::iter);
        let limits = match node {
            Some(node) => options.limits_of_call(node.opened.limits),
            None => options.limits(Limits::default()),
        }?;
        let job_options = JobOptions {
            name: options.text("name")?.unwrap_or("job").to_owned(),
            folder: options.folder()?,
            variables: variables.map(|(name, value)| (name.to_text(), value.clone())).collect(),
            var_files: options.texts("var_files")?.into_iter().map(PathBuf::from).collect(),
            strict: !options.flag("allow_undeclared")?,
            allow_files: options.flag("allow_files")?,
            allow_outside: options.flag("allow_outside")?,
            budget: Budget::new(limits),
        };
        let data = node.map(|node| JobData {
            environment: &node.opened.environment,
            facts: &node.facts,
            redactor: node.opened.redactor(false),
        });
        let json = api_job(job.as_bytes().to_vec(), job_options, data)?;
        let Some(node) = node else { return into_c_string(json) };
        into_c_string(node.opened.redactor(options.flag("reveal")?).json_but(&json, is_field).into_owned())
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}
