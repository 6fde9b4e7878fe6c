//! Edits the source of a document and leaves everything else unchanged: comments, order, quotes, anchors, whitespace.
//!
//! A [`Change`] describes the new content of a node of the [`tree`], and [`apply`] writes it into the source. Only the
//! bytes of the change are replaced. New values are written in the surrounding style.
//!
//! ```
//! use hieratic_yaml_edit::{self as edit, Change, MapChange};
//! use hieratic_yaml_edit::tree;
//!
//! let text = "# the web servers\nweb:\n  port: 80 # plain\n  host: a\n";
//! let root = tree::parse(text, 0, "main.yaml")?;
//! let port = MapChange { values: vec![(0, Change::Replace(8080.into()))], ..MapChange::default() };
//! let web = MapChange { values: vec![(0, Change::Map(port))], ..MapChange::default() };
//! let changed = edit::apply(text, &root, &Change::Map(web));
//! assert_eq!(changed, "# the web servers\nweb:\n  port: 8080 # plain\n  host: a\n");
//! # Ok::<(), hieratic_json::Error>(())
//! ```
//!
//! [`mod@write`] writes the new values, and [`resolve12`](mod@resolve12) resolves scalars of YAML 1.2.
//!
//! # Anchors
//!
//! A replaced value keeps its anchor, so that aliases refer to the new value. If a node is removed, or moved after one
//! of its aliases, that alias becomes the node with its old content.
//!
//! # Limits
//!
//! - A block scalar that is a key without a value, at the end of a document without a final line break, gets a line
//!   break when it gets a value.

mod edit;
pub mod resolve12;
pub mod tree;
pub mod write;
mod yaml12;

pub use edit::{Added, Change, MapChange, Slot, apply, detached};
