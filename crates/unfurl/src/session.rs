//! [`Session`]: one evaluation, with its caches and its nesting depth.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use hieratic_diagnostics::{Source, Span};
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Str};

use crate::ExpressionError;
use crate::datum::Datum;
use crate::lazy::LazyMap;
use crate::path::Path;
use crate::scope::{Scope, Variable, Vars};
use crate::shared::Shared;
use crate::stack;
use crate::tree::{InstanceId, Tree};

/// The state of one evaluation.
pub(crate) struct Session {
    /// The session itself: templates keep values that refer to their evaluator.
    own: Weak<Session>,
    pub(crate) shared: Arc<Shared>,
    /// The attributes of each instance, created on first use.
    attributes: Box<[OnceLock<Datum>]>,
    /// The parsed paths, by their source.
    paths: Mutex<HashMap<Str, Arc<Path>>>,
    /// All tables of variables: their values may refer back to them, so they are cleared at the end.
    vars: Mutex<Vec<Weak<Vars>>>,
    depth: AtomicUsize,
    /// The properties that were checked against their definitions, or are being checked: those have no value yet.
    checks: Mutex<HashMap<(InstanceId, Str), Option<Datum>>>,
    /// The number of times that a template has seen a secret.
    secrets: AtomicU64,
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>) -> Arc<Session> {
        let attributes = (0..shared.tree.len()).map(|_| OnceLock::new()).collect();
        Arc::new_cyclic(|own| Session {
            own: own.clone(),
            shared,
            attributes,
            paths: Mutex::default(),
            vars: Mutex::default(),
            depth: AtomicUsize::new(0),
            checks: Mutex::default(),
            secrets: AtomicU64::new(0),
        })
    }

    /// Returns a reference to the session for lazy values.
    pub(crate) fn own(&self) -> Result<Arc<Session>, ExpressionError> {
        // A session is always in an `Arc`, so this never fails.
        self.own.upgrade().ok_or_else(|| ExpressionError::new("the evaluation is over"))
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.shared.tree
    }

    /// Keeps variables to empty them at the end.
    pub(crate) fn keep(&self, vars: Vars) -> Arc<Vars> {
        let vars = Arc::new(vars);
        self.vars.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&vars));
        vars
    }

    /// Returns the attributes of an instance, which are evaluated on first use. They do not see the variables of their
    /// user.
    pub(crate) fn attributes(&self, id: InstanceId) -> Datum {
        let Some(cell) = self.attributes.get(id) else { return Datum::NULL };
        let make = || {
            let vars = self.keep(Vars::new(self.topology()));
            LazyMap::open(self.tree().node(id).attributes.clone(), Scope::new(id, vars, true), true)
        };
        cell.get_or_init(make).clone()
    }

    /// The variables that attributes see: `NODES`, `ROOT`, `TOPOLOGY`.
    fn topology(&self) -> Vec<(Str, Variable)> {
        let root = &self.tree().node(0).attributes;
        let given = |name: &str| root.get(name).map(|value| (name.to_owned(), value.clone()));
        let root: Hash = match (given("inputs"), given("outputs")) {
            (Some(inputs), Some(outputs)) => [inputs, outputs].into_iter().collect(),
            _ => Hash::default(),
        };
        let root = Variable::Open(Datum::raw(root));
        vec![("NODES".into(), Variable::Known(Datum::Nodes)), ("ROOT".into(), root.clone()), ("TOPOLOGY".into(), root)]
    }

    /// Parses a string as a path, once.
    pub(crate) fn path(&self, text: &Str) -> Result<Arc<Path>, ExpressionError> {
        let known = self.paths.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
        if let Some(path) = known {
            return Ok(path);
        }
        let source = Source::new("", text.clone());
        let path = Arc::new(Path::parse(&source, Span::new(0, text.len()))?);
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone(), path.clone());
        Ok(path)
    }

    /// Does something one level deeper.
    pub(crate) fn deeper<T>(&self, work: impl FnOnce() -> Result<T, ExpressionError>) -> Result<T, ExpressionError> {
        self.shared.step()?;
        let depth = self.depth.fetch_add(1, Ordering::Relaxed);
        if let Err(limit) = self.shared.budget.depth(depth + 1) {
            self.depth.fetch_sub(1, Ordering::Relaxed);
            return Err(ExpressionError::exhausted(limit).help("an attribute or variable may refer to itself"));
        }
        let done = stack::grow(work);
        self.depth.fetch_sub(1, Ordering::Relaxed);
        done
    }

    /// Begins the check of a property; `None` if it is being checked.
    pub(crate) fn begin_check(&self, id: InstanceId, name: &str) -> Option<PropertyCheck<'_>> {
        let mut checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (id, Str::from(name));
        let known = match checks.get(&key) {
            Some(None) => return None,
            Some(known) => known.clone(),
            None => {
                checks.insert(key.clone(), None);
                None
            }
        };
        Some(PropertyCheck { session: self, key, known })
    }

    /// Records that a template sees a secret.
    pub(crate) fn secret_shown(&self) {
        self.secrets.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of times that templates have seen secrets.
    pub(crate) fn secrets(&self) -> u64 {
        self.secrets.load(Ordering::Relaxed)
    }

    /// Clears all variables, so that circular values are freed.
    pub(crate) fn end(&self) {
        let checked = std::mem::take(&mut *self.checks.lock().unwrap_or_else(PoisonError::into_inner));
        drop(checked);
        let all = std::mem::take(&mut *self.vars.lock().unwrap_or_else(PoisonError::into_inner));
        for vars in all.iter().filter_map(Weak::upgrade) {
            // Taken out first: dropping a value may ask for other variables.
            let table = std::mem::take(&mut *vars.lock());
            drop(table);
        }
    }
}

/// The check of a property against its definition, which is open until it is dropped.
pub(crate) struct PropertyCheck<'s> {
    session: &'s Session,
    key: (InstanceId, Str),
    known: Option<Datum>,
}

impl PropertyCheck<'_> {
    /// The value of the property, if it was checked before.
    pub(crate) fn known(&self) -> Option<Datum> {
        self.known.clone()
    }

    /// Keeps the value of the property.
    pub(crate) fn keep(mut self, value: Datum) {
        self.known = Some(value);
    }
}

impl Drop for PropertyCheck<'_> {
    fn drop(&mut self) {
        let mut checks = self.session.checks.lock().unwrap_or_else(PoisonError::into_inner);
        match self.known.take() {
            Some(known) => _ = checks.insert(self.key.clone(), Some(known)),
            None => _ = checks.remove(&self.key),
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Session").finish_non_exhaustive()
    }
}
