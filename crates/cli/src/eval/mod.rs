//! `hieratic eval`: the Puppet language, Unfurl's expressions and HCL from the command line.

mod dead_end;
mod flags;
mod hcl;
mod imports;
mod jsonl;
mod many;
mod report;
mod request;
mod unfurl;

pub(crate) use unfurl::context as tree_context;

use std::io::Read;
use std::process::ExitCode;

use hieratic::code::{DeclaringEvaluation, Evaluation, program_form};
use hieratic::puppet_eval::Failure;
use hieratic::sandbox::Mounted;
use hieratic::{Code, Error, Redactor, Value};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_output::RenderAs;
use hieratic_puppet_syntax::Problem;

use crate::code::{diagnostic, invalid_text, options, show_logs};
use crate::report::Reporter;
use crate::target::{self, Target};
use crate::usage::usage;
use crate::{files, output};
use hieratic::sandbox::SlashPath as _;

pub(crate) use flags::EvalArguments;

/// A report in one line of JSON.
pub(crate) fn report_line(report: &hieratic::code::Report) -> String {
    report::json(report)
}

/// Runs the verb.
pub(crate) fn run(arguments: &EvalArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    match evaluate(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// The form of the printed value.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// As the language writes it.
    Puppet,
    /// Everything there is to know, as JSON.
    Report,
    /// As data.
    Data(RenderAs),
}

fn format(name: Option<&str>) -> Result<Format, Error> {
    match name {
        None | Some("puppet") => Ok(Format::Puppet),
        Some("report") => Ok(Format::Report),
        Some(other) => match other.parse::<RenderAs>() {
            Ok(format) => Ok(Format::Data(format)),
            Err(error) => Err(usage(error.to_string()).help("the formats are puppet, yaml, json, s and report")),
        },
    }
}

fn evaluate(arguments: &EvalArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let by_name = || arguments.file.as_deref().filter(|file| hcl::is_hcl(file)).map(|_| "hcl");
    if arguments.tree.file.is_some() && arguments.language.as_deref() != Some("unfurl") && !arguments.jsonl {
        return Err(usage("--tree requires Unfurl expressions").help("add --language unfurl"));
    }
    match arguments.language.as_deref().or_else(by_name) {
        None | Some("puppet") => {}
        // Requests are of it, unless they name another one.
        Some("unfurl" | "hcl") if arguments.jsonl => {}
        Some("unfurl") => return unfurl::evaluate(arguments, reporter),
        Some("hcl") => return hcl::evaluate(arguments, reporter),
        Some(language) => {
            return Err(
                usage(format!("unknown language '{language}'")).help("the languages are puppet, unfurl and hcl")
            );
        }
    }
    let format = if arguments.catalog { Format::Puppet } else { format(arguments.render_as.as_deref())? };
    let target = Target::new(&arguments.place);
    let environment = target.open_if_any(reporter)?;
    let options = options(&target, &arguments.code_may);
    if arguments.jsonl {
        return Ok(jsonl::serve(
            arguments.language.as_deref().unwrap_or("puppet"),
            environment.as_ref(),
            &arguments.place,
            &options,
            reporter,
        ));
    }
    let (name, text) = code(arguments)?;
    if arguments.many.are_given() {
        if arguments.catalog {
            return Err(usage("--catalog prints the catalog of one node")
                .help("`hieratic catalog --all --facts FACTS` compiles the catalogs of many nodes"));
        }
        return many::rows(arguments, environment.as_ref(), reporter).write(&|facts| {
            let code = Code::new(environment.as_ref(), facts.clone(), options.renewed());
            vec![(None, many::row(report::from_evaluation(&code.evaluate(&name, &text), reporter.redactor())))]
        });
    }
    let facts = target.facts(reporter)?;
    let code = Code::new(environment.as_ref(), facts, options);
    if arguments.catalog {
        let DeclaringEvaluation { evaluation, catalog } = code.evaluate_with_catalog(&name, &text);
        show_logs(&evaluation.logs, reporter);
        return match &evaluation.value {
            Ok(_) => {
                crate::catalog::print(&catalog, arguments.render_as.as_deref(), reporter).map(|()| ExitCode::SUCCESS)
            }
            Err(failure) => {
                show_failure(reporter, &evaluation, failure, &code.options().node);
                Ok(ExitCode::FAILURE)
            }
        };
    }
    let evaluation = code.evaluate(&name, &text);
    if let Format::Report = format {
        let text = report::json(&report::from_evaluation(&evaluation, reporter.redactor()));
        reporter.print_redacted(format!("{text}\n").as_bytes(), RenderAs::Json);
        return Ok(ExitCode::SUCCESS);
    }
    show_logs(&evaluation.logs, reporter);
    match &evaluation.value {
        Ok(value) => {
            output::print(&rendered(value, format, reporter.redactor())?);
            Ok(ExitCode::SUCCESS)
        }
        Err(failure) => {
            show_failure(reporter, &evaluation, failure, &code.options().node);
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The code with the name of its file.
fn code(arguments: &EvalArguments) -> Result<(String, String), Error> {
    if let Some(code) = &arguments.code {
        return Ok((String::new(), code.clone()));
    }
    let (name, bytes) = match &arguments.file {
        Some(path) if path.as_os_str() != "-" => {
            let files = target::permissions(&arguments.place).files_named(path);
            let bytes = Mounted::over(arguments.place.revision.as_ref(), files).read(path);
            let name = path.to_slashes();
            let bytes = bytes.map_err(|error| files::unreadable(path, &error))?;
            (name, bytes)
        }
        _ => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|error| usage(format!("standard input cannot be read: {error}")))?;
            (String::new(), bytes)
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(invalid_text(&name, error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

fn rendered(value: &Value, format: Format, redactor: &Redactor) -> Result<Vec<u8>, Error> {
    match format {
        Format::Puppet | Format::Report => Ok(format!("{}\n", program_form(&redactor.open_value(value))).into_bytes()),
        Format::Data(format) => output::rendered(&redactor.value(value), format).map_err(usage),
    }
}

/// Prints an error with its source line.
fn show_failure(reporter: &Reporter, evaluation: &Evaluation, failure: &Failure, node: &str) {
    let source = &evaluation.source;
    let mut message = diagnostic(failure, node);
    // The diagnostic of a syntax error has the whole source text, even if the reference reports no position.
    let is_it = |problem: &&Problem| problem.severity == Severity::Error && problem.message == failure.message;
    if let Some(problem) = evaluation.read.problems.iter().find(is_it) {
        let known = problem.diagnostic(source);
        message = Diagnostic { message: message.message, code: message.code, ..known };
    }
    reporter.diagnostic(&message);
}
