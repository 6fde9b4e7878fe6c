//! The keys of a node's hierarchies, and the sources of a lookup.

use hieratic_budget::Budget;
use hieratic_value::{Str, Value};
use indexmap::IndexSet;

use crate::Error;
use crate::key::LOOKUP_OPTIONS;
use crate::layers::Layer;
use crate::node::{Backend, Level, Location, LocationKind, Node};

impl Node {
    /// Returns the keys of all data files of this node's hierarchies, in the order of a lookup.
    ///
    /// Keys that are not strings are left out, because they cannot be looked up, and so are those of backends without a
    /// list of keys.
    ///
    /// # Errors
    /// A configuration or a data file cannot be read.
    pub fn keys(&self) -> Result<Vec<Str>, Error> {
        self.keys_within(&Budget::default())
    }

    /// Like [`keys`](Self::keys), charged to a budget.
    pub fn keys_within(&self, budget: &Budget) -> Result<Vec<Str>, Error> {
        let mut keys = IndexSet::new();
        self.each_location(budget, |node, level, location, module| {
            budget.step()?;
            node.collect_keys(level, location, module, &mut keys)?;
            budget.steps(keys.len() as u64 / 16)?;
            Ok(())
        })?;
        Ok(keys.into_iter().collect())
    }

    /// Every level and location in turn, with the module whose keys it may hold.
    pub(crate) fn each_location(
        &self,
        budget: &Budget,
        mut visit: impl FnMut(&Node, &Level, &Location, Option<&str>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let modules = (0..self.shared.layers().modules.len()).map(Layer::Module);
        for layer in [Layer::Global, Layer::Environment].into_iter().chain(modules) {
            let Some(provider) = self.provider(layer)? else { continue };
            let levels = self.levels(provider, budget)?;
            for level in levels.hierarchy.iter().chain(&levels.default_hierarchy) {
                for location in &level.locations {
                    visit(self, level, location, provider.module.as_deref())?;
                }
            }
        }
        self.fault().map_or(Ok(()), Err)
    }

    fn collect_keys(
        &self,
        level: &Level,
        location: &Location,
        module: Option<&str>,
        keys: &mut IndexSet<Str>,
    ) -> Result<(), Error> {
        if !matches!(location.kind, LocationKind::Path { exists: true, .. }) {
            return Ok(());
        }
        if !matches!(level.backend, Backend::File(_) | Backend::Eyaml) {
            return Ok(());
        }
        let Some(data) = self.data_for_keys(level, location)? else { return Ok(()) };
        for key in data.keys() {
            let Value::String(key) = key else { continue };
            let inside =
                module.is_none_or(|module| key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")));
            if inside && &**key != LOOKUP_OPTIONS {
                keys.insert(key.clone());
            }
        }
        Ok(())
    }

    /// Returns the locations that a lookup searches for a key of `module`, in order: the file or the level, and whether
    /// it exists.
    pub fn places(&self, module: Option<&str>) -> Result<Vec<(String, bool)>, Error> {
        let mut places = Vec::new();
        self.each_location(&Budget::default(), |_, level, location, of| {
            let is_read = !matches!(level.backend, Backend::Skipped(_));
            if is_read && (of.is_none() || of == module) {
                let exists = !matches!(location.kind, LocationKind::Path { exists: false, .. });
                places.push((location.text().unwrap_or_else(|| level.label.to_string()), exists));
            }
            Ok(())
        })?;
        Ok(places)
    }
}
