//! "Did you mean ...?"

use hieratic_hcl_syntax::MOST_EDITS;
use hieratic_source::within;

// The first of these that is nearly the given name: where the order of the candidates is the schema's.
pub(crate) use hieratic_hcl_syntax::suggestion as first;

/// The nearest of these, if any is near: where the candidates have no order.
///
/// The reference takes any of those that are near, in the order of its hash tables.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let measured = names.into_iter().filter_map(|name| Some((within(given, name, MOST_EDITS)?, name)));
    measured.min().map(|(_, name)| name)
}
