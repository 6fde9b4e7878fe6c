//! [`NestedAnswers`]: a memo table for the answers of keys in long chains of `lookup()`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_value::Str;
use hieratic_value::collections::HashMap;

use super::evaluator::{DEEPEST, Evaluator};
use super::mode::Mode;
use super::{MOST_LOOKUPS, STEPS_PER_LOOKUP};
use crate::Error;
use crate::datum::{Datum, KeptDatum};
use crate::template::KeyReference;

/// The depth below which answers are not cached: most values mention a few keys.
const SHALLOW: usize = 8;

/// The maximum number of answers that a node keeps.
const MOST_KEPT: usize = 10_000;

/// The answers of keys that values of a node mention.
#[derive(Debug, Default)]
pub(crate) struct NestedAnswers {
    /// Whether there are any. Most nodes have none.
    is_used: AtomicBool,
    /// The answers of each kind of run.
    answers: [Mutex<HashMap<Str, NestedAnswer>>; KINDS],
}

/// The kinds of runs: with objects or without, and those that must not depend on secrets.
const KINDS: usize = 4;

/// The answer of a key, and its cost.
#[derive(Clone, Debug)]
struct NestedAnswer {
    value: Option<KeptDatum>,
    /// The nesting below the key. An answer at the limit depends on where the key is mentioned.
    depth: usize,
    lookups: u32,
}

impl NestedAnswers {
    fn answers(&self, kind: usize) -> Option<MutexGuard<'_, HashMap<Str, NestedAnswer>>> {
        Some(self.answers.get(kind)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn get(&self, key: &str, kind: usize) -> Option<NestedAnswer> {
        if !self.is_used.load(Ordering::Relaxed) {
            return None;
        }
        self.answers(kind)?.get(key).cloned()
    }

    fn keep(&self, key: &Str, answer: NestedAnswer, kind: usize) {
        let Some(mut answers) = self.answers(kind) else { return };
        if answers.len() >= MOST_KEPT {
            answers.clear();
        }
        answers.insert(key.clone(), answer);
        self.is_used.store(true, Ordering::Relaxed);
    }
}

impl<M: Mode> Evaluator<'_, M> {
    /// Looks up a key that a value mentions. In a long chain, the answer is kept: without it, looking up all keys of the
    /// chain would walk the rest of it from each.
    pub(super) fn lookup_mentioned(&mut self, key: &KeyReference) -> Result<Option<M::V>, Error> {
        if !self.has_plain_rules() {
            return self.lookup_named(key);
        }
        if let Some(known) = self.node.nested.get(&key.text, self.kind())
            && self.stack.len() + known.depth < DEEPEST
            && self.record.lookups.saturating_add(known.lookups) <= MOST_LOOKUPS
        {
            self.budget().steps(STEPS_PER_LOOKUP.saturating_mul(u64::from(known.lookups)))?;
            self.record.lookups += known.lookups;
            self.record.deepest = self.record.deepest.max(self.stack.len() + known.depth);
            return Ok(known.value.as_ref().map(M::V::from_kept));
        }
        let (lookups, notes) = (self.record.lookups, self.notes());
        let outer = std::mem::replace(&mut self.record.deepest, self.stack.len());
        let found = self.lookup_named(key);
        let depth = self.record.deepest - self.stack.len();
        self.record.deepest = self.record.deepest.max(outer);
        // A note belongs to each answer that it is about.
        if depth > SHALLOW
            && let Ok(found) = &found
            && !found.as_ref().is_some_and(Datum::has_hidden)
            && self.has_plain_rules()
            && notes == self.notes()
            && let Some(value) = found.as_ref().map_or(Some(None), |found| found.kept().map(Some))
        {
            let answer = NestedAnswer { value, depth, lookups: self.record.lookups - lookups };
            self.node.nested.keep(&key.text, answer, self.kind());
        }
        found
    }

    /// The number of the kind of this run.
    fn kind(&self) -> usize {
        2 * usize::from(M::TRACES) + usize::from(self.is_oblivious())
    }

    /// Returns whether the answer of a key depends on nothing but the node, and no secret was read.
    fn has_plain_rules(&self) -> bool {
        let (request, scope, record) = (self.request, &self.scope, &self.record);
        let is_special = self.mode.explains()
            || request.strict_knockout
            || request.variables.local.is_some()
            || request.variables.are_lenient
            || self.stack.is_empty()
            || scope.is_global()
            || scope.in_global_options
            || scope.key_is_secret
            || !scope.passed.overrides.is_empty()
            || !scope.passed.default_values.is_empty();
        !is_special && !record.has_read_secret && !record.is_sensitive
    }

    /// The numbers of warnings, levels that were not called and lost knockouts.
    pub(super) fn notes(&self) -> (usize, usize, (usize, usize)) {
        (self.record.warnings.len(), self.record.skipped_levels.len(), self.node.note_counts())
    }
}
