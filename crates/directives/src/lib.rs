//! YAML merge directives: keys such as `+/defaults` and `+include`, which are expanded on load and restored on save.
//!
//! ```
//! use hieratic_directives::{Document, LocalFiles, Options, expand};
//!
//! let text = "defaults: {cpu: 2, mem: 4}\nweb:\n  +/defaults:\n  cpu: 8\n";
//! let document = Document::parse(text, "main.yaml", ".".as_ref())?;
//! let expanded = expand(&document, &mut LocalFiles::below(".".as_ref()), &Options::default())?;
//! assert_eq!(expanded.to_value().inspect(), r#"{"defaults"=>{"cpu"=>2, "mem"=>4}, "web"=>{"cpu"=>8, "mem"=>4}}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules are those of Unfurl (<https://docs.unfurl.run/yaml-merge-directives.html>), and of its implementation
//! where the documentation has none. [`PlusKey`] parses keys, `expand::walk` resolves targets, and [`merge`] merges
//! maps.

pub mod codes;
pub mod data;
mod equality;
mod error;
mod expand;
mod files;
mod key;
mod merge;
mod repositories;
mod restore;
mod ruamel;
mod source;

pub use error::Failure;
pub use expand::{Applied, Effect, Expanded, Options, Origin, Record, ResolvedTarget, expand};
pub use files::{File, Files, LocalFiles, ReadFault};
pub use hieratic_yaml_edit::tree::Reading;
pub use key::{Directive, KeyFault, PlusKey};
pub use merge::{Forbidden, merge};
pub use restore::{RestoreOptions, Restored, restore};
pub use source::{Document, Vault, invalid_yaml};
