//! `hieratic lookup`: `puppet lookup`, with reasons.

mod why;

use std::process::ExitCode;

use hieratic::powers::Budget;
use hieratic::{
    Environment, Error, ErrorKind, Explain, Hash, Node, Query, Settings, Strategy, Value, nearest_keys, unset_variables,
};
use hieratic_diagnostics::render;
use hieratic_render::RenderAs;

use crate::args::LookupArguments;
use crate::report::Reporter;
use crate::{output, place};

/// What the reference puts before errors that end its command.
const COULD_NOT_RUN: &str = "Could not run: ";
const RUN_HELP: &str = "Run 'puppet lookup --help' for more details";
const LISTED: &str = "'hieratic lookup --help' lists the flags";

/// Runs the verb.
pub(crate) fn run(arguments: &LookupArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    let plan = match Plan::new(arguments) {
        Ok(plan) => plan,
        Err(error) => {
            reporter.error(COULD_NOT_RUN, &error);
            return ExitCode::FAILURE;
        }
    };
    let opened = open(arguments);
    let (environment, node) = match &opened {
        Ok(opened) => opened,
        Err(error) => {
            let prefix = if error.code() == "environment-missing" { "" } else { COULD_NOT_RUN };
            reporter.error(prefix, error);
            return ExitCode::FAILURE;
        }
    };
    reporter.cover(environment);
    let status = plan.execute(environment, node, arguments, &reporter);
    for warning in node.take_warnings() {
        reporter.warning(&warning);
    }
    for lost in node.take_lost_knockouts() {
        reporter.lost_knockout(&lost);
    }
    reporter.refused(environment);
    // The process ends here: what was read need not be taken apart.
    std::mem::forget(opened);
    status
}

/// What is to be done, checked as the reference checks it.
struct Plan {
    merge: Option<Strategy>,
    value_type: Option<hieratic::Type>,
    explain: Option<Explain>,
    /// The output format, if one was asked for.
    format: Option<RenderAs>,
    /// How the reasons are shown, if they are asked for.
    why: Option<why::Show>,
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, "usage", message)
}

impl Plan {
    fn new(arguments: &LookupArguments) -> Result<Plan, Error> {
        let deep = arguments.merge.as_deref() == Some("deep");
        let options_of_deep =
            arguments.sort_merged_arrays || arguments.merge_hash_arrays || arguments.knock_out_prefix.is_some();
        if options_of_deep && !deep {
            return Err(refused(format!(
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
                return Err(refused(format!(
                    "The --merge option only accepts 'first', 'hash', 'unique', or 'deep'\n{RUN_HELP}"
                ))
                .help(LISTED));
            }
        };
        let explains = arguments.explain || arguments.explain_options;
        let only_options = arguments.explain_options && !arguments.explain;
        if arguments.keys.is_empty() && !arguments.all && !only_options {
            return Err(refused("No keys were given to lookup.").help("name a key, or look everything up with --all"));
        }
        let (format, why) = match arguments.why {
            true => {
                let show = why::Show::parse(arguments.render_as.as_deref());
                let show =
                    show.map_err(|message| refused(message).help("the formats of --why are html, json and yaml"));
                (None, Some(show?))
            }
            false => {
                let format = output::format(arguments.render_as.as_deref());
                (format.map_err(|message| refused(message).help("the formats are yaml, json and s"))?, None)
            }
        };
        if arguments.compile {
            return Err(refused("--compile is not available: no catalog can be compiled here").help(
                "give the variables that manifests set with --var NAME=VALUE; a lookup that needs facts only does not \
                 need the flag",
            ));
        }
        let value_type = match &arguments.value_type {
            None => None,
            Some(text) => Some(hieratic::parse_type(text).map_err(|error| refused(error.to_string()))?),
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

    fn execute(
        &self,
        environment: &Environment,
        node: &Node,
        arguments: &LookupArguments,
        reporter: &Reporter,
    ) -> ExitCode {
        let mut names: Vec<&str> = arguments.keys.iter().map(String::as_str).collect();
        if let Some(explain) = self.explain {
            if names.is_empty() {
                // The reference asks for a key that no data has.
                names.push("__global__");
            }
            return self.explain(node, &self.query(names, arguments), explain, reporter);
        }
        if let Some(show) = self.why {
            return self.why(environment, node, &names, show, arguments, reporter);
        }
        if arguments.all {
            return self.everything(environment, node, arguments, reporter);
        }
        if arguments.each {
            return self.each(environment, node, &names, arguments, reporter);
        }
        let query = self.query(names, arguments);
        if arguments.origins {
            let printed = node.lookup_traced(&query).and_then(|answer| {
                let key = answer.key.unwrap_or_else(|| arguments.keys.join(" "));
                output::origins(&[(key, answer.value)], self.format, reporter.mask()).map_err(refused)
            });
            return match printed {
                Ok((text, format)) => {
                    reporter.print_told(&text, format);
                    ExitCode::SUCCESS
                }
                Err(error) => self.failed(environment, node, &error, &query, reporter),
            };
        }
        match node.lookup(&query).and_then(|value| self.value(&value)) {
            // The plain answer is what was asked for, as the reference gives it.
            Ok(text) => {
                output::print(&text);
                ExitCode::SUCCESS
            }
            Err(error) => self.failed(environment, node, &error, &query, reporter),
        }
    }

    fn value(&self, value: &Value) -> Result<Vec<u8>, Error> {
        output::rendered(value, self.format.unwrap_or(RenderAs::Yaml)).map_err(refused)
    }

    fn failed(
        &self,
        environment: &Environment,
        node: &Node,
        error: &Error,
        query: &Query<'_>,
        reporter: &Reporter,
    ) -> ExitCode {
        if error.code() == Node::NOT_FOUND {
            not_found(environment, node, error, &query.names, reporter);
        } else {
            // The reference is silent about faults of data; a user wants to know.
            let prefix = if error.kind() == ErrorKind::Lookup { "" } else { COULD_NOT_RUN };
            reporter.error(prefix, error);
        }
        ExitCode::FAILURE
    }

    fn explain(&self, node: &Node, query: &Query<'_>, explain: Explain, reporter: &Reporter) -> ExitCode {
        let (answer, mut explanation) = node.explain(query, explain);
        if let Err(error) = answer {
            if error.kind() != ErrorKind::Lookup {
                reporter.error(COULD_NOT_RUN, &error);
                return ExitCode::FAILURE;
            }
            explanation.conclude(error.to_string());
        }
        explanation.cover(reporter.mask());
        let text = match self.format {
            None | Some(RenderAs::S) => {
                let text = Value::from(render::plain(&explanation.to_string()));
                output::rendered(&text, RenderAs::S).map(|text| (text, RenderAs::S))
            }
            Some(format) => output::rendered_report(explanation.to_tree(), format),
        };
        match text {
            Ok((text, format)) => {
                reporter.print_told(&text, format);
                ExitCode::SUCCESS
            }
            Err(message) => {
                reporter.error(COULD_NOT_RUN, &refused(message));
                ExitCode::FAILURE
            }
        }
    }

    /// How the answer came about: of the first key that has one, or of each.
    fn why(
        &self,
        environment: &Environment,
        node: &Node,
        names: &[&str],
        show: why::Show,
        arguments: &LookupArguments,
        reporter: &Reporter,
    ) -> ExitCode {
        let queries: Vec<Query<'_>> = names.iter().map(|name| self.query(vec![name], arguments)).collect();
        let answers = |query: &Query<'_>| node.lookup(&Query { default: None, ..query.clone() }).is_ok();
        let asked = match queries.as_slice() {
            several @ [_, _, ..] if !arguments.each => {
                let first = several.iter().position(answers).unwrap_or(0);
                &several[first..=first]
            }
            one_or_all => one_or_all,
        };
        match why::tell(node, asked, show, reporter) {
            Ok(failed) => {
                for (index, error) in failed.iter().filter(|(_, error)| !why::is_missing(error)) {
                    self.failed(environment, node, error, &asked[*index], reporter);
                }
                if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
            Err(message) => {
                reporter.error(COULD_NOT_RUN, &refused(message));
                ExitCode::FAILURE
            }
        }
    }

    /// Every key of the node's hierarchy.
    fn everything(
        &self,
        environment: &Environment,
        node: &Node,
        arguments: &LookupArguments,
        reporter: &Reporter,
    ) -> ExitCode {
        let query = Query { default: None, ..self.query(Vec::new(), arguments) };
        if arguments.origins {
            let keys = match environment.keys(node) {
                Ok(keys) => keys,
                Err(error) => return self.failed(environment, node, &error, &query, reporter),
            };
            let names: Vec<&str> = keys.iter().map(|key| &**key).collect();
            return self.each(environment, node, &names, arguments, reporter);
        }
        let everything = match environment.everything(node, &query, !arguments.reveal) {
            Ok(everything) => everything,
            Err(error) => return self.failed(environment, node, &error, &query, reporter),
        };
        for (_, error) in &everything.errors {
            reporter.error("", error);
        }
        match self.value(&shown(everything.values.iter(), reporter)) {
            Ok(text) => output::print(&text),
            Err(error) => return self.failed(environment, node, &error, &query, reporter),
        }
        if everything.errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Several keys, each answered.
    fn each(
        &self,
        environment: &Environment,
        node: &Node,
        names: &[&str],
        arguments: &LookupArguments,
        reporter: &Reporter,
    ) -> ExitCode {
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
                node.lookup_masked(&query).map(|value| values.push((name, value)))
            };
            if let Err(error) = outcome {
                status = self.failed(environment, node, &error, &query, reporter);
            }
        }
        let printed = if arguments.origins {
            let text = output::origins(&objects, self.format, reporter.mask()).map_err(refused);
            text.map(|(text, format)| reporter.print_told(&text, format))
        } else {
            let values: Hash = values.into_iter().collect();
            let text = self.value(&shown(values.iter(), reporter));
            text.map(|text| output::print(&text))
        };
        match printed {
            Ok(()) => {}
            Err(error) => return self.failed(environment, node, &error, &self.query(Vec::new(), arguments), reporter),
        }
        status
    }
}

/// Values by key, with what is secret covered, or with what Sensitive ones hide if that is to be shown. Keys are names.
fn shown<'v>(values: impl Iterator<Item = (&'v Value, &'v Value)>, reporter: &Reporter) -> Value {
    values.map(|(key, value)| (key.clone(), reporter.mask().value(value))).collect::<Hash>().into()
}

fn strategy(options: Vec<(&str, Value)>) -> Result<Strategy, Error> {
    Strategy::parse(&options.into_iter().collect::<Hash>().into())
}

/// How many sources are listed when a key is not found.
const MOST_PLACES: usize = 12;

/// Says that nothing was found, where was looked, and what may have been meant.
fn not_found(environment: &Environment, node: &Node, error: &Error, names: &[&str], reporter: &Reporter) {
    let mut help = Vec::new();
    let mut near = Vec::new();
    let mut places = Vec::new();
    for name in names {
        let nearest = nearest_keys(node, name);
        near.extend(nearest.keys);
        if places.is_empty() {
            places = nearest.places;
        }
    }
    near.dedup();
    help.extend(hieratic_diagnostics::did_you_mean(&near));
    let (there, missing): (Vec<_>, Vec<_>) = places.iter().partition(|(_, exists)| *exists);
    let list = |what: &str, places: &[&(String, bool)]| {
        let shown: Vec<String> = places.iter().take(MOST_PLACES).map(|(place, _)| format!("\n  {place}")).collect();
        let more = places.len().saturating_sub(MOST_PLACES);
        let rest = if more > 0 { format!("\n  and {more} more") } else { String::new() };
        format!("{what}:{}{rest}", shown.concat())
    };
    if !there.is_empty() {
        help.push(list("looked in", &there));
    }
    if !missing.is_empty() {
        help.push(list("not there", &missing));
    }
    if !missing.is_empty() {
        help.extend(unset_variables(environment, node).iter().map(|variable| to_be_set(variable)));
    }
    if places.is_empty() {
        help.push("no hierarchy names any source: is there a hiera.yaml in the environment?".into());
    }
    help.push("--explain tells every step".into());
    reporter.plain_error(Node::NOT_FOUND, &error.to_string(), &help);
}

/// How a variable that the hierarchy asks for is given.
fn to_be_set(variable: &str) -> String {
    let name = variable.trim_start_matches("::");
    let given = match name.split_once('.') {
        Some(("facts", fact)) => format!("--fact {fact}=VALUE or --facts FILE"),
        Some(("trusted", _)) => "--trusted-data FILE".to_owned(),
        _ => format!("--fact {name}=VALUE, --facts FILE or --var {name}=VALUE"),
    };
    format!("the hierarchy names %{{{variable}}}, which this node does not have: give it with {given}")
}

fn open(arguments: &LookupArguments) -> Result<(Environment, Node), Error> {
    let limits = arguments.limits.limits();
    let settings = Settings { limits, ..place::settings(&arguments.place, arguments.origins || arguments.why) };
    let facts = place::of_node(&arguments.place)?;
    let environment = Environment::open(&settings)?;
    let node = environment.node(&facts)?;
    Ok((environment, node))
}
