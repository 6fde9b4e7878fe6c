//! SQL over the answers of a fleet, on [DataFusion](https://datafusion.apache.org).
//!
//! A [`FleetContext`] is an environment with its nodes. An [`Engine`] plans queries over it and returns their [`Rows`].
//! Tables compute rows lazily: conditions on nodes, keys and paths are evaluated before any lookup, and origins are
//! only computed if a query uses them. A [`Writer`] writes rows in any [`Format`].
//!
//! Values are redacted before SQL sees them. Statements that read files, write, or change settings are refused.
//!
//! The crate is empty without the feature `sql`.

#![cfg(feature = "sql")]

mod engine;
mod equal_rows;
mod error;
mod fleet;
mod functions;
mod statement;
mod tables;
mod write;

pub use datafusion::arrow;
pub use engine::{Engine, Rows};
pub use error::{Fault, Kind};
pub use fleet::{Chosen, FleetContext, NodeObservations, NodeSource, Nodes};
pub use write::{Format, Writer};
