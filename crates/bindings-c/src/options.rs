//! [`Options`]: the options of a function, as an object of JSON.

use std::path::PathBuf;
use std::time::Duration;

use engine::{Facts, Hash, Limits, Permissions, Value, json};

use crate::failure::Failure;

/// The options of a function.
#[derive(Debug, Default)]
pub(crate) struct Options(Hash);

/// Reads the JSON of an argument.
pub(crate) fn data(name: &str, text: &str) -> Result<Value, Failure> {
    let advice = "pass JSON, such as {\"role\": \"web\"}";
    json::parse(text.as_bytes()).map_err(|error| Failure::argument(format!("{name} is not JSON: {error}"), advice))
}

/// Reads the JSON of an argument, which has to be an object.
pub(crate) fn object(name: &str, text: &str) -> Result<Hash, Failure> {
    match data(name, text)? {
        Value::Hash(hash) => Ok(hash),
        _ => Err(Failure::argument(format!("{name} is not a JSON object"), "pass an object, such as {}")),
    }
}

impl Options {
    /// Parses the options in a JSON string. Only these are known.
    pub(crate) fn parse(text: Option<&str>, known: &[&str]) -> Result<Options, Failure> {
        let Some(text) = text else { return Ok(Options::default()) };
        let hash = object("options", text)?;
        for (name, _) in hash.iter() {
            let name = name.to_text();
            if !known.contains(&name.as_str()) {
                let message = format!("unknown option '{name}'");
                return Err(Failure::argument(message, format!("the options are {}", known.join(", "))));
            }
        }
        Ok(Options(hash))
    }

    /// A value. Returns `None` if the option is missing. null is a value.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Failure> {
        match self.value(name) {
            None | Some(Value::Undef) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(invalid_option(name, "a string")),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.value(name) {
            None | Some(Value::Undef) => Ok(false),
            Some(Value::Boolean(flag)) => Ok(*flag),
            Some(_) => Err(invalid_option(name, "true or false")),
        }
    }

    /// The limits of work: those of the options `limits` and `timeout`, else the given ones.
    pub(crate) fn limits(&self, default: Limits) -> Result<Limits, Failure> {
        let mut limits = default;
        for (name, number) in self.object("limits")?.into_iter().flat_map(Hash::iter) {
            let Value::Integer(number) = number else { return Err(invalid_option("limits", "an object of integers")) };
            limits
                .set(&format!("{}={number}", name.to_text()))
                .map_err(|message| Failure::argument(format!("the option 'limits': {message}"), "change it"))?;
        }
        let seconds = match self.value("timeout") {
            None | Some(Value::Undef) => return Ok(limits),
            Some(Value::Integer(seconds)) => *seconds as f64,
            Some(Value::Float(seconds)) => *seconds,
            Some(_) => return Err(invalid_option("timeout", "a number of seconds")),
        };
        let time =
            Duration::try_from_secs_f64(seconds).map_err(|_| invalid_option("timeout", "a number of seconds"))?;
        limits.time = Some(limits.time.map_or(time, |other| other.min(time)));
        Ok(limits)
    }

    /// The limits of a call for an environment that was opened with limits.
    pub(crate) fn limits_of_call(&self, of_environment: Limits) -> Result<Limits, Failure> {
        let limits = self.limits(of_environment)?;
        // Calls share what was read.
        if limits.file != of_environment.file {
            let message = "the option 'limits': the limit 'file' is that of the environment".to_owned();
            return Err(Failure::argument(message, "pass it to hieratic_environment_open"));
        }
        Ok(limits)
    }

    pub(crate) fn object(&self, name: &str) -> Result<Option<&Hash>, Failure> {
        match self.value(name) {
            None | Some(Value::Undef) => Ok(None),
            Some(Value::Hash(hash)) => Ok(Some(hash)),
            Some(_) => Err(invalid_option(name, "an object")),
        }
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, Failure> {
        match self.value(name) {
            None | Some(Value::Undef) => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                let text = |item: &Value| {
                    item.as_str().map(str::to_owned).ok_or_else(|| invalid_option(name, "a list of strings"))
                };
                items.iter().map(text).collect()
            }
            Some(_) => Err(invalid_option(name, "a list of strings")),
        }
    }

    /// The members of an object, whose values have to be strings.
    pub(crate) fn pairs(&self, name: &str) -> Result<Vec<(String, String)>, Failure> {
        let Some(hash) = self.object(name)? else { return Ok(Vec::new()) };
        let pair = |(key, value): (&Value, &Value)| match value.as_str() {
            Some(value) => Ok((key.to_text(), value.to_owned())),
            None => Err(invalid_option(name, "an object of strings")),
        };
        hash.iter().map(pair).collect()
    }

    /// The folder of relative paths: the current folder without the option.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        Ok(PathBuf::from(self.text("folder")?.unwrap_or(".")))
    }

    /// Sets the top-scope variables that the option names.
    pub(crate) fn set_variables(&self, facts: &mut Facts) -> Result<(), Failure> {
        for (name, value) in self.object("variables")?.into_iter().flat_map(Hash::iter) {
            facts.set_variable(&name.to_text(), value.clone());
        }
        Ok(())
    }

    /// The permissions of a repository: by default, it may only read its own files.
    pub(crate) fn permissions(&self) -> Result<Permissions, Failure> {
        Ok(Permissions {
            programs: self.flag("allow_programs")?,
            outside: self.flag("allow_outside")?,
            network: self.flag("allow_network")?,
            confined: self.flag("confined")?,
        })
    }
}

fn invalid_option(name: &str, expected: &str) -> Failure {
    Failure::argument(format!("the option '{name}' is not {expected}"), format!("pass {expected}"))
}
