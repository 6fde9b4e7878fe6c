//! `hieratic affected`: the keys and nodes that a part of the repository affects.

mod inputs;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hieratic::layers::{level_names, repository_of};
use hieratic::sandbox::{FileKind, Files};
use hieratic::value::ErasedSort as _;
use hieratic::{Environment, Error, Facts, Node, Redactor, Settings, Value};
use hieratic_diagnostics::render::visible_line;
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_impact::{
    Affected, AffectedGroup, Description, DistinguishingFacts, Keys, RepositoryPart, affected, hierarchy_facts,
    level_at,
};
use hieratic_lint::{Reading, readers, shown_node};
use hieratic_output::RenderAs;
use hieratic_report::{describe_facts, describe_uncompared, in_environments};

use self::inputs::InputPath;
use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::codes;
use crate::files;
use crate::fleet::{Fleet, FleetArguments};
use crate::levels;
use crate::output;
use crate::progress::Bar;
use crate::report::Reporter;
use crate::revisions::{self, without_hierarchy};
use crate::terminal;
use crate::usage::usage;
use hieratic::sandbox::SlashPath as _;

/// The number of files of a folder for which `--why-not` prints the reason.
const MOST_ASKED: usize = 20;

/// The flags of `affected`.
#[derive(Args, Debug)]
pub(crate) struct AffectedArguments {
    /// Files, lines of files, or folders such as a module
    #[arg(value_name = "FILE[:LINE]", required_unless_present = "level")]
    parts: Vec<String>,
    /// The levels of hierarchies that have this name (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append)]
    level: Vec<String>,
    /// Explain why the file does not reach this node
    #[arg(long, value_name = "NODE")]
    why_not: Option<String>,
    /// The output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Exit with status 1 if something was not judged
    #[arg(long)]
    strict_coverage: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    pub(crate) fleet: FleetArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// For tools
    Json,
    /// The names of the nodes, one per line
    Nodes,
    /// The keys, one per line
    Keys,
}

/// The status of a question that could not be answered.
const FAILED: u8 = 2;
/// The maximum number of keys of a group that are printed.
const MOST_KEYS: usize = 50;
/// The maximum number of node names that are printed if facts do not describe the nodes.
const MOST_NAMES: usize = 5;

/// Runs the verb.
pub(crate) fn run(arguments: &AffectedArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match print_impact(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(FAILED)
        }
    }
}

fn print_impact(arguments: &AffectedArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let all = open_environments(arguments, reporter)?;
    let Some(first) = all.opened.first() else {
        return Err(usage("no environment was found").help("pass --environment NAME"));
    };
    let only =
        arguments.why_not.as_ref().filter(|_| arguments.place.facts.is_empty() && arguments.fleet.nodes.is_empty());
    let place =
        PlaceArguments { node: only.cloned().or_else(|| arguments.place.node.clone()), ..arguments.place.clone() };
    let settings: Vec<Settings> = all.opened.iter().map(|of| of.settings.clone()).collect();
    let fleet = Fleet::load(&arguments.fleet, &place, &settings, &first.environment, reporter)?;
    check_levels(arguments, &all.opened)?;
    let named = InputPath::all(&arguments.parts, &first.environment)?;
    let redactor = reporter.redactor();
    if let Some(name) = &arguments.why_not {
        let node = fleet.nodes.iter().find(|facts| facts.node() == Some(name));
        let node = node.ok_or_else(|| {
            usage(format!("there are no facts for {name}")).help("pass the facts of the nodes: --nodes FOLDER")
        })?;
        for OpenEnvironment { name, settings, environment } in &all.opened {
            let parts = parts(arguments, &named, environment);
            let found = affected(environment, std::slice::from_ref(node), &parts, settings.limits, &());
            let text = why_not(node, &found, &parts, settings, environment, &all.root, redactor)?;
            if all.opened.len() > 1 {
                reporter.print_text(format!("environment {}\n", visible_line(name)).as_bytes());
            }
            reporter.print_text(text.as_bytes());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let bar = Bar::new(arguments.quiet);
    let mut is_whole = all.unopened == 0;
    let mut reached = MergedImpact::default();
    let mut missing = Vec::new();
    for OpenEnvironment { name, settings, environment } in &all.opened {
        let parts = parts(arguments, &named, environment);
        let found = affected(environment, &fleet.nodes, &parts, settings.limits, &bar);
        if found.groups.is_empty() && found.broken.is_empty() {
            missing.extend(without_hierarchy(environment));
        }
        reached.add(name, found);
    }
    bar.finish();
    let files = named.iter().flat_map(|named| named.files.iter().cloned());
    let environments: Vec<&Environment> = all.opened.iter().map(|of| &of.environment).collect();
    let readable = first.settings.mounted(Files::below([&all.root]));
    let describe_uncompared = describe_uncompared(files, &environments, &readable);
    // A file that could not be read is not the same as a file that affects nothing.
    if reached.groups.is_empty()
        && (describe_uncompared.is_none() || !arguments.level.is_empty())
        && missing.len() == all.opened.len()
        && let Some(error) = missing.into_iter().next()
    {
        return Err(error);
    }
    if let Some(counts) = describe_uncompared {
        let message = format!("not judged: {counts}: only their use by lookups is listed");
        let note = Diagnostic::new(Severity::Note, codes::NOT_COMPILED, message);
        reporter.diagnostic(&note.help("`hieratic diff --catalogs` compares the catalogs of a change"));
        is_whole = false;
    }
    for message in named.iter().filter_map(InputPath::cut_off_message) {
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message));
        is_whole = false;
    }
    for FailedNode { environment, node, reason } in &reached.broken {
        let name = fleet.nodes.get(*node).and_then(Facts::node).unwrap_or_default();
        let within = if all.opened.len() > 1 { format!(" in environment {environment}") } else { String::new() };
        let message = format!("{name} cannot be looked up{within}: {}", redactor.message(reason));
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message));
        is_whole = false;
    }
    let view = ImpactView { fleet: &fleet, found: &reached, all: &all.opened, root: &all.root, redactor };
    match arguments.format {
        Format::Text => reporter.print_text(view.text().as_bytes()),
        Format::Nodes => reporter.print_text(view.nodes().as_bytes()),
        Format::Keys => reporter.print_text(view.keys().as_bytes()),
        Format::Json => reporter.print_redacted_data(&view.json(), RenderAs::Json).map_err(usage)?,
    }
    if arguments.strict_coverage && !is_whole {
        let message = "something was not judged, and --strict-coverage is given";
        reporter.diagnostic(&Diagnostic::new(Severity::Error, codes::NOT_COMPARED, message));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The environments that are searched.
struct OpenEnvironments {
    opened: Vec<OpenEnvironment>,
    /// The number of environments that could not be opened.
    unopened: usize,
    /// The folder that printed paths are relative to.
    root: PathBuf,
}

/// An environment that is searched.
struct OpenEnvironment {
    name: String,
    settings: Settings,
    environment: Environment,
}

/// Opens the environments that the flags select; by default all of the repository.
fn open_environments(arguments: &AffectedArguments, reporter: &Reporter) -> Result<OpenEnvironments, Error> {
    revisions::check_found(&arguments.place)?;
    let places = revisions::environments(&arguments.place);
    let mut all = OpenEnvironments { opened: Vec::new(), unopened: 0, root: PathBuf::new() };
    let mut faults = Vec::new();
    for place in &places {
        match revisions::opened(place, &arguments.limits, reporter) {
            Ok((settings, folder, environment)) => {
                all.root = match places.len() {
                    1 => folder,
                    _ => repository_of(&folder)
                        .or_else(|| folder.parent()?.parent().map(Path::to_owned))
                        .unwrap_or(folder),
                };
                let name = environment.name().to_owned();
                all.opened.push(OpenEnvironment { name, settings, environment });
            }
            Err(error) => faults.push((place.environment.clone().unwrap_or_default(), error)),
        }
    }
    if all.opened.is_empty()
        && let Some((_, error)) = faults.pop()
    {
        return Err(error);
    }
    all.unopened = faults.len();
    for (name, error) in faults {
        let message =
            format!("the environment {name} cannot be opened: {}", reporter.redactor().message(&error.to_string()));
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message));
    }
    Ok(all)
}

/// Refuses levels that no hierarchy has.
fn check_levels(arguments: &AffectedArguments, all: &[OpenEnvironment]) -> Result<(), Error> {
    if arguments.level.is_empty() {
        return Ok(());
    }
    let names: BTreeSet<String> = all.iter().flat_map(|of| level_names(&of.environment)).collect();
    let is_unknown = arguments.level.iter().any(|level| !names.contains(level));
    if is_unknown
        && names.is_empty()
        && let Some(error) = all.iter().find_map(|of| without_hierarchy(&of.environment))
    {
        return Err(error);
    }
    levels::check_known(&arguments.level, &names)
}

/// The selected sources: levels, and named files as paths of the environment.
fn parts(arguments: &AffectedArguments, named: &[InputPath], environment: &Environment) -> Vec<RepositoryPart> {
    let mut parts: Vec<RepositoryPart> = arguments.level.iter().cloned().map(RepositoryPart::Level).collect();
    for InputPath { paths, line, .. } in named {
        parts.extend(paths.iter().map(|path| match line.and_then(|line| level_at(environment, path, line)) {
            Some(level) => RepositoryPart::Level(level),
            None => RepositoryPart::File(path.clone(), *line),
        }));
    }
    parts
}

/// The affected nodes and keys of all environments.
#[derive(Default)]
struct MergedImpact {
    groups: Vec<ImpactGroup>,
    /// The indices of groups by their nodes.
    known: BTreeMap<Vec<usize>, Vec<usize>>,
    broken: Vec<FailedNode>,
}

/// Nodes with the same affected keys in the same environments.
struct ImpactGroup {
    nodes: Vec<usize>,
    keys: Arc<Keys>,
    environments: Vec<String>,
}

/// A node that cannot be looked up in an environment.
struct FailedNode {
    environment: String,
    node: usize,
    reason: String,
}

impl MergedImpact {
    /// Adds the result for an environment. Equal groups of several environments are merged.
    fn add(&mut self, environment: &str, found: Affected) {
        for AffectedGroup { nodes, keys } in found.groups {
            let known = self.known.entry(nodes.clone()).or_default();
            match known.iter().find(|at| self.groups.get(**at).is_some_and(|group| group.keys == keys)) {
                Some(at) => self.groups[*at].environments.push(environment.to_owned()),
                None => {
                    known.push(self.groups.len());
                    self.groups.push(ImpactGroup { nodes, keys, environments: vec![environment.to_owned()] });
                }
            }
        }
        let failing = |(node, reason)| FailedNode { environment: environment.to_owned(), node, reason };
        self.broken.extend(found.broken.into_iter().map(failing));
    }
}

/// The data for the output.
struct ImpactView<'v> {
    fleet: &'v Fleet,
    found: &'v MergedImpact,
    all: &'v [OpenEnvironment],
    root: &'v Path,
    redactor: &'v Redactor,
}

impl ImpactView<'_> {
    fn name(&self, index: usize) -> String {
        let name = self.fleet.nodes.get(index).map(shown_node).unwrap_or_default();
        self.redactor.name(&name).into_owned()
    }

    fn text(&self) -> String {
        let all = self.fleet.nodes.len();
        let synthetic =
            if self.fleet.are_derived { " (made up from the hierarchy: name facts with --facts)" } else { "" };
        let among = match self.all.len() {
            1 => String::new(),
            count => format!(" in {}", output::counted(count, "environment")),
        };
        let nodes = format!("{}{synthetic}{among}", output::counted(all, "node"));
        if self.found.groups.is_empty() {
            return format!("No keys are affected on {nodes}\n");
        }
        let facts: Vec<_> = self.fleet.nodes.iter().map(Facts::facts).collect();
        let named = self.all.first().map(|of| hierarchy_facts(&of.environment)).unwrap_or_default();
        let facts = DistinguishingFacts::new(&facts, &named);
        let mut out = String::new();
        for group in &self.found.groups {
            let title = match facts.describe(&group.nodes) {
                Description::All if all == 1 => self.name(0),
                Description::All => format!("all {}", output::counted(all, "node")),
                Description::Where(pairs) if group.nodes.len() > 1 => {
                    let redact = |(name, value): (String, String)| (name, self.redactor.text(&value).into_owned());
                    let pairs: Vec<(String, String)> = pairs.into_iter().map(redact).collect();
                    format!("{} of {}: {}", group.nodes.len(), output::counted(all, "node"), describe_facts(&pairs))
                }
                _ => {
                    let names = group.nodes.iter().take(MOST_NAMES).map(|index| self.name(*index));
                    let mut names: Vec<String> = names.collect();
                    if group.nodes.len() > MOST_NAMES {
                        names.push("...".to_owned());
                    }
                    match group.nodes.len() {
                        1 => names.join(", "),
                        count => format!("{count} of {}: {}", output::counted(all, "node"), names.join(", ")),
                    }
                }
            };
            let title = visible_line(&(title + &self.within(&group.environments)));
            out.push_str(&format!("{}\n", terminal::fitted(&title, &std::io::stdout())));
            for line in list_keys(&group.keys, self.root, self.redactor) {
                let line = terminal::fitted_behind(4, &visible_line(&line), &std::io::stdout());
                out.push_str(&format!("  {line}\n"));
            }
            out.push('\n');
        }
        let reached = self.found.groups.iter().filter(|group| group.keys.is_reaching());
        let (mut touched, mut keys, mut any): (BTreeSet<usize>, BTreeSet<_>, bool) = Default::default();
        for group in reached {
            touched.extend(&group.nodes);
            keys.extend(&group.keys.reached);
            any |= group.keys.any;
        }
        let keys = if any { "any key".to_owned() } else { output::counted(keys.len(), "key") };
        let summary = format!("{keys} on {} of {nodes}", touched.len());
        out.push_str(&format!("{}\n", terminal::fitted(&summary, &std::io::stdout())));
        out
    }

    /// The environments as a part of a title; empty if the repository has only one.
    fn within(&self, environments: &[String]) -> String {
        if self.all.len() == 1 { String::new() } else { in_environments(environments, self.all.len()) }
    }

    fn nodes(&self) -> String {
        let reached = self.found.groups.iter().filter(|group| group.keys.is_reaching());
        let mut names: Vec<String> = reached.flat_map(|group| &group.nodes).map(|index| self.name(*index)).collect();
        names.sort_erased();
        names.dedup();
        names.into_iter().map(|name| format!("{}\n", visible_line(&name))).collect()
    }

    fn keys(&self) -> String {
        let keys: BTreeSet<_> =
            self.found.groups.iter().flat_map(|group| &group.keys.reached).map(|key| self.redactor.name(key)).collect();
        keys.into_iter().map(|key| format!("{}\n", visible_line(&key))).collect()
    }

    fn json(&self) -> Value {
        let text = |text: String| Value::from(text);
        let hash = |pairs: Vec<(&str, Value)>| -> Value {
            pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect::<hieratic::Hash>().into()
        };
        let list = |values: Vec<Value>| Value::from(values);
        // Environments are named only if the repository has several.
        let several = self.all.len() > 1;
        let names_of = |names: &[String]| list(names.iter().cloned().map(Value::from).collect());
        let groups = self.found.groups.iter().map(|group| {
            let names = group.nodes.iter().map(|index| text(self.name(*index))).collect();
            let keys = group.keys.reached.iter().map(|key| text(self.redactor.name(key).into_owned())).collect();
            let overridden = group.keys.overridden.iter().map(|hidden| {
                let key = text(self.redactor.name(&hidden.key).into_owned());
                hash(vec![("key", key), ("by", text(relative_path(&hidden.by, self.root)))])
            });
            let mut pairs = vec![
                ("nodes", list(names)),
                ("any", group.keys.any.into()),
                ("any_of", list(group.keys.any_of.iter().map(|module| Value::String(module.clone())).collect())),
                ("keys", list(keys)),
                ("overridden", list(overridden.collect())),
            ];
            pairs.extend(several.then(|| ("environments", names_of(&group.environments))));
            hash(pairs)
        });
        let broken = self.found.broken.iter().map(|FailedNode { environment, node, reason }| {
            let reason = text(self.redactor.message(reason).into_owned());
            let mut pairs = vec![("node", text(self.name(*node))), ("reason", reason)];
            pairs.extend(several.then(|| ("environment", text(environment.clone()))));
            hash(pairs)
        });
        let count = |count: usize| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
        let mut pairs = vec![
            ("nodes", count(self.fleet.nodes.len())),
            ("made_up", self.fleet.are_derived.into()),
            ("groups", list(groups.collect())),
            ("broken", list(broken.collect())),
        ];
        let all: Vec<String> = self.all.iter().map(|of| of.name.clone()).collect();
        pairs.extend(several.then(|| ("environments", names_of(&all))));
        hash(pairs)
    }
}

/// The keys of a group, line by line.
fn list_keys(keys: &Keys, folder: &Path, redactor: &Redactor) -> Vec<String> {
    let mut lines = Vec::new();
    if keys.any {
        let known = output::counted(keys.reached.len(), "key");
        lines.push(format!("every key: this file configures the hierarchy ({known} at present)"));
        return lines;
    }
    for module in &keys.any_of {
        lines.push(format!("every key of the module {}: this file configures its hierarchy", redactor.name(module)));
    }
    lines.extend(keys.reached.iter().map(|key| redactor.name(key).into_owned()));
    let by = |by: &Path| relative_path(by, folder);
    lines.extend(
        keys.overridden
            .iter()
            .map(|hidden| format!("({}: overridden by {})", redactor.name(&hidden.key), by(&hidden.by))),
    );
    if lines.len() > MOST_KEYS {
        let more = lines.len() - MOST_KEYS;
        lines.truncate(MOST_KEYS);
        lines.push(format!("... and {more} more: --format json lists all"));
    }
    lines
}

fn relative_path(file: &Path, folder: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).to_slashes()
}

/// The reason why a part does not reach a node, or that it does.
fn why_not(
    facts: &Facts,
    found: &Affected,
    parts: &[RepositoryPart],
    settings: &Settings,
    environment: &Environment,
    folder: &Path,
    redactor: &Redactor,
) -> Result<String, Error> {
    let name = redactor.name(facts.node().unwrap_or_default()).into_owned();
    if let Some((_, reason)) = found.broken.first() {
        return Ok(format!("{name} cannot be looked up: {}\n", visible_line(&redactor.message(reason))));
    }
    let mut lines = Vec::new();
    if let Some(group) = found.groups.first() {
        lines.push(if group.keys.is_reaching() {
            format!("{name} is affected:")
        } else {
            format!("{name} reads it, but higher levels override it:")
        });
        lines.extend(list_keys(&group.keys, folder, redactor).into_iter().map(|line| format!("  {line}")));
    } else {
        let node = environment.node(facts)?;
        for part in parts {
            let RepositoryPart::File(path, _) = part else { continue };
            let files = &environment.capabilities().data;
            if files.is_folder(path) {
                lines.extend(why_not_below(path, &name, &node, settings, files, folder, redactor)?);
            } else {
                let levels = readers(settings, path).map_err(usage)?;
                if levels.is_empty() {
                    lines.push(format!("no level of a hierarchy reads {}", relative_path(path, folder)));
                }
                lines.extend(why_levels_do_not(levels, &relative_path(path, folder), &name, &node, redactor));
            }
        }
        if lines.is_empty() {
            lines.push(format!("{name} has no such level, or no data in it"));
        }
    }
    Ok(lines.into_iter().map(|line| format!("{}\n", visible_line(&line))).collect())
}

/// The reason why the files below a folder do not reach a node.
fn why_not_below(
    path: &Path,
    name: &str,
    node: &Node,
    settings: &Settings,
    files: &Files,
    folder: &Path,
    redactor: &Redactor,
) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    let (mut explained, mut more) = (0, 0);
    let mut open = vec![path.to_path_buf()];
    while let Some(outer) = open.pop() {
        let entries = files.list(&outer).map_err(|error| files::unreadable(&outer, &error))?;
        for entry in entries {
            let path = outer.join(&entry.name);
            match entry.kind {
                FileKind::Folder => open.push(path),
                _ if explained >= MOST_ASKED => more += 1,
                _ => {
                    explained += 1;
                    let levels = readers(settings, &path).map_err(usage)?;
                    lines.extend(why_levels_do_not(levels, &relative_path(&path, folder), name, node, redactor));
                }
            }
        }
    }
    if lines.is_empty() {
        lines.push(format!("no level of a hierarchy reads a file in {}", relative_path(path, folder)));
    }
    if more > 0 {
        lines.push(format!("and {}", output::counted(more, "more file")));
    }
    Ok(lines)
}

/// The reason why levels that read a file do not read it for a node.
fn why_levels_do_not(levels: Vec<Reading>, file: &str, name: &str, node: &Node, redactor: &Redactor) -> Vec<String> {
    let reason = |Reading { level, module, bindings }: Reading| {
        let of = module.map_or(String::new(), |module| format!(" of module {module}"));
        let unlike = |(variable, expected): (&String, &String)| {
            let is = node.mentioned_text(variable);
            let is = is.as_deref();
            (is != Some(expected.as_str())).then(|| match is {
                Some(is) => format!("%{{{variable}}} is '{}' on {name}, not '{expected}'", redactor.text(is)),
                None => format!("%{{{variable}}} has no value on {name}; it would have to be '{expected}'"),
            })
        };
        let unlike: Vec<String> = bindings.iter().filter_map(unlike).collect();
        if unlike.is_empty() {
            format!("the level '{level}'{of} reads {file} on {name}, but finds no key in it")
        } else {
            format!("the level '{level}'{of} does not read {file}: {}", unlike.join(", "))
        }
    };
    levels.into_iter().map(reason).collect()
}
