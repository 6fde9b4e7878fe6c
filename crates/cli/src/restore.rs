//! `hieratic restore`: converts an edited expanded document back to a document with merge directives.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hieratic::budget::Budget;
use hieratic::directives::{Failure, Record, RestoreOptions, expand, restore};
use hieratic::expressions::Vault;
use hieratic::yaml_edit::tree;
use hieratic::{Permissions, Value, json};

use crate::args::{DocumentArguments, LimitArguments, MessageArguments};
use crate::codes;
use crate::files::{self, Change, Claim, WriteError};
use crate::report::Reporter;
use crate::streams::ANSWERS;
use crate::vault::VaultArguments;
use crate::{documents, output, redacted, terminal};
use hieratic::sandbox::SlashPath as _;

/// The flags of `restore`.
#[derive(Args, Debug)]
pub(crate) struct RestoreArguments {
    /// The original document, with directives
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: PathBuf,
    /// The edited expanded document, as YAML or JSON; `-` for standard input
    #[arg(value_name = "CHANGED")]
    pub(crate) changed: PathBuf,
    /// Replace ORIGINAL atomically instead of printing the result
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Show the differences; with --in-place, before writing
    #[arg(long)]
    pub(crate) diff: bool,
    /// Write edits of included values to the included files (with --in-place or --diff)
    #[arg(long)]
    pub(crate) into_includes: bool,

    #[command(flatten)]
    pub(crate) vault: VaultArguments,
    #[command(flatten)]
    pub(crate) document: DocumentArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &RestoreArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    if arguments.into_includes && !arguments.in_place && !arguments.diff {
        let help = "add --in-place, or --diff to see what would change";
        reporter.plain_error(
            codes::USAGE,
            "--into-includes changes several files, so the result cannot be printed",
            &[help.into()],
        );
        return ExitCode::from(2);
    }
    if arguments.in_place && arguments.original.as_os_str() == "-" {
        reporter.plain_error(codes::USAGE, "standard input cannot be written in place", &[]);
        return ExitCode::from(2);
    }
    let vault = match arguments.vault.open(&reporter) {
        Ok(vault) => vault,
        Err(error) => {
            reporter.failure(&error);
            return ExitCode::from(2);
        }
    };
    let report_refusal = |refusal: &WriteError| {
        reporter.plain_error(codes::UNWRITABLE, &refusal.message, std::slice::from_ref(&refusal.help));
        ExitCode::FAILURE
    };
    let outcome =
        read_changed(&arguments.changed, &documents::permissions(&arguments.original, arguments.document.access))
            .and_then(|changed| {
                if arguments.in_place {
                    replace_files(arguments, &changed, &vault, &reporter)
                } else {
                    restore_files(arguments, &changed, &vault).map(|found| {
                        show(arguments, &found);
                        Ok(())
                    })
                }
            });
    match outcome {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(refusal)) => report_refusal(&refusal),
        Err(failure) => {
            documents::report(&reporter, &arguments.original, &failure);
            ExitCode::FAILURE
        }
    }
}

/// The files with their content before and after: included files first, the document last.
#[derive(Debug, PartialEq, Eq)]
struct RestoredFiles {
    files: Vec<(PathBuf, String, String)>,
}

fn restore_files(arguments: &RestoreArguments, changed: &Value, vault: &Vault) -> Result<RestoredFiles, Failure> {
    let limits = arguments.limits.limits();
    let of_documents = (!vault.is_empty()).then(|| vault.of_documents(Budget::new(limits)));
    let mut input = documents::read(&arguments.original, arguments.document.access, None, of_documents)?;
    let expand_options = documents::options(Record::Nothing, &arguments.document.var, &input.permissions, limits);
    let changed = if vault.is_empty() {
        changed.clone()
    } else {
        let before = expand(&input.document, &mut input.files, &expand_options)?.to_value();
        redacted::with_secrets(changed, &before, vault)?
    };
    let options = RestoreOptions { expand: expand_options, into_includes: arguments.into_includes };
    let restored = restore(&input.document, &changed, &mut input.files, &options)?;
    redacted::check_text(&arguments.original, input.document.text(), &restored.text, vault)?;
    let mut files = Vec::new();
    for (path, after) in restored.files {
        let before = documents::text(&path, &input.permissions.files_named(&path))?;
        redacted::check_text(&path, &before, &after, vault)?;
        files.push((path, before, after));
    }
    files.push((arguments.original.clone(), input.document.text().to_owned(), restored.text));
    Ok(RestoredFiles { files })
}

/// The maximum number of attempts if other processes keep changing the files.
const MAX_ATTEMPTS: usize = 5;

/// Replaces all files that change, atomically. The set of files is known only after they are read, so they are read
/// again under their locks.
fn replace_files(
    arguments: &RestoreArguments,
    changed: &Value,
    vault: &Vault,
    reporter: &Reporter,
) -> Result<Result<(), WriteError>, Failure> {
    let mut found = restore_files(arguments, changed, vault)?;
    for _ in 0..MAX_ATTEMPTS {
        let of = |(path, before, after): &(PathBuf, String, String)| {
            (before != after).then(|| Claim::acquire(path, reporter))
        };
        let claims: Vec<Option<Claim>> = match found.files.iter().map(|file| of(file).transpose()).collect() {
            Ok(claims) => claims,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let again = restore_files(arguments, changed, vault)?;
        let is_claimed = |(claim, (_, before, _)): (&Option<Claim>, &(PathBuf, String, String))| {
            claim.as_ref().is_none_or(|claim| claim.before() == Some(before.as_bytes()))
        };
        if again != found || !claims.iter().zip(&again.files).all(is_claimed) {
            found = again;
            continue;
        }
        if arguments.diff {
            show(arguments, &again);
            // The reader has not seen the diff of the change.
            if ANSWERS.is_lost() {
                return Ok(Ok(()));
            }
        }
        let changes: Vec<Change<'_>> = claims
            .iter()
            .zip(&again.files)
            .filter_map(|(claim, (_, _, after))| Some(Change::new(claim.as_ref()?, after.as_bytes())))
            .collect();
        return Ok(files::replace(&changes));
    }
    let message = format!("other processes keep changing {} or its includes", arguments.original.display());
    Ok(Err(WriteError { message, help: "wait until they finish".to_owned(), is_conflict: true }))
}

/// Prints the document, or what changes.
fn show(arguments: &RestoreArguments, found: &RestoredFiles) {
    if arguments.diff {
        let diff: String = found.files.iter().map(|(path, before, after)| difference(path, before, after)).collect();
        output::print(colored(&diff, arguments).as_bytes());
    } else if let Some((_, _, after)) = found.files.last() {
        output::print(after.as_bytes());
    }
}

/// The changed document as plain data.
fn read_changed(path: &Path, permissions: &Permissions) -> Result<Value, Failure> {
    let text = documents::text(path, &permissions.files_named(path))?;
    let name = path.to_slashes();
    // JSON has escapes that YAML does not know.
    if text.trim_start().starts_with(['{', '['])
        && let Ok(value) = json::parse(text.trim().as_bytes())
    {
        return Ok(value);
    }
    tree::parse(&text, 0, &name)
        .map(|node| node.to_value())
        .map_err(|error| Failure::from(hieratic::directives::invalid_yaml(&error, &name, &text)))
}

/// Returns the changes of a file in the format of `diff -u`; empty if there are none.
fn difference(path: &Path, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let name = output::relative_file(path);
    hieratic_report::LineDiff::new(before, after).unified(&name, &name)
}

fn colored(diff: &str, arguments: &RestoreArguments) -> String {
    if !terminal::colors(arguments.messages.color, &std::io::stdout()) {
        return diff.to_owned();
    }
    let line = |line: &str| match line.as_bytes().first() {
        Some(b'+') => format!("\x1b[32m{line}\x1b[0m\n"),
        Some(b'-') => format!("\x1b[31m{line}\x1b[0m\n"),
        Some(b'@') => format!("\x1b[36m{line}\x1b[0m\n"),
        _ => format!("{line}\n"),
    };
    diff.lines().map(line).collect()
}
