//! The repository of git that an environment is in, for verbs that compare revisions.

use std::path::{Path, PathBuf};

use hieratic::powers::Budget;
use hieratic::{Environment, Error, ErrorKind, Limits, Settings, repository_of};
use hieratic_revisions::Repository;

use crate::args::{LimitArguments, PlaceArguments};
use crate::codes;
use crate::place;
use crate::report::Reporter;

/// The settings of a verb that reads each file once and reports lines, and the folder of the environment.
pub(crate) fn environment(place: &PlaceArguments) -> (Settings, PathBuf) {
    let mut settings = Settings { once: true, ..place::settings(place, true) };
    // Git lists names without links.
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| hieratic::powers::plain(folder));
    let own = place::environment_folder(&settings);
    let mut folder = own.clone().unwrap_or_else(|| place::nearest_folder(&settings));
    // A link that nobody named may be a stranger's: opening the environment refuses it where it leads out.
    let may_follow = |link: &Path| {
        let around = repository_of(link).or_else(|| link.parent().map(Path::to_owned)).unwrap_or_default();
        !settings.was_found || real(link).starts_with(real(&around))
    };
    if own.is_none() || may_follow(&folder) {
        // The environment is found under the name that its files have in git, wherever a link to it lies.
        folder = real(&folder);
    }
    if let Some(own) = own
        && folder != hieratic::powers::plain(&own)
    {
        settings.environment_dir = Some(folder.clone());
    }
    // What is in a bare repository is found by its revisions alone.
    if settings.environment_dir.is_none() && settings.environmentpath.is_none() && bare_repository(&folder).is_some() {
        settings.environment_dir = std::path::absolute(&folder).ok();
    }
    (settings, folder)
}

/// The same, opened: with the limits of an answer, and its secrets covered.
pub(crate) fn opened(
    place: &PlaceArguments,
    limits: &LimitArguments,
    reporter: &Reporter,
) -> Result<(Settings, PathBuf, Environment), Error> {
    let (mut settings, folder) = environment(place);
    settings.limits = limits.limits();
    let environment = Environment::open(&settings)?;
    reporter.cover(&environment);
    Ok((settings, folder, environment))
}

/// The repository around a folder, whose reading takes no more than the limits; `outside` lets it lead out of itself, `help` says what to do
/// if there is none.
pub(crate) fn repository(folder: &Path, outside: bool, limits: Limits, help: &str) -> Result<Repository, Error> {
    let root = repository_of(folder).or_else(|| bare_repository(folder)).ok_or_else(|| {
        let message = format!("{} is in no repository of git", folder.display());
        Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help)
    })?;
    Repository::open_within(&root, outside, &Budget::new(limits)).map_err(failed)
}

/// The bare repository that a folder is, or would be in.
fn bare_repository(folder: &Path) -> Option<PathBuf> {
    let folder = hieratic::powers::plain(folder);
    let is_bare = |folder: &&Path| {
        folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
    };
    folder.ancestors().find(is_bare).map(Path::to_owned)
}

/// A revision that cannot be read, as an error of the command.
pub(crate) fn failed(error: hieratic_revisions::Error) -> Error {
    Error::new(ErrorKind::Fatal, codes::REVISION, error.message).help(error.help)
}
