//! `hieratic schema`: a JSON Schema for the data files of a repository, for editors.

use std::process::ExitCode;

use clap::Args;
use hieratic::Error;
use hieratic_output::RenderAs;

use crate::args::{MessageArguments, PlaceArguments};
use crate::key_patterns::{KeyPatterns, Subject};
use crate::report::Reporter;
use crate::usage::usage;
use crate::{levels, revisions};

/// The flags of `schema`.
#[derive(Args, Debug)]
pub(crate) struct SchemaArguments {
    /// Only parameters whose keys match one of these patterns: 'profile::web::*'
    #[arg(value_name = "PATTERN")]
    keys: Vec<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &SchemaArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match print_schema(arguments, &reporter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn print_schema(arguments: &SchemaArguments, reporter: &Reporter) -> Result<(), Error> {
    let (settings, _) = revisions::environment(&arguments.place);
    if !arguments.place.without_level_by_settings {
        levels::check_left_out_of_all(&arguments.place.without_level, [settings.clone()])?;
    }
    let patterns = KeyPatterns::new(&arguments.keys);
    let schema = hieratic_lint::schema(&settings, &|key| patterns.selects(key))
        .map_err(|message| usage(message).help("run it in a control repository, or name one with --environment-dir"))?;
    patterns.check(Subject::PARAMETER, Vec::new)?;
    reporter.print_redacted(format!("{schema:#}\n").as_bytes(), RenderAs::Json);
    Ok(())
}
