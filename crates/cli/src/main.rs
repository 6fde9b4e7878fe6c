//! The `hieratic` command.

mod args;
mod lookup;
mod output;
mod report;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Verb};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return report::usage(&error),
    };
    match arguments.verb {
        Verb::Lookup(arguments) => lookup::run(&arguments),
    }
}
