//! Catalogs of nodes that do not compile.

use std::collections::BTreeMap;
use std::path::Path;

use hieratic::{Classification, Compiler, Facts, cycles};
use hieratic_diagnostics::Severity;
use rayon::prelude::*;

use super::known::Known;
use super::{Code, Repository};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;
use crate::texts;

/// Why a catalog cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Why {
    /// The file and line, if they are known.
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
}

/// How many nodes a finding names.
const SHOWN: usize = 5;

/// Compiles the catalogs of the nodes that are known, and reports each cause of a failure once.
pub(super) fn check(repository: &Repository, _: &Code, _: &Known<'_>, options: &Options) -> Vec<Finding> {
    let Some(limits) = options.catalogs else { return Vec::new() };
    let compiler = Compiler::limited(&repository.environment, limits);
    let failed: Vec<(Why, String)> = options
        .nodes
        .par_iter()
        .filter_map(|facts| Some((why_not(&compiler, facts)?, facts.node().unwrap_or_default().to_owned())))
        .collect();
    let mut causes: BTreeMap<Why, Vec<String>> = BTreeMap::new();
    for (why, node) in failed {
        causes.entry(why).or_default().push(node);
    }
    // Where modules or data are missing, what the server compiles is not known.
    let is_whole = repository.note().is_none();
    causes.into_iter().map(|(why, nodes)| finding(repository, &why, nodes, is_whole)).collect()
}

fn why_not(compiler: &Compiler<'_>, facts: &Facts) -> Option<Why> {
    match compiler.compile(facts.clone(), &Classification::default()).catalog {
        Err(failure) => {
            let kind = if failure.is_of_this_program() { Kind::Ours } else { Kind::Code };
            let site = &failure.site;
            let place = site.file.as_ref().map(|file| (file.to_string(), site.line.max(1), site.column.max(1)));
            Some(Why { place, message: failure.message, help: failure.help, kind })
        }
        Ok(catalog) => {
            let cycle = cycles(&catalog).into_iter().next()?;
            let in_cycle = |name: &String| catalog.resources.iter().find(|resource| resource.reference() == *name);
            let place = cycle
                .path
                .iter()
                .filter_map(in_cycle)
                .find_map(|resource| Some((resource.file.as_deref()?.to_owned(), resource.line?, 1)));
            let message = format!("Resources wait for each other: {}", cycle.path.join(" => "));
            let help = Some(
                "remove one of the relationships: 'hieratic catalog NODE --origins' shows where each is written".into(),
            );
            Some(Why { place, message, help, kind: Kind::Cycle })
        }
    }
}

fn finding(repository: &Repository, why: &Why, mut nodes: Vec<String>, is_whole: bool) -> Finding {
    nodes.sort();
    let rule = match why.kind {
        Kind::Code if is_whole => &rules::CATALOG,
        Kind::Cycle if is_whole => &rules::DEPENDENCY_CYCLE,
        _ => &rules::NOT_SEEN,
    };
    let message = match (rule.severity, why.kind) {
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
            Err(_) => found.in_file(file.clone()),
        },
        None => found,
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
