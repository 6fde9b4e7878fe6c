//! [`Environment`]: an open environment, shared by all nodes that are looked up in it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_hiera::DataFolder;
use hieratic_hiera::{
    AccessLog, EnvironmentLayer, Error, ErrorKind, Freshness, Layers, ModuleLayer, Node, Query, Rules, Scope, Secrets,
    Shared, SkippedLevel,
};
use hieratic_puppet_types::PuppetVersion;
use hieratic_sandbox::plain as absolute;
use hieratic_sandbox::{Capabilities, DirEntry, FileKind, Files, Mounted, is_absence_or_refused};
use hieratic_value::ErasedSort as _;
use hieratic_value::{Hash, LazyHash, Str, Value};
use indexmap::IndexMap;

#[cfg(feature = "code")]
use crate::data_functions::functions_of;
use crate::facts::Facts;
#[cfg(feature = "hcl")]
use crate::hcl::HclData;
use crate::puppet_settings;
use crate::search_path::SearchPath;
use crate::settings::{Folders, ResolvedSettings, Settings, is_environment_name};
use crate::{capabilities, codes, ini};
use hieratic_sandbox::SlashPath as _;

/// An environment: its layers of data, opened once, shared by threads and nodes.
#[derive(Clone, Debug)]
pub struct Environment {
    shared: Arc<Shared>,
    name: Str,
    rules: Rules,
    settings: LazyHash,
    modulepath: Arc<[PathBuf]>,
    accesses: Arc<AccessLog>,
    manifest: PathBuf,
    strict_variables: bool,
    /// Whether the settings name a global `hiera.yaml`; otherwise there is at most the machine's.
    names_global_layer: bool,
}

/// The answers for all keys of a node's hierarchy.
#[derive(Clone, Debug, Default)]
pub struct Everything {
    /// The keys with their values, sorted by key.
    pub values: Hash,
    /// The keys whose lookup failed.
    pub errors: Vec<FailedKey>,
}

/// A key whose lookup failed.
#[derive(Clone, Debug)]
pub struct FailedKey {
    /// The key.
    pub key: Str,
    /// The reason.
    pub error: Error,
}

/// An environment that was opened before, whose files another one may share.
enum Related<'e> {
    Nothing,
    /// The other one's files are a patch of its files.
    Patched(&'e Environment),
    /// Both are revisions.
    Revision(&'e Environment),
}

impl Environment {
    /// Opens an environment. Its data is read on first use.
    ///
    /// # Errors
    /// The configuration is invalid, or the environment does not exist.
    pub fn open(settings: &Settings) -> Result<Environment, Error> {
        Environment::open_patched(settings, &Related::Nothing)
    }

    /// Opens another state of an environment: the settings have a [tree](Settings::tree) that is a
    /// [patch](hieratic_sandbox::Patched) of the files of the other environment. Common files are read once.
    pub fn open_beside(settings: &Settings, other: &Environment) -> Result<Environment, Error> {
        Environment::open_patched(settings, &Related::Patched(other))
    }

    /// Opens another revision of an environment: the [trees](Settings::tree) of both identify the contents of files.
    /// Data files that are the same in both are read once.
    pub fn open_after(settings: &Settings, other: &Environment) -> Result<Environment, Error> {
        Environment::open_patched(settings, &Related::Revision(other))
    }

    fn open_patched(settings: &Settings, other: &Related<'_>) -> Result<Environment, Error> {
        let opened = Environment::build(settings, other);
        // If a part of the files could not be read, it is unknown which folders and files the environment has.
        match settings.tree.as_ref().and_then(Mounted::fault) {
            Some(error) => Err(Error::new(ErrorKind::Fatal, hieratic_hiera::codes::FILE_UNREADABLE, error)),
            None => opened,
        }
    }

    fn build(settings: &Settings, other: &Related<'_>) -> Result<Environment, Error> {
        let resolved = settings.resolve();
        if let Some(unread) = resolved.unread.clone() {
            return Err(unread);
        }
        let (name, root) = match &settings.environment_dir {
            Some(folder) if !settings.anywhere().is_folder(folder) => {
                let message = format!("the environment's folder {} does not exist", folder.display());
                return Err(Error::new(ErrorKind::Fatal, codes::ENVIRONMENT_MISSING, message)
                    .help("name the folder that contains the environment's hiera.yaml"));
            }
            // The name does not lead to the folder, but data and code insert it into paths.
            Some(_) if !is_environment_name(&resolved.environment) => {
                let message = format!("an environment cannot have the name '{}'", resolved.environment);
                return Err(Error::new(ErrorKind::Fatal, codes::ENVIRONMENT_MISSING, message)
                    .help("a name consists of lowercase letters, digits and underscores"));
            }
            Some(folder) => (resolved.environment.clone(), absolute(folder)),
            None => (resolved.environment.clone(), find_folder(&resolved, &settings.anywhere())?),
        };
        let accesses = AccessLog::default();
        let allowed = capabilities::capabilities_of(settings, &resolved, &root);
        if allowed.data.leads_out(&root) {
            return Err(Error::new(
                ErrorKind::Fatal,
                codes::ENVIRONMENT_OUTSIDE,
                format!("the environment's folder {} is a link that leads out of the repository", root.display()),
            )
            .help("pass --allow-outside, or name the folder with --environment-dir"));
        }
        accesses.look_in(&allowed.data, &root.join("environment.conf"));
        accesses.look(&resolved.config);
        let conf = EnvironmentConf::read(&root, &resolved, &name, &allowed.data)?;
        let modulepath = match &settings.modulepath {
            Some(path) => path.folders().map(absolute).collect(),
            None => conf.modulepath,
        };
        modulepath.iter().for_each(|folder| accesses.look_in(&allowed.data, folder));
        let manifest = settings.manifest.as_deref().map(absolute).unwrap_or(conf.manifest);
        let layers = Layers {
            global_config: resolved.hiera_config.clone(),
            environment: EnvironmentLayer {
                name: name.as_str().into(),
                root,
                data_provider: conf
                    .data_provider
                    .filter(|_| resolved.rules.version.has_settings_of_data_providers())
                    .map(Str::from),
                datadirs: settings
                    .datadirs
                    .iter()
                    .map(|folder| DataFolder { here: absolute(&folder.here), ..folder.clone() })
                    .collect(),
            },
            modules: modules(&modulepath, &allowed.data)?,
            codedir: resolved.codedir.clone(),
        };
        let text = |path: &Path| Value::from(path.to_slashes());
        let resolved_here: Hash = [
            ("environment", Value::from(name.as_str())),
            ("environmentpath", resolved.environmentpath.to_string().into()),
            ("basemodulepath", resolved.basemodulepath.to_string().into()),
            ("modulepath", modulepath.iter().collect::<SearchPath>().to_string().into()),
            ("codedir", text(&resolved.codedir)),
            (
                "confdir",
                resolved
                    .configured
                    .get("confdir")
                    .map_or_else(|| text(&resolved.confdir), |given| given.as_str().into()),
            ),
            ("hiera_config", text(&resolved.hiera_config)),
            ("strict", resolved.rules.strict.word().into()),
            ("strict_variables", resolved.strict_variables.into()),
            ("storeconfigs", false.into()),
            ("storeconfigs_backend", "puppetdb".into()),
        ]
        .into_iter()
        .collect();
        let configured = resolved.configured;
        let settings_variables = LazyHash::new(move || puppet_settings::values(&configured, resolved_here));
        let shared = Shared::new(layers, settings.positions)
            .with_capabilities(allowed)
            .with_global_layer(resolved.has_global_layer)
            .without_levels(settings.without_levels.iter().map(|name| name.as_str().into()))
            .noting(settings.skipped_levels.clone())
            .with_sensitive_secrets(settings.sensitive_secrets)
            .once(settings.once);
        #[cfg(feature = "hcl")]
        let shared = shared.with_reader(Arc::new(HclData::new(settings.limits)));
        let shared = with_code(shared, &settings_variables, resolved.rules, resolved.strict_variables);
        let shared = match other {
            Related::Patched(other) => shared.like(other.shared.clone()),
            Related::Revision(other) => shared.after(&other.shared),
            Related::Nothing => shared,
        };
        Ok(Environment {
            shared: Arc::new(shared),
            name: name.as_str().into(),
            rules: resolved.rules,
            settings: settings_variables,
            modulepath: modulepath.into(),
            accesses: Arc::new(accesses),
            manifest,
            strict_variables: resolved.strict_variables,
            names_global_layer: settings.hiera_config.is_some(),
        })
    }

    /// Returns whether the settings name a global `hiera.yaml`.
    pub(crate) fn names_global_layer(&self) -> bool {
        self.names_global_layer
    }

    /// Returns the environment with a [patch](hieratic_sandbox::Patched) mounted on a folder. The patch may change the
    /// content of files. It must not add or remove files, or change the environment's settings or the modules'
    /// metadata. Unpatched files are read once. An editor calls this for its unsaved files, at each change.
    pub fn patched(&self, patch: &Mounted) -> Environment {
        let own = self.capabilities();
        let mounted = |files: &Files| Mounted::over(Some(patch), files.clone());
        let capabilities = Capabilities {
            machine: mounted(&own.machine),
            data: mounted(&own.data),
            code: mounted(&own.code),
            ..own.clone()
        };
        self.with_sources(self.shared.patched(capabilities))
    }

    /// Returns the environment as it is at one moment: from now on, each file is checked only once, and reread only if
    /// it has changed since it was last read. Use it for many lookups at a time, each of which would check all files
    /// again.
    ///
    /// ```
    /// # use std::path::Path;
    /// # use hieratic::{Environment, Facts, Query, Settings};
    /// # use hieratic_value::Value;
    /// # let folder = tempfile::tempdir()?;
    /// # let root = folder.path();
    /// # std::fs::create_dir(root.join("data"))?;
    /// # std::fs::write(root.join("hiera.yaml"), "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n")?;
    /// let write = |port: &str| std::fs::write(root.join("data/common.yaml"), format!("port: {port}\n"));
    /// # write("80")?;
    /// let environment = Environment::open(&Settings::new(root))?;
    /// let port = |environment: &Environment| environment.node(&Facts::default())?.lookup(&Query::new("port"));
    /// let now = environment.at_one_moment();
    /// assert_eq!(port(&now)?, Value::Integer(80));
    /// write("8080")?;
    /// assert_eq!((port(&now)?, port(&environment)?), (Value::Integer(80), Value::Integer(8080)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_one_moment(&self) -> Environment {
        self.with_sources(self.shared.patched(self.capabilities().clone()).once(true))
    }

    /// The environment with other sources.
    fn with_sources(&self, shared: Shared) -> Environment {
        let shared = with_code(shared, &self.settings, self.rules, self.strict_variables);
        Environment { shared: Arc::new(shared), ..self.clone() }
    }

    /// Limits the cache to about this number of recently used data files: for programs that look up thousands of nodes
    /// once, each with its own file.
    pub fn keep(&self, files: usize) {
        self.shared.keep(files);
    }

    /// Returns the environment's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the version of Puppet that the environment reproduces.
    pub fn puppet_version(&self) -> PuppetVersion {
        self.rules.version
    }

    /// Returns the plain strings of all secrets that lookups in the environment have read, for a [`Redactor`](crate::Redactor).
    pub fn secrets(&self) -> Secrets {
        self.shared.secrets().clone()
    }

    /// Returns whether the environment's settings and list of modules are unchanged since it was opened, and had been
    /// unchanged for `settle`. Reopen an environment that has changed; its data is checked by [each
    /// node](Node::freshness).
    pub fn freshness(&self, settle: std::time::Duration) -> Freshness {
        self.accesses.freshness(settle)
    }

    /// Returns whether the [settings](Settings::without_levels) exclude the level with this name.
    pub fn leaves_out(&self, level: &str) -> bool {
        self.shared.leaves_out(level)
    }

    /// Returns the levels that were skipped although they may define a requested key.
    pub fn skipped_levels(&self) -> Vec<SkippedLevel> {
        self.shared.skipped_levels().levels()
    }

    /// Returns the capabilities of the environment: files, programs and variables.
    pub fn capabilities(&self) -> &Capabilities {
        self.shared.capabilities()
    }

    /// Returns the values of `$settings::name`.
    #[cfg(feature = "code")]
    pub(crate) fn settings(&self) -> &LazyHash {
        &self.settings
    }

    /// Returns the manifests of the environment, in the order in which they are read.
    pub fn manifests(&self) -> Vec<PathBuf> {
        crate::manifests::manifests_in(&self.manifest, &self.capabilities().code)
    }

    /// Returns the manifest of the environment, or the folder of its manifests, as `environment.conf` or the settings
    /// name it.
    pub fn manifest(&self) -> &Path {
        &self.manifest
    }

    /// Returns the options for evaluating code in the environment: the version of the language, and the programs that
    /// may run.
    #[cfg(feature = "code")]
    pub fn language(&self) -> hieratic_puppet_eval::Options {
        let Rules { version, strict } = self.rules;
        let strict_variables = self.strict_variables;
        let programs = self.capabilities().programs;
        hieratic_puppet_eval::Options {
            strict,
            strict_variables,
            programs,
            ..hieratic_puppet_eval::Options::for_version(version)
        }
    }

    /// Returns the folders of modules, in the order of the search.
    pub fn modulepath(&self) -> impl Iterator<Item = PathBuf> {
        self.modulepath.iter().cloned()
    }

    /// Returns the layers of the environment's data.
    pub fn layers(&self) -> &Layers {
        self.shared.layers()
    }

    /// Returns a node's view of the environment.
    ///
    /// # Errors
    /// The name of a fact is not a valid variable name.
    pub fn node(&self, facts: &Facts) -> Result<Node, Error> {
        for name in facts.facts().keys() {
            check_name(name)?;
        }
        let mut variables: Vec<(Str, Value)> = vec![
            ("environment".into(), Value::String(self.name.clone())),
            ("title".into(), "main".into()),
            ("name".into(), "main".into()),
        ];
        let version = self.rules.version;
        let environment = Some(self.name()).filter(|_| version.looks_up_with_server_facts());
        let server_facts = facts.server_facts(environment, version);
        variables
            .extend(facts.server_variables(&server_facts, version).map(|(name, value)| (name.clone(), value.clone())));
        variables.extend(facts.variables().iter().filter_map(|(name, value)| match name {
            Value::String(name) => Some((name.clone(), value.clone())),
            _ => None,
        }));
        let variables = variables.into_iter().map(|(name, value)| (Value::String(name), value)).collect();
        let scope = Scope::new(facts.sanitized(), facts.trusted(), server_facts, variables, self.settings.clone());
        Ok(Node::new(self.shared.clone(), scope, self.rules))
    }

    /// Returns all keys that the sources of a node's hierarchy define, sorted, and quoted for a lookup.
    ///
    /// # Errors
    /// The hierarchy cannot be read.
    pub fn keys(&self, node: &Node) -> Result<Vec<String>, Error> {
        let mut keys = node.keys()?;
        keys.sort_unstable();
        Ok(keys.iter().map(|key| quoted(key).into_owned()).collect())
    }

    /// Looks up every key of a node's hierarchy for which `is_selected` returns true. `masked` redacts the secrets of a
    /// value.
    ///
    /// # Errors
    /// A hierarchy cannot be read. Keys whose lookup fails are part of the result.
    pub fn everything(
        &self,
        node: &Node,
        query: &Query<'_>,
        masked: bool,
        is_selected: &dyn Fn(&str) -> bool,
    ) -> Result<Everything, Error> {
        let mut keys = node.keys()?;
        keys.retain(|key| is_selected(key));
        keys.sort_unstable();
        let mut values = Vec::with_capacity(keys.len());
        let mut errors = Vec::new();
        for key in keys {
            let quoted = quoted(&key);
            let query = Query { names: vec![&quoted], ..query.clone() };
            let answer = if masked { node.lookup_redacted(&query) } else { node.lookup(&query) };
            match answer {
                Ok(value) => values.push((Value::String(key), value)),
                // The source may be in a level that another layer's configuration overrides.
                Err(error) if error.code() == Node::NOT_FOUND => {}
                Err(error) => errors.push(FailedKey { key, error }),
            }
        }
        Ok(Everything { values: values.into_iter().collect(), errors })
    }
}

/// Adds the functions of modules, which are written in the Puppet language or in Ruby.
#[cfg(feature = "code")]
fn with_code(shared: Shared, settings: &LazyHash, rules: Rules, strict_variables: bool) -> Shared {
    let functions = functions_of(shared.layers(), settings, rules, strict_variables, shared.capabilities());
    shared.with_functions(functions)
}

/// Without the language, a level that names such a function names one that does not exist.
#[cfg(not(feature = "code"))]
fn with_code(shared: Shared, _: &Hash, _: Rules, _: bool) -> Shared {
    shared
}

/// Refuses the names that Puppet refuses as variables.
fn check_name(name: &Value) -> Result<(), Error> {
    let text = name.to_text();
    let message = if matches!(text.as_str(), "facts" | "server_facts") {
        format!("Attempt to assign to a reserved variable name: '{text}'")
    } else if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("Cannot assign to a numeric match result variable '${text}'")
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Fatal, codes::FACTS_NAME, message).help(format!("rename the fact '{text}'")))
}

/// Quotes a key of the data for a lookup if its name contains dots.
pub fn quoted(key: &str) -> Cow<'_, str> {
    let is_special = key.bytes().any(|byte| matches!(byte, b'.' | b'\'' | b'"'));
    match is_special {
        false => key.into(),
        true if key.contains('\'') => format!("\"{key}\"").into(),
        true => format!("'{key}'").into(),
    }
}

/// The folder of the environment on the path of environments.
fn find_folder(resolved: &ResolvedSettings, files: &Files) -> Result<PathBuf, Error> {
    let name = &resolved.environment;
    let valid = is_environment_name(name);
    let found = resolved
        .environmentpath
        .folders()
        .filter(|_| valid)
        .map(|folder| absolute(&folder.join(name)))
        .find(|folder| files.is_folder(folder));
    found.ok_or_else(|| {
        let path = &resolved.environmentpath;
        let message = format!(
            "Could not find a directory environment named '{name}' anywhere in the path: {path}. Does the directory exist?"
        );
        // Only for the help line: an unreadable folder contributes no names.
        let mut there: Vec<String> = path
            .folders()
            .flat_map(|folder| files.list(folder).unwrap_or_default())
            .map(|entry| entry.name)
            .collect();
        there.sort_erased();
        Error::new(ErrorKind::Fatal, codes::ENVIRONMENT_MISSING, message).help(if there.is_empty() {
            "run the command in a control repository (a folder with hiera.yaml), or name one with --environment-dir, or the \
             folder of environments with --environmentpath".into()
        } else {
            format!("the environments are: {}", there.join(", "))
        })
    })
}

struct EnvironmentConf {
    modulepath: Vec<PathBuf>,
    /// The manifest, or the folder of manifests.
    manifest: PathBuf,
    data_provider: Option<String>,
}

impl EnvironmentConf {
    /// Reads `environment.conf`, with its variables replaced.
    fn read(root: &Path, resolved: &ResolvedSettings, name: &str, files: &Files) -> Result<EnvironmentConf, Error> {
        let file = root.join("environment.conf");
        let text = match files.read_text(&file) {
            Ok(text) => text,
            Err(error) if is_absence_or_refused(&error) => String::new(),
            Err(error) => return Err(Error::of_file(&error, &file)),
        };
        let settings = ini::parse(&text);
        let get = |name: &str| settings.iter().rev().find(|(_, key, _)| key == name).map(|(_, _, value)| value.clone());
        let folders = Folders { confdir: &resolved.confdir, codedir: &resolved.codedir };
        let modulepath = get("modulepath").unwrap_or_else(|| "modules:$basemodulepath".into());
        let modulepath = folders.expand(
            &modulepath.replace("$basemodulepath", &resolved.basemodulepath.to_string()).replace("$environment", name),
        );
        let manifest = get("manifest").unwrap_or_else(|| "manifests".into());
        let manifest = absolute(&root.join(folders.expand(&manifest.replace("$environment", name))));
        Ok(EnvironmentConf {
            modulepath: folders_of(&modulepath, root),
            manifest,
            data_provider: get("environment_data_provider"),
        })
    }
}

fn folders_of(path: &str, root: &Path) -> Vec<PathBuf> {
    SearchPath::from(path).folders().map(|folder| absolute(&root.join(folder))).collect()
}

/// The modules on a path: a name belongs to the first folder that has it.
fn modules(
    modulepath: &[PathBuf],
    files: &Files,
) -> Result<IndexMap<Str, ModuleLayer, hieratic_value::collections::FixedState>, Error> {
    let mut modules = IndexMap::default();
    for folder in modulepath {
        let entries = match files.list(folder) {
            Ok(entries) => entries,
            Err(error) if is_absence_or_refused(&error) => continue,
            Err(error) => return Err(Error::of_file(&error, folder)),
        };
        let is_folder = |entry: &DirEntry, path: &Path| match entry.kind {
            FileKind::Folder => true,
            FileKind::Link => files.is_folder(path),
            FileKind::File | FileKind::Other => false,
        };
        for entry in entries {
            let root = folder.join(&entry.name);
            if !is_folder(&entry, &root) {
                continue;
            }
            let Some(name) = root.file_name().and_then(|name| name.to_str()).filter(|name| is_module_name(name)) else {
                continue;
            };
            modules.entry(Str::from(name)).or_insert_with(|| ModuleLayer::new(root.clone()));
        }
    }
    Ok(modules)
}

/// See <https://www.puppet.com/docs/puppet/8/modules_fundamentals.html#allowed-module-names>.
fn is_module_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_dots_are_quoted() {
        assert_eq!(quoted("a::b"), "a::b");
        assert_eq!(quoted("a.b"), "'a.b'");
        assert_eq!(quoted("a'.b"), "\"a'.b\"");
    }
}
