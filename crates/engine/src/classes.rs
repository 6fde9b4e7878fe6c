//! [`fingerprint`]: what tells nodes apart whose answers may differ, so that nodes that are alike are asked once.

use std::hash::{DefaultHasher, Hash, Hasher};

use hieratic_hiera::{Footing, Footprint, SourceData};
use hieratic_value::Str;

/// A number for what the answers of a node are made of, or those of its states: the places where something is, and their sources. Nodes of
/// the same number get the same answers, if the variables that their data [mentions](hieratic_hiera::Mentions) have the same values, and
/// no code answers.
///
/// A place where nothing is, such as the file of one node that most nodes do not have, tells nobody apart.
pub fn fingerprint(sides: &[&Footprint]) -> u128 {
    let is_there = |footing: &&Footing| footing.data.is_some() || footing.fault.is_some() || footing.path.is_some();
    let place = |footing: &Footing| -> (u64, Option<u64>, Option<Str>) {
        (footing.place, footing.data.as_ref().map(SourceData::id), footing.fault.clone())
    };
    let side = |footprint: &&Footprint| -> (bool, Vec<_>) {
        (footprint.asks_code, footprint.places.iter().filter(is_there).map(place).collect())
    };
    numbered(&sides.iter().map(side).collect::<Vec<_>>())
}

/// A number for something: equal for what is equal, and for nothing else that is met in practice.
pub fn numbered(what: &impl Hash) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        what.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
