//! Documentation of parameters in comments above definitions: the tags of puppet-strings, and the forms of older
//! modules.

/// Returns the lines of the comment directly above a position, without comment signs.
///
/// ```
/// let text = "# A class.\n# @param b The port.\nclass a ($b) { }\n";
/// let place = text.find("class a").unwrap();
/// assert_eq!(hieratic_puppet_syntax::documentation::comment_above(text, place), [" A class.", " @param b The port."]);
/// ```
pub fn comment_above(text: &str, place: usize) -> Vec<&str> {
    let before = text.get(..place).unwrap_or_default();
    // The line of the position itself is not included.
    let before = before.rfind('\n').map_or("", |end| &before[..end]);
    let mut lines: Vec<&str> = before.rsplit('\n').map_while(|line| line.trim().strip_prefix('#')).collect();
    lines.reverse();
    lines
}

/// Parses `@param [Type] name words` into the name and its first words; the type may be before or after the name, or
/// missing.
///
/// ```
/// use hieratic_puppet_syntax::documentation::tag_of_parameter;
/// assert_eq!(tag_of_parameter("@param [Integer] b The port."), Some(("b".to_owned(), "The port.".to_owned())));
/// assert_eq!(tag_of_parameter("@return [Integer] The port."), None);
/// ```
pub fn tag_of_parameter(words: &str) -> Option<(String, String)> {
    let rest = without_type(words.strip_prefix("@param")?.strip_prefix(char::is_whitespace)?);
    let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let name = name.trim_start_matches('$');
    is_name(name).then(|| (name.to_owned(), without_type(rest).to_owned()))
}

/// Parses `[*name*] words`, the form of older modules, into the name and its first words.
///
/// ```
/// use hieratic_puppet_syntax::documentation::older_parameter;
/// assert_eq!(older_parameter("[*b*] The port."), Some(("b".to_owned(), "The port.".to_owned())));
/// ```
pub fn older_parameter(words: &str) -> Option<(String, String)> {
    let words = words.trim_start_matches(['*', '-', ' ']);
    let (name, rest) = words.strip_prefix("[*")?.split_once("*]")?;
    is_name(name).then(|| (name.to_owned(), rest.trim_start_matches([':', '-', ' ']).to_owned()))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the rest after a type in brackets.
fn without_type(text: &str) -> &str {
    let text = text.trim();
    if !text.starts_with('[') {
        return text;
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text[at + 1..].trim();
        }
    }
    text
}
