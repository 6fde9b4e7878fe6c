//! # unknown-class
//!
//! Code includes a class that does not exist. (error)
//!
//! ## What is found
//!
//! A manifest includes, contains, requires or declares a class by its name. The module of the class is in the module
//! path and has other classes, but not this one. Modules that are missing here do not matter.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the line fails.
//!
//! ## How to fix it
//!
//! Fix the name, or add the class to the module.
//!
//! ## Example
//!
//! ```puppet
//! # manifests/site.pp
//! include profile::webb
//! ```
//!
//! becomes
//!
//! ```puppet
//! # manifests/site.pp
//! include profile::web
//! ```
//!
//! A comment `# hieratic: ignore unknown-class` on the same line or the line before accepts the finding.

use std::path::Path;

use hieratic::value::collections::HashSet;

use crate::finding::Finding;
use crate::rules;
use crate::workspace::{Code, Workspace};

/// Every class that code includes by its name, that is of a module that is here, and that does not exist.
pub(crate) fn find(workspace: &Workspace, code: &Code) -> Vec<Finding> {
    let is_missing = |class: &str| class.contains("::") && !code.classes.contains_key(class);
    if !code.inclusions.iter().any(|inclusion| is_missing(&inclusion.class)) {
        return Vec::new();
    }
    let modules = modules_with_code(workspace, code);
    let mut findings = Vec::new();
    for inclusion in code.inclusions.iter().filter(|inclusion| is_missing(&inclusion.class)) {
        let class = inclusion.class.as_str();
        let Some(module) = class.split("::").next().filter(|module| modules.contains(*module)) else { continue };
        if has_manifest(workspace, class) {
            continue;
        }
        let message = format!("The class '{class}' does not exist, and its module '{module}' is here");
        let finding = Finding::new(&rules::UNKNOWN_CLASS, message).at(&inclusion.source, inclusion.span, "");
        let own = code.classes.keys().map(String::as_str).filter(|known| known.split("::").next() == Some(module));
        let mut own: Vec<&str> = own.collect();
        own.sort_unstable();
        findings.push(finding.help(match hieratic_diagnostics::nearest(class, own) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "fix the name, or add the class to the module".to_owned(),
        }));
    }
    findings
}

/// Reports whether the manifest exists that a class is loaded from. If it does not define the class, that is another
/// finding.
fn has_manifest(workspace: &Workspace, class: &str) -> bool {
    let mut names = class.split("::");
    let layer = names.next().and_then(|module| workspace.environment.layers().modules.get(module));
    let manifest = layer.map(|layer| names.fold(layer.root.join("manifests"), |path, name| path.join(name)));
    manifest.is_some_and(|path| workspace.readable().is_file(&path.with_extension("pp")))
}

/// The modules that are here with their code, and that no module of the same name elsewhere can come before.
pub(crate) fn modules_with_code<'c>(workspace: &Workspace, code: &'c Code) -> HashSet<&'c str> {
    // The folder of a submodule that was not checked out has no code.
    let mut modules: HashSet<&str> = code.classes.keys().filter_map(|class| class.split("::").next()).collect();
    let layers = &workspace.environment.layers().modules;
    modules.retain(|module| layers.get(*module).is_some_and(|layer| is_first(workspace, &layer.root)));
    modules
}

/// Reports whether every earlier folder of the module path can be read, so that no module of the same name precedes
/// this one.
fn is_first(workspace: &Workspace, module: &Path) -> bool {
    let before = workspace.environment.modulepath().take_while(|folder| module.parent() != Some(folder.as_path()));
    before.into_iter().all(|folder| workspace.readable().holds(&folder))
}
