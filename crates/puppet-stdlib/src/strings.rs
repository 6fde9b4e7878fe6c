//! Functions for strings: letters, lines, escapes for other languages.

use hieratic_puppet_functions::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};
use hieratic_value::Value;

use crate::untyped::{arguments, ensure, fail};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "dos2unix",
        Doc::new("Converts line endings to `\\n`."),
        &[Dispatch::untyped(|call| lines(call, "dos2unix", |text| text.replace("\r\n", "\n")))],
    ),
    Function::new(
        "unix2dos",
        Doc::new("Converts line endings to `\\r\\n`."),
        &[Dispatch::untyped(|call| lines(call, "unix2dos", unix2dos))],
    ),
    Function::new(
        "regexpescape",
        Doc::new("Escapes a string so that it matches itself."),
        &[Dispatch::untyped(|call| each_text(call, "regexpescape", regexp_escape))],
    ),
    Function::new(
        "swapcase",
        Doc::new("Swaps upper and lower case."),
        &[Dispatch::untyped(|call| each_text(call, "swapcase", swapcase))],
    ),
    Function::new(
        "uriescape",
        Doc::new("Escapes a string for a URI."),
        &[Dispatch::untyped(|_| {
            fail("Puppet: This function is not available in Puppet 8. URI.escape no longer exists as of Ruby 3+.")
        })],
    ),
    Function::new("squeeze", Doc::new("Replaces runs of a letter by one."), &[Dispatch::untyped(squeeze)]),
    Function::new("shell_join", Doc::new("Joins words to a command line."), &[Dispatch::untyped(shell_join)]),
    Function::new("shell_split", Doc::new("Splits a command line into words."), &[Dispatch::untyped(shell_split)]),
    Function::new(
        "stdlib::batch_escape",
        Doc::new("Escapes a string for Windows batch files."),
        &[Dispatch::new(&["Any string"], |call| Ok(Value::from(batch_escape(&text(call)))))],
    ),
    Function::new(
        "stdlib::powershell_escape",
        Doc::new("Escapes a string for PowerShell."),
        &[Dispatch::new(&["Any string"], |call| Ok(Value::from(powershell_escape(&text(call)))))],
    ),
    Function::new(
        "stdlib::shell_escape",
        Doc::new("Escapes a string as one shell word."),
        &[Dispatch::new(&["Any string"], |call| Ok(Value::from(shell_escape(&text(call)))))],
    ),
    Function::new(
        "stdlib::start_with",
        Doc::new("Tests whether a string starts with one of the given strings."),
        &[Dispatch::new(&["String test_string", "Variant[String[1],Array[String[1],1]] prefixes"], |call| {
            Ok(Value::Boolean(any(call, |text, part| text.starts_with(part))))
        })],
    ),
    Function::new(
        "stdlib::end_with",
        Doc::new("Tests whether a string ends with one of the given strings."),
        &[Dispatch::new(&["String test_string", "Variant[String[1],Array[String[1],1]] suffixes"], |call| {
            Ok(Value::Boolean(any(call, |text, part| text.ends_with(part))))
        })],
    ),
    Function::new(
        "stdlib::xml_encode",
        Doc::new("Escapes a string for XML, as content or attribute."),
        &[Dispatch::new(&["String str", "Enum['text','attr'] type?"], |call| {
            let attribute = call.arguments.get(1).and_then(Value::as_str) == Some("attr");
            Ok(Value::from(xml_encode(&text(call), attribute)))
        })],
    ),
];

/// Returns the first argument in Ruby's `to_s` form.
fn text(call: &Call<'_>) -> String {
    call.arguments.first().map(Value::to_text).unwrap_or_default()
}

fn lines(call: &mut Call<'_>, function: &str, change: fn(&str) -> String) -> Outcome {
    let given = arguments(call, function)?;
    let many = given.len();
    ensure(many == 1, || format!("{function}(): Wrong number of arguments given ({many} for 1)"))?;
    match &given[0] {
        Value::String(text) => Ok(Value::from(change(text))),
        _ => fail(format!("{function}(): Requires string as argument")),
    }
}

/// Converts line ends to those of Windows; existing ones get a second carriage return.
fn unix2dos(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                result.push_str(line.trim_end_matches('\r'));
                result.push_str("\r\n");
            }
            None => result.push_str(line),
        }
    }
    result
}

fn each_text(call: &mut Call<'_>, function: &str, change: fn(&str) -> String) -> Outcome {
    let given = arguments(call, function)?;
    let one = |value: &Value| match value {
        Value::String(text) => Value::from(change(text)),
        _ => value.clone(),
    };
    match given.first() {
        None => fail(format!("{function}(): Wrong number of arguments given (0 for 1)")),
        Some(Value::Array(elements)) => Ok(elements.iter().map(one).collect()),
        Some(text @ Value::String(_)) => Ok(one(text)),
        Some(_) => fail(format!("{function}(): Requires either array or string to work with")),
    }
}

/// Ruby's `Regexp.escape`.
fn regexp_escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '\x0c' => result.push_str("\\f"),
            '\x0b' => result.push_str("\\v"),
            ' ' | '#' | '$' | '(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^' | '{' | '|' | '}' => {
                result.push('\\');
                result.push(c);
            }
            _ => result.push(c),
        }
    }
    result
}

fn swapcase(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_lowercase() { result.extend(c.to_uppercase()) } else { result.extend(c.to_lowercase()) }
    }
    result
}

/// Removes repetitions of all characters, or of those in a set like `a-z` or `^0-9`.
fn squeeze(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "squeeze")?;
    let many = given.len();
    ensure(many == 1 || many == 2, || format!("squeeze(): Wrong number of arguments given {many} for 2 or 1"))?;
    let set = match given.get(1).filter(|value| value.is_truthy()) {
        None => None,
        Some(Value::String(set)) => Some(CharacterSet::read(set)?),
        Some(other) => return fail(format!("no implicit conversion of {} into String", other.ruby_class())),
    };
    let one = |value: &Value| match value {
        Value::String(text) => {
            let mut result = String::with_capacity(text.len());
            for c in text.chars() {
                let repeated = result.ends_with(c) && set.as_ref().is_none_or(|set| set.contains(c));
                if !repeated {
                    result.push(c);
                }
            }
            Ok(Value::from(result))
        }
        other => fail(format!("squeeze(): Requires either array or string to work with, got {}", other.ruby_class())),
    };
    match &given[0] {
        Value::Array(elements) => elements.iter().map(one).collect::<Result<Vec<_>, Flow>>().map(Value::from),
        value => one(value),
    }
}

/// A set of characters in the syntax of Ruby's `squeeze` and `tr`.
struct CharacterSet {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl CharacterSet {
    fn read(text: &str) -> Result<CharacterSet, EvalError> {
        let (negated, text) = match text.strip_prefix('^') {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, text),
        };
        let mut ranges = Vec::new();
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            let first = if c == '\\' { characters.next().unwrap_or(c) } else { c };
            let mut ahead = characters.clone();
            match (ahead.next(), ahead.next()) {
                (Some('-'), Some(last)) => {
                    if last < first {
                        return Err(EvalError::new(format!(
                            "invalid range \"{first}-{last}\" in string transliteration"
                        )));
                    }
                    ranges.push((first, last));
                    characters = ahead;
                }
                _ => ranges.push((first, first)),
            }
        }
        Ok(CharacterSet { negated, ranges })
    }

    fn contains(&self, c: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != self.negated
    }
}

/// Ruby's `Shellwords.shellescape`.
fn shell_escape(text: &str) -> String {
    if text.is_empty() {
        return "''".into();
    }
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => result.push_str("'\n'"),
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' | '.' | ',' | ':' | '+' | '/' | '@' => result.push(c),
            _ => {
                result.push('\\');
                result.push(c);
            }
        }
    }
    result
}

fn shell_join(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "shell_join")?;
    let many = given.len();
    ensure(many == 1, || format!("shell_join(): Wrong number of arguments given ({many} for 1)"))?;
    match &given[0] {
        Value::Array(words) => {
            let words: Vec<String> = words.iter().map(|word| shell_escape(&word.to_text())).collect();
            Ok(Value::from(words.join(" ")))
        }
        other => fail(format!("First argument is not an Array: {}", other.inspect())),
    }
}

fn shell_split(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "shell_split")?;
    let many = given.len();
    ensure(many == 1, || format!("shell_split(): Wrong number of arguments given ({many} for 1)"))?;
    let text = given[0].to_text();
    match shell_words(&text) {
        Some(words) => Ok(words.into_iter().map(Value::from).collect()),
        None => fail(format!("Unmatched quote: {}", Value::from(text).inspect())),
    }
}

/// Splits a line into words like a shell; returns `None` if a quote is not closed.
fn shell_words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match c {
            c if c.is_ascii_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            '\n' => {}
                            c @ ('$' | '`' | '"' | '\\') => word.push(c),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => match characters.next() {
                Some(c) => word.get_or_insert_default().push(c),
                None => word.get_or_insert_default().push('\\'),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

fn batch_escape(text: &str) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => result.push_str("\"\""),
            '$' | '\\' => result.extend(['\\', c]),
            _ => result.push(c),
        }
    }
    result.push('"');
    result
}

fn powershell_escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' | '\'' | '`' | '|' | '\n' | '$' => result.extend(['`', c]),
            '"' => result.push_str("\\`\""),
            _ => result.push(c),
        }
    }
    result
}

fn any(call: &Call<'_>, test: fn(&str, &str) -> bool) -> bool {
    let text = text(call);
    match call.arguments.get(1) {
        Some(Value::Array(parts)) => parts.iter().filter_map(Value::as_str).any(|part| test(&text, part)),
        Some(Value::String(part)) => test(&text, part),
        _ => false,
    }
}

/// Ruby's `encode(xml: :text)` and `encode(xml: :attr)`.
fn xml_encode(text: &str, attribute: bool) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' if attribute => result.push_str("&quot;"),
            _ => result.push(c),
        }
    }
    if attribute { format!("\"{result}\"") } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        let split = |line: &str| shell_words(line).map(|words| words.join("|"));
        assert_eq!(split(r#"a 'b c' "d \"e\" \x" f\ g"#).as_deref(), Some(r#"a|b c|d "e" \x|f g"#));
        assert_eq!(split("a 'b"), None);
        assert_eq!(shell_escape("it's $x\n"), "it\\'s\\ \\$x'\n'");
        for text in ["", "a b", "'\"\\", "$(x)`"] {
            assert_eq!(shell_words(&shell_escape(text)), Some(vec![text.to_owned()]));
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(regexp_escape("a.b-c d\n"), "a\\.b\\-c\\ d\\n");
        assert_eq!(batch_escape("a\"$"), "\"a\"\"\\$\"");
        assert_eq!(xml_encode("<\"a\">&", true), "\"&lt;&quot;a&quot;&gt;&amp;\"");
        assert_eq!(unix2dos("a\nb\r\r\nc"), "a\r\nb\r\nc");
    }
}
