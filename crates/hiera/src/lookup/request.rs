//! [`LookupRequest`]: the rules of a run. It is created once from the query, so that an answer, its explanation and its
//! reasons follow the same rules.
//!
//! A new rule is a field here and in [`Query`]. If it changes the answers of keys that data refers to, it also prevents
//! the sharing of these answers: see `has_plain_rules` in `nested_answers.rs`.

use hieratic_budget::Budget;
use hieratic_value::{Hash, Str, Value};

use super::MergeArgument;
use crate::query::Query;

/// The rules of a run, from its first step to its last.
pub(crate) struct LookupRequest<'q> {
    /// The budget that the run is charged to.
    pub(super) budget: &'q Budget,
    /// The caller's merge strategy.
    pub(super) merge: MergeArgument<'q>,
    /// The values that were passed with the query.
    pub(super) passed: PassedValues,
    /// The treatment of secrets.
    pub(super) secrets: SecretPolicy,
    /// Every knockout is strict, even if the options of the data are not.
    pub(super) strict_knockout: bool,
    /// Skips `convert_to` for the key of the query.
    pub(super) skip_conversion: bool,
    /// The treatment of variables.
    pub(super) variables: VariableRules,
}

/// The treatment of secrets in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SecretPolicy {
    /// Lets the answer not depend on secrets ([`Query::conceal`]).
    pub(super) is_oblivious: bool,
    /// Whether explanations and errors may show secrets.
    pub(super) reveals: bool,
}

/// The treatment of variables in a run. That of a query is the default; a hierarchy has more.
#[derive(Clone, Debug, Default)]
pub(super) struct VariableRules {
    /// Whether an unknown variable is only a warning even if `strict` makes it an error.
    pub(super) are_lenient: bool,
    /// A variable that only exists in a hierarchy: the element of `mapped_paths`.
    pub(super) local: Option<(Str, Value)>,
}

/// The values that were passed with a query. They apply to keys, including those that data refers to, and to variables.
#[derive(Clone, Debug, Default)]
pub(super) struct PassedValues {
    /// They win over all data, and over variables of their names.
    pub(super) overrides: Hash,
    /// They answer if no data does, and for variables that are missing.
    pub(super) default_values: Hash,
}

impl PassedValues {
    /// Returns the values that were passed with a query.
    pub(super) fn from_query(query: &Query<'_>) -> PassedValues {
        PassedValues { overrides: query.overrides.clone(), default_values: query.default_values.clone() }
    }
}

impl<'q> LookupRequest<'q> {
    /// Creates the request of a query.
    pub(crate) fn from_query(query: &'q Query<'_>) -> LookupRequest<'q> {
        LookupRequest {
            budget: &query.budget,
            merge: query.merge_argument(),
            passed: PassedValues::from_query(query),
            secrets: SecretPolicy { is_oblivious: query.conceal, reveals: false },
            strict_knockout: query.strict_knockout,
            skip_conversion: false,
            variables: VariableRules::default(),
        }
    }

    /// Creates the request for the strings of a hierarchy.
    pub(super) fn for_hierarchy(budget: &'q Budget, variables: VariableRules) -> LookupRequest<'q> {
        LookupRequest {
            budget,
            merge: None,
            passed: PassedValues::default(),
            secrets: SecretPolicy::default(),
            strict_knockout: false,
            skip_conversion: false,
            variables,
        }
    }

    /// Returns the request of an explanation, which may show secrets.
    pub(super) fn revealing(self, reveals: bool) -> LookupRequest<'q> {
        LookupRequest { secrets: SecretPolicy { reveals, ..self.secrets }, ..self }
    }

    /// Returns the request for the value before the conversion that the options of its key want.
    pub(crate) fn before_conversion(self) -> LookupRequest<'q> {
        LookupRequest { skip_conversion: true, ..self }
    }
}
