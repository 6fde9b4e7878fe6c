//! [`Classes`]: all classes of an interpreter, whose cycles are broken at its end.

use std::rc::{Rc, Weak};

use crate::value::Class;

/// All classes that an interpreter has created.
///
/// Classes refer to each other in cycles: a class to its singleton class and its ancestors, a method to the classes
/// around it. Reference counting never frees a cycle, so the end of an interpreter clears the references of its
/// classes.
#[derive(Default)]
pub(crate) struct Classes {
    all: Vec<Weak<Class>>,
    /// The id of the last class.
    last: u32,
}

impl Classes {
    /// Creates a class with the next id.
    pub fn make(&mut self, make: impl FnOnce(u32) -> Class) -> Rc<Class> {
        self.last += 1;
        let class = Rc::new(make(self.last));
        if self.all.len() == self.all.capacity() {
            // Pruning keeps the list proportional to the live classes.
            self.all.retain(|class| class.strong_count() > 0);
            self.all.reserve(self.all.len() + 64);
        }
        self.all.push(Rc::downgrade(&class));
        class
    }
}

impl Drop for Classes {
    fn drop(&mut self) {
        for class in self.all.drain(..).filter_map(|class| class.upgrade()) {
            class.take_apart();
        }
    }
}
