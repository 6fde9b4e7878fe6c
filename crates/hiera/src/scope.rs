//! [`Scope`]: the variables that the data and the hierarchies of one node can refer to.

use std::borrow::Cow;
use std::collections::BTreeSet;

use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, HashBuilder, LazyHash, Str, Value};

use crate::key;

/// The variables of one node.
///
/// Every fact is a variable and a member of `facts`. `trusted` contains the facts of the certificate, `server_facts`
/// those that the server adds. `::name` equals `name`, because there is only the top scope. See
/// <https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html#hiera_interpolation>.
#[derive(Clone, Debug)]
pub struct Scope {
    variables: Hash,
    settings: LazyHash,
    /// The local variables of a program that shadow these, by the names that data uses for them: `::name` is not the
    /// same as `name` here.
    locals: HashMap<Str, LocalVariable>,
}

/// A variable at a position in a program. It overrides the variable in the [`Scope`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LocalVariable {
    /// A variable.
    Value(Value),
    /// The class of the variable is known, but not yet evaluated.
    NotEvaluated,
    /// The class of the variable was evaluated, but has no such variable.
    NotInClass,
}

/// The result of reading a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableResult<'a> {
    Found(&'a Value),
    /// The variable does not exist; the reason is appended to the reference's warning.
    Missing {
        reason: Reason,
    },
}

/// The reason why a variable is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Unknown,
    /// The name begins with an unknown class.
    NoSuchClass,
    /// The name has a class in front, which was not evaluated.
    NotEvaluated,
    /// The name has a class in front, which was evaluated.
    NotInClass,
}

impl Scope {
    /// Creates the scope of a node.
    ///
    /// `variables` are additional top-scope variables, such as `environment`. `facts`, `trusted` and `server_facts`
    /// override facts with these names.
    pub fn new(
        facts: Hash,
        trusted: Hash,
        server_facts: Hash,
        variables: Hash,
        settings: impl Into<LazyHash>,
    ) -> Scope {
        let mut all = HashBuilder::default();
        for (name, value) in &facts {
            if name.as_str() != Some("environment") {
                all.insert(name.clone(), value.clone());
            }
        }
        for (name, value) in &variables {
            all.insert(name.clone(), value.clone());
        }
        all.insert("facts".into(), facts.into());
        all.insert("trusted".into(), trusted.into());
        all.insert("server_facts".into(), server_facts.into());
        Scope { variables: all.into(), settings: settings.into(), locals: HashMap::default() }
    }

    /// Adds the local variables of a position in a program.
    pub(crate) fn with_locals(&self, nearer: &[(Str, LocalVariable)]) -> Scope {
        Scope { locals: nearer.iter().cloned().collect(), ..self.clone() }
    }

    /// Returns the hash of a variable's name. It is computed once for the scopes of many nodes.
    pub(crate) fn hash_of(name: &str) -> u64 {
        key::hash_of(name.strip_prefix("::").unwrap_or(name))
    }

    /// Returns the value of a variable with this [hash](Self::hash_of).
    pub(crate) fn get(&self, name: &str, hash: u64) -> VariableResult<'_> {
        match self.locals.get(name) {
            Some(LocalVariable::Value(value)) => return VariableResult::Found(value),
            Some(LocalVariable::NotEvaluated) => return VariableResult::Missing { reason: Reason::NotEvaluated },
            Some(LocalVariable::NotInClass) => return VariableResult::Missing { reason: Reason::NotInClass },
            None => {}
        }
        let plain = name.strip_prefix("::").unwrap_or(name);
        let known = key::position_of(self.variables.as_map(), plain, hash);
        if let Some((_, value)) = known.and_then(|at| self.variables.as_map().get_index(at)) {
            return VariableResult::Found(value);
        }
        match plain.rfind("::") {
            None => VariableResult::Missing { reason: Reason::Unknown },
            Some(end) if &plain[..end] == "settings" => match self.settings.get(&plain[end + 2..]) {
                Some(value) => VariableResult::Found(value),
                None => VariableResult::Missing { reason: Reason::Unknown },
            },
            Some(_) => VariableResult::Missing { reason: Reason::NoSuchClass },
        }
    }

    /// Returns the value of a variable of the top scope.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// Returns the names of all variables.
    pub fn names(&self) -> impl Iterator<Item = &Str> {
        self.variables.keys().filter_map(|name| match name {
            Value::String(name) => Some(name),
            _ => None,
        })
    }

    /// Returns the variable that resembles a missing one most.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        let names: BTreeSet<&str> = self.names().map(|name| &**name).collect();
        hieratic_diagnostics::nearest(name, names).map(String::from)
    }

    /// Returns the facts.
    pub fn facts(&self) -> &Hash {
        static NONE: std::sync::LazyLock<Hash> = std::sync::LazyLock::new(Hash::default);
        self.variables.get("facts").and_then(Value::as_hash).unwrap_or(&NONE)
    }
}

/// Returns the reference's warning for an undefined variable.
pub(crate) fn undefined_variable(name: &str, reason: Reason) -> String {
    format!("Undefined variable '{}'; {}", display_name(name, reason), reason_text(name, reason))
}

/// Formats the message for an undefined variable where the lookup continues without it.
pub(crate) fn tolerated_variable(name: &str, reason: Reason) -> String {
    format!(
        "Interpolation failed with '{}', but compilation continuing; {}",
        display_name(name, reason),
        reason_text(name, reason)
    )
}

/// Returns a name as the reference prints it: with the class in question, or with the prefix of the top scope.
fn display_name(name: &str, reason: Reason) -> Cow<'_, str> {
    let plain = name.strip_prefix("::").unwrap_or(name);
    match reason {
        Reason::Unknown => name.into(),
        Reason::NoSuchClass | Reason::NotEvaluated => plain.into(),
        Reason::NotInClass => format!("::{plain}").into(),
    }
}

fn reason_text(name: &str, reason: Reason) -> String {
    match reason {
        Reason::Unknown | Reason::NotInClass => String::new(),
        Reason::NoSuchClass | Reason::NotEvaluated => {
            let plain = name.strip_prefix("::").unwrap_or(name);
            let class = plain.rfind("::").map_or("", |end| &plain[..end]);
            let status = if reason == Reason::NotEvaluated { "has not been evaluated" } else { "could not be found" };
            format!("class {class} {status}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope() -> Scope {
        let facts: Hash = [("os", Value::from("linux")), ("nothing", Value::Undef)].into_iter().collect();
        let settings: Hash = [("environment", Value::from("production"))].into_iter().collect();
        Scope::new(facts, Hash::default(), Hash::default(), Hash::default(), settings)
    }

    #[test]
    fn facts_are_variables_under_two_names() {
        let scope = scope();
        let get = |name: &str| scope.get(name, Scope::hash_of(name));
        assert_eq!(get("os"), VariableResult::Found(&"linux".into()));
        assert_eq!(get("::os"), VariableResult::Found(&"linux".into()));
        assert_eq!(get("nothing"), VariableResult::Found(&Value::Undef));
        assert!(matches!(get("facts"), VariableResult::Found(Value::Hash(facts)) if facts.contains("os")));
        assert_eq!(get("settings::environment"), VariableResult::Found(&"production".into()));
    }

    #[test]
    fn variables_of_code_take_precedence() {
        let nearer = [
            ("os".into(), LocalVariable::Value("mine".into())),
            ("a::x".into(), LocalVariable::NotEvaluated),
            ("::a::y".into(), LocalVariable::NotInClass),
        ];
        let scope = scope().with_locals(&nearer);
        let get = |name: &str| scope.get(name, Scope::hash_of(name));
        assert_eq!(
            (get("os"), get("::os")),
            (VariableResult::Found(&"mine".into()), VariableResult::Found(&"linux".into()))
        );
        assert_eq!(get("a::x"), VariableResult::Missing { reason: Reason::NotEvaluated });
        assert_eq!(
            undefined_variable("::a::x", Reason::NotEvaluated),
            "Undefined variable 'a::x'; class a has not been evaluated"
        );
        assert_eq!(get("::a::y"), VariableResult::Missing { reason: Reason::NotInClass });
        assert_eq!(undefined_variable("a::y", Reason::NotInClass), "Undefined variable '::a::y'; ");
    }

    #[test]
    fn a_missing_variable_says_why() {
        assert_eq!(scope().get("gone", Scope::hash_of("gone")), VariableResult::Missing { reason: Reason::Unknown });
        assert_eq!(
            undefined_variable("a::b", Reason::NoSuchClass),
            "Undefined variable 'a::b'; class a could not be found"
        );
    }
}
