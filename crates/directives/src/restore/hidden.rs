//! Shorter lists: their directives are moved into a hidden map that leaves them out.

use hieratic_value::collections::HashSet;
use hieratic_value::{Hash, Value};
use hieratic_yaml_edit::tree::{Content, Entry, Map, Node};
use hieratic_yaml_edit::{Added, Change, MapChange, Slot};

use super::base::{lookup_node, target_path};
use super::overrides::whiteouts;
use super::plan::{Planner, directive};
use crate::Directive;
use crate::key::escape;

impl Planner<'_> {
    /// Moves the directives that bring in lists into a hidden map that leaves these lists out.
    pub(super) fn with_lists_left_out(
        &mut self,
        map: &Map,
        path: &[Value],
        target: &Hash,
        mut change: MapChange,
        lists: &[Vec<Value>],
        bring: &[(usize, Node)],
    ) -> Option<Change> {
        if lists.is_empty() {
            let nothing = change.values.is_empty() && change.removed.is_empty() && change.added.is_empty();
            return (!nothing).then_some(Change::Map(change));
        }
        // The reference starts here only if the path has an index: a map that inherits this one must find the same
        // target.
        let is_fixed = path.iter().all(|key| key.as_str().is_some());
        let is_outermost = !path.is_empty() && self.can_hide_outermost() && (!is_fixed || self.needs_outermost());
        let name = self.hidden_name(map, target, is_outermost)?;
        self.hidden.insert(name.clone());
        let has_any = |(_, node): &&(usize, Node)| lists.iter().any(|path| has_list(node, path));
        // Directives between the first and the last are moved as well, because their order matters.
        let first = bring.iter().find(has_any)?.0;
        let last = bring.iter().rfind(has_any)?.0;
        let mut inner: Vec<(Value, Value)> = Vec::new();
        for (index, _) in bring.iter().filter(|(index, _)| (first..=last).contains(index)) {
            let Some((entry, directive)) = map.entries().get(*index).and_then(|entry| Some((entry, directive(entry)?)))
            else {
                continue;
            };
            inner.push((absolute(entry, &directive, path), entry.node().to_value()));
            change.removed.push(*index);
            change.moved.push(*index);
        }
        inner.extend(whiteouts(lists));
        let inner: Hash = inner.into_iter().collect();
        // A map that has directives itself would lose its `+%` when they are merged.
        let hidden: Hash = [("+%", Value::from("whiteout")), ("base", inner.into())].into_iter().collect();
        let after = Some(first);
        let pointer: String = path.iter().map(|key| format!("/{}", escape(&key.to_text()))).collect();
        let reference = match (is_outermost, is_fixed) {
            (true, _) => format!("+/{name}/base"),
            (false, true) => format!("+{pointer}/{name}/base"),
            (false, false) => format!("+./{name}/base"),
        };
        let mut new = vec![Added { after, key: reference.as_str().into(), value: Value::Undef }];
        if is_outermost {
            self.outermost.push((reference, Added { after: None, key: name.into(), value: hidden.into() }));
        } else {
            new.push(Added { after, key: name.into(), value: hidden.into() });
        }
        change.added.splice(0..0, new);
        Some(Change::Map(change))
    }

    /// A key for such a map that nothing has.
    fn hidden_name(&self, map: &Map, target: &Hash, is_outermost: bool) -> Option<String> {
        // Maps that inherit from this one, or that it inherits from, must have no such key either.
        let is_taken = |name: &str| self.hidden.contains(name) || target.contains(name) || map.get(name).is_some();
        let outermost = |name: &str| is_outermost && self.changed.as_hash().is_some_and(|all| all.contains(name));
        let names = (1..).map(|n| if n == 1 { "hidden".to_owned() } else { format!("hidden-{n}") });
        names.into_iter().find(|name| !is_taken(name) && !outermost(name))
    }

    /// Adds the hidden maps to the change of the whole document.
    pub(super) fn add_hidden_maps(&mut self, mut change: Change) -> Change {
        let hidden = std::mem::take(&mut self.outermost);
        if hidden.is_empty() {
            return change;
        }
        let mut keys = HashSet::default();
        added_keys(&change, &mut keys);
        let used = hidden.into_iter().filter(|(key, _)| keys.contains(key.as_str())).map(|(_, added)| added);
        let used: Vec<Added> = used.collect();
        if let (Change::Map(change), Some(map)) = (&mut change, self.root.as_map()) {
            let after = Some(map.len());
            change.added.extend(used.into_iter().map(|added| Added { after, ..added }));
        }
        change
    }

    /// Returns whether a hidden map must not be inside a map with directives.
    ///
    /// The reference program expands a document again if a directive refers to something that another one brings in.
    /// The second expansion does not know which keys of a map with directives were removed.
    fn needs_outermost(&self) -> bool {
        *self.needs_outermost.get_or_init(|| self.refers_to_inherited(self.root, &mut Vec::new()))
    }

    /// Returns whether a hidden map can be at the top of the document.
    fn can_hide_outermost(&self) -> bool {
        self.root.as_map().is_some_and(|map| map.entries().iter().all(|entry| directive(entry).is_none()))
    }

    fn refers_to_inherited(&self, node: &Node, path: &mut Vec<Value>) -> bool {
        if !node.has_plus_keys() {
            return false;
        }
        match node.content() {
            Content::Scalar(_) => false,
            Content::List(items) => items.iter().enumerate().any(|(at, item)| {
                let key = Value::from(at);
                self.refers_to_inherited_below(key, item.node(), path)
            }),
            Content::Map(map) => map.entries().iter().any(|entry| match directive(entry) {
                Some(directive) if directive.include.is_none() && directive.anchor.is_none() => {
                    lookup_node(self.root, &target_path(path, &directive)).is_none()
                }
                Some(_) => false,
                None => self.refers_to_inherited_below(entry.key.clone(), entry.node(), path),
            }),
        }
    }

    fn refers_to_inherited_below(&self, key: Value, node: &Node, path: &mut Vec<Value>) -> bool {
        path.push(key);
        let refers = stacker::maybe_grow(64 << 10, 1 << 20, || self.refers_to_inherited(node, path));
        path.pop();
        refers
    }
}

/// Collects the string keys that a change adds.
fn added_keys<'c>(change: &'c Change, keys: &mut HashSet<&'c str>) {
    match change {
        Change::Replace(_) => {}
        Change::Map(change) => {
            keys.extend(change.added.iter().filter_map(|added| added.key.as_str()));
            change.values.iter().for_each(|(_, change)| added_keys(change, keys));
        }
        Change::List(slots) => slots.iter().for_each(|slot| match slot {
            Slot::Old(_, Some(change)) => added_keys(change, keys),
            Slot::Old(_, None) | Slot::New(_) => {}
        }),
    }
}

/// Returns whether a map has a value at the path of a list.
pub(super) fn has_list(node: &Node, path: &[Value]) -> bool {
    match path.split_first() {
        None => true,
        Some((key, rest)) => {
            node.as_map().and_then(|map| map.entry(key)).is_some_and(|entry| has_list(entry.node(), rest))
        }
    }
}

/// A directive as it reads in any other map.
fn absolute(entry: &Entry, directive: &Directive, path: &[Value]) -> Value {
    if directive.dots == 0 || directive.anchor.is_some() || directive.include.is_some() {
        return entry.key.clone();
    }
    let optional = if directive.optional { "?" } else { "" };
    let segments = target_path(path, directive);
    let pointer: String = segments.iter().map(|segment| format!("/{}", escape(&segment.to_text()))).collect();
    format!("+{optional}{pointer}").into()
}
