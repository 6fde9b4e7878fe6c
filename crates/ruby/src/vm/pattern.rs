//! `case ... in`.

use super::{Args, Flow, Outcome, Vm};
use crate::ast::{CaseIn, Expr, HashRest, Local, Pattern};
use crate::symbol::known;
use crate::value::{Ctx, Table, Value};

/// The reason why a value does not match a pattern.
#[derive(Debug, Default)]
pub(crate) struct MismatchReason {
    text: String,
    /// Whether a key is missing.
    is_key: bool,
}

impl Vm<'_> {
    pub fn eval_case_in(&mut self, case: &CaseIn, line: u32, ctx: &Ctx) -> Outcome {
        let subject = self.eval(&case.subject, ctx)?;
        // With one pattern and no `else`, the error explains why the pattern does not match.
        if let ([(pattern, _, body)], None) = (&case.branches[..], &case.otherwise) {
            let (matched, reason) = self.matches_with_reason(pattern, &subject, ctx)?;
            if matched {
                return self.eval(body, ctx);
            }
            self.at_line(line);
            return Err(self.no_pattern(&subject, reason));
        }
        for (pattern, _, body) in &case.branches {
            if self.matches(pattern, &subject, ctx)? {
                return self.eval(body, ctx);
            }
        }
        match &case.otherwise {
            Some(otherwise) => self.eval(otherwise, ctx),
            None => {
                self.at_line(line);
                let class = self.st.classes.no_matching_pattern.clone();
                let shown = if subject.is_nil() { "NoMatchingPatternError".to_owned() } else { self.to_s(&subject)? };
                Err(self.error(&class, shown))
            }
        }
    }

    /// Returns the error for a value that the one pattern does not match.
    pub fn no_pattern(&mut self, subject: &Value, reason: MismatchReason) -> Box<Flow> {
        let shown = match self.inspect(subject) {
            Ok(shown) => shown,
            Err(flow) => return flow,
        };
        let class = if reason.is_key {
            self.st.classes.no_matching_pattern_key.clone()
        } else {
            self.st.classes.no_matching_pattern.clone()
        };
        self.error(&class, format!("{shown}: {}", reason.text))
    }

    /// Matches a value against a pattern, and returns the reason of a mismatch.
    pub fn matches_with_reason(
        &mut self,
        pattern: &Pattern,
        value: &Value,
        ctx: &Ctx,
    ) -> Outcome<(bool, MismatchReason)> {
        let before = self.st.mismatch.replace(MismatchReason::default());
        let matched = self.matches(pattern, value, ctx);
        let reason = std::mem::replace(&mut self.st.mismatch, before).unwrap_or_default();
        Ok((matched?, reason))
    }

    /// Records why a pattern does not match, if the caller needs the reason.
    fn note_mismatch(&mut self, text: impl FnOnce(&mut Self) -> Outcome<String>) -> Outcome<bool> {
        if self.st.mismatch.is_some() {
            let text = text(self)?;
            self.st.mismatch = Some(MismatchReason { text, is_key: false });
        }
        Ok(false)
    }

    /// `===`, with both values in the reason.
    fn is_case(&mut self, target: &Value, value: &Value) -> Outcome<bool> {
        if self.case_eq(target, value)? {
            return Ok(true);
        }
        self.note_mismatch(|vm| Ok(format!("{} === {} does not return true", vm.inspect(target)?, vm.inspect(value)?)))
    }

    fn set(&mut self, local: Local, value: Value, ctx: &Ctx) {
        ctx.env.up(local.depth).set(local.slot, value);
    }

    fn has_constant(&mut self, constant: &Option<Box<Expr>>, value: &Value, ctx: &Ctx) -> Outcome<bool> {
        match constant {
            None => Ok(true),
            Some(expr) => {
                let constant = self.eval(expr, ctx)?;
                self.is_case(&constant, value)
            }
        }
    }

    fn deconstructed(&mut self, value: &Value) -> Outcome<Option<Vec<Value>>> {
        match value {
            Value::Array(array) => Ok(Some(self.elements(array))),
            Value::Object(_) if self.responds(value, known::DECONSTRUCT) => {
                match self.call(value, known::DECONSTRUCT, Args::none())? {
                    Value::Array(array) => Ok(Some(self.elements(&array))),
                    _ => Err(self.type_error("deconstruct must return Array")),
                }
            }
            _ => Ok(None),
        }
    }

    /// Matches a value against a pattern, and binds the names of the pattern.
    pub fn matches(&mut self, pattern: &Pattern, value: &Value, ctx: &Ctx) -> Outcome<bool> {
        self.step()?;
        match pattern {
            Pattern::Value(expr) => {
                let target = self.eval(expr, ctx)?;
                self.is_case(&target, value)
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
            Pattern::Guarded(inner, condition, holds) => {
                if !self.matches(inner, value, ctx)? {
                    return Ok(false);
                }
                if self.eval(condition, ctx)?.truthy() == *holds {
                    return Ok(true);
                }
                self.note_mismatch(|_| Ok("guard clause does not return true".to_owned()))
            }
            Pattern::Array { constant, before, rest, after } => {
                if !self.has_constant(constant, value, ctx)? {
                    return Ok(false);
                }
                let Some(list) = self.deconstructed(value)? else {
                    return self
                        .note_mismatch(|vm| Ok(format!("{} does not respond to #deconstruct", vm.inspect(value)?)));
                };
                let least = before.len() + after.len();
                if list.len() < least || (rest.is_none() && list.len() > least) {
                    let more = if rest.is_some() { "+" } else { "" };
                    return self.note_mismatch(|vm| {
                        let (shown, count) = (vm.inspect(value)?, list.len());
                        Ok(format!("{shown} length mismatch (given {count}, expected {least}{more})"))
                    });
                }
                for (pattern, value) in before.iter().zip(&list) {
                    if !self.matches(pattern, value, ctx)? {
                        return Ok(false);
                    }
                }
                let middle = list.len() - after.len();
                if let Some(Some(local)) = rest {
                    let rest = self.array_of(list[before.len()..middle].to_vec());
                    self.set(*local, rest, ctx);
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
                let Some(list) = self.deconstructed(value)? else {
                    return self
                        .note_mismatch(|vm| Ok(format!("{} does not respond to #deconstruct", vm.inspect(value)?)));
                };
                let Some(last) = list.len().checked_sub(middle.len()) else {
                    return self.note_mismatch(|vm| {
                        let (shown, count, least) = (vm.inspect(value)?, list.len(), middle.len());
                        Ok(format!("{shown} length mismatch (given {count}, expected {least}+)"))
                    });
                };
                'places: for start in 0..=last {
                    for (pattern, value) in middle.iter().zip(&list[start..]) {
                        if !self.matches(pattern, value, ctx)? {
                            continue 'places;
                        }
                    }
                    if let Some(local) = before {
                        let rest = self.array_of(list[..start].to_vec());
                        self.set(*local, rest, ctx);
                    }
                    if let Some(local) = after {
                        let rest = self.array_of(list[start + middle.len()..].to_vec());
                        self.set(*local, rest, ctx);
                    }
                    return Ok(true);
                }
                self.note_mismatch(|vm| Ok(format!("{} does not match to find pattern", vm.inspect(value)?)))
            }
            Pattern::Hash { constant, pairs, rest } => {
                if !self.has_constant(constant, value, ctx)? {
                    return Ok(false);
                }
                let hash = match value {
                    Value::Hash(hash) => hash.clone(),
                    Value::Object(_) if self.responds(value, known::DECONSTRUCT_KEYS) => {
                        let target = match rest {
                            HashRest::Bind(_) => Value::Nil,
                            _ => Value::array(pairs.iter().map(|(name, _)| Value::Sym(*name)).collect()),
                        };
                        match self.call(value, known::DECONSTRUCT_KEYS, Args::one(target))? {
                            Value::Hash(hash) => hash,
                            _ => return Err(self.type_error("deconstruct_keys must return Hash")),
                        }
                    }
                    _ => {
                        return self.note_mismatch(|vm| {
                            Ok(format!("{} does not respond to #deconstruct_keys", vm.inspect(value)?))
                        });
                    }
                };
                let table: Table = hash.table.borrow().clone();
                let marks = hash.marks.get();
                if pairs.is_empty() && matches!(rest, HashRest::Any) {
                    if constant.is_some() || table.is_empty() {
                        return Ok(true);
                    }
                    return self.note_mismatch(|vm| Ok(format!("{} is not empty", vm.inspect(value)?)));
                }
                let mut left = table;
                for (name, pattern) in pairs {
                    let key = self.key(&Value::Sym(*name))?;
                    let Some(value) = left.shift_remove(&key) else {
                        let shown = self.inspect(&Value::Sym(*name))?;
                        self.note_mismatch(|_| Ok(format!("key not found: {shown}")))?;
                        if let Some(reason) = &mut self.st.mismatch {
                            reason.is_key = true;
                        }
                        return Ok(false);
                    };
                    if !self.matches(pattern, &Vm::keyword(value, marks), ctx)? {
                        return Ok(false);
                    }
                }
                match rest {
                    HashRest::Any => {}
                    HashRest::None if !left.is_empty() => {
                        let rest = Value::hash(left);
                        return self.note_mismatch(|vm| Ok(format!("rest of {} is not empty", vm.inspect(&rest)?)));
                    }
                    HashRest::None => {}
                    HashRest::Bind(local) => {
                        let rest = self.hash_of_pairs(left, marks);
                        self.set(*local, rest, ctx);
                    }
                }
                Ok(true)
            }
        }
    }
}
