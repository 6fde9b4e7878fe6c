//! Calls, blocks, `super` and `yield`.

use std::sync::Arc;

use ruby_prism::{ArgumentsNode, Node as Prism};

use super::jumps::{self, Jump};
use super::lower::{Lowered, Lowering, Scope, kinds};
use crate::ast::{Arguments, Block, BlockArgument, Body, Call, Expr, Local, Node, Pair, Parameter, Parameters};
use crate::symbol::{Symbol, known};

/// The arguments that `super` without an argument list passes on: the slots of the method's parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct SuperArguments {
    before: Vec<u32>,
    rest: Option<u32>,
    after: Vec<u32>,
    keywords: Vec<(Symbol, u32)>,
    keyword_rest: Option<u32>,
}

impl SuperArguments {
    pub fn from_parameters(parameters: &Parameters) -> SuperArguments {
        let slots = |list: &[Parameter]| {
            let slots = list.iter().filter_map(|one| if let Parameter::Slot(slot) = one { Some(*slot) } else { None });
            slots.collect::<Vec<_>>()
        };
        let mut before = slots(&parameters.required);
        before.extend(parameters.optional.iter().map(|(slot, _)| *slot));
        SuperArguments {
            before,
            rest: parameters.rest,
            after: slots(&parameters.post),
            keywords: parameters.keywords.iter().map(|(name, slot, _)| (*name, *slot)).collect(),
            keyword_rest: parameters.keyword_rest,
        }
    }
}

impl Lowering<'_> {
    pub(super) fn arguments(&mut self, node: Option<ArgumentsNode<'_>>) -> Lowered<Arguments> {
        let Some(node) = node else { return Ok(Arguments::default()) };
        let mut list = Vec::new();
        let mut keywords: Vec<Pair> = Vec::new();
        let mut splat = false;
        for argument in &node.arguments() {
            let line = self.line(&argument);
            if let Some(hash) = argument.as_keyword_hash_node() {
                keywords.extend(self.pairs(&hash.elements())?);
            } else if let Some(one) = argument.as_splat_node() {
                splat = true;
                let value = match one.expression() {
                    Some(value) => self.expr(&value)?,
                    None => self.anonymous("*", line)?,
                };
                list.push(Expr { line, node: Node::Splat(Some(Box::new(value))) });
            } else if argument.as_forwarding_arguments_node().is_some() {
                splat = true;
                let rest = self.anonymous("*", line)?;
                list.push(Expr { line, node: Node::Splat(Some(Box::new(rest))) });
                keywords.push(Pair::Splat(self.anonymous("**", line)?));
            } else {
                list.push(self.expr(&argument)?);
            }
        }
        Ok(Arguments { list: list.into(), keywords: keywords.into(), splat })
    }

    pub(super) fn block_argument(
        &mut self,
        node: Option<Prism<'_>>,
        arguments: Option<&ArgumentsNode<'_>>,
    ) -> Lowered<BlockArgument> {
        let Some(node) = node else {
            let forwards = arguments.is_some_and(ArgumentsNode::is_contains_forwarding);
            return if forwards { Ok(BlockArgument::Pass(self.anonymous("&", 0)?)) } else { Ok(BlockArgument::None) };
        };
        let line = self.line(&node);
        if let Some(block) = node.as_block_node() {
            return Ok(BlockArgument::Literal(self.block(
                block.parameters(),
                &block.locals(),
                block.body(),
                line,
                false,
            )?));
        }
        match node.as_block_argument_node().and_then(|node| node.expression()) {
            Some(passed) => match self.expr(&passed)? {
                Expr { node: Node::Sym(name), .. } => Ok(BlockArgument::Symbol(name)),
                expr => Ok(BlockArgument::Pass(expr)),
            },
            None => Ok(BlockArgument::Pass(self.anonymous("&", line)?)),
        }
    }

    pub(super) fn block(
        &mut self,
        parameters: Option<Prism<'_>>,
        locals: &ruby_prism::ConstantList<'_>,
        body: Option<Prism<'_>>,
        line: u32,
        lambda: bool,
    ) -> Lowered<Arc<Block>> {
        self.scopes.push(Scope { block: true, ..Scope::default() });
        self.declare(locals);
        let (parameters, numbered) = self.block_parameters(parameters)?;
        let mut expr = jumps::without(self.optional(body, line)?, Jump::Next);
        if lambda {
            expr = jumps::without(expr, Jump::Return);
        }
        let body = self.close(expr);
        Ok(Arc::new(Block { parameters, body, line, file: self.file.clone(), lambda, numbered }))
    }

    pub(super) fn any_call(&mut self, node: &Prism<'_>, line: u32) -> Lowered<Option<Node>> {
        Ok(Some(kinds!(node,
            CallNode as_call_node n => self.call(&n)?,
            SuperNode as_super_node n => {
                let arguments = n.arguments();
                let block = self.block_argument(n.block(), arguments.as_ref())?;
                let arguments = self.arguments(arguments)?;
                Node::Super(Box::new(plain(None, known::INITIALIZE, arguments, block)))
            },
            ForwardingSuperNode as_forwarding_super_node n => {
                let block = self.block_argument(n.block().map(|block| block.as_node()), None)?;
                let arguments = self.passed_on(line);
                Node::Super(Box::new(plain(None, known::INITIALIZE, arguments, block)))
            },
            YieldNode as_yield_node n => Node::Yield(self.arguments(n.arguments())?),
            LambdaNode as_lambda_node n => {
                Node::Lambda(self.block(n.parameters(), &n.locals(), n.body(), line, true)?)
            },
            MatchWriteNode as_match_write_node n => {
                let call = self.call(&n.call())?;
                let mut locals = Vec::new();
                for target in &n.targets() {
                    if let Some(target) = target.as_local_variable_target_node() {
                        let name: Arc<str> = String::from_utf8_lossy(target.name().as_slice()).into();
                        locals.push((name, self.local(target.name().as_slice(), target.depth())));
                    }
                }
                Node::MatchWrite(Box::new(Expr { line, node: call }), locals.into())
            },
            _ => return Ok(None)
        )))
    }

    fn call(&mut self, n: &ruby_prism::CallNode<'_>) -> Lowered<Node> {
        let name = self.name(n.name().as_slice());
        let arguments_node = n.arguments();
        if let (Some(receiver), b"<<", None) = (n.receiver(), n.name().as_slice(), n.block())
            && let Some(output) = self.template_output(&receiver)
            && let Some(list) = &arguments_node
            && let (Some(only), 1) = (list.arguments().first(), list.arguments().iter().count())
        {
            return Ok(Node::Append(output, self.boxed(&only)?));
        }
        let receiver = n.receiver().map(|node| self.expr(&node)).transpose()?;
        let block = if n.is_variable_call() && n.name().as_slice() == b"binding" {
            BlockArgument::Literal(self.visible_locals(self.line(&n.as_node())))
        } else {
            self.block_argument(n.block(), arguments_node.as_ref())?
        };
        let arguments = self.arguments(arguments_node)?;
        let receiver = match receiver {
            Some(receiver) if name == known::NOT && arguments.list.is_empty() => {
                return Ok(Node::Not(Box::new(receiver)));
            }
            other => other,
        };
        let private = n.is_ignore_visibility() || matches!(receiver, None | Some(Expr { node: Node::SelfRef, .. }));
        Ok(Node::Call(Box::new(Call {
            receiver,
            name,
            arguments,
            block,
            safe: n.is_safe_navigation(),
            variable: n.is_variable_call(),
            write: n.is_attribute_write(),
            private,
        })))
    }

    /// A block that returns the visible local variables as a hash, for `binding`.
    fn visible_locals(&mut self, line: u32) -> Arc<Block> {
        let mut pairs = Vec::new();
        let mut seen = Vec::new();
        for (depth, scope) in (1_u32..).zip(self.scopes.iter().rev()) {
            for (slot, name) in (0_u32..).zip(&scope.names) {
                // The nearest variable of a name is used; hidden ones have no names of Ruby.
                let is_named =
                    self.symbols.name(*name).starts_with(|letter: char| letter == '_' || letter.is_lowercase());
                if is_named && !seen.contains(name) {
                    seen.push(*name);
                    let key = Expr { line, node: Node::Sym(*name) };
                    pairs.push(Pair::Pair(key, Expr { line, node: Node::Local(Local { depth, slot }) }));
                }
            }
            if !scope.block {
                break;
            }
        }
        let body = Body { locals: Box::default(), expr: Expr { line, node: Node::Hash(pairs.into()) } };
        let (parameters, file) = (Parameters::default(), self.file.clone());
        Arc::new(Block { parameters, body, line, file, lambda: false, numbered: 0 })
    }

    /// The arguments of `super` without any.
    fn passed_on(&mut self, line: u32) -> Arguments {
        for (depth, scope) in (0_u32..).zip(self.scopes.iter().rev()) {
            if let Some(passed) = &scope.parameters {
                let read = |slot: u32| Expr { line, node: Node::Local(Local { depth, slot }) };
                let splat = |slot: u32| Expr { line, node: Node::Splat(Some(Box::new(read(slot)))) };
                let mut list: Vec<Expr> = passed.before.iter().map(|slot| read(*slot)).collect();
                list.extend(passed.rest.map(splat));
                list.extend(passed.after.iter().map(|slot| read(*slot)));
                let named =
                    |(name, slot): &(Symbol, u32)| Pair::Pair(Expr { line, node: Node::Sym(*name) }, read(*slot));
                let mut keywords: Vec<Pair> = passed.keywords.iter().map(named).collect();
                keywords.extend(passed.keyword_rest.map(|slot| Pair::Splat(read(slot))));
                return Arguments { list: list.into(), keywords: keywords.into(), splat: passed.rest.is_some() };
            }
        }
        Arguments::default()
    }
}

pub(super) fn plain(receiver: Option<Expr>, name: Symbol, arguments: Arguments, block: BlockArgument) -> Call {
    Call { receiver, name, arguments, block, safe: false, variable: false, write: false, private: true }
}
