//! [`Evaluator`]: one run of a lookup, and what each of its steps needs: to be explained, to be no cycle, to keep secrets.

use hieratic_budget::Budget;
use hieratic_value::{Hash, Str, Value};
use smallvec::SmallVec;

use super::mode::Mode;
use crate::codes;
use crate::datum::{Datum, ValueContext};
use crate::explain::StepKind;
use crate::key::Key;
use crate::merge::knockout::Contribution;
use crate::node::{Node, SkippedLevel};
use crate::{Error, Warning};

/// The maximum nesting of lookups through interpolation; more is treated as a mistake.
pub(super) const DEEPEST: usize = 500;

/// One run of a lookup.
pub(super) struct Evaluator<'n, M: Mode> {
    pub(super) node: &'n Node,
    pub(super) mode: M,
    /// The keys and variables being resolved, outermost first. A repeated entry is a cycle.
    pub(super) stack: SmallVec<[StackEntry; 8]>,
    /// A variable that only exists in a hierarchy: the element of `mapped_paths`.
    pub(super) local: Option<(Str, Value)>,
    /// Whether nested lookups only search the global layer, as those in data of Hiera 3 do.
    pub(super) global_only: bool,
    /// Whether the options of the global layer are being looked up.
    pub(super) in_global_options: bool,
    /// The values of the sources for a merge with knockouts, in the order of priority.
    pub(super) contributions: Option<Vec<Contribution>>,
    /// Whether every knockout is strict, whatever the options of the data are.
    pub(super) strict_knockout: bool,
    /// Whether an unknown variable is only a warning even if `strict` makes it an error.
    pub(super) lenient_variables: bool,
    /// The number of lookups so far.
    pub(super) lookups: u32,
    /// Whether a secret was read.
    pub(super) met_secret: bool,
    /// Whether the answer must not depend on secrets.
    pub(super) oblivious: bool,
    /// Whether the current key will be converted to Sensitive, so that its values are secret already.
    pub(super) key_is_secret: bool,
    /// The budget that this lookup is charged to.
    pub(super) budget: &'n Budget,
    /// Whether `convert_to` is skipped for the top-level key.
    pub(super) skip_conversion: bool,
    /// The values that were passed with the query.
    pub(super) given: PassedValues,
    /// Whether the answer contains a decrypted part of a level whose secrets are Sensitive.
    pub(super) sensitive: bool,
    /// The levels that were not called for keys of the query.
    pub(super) not_asked: Vec<SkippedLevel>,
    /// The warnings of the expression being interpolated. They get their position when the string around it is
    /// complete.
    pub(super) warnings: Vec<Warning>,
}

/// The values that were passed with a query. They apply to keys, including those that data refers to, and to variables.
#[derive(Clone, Debug, Default)]
pub(super) struct PassedValues {
    /// They win over all data, and over variables of their names.
    pub(super) overrides: Hash,
    /// They answer if no data does, and for variables that are missing.
    pub(super) default_values: Hash,
}

/// A key that is being looked up, with its context.
#[derive(Clone, Copy)]
pub(super) struct LookupRequest<'k> {
    pub(super) key: &'k Key,
    /// The module to search.
    pub(super) module: Option<&'k str>,
    /// The key that messages name.
    pub(super) top: &'k str,
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
    pub(super) fn new(node: &'n Node, mode: M, strict_knockout: bool, budget: &'n Budget) -> Evaluator<'n, M> {
        Evaluator {
            node,
            mode,
            stack: SmallVec::new(),
            local: None,
            global_only: false,
            in_global_options: false,
            contributions: None,
            strict_knockout,
            lenient_variables: false,
            lookups: 0,
            met_secret: false,
            oblivious: false,
            key_is_secret: false,
            budget,
            skip_conversion: false,
            given: PassedValues::default(),
            sensitive: false,
            not_asked: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds the values that were passed with a query.
    pub(super) fn with_values(mut self, overrides: &Hash, default_values: &Hash) -> Self {
        self.given = PassedValues { overrides: overrides.clone(), default_values: default_values.clone() };
        self
    }

    /// Runs a step with other values than those of the query.
    pub(super) fn given<T>(&mut self, given: PassedValues, step: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.given, given);
        let outcome = step(self);
        self.given = outside;
        outcome
    }

    /// Sets whether the answer must not depend on secrets.
    pub(super) fn with_oblivious(mut self, conceal: bool) -> Self {
        self.oblivious = conceal;
        self
    }

    /// The budget that this lookup is charged to.
    pub(super) fn budget(&self) -> &'n Budget {
        self.budget
    }

    /// Runs a step on a value that is secret as a whole. If the answer must not depend on secrets, errors and
    /// explanation steps are suppressed.
    pub(super) fn in_secret(&mut self, step: impl FnOnce(&mut Self) -> Result<M::V, Error>) -> Result<M::V, Error> {
        if !self.oblivious {
            return step(self);
        }
        self.met_secret = true;
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
        self.met_secret = true;
        self.node.secrets().add(value);
    }

    /// Returns whether a secret was read for the answers so far.
    pub(super) fn has_read_secret(&self) -> bool {
        self.met_secret
    }

    pub(super) fn into_mode(self) -> M {
        self.mode
    }

    /// Logs the warnings of an interpolated string, with the string's position.
    pub(super) fn log_warnings(&mut self, at: ValueContext<'_>) {
        for warning in self.warnings.drain(..) {
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
        let told = self.mode.enter(kind);
        let may_be_told = if told > 0 { self.budget.bytes(told).map_err(Error::from) } else { Ok(()) };
        let outcome = may_be_told.and_then(|()| step(self));
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
        let outcome = step(self);
        self.stack.pop();
        outcome.map_err(Error::inside_lookup)
    }
}
