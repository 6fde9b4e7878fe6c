//! The functions that need scopes, the catalog, data or templates.
//!
//! They are declared like all functions, but receive the evaluator.

mod catalog;
mod data;
pub(crate) mod lookup_context;
mod templates;

use std::sync::LazyLock;

use hieratic_puppet_functions::{Block, Dispatch, Doc, EvalError, Function, LoadedFunction, Outcome};
use hieratic_value::Value;
use hieratic_value::collections::HashMap;

use crate::evaluator::Evaluator;

/// A function that receives the evaluator.
pub(crate) struct Builtin {
    /// The name, the documentation and the parameters; its implementations are never run.
    declared: Function,
    /// The implementations of the dispatches, in their order.
    run: &'static [Run],
}

/// The implementation of a function.
type Run = fn(&mut Evaluator<'_>, &[Value], Option<&Block>) -> Outcome;

impl Builtin {
    const fn new(name: &'static str, doc: Doc, dispatches: &'static [Dispatch], run: &'static [Run]) -> Builtin {
        Builtin { declared: Function::new(name, doc, dispatches), run }
    }
}

/// A function of a table.
pub(crate) struct LoadedBuiltin {
    declared: LoadedFunction,
    run: &'static [Run],
}

impl LoadedBuiltin {
    fn new(builtin: &Builtin) -> LoadedBuiltin {
        LoadedBuiltin { declared: LoadedFunction::new(&builtin.declared), run: builtin.run }
    }

    /// Returns the name, the documentation and the parameters.
    pub fn declared(&'static self) -> &'static LoadedFunction {
        &self.declared
    }

    pub fn call(&self, evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
        let chosen = self.declared.choose(evaluator.options.version, arguments, block)?;
        match self.run.get(chosen) {
            Some(run) => run(evaluator, arguments, block),
            None => Err(EvalError::new(format!("'{}' cannot be called so", self.declared.name)).into()),
        }
    }
}

/// The parameters of one way to call a function.
const fn on(parameters: &'static [&'static str]) -> Dispatch {
    Dispatch::new(parameters, |_| {
        Err(hieratic_puppet_functions::Flow::Break(hieratic_puppet_functions::Site::default()))
    })
}

/// Returns a function by its name.
pub(crate) fn find(name: &str) -> Option<&'static LoadedBuiltin> {
    static TABLE: LazyLock<HashMap<&'static str, LoadedBuiltin>> =
        LazyLock::new(|| all().map(|one| (one.declared.name, LoadedBuiltin::new(one))).collect());
    TABLE.get(name)
}

/// The names of all.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all().map(|one| one.declared.name)
}

fn all() -> impl Iterator<Item = &'static Builtin> {
    [catalog::FUNCTIONS, data::FUNCTIONS, templates::FUNCTIONS].into_iter().flatten()
}
