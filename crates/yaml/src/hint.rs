//! The help for syntax errors of YAML.

/// A hint for a message of libyaml.
pub(super) fn for_problem(problem: &str, source: &[u8], line: u32) -> Option<String> {
    let hint = if problem.starts_with("found character that cannot start any token") {
        match first_strange(source, line) {
            Some('\t') => "indent with spaces: YAML does not permit tabs there".to_string(),
            Some('%') => "quote strings that start with %, such as \"%{variable}\"".to_string(),
            _ => "quote strings that start with @ or `".to_string(),
        }
    } else if problem.starts_with("found a tab character that violates indentation") {
        "indent with spaces: YAML does not permit tabs there".to_string()
    } else if problem.starts_with("mapping values are not allowed") {
        "put a value that contains a colon and a space in quotes, or check the indentation".to_string()
    } else if problem.starts_with("could not find expected ':'") {
        "add a colon after the key, and check the indentation of the lines above".to_string()
    } else if problem.starts_with("did not find expected key") || problem.starts_with("did not find expected '-'") {
        "check the indentation, and that quotes and brackets above are closed with nothing after them".to_string()
    } else if problem.starts_with("did not find expected ',' or") {
        "close the bracket, and write commas between the elements".to_string()
    } else if problem.starts_with("found unexpected end of stream") {
        "close the quotes".to_string()
    } else if problem.starts_with("found unknown escape character") {
        "use single quotes, or write two backslashes".to_string()
    } else if problem.contains("UTF-8") || problem.contains("UTF-16") {
        "save the file as UTF-8".to_string()
    } else if problem.starts_with("control characters are not allowed") {
        "remove the control character, or write it as an escape in double quotes".to_string()
    } else if problem.starts_with("did not find expected node content") && has_symbol_in_brackets(source, line) {
        "between braces and brackets, nothing begins with a colon: quote a string, \":a\"; a symbol needs a separate line, - :a".to_string()
    } else {
        return None;
    };
    Some(hint)
}

/// Returns whether a line has a word that begins with a colon at the start of an element of braces or brackets.
fn has_symbol_in_brackets(source: &[u8], line: u32) -> bool {
    let line = source.split(|&byte| byte == b'\n').nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let begins = |at: usize| line[..at].trim_ascii_end().last().is_some_and(|byte| matches!(byte, b'[' | b'{' | b','));
    line.windows(2).enumerate().any(|(at, two)| two[0] == b':' && two[1].is_ascii_alphanumeric() && begins(at))
}

/// The first character of a line that YAML has no use for at the start of a token.
fn first_strange(source: &[u8], line: u32) -> Option<char> {
    let line = source.split(|&byte| byte == b'\n').nth(line.saturating_sub(1) as usize)?;
    let mut before = b' ';
    for &byte in line {
        if matches!(byte, b'\t' | b'%' | b'@' | b'`') && matches!(before, b' ' | b'\t' | b'[' | b',' | b'{') {
            return Some(char::from(byte));
        }
        before = byte;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::for_problem;

    #[test]
    fn symbols_in_brackets_get_a_hint() {
        let problem = "did not find expected node content while parsing a flow node";
        for text in ["a: {:k: 1}", "b: [1, :y]", "c: [ :z ]", "d: [x, y, { :w: 1 }]"] {
            assert!(for_problem(problem, text.as_bytes(), 1).is_some_and(|hint| hint.contains("colon")), "{text}");
        }
        // Something else is wrong here.
        for text in ["a: [1, , 2]", "b: [x:y, , 1]", "c: {a: :b, , }", ""] {
            assert_eq!(for_problem(problem, text.as_bytes(), 1), None, "{text}");
        }
    }
}
