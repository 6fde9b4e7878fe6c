//! The formats of a report, one file each. They show the [entries](crate::Entry) of changes, and know no kinds.

mod github;
mod html;
mod json;
mod markdown;
mod text;

pub use html::{HtmlOptions, changes, changes_page};
