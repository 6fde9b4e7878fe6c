//! [`Pending`]: the elements of lists that are not yet complete.

use crate::ast::{Entry, Expr, Operation, Parameter};

/// The elements of lists whose end is not read yet, inner lists after outer ones. The elements of a complete list are
/// moved to an allocation of exactly their size. A list that grows while it is read would be copied several times, and
/// much of its memory would stay unused.
#[derive(Default)]
pub(super) struct Pending {
    pub exprs: Vec<Expr>,
    pub entries: Vec<Entry>,
    pub operations: Vec<Operation>,
    pub parameters: Vec<Parameter>,
}

/// The number of elements of each kind.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    exprs: usize,
    entries: usize,
    operations: usize,
    parameters: usize,
}

impl Pending {
    /// Returns the current lengths, for [`Pending::forget`].
    pub fn mark(&self) -> Mark {
        Mark {
            exprs: self.exprs.len(),
            entries: self.entries.len(),
            operations: self.operations.len(),
            parameters: self.parameters.len(),
        }
    }

    /// Removes the elements of a list that could not be parsed completely.
    pub fn forget(&mut self, mark: Mark) {
        self.exprs.truncate(mark.exprs);
        self.entries.truncate(mark.entries);
        self.operations.truncate(mark.operations);
        self.parameters.truncate(mark.parameters);
    }
}

/// Takes the elements of a list that began when `start` elements were pending.
pub(super) fn take_from<T>(elements: &mut Vec<T>, start: usize) -> Vec<T> {
    elements.split_off(start)
}
