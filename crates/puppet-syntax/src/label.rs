//! The names of syntax nodes in messages.
//!
//! The names are those of the reference, capitals included: `'[]' expression`, `Host Class Definition`.

use std::borrow::Cow;

use hieratic_value::text::{article, capitalized};
use hieratic_value::{Rich, Value};

use crate::ast::{Expr, Node};

/// Returns the name of a node.
pub fn for_expr(expr: &Expr) -> Cow<'static, str> {
    let operator = |symbol: &str| Cow::Owned(format!("'{symbol}' expression"));
    Cow::Borrowed(match &expr.node {
        Node::Nop => "Nop Expression",
        Node::Literal(value) => return literal(value),
        Node::Integer { .. } => "Literal Integer",
        Node::Regexp(_) => "Regular Expression",
        Node::Name(_) => "Name",
        Node::Reference(_) => "Type-Name",
        Node::Reserved { word, .. } => return Cow::Owned(format!("Reserved Word '{word}'")),
        Node::Variable(_) => "Variable",
        Node::Concatenated(_) => "Double Quoted String",
        Node::Text(_) => "Expression in Interpolated String",
        Node::Heredoc { syntax, .. } => {
            return Cow::Owned(format!("'@({})' expression", syntax.as_deref().unwrap_or_default()));
        }
        Node::List(_) => "Array Expression",
        Node::Hash(_) => "Hash Expression",
        Node::Parenthesized(_) => "Parenthesized Expression",
        Node::Not(_) => "'not' expression",
        Node::Minus(_) => "Unary Minus",
        Node::Unfold(_) => "Unfold",
        Node::Arithmetic(one, ..) => return operator(one.symbol()),
        Node::Comparison(one, ..) => return operator(one.symbol()),
        Node::Match { negated, .. } => return operator(if *negated { "!~" } else { "=~" }),
        Node::In(..) => "'in' expression",
        Node::And(..) => "'and' expression",
        Node::Or(..) => "'or' expression",
        Node::Assign(one, ..) => return operator(one.symbol()),
        Node::Relationship(one, ..) => return operator(one.symbol()),
        Node::Access { .. } => "'[]' expression",
        Node::NamedAccess(..) => "'.' expression",
        Node::Call(_) => "Function Call",
        Node::Method(_) => "Method call",
        Node::Block(_) => "Block Expression",
        Node::If(_) => "'if' statement",
        Node::Unless(_) => "'unless' Statement",
        Node::Case(_) => "'case' statement",
        Node::Selector(..) => "Selector Expression",
        Node::Lambda(_) => "Lambda",
        Node::Function(_) => "Function Definition",
        Node::Plan(_) => "Plan Definition",
        Node::Apply { .. } => "'apply' expression",
        Node::Class(_) => "Host Class Definition",
        Node::Define(_) => "'define' expression",
        Node::NodeDefinition(_) => "Node Definition",
        Node::TypeAlias(_) => "Type Alias",
        Node::TypeMapping { .. } => "Type Mapping",
        Node::TypeDefinition(_) => "Type Definition",
        Node::Resource(_) => "Resource Statement",
        Node::ResourceDefaults(_) => "Resource Defaults Expression",
        Node::ResourceOverride(_) => "Resource Override",
        Node::Collect(collect) if collect.exported => "Exported Query",
        Node::Collect(_) => "Virtual Query",
        Node::Epp(_) => "Epp Template",
        Node::RenderString(_) => "Epp Text",
        Node::Render(_) => "Epp Interpolated Expression",
    })
}

fn literal(literal: &Value) -> Cow<'static, str> {
    Cow::Borrowed(match literal {
        Value::Undef => "'undef' expression",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) => "Literal Integer",
        Value::Float(_) => "Literal Float",
        Value::String(_) => "String",
        Value::Rich(rich) if matches!(**rich, Rich::Default) => "'default' expression",
        // No literal is anything else.
        Value::Array(_) | Value::Hash(_) | Value::Rich(_) => "Literal",
    })
}

/// Returns the name of a node with its article: `an Array Expression`.
pub fn with_article(expr: &Expr) -> String {
    let label = for_expr(expr);
    format!("{} {label}", article(&label))
}

/// Returns the name of a node with its article, for the start of a sentence: `An Array Expression`.
pub fn with_article_capitalized(expr: &Expr) -> String {
    capitalized(with_article(expr))
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::Source;

    use super::*;

    #[test]
    fn nodes_are_called_by_their_operators_and_words() {
        for (code, expected) in [
            ("$a =~ b", "A '=~' expression"),
            ("$a !~ b", "A '!~' expression"),
            ("a[1]", "A '[]' expression"),
            ("a in b", "An 'in' expression"),
            ("!a", "A 'not' expression"),
            ("if a {}", "An 'if' statement"),
            ("unless a {}", "An 'unless' Statement"),
            ("undef", "An 'undef' expression"),
            ("default", "A 'default' expression"),
            ("1", "A Literal Integer"),
            ("1.5", "A Literal Float"),
            ("File <<| |>>", "An Exported Query"),
            ("private", "A Reserved Word 'private'"),
            ("@(X:json)\n1\n| X\n", "A '@(json)' expression"),
            ("@(X)\n1\n| X\n", "A '@()' expression"),
        ] {
            let program = crate::parse(&Source::new("", code), &Default::default()).program;
            assert_eq!(program.map(|program| with_article_capitalized(&program.body)).as_deref(), Some(expected));
        }
    }
}
