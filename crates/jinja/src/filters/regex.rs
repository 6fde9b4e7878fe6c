//! Filters of regular expressions, which are Python's: <https://docs.python.org/3/library/re.html>.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

use fancy_regex::{Captures, Regex};
use minijinja::Value;

use super::{Table, as_flag, as_index, as_text};
use crate::call::Args;
use crate::error::{Result, error};
use crate::eval::Context;
use crate::objects::{List, Tuple};
use crate::python::text::LONGEST;
use crate::work;

pub const TABLE: Table = &[
    ("regex_escape", regex_escape),
    ("regex_findall", regex_findall),
    ("regex_replace", regex_replace),
    ("regex_search", regex_search),
];

thread_local! {
    /// The patterns that were compiled last: filters in loops take the same ones again and again, as Python knows too.
    static COMPILED: RefCell<HashMap<(String, bool, bool), Rc<Pattern>>> = RefCell::default();
}

/// A compiled pattern of Python.
pub struct Pattern {
    regex: Regex,
    /// The pattern in the syntax of the engine.
    text: String,
    /// The same pattern where it may not match nothing at the place where the search starts; made when it is needed.
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

    /// The next match from a place on, which may be empty there only if no empty match ended there.
    fn next<'t>(&self, text: &'t str, from: usize, after_empty: bool) -> Result<Option<Captures<'t>>> {
        if !after_empty {
            return self.regex.captures_from_pos(text, from).map_err(too_expensive);
        }
        let regex = match self.not_empty.get() {
            Some(regex) => regex,
            None => {
                work::steps(COMPILING + 10 * self.text.len())?;
                // `\G` is where the search starts: a match that ends there is empty.
                let built = build(&format!("(?:{})(?!\\G)", self.text)).map_err(too_expensive)?;
                self.not_empty.get_or_init(|| built)
            }
        };
        regex.captures_from_pos(text, from).map_err(too_expensive)
    }

    /// Goes through the matches as Python's `finditer` does: one that is empty may follow directly behind another one, but not
    /// behind an empty one, in whose place a longer one may stand.
    fn each<'t>(&self, text: &'t str, most: usize, mut take: impl FnMut(&Captures<'t>) -> Result<()>) -> Result<()> {
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

/// How many patterns are kept.
const KEPT: usize = 256;

/// How many steps it takes to compile a pattern, and how many more for each byte of it.
const COMPILING: usize = 1_000;

/// A pattern of Python, compiled.
pub fn compile(pattern: &str, ignore_case: bool, multiline: bool) -> Result<Rc<Pattern>> {
    let key = (pattern.to_owned(), ignore_case, multiline);
    if let Some(regex) = COMPILED.with_borrow(|compiled| compiled.get(&key).cloned()) {
        return Ok(regex);
    }
    work::steps(COMPILING + 10 * pattern.len())?;
    let regex = Rc::new(compiled(pattern, ignore_case, multiline)?);
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.len() >= KEPT {
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
        .map_err(|fault| error(format!("the regular expression '{pattern}' cannot be read: {fault}")))
}

/// The name that two groups of a pattern have: the engine would let the last one win.
fn repeated_name(pattern: &str) -> Option<&str> {
    let mut names = std::collections::HashSet::new();
    let mut in_class = false;
    let mut rest = pattern;
    while let Some(at) = rest.find(['\\', '[', ']', '(']) {
        let (mark, behind) = rest.get(at..)?.split_at(1);
        rest = behind;
        match mark {
            "\\" => rest = behind.get(behind.chars().next().map_or(0, char::len_utf8)..)?,
            "[" if !in_class => {
                in_class = true;
                // A bracket that comes first does not close.
                let inner = behind.strip_prefix('^').unwrap_or(behind);
                rest = inner.strip_prefix(']').unwrap_or(inner);
            }
            "]" => in_class = false,
            "(" if !in_class => {
                if let Some((name, _)) = behind.strip_prefix("?P<").and_then(|named| named.split_once('>'))
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
                // Escapes that the engine does not know stand for the character.
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
            // The end may have a newline behind it.
            '$' if !in_class && !multiline => out.push_str("(?=\\n?\\z)"),
            _ => out.push(letter),
        }
    }
    out
}

/// The error about a search that takes too long.
pub fn too_expensive(fault: fancy_regex::Error) -> minijinja::Error {
    error(format!("the regular expression goes back too often: {fault}"))
}

/// `re.escape`, or the same for expressions of POSIX.
fn regex_escape(_: &Context<'_>, args: Args) -> Result<Value> {
    let [text, kind] = args.bind(["string", "re_type"], 1)?;
    let text = as_text(&text)?;
    let special = match kind.map_or(Ok("python".into()), |kind| as_text(&Some(kind)))?.as_str() {
        "python" => "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}",
        "posix_basic" => "].[*^$\\",
        "posix_extended" => return Err(error("Regex type (posix_extended) not yet implemented")),
        other => return Err(error(format!("Invalid regex type ({other})"))),
    };
    let mut out = String::new();
    for letter in text.chars() {
        if special.contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    Ok(Value::from(out))
}

fn group_value(captures: &Captures<'_>, group: usize) -> Value {
    captures.get(group).map_or_else(|| Value::from(()), |found| Value::from(found.as_str()))
}

/// All matches, as `re.findall` gives them: groups if there are some.
fn regex_findall(_: &Context<'_>, args: Args) -> Result<Value> {
    let [text, pattern, multiline, ignore_case] = args.bind(["value", "regex", "multiline", "ignorecase"], 2)?;
    let regex = compile(&as_text(&pattern)?, as_flag(ignore_case, false)?, as_flag(multiline, false)?)?;
    let text = as_text(&text)?;
    let mut out = Vec::new();
    regex.each(&text, usize::MAX, |captures| {
        work::elements(captures.len())?;
        let text_of = |group: usize| captures.get(group).map_or(Value::from(""), |found| Value::from(found.as_str()));
        out.push(match captures.len() {
            1 => text_of(0),
            2 => text_of(1),
            groups => Tuple::value((1..groups).map(text_of).collect()),
        });
        Ok(())
    })?;
    Ok(List::value(out))
}

fn regex_search(_: &Context<'_>, mut args: Args) -> Result<Value> {
    let ignore_case = as_flag(args.take("ignorecase"), false)?;
    let multiline = as_flag(args.take("multiline"), false)?;
    args.only(&[])?;
    let mut positional = args.positional.into_iter();
    let (text, pattern) = (positional.next(), positional.next());
    if pattern.is_none() {
        return Err(error("regex_search() missing 1 required positional argument: 'regex'"));
    }
    let regex = compile(&as_text(&pattern)?, ignore_case, multiline)?;
    let groups: Vec<Value> = positional.collect();
    let mut wanted = Vec::new();
    for group in &groups {
        let group = as_text(&Some(group.clone()))?;
        wanted.push(asked_group(&group)?);
    }
    let text = as_text(&text)?;
    let Some(captures) = regex.captures(&text).map_err(too_expensive)? else {
        return Ok(Value::from(()));
    };
    if wanted.is_empty() {
        return Ok(group_value(&captures, 0));
    }
    let mut out = Vec::new();
    for group in wanted {
        let number = match group {
            Asked::Number(number) => Some(number).filter(|number| *number < captures.len()),
            Asked::Name(name) => regex.capture_names().position(|known| known == Some(&*name)),
        };
        let Some(number) = number else {
            return Err(error("no such group"));
        };
        out.push(group_value(&captures, number));
    }
    Ok(List::value(out))
}

/// A group that `regex_search` is asked for.
enum Asked {
    Number(usize),
    Name(String),
}

/// What `\1` or `\g<name>` asks for; the name is never a number.
fn asked_group(text: &str) -> Result<Asked> {
    let unreadable = || error("'NoneType' object has no attribute 'group'");
    if let Some(named) = text.strip_prefix("\\g") {
        let named = named.strip_prefix('<').ok_or_else(unreadable)?;
        let word = named.split(char::is_whitespace).next().unwrap_or_default();
        let (name, _) = word.rsplit_once('>').filter(|(name, _)| !name.is_empty()).ok_or_else(unreadable)?;
        return Ok(Asked::Name(name.to_owned()));
    }
    let Some(number) = text.strip_prefix('\\') else { return Err(error("Unknown argument")) };
    let digits = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
    let digits = number.get(..digits).filter(|digits| !digits.is_empty()).ok_or_else(unreadable)?;
    Ok(Asked::Number(digits.parse().unwrap_or(usize::MAX)))
}

fn regex_replace(_: &Context<'_>, args: Args) -> Result<Value> {
    let names = ["value", "pattern", "replacement", "ignorecase", "multiline", "count", "mandatory_count"];
    let [text, pattern, replacement, ignore_case, multiline, count, mandatory] = args.bind(names, 1)?;
    let regex = compile(&as_text(&pattern)?, as_flag(ignore_case, false)?, as_flag(multiline, false)?)?;
    let replacement = pieces(&as_text(&replacement)?, &regex)?;
    let most = match usize::try_from(as_index(count, 0)?) {
        Ok(0) | Err(_) => usize::MAX,
        Ok(count) => count,
    };
    let text = as_text(&text)?;
    let mut out = String::new();
    let mut end = 0;
    let mut replaced: i64 = 0;
    regex.each(&text, most, |captures| {
        let Some(whole) = captures.get(0) else { return Ok(()) };
        let before = out.len();
        out.push_str(text.get(end..whole.start()).unwrap_or(""));
        for piece in &replacement {
            out.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Group(number) => captures.get(*number).map_or("", |found| found.as_str()),
            });
        }
        end = whole.end();
        replaced += 1;
        work::bytes(out.len() - before)?;
        if out.len() > LONGEST {
            return Err(error("the string is too long"));
        }
        Ok(())
    })?;
    out.push_str(text.get(end..).unwrap_or(""));
    let mandatory = as_index(mandatory, 0)?;
    if mandatory > 0 && mandatory != replaced {
        return Err(error(format!(
            "{pattern} should match {mandatory} times, but matches {replaced} times in '{text}'",
            pattern = regex.as_str()
        )));
    }
    Ok(Value::from(out))
}

/// A piece of a replacement.
enum Piece {
    Text(String),
    Group(usize),
}

/// A parsed replacement: `\1`, `\g<name>` and escapes. It is parsed before the search, so that its errors are always reported.
fn pieces(replacement: &str, regex: &Regex) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = replacement;
    while let Some((before, behind)) = rest.split_once('\\') {
        text.push_str(before);
        let mut letters = behind.chars();
        let Some(first) = letters.next() else {
            return Err(error("bad escape (end of pattern)"));
        };
        let mut add_group = |number: usize| {
            if number >= regex.captures_len() {
                return Err(error(format!("invalid group reference {number}")));
            }
            pieces.extend([Piece::Text(std::mem::take(&mut text)), Piece::Group(number)]);
            Ok(())
        };
        match first {
            'g' => {
                let inner = letters.as_str().strip_prefix('<').ok_or_else(|| error("missing <"))?;
                let (name, behind) = inner.split_once('>').ok_or_else(|| error("missing >, unterminated name"))?;
                let number = match name.parse() {
                    Ok(number) => Some(number),
                    Err(_) => regex.capture_names().position(|known| known == Some(name)),
                };
                add_group(number.ok_or_else(|| error(format!("unknown group name '{name}'")))?)?;
                rest = behind;
            }
            '1'..='9' => {
                let length =
                    if behind.get(1..2).is_some_and(|next| next.as_bytes()[0].is_ascii_digit()) { 2 } else { 1 };
                let (digits, behind) = behind.split_at(length);
                add_group(digits.parse().unwrap_or(usize::MAX))?;
                rest = behind;
            }
            '0' => {
                text.push('\0');
                rest = letters.as_str();
            }
            letter if letter.is_ascii_alphabetic() && !"abfnrtv".contains(letter) => {
                return Err(error(format!("bad escape \\{letter} at position 0")));
            }
            letter => {
                text.push_str(&hieratic_pythonic::decode(&format!("\\{letter}")).unwrap_or_default());
                rest = letters.as_str();
            }
        }
    }
    text.push_str(rest);
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the matches are, as Python's `finditer` tells.
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
