//! The levels of the hierarchies of an environment, by name.

use std::collections::BTreeSet;

use hieratic::Environment;
use hieratic::hiera::inspect::{Blueprint, Whose};

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
