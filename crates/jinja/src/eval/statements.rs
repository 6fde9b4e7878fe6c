//! Statements.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use hieratic_diagnostics::Span;
use minijinja::{ErrorKind, Value};

use super::expressions::small_arithmetic;
use super::native::{Output, printed};
use super::{Blocks, Frame, FrameOrigin, Mode, Renderer, Scope, TemplateContext};
use crate::engine_state::may_reveal;
use crate::error::{Result, error, undefined};
use crate::escaping::{escaped, marked};
use crate::filters::FastFilter;
use crate::objects::{Dict, Macro, Markup, Module, Namespace, Tuple, UndefinedOrigin};
use crate::python::kind::{small, truth};
use crate::python::{iterate, kind, type_name};
use crate::syntax::Template;
use crate::syntax::ast::{Body, Expr, ExprKind, Filter, Macro as Definition, Node, NodeKind, Target};

impl Renderer<'_> {
    /// Evaluates a template. `length` is an estimate of the length of its output.
    pub(super) fn template(&self, template: &Arc<Template>, scope: &Arc<Scope>, length: usize) -> Result<Output> {
        self.append_template(template, scope, Output::with_room(self.mode.get(), length))
    }

    /// Evaluates a template, which appends to `before`.
    fn append_template(&self, template: &Arc<Template>, scope: &Arc<Scope>, before: Output) -> Result<Output> {
        let escapes = Arc::new(AtomicBool::new(template.settings.autoescape));
        self.template_with(template, scope, &Blocks::default(), escapes, before)
    }

    fn template_with(
        &self,
        template: &Arc<Template>,
        scope: &Arc<Scope>,
        blocks: &Blocks,
        escapes: Arc<AtomicBool>,
        before: Output,
    ) -> Result<Output> {
        {
            let mut known = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            for (name, block) in &template.blocks {
                known.entry(name.clone()).or_default().push((template.clone(), block.clone()));
            }
        }
        let (blocks, top) = (blocks.clone(), scope.clone());
        let outer = Arc::new(TemplateContext { template: template.clone(), blocks, top, escapes });
        let (unit, scope_) = (template.unit.clone(), scope.clone());
        let origin = Arc::new(FrameOrigin { around: outer.clone(), unit, scope: scope_ });
        self.render_named(&template.unit.names, scope)?;
        let mut frame = Frame::new(origin, &self.pool, before);
        self.nodes(&template.body, &mut frame)?;
        let parent = frame.parent.take();
        let printed = frame.end(&self.pool);
        match parent {
            Some(parent) => {
                let (parent, before) = *parent;
                self.deeper(|| self.template_with(&parent, scope, &outer.blocks, outer.escapes.clone(), before))
            }
            None => Ok(printed),
        }
    }

    /// Statements in sequence.
    pub(super) fn nodes(&self, nodes: &[Node], frame: &mut Frame) -> Result<()> {
        self.nodes_after(0, nodes, frame)
    }

    /// Evaluates statements. `steps` earlier steps are charged with those of the statements.
    #[inline(always)]
    pub(super) fn nodes_after(&self, steps: usize, nodes: &[Node], frame: &mut Frame) -> Result<()> {
        let mut steps = steps + nodes.len();
        let mut rest = nodes.iter();
        loop {
            if self.mode.get() == Mode::Text && !frame.escapes {
                let (count, printed) = self.print_simple_nodes(std::mem::take(&mut steps), rest.as_slice(), frame);
                if printed.is_err() {
                    let span = rest.nth(count.saturating_sub(1)).map_or(Span { start: 0, end: 0 }, |node| node.span);
                    return self.failed_at(printed, frame.template(), span);
                }
                rest = rest.as_slice().get(count..).unwrap_or_default().iter();
            } else {
                self.charge(std::mem::take(&mut steps))?;
            }
            let Some(node) = rest.next() else { return Ok(()) };
            let done = match &node.kind {
                // The most common statements are evaluated inline.
                NodeKind::Text(text) => self.count_output(text.len()).and_then(|()| frame.out.text(text)),
                NodeKind::Output(expr) => self.output(expr, frame),
                other => self.node(other, frame),
            };
            if done.is_err() {
                return self.failed_at(done, frame.template(), node.span);
            }
            if frame.jump.is_some() {
                return Ok(());
            }
        }
    }

    /// Prints the leading statements that are text, a variable, an entry of a dictionary in a variable, or a sum, as
    /// long as these are strings and numbers already. Returns the number of statements. The cost is charged once for
    /// all of them, so long strings are left to the general path. `steps` earlier steps are charged as well.
    #[inline]
    fn print_simple_nodes(&self, mut steps: usize, nodes: &[Node], frame: &mut Frame) -> (usize, Result<()>) {
        let Frame { slots, out, .. } = frame;
        let (mut count, mut bytes) = (0, 0);
        for node in nodes {
            match &node.kind {
                NodeKind::Text(text) => {
                    bytes += text.len();
                    out.copy(text);
                }
                NodeKind::Output(Expr { kind: ExprKind::Name(name), .. }) => {
                    let Some(length) = slots.get(name).and_then(|value| out.plain(value)) else { break };
                    bytes += length;
                    steps += 1;
                }
                NodeKind::Output(Expr { kind: ExprKind::Attribute(object, key), .. }) if !key.is_method => {
                    let ExprKind::Name(name) = &object.kind else { break };
                    let dict = slots.get(name).and_then(|value| value.downcast_object_ref::<Dict>());
                    let length = dict.and_then(|dict| dict.show(key, |found| found.and_then(|value| out.plain(value))));
                    let Some(length) = length else { break };
                    bytes += length;
                    steps += 2;
                }
                NodeKind::Output(Expr { kind: ExprKind::Arithmetic(operator, left, right), .. }) => {
                    let Some(number) = small_arithmetic(*operator, left, right, slots) else { break };
                    bytes += 8;
                    steps += 3;
                    out.digits(number);
                }
                _ => break,
            }
            count += 1;
        }
        if count == 0 {
            return (0, self.charge(steps));
        }
        let bytes = bytes + count * crate::work::ELEMENT;
        let counted = self.charge(steps).and_then(|()| crate::work::bytes(bytes)).and_then(|()| out.fits());
        (count, counted)
    }

    /// Prints the value of an expression.
    fn output(&self, expr: &Expr, frame: &mut Frame) -> Result<()> {
        if self.mode.get() == Mode::Text
            && let ExprKind::Call(callee, arguments) = &expr.kind
            && let Some(done) = self.print_macro(callee, arguments, frame)
        {
            return self.failed_at(done, frame.template(), expr.span);
        }
        let value = match &expr.kind {
            ExprKind::Filter(value, filter) if self.mode.get() == Mode::Text && !frame.escapes => {
                let done = self.print_filtered(value, filter, frame);
                match self.failed_at(done, frame.template(), expr.span)? {
                    Some(value) => value,
                    None => return Ok(()),
                }
            }
            _ => self.expr(expr, frame)?,
        };
        if let Some(number) = small(&value) {
            self.count_output(8)?;
            return frame.out.number(number);
        }
        let value = printed(value, self.mode.get());
        let value = self.failed_at(value, frame.template(), expr.span)?;
        let value = if frame.escapes { self.escaped(value)? } else { value };
        if self.engine.observer.is_some()
            && self.mode.get() == Mode::Text
            && may_reveal(&value)
            && value.as_str().is_none()
        {
            self.tell(&[&value], &Value::from(crate::python::str(&value)?))?;
        }
        self.print(frame, value)
    }

    /// Prints the result of a filter directly, if that is possible; otherwise returns the result without printing it.
    fn print_filtered(&self, value: &Expr, filter: &Filter, frame: &mut Frame) -> Result<Option<Value>> {
        let Some(fast) = filter.fast().filter(|_| self.engine.observer.is_none()) else {
            self.charge(1)?;
            let given = self.expr(value, frame)?;
            return self.filtered_value(given, value, filter, frame).map(Some);
        };
        let mut text = std::mem::take(frame.out.string());
        let start = text.len();
        let printed = self.print_fast(fast, value, filter, frame, &mut text);
        let length = text.len() - start;
        *frame.out.string() = text;
        match printed? {
            Some(given) => self.filtered_value(given, value, filter, frame).map(Some),
            None => {
                self.count_output(length)?;
                frame.out.fits()?;
                Ok(None)
            }
        }
    }

    /// Appends the result of a simple filter to `text`. Returns the input if the filter is not simple for it.
    fn print_fast(
        &self,
        fast: FastFilter,
        value: &Expr,
        filter: &Filter,
        frame: &Frame,
        text: &mut String,
    ) -> Result<Option<Value>> {
        let (mut kept, mut argument_kept) = (None, None);
        let given = self.look(value, frame, &mut kept)?;
        let argument = match filter.arguments.positional.first() {
            Some(argument) => Some(self.look(argument, frame, &mut argument_kept)?),
            None => None,
        };
        match (fast.write)(given, argument, text) {
            Some(steps) => self.charge(1 + steps).map(|()| None),
            None => Ok(Some(given.clone())),
        }
    }

    /// Creates the value of a macro, with its context.
    fn macro_value(&self, definition: &Arc<Definition>, frame: &Frame) -> Value {
        let unit = definition.unit.get().cloned().unwrap_or_default();
        let (outer, scope) = (frame.around().clone(), frame.scope().clone());
        let origin = Arc::new(FrameOrigin { around: outer, unit, scope });
        let (name, definition) = (definition.name.text.clone(), definition.clone());
        Value::from_object(Macro { name, definition, origin, escapes: frame.escapes })
    }

    /// Evaluates statements and captures their output.
    fn captured(&self, body: &Body, frame: &mut Frame) -> Result<Value> {
        if self.mode.get() == Mode::Text {
            let opened = frame.out.open(true);
            self.within(body, frame, |frame| self.nodes(&body.nodes, frame))?;
            return frame.out.take(opened);
        }
        let before = std::mem::replace(&mut frame.out, Output::kept(self.mode.get()));
        let done = self.within(body, frame, |frame| self.nodes(&body.nodes, frame));
        let printed = std::mem::replace(&mut frame.out, before);
        done.and_then(|()| printed.finish(self.mode.get()))
    }

    /// Evaluates statements and applies filters to their output.
    fn filtered(&self, filters: &[Filter], body: &Body, frame: &mut Frame) -> Result<Value> {
        let mut value = self.captured(body, frame)?;
        if frame.escapes && !filters.is_empty() {
            value = marked(value);
        }
        for filter in filters {
            value = self.apply_filter(value, filter, frame)?;
        }
        Ok(value)
    }

    /// Evaluates a part of the template that appends to the output of the frame. In native mode its output is one piece
    /// among others.
    fn behind(&self, frame: &mut Frame, print: impl FnOnce(&mut Frame, Output) -> Result<Output>) -> Result<()> {
        if self.mode.get() != Mode::Text {
            let printed = print(frame, Output::new(self.mode.get()))?;
            return frame.out.append(printed);
        }
        let opened = frame.out.open(false);
        let out = std::mem::replace(&mut frame.out, Output::new(Mode::Text));
        frame.out = print(frame, out)?;
        frame.out.close(opened).map(drop)
    }

    /// Escapes a value that is printed with autoescape. In native mode values are unchanged.
    fn escaped(&self, value: Value) -> Result<Value> {
        if self.mode.get() != Mode::Text || small(&value).is_some() || Markup::is(&value) {
            return Ok(value);
        }
        let text = crate::python::str(&value)?;
        crate::work::bytes(text.len())?;
        Ok(Value::from(escaped(&text)))
    }

    fn print(&self, frame: &mut Frame, value: Value) -> Result<()> {
        self.count_output(value.as_str().map_or(8, str::len))?;
        frame.out.value(value)
    }

    #[inline(never)]
    fn node(&self, node: &NodeKind, frame: &mut Frame) -> Result<()> {
        match node {
            NodeKind::Text(text) => {
                self.count_output(text.len())?;
                frame.out.text(text)
            }
            NodeKind::Output(expr) => self.output(expr, frame),
            NodeKind::For(definition) => self.for_statement(definition, frame),
            NodeKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    if truth(self.look(condition, frame, &mut None)?)? {
                        return self.nodes(body, frame);
                    }
                }
                self.nodes(otherwise, frame)
            }
            NodeKind::Set { target, value } => {
                let value = self.expr(value, frame)?;
                self.assign(target, value, frame)
            }
            NodeKind::SetBlock { target, filters, body } => {
                let value = self.filtered(filters, body, frame)?;
                self.assign(target, frame.marked(value), frame)
            }
            NodeKind::Macro(definition) => {
                let value = self.macro_value(definition, frame);
                self.circular.borrow_mut().push(frame.scope().clone());
                frame.set(&definition.name, value);
                Ok(())
            }
            NodeKind::Call { caller, call } => {
                let caller = self.macro_value(caller, frame);
                let value = printed(self.call_with(call, frame, Some(caller))?, self.mode.get())?;
                self.print(frame, value)
            }
            NodeKind::FilterBlock { filters, body } => {
                let value = self.filtered(filters, body, frame)?;
                let value = printed(value, self.mode.get())?;
                self.print(frame, value)
            }
            NodeKind::With { bindings, body } => {
                // The values do not see each other.
                let values = bindings.iter().map(|(_, value)| self.expr(value, frame));
                let values = values.collect::<Result<Vec<Value>>>()?;
                self.within(body, frame, |frame| {
                    for ((target, _), value) in bindings.iter().zip(values) {
                        self.assign(target, value, frame)?;
                    }
                    self.nodes(&body.nodes, frame)
                })
            }
            NodeKind::Autoescape { on, body } => {
                let on = truth(&self.expr(on, frame)?)?;
                let outer = (frame.escapes, frame.around().escapes.swap(on, Ordering::Relaxed));
                frame.escapes = on;
                let done = self.within(body, frame, |frame| self.nodes(&body.nodes, frame));
                frame.escapes = outer.0;
                frame.around().escapes.store(outer.1, Ordering::Relaxed);
                done
            }
            NodeKind::Block(block) => {
                // A template that extends another one only defines its blocks.
                if frame.parent.is_some() {
                    return Ok(());
                }
                if block.required && self.versions(&block.name, frame) <= 1 {
                    return Err(error(format!("Required block '{}' not found", block.name)));
                }
                let scope = if block.scoped { frame.visible() } else { frame.around().top.clone() };
                self.behind(frame, |frame, out| self.block(&block.name, 0, &scope, frame, out))
            }
            NodeKind::Do(expr) => self.expr(expr, frame).map(drop),
            NodeKind::Jump(jump) => {
                frame.jump = Some(*jump);
                Ok(())
            }
            NodeKind::Extends(name) => {
                if frame.parent.is_some() {
                    return Err(error("extended multiple times"));
                }
                let name = self.expr(name, frame)?;
                let parent = self.load(&template_name(&name)?, frame.template())?;
                // The output so far is printed before the other template.
                let before = std::mem::replace(&mut frame.out, Output::new(self.mode.get()));
                frame.parent = Some(Box::new((parent, before)));
                Ok(())
            }
            NodeKind::Include { name, ignore_missing, with_context } => {
                let names = self.expr(name, frame)?;
                let Some(template) = self.first_template(&names, *ignore_missing, frame)? else {
                    return Ok(());
                };
                let scope = scope_of(&template, *with_context, frame);
                self.behind(frame, |_, out| self.deeper(|| self.append_template(&template, &scope, out)))
            }
            NodeKind::Import { name, target, with_context } => {
                let module = self.import(name, *with_context, frame)?;
                frame.set(target, Value::from_dyn_object(module));
                Ok(())
            }
            NodeKind::From { name, names, with_context } => {
                let module = self.import(name, *with_context, frame)?;
                for (name, alias) in names {
                    let value = module.exports.get(&Value::from(&**name)).cloned().unwrap_or_else(|| {
                        let template = &module.name;
                        let hint = format!("the template '{template}' does not export the requested name '{name}'");
                        self.missing(UndefinedOrigin::Hint(hint))
                    });
                    frame.set(alias, value);
                }
                Ok(())
            }
        }
    }

    /// Returns the number of versions of a block.
    pub(super) fn versions(&self, name: &str, frame: &Frame) -> usize {
        frame.around().blocks.lock().unwrap_or_else(PoisonError::into_inner).get(name).map_or(0, Vec::len)
    }

    /// Evaluates a version of a block, which appends to `before`.
    pub(super) fn block(
        &self,
        name: &str,
        version: usize,
        scope: &Arc<Scope>,
        frame: &Frame,
        before: Output,
    ) -> Result<Output> {
        let found = {
            let known = frame.around().blocks.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(name).and_then(|versions| versions.get(version).cloned())
        };
        let Some((template, block)) = found else {
            return Err(undefined(format!("there is no parent block called '{name}'.")));
        };
        let unit = block.unit.get().cloned().unwrap_or_default();
        // Blocks in it, and those that it calls, do not see the variables that it sets.
        let top = scope.clone();
        let scope = Scope::beginning(scope, &unit);
        self.render_named(&unit.names, &scope)?;
        // A block is independent of the statements around it.
        let (blocks, escapes) = (frame.around().blocks.clone(), frame.around().escapes.clone());
        let outer = Arc::new(TemplateContext { template, blocks, top, escapes });
        let mut inner = Frame::new(Arc::new(FrameOrigin { around: outer, unit, scope }), &self.pool, before);
        inner.block = Some((block.name.clone(), version));
        self.deeper(|| self.nodes(&block.body, &mut inner))?;
        Ok(inner.end(&self.pool))
    }

    /// Assigns the parts of a value, which is usually a tuple.
    pub(super) fn assign_parts(&self, target: &Target, value: &Value, frame: &mut Frame) -> Result<()> {
        if let (Target::Several(targets), Some(tuple)) = (target, value.downcast_object_ref::<Tuple>())
            && tuple.items().len() == targets.len()
        {
            self.charge(targets.len())?;
            return targets
                .iter()
                .zip(tuple.items())
                .try_for_each(|(target, item)| self.assign(target, item.clone(), frame));
        }
        self.assign(target, value.clone(), frame)
    }

    pub(super) fn assign(&self, target: &Target, value: Value, frame: &mut Frame) -> Result<()> {
        match target {
            Target::Name(name) => {
                frame.set(name, value);
                Ok(())
            }
            Target::Attribute(name, attribute) => {
                let object = match frame.slots.get(name) {
                    Some(object) => Some(object.clone()),
                    None => self.look_up(name, frame)?,
                };
                match object.as_ref().and_then(|object| object.downcast_object_ref::<Namespace>()) {
                    Some(namespace) => {
                        namespace.set(attribute, value);
                        Ok(())
                    }
                    None => Err(error("cannot assign attribute on non-namespace object")),
                }
            }
            Target::Several(targets) => {
                if value.downcast_object_ref::<Tuple>().is_some_and(|tuple| tuple.items().len() == targets.len()) {
                    return self.assign_parts(target, &value, frame);
                }
                let items = iterate(&value).map_err(|error_| match kind(&value) {
                    Ok(crate::python::Kind::Missing(_)) | Err(_) => error_,
                    _ => error(format!("cannot unpack non-iterable {} object", type_name(&value))),
                })?;
                let expected = targets.len();
                if items.len() > expected {
                    return Err(error(format!("too many values to unpack (expected {expected})")));
                }
                if items.len() < expected {
                    let got = items.len();
                    return Err(error(format!("not enough values to unpack (expected {expected}, got {got})")));
                }
                for (target, item) in targets.iter().zip(items) {
                    self.assign(target, item, frame)?;
                }
                Ok(())
            }
        }
    }

    /// Returns the first of the templates with these names that exists.
    fn first_template(&self, names: &Value, ignore_missing: bool, frame: &Frame) -> Result<Option<Arc<Template>>> {
        let names = match names.as_str() {
            Some(name) => vec![name.to_string()],
            None => iterate(names)?.iter().map(template_name).collect::<Result<_>>()?,
        };
        for name in &names {
            match self.load(name, frame.template()) {
                Ok(template) => return Ok(Some(template)),
                Err(error) if error.kind() == ErrorKind::TemplateNotFound => {}
                Err(error) => return Err(error),
            }
        }
        if ignore_missing {
            return Ok(None);
        }
        Err(self.engine.files().no_template(&names))
    }

    fn import(&self, name: &Expr, with_context: bool, frame: &mut Frame) -> Result<Arc<Module>> {
        let name = template_name(&self.expr(name, frame)?)?;
        let template = self.load(&name, frame.template())?;
        // Its lists and dictionaries are those of the first import.
        if !with_context && let Some(module) = self.modules.borrow().get(&template.source.id()) {
            return Ok(module.clone());
        }
        let scope = scope_of(&template, with_context, frame);
        let printed = self.deeper(|| self.template(&template, &scope, 0))?;
        let text = crate::python::str(&printed.finish(self.mode.get())?)?;
        // Macros of the module hold its scope.
        let mut exports = scope.own();
        exports.retain(|name, _| name.as_str().is_some_and(|name| !name.starts_with('_')));
        let id = template.source.id();
        let module = Arc::new(Module { name, exports, text });
        if !with_context {
            self.modules.borrow_mut().insert(id, module.clone());
        }
        Ok(module)
    }
}

/// Returns the scope of an included or imported template.
fn scope_of(template: &Template, with_context: bool, frame: &Frame) -> Arc<Scope> {
    if with_context { Scope::of_file(&frame.visible(), &template.unit) } else { Scope::root(false, &template.unit) }
}

fn template_name(value: &Value) -> Result<String> {
    match kind(value)? {
        crate::python::Kind::Str(name) => Ok(name.into()),
        crate::python::Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("the name of a template must be a string, not {}", type_name(value)))),
    }
}
