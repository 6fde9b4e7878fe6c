//! Suggestions for keys that are not found.

use hieratic_hiera::inspect::{HierarchyFile, Interpolated, InterpolationKind, Level, Whose, interpolations};
use hieratic_hiera::{Key, Node, Query, Segment};
use hieratic_value::{Str, Value};

use crate::Environment;
use crate::environment::quoted;

/// The suggestions for a missing key, and the sources that were searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeySuggestions {
    /// The keys with a similar spelling, the best first.
    pub keys: Vec<String>,
    /// The sources that were searched, in order.
    pub places: Vec<SearchedLocation>,
}

/// A source that was searched for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedLocation {
    /// Its path or name.
    pub name: String,
    /// Whether it exists.
    pub is_there: bool,
}

/// The maximum number of suggested keys.
const SUGGESTIONS: usize = 3;

/// Returns suggestions for a missing key, with the sources that were searched.
pub fn nearest_keys(node: &Node, name: &str) -> KeySuggestions {
    // The keys are only for suggestions: the error itself was reported.
    let keys = node.keys().unwrap_or_default();
    KeySuggestions { keys: suggest_keys(&keys, name), places: tried_places(node, &[name]) }
}

/// Returns the sources that were searched for a key: the first of `names` for which there are any.
pub fn tried_places(node: &Node, names: &[&str]) -> Vec<SearchedLocation> {
    let places = |name: &&str| {
        let key = Key::parse(name).ok();
        let places = node.places(key.as_ref().and_then(Key::module)).unwrap_or_default();
        places.into_iter().map(|(name, is_there)| SearchedLocation { name, is_there }).collect::<Vec<_>>()
    };
    names.iter().map(places).find(|places| !places.is_empty()).unwrap_or_default()
}

/// Returns the keys of a node that resemble a missing one, the best first.
pub fn suggest_keys(keys: &[Str], name: &str) -> Vec<String> {
    let key = Key::parse(name).ok();
    let root = key.as_ref().map_or(name, |key| key.root());
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
    nearest
}

/// The part of a key with dots that does not exist in its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingPart {
    /// The longest prefix of the key that has a value.
    pub found: String,
    /// The parts of that value.
    pub parts: Parts,
    /// Suggested whole keys, the best first.
    pub near: Vec<String>,
}

/// The parts of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts {
    /// The keys of a hash, in its order, as a lookup takes them.
    Keys(Vec<String>),
    /// The number of elements of an array.
    Elements(usize),
    /// A value without parts, or a secret.
    None,
}

/// The maximum number of listed subkeys.
const MOST_SUBKEYS: usize = 12;

impl Parts {
    /// Describes the parts of the value of `key` in a sentence.
    ///
    /// ```
    /// use hieratic::lookup::Parts;
    /// assert_eq!(Parts::Elements(1).of("a").as_deref(), Some("'a' has one element, 'a.0'"));
    /// assert_eq!(Parts::None.of("a"), None);
    /// ```
    pub fn of(&self, key: &str) -> Option<String> {
        match self {
            Parts::Keys(keys) if keys.is_empty() => Some(format!("'{key}' is an empty hash")),
            Parts::Keys(keys) => {
                let shown: Vec<&str> = keys.iter().take(MOST_SUBKEYS).map(String::as_str).collect();
                let more = match keys.len() - shown.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                Some(format!("'{key}' has these subkeys: {}{more}", shown.join(", ")))
            }
            Parts::Elements(0) => Some(format!("'{key}' is an empty array")),
            Parts::Elements(1) => Some(format!("'{key}' has one element, '{key}.0'")),
            Parts::Elements(count) => Some(format!("'{key}' has {count} elements, '{key}.0' to '{key}.{}'", count - 1)),
            Parts::None => None,
        }
    }
}

/// Returns the missing part of a key with dots, or `None` if no prefix has a value. The parts of a secret are not
/// listed.
pub fn missing_part(node: &Node, query: &Query<'_>, name: &str) -> Option<MissingPart> {
    let key = Key::parse(name).ok().filter(|key| !key.segments().is_empty())?;
    let mut found = quoted(key.root()).into_owned();
    let question = Query { names: vec![&found], default: None, value_type: None, ..query.clone() };
    // A value that cannot be looked up has no parts to suggest.
    let mut value = node.lookup_redacted(&question).ok()?;
    for (index, segment) in key.segments().iter().enumerate() {
        let Some(next) = part(&value, segment) else {
            let rest = &key.segments()[index + 1..];
            let keys: Vec<&str> =
                value.as_hash().into_iter().flat_map(|hash| hash.keys().filter_map(Value::as_str)).collect();
            let near = hieratic_diagnostics::nearest_many(&segment.to_string(), keys);
            let near = near.into_iter().map(|near| format!("{found}.{}", with_rest(&value, near, rest))).collect();
            return Some(MissingPart { found, parts: parts_of(&value), near });
        };
        value = next;
        found = match segment {
            Segment::Name(name) => format!("{found}.{}", quoted(name)),
            Segment::Index(index) => format!("{found}.{index}"),
        };
    }
    None
}

fn part(value: &Value, segment: &Segment) -> Option<Value> {
    match (value, segment) {
        (Value::Array(elements), Segment::Index(at)) => elements.get(usize::try_from(*at).ok()?).cloned(),
        (Value::Hash(hash), segment) => hash.get_value(&segment.to_value()).cloned(),
        _ => None,
    }
}

/// Returns a suggested subkey with the rest of the key, if the rest exists below it.
fn with_rest(value: &Value, near: &str, rest: &[Segment]) -> String {
    let inside = part(value, &Segment::Name(near.into()));
    let leads = rest.iter().try_fold(inside, |value, segment| Some(part(&value?, segment))).flatten().is_some();
    let rest: String = rest.iter().map(|segment| format!(".{segment}")).collect();
    format!("{}{}", quoted(near), if leads { rest.as_str() } else { "" })
}

fn parts_of(value: &Value) -> Parts {
    match value {
        Value::Hash(hash) => Parts::Keys(hash.keys().map(|key| quoted(&key.to_text()).into_owned()).collect()),
        Value::Array(elements) => Parts::Elements(elements.len()),
        _ => Parts::None,
    }
}

/// Returns the variables in the paths of the global and the environment's hierarchy that are not set for the node: the
/// usual reason why a level has no data. Unreadable configurations are skipped.
pub fn unset_variables(environment: &Environment, node: &Node) -> Vec<String> {
    let mut unset: Vec<String> = Vec::new();
    for whose in [Whose::Global, Whose::Environment] {
        let Ok(Some(blueprint)) =
            HierarchyFile::read(environment.layers(), environment.capabilities(), whose, &mut Vec::new())
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

/// Returns the names of all levels of all layers, in order, including default hierarchies. Unreadable configurations
/// are skipped: a lookup reports the error.
pub fn level_names(environment: &Environment) -> Vec<String> {
    let modules = environment.layers().modules.keys().map(|name| Whose::Module(name));
    let mut names: Vec<String> = Vec::new();
    for whose in [Whose::Global, Whose::Environment].into_iter().chain(modules) {
        let read = HierarchyFile::read(environment.layers(), environment.capabilities(), whose, &mut Vec::new());
        let Ok(Some(blueprint)) = read else { continue };
        for level in blueprint.levels.iter().chain(&blueprint.default_levels) {
            if !names.iter().any(|name| **name == *level.name) {
                names.push(level.name.to_string());
            }
        }
    }
    names
}

fn variables_of(level: &Level) -> impl Iterator<Item = String> {
    level.sources.iter().flat_map(|source| interpolations(&source.text)).filter_map(|found| match found.kind {
        InterpolationKind::Variable(name) => Some(name),
        _ => None,
    })
}

/// Returns whether a key matches one of the patterns, or whether there are no patterns. `*` matches any characters, `?`
/// a single one.
///
/// ```
/// assert!(hieratic::lookup::matches_patterns("profile::web::port", &["profile::*".to_owned()]));
/// assert!(!hieratic::lookup::matches_patterns("profile::web::port", &["site::*".to_owned()]));
/// ```
pub fn matches_patterns(key: &str, patterns: &[String]) -> bool {
    if patterns.is_empty() {
        return true;
    }
    let key = key.trim_matches(['\'', '"']);
    patterns.iter().any(|pattern| matches(pattern, key))
}

/// Returns whether a pattern matches a key. `*` matches any characters, `?` one.
fn matches(pattern: &str, key: &str) -> bool {
    let (pattern, key): (Vec<char>, Vec<char>) = (pattern.chars().collect(), key.chars().collect());
    let (mut at, mut within) = (0, 0);
    // The last star, and how much of the key it has consumed.
    let mut star: Option<(usize, usize)> = None;
    while within < key.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, within));
                at += 1;
            }
            Some(c) if *c == '?' || *c == key[within] => (at, within) = (at + 1, within + 1),
            _ => match &mut star {
                Some((after, count)) => {
                    *count += 1;
                    (at, within) = (*after + 1, *count);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_stand_for_names_and_characters() {
        for (pattern, key) in [
            ("profile::web::*", "profile::web::port"),
            ("*", ""),
            ("*::port", "a::b::port"),
            ("a*b*c", "a-b-b-c"),
            ("ntp::server?", "ntp::servers"),
            ("plain", "plain"),
        ] {
            assert!(matches(pattern, key), "{pattern} {key}");
        }
        for (pattern, key) in
            [("profile::web::*", "profile::db::port"), ("a?", "a"), ("plain", "plainer"), ("*x", "xy"), ("", "a")]
        {
            assert!(!matches(pattern, key), "{pattern} {key}");
        }
    }
}
