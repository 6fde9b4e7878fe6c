//! Values as assignments of environment variables.

use hieratic::Value;

/// `NAME='value'`, which a shell reads: `set -a; . ./file`. Undef is an empty string.
pub(super) fn assignment(name: &str, value: &Value) -> Result<String, String> {
    Ok(format!("{name}={}", shell_quoted(&content(value)?)))
}

/// A word in the single quotes of a shell, in which only the quote itself needs an escape.
pub(crate) fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// `NAME="value"`, as libraries of the name dotenv read it: line breaks, quotes, backslashes and dollars are escaped.
pub(super) fn quoted_assignment(name: &str, value: &Value) -> Result<String, String> {
    let mut out = format!("{name}=\"");
    for c in content(value)?.chars() {
        match c {
            '"' | '\\' | '$' | '`' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
    Ok(out)
}

fn content(value: &Value) -> Result<String, String> {
    if value.is_undef() {
        return Ok(String::new());
    }
    let text = super::values::text(value)?;
    if text.contains('\0') {
        return Err("contains NUL, which no environment variable can have".to_owned());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted() {
        let value = Value::from("it's $HOME \"x\"\n\\");
        assert_eq!(assignment("A", &value).unwrap(), "A='it'\\''s $HOME \"x\"\n\\'");
        assert_eq!(quoted_assignment("A", &value).unwrap(), "A=\"it's \\$HOME \\\"x\\\"\\n\\\\\"");
        assert_eq!(assignment("A", &Value::from(vec![Value::from(1)])).unwrap(), "A='[1]'");
        assert_eq!(assignment("A", &Value::Undef).unwrap(), "A=''");
        assert!(assignment("A", &Value::from("\0")).is_err());
    }
}
