//! [`Scope`]: the variables and the current instance of an expression.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hieratic_value::Str;
use hieratic_value::collections::HashMap;

use crate::datum::Datum;
use crate::tree::InstanceId;

/// The surroundings of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The start of relative paths: an instance, or the item of a loop.
    pub(crate) current: Datum,
    /// The last instance on the path; expressions in values start from it.
    pub(crate) last: InstanceId,
    pub(crate) vars: Arc<Vars>,
    /// Whether templates that fail are errors.
    pub(crate) strict: bool,
    /// The map of the current function call, which contains its options.
    pub(crate) call: Datum,
}

impl Scope {
    pub(crate) fn new(instance: InstanceId, vars: Arc<Vars>, strict: bool) -> Scope {
        Scope { current: Datum::Instance(instance), last: instance, vars, strict, call: Datum::NULL }
    }

    /// A scope for an expression inside of this one's: it starts at an instance, with the same variables.
    pub(crate) fn inner(&self) -> Scope {
        let instance = match self.current {
            Datum::Instance(id) => id,
            _ => self.last,
        };
        self.from(instance)
    }

    /// A scope for an expression in a value of an instance.
    pub(crate) fn from(&self, instance: InstanceId) -> Scope {
        Scope::new(instance, self.vars.clone(), self.strict)
    }
}

/// Variables by their names. They are evaluated on first use.
#[derive(Debug, Default)]
pub(crate) struct Vars(Mutex<HashMap<Str, Variable>>);

#[derive(Clone, Debug)]
pub(crate) enum Variable {
    /// The variable is not evaluated yet.
    Open(Datum),
    Known(Datum),
    /// Being evaluated.
    Busy,
}

impl Vars {
    pub(crate) fn new(variables: impl IntoIterator<Item = (Str, Variable)>) -> Vars {
        Vars(Mutex::new(variables.into_iter().collect()))
    }

    /// The variables, some of them replaced.
    pub(crate) fn with(&self, variables: impl IntoIterator<Item = (Str, Variable)>) -> Vars {
        let mut all = self.lock().clone();
        all.extend(variables);
        Vars(Mutex::new(all))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, HashMap<Str, Variable>> {
        // No other code runs while the lock is held, so the table is consistent even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.lock().contains_key(name)
    }
}
