//! [`generate`](https://www.puppet.com/docs/puppet/8/function.html#generate)

use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

use super::legacy;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "generate",
    Doc::new("The output of a program; needs a permission.").example("generate('/bin/hostname')"),
    &[Dispatch::untyped(generate)],
)];

/// Returns the output of a program. Its path may not contain parts that lead elsewhere.
fn generate(call: &mut Call<'_>) -> Outcome {
    let arguments = legacy::arguments(call, "generate", -2)?;
    let program = legacy::text(&arguments, 0)?;
    let refused = if !program.starts_with('/') {
        Some("Generators must be fully qualified")
    } else if !program.lines().any(|line| !line.is_empty() && line.chars().all(is_allowed)) {
        Some("Generators can only contain alphanumerics, file separators, and dashes")
    } else if program.contains("..") {
        Some("Can not use generators with '..' in them.")
    } else {
        None
    };
    if let Some(message) = refused {
        return Err(EvalError::new(message).into());
    }
    let command: Vec<String> = arguments.iter().map(Value::to_text).collect();
    match call.host.run_program(&command) {
        Ok(output) => Ok(Value::from(output)),
        Err(Flow::Error(mut error)) => {
            error.message = format!("Failed to execute generator {program}: {}", error.message);
            Err(Flow::Error(error))
        }
        Err(flow) => Err(flow),
    }
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-/_.+".contains(c)
}
