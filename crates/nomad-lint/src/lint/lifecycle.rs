//! Groups without a main task: all their tasks run before or after others.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/lifecycle>.

use hieratic_diagnostics::Severity;
use hieratic_hcl_types::quoted;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::nomad_version::NomadVersion;
use crate::rule::Rule;

/// The first version that refuses such groups.
const REFUSED_SINCE: NomadVersion = NomadVersion::new(2, 0, 6);

/// Reports a group whose tasks all have a `lifecycle` block. Newer versions reject it; older ones accept it and never
/// run the tasks that belong after the main tasks.
pub(super) fn check(group: &Block<'_>, version: NomadVersion, found: &mut Vec<Finding>) {
    // A server adds the task of a gateway.
    let has_gateway = group.blocks("Services").any(|service| service.block("Connect").block("Gateway").is_written());
    let is_of_lifecycle = |task: &Block<'_>| !task.block("Lifecycle").text("Hook").is_empty();
    if has_gateway || group.list("Tasks").is_empty() || !group.blocks("Tasks").all(|task| is_of_lifecycle(&task)) {
        return;
    }
    let name = group.text("Name");
    let is_refused = version >= REFUSED_SINCE;
    let message = if is_refused {
        format!("Task group {name} must have at least one main task")
    } else {
        format!("group {} has only tasks with a lifecycle block; Nomad refuses it since 2.0.6", quoted(name))
    };
    let field = group.at("Tasks");
    let mut remark = remark(Rule::MainTask, message, field.path(), group.path().range());
    if is_refused {
        remark.severity = Severity::Error;
    }
    remark.help = Some("add a task without a lifecycle block, or take the block from one of these".to_owned());
    found.push(remark);
}
