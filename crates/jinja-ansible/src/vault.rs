//! Strings as Ansible Vault encrypts them, with AES-256 in counter mode, in the versions 1.1 and 1.2 of its format:
//! <https://docs.ansible.com/ansible/latest/vault_guide/vault_using_encrypted_content.html#ansible-vault-payload-format-1-1-1-2>.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use aes::Aes256;
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use hieratic_jinja::extend::{Error, Result, error, work};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The first bytes of every encrypted string.
pub const HEADER: &str = "$ANSIBLE_VAULT;";

/// The rounds that make the keys of a password, each a step or two.
const ROUNDS: u32 = 10_000;

/// The length of lines.
const WIDTH: usize = 80;

/// The limit of decrypted strings that are remembered: deriving a key takes milliseconds.
const MOST_KNOWN: usize = 10_000;

/// The label of a vault id without one.
const DEFAULT: &str = "default";

/// The passwords of Ansible Vault, each with the label of its id.
///
/// ```
/// use hieratic_jinja_ansible::Vault;
///
/// let mut vault = Vault::default();
/// assert_eq!(vault.decrypt("$ANSIBLE_VAULT;1.1;AES256\n").unwrap_err(), "no password was given");
/// vault.add("prod", b"swordfish");
/// assert_eq!(vault.decrypt("$ANSIBLE_VAULT;1.1;AES256\n00").unwrap_err(), "the encrypted string is damaged");
/// ```
#[derive(Default)]
pub struct Vault {
    passwords: Vec<(String, Vec<u8>)>,
    /// The plain strings of encrypted ones.
    known: Mutex<HashMap<String, String>>,
}

impl fmt::Debug for Vault {
    /// Does not print the passwords.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.labels()).finish()
    }
}

impl Vault {
    /// Adds a password. An empty label stands for `default`, the label of `--vault-password-file`.
    pub fn add(&mut self, label: &str, password: &[u8]) {
        let label = if label.is_empty() { DEFAULT } else { label };
        self.passwords.push((label.to_owned(), password.to_vec()));
    }

    /// Returns whether there are no passwords.
    pub fn is_empty(&self) -> bool {
        self.passwords.is_empty()
    }

    /// Returns the labels of the passwords, in the order in which they were added.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.passwords.iter().map(|(label, _)| label.as_str())
    }

    /// Returns whether the content of a file or of a string starts with the header of Ansible Vault.
    pub fn is_encrypted(text: &str) -> bool {
        text.starts_with(HEADER)
    }

    /// Decrypts a string with the password of its label, or with any other of the passwords, as Ansible does.
    ///
    /// # Errors
    /// There is no matching password, or the string is damaged.
    pub fn decrypt(&self, text: &str) -> std::result::Result<String, String> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plain) = known().get(text) {
            return Ok(plain.clone());
        }
        if self.is_empty() {
            return Err("no password was given".to_owned());
        }
        let as_text = |error: Error| error.detail().map_or_else(|| error.to_string(), str::to_owned);
        let envelope = Envelope::read(text).map_err(as_text)?;
        let fits = |(label, _): &&(String, Vec<u8>)| Some(label.as_str()) == envelope.label.as_deref();
        let first = self.passwords.iter().filter(fits);
        let others = self.passwords.iter().filter(|one| !fits(one));
        for (_, password) in first.chain(others) {
            if let Some(bytes) = envelope.open(password).map_err(as_text)? {
                let plain = String::from_utf8(bytes).map_err(|_| "the decrypted string is not valid UTF-8")?;
                let mut known = known();
                if known.len() < MOST_KNOWN {
                    known.insert(text.to_owned(), plain.clone());
                }
                return Ok(plain);
            }
        }
        let of = envelope.label.map(|label| format!(" of the id '{label}'")).unwrap_or_default();
        let given: Vec<String> = self.labels().map(|label| format!("'{label}'")).collect();
        Err(match given.as_slice() {
            [only] => format!("the password given for the id {only} is wrong for this string{of}"),
            several => format!("none of the passwords for the ids {} fits this string{of}", several.join(", ")),
        })
    }
}

/// The parts of an encrypted string.
pub struct Envelope {
    /// The label of the id that it was encrypted with.
    pub label: Option<String>,
    salt: Vec<u8>,
    signature: Vec<u8>,
    encrypted: Vec<u8>,
}

impl Envelope {
    /// Parses an encrypted string.
    pub fn read(text: &str) -> Result<Envelope> {
        let (header, body) = text.split_once('\n').unwrap_or((text, ""));
        let mut fields = header.split(';').map(str::trim).skip(2);
        let cipher = fields.next().unwrap_or("");
        if cipher != "AES256" {
            return Err(error(format!("only the cipher AES256 is supported, not '{cipher}'")));
        }
        let label = fields.next().filter(|label| !label.is_empty()).map(str::to_owned);
        work::scan(text.len())?;
        work::bytes(text.len())?;
        let broken = || error("the encrypted string is damaged");
        let digits: String = body.split_whitespace().collect();
        let parts = String::from_utf8(unhex(&digits).ok_or_else(broken)?).map_err(|_| broken())?;
        let mut parts = parts.split('\n').map(|part| unhex(part).ok_or_else(broken));
        let mut part = || parts.next().unwrap_or_else(|| Err(broken()));
        Ok(Envelope { label, salt: part()?, signature: part()?, encrypted: part()? })
    }

    /// Returns the decrypted bytes; `None` if the password is wrong.
    pub fn open(&self, password: &[u8]) -> Result<Option<Vec<u8>>> {
        let keys = Keys::new(password, &self.salt)?;
        if !keys.signs(&self.encrypted, &self.signature)? {
            return Ok(None);
        }
        let mut plain = self.encrypted.clone();
        keys.mix(&mut plain)?;
        let broken = || error("the encrypted string is damaged");
        let fill = usize::from(plain.last().copied().unwrap_or(0));
        plain.truncate(plain.len().checked_sub(fill).filter(|_| (1..=16).contains(&fill)).ok_or_else(broken)?);
        Ok(Some(plain))
    }
}

/// Encrypts bytes. The header contains the label unless it is empty or `default`.
pub fn encrypt(mut data: Vec<u8>, password: &[u8], salt: &[u8], label: &str) -> Result<String> {
    work::bytes(data.len().saturating_mul(6))?;
    let keys = Keys::new(password, salt)?;
    let fill = 16 - data.len() % 16;
    data.extend(std::iter::repeat_n(u8::try_from(fill).unwrap_or(16), fill));
    keys.mix(&mut data)?;
    let parts = [hex(salt), hex(&keys.signature(&data)?), hex(&data)];
    let body = hex(parts.join("\n").as_bytes());
    let mut out = match label {
        "" | DEFAULT => format!("{HEADER}1.1;AES256"),
        label => format!("{HEADER}1.2;AES256;{label}"),
    };
    for line in body.as_bytes().chunks(WIDTH) {
        out.push('\n');
        out.extend(line.iter().map(|digit| char::from(*digit)));
    }
    out.push('\n');
    Ok(out)
}

/// The keys that are derived from a password.
struct Keys {
    cipher: Ctr128BE<Aes256>,
    signing: Vec<u8>,
}

impl Keys {
    fn new(password: &[u8], salt: &[u8]) -> Result<Keys> {
        work::steps(2 * usize::try_from(ROUNDS).unwrap_or(usize::MAX))?;
        let mut bytes = [0; 80];
        pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, ROUNDS, &mut bytes);
        let bad = || error("the keys cannot be derived");
        let part = |from: usize, to: usize| bytes.get(from..to).ok_or_else(bad);
        Ok(Keys {
            cipher: Ctr128BE::new_from_slices(part(0, 32)?, part(64, 80)?).map_err(|_| bad())?,
            signing: part(32, 64)?.to_vec(),
        })
    }

    /// Encrypts or decrypts bytes: both are the same operation.
    fn mix(&self, bytes: &mut [u8]) -> Result<()> {
        work::steps(bytes.len() / 16)?;
        self.cipher.clone().try_apply_keystream(bytes).map_err(|_| error("the encrypted string is too long"))
    }

    fn signer(&self, bytes: &[u8]) -> Result<Hmac<Sha256>> {
        let signer = <Hmac<Sha256> as Mac>::new_from_slice(&self.signing);
        let mut signer = signer.map_err(|_| error("the keys cannot be derived"))?;
        signer.update(bytes);
        Ok(signer)
    }

    fn signature(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        Ok(self.signer(bytes)?.finalize().into_bytes().to_vec())
    }

    /// Verifies a signature in constant time.
    fn signs(&self, bytes: &[u8], signature: &[u8]) -> Result<bool> {
        Ok(self.signer(bytes)?.verify_slice(signature).is_ok())
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = digits.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect::<Option<_>>()?;
    digits.chunks(2).map(|pair| Some(pair.first()? << 4 | pair.get(1)?)).collect()
}
