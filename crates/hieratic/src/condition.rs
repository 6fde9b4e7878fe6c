//! [`Condition`]: an expression of the Puppet language about one node.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hieratic_budget::Budget;
use hieratic_diagnostics::{Source, did_you_mean, nearest_many};
use hieratic_puppet_eval::{Failure, Options};
use hieratic_puppet_syntax::ast::{Expr, Node, Variable};
use hieratic_puppet_syntax::visit::each_expression;
use hieratic_value::ErasedSort as _;
use hieratic_value::{Hash, Value};

use crate::code::Code;
use crate::environment::Environment;
use crate::facts::Facts;
use crate::reading::read_code;

/// An expression of the Puppet language about one node. `facts.os.family` is short for `$facts['os']['family']`, and is
/// undef if a part of the path is missing.
///
/// The condition counts its evaluations, and which of its facts existed for no node: a misspelled fact is undef for
/// every node, which a single evaluation cannot show.
#[derive(Debug)]
pub struct Condition {
    code: String,
    facts: Vec<NamedFact>,
    /// The facts of the first node, for suggestions.
    first: OnceLock<Hash>,
    evaluations: AtomicUsize,
    matches: AtomicUsize,
}

/// A fact that a condition names.
#[derive(Debug)]
struct NamedFact {
    /// The names that lead to it: `os`, `family`.
    path: Vec<String>,
    /// Whether a node had it.
    was_met: AtomicBool,
}

/// A fact in a condition that no node has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFact {
    /// The fact: `os.famly`.
    pub name: String,
    /// Facts with a similar name.
    pub near: Vec<String>,
}

impl Condition {
    /// Creates a condition from source code. It is parsed when it is first evaluated or [checked](Self::check).
    pub fn new(text: &str) -> Condition {
        let code = in_puppet(text);
        let facts = named_facts(&code);
        Condition {
            code,
            facts,
            first: OnceLock::new(),
            evaluations: AtomicUsize::new(0),
            matches: AtomicUsize::new(0),
        }
    }

    /// Checks that the condition is a valid expression, without evaluating it.
    ///
    /// # Errors
    /// The condition cannot be parsed.
    pub fn check(&self) -> Result<(), Failure> {
        read_code(&Source::new("", self.code.as_str()), false, &Options::default()).program.map(|_| ())
    }

    /// Evaluates the condition for a node, in an environment if there is one.
    ///
    /// # Errors
    /// The expression is invalid, or its evaluation fails.
    pub fn evaluate<'e>(
        &self,
        environment: impl Into<Option<&'e Environment>>,
        facts: &Facts,
    ) -> Result<Value, Failure> {
        self.evaluate_within(environment, facts, Budget::default())
    }

    /// Evaluates the condition, charged to a budget.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate), and a limit of the budget.
    pub fn evaluate_within<'e>(
        &self,
        environment: impl Into<Option<&'e Environment>>,
        facts: &Facts,
        budget: Budget,
    ) -> Result<Value, Failure> {
        self.note(facts.facts());
        let options = Options { budget, ..Options::default() };
        let value = Code::new(environment.into(), facts.clone(), options).evaluate("", &self.code).value?;
        if value.is_truthy() {
            self.matches.fetch_add(1, Ordering::Relaxed);
        }
        Ok(value)
    }

    /// Notes which of the facts that the condition names a node has.
    fn note(&self, facts: &Hash) {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        self.first.get_or_init(|| facts.clone());
        for fact in self.facts.iter().filter(|fact| !fact.was_met.load(Ordering::Relaxed)) {
            if part(facts, &fact.path).is_some() {
                fact.was_met.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Returns whether the condition was evaluated, but was true for no node.
    pub fn chose_none(&self) -> bool {
        self.evaluations.load(Ordering::Relaxed) > 0 && self.matches.load(Ordering::Relaxed) == 0
    }

    /// Returns the facts in the condition that no evaluated node has, sorted.
    pub fn unknown_facts(&self) -> Vec<UnknownFact> {
        let Some(first) = self.first.get() else { return Vec::new() };
        let missing = self.facts.iter().filter(|fact| !fact.was_met.load(Ordering::Relaxed));
        let mut missing: Vec<UnknownFact> =
            missing.map(|fact| UnknownFact { name: fact.path.join("."), near: near(first, &fact.path) }).collect();
        missing.sort_erased_by(|one, other| one.name.cmp(&other.name));
        missing
    }
}

impl fmt::Display for UnknownFact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no node has the fact '{}'", self.name)?;
        match did_you_mean(&self.near) {
            Some(question) => write!(out, "; {question}"),
            None => Ok(()),
        }
    }
}

/// The part of facts at a path: keys of hashes, positions in arrays.
fn part<'f>(facts: &'f Hash, path: &[String]) -> Option<&'f Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(facts.get(first)?, |value, name| match value {
        Value::Hash(hash) => hash.get(name),
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Facts of a node whose names are similar to the first name of a path that the node does not have.
fn near(facts: &Hash, path: &[String]) -> Vec<String> {
    let known = (0..path.len()).take_while(|length| *length == 0 || part(facts, &path[..*length]).is_some()).count();
    let Some((missing, above)) = path.get(..known).and_then(<[String]>::split_last) else { return Vec::new() };
    let names = match above {
        [] => Some(facts),
        above => part(facts, above).and_then(Value::as_hash),
    };
    let names = names.into_iter().flat_map(Hash::keys).filter_map(Value::as_str);
    let whole = |name: &str| above.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
    nearest_many(missing, names).into_iter().map(whole).collect()
}

/// The facts that code names by literals: `$facts['os']['family']` and `$facts.get('os.family')`.
fn named_facts(code: &str) -> Vec<NamedFact> {
    let parsed = hieratic_puppet_syntax::parse(&Source::new("", code), &hieratic_puppet_syntax::Options::default());
    // Code that does not parse fails for every node.
    let Some(program) = parsed.program else { return Vec::new() };
    let mut paths: Vec<Vec<String>> = Vec::new();
    each_expression(&program.body, &mut |expr| {
        let path = match &expr.node {
            Node::Access { .. } => accessed(expr),
            Node::Method(method) if &*method.name == "get" && is_facts(&method.receiver) => {
                let path = method.arguments.first().and_then(literal);
                path.map(|path| path.split('.').map(str::to_owned).collect())
            }
            _ => None,
        };
        if let Some(path) = path
            && !paths.contains(&path)
        {
            paths.push(path);
        }
    });
    // Of `$facts['os']['family']`, the inner access was seen as well.
    let is_inner = |path: &[String]| paths.iter().any(|other| other.len() > path.len() && other.starts_with(path));
    let outer: Vec<Vec<String>> = paths.iter().filter(|path| !is_inner(path)).cloned().collect();
    outer.into_iter().map(|path| NamedFact { path, was_met: AtomicBool::new(false) }).collect()
}

/// The names of nested accesses to `$facts`, if all of them are literals.
fn accessed(expr: &Expr) -> Option<Vec<String>> {
    let (mut names, mut expr) = (Vec::new(), expr);
    while let Node::Access { left, keys } = &expr.node {
        let [key] = keys.as_slice() else { return None };
        names.push(literal(key)?.to_owned());
        expr = left;
    }
    names.reverse();
    is_facts(expr).then_some(names)
}

fn is_facts(expr: &Expr) -> bool {
    let Node::Variable(Variable::Local(name) | Variable::Qualified(name)) = &expr.node else { return false };
    matches!(&**name, "facts" | "::facts")
}

fn literal(expr: &Expr) -> Option<&str> {
    match &expr.node {
        Node::Literal(value) => value.as_str(),
        Node::Name(name) => Some(name),
        _ => None,
    }
}

/// Rewrites `facts.a.b` and `trusted.a.b` to calls that return undef for missing facts.
fn in_puppet(filter: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut rest = filter;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let word = ["facts.", "trusted."].into_iter().find(|word| {
            quote.is_none()
                && rest.starts_with(word)
                && !before.is_alphanumeric()
                && !matches!(before, '$' | '_' | ':' | '.')
        });
        if let Some(word) = word {
            let path = &rest[word.len()..];
            let end = path.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(path.len());
            if end > 0 {
                out.push_str(&format!("${}get('{}')", word, &path[..end]));
                rest = &path[end..];
                before = 'x';
                continue;
            }
        }
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        out.push(c);
        before = c;
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_written_as_in_hierarchies() {
        assert_eq!(in_puppet("facts.role == \"web\""), "$facts.get('role') == \"web\"");
        assert_eq!(in_puppet("!(trusted.extensions.pp_role =~ /x/)"), "!($trusted.get('extensions.pp_role') =~ /x/)");
        assert_eq!(in_puppet("$facts[a] == 'facts.b'"), "$facts[a] == 'facts.b'");
    }

    #[test]
    fn facts_that_no_node_has_are_named() {
        let os: Value = [("family", Value::from("Debian"))].into_iter().collect::<Hash>().into();
        let facts: Hash = [("role", Value::from("web")), ("os", os)].into_iter().collect();
        let node = Facts::new(Some("a"), facts);
        let of = |text: &str| {
            let condition = Condition::new(text);
            let value = condition.evaluate(None, &node).unwrap().is_truthy();
            let unknown: Vec<String> = condition.unknown_facts().iter().map(ToString::to_string).collect();
            assert_eq!(condition.chose_none(), !value);
            (value, unknown.join(" | "))
        };
        assert_eq!(of("facts.role == 'web' and facts.os.family == 'Debian'"), (true, String::new()));
        assert_eq!(of("facts.rol == 'web'"), (false, "no node has the fact 'rol'; did you mean 'role'?".into()));
        assert_eq!(
            of("facts.os.famly == 'Debian' or $facts['zone'] == 'a'"),
            (false, "no node has the fact 'os.famly'; did you mean 'os.family'? | no node has the fact 'zone'".into())
        );
        assert_eq!(of("$facts['os']['family'] =~ /Deb/"), (true, String::new()));
        assert!(Condition::new("facts.role ==").check().is_err() && Condition::new("facts.role").check().is_ok());
    }
}
