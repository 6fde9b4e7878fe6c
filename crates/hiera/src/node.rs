//! [`Node`]: a node's view of an environment: its variables, and the sources that its hierarchies resolve to.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic_value::{Hash, Str, Value};

use crate::backend::function::{DataCache, DataFunctions, DataReader, KeptAnswer};
use crate::backend::{External, Externals};
use crate::config::{self, Config, Context, Datadir, FunctionKind, Locations, Owner};
use crate::freshness::Looks;
use crate::kept::KeptFiles;
use crate::layers::{Layer, Layers};
use crate::lookup::Evaluator;
use crate::options::Options;
use crate::paths::join;
use crate::scope::Scope;
use crate::secrets::Secrets;
use crate::source::{Content, Data, DataFile, Format, Store, key_files};
use crate::stamp::Sighting;
use crate::template::Text;
use crate::{Error, LostKnockout, Warning, glob};

/// What to make of doubtful things, as Puppet's setting `strict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Nothing.
    Off,
    /// A warning: the default up to Puppet 7.
    #[default]
    Warning,
    /// An error: the default from Puppet 8 on.
    Error,
}

/// The sources of all nodes of an environment, shared between threads.
#[derive(Debug)]
pub struct Shared {
    pub(crate) layers: Layers,
    pub(crate) store: Store,
    /// Configurations by their files, with what the file was like.
    configs: KeptFiles<LoadedConfig>,
    externals: Externals,
    pub(crate) functions: Option<Arc<dyn DataFunctions>>,
    pub(crate) options: crate::options::Compiled,
    /// The directories that were listed, if nothing is looked at twice.
    listings: Option<glob::Listings>,
}

type LoadedConfig = Arc<(Result<Option<Arc<Config>>, Error>, Vec<Warning>)>;

impl Shared {
    /// The sources of an environment. With `positions`, values know where in their files they stand.
    pub fn new(layers: Layers, positions: bool) -> Shared {
        Shared {
            layers,
            store: Store::new(positions),
            configs: KeptFiles::default(),
            externals: Externals::default(),
            functions: None,
            options: crate::options::Compiled::default(),
            listings: None,
        }
    }

    /// Looks at each file, and searches for each pattern, only once if `once` says so: for programs that ask many nodes at one
    /// moment, and then end.
    pub fn once(mut self, once: bool) -> Shared {
        self.store.set_once(once);
        self.listings = once.then(glob::Listings::default);
        self
    }

    /// Whether nothing is looked at twice.
    fn is_once(&self) -> bool {
        self.listings.is_some()
    }

    /// The files that a pattern finds.
    fn glob(&self, pattern: &str) -> Arc<[Arc<Path>]> {
        match &self.listings {
            Some(listings) => listings.files(pattern),
            None => glob::files(pattern).into_iter().map(Arc::from).collect(),
        }
    }

    /// Adds a `data_hash` function that reads files of another format.
    pub fn with_reader(mut self, reader: Arc<dyn DataReader>) -> Shared {
        self.store.add_reader(reader);
        self
    }

    /// Lets levels name functions of a language.
    pub fn with_functions(mut self, functions: Arc<dyn DataFunctions>) -> Shared {
        self.functions = Some(functions);
        self
    }

    /// The plain texts of everything secret that lookups have met.
    pub fn secrets(&self) -> &Secrets {
        self.store.secrets()
    }

    /// Where the data comes from.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    fn config(&self, path: &Path, context: &Context<'_>) -> LoadedConfig {
        let seen = match self.configs.get(path) {
            Ok(known) => return known,
            Err(seen) => seen,
        };
        let mut warnings = Vec::new();
        let config = Config::load(path, context, &mut warnings).map(|config| config.map(Arc::new));
        let loaded: LoadedConfig = Arc::new((config, warnings));
        self.configs.keep(path, seen, loaded.clone());
        loaded
    }
}

/// A node's view of an environment.
///
/// The view sees every file as it is when the node first needs it; a new view sees what has changed since. Lookups
/// take `&self`, and a node may be shared between threads.
#[derive(Debug)]
pub struct Node {
    pub(crate) shared: Arc<Shared>,
    pub(crate) scope: Scope,
    pub(crate) strict: Strictness,
    global: Cell<Provider>,
    environment: Cell<Option<Provider>>,
    modules: Box<[Cell<Option<Provider>>]>,
    pub(crate) options: OptionsOfLayers,
    warnings: Mutex<indexmap::IndexSet<Warning>>,
    lost: Mutex<Vec<LostKnockout>>,
    pub(crate) looks: Looks,
    /// Whether variables may not lead out of the folders that the configuration names.
    confined: bool,
}

type Cell<T> = OnceLock<Result<T, Error>>;

/// Lookup options that were compiled, by the module that they are for.
#[derive(Debug, Default)]
pub(crate) struct OptionsOfLayers {
    pub(crate) global: OnceLock<Option<Value>>,
    pub(crate) environment: OnceLock<Option<Value>>,
    pub(crate) unqualified: OnceLock<Arc<Options>>,
    pub(crate) modules: Box<[OnceLock<Arc<Options>>]>,
    pub(crate) defaults: Box<[OnceLock<Arc<Options>>]>,
}

/// What a layer provides for a node.
#[derive(Debug)]
pub(crate) struct Provider {
    /// What explanations call it.
    pub(crate) name: Str,
    pub(crate) config: Arc<Config>,
    pub(crate) module: Option<Str>,
    layer: Layer,
    levels: OnceLock<Result<Levels, Error>>,
}

#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) hierarchy: Vec<Level>,
    pub(crate) default_hierarchy: Vec<Level>,
}

/// A level of a hierarchy with its interpolations resolved.
#[derive(Debug)]
pub(crate) struct Level {
    /// What explanations call it.
    pub(crate) label: Str,
    pub(crate) kind: FunctionKind,
    pub(crate) function: Str,
    pub(crate) backend: Backend,
    pub(crate) options: Hash,
    /// Where its data lies; one nameless location if the function knows itself.
    pub(crate) locations: Vec<Location>,
    pub(crate) config: Option<Arc<Path>>,
}

/// What answers for a level.
#[derive(Debug)]
pub(crate) enum Backend {
    File(Format),
    Eyaml,
    External(Arc<External>),
    /// A function of a language, if there is one.
    Function(Arc<dyn DataFunctions>),
    /// There is no such function.
    Unknown,
    /// A function of another kind.
    WrongKind,
}

/// A place where data lies.
#[derive(Debug)]
pub(crate) struct Location {
    pub(crate) what: Where,
    pub(crate) data: OnceLock<Result<Option<Arc<Data>>, Error>>,
    /// What an executable answered, by key.
    pub(crate) answers: Mutex<rustc_hash::FxHashMap<Str, Option<Value>>>,
    /// What a function of a language answered, by key; all its data is under the empty one.
    pub(crate) function_answers: Mutex<rustc_hash::FxHashMap<Str, KeptAnswer>>,
    /// What such a function keeps between its calls.
    pub(crate) cache: DataCache,
}

#[derive(Debug)]
pub(crate) enum Where {
    Nowhere,
    Path { original: Str, path: Arc<Path>, exists: bool },
    Uri { original: Str, uri: Str },
}

impl Location {
    fn new(what: Where) -> Location {
        Location {
            what,
            data: OnceLock::new(),
            answers: Mutex::default(),
            function_answers: Mutex::default(),
            cache: DataCache::default(),
        }
    }

    /// The location as messages name it.
    pub(crate) fn text(&self) -> Option<String> {
        match &self.what {
            Where::Nowhere => None,
            Where::Path { path, .. } => Some(path.display().to_string()),
            Where::Uri { uri, .. } => Some(uri.to_string()),
        }
    }
}

impl Node {
    /// A node with its variables.
    pub fn new(shared: Arc<Shared>, scope: Scope, strict: Strictness) -> Node {
        let modules = shared.layers.modules.len();
        let cells = || (0..modules).map(|_| OnceLock::new()).collect();
        Node {
            scope,
            strict,
            global: OnceLock::new(),
            environment: OnceLock::new(),
            modules: (0..modules).map(|_| OnceLock::new()).collect(),
            options: OptionsOfLayers { modules: cells(), defaults: cells(), ..OptionsOfLayers::default() },
            warnings: Mutex::default(),
            lost: Mutex::default(),
            looks: Looks::default(),
            confined: false,
            shared,
        }
    }

    /// The plain texts of everything secret that lookups of the environment have met.
    pub fn secrets(&self) -> &Secrets {
        self.shared.secrets()
    }

    /// The same node, for variables that come from strangers: paths of data that they lead out of the folder that the
    /// configuration names are errors.
    pub fn confined(self) -> Node {
        Node { confined: true, ..self }
    }

    /// The node's variables.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The warnings since the last call, each once.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }

    pub(crate) fn warn(&self, warning: Warning) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).insert(warning);
    }

    /// The knockouts that were lost since the last call.
    pub fn take_lost_knockouts(&self) -> Vec<LostKnockout> {
        std::mem::take(&mut *self.lost.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn lose(&self, lost: Vec<LostKnockout>) {
        let mut all = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        for one in lost {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }

    /// What a layer provides; none if it has no configuration.
    pub(crate) fn provider(&self, layer: Layer) -> Result<Option<&Provider>, Error> {
        let answer = match layer {
            Layer::Global => {
                return match self.global.get_or_init(|| {
                    self.load(layer).and_then(|found| {
                        found.ok_or_else(|| Error::fatal("config-version", "the global configuration is ignored"))
                    })
                }) {
                    Ok(provider) => Ok(Some(provider)),
                    Err(error) => Err(error.clone()),
                };
            }
            Layer::Environment => self.environment.get_or_init(|| self.load(layer)),
            Layer::Module(index) => self.modules[index].get_or_init(|| self.load(layer)),
        };
        answer.as_ref().map(Option::as_ref).map_err(Error::clone)
    }

    fn load(&self, layer: Layer) -> Result<Option<Provider>, Error> {
        let layers = &self.shared.layers;
        let path = layers.config_path(layer);
        let (owner, place, setting) = match layer {
            Layer::Global => (Owner::Global, "Global", None),
            Layer::Environment => (Owner::Environment, "Environment", layers.environment.data_provider.clone()),
            Layer::Module(index) => (Owner::Module, "Module", layers.modules[index].data_provider.clone()),
        };
        let sighting = Sighting::of(&path);
        self.looks.note(&path.as_path().into(), &sighting);
        let exists = sighting.exists();
        if layer != Layer::Global && !exists && setting.is_none() {
            return Ok(None);
        }
        let context = Context { owner, strict: self.strict, codedir: &layers.codedir };
        let mut config = None;
        if layer == Layer::Global || exists || setting.as_deref() == Some("hiera") {
            let loaded = self.shared.config(&path, &context);
            let (found, warnings) = &*loaded;
            warnings.iter().for_each(|warning| self.warn(warning.clone()));
            config = found.clone()?;
        }
        if let Some(setting) = setting {
            config = self.legacy_provider(layer, &setting, config, exists)?;
        }
        let Some(config) = config else { return Ok(None) };
        let module = layers.module_name(layer).cloned();
        let quoted = module.as_ref().map_or(String::new(), |name| format!("\"{name}\" "));
        Ok(Some(Provider {
            name: format!("{place} {quoted}Data Provider ({})", config.name()).into(),
            config,
            module,
            layer,
            levels: OnceLock::new(),
        }))
    }

    /// What the deprecated settings `environment_data_provider` and `data_provider` make of a layer.
    fn legacy_provider(
        &self,
        layer: Layer,
        setting: &str,
        config: Option<Arc<Config>>,
        exists: bool,
    ) -> Result<Option<Arc<Config>>, Error> {
        let layers = &self.shared.layers;
        let (file, named) = match layer {
            Layer::Module(index) => (
                layers.modules[index].root.join("metadata.json"),
                format!("\"data_provider\": \"{setting}\" in metadata.json"),
            ),
            _ => (
                layers.environment.root.join("environment.conf"),
                format!("environment_data_provider='{setting}' in environment.conf"),
            ),
        };
        let current = config.as_ref().is_some_and(|config| config.version >= 5) && exists;
        if self.strict != Strictness::Off {
            let mut message = format!("Defining {named} is deprecated");
            match layer {
                Layer::Module(_) if current => {
                    message.push_str(". It is ignored since a 'hiera.yaml' with version >= 5 is present");
                }
                _ if current => {}
                _ => {
                    message.push('.');
                    if !exists {
                        message.push_str(" A 'hiera.yaml' file should be used instead");
                    }
                }
            }
            self.warn(Warning::at_file(message, &file));
        }
        if current {
            return Ok(config);
        }
        match setting {
            "none" => Ok(None),
            "hiera" => Ok(config),
            "function" => Err(Error::puppet(
                "legacy-data-function",
                "The data provider 'function' calls a function of hiera version 4, which cannot be run here",
            )
            .at(crate::error::Place::file(&file))
            .help("convert the function to a back end that hieratic.yaml names, and use a hiera.yaml")),
            other => {
                let kind = if matches!(layer, Layer::Module(_)) { "module" } else { "environment" };
                let name = &layers.environment.name;
                Err(Error::puppet(
                    "legacy-data-provider",
                    format!("Environment '{name}', cannot find {kind}_data_provider '{other}'"),
                )
                .at(crate::error::Place::file(&file)))
            }
        }
    }

    /// The levels that a provider's configuration resolves to for this node.
    pub(crate) fn levels<'a>(&'a self, provider: &'a Provider) -> Result<&'a Levels, Error> {
        if let Some(levels) = provider.levels.get() {
            return levels.as_ref().map_err(Error::clone);
        }
        let resolved = self.resolve(provider);
        provider.levels.get_or_init(|| resolved).as_ref().map_err(Error::clone)
    }

    fn resolve(&self, provider: &Provider) -> Result<Levels, Error> {
        let config = &provider.config;
        let externals = match &config.path {
            Some(path) => {
                let registry: Arc<Path> = path.with_file_name(crate::backend::FILE_NAME).into();
                self.looks.note(&registry, &Sighting::of(&registry));
                self.shared.externals.beside(path)?
            }
            None => None,
        };
        if let Some(fault) = &config.fault {
            return Err(fault.clone());
        }
        config::check_names(&config.hierarchy)?;
        let all = |levels: &[config::Level]| -> Result<Vec<Level>, Error> {
            let mut resolved = Vec::with_capacity(levels.len());
            for level in levels {
                if let Some(level) = self.resolve_level(provider, level, externals.as_deref())? {
                    resolved.push(level);
                }
            }
            Ok(resolved)
        };
        let hierarchy = all(&config.hierarchy)?;
        let default_hierarchy = match &config.default_hierarchy {
            Some(levels) => {
                config::check_names(levels)?;
                all(levels)?
            }
            None => Vec::new(),
        };
        Ok(Levels { hierarchy, default_hierarchy })
    }

    fn resolve_level(
        &self,
        provider: &Provider,
        level: &config::Level,
        externals: Option<&crate::backend::Registry>,
    ) -> Result<Option<Level>, Error> {
        let config = &provider.config;
        let text = |text: &Str| {
            let interpolated = self.configuration_text(text, config, None)?;
            if self.confined && escapes(text, &interpolated) {
                return Err(escaped(text, &interpolated, config));
            }
            Ok(interpolated)
        };
        let datadir = match &level.datadir {
            Datadir::Interpolated(folder) => text(folder)?,
            Datadir::Plain(folder) => folder.to_string(),
        };
        let datadir = Path::new(&datadir);
        let path = |original: &Str, interpolated: String| {
            let mut path = interpolated;
            if let Some(extension) = &level.extension
                && !path.ends_with(&**extension)
            {
                path.push_str(extension);
            }
            let path = join(datadir, &path);
            let path: Arc<Path> = path.into();
            let sighting = Sighting::of(&path);
            self.looks.note(&path, &sighting);
            Where::Path { original: original.clone(), path, exists: sighting.exists() }
        };
        let mut places = Vec::new();
        match &level.locations {
            Locations::None => places.push(Where::Nowhere),
            Locations::Paths(paths) => {
                for original in paths {
                    let place = path(original, text(original)?);
                    let wanted = config.path.is_some() || matches!(place, Where::Path { exists: true, .. });
                    places.extend(wanted.then_some(place));
                }
                if config.path.is_none() && places.is_empty() {
                    return Ok(None);
                }
            }
            Locations::Globs(globs) => {
                for pattern in globs {
                    let pattern = join(datadir, &text(pattern)?).display().to_string();
                    let found = self.shared.glob(&pattern);
                    if !self.shared.is_once() {
                        self.looks.note_pattern(&pattern, &found);
                    }
                    let original = Str::from(pattern.as_str());
                    places.extend(found.iter().map(|path| Where::Path {
                        original: original.clone(),
                        path: path.clone(),
                        exists: true,
                    }));
                }
            }
            Locations::Uris(uris) => {
                for original in uris {
                    let uri = text(original)?;
                    if uri
                        .chars()
                        .any(|c| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c) || !c.is_ascii())
                    {
                        let quoted = Value::from(uri.as_str()).inspect();
                        return Err(Error::fatal("config-uri", format!("bad URI(is not URI?): {quoted}")));
                    }
                    places.push(Where::Uri { original: original.clone(), uri: uri.into() });
                }
            }
            Locations::Mapped { variable, name, template } => {
                for element in self.mapped(variable, config)? {
                    let local = (name.clone(), element);
                    let interpolated = self.configuration_text(template, config, Some(local))?;
                    if self.confined && escapes(template, &interpolated) {
                        return Err(escaped(template, &interpolated, config));
                    }
                    places.push(path(template, interpolated));
                }
            }
        }
        let options = self.configuration_value(&Value::Hash(level.options.clone()), config)?;
        let backend = backend(level, externals, &self.shared);
        Ok(Some(Level {
            label: format!("Hierarchy entry \"{}\"", level.name).into(),
            kind: level.kind,
            function: level.function.clone(),
            backend,
            options: options.as_hash().cloned().unwrap_or_default(),
            locations: places.into_iter().map(Location::new).collect(),
            config: config.path.clone(),
        }))
    }

    /// The elements of the variable that `mapped_paths` names.
    fn mapped(&self, variable: &Str, config: &Config) -> Result<Vec<Value>, Error> {
        let found = Evaluator::for_configuration(self, None)
            .configuration_variable(variable)
            .map_err(|error| in_configuration(error, config))?;
        match found {
            Value::Undef => Ok(Vec::new()),
            Value::String(text) if text.is_empty() => Ok(Vec::new()),
            Value::String(_) => Ok(vec![found]),
            Value::Array(elements) => Ok(elements.to_vec()),
            Value::Hash(hash) => Ok(hash.iter().map(|(key, value)| vec![key.clone(), value.clone()].into()).collect()),
            other => {
                let message = format!("undefined method `empty?' for {}:{}", other.inspect(), other.ruby_class());
                let fault = Error::fatal("config-mapped-paths", message).help(format!(
                    "mapped_paths takes a variable that is a string, an array or a hash; '{variable}' is not"
                ));
                Err(in_configuration(fault, config))
            }
        }
    }

    fn configuration_text(&self, text: &Str, config: &Config, local: Option<(Str, Value)>) -> Result<String, Error> {
        let Some(compiled) = Text::compile(text, crate::template::Functions::Forbidden) else {
            return Ok(text.to_string());
        };
        Evaluator::for_configuration(self, local)
            .configuration_text(&compiled)
            .map_err(|error| in_configuration(error, config))
    }

    fn configuration_value(&self, value: &Value, config: &Config) -> Result<Value, Error> {
        if !crate::template::has_expression(value) {
            return Ok(value.clone());
        }
        match value {
            Value::String(text) => Ok(self.configuration_text(text, config, None)?.into()),
            Value::Array(elements) => elements
                .iter()
                .map(|element| self.configuration_value(element, config))
                .collect::<Result<Vec<_>, _>>()
                .map(Value::from),
            Value::Hash(hash) => {
                let mut pairs = Vec::with_capacity(hash.len());
                for (key, value) in hash {
                    pairs.push((self.configuration_value(key, config)?, self.configuration_value(value, config)?));
                }
                Ok(pairs.into_iter().collect::<Hash>().into())
            }
            other => Ok(other.clone()),
        }
    }

    /// The data of a file behind a location, as the level's function reads it.
    pub(crate) fn data<'l>(
        &self,
        provider: &Provider,
        level: &Level,
        location: &'l Location,
    ) -> Result<Option<&'l Arc<Data>>, Error> {
        // A reference, not a clone: threads that count the same data up and down would wait for each other.
        let known = match location.data.get() {
            Some(known) => known,
            None => {
                let read = self.read(provider, level, location);
                location.data.get_or_init(|| read)
            }
        };
        known.as_ref().map(Option::as_ref).map_err(Error::clone)
    }

    fn read(&self, provider: &Provider, level: &Level, location: &Location) -> Result<Option<Arc<Data>>, Error> {
        let Where::Path { path, .. } = &location.what else { return Ok(None) };
        let store = &self.shared.store;
        let (file, data) = match &level.backend {
            Backend::File(format) => (store.file(path, *format), None),
            Backend::Eyaml => {
                key_files(&level.options).for_each(|file| self.looks.note(&file, &Sighting::of(&file)));
                store.encrypted(path, &level.options)?
            }
            _ => return Ok(None),
        };
        self.note_file(path, &file);
        match file.content.clone()? {
            Content::Hash(plain) => {
                if level.kind == FunctionKind::DataHash {
                    self.check_namespace(provider, level, location, plain.keys())?;
                }
                Ok(Some(data.unwrap_or(plain)))
            }
            Content::NoHash { empty } => {
                let message = format!("{}: file does not contain a valid yaml hash", path.display());
                if self.strict == Strictness::Error && !empty {
                    return Err(Error::lookup("data-no-hash", message)
                        .at(crate::error::Place::file(path))
                        .help("a data file holds keys and values at its top"));
                }
                self.warn(Warning::plain(message));
                Ok(None)
            }
            Content::Other(value) => Err(not_a_hash(level, location, &value)),
        }
    }

    /// Notes a data file that was looked at, with what it includes.
    fn note_file(&self, path: &Arc<Path>, file: &DataFile) {
        if self.shared.is_once() {
            return;
        }
        let renewed = |path: &Path, then: &Sighting| then.renewed(Sighting::of(path));
        self.looks.note(path, &renewed(path, &file.sighting));
        file.included.iter().for_each(|(path, then)| self.looks.note(path, &renewed(path, then)));
    }

    /// Warns of keys in a module's data that are not in its namespace.
    pub(crate) fn check_namespace<'k>(
        &self,
        provider: &Provider,
        level: &Level,
        location: &Location,
        keys: impl Iterator<Item = &'k Value>,
    ) -> Result<(), Error> {
        let (Some(module), Layer::Module(_)) = (&provider.module, provider.layer) else { return Ok(()) };
        for key in keys {
            let Some(text) = key.as_str() else {
                let message = format!("undefined method `start_with?' for {}:{}", key.inspect(), key.ruby_class());
                return Err(Error::fatal("module-namespace", message)
                    .help("the keys of a module's data are texts that begin with its name"));
            };
            let inside = text.strip_prefix(&**module).is_some_and(|rest| rest.starts_with("::"));
            if text != crate::key::LOOKUP_OPTIONS && !inside {
                let origin = returned_from(level, location);
                self.warn(Warning::plain(format!(
                    "Module '{module}': {origin} must use keys qualified with the name of the module"
                )));
            }
        }
        Ok(())
    }
}

/// Whether variables put something into a path that leads out of its folder.
fn escapes(template: &str, interpolated: &str) -> bool {
    let ups = |text: &str| text.split('/').filter(|component| *component == "..").count();
    interpolated.starts_with('/') && !template.starts_with('/') || ups(interpolated) > ups(template)
}

fn escaped(template: &str, interpolated: &str, config: &Config) -> Error {
    let message = format!("The variables lead the path '{template}' to '{interpolated}', which is not allowed here");
    let fault = Error::fatal("path-escapes", message).help("a value in a path may neither begin with / nor hold `..`");
    match &config.path {
        Some(path) => fault.at(crate::error::Place::file(path)),
        None => fault,
    }
}

/// How messages name what a `data_hash` function gave.
pub(crate) fn returned_from(level: &Level, location: &Location) -> String {
    let at = location.text().map_or(String::new(), |text| format!(", when using location '{text}',"));
    format!("Value returned from {} function '{}'{at}", level.kind.name(), level.function)
}

pub(crate) fn not_a_hash(level: &Level, location: &Location, value: &Value) -> Error {
    let subject = returned_from(level, location);
    let any_hash = hieratic_pcore::parse("Hash").unwrap_or(hieratic_pcore::Type::Undef);
    let message = match hieratic_pcore::assert_instance(&subject, &any_hash, value) {
        Err(mismatch) => mismatch.to_string(),
        Ok(()) => subject,
    };
    let fault = Error::puppet("data-no-hash", message).help("a data file holds keys and values at its top");
    match &location.what {
        Where::Path { path, .. } => fault.at(crate::error::Place::file(path)),
        _ => fault,
    }
}

fn backend(level: &config::Level, externals: Option<&crate::backend::Registry>, shared: &Shared) -> Backend {
    if let Some(external) = externals.and_then(|all| all.get(&level.function)) {
        return Backend::External(external);
    }
    let (backend, kind) = match &*level.function {
        "yaml_data" => {
            let directives = level.options.get(crate::source::DIRECTIVES).is_some_and(Value::is_truthy);
            (Backend::File(if directives { Format::Directives } else { Format::Yaml }), FunctionKind::DataHash)
        }
        "json_data" => (Backend::File(Format::Json), FunctionKind::DataHash),
        "hocon_data" => (Backend::File(Format::Hocon), FunctionKind::DataHash),
        "eyaml_lookup_key" => (Backend::Eyaml, FunctionKind::LookupKey),
        name => match (shared.store.format(name), &shared.functions) {
            (Some(format), _) => (Backend::File(format), FunctionKind::DataHash),
            (None, Some(functions)) => return Backend::Function(functions.clone()),
            (None, None) => return Backend::Unknown,
        },
    };
    if kind == level.kind { backend } else { Backend::WrongKind }
}

/// An undefined variable in a configuration is reported with the file.
fn in_configuration(error: Error, config: &Config) -> Error {
    let message = error.to_string();
    let Some(path) = &config.path else { return error };
    let Some(rest) = message.strip_prefix("Undefined variable '") else { return error.in_configuration(path) };
    let name = rest.split('\'').next().unwrap_or("");
    let line = std::fs::read_to_string(path).ok().and_then(|text| {
        let at = text
            .lines()
            .position(|line| ["%{", "%{'", "%{\""].iter().any(|open| line.contains(&format!("{open}{name}"))))?;
        u32::try_from(at + 1).ok()
    });
    let place = crate::error::Place { file: path.clone(), line, column: None };
    Error::lookup("undefined-variable", format!("Undefined variable '{name}'")).at_in_text(place)
}

impl Node {
    /// The data of a location for those who want its keys only.
    pub(crate) fn keys_of(&self, level: &Level, location: &Location) -> Result<Option<Arc<Data>>, Error> {
        let Where::Path { path, .. } = &location.what else { return Ok(None) };
        let format = match level.backend {
            Backend::File(format) => format,
            _ => Format::Yaml,
        };
        let file = self.shared.store.file(path, format);
        self.note_file(path, &file);
        match file.content.clone()? {
            Content::Hash(data) => Ok(Some(data)),
            _ => Ok(None),
        }
    }
}
