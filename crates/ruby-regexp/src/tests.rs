//! Recorded answers of Ruby 3.1.2, and properties of every pattern.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// Patterns and strings with the answers of Ruby 3.1.2: one JSON object per line, with the pattern, its options, the
/// strings, and either the message or, for each string, the offsets of the match and its groups.
const RECORDED: &str = include_str!("recorded.jsonl");

fn options(letters: &str) -> Options {
    Options { ignore_case: letters.contains('i'), extended: letters.contains('x'), multiline: letters.contains('m') }
}

#[test]
fn all_is_as_recorded() {
    let mut patterns = 0;
    for line in RECORDED.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (pattern, letters) = (case["pattern"].as_str().unwrap(), case["options"].as_str().unwrap());
        let compiled = Regexp::with_options(pattern, options(letters));
        patterns += 1;
        if let Some(message) = case["error"].as_str() {
            assert_eq!(compiled.unwrap_err().to_string(), message);
            continue;
        }
        let compiled = compiled.unwrap();
        assert_eq!(compiled.to_string(), case["inspect"].as_str().unwrap());
        assert_eq!(compiled.names().collect::<Vec<_>>(), strings(&case["names"]), "{pattern}");
        let fast = compiled.bounded();
        for (text, expected) in case["texts"].as_array().unwrap().iter().zip(case["matches"].as_array().unwrap()) {
            let text = text.as_str().unwrap();
            let found = compiled.try_captures_at(text, 0).unwrap();
            assert_eq!(
                found.map_or(Value::Null, |found| json(found.iter())),
                *expected,
                "{pattern:?} {letters} {text:?}"
            );
            if let Some(fast) = fast.filter(|fast| fast.is_equivalent_for(text)) {
                let found = fast.search(text, 0, true).map_or(Value::Null, |found| json(found.into_iter()));
                assert_eq!(found, *expected, "bounded: {pattern:?} {letters} {text:?}");
            }
        }
    }
    assert!(patterns > 500, "{patterns}");
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

fn json(groups: impl Iterator<Item = Option<Range<usize>>>) -> Value {
    groups.map(|group| group.map_or(Value::Null, |range| serde_json::json!([range.start, range.end]))).collect()
}

#[test]
fn captures_have_numbers_and_names() {
    let regexp = Regexp::new("(?<year>\\d+)-(?<month>\\d+)|(?<year>x)").unwrap();
    assert_eq!(regexp.names().collect::<Vec<_>>(), ["year", "month"]);
    let captures = regexp.captures("on 2024-05").unwrap();
    assert_eq!(captures.whole(), 3..10);
    assert_eq!((captures.get(0), captures.get(2), captures.get(3)), (Some(3..10), Some(8..10), None));
    assert_eq!((captures.name("year"), captures.name("day")), (Some(3..7), None));
    assert_eq!(regexp.captures("x").unwrap().name("year"), Some(0..1));
    assert_eq!(regexp.captures("y"), None);
}

#[test]
fn a_search_may_start_further_on() {
    let regexp = Regexp::new("(?<=a)b|^c").unwrap();
    assert_eq!(regexp.find_at("ab", 1), Some(1..2));
    assert_eq!(regexp.find_at("xc", 1), None);
    assert_eq!(regexp.find_at("é", 1), None);
    assert_eq!(regexp.find_at("ab", 3), None);
    assert_eq!(Regexp::new("\\Gb").unwrap().find_at("ab", 1), Some(1..2));
}

#[test]
fn no_line_begins_behind_the_last_newline() {
    for (pattern, text, expected) in [
        ("^\\z", "a\n", None),
        ("^$", "a\n\n", Some(2..2)),
        ("\n^", "a\n", None),
        ("\n^", "a\nb", Some(1..2)),
        ("^b*$", "a\nb\n", Some(2..3)),
        ("\\Z", "a\n", Some(1..1)),
    ] {
        let regexp = Regexp::new(pattern).unwrap();
        assert_eq!(regexp.find(text), expected, "{pattern:?} {text:?}");
        assert!(
            regexp.bounded().is_some_and(|bounded| bounded.is_equivalent_for(text) != text.ends_with('\n')),
            "{pattern:?}"
        );
    }
}

#[test]
fn patterns_compare_by_source_and_options() {
    let with = |letters| Regexp::with_options("a", options(letters)).unwrap();
    assert_eq!(with("i"), with("i"));
    assert_ne!(with("i"), with(""));
    assert_eq!(format!("{:?} {:?}", with("mix"), with("")), "/a/mix /a/");
    fn is_shared_between_threads<T: Send + Sync + Clone>(_: &T) {}
    is_shared_between_threads(&with(""));
}

/// The limit of backtracks of a few searches that are cancelled in time.
const MAX_COST: u64 = 200_000_000;

#[test]
fn a_pathological_search_ends() {
    let hostile = "a".repeat(60) + "b";
    // Without bounds, this takes longer than there is time.
    take_search_cost();
    assert_eq!(Regexp::new("(?=a)(a*)*\\1$").unwrap().try_is_match(&hostile), Err(TooExpensive::new()));
    assert!(!Regexp::new("(?=a)(a*)*\\1$").unwrap().is_match(&hostile));
    // These need no backtracking.
    assert_eq!(Regexp::new("(a|aa)+c").unwrap().try_is_match(&hostile), Ok(false));
    assert_eq!(Regexp::new("^(([a-z])+.)+[A-Z]([a-z])+$").unwrap().try_is_match(&hostile), Ok(false));
    assert_eq!(Regexp::new("(x+x+)+y").unwrap().try_find_at(&("x".repeat(3000) + "zxxy"), 0), Ok(Some(3001..3004)));
    let cost = take_search_cost();
    assert!(cost < MAX_COST, "{cost}");
}

#[test]
fn a_search_of_a_short_text_takes_little() {
    take_search_cost();
    let pattern = Regexp::new("^(.+)\\.example\\.org$").unwrap();
    assert!(!pattern.is_match("www.example.com"));
    let cost = take_search_cost();
    assert!(cost < 200, "{cost}");
}

#[test]
fn successive_searches_cost_no_more_than_one() {
    for pattern in [",", "", ",|;", "(?=,)(.)", "[^,]+", "x"] {
        let pattern = Regexp::new(pattern).unwrap();
        let [short, long] = [10_000, 100_000].map(|count| {
            let text = "x,".repeat(count);
            take_search_cost();
            let (mut start, mut found) = (0, 0);
            while let Some(place) = pattern.try_find_at(&text, start).unwrap() {
                start = place.end + usize::from(place.is_empty());
                found += 1;
                if start > text.len() {
                    break;
                }
            }
            assert!(found >= count);
            take_search_cost()
        });
        // Long strings are searched in another way, which charges more for each position.
        assert!(long <= 60 * short, "{pattern:?}: {short}, {long}");
    }
}

#[test]
fn a_long_text_does_not_multiply_the_work() {
    take_search_cost();
    let text = "a".repeat(1 << 18);
    assert_eq!(Regexp::new("(?=a)(a|aa)+$[b]").unwrap().try_is_match(&text), Err(TooExpensive::new()));
    assert_eq!(Regexp::new(".*b").unwrap().try_is_match(&text), Ok(false));
    // Goes forward only, but from every place.
    assert_eq!(Regexp::new("(?=a).*[b]").unwrap().try_is_match(&text), Err(TooExpensive::new()));
    assert_eq!(Regexp::new("(?=a)a{3}(?!a)").unwrap().try_find_at(&text, 0), Ok(Some(text.len() - 3..text.len())));
    assert_eq!(Regexp::new("a*b").unwrap().try_is_match(&text), Ok(false));
    // An expensive position does not cancel the search for matches after it, unless the string is so long that the
    // rest may be more expensive.
    let text = "a".repeat(500) + "b" + &"c".repeat(1_000) + "dd";
    assert_eq!(Regexp::new("(?=.)a*a*x|(d)\\1").unwrap().try_find_at(&text, 0), Ok(Some(1_501..1_503)));
    let cost = take_search_cost();
    assert!(cost < MAX_COST, "{cost}");
}

#[test]
fn hostile_patterns_are_refused_or_compile() {
    for part in ["(", "[", "(?:", "(?=", "(?<=", "(?i:", "a|", "[^", "[a&&", "(?~", "{", "(?#", "\\", "(?<n>", "(?(1)"]
    {
        for length in [10, 1_000, LONGEST / part.len()] {
            let open = part.repeat(length);
            let _ = Regexp::new(&open);
            let _ = Regexp::new(&format!("{}a{}", part.repeat(length / 2), ")".repeat(length / 2)));
            let _ = Regexp::new(&format!("{}a{}", part.repeat(length / 2), "]".repeat(length / 2)));
        }
    }
    for pattern in [
        "((((a{1000}){1000}){1000}){1000})",
        "(?=(?=.*b).*c)*x",
        "(?<n>a\\g<n>?)",
        "(?i)(((((ﬀ{9}){9}){9}){9}){9})",
        "\\p{L}{9999}",
    ] {
        let _ = Regexp::new(pattern).map(|regexp| regexp.try_is_match("aaaa"));
    }
    assert_eq!(Regexp::new(&"a".repeat(LONGEST + 1)).unwrap_err().reason(), "too long a pattern (65537 bytes)");
}

/// Random patterns from all parts of the syntax, most of them well formed.
fn pattern() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        4 => "[abA\n_1 -]",
        1 => "[é\u{df}\u{17f}.^$|]",
        2 => prop::sample::select(&[
            "\\w", "\\W", "\\d", "\\s", "\\S", "\\h", "\\b", "\\B", "\\A", "\\z", "\\Z", "[ab]", "[^a]", "[a-c_]", "[\\w-]", "[^\\d\\s]",
            "[[:alpha:]]", "[[:^space:]]", "[[:punct:]]", "[a-b[^1]]", "[]a]", "\\.", "\\n", "\\x41", "[A-b]", "[-a]", "[\\W]",
        ]).prop_map(str::to_string),
    ];
    let repeat = prop::sample::select(&[
        "", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}", "{1,}", "{1,2}?",
    ]);
    let group = prop::sample::select(&["(", "(?:", "(?i:", "(?m:", "(?x: ", "(?<n>", "(?=", "(?-i:"]);
    atom.prop_recursive(3, 24, 4, move |inner| {
        let item = (prop::option::weighted(0.4, group.clone()), prop::collection::vec((inner, repeat.clone()), 1..4));
        item.prop_map(|(group, items)| {
            let body: String = items.into_iter().flat_map(|(item, repeat)| [item, repeat.to_string()]).collect();
            group.map_or(body.clone(), |group| format!("{group}{body})"))
        })
    })
}

fn letters() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["", "", "", "i", "m", "x", "mix"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn both_engines_find_the_same(
        pattern in pattern(),
        letters in letters(),
        texts in prop::collection::vec("[abA\n_1 .Bé\u{df}s-]{0,7}", 6),
    ) {
        let Ok(regexp) = Regexp::with_options(&pattern, options(letters)) else { return Ok(()) };
        let Some(fast) = regexp.bounded() else { return Ok(()) };
        for text in texts.iter().filter(|text| fast.is_equivalent_for(text)) {
            let Ok(slow) = regexp.0.pattern.quick_search(text, 0) else { continue };
            let slow = slow.map(|region| oniguruma::groups(&region));
            prop_assert_eq!(fast.search(text, 0, true), slow, "{:?} {} {:?}", &pattern, letters, text);
        }
    }

    #[test]
    fn both_rounds_find_the_same(pattern in pattern(), letters in letters(), text in "[abA\n_1 .é]{0,7}") {
        let Ok(regexp) = Regexp::with_options(&pattern, options(letters)) else { return Ok(()) };
        let groups = |found: Result<Option<onig::Region>, _>| found.map(|found| found.map(|region| oniguruma::groups(&region)));
        let slow = groups(regexp.0.pattern.thorough_search(&text, 0, &Budget::default()));
let quick = groups(regexp.0.pattern.quick_search(&text, 0));
        prop_assume!(quick.is_ok() && slow.is_ok());
        prop_assert_eq!(quick, slow);
    }

    #[test]
    fn no_pattern_panics(pattern in ".{0,20}", syntax in "[a\\[\\](){}?*+|^$\\\\:<>=!#&~ipxukg1,-]{0,20}", text in ".{0,20}") {
        for pattern in [pattern, syntax] {
            if let Ok(regexp) = Regexp::new(&pattern) {
                let _ = regexp.captures(&text);
            }
        }
    }
}
