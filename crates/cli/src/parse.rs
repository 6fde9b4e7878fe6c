//! `hieratic parse`: the syntax tree, as `puppet parser dump` prints it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hieratic::Error;
use hieratic_diagnostics::render::{escape_commands, visible_line};
use hieratic_diagnostics::{Severity, Source};
use hieratic_lint::rules;
use hieratic_puppet_syntax::pn::Pn;
use hieratic_puppet_syntax::{Options, parse};

use crate::args::{LimitArguments, MessageArguments};
use crate::codes;
use crate::report::Reporter;
use crate::{files, output};
use hieratic::sandbox::SlashPath as _;

/// The flags of `parse`.
#[derive(Args, Debug)]
pub(crate) struct ParseArguments {
    /// The files to parse
    #[arg(value_name = "FILE", conflicts_with = "code")]
    pub(crate) files: Vec<PathBuf>,
    /// Code to use instead of a file
    #[arg(long, short = 'e', value_name = "CODE", allow_hyphen_values = true)]
    pub(crate) code: Option<String>,
    /// The output format: pn or json
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT", default_value = "pn")]
    pub(crate) render_as: String,
    /// Print the tree on several lines, indented
    #[arg(long)]
    pub(crate) pretty: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &ParseArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let json = match arguments.render_as.as_str() {
        "pn" => false,
        "json" => true,
        other => {
            let message = format!("Unknown format '{other}'");
            reporter.plain_error(codes::USAGE, &message, &["the formats are pn and json".into()]);
            return ExitCode::from(2);
        }
    };
    let mut failed = false;
    let mut sources = Vec::new();
    if let Some(code) = &arguments.code {
        sources.push(Source::new("", code.as_str()));
    }
    for path in &arguments.files {
        match read(path) {
            Ok(source) => sources.push(source),
            Err(error) => {
                reporter.error("", &error);
                failed = true;
            }
        }
    }
    if arguments.code.is_none() && arguments.files.is_empty() {
        match std::io::read_to_string(std::io::stdin()) {
            Ok(text) => sources.push(Source::new("", text)),
            Err(error) => {
                reporter.plain_error(rules::UNREADABLE.code, &format!("standard input cannot be read: {error}"), &[]);
                return ExitCode::FAILURE;
            }
        }
    }
    let several = sources.len() > 1;
    for source in &sources {
        let epp = source.name().ends_with(".epp");
        let parsed = parse(source, &Options { epp, tasks: false });
        for problem in &parsed.problems {
            reporter.diagnostic(&problem.diagnostic(source));
            failed |= problem.severity == Severity::Error;
        }
        let Some(program) = parsed.program else { continue };
        if several {
            output::print(format!("--- {}\n", escape_commands(&visible_line(source.name()))).as_bytes());
        }
        let tree = Pn::from_expr(&program.body);
        let text = match (json, arguments.pretty) {
            (false, false) => tree.text(),
            (false, true) => tree.pretty(),
            (true, false) => tree.json(),
            (true, true) => tree.json_pretty(),
        };
        output::print(text.as_bytes());
        output::print(b"\n");
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A file as source.
fn read(path: &Path) -> Result<Source, Error> {
    let name = path.to_slashes();
    let bytes = files::read(path).map_err(|error| files::unreadable(path, &error))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => Err(crate::code::invalid_text(&name, error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}
