//! Walks the tree: first the rules of a node, then its children.

use hieratic_budget::{Budget, Limits};
use hieratic_diagnostics::{Code, Span};
use hieratic_puppet_syntax::Problem;
use hieratic_puppet_syntax::ast::{
    CaseOption, Entry, Epp, Expr, Lambda, Node, Operation, Parameter, Program, ResourceBody, SelectorEntry, Variable,
};
use hieratic_puppet_syntax::visit::{self, Visitor};

use crate::Options;
use crate::namespace::Namespace;

/// The stack that one level needs at most, in bytes, even in a debug build.
pub(crate) const MIN_STACK: usize = 128 << 10;
/// The size of the stack segment that is allocated when less is left, in bytes.
pub(crate) const STACK_SEGMENT: usize = 2 << 20;

/// Returns all problems, in the order of the reference's walk.
///
/// `depth` is the number of heredocs around the source.
pub(crate) fn check(program: &Program, options: &Options<'_>, depth: u32) -> Vec<Problem> {
    let mut checker = Checker {
        options,
        depth,
        namespace: Namespace::from_options(options),
        problems: Vec::new(),
        nested: Vec::new(),
        fatal: None,
        path: vec![ParentKind::Program],
        key_budget: Budget::new(Limits { steps: MAX_KEY_PARTS, ..Limits::DEFAULT }),
    };
    checker.top_constructs(&program.body);
    checker.visit(&program.body);
    let mut found = checker.nested;
    match checker.fatal {
        Some(fatal) => found.push(fatal),
        None => found.append(&mut checker.problems),
    }
    found
}

/// The maximum number of key elements that are compared to find equal keys of hashes. Keys may be hashes with hashes as
/// keys: without a limit, a small source could take minutes. Beyond it, keys that are containers count as different.
const MAX_KEY_PARTS: u64 = 1_000_000;

/// The context of a node, as far as rules need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParentKind {
    /// The whole text.
    Program,
    /// Several statements, or the body of a definition, a lambda or an option of a `case`.
    Block,
    /// The body of `apply`.
    ApplyBlock,
    /// `apply`.
    Apply,
    /// A class.
    Class,
    /// A resource's title and attributes.
    ResourceBody,
    /// Defaults for resources.
    ResourceDefaults,
    /// A collector, or an override.
    Amendment,
    /// Anything else.
    Other,
}

pub(crate) struct Checker<'o> {
    pub(crate) options: &'o Options<'o>,
    pub(crate) depth: u32,
    pub(crate) namespace: Namespace,
    pub(crate) problems: Vec<Problem>,
    /// Warnings about code in heredocs. They are reported even after a fatal problem.
    pub(crate) nested: Vec<Problem>,
    /// The problem at which the reference stops; all others are dropped.
    pub(crate) fatal: Option<Problem>,
    pub(crate) path: Vec<ParentKind>,
    /// The budget for the elements of compared keys.
    pub(crate) key_budget: Budget,
}

impl Checker<'_> {
    /// Reports an error in an expression.
    pub(crate) fn error(&mut self, issue: Code, place: &Expr, message: impl Into<String>) {
        self.error_at(issue, place.span, place.at, message);
    }

    /// Reports an error in something other than an expression.
    pub(crate) fn error_at(&mut self, issue: Code, span: Span, at: u32, message: impl Into<String>) {
        self.problems.push(Problem::error(issue, message, span).at(at));
    }

    /// Reports a deprecation.
    pub(crate) fn deprecation(&mut self, issue: Code, place: &Expr, message: impl Into<String>) {
        self.problems.push(Problem::warning(issue, message, place.span).at(place.at));
    }

    fn within(&mut self, outer: ParentKind, visit: impl FnOnce(&mut Self)) {
        self.path.push(outer);
        visit(self);
        self.path.pop();
    }

    /// Checks a node, then its children.
    fn visit(&mut self, expr: &Expr) {
        // The reference finds no further problems after a fatal one.
        if self.fatal.is_none() {
            self.rule(expr, expr.at);
            self.enter(expr);
        }
    }

    fn enter(&mut self, expr: &Expr) {
        let outer = match &expr.node {
            // Most expressions have no children.
            Node::Nop
            | Node::Literal(_)
            | Node::Integer { .. }
            | Node::Name(_)
            | Node::Reference(_)
            | Node::Variable(Variable::Local(_) | Variable::Qualified(_) | Variable::Match(_)) => return,
            Node::Block(_) => ParentKind::Block,
            Node::Class(_) => ParentKind::Class,
            Node::Apply { .. } => ParentKind::Apply,
            Node::ResourceDefaults(_) => ParentKind::ResourceDefaults,
            Node::ResourceOverride(_) | Node::Collect(_) => ParentKind::Amendment,
            _ => ParentKind::Other,
        };
        stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || self.within(outer, |this| this.children(expr)));
    }

    fn children(&mut self, expr: &Expr) {
        match &expr.node {
            Node::Method(method) => {
                self.within(ParentKind::Other, |this| this.visit(&method.receiver));
                visit::expressions(self, &method.arguments);
                method.lambda.iter().for_each(|lambda| self.lambda(lambda));
            }
            Node::Collect(collect) => {
                self.visit(&collect.kind);
                if let Some(query) = &collect.query {
                    self.query(query);
                    self.within(ParentKind::Other, |this| this.visit(query));
                }
                visit::operations(self, &collect.operations);
            }
            _ => visit::children(self, expr),
        }
    }
}

impl<'t> Visitor<'t> for Checker<'_> {
    fn expression(&mut self, expr: &'t Expr) {
        self.visit(expr);
    }

    /// The reference gives a block the position of the expression that it is the body of.
    fn body(&mut self, body: &'t Expr, at: u32) {
        match &body.node {
            Node::Nop => {}
            Node::Block(_) => {
                self.rule(body, at);
                self.enter(body);
            }
            _ => self.within(ParentKind::Block, |this| this.visit(body)),
        }
    }

    /// The body of `apply`: always a block.
    fn applied(&mut self, body: &'t Expr, at: u32) {
        if let Node::Block(statements) = &body.node {
            self.rule(body, at);
            self.within(ParentKind::ApplyBlock, |this| visit::expressions(this, statements));
        } else {
            self.within(ParentKind::ApplyBlock, |this| this.visit(body));
        }
    }

    fn lambda(&mut self, lambda: &'t Lambda) {
        self.lambda_rule(&lambda.parameters, lambda.returns.as_ref());
        self.within(ParentKind::Other, |this| visit::lambda(this, lambda));
    }

    /// A template: in the reference a lambda with the template in it.
    fn template(&mut self, epp: &'t Epp, at: u32) {
        let parameters = epp.parameters.as_deref().unwrap_or_default();
        self.lambda_rule(parameters, None);
        visit::parameters(self, parameters);
        self.template_rule(parameters);
        self.within(ParentKind::Other, |this| this.body(&epp.body, at));
    }

    fn parameter(&mut self, parameter: &'t Parameter) {
        self.parameter_rule(parameter);
        self.within(ParentKind::Other, |this| visit::parameter(this, parameter));
    }

    fn entry(&mut self, entry: &'t Entry) {
        self.entry_rule(entry);
        self.within(ParentKind::Other, |this| visit::expressions(this, [&entry.key, &entry.value]));
    }

    fn case_option(&mut self, option: &'t CaseOption) {
        option.values.iter().for_each(|value| self.value_required_rule(value));
        self.within(ParentKind::Other, |this| visit::case_option(this, option));
    }

    fn selector_entry(&mut self, entry: &'t SelectorEntry) {
        self.value_required_rule(&entry.matching);
        self.within(ParentKind::Other, |this| visit::expressions(this, [&entry.matching, &entry.value]));
    }

    fn resource_body(&mut self, body: &'t ResourceBody) {
        self.resource_body_rule(body);
        self.within(ParentKind::ResourceBody, |this| visit::resource_body(this, body));
    }

    fn operation(&mut self, operation: &'t Operation) {
        self.operation_rule(operation);
        self.within(ParentKind::Other, |this| this.visit(visit::value_of(operation)));
    }
}
