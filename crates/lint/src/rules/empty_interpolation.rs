//! # empty-interpolation
//!
//! An interpolation is empty for some nodes. (warning)
//!
//! ## What is found
//!
//! With `--facts`: a variable is missing, null or empty for some of the nodes that read the file, or a key is missing
//! from all levels of a node. The finding names the nodes.
//!
//! `%{lookup('key')}` interpolates the value of the key again. A `%{name}` that `%{literal('%')}{name}` protects in it
//! comes out empty.
//!
//! ## Why it matters
//!
//! Nothing fails. The string silently lacks a part, such as `https:///index.html`.
//!
//! ## How to fix it
//!
//! Give these nodes the fact, or set the key in a level that all nodes read.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{facts.site}.example.com/"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('site')}.example.com/"
//! site: main
//! ```
//!
//! A comment `# hieratic: ignore empty-interpolation` on the same line or the line before accepts the finding.

use hieratic::hiera::inspect::{Interpolated, InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::{Node, Query};

use crate::finding::Finding;
use crate::rules;
use crate::walks::interpolations::KeyView;
use crate::workspace::list;
use crate::workspace::nodes::GivenNode;

/// Finds the nodes that read an interpolation and have no value for the key that it looks up.
pub(crate) fn without_key(key: &str, written: &str, view: &KeyView<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    if view.has_unread_levels {
        return None;
    }
    let lacks = |known: &&&GivenNode<'_>| {
        let answer = known.node.lookup(&Query::new(key));
        matches!(answer, Err(error) if error.code() == Node::NOT_FOUND)
    };
    let lacking: Vec<&str> = readers.iter().filter(lacks).map(|known| known.name).collect();
    (!lacking.is_empty()).then(|| {
        let nodes = list(&lacking);
        let message = format!("'{written}' is empty for {nodes}: none of their levels has the key '{key}'");
        Finding::new(&rules::EMPTY_INTERPOLATION, message).help("set the key in a level that all nodes read")
    })
}

/// The finding about a variable that some nodes lack.
pub(crate) fn of_variable(written: &str, nodes: &[&str]) -> Finding {
    let message = format!("'{written}' is empty for {}", list(nodes));
    Finding::new(&rules::EMPTY_INTERPOLATION, message)
        .help("set the fact on these nodes, or add a separate level for them")
}

/// A string protects a `%{` by `literal()`, which protects it only once: the result of `lookup()` is interpolated
/// again.
pub(crate) fn interpolated_twice(
    key: &Key,
    written: &str,
    view: &KeyView<'_>,
    readers: &[&GivenNode<'_>],
) -> Option<Finding> {
    if !key.segments().is_empty() {
        return None;
    }
    let root = key.root();
    let mut protected = view.named.get(&**root)?.protected.iter();
    let (file, inner) =
        protected.find_map(|(file, inner)| Some((file, inner.iter().find(|inner| is_empty(inner, view, readers))?)))?;
    let message = format!("'{written}' interpolates '{root}' again: '%{{{inner}}}' in it comes out empty");
    let found = Finding::new(&rules::EMPTY_INTERPOLATION, message);
    let found = found.related(&file.source, file.value_span(root), "literal() protects it only once");
    Some(found.help(format!("write `%{{alias('{root}')}}` as the entire string, or repeat the text here")))
}

/// The variables in a string after `literal()` has produced a `%{` in it.
pub(crate) fn protected(text: &str) -> Vec<String> {
    let mut out = String::new();
    let mut done = 0;
    let mut marks = Vec::new();
    for found in interpolations(text) {
        out.push_str(&text[done..found.range.start]);
        done = found.range.end;
        if let InterpolationKind::Literal(literal) = found.kind {
            marks.push(out.len());
            out.push_str(&literal);
        }
    }
    out.push_str(&text[done..]);
    let again = interpolations(&out).into_iter().filter(|found| marks.contains(&found.range.start));
    again
        .filter_map(|found| match found.kind {
            InterpolationKind::Variable(name) => Some(name),
            _ => None,
        })
        .collect()
}

/// Returns whether a variable is missing on a node that reads the string. Without nodes: whether it cannot be a fact,
/// because names of facts are lowercase.
fn is_empty(variable: &str, view: &KeyView<'_>, readers: &[&GivenNode<'_>]) -> bool {
    if view.knows_nodes {
        return readers.iter().any(|known| known.node.interpolated(variable) == Interpolated::Missing);
    }
    let root = variable.strip_prefix("::").unwrap_or(variable).split('.').next().unwrap_or_default();
    !root.contains("::") && !root.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}
