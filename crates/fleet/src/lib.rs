//! Looks up values for many nodes, and writes them as rows, one for each node and key.
//!
//! [`export`] takes nodes in sequence, answers several at a time on all cores, and writes the rows in the order
//! of the nodes. Nodes whose hierarchies read the same files, and whose facts agree where data refers to them, are
//! looked up once. The memory use does not grow with the number of nodes.
//!
//! ```
//! use hieratic::{Environment, Facts, Settings};
//! use hieratic_fleet::{Format, Options, Source, export};
//!
//! let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
//! let environment = Environment::open(&Settings::discover(root.as_ref()))?;
//! let nodes = ["web01.example.com", "web02.example.com"].map(|name| Ok(Source::from(Facts::named(name))));
//! let options = Options { selects_key: &|key| key == "profile::web::port", ..Options::default() };
//! let mut out = Vec::new();
//! let summary = export(&environment, nodes.into_iter(), &options, Format::Csv, &mut out)?;
//! assert_eq!(summary.nodes, 2);
//! assert_eq!(summary.rows, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer_cache;
mod chosen_facts;
mod classes;
mod each;
mod export;
mod facts;
mod inserted;
mod node_answers;
mod node_query;
mod nodes;
mod options;
mod pipeline;
mod progress;
mod rows;
mod shard;
mod source;
mod summary;
mod tables;
mod write;

pub use chosen_facts::ChosenFacts;
pub use classes::{Classes, NodeClass};
pub use each::{NodeResult, NodeSelection, each};
pub use export::{TakeAnswers, answers, answers_with_facts, export, export_continued, shared_answers};
pub use facts::facts_of;
pub use inserted::TextPart;
pub use node_answers::{AnswerValue, NodeAnswer, NodeAnswers};
pub use node_query::level_name;
pub use nodes::{FileNodes, node_among, nodes_of};
pub use options::{Options, SaveInterval};
pub use progress::{Ledger, Progress};
pub use rows::{Cell, Row, RowId, Rows, Scalar};
pub use shard::Shard;
pub use source::{NodeError, Source, Sources, is_of_many};
pub use summary::Summary;
#[cfg(not(target_os = "wasi"))]
pub use tables::facts_of_row;
/// The version of the format of the table of answers, which `docs/table.md` describes.
pub const TABLE_VERSION: &str = "1";

#[cfg(not(target_os = "wasi"))]
pub use write::join;
pub use write::{Format, csv_field};
