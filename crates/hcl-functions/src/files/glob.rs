//! Patterns of file names: `*`, `?`, `[a-z]`, `{one,other}`, `\` (<https://github.com/bmatcuk/doublestar/tree/v1#patterns>).

/// A pattern that cannot be read.
#[derive(Debug, PartialEq)]
pub(super) struct BadPattern;

/// The maximum number of patterns that alternatives may expand to.
const MAX_PATTERNS: usize = 10_000;

/// Expands the alternatives of a pattern.
pub(super) fn alternatives(pattern: &str) -> Result<Vec<String>, BadPattern> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        if open.len() + done.len() > MAX_PATTERNS {
            return Err(BadPattern);
        }
        match first_braces(&pattern)? {
            None => done.push(pattern),
            Some((before, options, after)) => {
                open.extend(options.iter().rev().map(|option| format!("{before}{option}{after}")));
            }
        }
    }
    Ok(done)
}

/// A pattern split at its first braces: before, the comma-separated alternatives, after.
type Braces<'p> = (&'p str, Vec<&'p str>, &'p str);

/// Splits a pattern at its first braces: the string before them, their comma-separated content, and the string after
/// them.
fn first_braces(pattern: &str) -> Result<Option<Braces<'_>>, BadPattern> {
    let mut options = Vec::new();
    let (mut depth, mut start, mut option) = (0usize, 0, 0);
    let (mut escaped, mut in_class) = (false, false);
    for (at, letter) in pattern.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if depth == 0 => in_class = true,
            ']' if depth == 0 => in_class = false,
            '{' if !in_class => {
                if depth == 0 {
                    (start, option) = (at, at + 1);
                }
                depth += 1;
            }
            '}' if depth == 1 => {
                options.push(pattern.get(option..at).unwrap_or_default());
                let before = pattern.get(..start).unwrap_or_default();
                return Ok(Some((before, options, pattern.get(at + 1..).unwrap_or_default())));
            }
            '}' if depth > 1 => depth -= 1,
            ',' if depth == 1 => {
                options.push(pattern.get(option..at).unwrap_or_default());
                option = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 { Err(BadPattern) } else { Ok(None) }
}

/// Matches a name against a pattern without alternatives and slashes.
pub(super) fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let (mut pattern, mut name) = (pattern, name);
    // The state to resume at if the pattern after the last star does not match here.
    let mut retry: Option<(&str, &str)> = None;
    loop {
        let step = match pattern.chars().next() {
            Some('*') => {
                pattern = pattern.trim_start_matches('*');
                retry = Some((pattern, name));
                continue;
            }
            None if name.is_empty() => return Ok(true),
            None => None,
            Some(first) => single(first, pattern, name)?,
        };
        if let Some(rest) = step {
            (pattern, name) = rest;
            continue;
        }
        let Some((after_star, from)) = retry else { return Ok(false) };
        let mut letters = from.chars();
        if letters.next().is_none() {
            return Ok(false);
        }
        retry = Some((after_star, letters.as_str()));
        (pattern, name) = (after_star, letters.as_str());
    }
}

/// Matches one character, and returns the rest of the pattern and of the name.
fn single<'p, 'n>(first: char, pattern: &'p str, name: &'n str) -> Result<Option<(&'p str, &'n str)>, BadPattern> {
    let mut letters = name.chars();
    let Some(letter) = letters.next() else { return Ok(None) };
    let behind = pattern.get(first.len_utf8()..).unwrap_or_default();
    let (fits, behind) = match first {
        '?' => (true, behind),
        '\\' => {
            let wanted = behind.chars().next().ok_or(BadPattern)?;
            (wanted == letter, behind.get(wanted.len_utf8()..).unwrap_or_default())
        }
        '[' => class(behind, letter)?,
        first => (first == letter, behind),
    };
    Ok(fits.then_some((behind, letters.as_str())))
}

/// Matches a letter against a class, from after its opening bracket, and returns the rest of the pattern.
fn class(pattern: &str, letter: char) -> Result<(bool, &str), BadPattern> {
    let mut escaped = false;
    let end = pattern.find(|letter| {
        let ends = letter == ']' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    });
    let (content, behind) = pattern.split_at(end.ok_or(BadPattern)?);
    let (negated, content) = match content.strip_prefix('^') {
        Some(content) => (true, content),
        None => (false, content),
    };
    if content.is_empty() && !negated {
        return Err(BadPattern);
    }
    let mut letters = content.chars().peekable();
    let mut found = false;
    while letters.peek().is_some() {
        let low = bound(&mut letters)?;
        let high = if letters.next_if_eq(&'-').is_some() { bound(&mut letters)? } else { low };
        found |= (low..=high).contains(&letter);
    }
    Ok((found != negated, behind.get(1..).unwrap_or_default()))
}

fn bound(letters: &mut impl Iterator<Item = char>) -> Result<char, BadPattern> {
    match letters.next() {
        None | Some('-') => Err(BadPattern),
        Some('\\') => letters.next().ok_or(BadPattern),
        Some(letter) => Ok(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match() {
        for (pattern, name, expected) in [
            ("*.txt", "a.txt", true),
            ("*.txt", ".txt", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?", "é", true),
            ("[a-c]x", "bx", true),
            ("[^a-c]x", "bx", false),
            ("[a\\]]", "]", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, name), Ok(expected), "{pattern} {name}");
        }
        assert_eq!(matches("[a", "a"), Err(BadPattern));
        assert_eq!(matches("[]", "a"), Err(BadPattern));
        assert_eq!(matches("\\", "a"), Err(BadPattern));
    }

    #[test]
    fn alternatives_nest() {
        let all = |pattern| alternatives(pattern).map(|all| all.join(" "));
        assert_eq!(all("a{b,c{d,e}}f"), Ok("abf acdf acef".into()));
        assert_eq!(all("[{]a"), Ok("[{]a".into()));
        assert_eq!(all("a{b"), Err(BadPattern));
    }
}
