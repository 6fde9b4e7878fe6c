//! Mounts without effect, and those that fail when the task starts.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/volume_mount>.

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// The drivers that cannot mount volumes.
const WITHOUT_MOUNTS: [&str; 3] = ["exec2", "qemu", "raw_exec"];

/// Reports mounts that Nomad drops because they name no volume, and those of drivers that have no mounts.
pub(super) fn check(task: &Block<'_>, found: &mut Vec<Finding>) {
    let driver = task.text("Driver");
    for mount in task.blocks("VolumeMounts") {
        if !mount.has("Volume") {
            let message = "the mount names no volume, so Nomad ignores it".to_owned();
            let field = mount.path();
            let mut finding = remark(Rule::VolumeMount, message, field.path(), field.range());
            finding.help = Some("add volume = NAME, where NAME is the label of a volume block of the group".to_owned());
            found.push(finding);
        } else if WITHOUT_MOUNTS.contains(&driver) {
            let message = format!("the driver {driver} cannot mount volumes: the task fails when it starts");
            let field = mount.at("Volume");
            found.push(remark(Rule::VolumeMount, message, field.path(), field.range()));
        }
    }
}
