//! [`ValueDecryptor`]: decrypts the values of a source.

use std::path::Path;
use std::sync::Arc;

use hieratic_crypto::eyaml::{Decryptor, KeySource};
use hieratic_value::{Hash, Str, Value};

use crate::secrets::Secrets;
use crate::template::{Template, Undecrypted};
use crate::variable::Variables;

/// Decrypts the values of a source, and records their plain strings.
#[derive(Clone, Debug)]
pub(super) struct ValueDecryptor {
    decryptor: Arc<Decryptor>,
    secrets: Secrets,
    /// The replacement for a value that cannot be decrypted, if the level has one.
    default: Option<Value>,
}

/// The option of a level with the replacement for values that cannot be decrypted.
const DEFAULT: &str = "decryption_default";

/// The reason why a value could not be decrypted, and the encrypted string.
#[derive(Clone, Debug)]
pub(crate) struct DecryptionFault {
    pub(crate) text: Str,
    pub(crate) message: String,
    /// The encryption method, if it is not supported: the reference then ends its command.
    pub(crate) encryptor: Option<Str>,
}

impl ValueDecryptor {
    /// Creates a decryptor from a level's options. Plain strings are added to `secrets`.
    pub(super) fn new(options: &Hash, keys: &KeySource, secrets: Secrets) -> ValueDecryptor {
        let default = options.get(DEFAULT).cloned();
        ValueDecryptor { decryptor: Arc::new(Decryptor::new(options, keys)), secrets, default }
    }

    /// Compiles a value with its encrypted strings decrypted and marked as secret.
    pub(super) fn compile(&self, value: &Value, variables: &Variables) -> Result<Template, Box<DecryptionFault>> {
        match value {
            Value::String(text) if hieratic_crypto::eyaml::is_encrypted(text) => {
                match self.decryptor.decrypt_text(text) {
                    Ok(plain) => {
                        let plain = Value::from(plain);
                        self.secrets.add(&plain);
                        Ok(Template::Secret(Box::new(Template::compile(&plain, variables))))
                    }
                    Err(error) => match &self.default {
                        Some(default) => {
                            let value = Template::compile(default, variables);
                            Ok(Template::Unopened(Box::new(Undecrypted { value, message: error.to_string() })))
                        }
                        None => Err(Box::new(DecryptionFault {
                            text: text.clone(),
                            message: error.to_string(),
                            encryptor: error.encryptor_not_there().map(Str::from),
                        })),
                    },
                }
            }
            Value::Array(elements) => {
                let elements: Result<Box<[_]>, _> =
                    elements.iter().map(|element| self.compile(element, variables)).collect();
                Ok(Template::Array(elements?))
            }
            Value::Hash(hash) => {
                let pairs: Result<Box<[_]>, _> = hash
                    .iter()
                    .map(|(key, value)| {
                        self.compile(value, variables).map(|value| (Template::compile(key, variables), value))
                    })
                    .collect();
                Ok(Template::Hash(pairs?))
            }
            other => Ok(Template::compile(other, variables)),
        }
    }
}

/// The options of a level whose strings may be encrypted that name files.
const KEY_OPTIONS: [&str; 2] = ["pkcs7_private_key", "pkcs7_public_key"];

/// The files that a level's options name as keys.
pub(crate) fn key_files(options: &Hash) -> impl Iterator<Item = Arc<Path>> + '_ {
    KEY_OPTIONS.into_iter().filter_map(|name| options.get(name)?.as_str().map(|file| Path::new(file).into()))
}
