//! `hieratic history`: how an answer changed over the commits of the repository.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use hieratic::powers::{Budget, Tree};
use hieratic::{Environment, Error, Facts, Hash, Limits, Node, Object, Query, Settings, Value};
use hieratic_changes::{Found, Interest, Part, differences};
use hieratic_diagnostics::render::visible_line;
use hieratic_render::RenderAs;
use hieratic_revisions::{Author, Commit, Repository};

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::report::Reporter;
use crate::revisions::{self, failed};
use crate::usage::usage;
use crate::{output, place};

/// The flags of `history`.
#[derive(Args, Debug)]
pub(crate) struct HistoryArguments {
    /// The key
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
    repository: Repository,
    reporter: &'q Reporter,
}

/// What is answered at a moment.
struct Moment {
    /// The value, the message of an error, or none.
    answer: Option<Result<Object, String>>,
    /// The files that can change it; none if any can.
    interest: Option<Interest>,
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

impl Question<'_> {
    /// The answer at a commit. An environment that is not there yet has none.
    fn at(&self, commit: Commit) -> Result<Moment, Error> {
        let tree: Arc<dyn Tree> = Arc::new(self.repository.tree(commit).map_err(failed)?);
        let settings = Settings { limits: self.limits, tree: Some((self.root.clone(), tree)), ..self.settings.clone() };
        let environment = match Environment::open(&settings) {
            Ok(environment) => environment,
            Err(error) if error.code() == "environment-missing" => return Ok(Moment { answer: None, interest: None }),
            Err(error) => return Ok(Moment { answer: Some(Err(error.to_string())), interest: None }),
        };
        self.reporter.cover(&environment);
        let node = environment.node(&self.facts)?;
        let interest = Interest::of(&environment, &node, self.limits).ok();
        let query = Query { names: vec![self.key], budget: Budget::new(self.limits), ..Query::default() };
        let answer = match node.lookup_traced(&query) {
            Ok(answer) => Some(Ok(answer.value)),
            Err(error) if error.code() == Node::NOT_FOUND => None,
            Err(error) => Some(Err(self.reporter.mask().message(&error.to_string()).into_owned())),
        };
        Ok(Moment { answer, interest })
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
            let parts = differences([before.answer.as_ref(), now.answer.as_ref()], self.reporter.mask());
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
            Some(Ok(object)) => {
                let mask = self.reporter.mask();
                let value = if mask.reveals() { object.to_value() } else { mask.value(&object.masked()) };
                self.reporter.tell_data(&value, format.unwrap_or(RenderAs::Yaml)).map_err(usage)
            }
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
            let Author { name, seconds, summary, .. } = &entry.author;
            let head = visible_line(&format!("{} {}  {name}", entry.commit.short(), day(*seconds)));
            out.push_str(&format!("{}\n    {}\n", painted("33", &head), visible_line(summary)));
            for part in &entry.parts {
                for (found, (sign, code)) in part.sides.iter().zip([("-", "31"), ("+", "32")]) {
                    let Some(found) = found else { continue };
                    let line = visible_line(&format!("{sign} {}", text_of(part, found)));
                    let origin = self.origin(found).map_or(String::new(), |origin| format!("  # {origin}"));
                    out.push_str(&format!("      {}{}\n", painted(code, &line), painted("2", &visible_line(&origin))));
                }
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
                pairs.extend(self.origin(found).map(|origin| ("origin", Value::from(origin))));
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
        let Author { name, mail, seconds, summary } = &entry.author;
        hash(vec![
            ("commit", entry.commit.to_string().into()),
            ("author", name.as_str().into()),
            ("mail", mail.as_str().into()),
            ("date", day(*seconds).into()),
            ("summary", summary.as_str().into()),
            ("parts", entry.parts.iter().map(part).collect()),
        ])
    }

    fn origin(&self, found: &Found) -> Option<String> {
        match found.origin.as_ref()? {
            hieratic::Origin::File { file, line, .. } => {
                let file: &Path = file;
                Some(format!("{}:{line}", file.strip_prefix(&self.root).unwrap_or(file).display()))
            }
            other => Some(output::origin_text(other)),
        }
    }
}

fn text_of(part: &Part, found: &Found) -> String {
    let path = output::path_text(&part.path);
    let between = if path.is_empty() { "" } else { " = " };
    let value = if found.is_fault { found.value.to_text() } else { found.value.inspect() };
    format!("{path}{between}{value}")
}

/// The day of a moment, in UTC, as `2026-01-31`.
///
/// The days of a year that begins in March; see <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
fn day(seconds: i64) -> String {
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{:02}", of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, text) in
            [(0, "1970-01-01"), (951_782_400, "2000-02-29"), (1_795_305_600, "2026-11-22"), (-1, "1969-12-31")]
        {
            assert_eq!(day(seconds), text);
        }
    }
}
