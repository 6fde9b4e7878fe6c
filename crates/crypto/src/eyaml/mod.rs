//! Values that hiera-eyaml encrypted (`ENC[PKCS7,...]`).
//!
//! A [`Decryptor`] has the key options of a level, reads the keys for the first value, and caches them. Messages are
//! those of the reference. They never contain plain text or a part of a key.
//!
//! An [`Encryptor`] needs only the certificate. [`encrypted_parts`] and [`decrypted_parts`] find values in files with
//! their layout, [`reencrypt`] rotates the keys of a file, and [`create_keys`] creates a new pair.
//!
//! The RSA implementation is not constant-time (RUSTSEC-2023-0071): an attacker who can measure the decryption of many
//! chosen values precisely could learn the key. A command that its owner runs is not exposed to this. Do not offer
//! decryption to untrusted clients over a network.
//!
//! ```
//! use hieratic_crypto::eyaml::{Decryptor, KeySource, is_encrypted};
//! use hieratic_value::Hash;
//!
//! assert!(is_encrypted("password: ENC[PKCS7,MIIB]"));
//! let decryptor = Decryptor::new(&Hash::default(), &KeySource::nothing());
//! let error = decryptor.decrypt_text("ENC[PKCS7,MIIB]").map_err(|error| error.to_string());
//! assert_eq!(error, Err("pkcs7_public_key is not defined".to_string()));
//! ```

mod create;
mod decryptor;
mod encrypt;
mod envelope;
mod error;
mod keys;
mod parts;
mod rotate;
mod token;

pub use create::{KeyOptions, NewKeys, create_keys};
pub use decryptor::Decryptor;
pub use encrypt::{Encryptor, encrypt_text};
pub use error::Error;
pub use keys::KeySource;
pub use parts::{DecryptedPart, EncryptedPart, Layout, decrypted_parts, encrypted_parts, shortened};
pub use rotate::{Reencrypted, Unchangeable, reencrypt};
pub use token::is_encrypted;
