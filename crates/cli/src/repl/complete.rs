//! The line editor's helper: completes words.

use hieratic::puppet_types::TYPE_NAMES;
use rustyline::completion::{Completer, Pair};
use rustyline::{Context, Helper, highlight::Highlighter, hint::Hinter, validate::Validator};

/// Completes functions, types and variables.
#[derive(Debug, Default)]
pub(super) struct Assistant {
    /// The variables, with their dollar.
    pub variables: Vec<String>,
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..at];
        let start = before
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
            .map_or(0, |at| if before[at..].starts_with('$') { at } else { at + 1 });
        let start = if before.is_char_boundary(start) { start } else { at };
        let word = &before[start..];
        let candidates = candidates(word, &self.variables);
        Ok((start, candidates.into_iter().map(|text| Pair { display: text.clone(), replacement: text }).collect()))
    }
}

/// Everything that a word may become, sorted.
fn candidates(word: &str, variables: &[String]) -> Vec<String> {
    let mut found: Vec<String> = if word.starts_with('$') {
        variables.iter().filter(|name| name.starts_with(word)).cloned().collect()
    } else if word.starts_with(char::is_uppercase) {
        let aliases = hieratic::code::type_aliases().map(str::to_owned);
        let types = TYPE_NAMES.iter().map(|name| (*name).to_owned());
        types.chain(aliases).filter(|name| name.starts_with(word)).collect()
    } else {
        hieratic::code::function_names().filter(|name| name.starts_with(word)).map(str::to_owned).collect()
    };
    found.sort_unstable();
    found.dedup();
    found
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {}

impl Validator for Assistant {}

impl Helper for Assistant {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_by_their_kind() {
        let variables = ["$facts".to_owned(), "$fqdn".to_owned()];
        assert_eq!(candidates("$fa", &variables), ["$facts"]);
        assert_eq!(candidates("Timest", &variables), ["Timestamp"]);
        assert!(candidates("rever", &variables).contains(&"reverse_each".to_owned()));
    }
}
