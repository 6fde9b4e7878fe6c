//! `hieratic fmt`: formats HCL files as `nomad fmt` does, and policies as `vault policy fmt` does.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hieratic::budget::Budget;
use hieratic::hcl_eval::syntax::{Source, format, parse_config};
use hieratic::hcl1::{self, Dialect};
use hieratic::nomad_schema::Kind;
use hieratic::sandbox::{DirEntry, FileKind, Files};
use hieratic::{Error, ErrorKind};

use crate::args::{MessageArguments, boolean};
use crate::codes;
use crate::files::{self, Change, Claim, WriteError};
use crate::output;
use crate::report::Reporter;
use hieratic::sandbox::SlashPath as _;

/// The flags of `fmt`.
#[derive(Args, Debug)]
pub(crate) struct FmtArguments {
    /// HCL files, or folders with .hcl and .nomad files; `-` formats standard input to standard output (default: the working
    /// folder)
    #[arg(value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Change nothing; exit with status 1 if anything would change
    #[arg(long)]
    check: bool,
    /// Also format files in subfolders
    #[arg(long)]
    recursive: bool,
    /// Print the names of changed files
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "true",
        default_missing_value = "true", value_parser = boolean)]
    list: bool,
    /// Write the files; with neither --list nor --write, the result is printed
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "true",
        default_missing_value = "true", value_parser = boolean)]
    write: bool,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The reference's flags with one hyphen.
pub(crate) const SINGLE_HYPHEN: &[&str] = &["-check", "-recursive", "-list", "-write"];

/// Runs the verb.
pub(crate) fn run(arguments: &FmtArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let here = [PathBuf::from(".")];
    let named = if arguments.paths.is_empty() { &here } else { arguments.paths.as_slice() };
    let mut passed = true;
    for path in paths(named, arguments.recursive) {
        match file(&path, arguments, &reporter) {
            Ok(is_fine) => passed &= is_fine,
            Err(error) => {
                reporter.error("", &error);
                passed = false;
            }
        }
    }
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The files that were named, and those of folders by their names.
fn paths(named: &[PathBuf], recursive: bool) -> Vec<PathBuf> {
    let depth = if recursive { files::MAX_DEPTH } else { 0 };
    let is_hcl = |name: &str| name.ends_with(".hcl") || name.ends_with(".nomad");
    let is_selected = |entry: &DirEntry, _: &Path| entry.kind == FileKind::Folder || is_hcl(&entry.name);
    let of = |path: &PathBuf| {
        if path.as_os_str() != "-" && path.is_dir() {
            files::below(path, &Files::below([path]), depth, &is_selected)
        } else {
            vec![path.clone()]
        }
    };
    named.iter().flat_map(of).collect()
}

/// Formats a file. Returns whether it has no errors.
fn file(path: &Path, arguments: &FmtArguments, reporter: &Reporter) -> Result<bool, Error> {
    let is_input = path.as_os_str() == "-";
    let text = if is_input {
        let mut text = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut text);
        read.map_err(|error| {
            Error::new(ErrorKind::Fatal, codes::FMT, format!("standard input cannot be read: {error}"))
        })?;
        text
    } else {
        files::read(path).map_err(|error| files::unreadable(path, &error))?
    };
    let name = if is_input { "stdin".to_owned() } else { path.to_slashes() };
    let Some(formatted) = formatted(&name, &text, reporter)? else { return Ok(false) };
    let changes = formatted != text;
    if is_input || !arguments.list && (!arguments.write || arguments.check) {
        output::print(&formatted);
        return Ok(!(arguments.check && changes));
    }
    if changes && arguments.list {
        reporter.print_text(format!("{name}\n").as_bytes());
    }
    if changes && arguments.write && !arguments.check {
        let claim = Claim::acquire(path, reporter).map_err(to_error)?;
        files::replace(&[Change::new(&claim, &formatted)]).map_err(to_error)?;
    }
    Ok(!(arguments.check && changes))
}

/// The text in its layout: that of `vault policy fmt` for a policy of Vault, that of `nomad fmt` for other HCL, and that
/// of HCL1's `hclfmt` for what only HCL1 reads. Nothing if it is not valid: another layout could change its meaning.
fn formatted(name: &str, text: &[u8], reporter: &Reporter) -> Result<Option<Vec<u8>>, Error> {
    let budget = Budget::default();
    let parsed = parse_config(Source::new(name, text.to_vec()));
    // A file that is not valid in HCL1 either gets the message of HCL.
    let hcl1 = hcl1::parse(text, Dialect::Nomad, &budget).ok();
    let kind = hcl1.as_ref().and_then(|file| Kind::recognize(name, file));
    let layout = |file: &hcl1::File| {
        let layout = hcl1::format(file, &budget).map(String::into_bytes);
        layout.map_err(|exhausted| Error::new(ErrorKind::Fatal, codes::FMT, format!("{name}: {exhausted}")))
    };
    match hcl1 {
        Some(file) if kind == Some(Kind::VaultPolicy) => layout(&file).map(Some),
        _ if !parsed.problems.has_errors() => Ok(Some(format(text))),
        Some(file) if kind.is_some() => layout(&file).map(Some),
        _ => {
            reporter.failure(&parsed.problems);
            Ok(None)
        }
    }
}

fn to_error(refusal: WriteError) -> Error {
    Error::new(ErrorKind::Fatal, codes::FMT, refusal.message).help(refusal.help)
}
