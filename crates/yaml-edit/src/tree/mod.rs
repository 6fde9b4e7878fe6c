//! YAML and JSON as a tree that preserves the formatting, for programs that write documents back.
//!
//! [`parse`] parses YAML 1.2 as the round-trip parser of ruamel.yaml does: `yes` is a string, duplicate keys are an
//! error. Each [`Node`] has its anchor and its span in the source. Aliases and merge keys (`<<`) share their nodes.
//! Nodes are immutable: a change creates a new node that shares the unchanged parts.
//!
//! ```
//! use hieratic_yaml_edit::tree;
//!
//! let text = "base: &b {port: 80}\nweb: *b\n";
//! let root = tree::parse(text, 0, "main.yaml")?;
//! let web = root.as_map().and_then(|map| map.get("web")).ok_or("no web")?;
//! assert!(web.is_alias());
//! assert_eq!(&text[web.span().range()], "*b");
//! assert_eq!(web.node().to_value().inspect(), r#"{"port"=>80}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod itself;
mod node;

pub use build::{Decrypt, Reading, parse, parse_as, parse_with};
pub use hieratic_source::Span;
pub use itself::Itself;
pub use node::{Content, Entry, Item, Map, MergeKey, Node};
