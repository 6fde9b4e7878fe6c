//! The syntax of INI inventories: sections, words, ranges of hosts, and values.

use hieratic_value::Value;

use super::MOST;

/// Splits a host pattern into the hosts and the port. One with a port may be in brackets, as in `[fe80::1]:22`.
pub fn with_port(pattern: &str) -> (&str, Option<Value>) {
    let Some((name, port)) = pattern.rsplit_once(':').filter(|(_, port)| is_port(port)) else {
        return (pattern, None);
    };
    let inner = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).filter(|inner| !inner.is_empty());
    if inner.is_none() && has_colon(name) {
        return (pattern, None);
    }
    // Python reads a number with zeros in front, which is no literal.
    let digits = port.trim_start_matches('0');
    (inner.unwrap_or(name), Some(parse_literal(if digits.is_empty() { "0" } else { digits })))
}

/// Returns whether a string is a port.
fn is_port(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit())
}

/// Returns whether a host pattern has a colon outside of its ranges, as an IPv6 address has.
fn has_colon(pattern: &str) -> bool {
    let mut depth = 0;
    pattern.chars().any(|letter| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        letter == ':' && depth == 0
    })
}

/// Returns the part before a comment.
pub fn uncommented(text: &str) -> &str {
    text.split(" #").next().unwrap_or(text)
}

/// Parses a value of an INI inventory: a Python literal, or a plain string.
pub fn parse_literal(text: &str) -> Value {
    hieratic_jinja::read_literal(text).unwrap_or_else(|| text.into())
}

/// The number of comment signs of a value that are tried.
const MAX_SIGNS: usize = 32;

/// Parses the value of a group: a comment ends a Python literal; a plain string contains it.
pub fn parse_commented_literal(text: &str) -> Value {
    let ends = text.match_indices('#').map(|(at, _)| at).take(MAX_SIGNS);
    let mut literals = ends.filter_map(|end| hieratic_jinja::read_literal(text.get(..end)?.trim_end()));
    hieratic_jinja::read_literal(text).or_else(|| literals.next()).unwrap_or_else(|| text.into())
}

/// The words of a line as Python's `shlex` takes it apart: a comment sign outside of quotes ends the line, also in a word.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut is_open) = (String::new(), None, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, '#') => break,
            (None, '\'' | '"') => (quote, is_open) = (Some(letter), true),
            (Some(open), letter) if letter == open => quote = None,
            (None | Some('"'), '\\') => {
                is_open = true;
                let next = letters.next().ok_or("a backslash has nothing to escape")?;
                // In quotes, it escapes only itself and the quote: `"C:\dir"` is a path.
                if quote.is_some() && !matches!(next, '"' | '\\') {
                    word.push(letter);
                }
                word.push(next);
            }
            (None, ' ' | '\t' | '\r' | '\n') => {
                if is_open {
                    words.push(std::mem::take(&mut word));
                }
                is_open = false;
            }
            (_, letter) => {
                is_open = true;
                word.push(letter);
            }
        }
    }
    if quote.is_some() {
        return Err("a quote has no end".to_owned());
    }
    if is_open {
        words.push(word);
    }
    Ok(words)
}

/// Returns the text in the brackets of a line that begins a section, or `None` for the line of a host such as
/// `[01:10].example.com`. A line that ends with a bracket is never one of a host.
pub fn section(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?;
    let (section, rest) = inner.split_once(']')?;
    let rest = rest.trim_start();
    if rest.is_empty() || rest.starts_with('#') { Some(section) } else { inner.strip_suffix(']') }
}

/// Expands a host pattern: `web[01:10]` gives ten hosts, `db-[a:c]` three.
pub fn expand_pattern(pattern: &str) -> Result<Vec<String>, String> {
    let Some((before, rest)) = pattern.split_once('[') else {
        return Ok(vec![pattern.to_owned()]);
    };
    let Some((range, after)) = rest.split_once(']') else {
        return Ok(vec![pattern.to_owned()]);
    };
    let parts: Vec<&str> = range.split(':').collect();
    let (Some(first), Some(last)) = (parts.first(), parts.get(1)) else {
        return Err(format!("the range [{range}] has no ':', as in [1:3]"));
    };
    let step = parts
        .get(2)
        .map_or(Ok(1), |step| step.parse::<usize>())
        .map_err(|_| format!("the range [{range}] has no number as its step"))?;
    let wrong = || format!("the range [{range}] is not a range of numbers or letters, as in [01:10] or [a:c]");
    let result: Vec<String> = match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(from), Ok(to)) => {
            let width = if first.starts_with('0') { first.len() } else { 0 };
            (from..=to).step_by(step.max(1)).take(MOST).map(|number| format!("{number:0width$}")).collect()
        }
        _ => {
            let letter =
                |text: &str| text.chars().next().filter(|letter| letter.is_ascii_alphabetic() && text.len() == 1);
            let (from, to) = (letter(first).ok_or_else(wrong)?, letter(last).ok_or_else(wrong)?);
            (from..=to).step_by(step.max(1)).map(String::from).collect()
        }
    };
    let after = expand_pattern(after)?;
    if result.len().saturating_mul(after.len()) > MOST {
        return Err(format!("the range [{range}] has more than {MOST} hosts"));
    }
    Ok(result.iter().flat_map(|result| after.iter().map(move |after| format!("{before}{result}{after}"))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_literals_of_groups_but_no_strings() {
        for (text, value) in [
            ("5432 # port", Value::from(5432)),
            ("'a # b' # c", "a # b".into()),
            ("a # b", "a # b".into()),
            ("a#b", "a#b".into()),
            ("# b", "# b".into()),
            ("[1, 2] # b", [1, 2].map(Value::from).into_iter().collect()),
        ] {
            assert_eq!(parse_commented_literal(text), value, "{text}");
        }
    }

    #[test]
    fn lines_of_hosts_are_words_of_shlex() {
        for (line, expected) in [
            (r#"h a="x\d" b="q\"r" c=\n d="a\\b""#, vec!["h", r"a=x\d", "b=q\"r", "c=n", r"d=a\b"]),
            (r"h a='x\d' b=a'b c'd e=#x", vec!["h", r"a=x\d", "b=ab cd", "e="]),
            ("h a=b#c d=e", vec!["h", "a=b"]),
            (r"h x=a\#b y='1'#c", vec!["h", "x=a#b", "y=1"]),
            ("h a=1\u{a0}b\tc=", vec!["h", "a=1\u{a0}b", "c="]),
        ] {
            assert_eq!(words(line), Ok(expected.into_iter().map(str::to_owned).collect()), "{line}");
        }
        assert!(words("h a=\\").is_err());
    }
}
