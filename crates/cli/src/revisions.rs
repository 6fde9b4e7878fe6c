//! The git repository of an environment, for verbs that compare revisions.

use std::path::{Path, PathBuf};

use hieratic::budget::Budget;
use hieratic::layers::repository_of;
use hieratic::sandbox::Files;
use hieratic::value::ErasedSort as _;
use hieratic::{Environment, Error, ErrorKind, Limits, Settings};
use hieratic_git::{Remedy, Repository};

use crate::args::{LimitArguments, PlaceArguments};
use crate::report::Reporter;
use crate::target::{self, Target};
use crate::{bare, codes};

/// The settings of a verb that reads each file once and reports lines, and the folder of the environment.
pub(crate) fn environment(place: &PlaceArguments) -> (Settings, PathBuf) {
    let mut settings = Settings { once: true, ..Target::new(place).settings_with(true) };
    // Git lists names without links.
    let real =
        |folder: &Path| hieratic::sandbox::real_path(folder).unwrap_or_else(|_| hieratic::sandbox::plain(folder));
    let own = target::environment_folder(&settings);
    let mut folder = own.clone().unwrap_or_else(|| target::nearest_folder(&settings));
    // A link that the user has not named is not trusted: opening the environment refuses it if it leads outside.
    let may_follow = |link: &Path| {
        let outer = repository_of(link).or_else(|| link.parent().map(Path::to_owned)).unwrap_or_default();
        !settings.was_found || real(link).starts_with(real(&outer))
    };
    if own.is_none() || may_follow(&folder) {
        // The environment is identified by the path of its files in git, through any link.
        folder = real(&folder);
    }
    if let Some(own) = own
        && folder != hieratic::sandbox::plain(&own)
    {
        settings.environment_dir = Some(folder.clone());
    }
    // A bare repository has no files outside of its revisions.
    if settings.environment_dir.is_none() && settings.environmentpath.is_none() && bare::repository(&folder).is_some() {
        settings.environment_dir = std::path::absolute(&folder).ok();
    }
    (settings, folder)
}

/// Returns the flags without an environment if they select all environments of a repository: neither a flag nor the
/// current folder names one. Settings only supply the default environment, and the name of an environment that is a
/// folder.
pub(crate) fn of_all_environments(place: &PlaceArguments) -> Option<PlaceArguments> {
    if place.environment.is_some() && !place.environment_by_settings {
        return None;
    }
    let unnamed = PlaceArguments { environment: None, ..place.clone() };
    let target = Target::new(&unnamed);
    let settings = target.settings();
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
    all.sort_erased_by(|one, other| one.environment.cmp(&other.environment));
    match all.as_slice() {
        // Opening it reports whether it exists.
        [_] if settings.environmentpath.is_none() => vec![place.clone()],
        all => all.iter().map(|own| of_environment(&place_of_all, own.environment_name())).collect(),
    }
}

/// Fails if the current folder is not in a control repository, for example in an empty checkout. The environments of
/// this machine would be used instead, which the user did not mean.
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
        "{} is not in a control repository: no folder around it has a hiera.yaml or an environment.conf",
        folder.display()
    );
    // The usual cases are a repository of a single module, and a clone without a checkout.
    let help = match repository_of(&folder) {
        Some(root) if is_without_files(&root) => "check the files out: git checkout".to_owned(),
        _ => match environment_below(&folder) {
            Some(below) => format!("the folder {below} has one: go there, or pass --environment-dir {below}"),
            None => "run it in a control repository, or name the environment: --environment-dir FOLDER".to_owned(),
        },
    };
    Err(Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help))
}

/// The first folder in a folder that is an environment, if its name needs no quotes: repositories of a whole site have
/// the code of Puppet beside that of other tools.
fn environment_below(folder: &Path) -> Option<String> {
    const MOST_ENTRIES: usize = 1000;
    // It is a hint: a folder that cannot be listed gives none.
    let entries = std::fs::read_dir(folder).ok()?.take(MOST_ENTRIES).flatten();
    let is_plain = |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    let is_environment =
        |name: &String| ["hiera.yaml", "environment.conf"].iter().any(|file| folder.join(name).join(file).is_file());
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(is_plain).filter(is_environment).min()
}

/// Returns the error that an environment has no hierarchy, so that its data cannot be read.
pub(crate) fn without_hierarchy(environment: &Environment) -> Option<Error> {
    let missing = environment.missing_hierarchy()?;
    let root = crate::output::relative_file(&environment.layers().environment.root);
    let message = format!("no hierarchy reads the data of {root}: {missing}");
    let help = "write a hiera.yaml of version 5, or name the one of the machine or of Hiera 3: --hiera_config FILE";
    Some(Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help))
}

/// Returns whether a folder contains only `.git`.
fn is_without_files(root: &Path) -> bool {
    // A folder that cannot be listed is not known to be empty.
    Files::below([root]).list(root).is_ok_and(|entries| entries.iter().all(|entry| entry.name == ".git"))
}

/// Opens the environment, with the limits of an answer, and redacts its secrets.
pub(crate) fn opened(
    place: &PlaceArguments,
    limits: &LimitArguments,
    reporter: &Reporter,
) -> Result<(Settings, PathBuf, Environment), Error> {
    let (mut settings, folder) = environment(place);
    settings.limits = limits.limits();
    let environment = Target::new(place).open(&settings, reporter)?;
    Ok((settings, folder, environment))
}

/// Opens the repository around a folder, within the limits; `outside` allows it to refer to files outside of itself,
/// `help` is the help of the error if there is no repository.
pub(crate) fn repository(folder: &Path, outside: bool, limits: Limits, help: &str) -> Result<Repository, Error> {
    let root = repository_of(folder).or_else(|| bare::repository(folder)).ok_or_else(|| {
        let message = format!("{} is not in a git repository", folder.display());
        Error::new(ErrorKind::Fatal, codes::USAGE, message).help(help)
    })?;
    Repository::open_within(&root, outside, &Budget::new(limits)).map_err(failed)
}

/// A revision that cannot be read, as an error of the command.
pub(crate) fn failed(error: hieratic_git::Error) -> Error {
    let help = help_of(&error);
    Error::new(ErrorKind::Fatal, codes::REVISION, error.message).help(help)
}

/// The help of an error of git's, with the flags of the command.
pub(crate) fn help_of(error: &hieratic_git::Error) -> String {
    match error.remedy() {
        Some(Remedy::OtherFolder) => "compare with a folder instead: --against FOLDER".to_owned(),
        Some(Remedy::FilesOutside) => {
            "allow files outside of the repository with --allow-outside, or trust it with `hieratic trust`".to_owned()
        }
        None => error.help.clone(),
    }
}
