//! What the comment above a class says of its parameters: `@param` of puppet-strings, and `[*name*]` of older modules.

use rustc_hash::FxHashMap;

/// The descriptions of parameters, by name, from the comment that ends where the class begins.
pub(super) fn of_parameters(text: &str, class: usize) -> FxHashMap<String, String> {
    let mut described: FxHashMap<String, Vec<String>> = FxHashMap::default();
    let mut current: Option<String> = None;
    for line in comment_above(text, class) {
        let words = line.trim();
        if let Some(tag) = words.strip_prefix('@') {
            current = None;
            if let Some((name, rest)) = tag.strip_prefix("param").and_then(param) {
                described.entry(name.clone()).or_default().extend((!rest.is_empty()).then_some(rest));
                current = Some(name);
            }
        } else if let Some((name, rest)) = old_style(words) {
            described.entry(name.clone()).or_default().extend((!rest.is_empty()).then_some(rest));
            current = Some(name);
        } else if words.starts_with('#') || words.starts_with('=') {
            // A heading.
            current = None;
        } else if let Some(name) = &current {
            described.entry(name.clone()).or_default().push(words.to_owned());
        }
    }
    let text = |lines: Vec<String>| {
        let text = lines.join("\n");
        text.trim().to_owned()
    };
    described.into_iter().map(|(name, lines)| (name, text(lines))).filter(|(_, text)| !text.is_empty()).collect()
}

/// The lines of the comment right above a place, without their signs.
pub(super) fn comment_above(text: &str, place: usize) -> Vec<&str> {
    let before = text.get(..place).unwrap_or_default();
    // The line of the place itself is no part of it.
    let before = before.rfind('\n').map_or("", |end| &before[..end]);
    let mut lines: Vec<&str> = before.rsplit('\n').map_while(|line| line.trim().strip_prefix('#')).collect();
    lines.reverse();
    lines
}

/// The name and the first words of `@param [Type] name words`, the type being in either place or nowhere.
fn param(rest: &str) -> Option<(String, String)> {
    let rest = without_type(rest.strip_prefix(char::is_whitespace)?);
    let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let name = name.trim_start_matches('$');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), without_type(rest).to_owned()))
}

/// What is behind a type in brackets.
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

/// The name and the first words of `[*name*] words`.
fn old_style(words: &str) -> Option<(String, String)> {
    let words = words.trim_start_matches(['*', '-', ' ']);
    let (name, rest) = words.strip_prefix("[*")?.split_once("*]")?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), rest.trim_start_matches([':', '-', ' ']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documented(comment: &str) -> Vec<(String, String)> {
        let text = format!("{comment}\nclass a($b) {{ }}\n");
        let class = text.rfind("class").unwrap();
        let mut all: Vec<_> = of_parameters(&text, class).into_iter().collect();
        all.sort();
        all
    }

    #[test]
    fn tags_and_older_forms_are_read() {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(
            documented(
                "# @summary A class.\n#\n# @param b The port\n#   of the server.\n#\n# @param [Array[Integer]] c\n#   Ports.\n# @example\n#   no"
            ),
            [pair("b", "The port\nof the server."), pair("c", "Ports.")],
        );
        assert_eq!(documented("# @param b [String] The name."), [pair("b", "The name.")]);
        assert_eq!(
            documented("# == Class: a\n#\n# [*b*]\n#   The port.\n#\n# === Examples\n# x"),
            [pair("b", "The port.")]
        );
        assert_eq!(documented("# @param b The port.\n"), [], "a line without a comment ends it");
        assert_eq!(documented("# @param\n# @param [\n# @parameter b c\n# @param é x"), []);
    }
}
