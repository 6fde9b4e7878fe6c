//! `vault` and `unvault`: strings as Ansible Vault encrypts them. => The filters `vault` and `unvault`, which encrypt
//! and decrypt strings of Ansible Vault.

use hieratic_jinja::extend::filters::arguments::{as_text, given, strict_text};
use hieratic_jinja::extend::objects::Encrypted;
use hieratic_jinja::extend::python::{Kind, kind};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error, undefined};

use crate::vault::{Envelope, encrypt};

pub const TABLE: Table = &[
    define(
        "vault",
        "secret, salt=None, vault_id='filter_default', wrap_object=False, vaultid=None",
        "Encrypts a string with a password of Ansible Vault.",
        vault,
    ),
    define(
        "unvault",
        "secret, vault_id='filter_default', vaultid=None",
        "Decrypts a string that Ansible Vault encrypted.",
        unvault,
    ),
];

/// The default label of the vault id that strings are encrypted with.
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
    encrypt(data, &secret, &salt, &label).map(Value::from)
}

fn unvault(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, secret, _, _] = args.bind(["vault", "secret", "vault_id", "vaultid"], 2)?;
    let data = given(data);
    let data = match data.downcast_object_ref::<Encrypted>() {
        Some(encrypted) => encrypted.text.to_string(),
        None => strict_text(&data, "unvault")?,
    };
    let secret = text_or_bytes(&given(secret), "Secret passed is required to be a string")?;
    // A string that is not encrypted is returned unchanged.
    if !data.starts_with("$ANSIBLE_VAULT") {
        return Ok(Value::from(data));
    }
    let failed = |reason: &str| error(format!("Unable to decrypt: {reason}"));
    let envelope =
        Envelope::read(&data).map_err(|problem| failed(problem.detail().unwrap_or("the vault is broken")))?;
    let plain = envelope.open(&secret)?;
    let plain = plain.ok_or_else(|| failed("Decryption failed (no vault secrets were found that could decrypt)"))?;
    String::from_utf8(plain).map(Value::from).map_err(|_| failed("the plain text is not a string"))
}

fn text_or_bytes(value: &Value, subject: &str) -> Result<Vec<u8>> {
    match kind(value)? {
        Kind::Bytes(bytes) => Ok(bytes.to_vec()),
        Kind::Str(text) => Ok(text.as_bytes().to_vec()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("{subject}, instead we got: {}", hieratic_jinja::extend::python::type_name(value)))),
    }
}
