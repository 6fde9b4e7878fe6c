//! Resolves the levels of a configuration: interpolates their strings and finds their files.

use std::path::Path;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_diagnostics::Span;
use hieratic_value::{Hash, Str, Value};

use super::Node;
use super::level::{Backend, Level, Levels};
use super::location::{Location, LocationKind};
use super::provider::Provider;
use super::shared::{PathState, Shared};
use super::skipped::{SkipReason, is_remote};
use super::traversal::{escapes, is_pattern, pattern_escapes, traversal_error};
use crate::Error;
use crate::backend::{self, ExternalBackend, Registry};
use crate::codes;
use crate::config::{self, Config, Datadir, FunctionKind, Locations};
use crate::error::Place;
use crate::paths::join;
use crate::source::{DIRECTIVES, Format};
use crate::template::{Functions, Text, has_expression};
use crate::variable::Variables;
use hieratic_sandbox::SlashPath as _;

/// Interpolates the strings of a configuration, as a lookup does those of data. With `lenient_variables`, an unknown variable is
/// only a warning even if the settings make it an error.
pub(crate) trait Interpolator {
    /// Interpolates a string. A `local` variable is added to those of the node.
    fn text(&self, text: &Text, tolerant: bool, local: Option<(Str, Value)>) -> Result<String, Error>;

    /// The value of a variable.
    fn variable(&self, name: &Str, tolerant: bool) -> Result<Value, Error>;
}

/// The role of a configuration string in its level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StringRole {
    /// A location of data: a path, a glob, an address.
    Location,
    /// The folder of its data, or an option.
    Other,
}

impl Node {
    /// Resolves the levels of a provider, once.
    pub(crate) fn resolve_levels<'a>(
        &'a self,
        provider: &'a Provider,
        texts: &impl Interpolator,
        budget: &Budget,
    ) -> Result<&'a Levels, Error> {
        let resolved = Resolver { node: self, provider, config: &provider.config, texts, budget }.levels();
        // Another request may have more time, and repeats the resolution.
        if let Err(error) = &resolved
            && error.is_limit()
        {
            return Err(error.clone());
        }
        let levels = provider.levels.get_or_init(|| resolved).as_ref().map_err(Error::clone)?;
        self.prefetch(levels);
        Ok(levels)
    }
}

/// The resolution of one configuration for a node.
struct Resolver<'r, T> {
    node: &'r Node,
    provider: &'r Provider,
    config: &'r Config,
    texts: &'r T,
    budget: &'r Budget,
}

impl<T: Interpolator> Resolver<'_, T> {
    fn levels(&self) -> Result<Levels, Error> {
        let (node, config) = (self.node, self.config);
        let externals = match &config.path {
            Some(path) => {
                let registry: Arc<Path> = path.with_file_name(backend::FILE_NAME).into();
                let files = node.shared.files_of_config(path);
                let observation = node.shared.observe_config(files, &registry);
                node.accesses.record(files, &registry, &observation);
                node.shared.externals.in_file(&registry, observation, files)?
            }
            None => None,
        };
        if let Some(error) = &config.fault {
            return Err(error.clone());
        }
        config::check_names(&config.hierarchy)?;
        let all = |levels: &[config::Level]| -> Result<Vec<Level>, Error> {
            let mut resolved = Vec::with_capacity(levels.len());
            for level in levels {
                if let Some(level) = self.level(level, externals.as_deref())? {
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

    fn level(&self, level: &config::Level, externals: Option<&Registry>) -> Result<Option<Level>, Error> {
        let Resolver { node, provider, config, budget, .. } = *self;
        budget.step()?;
        let answerer = externals.and_then(|all| all.get(&level.function));
        let absence = match &answerer {
            _ if node.shared.leaves_out(&level.name) => Some(SkipReason::Named),
            None if is_remote(&level.function) => Some(SkipReason::Remote),
            _ => None,
        };
        if let Some(absence) = absence {
            return Ok(Some(self.without_data(level, Backend::Skipped(absence), LocationKind::Unnamed)));
        }
        if let Some(ExternalBackend::File { path, format, secret }) = &answerer {
            let files = node.shared.files_of(provider.layer);
            let PathState { observation, exists } = node.shared.observe_data(files, path);
            node.accesses.record(files, path, &observation);
            let original = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let place = LocationKind::Path {
                original: original.into(),
                path: path.clone(),
                exists,
                is_file: observation.is_file(),
            };
            return Ok(Some(Level { secret: *secret, ..self.without_data(level, Backend::File(*format), place) }));
        }
        let text = |part: StringRole, text: &Str| {
            let interpolated = self.text(part, text, None)?;
            if node.confined && escapes(text, &interpolated) {
                return Err(traversal_error(text, &interpolated, config));
            }
            Ok(interpolated)
        };
        let datadir = match &level.datadir {
            Datadir::Interpolated(folder) => {
                let interpolated = text(StringRole::Other, folder)?;
                let globs = matches!(level.locations, Locations::Globs(_));
                if node.confined && globs && is_pattern(folder, &interpolated) {
                    return Err(traversal_error(folder, &interpolated, config));
                }
                interpolated
            }
            Datadir::Plain(folder) => folder.to_string(),
        };
        let datadir = Path::new(&datadir);
        let files = node.shared.files_of(provider.layer).clone();
        let path = |original: &Str, interpolated: String| {
            let mut path = interpolated;
            if let Some(extension) = &level.extension
                && !path.ends_with(&**extension)
            {
                path.push_str(extension);
            }
            let path = join(datadir, &path);
            let path: Arc<Path> = path.into();
            let PathState { observation, exists } =
                node.shared.observe_data(node.shared.files_of(provider.layer), &path);
            node.accesses.record(&files, &path, &observation);
            let is_file = observation.is_file();
            LocationKind::Path { original: original.clone(), path, exists, is_file }
        };
        let (mut places, mut patterns) = (Vec::new(), Vec::new());
        match &level.locations {
            Locations::None => places.push(LocationKind::Unnamed),
            Locations::Paths(paths) => {
                for original in paths {
                    let place = path(original, text(StringRole::Location, original)?);
                    let is_searched = config.path.is_some() || matches!(place, LocationKind::Path { exists: true, .. });
                    places.extend(is_searched.then_some(place));
                }
                if config.path.is_none() && places.is_empty() {
                    return Ok(None);
                }
            }
            Locations::Globs(globs) => {
                for pattern in globs {
                    let interpolated = text(StringRole::Location, pattern)?;
                    let with_place = |error: Error| match &config.path {
                        Some(path) => error.at(Place::file(path)),
                        None => error,
                    };
                    if node.confined && pattern_escapes(pattern, &interpolated, budget).map_err(with_place)? {
                        return Err(traversal_error(pattern, &interpolated, config));
                    }
                    let pattern = join(datadir, &interpolated).to_slashes();
                    let found = node.shared.glob(&pattern, &interpolated, &files, budget).map_err(with_place)?;
                    if !node.shared.is_once() {
                        node.accesses.record_glob(&files, &pattern, &found);
                    }
                    let original = Str::from(pattern.as_str());
                    patterns.push(original.clone());
                    places.extend(found.iter().map(|one| LocationKind::Path {
                        original: original.clone(),
                        path: one.path.clone(),
                        exists: true,
                        is_file: one.is_file,
                    }));
                }
            }
            Locations::Uris(uris) => {
                for original in uris {
                    let uri = text(StringRole::Location, original)?;
                    if uri
                        .chars()
                        .any(|c| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c) || !c.is_ascii())
                    {
                        let quoted = Value::from(uri.as_str()).inspect();
                        return Err(Error::fatal(codes::CONFIG_URI, format!("bad URI(is not URI?): {quoted}")));
                    }
                    places.push(LocationKind::Uri { original: original.clone(), uri: uri.into() });
                }
            }
            Locations::Mapped { variable, name, template } => {
                for element in self.mapped(variable)? {
                    budget.step()?;
                    let local = (name.clone(), element);
                    let interpolated = self.text(StringRole::Location, template, Some(local))?;
                    if node.confined && escapes(template, &interpolated) {
                        return Err(traversal_error(template, &interpolated, config));
                    }
                    places.push(path(template, interpolated));
                }
            }
        }
        let options = self.value(&Value::Hash(level.options.clone()))?;
        let backend = backend_of(level, answerer, &node.shared);
        let written = match &level.datadir {
            Datadir::Interpolated(folder) => Some(folder.clone()),
            Datadir::Plain(_) => None,
        };
        Ok(Some(Level {
            datadir: written,
            options: options.as_hash().cloned().unwrap_or_default(),
            locations: places.into_iter().map(Location::new).collect(),
            patterns,
            files,
            ..self.without_data(level, backend, LocationKind::Unnamed)
        }))
    }

    /// Returns a level of which only the name and the function are read, with one location.
    fn without_data(&self, level: &config::Level, backend: Backend, place: LocationKind) -> Level {
        Level {
            name: level.name.clone(),
            label: format!("Hierarchy entry \"{}\"", level.name).into(),
            kind: level.kind,
            function: level.function.clone(),
            backend,
            options: Hash::default(),
            secret: false,
            datadir: None,
            locations: vec![Location::new(place)],
            patterns: Vec::new(),
            config: self.config.path.clone(),
            files: self.node.shared.files_of(self.provider.layer).clone(),
        }
    }

    /// The elements of the variable that `mapped_paths` names.
    fn mapped(&self, variable: &Str) -> Result<Vec<Value>, Error> {
        let found = self
            .texts
            .variable(variable, self.tolerates(StringRole::Location))
            .map_err(|error| self.in_configuration(error))?;
        match found {
            Value::Undef => Ok(Vec::new()),
            Value::String(text) if text.is_empty() => Ok(Vec::new()),
            Value::String(_) => Ok(vec![found]),
            Value::Array(elements) => Ok(elements.to_vec()),
            Value::Hash(hash) => Ok(hash.iter().map(|(key, value)| vec![key.clone(), value.clone()].into()).collect()),
            other => {
                let message = format!("undefined method `empty?' for {}:{}", other.inspect(), other.ruby_class());
                let problem = Error::fatal(codes::CONFIG_MAPPED_PATHS, message).help(format!(
                    "mapped_paths requires a variable that is a string, an array or a hash; '{variable}' is not"
                ));
                Err(self.in_configuration(problem))
            }
        }
    }

    /// Returns whether an unknown variable is only a warning even if `strict` makes it an error.
    fn tolerates(&self, part: StringRole) -> bool {
        let version = self.node.rules.version;
        part == StringRole::Location && self.config.version == 5 && version.tolerates_unknown_variables_in_hierarchies()
    }

    fn text(&self, part: StringRole, text: &Str, local: Option<(Str, Value)>) -> Result<String, Error> {
        let Some(compiled) = Text::compile(text, Functions::Forbidden, &Variables::default()) else {
            return Ok(text.to_string());
        };
        self.texts.text(&compiled, self.tolerates(part), local).map_err(|error| self.in_configuration(error))
    }

    fn value(&self, value: &Value) -> Result<Value, Error> {
        if !has_expression(value) {
            return Ok(value.clone());
        }
        match value {
            Value::String(text) => {
                let interpolated = self.text(StringRole::Other, text, None)?;
                // Options name files as well: keys for encrypted data, and files that a backend reads.
                if self.node.confined && escapes(text, &interpolated) {
                    return Err(traversal_error(text, &interpolated, self.config));
                }
                Ok(interpolated.into())
            }
            Value::Array(elements) => {
                elements.iter().map(|element| self.value(element)).collect::<Result<Vec<_>, _>>().map(Value::from)
            }
            Value::Hash(hash) => {
                let mut pairs = Vec::with_capacity(hash.len());
                for (key, value) in hash {
                    let key = self.value(key)?;
                    pairs.push((key, self.value(value)?));
                }
                Ok(pairs.into_iter().collect::<Hash>().into())
            }
            other => Ok(other.clone()),
        }
    }

    /// An undefined variable in a configuration is reported with the file.
    fn in_configuration(&self, error: Error) -> Error {
        let message = error.to_string();
        let Some(path) = &self.config.path else { return error };
        let Some(rest) = message.strip_prefix("Undefined variable '") else { return error.in_configuration(path) };
        let name = rest.split('\'').next().unwrap_or("");
        let place = self.config.source.as_ref().and_then(|source| {
            let opened = ["%{", "%{'", "%{\""].iter();
            let opened = opened.filter_map(|open| Some(source.text().find(&format!("{open}{name}"))? + open.len()));
            let start = opened.min()?;
            Some(Place::of(path.clone(), source, Span::new(start, start + name.len())).without_column())
        });
        let place = place.unwrap_or_else(|| Place::file(path));
        Error::lookup(codes::UNDEFINED_VARIABLE, format!("Undefined variable '{name}'")).at_in_text(place)
    }
}

/// Returns the backend of a level.
fn backend_of(level: &config::Level, answerer: Option<ExternalBackend>, shared: &Shared) -> Backend {
    if let Some(ExternalBackend::Program(external)) = answerer {
        return Backend::External(external);
    }
    let (backend, kind) = match &*level.function {
        "yaml_data" => {
            let directives = level.options.get(DIRECTIVES).is_some_and(Value::is_truthy);
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
