//! Statements: <https://jinja.palletsprojects.com/en/3.1.x/templates/#list-of-control-structures>.

use std::sync::{Arc, OnceLock};

use hieratic_diagnostics::Span;

use super::{Parser, Result, key};
use crate::syntax::ast::{
    Block, Expr, ExprKind, Filter, For, Jump, Macro, Name, Node, NodeKind, Special, Target, Uses,
};
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::Token;

impl Parser<'_> {
    /// Parses a body from which no enclosing loop can be left.
    fn outside_loops<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let loops = std::mem::take(&mut self.loops);
        let read = read(self);
        self.loops = loops;
        read
    }

    /// Parses statements up to one of these, which is not consumed; without `ends`, all statements.
    pub(super) fn body(&mut self, ends: &[&str]) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        loop {
            let span = self.peek_span();
            match self.peek() {
                None if ends.is_empty() => return Ok(nodes),
                None => {
                    let ends: Vec<String> = ends.iter().map(|name| format!("'{name}'")).collect();
                    let message = format!(
                        "Unexpected end of template. Jinja was looking for the following tags: {}.",
                        ends.join(" or ")
                    );
                    return Err(match self.open.last() {
                        Some((open, name)) => {
                            let inner = format!("{message} The innermost block that needs to be closed is '{name}'.");
                            SyntaxError::new(inner, *open)
                        }
                        None => SyntaxError::new(message, span),
                    });
                }
                Some(Token::Data(text)) => {
                    self.at += 1;
                    nodes.push(Node { span, kind: NodeKind::Text(text.clone().into()) });
                }
                Some(Token::VariableStart) => {
                    self.at += 1;
                    if self.peek() == Some(&Token::VariableEnd) {
                        let message = "Expected an expression, got 'end of print statement'";
                        return Err(SyntaxError::new(message, self.peek_span()));
                    }
                    let expr = self.expression_or_tuple()?;
                    self.expect_token(&Token::VariableEnd)?;
                    nodes.push(Node { span: self.since(span.start), kind: NodeKind::Output(expr) });
                }
                Some(Token::BlockStart) => {
                    if let Some(Token::Name(name)) = self.peek_second()
                        && ends.contains(&&**name)
                    {
                        self.at += 1;
                        return Ok(nodes);
                    }
                    self.at += 1;
                    if let Some(Token::Name(name)) = self.peek() {
                        let name_at = self.peek_span();
                        self.open.push((Span { start: span.start, end: name_at.end }, name.clone()));
                    }
                    let before = self.open.len();
                    let kind = self.deeper(|parser| parser.statement(ends))?;
                    self.open.truncate(before.saturating_sub(1));
                    nodes.push(Node { span: self.since(span.start), kind });
                }
                Some(_) => return Err(self.unexpected("begin of statement block")),
            }
        }
    }

    /// Reads the statements up to an end tag and the tag itself.
    fn body_until(&mut self, end: &str) -> Result<Vec<Node>> {
        self.body_starts()?;
        let nodes = self.body(&[end])?;
        self.at += 1;
        Ok(nodes)
    }

    /// The end of a tag that statements follow; a colon before it is Python's.
    fn body_starts(&mut self) -> Result<()> {
        self.skip_operator(":");
        self.end_tag()
    }

    fn end_tag(&mut self) -> Result<()> {
        self.expect_token(&Token::BlockEnd)
    }

    fn statement(&mut self, ends: &[&str]) -> Result<NodeKind> {
        let name = match self.peek() {
            Some(Token::Name(name)) => name.clone(),
            _ => return Err(SyntaxError::new("tag name expected", self.peek_span())),
        };
        let place = self.peek_span();
        self.at += 1;
        match &*name {
            "for" => self.for_loop(),
            "if" => self.condition(),
            "set" => self.set(),
            "macro" => self.macro_definition(),
            "call" => self.call_block(place),
            "filter" => {
                let filters = self.filters()?;
                let body = self.body_until("endfilter")?;
                self.end_tag()?;
                Ok(NodeKind::FilterBlock { filters, body: body.into() })
            }
            "with" => self.with(),
            "block" => self.block(place),
            "extends" => {
                let parent = self.expression()?;
                self.end_tag()?;
                Ok(NodeKind::Extends(parent))
            }
            "include" => self.include(),
            "import" => self.import(),
            "from" => self.from(),
            "autoescape" => {
                let on = self.expression()?;
                let body = self.body_until("endautoescape")?;
                self.end_tag()?;
                Ok(NodeKind::Autoescape { on, body: body.into() })
            }
            "print" => {
                let mut nodes = Vec::new();
                while self.peek() != Some(&Token::BlockEnd) {
                    if !nodes.is_empty() {
                        self.expect_operator(",")?;
                    }
                    let expr = self.expression()?;
                    nodes.push(Node { span: expr.span, kind: NodeKind::Output(expr) });
                }
                self.end_tag()?;
                // An `if` without branches groups several statements into one.
                Ok(NodeKind::If { branches: Vec::new(), otherwise: nodes })
            }
            "do" if self.extensions.statements => {
                let expr = self.expression_or_tuple()?;
                self.end_tag()?;
                Ok(NodeKind::Do(expr))
            }
            "break" | "continue" if self.extensions.loops => {
                if self.loops == 0 {
                    return Err(SyntaxError::new(format!("'{name}' outside loop"), place));
                }
                self.end_tag()?;
                Ok(NodeKind::Jump(if &*name == "break" { Jump::Break } else { Jump::Continue }))
            }
            "trans" if self.extensions.translations => self.translation(place),
            _ => {
                self.at -= 1;
                Err(self.unknown_tag(&name, ends))
            }
        }
    }

    fn for_loop(&mut self) -> Result<NodeKind> {
        let place = self.peek_span();
        let target = self.target("in")?;
        if target.has("loop") {
            return Err(SyntaxError::new("Can't assign to special loop variable in for-loop target", place));
        }
        if !self.skip_name("in") {
            return Err(self.unexpected("in"));
        }
        let iterable = self.tuple_without_condition("recursive")?;
        let condition = if self.skip_name("if") { Some(self.expression()?) } else { None };
        let recursive = self.skip_name("recursive");
        self.body_starts()?;
        self.loops += 1;
        let body = self.body(&["endfor", "else"])?;
        self.loops -= 1;
        let mut otherwise = Vec::new();
        if self.skip_name("else") {
            otherwise = self.body_until("endfor")?;
        } else {
            self.at += 1;
        }
        self.end_tag()?;
        Ok(NodeKind::For(Arc::new(For {
            target,
            iterable,
            condition,
            body: body.into(),
            otherwise: otherwise.into(),
            recursive,
            state: Name::from(Arc::from("loop")),
            details: OnceLock::new(),
            anew: OnceLock::new(),
            separators: OnceLock::new(),
            fast_loop: OnceLock::new(),
        })))
    }

    fn condition(&mut self) -> Result<NodeKind> {
        let mut branches = Vec::new();
        loop {
            let condition = self.tuple_without_condition("")?;
            self.body_starts()?;
            branches.push((condition, self.body(&["elif", "else", "endif"])?));
            if self.skip_name("elif") {
                continue;
            }
            let mut otherwise = Vec::new();
            if self.skip_name("else") {
                otherwise = self.body_until("endif")?;
            } else {
                self.at += 1;
            }
            self.end_tag()?;
            return Ok(NodeKind::If { branches, otherwise });
        }
    }

    fn set(&mut self) -> Result<NodeKind> {
        let target = self.target("=")?;
        if self.skip_operator("=") {
            let value = self.expression_or_tuple()?;
            self.end_tag()?;
            return Ok(NodeKind::Set { target, value });
        }
        let filters = if self.skip_operator("|") { self.filters()? } else { Vec::new() };
        let body = self.body_until("endset")?;
        self.end_tag()?;
        Ok(NodeKind::SetBlock { target, filters, body: body.into() })
    }

    fn with(&mut self) -> Result<NodeKind> {
        let mut bindings = Vec::new();
        while self.peek() != Some(&Token::BlockEnd) && !self.is_operator(":") {
            if !bindings.is_empty() {
                self.expect_operator(",")?;
            }
            let target = self.single_target()?;
            self.expect_operator("=")?;
            bindings.push((target, self.expression()?));
        }
        let body = self.body_until("endwith")?;
        self.end_tag()?;
        Ok(NodeKind::With { bindings, body: body.into() })
    }

    fn macro_definition(&mut self) -> Result<NodeKind> {
        let name = self.expect_name()?;
        let parameters = self.parameters()?;
        let definition = self.macro_body(name, parameters, "endmacro")?;
        Ok(NodeKind::Macro(Arc::new(definition)))
    }

    /// Parses the body of a macro. The special variables that it uses also count as used by an enclosing macro.
    fn macro_body(&mut self, name: Arc<str>, parameters: Vec<(Name, Option<Expr>)>, end: &str) -> Result<Macro> {
        let outer = std::mem::take(&mut self.uses);
        let body = self.outside_loops(|parser| parser.body_until(end))?;
        self.end_tag()?;
        let uses = std::mem::replace(&mut self.uses, outer);
        let Uses { varargs, kwargs, caller } = uses;
        self.uses.varargs |= varargs;
        self.uses.kwargs |= kwargs;
        self.uses.caller |= caller;
        Ok(Macro {
            name: name.into(),
            parameters,
            body: body.into(),
            uses,
            special: Special::default(),
            unit: OnceLock::new(),
        })
    }

    fn parameters(&mut self) -> Result<Vec<(Name, Option<Expr>)>> {
        let mut parameters: Vec<(Name, Option<Expr>)> = Vec::new();
        self.expect_operator("(")?;
        while !self.is_operator(")") {
            if !parameters.is_empty() {
                self.expect_operator(",")?;
                if self.is_operator(")") {
                    break;
                }
            }
            let place = self.peek_span();
            let name = self.assignable()?;
            let default = if self.skip_operator("=") { Some(self.expression()?) } else { None };
            if &*name == "caller" && default.is_none() {
                let message = "When defining macros or call blocks the special \"caller\" argument must be omitted or be \
                               given a default.";
                return Err(SyntaxError::new(message, place));
            }
            if default.is_none() && parameters.iter().any(|(_, default)| default.is_some()) {
                return Err(SyntaxError::new("non-default argument follows default argument", place));
            }
            parameters.push((name.into(), default));
        }
        self.expect_operator(")")?;
        Ok(parameters)
    }

    fn call_block(&mut self, place: Span) -> Result<NodeKind> {
        let parameters = if self.is_operator("(") { self.parameters()? } else { Vec::new() };
        let call = self.expression()?;
        if !matches!(call.kind, ExprKind::Call(..)) {
            return Err(SyntaxError::new("expected call", place));
        }
        let caller = self.macro_body("".into(), parameters, "endcall")?;
        Ok(NodeKind::Call { caller: Arc::new(caller), call })
    }

    fn block(&mut self, place: Span) -> Result<NodeKind> {
        let name = self.expect_name()?;
        let (scoped, required) = (self.skip_name("scoped"), self.skip_name("required"));
        let body = self.outside_loops(|parser| parser.body_until("endblock"))?;
        let is_blank = |node: &Node| matches!(&node.kind, NodeKind::Text(text) if text.trim().is_empty());
        if required && !body.iter().all(is_blank) {
            return Err(SyntaxError::new("Required blocks can only contain comments or whitespace", place));
        }
        self.skip_name(&name);
        self.end_tag()?;
        let block = Arc::new(Block { name: name.clone(), body, scoped, required, unit: OnceLock::new() });
        if self.blocks.insert(name.clone(), block.clone()).is_some() {
            return Err(SyntaxError::new(format!("block '{name}' defined twice"), place));
        }
        Ok(NodeKind::Block(block))
    }

    /// Parses `with context` or `without context`, with `given` as the default.
    fn context(&mut self, given: bool) -> bool {
        let next_is_context = matches!(self.peek_second(), Some(Token::Name(name)) if **name == *"context");
        if !next_is_context || !(self.is_name("with") || self.is_name("without")) {
            return given;
        }
        let with = self.is_name("with");
        self.at += 2;
        with
    }

    fn include(&mut self) -> Result<NodeKind> {
        let name = self.expression()?;
        let ignores = matches!(self.peek_second(), Some(Token::Name(name)) if **name == *"missing");
        let ignore_missing = ignores && self.is_name("ignore");
        self.at += if ignore_missing { 2 } else { 0 };
        let with_context = self.context(true);
        self.end_tag()?;
        Ok(NodeKind::Include { name, ignore_missing, with_context })
    }

    fn import(&mut self) -> Result<NodeKind> {
        let name = self.expression()?;
        if !self.skip_name("as") {
            return Err(self.unexpected("as"));
        }
        let target = self.assignable()?;
        let with_context = self.context(false);
        self.end_tag()?;
        Ok(NodeKind::Import { name, target: target.into(), with_context })
    }

    fn from(&mut self) -> Result<NodeKind> {
        let name = self.expression()?;
        if !self.skip_name("import") {
            return Err(self.unexpected("import"));
        }
        let mut names = Vec::new();
        let mut with_context = false;
        while self.peek() != Some(&Token::BlockEnd) {
            if !names.is_empty() && !self.skip_operator(",") {
                break;
            }
            if self.is_name("with") || self.is_name("without") {
                with_context = self.context(false);
                break;
            }
            let place = self.peek_span();
            let name = self.assignable()?;
            if name.starts_with("__") {
                let message = "names starting with two underlines can not be imported";
                return Err(SyntaxError::new(message, place));
            }
            let alias = if self.skip_name("as") { self.assignable()? } else { name.clone() };
            names.push((name, Name::from(alias)));
            if self.is_name("with") || self.is_name("without") {
                with_context = self.context(false);
                break;
            }
        }
        if names.is_empty() {
            return Err(self.unexpected("name"));
        }
        self.end_tag()?;
        Ok(NodeKind::From { name, names, with_context })
    }

    /// Filters in sequence, the first of which has no bar before it.
    fn filters(&mut self) -> Result<Vec<Filter>> {
        let mut filters = vec![self.filter()?];
        while self.skip_operator("|") {
            filters.push(self.filter()?);
        }
        Ok(filters)
    }

    /// Parses the target of a `for` or `set`.
    fn target(&mut self, end: &str) -> Result<Target> {
        let mut targets = Vec::new();
        let mut is_tuple = false;
        loop {
            if self.is_name(end) || self.is_operator(end) || self.peek() == Some(&Token::BlockEnd) {
                break;
            }
            targets.push(self.deeper(Parser::single_target)?);
            if self.skip_operator(",") { is_tuple = true } else { break }
        }
        match (targets.pop(), is_tuple) {
            (Some(target), false) => Ok(target),
            (Some(target), true) => {
                targets.push(target);
                Ok(Target::Several(targets))
            }
            (None, _) => Err(self.unexpected("name")),
        }
    }

    fn single_target(&mut self) -> Result<Target> {
        if self.skip_operator("(") {
            let mut targets = Vec::new();
            while !self.is_operator(")") {
                targets.push(self.deeper(Parser::single_target)?);
                if !self.skip_operator(",") {
                    break;
                }
            }
            self.expect_operator(")")?;
            return Ok(Target::Several(targets));
        }
        let name = self.assignable()?;
        if self.skip_operator(".") {
            return Ok(Target::Attribute(name.into(), key(self.expect_name()?)));
        }
        Ok(Target::Name(name.into()))
    }

    fn assignable(&mut self) -> Result<Arc<str>> {
        let place = self.peek_span();
        let name = self.expect_name()?;
        if matches!(&*name, "true" | "false" | "none" | "True" | "False" | "None") {
            return Err(SyntaxError::new(format!("can't assign to '{name}'"), place));
        }
        Ok(name)
    }
}
