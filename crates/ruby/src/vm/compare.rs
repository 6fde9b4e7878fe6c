//! Equality, order and hashes.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use hieratic_value::collections::FixedHasher;
use num_bigint::BigInt;

use super::{Args, Outcome, Vm};
use crate::symbol::known;
use crate::value::{HKey, Method, MethodBody, Str, Value};

/// The maximum nesting depth of values that are compared, shown or hashed.
const MAX_DEPTH: usize = 2_000;

/// An integer and a float by their exact values.
pub(crate) fn compare_float(number: &BigInt, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = float.trunc();
    // The integral part of every finite float is an integer.
    let integer = crate::methods::float_to_big(whole);
    Some(number.cmp(&integer).then_with(|| 0.0_f64.partial_cmp(&(float - whole)).unwrap_or(Ordering::Equal)))
}

/// Compares two numbers; `None` if one of the values is not a number, or is NaN.
pub(crate) fn compare_numbers(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Big(b)) => Some(BigInt::from(*a).cmp(b)),
        (Value::Big(a), Value::Int(b)) => Some((**a).cmp(&BigInt::from(*b))),
        (Value::Big(a), Value::Big(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Float(b)) => compare_float(&BigInt::from(*a), *b),
        (Value::Float(a), Value::Int(b)) => compare_float(&BigInt::from(*b), *a).map(Ordering::reverse),
        (Value::Big(a), Value::Float(b)) => compare_float(a, *b),
        (Value::Float(a), Value::Big(b)) => compare_float(b, *a).map(Ordering::reverse),
        _ => None,
    }
}

impl Vm<'_> {
    /// Runs something on a value inside of others; a pair that is being looked at already gives what cycles give.
    fn guarded<T>(&mut self, pair: (usize, usize), cycle: T, run: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.st.visiting.contains(&pair) {
            return Ok(cycle);
        }
        if self.st.visiting.len() > MAX_DEPTH {
            let class = self.st.classes.system_stack.clone();
            return Err(self.error(&class, "stack level too deep"));
        }
        self.steps(self.st.visiting.len() / 8 + 1)?;
        self.st.visiting.push(pair);
        let outcome = stacker::maybe_grow(256 << 10, 4 << 20, || run(self));
        self.st.visiting.pop();
        outcome
    }

    /// Returns the result of `==`.
    pub fn equal(&mut self, a: &Value, b: &Value) -> Outcome<bool> {
        let (a, b) = (a.plain(), b.plain());
        Ok(match (a, b) {
            (Value::Str(a), Value::Str(b)) => {
                self.charge_string(a.len_bytes().min(b.len_bytes()))?;
                Rc::ptr_eq(a, b) || *a.bytes() == *b.bytes()
            }
            (Value::Array(left), Value::Array(right)) => {
                if Rc::ptr_eq(left, right) {
                    return Ok(true);
                }
                if left.list.borrow().len() != right.list.borrow().len() {
                    return Ok(false);
                }
                let (left, right) = (left.list.borrow().clone(), right.list.borrow().clone());
                let pair = (a.address().unwrap_or(0), b.address().unwrap_or(0));
                self.steps(left.len())?;
                return self.guarded(pair, true, |vm| {
                    for (a, b) in left.iter().zip(&right) {
                        if !vm.equal(a, b)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                });
            }
            (Value::Hash(left), Value::Hash(right)) => {
                if Rc::ptr_eq(left, right) {
                    return Ok(true);
                }
                if left.len() != right.len() {
                    return Ok(false);
                }
                let pair = (a.address().unwrap_or(0), b.address().unwrap_or(0));
                let (left, right) = (left.table.borrow().clone(), right.table.borrow().clone());
                self.steps(left.len())?;
                return self.guarded(pair, true, |vm| {
                    for (key, one) in &left {
                        match right.get(key) {
                            Some(other) if vm.equal(one, other)? => {}
                            _ => return Ok(false),
                        }
                    }
                    Ok(true)
                });
            }
            (Value::Range(a), Value::Range(b)) => {
                a.exclusive == b.exclusive && self.equal(&a.first, &b.first)? && self.equal(&a.last, &b.last)?
            }
            (Value::Regexp(a), Value::Regexp(b)) => a == b,
            (Value::Foreign(a), Value::Foreign(b)) => a == b,
            (Value::Method(a), Value::Method(b)) => {
                Rc::ptr_eq(&a.method, &b.method)
                    && match (&a.receiver, &b.receiver) {
                        (Some(a), Some(b)) => a.same(b),
                        (None, None) => true,
                        _ => false,
                    }
            }
            (Value::Object(_), _) => {
                if a.same(b) {
                    return Ok(true);
                }
                return Ok(self.call(a, known::EQ, Args::one(b.clone()))?.truthy());
            }
            (Value::Big(one), Value::Big(other)) => {
                self.charge_integer(one)?;
                one == other
            }
            (Value::Int(_) | Value::Float(_) | Value::Big(_), Value::Int(_) | Value::Float(_) | Value::Big(_)) => {
                compare_numbers(a, b) == Some(Ordering::Equal)
            }
            (Value::Int(_) | Value::Float(_) | Value::Str(_), Value::Object(_)) => {
                return Ok(self.call(b, known::EQ, Args::one(a.clone()))?.truthy());
            }
            _ => a.same(b),
        })
    }

    /// Returns the result of `<=>`; `None` for values without an order.
    pub fn compare(&mut self, a: &Value, b: &Value) -> Outcome<Option<Ordering>> {
        let (a, b) = (a.plain(), b.plain());
        Ok(match (a, b) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Str(a), Value::Str(b)) => {
                self.charge_string(a.len_bytes().min(b.len_bytes()))?;
                Some(a.bytes().cmp(&b.bytes()))
            }
            (Value::Big(a), Value::Big(b)) => {
                self.charge_integer(a)?;
                Some(a.cmp(b))
            }
            (Value::Sym(a), Value::Sym(b)) => Some(self.name(*a).as_bytes().cmp(self.name(*b).as_bytes())),
            (Value::Int(_) | Value::Float(_) | Value::Big(_), Value::Int(_) | Value::Float(_) | Value::Big(_)) => {
                compare_numbers(a, b)
            }
            (Value::Array(left), Value::Array(right)) => {
                let (left, right) = (left.list.borrow().clone(), right.list.borrow().clone());
                let pair = (a.address().unwrap_or(0), b.address().unwrap_or(1));
                self.steps(left.len().min(right.len()))?;
                return self.guarded(pair, None, |vm| {
                    for (a, b) in left.iter().zip(&right) {
                        match vm.compare(a, b)? {
                            Some(Ordering::Equal) => {}
                            other => return Ok(other),
                        }
                    }
                    Ok(Some(left.len().cmp(&right.len())))
                });
            }
            (Value::Nil, Value::Nil) => Some(Ordering::Equal),
            (Value::Foreign(a), Value::Foreign(b)) if a == b => Some(Ordering::Equal),
            (Value::Object(_) | Value::Class(_), _) => {
                let order = self.call(a, known::CMP, Args::one(b.clone()))?;
                return self.order_of(&order);
            }
            (Value::Int(_) | Value::Float(_), Value::Object(_)) if self.responds(b, known::COERCE) => {
                let pair = self.call(b, known::COERCE, Args::one(a.clone()))?;
                let pair = self.splat(&pair)?;
                match &pair[..] {
                    [a @ Value::Object(_), b] => {
                        let order = self.call(a, known::CMP, Args::one(b.clone()))?;
                        return self.order_of(&order);
                    }
                    _ => None,
                }
            }
            _ if a.same(b) => Some(Ordering::Equal),
            _ => None,
        })
    }

    /// Converts a result of `<=>` or of a block to an ordering.
    pub fn order_of(&mut self, order: &Value) -> Outcome<Option<Ordering>> {
        Ok(match order.plain() {
            Value::Int(number) => Some(number.cmp(&0)),
            Value::Float(number) => number.partial_cmp(&0.0),
            Value::Big(number) => Some((**number).cmp(&BigInt::from(0))),
            _ => None,
        })
    }

    /// Compares values with `<=>`. Values without an order are an error.
    pub fn compare_strictly(&mut self, a: &Value, b: &Value) -> Outcome<Ordering> {
        match self.compare(a, b)? {
            Some(order) => Ok(order),
            None => Err(self.not_comparable(a, b)),
        }
    }

    pub fn not_comparable(&mut self, a: &Value, b: &Value) -> Box<super::Flow> {
        let class = self.real_class(a).display_name();
        let other = match b {
            Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Big(_) => match self.inspect(b) {
                Ok(shown) => shown,
                Err(flow) => return flow,
            },
            other => self.real_class(other).display_name(),
        };
        self.argument_error(format!("comparison of {class} with {other} failed"))
    }

    /// Returns the result of `===`.
    pub fn case_eq(&mut self, a: &Value, b: &Value) -> Outcome<bool> {
        let (a, b) = (a.plain(), b.plain());
        match a {
            Value::Class(class) => {
                let own = self.class_of(a);
                // A class may define its own `===`.
                match self.find_method(&own, known::CASE_EQ) {
                    Some(method) if !matches!(method.body, MethodBody::Native(..)) => {
                        Ok(self.invoke(&method, a, known::CASE_EQ, Args::one(b.clone()))?.truthy())
                    }
                    _ => Ok(self.is_a(b, class)),
                }
            }
            Value::Regexp(_) | Value::Range(_) | Value::Proc(_) | Value::Object(_) | Value::Method(_) => {
                Ok(self.call(a, known::CASE_EQ, Args::one(b.clone()))?.truthy())
            }
            _ => self.equal(a, b),
        }
    }

    /// Returns the hash of a value; equal keys have equal hashes.
    pub fn hash_of(&mut self, value: &Value) -> Outcome<u64> {
        let mut hasher = FixedHasher::default();
        self.hash_into(value, &mut hasher)?;
        Ok(hasher.finish())
    }

    fn hash_into(&mut self, value: &Value, hasher: &mut FixedHasher) -> Outcome<()> {
        match value {
            Value::Nil => 0_u8.hash(hasher),
            Value::Bool(one) => one.hash(hasher),
            Value::Int(number) => number.hash(hasher),
            Value::Float(number) => (if *number == 0.0 { 0 } else { number.to_bits() }).hash(hasher),
            Value::Sym(name) => (1_u8, name.0).hash(hasher),
            Value::Str(text) => {
                self.charge_string(text.len_bytes())?;
                hasher.write(&text.bytes());
            }
            Value::Big(number) => {
                self.charge_integer(number)?;
                number.hash(hasher);
            }
            Value::Array(array) => {
                let list = array.list.borrow().clone();
                self.steps(list.len())?;
                let address = (value.address().unwrap_or(0), 2);
                list.len().hash(hasher);
                self.guarded(address, (), |vm| {
                    list.iter().try_for_each(|one| {
                        let hash = vm.hash_of(one)?;
                        hash.hash(hasher);
                        Ok(())
                    })
                })?;
            }
            Value::Hash(hash) => {
                let table = hash.table.borrow().clone();
                self.steps(table.len())?;
                // Equal hashes may have their keys in another order.
                let mut sum = 0_u64;
                let address = (value.address().unwrap_or(0), 2);
                self.guarded(address, (), |vm| {
                    for (key, value) in &table {
                        sum = sum.wrapping_add(key.hash ^ vm.hash_of(value)?.rotate_left(7));
                    }
                    Ok(())
                })?;
                sum.hash(hasher);
            }
            Value::Range(range) => {
                self.hash_of(&range.first)?.hash(hasher);
                self.hash_of(&range.last)?.hash(hasher);
            }
            Value::Regexp(regexp) => regexp.source().hash(hasher),
            Value::Foreign(foreign) => foreign.hash(hasher),
            Value::Object(object) => {
                let class = object.class.borrow().clone();
                let custom = self.find_method(&class, known::HASH).filter(is_custom);
                match custom {
                    Some(method) => {
                        object.hashes_by_value.set(true);
                        match self.invoke(&method, value, known::HASH, Args::none())?.plain() {
                            Value::Int(number) => number.hash(hasher),
                            Value::Big(number) => number.hash(hasher),
                            _ => return Err(self.type_error("hash must return an Integer")),
                        }
                    }
                    None => value.address().hash(hasher),
                }
            }
            Value::Marked(inner) => self.hash_into(inner, hasher)?,
            other => other.address().hash(hasher),
        }
        Ok(())
    }

    /// Returns a value as the key of a lookup.
    pub fn key(&mut self, value: &Value) -> Outcome<HKey> {
        let value = value.plain();
        Ok(HKey { hash: self.hash_of(value)?, value: value.clone() })
    }

    /// Returns a value as a key to store: a string is copied and frozen.
    pub fn key_to_keep(&mut self, value: &Value) -> Outcome<HKey> {
        let mut key = self.key(value)?;
        if let Value::Str(text) = value
            && !text.frozen.get()
        {
            let copy = Str::clone(text);
            copy.frozen.set(true);
            self.build(text.len_bytes())?;
            key.value = Value::Str(Rc::new(copy));
        }
        Ok(key)
    }
}

fn is_custom(method: &Rc<Method>) -> bool {
    !matches!(method.body, MethodBody::Native(..))
}
