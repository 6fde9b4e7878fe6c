//! [`LookupScope`]: the rules for one key and for the keys that its value refers to.

use super::request::PassedValues;

/// The rules for one key and for the keys that its value refers to. A step runs in a separate scope by
/// [`within`](super::evaluator::Evaluator::within), which restores the one around it.
#[derive(Clone, Debug, Default)]
pub(super) struct LookupScope {
    /// The layers that are searched.
    pub(super) layers: SearchedLayers,
    /// Whether the options of the global layer are being looked up. Keys in them have none.
    pub(super) in_global_options: bool,
    /// Whether the key will be converted to Sensitive, so that its values are secret already.
    pub(super) key_is_secret: bool,
    /// The values that were passed with the query, or with the lookup of a function in code.
    pub(super) passed: PassedValues,
}

/// The layers that are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SearchedLayers {
    /// Those of the key.
    #[default]
    All,
    /// The global one: data of Hiera 3 sees no other.
    Global,
}

impl LookupScope {
    /// Returns whether only the global layer is searched.
    pub(super) fn is_global(&self) -> bool {
        self.layers == SearchedLayers::Global
    }
}
