//! `hieratic refactor`: changes data and code, and proves that every node gets the same answers.

pub(crate) mod plan_output;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hieratic::{Environment, Error, ErrorKind, Facts, Settings};
use hieratic_lint::Progress as _;
use hieratic_refactor::{
    Plan, PlanError, Proof, environments, files_read, hoist, lower, merge_levels, prune, relocate, rename, split,
};

use crate::args::{LimitArguments, MessageArguments, PlaceArguments};
use crate::codes;
use crate::files::{self, Change, Claim};
use crate::fleet::{Fleet, FleetArguments};
use crate::output;
use crate::progress::Bar;
use crate::report::Reporter;
use crate::revisions;
use crate::target::Target;
use crate::usage::usage;
use hieratic::sandbox::SlashPath as _;

/// The flags of `refactor`.
#[derive(Args, Debug)]
pub(crate) struct RefactorArguments {
    /// The refactoring
    #[arg(value_name = "ACTION")]
    action: Action,
    /// The key; for `rename` also its new name, for `split` the file, for `merge-levels` the two levels
    #[arg(value_name = "NAME")]
    keys: Vec<String>,
    /// The target of the key: a data file, or a level (move, lower)
    #[arg(long, value_name = "FILE|LEVEL")]
    to: Option<String>,
    /// The file that the key is taken from, if several have it (move, lower)
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The prefix of the keys that get a new file (split)
    #[arg(long, value_name = "PREFIX")]
    by: Option<String>,
    /// Write the files; all of them, or none
    #[arg(long)]
    write: bool,
    /// Write even if answers change
    #[arg(long)]
    accept_changes: bool,
    #[command(flatten)]
    pub(crate) fleet: FleetArguments,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The refactoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Action {
    /// Give a key another name, in data, options, interpolations and code
    Rename,
    /// Move a key to another file
    Move,
    /// Move a key that several files repeat to the lowest level that can have it
    Hoist,
    /// Move a key to the files of a level
    Lower,
    /// Move the keys of a file that begin with a prefix to a new file
    Split,
    /// Remove values that repeat a lower level
    Dedupe,
    /// Remove all values that no node needs
    Prune,
    /// Make one level of two that are next to each other
    MergeLevels,
}

/// The status of a change that cannot be planned.
const NOT_PLANNED: u8 = 2;

/// Runs the verb.
pub(crate) fn run(arguments: &RefactorArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match refactored(arguments, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::from(NOT_PLANNED)
        }
    }
}

fn refactored(arguments: &RefactorArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    // A change that an earlier run left unfinished must be completed first.
    files::recover(reporter);
    let (settings, environment) = opened(arguments, reporter)?;
    let fleet = Fleet::load(&arguments.fleet, &arguments.place, &environments(&settings), &environment, reporter)?;
    let bar = Bar::new(arguments.quiet);
    bar.begin("planning the change", 0);
    let (plan, proof) = planned(arguments, &settings, &fleet, reporter, &bar)?;
    bar.finish();
    if plan.is_empty() {
        reporter.log_line("Nothing to change", "", false);
        return Ok(ExitCode::SUCCESS);
    }
    reporter.print_text(plan_output::diff(&plan).as_bytes());
    plan_output::warnings(&plan, reporter);
    plan_output::notes(&plan, reporter);
    plan_output::proof(&proof, &fleet, reporter);
    let is_safe = proof.holds() && proof.is_whole() && plan.warnings.is_empty();
    if !arguments.write {
        return Ok(if is_safe || arguments.accept_changes { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if !is_safe && !arguments.accept_changes {
        let message = "nothing was written: the change is not safe";
        reporter.plain_error(
            codes::ANSWER_CHANGES,
            message,
            &["pass --accept-changes to write it nevertheless".to_owned()],
        );
        return Ok(ExitCode::FAILURE);
    }
    write(&plan, reporter)?;
    Ok(ExitCode::SUCCESS)
}

impl Action {
    /// Returns whether the action applies to all environments of a repository if none is named. The other actions
    /// change one hierarchy.
    fn is_about_all(self) -> bool {
        matches!(self, Action::Rename | Action::Dedupe | Action::Prune)
    }
}

/// Returns the settings, without a name if they select all environments; and the selected environment, or the first
/// one.
fn opened(arguments: &RefactorArguments, reporter: &Reporter) -> Result<(Settings, Environment), Error> {
    let place = &arguments.place;
    let several = revisions::of_all_environments(place).filter(|_| arguments.action.is_about_all());
    let own = several.as_ref().map(|place| environments(&Target::new(place).settings_with(true)));
    let Some([own, _, ..]) = own.as_deref() else {
        let (settings, _, environment) = revisions::opened(place, &arguments.limits, reporter)?;
        return Ok((settings, environment));
    };
    let own = revisions::of_environment(place, own.environment_name());
    let (settings, _, environment) = revisions::opened(&own, &arguments.limits, reporter)?;
    // A folder that is itself an environment stays selected.
    let environment_dir = settings.environment_dir.clone().filter(|_| settings.environmentpath.is_none());
    Ok((Settings { environment: None, environment_dir, ..settings }, environment))
}

/// The plan of an action, with its proof. Of several that would do, the first that keeps all answers.
fn planned(
    arguments: &RefactorArguments,
    settings: &Settings,
    fleet: &Fleet,
    reporter: &Reporter,
    bar: &Bar,
) -> Result<(Plan, Proof), Error> {
    let plans = plans(arguments, settings, fleet, reporter)?;
    let mut first = None;
    for plan in plans {
        let proof = plan.proof(settings, &fleet.nodes, arguments.limits.limits(), reporter.redactor(), bar)?;
        if proof.holds() {
            return Ok((plan, proof));
        }
        first = first.or(Some((plan, proof)));
    }
    first.ok_or_else(|| usage("there is nothing to do").help("name another key"))
}

fn plans(
    arguments: &RefactorArguments,
    settings: &Settings,
    fleet: &Fleet,
    reporter: &Reporter,
) -> Result<Vec<Plan>, Error> {
    let one = |name: &str| match arguments.keys.as_slice() {
        [key] => Ok(key.as_str()),
        _ => Err(usage(format!("{name} needs one key")).help(format!("hieratic refactor {name} KEY"))),
    };
    let to = |name: &str| {
        let missing = || usage(format!("{name} needs --to")).help("name a data file or a level of hiera.yaml");
        arguments.to.as_deref().ok_or_else(missing)
    };
    let from = arguments.from.as_deref().map(|from| absolute(&from.to_string_lossy()));
    let from = from.as_deref();
    let plan = match arguments.action {
        Action::Rename => match arguments.keys.as_slice() {
            [old, new] => rename(settings, old, new).map_err(failed)?,
            _ => return Err(usage("rename needs two keys").help("hieratic refactor rename OLD NEW")),
        },
        Action::Move => relocate(settings, one("move")?, &shown_to(to("move")?), from).map_err(failed)?,
        Action::Hoist => return hoist(settings, one("hoist")?).map_err(failed),
        Action::Lower => lower(settings, one("lower")?, to("lower")?, from, &fleet.nodes).map_err(failed)?,
        Action::Split => {
            let missing = || usage("split needs --by").help("hieratic refactor split FILE --by PREFIX");
            let file = absolute(one("split")?);
            split(settings, &file, arguments.by.as_deref().ok_or_else(missing)?).map_err(failed)?
        }
        Action::MergeLevels => match arguments.keys.as_slice() {
            [upper, lower] => merge_levels(settings, upper, lower).map_err(failed)?,
            _ => return Err(usage("merge-levels needs two levels").help("hieratic refactor merge-levels UPPER LOWER")),
        },
        Action::Dedupe | Action::Prune => {
            if !arguments.keys.is_empty() {
                return Err(usage("dedupe and prune take no keys").help("they remove unneeded data from all files"));
            }
            // Made-up nodes are not all there are.
            let nodes: &[Facts] = if fleet.are_derived { &[] } else { &fleet.nodes };
            plan_output::coverage(files_read(settings, nodes).map_err(failed)?, fleet, reporter);
            let pruned = prune(settings, nodes, arguments.action == Action::Dedupe).map_err(failed)?;
            plan_output::pruned(&pruned, reporter);
            pruned.plan
        }
    };
    Ok(vec![plan])
}

/// A file as it is named from the current folder; the name of a level stays.
fn shown_to(to: &str) -> String {
    let is_file = Path::new(to).extension().is_some() && (to.contains('/') || Path::new(to).exists());
    if is_file { absolute(to).to_slashes() } else { to.to_owned() }
}

/// Returns the absolute path of a file. The folder of a new file may be reached through a link.
fn absolute(file: &str) -> PathBuf {
    let path = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
    let folder = path.parent().and_then(|folder| hieratic::sandbox::real_path(folder).ok());
    folder.and_then(|folder| Some(folder.join(path.file_name()?))).unwrap_or(path)
}

fn failed(refusal: PlanError) -> Error {
    Error::new(ErrorKind::Fatal, codes::REFACTOR, refusal.message).help(refusal.help)
}

fn failed_to_remove(shown: &str, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Fatal, codes::REFACTOR, format!("{shown} cannot be removed: {error}"))
        .help("everything else is done, and the file is empty: remove it")
}

/// Writes all files of a plan, or none.
pub(crate) fn write(plan: &Plan, reporter: &Reporter) -> Result<(), Error> {
    let mut claims = Vec::new();
    for (path, change) in plan.changes() {
        let claim = Claim::acquire(path, reporter)?;
        let now = claim.before().map(<[u8]>::to_vec);
        if now.as_deref() != change.before.as_deref().map(str::as_bytes) {
            let message = format!("{} changed meanwhile", plan.shown(path));
            return Err(Error::new(ErrorKind::Fatal, codes::REFACTOR, message)
                .help("nothing was written; run the command again"));
        }
        claims.push((claim, change.after.as_bytes()));
    }
    let changes: Vec<Change<'_>> = claims.iter().map(|(claim, bytes)| Change::new(claim, bytes)).collect();
    files::replace(&changes)?;
    for path in plan.removed() {
        files::remove_empty(path).map_err(|error| failed_to_remove(&plan.shown(path), &error))?;
    }
    reporter.log_line(&format!("Wrote {}", output::counted(changes.len(), "file")), "", false);
    Ok(())
}
