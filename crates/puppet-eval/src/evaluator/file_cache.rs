//! [`FileTransform`]: the transform of a file's content for `cached_file_data`.
//!
//! In Puppet, the result of the first block is shared by all callers. Nodes that are evaluated in sequence must
//! not share a result that depends on the node, so it matters which variables a block can see.

use std::sync::Arc;

use hieratic_puppet_functions::Block;
use hieratic_puppet_syntax::ast::{Expr, Lambda, Node, Parameter, Variable};
use hieratic_puppet_syntax::visit::{self, Visitor};

use super::block::Closure;

/// The transform that computes data from a file's content.
#[derive(Clone, Debug)]
pub enum FileTransform {
    /// No transform: the data is the content.
    Nothing,
    /// A block that only sees the content: its result is the same for every node.
    Block(Arc<Lambda>),
    /// A block that may see variables of the call.
    Unknown,
}

impl FileTransform {
    pub(crate) fn from_block(block: Option<&Block>) -> FileTransform {
        let Some(block) = block else { return FileTransform::Nothing };
        match block.0.as_any().downcast_ref::<Closure>() {
            Some(closure) if sees_only_arguments(&closure.lambda) => FileTransform::Block(closure.lambda.clone()),
            _ => FileTransform::Unknown,
        }
    }

    /// Returns whether both compute the same data from a file.
    pub fn is(&self, other: &FileTransform) -> bool {
        match (self, other) {
            (FileTransform::Nothing, FileTransform::Nothing) => true,
            (FileTransform::Block(one), FileTransform::Block(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// Functions whose results depend only on their arguments and blocks.
const PLAIN: [&str; 24] = [
    "all",
    "any",
    "chomp",
    "dig",
    "each",
    "empty",
    "filter",
    "flatten",
    "keys",
    "length",
    "map",
    "match",
    "merge",
    "parsehocon",
    "parsejson",
    "parsetoml",
    "parsexml",
    "parseyaml",
    "reduce",
    "regsubst",
    "split",
    "strip",
    "then",
    "values",
];

/// Types of parameters that are not aliases.
const TYPES: [&str; 5] = ["Any", "Array", "Data", "Hash", "String"];

/// Returns whether the result of a block depends on its arguments only. Unknown constructs count as dependent.
fn sees_only_arguments(lambda: &Lambda) -> bool {
    let mut sight = DependencyVisitor { names: Vec::new(), sees_more: false };
    sight.lambda(lambda);
    !sight.sees_more
}

/// Visits the parts of a block to find what they can see.
struct DependencyVisitor<'t> {
    /// The parameters of the blocks around a part.
    names: Vec<&'t str>,
    sees_more: bool,
}

impl<'t> Visitor<'t> for DependencyVisitor<'t> {
    fn expression(&mut self, expr: &'t Expr) {
        let is_plain = match &expr.node {
            Node::Variable(Variable::Local(name)) => self.names.contains(&&**name),
            Node::Call(call) => matches!(&call.functor.node, Node::Name(name) if PLAIN.contains(&&**name)),
            Node::Method(method) => PLAIN.contains(&&*method.name),
            Node::Reference(name) => TYPES.contains(&&**name),
            Node::Nop
            | Node::Literal(_)
            | Node::Integer { .. }
            | Node::Regexp(_)
            | Node::Name(_)
            | Node::Concatenated(_)
            | Node::Text(_)
            | Node::List(_)
            | Node::Hash(_)
            | Node::Parenthesized(_)
            | Node::Not(_)
            | Node::Minus(_)
            | Node::Arithmetic(..)
            | Node::Comparison(..)
            | Node::In(..)
            | Node::And(..)
            | Node::Or(..)
            | Node::Access { .. }
            | Node::Block(_)
            | Node::If(_)
            | Node::Unless(_)
            | Node::Case(_)
            | Node::Selector(..) => true,
            // Matches set variables, and statements have side effects.
            _ => false,
        };
        self.sees_more |= !is_plain;
        if !self.sees_more {
            visit::children(self, expr);
        }
    }

    fn lambda(&mut self, lambda: &'t Lambda) {
        let outer = self.names.len();
        visit::lambda(self, lambda);
        self.names.truncate(outer);
    }

    fn parameter(&mut self, parameter: &'t Parameter) {
        visit::parameter(self, parameter);
        self.names.push(&parameter.name);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn lambda(code: &str) -> Arc<Lambda> {
        let code = format!("$data = f('x') {code}");
        let source = hieratic_diagnostics::Source::new("test.pp", code);
        let program = hieratic_puppet_syntax::parse(&source, &Default::default()).program.unwrap();
        let mut found = FirstLambda(None);
        found.expression(&program.body);
        found.0.unwrap()
    }

    /// The first block.
    struct FirstLambda(Option<Arc<Lambda>>);

    impl<'t> Visitor<'t> for FirstLambda {
        fn expression(&mut self, expr: &'t Expr) {
            if let (None, Node::Call(call)) = (&self.0, &expr.node) {
                self.0 = call.lambda.clone();
            }
            visit::children(self, expr);
        }
    }

    #[test]
    fn blocks_that_only_read_see_only_their_arguments() {
        for code in [
            "|$text| { parseyaml($text) }",
            "|String[1] $text| { $text }",
            "|$text| { $text.parseyaml['a'].map |$key, $value| { \"${key}: ${value}\" } }",
            "|$text| { if $text.empty { {} } else { parsejson($text, {}) } }",
        ] {
            assert!(sees_only_arguments(&lambda(code)), "{code}");
        }
        for code in [
            "|$text| { \"${text}${key}\" }",
            "|$text| { parseyaml($text) + $options }",
            "|$text| { parseyaml($text)[$facts['os']] }",
            "|$text| { $text.split(',').map |$key| { $key } + [$key] }",
            "|$text| { getvar('key') }",
            "|$text| { $text.getvar('x') }",
            "|$text| { own::function($text) }",
            "|$text| { $key = 1; $key }",
            "|$text = $key| { $text }",
            "|$text| { $text =~ /(x)/ }",
            "|$text| { $1 }",
            "|Own::Type $text| { $text }",
        ] {
            assert!(!sees_only_arguments(&lambda(code)), "{code}");
        }
    }
}
