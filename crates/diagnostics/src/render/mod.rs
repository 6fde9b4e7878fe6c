//! Renderers of messages: for people ([`human`]), for tools ([`json`]), for the viewers of code scanners
//! ([`sarif`](sarif())), and for GitHub's workflows ([`github`](github())).
//!
//! All of them quote data, which may try to drive the terminal, to command the CI system that reads the output, or to
//! look like another message. [`plain`] and [`plain_json`] escape other text in the same way, [`inert`](inert())
//! escapes complete output.

mod excerpt;
mod github;
mod gitlab;
mod human;
mod inert;
mod json;
mod sarif;
mod visible;

pub use github::github;
pub use gitlab::{GitlabIssue, gitlab};
pub use human::{Style, human};
pub use inert::{inert, inert_json};
pub use json::json;
pub use sarif::{SarifResult, SarifRule, Tool, sarif, sarif_log};
pub use visible::{plain, plain_json, visible, visible_line};
