//! Messages written out: for people ([`human`]), for tools ([`json`]), for the viewers of code scanners
//! ([`sarif`](sarif())), and for GitHub's workflows ([`github`](github())).

mod excerpt;
mod github;
mod human;
mod json;
mod sarif;
mod visible;

pub use github::github;
pub use human::{Style, human};
pub use json::json;
pub use sarif::{SarifResult, Tool, sarif, sarif_log};
