//! [`Levels`]: the levels of a hierarchy, with what a node's variables make of them.

use std::path::Path;
use std::sync::Arc;

use hieratic_powers::{Budget, Files};
use hieratic_value::{Hash, Str, Value};

use super::confined::{escaped, escapes, is_pattern, pattern_escapes};
use super::shared::Seen;
use super::{Location, Node, Provider, Shared, Where};
use crate::Error;
use crate::backend::External;
use crate::backend::function::DataFunctions;
use crate::codes;
use crate::config::{self, Config, Datadir, FunctionKind, Locations};
use crate::glob;
use crate::lookup::Evaluator;
use crate::paths::join;
use crate::source::Format;
use crate::template::{Functions, Text};
use crate::variable::Variables;

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
    /// The folder of its data as the configuration has it, if it may have variables.
    pub(crate) datadir: Option<Str>,
    /// Where its data lies; one nameless location if the function knows itself.
    pub(crate) locations: Vec<Location>,
    pub(crate) config: Option<Arc<Path>>,
    /// The files that its data may come from.
    pub(crate) files: Files,
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

/// What of a level a text of the configuration is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Where data lies: a path, a pattern, an address.
    Location,
    /// The folder of its data, or an option.
    Other,
}

impl Node {
    /// The levels that a provider's configuration resolves to for this node.
    pub(crate) fn levels<'a>(&'a self, provider: &'a Provider, budget: &Budget) -> Result<&'a Levels, Error> {
        if let Some(levels) = provider.levels.get() {
            return levels.as_ref().map_err(Error::clone);
        }
        let resolved = self.resolve(provider, budget);
        // Another question may have more time, and gets its answer.
        if let Err(error) = &resolved
            && error.is_limit()
        {
            return Err(error.clone());
        }
        let levels = provider.levels.get_or_init(|| resolved).as_ref().map_err(Error::clone)?;
        self.read_ahead(levels);
        Ok(levels)
    }

    fn resolve(&self, provider: &Provider, budget: &Budget) -> Result<Levels, Error> {
        let config = &provider.config;
        let externals = match &config.path {
            Some(path) => {
                let registry: Arc<Path> = path.with_file_name(crate::backend::FILE_NAME).into();
                let files = self.shared.files_of_config(path);
                let sighting = self.shared.see_config(files, &registry);
                self.looks.note(files, &registry, &sighting);
                self.shared.externals.in_file(&registry, sighting, files)?
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
                if let Some(level) = self.resolve_level(provider, level, externals.as_deref(), budget)? {
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
        budget: &Budget,
    ) -> Result<Option<Level>, Error> {
        let config = &provider.config;
        budget.step()?;
        let text = |part: Part, text: &Str| {
            let interpolated = self.configuration_text(part, text, config, None, budget)?;
            if self.confined && escapes(text, &interpolated) {
                return Err(escaped(text, &interpolated, config));
            }
            Ok(interpolated)
        };
        let datadir = match &level.datadir {
            Datadir::Interpolated(folder) => {
                let interpolated = text(Part::Other, folder)?;
                let globs = matches!(level.locations, Locations::Globs(_));
                if self.confined && globs && is_pattern(folder, &interpolated) {
                    return Err(escaped(folder, &interpolated, config));
                }
                interpolated
            }
            Datadir::Plain(folder) => folder.to_string(),
        };
        let datadir = Path::new(&datadir);
        let files = self.shared.files_of(provider.layer).clone();
        let path = |original: &Str, interpolated: String| {
            let mut path = interpolated;
            if let Some(extension) = &level.extension
                && !path.ends_with(&**extension)
            {
                path.push_str(extension);
            }
            let path = join(datadir, &path);
            let path: Arc<Path> = path.into();
            let Seen { sighting, exists } = self.shared.see_data(self.shared.files_of(provider.layer), &path);
            self.looks.note(&files, &path, &sighting);
            let is_file = sighting.is_file();
            Where::Path { original: original.clone(), path, exists, is_file }
        };
        let mut places = Vec::new();
        match &level.locations {
            Locations::None => places.push(Where::Nowhere),
            Locations::Paths(paths) => {
                for original in paths {
                    let place = path(original, text(Part::Location, original)?);
                    let wanted = config.path.is_some() || matches!(place, Where::Path { exists: true, .. });
                    places.extend(wanted.then_some(place));
                }
                if config.path.is_none() && places.is_empty() {
                    return Ok(None);
                }
            }
            Locations::Globs(globs) => {
                for pattern in globs {
                    let interpolated = text(Part::Location, pattern)?;
                    let told = |fault: glob::Fault| match &config.path {
                        Some(path) => fault.into_error(&interpolated).at(crate::error::Place::file(path)),
                        None => fault.into_error(&interpolated),
                    };
                    if self.confined && pattern_escapes(pattern, &interpolated, budget).map_err(told)? {
                        return Err(escaped(pattern, &interpolated, config));
                    }
                    let pattern = join(datadir, &interpolated).display().to_string();
                    let found = self.shared.glob(&pattern, &files, budget).map_err(told)?;
                    if !self.shared.is_once() {
                        self.looks.note_pattern(&files, &pattern, &found);
                    }
                    let original = Str::from(pattern.as_str());
                    places.extend(found.iter().map(|one| Where::Path {
                        original: original.clone(),
                        path: one.path.clone(),
                        exists: true,
                        is_file: one.is_file,
                    }));
                }
            }
            Locations::Uris(uris) => {
                for original in uris {
                    let uri = text(Part::Location, original)?;
                    if uri
                        .chars()
                        .any(|c| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c) || !c.is_ascii())
                    {
                        let quoted = Value::from(uri.as_str()).inspect();
                        return Err(Error::fatal(codes::CONFIG_URI, format!("bad URI(is not URI?): {quoted}")));
                    }
                    places.push(Where::Uri { original: original.clone(), uri: uri.into() });
                }
            }
            Locations::Mapped { variable, name, template } => {
                for element in self.mapped(variable, config, budget)? {
                    budget.step()?;
                    let local = (name.clone(), element);
                    let interpolated =
                        self.configuration_text(Part::Location, template, config, Some(local), budget)?;
                    if self.confined && escapes(template, &interpolated) {
                        return Err(escaped(template, &interpolated, config));
                    }
                    places.push(path(template, interpolated));
                }
            }
        }
        let options = self.configuration_value(&Value::Hash(level.options.clone()), config, budget)?;
        let backend = backend(level, externals, &self.shared);
        let written = match &level.datadir {
            Datadir::Interpolated(folder) => Some(folder.clone()),
            Datadir::Plain(_) => None,
        };
        Ok(Some(Level {
            datadir: written,
            label: format!("Hierarchy entry \"{}\"", level.name).into(),
            kind: level.kind,
            function: level.function.clone(),
            backend,
            options: options.as_hash().cloned().unwrap_or_default(),
            locations: places.into_iter().map(Location::new).collect(),
            config: config.path.clone(),
            files,
        }))
    }

    /// The elements of the variable that `mapped_paths` names.
    fn mapped(&self, variable: &Str, config: &Config, budget: &Budget) -> Result<Vec<Value>, Error> {
        let found = Evaluator::for_configuration(self, self.tolerates(Part::Location, config), None, budget)
            .configuration_variable(variable)
            .map_err(|error| self.in_configuration(error, config))?;
        match found {
            Value::Undef => Ok(Vec::new()),
            Value::String(text) if text.is_empty() => Ok(Vec::new()),
            Value::String(_) => Ok(vec![found]),
            Value::Array(elements) => Ok(elements.to_vec()),
            Value::Hash(hash) => Ok(hash.iter().map(|(key, value)| vec![key.clone(), value.clone()].into()).collect()),
            other => {
                let message = format!("undefined method `empty?' for {}:{}", other.inspect(), other.ruby_class());
                let fault = Error::fatal(codes::CONFIG_MAPPED_PATHS, message).help(format!(
                    "mapped_paths requires a variable that is a string, an array or a hash; '{variable}' is not"
                ));
                Err(self.in_configuration(fault, config))
            }
        }
    }

    /// Whether an unknown variable is no error even if `strict` says so.
    fn tolerates(&self, part: Part, config: &Config) -> bool {
        part == Part::Location && config.version == 5 && self.rules.version.tolerates_unknown_variables_in_hierarchies()
    }

    fn configuration_text(
        &self,
        part: Part,
        text: &Str,
        config: &Config,
        local: Option<(Str, Value)>,
        budget: &Budget,
    ) -> Result<String, Error> {
        let Some(compiled) = Text::compile(text, Functions::Forbidden, &Variables::default()) else {
            return Ok(text.to_string());
        };
        Evaluator::for_configuration(self, self.tolerates(part, config), local, budget)
            .configuration_text(&compiled)
            .map_err(|error| self.in_configuration(error, config))
    }

    fn configuration_value(&self, value: &Value, config: &Config, budget: &Budget) -> Result<Value, Error> {
        if !crate::template::has_expression(value) {
            return Ok(value.clone());
        }
        match value {
            Value::String(text) => {
                let interpolated = self.configuration_text(Part::Other, text, config, None, budget)?;
                // Options name files as well: keys of encrypted data, and whatever a back end reads.
                if self.confined && escapes(text, &interpolated) {
                    return Err(escaped(text, &interpolated, config));
                }
                Ok(interpolated.into())
            }
            Value::Array(elements) => elements
                .iter()
                .map(|element| self.configuration_value(element, config, budget))
                .collect::<Result<Vec<_>, _>>()
                .map(Value::from),
            Value::Hash(hash) => {
                let mut pairs = Vec::with_capacity(hash.len());
                for (key, value) in hash {
                    let key = self.configuration_value(key, config, budget)?;
                    pairs.push((key, self.configuration_value(value, config, budget)?));
                }
                Ok(pairs.into_iter().collect::<Hash>().into())
            }
            other => Ok(other.clone()),
        }
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

impl Node {
    /// An undefined variable in a configuration is reported with the file.
    fn in_configuration(&self, error: Error, config: &Config) -> Error {
        let message = error.to_string();
        let Some(path) = &config.path else { return error };
        let Some(rest) = message.strip_prefix("Undefined variable '") else { return error.in_configuration(path) };
        let name = rest.split('\'').next().unwrap_or("");
        let line = self.shared.powers.files_of(path).read_text(path).ok().and_then(|text| {
            let at = text
                .lines()
                .position(|line| ["%{", "%{'", "%{\""].iter().any(|open| line.contains(&format!("{open}{name}"))))?;
            u32::try_from(at + 1).ok()
        });
        let place = crate::error::Place { file: path.clone(), line, column: None };
        Error::lookup(codes::UNDEFINED_VARIABLE, format!("Undefined variable '{name}'")).at_in_text(place)
    }
}
