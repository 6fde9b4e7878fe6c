//! The parts that the pages of the service and pages to send around are made of, with their one stylesheet.
//!
//! A page [`alone`] is complete in one file, without scripts, and fit to be printed. [`changes`] shows a report,
//! [`reasons`] how answers came about, [`pair`] what differs between two values.

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
