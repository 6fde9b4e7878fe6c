//! The grammar of pipelines: commands, operands and the variables that they set.

use std::sync::Arc;

use hieratic_source::Span;

use super::error::{Cause, ParseError};
use super::literal::{unquote, unquote_character};
use super::number::Number;
use super::parser::Parser;
use super::token::{Keyword, Token, TokenKind};
use super::tree::{Command, Operand, OperandKind, Pipeline, Variable};

impl Parser<'_, '_> {
    /// A pipeline up to `end`, which is taken as well.
    pub(super) fn pipeline(&mut self, context: &str, end: TokenKind) -> Result<Pipeline, ParseError> {
        let start = self.peek_non_space()?.span;
        let mut pipeline = Pipeline { span: start, variables: Vec::new(), assigns: false, commands: Vec::new() };
        self.declarations(&mut pipeline, context)?;
        loop {
            let token = self.next_non_space()?;
            if token.kind == end {
                self.check(&pipeline, context)?;
                pipeline.span = start.to(pipeline.commands.last().map_or(start, |last| last.span));
                return Ok(pipeline);
            }
            if !begins_operand(token.kind) {
                return self.unexpected(token, context);
            }
            self.put_back(token);
            pipeline.commands.push(self.command()?);
        }
    }

    /// `$a :=`, `$a =` and, for a loop, `$a, $b :=`.
    fn declarations(&mut self, pipeline: &mut Pipeline, context: &str) -> Result<(), ParseError> {
        loop {
            let variable = self.peek_non_space()?;
            if variable.kind != TokenKind::Variable {
                return Ok(());
            }
            self.next()?;
            let after = self.peek()?;
            let next = self.peek_non_space()?;
            let is_comma = next.kind == TokenKind::Char && self.slice(next) == ",";
            if !is_comma && !matches!(next.kind, TokenKind::Assign | TokenKind::Declare) {
                if after.kind == TokenKind::Space {
                    self.put_back(after);
                }
                self.put_back(variable);
                return Ok(());
            }
            self.next_non_space()?;
            let name = self.slice(variable);
            pipeline.variables.push(Variable { span: variable.span, name: name.into() });
            self.scope.variables.push(name);
            if !is_comma {
                pipeline.assigns = next.kind == TokenKind::Assign;
                return Ok(());
            }
            if context != "range" || pipeline.variables.len() >= 2 {
                return self.fail(format!("too many declarations in {context}"));
            }
            let next = self.peek_non_space()?.kind;
            if !matches!(next, TokenKind::Variable | TokenKind::RightDelimiter | TokenKind::RightParen) {
                return self.fail("range can only initialize variables");
            }
        }
    }

    fn check(&self, pipeline: &Pipeline, context: &str) -> Result<(), ParseError> {
        if pipeline.commands.is_empty() {
            return self.fail(format!("missing value for {context}"));
        }
        for (index, command) in pipeline.commands.iter().enumerate().skip(1) {
            let first = command.operands.first().map(|operand| &operand.kind);
            if first.is_some_and(is_constant) {
                return self.fail(format!("non executable command in pipeline stage {}", index + 1));
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Result<Command, ParseError> {
        let start = self.peek_non_space()?.span;
        let mut command = Command { span: start, operands: Vec::new() };
        loop {
            self.skip_spaces()?;
            if let Some(operand) = self.operand()? {
                command.span = start.to(operand.span);
                command.operands.push(operand);
            }
            let token = self.next()?;
            match token.kind {
                TokenKind::Space => continue,
                TokenKind::RightDelimiter | TokenKind::RightParen => self.put_back(token),
                TokenKind::Pipe => {}
                _ => return self.unexpected(token, "operand"),
            }
            break;
        }
        if command.operands.is_empty() {
            return self.fail("empty command");
        }
        Ok(command)
    }

    fn skip_spaces(&mut self) -> Result<(), ParseError> {
        self.peek_non_space().map(|_| ())
    }

    /// A term with the fields after it.
    fn operand(&mut self) -> Result<Option<Operand>, ParseError> {
        let Some(term) = self.term()? else { return Ok(None) };
        let mut fields: Vec<Arc<str>> = Vec::new();
        let mut span = term.span;
        while self.peek()?.kind == TokenKind::Field {
            let token = self.next()?;
            span = span.to(token.span);
            fields.push(self.slice(token).trim_start_matches('.').into());
        }
        if fields.is_empty() {
            return Ok(Some(term));
        }
        let kind = match term.kind {
            OperandKind::Field(mut first) => {
                first.append(&mut fields);
                OperandKind::Field(first)
            }
            OperandKind::Variable { name, fields: mut first } => {
                first.append(&mut fields);
                OperandKind::Variable { name, fields: first }
            }
            kind if is_constant(&kind) => {
                let text = self.term_text(term.span, &kind);
                return self.fail(format!("unexpected . after term {}", hieratic_hcl_types::quoted(&text)));
            }
            kind => OperandKind::Chain { operand: Box::new(Operand { span: term.span, kind }), fields },
        };
        Ok(Some(Operand { span, kind }))
    }

    fn term(&mut self) -> Result<Option<Operand>, ParseError> {
        let token = self.next_non_space()?;
        let text = self.slice(token);
        let kind = match token.kind {
            TokenKind::Identifier => {
                if !self.syntax.knows(text) {
                    let message = format!("function {} not defined", hieratic_hcl_types::quoted(text));
                    return Err(self.error(message, Cause::UndefinedFunction(text.to_owned())));
                }
                OperandKind::Function(text.into())
            }
            TokenKind::Dot => OperandKind::Dot,
            TokenKind::Keyword(Keyword::Nil) => OperandKind::Nil,
            TokenKind::Variable => {
                if !self.scope.variables.contains(&text) {
                    let message = format!("undefined variable {}", hieratic_hcl_types::quoted(text));
                    return Err(self.error(message, Cause::UndefinedVariable(text.to_owned())));
                }
                OperandKind::Variable { name: text.into(), fields: Vec::new() }
            }
            TokenKind::Field => OperandKind::Field(vec![text.trim_start_matches('.').into()]),
            TokenKind::Bool => OperandKind::Bool(text == "true"),
            TokenKind::Number | TokenKind::Complex | TokenKind::CharConstant => {
                OperandKind::Number(self.number(token)?)
            }
            TokenKind::String | TokenKind::RawString => match unquote(text) {
                Some(bytes) => OperandKind::String(bytes.into()),
                None => return self.fail("invalid syntax"),
            },
            TokenKind::LeftParen => return self.parenthesized(token.span).map(Some),
            _ => {
                self.put_back(token);
                return Ok(None);
            }
        };
        Ok(Some(Operand { span: token.span, kind }))
    }

    fn number(&mut self, token: Token) -> Result<Number, ParseError> {
        let text = self.slice(token);
        let number = match token.kind {
            TokenKind::CharConstant => unquote_character(text).map(Number::character),
            TokenKind::Complex => Number::parse_complex(text),
            _ => Number::parse(text),
        };
        number.or_else(|message| self.fail(message))
    }

    fn parenthesized(&mut self, start: Span) -> Result<Operand, ParseError> {
        let entered = self.budget.enter(&self.depth);
        let guard = entered.map_err(|exhausted| self.exhausted(exhausted))?;
        let pipeline =
            stacker::maybe_grow(128 << 10, 1 << 20, || self.pipeline("parenthesized pipeline", TokenKind::RightParen));
        drop(guard);
        let pipeline = pipeline?;
        let span = Span { start: start.start, end: pipeline.span.end.saturating_add(1) };
        Ok(Operand { span, kind: OperandKind::Pipeline(Box::new(pipeline)) })
    }

    /// A constant as messages name it.
    fn term_text(&self, span: Span, kind: &OperandKind) -> String {
        match kind {
            OperandKind::Dot => ".".to_owned(),
            _ => self.span_text(span).to_owned(),
        }
    }
}

fn begins_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Bool
            | TokenKind::CharConstant
            | TokenKind::Complex
            | TokenKind::Dot
            | TokenKind::Field
            | TokenKind::Identifier
            | TokenKind::Number
            | TokenKind::Keyword(Keyword::Nil)
            | TokenKind::RawString
            | TokenKind::String
            | TokenKind::Variable
            | TokenKind::LeftParen
    )
}

/// Whether a command cannot begin with it after a pipe, and no field follow it.
fn is_constant(kind: &OperandKind) -> bool {
    matches!(
        kind,
        OperandKind::Bool(_) | OperandKind::Dot | OperandKind::Nil | OperandKind::Number(_) | OperandKind::String(_)
    )
}
