//! [`hierarchy_facts`]: the facts that hierarchies interpolate.

use hieratic::Environment;
use hieratic::hiera::inspect::{HierarchyFile, InterpolationKind, Whose, interpolations};

/// Returns the variables in the paths of the global and the environment's hierarchy, in order.
pub fn hierarchy_facts(environment: &Environment) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for whose in [Whose::Environment, Whose::Global] {
        let read = HierarchyFile::read(environment.layers(), environment.capabilities(), whose, &mut Vec::new());
        let Ok(Some(blueprint)) = read else { continue };
        for source in blueprint.levels.iter().flat_map(|level| &level.sources) {
            for found in interpolations(&source.text) {
                if let InterpolationKind::Variable(name) = found.kind
                    && !names.contains(&name)
                {
                    names.push(name);
                }
            }
        }
    }
    names
}
