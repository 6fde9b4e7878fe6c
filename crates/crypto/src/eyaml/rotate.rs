//! [`reencrypt`]: encrypts the values of a file for other keys, without changing any other byte.

use std::ops::Range;

use crate::eyaml::parts::encrypted_parts;
use crate::eyaml::{Decryptor, Encryptor, Error};

/// The result of [`reencrypt`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reencrypted {
    /// The new content.
    pub text: String,
    /// The number of reencrypted values.
    pub changed: usize,
    /// The number of values that were already encrypted for the new keys.
    pub already: usize,
}

/// A value that cannot be reencrypted: its position and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchangeable {
    /// The byte range in the file.
    pub range: Range<usize>,
    /// The reason.
    pub error: Error,
}

/// Encrypts the values of a file for another certificate.
///
/// A value that only `opened_by_new` decrypts is left unchanged, so that an interrupted rotation can continue. Values
/// of encryptors other than PKCS7 are also left unchanged.
///
/// # Errors
///
/// Values cannot be decrypted with either key pair. The error lists all of them.
pub fn reencrypt(
    text: &str,
    old: &Decryptor,
    new: &Encryptor,
    opened_by_new: Option<&Decryptor>,
) -> Result<Reencrypted, Vec<Unchangeable>> {
    let mut out = String::with_capacity(text.len());
    let (mut done, mut changed, mut already) = (0, 0, 0);
    let mut faults = Vec::new();
    for part in encrypted_parts(text) {
        let outcome = if new.is_recipient(part.text) {
            // The certificates have different numbers, or the same ones, as all that eyaml makes have.
            match (old.open(part.text), opened_by_new.map(|new| new.open(part.text))) {
                (Ok(plain), _) => Ok(Some(plain)),
                (Err(_), Some(Ok(_))) => Ok(None),
                (Err(_), None) if !old.is_recipient(part.text) => Ok(None),
                (Err(error), _) => Err(error),
            }
        } else {
            old.open(part.text).map(Some)
        };
        match outcome.and_then(|plain| plain.map(|plain| new.encrypt(&plain)).transpose()) {
            Ok(Some(encrypted)) => {
                out.push_str(&text[done..part.range.start]);
                out.push_str(&part.layout.lay_out(&encrypted));
                done = part.range.end;
                changed += 1;
            }
            Ok(None) => already += 1,
            Err(error) if error.encryptor_not_there().is_some() => {}
            Err(error) => faults.push(Unchangeable { range: part.range, error }),
        }
    }
    out.push_str(&text[done..]);
    if faults.is_empty() { Ok(Reencrypted { text: out, changed, already }) } else { Err(faults) }
}
