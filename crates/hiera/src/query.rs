//! [`Query`]: the arguments of the function `lookup`.

use hieratic_budget::Budget;
use hieratic_puppet_types::Type;
use hieratic_value::{Hash, Value};

use crate::merge::Strategy;
use crate::object::Object;
use crate::{Error, SkippedLevels};

/// A lookup request: the keys and the other arguments of the function `lookup`. The first key that has a value answers.
///
/// See <https://www.puppet.com/docs/puppet/8/function.html#lookup>.
///
/// ```
/// use hieratic_hiera::{Query, Strategy};
///
/// let query = Query {
///     names: vec!["ntp::servers", "servers"],
///     merge: Some(Strategy::parse(&"unique".into())?),
///     ..Query::default()
/// };
/// assert_eq!(query.names.len(), 2);
/// # Ok::<(), hieratic_hiera::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query<'q> {
    /// The keys, in the order in which they are tried.
    pub names: Vec<&'q str>,
    /// The merge strategy. `None` leaves the choice to the `lookup_options` of the data.
    pub merge: Option<Strategy>,
    /// The error of an invalid strategy. It is reported when a level is searched: `overrides` and reserved keys need no
    /// strategy.
    pub merge_fault: Option<Error>,
    /// The expected type of the value.
    pub value_type: Option<Type>,
    /// The answer if no key has a value.
    pub default: Option<Value>,
    /// Values by key. They override all data.
    pub overrides: Hash,
    /// Default values by key.
    pub default_values: Hash,
    /// Whether each knockout removes its element from all lower levels, not only from the next one, as the option
    /// `strict_knockout` does.
    pub strict_knockout: bool,
    /// Whether the answer must not depend on secrets, for untrusted clients: the type of a secret is not reported, and
    /// the result of a merge or conversion that read a secret is redacted as a whole.
    pub conceal: bool,
    /// The budget that the lookup is charged to.
    pub budget: Budget,
    /// A log for the levels that were skipped although they may define a key.
    pub skipped_levels: Option<SkippedLevels>,
}

/// An answer, with the origins of its parts.
#[derive(Debug)]
pub struct Answer {
    /// The key that was found, or `None` if a default answers.
    pub key: Option<String>,
    /// The value.
    pub value: Object,
}

impl<'q> Query<'q> {
    /// Creates a query for one key.
    pub fn new(name: &'q str) -> Query<'q> {
        Query::within(name, Budget::default())
    }

    /// Creates a query for one key, charged to a budget.
    pub fn within(name: &'q str, budget: Budget) -> Query<'q> {
        Query {
            names: vec![name],
            merge: None,
            merge_fault: None,
            value_type: None,
            default: None,
            overrides: Hash::default(),
            default_values: Hash::default(),
            strict_knockout: false,
            conceal: false,
            budget,
            skipped_levels: None,
        }
    }
}
