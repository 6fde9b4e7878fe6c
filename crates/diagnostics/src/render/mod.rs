//! Messages written out: for people ([`human`]), for tools ([`json`]), for the viewers of code scanners
//! ([`sarif`](sarif())), and for GitHub's workflows ([`github`](github())).
//!
//! All of them quote data, which may try to drive the terminal, to command the CI system that reads along, or to look like a
//! message of its own. [`plain`] and [`plain_json`] do the same for
//! other text, [`inert`](inert()) for what was put together already.

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
