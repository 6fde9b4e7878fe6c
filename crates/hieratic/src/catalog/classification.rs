//! [`Classification`]: the output of a node classifier for a node.

use hieratic_hiera::{Error, ErrorKind};
use hieratic_value::{Hash, Str, Value};

use crate::codes;

/// The output of a node classifier for a node: its classes, variables and environment.
///
/// ```
/// use hieratic::catalog::Classification;
///
/// let classification = Classification::parse("enc.yaml", b"classes:\n  ntp: {servers: [a]}\n  ssh:\nparameters: {role: web}\n")?;
/// let names: Vec<&str> = classification.classes.iter().map(|class| &*class.name).collect();
/// assert_eq!(names, ["ntp", "ssh"]);
/// # Ok::<(), hieratic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Classification {
    /// The classes with their parameters. A class without parameters is declared with `include`.
    pub classes: Vec<ClassifiedClass>,
    /// Variables of the top scope. They override facts with the same names.
    pub parameters: Hash,
    /// The environment of the node.
    pub environment: Option<String>,
}

/// A class that a classifier lists.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassifiedClass {
    /// Its name.
    pub name: Str,
    /// Its parameters by name.
    pub parameters: Vec<(Str, Value)>,
}

impl Classification {
    /// Parses the output of a classifier: YAML with `classes`, `parameters` and `environment`.
    ///
    /// # Errors
    /// The input is not YAML, or its classes or parameters are neither a list nor a hash.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Classification, Error> {
        let refuse = |problem: &str, help: &str| {
            Error::new(ErrorKind::Fatal, codes::CLASSIFIER, format!("{name}: {problem}")).help(help.to_owned())
        };
        let document = hieratic_yaml::parse(bytes, &hieratic_yaml::Options::new(name))
            .map_err(|error| refuse(&error.to_string(), "write the classifier's output for the node to the file"))?;
        Classification::from_value(name, &document)
    }

    /// Reads the parsed output of a classifier.
    ///
    /// # Errors
    /// Its classes or parameters are neither a list nor a hash.
    pub fn from_value(name: &str, document: &Value) -> Result<Classification, Error> {
        let refuse = |problem: &str, help: &str| {
            Error::new(ErrorKind::Fatal, codes::CLASSIFIER, format!("{name}: {problem}")).help(help.to_owned())
        };
        let example = "write 'classes:' with a list of classes, or a hash of classes with their parameters";
        let Some(answer) = document.as_hash() else {
            return Err(refuse("the answer of the classifier is not a hash", example));
        };
        let class = |name: Str, parameters| ClassifiedClass { name, parameters };
        let classes = match answer.get("classes") {
            None | Some(Value::Undef) => Vec::new(),
            Some(Value::String(name)) => vec![class(name.clone(), Vec::new())],
            Some(Value::Array(names)) => names.iter().map(|name| class(name.to_text().into(), Vec::new())).collect(),
            Some(Value::Hash(classes)) => {
                classes.iter().map(|(name, given)| class(name.to_text().into(), pairs(given))).collect()
            }
            Some(_) => return Err(refuse("'classes' is neither a list nor a hash", example)),
        };
        let parameters = match answer.get("parameters") {
            None | Some(Value::Undef) => Hash::default(),
            Some(Value::Hash(parameters)) => parameters.clone(),
            Some(_) => return Err(refuse("'parameters' is not a hash", "write 'parameters:' with names and values")),
        };
        let environment = answer.get("environment").filter(|name| !name.is_undef()).map(Value::to_text);
        Ok(Classification { classes, parameters, environment })
    }
}

fn pairs(value: &Value) -> Vec<(Str, Value)> {
    let all = value.as_hash().into_iter().flatten();
    all.map(|(name, value)| (name.to_text().into(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_a_list_a_hash_or_one_name() {
        let names = |text: &str| {
            let classification = Classification::parse("x", text.as_bytes()).unwrap();
            classification
                .classes
                .iter()
                .map(|class| format!("{} {}", class.name, class.parameters.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(names("classes: [a, b]"), ["a 0", "b 0"]);
        assert_eq!(names("classes: {a: , b: {x: 1}}"), ["a 0", "b 1"]);
        assert_eq!(names("classes: a"), ["a 0"]);
        assert!(names("parameters: {x: 1}").is_empty());
    }

    #[test]
    fn malformed_answers_are_refused() {
        for text in ["[a]", "classes: 5", "parameters: [a]", "a: ["] {
            assert!(Classification::parse("x", text.as_bytes()).is_err(), "{text}");
        }
    }
}
