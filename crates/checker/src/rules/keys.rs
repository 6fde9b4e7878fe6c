//! Keys of hashes that are there twice.

use std::collections::HashSet;

use hieratic_diagnostics::Severity;
use hieratic_pcore::RegexpValue;
use hieratic_regexp::Regexp;
use hieratic_syntax::Problem;
use hieratic_syntax::ast::{Entry, Expr, Extent, Node};
use hieratic_value::{Map, Value};

use crate::Strict;
use crate::walk::{Checker, LEAST_STACK, MORE_STACK};

impl Checker<'_> {
    /// Keys that are literal are there once; of others nobody knows.
    pub(super) fn unique_keys(&mut self, entries: &[Entry]) {
        if self.options.strict == Strict::Off || entries.len() < 2 {
            return;
        }
        let mut seen: HashSet<Value> = HashSet::with_capacity(entries.len());
        for entry in entries {
            let Some(key) = self.literal(&entry.key) else { continue };
            if seen.contains(&key) {
                let span = Extent { start: entry.key.span.start, end: entry.value.span.end };
                let message = format!("The key '{}' is declared more than once", text(&key));
                let problem = Problem::warning("duplicate-key", message, span).at(entry.at);
                let severity = if self.options.strict == Strict::Error { Severity::Error } else { Severity::Warning };
                self.problems.push(Problem { severity, ..problem });
            } else {
                seen.insert(key);
            }
        }
    }

    /// The value of an expression that says it literally.
    fn literal(&mut self, expr: &Expr) -> Option<Value> {
        stacker::maybe_grow(LEAST_STACK, MORE_STACK, || match &expr.node {
            Node::Literal(value) => Some(value.clone()),
            Node::Integer { value, .. } => Some(Value::Integer(*value)),
            Node::Name(name) => Some(Value::String(name.clone())),
            Node::Regexp(regexp) => Some(RegexpValue::value(regexp.clone())),
            Node::Concatenated(segments) => match &segments[..] {
                [Expr { node: Node::Literal(text @ Value::String(_)), .. }] => Some(text.clone()),
                _ => None,
            },
            Node::List(all) => {
                self.effort = self.effort.checked_sub(u32::try_from(all.len()).ok()?)?;
                all.iter().map(|one| self.literal(one)).collect::<Option<Vec<Value>>>().map(Value::from)
            }
            Node::Hash(entries) => {
                self.effort = self.effort.checked_sub(u32::try_from(entries.len()).ok()?)?;
                let mut hash = Map::default();
                for entry in entries {
                    hash.insert(self.literal(&entry.key)?, self.literal(&entry.value)?);
                }
                Some(Value::from(hieratic_value::Hash::from(hash)))
            }
            _ => None,
        })
    }
}

/// Ruby's `to_s` of a key.
fn text(key: &Value) -> String {
    RegexpValue::of(key).map_or_else(|| key.to_text(), Regexp::embedded)
}
