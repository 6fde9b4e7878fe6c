//! The code that the libraries for other languages (`bindings-python`, `bindings-c`) share: everything except the conversion of
//! values.
//!
//! A [`BindingError`] is an error with its position, code and report. A [`Subject`] evaluates code and templates.
//! [`NamedDocument`] is a document with merge directives or a job. Nothing here depends on a type of another language.

mod documents;
mod error;
mod hcl;
mod jobs;
mod lookups;
mod subject;

pub use documents::{AppliedDirective, ExpandedDocument, NamedDocument, folder_of, read_bytes, read_text};
pub use error::{BindingError, BindingErrorKind, ErrorParts, ErrorPosition, LIMIT};
pub use hcl::data_of_hcl;
pub use jobs::{JobData, JobOptions, api_job};
pub use lookups::{Omissions, lookup_all};
pub use subject::{RenderedTemplate, Subject};
