//! The language server: one server for every file of a control repository, with unsaved changes.
//!
//! [`serve`] implements the [Language Server Protocol](https://microsoft.github.io/language-server-protocol/) over a
//! pair of streams. Its diagnostics are the findings of [`hieratic_lint::audit`] for the unsaved files; hovers and
//! hints show Hiera's answers for the chosen node. A repository has no capabilities: no program, no network, no file
//! outside of the folders that the client opened.

mod actions;
mod client;
mod client_capabilities;
mod code;
mod configuration;
mod data;
mod directives;
mod directives_rename;
mod dispatch;
mod document;
mod edits;
mod extensions;
mod facts;
mod findings;
mod folding;
mod format;
mod global_state;
mod handlers;
mod inline;
mod jobs;
mod keys;
mod lens_cache;
mod links;
mod node_choice;
mod node_files;
mod options;
mod outline;
mod paths;
mod picker;
mod plans;
mod pool;
mod positions;
mod progress;
mod project;
mod publish;
mod rename;
mod server;
mod server_capabilities;
mod session;
mod snapshot;
mod status;
mod symbols;
mod templates;
mod tokens;
mod transport;

pub use inline::InlineServer;
pub use options::{FolderSettings, Inventory, NodeMemory, ServerOptions};
pub use server::serve;
