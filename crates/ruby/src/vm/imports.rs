//! [`Imports`]: a cache of Puppet collections that were converted to objects.
//!
//! Puppet code passes the same hash to Ruby functions again and again, `has_key` for each of its keys, and templates of
//! many resources use the same variables. As long as no code changes a converted object, the next call and the next
//! template get the same one.
//!
//! In the reference Puppet and Ruby code share their values, so that Puppet code sees what Ruby code changes. Here the
//! first change opens the cache: the converted objects are compared with the collections that they come from when
//! control goes back, and the host puts what differs in their places.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::collections::HashMap;
use hieratic_value::{Rich, Str as Text, Value as Foreign};

use super::{Outcome, Vm};
use crate::value::{SHARED, Str, Table, Value, set_generation};

/// The maximum size of the cache in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The unchanged objects that were converted from Puppet collections, by the addresses of the collections.
#[derive(Default)]
pub(crate) struct Imports {
    by_address: HashMap<usize, Imported>,
    bytes: usize,
    /// The objects of this run that are too large to be kept, with the collections that they come from.
    large: Vec<(Foreign, Value)>,
    /// The variables of a scope, if code has requested all of them.
    variables: Option<ImportedVariables>,
    /// The objects that may have changed in this run, with the collections that Puppet has in their places.
    opened: Vec<(Foreign, Value)>,
}

struct Imported {
    value: Value,
    /// Keeps the collection alive, so that its address is not reused.
    from: Foreign,
    weight: ConversionCost,
}

/// The variables of a scope as a table, of which each question gets a copy.
struct ImportedVariables {
    /// The list that they come from, and whether those that are undef are in the table.
    from: (Arc<[(Text, Foreign)]>, bool),
    table: Table,
    weight: ConversionCost,
}

/// The cost of a conversion.
#[derive(Clone, Copy, Default)]
struct ConversionCost {
    steps: usize,
    bytes: usize,
}

impl Imports {
    /// Drops all cached objects.
    pub fn clear(&mut self) {
        self.by_address.clear();
        self.bytes = 0;
        self.variables = None;
    }

    /// Ends the sharing of objects, because code changes one of them.
    pub fn open(&mut self) {
        self.variables = None;
        let shared = self.by_address.drain().map(|(_, one)| (one.from, one.value));
        let mut open: Vec<(Foreign, Value)> = shared.chain(self.large.drain(..)).collect();
        // Puppet code may hold parts of a collection as well.
        while let Some((from, object)) = open.pop() {
            match (&from, &object) {
                (Foreign::Array(list), Value::Array(array)) => {
                    let objects = array.list.borrow();
                    open.extend(list.iter().cloned().zip(objects.iter().cloned()).filter(is_collection));
                }
                (Foreign::Hash(hash), Value::Hash(table)) => {
                    let objects = table.table.borrow();
                    let values = hash.iter().map(|(_, value)| value.clone());
                    open.extend(values.zip(objects.values().cloned()).filter(is_collection));
                }
                _ => continue,
            }
            self.opened.push((from, object));
        }
        self.bytes = 0;
    }

    /// Drops the state of one run.
    pub fn end_run(&mut self) {
        self.large.clear();
        self.opened.clear();
        self.variables = None;
    }
}

fn is_collection((from, _): &(Foreign, Value)) -> bool {
    from.storage().is_some()
}

impl Vm<'_> {
    /// Converts a Puppet value that may be shared between calls: an unchanged object of an earlier call is reused. The
    /// charge to the budget does not depend on the reuse.
    pub fn import_shared(&mut self, value: &Foreign) -> Outcome {
        let Some(address) = value.storage() else { return self.import(value) };
        if let Some(known) = self.st.imports.by_address.get(&address) {
            let (value, weight) = (known.value.clone(), known.weight);
            self.steps(weight.steps)?;
            self.build(weight.bytes)?;
            return Ok(value);
        }
        let mut weight = ConversionCost::default();
        if !weigh(value, &mut weight) || weight.bytes > MAX_BYTES {
            return if weight.bytes > MAX_BYTES { self.import_large(value) } else { self.import(value) };
        }
        if self.st.imports.bytes + weight.bytes > MAX_BYTES {
            self.st.imports.clear();
        }
        let run = set_generation(SHARED);
        let result = self.import(value);
        set_generation(run);
        let imported = Imported { value: result?, from: value.clone(), weight };
        let result = imported.value.clone();
        self.st.imports.bytes += weight.bytes;
        self.st.imports.by_address.insert(address, imported);
        Ok(result)
    }

    /// Converts the variables of a scope to a hash, with or without those that are undef. The next hash of the same list
    /// is a copy of the table. The charge to the budget is that of a conversion.
    pub fn import_variables(&mut self, all: &Arc<[(Text, Foreign)]>, with_undef: bool) -> Outcome {
        if let Some(known) = &self.st.imports.variables
            && Arc::ptr_eq(&known.from.0, all)
            && known.from.1 == with_undef
        {
            let (table, weight) = (known.table.clone(), known.weight);
            self.steps(weight.steps)?;
            self.build(weight.bytes)?;
            return Ok(Value::hash(table));
        }
        let mut weight = ConversionCost::default();
        let is_plain = all.iter().all(|(name, value)| {
            weight.bytes += name.len() + 16;
            weigh(value, &mut weight)
        });
        let run = set_generation(SHARED);
        let table = self.table_of_variables(all, with_undef);
        set_generation(run);
        let table = table?;
        // Marks of secrets are those of one run.
        if is_plain && !self.st.is_tracking && weight.bytes <= MAX_BYTES {
            let from = (all.clone(), with_undef);
            self.st.imports.variables = Some(ImportedVariables { from, table: table.clone(), weight });
        }
        Ok(Value::hash(table))
    }

    fn table_of_variables(&mut self, all: &[(Text, Foreign)], with_undef: bool) -> Outcome<Table> {
        let mut table = Table::with_capacity_and_hasher(all.len(), Default::default());
        for (name, value) in all {
            let key = self.key_to_keep(&Value::Str(Rc::new(Str::shared(name.clone()))))?;
            let value = self.import_shared(value)?;
            if with_undef || !value.is_nil() {
                table.insert(key, value);
            }
        }
        Ok(table)
    }

    /// Converts a Puppet value that is too large to be kept.
    fn import_large(&mut self, value: &Foreign) -> Outcome {
        let run = set_generation(SHARED);
        let result = self.import(value);
        set_generation(run);
        let result = result?;
        self.st.imports.large.push((value.clone(), result.clone()));
        Ok(result)
    }

    /// Reports the collections that Ruby code has changed since the last call to the host.
    pub fn report_changed_imports(&mut self) -> Outcome<()> {
        if self.st.imports.opened.is_empty() {
            return Ok(());
        }
        let (mut kept, mut replaced) = (Vec::new(), Vec::new());
        for (from, object) in std::mem::take(&mut self.st.imports.opened) {
            let result = self.export(&object)?;
            if result == from {
                kept.push((from, object));
            } else {
                kept.push((result.clone(), object));
                replaced.push((from, result));
            }
        }
        self.st.imports.opened = kept;
        if !replaced.is_empty() {
            self.note_host_call();
            self.host.replace_values(&replaced).map_err(|error| self.host_error(error))?;
        }
        Ok(())
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
