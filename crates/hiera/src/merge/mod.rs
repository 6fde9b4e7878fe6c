//! Merging what several levels say of one key.
//!
//! A [`Strategy`] is `first`, `unique`, `hash` or `deep`, given as a name or as a hash with options, in the command, in
//! code or in `lookup_options`. See <https://www.puppet.com/docs/puppet/8/hiera_merging.html>.
//!
//! Values merge pairwise, the higher priority first. [`plain`] merges shared values and is what answers are made with;
//! [`objects`] does the same to objects with the reference's changes in place, for knockouts, explanations and
//! origins. A property test holds the two together.

pub(crate) mod concealed;
mod itself;
pub(crate) mod knockout;
mod mergeable;
pub(crate) mod objects;
pub(crate) mod plain;
pub(crate) mod prefix;
mod sort;
mod strategy;

use hieratic_value::Value;

pub use strategy::Strategy;

use crate::Error;

impl Strategy {
    /// The values of several levels as one, the highest priority first; none without any.
    ///
    /// # Errors
    /// The values cannot be merged in this way.
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
