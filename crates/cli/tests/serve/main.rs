//! `hieratic serve`: the command, asked over the network.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod api;
mod browser;
mod catalog;
mod changes;
mod documented;
mod ending;
mod events;
mod files;
mod findings;
#[path = "../support/git.rs"]
mod git;
mod hostile;
mod index;
mod index_cache;
mod keyboard;
mod known_nodes;
mod layout;
mod oracle;
mod puppetdb;
mod puppetdb_real;
mod secrets;
mod service;
mod socket;
mod tasks;
mod unknown_data;
#[path = "../support/until.rs"]
mod until;
mod yaml_values;
