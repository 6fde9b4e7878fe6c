//! Making encrypted values, as `eyaml encrypt` does.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cms::builder::{ContentEncryptionAlgorithm, EnvelopedDataBuilder, KeyEncryptionInfo, KeyTransRecipientInfoBuilder};
use cms::cert::IssuerAndSerialNumber;
use cms::content_info::ContentInfo;
use cms::enveloped_data::RecipientIdentifier;
use const_oid::db::rfc5911::ID_ENVELOPED_DATA;
use der::{Any, Encode};
use rsa::rand_core::OsRng;

use crate::Error;
use crate::keys::{certificate, public_key};

/// Encrypts a text for the certificate in a PEM text: `ENC[PKCS7,...]` on one line.
pub fn encrypt_text(plain: &str, certificate_pem: &str) -> Result<String, Error> {
    let certificate = certificate(certificate_pem)?;
    let key = public_key(&certificate).ok_or_else(|| Error::new("the certificate holds no RSA key"))?;
    let fault = |_| Error::new("the value could not be encrypted");
    let id = RecipientIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber {
        issuer: certificate.tbs_certificate.issuer.clone(),
        serial_number: certificate.tbs_certificate.serial_number.clone(),
    });
    let mut random = OsRng;
    let recipient = KeyTransRecipientInfoBuilder::new(id, KeyEncryptionInfo::Rsa(key), &mut random).map_err(fault)?;
    let mut builder = EnvelopedDataBuilder::new(None, plain.as_bytes(), ContentEncryptionAlgorithm::Aes256Cbc, None)
        .map_err(fault)?;
    let mut random = OsRng;
    let data = builder.add_recipient_info(recipient).map_err(fault)?.build_with_rng(&mut random).map_err(fault)?;
    let info = Any::encode_from(&data)
        .map(|content| ContentInfo { content_type: ID_ENVELOPED_DATA, content })
        .and_then(|info| info.to_der())
        .map_err(|_| Error::new("the value could not be encrypted"))?;
    Ok(format!("ENC[PKCS7,{}]", STANDARD.encode(info)))
}
