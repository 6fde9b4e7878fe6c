//! Values that hiera-eyaml encrypted (`ENC[PKCS7,...]`).
//!
//! A [`Decryptor`] holds what a level's options say of the keys, reads them when the first value needs them, and keeps
//! them. Messages are those of the reference; no plain text and no part of a key is ever in one.
//!
//! An [`Encryptor`] needs the certificate only. [`encrypted_parts`] and [`decrypted_parts`] find values in files with how
//! they lie there, [`reencrypt`] rotates the keys of a text, [`create_keys`] makes a new pair.
//!
//! The RSA implementation is not known to take the same time for every key (RUSTSEC-2023-0071): who can measure
//! precisely how long many decryptions of chosen values take could learn of the key. A command run by its owner gives
//! nobody that chance; do not offer decryption to strangers over a network.
//!
//! ```
//! use hieratic_eyaml::{Decryptor, KeySource, is_encrypted};
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
