//! The members of requests of `--jsonl`.

use hieratic::{Hash, Value};

/// The member of a request with that name, which must be an object.
pub(super) fn object<'r>(request: &'r Hash, name: &str) -> Result<Option<&'r Hash>, String> {
    match request.get(name) {
        None | Some(Value::Undef) => Ok(None),
        Some(Value::Hash(hash)) => Ok(Some(hash)),
        Some(_) => Err(format!("'{name}' must be an object")),
    }
}
