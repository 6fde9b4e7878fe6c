//! Native resource types: their attributes and unique keys.
//!
//! [`module`] reads those of modules. The table of the agent's types is recorded from Puppet 7.23 and its modules; see
//! the [type reference](https://www.puppet.com/docs/puppet/8/type.html).

mod metadata;
mod module;
mod table;

use std::sync::Arc;

use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Str, Value};

pub(crate) use table::METAPARAMETERS;

/// A resource type of the agent.
#[derive(Debug)]
pub(crate) struct AgentType {
    /// The name.
    pub name: &'static str,
    /// The attributes that together name a resource, sorted.
    pub keys: &'static [&'static str],
    /// Whether two resources with the same key are duplicates.
    pub isomorphic: bool,
    /// The rule for titles.
    pub titles: TitleRule,
    /// The attributes, without those that every resource has.
    pub attributes: &'static str,
}

/// A resource type of a module.
#[derive(Debug, Default)]
pub(crate) struct ModuleType {
    /// The attributes that together name a resource, sorted.
    pub keys: Vec<Str>,
    /// Whether two resources with the same key are duplicates.
    pub isomorphic: bool,
    /// The patterns for titles. The first that matches is used.
    pub patterns: Vec<TitlePattern>,
    /// The attributes, without those that every resource has.
    pub attributes: Vec<Str>,
    /// The values of attributes that take no other ones.
    pub allowed: Vec<(Str, Arc<AllowedValues>)>,
    /// The attributes of a type of the Resource API, with what it declares of each.
    pub declared: Vec<(Str, Arc<DeclaredAttribute>)>,
}

/// An attribute of a type of the Resource API.
#[derive(Debug, PartialEq, Eq)]
pub struct DeclaredAttribute {
    /// The data type of its values.
    pub kind: Str,
    /// Whether only the provider sets it.
    pub is_read_only: bool,
}

/// The values that an attribute of a Ruby resource type allows.
#[derive(Debug, Default)]
pub struct AllowedValues {
    /// The words.
    pub words: Vec<Str>,
    /// The patterns. Any other value must match one of them.
    pub patterns: Vec<Regexp>,
}

impl AllowedValues {
    /// Returns whether a value is allowed, from its form as a string.
    pub fn contains(&self, value: &str) -> bool {
        self.words.iter().any(|word| **word == *value) || self.patterns.iter().any(|pattern| pattern.is_match(value))
    }
}

/// A pattern for titles: its groups are the values of attributes.
#[derive(Debug)]
pub(crate) struct TitlePattern {
    pub regexp: Regexp,
    pub parts: Vec<Str>,
}

/// A native type of the agent or of a module.
#[derive(Clone, Debug)]
pub(crate) enum NativeType {
    Agent(&'static AgentType),
    Module(Arc<ModuleType>),
}

/// The rules that derive the naming attributes of a resource from its title.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TitleRule {
    /// The whole title is the name.
    Whole,
    /// A path: slashes at its end do not count.
    Path,
    /// `name@type`, or only a name.
    NameAtType,
}

/// The attributes that order resources.
pub(crate) const ORDERING: [&str; 4] = ["require", "subscribe", "before", "notify"];

/// The type of the agent of a name in lower case.
pub(crate) fn find(name: &str) -> Option<NativeType> {
    let at = table::KINDS.binary_search_by(|kind| kind.name.cmp(name)).ok()?;
    table::KINDS.get(at).map(NativeType::Agent)
}

/// The names of the types of the agent, sorted.
pub(crate) fn agent_names() -> impl Iterator<Item = &'static str> {
    table::KINDS.iter().map(|kind| kind.name)
}

/// Returns the attributes of a type of the agent, as in the table.
pub(crate) fn agent_attributes_of(name: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    match find(name)? {
        NativeType::Agent(kind) => Some(kind.attributes.split(' ')),
        NativeType::Module(_) => None,
    }
}

/// The attributes of a type of the agent.
pub(crate) fn agent_attributes(name: &str) -> Option<Vec<String>> {
    match find(name)? {
        NativeType::Agent(kind) => Some(kind.attributes.split(' ').map(str::to_owned).collect()),
        NativeType::Module(_) => None,
    }
}

impl NativeType {
    /// Returns whether resources of the type have an attribute.
    pub fn has(&self, attribute: &str) -> bool {
        let own = match self {
            NativeType::Agent(kind) => listed(kind.attributes, attribute),
            NativeType::Module(kind) => kind.attributes.iter().any(|known| **known == *attribute),
        };
        own || attribute == "name" || listed(METAPARAMETERS, attribute)
    }

    /// Returns the attributes without the metaparameters.
    pub fn attributes(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            NativeType::Agent(kind) => Box::new(kind.attributes.split(' ')),
            NativeType::Module(kind) => Box::new(kind.attributes.iter().map(|name| &**name)),
        }
    }

    /// Returns whether two resources with the same key are duplicates.
    pub fn isomorphic(&self) -> bool {
        match self {
            NativeType::Agent(kind) => kind.isomorphic,
            NativeType::Module(kind) => kind.isomorphic,
        }
    }

    /// The attributes that together name a resource.
    fn keys(&self) -> Vec<&str> {
        match self {
            NativeType::Agent(kind) => kind.keys.to_vec(),
            NativeType::Module(kind) => kind.keys.iter().map(|key| &**key).collect(),
        }
    }

    /// Returns the attribute that `name` refers to: the only one that names a resource.
    pub fn namevar(&self) -> &str {
        let only = match self {
            NativeType::Agent(kind) => kind.keys.first().copied().filter(|_| kind.keys.len() == 1),
            NativeType::Module(kind) => kind.keys.first().map(|key| &**key).filter(|_| kind.keys.len() == 1),
        };
        only.unwrap_or("name")
    }

    /// Returns the attributes that a title sets, or `None` if the title is invalid for the type.
    pub fn parse_title<'t>(&'t self, title: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
        let kind = match self {
            NativeType::Agent(kind) => kind,
            NativeType::Module(kind) => return kind.parse_title(title),
        };
        Some(match kind.titles {
            TitleRule::Whole => vec![(self.namevar(), title)],
            TitleRule::Path => vec![("path", without_slashes(title))],
            TitleRule::NameAtType => match title.split_once('@') {
                Some((name, kind)) => vec![("name", name), ("type", kind)],
                None => vec![("name", title)],
            },
        })
    }
}

impl ModuleType {
    /// The only attribute that names a resource, if it has the title as it is.
    pub(crate) fn name_attribute(&self) -> Option<Str> {
        let ([key], [pattern]) = (&self.keys[..], &self.patterns[..]) else { return None };
        (pattern.regexp.source() == "(.*)" && pattern.parts == [key.clone()]).then(|| key.clone())
    }

    fn parse_title<'t>(&'t self, title: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
        for pattern in &self.patterns {
            let Some(captures) = pattern.regexp.captures(title) else { continue };
            let parts = pattern.parts.iter().enumerate();
            return Some(parts.filter_map(|(at, name)| Some((&**name, title.get(captures.get(at + 1)?)?))).collect());
        }
        None
    }
}

/// Removes trailing slashes from a path, unless it is a root.
fn without_slashes(path: &str) -> &str {
    let cut = path.trim_end_matches('/');
    let root = cut.is_empty() || cut.ends_with(':');
    match path.get(..cut.len() + 1) {
        Some(with_one) if root => with_one,
        _ => cut,
    }
}

/// Returns the key that identifies a resource among those of its type, from its attributes and its title: one value, or
/// several for types with several naming attributes.
pub(crate) fn unique_key<'v>(
    kind: Option<&NativeType>,
    title: &str,
    attribute: impl Fn(&str) -> Option<&'v Value>,
) -> Value {
    let given = |name: &str| attribute(name).filter(|value| !value.is_undef()).cloned();
    let Some(kind) = kind else {
        return given("name").unwrap_or_else(|| title.into());
    };
    let parsed = kind.parse_title(title).unwrap_or_default();
    let mut named: Vec<(&str, Value)> = parsed.into_iter().map(|(name, value)| (name, value.into())).collect();
    let of = |named: &[(&str, Value)], name: &str| {
        given(name).or_else(|| named.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()))
    };
    let namevar = kind.namevar();
    let own = of(&named, namevar).or_else(|| of(&named, "name")).unwrap_or_else(|| title.into());
    for name in [namevar, "name"] {
        if of(&named, name).is_none() {
            named.push((name, own.clone()));
        }
    }
    match &kind.keys()[..] {
        [only] => of(&named, only).unwrap_or_default(),
        keys => Value::from(keys.iter().map(|key| of(&named, key).unwrap_or_default()).collect::<Vec<Value>>()),
    }
}

/// Returns whether a word is in a list of words.
pub(crate) fn listed(list: &str, word: &str) -> bool {
    list.as_bytes().split(|byte| *byte == b' ').any(|one| one == word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(table::KINDS.is_sorted_by_key(|kind| kind.name));
    }

    #[test]
    fn slashes_at_the_end_of_a_path_do_not_count() {
        for (path, expected) in [("/a/b//", "/a/b"), ("/", "/"), ("//", "/"), ("c:/", "c:/"), ("", ""), ("a", "a")] {
            assert_eq!(without_slashes(path), expected);
        }
    }

    #[test]
    fn a_package_is_named_by_three_attributes() {
        let key = unique_key(find("package").as_ref(), "vim", |_| None);
        assert_eq!(key, Value::from(vec![Value::Undef, "vim".into(), Value::Undef]));
    }
}
