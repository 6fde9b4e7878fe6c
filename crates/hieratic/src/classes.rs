//! [`node_fingerprint`]: the identity of everything that a node's answers depend on, so that equivalent nodes are looked up
//! once.

use hieratic_hiera::{DataDependency, LocationId, NodeDependencies, SourceData, SourceId};
use hieratic_value::Str;
use hieratic_value::ids::Fingerprint;

/// Returns the fingerprint of the dependencies of a node, or of several states of it: the locations that exist, and
/// their sources. Nodes with equal fingerprints get the same answers, if the variables that their data
/// [mentions](hieratic_hiera::Mentions) have the same values, and no backend is code.
///
/// A missing location, such as the node-specific file that most nodes do not have, does not distinguish nodes.
pub fn node_fingerprint(sides: &[&NodeDependencies]) -> Fingerprint {
    let is_there =
        |footing: &&DataDependency| footing.data.is_some() || footing.fault.is_some() || footing.path.is_some();
    let place = |footing: &DataDependency| -> (LocationId, Option<SourceId>, Option<Str>) {
        (footing.place, footing.data.as_ref().map(SourceData::id), footing.fault.clone())
    };
    let side = |footprint: &&NodeDependencies| -> (bool, Vec<_>) {
        (footprint.asks_code, footprint.places.iter().filter(is_there).map(place).collect())
    };
    Fingerprint::new(&sides.iter().map(side).collect::<Vec<_>>())
}
