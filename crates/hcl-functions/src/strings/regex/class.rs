//! Classes of characters by name.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// The Perl class of a letter after a backslash, with whether a capital letter negates it. These classes are ASCII.
pub(super) fn perl(letter: char) -> Option<(ClassUnicode, bool)> {
    let ranges: &[(char, char)] = match letter.to_ascii_lowercase() {
        'd' => &[('0', '9')],
        's' => &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')],
        'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        _ => return None,
    };
    Some((from_ranges(ranges), letter.is_ascii_uppercase()))
}

/// The POSIX class of a name such as `[:alpha:]` or `[:^alpha:]`.
pub(super) fn posix(name: &str) -> Option<(ClassUnicode, bool)> {
    let name = name.strip_prefix("[:")?.strip_suffix(":]")?;
    let (negated, name) = match name.strip_prefix('^') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let ranges: &[(char, char)] = match name {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "ascii" => &[('\0', '\u{7f}')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "cntrl" => &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
        "digit" => &[('0', '9')],
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "upper" => &[('A', 'Z')],
        "word" => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some((from_ranges(ranges), negated))
}

/// The class of a category or script of Unicode.
pub(super) fn unicode(name: &str) -> Option<ClassUnicode> {
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' ')) {
        return None;
    }
    let of = |kind: &str| {
        let hir = regex_syntax::Parser::new().parse(&format!("\\p{{{kind}={name}}}")).ok()?;
        match hir.into_kind() {
            HirKind::Class(Class::Unicode(class)) => Some(class),
            // A class of one character.
            HirKind::Literal(literal) => {
                let letter = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
                Some(range(letter, letter))
            }
            _ => None,
        }
    };
    of("gc").or_else(|| of("sc"))
}

/// The class of one range.
pub(super) fn range(low: char, high: char) -> ClassUnicode {
    from_ranges(&[(low, high)])
}

fn from_ranges(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(low, high)| ClassUnicodeRange::new(low, high)))
}
