//! Letters in upper, lower and title case, as Go maps them.
//!
//! Each letter is mapped to exactly one letter, independent of its context
//! (<https://www.unicode.org/reports/tr44/#Simple_Case_Mapping>): `ß` has no capital, and every `Σ` becomes `σ`.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Converts letters to lower case.
///
/// ```
/// assert_eq!(hieratic_hcl_types::go::letters::to_lower("ΣΑΣ İ"), "σασ i");
/// ```
pub fn to_lower(text: &str) -> String {
    mapped(text, str::to_ascii_lowercase, lower)
}

/// Converts letters to upper case.
///
/// ```
/// assert_eq!(hieratic_hcl_types::go::letters::to_upper("straße"), "STRAßE");
/// ```
pub fn to_upper(text: &str) -> String {
    mapped(text, str::to_ascii_uppercase, upper)
}

/// Converts the first letter of each word to its form at the beginning of a word.
///
/// ```
/// assert_eq!(hieratic_hcl_types::go::letters::title("über ǆ's"), "Über ǅ'S");
/// ```
pub fn title(text: &str) -> String {
    let mut before = ' ';
    let changed = text.chars().map(|letter| {
        let changed = if separates(before) { title_letter(letter) } else { letter };
        before = letter;
        changed
    });
    changed.collect()
}

fn mapped(text: &str, ascii: fn(&str) -> String, letter: fn(char) -> char) -> String {
    if text.is_ascii() { ascii(text) } else { text.chars().map(letter).collect() }
}

/// Returns the small form of a letter, or the letter if it has none.
pub fn lower(letter: char) -> char {
    // The one letter whose full mapping is longer than the simple one.
    if letter == 'İ' { 'i' } else { single(letter, letter.to_lowercase()).unwrap_or(letter) }
}

/// Returns the capital form of a letter, or the letter if it has none.
pub fn upper(letter: char) -> char {
    single(letter, letter.to_uppercase()).unwrap_or_else(|| with_iota(letter))
}

fn single(letter: char, mut mapping: impl Iterator<Item = char>) -> Option<char> {
    let first = mapping.next().unwrap_or(letter);
    mapping.next().is_none().then_some(first)
}

/// Greek letters with an iota subscript have a capital letter with an adscript. Other letters whose full mapping is
/// longer than one letter have no capital.
fn with_iota(letter: char) -> char {
    let offset = match letter {
        '\u{1F80}'..='\u{1FAF}' if letter as u32 & 8 == 0 => 8,
        'ᾳ' | 'ῃ' | 'ῳ' => 9,
        _ => 0,
    };
    char::from_u32(letter as u32 + offset).unwrap_or(letter)
}

/// The form at the beginning of a word: that of the upper case, except for letters that are two, and for Georgian.
pub fn title_letter(letter: char) -> char {
    match letter {
        'Ǆ'..='ǆ' => 'ǅ',
        'Ǉ'..='ǉ' => 'ǈ',
        'Ǌ'..='ǌ' => 'ǋ',
        'Ǳ'..='ǳ' => 'ǲ',
        'ა'..='ჺ' | 'ჽ'..='ჿ' => letter,
        _ => upper(letter),
    }
}

/// Returns whether a word begins after this character.
fn separates(letter: char) -> bool {
    use GeneralCategory::{
        DecimalNumber, LowercaseLetter, ModifierLetter, OtherLetter, TitlecaseLetter, UppercaseLetter,
    };
    if letter.is_ascii() {
        return !letter.is_ascii_alphanumeric() && letter != '_';
    }
    let category = get_general_category(letter);
    let in_word = matches!(
        category,
        UppercaseLetter | LowercaseLetter | TitlecaseLetter | ModifierLetter | OtherLetter | DecimalNumber
    );
    !in_word && letter.is_whitespace()
}
