//! [`node_fingerprint`]: a hash of everything that a node's answers depend on, so that equivalent nodes are looked up
//! once.

use hieratic_hiera::{DataDependency, LocationId, NodeDependencies, SourceData, SourceId};
use hieratic_value::Str;
use hieratic_value::ids::Fingerprint;

/// Returns the fingerprint of the dependencies of a node, or of several revisions of it: its existing locations, and
/// their sources. Nodes with equal fingerprints get the same answers, if the variables that their data
/// [mentions](hieratic_hiera::Mentions) have the same values, and no backend is code.
///
/// A missing location, such as the node-specific file that most nodes do not have, does not distinguish nodes.
pub fn node_fingerprint(sides: &[&NodeDependencies]) -> Fingerprint {
    let is_there = |dependency: &&DataDependency| {
        dependency.data.is_some() || dependency.fault.is_some() || dependency.path.is_some()
    };
    let place = |dependency: &DataDependency| -> (LocationId, Option<SourceId>, Option<Str>) {
        (dependency.place, dependency.data.as_ref().map(SourceData::id), dependency.fault.clone())
    };
    let side = |dependencies: &&NodeDependencies| -> (bool, Vec<_>) {
        (dependencies.asks_code, dependencies.places.iter().filter(is_there).map(place).collect())
    };
    Fingerprint::new(&sides.iter().map(side).collect::<Vec<_>>())
}
