//! Functions that write the words of a name in another way. Only ASCII is divided into words: the reference's classes of
//! other letters are those of its tables of Unicode.

/// Writes words with a large first letter and without separators between them.
pub(super) fn pascal(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    while let Some(separator) = letters.next_if(|letter| is_separator(*letter)) {
        out.push(separator);
        before = Some(separator);
    }
    // The reference writes the last separator twice if there is nothing else.
    let Some(first) = letters.next() else {
        out.extend(before);
        return out;
    };
    let mut is_large = first.is_ascii_uppercase();
    let mut last = first.to_ascii_uppercase();
    for letter in letters {
        let before = std::mem::replace(&mut last, letter);
        if is_separator(letter) && is_separator(before) {
            out.push(before);
        } else if is_separator(before) {
            is_large = letter.is_ascii_uppercase();
            last = letter.to_ascii_uppercase();
        } else {
            if is_large && letter.is_ascii_uppercase() {
                last = letter.to_ascii_lowercase();
            } else {
                is_large = false;
            }
            out.push(before);
        }
    }
    out.push(last);
    out
}

/// The class of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    None,
    Number,
    /// Begins with a large letter.
    Large,
    Letters,
    Separators,
    Punctuation,
    Other,
}

/// Writes words in small letters, with a separator between them.
pub(super) fn separated(text: &str, separator: char) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let write = |out: &mut String, (class, word): (Class, &str)| match class {
        Class::Large | Class::Separators => out.extend(word.chars().map(|letter| match letter {
            letter if is_separator(letter) => separator,
            letter => letter.to_ascii_lowercase(),
        })),
        _ => out.push_str(word),
    };
    let is_joined = |class: Class| matches!(class, Class::Letters | Class::Number);
    let (mut word, mut rest) = next_word(text);
    while !rest.is_empty() {
        if word.0 != Class::Separators {
            write(&mut out, word);
        }
        let last = word;
        (word, rest) = next_word(rest);
        match last.0 {
            Class::Number => {
                while is_joined(word.0) {
                    write(&mut out, word);
                    (word, rest) = next_word(rest);
                }
                if !matches!(word.0, Class::None | Class::Punctuation | Class::Separators) {
                    out.push(separator);
                }
            }
            Class::Separators => write(&mut out, last),
            Class::Punctuation => {}
            _ if word.0 != Class::Number => {
                if !matches!(word.0, Class::Separators | Class::Punctuation) {
                    out.push(separator);
                }
            }
            _ if rest.is_empty() => {}
            _ => {
                let number = word;
                (word, rest) = next_word(rest);
                // A number belongs to the word before it, except before small letters.
                if word.0 != Class::Letters {
                    write(&mut out, number);
                    if !matches!(word.0, Class::Separators | Class::Punctuation) {
                        out.push(separator);
                    }
                    continue;
                }
                out.push(separator);
                write(&mut out, number);
                while is_joined(word.0) {
                    write(&mut out, word);
                    (word, rest) = next_word(rest);
                }
                if !matches!(word.0, Class::None | Class::Separators | Class::Punctuation) {
                    out.push(separator);
                }
            }
        }
    }
    write(&mut out, word);
    out
}

/// The first word of a string, and the rest.
fn next_word(text: &str) -> ((Class, &str), &str) {
    let Some(first) = text.chars().next() else { return ((Class::None, ""), "") };
    let behind = |is_inner: fn(char) -> bool| text.find(|letter| !is_inner(letter)).unwrap_or(text.len());
    let (class, length) = match first {
        letter if is_separator(letter) => (Class::Separators, behind(is_separator)),
        letter if is_punctuation(letter) => (Class::Punctuation, behind(is_punctuation)),
        letter if letter.is_ascii_uppercase() => (Class::Large, large_word(text)),
        letter if letter.is_ascii_lowercase() => (Class::Letters, behind(|letter| letter.is_ascii_lowercase())),
        letter if letter.is_ascii_digit() => (Class::Number, behind(|letter| letter.is_ascii_digit())),
        _ => (
            Class::Other,
            behind(|letter| !is_separator(letter) && !is_punctuation(letter) && !letter.is_alphanumeric()),
        ),
    };
    let (word, rest) = text.split_at(length.max(first.len_utf8()));
    ((class, word), rest)
}

/// The length of a word that begins with a large letter: large letters, or one and small ones behind it. In
/// `HTTPStatus`, the last large letter belongs to the next word.
fn large_word(text: &str) -> usize {
    let large = text.find(|letter: char| !letter.is_ascii_uppercase()).unwrap_or(text.len());
    let rest = text.get(large..).unwrap_or_default();
    let small = rest.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(rest.len());
    match (large, small) {
        (1, small) => 1 + small,
        (large, 0) => large,
        (large, _) => large - 1,
    }
}

fn is_separator(letter: char) -> bool {
    letter == '-' || letter == '_' || letter.is_whitespace()
}

fn is_punctuation(letter: char) -> bool {
    // Those that Unicode calls symbols are others.
    letter.is_ascii_punctuation() && !"$+<=>^`|~".contains(letter)
}
