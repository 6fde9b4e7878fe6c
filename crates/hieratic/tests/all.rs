//! The tests of this crate in one program, because each program is linked with everything that it tests.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and writes what it reads"
)]

#[cfg(feature = "code")]
mod catalog_service;
#[cfg(feature = "code")]
mod catalogs;
#[cfg(feature = "hcl")]
mod hcl_functions;
#[cfg(feature = "code")]
mod hostile;
mod jinja_functions;
mod library;
mod public_api;
#[cfg(feature = "code")]
mod shared_answers;
#[cfg(feature = "code")]
mod shared_catalogs;
#[cfg(feature = "code")]
mod shared_functions;
