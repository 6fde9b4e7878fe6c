//! [`compare_catalogs`]: the changes of catalogs.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::budget::Progress;
use hieratic::catalog::{Classification, Compilation, Refreshes, SharedCompilation, Tracking, cycles, origin_text};
use hieratic::lookup::Origin;
use hieratic::puppet_eval::{CompiledCatalog, CompiledResource, Parameter};
use hieratic::sandbox::Programs;
use hieratic::value::Value;
use hieratic::value::collections::HashMap;
use hieratic::{Compiler, Environment, Redactor};
use rayon::prelude::*;

use crate::compare::{FailingNodes, Group, Subject, group_by_nodes};
use crate::content::{CONTENT, Contents, UnreadFiles};
use crate::diff::Diff;
use crate::ignore::Ignore;
use crate::parts::{Arrays, Indexes, Leaf, Part, PartValue, differences_of_leaves};
use crate::reachability::have_same_hierarchies;
use crate::read_recorder::{ReadRecorder, Trees};

/// The changes of catalogs.
#[derive(Debug, Default)]
pub struct CatalogReport {
    /// The changes, by the nodes that they affect: the most nodes first.
    pub groups: Vec<Group<ResourceDelta>>,
    /// The nodes whose catalogs fail on a side, if the other side does not fail with the same message.
    pub broken: Vec<FailingNodes>,
    /// The nodes whose catalogs fail on both sides with the same message: they are not compared.
    pub failing: usize,
    /// The nodes whose catalogs depend on no changed file: only the base was compiled, and the head is equal.
    pub untouched: usize,
    /// The references of resources with [ignored](Ignore) changes.
    pub ignored: BTreeSet<String>,
    /// The sources of files outside of modules, whose content is not compared: `puppet:///private/key.pem`.
    pub elsewhere: BTreeSet<String>,
    /// The source files that could not be read, with the reason.
    pub unread: BTreeSet<String>,
}

/// A resource that is added, removed, or has changed parameters.
#[derive(Clone, Debug)]
pub struct ResourceDelta {
    /// The reference: `File[/etc/hosts]`.
    pub reference: String,
    /// The sides that have it.
    pub is_in: Diff<bool>,
    /// The parts that differ. A path begins with the name of a parameter, or is [`CONTAINED_IN`]. If only one side has
    /// the resource, these are all its parameters. Differences in the file of a `source` have the path `content`.
    pub parts: Vec<Part>,
    /// The file and line of its declaration, in the head if it is there.
    pub place: Option<(String, u32)>,
    /// The effects of applying the change.
    pub effects: Vec<Effect>,
}

/// The path of the container of a resource. No parameter has this name.
pub const CONTAINED_IN: &str = "contained in";

/// An effect of applying a changed resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A service restarts, or a command with `refreshonly` runs.
    Refreshes(String),
    /// The version of a package changes, or a package is removed.
    Package,
    /// The content of a file changes.
    Content,
    /// The source of a file no longer exists, so that the agent fails.
    SourceMissing,
}

/// The identity of a change, by which equal changes of several nodes are merged: everything that is shown, except
/// origins.
type Identity = (String, Diff<bool>, Vec<(Vec<Value>, Diff<Option<Value>>)>, Vec<Effect>);

/// The result for a node, with the parts that were ignored or not read.
#[derive(Clone, Default)]
struct Outcome {
    compared: Compared,
    ignored: BTreeSet<String>,
    unseen: UnreadFiles,
}

/// The result for a node.
#[derive(Clone, Default)]
enum Compared {
    /// The catalog depends on no change. The value is whether there is a catalog.
    Untouched(bool),
    #[default]
    Same,
    Changed(Vec<ResourceDelta>),
    Broken(Diff<Option<String>>),
    Failing,
}

/// The options of [`compare_catalogs`].
pub struct CatalogOptions<'o> {
    /// Returns the classification of a node by its name. It applies to both sides.
    pub classified: &'o (dyn Fn(&str) -> &'o Classification + Sync),
    /// The changes to ignore.
    pub ignore: &'o Ignore,
    /// Redacts secrets.
    pub redactor: &'o Redactor,
    /// Receives the progress.
    pub progress: &'o dyn Progress,
}

/// Compiles the catalogs of nodes before and after a change, and returns their differences. Each thread compiles both
/// sides of one node at a time and keeps only the differences.
///
/// `trees` are the trees of both sides, if the base reads from one. If the catalog of a node does not depend on a
/// changed file in the base, it is not compiled for the head, because it would be equal. The files that resources copy
/// from modules are always compared.
pub fn compare_catalogs(
    compilers: Diff<&Compiler<'_>>,
    trees: Option<&Trees>,
    nodes: &[Subject],
    options: &CatalogOptions<'_>,
) -> CatalogReport {
    let CatalogOptions { classified, ignore, redactor, progress } = *options;
    let environments = compilers.map(Compiler::environment);
    let trees = trees.filter(|_| may_be_untouched(environments));
    let contents = Contents::default();
    let comparison =
        Comparison { compilers, environments, trees, ignore, contents: &contents, redactor, known: Mutex::default() };
    progress.begin("compiling catalogs", nodes.len());
    let of = |subject: &Subject| {
        let outcome = comparison.compare(subject, classified(&subject.name));
        progress.step();
        outcome
    };
    let all: Vec<Outcome> = nodes.par_iter().map(of).collect();
    let mut report = CatalogReport::default();
    let mut known: HashMap<Identity, usize> = HashMap::default();
    let mut found: Vec<(ResourceDelta, Vec<usize>)> = Vec::new();
    let mut broken: BTreeMap<Diff<Option<String>>, Vec<usize>> = BTreeMap::new();
    let mut unseen = UnreadFiles::default();
    for (index, outcome) in all.into_iter().enumerate() {
        report.ignored.extend(outcome.ignored);
        unseen.add(outcome.unseen);
        match outcome.compared {
            Compared::Untouched(compiles) => {
                report.untouched += 1;
                report.failing += usize::from(!compiles);
            }
            Compared::Same => {}
            Compared::Failing => report.failing += 1,
            Compared::Broken(reasons) => broken.entry(reasons).or_default().push(index),
            Compared::Changed(deltas) => {
                for delta in deltas {
                    let at = *known.entry(identity(&delta)).or_insert_with(|| {
                        found.push((delta, Vec::new()));
                        found.len() - 1
                    });
                    found[at].1.push(index);
                }
            }
        }
    }
    let groups = group_by_nodes(found.into_iter().map(|(delta, touched)| (touched, delta)));
    report.groups = groups.into_iter().map(|(nodes, changes)| Group { nodes, changes }).collect();
    report.broken = broken.into_iter().map(|(reasons, nodes)| FailingNodes { nodes, reasons }).collect();
    (report.elsewhere, report.unread) = (unseen.elsewhere, unseen.unread);
    report
}

fn identity(delta: &ResourceDelta) -> Identity {
    let value = |side: &Option<PartValue>| side.as_ref().map(|found| found.value.clone());
    let parts = delta.parts.iter().map(|part| (part.path.clone(), part.values.as_ref().map(value)));
    (delta.reference.clone(), delta.is_in, parts.collect(), delta.effects.clone())
}

/// Returns whether both sides have the same hierarchies, modules and list of manifests, and code runs no programs. Then
/// a catalog that depends on the same files is the same.
fn may_be_untouched(environments: Diff<&Environment>) -> bool {
    let runs_programs = |side: &Environment| side.capabilities().programs == Programs::Always;
    have_same_hierarchies(environments)
        && environments.map(Environment::manifests).is_same()
        && !environments.into_iter().any(runs_programs)
}

/// The nodes that share the catalogs of both sides; without the head if it is not compiled.
type Groups = (usize, Option<usize>);

/// A comparison of the catalogs of many nodes.
struct Comparison<'c> {
    compilers: Diff<&'c Compiler<'c>>,
    environments: Diff<&'c Environment>,
    trees: Option<&'c Trees>,
    ignore: &'c Ignore,
    contents: &'c Contents,
    redactor: &'c Redactor,
    known: Mutex<HashMap<Groups, Outcome>>,
}

impl Comparison<'_> {
    /// Compares the catalogs of a node.
    fn compare(&self, subject: &Subject, classification: &Classification) -> Outcome {
        let head = || self.compilers.head.compile_shared(subject.head_facts().clone(), classification);
        let Some(trees) = self.trees else {
            let base = self.compilers.base.compile_shared(subject.base.clone(), classification);
            return self.compare_compiled(&base, &head());
        };
        let capabilities = self.environments.base.capabilities();
        let watched = Arc::new(ReadRecorder::new(trees));
        let tracking = Tracking {
            files: capabilities.code.with_mount(&trees.root, watched.clone()),
            is_other: &|path: &Path| capabilities.data.is_patched(path),
            has_read_other_code: &|| !watched.is_untouched(),
        };
        let base = self.compilers.base.compile_tracked(subject.base.clone(), classification, &tracking);
        // Other facts may lead to other files.
        if base.has_read_other || subject.head.is_some() {
            return self.compare_compiled(&base.shared, &head());
        }
        self.once_for(base.shared.group.map(|base| (base, None)), || match self.applicable(&base.shared.compilation) {
            Ok(catalog) => self.of_files(catalog),
            Err(_) => Outcome { compared: Compared::Untouched(false), ..Outcome::default() },
        })
    }

    /// Compares two catalogs, once for all nodes that share both.
    fn compare_compiled(&self, base: &SharedCompilation, head: &SharedCompilation) -> Outcome {
        self.once_for(base.group.zip(head.group).map(|(base, head)| (base, Some(head))), || {
            let compared = match (self.applicable(&base.compilation), self.applicable(&head.compilation)) {
                (Ok(before), Ok(after)) => return self.deltas(before, after),
                // The lines of code move with every change.
                (Err(before), Err(after)) if before.message == after.message => Compared::Failing,
                (before, after) => {
                    let errors = Diff { base: before.err(), head: after.err() };
                    Compared::Broken(errors.map(|error| error.map(CatalogError::text)))
                }
            };
            Outcome { compared, ..Outcome::default() }
        })
    }

    /// Returns the outcome for groups of nodes that share their catalogs, which the first node of them computes.
    fn once_for(&self, groups: Option<Groups>, compute: impl FnOnce() -> Outcome) -> Outcome {
        // A secret that was found in the meantime would be redacted now.
        let has_secrets = self.environments.into_iter().any(|side| !side.secrets().is_empty());
        let Some(groups) = groups.filter(|_| !has_secrets) else { return compute() };
        // Outcomes are complete, even if a thread has panicked.
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&groups).cloned();
        known.unwrap_or_else(|| {
            let outcome = compute();
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(groups, outcome.clone());
            outcome
        })
    }

    /// A catalog that can be applied.
    fn applicable<'k>(&self, compilation: &'k Compilation) -> Result<&'k CompiledCatalog, CatalogError> {
        let catalog = compilation.catalog.as_ref().map_err(|failure| CatalogError {
            message: self.redactor.message(&failure.to_string()).into_owned(),
            place: failure.site.file.as_deref().map(|file| format!(" ({file}:{})", failure.site.line)),
        })?;
        // The agent applies nothing of a catalog whose resources wait for each other.
        let cycles = cycles(catalog);
        if cycles.is_empty() {
            return Ok(catalog);
        }
        let ways: Vec<String> = cycles.iter().map(|cycle| cycle.path.join(" => ")).collect();
        let message = format!("Resources wait for each other: {}", ways.join("; "));
        Err(CatalogError { message: self.redactor.message(&message).into_owned(), place: None })
    }

    /// The differences in the files of a catalog that is the same on both sides.
    fn of_files(&self, catalog: &CompiledCatalog) -> Outcome {
        let mut outcome = Outcome::default();
        let order = OnceCell::new();
        let mut deltas = Vec::new();
        for (at, resource) in catalog.resources.iter().enumerate() {
            let both = Diff { base: resource, head: resource };
            let parts = self.contents.parts(both, self.environments, self.redactor, &mut outcome.unseen);
            if parts.is_empty() {
                continue;
            }
            let order = order.get_or_init(|| Refreshes::new(catalog));
            let delta = delta(resource, Some(resource), parts, order.by(at));
            deltas.extend(outcome.without_ignored(self.ignore, delta, resource, Some(resource)));
        }
        outcome.compared = if deltas.is_empty() { Compared::Untouched(true) } else { Compared::Changed(deltas) };
        outcome
    }

    /// The resources that differ between two catalogs: those of the head in its order, then those that only the base
    /// has.
    fn deltas(&self, before: &CompiledCatalog, after: &CompiledCatalog) -> Outcome {
        let redactor = self.redactor;
        let table = |catalog: &CompiledCatalog| -> HashMap<String, usize> {
            catalog.resources.iter().enumerate().map(|(at, resource)| (resource.reference(), at)).collect()
        };
        let (old, new) = (table(before), table(after));
        let orders = Diff { base: Refreshes::new(before), head: Refreshes::new(after) };
        let container = |order: &Refreshes<'_>, catalog: &CompiledCatalog, at: usize| -> Option<String> {
            Some(catalog.resources.get(order.container(at)?)?.reference())
        };
        let mut outcome = Outcome::default();
        let mut deltas = Vec::new();
        for (at, resource) in after.resources.iter().enumerate() {
            let previous = old.get(&resource.reference()).and_then(|at| Some((*at, before.resources.get(*at)?)));
            let mut now = Vec::new();
            let mut was = None;
            let mut contents = Vec::new();
            if let Some((old_at, previous)) = previous {
                let both = Diff { base: previous, head: resource };
                contents = self.contents.parts(both, self.environments, redactor, &mut outcome.unseen);
                let containers =
                    Diff { base: container(&orders.base, before, old_at), head: container(&orders.head, after, at) };
                if is_same(previous, resource) && containers.is_same() && contents.is_empty() {
                    continue;
                }
                let Diff { base, head } = containers.map(|container| contained_in(container.as_deref(), redactor));
                now = head;
                was = Some(Ok([base, resource_leaves(previous, redactor)].concat()));
            }
            now.extend(resource_leaves(resource, redactor));
            let mut parts = differences_of_leaves(Diff { base: was.as_ref(), head: Some(&Ok(now)) }, Arrays::Sequences);
            parts.extend(contents);
            let previous = previous.map(|(_, previous)| previous);
            let delta = delta(resource, previous, parts, orders.head.by(at));
            deltas.extend(outcome.without_ignored(self.ignore, delta, resource, previous));
        }
        for resource in &before.resources {
            let reference = resource.reference();
            if !new.contains_key(&reference) {
                let leaves = Ok(resource_leaves(resource, redactor));
                let parts = differences_of_leaves(Diff { base: Some(&leaves), head: None }, Arrays::Sequences);
                let place = place(resource);
                let is_in = Diff { base: true, head: false };
                let delta = ResourceDelta { reference, is_in, parts, place, effects: Vec::new() };
                deltas.extend(outcome.without_ignored(self.ignore, delta, resource, None));
            }
        }
        outcome.compared = if deltas.is_empty() { Compared::Same } else { Compared::Changed(deltas) };
        outcome
    }
}

impl Outcome {
    /// Returns a change without its ignored parts, or `None` if all of it is ignored.
    fn without_ignored(
        &mut self,
        ignore: &Ignore,
        delta: ResourceDelta,
        resource: &CompiledResource,
        other: Option<&CompiledResource>,
    ) -> Option<ResourceDelta> {
        let (mut kept, is_ignored) = ignore.apply(delta, resource, other);
        if is_ignored {
            self.ignored.insert(resource.reference());
        }
        // Ignored parts have no effect on the resource either.
        if let Some(delta) = kept.as_mut().filter(|_| is_ignored) {
            let own = own_effect(resource, &delta.parts);
            delta.effects.retain(|effect| matches!(effect, Effect::Refreshes(_)) || own.as_ref() == Some(effect));
        }
        kept
    }
}

/// A change of a resource that is there now.
fn delta(
    resource: &CompiledResource,
    previous: Option<&CompiledResource>,
    parts: Vec<Part>,
    refreshed: Vec<String>,
) -> ResourceDelta {
    let mut effects: Vec<Effect> = own_effect(resource, &parts).into_iter().collect();
    let is_gone = |part: &Part| {
        matches!(part.path.as_slice(), [only] if only.as_str() == Some(CONTENT)) && part.values.head.is_none()
    };
    let had_content = previous.is_some_and(|previous| previous.parameter(CONTENT).is_some());
    if resource.parameter("source").is_some() && !had_content && parts.iter().any(is_gone) {
        effects.push(Effect::SourceMissing);
    }
    effects.extend(refreshed.into_iter().map(Effect::Refreshes));
    let (reference, is_in) = (resource.reference(), Diff { base: previous.is_some(), head: true });
    ResourceDelta { reference, is_in, parts, place: place(resource), effects }
}

/// The reason why there is no catalog.
struct CatalogError {
    message: String,
    /// The position, as a suffix of the message.
    place: Option<String>,
}

impl CatalogError {
    fn text(self) -> String {
        format!("{}{}", self.message, self.place.unwrap_or_default())
    }
}

fn place(resource: &CompiledResource) -> Option<(String, u32)> {
    Some((resource.file.as_deref()?.to_owned(), resource.line?))
}

/// Returns whether two resources have the same parameters, in any order.
fn is_same(one: &CompiledResource, other: &CompiledResource) -> bool {
    let has = |parameter: &Parameter| {
        other.parameter(&parameter.name).is_some_and(|known| known.value == parameter.value)
            && one.is_sensitive(&parameter.name) == other.is_sensitive(&parameter.name)
    };
    one.parameters.len() == other.parameters.len() && one.parameters.iter().all(has)
}

/// Returns the parts of the parameters of a resource, redacted, each with its origin.
pub fn resource_leaves(resource: &CompiledResource, redactor: &Redactor) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for Parameter { name, value, origin } in &resource.parameters {
        let origin = Origin::Named(origin_text(origin).into());
        let path = &mut vec![Value::from(&**name)];
        // A secret is one thing: how many parts it has is secret too.
        if resource.is_sensitive(name) {
            let shown = redactor.value(&Value::sensitive(value.clone()));
            leaves.push(leaf(path, shown, value, &origin, Indexes::default(), redactor));
        } else {
            collect(value, path, &origin, Indexes::default(), redactor, &mut leaves);
        }
    }
    leaves
}

/// The deepest nesting at which values are split into parts.
const DEEPEST: usize = 32;

fn collect(
    value: &Value,
    path: &mut Vec<Value>,
    origin: &Origin,
    indexes: Indexes,
    redactor: &Redactor,
    leaves: &mut Vec<Leaf>,
) {
    let is_shallow = path.len() < DEEPEST;
    let of_elements = indexes.with(path.len());
    let mut below = |key: Value, indexes: Indexes, value: &Value| {
        path.push(key);
        collect(value, path, origin, indexes, redactor, leaves);
        path.pop();
    };
    match value {
        Value::Array(elements) if !elements.is_empty() && is_shallow => {
            for (index, element) in elements.iter().enumerate() {
                below(Value::from(index), of_elements, element);
            }
        }
        Value::Hash(pairs) if !pairs.is_empty() && is_shallow => {
            for (key, value) in pairs {
                below(redactor.value(key), indexes, value);
            }
        }
        value => {
            let shown = redactor.value(value);
            leaves.push(leaf(path, shown, value, origin, indexes, redactor));
        }
    }
}

fn leaf(path: &[Value], shown: Value, plain: &Value, origin: &Origin, indexes: Indexes, redactor: &Redactor) -> Leaf {
    let is_redacted = !redactor.reveals() && shown != *plain;
    Leaf { path: path.to_vec(), value: shown, plain: plain.clone(), origin: Some(origin.clone()), is_redacted, indexes }
}

fn contained_in(container: Option<&str>, redactor: &Redactor) -> Vec<Leaf> {
    let value = |container: &str| Value::from(&*redactor.text(container));
    let leaf = |container: &str| Leaf {
        path: vec![CONTAINED_IN.into()],
        value: value(container),
        plain: container.into(),
        origin: None,
        is_redacted: false,
        indexes: Indexes::default(),
    };
    container.map(leaf).into_iter().collect()
}

/// The effect on the resource itself, if it is more important than an ordinary change.
fn own_effect(resource: &CompiledResource, parts: &[Part]) -> Option<Effect> {
    let names = || parts.iter().filter_map(|part| part.path.first()?.as_str());
    let has = |selects: &[&str]| names().any(|name| selects.contains(&name));
    match resource.kind.as_str() {
        "Package" if has(&["ensure", "provider", "source"]) => Some(Effect::Package),
        "File" if has(&[CONTENT, "source", "target"]) => Some(Effect::Content),
        _ => None,
    }
}
