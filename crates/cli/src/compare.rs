//! `hieratic compare`: two nodes side by side, or one node in two environments: the keys whose values differ, with
//! their differences.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use hieratic::budget::Budget;
use hieratic::lookup::Object;
use hieratic::value::ErasedSort as _;
use hieratic::{Error, Hash, Node, Query, Redactor, Value};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_impact::{Arrays, Diff, Part, PartValue, differences};
use hieratic_output::RenderAs;

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::codes;
use crate::key_patterns::{KeyPatterns, Subject};
use crate::output;
use crate::parts::write_parts;
use crate::report::Reporter;
use crate::target::Target;
use crate::terminal::painted;
use crate::usage::usage;

/// The flags of `compare`.
#[derive(Args, Debug)]
pub(crate) struct CompareArguments {
    /// The node on the left
    #[arg(value_name = "NODE")]
    left: String,
    /// The node on the right (with --to-environment, default: the same node)
    #[arg(value_name = "NODE")]
    right: Option<String>,
    /// Compare only keys that match a pattern: 'profile::web::*' (repeatable)
    #[arg(long, value_name = "PATTERN", action = clap::ArgAction::Append)]
    key: Vec<String>,
    /// The environment of the node on the right
    #[arg(long, value_name = "NAME")]
    to_environment: Option<String>,
    /// Exit with status 1 if something differs
    #[arg(long)]
    exit_code: bool,
    /// Show decrypted and Sensitive values (default: redacted)
    #[arg(long)]
    reveal: bool,
    /// The output format: s, yaml or json
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT")]
    render_as: Option<String>,
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
pub(crate) fn run(arguments: &CompareArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    match print_comparison(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

fn print_comparison(arguments: &CompareArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let format = output::format(arguments.render_as.as_deref())
        .map_err(|message| usage(message).help("the formats are s, yaml and json"))?;
    if arguments.right.is_none() && arguments.to_environment.is_none() {
        return Err(
            usage("the second node is missing").help("name another node, or another environment with --to-environment")
        );
    }
    if arguments.place.node.is_some() {
        return Err(usage("--node cannot be used with compare").help("name both nodes: hieratic compare NODE NODE"));
    }
    let patterns = KeyPatterns::new(&arguments.key);
    let left = Side::open(arguments, &patterns, &arguments.left, arguments.place.environment.clone(), reporter)?;
    let right = arguments.right.as_deref().unwrap_or(&arguments.left);
    let environment = arguments.to_environment.clone().or_else(|| arguments.place.environment.clone());
    let right = Side::open(arguments, &patterns, right, environment, reporter)?;
    // Without the list of keys there are no suggestions.
    patterns.check(Subject::BOTH_SIDES, || left.node.keys().unwrap_or_default())?;
    let comparison = Comparison::new(&left, &right, reporter.redactor());
    match format {
        None | Some(RenderAs::S) => {
            let text = comparison.text(&left, &right, reporter.colors_answers());
            reporter.print_redacted(text.as_bytes(), RenderAs::S);
        }
        Some(format) => reporter.print_redacted_data(&comparison.data(&left, &right), format).map_err(usage)?,
    }
    let (differs, fails) = (!comparison.keys.is_empty(), !comparison.failed.is_empty());
    for (key, message) in &comparison.failed {
        let message = format!("{key} fails on both sides: {message}");
        reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::NOT_COMPARED, message));
    }
    // The process ends here, so the data need not be freed.
    std::mem::forget((left, right));
    Ok(if fails || arguments.exit_code && differs { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A node with the answers to all selected keys.
struct Side {
    name: String,
    environment: String,
    answers: BTreeMap<String, Answer>,
    node: Node,
}

/// A value, or an error message.
type Answer = Result<Object, String>;

impl Side {
    fn open(
        arguments: &CompareArguments,
        patterns: &KeyPatterns<'_>,
        name: &str,
        environment: Option<String>,
        reporter: &Reporter,
    ) -> Result<Side, Error> {
        let place = PlaceArguments { node: Some(name.to_owned()), environment, ..arguments.place.clone() };
        let target = Target::new(&place);
        let facts = target.facts(reporter)?;
        let settings = hieratic::Settings { limits: arguments.limits.limits(), ..target.settings_with(true) };
        let environment = target.open(&settings, reporter)?;
        let node = environment.node(&facts)?;
        let mut answers = BTreeMap::new();
        for key in environment.keys(&node)?.iter().filter(|key| patterns.selects(key)) {
            let query =
                Query { names: vec![key.as_str()], budget: Budget::new(arguments.limits.limits()), ..Query::default() };
            match node.lookup_traced(&query) {
                Ok(answer) => _ = answers.insert(key.clone(), Ok(answer.value)),
                // The configuration of another layer may hide the level of a source.
                Err(error) if error.code() == Node::NOT_FOUND => {}
                Err(error) => {
                    _ = answers.insert(key.clone(), Err(reporter.redactor().message(&error.to_string()).into_owned()))
                }
            }
        }
        for warning in node.take_warnings() {
            reporter.warning(&warning);
        }
        Ok(Side { name: name.to_owned(), environment: environment.name().to_owned(), answers, node })
    }

    /// The meaning of the arrays of a key that has an answer.
    fn arrays(&self, key: &str) -> Arrays {
        // Options that cannot be used are an error of the lookup.
        Arrays::of_answer(&self.node, &Query::new(key)).unwrap_or_default()
    }
}

/// The differences between two nodes.
struct Comparison {
    keys: Vec<(String, Vec<Part>)>,
    /// The keys whose lookups fail on both sides in the same way, with the message: nothing says whether the values would be equal.
    failed: Vec<(String, String)>,
    equal: usize,
}

impl Comparison {
    fn new(left: &Side, right: &Side, redactor: &Redactor) -> Comparison {
        let mut comparison = Comparison { keys: Vec::new(), failed: Vec::new(), equal: 0 };
        let mut keys: Vec<&String> = left.answers.keys().chain(right.answers.keys()).collect();
        keys.sort_erased();
        keys.dedup();
        for key in keys {
            let answers = Diff { base: left.answers.get(key), head: right.answers.get(key) };
            let arrays = || Arrays::of_both(Diff { base: left.arrays(key), head: right.arrays(key) });
            let parts = differences(answers, arrays, redactor);
            match answers.base {
                _ if !parts.is_empty() => comparison.keys.push((key.clone(), parts)),
                Some(Err(message)) => comparison.failed.push((key.clone(), message.clone())),
                _ => comparison.equal += 1,
            }
        }
        comparison
    }

    /// Below each key its parts that differ, the left before the right.
    fn text(&self, left: &Side, right: &Side, color: bool) -> String {
        let painted = |style: &str, text: &str| painted(color, style, text);
        let shown = |side: &Side, other: &Side| {
            if side.environment == other.environment {
                side.name.clone()
            } else {
                format!("{} in {}", side.name, side.environment)
            }
        };
        let head = [format!("--- {}", shown(left, right)), format!("+++ {}", shown(right, left))];
        let mut out: String = head.iter().map(|line| format!("{}\n", painted("1", line))).collect();
        for (key, parts) in &self.keys {
            out.push_str(&format!("{}\n", painted("36", &hieratic_diagnostics::render::visible_line(key))));
            write_parts(&mut out, "", parts, &output::origin_text, color);
        }
        let verb = if self.keys.len() == 1 { "differs" } else { "differ" };
        let equal = if self.equal == 1 { "1 is equal".to_owned() } else { format!("{} are equal", self.equal) };
        let failed = if self.failed.is_empty() {
            String::new()
        } else {
            let verb = if self.failed.len() == 1 { "fails" } else { "fail" };
            format!(", {} {verb} on both sides", self.failed.len())
        };
        out.push_str(&format!("{} {verb}, {equal}{failed}\n", output::counted(self.keys.len(), "key")));
        out
    }

    fn data(&self, left: &Side, right: &Side) -> Value {
        let hash = |pairs: Vec<(&str, Value)>| Value::from(pairs.into_iter().collect::<Hash>());
        let side = |side: &Side| {
            hash(vec![("node", side.name.as_str().into()), ("environment", side.environment.as_str().into())])
        };
        let found = |found: &Option<PartValue>| match found {
            None => Value::Undef,
            Some(found) => {
                let name = if found.is_error { "error" } else { "value" };
                let mut pairs = vec![(name, found.value.clone())];
                pairs.extend(found.origin.as_ref().map(|origin| ("origin", Value::from(output::origin_text(origin)))));
                hash(pairs)
            }
        };
        let part = |part: &Part| {
            let mut pairs = vec![("path", part.path.iter().cloned().collect())];
            pairs.extend(part.moved_from.as_ref().map(|from| ("moved_from", from.iter().cloned().collect())));
            pairs.extend([("left", found(&part.values.base)), ("right", found(&part.values.head))]);
            hash(pairs)
        };
        let key = |(key, parts): &(String, Vec<Part>)| {
            hash(vec![("key", key.as_str().into()), ("parts", parts.iter().map(part).collect())])
        };
        let failed = |(key, message): &(String, String)| {
            hash(vec![("key", key.as_str().into()), ("error", message.as_str().into())])
        };
        hash(vec![
            ("left", side(left)),
            ("right", side(right)),
            ("differ", self.keys.iter().map(key).collect()),
            ("failed", self.failed.iter().map(failed).collect()),
            ("equal", Value::from(self.equal)),
        ])
    }
}
