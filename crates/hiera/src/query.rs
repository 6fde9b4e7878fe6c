//! [`Query`]: a question with its defaults and its type, as the `lookup` function takes it.

use hieratic_pcore::Type;
use hieratic_powers::Budget;
use hieratic_value::{Hash, Value};

use crate::merge::Strategy;
use crate::object::Object;

/// A question: keys, of which the first that is found answers, and what the `lookup` function takes beside them.
///
/// See <https://www.puppet.com/docs/puppet/8/function.html#lookup>.
#[derive(Clone, Debug, Default)]
pub struct Query<'q> {
    /// The keys, in the order in which they are tried.
    pub names: Vec<&'q str>,
    /// How values of several levels become one; without it, the options of the data decide.
    pub merge: Option<Strategy>,
    /// What the value has to be.
    pub value_type: Option<Type>,
    /// The answer if nothing is found.
    pub default: Option<Value>,
    /// Values by key that win over all data.
    pub overrides: Hash,
    /// Values by key that answer if no data does.
    pub default_values: Hash,
    /// Whether every knockout holds at every depth.
    pub strict_knockout: bool,
    /// Whether nothing of the answer may depend on what is secret, for answers to strangers: whether a secret is of the type
    /// is not told, and where a merge or a conversion has looked at one, everything that came of it is covered.
    pub conceal: bool,
    /// What the work is taken from.
    pub budget: Budget,
}

/// An answer, with the object that knows where its parts come from.
#[derive(Debug)]
pub struct Answer {
    /// The key that was found; none if a default answers.
    pub key: Option<String>,
    /// The value.
    pub value: Object,
}

impl<'q> Query<'q> {
    /// A question for one key.
    pub fn new(name: &'q str) -> Query<'q> {
        Query::within(name, Budget::default())
    }

    /// A question for one key, whose work is taken from a budget.
    pub fn within(name: &'q str, budget: Budget) -> Query<'q> {
        Query {
            names: vec![name],
            merge: None,
            value_type: None,
            default: None,
            overrides: Hash::default(),
            default_values: Hash::default(),
            strict_knockout: false,
            conceal: false,
            budget,
        }
    }
}
