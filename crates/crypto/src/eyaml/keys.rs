//! The key pairs in the options of a level.

use std::path::Path;

use der::DecodePem;
use der::referenced::OwnedToRef;
use hieratic_sandbox::{Files, Variables};
use hieratic_value::{Hash, Value};
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::traits::PublicKeyParts;
use rsa::{RsaPrivateKey, RsaPublicKey};
use x509_cert::Certificate;
use zeroize::Zeroizing;

use crate::eyaml::Error;

/// The size limit of a key file.
const LARGEST_FILE: u64 = 1 << 20;

/// A private key and its certificate.
pub(crate) struct KeyPair {
    pub(crate) private: RsaPrivateKey,
    pub(crate) certificate: Certificate,
}

/// The location of a key, from an option.
#[derive(Clone)]
pub(crate) struct KeyLocation {
    file: Option<String>,
    variable: Option<String>,
    source: KeySource,
}

/// The capabilities for reading keys.
#[derive(Clone, Debug)]
pub struct KeySource {
    /// The files.
    pub files: Files,
    /// The environment variables, for options with `_env_var`.
    pub variables: Variables,
}

impl KeySource {
    /// Permits all files and variables, for options of the user.
    pub fn of_user() -> KeySource {
        KeySource { files: Files::of_user(), variables: Variables::of_process() }
    }

    /// Permits no files and variables.
    pub fn nothing() -> KeySource {
        KeySource { files: Files::below([] as [&Path; 0]), variables: Variables::default() }
    }
}

impl KeyLocation {
    /// The place of the key of a name such as `pkcs7_private_key`.
    pub(crate) fn from_options(options: &Hash, name: &str, source: &KeySource) -> KeyLocation {
        let text = |name: &str| options.get(name).filter(|value| value.is_truthy()).map(Value::to_text);
        KeyLocation { file: text(name), variable: text(&format!("{name}_env_var")), source: source.clone() }
    }

    pub(crate) fn is_missing(&self) -> bool {
        self.file.is_none() && self.variable.is_none()
    }

    pub(crate) fn read(&self) -> Result<Zeroizing<String>, Error> {
        if let Some(text) = self.variable.as_ref().and_then(|name| self.source.variables.get(name)) {
            return Ok(Zeroizing::new(text.to_owned()));
        }
        let Some(file) = &self.file else {
            // Ruby is asked to read a file without a name.
            return Err(Error::new("no implicit conversion of nil into String"));
        };
        let problem = |error: std::io::Error| {
            Error::new(match error.kind() {
                std::io::ErrorKind::NotFound => format!("No such file or directory @ rb_sysopen - {file}"),
                std::io::ErrorKind::PermissionDenied => format!("Permission denied @ rb_sysopen - {file}"),
                std::io::ErrorKind::IsADirectory => format!("Is a directory @ io_fread - {file}"),
                _ => format!("{error} - {file}"),
            })
        };
        let files = self.source.files.with_largest(LARGEST_FILE);
        let bytes = Zeroizing::new(files.read(Path::new(file)).map_err(problem)?);
        Ok(Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// Reads both halves of a key pair, the private one first, as the reference does.
pub(crate) fn read(private: &KeyLocation, public: &KeyLocation) -> Result<KeyPair, Error> {
    let text = private.read()?;
    let private = RsaPrivateKey::from_pkcs1_pem(pem(&text))
        .ok()
        .or_else(|| RsaPrivateKey::from_pkcs8_pem(pem(&text)).ok())
        .ok_or_else(|| Error::new("Neither PUB key nor PRIV key: unsupported"))?;
    let certificate = certificate(&public.read()?)?;
    if public_key(&certificate).is_none_or(|public| public.n() != private.n()) {
        return Err(Error::new("private key does not match certificate"));
    }
    Ok(KeyPair { private, certificate })
}

/// A certificate from its text.
pub(crate) fn certificate(text: &str) -> Result<Certificate, Error> {
    Certificate::from_pem(pem(text)).map_err(|_| Error::new("PEM_read_bio_X509: no start line"))
}

/// The public key in a certificate, if it is of RSA.
pub(crate) fn public_key(certificate: &Certificate) -> Option<RsaPublicKey> {
    RsaPublicKey::try_from(certificate.tbs_certificate.subject_public_key_info.owned_to_ref()).ok()
}

/// The PEM part of a string: text around it is allowed.
fn pem(text: &str) -> &str {
    let start = text.find("-----BEGIN ").unwrap_or(0);
    let end = text.rfind("-----END ").and_then(|at| Some(at + 9 + text[at + 9..].find("-----")? + 5));
    text.get(start..end.unwrap_or(text.len())).unwrap_or(text)
}
