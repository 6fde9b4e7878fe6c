//! Names of drivers.
//!
//! Source: <https://developer.hashicorp.com/nomad/plugins/drivers>.

use hieratic_hcl_types::quoted;

use super::names::is_similar;
use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// The drivers of Nomad, and other well-known drivers. No name is a misspelling of another.
const KNOWN: &[&str] = &[
    "docker",
    "exec",
    "exec2",
    "java",
    "qemu",
    "raw_exec",
    "podman",
    "containerd",
    "containerd-driver",
    "nspawn",
    "lxc",
    "pot",
    "rkt",
    "singularity",
    "firecracker-task-driver",
    "virt",
    "libvirt",
    "iis",
    "win_iis",
    "win_exec",
    "jail-task-driver",
    "jail",
    "ecs",
    "mock_driver",
    "nomad-driver-virt",
    "wasmtime",
    "wasm-task-driver",
];

/// Shorter names of custom drivers would resemble these at random.
const SHORTEST: usize = 4;

/// A driver that nearly has the name of one of these.
pub(super) fn check(task: &Block<'_>, found: &mut Vec<Finding>) {
    let driver = task.text("Driver");
    if KNOWN.contains(&driver) || driver.contains("${") {
        return;
    }
    let similar = KNOWN.iter().find(|known| known.len() >= SHORTEST && is_similar(driver, known));
    if let Some(similar) = similar {
        let field = task.at("Driver");
        let message = format!("there is no driver {}; did you mean {}?", quoted(driver), quoted(similar));
        found.push(remark(Rule::Driver, message, field.path(), field.range()));
    }
}
