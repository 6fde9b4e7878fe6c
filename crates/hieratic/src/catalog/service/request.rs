//! [`CatalogRequest`]: a request for a catalog.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use hieratic_budget::Limits;
use hieratic_hiera::{Error, ErrorKind};
use hieratic_puppet_eval::DataForm;
use hieratic_puppet_types::{PuppetVersion, Strict};
use hieratic_value::{Hash, Value};

use crate::catalog::{Classification, DatabaseAnswers};
use crate::codes;
use crate::search_path::SearchPath;
use crate::settings::Settings;

/// A request for the catalog of a node. `docs/catalog-service.md` describes its JSON.
#[derive(Clone, Debug, Default)]
pub struct CatalogRequest {
    /// The id, which the answer repeats.
    pub id: Value,
    /// The name of the node.
    pub node: String,
    /// The environment.
    pub environment: RequestedEnvironment,
    /// Code instead of the manifests of the environment.
    pub code: Option<String>,
    /// The facts. Without any, they follow from the name of the node.
    pub facts: Option<Hash>,
    /// The trusted facts. Without any, they follow from the facts and the name of the node.
    pub trusted: Option<Hash>,
    /// The facts of the server. Without any, they follow from the version and the environment; an empty hash has none.
    pub server_facts: Option<Hash>,
    /// The classes and parameters of a classifier.
    pub classification: Classification,
    /// The return values of functions that are not run, by name.
    pub stubs: Hash,
    /// The answers to `puppetdb_query`.
    pub answers: Option<DatabaseAnswers>,
    /// Whether the catalog contains resources that are only exported.
    pub with_exported: bool,
    /// The number with which random numbers of Ruby code begin.
    pub random_seed: Option<u64>,
    /// The form of values that JSON cannot represent.
    pub values: DataForm,
    /// The limits of this catalog. The lower of these and the service's limits apply.
    pub limits: RequestLimits,
}

/// The limits of one catalog.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestLimits {
    steps: Option<u64>,
    bytes: Option<u64>,
    depth: Option<u32>,
    time: Option<Duration>,
}

/// The environment of a request. Requests with equal environments share an open one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestedEnvironment {
    /// The name of the environment.
    pub environment: Option<String>,
    /// The folder of the environment. It overrides `environmentpath`.
    pub environment_dir: Option<PathBuf>,
    /// The parent folders of environments.
    pub environmentpath: Option<SearchPath>,
    /// The folders of modules.
    pub modulepath: Option<SearchPath>,
    /// The folders of modules of all environments.
    pub basemodulepath: Option<SearchPath>,
    /// The manifest, or the folder of manifests.
    pub manifest: Option<PathBuf>,
    /// The global `hiera.yaml`.
    pub hiera_config: Option<PathBuf>,
    /// The folder of `puppet.conf`.
    pub confdir: Option<PathBuf>,
    /// The folder of code and data.
    pub codedir: Option<PathBuf>,
    /// Additional folders that may be read.
    pub readable: Vec<PathBuf>,
    /// The version of Puppet.
    pub version: Option<PuppetVersion>,
    /// The treatment of doubtful input.
    pub strict: Option<Strict>,
    /// Whether unknown variables are errors.
    pub strict_variables: Option<bool>,
    /// Other settings of Puppet, by name.
    pub settings: BTreeMap<String, String>,
    /// The name of the server.
    pub server: Option<String>,
    /// Whether `init.pp` is not loaded for a name that another file of the module defines.
    pub avoids_init: bool,
}

/// An invalid request with its id.
#[derive(Clone, Debug)]
pub struct InvalidRequest {
    /// The id, if there is one.
    pub id: Value,
    /// The reason.
    pub error: Error,
}

impl CatalogRequest {
    /// Parses a request in JSON.
    ///
    /// # Errors
    /// The request is not JSON, has an unknown field, or a field of the wrong type.
    pub fn parse(bytes: &[u8]) -> Result<CatalogRequest, Box<InvalidRequest>> {
        let refuse = |id: &Value, error| Box::new(InvalidRequest { id: id.clone(), error });
        let document = hieratic_json::parse(bytes).map_err(|error| refuse(&Value::Undef, no_json(&error)))?;
        let fields =
            document.as_hash().ok_or_else(|| refuse(&Value::Undef, invalid("the request is not an object".into())))?;
        let id = fields.get("id").cloned().unwrap_or_default();
        CatalogRequest::from_fields(fields).map_err(|error| refuse(&id, error))
    }

    /// Reads a request from its fields.
    ///
    /// # Errors
    /// A field is unknown or has the wrong type, or the name of the node is missing.
    pub fn from_fields(fields: &Hash) -> Result<CatalogRequest, Error> {
        let mut request = CatalogRequest::default();
        let (mut classes, mut parameters) = (Value::Undef, Value::Undef);
        for (name, value) in fields {
            // As if the field were not there.
            if value.is_undef() {
                continue;
            }
            let name = name.to_text();
            let field = Field { name: &name, value };
            match &*name {
                "id" => request.id = field.id()?,
                "node" => request.node = field.text()?,
                "code" => request.code = Some(field.text()?),
                "facts" => request.facts = Some(field.hash()?),
                "trusted" => request.trusted = Some(field.hash()?),
                "server_facts" => request.server_facts = Some(field.hash()?),
                "classes" => classes = value.clone(),
                "parameters" => parameters = value.clone(),
                "stubs" => request.stubs = field.hash()?,
                "puppetdb_answers" => request.answers = Some(DatabaseAnswers::from_value(&name, value)?),
                "with_exported" => request.with_exported = field.flag()?,
                "random_seed" => request.random_seed = Some(field.count()?),
                "values" => request.values = field.form()?,
                "limits" => request.limits = field.limits()?,
                _ => request.environment.read(field)?,
            }
        }
        if request.node.is_empty() {
            return Err(invalid("the request has no 'node'".into()));
        }
        let classification = [("classes", classes), ("parameters", parameters)].into_iter().collect::<Hash>();
        request.classification = Classification::from_value("the request", &classification.into())?;
        Ok(request)
    }

    /// Returns the limits of the service, lowered by those of the request.
    pub(super) fn limits_below(&self, limits: Limits) -> Limits {
        let RequestLimits { steps, bytes, depth, time } = self.limits;
        Limits {
            steps: steps.map_or(limits.steps, |steps| steps.min(limits.steps)),
            bytes: bytes.map_or(limits.bytes, |bytes| bytes.min(limits.bytes)),
            depth: depth.map_or(limits.depth, |depth| depth.min(limits.depth)),
            time: match (time, limits.time) {
                (Some(time), Some(most)) => Some(time.min(most)),
                (time, most) => time.or(most),
            },
            ..limits
        }
    }
}

impl RequestedEnvironment {
    fn read(&mut self, field: Field<'_>) -> Result<(), Error> {
        match field.name {
            "environment" => {
                let name = field.text()?;
                if name.is_empty() || name.contains(['/', '\\', '\0']) {
                    return Err(invalid(format!("{name:?} cannot be the name of an environment")));
                }
                self.environment = Some(name);
            }
            "environment_dir" => self.environment_dir = Some(field.path()?),
            "environmentpath" => self.environmentpath = Some(field.paths()?.into()),
            "modulepath" => self.modulepath = Some(field.paths()?.into()),
            "basemodulepath" => self.basemodulepath = Some(field.paths()?.into()),
            "manifest" => self.manifest = Some(field.path()?),
            "hiera_config" => self.hiera_config = Some(field.path()?),
            "confdir" => self.confdir = Some(field.path()?),
            "codedir" => self.codedir = Some(field.path()?),
            "readable" => self.readable = field.paths()?,
            "version" => self.version = Some(field.word("the versions are 7, 8 and 9")?),
            "strict" => self.strict = Some(field.word("the words are off, warning and error")?),
            "strict_variables" => self.strict_variables = Some(field.flag()?),
            "settings" => {
                self.settings = field.texts()?;
                if let Some(name) = Settings::OWN.iter().find(|name| self.settings.contains_key(**name)) {
                    return Err(invalid(format!(
                        "the setting '{name}' is a field of the request, not one of its 'settings'"
                    )));
                }
            }
            "server" => self.server = Some(field.text()?),
            "avoids_init" => self.avoids_init = field.flag()?,
            name => {
                return Err(invalid(format!("unknown field '{name}' of a request"))
                    .help(format!("the fields are {}", FIELDS.join(", "))));
            }
        }
        Ok(())
    }
}

/// The fields of a request, for messages.
const FIELDS: [&str; 30] = [
    "id",
    "node",
    "code",
    "facts",
    "trusted",
    "server_facts",
    "classes",
    "parameters",
    "stubs",
    "puppetdb_answers",
    "with_exported",
    "random_seed",
    "values",
    "limits",
    "environment",
    "environment_dir",
    "environmentpath",
    "modulepath",
    "basemodulepath",
    "manifest",
    "hiera_config",
    "confdir",
    "codedir",
    "readable",
    "version",
    "strict",
    "strict_variables",
    "settings",
    "server",
    "avoids_init",
];

/// A field of a request.
#[derive(Clone, Copy)]
struct Field<'r> {
    name: &'r str,
    value: &'r Value,
}

impl Field<'_> {
    fn wrong(self, expected: &str) -> Error {
        invalid(format!("'{}' of the request must be {expected}", self.name))
    }

    fn id(self) -> Result<Value, Error> {
        match self.value {
            Value::String(_) | Value::Integer(_) => Ok(self.value.clone()),
            _ => Err(self.wrong("a string or an integer")),
        }
    }

    fn text(self) -> Result<String, Error> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.wrong("a string"))
    }

    fn path(self) -> Result<PathBuf, Error> {
        self.text().map(PathBuf::from)
    }

    fn hash(self) -> Result<Hash, Error> {
        self.value.as_hash().cloned().ok_or_else(|| self.wrong("an object"))
    }

    fn flag(self) -> Result<bool, Error> {
        match self.value {
            Value::Boolean(flag) => Ok(*flag),
            _ => Err(self.wrong("true or false")),
        }
    }

    fn count(self) -> Result<u64, Error> {
        let number = if let Value::Integer(number) = self.value { u64::try_from(*number).ok() } else { None };
        number.ok_or_else(|| self.wrong("an integer that is not negative"))
    }

    fn paths(self) -> Result<Vec<PathBuf>, Error> {
        let wrong = || self.wrong("a list of paths");
        let list = self.value.as_array().ok_or_else(wrong)?;
        list.iter().map(|one| one.as_str().map(PathBuf::from).ok_or_else(wrong)).collect()
    }

    fn texts(self) -> Result<BTreeMap<String, String>, Error> {
        let pairs = self.hash()?;
        let wrong = || self.wrong("an object of strings");
        pairs.iter().map(|(name, value)| Ok((name.to_text(), value.as_str().ok_or_else(wrong)?.to_owned()))).collect()
    }

    fn word<T: std::str::FromStr>(self, help: &str) -> Result<T, Error> {
        let text = self.text()?;
        text.parse()
            .map_err(|_| invalid(format!("unknown '{}' of the request: {text}", self.name)).help(help.to_owned()))
    }

    fn form(self) -> Result<DataForm, Error> {
        match &*self.text()? {
            "strings" => Ok(DataForm::Strings),
            "rich" => Ok(DataForm::Rich),
            "references" => Ok(DataForm::References),
            _ => Err(self.wrong("strings, rich or references")),
        }
    }

    fn limits(self) -> Result<RequestLimits, Error> {
        let mut limits = RequestLimits::default();
        for (name, value) in &self.hash()? {
            let number = match value {
                Value::Integer(number) => u64::try_from(*number).ok(),
                _ => None,
            };
            let number = number.ok_or_else(|| self.wrong("an object of numbers"))?;
            match &*name.to_text() {
                "steps" => limits.steps = Some(number),
                "bytes" => limits.bytes = Some(number),
                "depth" => limits.depth = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                "milliseconds" => limits.time = Some(Duration::from_millis(number)),
                name => {
                    return Err(invalid(format!("unknown limit '{name}' of the request"))
                        .help("the limits are steps, bytes, depth and milliseconds"));
                }
            }
        }
        Ok(limits)
    }
}

/// The error of a request that is not JSON, in the words of the reader instead of those of Ruby.
fn no_json(error: &hieratic_json::Error) -> Error {
    let reason = error.reason();
    let reason = match reason.strip_prefix("The file ") {
        Some(rest) => format!("it {rest}"),
        None => {
            let mut letters = reason.chars();
            letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
        }
    };
    let place = error.position().map(|position| format!(" (column {})", position.column)).unwrap_or_default();
    let found = invalid(format!("the request is not JSON: {reason}{place}"));
    match error.hint() {
        Some(hint) => found.help(hint),
        None => found,
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Fatal, codes::CATALOG_REQUEST, message)
}
