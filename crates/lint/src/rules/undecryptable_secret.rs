//! # undecryptable-secret
//!
//! A secret cannot be decrypted. (error)
//!
//! ## What is found
//!
//! The level names keys that exist but do not decrypt the value, or the value is damaged or truncated. The plain text
//! is never shown.
//!
//! ## Why it matters
//!
//! Every lookup of the key fails.
//!
//! ## How to fix it
//!
//! Encrypt the value again with the public key that the level names, or name the right private key. An incomplete key
//! rotation causes this finding.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! password: ENC[PKCS7,MIIBe...]   # encrypted to another key
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! password: ENC[PKCS7,MIIBi...]
//! ```
//!
//! A comment `# hieratic: ignore undecryptable-secret` on the same line or the line before accepts the finding.
