//! `hieratic enc`: the classes and parameters of a node for a Puppet server with `node_terminus = exec`, and the data
//! of `trusted_external_command`.

use std::process::ExitCode;

use clap::Args;
use hieratic::budget::Budget;
use hieratic::{Error, ErrorKind, Hash, Node, Query, Settings, Strategy, Value};
use hieratic_output::RenderAs;

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::codes;
use crate::lookup::missing::with_similar_keys;
use crate::lookup::secrets;
use crate::output;
use crate::report::Reporter;
use crate::target::Target;
use crate::usage::usage;
use crate::variables::plain;

/// The flags of `enc`.
#[derive(Args, Debug)]
pub(crate) struct EncArguments {
    /// The name of the node, as the server passes it
    #[arg(value_name = "NODE")]
    certname: String,
    /// The key with the classes: a list, which is merged, or a hash with parameters
    #[arg(long, value_name = "KEY", default_value = "classes", conflicts_with = "trusted_external")]
    classes: String,
    /// The key with the top-scope parameters, a hash (default: none)
    #[arg(long, value_name = "KEY", conflicts_with = "trusted_external")]
    parameters: Option<String>,
    /// Print the environment of this name, which the node is to use
    #[arg(long, value_name = "NAME", conflicts_with = "trusted_external")]
    agent_environment: Option<String>,
    /// Print the hash of this key as JSON instead, for `trusted_external_command`
    #[arg(long, value_name = "KEY")]
    trusted_external: Option<String>,
    /// Give decrypted and Sensitive values, which the server keeps in its reports and databases (default: an error)
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

/// Runs the verb.
pub(crate) fn run(arguments: &EncArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    match answer(arguments, &reporter) {
        Ok(text) => {
            output::print(&text);
            ExitCode::SUCCESS
        }
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// The node of a classification.
struct Classified<'a> {
    arguments: &'a EncArguments,
    node: Node,
}

impl Classified<'_> {
    /// The value of a key, which is the same for every caller: the strategy is that of the data.
    fn value(&self, key: &str, merge: Option<Strategy>) -> Result<Value, Error> {
        let budget = Budget::new(self.arguments.limits.limits());
        let query = Query { names: vec![key], merge, budget, ..Query::default() };
        secrets::value_for_program(&self.node, &query, self.arguments.reveal)
            .map(|value| plain(&value))
            .map_err(|error| with_similar_keys(error, &self.node, key))
    }

    /// The value of a key that has to be a hash.
    fn hash(&self, key: &str) -> Result<Hash, Error> {
        match self.value(key, None)? {
            Value::Hash(hash) => Ok(hash),
            other => Err(wrong(key, "a hash", &other)),
        }
    }

    /// The classes: names, or a hash of names with parameters.
    fn classes(&self) -> Result<Value, Error> {
        let key = self.arguments.classes.as_str();
        let found = self.value(key, None)?;
        match &found {
            // A list has the classes of all levels, as `hiera_include` and its successor give them.
            Value::Array(_) => {
                let all = self.value(key, Some(Strategy::parse(&"unique".into())?))?;
                let names = all.as_array().unwrap_or_default();
                match names.iter().find(|name| name.as_str().is_none()) {
                    Some(other) => Err(wrong(key, "a list of names", other)),
                    None => Ok(all),
                }
            }
            Value::Hash(classes) => {
                let is_class = |parameters: &Value| parameters.is_undef() || parameters.as_hash().is_some();
                match classes.iter().find(|(name, parameters)| name.as_str().is_none() || !is_class(parameters)) {
                    Some((_, other)) => Err(wrong(key, "a hash of names with hashes of parameters", other)),
                    None => Ok(found),
                }
            }
            other => Err(wrong(key, "a list of names, or a hash", other)),
        }
    }
}

fn wrong(key: &str, expected: &str, found: &Value) -> Error {
    let kind = match found {
        Value::Undef => "undef",
        Value::Boolean(_) => "a boolean",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Hash(_) => "a hash",
        Value::Rich(_) => "a value of another type",
    };
    Error::new(ErrorKind::Fatal, codes::ENC, format!("the value of '{key}' has to be {expected}, but it is {kind}"))
        .help(format!("hieratic lookup {key} --origins prints where it is from"))
}

fn answer(arguments: &EncArguments, reporter: &Reporter) -> Result<Vec<u8>, Error> {
    if arguments.place.node.is_some() {
        return Err(usage("--node cannot be used with enc").help("name the node: hieratic enc NODE"));
    }
    let mut place = arguments.place.clone();
    place.node = Some(arguments.certname.clone());
    let target = Target::new(&place);
    let facts = target.facts(reporter)?;
    let settings = Settings { once: true, limits: arguments.limits.limits(), ..target.settings_with(true) };
    let environment = target.open(&settings, reporter)?;
    let classified = Classified { arguments, node: environment.node(&facts)? };
    let (value, format) = match &arguments.trusted_external {
        Some(key) => (Value::Hash(classified.hash(key)?), RenderAs::Json),
        None => {
            let mut pairs = vec![("classes", classified.classes()?)];
            if let Some(key) = &arguments.parameters {
                pairs.push(("parameters", Value::Hash(classified.hash(key)?)));
            }
            if let Some(name) = &arguments.agent_environment {
                pairs.push(("environment", name.as_str().into()));
            }
            let pairs = pairs.into_iter().map(|(name, value)| (Value::from(name), value));
            (Value::Hash(pairs.collect()), RenderAs::Yaml)
        }
    };
    output::rendered(&value, format).map_err(usage)
}
