//! [`Facts`]: the facts and trusted data of a node.

use std::path::Path;

use hieratic_diagnostics::{Code, Source};
use hieratic_hiera::{Error, ErrorKind, Place};
use hieratic_json as json;
use hieratic_puppet_types::PuppetVersion;
use hieratic_sandbox::{Denied, Files};
use hieratic_value::{Hash, HashBuilder, Str, Value};
use hieratic_yaml as yaml;

use crate::codes;
pub use crate::facts_folder::{FactsFolder, is_node_name, node_of_facts, node_of_file};
use hieratic_sandbox::SlashPath as _;

/// The facts of a node, its trusted data, and top-scope variables that manifests would set.
///
/// The trusted data is taken from the facts `clientcert`, `hostname` and `domain`, as `puppet lookup` does, and
/// completed from the node's name where they are missing.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    node: Option<String>,
    facts: Hash,
    trusted: Option<Hash>,
    server_facts: Hash,
    /// Whether there is no server, and so not even the facts that follow from the version and the environment.
    has_no_server: bool,
    variables: Hash,
    /// Whether the facts were first derived from the node's name.
    is_derived_from_name: bool,
}

/// The facts that belong together: overriding one requires overriding all.
const IDENTITY: [&str; 4] = ["hostname", "domain", "fqdn", "clientcert"];

impl Facts {
    /// Creates the facts of a node from its name.
    pub fn named(node: &str) -> Facts {
        Facts::named_for(node, PuppetVersion::default())
    }

    /// Creates the facts of a node from its name, for a version of Puppet. The version decides whether legacy facts are
    /// added.
    pub fn named_for(node: &str, version: PuppetVersion) -> Facts {
        let (hostname, domain) = node.split_once('.').unwrap_or((node, ""));
        let networking: Hash = [("hostname", hostname), ("domain", domain), ("fqdn", node)]
            .into_iter()
            .map(|(name, value)| (name, Value::from(value)))
            .collect();
        let legacy = [("hostname", Value::from(hostname)), ("domain", domain.into()), ("fqdn", node.into())];
        let facts = [("clientcert", Value::from(node)), ("networking", networking.into())];
        let legacy = legacy.into_iter().filter(|_| version.has_legacy_facts());
        Facts {
            node: Some(node.into()),
            facts: legacy.chain(facts).collect(),
            is_derived_from_name: true,
            ..Facts::default()
        }
    }

    /// Returns whether all facts are derived from the node's name.
    ///
    /// ```
    /// use hieratic::{Facts, Hash};
    ///
    /// assert!(Facts::named("web01.example.com").is_only_named());
    /// assert!(!Facts::new(Some("web01.example.com"), Hash::default()).is_only_named());
    /// ```
    pub fn is_only_named(&self) -> bool {
        let facts = Value::from(self.facts.clone());
        self.node.as_deref().is_some_and(|node| {
            PuppetVersion::ALL.into_iter().any(|version| facts == Facts::named_for(node, version).facts.into())
        })
    }

    /// Returns the explicit facts, without those that are derived from the node's name.
    ///
    /// ```
    /// use hieratic::Facts;
    ///
    /// let mut facts = Facts::named("web01.example.com");
    /// facts.set("role", "web");
    /// assert_eq!(facts.explicit().len(), 1);
    /// ```
    pub fn explicit(&self) -> Hash {
        let follows = |name: &Value, value: &Value| {
            let node = self.node.as_deref().filter(|_| self.is_derived_from_name);
            node.is_some_and(|node| Facts::named(node).facts.get(name.as_str().unwrap_or_default()) == Some(value))
        };
        let explicit = self.facts.iter().filter(|(name, value)| !follows(name, value));
        explicit.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Creates the facts of a node. The name, if there is one, completes the trusted data.
    pub fn new(node: Option<&str>, facts: Hash) -> Facts {
        Facts { node: node.map(String::from), facts, ..Facts::default() }
    }

    /// Reads a facts file: JSON or YAML, in the output formats of `facter --json`, `facter --yaml`, `puppet facts` and
    /// PuppetDB.
    ///
    /// # Errors
    /// The file cannot be read, or does not contain a hash.
    pub fn load(path: &Path, files: &Files) -> Result<Hash, Error> {
        let bytes = files.read(path).map_err(|error| {
            let text = match error.kind() {
                std::io::ErrorKind::NotFound => "No such file or directory @ rb_sysopen".to_string(),
                std::io::ErrorKind::IsADirectory => "Is a directory @ io_fread".to_string(),
                std::io::ErrorKind::PermissionDenied => "Permission denied @ rb_sysopen".to_string(),
                _ => error.to_string(),
            };
            file_error(codes::FACTS_UNREADABLE, format!("{text} - {}", path.display()), path).help(
                Denied::from_error(&error)
                    .map(Denied::help)
                    .unwrap_or_else(|| "name a JSON or YAML file with the node's facts".into()),
            )
        })?;
        Facts::read(&bytes, path)
    }

    /// Reads facts in any format that [`Facts::load`] supports. `path` is only used in messages.
    ///
    /// # Errors
    /// The document is invalid, or is not a hash.
    pub fn read(bytes: &[u8], path: &Path) -> Result<Hash, Error> {
        let value = Facts::parse(bytes, path)?;
        let hash = value.as_hash().map(facts_in_document).or_else(|| facts_in_list(&value));
        hash.ok_or_else(|| {
            let message = format!(
                "Incorrectly formatted data in {} given via the --facts flag (only accepts yaml and json files)",
                path.display()
            );
            file_error(codes::FACTS_FORMAT, message, path)
                .help("the file must contain one hash of facts, or a response of PuppetDB")
        })
    }

    pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Value, Error> {
        let file = path.to_slashes();
        // Old versions of `puppet facts` wrote a Ruby object; only its content counts.
        let tag = b"--- !ruby/object:Puppet::Node::Facts";
        let plain: Vec<u8>;
        let bytes = match bytes.strip_prefix(tag) {
            Some(rest) => {
                plain = [b"---", rest].concat();
                &plain[..]
            }
            None => bytes,
        };
        let as_yaml = || yaml::parse(bytes, &yaml::Options { symbols: false, regexps: false, file: &file });
        let problem = |error: hieratic_json::Error| {
            let place = Place::new(path, error.position()).within(&Source::new(file.as_str(), bytes));
            Error::new(ErrorKind::Fatal, codes::FACTS_SYNTAX, error.message()).at(place)
        };
        if file.ends_with(".json") {
            json::parse(bytes).map_err(problem)
        } else if file.ends_with(".yaml") || file.ends_with(".yml") {
            as_yaml().map_err(problem)
        } else {
            json::parse(bytes).or_else(|_| as_yaml()).map_err(problem)
        }
    }

    /// Adds facts. They replace existing facts with the same names.
    pub fn merge(&mut self, facts: &Hash) {
        let mut all = std::mem::take(&mut self.facts).into_map();
        all.extend(facts.iter().map(|(name, value)| (name.clone(), value.clone())));
        self.facts = all.into();
    }

    /// Sets one fact; dots in the name lead into structured facts.
    ///
    /// ```
    /// use hieratic::{Facts, Value};
    ///
    /// let mut facts = Facts::named("web01.example.com");
    /// facts.set("os.release.major", 12);
    /// assert_eq!(Value::from(facts.explicit()).inspect(), r#"{"os"=>{"release"=>{"major"=>12}}}"#);
    /// ```
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        let names: Vec<&str> = name.split('.').collect();
        self.facts = inserted(&self.facts, &names, value.into());
    }

    /// Sets a top-scope variable, as a manifest does.
    pub fn set_variable(&mut self, name: &str, value: impl Into<Value>) {
        // The table is moved, not copied, unless another node shares it.
        let mut variables = std::mem::take(&mut self.variables).into_map();
        variables.insert(name.strip_prefix("::").unwrap_or(name).into(), value.into());
        self.variables = variables.into();
    }

    /// Sets the trusted data of the certificate. Without it, the data is derived from the facts and the name.
    pub fn set_trusted(&mut self, trusted: Hash) {
        self.trusted = Some(trusted);
    }

    /// Returns the trusted data that were set, without those that are derived.
    ///
    /// ```
    /// use hieratic::{Facts, Hash};
    ///
    /// let mut facts = Facts::named("web01.example.com");
    /// assert!(facts.explicit_trusted().is_none());
    /// facts.set_trusted(Hash::default());
    /// assert!(facts.explicit_trusted().is_some());
    /// ```
    pub fn explicit_trusted(&self) -> Option<&Hash> {
        self.trusted.as_ref()
    }

    /// Sets the facts that the server adds (`server_facts`).
    pub fn set_server_facts(&mut self, facts: Hash) {
        self.server_facts = facts;
    }

    /// Leaves out all facts of a server, as a test does that compiles without one.
    #[cfg(feature = "code")]
    pub(crate) fn leave_server_out(&mut self) {
        self.has_no_server = true;
    }

    /// Checks that the facts that belong together are either all set or all missing. `clientcert` may be missing if the
    /// node's name is known, which is equivalent.
    pub fn check_identity(&self, file: &Path) -> Result<(), Error> {
        let missing: Vec<&str> = IDENTITY.iter().copied().filter(|name| !self.facts.contains(name)).collect();
        if missing.is_empty() || missing.len() == IDENTITY.len() || missing == ["clientcert"] && self.node.is_some() {
            return Ok(());
        }
        let message = format!(
            "When overriding any of the {} facts with {} given via the --facts flag, they must all be overridden.",
            IDENTITY.join(","),
            file.display()
        );
        Err(file_error(codes::FACTS_IDENTITY, message, file).help(format!("add {}", missing.join(", "))))
    }

    /// Returns the facts in the form of variables, as Puppet converts them: numbers and booleans unchanged, everything
    /// else as strings, null as the empty string.
    pub(crate) fn sanitized(&self) -> Hash {
        let Value::Hash(hash) = sanitized(&Value::Hash(self.facts.clone())) else { return Hash::default() };
        hash
    }

    /// Returns the facts.
    pub fn facts(&self) -> &Hash {
        &self.facts
    }

    /// Returns the node's name.
    pub fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }

    /// Returns the top-scope variables that were set in addition to the facts.
    pub fn variables(&self) -> &Hash {
        &self.variables
    }

    /// Returns the facts that a variable of a hierarchy, such as `%{facts.os.family}`, can refer to. Settings are not
    /// included.
    ///
    /// ```
    /// use hieratic::Facts;
    ///
    /// let mut facts = Facts::named("web01.example.com");
    /// facts.set("os.family", "Debian");
    /// assert_eq!(facts.of_variable("facts.os.family")[0].as_hash().unwrap().get("family"), Some(&"Debian".into()));
    /// ```
    pub fn of_variable(&self, name: &str) -> Vec<Value> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let quoted = name.contains(['\'', '"', ' ']);
        let (root, rest) = name.split_once('.').unwrap_or((name, ""));
        match root {
            _ if quoted => {
                let all = [&self.facts, &self.server_facts, &self.variables];
                all.into_iter().cloned().chain([self.trusted()]).map(Value::Hash).collect()
            }
            "trusted" => vec![Value::Hash(self.trusted())],
            "server_facts" => vec![Value::Hash(self.server_facts.clone())],
            "facts" => match rest.split('.').next().unwrap_or(rest) {
                "" => vec![Value::Hash(self.facts.clone())],
                fact => self.facts.get(fact).cloned().into_iter().collect(),
            },
            name => [&self.facts, &self.server_facts, &self.variables]
                .iter()
                .filter_map(|all| all.get(name))
                .cloned()
                .collect(),
        }
    }

    /// Returns the facts that the server adds for the environment with this name.
    ///
    /// The reference takes the name and the addresses of the server from its machine, which would be wrong on any
    /// other; the version is the recorded one.
    pub(crate) fn server_facts(&self, environment: Option<&str>, version: PuppetVersion) -> Hash {
        if self.has_no_server {
            return Hash::default();
        }
        let own = environment
            .filter(|_| version.looks_up_with_server_facts())
            .map(|_| [("serverimplementation", Value::from("openvox")), ("serverversion", version.recorded().into())]);
        let mut all = own.into_iter().flatten().collect::<Hash>().into_map();
        all.extend(self.server_facts.iter().map(|(name, value)| (name.clone(), value.clone())));
        if let Some(environment) = environment {
            all.entry("environment".into()).or_insert_with(|| environment.into());
        }
        all.into()
    }

    /// Returns the server facts that are variables of a lookup, unless something else has the name.
    pub(crate) fn server_variables<'f>(
        &self,
        server_facts: &'f Hash,
        version: PuppetVersion,
    ) -> impl Iterator<Item = (&'f Str, &'f Value)> {
        let named = server_facts.iter().filter_map(|(name, value)| match name {
            Value::String(name) if &**name != "environment" => Some((name, value)),
            _ => None,
        });
        let is_free = move |name: &str| !self.facts.contains(name) && !self.variables.contains(name);
        named.filter(move |(name, _)| version.looks_up_with_server_facts() && is_free(name))
    }

    /// Returns the trusted data of the certificate.
    pub(crate) fn trusted(&self) -> Hash {
        if let Some(trusted) = &self.trusted {
            return trusted.clone();
        }
        let name = self.node.as_deref();
        let (hostname, domain) = match name {
            Some(name) => name.split_once('.').map_or((Some(name), None), |(host, rest)| (Some(host), Some(rest))),
            None => (None, None),
        };
        let or = |fact: &str, named: Option<&str>| match self.facts.get(fact) {
            Some(value) => value.clone(),
            None => named.map_or(Value::Undef, Value::from),
        };
        let empty = || Value::Hash(Hash::default());
        [
            ("authenticated", Value::from("local")),
            ("certname", or("clientcert", name)),
            ("extensions", empty()),
            ("hostname", or("hostname", hostname)),
            ("domain", or("domain", domain)),
            ("external", empty()),
        ]
        .into_iter()
        .collect()
    }
}

fn sanitized(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(sanitized).collect(),
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| (sanitized(key), sanitized(value))).collect::<Hash>().into()
        }
        Value::Undef | Value::Rich(_) => value.to_text().into(),
        plain => plain.clone(),
    }
}

/// An assignment `name=value` from a command line or a form.
///
/// ```
/// use hieratic::facts::Assignment;
///
/// let Assignment { name, value } = Assignment::parse("os.release.major=12")?;
/// assert_eq!((name, value.inspect()), ("os.release.major", "12".to_owned()));
/// # Ok::<(), hieratic::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment<'a> {
    /// The part before the first equals sign.
    pub name: &'a str,
    /// The part after it, parsed as YAML. Invalid YAML is a plain string.
    pub value: Value,
}

impl<'a> Assignment<'a> {
    /// Parses `name=value`.
    ///
    /// # Errors
    /// There is no equals sign, or no name before it.
    pub fn parse(assignment: &'a str) -> Result<Assignment<'a>, Error> {
        let (name, text) = name_and_text(assignment)?;
        let value = yaml::parse(text.as_bytes(), &yaml::Options { symbols: false, regexps: false, file: "" });
        Ok(Assignment { name, value: value.unwrap_or_else(|_| text.into()) })
    }
}

/// Splits `name=value`.
pub(crate) fn name_and_text(assignment: &str) -> Result<(&str, &str), Error> {
    let refused = || usage_error(format!("expected NAME=VALUE, got '{assignment}'"));
    assignment.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(refused)
}

fn inserted(hash: &Hash, names: &[&str], value: Value) -> Hash {
    let mut map = hash.clone().into_map();
    if let Some((first, rest)) = names.split_first() {
        let value = if rest.is_empty() {
            value
        } else {
            let below = hash.get(first).and_then(Value::as_hash).cloned().unwrap_or_default();
            inserted(&below, rest, value).into()
        };
        map.insert((*first).into(), value);
    }
    map.into()
}

/// The facts in a document: `puppet facts` wraps them in `values`, PuppetDB in `facts`.
fn facts_in_document(hash: &Hash) -> Hash {
    let inside = |key: &str, mark: &str| match (hash.get(key), hash.contains(mark)) {
        (Some(Value::Hash(facts)), true) => Some(facts.clone()),
        _ => None,
    };
    if let Some(facts) = inside("values", "name") {
        return facts;
    }
    match inside("facts", "certname") {
        // PuppetDB's /nodes and its export wrap once more.
        Some(facts) => match facts.get("data") {
            Some(data @ Value::Array(_)) => facts_in_list(data).unwrap_or(facts),
            _ => facts,
        },
        None => hash.clone(),
    }
}

/// The facts in a list: PuppetDB's `/facts` has one entry for each fact, its `/inventory` one for each node.
fn facts_in_list(value: &Value) -> Option<Hash> {
    let entries = value.as_array()?;
    if let [Value::Hash(only)] = entries
        && only.contains("facts")
    {
        return Some(facts_in_document(only));
    }
    let mut facts = HashBuilder::default();
    for entry in entries {
        let entry = entry.as_hash()?;
        let name: Str = entry.get("name")?.as_str()?.into();
        facts.insert(Value::String(name), entry.get("value")?.clone());
    }
    (!facts.is_empty()).then(|| facts.into())
}

/// Converts the facts to a hash.
impl From<&Facts> for Hash {
    fn from(facts: &Facts) -> Hash {
        facts.facts().clone()
    }
}

/// Returns the error for an invalid argument.
pub(crate) fn usage_error(message: String) -> Error {
    Error::new(ErrorKind::Fatal, codes::USAGE, message)
}

/// Returns an error with a file as its place.
pub(crate) fn file_error(code: Code, message: String, file: &Path) -> Error {
    Error::new(ErrorKind::Fatal, code, message).at(Place::file(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str, text: &str) -> Result<Hash, Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Facts::load(&path, &Files::anywhere())
    }

    #[test]
    fn facts_are_read_from_every_form_that_tools_print() {
        for (name, text) in [
            ("f.json", r#"{"os": "linux"}"#),
            ("f.yaml", "os: linux\n"),
            ("f", "os: linux\n"),
            ("f", r#"{"os": "linux"}"#),
            ("f.json", r#"{"name": "n", "values": {"os": "linux"}}"#),
            ("f.yaml", "--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues:\n  os: linux\n"),
            ("f.json", r#"[{"certname": "n", "name": "os", "value": "linux"}]"#),
            ("f.json", r#"[{"certname": "n", "facts": {"os": "linux"}}]"#),
        ] {
            let facts = load(name, text).unwrap();
            assert_eq!(facts.get("os"), Some(&"linux".into()), "{name}: {text}");
        }
    }

    #[test]
    fn documents_that_are_not_hashes_are_refused() {
        let error = load("f.json", "[1]").unwrap_err().to_string();
        assert!(error.contains("only accepts yaml and json files"), "{error}");
    }

    #[test]
    fn one_fact_leads_into_structured_facts() {
        let mut facts = Facts::new(None, [("os", Value::from("x"))].into_iter().collect());
        for text in ["os.release.major=12", "tier=prod"] {
            let Assignment { name, value } = Assignment::parse(text).unwrap();
            facts.set(name, value);
        }
        assert_eq!(
            Value::from(facts.facts().clone()).inspect(),
            r#"{"os"=>{"release"=>{"major"=>12}}, "tier"=>"prod"}"#
        );
        assert!(Assignment::parse("tier").is_err());
    }

    #[test]
    fn the_name_completes_the_facts() {
        let trusted = Facts::new(Some("a.b.c"), Hash::default()).trusted();
        assert_eq!(trusted.get("certname"), Some(&"a.b.c".into()));
        assert_eq!(trusted.get("domain"), Some(&"b.c".into()));
        let facts: Hash = [("clientcert", Value::from("other"))].into_iter().collect();
        assert_eq!(Facts::new(Some("a.b.c"), facts).trusted().get("certname"), Some(&"other".into()));
    }
}
