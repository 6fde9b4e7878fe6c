//! `--all`: the catalogs of all nodes, compiled on all processors.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use hieratic::catalog::Classification;
use hieratic::{Compiler, Error, Facts};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_lint::{CatalogInputs, Progress as _, rules};

use super::{CatalogArguments, Format, cycle, render, usage};
use crate::code::diagnostic;
use crate::codes;
use crate::files::{self, Change, Claim};
use crate::fleet::unique_nodes_of;
use crate::junit;
use crate::output;
use crate::progress::Bar;
use crate::report::Reporter;
use crate::target::Target;

/// The maximum number of catalogs per processor that wait to be printed.
const WAITING: usize = 2;

/// The result of a node.
enum NodeResult {
    Catalog(Vec<u8>),
    Failed(Box<Diagnostic>),
}

/// Compiles the catalogs of all nodes and prints a line for each, in the order of their names.
pub(super) fn compile(
    arguments: &CatalogArguments,
    target: &Target<'_>,
    compiler: &Compiler<'_>,
    inputs: &CatalogInputs,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    let (place, permissions) = (target.place(), target.permissions());
    let names: Vec<String> = place.node.iter().cloned().collect();
    let in_database = if place.facts.is_empty() { arguments.puppetdb.nodes(place.node.as_deref())? } else { None };
    let mut nodes = match in_database {
        Some(nodes) => nodes,
        None => unique_nodes_of(&place.facts, &names, place.puppet.version(), &permissions, reporter)?,
    };
    arguments.inputs.set_server_facts(&mut nodes, place.puppet.version(), permissions)?;
    if nodes.is_empty() {
        return Err(usage("no nodes to compile")
            .help("name a folder with the facts of all nodes (--facts FOLDER), or a PuppetDB (--puppetdb URL)"));
    }
    // Before any work is done for it.
    let claim = arguments.junit.as_deref().map(|file| Claim::acquire(file, reporter)).transpose()?;
    let bar = Bar::new(arguments.quiet);
    bar.begin("compiling", nodes.len());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(nodes.len());
    let next = AtomicUsize::new(0);
    // Without threads, all results wait until they are printed.
    let waiting = if cfg!(target_os = "wasi") { nodes.len() } else { workers * WAITING };
    let (sender, receiver) = sync_channel(waiting);
    let results = std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, nodes) = (sender.clone(), &next, &nodes);
            // Deep code grows its stack, so the initial size does not matter.
            let work = move || work(arguments, compiler, inputs, nodes, next, &sender, reporter);
            if cfg!(target_os = "wasi") {
                work();
            } else {
                scope.spawn(work);
            }
        }
        drop(sender);
        print_in_order(&receiver, arguments, &bar, reporter)
    });
    bar.finish();
    if let Some(claim) = &claim {
        let test = |(node, reason): &(String, Option<String>)| {
            (node.clone(), reason.clone().map_or(junit::Outcome::Passed, junit::Outcome::Failed))
        };
        let text = junit::report("catalogs", &results.iter().map(test).collect::<Vec<_>>());
        files::replace(&[Change::new(claim, text.as_bytes())])?;
    }
    let failed: Vec<&str> =
        results.iter().filter(|(_, reason)| reason.is_some()).map(|(node, _)| node.as_str()).collect();
    if !failed.is_empty() {
        let (count, all) = (failed.len(), output::counted(nodes.len(), "node"));
        let message = format!("{count} of {all} failed: {}", failed.join(", "));
        reporter.log(&Diagnostic::new(Severity::Error, codes::NOT_COMPILED, message.clone()), &message, false);
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn work(
    arguments: &CatalogArguments,
    compiler: &Compiler<'_>,
    inputs: &CatalogInputs,
    nodes: &[Facts],
    next: &AtomicUsize,
    sender: &SyncSender<(usize, String, NodeResult)>,
    reporter: &Reporter,
) {
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(facts) = nodes.get(at) else { return };
        let node = facts.node().unwrap_or_default().to_owned();
        let done = compile_node(arguments, compiler, inputs.classification(&node), facts, &node, reporter);
        // The receiver is gone once the output is closed.
        if sender.send((at, node, done)).is_err() {
            return;
        }
    }
}

fn compile_node(
    arguments: &CatalogArguments,
    compiler: &Compiler<'_>,
    classification: &Classification,
    facts: &Facts,
    node: &str,
    reporter: &Reporter,
) -> NodeResult {
    let catalog = match compiler.compile(facts.clone(), classification).catalog {
        Ok(catalog) => catalog,
        Err(failure) => return NodeResult::Failed(Box::new(diagnostic(&failure, node))),
    };
    let cycles = hieratic::catalog::cycles(&catalog);
    if !cycles.is_empty() {
        return NodeResult::Failed(Box::new(cycle(&cycles, reporter)));
    }
    if arguments.failures {
        return NodeResult::Catalog(Vec::new());
    }
    let redacted = hieratic::catalog::redact_catalog(&catalog, reporter.redactor());
    match render::render(&redacted, Format::Json, arguments.rich_data) {
        Ok((text, _)) => NodeResult::Catalog(text),
        Err(message) => NodeResult::Failed(Box::new(Diagnostic::new(Severity::Error, rules::CATALOG.code, message))),
    }
}

/// Prints what arrives, in the order of the nodes; the names of all, with why they failed.
fn print_in_order(
    receiver: &Receiver<(usize, String, NodeResult)>,
    arguments: &CatalogArguments,
    bar: &Bar,
    reporter: &Reporter,
) -> Vec<(String, Option<String>)> {
    let (mut early, mut due, mut results) = (BTreeMap::new(), 0, Vec::new());
    for (at, node, done) in receiver {
        early.insert(at, (node, done));
        while let Some((node, done)) = early.remove(&due) {
            due += 1;
            bar.step();
            match done {
                NodeResult::Catalog(text) => {
                    if !arguments.failures {
                        bar.aside(|| output::print(&text));
                    }
                    results.push((node, None));
                }
                NodeResult::Failed(diagnostic) => {
                    bar.aside(|| reporter.diagnostic(&diagnostic));
                    results.push((node, Some(reporter.redactor().diagnostic(&diagnostic).message)));
                }
            }
        }
    }
    results
}
