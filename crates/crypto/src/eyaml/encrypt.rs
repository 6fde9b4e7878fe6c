//! [`Encryptor`]: encrypts values, as `eyaml encrypt` does. This needs only a certificate.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cms::builder::{ContentEncryptionAlgorithm, EnvelopedDataBuilder, KeyEncryptionInfo, KeyTransRecipientInfoBuilder};
use cms::cert::IssuerAndSerialNumber;
use cms::content_info::ContentInfo;
use cms::enveloped_data::RecipientIdentifier;
use const_oid::db::rfc5911::ID_ENVELOPED_DATA;
use der::{Any, Encode};
use hieratic_value::Hash;
use rsa::RsaPublicKey;
use rsa::rand_core::OsRng;
use x509_cert::Certificate;

use crate::eyaml::Error;
use crate::eyaml::envelope::recipients;
use crate::eyaml::keys::{KeyLocation, KeySource, certificate, public_key};
use crate::eyaml::token::cipher_bytes;

/// Encrypts values for the owner of a certificate.
pub struct Encryptor {
    certificate: Certificate,
    key: RsaPublicKey,
}

impl std::fmt::Debug for Encryptor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Encryptor")
    }
}

impl Encryptor {
    /// Creates an encryptor for the certificate in the options (`pkcs7_public_key`, `pkcs7_public_key_env_var`).
    ///
    /// # Errors
    ///
    /// The options name no certificate, it does not exist, or it is invalid. The message is the reference's.
    pub fn new(options: &Hash, source: &KeySource) -> Result<Encryptor, Error> {
        let place = KeyLocation::from_options(options, "pkcs7_public_key", source);
        if place.is_missing() {
            return Err(Error::new("pkcs7_public_key is not defined"));
        }
        Encryptor::from_pem(&place.read()?)
    }

    /// Creates an encryptor for the certificate in a PEM string.
    ///
    /// # Errors
    ///
    /// The string has no certificate, or one without an RSA key.
    pub fn from_pem(pem: &str) -> Result<Encryptor, Error> {
        let certificate = certificate(pem)?;
        let key = public_key(&certificate).ok_or_else(|| Error::new("the certificate has no RSA key"))?;
        Ok(Encryptor { certificate, key })
    }

    /// Encrypts bytes and returns `ENC[PKCS7,...]` on one line.
    ///
    /// # Errors
    ///
    /// The key is too short, or the system has no random numbers.
    pub fn encrypt(&self, plain: &[u8]) -> Result<String, Error> {
        let error = |_| Error::new("the value could not be encrypted");
        let id = RecipientIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber {
            issuer: self.certificate.tbs_certificate.issuer.clone(),
            serial_number: self.certificate.tbs_certificate.serial_number.clone(),
        });
        let mut random = OsRng;
        let key = KeyEncryptionInfo::Rsa(self.key.clone());
        let recipient = KeyTransRecipientInfoBuilder::new(id, key, &mut random).map_err(error)?;
        let mut builder =
            EnvelopedDataBuilder::new(None, plain, ContentEncryptionAlgorithm::Aes256Cbc, None).map_err(error)?;
        let mut random = OsRng;
        let data = builder.add_recipient_info(recipient).map_err(error)?.build_with_rng(&mut random).map_err(error)?;
        let info = Any::encode_from(&data)
            .map(|content| ContentInfo { content_type: ID_ENVELOPED_DATA, content })
            .and_then(|info| info.to_der())
            .map_err(|_| Error::new("the value could not be encrypted"))?;
        Ok(format!("ENC[PKCS7,{}]", STANDARD.encode(info)))
    }

    /// Returns whether an encrypted value names this certificate as its recipient.
    ///
    /// Certificates of `eyaml createkeys` all have the same serial number, so this does not distinguish them.
    pub fn is_recipient(&self, encrypted: &str) -> bool {
        cipher_bytes(encrypted).is_some_and(|bytes| recipients(&bytes, &self.certificate))
    }
}

/// Encrypts a string for the certificate in a PEM string and returns `ENC[PKCS7,...]` on one line.
///
/// # Errors
///
/// As [`Encryptor::from_pem`] and [`Encryptor::encrypt`].
pub fn encrypt_text(plain: &str, certificate_pem: &str) -> Result<String, Error> {
    Encryptor::from_pem(certificate_pem)?.encrypt(plain.as_bytes())
}
