//! `hieratic secret`: the life of encrypted values, as `eyaml` leads it.

pub(crate) mod args;
mod createkeys;
mod decrypt;
mod edit;
mod editor;
mod encrypt;
mod input;
mod rotate;
mod session;
mod settings;

use std::process::ExitCode;

use hieratic::eyaml::Error as Fault;
use hieratic::{Error, ErrorKind};

use crate::args::MessageArguments;
use crate::codes;
use crate::files::Refusal;
use crate::report::Reporter;
use args::{Action, SecretArguments};

/// Runs the verb.
pub(crate) fn run(arguments: &SecretArguments) -> ExitCode {
    let reporter = |messages: &MessageArguments| Reporter::new(messages.message_format, messages.color);
    let (reporter, outcome) = match &arguments.action {
        Action::Encrypt(arguments) => (reporter(&arguments.messages), encrypt::run(arguments)),
        Action::Decrypt(arguments) => (reporter(&arguments.messages), decrypt::run(arguments)),
        Action::Edit(arguments) => {
            let reporter = reporter(&arguments.messages);
            let outcome = edit::run(arguments, &reporter);
            (reporter, outcome)
        }
        Action::Rotate(arguments) => {
            let reporter = reporter(&arguments.messages);
            let outcome = rotate::run(arguments, &reporter);
            (reporter, outcome)
        }
        Action::Createkeys(arguments) => {
            let reporter = reporter(&arguments.messages);
            let outcome = createkeys::run(arguments, &reporter);
            (reporter, outcome)
        }
    };
    match outcome {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// An error of what was given.
fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::SECRET, message)
}

/// An error of a file that is not replaced.
fn from(refusal: Refusal) -> Error {
    refused(refusal.message).help(refusal.help)
}

/// An error of keys and encrypted values.
fn fault(error: &Fault) -> Error {
    let message = error.to_string();
    let absent =
        if message.contains("No such file") { "'hieratic secret createkeys' creates a key pair; " } else { "" };
    refused(message).help(format!(
        "{absent}name the key files with --pkcs7-private-key and --pkcs7-public-key, or in ~/.eyaml/config.yaml, /etc/eyaml/config.yaml \
         or the file in EYAML_CONFIG; the default is ./keys/private_key.pkcs7.pem and ./keys/public_key.pkcs7.pem",
    ))
}
