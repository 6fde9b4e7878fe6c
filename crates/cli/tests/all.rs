//! The tests of this crate in one program, because each program is linked with everything that it tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod affected;
mod catalog_requests;
mod catalogs;
mod check;
mod circles;
mod command;
mod commands;
mod completions;
mod components;
mod data_tools;
mod dependencies;
mod diff;
mod diff_jobs;
mod documents;
mod drawing;
mod editors;
mod examples;
mod expressions;
mod first_run;
#[path = "support/folder.rs"]
mod folder;
mod gates;
#[path = "support/git.rs"]
mod git;
mod hcl_data;
mod integrations;
mod job;
mod killed;
mod language;
mod levels;
mod limits;
mod lost;
mod manual;
mod memory;
mod messages;
mod mistakes;
mod nodes;
mod programs;
mod projects;
#[path = "support/puppetdb.rs"]
mod puppetdb;
mod releases;
mod render;
mod secrets;
mod sessions;
mod settings;
mod several;
mod support;
mod together;
mod unchecked;
mod unread;
#[path = "support/until.rs"]
mod until;
mod upgrade;
mod variables;
mod vaults;
mod why;
mod workflows;
mod writers;
