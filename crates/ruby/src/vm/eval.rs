//! Evaluates expressions.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_ruby_regexp::{Options, Regexp};

use super::state::CachedMatch;
use super::{Args, Flow, Outcome, Vm};
use crate::ast::{Begin, Case, Expr, Node, Pair, Program, While};
use crate::symbol::known;
use crate::value::{Ctx, Encoding, Generation, MatchData, Proc, ProcKind, Str, Table, Text, Value};

/// The maximum length of a string for which the result of a match is cached, in bytes.
const MAX_CACHED_STRING: usize = 256;

/// The maximum number of patterns with a cached match.
const MAX_CACHED_MATCHES: usize = 1_024;

/// The number of bytes that the regexp engine reads ahead before each search.
const READ_AHEAD: usize = 32 << 10;

/// The maximum source length of a cached pattern that was made from a string, in bytes.
const MAX_CACHED_PATTERN: usize = 1_024;

impl Vm<'_> {
    /// Runs a program.
    pub fn run(&mut self, program: &Arc<Program>, me: Value) -> Outcome {
        let ctx = self.top(me, &program.file, program.body.locals.len(), program.internal);
        self.run_in(program, &ctx)
    }

    pub fn run_in(&mut self, program: &Program, ctx: &Ctx) -> Outcome {
        let depth = self.st.calls.len();
        self.enter(ctx.frame.clone(), program.body.expr.line)?;
        let outcome = self.eval(&program.body.expr, ctx);
        self.st.calls.truncate(depth);
        match outcome {
            Err(flow) => match *flow {
                Flow::Return(_, value) => Ok(value),
                other => Err(Box::new(other)),
            },
            value => value,
        }
    }

    /// Evaluates an expression.
    pub fn eval(&mut self, expr: &Expr, ctx: &Ctx) -> Outcome {
        // Leaves do not need more stack.
        match &expr.node {
            Node::Nil => return Ok(Value::Nil),
            Node::True => return Ok(Value::Bool(true)),
            Node::False => return Ok(Value::Bool(false)),
            Node::SelfRef => return Ok(ctx.me.clone()),
            Node::Int(number) => return Ok(Value::Int(*number)),
            Node::Float(number) => return Ok(Value::Float(*number)),
            Node::Sym(name) => return Ok(Value::Sym(*name)),
            Node::Str(text) => {
                self.build(32)?;
                return Ok(Value::Str(Rc::new(Str::shared(text.clone()))));
            }
            Node::Local(local) => return Ok(ctx.env.up(local.depth).get(local.slot)),
            _ => {}
        }
        stacker::maybe_grow(128 << 10, 4 << 20, || self.eval_node(expr, ctx))
    }

    fn eval_node(&mut self, expr: &Expr, ctx: &Ctx) -> Outcome {
        self.step()?;
        match &expr.node {
            Node::Seq(list) => {
                let mut last = Value::Nil;
                for expr in list {
                    last = self.eval(expr, ctx)?;
                }
                Ok(last)
            }
            Node::Append(local, value) => self.append(*local, value, ctx),
            Node::Call(call) => self.eval_call(call, expr.line, ctx),
            Node::IVar(name) => self.get_ivar(&ctx.me, *name),
            Node::If(condition, then, otherwise) => {
                if self.eval(condition, ctx)?.truthy() {
                    self.eval(then, ctx)
                } else {
                    self.eval(otherwise, ctx)
                }
            }
            Node::LocalSet(local, value) => {
                let value = self.eval(value, ctx)?;
                self.set_local(*local, value.clone(), ctx);
                Ok(value)
            }
            Node::DStr(parts) => {
                let string = self.interpolated(parts, ctx)?;
                Ok(Value::Str(Rc::new(string)))
            }
            Node::And(left, right) => {
                let left = self.eval(left, ctx)?;
                if left.truthy() { self.eval(right, ctx) } else { Ok(left) }
            }
            Node::Or(left, right) => {
                let left = self.eval(left, ctx)?;
                if left.truthy() { Ok(left) } else { self.eval(right, ctx) }
            }
            Node::Not(inner) => {
                let value = self.eval(inner, ctx)?;
                match &value {
                    Value::Object(_) => self.call(&value, known::NOT, Args::none()),
                    _ => Ok(Value::Bool(!value.truthy())),
                }
            }
            Node::Array(list) => {
                let mut all = Vec::with_capacity(list.len());
                for expr in list {
                    match &expr.node {
                        Node::Splat(Some(inner)) => {
                            let value = self.eval(inner, ctx)?;
                            let list = self.splat(&value)?;
                            self.steps(list.len())?;
                            all.extend(list);
                        }
                        _ => all.push(self.eval(expr, ctx)?),
                    }
                }
                self.build(all.len() * 16 + 40)?;
                Ok(self.array_of(all))
            }
            Node::Hash(pairs) => {
                let (table, marks) = self.pairs(pairs, ctx)?;
                Ok(self.hash_of_pairs(table, marks))
            }
            Node::Const(name) => {
                self.at_line(expr.line);
                self.constant(*name, ctx)
            }
            Node::ConstPath(parent, name) => {
                let parent = match parent {
                    Some(parent) => self.eval(parent, ctx)?,
                    None => Value::Class(self.st.classes.object.clone()),
                };
                self.at_line(expr.line);
                self.constant_in(&parent, *name)
            }
            Node::IVarSet(name, value) => {
                let value = self.eval(value, ctx)?;
                self.set_ivar(&ctx.me, *name, value.clone())?;
                Ok(value)
            }
            Node::Yield(arguments) => {
                let args = self.arguments(arguments, ctx)?;
                self.at_line(expr.line);
                match &ctx.frame.block {
                    Some(block) => self.call_proc(block, args),
                    None => {
                        let class = self.st.classes.local_jump_error.clone();
                        Err(self.error(&class, "no block given (yield)"))
                    }
                }
            }
            Node::While(looped) => self.eval_while(looped, ctx),
            Node::Case(case) => self.eval_case(case, ctx),
            Node::Begin(begin) => self.eval_begin(begin, ctx),
            Node::Return(value) => {
                let value = self.optional(value.as_deref(), ctx)?;
                Err(Box::new(Flow::Return(ctx.return_to, value)))
            }
            Node::Break { value, in_loop } => {
                let value = self.optional(value.as_deref(), ctx)?;
                Err(Box::new(if *in_loop { Flow::BreakLoop(value) } else { Flow::Break(ctx.break_to, value) }))
            }
            Node::Next { value, in_loop } => {
                let value = self.optional(value.as_deref(), ctx)?;
                Err(Box::new(if *in_loop { Flow::NextLoop } else { Flow::Next(value) }))
            }
            Node::Redo => Err(Box::new(Flow::Redo)),
            Node::Retry => Err(Box::new(Flow::Retry)),
            Node::Lambda(code) => Ok(Value::Proc(Rc::new(Proc {
                kind: ProcKind::Block { code: code.clone(), ctx: ctx.clone() },
                lambda: true,
                generation: Generation::current(),
            }))),
            Node::OpAssign(assign) => self.eval_op_assign(assign, expr.line, ctx),
            Node::MultiAssign(targets, value) => {
                let value = self.eval(value, ctx)?;
                let list = match self.try_array(&value)? {
                    Some(list) => list,
                    None => vec![value.clone()],
                };
                self.assign_all(targets, list, ctx)?;
                Ok(value)
            }
            Node::Assign(target, value) => {
                let value = self.eval(value, ctx)?;
                self.assign(target, value.clone(), ctx)?;
                Ok(value)
            }
            Node::Regex(regexp) => Ok(Value::Regexp(Rc::new(regexp.clone()))),
            Node::DRegex(parts, options) => self.interpolated_regexp(parts, *options, expr.line, ctx),
            Node::DSym(parts) => {
                let text = self.interpolated(parts, ctx)?;
                self.build(text.len_bytes() + super::marks::NAME_SIZE)?;
                let symbol = text.with(|text| self.symbol(text));
                Ok(if text.is_marked() { symbol.marked() } else { symbol })
            }
            Node::Range(first, last, exclusive) => {
                let first = self.optional(first.as_deref(), ctx)?;
                let last = self.optional(last.as_deref(), ctx)?;
                self.new_range(first, last, *exclusive)
            }
            Node::GVar(name) => Ok(self.global(*name)),
            Node::GVarSet(name, value) => {
                let value = self.eval(value, ctx)?;
                self.note_lasting_change();
                self.st.globals.insert(*name, value.clone());
                Ok(value)
            }
            Node::CVar(name) => self.class_var(*name, ctx),
            Node::CVarSet(name, value) => {
                let value = self.eval(value, ctx)?;
                self.set_class_var(*name, value.clone(), ctx)?;
                Ok(value)
            }
            Node::NthRef(number) => Ok(match &*ctx.frame.last_match.borrow() {
                Value::Match(found) => found.group(*number as usize),
                _ => Value::Nil,
            }),
            Node::BackRef(which) => Ok(self.back_reference(*which, ctx)),
            Node::Super(call) => self.eval_super(call, expr.line, ctx),
            Node::Defined(inner) => {
                let defined = self.defined(inner, ctx)?;
                Ok(defined.map(Value::str).into())
            }
            Node::For(looped) => self.eval_for(looped, ctx),
            Node::CaseIn(case) => self.eval_case_in(case, expr.line, ctx),
            Node::Matches { value, pattern, required } => {
                let value = self.eval(value, ctx)?;
                if !required {
                    return self.matches(pattern, &value, ctx).map(Value::Bool);
                }
                let (matched, reason) = self.matches_with_reason(pattern, &value, ctx)?;
                if !matched {
                    self.at_line(expr.line);
                    return Err(self.no_pattern(&value, reason));
                }
                Ok(Value::Nil)
            }
            Node::Def(def) => self.define_method(def, ctx),
            Node::Class(class) => self.open_class(class, expr.line, ctx),
            Node::Module(module) => self.open_module(module, expr.line, ctx),
            Node::SingletonClass(object, body) => {
                let object = self.eval(object, ctx)?;
                let class = self.singleton(&object)?;
                self.run_class_body(&class, body, expr.line, ctx)
            }
            Node::Alias(new, old) => {
                let class = ctx.cref.class.clone();
                self.alias_method(&class, *new, *old)?;
                Ok(Value::Nil)
            }
            Node::Undef(names) => {
                let class = ctx.cref.class.clone();
                for name in names {
                    self.undef_method(&class, *name)?;
                }
                Ok(Value::Nil)
            }
            Node::MatchWrite(call, locals) => {
                let value = self.eval(call, ctx)?;
                let found = ctx.frame.last_match.borrow().clone();
                for (name, local) in locals {
                    let value = match (&found, value.is_nil()) {
                        (Value::Match(found), false) => found.named(name),
                        _ => Value::Nil,
                    };
                    self.set_local(*local, value, ctx);
                }
                Ok(value)
            }
            Node::Big(number) => Ok(Value::big(number.clone())),
            Node::Bytes(bytes) => Ok(Value::Str(Rc::new(Str::new(Text::Bytes(bytes.to_vec()))))),
            Node::Rational(numerator, denominator) => {
                let (numerator, denominator) = (Value::big(numerator.clone()), Value::big(denominator.clone()));
                let me = ctx.me.clone();
                self.send(&me, "Rational", &[numerator, denominator])
            }
            Node::Splat(Some(inner)) => {
                let value = self.eval(inner, ctx)?;
                let list = self.splat(&value)?;
                Ok(self.array_of(list))
            }
            Node::Splat(None) => Ok(Value::array(Vec::new())),
            Node::File => Ok(Value::str(&ctx.frame.file)),
            Node::Unsupported(feature) => {
                self.at_line(expr.line);
                Err(self.unsupported(feature))
            }
            // Answered before.
            Node::Nil
            | Node::True
            | Node::False
            | Node::SelfRef
            | Node::Int(_)
            | Node::Float(_)
            | Node::Str(_)
            | Node::Sym(_)
            | Node::Local(_) => Ok(Value::Nil),
        }
    }

    pub fn optional(&mut self, expr: Option<&Expr>, ctx: &Ctx) -> Outcome {
        expr.map_or(Ok(Value::Nil), |expr| self.eval(expr, ctx))
    }

    /// Adds to the text of a template: what most of its code does.
    fn append(&mut self, local: crate::ast::Local, value: &Expr, ctx: &Ctx) -> Outcome {
        let target = ctx.env.up(local.depth).get(local.slot);
        let Value::Str(output) = &target else {
            let value = self.eval(value, ctx)?;
            return self.call(&target, known::SHL, Args::one(value));
        };
        if output.frozen.get() {
            return Err(self.frozen_error(&target));
        }
        self.note_change(&output.generation);
        match &value.node {
            Node::Str(text) => {
                self.build(text.len())?;
                output.push(text);
            }
            // `(expression).to_s`: the string itself need not be made.
            Node::Call(call)
                if call.name == known::TO_S && call.receiver.is_some() && call.arguments.list.is_empty() =>
            {
                let inner = self.optional(call.receiver.as_ref(), ctx)?;
                self.at_line(value.line);
                self.append_text(output, &inner)?;
            }
            _ => {
                let value = self.eval(value, ctx)?;
                return self.call(&target, known::SHL, Args::one(value));
            }
        }
        Ok(target)
    }

    /// Adds the text of a value, as interpolation does.
    pub fn append_text(&mut self, output: &Str, value: &Value) -> Outcome<()> {
        match value {
            Value::Str(text) => {
                self.build(text.len_bytes())?;
                if text.encoding.get() != Encoding::Utf8 && output.len_bytes() == 0 && !text.is_valid() {
                    output.encoding.set(text.encoding.get());
                }
                output.push_str(text);
            }
            Value::Int(number) => {
                let mut buffer = [0_u8; 20];
                output.push(decimal(*number, &mut buffer));
            }
            Value::Nil => {}
            Value::Sym(name) => {
                let (text, marks) = (self.name(*name), self.marks_of_name(*name));
                self.build(text.len())?;
                output.push_marked(&text, &marks);
            }
            Value::Marked(inner) => {
                let start = output.len_bytes();
                self.append_text(output, inner)?;
                output.mark_from(start);
            }
            Value::Object(_) => match self.call(value, known::TO_S, Args::none())? {
                Value::Str(text) => {
                    self.build(text.len_bytes())?;
                    output.push_str(&text);
                }
                _ => output.push(&self.any_to_s(value)),
            },
            other => {
                let start = output.len_bytes();
                let text = self.to_s(other)?;
                self.build(text.len())?;
                output.push(&text);
                self.mark_shown(output, start, other)?;
            }
        }
        Ok(())
    }

    fn interpolated(&mut self, parts: &[Expr], ctx: &Ctx) -> Outcome<Str> {
        let string = Str::new(Text::Owned(String::new()));
        for part in parts {
            match &part.node {
                Node::Str(text) => {
                    self.build(text.len())?;
                    string.push(text);
                }
                _ => {
                    let value = self.eval(part, ctx)?;
                    self.append_text(&string, &value)?;
                }
            }
        }
        self.charge_marks(&string);
        Ok(string)
    }

    fn interpolated_regexp(&mut self, parts: &[Expr], options: Options, line: u32, ctx: &Ctx) -> Outcome {
        let source = Str::new(Text::Owned(String::new()));
        let mut is_marked = false;
        for part in parts {
            match &part.node {
                Node::Str(text) => source.push(text),
                _ => {
                    let value = self.eval(part, ctx)?;
                    is_marked |= matches!(value, Value::Marked(_));
                    match value.plain() {
                        Value::Regexp(inner) => source.push(&inner.embedded()),
                        value => self.append_text(&source, value)?,
                    }
                }
            }
        }
        self.at_line(line);
        let text = source.to_arc();
        let regexp = self.new_regexp(&text, options)?;
        self.note_groups(&regexp, &text, &source.marks())?;
        Ok(if is_marked || source.is_marked() { regexp.marked() } else { regexp })
    }

    pub fn new_regexp(&mut self, source: &str, options: Options) -> Outcome {
        if let Some(regexp) = self.st.patterns.get(source, options) {
            self.step()?;
            self.build(source.len())?;
            return Ok(Value::Regexp(Rc::new(regexp)));
        }
        // A compiled pattern is many times as large as its source.
        self.steps(500 + source.len() * 4)?;
        self.build(4096 + source.len() * 64)?;
        match Regexp::with_options(source, options) {
            Ok(regexp) => {
                if source.len() <= MAX_CACHED_PATTERN {
                    self.st.patterns.keep(&regexp);
                }
                Ok(Value::Regexp(Rc::new(regexp)))
            }
            Err(error) => {
                let class = self.st.classes.regexp_error.clone();
                Err(self.error(&class, error.to_string()))
            }
        }
    }

    pub fn new_range(&mut self, first: Value, last: Value, exclusive: bool) -> Outcome {
        let is_marked = matches!(first, Value::Marked(_)) || matches!(last, Value::Marked(_));
        let (first, last) = (first.plain().clone(), last.plain().clone());
        let fine = first.is_nil()
            || last.is_nil()
            || matches!((&first, &last), (Value::Int(_), Value::Int(_)) | (Value::Str(_), Value::Str(_)))
            || !self
                .rescued(|vm| vm.compare(&first, &last).map(|order| Value::Bool(order.is_some())))?
                .is_ok_and(|comparable| !comparable.truthy());
        if !fine {
            return Err(self.argument_error("bad value for range"));
        }
        let range = Value::range(first, last, exclusive);
        Ok(if is_marked { range.marked() } else { range })
    }

    fn evaluated_part(&mut self, part: &Expr, ctx: &Ctx, marks: &mut u8) -> Outcome {
        let value = self.eval(part, ctx)?;
        Ok(self.unmark_element(value, marks))
    }

    /// Returns the pairs of a hash, and its marks.
    pub fn pairs(&mut self, pairs: &[Pair], ctx: &Ctx) -> Outcome<(Table, u8)> {
        let mut table = Table::default();
        let mut marks = 0;
        for pair in pairs {
            match pair {
                Pair::Pair(key, value) => {
                    let key = self.evaluated_part(key, ctx, &mut marks)?;
                    let value = self.evaluated_part(value, ctx, &mut marks)?;
                    let key = self.key_to_keep(&key)?;
                    table.insert(key, value);
                }
                Pair::Splat(expr) => {
                    let value = self.eval(expr, ctx)?;
                    let hash = match &value {
                        Value::Nil => continue,
                        Value::Hash(hash) => hash.clone(),
                        other => match self.send(other, "to_hash", &[])? {
                            Value::Hash(hash) => hash,
                            _ => return Err(self.type_error("no implicit conversion into Hash")),
                        },
                    };
                    self.steps(hash.len())?;
                    marks |= hash.marks.get();
                    let other = hash.table.borrow();
                    table.extend(other.iter().map(|(key, value)| (key.clone(), value.clone())));
                }
            }
        }
        self.build_table(table.len())?;
        Ok((table, marks))
    }

    fn eval_while(&mut self, looped: &While, ctx: &Ctx) -> Outcome {
        let mut skip = looped.body_first;
        loop {
            self.step()?;
            if !skip && self.eval(&looped.condition, ctx)?.truthy() == looped.negated {
                return Ok(Value::Nil);
            }
            skip = false;
            if let Err(flow) = self.eval(&looped.body, ctx) {
                match *flow {
                    Flow::BreakLoop(value) => return Ok(value),
                    Flow::NextLoop => {}
                    other => return Err(Box::new(other)),
                }
            }
        }
    }

    fn eval_for(&mut self, looped: &crate::ast::For, ctx: &Ctx) -> Outcome {
        let collection = self.eval(&looped.collection, ctx)?;
        let list = match &collection {
            Value::Array(array) => self.elements(array),
            other => {
                let array = self.call(other, known::TO_A, Args::none())?;
                self.splat(&array)?
            }
        };
        for value in list {
            self.step()?;
            self.assign(&looped.target, value, ctx)?;
            if let Err(flow) = self.eval(&looped.body, ctx) {
                match *flow {
                    Flow::BreakLoop(value) => return Ok(value),
                    Flow::NextLoop => {}
                    other => return Err(Box::new(other)),
                }
            }
        }
        Ok(collection)
    }

    fn eval_case(&mut self, case: &Case, ctx: &Ctx) -> Outcome {
        let subject = case.subject.as_ref().map(|expr| self.eval(expr, ctx)).transpose()?;
        for (conditions, body) in &case.whens {
            for condition in conditions {
                let candidates = match &condition.node {
                    Node::Splat(Some(inner)) => {
                        let value = self.eval(inner, ctx)?;
                        self.splat(&value)?
                    }
                    _ => vec![self.eval(condition, ctx)?],
                };
                for candidate in candidates {
                    let fits = match &subject {
                        Some(subject) => self.case_eq(&candidate, subject)?,
                        None => candidate.truthy(),
                    };
                    if fits {
                        return self.eval(body, ctx);
                    }
                }
            }
        }
        self.optional(case.otherwise.as_ref(), ctx)
    }

    fn eval_begin(&mut self, begin: &Begin, ctx: &Ctx) -> Outcome {
        let outcome = self.eval_rescued(begin, ctx);
        let Some(ensure) = &begin.ensure else { return outcome };
        if let Err(flow) = &outcome
            && matches!(**flow, Flow::Fatal(_))
        {
            return outcome;
        }
        let error = self.st.current_error.clone();
        self.eval(ensure, ctx)?;
        self.st.current_error = error;
        outcome
    }

    fn eval_rescued(&mut self, begin: &Begin, ctx: &Ctx) -> Outcome {
        loop {
            let depth = self.st.calls.len();
            let exception = match self.eval(&begin.body, ctx) {
                Ok(value) => {
                    return match &begin.otherwise {
                        Some(otherwise) => self.eval(otherwise, ctx),
                        None => Ok(value),
                    };
                }
                Err(flow) => match *flow {
                    Flow::Raise(exception) => exception,
                    other => return Err(Box::new(other)),
                },
            };
            self.st.calls.truncate(depth);
            let mut handler = None;
            'search: for rescue in &begin.rescues {
                if rescue.classes.is_empty() {
                    let class = self.st.classes.standard_error.clone();
                    if self.is_a(&exception, &class) {
                        handler = Some(rescue);
                        break;
                    }
                }
                for class in &rescue.classes {
                    let candidates = match &class.node {
                        Node::Splat(Some(inner)) => {
                            let value = self.eval(inner, ctx)?;
                            self.splat(&value)?
                        }
                        _ => vec![self.eval(class, ctx)?],
                    };
                    for candidate in candidates {
                        if !matches!(candidate, Value::Class(_)) {
                            return Err(self.type_error("class or module required for rescue clause"));
                        }
                        if self.case_eq(&candidate, &exception)? {
                            handler = Some(rescue);
                            break 'search;
                        }
                    }
                }
            }
            let Some(rescue) = handler else { return Err(Box::new(Flow::Raise(exception))) };
            self.step()?;
            let before = std::mem::replace(&mut self.st.current_error, exception.clone());
            if let Some(target) = &rescue.target {
                self.assign(target, exception, ctx)?;
            }
            let outcome = self.eval(&rescue.body, ctx);
            self.st.current_error = before;
            match outcome {
                Err(flow) if matches!(*flow, Flow::Retry) => {}
                outcome => return outcome,
            }
        }
    }

    /// Sets `$~` in the code that has called the current native method.
    pub fn set_match(&mut self, found: Value) {
        if let Some(call) = self.st.calls.last() {
            let is_older = call.frame.generation.is_before(self.st.run);
            *call.frame.last_match.borrow_mut() = found;
            if is_older {
                self.note_lasting_change();
            }
        }
    }

    pub fn last_match(&self) -> Value {
        self.st.calls.last().map(|call| call.frame.last_match.borrow().clone()).into()
    }

    /// Searches a string from a byte offset on, and sets `$~`.
    pub fn search(&mut self, regexp: &Rc<Regexp>, text: &Arc<str>, start: usize) -> Outcome<Option<Rc<MatchData>>> {
        let found = self.search_quietly(regexp, text, start)?;
        self.set_match(found.clone().map(Value::Match).into());
        Ok(found)
    }

    pub fn search_quietly(
        &mut self,
        regexp: &Rc<Regexp>,
        text: &Arc<str>,
        start: usize,
    ) -> Outcome<Option<Rc<MatchData>>> {
        // A pattern that only this call owns is dropped after it.
        let is_kept = start == 0 && text.len() <= MAX_CACHED_STRING && Rc::strong_count(regexp) > 2;
        let key = Rc::as_ptr(regexp) as usize;
        if is_kept
            && let Some(known) = self.st.match_cache.get(&key)
            && Rc::ptr_eq(&known.regexp, regexp)
            && (Arc::ptr_eq(&known.text, text) || known.text == *text)
        {
            let captures = known.captures.clone();
            self.step()?;
            return Ok(captures.map(|captures| Rc::new(self.match_data(text, captures, regexp))));
        }
        // The engine reads ahead before each search, up to this length.
        let ahead = text.len().saturating_sub(start).min(READ_AHEAD);
        self.steps(ahead / 96)?;
        match regexp.captures_within(text, start, self.host.budget()) {
            Ok(captures) => {
                if is_kept {
                    if self.st.match_cache.len() >= MAX_CACHED_MATCHES {
                        self.st.match_cache.clear();
                    }
                    let (regexp, text, captures) = (regexp.clone(), text.clone(), captures.clone());
                    self.st.match_cache.insert(key, CachedMatch { regexp, text, captures });
                }
                Ok(captures.map(|captures| Rc::new(self.match_data(text, captures, regexp))))
            }
            Err(error) => Err(match error.exhausted() {
                Some(exhausted) => self.exhausted(exhausted),
                None => self.refused(error.to_string()),
            }),
        }
    }

    fn back_reference(&mut self, which: char, ctx: &Ctx) -> Value {
        let found = match &*ctx.frame.last_match.borrow() {
            Value::Match(found) => found.clone(),
            _ => return Value::Nil,
        };
        let whole = found.captures.whole();
        match which {
            '&' => found.group(0),
            '`' => found.part(0..whole.start),
            '\'' => found.part(whole.end..found.text.len()),
            '+' => {
                let groups: Vec<_> = found.captures.iter().collect();
                let last = groups.iter().rposition(|group| group.is_some()).unwrap_or(0);
                if last == 0 { Value::Nil } else { found.group(last) }
            }
            _ => Value::Match(found),
        }
    }

    fn global(&mut self, name: crate::symbol::Symbol) -> Value {
        let text = self.name(name);
        // An assigned value is not stored: the next match replaces it.
        if &*text == "$~" {
            return self.last_match();
        }
        if let Some(value) = self.st.globals.get(&name) {
            return value.clone();
        }
        match &*text {
            "$!" => self.st.current_error.clone(),
            "$," | "$;" => Value::Nil,
            "$/" => Value::str("\n"),
            "$0" | "$PROGRAM_NAME" => Value::str("puppet"),
            "$@" => {
                let error = self.st.current_error.clone();
                if error.is_nil() { Value::Nil } else { self.send(&error, "backtrace", &[]).unwrap_or(Value::Nil) }
            }
            _ => Value::Nil,
        }
    }

    /// Evaluates `defined?`.
    fn defined(&mut self, expr: &Expr, ctx: &Ctx) -> Outcome<Option<&'static str>> {
        Ok(match &expr.node {
            Node::Nil => Some("expression"),
            Node::SelfRef => Some("self"),
            Node::True => Some("true"),
            Node::False => Some("false"),
            Node::Local(_) => Some("local-variable"),
            Node::IVar(name) => {
                let set = match &ctx.me {
                    Value::Object(object) => object.get(*name).is_some() || !self.get_ivar(&ctx.me, *name)?.is_nil(),
                    Value::Class(class) => class.vars.borrow().iter().any(|(known, _)| known == name),
                    _ => false,
                };
                set.then_some("instance-variable")
            }
            Node::GVar(name) => self.st.globals.contains_key(name).then_some("global-variable"),
            Node::CVar(name) => self.find_class_var(*name, ctx).is_some().then_some("class variable"),
            Node::Const(_) | Node::ConstPath(..) => {
                let found = self.rescued(|vm| vm.eval(expr, ctx))?;
                found.is_ok().then_some("constant")
            }
            Node::Call(call) => {
                let receiver = match &call.receiver {
                    Some(receiver) => {
                        if self.defined(receiver, ctx)?.is_none() {
                            return Ok(None);
                        }
                        match self.rescued(|vm| vm.eval(receiver, ctx))? {
                            Ok(value) => value,
                            Err(_) => return Ok(None),
                        }
                    }
                    None => ctx.me.clone(),
                };
                let class = self.class_of(&receiver);
                self.find_method(&class, call.name).map(|_| "method")
            }
            Node::Yield(_) => ctx.frame.block.is_some().then_some("yield"),
            Node::Super(_) => match &ctx.frame.method {
                Some(method) => {
                    let class = self.class_of(&ctx.me);
                    self.find_super(&class, &method.owner, method.name).map(|_| "super")
                }
                None => None,
            },
            Node::LocalSet(..)
            | Node::IVarSet(..)
            | Node::GVarSet(..)
            | Node::Assign(..)
            | Node::OpAssign(_)
            | Node::MultiAssign(..) => Some("assignment"),
            Node::NthRef(_) | Node::BackRef(_) => (!self.eval(expr, ctx)?.is_nil()).then_some("global-variable"),
            _ => Some("expression"),
        })
    }
}

/// Formats a number in decimal, without allocating.
fn decimal(number: i64, buffer: &mut [u8; 20]) -> &str {
    let mut at = buffer.len();
    let mut left = number.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    // Digits and a sign are valid UTF-8.
    std::str::from_utf8(&buffer[at..]).unwrap_or_default()
}
