//! Compares two states of a control repository and reports their differences.
//!
//! [`Sides`] are the two states: revisions, the working tree, or folders. [`Sides::open`] opens an environment on both,
//! and [`compare`] returns a [`Report`]: a list of [`Change`]s of any kind, with secrets redacted. All formats are
//! views over it: [text](Report::to_text), [Markdown](Report::to_markdown), [JSON](Report::to_value),
//! [annotations](Report::to_annotations) and [pages]. [`HistoryEntry`] is a commit in the history of a key.

mod block_text;
mod change;
mod compare;
mod forge;
mod formats;
mod history;
mod jobs;
pub mod json;
mod line_diff;
mod merge;
mod notation;
mod notes;
mod overview;
pub mod pages;
mod place;
mod report;
mod rows;
mod sides;
mod truncation;
mod uncompared;
mod unread;

use hieratic::diagnostics::counted;

pub use change::{
    Change, ChangeKind, Content, Entry, Failing, Failure, Finding, Heading, Job, Key, Parameter, Resource, Severity,
};
pub use compare::{CompareCatalogs, Options, ShowsMessage, compare};
pub use forge::{Forge, ForgeLinks};
pub use history::{AnswerAtCommit, CommitLook, Continue, History, HistoryEntry, HistorySearch, history};
pub use jobs::{JobDelta, JobReport, compare_jobs, count_jobs, job_options};
pub use line_diff::LineDiff;
pub use merge::merge_reports;
pub use notation::{part_path, part_text, yaml_text};
pub use overview::{Overview, OverviewRow};
pub use place::Place;
pub use report::{ChangeGroup, LoneEnvironment, NodeSet, Report, Summary, describe_facts, in_environments};
pub use rows::{Line, Row, Sign, lines_of, rows};
pub use sides::{Head, OpenError, OpenSides, Sides};
pub use truncation::truncate;
pub use uncompared::describe_uncompared;
pub use unread::ReadData;

/// The compared nodes, with their facts on both sides.
pub struct Nodes {
    /// The nodes.
    pub subjects: Vec<hieratic_impact::Subject>,
    /// Whether the nodes are synthetic: derived from the paths of data files.
    pub are_synthetic: bool,
}
