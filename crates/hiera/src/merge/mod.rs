//! Merging the values of several levels.
//!
//! A [`Strategy`] is `first`, `unique`, `hash` or `deep`: <https://www.puppet.com/docs/puppet/8/hiera_merging.html>.
//!
//! # The deep merge
//!
//! Values merge pairwise: the answer so far is the higher value, and the next level gives the lower one.
//!
//! 1. An undefined higher value leaves the lower one. A lower value that is undefined or false is replaced.
//! 2. Two hashes become one, key by key: a key that only one of them has stays, and the values of a common key are merged
//!    by these rules. The keys of the lower hash come first.
//! 3. Two arrays become their union: the elements of the lower one, then those of the higher one, each once.
//! 4. Anything else does not merge: the higher value wins.
//!
//! ```
//! use hieratic_json::parse;
//! use hieratic_hiera::Strategy;
//!
//! let higher = br#"{"port": 443, "names": ["a", "b"], "tls": {"on": true}}"#;
//! let lower = br#"{"tls": {"on": false, "ciphers": "strong"}, "names": ["b", "c"], "log": "warn"}"#;
//! let merged = br#"{"tls": {"on": true, "ciphers": "strong"}, "names": ["b", "c", "a"], "log": "warn", "port": 443}"#;
//! let answer = Strategy::parse(&"deep".into())?.merged([parse(higher)?, parse(lower)?])?;
//! assert_eq!(answer.unwrap().inspect(), parse(merged)?.inspect());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Options change the third rule: `sort_merged_arrays` sorts the union, `merge_hash_arrays` merges arrays of hashes
//! element by element, and with `knockout_prefix` the higher value removes elements of the lower one ([`knockout`]).
//!
//! ```
//! use hieratic_json::parse;
//! use hieratic_hiera::Strategy;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let deep = |options: &str, higher: &str, lower: &str| -> Result<String, Box<dyn std::error::Error>> {
//!     let strategy = Strategy::parse(&parse(format!(r#"{{"strategy": "deep", {options}}}"#).as_bytes())?)?;
//!     let merged = strategy.merged([parse(higher.as_bytes())?, parse(lower.as_bytes())?])?;
//!     Ok(merged.unwrap().inspect())
//! };
//! assert_eq!(deep(r#""sort_merged_arrays": true"#, "[3, 1]", "[2]")?, "[1, 2, 3]");
//! let merged = deep(r#""merge_hash_arrays": true"#, r#"[{"a": 1}]"#, r#"[{"b": 2}, {"c": 3}]"#)?;
//! assert_eq!(merged, parse(br#"[{"b": 2, "a": 1}, {"c": 3}]"#)?.inspect());
//! # Ok(())
//! # }
//! ```
//!
//! # Where the rules are
//!
//! Each rule is written twice, and a change of one is a change of both: [`plain`] merges values, [`objects`] merges
//! objects with the in-place changes of the reference. The test `shared_values_and_objects_merge_alike` compares them.

pub(crate) mod knockout;
mod mergeable;
pub(crate) mod objects;
pub(crate) mod oblivious;
pub(crate) mod plain;
pub(crate) mod prefix;
#[cfg(test)]
mod properties;
mod self_knockout;
mod sort;
mod strategy;

use hieratic_value::Value;

pub(crate) use strategy::Knockout;
pub use strategy::Strategy;

use crate::Error;

impl Strategy {
    /// Merges the values of several levels, the highest priority first. Returns `None` without values.
    ///
    /// # Errors
    /// The values cannot be merged with this strategy.
    ///
    /// ```
    /// use hieratic_hiera::Strategy;
    /// let strategy = Strategy::parse(&"unique".into())?;
    /// let merged = strategy.merged(["a".into(), "b".into(), "a".into()])?;
    /// assert_eq!(merged.map(|value| value.inspect()), Some(r#"["a", "b"]"#.to_string()));
    /// # Ok::<(), hieratic_hiera::Error>(())
    /// ```
    pub fn merged(&self, values: impl IntoIterator<Item = Value>) -> Result<Option<Value>, Error> {
        let mut merged: Option<Value> = None;
        for value in values {
            merged = Some(match merged {
                None => plain::first(self, value),
                Some(higher) => plain::merge(self, higher, value)?,
            });
        }
        Ok(merged)
    }
}
