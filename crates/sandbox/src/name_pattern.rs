//! Patterns of file names in the three dialects that the references have.
//!
//! All have `*`, `?` and classes, and match within one name. They differ in the content of classes and in the errors. A
//! search in folders splits a path at its slashes and matches each name; the caller decides about the order, links and
//! hidden names.
//!
//! The rules are those of Ruby's [`Dir.glob`](https://docs.ruby-lang.org/en/3.1/Dir.html#method-c-glob), of
//! [doublestar](https://github.com/bmatcuk/doublestar/tree/v1#patterns) in Go, and of Python's
//! [`fnmatch`](https://docs.python.org/3/library/fnmatch.html).

use hieratic_budget::{Budget, Exhausted};

/// The program whose rules a pattern follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// A backslash escapes, `[!a]` and `[^a]` exclude, a class without an end matches nothing.
    Ruby,
    /// A backslash escapes, `[^a]` excludes, a class without an end or with an open range is an error.
    Go,
    /// Nothing escapes, `[!a]` excludes, `]` belongs to a class only as its first character, a class without an end is
    /// a literal bracket.
    Python,
}

/// The error for a malformed pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPattern;

/// Returns whether a name matches a pattern without braces and slashes. The cost is at most the length of the name
/// times the number of stars.
///
/// ```
/// use hieratic_sandbox::name_pattern::{Dialect, matches};
///
/// assert_eq!(matches(Dialect::Ruby, "*.y[a-m]ml", "web.yaml"), Ok(true));
/// assert!(matches(Dialect::Go, "[a", "a").is_err());
/// assert_eq!(matches(Dialect::Python, "[a", "[a"), Ok(true));
/// ```
///
/// # Errors
///
/// [`BadPattern`] in Go's dialect, if matching reaches the malformed part.
pub fn matches(dialect: Dialect, pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let pattern = if dialect == Dialect::Ruby { without_open_escape(pattern) } else { pattern };
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
            Some(first) => match_character(dialect, first, pattern, name)?,
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

/// A pattern without the backslash at its end that escapes nothing: Ruby passes over it.
fn without_open_escape(pattern: &str) -> &str {
    let literal = pattern.trim_end_matches('\\');
    let is_open = (pattern.len() - literal.len()) % 2 == 1;
    &pattern[..pattern.len() - usize::from(is_open)]
}

/// The rest of a pattern and the rest of a name.
type Rest<'p, 'n> = (&'p str, &'n str);

/// Matches one character, and returns the rest of both.
fn match_character<'p, 'n>(
    dialect: Dialect,
    first: char,
    pattern: &'p str,
    name: &'n str,
) -> Result<Option<Rest<'p, 'n>>, BadPattern> {
    let mut letters = name.chars();
    let Some(letter) = letters.next() else { return Ok(None) };
    let after = &pattern[first.len_utf8()..];
    let (is_match, after) = match first {
        '?' => (true, after),
        '\\' if dialect != Dialect::Python => match after.chars().next() {
            Some(literal) => (literal == letter, &after[literal.len_utf8()..]),
            None if dialect == Dialect::Go => return Err(BadPattern),
            // A backslash at the end was dropped before.
            None => (false, after),
        },
        '[' => match_class(dialect, after, letter)?,
        first => (first == letter, after),
    };
    Ok(is_match.then_some((after, letters.as_str())))
}

/// Matches a letter against a class, from after its opening bracket, and returns the pattern after it.
fn match_class(dialect: Dialect, pattern: &str, letter: char) -> Result<(bool, &str), BadPattern> {
    let Some(end) = class_end(dialect, pattern) else {
        return match dialect {
            Dialect::Ruby => Ok((false, pattern)),
            Dialect::Go => Err(BadPattern),
            Dialect::Python => Ok((letter == '[', pattern)),
        };
    };
    let after = &pattern[end + 1..];
    let (is_negated, content) = match pattern[..end].strip_prefix(negations(dialect)) {
        Some(content) => (true, content),
        None => (false, &pattern[..end]),
    };
    if dialect == Dialect::Go && content.is_empty() && !is_negated {
        return Err(BadPattern);
    }
    Ok((contains(dialect, content, letter)? != is_negated, after))
}

fn negations(dialect: Dialect) -> &'static [char] {
    match dialect {
        Dialect::Ruby => &['!', '^'],
        Dialect::Go => &['^'],
        Dialect::Python => &['!'],
    }
}

/// The index of the bracket that ends a class.
fn class_end(dialect: Dialect, pattern: &str) -> Option<usize> {
    if dialect == Dialect::Python {
        let start = usize::from(pattern.starts_with('!'));
        // A bracket at the start belongs to the class.
        let start = start + usize::from(pattern[start..].starts_with(']'));
        return pattern[start..].find(']').map(|at| start + at);
    }
    let mut is_escaped = false;
    pattern.find(|letter| {
        let ends = letter == ']' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    })
}

/// Returns whether a class contains a letter.
fn contains(dialect: Dialect, content: &str, letter: char) -> Result<bool, BadPattern> {
    let mut rest = content;
    let mut found = false;
    while let Some((low, after)) = read_bound(dialect, rest)? {
        rest = after;
        let range = rest.strip_prefix('-').map(|after| read_bound(dialect, after)).transpose()?.flatten();
        match range {
            Some((high, after)) => {
                rest = after;
                found |= (low..=high).contains(&letter);
            }
            None if dialect == Dialect::Go && rest.starts_with('-') => return Err(BadPattern),
            None => found |= low == letter,
        }
    }
    Ok(found)
}

/// Reads the next letter of a class, with its escape.
fn read_bound(dialect: Dialect, content: &str) -> Result<Option<(char, &str)>, BadPattern> {
    let mut letters = content.chars();
    Ok(match letters.next() {
        None => None,
        Some('-') if dialect == Dialect::Go => return Err(BadPattern),
        Some('\\') if dialect != Dialect::Python => match letters.next() {
            Some(literal) => Some((literal, letters.as_str())),
            None if dialect == Dialect::Go => return Err(BadPattern),
            None => Some(('\\', "")),
        },
        Some(letter) => Some((letter, letters.as_str())),
    })
}

/// The maximum size of all patterns that braces expand to, in bytes.
pub const MAX_EXPANSION_BYTES: usize = 16 << 20;

/// The reason why the braces of a pattern cannot be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionError {
    /// Braces without an end, in Go's dialect. In Ruby's they are characters.
    BadPattern,
    /// The result has more patterns than allowed, or more than [`MAX_EXPANSION_BYTES`].
    TooLarge,
    /// A limit of the budget is reached.
    Limit(Exhausted),
}

/// Expands the braces of a pattern, which may be nested, to at most `most` patterns, in their order. Python's dialect
/// has no braces. Each pattern is charged to the budget.
///
/// ```
/// use hieratic_budget::Budget;
/// use hieratic_sandbox::name_pattern::{Dialect, ExpansionError, expand_braces};
///
/// let budget = Budget::default();
/// assert_eq!(expand_braces(Dialect::Ruby, "a{b,c{d,e}}f", 3, &budget).unwrap(), ["abf", "acdf", "acef"]);
/// assert_eq!(expand_braces(Dialect::Ruby, "{a,b}", 1, &budget), Err(ExpansionError::TooLarge));
/// ```
///
/// # Errors
///
/// [`ExpansionError`].
pub fn expand_braces(
    dialect: Dialect,
    pattern: &str,
    most: usize,
    budget: &Budget,
) -> Result<Vec<String>, ExpansionError> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    let mut bytes = pattern.len();
    while let Some(text) = open.pop() {
        budget.steps(text.len() as u64 + 1).map_err(ExpansionError::Limit)?;
        let Some((before, choices, after)) = split_braces(dialect, &text).map_err(|_| ExpansionError::BadPattern)?
        else {
            done.push(text);
            continue;
        };
        bytes += choices.iter().map(|choice| choice.len() + before.len() + after.len()).sum::<usize>();
        if done.len() + open.len() + choices.len() > most || bytes > MAX_EXPANSION_BYTES {
            return Err(ExpansionError::TooLarge);
        }
        // The last is pushed first, so that the first is popped first.
        open.extend(choices.iter().rev().map(|choice| format!("{before}{choice}{after}")));
    }
    Ok(done)
}

/// A pattern split at its first braces: before, the comma-separated alternatives, after.
type Braces<'p> = (&'p str, Vec<&'p str>, &'p str);

/// Splits a pattern at its first braces.
fn split_braces(dialect: Dialect, pattern: &str) -> Result<Option<Braces<'_>>, BadPattern> {
    if dialect == Dialect::Python {
        return Ok(None);
    }
    let mut alternatives = Vec::new();
    let (mut depth, mut start, mut alternative) = (0usize, 0, 0);
    let (mut is_escaped, mut in_class) = (false, false);
    for (at, letter) in pattern.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' if depth == 0 => in_class = dialect == Dialect::Go,
            ']' if depth == 0 => in_class = false,
            '{' if !in_class => {
                if depth == 0 {
                    (start, alternative) = (at, at + 1);
                }
                depth += 1;
            }
            '}' if depth == 1 => {
                alternatives.push(&pattern[alternative..at]);
                return Ok(Some((&pattern[..start], alternatives, &pattern[at + 1..])));
            }
            '}' if depth > 1 => depth -= 1,
            ',' if depth == 1 => {
                alternatives.push(&pattern[alternative..at]);
                alternative = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 && dialect == Dialect::Go { Err(BadPattern) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pattern, name, and what Ruby's `File.fnmatch`, doublestar's `Match` and Python's `fnmatchcase` say; `None` is an
    /// error.
    const TABLE: &[(&str, &str, bool, Option<bool>, bool)] = &[
        ("*.yaml", "a.yaml", true, Some(true), true),
        ("a?c", "abc", true, Some(true), true),
        ("?", "é", true, Some(true), true),
        ("[a-c]x", "bx", true, Some(true), true),
        ("[!a-c]x", "bx", false, Some(true), false),
        ("[^a]x", "bx", true, Some(true), false),
        ("a\\*b", "a*b", true, Some(true), false),
        ("a\\*b", "a\\xb", false, Some(false), true),
        ("*a*b*", "xaxbx", true, Some(true), true),
        ("*a*b", "xaxbx", false, Some(false), false),
        ("a*b*c", "aXbYbZc", true, Some(true), true),
        ("[a", "[a", false, None, true),
        ("[a\\]]", "]", true, Some(true), false),
        ("[]a]", "]", false, None, true),
        ("[!]a]", "b", false, Some(false), true),
        ("[a-]", "-", true, None, true),
        ("[-a]", "-", true, None, true),
        ("\\", "\\", false, None, true),
        ("a*\\", "ab", true, None, false),
        ("", "", true, Some(true), true),
        ("", "a", false, Some(false), false),
    ];

    #[test]
    fn names_match_as_in_the_three_programs() {
        for &(pattern, name, ruby, go, python) in TABLE {
            assert_eq!(matches(Dialect::Ruby, pattern, name), Ok(ruby), "Ruby: {pattern} {name}");
            assert_eq!(matches(Dialect::Go, pattern, name).ok(), go, "Go: {pattern} {name}");
            assert_eq!(matches(Dialect::Python, pattern, name), Ok(python), "Python: {pattern} {name}");
        }
    }

    #[test]
    fn braces_follow_the_dialect() {
        assert_eq!(split_braces(Dialect::Go, "[{]a"), Ok(None));
        assert_eq!(split_braces(Dialect::Go, "a{b"), Err(BadPattern));
        assert_eq!(split_braces(Dialect::Ruby, "a{b"), Ok(None));
        assert_eq!(split_braces(Dialect::Ruby, "a\\{b,c}"), Ok(None));
        assert_eq!(split_braces(Dialect::Python, "{a,b}"), Ok(None));
    }

    #[test]
    fn expansions_nest_keep_their_order_and_have_limits() {
        let budget = Budget::default();
        let all = |pattern| expand_braces(Dialect::Go, pattern, 6, &budget).map(|all| all.join(" "));
        assert_eq!(all("a{b,c{d,e}}f"), Ok("abf acdf acef".into()));
        assert_eq!(all("{b,a}/{x,y{1,2}}"), Ok("b/x b/y1 b/y2 a/x a/y1 a/y2".into()));
        assert_eq!(all("[{]a"), Ok("[{]a".into()));
        assert_eq!(all("a{b"), Err(ExpansionError::BadPattern));
        assert_eq!(all("{a,b,c,d,e,f,g}"), Err(ExpansionError::TooLarge));
        let long = format!("{{{}}}{}", ",".repeat(9_000), "x".repeat(9_000));
        assert_eq!(expand_braces(Dialect::Go, &long, 10_000, &budget), Err(ExpansionError::TooLarge));
        let few = Budget::new(hieratic_budget::Limits { steps: 10, ..Default::default() });
        assert_eq!(
            expand_braces(Dialect::Ruby, "{abc,def}{abc,def}", 10, &few),
            Err(ExpansionError::Limit(Exhausted::Steps(10)))
        );
    }

    #[test]
    fn many_stars_stay_quick() {
        let (pattern, name) = ("*a".repeat(200) + "b", "a".repeat(20_000));
        assert_eq!(matches(Dialect::Ruby, &pattern, &name), Ok(false));
    }
}
