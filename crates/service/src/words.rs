//! [`Words`]: the words of a search.

use crate::problem::Problem;

/// The maximum number of words in a search.
const MAX_WORDS: usize = 16;

/// A search in words: all of them have to be there, in any case of letters.
pub(crate) struct Words(Vec<String>);

impl Words {
    pub(crate) fn new(text: &str) -> Result<Words, Problem> {
        let words = words(text);
        if words.len() > MAX_WORDS {
            return Err(Problem::bad_request(format!("a search may have {MAX_WORDS} words, got {}", words.len())));
        }
        Ok(Words(words))
    }

    /// In lower case.
    pub(crate) fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// Returns whether every word occurs in one of some strings.
    pub(crate) fn are_in(&self, texts: &[&str]) -> bool {
        let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        self.0.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }

    /// Returns whether a value matches: every word occurs in the key or in the value, and at least one in the value.
    pub(crate) fn find(&self, key: &str, value: &str) -> bool {
        let value = value.to_lowercase();
        if !self.0.iter().any(|word| value.contains(word)) {
            return false;
        }
        let key = key.to_lowercase();
        self.0.iter().all(|word| value.contains(word) || key.contains(word))
    }
}

/// Returns whether a string in lower case has a word as a whole: `10.0.0.1` is not a whole word of `10.0.0.10`.
pub(crate) fn has_whole_word(text: &str, word: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    text.match_indices(word).any(|(at, _)| {
        let after = text.get(at + word.len()..).unwrap_or_default();
        is_edge(text.get(..at).unwrap_or_default().chars().next_back()) && is_edge(after.chars().next())
    })
}

/// The words of a search, in lower case.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_to_occur() {
        let words = Words::new("  Port 8080 ").ok();
        let has = |texts: &[&str]| words.as_ref().is_some_and(|words| words.are_in(texts));
        assert!(has(&["web::port", "8080"]) && !has(&["web::port", "80"]) && !has(&["web", "8080"]));
        assert!(Words::new(&"a ".repeat(17)).is_err());
    }

    #[test]
    fn a_whole_word_differs_from_a_prefix() {
        let of = |text: &str| has_whole_word(text, "10.0.0.1");
        assert!(of("\"10.0.0.1\"") && of("10.0.0.1/24") && !of("10.0.0.10") && !of("110.0.0.1"));
        assert!(of("é10.0.0.1 10.0.0.1"), "one of several is enough");
    }

    #[test]
    fn at_least_one_word_has_to_be_in_the_value() {
        let words = Words::new("port 8080").ok();
        let finds = |key: &str, value: &str| words.as_ref().is_some_and(|words| words.find(key, value));
        assert!(finds("web::port", "8080") && finds("web", "\"Port 8080\""));
        assert!(!finds("port8080", "1") && !finds("web", "8080"));
    }
}
