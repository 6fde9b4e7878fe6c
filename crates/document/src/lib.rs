//! YAML, JSON and HOCON read into [`hieratic_value::Value`], exactly as Ruby reads them, and YAML written.
//!
//! Each format has a module with `parse`, which returns only the value, and `parse_with_positions`, which also returns
//! the position of each part. Positions cost nothing if they are not requested.
//!
//! ```
//! use hieratic_document::yaml;
//!
//! let options = yaml::Options::new("common.yaml");
//! let document = yaml::parse_with_positions(b"ports:\n  - 0x50\n  - 8_080\n", &options)?;
//! let ports = document.value.as_hash().and_then(|hash| hash.get("ports"));
//! assert_eq!(ports.map(|ports| ports.inspect()).as_deref(), Some("[80, 8080]"));
//!
//! let (key, ports) = document.positions.entry(0).ok_or("no entry")?;
//! assert_eq!((key.line, key.column), (1, 1));
//! assert_eq!(ports.element(1).map(|port| port.at().line), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`emitter`] writes YAML as libyaml does, for all crates that must write the YAML of Ruby, Python and Go.
//! [`write`](mod@write) writes data for existing documents, and [`edit`] changes documents.

pub mod edit;
pub mod emitter;
mod error;
pub mod hocon;
pub mod json;
mod number;
mod position;
mod position_sink;
pub mod resolve12;
mod scalar_extent;
pub mod tree;
pub mod write;
pub mod yaml;
mod yaml12;

use hieratic_value::Value;

pub use error::Error;
pub use hieratic_source::Position;
pub use position::{OtherFile, Positions};
pub use scalar_extent::written;

/// A value and the positions of its parts in the source.
#[derive(Clone, Debug)]
pub struct Document {
    /// The value.
    pub value: Value,
    /// The positions: a tree parallel to the value.
    pub positions: Positions,
}
