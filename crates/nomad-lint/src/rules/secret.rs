//! Secrets of a task.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/secret>.

use hieratic_hcl_types::quoted;
use hieratic_value::collections::HashSet;

use crate::block::Block;
use crate::report::Report;

/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 128;

/// Checks the `secret` blocks of a task.
pub(super) fn check_all(task: &Block<'_>, report: &mut Report) {
    let mut known = HashSet::default();
    for block in task.blocks("Secrets") {
        let name = block.text("Name");
        let shown = quoted(name);
        if !known.insert(name.to_owned()) {
            report.add(block.at("Name"), format!("Duplicate secret {shown} found"));
        }
        if block.text("Provider") == "vault" && !task.block("Vault").is_written() {
            let message = format!("Secret {shown} has provider \"vault\" but no vault block");
            report.add(block.at("Provider"), message);
        }
        report.list(|| format!("Secret {shown} is invalid: "), |report| check(&block, report));
    }
}

fn check(block: &Block<'_>, report: &mut Report) {
    let name = block.text("Name");
    if name.is_empty() {
        report.add(block.at("Name"), "secret name cannot be empty");
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !(1..=MAX_NAME).contains(&name.len()) || !name.bytes().all(is_part) {
        let message = format!("secret name must match regex ^[a-zA-Z0-9_]{{1,{MAX_NAME}}}$");
        report.add(block.at("Name"), message);
    }
    let provider = block.text("Provider");
    if provider.is_empty() {
        report.add(block.at("Provider"), "secret provider cannot be empty");
    }
    if block.text("Path").is_empty() {
        report.add(block.at("Path"), "secret path cannot be empty");
    }
    if matches!(provider, "nomad" | "vault") {
        if !block.map("Env").is_empty() {
            report.add(block.at("Env"), format!("{provider} provider cannot use the env block"));
        }
    } else if !block.map("Config").is_empty() {
        let message = format!("custom plugin provider {provider} cannot use the config block");
        report.add(block.at("Config"), message);
    }
}
