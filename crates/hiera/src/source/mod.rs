//! Sources of data: files and answers of backends. They are shared by all nodes, and read again only when they change.

mod data;
mod format;
mod store;
mod value_decryptor;

pub use data::SourceId;
pub(crate) use data::{Data, Entry, MergedKey, SourceName};
pub use format::DataReader;
pub(crate) use format::{DIRECTIVES, Format, syntax_error};
pub(crate) use store::{Content, DataFile, ReadFile, Store};
pub(crate) use value_decryptor::key_files;
