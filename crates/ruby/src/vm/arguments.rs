//! [`Args`]: the arguments of a call.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::value::{HashObject, Proc, Value};

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    pub list: SmallVec<[Value; 4]>,
    /// Whether the last argument is a hash of keywords.
    pub keywords: bool,
    pub block: Option<Rc<Proc>>,
}

impl Args {
    pub fn none() -> Args {
        Args::default()
    }

    pub fn from_slice(list: &[Value]) -> Args {
        Args { list: list.iter().cloned().collect(), keywords: false, block: None }
    }

    pub fn one(value: Value) -> Args {
        let mut list = SmallVec::new();
        list.push(value);
        Args { list, keywords: false, block: None }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, at: usize) -> Option<&Value> {
        self.list.get(at)
    }

    /// Returns the argument at an index; nil if it is absent.
    pub fn at(&self, at: usize) -> Value {
        self.list.get(at).cloned().unwrap_or(Value::Nil)
    }

    /// Returns the keywords, without removing them.
    pub fn keyword_hash(&self) -> Option<&Rc<HashObject>> {
        match (self.keywords, self.list.last()) {
            (true, Some(Value::Hash(hash))) => Some(hash),
            _ => None,
        }
    }

    /// Returns the arguments by position.
    pub fn positional(&self) -> &[Value] {
        &self.list[..self.list.len() - usize::from(self.keywords)]
    }
}
