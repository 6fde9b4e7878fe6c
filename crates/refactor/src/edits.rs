//! The differing ranges of two versions of a file, for clients that apply edits one by one.

use std::iter::zip;
use std::ops::Range;

/// Returns the changed ranges of a file, in order, each with its replacement.
///
/// If the number of lines stays the same, the words of each line are compared in pairs. Otherwise everything between
/// the common prefix and the common suffix is one range.
pub(crate) fn between<'n>(old: &str, new: &'n str) -> Vec<(Range<usize>, &'n str)> {
    let mut edits = Vec::new();
    if old.matches('\n').count() != new.matches('\n').count() {
        edits.extend(part(old, new, 0));
        return edits;
    }
    let (mut at, mut new_at) = (0, 0);
    for (line, new_line) in zip(old.split_inclusive('\n'), new.split_inclusive('\n')) {
        if line != new_line {
            let (words, new_words) = (words(line), words(new_line));
            if words.len() == new_words.len() {
                for (word, new_word) in zip(words, new_words).filter(|(word, new_word)| word.1 != new_word.1) {
                    // The colon after a key is not part of its name.
                    let both = (word.1.strip_suffix(':'), new_word.1.strip_suffix(':'));
                    let (text, new_text) = match both {
                        (Some(text), Some(new_text)) => (text, new_text),
                        _ => (word.1, new_word.1),
                    };
                    edits.push((at + word.0..at + word.0 + text.len(), new_text));
                }
            } else {
                edits.extend(part(line, new_line, at))
            }
        }
        at += line.len();
        new_at += new_line.len();
    }
    // If the last line is missing on a side, both versions can have the same number of line breaks.
    if at < old.len() || new_at < new.len() {
        edits.push((at..old.len(), &new[new_at..]));
    }
    edits
}

/// Returns the range between the common prefix and the common suffix, with its replacement.
fn part<'n>(old: &str, new: &'n str, at: usize) -> Option<(Range<usize>, &'n str)> {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let begin = same(&mut zip(old.chars(), new.chars()));
    let (rest, new_rest) = (&old[begin..], &new[begin..]);
    let end = same(&mut zip(rest.chars().rev(), new_rest.chars().rev()));
    let (rest, new_rest) = (&rest[..rest.len() - end], &new_rest[..new_rest.len() - end]);
    (!rest.is_empty() || !new_rest.is_empty()).then(|| (at + begin..at + begin + rest.len(), new_rest))
}

/// Splits a line into words and the text between them, with their offsets.
fn words(line: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-');
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    let mut before: Option<bool> = None;
    for (at, c) in line.char_indices() {
        if before.is_some_and(|before| before != is_word(c)) {
            words.push((start, &line[start..at]));
            start = at;
        }
        before = Some(is_word(c));
    }
    words.push((start, &line[start..]));
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn applied(old: &str, edits: &[(Range<usize>, &str)]) -> String {
        let splices = edits.iter().map(|(range, text)| (range.clone(), (*text).to_owned()));
        crate::data::apply_splices(old, splices.collect())
    }

    #[test]
    fn only_the_words_that_differ_are_edits() {
        let old = "a::b: \"%{lookup('c')} \u{1f600} %{lookup('c.d')}\"\r\n# c\r\nc: 1\r\n";
        let new = old.replace("'c", "'x::y").replace("c: 1", "x::y: 1");
        let edits = between(old, &new);
        let parts: Vec<(&str, &str)> = edits.iter().map(|(range, text)| (&old[range.clone()], *text)).collect();
        assert_eq!(parts, [("c", "x::y"), ("c", "x::y"), ("c", "x::y")]);
        assert_eq!(applied(old, &edits), new);
        assert_eq!(between(old, old), []);
        assert_eq!(between("a: 1\n", "a: 1\nb: 2\n"), [(5..5, "b: 2\n")]);
    }

    proptest! {
        #[test]
        fn edits_make_the_new_text(old in "[ab: \u{e9}\r\n]{0,20}", new in "[ab: \u{e9}\r\n]{0,20}") {
            prop_assert_eq!(applied(&old, &between(&old, &new)), new);
        }
    }
}
