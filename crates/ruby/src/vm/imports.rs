//! [`Imports`]: collections of Puppet that code has got.
//!
//! Code of Puppet asks functions in Ruby about the same hash again and again, `has_key` for each of its keys, and templates of many
//! resources use the same variables. As long as no code changes an object that was made for such a collection, it is what the next call
//! and the next template get, too.

use hieratic_hash::HashMap;
use hieratic_value::{Rich, Value as Foreign};

use super::{Outcome, Vm};
use crate::value::{SHARED, Value, set_run};

/// The most bytes that are kept.
const MOST: usize = 1 << 20;

/// Collections of Puppet as objects that nobody has changed, by what the collections are to the host.
#[derive(Default)]
pub(crate) struct Imports {
    by_address: HashMap<usize, Imported>,
    bytes: usize,
}

struct Imported {
    value: Value,
    /// Kept so that nothing else comes to lie at its address.
    _from: Foreign,
    weight: Weight,
}

/// What a value takes from the budget.
#[derive(Clone, Copy, Default)]
struct Weight {
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
    /// A value of Puppet, which need not be an object of its own: a collection that code has got before, and that nobody has changed, is
    /// the same object again. It takes the same from the budget, whether it has been made before or not.
    pub fn import_shared(&mut self, value: &Foreign) -> Outcome {
        let Some(address) = address(value) else { return self.import(value) };
        if let Some(known) = self.st.imports.by_address.get(&address) {
            let (value, weight) = (known.value.clone(), known.weight);
            self.steps(weight.steps)?;
            self.build(weight.bytes)?;
            return Ok(value);
        }
        let mut weight = Weight::default();
        if !weigh(value, &mut weight) || weight.bytes > MOST {
            return self.import(value);
        }
        if self.st.imports.bytes + weight.bytes > MOST {
            self.st.imports.clear();
        }
        let run = set_run(SHARED);
        let made = self.import(value);
        set_run(run);
        let imported = Imported { value: made?, _from: value.clone(), weight };
        let made = imported.value.clone();
        self.st.imports.bytes += weight.bytes;
        self.st.imports.by_address.insert(address, imported);
        Ok(made)
    }
}

/// What makes a collection of Puppet the same one, as long as it is kept.
pub(crate) fn address(value: &Foreign) -> Option<usize> {
    match value {
        Foreign::Array(list) if !list.is_empty() => Some(list.as_ptr() as usize),
        Foreign::Hash(hash) => hash.iter().next().map(|(key, _)| std::ptr::from_ref(key) as usize),
        _ => None,
    }
}

/// Adds what importing a value takes; false if that runs code.
fn weigh(value: &Foreign, weight: &mut Weight) -> bool {
    weight.steps += 1;
    match value {
        Foreign::Array(list) => {
            weight.bytes += list.len() * 16 + 56;
            list.iter().all(|one| weight.bytes <= MOST && weigh(one, weight))
        }
        Foreign::Hash(hash) => {
            weight.bytes += hash.len() * 56 + 96;
            hash.iter().all(|(key, value)| weight.bytes <= MOST && weigh(key, weight) && weigh(value, weight))
        }
        Foreign::Rich(rich) => matches!(&**rich, Rich::Default | Rich::Symbol(_) | Rich::BigInteger(_)),
        Foreign::Undef | Foreign::Boolean(_) | Foreign::Integer(_) | Foreign::Float(_) | Foreign::String(_) => true,
    }
}
