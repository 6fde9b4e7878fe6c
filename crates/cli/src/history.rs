//! `hieratic history`: the commits that changed an answer.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use hieratic::budget::Budget;
use hieratic::catalog::{CATALOG_LIMITS, Classification, ProgramOutputs};
use hieratic::code::RubyMemo;
use hieratic::hiera::KeyRecord;
use hieratic::lookup::Origin;
use hieratic::puppet_types::quantities::Timestamp;
use hieratic::sandbox::Mounted;
use hieratic::{Compiler, Environment, Error, ErrorKind, Facts, Hash, Limits, Node, Query, Settings, Value};
use hieratic_diagnostics::render::visible_line;
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_git::{Author, Commit, Reads, Repository};
use hieratic_impact::{Arrays, Leaf, content_leaves, leaves, resource_leaves};
use hieratic_lint::Progress as _;
use hieratic_output::RenderAs;
use hieratic_report::{CommitLook, History, HistoryEntry, HistorySearch, ReadData};

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::catalog::inputs;
use crate::levels;
use crate::parts::write_parts;
use crate::progress::Bar;
use crate::report::Reporter;
use crate::revisions::{self, failed, without_hierarchy};
use crate::target::Target;
use crate::terminal::painted;
use crate::usage::usage;
use crate::{codes, output};

/// The flags of `history`.
#[derive(Args, Debug)]
pub(crate) struct HistoryArguments {
    /// The key, or a resource of the catalog: 'File[/etc/hosts]'
    #[arg(value_name = "KEY")]
    key: String,
    /// Start at this revision instead of HEAD
    #[arg(value_name = "REVISION")]
    from: Option<String>,
    /// Print only the answer at this revision
    #[arg(long, value_name = "REVISION", conflicts_with = "from")]
    at: Option<String>,
    /// Look no further back than this day (UTC), as in 2026-01-31
    #[arg(long, alias = "after", value_name = "DAY", conflicts_with = "at")]
    since: Option<Day>,
    /// Leave commits after this day (UTC) out
    #[arg(long, alias = "before", value_name = "DAY", conflicts_with = "at")]
    until: Option<Day>,
    /// Stop after this many changes
    #[arg(long, short = 'n', value_name = "NUMBER")]
    max_count: Option<usize>,
    /// Show decrypted and Sensitive values (default: redacted)
    #[arg(long)]
    reveal: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// The output format: s, yaml or json
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT")]
    render_as: Option<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &HistoryArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal);
    match print_history(arguments, &reporter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// The query for one key of one node.
struct HistoryQuery<'q> {
    key: &'q str,
    settings: Settings,
    root: PathBuf,
    facts: Facts,
    limits: Limits,
    /// The limits for compiling a catalog.
    of_catalogs: Limits,
    /// The output of programs, which is the same for all commits.
    programs: Arc<ProgramOutputs>,
    /// The results of expensive Ruby functions, shared by all commits.
    answers: Arc<RubyMemo>,
    repository: Repository,
    reporter: &'q Reporter,
    /// The environment at the last commit that was looked at, from which the next one takes files over.
    last: RefCell<Option<Environment>>,
}

/// The answer at a commit: the value or the error message; `None` if the key is missing.
type CommitAnswer = Option<Result<Answer, String>>;

/// A value, or the parameters of a resource, with secrets redacted.
struct Answer {
    shown: Value,
    leaves: Vec<Leaf>,
    arrays: Arrays,
}

fn print_history(arguments: &HistoryArguments, reporter: &Reporter) -> Result<(), Error> {
    let format = output::format(arguments.render_as.as_deref())
        .map_err(|message| usage(message).help("the formats are s, yaml and json"))?;
    revisions::check_found(&arguments.place)?;
    let (settings, folder) = revisions::environment(&arguments.place);
    let (outside, limits) = (settings.permissions.outside, arguments.limits.limits());
    let repository = revisions::repository(&folder, outside, limits, "run it in a control repository")?;
    let question = HistoryQuery {
        key: &arguments.key,
        settings,
        root: repository.root().to_owned(),
        facts: Target::new(&arguments.place).facts(reporter)?,
        limits,
        of_catalogs: arguments.limits.over(CATALOG_LIMITS),
        programs: Arc::default(),
        answers: Arc::default(),
        repository,
        reporter,
        last: RefCell::default(),
    };
    if let Some(at) = &arguments.at {
        let commit = question.repository.commit(at).map_err(failed)?;
        let (moment, _) = question.at(commit, Arc::default())?;
        return question.print_one(commit, &moment, format);
    }
    let from = question.repository.commit(arguments.from.as_deref().unwrap_or("HEAD")).map_err(failed)?;
    if revisions::of_all_environments(&arguments.place).is_some() {
        question.note_other_environments(from)?;
    }
    let from = match arguments.until {
        Some(Day(until)) => question.last_commit_before(from, until + SECONDS_OF_DAY)?,
        None => from,
    };
    let most = arguments.max_count.unwrap_or(usize::MAX).max(1);
    let since = arguments.since.map_or(i64::MIN, |Day(since)| since);
    let is_text = matches!(format, None | Some(RenderAs::S));
    let bar = Bar::new(arguments.quiet);
    // How many commits there are is not known before.
    bar.begin("commits", 0);
    let walk = HistorySearch {
        repository: &question.repository,
        at: &|commit, reads| {
            let (answer, recorded_keys) = question.at(commit, reads)?;
            let arrays = match &answer {
                Some(Ok(answer)) => answer.arrays,
                Some(Err(_)) | None => Arrays::default(),
            };
            Ok(CommitLook {
                answer: answer.map(|answer| answer.map(|answer| answer.leaves)),
                arrays,
                requested: recorded_keys,
            })
        },
        continues: &|step, entries| {
            bar.step();
            Ok(entries.len() < most && step.seconds >= since)
        },
        found: &|entry| {
            if is_text {
                bar.aside(|| reporter.print_text(question.entry_text(entry).as_bytes()));
            }
        },
        failed: &failed,
    };
    let history = hieratic_report::history(from, &walk)?;
    bar.finish();
    if history.entries.is_empty() {
        question.check_hierarchy(from)?;
    }
    if !arguments.place.without_level_by_settings && !arguments.place.without_level.is_empty() {
        question.warn_of_unknown_levels(&arguments.place.without_level, from)?;
    }
    match format.filter(|_| !is_text) {
        Some(format) => question.print_entries(&history, format),
        None => {
            reporter.print_text(question.end_text(&history, since > i64::MIN).as_bytes());
            Ok(())
        }
    }
}

/// The seconds of a day.
const SECONDS_OF_DAY: i64 = 24 * 60 * 60;

/// A day that a flag names: its first second since 1970, in UTC.
#[derive(Clone, Copy, Debug)]
struct Day(i64);

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        // Whatever is wrong, the message says how a day is written.
        let day = Timestamp::parse_format(text, "%Y-%m-%d", None).ok();
        let seconds = day.and_then(|day| i64::try_from(day.to_seconds()).ok());
        seconds.map(Day).ok_or_else(|| "a day is written as 2026-01-31".to_owned())
    }
}

/// Returns whether a key is the reference of a resource: `File[/etc/hosts]`.
fn is_resource(key: &str) -> bool {
    key.ends_with(']') && key.contains('[') && key.starts_with(|first: char| first.is_ascii_uppercase())
}

impl HistoryQuery<'_> {
    /// The answer at a commit, missing if the environment does not exist yet, and the keys for which it has asked.
    fn at(&self, commit: Commit, reads: Arc<Reads>) -> Result<(CommitAnswer, Option<ReadData>), Error> {
        // Each commit has the limits of an answer; only reading the history is charged to the shared budget.
        let repository = self.repository.within(&Budget::new(self.limits));
        let tree = Mounted::new(&self.root, repository.tree(commit).map_err(failed)?.recording(reads));
        let moment = self.in_tree(&tree);
        // If a part of the commit cannot be read, the answer is unknown, even if evaluation ignored that part.
        match tree.fault() {
            Some(error) => {
                Err(Error::new(ErrorKind::Fatal, codes::REVISION, format!("at {}: {error}", commit.short())))
            }
            None => moment,
        }
    }

    /// Reports the selected environment if a commit has several and no flag names one.
    fn note_other_environments(&self, commit: Commit) -> Result<(), Error> {
        let selected = self.settings.environment_name();
        let settings = Settings { environment: None, environment_dir: None, ..self.in_commit(commit)? };
        let mut others = settings.environments();
        others.retain(|name| name != selected);
        if settings.environmentpath.is_some() && !others.is_empty() {
            let message = format!("this is the history of the environment {selected}, not of {}", others.join(", "));
            let note = Diagnostic::new(Severity::Note, codes::NOT_COMPARED, message);
            self.reporter.diagnostic(&note.help("choose one: --environment NAME"));
        }
        Ok(())
    }

    /// The settings with the files of a commit.
    fn in_commit(&self, commit: Commit) -> Result<Settings, Error> {
        let repository = self.repository.within(&Budget::new(self.limits));
        let tree = Mounted::new(&self.root, repository.tree(commit).map_err(failed)?);
        Ok(Settings { limits: self.limits, tree: Some(tree), ..self.settings.clone() })
    }

    /// Returns an error if no hierarchy can have the key, instead of an empty history.
    fn check_hierarchy(&self, commit: Commit) -> Result<(), Error> {
        if is_resource(self.key) {
            return Ok(());
        }
        let environment = Environment::open(&self.in_commit(commit)?).map_err(|error| {
            let message = format!("at {}: {error}", commit.short());
            Error::new(ErrorKind::Fatal, error.code(), message)
                .help("name an environment of the repository: --environment NAME")
        })?;
        match without_hierarchy(&environment) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Warns if no hierarchy of a commit has a level that is left out. An older commit may have it, so it is no error.
    fn warn_of_unknown_levels(&self, levels: &[String], commit: Commit) -> Result<(), Error> {
        let opened = Environment::open(&self.in_commit(commit)?);
        // An environment that cannot be opened has its error in the history.
        let Ok(environment) = opened else { return Ok(()) };
        if let Err(error) = levels::check_left_out(levels, std::slice::from_ref(&environment)) {
            let message = format!("at {}: {error}", commit.short());
            let warning = Diagnostic::new(Severity::Warning, codes::USAGE, message);
            self.reporter.diagnostic(&error.help_text().into_iter().fold(warning, Diagnostic::help));
        }
        Ok(())
    }

    fn in_tree(&self, tree: &Mounted) -> Result<(CommitAnswer, Option<ReadData>), Error> {
        let settings = Settings { limits: self.limits, tree: Some(tree.clone()), ..self.settings.clone() };
        let opened = match &*self.last.borrow() {
            Some(last) => Environment::open_after(&settings, last),
            None => Environment::open(&settings),
        };
        let environment = match opened {
            Ok(environment) => environment,
            Err(error) if error.code() == hieratic::codes::ENVIRONMENT_MISSING => {
                return Ok((None, None));
            }
            Err(error) => return Ok((Some(Err(error.to_string())), None)),
        };
        self.reporter.redact_secrets_of(&environment);
        if is_resource(self.key) {
            return Ok((self.resource(&environment), None));
        }
        let recorded_keys = Arc::new(KeyRecord::default());
        let node = environment.node(&self.facts)?.recording_keys(recorded_keys.clone());
        let query = Query { names: vec![self.key], budget: Budget::new(self.limits), ..Query::default() };
        let read_data = || ReadData::new(&node, &recorded_keys, &self.root);
        let answer = match node.lookup_traced(&query) {
            Ok(answer) => {
                let (object, redactor) = (answer.value, self.reporter.redactor());
                let shown = redactor.answer(&object);
                // Options that cannot be used make the lookup fail, too.
                let arrays = Arrays::of_answer(&node, &query).unwrap_or_default();
                (Some(Ok(Answer { shown, leaves: leaves(&object, redactor), arrays })), read_data())
            }
            Err(error) if error.code() == Node::NOT_FOUND => (None, read_data()),
            Err(error) => (Some(Err(self.reporter.redactor().message(&error.to_string()).into_owned())), None),
        };
        self.last.replace(Some(environment));
        Ok(answer)
    }

    /// The parameters of the resource in the catalog of the node.
    fn resource(&self, environment: &Environment) -> Option<Result<Answer, String>> {
        let redactor = self.reporter.redactor();
        let compiler = Compiler::limited(environment, self.of_catalogs)
            .sharing_programs(self.programs.clone())
            .sharing_answers(self.answers.clone());
        let mut facts = self.facts.clone();
        inputs::serve(&mut facts, &inputs::of_this_machine(environment.puppet_version()));
        let catalog = compiler.compile(facts, &Classification::default()).catalog;
        let catalog = match catalog {
            Ok(catalog) => catalog,
            Err(failure) => return Some(Err(redactor.message(&failure.to_string()).into_owned())),
        };
        let resource = catalog.resources.iter().find(|resource| resource.reference() == self.key)?;
        let mut leaves = resource_leaves(resource, redactor);
        leaves.extend(content_leaves(resource, environment, redactor));
        let shown = |name: &str| -> Value {
            // A secret is a single leaf, regardless of its structure.
            let mut of_name = leaves.iter().filter(|leaf| leaf.path.first().and_then(Value::as_str) == Some(name));
            match of_name.next().filter(|leaf| leaf.path.len() == 1) {
                Some(leaf) => leaf.value.clone(),
                None => resource.parameter(name).map_or(Value::Undef, |parameter| redactor.value(&parameter.value)),
            }
        };
        let parameters: Hash =
            resource.parameters.iter().map(|parameter| (parameter.name.clone(), shown(&parameter.name))).collect();
        Some(Ok(Answer { shown: parameters.into(), leaves, arrays: Arrays::Sequences }))
    }

    fn print_one(&self, commit: Commit, moment: &CommitAnswer, format: Option<RenderAs>) -> Result<(), Error> {
        match moment {
            Some(Ok(answer)) => {
                self.reporter.print_redacted_data(&answer.shown, format.unwrap_or(RenderAs::Yaml)).map_err(usage)
            }
            Some(Err(message)) => Err(usage(format!("at {}: {message}", commit.short()))),
            None => Err(usage(format!("{} has no value at {}", self.key, commit.short()))
                .help("`hieratic history KEY` shows when it got its value")),
        }
    }

    /// The newest commit from one on along the first parents that was made before a time.
    fn last_commit_before(&self, from: Commit, seconds: i64) -> Result<Commit, Error> {
        for step in self.repository.history(from) {
            let step = step.map_err(failed)?;
            if step.seconds < seconds {
                return Ok(step.commit);
            }
        }
        Err(usage("no commit is that old".to_owned()).help("--until names a day after the first commit"))
    }

    fn print_entries(&self, history: &History, format: RenderAs) -> Result<(), Error> {
        let origin = |origin: &Origin| self.origin(origin);
        let entries: Value = history.entries.iter().map(|entry| entry.to_value(&origin)).collect();
        self.reporter.print_redacted_data(&entries, format).map_err(usage)
    }

    fn entry_text(&self, HistoryEntry { commit, author, parts, .. }: &HistoryEntry) -> String {
        let color = self.reporter.colors_answers();
        let Author { name, summary, .. } = author;
        let head = visible_line(&format!("{} {}  {name}", commit.short(), author.day()));
        let mut out = format!("{}\n    {}\n", painted(color, "33", &head), visible_line(summary));
        write_parts(&mut out, "      ", parts, &|origin| self.origin(origin), color);
        out
    }

    /// The lines after all entries.
    fn end_text(&self, History { entries, is_cut_off, .. }: &History, is_limited: bool) -> String {
        let mut out = String::new();
        if entries.is_empty() {
            // The first commit with a value is a change.
            let never = if *is_cut_off || is_limited { "" } else { ": it has no value in any of them" };
            out.push_str(&format!("No commit changed {}{never}\n", visible_line(self.key)));
        }
        if *is_cut_off {
            out.push_str("Older commits are not here: fetch them with `git fetch --unshallow`\n");
        }
        out
    }

    fn origin(&self, origin: &Origin) -> String {
        match origin {
            Origin::File { file, line, .. } => {
                let file: &Path = file;
                format!("{}:{line}", file.strip_prefix(&self.root).unwrap_or(file).display())
            }
            other => output::origin_text(other).replace(&format!("{}/", self.root.display()), ""),
        }
    }
}
