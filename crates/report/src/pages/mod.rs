//! The parts that the pages of the service and pages to send around are made of, with their one stylesheet.
//!
//! A page [`alone`] is complete in one file, without scripts, and fit to be printed. [`changes`] shows a comparison,
//! [`reasons`] how answers came about, [`pair`] what differs between two values.

mod alone;
mod changes;
mod pair;
mod reasons;

pub use alone::alone;
pub use changes::{ChangesOptions, changes, changes_page};
pub use pair::{Side, lines, pair};
pub use reasons::{change, explanation_page};

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");

/// A number of things, in words.
fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
