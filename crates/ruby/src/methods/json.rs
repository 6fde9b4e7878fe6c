//! JSON.

use super::Natives;
use crate::symbol::known;
use crate::value::{Table, Value};
use crate::vm::{Args, Outcome, Vm};

/// The strings between the elements of the output, under the names of the options.
#[derive(Default)]
struct Layout {
    indent: String,
    space: String,
    space_before: String,
    object_nl: String,
    array_nl: String,
}

impl Layout {
    /// Reads the five options, or returns the compact layout for nil.
    fn from_options(vm: &mut Vm<'_>, value: &Value) -> Outcome<Layout> {
        let Value::Array(texts) = value else { return Ok(Layout::default()) };
        let texts = texts.list.borrow().clone();
        let mut parts = Vec::with_capacity(5);
        for text in &texts {
            parts.push(vm.to_s(text)?);
        }
        let mut parts = parts.into_iter();
        let mut next = || parts.next().unwrap_or_default();
        Ok(Layout { indent: next(), space: next(), space_before: next(), object_nl: next(), array_nl: next() })
    }

    fn indent(&self, vm: &mut Vm<'_>, out: &mut String, depth: usize) -> Outcome<()> {
        vm.build(self.indent.len().saturating_mul(depth))?;
        out.extend(std::iter::repeat_n(self.indent.as_str(), depth));
        Ok(())
    }
}

/// A string of JSON.
pub(crate) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for one in text.chars() {
        match one {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            '\u{8}' => out.push_str("\\b"),
            one if u32::from(one) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(one))),
            one => out.push(one),
        }
    }
    out.push('"');
}

fn generate(vm: &mut Vm<'_>, value: &Value, layout: &Layout, depth: usize, out: &mut String) -> Outcome<()> {
    vm.step()?;
    vm.build(16)?;
    if depth > 100 {
        return Err(vm.named_error("JSON::NestingError", format!("nesting of {depth} is too deep")));
    }
    match value {
        Value::Nil => out.push_str("null"),
        Value::Bool(one) => out.push_str(if *one { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Big(number) => out.push_str(&vm.big_text(number)?),
        Value::Float(number) if number.is_finite() => out.push_str(&hieratic_value::text::float(*number)),
        Value::Float(number) => {
            let shown = hieratic_value::text::float(*number);
            return Err(vm.named_error("JSON::GeneratorError", format!("920: {shown} not allowed in JSON")));
        }
        Value::Str(text) => {
            if !text.is_valid() {
                return Err(vm.named_error("JSON::GeneratorError", "source sequence is illegal/malformed utf-8"));
            }
            let before = out.len();
            text.with(|text| quote(out, text));
            vm.build(out.len() - before)?;
            vm.steps((out.len() - before) / 64)?;
        }
        Value::Array(array) => {
            let list = array.list.borrow().clone();
            out.push('[');
            out.push_str(&layout.array_nl);
            for (at, one) in list.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                    out.push_str(&layout.array_nl);
                }
                layout.indent(vm, out, depth + 1)?;
                stacker::maybe_grow(128 << 10, 4 << 20, || generate(vm, one, layout, depth + 1, out))?;
            }
            if !layout.array_nl.is_empty() {
                out.push_str(&layout.array_nl);
                layout.indent(vm, out, depth)?;
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            let table = hash.table.borrow().clone();
            out.push('{');
            for (at, (key, one)) in table.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&layout.object_nl);
                layout.indent(vm, out, depth + 1)?;
                let key = vm.to_s(&key.value)?;
                let before = out.len();
                quote(out, &key);
                vm.build(out.len() - before)?;
                out.push_str(&layout.space_before);
                out.push(':');
                out.push_str(&layout.space);
                stacker::maybe_grow(128 << 10, 4 << 20, || generate(vm, one, layout, depth + 1, out))?;
            }
            if !layout.object_nl.is_empty() {
                out.push_str(&layout.object_nl);
                layout.indent(vm, out, depth)?;
            }
            out.push('}');
        }
        Value::Object(_) => {
            let class = vm.class_of(value);
            match vm.find_method(&class, known::TO_JSON) {
                Some(method) if !matches!(method.body, crate::value::MethodBody::Native(..)) => {
                    let text = vm.invoke(&method, value, known::TO_JSON, Args::none())?;
                    out.push_str(&vm.to_s(&text)?);
                }
                _ => {
                    let text = vm.to_s(value)?;
                    quote(out, &text);
                }
            }
        }
        other => {
            let text = vm.to_s(other)?;
            quote(out, &text);
        }
    }
    vm.build(8)
}

fn read(vm: &mut Vm<'_>, value: &serde_json::Value, symbols: bool) -> Outcome {
    use serde_json::Value as Json;
    vm.step()?;
    Ok(match value {
        Json::Null => Value::Nil,
        Json::Bool(one) => Value::Bool(*one),
        Json::Number(number) => {
            let text = number.to_string();
            super::numeric::charge_digits(vm, text.len())?;
            match text.parse::<num_bigint::BigInt>() {
                Ok(number) => Value::big(number),
                Err(_) => Value::Float(text.parse().unwrap_or(0.0)),
            }
        }
        Json::String(text) => {
            vm.build(text.len())?;
            Value::str(text)
        }
        Json::Array(list) => {
            let mut out = Vec::with_capacity(list.len());
            for one in list {
                out.push(read(vm, one, symbols)?);
            }
            vm.build(out.len() * 16)?;
            Value::array(out)
        }
        Json::Object(pairs) => {
            let mut table = Table::default();
            for (key, one) in pairs {
                let key = if symbols { vm.symbol(key) } else { Value::str(key) };
                let key = vm.key_to_keep(&key)?;
                let one = read(vm, one, symbols)?;
                vm.build(56)?;
                table.insert(key, one);
            }
            Value::hash(table)
        }
    })
}

pub(super) const FUNCTIONS: Natives = &[
    ("self.json", 2, 2, |vm, _, a| {
        let mut out = String::new();
        let layout = Layout::from_options(vm, &a.at(1))?;
        generate(vm, &a.at(0), &layout, 0, &mut out)?;
        Ok(Value::string(out))
    }),
    ("self.parse_json", 2, 2, |vm, _, a| {
        let text = vm.to_str(&a.at(0))?;
        vm.steps(text.len() / 16)?;
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(value) => read(vm, &value, a.at(1).truthy()),
            Err(_) if text.trim().is_empty() => Err(vm.named_error("JSON::ParserError", "unexpected token at ''")),
            Err(error) => {
                let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
                let rest: String = line.chars().skip(error.column().saturating_sub(1)).collect();
                Err(vm.named_error("JSON::ParserError", format!("unexpected token at '{rest}'")))
            }
        }
    }),
];
