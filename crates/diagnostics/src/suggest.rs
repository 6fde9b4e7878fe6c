//! "Did you mean": the spelling that is nearest.

/// How many letters may be wrong, for so many letters in all: one in three.
const LETTERS_FOR_ONE_MISTAKE: usize = 3;
/// More mistakes than this are another word.
const MOST_MISTAKES: usize = 4;
/// How many suggestions are useful.
const MOST_SUGGESTIONS: usize = 5;

/// The candidate whose spelling is nearest, if one is near at all.
///
/// ```
/// use hieratic_diagnostics::nearest;
/// assert_eq!(nearest("ntp::server", ["ntp::servers", "dns::server"]), Some("ntp::servers"));
/// assert_eq!(nearest("port", ["hostname"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_many(word, candidates).into_iter().next()
}

/// The candidates whose spelling is near, the nearest first; of those that are equally near, the first.
pub fn nearest_many<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let length = word.chars().count();
    let allowed = (length / LETTERS_FOR_ONE_MISTAKE).clamp(1, MOST_MISTAKES);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        // What is much longer or shorter is not near; looking at the lengths first makes long lists cheap.
        if candidate == word || candidate.chars().count().abs_diff(length) > allowed {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(word) {
            0
        } else {
            strsim::osa_distance(word, candidate)
        };
        // With most letters changed, a short word is another word.
        if distance <= allowed && distance * 2 < length.max(2) {
            near.push((distance, candidate));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(MOST_SUGGESTIONS);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_spellings_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("Facts", ["facts", "trusted"]), Some("facts"));
        assert_eq!(nearest("profle::web::prot", ["profile::web::port", "profile::db::port"]), Some("profile::web::port"));
        assert_eq!(nearest("ab", ["xy", "ac"]), None);
        assert_eq!(nearest("a", []), None);
    }
}
