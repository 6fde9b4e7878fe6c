//! `hieratic lookup`: the equivalent of `puppet lookup`, with reasons.

mod empty;
mod flags;
mod form;
pub(crate) mod missing;
mod nodes;
mod resume;
pub(crate) mod secrets;
mod watch;
mod why;

use std::cell::OnceCell;
use std::path::Path;
use std::process::ExitCode;

use hieratic::budget::Budget;
use hieratic::explain::Explain;
use hieratic::lookup::FailedKey;
use hieratic::lookup::Warning;
use hieratic::{Compiler, Environment, Error, ErrorKind, Facts, Hash, Node, Query, Settings, Strategy, Value};
use hieratic_diagnostics::render;
use hieratic_git::Repository;
use hieratic_lint::rules;
use hieratic_output::RenderAs;
use hieratic_report::ForgeLinks;
use hieratic_report::pages::Imprint;

use crate::codes;
use crate::key_patterns::{KeyPatterns, Subject};
use crate::output;
use crate::report::Reporter;
use crate::target::Target;
use crate::variables::VariablesFormat;
use form::{KeySelection, Output};

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
        return watch::run(&plan, &reporter);
    }
    let opened = match plan.open(&reporter) {
        Ok(opened) => opened,
        Err(error) => {
            let prefix = if error.code() == hieratic::codes::ENVIRONMENT_MISSING { "" } else { COULD_NOT_RUN };
            reporter.error(prefix, &error);
            return ExitCode::FAILURE;
        }
    };
    let status = plan.answer(&opened, &reporter);
    // The process ends here, so the data need not be freed.
    std::mem::forget(opened);
    status
}

/// The validated flags of a lookup for one node.
struct Plan<'a> {
    arguments: &'a LookupArguments,
    merge: Option<Strategy>,
    value_type: Option<hieratic::puppet_types::Type>,
    output: Output,
}

fn usage_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::USAGE, message)
}

impl<'a> Plan<'a> {
    fn new(arguments: &'a LookupArguments) -> Result<Plan<'a>, Error> {
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
        let output = Output::parse(arguments)?;
        let value_type = match &arguments.value_type {
            None => None,
            Some(text) => Some(hieratic::puppet_types::parse(text).map_err(|error| usage_error(error.to_string()))?),
        };
        Ok(Plan { arguments, merge, value_type, output })
    }

    /// Opens the environment and the node.
    fn open(&self, reporter: &Reporter) -> Result<OpenNode<'a>, Error> {
        let target = Target::new(&self.arguments.place);
        let facts = target.facts_or_those_of_facter(reporter)?;
        let settings = settings(self.arguments, &target, self.output.has_positions());
        let environment = target.open(&settings, reporter)?;
        target.print_inputs(&environment, reporter);
        let facts = if self.arguments.compile { with_manifests(facts, &environment, reporter)? } else { facts };
        let node = environment.node(&facts)?;
        let missing = missing::MissingKeyReporter::default();
        Ok(OpenNode { arguments: self.arguments, target, environment, node, facts, exact: OnceCell::new(), missing })
    }

    /// Prints the answer, and reports everything else about it.
    fn answer(&self, opened: &OpenNode<'_>, reporter: &Reporter) -> ExitCode {
        let status = self.print(opened, reporter);
        for warning in opened.warnings(self, reporter) {
            reporter.warning(&warning);
        }
        for lost in opened.node.take_lost_knockouts() {
            reporter.lost_knockout(&lost);
        }
        status
    }

    fn query<'q>(&self, names: Vec<&'q str>) -> Query<'q> {
        let arguments = self.arguments;
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

    /// The keys that the flags name.
    fn names(&self) -> Vec<&'a str> {
        self.arguments.keys.iter().map(String::as_str).collect()
    }

    /// The keys of the hierarchy, where the selection is about them; the exit status after an error that is reported.
    fn keys_of_hierarchy(
        &self,
        opened: &OpenNode<'_>,
        keys: KeySelection,
        reporter: &Reporter,
    ) -> Result<Vec<String>, ExitCode> {
        match keys {
            KeySelection::First | KeySelection::Each => Ok(Vec::new()),
            KeySelection::All => {
                let patterns = KeyPatterns::new(&self.arguments.keys);
                let keys = self.selected_keys(opened, &patterns).map_err(|error| {
                    let query = Query { default: None, ..self.query(Vec::new()) };
                    self.failed(opened, &error, &query, reporter)
                })?;
                // Without the list of keys there are no suggestions.
                let known = || opened.node.keys().unwrap_or_default();
                let is_complete = patterns.report_unmatched(Subject::NODE, known, reporter);
                if is_complete { Ok(keys) } else { Err(ExitCode::FAILURE) }
            }
        }
    }

    /// The keys of the hierarchy that the flags select.
    fn selected_keys(&self, opened: &OpenNode<'_>, patterns: &KeyPatterns<'_>) -> Result<Vec<String>, Error> {
        let keys = opened.environment.keys(&opened.node)?;
        Ok(keys.iter().filter(|key| patterns.selects(key)).map(ToString::to_string).collect())
    }

    fn print(&self, opened: &OpenNode<'_>, reporter: &Reporter) -> ExitCode {
        match self.output {
            Output::Value(_) | Output::Explain(..) | Output::Why(..) | Output::Origins(KeySelection::First, _) => {}
            Output::Each(_)
            | Output::All(_)
            | Output::Variables(..)
            | Output::Origins(KeySelection::Each | KeySelection::All, _) => {
                reporter.missing_hierarchy(&opened.environment);
            }
        }
        match self.output {
            Output::Value(format) => self.value(opened, format, reporter),
            Output::Each(format) => self.each(opened, format, reporter),
            Output::All(format) => self.everything(opened, format, reporter),
            Output::Origins(keys, format) => self.origins(opened, keys, format, reporter),
            Output::Explain(explain, format) => self.explain(opened, explain, format, reporter),
            Output::Why(keys, show) => self.why(opened, keys, show, reporter),
            Output::Variables(keys, format) => self.variables(opened, keys, format, reporter),
        }
    }

    fn failed(&self, opened: &OpenNode<'_>, error: &Error, query: &Query<'_>, reporter: &Reporter) -> ExitCode {
        if error.code() == Node::NOT_FOUND {
            opened.missing.report(&opened.environment, &opened.node, error, query, reporter);
        } else {
            let error = &opened.located(error, query, reporter);
            // The reference does not report errors of data here, but users need them.
            let prefix = if error.kind() == ErrorKind::Lookup { "" } else { COULD_NOT_RUN };
            reporter.error(prefix, error);
        }
        ExitCode::FAILURE
    }

    /// The value of the first key that has one.
    fn value(&self, opened: &OpenNode<'_>, format: Option<RenderAs>, reporter: &Reporter) -> ExitCode {
        let query = self.query(self.names());
        match opened.node.lookup(&query).and_then(|value| rendered(&value, format)) {
            // A plain answer is printed in the reference's format.
            Ok(text) => {
                output::print(&text);
                ExitCode::SUCCESS
            }
            Err(error) => self.failed(opened, &error, &query, reporter),
        }
    }

    /// The values of several keys.
    fn each(&self, opened: &OpenNode<'_>, format: Option<RenderAs>, reporter: &Reporter) -> ExitCode {
        let node = &opened.node;
        let mut status = ExitCode::SUCCESS;
        let mut values: Vec<(&str, Value)> = Vec::new();
        for name in self.names() {
            let query = self.query(vec![name]);
            let found = if self.arguments.reveal { node.lookup(&query) } else { node.lookup_redacted(&query) };
            match found {
                Ok(value) => values.push((name, value)),
                Err(error) => status = self.failed(opened, &error, &query, reporter),
            }
        }
        let values: Hash = values.into_iter().collect();
        match rendered(&redact_values(values.iter(), reporter), format) {
            Ok(text) => output::print(&text),
            Err(error) => return self.failed(opened, &error, &self.query(Vec::new()), reporter),
        }
        status
    }

    /// All values of the hierarchy, or those whose keys match. Keys that fail are reported, and the others are answered.
    fn everything(&self, opened: &OpenNode<'_>, format: Option<RenderAs>, reporter: &Reporter) -> ExitCode {
        let OpenNode { environment, node, .. } = opened;
        let query = Query { default: None, ..self.query(Vec::new()) };
        let patterns = KeyPatterns::new(&self.arguments.keys);
        let selects = |key: &str| patterns.selects(key);
        let everything = match environment.everything(node, &query, !self.arguments.reveal, &selects) {
            Ok(everything) => everything,
            Err(error) => return self.failed(opened, &error, &query, reporter),
        };
        for FailedKey { key, error } in &everything.errors {
            let key = hieratic::lookup::quoted_key(key);
            let query = Query { names: vec![&key], ..query.clone() };
            reporter.error("", &opened.located(error, &query, reporter));
        }
        match rendered(&redact_values(everything.values.iter(), reporter), format) {
            Ok(text) => output::print(&text),
            Err(error) => return self.failed(opened, &error, &query, reporter),
        }
        // Without the list of keys there are no suggestions.
        let is_complete = patterns.report_unmatched(Subject::NODE, || node.keys().unwrap_or_default(), reporter);
        if everything.errors.is_empty() && is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// The values of some keys as a file of variables. Without all of them, there is no file.
    fn variables(
        &self,
        opened: &OpenNode<'_>,
        keys: KeySelection,
        format: VariablesFormat,
        reporter: &Reporter,
    ) -> ExitCode {
        let of_hierarchy = match self.keys_of_hierarchy(opened, keys, reporter) {
            Ok(keys) => keys,
            Err(status) => return status,
        };
        let names: Vec<&str> = match keys {
            KeySelection::All => of_hierarchy.iter().map(String::as_str).collect(),
            KeySelection::First | KeySelection::Each => self.names(),
        };
        let (mut values, mut status) = (Vec::new(), ExitCode::SUCCESS);
        for name in names {
            let query = self.query(vec![name]);
            match secrets::value_for_program(&opened.node, &query, self.arguments.reveal) {
                Ok(value) => values.push((name.trim_matches(['\'', '"']).to_owned(), value)),
                Err(error) => status = self.failed(opened, &error, &query, reporter),
            }
        }
        if status != ExitCode::SUCCESS {
            return status;
        }
        match format.write(&values) {
            Ok(text) => {
                output::print(text.as_bytes());
                ExitCode::SUCCESS
            }
            Err(message) => self.failed(opened, &usage_error(message), &self.query(Vec::new()), reporter),
        }
    }

    /// The origin of every part of the values of some keys.
    fn origins(
        &self,
        opened: &OpenNode<'_>,
        keys: KeySelection,
        format: Option<RenderAs>,
        reporter: &Reporter,
    ) -> ExitCode {
        let of_hierarchy = match self.keys_of_hierarchy(opened, keys, reporter) {
            Ok(keys) => keys,
            Err(status) => return status,
        };
        let queries: Vec<Query<'_>> = match keys {
            KeySelection::First => vec![self.query(self.names())],
            KeySelection::Each => self.names().into_iter().map(|name| self.query(vec![name])).collect(),
            KeySelection::All => of_hierarchy.iter().map(|name| self.query(vec![name])).collect(),
        };
        let mut status = ExitCode::SUCCESS;
        let mut objects = Vec::new();
        for query in &queries {
            match opened.node.lookup_traced(query) {
                Ok(answer) => objects.push((answer.key.unwrap_or_else(|| query.names.join(" ")), answer.value)),
                Err(error) => status = self.failed(opened, &error, query, reporter),
            }
        }
        if keys == KeySelection::First && objects.is_empty() {
            return status;
        }
        match output::origins(&objects, format, &reporter.layout(), reporter.redactor()).map_err(usage_error) {
            Ok((text, format)) => reporter.print_redacted(&text, format),
            Err(error) => return self.failed(opened, &error, &self.query(Vec::new()), reporter),
        }
        status
    }

    /// Every step of the lookup.
    fn explain(
        &self,
        opened: &OpenNode<'_>,
        explain: Explain,
        format: Option<RenderAs>,
        reporter: &Reporter,
    ) -> ExitCode {
        let mut names = self.names();
        if names.is_empty() {
            // The reference looks up a key that no data has.
            names.push("__global__");
        }
        let (answer, mut explanation) = opened.node.explain(&self.query(names), explain);
        if let Err(error) = answer {
            if error.kind() != ErrorKind::Lookup {
                reporter.error(COULD_NOT_RUN, &error);
                return ExitCode::FAILURE;
            }
            explanation.conclude(error.to_string());
        }
        explanation.redact(reporter.redactor());
        let text = match format {
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

    /// The levels that made the answer of the first key that has one, or of each key.
    fn why(&self, opened: &OpenNode<'_>, keys: KeySelection, show: why::Show, reporter: &Reporter) -> ExitCode {
        let queries: Vec<Query<'_>> = self.names().into_iter().map(|name| self.query(vec![name])).collect();
        let answers = |query: &Query<'_>| opened.node.lookup(&Query { default: None, ..query.clone() }).is_ok();
        let explained = match queries.as_slice() {
            several @ [_, _, ..] if keys == KeySelection::First => {
                let first = several.iter().position(answers).unwrap_or(0);
                &several[first..=first]
            }
            one_or_all => one_or_all,
        };
        let root = &opened.environment.layers().environment.root;
        let is_page = show == why::Show::Page;
        let revision = self.arguments.revision.commit_name();
        // A folder without git has no revision.
        let checked_out = is_page.then(|| CheckedOut::new(root, revision.as_deref())).flatten().unwrap_or_default();
        let template = self.arguments.link.as_deref().or(checked_out.link.as_deref());
        let links = template.map(|template| why::Links::new(template, root));
        let node = opened.facts.node().unwrap_or_default().to_owned();
        let imprint = Imprint::default()
            .with("Node", node.as_str())
            .with("Environment", opened.environment.name())
            .with("Revision", checked_out.name);
        let options = why::WhyOptions { full: self.arguments.full, links, node, imprint };
        match why::print(&opened.node, explained, show, &options, reporter) {
            Ok(failed) => {
                for (index, error) in failed.iter().filter(|(_, error)| !why::is_missing(error)) {
                    self.failed(opened, error, &explained[*index], reporter);
                }
                if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
            }
            Err(message) => {
                reporter.error(COULD_NOT_RUN, &usage_error(message));
                ExitCode::FAILURE
            }
        }
    }
}

/// Renders a value, as YAML if no flag sets a format.
fn rendered(value: &Value, format: Option<RenderAs>) -> Result<Vec<u8>, Error> {
    output::rendered(value, format.unwrap_or(RenderAs::Yaml)).map_err(usage_error)
}

/// Returns the values by key. Secrets are redacted unless `--reveal` is set. Keys are names.
fn redact_values<'v>(values: impl Iterator<Item = (&'v Value, &'v Value)>, reporter: &Reporter) -> Value {
    values.map(|(key, value)| (key.clone(), reporter.redactor().marked(value))).collect::<Hash>().into()
}

fn strategy(options: Vec<(&str, Value)>) -> Result<Strategy, Error> {
    Strategy::parse(&options.into_iter().collect::<Hash>().into())
}

/// The revision that is read, or that is checked out, as a page names it.
#[derive(Default)]
struct CheckedOut {
    /// Its name, and whether the files differ from it.
    name: String,
    /// The address of a line at the forge, if the files are those of the commit.
    link: Option<String>,
}

impl CheckedOut {
    /// Returns the revision of an environment; `None` if git knows none. `revision` is the one that is read instead of
    /// the files.
    fn new(root: &Path, revision: Option<&str>) -> Option<CheckedOut> {
        let repository = Repository::open(&hieratic::layers::repository_of(root)?).ok()?;
        let commit = repository.commit(revision.unwrap_or("HEAD")).ok()?;
        let branch = repository.head_branch().ok()?;
        let name = match revision.or(branch.as_deref()) {
            Some(name) => format!("{name} ({})", commit.short()),
            None => commit.short(),
        };
        let below = hieratic::sandbox::real_path(root).ok()?;
        let below = below.strip_prefix(repository.root()).unwrap_or(Path::new("")).to_owned();
        let differs = match revision {
            Some(_) => Ok(false),
            None => repository
                .changed_in_worktree(commit)
                .map(|changed| changed.paths.iter().any(|path| path.starts_with(&below))),
        };
        Some(match differs {
            Ok(true) => CheckedOut { name: format!("{name} with changes that are not committed"), link: None },
            Ok(false) => {
                let forge = ForgeLinks::new(repository.remote_urls(), &commit.to_string());
                // A folder whose name would have to be escaped has no links.
                let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '/');
                let folder = below.to_str().filter(|folder| folder.chars().all(is_plain));
                let link = forge.zip(folder).map(|(forge, folder)| match folder {
                    "" => forge.template(),
                    folder => forge.template().replace("{path}", &format!("{folder}/{{path}}")),
                });
                CheckedOut { name, link }
            }
            // The answer may be made of other files than those of the commit.
            Err(_) => CheckedOut { name: format!("{name}, not compared with the files"), link: None },
        })
    }
}

/// The environment and the node of a lookup.
struct OpenNode<'a> {
    arguments: &'a LookupArguments,
    target: Target<'a>,
    environment: Environment,
    node: Node,
    facts: Facts,
    /// The node with positions of its values, opened for the first error.
    exact: OnceCell<Option<Node>>,
    /// Reports missing keys.
    missing: missing::MissingKeyReporter,
}

impl OpenNode<'_> {
    /// Returns an error with its position. Answers need no positions, so a failed lookup is repeated to find them.
    fn located(&self, error: &Error, query: &Query<'_>, reporter: &Reporter) -> Error {
        if !error.needs_line() {
            return error.clone();
        }
        let query = Query { budget: Budget::new(self.arguments.limits.limits()), ..query.clone() };
        match self.exact(reporter).map(|node| node.lookup_traced(&query)) {
            Some(Err(exact)) if exact.to_string() == error.to_string() => exact,
            _ => error.clone(),
        }
    }

    /// The warnings, with the lines that they are about. Those that do not come again keep the file.
    fn warnings(&self, plan: &Plan<'_>, reporter: &Reporter) -> Vec<Warning> {
        let warnings = self.node.take_warnings();
        if self.arguments.all || !warnings.iter().any(Warning::needs_line) {
            return warnings;
        }
        let Some(exact) = self.exact(reporter) else { return warnings };
        for key in &self.arguments.keys {
            // The first lookup has already reported the errors.
            let _ = exact.lookup_traced(&plan.query(vec![key]));
        }
        let exact = exact.take_warnings();
        let with_line = |warning: Warning| exact.iter().find(|exact| **exact == warning).cloned().unwrap_or(warning);
        warnings.into_iter().map(with_line).collect()
    }

    /// The node whose values know where they stand. Without it, messages name no line.
    fn exact(&self, reporter: &Reporter) -> Option<&Node> {
        let exact = self.exact.get_or_init(|| {
            // It was open already, so that this only fails if a file changed meanwhile: the error stays without its line then.
            let environment = Environment::open(&settings(self.arguments, &self.target, true)).ok()?;
            reporter.redact_secrets_of(&environment);
            environment.node(&self.facts).ok()
        });
        exact.as_ref()
    }
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
            facts.set_variable(&name, value);
        }
    }
    Ok(facts)
}

/// The settings of a lookup.
fn settings(arguments: &LookupArguments, target: &Target<'_>, positions: bool) -> Settings {
    Settings { once: !arguments.watch, limits: arguments.limits.limits(), ..target.settings_with(positions) }
}
