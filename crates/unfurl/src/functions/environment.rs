//! `get_env`, `has_env`, `to_env`: the environment variables of the options.

use hieratic_python_values as python;
use hieratic_value::{Hash, HashBuilder, Value};
use regex::Regex;

use super::arguments::{option, text};
use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::Scope;

/// `{get_env: NAME}`, `{get_env: [NAME, DEFAULT]}`: a variable or else the default; all of them for an empty argument.
///
/// <https://docs.unfurl.run/expressions.html#get-env>
pub(super) fn get_env(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    if !argument.is_true() {
        let env = host.shared().env.read_all().map_err(|hidden| ExpressionError::hidden(&hidden))?;
        return Ok(Datum::done(env.map(|(name, value)| (name, Value::from(value))).collect::<Hash>()));
    }
    let (name, default) = if argument.is_list() {
        let mut elements = host.elements(argument)?.into_iter();
        (elements.next().unwrap_or(Datum::NULL), elements.next())
    } else {
        (argument.clone(), None)
    };
    let name = text(&name, "the name of the environment variable")?;
    match (read(host, &name)?, default) {
        (Some(value), _) => Ok(Datum::raw(value)),
        (None, Some(default)) => host.map_value(&default, scope),
        (None, None) => Ok(Datum::NULL),
    }
}

/// An environment variable; an error if expressions may not read it.
fn read<'h>(host: &'h dyn Host, name: &str) -> Result<Option<&'h str>, ExpressionError> {
    host.shared().env.read(name).map_err(|hidden| ExpressionError::hidden(&hidden))
}

/// `{has_env: NAME}`: whether there is such a variable.
///
/// <https://docs.unfurl.run/expressions.html#has-env>
pub(super) fn has_env(host: &dyn Host, argument: &Datum, _: &mut Scope) -> Result<Datum, ExpressionError> {
    let name = text(argument, "the name of the environment variable")?;
    Ok(Datum::done(read(host, &name)?.is_some()))
}

/// `{to_env: {RULE: VALUE}}`: the variables that rules add.
///
/// `NAME: value` sets one, `+NAME` copies those that match (with a default value), `+!NAME` all others, `^NAME: value`
/// prepends a folder to a path, `-NAME` removes. `${NAME}` in a value is replaced by another variable,
/// `${NAME:default}` with a default value.
pub(super) fn to_env(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    if let Some(update) = option(host, scope, "update_os_environ")?
        && update.is_true()
    {
        return Err(ExpressionError::new("'update_os_environ' is not available: evaluation changes nothing outside"));
    }
    let rules = host.force(&host.map_value(argument, scope)?)?;
    let rules = match &rules {
        Value::Hash(rules) => rules.clone(),
        Value::Undef => Hash::default(),
        other => {
            let shown = Datum::done(other.clone());
            return Err(ExpressionError::new(format!("the argument of 'to_env' is {}, not a map", shown.kind())));
        }
    };
    let mut env = Env { own: HashBuilder::default(), host };
    for (rule, value) in &rules {
        let rule = rule.as_str().ok_or_else(|| ExpressionError::new("a rule of 'to_env' is not a string"))?;
        env.apply(rule, value)?;
    }
    Ok(Datum::done(Hash::from(env.own)))
}

/// The approximate memory of a compiled pattern, in bytes.
const PATTERN_SIZE: usize = 64 << 10;

/// Variables while rules are applied.
struct Env<'e> {
    own: HashBuilder,
    host: &'e dyn Host,
}

impl Env<'_> {
    fn apply(&mut self, rule: &str, value: &Value) -> Result<(), ExpressionError> {
        let (action, name) = match rule.chars().next() {
            Some(action @ ('+' | '-' | '^')) => (action, &rule[1..]),
            _ => (' ', rule),
        };
        if action == ' ' {
            return self.set(name, value);
        }
        let (negated, name) = match name.strip_prefix('!') {
            Some(name) => (true, name),
            None => (false, name),
        };
        self.host.shared().bytes(PATTERN_SIZE + name.len())?;
        let pattern = pattern(name)?;
        let fits = |variable: &str| pattern.is_match(variable) != negated;
        if action == '-' {
            self.own.retain(|key, _| !key.as_str().is_some_and(fits));
            return Ok(());
        }
        let is_name = !negated && !name.contains(['*', '?', '[']);
        let found: Vec<(&str, &str)> = if is_name {
            read(self.host, name)?.map(|value| (name, value)).into_iter().collect()
        } else {
            let all = self.host.shared().env.read_all().map_err(|hidden| ExpressionError::hidden(&hidden))?;
            all.filter(|(variable, _)| fits(variable)).collect()
        };
        if found.is_empty() {
            return self.set(name, value);
        }
        for (variable, old) in found {
            let new = if action == '^' && python::truthy(value) {
                format!("{}:{old}", python::text(value))
            } else {
                old.to_owned()
            };
            self.own.insert(variable.into(), new.into());
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), ExpressionError> {
        let value = match value {
            Value::Undef => return Ok(()),
            Value::Boolean(truth) => Value::from(if *truth { "true" } else { "" }),
            value if value.contains_sensitive() => Value::sensitive(self.substituted(&python::text(value))?.into()),
            value => self.substituted(&python::text(value))?.into(),
        };
        self.own.insert(name.into(), value);
        Ok(())
    }

    /// The value of a variable: one of the rules, or else one of the environment.
    fn value(&self, name: &str) -> Result<Option<String>, ExpressionError> {
        match self.own.get(&Value::from(name)) {
            Some(own) => Ok(Some(python::text(own))),
            None => Ok(read(self.host, name)?.map(str::to_owned)),
        }
    }

    /// The text with `${NAME}` and `${NAME:default}` replaced; several names are separated by `|`.
    fn substituted(&self, text: &str) -> Result<String, ExpressionError> {
        self.host.shared().bytes(text.len())?;
        let pattern = expression(r"(\\+)?\$\{([\w|]+)(:.+?)?\}")?;
        // Variables in variables grow like the rice on a chessboard: each one is taken from the budget before it is put in.
        let mut error = None;
        let substituted = pattern
            .replace_all(text, |found: &regex::Captures<'_>| {
                if let Some(escapes) = found.get(1) {
                    // A single backslash escapes; of several, all except one are dropped.
                    return found[0][(escapes.len() - 1).max(1)..].to_owned();
                }
                if error.is_some() {
                    return String::new();
                }
                let value = match found[2].split('|').find_map(|name| self.value(name).transpose()).transpose() {
                    Ok(Some(value)) => value,
                    Ok(None) => found.get(3).map_or(String::new(), |default| default.as_str()[1..].to_owned()),
                    Err(hidden) => {
                        error = Some(hidden);
                        return String::new();
                    }
                };
                error = self.host.shared().bytes(value.len()).err();
                value
            })
            .into_owned();
        error.map_or(Ok(substituted), Err)
    }
}

/// A pattern of names as `fnmatch` reads it: `*`, `?`, `[seq]`, `[!seq]`.
fn pattern(glob: &str) -> Result<Regex, ExpressionError> {
    let mut out = String::from(r"(?s)\A");
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '*' => out += ".*",
            '?' => out.push('.'),
            '[' => {
                // A bracket directly after the opening one belongs to the set.
                let body = rest.strip_prefix('!').unwrap_or(rest);
                let end = body.char_indices().skip(1).find(|(_, c)| *c == ']').map(|(at, _)| at);
                match end {
                    Some(end) => {
                        let negation = if rest.starts_with('!') { "^" } else { "" };
                        let set: String = body[..end].chars().map(escaped).collect();
                        out += &format!("[{negation}{set}]");
                        rest = &body[end + 1..];
                    }
                    None => out += r"\[",
                }
            }
            c => out += &regex::escape(c.encode_utf8(&mut [0; 4])),
        }
    }
    out += r"\z";
    expression(&out)
}

fn escaped(c: char) -> String {
    if c == '-' { "-".into() } else { regex::escape(c.encode_utf8(&mut [0; 4])) }
}

fn expression(pattern: &str) -> Result<Regex, ExpressionError> {
    Regex::new(pattern).map_err(|error| ExpressionError::new(format!("the pattern cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn patterns_match_as_in_fnmatch() {
        for (glob, name, fits) in [
            ("A*", "ABC", true),
            ("A?", "AB", true),
            ("A?", "ABC", false),
            ("[!A]B", "CB", true),
            ("[A-C]", "B", true),
            ("[", "[", true),
            ("a.b", "axb", false),
        ] {
            assert_eq!(pattern(glob).unwrap().is_match(name), fits, "{glob} {name}");
        }
    }
}
