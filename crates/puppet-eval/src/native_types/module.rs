//! Resource types in Ruby code of modules, from their descriptions.

use hieratic_ruby::TypeDeclaration;
use hieratic_ruby_regexp::{Options, Regexp};

use super::{ModuleType, TitlePattern};

impl ModuleType {
    /// Creates the type from its description; `provided` is whether there are providers for it elsewhere.
    ///
    /// # Errors
    /// A pattern of titles that cannot be compiled.
    pub fn from_declaration(declared: &TypeDeclaration, provided: bool) -> Result<ModuleType, String> {
        let mut patterns = Vec::with_capacity(declared.patterns.len());
        for one in &declared.patterns {
            let options = Options {
                ignore_case: one.options & 1 != 0,
                extended: one.options & 2 != 0,
                multiline: one.options & 4 != 0,
            };
            let regexp = Regexp::with_options(&one.source, options)
                .map_err(|error| format!("a pattern for titles of '{}': {error}", declared.name))?;
            patterns
                .push(TitlePattern { regexp, parts: one.parts.iter().map(|(name, _)| name.as_str().into()).collect() });
        }
        let mut attributes: Vec<_> = declared.attributes.iter().map(|name| name.as_str().into()).collect();
        if provided || declared.provides {
            attributes.push("provider".into());
        }
        let keys = declared.keys.iter().map(|key| key.as_str().into()).collect();
        let words = declared
            .words
            .iter()
            .map(|(name, words)| (name.as_str().into(), words.iter().map(|word| word.as_str().into()).collect()));
        Ok(ModuleType { keys, isomorphic: declared.isomorphic, patterns, attributes, words: words.collect() })
    }
}
