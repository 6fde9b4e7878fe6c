//! Tasks.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/task>.

use hieratic_hcl_types::quoted;
use hieratic_nomad_schema::Operator;
use hieratic_value::collections::HashMap;

use super::services::{self, Services};
use super::{Scope, artifact, group, identity, placement, resources, secret, template, update, volumes};
use crate::block::Block;
use crate::go::path;
use crate::report::Report;
use hieratic_hcl_types::go::duration::{self, SECOND};

/// The default time that a task has to stop, in nanoseconds.
const DEFAULT_KILL_TIMEOUT: i64 = 5 * SECOND;

/// The default number of log files.
const DEFAULT_LOGS: i64 = 10;

/// The maximum length of the name of an action, in bytes.
const MAX_ACTION: usize = 128;

/// The context of a task.
pub(super) struct TaskContext<'a> {
    pub(super) group: &'a Block<'a>,
    /// The `update` block of the group over that of the job.
    pub(super) update: Option<&'a Block<'a>>,
    pub(super) services: &'a Services,
}

/// Checks a `task` block, the one at that index in its group.
pub(super) fn check(scope: &Scope<'_>, outer: &TaskContext<'_>, at: usize, task: &Block<'_>, report: &mut Report) {
    name(task, report);
    if task.text("Driver").is_empty() {
        report.add(task.at("Driver"), "Missing task driver");
    }
    times(scope, outer, task, report);
    report.bare_list(|report| resources::check(&task.block("Resources"), report));
    report.bare_list(|report| logs(group::disk_size(outer.group), &task.block("LogConfig"), report));
    constraints(task, report);
    placement::affinities(scope, task, report);
    let own_services = outer.services.of_tasks.get(at).map_or(&[][..], Vec::as_slice);
    report.bare_list(|report| services::check_task(outer.group, task, own_services, report));
    for (at, block) in task.blocks("Artifacts").enumerate() {
        report.list(|| format!("Artifact {} validation failed: ", at + 1), |report| artifact::check(&block, report));
    }
    if let Some(vault) = task.written("Vault") {
        report.list(|| "Vault validation failed: ".to_owned(), |report| self::vault(&vault, report));
    }
    template::check_all(task, report);
    actions(task, report);
    if let Some(payload) = task.written("DispatchPayload")
        && path::escapes_allocation("task/local/", payload.text("File"))
    {
        let message = "Dispatch Payload validation failed: destination escapes allocation directory";
        report.add(payload.at("File"), message);
    }
    if let Some(lifecycle) = task.written("Lifecycle") {
        match lifecycle.text("Hook") {
            "prestart" | "poststart" | "poststop" => {}
            "" => report.add(lifecycle.at("Hook"), "Lifecycle validation failed: no lifecycle hook provided"),
            other => report.add(lifecycle.at("Hook"), format!("Lifecycle validation failed: invalid hook: {other}")),
        }
    }
    proxy(outer, task, report);
    volumes::check_mounts(outer.group, task, report);
    if let Some(plugin) = task.written("CSIPluginConfig") {
        csi_plugin(&plugin, report);
    }
    identity::check_all(task, report);
    secret::check_all(task, report);
}

fn name(task: &Block<'_>, report: &mut Report) {
    let name = task.text("Name");
    let mut error = |message: &str| report.add(task.at("Name"), message);
    match name {
        "" => error("Missing task name"),
        "alloc" => error("Task cannot be named \"alloc\""),
        _ if name.contains(['/', '\\']) => error("Task name cannot include slashes"),
        _ if name.contains('\0') => error("Task name cannot include null characters"),
        _ => {}
    }
}

fn times(scope: &Scope<'_>, outer: &TaskContext<'_>, task: &Block<'_>, report: &mut Report) {
    let kill_timeout = match task.number("KillTimeout") {
        0 => DEFAULT_KILL_TIMEOUT,
        time => time,
    };
    let deadline = outer.update.filter(|_| scope.kind.is_service()).map_or(0, update::progress_deadline);
    if kill_timeout < 0 {
        report.add(task.at("KillTimeout"), "KillTimeout must be a positive value");
    } else if deadline > 0 && kill_timeout > deadline {
        // The first word is the reference's.
        let message = format!(
            "KillTimout ({}) longer than the group's ProgressDeadline ({})",
            duration::display(kill_timeout),
            duration::display(deadline)
        );
        report.add(task.at("KillTimeout"), message);
    }
    if task.number("ShutdownDelay") < 0 {
        report.add(task.at("ShutdownDelay"), "ShutdownDelay must be a positive value");
    }
}

fn logs(disk: i64, block: &Block<'_>, report: &mut Report) {
    let files = block.given_number("MaxFiles").unwrap_or(DEFAULT_LOGS);
    let size = block.given_number("MaxFileSizeMB").unwrap_or(DEFAULT_LOGS);
    if files < 1 {
        report.add(block.at("MaxFiles"), format!("minimum number of files is 1; got {files}"));
    }
    if size < 1 {
        report.add(block.at("MaxFileSizeMB"), format!("minimum file size is 1MB; got {size}"));
    }
    let total = files.wrapping_mul(size);
    if disk <= total {
        let message = format!("log storage ({total} MB) must be less than requested disk capacity ({disk} MB)");
        report.add(block.at("MaxFileSizeMB"), message);
    }
}

/// Constraints of a task must be about nodes.
fn constraints(task: &Block<'_>, report: &mut Report) {
    for (at, block) in task.blocks("Constraints").enumerate() {
        placement::listed_constraint(at, &block, report);
        let operator = block.text("Operand");
        if Operator::from_name(operator).is_some_and(Operator::is_about_allocations) {
            let message = format!("Constraint {} has disallowed Operand at task level: {operator}", at + 1);
            report.add(block.at("Operand"), message);
        }
    }
}

fn vault(block: &Block<'_>, report: &mut Report) {
    match block.text("ChangeMode") {
        "signal" if block.given_text("ChangeSignal") == Some("") => {
            let message = "Signal must be specified when using change mode \"signal\"";
            report.add(block.at("ChangeSignal"), message);
        }
        "" | "signal" | "noop" | "restart" => {}
        other => report.add(block.at("ChangeMode"), format!("Unknown change mode {}", quoted(other))),
    }
}

fn actions(task: &Block<'_>, report: &mut Report) {
    // By name: whether the duplicate was reported.
    let mut known: HashMap<String, bool> = HashMap::default();
    for action in task.blocks("Actions") {
        let name = action.text("Name");
        report.list(|| format!("Action {name} validation failed: "), |report| self::action(&action, report));
        match known.get_mut(name) {
            Some(reported) if !*reported => {
                report.add(action.at("Name"), format!("Action {name} defined multiple times"));
                *reported = true;
            }
            // After a third one the reference begins anew.
            Some(reported) => *reported = false,
            None => {
                known.insert(name.to_owned(), false);
            }
        }
    }
}

fn action(block: &Block<'_>, report: &mut Report) {
    if block.text("Command").is_empty() {
        report.add(block.at("Command"), "command cannot be empty");
    }
    let name = block.text("Name");
    let is_blank = |letter| matches!(letter, '\0' | '\t' | '\n' | '\x0c' | '\r' | ' ');
    if name.is_empty() || name.chars().count() > MAX_ACTION || name.contains(is_blank) {
        report.add(block.at("Name"), format!("invalid name '{name}'"));
    }
}

/// A task that is a proxy of Consul's mesh belongs to a service of its group.
fn proxy(outer: &TaskContext<'_>, task: &Block<'_>, report: &mut Report) {
    let Some(service) = task.text("Kind").strip_prefix("connect-proxy:").filter(|service| !service.is_empty()) else {
        return;
    };
    if !task.list("Services").is_empty() {
        report.add(task.at("Services"), "Connect proxy task must not have a service block");
    }
    if task.flag("Leader") {
        report.add(task.at("Leader"), "Connect proxy task must not have leader set");
    }
    services::check_proxy(outer.group, outer.services, task, service, report);
}

fn csi_plugin(block: &Block<'_>, report: &mut Report) {
    if block.text("ID").is_empty() {
        report.add(block.at("ID"), "CSIPluginConfig must have a non-empty PluginID");
    }
    let kind = block.text("Type");
    if !matches!(kind, "node" | "controller" | "monolith") {
        let message =
            format!("CSIPluginConfig PluginType must be one of 'node', 'controller', or 'monolith', got: \"{kind}\"");
        report.add(block.at("Type"), message);
    }
    let mounts = block.filled_text("MountDir").unwrap_or("/csi");
    let stages = block.filled_text("StagePublishBaseDir").unwrap_or("/local/csi");
    if path::is_within(mounts, stages) {
        let message = format!(
            "CSIPluginConfig StagePublishBaseDir must not be a subdirectory of MountDir, got: StagePublishBaseDir=\
             \"{stages}\" MountDir=\"{mounts}\""
        );
        report.add(block.at("StagePublishBaseDir"), message);
    }
}
