//! `{% trans %}`: <https://jinja.palletsprojects.com/en/3.1.x/templates/#i18n-in-templates>.
//!
//! As in Jinja2, a translation becomes a call of `gettext` or a similar function, and `%` with the variables.

use std::sync::Arc;

use hieratic_diagnostics::Span;

use super::{Parser, Result};
use crate::python::arithmetic::Operator;
use crate::syntax::ast::{Arguments, Expr, ExprKind, Node, NodeKind, Target};
use crate::syntax::error::SyntaxError;
use crate::syntax::lexer::Token;
use minijinja::Value;

/// The variable that holds the result of a call.
const CALLED: &str = "_trans";

/// The variable that holds how many there are.
const COUNTED: &str = "_trans_count";

/// A message in the singular or plural, and the names in it.
struct Message {
    text: String,
    names: Vec<Arc<str>>,
}

impl Parser<'_> {
    pub(super) fn translation(&mut self, place: Span) -> Result<NodeKind> {
        let expr = |kind| Expr { span: place, kind };
        let name = |name: &Arc<str>| Expr { span: place, kind: ExprKind::Name(name.clone().into()) };
        let constant = |text: &str| Expr { span: place, kind: ExprKind::constant(Value::from(text)) };
        let context = match self.peek() {
            Some(Token::String(text)) => {
                self.at += 1;
                Some(text.clone())
            }
            _ => None,
        };
        let mut variables: Vec<(Arc<str>, Expr)> = Vec::new();
        // The name of the variable that has the count for the plural.
        let mut count: Option<Arc<str>> = None;
        let mut sets: Vec<(&str, Expr)> = Vec::new();
        let mut trimmed = None;
        while self.peek() != Some(&Token::BlockEnd) {
            if !variables.is_empty() {
                self.expect_operator(",")?;
            }
            if self.skip_operator(":") {
                break;
            }
            let at = self.peek_span();
            let variable = self.expect_name()?;
            if variables.iter().any(|(known, _)| *known == variable) {
                return Err(SyntaxError::new(format!("translatable variable '{variable}' defined twice."), at));
            }
            let value = if self.skip_operator("=") {
                self.expression()?
            } else if trimmed.is_none() && matches!(&*variable, "trimmed" | "notrimmed") {
                trimmed = Some(&*variable == "trimmed");
                continue;
            } else {
                name(&variable)
            };
            if count.is_none() {
                count = Some(variable.clone());
                if matches!(value.kind, ExprKind::Call(..)) {
                    sets.push((CALLED, value));
                    variables.push((variable, name(&CALLED.into())));
                    continue;
                }
            }
            variables.push((variable, value));
        }
        self.expect_token(&Token::BlockEnd)?;
        let one = self.message(true)?;
        if count.is_none() {
            count = one.names.first().cloned();
        }
        let mut names = one.names.clone();
        let many = if self.skip_name("pluralize") {
            if self.peek() != Some(&Token::BlockEnd) {
                let at = self.peek_span();
                let variable = self.expect_name()?;
                if !variables.iter().any(|(known, _)| *known == variable) {
                    return Err(SyntaxError::new(format!("unknown variable '{variable}' for pluralization"), at));
                }
                count = Some(variable);
            }
            self.expect_token(&Token::BlockEnd)?;
            let many = self.message(false)?;
            names.extend(many.names.iter().cloned());
            Some(many)
        } else {
            None
        };
        self.at += 1;
        self.expect_token(&Token::BlockEnd)?;
        let has_names = !names.is_empty();
        for variable in names {
            if !variables.iter().any(|(known, _)| *known == variable) {
                let value = name(&variable);
                variables.push((variable, value));
            }
        }
        let text = |message: &Message| {
            let text = if trimmed == Some(true) { on_one_line(&message.text) } else { message.text.clone() };
            // A message without names is not formatted, so its percent signs are not doubled.
            constant(&if has_names { text } else { text.replace("%%", "%") })
        };
        let mut positional: Vec<Expr> = context.iter().map(|context| constant(context)).collect();
        positional.push(text(&one));
        let mut function = if context.is_some() { "pgettext" } else { "gettext" }.to_string();
        if let Some(many) = &many {
            let Some(count) = &count else {
                return Err(SyntaxError::new("pluralize without variables", place));
            };
            let counted = variables.iter_mut().find(|(known, _)| known == count);
            let value = match counted {
                None => name(count),
                Some((_, Expr { kind: ExprKind::Name(known), .. })) => name(&known.text),
                // The value is used twice and evaluated once.
                Some((_, value)) => {
                    sets.push((COUNTED, std::mem::replace(value, name(&COUNTED.into()))));
                    name(&COUNTED.into())
                }
            };
            function.insert(0, 'n');
            positional.extend([text(many), value]);
        }
        let arguments = Arguments { positional, ..Arguments::default() };
        let mut output = expr(ExprKind::Call(Box::new(name(&function.into())), Box::new(arguments)));
        if !variables.is_empty() {
            let entries = variables.into_iter().map(|(variable, value)| (constant(&variable), value)).collect();
            let values = expr(ExprKind::Dict(entries));
            output = expr(ExprKind::Arithmetic(Operator::Modulo, Box::new(output), Box::new(values)));
        }
        let output = NodeKind::Output(output);
        if sets.is_empty() {
            return Ok(output);
        }
        let sets = sets
            .into_iter()
            .map(|(name, value)| NodeKind::Set { target: Target::Name(Arc::<str>::from(name).into()), value });
        let nodes = sets.chain([output]).map(|kind| Node { span: place, kind });
        // An `if` without branches groups several statements into one.
        Ok(NodeKind::If { branches: Vec::new(), otherwise: nodes.collect() })
    }

    /// Parses the message up to `endtrans` or `pluralize`, as a format for `%`.
    fn message(&mut self, may_pluralize: bool) -> Result<Message> {
        let mut message = Message { text: String::new(), names: Vec::new() };
        loop {
            match self.peek() {
                Some(Token::Data(text)) => {
                    self.at += 1;
                    message.text.push_str(&text.replace('%', "%%"));
                }
                Some(Token::VariableStart) => {
                    self.at += 1;
                    let name = self.expect_name()?;
                    message.text.push_str(&format!("%({name})s"));
                    message.names.push(name);
                    self.expect_token(&Token::VariableEnd)?;
                }
                Some(Token::BlockStart) => {
                    self.at += 1;
                    let name = match self.peek() {
                        Some(Token::Name(name)) => &**name,
                        _ => "None",
                    };
                    let error = match name {
                        "endtrans" => return Ok(message),
                        "pluralize" if may_pluralize => return Ok(message),
                        "pluralize" => "a translatable section can have only one pluralize section".into(),
                        "trans" => "trans blocks can't be nested; did you mean `endtrans`?".into(),
                        name => format!("control structures in translatable sections are not allowed; saw `{name}`"),
                    };
                    return Err(SyntaxError::new(error, self.peek_span()));
                }
                _ => return Err(SyntaxError::new("unclosed translation block", self.peek_span())),
            }
        }
    }
}

/// Replaces each line end, and the blanks around it, by one space.
fn on_one_line(text: &str) -> String {
    // Lines that are blank belong to the end of the line before them.
    let lines = text.trim().split('\n').map(str::trim);
    let mut out = String::with_capacity(text.len());
    for (at, line) in lines.filter(|line| !line.is_empty()).enumerate() {
        out.push_str(if at > 0 { " " } else { "" });
        out.push_str(line);
    }
    out
}
