//! [`Condition`]: an expression of the Puppet language about one node.

use hieratic_budget::Budget;
use hieratic_puppet_eval::{Failure, Options};
use hieratic_value::Value;

use crate::code::Code;
use crate::environment::Environment;
use crate::facts::Facts;

/// An expression of the Puppet language about one node. `facts.os.family` may be written for `$facts['os']['family']`; what does not exist
/// is undef then.
#[derive(Clone, Debug)]
pub struct Condition(String);

impl Condition {
    /// The condition that a user wrote.
    pub fn new(text: &str) -> Condition {
        Condition(in_puppet(text))
    }

    /// Evaluates the condition for a node, in an environment if there is one.
    ///
    /// # Errors
    /// The expression is invalid, or its evaluation fails.
    pub fn of<'e>(&self, environment: impl Into<Option<&'e Environment>>, facts: &Facts) -> Result<Value, Failure> {
        self.within(environment, facts, Budget::default())
    }

    /// Evaluates the condition, charged to a budget.
    ///
    /// # Errors
    /// As [`of`](Self::of), and a limit of the budget.
    pub fn within<'e>(
        &self,
        environment: impl Into<Option<&'e Environment>>,
        facts: &Facts,
        budget: Budget,
    ) -> Result<Value, Failure> {
        let options = Options { budget, ..Options::default() };
        Code::new(environment.into(), facts.clone(), options).evaluate("", &self.0).value
    }
}

/// Rewrites `facts.a.b` and `trusted.a.b` to calls that return undef for missing facts.
fn in_puppet(filter: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut rest = filter;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let word = ["facts.", "trusted."].into_iter().find(|word| {
            quote.is_none()
                && rest.starts_with(word)
                && !before.is_alphanumeric()
                && !matches!(before, '$' | '_' | ':' | '.')
        });
        if let Some(word) = word {
            let path = &rest[word.len()..];
            let end = path.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(path.len());
            if end > 0 {
                out.push_str(&format!("${}get('{}')", word, &path[..end]));
                rest = &path[end..];
                before = 'x';
                continue;
            }
        }
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        out.push(c);
        before = c;
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_written_as_in_hierarchies() {
        assert_eq!(in_puppet("facts.role == \"web\""), "$facts.get('role') == \"web\"");
        assert_eq!(in_puppet("!(trusted.extensions.pp_role =~ /x/)"), "!($trusted.get('extensions.pp_role') =~ /x/)");
        assert_eq!(in_puppet("$facts[a] == 'facts.b'"), "$facts[a] == 'facts.b'");
    }
}
