//! What requests of `--jsonl` hold.

use hieratic::{Hash, Value};

/// What a request has under a name, which has to be an object.
pub(super) fn object<'r>(request: &'r Hash, name: &str) -> Result<Option<&'r Hash>, String> {
    match request.get(name) {
        None | Some(Value::Undef) => Ok(None),
        Some(Value::Hash(hash)) => Ok(Some(hash)),
        Some(_) => Err(format!("'{name}' must be an object")),
    }
}
