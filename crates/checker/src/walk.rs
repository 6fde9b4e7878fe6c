//! The walk over the tree: each node's rules first, then what is in it.

use hieratic_diagnostics::{Code, Span};
use hieratic_syntax::Problem;
use hieratic_syntax::ast::{
    CaseOption, Entry, Epp, Expr, Lambda, Node, Operation, Parameter, Program, ResourceBody, SelectorEntry, Variable,
};

use crate::Options;
use crate::places::Namespace;

/// One level takes less than this, in bytes, even in a build that is not optimized.
pub(crate) const LEAST_STACK: usize = 128 << 10;
/// How much more is taken at once.
pub(crate) const MORE_STACK: usize = 2 << 20;

/// Everything that is wrong, in the order of the reference's walk.
///
/// `depth` tells in how many heredocs the text is.
pub(crate) fn check(program: &Program, options: &Options<'_>, depth: u32) -> Vec<Problem> {
    let mut checker = Checker {
        options,
        depth,
        namespace: Namespace::of(options),
        problems: Vec::new(),
        nested: Vec::new(),
        fatal: None,
        path: vec![Around::Program],
        effort: MOST_EFFORT,
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

/// How many elements of keys may be looked at to tell whether keys of hashes are equal. Keys may hold hashes, whose keys
/// may hold hashes: without a limit, a small text could take minutes. Beyond it, keys that hold others count as different.
const MOST_EFFORT: u32 = 1_000_000;

/// What stands around a node, as far as rules ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    /// The whole text.
    Program,
    /// Several statements, or the body of anything that always has one: a definition, a lambda, an option of a `case`.
    Block,
    /// What `apply` applies.
    ApplyBlock,
    /// `apply`.
    Apply,
    /// A class.
    Class,
    /// A resource's title and attributes.
    ResourceBody,
    /// Defaults for resources.
    ResourceDefaults,
    /// A collector, or attributes of resources that are there already.
    Amendment,
    /// Anything else.
    Other,
}

pub(crate) struct Checker<'o> {
    pub(crate) options: &'o Options<'o>,
    pub(crate) depth: u32,
    pub(crate) namespace: Namespace,
    pub(crate) problems: Vec<Problem>,
    /// Warnings about code in heredocs. They are reported even if the reference gives up.
    pub(crate) nested: Vec<Problem>,
    /// The problem at which the reference gives up; all others are forgotten then.
    pub(crate) fatal: Option<Problem>,
    pub(crate) path: Vec<Around>,
    pub(crate) effort: u32,
}

impl Checker<'_> {
    /// Notes an error in an expression.
    pub(crate) fn error(&mut self, issue: Code, place: &Expr, message: impl Into<String>) {
        self.error_at(issue, place.span, place.at, message);
    }

    /// Notes an error in something that is no expression.
    pub(crate) fn error_at(&mut self, issue: Code, span: Span, at: u32, message: impl Into<String>) {
        self.problems.push(Problem::error(issue, message, span).at(at));
    }

    /// Notes that something will not be right in a later version.
    pub(crate) fn deprecation(&mut self, issue: Code, place: &Expr, message: impl Into<String>) {
        self.problems.push(Problem::warning(issue, message, place.span).at(place.at));
    }

    fn within(&mut self, around: Around, visit: impl FnOnce(&mut Self)) {
        self.path.push(around);
        visit(self);
        self.path.pop();
    }

    /// Checks a node, then what is in it.
    fn visit(&mut self, expr: &Expr) {
        // After the problem at which the reference gives up nothing more is found.
        if self.fatal.is_none() {
            self.rule(expr, expr.at);
            self.enter(expr);
        }
    }

    fn enter(&mut self, expr: &Expr) {
        let around = match &expr.node {
            // Most expressions have nothing in them.
            Node::Nop
            | Node::Literal(_)
            | Node::Integer { .. }
            | Node::Name(_)
            | Node::Reference(_)
            | Node::Variable(Variable::Local(_) | Variable::Qualified(_) | Variable::Match(_)) => return,
            Node::Block(_) => Around::Block,
            Node::Class(_) => Around::Class,
            Node::Apply { .. } => Around::Apply,
            Node::ResourceDefaults(_) => Around::ResourceDefaults,
            Node::ResourceOverride(_) | Node::Collect(_) => Around::Amendment,
            _ => Around::Other,
        };
        stacker::maybe_grow(LEAST_STACK, MORE_STACK, || self.within(around, |this| this.children(expr)));
    }

    fn visit_all<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) {
        all.into_iter().for_each(|one| self.visit(one));
    }

    /// The body of something that always has a block for one, even if it is a single statement. The reference gives such
    /// a block the place of what it is the body of.
    fn body(&mut self, body: &Expr, at: u32) {
        match &body.node {
            Node::Nop => {}
            Node::Block(_) => {
                self.rule(body, at);
                self.enter(body);
            }
            _ => self.within(Around::Block, |this| this.visit(body)),
        }
    }

    fn children(&mut self, expr: &Expr) {
        match &expr.node {
            Node::Nop
            | Node::Literal(_)
            | Node::Integer { .. }
            | Node::Regexp(_)
            | Node::Name(_)
            | Node::Reference(_)
            | Node::Reserved { .. }
            | Node::RenderString(_)
            | Node::Variable(Variable::Local(_) | Variable::Qualified(_) | Variable::Match(_)) => {}
            Node::Variable(Variable::Computed(inner))
            | Node::Text(inner)
            | Node::Parenthesized(inner)
            | Node::Not(inner)
            | Node::Minus(inner)
            | Node::Unfold(inner)
            | Node::Render(inner)
            | Node::Heredoc { text: inner, .. } => self.visit(inner),
            Node::Concatenated(all) | Node::List(all) | Node::Block(all) => self.visit_all(all),
            Node::Hash(entries) => entries.iter().for_each(|entry| self.entry(entry)),
            Node::Arithmetic(_, left, right)
            | Node::Comparison(_, left, right)
            | Node::Match { left, right, .. }
            | Node::In(left, right)
            | Node::And(left, right)
            | Node::Or(left, right)
            | Node::Assign(_, left, right)
            | Node::Relationship(_, left, right)
            | Node::NamedAccess(left, right)
            | Node::TypeMapping { left, right } => self.visit_all([&**left, right]),
            Node::Access { left, keys } => {
                self.visit(left);
                self.visit_all(keys);
            }
            Node::Call(call) => {
                self.visit(&call.functor);
                self.visit_all(&call.arguments);
                call.lambda.iter().for_each(|lambda| self.lambda(lambda));
            }
            Node::Method(method) => {
                self.within(Around::Other, |this| this.visit(&method.receiver));
                self.visit_all(&method.arguments);
                method.lambda.iter().for_each(|lambda| self.lambda(lambda));
            }
            Node::If(one) | Node::Unless(one) => {
                self.visit_all([&one.test, &one.then]);
                self.visit_all(&one.otherwise);
            }
            Node::Case(case) => {
                self.visit(&case.test);
                case.options.iter().for_each(|option| self.case_option(option));
            }
            Node::Selector(subject, entries) => {
                self.visit(subject);
                entries.iter().for_each(|entry| self.selector_entry(entry));
            }
            Node::Lambda(lambda) => self.lambda(lambda),
            Node::Function(one) | Node::Plan(one) => {
                self.parameters(&one.parameters);
                self.body(&one.body, expr.at);
                self.visit_all(&one.returns);
            }
            Node::Class(one) => {
                self.parameters(&one.parameters);
                self.body(&one.body, expr.at);
            }
            Node::Define(one) => {
                self.parameters(&one.parameters);
                self.body(&one.body, expr.at);
            }
            Node::NodeDefinition(one) => {
                self.visit_all(&one.parent);
                self.visit_all(&one.matches);
                self.body(&one.body, expr.at);
            }
            Node::TypeAlias(one) => self.visit(&one.kind),
            Node::TypeDefinition(definition) => definition.body.iter().for_each(|body| self.body(body, expr.at)),
            Node::Apply { arguments, body } => {
                self.visit_all(arguments);
                body.iter().for_each(|body| self.applied(body, expr.at));
            }
            Node::Resource(resource) => {
                self.visit(&resource.kind);
                resource.bodies.iter().for_each(|body| self.resource(body));
            }
            Node::ResourceDefaults(defaults) => {
                self.visit(&defaults.kind);
                self.operations(&defaults.operations);
            }
            Node::ResourceOverride(one) => {
                self.visit(&one.resources);
                self.operations(&one.operations);
            }
            Node::Collect(collect) => {
                self.visit(&collect.kind);
                if let Some(query) = &collect.query {
                    self.query(query);
                    self.within(Around::Other, |this| this.visit(query));
                }
                self.operations(&collect.operations);
            }
            Node::Epp(epp) => self.template(epp, expr.at),
        }
    }

    fn entry(&mut self, entry: &Entry) {
        self.entry_rule(entry);
        self.within(Around::Other, |this| this.visit_all([&entry.key, &entry.value]));
    }

    fn case_option(&mut self, option: &CaseOption) {
        option.values.iter().for_each(|value| self.rvalue(value));
        self.within(Around::Other, |this| {
            this.visit_all(&option.values);
            this.body(&option.then, option.at);
        });
    }

    fn selector_entry(&mut self, entry: &SelectorEntry) {
        self.rvalue(&entry.matching);
        self.within(Around::Other, |this| this.visit_all([&entry.matching, &entry.value]));
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.lambda_rule(&lambda.parameters, lambda.returns.as_ref());
        self.within(Around::Other, |this| {
            this.parameters(&lambda.parameters);
            this.body(&lambda.body, lambda.span.start);
            this.visit_all(&lambda.returns);
        });
    }

    /// A template: in the reference a lambda with the template in it.
    fn template(&mut self, epp: &Epp, at: u32) {
        let parameters = epp.parameters.as_deref().unwrap_or_default();
        self.lambda_rule(parameters, None);
        self.parameters(parameters);
        self.template_rule(parameters);
        self.within(Around::Other, |this| this.body(&epp.body, at));
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            self.parameter(parameter);
            self.within(Around::Other, |this| {
                this.visit_all(&parameter.default);
                this.visit_all(&parameter.kind);
            });
        }
    }

    /// What `apply` applies: always a block.
    fn applied(&mut self, body: &Expr, at: u32) {
        if let Node::Block(statements) = &body.node {
            self.rule(body, at);
            self.within(Around::ApplyBlock, |this| this.visit_all(statements));
        } else {
            self.within(Around::ApplyBlock, |this| this.visit(body));
        }
    }

    fn resource(&mut self, body: &ResourceBody) {
        self.resource_body(body);
        self.within(Around::ResourceBody, |this| {
            this.visit(&body.title);
            this.operations(&body.operations);
        });
    }

    fn operations(&mut self, operations: &[Operation]) {
        for operation in operations {
            self.operation(operation);
            let (Operation::Attribute { value, .. } | Operation::Splat { value, .. }) = operation;
            self.within(Around::Other, |this| this.visit(value));
        }
    }
}
