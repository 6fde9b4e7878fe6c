//! Values that an edit of a document must not write: redacted ones, and decrypted ones as plain text.

use std::path::Path;

use hieratic::directives::{Failure, codes};
use hieratic::expressions::Vault;
use hieratic::value::text::REDACTED;
use hieratic::{Hash, Redactor, Value};
use hieratic_diagnostics::{Diagnostic, Severity};

use crate::output::path_text;

/// Replaces the redaction marks of an edited document by their secrets: those at the same paths of the document before
/// the edit.
///
/// # Errors
/// A mark is in a key, or at a path where the document had no secret.
pub(crate) fn with_secrets(edited: &Value, before: &Value, vault: &Vault) -> Result<Value, Failure> {
    let redactor = Redactor::new(vault.secrets(), false);
    restore_value(edited, Some((before, &redactor.value(before))), &mut Vec::new())
}

fn restore_value(edited: &Value, before: Option<(&Value, &Value)>, path: &mut Vec<Value>) -> Result<Value, Failure> {
    if let Some((secret, redacted)) = before
        && edited == redacted
    {
        return Ok(secret.clone());
    }
    match edited {
        Value::Hash(entries) => {
            let mut restored = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let inner = before.and_then(|(secret, redacted)| {
                    Some((secret.as_hash()?.get_value(key)?, redacted.as_hash()?.get_value(key)?))
                });
                path.push(key.clone());
                // A redacted key has lost its name: nothing says which one it was.
                if matches!(key, Value::String(text) if text.contains(REDACTED)) {
                    return Err(still_redacted("the key", path));
                }
                restored.push((key.clone(), restore_value(value, inner, path)?));
                path.pop();
            }
            Ok(restored.into_iter().collect::<Hash>().into())
        }
        Value::Array(elements) => {
            let mut restored = Vec::with_capacity(elements.len());
            for (index, element) in elements.iter().enumerate() {
                let inner = before.and_then(|(secret, redacted)| {
                    Some((secret.as_array()?.get(index)?, redacted.as_array()?.get(index)?))
                });
                // No list has more elements than that.
                path.push(Value::from(index));
                restored.push(restore_value(element, inner, path)?);
                path.pop();
            }
            Ok(Value::from(restored))
        }
        Value::String(text) if text.contains(REDACTED) => Err(still_redacted("the value", path)),
        other => Ok(other.clone()),
    }
}

fn still_redacted(part: &str, path: &[Value]) -> Failure {
    refused(
        format!("{part} at {} is redacted, and the original has another one there", path_text(path)),
        "expand the original with --reveal, and edit that",
    )
}

/// Checks that an edit does not write a decrypted value as plain text.
///
/// # Errors
/// It does.
pub(crate) fn check_text(file: &Path, before: &str, after: &str, vault: &Vault) -> Result<(), Failure> {
    if vault.is_empty() || before == after {
        return Ok(());
    }
    let redactor = Redactor::new(vault.secrets(), false);
    if redactor.ranges(after).len() <= redactor.ranges(before).len() {
        return Ok(());
    }
    Err(refused(
        format!("{} would have a decrypted value as plain text", file.display()),
        "encrypt the value with `ansible-vault encrypt_string`, and write the result where it belongs",
    ))
}

fn refused(message: String, help: &str) -> Failure {
    Failure::from(Diagnostic::new(Severity::Error, codes::NOT_RESTORABLE, message).help(help))
}
