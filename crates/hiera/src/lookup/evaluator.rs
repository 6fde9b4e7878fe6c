//! [`Evaluator`]: one run of a lookup. Each step is explained, checked for cycles, and keeps track of secrets.

use hieratic_budget::Budget;
use hieratic_value::{Str, Value};
use smallvec::SmallVec;

use super::mode::Mode;
use super::request::LookupRequest;
use super::scope::LookupScope;
use crate::codes;
use crate::datum::{Datum, ValueContext};
use crate::explain::StepKind;
use crate::key::Key;
use crate::merge::knockout::Contributions;
use crate::node::{Node, SkippedLevel};
use crate::{Error, Warning};

/// The maximum nesting of lookups through interpolation; more is treated as a mistake.
pub(super) const DEEPEST: usize = 500;

/// One run of a lookup.
pub(super) struct Evaluator<'n, M: Mode> {
    pub(super) node: &'n Node,
    pub(super) mode: M,
    /// The rules of the run.
    pub(super) request: &'n LookupRequest<'n>,
    /// The rules for the current key.
    pub(super) scope: LookupScope,
    /// The keys and variables being resolved, outermost first. A repeated entry is a cycle.
    pub(super) stack: SmallVec<[StackEntry; 8]>,
    /// The record of the run so far.
    pub(super) record: RunRecord,
}

/// The record of a run.
#[derive(Debug, Default)]
pub(super) struct RunRecord {
    /// The number of lookups.
    pub(super) lookups: u32,
    /// The deepest nesting of the value that is being looked up.
    pub(super) deepest: usize,
    /// Whether a secret was read.
    pub(super) has_read_secret: bool,
    /// Whether the answer contains a decrypted part of a level whose secrets are Sensitive.
    pub(super) is_sensitive: bool,
    /// Whether options contain a secret.
    pub(super) has_hidden_options: bool,
    /// The levels that were not called for keys of the query.
    pub(super) skipped_levels: Vec<SkippedLevel>,
    /// The warnings of the expression being interpolated. They get their position when the string around it is
    /// complete.
    pub(super) warnings: Vec<Warning>,
}

/// A key to find, with its context.
#[derive(Clone, Copy)]
pub(super) struct KeyRequest<'k> {
    pub(super) key: &'k Key,
    /// The module to search.
    pub(super) module: Option<&'k str>,
    /// The key that messages name.
    pub(super) top: &'k str,
    /// The list for the values of the sources, if the merge has knockouts.
    pub(super) contributions: Option<&'k Contributions>,
}

impl<'k> KeyRequest<'k> {
    /// Creates the request for a key in a module, if any.
    pub(super) fn new(key: &'k Key, module: Option<&'k str>) -> KeyRequest<'k> {
        KeyRequest { key, module, top: key.text(), contributions: None }
    }
}

/// An entry of the stack. Lookups and variables with equal names do not block each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StackEntry {
    Key(Str),
    Variable(Str),
}

impl std::fmt::Display for StackEntry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StackEntry::Key(key) => out.write_str(key),
            StackEntry::Variable(name) => write!(out, "scope:{name}"),
        }
    }
}

impl<'n, M: Mode> Evaluator<'n, M> {
    /// Creates a run for a node.
    pub(super) fn new(node: &'n Node, mode: M, request: &'n LookupRequest<'n>) -> Evaluator<'n, M> {
        Evaluator {
            node,
            mode,
            request,
            scope: LookupScope { passed: request.passed.clone(), ..LookupScope::default() },
            stack: SmallVec::new(),
            record: RunRecord::default(),
        }
    }

    /// The budget that this lookup is charged to.
    pub(super) fn budget(&self) -> &'n Budget {
        self.request.budget
    }

    /// Returns whether the answer must not depend on secrets.
    pub(super) fn is_oblivious(&self) -> bool {
        self.request.secrets.is_oblivious
    }

    /// Runs a step in a separate scope.
    pub(super) fn within<T>(&mut self, scope: LookupScope, step: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let outcome = step(self);
        self.scope = outer;
        outcome
    }

    /// Runs a step, and returns whether it read a secret.
    pub(super) fn watch_secrets<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = std::mem::take(&mut self.record.has_read_secret);
        let outcome = step(self);
        let has_read_secret = self.record.has_read_secret;
        self.record.has_read_secret |= before;
        (outcome, has_read_secret)
    }

    /// Runs a step, and returns whether its answer contains a decrypted part of a level whose secrets are Sensitive.
    pub(super) fn watch_sensitive<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let outer = std::mem::take(&mut self.record.is_sensitive);
        let outcome = step(self);
        (outcome, std::mem::replace(&mut self.record.is_sensitive, outer))
    }

    /// Runs a step whose values the explanation does not show, if they will be Sensitive.
    pub(super) fn explained_without_values<T>(&mut self, hides: bool, step: impl FnOnce(&mut Self) -> T) -> T {
        if !hides {
            return step(self);
        }
        self.mode.hide();
        let outcome = step(self);
        self.mode.reveal_again();
        outcome
    }

    /// Runs a step on a value that is secret as a whole. If the answer must not depend on secrets, errors and
    /// explanation steps are suppressed.
    pub(super) fn in_secret(&mut self, step: impl FnOnce(&mut Self) -> Result<M::V, Error>) -> Result<M::V, Error> {
        if !self.is_oblivious() {
            return step(self);
        }
        self.record.has_read_secret = true;
        let explanation = self.mode.mute();
        let outcome = step(self);
        self.mode.unmute(explanation);
        match outcome {
            Err(error) if !error.is_limit() => {
                Ok(M::V::from_value(&"".into(), ValueContext { secret: true, ..Default::default() }))
            }
            Ok(found) => Ok(found.marked_secret()),
            limit => limit,
        }
    }

    /// Records the plain strings of a secret value.
    pub(super) fn record_secret(&mut self, value: &Value) {
        self.record.has_read_secret = true;
        self.node.secrets().add(value);
    }

    pub(super) fn into_mode(self) -> M {
        self.mode
    }

    /// Logs the warnings of an interpolated string, with the string's position.
    pub(super) fn log_warnings(&mut self, at: ValueContext<'_>) {
        for warning in self.record.warnings.drain(..) {
            self.node.warn(match at.place() {
                Some(place) => warning.met_at(place),
                None => warning,
            });
        }
    }

    /// Runs a step inside a node of the explanation.
    pub(super) fn explained<T>(
        &mut self,
        kind: impl FnOnce() -> StepKind,
        step: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let event_bytes = self.mode.enter(kind);
        let charge = if event_bytes > 0 { self.budget().bytes(event_bytes).map_err(Error::from) } else { Ok(()) };
        let outcome = charge.and_then(|()| step(self));
        self.mode.leave();
        outcome
    }

    /// Runs a step with a name on the stack; a repeated name is a cycle.
    pub(super) fn checked<T>(
        &mut self,
        name: StackEntry,
        step: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.stack.contains(&name) {
            let names: Vec<String> = self.stack.iter().map(ToString::to_string).collect();
            return Err(Error::lookup(
                codes::RECURSIVE_LOOKUP,
                format!("Recursive lookup detected in [{}]", names.join(", ")),
            )
            .help(format!("'{name}' refers to itself: break the cycle")));
        }
        if self.stack.len() >= DEEPEST {
            return Err(Error::fatal(codes::LOOKUP_DEPTH, format!("lookups are nested more than {DEEPEST} deep"))
                .help("values that refer to each other through lookup() form a long chain: shorten it"));
        }
        self.stack.push(name);
        self.record.deepest = self.record.deepest.max(self.stack.len());
        let outcome = step(self);
        self.stack.pop();
        outcome.map_err(Error::inside_lookup)
    }
}
