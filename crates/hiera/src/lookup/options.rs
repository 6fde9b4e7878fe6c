//! Finds the `lookup_options` of a key: those of the global layer and the environment, and those of the key's module.

use std::sync::Arc;

use super::MergeArgument;
use super::evaluator::{Evaluator, KeyRequest};
use super::mode::{Mode, OptionsFor};
use super::request::PassedValues;
use super::scope::LookupScope;
use crate::Error;
use crate::datum::Datum;
use crate::explain::{Event, StepKind};
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::{Layer, Rank};
use crate::merge::Strategy;
use crate::node::OptionsOfLayers;
use crate::options::{KeyOptionsRef, LookupOptions, validate};

impl<'n, M: Mode> Evaluator<'n, M> {
    /// Returns the options of a key, if it has any. Values that were passed with the query do not affect them, because
    /// they are cached for all queries.
    pub(super) fn options_of(&mut self, key: &Key) -> Result<Option<KeyOptionsRef<'n>>, Error> {
        let which = self.options_for(key);
        let cache = self.options_cache();
        if let Some(known) = self.mode.borrowed_options(cache, &which) {
            return Ok(known.get(key).map(|options| KeyOptionsRef::Borrowed(options)));
        }
        let options = match self.mode.options(cache, &which) {
            Some(known) => known,
            None => {
                let search = |this: &mut Self| {
                    this.explained(
                        || StepKind::Search { key: LOOKUP_OPTIONS.into() },
                        |this| this.find_options(key.module()),
                    )
                };
                let (found, is_open) = self.watch_openness(|this| this.without_passed_values(search));
                let found = found?;
                self.mode.keep_options(is_open.then_some(cache), which, found.clone());
                found
            }
        };
        Ok(options.get(key).cloned().map(KeyOptionsRef::Owned))
    }

    /// Returns the merge strategy of a key: that of the query, or of its options.
    pub(crate) fn strategy_of(&mut self, name: &str, merge: MergeArgument<'_>) -> Result<Strategy, Error> {
        if let Some(merge) = merge {
            return merge.map_err(Error::clone).cloned();
        }
        let options = self.options_of(&Key::parse(name)?)?;
        match options.as_ref().and_then(|options| options.merge.as_ref()) {
            Some(merge) => merge.clone(),
            None => Ok(Strategy::none().clone()),
        }
    }

    /// Returns the options that the node caches. Those that depend on secrets are not cached for lookups that conceal
    /// secrets, so these have a separate cache.
    fn options_cache(&self) -> &'n OptionsOfLayers {
        if M::TRACES && self.is_oblivious() { self.node.open_options() } else { &self.node.options }
    }

    /// Runs a search for options, and returns whether other lookups can use them: always, unless secrets are concealed
    /// and the search read one, marked one, or recorded something that each lookup must record.
    fn watch_openness<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        if !M::TRACES || !self.is_oblivious() {
            return (search(self), true);
        }
        let notes = self.notes();
        let outer_has_hidden = std::mem::take(&mut self.record.has_hidden_options);
        let ((outcome, has_read_secret), is_sensitive) = self.watch_sensitive(|this| this.watch_secrets(search));
        self.record.is_sensitive |= is_sensitive;
        let has_hidden = self.record.has_hidden_options;
        self.record.has_hidden_options |= outer_has_hidden;
        let is_secret = has_read_secret || is_sensitive || has_hidden || self.scope.key_is_secret;
        (outcome, !is_secret && notes == self.notes())
    }

    /// Runs a step without the values that were passed with the query.
    fn without_passed_values<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> T {
        let scope = LookupScope { passed: PassedValues::default(), ..self.scope.clone() };
        self.within(scope, step)
    }

    /// Returns whose options apply to a key.
    pub(super) fn options_for(&self, key: &Key) -> OptionsFor {
        match key.module() {
            None => OptionsFor::Unqualified,
            Some(name) => match self.node.shared.layers().module_index(name) {
                Some(index) => OptionsFor::Module(index),
                None if M::TRACES => OptionsFor::Missing(name.into()),
                None => OptionsFor::Unqualified,
            },
        }
    }

    fn find_options(&mut self, module: Option<&str>) -> Result<Arc<LookupOptions>, Error> {
        if self.scope.is_global() {
            let options = self.global_options(module)?;
            return self.compiled(options.as_ref());
        }
        let outside = self.environment_options(module)?;
        let Some(name) = module else { return self.compiled(outside.as_ref()) };
        self.cache_for_unqualified(outside.as_ref())?;
        let strategy = Strategy::hash();
        let key = Key::lookup_options();
        let request = KeyRequest::new(&key, module);
        let Some(inside) = self.module_layer(request, &strategy)?.filter(|found| !found.is_undef()) else {
            return self.compiled(outside.as_ref());
        };
        validate(&inside.to_value(), Some(name))?;
        let Some(outside) = outside else { return self.compiled(Some(&inside)) };
        let sides = [("Global and Environment".to_string(), outside), (format!("Module {name}"), inside)];
        let merged = self.merged(&strategy, &sides, |this, (label, options)| {
            this.explained(
                || StepKind::Scope { name: label.as_str().into() },
                |this| {
                    this.mode.found(Event::Found, || LOOKUP_OPTIONS.into(), options);
                    Ok(Some(options.clone()))
                },
            )
        })?;
        self.compiled(merged.as_ref())
    }

    /// Caches the options of unqualified keys, which are found on the way to those of a module.
    fn cache_for_unqualified(&mut self, outside: Option<&M::V>) -> Result<(), Error> {
        let cache = self.options_cache();
        if M::TRACES && self.mode.options(cache, &OptionsFor::Unqualified).is_none() {
            let options = self.compiled(outside)?;
            // Whether a secret was read is only known when the search is complete.
            self.mode.keep_options((!self.is_oblivious()).then_some(cache), OptionsFor::Unqualified, options);
        }
        Ok(())
    }

    fn global_options(&mut self, module: Option<&str>) -> Result<Option<M::V>, Error> {
        let node = self.node;
        if let Some(known) = self.mode.global_options(&node.options) {
            return Ok(known);
        }
        if self.scope.in_global_options {
            return Ok(None);
        }
        let scope = LookupScope { in_global_options: true, ..self.scope.clone() };
        let found = self.within(scope, |this| this.options_in(Rank::Global, module))?;
        self.mode.keep_global_options(&node.options, found.clone());
        Ok(found)
    }

    /// The options of the environment, with those of the global layer laid over them.
    fn environment_options(&mut self, module: Option<&str>) -> Result<Option<M::V>, Error> {
        let node = self.node;
        if let Some(known) = self.mode.environment_options(&node.options) {
            return Ok(known);
        }
        let global = self.global_options(module)?;
        let own = self.options_in(Rank::Environment, module)?;
        let both = match (global, own) {
            (Some(global), Some(own)) => Some(M::V::merge(&Strategy::hash(), global, own)?),
            (one, other) => one.or(other),
        };
        self.mode.keep_environment_options(&node.options, both.clone());
        Ok(both)
    }

    fn options_in(&mut self, rank: Rank, module: Option<&str>) -> Result<Option<M::V>, Error> {
        let key = Key::lookup_options();
        let request = KeyRequest::new(&key, module);
        // Null options count as absent.
        let found = self.layer(rank, request, &Strategy::hash())?.filter(|found| !found.is_undef());
        if let Some(found) = &found {
            validate(&found.to_value(), None)?;
        }
        Ok(found)
    }

    /// Searches the default hierarchy of the key's module, which has its own options.
    pub(super) fn find_in_defaults(&mut self, request: KeyRequest<'_>) -> Result<Option<M::V>, Error> {
        let node = self.node;
        let Some(name) = request.module else { return Ok(None) };
        let Some(index) = node.shared.layers().module_index(name) else { return Ok(None) };
        let Some(provider) = node.provider(Layer::Module(index))? else { return Ok(None) };
        if provider.config.default_hierarchy.is_none() {
            return Ok(None);
        }
        self.explained(
            || StepKind::Scope { name: format!("Searching default_hierarchy of module \"{name}\"").into() },
            |this| {
                let which = OptionsFor::Defaults(index);
                let cache = this.options_cache();
                let options = match this.mode.options(cache, &which) {
                    Some(known) => known,
                    None => {
                        let search = |this: &mut Self| {
                            this.explained(
                                || StepKind::Scope { name: format!("Searching for \"{LOOKUP_OPTIONS}\"").into() },
                                |this| {
                                    let key = Key::lookup_options();
                                    let request = KeyRequest::new(&key, Some(name));
                                    let found = this.without_passed_values(|this| {
                                        this.find_in_default_levels(provider, request, &Strategy::hash())
                                    })?;
                                    if let Some(found) = found.as_ref().filter(|found| !found.is_undef()) {
                                        validate(&found.to_value(), Some(name))?;
                                    }
                                    this.compiled(found.as_ref())
                                },
                            )
                        };
                        let (found, is_open) = this.watch_openness(search);
                        let found = found?;
                        this.mode.keep_options(is_open.then_some(cache), which, found.clone());
                        found
                    }
                };
                let own = options.get(request.key);
                if let Some(error) = own.and_then(|own| own.fault.clone()) {
                    return Err(error);
                }
                let strategy = match own.and_then(|own| own.merge.as_ref()) {
                    Some(strategy) => strategy.as_ref().map_err(Error::clone)?,
                    None => Strategy::none(),
                };
                this.explained(
                    || StepKind::Scope { name: format!("Searching for \"{}\"", request.key.text()).into() },
                    |this| this.find_in_default_levels(provider, request, strategy),
                )
            },
        )
    }
}

impl<M: Mode> Evaluator<'_, M> {
    /// Compiles options, through a cache that all nodes share.
    fn compiled(&mut self, options: Option<&M::V>) -> Result<Arc<LookupOptions>, Error> {
        self.record.has_hidden_options |= options.is_some_and(Datum::has_hidden);
        match options.map(Datum::to_value) {
            Some(hieratic_value::Value::Hash(hash)) => self.node.shared.options.get_or_compile(&hash),
            _ => Ok(Arc::default()),
        }
    }
}
