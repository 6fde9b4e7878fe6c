//! The inputs of [`Why`](crate::Why): the value before its conversion, and the rule that merged it.

use std::path::Path;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_json::Position;
use hieratic_value::{Str, Value};

use super::evaluator::Evaluator;
use super::mode::{Mode, OptionsFor, Traced};
use super::request::LookupRequest;
use crate::Error;
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::Layer;
use crate::merge::Strategy;
use crate::node::Node;
use crate::object::{Object, Origin};

/// A value as it was merged.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    pub(crate) value: Option<Object>,
    pub(crate) strategy: Strategy,
    pub(crate) chosen_by: ChosenBy,
    /// The key or pattern of the options that apply.
    pub(crate) rule: Option<Str>,
    pub(crate) convert_to: Option<Value>,
    pub(crate) hides: bool,
}

/// The source that chose the merge strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// No source chose one: the first value is the answer.
    Nobody,
    /// The caller of the lookup.
    Caller,
    /// The data's `lookup_options`.
    Options,
}

/// The value of a key in one location, with its position.
#[derive(Debug)]
pub(crate) struct LocatedSurvey {
    pub(crate) layer: String,
    pub(crate) level: String,
    pub(crate) location: Option<String>,
    pub(crate) exists: bool,
    pub(crate) is_default: bool,
    pub(crate) place: Option<Origin>,
    pub(crate) found: Result<Option<Object>, Error>,
}

impl Node {
    /// Returns the value of a key before its conversion, with the options that apply to it.
    pub(crate) fn raw_answer(&self, name: &str, request: &LookupRequest<'_>) -> Result<RawAnswer, Error> {
        let key = Key::parse(name)?;
        let mut evaluator = Evaluator::new(self, Traced::default(), request);
        let value = evaluator.lookup(name, request.merge)?;
        let index = key.module().and_then(|module| self.shared.layers().module_index(module));
        let options = |which| evaluator.mode.options(&self.options, &which);
        // A module's default hierarchy has its own options, which are only found if it is searched.
        let of_defaults = index.and_then(|index| options(OptionsFor::Defaults(index)));
        let options = of_defaults.or_else(|| options(evaluator.options_for(&key)));
        let own = options.as_ref().and_then(|options| options.get(&key));
        let from_options = own.and_then(|own| own.merge.as_ref());
        let (strategy, chosen_by) = match (request.merge, from_options) {
            (Some(merge), _) => (merge.map_err(Error::clone)?.clone(), ChosenBy::Caller),
            (None, Some(merge)) => (merge.clone()?, ChosenBy::Options),
            (None, None) => (Strategy::none().clone(), ChosenBy::Nobody),
        };
        let conversion = own.and_then(|own| own.convert.as_ref());
        Ok(RawAnswer {
            value,
            strategy,
            chosen_by,
            rule: options.as_ref().and_then(|options| options.rule(key.root())),
            convert_to: conversion.map(|conversion| match &conversion.arguments[..] {
                [] => conversion.source.clone(),
                arguments => std::iter::once(&conversion.source).chain(arguments).cloned().collect(),
            }),
            hides: conversion.is_some_and(|conversion| conversion.is_sensitive()),
        })
    }

    /// Returns whether the options of a key make its value Sensitive, or may do so in the default hierarchy of its module.
    pub(crate) fn options_may_hide(&self, name: &str, request: &LookupRequest<'_>) -> Result<bool, Error> {
        let key = Key::parse(name)?;
        let module = key.module().and_then(|module| self.shared.layers().module_index(module));
        let provider = module.map_or(Ok(None), |index| self.provider(Layer::Module(index)))?;
        if provider.is_some_and(|provider| provider.config.default_hierarchy.is_some()) {
            return Ok(true);
        }
        let options = Evaluator::new(self, Traced::default(), request).options_of(&key)?;
        let conversion = options.as_ref().and_then(|options| options.convert.as_ref());
        Ok(conversion.is_some_and(|conversion| conversion.is_sensitive()))
    }

    /// Returns the value of a key in every location, with its position.
    pub(crate) fn survey_located(&self, name: &str, request: &LookupRequest<'_>) -> Result<Vec<LocatedSurvey>, Error> {
        let key = Key::parse(name)?;
        let mut all = Vec::new();
        self.for_each_location(key.module(), request.budget, &mut |location| {
            let found = self.raw_value_at(&location, &key, request);
            // An unreadable source has no position for it: `found` has the error.
            let place = location
                .location
                .data
                .get()
                .and_then(|data| data.as_ref().ok()?.as_ref()?.position_of_key(&[key.root()]));
            let place = place.map(place_in).or_else(|| found.as_ref().ok()?.as_ref()?.origin().cloned());
            all.push(LocatedSurvey {
                layer: location.layer.to_string(),
                level: location.level_name().to_string(),
                location: location.location.text(),
                exists: location.exists(),
                is_default: location.is_default,
                place,
                found,
            });
        })?;
        Ok(all)
    }

    /// Returns the positions of an entry of `lookup_options` that applies to a key, the highest level first.
    pub(crate) fn options_places(
        &self,
        name: &str,
        rule: &str,
        is_default: bool,
        budget: &Budget,
    ) -> Result<Vec<Origin>, Error> {
        let key = Key::parse(name)?;
        let mut places = Vec::new();
        self.for_each_location(key.module(), budget, &mut |location| {
            if location.is_default == is_default
                && let Some(Ok(Some(data))) = location.location.data.get()
                && let Some(place) = data.position_of_key(&[LOOKUP_OPTIONS, rule])
            {
                places.push(place_in(place));
            }
        })?;
        Ok(places)
    }
}

fn place_in((file, at): (&Arc<Path>, Position)) -> Origin {
    Origin::File { file: file.clone(), line: at.line, column: at.column }
}
