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

/// `NAME='value'`, as libraries of the name dotenv read it. They agree about single quotes, but not about escapes in double
/// ones: that of Node, and Node itself, read `\"` as two characters. So double quotes are for what single ones cannot have.
pub(super) fn quoted_assignment(name: &str, value: &Value) -> Result<String, String> {
    let text = content(value)?;
    // That of Python reads two backslashes in single quotes as one, and one at the end as an escape of the quote.
    if !text.contains(['\'', '\n', '\r']) && !text.contains("\\\\") && !text.ends_with('\\') {
        return Ok(format!("{name}='{text}'"));
    }
    let mut out = format!("{name}=\"");
    for c in text.chars() {
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
        for text in ["", "a b # c", "[\"a ${b}\"]", "C:\\x", "`id`"] {
            assert_eq!(quoted_assignment("A", &Value::from(text)).unwrap(), format!("A='{text}'"));
        }
        assert_eq!(quoted_assignment("A", &Value::from("it's")).unwrap(), "A=\"it's\"");
        assert_eq!(quoted_assignment("A", &Value::from("a\\")).unwrap(), "A=\"a\\\\\"");
        assert_eq!(assignment("A", &Value::from(vec![Value::from(1)])).unwrap(), "A='[1]'");
        assert_eq!(assignment("A", &Value::Undef).unwrap(), "A=''");
        assert!(assignment("A", &Value::from("\0")).is_err());
    }
}
