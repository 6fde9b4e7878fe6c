//! JSON.

use hieratic_json::write::{Ends, JsonWriter, Layout};

use super::Natives;
use crate::symbol::known;
use crate::value::{Table, Value};
use crate::vm::{Args, Outcome, Vm};

/// Reads the five options of a generator of JSON, or returns the compact layout for nil.
fn layout(vm: &mut Vm<'_>, value: &Value) -> Outcome<Layout<'static>> {
    let Value::Array(texts) = value else { return Ok(Layout::COMPACT) };
    let texts = texts.list.borrow().clone();
    let mut parts = Vec::with_capacity(5);
    for text in &texts {
        parts.push(vm.to_s(text)?);
    }
    let mut parts = parts.into_iter();
    let mut next = || parts.next().unwrap_or_default();
    let (indent, space, space_before, object_break, array_break) = (next(), next(), next(), next(), next());
    Ok(Layout {
        key: format!("{space_before}:{space}").into(),
        array_break: array_break.into(),
        object_break: object_break.into(),
        indent: indent.into(),
        ends: Ends::Open,
        ..Layout::COMPACT
    })
}

/// A value that is written, with the layout for its work.
struct Generator<'l> {
    json: JsonWriter<'l, String>,
    layout: &'l Layout<'l>,
}

impl Generator<'_> {
    fn value(&mut self, vm: &mut Vm<'_>, value: &Value) -> Outcome<()> {
        vm.step()?;
        vm.build(16)?;
        let depth = self.json.depth();
        if depth > 100 {
            return Err(vm.named_error("JSON::NestingError", format!("nesting of {depth} is too deep")));
        }
        match value {
            Value::Nil => self.json.word("null"),
            Value::Bool(one) => self.json.word(if *one { "true" } else { "false" }),
            Value::Int(number) => self.json.number(number),
            Value::Big(number) => self.json.word(&vm.big_text(number)?),
            Value::Float(number) if number.is_finite() => self.json.word(&hieratic_value::text::float(*number)),
            Value::Float(number) => {
                let shown = hieratic_value::text::float(*number);
                return Err(vm.named_error("JSON::GeneratorError", format!("920: {shown} not allowed in JSON")));
            }
            Value::Str(text) => {
                if !text.is_valid() {
                    return Err(vm.named_error("JSON::GeneratorError", "source sequence is illegal/malformed utf-8"));
                }
                let before = self.json.output().len();
                text.with(|text| self.json.string(text));
                let length = self.json.output().len() - before;
                vm.build(length)?;
                vm.steps(length / 64)?;
            }
            Value::Array(array) => {
                let list = array.list.borrow().clone();
                self.json.begin_array();
                for one in &list {
                    self.charge_indent(vm)?;
                    self.inner(vm, one)?;
                }
                self.end(vm)?;
            }
            Value::Hash(hash) => {
                let table = hash.table.borrow().clone();
                self.json.begin_object();
                for (key, one) in table.iter() {
                    self.charge_indent(vm)?;
                    let key = vm.to_s(&key.value)?;
                    let before = self.json.output().len();
                    self.json.key(&key);
                    vm.build(self.json.output().len() - before)?;
                    self.inner(vm, one)?;
                }
                self.end(vm)?;
            }
            Value::Object(_) => {
                let class = vm.class_of(value);
                match vm.find_method(&class, known::TO_JSON) {
                    Some(method) if !matches!(method.body, crate::value::MethodBody::Native(..)) => {
                        let text = vm.invoke(&method, value, known::TO_JSON, Args::none())?;
                        self.json.word(&vm.to_s(&text)?);
                    }
                    _ => self.json.string(&vm.to_s(value)?),
                }
            }
            other => self.json.string(&vm.to_s(other)?),
        }
        vm.build(8)
    }

    fn inner(&mut self, vm: &mut Vm<'_>, value: &Value) -> Outcome<()> {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.value(vm, value))
    }

    fn end(&mut self, vm: &mut Vm<'_>) -> Outcome<()> {
        self.charge_indent(vm)?;
        self.json.end();
        Ok(())
    }

    /// The indentation may be any text, so it is charged before it is written.
    fn charge_indent(&self, vm: &mut Vm<'_>) -> Outcome<()> {
        vm.build(self.layout.indent.len().saturating_mul(self.json.depth()))
    }
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
        let layout = layout(vm, &a.at(1))?;
        let mut generator = Generator { json: JsonWriter::new(String::new(), &layout), layout: &layout };
        generator.value(vm, &a.at(0))?;
        Ok(Value::string(generator.json.into_output()))
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
