//! `if`, `unless`, `case` and selectors.
//!
//! See [conditional statements](https://www.puppet.com/docs/puppet/8/lang_conditional.html). None of them opens a
//! scope; only the match variables that they set are removed at their end.

use hieratic_puppet_functions::{Flow, Outcome};
use hieratic_puppet_syntax::ast::{Case, Expr, If, Node, SelectorEntry};
use hieratic_value::{Rich, Value};

use super::{Evaluator, unwrapped};

impl Evaluator<'_> {
    /// Runs something and forgets the matches that were made in it.
    fn guarded(&mut self, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let matches = self.scopes.matches();
        let outcome = run(self);
        self.scopes.forget_matches(matches);
        outcome
    }

    pub(super) fn eval_if(&mut self, conditional: &If, expected: bool) -> Outcome {
        self.guarded(|this| {
            if this.eval(&conditional.test)?.is_truthy() == expected {
                this.eval(&conditional.then)
            } else {
                conditional.otherwise.as_ref().map_or(Ok(Value::Undef), |otherwise| this.eval(otherwise))
            }
        })
    }

    pub(super) fn eval_case(&mut self, case: &Case) -> Outcome {
        self.guarded(|this| {
            let subject = this.eval(&case.test)?;
            let mut default = None;
            for option in &case.options {
                for value in &option.values {
                    if is_default(value) {
                        default = Some(&option.then);
                    } else if this.option_matches(&subject, value)? {
                        return this.eval(&option.then);
                    }
                }
            }
            default.map_or(Ok(Value::Undef), |then| this.eval(then))
        })
    }

    pub(super) fn eval_selector(&mut self, subject: &Expr, entries: &[SelectorEntry]) -> Outcome {
        self.guarded(|this| {
            let value = this.eval(subject)?;
            let mut default = None;
            for entry in entries {
                if is_default(&entry.matching) {
                    default = Some(&entry.value);
                } else if this.option_matches(&value, &entry.matching)? {
                    return this.eval(&entry.value);
                }
            }
            match default {
                Some(default) => this.eval(default),
                None => {
                    let text = value.to_text();
                    Err(this
                        .calls
                        .fail(subject, format!("No matching entry for selector parameter with value '{text}'")))
                }
            }
        })
    }

    fn option_matches(&mut self, subject: &Value, option: &Expr) -> Result<bool, Flow> {
        if let Node::Unfold(_) = unwrapped(option).node {
            for value in self.eval_all(std::slice::from_ref(option), Vec::new())? {
                if self.matches(subject, &value)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let value = self.eval(option)?;
        self.matches(subject, &value)
    }
}

/// Returns whether the option is `default`, which is tried last wherever it is written.
fn is_default(option: &Expr) -> bool {
    match &unwrapped(option).node {
        Node::Literal(Value::Rich(rich)) => matches!(**rich, Rich::Default),
        _ => false,
    }
}
