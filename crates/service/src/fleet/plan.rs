//! [`SharedPlan`]: the common answers of nodes that read the same sources, except for a few private ones.
//!
//! Most nodes read the same files and one or two that no other node reads. The answers of the shared files are planned
//! once: an answer that depends on nothing else is equal for all nodes, and one with variables is a template with the
//! values of each node. Only the keys of a node's own sources, and keys that depend on them, are looked up for each
//! node.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hieratic::budget::{Budget, Exhausted};
use hieratic::dependencies::{AnswerPart, InsertedVariable, NodeDependencies};
use hieratic::value::Str;
use hieratic::value::ids::{Fingerprint, TooManyIds};
use hieratic::value::text::REDACTED;

use super::answers::{AnswerDependencies, DependencyIndex, VariableValues};
use super::ids::{AnswerId, KeyId, ValueId, VariableId};
use super::pool::Pool;
use super::shared::look_up;
use super::sources::SourceContents;
use crate::lookups::{self, NodeContext};

/// The answers of all nodes that share some sources. Each is looked up when the first node needs it.
pub(super) struct SharedPlan {
    fingerprint: Fingerprint,
    /// Sorted by key.
    entries: Vec<(KeyId, PlannedAnswer)>,
    /// For each key that the values of others mention, those others.
    dependents: HashMap<KeyId, Vec<KeyId>>,
}

/// An answer of the shared sources.
#[derive(Clone)]
enum PlannedAnswer {
    /// It was not needed yet. Its dependencies without the values of variables, and these variables; `None` if they are not completely known.
    Unknown(Option<(Fingerprint, Box<[Str]>)>),
    /// It is the same for all nodes; `None` inside is a key without a value.
    Fixed(Option<AnswerId>),
    /// It is the same except for the values of variables.
    Inserted(AnswerId, Arc<[(VariableId, InsertedVariable)]>),
    /// It depends on variables in another way.
    Varying(Box<[Str]>),
    /// It depends on more than is known.
    Single,
}

/// The answers of all plans by their dependencies without the values of variables: plans share most of them.
#[derive(Default)]
pub(super) struct PlannedShapes(HashMap<Fingerprint, PlannedAnswer>);

/// The answers of a node, and the values that it inserts into templates.
#[derive(Default)]
pub(super) struct PlannedAnswers {
    /// Sorted by key.
    pub(super) answered: Vec<(KeyId, AnswerId)>,
    /// The values that the answers insert.
    pub(super) inserted: Vec<(VariableId, ValueId)>,
    /// The answers that have placeholders of the values of the node.
    pub(super) extracted: Vec<AnswerId>,
}

/// The node whose answers are taken from a plan.
pub(super) struct PlannedNode<'n> {
    pub(super) subject: &'n NodeContext<'n>,
    pub(super) variables: &'n VariableValues,
    pub(super) extractor: Option<&'n super::template::Extractor>,
}

/// The reason why a plan cannot be followed to its end.
pub(super) enum PlanError {
    Exhausted(Exhausted),
    TooManyIds(TooManyIds),
}

impl From<Exhausted> for PlanError {
    fn from(error: Exhausted) -> PlanError {
        PlanError::Exhausted(error)
    }
}

impl From<TooManyIds> for PlanError {
    fn from(error: TooManyIds) -> PlanError {
        PlanError::TooManyIds(error)
    }
}

impl SharedPlan {
    /// Plans the answers of shared sources. `shared` has their places alone, and `options` covers all lookup options of the nodes, which
    /// their separate sources may have set.
    pub(super) fn new(
        fingerprint: Fingerprint,
        options: Fingerprint,
        shared: &NodeDependencies,
        sources: &SourceContents,
        variables: &VariableValues,
        pool: &Pool,
        budget: &Budget,
    ) -> Result<SharedPlan, Exhausted> {
        let index = DependencyIndex::new(shared, sources, variables, pool);
        let mut entries = Vec::new();
        let mut dependents: HashMap<KeyId, Vec<KeyId>> = HashMap::new();
        for key in index.keys() {
            let AnswerDependencies { shape, variables, keys, .. } = index.answer(key, budget)?;
            for mentioned in keys.into_iter().filter(|mentioned| *mentioned != key) {
                dependents.entry(mentioned).or_default().push(key);
            }
            let names = || {
                let mut names: Vec<Str> = variables.iter().flatten().map(|name| (*name).into()).collect();
                names.sort_unstable();
                names.into_boxed_slice()
            };
            entries.push((
                key,
                PlannedAnswer::Unknown(
                    shape.map(|shape| (Fingerprint::new(&(options.halves(), shape.halves())), names())),
                ),
            ));
        }
        Ok(SharedPlan { fingerprint, entries, dependents })
    }

    /// Returns the number of keys of the shared sources.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the keys that a node answers for itself: those of its separate sources, and those that depend on them.
    pub(super) fn own_keys(&self, of_sources: impl Iterator<Item = KeyId>) -> HashSet<KeyId> {
        let mut own: HashSet<KeyId> = of_sources.collect();
        // A key that mentions others is listed under each of them, however far away.
        let dependent: Vec<KeyId> = own.iter().filter_map(|key| self.dependents.get(key)).flatten().copied().collect();
        own.extend(dependent);
        own
    }

    /// Returns the answers of a node. `cache` has answers that depend on the values of variables.
    pub(super) fn answers(
        &mut self,
        node: &PlannedNode<'_>,
        own: &HashSet<KeyId>,
        pool: &mut Pool,
        shapes: &mut PlannedShapes,
        cache: &mut super::answers::AnswerCache,
    ) -> Result<PlannedAnswers, PlanError> {
        let mut result = PlannedAnswers::default();
        let mut values: HashMap<VariableId, Option<ValueId>> = HashMap::new();
        let fingerprint = self.fingerprint;
        for (key, planned) in self.entries.iter_mut().filter(|(key, _)| !own.contains(key)) {
            if let PlannedAnswer::Unknown(dependencies) = planned {
                node.subject.budget.step()?;
                *planned = match dependencies.take() {
                    None => PlannedAnswer::Single,
                    Some((shape, variables)) => match shapes.0.get(&shape) {
                        Some(known) => known.clone(),
                        None => {
                            let result = plan_answer(node.subject, *key, variables, pool)?;
                            shapes.0.insert(shape, result.clone());
                            result
                        }
                    },
                };
            }
            match planned {
                PlannedAnswer::Fixed(answer) => result.answered.extend(answer.map(|answer| (*key, answer))),
                PlannedAnswer::Inserted(answer, variables) => {
                    let mut has_all = true;
                    for (id, variable) in variables.iter() {
                        let value = match values.get(id) {
                            Some(known) => *known,
                            None => {
                                let value = match inserted_text(node.subject, variable) {
                                    Some(text) => Some(pool.value_id(&text)?),
                                    None => None,
                                };
                                result.inserted.extend(value.map(|value| (*id, value)));
                                values.insert(*id, value);
                                value
                            }
                        };
                        has_all &= value.is_some();
                    }
                    if has_all {
                        result.answered.push((*key, *answer));
                    } else {
                        result.look_up(node, *key, pool)?;
                    }
                }
                PlannedAnswer::Varying(names) => {
                    let of_names: Vec<Option<[u64; 2]>> =
                        names.iter().map(|name| value_of(node.variables, name)).collect();
                    let dependencies = Fingerprint::new(&(fingerprint.halves(), *key, of_names));
                    match cache.get(dependencies) {
                        Some(known) => {
                            result.extracted.extend(known);
                            result.answered.extend(known.map(|answer| (*key, answer)));
                        }
                        None => {
                            let answer = look_up(pool, node.subject, *key, node.extractor)?;
                            let has_only = |answer: AnswerId| {
                                let template = &pool.answers[answer].template;
                                template.variables().all(|id| names.iter().any(|name| **name == *pool.variables[id]))
                            };
                            // The variables of its placeholders have to be part of the fingerprint.
                            if answer.is_none_or(has_only) {
                                cache.keep(*key, dependencies, answer);
                            }
                            result.extracted.extend(answer);
                            result.answered.extend(answer.map(|answer| (*key, answer)));
                        }
                    }
                }
                PlannedAnswer::Single | PlannedAnswer::Unknown(_) => result.look_up(node, *key, pool)?,
            }
        }
        for key in own {
            result.look_up(node, *key, pool)?;
        }
        result.answered.sort_unstable();
        Ok(result)
    }
}

impl PlannedAnswers {
    /// Looks a key up for this node alone.
    fn look_up(&mut self, node: &PlannedNode<'_>, key: KeyId, pool: &mut Pool) -> Result<(), PlanError> {
        node.subject.budget.step()?;
        let answer = look_up(pool, node.subject, key, node.extractor)?;
        self.extracted.extend(answer);
        self.answered.extend(answer.map(|answer| (key, answer)));
        Ok(())
    }
}

/// Returns the fingerprint of the value of a variable on a node.
fn value_of(variables: &VariableValues, name: &Str) -> Option<[u64; 2]> {
    let at = variables.binary_search_by(|(known, _)| known.cmp(name)).ok()?;
    variables.get(at).map(|(_, value)| value.halves())
}

/// Looks an answer of the shared sources up on a node, and derives those of the others.
fn plan_answer(
    subject: &NodeContext<'_>,
    key: KeyId,
    variables: Box<[Str]>,
    pool: &mut Pool,
) -> Result<PlannedAnswer, TooManyIds> {
    if variables.is_empty() {
        return Ok(PlannedAnswer::Fixed(look_up(pool, subject, key, None)?));
    }
    Ok(match inserted_answer(subject, key, pool)? {
        Some(inserted) => inserted,
        None => PlannedAnswer::Varying(variables),
    })
}

/// Returns an answer that is a string with variables inserted; `None` if it is another.
fn inserted_answer(
    subject: &NodeContext<'_>,
    key: KeyId,
    pool: &mut Pool,
) -> Result<Option<PlannedAnswer>, TooManyIds> {
    let quoted = hieratic::lookup::quoted_key(&pool.keys[key]).into_owned();
    let Some(template) = subject.node.answer_template(&quoted, subject.budget) else { return Ok(None) };
    let Some(found) = lookups::summary(subject, &quoted).filter(|found| !found.is_fault) else { return Ok(None) };
    let (mut literal, mut rendered) = (String::from("\""), String::from("\""));
    let mut placeholders = Vec::new();
    let mut variables: Vec<(VariableId, InsertedVariable)> = Vec::new();
    for part in template.parts() {
        match part {
            AnswerPart::Literal(text) => {
                // Strings can always be written as JSON.
                let json = serde_json::to_string(&**text).unwrap_or_default();
                let inside = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
                literal.push_str(inside);
                rendered.push_str(inside);
            }
            AnswerPart::Variable(variable) => {
                let Some(text) = inserted_text(subject, variable) else { return Ok(None) };
                // These ids differ from those of the variables that are searched for in answers.
                let id = pool.variable_id(&format!("%{{{}}}", variable.text()))?;
                let Ok(at) = u32::try_from(literal.len()) else { return Ok(None) };
                placeholders.push((at, id));
                rendered.push_str(&text);
                if variables.iter().all(|(known, _)| *known != id) {
                    variables.push((id, variable.clone()));
                }
            }
        }
    }
    literal.push('"');
    rendered.push('"');
    // A redacted or converted answer is not such a string.
    if rendered != found.text || literal.contains(REDACTED) || literal.contains('Σ') {
        return Ok(None);
    }
    let position = found.place.as_ref().map(|(path, line)| (path.as_path(), *line));
    let answer = pool.template_id(key, &literal, &placeholders, position)?;
    Ok(Some(PlannedAnswer::Inserted(answer, variables.into())))
}

/// Returns the text of a variable, if it can be inserted into JSON as it is and searched in parts.
fn inserted_text(subject: &NodeContext<'_>, variable: &InsertedVariable) -> Option<String> {
    let text = subject.node.inserted_text(variable)?;
    let is_plain = text.chars().all(|c| !c.is_control() && !matches!(c, '"' | '\\' | 'Σ')) && !text.contains(REDACTED);
    is_plain.then(|| text.to_string())
}
