//! Values as properties of Java.

use std::fmt::Write as _;

use hieratic::Value;

/// `name=value`, in ASCII: other letters are escaped, as `java.util.Properties` reads them. Undef is an empty string.
pub(super) fn assignment(name: &str, value: &Value) -> Result<String, String> {
    let mut out = String::new();
    escape(name, true, &mut out);
    out.push('=');
    if !value.is_undef() {
        escape(&super::values::text(value)?, false, &mut out);
    }
    Ok(out)
}

fn escape(text: &str, is_name: bool, out: &mut String) {
    for (index, c) in text.chars().enumerate() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Spaces before a value do not count.
            ' ' if is_name || index == 0 => out.push_str("\\ "),
            '=' | ':' if is_name => out.extend(['\\', c]),
            '#' | '!' if is_name => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_escaped() {
        assert_eq!(assignment("a b:c", &Value::from(" x=ü😀\n")).unwrap(), "a\\ b\\:c=\\ x=\\u00fc\\ud83d\\ude00\\n");
        assert_eq!(assignment("a", &Value::Undef).unwrap(), "a=");
    }
}
