//! `hieratic init`: proposes settings, a workflow and a hook for a control repository, and writes them after
//! confirmation.

mod proposal;

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hieratic::Error;
use hieratic_diagnostics::render::visible_line;
use hieratic_output::RenderAs;

use crate::args::MessageArguments;
use crate::files::{self, Change, Claim};
use crate::output::{self, counted};
use crate::report::Reporter;
use crate::survey::Survey;
use crate::terminal::painted;
use crate::usage::usage;

use proposal::{Proposal, proposals};

/// The flags of `init`.
#[derive(Args, Debug)]
pub(crate) struct InitArguments {
    /// Write the files without asking
    #[arg(long, short)]
    yes: bool,
    /// Leave out the workflow and the hook
    #[arg(long)]
    settings_only: bool,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &InitArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match propose(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(2)
        }
    }
}

fn propose(arguments: &InitArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let survey = Survey::new(true, reporter)?;
    let found = proposals(&survey, arguments.settings_only, reporter)?;
    let (new, existing): (Vec<Proposal>, Vec<Proposal>) =
        found.into_iter().partition(|proposal| !survey.root.join(&proposal.file).exists());
    for Proposal { file, .. } in &existing {
        reporter.log_line(&format!("{} exists, and stays as it is", file.display()), "", false);
    }
    if new.is_empty() {
        reporter.log_line("Nothing to write", "", false);
        return Ok(ExitCode::SUCCESS);
    }
    let text: String = new.iter().map(|proposal| diff(proposal, reporter.colors_answers())).collect();
    reporter.print_redacted(text.as_bytes(), RenderAs::S);
    if !arguments.yes && !is_agreed(new.len()) {
        reporter.log_line("Nothing was written: pass --yes to write the files without a question", "", false);
        return Ok(ExitCode::SUCCESS);
    }
    let mut claims = Vec::new();
    for proposal in &new {
        let file = survey.root.join(&proposal.file);
        let folder = file.parent().unwrap_or(&survey.root);
        // A link in the repository must not decide where something is written.
        if !is_inside(folder, &survey.root) {
            let message = format!("{} is outside of the repository", folder.display());
            return Err(usage(message).help("remove the link, then run it again"));
        }
        std::fs::create_dir_all(folder).map_err(|error| {
            usage(format!("{} cannot be created: {error}", folder.display()))
                .help("create the folder, then run it again")
        })?;
        claims.push(Claim::acquire(&file, reporter)?);
    }
    let changes: Vec<Change<'_>> =
        claims.iter().zip(&new).map(|(claim, proposal)| Change::new(claim, proposal.text.as_bytes())).collect();
    files::replace(&changes)?;
    reporter.log_line(&format!("Wrote {}", counted(new.len(), "file")), "", false);
    Ok(ExitCode::SUCCESS)
}

/// Returns whether a folder is in the repository, or will be if it is created: whatever links there are.
fn is_inside(folder: &Path, root: &Path) -> bool {
    let existing = folder.ancestors().find(|folder| folder.symlink_metadata().is_ok());
    match (existing.map(Path::canonicalize), root.canonicalize()) {
        (Some(Ok(folder)), Ok(root)) => folder.starts_with(root),
        // A link to nothing leads out.
        (Some(Err(_)) | None, _) | (_, Err(_)) => false,
    }
}

/// A new file as a diff.
fn diff(Proposal { file, text, why: reason }: &Proposal, color: bool) -> String {
    let painted = |style: &str, text: &str| painted(color, style, text);
    let head = format!("--- /dev/null\n+++ {}", visible_line(&file.display().to_string()));
    let mut out = format!("{}\n{}\n", painted("2", &format!("# {}", visible_line(reason))), painted("1", &head));
    for line in text.lines() {
        out.push_str(&format!("{}\n", painted("32", visible_line(&format!("+{line}")).trim_end())));
    }
    out.push('\n');
    out
}

/// Asks whether to write; without a terminal, nobody answers.
fn is_agreed(files: usize) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    // A question that cannot be asked is answered with no.
    if write!(std::io::stderr(), "Write {}? [y/N] ", counted(files, "file")).is_err() {
        return false;
    }
    let mut answer = String::new();
    let is_read = std::io::stdin().lock().read_line(&mut answer).is_ok();
    is_read && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

/// A path from the root of the repository, as settings name it.
fn from_root(survey: &Survey, path: &Path) -> Option<String> {
    let full = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    let below = full.strip_prefix(&survey.root).map(Path::to_owned);
    let below = below.unwrap_or_else(|_| PathBuf::from(output::relative_file(path)));
    below.to_str().map(str::to_owned)
}
