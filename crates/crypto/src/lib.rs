//! Secrets in configuration data: encrypted values and password hashes.
//!
//! [`eyaml`] decrypts and encrypts values of hiera-eyaml. `passwords`, behind the feature with this name, computes the
//! hashes of crypt(3).

pub mod eyaml;
#[cfg(feature = "passwords")]
pub mod passwords;
