//! Patterns of `in`. => The patterns of `case ... in`.

use ruby_prism::{Node as Prism, NodeList};

use super::lower::{Lowered, Lowering, kinds};
use crate::ast::{HashRest, Local, Pattern};

impl Lowering<'_> {
    fn patterns(&mut self, list: &NodeList<'_>) -> Lowered<Box<[Pattern]>> {
        list.iter().map(|node| self.pattern(&node)).collect::<Lowered<Vec<_>>>().map(Into::into)
    }

    fn splat(&mut self, node: Option<Prism<'_>>) -> Option<Local> {
        let inner = node?.as_splat_node()?.expression()?;
        let target = inner.as_local_variable_target_node()?;
        Some(self.local(target.name().as_slice(), target.depth()))
    }

    pub(super) fn pattern(&mut self, node: &Prism<'_>) -> Lowered<Pattern> {
        Ok(kinds!(node,
            LocalVariableTargetNode as_local_variable_target_node n =>
                Pattern::Bind(self.local(n.name().as_slice(), n.depth())),
            AlternationPatternNode as_alternation_pattern_node n => {
                Pattern::Alternatives(Box::new(self.pattern(&n.left())?), Box::new(self.pattern(&n.right())?))
            },
            CapturePatternNode as_capture_pattern_node n => {
                let pattern = self.pattern(&n.value())?;
                let target = n.target();
                Pattern::Capture(Box::new(pattern), self.local(target.name().as_slice(), target.depth()))
            },
            ArrayPatternNode as_array_pattern_node n => {
                let constant = n.constant().map(|node| self.boxed(&node)).transpose()?;
                let before = self.patterns(&n.requireds())?;
                let rest = n.rest().map(|rest| self.splat(Some(rest)));
                Pattern::Array { constant, before, rest, after: self.patterns(&n.posts())? }
            },
            FindPatternNode as_find_pattern_node n => {
                let constant = n.constant().map(|node| self.boxed(&node)).transpose()?;
                let before = self.splat(Some(n.left().as_node()));
                let middle = self.patterns(&n.requireds())?;
                Pattern::Find { constant, before, middle, after: self.splat(Some(n.right().as_node())) }
            },
            HashPatternNode as_hash_pattern_node n => {
                let constant = n.constant().map(|node| self.boxed(&node)).transpose()?;
                let mut pairs = Vec::new();
                for element in &n.elements() {
                    if let Some(assoc) = element.as_assoc_node()
                        && let Some(key) = assoc.key().as_symbol_node()
                    {
                        let name = self.name(key.unescaped());
                        let value = assoc.value();
                        let pattern = match value.as_implicit_node() {
                            Some(implicit) => self.pattern(&implicit.value())?,
                            None => self.pattern(&value)?,
                        };
                        pairs.push((name, pattern));
                    }
                }
                let rest = match n.rest() {
                    None => HashRest::Any,
                    Some(rest) => {
                        let target = rest.as_assoc_splat_node().and_then(|splat| splat.value());
                        match (rest.as_no_keywords_parameter_node(), target.and_then(|node| node.as_local_variable_target_node())) {
                            (Some(_), _) => HashRest::None,
                            (None, Some(target)) => HashRest::Bind(self.local(target.name().as_slice(), target.depth())),
                            (None, None) => HashRest::Any,
                        }
                    }
                };
                Pattern::Hash { constant, pairs: pairs.into(), rest }
            },
            ParenthesesNode as_parentheses_node n => match n.body() {
                Some(Prism::StatementsNode { .. }) | None => {
                    let only = n.body().and_then(|body| body.as_statements_node()).and_then(|list| list.body().first());
                    match only {
                        Some(only) => self.pattern(&only)?,
                        None => Pattern::Value(self.expr(node)?),
                    }
                },
                Some(body) => self.pattern(&body)?,
            },
            PinnedVariableNode as_pinned_variable_node n => Pattern::Value(self.expr(&n.variable())?),
            PinnedExpressionNode as_pinned_expression_node n => Pattern::Value(self.expr(&n.expression())?),
            IfNode as_if_node n => self.guarded(n.statements(), &n.predicate(), true)?,
            UnlessNode as_unless_node n => self.guarded(n.statements(), &n.predicate(), false)?,
            SplatNode as_splat_node _ => Pattern::Array {
                constant: None, before: Box::new([]), rest: Some(self.splat(Some(node_again(node)))), after: Box::new([]),
            },
            _ => Pattern::Value(self.expr(node)?)
        ))
    }

    fn guarded(
        &mut self,
        statements: Option<ruby_prism::StatementsNode<'_>>,
        condition: &Prism<'_>,
        holds: bool,
    ) -> Lowered<Pattern> {
        let pattern = match statements.and_then(|statements| statements.body().first()) {
            Some(node) => self.pattern(&node)?,
            None => Pattern::Ignore,
        };
        Ok(Pattern::Guarded(Box::new(pattern), Box::new(self.expr(condition)?), holds))
    }
}

/// Returns an owned copy of a syntax node.
fn node_again<'pr>(node: &Prism<'pr>) -> Prism<'pr> {
    match node.as_splat_node() {
        Some(splat) => splat.as_node(),
        // Called for splats only.
        None => unreachable!("a splat was matched"),
    }
}
