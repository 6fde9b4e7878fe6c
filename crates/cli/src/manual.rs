//! Completions for shells and manual pages, made from the flags themselves.

use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "hieratic", &mut text);
    crate::output::print(&text);
    ExitCode::SUCCESS
}

/// Prints the manual page of the command, or writes those of all verbs into a folder.
pub(crate) fn pages(folder: Option<&Path>) -> ExitCode {
    let command = Arguments::command();
    let written = match folder {
        Some(folder) => {
            std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command.clone(), folder))
        }
        None => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(command).render(&mut page);
            crate::output::print(&page);
            rendered
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Error: the manual pages cannot be written: {error}");
            ExitCode::FAILURE
        }
    }
}
