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
use x509_cert::Certificate;
use zeroize::Zeroizing;

use crate::Error;
use crate::keys::KeyPair;

/// The bytes of one block of AES.
const BLOCK: usize = 16;

fn unreadable() -> Error {
    Error::new("Could not parse the PKCS7: no start line")
}

fn bad() -> Error {
    Error::new("bad decrypt")
}

/// Opens an envelope.
pub(crate) fn open(bytes: &[u8], keys: &KeyPair) -> Result<Zeroizing<Vec<u8>>, Error> {
    let info = ContentInfo::from_der(bytes).map_err(|_| unreadable())?;
    if info.content_type != ID_ENVELOPED_DATA {
        return Err(Error::new("wrong content type"));
    }
    let data: EnvelopedData = info.content.decode_as().map_err(|_| unreadable())?;
    let encrypted_key = encrypted_key(&data, keys)?;
    // A wrong key must not tell how it is wrong.
    let key =
        Zeroizing::new(keys.private.decrypt_blinded(&mut OsRng, Pkcs1v15Encrypt, &encrypted_key).map_err(|_| bad())?);
    let content = &data.encrypted_content;
    let cipher = content.encrypted_content.as_ref().ok_or_else(bad)?.as_bytes();
    let algorithm = &content.content_enc_alg;
    let parameters = algorithm.parameters.as_ref().ok_or_else(bad)?;
    let vector: OctetStringRef<'_> = parameters.decode_as().map_err(|_| bad())?;
    decrypt(algorithm.oid, &key, vector.as_bytes(), cipher)
}

/// Whether an envelope names a certificate as that of a recipient.
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
        C::new_from_slices(key, vector).map_err(|_| bad())?.decrypt_padded_vec_mut::<Pkcs7>(cipher).map_err(|_| bad())
    }
    if cipher.is_empty() || !cipher.len().is_multiple_of(BLOCK) {
        return Err(Error::new("wrong final block length"));
    }
    let plain = match algorithm {
        ID_AES_128_CBC => with::<cbc::Decryptor<aes::Aes128>>(key, vector, cipher),
        ID_AES_192_CBC => with::<cbc::Decryptor<aes::Aes192>>(key, vector, cipher),
        ID_AES_256_CBC => with::<cbc::Decryptor<aes::Aes256>>(key, vector, cipher),
        other => Err(Error::new(format!("the cipher {other} is not supported; eyaml writes AES in CBC mode"))),
    };
    plain.map(Zeroizing::new)
}
