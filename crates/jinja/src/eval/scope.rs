//! [`Scope`]: variables.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::Value;

use crate::objects::{Dict, Entries, List, Tuple};
use crate::python::kind::invalid;
use crate::python::{Budget, Result};

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

/// The variables of a place in a template. Most loops and blocks have variables that nobody holds once they end: those are kept in
/// one list, and become a [`Scope`] only for who wants to keep it.
#[derive(Debug)]
pub struct Locals {
    /// The innermost scope that others may hold.
    scope: RefCell<Arc<Scope>>,
    /// What is inside of it.
    loose: RefCell<Loose>,
}

/// Variables of levels that are no scopes yet.
#[derive(Debug, Default)]
struct Loose {
    variables: Vec<(Arc<str>, Value)>,
    /// Where the variables of each level begin.
    levels: Vec<usize>,
}

/// Whether two names are one. A template keeps each of its names once.
fn is_same(one: &Arc<str>, other: &Arc<str>) -> bool {
    Arc::ptr_eq(one, other) || **one == **other
}

/// How many variables and levels are looked through one by one, before they become scopes.
const LOOSE: usize = 2 * FEW;

impl Locals {
    /// The variables of a scope.
    pub fn of(scope: Arc<Scope>) -> Locals {
        Locals { scope: RefCell::new(scope), loose: RefCell::default() }
    }

    /// Variables inside of a scope.
    pub fn inside(scope: Arc<Scope>) -> Locals {
        let locals = Locals::of(scope);
        locals.enter();
        locals
    }

    /// Begins variables of their own; every level that is begun is ended.
    pub fn enter(&self) {
        if self.loose.borrow().levels.len() >= LOOSE {
            self.share();
        }
        let mut loose = self.loose.borrow_mut();
        let start = loose.variables.len();
        loose.levels.push(start);
    }

    /// Ends them.
    pub fn leave(&self) {
        let mut loose = self.loose.borrow_mut();
        match loose.levels.pop() {
            Some(start) => loose.variables.truncate(start),
            // It has become a scope.
            None => {
                let parent = self.scope.borrow().parent.clone();
                if let Some(parent) = parent {
                    self.scope.replace(parent);
                }
            }
        }
    }

    /// Ends the variables of the innermost level, and begins anew with this one.
    pub fn restart(&self, name: &Arc<str>, value: Value) {
        let mut loose = self.loose.borrow_mut();
        let Loose { variables, levels } = &mut *loose;
        let Some(start) = levels.last().copied() else {
            drop(loose);
            self.leave();
            self.enter();
            return self.set(name, value);
        };
        // Where they began with it before, it only has another value.
        match variables.get_mut(start) {
            Some((known, before)) if Arc::ptr_eq(known, name) => {
                *before = value;
                variables.truncate(start + 1);
            }
            _ => {
                variables.truncate(start);
                variables.push((name.clone(), value));
            }
        }
    }

    /// The value of a variable that is a small integer of a level that nobody else holds: what loops count with.
    pub fn small(&self, name: &Arc<str>) -> Option<i64> {
        let loose = self.loose.borrow();
        let found = loose.variables.iter().rev().find(|(known, _)| is_same(known, name));
        found.and_then(|(_, value)| crate::python::kind::small(value))
    }

    /// The value of a variable.
    pub fn get(&self, name: &Arc<str>) -> Result<Option<Value>> {
        match self.loose.borrow().variables.iter().rev().find(|(known, _)| is_same(known, name)) {
            Some((_, value)) => Ok(Some(value.clone())),
            None => self.scope.borrow().get(name),
        }
    }

    /// Sets a variable of the innermost level.
    pub fn set(&self, name: &Arc<str>, value: Value) {
        let mut loose = self.loose.borrow_mut();
        let Some(start) = loose.levels.last().copied() else {
            return self.scope.borrow().set(name, value);
        };
        let known = loose.variables.iter_mut().skip(start).find(|(known, _)| is_same(known, name));
        match known {
            Some((_, before)) => *before = value,
            None => {
                loose.variables.push((name.clone(), value));
                if loose.variables.len() > LOOSE {
                    drop(loose);
                    self.share();
                }
            }
        }
    }

    /// All variables as a scope that can be kept.
    pub fn share(&self) -> Arc<Scope> {
        let Loose { mut variables, levels } = self.loose.take();
        let mut parts: Vec<Vec<(Arc<str>, Value)>> =
            levels.iter().rev().map(|start| variables.split_off(*start)).collect();
        while let Some(part) = parts.pop() {
            let inner = Scope::child(&self.scope.borrow());
            part.into_iter().for_each(|(name, value)| inner.set(&name, value));
            self.scope.replace(inner);
        }
        self.scope.borrow().clone()
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
