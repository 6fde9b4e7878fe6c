//! Candidates for the values of flags and arguments.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use clap::{Arg, Command, Parser};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use hieratic::facts::FactsFolder;
use hieratic::layers::level_names;
use hieratic::{Environment, Limits, Settings};
use hieratic_diagnostics::Code;
use hieratic_lint::{Survey, rules};

use super::revisions;
use crate::args::{LazyArgs, PlaceArguments};
use crate::codes;
use crate::target::{self, Target};
use crate::verbs::{Arguments, Verb, apply_settings};

/// The command, with candidates for the values of its flags and arguments after these words.
pub(super) fn with_values(command: Command, before: &[OsString]) -> Command {
    let line = Arc::new(CommandLine::new(before));
    let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    verbs
        .into_iter()
        .fold(command, |command, verb| command.mut_subcommand(verb.clone(), |of| with_values_of(of, &verb, &line)))
}

/// A verb or a part of one, such as `secret decrypt`, with candidates.
fn with_values_of(command: Command, verb: &str, line: &Arc<CommandLine>) -> Command {
    let parts: Vec<String> = command.get_subcommands().map(|part| part.get_name().to_owned()).collect();
    let command = command.mut_args(|argument| with_value(argument, verb, line));
    parts.into_iter().fold(command, |command, part| command.mut_subcommand(part, |of| with_values_of(of, verb, line)))
}

fn with_value(argument: Arg, verb: &str, line: &Arc<CommandLine>) -> Arg {
    let line = line.clone();
    let words = |words: &'static [&'static str]| Some(Candidates::Words(words));
    let name = argument.get_id().as_str();
    let is_file_of_split = (verb, name) == ("refactor", "keys") && line.has("split");
    let offer = match (verb, name) {
        ("refactor", "keys") if is_file_of_split => None,
        ("refactor", "keys") if line.has("merge-levels") => Some(Candidates::Names(Box::new(move || line.levels()))),
        ("lookup" | "refactor", "keys")
        | ("compare" | "diff" | "history", "key")
        | ("enc", "classes" | "parameters" | "trusted_external") => {
            Some(Candidates::Names(Box::new(move || line.keys())))
        }
        ("compare", "left" | "right") | ("affected", "why_not") | ("enc", "certname") | (_, "node") => {
            Some(Candidates::Names(Box::new(move || line.nodes())))
        }
        ("job", "entry") => Some(Candidates::Names(Box::new(move || line.entries.clone()))),
        ("diff", "revisions") => Some(Candidates::Ranges(Box::new(move || line.revisions()))),
        ("history", "from" | "at") | ("render", "against") | (_, "revision") => {
            Some(Candidates::Names(Box::new(move || line.revisions())))
        }
        (_, "level" | "without_level") => Some(Candidates::Names(Box::new(move || line.levels()))),
        (_, "filter") => Some(Candidates::Names(Box::new(move || line.conditions()))),
        ("diff", "fail_if") => {
            words(&["failures > 0", "findings > 0", "nodes > ", "keys > ", "resources > ", "jobs > "])
        }
        ("refactor", "to") => Some(Candidates::NamesOrFiles(Box::new(move || line.levels()))),
        (_, "environment" | "to_environment" | "agent_environment") => {
            Some(Candidates::Names(Box::new(move || line.environments())))
        }
        ("check", "select" | "ignore") => Some(Candidates::Rules),
        ("explain", "code") => Some(Candidates::Codes),
        (_, "fact") => Some(Candidates::Names(Box::new(move || line.facts()))),
        (_, "modulepath" | "basemodulepath" | "environmentpath") => Some(Candidates::Folders(PATH_SEPARATOR)),
        (_, "datadir") => Some(Candidates::Folders('=')),
        ("query", "render_as") => words(&["table", "ndjson", "csv", "json", "parquet"]),
        ("history", "render_as") => words(&["s", "yaml", "json"]),
        ("lookup", "merge") => words(&["first", "unique", "hash", "deep"]),
        ("lookup", "render_as") => {
            words(&["yaml", "json", "s", "html", "tfvars", "tfvars.json", "env", "dotenv", "properties", "toml"])
        }
        ("eval", "render_as") => words(&["puppet", "yaml", "json", "s", "report"]),
        ("eval", "language") => words(&["puppet", "unfurl", "hcl"]),
        ("eval", "kind") => words(&["expr", "map", "template", "body", "json_expr"]),
        ("render", "language") => words(&["epp", "erb", "jinja2", "hcl"]),
        ("render", "render_as") => words(&["text"]),
        ("parse", "render_as") => words(&["pn", "json"]),
        ("expand" | "job", "render_as") => words(&["json", "yaml", "s", "report"]),
        ("compare", "render_as") => words(&["s", "yaml", "json"]),
        (_, "changes" | "limits") if argument.get_long() == Some("limit") => Some(Candidates::Limits),
        _ => None,
    };
    // Files whose names are not parsed as paths: a line may follow, or they are passed on as strings.
    let is_file = match (verb, name) {
        _ if is_file_of_split => true,
        ("affected", "parts") | ("check", "exclude") => true,
        (_, name) => name.ends_with("private_key") || name.ends_with("public_key"),
    };
    match offer {
        Some(offer) => argument.add(ArgValueCompleter::new(offer)),
        None if is_file => argument.add(ArgValueCompleter::new(PathCompleter::any())),
        None => argument,
    }
}

/// The character between the folders of a search path.
const PATH_SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The candidates for a value.
enum Candidates {
    Words(&'static [&'static str]),
    /// Names that are looked for when they are needed.
    Names(Box<dyn Fn() -> Vec<String> + Send + Sync>),
    /// Names that are looked for when they are needed, and files.
    NamesOrFiles(Box<dyn Fn() -> Vec<String> + Send + Sync>),
    /// Folders after the last of these characters.
    Folders(char),
    /// Names of revisions, one or two with dots between them.
    Ranges(Box<dyn Fn() -> Vec<String> + Send + Sync>),
    /// Codes of rules, several with commas between them.
    Rules,
    /// A code that has a page.
    Codes,
    /// Names of limits.
    Limits,
}

impl ValueCompleter for Candidates {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some(current) = current.to_str() else { return Vec::new() };
        let begins = |name: &&str| name.starts_with(current);
        match self {
            Candidates::Words(words) => words.iter().copied().filter(begins).map(CompletionCandidate::new).collect(),
            Candidates::Names(names) => {
                names().iter().map(String::as_str).filter(begins).map(CompletionCandidate::new).collect()
            }
            Candidates::NamesOrFiles(names) => {
                let names = names();
                let fitting = names.iter().map(String::as_str).filter(begins).map(CompletionCandidate::new);
                fitting.chain(PathCompleter::any().complete(OsStr::new(current))).collect()
            }
            Candidates::Folders(separator) => {
                let (done, begun) =
                    current.split_at(current.rfind(*separator).map_or(0, |at| at + separator.len_utf8()));
                let folders = PathCompleter::dir().complete(OsStr::new(begun));
                folders.into_iter().map(|folder| folder.add_prefix(done)).collect()
            }
            Candidates::Ranges(names) => {
                let (done, begun) = current.split_at(current.rfind("..").map_or(0, |dots| dots + 2));
                let fitting = names().into_iter().filter(|name| name.starts_with(begun));
                fitting.map(|name| CompletionCandidate::new(format!("{done}{name}"))).collect()
            }
            Candidates::Rules => {
                let (done, begun) = current.split_at(current.rfind(',').map_or(0, |comma| comma + 1));
                candidates(done, begun, rules::codes())
            }
            Candidates::Codes => candidates("", current, codes::all()),
            Candidates::Limits => {
                let limits = Limits::default();
                let candidate = |(name, value, about): &(&str, String, &str)| {
                    CompletionCandidate::new(format!("{name}=")).help(Some(format!("{about} ({value})").into()))
                };
                limits.table().iter().filter(|(name, ..)| name.starts_with(current)).map(candidate).collect()
            }
        }
    }
}

/// The parsed words before the cursor, as far as they affect the candidates.
struct CommandLine {
    /// The words as they are.
    words: Vec<OsString>,
    place: PlaceArguments,
    /// The names of the entries of `[[jobs]]`.
    entries: Vec<String>,
    survey: LazyLock<Option<Survey>, Box<dyn FnOnce() -> Option<Survey> + Send + Sync>>,
}

/// The maximum number of nodes with facts whose keys are offered if no node is named.
const MOST_NODES: usize = 20;

impl CommandLine {
    fn new(before: &[OsString]) -> CommandLine {
        // The last flag may still lack the value that is being completed.
        let verb = (0..2)
            .filter_map(|less| before.len().checked_sub(less))
            .find_map(|count| Arguments::try_parse_from(&before[..count]).ok()?.verb);
        let mut verb = verb;
        if let Some(verb) = &mut verb {
            // Errors in the settings are reported when the command runs.
            let _ = apply_settings(verb);
        }
        let entries = match &verb {
            Some(Verb::Job(LazyArgs(job))) => job.sets.iter().map(|set| set.shown_name().to_owned()).collect(),
            _ => Vec::new(),
        };
        let place = match verb {
            Some(Verb::Lookup(LazyArgs(lookup))) => lookup.place,
            Some(Verb::Query(LazyArgs(query))) => query.place,
            Some(Verb::Compare(LazyArgs(compare))) => compare.place,
            Some(Verb::Enc(LazyArgs(enc))) => enc.place,
            Some(Verb::External(LazyArgs(external))) => external.place,
            Some(Verb::Diff(LazyArgs(diff))) => diff.place,
            Some(Verb::History(LazyArgs(history))) => history.place,
            Some(Verb::Affected(LazyArgs(affected))) => affected.place,
            Some(Verb::Refactor(LazyArgs(refactor))) => refactor.place,
            Some(Verb::Types(LazyArgs(types))) => types.place,
            Some(Verb::Schema(LazyArgs(schema))) => schema.place,
            Some(Verb::Eval(LazyArgs(eval))) => eval.place,
            Some(Verb::Render(LazyArgs(render))) => render.place,
            Some(Verb::Repl(LazyArgs(repl))) => repl.place,
            Some(Verb::Catalog(LazyArgs(catalog))) => catalog.place,
            Some(Verb::Check(LazyArgs(check))) => PlaceArguments {
                environment: check.environment,
                environment_dir: check.environment_dir,
                codedir: check.codedir,
                facts: check.facts,
                ..PlaceArguments::default()
            },
            Some(Verb::Job(LazyArgs(job))) => job.place(),
            _ => PlaceArguments::default(),
        };
        let settings = safe(&place);
        CommandLine {
            words: before.to_vec(),
            place,
            entries,
            survey: LazyLock::new(Box::new(move || hieratic_lint::survey(&settings))),
        }
    }

    /// Returns whether a word is among those before the cursor.
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|one| one == word)
    }

    /// The keys of the node, or those of all files of data if no node is named.
    fn keys(&self) -> Vec<String> {
        let mut keys: BTreeSet<String> = BTreeSet::new();
        let Ok(environment) = Environment::open(&safe(&self.place)) else { return Vec::new() };
        let nodes = match &self.place.node {
            Some(node) => vec![node.clone()],
            None => self.folders().flat_map(|folder| folder.names().unwrap_or_default()).take(MOST_NODES).collect(),
        };
        for node in nodes {
            let place = PlaceArguments { node: Some(node), facts_by_settings: true, ..self.place.clone() };
            let facts = Target::new(&place).facts_for_completion();
            let found = facts.and_then(|facts| environment.keys(&environment.node(&facts).ok()?).ok());
            keys.extend(found.unwrap_or_default());
        }
        if self.place.node.is_none() || keys.is_empty() {
            keys.extend(self.survey.iter().flat_map(|survey| survey.keys.iter().cloned()));
        }
        keys.into_iter().collect()
    }

    fn nodes(&self) -> Vec<String> {
        let mut nodes: BTreeSet<String> =
            self.folders().flat_map(|folder| folder.names().unwrap_or_default()).collect();
        nodes.extend(self.survey.iter().flat_map(|survey| survey.nodes.iter().cloned()));
        nodes.into_iter().collect()
    }

    /// The branches and tags of the repository.
    fn revisions(&self) -> Vec<String> {
        let settings = safe(&self.place);
        let folder = target::environment_folder(&settings).unwrap_or_else(|| target::nearest_folder(&settings));
        revisions::names(&folder.canonicalize().unwrap_or(folder))
    }

    /// The names of the levels of the hierarchies.
    fn levels(&self) -> Vec<String> {
        // An environment that cannot be opened has no names to offer; the verb reports why.
        Environment::open(&safe(&self.place)).map(|environment| level_names(&environment)).unwrap_or_default()
    }

    /// The beginnings of conditions on facts.
    fn conditions(&self) -> Vec<String> {
        self.facts().iter().map(|fact| format!("facts.{} == ", fact.trim_end_matches('='))).collect()
    }

    fn environments(&self) -> Vec<String> {
        Target::new(&self.place).settings().environments()
    }

    /// The names of the facts of the node, or of all nodes with files of facts.
    fn facts(&self) -> Vec<String> {
        let nodes = match &self.place.node {
            Some(_) => Target::new(&self.place).facts_for_completion().into_iter().collect(),
            None => {
                let of_folder = |folder: FactsFolder| folder.nodes().unwrap_or_default();
                self.folders().flat_map(of_folder).take(MOST_NODES).filter_map(Result::ok).collect::<Vec<_>>()
            }
        };
        let names: BTreeSet<String> =
            nodes.iter().flat_map(|facts| facts.facts().keys()).map(|name| format!("{}=", name.to_text())).collect();
        names.into_iter().collect()
    }

    fn folders(&self) -> impl Iterator<Item = FactsFolder> {
        let permissions = target::permissions(&self.place);
        let folders: Vec<PathBuf> = self.place.facts.iter().filter(|path| path.is_dir()).cloned().collect();
        folders.into_iter().map(move |folder| FactsFolder::new(&folder, &permissions))
    }
}

/// The settings for completing names: nothing runs, and nothing outside is read, regardless of trust.
fn safe(place: &PlaceArguments) -> Settings {
    let mut settings = Target::new(place).settings_with(false);
    settings.permissions = hieratic::Permissions { confined: true, ..hieratic::Permissions::default() };
    settings
}

/// The codes with a prefix, each appended to the codes that are already written.
fn candidates(done: &str, begun: &str, codes: impl IntoIterator<Item = Code>) -> Vec<CompletionCandidate> {
    let fitting = codes.into_iter().filter(|code| code.id().starts_with(begun));
    fitting.map(|code| CompletionCandidate::new(format!("{done}{code}")).help(Some(code.title().into()))).collect()
}
