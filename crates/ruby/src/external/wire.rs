//! Puppet values as JSON, without loss of types.
//!
//! Null, booleans, integers, strings and arrays are themselves. Everything else is an object with one key: `h` for the
//! pairs of a hash, `f` for a float, `s` for a Sensitive value, `d` for the default, `y` for a symbol, `b` for bytes in
//! Base64, and `o` for an opaque value that Ruby can only pass on. => Puppet values as JSON, without loss of types.
//!
//! Null, booleans, integers, strings and arrays are encoded directly. Other values are an object with one key: `h` for
//! the pairs of a hash, `f` for a float, `s` for a Sensitive value, `d` for the default, `y` for a symbol, `b` for
//! bytes in Base64, and `o` for an opaque value that Ruby can only pass on.

use std::fmt::Write as _;

use hieratic_json::write::{Escapes, quote};
use hieratic_value::{HashBuilder, Rich, Value};

use super::ChildMessage;

use crate::methods::unbase64;

/// The state that both sides of the connection share.
#[derive(Debug, Default)]
pub(super) struct Wire {
    /// The values without a JSON form, by their ids.
    opaque: Vec<Value>,
    /// The number of nested requests in flight.
    depth: usize,
}

impl Wire {
    /// Encodes a value of Puppet as JSON.
    pub fn written(&mut self, value: &Value) -> String {
        let mut out = String::new();
        stacker::maybe_grow(128 << 10, 4 << 20, || self.write(value, &mut out));
        out
    }

    /// Starts a request, which may be nested in another one.
    pub fn begin(&mut self) {
        self.depth += 1;
    }

    /// Ends a request. After the outermost one, all ids of opaque values are invalid.
    pub fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.opaque.clear();
        }
    }

    fn write(&mut self, value: &Value, out: &mut String) {
        match value {
            Value::Undef => out.push_str("null"),
            Value::Boolean(one) => out.push_str(if *one { "true" } else { "false" }),
            Value::Integer(number) => out.push_str(&number.to_string()),
            Value::Float(number) => {
                out.push_str("{\"f\":");
                quote(out, &hieratic_value::text::float(*number), Escapes::Required);
                out.push('}');
            }
            Value::String(text) => quote(out, text, Escapes::Required),
            Value::Array(list) => self.list(list, out),
            Value::Hash(pairs) => {
                out.push_str("{\"h\":[");
                for (at, (key, one)) in pairs.iter().enumerate() {
                    out.push_str(if at > 0 { ",[" } else { "[" });
                    self.nested(key, out);
                    out.push(',');
                    self.nested(one, out);
                    out.push(']');
                }
                out.push_str("]}");
            }
            Value::Rich(rich) => match &**rich {
                Rich::BigInteger(number) => out.push_str(&number.to_string()),
                Rich::Default => out.push_str("{\"d\":true}"),
                Rich::Symbol(name) => {
                    out.push_str("{\"y\":");
                    quote(out, name, Escapes::Required);
                    out.push('}');
                }
                Rich::Sensitive(inner) => {
                    out.push_str("{\"s\":");
                    self.nested(inner, out);
                    out.push('}');
                }
                _ => {
                    // Its index is its id.
                    let _ = write!(out, "{{\"o\":[{},", self.opaque.len());
                    self.opaque.push(value.clone());
                    quote(out, &value.to_text(), Escapes::Required);
                    out.push_str("]}");
                }
            },
        }
    }

    fn nested(&mut self, value: &Value, out: &mut String) {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.write(value, out));
    }

    fn list(&mut self, list: &[Value], out: &mut String) {
        out.push('[');
        for (at, one) in list.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            self.nested(one, out);
        }
        out.push(']');
    }

    /// Parses a line of the child; `None` if it is not a message.
    pub fn parse(&mut self, line: &str) -> Option<ChildMessage> {
        let message = hieratic_json::parse(line.as_bytes()).ok()?;
        let [kind, rest @ ..] = message.as_array()? else { return None };
        let text = |at: usize| rest.get(at).and_then(Value::as_str).map(str::to_owned);
        Some(match kind.as_str()? {
            "ask" => {
                let arguments = rest.get(1)?.as_array()?;
                ChildMessage::Request(text(0)?, arguments.iter().map(|one| self.read(one)).collect::<Option<_>>()?)
            }
            "done" => ChildMessage::Done(self.read(rest.first()?)?),
            "ended" => ChildMessage::Ended(text(0)?),
            "failed" => ChildMessage::Failed {
                class: text(0)?,
                message: text(1)?,
                file: text(2)?,
                line: match rest.get(3)? {
                    Value::Integer(line) => u32::try_from(*line).unwrap_or(0),
                    _ => return None,
                },
            },
            _ => return None,
        })
    }

    fn read(&self, value: &Value) -> Option<Value> {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.read_value(value))
    }

    fn read_value(&self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Array(list) => Value::from(list.iter().map(|one| self.read(one)).collect::<Option<Vec<_>>>()?),
            Value::Hash(pairs) => {
                let (kind, inner) = pairs.iter().next()?;
                match kind.as_str()? {
                    "f" => Value::Float(inner.as_str()?.parse().ok()?),
                    "b" => Value::from(Rich::Binary(unbase64(inner.as_str()?.as_bytes(), true)?)),
                    "d" => Value::from(Rich::Default),
                    "y" => Value::from(Rich::Symbol(inner.as_str()?.into())),
                    "s" => Value::sensitive(self.read(inner)?),
                    "o" => match inner {
                        Value::Integer(number) => self.opaque.get(usize::try_from(*number).ok()?)?.clone(),
                        _ => return None,
                    },
                    "h" => {
                        let mut all = HashBuilder::default();
                        for pair in inner.as_array()? {
                            let [key, one] = pair.as_array()? else { return None };
                            all.insert(self.read(key)?, self.read(one)?);
                        }
                        Value::Hash(all.into())
                    }
                    _ => return None,
                }
            }
            plain => plain.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_a_round_trip() {
        let pairs: hieratic_value::Hash =
            [(Value::Integer(1), Value::Float(1.5)), ("a\n\"".into(), Value::Undef)].into_iter().collect();
        let value =
            Value::from(vec![pairs.into(), Value::sensitive("x".into()), Value::from(Rich::Default), true.into()]);
        let mut wire = Wire::default();
        let line = format!("[\"done\",{}]", wire.written(&value));
        assert!(matches!(wire.parse(&line), Some(ChildMessage::Done(back)) if back == value));
        assert!(wire.parse("[\"done\",{\"o\":7}]").is_none());
    }
}
