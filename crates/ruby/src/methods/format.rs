//! `format`, and `String#%`.

use hieratic_value::format::{self, FormatError, Named, Number};
use num_bigint::BigInt;

use super::numeric::{charge_digits, parse_float, parse_integer};
use crate::value::Value;
use crate::vm::{Flow, Outcome, Vm};

/// Formats as Ruby's `sprintf` does.
pub(super) fn sprintf(vm: &mut Vm<'_>, template: &Value, arguments: &[Value]) -> Outcome {
    let template = vm.to_str(template)?;
    let text = format::sprintf(&template, &mut Arguments { vm, list: arguments })?;
    vm.build(text.len())?;
    Ok(Value::string(text))
}

/// The arguments of a call.
struct Arguments<'a, 'v> {
    vm: &'a mut Vm<'v>,
    list: &'a [Value],
}

impl format::Values for Arguments<'_, '_> {
    type Value = Value;
    type Error = Box<Flow>;

    const MAX_WIDTH: usize = 1 << 24;

    fn at(&mut self, index: usize) -> Option<Value> {
        self.list.get(index).cloned()
    }

    fn named(&mut self, name: &str) -> Outcome<Named<Value>> {
        let [Value::Hash(hash)] = self.list else { return Ok(Named::NoHash) };
        let symbol = self.vm.symbol(name);
        let key = self.vm.key(&symbol)?;
        let found = hash.table.borrow().get(&key).cloned();
        Ok(found.map_or(Named::Missing, Named::Value))
    }

    fn text(&mut self, value: &Value) -> Outcome<String> {
        self.vm.to_s(value)
    }

    fn inspected(&mut self, value: &Value) -> Outcome<String> {
        self.vm.inspect(value)
    }

    fn string(&mut self, value: &Value) -> Option<String> {
        match value {
            Value::Str(text) => Some(text.with(str::to_owned)),
            _ => None,
        }
    }

    fn integer(&mut self, value: &Value) -> Outcome<BigInt> {
        let number = integer(self.vm, value)?;
        self.vm.charge_big_text(&number)?;
        Ok(number)
    }

    fn number(&mut self, value: &Value) -> Outcome<Number> {
        if let Some(number) = Vm::as_big(value) {
            self.vm.charge_big_text(&number)?;
            return Ok(Number::Integer(number));
        }
        match value {
            Value::Str(text) => match text.with(|text| parse_float(text, true)) {
                Some(number) => Ok(Number::Float(number)),
                None => {
                    let shown = self.vm.inspect(value)?;
                    Err(self.vm.argument_error(format!("invalid value for Float(): {shown}")))
                }
            },
            other => self.vm.to_float(other).map(Number::Float),
        }
    }

    fn count(&mut self, value: &Value) -> Outcome<i64> {
        self.vm.to_int(value)
    }

    fn charge(&mut self, bytes: usize) -> Outcome<()> {
        self.vm.build(bytes)
    }

    fn error(&mut self, error: FormatError) -> Box<Flow> {
        match error {
            FormatError::Argument(message) => self.vm.argument_error(message),
            FormatError::Key(message) => {
                let class = self.vm.st.classes.key_error.clone();
                self.vm.error(&class, message)
            }
        }
    }
}

fn integer(vm: &mut Vm<'_>, value: &Value) -> Outcome<BigInt> {
    Ok(match value {
        Value::Int(number) => BigInt::from(*number),
        Value::Big(number) => (**number).clone(),
        Value::Float(number) if number.is_finite() => super::float_to_big(number.trunc()),
        Value::Float(number) => {
            let class = vm.st.classes.float_domain_error.clone();
            return Err(vm.error(&class, hieratic_value::text::float(*number)));
        }
        Value::Str(text) => {
            charge_digits(vm, text.len_bytes())?;
            match text.with(|text| parse_integer(text, 0, true)) {
                Some(number) => number,
                None => {
                    let shown = vm.inspect(value)?;
                    return Err(vm.argument_error(format!("invalid value for Integer(): {shown}")));
                }
            }
        }
        Value::Nil => return Err(vm.type_error("can't convert nil into Integer")),
        other @ Value::Object(_) => BigInt::from(vm.to_int(other)?),
        other => {
            let class = vm.class_name(other);
            return Err(vm.type_error(format!("can't convert {class} into Integer")));
        }
    })
}
