//! `--vault-password-file` and `--vault-id`: the passwords of Ansible Vault.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use hieratic::Error;
use hieratic::expressions::Vault;

use crate::report::Reporter;
use crate::usage::usage;

/// The flags of verbs that decrypt what Ansible Vault encrypted.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct VaultArguments {
    /// A file with a password of Ansible Vault, which decrypts values of !vault and encrypted files (repeatable)
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    vault_password_file: Vec<PathBuf>,
    /// A password file with the label of its vault id (repeatable)
    #[arg(long, value_name = "LABEL@FILE", action = clap::ArgAction::Append)]
    vault_id: Vec<String>,
}

impl VaultArguments {
    /// Opens the vault that the flags describe. Decrypted values are redacted in the output.
    ///
    /// # Errors
    /// A password file cannot be read, or contains no password.
    pub(crate) fn open(&self, reporter: &Reporter) -> Result<Vault, Error> {
        let labeled = self.vault_id.iter().map(|id| match id.rsplit_once('@') {
            Some((label, file)) => (label.to_owned(), PathBuf::from(file)),
            None => (String::new(), PathBuf::from(id)),
        });
        let unlabeled = self.vault_password_file.iter().map(|file| (String::new(), file.clone()));
        let passwords = labeled.chain(unlabeled).map(|(label, file)| Ok((label, password(&file)?)));
        let vault = Vault::new(passwords.collect::<Result<Vec<_>, Error>>()?);
        reporter.redactor().add(vault.secrets());
        Ok(vault)
    }
}

/// The limit of bytes of a password file.
const MAX_PASSWORD_BYTES: u64 = 1 << 20;

/// The password in a file that the user named.
fn password(file: &Path) -> Result<Vec<u8>, Error> {
    let refused = |reason: &str, help: &str| {
        usage(format!("the password file {} {reason}", file.display())).help(help.to_owned())
    };
    if file.to_str().is_some_and(|name| name == "prompt" || name == "prompt_ask_vault_pass") {
        return Err(refused(
            "is a prompt",
            "passwords are not read from the terminal: write the password to a file and name the file",
        ));
    }
    // It may be a pipe.
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|opened| opened.take(MAX_PASSWORD_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| crate::files::unreadable(file, &error))?;
    if bytes.starts_with(b"#!") {
        let help = "password programs are not run: run it yourself, as in --vault-password-file <(PROGRAM)";
        return Err(refused("is a program", help));
    }
    if Vault::is_encrypted(&bytes) {
        return Err(refused("is encrypted itself", "decrypt it with ansible-vault, and name the result"));
    }
    match bytes.trim_ascii() {
        [] => Err(refused("is empty", "write the password into it, alone")),
        password => Ok(password.to_vec()),
    }
}
