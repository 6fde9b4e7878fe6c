//! YAML 1.1 as PyYAML reads and writes it, which is how Ansible does.

mod analysis;
mod emitter;
mod reader;
mod resolver;

pub use emitter::{Layout, write};
pub use reader::parse;
