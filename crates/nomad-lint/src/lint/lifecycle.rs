//! Groups without a main task: all their tasks run before or after others.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/lifecycle>.

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// Reports a group whose tasks all have a `lifecycle` block. Newer versions reject it; older ones accept it and never
/// run the tasks that belong after the main tasks.
pub(super) fn check(group: &Block<'_>, found: &mut Vec<Finding>) {
    if group.list("Tasks").is_empty() || group.blocks("Tasks").any(|task| !task.block("Lifecycle").is_written()) {
        return;
    }
    let message = format!(
        "group {} has only tasks with a lifecycle block; Nomad refuses such groups since 2.0.6",
        hieratic_hcl_types::quoted(group.text("Name"))
    );
    let spot = group.at("Tasks");
    let mut remark = remark(Rule::MainTask, message, spot.path(), group.path().range());
    remark.help = Some("add a task without a lifecycle block, or take the block from one of these".to_owned());
    found.push(remark);
}
