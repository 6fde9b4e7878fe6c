//! Opens two states of a control repository and shows their differences.
//!
//! [`Sides`] are the two states: revisions, the working tree, or folders. `hieratic_changes` compares them. A [`View`]
//! is the result in the form that all formats share, with secrets redacted: text, Markdown, [JSON](View::to_value) and
//! pages. [`Entry`] is a commit in the history of a key.

mod catalogs;
mod failing;
mod history;
mod json;
mod rows;
mod sides;
mod together;
mod uncompared;
mod view;

pub use history::{Entry, History, Moment, Walk, history};
pub use rows::{Line, Row, Sign, lines_of, rows};
pub use sides::{Head, Sides};
pub use together::together;
pub use uncompared::not_shown;
pub use view::{Changed, Found, Kind, Lone, NodeGroup, Parameter, Told, View, in_environments, shown_facts};

/// The nodes that a comparison is about, with their facts on both sides.
pub struct Nodes {
    /// The nodes.
    pub subjects: Vec<hieratic_changes::Subject>,
    /// Whether the nodes are synthetic: derived from the paths of data files.
    pub are_made_up: bool,
}

/// A number of things, in words.
pub(crate) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
