//! Statements.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::{Error, ErrorKind, Value};

use super::expressions::marked;
use super::native::{Printed, printed};
use super::{Blocks, Escaping, Frame, Locals, Mode, Run, Scope};
use crate::objects::{Loop, Macro, Markup, Module, Namespace, What};
use crate::python::kind::{into_items, small, truth};
use crate::python::{Result, error, iterate, kind, type_name};
use crate::syntax::Template;
use crate::syntax::ast::{Expr, Filter, For, Jump, Macro as Definition, Node, NodeKind, Target};

impl Run<'_> {
    /// What a template prints.
    pub(super) fn template(&self, template: &Arc<Template>, scope: &Arc<Scope>) -> Result<Printed> {
        let escaping = Escaping::new(template.settings.autoescape);
        self.template_with(template, scope, &Blocks::default(), escaping)
    }

    fn template_with(
        &self,
        template: &Arc<Template>,
        scope: &Arc<Scope>,
        blocks: &Blocks,
        escaping: Escaping,
    ) -> Result<Printed> {
        {
            let mut known = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            for (name, block) in &template.blocks {
                known.entry(name.clone()).or_default().push((template.clone(), block.clone()));
            }
        }
        let mut frame = Frame {
            template: template.clone(),
            locals: Locals::of(scope.clone()),
            out: Printed::new(self.mode.get()),
            blocks: blocks.clone(),
            block: None,
            parent: None,
            top: scope.clone(),
            jump: None,
            escaping,
        };
        self.nodes(&template.body, &mut frame)?;
        match frame.parent {
            Some((parent, mut before)) => {
                before.append(self.deeper(|| self.template_with(&parent, scope, blocks, frame.escaping))?)?;
                Ok(before)
            }
            None => Ok(frame.out),
        }
    }

    /// Statements one after the other.
    pub(super) fn nodes(&self, nodes: &[Node], frame: &mut Frame) -> Result<()> {
        for node in nodes {
            let done = self.charge(1).and_then(|()| self.node(&node.kind, frame));
            self.failed_at(done, &frame.template, node.span)?;
            if frame.jump.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// A macro with what it sees.
    fn macro_value(&self, definition: &Arc<Definition>, frame: &Frame) -> Value {
        Value::from_object(Macro {
            definition: definition.clone(),
            template: frame.template.clone(),
            scope: frame.locals.share(),
            blocks: frame.blocks.clone(),
            top: frame.top.clone(),
            escaping: frame.escaping.clone(),
        })
    }

    /// What statements print, apart from what is printed already.
    fn captured(&self, frame: &mut Frame, run: impl FnOnce(&mut Frame) -> Result<()>) -> Result<Value> {
        let before = std::mem::replace(&mut frame.out, Printed::kept(self.mode.get()));
        let done = run(frame);
        let printed = std::mem::replace(&mut frame.out, before);
        done.and_then(|()| printed.finish(self.mode.get()))
    }

    /// What statements print, put through filters.
    fn filtered(&self, filters: &[Filter], body: &[Node], frame: &mut Frame) -> Result<Value> {
        let mut value = self.captured(frame, |frame| self.scoped(frame, |frame| self.nodes(body, frame)))?;
        if frame.escaping.here && !filters.is_empty() {
            value = marked(value);
        }
        for filter in filters {
            value = self.apply_filter(value, filter, frame)?;
        }
        Ok(value)
    }

    /// What is printed where texts are escaped. Values are not printed, and stay as they are.
    fn escaped(&self, value: Value) -> Result<Value> {
        if self.mode.get() == Mode::Native || small(&value).is_some() || Markup::is(&value) {
            return Ok(value);
        }
        let text = crate::python::str(&value)?;
        crate::work::bytes(text.len())?;
        Ok(Value::from(crate::filters::escaped(&text)))
    }

    /// Evaluates with variables of its own.
    fn scoped(&self, frame: &mut Frame, run: impl FnOnce(&mut Frame) -> Result<()>) -> Result<()> {
        frame.locals.enter();
        let done = run(frame);
        frame.locals.leave();
        done
    }

    fn print(&self, frame: &mut Frame, value: Value) -> Result<()> {
        self.count_output(value.as_str().map_or(8, str::len))?;
        frame.out.value(value)
    }

    fn node(&self, node: &NodeKind, frame: &mut Frame) -> Result<()> {
        match node {
            NodeKind::Text(text) => {
                self.count_output(text.len())?;
                frame.out.text(text)
            }
            NodeKind::Output(expr) => {
                let value = self.expr(expr, frame)?;
                if let Some(number) = small(&value) {
                    self.count_output(8)?;
                    return frame.out.number(number);
                }
                let value = printed(value, self.mode.get());
                let value = self.failed_at(value, &frame.template, expr.span)?;
                let value = if frame.escaping.here { self.escaped(value)? } else { value };
                self.print(frame, value)
            }
            NodeKind::For(definition) => {
                let items = into_items(self.expr(&definition.iterable, frame)?)?;
                self.deeper(|| self.for_loop(definition, items, 0, frame))
            }
            NodeKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    if truth(&self.expr(condition, frame)?)? {
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
                self.assign(target, frame.escaping.marked(value), frame)
            }
            NodeKind::Macro(definition) => {
                let value = self.macro_value(definition, frame);
                self.circular.borrow_mut().push(frame.locals.share());
                frame.locals.set(&definition.name, value);
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
                self.scoped(frame, |frame| {
                    for ((target, _), value) in bindings.iter().zip(values) {
                        self.assign(target, value, frame)?;
                    }
                    self.nodes(body, frame)
                })
            }
            NodeKind::Autoescape { on, body } => {
                let on = truth(&self.expr(on, frame)?)?;
                let around = (frame.escaping.here, frame.escaping.now.swap(on, Ordering::Relaxed));
                frame.escaping.here = on;
                let done = self.scoped(frame, |frame| self.nodes(body, frame));
                frame.escaping.here = around.0;
                frame.escaping.now.store(around.1, Ordering::Relaxed);
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
                let around = if block.scoped { frame.locals.share() } else { frame.top.clone() };
                let printed = self.block(&block.name, 0, &around, frame)?;
                frame.out.append(printed)
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
                let parent = self.load(&template_name(&name)?, &frame.template)?;
                // What stands before is printed before the other template.
                let before = std::mem::replace(&mut frame.out, Printed::new(self.mode.get()));
                frame.parent = Some((parent, before));
                Ok(())
            }
            NodeKind::Include { name, ignore_missing, with_context } => {
                let names = self.expr(name, frame)?;
                let Some(template) = self.first_template(&names, *ignore_missing, frame)? else {
                    return Ok(());
                };
                let scope = if *with_context { Scope::child(&frame.locals.share()) } else { Scope::root(None, false) };
                let printed = self.deeper(|| self.template(&template, &scope))?;
                frame.out.append(printed)
            }
            NodeKind::Import { name, target, with_context } => {
                let module = self.import(name, *with_context, frame)?;
                frame.locals.set(target, Value::from_object(module));
                Ok(())
            }
            NodeKind::From { name, names, with_context } => {
                let module = self.import(name, *with_context, frame)?;
                for (wanted, alias) in names {
                    let value = module.exports.get(&Value::from(&**wanted)).cloned().unwrap_or_else(|| {
                        let template = &module.name;
                        let hint = format!("the template '{template}' does not export the requested name '{wanted}'");
                        self.missing(What::Hint(hint))
                    });
                    frame.locals.set(alias, value);
                }
                Ok(())
            }
        }
    }

    /// How many versions of a block there are.
    pub(super) fn versions(&self, name: &str, frame: &Frame) -> usize {
        frame.blocks.lock().unwrap_or_else(PoisonError::into_inner).get(name).map_or(0, Vec::len)
    }

    /// What a version of a block prints.
    pub(super) fn block(&self, name: &str, version: usize, scope: &Arc<Scope>, frame: &Frame) -> Result<Printed> {
        let found = {
            let known = frame.blocks.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(name).and_then(|versions| versions.get(version).cloned())
        };
        let Some((template, block)) = found else {
            return Err(crate::python::undefined(format!("there is no parent block called '{name}'.")));
        };
        let scope = Scope::child(scope);
        let escapes = template.settings.autoescape;
        let mut inner = Frame {
            template,
            locals: Locals::of(scope.clone()),
            out: Printed::new(self.mode.get()),
            blocks: frame.blocks.clone(),
            block: Some((block.name.clone(), version)),
            parent: None,
            top: scope,
            jump: None,
            // A block is written for itself, wherever it stands.
            escaping: frame.escaping.part(escapes),
        };
        self.deeper(|| self.nodes(&block.body, &mut inner))?;
        Ok(inner.out)
    }

    /// Goes through the items of a loop.
    pub(super) fn for_loop(
        &self,
        definition: &Arc<For>,
        items: Vec<Value>,
        depth: usize,
        frame: &mut Frame,
    ) -> Result<()> {
        let items = match &definition.condition {
            None => items,
            Some(condition) => {
                let mut kept = Vec::new();
                for item in items {
                    self.charge(1)?;
                    let mut keep = false;
                    self.scoped(frame, |frame| {
                        self.assign(&definition.target, item.clone(), frame)?;
                        keep = truth(&self.expr(condition, frame)?)?;
                        Ok(())
                    })?;
                    if keep {
                        kept.push(item);
                    }
                }
                kept
            }
        };
        if items.is_empty() {
            return self.scoped(frame, |frame| self.nodes(&definition.otherwise, frame));
        }
        let items = Arc::new(items);
        let state = Arc::new(Loop {
            items: items.clone(),
            at: AtomicUsize::new(0),
            depth,
            recursive: definition.recursive.then(|| definition.clone()),
            changed: Mutex::new(None),
        });
        let variable = Value::from_dyn_object(state.clone());
        self.scoped(frame, |frame| {
            frame.locals.set(&"loop".into(), variable);
            self.scoped(frame, |frame| {
                for (at, item) in items.iter().enumerate() {
                    // A scope, the loop's own variables and the item.
                    self.charge(4)?;
                    state.at.store(at, Ordering::Relaxed);
                    match &definition.target {
                        Target::Name(name) => frame.locals.restart(name, item.clone()),
                        target => {
                            frame.locals.leave();
                            frame.locals.enter();
                            self.assign(target, item.clone(), frame)?;
                        }
                    }
                    self.nodes(&definition.body, frame)?;
                    if frame.jump.take() == Some(Jump::Break) {
                        break;
                    }
                }
                Ok(())
            })
        })
    }

    fn assign(&self, target: &Target, value: Value, frame: &mut Frame) -> Result<()> {
        match target {
            Target::Name(name) => {
                frame.locals.set(name, value);
                Ok(())
            }
            Target::Attribute(name, attribute) => {
                let holder = frame.locals.get(name)?;
                match holder.as_ref().and_then(|holder| holder.downcast_object_ref::<Namespace>()) {
                    Some(namespace) => {
                        namespace.set(attribute, value);
                        Ok(())
                    }
                    None => Err(error("cannot assign attribute on non-namespace object")),
                }
            }
            Target::Several(targets) => {
                let items = iterate(&value).map_err(|error_| match kind(&value) {
                    Ok(crate::python::Kind::Missing(_)) | Err(_) => error_,
                    _ => error(format!("cannot unpack non-iterable {} object", type_name(&value))),
                })?;
                let wanted = targets.len();
                if items.len() > wanted {
                    return Err(error(format!("too many values to unpack (expected {wanted})")));
                }
                if items.len() < wanted {
                    let got = items.len();
                    return Err(error(format!("not enough values to unpack (expected {wanted}, got {got})")));
                }
                for (target, item) in targets.iter().zip(items) {
                    self.assign(target, item, frame)?;
                }
                Ok(())
            }
        }
    }

    /// The first of the templates with these names that there is.
    fn first_template(&self, names: &Value, ignore_missing: bool, frame: &Frame) -> Result<Option<Arc<Template>>> {
        let names = match names.as_str() {
            Some(name) => vec![name.to_string()],
            None => iterate(names)?.iter().map(template_name).collect::<Result<_>>()?,
        };
        for name in &names {
            match self.load(name, &frame.template) {
                Ok(template) => return Ok(Some(template)),
                Err(error) if error.kind() == ErrorKind::TemplateNotFound => {}
                Err(error) => return Err(error),
            }
        }
        if ignore_missing {
            return Ok(None);
        }
        let name = names.first().cloned().unwrap_or_default();
        let detail = match names.len() {
            1 => name,
            _ => format!("none of the templates given were found: {}", names.join(", ")),
        };
        Err(Error::new(ErrorKind::TemplateNotFound, detail))
    }

    fn import(&self, name: &Expr, with_context: bool, frame: &mut Frame) -> Result<Module> {
        let name = template_name(&self.expr(name, frame)?)?;
        let template = self.load(&name, &frame.template)?;
        let scope = if with_context { Scope::child(&frame.locals.share()) } else { Scope::root(None, false) };
        self.deeper(|| self.template(&template, &scope))?;
        // Macros of the module hold its scope.
        let mut exports = scope.own();
        exports.retain(|name, _| name.as_str().is_some_and(|name| !name.starts_with('_')));
        Ok(Module { name, exports })
    }
}

fn template_name(value: &Value) -> Result<String> {
    match kind(value)? {
        crate::python::Kind::Str(name) => Ok(name.into()),
        crate::python::Kind::Missing(missing) => Err(crate::python::undefined(missing.message())),
        _ => Err(error(format!("the name of a template must be a string, not {}", type_name(value)))),
    }
}
