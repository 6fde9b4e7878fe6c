//! Searches the layers, levels and locations for a key.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use hieratic_json::Positions;
use hieratic_value::{Str, Value};

use super::evaluator::{Evaluator, KeyRequest, StackEntry};
use super::functions::{unknown_function, wrap_in_path};
use super::mode::Mode;
use super::scope::SearchedLayers;
use crate::backend::{BackendProgram, BackendRequest};
use crate::codes;
use crate::config::FunctionKind;
use crate::datum::{Datum, ValueContext};
use crate::explain::{Event, StepKind};
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::{Layer, Rank};
use crate::merge::Strategy;
use crate::merge::knockout::Contribution;
use crate::node::{Backend, Level, Location, LocationKind, Provider, SkipReason, not_a_hash};
use crate::object::Origin;
use crate::source::{Data, Entry};
use crate::template::Template;
use crate::variable::Variables;
use crate::{Error, error::Place};

/// The option of a level that makes values with a decrypted part Sensitive.
const SENSITIVE: &str = "sensitive";

impl<M: Mode> Evaluator<'_, M> {
    /// Searches one layer.
    pub(super) fn layer(
        &mut self,
        rank: Rank,
        request: KeyRequest<'_>,
        strategy: &Strategy,
    ) -> Result<Option<M::V>, Error> {
        match rank {
            Rank::Global => self.global_layer(request, strategy),
            Rank::Environment => match self.node.provider(Layer::Environment)? {
                Some(provider) => self.find_in_provider(provider, request, strategy),
                None => Ok(None),
            },
            Rank::Module => self.module_layer(request, strategy),
        }
    }

    pub(super) fn global_layer(&mut self, request: KeyRequest<'_>, strategy: &Strategy) -> Result<Option<M::V>, Error> {
        self.checked(StackEntry::Key(request.key.text().clone()), |this| {
            let Some(provider) = this.node.provider(Layer::Global)? else { return Ok(None) };
            if provider.config.version != 3 {
                return this.find_in_levels(provider, request, strategy);
            }
            // Data of Hiera 3 only sees the global layer, unless the environment has its own data.
            let environment = this.node.provider(Layer::Environment)?;
            let mut scope = this.scope.clone();
            if environment.is_none_or(|provider| provider.config.version < 5) {
                scope.layers = SearchedLayers::Global;
            }
            this.within(scope, |this| this.find_in_levels(provider, request, strategy))
        })
        .map_err(|error| error.in_global_layer(request.top))
    }

    pub(super) fn module_layer(&mut self, request: KeyRequest<'_>, strategy: &Strategy) -> Result<Option<M::V>, Error> {
        let Some(name) = request.module else { return Ok(None) };
        let Some(index) = self.node.shared.layers().module_index(name) else {
            self.mode.leaf(|| StepKind::Module { name: name.into() }, Some(Event::ModuleNotFound));
            return Ok(None);
        };
        match self.node.provider(Layer::Module(index))? {
            Some(provider) => self.find_in_provider(provider, request, strategy),
            None => {
                self.mode.leaf(|| StepKind::Module { name: name.into() }, Some(Event::ModuleProviderNotFound));
                Ok(None)
            }
        }
    }

    fn find_in_provider(
        &mut self,
        provider: &Provider,
        request: KeyRequest<'_>,
        strategy: &Strategy,
    ) -> Result<Option<M::V>, Error> {
        self.checked(StackEntry::Key(request.key.text().clone()), |this| {
            this.find_in_levels(provider, request, strategy)
        })
    }

    fn find_in_levels(
        &mut self,
        provider: &Provider,
        request: KeyRequest<'_>,
        strategy: &Strategy,
    ) -> Result<Option<M::V>, Error> {
        self.explained(
            || provider_node(provider),
            |this| {
                let levels = &this.node.levels(provider, this.budget())?.hierarchy;
                if levels.is_empty() {
                    this.mode.not_found(|| request.key.text().clone());
                    return Ok(None);
                }
                this.merged(strategy, levels, |this, level| this.level(provider, level, request, strategy))
            },
        )
    }

    /// Searches the default hierarchy of the key's module.
    pub(super) fn find_in_default_levels(
        &mut self,
        provider: &Provider,
        request: KeyRequest<'_>,
        strategy: &Strategy,
    ) -> Result<Option<M::V>, Error> {
        let levels = &self.node.levels(provider, self.budget())?.default_hierarchy;
        if levels.is_empty() {
            self.mode.not_found(|| request.key.text().clone());
            return Ok(None);
        }
        self.checked(StackEntry::Key(request.key.text().clone()), |this| {
            this.explained(
                || provider_node(provider),
                |this| this.merged(strategy, levels, |this, level| this.level(provider, level, request, strategy)),
            )
        })
    }

    fn level(
        &mut self,
        provider: &Provider,
        level: &Level,
        request: KeyRequest<'_>,
        strategy: &Strategy,
    ) -> Result<Option<M::V>, Error> {
        self.explained(
            || StepKind::Provider { name: level.label.clone(), configuration: None, module: None },
            |this| {
                this.merged(strategy, &level.locations, |this, location| {
                    this.budget().step()?;
                    let found = this.location(provider, level, location, request)?;
                    let found = if this.scope.key_is_secret { found.map(M::V::marked_secret) } else { found };
                    if let (Some(found), Some(contributions)) = (&found, request.contributions) {
                        let object = found.to_object();
                        let origin = match object.origin() {
                            Some(origin @ Origin::File { .. }) => origin.clone(),
                            _ => Origin::Named(location.text().map_or_else(|| level.label.clone(), Str::from)),
                        };
                        contributions.add(Contribution { value: object.snapshot(), origin });
                    }
                    Ok(found)
                })
            },
        )
    }

    pub(super) fn location(
        &mut self,
        provider: &Provider,
        level: &Level,
        location: &Location,
        request: KeyRequest<'_>,
    ) -> Result<Option<M::V>, Error> {
        let (is_path, original, exists) = match &location.kind {
            LocationKind::Unnamed => return self.call_backend(provider, level, location, request),
            LocationKind::Path { original, exists, .. } => (true, original, *exists),
            LocationKind::Uri { original, .. } => (false, original, true),
        };
        self.explained(
            || StepKind::Location {
                is_path,
                original: original.clone(),
                location: location.text().unwrap_or_default().into(),
            },
            |this| {
                if !exists {
                    this.mode.event(Event::LocationNotFound);
                    return Ok(None);
                }
                this.call_backend(provider, level, location, request)
            },
        )
    }

    /// Calls the level's backend for a location.
    fn call_backend(
        &mut self,
        provider: &Provider,
        level: &Level,
        location: &Location,
        request: KeyRequest<'_>,
    ) -> Result<Option<M::V>, Error> {
        self.node.record_lookup(request.key);
        let key = request.key.root();
        let is_path = matches!(location.kind, LocationKind::Path { .. });
        let found = match &level.backend {
            Backend::File(format) if !is_path || !format.takes(&level.options) => return Err(missing_path(level)),
            Backend::Eyaml if !is_path => return Err(missing_path(level)),
            Backend::File(_) => match self.node.data(provider, level, location)? {
                Some(data) => self.value_in(level, location, data, key)?,
                None => None,
            },
            Backend::Eyaml => match self.mode.decrypted(location, key) {
                Some(known) => {
                    self.record.is_sensitive |= self.makes_sensitive(level) && known.has_hidden();
                    Some(known)
                }
                None => {
                    let found = match self.node.data(provider, level, location)? {
                        Some(data) => self.value_in(level, location, data, key)?,
                        None => None,
                    };
                    if let Some(found) = &found {
                        self.mode.keep_decrypted(location, key, found);
                    }
                    found
                }
            },
            Backend::External(external) => match level.kind {
                FunctionKind::DataHash => match self.external_hash(external, level, location)? {
                    Some(data) => self.value_in(level, location, &data, key)?,
                    None => None,
                },
                _ => return self.external_key(external, level, location, request),
            },
            Backend::Function(functions) => {
                let found = match level.kind {
                    FunctionKind::DataHash => match self.function_hash(functions, provider, level, location)? {
                        Some(data) => self.value_in(level, location, &data, key)?,
                        None => None,
                    },
                    _ => {
                        let found = self.function_key(functions, provider, level, location, request)?;
                        if found.is_some() || !location.is_remote.load(Ordering::Relaxed) {
                            return Ok(found);
                        }
                        None
                    }
                };
                if location.is_remote.load(Ordering::Relaxed) {
                    self.record_skipped(level, SkipReason::Remote, request);
                }
                found
            }
            Backend::Skipped(absence) => {
                self.record_skipped(level, *absence, request);
                None
            }
            Backend::Unknown => return Err(unknown_function(level, None)),
            Backend::WrongKind => {
                let (takes, right) =
                    if &*level.function == "eyaml_lookup_key" { (3, "lookup_key") } else { (2, "data_hash") };
                let given = if level.kind == FunctionKind::DataHash { 2 } else { 3 };
                let message = if takes == given {
                    format!("'{}' cannot be used as {}", level.function, level.kind.name())
                } else {
                    format!("'{}' expects {takes} arguments, got {given}", level.function)
                };
                return Err(
                    Error::fatal(codes::DATA_FUNCTION, message).help(format!("write `{right}: {}`", level.function))
                );
            }
        };
        match &found {
            Some(found) => self.mode.found(Event::Found, || key.clone(), found),
            None => self.mode.not_found(|| key.clone()),
        }
        Ok(found)
    }

    fn value_in(
        &mut self,
        level: &Level,
        location: &Location,
        data: &Arc<Data>,
        key: &Str,
    ) -> Result<Option<M::V>, Error> {
        let Some((entry, positions)) = data.get(key) else { return Ok(None) };
        self.value_of(level, location, data, key, entry, positions).map_err(|error| data.place(error, key))
    }

    fn value_of(
        &mut self,
        level: &Level,
        location: &Location,
        data: &Data,
        key: &Str,
        entry: &Entry,
        positions: Option<&Positions>,
    ) -> Result<Option<M::V>, Error> {
        let template = entry.template.as_ref().map_err(|error| {
            if let Some(encryptor) = &error.encryptor {
                let message = format!("The value of '{key}' is encrypted by {encryptor}, and Hieratic only decrypts PKCS7");
                return Error::fatal(codes::EYAML_ENCRYPTOR, message).help(format!(
                    "where the key of {encryptor} is, decrypt the value with `eyaml decrypt`, then encrypt it with \
                     `hieratic secret encrypt`; or name an executable for the level in hieratic.yaml"
                ));
            }
            Error::lookup(
                codes::EYAML_DECRYPT,
                format!(
                    "hiera-eyaml backend error decrypting {} when looking up {key} in {}. Error was {}",
                    error.text,
                    location.text().unwrap_or_default(),
                    error.message
                ),
            )
            .help(if error.message.starts_with("No such file") {
                "put the private key there, or change the options of the level; relative paths start at the current folder"
            } else {
                "check that the value was encrypted with the keys in the options of the level"
            })
        })?;
        if let Some(found) = &entry.invalid {
            let at = location.text().map_or(String::new(), |text| format!(", when using location '{text}',"));
            let origin = match level.kind {
                FunctionKind::DataHash => format!("in hash returned from data_hash function '{}'{at}", level.function),
                kind => format!("returned from {} function '{}'{at}", kind.name(), level.function),
            };
            return Err(Error::puppet(
                codes::DATA_TYPE,
                format!("Value for key '{key}', {origin} has wrong type, expects Puppet::LookupValue, got {found}"),
            )
            .help("symbols (:name) and keys that are neither strings nor numbers are not data: quote them"));
        }
        self.record.is_sensitive |= self.makes_sensitive(level) && template.holds_secret();
        let is_secret = data.is_secret() || level.secret;
        let at = ValueContext { data: Some(data), positions, secret: is_secret };
        let found = if is_secret || self.scope.key_is_secret {
            self.in_secret(|this| this.instantiate(template, at))?
        } else {
            self.instantiate(template, at)?
        };
        if is_secret {
            self.record_secret(&found.to_value());
        }
        Ok(Some(found))
    }

    /// Returns whether the decrypted values of a level become Sensitive, by its option or by the settings for all
    /// levels.
    fn makes_sensitive(&self, level: &Level) -> bool {
        let option = || level.options.get(SENSITIVE).is_some_and(Value::is_truthy);
        matches!(level.backend, Backend::Eyaml) && (self.node.shared.makes_secrets_sensitive() || option())
    }

    /// Records that a level was not called for a key.
    pub(super) fn record_skipped(&mut self, level: &Level, absence: SkipReason, request: KeyRequest<'_>) {
        let skipped_level = level.as_skipped(absence);
        self.mode.text(|| format!("Not asked: {}", skipped_level.reason()));
        // Options are searched in all levels: most levels of this kind have none.
        if request.key.root().as_ref() == LOOKUP_OPTIONS || self.record.skipped_levels.contains(&skipped_level) {
            return;
        }
        self.node.shared.skipped_levels().add(skipped_level.clone());
        self.record.skipped_levels.push(skipped_level);
    }

    fn call_external(
        &self,
        external: &BackendProgram,
        level: &Level,
        location: &Location,
        key: Option<&Key>,
    ) -> Result<Option<Value>, Error> {
        let node = self.node;
        let question = BackendRequest {
            kind: level.kind,
            options: &level.options,
            place: location.option(),
            key,
            scope: node.scope(),
        };
        external.request(&question, &node.shared.capabilities, self.budget())
    }

    fn external_hash(
        &mut self,
        external: &BackendProgram,
        level: &Level,
        location: &Location,
    ) -> Result<Option<Arc<Data>>, Error> {
        if let Some(known) = location.data.get() {
            return known.clone();
        }
        let answer = self
            .call_external(external, level, location, None)
            .and_then(|answer| match answer {
                Some(Value::Hash(hash)) => Ok(hash),
                Some(other) => Err(not_a_hash(level, location, &other)),
                None => Ok(hieratic_value::Hash::default()),
            })
            .map(|hash| {
                let name = location.text().unwrap_or_else(|| format!("backend {}", level.function));
                let data = Data::new(hash, None, crate::source::SourceName::Other(name.into()));
                Some(Arc::new(data.with_secret(external.is_secret())))
            });
        match answer {
            // Another request may have more time.
            Err(error) if error.is_limit() => Err(error),
            answer => location.data.get_or_init(|| answer).clone(),
        }
    }

    fn external_key(
        &mut self,
        external: &BackendProgram,
        level: &Level,
        location: &Location,
        request: KeyRequest<'_>,
    ) -> Result<Option<M::V>, Error> {
        let key = match level.kind {
            FunctionKind::DataDig => request.key.text(),
            _ => request.key.root(),
        };
        let answer = match location.cached_answer(key) {
            Some(answer) => answer,
            None => {
                let answer = self.call_external(external, level, location, Some(request.key))?;
                location.cache_answer(key, &answer);
                answer
            }
        };
        let Some(value) = answer else {
            self.mode.not_found(|| key.clone());
            return Ok(None);
        };
        let name = location.text().unwrap_or_else(|| format!("backend {}", level.function));
        let data = Data::new(hieratic_value::Hash::default(), None, crate::source::SourceName::Other(name.into()));
        let at = ValueContext { data: Some(&data), positions: None, secret: external.is_secret() };
        if external.is_secret() {
            self.record_secret(&value);
        }
        let found = if external.interpolates() {
            let template = Template::compile(&value, &Variables::default());
            if external.is_secret() {
                self.in_secret(|this| this.instantiate(&template, at))?
            } else {
                self.instantiate(&template, at)?
            }
        } else {
            M::V::from_value(&value, at)
        };
        self.mode.found(Event::Found, || key.clone(), &found);
        if level.kind != FunctionKind::DataDig {
            return Ok(Some(found));
        }
        Ok(Some(wrap_in_path(request.key.segments(), found, at)))
    }
}

fn provider_node(provider: &Provider) -> StepKind {
    StepKind::Provider {
        name: provider.name.clone(),
        configuration: provider.config.path.clone(),
        module: provider.module.clone(),
    }
}

/// The reference's words for a level whose function needs a path, and for one with options that it does not take.
fn missing_path(level: &Level) -> Error {
    let message = if matches!(level.backend, Backend::Eyaml) {
        "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when \
         using this lookup_key function"
            .to_string()
    } else {
        format!(
            "'{}' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this \
             data_hash function",
            level.function
        )
    };
    let error = Error::fatal(codes::CONFIG_LOCATIONS, message).help(if level.options.is_empty() {
        "add `path:` to the level"
    } else {
        "the function takes no options except `directives: true` for YAML: remove the others from the level"
    });
    match &level.config {
        Some(path) => error.at(Place::file(path)),
        None => error,
    }
}
