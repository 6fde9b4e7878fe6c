//! A set of values, for finding duplicates.

use std::hash::{Hash, Hasher};

use hieratic_budget::{Budget, Exhausted};
use hieratic_hcl_types::Value;
use hieratic_value::collections::{FixedHasher, HashMap};

/// A set of values, compared by the operator `==` of the language.
#[derive(Default)]
pub(crate) struct ValueSet {
    by_hash: HashMap<u64, Vec<Value>>,
}

impl ValueSet {
    /// Adds a value, and returns whether it was new.
    ///
    /// # Errors
    ///
    /// The budget's limit: crafted values can all have the same hash, which makes the search linear.
    pub(crate) fn insert(&mut self, budget: &Budget, value: &Value) -> Result<bool, Exhausted> {
        let same_hash = self.by_hash.entry(hash_of(value)).or_default();
        budget.steps(same_hash.len() as u64)?;
        if same_hash.iter().any(|seen| seen.equals(value) == Some(true)) {
            return Ok(false);
        }
        same_hash.push(value.clone());
        Ok(true)
    }

    /// Returns whether an equal value was added.
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert).
    pub(crate) fn contains(&self, budget: &Budget, value: &Value) -> Result<bool, Exhausted> {
        let Some(same_hash) = self.by_hash.get(&hash_of(value)) else { return Ok(false) };
        budget.steps(same_hash.len() as u64)?;
        Ok(same_hash.iter().any(|seen| seen.equals(value) == Some(true)))
    }
}

fn hash_of(value: &Value) -> u64 {
    let mut hasher = FixedHasher::default();
    hash(value, &mut hasher);
    hasher.finish()
}

fn hash(value: &Value, state: &mut FixedHasher) {
    match value {
        Value::Null(_) => state.write_u8(0),
        Value::Unknown(_) => state.write_u8(1),
        Value::Bool(value) => value.hash(state),
        Value::Number(value) => value.hash(state),
        Value::String(value) => value.hash(state),
        compound => {
            compound.length().hash(state);
            compound.elements().for_each(|element| hash(element, state));
        }
    }
}
