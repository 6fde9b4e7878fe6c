//! The data form of an explanation, for `--render-as json` and `yaml`.

use std::rc::Rc;

use hieratic_output::{Scalar, Tree, View};
use hieratic_value::text::REDACTED;
use hieratic_value::{Rich, Str, Value};

use super::{Event, Explanation, Step as Told, StepKind};
use crate::object::{Content, Object};
use hieratic_sandbox::SlashPath as _;

/// A node of an explanation as data: hashes with symbols as keys, and the values that were found. The arrays and hashes
/// in these values have an identity, so that a writer recognizes an object that occurs twice.
#[derive(Clone, Debug)]
pub struct ExplainTree(Rc<TreeNode>);

#[derive(Debug)]
enum TreeNode {
    Scalar(Value),
    Sensitive(ExplainTree),
    Array(Vec<ExplainTree>, Option<usize>),
    Hash(Vec<(ExplainTree, ExplainTree)>, Option<usize>),
}

/// One level of an object, for writers.
pub enum ObjectView {
    /// A plain scalar.
    Scalar(Value),
    /// The elements of an array.
    Array(Vec<Object>),
    /// The pairs of a hash.
    Hash(Vec<(Value, Object)>),
}

impl Object {
    /// Returns the content of the object, one level deep.
    pub fn view(&self) -> ObjectView {
        match &*self.content() {
            Content::Scalar(value) => ObjectView::Scalar(value.clone()),
            Content::Verbatim(text) => ObjectView::Scalar(Value::String(text.clone())),
            Content::Array(elements) => ObjectView::Array(elements.clone()),
            Content::Hash(map) => {
                ObjectView::Hash(map.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
            }
        }
    }

    /// Returns a number that is unique to this array or hash, or `None` for scalars.
    pub fn container_identity(&self) -> Option<usize> {
        (self.is_array() || self.is_hash()).then(|| self.identity())
    }
}

fn scalar(value: impl Into<Value>) -> ExplainTree {
    ExplainTree(Rc::new(TreeNode::Scalar(value.into())))
}

fn symbol(name: &str) -> ExplainTree {
    scalar(Rich::Symbol(name.into()))
}

fn text(text: &Str) -> ExplainTree {
    scalar(Value::String(text.clone()))
}

fn array(elements: Vec<ExplainTree>) -> ExplainTree {
    ExplainTree(Rc::new(TreeNode::Array(elements, None)))
}

fn hash(pairs: Vec<(ExplainTree, ExplainTree)>) -> ExplainTree {
    ExplainTree(Rc::new(TreeNode::Hash(pairs, None)))
}

/// Converts a plain value, no part of which is shared.
fn plain(value: &Value) -> ExplainTree {
    match value {
        Value::Array(elements) => array(elements.iter().map(plain).collect()),
        Value::Hash(pairs) => hash(pairs.iter().map(|(key, value)| (plain(key), plain(value))).collect()),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => ExplainTree(Rc::new(TreeNode::Sensitive(plain(inner)))),
            _ => scalar(value.clone()),
        },
        _ => scalar(value.clone()),
    }
}

/// Converts a value, with the content of a Sensitive one.
fn open(value: &Value) -> ExplainTree {
    match value.as_rich() {
        Some(Rich::Sensitive(inner)) => open(inner),
        _ => plain(value),
    }
}

/// Converts a found value. Secrets are redacted unless `reveal` is set.
fn found(object: &Object, reveal: bool) -> ExplainTree {
    if object.is_hidden() && !reveal {
        return scalar(REDACTED);
    }
    let identity = object.container_identity();
    match object.view() {
        ObjectView::Scalar(value) => open(&value),
        ObjectView::Array(elements) => {
            let elements = elements.iter().map(|element| found(element, reveal)).collect();
            ExplainTree(Rc::new(TreeNode::Array(elements, identity)))
        }
        ObjectView::Hash(pairs) => {
            let pairs = pairs.iter().map(|(key, value)| (open(key), found(value, reveal))).collect();
            ExplainTree(Rc::new(TreeNode::Hash(pairs, identity)))
        }
    }
}

impl Explanation {
    /// Returns the explanation as data.
    pub fn to_tree(&self) -> ExplainTree {
        let root = &self.nodes[0];
        match root.branches.as_slice() {
            [only] => self.tree(*only),
            [] => hash(Vec::new()),
            branches => hash(vec![(symbol("branches"), self.trees(branches))]),
        }
    }

    fn trees(&self, branches: &[usize]) -> ExplainTree {
        array(branches.iter().map(|branch| self.tree(*branch)).collect())
    }

    fn tree(&self, index: usize) -> ExplainTree {
        let node = &self.nodes[index];
        match &node.kind {
            StepKind::MergeSource => {
                return hash(vec![
                    (symbol("type"), symbol("merge_source")),
                    (symbol("merge_source"), scalar("lookup_options")),
                ]);
            }
            StepKind::Merge { .. } if node.branches.len() == 1 => return self.tree(node.branches[0]),
            _ => {}
        }
        let mut pairs = Vec::new();
        let mut add = |name: &str, tree: ExplainTree| pairs.push((symbol(name), tree));
        if !node.branches.is_empty() {
            add("branches", self.trees(&node.branches));
        }
        if let Some(key) = &node.key {
            add("key", text(key));
        }
        if let (Some(Event::Found | Event::FoundInDefaults | Event::FoundInOverrides | Event::Result), Some(value)) =
            (node.event, &node.value)
        {
            add("value", self.shown(node, value));
        }
        if let Some(event) = node.event {
            add("event", symbol(event_name(event)));
        }
        if !node.texts.is_empty() {
            add("texts", array(node.texts.iter().map(|text| scalar(text.as_str())).collect()));
        }
        add("type", symbol(type_name(&node.kind)));
        match &node.kind {
            StepKind::Interpolation { subject } => add("expression", text(subject)),
            StepKind::Merge { strategy, options } => {
                add("merge", symbol(strategy));
                if !options.is_empty() {
                    add("options", plain(&Value::Hash(options.clone())));
                }
            }
            StepKind::Provider { name, configuration, module } => {
                add("name", text(name));
                if let Some(path) = configuration {
                    add("configuration_path", scalar(path.to_slashes()));
                }
                if let Some(module) = module {
                    add("module", text(module));
                }
            }
            StepKind::Location { is_path: true, original, location } => {
                add("original_path", text(original));
                add("path", text(location));
            }
            StepKind::Location { original, location, .. } => {
                add("original_uri", text(original));
                add("uri", text(location));
            }
            StepKind::Scope { name } => add("name", text(name)),
            _ => {}
        }
        hash(pairs)
    }

    fn shown(&self, node: &Told, value: &Object) -> ExplainTree {
        if node.redacted && !self.reveal {
            return scalar(REDACTED);
        }
        found(value, self.reveal)
    }
}

fn event_name(event: Event) -> &'static str {
    match event {
        Event::Found => "found",
        Event::FoundInOverrides => "found_in_overrides",
        Event::FoundInDefaults => "found_in_defaults",
        Event::NotFound => "not_found",
        Event::Result => "result",
        Event::LocationNotFound => "location_not_found",
        Event::ModuleNotFound => "module_not_found",
        Event::ModuleProviderNotFound => "module_provider_not_found",
    }
}

fn type_name(kind: &StepKind) -> &'static str {
    match kind {
        StepKind::Root | StepKind::Search { .. } => "root",
        StepKind::InvalidKey { .. } => "invalid_key",
        StepKind::MergeSource => "merge_source",
        StepKind::Module { .. } => "module",
        StepKind::Interpolation { .. } => "interpolate",
        StepKind::Merge { .. } => "merge",
        StepKind::Provider { .. } => "data_provider",
        StepKind::Location { is_path: true, .. } => "path",
        StepKind::Location { .. } => "uri",
        StepKind::SubLookup { .. } => "sub_key",
        StepKind::Segment => "segment",
        StepKind::Scope { .. } => "scope",
    }
}

impl Tree for ExplainTree {
    type Elements = std::vec::IntoIter<ExplainTree>;
    type Pairs = std::vec::IntoIter<(ExplainTree, ExplainTree)>;

    fn view(&self) -> View<'_, ExplainTree> {
        match &*self.0 {
            TreeNode::Sensitive(inner) => View::Sensitive(inner.clone()),
            TreeNode::Array(elements, _) => View::Array(elements.clone().into_iter()),
            TreeNode::Hash(pairs, _) => View::Hash(pairs.clone().into_iter()),
            TreeNode::Scalar(value) => View::Scalar(match value {
                Value::Boolean(boolean) => Scalar::Boolean(*boolean),
                Value::Integer(integer) => Scalar::Integer(*integer),
                Value::Float(float) => Scalar::Float(*float),
                Value::String(text) => Scalar::String(text),
                Value::Rich(rich) => match &**rich {
                    Rich::Symbol(name) => Scalar::Symbol(name),
                    Rich::BigInteger(integer) => Scalar::BigInteger(integer),
                    Rich::Binary(bytes) => Scalar::Binary(bytes),
                    Rich::Default => Scalar::Symbol("default"),
                    Rich::Extended(other) => Scalar::Extended(&**other),
                    // Sensitive values have their own node.
                    Rich::Sensitive(_) => Scalar::String(REDACTED),
                },
                // Arrays and hashes have their own nodes.
                Value::Undef | Value::Array(_) | Value::Hash(_) => Scalar::Undef,
            }),
        }
    }

    fn identity(&self) -> Option<usize> {
        match &*self.0 {
            TreeNode::Array(_, identity) | TreeNode::Hash(_, identity) => *identity,
            _ => None,
        }
    }
}
