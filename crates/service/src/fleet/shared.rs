//! [`SharedAnswers`]: the answers that nodes share. Each is looked up and stored once.
//!
//! Equivalent nodes are one [class](Classes). An answer with the same sources and facts as an earlier one is
//! [reused](AnswerCache). Strings and lists are in a [`Pool`], which the next index takes over.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hieratic::dependencies::{DataDependency, NodeDependencies, node_fingerprint};
use hieratic::hiera::SourceId;
use hieratic::value::Str;
use hieratic::value::ids::{Fingerprint, TooManyIds};

use super::answers::{AnswerCache, AnswerDependencies, DependencyIndex, VariableValues};
use super::classes::{Class, Classes};
use super::ids::{AnswerId, ClassId, KeyId, PathId, ValueId, VariableId};
use super::plan::{PlanError, PlannedAnswers, PlannedNode, PlannedShapes, SharedPlan};
use super::pool::Pool;
use super::sources::SourceContents;
use super::template::{Bindings, Extractor};
use crate::lookups::{self, NodeContext};
use crate::nodes::exhausted;
use crate::problem::Problem;

/// The answers of all nodes so far.
#[derive(Default)]
pub(super) struct SharedAnswers {
    pub(super) pool: Pool,
    pub(super) sources: SourceContents,
    pub(super) classes: Classes,
    answers: AnswerCache,
    /// The answers of the sources that nodes share, by these sources and the options.
    plans: HashMap<Fingerprint, SharedPlan>,
    shapes: PlannedShapes,
}

impl SharedAnswers {
    /// Creates an empty table that takes over the pool and the classes of the previous index.
    pub(super) fn after(previous: SharedAnswers) -> SharedAnswers {
        SharedAnswers { pool: previous.pool, classes: Classes::after(previous.classes), ..SharedAnswers::default() }
    }

    /// Frees all that serves further nodes alone.
    pub(super) fn finish(&mut self) {
        (self.sources, self.answers) = Default::default();
        (self.plans, self.shapes) = Default::default();
    }

    /// Returns the approximate size, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.pool.bytes() + self.classes.bytes() + self.answers.bytes()
    }

    /// Returns the class of a node, and whether it is new.
    pub(super) fn class_of(
        &mut self,
        subject: &NodeContext<'_>,
        dependencies: &NodeDependencies,
    ) -> Result<(ClassId, bool), Problem> {
        let own = self.sources.read(dependencies, &mut self.pool)?;
        let variables = self.sources.variables(dependencies).into_iter();
        let valued = |name: Str| {
            let value = Fingerprint::new(&subject.node.mentioned(&name));
            (name, value)
        };
        let variables: VariableValues = variables.map(valued).collect();
        // Equal for nodes with the same answers.
        let fingerprint =
            (!dependencies.asks_code).then(|| Fingerprint::new(&(node_fingerprint(&[dependencies]), &variables)));
        if let Some(known) = fingerprint.and_then(|fingerprint| self.classes.known(fingerprint)) {
            return Ok((known, false));
        }
        let class = match fingerprint.and_then(|fingerprint| self.classes.previous(fingerprint)) {
            Some(previous) => previous,
            None => Arc::new(self.new_class(subject, dependencies, &variables, &own)?),
        };
        Ok((self.classes.add(fingerprint, class)?, true))
    }

    /// Looks up everything that a node answers.
    fn new_class(
        &mut self,
        subject: &NodeContext<'_>,
        dependencies: &NodeDependencies,
        variables: &VariableValues,
        own: &HashSet<SourceId>,
    ) -> Result<Class, Problem> {
        let mut values: Vec<(VariableId, String)> = Vec::new();
        for (name, _) in variables {
            let id = self.pool.variable_id(name)?;
            values.extend(subject.node.mentioned_text(name).map(|value| (id, value)));
        }
        let extractor = Extractor::new(values.clone());
        // Answers can be cached by their dependencies if no code computes them and all files are readable.
        let is_cacheable = !dependencies.asks_code && dependencies.places.iter().all(|place| place.fault.is_none());
        let node = PlannedNode { subject, variables, extractor: extractor.as_ref() };
        let planned = if is_cacheable { self.planned_answers(&node, dependencies, own)? } else { None };
        let (answered, bindings) = match planned {
            Some(PlannedAnswers { answered, inserted, extracted }) => {
                let bindings = self.bindings_for(extracted.into_iter(), inserted, values)?;
                (answered, bindings)
            }
            None => {
                let answered = if is_cacheable {
                    self.cached_answers(subject, dependencies, variables, extractor.as_ref())?
                } else {
                    self.separate_answers(subject, extractor.as_ref())?
                };
                let of_answers = answered.iter().map(|(_, answer)| *answer).collect::<Vec<_>>().into_iter();
                let bindings = self.bindings_for(of_answers, Vec::new(), values)?;
                (answered, bindings)
            }
        };
        let mut read: Vec<(PathId, PathId)> = Vec::new();
        for path in dependencies.places.iter().filter_map(|place| place.path.as_ref()) {
            let id = self.pool.path_id(path)?;
            read.push((id, id));
        }
        read.sort_unstable();
        read.dedup();
        Ok(Class {
            bindings,
            answers: self.pool.answer_lists.divide(&answered)?,
            files: self.pool.file_lists.divide(&read)?,
        })
    }

    /// Returns the answers of a node that shares most of its sources with others; `None` if it does not, or if the options depend on other
    /// keys.
    fn planned_answers(
        &mut self,
        node: &PlannedNode<'_>,
        dependencies: &NodeDependencies,
        own: &HashSet<SourceId>,
    ) -> Result<Option<PlannedAnswers>, Problem> {
        let Some(options) = DependencyIndex::options_of(dependencies, &self.sources, node.variables) else {
            return Ok(None);
        };
        let is_shared = |place: &&DataDependency| place.data.as_ref().is_some_and(|data| !own.contains(&data.id()));
        let places = dependencies.places.iter().filter(is_shared);
        let ids: Vec<(u64, u64)> =
            places.filter_map(|place| Some((place.place.as_u64(), place.data.as_ref()?.id().as_u64()))).collect();
        if ids.is_empty() {
            return Ok(None);
        }
        let fingerprint = Fingerprint::new(&(options.halves(), ids));
        if !self.plans.contains_key(&fingerprint) {
            let shared = NodeDependencies {
                places: dependencies.places.iter().filter(is_shared).cloned().collect(),
                ..dependencies.clone()
            };
            let (sources, budget) = (&self.sources, node.subject.budget);
            let plan = SharedPlan::new(fingerprint, options, &shared, sources, node.variables, &self.pool, budget);
            if self.plans.len() >= MAX_PLANS {
                self.plans.clear();
            }
            self.plans.insert(fingerprint, plan.map_err(exhausted)?);
        }
        let SharedAnswers { pool, sources, answers, plans, shapes, .. } = self;
        let Some(plan) = plans.get_mut(&fingerprint) else { return Ok(None) };
        let own_places = dependencies.places.iter().filter(|place| !is_shared(place));
        let of_sources: Vec<KeyId> = own_places.flat_map(|place| sources.keys_at(place, pool)).collect();
        // A node with many separate keys shares little.
        if of_sources.len() > plan.len() {
            return Ok(None);
        }
        let own_keys = plan.own_keys(of_sources.into_iter());
        match plan.answers(node, &own_keys, pool, shapes, answers) {
            Ok(result) => Ok(Some(result)),
            Err(PlanError::Exhausted(limit)) => Err(exhausted(limit)),
            Err(PlanError::TooManyIds(error)) => Err(error.into()),
        }
    }

    /// Returns the answers of a node by key, and reuses those with known dependencies.
    fn cached_answers(
        &mut self,
        subject: &NodeContext<'_>,
        dependencies: &NodeDependencies,
        variables: &VariableValues,
        extractor: Option<&Extractor>,
    ) -> Result<Vec<(KeyId, AnswerId)>, Problem> {
        let SharedAnswers { pool, sources, answers, .. } = self;
        let mut answered = Vec::new();
        let index = DependencyIndex::new(dependencies, sources, variables, pool);
        for key in index.keys() {
            let AnswerDependencies { fingerprint, variables, .. } =
                index.answer(key, subject.budget).map_err(exhausted)?;
            let known = fingerprint.and_then(|fingerprint| answers.get(fingerprint));
            let answer = match known {
                Some(known) => known,
                None => {
                    let answer = look_up(pool, subject, key, extractor.filter(|_| variables.is_some()))?;
                    // The variables of its placeholders have to be part of the fingerprint.
                    let is_covered = answer.is_none_or(|answer| has_only_variables(pool, answer, variables.as_ref()));
                    if let Some(fingerprint) = fingerprint.filter(|_| is_covered) {
                        answers.keep(key, fingerprint, answer);
                    }
                    answer
                }
            };
            answered.extend(answer.map(|answer| (key, answer)));
        }
        Ok(answered)
    }

    /// Looks up all keys of a node whose dependencies are unknown.
    fn separate_answers(
        &mut self,
        subject: &NodeContext<'_>,
        extractor: Option<&Extractor>,
    ) -> Result<Vec<(KeyId, AnswerId)>, Problem> {
        let mut answered = Vec::new();
        for key in lookups::keys(subject, "", None, usize::MAX)?.0 {
            subject.budget.step().map_err(exhausted)?;
            let key = self.pool.key_id(&key)?;
            answered.extend(look_up(&mut self.pool, subject, key, extractor)?.map(|answer| (key, answer)));
        }
        answered.sort_unstable();
        Ok(answered)
    }

    /// Returns the values of a node for the placeholders in some answers, and the values that others insert.
    fn bindings_for(
        &mut self,
        answers: impl Iterator<Item = AnswerId>,
        inserted: Vec<(VariableId, ValueId)>,
        values: Vec<(VariableId, String)>,
    ) -> Result<Arc<Bindings>, TooManyIds> {
        let templates = answers.map(|answer| &self.pool.answers[answer].template);
        let placeholders: HashSet<VariableId> = templates.flat_map(|template| template.variables()).collect();
        let mut bindings = inserted;
        for (variable, value) in values.into_iter().filter(|(variable, _)| placeholders.contains(variable)) {
            bindings.push((variable, self.pool.value_id(&value)?));
        }
        bindings.sort_unstable();
        Ok(bindings.into())
    }
}

/// The maximum number of plans: there are as many as combinations of shared sources.
const MAX_PLANS: usize = 2000;

/// Looks a key up for a node, and returns the answer; `None` if the key has no value.
pub(super) fn look_up(
    pool: &mut Pool,
    subject: &NodeContext<'_>,
    key: KeyId,
    extractor: Option<&Extractor>,
) -> Result<Option<AnswerId>, TooManyIds> {
    let Some(found) = lookups::summary(subject, &hieratic::lookup::quoted_key(&pool.keys[key])) else {
        return Ok(None);
    };
    let position = found.place.as_ref().map(|(path, line)| (path.as_path(), *line));
    pool.answer_id(key, &found.text, extractor, found.is_fault, position).map(Some)
}

/// Returns whether all placeholders of an answer are among some variables.
fn has_only_variables(pool: &Pool, answer: AnswerId, variables: Option<&HashSet<&str>>) -> bool {
    let is_among = |id| variables.is_some_and(|variables| variables.contains(&*pool.variables[id]));
    pool.answers[answer].template.variables().all(is_among)
}
