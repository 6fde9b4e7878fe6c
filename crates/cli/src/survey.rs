//! [`Survey`]: the contents of the control repository around the current folder, for `hieratic` without arguments,
//! `init` and `doctor`.

use std::path::{Path, PathBuf};

use clap::Parser;
use hieratic::layers::{level_names, repository_of};
use hieratic::{Environment, Error, Facts, Limits};
use hieratic_git::{Author, Repository};
use hieratic_lint::Report;

use crate::check::{self, CheckArguments};
use crate::diff::DiffArguments;
use crate::fleet::Fleet;
use crate::progress::Bar;
use crate::report::Reporter;
use crate::usage::usage;
use crate::verbs::{Arguments, Verb, apply_settings, grant_access};
use crate::{config, output, revisions};

/// The most commits that are named.
const MOST_COMMITS: usize = 3;

/// The control repository of the current folder.
pub(crate) struct Survey {
    /// The root of the repository of git, or the folder of the environment.
    pub(crate) root: PathBuf,
    /// The environments, or why one cannot be opened.
    pub(crate) environments: Vec<Result<EnvironmentSurvey, (String, Error)>>,
    /// The nodes whose facts are known, and the folder or file that the settings name for them.
    pub(crate) nodes: Result<Vec<Facts>, Error>,
    /// Whether the nodes were derived from the paths of data files.
    pub(crate) are_derived: bool,
    /// The paths of facts that the settings name.
    pub(crate) facts: Vec<PathBuf>,
    /// The files of settings that exist.
    pub(crate) settings: Vec<String>,
    /// The report of `check`; `None` if it was not run.
    pub(crate) report: Option<Report>,
    /// The git repository, or the error that prevents reading it; `None` without one.
    pub(crate) git: Option<Result<GitSurvey, hieratic_git::Error>>,
}

/// An environment.
pub(crate) struct EnvironmentSurvey {
    pub(crate) name: String,
    pub(crate) levels: usize,
    pub(crate) modules: usize,
    /// The number of keys that a node can look up; an error if its hierarchy cannot be used.
    pub(crate) keys: Result<usize, Error>,
    /// The reason why no lookup finds its data, if that is so.
    pub(crate) missing: Option<String>,
    /// A key and a node that can be tried.
    pub(crate) example: Option<(String, String)>,
}

/// The repository of git.
pub(crate) struct GitSurvey {
    pub(crate) commits: Vec<(String, Author)>,
    pub(crate) remotes: Vec<String>,
    /// Whether the history is cut off.
    pub(crate) is_shallow: bool,
    /// Whether objects are loaded only when they are needed.
    pub(crate) is_partial: bool,
}

/// Parses a verb without flags, with the settings of the repository.
fn verb(name: &str) -> Result<Verb, Error> {
    let arguments = Arguments::try_parse_from(["hieratic", name]).map_err(|error| usage(error.to_string()))?;
    let mut verb = arguments.verb.ok_or_else(|| usage("no verb"))?;
    apply_settings(&mut verb).map_err(|problem| usage(problem.message))?;
    grant_access(&mut verb);
    Ok(verb)
}

/// The flags of `check` as a call without any has them.
pub(crate) fn check_arguments() -> Result<CheckArguments, Error> {
    match verb("check")? {
        Verb::Check(arguments) => Ok(*arguments.0),
        _ => Err(usage("no check")),
    }
}

fn diff_arguments() -> Result<DiffArguments, Error> {
    match verb("diff")? {
        Verb::Diff(arguments) => Ok(*arguments.0),
        _ => Err(usage("no diff")),
    }
}

impl Survey {
    /// Returns whether the current folder is in a control repository. Settings that cannot be used are those of one.
    pub(crate) fn is_here() -> bool {
        diff_arguments().map_or(true, |arguments| revisions::check_found(&arguments.place).is_ok())
    }

    /// Looks at the current folder. With `checks`, everything is checked, too.
    ///
    /// # Errors
    /// The folder is not in a control repository, or its settings cannot be used.
    pub(crate) fn new(checks: bool, reporter: &Reporter) -> Result<Survey, Error> {
        let arguments = diff_arguments()?;
        let place = &arguments.place;
        revisions::check_found(place)?;
        let (_, folder) = revisions::environment(place);
        let root = repository_of(&folder).unwrap_or(folder);
        let mut survey = Survey {
            root: root.clone(),
            environments: Vec::new(),
            nodes: Ok(Vec::new()),
            are_derived: false,
            facts: place.facts.clone(),
            settings: config::Config::for_place(place).map(|config| config.files()).unwrap_or_default(),
            report: None,
            git: None,
        };
        let mut is_first = true;
        for own in revisions::environments(place) {
            match revisions::opened(&own, &arguments.limits, reporter) {
                Ok((settings, _, environment)) => {
                    if std::mem::take(&mut is_first) {
                        match Fleet::load(&arguments.fleet, place, &[settings], &environment, reporter) {
                            Ok(fleet) => {
                                survey.nodes = Ok(fleet.nodes);
                                survey.are_derived = fleet.are_derived;
                            }
                            Err(error) => survey.nodes = Err(error),
                        }
                    }
                    survey.environments.push(Ok(EnvironmentSurvey::new(&environment, survey.nodes.as_deref())));
                }
                Err(error) => survey.environments.push(Err((own.environment.unwrap_or_default(), error))),
            }
        }
        if checks {
            let bar = Bar::new(false);
            survey.report = Some(check::found(&check_arguments()?, &bar)?);
            bar.finish();
        }
        if root.join(".git").exists() {
            survey.git = Some(GitSurvey::new(&root));
        }
        Ok(survey)
    }
}

impl EnvironmentSurvey {
    fn new(environment: &Environment, nodes: Result<&[Facts], &Error>) -> EnvironmentSurvey {
        // Without nodes, those of the data are asked, of which one has no facts.
        let facts = nodes.ok().and_then(<[Facts]>::first).cloned().unwrap_or_else(|| Facts::named("node"));
        let keys = environment.node(&facts).and_then(|node| environment.keys(&node));
        let example = keys.as_ref().ok().and_then(|keys| {
            let key = keys.iter().find(|key| key.contains("::")).or_else(|| keys.first())?;
            Some((key.clone(), facts.node().unwrap_or_default().to_owned()))
        });
        EnvironmentSurvey {
            name: environment.name().to_owned(),
            levels: level_names(environment).len(),
            modules: environment.layers().modules.len(),
            keys: keys.map(|keys| keys.len()),
            missing: environment.missing_hierarchy().map(|missing| missing.to_string()),
            example,
        }
    }
}

impl GitSurvey {
    fn new(root: &Path) -> Result<GitSurvey, hieratic_git::Error> {
        let budget = hieratic::budget::Budget::new(Limits::default());
        let repository = Repository::open_within(root, false, &budget)?;
        let mut commits = Vec::new();
        // A repository without a commit has no `HEAD`.
        if let Ok(head) = repository.commit("HEAD") {
            for step in repository.history(head).take(MOST_COMMITS) {
                let step = step?;
                commits.push((step.commit.short(), repository.author(step.commit)?));
            }
        }
        Ok(GitSurvey {
            commits,
            remotes: repository.remote_urls().map(str::to_owned).collect(),
            is_shallow: repository.is_shallow()?,
            is_partial: repository.is_partial(),
        })
    }
}

/// Paths as people see them, in one line.
pub(crate) fn paths_text(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| output::relative_file(path)).collect::<Vec<_>>().join(", ")
}
