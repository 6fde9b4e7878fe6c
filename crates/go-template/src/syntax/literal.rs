//! Quoted strings and characters. Source of the rules: <https://pkg.go.dev/strconv#Unquote>.

/// The bytes of a string in double quotes or backquotes. `None` if an escape is not valid.
pub(super) fn unquote(text: &str) -> Option<Vec<u8>> {
    if let Some(raw) = text.strip_prefix('`') {
        return Some(raw.strip_suffix('`')?.bytes().filter(|byte| *byte != b'\r').collect());
    }
    let mut rest = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let (letter, tail) = unquote_letter(rest, '"')?;
        letter.add_to(&mut bytes);
        rest = tail;
    }
    Some(bytes)
}

/// The number of a character in single quotes.
pub(super) fn unquote_character(text: &str) -> Result<u32, String> {
    let inner = text.strip_prefix('\'').unwrap_or(text);
    let (letter, tail) = unquote_letter(inner, '\'').ok_or("invalid syntax")?;
    if tail != "'" {
        return Err(format!("malformed character constant: {text}"));
    }
    Ok(match letter {
        Letter::Byte(byte) => byte.into(),
        Letter::Character(letter) => letter.into(),
    })
}

enum Letter {
    /// From `\x` or an octal number.
    Byte(u8),
    Character(char),
}

impl Letter {
    fn add_to(&self, bytes: &mut Vec<u8>) {
        match self {
            Letter::Byte(byte) => bytes.push(*byte),
            Letter::Character(letter) => bytes.extend(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// The first letter, and what follows it.
fn unquote_letter(text: &str, quote: char) -> Option<(Letter, &str)> {
    let mut letters = text.chars();
    let first = letters.next()?;
    if first == quote {
        return None;
    }
    if first != '\\' {
        return Some((Letter::Character(first), letters.as_str()));
    }
    let escape = letters.next()?;
    let rest = letters.as_str();
    let plain = match escape {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' => '\\',
        '\'' | '"' if escape == quote => quote,
        'x' => {
            let (number, rest) = digits(rest, 2, 16)?;
            return Some((Letter::Byte(u8::try_from(number).ok()?), rest));
        }
        'u' | 'U' => {
            let (number, rest) = digits(rest, if escape == 'u' { 4 } else { 8 }, 16)?;
            return Some((Letter::Character(char::from_u32(number)?), rest));
        }
        '0'..='7' => {
            // The escape itself is the first of three digits.
            let (number, rest) = digits(text.get(1..)?, 3, 8)?;
            return Some((Letter::Byte(u8::try_from(number).ok()?), rest));
        }
        _ => return None,
    };
    Some((Letter::Character(plain), rest))
}

fn digits(text: &str, count: usize, base: u32) -> Option<(u32, &str)> {
    let digits = text.get(..count)?;
    if !digits.bytes().all(|digit| char::from(digit).is_digit(base)) {
        return None;
    }
    // A number that is too large is not a character either.
    Some((u32::from_str_radix(digits, base).ok()?, text.get(count..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_go() {
        assert_eq!(unquote(r#""a\n\"\x41\101\u00e9\U0001F600""#).unwrap(), "a\n\"AAé😀".as_bytes());
        assert_eq!(unquote("`a\\n\r\n`").unwrap(), b"a\\n\n");
        assert_eq!(unquote(r#""\xff""#).unwrap(), [0xff]);
        for bad in [r#""\'""#, r#""\q""#, r#""\400""#, r#""\ud800""#, r#""\x4""#, r#""\u+123""#] {
            assert_eq!(unquote(bad), None, "{bad}");
        }
        assert_eq!(unquote_character("'é'"), Ok(0xe9));
        assert_eq!(unquote_character(r"'\''"), Ok(39));
        assert_eq!(unquote_character("'ab'"), Err("malformed character constant: 'ab'".into()));
        assert_eq!(unquote_character("''"), Err("invalid syntax".into()));
    }
}
