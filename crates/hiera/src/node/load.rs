//! Loads the configurations of layers.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::Node;
use super::provider::Provider;
use crate::Strict;
use crate::codes;
use crate::config::{Config, Context, DatadirMap, Owner};
use crate::error::Place;
use crate::layers::Layer;
use crate::{Error, Warning};

impl Node {
    /// Returns the provider of a layer, or `None` if it has no configuration.
    pub(crate) fn provider(&self, layer: Layer) -> Result<Option<&Provider>, Error> {
        let answer = match layer {
            Layer::Global if !self.shared.has_global_layer => return Ok(None),
            Layer::Global => {
                return match self.global.get_or_init(|| {
                    self.load(layer).and_then(|found| {
                        found.ok_or_else(|| Error::fatal(codes::CONFIG_VERSION, "the global configuration is ignored"))
                    })
                }) {
                    Ok(provider) => Ok(Some(provider)),
                    Err(error) => Err(error.clone()),
                };
            }
            Layer::Environment => self.environment.get_or_init(|| self.load(layer)),
            Layer::Module(index) => {
                let provider = self.modules[index].get_or_init(|| self.load(layer).transpose().map(Box::new));
                return provider.as_deref().map(Result::as_ref).transpose().map_err(Error::clone);
            }
        };
        answer.as_ref().map(Option::as_ref).map_err(Error::clone)
    }

    fn load(&self, layer: Layer) -> Result<Option<Provider>, Error> {
        if self.shared.is_without_config(layer) {
            return Ok(None);
        }
        let layers = &self.shared.layers;
        let path = layers.config_path(layer);
        let (owner, place, setting) = match layer {
            Layer::Global => (Owner::Global, "Global", None),
            Layer::Environment => (Owner::Environment, "Environment", layers.environment.data_provider.clone()),
            Layer::Module(index) => {
                let setting = layers.modules[index].data_provider(&self.shared.capabilities.data);
                (Owner::Module, "Module", setting.cloned())
            }
        };
        let files = self.shared.files_of_config(&path);
        let path: Arc<Path> = path.into();
        let observation = self.shared.observe_config(files, &path);
        self.accesses.record(files, &path, &observation);
        let exists = observation.exists() || files.is_forbidden(&path);
        if layer != Layer::Global && !exists && setting.is_none() {
            self.shared.record_absence(layer);
            return Ok(None);
        }
        let deployed = DatadirMap { environment: &layers.environment, machine: &self.shared.capabilities.machine };
        let context = Context {
            owner,
            version: self.rules.version,
            strict: self.rules.strict,
            codedir: &layers.codedir,
            deployed,
        };
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
            sources: OnceLock::new(),
        }))
    }

    /// Applies the deprecated settings `environment_data_provider` and `data_provider` to the configuration of a layer.
    fn legacy_provider(
        &self,
        layer: Layer,
        setting: &str,
        config: Option<Arc<Config>>,
        exists: bool,
    ) -> Result<Option<Arc<Config>>, Error> {
        let layers = &self.shared.layers;
        let (file, named) = match layer {
            Layer::Module(index) => {
                (layers.modules[index].metadata_path(), format!("\"data_provider\": \"{setting}\" in metadata.json"))
            }
            _ => (
                layers.environment.root.join("environment.conf"),
                format!("environment_data_provider='{setting}' in environment.conf"),
            ),
        };
        let current = config.as_ref().is_some_and(|config| config.version >= 5) && exists;
        if self.rules.strict != Strict::Off {
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
                codes::LEGACY_DATA_FUNCTION,
                "The data provider 'function' calls a function of hiera version 4, which is not supported",
            )
            .at(Place::file(&file))
            .help("convert the function to a backend in hieratic.yaml, and add a hiera.yaml")),
            other => {
                let kind = if matches!(layer, Layer::Module(_)) { "module" } else { "environment" };
                let name = &layers.environment.name;
                Err(Error::puppet(
                    codes::LEGACY_DATA_PROVIDER,
                    format!("Environment '{name}', cannot find {kind}_data_provider '{other}'"),
                )
                .at(Place::file(&file)))
            }
        }
    }
}
