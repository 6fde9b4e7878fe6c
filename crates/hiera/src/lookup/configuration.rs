//! The levels of configurations, whose strings are interpolated like those of data, but with variables only.

use hieratic_budget::Budget;
use hieratic_value::{Str, Value};

use super::evaluator::Evaluator;
use super::mode::Plain;
use crate::Error;
use crate::datum::ValueContext;
use crate::node::{Interpolator, Levels, Node, Provider};
use crate::template::{Functions, Text};
use crate::variable::Variable;

impl Node {
    /// The levels that a provider's configuration resolves to for this node.
    pub(crate) fn levels<'a>(&'a self, provider: &'a Provider, budget: &Budget) -> Result<&'a Levels, Error> {
        match provider.levels.get() {
            Some(known) => known.as_ref().map_err(Error::clone),
            None => self.resolve_levels(provider, &Interpolated { node: self, budget }, budget),
        }
    }
}

/// Interpolates the strings of a configuration for a node.
struct Interpolated<'n> {
    node: &'n Node,
    budget: &'n Budget,
}

impl<'n> Interpolated<'n> {
    fn evaluator(&self, tolerant: bool, local: Option<(Str, Value)>) -> Evaluator<'n, Plain> {
        Evaluator { lenient_variables: tolerant, local, ..Evaluator::new(self.node, Plain, false, self.budget) }
    }
}

impl Interpolator for Interpolated<'_> {
    fn text(&self, text: &Text, tolerant: bool, local: Option<(Str, Value)>) -> Result<String, Error> {
        let mut evaluator = self.evaluator(tolerant, local);
        let value = evaluator.text(text, Functions::Forbidden, ValueContext::default());
        evaluator.log_warnings(ValueContext::default());
        Ok(value?.to_text())
    }

    fn variable(&self, name: &Str, tolerant: bool) -> Result<Value, Error> {
        let mut evaluator = self.evaluator(tolerant, None);
        let value = evaluator.variable(&Variable::parse(name), "mapped_path[0]");
        evaluator.log_warnings(ValueContext::default());
        value
    }
}
