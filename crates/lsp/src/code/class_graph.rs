//! The graph of classes and defined types, whose edges are inclusion, declaration and inheritance.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Expr, Node, Program};
use hieratic_puppet_syntax::visit::each_expression;
use lsp_types::{Range, Url};
use serde::{Deserialize, Serialize};

use crate::outline::{Definition, DefinitionKind, FileOutline, Outline, literal, plain};
use crate::paths::uri_of;
use crate::positions::Lines;
use crate::snapshot::Snapshot;
use hieratic::sandbox::SlashPath as _;

/// The maximum number of edges in an answer.
const MAX_EDGES: usize = 5_000;

/// Functions that include the classes that their arguments name.
const INCLUDES: [&str; 4] = ["include", "contain", "require", "hiera_include"];

/// The way in which a definition uses another.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum UseKind {
    /// `include`, `contain` or `require`.
    Include,
    /// A declaration like a resource.
    Declare,
    Inherit,
}

/// The use of a class or a defined type in a manifest.
#[derive(Clone, Debug)]
pub(crate) struct DefinitionUse {
    pub(crate) kind: UseKind,
    /// The name, in lower case.
    pub(crate) name: Box<str>,
    pub(crate) span: Span,
    /// Whether it is a class.
    pub(crate) is_class: bool,
}

/// Returns the classes and resource types that a program uses under literal names, in its order.
pub(crate) fn uses(program: &Program) -> Vec<DefinitionUse> {
    let mut found = Vec::new();
    each_expression(&program.body, &mut |expr| match &expr.node {
        Node::Call(call) => {
            if let Node::Name(name) = &call.functor.node
                && INCLUDES.contains(&plain(name))
            {
                call.arguments.iter().for_each(|argument| add_classes(argument, UseKind::Include, &mut found));
            }
        }
        Node::Resource(resource) => {
            let Node::Name(name) = &resource.kind.node else { return };
            if &**name == "class" {
                resource.bodies.iter().for_each(|body| add_classes(&body.title, UseKind::Declare, &mut found));
            } else {
                add(name, resource.kind.span, UseKind::Declare, false, &mut found);
            }
        }
        Node::Class(class) => {
            if let Some(parent) = &class.parent {
                add(parent, class.span, UseKind::Inherit, true, &mut found);
            }
        }
        _ => {}
    });
    found.sort_erased_by_key(|one| one.span.start);
    found
}

fn add_classes(expr: &Expr, kind: UseKind, found: &mut Vec<DefinitionUse>) {
    match &expr.node {
        Node::List(elements) => elements.iter().for_each(|element| add_classes(element, kind, found)),
        _ => {
            if let Some(name) = literal(expr) {
                add(name, expr.span, kind, true, found);
            }
        }
    }
}

fn add(name: &str, span: Span, kind: UseKind, is_class: bool, found: &mut Vec<DefinitionUse>) {
    found.push(DefinitionUse { kind, name: plain(name).to_lowercase().into(), span, is_class });
}

/// The graph of classes.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClassGraph {
    pub(crate) nodes: Vec<GraphNode>,
    pub(crate) edges: Vec<GraphEdge>,
    /// The graph in the language of Graphviz.
    pub(crate) dot: String,
    /// The number of edges that are left out.
    pub(crate) omitted: usize,
}

/// A class or a defined type.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GraphNode {
    pub(crate) name: String,
    /// `class`, `define`, or `file` for code outside of both.
    pub(crate) kind: String,
    pub(crate) uri: Option<Url>,
    /// The range of the name.
    pub(crate) range: Option<Range>,
}

/// The use of one by another.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GraphEdge {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: UseKind,
}

/// Returns the graph around the definitions of a file: everything that they reach, and what uses them. Without a file, it is the graph
/// of all manifests.
pub(crate) fn graph(snapshot: &Snapshot, of: Option<&Path>) -> ClassGraph {
    let root = of.and_then(|path| snapshot.root_of(path)).or_else(|| snapshot.roots.first());
    let Some(analysis) = root.and_then(|root| root.analysis.as_ref()) else { return ClassGraph::default() };
    let outline = &analysis.outline;
    let folder = root.map(|root| root.folder.as_path()).unwrap_or(Path::new("/"));
    let mut edges = BTreeSet::new();
    for (path, file) in outline.files() {
        edges.extend(edges_of(outline, folder, path, file));
    }
    if let Some(file) = of.and_then(|path| outline.file(path)) {
        let own: BTreeSet<String> =
            file.definitions.iter().filter(|one| is_node(one)).map(|one| one.name.clone()).collect();
        edges = around(edges, own);
    }
    let omitted = edges.len().saturating_sub(MAX_EDGES);
    let edges: Vec<GraphEdge> = edges.into_iter().take(MAX_EDGES).collect();
    let names: BTreeSet<&str> = edges.iter().flat_map(|edge| [edge.from.as_str(), edge.to.as_str()]).collect();
    let nodes: Vec<GraphNode> = names.into_iter().map(|name| node(snapshot, outline, folder, name)).collect();
    let dot = dot(&edges, &nodes);
    ClassGraph { nodes, edges, dot, omitted }
}

fn is_node(one: &Definition) -> bool {
    matches!(one.kind, DefinitionKind::Class | DefinitionKind::Define)
}

/// The edges of a file: from the definition around each use, or from the file.
fn edges_of(outline: &Outline, folder: &Path, path: &Path, file: &FileOutline) -> Vec<GraphEdge> {
    let mut found = Vec::new();
    for one in &file.uses {
        let kind = if one.is_class { DefinitionKind::Class } else { DefinitionKind::Define };
        // Resource types that no manifest defines are not nodes of the graph.
        if !one.is_class && outline.find(kind, &one.name).is_none() {
            continue;
        }
        let inside =
            file.definitions.iter().filter(|outer| is_node(outer) && outer.span.range().contains(&one.span.first()));
        let enclosing = inside.min_by_key(|outer| outer.span.end - outer.span.start);
        let from = match enclosing {
            Some(enclosing) => enclosing.name.clone(),
            None => path.strip_prefix(folder).unwrap_or(path).to_slashes(),
        };
        found.push(GraphEdge { from, to: one.name.to_string(), kind: one.kind });
    }
    found
}

/// The edges that are reached from some names, and those that lead to them directly.
fn around(edges: BTreeSet<GraphEdge>, own: BTreeSet<String>) -> BTreeSet<GraphEdge> {
    let mut by_origin: BTreeMap<&str, Vec<&GraphEdge>> = BTreeMap::new();
    for edge in &edges {
        by_origin.entry(&edge.from).or_default().push(edge);
    }
    let mut kept: BTreeSet<GraphEdge> = edges.iter().filter(|edge| own.contains(&edge.to)).cloned().collect();
    let mut seen: BTreeSet<&str> = own.iter().map(String::as_str).collect();
    let mut open: Vec<&str> = seen.iter().copied().collect();
    while let Some(name) = open.pop() {
        for edge in by_origin.get(name).into_iter().flatten() {
            kept.insert((*edge).clone());
            if seen.insert(&edge.to) {
                open.push(&edge.to);
            }
        }
    }
    kept
}

fn node(snapshot: &Snapshot, outline: &Outline, folder: &Path, name: &str) -> GraphNode {
    let Some(one) = outline.named(name).find(|one| is_node(one)) else {
        let is_file = name.ends_with(".pp");
        let uri = is_file.then(|| uri_of(&folder.join(name))).flatten();
        let kind = if is_file { "file" } else { "class" };
        return GraphNode { name: name.to_owned(), kind: kind.to_owned(), uri, range: None };
    };
    let text = one.source.text();
    let range = Lines::new(text, snapshot.capabilities.encoding).range(text, one.name_span);
    let kind = one.kind.word().to_owned();
    GraphNode { name: name.to_owned(), kind, uri: uri_of(&one.path), range: Some(range) }
}

/// The graph in the language of Graphviz.
fn dot(edges: &[GraphEdge], nodes: &[GraphNode]) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = "digraph classes {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n".to_owned();
    for node in nodes {
        let style = match node.kind.as_str() {
            "define" => " [style=rounded]",
            "file" => " [shape=note]",
            _ if node.uri.is_none() => " [style=dashed]",
            _ => "",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}{style};", quoted(&node.name));
    }
    for edge in edges {
        let style = match edge.kind {
            UseKind::Include => "",
            UseKind::Declare => " [style=bold]",
            UseKind::Inherit => " [arrowhead=empty]",
        };
        let _ = writeln!(text, "  {} -> {}{style};", quoted(&edge.from), quoted(&edge.to));
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::Source;
    use hieratic_puppet_syntax::parse;

    use super::*;

    #[test]
    fn uses_are_found_by_their_form() {
        let text = "class a inherits b {\n  include c, '::d'\n  contain(['e'])\n  class { 'f': }\n  g::h { ['x', 'y']: }\n  include $no\n}\n";
        let program = parse(&Source::new("a.pp", text), &Default::default()).program.unwrap();
        let found: Vec<_> =
            uses(&program).into_iter().map(|one| (one.kind, one.name.to_string(), one.is_class)).collect();
        let class = |kind, name: &str| (kind, name.to_owned(), true);
        assert_eq!(
            found,
            [
                class(UseKind::Inherit, "b"),
                class(UseKind::Include, "c"),
                class(UseKind::Include, "d"),
                class(UseKind::Include, "e"),
                class(UseKind::Declare, "f"),
                (UseKind::Declare, "g::h".to_owned(), false),
            ]
        );
    }

    #[test]
    fn edges_around_a_definition_are_those_it_reaches_and_its_users() {
        let edge = |from: &str, to: &str| GraphEdge { from: from.into(), to: to.into(), kind: UseKind::Include };
        let all = BTreeSet::from([edge("a", "b"), edge("b", "c"), edge("c", "b"), edge("x", "y"), edge("z", "a")]);
        let kept = around(all, BTreeSet::from(["b".to_owned()]));
        assert_eq!(kept, BTreeSet::from([edge("a", "b"), edge("b", "c"), edge("c", "b")]));
    }
}
