//! [`Vault`]: decryption for Ansible Vault, with a record of the decrypted secrets.

use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_hiera::Secrets;
use hieratic_jinja::{Engine, TaintObserver};
use hieratic_value::Value;

use crate::redaction::TaintTracker;

/// The passwords of [Ansible Vault](https://docs.ansible.com/ansible/latest/vault_guide/index.html). All decrypted
/// strings are recorded as [secrets](Vault::secrets).
///
/// ```
/// use hieratic::expressions::Vault;
///
/// let vault = Vault::new([("prod".to_owned(), b"swordfish".to_vec())]);
/// assert!(vault.decrypt("$ANSIBLE_VAULT;1.1;AES256\n00").is_err());
/// assert!(vault.secrets().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Vault {
    passwords: Arc<hieratic_jinja_ansible::Vault>,
    secrets: Secrets,
}

impl Vault {
    /// Creates a vault with passwords, each with the label of its id; an empty label is `default`.
    pub fn new(passwords: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vault {
        let mut all = hieratic_jinja_ansible::Vault::default();
        for (label, password) in passwords {
            all.add(&label, &password);
        }
        Vault { passwords: Arc::new(all), secrets: Secrets::default() }
    }

    /// Returns whether there is no password.
    pub fn is_empty(&self) -> bool {
        self.passwords.is_empty()
    }

    /// Returns an observer that tracks the values that templates and functions compute from decrypted strings, and that
    /// forwards to `other`.
    pub fn observer(&self, other: Option<Arc<dyn TaintObserver>>) -> Option<Arc<dyn TaintObserver>> {
        if self.is_empty() {
            return other;
        }
        let own: Arc<dyn TaintObserver> = Arc::new(TaintTracker::new(self.secrets()));
        Some(match other {
            Some(other) => Arc::new(TaintObservers([own, other])),
            None => own,
        })
    }

    /// Returns the strings that were decrypted.
    pub fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }

    /// Returns whether a file is encrypted.
    pub fn is_encrypted(bytes: &[u8]) -> bool {
        bytes.starts_with(hieratic_jinja_ansible::HEADER.as_bytes())
    }

    /// Decrypts a string of variables, and records it as a secret.
    ///
    /// # Errors
    /// There is no password, none fits, or the string is damaged.
    pub fn decrypt(&self, text: &str) -> Result<String, String> {
        let plain = self.passwords.decrypt(text)?;
        self.secrets.add(&Value::from(plain.as_str()));
        Ok(plain)
    }

    /// Decrypts a file; the values in it are to be added to the secrets.
    #[cfg(feature = "templates")]
    pub(crate) fn decrypt_file(&self, bytes: &[u8]) -> Result<String, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "the encrypted file is damaged")?;
        self.passwords.decrypt(text)
    }

    /// Returns the vault for documents with merge directives. Decryption is charged to the budget.
    pub fn of_documents(&self, budget: Budget) -> Arc<dyn hieratic_directives::Vault> {
        Arc::new(OfDocuments { vault: self.clone(), budget })
    }

    /// Configures an engine to decrypt variables with the tag `!vault`.
    pub fn add_to(&self, engine: &mut Engine) {
        let vault = self.clone();
        engine.set_vault(move |text| vault.decrypt(text));
    }
}

/// Two observers of one evaluation.
struct TaintObservers([Arc<dyn TaintObserver>; 2]);

impl TaintObserver for TaintObservers {
    fn is_idle(&self) -> bool {
        self.0.iter().all(|observer| observer.is_idle())
    }

    fn record_result(&self, of: &[Value], result: &Value) {
        self.0.iter().for_each(|observer| observer.record_result(of, result));
    }
}

/// The steps for deriving the keys of one value: a round of the key derivation takes about two.
const STEPS_OF_VALUE: u64 = 20_000;

/// A vault for documents, whose authors may mark any number of values.
struct OfDocuments {
    vault: Vault,
    budget: Budget,
}

impl hieratic_directives::Vault for OfDocuments {
    fn decrypt(&self, text: &str) -> Result<String, String> {
        self.budget.steps(STEPS_OF_VALUE + text.len() as u64).map_err(|exhausted| exhausted.to_string())?;
        self.vault.decrypt(text)
    }

    fn note(&self, values: &Value) {
        self.vault.secrets.add(values);
    }
}
