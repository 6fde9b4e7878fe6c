//! The values of a key in every level, without merging and overriding.

use std::cell::OnceCell;
use std::sync::Arc;

use hieratic_budget::Budget;

use super::evaluator::{Evaluator, KeyRequest, StackEntry};
use super::mode::Traced;
use super::request::LookupRequest;
use super::scope::LookupScope;
use crate::Error;
use crate::key::Key;
use crate::layers::{Layer, Rank};
use crate::node::{Level, Location, LocationKind, Node, Provider};
use crate::object::Object;
use crate::query::Query;

/// The value of a key in one location of a level.
#[derive(Debug)]
pub struct Survey {
    /// The layer: `global`, `environment`, or `module` with its name.
    pub layer: String,
    /// The level's name in its `hiera.yaml`.
    pub level: String,
    /// The `hiera.yaml`, `None` for the default configuration.
    pub configuration: Option<Arc<std::path::Path>>,
    /// The file or address that the level resolves to. `None` if only the level's function knows it.
    pub location: Option<String>,
    /// Whether the location exists.
    pub exists: bool,
    /// Whether the level belongs to a module's default hierarchy, which is searched if all other levels lack the key.
    pub is_default: bool,
    /// The interpolated value before conversion. `None` if the location does not have the key.
    pub found: Result<Option<Object>, Error>,
}

/// One location of a level, in its layer.
#[derive(Clone, Copy)]
pub(super) struct LevelLocation<'n, 'l> {
    pub(super) layer: &'l str,
    pub(super) provider: &'n Provider,
    pub(super) level: &'n Level,
    pub(super) location: &'n Location,
    pub(super) is_default: bool,
}

impl<'n> LevelLocation<'n, '_> {
    /// The level's name in its `hiera.yaml`.
    pub(super) fn level_name(&self) -> &'n str {
        let label: &'n str = &self.level.label;
        label.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"')).unwrap_or(label)
    }

    /// Returns whether the location exists.
    pub(super) fn exists(&self) -> bool {
        !matches!(self.location.kind, LocationKind::Path { exists: false, .. })
    }
}

impl Node {
    /// Returns the value of a key in every location of the node's hierarchies, the highest first.
    ///
    /// An error in one location is reported in [`Survey::found`].
    ///
    /// # Errors
    /// A hierarchy cannot be read.
    pub fn survey(&self, name: &str) -> Result<Vec<Survey>, Error> {
        self.survey_query(&Query::new(name))
    }

    /// Like [`survey`](Self::survey), for the first key of a query, with its budget and its setting for secrets.
    pub fn survey_query(&self, query: &Query<'_>) -> Result<Vec<Survey>, Error> {
        let name = query.names.first().copied().unwrap_or_default();
        let key = Key::parse(name)?;
        let request = LookupRequest::from_query(query);
        // The options of a key are the same in all locations.
        let hidden: OnceCell<Result<bool, Error>> = OnceCell::new();
        let hides = || hidden.get_or_init(|| self.hides(&key, &request)).clone();
        let mut surveys = Vec::new();
        self.for_each_location(key.module(), &query.budget, &mut |location| {
            surveys.push(Survey {
                layer: location.layer.to_string(),
                level: location.level_name().to_string(),
                configuration: location.provider.config.path.clone(),
                location: location.location.text(),
                exists: location.exists(),
                is_default: location.is_default,
                found: self.value_at(&location, &key, &request, &hides),
            });
        })?;
        Ok(surveys)
    }

    /// Visits every location in which a key of the module, or an unqualified key, is searched, the highest first.
    pub(super) fn for_each_location<'n>(
        &'n self,
        module: Option<&str>,
        budget: &Budget,
        visit: &mut dyn FnMut(LevelLocation<'n, '_>),
    ) -> Result<(), Error> {
        let layers = self.shared.layers();
        for rank in Rank::ALL {
            let layer = match rank {
                Rank::Global => Layer::Global,
                Rank::Environment => Layer::Environment,
                Rank::Module => match module.and_then(|name| layers.module_index(name)) {
                    Some(index) => Layer::Module(index),
                    None => continue,
                },
            };
            let Some(provider) = self.provider(layer)? else { continue };
            let called = match layer {
                Layer::Global => "global".to_string(),
                Layer::Environment => "environment".to_string(),
                Layer::Module(_) => format!("module {}", module.unwrap_or_default()),
            };
            let levels = self.levels(provider, budget)?;
            let regular = levels.hierarchy.iter().map(|level| (level, false));
            let defaults = levels.default_hierarchy.iter().map(|level| (level, true));
            for (level, is_default) in regular.chain(defaults) {
                for location in &level.locations {
                    visit(LevelLocation { layer: &called, provider, level, location, is_default });
                }
            }
        }
        self.fault().map_or(Ok(()), Err)
    }

    /// Returns whether the options of a key convert its value to Sensitive.
    fn hides(&self, key: &Key, request: &LookupRequest<'_>) -> Result<bool, Error> {
        let mut evaluator = Evaluator::new(self, Traced::default(), request);
        let options = evaluator.options_of(key)?;
        Ok(options.is_some_and(|own| own.convert.as_ref().is_some_and(|to| to.is_sensitive())))
    }

    /// Returns the value of a key in one location. It is already secret if it will be converted to Sensitive, as `hides`
    /// says.
    fn value_at(
        &self,
        location: &LevelLocation<'_, '_>,
        key: &Key,
        request: &LookupRequest<'_>,
        hides: &dyn Fn() -> Result<bool, Error>,
    ) -> Result<Option<Object>, Error> {
        let mut evaluator = Evaluator::new(self, Traced::default(), request);
        // Which parts a secret has is part of it, and so is whether it can be interpolated.
        let key_is_secret = evaluator.is_oblivious() && hides()?;
        let scope = LookupScope { key_is_secret, ..evaluator.scope.clone() };
        let found = evaluator.within(scope, |evaluator| {
            let Some(found) = evaluator.found_at(location, key)? else { return Ok(None) };
            evaluator.dig(key, if key_is_secret { found.as_secret() } else { found })
        });
        let Some(found) = found? else { return Ok(None) };
        Ok(Some(if key_is_secret || hides()? { found.as_secret() } else { found }))
    }

    /// Returns the value of a key in one location, every part with its origin, for callers that handle the conversion
    /// to Sensitive themselves.
    pub(super) fn raw_value_at(
        &self,
        location: &LevelLocation<'_, '_>,
        key: &Key,
        request: &LookupRequest<'_>,
    ) -> Result<Option<Object>, Error> {
        let mut evaluator = Evaluator::new(self, Traced::default(), request);
        match evaluator.found_at(location, key)? {
            Some(found) => evaluator.dig(key, found),
            None => Ok(None),
        }
    }
}

impl Evaluator<'_, Traced> {
    /// Returns the value of a key's root in a location.
    fn found_at(&mut self, level_location: &LevelLocation<'_, '_>, key: &Key) -> Result<Option<Object>, Error> {
        let LevelLocation { provider, level, location, .. } = *level_location;
        self.budget().step()?;
        let request = KeyRequest::new(key, key.module());
        self.checked(StackEntry::Key(key.text().clone()), |this| this.location(provider, level, location, request))
    }
}
