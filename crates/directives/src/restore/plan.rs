//! Plans the smallest edit of the source whose expansion equals the target.

use std::cell::OnceCell;

use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Hash, Value};
use hieratic_yaml_edit::tree::{Content, Entry, Item, Itself, Map, Node};
use hieratic_yaml_edit::{Added, Change, MapChange};

use super::Targets;
use super::base::Base;
use super::comparison::{KeyLookup, are_same_nodes, same, target_value};
use super::hidden::has_list;
use super::overrides::{ShrinkingList, is_special, merged, over, shows, without};
use crate::data::strategy;
use crate::expand::Expanded;
use crate::merge::{STRATEGY, Strategy, merge, strategy_of};
use crate::{Directive, Document, PlusKey};

/// Plans the change of one document.
pub(super) struct Planner<'p> {
    pub(super) root: &'p Node,
    pub(super) expanded: &'p Node,
    pub(super) targets: &'p Targets,
    pub(super) changed: &'p Value,
    /// True if `targets` are those before the change: then the targets after it are predicted.
    pub(super) first: bool,
    pub(super) inline: &'p HashSet<Vec<Value>>,
    /// The paths of named maps and lists.
    pub(super) names: HashMap<String, Vec<Value>>,
    /// The paths of the maps with a directive whose target changes, and of the collections around them.
    affected: HashSet<Vec<Value>>,
    /// Names of maps that hide something, which are not to be used again.
    pub(super) hidden: HashSet<String>,
    /// Whether hidden maps have to be at the top of the document, computed for the first list that is left out.
    pub(super) needs_outermost: OnceCell<bool>,
    /// The new hidden maps at the top of the document, with the keys that refer to them.
    pub(super) outermost: Vec<(String, Added)>,
    /// The wanted values of nodes with an anchor, and of their parts: aliases have the same value.
    shared: HashMap<Itself, Value>,
    in_shared: usize,
    /// The nesting depth in data, whose keys are never directives.
    pub(super) in_data: usize,
}

impl<'p> Planner<'p> {
    pub(super) fn new(
        document: &'p Document,
        expanded: &'p Expanded,
        targets: &'p Targets,
        changed: &'p Value,
        first: bool,
        inline: &'p HashSet<Vec<Value>>,
    ) -> Planner<'p> {
        let mut planner = Planner::blank(document.root(), expanded.root(), targets, changed, first, inline);
        if first {
            let mut given = Vec::new();
            names(planner.root, &mut Vec::new(), &mut planner.names, &mut given);
            planner.names.extend(given);
        }
        hidden_names(planner.root, &mut planner.hidden);
        let mut affected = HashSet::default();
        planner.collect_affected(planner.root, &mut Vec::new(), &mut affected);
        for path in inline {
            affected.extend((0..=path.len()).map(|length| path[..length].to_vec()));
        }
        planner.affected = affected;
        planner
    }

    /// Returns the paths of the maps with a directive whose target changes, and of the collections around them.
    pub(super) fn into_affected(self) -> HashSet<Vec<Value>> {
        self.affected
    }

    /// Collects the paths of the maps with a directive whose target changes, and of the collections around them.
    fn collect_affected(&self, node: &Node, path: &mut Vec<Value>, affected: &mut HashSet<Vec<Value>>) {
        if !self.first || !node.has_plus_keys() {
            return;
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || match node.content() {
            Content::Scalar(_) => {}
            Content::List(items) => {
                for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_alias()) {
                    path.push(Value::from(at));
                    self.collect_affected(item.node(), path, affected);
                    path.pop();
                }
            }
            Content::Map(map) => {
                for entry in map.entries().iter().filter(|entry| !entry.merged && !entry.item.is_alias()) {
                    if let Some(directive) = directive(entry) {
                        if !affected.contains(path) && !self.keeps_target(path, entry, &directive) {
                            affected.extend((0..=path.len()).map(|length| path[..length].to_vec()));
                        }
                        continue;
                    }
                    path.push(entry.key.clone());
                    self.collect_affected(entry.node(), path, affected);
                    path.pop();
                }
            }
        });
    }

    /// Returns whether a node already has the wanted value, and none of its dependencies changes: then its text stays.
    fn stays(&self, node: &Node, path: &[Value], target: &Value, was: Option<&Node>) -> bool {
        let is_affected = node.has_plus_keys() && self.affected.contains(path);
        !is_affected && was.is_some_and(|was| same(was, target)) && !self.alias_changes(node)
    }

    /// Returns whether the anchor of an alias in a node changes.
    fn alias_changes(&self, node: &Node) -> bool {
        if self.shared.is_empty() || !node.has_anchors() {
            return false;
        }
        let changes = |item: &Item| match self.shared.get(&item.node().itself()) {
            Some(shown) if item.is_alias() => !same(item.node(), shown),
            _ => self.alias_changes(item.node()),
        };
        match node.content() {
            Content::Scalar(_) => false,
            Content::List(items) => items.iter().any(changes),
            Content::Map(map) => map.entries().iter().any(|entry| changes(&entry.item)),
        }
    }

    /// A planner that knows nothing of the document yet.
    fn blank(
        root: &'p Node,
        expanded: &'p Node,
        targets: &'p Targets,
        changed: &'p Value,
        first: bool,
        inline: &'p HashSet<Vec<Value>>,
    ) -> Planner<'p> {
        Planner {
            root,
            expanded,
            targets,
            changed,
            first,
            inline,
            names: HashMap::default(),
            affected: HashSet::default(),
            hidden: HashSet::default(),
            needs_outermost: OnceCell::new(),
            outermost: Vec::new(),
            shared: HashMap::default(),
            in_shared: 0,
            in_data: 0,
        }
    }

    /// Returns the change of a node without directives.
    pub(super) fn plan_plain(node: &Node, target: &Value) -> Option<Change> {
        let (targets, inline) = (Targets::default(), HashSet::default());
        let mut planner = Planner::blank(node, node, &targets, target, false, &inline);
        planner.node(&Item::new(node.clone()), &mut Vec::new(), target, Some(node))
    }

    /// Returns the change of the whole document; `None` if it is already as wanted.
    pub(super) fn plan(mut self) -> Option<Change> {
        let root = Item::new(self.root.clone());
        let change = self.node(&root, &mut Vec::new(), self.changed, Some(self.expanded))?;
        Some(self.add_hidden_maps(change))
    }

    /// Returns the change of a node at a path of the document, from `was` to `target`.
    pub(super) fn node(
        &mut self,
        item: &Item,
        path: &mut Vec<Value>,
        target_value: &Value,
        was: Option<&Node>,
    ) -> Option<Change> {
        let node = item.node();
        if item.is_alias() {
            let stays = match self.shared.get(&node.itself()) {
                Some(shown) => same(&Node::from_value(shown), target_value),
                None => was.is_some_and(|was| same(was, target_value)),
            };
            return (!stays).then(|| Change::Replace(target_value.clone()));
        }
        if self.stays(node, path, target_value, was) {
            return None;
        }
        let is_shared = node.anchor().is_some();
        self.in_shared += usize::from(is_shared);
        if self.in_shared > 0 {
            self.shared.insert(node.itself(), target_value.clone());
        }
        let change = stacker::maybe_grow(64 << 10, 1 << 20, || match (node.content(), target_value) {
            (Content::List(items), Value::Array(elements)) => {
                self.list(items, path, elements, was.and_then(Node::as_list))
            }
            (Content::Map(map), Value::Hash(hash)) => match self.map(map, path, hash, was, Inherited::default()) {
                Ok(change) => change,
                Err(ShrinkingList { .. }) => Some(Change::Replace(target_value.clone())),
            },
            (Content::Map(map), _)
                if self.replacing_target(map, path).is_some_and(|target| same(&target, target_value)) =>
            {
                None
            }
            (Content::Scalar(_), _) if same(node, target_value) => None,
            (Content::Map(map), Value::Undef)
                if strategy_of(map) == Some(Strategy::Nullout) && was.is_some_and(Node::is_null) =>
            {
                None
            }
            _ => Some(Change::Replace(target_value.clone())),
        });
        self.in_shared -= usize::from(is_shared);
        change
    }

    /// Returns the target of a map that consists of a single directive, if the target is not a map and therefore
    /// replaces it.
    fn replacing_target(&self, map: &Map, path: &[Value]) -> Option<Node> {
        let [entry] = map.entries() else { return None };
        if self.inline.contains(path) {
            return None;
        }
        let directive = self.directive(entry)?;
        match self.base(path, entry, &directive) {
            Base::Node(node) if node.as_map().is_none() => Some(node),
            _ => None,
        }
    }

    /// Returns the change of a map; `inherited` is the node that the map itself is merged over, now and before the
    /// change.
    fn map(
        &mut self,
        map: &Map,
        path: &mut Vec<Value>,
        target_value: &Hash,
        was: Option<&Node>,
        inherited: Inherited<'_>,
    ) -> Result<Option<Change>, ShrinkingList> {
        if self.replacing_target(map, path).is_some() {
            return Ok(Some(Change::Replace(Value::Hash(target_value.clone()))));
        }
        let mut gone = Vec::new();
        let mut base: Option<Node> = None;
        let mut base_before: Option<Node> = None;
        let mut vanishes = false;
        let mut bring: Vec<(usize, Node)> = Vec::new();
        for (index, entry) in map.entries().iter().enumerate() {
            let Some(directive) = self.directive(entry) else { continue };
            if self.inline.contains(path.as_slice()) {
                gone.push(index);
                continue;
            }
            if self.affected.contains(path.as_slice())
                && let Some(target) = self.recorded(path, entry).filter(|target| target.as_map().is_some())
            {
                base_before = over_lower(base_before, target);
            }
            match self.base(path, entry, &directive) {
                Base::Node(target) if target.as_map().is_some() => {
                    bring.push((index, target.clone()));
                    base = over_lower(base, target);
                }
                Base::Node(_) | Base::Gone => gone.push(index),
                Base::Nothing => vanishes |= directive.include.is_none(),
            }
        }
        if vanishes && target_value.is_empty() && base.is_none() && map.get(STRATEGY).is_none() {
            // With nothing but references that lead nowhere, the map would not be there at all.
            return Ok(Some(Change::Replace(Value::Hash(target_value.clone()))));
        }
        if base.is_none()
            && inherited.now.is_none()
            && self.in_data == 0
            && !path.is_empty()
            && matches!(strategy_of(map), Some(Strategy::Whiteout | Strategy::Nullout))
        {
            // With nothing to be merged with, the map would be taken out.
            gone.extend(map.entries().iter().position(|entry| entry.name() == Some(STRATEGY)));
            gone.sort_unstable();
        }
        let before = if self.affected.contains(path.as_slice()) {
            on(inherited.before, base_before.as_ref())
        } else {
            on(inherited.before, base.as_ref())
        };
        let mut lists: Vec<Vec<Value>> = Vec::new();
        loop {
            let below = on(inherited.now, base.as_ref());
            let inherited = Inherited { now: below.as_ref(), before: before.as_ref() };
            match self.own(map, path, target_value, was, inherited, &gone) {
                Ok(change) => {
                    return Ok(self.with_lists_left_out(map, path, target_value, change, &lists, &bring));
                }
                // A list that this map's own directives bring in can be left out here; others further out.
                Err(shrinks) => match &base {
                    Some(target) if has_list(target, &shrinks.path) && lists.len() < 1000 => {
                        base = Some(without(target, &shrinks.path));
                        lists.push(shrinks.path);
                    }
                    _ => return Err(shrinks),
                },
            }
        }
    }

    /// Returns the change of the own keys of a map, given the inherited ones.
    fn own(
        &mut self,
        map: &Map,
        path: &mut Vec<Value>,
        target: &Hash,
        was: Option<&Node>,
        inherited: Inherited<'_>,
        // In rising order.
        gone: &[usize],
    ) -> Result<MapChange, ShrinkingList> {
        let below = inherited.now.and_then(Node::as_map);
        let below_before = inherited.before.and_then(Node::as_map);
        let was = was.and_then(Node::as_map);
        let mut change = MapChange::default();
        for (index, entry) in map.entries().iter().enumerate() {
            let at_key = |map: Option<&'_ Map>| map.and_then(|map| map.entry(&entry.key)).map(|e| e.node().clone());
            let (lower, before) = (at_key(below), at_key(was));
            let lower_before = at_key(below_before);
            let target = target_value(target, &entry.key);
            if entry.name().is_some_and(|name| self.is_special(name)) {
                // `+%: merge` is a part of what comes out, unless the map is merged with another.
                let is_taken_out = target.is_none()
                    && entry.name() == Some(STRATEGY)
                    && below.is_none()
                    && before.is_some()
                    && strategy_of(map) == Some(Strategy::Merge);
                if (is_taken_out || gone.binary_search(&index).is_ok()) && !entry.merged {
                    change.removed.push(index);
                }
                continue;
            }
            if entry.merged {
                if let Some(value) = self.merged_entry(map, entry, target, before.as_ref(), lower.as_ref())? {
                    change.added.push(Added { after: None, key: entry.key.clone(), value });
                }
                continue;
            }
            let is_data = self.in_data == 0 && entry.name().is_none_or(|name| name.starts_with('+'));
            let Some(target) = target else {
                let vanishes = entry.node().as_map().is_some_and(|own| strategy_of(own) == Some(Strategy::Whiteout));
                match lower {
                    _ if vanishes => {}
                    Some(_) => change.values.push((index, Change::Replace(strategy("whiteout")))),
                    None if was.is_some() && before.is_none() => {}
                    // Without this entry, a merge key would bring another value in.
                    None if merge_items(map)
                        .any(|item| item.node().as_map().is_some_and(|map| map.entry(&entry.key).is_some())) =>
                    {
                        change.values.push((index, Change::Replace(strategy("whiteout"))));
                    }
                    None => change.removed.push(index),
                }
                continue;
            };
            if is_data && entry.node().has_plus_keys() && !entry.item.is_alias() {
                // The value of such a key is not expanded.
                if !shows(entry.node(), target) {
                    let new = if may_vanish(entry.node()) {
                        Some(Change::Replace(target.clone()))
                    } else {
                        self.data(&entry.item, path, target)
                    };
                    change.values.extend(new.map(|new| (index, new)));
                }
                continue;
            }
            path.push(entry.key.clone());
            let new = match &lower {
                None => Ok(self.node(&entry.item, path, target, before.as_ref()).map(Own::Change)),
                Some(lower) => {
                    let lower = Lower { now: lower, before: lower_before.as_ref() };
                    self.over(&entry.item, path, lower, target, before.as_ref())
                }
            };
            path.pop();
            match new.map_err(|shrinks| shrinks.below(&entry.key))? {
                None => {}
                Some(Own::Change(new)) => change.values.push((index, new)),
                Some(Own::Remove) => change.removed.push(index),
            }
        }
        self.new_keys(map, target, below, &mut change)?;
        Ok(change)
    }

    /// The change of data in which no key is a directive.
    fn data(&mut self, item: &Item, path: &mut Vec<Value>, target: &Value) -> Option<Change> {
        self.in_data += 1;
        let change = self.node(item, path, target, Some(item.node()));
        self.in_data -= 1;
        change
    }

    /// Returns the directive of a key, unless the map is data.
    fn directive(&self, entry: &Entry) -> Option<Directive> {
        if self.in_data > 0 { None } else { directive(entry) }
    }

    /// Returns whether a key has a meaning in the expansion at this place.
    fn is_special(&self, name: &str) -> bool {
        if self.in_data > 0 { name == STRATEGY } else { is_special(name) }
    }

    /// Adds the keys that are wanted and neither written nor inherited as they are wanted.
    fn new_keys(
        &self,
        map: &Map,
        target: &Hash,
        below: Option<&Map>,
        change: &mut MapChange,
    ) -> Result<(), ShrinkingList> {
        let leading = map.entries().iter().take_while(|entry| entry.name().is_some_and(|name| name.starts_with('+')));
        let mut after = leading.count().checked_sub(1);
        let (own_keys, inherited) = (KeyLookup::new(map), below.map(KeyLookup::new));
        for (key, target) in target.iter() {
            if key.as_str() == Some(STRATEGY) && map.get(STRATEGY).is_some() {
                continue;
            }
            let own = own_keys.position(key).filter(|at| {
                map.entries().get(*at).is_some_and(|entry| !entry.name().is_some_and(|name| self.is_special(name)))
            });
            if let Some(own) = own {
                if map.entries().get(own).is_some_and(|entry| !entry.merged) {
                    after = Some(own);
                }
                continue;
            }
            let value = match inherited.as_ref().and_then(|below| below.entry(key)) {
                Some(lower) if shows(lower.node(), target) => continue,
                Some(lower) => over(lower.node(), target).map_err(|shrinks| shrinks.below(key))?,
                None if matches!(self.merge_key_value(map, key), Some(Some(brought)) if same(&Node::from_value(brought), target)) =>
                {
                    continue;
                }
                None => target.clone(),
            };
            change.added.push(Added { after, key: key.clone(), value });
        }
        // Inherited keys that are not wanted get a whiteout.
        for lower in below.map(Map::entries).unwrap_or_default() {
            let is_gone = target_value(target, &lower.key).is_none() && map.entry(&lower.key).is_none();
            let leaves_by_itself = lower.name() == Some("+%")
                || matches!(lower.node().as_map().and_then(strategy_of), Some(Strategy::Whiteout | Strategy::Nullout));
            if is_gone && !leaves_by_itself {
                change.added.push(Added { after, key: lower.key.clone(), value: strategy("whiteout") });
            }
        }
        Ok(())
    }

    /// Returns the value to write for a key that a YAML merge key brings in; `None` if it is already as wanted.
    fn merged_entry(
        &self,
        map: &Map,
        entry: &Entry,
        target: Option<&Value>,
        before: Option<&Node>,
        lower: Option<&Node>,
    ) -> Result<Option<Value>, ShrinkingList> {
        let shown = match (self.merge_key_value(map, &entry.key), self.shared.get(&entry.node().itself())) {
            (Some(None), _) if target.is_none() => return Ok(None),
            (Some(Some(shown)), _) | (_, Some(shown)) => Some(Node::from_value(shown)),
            _ => before.cloned(),
        };
        match (target, shown) {
            (Some(target), Some(shown)) if same(&shown, target) => Ok(None),
            (Some(target), _) => match lower {
                Some(lower) => over(lower, target).map(Some).map_err(|shrinks| shrinks.below(&entry.key)),
                None => Ok(Some(target.clone())),
            },
            (None, _) if before.is_none() => Ok(None),
            (None, _) => Ok(Some(strategy("whiteout"))),
        }
    }

    /// Predicts the value that the YAML merge keys of a map bring in under a key, once the merged maps are as wanted.
    /// The inner `None` is a missing key, the outer one an unknown value: the first map that has the key is not known
    /// to change, or has it as an own key.
    fn merge_key_value(&self, map: &Map, key: &Value) -> Option<Option<&Value>> {
        for item in merge_items(map) {
            let known = item.node().as_map()?.entry(key);
            match (self.shared.get(&item.node().itself()), known) {
                (Some(Value::Hash(_)), Some(entry)) if !entry.merged => return None,
                (Some(Value::Hash(wants)), Some(_)) => return Some(target_value(wants, key)),
                (Some(Value::Hash(wants)), None) if target_value(wants, key).is_some() => {
                    return Some(target_value(wants, key));
                }
                (_, None) => {}
                _ => return None,
            }
        }
        None
    }

    /// Returns the change of a value that is merged over another.
    fn over(
        &mut self,
        item: &Item,
        path: &mut Vec<Value>,
        lower: Lower<'_>,
        target: &Value,
        was: Option<&Node>,
    ) -> Result<Option<Own>, ShrinkingList> {
        let own = item.node();
        let before = lower.before;
        let lower = lower.now;
        if before.is_some_and(|before| are_same_nodes(lower, before))
            && !item.is_alias()
            && self.stays(own, path, target, was)
        {
            return Ok(None);
        }
        let own_map = own.as_map();
        let has_directives = own.has_plus_keys() && !only_strategies(own);
        if !has_directives && merged(lower, own).is_some_and(|result| shows(&result, target)) {
            return Ok(None);
        }
        if !has_directives && shows(lower, target) {
            return Ok(Some(Own::Remove));
        }
        match (own_map, lower.content(), target) {
            (Some(map), Content::Map(_), Value::Hash(hash)) if !item.is_alias() => match strategy_of(map) {
                None | Some(Strategy::Merge) => {
                    let inherited = Inherited { now: Some(lower), before };
                    return Ok(self.map(map, path, hash, was, inherited)?.map(Own::Change));
                }
                Some(Strategy::Error | Strategy::Replace | Strategy::Unknown) => {
                    return Ok(self.map(map, path, hash, was, Inherited::default())?.map(Own::Change));
                }
                Some(Strategy::Whiteout | Strategy::Nullout) => {}
            },
            (_, Content::List(_), Value::Array(_))
                if !has_directives && own.as_list().is_some() && !item.is_alias() =>
            {
                let longer = over(lower, target)?;
                return Ok(self.node(item, path, &longer, None).map(Own::Change));
            }
            (_, Content::Map(_), Value::Hash(_) | Value::Undef) | (_, Content::List(_), Value::Array(_)) => {}
            _ => return Ok(self.node(item, path, target, was).map(Own::Change)),
        }
        Ok(Some(Own::Change(Change::Replace(over(lower, target)?))))
    }
}

/// Returns the maps that the YAML merge keys of a map refer to, in order.
fn merge_items(map: &Map) -> impl Iterator<Item = &Item> {
    let items = map.merge_keys().iter().map(|merge| &merge.item);
    items.flat_map(|item| item.node().as_list().unwrap_or(std::slice::from_ref(item)))
}

/// The node that a map is merged over, if there is one, now and before the change.
#[derive(Clone, Copy, Default)]
struct Inherited<'n> {
    now: Option<&'n Node>,
    before: Option<&'n Node>,
}

/// The node that a value is merged over, now and before the change.
#[derive(Clone, Copy)]
struct Lower<'n> {
    now: &'n Node,
    before: Option<&'n Node>,
}

/// Merges a target over the earlier ones.
fn over_lower(lower: Option<Node>, target: Node) -> Option<Node> {
    match lower {
        Some(lower) => Some(merge(&lower, &target).unwrap_or(target)),
        None => Some(target),
    }
}

/// Merges the targets of the directives of a map over the node that the map inherits.
fn on(lower: Option<&Node>, base: Option<&Node>) -> Option<Node> {
    match (lower, base) {
        (Some(lower), Some(base)) => Some(merge(lower, base).unwrap_or_else(|_| base.clone())),
        (lower, base) => base.or(lower).cloned(),
    }
}

/// Collects the paths of named maps and lists; the last of several with the same name counts. Those of `+&` come after
/// all others.
fn names(
    node: &Node,
    path: &mut Vec<Value>,
    found: &mut HashMap<String, Vec<Value>>,
    given: &mut Vec<(String, Vec<Value>)>,
) {
    if !node.has_anchors() && !node.has_plus_keys() {
        return;
    }
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        if let Some(name) = node.anchor().filter(|_| node.as_scalar().is_none()) {
            found.insert(name.to_owned(), path.clone());
        }
        match node.content() {
            Content::Scalar(_) => {}
            Content::List(items) => {
                for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_alias()) {
                    path.push(Value::from(at));
                    names(item.node(), path, found, given);
                    path.pop();
                }
            }
            Content::Map(map) => {
                if let Some(name) = map.get("+&").and_then(|item| item.node().as_str()) {
                    given.push((name.to_owned(), path.clone()));
                }
                for entry in map.entries().iter().filter(|entry| !entry.merged && !entry.item.is_alias()) {
                    path.push(entry.key.clone());
                    names(entry.node(), path, found, given);
                    path.pop();
                }
            }
        }
    });
}

/// Collects the keys of a document that may be those of hidden maps.
fn hidden_names(node: &Node, found: &mut HashSet<String>) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.content() {
            Content::Scalar(_) => {}
            Content::List(items) => open.extend(items.iter().map(Item::node)),
            Content::Map(map) => {
                let keys = map.entries().iter().filter_map(Entry::name);
                found.extend(keys.filter(|name| name.starts_with("hidden")).map(str::to_owned));
                open.extend(map.entries().iter().map(Entry::node));
            }
        }
    }
}

/// The change of an own value.
enum Own {
    Change(Change),
    Remove,
}

/// The directive that a key is.
pub(super) fn directive(entry: &Entry) -> Option<Directive> {
    match PlusKey::parse(entry.name()?) {
        Ok(PlusKey::Directive(directive)) => Some(directive),
        _ => None,
    }
}

/// Returns whether a node contains a map that `+%` removes or sets to null.
fn may_vanish(node: &Node) -> bool {
    match node.content() {
        Content::Scalar(_) => false,
        Content::List(items) => items.iter().any(|item| may_vanish(item.node())),
        Content::Map(map) => {
            matches!(strategy_of(map), Some(Strategy::Whiteout | Strategy::Nullout))
                || map.entries().iter().any(|entry| may_vanish(entry.node()))
        }
    }
}

/// Returns whether `+%` is the only special key in a node.
fn only_strategies(node: &Node) -> bool {
    match node.content() {
        Content::Scalar(_) => true,
        Content::List(items) => items.iter().all(|item| only_strategies(item.node())),
        Content::Map(map) => map.entries().iter().all(|entry| {
            entry.name().is_none_or(|name| name == "+%" || !is_special(name)) && only_strategies(entry.node())
        }),
    }
}
