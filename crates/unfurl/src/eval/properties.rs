//! The special properties of instances: `.name`, `.parent` and so on.
//!
//! <https://docs.unfurl.run/expressions.html#special-keys>

use hieratic_diagnostics::nearest;
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Str, Value};

use crate::ExpressionError;
use crate::datum::Datum;
use crate::lazy::{LazyList, LazyMap};
use crate::session::Session;
use crate::standard_types::ROOT;
use crate::tree::{DEFAULT_TEMPLATE, InstanceId};

/// The properties that instances of any tree have.
const KNOWN: [&str; 22] = [
    "all",
    "ancestors",
    "apex",
    "attributes",
    "base_dir",
    "descendants",
    "descendents",
    "environ",
    "instances",
    "key",
    "name",
    "names",
    "nested_key",
    "nested_name",
    "parent",
    "parents",
    "readonly",
    "root",
    "tosca_id",
    "tosca_name",
    "type",
    "uri",
];

/// The properties that only instances of a deployment have.
const DEPLOYED: [&str; 34] = [
    "active",
    "artifacts",
    "capabilities",
    "capability",
    "configured_by",
    "created",
    "customized",
    "dependencies",
    "deployment",
    "hosted_on",
    "imported",
    "imports",
    "last_change",
    "last_config_change",
    "last_state_change",
    "local_status",
    "missing",
    "operational",
    "present",
    "priority",
    "protected",
    "relationships",
    "repository",
    "required",
    "requirements",
    "shadow",
    "source",
    "sources",
    "state",
    "status",
    "target",
    "targets",
    "template",
    "templar",
];

/// The nodes that require another, by the name of the requirement: one, or a list of several.
fn sources(known: &[(Str, InstanceId)]) -> Datum {
    let mut order: Vec<&Str> = Vec::new();
    let mut by_name: HashMap<&Str, Vec<Datum>> = HashMap::default();
    for (name, id) in known {
        let nodes = by_name.entry(name).or_default();
        if nodes.is_empty() {
            order.push(name);
        }
        nodes.push(Datum::Instance(*id));
    }
    LazyMap::known(order.into_iter().map(|name| {
        let mut nodes = by_name.remove(name).unwrap_or_default();
        let related = if nodes.len() == 1 { nodes.remove(0) } else { LazyList::known(nodes) };
        (Value::String(name.clone()), related)
    }))
}

impl Session {
    /// A property of an instance, by its name with the dot.
    pub(crate) fn property(&self, id: InstanceId, name: &str) -> Result<Datum, ExpressionError> {
        let tree = self.tree();
        let node = tree.node(id);
        let list = |ids: Vec<InstanceId>| LazyList::known(ids.into_iter().map(Datum::Instance).collect());
        let parent = || node.parent.map_or(Datum::NULL, Datum::Instance);
        let key = || Datum::done(format!("::{}", node.name));
        Ok(match name.strip_prefix('.').unwrap_or(name) {
            "" => Datum::Instance(id),
            "." | "parent" => parent(),
            "name" | "nested_name" => Datum::done(Value::String(node.name.clone())),
            "key" | "nested_key" | "tosca_id" => key(),
            "uri" => Datum::done(format!("#::{}", node.name)),
            "root" | "apex" => Datum::Instance(0),
            "ancestors" => list(tree.ancestors(id).collect()),
            "parents" => {
                let mut parents: Vec<InstanceId> = tree.ancestors(id).skip(1).collect();
                parents.reverse();
                list(parents)
            }
            "instances" => list(node.children.clone()),
            "descendants" | "descendents" => list(tree.descendants(id)),
            "all" => Datum::Instances,
            "attributes" | "names" => self.attributes(id),
            "base_dir" => Datum::done(&*self.shared.base),
            "environ" => {
                let env = self.shared.env.read_all().map_err(|hidden| ExpressionError::hidden(&hidden))?;
                Datum::done(env.map(|(name, value)| (name, Value::from(value))).collect::<Hash>())
            }
            "readonly" => Datum::done(false),
            "type" => match &node.template {
                Some(template) => Datum::done(Value::String(template.type_name.clone())),
                None => Datum::done(ROOT),
            },
            "tosca_name" => match &node.template {
                Some(_) => Datum::done(Value::String(node.name.clone())),
                None => Datum::done(DEFAULT_TEMPLATE),
            },
            "targets" if node.template.is_some() => {
                let targets = node.template.as_ref().map(|known| known.targets.as_slice()).unwrap_or_default();
                // As in the reference, the last of several requirements with one name counts.
                LazyMap::known(targets.iter().map(|(name, id)| (Value::String(name.clone()), Datum::Instance(*id))))
            }
            "sources" if node.template.is_some() => {
                sources(node.template.as_ref().map(|known| known.sources.as_slice()).unwrap_or_default())
            }
            known if DEPLOYED.contains(&known) => {
                return Err(ExpressionError::new(format!("'{name}' only exists for deployed instances"))
                    .help("a tree of instances has names, attributes and places, but no deployment"));
            }
            unknown => {
                let near = nearest(unknown, KNOWN);
                let error = ExpressionError::new(format!("an instance has no property '{name}'"));
                return Err(match near {
                    Some(_) => error.did_you_mean(near, "."),
                    None => error.help("write attributes without the dot: '.::name'"),
                });
            }
        })
    }
}
