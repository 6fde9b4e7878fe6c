//! `hieratic history`: how an answer changed over the commits of the repository.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use hieratic::powers::{Budget, Tree};
use hieratic::{
    CATALOG_LIMITS, Classification, Compiler, Environment, Error, Facts, Hash, Limits, Node, Origin, Query, Settings,
    Value,
};
use hieratic_changes::{Found, Interest, Leaf, Part, differences_of_leaves, leaves, resource_leaves};
use hieratic_diagnostics::render::visible_line;
use hieratic_render::RenderAs;
use hieratic_revisions::{Author, Commit, Repository};

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::diff::rows::{Row, Sign, lines_of, rows};
use crate::report::Reporter;
use crate::revisions::{self, failed};
use crate::usage::usage;
use crate::{output, place};

/// The flags of `history`.
#[derive(Args, Debug)]
pub(crate) struct HistoryArguments {
    /// The key, or a resource of the catalog: 'File[/etc/hosts]'
    #[arg(value_name = "KEY")]
    key: String,
    /// Start at this revision instead of HEAD
    #[arg(value_name = "REVISION")]
    from: Option<String>,
    /// Print the answer at this revision, and nothing else
    #[arg(long, value_name = "REVISION", conflicts_with = "from")]
    at: Option<String>,
    /// Stop after this many changes
    #[arg(long, short = 'n', value_name = "NUMBER")]
    max_count: Option<usize>,
    /// Show decrypted and Sensitive values, which are redacted otherwise
    #[arg(long)]
    reveal: bool,
    /// The output format: s, yaml or json
    #[arg(long, value_name = "FORMAT")]
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
    match told(arguments, &reporter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// What is asked, of whom.
struct Question<'q> {
    key: &'q str,
    settings: Settings,
    root: PathBuf,
    facts: Facts,
    limits: Limits,
    /// What compiling a catalog may cost.
    of_catalogs: Limits,
    repository: Repository,
    reporter: &'q Reporter,
}

/// What is answered at a moment.
struct Moment {
    /// The value, the message of an error, or none.
    answer: Option<Result<Answer, String>>,
    /// The files that can change it; none if any can.
    interest: Option<Interest>,
}

/// A value, or the parameters of a resource, as it may be shown.
struct Answer {
    shown: Value,
    leaves: Vec<Leaf>,
}

/// A commit that changed the answer.
struct Entry {
    commit: Commit,
    author: Author,
    parts: Vec<Part>,
}

fn told(arguments: &HistoryArguments, reporter: &Reporter) -> Result<(), Error> {
    let format = output::format(arguments.render_as.as_deref())
        .map_err(|message| usage(message).help("the formats are s, yaml and json"))?;
    let (settings, folder) = revisions::environment(&arguments.place);
    let repository = revisions::repository(&folder, "run it in a control repository")?;
    let question = Question {
        key: &arguments.key,
        settings,
        root: repository.root().to_owned(),
        facts: place::of_node(&arguments.place, reporter)?,
        limits: arguments.limits.limits(),
        of_catalogs: arguments.limits.over(CATALOG_LIMITS),
        repository,
        reporter,
    };
    if let Some(at) = &arguments.at {
        let commit = question.repository.commit(at).map_err(failed)?;
        let moment = question.at(commit)?;
        return question.print_one(commit, &moment, format);
    }
    let from = question.repository.commit(arguments.from.as_deref().unwrap_or("HEAD")).map_err(failed)?;
    let (entries, is_cut_off) = question.entries(from, arguments.max_count.unwrap_or(usize::MAX))?;
    question.print(&entries, is_cut_off, format)
}

impl Moment {
    fn leaves(answer: &Result<Answer, String>) -> Result<Vec<Leaf>, String> {
        answer.as_ref().map(|answer| answer.leaves.clone()).map_err(String::clone)
    }
}

/// Whether a key is the reference of a resource: `File[/etc/hosts]`.
fn is_resource(key: &str) -> bool {
    key.ends_with(']') && key.contains('[') && key.starts_with(|first: char| first.is_ascii_uppercase())
}

impl Question<'_> {
    /// The answer at a commit. An environment that is not there yet has none.
    fn at(&self, commit: Commit) -> Result<Moment, Error> {
        let tree: Arc<dyn Tree> = Arc::new(self.repository.tree(commit).map_err(failed)?);
        let settings = Settings { limits: self.limits, tree: Some((self.root.clone(), tree)), ..self.settings.clone() };
        let environment = match Environment::open(&settings) {
            Ok(environment) => environment,
            Err(error) if error.code() == hieratic::codes::ENVIRONMENT_MISSING => {
                return Ok(Moment { answer: None, interest: None });
            }
            Err(error) => return Ok(Moment { answer: Some(Err(error.to_string())), interest: None }),
        };
        self.reporter.cover(&environment);
        if is_resource(self.key) {
            return Ok(Moment { answer: self.resource(&environment), interest: None });
        }
        let node = environment.node(&self.facts)?;
        let interest = Interest::of(&environment, &node, self.limits).ok();
        let query = Query { names: vec![self.key], budget: Budget::new(self.limits), ..Query::default() };
        let answer = match node.lookup_traced(&query) {
            Ok(answer) => {
                let (object, mask) = (answer.value, self.reporter.mask());
                let shown = if mask.reveals() { object.to_value() } else { mask.value(&object.masked()) };
                Some(Ok(Answer { shown, leaves: leaves(&object, mask) }))
            }
            Err(error) if error.code() == Node::NOT_FOUND => None,
            Err(error) => Some(Err(self.reporter.mask().message(&error.to_string()).into_owned())),
        };
        Ok(Moment { answer, interest })
    }

    /// The parameters of the resource in the catalog of the node.
    fn resource(&self, environment: &Environment) -> Option<Result<Answer, String>> {
        let mask = self.reporter.mask();
        let compiler = Compiler::limited(environment, self.of_catalogs);
        let catalog = compiler.compile(self.facts.clone(), &Classification::default()).catalog;
        let catalog = match catalog {
            Ok(catalog) => catalog,
            Err(failure) => return Some(Err(mask.message(&failure.to_string()).into_owned())),
        };
        let resource = catalog.resources.iter().find(|resource| resource.reference() == self.key)?;
        let leaves = resource_leaves(resource, mask);
        let shown = |name: &str| -> Value {
            // A secret is one leaf, whatever it is made of.
            let mut of_name = leaves.iter().filter(|leaf| leaf.path.first().and_then(Value::as_str) == Some(name));
            match of_name.next().filter(|leaf| leaf.path.len() == 1) {
                Some(leaf) => leaf.value.clone(),
                None => resource.parameter(name).map_or(Value::Undef, |parameter| mask.value(&parameter.value)),
            }
        };
        let parameters: Hash =
            resource.parameters.iter().map(|parameter| (parameter.name.clone(), shown(&parameter.name))).collect();
        Some(Ok(Answer { shown: parameters.into(), leaves }))
    }

    /// The commits that changed the answer, newest first, and whether there are older ones that are not here.
    fn entries(&self, from: Commit, most: usize) -> Result<(Vec<Entry>, bool), Error> {
        let mut now = self.at(from)?;
        let mut entries = Vec::new();
        for step in self.repository.history(from) {
            let step = step.map_err(failed)?;
            if step.is_cut_off {
                return Ok((entries, true));
            }
            let can_change =
                |interest: &Interest| step.changed.paths.iter().any(|path| interest.has(&self.root.join(path)));
            if !now.interest.as_ref().is_none_or(can_change) {
                continue;
            }
            let before = match step.parent {
                Some(parent) => self.at(parent)?,
                None => Moment { answer: None, interest: None },
            };
            let [old, new] = [&before, &now].map(|moment| moment.answer.as_ref().map(Moment::leaves));
            let parts = differences_of_leaves([old.as_ref(), new.as_ref()]);
            if !parts.is_empty() {
                let author = self.repository.author(step.commit).map_err(failed)?;
                entries.push(Entry { commit: step.commit, author, parts });
                if entries.len() >= most {
                    break;
                }
            }
            now = before;
        }
        Ok((entries, false))
    }

    fn print_one(&self, commit: Commit, moment: &Moment, format: Option<RenderAs>) -> Result<(), Error> {
        match &moment.answer {
            Some(Ok(answer)) => self.reporter.tell_data(&answer.shown, format.unwrap_or(RenderAs::Yaml)).map_err(usage),
            Some(Err(message)) => Err(usage(format!("at {}: {message}", commit.short()))),
            None => Err(usage(format!("{} has no value at {}", self.key, commit.short()))
                .help("`hieratic history KEY` shows when it got its value")),
        }
    }

    fn print(&self, entries: &[Entry], is_cut_off: bool, format: Option<RenderAs>) -> Result<(), Error> {
        match format {
            None | Some(RenderAs::S) => {
                let text = self.text(entries, is_cut_off);
                self.reporter.print_text(text.as_bytes());
                Ok(())
            }
            Some(format) => {
                let entries: Value = entries.iter().map(|entry| self.data(entry)).collect();
                self.reporter.tell_data(&entries, format).map_err(usage)
            }
        }
    }

    fn text(&self, entries: &[Entry], is_cut_off: bool) -> String {
        let color = self.reporter.colors_answers();
        let painted = |code: &str, text: &str| match color {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_owned(),
        };
        let mut out = String::new();
        for entry in entries {
            let Author { name, summary, .. } = &entry.author;
            let head = visible_line(&format!("{} {}  {name}", entry.commit.short(), entry.author.day()));
            out.push_str(&format!("{}\n    {}\n", painted("33", &head), visible_line(summary)));
            let lines = lines_of(&entry.parts, &|origin| self.origin(origin));
            for Row { sign, text, origin } in rows(&lines) {
                let line = format!("{} {text}", sign.text());
                let line = match sign {
                    Sign::Removed => painted("31", &line),
                    Sign::Added => painted("32", &line),
                    Sign::Around => line,
                };
                let origin = origin.map_or(String::new(), |origin| visible_line(&format!("  # {origin}")));
                out.push_str(&format!("      {line}{}\n", painted("2", &origin)));
            }
        }
        if entries.is_empty() {
            out.push_str(&format!("No commit changed {}\n", visible_line(self.key)));
        }
        if is_cut_off {
            out.push_str("Older commits are not here: fetch them with `git fetch --unshallow`\n");
        }
        out
    }

    fn data(&self, entry: &Entry) -> Value {
        let hash = |pairs: Vec<(&str, Value)>| Value::from(pairs.into_iter().collect::<Hash>());
        let side = |found: &Option<Found>| match found {
            None => Value::Undef,
            Some(found) => {
                let name = if found.is_fault { "error" } else { "value" };
                let mut pairs = vec![(name, found.value.clone())];
                pairs.extend(found.origin.as_ref().map(|origin| ("origin", Value::from(self.origin(origin)))));
                hash(pairs)
            }
        };
        let part = |part: &Part| {
            hash(vec![
                ("path", part.path.iter().cloned().collect()),
                ("before", side(&part.sides[0])),
                ("after", side(&part.sides[1])),
            ])
        };
        let Author { name, mail, summary, .. } = &entry.author;
        hash(vec![
            ("commit", entry.commit.to_string().into()),
            ("author", name.as_str().into()),
            ("mail", mail.as_str().into()),
            ("date", entry.author.day().into()),
            ("summary", summary.as_str().into()),
            ("parts", entry.parts.iter().map(part).collect()),
        ])
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
