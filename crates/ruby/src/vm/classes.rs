//! [`Classes`]: all classes of a machine, which are taken apart at its end.

use std::rc::{Rc, Weak};

use crate::value::Class;

/// All classes that a machine has made.
///
/// They name each other and themselves in circles: a class its own class and its ancestors, a method the classes around it. Counting
/// references never frees a circle, so that the end of a machine takes its classes apart.
#[derive(Default)]
pub(crate) struct Classes {
    all: Vec<Weak<Class>>,
    /// The number of the last one.
    last: u32,
}

impl Classes {
    /// Makes a class, which gets the next number.
    pub fn make(&mut self, make: impl FnOnce(u32) -> Class) -> Rc<Class> {
        self.last += 1;
        let class = Rc::new(make(self.last));
        if self.all.len() == self.all.capacity() {
            // The list grows with the classes that are there, not with those that ever were.
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
