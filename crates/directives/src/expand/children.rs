//! Expands maps and lists.

use hieratic_diagnostics::nearest;
use hieratic_python_values as python;
use hieratic_value::Value;
use hieratic_yaml_edit::tree::{Content, Entry, Item, Map, Node};

use super::paths;
use super::walk::PlusKeys;
use super::{Effect, Expander};
use crate::PlusKey;
use crate::codes;
use crate::error::DirectiveError;
use crate::merge::{STRATEGY, Strategy, merge_counted, strategy_named, strategy_names, strategy_of};

/// The result of expanding a node.
pub(super) enum Outcome {
    /// The expanded node.
    Node(Node),
    /// Nothing, because the node consisted of optional references that are unresolved.
    Nothing,
}

impl Expander<'_> {
    /// Expands a node at a path of the main document.
    pub(super) fn node(&mut self, node: &Node, path: &mut Vec<Value>) -> Outcome {
        if !node.has_plus_keys() {
            return Outcome::Node(node.clone());
        }
        // Both how deep the document nests, and how far inclusions lead to further ones.
        if let Err(exhausted) = self.options.budget.depth(path.len().max(self.active.len())) {
            self.is_too_deep = !self.is_stopped && path.len() < self.active.len();
            self.exhausted(exhausted, node);
        }
        if !self.charge_step() {
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
        for (index, item) in items.iter().enumerate() {
            let map = item.node().as_map();
            if map.and_then(strategy_of) == Some(Strategy::Whiteout) {
                continue;
            }
            path.push(paths::index(index));
            let outcome = self.node(item.node(), path);
            path.pop();
            match outcome {
                Outcome::Node(new) if new.is(item.node()) => expanded.push(item.clone()),
                // The items of a list that replaces a directive are inserted one by one.
                Outcome::Node(new) => match new.as_list().filter(|_| map.is_some()) {
                    Some(items) => {
                        if !self.may_build(items.len(), item.node()) || !self.check_size(&new) {
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
                    // The value of a plain key that begins with a plus is not expanded, nor is a strategy.
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
                    // A missing file counts as an empty map; any other missing target is nothing.
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

    /// Records the effects of the keys that directives brought in.
    fn note_effects(&mut self, slots: &[Option<usize>], targets: &[Node], own: &[Entry]) {
        let own = Map::new(own.to_vec());
        for (at, (slot, target)) in slots.iter().zip(targets).enumerate() {
            let (Some(slot), Some(map)) = (slot, target.as_map()) else { continue };
            let over = |key: &Value| {
                let own = own.entry(key).map(Entry::node);
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
        let replacing_target = targets.len() == 0 && own_is_empty;
        if replacing_target && result.as_map().is_some_and(|map| map.get(STRATEGY).is_none()) {
            return result;
        }
        // Merging visits both sides, including a shared part once for each of its uses.
        if !self.check_size(&result) {
            return node.with_content(Content::Map(Map::default()));
        }
        for layer in targets.chain([own]) {
            if !self.check_size(&layer) {
                return node.with_content(Content::Map(Map::default()));
            }
            let mut built = 0;
            let merged = merge_counted(&result, &layer, &mut built);
            if !self.may_build(built, node) {
                return node.with_content(Content::Map(Map::default()));
            }
            match merged {
                Ok(merged) => result = merged,
                Err(forbidden) => {
                    let span = layer.as_map().and_then(|map| map.get(&forbidden.key)).map(Item::span);
                    let error = DirectiveError::new(codes::MERGE_FORBIDDEN, forbidden.to_string())
                        .at(layer.source(), span.unwrap_or(layer.span()), "this map was to be merged")
                        .help("remove `+%: error`, or set `+%` of this map to `replace`, `whiteout` or `merge`");
                    self.error(error);
                }
            }
            if !self.check_size(&result) {
                return node.with_content(Content::Map(Map::default()));
            }
        }
        result
    }

    /// The keys of a map that begin with `+`, with their positions.
    pub(super) fn plus_keys(&mut self, node: &Node, map: &Map) -> PlusKeys {
        if let Some(known) = self.walks.plus_keys(node) {
            return known;
        }
        let mut found = Vec::new();
        for (index, entry) in map.entries().iter().enumerate() {
            let Some(name) = entry.name().filter(|name| name.starts_with('+')) else { continue };
            let mut plus = match PlusKey::parse(name) {
                Ok(plus) => plus,
                Err(error) => {
                    let error = DirectiveError::new(codes::INVALID_ESCAPE, error.to_string())
                        .at(node.source(), entry.key_span, "")
                        .help("write ~0 for a tilde and ~1 for a slash");
                    self.error(error);
                    PlusKey::Plain
                }
            };
            match &plus {
                PlusKey::Strategy => self.check_strategy(entry),
                PlusKey::Plain => {
                    self.check_spelling(node, entry, name);
                }
                PlusKey::Directive(directive) if directive.is_empty() => {
                    if !self.check_spelling(node, entry, name) {
                        let message = format!("the directive '{name}' has no target");
                        let error = DirectiveError::new(codes::EMPTY_DIRECTIVE, message)
                            .at(node.source(), entry.key_span, "")
                            .help("add a target: a path, `include` or an anchor");
                        self.error(error);
                    }
                    plus = PlusKey::Plain;
                }
                PlusKey::Directive(_) | PlusKey::Anchor => {}
            }
            found.push((index, plus));
        }
        self.walks.remember_plus_keys(node, found)
    }

    /// Reports an unknown merge strategy. One that resembles a known strategy is an error, because it would silently
    /// replace the map.
    fn check_strategy(&mut self, entry: &Entry) {
        let node = entry.node();
        if strategy_named(node) != Some(Strategy::Unknown) {
            return;
        }
        let shown = node.as_str().map_or_else(|| python::repr(&node.to_value()), str::to_owned);
        let error =
            |message: String| DirectiveError::new(codes::UNKNOWN_STRATEGY, message).at(node.source(), node.span(), "");
        match nearest(&shown, strategy_names()) {
            Some(near) => self.error(
                error(format!("the merge strategy '{shown}' is not known")).help(format!("did you mean '{near}'?")),
            ),
            None => self.warn(
                error(format!("the merge strategy '{shown}' is not known: the map replaces the one below it"))
                    .help(format!("the strategies are {}", strategy_names().join(", "))),
            ),
        }
    }

    /// Reports a key that resembles `+include` and would be data. Returns whether it does.
    fn check_spelling(&mut self, node: &Node, entry: &Entry, name: &str) -> bool {
        let Some(suggestion) = suggested_include(name).filter(|_| names_file(entry.node())) else { return false };
        let error = DirectiveError::new(codes::MISSPELLED_DIRECTIVE, format!("the key '{name}' is not a directive"))
            .at(node.source(), entry.key_span, "")
            .help(format!("did you mean '{suggestion}'?"));
        self.error(error);
        true
    }
}

/// Returns the include that a misspelled key probably stands for: `+inlcude-tls`.
fn suggested_include(name: &str) -> Option<String> {
    let rest = name.strip_prefix('+')?;
    let (optional, rest) = rest.strip_prefix('?').map_or(("", rest), |rest| ("?", rest));
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (word, suffix) = rest.split_at(end);
    let is_suffix = suffix.is_empty() || suffix.starts_with(['-', '_']);
    // Another word, not a slip.
    let is_slip = is_suffix && word != "exclude" && nearest(word, ["include"]).is_some();
    is_slip.then(|| format!("+{optional}include{suffix}"))
}

/// Returns whether a value can be that of an include.
fn names_file(value: &Node) -> bool {
    value.as_str().is_some() || value.as_map().is_some_and(|map| map.get("file").is_some())
}
