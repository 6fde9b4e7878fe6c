//! [`Decryptor`]: what a level's options say of keys, and the keys once they are read.

use std::fmt;
use std::sync::OnceLock;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hieratic_value::Hash;

use crate::Error;
use crate::envelope;
use crate::keys::{self, KeyPair, KeyPlace};
use crate::token::{Token, tokens};

/// What is used if a value does not say what encrypted it.
const DEFAULT_ENCRYPTOR: &str = "PKCS7";

/// Decrypts the values of a level.
pub struct Decryptor {
    private: KeyPlace,
    public: KeyPlace,
    keys: OnceLock<Result<KeyPair, Error>>,
}

impl fmt::Debug for Decryptor {
    /// Says nothing of keys.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Decryptor")
    }
}

impl Decryptor {
    /// A decryptor for the options of a level. Keys are read when the first value needs them, so that a fault of theirs
    /// shows only then.
    pub fn new(options: &Hash) -> Decryptor {
        Decryptor {
            private: KeyPlace::of(options, "pkcs7_private_key"),
            public: KeyPlace::of(options, "pkcs7_public_key"),
            keys: OnceLock::new(),
        }
    }

    /// A text with its encrypted parts decrypted, without a newline at its end.
    pub fn decrypt_text(&self, text: &str) -> Result<String, Error> {
        let mut plain = String::new();
        for token in tokens(text) {
            match token {
                Token::Plain(text) => plain.push_str(text),
                Token::Encrypted { encryptor, cipher } => {
                    let encryptor = encryptor.unwrap_or(DEFAULT_ENCRYPTOR);
                    if !encryptor.eq_ignore_ascii_case(DEFAULT_ENCRYPTOR) {
                        return Err(Error::unknown_encryptor(encryptor));
                    }
                    let bytes = envelope::open(&decode(cipher), self.keys()?)?;
                    plain.push_str(&String::from_utf8_lossy(&bytes));
                }
            }
        }
        let chomped = plain.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
        let length = chomped.or_else(|| plain.strip_suffix('\r')).map_or(plain.len(), str::len);
        plain.truncate(length);
        Ok(plain)
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

/// Base 64 as Ruby reads it: white space is skipped, padding may be missing, and what does not fit ends the text.
fn decode(text: &str) -> Vec<u8> {
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let mut digits: String = text.chars().filter(|c| !c.is_whitespace()).take_while(|c| *c != '=').collect();
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    GeneralPurpose::new(&STANDARD, config).decode(digits).unwrap_or_default()
}
