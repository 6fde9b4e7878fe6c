//! Compiles the catalogs of the known nodes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::catalog::{Compilation, GroupMemo};
use hieratic::value::ErasedSort as _;
use hieratic::{Catalog, Compiler, Facts};
use rayon::prelude::*;

use crate::finding::Finding;
use crate::options::Options;
use crate::paths::shown;
use crate::rules::{RuleContext, catalog, dependency_cycle, not_seen, unknown_class};
use crate::texts;
use crate::workspace::{Code, Workspace, is_named};

/// The reason why a catalog cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CatalogFailure {
    /// The file, line and column, if they are known.
    pub(crate) place: Option<(String, u32, u32)>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The code is wrong.
    Code,
    /// Resources wait for each other.
    Cycle,
    /// The reference might compile it: something that code needs is not there, or not allowed, here.
    Ours,
    /// Nothing fails, and the node gets no class.
    NoClasses,
}

/// The identity of a cause: its position and its message without the name of the node.
type Cause = (Option<(String, u32, u32)>, String, Kind);

/// The most nodes that a finding names.
const SHOWN: usize = 5;

/// Finds the failures of the catalogs of the nodes that are known: each cause once.
pub(super) fn check(cx: &RuleContext<'_>) {
    cx.report_all(compiled(cx.workspace, cx.code, cx.options));
}

/// Compiles the catalogs of the nodes that are known, if that is wanted.
fn compiled(workspace: &Workspace, code: &Code, options: &Options) -> Vec<Finding> {
    let Some(limits) = options.catalogs else { return Vec::new() };
    let compiler = options.inputs.given_to(Compiler::limited(&workspace.environment, limits));
    let known = GroupMemo::default();
    let failed: Vec<(CatalogFailure, String)> = options
        .nodes
        .par_iter()
        .filter(|facts| is_of_environment(workspace, options, facts))
        .filter_map(|facts| {
            let failure = failure_of(&compiler, &known, facts, options)?;
            Some((failure, facts.node().unwrap_or_default().to_owned()))
        })
        .collect();
    let mut causes: BTreeMap<Cause, (CatalogFailure, Vec<String>)> = BTreeMap::new();
    for (reason, node) in failed {
        let message = if node.is_empty() { reason.message.clone() } else { reason.message.replace(&node, "NODE") };
        causes.entry((reason.place.clone(), message, reason.kind)).or_insert_with(|| (reason, Vec::new())).1.push(node);
    }
    // If modules or data are missing, the server may compile something else.
    let is_whole = workspace.note().is_none();
    let is_certain = |reason: &CatalogFailure| {
        is_whole || reason.kind == Kind::Code && is_missing_from_module(workspace, code, reason)
    };
    causes
        .into_values()
        .map(|(mut reason, nodes)| {
            reason.place = reason.place.take().or_else(|| last_place(&reason.message));
            reason.place = reason.place.take().or_else(|| place_of_lookup(code, &reason.message));
            finding(workspace, &reason, nodes, is_certain(&reason))
        })
        .collect()
}

/// The last place that a message names, as the reference writes it: a failure in a class that a classifier assigns has
/// none but that.
fn last_place(message: &str) -> Option<(String, u32, u32)> {
    let (_, rest) = message.rsplit_once("(file: ")?;
    let (file, rest) = rest.split_once(", line: ")?;
    let (numbers, _) = rest.split_once(')')?;
    let (line, column) = numbers.split_once(", column: ").unwrap_or((numbers, "1"));
    // A message that only looks so names no place.
    Some((file.to_owned(), line.parse().ok()?, column.parse().ok()?))
}

/// The position of the only call that looks up a key that was not found. The error of a lookup has no position.
fn place_of_lookup(code: &Code, message: &str) -> Option<(String, u32, u32)> {
    let (_, rest) = message.split_once("did not find a value for the name '")?;
    let key = rest.split('\'').next()?;
    let mut places = code
        .lookup_calls
        .for_key(key)
        .filter(|request| !request.has_default)
        .filter_map(|request| request.place.as_ref());
    let (source, span) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let at = source.start(*span);
    Some((source.name().to_owned(), at.line, at.column))
}

/// Returns whether a node belongs to the environment: its classifier may name another.
fn is_of_environment(workspace: &Workspace, options: &Options, facts: &Facts) -> bool {
    let named = &options.inputs.classification(facts.node().unwrap_or_default()).environment;
    let is_known = is_named(&workspace.settings);
    named.as_deref().is_none_or(|named| !is_known || named == workspace.environment.name())
}

/// Returns the failure of a node. Nodes that share a catalog share it.
fn failure_of(
    compiler: &Compiler<'_>,
    known: &GroupMemo<Option<CatalogFailure>>,
    facts: &Facts,
    options: &Options,
) -> Option<CatalogFailure> {
    let classification = options.inputs.classification(facts.node().unwrap_or_default());
    let shared = compiler.compile_shared(facts.clone(), classification);
    known.get(&shared, failure_of_compilation)
}

fn failure_of_compilation(compilation: &Compilation) -> Option<CatalogFailure> {
    let catalog = match &compilation.catalog {
        Err(failure) => {
            let kind = if failure.is_program_limitation() { Kind::Ours } else { Kind::Code };
            let site = &failure.site;
            let place = site.file.as_ref().map(|file| (file.to_string(), site.line.max(1), site.column.max(1)));
            let (message, help) = (failure.message.clone(), failure.help.clone());
            return Some(CatalogFailure { place, message, help, kind });
        }
        Ok(catalog) => catalog,
    };
    if let Some(failure) = dependency_cycle::of_catalog(catalog) {
        return Some(failure);
    }
    has_no_classes(catalog).then(|| CatalogFailure {
        place: None,
        message: String::new(),
        help: Some("if a classifier assigns the classes, pass its output: --enc FILE|FOLDER".to_owned()),
        kind: Kind::NoClasses,
    })
}

/// Returns whether a catalog has no classes except those that every catalog has.
fn has_no_classes(catalog: &Catalog) -> bool {
    let is_own = |title: &str| !matches!(title, "main" | "Main" | "settings" | "Settings");
    !catalog.resources.iter().any(|resource| &*resource.kind == "Class" && is_own(&resource.title))
}

/// The messages of the evaluator for undefined names, up to the name.
const NOTHING_DEFINES: [&str; 4] = [
    "Could not find class ",
    "Could not find declared class ",
    "Could not find parent resource type '",
    "Unknown resource type: '",
];

/// Returns whether a failure is an undefined class or type of a module that is present. Then missing modules do not
/// matter.
fn is_missing_from_module(workspace: &Workspace, code: &Code, reason: &CatalogFailure) -> bool {
    let names = NOTHING_DEFINES.iter().filter_map(|text| reason.message.split_once(text)).map(|(_, rest)| {
        let rest = rest.strip_prefix("::").unwrap_or(rest);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(rest.len());
        rest[..end].to_ascii_lowercase()
    });
    let modules = unknown_class::modules_with_code(&workspace.environment, code);
    names.into_iter().any(|name| name.split_once("::").is_some_and(|(module, _)| modules.contains(module)))
}

fn finding(workspace: &Workspace, reason: &CatalogFailure, mut nodes: Vec<String>, is_certain: bool) -> Finding {
    nodes.sort_erased();
    let found = match reason.kind {
        Kind::Code if is_certain => catalog::of_failure(&reason.message),
        Kind::Cycle if is_certain => dependency_cycle::of_failure(&reason.message),
        Kind::NoClasses => not_seen::no_classes(),
        Kind::Ours => not_seen::not_compiled(&reason.message),
        Kind::Code | Kind::Cycle => not_seen::missing_parts(&reason.message),
    };
    let found = match &reason.place {
        Some((file, line, column)) => match texts::read(Path::new(file), workspace.readable()) {
            Ok(source) => {
                let span = source.character(source.offset(*line, *column));
                found.at(&source, span, "")
            }
            // The place is known, and its line cannot be shown.
            Err(_) => found.in_file(file.clone()),
        },
        // A failure without a position belongs to the file at which compilation begins.
        None => found.in_file(shown(&beginning(workspace))),
    };
    let found = found.note(match nodes.as_slice() {
        [node] => format!("on the node {node}"),
        nodes => {
            let shown = nodes[..nodes.len().min(SHOWN)].join(", ");
            match nodes.len() - nodes.len().min(SHOWN) {
                0 => format!("on {} nodes: {shown}", nodes.len()),
                more => format!("on {} nodes: {shown} and {more} more", nodes.len()),
            }
        }
    });
    match &reason.help {
        Some(help) => found.help(help.clone()),
        None => found,
    }
}

/// The file at which compilation begins: the first main manifest or, without one, the configuration of the environment.
fn beginning(workspace: &Workspace) -> PathBuf {
    let root = workspace.root();
    let configuration = ["environment.conf", "hiera.yaml"].map(|name| root.join(name));
    let mut files = workspace.environment.manifests().into_iter().chain(configuration);
    files.find(|file| workspace.readable().is_file(file)).unwrap_or(root)
}
