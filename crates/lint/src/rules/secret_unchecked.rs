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

use std::path::Path;

use hieratic::Value;
use hieratic::eyaml::is_encrypted;

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::workspace::data::{DataFile, Reader, any_text};
use crate::workspace::hierarchy::at_level;
use crate::workspace::named;
use crate::workspace::secret_keys::{Keys, key_source, keys_of};

/// Finds the levels whose secrets could not be checked, because their private keys are elsewhere.
pub(super) fn check(cx: &RuleContext<'_>) {
    let workspace = cx.workspace;
    let source = key_source(workspace);
    for (config_index, config) in workspace.configs.iter().enumerate() {
        for (index, level) in config.levels.iter().enumerate() {
            let keys = keys_of(level, &source);
            if level.reader != Reader::Eyaml || keys == Keys::Here {
                continue;
            }
            let reads = |file: &&DataFile| file.is_of_level(config_index, index);
            let has_decrypted = |file: &&DataFile| file.hash.iter().any(|(_, value)| any_text(value, &is_encrypted));
            let files = workspace.files.iter().map(|file| &**file).filter(reads).filter(has_decrypted).count();
            if files == 0 {
                continue;
            }
            let private = level.level.options.get("pkcs7_private_key").and_then(Value::as_str);
            let reason = match (keys, private) {
                (Keys::Absent, Some(private)) => format!("the key {} does not exist", named(Path::new(private))),
                (Keys::Outside, Some(private)) => {
                    format!("the key {} is outside of the repository", named(Path::new(private)))
                }
                (Keys::Outside, None) => "its keys are outside of the repository".to_owned(),
                (Keys::Absent, None) => "its keys do not exist".to_owned(),
                _ => "the location of its keys depends on the node".to_owned(),
            };
            let message = format!(
                "The secrets of the level '{}' were not checked ({files} {}): {reason}",
                level.level.name,
                if files == 1 { "file" } else { "files" }
            );
            let help = match keys {
                Keys::Outside => "pass --allow-outside where you trust the change: the check then decrypts the secrets",
                _ => "run the check on a machine that has the private key",
            };
            let finding = Finding::new(&rules::SECRET_UNCHECKED, message).help(help);
            cx.report(at_level(finding, &level.level, config.source.as_ref(), &config.root));
        }
    }
}
