//! Conversions: implicit ones of arguments, and values of Puppet in and out. => Conversions: the implicit ones of
//! arguments, and those from and to values of Puppet.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::{HashBuilder, Rich, Value as Foreign};
use num_bigint::BigInt;

use super::{Args, Outcome, Vm};
use crate::symbol::known;
use crate::value::{Marks, Str, Table, Value};

impl Vm<'_> {
    fn no_conversion(&mut self, value: &Value, to: &str) -> Box<super::Flow> {
        let label = self.conversion_name(value);
        let of = if matches!(to, "Integer" | "Float") && matches!(value, Value::Nil | Value::Bool(_)) {
            format!("no implicit conversion from {label} to {}", to.to_lowercase())
        } else {
            format!("no implicit conversion of {label} into {to}")
        };
        self.type_error(of)
    }

    /// Returns an argument that must be an integer.
    pub fn to_int(&mut self, value: &Value) -> Outcome<i64> {
        match value.plain() {
            Value::Int(number) => Ok(*number),
            Value::Float(number) if number.is_finite() && number.abs() < 9.2e18 => Ok(number.trunc() as i64),
            Value::Float(number) => {
                let class = self.st.classes.float_domain_error.clone();
                Err(self.error(&class, hieratic_value::text::float(*number)))
            }
            Value::Big(_) => Err(self.range_error("bignum too big to convert into `long'")),
            Value::Object(_) if self.responds(value, known::TO_INT) => {
                let number = self.call(value, known::TO_INT, Args::none())?;
                match number {
                    Value::Int(number) => Ok(number),
                    _ => Err(self.no_conversion(value, "Integer")),
                }
            }
            other => {
                let label = self.conversion_name(other);
                Err(match other {
                    Value::Nil | Value::Bool(_) => {
                        let label = if other.is_nil() { "nil".into() } else { label };
                        self.type_error(
                            format!("no implicit conversion from {label} to integer")
                                .replace("from true", "of true")
                                .replace("from false", "of false")
                                .replace("true to integer", "true into Integer")
                                .replace("false to integer", "false into Integer"),
                        )
                    }
                    _ => self.type_error(format!("no implicit conversion of {label} into Integer")),
                })
            }
        }
    }

    /// Returns an argument that must be a count.
    pub fn to_count(&mut self, value: &Value, negative: &str) -> Outcome<usize> {
        let number = self.to_int(value)?;
        usize::try_from(number).map_err(|_| self.argument_error(negative))
    }

    /// Returns an argument that must be a string.
    pub fn to_str(&mut self, value: &Value) -> Outcome<Arc<str>> {
        Ok(self.to_string_object(value)?.to_arc())
    }

    pub fn to_string_object(&mut self, value: &Value) -> Outcome<Rc<Str>> {
        match value {
            Value::Str(text) => Ok(text.clone()),
            Value::Object(_) if self.responds(value, known::TO_STR) => {
                match self.call(value, known::TO_STR, Args::none())? {
                    Value::Str(text) => Ok(text),
                    _ => Err(self.no_conversion(value, "String")),
                }
            }
            other => Err(self.no_conversion(other, "String")),
        }
    }

    /// Returns a name: a symbol or a string.
    pub fn to_name(&mut self, value: &Value) -> Outcome<crate::symbol::Symbol> {
        match value.plain() {
            Value::Sym(name) => {
                if matches!(value, Value::Marked(_)) {
                    let length = self.name(*name).len();
                    self.note_name(*name, &Marks::whole(length))?;
                }
                Ok(*name)
            }
            Value::Str(text) => self.name_of(text),
            other => {
                let shown = self.inspect(other)?;
                Err(self.type_error(format!("{shown} is not a symbol nor a string")))
            }
        }
    }

    /// Returns an argument that must be an array.
    pub fn to_list(&mut self, value: &Value) -> Outcome<Vec<Value>> {
        match self.try_array(value)? {
            Some(list) => Ok(list),
            None => Err(self.no_conversion(value, "Array")),
        }
    }

    /// Returns an argument that must be a hash.
    pub fn to_table(&mut self, value: &Value) -> Outcome<Table> {
        match value {
            Value::Hash(hash) => Ok(hash.table.borrow().clone()),
            Value::Object(_) if self.responds(value, known::TO_HASH) => {
                match self.call(value, known::TO_HASH, Args::none())? {
                    Value::Hash(hash) => Ok(hash.table.borrow().clone()),
                    _ => Err(self.no_conversion(value, "Hash")),
                }
            }
            other => Err(self.no_conversion(other, "Hash")),
        }
    }

    /// Converts an argument that must be a number to a float.
    pub fn to_float(&mut self, value: &Value) -> Outcome<f64> {
        match value.plain() {
            Value::Float(number) => Ok(*number),
            Value::Int(number) => Ok(*number as f64),
            Value::Big(number) => Ok(crate::methods::big_to_float(number)),
            Value::Nil | Value::Bool(_) | Value::Str(_) => {
                let label = self.conversion_name(value);
                Err(self.type_error(match value {
                    Value::Str(_) => "can't convert String into Float".into(),
                    _ => format!("can't convert {label} into Float"),
                }))
            }
            other if self.responds(other, known::TO_F) => match self.call(other, known::TO_F, Args::none())? {
                Value::Float(number) => Ok(number),
                _ => Err(self.type_error("can't convert into Float")),
            },
            other => {
                let label = self.conversion_name(other);
                Err(self.type_error(format!("can't convert {label} into Float")))
            }
        }
    }

    /// Returns an integer of any size; `None` for other values.
    pub fn as_big(value: &Value) -> Option<BigInt> {
        match value.plain() {
            Value::Int(number) => Some(BigInt::from(*number)),
            Value::Big(number) => Some((**number).clone()),
            _ => None,
        }
    }

    /// Converts a value of Puppet to one of Ruby. Strings are shared.
    pub fn import(&mut self, value: &Foreign) -> Outcome {
        // The host may have learned the first secret since the code began.
        if !self.st.is_tracking {
            self.start_tracking();
        }
        stacker::maybe_grow(128 << 10, 4 << 20, || self.import_value(value))
    }

    /// Converts a part of a value: only values with parts need more stack.
    fn import_part(&mut self, value: &Foreign) -> Outcome {
        match value {
            Foreign::Array(_) | Foreign::Hash(_) | Foreign::Rich(_) => self.import(value),
            plain => self.import_value(plain),
        }
    }

    fn import_value(&mut self, value: &Foreign) -> Outcome {
        self.step()?;
        Ok(match value {
            Foreign::Undef => Value::Nil,
            Foreign::Boolean(one) => Value::Bool(*one),
            Foreign::Integer(number) if self.st.is_tracking => self.mark_import(value, Value::Int(*number)),
            Foreign::Float(number) if self.st.is_tracking => self.mark_import(value, Value::Float(*number)),
            Foreign::String(text) if self.st.is_tracking => {
                self.mark_import(value, Value::Str(Rc::new(Str::shared(text.clone()))))
            }
            Foreign::Integer(number) => Value::Int(*number),
            Foreign::Float(number) => Value::Float(*number),
            Foreign::String(text) => Value::Str(Rc::new(Str::shared(text.clone()))),
            Foreign::Array(list) => {
                self.build(list.len() * 16 + 40)?;
                let mut all = Vec::with_capacity(list.len());
                for one in list.iter() {
                    all.push(self.import_part(one)?);
                }
                self.array_of(all)
            }
            Foreign::Hash(hash) => {
                self.build_table(hash.len())?;
                let mut table = Table::with_capacity_and_hasher(hash.len(), Default::default());
                let mut marks = 0;
                for (key, value) in hash {
                    let key = self.import_part(key)?;
                    let key = self.unmark_element(key, &mut marks);
                    if let Value::Str(text) = &key {
                        text.frozen.set(true);
                    }
                    let value = self.import_part(value)?;
                    let value = self.unmark_element(value, &mut marks);
                    table.insert(self.key(&key)?, value);
                }
                self.hash_of_pairs(table, marks)
            }
            Foreign::Rich(rich) => match &**rich {
                Rich::Default => self.symbol("default"),
                Rich::Symbol(name) => {
                    let is_secret = self.st.is_tracking && !self.host.secret_parts(name).is_empty();
                    let name = Value::Sym(self.sym(name));
                    if is_secret { name.marked() } else { name }
                }
                Rich::BigInteger(number) => Value::big(number.clone()),
                Rich::Sensitive(inner) => {
                    let inner = self.import(inner)?;
                    match self.constant_path("Puppet::Pops::Types::PSensitiveType::Sensitive")? {
                        Some(class) => self.send(&class, "new", &[inner])?,
                        None => return Err(self.refused("there is no class for Sensitive values")),
                    }
                }
                Rich::Extended(_) if value.extended::<hieratic_yaml::RubyRegexp>().is_some() => {
                    let Some(regexp) = value.extended::<hieratic_yaml::RubyRegexp>() else {
                        return Ok(Value::Nil);
                    };
                    let flag = |letter: char, bit: i64| if regexp.options.contains(letter) { bit } else { 0 };
                    let options = flag('i', 1) | flag('x', 2) | flag('m', 4);
                    let class = Value::Class(self.st.classes.regexp.clone());
                    let source = Value::str(&regexp.source);
                    self.send(&class, "new", &[source, Value::Int(options)])?
                }
                Rich::Extended(_) => match self.host.pattern(value) {
                    Some(pattern) => Value::Regexp(Rc::new(pattern)),
                    None => Value::Foreign(Rc::new(value.clone())),
                },
                Rich::Binary(_) => Value::Foreign(Rc::new(value.clone())),
            },
        })
    }

    /// An object that Puppet can only show.
    fn shown_only(&mut self, value: &Value) -> Outcome<Foreign> {
        let (class, text) = (self.class_name(value), self.to_s(value)?);
        self.report_names(&text);
        self.build(class.len() + text.len() + 64)?;
        Ok(Foreign::from_extended(crate::value::RubyObject { class, text }))
    }

    /// Converts a value of Ruby to one of Puppet.
    pub fn export(&mut self, value: &Value) -> Outcome<Foreign> {
        self.report(value)?;
        let mut inside = Vec::new();
        self.export_in(value, &mut inside)
    }

    fn export_in(&mut self, value: &Value, inside: &mut Vec<usize>) -> Outcome<Foreign> {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.export_value(value, inside))
    }

    fn export_value(&mut self, value: &Value, inside: &mut Vec<usize>) -> Outcome<Foreign> {
        self.step()?;
        self.build(16)?;
        Ok(match value.plain() {
            Value::Nil => Foreign::Undef,
            Value::Bool(one) => Foreign::Boolean(*one),
            Value::Int(number) => Foreign::Integer(*number),
            Value::Float(number) => Foreign::Float(*number),
            Value::Big(number) => Foreign::from(Rich::BigInteger((**number).clone())),
            Value::Str(text) => {
                if !text.is_valid() {
                    self.build(text.len_bytes())?;
                    return Ok(Foreign::from(Rich::Binary(text.bytes().to_vec())));
                }
                self.build(text.len_bytes())?;
                Foreign::String(text.to_arc())
            }
            Value::Sym(name) => match &*self.name(*name) {
                "undef" => Foreign::Undef,
                "default" => Foreign::from(Rich::Default),
                name => Foreign::from(Rich::Symbol(name.into())),
            },
            Value::Array(_) | Value::Hash(_) => {
                let address = value.address().unwrap_or(0);
                if inside.contains(&address) || inside.len() > 500 {
                    return Err(self.argument_error("a value that contains itself cannot be given to Puppet"));
                }
                inside.push(address);
                let exported = match value {
                    Value::Array(array) => {
                        let list = array.list.borrow().clone();
                        self.build(list.len() * 32 + 64)?;
                        let mut all = Vec::with_capacity(list.len());
                        for one in &list {
                            all.push(self.export_in(one, inside)?);
                        }
                        Foreign::from(all)
                    }
                    Value::Hash(hash) => {
                        let table = hash.table.borrow().clone();
                        self.build_table(table.len().saturating_mul(2))?;
                        let mut all = HashBuilder::default();
                        for (key, value) in &table {
                            let key = self.export_in(&key.value, inside)?;
                            all.insert(key, self.export_in(value, inside)?);
                        }
                        Foreign::Hash(all.into())
                    }
                    _ => Foreign::Undef,
                };
                inside.pop();
                exported
            }
            Value::Regexp(pattern) => match self.host.pattern_value(pattern) {
                Some(pattern) => pattern,
                None => return self.shown_only(value),
            },
            Value::Range(_) | Value::Match(_) => return self.shown_only(value),
            Value::Foreign(foreign) => (**foreign).clone(),
            Value::Object(_) => {
                if let Some(sensitive) = self.constant_path("Puppet::Pops::Types::PSensitiveType::Sensitive")?
                    && let Value::Class(class) = &sensitive
                    && self.is_a(value, class)
                {
                    let inner = self.send(value, "unwrap", &[])?;
                    return Ok(Foreign::sensitive(self.export_in(&inner, inside)?));
                }
                if self.class_name(value) == "Puppet::Pops::Types::PBinaryType::Binary" {
                    let inner = self.send(value, "binary_buffer", &[])?;
                    let bytes = self.to_string_object(&inner)?.bytes().to_vec();
                    return Ok(self.host.binary(bytes));
                }
                for conversion in [known::TO_STR, known::TO_ARY, known::TO_HASH] {
                    if self.responds(value, conversion) {
                        let inner = self.call(value, conversion, Args::none())?;
                        return self.export_in(&inner, inside);
                    }
                }
                return self.shown_only(value);
            }
            Value::Marked(inner) => return self.export_in(inner, inside),
            Value::Proc(_) | Value::Method(_) | Value::Class(_) => return self.shown_only(value),
        })
    }
}
