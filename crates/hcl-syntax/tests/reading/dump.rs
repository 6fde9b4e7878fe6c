//! Trees as text: every node with its spans, as the program that asks the reference writes them.

use std::fmt::Write;

use hieratic_hcl_syntax::ast::{ForExpression, ScopeTraversal, Step};
use hieratic_hcl_syntax::json::Node;
use hieratic_hcl_syntax::{Body, Expression, Span};
use hieratic_hcl_types::Value;

/// A body.
pub fn body(body: &Body) -> String {
    let mut out = String::new();
    write_body(&mut out, body);
    out
}

/// An expression.
pub fn expression(node: &Expression) -> String {
    let mut out = String::new();
    write_expression(&mut out, node);
    out
}

/// A reference.
pub fn traversal(traversal: &ScopeTraversal) -> String {
    let mut out = String::from("(");
    write_scope(&mut out, traversal);
    out + ")"
}

/// A value of JSON.
pub fn json(node: &Node) -> String {
    let mut out = String::new();
    write_json(&mut out, node);
    out
}

fn at(out: &mut String, span: Span) {
    let _ = write!(out, "@{}-{}", span.start, span.end);
}

fn text(out: &mut String, text: &str) {
    for byte in text.bytes() {
        let _ = write!(out, "{byte:02x}");
    }
}

/// Text as it is once it is a value.
fn normalised(out: &mut String, string: &str) {
    text(out, Value::string(string).as_str().unwrap_or_default());
}

fn value(out: &mut String, value: &Value) {
    match value {
        Value::Null(_) => out.push_str("null"),
        Value::Bool(value) => drop(write!(out, "{value}")),
        Value::Number(number) => drop(write!(out, "{number}")),
        Value::String(value) => {
            out.push('s');
            text(out, value);
        }
        _ => out.push_str("unknown"),
    }
}

fn write_scope(out: &mut String, traversal: &ScopeTraversal) {
    let _ = write!(out, " (root {} ", traversal.root);
    at(out, traversal.root_span);
    out.push(')');
    steps(out, &traversal.steps);
}

fn steps(out: &mut String, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Attribute { name, .. } => drop(write!(out, " (attr {name} ")),
            Step::Index { key, .. } => {
                out.push_str(" (key ");
                value(out, key);
                out.push(' ');
            }
        }
        at(out, step.span());
        out.push(')');
    }
}

fn child(out: &mut String, node: &Expression) {
    out.push(' ');
    write_expression(out, node);
}

fn optional(out: &mut String, node: Option<&Expression>) {
    match node {
        Some(node) => child(out, node),
        None => out.push_str(" -"),
    }
}

fn write_expression(out: &mut String, node: &Expression) {
    out.push('(');
    match node {
        Expression::Literal(literal) => {
            out.push_str("lit ");
            value(out, &literal.value);
        }
        Expression::Template(template) => {
            out.push_str("tmpl");
            template.parts.iter().for_each(|part| child(out, part));
        }
        Expression::TemplateWrap(wrap) => {
            out.push_str("wrap");
            child(out, &wrap.wrapped);
        }
        Expression::TemplateJoin(join) => {
            out.push_str("join ");
            write_for(out, node, join);
        }
        Expression::ScopeTraversal(traversal) => {
            out.push_str("scope");
            write_scope(out, traversal);
        }
        Expression::RelativeTraversal(traversal) => {
            out.push_str("rel");
            child(out, &traversal.source);
            steps(out, &traversal.steps);
        }
        Expression::FunctionCall(call) => {
            let _ = write!(out, "call {} {} ", call.name, call.expand_final);
            [call.name_span, call.open_span, call.close_span].into_iter().for_each(|span| at(out, span));
            call.arguments.iter().for_each(|argument| child(out, argument));
        }
        Expression::Conditional(conditional) => {
            out.push_str("cond");
            [&conditional.condition, &conditional.true_result, &conditional.false_result]
                .into_iter()
                .for_each(|part| child(out, part));
        }
        Expression::Binary(operation) => {
            let _ = write!(out, "bin {}", operation.operator.symbol());
            child(out, &operation.left);
            child(out, &operation.right);
        }
        Expression::Unary(operation) => {
            let _ = write!(out, "un {:?}", operation.operator);
            child(out, &operation.operand);
            at(out, operation.symbol_span);
        }
        Expression::Parentheses(parentheses) => {
            out.push_str("paren");
            child(out, &parentheses.expression);
        }
        Expression::Tuple(tuple) => {
            out.push_str("tuple");
            tuple.items.iter().for_each(|item| child(out, item));
            at(out, tuple.open_span());
        }
        Expression::Object(object) => {
            out.push_str("object");
            for item in &object.items {
                let name = item.key.literal_name().unwrap_or("-");
                let _ = write!(out, " (item {} {name}", item.key.force_non_literal);
                child(out, &item.key.expression);
                child(out, &item.value);
                out.push(')');
            }
            at(out, object.open_span());
        }
        Expression::For(expression) => {
            out.pop();
            write_for(out, node, expression);
            return;
        }
        Expression::Index(index) => {
            out.push_str("index");
            child(out, &index.collection);
            child(out, &index.key);
            at(out, index.open_span());
            at(out, index.bracket_span);
        }
        Expression::Splat(splat) => {
            out.push_str("splat");
            child(out, &splat.source);
            child(out, &splat.each);
            at(out, splat.item_span);
            at(out, splat.marker_span);
        }
        Expression::Anonymous(_) => out.push_str("anon"),
        Expression::Error(_) => out.push_str("error"),
    }
    tail(out, node);
}

fn tail(out: &mut String, node: &Expression) {
    out.push(' ');
    at(out, node.span());
    at(out, node.start_span());
    out.push(')');
}

fn write_for(out: &mut String, node: &Expression, expression: &ForExpression) {
    let key = expression.key_variable.as_deref().unwrap_or("-");
    let _ = write!(out, "(for {key} {}", expression.value_variable);
    child(out, &expression.collection);
    optional(out, expression.key.as_ref());
    child(out, &expression.value);
    optional(out, expression.condition.as_ref());
    let _ = write!(out, " {}", expression.group);
    at(out, expression.open_span);
    at(out, expression.close_span);
    tail(out, node);
}

fn write_body(out: &mut String, body: &Body) {
    out.push_str("(body");
    for attribute in body.attributes() {
        let _ = write!(out, " (set {}", attribute.name);
        child(out, &attribute.expression);
        out.push(' ');
        [attribute.span, attribute.name_span, attribute.equals_span].into_iter().for_each(|span| at(out, span));
        out.push(')');
    }
    for block in &body.blocks {
        let _ = write!(out, " (block {} ", block.kind);
        at(out, block.kind_span);
        for label in &block.labels {
            out.push_str(" (label ");
            text(out, &label.text);
            out.push(' ');
            at(out, label.span);
            out.push(')');
        }
        out.push(' ');
        [block.open_span, block.close_span, block.header_span()].into_iter().for_each(|span| at(out, span));
        out.push(' ');
        write_body(out, &block.body);
        out.push(')');
    }
    out.push(' ');
    at(out, body.span);
    at(out, body.end_span);
    out.push(')');
}

fn write_json(out: &mut String, node: &Node) {
    out.push('(');
    match node {
        Node::Object(object) => {
            out.push_str("object");
            for property in &object.properties {
                out.push_str(" (prop ");
                normalised(out, &property.name);
                out.push(' ');
                at(out, property.name_span);
                out.push(' ');
                write_json(out, &property.value);
                out.push(')');
            }
        }
        Node::Array(array) => {
            out.push_str("array");
            for item in &array.items {
                out.push(' ');
                write_json(out, item);
            }
        }
        Node::Bool { value, .. } => drop(write!(out, "{value}")),
        Node::Number { value, .. } => drop(write!(out, "{value}")),
        Node::String { value, .. } => {
            out.push('s');
            normalised(out, value);
        }
        Node::Null(_) => out.push_str("null"),
        Node::Invalid(_) => out.push_str("unknown"),
    }
    out.push(' ');
    at(out, node.span());
    at(out, node.start_span());
    out.push(')');
}
