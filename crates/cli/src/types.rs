//! `hieratic types`: suggests types for class parameters without a type.

use std::process::ExitCode;

use clap::Args;
use hieratic::{Error, ErrorKind};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_refactor::TypePlan;

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::codes;
use crate::fleet::{Fleet, FleetArguments};
use crate::key_patterns::{KeyPatterns, Subject};
use crate::refactor::{plan_output, write};
use crate::report::Reporter;
use crate::{files, output, revisions};

/// The flags of `types`.
#[derive(Args, Debug)]
pub(crate) struct TypesArguments {
    /// Only parameters whose keys match one of these patterns: 'profile::web::*'
    #[arg(value_name = "PATTERN")]
    keys: Vec<String>,
    /// Write the manifests; all of them, or none
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    pub(crate) fleet: FleetArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The status of types that cannot be inferred.
const FAILED: u8 = 2;

/// Runs the verb.
pub(crate) fn run(arguments: &TypesArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match add_types(arguments, &reporter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(FAILED)
        }
    }
}

fn add_types(arguments: &TypesArguments, reporter: &Reporter) -> Result<(), Error> {
    files::recover(reporter);
    let (settings, _, environment) = revisions::opened(&arguments.place, &arguments.limits, reporter)?;
    let fleet =
        Fleet::load(&arguments.fleet, &arguments.place, std::slice::from_ref(&settings), &environment, reporter)?;
    let patterns = KeyPatterns::new(&arguments.keys);
    let TypePlan { plan, parameters: typed, unread } =
        hieratic_refactor::types(&settings, &fleet.nodes, settings.limits, &|key| patterns.selects(key))
            .map_err(|error| Error::new(ErrorKind::Fatal, codes::NO_TYPE, error.message).help(error.help))?;
    patterns.check(Subject::UNTYPED_PARAMETER, Vec::new)?;
    if !plan.is_empty() {
        reporter.print_text(plan_output::diff(&plan).as_bytes());
    }
    for one in &typed {
        if let Err(reason) = &one.kind {
            let message = format!("{} gets no type: {reason}", one.key);
            reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::NO_TYPE, message));
        }
    }
    for problem in &unread {
        let message = format!("{problem}: its classes get no types, and the values that it passes are unknown");
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NO_TYPE, message));
    }
    let found = typed.iter().filter(|one| one.kind.is_ok()).count();
    let nodes = output::counted(fleet.nodes.len(), "node");
    let whose = if fleet.are_derived { " made up from the paths of the hierarchy" } else { "" };
    reporter.log_line(
        &format!(
            "{found} of {} get a type, from the values of {nodes}{whose}",
            output::counted(typed.len(), "parameter")
        ),
        "",
        false,
    );
    if arguments.write && !plan.is_empty() {
        write(&plan, reporter)?;
    }
    Ok(())
}
