//! The levels of configurations, whose strings are interpolated like those of data, but with variables only.

use hieratic_budget::Budget;
use hieratic_value::{Str, Value};

use super::evaluator::Evaluator;
use super::mode::Plain;
use super::request::{LookupRequest, VariableRules};
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

impl Interpolated<'_> {
    /// Evaluates a part of a configuration, and logs its warnings.
    fn evaluate<T>(
        &self,
        are_lenient: bool,
        local: Option<(Str, Value)>,
        step: impl FnOnce(&mut Evaluator<'_, Plain>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let request = LookupRequest::for_hierarchy(self.budget, VariableRules { are_lenient, local });
        let mut evaluator = Evaluator::new(self.node, Plain, &request);
        let outcome = step(&mut evaluator);
        evaluator.log_warnings(ValueContext::default());
        outcome
    }
}

impl Interpolator for Interpolated<'_> {
    fn text(&self, text: &Text, tolerant: bool, local: Option<(Str, Value)>) -> Result<String, Error> {
        let value = self.evaluate(tolerant, local, |evaluator| {
            evaluator.text(text, Functions::Forbidden, ValueContext::default())
        })?;
        Ok(value.to_text())
    }

    fn variable(&self, name: &Str, tolerant: bool) -> Result<Value, Error> {
        self.evaluate(tolerant, None, |evaluator| evaluator.variable(&Variable::parse(name), "mapped_path[0]"))
    }
}
