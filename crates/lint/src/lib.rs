//! Lints control repositories without compiling a catalog.
//!
//! [`audit`] takes files and folders, finds the environments among them, and returns [`Finding`]s, each with its
//! [rule](rules), its position and help. It parses every language, and checks data against the hierarchy that reads it,
//! the code that uses it, and other data. If a finding depends on a node (a cycle, a lost knockout), a lookup confirms
//! it, for the given nodes or for a node that the path of the file describes.
//!
//! ```
//! use hieratic_lint::{Options, audit};
//!
//! let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
//! let report = audit(&Options::for_paths([folder]), &());
//! assert!(report.findings.is_empty(), "{:?}", report.findings);
//! ```
//!
//! A [`Session`] checks the same files repeatedly while they are edited, and provides a [view](View) of their contents.
//! A [`Baseline`] contains the findings that a team accepts, a comment on a line [ignores](Ignores) its findings, and a
//! [`Selection`] enables rules.

mod analysis;
mod baseline;
mod code_folders;
mod comments;
mod coverage;
mod environments;
mod excluded;
mod finding;
mod hygiene;
mod ignored;
mod job_reader;
mod job_values;
mod kind;
mod kind_by_content;
mod legacy_facts;
mod missing_parts;
mod modules;
mod new_findings;
mod options;
mod paths;
pub mod rules;
mod run;
mod runner;
mod selection;
mod session;
mod style_options;
mod tests_of_modules;
mod texts;
mod tree;
mod upgrade;
mod walk;
mod walks;
mod workspace;

pub use analysis::{EnvironmentProgram, is_of_analysis};
pub use baseline::Baseline;
pub use comments::Ignores;
pub use coverage::{Omission, OmissionGroup, Reason, Subject};
pub use finding::{Finding, Fix, Suggestion, file_from};
pub use hieratic::budget::Progress;
pub use hygiene::{Entry, removable_entries};
pub use job_reader::{JobFile, JobReader, JobRun};
pub use job_values::{JobSet, JobValues};
pub use kind::Kind;
pub use kind_by_content::is_job;
pub use legacy_facts::{fact_keys, modern_fact};
pub use new_findings::{KnownSides, new_findings};
pub use options::{CatalogInputs, Options};
pub use rules::Rule;
pub use run::{Report, Watch, audit};
pub use selection::{Selection, SelectionError, UnknownRule};
pub use session::{BufferCheck, Session};
pub use style_options::{RuleSet, StyleOptions};
pub use texts::directives::has_directives;
pub use texts::manifest::is_plan;
pub use texts::style::restyle;
pub use upgrade::audit_upgrade;
pub use workspace::{
    ClassInfo, Contents, Data, DataFile, Hierarchy, KeyUsage, LOOKUP_OPTIONS, LevelContents, ParameterInfo, Reader,
    Readers, Reading, SYNTHETIC, Survey, Text, View, contents, contents_about, has_interpolation,
    named_nodes_of_any_data, names_looked_up, nodes_of_any_data, nodes_of_data_about, readers, schema, shown_node,
    survey,
};
