//! Selects the keys from the flags and the configuration files of `eyaml`.

use std::path::{Path, PathBuf};

use hieratic::{Error, Hash, Value, yaml};

use super::args::KeyArguments;
use super::faults::input_error;
use hieratic::sandbox::SlashPath as _;

/// The options from flags and configuration files, under eyaml's names.
#[derive(Debug)]
pub(super) struct Settings(Hash);

impl Settings {
    /// The settings: flags over `$EYAML_CONFIG` over `~/.eyaml/config.yaml` over `/etc/eyaml/config.yaml`.
    pub(super) fn new(arguments: &KeyArguments) -> Result<Settings, Error> {
        let home = crate::places::home().map(|home| home.join(".eyaml/config.yaml"));
        let named = std::env::var_os("EYAML_CONFIG").map(PathBuf::from);
        let files = [Some(PathBuf::from("/etc/eyaml/config.yaml")), home, named];
        let mut settings = Vec::new();
        for file in files.into_iter().flatten().filter(|file| file.is_file()) {
            settings.extend(read(&file)?.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        let flags = [
            ("pkcs7_private_key", &arguments.private_key),
            ("pkcs7_public_key", &arguments.public_key),
            ("pkcs7_private_key_env_var", &arguments.private_key_env_var),
            ("pkcs7_public_key_env_var", &arguments.public_key_env_var),
            ("encrypt_method", &arguments.encrypt_method),
        ];
        settings.extend(flags.into_iter().filter_map(|(name, value)| Some((name.into(), value.as_deref()?.into()))));
        let settings = Settings(settings.into_iter().collect());
        match settings.text("encrypt_method") {
            Some(method) if !method.eq_ignore_ascii_case("pkcs7") => {
                Err(input_error(format!("the encryption method '{method}' is not supported"))
                    .help("only PKCS7 is supported; values of other encryptors require plug-ins of eyaml"))
            }
            _ => Ok(settings),
        }
    }

    /// A setting as text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.0.get(name).filter(|value| value.is_truthy()).map(Value::to_text)
    }

    /// The file of the private key.
    pub(super) fn private_key(&self) -> String {
        self.text("pkcs7_private_key").unwrap_or_else(|| "./keys/private_key.pkcs7.pem".to_owned())
    }

    /// The file of the public key.
    pub(super) fn public_key(&self) -> String {
        self.text("pkcs7_public_key").unwrap_or_else(|| "./keys/public_key.pkcs7.pem".to_owned())
    }

    /// The options of a level that has these keys.
    pub(super) fn options(&self) -> Hash {
        let mut options = vec![
            ("pkcs7_private_key", Value::from(self.private_key())),
            ("pkcs7_public_key", Value::from(self.public_key())),
        ];
        for name in ["pkcs7_private_key_env_var", "pkcs7_public_key_env_var"] {
            options.extend(self.text(name).map(|text| (name, Value::from(text))));
        }
        options.into_iter().collect()
    }
}

fn read(file: &Path) -> Result<Hash, Error> {
    let name = file.to_slashes();
    let unreadable = |reason: String| {
        input_error(format!("Could not open config file \"{name}\" for reading: {reason}"))
            .help("the file holds settings such as `pkcs7_public_key: /etc/eyaml/public_key.pkcs7.pem`")
    };
    let bytes = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let options = yaml::Options { symbols: false, regexps: false, file: &name };
    match yaml::parse(&bytes, &options).map_err(|error| unreadable(error.to_string()))? {
        Value::Hash(hash) => Ok(hash),
        _ => Err(unreadable("it does not contain a hash".to_owned())),
    }
}
