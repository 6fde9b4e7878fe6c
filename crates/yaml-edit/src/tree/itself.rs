//! [`Itself`]: a node as the key of a table.

use std::hash::{Hash, Hasher};

use super::Node;

/// A node as the key of a table: it is equal only to itself, not to nodes with equal content. It keeps the node alive,
/// so that the identity is never reused.
///
/// ```
/// use hieratic_yaml_edit::tree;
///
/// let root = tree::parse("[a, a]", 0, "f")?;
/// let elements = root.as_list().unwrap_or_default();
/// assert!(elements[0].node().itself() == elements[0].node().itself());
/// assert!(elements[0].node().itself() != elements[1].node().itself());
/// # Ok::<(), hieratic_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Itself(pub(super) Node);

impl PartialEq for Itself {
    fn eq(&self, other: &Itself) -> bool {
        self.0.is(&other.0)
    }
}

impl Eq for Itself {}

impl Hash for Itself {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0.identity());
    }
}
