//! [`Straight`]: the variables that a scope sets and the resources that it declares, each with its branch.

use hieratic::Value;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Assignment, Call, Expr, Node, ResourceBody, Variable};
use hieratic_puppet_syntax::visit::{self, Visitor};

use crate::names::{listed, plain};
use crate::walk::{MIN_STACK, STACK_SEGMENT};

/// The branches around a statement, from the outside in. Code in the branches `[1]` runs before code after it in `[1, 2]`,
/// if that runs at all.
type Branches = Vec<u32>;

/// A variable that is set.
#[derive(Debug)]
pub(crate) struct Set<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
    /// The value, unless it is only a part of the assigned value.
    pub(crate) value: Option<&'t Expr>,
    branches: Branches,
    /// Whether an enclosing condition tests declarations or definitions.
    pub(crate) is_guarded: bool,
}

/// A resource that is declared.
#[derive(Debug)]
pub(crate) struct Declared<'t> {
    pub(crate) kind: &'t Expr,
    pub(crate) body: &'t ResourceBody,
    branches: Branches,
    /// Whether an enclosing condition tests declarations.
    is_guarded: bool,
}

/// A class that is included by a name that is written out.
#[derive(Debug)]
pub(crate) struct Included<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
    branches: Branches,
}

impl Included<'_> {
    /// Returns whether this is always evaluated before the resource, if that is evaluated.
    pub(crate) fn precedes(&self, other: &Declared<'_>) -> bool {
        self.span.start < other.body.title.span.start && other.branches.starts_with(&self.branches) && !other.is_guarded
    }
}

/// The effects of the code of one scope, without those of blocks and definitions inside it.
#[derive(Debug, Default)]
pub(crate) struct Straight<'t> {
    pub(crate) sets: Vec<Set<'t>>,
    pub(crate) resources: Vec<Declared<'t>>,
    pub(crate) included: Vec<Included<'t>>,
    /// The branch of each `if` with an `else`, and that of the `else`.
    alternatives: HashMap<u32, u32>,
}

impl Set<'_> {
    /// Returns whether the variable is set whenever the scope is evaluated to its end.
    pub(crate) fn is_unconditional(&self) -> bool {
        self.branches.is_empty()
    }

    /// Returns whether this is always evaluated before the other, if that is evaluated.
    pub(crate) fn precedes(&self, other: &Set<'_>) -> bool {
        other.branches.starts_with(&self.branches)
    }
}

impl Declared<'_> {
    /// Returns whether this is always evaluated before the other, if that is evaluated.
    pub(crate) fn precedes(&self, other: &Declared<'_>) -> bool {
        other.branches.starts_with(&self.branches) && !other.is_guarded
    }
}

impl<'t> Straight<'t> {
    /// Returns whether one of two branches, each of which sets the variable, is always evaluated before another set.
    pub(crate) fn alternatives_precede(&self, earlier: &[&Set<'t>], set: &Set<'t>) -> bool {
        /// More sets of one variable are not looked at.
        const MOST: usize = 50;
        // The last branches of sets whose other branches are around this one, too.
        let last = |one: &&Set<'t>| {
            let (last, outer) = one.branches.split_last()?;
            (set.branches.starts_with(outer) && !set.branches.contains(last)).then_some(*last)
        };
        let found: Vec<u32> = earlier.iter().take(MOST).filter_map(last).collect();
        let has_both = |then: &u32| {
            self.alternatives
                .get(then)
                .is_some_and(|otherwise| found.contains(otherwise) && !set.branches.contains(otherwise))
        };
        found.iter().any(has_both)
    }

    /// Collects from the body of a scope.
    pub(crate) fn from_body(body: &'t Expr) -> Straight<'t> {
        let mut collector = Collector::default();
        collector.expression(body);
        collector.found
    }
}

#[derive(Default)]
struct Collector<'t> {
    found: Straight<'t>,
    branches: Branches,
    /// The number of branches so far.
    count: u32,
    guards: usize,
}

impl<'t> Collector<'t> {
    /// Visits a branch, and returns its number.
    fn branch(&mut self, body: &'t Expr) -> u32 {
        self.count += 1;
        let number = self.count;
        self.branches.push(number);
        self.expression(body);
        self.branches.pop();
        number
    }

    fn targets(&mut self, left: &'t Expr, value: Option<&'t Expr>) {
        match &left.node {
            Node::Variable(Variable::Local(name)) => {
                let (branches, is_guarded) = (self.branches.clone(), self.guards > 0);
                self.found.sets.push(Set { name, span: left.span, value, branches, is_guarded });
            }
            Node::List(all) => all.iter().for_each(|one| self.targets(one, None)),
            _ => {}
        }
    }

    fn guarded(&mut self, test: &'t Expr, inside: impl FnOnce(&mut Self)) {
        self.expression(test);
        let guard = usize::from(guard_of(test).is_some());
        self.guards += guard;
        inside(self);
        self.guards -= guard;
    }

    fn visit(&mut self, expr: &'t Expr) {
        match &expr.node {
            // These have separate scopes.
            Node::Class(_) | Node::Define(_) | Node::Function(_) | Node::Plan(_) | Node::NodeDefinition(_) => {}
            Node::TypeAlias(_) | Node::Epp(_) => {}
            Node::Assign(Assignment::Set, left, right) => {
                self.expression(right);
                self.targets(left, Some(right));
            }
            Node::And(left, right) | Node::Or(left, right) => {
                self.expression(left);
                self.branch(right);
            }
            Node::If(one) | Node::Unless(one) => self.guarded(&one.test, |this| {
                let then = this.branch(&one.then);
                if let Some(otherwise) = &one.otherwise {
                    let otherwise = this.branch(otherwise);
                    this.found.alternatives.insert(then, otherwise);
                }
            }),
            Node::Case(case) => self.guarded(&case.test, |this| {
                for option in &case.options {
                    option.values.iter().for_each(|value| this.expression(value));
                    this.branch(&option.then);
                }
            }),
            Node::Selector(subject, entries) => self.guarded(subject, |this| {
                for entry in entries {
                    this.expression(&entry.matching);
                    this.branch(&entry.value);
                }
            }),
            Node::Call(call) if is_inclusion(call) => {
                visit::children(self, expr);
                for one in call.arguments.iter().flat_map(listed) {
                    if let Node::Name(name) | Node::Literal(Value::String(name)) = &one.node {
                        let branches = self.branches.clone();
                        self.found.included.push(Included { name, span: one.span, branches });
                    }
                }
            }
            Node::Resource(resource) => {
                visit::children(self, expr);
                for body in &resource.bodies {
                    self.found.resources.push(Declared {
                        kind: &resource.kind,
                        body,
                        branches: self.branches.clone(),
                        is_guarded: self.guards > 0,
                    });
                }
            }
            _ => visit::children(self, expr),
        }
    }
}

impl<'t> Visitor<'t> for Collector<'t> {
    fn expression(&mut self, expr: &'t Expr) {
        stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || self.visit(expr));
    }

    // A block has its own variables, and may run any number of times.
    fn lambda(&mut self, _: &'t hieratic_puppet_syntax::ast::Lambda) {}
}

fn is_inclusion(call: &Call) -> bool {
    matches!(&call.functor.node, Node::Name(name) if matches!(plain(name), "include" | "contain" | "require"))
}

/// The question of a condition about declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Whether resources are declared: `defined(Package['a'])`.
    Resources,
    /// Whether names are defined: `defined('a')`.
    Names,
}

/// The test of declarations or definitions in a condition; `None` without one.
pub(crate) fn guard_of(test: &Expr) -> Option<Guard> {
    let mut found = None;
    visit::each_expression(test, &mut |expr| {
        let (name, arguments) = match &expr.node {
            Node::Call(call) => match &call.functor.node {
                Node::Name(name) => (name, &call.arguments),
                _ => return,
            },
            Node::Method(method) => (&method.name, &method.arguments),
            _ => return,
        };
        let last = name.rsplit("::").next().unwrap_or_default();
        let asks = last.contains("defined")
            || last.contains("exist")
            || matches!(last, "tagged" | "getvar" | "load_module_metadata");
        if !asks {
            return;
        }
        // A class, and a type of a module, may be missing together with the module.
        let is_of_language = |name: &str| !name.contains("::") && !name.eq_ignore_ascii_case("class");
        let is_resource = |one: &Expr| match &one.node {
            Node::Access { left, .. } => matches!(&left.node, Node::Reference(name) if is_of_language(name)),
            _ => false,
        };
        let is_of_resources = !arguments.is_empty() && arguments.iter().all(is_resource);
        if is_of_resources && found.is_none() {
            found = Some(Guard::Resources);
        } else if !is_of_resources {
            found = Some(Guard::Names);
        }
    });
    found
}
