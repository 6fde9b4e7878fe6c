//! [`Decryptor`]: decrypts values with the keys of a level.

use std::fmt;
use std::sync::OnceLock;

use hieratic_value::Hash;
use zeroize::Zeroizing;

use crate::eyaml::Error;
use crate::eyaml::envelope::{self, RefusalVisibility};
use crate::eyaml::keys::{self, KeyLocation, KeyPair, KeySource};
use crate::eyaml::token::{Token, cipher_bytes, decode, tokens};

/// The encryptor of values that do not name one.
const DEFAULT_ENCRYPTOR: &str = "PKCS7";

/// Decrypts the values of a level.
pub struct Decryptor {
    private: KeyLocation,
    public: KeyLocation,
    keys: OnceLock<Result<KeyPair, Error>>,
}

impl fmt::Debug for Decryptor {
    /// Does not print keys.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Decryptor")
    }
}

impl Decryptor {
    /// Creates a decryptor for the options of a level. The keys are read for the first value, so their errors are only
    /// reported then.
    pub fn new(options: &Hash, source: &KeySource) -> Decryptor {
        Decryptor {
            private: KeyLocation::from_options(options, "pkcs7_private_key", source),
            public: KeyLocation::from_options(options, "pkcs7_public_key", source),
            keys: OnceLock::new(),
        }
    }

    /// Returns a string with its encrypted parts decrypted, without a newline at its end.
    ///
    /// A value that was encrypted for another key with the same name is an error in 255 of 256 cases and garbage
    /// otherwise, as with OpenSSL: an attacker who can try many values must not learn which ones are invalid.
    /// [`Decryptor::open`] always reports an error.
    pub fn decrypt_text(&self, text: &str) -> Result<String, Error> {
        let mut plain = String::new();
        for token in tokens(text) {
            match token {
                Token::Plain(text) => plain.push_str(text),
                Token::Encrypted { encryptor, cipher } => {
                    let bytes = self.open_cipher(encryptor, cipher, RefusalVisibility::Hidden)?;
                    plain.push_str(&String::from_utf8_lossy(&bytes));
                }
            }
        }
        let chomped = plain.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
        let length = chomped.or_else(|| plain.strip_suffix('\r')).map_or(plain.len(), str::len);
        plain.truncate(length);
        Ok(plain)
    }

    /// Decrypts one encrypted value (`ENC[...]`, with whitespace anywhere within).
    ///
    /// # Errors
    ///
    /// The value cannot be decrypted. The message is the reference's.
    pub fn open(&self, encrypted: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
        let text: String = encrypted.split_ascii_whitespace().collect();
        match tokens(&text).as_slice() {
            [Token::Encrypted { encryptor, cipher }] => {
                self.open_cipher(*encryptor, cipher, RefusalVisibility::Visible)
            }
            _ => Err(Error::new("no encrypted value")),
        }
    }

    /// Returns whether an encrypted value names the certificate of these keys as its recipient.
    pub fn is_recipient(&self, encrypted: &str) -> bool {
        let bytes = cipher_bytes(encrypted);
        bytes.zip(self.keys().ok()).is_some_and(|(bytes, keys)| envelope::recipients(&bytes, &keys.certificate))
    }

    fn open_cipher(
        &self,
        encryptor: Option<&str>,
        cipher: &str,
        visibility: RefusalVisibility,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let encryptor = encryptor.unwrap_or(DEFAULT_ENCRYPTOR);
        if !encryptor.eq_ignore_ascii_case(DEFAULT_ENCRYPTOR) {
            return Err(Error::unknown_encryptor(encryptor));
        }
        envelope::open(&decode(cipher), self.keys()?, visibility)
    }

    fn keys(&self) -> Result<&KeyPair, Error> {
        if self.public.is_missing() {
            return Err(Error::new("pkcs7_public_key is not defined"));
        }
        if self.private.is_missing() {
            return Err(Error::new("pkcs7_private_key is not defined"));
        }
        self.keys.get_or_init(|| keys::read(&self.private, &self.public)).as_ref().map_err(Error::clone)
    }
}
