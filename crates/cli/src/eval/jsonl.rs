//! `--jsonl`: requests on standard input, reports on standard output, one per line.

use std::cell::OnceCell;
use std::process::ExitCode;

use hieratic::code::{Report, ReportedError};
use hieratic::puppet_eval::Options;
use hieratic::sandbox::Variables;
use hieratic::{Code, Environment, Facts, Hash, Redactor, Value, json};
use hieratic_lint::rules;
use hieratic_output::RenderAs;

use super::request::object;
use super::{hcl, report, unfurl};
use crate::args::PlaceArguments;
use crate::report::Reporter;
use crate::request_lines::{MAX_REQUEST, RequestLine, read_line};
use crate::streams::ANSWERS;
use crate::target::Target;

/// Answers every request in order, each in a new scope. `language` is the default language of requests.
pub(super) fn serve(
    language: &str,
    environment: Option<&Environment>,
    place: &PlaceArguments,
    options: &Options,
    reporter: &Reporter,
) -> ExitCode {
    let mut input = std::io::stdin().lock();
    let known = OnceCell::new();
    let known = || known.get_or_init(|| Target::new(place).facts(reporter).map_err(|error| error.to_string())).clone();
    let variables = unfurl::variables(place);
    let context = RequestContext {
        language,
        environment,
        place,
        known: &known,
        variables: &variables,
        options,
        redactor: reporter.redactor(),
    };
    loop {
        let line = match read_line(&mut input) {
            Ok(Some(line)) => line,
            Ok(None) => return ExitCode::SUCCESS,
            Err(error) => {
                reporter.plain_error(rules::UNREADABLE.code, &format!("standard input cannot be read: {error}"), &[]);
                return ExitCode::FAILURE;
            }
        };
        let answer = match line {
            RequestLine::Request(line) if line.iter().all(u8::is_ascii_whitespace) => continue,
            RequestLine::Request(line) => answer(&line, &context),
            RequestLine::TooLong => Err(format!("the request is longer than {MAX_REQUEST} bytes")),
        };
        let answer = answer.unwrap_or_else(|message| {
            let message = reporter.redactor().message(&message).into_owned();
            let error = Some(ReportedError { message, line: None, column: None });
            report::json(&Report { error, ..Report::default() })
        });
        reporter.print_redacted(format!("{answer}\n").as_bytes(), RenderAs::Json);
        // The reader of the answers has gone.
        if ANSWERS.is_gone() {
            return ExitCode::SUCCESS;
        }
    }
}

/// The shared context of all requests.
struct RequestContext<'a> {
    language: &'a str,
    environment: Option<&'a Environment>,
    place: &'a PlaceArguments,
    /// The facts of the selected node, for requests without facts.
    known: &'a dyn Fn() -> Result<Facts, String>,
    /// The environment variables for expressions of Unfurl, in addition to those of the request.
    variables: &'a Variables,
    options: &'a Options,
    redactor: &'a Redactor,
}

fn answer(line: &[u8], context: &RequestContext<'_>) -> Result<String, String> {
    let RequestContext { language, environment, place, options, redactor, .. } = *context;
    let request = json::parse(line.trim_ascii()).map_err(|error| format!("the request is not valid JSON: {error}"))?;
    let request = request.as_hash().ok_or("the request is not a JSON object")?;
    let given = |name: &str| object(request, name);
    let language = request.get("language").and_then(Value::as_str).unwrap_or(language);
    if let Some(other) = Some(language).filter(|language| !["puppet", "unfurl", "hcl"].contains(language)) {
        return Err(format!("unknown language '{other}'; the languages are puppet, unfurl and hcl"));
    }
    let mut facts = match (given("facts")?, place.facts.is_empty() && place.node.is_none()) {
        (Some(facts), _) => {
            let name = place.node.clone().or_else(|| name_of(facts));
            Facts::new(name.as_deref(), facts.clone())
        }
        (None, _) => (context.known)()?,
    };
    let limits = *options.budget.limits();
    if language == "hcl" {
        return hcl::respond(line, environment, &facts, place, redactor, limits);
    }
    if language == "unfurl" {
        return unfurl::respond(request, environment, &facts, context.variables, redactor, limits);
    }
    let code = request.get("code").and_then(Value::as_str).ok_or("the request has no 'code'")?;
    if let Some(variables) = given("vars")? {
        for (name, value) in variables {
            facts.set_variable(&name.to_text(), value.clone());
        }
    }
    let mut options = options.renewed();
    if let Some(node) = facts.node() {
        options.node = node.to_owned();
    }
    let evaluation = Code::new(environment, facts, options).evaluate("", code);
    Ok(report::json(&report::from_evaluation(&evaluation, redactor)))
}

/// The node's name, from its facts.
fn name_of(facts: &Hash) -> Option<String> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    text(facts.get("clientcert")).or_else(|| text(facts.get("fqdn"))).or_else(|| {
        text(facts.get("networking").and_then(Value::as_hash).and_then(|networking| networking.get("fqdn")))
    })
}
