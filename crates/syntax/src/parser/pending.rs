//! [`Pending`]: the elements of lists whose end is not read yet.

use crate::ast::{Entry, Expr, Operation, Parameter};

/// The elements of lists whose end is not read yet, those of inner lists behind those of outer ones. A list that is
/// complete is moved to memory of its very size: one that grows as it is read would be copied several times, and most of
/// what it takes would stay unused.
#[derive(Default)]
pub(super) struct Pending {
    pub exprs: Vec<Expr>,
    pub entries: Vec<Entry>,
    pub operations: Vec<Operation>,
    pub parameters: Vec<Parameter>,
}

/// How many elements there are of each kind.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    exprs: usize,
    entries: usize,
    operations: usize,
    parameters: usize,
}

impl Pending {
    /// What there is, for [`Pending::forget`].
    pub fn mark(&self) -> Mark {
        Mark {
            exprs: self.exprs.len(),
            entries: self.entries.len(),
            operations: self.operations.len(),
            parameters: self.parameters.len(),
        }
    }

    /// Forgets what came since, where a list could not be read to its end.
    pub fn forget(&mut self, mark: Mark) {
        self.exprs.truncate(mark.exprs);
        self.entries.truncate(mark.entries);
        self.operations.truncate(mark.operations);
        self.parameters.truncate(mark.parameters);
    }
}

/// Takes the elements of a list, which began where there were so many.
pub(super) fn taken<T>(elements: &mut Vec<T>, start: usize) -> Vec<T> {
    elements.split_off(start)
}
