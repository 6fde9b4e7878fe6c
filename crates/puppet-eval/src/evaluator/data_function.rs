//! Calls of Hiera backend functions from outside of a program.

use std::sync::Arc;

use hieratic_puppet_functions::EvalError;
use hieratic_puppet_types::{Type, assert_assignable};
use hieratic_value::Value;

use super::Evaluator;
use crate::failure::Failure;

/// The reason why a function has no result.
#[derive(Clone, Debug)]
pub enum DataFailure {
    /// The arguments do not fit its signature.
    Arguments(Failure),
    /// The function is invalid or failed.
    Other(Failure),
}

impl From<Failure> for DataFailure {
    fn from(failure: Failure) -> DataFailure {
        DataFailure::Other(failure)
    }
}

impl Evaluator<'_> {
    /// Calls a Puppet-language function from a file of a module or of the environment; returns `None` if it does not
    /// exist.
    ///
    /// If the function declares a return type, it must be assignable to `returns`; `subject` names the function in that
    /// error.
    ///
    /// # Errors
    /// The file is invalid, the arguments do not fit, or the function fails.
    pub fn call_data_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        subject: &str,
        returns: &Type,
    ) -> Result<Option<Value>, DataFailure> {
        let function = match self.user_function(name) {
            Ok(Some(function)) => {
                // Code in the Puppet language can read all variables.
                self.mark_impure();
                function
            }
            Ok(None) => return self.call_data_function_in_ruby(name, arguments),
            Err(flow) => return Ok(self.finish_program(Err(flow)).map(Some)?),
        };
        let closure = match function.closure.get() {
            Some(closure) => closure.clone(),
            None => {
                let name = function.lambda_name();
                match self.in_program(&function.program, |this| this.prepare(name, &function.lambda)) {
                    Ok(prepared) => function.closure.get_or_init(|| Arc::new(prepared)).clone(),
                    Err(flow) => return Ok(self.finish_program(Err(flow)).map(Some)?),
                }
            }
        };
        if let Some(declared) = closure.returns() {
            assert_assignable(subject, returns, declared)
                .map_err(|mismatch| Failure::from(EvalError::new(mismatch.to_string())))?;
        }
        if let Some(message) = closure.describe_mismatch(arguments) {
            return Err(DataFailure::Arguments(Failure::from(EvalError::new(message))));
        }
        let outcome = self.call_user(&function, arguments, None);
        Ok(self.finish_program(outcome).map(Some)?)
    }

    /// Like [`Evaluator::call_data_function`], for a function in Ruby.
    fn call_data_function_in_ruby(&mut self, name: &str, arguments: &[Value]) -> Result<Option<Value>, DataFailure> {
        let outcome = match self.ruby_function(name) {
            Ok(Some(function)) => {
                if let Some(context) = self.environment.lookup_context() {
                    // The answer depends on the file in any case.
                    context.record_file_read(&function.path);
                }
                self.call_ruby(name, &function, arguments, None)
            }
            Ok(None) => return Ok(None),
            Err(flow) => Err(flow),
        };
        Ok(self.finish_program(outcome).map(Some)?)
    }
}
