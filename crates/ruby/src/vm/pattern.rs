//! `case ... in`.

use std::rc::Rc;

use super::{Args, Flow, Outcome, Vm};
use crate::ast::{CaseIn, Expr, HashRest, Local, Pattern};
use crate::symbol::known;
use crate::value::{Ctx, Table, Value};

impl Vm<'_> {
    pub fn eval_case_in(&mut self, case: &CaseIn, line: u32, ctx: &Ctx) -> Outcome {
        let subject = self.eval(&case.subject, ctx)?;
        for (pattern, _, body) in &case.branches {
            if self.matches(pattern, &subject, ctx)? {
                return self.eval(body, ctx);
            }
        }
        match &case.otherwise {
            Some(otherwise) => self.eval(otherwise, ctx),
            None => {
                self.at_line(line);
                Err(self.no_pattern(&subject))
            }
        }
    }

    pub fn no_pattern(&mut self, subject: &Value) -> Box<Flow> {
        let shown = match self.inspect(subject) {
            Ok(shown) => shown,
            Err(flow) => return flow,
        };
        let class = self.st.classes.no_matching_pattern.clone();
        self.error(&class, shown)
    }

    fn set(&mut self, local: Local, value: Value, ctx: &Ctx) {
        ctx.env.up(local.depth).set(local.slot, value);
    }

    fn has_constant(&mut self, constant: &Option<Box<Expr>>, value: &Value, ctx: &Ctx) -> Outcome<bool> {
        match constant {
            None => Ok(true),
            Some(expr) => {
                let constant = self.eval(expr, ctx)?;
                self.case_eq(&constant, value)
            }
        }
    }

    fn deconstructed(&mut self, value: &Value) -> Outcome<Option<Vec<Value>>> {
        match value {
            Value::Array(array) => Ok(Some(array.list.borrow().clone())),
            Value::Object(_) if self.responds(value, known::DECONSTRUCT) => {
                match self.call(value, known::DECONSTRUCT, Args::none())? {
                    Value::Array(array) => Ok(Some(array.list.borrow().clone())),
                    _ => Err(self.type_error("deconstruct must return Array")),
                }
            }
            _ => Ok(None),
        }
    }

    /// Whether a value matches a pattern; binds its names.
    pub fn matches(&mut self, pattern: &Pattern, value: &Value, ctx: &Ctx) -> Outcome<bool> {
        self.step()?;
        match pattern {
            Pattern::Value(expr) => {
                let wanted = self.eval(expr, ctx)?;
                self.case_eq(&wanted, value)
            }
            Pattern::Bind(local) => {
                self.set(*local, value.clone(), ctx);
                Ok(true)
            }
            Pattern::Ignore => Ok(true),
            Pattern::Alternatives(left, right) => {
                Ok(self.matches(left, value, ctx)? || self.matches(right, value, ctx)?)
            }
            Pattern::Capture(inner, local) => {
                let matched = self.matches(inner, value, ctx)?;
                if matched {
                    self.set(*local, value.clone(), ctx);
                }
                Ok(matched)
            }
            Pattern::Guarded(inner, condition, wanted) => {
                Ok(self.matches(inner, value, ctx)? && self.eval(condition, ctx)?.truthy() == *wanted)
            }
            Pattern::Array { constant, before, rest, after } => {
                if !self.has_constant(constant, value, ctx)? {
                    return Ok(false);
                }
                let Some(list) = self.deconstructed(value)? else { return Ok(false) };
                let least = before.len() + after.len();
                if list.len() < least || (rest.is_none() && list.len() > least) {
                    return Ok(false);
                }
                for (pattern, value) in before.iter().zip(&list) {
                    if !self.matches(pattern, value, ctx)? {
                        return Ok(false);
                    }
                }
                let middle = list.len() - after.len();
                if let Some(Some(local)) = rest {
                    self.set(*local, Value::array(list[before.len()..middle].to_vec()), ctx);
                }
                for (pattern, value) in after.iter().zip(&list[middle..]) {
                    if !self.matches(pattern, value, ctx)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pattern::Find { constant, before, middle, after } => {
                if !self.has_constant(constant, value, ctx)? {
                    return Ok(false);
                }
                let Some(list) = self.deconstructed(value)? else { return Ok(false) };
                let Some(last) = list.len().checked_sub(middle.len()) else { return Ok(false) };
                'places: for start in 0..=last {
                    for (pattern, value) in middle.iter().zip(&list[start..]) {
                        if !self.matches(pattern, value, ctx)? {
                            continue 'places;
                        }
                    }
                    if let Some(local) = before {
                        self.set(*local, Value::array(list[..start].to_vec()), ctx);
                    }
                    if let Some(local) = after {
                        self.set(*local, Value::array(list[start + middle.len()..].to_vec()), ctx);
                    }
                    return Ok(true);
                }
                Ok(false)
            }
            Pattern::Hash { constant, pairs, rest } => {
                if !self.has_constant(constant, value, ctx)? {
                    return Ok(false);
                }
                let hash = match value {
                    Value::Hash(hash) => hash.clone(),
                    Value::Object(_) if self.responds(value, known::DECONSTRUCT_KEYS) => {
                        let wanted = match rest {
                            HashRest::Bind(_) => Value::Nil,
                            _ => Value::array(pairs.iter().map(|(name, _)| Value::Sym(*name)).collect()),
                        };
                        match self.call(value, known::DECONSTRUCT_KEYS, Args::one(wanted))? {
                            Value::Hash(hash) => hash,
                            _ => return Err(self.type_error("deconstruct_keys must return Hash")),
                        }
                    }
                    _ => return Ok(false),
                };
                let table: Table = hash.table.borrow().clone();
                drop(Rc::clone(&hash));
                if pairs.is_empty() && matches!(rest, HashRest::Any) {
                    return Ok(constant.is_some() || table.is_empty());
                }
                let mut left = table;
                for (name, pattern) in pairs {
                    let key = self.key(&Value::Sym(*name))?;
                    let Some(value) = left.shift_remove(&key) else { return Ok(false) };
                    if !self.matches(pattern, &value, ctx)? {
                        return Ok(false);
                    }
                }
                match rest {
                    HashRest::Any => {}
                    HashRest::None if !left.is_empty() => return Ok(false),
                    HashRest::None => {}
                    HashRest::Bind(local) => self.set(*local, Value::hash(left), ctx),
                }
                Ok(true)
            }
        }
    }
}
