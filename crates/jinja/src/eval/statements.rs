//! Statements.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_diagnostics::Span;
use minijinja::{Error, ErrorKind, Value};

use super::expressions::{marked, small_arithmetic};
use super::native::{Printed, printed};
use super::{Around, Blocks, Frame, Mode, Origin, Run, Scope};
use crate::filters::Quick;
use crate::functions::numbers;
use crate::objects::{Builtin, Dict, Items, Loop, Macro, Markup, Module, Namespace, Side, Tuple, What, under};
use crate::python::kind::{small, truth};
use crate::python::{Result, error, iterate, kind, type_name};
use crate::syntax::Template;
use crate::syntax::ast::{
    Arguments, Body, Expr, ExprKind, Filter, For, Jump, Key, Level, Macro as Definition, Node, NodeKind, Target,
};

impl Run<'_> {
    /// What a template prints; about how long that is.
    pub(super) fn template(&self, template: &Arc<Template>, scope: &Arc<Scope>, length: usize) -> Result<Printed> {
        self.template_behind(template, scope, Printed::with_room(self.mode.get(), length))
    }

    /// The same, behind what was printed before.
    fn template_behind(&self, template: &Arc<Template>, scope: &Arc<Scope>, before: Printed) -> Result<Printed> {
        let escapes = Arc::new(AtomicBool::new(template.settings.autoescape));
        self.template_with(template, scope, &Blocks::default(), escapes, before)
    }

    fn template_with(
        &self,
        template: &Arc<Template>,
        scope: &Arc<Scope>,
        blocks: &Blocks,
        escapes: Arc<AtomicBool>,
        before: Printed,
    ) -> Result<Printed> {
        {
            let mut known = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            for (name, block) in &template.blocks {
                known.entry(name.clone()).or_default().push((template.clone(), block.clone()));
            }
        }
        let (blocks, top) = (blocks.clone(), scope.clone());
        let around = Arc::new(Around { template: template.clone(), blocks, top, escapes });
        let (unit, scope_) = (template.unit.clone(), scope.clone());
        let origin = Arc::new(Origin { around: around.clone(), unit, scope: scope_ });
        let mut frame = Frame::new(origin, &self.pool, before);
        self.nodes(&template.body, &mut frame)?;
        let parent = frame.parent.take();
        let printed = frame.end(&self.pool);
        match parent {
            Some(parent) => {
                let (parent, before) = *parent;
                self.deeper(|| self.template_with(&parent, scope, &around.blocks, around.escapes.clone(), before))
            }
            None => Ok(printed),
        }
    }

    /// Statements one after the other.
    pub(super) fn nodes(&self, nodes: &[Node], frame: &mut Frame) -> Result<()> {
        self.nodes_behind(0, nodes, frame)
    }

    /// The same, after something that took so many steps, which are not counted yet.
    #[inline(always)]
    fn nodes_behind(&self, steps: usize, nodes: &[Node], frame: &mut Frame) -> Result<()> {
        let mut steps = steps + nodes.len();
        let mut rest = nodes.iter();
        loop {
            if self.mode.get() == Mode::Text && !frame.escapes {
                let (count, printed) = self.print_plainly(std::mem::take(&mut steps), rest.as_slice(), frame);
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
                // What most templates mostly do.
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

    /// Prints what statements begin with that is text, a variable, what a dictionary in a variable holds, or a sum, if these are strings
    /// and numbers already, and returns the number of statements. The cost is counted once for all of them, so long strings are left to
    /// the general path. So many steps before were not counted yet.
    #[inline]
    fn print_plainly(&self, mut steps: usize, nodes: &[Node], frame: &mut Frame) -> (usize, Result<()>) {
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
                NodeKind::Output(Expr { kind: ExprKind::Attribute(holder, key), .. }) if !key.is_method => {
                    let ExprKind::Name(name) = &holder.kind else { break };
                    let dict = slots.get(name).and_then(|value| value.downcast_object_ref::<Dict>());
                    let Some(entries) = dict.map(Dict::read) else { break };
                    let Some(length) = under(&entries, key).and_then(|value| out.plain(value)) else { break };
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
        self.print(frame, value)
    }

    /// Prints what a filter makes of a value, if that is simple; otherwise the value, which is not printed.
    fn print_filtered(&self, value: &Expr, filter: &Filter, frame: &mut Frame) -> Result<Option<Value>> {
        let Some(quick) = filter.quick().filter(|_| self.engine.witness.is_none()) else {
            self.charge(1)?;
            let given = self.expr(value, frame)?;
            return self.filtered_value(given, value, filter, frame).map(Some);
        };
        let mut text = std::mem::take(frame.out.string());
        let start = text.len();
        let printed = self.print_quickly(quick, value, filter, frame, &mut text);
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

    /// The same; what is not simple is given back.
    fn print_quickly(
        &self,
        quick: Quick,
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
        match (quick.write)(given, argument, text) {
            Some(steps) => self.charge(1 + steps).map(|()| None),
            None => Ok(Some(given.clone())),
        }
    }

    /// A macro with what it sees.
    fn macro_value(&self, definition: &Arc<Definition>, frame: &Frame) -> Value {
        let unit = definition.unit.get().cloned().unwrap_or_default();
        let (around, scope) = (frame.around().clone(), frame.scope().clone());
        let origin = Arc::new(Origin { around, unit, scope });
        Value::from_object(Macro { definition: definition.clone(), origin, escapes: frame.escapes })
    }

    /// What statements print, apart from what is printed already.
    fn captured(&self, body: &Body, frame: &mut Frame) -> Result<Value> {
        if self.mode.get() == Mode::Text {
            let opened = frame.out.open(true);
            frame.within(body.level(), |frame| self.nodes(&body.nodes, frame))?;
            return frame.out.take(opened);
        }
        let before = std::mem::replace(&mut frame.out, Printed::kept(self.mode.get()));
        let done = frame.within(body.level(), |frame| self.nodes(&body.nodes, frame));
        let printed = std::mem::replace(&mut frame.out, before);
        done.and_then(|()| printed.finish(self.mode.get()))
    }

    /// What statements print, put through filters.
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

    /// Evaluates what prints behind what the frame has printed. In native mode what it prints is one piece of several.
    fn behind(&self, frame: &mut Frame, print: impl FnOnce(&mut Frame, Printed) -> Result<Printed>) -> Result<()> {
        if self.mode.get() == Mode::Native {
            let printed = print(frame, Printed::new(Mode::Native))?;
            return frame.out.append(printed);
        }
        let opened = frame.out.open(false);
        let out = std::mem::replace(&mut frame.out, Printed::new(Mode::Text));
        frame.out = print(frame, out)?;
        frame.out.close(opened).map(drop)
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
            NodeKind::For(definition) => {
                let items = match self.unlisted(&definition.iterable, frame)? {
                    Some(items) => items,
                    None => Items::of(self.look(&definition.iterable, frame, &mut None)?)?,
                };
                self.deeper(|| self.for_loop(definition, items, 0, frame))
            }
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
                frame.within(body.level(), |frame| {
                    for ((target, _), value) in bindings.iter().zip(values) {
                        self.assign(target, value, frame)?;
                    }
                    self.nodes(&body.nodes, frame)
                })
            }
            NodeKind::Autoescape { on, body } => {
                let on = truth(&self.expr(on, frame)?)?;
                let around = (frame.escapes, frame.around().escapes.swap(on, Ordering::Relaxed));
                frame.escapes = on;
                let done = frame.within(body.level(), |frame| self.nodes(&body.nodes, frame));
                frame.escapes = around.0;
                frame.around().escapes.store(around.1, Ordering::Relaxed);
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
                // What stands before is printed before the other template.
                let before = std::mem::replace(&mut frame.out, Printed::new(self.mode.get()));
                frame.parent = Some(Box::new((parent, before)));
                Ok(())
            }
            NodeKind::Include { name, ignore_missing, with_context } => {
                let names = self.expr(name, frame)?;
                let Some(template) = self.first_template(&names, *ignore_missing, frame)? else {
                    return Ok(());
                };
                let scope = if *with_context { Scope::child(&frame.visible()) } else { Scope::root(None, false) };
                self.behind(frame, |_, out| self.deeper(|| self.template_behind(&template, &scope, out)))
            }
            NodeKind::Import { name, target, with_context } => {
                let module = self.import(name, *with_context, frame)?;
                frame.set(target, Value::from_object(module));
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
                    frame.set(alias, value);
                }
                Ok(())
            }
        }
    }

    /// How many versions of a block there are.
    pub(super) fn versions(&self, name: &str, frame: &Frame) -> usize {
        frame.around().blocks.lock().unwrap_or_else(PoisonError::into_inner).get(name).map_or(0, Vec::len)
    }

    /// What a version of a block prints, behind what was printed before.
    pub(super) fn block(
        &self,
        name: &str,
        version: usize,
        scope: &Arc<Scope>,
        frame: &Frame,
        before: Printed,
    ) -> Result<Printed> {
        let found = {
            let known = frame.around().blocks.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(name).and_then(|versions| versions.get(version).cloned())
        };
        let Some((template, block)) = found else {
            return Err(crate::python::undefined(format!("there is no parent block called '{name}'.")));
        };
        let scope = Scope::child(scope);
        // A block is written for itself, wherever it stands.
        let (blocks, escapes) = (frame.around().blocks.clone(), frame.around().escapes.clone());
        let around = Arc::new(Around { template, blocks, top: scope.clone(), escapes });
        let unit = block.unit.get().cloned().unwrap_or_default();
        let mut inner = Frame::new(Arc::new(Origin { around, unit, scope }), &self.pool, before);
        inner.block = Some((block.name.clone(), version));
        self.deeper(|| self.nodes(&block.body, &mut inner))?;
        Ok(inner.end(&self.pool))
    }

    /// Prints what a macro prints without making a value of it. A witness needs the value.
    fn print_macro(&self, callee: &Expr, arguments: &Arguments, frame: &mut Frame) -> Option<Result<()>> {
        if frame.escapes || self.engine.witness.is_some() {
            return None;
        }
        let mut out = frame.out.lend();
        let mut kept = None;
        let printed = match self.called(callee, frame, &mut kept) {
            Some((name, definition)) => self.print_call(name, definition, arguments, frame, &mut out),
            None => {
                // Nothing was printed.
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
    ) -> Option<(&'v Arc<str>, &'v Macro)> {
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
            None if frame.scope().is_steady() => kept.insert(frame.look_up(name).ok()??),
            None => return None,
        };
        match key {
            None => Some((&name.text, value.downcast_object_ref()?)),
            Some(key) => {
                let module: &Module = value.downcast_object_ref()?;
                Some((&key.text, module.exports.get(&key.value)?.downcast_object_ref()?))
            }
        }
    }

    fn print_call(
        &self,
        name: &Arc<str>,
        callee: &Macro,
        arguments: &Arguments,
        frame: &Frame,
        out: &mut Printed,
    ) -> Result<()> {
        self.charge(2)?;
        if let Some(places) = simple_arguments(callee, arguments) {
            return self.call_simply(callee, arguments, &places, frame, out);
        }
        let args = self.arguments(name, arguments, None, frame)?;
        let before = std::mem::replace(out, Printed::new(Mode::Text));
        *out = self.deeper(|| self.call_macro(callee, args, before))?;
        Ok(())
    }

    /// Calls a macro whose arguments are all parameters.
    fn call_simply(
        &self,
        callee: &Macro,
        arguments: &Arguments,
        places: &[u8; NAMED],
        frame: &Frame,
        out: &mut Printed,
    ) -> Result<()> {
        let parameters = &callee.definition.parameters;
        // Slots are emptied fast, but there may be many.
        self.charge(callee.origin.unit.slots.len() / 16)?;
        let mut inner = Frame::new(callee.origin.clone(), &self.pool, Printed::new(Mode::Text));
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
            self.nodes(&callee.definition.body.nodes, &mut inner)?;
            std::mem::swap(&mut inner.out, out);
            inner.give_back(&self.pool);
            Ok(())
        })
    }

    /// The items of a call that a loop goes through, if they are known without a list of them: `range(...)`, and the keys, values and
    /// items of a dictionary.
    fn unlisted(&self, expr: &Expr, frame: &Frame) -> Result<Option<Items>> {
        let ExprKind::Call(callee, arguments) = &expr.kind else { return Ok(None) };
        if self.engine.witness.is_some() {
            return Ok(None);
        }
        if let ExprKind::Attribute(dict, key) = &callee.kind {
            return self.side(dict, key, arguments, frame);
        }
        if !callee.is_name("range") {
            return Ok(None);
        }
        let callee = self.look(callee, frame, &mut None)?.downcast_object_ref::<Builtin>().map(|builtin| builtin.0);
        if callee != Some("range") {
            return Ok(None);
        }
        let numbers = self.arguments(&"range".into(), arguments, None, frame).and_then(|args| numbers(args.plain()));
        let (start, step, count) = self.failed_at(numbers, frame.template(), expr.span)?;
        // As for the list and for going through it.
        let count_of = usize::try_from(count).unwrap_or(0);
        crate::work::elements(count_of)?;
        self.charge(1 + count_of)?;
        Ok(Some(Items::Numbers(start, step, count)))
    }

    /// What a loop goes through in a dictionary that a variable or another expression without effects holds.
    fn side(&self, dict: &Expr, key: &Key, arguments: &Arguments, frame: &Frame) -> Result<Option<Items>> {
        let side = match &*key.text {
            "keys" => Side::Keys,
            "values" => Side::Values,
            "items" => Side::Pairs,
            _ => return Ok(None),
        };
        // What is looked at again, because it is no dictionary, must be the same then.
        let ExprKind::Name(name) = &dict.kind else { return Ok(None) };
        let Some(dict) = frame.slots.get(name).and_then(|value| value.downcast_object_ref::<Dict>()) else {
            return Ok(None);
        };
        if !arguments.is_empty() {
            return Ok(None);
        }
        let entries = dict.shared();
        self.charge(3 + 2 * entries.len())?;
        Ok(Some(Items::Entries(entries, side)))
    }

    /// Goes through the items of a loop.
    pub(super) fn for_loop(&self, definition: &Arc<For>, items: Items, depth: usize, frame: &mut Frame) -> Result<()> {
        let level = definition.body.level();
        let items = match &definition.condition {
            None => items,
            Some(condition) => {
                let mut kept = Vec::new();
                for item in (0..items.len()).map_while(|at| items.get(at)) {
                    self.charge(1)?;
                    let mut keep = false;
                    frame.within(level, |frame| {
                        self.assign(&definition.target, item.clone(), frame)?;
                        keep = truth(&self.expr(condition, frame)?)?;
                        Ok(())
                    })?;
                    if keep {
                        kept.push(item);
                    }
                }
                kept.into()
            }
        };
        if items.len() == 0 {
            let body = &definition.otherwise;
            return frame.within(body.level(), |frame| self.nodes(&body.nodes, frame));
        }
        let (fresh, is_seen) = definition.details.get().cloned().unwrap_or((0..0, true));
        let state = is_seen.then(|| self.loop_state(definition, &items, depth, frame));
        frame.within(level, |frame| {
            if let Some(state) = &state {
                frame.set(&definition.state, Value::from_dyn_object(state.clone()));
            }
            // What is printed between items is copied at once.
            let joined = if self.mode.get() == Mode::Text { definition.joined() } else { None };
            let nodes = match joined {
                Some((first, rest, ..)) => {
                    self.count_output(first.len())?;
                    frame.out.copy(first);
                    rest
                }
                None => &definition.body.nodes,
            };
            for at in 0..items.len() {
                if let Some(state) = &state {
                    state.at.store(at, Ordering::Relaxed);
                }
                if *level == Level::Scope {
                    frame.within(level, |frame| self.iteration(definition, nodes, &items, at, frame))?;
                } else {
                    self.iteration(definition, nodes, &items, at, frame)?;
                    if !fresh.is_empty() {
                        frame.forget(fresh.clone());
                    }
                }
                if let Some((_, _, last, both)) = joined {
                    let text = if at + 1 < items.len() { both } else { last };
                    crate::work::bytes(text.len())?;
                    frame.out.copy(text);
                }
                if frame.jump.is_some() && frame.jump.take() == Some(Jump::Break) {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Does what a loop does with one of its items.
    #[inline(always)]
    fn iteration(&self, definition: &For, nodes: &[Node], items: &Items, at: usize, frame: &mut Frame) -> Result<()> {
        match (&definition.target, items) {
            (Target::Name(name), Items::Values(values)) => frame.set_item(name, values, at),
            (target, Items::Values(values)) => {
                if let Some(item) = values.get(at) {
                    self.assign_parts(target, item, frame)?;
                }
            }
            (Target::Name(name), Items::Numbers(start, step, _)) => {
                // A list has no more items than fit.
                frame.set_number(name, start + i64::try_from(at).unwrap_or(0) * step);
            }
            (Target::Name(name), Items::Entries(entries, Side::Keys)) => frame.set_key(name, entries, at),
            (Target::Name(name), Items::Entries(entries, Side::Values)) => frame.set_held(name, entries, at),
            (Target::Several(targets), Items::Entries(entries, Side::Pairs)) => match &targets[..] {
                [Target::Name(key), Target::Name(value)] => {
                    self.charge(2)?;
                    frame.set_key(key, entries, at);
                    frame.set_held(value, entries, at);
                }
                _ => self.assign(&definition.target, items.get(at).unwrap_or_default(), frame)?,
            },
            (target, others) => self.assign(target, others.get(at).unwrap_or_default(), frame)?,
        }
        // A scope, the loop's own variables and the item.
        self.nodes_behind(4, nodes, frame)
    }

    /// The variable `loop`.
    fn loop_state(&self, definition: &Arc<For>, items: &Items, depth: usize, frame: &Frame) -> Arc<Loop> {
        let recursive = definition.recursive.then(|| {
            let slots = match definition.body.level() {
                Level::Scope => 0..0,
                Level::Slots(slots) => slots.clone(),
            };
            self.circular.borrow_mut().push(frame.scope().clone());
            (definition.clone(), Arc::new(frame.outside(&slots)))
        });
        let at = AtomicUsize::new(0);
        Arc::new(Loop { items: items.clone(), at, depth, recursive, changed: Mutex::new(None) })
    }

    /// Assigns what is in a value, which most often is a tuple.
    fn assign_parts(&self, target: &Target, value: &Value, frame: &mut Frame) -> Result<()> {
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

    fn assign(&self, target: &Target, value: Value, frame: &mut Frame) -> Result<()> {
        match target {
            Target::Name(name) => {
                frame.set(name, value);
                Ok(())
            }
            Target::Attribute(name, attribute) => {
                let holder = match frame.slots.get(name) {
                    Some(holder) => Some(holder.clone()),
                    None => frame.look_up(name)?,
                };
                match holder.as_ref().and_then(|holder| holder.downcast_object_ref::<Namespace>()) {
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
            match self.load(name, frame.template()) {
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
        let template = self.load(&name, frame.template())?;
        let scope = if with_context { Scope::child(&frame.visible()) } else { Scope::root(None, false) };
        self.deeper(|| self.template(&template, &scope, 0))?;
        // Macros of the module hold its scope.
        let mut exports = scope.own();
        exports.retain(|name, _| name.as_str().is_some_and(|name| !name.starts_with('_')));
        Ok(Module { name, exports })
    }
}

/// How many named arguments are looked for among the parameters without more ado.
const NAMED: usize = 6;

/// Which parameters the named arguments of a call are, if all arguments are parameters of a macro that takes no others.
fn simple_arguments(callee: &Macro, arguments: &Arguments) -> Option<[u8; NAMED]> {
    let Definition { parameters, body, uses, .. } = &*callee.definition;
    let is_simple = *body.level() != Level::Scope
        && !(uses.varargs || uses.kwargs || uses.caller)
        && arguments.list.is_none()
        && arguments.dictionary.is_none()
        && arguments.positional.len() <= parameters.len()
        && arguments.named.len() <= NAMED
        && parameters.len() <= usize::from(u8::MAX);
    if !is_simple {
        return None;
    }
    let mut places = [0; NAMED];
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

fn template_name(value: &Value) -> Result<String> {
    match kind(value)? {
        crate::python::Kind::Str(name) => Ok(name.into()),
        crate::python::Kind::Missing(missing) => Err(crate::python::undefined(missing.message())),
        _ => Err(error(format!("the name of a template must be a string, not {}", type_name(value)))),
    }
}
