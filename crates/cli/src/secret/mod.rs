//! `hieratic secret`: creates, decrypts, edits and re-encrypts values, like `eyaml`.

pub(crate) mod args;
mod createkeys;
mod decrypt;
mod edit;
mod editor;
mod encrypt;
mod faults;
mod input;
mod rotate;
mod session;
mod settings;

use std::process::ExitCode;

use crate::args::MessageArguments;
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
