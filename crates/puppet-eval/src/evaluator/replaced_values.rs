//! Values that Ruby code has changed.
//!
//! In the reference a hash that Puppet code passes to Ruby code is one object for both: `hash.delete('x')` in a
//! function changes the hash for all variables. Values are immutable here, so a changed collection is replaced in all
//! variables that share it. As in the reference, resources have copies, and functions of the Puppet 3 API receive
//! copies.

use hieratic_puppet_functions::Flow;
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use super::Evaluator;
use super::scopes::ScopeId;

/// The new content of collections, by their storage.
struct Replacements<'r>(HashMap<usize, &'r Value>);

impl Evaluator<'_> {
    /// Replaces collections in the variables of the scope that code runs in, and in the parameters that they are; if no
    /// variable there has one of them, in all scopes. A class or a defined type gets copies of its arguments; a variable
    /// of it may have been assigned the parameter of an earlier class, `$x = $other::x`.
    ///
    /// # Errors
    /// A limit.
    pub(super) fn replace_values(&mut self, replaced: &[(Value, Value)]) -> Result<(), Flow> {
        let by_storage = replaced.iter().filter_map(|(old, new)| Some((old.storage()?, new)));
        let replacements = Replacements(by_storage.collect());
        let mut found = self.scopes.replaced_variables(|value| replacements.apply(value));
        let current = self.scopes.current_id();
        if found.iter().any(|(id, ..)| *id == current) {
            let resource = self.scopes[current].resource;
            let is_own = |(id, name, _): &(_, Str, _)| *id == current && self.catalog.has_parameter(resource, name);
            let is_passed = found.iter().any(is_own);
            found.retain(|(id, ..)| *id == current || !is_passed && *id < current && self.is_other_class(*id, current));
        }
        for (id, name, value) in found {
            self.budget.charge_visit([&value])?;
            let resource = self.scopes[id].resource;
            self.scopes.replace_variable(id, &name, value.clone());
            self.catalog.replace_parameter(resource, &name, value);
        }
        self.scopes.replace_locals(|value| replacements.apply(value));
        Ok(())
    }
}

impl Evaluator<'_> {
    /// Returns whether a scope is that of another class. Instances of a defined type have the values in its code in common
    /// here, which are several objects in the reference.
    fn is_other_class(&self, id: ScopeId, current: ScopeId) -> bool {
        self.scopes[id].class.is_some() && self.scopes[id].class != self.scopes[current].class
    }
}

impl Replacements<'_> {
    /// Returns the value with everything replaced in it; `None` if nothing is.
    fn apply(&self, value: &Value) -> Option<Value> {
        // Data may be nested deeper than the stack.
        stacker::maybe_grow(64 << 10, 1 << 20, || self.apply_here(value))
    }

    fn apply_here(&self, value: &Value) -> Option<Value> {
        if let Some(new) = value.storage().and_then(|storage| self.0.get(&storage)) {
            return Some((*new).clone());
        }
        match value {
            Value::Array(list) => {
                let new: Vec<Option<Value>> = list.iter().map(|one| self.apply(one)).collect();
                let is_changed = new.iter().any(Option::is_some);
                is_changed.then(|| list.iter().zip(new).map(|(old, new)| new.unwrap_or_else(|| old.clone())).collect())
            }
            Value::Hash(hash) => {
                let new: Vec<Option<Value>> = hash.iter().map(|(_, one)| self.apply(one)).collect();
                let is_changed = new.iter().any(Option::is_some);
                let pairs = hash.iter().zip(new);
                is_changed.then(|| {
                    let pairs = pairs.map(|((key, old), new)| (key.clone(), new.unwrap_or_else(|| old.clone())));
                    Value::Hash(pairs.collect())
                })
            }
            _ => None,
        }
    }
}
