//! The PKCS7 envelope: a content key encrypted for a certificate, and content encrypted with that key.

use aes::cipher::{BlockDecryptMut, KeyIvInit, block_padding::Pkcs7};
use cms::content_info::ContentInfo;
use cms::enveloped_data::{EnvelopedData, RecipientIdentifier, RecipientInfo};
use const_oid::ObjectIdentifier;
use const_oid::db::rfc5911::{ID_AES_128_CBC, ID_AES_192_CBC, ID_AES_256_CBC, ID_ENVELOPED_DATA};
use der::Decode;
use der::asn1::OctetStringRef;
use rsa::Pkcs1v15Encrypt;
use rsa::rand_core::OsRng;
use rsa::sha2::{Digest, Sha256};
use rsa::traits::PrivateKeyParts;
use x509_cert::Certificate;
use zeroize::Zeroizing;

use crate::eyaml::Error;
use crate::eyaml::keys::KeyPair;

/// The bytes of one block of AES.
const BLOCK: usize = 16;

fn unreadable() -> Error {
    Error::new("Could not parse the PKCS7: no start line")
}

fn bad_decrypt() -> Error {
    Error::new("bad decrypt")
}

/// The visibility of refusals by the private key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalVisibility {
    /// Visible to the owner of the key, who must be sure that only values for this key are decrypted.
    Visible,
    /// Hidden: the author of the envelope may be an attacker who sees the answer.
    Hidden,
}

/// Opens an envelope.
pub(crate) fn open(bytes: &[u8], keys: &KeyPair, visibility: RefusalVisibility) -> Result<Zeroizing<Vec<u8>>, Error> {
    let info = ContentInfo::from_der(bytes).map_err(|_| unreadable())?;
    if info.content_type != ID_ENVELOPED_DATA {
        return Err(Error::new("wrong content type"));
    }
    let data: EnvelopedData = info.content.decode_as().map_err(|_| unreadable())?;
    let encrypted_key = encrypted_key(&data, keys)?;
    // Errors that do not depend on the key are reported before the key is used, so that these messages reveal nothing
    // about the key.
    let content = &data.encrypted_content;
    let cipher = content.encrypted_content.as_ref().ok_or_else(bad_decrypt)?.as_bytes();
    let algorithm = &content.content_enc_alg;
    let parameters = algorithm.parameters.as_ref().ok_or_else(bad_decrypt)?;
    let vector: OctetStringRef<'_> = parameters.decode_as().map_err(|_| bad_decrypt())?;
    let size = key_size(algorithm.oid)?;
    if vector.as_bytes().len() != BLOCK {
        return Err(bad_decrypt());
    }
    if cipher.is_empty() || !cipher.len().is_multiple_of(BLOCK) {
        return Err(Error::new("wrong final block length"));
    }
    let key = content_key(&encrypted_key, keys, size, visibility)?;
    decrypt(algorithm.oid, &key, vector.as_bytes(), cipher)
}

/// The key of the content. If the private key refuses its input and refusals are hidden, a fake key replaces it, which
/// is always the same for the same input. Then the content is refused 255 times of 256, and the two cases cannot be
/// distinguished. OpenSSL does likewise. Without this, an attacker who can submit any number of envelopes and sees the
/// answers could decrypt with the private key.
fn content_key(
    encrypted: &[u8],
    keys: &KeyPair,
    size: usize,
    visibility: RefusalVisibility,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let secret = Zeroizing::new(keys.private.d().to_bytes_be());
    let digest = Sha256::new().chain_update(b"no key of the content").chain_update(&*secret).chain_update(encrypted);
    let other = Zeroizing::new(digest.finalize()[..size].to_vec());
    match keys.private.decrypt_blinded(&mut OsRng, Pkcs1v15Encrypt, encrypted).map(Zeroizing::new) {
        Ok(key) if key.len() == size => Ok(key),
        _ if visibility == RefusalVisibility::Hidden => Ok(other),
        _ => Err(bad_decrypt()),
    }
}

/// The bytes of a cipher's key.
fn key_size(algorithm: ObjectIdentifier) -> Result<usize, Error> {
    match algorithm {
        ID_AES_128_CBC => Ok(16),
        ID_AES_192_CBC => Ok(24),
        ID_AES_256_CBC => Ok(32),
        other => Err(Error::new(format!("the cipher {other} is not supported; eyaml writes AES in CBC mode"))),
    }
}

/// Returns whether an envelope names a certificate as that of a recipient.
pub(crate) fn recipients(bytes: &[u8], certificate: &Certificate) -> bool {
    let data = ContentInfo::from_der(bytes).and_then(|info| info.content.decode_as::<EnvelopedData>());
    data.is_ok_and(|data| key_for(&data, certificate).is_some())
}

/// The content key for the recipient that the certificate names.
fn encrypted_key(data: &EnvelopedData, keys: &KeyPair) -> Result<Vec<u8>, Error> {
    key_for(data, &keys.certificate).ok_or_else(|| Error::new("decrypt error"))
}

fn key_for(data: &EnvelopedData, certificate: &Certificate) -> Option<Vec<u8>> {
    let certificate = &certificate.tbs_certificate;
    data.recip_infos.0.iter().find_map(|recipient| {
        let RecipientInfo::Ktri(recipient) = recipient else { return None };
        let RecipientIdentifier::IssuerAndSerialNumber(id) = &recipient.rid else { return None };
        let is_ours = id.issuer == certificate.issuer && id.serial_number == certificate.serial_number;
        is_ours.then(|| recipient.enc_key.as_bytes().to_vec())
    })
}

fn decrypt(algorithm: ObjectIdentifier, key: &[u8], vector: &[u8], cipher: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    fn with<C: BlockDecryptMut + KeyIvInit>(key: &[u8], vector: &[u8], cipher: &[u8]) -> Result<Vec<u8>, Error> {
        C::new_from_slices(key, vector)
            .map_err(|_| bad_decrypt())?
            .decrypt_padded_vec_mut::<Pkcs7>(cipher)
            .map_err(|_| bad_decrypt())
    }
    let plain = match algorithm {
        ID_AES_128_CBC => with::<cbc::Decryptor<aes::Aes128>>(key, vector, cipher),
        ID_AES_192_CBC => with::<cbc::Decryptor<aes::Aes192>>(key, vector, cipher),
        _ => with::<cbc::Decryptor<aes::Aes256>>(key, vector, cipher),
    };
    plain.map(Zeroizing::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eyaml::keys;

    fn keys(folder: &str) -> KeyPair {
        let place = |name: &str, file: &str| {
            let path = format!("{}/tests/{folder}/{file}_key.pkcs7.pem", env!("CARGO_MANIFEST_DIR"));
            let options = [(name, hieratic_value::Value::from(path))].into_iter().collect();
            keys::KeyLocation::from_options(&options, name, &keys::KeySource::of_user())
        };
        keys::read(&place("pkcs7_private_key", "private"), &place("pkcs7_public_key", "public")).unwrap()
    }

    #[test]
    fn refusals_are_visible_only_to_the_owner_of_the_key() {
        let keys = keys("keys");
        let hello = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hello.txt")).unwrap();
        let envelope = crate::eyaml::token::cipher_bytes(hello.trim()).unwrap();
        let info = ContentInfo::from_der(&envelope).unwrap();
        let encrypted = encrypted_key(&info.content.decode_as().unwrap(), &keys).unwrap();
        let right = content_key(&encrypted, &keys, 32, RefusalVisibility::Hidden).unwrap();
        assert_eq!(right, content_key(&encrypted, &keys, 32, RefusalVisibility::Visible).unwrap());
        // A key of another length is invalid, and so is one that the private key cannot decrypt.
        let short = content_key(&encrypted, &keys, 16, RefusalVisibility::Hidden).unwrap();
        assert_ne!(*short, right[..16]);
        let broken: Vec<u8> = encrypted.iter().map(|byte| byte ^ 1).collect();
        let other = content_key(&broken, &keys, 32, RefusalVisibility::Hidden).unwrap();
        assert_eq!(other, content_key(&broken, &keys, 32, RefusalVisibility::Hidden).unwrap());
        assert_ne!(other, right);
        assert!(content_key(&broken, &keys, 32, RefusalVisibility::Visible).is_err());
    }
}
