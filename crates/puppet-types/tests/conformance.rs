//! Recorded programs of Puppet 7.23 that need no more than types and values: calls of types, checks, comparisons.
//!
//! The reader below understands only such programs. What it does not understand is left to the crates that run programs;
//! how many cases it does is counted, so that none is lost unseen.

// A panic is how a test fails.

use hieratic_puppet_types::{
    Alias, Blame, RegexpValue, StringFormats, Type, attribute, bytes_of, bytes_value, concatenate, convert_to_string,
    convert_to_string_with, describe_mismatch, infer, infer_set, instantiate, parameterize_named, parse_with,
};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Hash, Rich, Value};
use serde_json::Value as Json;

/// How a program ends: a value, a fault with its message, or that the reader does not understand it.
enum Stop {
    Fault(String),
    Foreign,
}

type Run<T> = Result<T, Stop>;

fn fault<T>(message: impl std::fmt::Display) -> Run<T> {
    Err(Stop::Fault(message.to_string()))
}

struct Program<'a> {
    rest: &'a str,
    aliases: Vec<(String, Type)>,
    variables: Vec<(String, Value)>,
    /// Whether a definition is read, in which names may be unknown.
    defining: bool,
}

impl<'a> Program<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, text: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn need(&mut self, text: &str) -> Run<()> {
        if self.eat(text) { Ok(()) } else { Err(Stop::Foreign) }
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn run(&mut self) -> Run<Value> {
        while self.eat("type ") {
            let name = self.word();
            self.need("=")?;
            self.defining = true;
            let (alias, resolver) = Alias::unresolved(name);
            self.aliases.push((name.into(), Type::Alias(alias)));
            let kind = self.expression()?;
            let kind = Type::of_value(&kind).cloned().ok_or(Stop::Foreign)?;
            self.defining = false;
            let resolved = resolver.resolve(kind).map_err(Stop::Fault)?;
            self.aliases.last_mut().unwrap().1 = resolved;
        }
        let value = self.expression()?;
        self.space();
        if self.rest.is_empty() { Ok(value) } else { Err(Stop::Foreign) }
    }

    fn expression(&mut self) -> Run<Value> {
        let left = self.operand()?;
        for operator in ["=~", "!~", "==", "!=", "<=", ">=", "<", ">", "+"] {
            if !self.eat(operator) {
                continue;
            }
            let right = self.operand()?;
            let types = (Type::of_value(&left), Type::of_value(&right));
            return Ok(Value::from(match (operator, types) {
                ("=~", (_, Some(kind))) => kind.is_instance(&left),
                ("!~", (_, Some(kind))) => !kind.is_instance(&left),
                ("==", _) if left.as_rich().is_some() => left == right,
                ("!=", _) if left.as_rich().is_some() => left != right,
                ("<=", (Some(left), Some(right))) => right.is_assignable(left),
                (">=", (Some(left), Some(right))) => left.is_assignable(right),
                ("<", (Some(left), Some(right))) => left != right && right.is_assignable(left),
                (">", (Some(left), Some(right))) => left != right && left.is_assignable(right),
                ("<" | ">", (None, None)) if left.as_rich().is_some() => match (left.compare(&right), operator) {
                    (Some(order), "<") => order.is_lt(),
                    (Some(order), _) => order.is_gt(),
                    (None, _) => return Err(Stop::Foreign),
                },
                ("+", _) => match concatenate(&left, &right) {
                    Some(sum) => return sum.map_err(Stop::Fault),
                    None => return Err(Stop::Foreign),
                },
                _ => return Err(Stop::Foreign),
            }));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Run<Value> {
        let mut value = self.primary()?;
        loop {
            if self.rest.starts_with('[') {
                self.rest = &self.rest[1..];
                let keys = self.list("]")?;
                if keys.is_empty() {
                    return Err(Stop::Foreign);
                }
                value = self.access(&value, &keys)?;
            } else if self.rest.starts_with('(') {
                self.rest = &self.rest[1..];
                let arguments = self.list(")")?;
                let kind = Type::of_value(&value).ok_or(Stop::Foreign)?;
                value = instantiate(kind, &arguments).or_else(fault)?;
            } else if let Some(rest) = self.rest.strip_prefix('.') {
                self.rest = rest;
                value = self.method(value)?;
            } else {
                return Ok(value);
            }
        }
    }

    /// The name of the alias that is being defined.
    fn defined(&self) -> Option<&str> {
        self.aliases.last().filter(|_| self.defining).map(|(name, _)| name.as_str())
    }

    fn access(&mut self, value: &Value, keys: &[Value]) -> Run<Value> {
        match Type::of_value(value) {
            Some(Type::Class(Some(_))) => Err(Stop::Foreign),
            Some(Type::Resource(resource)) if resource.title.is_some() => Err(Stop::Foreign),
            Some(kind) => match parameterize_named(kind, keys, self.defined()) {
                Ok(result) => Ok(result.value),
                Err(error) if error.blame == Blame::Below => {
                    fault(format!("Error while evaluating a '[]' expression, {error}"))
                }
                Err(error) => fault(error),
            },
            None => Err(Stop::Foreign),
        }
    }

    fn method(&mut self, value: Value) -> Run<Value> {
        let name = self.word();
        if let Some(found) = attribute(&value, name) {
            return Ok(found);
        }
        match name {
            "new" => {
                self.need("(")?;
                let arguments = self.list(")")?;
                let kind = Type::of_value(&value).ok_or(Stop::Foreign)?;
                instantiate(kind, &arguments).or_else(fault)
            }
            "filter" => {
                self.need("|$")?;
                let variable = self.word().to_owned();
                self.need("|")?;
                self.need("{")?;
                let body = self.rest;
                let mut kept = Vec::new();
                for one in value.as_array().ok_or(Stop::Foreign)? {
                    self.rest = body;
                    self.variables.push((variable.clone(), one.clone()));
                    let truth = self.expression();
                    self.variables.pop();
                    if truth? == Value::from(true) {
                        kept.push(one.clone());
                    }
                }
                self.need("}")?;
                Ok(Value::from(kept))
            }
            _ => Err(Stop::Foreign),
        }
    }

    /// Expressions up to a closing bracket; pairs without braces become a hash.
    fn list(&mut self, close: &str) -> Run<Vec<Value>> {
        let mut values = Vec::new();
        while !self.eat(close) {
            let value = self.expression()?;
            if self.eat("=>") {
                return Err(Stop::Foreign);
            }
            values.push(value);
            if !self.eat(",") {
                self.need(close)?;
                break;
            }
        }
        Ok(values)
    }

    fn primary(&mut self) -> Run<Value> {
        self.space();
        let first = self.rest.chars().next().ok_or(Stop::Foreign)?;
        match first {
            '[' => {
                self.rest = &self.rest[1..];
                self.list("]").map(Value::from)
            }
            '{' => {
                self.rest = &self.rest[1..];
                let mut pairs = Vec::new();
                while !self.eat("}") {
                    let key = self.expression()?;
                    self.need("=>")?;
                    pairs.push((key, self.expression()?));
                    if !self.eat(",") {
                        self.need("}")?;
                        break;
                    }
                }
                Ok(Value::from(pairs.into_iter().collect::<Hash>()))
            }
            '\'' | '"' => self.text(first),
            '/' => {
                let mut source = String::new();
                let mut chars = self.rest[1..].char_indices();
                while let Some((at, c)) = chars.next() {
                    match c {
                        '/' => {
                            self.rest = &self.rest[at + 2..];
                            return Regexp::new(&source).map(RegexpValue::value).or_else(fault);
                        }
                        '\\' => match chars.next() {
                            Some((_, '/')) => source.push('/'),
                            Some((_, c)) => source.extend(['\\', c]),
                            None => return Err(Stop::Foreign),
                        },
                        c => source.push(c),
                    }
                }
                Err(Stop::Foreign)
            }
            '$' => {
                self.rest = &self.rest[1..];
                let name = self.word();
                let found = self.variables.iter().rev().find(|(known, _)| known == name);
                found.map(|(_, value)| value.clone()).ok_or(Stop::Foreign)
            }
            '-' | '0'..='9' => self.number(),
            'A'..='Z' => {
                let name = self.word();
                let resolve = |name: &str| {
                    self.aliases.iter().rev().find(|(known, _)| known == name).map(|(_, kind)| kind.clone())
                };
                match parse_with(name, &resolve) {
                    Ok(kind @ Type::Reference(_)) if self.defining && !self.rest.starts_with('[') => {
                        Ok(kind.into_value())
                    }
                    Ok(Type::Reference(_)) if self.defining => Err(Stop::Foreign),
                    Ok(Type::Reference(_)) => fault(format!("Resource type not found: {name}")),
                    Ok(kind) => Ok(kind.into_value()),
                    Err(_) => Err(Stop::Foreign),
                }
            }
            'a'..='z' => {
                let name = self.word();
                if self.rest.starts_with('(') || self.rest.starts_with('[') {
                    return self.call(name);
                }
                Ok(match name {
                    "true" => Value::from(true),
                    "false" => Value::from(false),
                    "undef" => Value::Undef,
                    "default" => Value::from(Rich::Default),
                    "if" | "case" | "function" | "define" | "class" | "unless" => return Err(Stop::Foreign),
                    name => Value::from(name),
                })
            }
            _ => Err(Stop::Foreign),
        }
    }

    /// A call of one of the few functions that ask nothing but types.
    fn call(&mut self, name: &str) -> Run<Value> {
        if !matches!(name, "type" | "assert_type") {
            return Err(Stop::Foreign);
        }
        self.need("(")?;
        let arguments = self.list(")")?;
        match (name, &arguments[..]) {
            ("type", [value]) => Ok(infer_set(value).into_value()),
            ("type", [value, level]) => match level.as_str() {
                Some("detailed") => Ok(infer_set(value).into_value()),
                Some("reduced") => Ok(infer(value).into_value()),
                Some("generalized") => Ok(infer(value).generalize().into_value()),
                _ => Err(Stop::Foreign),
            },
            ("assert_type", [kind, value]) => {
                let kind = Type::of_value(kind).ok_or(Stop::Foreign)?;
                if kind.is_instance(value) {
                    return Ok(value.clone());
                }
                fault(describe_mismatch("assert_type():", kind, &infer_set(value)))
            }
            _ => Err(Stop::Foreign),
        }
    }

    fn text(&mut self, quote: char) -> Run<Value> {
        let mut text = String::new();
        let mut chars = self.rest[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.rest = &self.rest[at + 2..];
                    return Ok(Value::from(text));
                }
                '$' if quote == '"' => return Err(Stop::Foreign),
                '\\' => match (chars.next(), quote) {
                    (Some((_, c @ ('\\' | '\''))), '\'') => text.push(c),
                    (Some((_, c)), '\'') => text.extend(['\\', c]),
                    (Some((_, 'n')), _) => text.push('\n'),
                    (Some((_, 't')), _) => text.push('\t'),
                    _ => return Err(Stop::Foreign),
                },
                c => text.push(c),
            }
        }
        Err(Stop::Foreign)
    }

    fn number(&mut self) -> Run<Value> {
        let digits = |c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-' || c == '+');
        let sign = usize::from(self.rest.starts_with('-'));
        let mut end = self.rest[sign..].find(|c: char| digits(c)).map_or(self.rest.len(), |end| end + sign);
        // A dot before a letter begins a call, and a sign begins an operation unless it follows an exponent.
        let bytes = self.rest.as_bytes();
        for at in sign + 1..end {
            let exponent = matches!(bytes[at - 1], b'e' | b'E');
            let call = bytes[at] == b'.' && !bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
            if call || matches!(bytes[at], b'-' | b'+') && !exponent {
                end = at;
                break;
            }
        }
        let (written, rest) = self.rest.split_at(end);
        self.rest = rest;
        let (sign, plain) = written.strip_prefix('-').map_or((1, written), |plain| (-1, plain));
        let radix = |digits: &str, radix| i64::from_str_radix(digits, radix).map(|n| Value::from(sign * n));
        let number = if let Some(hex) = plain.strip_prefix("0x") {
            radix(hex, 16).ok()
        } else if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|b| b.is_ascii_digit()) {
            radix(&plain[1..], 8).ok()
        } else {
            let float = || written.parse::<f64>().ok().map(Value::from);
            written.parse::<i64>().ok().map(Value::from).or_else(float)
        };
        number.ok_or(Stop::Foreign)
    }
}

/// The value as a program would write it.
fn written(value: &Value) -> String {
    convert_to_string_with(value, &StringFormats::single("%p")).unwrap()
}

/// The value in a text: bytes and regular expressions have a form of their own there.
fn interpolated(value: &Value) -> String {
    match value {
        Value::Array(elements) => format!("[{}]", elements.iter().map(interpolated).collect::<Vec<_>>().join(", ")),
        Value::Hash(hash) => {
            let pairs = hash.iter().map(|(key, value)| format!("{} => {}", interpolated(key), interpolated(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => value.to_text(),
        other => match bytes_of(other) {
            Some(bytes) => bytes_value(bytes.to_vec()).to_text(),
            None if Type::of_value(other).is_some() => convert_to_string(other),
            None => other.to_text(),
        },
    }
}

/// What a program ends with; none if it is not understood.
fn outcome(code: &str) -> Option<Result<Value, String>> {
    let mut program = Program { rest: code, aliases: Vec::new(), variables: Vec::new(), defining: false };
    match program.run() {
        Err(Stop::Foreign) => None,
        Err(Stop::Fault(message)) => Some(Err(message)),
        Ok(value) => Some(Ok(value)),
    }
}

/// Replays a file; at least so many cases have to be understood.
fn replay(recorded: &str, least: usize) {
    let (mut understood, mut wrong) = (0, Vec::new());
    for line in recorded.lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let code = case["code"].as_str().unwrap();
        let has_program_form = case["value"].is_string();
        let got = match outcome(code) {
            None => continue,
            Some(Err(message)) => message,
            Some(Ok(value)) if has_program_form => {
                format!("{} | {} : {}", written(&value), interpolated(&value), infer_set(&value))
            }
            Some(Ok(value)) => format!("{} : {}", interpolated(&value), infer_set(&value)),
        };
        understood += 1;
        let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let expected = match case["error"]["message"].as_str() {
            Some(message) => {
                let mut message = message;
                for introduction in [
                    "Evaluation Error: ",
                    "Error while evaluating a Function Call, ",
                    "Error while evaluating a Method call, ",
                ] {
                    message = message.strip_prefix(introduction).unwrap_or(message);
                }
                message.to_owned()
            }
            None if has_program_form => format!("{} | {} : {}", text("value"), text("string"), text("type")),
            None => format!("{} : {}", text("string"), text("type")),
        };
        if got != expected {
            wrong.push(format!("{code}\n  got      {got}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {understood} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(understood >= least, "only {understood} cases are understood");
}

macro_rules! replays {
    ($($name:ident: $least:literal),* $(,)?) => {$(
        #[test]
        fn $name() {
            replay(include_str!(concat!("conformance/", stringify!($name), ".jsonl")), $least);
        }
    )*};
}

replays! {
    access: 99,
    aliases_objects: 13,
    new_collection: 53,
    new_numeric: 79,
    new_string: 147,
    special_values: 67,
    time: 53,
    type_instances: 167,
    types_instance_matrix: 66,
    types_subtype_matrix: 75,
}
