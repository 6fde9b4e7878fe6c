//! Limits the work for one answer.
//!
//! [`Budget`] limits the work in every language: steps, bytes, depth and time. It is passed down with the request, and
//! the code that opens an environment decides its [`Limits`]. Exceeding one is an [`Exhausted`] error, which passes
//! through all languages unchanged. A part of the work with separate limits draws from a [`Budget::child`], and
//! recursive code holds a [`DepthGuard`] for each level.
//!
//! ```
//! use hieratic_budget::{Budget, Limits};
//!
//! let budget = Budget::new(Limits { steps: 2, ..Limits::default() });
//! assert!(budget.step().is_ok());
//! ```
//!
//! `docs/security.md` lists the limits.

#![allow(clippy::disallowed_methods, reason = "this is the place that the lint refers all other code to")]

mod budget;
mod clock;
mod progress;

pub use budget::{Budget, Depth, DepthGuard, Exhausted, Limits, YieldHook};
pub use clock::thread_time;
pub use progress::Progress;
