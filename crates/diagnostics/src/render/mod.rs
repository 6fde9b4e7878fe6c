//! Messages written out: for people ([`human`]), for tools ([`json`]), and for the viewers of code scanners
//! ([`sarif`](sarif())).

mod excerpt;
mod human;
mod json;
mod sarif;
mod visible;

pub use human::{Style, human};
pub use json::json;
pub use sarif::{Tool, sarif};
