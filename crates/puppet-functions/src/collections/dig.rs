//! [`dig`](https://www.puppet.com/docs/puppet/8/function.html#dig)

use hieratic_puppet_types::infer;
use hieratic_value::{Hash, Value};

use crate::{Dispatch, Doc, EvalError, Function};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "dig",
    Doc::new("The value that a path of keys leads to, or undef.").example("{ 'a' => [1, 2] }.dig('a', 1) # 2"),
    &[Dispatch::new(&["Optional[Collection] data", "Any *arg"], |call| {
        let (data, path) = call.arguments.split_first().unwrap_or((&Value::Undef, &[]));
        dig(data, path).map_err(|obstacle| obstacle.into_error().into())
    })],
)];

/// The reason why a path has no value.
pub(super) struct DigError {
    message: String,
    issue: &'static str,
    details: Hash,
}

impl DigError {
    /// Returns the arguments of the reference's `Error` for this obstacle: message, kind, details, issue code.
    pub(super) fn error_arguments(&self) -> [Value; 4] {
        let details = Value::from(self.details.clone());
        [Value::from(&*self.message), Value::from("SLICE_ERROR"), details, Value::from(self.issue)]
    }

    pub(super) fn into_error(self) -> EvalError {
        let [message, kind, details, issue] = self.error_arguments();
        let data = [("msg", message), ("kind", kind), ("details", details), ("issue_code", issue)];
        EvalError { details: Some(Box::new(data.into_iter().collect::<Hash>().into())), ..EvalError::new(self.message) }
    }
}

/// Returns the value at the end of a path of keys and indices; `undef` has no parts.
pub(super) fn dig(data: &Value, path: &[Value]) -> Result<Value, DigError> {
    let mut found = data.clone();
    for (walked, key) in path.iter().enumerate() {
        if found.is_undef() || key.is_undef() {
            return Ok(Value::Undef);
        }
        found = match (&found, key) {
            (Value::Array(elements), Value::Integer(index)) => at(elements, *index).cloned().unwrap_or_default(),
            (Value::Array(_), _) => {
                let walked = Value::from(path[..=walked].to_vec());
                let kind = infer(key);
                return Err(DigError {
                    message: format!("The given data requires an Integer index at {}, got '{kind}'", walked.inspect()),
                    issue: "EXPECTED_INTEGER_INDEX",
                    details: [("walked_path", walked), ("index_type", kind.into_value())].into_iter().collect(),
                });
            }
            (Value::Hash(hash), _) => hash.get_value(key).cloned().unwrap_or_default(),
            _ => {
                let walked = Value::from(path[..walked].to_vec());
                let kind = infer(&found);
                return Err(DigError {
                    message: format!(
                        "The given data does not contain a Collection at {}, got '{kind}'",
                        walked.inspect()
                    ),
                    issue: "EXPECTED_COLLECTION",
                    details: [("walked_path", walked), ("value_type", kind.into_value())].into_iter().collect(),
                });
            }
        };
    }
    Ok(found)
}

/// Returns the element at an index; a negative one counts from the end.
fn at(elements: &[Value], index: i64) -> Option<&Value> {
    let index = if index < 0 { index.checked_add(i64::try_from(elements.len()).ok()?)? } else { index };
    elements.get(usize::try_from(index).ok()?)
}
