//! Resource types with their attributes: those of the agent, and those of modules.

use std::path::PathBuf;
use std::sync::LazyLock;

use hieratic::puppet_eval;
use hieratic_lint::View;
use regex::Regex;

use crate::outline::{Definition, DefinitionKind, Outline};

/// A resource type.
pub(crate) enum ResourceType<'o> {
    /// A type of the agent.
    Agent(&'static str),
    /// A defined type.
    Defined(&'o Definition),
    /// A type of a module in Ruby: its file, and its attributes with their documentation.
    Ruby(PathBuf, Vec<(String, String)>),
}

/// `newproperty(:name)`, `newparam('name')`.
static ATTRIBUTES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\bnew(param|property|metaparam)\s*\(?\s*[:'"](\w+)"#).ok());

/// The type of a name in lower case.
pub(crate) fn find<'o>(view: Option<&View>, outline: &'o Outline, name: &str) -> Option<ResourceType<'o>> {
    if let Some(defined) = outline.find(DefinitionKind::Define, name) {
        return Some(ResourceType::Defined(defined));
    }
    if let Some(known) = puppet_eval::resource_type_names().find(|known| *known == name) {
        return Some(ResourceType::Agent(known));
    }
    let view = view?;
    let files = &view.environment().powers().code;
    let layers = view.environment().layers();
    let roots = layers.modules.values().map(|module| &module.root).chain([&layers.environment.root]);
    let file =
        roots.map(|root| root.join("lib/puppet/type").join(format!("{name}.rb"))).find(|file| files.is_file(file))?;
    let text = files.read_text(&file).ok()?;
    let found = ATTRIBUTES.as_ref().map(|attributes| attributes.captures_iter(&text)).into_iter().flatten();
    let attributes =
        found.map(|one| (one[2].to_owned(), if &one[1] == "property" { "property" } else { "parameter" }.to_owned()));
    let mut attributes: Vec<(String, String)> = attributes.collect();
    if text.contains("ensurable") && !attributes.iter().any(|(name, _)| name == "ensure") {
        attributes.insert(0, ("ensure".to_owned(), "property".to_owned()));
    }
    Some(ResourceType::Ruby(file, attributes))
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
            ResourceType::Ruby(_, attributes) => attributes.clone(),
        };
        for name in puppet_eval::metaparameters() {
            if !found.iter().any(|(known, _)| known == name) {
                found.push((name.to_owned(), "of every resource".to_owned()));
            }
        }
        found
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
