//! [`regsubst`](https://www.puppet.com/docs/puppet/8/function.html#regsubst)

use std::fmt::Write as _;

use hieratic_puppet_types::{PuppetVersion, RegexpValue, Type};
use hieratic_ruby_regexp::{Captures, Options, Regexp};
use hieratic_value::{Rich, Value};

use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

use super::matching::{compile, regexp_of_type};

const TARGET: &str = "Variant[Array[String],String] target";
const OPEN_OR_SECRET: &str = "Variant[Array[Variant[String,Sensitive[String]]],\
    Sensitive[Array[Variant[String,Sensitive[String]]]],Variant[String,Sensitive[String]]] target";
const REPLACEMENT: &str = "Variant[String,Hash[String,String]] replacement";
const FLAGS: &str = "Optional[Pattern[/^[GEIM]*$/]] flags?";
const ENCODING: &str = "Enum['N','E','S','U'] encoding?";
const REGEXP: &str = "Variant[Regexp,Type[Regexp]] pattern";
const ALL: &str = "Pattern[/^G?$/] flags?";

/// The maximum length of the result in bytes. Only a mistake or an attack exceeds it.
const LONGEST: usize = 256 << 20;

pub(super) static FUNCTIONS: &[Function] = &[Function::changed_twice(
    "regsubst",
    Doc::new("The string with the matches of a regular expression replaced.")
        .example("regsubst('a.b', '[.]', '-', 'G') # 'a-b'"),
    PuppetVersion::substitutes_in_sensitive,
    &[
        Dispatch::new(&[OPEN_OR_SECRET, "String pattern", REPLACEMENT, FLAGS, ENCODING], |call| {
            if call.arguments.len() > 4 {
                call.deprecated(
                    "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed \
                         in a future release",
                );
            }
            by_text(call)
        }),
        Dispatch::new(&[OPEN_OR_SECRET, REGEXP, REPLACEMENT, ALL], by_regexp),
    ],
    &[
        Dispatch::new(&[TARGET, "String pattern", REPLACEMENT, FLAGS, ENCODING], by_text),
        Dispatch::new(&[TARGET, REGEXP, REPLACEMENT, ALL], by_regexp),
    ],
    |version| !version.takes_encoding_of_regsubst(),
    &[
        Dispatch::new(&[OPEN_OR_SECRET, "String pattern", REPLACEMENT, FLAGS], by_text),
        Dispatch::new(&[OPEN_OR_SECRET, REGEXP, REPLACEMENT, ALL], by_regexp),
    ],
)];

fn by_text(call: &mut Call<'_>) -> Outcome {
    let flags = call.arguments.get(3).and_then(Value::as_str).unwrap_or_default();
    let options =
        Options { ignore_case: flags.contains('I'), extended: flags.contains('E'), multiline: flags.contains('M') };
    let pattern = call.text(1);
    let regexp = call.host.regexp(&pattern, options);
    let regexp = regexp.map_err(|error| EvalError::new(error.to_string()))?;
    substitute(call, &call.arguments[0], &regexp, flags.contains('G'))
}

fn by_regexp(call: &mut Call<'_>) -> Outcome {
    let regexp = match Type::of_value(&call.arguments[1]) {
        Some(kind) => regexp_of_type(kind)?.map_or_else(|| compile(""), Ok)?,
        None => match RegexpValue::downcast(&call.arguments[1]) {
            Some(regexp) => regexp.clone(),
            None => return Ok(Value::Undef),
        },
    };
    substitute(call, &call.arguments[0], &regexp, call.arguments.get(3).and_then(Value::as_str) == Some("G"))
}

/// Replaces in a string, a secret, or each element of an array. The result of a secret is secret; the result of a
/// secret array is not, as in the reference.
fn substitute(call: &Call<'_>, target: &Value, regexp: &Regexp, all: bool) -> Outcome {
    match target {
        Value::Array(texts) => texts.iter().map(|text| substitute(call, text, regexp, all)).collect(),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(secret @ Value::Array(_)) => substitute(call, secret, regexp, all),
            Rich::Sensitive(text) => substitute(call, text, regexp, all).map(Value::sensitive),
            _ => replace(call, regexp, all, ""),
        },
        text => replace(call, regexp, all, text.as_str().unwrap_or("")),
    }
}

/// Replaces the first match, or all of them.
fn replace(call: &Call<'_>, regexp: &Regexp, all: bool, text: &str) -> Outcome {
    let mut out = String::with_capacity(text.len());
    // The end of the copied part, and the start of the next search.
    let (mut done, mut start) = (0, 0);
    while start <= text.len() {
        let found = regexp.try_captures_at(text, start).map_err(|error| EvalError::new(error.to_string()))?;
        let Some(captures) = found else { break };
        let whole = captures.whole();
        out.push_str(&text[done..whole.start]);
        match &call.arguments[2] {
            Value::Hash(replacements) => {
                if let Some(replacement) = replacements.get(&text[whole.clone()]) {
                    out.push_str(&replacement.to_text());
                }
            }
            replacement => expand(&mut out, replacement.as_str().unwrap_or(""), text, regexp, &captures)?,
        }
        if out.len() > LONGEST {
            return Err(EvalError::new(format!("regsubst(): the result is longer than {LONGEST} bytes")).into());
        }
        done = whole.end;
        // After an empty match, one character is skipped.
        start = if whole.is_empty() { done + text[done..].chars().next().map_or(1, char::len_utf8) } else { done };
        if !all {
            break;
        }
    }
    out.push_str(&text[done..]);
    Ok(Value::from(out))
}

/// Writes the replacement with references replaced by the groups of the match.
fn expand(out: &mut String, replacement: &str, text: &str, regexp: &Regexp, captures: &Captures) -> Result<(), Flow> {
    let mut rest = replacement;
    let group = |range: Option<std::ops::Range<usize>>| range.map_or("", |range| &text[range]);
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let reference = &rest[at + 1..];
        let Some(c) = reference.chars().next() else {
            out.push('\\');
            return Ok(());
        };
        rest = &reference[c.len_utf8()..];
        match c {
            '0'..='9' => out.push_str(group(captures.get(c as usize - '0' as usize))),
            '&' => out.push_str(group(captures.get(0))),
            '`' => out.push_str(&text[..captures.whole().start]),
            '\'' => out.push_str(&text[captures.whole().end..]),
            '\\' => out.push('\\'),
            'k' => match rest.strip_prefix('<').and_then(|name| name.split_once('>')) {
                Some((name, after)) => {
                    out.push_str(group(named(name, regexp, captures)?));
                    rest = after;
                }
                None => out.push_str("\\k"),
            },
            // Other escapes are copied unchanged. Writing to a string cannot fail.
            _ => drop(write!(out, "\\{c}")),
        }
    }
    out.push_str(rest);
    Ok(())
}

/// Returns the range that a group matched, by its name or number.
fn named(name: &str, regexp: &Regexp, captures: &Captures) -> Result<Option<std::ops::Range<usize>>, Flow> {
    if let Ok(number) = name.parse::<usize>() {
        return Ok(captures.get(number));
    }
    if regexp.names().any(|known| known == name) {
        return Ok(captures.name(name));
    }
    Err(EvalError::new(format!("undefined group name reference: {name}")).into())
}
