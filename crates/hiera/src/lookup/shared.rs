//! Short ways to an answer, where nothing has to be told on the way.
//!
//! A value without interpolation is the same for every node whose hierarchy finds it. The first one found is handed out
//! as it lies. What a merge of several gives depends on the strategy and on those values alone: it is computed once,
//! and kept with the last of its sources, with which it goes when that is read anew.

use std::ops::ControlFlow;
use std::sync::Arc;

use hieratic_value::Value;
use smallvec::SmallVec;

use super::{Evaluator, Mode, Name, Request};
use crate::layers::{Layer, Rank};
use crate::merge::Strategy;
use crate::node::{Backend, Where};
use crate::source::{Data, Entry, MergedKey};
use crate::template::Template;

/// What a short way leads to.
pub(super) enum Short<'n> {
    /// The answer.
    Answer(Value),
    /// A value with interpolations, which is the first that was found; its source, and whether that is in the global
    /// layer.
    Template(&'n Template, &'n Data, bool),
    /// Parts of a merge that can be shared, once it is made.
    Merge(Parts<'n>),
    /// Nothing: the long way has to be gone.
    None,
}

/// The parts of a merge that can be shared.
pub(super) struct Parts<'n> {
    key: MergedKey,
    /// The sources of the values, the highest first.
    sources: SmallVec<[&'n Arc<Data>; 6]>,
}

impl<'n, M: Mode> Evaluator<'n, M> {
    /// Goes the short way: where there is an interpolation, a fault, or a back end other than files, there is none.
    pub(super) fn short_way(&self, request: Request<'_>, strategy: &Strategy) -> Short<'n> {
        let recurs = || self.stack.iter().any(|name| matches!(name, Name::Key(key) if key == request.key.text()));
        if self.global_only || recurs() {
            return Short::None;
        }
        if strategy.stops_at_first() {
            let mut found = Short::None;
            self.sources(request, &mut |place, data, entry, _| {
                match (entry.plain(), entry.template()) {
                    (Some(value), _) => found = Short::Answer(value.clone()),
                    (None, Some(template)) => {
                        found = Short::Template(template, data, place & 3 == Rank::Global as u64);
                    }
                    (None, None) => {}
                }
                ControlFlow::Break(())
            });
            return found;
        }
        let Some(plan) = strategy.shareable() else { return Short::None };
        let mut parts = Parts { key: MergedKey::new(plan), sources: SmallVec::new() };
        let mut last_index = 0;
        let complete = self.sources(request, &mut |place, data, entry, index| {
            if entry.plain().is_none() {
                return ControlFlow::Break(());
            }
            parts.key.push(Arc::as_ptr(data) as u64);
            parts.key.push(place);
            parts.sources.push(data);
            last_index = index;
            ControlFlow::Continue(())
        });
        match (complete, parts.sources.last().copied()) {
            (true, Some(last)) => {
                parts.key.push(last_index as u64);
                last.merged(&parts.key).map_or(Short::Merge(parts), Short::Answer)
            }
            _ => Short::None,
        }
    }

    /// Visits the files that have a key, in the order in which they are asked, with a number for the place of each, and the
    /// position of the key in it. Whether all of them were seen: not if the visitor stops, or something else than a sound file is met.
    fn sources(
        &self,
        request: Request<'_>,
        visit: &mut dyn FnMut(u64, &'n Arc<Data>, &'n Entry, usize) -> ControlFlow<()>,
    ) -> bool {
        Rank::ALL.into_iter().all(|rank| {
            let layer = match rank {
                Rank::Global => Layer::Global,
                Rank::Environment => Layer::Environment,
                Rank::Module => {
                    let index = request.module.and_then(|name| self.node.shared.layers().module_index(name));
                    let Some(index) = index else { return true };
                    Layer::Module(index)
                }
            };
            self.sources_of_layer(rank, layer, request, visit).is_some()
        })
    }

    fn sources_of_layer(
        &self,
        rank: Rank,
        layer: Layer,
        request: Request<'_>,
        visit: &mut dyn FnMut(u64, &'n Arc<Data>, &'n Entry, usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let node = self.node;
        let Some(provider) = node.provider(layer).ok()? else { return Some(()) };
        if provider.config.version == 3 {
            return None;
        }
        let levels = &node.levels(provider, self.budget).ok()?.hierarchy;
        // Steps are taken in one go where a value is found, and at the end: a lookup asks more levels than have a value.
        let mut taken = 0;
        for (index, level) in levels.iter().enumerate() {
            taken += level.locations.len() as u64;
            for (position, location) in level.locations.iter().enumerate() {
                match (&location.what, &level.backend) {
                    (Where::Path { exists: false, .. }, _) => continue,
                    (Where::Path { .. }, Backend::File(_)) if level.options.is_empty() => {}
                    _ => return None,
                }
                let Some(data) = node.data(provider, level, location).ok()? else { continue };
                let Some((entry, at)) = data.entry(request.key) else { continue };
                self.budget.steps(std::mem::take(&mut taken)).ok()?;
                // The layer, the level, the location and how many of each there are: they decide in which steps values
                // are merged. Each has room for 65,535.
                let numbers = [index, position, level.locations.len(), levels.len() * 4 + rank as usize];
                let mut place = 0;
                for number in numbers {
                    place = place << 16 | u64::from(u16::try_from(number).ok()?);
                }
                if visit(place, data, entry, at).is_break() {
                    return None;
                }
            }
        }
        self.budget.steps(taken).ok()
    }
}

impl Parts<'_> {
    /// Keeps the outcome of the merge.
    pub(super) fn keep(self, value: &Value) {
        if let Some((last, others)) = self.sources.split_last() {
            let others = others.iter().map(|data| (*data).clone()).collect();
            last.keep_merged(self.key, value.clone(), others);
        }
    }
}
