//! Resource types in Ruby code of modules, from their descriptions.

use std::sync::Arc;

use hieratic_ruby::{TypeDeclaration, ValueDeclaration};
use hieratic_ruby_regexp::{Options, Regexp};

use super::{AllowedValues, DeclaredAttribute, ModuleType, TitlePattern};

impl ModuleType {
    /// Creates the type from its declaration. `provided` is whether another file has providers for it.
    ///
    /// # Errors
    /// A pattern for titles is not a valid regular expression.
    pub fn from_declaration(declared: &TypeDeclaration, provided: bool) -> Result<ModuleType, String> {
        let mut patterns = Vec::with_capacity(declared.patterns.len());
        for one in &declared.patterns {
            let regexp = Regexp::with_options(&one.source, options_of(one.options))
                .map_err(|error| format!("a pattern for titles of '{}': {error}", declared.name))?;
            patterns
                .push(TitlePattern { regexp, parts: one.parts.iter().map(|(name, _)| name.as_str().into()).collect() });
        }
        let mut attributes: Vec<_> = declared.attributes.iter().map(|name| name.as_str().into()).collect();
        if provided || declared.provides {
            attributes.push("provider".into());
        }
        let keys = declared.keys.iter().map(|key| key.as_str().into()).collect();
        let allowed = declared.allowed.iter();
        let allowed =
            allowed.filter_map(|(name, values)| Some((name.as_str().into(), Arc::new(allowed_values(values)?))));
        let allowed = allowed.collect();
        let of_api = declared.declared.iter().map(|(name, kind, is_read_only)| {
            let attribute = DeclaredAttribute { kind: kind.as_str().into(), is_read_only: *is_read_only };
            (name.as_str().into(), Arc::new(attribute))
        });
        let isomorphic = declared.isomorphic;
        Ok(ModuleType { keys, isomorphic, patterns, attributes, allowed, declared: of_api.collect() })
    }
}

/// The values that an attribute allows; `None` if a pattern cannot be compiled, so that others may be allowed.
fn allowed_values(declared: &ValueDeclaration) -> Option<AllowedValues> {
    let compile = |(source, options): &(String, i64)| Regexp::with_options(source, options_of(*options)).ok();
    let patterns: Option<Vec<Regexp>> = declared.patterns.iter().map(compile).collect();
    let words = declared.words.iter().map(|word| word.as_str().into()).collect();
    Some(AllowedValues { words, patterns: patterns? })
}

/// The options of a pattern, which Ruby numbers.
fn options_of(bits: i64) -> Options {
    Options { ignore_case: bits & 1 != 0, extended: bits & 2 != 0, multiline: bits & 4 != 0 }
}
