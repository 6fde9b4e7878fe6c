//! Anchors and aliases: which collections occur more than once, and the number of their anchors.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::walk::OpenCollection;
use crate::Tree;

/// The way in which a collection is written.
pub(super) enum AnchorMark {
    /// It occurs once.
    None,
    /// It occurs again later.
    Anchor(usize),
    /// It was written before.
    Alias(usize),
}

/// The objects that occur more than once. Ruby numbers them in the order in which they occur for the second time.
pub(super) struct Anchors(HashMap<usize, SharedObject>);

#[derive(Default)]
struct SharedObject {
    number: Option<usize>,
    written: bool,
}

impl Anchors {
    pub(super) fn from_tree<T: Tree>(tree: T) -> Anchors {
        let mut objects: HashMap<usize, SharedObject> = HashMap::new();
        let mut count = 0;
        let mut open: Vec<OpenCollection<T>> = Vec::new();
        let mut next = Some(tree);
        loop {
            if let Some(tree) = next.take() {
                match (OpenCollection::from_view(tree.view()), tree.identity()) {
                    (Err(_), _) => {}
                    (Ok(collection), None) => open.push(collection),
                    (Ok(collection), Some(identity)) => match objects.entry(identity) {
                        Entry::Vacant(entry) => {
                            entry.insert(SharedObject::default());
                            open.push(collection);
                        }
                        Entry::Occupied(mut entry) => {
                            entry.get_mut().number.get_or_insert_with(|| {
                                count += 1;
                                count
                            });
                        }
                    },
                }
            }
            let Some(top) = open.last_mut() else { return Anchors(objects) };
            next = top.next();
            if next.is_none() {
                open.pop();
            }
        }
    }

    /// Returns how to write the collection now. Call it once for each occurrence, in order.
    pub(super) fn mark<T: Tree>(&mut self, tree: &T) -> AnchorMark {
        let Some(object) = tree.identity().and_then(|identity| self.0.get_mut(&identity)) else {
            return AnchorMark::None;
        };
        let Some(number) = object.number else { return AnchorMark::None };
        if std::mem::replace(&mut object.written, true) {
            AnchorMark::Alias(number)
        } else {
            AnchorMark::Anchor(number)
        }
    }
}
