//! The code that the libraries for other languages (`python`, `capi`) share: everything except the conversion of
//! values.
//!
//! A [`Fault`] is an error with its position, its code and its report. A [`Subject`] evaluates code and templates.
//! [`Text`] is a document with merge directives or a job. Nothing here depends on a type of another language.

mod documents;
mod faults;
mod hcl;
mod jobs;
mod lookups;
mod subject;

pub use documents::{Applied, Expanded, Text, folder_of, read_text};
pub use faults::{Fault, FaultParts, Place};
pub use hcl::data_of_hcl;
pub use jobs::{Data, JobOptions, api_job};
pub use lookups::{OriginRow, everything, origins};
pub use subject::{Rendered, Subject};
