//! Settings: what is the same every time, so that nobody has to type it.
//!
//! Two files hold them: `hieratic.toml` in a repository, for everybody who works on it, and `config.toml` in the user's own folder of
//! settings (`$XDG_CONFIG_HOME/hieratic`, by default `~/.config/hieratic`). A flag wins over the repository's file, that over the
//! user's. [`keys`] lists what can be set. A repository is a stranger's: its file leads nowhere out of it, and gives no powers.

pub(crate) mod file;
pub(crate) mod keys;
mod verb;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use hieratic::{PuppetVersion, SearchPath, Strict, repository_of};

use crate::args::{CheckArguments, FailOn, Later, PlaceArguments, Verb};
use crate::documents;
use crate::fleet::FleetArguments;
use crate::job::JobArguments;
use crate::puppetdb::PuppetDbArguments;
use crate::rows::RowsArguments;
use file::{Entry, Fault, Value, Whose};

pub(crate) use verb::{ConfigArguments, run};

/// The name of the repository's file.
const FILE: &str = "hieratic.toml";

/// Fills in what the flags of a verb did not say, and settings do.
pub(crate) fn apply(verb: &mut Verb) -> Result<(), Fault> {
    match verb {
        Verb::Lookup(Later(lookup)) => {
            let config = Config::for_place(&lookup.place)?;
            config.fill_place(&mut lookup.place);
            // A setting makes no lookup one of many nodes; it says how to reach the PuppetDB that a flag names.
            if lookup.many.puppetdb.url.is_some() {
                config.fill_puppetdb(&mut lookup.many.puppetdb);
            }
            lookup.link = config.link();
        }
        Verb::Query(Later(query)) => Config::for_place(&query.place)?.fill_fleet(&mut query.place, &mut query.fleet),
        Verb::Compare(Later(compare)) => Config::for_place(&compare.place)?.fill_place(&mut compare.place),
        Verb::Diff(Later(diff)) => Config::for_place(&diff.place)?.fill_fleet(&mut diff.place, &mut diff.fleet),
        Verb::Affected(Later(affected)) => {
            Config::for_place(&affected.place)?.fill_fleet(&mut affected.place, &mut affected.fleet);
        }
        Verb::Refactor(Later(refactor)) => {
            Config::for_place(&refactor.place)?.fill_fleet(&mut refactor.place, &mut refactor.fleet);
        }
        Verb::Types(Later(types)) => Config::for_place(&types.place)?.fill_fleet(&mut types.place, &mut types.fleet),
        Verb::Schema(Later(schema)) => Config::for_place(&schema.place)?.fill_place(&mut schema.place),
        Verb::History(Later(history)) => Config::for_place(&history.place)?.fill_place(&mut history.place),
        Verb::Eval(Later(eval)) => {
            let config = Config::for_place(&eval.place)?;
            config.fill_place(&mut eval.place);
            config.fill_rows(&mut eval.many);
        }
        Verb::Catalog(Later(catalog)) => {
            let config = Config::for_place(&catalog.place)?;
            config.fill_place(&mut catalog.place);
            // A setting makes no catalog one that a database has a part in; it says how to reach the PuppetDB that a flag names.
            if catalog.puppetdb.url.is_some() {
                config.fill_puppetdb(&mut catalog.puppetdb);
                if catalog.place.facts_by_settings {
                    catalog.place.facts.clear();
                }
            }
        }
        Verb::Render(Later(render)) => Config::for_place(&render.place)?.fill_place(&mut render.place),
        Verb::Repl(Later(repl)) => Config::for_place(&repl.place)?.fill_place(&mut repl.place),
        Verb::Job(Later(job)) => {
            let config = Config::meant(&job.environment_dir, job.codedir.is_some())?;
            config.fill_job(job);
            config.fill_rows(&mut job.many);
        }
        Verb::Serve(Later(serve)) => {
            Config::meant(&serve.environment_dir, serve.names_environments())?.fill_serve(serve)
        }
        Verb::Check(Later(check)) => Config::for_check(check)?.fill_check(check),
        _ => {}
    }
    Ok(())
}

/// The settings that hold in a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    /// Those of the repository first: the first that there is holds.
    entries: Vec<Entry>,
    /// The files that were looked for, and whether they are there.
    files: Vec<(PathBuf, bool)>,
}

impl Config {
    /// The settings for an environment that flags mean, or the current folder.
    pub(crate) fn for_place(place: &PlaceArguments) -> Result<Config, Fault> {
        let elsewhere = place.environmentpath.is_some()
            || place.codedir.is_some()
            || place.confdir.is_some()
            || place.config.is_some();
        Config::meant(&place.environment_dir, elsewhere)
    }

    /// The settings for what is checked: those around the environment, or around the first path.
    pub(crate) fn for_check(check: &CheckArguments) -> Result<Config, Fault> {
        let first = check.paths.first().map(|path| if path.is_dir() { path.clone() } else { documents::folder(path) });
        Config::of(&check.environment_dir.clone().or(first).unwrap_or_else(|| PathBuf::from(".")))
    }

    /// The settings for an environment; `elsewhere` if flags say that environments are not those of the current folder.
    fn meant(environment: &Option<PathBuf>, elsewhere: bool) -> Result<Config, Fault> {
        let mut config = Config::of(environment.as_deref().unwrap_or(Path::new(".")))?;
        if environment.is_none() && elsewhere {
            config.forget_environment();
        }
        Ok(config)
    }

    /// Reads the settings that hold in a folder.
    pub(crate) fn of(folder: &Path) -> Result<Config, Fault> {
        let mut config = Config::default();
        let around = Around::of(folder);
        if let Some(around) = &around
            && let Some(path) = around.file()
        {
            config.add(path, Whose::Repository)?;
            // A repository says nothing about an environment that is not in it: the machine's own, or the one around a module.
            if !around.environments().is_some_and(|environments| environments.starts_with(around.root())) {
                config.forget_environment();
            }
        }
        // What lies in the repository in question is not the user's.
        let is_inside = |path: &PathBuf| around.as_ref().is_some_and(|around| path.starts_with(around.repository()));
        if let Some(path) = user_file().filter(|path| !is_inside(path)) {
            config.add(path, Whose::User)?;
        }
        Ok(config)
    }

    /// Leaves out what a repository says about an environment.
    fn forget_environment(&mut self) {
        self.entries.retain(|entry| entry.whose == Whose::User || !entry.key.is_about_environment());
    }

    fn add(&mut self, path: PathBuf, whose: Whose) -> Result<(), Fault> {
        let read = file::read(&path, whose)?;
        self.files.push((path, read.is_some()));
        self.entries.extend(read.unwrap_or_default());
        Ok(())
    }

    /// The entry that holds for a setting.
    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.name == name)
    }

    fn text(&self, name: &str) -> Option<String> {
        match &self.entry(name)?.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        match &self.entry(name)?.value {
            Value::Path(path) => Some(path.clone()),
            _ => None,
        }
    }

    fn paths(&self, name: &str) -> Vec<PathBuf> {
        match self.entry(name).map(|entry| &entry.value) {
            Some(Value::Paths(paths)) => paths.clone(),
            _ => Vec::new(),
        }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        match self.entry(name).map(|entry| &entry.value) {
            Some(Value::Texts(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    fn is_on(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.value == Value::Switch(true))
    }

    fn modulepath(&self) -> Option<SearchPath> {
        let folders = self.paths("modulepath");
        (!folders.is_empty()).then(|| folders.into())
    }

    fn datadirs(&self) -> Vec<String> {
        match self.entry("datadirs").map(|entry| &entry.value) {
            Some(Value::Folders(folders)) => {
                folders.iter().map(|(there, here)| format!("{there}={}", here.display())).collect()
            }
            _ => Vec::new(),
        }
    }

    fn puppet_version(&self) -> Option<PuppetVersion> {
        self.text("puppet_version")?.parse().ok()
    }

    fn strict(&self) -> Option<Strict> {
        self.text("strict")?.parse().ok()
    }

    /// The files that are there, as seen from the current folder.
    pub(crate) fn files(&self) -> Vec<String> {
        let there = self.files.iter().filter(|(_, is_there)| *is_there);
        there.map(|(path, _)| crate::output::relative_file(path)).collect()
    }

    /// URL template for a line of a file on a forge.
    pub(crate) fn link(&self) -> Option<String> {
        self.text("link")
    }

    /// Fills in what flags did not say.
    pub(crate) fn fill_place(&self, place: &mut PlaceArguments) {
        // A folder of environments that a flag names has environments of its own.
        if place.environment_dir.is_none() && place.environment.is_none() {
            place.environment = self.text("environment");
            place.environment_by_settings = place.environment.is_some();
        }
        fill(&mut place.modulepath, self.modulepath());
        fill(&mut place.hiera_config, self.path("hiera_config"));
        fill(&mut place.puppet.puppet_version, self.puppet_version());
        fill(&mut place.strict, self.strict());
        fill_list(&mut place.datadir, self.datadirs());
        if place.facts.is_empty() {
            place.facts = self.paths("facts");
            place.facts_by_settings = !place.facts.is_empty();
        }
    }

    /// Fills in what the flags of `check` did not say.
    pub(crate) fn fill_check(&self, check: &mut CheckArguments) {
        if check.environment_dir.is_none() {
            fill(&mut check.environment, self.text("environment"));
        }
        fill(&mut check.modulepath, self.modulepath());
        fill(&mut check.hiera_config, self.path("hiera_config"));
        fill(&mut check.puppet.puppet_version, self.puppet_version());
        fill(&mut check.strict, self.strict());
        fill_list(&mut check.datadir, self.datadirs());
        fill_list(&mut check.facts, self.paths("facts"));
        fill_list(&mut check.select, self.texts("check.select"));
        fill_list(&mut check.ignore, self.texts("check.ignore"));
        if check.write_baseline.is_none() {
            fill(&mut check.baseline, self.path("check.baseline"));
        }
        check.all_nodes |= self.is_on("check.all-nodes") && check.node.is_empty();
        check.hygiene |= self.is_on("check.hygiene");
        check.unused |= self.is_on("check.unused");
        fill(
            &mut check.fail_on,
            self.text("check.fail-on").map(|name| match name.as_str() {
                "note" => FailOn::Note,
                "warning" => FailOn::Warning,
                _ => FailOn::Error,
            }),
        );
    }

    /// Fills in what the flags of `job` did not say.
    pub(crate) fn fill_job(&self, job: &mut JobArguments) {
        fill(&mut job.puppet.puppet_version, self.puppet_version());
        if job.environment_dir.is_none() {
            fill(&mut job.environment, self.text("environment"));
        }
        if job.facts.is_empty() {
            job.facts = self.paths("facts");
            job.facts_by_settings = !job.facts.is_empty();
        }
    }

    /// Fills in how to reach the PuppetDB that a flag names. A setting makes no answer one about many nodes.
    fn fill_rows(&self, rows: &mut RowsArguments) {
        if rows.puppetdb.url.is_some() {
            self.fill_puppetdb(&mut rows.puppetdb);
        }
    }

    /// Fills in what the flags of `serve` did not say.
    pub(crate) fn fill_serve(&self, serve: &mut crate::serve::ServeArguments) {
        serve.link = self.link();
        fill(&mut serve.puppet.puppet_version, self.puppet_version());
        if serve.environment_dir.is_none() {
            fill(&mut serve.environment, self.text("environment"));
        }
        fill(&mut serve.modulepath, self.modulepath());
        fill(&mut serve.hiera_config, self.path("hiera_config"));
        fill_list(&mut serve.datadir, self.datadirs());
        if serve.facts.is_none() && serve.puppetdb.url.is_none() {
            serve.facts = self.paths("facts").into_iter().next();
        }
        if serve.facts.is_none() {
            self.fill_puppetdb(&mut serve.puppetdb);
        }
    }

    /// Fills in what the flags of a verb about many nodes did not say: PuppetDB has facts where no file has them.
    pub(crate) fn fill_fleet(&self, place: &mut PlaceArguments, fleet: &mut FleetArguments) {
        let names_puppetdb = fleet.puppetdb.url.is_some();
        self.fill_place(place);
        if (names_puppetdb || !fleet.nodes.is_empty()) && place.facts_by_settings {
            place.facts.clear();
        }
        let names_nodes = !fleet.nodes.is_empty() || !place.facts.is_empty();
        if !names_nodes && place.node.is_none() && place.fact.is_empty() || names_puppetdb {
            self.fill_puppetdb(&mut fleet.puppetdb);
        }
    }

    fn fill_puppetdb(&self, puppetdb: &mut PuppetDbArguments) {
        fill(&mut puppetdb.url, self.text("puppetdb.url"));
        if puppetdb.url.is_some() {
            fill(&mut puppetdb.puppetdb_ca, self.path("puppetdb.ca"));
            fill(&mut puppetdb.puppetdb_cert, self.path("puppetdb.cert"));
            fill(&mut puppetdb.puppetdb_key, self.path("puppetdb.key"));
        }
    }
}

fn fill<T>(flag: &mut Option<T>, setting: Option<T>) {
    if flag.is_none() {
        *flag = setting;
    }
}

fn fill_list<T>(flag: &mut Vec<T>, setting: Vec<T>) {
    if flag.is_empty() {
        *flag = setting;
    }
}

/// What a folder is in.
struct Around {
    folder: PathBuf,
    git: Option<PathBuf>,
    /// The environment, or what the folder of environments lies in; looked for when somebody asks.
    environments: OnceCell<Option<PathBuf>>,
}

impl Around {
    fn of(folder: &Path) -> Option<Around> {
        let folder = folder.canonicalize().ok()?;
        Some(Around { git: repository_of(&folder), folder, environments: OnceCell::new() })
    }

    /// The repository of git, or the folder itself.
    fn repository(&self) -> &Path {
        self.git.as_deref().unwrap_or(&self.folder)
    }

    fn environments(&self) -> Option<&Path> {
        let found = self.environments.get_or_init(|| {
            let settings = hieratic::Settings::discover(&self.folder);
            let several = settings.environmentpath;
            settings.environment_dir.or_else(|| Some(several?.folders().next()?.parent()?.to_owned()))
        });
        found.as_deref()
    }

    /// How far up settings are looked for. Without git, the environment around the folder is the repository.
    fn root(&self) -> &Path {
        self.git.as_deref().or_else(|| self.environments()).unwrap_or(&self.folder)
    }

    /// The repository's file, the innermost one.
    fn file(&self) -> Option<PathBuf> {
        let root = self.root();
        let inside = self.folder.ancestors().take_while(|candidate| candidate.starts_with(root));
        inside.map(|candidate| candidate.join(FILE)).find(|path| path.symlink_metadata().is_ok())
    }
}

/// The home folder of the user.
fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// The user's file.
pub(crate) fn user_file() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = given.or_else(|| Some(home()?.join(".config")))?;
    Some(folder.join("hieratic/config.toml"))
}
