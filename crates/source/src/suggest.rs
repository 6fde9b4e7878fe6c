//! "Did you mean": the nearest spelling of a name.
//!
//! A suggestion must look like a typo or a slip of memory, or it is worse than none. The constants below define the
//! limits. Qualified names are compared part by part, so that `web::port` is not near `web::host`, although they have
//! much in common.

use std::collections::HashSet;

/// The number of letters in a part of a name that allow one wrong letter: one in three may be wrong.
const LETTERS_FOR_ONE_MISTAKE: usize = 3;
/// More mistakes than this are another word.
const MAX_MISTAKES: usize = 4;
/// The most suggestions in a message.
const MAX_SUGGESTIONS: usize = 5;
/// The least length of a last part that can replace a qualified name.
const SHORTEST_LAST_PART: usize = 3;
/// The longest word to compare, in bytes. Longer words are not names, and comparing them takes time.
const LONGEST_WORD: usize = 250;

/// The distance of a candidate. The order of the variants is the order of the suggestions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Similarity {
    /// Only small and capital letters differ, or the `::` before the whole name.
    Same,
    /// So many letters are wrong.
    Mistakes(usize),
    /// Some first parts of the qualified name are missing, or too many.
    Qualified,
}

/// Returns the candidate with the most similar spelling, or `None` if no candidate is similar. The word itself is never
/// returned.
///
/// ```
/// use hieratic_source::nearest;
/// assert_eq!(nearest("ntp::server", ["ntp::servers", "dns::server"]), Some("ntp::servers"));
/// assert_eq!(nearest("servers", ["ntp::servers", "dns::zones"]), Some("ntp::servers"));
/// assert_eq!(nearest("port", ["hostname"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let word = QualifiedWord::new(word);
    let mut best: Option<(Similarity, &str)> = None;
    for candidate in candidates {
        // Of equally similar ones, the first is returned: others have to be better.
        let most = match best {
            None | Some((Similarity::Qualified, _)) => MAX_MISTAKES,
            Some((Similarity::Mistakes(mistakes), _)) => mistakes.saturating_sub(1),
            Some((Similarity::Same, _)) => break,
        };
        if let Some(similarity) = word.similarity(candidate, most)
            && best.is_none_or(|(before, _)| similarity < before)
        {
            best = Some((similarity, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the question `did you mean ...?` for some suggestions, or `None` if there are none.
///
/// ```
/// use hieratic_source::did_you_mean;
/// assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean 'a'?"));
/// assert_eq!(did_you_mean(&["a", "b"]).as_deref(), Some("did you mean one of 'a', 'b'?"));
/// assert_eq!(did_you_mean::<&str>(&[]), None);
/// ```
pub fn did_you_mean<S: AsRef<str>>(names: &[S]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{}'", name.as_ref())).collect();
    let several = if quoted.len() > 1 { "one of " } else { "" };
    (!quoted.is_empty()).then(|| format!("did you mean {several}{}?", quoted.join(", ")))
}

/// Returns at most five distinct candidates with a similar spelling, the most similar first. Equally similar ones keep
/// their order.
pub fn nearest_many<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if word.len() > LONGEST_WORD {
        return Vec::new();
    }
    let word = QualifiedWord::new(word);
    let mut near: Vec<(Similarity, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| Some((word.similarity(candidate, MAX_MISTAKES)?, candidate)))
        .collect();
    near.sort_by_key(|(nearness, _)| *nearness);
    let mut seen = HashSet::new();
    near.into_iter()
        .map(|(_, candidate)| candidate)
        .filter(|candidate| seen.insert(*candidate))
        .take(MAX_SUGGESTIONS)
        .collect()
}

/// Returns the Levenshtein distance of two words (letters that are added, removed or replaced), or `None` if it is more
/// than `most`.
///
/// ```
/// use hieratic_source::within;
/// assert_eq!(within("edif", "endif", 2), Some(1));
/// assert_eq!(within("something", "if", 2), None);
/// ```
pub fn within(word: &str, other: &str, most: usize) -> Option<usize> {
    // Words whose lengths differ by more are not compared, however long they are. A letter has at most four bytes.
    if word.len().abs_diff(other.len()) > 4 * most || word.chars().count().abs_diff(other.chars().count()) > most {
        return None;
    }
    Some(strsim::levenshtein(word, other)).filter(|distance| *distance <= most)
}

/// A word that candidates are compared with.
struct QualifiedWord<'w> {
    whole: &'w str,
    lower: String,
    letters: usize,
    set: u64,
}

impl<'w> QualifiedWord<'w> {
    fn new(whole: &'w str) -> QualifiedWord<'w> {
        let lower = whole.trim_start_matches("::").to_lowercase();
        QualifiedWord { whole, letters: lower.chars().count(), set: letter_set(&lower), lower }
    }

    /// The similarity of a candidate; `None` if it has more than `most` mistakes.
    fn similarity(&self, candidate: &str, most: usize) -> Option<Similarity> {
        if candidate == self.whole || candidate.len() > LONGEST_WORD {
            return None;
        }
        let candidate = candidate.trim_start_matches("::");
        if is_last_part(&self.lower, candidate) || is_last_part(candidate, &self.lower) {
            return Some(Similarity::Qualified);
        }
        // Cheap tests first, so that long lists take little time: each mistake changes the number of letters by at most
        // one, and adds or removes at most one letter. Capital letters are folded only in names that have some.
        if candidate.chars().count().abs_diff(self.letters) > most {
            return None;
        }
        let folded;
        let candidate = if candidate.chars().any(char::is_uppercase) {
            folded = candidate.to_lowercase();
            &folded
        } else {
            candidate
        };
        let set = letter_set(candidate);
        if differing_letters(set, self.set) > most {
            return None;
        }
        match count_mistakes(&self.lower, candidate, most)? {
            0 => Some(Similarity::Same),
            mistakes => Some(Similarity::Mistakes(mistakes)),
        }
    }
}

/// The number of wrong letters, or `None` if there are more than `most`: this is another name.
fn count_mistakes(word: &str, candidate: &str, most: usize) -> Option<usize> {
    if word == candidate {
        return Some(0);
    }
    if word.split("::").count() == candidate.split("::").count() {
        let mut parts = word.split("::").zip(candidate.split("::"));
        parts.try_fold(0, |sum, (one, other)| Some(sum + count_part_mistakes(one, other, most - sum)?))
    } else {
        // The mistake is, among others, in what separates the parts.
        count_part_mistakes(word, candidate, most)
    }
}

/// The number of wrong letters in one part of a name, at most `most`.
fn count_part_mistakes(word: &str, candidate: &str, most: usize) -> Option<usize> {
    if word == candidate {
        return Some(0);
    }
    let (letters, others) = (word.chars().count(), candidate.chars().count());
    let most = most.min(letters.max(others) / LETTERS_FOR_ONE_MISTAKE);
    // Most parts are other words, which the same cheap tests tell.
    if letters.abs_diff(others) > most || differing_letters(letter_set(word), letter_set(candidate)) > most {
        return None;
    }
    if word.is_ascii() && candidate.is_ascii() {
        return distance_within(word.as_bytes(), candidate.as_bytes(), most);
    }
    let letters = |word: &str| word.chars().collect::<Vec<char>>();
    distance_within(&letters(word), &letters(candidate), most)
}

/// The number of letters that are added, removed, replaced, or swapped with the next one, if it is at most `most`.
///
/// Letters that both words begin or end with are left out. Of the rest, each letter of one is compared with as many
/// letters of the other as there may be mistakes, so that the time is proportional to the length of the word.
fn distance_within<T: PartialEq>(word: &[T], other: &[T], most: usize) -> Option<usize> {
    let start = word.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (word, other) = (&word[start..], &other[start..]);
    let end = word.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (word, other) = (&word[..word.len() - end], &other[..other.len() - end]);
    if word.len().abs_diff(other.len()) > most {
        return None;
    }
    if word.is_empty() || other.is_empty() {
        return Some(word.len().max(other.len()));
    }
    if most == 0 {
        return None;
    }
    // More mistakes need not be counted.
    let far = most + 1;
    let mut before = vec![far; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).map(|column| column.min(far)).collect();
    let mut row = vec![far; other.len() + 1];
    let mut was_near = true;
    for (at, letter) in word.iter().enumerate() {
        let (from, to) = ((at + 1).saturating_sub(most).max(1), (at + 1 + most).min(other.len()));
        row[from - 1] = if from == 1 { (at + 1).min(far) } else { far };
        let mut is_near = row[from - 1] <= most;
        for column in from..=to {
            let replaced = last[column - 1] + usize::from(*letter != other[column - 1]);
            let mut mistakes = replaced.min(row[column - 1] + 1).min(last[column] + 1);
            let is_swapped = at > 0 && column > 1 && *letter == other[column - 2] && word[at - 1] == other[column - 1];
            if is_swapped {
                mistakes = mistakes.min(before[column - 2] + 1);
            }
            row[column] = mistakes.min(far);
            is_near |= mistakes <= most;
        }
        // The next row looks at one column more.
        if let Some(beyond) = row.get_mut(to + 1) {
            *beyond = far;
        }
        // A swap continues the row before the last one.
        if !is_near && !was_near {
            return None;
        }
        was_near = is_near;
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last.last().copied().filter(|mistakes| *mistakes <= most)
}

/// Returns whether a name equals the last part of a qualified name.
fn is_last_part(name: &str, qualified: &str) -> bool {
    name.len() >= SHORTEST_LAST_PART && qualified.strip_suffix(name).is_some_and(|before| before.ends_with("::"))
}

/// The number of letters that only one of two words has, in the word that has more of them: at most that of the mistakes.
fn differing_letters(one: u64, other: u64) -> usize {
    (one & !other).count_ones().max((other & !one).count_ones()) as usize
}

/// The letters of a word as a set of 64 bits. Letters that share a bit make words more similar, never less.
fn letter_set(word: &str) -> u64 {
    word.chars().fold(0, |set, c| set | 1 << (u32::from(c) % 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn near_spellings_are_found() {
        for (word, candidates, found) in [
            ("Facts", &["facts", "trusted"][..], "facts"),
            ("FACTS", &["fact", "facts"], "facts"),
            ("prot", &["post", "port"], "port"),
            ("sever", &["seven_up", "server"], "server"),
            ("fqnd", &["fqdn"], "fqdn"),
            ("::facts", &["facts"], "facts"),
            ("facts", &["::facts"], "::facts"),
            ("straße", &["strasse", "strase"], "strase"),
            ("profle::web::prot", &["profile::db::port", "profile::web::port"], "profile::web::port"),
            ("profile:web::port", &["profile::db::port", "profile::web::port"], "profile::web::port"),
            ("profile_web::port", &["profile::web::port"], "profile::web::port"),
        ] {
            assert_eq!(nearest(word, candidates.iter().copied()), Some(found), "{word}");
        }
    }

    #[test]
    fn the_last_part_of_a_qualified_name_is_enough() {
        assert_eq!(nearest("servers", ["ntp::server_list", "ntp::servers"]), Some("ntp::servers"));
        assert_eq!(nearest("profile::ntp::servers", ["ntp::servers"]), Some("ntp::servers"));
        assert_eq!(nearest("s", ["ntp::s"]), None);
        assert_eq!(nearest_many("servers", ["ntp::servers", "server"]), ["server", "ntp::servers"]);
    }

    #[test]
    fn distant_names_are_not_suggested() {
        for (word, candidate) in [
            ("ab", "xy"),
            ("ab", "ac"),
            ("a", "b"),
            ("", "a"),
            ("", ""),
            ("::", "a"),
            ("port", "host"),
            ("port", "sort_of"),
            ("web::port", "web::host"),
            ("profile::web::port", "profile::web::host"),
            ("profile::web::port", "profile::db::port"),
            ("servers", "reverse"),
        ] {
            assert_eq!(nearest(word, [candidate]), None, "{word} {candidate}");
        }
    }

    #[test]
    fn the_best_come_first_each_once_and_not_too_many() {
        let found = nearest_many("server", ["servets", "servers", "SERVER", "servers", "serve", "server", "a::server"]);
        assert_eq!(found, ["SERVER", "servers", "serve", "servets", "a::server"]);
        let many: Vec<String> = (0..10).map(|n| format!("server{n}")).collect();
        assert_eq!(nearest_many("server", many.iter().map(String::as_str)).len(), MAX_SUGGESTIONS);
    }

    #[test]
    fn very_long_words_are_not_compared() {
        let long = "x".repeat(1 << 20);
        let other = format!("{long}y");
        assert_eq!(nearest(&long, [other.as_str()]), None);
        assert_eq!(nearest("xx", [other.as_str()]), None);
    }

    proptest! {
        #[test]
        fn any_two_words_can_be_compared(word in "\\PC{0,12}", other in "\\PC{0,12}") {
            let found = nearest_many(&word, [other.as_str(), word.as_str()]);
            prop_assert!(!found.contains(&word.as_str()));
        }

        #[test]
        fn one_slip_in_a_long_word_is_found(word in "[a-z]{4,12}", at in 0usize..12, letter in "[a-z]") {
            let at = at % word.len();
            let slip = format!("{}{letter}{}", &word[..at], &word[at + 1..]);
            prop_assume!(slip != word);
            prop_assert_eq!(nearest(&slip, [word.as_str()]), Some(word.as_str()));
        }

        /// The bounded distance is the distance.
        #[test]
        fn distances_are_those_of_the_whole_table(word in "[abcä]{0,9}", other in "[abcä]{0,9}", most in 0usize..6) {
            let letters = |word: &str| word.chars().collect::<Vec<char>>();
            let distance = strsim::osa_distance(&word, &other);
            let expected = Some(distance).filter(|distance| *distance <= most);
            prop_assert_eq!(distance_within(&letters(&word), &letters(&other), most), expected);
        }

        /// The nearest one is the first of many.
        #[test]
        fn the_nearest_is_the_first_of_many(word in "[ab:]{0,6}", others in proptest::collection::vec("[abAB:]{0,6}", 0..6)) {
            let others = || others.iter().map(String::as_str);
            prop_assert_eq!(nearest(&word, others()), nearest_many(&word, others()).into_iter().next());
        }

        /// The cheap tests must not lose a result of the full comparison.
        #[test]
        fn cheap_tests_keep_all_suggestions(word in "[a-cA-C:]{0,9}", other in "[a-cA-C:]{0,9}") {
            let plain = |name: &str| name.trim_start_matches("::").to_lowercase();
            if word != other && count_mistakes(&plain(&word), &plain(&other), MAX_MISTAKES).is_some() {
                prop_assert_eq!(nearest(&word, [other.as_str()]), Some(other.as_str()));
            }
        }
    }
}
