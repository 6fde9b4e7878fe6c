//! Calls of macros that append directly to the output.

use std::sync::Arc;

use minijinja::Value;

use super::native::Output;
use super::{Frame, FrameOrigin, Mode, Renderer};
use crate::error::Result;
use crate::objects::{Macro, Module};
use crate::syntax::ast::{Arguments, BodyLocation, Expr, ExprKind, Macro as Definition};

/// A macro that is called, with the renderer's view of it.
pub(super) struct Callee<'m> {
    /// The macro as written.
    pub definition: &'m Definition,
    /// The context of the macro.
    pub origin: Arc<FrameOrigin>,
    /// Whether the macro escapes its output.
    pub escapes: bool,
}

impl<'m> Callee<'m> {
    /// Returns the macro in a value, or `None` for other values.
    pub fn from_value(value: &'m Value) -> Option<Callee<'m>> {
        let Macro { definition, origin, escapes, .. } = value.downcast_object_ref()?;
        Some(Callee {
            definition: definition.downcast_ref()?,
            origin: origin.clone().downcast().ok()?,
            escapes: *escapes,
        })
    }
}

impl Renderer<'_> {
    /// Prints the output of a macro without creating a value for it. An observer needs the value.
    pub(super) fn print_macro(&self, callee: &Expr, arguments: &Arguments, frame: &mut Frame) -> Option<Result<()>> {
        if frame.escapes || self.engine.observer.is_some() {
            return None;
        }
        let mut out = frame.out.lend();
        let mut kept = None;
        let printed = match self.called(callee, frame, &mut kept) {
            Some((name, definition)) => self.print_call(name, definition, arguments, frame, &mut out),
            None => {
                // The output is unchanged.
                let _ = frame.out.take_back(&mut out);
                return None;
            }
        };
        Some(printed.and_then(|()| {
            let length = frame.out.take_back(&mut out)?;
            if length >= crate::work::ELEMENT {
                crate::work::bytes(length)?;
            }
            self.count_output(length)
        }))
    }

    /// The macro that a variable holds, or one of a module; its name.
    fn called<'v>(
        &self,
        callee: &'v Expr,
        frame: &'v Frame,
        kept: &'v mut Option<Value>,
    ) -> Option<(&'v Arc<str>, Callee<'v>)> {
        let (name, key) = match &callee.kind {
            ExprKind::Name(name) => (name, None),
            ExprKind::Attribute(module, key) => match &module.kind {
                ExprKind::Name(name) => (name, Some(key)),
                _ => return None,
            },
            _ => return None,
        };
        if matches!(&*name.text, "self" | "super") {
            return None;
        }
        let value = match frame.slots.get(name) {
            Some(value) => value,
            // A failed lookup is repeated elsewhere, which reports its error.
            None => kept.insert(self.look_up(name, frame).ok()??),
        };
        match key {
            None => Some((&name.text, Callee::from_value(value)?)),
            Some(key) => {
                let module: &Module = value.downcast_object_ref()?;
                Some((&key.text, Callee::from_value(module.exports.get(&key.value)?)?))
            }
        }
    }

    fn print_call(
        &self,
        name: &Arc<str>,
        callee: Callee<'_>,
        arguments: &Arguments,
        frame: &Frame,
        out: &mut Output,
    ) -> Result<()> {
        self.charge(2)?;
        if let Some(places) = simple_arguments(callee.definition, arguments) {
            return self.call_simply(callee, arguments, &places, frame, out);
        }
        let args = self.arguments(name, arguments, None, frame)?;
        let before = std::mem::replace(out, Output::new(Mode::Text));
        *out = self.deeper(|| self.call_macro(callee, args, before))?;
        Ok(())
    }

    /// Calls a macro whose arguments are all parameters.
    fn call_simply(
        &self,
        callee: Callee<'_>,
        arguments: &Arguments,
        places: &[u8; LINEAR_SEARCH_LIMIT],
        frame: &Frame,
        out: &mut Output,
    ) -> Result<()> {
        let Definition { parameters, body, .. } = callee.definition;
        // Slots are emptied fast, but there may be many.
        self.charge(callee.origin.unit.slots.len() / 16)?;
        let mut inner = Frame::new(callee.origin, &self.pool, Output::new(Mode::Text));
        inner.escapes = callee.escapes;
        for (argument, (parameter, _)) in arguments.positional.iter().zip(parameters) {
            inner.set(parameter, self.expr(argument, frame)?);
        }
        for ((_, argument), at) in arguments.named.iter().zip(places) {
            if let Some((parameter, _)) = parameters.get(usize::from(*at)) {
                inner.set(parameter, self.expr(argument, frame)?);
            }
        }
        self.charge(parameters.len() + arguments.named.len())?;
        self.deeper(|| {
            for (parameter, default) in parameters.iter().skip(arguments.positional.len()) {
                if inner.slots.get(parameter).is_some() {
                    continue;
                }
                let value = match default {
                    Some(default) => self.expr(default, &inner)?,
                    None => self.not_provided(&parameter.text),
                };
                inner.set(parameter, value);
            }
            std::mem::swap(&mut inner.out, out);
            self.nodes(&body.nodes, &mut inner)?;
            std::mem::swap(&mut inner.out, out);
            inner.give_back(&self.pool);
            Ok(())
        })
    }
}

/// The maximum number of named arguments for which a linear search among the parameters is used.
const LINEAR_SEARCH_LIMIT: usize = 6;

/// Returns the parameters of the named arguments of a call, if all arguments are parameters of a macro that takes no
/// others.
fn simple_arguments(definition: &Definition, arguments: &Arguments) -> Option<[u8; LINEAR_SEARCH_LIMIT]> {
    let Definition { parameters, body, uses, .. } = definition;
    let is_simple = *body.level() != BodyLocation::Scope
        && !(uses.varargs || uses.kwargs || uses.caller)
        && arguments.list.is_none()
        && arguments.dictionary.is_none()
        && arguments.positional.len() <= parameters.len()
        && arguments.named.len() <= LINEAR_SEARCH_LIMIT
        && parameters.len() <= usize::from(u8::MAX);
    if !is_simple {
        return None;
    }
    let mut places = [0; LINEAR_SEARCH_LIMIT];
    for (at, (name, _)) in arguments.named.iter().enumerate() {
        let place = parameters.iter().skip(arguments.positional.len()).position(|(known, _)| known.text == *name)?;
        let place = u8::try_from(place + arguments.positional.len()).ok()?;
        if places.get(..at)?.contains(&place) {
            return None;
        }
        *places.get_mut(at)? = place;
    }
    Some(places)
}
