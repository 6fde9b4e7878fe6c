//! Options of Nomad's drivers. A driver checks them only when a task starts.
//!
//! Nomad reads `config` as HCL's JSON by the schema of the driver, so values are converted as in HCL.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-declare/task-driver>.

mod check;
mod docker;
mod forms;
mod podman;
mod programs;
mod relations;
mod schema;

use hieratic_nomad_job::Job;

use crate::block::Block;
use crate::finding::Finding;
use crate::nomad_version::NomadVersion;
use check::ConfigCheck;
use schema::Driver;
pub(super) use schema::{DriverOption, OptionKind, TextRule};

/// The drivers whose options are known.
pub(super) const DRIVERS: &[Driver] = &[
    Driver { name: "docker", options: docker::DOCKER },
    Driver { name: "exec", options: programs::EXEC },
    Driver { name: "exec2", options: programs::EXEC2 },
    Driver { name: "java", options: programs::JAVA },
    Driver { name: "podman", options: podman::PODMAN },
    Driver { name: "qemu", options: programs::QEMU },
    Driver { name: "raw_exec", options: programs::RAW_EXEC },
];

/// Reports options that the task's driver does not have, and values that it refuses. A task without `config` is not
/// judged.
pub(super) fn check(job: &Job, task: &Block<'_>, version: NomadVersion, found: &mut Vec<Finding>) {
    let Some(driver) = DRIVERS.iter().find(|driver| driver.name == task.text("Driver")) else { return };
    if !task.has("Config") {
        return;
    }
    let mut check = ConfigCheck { job, task, driver: driver.name, version, found };
    check.config(driver.options, task.map("Config"));
    relations::check(&mut check, task.map("Config"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_sorted(driver: &str, options: &[DriverOption]) {
        assert!(options.is_sorted_by_key(|option| option.name), "{driver}");
        for option in options {
            if let OptionKind::Block(within) | OptionKind::Blocks(within) = option.kind {
                assert_sorted(driver, within);
            }
        }
    }

    #[test]
    fn options_are_sorted() {
        assert!(DRIVERS.is_sorted_by_key(|driver| driver.name));
        for driver in DRIVERS {
            assert_sorted(driver.name, driver.options);
        }
    }
}
