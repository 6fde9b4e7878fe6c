//! Volumes of groups, and their mounts in tasks.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/volume> and
//! <https://developer.hashicorp.com/nomad/docs/job-specification/volume_mount>.

use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashSet;

use super::{Scope, group};
use crate::block::Block;
use crate::report::Report;

/// The settings that the rules for volumes depend on.
struct VolumeRequest<'a> {
    block: &'a Block<'a>,
    scope: &'a Scope<'a>,
    /// The number of allocations that share the volume, unless each has a separate one.
    sharing: i64,
    canaries: i64,
}

/// Checks the `volume` blocks of a group, in the order of their names.
pub(super) fn check_requests(scope: &Scope<'_>, group: &Block<'_>, canaries: i64, report: &mut Report) {
    let count = group::count(group);
    for (name, block) in group.labelled("Volumes").filter(|(_, block)| is_known(block)) {
        let sharing = if block.flag("PerAlloc") { 1 } else { count };
        report.list(
            || format!("Task group volume validation for {name} failed: "),
            |report| VolumeRequest { block: &block, scope, sharing, canaries }.check(report),
        );
    }
}

/// Returns whether the type of the volume is known. The reference silently drops others.
fn is_known(block: &Block<'_>) -> bool {
    matches!(block.text("Type"), "host" | "csi")
}

impl VolumeRequest<'_> {
    fn check(&self, report: &mut Report) {
        let block = self.block;
        if block.text("Source").is_empty() {
            report.add(block.at("Source"), "volume has an empty source");
        }
        if block.flag("PerAlloc") {
            let mut error = |message: &str| report.add(block.at("PerAlloc"), message);
            if self.scope.kind.is_everywhere() {
                error("volume cannot be per_alloc for system or sysbatch jobs");
            }
            if self.canaries > 0 {
                error("volume cannot be per_alloc when canaries are in use");
            }
            if block.flag("Sticky") {
                error("volume cannot be per_alloc and sticky at the same time");
            }
        }
        match block.text("Type") {
            "host" => self.check_host(report),
            _ => self.check_csi(report),
        }
    }

    fn check_host(&self, report: &mut Report) {
        let block = self.block;
        if block.has("MountOptions") {
            report.add(block.at("MountOptions"), "host volumes cannot have mount options");
        }
        match block.text("AccessMode") {
            "single-node-reader-only" => self.check_read_only(report),
            "" | "single-node-writer" | "single-node-single-writer" | "single-node-multi-writer" => {}
            other => {
                let message = format!("host volumes cannot be mounted with {other} access mode");
                report.add(block.at("AccessMode"), message);
            }
        }
    }

    fn check_csi(&self, report: &mut Report) {
        let block = self.block;
        match block.text("AttachmentMode") {
            "" => report.add(block.at("AttachmentMode"), "CSI volumes must have an attachment mode"),
            "block-device" if block.has("MountOptions") => {
                report.add(block.at("MountOptions"), "block devices cannot have mount options");
            }
            _ => {}
        }
        let mode = block.text("AccessMode");
        let only_one = match mode {
            "" => {
                report.add(block.at("AccessMode"), "CSI volumes must have an access mode");
                None
            }
            "single-node-reader-only" => {
                self.check_read_only(report);
                Some("reader")
            }
            "single-node-writer" => Some("reader or writer"),
            "multi-node-reader-only" => {
                self.check_read_only(report);
                None
            }
            "multi-node-single-writer" if !block.flag("ReadOnly") => Some("writer"),
            _ => None,
        };
        if let (Some(one), 2..) = (only_one, self.sharing) {
            report.add(block.at("AccessMode"), format!("volume with {mode} access mode allows only one {one}"));
        }
    }

    fn check_read_only(&self, report: &mut Report) {
        if !self.block.flag("ReadOnly") {
            let message = format!("{} volumes must be read-only", self.block.text("AccessMode"));
            report.add(self.block.at("ReadOnly"), message);
        }
    }
}

/// Checks the `volume_mount` blocks of a task. Those without a volume are dropped, as the reference does.
pub(super) fn check_mounts(group: &Block<'_>, task: &Block<'_>, report: &mut Report) {
    let mut mounts = task.blocks("VolumeMounts").filter(|mount| mount.has("Volume")).peekable();
    if mounts.peek().is_none() {
        return;
    }
    let volumes = group.labelled("Volumes").filter(|(_, block)| is_known(block));
    let volumes: HashSet<&str> = volumes.map(|(name, _)| name).collect();
    for (at, mount) in mounts.enumerate() {
        let name = mount.text("Volume");
        if !volumes.contains(name) {
            report.add(mount.at("Volume"), format!("Volume Mount ({at}) references undefined volume {name}"));
        }
        if !mount.has("Destination") {
            // The reference panics here.
            report.add(mount.at("Destination"), format!("Volume Mount ({at}) has no destination"));
        }
        report.list_between(
            || format!("Volume Mount ({at}) is invalid: \""),
            "\"",
            |report| mount_modes(&mount, report),
        );
    }
}

fn mount_modes(mount: &Block<'_>, report: &mut Report) {
    if mount.text("Volume").is_empty() {
        report.add(mount.at("Volume"), "volume mount references an empty volume");
    }
    match mount.given_text("PropagationMode").unwrap_or("private") {
        "" | "private" | "host-to-task" | "bidirectional" => {}
        other => {
            let message = format!("volume mount has an invalid propagation mode: {}", quoted(other));
            report.add(mount.at("PropagationMode"), message);
        }
    }
    match mount.text("SELinuxLabel") {
        "" | "z" | "Z" => {}
        other => {
            report.add(mount.at("SELinuxLabel"), format!("volume mount has an invalid SELinux label: \"{other}\""));
        }
    }
}
