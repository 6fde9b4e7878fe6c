//! `inspect` and `to_s`.

use super::{Args, Outcome, Vm};
use crate::symbol::known;
use crate::value::{Class, Data, Encoding, MethodBody, ProcKind, Str, Value};
use std::rc::Rc;

impl Vm<'_> {
    /// Runs `run` unless the value is being shown already, further out; then returns `cycle`.
    fn guard_cycle<T>(&mut self, value: &Value, cycle: T, run: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let address = (value.address().unwrap_or(0), usize::MAX);
        if self.st.visiting.contains(&address) {
            return Ok(cycle);
        }
        if self.st.visiting.len() > 2_000 {
            let class = self.st.classes.system_stack.clone();
            return Err(self.error(&class, "stack level too deep"));
        }
        self.steps(self.st.visiting.len() / 8 + 1)?;
        self.st.visiting.push(address);
        let outcome = stacker::maybe_grow(256 << 10, 4 << 20, || run(self));
        self.st.visiting.pop();
        outcome
    }

    /// Returns the result of `inspect`.
    pub fn inspect(&mut self, value: &Value) -> Outcome<String> {
        let mut out = String::new();
        self.inspect_into(value, &mut out)?;
        Ok(out)
    }

    pub fn inspect_into(&mut self, value: &Value, out: &mut String) -> Outcome<()> {
        self.build(8)?;
        match value.plain() {
            Value::Nil => out.push_str("nil"),
            Value::Bool(one) => out.push_str(if *one { "true" } else { "false" }),
            Value::Int(number) => {
                self.steps(2)?;
                self.build(12)?;
                out.push_str(&number.to_string())
            }
            Value::Float(number) => {
                self.steps(2)?;
                out.push_str(&hieratic_value::text::float(*number))
            }
            Value::Big(number) => out.push_str(&self.big_text(number)?),
            Value::Sym(name) => {
                let name = self.name(*name);
                out.push(':');
                if is_plain_symbol(&name) {
                    out.push_str(&name)
                } else {
                    hieratic_value::text::inspect_string(out, &name)
                }
            }
            Value::Str(text) => {
                self.build(text.len_bytes())?;
                self.steps(text.len_bytes() / 16 + 1)?;
                let before = out.len() + text.len_bytes();
                inspect_string(text, out);
                // Charges the escapes, which make the output longer than the string.
                self.build(out.len().saturating_sub(before))?;
            }
            Value::Array(array) => {
                let list = array.list.borrow().clone();
                self.steps(list.len())?;
                let done = self.guard_cycle(value, false, |vm| {
                    out.push('[');
                    for (at, one) in list.iter().enumerate() {
                        if at > 0 {
                            out.push_str(", ");
                        }
                        vm.inspect_into(one, out)?;
                    }
                    out.push(']');
                    Ok(true)
                })?;
                if !done {
                    out.push_str("[...]");
                }
            }
            Value::Hash(hash) => {
                let table = hash.table.borrow().clone();
                self.steps(table.len())?;
                let done = self.guard_cycle(value, false, |vm| {
                    out.push('{');
                    for (at, (key, one)) in table.iter().enumerate() {
                        if at > 0 {
                            out.push_str(", ");
                        }
                        vm.inspect_into(&key.value, out)?;
                        out.push_str("=>");
                        vm.inspect_into(one, out)?;
                    }
                    out.push('}');
                    Ok(true)
                })?;
                if !done {
                    out.push_str("{...}");
                }
            }
            Value::Range(range) => {
                if !range.first.is_nil() || range.last.is_nil() {
                    self.inspect_into(&range.first, out)?;
                }
                out.push_str(if range.exclusive { "..." } else { ".." });
                if !range.last.is_nil() || range.first.is_nil() {
                    self.inspect_into(&range.last, out)?;
                }
            }
            Value::Regexp(regexp) => out.push_str(&regexp.to_string()),
            Value::Match(found) => {
                let shown: usize = found.captures.iter().flatten().map(|range| range.len()).sum();
                self.build(shown)?;
                self.steps(shown / 16)?;
                out.push_str("#<MatchData ");
                let mut names: Vec<Option<String>> = vec![None; found.captures.iter().count()];
                for name in found.regexp.names() {
                    // Names are numbered in the order of their groups, if there are any.
                    let at = found.regexp.names().position(|one| one == name).unwrap_or(0) + 1;
                    if let Some(place) = names.get_mut(at) {
                        *place = Some(name.to_owned());
                    }
                }
                for (at, range) in found.captures.iter().enumerate() {
                    if at > 0 {
                        out.push(' ');
                        match &names[at] {
                            Some(name) => out.push_str(name),
                            None => out.push_str(&at.to_string()),
                        }
                        out.push(':');
                    }
                    match range {
                        Some(range) => hieratic_value::text::inspect_string(out, &found.text[range]),
                        None => out.push_str("nil"),
                    }
                }
                out.push('>');
            }
            Value::Proc(proc) => {
                let lambda = if proc.lambda { " (lambda)" } else { "" };
                let place = match &proc.kind {
                    ProcKind::Block { code, .. } => format!(" {}:{}", code.file, code.line),
                    ProcKind::Symbol(name) => format!("(&:{})", self.name(*name)),
                    _ => String::new(),
                };
                let number = self.object_number(value);
                out.push_str(&format!("#<Proc:0x{number:016x}{place}{lambda}>"));
            }
            Value::Method(bound) => {
                let kind = if bound.receiver.is_some() { "Method" } else { "UnboundMethod" };
                let name = self.name(bound.name);
                out.push_str(&format!("#<{kind}: {}#{name}>", bound.method.owner.display_name()));
            }
            Value::Class(class) => {
                let own = self.class_of(value);
                match self.find_method(&own, known::INSPECT) {
                    Some(method) if !matches!(method.body, MethodBody::Native(..)) => {
                        let shown = self.invoke(&method, value, known::INSPECT, Args::none())?;
                        out.push_str(&self.to_s(&shown)?);
                    }
                    _ => out.push_str(&class.display_name()),
                }
            }
            Value::Foreign(foreign) => out.push_str(&foreign.inspect()),
            Value::Marked(inner) => self.inspect_into(inner, out)?,
            Value::Object(_) => {
                let shown = self.call(value, known::INSPECT, Args::none())?;
                match &shown {
                    Value::Str(text) => text.with(|text| out.push_str(text)),
                    _ => out.push_str(&self.any_to_s(value)),
                }
            }
        }
        self.build(0)
    }

    /// Returns the result of `Object#to_s`: `#<Foo>` with a number instead of an address.
    pub fn any_to_s(&mut self, value: &Value) -> String {
        format!("#<{}>", self.any_name(value))
    }

    fn any_name(&mut self, value: &Value) -> String {
        format!("{}:0x{:016x}", self.real_class(value).display_name(), self.object_number(value))
    }

    /// Returns the number that an object shows in place of its address, which would differ between runs. The first
    /// object that a run shows gets the lowest number.
    pub fn object_number(&mut self, value: &Value) -> usize {
        let Some(address) = value.address() else { return 0 };
        let next = (self.st.object_numbers.len() + 1) * 8;
        // The value is kept alive, so that its address is not reused.
        self.st.object_numbers.entry(address).or_insert_with(|| (next, value.clone())).0
    }

    /// Returns the result of `Object#inspect`: the class and the instance variables.
    pub fn inspect_object(&mut self, value: &Value) -> Outcome<String> {
        let Value::Object(object) = value else { return self.inspect(value) };
        if let Data::Exception(_) = &*object.data.borrow() {
            // Answered by the class.
        }
        let vars = object.vars.borrow().clone();
        if vars.is_empty() {
            return Ok(self.any_to_s(value));
        }
        let name = self.any_name(value);
        let cycle = format!("#<{name} ...>");
        self.guard_cycle(value, cycle, |vm| {
            let mut out = format!("#<{name}");
            for (at, (var, value)) in vars.iter().enumerate() {
                out.push_str(if at == 0 { " " } else { ", " });
                out.push_str(&vm.name(*var));
                out.push('=');
                vm.inspect_into(value, &mut out)?;
            }
            out.push('>');
            Ok(out)
        })
    }

    /// Converts a value to a string, as interpolation does.
    pub fn to_s(&mut self, value: &Value) -> Outcome<String> {
        Ok(match value.plain() {
            Value::Nil => String::new(),
            Value::Str(text) => {
                self.build(text.len_bytes())?;
                text.with(str::to_owned)
            }
            Value::Sym(name) => self.name(*name).to_string(),
            Value::Int(number) => number.to_string(),
            Value::Regexp(regexp) => regexp.embedded(),
            Value::Range(range) => {
                let (first, last) = (self.to_s(&range.first)?, self.to_s(&range.last)?);
                format!("{first}{}{last}", if range.exclusive { "..." } else { ".." })
            }
            Value::Match(found) => found.text[found.captures.whole()].to_owned(),
            Value::Foreign(foreign) => foreign.to_text(),
            Value::Object(_) => match self.call(value, known::TO_S, Args::none())? {
                Value::Str(text) => text.with(str::to_owned),
                _ => self.any_to_s(value),
            },
            Value::Class(class) => {
                let own = self.class_of(value);
                match self.find_method(&own, known::TO_S) {
                    Some(method) if !matches!(method.body, MethodBody::Native(..)) => {
                        match self.invoke(&method, value, known::TO_S, Args::none())? {
                            Value::Str(text) => text.with(str::to_owned),
                            _ => class.display_name(),
                        }
                    }
                    _ => class.display_name(),
                }
            }
            other => self.inspect(other)?,
        })
    }

    /// Returns a large integer in decimal.
    pub fn big_text(&mut self, number: &num_bigint::BigInt) -> Outcome<String> {
        self.charge_big_text(number)?;
        Ok(number.to_string())
    }

    /// Charges the formatting of a large integer, whose time is quadratic in its length.
    pub fn charge_big_text(&mut self, number: &num_bigint::BigInt) -> Outcome<()> {
        let bits = number.bits() as usize;
        self.steps((bits / 64) * (bits / 4096) + 1)?;
        self.build(bits / 3)
    }

    /// Returns the name of a class, for messages about a value.
    pub fn class_name(&self, value: &Value) -> String {
        self.real_class(value).display_name()
    }

    /// Returns the description of a value in messages of conversions.
    pub fn conversion_name(&mut self, value: &Value) -> String {
        match value {
            Value::Nil => "nil".into(),
            Value::Bool(true) => "true".into(),
            Value::Bool(false) => "false".into(),
            other => self.class_name(other),
        }
    }

    pub fn is_class(&self, value: &Value, class: &Rc<Class>) -> bool {
        matches!(value, Value::Class(one) if Rc::ptr_eq(one, class))
    }
}

/// Returns whether a symbol is shown without quotation marks.
pub(crate) fn is_plain_symbol(name: &str) -> bool {
    const OPERATORS: &[&str] = &[
        "+", "-", "*", "/", "%", "**", "==", "!=", "<", "<=", ">", ">=", "<=>", "===", "=~", "!~", "!", "[]", "[]=",
        "<<", ">>", "&", "|", "^", "~", "+@", "-@", "`",
    ];
    if OPERATORS.contains(&name) {
        return true;
    }
    let bare = name.strip_prefix("@@").or_else(|| name.strip_prefix('@')).or_else(|| name.strip_prefix('$'));
    let variable = bare.is_some();
    let body = bare.unwrap_or(name);
    let body = if variable { body } else { body.strip_suffix(['?', '!', '=']).unwrap_or(body) };
    let mut letters = body.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_' || !first.is_ascii())
        && letters.all(|one| one.is_alphanumeric() || one == '_' || !one.is_ascii())
}

/// A string in double quotes.
pub(crate) fn inspect_string(text: &Str, out: &mut String) {
    let binary = text.encoding.get() != Encoding::Utf8;
    let control = |one: &u8| one.is_ascii_control() && !matches!(one, 7..=13 | 27);
    if !binary && text.is_valid() || text.bytes().is_ascii() && !text.bytes().iter().any(control) {
        text.with(|text| hieratic_value::text::inspect_string(out, text));
        return;
    }
    out.push('"');
    let bytes = text.bytes();
    let mut rest: &[u8] = &bytes;
    while !rest.is_empty() {
        let (valid, skip) = match std::str::from_utf8(rest) {
            _ if binary => (rest.iter().take_while(|byte| byte.is_ascii() && !control(byte)).count(), 1),
            Ok(_) => (rest.len(), 0),
            Err(error) => (error.valid_up_to(), error.error_len().unwrap_or(rest.len() - error.valid_up_to())),
        };
        let mut quoted = String::new();
        hieratic_value::text::inspect_string(&mut quoted, std::str::from_utf8(&rest[..valid]).unwrap_or_default());
        out.push_str(&quoted[1..quoted.len() - 1]);
        rest = &rest[valid..];
        let skip = skip.min(rest.len());
        for byte in &rest[..skip] {
            out.push_str(&format!("\\x{byte:02X}"));
        }
        rest = &rest[skip..];
    }
    out.push('"');
}
