//! Completions for shells and manual pages, generated from the flags.

use std::path::Path;
use std::process::ExitCode;

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::args::{Color, MessageFormat};
use crate::codes;
use crate::report::Reporter;
use crate::verbs::Arguments;

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> ExitCode {
    match crate::completion::script(shell) {
        Some(script) => crate::output::print(script.as_bytes()),
        None => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "hieratic", &mut text);
            crate::output::print(&text);
        }
    }
    ExitCode::SUCCESS
}

/// Prints the manual page of the command, or writes those of all verbs into a folder.
pub(crate) fn pages(folder: Option<&Path>) -> ExitCode {
    let mut command = Arguments::command();
    command.build();
    let written = match folder {
        Some(folder) => std::fs::create_dir_all(folder).and_then(|()| write(&command, folder)),
        None => page(&command).map(|page| crate::output::print(page.as_bytes())),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let help = "name a writable folder, such as ~/.local/share/man/man1";
            let reporter = Reporter::new(MessageFormat::Human, Color::Auto);
            reporter.plain_error(
                codes::UNWRITABLE,
                &format!("the manual pages cannot be written: {error}"),
                &[help.into()],
            );
            ExitCode::FAILURE
        }
    }
}

/// Writes the page of a verb and those of its actions.
fn write(command: &Command, folder: &Path) -> std::io::Result<()> {
    for verb in command.get_subcommands() {
        write(verb, folder)?;
    }
    let name = command.get_display_name().unwrap_or(command.get_name());
    std::fs::write(folder.join(format!("{name}.1")), page(command)?)
}

fn page(command: &Command) -> std::io::Result<String> {
    let version = concat!("hieratic ", env!("CARGO_PKG_VERSION"));
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let man = clap_mangen::Man::new(command.clone()).title(name).source(version).manual("Hieratic");
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok(with_examples(&String::from_utf8_lossy(&page)))
}

/// The heading that the generator puts above the text after the help.
const EXTRA: &str = ".SH EXTRA\n";

/// The page with its examples, line by line as written, and its notes under the headings where people look for them.
fn with_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once(EXTRA) else { return page.to_owned() };
    let end = extra.find("\n.SH ").map_or(extra.len(), |at| at + 1);
    let (extra, after) = extra.split_at(end);
    let mut examples = String::new();
    let mut notes = String::new();
    for line in extra.lines().filter(|line| *line != "Examples:") {
        match line.strip_prefix("  ") {
            Some(example) => examples.extend([example, "\n"]),
            None if line.is_empty() && notes.is_empty() => examples.push('\n'),
            None => notes.extend([if line.is_empty() { ".PP" } else { line }, "\n"]),
        }
    }
    let examples = format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", examples.trim_end());
    let notes = if notes.is_empty() { notes } else { format!(".SH NOTES\n{notes}") };
    format!("{before}{examples}{notes}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_and_verb_is_documented() {
        let mut all = Arguments::command();
        all.build();
        let mut commands = vec![all];
        let mut count = 0;
        while let Some(command) = commands.pop() {
            assert!(command.get_about().is_some() && command.get_after_help().is_some(), "{}", command.get_name());
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                assert!(argument.get_help().is_some(), "{}: {}", command.get_name(), argument.get_id());
                count += 1;
            }
            commands.extend(command.get_subcommands().cloned());
        }
        assert!(count > 150, "{count}");
    }

    #[test]
    fn examples_and_notes_have_headings() {
        let page =
            ".SH NAME\nx\n.SH EXTRA\nExamples:\n  one\n    more\n\n  two\n\nA note.\n\nAnother.\n.SH VERSION\nv1\n";
        assert_eq!(
            with_examples(page),
            ".SH NAME\nx\n.SH EXAMPLES\n.nf\none\n  more\n\ntwo\n.fi\n.SH NOTES\nA note.\n.PP\nAnother.\n.SH VERSION\nv1\n"
        );
        assert_eq!(with_examples(".SH NAME\nx\n"), ".SH NAME\nx\n");
    }
}
