//! The data model that every language of Hieratic shares.
//!
//! A [`Value`] is immutable and cheap to clone: strings, arrays and hashes are shared by reference count. Hashes keep
//! the order of their keys and take any value as a key, as Ruby's do. What plain data cannot hold (a secret, a symbol,
//! an integer of any size) is a [`Rich`] value.
//!
//! This crate knows nothing of files or languages. [`text`] writes values the way Ruby prints them, because the
//! reference programs put these strings into values and messages that users see.
//!
//! ```
//! use hieratic_value::{Hash, Value};
//!
//! let hash: Hash = [("port", Value::from(8080)), ("name", Value::from("web"))].into_iter().collect();
//! assert_eq!(hash.get("port"), Some(&Value::Integer(8080)));
//! assert_eq!(Value::from(hash).inspect(), r#"{"port"=>8080, "name"=>"web"}"#);
//! ```

pub mod collections;
mod data;
mod erased_sort;
pub mod format;
mod hash;
pub mod ids;
mod lazy_hash;
mod ordering;
pub mod random;
mod rich;
mod size;
pub mod text;
mod value;

pub use data::Mismatch;
pub use erased_sort::ErasedSort;
pub use hash::{Hash, HashBuilder, Map};
pub use lazy_hash::LazyHash;
pub use num_bigint::BigInt;
pub use rich::{Extended, Rich};
pub use size::TooLarge;
pub use value::{Str, Value};
