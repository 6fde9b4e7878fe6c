//! [`node_fingerprint`]: the identity of everything that a node's answers depend on, so that equivalent nodes are looked up
//! once.

use std::hash::{DefaultHasher, Hash, Hasher};

use hieratic_hiera::{DataDependency, NodeDependencies, SourceData};
use hieratic_value::Str;

/// Returns the fingerprint of the dependencies of a node, or of several states of it: the locations that exist, and
/// their sources. Nodes with equal fingerprints get the same answers, if the variables that their data
/// [mentions](hieratic_hiera::Mentions) have the same values, and no backend is code.
///
/// A missing location, such as the node-specific file that most nodes do not have, does not distinguish nodes.
pub fn node_fingerprint(sides: &[&NodeDependencies]) -> u128 {
    let is_there =
        |footing: &&DataDependency| footing.data.is_some() || footing.fault.is_some() || footing.path.is_some();
    let place = |footing: &DataDependency| -> (u64, Option<u64>, Option<Str>) {
        (footing.place, footing.data.as_ref().map(SourceData::id), footing.fault.clone())
    };
    let side = |footprint: &&NodeDependencies| -> (bool, Vec<_>) {
        (footprint.asks_code, footprint.places.iter().filter(is_there).map(place).collect())
    };
    fingerprint_of(&sides.iter().map(side).collect::<Vec<_>>())
}

/// Returns a 128-bit hash of a value. Values with equal hashes can be treated as equal.
pub fn fingerprint_of(what: &impl Hash) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        what.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
