//! The parts of the service's pages and of standalone pages, with their stylesheet.
//!
//! [`alone`] renders a page in one file, without scripts, that can be printed. [`changes`] shows a report, [`reasons`]
//! the reasons for answers, [`pair`] the difference of two values.

mod alone;
mod imprint;
mod pair;
mod reasons;

pub use crate::formats::{HtmlOptions, changes, changes_page};
pub use alone::alone;
pub use imprint::Imprint;
pub use pair::{SideText, lines, marked, pair};
pub use reasons::{change, explanation_page};

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");
