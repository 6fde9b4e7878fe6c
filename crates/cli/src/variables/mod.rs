//! [`VariablesFormat`]: values of selected keys as a file of variables, for programs that do not know Hiera.

mod hcl;
mod names;
mod properties;
mod shell;
mod toml;
mod values;

use hieratic::Value;

use names::NameStyle;
pub(crate) use shell::shell_quoted;
pub(crate) use values::{check_names, plain, text};

/// A format of files of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariablesFormat {
    /// The variables of Terraform and OpenTofu, in HCL.
    Tfvars,
    /// JSON for a file `*.tfvars.json`.
    TfvarsJson,
    /// Assignments that a shell reads.
    Env,
    /// Assignments in the form that libraries of the name dotenv read.
    Dotenv,
    /// The properties of Java.
    Properties,
    /// TOML.
    Toml,
}

impl VariablesFormat {
    /// The names of the formats.
    pub(crate) const NAMES: [(&'static str, VariablesFormat); 6] = [
        ("tfvars", VariablesFormat::Tfvars),
        ("tfvars.json", VariablesFormat::TfvarsJson),
        ("env", VariablesFormat::Env),
        ("dotenv", VariablesFormat::Dotenv),
        ("properties", VariablesFormat::Properties),
        ("toml", VariablesFormat::Toml),
    ];

    /// The format of a name.
    pub(crate) fn of_name(name: &str) -> Option<VariablesFormat> {
        VariablesFormat::NAMES.iter().find(|(own, _)| *own == name).map(|(_, format)| *format)
    }

    /// The values by key as a file.
    ///
    /// # Errors
    /// Two keys have one name, or a value has no form in the format.
    pub(crate) fn write(self, values: &[(String, Value)]) -> Result<String, String> {
        let style = match self {
            VariablesFormat::Tfvars | VariablesFormat::TfvarsJson => NameStyle::Identifier,
            VariablesFormat::Env | VariablesFormat::Dotenv => NameStyle::Upper,
            VariablesFormat::Properties => NameStyle::Dotted,
            VariablesFormat::Toml => NameStyle::Same,
        };
        let named = names::named(values, style)?;
        let of_key = |key: &str, reason: String| format!("the value of '{key}' {reason}");
        for (_, key, value) in &named {
            values::check_names(value).map_err(|reason| of_key(key, reason))?;
        }
        if let VariablesFormat::TfvarsJson = self {
            let pairs = named.into_iter().map(|(name, _, value)| (Value::from(name), plain(value)));
            let whole = Value::Hash(pairs.collect());
            return hieratic_output::json(&whole).map(|json| json + "\n").map_err(|error| error.to_string());
        }
        if let VariablesFormat::Toml = self {
            return toml::document(named.iter().map(|(name, key, value)| (name.as_str(), *key, *value)));
        }
        let mut out = String::new();
        for (name, key, value) in &named {
            let line = match self {
                VariablesFormat::Tfvars => hcl::assignment(name, value),
                VariablesFormat::Env => shell::assignment(name, value),
                VariablesFormat::Dotenv => shell::quoted_assignment(name, value),
                _ => properties::assignment(name, value),
            };
            out += &line.map_err(|reason| of_key(key, reason))?;
            out.push('\n');
        }
        Ok(out)
    }
}
