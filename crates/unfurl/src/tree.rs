//! [`Tree`]: a tree of instances.

use std::fmt;
use std::sync::Arc;

use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Str, Value};

use crate::ExpressionError;
use crate::node_types::NodeTypes;
use crate::topology::{Template, Topology};

/// The maximum nesting depth of instances.
const MAX_DEPTH: usize = 500;

/// A tree of instances, each with a name and attributes. Cloning is cheap.
///
/// ```
/// use hieratic_unfurl::Tree;
/// use hieratic_value::{Hash, Value};
///
/// // A plain document is one instance, and its keys are the attributes.
/// let document: Hash = [("port", Value::from(80))].into_iter().collect();
/// let tree = Tree::document(&document.into())?;
/// assert_eq!(tree.root().name(), "root");
/// # Ok::<(), hieratic_unfurl::ExpressionError>(())
/// ```
#[derive(Clone)]
pub struct Tree(Arc<Nodes>);

#[derive(Debug)]
struct Nodes {
    nodes: Vec<Node>,
    by_name: HashMap<Str, InstanceId>,
}

/// The index of an instance in its tree.
pub(crate) type InstanceId = usize;

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: Str,
    pub(crate) attributes: Hash,
    pub(crate) parent: Option<InstanceId>,
    pub(crate) children: Vec<InstanceId>,
    /// Its template, if it is one of a service template.
    pub(crate) template: Option<Box<Template>>,
}

/// The name of the instance that a plain document is.
const ROOT: &str = "root";

/// The name of the template of an instance that has none.
pub(crate) const DEFAULT_TEMPLATE: &str = "_default";

impl Tree {
    /// Creates the tree of a document: `{name, attributes, children}`, with children in the same form. The node
    /// templates of an ensemble are below the root. Every other map is a plain document.
    ///
    /// # Errors
    ///
    /// The document is neither a tree nor a map, a child is not an instance, two instances have the same name (the
    /// reference: `can not create node instance`), or there are too many levels.
    ///
    /// ```
    /// use hieratic_unfurl::Tree;
    /// use hieratic_value::{Hash, Value};
    ///
    /// let child: Hash = [("name", Value::from("web"))].into_iter().collect();
    /// let root: Hash =
    ///     [("name", Value::from("top")), ("children", Value::from(vec![child.into()]))].into_iter().collect();
    /// let tree = Tree::new(&root.into())?;
    /// assert_eq!(tree.instance("web").map(|web| web.key()).as_deref(), Some("::web"));
    /// # Ok::<(), hieratic_unfurl::ExpressionError>(())
    /// ```
    pub fn new(description: &Value) -> Result<Tree, ExpressionError> {
        Tree::create(description, None)
    }

    /// Like [`Tree::new`], with the types of nodes that an ensemble defines and imports.
    ///
    /// # Errors
    ///
    /// As [`Tree::new`].
    pub fn with_types(description: &Value, types: &NodeTypes) -> Result<Tree, ExpressionError> {
        Tree::create(description, Some(types))
    }

    fn create(description: &Value, types: Option<&NodeTypes>) -> Result<Tree, ExpressionError> {
        match description.as_hash().filter(|hash| is_instance(hash)) {
            Some(root) => {
                let mut nodes = Nodes { nodes: Vec::new(), by_name: HashMap::default() };
                nodes.add(root, None, 0)?;
                Ok(Tree(Arc::new(nodes)))
            }
            None => match Topology::from_document(description, types)? {
                Some(topology) => Tree::from_topology(topology),
                None => Tree::document(description),
            },
        }
    }

    /// The nodes of an ensemble, each below the one that hosts it.
    fn from_topology(topology: Topology) -> Result<Tree, ExpressionError> {
        let name: Str = ROOT.into();
        let mut by_name: HashMap<Str, InstanceId> = [(name.clone(), 0)].into_iter().collect();
        let children = Vec::new();
        let mut nodes = vec![Node { name, attributes: topology.attributes, parent: None, children, template: None }];
        let later = |places: Vec<(Str, usize)>| places.into_iter().map(|(name, place)| (name, place + 1)).collect();
        for (place, mut node) in topology.nodes.into_iter().enumerate() {
            if by_name.insert(node.name.clone(), place + 1).is_some() {
                let message = format!("the node template '{}' has the name of the root", node.name);
                return Err(ExpressionError::new(message).help("give it another name"));
            }
            node.template.targets = later(node.template.targets);
            node.template.sources = later(node.template.sources);
            let parent = Some(node.host.map_or(0, |host| host + 1));
            let template = Some(Box::new(node.template));
            nodes.push(Node { name: node.name, attributes: node.attributes, parent, children: Vec::new(), template });
        }
        for id in 1..nodes.len() {
            if let Some(parent) = nodes[id].parent {
                nodes[parent].children.push(id);
            }
        }
        Ok(Tree(Arc::new(Nodes { nodes, by_name })))
    }

    /// Creates a tree from a plain document. It has the single instance `root`, and the top-level keys are its
    /// attributes.
    ///
    /// # Errors
    ///
    /// The document is not a map.
    pub fn document(document: &Value) -> Result<Tree, ExpressionError> {
        let attributes = match document {
            Value::Hash(hash) => hash.clone(),
            Value::Undef => Hash::default(),
            _ => {
                return Err(ExpressionError::new("the document for the expressions is not a map")
                    .help("its top-level keys are the attributes of the instance 'root'"));
            }
        };
        let name: Str = ROOT.into();
        let by_name = [(name.clone(), 0)].into_iter().collect();
        let nodes = vec![Node { name, attributes, parent: None, children: Vec::new(), template: None }];
        Ok(Tree(Arc::new(Nodes { nodes, by_name })))
    }

    /// Returns the root instance.
    pub fn root(&self) -> Instance {
        Instance { tree: self.clone(), id: 0 }
    }

    /// Returns an instance by its name.
    pub fn instance(&self, name: &str) -> Option<Instance> {
        self.find(name).map(|id| Instance { tree: self.clone(), id })
    }

    /// Returns the names of all instances, parents before children.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.nodes.iter().map(|node| &*node.name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<InstanceId> {
        self.0.by_name.get(name).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.nodes.len()
    }

    pub(crate) fn node(&self, id: InstanceId) -> &Node {
        // Ids are only created by the tree, whose nodes are never removed.
        &self.0.nodes[id]
    }

    /// Returns the instance and its ancestors, innermost first.
    pub(crate) fn ancestors(&self, id: InstanceId) -> impl Iterator<Item = InstanceId> + '_ {
        std::iter::successors(Some(id), |id| self.node(*id).parent)
    }

    /// Returns the instance and its descendants, parents before children.
    pub(crate) fn descendants(&self, id: InstanceId) -> Vec<InstanceId> {
        let mut found = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            found.push(id);
            open.extend(self.node(id).children.iter().rev());
        }
        found
    }
}

/// Returns whether a map describes an instance: it has a name, and only a name, attributes and children.
fn is_instance(hash: &Hash) -> bool {
    let known = |key: &Value| matches!(key.as_str(), Some("name" | "attributes" | "children"));
    let attributes = matches!(hash.get("attributes"), None | Some(Value::Undef | Value::Hash(_)));
    let children = matches!(hash.get("children"), None | Some(Value::Undef | Value::Array(_)));
    let described = hash.contains("attributes") || hash.contains("children");
    hash.get("name").is_some_and(|name| name.as_str().is_some())
        && described
        && hash.keys().all(known)
        && attributes
        && children
}

impl Nodes {
    fn add(
        &mut self,
        description: &Hash,
        parent: Option<InstanceId>,
        depth: usize,
    ) -> Result<InstanceId, ExpressionError> {
        if depth > MAX_DEPTH {
            return Err(ExpressionError::limit(format!("instances are nested deeper than {MAX_DEPTH} levels")));
        }
        let Some(Value::String(name)) = description.get("name") else {
            return Err(ExpressionError::new("an instance has no name").help("write {name, attributes, children}"));
        };
        let attributes = match description.get("attributes") {
            None | Some(Value::Undef) => Hash::default(),
            Some(Value::Hash(attributes)) => attributes.clone(),
            Some(_) => {
                return Err(ExpressionError::new(format!("the attributes of the instance '{name}' are not a map")));
            }
        };
        let id = self.nodes.len();
        if self.by_name.insert(name.clone(), id).is_some() {
            return Err(ExpressionError::new(format!(
                "can not create node instance \"{name}\", its name is already in use"
            ))
            .help("instance names must be unique in a tree"));
        }
        self.nodes.push(Node { name: name.clone(), attributes, parent, children: Vec::new(), template: None });
        let children = match description.get("children") {
            None | Some(Value::Undef) => &[][..],
            Some(Value::Array(children)) => children,
            Some(_) => {
                return Err(ExpressionError::new(format!("the children of the instance '{name}' are not a list")));
            }
        };
        for child in children {
            let child = child
                .as_hash()
                .ok_or_else(|| ExpressionError::new(format!("a child of the instance '{name}' is not a map")));
            let child = child
                .and_then(|child| stacker::maybe_grow(64 << 10, 1 << 20, || self.add(child, Some(id), depth + 1)))?;
            self.nodes[id].children.push(child);
        }
        Ok(id)
    }
}

/// An instance of a tree. It is equal only to itself.
#[derive(Clone)]
pub struct Instance {
    tree: Tree,
    id: InstanceId,
}

impl Instance {
    pub(crate) fn new(tree: &Tree, id: InstanceId) -> Instance {
        Instance { tree: tree.clone(), id }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.tree.node(self.id).name
    }

    /// Returns the expression for the instance: `::name`.
    pub fn key(&self) -> String {
        format!("::{}", self.name())
    }

    /// Returns the unevaluated attributes.
    pub fn attributes(&self) -> &Hash {
        &self.tree.node(self.id).attributes
    }

    /// Returns a reference to the instance: `{"ref": "::name"}`.
    pub fn to_value(&self) -> Value {
        reference(self.name())
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Tree").field(&self.node(0).name).finish()
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Instance").field(&self.name()).finish()
    }
}

impl PartialEq for Instance {
    fn eq(&self, other: &Instance) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.tree.0, &other.tree.0)
    }
}

/// Returns the form in which values refer to an instance.
pub(crate) fn reference(name: &str) -> Value {
    [("ref", Value::from(format!("::{name}")))].into_iter().collect::<Hash>().into()
}
