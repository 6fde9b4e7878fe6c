//! `hieratic external`: lookups for the data source `external` of Terraform and OpenTofu.
//!
//! The program reads an object of strings from standard input, and writes one to standard output. A failure is a message on standard
//! error, and a status that is not 0.

use std::io::{self, IsTerminal, Read};
use std::process::ExitCode;

use clap::Args;
use hieratic::budget::Budget;
use hieratic::{Error, Hash, Query, Settings, Strategy, Value, json};

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::lookup::missing::with_similar_keys;
use crate::lookup::secrets;
use crate::output;
use crate::report::Reporter;
use crate::target::Target;
use crate::usage::usage;
use crate::variables::{check_names, plain, text};

/// The flags of `external`.
#[derive(Args, Debug)]
pub(crate) struct ExternalArguments {
    /// Give decrypted and Sensitive values, which Terraform keeps in its state (default: an error)
    #[arg(long)]
    reveal: bool,
    #[command(flatten)]
    pub(crate) revision: crate::revision::RevisionArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The largest query, in bytes.
const MAX_QUERY: u64 = 16 << 20;

/// Runs the verb.
pub(crate) fn run(arguments: &ExternalArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    match answer(arguments, &reporter) {
        Ok(line) => {
            output::print(line.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// The query of Terraform, as keys and options.
#[derive(Debug, Default)]
struct ExternalQuery {
    keys: Vec<String>,
    /// Returns the value of one key under `value`, instead of a variable for each key.
    is_single: bool,
    node: Option<String>,
    environment: Option<String>,
    facts: Hash,
    /// Single facts: `NAME=VALUE`.
    fact: Vec<String>,
    merge: Option<Strategy>,
    default: Option<Value>,
}

const KNOWN: &str =
    "a query has `key` or `keys`, and can have `node`, `facts`, `fact.NAME`, `environment`, `merge` and `default`";

impl ExternalQuery {
    fn parse(text: &[u8]) -> Result<ExternalQuery, Error> {
        if text.trim_ascii().is_empty() {
            return Err(usage("the query is empty")
                .help("pass an object of strings as JSON on standard input")
                .help(KNOWN));
        }
        let parsed = json::parse(text).map_err(|error| usage(format!("the query is not JSON: {error}")).help(KNOWN))?;
        let Value::Hash(pairs) = &parsed else {
            return Err(usage("the query is not an object of strings").help(KNOWN));
        };
        let mut query = ExternalQuery::default();
        for (name, value) in pairs.iter() {
            let name = name.to_text();
            let Some(value) = value.as_str() else {
                return Err(usage(format!("'{name}' of the query is not a string"))
                    .help("Terraform passes strings; use jsonencode()"));
            };
            match name.as_str() {
                "key" => (query.keys, query.is_single) = (vec![value.to_owned()], true),
                "keys" => query.keys = names(value)?,
                "node" => query.node = Some(value.to_owned()),
                "environment" => query.environment = Some(value.to_owned()),
                "facts" => {
                    let facts = of_json("facts", value)?;
                    let facts =
                        facts.as_hash().ok_or_else(|| usage("'facts' of the query is not an object as JSON"))?;
                    query.facts = facts.clone();
                }
                "merge" => {
                    let strategy = if value.starts_with('{') { of_json("merge", value)? } else { value.into() };
                    let strategy = Strategy::parse(&strategy).map_err(|error| {
                        error.help("'merge' is first, unique, hash, deep, or a strategy with options as JSON")
                    })?;
                    query.merge = Some(strategy);
                }
                "default" => query.default = Some(value.into()),
                _ => match name.strip_prefix("fact.") {
                    Some(fact) if fact.contains('=') => {
                        return Err(usage(format!("the fact '{fact}' has an equals sign in its name"))
                            .help("pass it in 'facts', as JSON"));
                    }
                    Some(fact) => query.fact.push(format!("{fact}={value}")),
                    None => return Err(usage(format!("the query has an unknown name '{name}'")).help(KNOWN)),
                },
            }
        }
        match (pairs.get("key").is_some(), pairs.get("keys").is_some()) {
            (true, true) => Err(usage("the query has `key` and `keys`").help("name one key, or several")),
            (false, false) => Err(usage("the query names no key").help(KNOWN)),
            _ if query.keys.is_empty() => Err(usage("`keys` of the query is empty").help("name at least one key")),
            _ => Ok(query),
        }
    }
}

fn of_json(name: &str, text: &str) -> Result<Value, Error> {
    json::parse(text.as_bytes()).map_err(|error| {
        usage(format!("'{name}' of the query is not JSON: {error}")).help("use jsonencode() in Terraform")
    })
}

/// The keys of a list as JSON, or of words with spaces or commas between them.
fn names(text: &str) -> Result<Vec<String>, Error> {
    if !text.trim_start().starts_with('[') {
        let words = text.split([' ', ',', '\n', '\t']).filter(|word| !word.is_empty());
        return Ok(words.map(str::to_owned).collect());
    }
    let list = of_json("keys", text)?;
    let name = |name: &Value| name.as_str().map(str::to_owned);
    let names = list.as_array().into_iter().flat_map(|list| list.iter()).map(name).collect::<Option<_>>();
    names.ok_or_else(|| usage("'keys' of the query is not a list of strings"))
}

fn answer(arguments: &ExternalArguments, reporter: &Reporter) -> Result<String, Error> {
    let query = ExternalQuery::parse(&read()?)?;
    let mut place = arguments.place.clone();
    place.node = query.node.clone().or(place.node);
    if let Some(environment) = &query.environment {
        if place.environment_dir.is_some() {
            return Err(usage("the query names an environment, and --environment-dir another one")
                .help("leave one of them out, or pass --environmentpath"));
        }
        (place.environment, place.environment_by_settings) = (Some(environment.clone()), false);
    }
    place.fact.extend(query.fact.iter().cloned());
    let target = Target::new(&place);
    let mut facts = target.facts(reporter)?;
    facts.merge(&query.facts);
    target.set_flags(&mut facts)?;
    let limits = arguments.limits.limits();
    let settings = Settings { once: true, limits, ..target.settings_with(true) };
    let environment = target.open(&settings, reporter)?;
    let node = environment.node(&facts)?;
    let mut result = Vec::new();
    for key in &query.keys {
        let lookup = Query {
            names: vec![key],
            merge: query.merge.clone(),
            default: query.default.clone(),
            budget: Budget::new(limits),
            ..Query::default()
        };
        let value = secrets::value_for_program(&node, &lookup, arguments.reveal)
            .map_err(|error| with_similar_keys(error, &node, key))?;
        let formless = |message: String| usage(format!("the value of '{key}' {message}"));
        check_names(&value).map_err(formless)?;
        let shown = text(&value).map_err(formless)?;
        if query.is_single {
            let json = hieratic_output::json(&plain(&value)).map_err(|error| formless(error.to_string()))?;
            result.push((Value::from("value"), Value::from(shown)));
            result.push((Value::from("json"), Value::from(json)));
        } else {
            result.push((Value::from(key.as_str()), Value::from(shown)));
        }
    }
    let result = Value::Hash(result.into_iter().collect());
    let line = hieratic_output::json(&result).map_err(|error| usage(error.to_string()))?;
    Ok(line + "\n")
}

/// The query on standard input.
fn read() -> Result<Vec<u8>, Error> {
    let input = io::stdin();
    if input.is_terminal() {
        return Err(usage("the query is missing")
            .help("Terraform writes it to standard input: echo '{\"key\": \"site::domain\"}'"));
    }
    let mut text = Vec::new();
    let read = input.lock().take(MAX_QUERY + 1).read_to_end(&mut text);
    read.map_err(|error| usage(format!("standard input cannot be read: {error}")))?;
    if text.len() as u64 > MAX_QUERY {
        return Err(usage(format!("the query has more than {MAX_QUERY} bytes")));
    }
    Ok(text)
}
