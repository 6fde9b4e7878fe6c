//! Rules about literals: duplicate keys of hashes, and types of parameters.

use std::collections::HashSet;

use hieratic_diagnostics::{Severity, Span};
use hieratic_puppet_syntax::Problem;
use hieratic_puppet_syntax::ast::{Entry, Expr, Node, Parameter};
use hieratic_puppet_types::RegexpValue;
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Map, Value};

use crate::Strict;
use crate::codes;
use crate::walk::{Checker, MIN_STACK, STACK_SEGMENT};

impl Checker<'_> {
    /// Rejects duplicate literal keys; the values of other keys are unknown.
    pub(super) fn unique_keys(&mut self, entries: &[Entry]) {
        if self.options.strict == Strict::Off || entries.len() < 2 {
            return;
        }
        let mut seen: HashSet<Value> = HashSet::with_capacity(entries.len());
        for entry in entries {
            let Some(key) = self.literal(&entry.key) else { continue };
            if seen.contains(&key) {
                let span = Span { start: entry.key.span.start, end: entry.value.span.end };
                let message = format!("The key '{}' is declared more than once", text(&key));
                let problem = Problem::warning(codes::DUPLICATE_KEY, message, span).at(entry.at);
                let severity = if self.options.strict == Strict::Error { Severity::Error } else { Severity::Warning };
                self.problems.push(Problem { severity, ..problem });
            } else {
                seen.insert(key);
            }
        }
    }

    /// Checks that the types of a class's parameters are literal.
    pub(super) fn literal_types(&mut self, parameters: &[Parameter]) {
        if !self.options.version.warns_of_computed_parameter_types() {
            return;
        }
        for parameter in parameters {
            let Some(kind) = &parameter.kind else { continue };
            if self.literal(kind).is_some_and(|value| value != Value::Undef) {
                continue;
            }
            // Only a bare name is supported without brackets. The reference's message uses the terms of its model.
            let message = format!(
                "The parameter '${}' must be a literal type, not a Puppet::Pops::Model::AccessExpression",
                parameter.name
            );
            self.problems
                .push(Problem::warning(codes::COMPUTED_PARAMETER_TYPE, message, parameter.span).at(parameter.at));
        }
    }

    /// Returns the value of a literal expression, as the reference sees it: a type is its name or its parameters.
    fn literal(&mut self, expr: &Expr) -> Option<Value> {
        stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || match &expr.node {
            Node::Literal(value) => Some(value.clone()),
            Node::Integer { value, .. } => Some(Value::Integer(*value)),
            Node::Name(name) => Some(Value::String(name.clone())),
            Node::Regexp(regexp) => Some(RegexpValue::value(regexp.clone())),
            Node::Concatenated(segments) => match &segments[..] {
                [Expr { node: Node::Literal(text @ Value::String(_)), .. }] => Some(text.clone()),
                _ => None,
            },
            Node::List(all) => self.literals(all),
            Node::Hash(entries) => {
                self.charge_keys(entries.len())?;
                let mut hash = Map::default();
                for entry in entries {
                    hash.insert(self.literal(&entry.key)?, self.literal(&entry.value)?);
                }
                Some(Value::from(hieratic_value::Hash::from(hash)))
            }
            Node::Reference(name) if self.options.version.takes_types_for_literals() => {
                Some(Value::from(name.to_lowercase()))
            }
            Node::Minus(inner) if self.options.version.takes_types_for_literals() => match self.literal(inner)? {
                Value::Integer(number) => number.checked_neg().map(Value::Integer),
                Value::Float(number) => Some(Value::Float(-number)),
                text @ Value::String(_) => Some(text),
                _ => None,
            },
            Node::Access { keys, .. } if self.options.version.takes_types_for_literals() => match &keys[..] {
                [Expr { node: Node::List(_), .. }] => None,
                keys => self.literals(keys),
            },
            _ => None,
        })
    }

    /// Takes elements of a key from the budget. Without budget, a key counts as different from all others.
    fn charge_keys(&self, count: usize) -> Option<()> {
        // A source has far fewer elements than 64 bits can count.
        self.key_budget.steps(u64::try_from(count).unwrap_or(u64::MAX)).ok()
    }

    fn literals(&mut self, all: &[Expr]) -> Option<Value> {
        self.charge_keys(all.len())?;
        all.iter().map(|one| self.literal(one)).collect::<Option<Vec<Value>>>().map(Value::from)
    }
}

/// Returns Ruby's `to_s` of a key.
fn text(key: &Value) -> String {
    RegexpValue::downcast(key).map_or_else(|| key.to_text(), Regexp::embedded)
}
