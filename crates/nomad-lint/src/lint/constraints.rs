//! Constraints that no node can satisfy together.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/constraint>.

use hieratic_hcl_eval::Range;
use hieratic_hcl_types::quoted;
use hieratic_nomad_schema::Operator;
use hieratic_value::collections::HashMap;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// A constraint that is compared with others.
#[derive(Clone)]
struct Demand {
    attribute: String,
    relation: Relation,
    path: String,
    place: Option<Range>,
}

/// The demand on the value of an attribute.
#[derive(Clone, Debug, PartialEq)]
enum Relation {
    Equal(String),
    Unequal(String),
    Set,
    NotSet,
    Above(f64, bool),
    Below(f64, bool),
}

/// Checks the constraints that apply to each task: those of the job, of its group and its own.
pub(super) fn check(root: &Block<'_>, found: &mut Vec<Finding>) {
    let mut of_job = Demands::default();
    of_job.add(root, found);
    of_job.datacenters(root, found);
    for group in root.blocks("TaskGroups") {
        let mut of_group = of_job.clone();
        of_group.add(&group, found);
        for task in group.blocks("Tasks") {
            let mut of_task = of_group.clone();
            of_task.add(&task, found);
        }
    }
}

/// The constraints that apply together, by their attribute.
#[derive(Clone, Default)]
struct Demands {
    known: HashMap<String, Vec<Demand>>,
}

/// So many constraints on one attribute are compared with each other.
const MAX_DEMANDS: usize = 64;

impl Demands {
    /// Adds the constraints of a block, and reports those that contradict an earlier one.
    fn add(&mut self, owner: &Block<'_>, found: &mut Vec<Finding>) {
        for block in owner.blocks("Constraints") {
            let Some(demand) = demand(&block) else { continue };
            let others = self.known.entry(demand.attribute.clone()).or_default();
            if let Some(other) = others.iter().find(|other| excludes(&other.relation, &demand.relation)) {
                found.push(contradiction(&demand, other));
            } else if others.len() < MAX_DEMANDS {
                others.push(demand);
            }
        }
    }

    /// Compares the demanded data center with those of the job.
    fn datacenters(&self, root: &Block<'_>, found: &mut Vec<Finding>) {
        let allowed: Vec<&str> = root.texts("Datacenters").collect();
        // A pattern may mean any name, and without a list all data centers are allowed.
        let is_exact = |name: &&str| !name.is_empty() && !name.contains(['*', '?', '[', '$']);
        if allowed.is_empty() || !allowed.iter().all(is_exact) {
            return;
        }
        for demand in self.known.get("${node.datacenter}").into_iter().flatten() {
            if let Relation::Equal(name) = &demand.relation
                && !allowed.contains(&name.as_str())
            {
                let message = format!("no node is in the data center {}: datacenters does not have it", quoted(name));
                found.push(remark(Rule::Constraint, message, demand.path.clone(), demand.place.clone()));
            }
        }
    }
}

fn contradiction(demand: &Demand, other: &Demand) -> Finding {
    let line = other.place.as_ref().map(|range| format!(" of line {}", range.start().line)).unwrap_or_default();
    let message = format!(
        "no node satisfies this constraint and the one{line}: {} {} and {}",
        demand.attribute,
        describe(&other.relation),
        describe(&demand.relation)
    );
    remark(Rule::Constraint, message, demand.path.clone(), demand.place.clone())
}

/// The demand of a constraint whose meaning does not depend on the node's other attributes.
fn demand(block: &Block<'_>) -> Option<Demand> {
    let (attribute, value) = (block.text("LTarget"), block.text("RTarget"));
    let is_reference = attribute.starts_with("${") && attribute.ends_with('}') && attribute.matches("${").count() == 1;
    if !is_reference || value.contains("${") {
        return None;
    }
    let number = || value.parse::<f64>().ok().filter(|number| number.is_finite());
    let relation = match Operator::from_name(block.text("Operand"))? {
        Operator::Equal => Relation::Equal(value.to_owned()),
        Operator::Unequal => Relation::Unequal(value.to_owned()),
        Operator::IsSet => Relation::Set,
        Operator::IsNotSet => Relation::NotSet,
        Operator::Greater => Relation::Above(number()?, false),
        Operator::GreaterOrEqual => Relation::Above(number()?, true),
        Operator::Less => Relation::Below(number()?, false),
        Operator::LessOrEqual => Relation::Below(number()?, true),
        _ => return None,
    };
    let (path, place) = (block.path().path(), block.path().range());
    Some(Demand { attribute: attribute.to_owned(), relation, path, place })
}

/// Returns whether no value satisfies both.
fn excludes(one: &Relation, other: &Relation) -> bool {
    use Relation::{Above, Below, Equal, NotSet, Set, Unequal};
    match (one, other) {
        (Equal(one), Equal(other)) => one != other,
        (Equal(one), Unequal(other)) | (Unequal(one), Equal(other)) => one == other,
        // A node without the attribute satisfies `!=`.
        (NotSet, Set | Equal(_) | Above(..) | Below(..)) | (Set | Equal(_) | Above(..) | Below(..), NotSet) => true,
        (Above(least, with_least), Below(most, with_most)) | (Below(most, with_most), Above(least, with_least)) => {
            least > most || least == most && !(*with_least && *with_most)
        }
        _ => false,
    }
}

fn describe(relation: &Relation) -> String {
    match relation {
        Relation::Equal(value) => format!("= {}", quoted(value)),
        Relation::Unequal(value) => format!("!= {}", quoted(value)),
        Relation::Set => "is set".to_owned(),
        Relation::NotSet => "is not set".to_owned(),
        Relation::Above(number, true) => format!(">= {number}"),
        Relation::Above(number, false) => format!("> {number}"),
        Relation::Below(number, true) => format!("<= {number}"),
        Relation::Below(number, false) => format!("< {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_contradictions_exclude_each_other() {
        use Relation::{Above, Below, NotSet, Set};
        let equal = |text: &str| Relation::Equal(text.to_owned());
        let unequal = |text: &str| Relation::Unequal(text.to_owned());
        for (one, other, expected) in [
            (equal("a"), equal("b"), true),
            (equal("a"), equal("a"), false),
            (equal("a"), unequal("a"), true),
            (unequal("a"), unequal("b"), false),
            (NotSet, Set, true),
            (NotSet, unequal("a"), false),
            (Above(5.0, false), Below(3.0, false), true),
            (Above(3.0, true), Below(3.0, true), false),
            (Above(3.0, false), Below(3.0, true), true),
            (Above(1.0, false), Below(3.0, false), false),
        ] {
            assert_eq!(excludes(&one, &other), expected);
            assert_eq!(excludes(&other, &one), expected);
        }
    }
}
