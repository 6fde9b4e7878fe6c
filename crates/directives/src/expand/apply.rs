//! Applies a directive: resolves its target, expands the target at the directive, and reports conflicts.

use hieratic_python_values as python;
use std::rc::Rc;

use hieratic_value::Value;
use hieratic_yaml_edit::tree::{Entry, Node};

use super::children::Outcome;
use super::walk::Resolution;
use super::{ActiveInclude, Applied, CachedExpansion, Expander, Record, ResolvedTarget, origin};
use crate::Directive;
use crate::codes;
use crate::error::{DirectiveError, DirectiveErrors};

/// The target of a directive, and its treatment.
pub(super) struct Target {
    pub(super) node: Node,
    /// The path in the main document; `None` for files and names.
    pub(super) path: Option<Vec<Value>>,
    /// Whether the target is already expanded.
    pub(super) done: bool,
}

/// The approximate memory of a recorded value of a directive, in bytes.
const RECORDED_VALUE_SIZE: usize = 256;

/// The steps for expanding a target once more, besides those of its parts: directives that double each other may do it
/// any number of times.
const TARGET_STEPS: u64 = 4;

impl Expander<'_> {
    /// Applies a directive. Returns the node to merge, if there is one.
    pub(super) fn directive(
        &mut self,
        container: &Node,
        (index, entry): (usize, &Entry),
        directive: &Directive,
        path: &mut Vec<Value>,
        slot: Option<usize>,
    ) -> Option<Node> {
        if !directive.ignored.is_empty() {
            let key = entry.key.to_text();
            let message =
                format!("'{}' in the directive '{key}' is not understood and has no effect", directive.ignored);
            let error = DirectiveError::new(codes::IGNORED_TEXT, message)
                .at(container.source(), entry.key_span, "")
                .help("a directive is +, ?, include, *anchor, dots and /segments, in this order; remove the rest");
            self.warn(error);
        }
        if directive.include.is_some()
            && (directive.anchor.is_some() || directive.dots > 0 || !directive.pointer.is_empty())
        {
            let key = entry.key.to_text();
            let message = format!("the text after 'include' in the directive '{key}' has no effect");
            let error = DirectiveError::new(codes::IGNORED_TEXT, message)
                .at(container.source(), entry.key_span, "")
                .help("to include part of a file, write `+include: FILE#/path`");
            self.warn(error);
        }
        let target = match self.resolve(container, (index, entry), directive, path) {
            Resolution::Found(target) => target,
            Resolution::Nothing(reason) => {
                self.fill(slot, ResolvedTarget::Nothing(reason));
                return None;
            }
            Resolution::Missing(error) => {
                self.misses_name |= directive.anchor.is_some();
                self.missed += 1;
                if directive.optional {
                    self.fill(slot, ResolvedTarget::Nothing("it does not exist".to_owned()));
                } else {
                    self.error(*error);
                }
                return None;
            }
            Resolution::Error(error) => {
                self.error(*error);
                return None;
            }
        };
        let written = target.node.clone();
        let raw = self.is_raw(directive, entry.node());
        match self.include(container, entry, target, raw, path) {
            Outcome::Node(node) => {
                if let Some(applied) = slot.and_then(|slot| self.applied.get_mut(slot)) {
                    let origin = origin(&self.sources, written.source(), written.span());
                    applied.found = ResolvedTarget::Target(node.clone(), origin);
                    applied.written = Some(written);
                }
                Some(node)
            }
            Outcome::Nothing => {
                self.fill(slot, ResolvedTarget::Nothing("it only has references that do not resolve".to_owned()));
                None
            }
        }
    }

    pub(super) fn record(&mut self, container: &Node, entry: &Entry, path: &[Value]) -> Option<usize> {
        let is_recorded = match self.options.record {
            _ if self.walks.is_materializing() || self.is_expanding_ahead => false,
            Record::Nothing => false,
            Record::Written => self.active.is_empty(),
            Record::All => true,
        };
        // A record is as large as the key and value of the directive, and its path is as long as the document is deep.
        let size = usize::try_from(entry.node().size()).unwrap_or(usize::MAX);
        let bytes =
            size.saturating_mul(RECORDED_VALUE_SIZE).saturating_add(size_of::<Applied>() + (path.len() + 2) * 64);
        if is_recorded && let Err(exhausted) = self.options.budget.bytes(bytes) {
            self.exhausted(exhausted, container);
            return None;
        }
        is_recorded.then(|| {
            self.applied.push(Applied {
                path: path.to_vec(),
                key: entry.key.to_text(),
                value: entry.node().to_value(),
                origin: origin(&self.sources, container.source(), entry.key_span),
                found: ResolvedTarget::Missing,
                keys: Vec::new(),
                written: None,
            });
            self.applied.len() - 1
        })
    }

    fn fill(&mut self, slot: Option<usize>, found: ResolvedTarget) {
        if let Some(applied) = slot.and_then(|slot| self.applied.get_mut(slot)) {
            applied.found = found;
        }
    }

    /// Expands the target of a directive in the place of the directive.
    fn include(
        &mut self,
        container: &Node,
        entry: &Entry,
        target: Target,
        raw: bool,
        path: &mut Vec<Value>,
    ) -> Outcome {
        let Target { node, path: own_path, done } = target;
        if raw || node.as_scalar().is_some() {
            return Outcome::Node(node);
        }
        if let Some(own_path) = &own_path
            && node.as_map().is_some()
            && path.starts_with(own_path)
        {
            self.recursive(container, entry, own_path, path, &node);
            return Outcome::Nothing;
        }
        if done || !node.has_plus_keys() {
            return Outcome::Node(node);
        }
        if let Some(known) = self.memo.get(&node.itself()).filter(|_| self.options.record != Record::All).cloned() {
            return self.replay(&known, &node);
        }
        if self.open.contains(&node.identity()) {
            self.recursive(container, entry, own_path.as_deref().unwrap_or_default(), path, &node);
            return Outcome::Nothing;
        }
        if let Err(exhausted) = self.options.budget.steps(TARGET_STEPS) {
            self.exhausted(exhausted, container);
            return Outcome::Nothing;
        }
        let key = entry.key.to_text();
        self.active.push(ActiveInclude {
            source: container.source(),
            span: entry.key_span,
            key,
            target: node.identity(),
        });
        let local = self.local;
        // The target's own errors are collected separately, including those that were reported before.
        let outer = std::mem::take(&mut self.errors);
        let missed_before = self.missed;
        let (mut outcome, mut missed) = self.expand_counting_misses(&node, path);
        if missed > 0
            && self.local != local
            && !self.is_stopped
            && self.errors.is_only_missing()
            && let Some(mut own_path) = own_path.filter(|own_path| own_path != path)
        {
            // The target may be valid in its own place, if not here.
            let here = std::mem::take(&mut self.errors);
            let (there, missed_there) = self.expand_counting_misses(&node, &mut own_path);
            if missed_there < missed {
                (outcome, missed) = (there, missed_there);
            } else if !self.is_stopped {
                self.errors = here;
            }
            // Misses of the discarded attempt do not count.
            self.missed = missed_before + missed;
            self.local += 1;
        }
        self.active.pop();
        let errors = std::mem::replace(&mut self.errors, outer);
        if self.is_stopped {
            self.errors = errors;
            return outcome;
        }
        self.report_again(&errors, &node);
        self.remember(&node, local, &outcome, missed, errors);
        outcome
    }

    /// Caches the expansion of a target, if it does not depend on its place.
    pub(super) fn remember(
        &mut self,
        node: &Node,
        local: u64,
        outcome: &Outcome,
        missed: u64,
        errors: DirectiveErrors,
    ) {
        if self.local == local && errors.is_only_missing() {
            let expanded = match outcome {
                Outcome::Node(expanded) => Some(expanded.clone()),
                Outcome::Nothing => None,
            };
            let known = CachedExpansion { expanded, missed, errors };
            self.memo.insert(node.itself(), Rc::new(known));
        }
    }

    /// Returns the cached expansion of a target, and reports its errors again.
    fn replay(&mut self, known: &CachedExpansion, node: &Node) -> Outcome {
        self.missed += known.missed;
        self.report_again(&known.errors, node);
        match &known.expanded {
            Some(expanded) => Outcome::Node(expanded.clone()),
            None => Outcome::Nothing,
        }
    }

    /// Adds the errors of a target to those of the place where it is put. A target may be reached along any number of paths, and a
    /// recursive error lists its path, so that this costs steps.
    fn report_again(&mut self, errors: &DirectiveErrors, node: &Node) {
        let steps = errors.iter().map(|error| 1 + error.labels.len() as u64).sum();
        if let Err(exhausted) = self.options.budget.steps(steps) {
            self.exhausted(exhausted, node);
        }
        errors.iter().for_each(|error| self.error(error.clone()));
    }

    /// Expands a target, and returns the number of unresolved references in it.
    pub(super) fn expand_counting_misses(&mut self, node: &Node, path: &mut Vec<Value>) -> (Outcome, u64) {
        let before = self.missed;
        let outcome = self.node(node, path);
        (outcome, self.missed - before)
    }

    /// Reports a target that contains the place of its directive.
    pub(super) fn recursive(&mut self, container: &Node, entry: &Entry, own: &[Value], path: &[Value], target: &Node) {
        // The message lists where it is, and how it was reached.
        if let Err(exhausted) = self.options.budget.steps((path.len() + self.active.len()) as u64) {
            return self.exhausted(exhausted, target);
        }
        let key = entry.key.to_text();
        let shown = if key.starts_with("+.") || key.starts_with("+?.") {
            python::list(own)
        } else if own.is_empty() {
            let place = self.sources.place(target);
            place.map_or(key.clone(), |(file, line, _)| format!("{file}:{line}"))
        } else {
            python::tuple(own)
        };
        let message = format!("recursive include \"{shown}\" in \"{}\" when including {key}", python::tuple(path));
        let mut error = DirectiveError::new(codes::RECURSIVE_INCLUDE, message);
        error = error.at(container.source(), entry.key_span, "this includes a part that contains it");
        let from = self.active.iter().position(|active| active.target == target.identity()).unwrap_or(0);
        for active in &self.active[from..] {
            error = error.at(active.source, active.span, format!("reached through {}", active.key));
        }
        let (inner, outer) = (entry.key_span, target.span());
        if container.source() != target.source() || inner.start < outer.start || inner.end > outer.end {
            error = error.at(target.source(), outer, "this is the part");
        }
        self.error(error.help("move the common part to a separate map, or write `raw` as the value of the directive"));
    }

    /// Reports a target that is not a map and therefore cannot be merged with other keys.
    pub(super) fn conflict(&mut self, container: &Node, entry: &Entry, directive: &Directive, target: &Node) {
        let shown = merge_key(&entry.key.to_text(), directive);
        let kind = crate::ruamel::type_name(target);
        let value = match target.as_str() {
            Some(text) => text.to_owned(),
            None => python::repr(&target.to_value()),
        };
        let message = format!("can not merge {shown} with non-map value of type <class '{kind}'>: {value}");
        let error = DirectiveError::new(codes::NOT_A_MAP, message)
            .at(container.source(), entry.key_span, "this is not a map, and the map has other keys")
            .at(target.source(), target.span(), "the value")
            .help(format!("put the directive under a separate key: `key: {{{}: }}`", entry.key.to_text()));
        self.error(error);
    }
}

/// A directive as the reference shows it.
fn merge_key(key: &str, directive: &Directive) -> String {
    let text = |text: &Option<String>| text.as_deref().map_or("None".to_owned(), python::quoted);
    let pointer: Vec<Value> = directive.pointer.iter().map(|segment| segment.as_str().into()).collect();
    format!(
        "MergeKey(key={}, maybe={}, include={}, anchor={}, relative={}, pointer={})",
        python::quoted(key),
        if directive.optional { "True" } else { "False" },
        text(&directive.include),
        text(&directive.anchor),
        directive.dots,
        python::tuple(&pointer),
    )
}
