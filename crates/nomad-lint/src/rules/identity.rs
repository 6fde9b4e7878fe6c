//! Identities of workloads.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/identity>.

use hieratic_hcl_types::quoted;

use crate::block::Block;
use crate::go::text::large;
use crate::report::Report;

/// The name of the identity that every task has.
const DEFAULT: &str = "default";

/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 128;

/// An identity of a task or a service.
pub(super) struct Identity<'a> {
    block: Block<'a>,
    name: &'a str,
    /// The number of audiences. The default identity, which every task has, always has Nomad's own.
    audiences: usize,
}

impl<'a> Identity<'a> {
    /// An identity of a task. One without a name is the default identity, which every task has.
    pub(super) fn of_task(block: Block<'a>) -> Self {
        let name = block.filled_text("Name").unwrap_or(DEFAULT);
        let audiences = if name == DEFAULT { 1 } else { block.list("Audience").len() };
        Self { block, name, audiences }
    }

    /// The identity of a service.
    pub(super) fn of_service(block: Block<'a>) -> Self {
        Self { name: block.text("Name"), audiences: block.list("Audience").len(), block }
    }

    /// Its name.
    pub(super) fn name(&self) -> &'a str {
        self.name
    }

    fn is_default(&self) -> bool {
        self.name == DEFAULT
    }
}

/// The written default identity of a task, the last of that name, and its other identities.
pub(super) fn of_task<'b>(task: &'b Block<'b>) -> (Option<Identity<'b>>, Vec<Identity<'b>>) {
    let mut others: Vec<_> = task.blocks("Identities").filter(Block::is_written).map(Identity::of_task).collect();
    let default = match others.iter().rposition(Identity::is_default) {
        Some(at) => Some(others.remove(at)),
        None => task.written("Identity").map(Identity::of_task),
    };
    (default, others)
}

/// Checks the `identity` blocks of a task.
pub(super) fn check_all(task: &Block<'_>, report: &mut Report) {
    let (default, others) = of_task(task);
    if let Some(identity) = &default {
        identity.check(report);
    }
    for identity in &others {
        if identity.is_default() {
            report.add(identity.block.path(), "Duplicate default identities found");
        }
        identity.check(report);
    }
}

impl Identity<'_> {
    fn check(&self, report: &mut Report) {
        report.list(|| format!("Identity {} is invalid: ", quoted(self.name)), |report| self.check_fields(report));
    }

    fn check_fields(&self, report: &mut Report) {
        let block = &self.block;
        let is_name = |name: &str| {
            (1..=MAX_NAME).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        if !is_name(self.name) {
            let message =
                format!("invalid name {}. Must match regex ^[a-zA-Z0-9-_]{{1,{MAX_NAME}}}$", quoted(self.name));
            report.add(block.at("Name"), message);
        }
        if !self.is_default() {
            for (at, _) in block.texts("Audience").enumerate().filter(|(_, audience)| audience.is_empty()) {
                let message = format!("an empty string is an invalid audience ({})", at + 1);
                report.add(block.at_item("Audience", at), message);
            }
        }
        let signal = block.text("ChangeSignal");
        match block.text("ChangeMode") {
            "" | "noop" | "restart" if !signal.is_empty() => {
                let message =
                    format!("can only use change_signal={} with change_mode=\"signal\"", quoted(&large(signal)));
                report.add(block.at("ChangeSignal"), message);
            }
            "signal" if signal.is_empty() => {
                let message = "change_signal must be specified when using change_mode=\"signal\"";
                report.add(block.at("ChangeSignal"), message);
            }
            "" | "noop" | "restart" | "signal" => {}
            other => report.add(block.at("ChangeMode"), format!("invalid change_mode: {other}")),
        }
        let lifetime = block.number("TTL");
        if lifetime > 0 && self.is_default() {
            report.add(block.at("TTL"), "ttl for default identity not yet supported");
        }
        if lifetime < 0 {
            report.add(block.at("TTL"), "ttl must be >= 0");
        }
        if !block.text("Filepath").is_empty() && !block.flag("File") {
            report.add(block.at("Filepath"), "file parameter must be true in order to specify filepath");
        }
    }

    /// Adds the warnings, each after the prefix.
    pub(super) fn warn(&self, prefix: &str, report: &mut Report) {
        let block = &self.block;
        let mut warn = |field, message: &str| report.add(block.at(field), format!("{prefix} {message}"));
        match self.audiences {
            0 => warn("Audience", "identities without an audience are insecure"),
            1 => {}
            _ => {
                let message = "while multiple audiences is allowed, it is more secure to use 1 audience per identity";
                warn("Audience", message);
            }
        }
        if !self.name.is_empty() && !self.is_default() && block.number("TTL") == 0 {
            warn("TTL", "identities without an expiration are insecure");
        }
        if block.flag("Env") && block.text("ChangeMode") != "restart" {
            let message =
                "using env=true without change_mode=\"restart\" may result in task not getting updated identity";
            warn("ChangeMode", message);
        }
    }
}
