//! [`variables`] resolves every `$name` of a source, if this is possible without evaluation.

use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Assignment, Expr, Lambda, Node, Parameter, Program, Variable};
use hieratic_puppet_syntax::visit::{self, Visitor};
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Rich, Value};

use crate::walk::{MIN_STACK, STACK_SEGMENT};

/// The variables of a source and their scopes.
#[derive(Debug, Default)]
pub struct Variables<'t> {
    /// The scopes. Each is after its outer scope, and the first one is the whole source.
    pub scopes: Vec<Scope<'t>>,
    /// All uses of variables by a name without `::`.
    pub uses: Vec<Use<'t>>,
}

/// A part of code with its own variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope<'t> {
    /// The kind of the scope.
    pub kind: ScopeKind,
    /// The name of the definition. It may be empty.
    pub name: &'t str,
    /// The class that it inherits from.
    pub inherits: Option<&'t str>,
    /// The index of the outer scope whose variables are visible, for a block.
    pub parent: Option<usize>,
    /// Its position.
    pub span: Span,
}

/// The kinds of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// The whole source.
    Program,
    /// A class.
    Class,
    /// A defined type.
    Define,
    /// A function.
    Function,
    /// A plan.
    Plan,
    /// A node definition.
    Node,
    /// A block of a call.
    Block,
}

/// A use of a variable: it is set or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use<'t> {
    /// The name, without the dollar.
    pub name: &'t str,
    /// The span of the name. In a string, it may include the braces.
    pub span: Span,
    /// The index of the scope that contains the use.
    pub within: usize,
    /// The index of the scope that sets the variable. `None` if no enclosing scope sets it.
    pub scope: Option<usize>,
    /// Whether the variable is set before the use on every path of evaluation. Otherwise, the use may read a variable
    /// of an outer scope.
    pub is_certain: bool,
    /// The role of the use.
    pub role: Role,
}

/// The role of a use of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It declares a parameter.
    Parameter,
    /// It sets the variable.
    Set,
    /// It reads the variable.
    Read,
}

/// Resolves every `$name` of a program to its variable.
///
/// ```
/// use hieratic_puppet_validator::{Role, variables};
///
/// let source = hieratic_diagnostics::Source::new("a.pp", "class a { $x = 1 [2].each |$x| { notice($x) } notice($y) }");
/// let program = hieratic_puppet_syntax::parse(&source, &Default::default()).program.unwrap();
/// let found = variables(&program);
/// let read: Vec<_> = found.uses.iter().filter(|one| one.role == Role::Read).map(|one| (one.name, one.scope)).collect();
/// assert_eq!(read, [("x", Some(2)), ("y", None)]);
/// ```
pub fn variables(program: &Program) -> Variables<'_> {
    let mut walk = Walk::default();
    walk.enter(ScopeKind::Program, "", None, None, program.body.span, |walk| walk.visit(&program.body));
    let Walk { mut found, bound, .. } = walk;
    for one in &mut found.uses {
        let mut scope = Some(one.within);
        one.scope = loop {
            let Some(at) = scope else { break None };
            if one.is_certain && one.scope == Some(at) || bound.contains(&(at, one.name)) {
                one.is_certain &= one.scope == Some(at);
                break Some(at);
            }
            scope = found.scopes.get(at).and_then(|scope| scope.parent);
        };
    }
    found
}

/// The functions after which nothing is evaluated.
const ENDING: [&str; 4] = ["fail", "return", "next", "break"];

#[derive(Default)]
struct Walk<'t> {
    found: Variables<'t>,
    /// The variables that scopes have.
    bound: HashSet<(usize, &'t str)>,
    /// The variables that are certainly set, and the order in which they were set.
    set: HashSet<(usize, &'t str)>,
    order: Vec<(usize, &'t str)>,
    /// The enclosing scopes.
    around: Vec<usize>,
    /// Whether the code from here on is unreachable.
    is_over: bool,
}

impl<'t> Walk<'t> {
    fn enter(
        &mut self,
        kind: ScopeKind,
        name: &'t str,
        inherits: Option<&'t str>,
        parent: Option<usize>,
        span: Span,
        inside: impl FnOnce(&mut Self),
    ) {
        let at = self.found.scopes.len();
        self.found.scopes.push(Scope { kind, name, inherits, parent, span });
        self.around.push(at);
        let (before, was_over) = (self.order.len(), std::mem::take(&mut self.is_over));
        inside(self);
        self.forget(before);
        self.is_over = was_over;
        self.around.pop();
    }

    fn within(&self) -> usize {
        self.around.last().copied().unwrap_or_default()
    }

    /// Removes and returns the variables that were set after the order had `before` entries.
    fn forget(&mut self, before: usize) -> Vec<(usize, &'t str)> {
        let gone = self.order.split_off(before);
        for one in &gone {
            self.set.remove(one);
        }
        gone
    }

    fn is_set(&mut self, one: (usize, &'t str)) {
        if self.set.insert(one) {
            self.order.push(one);
        }
    }

    /// Visits alternative branches, one of which is evaluated. Unless `is_complete`, possibly none of them is.
    fn branches(&mut self, parts: &[Option<&'t Expr>], is_complete: bool) {
        let mut counts: HashMap<(usize, &'t str), usize> = HashMap::default();
        let mut alive = usize::from(!is_complete);
        let was_over = self.is_over;
        for part in parts {
            let before = self.order.len();
            self.is_over = false;
            if let Some(part) = part {
                self.visit(part);
            }
            let set = self.forget(before);
            if !self.is_over {
                alive += 1;
                for one in set {
                    *counts.entry(one).or_default() += 1;
                }
            }
        }
        self.is_over = was_over || alive == 0;
        let mut always: Vec<_> = counts.into_iter().filter(|(_, count)| *count == alive).map(|(one, _)| one).collect();
        always.sort_unstable();
        always.into_iter().for_each(|one| self.is_set(one));
    }

    fn sets(&mut self, name: &'t str, span: Span, role: Role) {
        let within = self.within();
        self.bound.insert((within, name));
        self.is_set((within, name));
        self.found.uses.push(Use { name, span, within, scope: Some(within), is_certain: true, role });
    }

    fn reads(&mut self, name: &'t str, span: Span) {
        let within = self.within();
        let mut scope = Some(within);
        while let Some(at) = scope
            && !self.set.contains(&(at, name))
        {
            scope = self.found.scopes.get(at).and_then(|scope| scope.parent);
        }
        let is_certain = scope.is_some();
        self.found.uses.push(Use { name, span, within, scope, is_certain, role: Role::Read });
    }

    /// Visits the variables on the left of an assignment.
    fn targets(&mut self, left: &'t Expr) {
        let mut open = vec![left];
        while let Some(expr) = open.pop() {
            match &expr.node {
                Node::Variable(Variable::Local(name)) => self.sets(name, expr.span, Role::Set),
                Node::List(all) => open.extend(all.iter().rev()),
                _ => self.visit(expr),
            }
        }
    }

    fn visit(&mut self, expr: &'t Expr) {
        stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || self.visit_here(expr));
    }

    fn visit_here(&mut self, expr: &'t Expr) {
        match &expr.node {
            Node::Variable(Variable::Local(name)) => self.reads(name, expr.span),
            Node::Assign(Assignment::Set, left, right) => {
                self.visit(right);
                self.targets(left);
            }
            Node::And(left, right) | Node::Or(left, right) => {
                self.visit(left);
                self.branches(&[Some(right)], false);
            }
            Node::If(one) | Node::Unless(one) => {
                self.visit(&one.test);
                self.branches(&[Some(&one.then), one.otherwise.as_ref()], true);
            }
            Node::Case(case) => {
                self.visit(&case.test);
                let values = case.options.iter().flat_map(|option| &option.values);
                values.for_each(|value| self.visit(value));
                let is_default = |value: &Expr| match &value.node {
                    Node::Literal(Value::Rich(rich)) => matches!(**rich, Rich::Default),
                    _ => false,
                };
                let is_complete = case.options.iter().any(|option| option.values.iter().any(is_default));
                let parts: Vec<_> = case.options.iter().map(|option| Some(&option.then)).collect();
                self.branches(&parts, is_complete);
            }
            Node::Selector(subject, entries) => {
                self.visit(subject);
                entries.iter().for_each(|entry| self.visit(&entry.matching));
                let parts: Vec<_> = entries.iter().map(|entry| Some(&entry.value)).collect();
                self.branches(&parts, true);
            }
            Node::Apply { arguments, body } => {
                arguments.iter().for_each(|argument| self.visit(argument));
                if let Some(body) = body {
                    let outer = Some(self.within());
                    self.enter(ScopeKind::Block, "", None, outer, body.span, |walk| walk.visit(body));
                }
            }
            Node::Class(one) => {
                self.enter(ScopeKind::Class, &one.name, one.parent.as_deref(), None, one.span, |walk| {
                    visit::parameters(walk, &one.parameters);
                    walk.visit(&one.body);
                })
            }
            Node::Define(one) => self.enter(ScopeKind::Define, &one.name, None, None, one.span, |walk| {
                visit::parameters(walk, &one.parameters);
                walk.visit(&one.body);
            }),
            Node::Function(one) | Node::Plan(one) => {
                let kind = if matches!(expr.node, Node::Plan(_)) { ScopeKind::Plan } else { ScopeKind::Function };
                self.enter(kind, &one.name, None, None, one.span, |walk| {
                    visit::parameters(walk, &one.parameters);
                    walk.visit(&one.body);
                });
            }
            Node::NodeDefinition(one) => {
                one.matches.iter().for_each(|one| self.visit(one));
                self.enter(ScopeKind::Node, "", None, None, one.span, |walk| walk.visit(&one.body));
            }
            _ => {
                visit::children(self, expr);
                if let Node::Call(call) = &expr.node
                    && let Node::Name(name) = &call.functor.node
                {
                    self.is_over |= ENDING.contains(&&**name);
                }
            }
        }
    }
}

impl<'t> Visitor<'t> for Walk<'t> {
    fn expression(&mut self, expr: &'t Expr) {
        self.visit(expr);
    }

    fn parameter(&mut self, parameter: &'t Parameter) {
        parameter.kind.iter().for_each(|kind| self.visit(kind));
        // A default sees the parameters before its own.
        parameter.default.iter().for_each(|default| self.visit(default));
        let end = parameter.at + u32::try_from(parameter.name.len() + 1).unwrap_or_default();
        self.sets(&parameter.name, Span { start: parameter.at, end }, Role::Parameter);
    }

    fn lambda(&mut self, lambda: &'t Lambda) {
        let outer = Some(self.within());
        self.enter(ScopeKind::Block, "", None, outer, lambda.span, |walk| {
            visit::parameters(walk, &lambda.parameters);
            walk.visit(&lambda.body);
        });
    }
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::Source;

    use super::*;

    /// Returns the kind of the scope for each read of `$x`, with a question mark if it may be another variable.
    fn read(code: &str) -> Vec<String> {
        let program = hieratic_puppet_syntax::parse(&Source::new("a.pp", code), &Default::default()).program.unwrap();
        let found = variables(&program);
        let reads = found.uses.iter().filter(|one| one.role == Role::Read && one.name == "x");
        let describe = |one: &Use<'_>| match one.scope {
            Some(scope) => format!("{:?}{}", found.scopes[scope].kind, if one.is_certain { "" } else { "?" }),
            None => "-".to_owned(),
        };
        reads.map(describe).collect()
    }

    #[test]
    fn scopes_are_those_of_the_language() {
        for (code, expected) in [
            ("$x = 1 notice($x)", &["Program"] as &[&str]),
            ("$x = 1 class c { notice($x) }", &["-"]),
            ("class c($x) { notice(\"${x}\") }", &["Class"]),
            ("define d { notice($x) $x = 1 notice($x) }", &["Define?", "Define"]),
            ("function f($x, $y = $x) { $x }", &["Function", "Function"]),
            ("node a { $x = 1 [1].each |$y| { notice($x) } }", &["Node"]),
            ("class c { $x = 1 [1].each |$x| { notice($x) } notice($x) }", &["Block", "Class"]),
            ("class c { $x = 1 [1].each |$y| { notice($x) $x = 2 notice($x) } }", &["Block?", "Block"]),
            ("class c { $x = 1 [1].map |$y = $x, $x = 1| { $x } }", &["Block?", "Block"]),
            ("class c { [1].each |$y| { $x = 1 } notice($x) }", &["-"]),
            ("class c { [$x, [$y]] = [1, [2]] notice($x) }", &["Class"]),
            ("class c { $x = $x }", &["Class?"]),
        ] {
            assert_eq!(read(code), expected, "{code}");
        }
    }

    #[test]
    fn a_variable_is_certain_if_every_way_sets_it() {
        for (code, expected) in [
            ("if $a { $x = 1 } else { $x = 2 } notice($x)", "Program"),
            ("if $a { $x = 1 } notice($x)", "Program?"),
            ("if $a { $x = 1 } else { fail('no') } notice($x)", "Program"),
            ("unless $a { $x = 1 } else { $x = 2 } notice($x)", "Program"),
            ("case $a { 1: { $x = 1 } default: { $x = 2 } } notice($x)", "Program"),
            ("case $a { 1: { $x = 1 } 2: { $x = 2 } } notice($x)", "Program?"),
            ("case $a { 1: { $x = 1 } default: { if $b { $x = 2 } else { fail('') } } } notice($x)", "Program"),
            ("$a and ($x = 1) notice($x)", "Program?"),
        ] {
            assert_eq!(read(code), [expected], "{code}");
        }
    }

    #[test]
    fn nested_code_is_read_in_time() {
        let depth = 300;
        let code = format!("{}$x = 1{}", "if $a { ".repeat(depth), " }".repeat(depth));
        assert_eq!(read(&format!("{code} notice($x)")), ["Program?"]);
    }
}
