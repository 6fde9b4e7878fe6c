//! Files that are fetched for a task.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/artifact>.

use hieratic_hcl_types::quoted;

use crate::block::Block;
use crate::go::{hexadecimal, path};
use crate::references;
use crate::report::Report;

/// Checks an `artifact` block.
pub(super) fn check(block: &Block<'_>, report: &mut Report) {
    if block.text("GetterSource").is_empty() {
        report.add(block.at("GetterSource"), "source must be specified");
    }
    let mode = block.text("GetterMode");
    if !matches!(mode, "" | "any" | "file" | "dir") {
        let message = format!("invalid artifact mode {}; must be one of: any, file, dir", quoted(mode));
        report.add(block.at("GetterMode"), message);
    }
    // The default destination is always within the task's folder.
    if path::escapes_allocation("task", block.text("RelativeDest")) {
        report.add(block.at("RelativeDest"), "destination escapes allocation directory");
    }
    let checksum = block.text_map("GetterOptions").find(|(key, _)| *key == "checksum");
    if let Some(error) = checksum.and_then(|(_, checksum)| self::checksum(checksum)) {
        report.add(block.at("GetterOptions"), error);
    }
}

/// The error in a checksum: `md5:...`. One with references is unknown before the task runs.
fn checksum(text: &str) -> Option<String> {
    if references::any(text) {
        return None;
    }
    let text = text.trim();
    if text.is_empty() {
        return Some("checksum value cannot be empty".to_owned());
    }
    let Some((kind, digits)) = text.split_once(':').filter(|(_, digits)| !digits.contains(':')) else {
        return Some(format!("checksum must be given as \"type:value\"; got {}", quoted(text)));
    };
    let length = match hexadecimal::length(digits) {
        Ok(length) => length,
        Err(error) => return Some(format!("invalid checksum: {error}")),
    };
    let expected = match kind {
        "md5" => 16,
        "sha1" => 20,
        "sha256" => 32,
        "sha512" => 64,
        _ => return Some(format!("unsupported checksum type: {kind}")),
    };
    (length != expected).then(|| format!("invalid {kind} checksum: {digits}"))
}
