//! Expressions, code and templates.

use std::ffi::c_char;

use engine::budget::Budget;
use engine::diagnostics::Source;
use engine::facts::node_of_facts;
use engine::secrets::Secrets;
use engine::templates::TemplateLanguage;
use engine::value::text::REDACTED;
use engine::{Facts, Limits, Redactor, Value};
use hieratic_bindings_core::Subject;

use crate::environment::OpenEnvironment;
use crate::failure::Failure;
use crate::ffi::{into_c_json, into_c_string, run_storing_error, text, text_or_null};
use crate::node::{Node, node_or_null};
use crate::options::Options;

/// The options of an evaluation.
const EVAL: &[&str] = &[
    "facts",
    "variables",
    "tree",
    "folder",
    "allow_programs",
    "allow_outside",
    "allow_network",
    "confined",
    "reveal",
    "limits",
    "timeout",
];

/// The options of a template.
const RENDER: &[&str] = &[
    "facts",
    "variables",
    "name",
    "folder",
    "allow_programs",
    "allow_outside",
    "allow_network",
    "confined",
    "reveal",
    "limits",
    "timeout",
];

/// The subject of an evaluation, and the redaction of its secrets.
fn subject<'n>(node: Option<&'n Node>, options: &Options) -> Result<(Subject<'n>, Redactor), Failure> {
    let opened: Option<&OpenEnvironment> = node.map(|node| &*node.opened);
    let permissions = match opened {
        Some(opened) => opened.permissions,
        None => options.permissions()?,
    };
    let mut facts = match (node, options.object("facts")?) {
        (Some(_), Some(_)) => {
            return Err(Failure::argument("a node already has facts", "leave out the option facts, or pass no node"));
        }
        (Some(node), None) => node.facts.clone(),
        (None, Some(facts)) => Facts::new(node_of_facts(facts).as_deref(), facts.clone()),
        (None, None) => Facts::default(),
    };
    options.set_variables(&mut facts)?;
    let reveal = options.flag("reveal")?;
    let redactor =
        opened.map_or_else(|| Redactor::new(Secrets::default(), reveal), |opened| opened.redactor(reveal).clone());
    let limits = match opened {
        Some(opened) => options.limits_of_call(opened.limits),
        None => options.limits(Limits::default()),
    }?;
    let budget = Budget::new(limits);
    Ok((Subject { environment: opened.map(|opened| &opened.environment), facts, permissions, budget }, redactor))
}

/// Evaluates code: the value as JSON. Secrets are redacted, unless the option reveal is true.
///
/// `language` is "puppet", "hcl" or "unfurl". `node` is NULL, or the node for lookups in the code. The code of unfurl
/// is JSON: a string or an object.
///
/// `options` is NULL or a JSON object: facts (an object, without a node), variables (an object), tree (for unfurl: the
/// data of the expression), folder (for unfurl: the folder of relative paths), limits, timeout, reveal, and without a node the
/// permissions of hieratic_environment_open.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_eval(
    node: *const Node,
    language: *const c_char,
    code: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (node, language, code) = unsafe { (node_or_null(node), text("language", language)?, text("code", code)?) };
        // SAFETY: the contract of this function requires the same.
        let options = Options::parse(unsafe { text_or_null("options", options) }?, EVAL)?;
        let (subject, redactor) = subject(node, &options)?;
        if options.value("tree").is_some() && language != "unfurl" {
            return Err(Failure::argument("the option 'tree' requires the language unfurl", "leave it out"));
        }
        let value = match language {
            "puppet" => subject.puppet(code)?,
            "hcl" => subject.hcl(code.to_owned())?,
            "unfurl" => {
                let expression = crate::options::data("code", code)?;
                let tree = options.value("tree").cloned().unwrap_or(Value::Undef);
                subject.unfurl(&expression, &tree, options.folder()?)?
            }
            other => {
                let message = format!("unknown language '{other}'");
                return Err(Failure::argument(message, "the languages are puppet, hcl and unfurl"));
            }
        };
        into_c_json(&redactor.value(&value))
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// Renders a template: its output, which is not JSON. Secrets are redacted, unless the option reveal is true; an output
/// that depends on a Sensitive value is redacted as a whole.
///
/// `language` is "epp", "erb", "jinja2" or "hcl". `node` is NULL, or the node for lookups in the template.
///
/// `options` is NULL or a JSON object: facts (an object, without a node), variables (an object), name (of the template,
/// in messages), folder (of relative paths), reveal, and without a node the permissions of hieratic_environment_open.
///
/// Free the result with hieratic_string_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `node` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_render(
    node: *const Node,
    language: *const c_char,
    template: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut c_char {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (node, language) = unsafe { (node_or_null(node), text("language", language)?) };
        // SAFETY: the contract of this function requires the same.
        let (template, options) = unsafe { (text("template", template)?, text_or_null("options", options)?) };
        let options = Options::parse(options, RENDER)?;
        let (subject, redactor) = subject(node, &options)?;
        let language = language
            .parse::<TemplateLanguage>()
            .map_err(|message| Failure::argument(message, "the languages are epp, erb, jinja2 and hcl"))?;
        let source = Source::new(options.text("name")?.unwrap_or("template").to_owned(), template.to_owned());
        let rendered = subject.render(&source, language, options.folder()?)?;
        match rendered.secret && !redactor.reveals() {
            true => into_c_string(REDACTED.to_owned()),
            false => into_c_string(redactor.text(&rendered.text).into_owned()),
        }
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}
