//! Lowers the syntax of filters.

use super::Segment;

/// Returns the steps that are evaluated.
///
/// A `::` that directly follows a filter is a separate step, which goes into the elements of a list; and each filter
/// after the first applies to the elements rather than to the list. The reference parses both in this way.
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
        chained = if chained.is_empty() {
            vec![filter]
        } else {
            let span = chained.iter().flatten().next().map(|segment| segment.span).unwrap_or_default();
            vec![filter, vec![Segment { filters: chained, ..Segment::empty(span) }]]
        };
    }
    chained
}
