//! [`Scope`]: variables.

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
    /// Where each is, if there are many.
    places: HashMap<Arc<str>, usize>,
}

/// How many variables are few.
const FEW: usize = 12;

impl Variables {
    fn place(&self, name: &str) -> Option<usize> {
        match self.places.is_empty() {
            true => self.all.iter().position(|(known, _)| **known == *name),
            false => self.places.get(name).copied(),
        }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.all.get(self.place(name)?).map(|(_, value)| value)
    }

    /// Sets a variable; its value before.
    fn set(&mut self, name: &Arc<str>, value: Value) -> Option<Value> {
        if let Some((_, before)) = self.place(name).and_then(|place| self.all.get_mut(place)) {
            return Some(std::mem::replace(before, value));
        }
        self.all.push((name.clone(), value));
        if !self.places.is_empty() {
            self.places.insert(name.clone(), self.all.len() - 1);
        } else if self.all.len() > FEW {
            self.places = self.all.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)).collect();
        }
        None
    }
}

/// Variables, and those around them.
#[derive(Debug)]
pub struct Scope {
    variables: Mutex<Variables>,
    parent: Option<Arc<Scope>>,
    /// Whether the variables that were given to the rendering are seen here.
    sees_given: bool,
    /// What begins here, if a template or a block does: what is given is looked for anew.
    begins: Option<Arc<Unit>>,
    /// Copies of what was given, as far as they were looked at.
    copies: Mutex<Variables>,
}

/// What a name stands for.
#[derive(Debug)]
pub enum Found {
    /// A variable that the template set.
    Set(Value),
    /// What the rendering was given, if it was given anything of the name.
    Given,
    /// Nothing.
    Nothing,
}

impl Scope {
    /// A scope with nothing around it.
    pub fn root(sees_given: bool, unit: &Arc<Unit>) -> Arc<Scope> {
        Arc::new(Scope::new(None, sees_given, Some(unit.clone())))
    }

    /// A scope inside another one.
    pub fn child(parent: &Arc<Scope>) -> Arc<Scope> {
        Arc::new(Scope::new(Some(parent.clone()), false, None))
    }

    /// A scope for a template or block, with what it sees of others around it.
    pub fn beginning(parent: &Arc<Scope>, unit: &Arc<Unit>) -> Arc<Scope> {
        Arc::new(Scope::new(Some(parent.clone()), false, Some(unit.clone())))
    }

    fn new(parent: Option<Arc<Scope>>, sees_given: bool, begins: Option<Arc<Unit>>) -> Scope {
        Scope { variables: Mutex::default(), parent, sees_given, begins, copies: Mutex::default() }
    }

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Found {
        let mut scope = self;
        loop {
            if let Some(value) = locked(&scope.variables).get(name) {
                return Found::Set(value.clone());
            }
            match &scope.parent {
                _ if scope.sees_given => return Found::Given,
                Some(parent) => scope = parent,
                None => return Found::Nothing,
            }
        }
    }

    /// The copy of a variable that was given, as it is here: made once for each template or block where that names the variable itself,
    /// otherwise kept here, if the caller does not keep it.
    pub fn copy_of(&self, name: &str, keeps: bool, make: impl FnOnce() -> Value) -> Value {
        let mut holder = keeps.then_some(self);
        let mut scope = self;
        loop {
            if let Some(copy) = locked(&scope.copies).get(name) {
                return copy.clone();
            }
            if let Some(unit) = &scope.begins {
                if unit.names.iter().any(|known| **known == *name) {
                    holder = Some(scope);
                }
                break;
            }
            match &scope.parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        let copy = make();
        if let Some(holder) = holder {
            locked(&holder.copies).set(&name.into(), copy.clone());
        }
        copy
    }

    /// Sets a variable here.
    pub fn set(&self, name: &Arc<str>, value: Value) {
        // What was there before is dropped when nothing is locked any more.
        let _before = locked(&self.variables).set(name, value);
    }

    /// The variables that were set here.
    pub fn own(&self) -> Entries {
        let variables = locked(&self.variables);
        variables.all.iter().map(|(name, value)| (Value::from(&**name), value.clone())).collect()
    }

    /// The names of all variables that can be seen, among them those of what was given.
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

    /// Forgets all variables, which may hold the scope itself.
    pub fn clear(&self) {
        let _before = (std::mem::take(&mut *locked(&self.variables)), std::mem::take(&mut *locked(&self.copies)));
    }
}

/// Nothing panics while it holds the lock.
fn locked(variables: &Mutex<Variables>) -> MutexGuard<'_, Variables> {
    variables.lock().unwrap_or_else(PoisonError::into_inner)
}
