//! What `hostvars` is: the variables of all hosts, each rendered as its host sees it.

use std::sync::Arc;

use indexmap::IndexMap;
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// The hosts with their variables, as they were given.
#[derive(Debug)]
pub struct HostVars(pub IndexMap<String, Value>);

impl Object for HostVars {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let variables = self.0.get(key.as_str()?)?;
        Some(Value::from_object(HostVariables(variables.clone())))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.0.keys().map(|name| Value::from(name.as_str())).collect())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The variables of a host, as they were given. The renderer renders each when it is asked for.
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
