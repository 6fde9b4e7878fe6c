//! [`Scope`]: a scope of variables.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use minijinja::Value;

use crate::error::Result;
use crate::objects::Entries;
use crate::syntax::ast::Unit;

/// Variables by name. Most scopes have few, which are found faster by looking at each.
#[derive(Debug, Default)]
struct Variables {
    all: Vec<(Arc<str>, Value)>,
    /// The index of each variable, if there are many.
    positions: HashMap<Arc<str>, usize>,
}

/// The maximum number of variables for which a linear search is used.
const LINEAR_SEARCH_LIMIT: usize = 12;

impl Variables {
    fn position(&self, name: &str) -> Option<usize> {
        if self.positions.is_empty() {
            self.all.iter().position(|(known, _)| **known == *name)
        } else {
            self.positions.get(name).copied()
        }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.all.get(self.position(name)?).map(|(_, value)| value)
    }

    /// Sets a variable; its value before.
    fn set(&mut self, name: &Arc<str>, value: Value) -> Option<Value> {
        if let Some((_, before)) = self.position(name).and_then(|place| self.all.get_mut(place)) {
            return Some(std::mem::replace(before, value));
        }
        self.all.push((name.clone(), value));
        if !self.positions.is_empty() {
            self.positions.insert(name.clone(), self.all.len() - 1);
        } else if self.all.len() > LINEAR_SEARCH_LIMIT {
            self.positions = self.all.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)).collect();
        }
        None
    }
}

/// A scope of variables, with its outer scopes.
#[derive(Debug)]
pub struct Scope {
    variables: Mutex<Variables>,
    parent: Option<Arc<Scope>>,
    /// Whether the input variables are visible here.
    sees_given: bool,
    /// The template or block whose top scope this is. Its input variables are copied separately.
    begins: Option<Arc<Unit>>,
    /// Whether it is that of a file that another template includes or imports.
    begins_file: bool,
    /// The copies of input variables that were used.
    copies: Mutex<Variables>,
}

/// The binding of a name.
#[derive(Debug)]
pub enum Binding {
    /// A variable that the template set.
    Set(Value),
    /// A variable that the including template set.
    Around(Value),
    /// An input variable, if it exists.
    Input,
    /// The name is not bound.
    Unbound,
}

impl Scope {
    /// Creates a scope without an outer scope.
    pub fn root(sees_given: bool, unit: &Arc<Unit>) -> Arc<Scope> {
        Arc::new(Scope::new(None, sees_given, Some(unit.clone())))
    }

    /// Creates a scope inside another one.
    pub fn child(parent: &Arc<Scope>) -> Arc<Scope> {
        Arc::new(Scope::new(Some(parent.clone()), false, None))
    }

    /// Creates the top scope of a template or block that sees the variables of its parent.
    pub fn beginning(parent: &Arc<Scope>, unit: &Arc<Unit>) -> Arc<Scope> {
        Arc::new(Scope::new(Some(parent.clone()), false, Some(unit.clone())))
    }

    /// Creates the top scope of an included or imported file that sees the variables of its parent.
    pub fn of_file(parent: &Arc<Scope>, unit: &Arc<Unit>) -> Arc<Scope> {
        Arc::new(Scope { begins_file: true, ..Scope::new(Some(parent.clone()), false, Some(unit.clone())) })
    }

    fn new(parent: Option<Arc<Scope>>, sees_given: bool, begins: Option<Arc<Unit>>) -> Scope {
        Scope { variables: Mutex::default(), parent, sees_given, begins, begins_file: false, copies: Mutex::default() }
    }

    /// Resolves a name.
    pub fn find(&self, name: &str) -> Binding {
        let mut scope = self;
        let mut is_around = false;
        loop {
            if let Some(value) = locked(&scope.variables).get(name) {
                let bind = if is_around { Binding::Around } else { Binding::Set };
                return bind(value.clone());
            }
            is_around |= scope.begins_file;
            match &scope.parent {
                _ if scope.sees_given => return Binding::Input,
                Some(parent) => scope = parent,
                None => return Binding::Unbound,
            }
        }
    }

    /// Returns the copy of a variable that is not this scope's own. There is one copy for each template or block that names
    /// the variable itself; otherwise the copy is stored here, unless the caller stores it.
    pub fn copy_of(&self, name: &str, keeps: bool, make: impl FnOnce() -> Result<Value>) -> Result<Value> {
        let mut frame = keeps.then_some(self);
        let mut scope = self;
        loop {
            if let Some(copy) = locked(&scope.copies).get(name) {
                return Ok(copy.clone());
            }
            if let Some(unit) = &scope.begins {
                if unit.names.iter().any(|known| **known == *name) {
                    frame = Some(scope);
                }
                break;
            }
            match &scope.parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        let copy = make()?;
        if let Some(frame) = frame {
            locked(&frame.copies).set(&name.into(), copy.clone());
        }
        Ok(copy)
    }

    /// Sets a variable here.
    pub fn set(&self, name: &Arc<str>, value: Value) {
        // The previous value is dropped after the lock is released.
        let _before = locked(&self.variables).set(name, value);
    }

    /// Returns the variables that were set here.
    pub fn own(&self) -> Entries {
        let variables = locked(&self.variables);
        variables.all.iter().map(|(name, value)| (Value::from(&**name), value.clone())).collect()
    }

    /// Returns the names of all visible variables, including the input variables.
    pub fn names(&self, given: &Value) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let mut scope = Some(self);
        while let Some(here) = scope {
            names.extend(here.own().keys().filter_map(|name| name.as_str().map(str::to_string)));
            if here.sees_given {
                let given = crate::python::iterate(given)?;
                names.extend(given.iter().filter_map(|name| name.as_str().map(str::to_string)));
            }
            scope = here.parent.as_deref();
        }
        Ok(names)
    }

    /// Removes all variables, which may contain the scope itself.
    pub fn clear(&self) {
        let _before = (std::mem::take(&mut *locked(&self.variables)), std::mem::take(&mut *locked(&self.copies)));
    }
}

/// Locks variables. No code panics while it holds the lock.
fn locked(variables: &Mutex<Variables>) -> MutexGuard<'_, Variables> {
    variables.lock().unwrap_or_else(PoisonError::into_inner)
}
