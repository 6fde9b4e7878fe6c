//! Resolves the targets of directives.
//!
//! A path is followed through the unexpanded document. At a map with directives, their targets are followed in parallel
//! as layers, so that the path sees the keys of the expanded map. Only the parts that the path needs are expanded.

use hieratic_python_values as python;
use std::rc::Rc;

use hieratic_diagnostics::nearest;
use hieratic_value::Value;
use hieratic_value::collections::HashMap;
use hieratic_yaml_edit::tree::{Content, Entry, Item, Itself, Map, Node};

use super::apply::Target;
use super::children::Outcome;
use super::{Expander, paths};
use crate::codes;
use crate::error::DirectiveError;
use crate::merge::{Strategy, merge_counted, strategy_of};
use crate::{Directive, PlusKey};

/// The result of resolving a directive.
pub(super) enum Resolution {
    Found(Target),
    /// No target, which is not an error; with the reason.
    Nothing(String),
    /// The target does not exist.
    Missing(Box<DirectiveError>),
    /// The target cannot be loaded.
    Error(Box<DirectiveError>),
}

/// The keys of a map that begin with `+`, with their positions.
pub(super) type PlusKeys = Rc<[(usize, PlusKey)]>;

/// The caches of path walks.
#[derive(Default)]
pub(super) struct WalkCaches {
    plus_keys: HashMap<Itself, PlusKeys>,
    /// The directives that are being resolved. A reference that leads back to one of them is resolved without it.
    looking: Vec<(usize, usize)>,
    /// The layers that a directive of a map brings in at a path.
    brought: HashMap<(Itself, usize, Vec<Value>), Vec<Node>>,
    /// The number of layers that were left out because their resolution was in progress.
    left_out: u64,
    materializing: usize,
}

impl WalkCaches {
    pub(super) fn plus_keys(&self, node: &Node) -> Option<PlusKeys> {
        self.plus_keys.get(&node.itself()).cloned()
    }

    /// Remembers the plus keys of a map.
    pub(super) fn remember_plus_keys(&mut self, node: &Node, keys: Vec<(usize, PlusKey)>) -> PlusKeys {
        let keys: PlusKeys = keys.into();
        self.plus_keys.insert(node.itself(), keys.clone());
        keys
    }

    pub(super) fn is_materializing(&self) -> bool {
        self.materializing > 0
    }
}

/// The current end of a path: the maps, lists or scalars that are merged there, lowest first.
struct Layers {
    nodes: Vec<Node>,
    /// The path in the main document; `None` after a name.
    path: Option<Vec<Value>>,
    /// Whether a directive brought one of the layers in.
    through: bool,
    /// Whether the layers are already expanded.
    done: bool,
}

impl Expander<'_> {
    /// Resolves the target of a directive.
    pub(super) fn resolve(
        &mut self,
        container: &Node,
        (index, entry): (usize, &Entry),
        directive: &Directive,
        path: &[Value],
    ) -> Resolution {
        if directive.include.is_some() {
            return self.resolve_include(container, entry, directive);
        }
        let start = match &directive.anchor {
            Some(name) => match self.anchors.get(name) {
                Some(node) => Layers { nodes: vec![node.clone()], path: None, through: false, done: false },
                None => return Resolution::Missing(Box::new(self.missing_anchor(container, entry, name))),
            },
            None => Layers { nodes: vec![self.root.clone()], path: Some(Vec::new()), through: false, done: false },
        };
        self.walks.looking.push((container.identity(), index));
        let found = self.start(start, directive, path).and_then(|layers| self.settle(layers));
        self.walks.looking.pop();
        match found {
            Ok(target) => Resolution::Found(target),
            Err(dead_end) => {
                let error = self.missing(container, entry, dead_end.text);
                Resolution::Missing(Box::new(match dead_end.help {
                    Some(help) => error.help(help),
                    None => error,
                }))
            }
        }
    }

    /// Follows the dots and then the path of a directive.
    fn start(&mut self, mut layers: Layers, directive: &Directive, path: &[Value]) -> Result<Layers, DeadEnd> {
        if directive.anchor.is_none() && directive.dots > 0 {
            self.local += 1;
            // As in the reference's slice, one dot is the map itself, and more dots than levels stop at the root.
            let kept = path.len().saturating_sub(directive.dots - 1);
            for segment in &path[..kept] {
                layers = self.step(layers, segment)?;
            }
        }
        for segment in &directive.pointer {
            layers = self.step(layers, &Value::from(segment.as_str()))?;
        }
        Ok(layers)
    }

    /// Charges a step. Returns whether the expansion may continue.
    pub(super) fn charge_step(&mut self) -> bool {
        if !self.is_stopped
            && let Err(exhausted) = self.options.budget.step()
        {
            self.exhausted(exhausted, &self.root.clone());
        }
        !self.is_stopped
    }

    /// Follows one segment.
    fn step(&mut self, layers: Layers, segment: &Value) -> Result<Layers, DeadEnd> {
        if !self.charge_step() {
            return Err(DeadEnd::new("the expansion was stopped"));
        }
        let shown = segment.to_text();
        let Some(top) = layers.nodes.last() else { return Err(DeadEnd::new("it does not exist")) };
        match top.content() {
            Content::Scalar(_) => Err(DeadEnd::new(format!("a scalar has no '{shown}'"))),
            Content::List(_) => self.step_into_list(layers, &shown),
            Content::Map(_) => self.step_into_map(layers, &shown),
        }
    }

    fn step_into_list(&mut self, layers: Layers, segment: &str) -> Result<Layers, DeadEnd> {
        if !paths::is_index(segment) {
            return Err(DeadEnd::new(format!("'{segment}' is not a list index")));
        }
        let Layers { nodes, path, through, done } = layers;
        let mut path = path;
        let mut list = match nodes.as_slice() {
            [only] => only.clone(),
            _ => self.merge_layers(&nodes, path.clone())?,
        };
        let mut done = done || nodes.len() > 1;
        let length = |node: &Node| node.as_list().map_or(0, <[Item]>::len);
        if paths::list_index(segment, length(&list)).is_none() && !done && list.has_plus_keys() {
            // Directives among the items may expand to several items.
            list = self.merge_layers(std::slice::from_ref(&list), path.clone())?;
            done = true;
        }
        let index = paths::list_index(segment, length(&list));
        let Some((index, item)) = index.and_then(|at| Some((at, list.as_list()?.get(at)?))) else {
            let length = length(&list);
            return Err(DeadEnd::new(format!("the list of {length} has no item {segment}")));
        };
        if let Some(path) = &mut path {
            path.push(paths::index(index));
        }
        Ok(Layers { nodes: vec![item.node().clone()], path, through: through || done, done })
    }

    fn step_into_map(&mut self, layers: Layers, segment: &str) -> Result<Layers, DeadEnd> {
        let Layers { nodes, path, through, done } = layers;
        let mut next = Vec::new();
        for node in &nodes {
            self.step_into(node, segment, path.as_deref(), done, &mut next);
        }
        let top = nodes.last().and_then(Node::as_map);
        if next.is_empty() {
            let keys = top.map(Map::entries).unwrap_or_default().iter().filter_map(Entry::name);
            let help = suggestion(&mut self.compared, segment, keys).map(|near| format!("did you mean '{near}'?"));
            return Err(DeadEnd { text: format!("the key '{segment}' does not exist"), help });
        }
        let path = path.map(|mut path| {
            path.push(segment.into());
            path
        });
        let nodes = relevant(next);
        let own = top.and_then(|map| map.get(segment));
        let is_own = matches!((nodes.as_slice(), own), ([only], Some(own)) if only.is(own.node()));
        Ok(Layers { nodes, path, through: through || !is_own, done })
    }

    /// Adds the values of a map at a key: those that its directives bring in, then its own.
    fn step_into(&mut self, node: &Node, segment: &str, path: Option<&[Value]>, done: bool, next: &mut Vec<Node>) {
        let Some(map) = node.as_map() else { return };
        let own = map.get(segment).map(|item| item.node().clone());
        let wins = own.as_ref().is_some_and(|own| own.as_scalar().is_some() && !own.is_null());
        if !done && !wins && node.has_plus_keys() {
            let keys = self.plus_keys(node, map);
            for (index, plus) in keys.iter() {
                if let PlusKey::Directive(directive) = plus {
                    self.step_through_directive(node, (*index, directive), segment, path, next);
                }
            }
        }
        next.extend(own);
    }

    /// Adds the values that a directive of a map brings in at a key.
    fn step_through_directive(
        &mut self,
        container: &Node,
        (index, directive): (usize, &Directive),
        segment: &str,
        path: Option<&[Value]>,
        next: &mut Vec<Node>,
    ) {
        const MAX_DEPTH: usize = 500;
        if self.walks.looking.contains(&(container.identity(), index)) || self.walks.looking.len() > MAX_DEPTH {
            // The target depends on itself: it is resolved without this directive.
            self.local += 1;
            self.walks.left_out += 1;
            return;
        }
        let mut place = path.unwrap_or_default().to_vec();
        place.push(segment.into());
        let key = (container.itself(), index, place);
        if let Some(known) = self.walks.brought.get(&key) {
            next.extend(known.iter().cloned());
            return;
        }
        let (from, left_out) = (next.len(), self.walks.left_out);
        let Some(entry) = container.as_map().and_then(|map| map.entries().get(index)).cloned() else { return };
        if directive.dots > 0 && directive.anchor.is_none() && path.is_none() {
            return;
        }
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || {
            self.resolve(container, (index, &entry), directive, path.unwrap_or_default())
        });
        let Resolution::Found(target) = found else { return };
        let raw = self.is_raw(directive, entry.node());
        self.walks.looking.push((container.identity(), index));
        self.step_into(&target.node, segment, path, target.done || raw, next);
        self.walks.looking.pop();
        if self.walks.left_out == left_out {
            self.walks.brought.insert(key, next[from..].to_vec());
        }
    }

    /// Merges the layers at the end of a path to one node.
    fn settle(&mut self, layers: Layers) -> Result<Target, DeadEnd> {
        let Layers { nodes, path, through, done } = layers;
        match nodes.as_slice() {
            [only] if !through || done || !only.has_plus_keys() => {
                Ok(Target { node: only.clone(), path, done: done || through })
            }
            _ => {
                let node = self.merge_layers(&nodes, path.clone())?;
                Ok(Target { node, path, done: true })
            }
        }
    }

    /// Expands the layers where they stand, and merges them.
    fn merge_layers(&mut self, nodes: &[Node], path: Option<Vec<Value>>) -> Result<Node, DeadEnd> {
        if nodes.iter().any(|node| self.open.contains(&node.identity())) {
            return Err(DeadEnd::new("it depends on this expansion"));
        }
        let mut path = path.unwrap_or_default();
        self.local += 1;
        self.walks.materializing += 1;
        let mut result: Option<Node> = None;
        let mut built = 0;
        for node in nodes {
            let Outcome::Node(expanded) = self.node(node, &mut path) else { continue };
            if !self.check_size(&expanded) {
                break;
            }
            result = match result {
                None => Some(expanded),
                // Layers merge like the values of a key.
                Some(base) => match merge_counted(&keyed(base), &keyed(expanded), &mut built) {
                    Ok(merged) => merged.as_map().and_then(|map| map.get("")).map(|item| item.node().clone()),
                    Err(_) => None,
                },
            };
        }
        self.walks.materializing -= 1;
        let root = self.root.clone();
        if !self.may_build(built, &root) || result.as_ref().is_some_and(|result| !self.check_size(result)) {
            return Err(DeadEnd::new("the expansion was stopped"));
        }
        result.ok_or_else(|| DeadEnd::new("it is empty after merging"))
    }

    fn missing_anchor(&mut self, container: &Node, entry: &Entry, name: &str) -> DirectiveError {
        let error = self.missing(container, entry, format!("no map or list has the anchor '{name}'"));
        match suggestion(&mut self.compared, name, self.anchors.names()) {
            Some(near) => error.help(format!("did you mean '*{near}'?")),
            None => error.help(format!("add the anchor `&{name}` or the key `+&: {name}` to a map or list")),
        }
    }

    /// A reference that leads nowhere. The message shows the value of the directive, which may be of any size.
    pub(super) fn missing(&mut self, container: &Node, entry: &Entry, label: String) -> DirectiveError {
        let key = entry.key.to_text();
        let value = entry.node();
        let shown = match value.as_str() {
            Some(text) => text.to_owned(),
            None if value.is_null() => String::new(),
            None => match self.options.budget.steps(value.size()) {
                Ok(()) => python::repr(&value.to_value()),
                Err(exhausted) => {
                    self.exhausted(exhausted, value);
                    String::new()
                }
            },
        };
        let listed = format!("{key}:{shown}");
        let message = crate::error::missing_includes(&[&listed]);
        let mut error =
            DirectiveError::new(codes::MISSING_INCLUDE, message).at(container.source(), entry.key_span, label);
        error.missing = Some(listed);
        error
    }
}

/// Returns the most similar known name, unless the total of comparisons is exhausted.
fn suggestion<'k>(compared: &mut usize, name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    const MAX_COMPARED: usize = 500_000;
    if *compared > MAX_COMPARED {
        return None;
    }
    nearest(name, known.inspect(|_| *compared += 1))
}

/// A map with one key.
fn keyed(node: Node) -> Node {
    let key = Value::from("");
    let entry = Entry { key, key_span: node.span(), item: Item::new(node.clone()), merged: false };
    node.with_content(Content::Map(Map::new(vec![entry])))
}

/// Returns the layers that affect the result: maps merge with maps and lists with lists, null yields to a map, and
/// layers below anything else are overridden.
fn relevant(mut nodes: Vec<Node>) -> Vec<Node> {
    while let [.., below, top] = nodes.as_slice()
        && top.is_null()
        && below.as_map().is_some()
    {
        nodes.pop();
    }
    let mut kept: Vec<Node> = Vec::new();
    for node in nodes.into_iter().rev() {
        let fits = kept.last().is_none_or(|above| match (above.content(), node.content()) {
            (Content::Map(above), Content::Map(_)) => !matches!(
                strategy_of(above),
                Some(Strategy::Replace | Strategy::Unknown | Strategy::Whiteout | Strategy::Nullout)
            ),
            (Content::List(_), Content::List(_)) => true,
            _ => false,
        });
        if !fits {
            break;
        }
        kept.push(node);
    }
    kept.reverse();
    kept
}

/// The reason why a path ends.
struct DeadEnd {
    text: String,
    help: Option<String>,
}

impl DeadEnd {
    fn new(text: impl Into<String>) -> DeadEnd {
        DeadEnd { text: text.into(), help: None }
    }
}
