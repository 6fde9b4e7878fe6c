//! The parameters in the comment above a class: `@param` of puppet-strings, and `[*name*]` of older modules.

use hieratic::value::collections::HashMap;
use hieratic_puppet_syntax::documentation::{comment_above, older_parameter, tag_of_parameter};

/// The descriptions of parameters, by name, from the comment that ends where the class begins.
pub(crate) fn of_parameters(text: &str, class: usize) -> HashMap<String, String> {
    let mut described: HashMap<String, Vec<String>> = HashMap::default();
    let mut current: Option<String> = None;
    for line in comment_above(text, class) {
        let words = line.trim();
        if words.starts_with('@') {
            current = None;
            if let Some((name, rest)) = tag_of_parameter(words) {
                described.entry(name.clone()).or_default().extend((!rest.is_empty()).then_some(rest));
                current = Some(name);
            }
        } else if let Some((name, rest)) = older_parameter(words) {
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
