//! `vault` and `unvault`: texts as Ansible Vault encrypts them, with AES-256 in counter mode, in the versions 1.1 and 1.2 of its format:
//! <https://docs.ansible.com/ansible/latest/vault_guide/vault_using_encrypted_content.html#ansible-vault-payload-format-1-1-1-2>.

use aes::Aes256;
use aes::cipher::{BlockEncrypt, KeyInit};
use hieratic_jinja::extend::filters::arguments::{as_text, given, strict_text};
use hieratic_jinja::extend::python::{Kind, kind};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, error, undefined};
use hmac::{Hmac, Mac};
use sha2::Sha256;

pub const TABLE: Table = &[("vault", vault), ("unvault", unvault)];

/// What stands at the start of what is encrypted.
const HEADER: &str = "$ANSIBLE_VAULT";

/// How often the password is mixed to make the keys, each round a step or two.
const ROUNDS: u32 = 10_000;

/// How long lines are.
const WIDTH: usize = 80;

/// The name that keys have unless they are given one.
const LABEL: &str = "filter_default";

fn vault(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, secret, salt, label, _, old_label] =
        args.bind(["data", "secret", "salt", "vault_id", "wrap_object", "vaultid"], 2)?;
    let data = text_or_bytes(&given(data), "Can only vault strings")?;
    let secret = text_or_bytes(&given(secret), "Secret passed is required to be a string")?;
    let salt = match salt.filter(|salt| !salt.is_none()) {
        Some(salt) => text_or_bytes(&salt, "the salt must be a string")?,
        None => (0..32).map(|_| fastrand::u8(..)).collect(),
    };
    let label = label.or(old_label).map_or(Ok(LABEL.into()), |label| as_text(&Some(label)))?;
    if data.is_empty() {
        return Err(error("Unable to encrypt: there is nothing to encrypt"));
    }
    hieratic_jinja::extend::work::bytes(data.len().saturating_mul(6))?;
    let keys = Keys::of(&secret, &salt)?;
    let fill = 16 - data.len() % 16;
    let mut encrypted = data;
    encrypted.extend(std::iter::repeat_n(u8::try_from(fill).unwrap_or(16), fill));
    keys.mix(&mut encrypted)?;
    let parts = [hex(&salt), hex(&keys.signature(&encrypted)?), hex(&encrypted)];
    let body = hex(parts.join("\n").as_bytes());
    let header = match label.as_str() {
        "" | "default" => format!("{HEADER};1.1;AES256"),
        label => format!("{HEADER};1.2;AES256;{label}"),
    };
    let mut out = header;
    for line in body.as_bytes().chunks(WIDTH) {
        out.push('\n');
        out.extend(line.iter().map(|digit| char::from(*digit)));
    }
    out.push('\n');
    Ok(Value::from(out))
}

fn unvault(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, secret, _, _] = args.bind(["vault", "secret", "vault_id", "vaultid"], 2)?;
    let data = strict_text(&given(data), "unvault")?;
    let secret = text_or_bytes(&given(secret), "Secret passed is required to be a string")?;
    // What is not encrypted is itself.
    if !data.starts_with(HEADER) {
        return Ok(Value::from(data));
    }
    let (header, body) = data.split_once('\n').unwrap_or((&data, ""));
    if header.split(';').nth(2).map(str::trim) != Some("AES256") {
        return Err(error("Unable to decrypt: only AES256 is supported"));
    }
    hieratic_jinja::extend::work::scan(data.len())?;
    hieratic_jinja::extend::work::bytes(data.len())?;
    let broken = || error("Unable to decrypt: the vault is broken");
    let digits: String = body.split_whitespace().collect();
    let parts = String::from_utf8(unhex(&digits).ok_or_else(broken)?).map_err(|_| broken())?;
    let mut parts = parts.split('\n').map(|part| unhex(part).ok_or_else(broken));
    let mut part = || parts.next().unwrap_or_else(|| Err(broken()));
    let (salt, signature, mut encrypted) = (part()?, part()?, part()?);
    let keys = Keys::of(&secret, &salt)?;
    if !keys.signs(&encrypted, &signature)? {
        return Err(error("Unable to decrypt: Decryption failed (no vault secrets were found that could decrypt)"));
    }
    keys.mix(&mut encrypted)?;
    let fill = usize::from(encrypted.last().copied().unwrap_or(0));
    encrypted.truncate(encrypted.len().checked_sub(fill).filter(|_| (1..=16).contains(&fill)).ok_or_else(broken)?);
    String::from_utf8(encrypted)
        .map(Value::from)
        .map_err(|_| error("Unable to decrypt: the plain text is not a string"))
}

fn text_or_bytes(value: &Value, what: &str) -> Result<Vec<u8>> {
    match kind(value)? {
        Kind::Bytes(bytes) => Ok(bytes.to_vec()),
        Kind::Str(text) => Ok(text.as_bytes().to_vec()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("{what}, instead we got: {}", hieratic_jinja::extend::python::type_name(value)))),
    }
}

/// What is made of a password.
struct Keys {
    cipher: Aes256,
    signing: Vec<u8>,
    /// The first counter.
    start: u128,
}

impl Keys {
    fn of(secret: &[u8], salt: &[u8]) -> Result<Keys> {
        hieratic_jinja::extend::work::steps(2 * usize::try_from(ROUNDS).unwrap_or(usize::MAX))?;
        let mut bytes = [0; 80];
        pbkdf2::pbkdf2_hmac::<Sha256>(secret, salt, ROUNDS, &mut bytes);
        let bad = || error("the keys cannot be derived");
        let part = |from: usize, to: usize| bytes.get(from..to).ok_or_else(bad);
        let start = <[u8; 16]>::try_from(part(64, 80)?).map_err(|_| bad())?;
        Ok(Keys {
            cipher: Aes256::new_from_slice(part(0, 32)?).map_err(|_| bad())?,
            signing: part(32, 64)?.to_vec(),
            start: u128::from_be_bytes(start),
        })
    }

    /// Encrypts what is plain, and decrypts what is encrypted: both are the same.
    fn mix(&self, bytes: &mut [u8]) -> Result<()> {
        hieratic_jinja::extend::work::steps(bytes.len() / 16)?;
        for (number, block) in (0u128..).zip(bytes.chunks_mut(16)) {
            let mut counter = self.start.wrapping_add(number).to_be_bytes().into();
            self.cipher.encrypt_block(&mut counter);
            block.iter_mut().zip(&counter[..]).for_each(|(byte, mask)| *byte ^= mask);
        }
        Ok(())
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

    /// Whether a signature is right, in a time that does not tell how wrong it is.
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
