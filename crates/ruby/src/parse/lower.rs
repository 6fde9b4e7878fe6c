//! [`Lowering`]: walks prism's tree and builds ours. Statements and control flow are here. => [`Lowering`]: converts
//! prism's tree to [`Expr`]. This file converts statements and control flow.

use std::sync::Arc;

use hieratic_value::collections::HashMap;
use ruby_prism::{ArgumentsNode, Node as Prism, NodeList, StatementsNode};

use crate::ast::{Begin, Body, Case, CaseIn, Def, Expr, For, Local, Node, Rescue, While};
use crate::interpreter::RubyError;
use crate::symbol::{Symbol, Symbols, known};

/// The maximum nesting depth of source: evaluation and destruction recurse as deep.
const MAX_DEPTH: u32 = 2_000;

/// The result of lowering a syntax node. Errors are boxed because they are larger than most results.
pub(super) type Lowered<T = Expr> = Result<T, Box<RubyError>>;

/// A scope of local variables.
#[derive(Default)]
pub(super) struct Scope {
    pub names: Vec<Symbol>,
    /// True for the body of a block, which sees the variables around it.
    pub block: bool,
    /// The number of enclosing `while` and `until` loops.
    pub loops: u32,
    /// The arguments that `super` passes on; only for methods.
    pub parameters: Option<super::calls::SuperArguments>,
}

/// The state of lowering one file.
pub(super) struct Lowering<'s> {
    pub symbols: &'s mut Symbols,
    pub file: Arc<str>,
    /// The fingerprint of the program.
    pub number: u64,
    /// The number of methods that it defines.
    pub defs: u32,
    pub scopes: Vec<Scope>,
    /// The sources of methods whose bodies are empty in this source, by the lines where they begin.
    pub unread: HashMap<u32, &'static str>,
    depth: u32,
}

/// Matches a node by its kind, and casts the node.
macro_rules! kinds {
    ($node:expr, $($kind:ident $cast:ident $name:pat => $body:expr,)* _ => $otherwise:expr) => {
        match $node {
            $(Prism::$kind { .. } => match $node.$cast() {
                Some($name) => $body,
                // The kind was looked at, so the cast fits.
                None => $otherwise,
            },)*
            #[allow(unreachable_patterns)]
            _ => $otherwise,
        }
    };
}
pub(super) use kinds;

/// Returns the beginning of the source of a node, for a message: the first line, and at most 40 characters of it.
fn quote_source(node: &Prism<'_>) -> String {
    let location = node.location();
    let source = String::from_utf8_lossy(location.as_slice());
    let line = source.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(40).collect();
    if cut.len() == source.len() { format!("`{cut}`") } else { format!("`{cut} ...`") }
}

impl<'s> Lowering<'s> {
    pub fn new(symbols: &'s mut Symbols, file: Arc<str>, number: u64) -> Lowering<'s> {
        Lowering { symbols, file, number, defs: 0, scopes: Vec::new(), unread: HashMap::default(), depth: 0 }
    }

    /// Numbers the methods that are nested in a separately parsed method, so that they differ from those of the
    /// outline.
    pub fn nested_in(mut self, method: &Def) -> Self {
        self.defs = (1 << 31) | (method.number.1 << 8);
        self
    }

    pub fn program(&mut self, node: &Prism<'_>) -> Lowered<Body> {
        let Some(program) = node.as_program_node() else {
            return Err(self.error("a program was expected", 1));
        };
        self.scopes.push(Scope::default());
        self.declare(&program.locals());
        let expr = self.statements(Some(program.statements()), 1)?;
        Ok(self.close(expr))
    }

    /// Adds the names of a scope.
    pub fn declare(&mut self, locals: &ruby_prism::ConstantList<'_>) {
        for local in locals {
            let name = self.name(local.as_slice());
            self.slot_of(name);
        }
    }

    /// Ends the innermost scope.
    pub fn close(&mut self, expr: Expr) -> Body {
        let scope = self.scopes.pop().unwrap_or_default();
        Body { locals: scope.names.into(), expr }
    }

    /// Returns the slot of a name in the innermost scope, which is added if it is new.
    pub fn slot_of(&mut self, name: Symbol) -> u32 {
        let names = match self.scopes.last_mut() {
            Some(scope) => &mut scope.names,
            None => return 0,
        };
        let index = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        index as u32
    }

    /// Returns a new slot without a name in the source.
    pub fn hidden(&mut self, name: &str) -> u32 {
        let name = self.symbols.intern(name);
        self.slot_of(name)
    }

    /// Resolves a name in the scope that is `depth` levels up.
    pub fn local(&mut self, name: &[u8], depth: u32) -> Local {
        let name = self.name(name);
        let index = self.scopes.len().saturating_sub(1 + depth as usize);
        let names = match self.scopes.get_mut(index) {
            Some(scope) => &mut scope.names,
            None => return Local { depth: 0, slot: 0 },
        };
        let slot = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        Local { depth, slot: slot as u32 }
    }

    /// Resolves a name in all visible scopes.
    pub fn visible(&mut self, name: Symbol) -> Option<Local> {
        for (depth, scope) in self.scopes.iter().rev().enumerate() {
            if let Some(slot) = scope.names.iter().position(|known| *known == name) {
                return Some(Local { depth: depth as u32, slot: slot as u32 });
            }
            if !scope.block {
                return None;
            }
        }
        None
    }

    pub fn name(&mut self, bytes: &[u8]) -> Symbol {
        self.symbols.intern(&String::from_utf8_lossy(bytes))
    }

    pub fn line(&self, node: &Prism<'_>) -> u32 {
        u32::try_from(node.location().start_line()).unwrap_or(0)
    }

    /// Creates an error for a line of the file.
    pub fn error(&self, message: impl Into<String>, line: u32) -> Box<RubyError> {
        Box::new(RubyError::syntax(message, &self.file, line))
    }

    pub fn statements(&mut self, statements: Option<StatementsNode<'_>>, line: u32) -> Lowered {
        let Some(statements) = statements else { return Ok(Expr { line, node: Node::Nil }) };
        self.sequence(&statements.body(), line)
    }

    fn sequence(&mut self, list: &NodeList<'_>, line: u32) -> Lowered {
        let mut all = Vec::new();
        for node in list {
            all.push(self.expr(&node)?);
        }
        Ok(match all.len() {
            0 => Expr { line, node: Node::Nil },
            1 => all.remove(0),
            _ => Expr { line: all[0].line, node: Node::Seq(all.into()) },
        })
    }

    pub fn optional(&mut self, node: Option<Prism<'_>>, line: u32) -> Lowered {
        match node {
            Some(node) => self.expr(&node),
            None => Ok(Expr { line, node: Node::Nil }),
        }
    }

    pub fn boxed(&mut self, node: &Prism<'_>) -> Lowered<Box<Expr>> {
        self.expr(node).map(Box::new)
    }

    pub fn all(&mut self, list: &NodeList<'_>) -> Lowered<Box<[Expr]>> {
        let mut all = Vec::new();
        for node in list {
            all.push(self.expr(&node)?);
        }
        Ok(all.into())
    }

    pub fn expr(&mut self, node: &Prism<'_>) -> Lowered {
        self.depth += 1;
        let line = self.line(node);
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("the source nests deeper than {MAX_DEPTH} levels"), line));
        }
        let lowered = stacker::maybe_grow(128 << 10, 4 << 20, || self.node(node, line));
        self.depth -= 1;
        Ok(Expr { line, node: lowered? })
    }

    fn looped<T>(&mut self, run: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let bump = |this: &mut Self, up: bool| {
            if let Some(scope) = this.scopes.last_mut() {
                scope.loops = if up { scope.loops + 1 } else { scope.loops.saturating_sub(1) };
            }
        };
        bump(self, true);
        let result = run(self);
        bump(self, false);
        result
    }

    fn in_loop(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.loops > 0)
    }

    fn jump_value(&mut self, arguments: Option<ArgumentsNode<'_>>) -> Lowered<Option<Box<Expr>>> {
        let Some(arguments) = arguments else { return Ok(None) };
        let line = u32::try_from(arguments.location().start_line()).unwrap_or(0);
        let parsed = self.arguments(Some(arguments))?;
        let mut list: Vec<Expr> = parsed.list.into();
        if !parsed.keywords.is_empty() {
            list.push(Expr { line, node: Node::Hash(parsed.keywords) });
        }
        let single = list.len() == 1 && !matches!(list[0].node, Node::Splat(_));
        Ok(Some(Box::new(if single { list.remove(0) } else { Expr { line, node: Node::Array(list.into()) } })))
    }

    fn node(&mut self, node: &Prism<'_>, line: u32) -> Lowered<Node> {
        if let Some(literal) = self.literal(node, line)? {
            return Ok(literal);
        }
        if let Some(target) = self.assignment(node, line)? {
            return Ok(target);
        }
        if let Some(call) = self.any_call(node, line)? {
            return Ok(call);
        }
        if let Some(definition) = self.definition(node, line)? {
            return Ok(definition);
        }
        let unsupported = |feature: &str| Node::Unsupported(feature.into());
        Ok(kinds!(node,
            StatementsNode as_statements_node n => self.sequence(&n.body(), line)?.node,
            ParenthesesNode as_parentheses_node n => self.optional(n.body(), line)?.node,
            BeginNode as_begin_node n => self.begin(&n, line)?,
            AndNode as_and_node n => Node::And(self.boxed(&n.left())?, self.boxed(&n.right())?),
            OrNode as_or_node n => Node::Or(self.boxed(&n.left())?, self.boxed(&n.right())?),
            DefinedNode as_defined_node n => Node::Defined(self.boxed(&n.value())?),
            IfNode as_if_node n => {
                let condition = self.condition(&n.predicate())?;
                let then = self.statements(n.statements(), line)?;
                let otherwise = self.optional(n.subsequent(), line)?;
                Node::If(Box::new(condition), Box::new(then), Box::new(otherwise))
            },
            UnlessNode as_unless_node n => {
                let condition = self.condition(&n.predicate())?;
                let then = self.statements(n.statements(), line)?;
                let otherwise = match n.else_clause() {
                    Some(clause) => self.statements(clause.statements(), line)?,
                    None => Expr { line, node: Node::Nil },
                };
                Node::If(Box::new(condition), Box::new(otherwise), Box::new(then))
            },
            ElseNode as_else_node n => self.statements(n.statements(), line)?.node,
            WhileNode as_while_node n => self.looped(|this| {
                let (condition, body) = (this.condition(&n.predicate())?, this.statements(n.statements(), line)?);
                Ok(Node::While(Box::new(While { condition, negated: false, body, body_first: n.is_begin_modifier() })))
            })?,
            UntilNode as_until_node n => self.looped(|this| {
                let (condition, body) = (this.condition(&n.predicate())?, this.statements(n.statements(), line)?);
                Ok(Node::While(Box::new(While { condition, negated: true, body, body_first: n.is_begin_modifier() })))
            })?,
            ForNode as_for_node n => {
                let collection = self.expr(&n.collection())?;
                let target = self.target(&n.index())?;
                let body = self.looped(|this| this.statements(n.statements(), line))?;
                Node::For(Box::new(For { target, collection, body }))
            },
            CaseNode as_case_node n => {
                let subject = n.predicate().map(|node| self.expr(&node)).transpose()?;
                let mut whens = Vec::new();
                for condition in &n.conditions() {
                    if let Some(when) = condition.as_when_node() {
                        whens.push((self.all(&when.conditions())?, self.statements(when.statements(), line)?));
                    }
                }
                let otherwise = n.else_clause().map(|node| self.statements(node.statements(), line)).transpose()?;
                Node::Case(Box::new(Case { subject, whens: whens.into(), otherwise }))
            },
            CaseMatchNode as_case_match_node n => {
                let subject = self.optional(n.predicate(), line)?;
                let mut branches = Vec::new();
                for condition in &n.conditions() {
                    if let Some(branch) = condition.as_in_node() {
                        let pattern = self.pattern(&branch.pattern())?;
                        branches.push((pattern, None, self.statements(branch.statements(), line)?));
                    }
                }
                let otherwise = n.else_clause().map(|node| self.statements(node.statements(), line)).transpose()?;
                Node::CaseIn(Box::new(CaseIn { subject, branches: branches.into(), otherwise }))
            },
            MatchPredicateNode as_match_predicate_node n => Node::Matches {
                value: self.boxed(&n.value())?, pattern: Box::new(self.pattern(&n.pattern())?), required: false,
            },
            MatchRequiredNode as_match_required_node n => Node::Matches {
                value: self.boxed(&n.value())?, pattern: Box::new(self.pattern(&n.pattern())?), required: true,
            },
            RescueModifierNode as_rescue_modifier_node n => {
                let rescue = Rescue { classes: Box::new([]), target: None, body: self.expr(&n.rescue_expression())? };
                let body = self.expr(&n.expression())?;
                Node::Begin(Box::new(Begin { body, rescues: Box::new([rescue]), otherwise: None, ensure: None }))
            },
            ReturnNode as_return_node n => Node::Return(self.jump_value(n.arguments())?),
            BreakNode as_break_node n => Node::Break { value: self.jump_value(n.arguments())?, in_loop: self.in_loop() },
            NextNode as_next_node n => Node::Next { value: self.jump_value(n.arguments())?, in_loop: self.in_loop() },
            RedoNode as_redo_node _ => Node::Redo,
            RetryNode as_retry_node _ => Node::Retry,
            SplatNode as_splat_node n => Node::Splat(n.expression().map(|node| self.boxed(&node)).transpose()?),
            ImplicitNode as_implicit_node n => self.expr(&n.value())?.node,
            ShareableConstantNode as_shareable_constant_node n => self.expr(&n.write())?.node,
            FlipFlopNode as_flip_flop_node _ => unsupported("a flip-flop"),
            PreExecutionNode as_pre_execution_node _ => unsupported("BEGIN"),
            PostExecutionNode as_post_execution_node _ => unsupported("END"),
            MatchLastLineNode as_match_last_line_node _ => unsupported("a match with the last line that was read"),
            InterpolatedMatchLastLineNode as_interpolated_match_last_line_node _ =>
                unsupported("a match with the last line that was read"),
            AliasGlobalVariableNode as_alias_global_variable_node _ => unsupported("an alias of a global variable"),
            _ => unsupported(&quote_source(node))
        ))
    }

    /// A condition: as any expression, except that a bare `not` needs no value.
    fn condition(&mut self, node: &Prism<'_>) -> Lowered {
        self.expr(node)
    }

    pub fn begin(&mut self, node: &ruby_prism::BeginNode<'_>, line: u32) -> Lowered<Node> {
        let body = self.statements(node.statements(), line)?;
        let mut rescues = Vec::new();
        let mut clause = node.rescue_clause();
        while let Some(rescue) = clause {
            let target = rescue.reference().map(|node| self.target(&node)).transpose()?;
            let classes = self.all(&rescue.exceptions())?;
            rescues.push(Rescue { classes, target, body: self.statements(rescue.statements(), line)? });
            clause = rescue.subsequent();
        }
        let otherwise = node.else_clause().map(|node| self.statements(node.statements(), line)).transpose()?;
        let ensure = node.ensure_clause().map(|node| self.statements(node.statements(), line)).transpose()?;
        if rescues.is_empty() && otherwise.is_none() && ensure.is_none() {
            return Ok(body.node);
        }
        Ok(Node::Begin(Box::new(Begin { body, rescues: rescues.into(), otherwise, ensure })))
    }

    /// Returns the variable in which a template collects its output, if it is visible.
    pub fn template_output(&mut self, node: &Prism<'_>) -> Option<Local> {
        let read = node.as_local_variable_read_node()?;
        let local = self.local(read.name().as_slice(), read.depth());
        let scope = self.scopes.get(self.scopes.len().checked_sub(1 + local.depth as usize)?)?;
        (scope.names.get(local.slot as usize) == Some(&known::ERBOUT)).then_some(local)
    }
}
