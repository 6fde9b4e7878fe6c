//! Filters of regular expressions, which are Python's: <https://docs.python.org/3/library/re.html>. => Filters with
//! regular expressions of Python: <https://docs.python.org/3/library/re.html>.

use fancy_regex::{Captures, Regex};
use hieratic_jinja::extend::filters::arguments::{as_flag, as_index, as_text};
use hieratic_jinja::extend::objects::{List, Tuple};
use hieratic_jinja::extend::python::text::LONGEST;
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error, work};

use crate::pattern::{compile, pattern_text, too_expensive};

pub const TABLE: Table = &[
    define(
        "regex_escape",
        "re_type='python'",
        "Escapes the special characters of regular expressions of Python or, with `posix_basic`, of POSIX.",
        regex_escape,
    ),
    define(
        "regex_findall",
        "regex, multiline=False, ignorecase=False",
        "Returns all matches of a regular expression.",
        regex_findall,
    ),
    define(
        "regex_replace",
        "pattern='', replacement='', ignorecase=False, multiline=False",
        "Replaces the matches of a regular expression; `\\1` in the replacement is the first group.",
        regex_replace,
    ),
    define(
        "regex_search",
        "regex, *groups, multiline=False, ignorecase=False",
        "Returns the first match of a regular expression, or its groups: `regex_search('(a)(b)', '\\1')`.",
        regex_search,
    ),
];

/// `re.escape`, or the same for expressions of POSIX.
fn regex_escape(_: &dyn Host, args: Args) -> Result<Value> {
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

fn group_value(captures: &Captures<'_, str>, group: usize) -> Value {
    captures.get(group).map_or_else(|| Value::from(()), |found| Value::from(found.as_str()))
}

/// Returns all matches, as `re.findall` does: the groups, if there are any.
fn regex_findall(_: &dyn Host, args: Args) -> Result<Value> {
    let [text, pattern, multiline, ignore_case] = args.bind(["value", "regex", "multiline", "ignorecase"], 2)?;
    let regex = compile(&pattern_text(&pattern)?, as_flag(ignore_case, false)?, as_flag(multiline, false)?)?;
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

fn regex_search(_: &dyn Host, mut args: Args) -> Result<Value> {
    let ignore_case = as_flag(args.take("ignorecase"), false)?;
    // Other named arguments are ignored, as in Ansible.
    let multiline = as_flag(args.take("multiline"), false)?;
    let mut positional = args.positional.into_iter();
    let (text, pattern) = (positional.next(), positional.next());
    if pattern.is_none() {
        return Err(error("regex_search() missing 1 required positional argument: 'regex'"));
    }
    let regex = compile(&pattern_text(&pattern)?, ignore_case, multiline)?;
    let groups: Vec<Value> = positional.collect();
    let mut references = Vec::new();
    for group in &groups {
        let group = as_text(&Some(group.clone()))?;
        references.push(parse_group_ref(&group)?);
    }
    let text = as_text(&text)?;
    let Some(captures) = regex.captures(text.as_str()).map_err(too_expensive)? else {
        return Ok(Value::from(()));
    };
    if references.is_empty() {
        return Ok(group_value(&captures, 0));
    }
    let mut out = Vec::new();
    for group in references {
        let number = match group {
            GroupRef::Number(number) => Some(number).filter(|number| *number < captures.len()),
            GroupRef::Name(name) => regex.capture_names().position(|known| known == Some(&*name)),
        };
        let Some(number) = number else {
            return Err(error("no such group"));
        };
        out.push(group_value(&captures, number));
    }
    Ok(List::value(out))
}

/// A group in the arguments of `regex_search`.
enum GroupRef {
    Number(usize),
    Name(String),
}

/// Parses `\1` or `\g<name>`; the name is never a number.
fn parse_group_ref(text: &str) -> Result<GroupRef> {
    let unreadable = || error("'NoneType' object has no attribute 'group'");
    if let Some(named) = text.strip_prefix("\\g") {
        let named = named.strip_prefix('<').ok_or_else(unreadable)?;
        let word = named.split(char::is_whitespace).next().unwrap_or_default();
        let (name, _) = word.rsplit_once('>').filter(|(name, _)| !name.is_empty()).ok_or_else(unreadable)?;
        return Ok(GroupRef::Name(name.to_owned()));
    }
    let Some(number) = text.strip_prefix('\\') else { return Err(error("Unknown argument")) };
    let digits = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
    let digits = number.get(..digits).filter(|digits| !digits.is_empty()).ok_or_else(unreadable)?;
    Ok(GroupRef::Number(digits.parse().unwrap_or(usize::MAX)))
}

fn regex_replace(_: &dyn Host, args: Args) -> Result<Value> {
    let names = ["value", "pattern", "replacement", "ignorecase", "multiline", "count", "mandatory_count"];
    let [text, pattern, replacement, ignore_case, multiline, count, mandatory] = args.bind(names, 1)?;
    let regex = compile(&pattern_text(&pattern)?, as_flag(ignore_case, false)?, as_flag(multiline, false)?)?;
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
                ReplacementPart::Text(text) => text,
                ReplacementPart::Group(number) => captures.get(*number).map_or("", |found| found.as_str()),
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
enum ReplacementPart {
    Text(String),
    Group(usize),
}

/// A parsed replacement: `\1`, `\g<name>` and escapes. It is parsed before the search, so that its errors are always reported.
fn pieces(replacement: &str, regex: &Regex) -> Result<Vec<ReplacementPart>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = replacement;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut letters = after.chars();
        let Some(first) = letters.next() else {
            return Err(error("bad escape (end of pattern)"));
        };
        let mut add_group = |number: usize| {
            if number >= regex.captures_len() {
                return Err(error(format!("invalid group reference {number}")));
            }
            pieces.extend([ReplacementPart::Text(std::mem::take(&mut text)), ReplacementPart::Group(number)]);
            Ok(())
        };
        match first {
            'g' => {
                let inner = letters.as_str().strip_prefix('<').ok_or_else(|| error("missing <"))?;
                let (name, after) = inner.split_once('>').ok_or_else(|| error("missing >, unterminated name"))?;
                let number = match name.parse() {
                    Ok(number) => Some(number),
                    Err(_) => regex.capture_names().position(|known| known == Some(name)),
                };
                add_group(number.ok_or_else(|| error(format!("unknown group name '{name}'")))?)?;
                rest = after;
            }
            '1'..='9' => {
                let length =
                    if after.get(1..2).is_some_and(|next| next.as_bytes()[0].is_ascii_digit()) { 2 } else { 1 };
                let (digits, after) = after.split_at(length);
                add_group(digits.parse().unwrap_or(usize::MAX))?;
                rest = after;
            }
            '0' => {
                text.push('\0');
                rest = letters.as_str();
            }
            letter if letter.is_ascii_alphabetic() && !"abfnrtv".contains(letter) => {
                return Err(error(format!("bad escape \\{letter} at position 0")));
            }
            letter => {
                text.push_str(&hieratic_python_values::decode(&format!("\\{letter}")).unwrap_or_default());
                rest = letters.as_str();
            }
        }
    }
    text.push_str(rest);
    pieces.push(ReplacementPart::Text(text));
    Ok(pieces)
}
