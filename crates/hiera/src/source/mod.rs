//! Sources of data: files and backend answers, read once, shared by every node, and reread only when they change.

mod data;
mod format;
mod opener;
mod store;

pub(crate) use data::{Data, Entry, MergedKey, SourceName};
pub use format::DataReader;
pub(crate) use format::{DIRECTIVES, Format, syntax_error};
pub(crate) use opener::key_files;
pub(crate) use store::{Content, DataFile, ReadFile, Store};
