//! Resource types of modules, as they describe themselves. => The declarations of resource types in modules.

use crate::value::Value;
use crate::vm::{Outcome, Vm};

/// The properties of a resource type that the catalog compiler uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeDeclaration {
    /// The name in lower case.
    pub name: String,
    /// The names of the parameters and properties.
    pub attributes: Vec<String>,
    /// The attributes with restricted values, and the allowed values of each.
    pub allowed: Vec<(String, ValueDeclaration)>,
    /// The attributes of a type of the Resource API, with the data type of each and whether it is read-only.
    pub declared: Vec<(String, String, bool)>,
    /// The parameters that together identify a resource (namevars), sorted.
    pub keys: Vec<String>,
    /// True if no two resources may manage the same object.
    pub isomorphic: bool,
    /// True if the source of the type contains a provider.
    pub provides: bool,
    /// The patterns for titles, of which the first match is used.
    pub patterns: Vec<TitlePattern>,
}

/// The allowed values of an attribute: words and patterns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueDeclaration {
    /// The words.
    pub words: Vec<String>,
    /// The sources of the patterns, each with Ruby's option bits.
    pub patterns: Vec<(String, i64)>,
}

/// A pattern for titles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TitlePattern {
    /// The source of the pattern.
    pub source: String,
    /// Ruby's option bits: 1 ignores case, 2 allows whitespace and comments, 4 makes a dot match line breaks.
    pub options: i64,
    /// The parameter of each group, and whether code converts its value.
    pub parts: Vec<(String, bool)>,
}

impl Vm<'_> {
    /// Returns the class of a resource type; `None` if it is not defined.
    pub fn declared_type(&mut self, name: &str) -> Outcome<Option<Value>> {
        if !self.st.features.contains("puppet_type") {
            self.load_library("puppet")?;
            self.load_library("puppet_type")?;
        }
        let Some(types) = self.constant_path("Puppet::Type")? else { return Ok(None) };
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
        let declared = self.send(&described, "[]", &[Value::str("declared")])?;
        for one in self.splat(&declared)? {
            let [name, kind] = &self.splat(&one)?[..] else { continue };
            if kind.is_nil() {
                continue;
            }
            if let [kind, is_read_only] = &self.splat(kind)?[..] {
                result.declared.push((self.to_s(name)?, self.to_s(kind)?, is_read_only.truthy()));
            }
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
