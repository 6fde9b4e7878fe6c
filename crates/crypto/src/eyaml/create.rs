//! [`create_keys`]: creates a key pair, as `eyaml createkeys` does.

use std::str::FromStr;
use std::time::Duration;

use der::pem::LineEnding;
use der::{EncodePem, referenced::RefToOwned};
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::pkcs1v15::SigningKey;
use rsa::pkcs8::EncodePublicKey;
use rsa::rand_core::{OsRng, RngCore};
use rsa::sha2::{Sha256, Sha384, Sha512};
use rsa::signature::Keypair;
use rsa::{RsaPrivateKey, RsaPublicKey};
use x509_cert::builder::{Builder, CertificateBuilder, Profile};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{DynSignatureAlgorithmIdentifier, SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef};
use x509_cert::time::Validity;
use zeroize::Zeroizing;

use crate::eyaml::Error;

/// The validity of a certificate, as in the reference: 50 years.
const VALIDITY: Duration = Duration::from_secs(50 * 365 * 24 * 60 * 60);

/// The parameters of a new key pair.
#[derive(Clone, Debug)]
pub struct KeyOptions {
    /// The subject of the certificate: `/C=US/CN=name`, or `/` for an empty one.
    pub subject: String,
    /// The size of the key in bits.
    pub bits: usize,
    /// The hash function of the certificate's signature: SHA256, SHA384 or SHA512.
    pub digest: String,
}

impl Default for KeyOptions {
    fn default() -> KeyOptions {
        KeyOptions { subject: "/".into(), bits: 2048, digest: "SHA256".into() }
    }
}

/// A new key pair in PEM.
pub struct NewKeys {
    /// The private key. It is erased when it is dropped.
    pub private: Zeroizing<String>,
    /// The certificate.
    pub public: String,
}

impl std::fmt::Debug for NewKeys {
    /// Does not print keys.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("NewKeys")
    }
}

/// Creates a key pair. Certificates of the reference all have the serial number 1. Here each certificate has a unique
/// one, so that encrypted values identify their recipient.
///
/// # Errors
///
/// The options are invalid, or the system has no random numbers.
pub fn create_keys(options: &KeyOptions) -> Result<NewKeys, Error> {
    if !(512..=16_384).contains(&options.bits) {
        return Err(Error::new(format!("invalid key size {}: use 512 to 16384 bits", options.bits)));
    }
    let subject = subject(&options.subject)?;
    let key = RsaPrivateKey::new(&mut OsRng, options.bits).map_err(|_| Error::new("the key could not be created"))?;
    let certificate = match options.digest.to_uppercase().as_str() {
        "SHA256" => certificate(SigningKey::<Sha256>::new(key.clone()), &key, subject),
        "SHA384" => certificate(SigningKey::<Sha384>::new(key.clone()), &key, subject),
        "SHA512" => certificate(SigningKey::<Sha512>::new(key.clone()), &key, subject),
        other => return Err(Error::new(format!("unknown digest '{other}': use SHA256, SHA384 or SHA512"))),
    }
    .ok_or_else(|| Error::new("the certificate could not be created"))?;
    let private = key.to_pkcs1_pem(LineEnding::LF).map_err(|_| Error::new("the key could not be written"))?;
    Ok(NewKeys { private, public: certificate })
}

fn certificate<S>(signer: S, key: &RsaPrivateKey, subject: Name) -> Option<String>
where
    S: Keypair<VerifyingKey: EncodePublicKey>
        + DynSignatureAlgorithmIdentifier
        + rsa::signature::Signer<rsa::pkcs1v15::Signature>,
{
    let mut number = [0; 16];
    OsRng.try_fill_bytes(&mut number).ok()?;
    // Numbers are positive, and have no needless zeros at their start.
    number[0] = number[0] & 0x7f | 0x40;
    let public = RsaPublicKey::from(key).to_public_key_der().ok()?;
    let public: SubjectPublicKeyInfoOwned = SubjectPublicKeyInfoRef::try_from(public.as_bytes()).ok()?.ref_to_owned();
    let number = SerialNumber::new(&number).ok()?;
    let validity = Validity::from_now(VALIDITY).ok()?;
    let builder = CertificateBuilder::new(Profile::Root, number, validity, subject, public, &signer).ok()?;
    builder.build::<rsa::pkcs1v15::Signature>().ok()?.to_pem(LineEnding::LF).ok()
}

/// A subject as OpenSSL writes it. A string of slashes only is an error.
fn subject(text: &str) -> Result<Name, Error> {
    let mut parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return Ok(Name::default());
    }
    // The other notation begins with the last.
    parts.reverse();
    let escaped: Vec<String> = parts.iter().map(|part| part.replace('\\', "\\\\").replace(',', "\\,")).collect();
    Name::from_str(&escaped.join(","))
        .map_err(|_| Error::new(format!("invalid subject '{text}': write it as '/C=US/CN=name'")))
}
