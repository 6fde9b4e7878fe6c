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

use hieratic::eyaml::{Decryptor, is_encrypted};

use crate::finding::Finding;
use crate::rules;
use crate::texts::written_at;
use crate::workspace::data::{DataFile, Text};

/// Finds a secret that its keys do not open, or that is damaged. Without the keys, whether they fit is not known.
pub(crate) fn of_text(file: &DataFile, text: &Text<'_>, decryptor: Option<&Decryptor>) -> Option<Finding> {
    let message = if is_encrypted(text.text) {
        let error = decryptor?.decrypt_text(text.text).err()?;
        format!("The secret cannot be decrypted: {error}")
    } else if text.text.contains("ENC[PKCS7,") {
        "The secret is truncated: the closing ']' is missing".to_owned()
    } else {
        return None;
    };
    let place = file.source.position(text.start);
    let finding = Finding::new(&rules::UNDECRYPTABLE_SECRET, message);
    let finding = finding.at(&file.source, written_at(&file.source, place.line, place.column), "");
    Some(finding.help("encrypt the value again with the public key of the level, or fix the private key of the level"))
}
