//! The element that a block is generated from.

use std::rc::Rc;

use hieratic_hcl_types::{Text, Value};

/// The variable of a `dynamic` block, for one element, with those of the blocks around it.
#[derive(Clone, Debug)]
pub struct Iteration {
    name: Text,
    /// The object with `key` and `value`.
    object: Value,
    outer: Option<Rc<Iteration>>,
}

impl Iteration {
    pub(super) fn new(outer: Option<Rc<Iteration>>, name: Text, key: Value, value: Value) -> Self {
        Self { name, object: Value::object(vec![("key".into(), key), ("value".into(), value)]), outer }
    }

    fn chain(&self) -> impl Iterator<Item = &Iteration> {
        std::iter::successors(Some(self), |iteration| iteration.outer.as_deref())
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&Value> {
        self.chain().find(|iteration| &*iteration.name == name).map(|iteration| &iteration.object)
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.chain().map(|iteration| &*iteration.name).collect()
    }
}
