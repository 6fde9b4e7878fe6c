//! Traversals of an environment that several rules share. Each rule is documented in its own module.

mod analysis;
pub(crate) mod catalogs;
pub(crate) mod interpolations;
mod options;
mod parameters;
pub(crate) mod promises;
mod removable;
mod secrets;
pub(crate) mod values;

use crate::rules::Check;

/// A walk that several rules share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// The manifests.
    Analysis,
    /// The catalogs of all nodes.
    Catalogs,
    /// The interpolations of data and of hierarchies.
    Interpolations,
    /// The entries of `lookup_options`.
    Options,
    /// The keys of class parameters.
    Parameters,
    /// The promises of the repository.
    Promises,
    /// The entries that can be removed.
    Removable,
    /// The encrypted values.
    Secrets,
    /// The values and their parts.
    Values,
}

impl Walk {
    /// The function that walks.
    pub(crate) fn check(self) -> Check {
        match self {
            Walk::Analysis => analysis::check,
            Walk::Catalogs => catalogs::check,
            Walk::Interpolations => interpolations::check,
            Walk::Options => options::check,
            Walk::Parameters => parameters::check,
            Walk::Promises => promises::check,
            Walk::Removable => removable::check,
            Walk::Secrets => secrets::check,
            Walk::Values => values::check,
        }
    }

    /// Returns whether its rules are about hygiene.
    pub(crate) const fn is_hygiene(self) -> bool {
        matches!(self, Walk::Removable)
    }
}
