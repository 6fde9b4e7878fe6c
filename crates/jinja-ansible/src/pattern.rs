//! [`Pattern`]: a regular expression of Python: <https://docs.python.org/3/library/re.html>.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;

use fancy_regex::{Captures, Regex};
use hieratic_jinja::extend::filters::arguments::as_text;
use hieratic_jinja::extend::python::{Kind, kind, type_name};
use hieratic_jinja::extend::{Result, Value, error, work};

thread_local! {
    /// The patterns that were compiled last: filters in loops take the same ones again and again, as Python knows too.
    /// Filters are called without a context, and a pattern is not shared between threads. It is a cache.
    static COMPILED: RefCell<HashMap<(String, bool, bool), Rc<Pattern>>> = RefCell::default();
}

/// A compiled regular expression of Python.
pub struct Pattern {
    regex: Regex,
    /// The pattern in the syntax of the engine.
    text: String,
    /// The pattern, except that an empty match must not be at the start of the search; compiled on first use.
    not_empty: OnceCell<Regex>,
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.regex
    }
}

impl Pattern {
    fn new(text: String) -> std::result::Result<Pattern, fancy_regex::Error> {
        Ok(Pattern { regex: build(&text)?, text, not_empty: OnceCell::new() })
    }

    /// Returns the next match from an offset on. With `after_empty`, the match must not be empty at the offset itself.
    fn next<'t>(&self, text: &'t str, from: usize, after_empty: bool) -> Result<Option<Captures<'t, str>>> {
        if !after_empty {
            return self.regex.captures_from_pos(text, from).map_err(too_expensive);
        }
        let regex = match self.not_empty.get() {
            Some(regex) => regex,
            None => {
                work::steps(COMPILE_STEPS + 10 * self.text.len())?;
                // `\G` is where the search starts: a match that ends there is empty.
                let built = build(&format!("(?:{})(?!\\G)", self.text)).map_err(too_expensive)?;
                self.not_empty.get_or_init(|| built)
            }
        };
        regex.captures_from_pos(text, from).map_err(too_expensive)
    }

    /// Iterates over the matches as Python's `finditer` does: an empty match may directly follow another one, except an
    /// empty one, at whose position a longer match is possible.
    pub fn each<'t>(
        &self,
        text: &'t str,
        most: usize,
        mut take: impl FnMut(&Captures<'t, str>) -> Result<()>,
    ) -> Result<()> {
        let (mut from, mut after_empty) = (0, false);
        for _ in 0..most {
            let Some(captures) = self.next(text, from, after_empty)? else { break };
            let Some(whole) = captures.get(0) else { break };
            work::steps(1)?;
            (from, after_empty) = (whole.end(), whole.start() == whole.end());
            take(&captures)?;
        }
        Ok(())
    }
}

fn build(text: &str) -> std::result::Result<Regex, fancy_regex::Error> {
    fancy_regex::RegexBuilder::new(text).backtrack_limit(1_000_000).build()
}

/// The maximum number of cached patterns.
const MAX_PATTERNS: usize = 256;

/// The cost of compiling a pattern in steps, and of each byte of it.
const COMPILE_STEPS: usize = 1_000;

/// Returns an argument that is a regular expression; the default is the empty one.
pub fn pattern_text(pattern: &Option<Value>) -> Result<String> {
    let Some(given) = pattern else { return Ok(String::new()) };
    match kind(given)? {
        Kind::List | Kind::Dict | Kind::Set(_) => Err(error(format!("unhashable type: '{}'", type_name(given)))),
        Kind::None | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Tuple(_) => {
            Err(error("first argument must be string or compiled pattern"))
        }
        _ => as_text(pattern),
    }
}

/// Compiles a regular expression of Python, or returns it from the cache of the thread.
pub fn compile(pattern: &str, ignore_case: bool, multiline: bool) -> Result<Rc<Pattern>> {
    let key = (pattern.to_owned(), ignore_case, multiline);
    if let Some(regex) = COMPILED.with_borrow(|compiled| compiled.get(&key).cloned()) {
        return Ok(regex);
    }
    work::steps(COMPILE_STEPS + 10 * pattern.len())?;
    let regex = Rc::new(compiled(pattern, ignore_case, multiline)?);
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.len() >= MAX_PATTERNS {
            compiled.clear();
        }
        compiled.insert(key, regex.clone());
    });
    Ok(regex)
}

fn compiled(pattern: &str, ignore_case: bool, multiline: bool) -> Result<Pattern> {
    if pattern.len() > 1 << 16 {
        return Err(error("the regular expression is too long"));
    }
    let mut flags = String::new();
    flags.push_str(if ignore_case { "i" } else { "" });
    flags.push_str(if multiline { "m" } else { "" });
    let flags = if flags.is_empty() { flags } else { format!("(?{flags})") };
    let pattern_text = format!("{flags}{}", translated(pattern, multiline));
    if let Some(name) = repeated_name(pattern) {
        return Err(error(format!("redefinition of group name '{name}'")));
    }
    Pattern::new(pattern_text)
        .map_err(|problem| error(format!("the regular expression '{pattern}' cannot be read: {problem}")))
}

/// The name that two groups of a pattern have: the engine would let the last one win.
fn repeated_name(pattern: &str) -> Option<&str> {
    let mut names = HashSet::new();
    let mut in_class = false;
    let mut rest = pattern;
    while let Some(at) = rest.find(['\\', '[', ']', '(']) {
        let (mark, after) = rest.get(at..)?.split_at(1);
        rest = after;
        match mark {
            "\\" => rest = after.get(after.chars().next().map_or(0, char::len_utf8)..)?,
            "[" if !in_class => {
                in_class = true;
                // A bracket that comes first does not close.
                let inner = after.strip_prefix('^').unwrap_or(after);
                rest = inner.strip_prefix(']').unwrap_or(inner);
            }
            "]" => in_class = false,
            "(" if !in_class => {
                if let Some((name, _)) = after.strip_prefix("?P<").and_then(|named| named.split_once('>'))
                    && !names.insert(name)
                {
                    return Some(name);
                }
            }
            _ => {}
        }
    }
    None
}

/// The pattern in the syntax of the engine, which takes nearly all as Python does.
fn translated(pattern: &str, multiline: bool) -> String {
    let mut out = String::new();
    let mut letters = pattern.chars().peekable();
    let mut in_class = false;
    let multiline =
        multiline || pattern.starts_with("(?m") || pattern.starts_with("(?im") || pattern.starts_with("(?sm");
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('Z') if !in_class => out.push_str("\\z"),
                // Escapes that the engine does not know match the character itself.
                Some(other) if !other.is_ascii_alphanumeric() && !"\\.+*?()|[]{}^$#&-~/".contains(other) => {
                    out.push(other);
                }
                Some(other) => {
                    out.push('\\');
                    out.push(other);
                }
                None => out.push('\\'),
            },
            '[' if in_class => out.push_str("\\["),
            '[' => {
                in_class = true;
                out.push('[');
                if letters.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                // A bracket that comes first does not close.
                if letters.next_if_eq(&']').is_some() {
                    out.push_str("\\]");
                }
            }
            ']' => {
                in_class = false;
                out.push(']');
            }
            '&' | '~' if in_class => {
                out.push('\\');
                out.push(letter);
            }
            '-' if in_class && letters.peek() == Some(&'-') => out.push_str("\\-"),
            // A newline may follow the end.
            '$' if !in_class && !multiline => out.push_str("(?=\\n?\\z)"),
            _ => out.push(letter),
        }
    }
    out
}

/// Returns the error about a search that takes too long.
pub fn too_expensive(problem: fancy_regex::Error) -> hieratic_jinja::extend::Error {
    error(format!("the regular expression goes back too often: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the positions of the matches, as Python's `finditer` does.
    fn matches(pattern: &str, text: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let pattern = compile(pattern, false, false).expect("a pattern");
        let each = pattern.each(text, usize::MAX, |captures| {
            let whole = captures.get(0).expect("the whole match");
            found.push((whole.start(), whole.end()));
            Ok(())
        });
        each.expect("no fault");
        found
    }

    #[test]
    fn an_empty_match_may_follow_a_match_that_is_not_empty() {
        assert_eq!(matches(".*", "abc"), [(0, 3), (3, 3)]);
        assert_eq!(matches("(.*)$", "abc"), [(0, 3), (3, 3)]);
        assert_eq!(matches("x*", "axb"), [(0, 0), (1, 2), (2, 2), (3, 3)]);
        assert_eq!(matches("|a", "aé"), [(0, 0), (0, 1), (1, 1), (3, 3)]);
        assert_eq!(matches("a??", "aa"), [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]);
        assert_eq!(matches("\\b|\\w+", "ab c"), [(0, 0), (0, 2), (2, 2), (3, 3), (3, 4), (4, 4)]);
        assert_eq!(matches("", ""), [(0, 0)]);
    }
}
