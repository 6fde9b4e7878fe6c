//! Requirements about the values of several nodes: equal, unique, and sums.

use std::collections::{BTreeMap, HashMap};

use hieratic::Value;
use hieratic::budget::Exhausted;
use hieratic::code::Condition;
use hieratic::value::ErasedSort as _;
use rayon::prelude::*;

use super::forms::{Outcome, Outcomes, PromiseChecker, range_text};
use super::read::{Form, Requirement, number_of};
use crate::workspace::list;
use crate::workspace::nodes::GivenNode;

/// The value of a node, the group that it is in, and its number.
type NodeValue = (usize, String, Value);

/// Finds the breaches of promises about several nodes.
pub(super) fn check(checker: &PromiseChecker<'_>, nodes: &[&GivenNode<'_>]) -> Outcomes {
    let mut outcomes = Vec::new();
    let ended = (0..checker.forms.len()).try_for_each(|number| of_form(checker, number, nodes, &mut outcomes));
    (outcomes, ended.err())
}

fn of_form(
    checker: &PromiseChecker<'_>,
    number: usize,
    nodes: &[&GivenNode<'_>],
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Exhausted> {
    let form = &checker.forms[number];
    for condition in &form.conditions {
        let by = match condition {
            Requirement::Equal { by } | Requirement::Unique { by } | Requirement::Sum { by, .. } => by.as_ref(),
            _ => continue,
        };
        for key in &checker.keys[number] {
            let values: Result<Vec<Result<Option<NodeValue>, String>>, Exhausted> = nodes
                .par_iter()
                .enumerate()
                .map(|(index, node)| {
                    let budget = checker.budgets.for_node(index);
                    budget.step()?;
                    Ok(value_in_group(checker, form, by, key, index, node))
                })
                .collect();
            match values?.into_iter().collect::<Result<Vec<_>, _>>() {
                Err(message) => {
                    checker.budgets.keep_message(&message)?;
                    outcomes.push(Outcome::Failed { form: number, message });
                    // It fails for the other keys, too.
                    return Ok(());
                }
                Ok(values) => {
                    let values: Vec<NodeValue> = values.into_iter().flatten().collect();
                    of_values(checker, form, condition, key, values, nodes, outcomes)?;
                }
            }
        }
    }
    Ok(())
}

/// The value of a node with its group; `None` if the promise does not apply to the node, or if there is no value.
fn value_in_group(
    checker: &PromiseChecker<'_>,
    form: &Form,
    by: Option<&Condition>,
    key: &str,
    index: usize,
    node: &GivenNode<'_>,
) -> Result<Option<NodeValue>, String> {
    let budget = checker.budgets.for_node(index);
    if !checker.applies_to(form, node, budget)? {
        return Ok(None);
    }
    let Some(value) = checker.value(&node.node, key, budget)? else { return Ok(None) };
    let group = match by {
        None => String::new(),
        Some(by) => match by.evaluate_within(&checker.workspace.environment, node.facts, budget.clone()) {
            Ok(value) => value.to_text(),
            Err(failure) => return Err(failure.to_string()),
        },
    };
    Ok(Some((index, group, value)))
}

/// The memory of an element of a value while it is compared with those of other nodes, in bytes.
const ELEMENT: usize = 64;

fn of_values(
    checker: &PromiseChecker<'_>,
    form: &Form,
    condition: &Requirement,
    key: &str,
    values: Vec<NodeValue>,
    nodes: &[&GivenNode<'_>],
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Exhausted> {
    let shared = &checker.budgets.shared;
    let mut count = 0;
    for (_, _, value) in &values {
        count += count_of(value);
        shared.steps(count_of(value) as u64)?;
    }
    shared.bytes(count * ELEMENT)?;
    let mut groups: BTreeMap<String, Vec<(usize, Value)>> = BTreeMap::new();
    for (index, group, value) in values {
        groups.entry(group).or_default().push((index, value));
    }
    let name = |index: usize| nodes.get(index).map_or("", |node| node.name);
    let in_group = |group: &str| if group.is_empty() { String::new() } else { format!(" in '{group}'") };
    let mut broken = |index: usize, message: String, of: Vec<usize>| match nodes.get(index) {
        Some(node) => checker.broken(form, key, &node.node, message, of, checker.budgets.for_node(index), outcomes),
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
                        "the value of '{key}' differs from the value on {count} of {} nodes{}",
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
                doubles.sort_erased();
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
