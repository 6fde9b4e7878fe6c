//! The resources that a task requests from its node.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/resources>.

use hieratic_hcl_types::quoted;
use hieratic_nomad_schema::Operator;

use super::placement;
use crate::block::Block;
use crate::report::Report;

/// The processor time that a task without any has, in megahertz.
const DEFAULT_CPU: i64 = 100;

/// The least processor time, in megahertz.
const MIN_CPU: i64 = 1;

/// The memory that a task without any has, in megabytes.
const DEFAULT_MEMORY: i64 = 300;

/// The least memory, in megabytes.
const MIN_MEMORY: i64 = 10;

/// The maximum memory of a task without a limit.
const NO_LIMIT: i64 = -1;

/// Checks a `resources` block, written or not.
pub(super) fn check(block: &Block<'_>, report: &mut Report) {
    let given_cores = block.given_number("Cores");
    let cores = given_cores.unwrap_or_default();
    // A task with `cores`, including 0, has no default for `cpu`.
    let default_cpu = if given_cores.is_some() { 0 } else { DEFAULT_CPU };
    let cpu = block.given_number("CPU").unwrap_or(default_cpu);
    let memory = block.given_number("MemoryMB").unwrap_or(DEFAULT_MEMORY);
    if cores > 0 && cpu > 0 {
        report.add(block.at("Cores"), "Task can only ask for 'cpu' or 'cores' resource, not both.");
    }
    if cores < 0 {
        report.add(block.at("Cores"), format!("cores value ({cores}) cannot be negative"));
    }
    report.bare_list(|report| {
        if cpu < MIN_CPU && cores == 0 {
            report.add(block.at("CPU"), format!("minimum CPU value is {MIN_CPU}; got {cpu}"));
        }
        if memory < MIN_MEMORY {
            report.add(block.at("MemoryMB"), format!("minimum MemoryMB value is {MIN_MEMORY}; got {memory}"));
        }
    });
    for (at, device) in block.blocks("Devices").enumerate() {
        report.list(|| format!("device {} failed validation: ", at + 1), |report| self::device(&device, report));
    }
    numa(block, report);
    let most = block.number("MemoryMaxMB");
    if most != 0 && most != NO_LIMIT && most < memory {
        let message = format!("MemoryMaxMB value ({most}) should be larger than MemoryMB value ({memory})");
        report.add(block.at("MemoryMaxMB"), message);
    }
    let secrets = block.number("SecretsMB");
    if secrets > memory {
        let message = format!("SecretsMB value ({secrets}) cannot be larger than MemoryMB value ({memory})");
        report.add(block.at("SecretsMB"), message);
    }
    if secrets < 0 {
        report.add(block.at("SecretsMB"), format!("SecretsMB value ({secrets}) cannot be negative"));
    }
}

fn device(block: &Block<'_>, report: &mut Report) {
    if block.text("Name").is_empty() {
        let message = "device name must be given as one of the following: type, vendor/type, or vendor/type/name";
        report.add(block.at("Name"), message);
    }
    for (at, constraint) in block.blocks("Constraints").enumerate() {
        let operator = constraint.text("Operand");
        if Operator::from_name(operator).is_some_and(Operator::is_about_allocations) {
            let message =
                format!("Constraint {} validation failed: using unsupported operand {}", at + 1, quoted(operator));
            report.add(constraint.at("Operand"), message);
        } else {
            placement::listed_constraint(at, &constraint, report);
        }
    }
    placement::listed_affinities(block, report);
}

/// Memory near to the cores.
fn numa(resources: &Block<'_>, report: &mut Report) {
    let Some(block) = resources.written("NUMA") else { return };
    let known = |expected: &str| resources.blocks("Devices").any(|device| device.text("Name") == expected);
    for (at, device) in block.texts("Devices").enumerate().filter(|(_, device)| !known(device)) {
        let message = format!("numa device {} not requested as task resource", quoted(device));
        report.add(block.at_item("Devices", at), message);
    }
    if !matches!(block.text("Affinity"), "" | "none" | "prefer" | "require") {
        report.add(block.at("Affinity"), "numa affinity must be one of none, prefer, or require");
    }
}
