//! The parts of the service's pages and of standalone pages, with their stylesheet.
//!
//! [`alone`] renders a page in one file, without scripts, that can be printed. [`changes`] shows a report, [`reasons`]
//! the reasons for answers, [`pair`] the difference of two values.

mod alone;
mod imprint;
mod levels;
mod node_levels;
mod pair;
mod reasons;
pub mod value;

pub use crate::formats::{HtmlOptions, changes, changes_page};
pub use alone::alone;
pub use imprint::Imprint;
pub use levels::{LevelStack, ValuePlaces};
pub use node_levels::{LevelLocation, NodeLevel, NodeLevels, plain_name};
pub use pair::{LineAddress, SideText, lines, marked, pair};
pub use reasons::{Explanations, explanation_page};

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");
