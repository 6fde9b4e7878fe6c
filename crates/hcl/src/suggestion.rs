//! "Did you mean ...?"

/// Names closer than this are likely meant.
const DISTANCE: usize = 3;

// The first of these that is nearly the given name: where the order of the candidates is the schema's.
pub(crate) use hieratic_hcl_syntax::suggestion as first;

/// The nearest of these, if any is near: where the candidates have no order.
///
/// The reference takes any of those that are near, in the order of its hash tables.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let measured = names.into_iter().map(|name| (distance(given, name), name));
    measured.filter(|(distance, _)| *distance < DISTANCE).min().map(|(_, name)| name)
}

fn distance(given: &str, name: &str) -> usize {
    // Names whose lengths differ by much cannot be close, whatever their letters take.
    if name.len().abs_diff(given.len()) > 4 * DISTANCE { usize::MAX } else { strsim::levenshtein(given, name) }
}
