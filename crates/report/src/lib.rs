//! Opens two states of a control repository and shows their differences.
//!
//! [`Sides`] are the two states: revisions, the working tree, or folders. `hieratic_impact` compares them. A [`View`]
//! is the result in the form that all formats share, with secrets redacted: text, Markdown, [JSON](View::to_value) and
//! pages. [`Entry`] is a commit in the history of a key.

mod catalogs;
mod failing;
mod history;
mod json;
mod merge_views;
pub mod pages;
mod rows;
mod sides;
mod uncompared;
mod view;

pub use history::{AnswerAtCommit, Entry, History, HistorySearch, history};
pub use merge_views::merge_views;
pub use rows::{Line, Row, Sign, lines_of, rows};
pub use sides::{Head, Sides};
pub use uncompared::describe_uncompared;
pub use view::{
    ChangeEntry, ChangeKind, ComparisonResults, LoneEnvironment, NewFinding, NodeGroup, Parameter, View,
    describe_facts, in_environments,
};

/// The nodes that a comparison is about, with their facts on both sides.
pub struct Nodes {
    /// The nodes.
    pub subjects: Vec<hieratic_impact::Subject>,
    /// Whether the nodes are synthetic: derived from the paths of data files.
    pub are_synthetic: bool,
}

/// A number of things, in words.
pub(crate) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
