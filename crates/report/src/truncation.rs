//! [`truncate`] and [`truncate_both`]: strings that are too long for their place.

use hieratic_impact::Diff;

/// Truncates a string to a number of characters, the ellipsis not counted.
///
/// ```
/// assert_eq!(hieratic_report::truncate("web01.example.com", 5), "web01…");
/// ```
pub fn truncate(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Truncates both sides of a change so that a reader sees the difference: in a long string that begins like the other
/// side, characters between the beginning and the difference are left out. `most` are the characters of each side,
/// ellipses counted.
pub(crate) fn truncate_both(texts: Diff<&str>, most: Diff<usize>) -> Diff<String> {
    let counts = texts.map(|text| text.chars().count());
    let common = texts.base.chars().zip(texts.head.chars()).take_while(|(base, head)| base == head).count();
    let least = most.base.min(most.head);
    let beginning = least / 4;
    let context = (least - beginning) / 3;
    // Secrets that differ are equal where they are shown.
    if common + context < least || texts.is_same() {
        return texts.zip(most).map(|(text, most)| fit(text, most));
    }
    // The room after the beginning and its ellipsis.
    let window = most.map(|most| most.saturating_sub(beginning + 1));
    // Both continue at the same character, so that their ends are compared as they are.
    let longest = counts.base.max(counts.head);
    let start = (common - context).min(longest.saturating_sub(window.base.min(window.head)));
    texts.zip(counts).zip(most.zip(window)).map(|((text, count), (most, window))| {
        if count <= most {
            return text.to_owned();
        }
        let first: String = text.chars().take(beginning).collect();
        let rest: String = text.chars().skip(start).collect();
        format!("{first}…{}", fit(&rest, window))
    })
}

/// Truncates a string to a number of characters, the ellipsis counted.
fn fit(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_some() { truncate(text, most.saturating_sub(1)) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truncated<'t>(base: &'t str, head: &'t str) -> [String; 2] {
        let Diff { base, head } = truncate_both(Diff { base, head }, Diff { base: 24, head: 24 });
        [base, head]
    }

    #[test]
    fn a_difference_at_the_end_is_shown() {
        let url = |version: &str| format!("https://files.example.com/archives/tool-{version}.tar.gz");
        assert_eq!(truncated(&url("1.2"), &url("1.3")), ["https:…s/tool-1.2.tar.gz", "https:…s/tool-1.3.tar.gz"]);
    }

    #[test]
    fn a_difference_at_the_beginning_needs_no_gap() {
        let [base, head] = truncated(&"a".repeat(40), &"b".repeat(40));
        assert_eq!((base, head), (format!("{}…", "a".repeat(23)), format!("{}…", "b".repeat(23))));
    }

    #[test]
    fn a_short_side_is_whole() {
        assert_eq!(truncated("short", "a much longer text than this"), ["short", "a much longer text than…"]);
    }

    #[test]
    fn an_end_that_is_added_is_shown() {
        let base = "x".repeat(30);
        let head = format!("{base}yz");
        assert_eq!(
            truncated(&base, &head),
            [format!("{}…{}", "x".repeat(6), "x".repeat(15)), format!("{}…{}yz", "x".repeat(6), "x".repeat(15))]
        );
    }

    proptest::proptest! {
        #[test]
        fn different_strings_stay_different(base in "[ab]{0,60}", head in "[ab]{0,60}", most in 8_usize..40) {
            let shown = truncate_both(Diff { base: &base, head: &head }, Diff { base: most, head: most + 3 });
            proptest::prop_assert_eq!(shown.base == shown.head, base == head);
            proptest::prop_assert!(shown.into_iter().all(|text| text.chars().count() <= most + 3));
        }
    }
}
