//! Assignments and their targets.

use ruby_prism::{ConstantId, Node as Prism, NodeList};

use super::lower::{Lowered, Lowering, kinds};
use crate::ast::{Expr, Node, OpAssign, Operator, Target, Targets};
use crate::symbol::Symbol;

impl Lowering<'_> {
    fn op(&mut self, target: Target, operator: Operator, value: &Prism<'_>) -> Lowered<Node> {
        Ok(Node::OpAssign(Box::new(OpAssign { target, operator, value: self.expr(value)? })))
    }

    fn method(&mut self, operator: &ConstantId<'_>) -> Operator {
        Operator::Method(self.name(operator.as_slice()))
    }

    fn path(&mut self, node: &ruby_prism::ConstantPathNode<'_>, line: u32) -> Lowered<(Option<Expr>, Symbol)> {
        let parent = match node.parent() {
            Some(parent) => self.expr(&parent)?,
            None => Expr { line, node: Node::Const(crate::symbol::known::OBJECT) },
        };
        let name = node.name().map(|name| self.name(name.as_slice()));
        Ok((Some(parent), name.ok_or_else(|| self.error("a constant was expected", line))?))
    }

    pub(super) fn assignment(&mut self, node: &Prism<'_>, line: u32) -> Lowered<Option<Node>> {
        macro_rules! named {
            ($n:expr, $variant:ident) => {
                Target::$variant(self.name($n.name().as_slice()))
            };
        }
        macro_rules! local {
            ($n:expr) => {
                Target::Local(self.local($n.name().as_slice(), $n.depth()))
            };
        }
        macro_rules! constant {
            ($n:expr) => {
                Target::Const(None, self.name($n.name().as_slice()))
            };
        }
        macro_rules! attribute {
            ($n:expr) => {{
                let private = matches!($n.receiver(), None | Some(Prism::SelfNode { .. }));
                let receiver = match $n.receiver() {
                    Some(receiver) => self.expr(&receiver)?,
                    None => Expr { line, node: Node::SelfRef },
                };
                let name = self.name($n.read_name().as_slice());
                Target::Attribute { receiver, name, safe: $n.is_safe_navigation(), private }
            }};
        }
        macro_rules! index {
            ($n:expr) => {{
                let receiver = match $n.receiver() {
                    Some(receiver) => self.expr(&receiver)?,
                    None => Expr { line, node: Node::SelfRef },
                };
                Target::Index { receiver, arguments: self.arguments($n.arguments())? }
            }};
        }
        macro_rules! op {
            ($target:expr, $operator:expr, $n:expr) => {{
                let (target, operator) = ($target, $operator);
                self.op(target, operator, &$n.value())?
            }};
        }
        Ok(Some(kinds!(node,
            LocalVariableWriteNode as_local_variable_write_node n => {
                let local = self.local(n.name().as_slice(), n.depth());
                Node::LocalSet(local, self.boxed(&n.value())?)
            },
            InstanceVariableWriteNode as_instance_variable_write_node n =>
                Node::IVarSet(self.name(n.name().as_slice()), self.boxed(&n.value())?),
            GlobalVariableWriteNode as_global_variable_write_node n =>
                Node::GVarSet(self.name(n.name().as_slice()), self.boxed(&n.value())?),
            ClassVariableWriteNode as_class_variable_write_node n =>
                Node::CVarSet(self.name(n.name().as_slice()), self.boxed(&n.value())?),
            ConstantWriteNode as_constant_write_node n => {
                let target = constant!(n);
                Node::Assign(Box::new(target), self.boxed(&n.value())?)
            },
            ConstantPathWriteNode as_constant_path_write_node n => {
                let (parent, name) = self.path(&n.target(), line)?;
                Node::Assign(Box::new(Target::Const(parent, name)), self.boxed(&n.value())?)
            },
            MultiWriteNode as_multi_write_node n => {
                let targets = self.targets(&n.lefts(), n.rest(), &n.rights())?;
                Node::MultiAssign(Box::new(targets), self.boxed(&n.value())?)
            },
            LocalVariableOrWriteNode as_local_variable_or_write_node n => op!(local!(n), Operator::Or, n),
            LocalVariableAndWriteNode as_local_variable_and_write_node n => op!(local!(n), Operator::And, n),
            LocalVariableOperatorWriteNode as_local_variable_operator_write_node n =>
                op!(local!(n), self.method(&n.binary_operator()), n),
            InstanceVariableOrWriteNode as_instance_variable_or_write_node n => op!(named!(n, IVar), Operator::Or, n),
            InstanceVariableAndWriteNode as_instance_variable_and_write_node n => op!(named!(n, IVar), Operator::And, n),
            InstanceVariableOperatorWriteNode as_instance_variable_operator_write_node n =>
                op!(named!(n, IVar), self.method(&n.binary_operator()), n),
            GlobalVariableOrWriteNode as_global_variable_or_write_node n => op!(named!(n, GVar), Operator::Or, n),
            GlobalVariableAndWriteNode as_global_variable_and_write_node n => op!(named!(n, GVar), Operator::And, n),
            GlobalVariableOperatorWriteNode as_global_variable_operator_write_node n =>
                op!(named!(n, GVar), self.method(&n.binary_operator()), n),
            ClassVariableOrWriteNode as_class_variable_or_write_node n => op!(named!(n, CVar), Operator::Or, n),
            ClassVariableAndWriteNode as_class_variable_and_write_node n => op!(named!(n, CVar), Operator::And, n),
            ClassVariableOperatorWriteNode as_class_variable_operator_write_node n =>
                op!(named!(n, CVar), self.method(&n.binary_operator()), n),
            ConstantOrWriteNode as_constant_or_write_node n => op!(constant!(n), Operator::Or, n),
            ConstantAndWriteNode as_constant_and_write_node n => op!(constant!(n), Operator::And, n),
            ConstantOperatorWriteNode as_constant_operator_write_node n =>
                op!(constant!(n), self.method(&n.binary_operator()), n),
            CallOrWriteNode as_call_or_write_node n => op!(attribute!(n), Operator::Or, n),
            CallAndWriteNode as_call_and_write_node n => op!(attribute!(n), Operator::And, n),
            CallOperatorWriteNode as_call_operator_write_node n =>
                op!(attribute!(n), self.method(&n.binary_operator()), n),
            IndexOrWriteNode as_index_or_write_node n => op!(index!(n), Operator::Or, n),
            IndexAndWriteNode as_index_and_write_node n => op!(index!(n), Operator::And, n),
            IndexOperatorWriteNode as_index_operator_write_node n =>
                op!(index!(n), self.method(&n.binary_operator()), n),
            _ => return Ok(None)
        )))
    }

    pub(super) fn targets(
        &mut self,
        lefts: &NodeList<'_>,
        rest: Option<Prism<'_>>,
        rights: &NodeList<'_>,
    ) -> Lowered<Targets> {
        let before: Lowered<Vec<_>> = lefts.iter().map(|node| self.target(&node)).collect();
        let rest = match rest {
            None => None,
            Some(Prism::ImplicitRestNode { .. }) => Some(None),
            Some(node) => {
                let inner = node.as_splat_node().and_then(|splat| splat.expression());
                Some(inner.map(|node| self.target(&node)).transpose()?)
            }
        };
        let after: Lowered<Vec<_>> = rights.iter().map(|node| self.target(&node)).collect();
        Ok(Targets { before: before?.into(), rest, after: after?.into() })
    }

    pub(super) fn target(&mut self, node: &Prism<'_>) -> Lowered<Target> {
        let line = self.line(node);
        Ok(kinds!(node,
            LocalVariableTargetNode as_local_variable_target_node n =>
                Target::Local(self.local(n.name().as_slice(), n.depth())),
            RequiredParameterNode as_required_parameter_node n => Target::Local(self.local(n.name().as_slice(), 0)),
            InstanceVariableTargetNode as_instance_variable_target_node n => Target::IVar(self.name(n.name().as_slice())),
            GlobalVariableTargetNode as_global_variable_target_node n => Target::GVar(self.name(n.name().as_slice())),
            ClassVariableTargetNode as_class_variable_target_node n => Target::CVar(self.name(n.name().as_slice())),
            ConstantTargetNode as_constant_target_node n => Target::Const(None, self.name(n.name().as_slice())),
            CallTargetNode as_call_target_node n => {
                let name = n.name().as_slice();
                let name = self.name(name.strip_suffix(b"=").unwrap_or(name));
                let private = matches!(n.receiver(), Prism::SelfNode { .. });
                Target::Attribute { receiver: self.expr(&n.receiver())?, name, safe: n.is_safe_navigation(), private }
            },
            IndexTargetNode as_index_target_node n => {
                Target::Index { receiver: self.expr(&n.receiver())?, arguments: self.arguments(n.arguments())? }
            },
            MultiTargetNode as_multi_target_node n => {
                Target::Multi(Box::new(self.targets(&n.lefts(), n.rest(), &n.rights())?))
            },
            SplatNode as_splat_node n => {
                let inner = n.expression().map(|node| self.target(&node)).transpose()?;
                Target::Multi(Box::new(Targets { before: Box::new([]), rest: Some(inner), after: Box::new([]) }))
            },
            _ => return Err(self.error("this cannot be assigned to", line))
        ))
    }
}
