//! [`analyze_file`] walks a tree and runs all checks.

use std::cell::{Cell, OnceCell, RefCell};

use hieratic::value::ErasedSort as _;
use hieratic::value::Str;
use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::ast::{self, Expr, Lambda, Node, Parameter};
use hieratic_puppet_syntax::visit::{self, Visitor};

use crate::assignments::{Guard, guard_of};
use crate::checks::statements::ends;
use crate::finding::{
    Check, Finding, MISSING_FILE, UNDEFINED_FUNCTION, UNDEFINED_RESOURCE, UNDEFINED_RESOURCE_TYPE, UNDEFINED_TYPE,
    UNKNOWN_CLASS, UNSET_VARIABLE,
};
use crate::names::is_misspelling;
use crate::narrowing::Narrowing;
use crate::program::Program;
use crate::scope::{Place, Scope};
use crate::summary::summarize;
use crate::types::Inferred;
use hieratic_diagnostics::Span;

/// The checks of names, which a condition may ask for.
static OF_NAMES: [&Check; 6] =
    [&UNDEFINED_FUNCTION, &UNDEFINED_RESOURCE_TYPE, &UNKNOWN_CLASS, &UNDEFINED_TYPE, &UNSET_VARIABLE, &MISSING_FILE];

/// The weight of a condition that asks for names. Conditions that ask for resources weigh one, and are fewer.
const NAMES: usize = 1 << 20;

/// The stack that has to be free, and the size of a new segment.
pub(crate) const MIN_STACK: usize = 128 << 10;
pub(crate) const STACK_SEGMENT: usize = 2 << 20;

/// A file to analyze.
pub struct File<'t> {
    /// Its tree.
    pub tree: &'t ast::Program,
    /// Whether the file is a plan, which has the functions of Bolt.
    pub is_plan: bool,
}

impl<'t> File<'t> {
    /// Creates a file that is not a plan.
    pub fn new(tree: &'t ast::Program) -> File<'t> {
        File { tree, is_plan: false }
    }
}

/// Returns the mistakes in a file, by position.
pub fn analyze_file(program: &dyn Program, file: &File<'_>) -> Vec<Finding> {
    if file.is_plan {
        return Vec::new();
    }
    let mut walk = Walk {
        program,
        source: &file.tree.source,
        tree: file.tree,
        searches: Cell::new(0),
        titles: OnceCell::new(),
        scopes: Vec::new(),
        reach: Cell::new(0),
        guards: 0,
        narrowings: RefCell::default(),
        found: Vec::new(),
    };
    walk.check_variables(file.tree);
    walk.check_repeated_definitions(file.tree);
    let place = if matches!(file.tree.body.node, Node::Epp(_)) { Place::Template } else { Place::Top };
    let is_used = place == Place::Template;
    walk.within(Scope::new(place, &[], &file.tree.body), |walk| walk.statements(&file.tree.body, is_used));
    let mut found = walk.found;
    found.sort_erased_by_key(|finding| (finding.span.start, finding.span.end));
    found.dedup_by(|next, one| next.span == one.span && next.message == one.message);
    found
}

/// A walk through a tree.
pub(crate) struct Walk<'t> {
    pub(crate) program: &'t dyn Program,
    pub(crate) source: &'t Source,
    tree: &'t ast::Program,
    /// The number of searches for near titles so far.
    searches: Cell<usize>,
    /// The titles that the file writes out, as soon as a check asks for them.
    titles: OnceCell<Vec<(Str, Str)>>,
    pub(crate) scopes: Vec<Scope<'t>>,
    /// The number of scopes whose variables are visible to the inferred expression.
    pub(crate) reach: Cell<usize>,
    /// The number of enclosing conditions that test declarations or definitions.
    guards: usize,
    /// The types of variables that the conditions around and before the code imply.
    pub(crate) narrowings: RefCell<Vec<Narrowing<'t>>>,
    found: Vec<Finding>,
}

impl<'t> Walk<'t> {
    /// Returns whether another title may be compared with all others: a file has few references that nothing writes out.
    pub(crate) fn may_search(&self) -> bool {
        /// The most searches in a file.
        const MOST: usize = 200;
        let count = self.searches.get();
        self.searches.set(count + 1);
        count < MOST
    }

    /// The titles of resources of a type that the file writes out, those that functions declare included.
    pub(crate) fn titles_of_file(&self, kind: &str) -> Vec<Str> {
        let titles = self.titles.get_or_init(|| summarize(self.tree).titles);
        titles.iter().filter(|(own, _)| **own == *kind).map(|(_, title)| title.clone()).collect()
    }

    /// Takes a finding, unless an enclosing condition may intend it.
    pub(crate) fn report(&mut self, finding: Finding) {
        let is_of_name = OF_NAMES.contains(&finding.check);
        if self.guards == 0 || self.guards < NAMES && is_of_name || !is_of_name && finding.check != &UNDEFINED_RESOURCE
        {
            self.found.push(finding);
        }
    }

    /// Runs checks whose findings are warnings.
    pub(crate) fn report_as_warnings(&mut self, inside: impl FnOnce(&mut Self)) {
        let before = self.found.len();
        inside(self);
        for finding in self.found.iter_mut().skip(before) {
            finding.severity = Severity::Warning;
        }
    }

    /// A finding about a name, as far as the program knows all names of its kind: one of a present module is certain, one
    /// without a module only if all modules are present. Otherwise, the name must resemble another one.
    pub(crate) fn report_name<'n>(
        &mut self,
        check: &'static Check,
        name: &str,
        span: Span,
        message: String,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        let finding = Finding::new(check, span, message).suggest(name, Some(span), names);
        let is_certain = match crate::names::module_of(name) {
            Some(module) => self.program.has_module(&module.to_lowercase()),
            None => self.program.is_complete(),
        };
        let is_near = finding.suggestion().is_some_and(|near| is_misspelling(name, near));
        if is_certain {
            self.report(finding);
        } else if is_near {
            self.report(finding.with_severity(Severity::Warning));
        }
    }

    pub(crate) fn within(&mut self, scope: Scope<'t>, inside: impl FnOnce(&mut Self)) {
        self.scopes.push(scope);
        self.reach.set(self.scopes.len());
        self.check_scope();
        inside(self);
        self.scopes.pop();
        self.reach.set(self.scopes.len());
    }

    fn define(&mut self, place: Place, parameters: &'t [Parameter], body: &'t Expr) {
        // A condition around a definition does not matter: definitions are not evaluated.
        let guards = std::mem::take(&mut self.guards);
        let narrowings = self.narrowings.take();
        self.within(Scope::new(place, parameters, body), |walk| {
            visit::parameters(walk, parameters);
            walk.check_defaults(parameters);
            walk.statements(body, matches!(place, Place::Function));
        });
        self.guards = guards;
        self.narrowings.replace(narrowings);
    }

    /// Visits a body; `is_used` says whether its last statement is its result.
    fn statements(&mut self, body: &'t Expr, is_used: bool) {
        self.narrowed(Vec::new(), |walk| walk.each_statement(body, is_used));
    }

    fn each_statement(&mut self, body: &'t Expr, is_used: bool) {
        match &body.node {
            Node::Block(all) => {
                self.check_reached(all);
                let last = all.len().saturating_sub(1);
                for (index, statement) in all.iter().enumerate() {
                    if index < last || !is_used {
                        self.check_result(statement);
                    }
                    self.expression(statement);
                    self.assume(self.call_narrowings(statement));
                }
            }
            _ => {
                if !is_used {
                    self.check_result(body);
                }
                self.expression(body);
            }
        }
    }

    /// Visits a block whose parameters get these values.
    fn block(&mut self, lambda: &'t Lambda, passed: Vec<Inferred>) {
        let mut scope = Scope::new(Place::Block, &lambda.parameters, &lambda.body);
        scope.passed = passed;
        self.within(scope, |walk| {
            visit::parameters(walk, &lambda.parameters);
            visit::expressions(walk, &lambda.returns);
            walk.statements(&lambda.body, true);
        });
    }

    fn branch(&mut self, body: &'t Expr) {
        // Its last statement may be the result of what is around it.
        self.statements(body, true);
    }

    fn guarded(&mut self, test: &'t Expr, inside: impl FnOnce(&mut Self)) {
        self.expression(test);
        let guard = match guard_of(test) {
            Some(Guard::Names) => NAMES,
            Some(Guard::Resources) => 1,
            None => 0,
        };
        self.guards += guard;
        inside(self);
        self.guards -= guard;
    }

    fn visit(&mut self, expr: &'t Expr) {
        match &expr.node {
            Node::Class(one) => {
                self.check_parent(one, expr);
                self.define(Place::Class, &one.parameters, &one.body);
            }
            Node::Define(one) => self.define(Place::Define, &one.parameters, &one.body),
            Node::Function(one) => {
                visit::expressions(self, &one.returns);
                self.define(Place::Function, &one.parameters, &one.body);
                self.check_return(one);
            }
            Node::NodeDefinition(one) => {
                self.within(Scope::new(Place::Node, &[], &one.body), |walk| walk.statements(&one.body, false));
            }
            Node::Plan(_) | Node::Apply { .. } => {}
            Node::Epp(one) => {
                let parameters = one.parameters.as_deref().unwrap_or_default();
                self.define(Place::Template, parameters, &one.body);
            }
            Node::Block(_) => self.statements(expr, true),
            Node::If(one) | Node::Unless(one) => {
                self.check_condition(&one.test);
                let holds = matches!(expr.node, Node::If(_));
                self.guarded(&one.test, |walk| {
                    let narrowings = walk.condition_narrowings(&one.test, holds);
                    walk.narrowed(narrowings, |walk| walk.branch(&one.then));
                    let narrowings = walk.condition_narrowings(&one.test, !holds);
                    walk.narrowed(narrowings, |walk| {
                        one.otherwise.iter().for_each(|otherwise| walk.branch(otherwise));
                    });
                });
                if ends(&one.then) {
                    self.assume(self.condition_narrowings(&one.test, !holds));
                } else if one.otherwise.as_ref().is_some_and(ends) {
                    self.assume(self.condition_narrowings(&one.test, holds));
                }
            }
            Node::Case(case) => {
                self.check_case(expr, case);
                self.guarded(&case.test, |walk| {
                    let options: Vec<Vec<&'t Expr>> =
                        case.options.iter().map(|option| option.values.iter().collect()).collect();
                    let narrowings = walk.option_narrowings(&case.test, &options);
                    for (option, narrowings) in case.options.iter().zip(narrowings) {
                        visit::expressions(walk, &option.values);
                        walk.narrowed(narrowings, |walk| walk.branch(&option.then));
                    }
                });
                self.assume(self.narrowings_after_case(case, ends));
            }
            Node::Selector(subject, entries) => {
                self.check_selector(expr, subject, entries);
                self.guarded(subject, |walk| {
                    let narrowings = walk.entry_narrowings(subject, entries);
                    for (entry, narrowings) in entries.iter().zip(narrowings) {
                        walk.expression(&entry.matching);
                        walk.narrowed(narrowings, |walk| walk.expression(&entry.value));
                    }
                });
            }
            Node::And(left, right) | Node::Or(left, right) => {
                let holds = matches!(expr.node, Node::And(..));
                self.guarded(left, |walk| {
                    let narrowings = walk.condition_narrowings(left, holds);
                    walk.narrowed(narrowings, |walk| walk.expression(right));
                });
            }
            Node::Reference(name) => self.check_reference(expr, name),
            Node::Access { left, keys } => {
                self.check_access(expr, left, keys);
                visit::children(self, expr);
            }
            Node::Call(call) => {
                self.check_call(expr, call);
                if call.lambda.is_none() {
                    self.check_creation(&call.functor, &call.arguments);
                }
                // The name is not a separate expression.
                if !matches!(call.functor.node, Node::Name(_)) {
                    self.expression(&call.functor);
                }
                visit::expressions(self, &call.arguments);
                if let Some(lambda) = &call.lambda {
                    let passed = self.passed_by_call(call, lambda);
                    self.block(lambda, passed);
                }
            }
            Node::Method(method) => {
                self.check_method(expr, method);
                if &*method.name == "new" && method.lambda.is_none() {
                    self.check_creation(&method.receiver, &method.arguments);
                }
                self.expression(&method.receiver);
                visit::expressions(self, &method.arguments);
                if let Some(lambda) = &method.lambda {
                    let passed = self.passed(&method.name, &method.receiver, &method.arguments, lambda);
                    self.block(lambda, passed);
                }
            }
            Node::Resource(resource) => {
                self.check_resource(resource);
                visit::children(self, expr);
            }
            Node::ResourceDefaults(defaults) => {
                self.check_resource_defaults(defaults);
                visit::children(self, expr);
            }
            Node::ResourceOverride(one) => {
                self.check_override(one);
                visit::children(self, expr);
            }
            Node::Collect(collect) => {
                self.check_collector(collect);
                // The query has names of attributes.
                self.expression(&collect.kind);
                visit::operations(self, &collect.operations);
            }
            Node::Relationship(_, left, right) => {
                let check = |walk: &mut Self| {
                    walk.check_relationship(left);
                    walk.check_relationship(right);
                };
                // A collector may find nothing, and the other side is not looked for then.
                if collects(left) || collects(right) {
                    self.report_as_warnings(check)
                } else {
                    check(self)
                }
                visit::children(self, expr);
            }
            Node::Arithmetic(operator, left, right) => {
                self.check_arithmetic(expr, *operator, left, right);
                visit::children(self, expr);
            }
            Node::Assign(ast::Assignment::Set, left, right) => {
                self.check_assignment(left, right);
                visit::children(self, expr);
            }
            Node::Minus(inner) => {
                self.check_minus(expr, inner);
                visit::children(self, expr);
            }
            Node::Comparison(operator, left, right) => {
                self.check_comparison(expr, *operator, left, right);
                visit::children(self, expr);
            }
            Node::Match { negated, left, right } => {
                self.check_match(expr, *negated, left, right);
                visit::children(self, expr);
            }
            _ => visit::children(self, expr),
        }
    }
}

/// Returns whether the end of a chain of relationships is a collector.
fn collects(side: &Expr) -> bool {
    match &side.node {
        Node::Collect(_) => true,
        Node::Relationship(_, _, right) => collects(right),
        _ => false,
    }
}

impl<'t> Visitor<'t> for Walk<'t> {
    fn expression(&mut self, expr: &'t Expr) {
        stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || self.visit(expr));
    }

    fn lambda(&mut self, lambda: &'t Lambda) {
        self.block(lambda, Vec::new());
    }
}
