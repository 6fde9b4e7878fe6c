//! Expressions: <https://jinja.palletsprojects.com/en/3.1.x/templates/#expressions>.
//!
//! From the lowest to the highest precedence: `if`, `or`, `and`, `not`, comparisons, `+ -`, `~`, `* / // %`, `**`,
//! signs, then the postfix operators: `.`, `[]`, `()`, `|` and `is`.

use std::sync::{Arc, OnceLock};

use hieratic_diagnostics::Span;
use minijinja::Value;

use super::{Parser, Result, key};
use crate::objects::Big;
use crate::python::arithmetic::Operator;
use crate::syntax::ast::{Arguments, Comparison, Expr, ExprKind, Filter, Plugin};
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::Token;

/// The maximum number of operators in one chain, which makes a tree of that depth.
const MAX_CHAIN: usize = 100;

impl Parser<'_> {
    /// An expression, or several with commas between them, which are a tuple.
    pub(super) fn expression_or_tuple(&mut self) -> Result<Expr> {
        self.tuple(true, "", false)
    }

    /// Parses a tuple or an expression that ends at `if`.
    pub(super) fn tuple_without_condition(&mut self, end: &str) -> Result<Expr> {
        // The condition of an `if` cannot contain an inline `if` either.
        self.tuple(false, end, false)
    }

    fn tuple(&mut self, with_condition: bool, end: &str, explicit: bool) -> Result<Expr> {
        let start = self.peek_span();
        let mut items = Vec::new();
        let mut is_tuple = false;
        loop {
            if !items.is_empty() && !self.skip_operator(",") {
                break;
            }
            is_tuple |= !items.is_empty();
            let ended = matches!(self.peek(), None | Some(Token::VariableEnd | Token::BlockEnd | Token::Operator(")")));
            if ended || (!end.is_empty() && self.is_name(end)) {
                break;
            }
            items.push(if with_condition { self.expression()? } else { self.or()? });
        }
        match (items.pop(), is_tuple) {
            (Some(item), false) => Ok(item),
            (None, _) if !explicit => {
                let message = format!("Expected an expression, got '{}'", self.found());
                Err(SyntaxError::new(message, self.peek_span()))
            }
            (item, _) => {
                items.extend(item);
                Ok(Expr { span: self.since(start.start), kind: ExprKind::Tuple(items) })
            }
        }
    }

    pub(super) fn expression(&mut self) -> Result<Expr> {
        self.deeper(Parser::conditional)
    }

    fn conditional(&mut self) -> Result<Expr> {
        let mut expr = self.or()?;
        while self.skip_name("if") {
            let condition = Box::new(self.or()?);
            let otherwise = if self.skip_name("else") { Some(Box::new(self.expression()?)) } else { None };
            let then = Box::new(expr);
            let span = self.since(then.span.start);
            expr = Expr { span, kind: ExprKind::Conditional { condition, then, otherwise } };
        }
        Ok(expr)
    }

    /// Operands with operators between them, from left to right.
    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Result<Expr>,
        operator: impl Fn(&mut Self) -> Option<Operator>,
    ) -> Result<Expr> {
        let mut left = operand(self)?;
        let mut length = 0;
        while let Some(operator) = operator(self) {
            self.count(&mut length)?;
            let right = Box::new(operand(self)?);
            let span = self.since(left.span.start);
            left = Expr { span, kind: ExprKind::Arithmetic(operator, Box::new(left), right) };
        }
        Ok(left)
    }

    fn count(&self, length: &mut usize) -> Result<()> {
        *length += 1;
        if *length > MAX_CHAIN {
            let message = format!("the expression has more than {MAX_CHAIN} operators in a row");
            return Err(SyntaxError::new(message, self.peek_span()));
        }
        Ok(())
    }

    fn or(&mut self) -> Result<Expr> {
        let mut left = self.and()?;
        let mut length = 0;
        while self.skip_name("or") {
            self.count(&mut length)?;
            let right = Box::new(self.and()?);
            left = Expr { span: self.since(left.span.start), kind: ExprKind::Or(Box::new(left), right) };
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr> {
        let mut left = self.not()?;
        let mut length = 0;
        while self.skip_name("and") {
            self.count(&mut length)?;
            let right = Box::new(self.not()?);
            left = Expr { span: self.since(left.span.start), kind: ExprKind::And(Box::new(left), right) };
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expr> {
        let start = self.peek_span().start;
        if self.skip_name("not") {
            let inner = Box::new(self.deeper(Parser::not)?);
            return Ok(Expr { span: self.since(start), kind: ExprKind::Not(inner) });
        }
        self.compare()
    }

    fn compare(&mut self) -> Result<Expr> {
        let first = self.sum()?;
        let mut rest = Vec::new();
        loop {
            let comparison = match self.peek() {
                Some(Token::Operator("==")) => Comparison::Equal,
                Some(Token::Operator("!=")) => Comparison::NotEqual,
                Some(Token::Operator("<")) => Comparison::Less,
                Some(Token::Operator("<=")) => Comparison::LessOrEqual,
                Some(Token::Operator(">")) => Comparison::Greater,
                Some(Token::Operator(">=")) => Comparison::GreaterOrEqual,
                Some(Token::Name(name)) if **name == *"in" => Comparison::In,
                Some(Token::Name(name))
                    if **name == *"not" && matches!(self.peek_second(), Some(Token::Name(next)) if **next == *"in") =>
                {
                    self.at += 1;
                    Comparison::NotIn
                }
                _ => break,
            };
            self.at += 1;
            rest.push((comparison, self.sum()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr { span: self.since(first.span.start), kind: ExprKind::Compare(Box::new(first), rest) })
    }

    fn sum(&mut self) -> Result<Expr> {
        self.chain(Parser::concat, |parser| parser.arithmetic(&[("+", Operator::Add), ("-", Operator::Subtract)]))
    }

    fn concat(&mut self) -> Result<Expr> {
        let first = self.product()?;
        if !self.is_operator("~") {
            return Ok(first);
        }
        let start = first.span.start;
        let mut parts = vec![first];
        while self.skip_operator("~") {
            parts.push(self.product()?);
        }
        Ok(Expr { span: self.since(start), kind: ExprKind::Concat(parts) })
    }

    fn product(&mut self) -> Result<Expr> {
        self.chain(Parser::power, |parser| {
            parser.arithmetic(&[
                ("*", Operator::Multiply),
                ("/", Operator::Divide),
                ("//", Operator::FloorDivide),
                ("%", Operator::Modulo),
            ])
        })
    }

    fn power(&mut self) -> Result<Expr> {
        self.chain(|parser| parser.signed(true), |parser| parser.arithmetic(&[("**", Operator::Power)]))
    }

    fn arithmetic(&mut self, operators: &[(&str, Operator)]) -> Option<Operator> {
        let found = operators.iter().find(|(text, _)| self.is_operator(text))?;
        self.at += 1;
        Some(found.1)
    }

    fn signed(&mut self, with_filters: bool) -> Result<Expr> {
        let start = self.peek_span().start;
        let expr = if self.skip_operator("-") {
            let inner = Box::new(self.deeper(|parser| parser.signed(false))?);
            Expr { span: self.since(start), kind: ExprKind::Negative(inner) }
        } else if self.skip_operator("+") {
            let inner = Box::new(self.deeper(|parser| parser.signed(false))?);
            Expr { span: self.since(start), kind: ExprKind::Positive(inner) }
        } else {
            self.primary()?
        };
        let expr = self.postfix(expr)?;
        if with_filters { self.filtered(expr) } else { Ok(expr) }
    }

    fn primary(&mut self) -> Result<Expr> {
        let span = self.peek_span();
        let constant = |value: Value| Ok(Expr { span, kind: ExprKind::constant(value) });
        match self.peek() {
            Some(Token::Name(name)) => {
                self.at += 1;
                match &**name {
                    "true" | "True" => return constant(Value::from(true)),
                    "false" | "False" => return constant(Value::from(false)),
                    "none" | "None" => return constant(Value::from(())),
                    "varargs" => self.uses.varargs = true,
                    "kwargs" => self.uses.kwargs = true,
                    "caller" => self.uses.caller = true,
                    _ => {}
                }
                Ok(Expr { span, kind: ExprKind::Name(name.clone().into()) })
            }
            Some(Token::String(text)) => {
                self.at += 1;
                let mut text = text.to_string();
                while let Some(Token::String(more)) = self.peek() {
                    text.push_str(more);
                    self.at += 1;
                }
                Ok(Expr { span: self.since(span.start), kind: ExprKind::constant(Value::from(text)) })
            }
            Some(Token::Integer(number)) => {
                self.at += 1;
                constant(Big::value(number))
            }
            Some(Token::Float(number)) => {
                self.at += 1;
                constant(Value::from(*number))
            }
            Some(Token::Operator("(")) => {
                self.at += 1;
                let inner = self.deeper(|parser| parser.tuple(true, "", true))?;
                self.expect_operator(")")?;
                Ok(inner)
            }
            Some(Token::Operator("[")) => {
                self.at += 1;
                let items = self.separated("]", Parser::expression)?;
                Ok(Expr { span: self.since(span.start), kind: ExprKind::List(items) })
            }
            Some(Token::Operator("{")) => {
                self.at += 1;
                let entries = self.separated("}", |parser| {
                    let key = parser.expression()?;
                    parser.expect_operator(":")?;
                    Ok((key, parser.expression()?))
                })?;
                Ok(Expr { span: self.since(span.start), kind: ExprKind::Dict(entries) })
            }
            None => Err(SyntaxError::new("unexpected end of template", span)),
            Some(_) => Err(SyntaxError::new(format!("unexpected '{}'", self.found()), span)),
        }
    }

    /// Parses a comma-separated list up to a bracket; a trailing comma is allowed.
    fn separated<T>(&mut self, end: &str, read: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.is_operator(end) {
            if !items.is_empty() {
                self.expect_operator(",")?;
                if self.is_operator(end) {
                    break;
                }
            }
            items.push(read(self)?);
        }
        self.expect_operator(end)?;
        Ok(items)
    }

    fn postfix(&mut self, mut expr: Expr) -> Result<Expr> {
        let mut length = 0;
        loop {
            expr = match self.peek() {
                Some(Token::Operator("." | "[")) => self.subscript(expr)?,
                Some(Token::Operator("(")) => self.call(expr)?,
                _ => return Ok(expr),
            };
            self.count(&mut length)?;
        }
    }

    /// Parses the postfix operators after the subscripts: filters, tests and calls.
    fn filtered(&mut self, mut expr: Expr) -> Result<Expr> {
        let mut length = 0;
        loop {
            expr = match self.peek() {
                Some(Token::Operator("|")) => {
                    self.at += 1;
                    let filter = Box::new(self.filter()?);
                    Expr { span: self.since(expr.span.start), kind: ExprKind::Filter(Box::new(expr), filter) }
                }
                Some(Token::Operator("(")) => self.call(expr)?,
                Some(Token::Name(name)) if **name == *"is" => self.test(expr)?,
                _ => return Ok(expr),
            };
            self.count(&mut length)?;
        }
    }

    fn subscript(&mut self, expr: Expr) -> Result<Expr> {
        let start = expr.span.start;
        if self.skip_operator(".") {
            let place = self.peek_span();
            match self.peek() {
                Some(Token::Name(name)) => {
                    self.at += 1;
                    let span = self.since(start);
                    return Ok(Expr { span, kind: ExprKind::Attribute(Box::new(expr), key(name.clone())) });
                }
                Some(Token::Integer(number)) => {
                    self.at += 1;
                    let index = Expr { span: place, kind: ExprKind::constant(Big::value(number)) };
                    return Ok(Expr { span: self.since(start), kind: ExprKind::Item(Box::new(expr), Box::new(index)) });
                }
                _ => return Err(SyntaxError::new("expected name or number", place)),
            }
        }
        self.expect_operator("[")?;
        let kind = self.deeper(|parser| parser.index(expr))?;
        self.expect_operator("]")?;
        Ok(Expr { span: self.since(start), kind })
    }

    /// Parses a subscript.
    fn index(&mut self, expr: Expr) -> Result<ExprKind> {
        let place = self.peek_span();
        let mut parts: [Option<Box<Expr>>; 3] = [None, None, None];
        let mut colons = 0;
        let mut items = Vec::new();
        while !self.is_operator("]") {
            if self.skip_operator(":") {
                colons += 1;
                if colons > 2 {
                    return Err(self.unexpected("]"));
                }
            } else if self.skip_operator(",") {
                if colons > 0 {
                    return Err(SyntaxError::new("multidimensional slices are not supported", place));
                }
                items.extend(parts.first_mut().and_then(Option::take).map(|item| *item));
            } else {
                match parts.get_mut(colons) {
                    Some(part @ None) => *part = Some(Box::new(self.expression()?)),
                    _ => return Err(self.unexpected("]")),
                }
            }
        }
        if colons > 0 {
            if !items.is_empty() {
                return Err(SyntaxError::new("multidimensional slices are not supported", place));
            }
            return Ok(ExprKind::Slice(Box::new(expr), parts));
        }
        let [index, ..] = parts;
        match (index, items.is_empty()) {
            (Some(index), true) => Ok(ExprKind::Item(Box::new(expr), index)),
            (None, true) => Err(SyntaxError::new("expected subscript expression", place)),
            (index, false) => {
                items.extend(index.map(|index| *index));
                let tuple = Expr { span: self.since(place.start), kind: ExprKind::Tuple(items) };
                Ok(ExprKind::Item(Box::new(expr), Box::new(tuple)))
            }
        }
    }

    fn call(&mut self, callee: Expr) -> Result<Expr> {
        let arguments = Box::new(self.arguments()?);
        Ok(Expr { span: self.since(callee.span.start), kind: ExprKind::Call(Box::new(callee), arguments) })
    }

    fn arguments(&mut self) -> Result<Arguments> {
        self.expect_operator("(")?;
        let mut arguments = Arguments::default();
        let mut first = true;
        while !self.is_operator(")") {
            if !first {
                self.expect_operator(",")?;
                if self.is_operator(")") {
                    break;
                }
            }
            first = false;
            let place = self.peek_span();
            let invalid = || SyntaxError::new("invalid syntax for function call expression", place);
            if self.skip_operator("*") {
                if arguments.list.is_some() || arguments.dictionary.is_some() {
                    return Err(invalid());
                }
                arguments.list = Some(Box::new(self.expression()?));
            } else if self.skip_operator("**") {
                if arguments.dictionary.is_some() {
                    return Err(invalid());
                }
                arguments.dictionary = Some(Box::new(self.expression()?));
            } else if let (Some(Token::Name(name)), Some(Token::Operator("="))) = (self.peek(), self.peek_second()) {
                if arguments.dictionary.is_some() {
                    return Err(invalid());
                }
                self.at += 2;
                arguments.named.push((name.clone(), self.expression()?));
            } else {
                if arguments.list.is_some() || arguments.dictionary.is_some() || !arguments.named.is_empty() {
                    return Err(invalid());
                }
                arguments.positional.push(self.expression()?);
            }
        }
        self.expect_operator(")")?;
        Ok(arguments)
    }

    /// A name with dots in it.
    fn dotted(&mut self) -> Result<(Arc<str>, Span)> {
        let start = self.peek_span().start;
        let mut name = self.expect_name()?.to_string();
        while self.skip_operator(".") {
            name.push('.');
            name.push_str(&self.expect_name()?);
        }
        Ok((name.into(), self.since(start)))
    }

    /// The name of a filter or a test.
    fn plugin(&mut self, kind: &'static str) -> Result<(Arc<str>, Span)> {
        let (name, span) = self.dotted()?;
        self.plugins.push(Plugin { kind, name: name.clone(), span });
        Ok((name, span))
    }

    pub(super) fn filter(&mut self) -> Result<Filter> {
        let (name, span) = self.plugin("filter")?;
        let arguments = if self.is_operator("(") { self.deeper(Parser::arguments)? } else { Arguments::default() };
        Ok(Filter { name, arguments, span, known: OnceLock::new(), fast: OnceLock::new() })
    }

    fn test(&mut self, expr: Expr) -> Result<Expr> {
        let start = expr.span.start;
        self.at += 1;
        let negated = self.skip_name("not");
        let (name, span) = self.plugin("test")?;
        let takes_argument = match self.peek() {
            Some(Token::Name(name)) => !matches!(&**name, "else" | "or" | "and"),
            Some(Token::String(_) | Token::Integer(_) | Token::Float(_) | Token::Operator("[" | "{")) => true,
            _ => false,
        };
        let mut arguments = Arguments::default();
        if self.is_operator("(") {
            arguments = self.deeper(Parser::arguments)?;
        } else if takes_argument {
            if self.is_name("is") {
                return Err(SyntaxError::new("You cannot chain multiple tests with is", self.peek_span()));
            }
            let argument = self.deeper(Parser::primary)?;
            arguments.positional.push(self.postfix(argument)?);
        }
        let test = Box::new(Filter { name, arguments, span, known: OnceLock::new(), fast: OnceLock::new() });
        let expr = Expr { span: self.since(start), kind: ExprKind::Test(Box::new(expr), test) };
        if negated { Ok(Expr { span: self.since(start), kind: ExprKind::Not(Box::new(expr)) }) } else { Ok(expr) }
    }
}
