//! Resource types with their attributes: those of the agent, and those of modules.

use std::path::PathBuf;
use std::sync::LazyLock;

use hieratic::puppet_eval;
use hieratic_diagnostics::Span;
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
    /// The data type that a type of the Resource API declares.
    pub(crate) data_type: Option<String>,
}

impl RubyAttribute {
    /// Formats the attribute as a declaration.
    pub(crate) fn declared(&self) -> String {
        match &self.data_type {
            Some(data_type) => data_type.clone(),
            None => self.kind.to_owned(),
        }
    }
}

/// `newproperty(:name)`, `newparam('name')`, and `newvalues(:one, :other)` or `newvalue(:one)` in its block.
static DECLARATIONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"\bnew(param|property|metaparam)\s*\(?\s*[:'"](\w+)([^\n]*)|\bnewvalue(s?)\s*\(?([^)\n]*)|\bensurable\b"#,
    )
    .ok()
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
            let options = found.get(3).map_or("", |options| options.as_str());
            let is_boolean = options.contains("boolean") && !options.contains("false") || options.contains("::Boolean");
            let values = if is_boolean { vec!["true".to_owned(), "false".to_owned()] } else { Vec::new() };
            attributes.push(RubyAttribute { name: name.as_str().to_owned(), kind, values, data_type: None });
        } else if let (Some(plural), Some(values)) = (found.get(4), found.get(5)) {
            // Behind the only value of `newvalue` are its options.
            let limit = if plural.is_empty() { 1 } else { usize::MAX };
            let values = symbols.captures_iter(values.as_str()).take(limit).map(|one| one[1].to_owned());
            if let Some(attribute) = attributes.last_mut() {
                let new: Vec<String> = values.filter(|value| !attribute.values.contains(value)).collect();
                attribute.values.extend(new);
            }
        } else if !attributes.iter().any(|known| known.name == "ensure") {
            let values = ["present", "absent"].map(str::to_owned).to_vec();
            attributes
                .insert(0, RubyAttribute { name: "ensure".to_owned(), kind: "property", values, data_type: None });
        }
    }
    attributes
}

/// `name: {` and `:name => {`, with the span of the name.
static API_ATTRIBUTES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:\b(\w+):|(?::|['"])(\w+)['"]?\s*=>)\s*\{"#).ok());

/// `type: 'Integer'`, `:behaviour => :parameter`.
static API_OPTIONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\b(?:type:|type['"]?\s*=>)\s*(?:'([^'\n]*)'|"([^"\n]*)")|\bbehaviou?r\w*(?::|['"]?\s*=>)\s*:(\w+)"#)
        .ok()
});

/// The attributes that the source of a type of the Resource API declares, with the spans of their names.
pub(crate) fn api_attributes(text: &str) -> Vec<(RubyAttribute, Span)> {
    let (Some(attributes), Some(options)) = (&*API_ATTRIBUTES, &*API_OPTIONS) else { return Vec::new() };
    let Some(begin) = text.find("register_type").and_then(|at| Some(at + text[at..].find("attributes")?)) else {
        return Vec::new();
    };
    // The first brace opens the hash of attributes.
    let names: Vec<regex::Match<'_>> =
        attributes.captures_iter(&text[begin..]).skip(1).filter_map(|found| found.get(1).or(found.get(2))).collect();
    let ends = names.iter().skip(1).map(|name| name.start()).chain([text.len() - begin]);
    let declared = names.iter().zip(ends).map(|(name, end)| {
        let mut attribute =
            RubyAttribute { name: name.as_str().to_owned(), kind: "property", values: Vec::new(), data_type: None };
        for option in options.captures_iter(&text[begin + name.end()..begin + end]) {
            match (option.get(1).or(option.get(2)), option.get(3)) {
                (Some(kind), _) if attribute.data_type.is_none() => {
                    attribute.data_type = Some(kind.as_str().to_owned())
                }
                (_, Some(behavior)) if matches!(behavior.as_str(), "namevar" | "parameter") => {
                    attribute.kind = "parameter"
                }
                _ => {}
            }
        }
        (attribute, Span::new(begin + name.start(), begin + name.end()))
    });
    declared.filter(|(attribute, _)| attribute.data_type.is_some()).collect()
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
    let mut attributes = ruby_attributes(&text);
    attributes.extend(api_attributes(&text).into_iter().map(|(attribute, _)| attribute));
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
            ResourceType::Ruby(kind) => kind.attributes.iter().map(|one| (one.name.clone(), one.declared())).collect(),
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
        let text = "newparam(:force, :boolean => true, :parent => Puppet::Parameter::Boolean)\nnewparam(:other)\n";
        let values: Vec<_> = ruby_attributes(text).into_iter().map(|one| one.values.join(" ")).collect();
        assert_eq!(values, ["true false", ""]);
    }

    #[test]
    fn types_of_the_resource_api_declare_data_types() {
        let text = "Puppet::ResourceApi.register_type(\n  name: 'a',\n  features: [],\n  attributes: {\n    name: { type: 'String', behaviour: :namevar },\n    size: {\n      type: 'Optional[Integer]',\n      desc: 'The size.',\n    },\n    :color => { :type => \"Enum[red]\" },\n  },\n)\n";
        let found: Vec<_> = api_attributes(text)
            .into_iter()
            .map(|(one, span)| format!("{} {} {}", &text[span.first()..span.behind()], one.kind, one.declared()))
            .collect();
        assert_eq!(found, ["name parameter String", "size property Optional[Integer]", "color property Enum[red]"]);
        assert!(api_attributes("newtype(:a) do\nend\n").is_empty());
    }
}
