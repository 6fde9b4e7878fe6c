//! Files that are rendered for a task.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/template>.

use hieratic_hcl_types::go::duration;
use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashMap;

use crate::block::Block;
use crate::go::{number, path};
use crate::report::Report;

/// The greatest permissions: those of a file with all its special bits.
const MAX_PERMISSIONS: u64 = 0o7777;

/// Checks the `template` blocks of a task.
pub(super) fn check_all(task: &Block<'_>, report: &mut Report) {
    let mut destinations: HashMap<String, usize> = HashMap::default();
    for (at, block) in task.blocks("Templates").enumerate() {
        let number = at + 1;
        report.list(|| format!("Template {number} validation failed: "), |report| check(&block, report));
        let destination = block.text("DestPath");
        if let Some(other) = destinations.get(destination) {
            let message = format!("Template {number} has same destination as {other}");
            report.add(block.at("DestPath"), message);
        } else {
            destinations.insert(destination.to_owned(), number);
        }
    }
}

fn check(block: &Block<'_>, report: &mut Report) {
    if block.text("SourcePath").is_empty() && block.text("EmbeddedTmpl").is_empty() {
        report.add(block.path(), "Must specify a source path or have an embedded template");
    }
    let destination = block.text("DestPath");
    if destination.is_empty() {
        report.add(block.at("DestPath"), "Must specify a destination for the template");
    }
    if path::escapes_allocation("task", destination) {
        report.add(block.at("DestPath"), "destination escapes allocation directory");
    }
    change(block, report);
    if block.number("Splay") < 0 {
        report.add(block.at("Splay"), "Must specify positive splay value");
    }
    if let Some(permissions) = block.filled_text("Perms")
        && let Err(error) = number::unsigned(permissions, 8, MAX_PERMISSIONS)
    {
        let error = error.message("ParseUint", permissions);
        report.add(block.at("Perms"), format!("Failed to parse {} as octal: {error}", quoted(permissions)));
    }
    let wait = block.block("Wait");
    if let (Some(min), Some(max)) = (wait.given_number("Min"), wait.given_number("Max"))
        && min > max
    {
        let message = format!("wait min {} is greater than max {}", duration::display(min), duration::display(max));
        report.add(wait.at("Min"), message);
    }
}

/// Checks the action for a changed file.
fn change(block: &Block<'_>, report: &mut Report) {
    match block.given_text("ChangeMode").unwrap_or("restart") {
        "noop" | "restart" => {}
        "signal" => {
            if block.given_text("ChangeSignal") == Some("") {
                report.add(block.at("ChangeSignal"), "Must specify signal value when change mode is signal");
            }
            if block.flag("Envvars") {
                report.add(block.at("Envvars"), "cannot use signals with env var templates");
            }
        }
        "script" => {
            let script = block.block("ChangeScript");
            if !script.is_written() {
                let message = "must specify change script configuration value when change mode is script";
                report.add(script.path(), message);
            } else if script.text("Command").is_empty() {
                report.add(script.at("Command"), "must specify script path value when change mode is script");
            }
        }
        _ => {
            let message = "Invalid change mode. Must be one of the following: noop, signal, script, restart";
            report.add(block.at("ChangeMode"), message);
        }
    }
}
