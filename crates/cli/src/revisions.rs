//! The repository of git that an environment is in, for verbs that compare revisions.

use std::path::{Path, PathBuf};

use hieratic::powers::{Budget, Files};
use hieratic::{Environment, Error, ErrorKind, Limits, Settings, repository_of};
use hieratic_revisions::Repository;

use crate::args::{LimitArguments, PlaceArguments};
use crate::levels;
use crate::place;
use crate::report::Reporter;
use crate::{bare, codes};

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
    if settings.environment_dir.is_none() && settings.environmentpath.is_none() && bare::repository(&folder).is_some() {
        settings.environment_dir = std::path::absolute(&folder).ok();
    }
    (settings, folder)
}

/// The flags without an environment, if they mean all environments of a repository that may have several: none is named, by a flag or by
/// the current folder. The settings only say which one is meant where one has to be, and what a folder is called that has no name.
pub(crate) fn of_all_environments(place: &PlaceArguments) -> Option<PlaceArguments> {
    if place.environment.is_some() && !place.environment_by_settings {
        return None;
    }
    let unnamed = PlaceArguments { environment: None, ..place.clone() };
    let settings = place::settings(&unnamed, false);
    match (&settings.environment, &settings.environment_dir, &settings.environmentpath) {
        (None, None, Some(_)) => Some(unnamed),
        (None, Some(_), None) => Some(place.clone()),
        _ => None,
    }
}

/// The flags for an environment of the repository.
pub(crate) fn of_environment(place: &PlaceArguments, name: &str) -> PlaceArguments {
    PlaceArguments { environment: Some(name.to_owned()), environment_by_settings: false, ..place.clone() }
}

/// The environments that a verb about a repository is about, as flags for each: those of the working tree if none is named.
pub(crate) fn environments(place: &PlaceArguments) -> Vec<PlaceArguments> {
    let Some(place_of_all) = of_all_environments(place) else { return vec![place.clone()] };
    let (settings, _) = environment(&place_of_all);
    let mut all = hieratic_refactor::environments(&settings);
    all.sort_by(|one, other| one.environment.cmp(&other.environment));
    match all.as_slice() {
        // Opening it tells whether it is there.
        [_] if settings.environmentpath.is_none() => vec![place.clone()],
        all => all.iter().map(|own| of_environment(&place_of_all, own.environment_name())).collect(),
    }
}

/// Refuses to answer about a repository where none is: a checkout without files, a folder of something else. The environments of this
/// machine, which are asked then, are not those that were meant.
pub(crate) fn check_found(place: &PlaceArguments) -> Result<(), Error> {
    let (settings, folder) = environment(place);
    let is_named = settings.environment_dir.is_some()
        || settings.environmentpath.is_some()
        || settings.codedir.is_some()
        || settings.confdir.is_some()
        || settings.config.is_some()
        || settings.hiera_config.is_some();
    if settings.was_found || is_named {
        return Ok(());
    }
    let message = format!(
        "{} is in no control repository: no folder around it has a hiera.yaml or an environment.conf",
        folder.display()
    );
    // A module of its own, and a clone without a checkout, are the usual ones.
    let help = match repository_of(&folder) {
        Some(root) if is_without_files(&root) => "check the files out: git checkout".to_owned(),
        _ => "run it in a control repository, or name the environment: --environment-dir FOLDER".to_owned(),
    };
    Err(Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help))
}

/// That nothing is known of the data of an environment, as an error: it has no hierarchy that could read any.
pub(crate) fn without_hierarchy(environment: &Environment) -> Option<Error> {
    let missing = environment.missing_hierarchy()?;
    let root = crate::output::relative_file(&environment.layers().environment.root);
    let message = format!("no hierarchy reads the data of {root}: {missing}");
    let help = "write a hiera.yaml of version 5, or name the one of the machine or of Hiera 3: --hiera_config FILE";
    Some(Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help))
}

/// Whether a folder has nothing but the folder of git.
fn is_without_files(root: &Path) -> bool {
    // A folder that cannot be listed is not known to be empty.
    Files::below([root]).list(root).is_ok_and(|entries| entries.iter().all(|entry| entry.name == ".git"))
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
    levels::check_left_out(place, &environment)?;
    reporter.cover(&environment);
    Ok((settings, folder, environment))
}

/// The repository around a folder, whose reading takes no more than the limits; `outside` lets it lead out of itself, `help` says what to do
/// if there is none.
pub(crate) fn repository(folder: &Path, outside: bool, limits: Limits, help: &str) -> Result<Repository, Error> {
    let root = repository_of(folder).or_else(|| bare::repository(folder)).ok_or_else(|| {
        let message = format!("{} is in no repository of git", folder.display());
        Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help)
    })?;
    Repository::open_within(&root, outside, &Budget::new(limits)).map_err(failed)
}

/// A revision that cannot be read, as an error of the command.
pub(crate) fn failed(error: hieratic_revisions::Error) -> Error {
    Error::new(ErrorKind::Fatal, codes::REVISION, error.message).help(error.help)
}
