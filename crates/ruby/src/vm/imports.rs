//! [`Imports`]: a cache of Puppet collections that were converted to objects.
//!
//! Puppet code passes the same hash to Ruby functions again and again, `has_key` for each of its keys, and templates of
//! many resources use the same variables. As long as no code changes a converted object, the next call and the next
//! template get the same one.

use hieratic_value::collections::HashMap;
use hieratic_value::{Rich, Value as Foreign};

use super::{Outcome, Vm};
use crate::value::{SHARED, Value, set_generation};

/// The maximum size of the cache in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The unchanged objects that were converted from Puppet collections, by the addresses of the collections.
#[derive(Default)]
pub(crate) struct Imports {
    by_address: HashMap<usize, Imported>,
    bytes: usize,
}

struct Imported {
    value: Value,
    /// Keeps the collection alive, so that its address is not reused.
    _from: Foreign,
    weight: ConversionCost,
}

/// The cost of a conversion.
#[derive(Clone, Copy, Default)]
struct ConversionCost {
    steps: usize,
    bytes: usize,
}

impl Imports {
    /// Forgets all, because one of them changes.
    pub fn clear(&mut self) {
        self.by_address.clear();
        self.bytes = 0;
    }
}

impl Vm<'_> {
    /// Converts a Puppet value that may be shared between calls: an unchanged object of an earlier call is reused. The
    /// charge to the budget does not depend on whether it is.
    pub fn import_shared(&mut self, value: &Foreign) -> Outcome {
        let Some(address) = address(value) else { return self.import(value) };
        if let Some(known) = self.st.imports.by_address.get(&address) {
            let (value, weight) = (known.value.clone(), known.weight);
            self.steps(weight.steps)?;
            self.build(weight.bytes)?;
            return Ok(value);
        }
        let mut weight = ConversionCost::default();
        if !weigh(value, &mut weight) || weight.bytes > MAX_BYTES {
            return self.import(value);
        }
        if self.st.imports.bytes + weight.bytes > MAX_BYTES {
            self.st.imports.clear();
        }
        let run = set_generation(SHARED);
        let made = self.import(value);
        set_generation(run);
        let imported = Imported { value: made?, _from: value.clone(), weight };
        let made = imported.value.clone();
        self.st.imports.bytes += weight.bytes;
        self.st.imports.by_address.insert(address, imported);
        Ok(made)
    }
}

/// Returns the identity of a Puppet collection, which is unique while the collection is alive.
pub(crate) fn address(value: &Foreign) -> Option<usize> {
    match value {
        Foreign::Array(list) if !list.is_empty() => Some(list.as_ptr() as usize),
        Foreign::Hash(hash) => hash.iter().next().map(|(key, _)| std::ptr::from_ref(key) as usize),
        _ => None,
    }
}

/// Adds what importing a value takes; false if that runs code.
fn weigh(value: &Foreign, weight: &mut ConversionCost) -> bool {
    weight.steps += 1;
    match value {
        Foreign::Array(list) => {
            weight.bytes += list.len() * 16 + 56;
            list.iter().all(|one| weight.bytes <= MAX_BYTES && weigh(one, weight))
        }
        Foreign::Hash(hash) => {
            weight.bytes += hash.len() * 56 + 96;
            hash.iter().all(|(key, value)| weight.bytes <= MAX_BYTES && weigh(key, weight) && weigh(value, weight))
        }
        Foreign::Rich(rich) => matches!(&**rich, Rich::Default | Rich::Symbol(_) | Rich::BigInteger(_)),
        Foreign::Undef | Foreign::Boolean(_) | Foreign::Integer(_) | Foreign::Float(_) | Foreign::String(_) => true,
    }
}
