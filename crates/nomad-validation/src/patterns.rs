//! Regular expressions.

use std::cell::OnceCell;

use hieratic_cty::Value;
use hieratic_cty_functions::{FunctionTable, functions};

/// Knows whether regular expressions are in order.
#[derive(Default)]
pub(crate) struct Patterns {
    /// Made when it is needed first: few jobs have regular expressions.
    functions: OnceCell<FunctionTable>,
}

impl Patterns {
    /// Checks a regular expression. Its syntax is that of the function `regex_replace`, which knows what is said about faulty
    /// ones.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(crate) fn check(&self, pattern: &str) -> Result<(), String> {
        let functions = self.functions.get_or_init(|| functions(None));
        let Some(replace) = functions.get("regex_replace") else { return Ok(()) };
        let arguments = [Value::string(""), Value::string(pattern), Value::string("")];
        replace.call(&arguments).map(drop).map_err(|fault| fault.message().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_as_go_tells_them() {
        let patterns = Patterns::default();
        assert_eq!(patterns.check("^a(b|c)*$"), Ok(()));
        assert_eq!(patterns.check("a(b").unwrap_err(), "error parsing regexp: missing closing ): `a(b`");
    }
}
