//! `hieratic explain CODE`: the page about a code of a finding or an error.

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Args;

use crate::args::MessageArguments;
use crate::codes;
use crate::report::Reporter;
use crate::{markdown, output, terminal};

/// The flags of `explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// The code: in brackets after a finding, or `code` with `--message-format json` (default: list all codes)
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &ExplainArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let all = codes::all();
    let Some(code) = &arguments.code else {
        let widest = all.iter().map(|code| code.id().len()).max().unwrap_or(0);
        let rows = all.iter().map(|code| {
            let title = terminal::fitted_behind(widest + 2, code.title(), &std::io::stdout());
            format!("{:<widest$}  {title}\n", code.id())
        });
        output::print(rows.collect::<String>().as_bytes());
        return ExitCode::SUCCESS;
    };
    let Some(page) = codes::page(code) else {
        let help = match hieratic_diagnostics::nearest(code, all.iter().map(|code| code.id())) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "run 'hieratic explain' for a list of the codes".to_owned(),
        };
        reporter.plain_error(codes::USAGE, &format!("no page about '{code}'"), &[help]);
        return ExitCode::from(2);
    };
    // Programs and files get the page as written.
    let page = if std::io::stdout().is_terminal() {
        markdown::rendered(page, terminal::width().unwrap_or(usize::MAX), reporter.colors_answers())
    } else {
        page.to_owned()
    };
    output::print(page.as_bytes());
    ExitCode::SUCCESS
}
