//! Catalogs of nodes that do not compile, and classes that no catalog can have.

mod unknown_classes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::{Catalog, Compiler, Facts, cycles};
use hieratic_diagnostics::Severity;
use rayon::prelude::*;

use super::nodes::SampleNodes;
use super::{Code, Repository, is_named};
use crate::finding::Finding;
use crate::options::Options;
use crate::paths::shown;
use crate::rules;
use crate::texts;

/// Why a catalog cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CatalogFailure {
    /// The file, line and column, if they are known.
    place: Option<(String, u32, u32)>,
    message: String,
    help: Option<String>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
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

/// Classes that do not exist, and the catalogs of the nodes that are known: each cause of a failure once.
pub(super) fn check(repository: &Repository, code: &Code, _: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
    let mut findings = compiled(repository, code, options);
    let is_reported = |found: &Finding| {
        findings.iter().any(|reported| {
            reported.rule.id() == rules::CATALOG.id()
                && (reported.file(), reported.line()) == (found.file(), found.line())
        })
    };
    let mut unknown = unknown_classes::check(repository, code);
    unknown.retain(|found| !is_reported(found));
    findings.extend(unknown);
    findings
}

/// Compiles the catalogs of the nodes that are known, if that is wanted.
fn compiled(repository: &Repository, code: &Code, options: &Options) -> Vec<Finding> {
    let Some(limits) = options.catalogs else { return Vec::new() };
    let compiler = options.inputs.given_to(Compiler::limited(&repository.environment, limits));
    let failed: Vec<(CatalogFailure, String)> = options
        .nodes
        .par_iter()
        .filter(|facts| is_of_environment(repository, options, facts))
        .filter_map(|facts| Some((failure_of(&compiler, facts, options)?, facts.node().unwrap_or_default().to_owned())))
        .collect();
    let mut causes: BTreeMap<Cause, (CatalogFailure, Vec<String>)> = BTreeMap::new();
    for (why, node) in failed {
        let message = if node.is_empty() { why.message.clone() } else { why.message.replace(&node, "NODE") };
        causes.entry((why.place.clone(), message, why.kind)).or_insert_with(|| (why, Vec::new())).1.push(node);
    }
    // If modules or data are missing, the server may compile something else.
    let is_whole = repository.note().is_none();
    let is_certain =
        |why: &CatalogFailure| is_whole || why.kind == Kind::Code && is_missing_from_module(repository, code, why);
    causes
        .into_values()
        .map(|(mut why, nodes)| {
            why.place = why.place.take().or_else(|| last_place(&why.message));
            why.place = why.place.take().or_else(|| place_of_lookup(code, &why.message));
            finding(repository, &why, nodes, is_certain(&why))
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

/// Reports whether a node belongs to the environment: its classifier may name another.
fn is_of_environment(repository: &Repository, options: &Options, facts: &Facts) -> bool {
    let named = &options.inputs.classification(facts.node().unwrap_or_default()).environment;
    let is_known = is_named(&repository.settings);
    named.as_deref().is_none_or(|named| !is_known || named == repository.environment.name())
}

fn failure_of(compiler: &Compiler<'_>, facts: &Facts, options: &Options) -> Option<CatalogFailure> {
    let classification = options.inputs.classification(facts.node().unwrap_or_default());
    let catalog = match compiler.compile(facts.clone(), classification).catalog {
        Err(failure) => {
            let kind = if failure.is_program_limitation() { Kind::Ours } else { Kind::Code };
            let site = &failure.site;
            let place = site.file.as_ref().map(|file| (file.to_string(), site.line.max(1), site.column.max(1)));
            return Some(CatalogFailure { place, message: failure.message, help: failure.help, kind });
        }
        Ok(catalog) => catalog,
    };
    if let Some(cycle) = cycles(&catalog).into_iter().next() {
        let in_cycle = |name: &String| catalog.resources.iter().find(|resource| resource.reference() == *name);
        let place = cycle
            .path
            .iter()
            .filter_map(in_cycle)
            .find_map(|resource| Some((resource.file.as_deref()?.to_owned(), resource.line?, 1)));
        let message = format!("Resources wait for each other: {}", cycle.path.join(" => "));
        let help = "remove one of the relationships: 'hieratic catalog NODE --origins' shows where each is written";
        return Some(CatalogFailure { place, message, help: Some(help.into()), kind: Kind::Cycle });
    }
    has_no_classes(&catalog).then(|| CatalogFailure {
        place: None,
        message: "The catalog has no classes: neither the main manifest nor a classifier assigns any".to_owned(),
        help: Some("if a classifier assigns the classes, pass what it prints: --enc FILE|FOLDER".to_owned()),
        kind: Kind::NoClasses,
    })
}

/// Reports whether a catalog has no classes except those that every catalog has.
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

/// Reports whether a failure is an undefined class or type of a module that is present. Then missing modules do not
/// matter.
fn is_missing_from_module(repository: &Repository, code: &Code, why: &CatalogFailure) -> bool {
    let names = NOTHING_DEFINES.iter().filter_map(|text| why.message.split_once(text)).map(|(_, rest)| {
        let rest = rest.strip_prefix("::").unwrap_or(rest);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(rest.len());
        rest[..end].to_ascii_lowercase()
    });
    let modules = unknown_classes::with_code(repository, code);
    names.into_iter().any(|name| name.split_once("::").is_some_and(|(module, _)| modules.contains(module)))
}

fn finding(repository: &Repository, why: &CatalogFailure, mut nodes: Vec<String>, is_certain: bool) -> Finding {
    nodes.sort();
    let rule = match why.kind {
        Kind::Code if is_certain => &rules::CATALOG,
        Kind::Cycle if is_certain => &rules::DEPENDENCY_CYCLE,
        _ => &rules::NOT_SEEN,
    };
    let message = match (rule.severity, why.kind) {
        (_, Kind::NoClasses) => why.message.clone(),
        (Severity::Note, Kind::Ours) => {
            format!("The catalog is not judged, because Hieratic cannot compile it: {}", why.message)
        }
        (Severity::Note, _) => {
            format!("The catalog is not judged, because parts of the repository are missing here: {}", why.message)
        }
        _ => why.message.clone(),
    };
    let found = Finding::new(rule, message);
    let found = match &why.place {
        Some((file, line, column)) => match texts::read(Path::new(file), repository.readable()) {
            Ok(source) => {
                let span = source.character(source.offset(*line, *column));
                found.at(&source, span, "")
            }
            // The place is known, and its line cannot be shown.
            Err(_) => found.in_file(file.clone()),
        },
        // A failure without a position belongs to the file at which compilation begins.
        None => found.in_file(shown(&beginning(repository))),
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
    match &why.help {
        Some(help) => found.help(help.clone()),
        None => found,
    }
}

/// The file at which compilation begins: the first main manifest or, without one, the configuration of the environment.
fn beginning(repository: &Repository) -> PathBuf {
    let root = repository.root();
    let configuration = ["environment.conf", "hiera.yaml"].map(|name| root.join(name));
    let mut files = repository.environment.manifests().into_iter().chain(configuration);
    files.find(|file| repository.readable().is_file(file)).unwrap_or(root)
}
