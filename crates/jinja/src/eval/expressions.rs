//! Expressions.

use std::cmp::Ordering;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::ValueKind;

use super::context::Context;
use super::frame::Slots;
use super::loop_variable::Loop;
use super::macros::Callee;
use super::native::Output;
use super::{Frame, Renderer};
use crate::call::Args;
use crate::error::{Result, error, undefined};
use crate::escaping::{all_marked, escaped, escaped_arguments, like, operation};
use crate::functions::Builtin;
use crate::objects::{
    Dict, Entries, HostVariables, Key, List, Macro, Markup, Method, Missing, Module, Namespace, Tuple, UndefinedOrigin,
};
use crate::python::arithmetic::Operator;
use crate::python::compare::{contains, equal, order};
use crate::python::digits::write_digits;
use crate::python::kind::{hashable, invalid, small, truth};
use crate::python::methods::{self, owner};
use crate::python::{Kind, arithmetic, index, kind, repr, str};
use crate::syntax::ast::{Arguments, Comparison, Expr, ExprKind, Filter, Name};
use crate::taint_observer::tell;

impl Renderer<'_> {
    /// The value of an expression.
    pub(super) fn expr(&self, expr: &Expr, frame: &Frame) -> Result<Value> {
        self.charge(1)?;
        // The most common and cheapest expressions.
        match &expr.kind {
            ExprKind::Constant(value, _) => return Ok(value.clone()),
            ExprKind::Name(name) => {
                return match frame.slots.get(name) {
                    Some(value) if value.kind() != ValueKind::Invalid => Ok(value.clone()),
                    _ => self.failed_at(self.variable(name, frame), frame.template(), expr.span),
                };
            }
            // An entry of a dictionary in a variable can be read directly, too.
            ExprKind::Attribute(object, key) if !key.is_method => {
                if let ExprKind::Name(name) = &object.kind
                    && let Some(dict) = frame.slots.get(name).and_then(|value| value.downcast_object_ref::<Dict>())
                    && let Some(found) = dict.under(key)
                    && !matches!(found.kind(), ValueKind::Undefined | ValueKind::Invalid)
                {
                    self.charge(1)?;
                    return Ok(found);
                }
            }
            // So are operations on small numbers, which go no deeper.
            ExprKind::Arithmetic(operator, left, right) if left.is_leaf() && right.is_leaf() => {
                if self.engine.observer.is_none()
                    && let Some(result) = small_arithmetic(*operator, left, right, &frame.slots)
                {
                    self.charge(2)?;
                    return Ok(Value::from(result));
                }
                let (left, right) = (self.expr(left, frame)?, self.expr(right, frame)?);
                let result = operation(*operator, &left, &right);
                if let Ok(output) = &result {
                    self.tell(&[&left, &right], output)?;
                }
                return self.failed_at(result, frame.template(), expr.span);
            }
            ExprKind::Compare(left, rest) if left.is_leaf() && rest.iter().all(|(_, right)| right.is_leaf()) => {
                return self.failed_at(self.evaluate(expr, frame), frame.template(), expr.span);
            }
            _ => {}
        }
        let value = stacker::maybe_grow(128 << 10, 1 << 20, || self.evaluate(expr, frame));
        let value = value.and_then(|value| match value.kind() {
            ValueKind::Invalid => Err(invalid(&value)),
            _ => Ok(value),
        });
        self.failed_at(value, frame.template(), expr.span)
    }

    /// Evaluates an expression for reading. The result is borrowed from the frame if possible, otherwise from `kept`.
    pub(super) fn look<'v>(&self, expr: &'v Expr, frame: &'v Frame, kept: &'v mut Option<Value>) -> Result<&'v Value> {
        let found = match &expr.kind {
            ExprKind::Constant(value, _) => Some(value),
            ExprKind::Name(name) => frame.slots.get(name).filter(|value| value.kind() != ValueKind::Invalid),
            _ => None,
        };
        match found {
            Some(value) => self.charge(1).map(|()| value),
            None => Ok(kept.insert(self.expr(expr, frame)?)),
        }
    }

    fn optional(&self, expr: &Option<Box<Expr>>, frame: &Frame) -> Result<Option<Value>> {
        expr.as_ref().map(|expr| self.expr(expr, frame)).transpose()
    }

    fn all(&self, exprs: &[Expr], frame: &Frame) -> Result<Vec<Value>> {
        exprs.iter().map(|expr| self.expr(expr, frame)).collect()
    }

    fn evaluate(&self, expr: &Expr, frame: &Frame) -> Result<Value> {
        match &expr.kind {
            ExprKind::Constant(value, _) => Ok(value.clone()),
            ExprKind::Name(name) => self.variable(name, frame),
            ExprKind::List(items) => self.all(items, frame).map(List::value),
            ExprKind::Tuple(items) => self.all(items, frame).map(Tuple::value),
            ExprKind::Dict(entries) => {
                let mut dict = Entries::new();
                for (key, value) in entries {
                    let key = Markup::plain(self.expr(key, frame)?);
                    hashable(&key)?;
                    dict.insert(key, self.expr(value, frame)?);
                }
                Ok(Dict::value(dict))
            }
            ExprKind::Attribute(value, key) => attribute(self, self.look(value, frame, &mut None)?, key),
            ExprKind::Item(value, key) => {
                item(self, self.look(value, frame, &mut None)?, self.look(key, frame, &mut None)?)
            }
            ExprKind::Slice(value, [start, stop, step]) => {
                let value = self.expr(value, frame)?;
                let parts = [self.optional(start, frame)?, self.optional(stop, frame)?, self.optional(step, frame)?];
                if let Kind::Missing(missing) = kind(&value)? {
                    return missing.part(&value);
                }
                self.charge_look(&value)?;
                let slice = index::slice(&value, parts)?;
                self.charge_for(&slice)?;
                let slice = like(&value, slice);
                if let Some(observer) = &self.engine.observer {
                    tell(&**observer, std::slice::from_ref(&value), &slice)?;
                }
                Ok(slice)
            }
            ExprKind::Call(..) => self.call_with(expr, frame, None),
            ExprKind::Filter(value, filter) => {
                let given = self.expr(value, frame)?;
                self.filtered_value(given, value, filter, frame)
            }
            ExprKind::Test(value, test) => {
                let value = self.expr(value, frame)?;
                let value = if &*test.name == "escaped" { value } else { Markup::plain(value) };
                let args = self.arguments(&test.name, &test.arguments, Some(value), frame)?;
                let answer = super::calls::written_test(&self.context(frame), test, args).map(Value::from);
                self.failed_at(answer, frame.template(), test.span)
            }
            ExprKind::Not(value) => Ok(Value::from(!truth(self.look(value, frame, &mut None)?)?)),
            ExprKind::Negative(value) => {
                let value = self.expr(value, frame)?;
                let negated = arithmetic::negative(&value)?;
                self.tell(&[&value], &negated)?;
                Ok(negated)
            }
            ExprKind::Positive(value) => arithmetic::positive(&self.expr(value, frame)?),
            ExprKind::Arithmetic(operator, left, right) => {
                let (mut first, mut second) = (None, None);
                let left = self.look(left, frame, &mut first)?;
                let right = self.look(right, frame, &mut second)?;
                let result = operation(*operator, left, right)?;
                self.tell(&[left, right], &result)?;
                Ok(result)
            }
            ExprKind::And(left, right) => {
                let left = self.expr(left, frame)?;
                if truth(&left)? { self.expr(right, frame) } else { Ok(left) }
            }
            ExprKind::Or(left, right) => {
                let left = self.expr(left, frame)?;
                if truth(&left)? { Ok(left) } else { self.expr(right, frame) }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                if truth(self.look(condition, frame, &mut None)?)? {
                    return self.expr(then, frame);
                }
                match otherwise {
                    Some(otherwise) => self.expr(otherwise, frame),
                    None => Ok(Missing::value(UndefinedOrigin::NoElse, false)),
                }
            }
            ExprKind::Compare(left, rest) if rest.len() == 1 => {
                let (mut first, mut second) = (None, None);
                let left = self.look(left, frame, &mut first)?;
                let [(comparison, right)] = &rest[..] else { return Ok(Value::from(true)) };
                compare(*comparison, left, self.look(right, frame, &mut second)?).map(Value::from)
            }
            ExprKind::Compare(first, rest) => {
                let mut left = self.expr(first, frame)?;
                for (comparison, right) in rest {
                    let right = self.expr(right, frame)?;
                    if !compare(*comparison, &left, &right)? {
                        return Ok(Value::from(false));
                    }
                    left = right;
                }
                Ok(Value::from(true))
            }
            ExprKind::Concat(parts) => {
                // Most values are strings and numbers, which later operands do not affect.
                let mut start = String::new();
                let mut values = Vec::new();
                for part in parts {
                    let mut kept = None;
                    let value = self.look(part, frame, &mut kept)?;
                    if !values.is_empty() || frame.escapes {
                        values.push(value.clone());
                    } else if let Some(number) = small(value) {
                        write_digits(&mut start, number);
                    } else if let (ValueKind::String, Some(text)) = (value.kind(), value.as_str()) {
                        crate::work::bytes(text.len())?;
                        start.push_str(text);
                    } else {
                        values.push(Value::from(std::mem::take(&mut start)));
                        values.push(value.clone());
                    }
                }
                if values.is_empty() {
                    return Ok(Value::from(start));
                }
                let mut length = 0;
                // With autoescape, one escaped operand makes the result escaped.
                let escapes = frame.escapes && values.iter().any(Markup::is);
                for value in &mut values {
                    if escapes && !Markup::is(value) {
                        let text = str(value)?;
                        crate::work::bytes(text.len())?;
                        *value = Value::from(escaped(&text));
                    }
                    // Bytes that are text are not the text: `str` shows them as Python writes them.
                    if value.kind() == ValueKind::Bytes || value.as_str().is_none() {
                        let text = Value::from(str(value)?);
                        self.tell(&[value], &text)?;
                        *value = text;
                    }
                    let part = value.as_str().map_or(0, str::len);
                    crate::work::bytes(part)?;
                    length += part;
                }
                // The exact capacity avoids a second copy while the string grows.
                let mut out = String::with_capacity(length);
                values.iter().for_each(|value| out.push_str(value.as_str().unwrap_or("")));
                Ok(if escapes { Markup::value(out) } else { Value::from(out) })
            }
        }
    }

    /// Applies a filter to the value of an expression.
    pub(super) fn filtered_value(&self, given: Value, value: &Expr, filter: &Filter, frame: &Frame) -> Result<Value> {
        if let Some(fast) = filter.fast().filter(|fast| fast.is_text && self.engine.observer.is_none()) {
            let mut kept = None;
            let argument = match filter.arguments.positional.first() {
                Some(argument) => Some(self.look(argument, frame, &mut kept)?),
                None => None,
            };
            let mut text = String::new();
            if let Some(steps) = (fast.write)(&given, argument, &mut text) {
                self.charge(steps)?;
                crate::work::bytes(text.len())?;
                return Ok(Value::from(text));
            }
        }
        let missing = given.downcast_object_ref::<Missing>().map(|_| given.clone());
        if missing.is_some() && filter.is_default() && self.engine.observer.is_none() {
            let default = filter.arguments.positional.first();
            return default.map_or_else(|| Ok(Value::from("")), |default| self.expr(default, frame));
        }
        let filtered = self.apply_filter(given, filter, frame);
        // An undefined input is reported as such, rather than as the error that the filter raises for it.
        let message = || missing.as_ref()?.downcast_object_ref::<Missing>().map(Missing::message);
        let is_blamed = |error: &minijinja::Error| message().is_some_and(|message| error.detail() == Some(&message));
        if filtered.as_ref().is_err_and(is_blamed) {
            self.forgive();
            return self.failed_at(filtered, frame.template(), value.span);
        }
        filtered
    }

    pub(super) fn context<'c>(&'c self, frame: &'c Frame) -> Context<'c> {
        Context { run: self, frame }
    }

    fn variable(&self, name: &Name, frame: &Frame) -> Result<Value> {
        let found = match frame.slots.get(name) {
            Some(value) => Some(value.clone()),
            None => self.look_up(name, frame)?,
        };
        match found {
            Some(value) if value.kind() == ValueKind::Invalid => return Err(invalid(&value)),
            Some(value) => return Ok(value),
            None => {}
        }
        if let Some(value) = self.engine.global(&name.text) {
            frame.keep(name, &value);
            return Ok(value);
        }
        Ok(self.missing(UndefinedOrigin::Variable(name.text.clone())))
    }

    pub(super) fn apply_filter(&self, value: Value, filter: &Filter, frame: &Frame) -> Result<Value> {
        self.charge_look(&value)?;
        let is_marked = Markup::is(&value);
        let extension = self.engine.extension;
        let name = if is_marked { extension.plain_name(&filter.name) } else { "" };
        let is_in = |names: [&[&str]; 2]| is_marked && names.into_iter().flatten().any(|known| *known == name);
        let keeps = is_in([&ESCAPE_PRESERVING, extension.escape_preserving]);
        let value =
            if is_marked && !is_in([&ESCAPE_AWARE, extension.escape_aware]) { Markup::plain(value) } else { value };
        let args = self.arguments(&filter.name, &filter.arguments, Some(value), frame)?;
        let filtered = super::calls::written_filter(&self.context(frame), filter, args);
        let value = self.failed_at(filtered, frame.template(), filter.span)?;
        let value = if keeps { all_marked(value) } else { value };
        self.charge_for(&value)?;
        Ok(value)
    }

    /// The arguments of a call, after the value that a filter or test is applied to.
    pub(super) fn arguments(
        &self,
        subject: &Arc<str>,
        written: &Arguments,
        first: Option<Value>,
        frame: &Frame,
    ) -> Result<Args> {
        let mut positional = Vec::with_capacity(usize::from(first.is_some()) + written.positional.len());
        positional.extend(first);
        let mut args = Args { callee: subject.clone(), positional, named: Vec::new() };
        for argument in &written.positional {
            args.positional.push(self.expr(argument, frame)?);
        }
        if let Some(list) = self.optional(&written.list, frame)? {
            args.positional.extend(crate::python::iterate(&list)?);
        }
        for (name, argument) in &written.named {
            args.named.push((name.clone(), self.expr(argument, frame)?));
        }
        if let Some(dictionary) = self.optional(&written.dictionary, frame)? {
            if !matches!(kind(&dictionary)?, Kind::Dict) {
                let name = crate::python::type_name(&dictionary);
                return Err(error(format!("argument after ** must be a mapping, not {name}")));
            }
            for (key, value) in crate::python::kind::entries(&dictionary)? {
                let Some(key) = key.as_str() else {
                    return Err(error("keywords must be strings"));
                };
                args.named.push((key.into(), value));
            }
        }
        Ok(args)
    }

    /// The value of a call; a call block passes its body.
    pub(super) fn call_with(&self, expr: &Expr, frame: &Frame, caller: Option<Value>) -> Result<Value> {
        let ExprKind::Call(callee, arguments) = &expr.kind else {
            return self.expr(expr, frame);
        };
        if let Some(printed) = self.call_block(callee, frame) {
            return printed;
        }
        match &callee.kind {
            ExprKind::Attribute(receiver, key) => {
                let mut kept = None;
                let receiver = self.look(receiver, frame, &mut kept)?;
                let mut args = self.arguments(&key.text, arguments, None, frame)?;
                // A macro of a module takes any argument, and arguments of an escaped string are escaped first.
                if Markup::is(receiver) {
                    args = escaped_arguments(&key.text, args)?;
                } else if receiver.downcast_object_ref::<Module>().is_none() {
                    args = args.plain();
                }
                args.named.extend(caller.map(|caller| ("caller".into(), caller)));
                let value = self.observed_call(&[receiver], args, |args| self.method(receiver, key, args, frame))?;
                self.charge_for(&value)?;
                Ok(value)
            }
            _ => {
                let mut kept = None;
                let value = self.look(callee, frame, &mut kept)?;
                let name = match &callee.kind {
                    ExprKind::Name(name) => name.text.clone(),
                    _ => "function".into(),
                };
                let mut args = self.arguments(&name, arguments, None, frame)?;
                let keeps = || value.downcast_object_ref::<Builtin>().is_some_and(|builtin| builtin.name == "dict");
                let method = value.downcast_object_ref::<Method>().filter(|method| Markup::is(&method.receiver));
                if let Some(method) = method {
                    args = escaped_arguments(&method.name, args)?;
                } else if value.downcast_object_ref::<Macro>().is_none() && !keeps() {
                    args = args.plain();
                }
                args.named.extend(caller.map(|caller| ("caller".into(), caller)));
                let value = self.observed_call(&[], args, |args| self.call_value(value, args, frame))?;
                self.charge_for(&value)?;
                Ok(value)
            }
        }
    }

    /// Calls a block: `super()`, `super.super()`, `self.name()`. Returns `None` for any other call.
    fn call_block(&self, callee: &Expr, frame: &Frame) -> Option<Result<Value>> {
        let (name, version) = match &callee.kind {
            ExprKind::Attribute(receiver, key) if receiver.is_name("self") && self.versions(&key.text, frame) > 0 => {
                (&key.text, 0)
            }
            _ => {
                let (block, version) = frame.block.as_ref()?;
                (block, version + callee.supers()?)
            }
        };
        let printed = self.block(name, version, &frame.around().top, frame, Output::new(self.mode.get()));
        Some(printed.and_then(|printed| printed.finish(self.mode.get())).map(|printed| frame.marked(printed)))
    }

    fn method(&self, receiver: &Value, key: &Key, args: Args, frame: &Frame) -> Result<Value> {
        let name = &key.text;
        if let Kind::Missing(missing) = kind(receiver)? {
            return Err(undefined(missing.message()));
        }
        self.charge_look(receiver)?;
        // Objects of other crates may have their own methods, which take precedence.
        let is_own =
            receiver.downcast_object_ref::<List>().is_some() || receiver.downcast_object_ref::<Dict>().is_some();
        if let Some(object) = receiver.as_object().filter(|_| !is_own) {
            let values = Args { callee: name.clone(), positional: args.positional.clone(), named: args.named.clone() };
            match object.call_method(&mut self.environment.empty_state(), name, &values.into_values()) {
                Err(error) if error.kind() == minijinja::ErrorKind::UnknownMethod => {}
                done => return done,
            }
        }
        if key.is_method && receiver.downcast_object_ref::<HostVariables>().is_some() {
            return self.method_of_host(receiver, name, args);
        }
        if key.is_method && methods::exists(receiver, name) {
            return methods::call(receiver, name, args).map(|result| like(receiver, result));
        }
        let callee = attribute(self, receiver, key)?;
        self.call_value(&callee, args, frame)
    }

    /// Calls a method of the variables of another host, which are rendered in the context of that host.
    fn method_of_host(&self, receiver: &Value, name: &str, args: Args) -> Result<Value> {
        if name == "get" {
            let [key, default] = args.bind(["key", "default"], 1)?;
            let key = key.unwrap_or_default();
            crate::python::kind::hashable(&key)?;
            let found = match key.as_str() {
                Some(name) => self.of_host(receiver, name)?,
                None => None,
            };
            return Ok(found.or(default).unwrap_or_else(|| Value::from(())));
        }
        let rendered = self.all_of_host(receiver)?;
        methods::call(rendered.as_ref().unwrap_or(receiver), name, args)
    }

    fn call_value(&self, callee: &Value, args: Args, frame: &Frame) -> Result<Value> {
        if let Kind::Missing(missing) = kind(callee)? {
            return Err(undefined(missing.message()));
        }
        if let Some(callee) = Callee::from_value(callee) {
            let before = Output::kept(self.mode.get());
            let printed = self.deeper(|| self.call_macro(callee, args, before)?.finish(self.mode.get()));
            return printed.map(|printed| frame.marked(printed));
        }
        if let Some(method) = callee.downcast_object_ref::<Method>() {
            return methods::call(&method.receiver, &method.name, args).map(|result| like(&method.receiver, result));
        }
        if let Some(builtin) = callee.downcast_object_ref::<Builtin>() {
            return (builtin.call)(&self.context(frame), args);
        }
        if let Some(state) = callee.downcast_object_ref::<Loop>() {
            return self.deeper(|| self.recurse(state, args, frame));
        }
        if !crate::python::kind::is_callable(callee) {
            let name = crate::python::type_name(callee);
            return Err(error(format!("'{name}' object is not callable")));
        }
        args.defined()?;
        callee.call(&mut self.environment.empty_state(), &args.into_values())
    }
}

/// Returns the value of a variable or literal that is a small integer.
#[inline]
fn small_leaf(expr: &Expr, slots: &Slots) -> Option<i64> {
    match &expr.kind {
        ExprKind::Constant(_, number) => *number,
        ExprKind::Name(name) => slots.small(name),
        _ => None,
    }
}

/// The result of an operation on variables or literals, if all of them are small integers.
#[inline]
pub(super) fn small_arithmetic(operator: Operator, left: &Expr, right: &Expr, slots: &Slots) -> Option<i64> {
    arithmetic::small_integers(operator, small_leaf(left, slots)?, small_leaf(right, slots)?)
}

/// `value.name`
fn attribute(run: &Renderer<'_>, value: &Value, key: &Key) -> Result<Value> {
    if let Some(dict) = value.downcast_object_ref::<Dict>().filter(|_| !key.is_method) {
        match dict.under(key) {
            Some(found) if !matches!(found.kind(), ValueKind::Undefined | ValueKind::Invalid) => {
                return Ok(found);
            }
            Some(_) => {}
            None => return Ok(run.missing(UndefinedOrigin::Attribute("dict object".into(), key.text.clone()))),
        }
    }
    if let Some(found) = value.downcast_object_ref::<Loop>().and_then(|state| state.attribute(&key.text)) {
        return Ok(found);
    }
    if let Some(found) = value.downcast_object_ref::<Namespace>().and_then(|names| names.get_key(key))
        && !matches!(found.kind(), ValueKind::Undefined | ValueKind::Invalid)
    {
        return Ok(found);
    }
    attribute_as(run, value, &key.text, key.is_method)
}

/// Returns the attribute of a name that is computed at run time.
pub fn attribute_named(run: &Renderer<'_>, value: &Value, name: &str) -> Result<Value> {
    attribute_as(run, value, name, true)
}

/// Returns an attribute, given whether any type has a method of this name.
fn attribute_as(run: &Renderer<'_>, value: &Value, name: &str, is_method: bool) -> Result<Value> {
    if let Kind::Missing(missing) = kind(value)? {
        return missing.part(value);
    }
    if let Some(part) = part_of(value, name)? {
        return Ok(part);
    }
    if let Some(found) = run.of_host(value, name)? {
        return Ok(found);
    }
    if is_method && methods::exists(value, name) {
        return Ok(Value::from_object(Method { receiver: value.clone(), name: name.into(), call: methods::call }));
    }
    let found = value.as_object().and_then(|object| object.get_value_by_str(name));
    match found.filter(|found| !found.is_undefined()) {
        Some(found) if found.kind() == ValueKind::Invalid => Err(invalid(&found)),
        Some(found) => Ok(found),
        None => Ok(run.missing(match (name, value.downcast_object_ref::<Loop>().is_some()) {
            ("previtem", true) => UndefinedOrigin::Hint("there is no previous item".into()),
            ("nextitem", true) => UndefinedOrigin::Hint("there is no next item".into()),
            _ => UndefinedOrigin::Attribute(owner(value).into(), name.into()),
        })),
    }
}

/// Returns an attribute of a value that is not a method.
fn part_of(value: &Value, name: &str) -> Result<Option<Value>> {
    if name == "__class__" && !matches!(kind(value)?, Kind::Other) {
        return Ok(Some(Value::from_object(methods::Class(crate::python::type_name(value)))));
    }
    if let Some(callee) = Callee::from_value(value) {
        return Ok(part_of_macro(callee.definition, name));
    }
    Ok(part_of_number(value, name))
}

/// The attributes that macros have.
fn part_of_macro(definition: &crate::syntax::ast::Macro, name: &str) -> Option<Value> {
    let parameters = &definition.parameters;
    Some(match name {
        "name" if definition.name.text.is_empty() => Value::from(()),
        "name" => Value::from(definition.name.text.clone()),
        "arguments" => Tuple::value(parameters.iter().map(|(name, _)| Value::from(name.text.clone())).collect()),
        "catch_kwargs" => Value::from(definition.uses.kwargs),
        "catch_varargs" => Value::from(definition.uses.varargs),
        "caller" => Value::from(definition.uses.caller),
        "explicit_caller" => Value::from(parameters.iter().any(|(name, _)| &*name.text == "caller")),
        _ => return None,
    })
}

/// Returns an attribute of a number: a real number is a complex one without an imaginary part, and an integer a
/// fraction with the denominator one.
fn part_of_number(value: &Value, name: &str) -> Option<Value> {
    let whole = match value.kind() {
        ValueKind::Bool => Some(Value::from(i64::from(value.is_true()))),
        ValueKind::Number if value.is_integer() => Some(value.clone()),
        ValueKind::Number => None,
        _ => return None,
    };
    match (name, whole) {
        ("real" | "numerator", Some(whole)) => Some(whole),
        ("denominator", Some(_)) => Some(Value::from(1)),
        ("imag", Some(_)) => Some(Value::from(0)),
        ("real", None) => Some(value.clone()),
        ("imag", None) => Some(Value::from(0.0)),
        _ => None,
    }
}

/// `value[key]`
pub fn item(run: &Renderer<'_>, value: &Value, key: &Value) -> Result<Value> {
    if let Kind::Missing(missing) = kind(value)? {
        return missing.part(value);
    }
    if let Kind::Missing(missing) = kind(key)? {
        // Only dictionaries inspect an undefined key before they report that it is missing.
        if missing.strict && !matches!(kind(value)?, Kind::Dict) {
            return Ok(run.missing(UndefinedOrigin::Element(owner(value), missing.message())));
        }
        missing.defined()?;
    }
    let plain;
    let key = if Markup::is(key) {
        plain = Markup::plain(key.clone());
        &plain
    } else {
        key
    };
    if let Some(name) = key.as_str()
        && let Some(found) = run.of_host(value, name)?
    {
        return Ok(found);
    }
    if let Some(found) = index::item(value, key)? {
        return Ok(like(value, found));
    }
    match key.as_str() {
        Some(name) => attribute_named(run, value, name),
        None => Ok(run.missing(UndefinedOrigin::Element(owner(value), repr(key)?))),
    }
}

/// The filters of the language that see whether a string is escaped.
const ESCAPE_AWARE: [&str; 11] =
    ["attr", "d", "default", "e", "escape", "forceescape", "format", "pprint", "replace", "safe", "string"];

/// The built-in filters whose result is escaped if their input is.
const ESCAPE_PRESERVING: [&str; 8] =
    ["capitalize", "center", "indent", "lower", "reverse", "trim", "truncate", "upper"];

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Result<bool> {
    if left.kind() == ValueKind::String
        && right.kind() == ValueKind::String
        && matches!(comparison, Comparison::Equal | Comparison::NotEqual)
        && let (Some(left), Some(right)) = (left.as_str(), right.as_str())
    {
        crate::work::steps(1)?;
        crate::work::scan(left.len().min(right.len()))?;
        return Ok((left == right) == (comparison == Comparison::Equal));
    }
    if let (Some(left), Some(right)) = (small(left), small(right)) {
        match comparison {
            Comparison::Equal => return Ok(left == right),
            Comparison::NotEqual => return Ok(left != right),
            Comparison::Less => return Ok(left < right),
            Comparison::LessOrEqual => return Ok(left <= right),
            Comparison::Greater => return Ok(left > right),
            Comparison::GreaterOrEqual => return Ok(left >= right),
            Comparison::In | Comparison::NotIn => {}
        }
    }
    let ordered = |operator: &str, expected: &dyn Fn(Ordering) -> bool| {
        order(left, right, operator).map(|order| order.is_some_and(expected))
    };
    match comparison {
        Comparison::Equal => equal(left, right),
        Comparison::NotEqual => equal(left, right).map(|equal| !equal),
        Comparison::Less => ordered("<", &|order| order.is_lt()),
        Comparison::LessOrEqual => ordered("<=", &|order| order.is_le()),
        Comparison::Greater => ordered(">", &|order| order.is_gt()),
        Comparison::GreaterOrEqual => ordered(">=", &|order| order.is_ge()),
        Comparison::In => contains(right, left),
        Comparison::NotIn => contains(right, left).map(|contains| !contains),
    }
}
