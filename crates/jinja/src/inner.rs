//! [`Inner`]: what an engine knows.

use std::collections::HashMap;

use minijinja::value::Kwargs;
use minijinja::{Error, State, Value};

use crate::files::Reach;
use crate::host::Function;
use crate::parts::Parts;
use crate::{Options, functions};

/// What an engine knows, apart from what is registered with minijinja.
pub struct Inner {
    /// What templates may do.
    pub options: Options,
    /// The filters of Jinja2 and Ansible.
    pub filters: &'static HashMap<&'static str, Function>,
    /// Their tests.
    pub tests: &'static HashMap<&'static str, Function>,
    /// The lookups that others added.
    pub lookups: HashMap<String, Lookup>,
    /// Who learns what was made of which values.
    pub witness: Option<Box<Witness>>,
    /// The templates that others named.
    pub parts: Parts,
}

impl Inner {
    /// What Jinja2 or Ansible has under the name of a filter.
    pub fn filter(&self, name: &str) -> Option<Function> {
        self.filters.get(plain_name(name)).copied()
    }

    /// What one of them has under the name of a test.
    pub fn test(&self, name: &str) -> Option<Function> {
        self.tests.get(plain_name(name)).copied()
    }

    /// The files that templates may look at.
    pub fn files(&self) -> Reach<'_> {
        Reach(&self.options)
    }

    /// An environment variable.
    pub fn env(&self, name: &str) -> Option<String> {
        self.options.env.get(name).cloned()
    }

    /// A function that every template has.
    pub fn global(&self, name: &str) -> Option<Value> {
        functions::global(name, self.options.extensions)
    }
}

/// A lookup that others added.
type Lookup = Box<dyn Fn(&State<'_, '_>, &[Value], &Kwargs) -> Result<Vec<Value>, Error> + Send + Sync>;

/// Learns what was made of which values.
pub type Witness = dyn Fn(&[Value], &Value) + Send + Sync;

/// The name without the collection that all of Ansible's own things are in.
pub fn plain_name(name: &str) -> &str {
    name.strip_prefix("ansible.builtin.").or_else(|| name.strip_prefix("ansible.legacy.")).unwrap_or(name)
}
