//! Expanding maps and lists.

use hieratic_document::tree::{Content, Entry, Item, Map, Node};
use hieratic_value::Value;

use super::place;
use super::walk::{PlusKeys, Resolution};
use super::{Active, Applied, Effect, Expander, Found, MAX_SIZE, Record, origin};
use crate::fault::Fault;
use crate::merge::{STRATEGY, Strategy, merge, strategy_of};
use crate::python;
use crate::{Directive, PlusKey};

/// What becomes of a node.
pub(super) enum Outcome {
    /// This.
    Node(Node),
    /// It was nothing but references that are allowed to lead nowhere: it disappears.
    Nothing,
}

/// What was found for a directive, and how it is to be treated.
pub(super) struct Target {
    pub(super) node: Node,
    /// Where it stands in the main document; not known for files and names.
    pub(super) path: Option<Vec<Value>>,
    /// Whether it is expanded already.
    pub(super) done: bool,
}

/// How deep an expanded document may nest, and inclusions may lead to further ones.
const MAX_DEPTH: usize = 1000;

impl Expander<'_> {
    /// Expands a node at a path of the main document.
    pub(super) fn node(&mut self, node: &Node, path: &mut Vec<Value>) -> Outcome {
        if !node.has_plus_keys() {
            return Outcome::Node(node.clone());
        }
        if path.len() > MAX_DEPTH || self.active.len() > MAX_DEPTH {
            let message = format!("the document nests deeper than {MAX_DEPTH} levels when it is expanded");
            self.give_up(Fault::new("too-deep", message).at(node.source(), node.span(), ""));
        }
        if !self.may_go_on() {
            return Outcome::Nothing;
        }
        self.open.push(node.identity());
        let outcome = stacker::maybe_grow(64 << 10, 1 << 20, || match node.content() {
            Content::Scalar(_) => Outcome::Node(node.clone()),
            Content::List(items) => Outcome::Node(self.list(node, items, path)),
            Content::Map(map) => self.map(node, map, path),
        });
        self.open.pop();
        outcome
    }

    pub(super) fn list(&mut self, node: &Node, items: &[Item], path: &mut Vec<Value>) -> Node {
        let mut expanded = Vec::with_capacity(items.len());
        let mut size: u64 = 0;
        for (index, item) in items.iter().enumerate() {
            let map = item.node().as_map();
            if map.and_then(strategy_of) == Some(Strategy::Whiteout) {
                continue;
            }
            path.push(place::index(index));
            let outcome = self.node(item.node(), path);
            path.pop();
            match outcome {
                Outcome::Node(new) if new.is(item.node()) => expanded.push(item.clone()),
                // A list that takes the place of a directive gives its items one by one.
                Outcome::Node(new) => match new.as_list().filter(|_| map.is_some()) {
                    Some(items) => {
                        size = size.saturating_add(new.size());
                        if size > MAX_SIZE {
                            self.too_large(item.node());
                            break;
                        }
                        expanded.extend(items.iter().cloned());
                    }
                    None => expanded.push(Item::new(new)),
                },
                Outcome::Nothing => {}
            }
        }
        node.with_content(Content::List(expanded))
    }

    fn map(&mut self, node: &Node, map: &Map, path: &mut Vec<Value>) -> Outcome {
        let plus_keys = self.plus_keys(node, map);
        let mut plus_keys = plus_keys.iter().peekable();
        let mut own: Vec<Entry> = Vec::with_capacity(map.len());
        let mut targets: Vec<Node> = Vec::new();
        let mut slots: Vec<Option<usize>> = Vec::new();
        let mut vanished = false;
        for (index, entry) in map.entries().iter().enumerate() {
            if let Some((_, plus)) = plus_keys.next_if(|(at, _)| *at == index) {
                let PlusKey::Directive(directive) = plus else {
                    // The value of a plain key that begins with a plus stays as it is, as does a strategy.
                    if *plus != PlusKey::Anchor {
                        own.push(entry.clone());
                    }
                    continue;
                };
                let slot = self.record(node, entry, path);
                match self.directive(node, (index, entry), directive, path, slot) {
                    Some(target) if target.as_map().is_some() => {
                        targets.push(target);
                        slots.push(slot);
                    }
                    Some(target) if map.len() == 1 => return Outcome::Node(target),
                    Some(target) => self.conflict(node, entry, directive, &target),
                    // A file that is not there counts as an empty map; another reference as nothing at all.
                    None => vanished |= directive.include.is_none(),
                }
                continue;
            }
            let Some(name) = entry.name() else {
                own.push(entry.clone());
                continue;
            };
            path.push(Value::from(name));
            let outcome = self.node(entry.node(), path);
            path.pop();
            match outcome {
                Outcome::Node(new) if new.is(entry.node()) => own.push(entry.clone()),
                Outcome::Node(new) => own.push(Entry { item: Item::new(new), ..entry.clone() }),
                Outcome::Nothing => {}
            }
        }
        if vanished && own.is_empty() && targets.is_empty() {
            return Outcome::Nothing;
        }
        if slots.iter().any(Option::is_some) {
            self.note_effects(&slots, &targets, &own);
        }
        Outcome::Node(self.merged(node, targets, own))
    }

    /// Remembers what became of the keys that directives brought.
    fn note_effects(&mut self, slots: &[Option<usize>], targets: &[Node], own: &[Entry]) {
        for (at, (slot, target)) in slots.iter().zip(targets).enumerate() {
            let (Some(slot), Some(map)) = (slot, target.as_map()) else { continue };
            let over = |key: &Value| {
                let own = own.iter().find(|entry| entry.key == *key).map(Entry::node);
                own.or_else(|| {
                    let later = targets.get(at + 1..).unwrap_or_default().iter().rev();
                    later.filter_map(|target| target.as_map()?.entry(key)).map(Entry::node).next()
                })
            };
            let keys = map.entries().iter().filter(|entry| entry.name() != Some(STRATEGY)).map(|entry| {
                let effect = match over(&entry.key) {
                    None => Effect::Added,
                    Some(over) => match (entry.node().content(), over.content()) {
                        (Content::Map(_), Content::Map(over))
                            if strategy_of(over).is_none_or(|s| s == Strategy::Merge) =>
                        {
                            Effect::Merged
                        }
                        (Content::List(_), Content::List(_)) => Effect::Merged,
                        (Content::Map(_), Content::Scalar(Value::Undef)) => Effect::Added,
                        _ => Effect::Overridden,
                    },
                };
                (entry.key.clone(), effect)
            });
            let keys = keys.collect();
            if let Some(applied) = self.applied.get_mut(*slot) {
                applied.keys = keys;
            }
        }
    }

    /// Merges the targets of a map, later ones over earlier ones, and its own keys over all of them.
    fn merged(&mut self, node: &Node, targets: Vec<Node>, own: Vec<Entry>) -> Node {
        let own_is_empty = own.is_empty();
        let own = node.with_content(Content::Map(Map::new(own)));
        let mut targets = targets.into_iter();
        let Some(mut result) = targets.next() else { return own };
        let only_target = targets.len() == 0 && own_is_empty;
        if only_target && result.as_map().is_some_and(|map| map.get(STRATEGY).is_none()) {
            return result;
        }
        for layer in targets.chain([own]) {
            match merge(&result, &layer) {
                Ok(merged) => result = merged,
                Err(forbidden) => {
                    let span = layer.as_map().and_then(|map| map.get(&forbidden.key)).map(Item::span);
                    let fault = Fault::new("merge-forbidden", forbidden.to_string())
                        .at(layer.source(), span.unwrap_or(layer.span()), "this map was to be merged")
                        .help(
                            "remove `+%: error`, or give this map a `+%` of its own: `replace`, `whiteout` or `merge`",
                        );
                    self.fault(fault);
                }
            }
        }
        if result.size() > MAX_SIZE {
            self.too_large(node);
            return node.with_content(Content::Map(Map::default()));
        }
        result
    }

    /// Applies a directive: what is merged in, or nothing.
    fn directive(
        &mut self,
        holder: &Node,
        (index, entry): (usize, &Entry),
        directive: &Directive,
        path: &mut Vec<Value>,
        slot: Option<usize>,
    ) -> Option<Node> {
        if !directive.ignored.is_empty() {
            let key = entry.key.to_text();
            let message =
                format!("'{}' in the directive '{key}' is not understood and has no effect", directive.ignored);
            let fault = Fault::new("ignored-text", message).at(holder.source(), entry.key_span, "").help(
                "a directive is +, ?, include, *anchor, dots and /segments, in this order; remove what is left over",
            );
            self.warn(fault);
        }
        if directive.include.is_some()
            && (directive.anchor.is_some() || directive.dots > 0 || !directive.pointer.is_empty())
        {
            let key = entry.key.to_text();
            let message = format!("what stands behind 'include' in the directive '{key}' has no effect");
            let fault = Fault::new("ignored-text", message)
                .at(holder.source(), entry.key_span, "")
                .help("a part of a file is named in the value: `+include: FILE#/path`");
            self.warn(fault);
        }
        let target = match self.resolve(holder, (index, entry), directive, path) {
            Resolution::Found(target) => target,
            Resolution::Nothing(reason) => {
                self.fill(slot, Found::Nothing(reason));
                return None;
            }
            Resolution::Missing(fault) => {
                self.misses_anchor |= directive.anchor.is_some();
                self.missed += 1;
                if directive.optional {
                    self.fill(slot, Found::Nothing("it is not there".to_owned()));
                } else {
                    self.fault(*fault);
                }
                return None;
            }
            Resolution::Fault(fault) => {
                self.fault(*fault);
                return None;
            }
        };
        let written = target.node.clone();
        let raw = self.is_raw(directive, entry.node());
        match self.include(holder, entry, target, raw, path) {
            Outcome::Node(node) => {
                if let Some(applied) = slot.and_then(|slot| self.applied.get_mut(slot)) {
                    let origin = origin(&self.sources, written.source(), written.span());
                    applied.found = Found::Target(node.clone(), origin);
                    applied.written = Some(written);
                }
                Some(node)
            }
            Outcome::Nothing => {
                self.fill(slot, Found::Nothing("it is nothing but references that lead nowhere".to_owned()));
                None
            }
        }
    }

    fn record(&mut self, holder: &Node, entry: &Entry, path: &[Value]) -> Option<usize> {
        let wanted = match self.options.record {
            _ if self.walks.is_materializing() => false,
            Record::Nothing => false,
            Record::Written => self.active.is_empty(),
            Record::All => true,
        };
        wanted.then(|| {
            self.applied.push(Applied {
                path: path.to_vec(),
                key: entry.key.to_text(),
                value: entry.node().to_value(),
                origin: origin(&self.sources, holder.source(), entry.key_span),
                found: Found::Missing,
                keys: Vec::new(),
                written: None,
            });
            self.applied.len() - 1
        })
    }

    fn fill(&mut self, slot: Option<usize>, found: Found) {
        if let Some(applied) = slot.and_then(|slot| self.applied.get_mut(slot)) {
            applied.found = found;
        }
    }

    /// Expands what a directive found, at the place where it is put.
    fn include(&mut self, holder: &Node, entry: &Entry, target: Target, raw: bool, path: &mut Vec<Value>) -> Outcome {
        let Target { node, path: own_path, done } = target;
        if raw || node.as_scalar().is_some() {
            return Outcome::Node(node);
        }
        if let Some(own_path) = &own_path
            && node.as_map().is_some()
            && path.starts_with(own_path)
        {
            self.recursive(holder, entry, own_path, path, &node);
            return Outcome::Nothing;
        }
        if done || !node.has_plus_keys() {
            return Outcome::Node(node);
        }
        if let Some((_, expanded)) = self.memo.get(&node.identity()).filter(|_| self.options.record != Record::All) {
            return Outcome::Node(expanded.clone());
        }
        if self.open.contains(&node.identity()) {
            self.recursive(holder, entry, own_path.as_deref().unwrap_or_default(), path, &node);
            return Outcome::Nothing;
        }
        let key = entry.key.to_text();
        self.active.push(Active { source: holder.source(), span: entry.key_span, key, target: node.identity() });
        let (local, faults) = (self.local, self.faults.len());
        let (mut outcome, missed) = self.counting_misses(&node, path);
        let only_missed = self.faults.iter().skip(faults).all(|fault| fault.missing.is_some());
        if missed > 0
            && only_missed
            && !self.given_up
            && let Some(mut own_path) = own_path.filter(|own_path| own_path != path)
        {
            // It may make sense where it stands, if not here.
            let here = self.faults.split_off(faults.min(self.faults.len()));
            let (there, missed_there) = self.counting_misses(&node, &mut own_path);
            if missed_there < missed {
                outcome = there;
            } else if !self.given_up {
                self.faults.truncate(faults);
                for fault in here {
                    self.fault(fault);
                }
            }
            self.local += 1;
        }
        self.active.pop();
        if self.local == local
            && self.faults.len() == faults
            && let Outcome::Node(expanded) = &outcome
        {
            self.memo.insert(node.identity(), (node.clone(), expanded.clone()));
        }
        outcome
    }

    /// Expands a target, and tells how many references in it lead nowhere.
    fn counting_misses(&mut self, node: &Node, path: &mut Vec<Value>) -> (Outcome, u64) {
        let before = self.missed;
        let outcome = self.node(node, path);
        (outcome, self.missed - before)
    }

    /// A target that contains the place where it is to be put.
    pub(super) fn recursive(&mut self, holder: &Node, entry: &Entry, own: &[Value], path: &[Value], target: &Node) {
        let key = entry.key.to_text();
        let shown = if key.starts_with("+.") || key.starts_with("+?.") {
            python::list(own.iter())
        } else if own.is_empty() {
            let place = self.sources.place(target);
            place.map_or(key.clone(), |(file, line, _)| format!("{file}:{line}"))
        } else {
            python::tuple(own)
        };
        let message = format!("recursive include \"{shown}\" in \"{}\" when including {key}", python::tuple(path));
        let mut fault = Fault::new("recursive-include", message);
        fault = fault.at(holder.source(), entry.key_span, "this includes what it is part of");
        let from = self.active.iter().position(|active| active.target == target.identity()).unwrap_or(0);
        for active in &self.active[from..] {
            fault = fault.at(active.source, active.span, format!("reached through {}", active.key));
        }
        let (inner, outer) = (entry.key_span, target.span());
        if holder.source() != target.source() || inner.start < outer.start || inner.end > outer.end {
            fault = fault.at(target.source(), outer, "which is this");
        }
        self.fault(
            fault.help("put what both need into a map of its own, or write `raw` as the value of the directive"),
        );
    }

    /// A target that is no map cannot be merged with other keys.
    fn conflict(&mut self, holder: &Node, entry: &Entry, directive: &Directive, target: &Node) {
        let shown = merge_key(&entry.key.to_text(), directive);
        let kind = python::type_name(target);
        let value = match target.as_str() {
            Some(text) => text.to_owned(),
            None => python::repr(&target.to_value()),
        };
        let message = format!("can not merge {shown} with non-map value of type <class '{kind}'>: {value}");
        let fault = Fault::new("not-a-map", message)
            .at(holder.source(), entry.key_span, "this is no map, and the map has other keys")
            .at(target.source(), target.span(), "the value")
            .help(format!("give the value a key of its own: `key: {{{}: }}`", entry.key.to_text()));
        self.fault(fault);
    }

    /// The keys of a map that begin with `+`, with their positions.
    pub(super) fn plus_keys(&mut self, node: &Node, map: &Map) -> PlusKeys {
        if let Some(known) = self.walks.plus_keys(node) {
            return known;
        }
        let mut found = Vec::new();
        for (index, entry) in map.entries().iter().enumerate() {
            let Some(name) = entry.name().filter(|name| name.starts_with('+')) else { continue };
            match PlusKey::parse(name) {
                Ok(PlusKey::Directive(directive)) if directive.is_empty() => {
                    let message = format!("the directive '{name}' names nothing to include");
                    let fault = Fault::new("empty-directive", message)
                        .at(node.source(), entry.key_span, "")
                        .help("write what is to be merged behind it: a path, `include` or an anchor");
                    self.fault(fault);
                    found.push((index, PlusKey::Plain));
                }
                Ok(plus) => found.push((index, plus)),
                Err(fault) => {
                    let fault = Fault::new("invalid-escape", fault.to_string())
                        .at(node.source(), entry.key_span, "")
                        .help("~0 stands for a tilde and ~1 for a slash");
                    self.fault(fault);
                    found.push((index, PlusKey::Plain));
                }
            }
        }
        self.walks.remember_plus_keys(node, found)
    }
}

/// A directive as the reference shows it.
fn merge_key(key: &str, directive: &Directive) -> String {
    let text = |text: &Option<String>| text.as_deref().map_or("None".to_owned(), python::quoted);
    let pointer: Vec<Value> = directive.pointer.iter().map(|segment| segment.as_str().into()).collect();
    let pointer = if pointer.is_empty() { "()".to_owned() } else { python::tuple(&pointer) };
    format!(
        "MergeKey(key={}, maybe={}, include={}, anchor={}, relative={}, pointer={pointer})",
        python::quoted(key),
        if directive.optional { "True" } else { "False" },
        text(&directive.include),
        text(&directive.anchor),
        directive.dots,
    )
}
