//! Separates the data in a message from the words of its sentence.
//!
//! A message is a sentence that quotes data. A secret that is not an ordinary word is always data. One that is an
//! ordinary word (`data`, `prod`, `80`) counts as data within quotation marks, and in the output of code.

use std::ops::Range;

/// The maximum length of a word in our sentences.
const LONGEST_WORD: usize = 12;

/// The maximum length of a line number, column number or count.
const LONGEST_NUMBER: usize = 7;

/// The maximum length of a part of a name that can equal a secret at random.
const LONGEST_NAME: usize = 16;

/// Leaves out of the ranges of secrets those that are words of ours. `data` are parts that are data as a whole.
pub(super) fn retain_data(text: &str, data: &[&str], ranges: &mut Vec<Range<usize>>) {
    if !ranges.iter().any(|range| is_ordinary(text, range)) {
        return;
    }
    let mut parts = quoted(text);
    for part in data.iter().filter(|part| !part.is_empty()) {
        parts.extend(text.match_indices(part).map(|(at, part)| at..at + part.len()));
    }
    parts.sort_unstable_by_key(|part| part.start);
    let mut next = 0;
    // The part that reaches farthest of those that begin before a range.
    let mut reached = 0;
    ranges.retain(|range| {
        while let Some(part) = parts.get(next).filter(|part| part.start <= range.start) {
            reached = reached.max(part.end);
            next += 1;
        }
        range.end <= reached || !is_ordinary(text, range)
    });
}

/// Removes the ranges of secrets that may be parts of names at random.
pub(super) fn retain_unnamelike(text: &str, ranges: &mut Vec<Range<usize>>) {
    let is_word = |range: &Range<usize>| {
        let word = text.get(range.clone()).unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
        word.len() <= LONGEST_NAME && word.bytes().all(plain)
    };
    ranges.retain(|range| !is_word(range));
}

/// Returns whether a range may be an ordinary word: letters in one case, or a short number.
pub(super) fn is_ordinary(text: &str, range: &Range<usize>) -> bool {
    let word = text.get(range.clone()).unwrap_or_default();
    let rest = word.strip_prefix(|first: char| first.is_ascii_uppercase()).unwrap_or(word);
    let lower = rest.bytes().all(|byte| byte.is_ascii_lowercase());
    let upper = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    if digits { word.len() <= LONGEST_NUMBER } else { (lower || upper) && word.len() <= LONGEST_WORD }
}

/// Returns the ranges in quotation marks, except paths and qualified names.
fn quoted(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let mut parts = Vec::new();
    // The open quotation mark, and the start of its content.
    let mut open: Option<(u8, usize)> = None;
    for (at, byte) in bytes.iter().enumerate() {
        match open {
            None if matches!(byte, b'\'' | b'"' | b'`') && !is_word(at.checked_sub(1).and_then(|at| bytes.get(at))) => {
                open = Some((*byte, at + 1));
            }
            Some((mark, start)) if *byte == mark && !is_word(bytes.get(at + 1)) => {
                if !is_name(&text[start..at]) {
                    parts.push(start..at);
                }
                open = None;
            }
            _ => {}
        }
    }
    // An unclosed quotation may contain anything.
    parts.extend(open.map(|(_, start)| start..bytes.len()));
    parts
}

/// Returns whether a string is a file name or a qualified name of a key, a class or a function.
fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':');
    let is_path = || text.contains('/') && !text.contains("//");
    let has_extension = || {
        const OURS: [&str; 12] =
            [".yaml", ".yml", ".json", ".eyaml", ".conf", ".hcl", ".tfvars", ".pp", ".epp", ".j2", ".toml", ".tftpl"];
        OURS.iter().any(|extension| text.ends_with(extension))
    };
    text.bytes().all(plain) && (text.contains("::") || is_path() || has_extension())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, word: &str, data: &[&str]) -> Vec<usize> {
        let mut ranges = text.match_indices(word).map(|(at, word)| at..at + word.len()).collect();
        retain_data(text, data, &mut ranges);
        ranges.into_iter().map(|range| range.start).collect()
    }

    #[test]
    fn words_of_ours_are_left_alone() {
        assert_eq!(kept("no data in 'data'", "data", &[]), [12]);
        assert_eq!(kept("Data doesn't 'have' data 'data/x.yaml' 'data::x'", "data", &[]), Vec::<usize>::new());
        assert_eq!(kept("it says: my data (data/x.pp:1)", "data", &["my data"]), [12]);
        assert_eq!(kept("line 80 of '80'", "80", &[]), [12]);
        assert_eq!(kept("got \"an 80 'x", "80", &[]), [8]);
    }

    #[test]
    fn unknown_words_are_data() {
        assert_eq!(kept("got s3cret-word", "s3cret-word", &[]), [4]);
        assert_eq!(kept("got correcthorsebattery", "correcthorsebattery", &[]), [4]);
        assert_eq!(kept("got swordFish", "swordFish", &[]), [4]);
    }
}
