//! Mounts without effect, those that fail when the task starts, and modes of volumes that do not exist.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-specification/volume_mount> and
//! <https://developer.hashicorp.com/nomad/docs/job-specification/volume>.

use hieratic_hcl_syntax::suggestion;
use hieratic_hcl_types::quoted;

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

const ATTACHMENT_MODES: [&str; 2] = ["block-device", "file-system"];

const ACCESS_MODES: [&str; 5] = [
    "multi-node-multi-writer",
    "multi-node-reader-only",
    "multi-node-single-writer",
    "single-node-reader-only",
    "single-node-writer",
];

/// Reports modes of CSI volumes that do not exist. Nomad reports them when it claims the volume for the allocation.
pub(super) fn check_modes(group: &Block<'_>, found: &mut Vec<Finding>) {
    for (_, volume) in group.labelled("Volumes").filter(|(_, volume)| volume.text("Type") == "csi") {
        let modes = [
            ("AttachmentMode", "attachment_mode", ATTACHMENT_MODES.as_slice()),
            ("AccessMode", "access_mode", ACCESS_MODES.as_slice()),
        ];
        for (name, argument, known) in modes {
            let mode = volume.text(name);
            // The job without a mode is refused.
            if mode.is_empty() || mode.contains("${") || known.contains(&mode) {
                continue;
            }
            let message = format!("CSI volumes have no {argument} {}: the allocation fails", quoted(mode));
            let field = volume.at(name);
            let mut finding = remark(Rule::VolumeMount, message, field.path(), field.range());
            finding.help = Some(match suggestion(mode, known.iter().copied()) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => format!("it is one of {}", known.join(", ")),
            });
            found.push(finding);
        }
    }
}
