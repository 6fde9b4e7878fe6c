//! Requirements about the values of several nodes: equal, unique, and sums.

use std::collections::{BTreeMap, HashMap};

use hieratic::powers::Exhausted;
use hieratic::{Condition, Value};
use rayon::prelude::*;

use super::forms::{Asking, Outcome, Outcomes, range_text};
use super::read::{Form, Requirement, number_of};
use crate::repository::known::KnownNode;
use crate::repository::list;

/// The value of a node, the group that it is in, and its number.
type Told = (usize, String, Value);

/// Finds the breaches of promises about several nodes.
pub(super) fn check(asking: &Asking<'_>, nodes: &[&KnownNode<'_>]) -> Outcomes {
    let mut outcomes = Vec::new();
    let ended = (0..asking.forms.len()).try_for_each(|number| of_form(asking, number, nodes, &mut outcomes));
    (outcomes, ended.err())
}

fn of_form(
    asking: &Asking<'_>,
    number: usize,
    nodes: &[&KnownNode<'_>],
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Exhausted> {
    let form = &asking.forms[number];
    for condition in &form.conditions {
        let by = match condition {
            Requirement::Equal { by } | Requirement::Unique { by } | Requirement::Sum { by, .. } => by.as_ref(),
            _ => continue,
        };
        for key in &asking.keys[number] {
            let told: Result<Vec<Result<Option<Told>, String>>, Exhausted> = nodes
                .par_iter()
                .enumerate()
                .map(|(index, node)| {
                    let budget = asking.work.of(index);
                    budget.step()?;
                    Ok(told(asking, form, by, key, index, node))
                })
                .collect();
            match told?.into_iter().collect::<Result<Vec<_>, _>>() {
                Err(message) => {
                    asking.work.keep_message(&message)?;
                    outcomes.push(Outcome::Failed { form: number, message });
                    // It fails for the other keys, too.
                    return Ok(());
                }
                Ok(told) => {
                    let told: Vec<Told> = told.into_iter().flatten().collect();
                    of_values(asking, form, condition, key, told, nodes, outcomes)?;
                }
            }
        }
    }
    Ok(())
}

/// The value of a node with its group; `None` if the promise does not apply to the node, or if there is no value.
fn told(
    asking: &Asking<'_>,
    form: &Form,
    by: Option<&Condition>,
    key: &str,
    index: usize,
    node: &KnownNode<'_>,
) -> Result<Option<Told>, String> {
    let budget = asking.work.of(index);
    if !asking.is_meant(form, node, budget)? {
        return Ok(None);
    }
    let Some(value) = asking.value(&node.node, key, budget)? else { return Ok(None) };
    let group = match by {
        None => String::new(),
        Some(by) => match by.within(&asking.repository.environment, node.facts, budget.clone()) {
            Ok(value) => value.to_text(),
            Err(failure) => return Err(failure.to_string()),
        },
    };
    Ok(Some((index, group, value)))
}

/// The memory of an element of a value while it is compared with those of other nodes, in bytes.
const ELEMENT: usize = 64;

fn of_values(
    asking: &Asking<'_>,
    form: &Form,
    condition: &Requirement,
    key: &str,
    told: Vec<Told>,
    nodes: &[&KnownNode<'_>],
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Exhausted> {
    let shared = &asking.work.shared;
    let mut count = 0;
    for (_, _, value) in &told {
        count += count_of(value);
        shared.steps(count_of(value) as u64)?;
    }
    shared.bytes(count * ELEMENT)?;
    let mut groups: BTreeMap<String, Vec<(usize, Value)>> = BTreeMap::new();
    for (index, group, value) in told {
        groups.entry(group).or_default().push((index, value));
    }
    let name = |index: usize| nodes.get(index).map_or("", |node| node.name);
    let in_group = |group: &str| if group.is_empty() { String::new() } else { format!(" in '{group}'") };
    let mut broken = |index: usize, message: String, of: Vec<usize>| match nodes.get(index) {
        Some(node) => asking.broken(form, key, &node.node, message, of, asking.work.of(index), outcomes),
        None => Ok(()),
    };
    for (group, values) in groups {
        match condition {
            Requirement::Equal { .. } => {
                // The most frequent value counts as right; of two that are equally frequent, the first.
                let mut counts: HashMap<&Value, (usize, usize)> = HashMap::new();
                for (index, value) in &values {
                    counts.entry(value).or_insert((0, *index)).0 += 1;
                }
                let most = counts.iter().max_by_key(|(_, (count, first))| (*count, std::cmp::Reverse(*first)));
                let Some((usual, (count, _))) = most.map(|(value, counted)| ((*value).clone(), *counted)) else {
                    continue;
                };
                for (index, _) in values.iter().filter(|(_, value)| *value != usual) {
                    let message = format!(
                        "the value of '{key}' is not the one that {count} of {} nodes have{}",
                        values.len(),
                        in_group(&group)
                    );
                    broken(*index, message, vec![*index])?;
                }
            }
            Requirement::Unique { .. } => {
                let mut seen: HashMap<Value, Vec<usize>> = HashMap::new();
                for (index, value) in &values {
                    for element in elements(value) {
                        let holders = seen.entry(element).or_default();
                        // One node after the other.
                        if holders.last() != Some(index) {
                            holders.push(*index);
                        }
                    }
                }
                let mut doubles: Vec<Vec<usize>> = seen.into_values().filter(|holders| holders.len() > 1).collect();
                doubles.sort();
                for holders in doubles {
                    let names: Vec<&str> = holders.iter().map(|index| name(*index)).collect();
                    let message = format!(
                        "{} nodes have the same value of '{key}'{}: {}",
                        names.len(),
                        in_group(&group),
                        list(&names)
                    );
                    let second = holders.get(1).copied().unwrap_or_default();
                    broken(second, message, holders)?;
                }
            }
            Requirement::Sum { least, most, .. } => {
                let numbers: Option<Vec<f64>> =
                    values.iter().flat_map(|(_, value)| elements(value)).map(|value| number_of(&value)).collect();
                let Some((first, _)) = values.first() else { continue };
                let of: Vec<usize> = values.iter().map(|(index, _)| *index).collect();
                match numbers {
                    None => broken(*first, format!("not all values of '{key}' are numbers{}", in_group(&group)), of)?,
                    Some(numbers) => {
                        let sum: f64 = numbers.iter().sum();
                        let is_kept = least.is_none_or(|least| least <= sum) && most.is_none_or(|most| sum <= most);
                        if !is_kept {
                            let range = range_text(*least, *most);
                            let message =
                                format!("the values of '{key}' add up to {sum}{}, not to {range}", in_group(&group));
                            broken(*first, message, of)?;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The number of elements, at every depth.
fn count_of(value: &Value) -> usize {
    match value {
        Value::Array(inner) => inner.iter().map(count_of).sum(),
        _ => 1,
    }
}

/// The elements of an array, at every depth; a value alone is its only one.
fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(inner) => inner.iter().flat_map(elements).collect(),
        value => vec![value.clone()],
    }
}
