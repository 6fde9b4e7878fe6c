//! `hieratic explain CODE`: the page about a rule of `check`.

use std::process::ExitCode;

use hieratic_audit::{rule, rules};

use crate::args::ExplainArguments;
use crate::output;
use crate::report::Reporter;

/// Runs the verb.
pub(crate) fn run(arguments: &ExplainArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let Some(code) = &arguments.code else {
        let widest = rules::ALL.iter().map(|rule| rule.id().len()).max().unwrap_or(0);
        let rows = rules::ALL.iter().map(|rule| format!("{:<widest$}  {}\n", rule.id(), rule.code.title()));
        output::print(rows.collect::<String>().as_bytes());
        return ExitCode::SUCCESS;
    };
    match rule(code) {
        Ok(rule) => {
            output::print(rule.page.as_bytes());
            ExitCode::SUCCESS
        }
        Err(unknown) => {
            let help = match unknown.nearest {
                Some(near) => format!("did you mean '{near}'?"),
                None => "run 'hieratic explain' for a list of the codes".to_owned(),
            };
            reporter.plain_error("usage", &format!("no page about '{code}'"), &[help]);
            ExitCode::from(2)
        }
    }
}
