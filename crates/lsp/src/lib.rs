//! The language server: one server for every file of a control repository, on unsaved files.
//!
//! [`serve`] speaks the [Language Server Protocol](https://microsoft.github.io/language-server-protocol/) over a pair of streams. What it
//! shows as diagnostics is what [`hieratic_audit::audit`] finds in the same texts; hovers and hints show what Hiera answers for the
//! node that somebody chose. A repository gets no powers: no program, no network, no file outside of the folders that the client opened.

mod actions;
mod capabilities;
mod chosen;
mod client;
mod code;
mod configuration;
mod data;
mod directives;
mod document;
mod edits;
mod facts;
mod findings;
mod folding;
mod format;
mod hub;
mod jobs;
mod keys;
mod links;
mod outline;
mod paths;
mod picker;
mod plans;
mod pool;
mod positions;
mod progress;
mod publish;
mod rename;
mod requests;
mod server;
mod symbols;
mod templates;
mod tokens;
mod transport;
mod world;

pub use server::{Inventory, Memory, Options, serve};
