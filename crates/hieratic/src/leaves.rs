//! [`visit_leaves`]: visits the leaves of a value, with their paths.

use hieratic_hiera::{Object, ObjectView};

use crate::Value;

/// A step of the path to a part of a value.
#[derive(Clone, Copy, Debug)]
pub enum PathStep<'k> {
    /// An index of an array, counted from 0.
    Index(usize),
    /// A key of a hash.
    Key(&'k Value),
}

/// Visits the leaves of a value in order: scalars, and arrays and hashes that are empty, or that are secret as a whole
/// and not revealed. `step` converts each step of a path, once for all leaves below it.
///
/// ```
/// use hieratic::lookup::{PathStep, visit_leaves};
/// use hieratic::{Environment, Facts, Query, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
/// let environment = Environment::open(&Settings::discover(root.as_ref()))?;
/// let node = environment.node(&Facts::named("web01.example.com"))?;
/// let answer = node.lookup_traced(&Query::new("profile::base::packages"))?;
/// let step = |step: PathStep<'_>| match step {
///     PathStep::Index(index) => index.to_string(),
///     PathStep::Key(key) => key.to_text(),
/// };
/// let mut leaves = Vec::new();
/// visit_leaves(&answer.value, false, step, |path, leaf| leaves.push(format!("{}={}", path.join("."), leaf.masked().to_text())));
/// assert_eq!(leaves, ["0=curl", "1=vim"]);
/// # Ok::<(), hieratic::Error>(())
/// ```
pub fn visit_leaves<S>(
    object: &Object,
    reveals: bool,
    convert: impl Fn(PathStep<'_>) -> S,
    mut visit: impl FnMut(&[S], &Object),
) {
    walk(object, reveals, &convert, &mut Vec::new(), &mut visit);
}

fn walk<S>(
    object: &Object,
    reveals: bool,
    convert: &impl Fn(PathStep<'_>) -> S,
    path: &mut Vec<S>,
    visit: &mut impl FnMut(&[S], &Object),
) {
    let is_whole = !reveals && object.is_hidden();
    match object.view() {
        ObjectView::Array(elements) if !is_whole && !elements.is_empty() => {
            for (index, element) in elements.iter().enumerate() {
                path.push(convert(PathStep::Index(index)));
                walk(element, reveals, convert, path, visit);
                path.pop();
            }
        }
        ObjectView::Hash(pairs) if !is_whole && !pairs.is_empty() => {
            for (key, value) in &pairs {
                path.push(convert(PathStep::Key(key)));
                walk(value, reveals, convert, path, visit);
                path.pop();
            }
        }
        _ => visit(path, object),
    }
}
