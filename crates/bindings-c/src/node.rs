//! [`Node`]: a machine's view of an environment.

use std::ffi::c_char;
use std::sync::Arc;

use engine::Facts;
use engine::facts::node_of_facts;

use crate::environment::{Environment, OpenEnvironment};
use crate::failure::Failure;
use crate::ffi::{free_handle, handle, into_handle, run_storing_error, text_or_null};
use crate::options::{Options, object};

/// A machine's view of an environment. It sees files as they were when it first needed them: open a new one to see what changed since.
/// Threads may use it at the same time.
#[derive(Debug)]
pub struct Node {
    pub(crate) opened: Arc<OpenEnvironment>,
    pub(crate) node: engine::Node,
    pub(crate) facts: Facts,
}

/// The node of something that can do without one.
///
/// # Safety
/// `node` is NULL or not freed.
pub(crate) unsafe fn node_or_null<'n>(node: *const Node) -> Option<&'n Node> {
    // SAFETY: the contract of this function requires the same.
    unsafe { node.as_ref() }
}

/// Opens a node.
///
/// `name` is NULL if a fact contains the name (clientcert, networking.fqdn or fqdn). `facts` is NULL or a JSON object.
/// `options` is NULL or a JSON object: trusted (an object) and variables (an object: top-scope variables).
///
/// Free the result with hieratic_node_free. NULL means failure: then `*error` is an error to free, unless `error` is
/// NULL.
///
/// # Safety
/// `environment` is NULL or not freed; strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_node_open(
    environment: *const Environment,
    name: *const c_char,
    facts: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut Node {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let environment = unsafe { handle("environment", environment) }?;
        // SAFETY: the contract of this function requires the same.
        let (name, facts) = unsafe { (text_or_null("name", name)?, text_or_null("facts", facts)?) };
        // SAFETY: the contract of this function requires the same.
        let options = Options::parse(unsafe { text_or_null("options", options) }?, &["trusted", "variables"])?;
        let opened = environment.0.clone();
        let mut facts = match (facts, name) {
            (Some(facts), name) => {
                let facts = object("facts", facts)?;
                let own = node_of_facts(&facts);
                Facts::new(name.or(own.as_deref()), facts)
            }
            (None, Some(name)) => Facts::named_for(name, opened.environment.puppet_version()),
            (None, None) => Facts::default(),
        };
        if let Some(trusted) = options.object("trusted")? {
            facts.set_trusted(trusted.clone());
        }
        options.set_variables(&mut facts)?;
        let node = opened.environment.node(&facts).map_err(|error| opened.failure(&error))?;
        Ok(into_handle(Node { opened, node, facts }))
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// Frees a node. NULL is allowed.
///
/// # Safety
/// `node` is NULL, or a node that was not freed and that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_node_free(node: *mut Node) {
    // SAFETY: the contract of this function requires the same.
    unsafe { free_handle(node) }
}
