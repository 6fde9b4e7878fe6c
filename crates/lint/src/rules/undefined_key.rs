//! # undefined-key
//!
//! Code looks up a key that no level has. (warning)
//!
//! ## What is found
//!
//! A call of `lookup` or `hiera` names a key and no default, and no data file has the key.
//!
//! With `--hygiene` and `--all-nodes`, also a key that some file has, but none that one of the nodes reads. A note names
//! the nodes. A key that some of the nodes have is not reported, because the call can be for these nodes only.
//!
//! With `--hygiene`, also (as a note): code includes a class, a parameter of the class has no default, and no data file has its key.
//! Classes that some code declares with parameters are not checked. A node classifier can still give the value.
//!
//! Nothing is reported if something that could
//! have the key is missing from the checkout:
//!
//! - a function, or a folder of data;
//! - a file that the hierarchy names by a path without variables, or one that `.gitignore` names: another program
//!   provides them, such as secrets;
//! - a hierarchy of version 5 of the environment: that of the server may be the effective one. The same holds for a
//!   folder `hieradata` that no level reads;
//! - the module that the key is of, or its data; also if the module is in the repository, but not in the module path.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the call fails.
//!
//! ## How to fix it
//!
//! Add the key to the data, fix its name, or pass a default.
//!
//! ## Example
//!
//! ```yaml
//! # modules/profile/manifests/web.pp
//! $port = lookup('web_prot')
//! ```
//!
//! becomes
//!
//! ```yaml
//! # modules/profile/manifests/web.pp
//! $port = lookup('web_port')
//! ```
//!
//! A comment `# hieratic: ignore undefined-key` on the same line or the line before accepts the finding.

use std::path::Path;

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::{Source, Span};

use super::RuleContext;
use crate::finding::Finding;
use crate::hygiene::{Modules, ReadSets, chain_of, configs};
use crate::rules;
use crate::workspace::code::{Inclusion, ParameterInfo};
use crate::workspace::hierarchy::Config;
use crate::workspace::lookup_calls::{CallKey, LookupCall};
use crate::workspace::{Code, Workspace, list, named};

/// Calls that fail for every node that comes to them, because no level has the key, or none that one of all nodes
/// reads.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, code) = (cx.workspace, cx.code);
    // A source that cannot be checked may have any key.
    if workspace.has_hidden_keys() || workspace.has_unread_levels() || !workspace.unreadable.is_empty() {
        return;
    }
    if workspace.files.is_empty() || workspace.files.iter().any(|file| !file.is_plain()) {
        return;
    }
    let here: HashSet<&Path> = workspace.files.iter().map(|file| file.path.as_path()).collect();
    let misses_data = |(index, config): (usize, &Config)| misses_data(workspace, index, config, &here);
    if !has_hierarchy(workspace) || configs(workspace, None).any(misses_data) {
        return;
    }
    let of_modules = workspace.configs.iter().enumerate().filter(|(_, config)| config.module.is_some());
    let mut unread_modules: HashSet<String> =
        of_modules.filter(|one| misses_data(*one)).filter_map(|(_, config)| config.module.clone()).collect();
    unread_modules.extend(workspace.unlisted_module_names());
    let keys = workspace.keys();
    let modules = Modules::new(workspace);
    let read_sets = cx.options.hygiene.then(|| cx.read_sets());
    let nodes: Vec<&str> = read_sets.iter().flat_map(|sets| &sets.nodes).map(String::as_str).collect();
    let mut all: Vec<_> = code.lookup_calls.by_key().collect();
    all.sort_erased_by_key(|(key, _)| *key);
    for (key, requests) in all {
        if key.is_empty() || workspace.is_of_missing_module(key) {
            continue;
        }
        if key.split_once("::").is_some_and(|(module, _)| unread_modules.contains(module)) {
            continue;
        }
        let is_nowhere = !keys.contains(key);
        let is_unread = || read_sets.is_some_and(|sets| is_beyond(workspace, sets, &modules, key));
        if !is_nowhere && !is_unread() {
            continue;
        }
        let places: Vec<_> = requests.iter().filter_map(fails).collect();
        if places.is_empty() {
            continue;
        }
        let mut notes = vec![match nodes.as_slice() {
            [] => "compilation fails on every node that reaches this call".to_owned(),
            nodes => format!("compilation fails on each of these nodes that reaches this call: {}", list(nodes)),
        }];
        let (message, help) = if is_nowhere {
            let help = match hieratic_diagnostics::nearest(key, keys.iter().copied()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => "add the key to the data, or a default to the call".to_owned(),
            };
            (format!("No level has the key '{key}', and the lookup has no default"), help)
        } else {
            let files = workspace.files.iter().filter(|file| file.hash.contains(key));
            let files: Vec<String> = files.map(|file| named(&file.path)).collect();
            let files = list(&files.iter().map(String::as_str).collect::<Vec<_>>());
            notes.push(format!("none of them reads {files}, which defines it"));
            let help = "add the key to a file that these nodes read, or a default to the call".to_owned();
            (format!("None of the {} nodes has the key '{key}', and the lookup has no default", nodes.len()), help)
        };
        for (source, span) in places {
            let finding = Finding::new(&rules::UNDEFINED_KEY, message.clone()).at(source, *span, "").help(help.clone());
            cx.report(notes.iter().cloned().fold(finding, Finding::note));
        }
    }
    if !cx.options.hygiene {
        return;
    }
    let is_judged = |key: &str| {
        let is_unread = key.split_once("::").is_some_and(|(module, _)| unread_modules.contains(module));
        !keys.contains(key) && !is_unread && !workspace.is_of_missing_module(key)
    };
    cx.report_all(parameters(code, &is_judged));
}

/// Finds parameters without a default of included classes for which no data has a value.
fn parameters(code: &Code, is_judged: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let mut included: HashMap<&str, &Inclusion> = HashMap::default();
    for inclusion in code.inclusions.iter().filter(|inclusion| is_of_manifests(inclusion)) {
        included.entry(&inclusion.class).or_insert(inclusion);
    }
    // A resource declaration of a class may set all of its parameters.
    for inclusion in code.inclusions.iter().filter(|inclusion| inclusion.may_give) {
        included.remove(inclusion.class.as_str());
    }
    let mut classes: Vec<_> = included.into_iter().collect();
    classes.sort_erased_by_key(|(class, _)| *class);
    let mut findings = Vec::new();
    for (class, inclusion) in classes {
        let Some(info) = code.classes.get(class) else { continue };
        let is_missing = |parameter: &&ParameterInfo| {
            let takes_nothing = parameter.kind.as_deref().is_some_and(takes_nothing);
            !parameter.has_default && !takes_nothing && is_judged(&format!("{class}::{}", parameter.name))
        };
        let missing: Vec<&ParameterInfo> = info.parameters.iter().filter(is_missing).collect();
        let Some(first) = missing.first() else { continue };
        let names: Vec<&str> = missing.iter().map(|parameter| parameter.name.as_str()).collect();
        let message = match names.as_slice() {
            [only] => format!("No level has the key '{class}::{only}', and the parameter has no default"),
            names => format!("No level has keys for these parameters of '{class}' without a default: {}", list(names)),
        };
        let finding = Finding::new(&rules::UNDEFINED_KEY, message).at(&info.source, first.span, "");
        let finding = finding.related(&inclusion.source, inclusion.span, "the class is included here");
        let note = "the catalog of every node that includes the class fails, unless a node classifier gives the values";
        let help = "add the keys to the data, or defaults to the parameters";
        // A classifier may know more than the checkout.
        findings.push(finding.note(note).help(help).lowered_to_note());
    }
    findings
}

/// Returns whether a manifest includes the class, as opposed to an example or a test of a module.
fn is_of_manifests(inclusion: &Inclusion) -> bool {
    Path::new(inclusion.source.name()).iter().any(|part| part == "manifests")
}

/// Returns whether a type may accept undef.
fn takes_nothing(kind: &str) -> bool {
    ["Optional", "Any", "Undef"].iter().any(|name| kind.contains(name))
}

/// Returns whether the environment has a hierarchy. Without one, the hierarchy of the server answers, which is not in
/// the repository.
fn has_hierarchy(workspace: &Workspace) -> bool {
    let root = workspace.root();
    let mut own = configs(workspace, None).filter(|(_, config)| config.root == root && config.source.is_some());
    // The folder that older hierarchies read: a server whose hierarchy is not here may read it still.
    let older = root.join("hieradata");
    own.any(|(_, config)| {
        let reads_older =
            || config.levels.iter().flat_map(|level| &level.patterns).any(|pattern| pattern.root.starts_with(&older));
        !config.levels.is_empty() && (!workspace.readable().is_folder(&older) || reads_older())
    })
}

/// Returns whether a configuration reads data that is not in git, such as secrets: its hierarchy has a path without
/// variables, and the checkout has no file there. `here` are the files that the checkout has.
fn misses_data(workspace: &Workspace, index: usize, config: &Config, here: &HashSet<&Path>) -> bool {
    config.levels.iter().enumerate().any(|(number, level)| {
        let paths = level.level.sources.iter().zip(&level.patterns);
        let mut fixed = paths.filter(|(_, pattern)| !pattern.varies() && !pattern.is_search());
        workspace.incomplete_levels.contains(&(index, number))
            || fixed.any(|(source, _)| !here.contains(Path::new(&source.text)))
    })
}

/// The position of a call that fails if no data has its key.
fn fails(request: &LookupCall) -> Option<&(Source, Span)> {
    let (Some(place), CallKey::Key(_), false) = (&request.place, &request.key, request.has_default) else {
        return None;
    };
    // Plans have a separate hierarchy.
    let is_of_plan = std::path::Path::new(place.0.name()).components().any(|part| part.as_os_str() == "plans");
    (!is_of_plan).then_some(place)
}

/// Returns whether all nodes are known, and none of them reads a file that has a key.
fn is_beyond(workspace: &Workspace, read_sets: &ReadSets, modules: &Modules<'_>, key: &str) -> bool {
    if !read_sets.are_all_given() {
        return false;
    }
    let module = modules.of_key(key);
    let has = |file: usize| workspace.files[file].hash.contains(key);
    read_sets.all.iter().all(|read_set| chain_of(read_set, module, &has).is_empty())
}
