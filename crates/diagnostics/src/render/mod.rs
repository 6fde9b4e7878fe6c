//! Renderers of messages: for people ([`human`]), for tools ([`json`]), for the viewers of code scanners
//! ([`sarif`](sarif())), and for GitHub's workflows ([`github`](github())).
//!
//! All of them quote data, which may try to control the terminal, to give commands to the CI system that reads the
//! output, or to look like another message. [`sanitize`] and [`sanitize_json`] escape other text in the same way, and
//! [`escape_commands`](escape_commands()) escapes complete output.

mod control_chars;
mod excerpt;
mod github;
mod gitlab;
mod human;
mod json;
mod sarif;
mod workflow_commands;
mod wrap;

pub use control_chars::{sanitize, sanitize_json, visible, visible_line};
pub use github::github;
pub use gitlab::{GitlabIssue, gitlab};
pub use human::{Style, human};
pub use json::json;
pub use sarif::{SarifResult, SarifRule, Tool, sarif, sarif_log};
pub use workflow_commands::{escape_commands, escape_json_commands};
pub use wrap::wrap;
