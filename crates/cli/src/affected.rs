//! `hieratic affected`: which keys of which nodes a part of the repository can reach.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hieratic::powers::{Files, Kind};
use hieratic::{Environment, Error, Facts, Mask, Node, Settings, Value};
use hieratic_audit::{Reading, readers, shown_node};
use hieratic_changes::{Affected, Description, Keys, NodeFacts, What, affected, level_at, named_facts};
use hieratic_comparison::shown_facts;
use hieratic_diagnostics::render::visible_line;
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_render::RenderAs;

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::codes;
use crate::fleet::{Fleet, FleetArguments};
use crate::output;
use crate::report::Reporter;
use crate::revisions;
use crate::usage::usage;

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
const NOT_TOLD: u8 = 2;
/// How many keys of a group are listed for people.
const MOST_KEYS: usize = 50;
/// How many names of nodes are listed where facts do not describe them.
const MOST_NAMES: usize = 5;

/// Runs the verb.
pub(crate) fn run(arguments: &AffectedArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match answered(arguments, &reporter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(NOT_TOLD)
        }
    }
}

fn answered(arguments: &AffectedArguments, reporter: &Reporter) -> Result<(), Error> {
    let (settings, folder, environment) = revisions::opened(&arguments.place, &arguments.limits, reporter)?;
    let parts = parts(arguments, &environment)?;
    let only =
        arguments.why_not.as_ref().filter(|_| arguments.place.facts.is_empty() && arguments.fleet.nodes.is_empty());
    let place =
        PlaceArguments { node: only.cloned().or_else(|| arguments.place.node.clone()), ..arguments.place.clone() };
    let fleet = Fleet::of(&arguments.fleet, &place, std::slice::from_ref(&settings), &environment, reporter)?;
    let mask = reporter.mask();
    if let Some(name) = &arguments.why_not {
        let node = fleet.nodes.iter().find(|facts| facts.node() == Some(name));
        let node = node.ok_or_else(|| {
            usage(format!("there are no facts of {name}")).help("--nodes names the files with the facts of nodes")
        })?;
        let found = affected(&environment, std::slice::from_ref(node), &parts, settings.limits);
        let text = why_not(node, &found, &parts, &settings, &environment, &folder, mask)?;
        reporter.print_text(text.as_bytes());
        return Ok(());
    }
    let found = affected(&environment, &fleet.nodes, &parts, settings.limits);
    if parts
        .iter()
        .any(|part| matches!(part, What::File(path, _) if path.extension().is_some_and(|extension| extension == "pp")))
    {
        let note = "a manifest changes catalogs, which are not compiled: only what lookups use of it is listed";
        reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::NOT_COMPILED, note));
    }
    for (index, reason) in &found.broken {
        let name = fleet.nodes.get(*index).and_then(Facts::node).unwrap_or_default();
        let message = format!("{name} cannot be looked up: {}", mask.message(reason));
        reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::NOT_COMPARED, message));
    }
    let view = View { fleet: &fleet, found: &found, environment: &environment, folder: &folder, mask };
    match arguments.format {
        Format::Text => reporter.print_text(view.text().as_bytes()),
        Format::Nodes => reporter.print_text(view.nodes().as_bytes()),
        Format::Keys => reporter.print_text(view.keys().as_bytes()),
        Format::Json => reporter.tell_data(&view.json(), RenderAs::Json).map_err(usage)?,
    }
    Ok(())
}

/// The parts that the arguments name.
fn parts(arguments: &AffectedArguments, environment: &Environment) -> Result<Vec<What>, Error> {
    let mut parts: Vec<What> = arguments.level.iter().cloned().map(What::Level).collect();
    for text in &arguments.parts {
        let (path, line) = match (Path::new(text).exists(), text.rsplit_once(':')) {
            (false, Some((path, line))) => match line.parse::<u32>() {
                Ok(line) if line > 0 => (path, Some(line)),
                _ => (text.as_str(), None),
            },
            _ => (text.as_str(), None),
        };
        let found = Path::new(path).canonicalize().map_err(|error| {
            usage(format!("{path} cannot be read: {error}"))
                .help("name a file or a folder of the control repository, or --level NAME")
        })?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| found.clone());
        // Hierarchies may name it by either.
        for path in if found == absolute { vec![found] } else { vec![found, hieratic::powers::plain(&absolute)] } {
            match line.and_then(|line| level_at(environment, &path, line)) {
                Some(level) => parts.push(What::Level(level)),
                None => parts.push(What::File(path, line)),
            }
        }
    }
    Ok(parts)
}

/// What is shown.
struct View<'v> {
    fleet: &'v Fleet,
    found: &'v Affected,
    environment: &'v Environment,
    folder: &'v Path,
    mask: &'v Mask,
}

impl View<'_> {
    fn name(&self, index: usize) -> String {
        let name = self.fleet.nodes.get(index).map(shown_node).unwrap_or_default();
        self.mask.name(&name).into_owned()
    }

    fn text(&self) -> String {
        let all = self.fleet.nodes.len();
        let made_up =
            if self.fleet.are_made_up { " (made up from the hierarchy: name facts with --facts)" } else { "" };
        let nodes = format!("{}{made_up}", output::counted(all, "node"));
        if self.found.groups.is_empty() {
            return format!("Nothing is reached on {nodes}\n");
        }
        let facts: Vec<_> = self.fleet.nodes.iter().map(Facts::facts).collect();
        let facts = NodeFacts::of(&facts, &named_facts(self.environment));
        let mut out = String::new();
        for group in &self.found.groups {
            let title = match facts.describe(&group.nodes) {
                Description::All if all == 1 => self.name(0),
                Description::All => format!("all {}", output::counted(all, "node")),
                Description::Where(pairs) if group.nodes.len() > 1 => {
                    let covered = |(name, value): (String, String)| (name, self.mask.text(&value).into_owned());
                    let pairs: Vec<(String, String)> = pairs.into_iter().map(covered).collect();
                    format!("{} of {}: {}", group.nodes.len(), output::counted(all, "node"), shown_facts(&pairs))
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
            out.push_str(&format!("{}\n", visible_line(&title)));
            for line in listed(&group.keys, self.folder, self.mask) {
                out.push_str(&format!("  {}\n", visible_line(&line)));
            }
            out.push('\n');
        }
        let reached = self.found.groups.iter().filter(|group| group.keys.is_reaching());
        let (mut touched, mut keys, mut any) = (0, std::collections::BTreeSet::new(), false);
        for group in reached {
            touched += group.nodes.len();
            keys.extend(&group.keys.reached);
            any |= group.keys.any;
        }
        let keys = if any { "any key".to_owned() } else { output::counted(keys.len(), "key") };
        out.push_str(&format!("{keys} on {touched} of {nodes}\n"));
        out
    }

    fn nodes(&self) -> String {
        let reached = self.found.groups.iter().filter(|group| group.keys.is_reaching());
        let mut names: Vec<String> = reached.flat_map(|group| &group.nodes).map(|index| self.name(*index)).collect();
        names.sort();
        names.dedup();
        names.into_iter().map(|name| format!("{}\n", visible_line(&name))).collect()
    }

    fn keys(&self) -> String {
        let keys: std::collections::BTreeSet<_> =
            self.found.groups.iter().flat_map(|group| &group.keys.reached).map(|key| self.mask.name(key)).collect();
        keys.into_iter().map(|key| format!("{}\n", visible_line(&key))).collect()
    }

    fn json(&self) -> Value {
        let text = |text: String| Value::from(text);
        let hash = |pairs: Vec<(&str, Value)>| -> Value {
            pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect::<hieratic::Hash>().into()
        };
        let list = |values: Vec<Value>| Value::from(values);
        let groups = self.found.groups.iter().map(|group| {
            let names = group.nodes.iter().map(|index| text(self.name(*index))).collect();
            let keys = group.keys.reached.iter().map(|key| text(self.mask.name(key).into_owned())).collect();
            let overridden = group.keys.overridden.iter().map(|hidden| {
                let key = text(self.mask.name(&hidden.key).into_owned());
                hash(vec![("key", key), ("by", text(shown(&hidden.by, self.folder)))])
            });
            hash(vec![
                ("nodes", list(names)),
                ("any", group.keys.any.into()),
                ("any_of", list(group.keys.any_of.iter().map(|module| Value::String(module.clone())).collect())),
                ("keys", list(keys)),
                ("overridden", list(overridden.collect())),
            ])
        });
        let broken = self.found.broken.iter().map(|(index, reason)| {
            let reason = text(self.mask.message(reason).into_owned());
            hash(vec![("node", text(self.name(*index))), ("reason", reason)])
        });
        let count = |count: usize| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
        hash(vec![
            ("nodes", count(self.fleet.nodes.len())),
            ("made_up", self.fleet.are_made_up.into()),
            ("groups", list(groups.collect())),
            ("broken", list(broken.collect())),
        ])
    }
}

/// The keys of a group, line by line.
fn listed(keys: &Keys, folder: &Path, mask: &Mask) -> Vec<String> {
    let mut lines = Vec::new();
    if keys.any {
        let known = output::counted(keys.reached.len(), "key");
        lines.push(format!("any key: it decides where data lies or what code answers ({known} at present)"));
        return lines;
    }
    for module in &keys.any_of {
        lines.push(format!("any key of the module {}: it decides where its data lies", mask.name(module)));
    }
    lines.extend(keys.reached.iter().map(|key| mask.name(key).into_owned()));
    let by = |by: &Path| shown(by, folder);
    lines.extend(
        keys.overridden.iter().map(|hidden| format!("({}: overridden by {})", mask.name(&hidden.key), by(&hidden.by))),
    );
    if lines.len() > MOST_KEYS {
        let more = lines.len() - MOST_KEYS;
        lines.truncate(MOST_KEYS);
        lines.push(format!("... and {more} more: --format json lists all"));
    }
    lines
}

fn shown(file: &Path, folder: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).display().to_string()
}

/// Why a part does not reach a node, or that it does.
fn why_not(
    facts: &Facts,
    found: &Affected,
    parts: &[What],
    settings: &Settings,
    environment: &Environment,
    folder: &Path,
    mask: &Mask,
) -> Result<String, Error> {
    let name = mask.name(facts.node().unwrap_or_default()).into_owned();
    if let Some((_, reason)) = found.broken.first() {
        return Ok(format!("{name} cannot be looked up: {}\n", visible_line(&mask.message(reason))));
    }
    let mut lines = Vec::new();
    if let Some(group) = found.groups.first() {
        lines.push(match group.keys.is_reaching() {
            true => format!("{name} is reached:"),
            false => format!("{name} reads it, and other levels answer first:"),
        });
        lines.extend(listed(&group.keys, folder, mask).into_iter().map(|line| format!("  {line}")));
    } else {
        let node = environment.node(facts)?;
        for part in parts {
            let What::File(path, _) = part else { continue };
            let files = &environment.powers().data;
            if files.is_folder(path) {
                lines.extend(why_not_below(path, &name, &node, settings, files, folder, mask)?);
            } else {
                let levels = readers(settings, path).map_err(usage)?;
                if levels.is_empty() {
                    lines.push(format!("no level of a hierarchy reads {}", shown(path, folder)));
                }
                lines.extend(why_levels_do_not(levels, &shown(path, folder), &name, &node, mask));
            }
        }
        if lines.is_empty() {
            lines.push(format!("{name} has no such level, or no data in it"));
        }
    }
    Ok(lines.into_iter().map(|line| format!("{}\n", visible_line(&line))).collect())
}

/// Why the files below a folder do not reach a node.
fn why_not_below(
    path: &Path,
    name: &str,
    node: &Node,
    settings: &Settings,
    files: &Files,
    folder: &Path,
    mask: &Mask,
) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    let (mut asked, mut more) = (0, 0);
    let mut open = vec![path.to_path_buf()];
    while let Some(around) = open.pop() {
        for entry in files.list(&around).unwrap_or_default() {
            let path = around.join(&entry.name);
            match entry.kind {
                Kind::Folder => open.push(path),
                _ if asked >= MOST_ASKED => more += 1,
                _ => {
                    asked += 1;
                    let levels = readers(settings, &path).map_err(usage)?;
                    lines.extend(why_levels_do_not(levels, &shown(&path, folder), name, node, mask));
                }
            }
        }
    }
    if lines.is_empty() {
        lines.push(format!("no level of a hierarchy reads a file in {}", shown(path, folder)));
    }
    if more > 0 {
        lines.push(format!("and {}", output::counted(more, "more file")));
    }
    Ok(lines)
}

/// Why levels that read a file do not read it for a node.
fn why_levels_do_not(levels: Vec<Reading>, file: &str, name: &str, node: &Node, mask: &Mask) -> Vec<String> {
    let why = |Reading { level, module, bindings }: Reading| {
        let of = module.map_or(String::new(), |module| format!(" of module {module}"));
        let unlike = |(variable, wanted): (&String, &String)| {
            let is = node.mentioned_text(variable);
            let is = is.as_deref();
            (is != Some(wanted.as_str())).then(|| match is {
                Some(is) => format!("%{{{variable}}} is '{}' on {name}, not '{wanted}'", mask.text(is)),
                None => format!("%{{{variable}}} has no value on {name}; it would have to be '{wanted}'"),
            })
        };
        let unlike: Vec<String> = bindings.iter().filter_map(unlike).collect();
        match unlike.is_empty() {
            true => format!("the level '{level}'{of} reads {file} on {name}, and it has no key there"),
            false => format!("the level '{level}'{of} does not read {file}: {}", unlike.join(", ")),
        }
    };
    levels.into_iter().map(why).collect()
}
