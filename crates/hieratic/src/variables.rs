//! Variables of templates, parsed as the template's language parses data.
//!
//! Ruby, Python and HCL interpret the same string differently: `12:30` is 45,000 in Ruby, 750 in Python, and a string
//! in HCL.

use std::path::Path;

use hieratic_hcl_eval::Severity;
use hieratic_hcl_types::Value as Cty;
use hieratic_hiera::{Error, ErrorKind, Place};
use hieratic_jinja::TemplateError;
use hieratic_sandbox::{Denied, Files};
use hieratic_value::{Hash, Value};

use crate::codes;
use crate::facts::{Assignment, Facts, file_error, name_and_text, usage_error};
use crate::hcl::{HclInput, HclValue, evaluate_hcl, from_cty, hcl_functions};
use crate::templates::TemplateLanguage;
use crate::vault::Vault;
use hieratic_sandbox::SlashPath as _;

impl TemplateLanguage {
    /// Reads the variables in a YAML or JSON file: a map from names to values. An empty file has none. The values of an
    /// encrypted file are secrets.
    ///
    /// # Errors
    /// The file cannot be read, decrypted or parsed, or is not a map.
    pub fn variables_of_file(self, path: &Path, files: &Files, vault: &Vault) -> Result<Hash, Error> {
        let (bytes, is_secret) = plain_file(path, files, vault)?;
        let variables = self.variables_in(&bytes, path)?;
        if is_secret {
            vault.secrets().add(&variables.clone().into());
        }
        Ok(variables)
    }

    /// Like [`variables_of_file`](Self::variables_of_file), for the variables of a template: Jinja2 converts lists and
    /// objects of JSON on first use.
    pub fn deferred_variables_of_file(self, path: &Path, files: &Files, vault: &Vault) -> Result<Hash, Error> {
        let (bytes, is_secret) = plain_file(path, files, vault)?;
        if self != TemplateLanguage::Jinja2 || is_secret {
            return self.variables_of_file(path, files, vault);
        }
        let text = String::from_utf8(bytes).map_err(|error| not_utf8(error.utf8_error(), path))?;
        let read = hieratic_jinja::defer_variables(&path.to_slashes(), text);
        variables(read.map_err(|fault| unreadable(fault, path))?, path)
    }

    /// Reads a file with any value, as that of a playbook.
    pub(crate) fn document_of_file(self, path: &Path, files: &Files, vault: &Vault) -> Result<Value, Error> {
        let (bytes, is_secret) = plain_file(path, files, vault)?;
        let value = self.value_in(&bytes, path)?;
        if is_secret {
            vault.secrets().add(&value);
        }
        Ok(value)
    }

    /// Reads the variables in a document. `path` is only used in messages.
    pub fn variables_in(self, bytes: &[u8], path: &Path) -> Result<Hash, Error> {
        variables(self.value_in(bytes, path)?, path)
    }

    fn value_in(self, bytes: &[u8], path: &Path) -> Result<Value, Error> {
        let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(error, path))?;
        match self {
            TemplateLanguage::Epp | TemplateLanguage::Erb => Facts::parse(bytes, path),
            TemplateLanguage::Jinja2 => python(text, path),
            TemplateLanguage::Hcl => hcl(text, path),
        }
    }

    /// Parses `NAME=VALUE`. A value that cannot be parsed as data is a string.
    ///
    /// ```
    /// use hieratic::templates::TemplateLanguage::{Epp, Hcl, Jinja2};
    /// use hieratic::Value;
    ///
    /// let values = [Epp, Jinja2, Hcl].map(|language| language.variable("at=12:30").unwrap().1);
    /// assert_eq!(values, [Value::from(45_000), Value::from(750), Value::from("12:30")]);
    /// ```
    pub fn variable(self, assignment: &str) -> Result<(&str, Value), Error> {
        let (name, text) = match self {
            TemplateLanguage::Epp | TemplateLanguage::Erb => {
                let Assignment { name, value } = Assignment::parse(assignment)?;
                return Ok((name.strip_prefix("::").unwrap_or(name), value));
            }
            TemplateLanguage::Jinja2 | TemplateLanguage::Hcl => name_and_text(assignment)?,
        };
        let value = match self {
            TemplateLanguage::Hcl => hcl_value(name, text)?,
            // Invalid YAML is a plain string.
            _ => hieratic_jinja::read_yaml("", text).unwrap_or_else(|_| text.into()),
        };
        Ok((name, value))
    }
}

/// The bytes of a file, which are decrypted if Ansible Vault has encrypted it, and whether it has.
fn plain_file(path: &Path, files: &Files, vault: &Vault) -> Result<(Vec<u8>, bool), Error> {
    let bytes = files.read(path).map_err(|error| {
        let help = Denied::from_error(&error).map(Denied::help);
        let message = format!("cannot read the variables: {error}");
        file_error(codes::VARIABLES, message, path)
            .help(help.unwrap_or_else(|| "name a YAML or JSON file of variables".into()))
    })?;
    if !Vault::is_encrypted(&bytes) {
        return Ok((bytes, false));
    }
    let plain = vault.decrypt_file(&bytes).map_err(|reason| {
        let help = "pass the password with --vault-password-file FILE, or with --vault-id LABEL@FILE";
        file_error(codes::VARIABLES, format!("the file cannot be decrypted: {reason}"), path).help(help)
    })?;
    Ok((plain.into(), true))
}

/// The variables of a document.
fn variables(document: Value, path: &Path) -> Result<Hash, Error> {
    match document {
        Value::Undef => Ok(Hash::default()),
        Value::Hash(hash) => Ok(hash),
        other => {
            let message = format!("the variables must be a map of names and values, not {}", kind_name(&other));
            Err(file_error(codes::VARIABLES, message, path).help("write one variable per line: name: value"))
        }
    }
}

fn not_utf8(error: std::str::Utf8Error, path: &Path) -> Error {
    let message = format!("the variables are not valid UTF-8 at byte {}", error.valid_up_to());
    file_error(codes::VARIABLES, message, path)
}

/// A document as Ansible reads it: JSON, or YAML as PyYAML reads that.
fn python(text: &str, path: &Path) -> Result<Value, Error> {
    hieratic_jinja::read_variables(&path.to_slashes(), text).map_err(|problem| unreadable(problem, path))
}

fn unreadable(problem: TemplateError, path: &Path) -> Error {
    let place = match &problem.place {
        Some((source, span)) => Place::of(path, source, *span),
        None => Place::file(path),
    };
    Error::new(ErrorKind::Fatal, codes::VARIABLES, problem.message).at(place)
}

/// A document as HCL's functions read it.
fn hcl(text: &str, path: &Path) -> Result<Value, Error> {
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    // The functions that parse it reject an empty document.
    if is_blank(text) {
        return Ok(Value::Undef);
    }
    let question = HclInput {
        text: if is_json { "jsondecode(text)" } else { "yamldecode(text)" }.into(),
        variables: vec![("text".into(), Cty::string(text))],
        ..HclInput::default()
    };
    let answer = evaluate_hcl(&question, &hcl_functions(None));
    match answer.value {
        Some(HclValue::Value(value)) => Ok(from_cty(&value)),
        _ => {
            let first = answer.problems.iter().find(|problem| problem.severity == Severity::Error);
            let reason = first.map_or(String::new(), |problem| format!(": {}", problem.detail));
            Err(file_error(codes::VARIABLES, format!("the variables cannot be read{reason}"), path))
        }
    }
}

/// Evaluates an expression without variables; anything else is a string, unless it looks like a list or map.
fn hcl_value(name: &str, text: &str) -> Result<Value, Error> {
    let question = HclInput { text: text.into(), ..HclInput::default() };
    match evaluate_hcl(&question, &hcl_functions(None)).value {
        Some(HclValue::Value(value)) => Ok(from_cty(&value)),
        _ if text.starts_with(['[', '{']) => Err(usage_error(format!(
            "the value of '{name}' is not an HCL expression: quote strings, as in '{name}=[\"a\", \"b\"]'"
        ))),
        _ => Ok(text.into()),
    }
}

/// Returns the name of a value's kind in messages.
fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "a list",
        Value::String(_) => "a string",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "a truth value",
        _ => "a scalar",
    }
}

/// Returns whether a file contains only comments, blank lines and document markers.
fn is_blank(text: &str) -> bool {
    let is_nothing = |line: &str| line.is_empty() || line.starts_with('#') || line == "---";
    text.lines().all(|line| is_nothing(line.trim()))
}

#[cfg(test)]
mod tests {
    use super::TemplateLanguage::{self, Epp, Hcl, Jinja2};
    use super::*;

    fn file(language: TemplateLanguage, text: &str) -> Result<Value, String> {
        let variables = language.variables_in(text.as_bytes(), "v.yaml".as_ref());
        variables.map(|hash| hash.get("a").cloned().unwrap_or_default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_language_reads_its_own_way() {
        for (text, epp, jinja2, hcl) in [
            ("12:30", Value::from(45_000), Value::from(750), Value::from("12:30")),
            ("1,000", Value::from(1000), Value::from("1,000"), Value::from("1,000")),
            ("yes", Value::from(true), Value::from(true), Value::from(true)),
            ("-.5", Value::from(-0.5), Value::from("-.5"), Value::from(-0.5)),
            ("1_000", Value::from(1000), Value::from(1000), Value::from("1_000")),
        ] {
            for (language, expected) in [(Epp, epp), (Jinja2, jinja2), (Hcl, hcl)] {
                assert_eq!(file(language, &format!("a: {text}\n")).as_ref(), Ok(&expected), "{language:?} {text}");
            }
        }
    }

    #[test]
    fn an_empty_file_has_no_variables() {
        for language in [Epp, Jinja2, Hcl] {
            for text in ["", "\n", "# none\n", "---\n"] {
                assert_eq!(file(language, text), Ok(Value::Undef), "{language:?} {text:?}");
            }
            let refused = file(language, "[1]\n").unwrap_err();
            assert!(refused.contains("not a list"), "{refused}");
        }
    }

    #[test]
    fn dates_are_read_for_jinja2() {
        let value = file(Jinja2, "a: 2020-01-02\n").unwrap();
        assert_eq!(value.to_text(), "2020-01-02");
        assert_eq!(Jinja2.variable("a=2020-01-02").unwrap().1, value);
    }

    #[test]
    fn a_list_of_hcl_has_texts_in_quotes() {
        assert_eq!(Hcl.variable("a=[\"x\", 1]").unwrap().1.inspect(), "[\"x\", 1]");
        assert_eq!(Hcl.variable("a=x").unwrap().1, "x".into());
        assert!(Hcl.variable("a=[x]").unwrap_err().to_string().contains("quote strings"));
        assert!(Hcl.variable("a").is_err() && Jinja2.variable("=1").is_err());
    }
}
