//! [`Classes`]: equivalence classes of nodes, which have the same answers.

use std::collections::HashMap;
use std::sync::Arc;

use hieratic::value::ids::{Fingerprint, IndexVec, TooManyIds};

use super::ids::{AnswerPieceId, ClassId, FilePieceId};
use super::template::Bindings;

/// An equivalence class of nodes.
pub(super) struct Class {
    /// The pieces of its answers.
    pub(super) answers: Box<[AnswerPieceId]>,
    /// The pieces of the list of files that it reads.
    pub(super) files: Box<[FilePieceId]>,
    /// The values of the placeholders in its answers.
    pub(super) bindings: Arc<Bindings>,
}

/// The classes of the nodes that were read.
#[derive(Default)]
pub(super) struct Classes {
    pub(super) all: IndexVec<ClassId, Arc<Class>>,
    by_fingerprint: HashMap<Fingerprint, ClassId>,
    /// Classes of the previous index, which may still be right.
    previous: HashMap<Fingerprint, Arc<Class>>,
    bytes: usize,
}

impl Classes {
    /// Creates an empty table that remembers the classes of the previous index.
    pub(super) fn after(previous: Classes) -> Classes {
        let known = previous.by_fingerprint.into_iter();
        let known = known.map(|(fingerprint, class)| (fingerprint, previous.all[class].clone()));
        Classes { previous: known.collect(), ..Classes::default() }
    }

    /// Returns the class with a fingerprint.
    pub(super) fn known(&self, fingerprint: Fingerprint) -> Option<ClassId> {
        self.by_fingerprint.get(&fingerprint).copied()
    }

    /// Returns the class that the previous index had with a fingerprint.
    pub(super) fn previous(&self, fingerprint: Fingerprint) -> Option<Arc<Class>> {
        self.previous.get(&fingerprint).cloned()
    }

    /// Adds a class; without a fingerprint, it is the class of one node only.
    pub(super) fn add(&mut self, fingerprint: Option<Fingerprint>, class: Arc<Class>) -> Result<ClassId, TooManyIds> {
        let ids = class.answers.len() + class.files.len() + 2 * class.bindings.len();
        let id = self.all.push(class)?;
        self.bytes += size_of::<Class>() + (ids + 16) * size_of::<u32>();
        if let Some(fingerprint) = fingerprint {
            self.by_fingerprint.insert(fingerprint, id);
        }
        Ok(id)
    }

    /// Returns the approximate size, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
