//! Calls of macros, filters and tests.

use hieratic_diagnostics::nearest;
use minijinja::{Error, ErrorKind, Value};

use super::context::Context;
use super::items::Items;
use super::loop_variable::Loop;
use super::macros::Callee;
use super::native::Output;
use super::{Frame, Renderer};
use crate::call::Args;
use crate::error::{Result, error};
use crate::host::Function;
use crate::objects::{Dict, Tuple, UndefinedOrigin};
use crate::python::kind::truth;
use crate::syntax::ast::{BodyLocation, Filter, Macro, Plugin, Template};

impl Renderer<'_> {
    /// Calls a macro, which appends to `before`: <https://jinja.palletsprojects.com/en/3.1.x/templates/#macros>.
    pub(super) fn call_macro(&self, callee: Callee<'_>, mut args: Args, before: Output) -> Result<Output> {
        let definition = callee.definition;
        let name = shown_name(definition);
        let mut frame = self.frame_of(callee, before)?;
        let parameters = definition.parameters.len();
        let more = args.positional.split_off(parameters.min(args.positional.len()));
        if !more.is_empty() && !definition.uses.varargs {
            return Err(error(format!("macro {name} takes not more than {parameters} argument(s)")));
        }
        let mut given = args.positional.into_iter();
        let mut named = args.named;
        self.charge(parameters + named.len())?;
        for (parameter, default) in &definition.parameters {
            // Names are few, or looked through at a price.
            self.charge(named.len() / 8)?;
            let by_name = named.iter().position(|(name, _)| *name == parameter.text);
            let value = match (given.next(), by_name, default) {
                (Some(_), Some(_), _) => {
                    let message = format!("macro {name} got multiple values for argument '{}'", parameter.text);
                    return Err(error(message));
                }
                (Some(value), None, _) => value,
                (None, Some(at), _) => named.remove(at).1,
                (None, None, Some(default)) => self.expr(default, &frame)?,
                (None, None, None) => self.not_provided(&parameter.text),
            };
            frame.set(parameter, value);
        }
        let special = &definition.special;
        let passed = named.iter().position(|(name, _)| **name == *"caller");
        if let Some(at) = passed.filter(|_| definition.uses.caller) {
            let (_, caller) = named.remove(at);
            frame.set(&special.caller, caller);
        } else if passed.is_some() && !definition.uses.kwargs {
            return Err(error(format!(
                "macro {name} was invoked with two values for the special caller argument. \
                                          This is most likely a bug: the macro does not call 'caller'"
            )));
        } else if passed.is_none()
            && definition.uses.caller
            && !definition.parameters.iter().any(|(name, _)| &*name.text == "caller")
        {
            frame.set(&special.caller, self.missing(UndefinedOrigin::Hint("No caller defined".into())));
        }
        if definition.uses.kwargs {
            let named = named.into_iter().map(|(name, value)| (Value::from(&*name), value));
            frame.set(&special.kwargs, Dict::value(named.collect()));
        } else if let Some((unknown, _)) = named.first() {
            return Err(error(format!("macro {name} takes no keyword argument '{unknown}'")));
        }
        if definition.uses.varargs {
            frame.set(&special.varargs, Tuple::value(more));
        }
        self.nodes(&definition.body.nodes, &mut frame)?;
        Ok(frame.end(&self.pool))
    }

    /// The value of a parameter that has none.
    pub(super) fn not_provided(&self, parameter: &str) -> Value {
        self.missing(UndefinedOrigin::Hint(format!("parameter '{parameter}' was not provided")))
    }

    /// A frame for the statements of a macro.
    pub(super) fn frame_of(&self, callee: Callee<'_>, before: Output) -> Result<Frame> {
        // Slots are emptied fast, but there may be many.
        self.charge(callee.origin.unit.slots.len() / 16)?;
        let mut frame = Frame::new(callee.origin, &self.pool, before);
        frame.escapes = callee.escapes;
        if *callee.definition.body.level() == BodyLocation::Scope {
            frame.deepen();
        }
        Ok(frame)
    }

    /// Calls a recursive loop with other items, and returns its output.
    pub(super) fn recurse(&self, state: &Loop, args: Args, frame: &Frame) -> Result<Value> {
        let Some((definition, outside)) = &state.recursive else {
            return Err(error("The loop must have the 'recursive' marker to be called recursively."));
        };
        let [items] = args.bind(["iterable"], 1)?;
        let source = items.unwrap_or_default();
        let items = Items::from_value(&source)?;
        self.charge(outside.len() / 16)?;
        let mut inner = outside.frame(&self.pool, Output::new(self.mode.get()));
        self.for_loop(definition, items, Some(source), state.depth + 1, None, &mut inner)?;
        inner.end(&self.pool).finish(self.mode.get()).map(|printed| frame.marked(printed))
    }

    /// Charges for output of this length.
    #[inline]
    pub(super) fn count_output(&self, bytes: usize) -> Result<()> {
        crate::work::bytes(bytes + crate::work::ELEMENT)
    }
}

/// Applies a filter.
pub fn filter(context: &Context<'_>, name: &str, known: Option<Function>, args: Args) -> Result<Value> {
    context.run.observed_call(&[], args, |args| applied(context, name, known, args))
}

/// Applies a filter that is written in the template.
pub fn written_filter(context: &Context<'_>, filter: &Filter, args: Args) -> Result<Value> {
    let known = *filter.known.get_or_init(|| context.run.engine.filter(&filter.name));
    context.run.observed_call(&[], args, |args| applied(context, &filter.name, known, args))
}

fn applied(context: &Context<'_>, name: &str, known: Option<Function>, mut args: Args) -> Result<Value> {
    check_foreign(context, "filter", name, known.is_some())?;
    // Filters see the variables of another host as a dictionary, except those that only pass it on or ask for one.
    if let Some(input) = args.positional.first_mut()
        && !matches!(name, "default" | "d" | "attr" | "mandatory" | "ternary" | "type_debug")
        && let Some(rendered) = context.run.all_of_host(input)?
    {
        *input = rendered;
    }
    if let Some(filter) = known {
        return filter(context, args);
    }
    match context.run.engine.added.get(name) {
        Some(added) => {
            args.defined()?;
            added(context, args.plain())
        }
        None => Err(unknown(context.run, "filter", name)),
    }
}

/// Applies a test.
pub fn test(context: &Context<'_>, name: &str, args: Args) -> Result<bool> {
    tested(context, name, context.run.engine.test(name), args)
}

/// Applies a test that is written in the template.
pub fn written_test(context: &Context<'_>, test: &Filter, args: Args) -> Result<bool> {
    let known = *test.known.get_or_init(|| context.run.engine.test(&test.name));
    tested(context, &test.name, known, args)
}

fn tested(context: &Context<'_>, name: &str, known: Option<Function>, args: Args) -> Result<bool> {
    check_foreign(context, "test", name, known.is_some())?;
    if let Some(test) = known {
        return test(context, args).and_then(|answer| truth(&answer));
    }
    Err(unknown(context.run, "test", name))
}

/// Returns an error if the filter or test is written in Python.
fn check_foreign(context: &Context<'_>, subject: &'static str, name: &str, is_known: bool) -> Result<()> {
    match context.run.engine.options.foreign.place(subject, name, is_known) {
        Some(place) => Err(foreign(subject, name, place)),
        None => Ok(()),
    }
}

/// Creates the error about a filter, test or lookup that is written in Python.
pub fn foreign(subject: &str, name: &str, place: &str) -> Error {
    error(format!("the {subject} '{name}' is written in Python, which is not run: it is defined in {place}"))
}

fn unknown(run: &Renderer<'_>, subject: &str, name: &str) -> Error {
    let engine = run.engine;
    let (kind, suggestion) = match subject {
        "filter" => (ErrorKind::UnknownFilter, nearest(name, engine.filters().map(|filter| filter.name))),
        _ => (ErrorKind::UnknownTest, nearest(name, engine.tests().map(|test| test.name))),
    };
    Error::new(kind, (engine.extension.unknown)(subject, name, suggestion))
}

impl Renderer<'_> {
    /// Returns an error for an unknown filter or test of a template, also where it would not be called: Ansible loads
    /// all of them while it compiles the template.
    pub(super) fn load_plugins(&self, template: &Template) -> Result<()> {
        let Some(unsupported) = self.engine.extension.unsupported else { return Ok(()) };
        for Plugin { kind, name, span } in &template.plugins {
            let is_known = match *kind {
                "filter" => self.engine.filter(name).is_some() || self.engine.added.contains_key(&**name),
                _ => self.engine.test(name).is_some(),
            };
            // Of other collections, nothing is known.
            let is_elsewhere = || {
                let plain = self.engine.extension.plain_name(name);
                unsupported.contains(&plain) || plain.split('.').count() > 2
            };
            if !is_known && !is_elsewhere() && self.engine.options.foreign.place(kind, name, false).is_none() {
                return self.failed_at(Err(unknown(self, kind, name)), template, *span);
            }
        }
        Ok(())
    }
}

/// The name of a macro in messages, as Python shows it: the body of a `call` has none.
fn shown_name(definition: &Macro) -> String {
    match &*definition.name.text {
        "" => "None".into(),
        name => format!("'{name}'"),
    }
}
