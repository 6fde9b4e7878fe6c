//! Functions over values.
//!
//! A [`Function`] declares its parameters, and is called with values that were converted to their types. This module
//! makes the checks that all functions share: the number of arguments, nulls, and unknown values.
//!
//! Source: <https://github.com/zclconf/go-cty/blob/main/docs/functions.md>.

use std::fmt;

use hieratic_budget::{Budget, Exhausted};

use crate::{Type, Value};

/// One parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name in messages.
    pub name: &'static str,
    /// The type that arguments are converted to. [`Type::Dynamic`] accepts every value unchanged.
    pub ty: Type,
    /// Whether null is allowed.
    pub allow_null: bool,
    /// Whether the function itself handles unknown arguments. Otherwise an unknown argument makes the result unknown.
    pub allow_unknown: bool,
    /// Whether the function itself handles a bare `null`, whose type is unknown. Otherwise such an argument makes the
    /// result and its type unknown.
    pub allow_dynamic: bool,
}

impl Parameter {
    /// Creates a parameter that does not accept null and unknown values.
    pub fn new(name: &'static str, ty: Type) -> Self {
        Self { name, ty, allow_null: false, allow_unknown: false, allow_dynamic: false }
    }

    /// Allows null.
    pub fn nullable(self) -> Self {
        Self { allow_null: true, ..self }
    }

    /// Passes unknown values on to the function.
    pub fn with_unknown(self) -> Self {
        Self { allow_unknown: true, ..self }
    }

    /// Passes values of unknown type on to the function.
    pub fn with_dynamic(self) -> Self {
        Self { allow_dynamic: true, ..self }
    }
}

/// The error of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// An argument is invalid.
    Argument {
        /// The index of the argument, counted from 0.
        index: usize,
        /// The message, without the name of the argument.
        message: String,
    },
    /// An error of the call as a whole.
    Call(String),
    /// A limit of the budget is reached.
    Limit {
        /// The limit that is reached.
        limit: Exhausted,
        /// The error message.
        message: String,
    },
}

impl From<Exhausted> for CallError {
    fn from(limit: Exhausted) -> Self {
        CallError::Limit { limit, message: limit.to_string() }
    }
}

impl CallError {
    /// Creates the error for an invalid argument. `index` is counted from 0.
    pub fn argument(index: usize, message: impl Into<String>) -> Self {
        CallError::Argument { index, message: message.into() }
    }

    /// Creates an error of the call as a whole.
    pub fn call(message: impl Into<String>) -> Self {
        CallError::Call(message.into())
    }

    /// Returns the error message.
    pub fn message(&self) -> &str {
        match self {
            CallError::Argument { message, .. } | CallError::Call(message) | CallError::Limit { message, .. } => {
                message
            }
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.message())
    }
}

impl std::error::Error for CallError {}

/// The bytes of arguments that a function processes in the time of a step.
const BYTES_PER_STEP: u64 = 128;

type FunctionBody = dyn Fn(&Budget, &[Value]) -> Result<Value, CallError> + Send + Sync;

/// A function.
pub struct Function {
    /// A sentence about the result, for people. It may be empty.
    pub documentation: &'static str,
    /// The required parameters.
    pub parameters: Vec<Parameter>,
    /// The parameter of all further arguments. `None` if they are not allowed.
    pub variadic: Option<Parameter>,
    /// The type of the result, or its part that does not depend on the arguments.
    pub result: Type,
    body: Box<FunctionBody>,
}

impl Function {
    /// Creates a function whose cost and result are proportional to its arguments. The size of the arguments is charged
    /// to the budget.
    pub fn new(
        parameters: Vec<Parameter>,
        result: Type,
        body: impl Fn(&[Value]) -> Result<Value, CallError> + Send + Sync + 'static,
    ) -> Self {
        Self::with_budget(parameters, result, move |_, arguments| body(arguments))
    }

    /// Creates a function that can return large results for small arguments. The function charges its cost to the
    /// budget before the work.
    pub fn with_budget(
        parameters: Vec<Parameter>,
        result: Type,
        body: impl Fn(&Budget, &[Value]) -> Result<Value, CallError> + Send + Sync + 'static,
    ) -> Self {
        Self { documentation: "", parameters, variadic: None, result, body: Box::new(body) }
    }

    /// Sets the sentence about the result.
    pub fn with_documentation(self, documentation: &'static str) -> Self {
        Self { documentation, ..self }
    }

    /// Allows any number of further arguments.
    pub fn with_variadic(self, parameter: Parameter) -> Self {
        Self { variadic: Some(parameter), ..self }
    }

    /// Returns the parameters and the type of the result: `(separator string, lists list(string)...) string`.
    ///
    /// ```
    /// use hieratic_hcl_types::{Function, Parameter, Type, Value};
    ///
    /// let twice = Function::new(vec![Parameter::new("num", Type::Number)], Type::Number, |arguments| Ok(arguments[0].clone()));
    /// assert_eq!(twice.signature(), "(num number) number");
    /// ```
    pub fn signature(&self) -> String {
        let one = |parameter: &Parameter| format!("{} {}", parameter.name, parameter.ty.constraint());
        let required = self.parameters.iter().map(one);
        let further = self.variadic.iter().map(|parameter| format!("{}...", one(parameter)));
        let parameters: Vec<String> = required.chain(further).collect();
        format!("({}) {}", parameters.join(", "), self.result.constraint())
    }

    /// Returns the parameter for the argument at an index.
    pub fn parameter(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.variadic.as_ref())
    }

    /// Calls the function with a new budget. The arguments must have the types of the parameters.
    ///
    /// # Errors
    ///
    /// There are too few or too many arguments, a null is not allowed, or the function fails.
    pub fn call(&self, arguments: &[Value]) -> Result<Value, CallError> {
        self.call_with_budget(&Budget::default(), arguments)
    }

    /// Calls the function and charges the cost to a budget. The arguments must have the types of the parameters.
    ///
    /// # Errors
    ///
    /// There are too few or too many arguments, a null is not allowed, the function fails, or a limit of the budget is
    /// reached.
    pub fn call_with_budget(&self, budget: &Budget, arguments: &[Value]) -> Result<Value, CallError> {
        let (expected, given) = (self.parameters.len(), arguments.len());
        if self.variadic.is_none() && given != expected {
            return Err(CallError::call(format!("wrong number of arguments ({expected} required; {given} given)")));
        }
        if given < expected {
            return Err(CallError::call(format!(
                "wrong number of arguments (at least {expected} required; {given} given)"
            )));
        }
        let mut unknown = false;
        for (index, argument) in arguments.iter().enumerate() {
            let Some(parameter) = self.parameter(index) else { continue };
            if argument.is_null() && !parameter.allow_null {
                return Err(CallError::argument(index, "argument must not be null"));
            }
            if matches!(argument, Value::Null(Type::Dynamic) | Value::Unknown(Type::Dynamic))
                && !parameter.allow_dynamic
            {
                return Ok(Value::DYNAMIC);
            }
            unknown |= !argument.is_known() && !parameter.allow_unknown;
        }
        if unknown {
            return Ok(Value::Unknown(self.result.clone()));
        }
        let size = arguments.iter().fold(0, |sum, argument| argument.own_size() + sum);
        budget.steps(size / BYTES_PER_STEP)?;
        let value = (self.body)(budget, arguments)?;
        budget.bytes(usize::try_from(value.own_size()).unwrap_or(usize::MAX))?;
        Ok(value)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Function").field("parameters", &self.parameters).field("variadic", &self.variadic).finish()
    }
}
