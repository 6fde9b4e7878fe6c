//! Secrets that configuration data keeps: encrypted values, and password hashes.
//!
//! [`eyaml`] reads and writes the values that hiera-eyaml encrypts. `passwords`, which is behind the feature of that name, computes the hashes of crypt(3).

pub mod eyaml;
#[cfg(feature = "passwords")]
pub mod passwords;
