//! Resource types of modules, as they describe themselves.

use crate::value::Value;
use crate::vm::{Outcome, Vm};

/// A resource type, as far as a compiler needs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeDeclaration {
    /// The name in lower case.
    pub name: String,
    /// The parameters and properties.
    pub attributes: Vec<String>,
    /// The values of attributes that take no other ones.
    pub allowed: Vec<(String, ValueDeclaration)>,
    /// The parameters that together name a resource, sorted.
    pub keys: Vec<String>,
    /// True if two resources must not manage the same object.
    pub isomorphic: bool,
    /// Whether the source of the type contains a provider.
    pub provides: bool,
    /// The patterns that parse titles: the first match counts.
    pub patterns: Vec<TitlePattern>,
}

/// The values that an attribute allows: words, and those that a pattern matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueDeclaration {
    /// The words.
    pub words: Vec<String>,
    /// The sources of the patterns, with their options as Ruby numbers them.
    pub patterns: Vec<(String, i64)>,
}

/// A pattern for titles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TitlePattern {
    /// The pattern.
    pub source: String,
    /// Its options, as Ruby numbers them: 1 ignores case, 2 is extended, 4 lets a dot match a line break.
    pub options: i64,
    /// The parameters that its groups are assigned to, and whether code converts the value first.
    pub parts: Vec<(String, bool)>,
}

impl Vm<'_> {
    /// Returns the class of a resource type that was defined.
    pub fn declared_type(&mut self, name: &str) -> Outcome<Option<Value>> {
        if !self.st.features.contains("puppet_type") {
            self.load_library("puppet")?;
            self.load_library("puppet_type")?;
        }
        let Some(types) = self.constant_path("Puppet::Type") else { return Ok(None) };
        let all = self.send(&types, "hieratic_types", &[])?;
        let name = self.symbol(name);
        let found = self.send(&all, "[]", &[name])?;
        Ok(Some(found).filter(|class| !class.is_nil()))
    }

    /// Returns the declaration of a type from its class.
    pub fn describe_type(&mut self, name: &str, class: &Value) -> Outcome<TypeDeclaration> {
        let described = self.send(class, "hieratic_describe", &[])?;
        let mut result = TypeDeclaration { name: name.to_owned(), ..TypeDeclaration::default() };
        let attributes = self.send(&described, "[]", &[Value::str("attributes")])?;
        for one in self.splat(&attributes)? {
            result.attributes.push(self.to_s(&one)?);
        }
        let allowed = self.send(&described, "[]", &[Value::str("allowed")])?;
        for one in self.splat(&allowed)? {
            let [name, values] = &self.splat(&one)?[..] else { continue };
            if values.is_nil() {
                continue;
            }
            let name = self.to_s(name)?;
            let mut declared = ValueDeclaration::default();
            if let [words, patterns] = &self.splat(values)?[..] {
                declared.words = self.splat(words)?.iter().map(|word| self.to_s(word)).collect::<Outcome<_>>()?;
                for pattern in self.splat(patterns)? {
                    if let [source, options] = &self.splat(&pattern)?[..] {
                        declared.patterns.push((self.to_s(source)?, self.to_int(options)?));
                    }
                }
            }
            result.allowed.push((name, declared));
        }
        let keys = self.send(&described, "[]", &[Value::str("keys")])?;
        for one in self.splat(&keys)? {
            result.keys.push(self.to_s(&one)?);
        }
        result.isomorphic = self.send(&described, "[]", &[Value::str("isomorphic")])?.truthy();
        result.provides = self.send(&described, "[]", &[Value::str("provides")])?.truthy();
        let patterns = self.send(&described, "[]", &[Value::str("patterns")])?;
        for one in self.splat(&patterns)? {
            let [source, options, parts] = &self.splat(&one)?[..] else { continue };
            let mut pattern =
                TitlePattern { source: self.to_s(source)?, options: self.to_int(options)?, parts: Vec::new() };
            for part in self.splat(parts)? {
                if let [name, changes] = &self.splat(&part)?[..] {
                    pattern.parts.push((self.to_s(name)?, changes.truthy()));
                }
            }
            result.patterns.push(pattern);
        }
        Ok(result)
    }
}
