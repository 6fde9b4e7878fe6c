//! Invalid combinations of flags, with help.

use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use hieratic_diagnostics::{Diagnostic, Severity, render};

use super::Arguments;
use crate::args::Color;
use crate::report::send;
use crate::streams::MESSAGES;
use crate::{codes, output, terminal};

/// Reports invalid flags, for `lookup` in the reference's format; or prints the help or the version.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let is_answer = !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if is_answer {
        answer(error);
        return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    let (diagnostic, status) = misuse(error);
    let color = terminal::colors(Color::Auto, &std::io::stderr());
    let style = terminal::message_style(color, &std::io::stderr());
    let text = render::human(&diagnostic, &style);
    send(&render::escape_commands(&text));
    ExitCode::from(status)
}

/// Prints help or the version, on the stream that it is for.
fn answer(error: &clap::Error) {
    let text = error.render();
    let written = |color: bool| if color { text.ansi().to_string() } else { text.to_string() };
    if error.use_stderr() {
        MESSAGES.write(written(terminal::colors(Color::Auto, &std::io::stderr())).as_bytes())
    } else {
        output::print(written(terminal::colors(Color::Auto, &std::io::stdout())).as_bytes())
    }
}

/// Returns the diagnostic for invalid flags, with a suggestion and the command that lists flags; and the exit status.
fn misuse(error: &clap::Error) -> (Diagnostic, u8) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let flag = text(ContextKind::InvalidArg).unwrap_or_default();
    let flag = flag.split(' ').next().unwrap_or(flag);
    let missing = text(ContextKind::InvalidValue).is_some_and(str::is_empty);
    let as_the_reference = match error.kind() {
        ErrorKind::UnknownArgument => Some(format!("invalid option: {flag}")),
        ErrorKind::InvalidValue if missing => Some(format!("missing argument: {flag}")),
        ErrorKind::TooManyValues | ErrorKind::WrongNumberOfValues => Some(format!("needless argument: {flag}")),
        _ => None,
    };
    let is_lookup = std::env::args().nth(1).is_some_and(|verb| verb == "lookup");
    let (message, status) = match as_the_reference {
        Some(message) if is_lookup => (format!("Could not parse application options: {message}"), 1),
        _ => (first_paragraph(error), 2),
    };
    let mut diagnostic = Diagnostic::new(Severity::Error, codes::USAGE, message);
    let suggestion = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let near = suggestion.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(near) => Some(near.as_str()),
        ContextValue::Strings(near) => near.last().map(String::as_str),
        _ => None,
    });
    if let Some(near) = near {
        diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
    }
    if let Some(range) = two_revisions(error.kind(), flag) {
        diagnostic = diagnostic.help(format!("to compare two revisions, write {range}"));
    }
    let listed = match error.kind() {
        ErrorKind::InvalidSubcommand if verb().ends_with("secret") => "lists the actions",
        ErrorKind::InvalidSubcommand => "lists the verbs",
        _ => "lists the flags",
    };
    (diagnostic.help(format!("'{} --help' {listed}", verb())), status)
}

/// Returns the range that two words mean, as `git diff` takes them.
fn two_revisions(kind: ErrorKind, word: &str) -> Option<String> {
    if kind != ErrorKind::UnknownArgument || word.starts_with('-') || !verb().ends_with(" diff") {
        return None;
    }
    let words: Vec<String> = std::env::args().collect();
    let at = words.iter().rposition(|one| one == word)?;
    let before = words.get(at.checked_sub(1)?).filter(|before| !before.starts_with('-') && *before != "diff")?;
    Some(format!("{before}..{word}"))
}

/// Returns the message of the flag parser, without its suggestions.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or(text).trim_end().to_owned()
}

/// The verb, with its action, as far as there is one of this name.
fn verb() -> String {
    let mut command = Arguments::command();
    command.build();
    let mut name = command.get_name().to_owned();
    for word in std::env::args().skip(1) {
        let Some(verb) = command.find_subcommand(&word).cloned() else { break };
        name = format!("{name} {}", verb.get_name());
        command = verb;
    }
    name
}
