//! Secrets that configuration data keeps: encrypted values, and password hashes.
//!
//! [`eyaml`] reads and writes the values that hiera-eyaml encrypts. [`passwords`] computes the hashes of crypt(3).

pub mod eyaml;
pub mod passwords;
