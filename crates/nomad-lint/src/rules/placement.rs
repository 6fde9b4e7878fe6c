//! Placement of allocations: constraints, affinities, spreads.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/constraint>,
//! <https://developer.hashicorp.com/nomad/docs/job-specification/affinity> and
//! <https://developer.hashicorp.com/nomad/docs/job-specification/spread>.

use hieratic_hcl_types::quoted;
use hieratic_nomad_schema::Operator;
use hieratic_value::collections::HashSet;

use super::Scope;
use crate::block::Block;
use crate::go::number;
use crate::report::Report;
use crate::versions::{self, VersionSyntax};

/// The default weight of affinities and spreads.
const DEFAULT_WEIGHT: i64 = 50;

/// Checks the constraints of a job or a group.
pub(super) fn constraints(owner: &Block<'_>, report: &mut Report) {
    for (at, block) in owner.blocks("Constraints").enumerate() {
        listed_constraint(at, &block, report);
    }
}

/// Checks one of several constraints.
pub(super) fn listed_constraint(at: usize, block: &Block<'_>, report: &mut Report) {
    report.list(|| format!("Constraint {} validation failed: ", at + 1), |report| constraint(block, report));
}

/// Checks the affinities of a job, a group or a task; system jobs must not have any.
pub(super) fn affinities(scope: &Scope<'_>, owner: &Block<'_>, report: &mut Report) {
    if scope.kind.is_system() {
        if !owner.list("Affinities").is_empty() {
            report.add(owner.at("Affinities"), "System jobs may not have an affinity block");
        }
        return;
    }
    listed_affinities(owner, report);
}

/// Checks affinities, whatever the job is.
pub(super) fn listed_affinities(owner: &Block<'_>, report: &mut Report) {
    for (at, block) in owner.blocks("Affinities").enumerate() {
        report.list(|| format!("Affinity {} validation failed: ", at + 1), |report| affinity(&block, report));
    }
}

/// Checks the spreads of a job or a group; system jobs must not have any.
pub(super) fn spreads(scope: &Scope<'_>, owner: &Block<'_>, report: &mut Report) {
    if scope.kind.is_system() {
        if !owner.list("Spreads").is_empty() {
            report.add(owner.at("Spreads"), "System jobs may not have a spread block");
        }
        return;
    }
    for (at, block) in owner.blocks("Spreads").enumerate() {
        report.list(|| format!("Spread {} validation failed: ", at + 1), |report| spread(&block, report));
    }
}

fn constraint(block: &Block<'_>, report: &mut Report) {
    let (operator, value) = (block.text("Operand"), block.text("RTarget"));
    if operator.is_empty() {
        report.add(block.at("Operand"), "Missing constraint operand");
    }
    let known = Operator::from_name(operator);
    let error = match known {
        Some(Operator::DistinctHosts) => None,
        Some(Operator::SetContains | Operator::SetContainsAny) => {
            value.is_empty().then(|| "Set contains constraint requires an RTarget".to_owned())
        }
        Some(Operator::DistinctProperty) => distinct_property(value),
        Some(Operator::IsSet | Operator::IsNotSet) => {
            (!value.is_empty()).then(|| format!("Operator {} does not support an RTarget", quoted(operator)))
        }
        _ => match comparison("constraint", operator, value) {
            Comparison::Known(error) => error,
            Comparison::Unknown => {
                report.add(block.at("Operand"), format!("Unknown constraint type {}", quoted(operator)));
                None
            }
        },
    };
    if let Some(error) = error {
        report.add(block.at("RTarget"), error);
    }
    let target = block.text("LTarget");
    if known == Some(Operator::DistinctHosts) {
    } else if target.is_empty() {
        report.add(block.at("LTarget"), "no attribute provided but is required by operator");
    } else if let Some(error) = attribute(target) {
        report.add(block.at("LTarget"), error);
    }
}

fn affinity(block: &Block<'_>, report: &mut Report) {
    let (operator, value) = (block.text("Operand"), block.text("RTarget"));
    if operator.is_empty() {
        report.add(block.at("Operand"), "Missing affinity operand");
    }
    let error = match Operator::from_name(operator) {
        Some(Operator::SetContains | Operator::SetContainsAny) => {
            value.is_empty().then(|| "Set contains operators require an RTarget".to_owned())
        }
        _ => match comparison("affinity", operator, value) {
            Comparison::Known(error) => error,
            Comparison::Unknown => {
                report.add(block.at("Operand"), format!("Unknown affinity operator {}", quoted(operator)));
                None
            }
        },
    };
    if let Some(error) = error {
        report.add(block.at("RTarget"), error);
    }
    if block.text("LTarget").is_empty() {
        report.add(block.at("LTarget"), "No LTarget provided but is required");
    }
    match block.given_number("Weight").unwrap_or(DEFAULT_WEIGHT) {
        0 => report.add(block.at("Weight"), "Affinity weight cannot be zero"),
        -100..=100 => {}
        _ => report.add(block.at("Weight"), "Affinity weight must be within the range [-100,100]"),
    }
}

/// The result of checking an operator that compares an attribute with a value.
enum Comparison {
    /// The operator exists; with the error in the value, if any.
    Known(Option<String>),
    /// The operator does not exist.
    Unknown,
}

fn comparison(subject: &str, operator: &str, value: &str) -> Comparison {
    let faulty = |prefix: String| move |error: String| format!("{prefix}: {error}");
    Comparison::Known(match Operator::from_name(operator) {
        Some(Operator::Regexp) => hieratic_hcl_functions::check_pattern(value)
            .map_err(faulty("Regular expression failed to compile".into()))
            .err(),
        Some(Operator::Version) => {
            versions::check(value, VersionSyntax::Loose).map_err(faulty(format!("Version {subject} is invalid"))).err()
        }
        Some(Operator::Semver) => versions::check(value, VersionSyntax::Semantic)
            .map_err(faulty(format!("Semver {subject} is invalid")))
            .err(),
        Some(
            Operator::Equal
            | Operator::Unequal
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual,
        ) => value.is_empty().then(|| format!("Operator {} requires an RTarget", quoted(operator))),
        _ => return Comparison::Unknown,
    })
}

/// Checks the number of allocations that may share the property.
fn distinct_property(count: &str) -> Option<String> {
    if count.is_empty() {
        return None;
    }
    match number::unsigned(count, 10, u64::MAX) {
        Ok(0) => Some("Distinct Property must have an allowed count of 1 or greater: 0 < 1".to_owned()),
        Ok(_) => None,
        Err(error) => Some(format!(
            "Failed to convert RTarget {} to uint64: {}",
            quoted(count),
            error.message("ParseUint", count)
        )),
    }
}

/// The error in a reference to an attribute of a node. Other strings are literals.
fn attribute(target: &str) -> Option<String> {
    if !target.starts_with('$') {
        return None;
    }
    let shown = || quoted(target);
    if !target.starts_with("${") {
        return Some(format!("attribute {} is missing an opening brace", shown()));
    }
    if !target.ends_with('}') {
        return Some(format!("attribute {} is missing a closing brace", shown()));
    }
    let is_known = matches!(
        target,
        "${node.unique.id}" | "${node.datacenter}" | "${node.unique.name}" | "${node.class}" | "${node.pool}"
    ) || ["${attr.", "${device.", "${meta."].iter().any(|prefix| target.starts_with(prefix));
    (!is_known).then(|| format!("unsupported attribute {}", shown()))
}

fn spread(block: &Block<'_>, report: &mut Report) {
    if block.text("Attribute").is_empty() {
        report.add(block.at("Attribute"), "Missing spread attribute");
    }
    if !matches!(block.given_number("Weight").unwrap_or(DEFAULT_WEIGHT), 1..=100) {
        report.add(block.at("Weight"), "Spread block must have a positive weight from 0 to 100");
    }
    let mut known = HashSet::default();
    let mut sum: i64 = 0;
    for target in block.blocks("SpreadTarget") {
        let (value, percent) = (target.text("Value"), target.number("Percent"));
        if !known.insert(value.to_owned()) {
            report.add(target.path(), format!("Spread target value {} already defined", quoted(value)));
        }
        if percent > 100 {
            let message = format!("Spread target percentage for value {} must be between 0 and 100", quoted(value));
            report.add(target.at("Percent"), message);
        }
        sum = sum.saturating_add(percent);
    }
    if sum > 100 {
        let message = format!("Sum of spread target percentages must not be greater than 100%; got {sum}%");
        report.add(block.at("SpreadTarget"), message);
    }
}
