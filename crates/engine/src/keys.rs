//! What may have been meant when a key is not found.

use hieratic_hiera::inspect::{Blueprint, Interpolated, InterpolationKind, Level, Whose, interpolations};
use hieratic_hiera::{Key, Node};

use crate::Environment;

/// What may have been meant, and where was looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nearest {
    /// The keys whose spelling is nearest, the best first.
    pub keys: Vec<String>,
    /// The sources that were tried, in order, and whether each is there.
    pub places: Vec<(String, bool)>,
}

/// How many keys to suggest.
const SUGGESTIONS: usize = 3;

/// What may have been meant by a key that is not found.
pub fn nearest_keys(node: &Node, name: &str) -> Nearest {
    let key = Key::parse(name).ok();
    let root = key.as_ref().map_or(name, |key| key.root());
    let keys = node.keys().unwrap_or_default();
    let names: Vec<&str> = keys.iter().map(|key| &**key).filter(|key| *key != root).collect();
    let mut nearest: Vec<String> = hieratic_diagnostics::nearest_many(root, names.iter().copied())
        .into_iter()
        .take(SUGGESTIONS)
        .map(String::from)
        .collect();
    if nearest.is_empty() {
        // The last part of a qualified name is what people remember.
        let last = |name: &str| name.rsplit("::").next().map(String::from);
        nearest = names
            .iter()
            .filter(|name| last(name) == last(root))
            .take(SUGGESTIONS)
            .map(|name| name.to_string())
            .collect();
    }
    let places = node.places(key.as_ref().and_then(Key::module)).unwrap_or_default();
    Nearest { keys: nearest, places }
}

/// The variables that the hierarchies of the environment and above it name in their paths and that the node does not have, as
/// they are written: the usual reason why a level that should answer does not. What cannot be read names none.
pub fn unset_variables(environment: &Environment, node: &Node) -> Vec<String> {
    let mut unset: Vec<String> = Vec::new();
    for whose in [Whose::Global, Whose::Environment] {
        let Ok(Some(blueprint)) = Blueprint::read(environment.layers(), environment.powers(), whose, &mut Vec::new())
        else {
            continue;
        };
        for variable in blueprint.levels.iter().flat_map(variables_of) {
            if node.interpolated(&variable) == Interpolated::Missing && !unset.contains(&variable) {
                unset.push(variable);
            }
        }
    }
    unset
}

fn variables_of(level: &Level) -> impl Iterator<Item = String> {
    level.sources.iter().flat_map(|source| interpolations(&source.text)).filter_map(|found| match found.kind {
        InterpolationKind::Variable(name) => Some(name),
        _ => None,
    })
}
