//! [`Scope`]: the variables of a part of code, with the known types and values.

use std::cell::RefCell;

use hieratic::value::collections::HashMap;
use hieratic_puppet_syntax::ast::{Expr, Parameter};

use crate::assignments::{Set, Straight};
use crate::types::Inferred;

/// The kind of code that a scope belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Top,
    Class,
    Define,
    Function,
    Node,
    Template,
    Block,
}

/// A part of code with its own variables.
pub(crate) struct Scope<'t> {
    pub(crate) place: Place,
    pub(crate) parameters: &'t [Parameter],
    pub(crate) code: Straight<'t>,
    /// The positions of assignments, by name.
    by_name: HashMap<&'t str, Vec<usize>>,
    /// The types of the values that the call of a block passes to its parameters.
    pub(crate) passed: Vec<Inferred>,
    /// The types of variables, as far as they were needed; `None` while one is inferred.
    pub(crate) known: RefCell<HashMap<&'t str, Option<Inferred>>>,
}

impl<'t> Scope<'t> {
    pub(crate) fn new(place: Place, parameters: &'t [Parameter], body: &'t Expr) -> Scope<'t> {
        let code = Straight::from_body(body);
        let mut by_name: HashMap<&'t str, Vec<usize>> = HashMap::default();
        for (index, set) in code.sets.iter().enumerate() {
            by_name.entry(set.name).or_default().push(index);
        }
        Scope { place, parameters, code, by_name, passed: Vec::new(), known: RefCell::default() }
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&'t Parameter> {
        self.parameters.iter().find(|one| &*one.name == name)
    }

    /// Everything that sets a variable.
    pub(crate) fn sets(&self, name: &str) -> impl Iterator<Item = &Set<'t>> {
        self.by_name.get(name).into_iter().flatten().filter_map(|index| self.code.sets.get(*index))
    }

    /// The variables that are set, each once.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.by_name.keys().copied()
    }
}
