//! What to try when a text is not YAML.

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
    } else {
        return None;
    };
    Some(hint)
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
