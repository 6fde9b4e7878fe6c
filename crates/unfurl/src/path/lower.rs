//! What the written form of filters stands for.

use super::Segment;

/// The steps that are evaluated.
///
/// The `::` that directly follows a filter is a step of its own, which goes into the elements of a list; and each
/// filter behind the first is asked of the elements rather than of the list. Both are how the reference reads them.
pub(super) fn path(written: &[Segment]) -> Vec<Segment> {
    let mut steps = Vec::with_capacity(written.len());
    for (at, segment) in written.iter().enumerate() {
        let enters = !segment.filters.is_empty() && !segment.apart && at + 1 < written.len();
        steps.push(Segment { filters: chain(&segment.filters), ..segment.clone() });
        if enters {
            steps.push(Segment::empty(segment.span));
        }
    }
    steps
}

fn chain(filters: &[Vec<Segment>]) -> Vec<Vec<Segment>> {
    // From the last to the first, so that a long chain needs no deep recursion here.
    let mut chained: Vec<Vec<Segment>> = Vec::new();
    for filter in filters.iter().rev() {
        let filter = path(filter);
        chained = match chained.is_empty() {
            true => vec![filter],
            false => {
                let span = chained.iter().flatten().next().map(|segment| segment.span).unwrap_or_default();
                vec![filter, vec![Segment { filters: chained, ..Segment::empty(span) }]]
            }
        };
    }
    chained
}
