//! The hierarchies of an environment: the names of their levels, and why there may be none.

use std::collections::BTreeSet;
use std::path::Path;

use hieratic::hiera::inspect::{Blueprint, Whose};
use hieratic::powers::Kind;
use hieratic::{Environment, Settings};

/// The names of the levels of all hierarchies of an environment: its own, that of the machine and those of modules. Hierarchies that cannot
/// be read have none.
pub fn level_names(environment: &Environment) -> BTreeSet<String> {
    let layers = environment.layers();
    let modules = layers.modules.keys().map(|name| Whose::Module(name));
    let read = |whose| {
        // Looking up tells why a hierarchy cannot be read.
        Blueprint::read(layers, environment.powers(), whose, &mut Vec::new()).ok().flatten()
    };
    let blueprints = [Whose::Environment, Whose::Global].into_iter().chain(modules).filter_map(read);
    let levels = blueprints.flat_map(|blueprint| blueprint.levels.into_iter().chain(blueprint.default_levels));
    levels.map(|level| level.name.to_string()).collect()
}

/// Why no data of an environment can be looked up, if there is no hierarchy that reads any, and what to try.
pub fn missing_hierarchy(environment: &Environment, settings: &Settings) -> Option<(String, String)> {
    let layers = environment.layers();
    let has = |whose| {
        let read = Blueprint::read(layers, environment.powers(), whose, &mut Vec::new());
        // One that cannot be used is there nevertheless.
        !matches!(read, Ok(None))
    };
    // The one of this machine was not meant unless somebody named it.
    let names_global = settings.hiera_config.is_some() || settings.confdir.is_some() || settings.config.is_some();
    if has(Whose::Environment) || names_global && has(Whose::Global) {
        return None;
    }
    let root = &layers.environment.root;
    let message = format!("{} has no hiera.yaml: no hierarchy reads its data", root.display());
    let help = match near(environment, root) {
        Some((file, true)) => format!("{file} has the form of Hiera 3: read it with --hiera_config {file}"),
        Some((file, false)) => format!("{file} is not read: the name is hiera.yaml"),
        None => "write a hiera.yaml, or name the configuration of the machine with --hiera_config FILE".to_owned(),
    };
    Some((message, help))
}

/// A file in a folder that was perhaps meant as the configuration, and whether it has the form of Hiera 3.
fn near(environment: &Environment, root: &Path) -> Option<(String, bool)> {
    let files = &environment.powers().data;
    // What cannot be listed has no name to suggest.
    let entries = files.list(root).unwrap_or_default();
    let is_configuration = |name: &str| {
        let lower = name.to_lowercase();
        lower.contains("hiera") && [".yaml", ".yml"].iter().any(|end| lower.ends_with(end))
    };
    let mut names: Vec<String> = entries
        .into_iter()
        .filter(|entry| entry.kind == Kind::File && is_configuration(&entry.name) && entry.name != "hieratic.yaml")
        .map(|entry| entry.name)
        .collect();
    names.sort();
    let read = |name: String| {
        // A file that cannot be read is none to suggest.
        let text = files.read_text(&root.join(&name)).ok()?;
        let has = |start: &str| text.lines().any(|line| line.starts_with(start));
        match (has(":hierarchy:") || has(":backends:"), has("hierarchy:") || has("version:")) {
            (true, _) => Some((name, true)),
            (false, true) => Some((name, false)),
            (false, false) => None,
        }
    };
    names.into_iter().find_map(read)
}
