//! Names in syntax trees.

use hieratic::value::{Str, Value};
use hieratic_puppet_syntax::ast::{Expr, Node};

/// A name without the `::` before it.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_prefix("::").unwrap_or(name)
}

/// The module of a qualified name.
pub(crate) fn module_of(name: &str) -> Option<&str> {
    name.split_once("::").map(|(module, _)| module)
}

/// The string that an expression is, if it is written out.
pub(crate) fn written_name(expr: &Expr) -> Option<Str> {
    match &expr.node {
        Node::Name(name) => Some(name.clone()),
        Node::Literal(Value::String(text)) => Some(text.clone()),
        Node::Parenthesized(inner) => written_name(inner),
        _ => None,
    }
}

/// The resource type in lower case that `File` or `Resource['file']` names; `None` if it is computed.
pub(crate) fn type_of_reference(expr: &Expr) -> Option<Str> {
    match &expr.node {
        Node::Reference(name) => Some(plain(name).to_lowercase().into()),
        Node::Access { left, keys } => match (&left.node, &keys[..]) {
            (Node::Reference(name), [kind, ..]) if name.eq_ignore_ascii_case("resource") => {
                written_name(kind).map(|kind| plain(&kind).to_lowercase().into())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The expressions of a list that is written out, or the expression itself.
pub(crate) fn listed(expr: &Expr) -> &[Expr] {
    match &expr.node {
        Node::List(all) => all,
        _ => std::slice::from_ref(expr),
    }
}

/// An expression without the parentheses around it.
pub(crate) fn bare(expr: &Expr) -> &Expr {
    match &expr.node {
        Node::Parenthesized(inner) => bare(inner),
        _ => expr,
    }
}

/// The names of definitions, and those of the language.
pub(crate) fn all_names<'n>(
    own: impl Iterator<Item = &'n str>,
    of_language: impl Iterator<Item = &'static str>,
) -> Vec<&'n str> {
    let mut all: Vec<&'n str> = own.collect();
    for name in of_language {
        all.push(name);
    }
    all
}

/// Names that are shorter resemble too many others.
const SHORTEST_NAME: usize = 3;

/// Returns whether a name that is near another one is probably a misspelling of it, although there may be more names than can
/// be seen: one letter of one part is another one, and no digit.
pub(crate) fn is_misspelling(name: &str, near: &str) -> bool {
    let (own, others): (Vec<&str>, Vec<&str>) = (name.split("::").collect(), near.split("::").collect());
    let differing: Vec<_> = own.iter().zip(&others).filter(|(one, other)| one != other).collect();
    let [(one, other)] = differing[..] else { return false };
    own.len() == others.len()
        && one.len() >= SHORTEST_NAME
        && is_one_edit(one.as_bytes(), other.as_bytes())
        && without_digits(one) != without_digits(other)
}

/// Returns whether one letter is added, removed, replaced, or changed places with the next.
pub(crate) fn is_one_edit(one: &[u8], other: &[u8]) -> bool {
    let start = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[start..], &other[start..]);
    match (one, other) {
        ([_, rest @ ..], [_, others @ ..]) if rest == others => true,
        ([_, rest @ ..], others) if rest == others => true,
        (rest, [_, others @ ..]) if rest == others => true,
        ([a, b, rest @ ..], [c, d, others @ ..]) => (a, b) == (d, c) && rest == others,
        _ => false,
    }
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_is_misspelled() {
        assert!(is_misspelling("nrp::plugin", "nrpe::plugin") && is_misspelling("fle", "file"));
        assert!(!is_misspelling("apache::vhost", "profile::apache::vhost"));
        assert!(is_misspelling("serivce", "service") && is_misspelling("filee", "file"));
        assert!(!is_misspelling("redact", "reduce"));
        assert!(!is_misspelling("php7", "php8") && !is_misspelling("ab", "abc") && !is_misspelling("a::b", "c::d"));
    }
}
