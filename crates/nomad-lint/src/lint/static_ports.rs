//! Groups with several allocations that all need the same port.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/network#static-ports>.

use hieratic_diagnostics::Severity;
use hieratic_hcl_types::quoted;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// Notes that each allocation of a group needs a separate node.
pub(super) fn check(root: &Block<'_>, group: &Block<'_>, found: &mut Vec<Finding>) {
    let kind = root.given_text("Type").unwrap_or("service");
    let count = group.number("Count");
    if count < 2 || matches!(kind, "system" | "sysbatch") || has_distinct_hosts(root) || has_distinct_hosts(group) {
        return;
    }
    for network in group.blocks("Networks") {
        for port in network.blocks("ReservedPorts") {
            let number = port.number("Value");
            if number == 0 || port.flag("IgnoreCollision") {
                continue;
            }
            let label = quoted(port.text("Label"));
            let message =
                format!("each of the {count} allocations needs a separate node: the port {label} is always {number}");
            let field = port.at("Value");
            let mut finding = remark(Rule::StaticPort, message, field.path(), field.range());
            finding.severity = Severity::Note;
            finding.help = Some(
                "remove static to let Nomad choose the port, or add the constraint distinct_hosts = true".to_owned(),
            );
            found.push(finding);
            return;
        }
    }
}

fn has_distinct_hosts(owner: &Block<'_>) -> bool {
    owner.blocks("Constraints").any(|constraint| {
        let is_unique =
            constraint.text("LTarget") == "${node.unique.id}" && constraint.text("Operand") == "distinct_property";
        is_unique || constraint.text("Operand") == "distinct_hosts" && constraint.text("RTarget") != "false"
    })
}
