//! # secret-not-decrypted
//!
//! A secret is in a file that is not decrypted. (warning)
//!
//! ## What is found
//!
//! A value is encrypted, but the levels that read its file use `yaml_data`, `json_data` or `hocon_data`.
//!
//! ## Why it matters
//!
//! Code receives the string `ENC[PKCS7,...]` as the password.
//!
//! ## How to fix it
//!
//! Add `lookup_key: eyaml_lookup_key` to the level, with the keys in `options`.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - {name: Secrets, data_hash: yaml_data, path: secrets.eyaml}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Secrets
//!     lookup_key: eyaml_lookup_key
//!     path: secrets.eyaml
//!     options: {pkcs7_private_key: /etc/keys/private.pem, pkcs7_public_key: /etc/keys/public.pem}
//! ```
//!
//! A comment `# hieratic: ignore secret-not-decrypted` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::rules;
use crate::texts::written_at;
use crate::workspace::data::DataFile;
use crate::workspace::hierarchy::Level;

/// The finding about a secret of a level that does not decrypt.
pub(crate) fn of_text(file: &DataFile, start: usize, level: Option<&Level>) -> Finding {
    let place = file.source.position(start);
    let function = level.map_or("yaml_data", |level| &*level.level.function);
    let name = level.map_or("", |level| &*level.level.name);
    let message = format!("The value is encrypted, but '{function}' of the level '{name}' does not decrypt");
    Finding::new(&rules::SECRET_NOT_DECRYPTED, message)
        .at(&file.source, written_at(&file.source, place.line, place.column), "")
        .help("add `lookup_key: eyaml_lookup_key` with the keys in `options` to the level")
}
