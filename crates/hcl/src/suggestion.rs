//! "Did you mean ...?"

/// Names closer than this are likely meant.
const DISTANCE: usize = 3;

/// The first of these that is nearly the given name.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    names.into_iter().find(|name| {
        // Names whose lengths differ by more cannot be close.
        name.len().abs_diff(given.len()) < 4 * DISTANCE && strsim::levenshtein(given, name) < DISTANCE
    })
}
