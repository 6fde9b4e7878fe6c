//! `hieratic lookup`: `puppet lookup`, with reasons.

mod empty;
mod flags;
mod missing;
mod nodes;
mod resume;
mod watch;
mod why;

use std::cell::OnceCell;
use std::process::ExitCode;

use hieratic::FailedKey;
use hieratic::budget::Budget;
use hieratic::{
    Compiler, Environment, Error, ErrorKind, Explain, Facts, Hash, Node, Query, Settings, Strategy, Value, Warning,
};
use hieratic_diagnostics::render;
use hieratic_lint::rules;
use hieratic_output::RenderAs;

use crate::codes;
use crate::levels;
use crate::report::Reporter;
use crate::{node_selection, output};

pub(crate) use flags::LookupArguments;

/// The reference's prefix for errors that end its command.
const COULD_NOT_RUN: &str = "Could not run: ";
const RUN_HELP: &str = "Run 'puppet lookup --help' for more details";
const LISTED: &str = "'hieratic lookup --help' lists the flags";

/// Runs the verb.
pub(crate) fn run(arguments: &LookupArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    if arguments.many.are_given() {
        return nodes::run(arguments, &reporter);
    }
    let plan = match Plan::new(arguments) {
        Ok(plan) => plan,
        Err(error) => {
            reporter.error(COULD_NOT_RUN, &error);
            return ExitCode::FAILURE;
        }
    };
    if arguments.watch {
        return watch::run(&plan, arguments, &reporter);
    }
    let opened = match open(arguments, &reporter) {
        Ok(opened) => opened,
        Err(error) => {
            let prefix = if error.code() == hieratic::codes::ENVIRONMENT_MISSING { "" } else { COULD_NOT_RUN };
            reporter.error(prefix, &error);
            return ExitCode::FAILURE;
        }
    };
    let status = answer(&plan, &opened, arguments, &reporter);
    // The process ends here, so the data need not be freed.
    std::mem::forget(opened);
    status
}

/// Prints the answer, and reports everything else about it.
fn answer(plan: &Plan, opened: &OpenNode, arguments: &LookupArguments, reporter: &Reporter) -> ExitCode {
    let OpenNode { environment, node, .. } = opened;
    reporter.redact_secrets_of(environment);
    let status = plan.execute(opened, arguments, reporter);
    for warning in opened.warnings(plan, arguments, reporter) {
        reporter.warning(&warning);
    }
    for lost in node.take_lost_knockouts() {
        reporter.lost_knockout(&lost);
    }
    status
}

/// The validated flags.
struct Plan {
    merge: Option<Strategy>,
    value_type: Option<hieratic::Type>,
    explain: Option<Explain>,
    /// The output format, if a flag sets one.
    format: Option<RenderAs>,
    /// The output of `--why`, if it is set.
    why: Option<why::Show>,
}

fn usage_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::USAGE, message)
}

impl Plan {
    fn new(arguments: &LookupArguments) -> Result<Plan, Error> {
        let deep = arguments.merge.as_deref() == Some("deep");
        let options_of_deep =
            arguments.sort_merged_arrays || arguments.merge_hash_arrays || arguments.knock_out_prefix.is_some();
        if options_of_deep && !deep {
            return Err(usage_error(format!(
                "The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are only available with \
                 '--merge deep'\n{RUN_HELP}"
            ))
            .help(LISTED));
        }
        let merge = match arguments.merge.as_deref() {
            None => None,
            Some(name @ ("first" | "hash" | "unique")) => Some(strategy(vec![("strategy", name.into())])?),
            Some("deep") => {
                let mut options = vec![
                    ("strategy", Value::from("deep")),
                    ("sort_merged_arrays", arguments.sort_merged_arrays.into()),
                    ("merge_hash_arrays", arguments.merge_hash_arrays.into()),
                ];
                options.extend(arguments.knock_out_prefix.as_deref().map(|prefix| ("knockout_prefix", prefix.into())));
                Some(strategy(options)?)
            }
            Some(_) => {
                return Err(usage_error(format!(
                    "The --merge option only accepts 'first', 'hash', 'unique', or 'deep'\n{RUN_HELP}"
                ))
                .help(LISTED));
            }
        };
        let explains = arguments.explain || arguments.explain_options;
        let only_options = arguments.explain_options && !arguments.explain;
        if arguments.keys.is_empty() && !arguments.all && !only_options {
            return Err(usage_error("No keys were given to lookup.").help("name a key, or pass --all"));
        }
        let (format, why) = match arguments.why {
            true => {
                let show = why::Show::parse(arguments.render_as.as_deref());
                let show =
                    show.map_err(|message| usage_error(message).help("the formats of --why are html, json and yaml"));
                (None, Some(show?))
            }
            false => {
                let format = output::format(arguments.render_as.as_deref());
                let help = match arguments.render_as.as_deref() {
                    Some("html") => "html requires --why",
                    _ => "the formats are yaml, json and s",
                };
                (format.map_err(|message| usage_error(message).help(help))?, None)
            }
        };
        let value_type = match &arguments.value_type {
            None => None,
            Some(text) => Some(hieratic::parse_type(text).map_err(|error| usage_error(error.to_string()))?),
        };
        let explain = explains.then_some(Explain { only_options, reveal: arguments.reveal });
        Ok(Plan { merge, value_type, explain, format, why })
    }

    fn query<'q>(&self, names: Vec<&'q str>, arguments: &LookupArguments) -> Query<'q> {
        Query {
            names,
            merge: self.merge.clone(),
            value_type: self.value_type.clone(),
            default: arguments.default.as_deref().map(Value::from),
            strict_knockout: arguments.strict_knockout,
            budget: Budget::new(arguments.limits.limits()),
            ..Query::default()
        }
    }

    fn execute(&self, opened: &OpenNode, arguments: &LookupArguments, reporter: &Reporter) -> ExitCode {
        let mut names: Vec<&str> = arguments.keys.iter().map(String::as_str).collect();
        if let Some(explain) = self.explain {
            if names.is_empty() {
                // The reference looks up a key that no data has.
                names.push("__global__");
            }
            return self.explain(opened, &self.query(names, arguments), explain, reporter);
        }
        if let Some(show) = self.why {
            return self.why(opened, &names, show, arguments, reporter);
        }
        if arguments.all || arguments.each {
            reporter.missing_hierarchy(&opened.environment);
        }
        if arguments.all {
            return self.everything(opened, arguments, reporter);
        }
        if arguments.each {
            return self.each(opened, &names, arguments, reporter);
        }
        let query = self.query(names, arguments);
        if arguments.origins {
            let printed = opened.node.lookup_traced(&query).and_then(|answer| {
                let key = answer.key.unwrap_or_else(|| arguments.keys.join(" "));
                output::origins(&[(key, answer.value)], self.format, &reporter.layout(), reporter.mask())
                    .map_err(usage_error)
            });
            return match printed {
                Ok((text, format)) => {
                    reporter.print_redacted(&text, format);
                    ExitCode::SUCCESS
                }
                Err(error) => self.failed(opened, arguments, &error, &query, reporter),
            };
        }
        match opened.node.lookup(&query).and_then(|value| self.value(&value)) {
            // A plain answer is printed in the reference's format.
            Ok(text) => {
                output::print(&text);
                ExitCode::SUCCESS
            }
            Err(error) => self.failed(opened, arguments, &error, &query, reporter),
        }
    }

    fn value(&self, value: &Value) -> Result<Vec<u8>, Error> {
        output::rendered(value, self.format.unwrap_or(RenderAs::Yaml)).map_err(usage_error)
    }

    fn failed(
        &self,
        opened: &OpenNode,
        arguments: &LookupArguments,
        error: &Error,
        query: &Query<'_>,
        reporter: &Reporter,
    ) -> ExitCode {
        if error.code() == Node::NOT_FOUND {
            opened.missing.report(&opened.environment, &opened.node, error, query, reporter);
        } else {
            let error = &opened.located(error, query, arguments, reporter);
            // The reference does not report errors of data here, but users need them.
            let prefix = if error.kind() == ErrorKind::Lookup { "" } else { COULD_NOT_RUN };
            reporter.error(prefix, error);
        }
        ExitCode::FAILURE
    }

    fn explain(&self, opened: &OpenNode, query: &Query<'_>, explain: Explain, reporter: &Reporter) -> ExitCode {
        let (answer, mut explanation) = opened.node.explain(query, explain);
        if let Err(error) = answer {
            if error.kind() != ErrorKind::Lookup {
                reporter.error(COULD_NOT_RUN, &error);
                return ExitCode::FAILURE;
            }
            explanation.conclude(error.to_string());
        }
        explanation.redact(reporter.mask());
        let text = match self.format {
            None | Some(RenderAs::S) => {
                let text = Value::from(render::sanitize(&explanation.to_string()));
                output::rendered(&text, RenderAs::S).map(|text| (text, RenderAs::S))
            }
            Some(format) => output::rendered_report(explanation.to_tree(), format),
        };
        match text {
            Ok((text, format)) => {
                reporter.print_redacted(&text, format);
                empty::report(&opened.environment, &opened.node, explanation.first_empty(), reporter);
                ExitCode::SUCCESS
            }
            Err(message) => {
                reporter.error(COULD_NOT_RUN, &usage_error(message));
                ExitCode::FAILURE
            }
        }
    }

    /// Explains the answer of the first key that has one, or of each key.
    fn why(
        &self,
        opened: &OpenNode,
        names: &[&str],
        show: why::Show,
        arguments: &LookupArguments,
        reporter: &Reporter,
    ) -> ExitCode {
        let queries: Vec<Query<'_>> = names.iter().map(|name| self.query(vec![name], arguments)).collect();
        let answers = |query: &Query<'_>| opened.node.lookup(&Query { default: None, ..query.clone() }).is_ok();
        let asked = match queries.as_slice() {
            several @ [_, _, ..] if !arguments.each => {
                let first = several.iter().position(answers).unwrap_or(0);
                &several[first..=first]
            }
            one_or_all => one_or_all,
        };
        let links = arguments
            .link
            .as_deref()
            .map(|template| why::Links::new(template, &opened.environment.layers().environment.root));
        match why::print(&opened.node, asked, show, &why::WhyOptions { full: arguments.full, links }, reporter) {
            Ok(failed) => {
                for (index, error) in failed.iter().filter(|(_, error)| !why::is_missing(error)) {
                    self.failed(opened, arguments, error, &asked[*index], reporter);
                }
                if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
            Err(message) => {
                reporter.error(COULD_NOT_RUN, &usage_error(message));
                ExitCode::FAILURE
            }
        }
    }

    /// Every key of the node's hierarchy.
    fn everything(&self, opened: &OpenNode, arguments: &LookupArguments, reporter: &Reporter) -> ExitCode {
        let OpenNode { environment, node, .. } = opened;
        let query = Query { default: None, ..self.query(Vec::new(), arguments) };
        if arguments.origins {
            let keys = match environment.keys(node) {
                Ok(keys) => keys,
                Err(error) => return self.failed(opened, arguments, &error, &query, reporter),
            };
            let wanted = keys.iter().map(|key| &**key).filter(|key| hieratic::is_wanted(key, &arguments.keys));
            return self.each(opened, &wanted.collect::<Vec<_>>(), arguments, reporter);
        }
        let everything = match environment
            .everything(node, &query, !arguments.reveal, &|key| hieratic::is_wanted(key, &arguments.keys))
        {
            Ok(everything) => everything,
            Err(error) => return self.failed(opened, arguments, &error, &query, reporter),
        };
        for FailedKey { key, error } in &everything.errors {
            let key = hieratic::quoted_key(key);
            let query = Query { names: vec![&key], ..query.clone() };
            reporter.error("", &opened.located(error, &query, arguments, reporter));
        }
        match self.value(&redact_values(everything.values.iter(), reporter)) {
            Ok(text) => output::print(&text),
            Err(error) => return self.failed(opened, arguments, &error, &query, reporter),
        }
        if everything.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Several keys, each answered.
    fn each(&self, opened: &OpenNode, names: &[&str], arguments: &LookupArguments, reporter: &Reporter) -> ExitCode {
        let node = &opened.node;
        let mut status = ExitCode::SUCCESS;
        let mut values: Vec<(&str, Value)> = Vec::new();
        let mut objects = Vec::new();
        for name in names {
            let query = self.query(vec![name], arguments);
            let outcome = if arguments.origins {
                node.lookup_traced(&query).map(|answer| objects.push((name.to_string(), answer.value)))
            } else if arguments.reveal {
                node.lookup(&query).map(|value| values.push((name, value)))
            } else {
                node.lookup_redacted(&query).map(|value| values.push((name, value)))
            };
            if let Err(error) = outcome {
                status = self.failed(opened, arguments, &error, &query, reporter);
            }
        }
        let printed = if arguments.origins {
            let text = output::origins(&objects, self.format, &reporter.layout(), reporter.mask()).map_err(usage_error);
            text.map(|(text, format)| reporter.print_redacted(&text, format))
        } else {
            let values: Hash = values.into_iter().collect();
            let text = self.value(&redact_values(values.iter(), reporter));
            text.map(|text| output::print(&text))
        };
        match printed {
            Ok(()) => {}
            Err(error) => return self.failed(opened, arguments, &error, &self.query(Vec::new(), arguments), reporter),
        }
        status
    }
}

/// Returns the values by key. Secrets are redacted unless `--reveal` is set. Keys are names.
fn redact_values<'v>(values: impl Iterator<Item = (&'v Value, &'v Value)>, reporter: &Reporter) -> Value {
    values.map(|(key, value)| (key.clone(), reporter.mask().marked(value))).collect::<Hash>().into()
}

fn strategy(options: Vec<(&str, Value)>) -> Result<Strategy, Error> {
    Strategy::parse(&options.into_iter().collect::<Hash>().into())
}

/// The environment and the node of a lookup.
struct OpenNode {
    environment: Environment,
    node: Node,
    facts: Facts,
    /// The node with positions of its values, opened for the first error.
    exact: OnceCell<Option<Node>>,
    /// Reports missing keys.
    missing: missing::MissingKeyReporter,
}

impl OpenNode {
    /// Returns an error with its position. Answers need no positions, so a failed lookup is repeated to find them.
    fn located(&self, error: &Error, query: &Query<'_>, arguments: &LookupArguments, reporter: &Reporter) -> Error {
        if !error.wants_line() {
            return error.clone();
        }
        let query = Query { budget: Budget::new(arguments.limits.limits()), ..query.clone() };
        match self.exact(arguments, reporter).map(|node| node.lookup_traced(&query)) {
            Some(Err(exact)) if exact.to_string() == error.to_string() => exact,
            _ => error.clone(),
        }
    }

    /// The warnings, with the lines that they are about. Those that do not come again keep the file.
    fn warnings(&self, plan: &Plan, arguments: &LookupArguments, reporter: &Reporter) -> Vec<Warning> {
        let warnings = self.node.take_warnings();
        if arguments.all || !warnings.iter().any(Warning::wants_line) {
            return warnings;
        }
        let Some(exact) = self.exact(arguments, reporter) else { return warnings };
        for key in &arguments.keys {
            // The first lookup has already reported the errors.
            let _ = exact.lookup_traced(&plan.query(vec![key], arguments));
        }
        let exact = exact.take_warnings();
        let with_line = |warning: Warning| exact.iter().find(|exact| **exact == warning).cloned().unwrap_or(warning);
        warnings.into_iter().map(with_line).collect()
    }

    /// The node whose values know where they stand. Without it, messages name no line.
    fn exact(&self, arguments: &LookupArguments, reporter: &Reporter) -> Option<&Node> {
        let exact = self.exact.get_or_init(|| {
            // It was open already, so that this only fails if a file changed meanwhile: the error stays without its line then.
            let environment = Environment::open(&settings(arguments, true)).ok()?;
            reporter.redact_secrets_of(&environment);
            environment.node(&self.facts).ok()
        });
        exact.as_ref()
    }
}

fn open(arguments: &LookupArguments, reporter: &Reporter) -> Result<OpenNode, Error> {
    let facts = node_selection::facts_for_lookup(&arguments.place, reporter)?;
    let environment = Environment::open(&settings(arguments, arguments.origins || arguments.why || arguments.explain))?;
    node_selection::print_inputs(&arguments.place, &environment, reporter);
    levels::check_left_out(&arguments.place, &environment)?;
    let facts = if arguments.compile { with_manifests(facts, &environment, reporter)? } else { facts };
    let node = environment.node(&facts)?;
    Ok(OpenNode { environment, node, facts, exact: OnceCell::new(), missing: missing::MissingKeyReporter::default() })
}

/// The facts with the variables that manifests set while the catalog of the node is compiled.
fn with_manifests(mut facts: Facts, environment: &Environment, reporter: &Reporter) -> Result<Facts, Error> {
    let node = facts.node().unwrap_or("localhost").to_owned();
    let compilation = Compiler::new(environment, environment.language()).compile(facts.clone(), &Default::default());
    crate::code::show_logs(&compilation.logs, reporter);
    if let Err(failure) = compilation.catalog {
        let message = format!("{failure}{} on node {node}", failure.place_text());
        return Err(Error::new(ErrorKind::Fatal, rules::CATALOG.code, message)
            .help("a lookup without --compile does not need the manifests"));
    }
    let reserved = |name: &str| matches!(name, "facts" | "trusted" | "server_facts" | "environment" | "title" | "name");
    for (name, value) in compilation.variables {
        if !facts.facts().contains(&name) && !reserved(&name) {
            facts.set_variable_value(&name, value);
        }
    }
    Ok(facts)
}

fn settings(arguments: &LookupArguments, positions: bool) -> Settings {
    Settings {
        once: !arguments.watch,
        limits: arguments.limits.limits(),
        ..node_selection::settings(&arguments.place, positions)
    }
}
