//! Calls of macros, filters and tests.

use std::sync::Arc;

use hieratic_diagnostics::nearest;
use minijinja::{Error, ErrorKind, Value};

use super::native::Printed;
use super::{Context, Frame, Locals, Run};
use crate::call::Args;
use crate::objects::{Dict, Loop, Macro, Missing, Tuple, What};
use crate::python::kind::{defined, truth};
use crate::python::{Result, error, iterate};

impl Run<'_> {
    /// What a macro prints: <https://jinja.palletsprojects.com/en/3.1.x/templates/#macros>.
    pub(super) fn call_macro(&self, callee: &Arc<Macro>, mut args: Args) -> Result<Value> {
        let definition = &callee.definition;
        let name = &definition.name;
        let mut frame = Frame {
            template: callee.template.clone(),
            locals: Locals::inside(callee.scope.clone()),
            out: Printed::kept(self.mode.get()),
            blocks: callee.blocks.clone(),
            block: None,
            parent: None,
            top: callee.top.clone(),
            jump: None,
            escaping: callee.escaping.clone(),
        };
        let parameters = definition.parameters.len();
        let more = args.positional.split_off(parameters.min(args.positional.len()));
        if !more.is_empty() && !definition.uses.varargs {
            return Err(error(format!("macro '{name}' takes not more than {parameters} argument(s)")));
        }
        let mut given = args.positional.into_iter();
        let mut named = args.named;
        self.charge(parameters + named.len())?;
        for (parameter, default) in &definition.parameters {
            // Names are few, or looked through at a price.
            self.charge(named.len() / 8)?;
            let by_name = named.iter().position(|(name, _)| name == parameter);
            let value = match (given.next(), by_name, default) {
                (Some(_), Some(_), _) => {
                    let message = format!("macro '{name}' got multiple values for argument '{parameter}'");
                    return Err(error(message));
                }
                (Some(value), None, _) => value,
                (None, Some(at), _) => named.remove(at).1,
                (None, None, Some(default)) => self.expr(default, &frame)?,
                (None, None, None) => self.missing(What::Hint(format!("parameter '{parameter}' was not provided"))),
            };
            frame.locals.set(parameter, value);
        }
        if let Some(at) = named.iter().position(|(name, _)| **name == *"caller") {
            let (_, caller) = named.remove(at);
            if !definition.uses.caller {
                return Err(error(format!(
                    "macro '{name}' was invoked with two values for the special caller argument. \
                                          This is most likely a bug: the macro does not call 'caller'"
                )));
            }
            frame.locals.set(&"caller".into(), caller);
        } else if definition.uses.caller && !definition.parameters.iter().any(|(name, _)| **name == *"caller") {
            frame.locals.set(&"caller".into(), self.missing(What::Hint("No caller defined".into())));
        }
        if definition.uses.kwargs {
            let named = named.into_iter().map(|(name, value)| (Value::from(&*name), value));
            frame.locals.set(&"kwargs".into(), Dict::value(named.collect()));
        } else if let Some((unknown, _)) = named.first() {
            return Err(error(format!("macro '{name}' takes no keyword argument '{unknown}'")));
        }
        if definition.uses.varargs {
            frame.locals.set(&"varargs".into(), Tuple::value(more));
        }
        self.nodes(&definition.body, &mut frame)?;
        frame.out.finish(self.mode.get())
    }

    /// What a recursive loop prints for other items.
    pub(super) fn recurse(&self, state: &Loop, args: Args, frame: &Frame) -> Result<Value> {
        let Some(definition) = &state.recursive else {
            return Err(error("The loop must have the 'recursive' marker to be called recursively."));
        };
        let [items] = args.bind(["iterable"], 1)?;
        let items = iterate(&items.unwrap_or_default())?;
        let mut inner = Frame {
            template: frame.template.clone(),
            locals: Locals::inside(frame.locals.share()),
            out: Printed::new(self.mode.get()),
            blocks: frame.blocks.clone(),
            block: frame.block.clone(),
            parent: None,
            top: frame.top.clone(),
            jump: None,
            escaping: frame.escaping.clone(),
        };
        self.for_loop(definition, items, state.depth + 1, &mut inner)?;
        inner.out.finish(self.mode.get()).map(|printed| frame.escaping.marked(printed))
    }

    /// Counts what is printed.
    pub(super) fn count_output(&self, bytes: usize) -> Result<()> {
        crate::work::bytes(bytes + crate::work::ELEMENT)
    }
}

/// The name without the collection that all of Ansible's own things are in.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("ansible.builtin.").or_else(|| name.strip_prefix("ansible.legacy.")).unwrap_or(name)
}

/// Functions that others added get no undefined values.
pub fn no_missing(args: &Args) -> Result<()> {
    let values = args.positional.iter().chain(args.named.iter().map(|(_, value)| value));
    for value in values {
        if let Some(missing) = value.downcast_object_ref::<Missing>() {
            defined(missing)?;
        }
    }
    Ok(())
}

/// Applies a filter.
pub fn filter(context: &Context<'_>, name: &str, args: Args) -> Result<Value> {
    context.run.witnessed(&[], args, |args| applied(context, name, args))
}

fn applied(context: &Context<'_>, name: &str, args: Args) -> Result<Value> {
    let engine = context.run.engine;
    if let Some(filter) = engine.filters.get(plain_name(name)) {
        return filter(context, args);
    }
    // A name that is not there is told first, whatever is given to it.
    let missing = no_missing(&args);
    match context.run.state.apply_filter(name, &args.plain().into_values()) {
        Err(error) if is_unknown(&error, ErrorKind::UnknownFilter, name) => {
            Err(unknown("filter", name, engine.filters.keys().copied()))
        }
        applied => missing.and(applied),
    }
}

/// Applies a test.
pub fn test(context: &Context<'_>, name: &str, args: Args) -> Result<bool> {
    let engine = context.run.engine;
    if let Some(test) = engine.tests.get(plain_name(name)) {
        return test(context, args).and_then(|answer| truth(&answer));
    }
    let missing = no_missing(&args);
    match context.run.state.perform_test(name, &args.plain().into_values()) {
        Err(error) if is_unknown(&error, ErrorKind::UnknownTest, name) => {
            Err(unknown("test", name, engine.tests.keys().copied()))
        }
        answer => missing.and(answer),
    }
}

/// Whether an error says that there is nothing of this name, rather than comes from inside.
fn is_unknown(error: &Error, kind: ErrorKind, name: &str) -> bool {
    error.kind() == kind && error.detail().is_none_or(|detail| detail.contains(name))
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Error {
    let mut message = format!("Could not load \"{name}\": No {what} named '{name}'.");
    if name.contains('.') {
        message.push_str(" It belongs to a collection; only ansible.builtin is supported.");
    } else if let Some(meant) = nearest(name, known) {
        message.push_str(&format!(" Did you mean '{meant}'?"));
    }
    Error::new(if what == "filter" { ErrorKind::UnknownFilter } else { ErrorKind::UnknownTest }, message)
}
