//! The flags of `secret`, with the names of `eyaml`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::MessageArguments;
use crate::examples;

/// The flags of `secret`.
#[derive(Args, Debug)]
pub(crate) struct SecretArguments {
    #[command(subcommand)]
    pub(crate) action: Action,
}

/// The actions on secrets.
#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Encrypt a string, a file, or the DEC::PKCS7[...]! parts of an eyaml file; requires the public key only
    #[command(after_help = examples::SECRET_ENCRYPT)]
    Encrypt(EncryptArguments),
    /// Decrypt a string, a file, or all values of an eyaml file
    #[command(after_help = examples::SECRET_DECRYPT)]
    Decrypt(DecryptArguments),
    /// Edit an eyaml file with decrypted values; unchanged parts stay byte for byte
    #[command(after_help = examples::SECRET_EDIT)]
    Edit(EditArguments),
    /// Re-encrypt the values of files and folders with new keys; only the ciphertext changes
    #[command(visible_alias = "recrypt", after_help = examples::SECRET_ROTATE)]
    Rotate(RotateArguments),
    /// Create a key pair
    #[command(after_help = examples::SECRET_CREATEKEYS)]
    Createkeys(CreatekeysArguments),
}

impl Action {
    /// Returns the flags for the format of messages.
    pub(crate) fn messages(&self) -> &MessageArguments {
        match self {
            Action::Encrypt(arguments) => &arguments.messages,
            Action::Decrypt(arguments) => &arguments.messages,
            Action::Edit(arguments) => &arguments.messages,
            Action::Rotate(arguments) => &arguments.messages,
            Action::Createkeys(arguments) => &arguments.messages,
        }
    }
}

/// The flags that select the encryption keys.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct KeyArguments {
    /// The file of the private key
    #[arg(long = "pkcs7-private-key", visible_alias = "pkcs7_private_key", value_name = "FILE")]
    pub(crate) private_key: Option<String>,
    /// The file of the public key, a certificate
    #[arg(long = "pkcs7-public-key", visible_alias = "pkcs7_public_key", value_name = "FILE")]
    pub(crate) public_key: Option<String>,
    /// The environment variable that contains the private key
    #[arg(long = "pkcs7-private-key-env-var", visible_alias = "pkcs7_private_key_env_var", value_name = "NAME")]
    pub(crate) private_key_env_var: Option<String>,
    /// The environment variable that contains the public key
    #[arg(long = "pkcs7-public-key-env-var", visible_alias = "pkcs7_public_key_env_var", value_name = "NAME")]
    pub(crate) public_key_env_var: Option<String>,
    /// The encryption method; only PKCS7 is supported
    #[arg(long, short = 'n', value_name = "NAME")]
    pub(crate) encrypt_method: Option<String>,
    /// Accepted for compatibility
    #[arg(long, short = 'v')]
    pub(crate) verbose: bool,
    /// Accepted for compatibility
    #[arg(long, short = 't')]
    pub(crate) trace: bool,
    /// Print only errors
    #[arg(long, short = 'q')]
    pub(crate) quiet: bool,
}

/// The output format of encrypted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Both: on one line, and as a folded block.
    Examples,
    /// A folded block.
    Block,
    /// One line.
    String,
}

/// The flags of `encrypt`.
#[derive(Args, Debug)]
#[group(skip)]
pub(crate) struct EncryptArguments {
    /// Prompt for the string to encrypt
    #[arg(long, short = 'p', group = "source")]
    pub(crate) password: bool,
    /// Encrypt this string
    #[arg(long, short = 's', value_name = "TEXT", group = "source", allow_hyphen_values = true)]
    pub(crate) string: Option<String>,
    /// Encrypt a file
    #[arg(long, short = 'f', value_name = "FILE", group = "source")]
    pub(crate) file: Option<PathBuf>,
    /// Encrypt standard input
    #[arg(long, group = "source")]
    pub(crate) stdin: bool,
    /// Encrypt the DEC::PKCS7[...]! parts of a file
    #[arg(long, short = 'e', value_name = "FILE", group = "source")]
    pub(crate) eyaml: Option<PathBuf>,
    /// The output format: examples, block or string
    #[arg(long, short = 'o', value_name = "FORMAT")]
    pub(crate) output: Option<Output>,
    /// The key to print before the value
    #[arg(long, short = 'l', value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) label: Option<String>,

    #[command(flatten)]
    pub(crate) keys: KeyArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `decrypt`.
#[derive(Args, Debug)]
#[group(skip)]
pub(crate) struct DecryptArguments {
    /// Decrypt this string
    #[arg(long, short = 's', value_name = "TEXT", group = "source", allow_hyphen_values = true)]
    pub(crate) string: Option<String>,
    /// Decrypt the values of a file to plain text
    #[arg(long, short = 'f', value_name = "FILE", group = "source")]
    pub(crate) file: Option<PathBuf>,
    /// Decrypt the values of a file to DEC::PKCS7[...]!
    #[arg(long, short = 'e', value_name = "FILE", group = "source")]
    pub(crate) eyaml: Option<PathBuf>,
    /// Decrypt standard input
    #[arg(long, group = "source")]
    pub(crate) stdin: bool,

    #[command(flatten)]
    pub(crate) keys: KeyArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `edit`.
#[derive(Args, Debug)]
pub(crate) struct EditArguments {
    /// The file; created if it does not exist
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Omit the instructions at the top
    #[arg(long)]
    pub(crate) no_preamble: bool,
    /// Keep existing values encrypted and only encrypt new ones; requires the public key only
    #[arg(long, short = 'd')]
    pub(crate) no_decrypt: bool,

    #[command(flatten)]
    pub(crate) keys: KeyArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `rotate`.
#[derive(Args, Debug)]
pub(crate) struct RotateArguments {
    /// Files and folders; in folders, the .yaml, .yml, .eyaml and .json files
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The new public key, a certificate
    #[arg(long, value_name = "FILE")]
    pub(crate) new_public_key: String,
    /// The new private key, to recognize values that already use the new keys
    #[arg(long, value_name = "FILE")]
    pub(crate) new_private_key: Option<String>,
    /// Print what would change without writing it
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) keys: KeyArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The flags of `createkeys`.
#[derive(Args, Debug)]
pub(crate) struct CreatekeysArguments {
    /// The subject of the certificate, such as /C=US/CN=name
    #[arg(long = "pkcs7-subject", visible_alias = "pkcs7_subject", value_name = "SUBJECT")]
    pub(crate) subject: Option<String>,
    /// The size of the key in bits (default: 2048)
    #[arg(long = "pkcs7-keysize", visible_alias = "pkcs7_keysize", value_name = "BITS")]
    pub(crate) keysize: Option<usize>,
    /// The hash function of the certificate: SHA256, SHA384 or SHA512
    #[arg(long = "pkcs7-digest", visible_alias = "pkcs7_digest", value_name = "NAME")]
    pub(crate) digest: Option<String>,

    #[command(flatten)]
    pub(crate) keys: KeyArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}
