//! "Did you mean ...?"

use hieratic_hcl_syntax::MOST_EDITS;
use hieratic_source::within;

// The first similar name, for candidates in the order of a schema.
pub(crate) use hieratic_hcl_syntax::suggestion as first;

/// The most similar name, for candidates without an order.
///
/// The reference takes the first similar one in the order of its hash tables.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let measured = names.into_iter().filter_map(|name| Some((within(given, name, MOST_EDITS)?, name)));
    measured.min().map(|(_, name)| name)
}
