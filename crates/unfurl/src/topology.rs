//! The nodes of an ensemble: its node templates with the defaults of their types, before any deployment.
//!
//! <https://docs.unfurl.run/toscadef.html> describes service templates.

use std::sync::Arc;

use hieratic_diagnostics::nearest;
use hieratic_python_values as python;
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Hash, HashBuilder, Str, Value};

use crate::ExpressionError;
use crate::constraints::Definition;
use crate::node_types::{NodeTypes, TypesFile};
use crate::notation::has_open_part;
use crate::standard_types::{self, ROOT};
use crate::tree::InstanceId;

/// The longest chain of types, and of hosts.
const MAX_CHAIN: usize = 100;

/// The type of an instance without a template.
const DEFAULT: &str = "unfurl.nodes.Default";

/// The properties of a node that come from its template, besides its attributes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Template {
    /// The name of its type.
    pub(crate) type_name: Str,
    /// The type and all that it is derived from, as far as they are known: their names where they are used, and where
    /// they are defined.
    types: Vec<Str>,
    /// Advice for the type whose definition is missing, so that its base types are not known; `None` if none is.
    pub(crate) unseen: Option<Str>,
    /// The names of its properties, whether they have a value or not.
    pub(crate) properties: HashSet<Str>,
    /// The properties that need a value.
    pub(crate) required: HashSet<Str>,
    /// The properties whose value is only known when it is evaluated, with their definitions.
    pub(crate) open: HashMap<Str, OpenProperty>,
    /// The names of attributes that get their values by a deployment.
    pub(crate) deployed: HashSet<Str>,
    /// Its requirements: their names with the nodes that fulfill them.
    pub(crate) targets: Vec<(Str, InstanceId)>,
    /// The nodes that require it, with the names of their requirements.
    pub(crate) sources: Vec<(Str, InstanceId)>,
}

/// The definition of a property whose value is checked when it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct OpenProperty {
    schema: Value,
    home: TypesFile,
    types: Arc<NodeTypes>,
}

impl OpenProperty {
    /// Checks the value of the property against its definition, and returns it as its type has it.
    pub(crate) fn check(&self, name: &str, value: &Value) -> Result<Value, String> {
        Definition::new(name, &self.schema, self.home, &self.types).property(value)
    }
}

impl Template {
    /// Returns whether its type is another, or is derived from it; `None` if that is not known.
    pub(crate) fn is_of_type(&self, name: &str) -> Option<bool> {
        let name = full_name(name);
        match self.types.iter().any(|known| **known == *name) {
            true => Some(true),
            false if self.unseen.is_some() => None,
            false => Some(false),
        }
    }
}

/// A node of an ensemble, and the one that hosts it.
pub(crate) struct TemplateNode {
    pub(crate) name: Str,
    pub(crate) attributes: Hash,
    pub(crate) host: Option<usize>,
    /// The template, whose targets and sources are indexes in the list of nodes.
    pub(crate) template: Template,
}

/// The topology of an ensemble: the attributes of its root, and its nodes.
pub(crate) struct Topology {
    pub(crate) attributes: Hash,
    pub(crate) nodes: Vec<TemplateNode>,
}

/// Returns the map at a path of keys in a document; an empty one if there is none.
fn map_at(value: &Value, path: &[&str]) -> Hash {
    value.at_path(path).and_then(Value::as_hash).cloned().unwrap_or_default()
}

/// The service template of an ensemble that has node templates.
fn service_template(document: &Value) -> Option<&Value> {
    let version = document.at_path(&["apiVersion"])?.as_str()?;
    let keys = ["service_template", "tosca"];
    let found = keys.iter().find_map(|key| document.at_path(&["spec", *key]))?;
    let has_nodes = found.at_path(&["topology_template", "node_templates"])?.as_hash().is_some();
    (version.starts_with("unfurl/") && has_nodes).then_some(found)
}

/// The name of a type without the abbreviation `tosca:`.
fn full_name(name: &str) -> Str {
    match name.strip_prefix("tosca:") {
        Some(rest) => format!("tosca.nodes.{rest}").into(),
        None => name.into(),
    }
}

impl Topology {
    /// Returns the topology of a document; `None` if it is not an ensemble. Without `types`, those of the document count.
    pub(crate) fn from_document(
        document: &Value,
        types: Option<&NodeTypes>,
    ) -> Result<Option<Topology>, ExpressionError> {
        let Some(service) = service_template(document) else { return Ok(None) };
        let own = || {
            let mut own = NodeTypes::default();
            own.define(NodeTypes::DOCUMENT, &map_at(service, &["data_types"]));
            own.define(NodeTypes::DOCUMENT, &map_at(service, &["node_types"]));
            own
        };
        let types = &Arc::new(types.cloned().unwrap_or_else(own));
        let templates = map_at(service, &["topology_template", "node_templates"]);
        let places: HashMap<Str, usize> =
            templates.keys().enumerate().filter_map(|(place, name)| Some((name.as_str()?.into(), place))).collect();
        let mut nodes = Vec::with_capacity(templates.len());
        for (name, template) in templates.iter() {
            let name =
                name.as_str().ok_or_else(|| ExpressionError::new("the name of a node template is not a string"))?;
            nodes.push(node(name, template, types, &places)?);
        }
        for (name, instance) in map_at(document, &["spec", "instances"]).iter() {
            let name = name.as_str().ok_or_else(|| ExpressionError::new("the name of an instance is not a string"))?;
            add_instance(name, instance, types, &places, &mut nodes)?;
        }
        for source in 0..nodes.len() {
            for (requirement, target) in nodes[source].template.targets.clone() {
                nodes[target].template.sources.push((requirement, source));
            }
        }
        check_hosts(&nodes)?;
        let attributes = root_attributes(document, service);
        check_inputs(&attributes, service, types)?;
        Ok(Some(Topology { attributes, nodes }))
    }
}

/// Returns the attributes of the root: the document's own, its inputs and its outputs.
fn root_attributes(document: &Value, service: &Value) -> Hash {
    let declared = map_at(service, &["topology_template", "inputs"]);
    let defaults =
        declared.iter().filter_map(|(name, input)| Some((name.clone(), input.at_path(&["default"])?.clone())));
    let given = map_at(document, &["spec", "inputs"]);
    let inputs: Hash = defaults.chain(given.iter().map(|(name, value)| (name.clone(), value.clone()))).collect();
    let declared = map_at(service, &["topology_template", "outputs"]);
    let outputs: Hash = declared
        .iter()
        .filter_map(|(name, output)| Some((name.clone(), output.at_path(&["value"])?.clone())))
        .collect();
    let own = document.as_hash().into_iter().flat_map(Hash::iter);
    let own = own.map(|(name, value)| (name.clone(), value.clone()));
    own.chain([("inputs".into(), inputs.into()), ("outputs".into(), outputs.into())]).collect()
}

/// Checks the inputs against their declarations.
fn check_inputs(attributes: &Hash, service: &Value, types: &NodeTypes) -> Result<(), ExpressionError> {
    let declared = map_at(service, &["topology_template", "inputs"]);
    let inputs = attributes.get("inputs").and_then(Value::as_hash);
    for (name, input) in declared.iter() {
        let is_required = input.at_path(&["required"]) != Some(&Value::Boolean(false));
        if is_required && inputs.is_none_or(|inputs| inputs.get_value(name).is_none()) {
            let name = name.to_text();
            let message = format!("Topology template is missing required input definition of input \"{name}\".");
            return Err(ExpressionError::new(message)
                .help(format!("give it a value with --input {name}=VALUE, under spec/inputs, or a default")));
        }
    }
    for (name, value) in inputs.into_iter().flat_map(Hash::iter) {
        if let (Some(name), Some(schema)) = (name.as_str(), declared.get_value(name)) {
            let definition = Definition::new(name, schema, NodeTypes::DOCUMENT, types);
            definition.input(value).map_err(|reason| {
                ExpressionError::new(reason)
                    .help(format!("give the input '{name}' another value, with --input or under inputs"))
            })?;
        }
    }
    Ok(())
}

/// Reads a node template, with the defaults of its types.
fn node(
    name: &str,
    template: &Value,
    types: &Arc<NodeTypes>,
    places: &HashMap<Str, usize>,
) -> Result<TemplateNode, ExpressionError> {
    let type_name = template.at_path(&["type"]).and_then(Value::as_str).unwrap_or(ROOT);
    let type_name = full_name(type_name);
    let mut out = Template { type_name: type_name.clone(), ..Template::default() };
    let Chain { definitions: chain, is_complete } = chain(&type_name, types, &mut out)?;
    let more = |holder: &Value| holder.at_path(&["metadata", "additionalProperties"]).map(python::truthy);
    let takes_more = more(template).or_else(|| chain.iter().find_map(|(known, _)| more(known))).unwrap_or(false);
    let mut attributes: Vec<(Value, Value)> = Vec::new();
    // The most derived type comes last, so that it takes precedence.
    let mut definitions: Vec<(Value, Value, TypesFile)> = Vec::new();
    for (known, home) in chain.iter().rev() {
        for (key, definition) in map_at(known, &["properties"]).iter() {
            let name = key.as_str().map(Str::from);
            definitions.push((key.clone(), definition.clone(), *home));
            out.properties.extend(name.clone());
            // The most derived type says whether it is required.
            match (name, definition.at_path(&["required"])) {
                (Some(name), Some(Value::Boolean(false))) => _ = out.required.remove(&name),
                (name, _) => out.required.extend(name),
            }
            attributes.extend(definition.at_path(&["default"]).map(|default| (key.clone(), default.clone())));
        }
        for (key, definition) in map_at(known, &["attributes"]).iter() {
            match definition.at_path(&["default"]) {
                Some(default) => attributes.push((key.clone(), default.clone())),
                None => out.deployed.extend(key.as_str().map(Str::from)),
            }
        }
    }
    for section in ["properties", "attributes"] {
        for (key, value) in map_at(template, &[section]).iter() {
            if section == "properties" {
                let name = key.as_str().map(Str::from);
                let is_declared = name.as_ref().is_some_and(|name| out.properties.contains(name));
                // The reference passes over what no type declares.
                if !is_declared && is_complete && !takes_more {
                    continue;
                }
                out.properties.extend(name);
            }
            attributes.push((key.clone(), value.clone()));
        }
    }
    let mut attributes: Hash = attributes.into_iter().collect();
    check_properties(name, definitions, types, &mut attributes, &mut out)?;
    out.deployed.retain(|name| !attributes.contains(name.as_ref()));
    let requirements = template.at_path(&["requirements"]).and_then(Value::as_array).unwrap_or_default();
    let mut host = None;
    for (requirement, definition) in requirements.iter().filter_map(Value::as_hash).flat_map(Hash::iter) {
        let target = definition.as_str().or_else(|| definition.at_path(&["node"])?.as_str());
        // A node that is selected by its type or by a filter is only known after deployment.
        let place = target.and_then(|target| places.get(target)).copied();
        if let (Some(requirement), Some(place)) = (requirement.as_str(), place) {
            if requirement == "host" {
                host = Some(place);
            }
            out.targets.push((requirement.into(), place));
        }
    }
    Ok(TemplateNode { name: name.into(), attributes, host, template: out })
}

/// Checks the properties of a node template against their definitions, and converts them to their types. Those that
/// are expressions are checked when they are evaluated.
fn check_properties(
    node: &str,
    definitions: Vec<(Value, Value, TypesFile)>,
    types: &Arc<NodeTypes>,
    attributes: &mut Hash,
    out: &mut Template,
) -> Result<(), ExpressionError> {
    // Of several definitions, that of the most derived type counts.
    let definitions: HashMap<Value, (Value, TypesFile)> =
        definitions.into_iter().map(|(key, schema, home)| (key, (schema, home))).collect();
    let mut checked = HashBuilder::default();
    for (key, value) in attributes.iter() {
        let value = match (key.as_str(), definitions.get(key)) {
            (Some(name), Some((schema, home))) if has_open_part(value) => {
                let open = OpenProperty { schema: schema.clone(), home: *home, types: types.clone() };
                out.open.insert(name.into(), open);
                value.clone()
            }
            (Some(name), Some((schema, home))) => {
                let valid = Definition::new(name, schema, *home, types).property(value);
                valid.map_err(|reason| {
                    ExpressionError::new(format!("{reason} in node template \"{node}\""))
                        .help(format!("give its property '{name}' another value, or change the definition in its type"))
                })?
            }
            _ => value.clone(),
        };
        checked.insert(key.clone(), value);
    }
    *attributes = checked.into();
    Ok(())
}

/// Adds an instance that the document declares besides its node templates: it may name one, or have its own.
fn add_instance(
    name: &str,
    instance: &Value,
    types: &Arc<NodeTypes>,
    places: &HashMap<Str, usize>,
    nodes: &mut Vec<TemplateNode>,
) -> Result<(), ExpressionError> {
    let place = match instance.at_path(&["template"]) {
        Some(Value::String(template)) => {
            let Some(place) = places.get(template).copied() else {
                let near = nearest(template, places.keys().map(|name| &**name));
                let message = format!("Can not find template \"{template}\" when trying to create instance \"{name}\"");
                return Err(ExpressionError::new(message).did_you_mean(near, ""));
            };
            if places.get(name) != Some(&place) {
                let TemplateNode { attributes, host, template, .. } = &nodes[place];
                let (attributes, host, template) = (attributes.clone(), *host, template.clone());
                nodes.push(TemplateNode { name: name.into(), attributes, host, template });
            }
            places.get(name).copied().filter(|own| *own == place)
        }
        // The node template of this name has its instance already.
        None if places.contains_key(name) => places.get(name).copied(),
        own => {
            let default = || [("type", Value::from(DEFAULT))].into_iter().collect::<Hash>().into();
            nodes.push(node(name, &own.cloned().unwrap_or_else(default), types, places)?);
            None
        }
    };
    let place = place.unwrap_or(nodes.len() - 1);
    let given = ["properties", "attributes"].map(|section| map_at(instance, &[section]));
    let given = given.iter().flat_map(Hash::iter).map(|(key, value)| (key.clone(), value.clone()));
    let known = nodes[place].attributes.clone();
    let known = known.iter().map(|(key, value)| (key.clone(), value.clone()));
    nodes[place].attributes = known.chain(given).collect();
    Ok(())
}

/// A type and all that it is derived from.
struct Chain {
    /// The definitions, that of the type first, with the files that have them.
    definitions: Vec<(Value, TypesFile)>,
    /// Whether all of them are known.
    is_complete: bool,
}

/// Finds a type and all that it is derived from.
fn chain(name: &str, types: &NodeTypes, out: &mut Template) -> Result<Chain, ExpressionError> {
    let mut definitions = Vec::new();
    let mut next: Str = name.into();
    let mut file: TypesFile = NodeTypes::DOCUMENT;
    let mut is_complete = true;
    loop {
        if definitions.len() > MAX_CHAIN {
            return Err(ExpressionError::new(format!(
                "the type '{name}' is derived from itself or from too many types"
            )));
        }
        out.types.push(next.clone());
        if *next == *ROOT {
            return Ok(Chain { definitions, is_complete });
        }
        let parent = match types.find(file, &next) {
            Some(known) => {
                if known.name != next {
                    out.types.push(known.name.clone());
                }
                file = known.home;
                definitions.push((known.definition.clone(), known.home));
                known.definition.at_path(&["derived_from"]).and_then(Value::as_str).unwrap_or(ROOT)
            }
            None => match standard_types::find(&next) {
                Some(known) => {
                    definitions.push((known.definition(), NodeTypes::DOCUMENT));
                    known.parent
                }
                None if next.starts_with("tosca.nodes.") => {
                    is_complete = false;
                    ROOT
                }
                None => {
                    out.unseen = Some(types.advice(&next).into());
                    out.types.push(ROOT.into());
                    return Ok(Chain { definitions, is_complete: false });
                }
            },
        };
        next = full_name(parent);
    }
}

/// Refuses nodes that host themselves.
fn check_hosts(nodes: &[TemplateNode]) -> Result<(), ExpressionError> {
    for node in nodes {
        let hosts = std::iter::successors(node.host, |host| nodes.get(*host)?.host);
        if hosts.take(MAX_CHAIN + 1).count() > MAX_CHAIN {
            return Err(ExpressionError::new(format!(
                "the node template '{}' has too many hosts, or hosts itself",
                node.name
            )));
        }
    }
    Ok(())
}
