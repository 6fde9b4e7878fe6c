//! [`Why`]: the reasons for an answer.
//!
//! An explanation lists every step. This summary lists the levels that contributed, the status of each contribution,
//! the rule of `lookup_options` that applied and its position, and the number of locations without the key. The lookup
//! itself runs once; each level is searched separately ([`Survey`](crate::Survey)), and the origins of the parts
//! connect both.

mod provenance;

use hieratic_budget::Budget;
use hieratic_value::{Hash, Value};

use crate::Error;
use crate::lookup::{ChosenBy, LocatedSurvey, LookupRequest, RawAnswer};
use crate::node::Node;
use crate::object::{Object, Origin};
use crate::query::{Answer, Query};

pub use provenance::{Part, PartStatus};

/// The reasons for an answer.
#[derive(Debug)]
pub struct Why {
    /// The key.
    pub key: String,
    /// The answer, converted and checked, or the error.
    pub answer: Result<Answer, Error>,
    /// The merge rule.
    pub merge: MergeRule,
    /// The entry of `lookup_options` that applied.
    pub rule: Option<OptionsRule>,
    /// The conversion of the merged value: the option `convert_to`.
    pub convert_to: Option<Value>,
    /// Whether the conversion makes the value Sensitive.
    pub hides: bool,
    /// The levels that contributed to the answer, the highest first.
    pub layers: Vec<Layer>,
    /// The levels that define the key and contribute nothing.
    pub hidden: Vec<Layer>,
    /// The levels that failed, with the error. A lookup of the first value does not search lower levels, so their
    /// errors do not matter.
    pub faulty: Vec<(String, Error)>,
    /// The counts of other locations in the hierarchy.
    pub rest: Rest,
}

/// The rule that merged the values.
#[derive(Clone, Debug)]
pub struct MergeRule {
    /// The name of the strategy. `default` if none was chosen: the first value is the answer.
    pub strategy: &'static str,
    /// Its options.
    pub options: Hash,
    /// The source that chose the strategy.
    pub chosen_by: ChosenBy,
}

/// The entry of `lookup_options` that applied to a key.
#[derive(Clone, Debug)]
pub struct OptionsRule {
    /// The key or the pattern, as written.
    pub text: String,
    /// Whether it is a pattern.
    pub is_pattern: bool,
    /// The position of the entry.
    pub place: Option<Origin>,
    /// The positions of entries for the same key or pattern that a higher level overrides.
    pub overridden: Vec<Origin>,
}

/// A level that defines the key.
#[derive(Clone, Debug)]
pub struct Layer {
    /// `global`, `environment`, or `module` with its name.
    pub layer: String,
    /// The level's name in its `hiera.yaml`.
    pub level: String,
    /// The file or address, or `None` if only the level's function knows.
    pub location: Option<String>,
    /// The position of the key.
    pub place: Option<Origin>,
    /// The value of this level.
    pub value: Object,
    /// The parts with their status.
    pub parts: Vec<Part>,
}

/// The counts of other locations in the hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// The number of all locations in the hierarchies.
    pub places: usize,
    /// The number of locations that do not exist.
    pub missing: usize,
    /// The number of existing locations without the key.
    pub silent: usize,
}

impl Node {
    /// Returns the reasons for the answer to a query.
    ///
    /// Only the first name of the query is used. Lines are only known if positions are recorded
    /// ([`Shared::new`](crate::Shared::new)).
    pub fn why(&self, query: &Query<'_>) -> Why {
        let name = query.names.first().copied().unwrap_or_default();
        let one = Query { names: vec![name], ..query.clone() };
        let answer = self.lookup_traced(&one);
        let mut reason = Why {
            key: name.to_string(),
            answer,
            merge: MergeRule { strategy: "default", options: Hash::default(), chosen_by: ChosenBy::Nobody },
            rule: None,
            convert_to: None,
            hides: false,
            layers: Vec::new(),
            hidden: Vec::new(),
            faulty: Vec::new(),
            rest: Rest::default(),
        };
        if query.overrides.get(name).is_some() {
            return reason;
        }
        // If a hierarchy cannot be read, the answer itself is the error.
        let request = LookupRequest::from_query(&one).before_conversion();
        let Ok(raw) = self.raw_answer(name, &request) else { return reason };
        let Ok(surveys) = self.survey_located(name, &request) else { return reason };
        let is_default = surveys.iter().all(|survey| survey.is_default || !matches!(survey.found, Ok(Some(_))));
        reason.take_options(&raw, &self.rule_places(name, &raw, is_default, &query.budget));
        reason.take_layers(surveys, &raw, is_default);
        reason
    }

    /// Returns whether `lookup_options` make the value of a key Sensitive, or may do so in the default hierarchy of its module.
    /// The lookup itself may fail.
    ///
    /// # Errors
    /// The options cannot be read.
    pub fn may_hide(&self, query: &Query<'_>) -> Result<bool, Error> {
        let name = query.names.first().copied().unwrap_or_default();
        self.options_may_hide(name, &LookupRequest::from_query(query))
    }

    /// Returns the positions of the rule that applied, the effective one first.
    fn rule_places(&self, name: &str, raw: &RawAnswer, is_default: bool, budget: &Budget) -> Vec<Origin> {
        match &raw.rule {
            // The answer exists; a limit only removes the position of its rule from the report.
            Some(rule) => self.options_places(name, rule, is_default, budget).unwrap_or_default(),
            None => Vec::new(),
        }
    }
}

impl Why {
    fn take_options(&mut self, raw: &RawAnswer, places: &[Origin]) {
        let strategy = &raw.strategy;
        self.merge =
            MergeRule { strategy: strategy.name(), options: strategy.options().clone(), chosen_by: raw.chosen_by };
        self.convert_to = raw.convert_to.clone();
        self.hides = raw.hides;
        self.rule = raw.rule.as_ref().map(|text| OptionsRule {
            text: text.to_string(),
            is_pattern: text.starts_with('^'),
            place: places.first().cloned(),
            overridden: places.iter().skip(1).cloned().collect(),
        });
    }

    fn take_layers(&mut self, surveys: Vec<LocatedSurvey>, raw: &RawAnswer, is_default: bool) {
        let mut layers = Vec::new();
        for survey in surveys {
            self.rest.places += 1;
            if !survey.exists {
                self.rest.missing += 1;
                continue;
            }
            let found = match survey.found {
                Ok(Some(found)) => found,
                Ok(None) => {
                    self.rest.silent += 1;
                    continue;
                }
                Err(error) => {
                    self.faulty.push((survey.location.unwrap_or(survey.level), error));
                    continue;
                }
            };
            let is_searched = survey.is_default == is_default && (layers.is_empty() || !raw.strategy.stops_at_first());
            let layer = Layer {
                layer: survey.layer,
                level: survey.level,
                location: survey.location,
                place: survey.place,
                value: found,
                parts: Vec::new(),
            };
            if is_searched { layers.push(layer) } else { self.hidden.push(layer) }
        }
        if let Some(merged) = &raw.value {
            let values: Vec<&Object> = layers.iter().map(|layer| &layer.value).collect();
            let parts = provenance::track_parts(&values, merged, &raw.strategy);
            for (layer, parts) in layers.iter_mut().zip(parts) {
                layer.parts = parts;
            }
        }
        self.layers = layers;
    }
}
