//! Nodes, facts and exported resources from the query API of PuppetDB.
//!
//! [`PuppetDb`] is the address with its credentials. [`Client`] queries the facts of [one node](Client::facts), the
//! [names](Client::names) of all, and all nodes with their facts, in [one query](Client::fleet) or [in
//! pages](Client::pages). It also implements [`Database`](hieratic::catalog::Database) for catalogs: exported resources
//! and queries.
//!
//! The user sets the URL of PuppetDB; a repository cannot. Responses are bounded in time and size, redirects are
//! refused, and no message contains the credentials in its URL.
//!
//! See <https://www.puppet.com/docs/puppetdb/8/api/query/v4/overview.html>.

#[cfg(not(target_os = "wasi"))]
mod address;
mod catalogs;
#[cfg_attr(target_os = "wasi", path = "no_network.rs")]
mod client;
pub mod codes;
mod fleet;
mod pages;

pub use client::{Client, PuppetDb};
pub use pages::Pages;
