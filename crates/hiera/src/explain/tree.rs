//! The explanation as data: what `--render-as json` and `yaml` show.

use hieratic_render::{Tree, View};
use hieratic_value::text::REDACTED;
use hieratic_value::{Rich, Str, Value};

use super::{Event, Explanation, Kind, Node};
use crate::object::{Content, Object};

/// A node of an explanation as data: a hash of symbols, with the values that were found as objects, so that a writer
/// can tell which of them are the same.
#[derive(Clone, Debug)]
pub enum ExplainTree {
    /// A plain scalar.
    Scalar(Value),
    /// A list.
    Array(Vec<ExplainTree>),
    /// A hash with symbols as keys.
    Hash(Vec<(Value, ExplainTree)>),
    /// A value that was found.
    Object(Object),
}

/// One level of a value that was found, for writers.
pub enum ObjectView {
    /// A plain scalar.
    Scalar(Value),
    /// The elements of an array.
    Array(Vec<Object>),
    /// The pairs of a hash.
    Hash(Vec<(Value, Object)>),
}

impl Object {
    /// What the object holds, one level deep.
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

    /// A number that is the same for the same array or hash only; none for scalars.
    pub fn container_identity(&self) -> Option<usize> {
        (self.is_array() || self.is_hash()).then(|| self.identity())
    }

    /// Whether this very value, not something in it, was decrypted.
    pub fn is_marked_secret(&self) -> bool {
        self.mark().secret
    }
}

fn symbol(name: &str) -> Value {
    Rich::Symbol(name.into()).into()
}

fn text(text: &Str) -> ExplainTree {
    ExplainTree::Scalar(Value::String(text.clone()))
}

impl Explanation {
    /// The explanation as data.
    pub fn to_tree(&self) -> ExplainTree {
        let root = &self.nodes[0];
        match root.branches.as_slice() {
            [only] => self.tree(*only),
            [] => ExplainTree::Hash(Vec::new()),
            branches => ExplainTree::Hash(vec![(symbol("branches"), self.trees(branches))]),
        }
    }

    fn trees(&self, branches: &[usize]) -> ExplainTree {
        ExplainTree::Array(branches.iter().map(|branch| self.tree(*branch)).collect())
    }

    fn tree(&self, index: usize) -> ExplainTree {
        let node = &self.nodes[index];
        match &node.kind {
            Kind::MergeSource => {
                return ExplainTree::Hash(vec![
                    (symbol("type"), ExplainTree::Scalar(symbol("merge_source"))),
                    (symbol("merge_source"), ExplainTree::Scalar("lookup_options".into())),
                ]);
            }
            Kind::Merge { .. } if node.branches.len() == 1 => return self.tree(node.branches[0]),
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
            add("event", ExplainTree::Scalar(symbol(event_name(event))));
        }
        if !node.texts.is_empty() {
            let texts = node.texts.iter().map(|text| ExplainTree::Scalar(text.as_str().into())).collect();
            add("texts", ExplainTree::Array(texts));
        }
        add("type", ExplainTree::Scalar(symbol(type_name(&node.kind))));
        match &node.kind {
            Kind::Interpolation { subject } => add("expression", text(subject)),
            Kind::Merge { strategy, options } => {
                add("merge", ExplainTree::Scalar(symbol(strategy)));
                if !options.is_empty() {
                    add("options", ExplainTree::Scalar(Value::Hash(options.clone())));
                }
            }
            Kind::Provider { name, configuration, module } => {
                add("name", text(name));
                if let Some(path) = configuration {
                    add("configuration_path", ExplainTree::Scalar(path.display().to_string().into()));
                }
                if let Some(module) = module {
                    add("module", text(module));
                }
            }
            Kind::Location { is_path: true, original, location } => {
                add("original_path", text(original));
                add("path", text(location));
            }
            Kind::Location { original, location, .. } => {
                add("original_uri", text(original));
                add("uri", text(location));
            }
            Kind::Scope { name } => add("name", text(name)),
            _ => {}
        }
        ExplainTree::Hash(pairs)
    }

    fn shown(&self, node: &Node, value: &Object) -> ExplainTree {
        if self.reveal {
            return ExplainTree::Object(value.clone());
        }
        if node.hidden || value.is_marked_secret() {
            return ExplainTree::Scalar(REDACTED.into());
        }
        if value.has_secret() { masked(value) } else { ExplainTree::Object(value.clone()) }
    }
}

/// A value with the secret parts covered.
fn masked(object: &Object) -> ExplainTree {
    if object.is_marked_secret() {
        return ExplainTree::Scalar(REDACTED.into());
    }
    match object.view() {
        ObjectView::Scalar(value) => ExplainTree::Scalar(value),
        ObjectView::Array(elements) => ExplainTree::Array(elements.iter().map(masked).collect()),
        ObjectView::Hash(pairs) => {
            ExplainTree::Hash(pairs.iter().map(|(key, value)| (key.clone(), masked(value))).collect())
        }
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

fn type_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Root | Kind::Search { .. } => "root",
        Kind::InvalidKey { .. } => "invalid_key",
        Kind::MergeSource => "merge_source",
        Kind::Module { .. } => "module",
        Kind::Interpolation { .. } => "interpolate",
        Kind::Merge { .. } => "merge",
        Kind::Provider { .. } => "data_provider",
        Kind::Location { is_path: true, .. } => "path",
        Kind::Location { .. } => "uri",
        Kind::SubLookup { .. } => "sub_key",
        Kind::Segment => "segment",
        Kind::Scope { .. } => "scope",
    }
}

/// An explanation is written as its data: a tree of plain values and of objects, which know which of them are the same.
impl Tree for ExplainTree {
    fn view(&self) -> View<ExplainTree> {
        match self {
            ExplainTree::Scalar(Value::Hash(hash)) => View::Hash(
                hash.iter()
                    .map(|(key, value)| (ExplainTree::Scalar(key.clone()), ExplainTree::Scalar(value.clone())))
                    .collect(),
            ),
            ExplainTree::Scalar(value) => View::Scalar(value.clone()),
            ExplainTree::Array(elements) => View::Array(elements.clone()),
            ExplainTree::Hash(pairs) => View::Hash(
                pairs.iter().map(|(key, value)| (ExplainTree::Scalar(key.clone()), value.clone())).collect(),
            ),
            ExplainTree::Object(object) => match object.view() {
                ObjectView::Scalar(value) => View::Scalar(value),
                ObjectView::Array(elements) => View::Array(elements.into_iter().map(ExplainTree::Object).collect()),
                ObjectView::Hash(pairs) => View::Hash(
                    pairs
                        .into_iter()
                        .map(|(key, value)| (ExplainTree::Scalar(key), ExplainTree::Object(value)))
                        .collect(),
                ),
            },
        }
    }

    fn identity(&self) -> Option<usize> {
        match self {
            ExplainTree::Object(object) => object.container_identity(),
            _ => None,
        }
    }
}
