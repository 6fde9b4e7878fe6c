//! # unknown-class
//!
//! Code includes a class that does not exist. (error)
//!
//! ## What is found
//!
//! A manifest includes, contains, requires or declares a class by its name, inherits from it, or refers to it in a
//! relationship. The module of the class is in the module path and has other classes, but not this one. Modules that are
//! missing here do not matter.
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

use hieratic::Environment;
use hieratic::value::collections::HashSet;

use crate::workspace::Code;

/// The modules that are here with their code, and that no module of the same name elsewhere can come before.
pub(crate) fn modules_with_code<'c>(environment: &Environment, code: &'c Code) -> HashSet<&'c str> {
    // The folder of a submodule that was not checked out has no code.
    let mut modules: HashSet<&str> = code.classes.keys().filter_map(|class| class.split("::").next()).collect();
    let layers = &environment.layers().modules;
    modules.retain(|module| layers.get(*module).is_some_and(|layer| is_first(environment, &layer.root)));
    modules
}

/// Returns whether every earlier folder of the module path can be read, so that no module of the same name precedes
/// this one.
fn is_first(environment: &Environment, module: &Path) -> bool {
    let before = environment.modulepath().take_while(|folder| module.parent() != Some(folder.as_path()));
    before.into_iter().all(|folder| environment.capabilities().data.holds(&folder))
}
