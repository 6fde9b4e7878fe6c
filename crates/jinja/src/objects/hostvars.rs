//! The value of `hostvars`: the variables of all hosts, each rendered in the context of its host.

use std::fmt;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

use crate::error::error;

/// The hosts of `hostvars`. The variables of a host are read on their first use.
#[derive(Clone, Default)]
pub struct Hosts(Option<Arc<HostTable>>);

/// Reads the variables of a host, or returns an error message.
type ReadHost = dyn Fn(&str) -> Result<Value, String> + Send + Sync;

struct HostTable {
    hosts: IndexMap<String, OnceLock<Result<Value, String>>>,
    /// The host that Ansible adds if a template asks for one of the names in [`LOCALHOST`] and the inventory has none.
    implicit: OnceLock<Result<Value, String>>,
    read: Box<ReadHost>,
}

/// The names of the machine that runs Ansible: <https://docs.ansible.com/ansible/latest/inventory/implicit_localhost.html>.
const LOCALHOST: [&str; 3] = ["127.0.0.1", "localhost", "::1"];

impl HostTable {
    /// Returns the variables of a host, or `None` if there is no such host.
    fn variables(&self, name: &str) -> Option<&Result<Value, String>> {
        if let Some((name, variables)) = self.hosts.get_key_value(name) {
            return Some(variables.get_or_init(|| (self.read)(name)));
        }
        let name = LOCALHOST.into_iter().find(|known| *known == name)?;
        match LOCALHOST.into_iter().find_map(|known| self.hosts.get_key_value(known)) {
            Some((name, variables)) => Some(variables.get_or_init(|| (self.read)(name))),
            None => Some(self.implicit.get_or_init(|| (self.read)(name))),
        }
    }
}

impl Hosts {
    /// Creates the hosts of these names. The function reads the variables of one, or returns an error message.
    pub(crate) fn new(
        names: impl IntoIterator<Item = String>,
        read: impl Fn(&str) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Hosts {
        let hosts = names.into_iter().map(|name| (name, OnceLock::new())).collect();
        Hosts(Some(Arc::new(HostTable { hosts, implicit: OnceLock::new(), read: Box::new(read) })))
    }

    /// Returns whether there is an inventory. It may only have the implicit `localhost`.
    pub fn are_known(&self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Hosts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.0.iter().flat_map(|known| known.hosts.keys())).finish()
    }
}

/// The value of `hostvars` in templates.
#[derive(Debug)]
pub struct HostVars(pub Hosts);

impl HostVars {
    fn names(&self) -> impl Iterator<Item = &String> {
        self.0.0.iter().flat_map(|known| known.hosts.keys())
    }
}

impl Object for HostVars {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let known = self.0.0.as_ref()?;
        let name = key.as_str()?;
        Some(match known.variables(name)? {
            Ok(variables) => Value::from_object(HostVariables(variables.clone())),
            Err(reason) => Value::from(error(format!("the variables of the host '{name}' cannot be read: {reason}"))),
        })
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.names().map(|name| Value::from(name.as_str())).collect())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.names().count())
    }
}

/// The input variables of a host. The renderer renders each on its first use.
#[derive(Debug)]
pub struct HostVariables(pub Value);

impl Object for HostVariables {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.0.as_object().and_then(|variables| variables.get_value(key))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.0.as_object().map_or(Enumerator::Empty, |variables| variables.enumerate())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        self.0.as_object().and_then(|variables| variables.enumerator_len())
    }
}
