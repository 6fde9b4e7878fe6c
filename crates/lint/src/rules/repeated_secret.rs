//! # repeated-secret
//!
//! A secret is in several places. (note)
//!
//! ## What is found
//!
//! With `--hygiene`: several encrypted values have the same content. Without the private key, only values with the same
//! ciphertext are found. Names of keys are reported, contents are not.
//!
//! ## Why it matters
//!
//! A secret that is renewed in one place stays valid in another.
//!
//! ## How to fix it
//!
//! Keep the secret under one key, and refer to that key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.eyaml
//! app::password: ENC[PKCS7,MII...]
//! backup::password: ENC[PKCS7,MII...]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.eyaml
//! app::password: ENC[PKCS7,MII...]
//! backup::password: "%{lookup('app::password')}"
//! ```
//!
//! A comment `# hieratic: ignore repeated-secret` on the same line or the line before accepts the finding.
