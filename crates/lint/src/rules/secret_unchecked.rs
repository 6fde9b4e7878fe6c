//! # secret-unchecked
//!
//! Secrets could not be checked. (note)
//!
//! ## What is found
//!
//! The keys that a level names are not on this machine or are outside the repository, or their paths depend on the
//! node. Whether its secrets can be decrypted is therefore unknown. One finding covers all files of a level.
//!
//! ## Why it matters
//!
//! Nothing is wrong, but the check is incomplete. Private keys do not belong on CI machines.
//!
//! ## How to fix it
//!
//! Repeat the check where the private key is, such as on the server. Keys outside the repository are read with
//! `--allow-outside`.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Secrets
//!     lookup_key: eyaml_lookup_key
//!     path: secrets.eyaml
//!     options: {pkcs7_private_key: /not/here.pem, pkcs7_public_key: public.pem}
//! ```
//!
//! A comment `# hieratic: ignore secret-unchecked` on the same line or the line before accepts the finding.
