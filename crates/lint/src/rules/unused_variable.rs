//! # unused-variable
//!
//! A variable is never read. (note)
//!
//! ## What is found
//!
//! A defined type, a function, a plan or a block sets a variable that nothing in it reads, or a block reads none of its
//! parameters. A parameter next to one that is read is not reported, because functions pass other values to a block
//! with another number of parameters. Neither are names that begin with an underscore, variables of an assignment to a
//! list, and parameters of classes, defined types and functions.
//!
//! Variables of classes, of nodes and of the top scope are not reported: other code can read them by their names.
//!
//! A finding must be certain. Nothing is reported in code with errors, or where something could read variables without
//! naming them: templates (`template`, `epp`), lookups (`lookup`, `hiera`), `include` and declarations of classes,
//! functions that take names of variables (`getvar`, `defined`), and functions that are neither of the language nor of
//! stdlib.
//!
//! ## Why it matters
//!
//! The variable is left over from a change, or its name is misspelled where it is read.
//!
//! ## How to fix it
//!
//! Remove the variable. If a block does not need its arguments, begin the names of its parameters with an underscore.
//!
//! ## Example
//!
//! ```puppet
//! define profile::site (Hash $sites) {
//!   $folder = "/srv/${title}"
//!   $sites.each |$site| {
//!     file { "/srv/${title}": ensure => directory }
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! define profile::site (Hash $sites) {
//!   $sites.each |$site| {
//!     file { "/srv/${title}/${site}": ensure => directory }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore unused-variable` on the same line or the line before accepts the finding.

use hieratic::puppet_eval::is_function;
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashSet;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Assignment, Expr, Lambda, Node, Parameter, Program, Variable};
use hieratic_puppet_syntax::visit::{each_child, each_expression};

use super::ProgramContext;
use crate::finding::Finding;
use crate::rules;

/// Functions that read variables around their call, or have others do so: by names in strings, in templates and in
/// data, or as the scope of a class that they declare.
const SEEING: &[&str] = &[
    "template",
    "inline_template",
    "epp",
    "inline_epp",
    "lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "getvar",
    "defined",
    "include",
    "contain",
    "require",
    "create_resources",
    "ensure_resource",
    "ensure_resources",
    "ensure_packages",
    "call",
    "apply",
    "import",
];

/// The deepest nesting of scopes that is checked: each scope is traversed once for every scope around it.
const DEEPEST: usize = 20;

/// A part of code with separate variables.
struct Scope<'p> {
    /// The parameters that are judged.
    parameters: &'p [Parameter],
    body: &'p Expr,
}

/// Finds the variables that are set and never read.
///
/// A variable is checked if only code in the file can read it: in defined types, functions, plans and blocks. Variables
/// of classes, of nodes and of the top scope have names by which other files can read them. A scope is skipped if it
/// calls something that can see all variables around the call: a template, a lookup, a declared class, an unknown
/// function.
pub(super) fn check(cx: &ProgramContext<'_>) {
    let program = cx.program;
    let mut found: Vec<(Span, &str, &str)> = scopes(program).iter().flat_map(unread).collect();
    found.sort_erased_by_key(|(span, ..)| span.start);
    found.dedup();
    for (span, subject, name) in found {
        let finding = Finding::new(&rules::UNUSED_VARIABLE, format!("The {subject} '${name}' is never read"));
        cx.report(finding.at(&program.source, span, "").help(match subject {
            "parameter" => "read it, or begin its name with an underscore",
            _ => "remove it, or begin its name with an underscore",
        }));
    }
}

/// The scopes that nothing outside can see into.
fn scopes(program: &Program) -> Vec<Scope<'_>> {
    let mut found = Vec::new();
    let mut open = vec![(&program.body, 0)];
    while let Some((expr, depth)) = open.pop() {
        let inner = match &expr.node {
            Node::Define(one) => Some(Scope { parameters: &[], body: &one.body }),
            Node::Function(one) | Node::Plan(one) => Some(Scope { parameters: &[], body: &one.body }),
            _ => None,
        };
        let depth = depth + usize::from(inner.is_some());
        found.extend(inner.filter(|_| depth <= DEEPEST));
        each_child(expr, &mut |child| open.push((child, depth)));
        if let Some(lambda) = lambda_of(expr) {
            open.push((&lambda.body, depth + 1));
            open.extend(lambda.parameters.iter().filter_map(|one| Some((one.default.as_ref()?, depth + 1))));
            if depth < DEEPEST {
                found.push(Scope { parameters: &lambda.parameters, body: &lambda.body });
            }
        }
    }
    found
}

fn lambda_of(expr: &Expr) -> Option<&Lambda> {
    match &expr.node {
        Node::Call(call) => call.lambda.as_deref(),
        Node::Method(method) => method.lambda.as_deref(),
        _ => None,
    }
}

/// The variables of a scope that are never read: the span, the kind and the name of each.
fn unread<'p>(scope: &Scope<'p>) -> Vec<(Span, &'static str, &'p str)> {
    let Some(read) = read(scope) else { return Vec::new() };
    let is_unread = |name: &str| !name.starts_with('_') && !read.contains(name);
    let set = set(scope.body).into_iter().filter(|(_, name)| is_unread(name));
    let mut found: Vec<_> = set.map(|(span, name)| (span, "variable", name)).collect();
    // The number of parameters is significant: `each` passes other values to one parameter than to two.
    let is_any_read = scope.parameters.iter().any(|one| read.contains(&*one.name));
    for parameter in scope.parameters.iter().filter(|one| !is_any_read && is_unread(&one.name)) {
        let end = parameter.at + u32::try_from(parameter.name.len() + 1).unwrap_or_default();
        found.push((Span { start: parameter.at, end }, "parameter", &*parameter.name));
    }
    found
}

/// The variables that a body sets in its own scope.
fn set(body: &Expr) -> Vec<(Span, &str)> {
    let mut found = Vec::new();
    let mut open = vec![body];
    while let Some(expr) = open.pop() {
        match &expr.node {
            // These have separate scopes.
            Node::Class(_) | Node::Define(_) | Node::Function(_) | Node::Plan(_) | Node::NodeDefinition(_) => continue,
            Node::Assign(Assignment::Set, left, _) => {
                if let Node::Variable(Variable::Local(name)) = &left.node {
                    found.push((left.span, &**name));
                }
            }
            _ => {}
        }
        each_child(expr, &mut |child| open.push(child));
    }
    found
}

/// The names of variables that are read in a scope and in those inside it; `None` if these are unknown.
fn read<'p>(scope: &Scope<'p>) -> Option<HashSet<&'p str>> {
    let mut written: HashSet<u32> = HashSet::default();
    let mut named: Vec<(u32, &str)> = Vec::new();
    let mut is_seen = false;
    let mut look = |expr: &'p Expr| match &expr.node {
        Node::Assign(_, left, _) => {
            if let Node::Variable(Variable::Local(_)) = &left.node {
                written.insert(left.span.start);
            }
        }
        Node::Variable(Variable::Local(name)) => named.push((expr.span.start, name)),
        Node::Variable(Variable::Qualified(name)) => {
            named.push((expr.span.start, name.rsplit("::").next().unwrap_or(name)));
        }
        Node::Variable(Variable::Computed(_)) => is_seen = true,
        Node::Call(call) => {
            is_seen |= match &call.functor.node {
                Node::Name(name) => sees(name),
                // A type creates a value from its arguments.
                Node::Reference(_) | Node::Access { .. } => false,
                _ => true,
            };
        }
        Node::Method(method) => is_seen |= sees(&method.name),
        Node::Resource(resource) => {
            is_seen |= match &resource.kind.node {
                Node::Name(name) => name.trim_start_matches("::") == "class",
                Node::Reference(_) => false,
                _ => true,
            };
        }
        _ => {}
    };
    each_expression(scope.body, &mut look);
    for default in scope.parameters.iter().filter_map(|one| one.default.as_ref()) {
        each_expression(default, &mut look);
    }
    (!is_seen).then(|| named.into_iter().filter(|(at, _)| !written.contains(at)).map(|(_, name)| name).collect())
}

/// Returns whether a function can see the variables around its call.
fn sees(name: &str) -> bool {
    let name = name.trim_start_matches("::");
    SEEING.contains(&name) || !is_function(name)
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::Source;

    use super::*;

    fn found(code: &str) -> Vec<String> {
        let program = hieratic_puppet_syntax::parse(&Source::new("a.pp", code), &Default::default()).program.unwrap();
        let describe = |finding: Finding| {
            let (_, span) = finding.primary().unwrap();
            let message = &finding.diagnostic.message;
            assert!(message.contains(&format!("'{}'", &code[span.range()])), "{message}");
            message.clone()
        };
        let options = crate::Options::default();
        let code = crate::code_folders::CodeFolders::default();
        let context = ProgramContext::new(&program, &options, false, &code);
        check(&context);
        context.into_findings().into_iter().map(describe).collect()
    }

    #[test]
    fn unread_variables_are_found() {
        let code = "define a::b($unused) {\n  $x = 1\n  $y = 2\n  $z = \"${y}\"\n  [1].each |$i, $j, $k, $_l| { $m = $j }\n}\n";
        assert_eq!(
            found(code),
            ["The variable '$x' is never read", "The variable '$z' is never read", "The variable '$m' is never read",]
        );
        assert_eq!(found("function f($a) { if true { $x = 1 } else { $x = 2 } $a }").len(), 2);
        assert_eq!(found("class c { [1].each |$i| { notice('x') } }"), ["The parameter '$i' is never read"]);
    }

    #[test]
    fn variables_that_may_be_read_are_not_found() {
        for code in [
            "class c { $x = 1 }",
            "$x = 1",
            "node default { $x = 1 }",
            "define d { $x = 1 file { '/f': content => template('m/t.erb') } }",
            "define d { $x = 1 $y = epp('m/t.epp') notice($y) }",
            "define d { $x = 1 notice(lookup('k')) }",
            "define d { $x = 1 notice(getvar('x')) }",
            "define d { $x = 1 m::unknown() }",
            "define d { $x = 1 include c }",
            "define d { $x = 1 class { 'c': } }",
            "define d { $x = 1 [1].each |$i| { notice(\"${x}${i}\") } }",
            "define d { [$x, $y] = [1, 2] }",
            "define d { $x = { a => 1 } notice($x['a'], \"${x['a']}\") }",
            "define d { $x = 1 notice(@(\"E\")) }\n  ${x}\n  | E\n",
            "define d { $x = 1 notice($d::x) }",
            "define d { $_x = 1 }",
            "define d { [1].each |$i = 1, $j = $i| { notice($j) } }",
        ] {
            assert_eq!(found(code), [] as [&str; 0], "{code}");
        }
    }

    #[test]
    fn nested_scopes_are_checked_in_time() {
        let depth = 400;
        let code = format!("{}{}", "[1].each |$x| { ".repeat(depth), "}".repeat(depth));
        assert_eq!(found(&code).len(), DEEPEST);
    }
}
