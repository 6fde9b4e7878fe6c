//! `--all`: the catalogs of all nodes, compiled on all processors.

use std::collections::{BTreeMap, VecDeque};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::catalog::Classification;
use hieratic::{Catalog, Compiler, Error, Facts};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_lint::{CatalogInputs, Progress as _, rules};

use super::{CatalogArguments, cycle, render, usage};
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

/// The work of all processors: the next node, and the results of groups of nodes.
#[derive(Default)]
struct Queue {
    next: AtomicUsize,
    groups: Mutex<Groups>,
}

/// The result that nodes with one catalog share.
#[derive(Clone)]
enum GroupResult {
    /// The line around the name of the node.
    Line(Arc<(Vec<u8>, Vec<u8>)>),
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
    let queue = Queue::default();
    // Without threads, all results wait until they are printed.
    let waiting = if cfg!(target_os = "wasi") { nodes.len() } else { workers * WAITING };
    let (sender, receiver) = sync_channel(waiting);
    let results = std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, queue, nodes) = (sender.clone(), &queue, &nodes);
            // Deep code grows its stack, so the initial size does not matter.
            let work = move || work(arguments, compiler, inputs, nodes, queue, &sender, reporter);
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
    queue: &Queue,
    sender: &SyncSender<(usize, String, NodeResult)>,
    reporter: &Reporter,
) {
    loop {
        let at = queue.next.fetch_add(1, Ordering::Relaxed);
        let Some(facts) = nodes.get(at) else { return };
        let node = facts.node().unwrap_or_default().to_owned();
        let done =
            compile_node(arguments, compiler, inputs.classification(&node), facts, &node, &queue.groups, reporter);
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
    groups: &Mutex<Groups>,
    reporter: &Reporter,
) -> NodeResult {
    let shared = compiler.compile_shared(facts.clone(), classification);
    let catalog = match &shared.compilation.catalog {
        Ok(catalog) => catalog,
        Err(failure) => return NodeResult::Failed(Box::new(diagnostic(failure, node))),
    };
    // Secrets that other nodes have found in the meantime would be redacted in a line that is made now.
    let group = shared.group.filter(|_| compiler.environment().secrets().is_empty());
    let known = group.and_then(|group| groups.lock().unwrap_or_else(PoisonError::into_inner).find(group));
    let result = known.unwrap_or_else(|| {
        let result = group_result(arguments, catalog, reporter);
        if let Some(group) = group {
            groups.lock().unwrap_or_else(PoisonError::into_inner).add(group, result.clone());
        }
        result
    });
    match result {
        GroupResult::Failed(diagnostic) => NodeResult::Failed(diagnostic),
        GroupResult::Line(_) if arguments.failures => NodeResult::Catalog(Vec::new()),
        GroupResult::Line(line) => match render::name(node) {
            Ok(name) => NodeResult::Catalog([&line.0[..], &name, &line.1].concat()),
            Err(message) => NodeResult::Failed(Box::new(not_rendered(message))),
        },
    }
}

/// Returns the line of a catalog, or the reason why it has none.
fn group_result(arguments: &CatalogArguments, catalog: &Catalog, reporter: &Reporter) -> GroupResult {
    let cycles = hieratic::catalog::cycles(catalog);
    if !cycles.is_empty() {
        return GroupResult::Failed(Box::new(cycle(&cycles, reporter)));
    }
    if arguments.failures {
        return GroupResult::Line(Arc::default());
    }
    let redacted = hieratic::catalog::redact_catalog(catalog, reporter.redactor());
    match render::line_around_name(&redacted, arguments.rich_data) {
        Ok(line) => GroupResult::Line(Arc::new(line)),
        Err(message) => GroupResult::Failed(Box::new(not_rendered(message))),
    }
}

fn not_rendered(message: String) -> Diagnostic {
    Diagnostic::new(Severity::Error, rules::CATALOG.code, message)
}

/// The results of the newest groups. A line can have megabytes.
#[derive(Default)]
struct Groups {
    results: VecDeque<(usize, GroupResult)>,
    /// The length of all lines.
    size: usize,
}

impl GroupResult {
    fn size(&self) -> usize {
        match self {
            GroupResult::Line(line) => line.0.len() + line.1.len(),
            GroupResult::Failed(_) => 1_000,
        }
    }
}

impl Groups {
    /// The maximum length of all lines.
    const MOST: usize = 64 << 20;

    fn find(&self, group: usize) -> Option<GroupResult> {
        self.results.iter().find(|(known, _)| *known == group).map(|(_, result)| result.clone())
    }

    fn add(&mut self, group: usize, result: GroupResult) {
        self.size += result.size();
        self.results.push_back((group, result));
        while self.size > Groups::MOST
            && let Some((_, oldest)) = self.results.pop_front()
        {
            self.size -= oldest.size();
        }
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
