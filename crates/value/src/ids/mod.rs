//! Typed ids: positions in lists, as types that cannot be confused.
//!
//! An id belongs to one kind of list: the id of a key indexes lists that have an element for each key, and nothing
//! else. Passing it where the id of a class is expected does not compile. [`IndexVec`] and [`Interner`] make ids, and
//! neither can lose an element, so their ids stay valid. An id that a list does not have is a bug of the program:
//! indexing panics with the type of the id, instead of continuing with an answer that lacks an element.
//!
//! The crates that offer this (`index_vec`, `typed-index-collections`) panic when the ids are exhausted. The size of a
//! list depends on a repository, so here [this is an error](TooManyIds).
//!
//! ```
//! use hieratic_value::define_ids;
//! use hieratic_value::ids::{IndexVec, TooManyIds};
//!
//! define_ids! {
//!     /// The id of a node.
//!     pub struct NodeId: "nodes";
//! }
//!
//! let mut nodes: IndexVec<NodeId, &str> = IndexVec::new();
//! let web = nodes.push("web01")?;
//! let mut ports: IndexVec<NodeId, u16> = IndexVec::from_elem(22, &nodes);
//! ports[web] = 80;
//! assert_eq!(ports.entries().collect::<Vec<_>>(), [(web, &80)]);
//! # Ok::<(), TooManyIds>(())
//! ```

mod fingerprint;
mod index_vec;
mod interner;

use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;

pub use fingerprint::Fingerprint;
pub use index_vec::IndexVec;
pub use interner::Interner;

/// The maximum number of elements of one list.
pub const MAX_IDS: u32 = u32::MAX;

/// A position in lists of one kind. [`define_ids`](crate::define_ids) declares such types.
///
/// An id takes four bytes, also in an `Option`, because it stores its position plus one.
pub trait Id: Copy + Ord + Hash + fmt::Debug {
    /// The name of the elements in the plural, for messages.
    const ELEMENTS: &'static str;

    /// Creates an id from its position plus one.
    fn from_raw(raw: NonZeroU32) -> Self;

    /// Returns the position plus one.
    fn into_raw(self) -> NonZeroU32;

    /// Returns the id of a position, counted from 0.
    ///
    /// # Errors
    /// The position is not below [`MAX_IDS`].
    fn from_index(index: usize) -> Result<Self, TooManyIds> {
        let raw = u32::try_from(index).ok().and_then(|index| NonZeroU32::new(index.checked_add(1)?));
        raw.map(Self::from_raw).ok_or(TooManyIds { elements: Self::ELEMENTS })
    }

    /// Returns the position, counted from 0.
    fn index(self) -> usize {
        self.as_u32() as usize
    }

    /// Returns the position as a number of 32 bits.
    fn as_u32(self) -> u32 {
        self.into_raw().get() - 1
    }
}

/// The error for a list that would have more than [`MAX_IDS`] elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyIds {
    elements: &'static str,
}

impl fmt::Display for TooManyIds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "there are more than {MAX_IDS} {}", self.elements)
    }
}

impl std::error::Error for TooManyIds {}

/// Declares types of ids, each with the name of its elements in the plural.
///
/// ```
/// hieratic_value::define_ids! {
///     /// The id of a key.
///     pub struct KeyId: "keys";
/// }
/// assert_eq!(size_of::<Option<KeyId>>(), 4);
/// ```
#[macro_export]
macro_rules! define_ids {
    ($($(#[$attribute:meta])* $visibility:vis struct $name:ident: $elements:literal;)+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(::std::num::NonZeroU32);

        impl $crate::ids::Id for $name {
            const ELEMENTS: &'static str = $elements;

            fn from_raw(raw: ::std::num::NonZeroU32) -> $name {
                $name(raw)
            }

            fn into_raw(self) -> ::std::num::NonZeroU32 {
                self.0
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::write!(out, ::std::concat!(::std::stringify!($name), "({})"), $crate::ids::Id::index(*self))
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_ids! {
        struct KeyId: "keys";
    }

    #[test]
    fn ids_keep_their_positions_up_to_the_limit() {
        for index in [0, 1, 70_000, MAX_IDS as usize - 1] {
            let id = KeyId::from_index(index).unwrap();
            assert_eq!((id.index(), format!("{id:?}")), (index, format!("KeyId({index})")));
        }
        for index in [MAX_IDS as usize, usize::MAX] {
            let error = KeyId::from_index(index).unwrap_err();
            assert_eq!(error.to_string(), "there are more than 4294967295 keys");
        }
    }
}
