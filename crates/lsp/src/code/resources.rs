//! Resource types with their attributes: those of the agent, and those of modules.

use std::path::PathBuf;
use std::sync::LazyLock;

use hieratic::puppet_eval;
use hieratic_lint::View;
use regex::Regex;

use super::attribute_values;
use crate::document::Document;
use crate::outline::{Definition, DefinitionKind, Outline, ResourceTitle};

/// A resource type.
pub(crate) enum ResourceType<'o> {
    /// A type of the agent.
    Agent(&'static str),
    /// A defined type.
    Defined(&'o Definition),
    /// A type of a module in Ruby.
    Ruby(RubyType),
}

/// A resource type of a module in Ruby, as far as a regular expression can read it.
pub(crate) struct RubyType {
    pub(crate) file: PathBuf,
    /// The attributes.
    pub(crate) attributes: Vec<RubyAttribute>,
}

/// An attribute of a resource type in Ruby.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RubyAttribute {
    pub(crate) name: String,
    /// `property` or `parameter`.
    pub(crate) kind: &'static str,
    /// The values that `newvalues` lists.
    pub(crate) values: Vec<String>,
}

/// `newproperty(:name)`, `newparam('name')`, and `newvalues(:one, :other)` or `newvalue(:one)` in its block.
static DECLARATIONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\bnew(param|property|metaparam)\s*\(?\s*[:'"](\w+)|\bnewvalue(s?)\s*\(?([^)\n]*)|\bensurable\b"#).ok()
});

/// `:name`, `'name'`.
static SYMBOLS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(?::|['"])(\w+)"#).ok());

/// The attributes that the source of a resource type declares.
fn ruby_attributes(text: &str) -> Vec<RubyAttribute> {
    let (Some(declarations), Some(symbols)) = (&*DECLARATIONS, &*SYMBOLS) else { return Vec::new() };
    let mut attributes: Vec<RubyAttribute> = Vec::new();
    for found in declarations.captures_iter(text) {
        if let (Some(kind), Some(name)) = (found.get(1), found.get(2)) {
            let kind = if kind.as_str() == "property" { "property" } else { "parameter" };
            attributes.push(RubyAttribute { name: name.as_str().to_owned(), kind, values: Vec::new() });
        } else if let (Some(plural), Some(values)) = (found.get(3), found.get(4)) {
            // Behind the only value of `newvalue` are its options.
            let limit = if plural.is_empty() { 1 } else { usize::MAX };
            let values = symbols.captures_iter(values.as_str()).take(limit).map(|one| one[1].to_owned());
            if let Some(attribute) = attributes.last_mut() {
                attribute.values.extend(values);
            }
        } else if !attributes.iter().any(|known| known.name == "ensure") {
            let values = ["present", "absent"].map(str::to_owned).to_vec();
            attributes.insert(0, RubyAttribute { name: "ensure".to_owned(), kind: "property", values });
        }
    }
    attributes
}

/// The type of a name in lower case.
pub(crate) fn find<'o>(view: Option<&View>, outline: &'o Outline, name: &str) -> Option<ResourceType<'o>> {
    if let Some(defined) = outline.find(DefinitionKind::Define, name) {
        return Some(ResourceType::Defined(defined));
    }
    if let Some(known) = puppet_eval::resource_type_names().find(|known| *known == name) {
        return Some(ResourceType::Agent(known));
    }
    let view = view?;
    let files = &view.environment().capabilities().code;
    let layers = view.environment().layers();
    let roots = layers.modules.values().map(|module| &module.root).chain([&layers.environment.root]);
    let file =
        roots.map(|root| root.join("lib/puppet/type").join(format!("{name}.rb"))).find(|file| files.is_file(file))?;
    let text = files.read_text(&file).ok()?;
    let attributes = ruby_attributes(&text);
    Some(ResourceType::Ruby(RubyType { file, attributes }))
}

impl ResourceType<'_> {
    /// Returns the attributes with their documentation, the metaparameters last.
    pub(crate) fn attributes(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = match self {
            ResourceType::Agent(name) => {
                let all = puppet_eval::resource_attributes(name).into_iter().flatten();
                all.map(|attribute| (attribute.to_owned(), format!("attribute of {name}"))).collect()
            }
            ResourceType::Defined(defined) => {
                defined.parameters.iter().map(|one| (one.name.clone(), one.declared())).collect()
            }
            ResourceType::Ruby(kind) => {
                kind.attributes.iter().map(|one| (one.name.clone(), one.kind.to_owned())).collect()
            }
        };
        for name in puppet_eval::metaparameters() {
            if !found.iter().any(|(known, _)| known == name) {
                found.push((name.to_owned(), "of every resource".to_owned()));
            }
        }
        found
    }
}

/// Returns where manifests declare a resource with a literal title, by file. The open document counts as it is.
pub(crate) fn declared(
    document: &Document,
    outline: &Outline,
    resource_type: &str,
    title: &str,
) -> Vec<(PathBuf, ResourceTitle)> {
    let is_meant = |one: &ResourceTitle| one.resource_type == resource_type && one.title == title;
    let own = document.program().map(crate::outline::resource_titles).unwrap_or_default();
    let own = own.into_iter().filter(is_meant).map(|one| (document.path.clone(), one));
    let others = outline.resources(resource_type, title).into_iter().filter(|(path, _)| *path != document.path);
    own.chain(others.map(|(path, one)| (path.to_path_buf(), one.clone()))).collect()
}

/// The values that are known for an attribute of a resource type, or that the type lists if it is in Ruby.
pub(crate) fn values(kind: Option<&ResourceType<'_>>, of: &str, name: &str) -> Vec<String> {
    let known = attribute_values::find(of, name);
    if !known.is_empty() {
        return known.iter().map(|value| (*value).to_owned()).collect();
    }
    match kind {
        Some(ResourceType::Ruby(kind)) => {
            let attribute = kind.attributes.iter().find(|one| one.name == name);
            attribute.map(|one| one.values.clone()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Returns the documentation of a metaparameter.
pub(crate) fn metaparameter(name: &str) -> Option<&'static str> {
    Some(match name {
        "noop" => "Whether changes are reported and not made.",
        "schedule" => "The schedule in which the resource may be managed.",
        "audit" => "Unmanaged attributes whose changes are reported.",
        "loglevel" => "The level at which changes are logged.",
        "alias" => "Another name by which the resource can be referred to.",
        "tag" => "Further tags, by which runs and collectors choose resources.",
        "require" => "Resources that are managed before this one.",
        "subscribe" => "Resources that are managed before this one, which is refreshed if one of them changes.",
        "before" => "Resources that are managed after this one.",
        "notify" => "Resources that are managed after this one, and refreshed if it changes.",
        "stage" => "The stage of a class that is declared like a resource.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ruby_types_have_attributes_with_values() {
        let text = "newtype(:vhost) do\n  ensurable\n  newparam(:name)\n  newproperty(:mode) do\n    newvalues(:on, 'off')\n    newvalue(:auto, :event => :changed) { }\n  end\nend\n";
        let found = ruby_attributes(text);
        let names: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.values.join(" "))).collect();
        assert_eq!(
            names,
            [("ensure", "present absent".to_owned()), ("name", String::new()), ("mode", "on off auto".to_owned())]
        );
    }
}
