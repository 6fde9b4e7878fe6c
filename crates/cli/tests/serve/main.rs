//! `hieratic serve`: the command, asked over the network.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod api;
mod browser;
mod documented;
mod ending;
mod events;
mod files;
mod findings;
mod hostile;
mod layout;
mod oracle;
mod puppetdb;
mod secrets;
mod service;
