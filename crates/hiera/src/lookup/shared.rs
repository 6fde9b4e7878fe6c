//! Merges that nodes share.
//!
//! What a merge gives depends on the strategy and on the values that went into it. Where those values have no
//! interpolation, the outcome is the same for every node whose hierarchy finds the same ones, so it is kept with the
//! data and computed once. It lies with the last of the sources, and goes when that is read anew.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Evaluator, Mode, Name, Request};
use crate::layers::{Layer, Rank};
use crate::merge::Strategy;
use crate::node::{Backend, Where};
use crate::source::{Data, MergedKey};

/// The parts of a merge that can be shared.
pub(super) struct Parts<'n> {
    key: MergedKey,
    /// The sources of the values, the highest first.
    sources: SmallVec<[&'n Arc<Data>; 6]>,
}

impl<'n, M: Mode> Evaluator<'n, M> {
    /// The parts of a merge, if all of it can be shared: no interpolation, no fault, no back end but files.
    pub(super) fn shareable(&self, request: Request<'_>, strategy: &Strategy) -> Option<Parts<'n>> {
        let plan = strategy.shareable()?;
        if self.global_only || self.stack.contains(&Name::Key(request.key.text().clone())) {
            return None;
        }
        let mut parts = Parts { key: MergedKey::new(plan), sources: SmallVec::new() };
        for rank in Rank::ALL {
            let layer = match rank {
                Rank::Global => Layer::Global,
                Rank::Environment => Layer::Environment,
                Rank::Module => match request.module {
                    Some(name) => match self.node.shared.layers().module_index(name) {
                        Some(index) => Layer::Module(index),
                        None => continue,
                    },
                    None => continue,
                },
            };
            self.collect(rank, layer, request, &mut parts)?;
        }
        (!parts.sources.is_empty()).then_some(parts)
    }

    fn collect(&self, rank: Rank, layer: Layer, request: Request<'_>, parts: &mut Parts<'n>) -> Option<()> {
        let node = self.node;
        let Some(provider) = node.provider(layer).ok()? else { return Some(()) };
        if provider.config.version == 3 {
            return None;
        }
        let levels = &node.levels(provider).ok()?.hierarchy;
        for (index, level) in levels.iter().enumerate() {
            for (position, location) in level.locations.iter().enumerate() {
                match (&location.what, &level.backend) {
                    (Where::Path { exists: false, .. }, _) => continue,
                    (Where::Path { .. }, Backend::File(_)) if level.options.is_empty() => {}
                    _ => return None,
                }
                let Some(data) = node.data(provider, level, location).ok()? else { continue };
                let Some((entry, _)) = data.get(request.key.root()) else { continue };
                if !entry.is_plain() {
                    return None;
                }
                // The layer, the level, the location and how many of each there are: they decide in which steps values
                // are merged. Each has room for 65,535.
                let numbers = [index, position, level.locations.len(), levels.len() * 4 + rank as usize];
                let mut place = 0;
                for number in numbers {
                    place = place << 16 | u64::from(u16::try_from(number).ok()?);
                }
                parts.key.push(Arc::as_ptr(data) as u64);
                parts.key.push(place);
                parts.sources.push(data);
            }
        }
        Some(())
    }
}

impl Parts<'_> {
    /// The outcome, if it is known.
    pub(super) fn known(&mut self, root: &str) -> Option<hieratic_value::Value> {
        let last = self.sources.last()?;
        self.key.push(last.index_of(root)? as u64);
        last.merged(&self.key)
    }

    /// Keeps an outcome.
    pub(super) fn keep(self, value: &hieratic_value::Value) {
        if let Some((last, others)) = self.sources.split_last() {
            let others = others.iter().map(|data| (*data).clone()).collect();
            last.keep_merged(self.key, value.clone(), others);
        }
    }
}
