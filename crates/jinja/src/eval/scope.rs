//! [`Scope`]: variables.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::Value;

use crate::error::Result;
use crate::objects::{Dict, Entries, List, Tuple};
use crate::python::Budget;
use crate::python::kind::invalid;

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
    /// What was given to the template, which is only read.
    given: Option<Value>,
    /// Whether what was given is copied when it is read, because the template may change it.
    copies: bool,
}

impl Scope {
    /// A scope with nothing around it.
    pub fn root(given: Option<Value>, copies: bool) -> Arc<Scope> {
        Arc::new(Scope { variables: Mutex::default(), parent: None, given, copies })
    }

    /// A scope inside another one.
    pub fn child(parent: &Arc<Scope>) -> Arc<Scope> {
        let (parent, copies) = (Some(parent.clone()), parent.copies);
        Arc::new(Scope { variables: Mutex::default(), parent, given: None, copies })
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Result<Option<Value>> {
        let mut scope = self;
        loop {
            if let Some(value) = scope.variables.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
                return Ok(Some(value.clone()));
            }
            if let Some(given) = &scope.given {
                let value = given.as_object().and_then(|object| object.get_value_by_str(name));
                match value.filter(|value| !value.is_undefined()) {
                    Some(value) if value.kind() == minijinja::value::ValueKind::Invalid => return Err(invalid(&value)),
                    Some(value) => {
                        return Ok(Some(if self.copies { copied(&value, 100, &Budget::new())? } else { value }));
                    }
                    None => {}
                }
            }
            match &scope.parent {
                Some(parent) => scope = parent,
                None => return Ok(None),
            }
        }
    }

    /// Whether what is read is the same each time it is read.
    pub fn is_steady(&self) -> bool {
        !self.copies
    }

    /// Sets a variable here.
    pub fn set(&self, name: &Arc<str>, value: Value) {
        // What was there before is dropped when nothing is locked any more.
        let _before = self.variables.lock().unwrap_or_else(PoisonError::into_inner).set(name, value);
    }

    /// The variables that were set here.
    pub fn own(&self) -> Entries {
        let variables = self.variables.lock().unwrap_or_else(PoisonError::into_inner);
        variables.all.iter().map(|(name, value)| (Value::from(&**name), value.clone())).collect()
    }

    /// The names of all variables that can be seen.
    pub fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let mut scope = Some(self);
        while let Some(here) = scope {
            names.extend(here.own().keys().filter_map(|name| name.as_str().map(str::to_string)));
            if let Some(given) = &here.given {
                let given = crate::python::iterate(given)?;
                names.extend(given.iter().filter_map(|name| name.as_str().map(str::to_string)));
            }
            scope = here.parent.as_deref();
        }
        Ok(names)
    }

    /// Forgets all variables, which may hold the scope itself.
    pub fn clear(&self) {
        let _before = std::mem::take(&mut *self.variables.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A copy of lists and dictionaries, so that changes stay with who makes them. What is deeper than anybody changes is
/// shared.
fn copied(value: &Value, depth: usize, budget: &Budget) -> Result<Value> {
    budget.step()?;
    let Some(depth) = depth.checked_sub(1) else {
        return Ok(value.clone());
    };
    let copy = |item: &Value| copied(item, depth, budget);
    if let Some(list) = value.downcast_object_ref::<List>() {
        return list.read().iter().map(copy).collect::<Result<_>>().map(List::value);
    }
    if let Some(dict) = value.downcast_object_ref::<Dict>() {
        let entries = dict.read().iter().map(|(key, item)| Ok((key.clone(), copy(item)?))).collect::<Result<_>>();
        return entries.map(Dict::value);
    }
    if let Some(tuple) = value.downcast_object_ref::<Tuple>() {
        return tuple.items().iter().map(copy).collect::<Result<_>>().map(Tuple::value);
    }
    Ok(value.clone())
}
