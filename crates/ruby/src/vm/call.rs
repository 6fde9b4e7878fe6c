//! Calls of methods and blocks.

use std::rc::Rc;
use std::sync::Arc;

use super::fast::fast;
use super::{Args, Flow, Outcome, Vm};
use crate::ast::{Arguments, Block, BlockArgument, Call, Expr, Node, Pair, Parameter, Parameters};
use crate::symbol::{Symbol, known};
use crate::value::{
    BoundMethod, Ctx, Data, Env, Frame, Generation, Method, MethodBody, Proc, ProcKind, Table, Value, Visibility,
};

impl Vm<'_> {
    /// Calls a method by name, even a private one.
    pub fn call(&mut self, receiver: &Value, name: Symbol, arguments: Args) -> Outcome {
        let class = self.class_of(receiver);
        match self.find_method(&class, name) {
            Some(method) => self.invoke(&method, receiver, name, arguments),
            None => self.missing(receiver, name, arguments, false),
        }
    }

    /// Calls `method_missing`, or raises an error for an undefined method.
    fn missing(&mut self, receiver: &Value, name: Symbol, mut arguments: Args, variable: bool) -> Outcome {
        let class = self.class_of(receiver);
        if let Some(method) = self.find_method(&class, known::METHOD_MISSING) {
            arguments.list.insert(0, Value::Sym(name));
            return self.invoke(&method, receiver, known::METHOD_MISSING, arguments);
        }
        if let Some(refusal) = self.refusal_of_method(receiver, name) {
            return Err(refusal);
        }
        Err(self.no_method(receiver, name, variable))
    }

    /// Creates the error for an undefined method.
    pub fn no_method(&mut self, receiver: &Value, name: Symbol, variable: bool) -> Box<Flow> {
        let shown = match self.shown_receiver(receiver) {
            Ok(shown) => shown,
            Err(flow) => return flow,
        };
        let text = self.name(name);
        let (class, message) = if variable {
            let class = self.st.classes.name_error.clone();
            (class, format!("undefined local variable or method `{text}' for {shown}"))
        } else {
            (self.st.classes.no_method_error.clone(), format!("undefined method `{text}' for {shown}"))
        };
        let exception = self.exception(&class, Value::string(message));
        self.mark_message(&exception, std::slice::from_ref(receiver), true);
        self.set_error_field(&exception, "@name", Value::Sym(name));
        self.set_error_field(&exception, "@receiver", receiver.clone());
        self.raise_value(exception)
    }

    pub fn set_error_field(&mut self, exception: &Value, name: &str, value: Value) {
        let name = self.sym(name);
        if let Value::Object(object) = exception {
            object.set(name, value);
        }
    }

    /// The receiver as messages show it.
    fn shown_receiver(&mut self, receiver: &Value) -> Outcome<String> {
        if receiver.same(&self.st.main) {
            return Ok("main:Object".into());
        }
        let class = self.real_class(receiver).display_name();
        Ok(match receiver {
            Value::Nil => "nil:NilClass".into(),
            Value::Bool(true) => "true:TrueClass".into(),
            Value::Bool(false) => "false:FalseClass".into(),
            Value::Object(_) => {
                let shown = self.rescued(|vm| vm.inspect(receiver).map(Value::string))?;
                match shown {
                    Ok(Value::Str(text)) if text.len_bytes() <= 65 => {
                        let text = text.text().into_owned();
                        if text.starts_with("#<") { text } else { format!("{text}:{class}") }
                    }
                    _ => self.any_to_s(receiver),
                }
            }
            _ => {
                let shown = self.inspect(receiver)?;
                if shown.len() <= 65 { format!("{shown}:{class}") } else { self.any_to_s(receiver) }
            }
        })
    }

    /// Runs a method.
    pub fn invoke(&mut self, method: &Rc<Method>, me: &Value, name: Symbol, arguments: Args) -> Outcome {
        let is_native = self.st.is_native;
        let outcome = self.run_method(method, me, name, arguments);
        self.st.is_native = is_native;
        match outcome {
            Ok(value) if is_native => Ok(self.unmark_result(value)),
            outcome => outcome,
        }
    }

    fn run_method(&mut self, method: &Rc<Method>, me: &Value, name: Symbol, arguments: Args) -> Outcome {
        match &method.body {
            MethodBody::Native(native, least, most, traits) => {
                let given = arguments.len();
                if given < *least as usize || (*most >= 0 && given > *most as usize) {
                    // An empty hash of keywords does not count as an argument.
                    let expected = match (*least, *most) {
                        (least, -1) => format!("{least}+"),
                        (least, most) if least == most => least.to_string(),
                        (least, most) => format!("{least}..{most}"),
                    };
                    return Err(self.arity_error(given, &expected));
                }
                self.step()?;
                match me.plain() {
                    Value::Big(number) => self.charge_integer(number)?,
                    // Appending to a string does not read it.
                    Value::Str(text) if name != known::SHL => self.charge_string(text.len_bytes())?,
                    _ => {}
                }
                self.st.is_native = true;
                if self.st.is_tracking {
                    return self.run_native_marked(*native, *traits, me, arguments);
                }
                native(self, me, &arguments)
            }
            MethodBody::Ruby { def, cref, internal } => {
                let def = self.st.library.whole(def);
                self.step()?;
                self.st.is_native = false;
                let frame = Rc::new(Frame {
                    method: Some(method.clone()),
                    name: Some(name),
                    block: arguments.block.clone(),
                    file: def.file.clone(),
                    internal: *internal,
                    last_match: Value::Nil.into(),
                    visibility: Visibility::Public.into(),
                    module_function: false.into(),
                    generation: Generation::current(),
                });
                let id = self.next_id();
                let env = Env::new(def.body.locals.len(), None);
                let ctx =
                    Ctx { me: me.clone(), env, frame: frame.clone(), cref: cref.clone(), return_to: id, break_to: 0 };
                self.enter(frame, def.line)?;
                let depth = self.st.calls.len();
                let outcome = stacker::maybe_grow(256 << 10, 4 << 20, || {
                    match self.bind(&def.parameters, &ctx, arguments, true, false) {
                        Ok(()) => self.eval(&def.body.expr, &ctx),
                        Err(flow) => Err(flow),
                    }
                });
                self.st.calls.truncate(depth);
                self.leave();
                match outcome {
                    Err(flow) => match *flow {
                        Flow::Return(to, value) if to == id => Ok(value),
                        other => Err(Box::new(other)),
                    },
                    value => value,
                }
            }
            MethodBody::Proc(proc) => self.call_proc_as(proc, Some(me), arguments, true, Some((method, name))),
            MethodBody::Reader(var) => {
                if arguments.len() > 0 {
                    return Err(self.arity_error(arguments.len(), "0"));
                }
                self.get_ivar(me, *var)
            }
            MethodBody::Writer(var) => {
                if arguments.len() != 1 {
                    return Err(self.arity_error(arguments.len(), "1"));
                }
                self.set_ivar(me, *var, arguments.at(0))?;
                Ok(arguments.at(0))
            }
            MethodBody::Undefined => Err(self.no_method(me, name, false)),
            MethodBody::Alias(original) => {
                let original = original.clone();
                let name = original.name;
                self.invoke(&original, me, name, arguments)
            }
        }
    }

    /// Calls a block with arguments.
    pub fn call_proc(&mut self, proc: &Rc<Proc>, arguments: Args) -> Outcome {
        self.call_proc_as(proc, None, arguments, false, None)
    }

    /// Calls a block with one value.
    #[inline]
    pub fn yield1(&mut self, block: &Rc<Proc>, value: Value) -> Outcome {
        self.call_proc_as(block, None, Args::one(value), false, None)
    }

    /// Calls a block with several values.
    pub fn yield_all(&mut self, block: &Rc<Proc>, values: &[Value]) -> Outcome {
        self.call_proc_as(block, None, Args::from_slice(values), false, None)
    }

    /// Calls a block with a pair of a hash. The pair is an array, which is not allocated if the block destructures it.
    pub fn yield_pair(&mut self, block: &Rc<Proc>, key: Value, value: Value) -> Outcome {
        if let ProcKind::Block { code, .. } = &block.kind
            && !block.lambda
            && code.parameters.required.len() == 2
            && code.parameters.simple
        {
            return self.yield_all(block, &[key, value]);
        }
        if block.lambda
            && let ProcKind::Block { code, .. } = &block.kind
            && code.parameters.needed() == 2
        {
            return self.yield_all(block, &[key, value]);
        }
        self.yield1(block, Value::pair(key, value))
    }

    /// Calls a proc, with another `self` if one is given. If `strict` is true, arguments are bound as those of a
    /// method.
    pub fn call_proc_as(
        &mut self,
        proc: &Rc<Proc>,
        me: Option<&Value>,
        mut arguments: Args,
        strict: bool,
        method: Option<(&Rc<Method>, Symbol)>,
    ) -> Outcome {
        self.step()?;
        let is_native = self.st.is_native;
        if is_native && self.st.is_tracking {
            self.mark_yielded(&mut arguments);
        }
        self.st.is_native = false;
        let outcome = self.run_proc(proc, me, arguments, strict, method);
        self.st.is_native = is_native;
        match outcome {
            Ok(value) if is_native => Ok(self.unmark_result(value)),
            outcome => outcome,
        }
    }

    fn run_proc(
        &mut self,
        proc: &Rc<Proc>,
        me: Option<&Value>,
        mut arguments: Args,
        strict: bool,
        method: Option<(&Rc<Method>, Symbol)>,
    ) -> Outcome {
        match &proc.kind {
            ProcKind::Block { code, ctx } => {
                let lambda = proc.lambda || strict;
                let env = Env::new(code.body.locals.len(), Some(ctx.env.clone()));
                let mut inner = Ctx {
                    me: me.unwrap_or(&ctx.me).clone(),
                    env,
                    frame: ctx.frame.clone(),
                    cref: ctx.cref.clone(),
                    return_to: ctx.return_to,
                    break_to: ctx.break_to,
                };
                if let Some((method, name)) = method {
                    inner.frame = Rc::new(Frame {
                        method: Some(method.clone()),
                        name: Some(name),
                        block: arguments.block.clone(),
                        file: ctx.frame.file.clone(),
                        internal: ctx.frame.internal,
                        last_match: Value::Nil.into(),
                        visibility: Visibility::Public.into(),
                        module_function: false.into(),
                        generation: Generation::current(),
                    });
                }
                self.run_block(code, inner, arguments, lambda)
            }
            ProcKind::Symbol(name) => {
                if arguments.list.is_empty() {
                    return Err(self.argument_error("no receiver given"));
                }
                let receiver = arguments.list.remove(0);
                let class = self.class_of(&receiver);
                match self.find_method(&class, *name) {
                    Some(method) if method.visibility == Visibility::Public => {
                        self.invoke(&method, &receiver, *name, arguments)
                    }
                    _ => self.missing(&receiver, *name, arguments, false),
                }
            }
            ProcKind::Method(bound) => {
                let receiver = bound.receiver.clone().unwrap_or(Value::Nil);
                self.invoke(&bound.method, &receiver, bound.name, arguments)
            }
            ProcKind::Native(native, _) => {
                let native = native.clone();
                native(self, &arguments)
            }
        }
    }

    fn run_block(&mut self, code: &Arc<Block>, mut ctx: Ctx, arguments: Args, lambda: bool) -> Outcome {
        let id = if lambda {
            let id = self.next_id();
            ctx.return_to = id;
            ctx.break_to = id;
            id
        } else {
            0
        };
        self.enter(ctx.frame.clone(), code.line)?;
        let depth = self.st.calls.len();
        let outcome = stacker::maybe_grow(256 << 10, 4 << 20, || {
            self.bind(&code.parameters, &ctx, arguments, lambda, code.numbered == 1)?;
            loop {
                match self.eval(&code.body.expr, &ctx) {
                    Err(flow) if matches!(*flow, Flow::Redo) => self.step()?,
                    outcome => return outcome,
                }
            }
        });
        self.st.calls.truncate(depth);
        self.leave();
        match outcome {
            Err(flow) => match *flow {
                Flow::Next(value) => Ok(value),
                Flow::Return(to, value) | Flow::Break(to, value) if lambda && to == id => Ok(value),
                other => Err(Box::new(other)),
            },
            value => value,
        }
    }

    /// Binds arguments to parameters.
    fn bind(
        &mut self,
        parameters: &Parameters,
        ctx: &Ctx,
        mut arguments: Args,
        strict: bool,
        single: bool,
    ) -> Outcome<()> {
        if parameters.simple && !arguments.keywords {
            let required = parameters.required.len();
            if arguments.len() == required && (required != 1 || strict || !parameters.excess_comma) {
                let mut slots = ctx.env.slots.borrow_mut();
                for (slot, value) in slots.iter_mut().zip(arguments.list) {
                    *slot = value;
                }
                return Ok(());
            }
            if required == 0 && !strict {
                return Ok(());
            }
        }
        self.bind_fully(parameters, ctx, &mut arguments, strict, single)
    }

    fn bind_fully(
        &mut self,
        parameters: &Parameters,
        ctx: &Ctx,
        arguments: &mut Args,
        strict: bool,
        single: bool,
    ) -> Outcome<()> {
        let takes_keywords = !parameters.keywords.is_empty() || parameters.keyword_rest.is_some();
        let mut keywords = None;
        if arguments.keywords {
            let empty = arguments.keyword_hash().is_some_and(|hash| hash.len() == 0);
            if takes_keywords || empty {
                if let Some(Value::Hash(hash)) = arguments.list.pop() {
                    keywords = Some(hash);
                }
            } else if parameters.no_keywords {
                return Err(self.argument_error("no keywords accepted"));
            }
            arguments.keywords = false;
        }
        let needed = parameters.needed();
        let most = needed + parameters.optional.len();
        if !strict {
            // A block takes a single array apart if it has more than one parameter.
            let spreads = most > 1 || (most == 1 && (parameters.excess_comma || parameters.rest.is_some()));
            if arguments.len() == 1 && spreads && !(single && most == 1) {
                let value = arguments.list[0].clone();
                if let Some(list) = self.try_array(&value)? {
                    arguments.list = list.into();
                }
            }
        } else if arguments.len() < needed || (parameters.rest.is_none() && arguments.len() > most) {
            let given = arguments.len();
            let expected = if parameters.rest.is_some() {
                format!("{needed}+")
            } else if most > needed {
                format!("{needed}..{most}")
            } else {
                needed.to_string()
            };
            let missing: Vec<_> =
                parameters.keywords.iter().filter(|(_, _, default)| default.is_none()).map(|one| one.0).collect();
            if keywords.is_none() && !missing.is_empty() {
                let names = missing.iter().map(|name| self.name(*name).to_string()).collect::<Vec<_>>().join(", ");
                let s = if missing.len() > 1 { "s" } else { "" };
                return Err(self.argument_error(format!(
                    "wrong number of arguments (given {given}, expected {expected}; required keyword{s}: {names})"
                )));
            }
            return Err(self.arity_error(given, &expected));
        }
        let given = arguments.len();
        let mut list = std::mem::take(&mut arguments.list).into_iter();
        for parameter in &parameters.required {
            let value = list.next().unwrap_or(Value::Nil);
            self.bind_one(parameter, ctx, value)?;
        }
        let mut for_optional = given.saturating_sub(needed);
        for (slot, default) in &parameters.optional {
            let value = if for_optional > 0 {
                for_optional -= 1;
                list.next().unwrap_or(Value::Nil)
            } else {
                self.eval(default, ctx)?
            };
            ctx.env.set(*slot, value);
        }
        let left: Vec<Value> = list.collect();
        let for_rest = left.len().saturating_sub(parameters.post.len());
        let mut left = left.into_iter();
        let rest: Vec<Value> = left.by_ref().take(for_rest).collect();
        if let Some(slot) = parameters.rest {
            self.build(rest.len() * 16)?;
            let rest = self.array_of(rest);
            ctx.env.set(slot, rest);
        }
        for parameter in &parameters.post {
            let value = left.next().unwrap_or(Value::Nil);
            self.bind_one(parameter, ctx, value)?;
        }
        if takes_keywords {
            self.bind_keywords(parameters, ctx, keywords)?;
        }
        if let Some(slot) = parameters.block {
            let block = arguments.block.take().map(Value::Proc).into();
            ctx.env.set(slot, block);
        }
        Ok(())
    }

    fn bind_one(&mut self, parameter: &Parameter, ctx: &Ctx, value: Value) -> Outcome<()> {
        match parameter {
            Parameter::Slot(slot) => {
                ctx.env.set(*slot, value);
                Ok(())
            }
            Parameter::Pattern(targets) => {
                let list = self.try_array(&value)?.unwrap_or_else(|| vec![value]);
                self.assign_all(targets, list, ctx)
            }
        }
    }

    fn bind_keywords(
        &mut self,
        parameters: &Parameters,
        ctx: &Ctx,
        keywords: Option<Rc<crate::value::HashObject>>,
    ) -> Outcome<()> {
        let marks = keywords.as_ref().map_or(0, |hash| hash.marks.get());
        let mut left: Table = keywords.map(|hash| hash.table.borrow().clone()).unwrap_or_default();
        let mut missing = Vec::new();
        for (name, slot, default) in &parameters.keywords {
            let key = self.key(&Value::Sym(*name))?;
            let value = match (left.shift_remove(&key), default) {
                (Some(value), _) => Vm::keyword(value, marks),
                (None, Some(default)) => self.eval(default, ctx)?,
                (None, None) => {
                    missing.push(format!(":{}", self.name(*name)));
                    Value::Nil
                }
            };
            ctx.env.set(*slot, value);
        }
        if !missing.is_empty() {
            let s = if missing.len() > 1 { "s" } else { "" };
            return Err(self.argument_error(format!("missing keyword{s}: {}", missing.join(", "))));
        }
        match parameters.keyword_rest {
            Some(slot) => {
                let rest = self.hash_of_pairs(left, marks);
                ctx.env.set(slot, rest);
            }
            None if !left.is_empty() => {
                let mut names = Vec::new();
                for key in left.keys() {
                    names.push(self.inspect(&key.value)?);
                }
                let s = if names.len() > 1 { "s" } else { "" };
                let error = self.argument_error(format!("unknown keyword{s}: {}", names.join(", ")));
                let given = self.hash_of_pairs(left, marks);
                return Err(self.about(error, &given));
            }
            None => {}
        }
        Ok(())
    }

    /// Returns a value as an array, if it has `to_ary`.
    pub fn try_array(&mut self, value: &Value) -> Outcome<Option<Vec<Value>>> {
        match value {
            Value::Array(array) => Ok(Some(self.elements(array))),
            Value::Object(_) if self.responds(value, known::TO_ARY) => {
                match self.call(value, known::TO_ARY, Args::none())? {
                    Value::Array(array) => Ok(Some(self.elements(&array))),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Returns the block that a call passes.
    pub fn block_of(&mut self, block: &BlockArgument, ctx: &Ctx, id: &mut u64) -> Outcome<Option<Rc<Proc>>> {
        Ok(match block {
            BlockArgument::None => None,
            BlockArgument::Literal(code) => {
                *id = self.next_id();
                let mut ctx = ctx.clone();
                ctx.break_to = *id;
                Some(Rc::new(Proc {
                    kind: ProcKind::Block { code: code.clone(), ctx },
                    lambda: false,
                    generation: Generation::current(),
                }))
            }
            BlockArgument::Symbol(name) => {
                Some(Rc::new(Proc { kind: ProcKind::Symbol(*name), lambda: true, generation: Generation::current() }))
            }
            BlockArgument::Pass(expr) => {
                let value = self.eval(expr, ctx)?;
                self.to_block(&value)?
            }
        })
    }

    /// Converts the operand of `&value` to a block.
    pub fn to_block(&mut self, value: &Value) -> Outcome<Option<Rc<Proc>>> {
        Ok(match value.plain() {
            Value::Nil => None,
            Value::Proc(proc) => Some(proc.clone()),
            Value::Sym(_) => {
                let name = self.to_name(value)?;
                Some(Rc::new(Proc { kind: ProcKind::Symbol(name), lambda: true, generation: Generation::current() }))
            }
            Value::Method(method) => Some(Rc::new(Proc {
                kind: ProcKind::Method(method.clone()),
                lambda: true,
                generation: Generation::current(),
            })),
            other => {
                if self.responds(other, known::TO_PROC) {
                    match self.call(other, known::TO_PROC, Args::none())? {
                        Value::Proc(proc) => Some(proc),
                        _ => None,
                    }
                } else {
                    let class = self.real_class(other).display_name();
                    return Err(self.type_error(format!("wrong argument type {class} (expected Proc)")));
                }
            }
        })
    }

    /// Evaluates arguments.
    pub fn arguments(&mut self, arguments: &Arguments, ctx: &Ctx) -> Outcome<Args> {
        let mut args = Args::none();
        for expr in &arguments.list {
            match &expr.node {
                Node::Splat(Some(inner)) => {
                    let value = self.eval(inner, ctx)?;
                    let list = self.splat(&value)?;
                    self.steps(list.len())?;
                    args.list.extend(list);
                }
                _ => args.list.push(self.eval(expr, ctx)?),
            }
        }
        if !arguments.keywords.is_empty() {
            let (table, marks) = self.pairs(&arguments.keywords, ctx)?;
            let only_splats = arguments.keywords.iter().all(|pair| matches!(pair, Pair::Splat(_)));
            // `**{}` passes nothing.
            if !table.is_empty() || !only_splats {
                args.keywords = true;
                args.list.push(self.hash_of_pairs(table, marks));
            }
        }
        Ok(args)
    }

    /// Converts the operand of `*value` to a list.
    pub fn splat(&mut self, value: &Value) -> Outcome<Vec<Value>> {
        match value {
            Value::Array(array) => Ok(self.elements(array)),
            Value::Nil => Ok(Vec::new()),
            Value::Str(_) | Value::Int(_) | Value::Sym(_) => Ok(vec![value.clone()]),
            _ if self.responds(value, known::TO_A) => match self.call(value, known::TO_A, Args::none())? {
                Value::Array(array) => Ok(self.elements(&array)),
                _ => Ok(vec![value.clone()]),
            },
            _ => Ok(vec![value.clone()]),
        }
    }

    /// Evaluates a call.
    pub fn eval_call(&mut self, call: &Call, line: u32, ctx: &Ctx) -> Outcome {
        let receiver = match &call.receiver {
            Some(expr) => {
                let receiver = self.eval(expr, ctx)?;
                if call.safe && receiver.is_nil() {
                    return Ok(Value::Nil);
                }
                receiver
            }
            None => ctx.me.clone(),
        };
        if let (Some(_), [only], false) = (&call.receiver, &*call.arguments.list, call.arguments.splat)
            && call.arguments.keywords.is_empty()
            && matches!(call.block, BlockArgument::None)
            && !call.write
        {
            if call.name == known::DEBUG && self.is_discarded_debug(&receiver, only, ctx) {
                return self.step().map(|()| Value::Nil);
            }
            let argument = self.eval(only, ctx)?;
            if let Some(value) = fast(call.name, &receiver, &argument) {
                return self.step().map(|()| value);
            }
            self.at_line(line);
            return self.dispatch(call, &receiver, Args::one(argument), ctx);
        }
        let mut args = if call.arguments.list.is_empty() && call.arguments.keywords.is_empty() {
            Args::none()
        } else {
            self.arguments(&call.arguments, ctx)?
        };
        let mut id = 0;
        if !matches!(call.block, BlockArgument::None) {
            args.block = self.block_of(&call.block, ctx, &mut id)?;
        }
        self.at_line(line);
        let written = call.write.then(|| args.list.last().cloned().unwrap_or(Value::Nil));
        let outcome = self.dispatch(call, &receiver, args, ctx);
        if id != 0
            && let Err(flow) = outcome
        {
            return match *flow {
                Flow::Break(to, value) if to == id => Ok(value),
                other => Err(Box::new(other)),
            };
        }
        match written {
            Some(value) => outcome.map(|_| value),
            None => outcome,
        }
    }

    /// Returns whether a call is `Puppet.debug` with a string whose evaluation has no side effects, while the host
    /// discards debug messages.
    fn is_discarded_debug(&mut self, receiver: &Value, argument: &Expr, ctx: &Ctx) -> bool {
        let (Value::Class(_), Node::DStr(parts)) = (receiver, &argument.node) else { return false };
        if self.host.keeps_debug() {
            return false;
        }
        let class = self.class_of(receiver);
        let is_ours = self.find_method(&class, known::DEBUG).is_some_and(|method| match &method.body {
            MethodBody::Proc(proc) => {
                matches!(&proc.kind, ProcKind::Block { ctx, .. } if ctx.frame.internal && ctx.me.same(receiver))
            }
            _ => false,
        });
        is_ours
            && parts.iter().all(|part| match &part.node {
                Node::Str(_) => true,
                Node::Local(local) => match ctx.env.up(local.depth).get(local.slot) {
                    Value::Str(_) | Value::Int(_) | Value::Nil | Value::Sym(_) => true,
                    value @ (Value::Regexp(_) | Value::Bool(_) | Value::Float(_)) => {
                        let class = self.class_of(&value);
                        let to_s = self.find_method(&class, known::TO_S);
                        to_s.is_some_and(|method| matches!(method.body, MethodBody::Native(..)))
                    }
                    _ => false,
                },
                _ => false,
            })
    }

    #[inline]
    pub fn at_line(&mut self, line: u32) {
        if let Some(call) = self.st.calls.last_mut() {
            call.line = line;
        }
    }

    fn dispatch(&mut self, call: &Call, receiver: &Value, args: Args, ctx: &Ctx) -> Outcome {
        let depth = self.st.calls.len();
        let class = self.class_of(receiver);
        let outcome = match self.find_method(&class, call.name) {
            Some(method) => {
                let hidden = match method.visibility {
                    Visibility::Public => None,
                    Visibility::Private if call.private => None,
                    Visibility::Private => Some("private"),
                    Visibility::Protected if call.private || self.is_a(&ctx.me, &method.owner) => None,
                    Visibility::Protected => Some("protected"),
                };
                match hidden {
                    None => self.invoke(&method, receiver, call.name, args),
                    Some(hidden) if self.find_method(&class, known::METHOD_MISSING).is_none() => {
                        let shown = self.shown_receiver(receiver)?;
                        let class = self.st.classes.no_method_error.clone();
                        let message = format!("{hidden} method `{}' called for {shown}", self.name(call.name));
                        let error = self.error(&class, message);
                        Err(self.about(error, receiver))
                    }
                    Some(_) => self.missing(receiver, call.name, args, false),
                }
            }
            None => self.missing(receiver, call.name, args, call.variable),
        };
        if outcome.is_err() {
            self.st.calls.truncate(depth);
        }
        outcome
    }

    /// Evaluates `super`.
    pub fn eval_super(&mut self, call: &Call, line: u32, ctx: &Ctx) -> Outcome {
        let mut args = self.arguments(&call.arguments, ctx)?;
        let mut id = 0;
        args.block = match &call.block {
            BlockArgument::None => ctx.frame.block.clone(),
            block => self.block_of(block, ctx, &mut id)?,
        };
        self.at_line(line);
        let Some(method) = &ctx.frame.method else {
            let class = self.st.classes.runtime_error.clone();
            return Err(self.error(&class, "super called outside of method"));
        };
        let class = self.class_of(&ctx.me);
        let name = method.name;
        let outcome = match self.find_super(&class, &method.owner, name) {
            Some(found) => self.invoke(&found, &ctx.me, name, args),
            None => {
                let shown = self.shown_receiver(&ctx.me)?;
                let message = format!("super: no superclass method `{}' for {shown}", self.name(name));
                let class = self.st.classes.no_method_error.clone();
                let error = self.error(&class, message);
                Err(self.about(error, &ctx.me))
            }
        };
        match outcome {
            Err(flow) => match *flow {
                Flow::Break(to, value) if id != 0 && to == id => Ok(value),
                other => Err(Box::new(other)),
            },
            value => value,
        }
    }

    /// Returns the value of an instance variable.
    pub fn get_ivar(&mut self, me: &Value, name: Symbol) -> Outcome {
        match me {
            Value::Object(object) => {
                self.owe(object.vars.borrow().len() / 64);
                if let Some(value) = object.get(name) {
                    return Ok(value);
                }
                let lazily = match &*object.data.borrow() {
                    Data::Lazy(lazily) => lazily.clone(),
                    _ => return Ok(Value::Nil),
                };
                let text = self.name(name);
                let Some(target) = lazily.host_name(&text) else { return Ok(Value::Nil) };
                let value: Value = crate::puppet::variable(self, &target)?.into();
                // A variable without a value is left unset, which `defined?` can detect.
                if !value.is_nil() {
                    object.set(name, value.clone());
                }
                Ok(value)
            }
            Value::Class(class) => {
                Ok(class.vars.borrow().iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()).into())
            }
            _ => Ok(Value::Nil),
        }
    }

    pub fn set_ivar(&mut self, me: &Value, name: Symbol, value: Value) -> Outcome<()> {
        match me {
            Value::Object(object) => {
                if object.frozen.get() {
                    return Err(self.frozen_error(me));
                }
                self.build(24)?;
                self.owe(object.vars.borrow().len() / 64);
                self.note_change(&object.generation);
                object.set(name, value);
                Ok(())
            }
            Value::Class(class) => {
                self.note_lasting_change();
                self.build(24)?;
                self.owe(class.vars.borrow().len() / 64);
                let mut vars = class.vars.borrow_mut();
                match vars.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, slot)) => *slot = value,
                    None => vars.push((name, value)),
                }
                Ok(())
            }
            _ => Err(self.frozen_error(me)),
        }
    }

    /// Returns a method object.
    pub fn method_object(&mut self, receiver: &Value, name: Symbol) -> Outcome {
        let class = self.class_of(receiver);
        match self.find_method(&class, name) {
            Some(method) => Ok(Value::Method(Rc::new(BoundMethod { receiver: Some(receiver.clone()), method, name }))),
            None => {
                let class = self.real_class(receiver).display_name();
                let message = format!("undefined method `{}' for class `{class}'", self.name(name));
                let error = self.st.classes.name_error.clone();
                Err(self.error(&error, message))
            }
        }
    }
}
