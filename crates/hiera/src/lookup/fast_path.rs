//! Fast paths for lookups that need no explanation.
//!
//! A value without interpolation is the same for every node whose hierarchy finds it. The first one found is returned
//! without a copy. A merge of several depends only on the strategy and on those values: it is computed once. The merged
//! value is cached in its last source and is dropped when that source is reloaded. The values of [files that many nodes
//! read](crate::shared_index::SharedIndex) are found in one step.

use std::ops::ControlFlow;
use std::sync::Arc;

use hieratic_value::Value;
use smallvec::SmallVec;

use super::evaluator::{Evaluator, KeyRequest, StackEntry};
use super::mode::Mode;
use crate::datum::ValueContext;
use crate::layers::{Layer, Rank};
use crate::merge::Strategy;
use crate::node::{Hit, KeyHits, Sources};
use crate::shared_index::IndexEntry;
use crate::source::{Data, MergedKey};
use crate::template::Template;

/// The result of a fast path.
pub(super) enum FastPath<'n> {
    /// The answer.
    Answer(Value),
    /// The first value that was found.
    First(FirstValue<'n>),
    /// The parts of a merge that is shared once it is computed.
    Merge(SharedMerge<'n>),
    /// There is no fast path.
    None,
}

/// The first value of a key.
pub(super) struct FirstValue<'n> {
    pub(super) template: &'n Template,
    pub(super) data: &'n Data,
    /// The position of the key in its source.
    at: usize,
    /// Whether the source is in the global layer.
    pub(super) is_global: bool,
}

impl<'n> FirstValue<'n> {
    /// Returns the position of the value.
    pub(super) fn place(&self) -> ValueContext<'n> {
        ValueContext {
            data: Some(self.data),
            positions: self.data.positions_at(self.at),
            secret: self.data.is_secret(),
        }
    }
}

/// The parts of a merge that can be shared.
pub(super) struct SharedMerge<'n> {
    key: MergedKey,
    /// The fingerprint of the strategy.
    strategy: u64,
    /// The sources of the values, the highest first.
    sources: SmallVec<[&'n Arc<Data>; 6]>,
    /// The entry in the index of shared files, if only these have the key.
    entry: Option<&'n IndexEntry>,
}

/// The fingerprint for taking the first value, where strategies have theirs.
const FIRST: u64 = u64::MAX;

impl<'n, M: Mode> Evaluator<'n, M> {
    /// Tries the fast path. It does not handle interpolations, errors, or backends other than files.
    pub(super) fn try_fast_path(&self, request: KeyRequest<'_>, strategy: &Strategy) -> FastPath<'n> {
        let recurs = || self.stack.iter().any(|name| matches!(name, StackEntry::Key(key) if key == request.key.text()));
        // A cached merge has lost its origins, and secrets are redacted on the regular path.
        self.node.record_lookup(request.key);
        let is_long = M::TRACES && (self.is_oblivious() || self.scope.key_is_secret || !strategy.stops_at_first());
        if is_long || self.mode.explains() || self.scope.is_global() || recurs() {
            return FastPath::None;
        }
        let found = if strategy.stops_at_first() {
            self.first(request).map(FastPath::First)
        } else {
            strategy.fingerprint().and_then(|plan| self.all(request, plan))
        };
        found.unwrap_or(FastPath::None)
    }

    /// Returns the first value of a key. `None` requires the regular path, which also reports errors and limits.
    fn first(&self, request: KeyRequest<'_>) -> Option<FirstValue<'n>> {
        for rank in Rank::ALL {
            let Some(sources) = self.sources(rank, request)? else { continue };
            let is_global = rank == Rank::Global;
            let found = sources.find(&self.node.shared, request.key);
            let shared_entry = found.only_shared();
            if let (Some(template), Some((file, at))) =
                (shared_entry.and_then(|shared_entry| shared_entry.cached(FIRST)), found.first_shared())
            {
                self.budget().steps(file.searched).ok()?;
                return Some(FirstValue { template, data: &file.data, at, is_global });
            }
            let mut first = None;
            let _ = found.visit(request.key, &mut |hit| {
                first = Some(hit);
                ControlFlow::Break(())
            });
            if let Some(Hit { data, entry, at, recorded_keys: locations, .. }) = first {
                self.budget().steps(locations).ok()?;
                let template = entry.template()?;
                if let Some(shared_entry) = shared_entry {
                    shared_entry.keep(FIRST, template);
                }
                return Some(FirstValue { template, data, at, is_global });
            }
            if !sources.is_complete {
                return None;
            }
            self.budget().steps(sources.locations()).ok()?;
        }
        None
    }

    /// All values of a key merged, or the parts.
    fn all(&self, request: KeyRequest<'_>, plan: u64) -> Option<FastPath<'n>> {
        let mut found: SmallVec<[KeyHits<'n>; 2]> = SmallVec::new();
        for rank in Rank::ALL {
            let Some(sources) = self.sources(rank, request)? else { continue };
            if !sources.is_complete {
                return None;
            }
            self.budget().steps(sources.locations()).ok()?;
            found.push(sources.find(&self.node.shared, request.key));
        }
        found.retain(|one| !one.is_none());
        // A value that only the shared files of one layer define is cached in their index.
        let shared_entry = match found.as_slice() {
            [only] => only.only_shared(),
            _ => None,
        };
        if let Some(Template::Plain(value)) = shared_entry.and_then(|shared_entry| shared_entry.cached(plan)) {
            return Some(FastPath::Answer(value.clone()));
        }
        let mut parts =
            SharedMerge { key: MergedKey::new(plan), strategy: plan, sources: SmallVec::new(), entry: shared_entry };
        let mut last_index = 0;
        for one in found {
            let seen = one.visit(request.key, &mut |Hit { data, entry, at, place, .. }| {
                if entry.plain().is_none() {
                    return ControlFlow::Break(());
                }
                parts.key.push(Arc::as_ptr(data) as u64);
                parts.key.push(place);
                parts.sources.push(data);
                last_index = at;
                ControlFlow::Continue(())
            });
            if seen.is_break() {
                return None;
            }
        }
        let last = parts.sources.last().copied()?;
        parts.key.push(last_index as u64);
        let Some(value) = last.merged(&parts.key) else { return Some(FastPath::Merge(parts)) };
        if let Some(shared_entry) = shared_entry {
            shared_entry.keep(plan, &Template::Plain(value.clone()));
        }
        Some(FastPath::Answer(value))
    }

    /// Returns the files of a layer that a key belongs to, or `Some(None)` if the layer does not exist. `None` requires
    /// the regular path.
    fn sources(&self, rank: Rank, request: KeyRequest<'_>) -> Option<Option<&'n Sources>> {
        let node = self.node;
        let layer = match rank {
            Rank::Global => Layer::Global,
            Rank::Environment => Layer::Environment,
            Rank::Module => match request.module.and_then(|name| node.shared.layers().module_index(name)) {
                Some(index) => Layer::Module(index),
                None => return Some(None),
            },
        };
        // On an error, the regular path reports it.
        let Some(provider) = node.provider(layer).ok()? else { return Some(None) };
        if provider.config.version == 3 {
            return None;
        }
        let levels = node.levels(provider, self.budget()).ok()?;
        Some(Some(node.sources_of(provider, levels, rank)))
    }
}

impl SharedMerge<'_> {
    /// Keeps the outcome of the merge.
    pub(super) fn keep(self, value: &Value) {
        if let Some(shared_entry) = self.entry {
            shared_entry.keep(self.strategy, &Template::Plain(value.clone()));
        }
        if let Some((last, others)) = self.sources.split_last() {
            let others = others.iter().map(|data| (*data).clone()).collect();
            last.cache_merged(self.key, value.clone(), others);
        }
    }
}
