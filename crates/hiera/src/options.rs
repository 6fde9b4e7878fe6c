//! `lookup_options`: the merge and conversion options of single keys, or of keys that match a regular expression.
//!
//! They are data under a reserved key, and are merged as hashes over all levels and layers. The entry of a key
//! overrides every pattern. See
//! <https://www.puppet.com/docs/puppet/8/hiera_merging.html#configure_merge_behavior_lookup_options>.

use std::sync::{Arc, Mutex, PoisonError};

use hieratic_puppet_types::{self as pcore, Type};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::collections::{FixedState, HashMap};
use hieratic_value::{Hash, Str, Value};
use indexmap::IndexMap;

use crate::Error;
use crate::codes;
use crate::key::{self, Key};
use crate::merge::Strategy;
use crate::pattern_index::{PatternIndex, literal_start};

/// The compiled options of all keys.
#[derive(Debug, Default)]
pub(crate) struct LookupOptions {
    keys: IndexMap<Value, Arc<KeyOptions>, FixedState>,
    patterns: Vec<Pattern>,
    index: PatternIndex,
}

/// The options of one key, borrowed from the node or owned by the lookup.
pub(crate) enum KeyOptionsRef<'n> {
    Borrowed(&'n KeyOptions),
    Owned(Arc<KeyOptions>),
}

impl std::ops::Deref for KeyOptionsRef<'_> {
    type Target = KeyOptions;

    fn deref(&self) -> &KeyOptions {
        match self {
            KeyOptionsRef::Borrowed(options) => options,
            KeyOptionsRef::Owned(options) => options,
        }
    }
}

/// Options for the keys that a regular expression matches.
#[derive(Debug)]
struct Pattern {
    /// The expression, or `None` if the literal start alone decides.
    regexp: Option<Regexp>,
    options: Arc<KeyOptions>,
    /// As it is written.
    text: Box<str>,
}

/// A cache of compiled options by their source: most nodes have equal options.
#[derive(Debug, Default)]
pub(crate) struct OptionsCache(Mutex<HashMap<OptionsKey, Arc<LookupOptions>>>);

/// Options as written. Hashes with the same pairs are equal in the language, but the first pattern that matches a key
/// decides: the order of pairs belongs to options.
#[derive(Debug, Hash)]
#[expect(clippy::derived_hash_with_manual_eq, reason = "what is written alike is equal, and so has the same hash")]
struct OptionsKey(Value);

impl Eq for OptionsKey {}

impl PartialEq for OptionsKey {
    fn eq(&self, other: &OptionsKey) -> bool {
        self.0.is_same_in_order(&other.0)
    }
}

/// The maximum number of cached options.
const MOST_COMPILED: usize = 1000;

impl OptionsCache {
    pub(crate) fn get_or_compile(&self, options: &Hash) -> Result<Arc<LookupOptions>, Error> {
        let key = OptionsKey(Value::Hash(options.clone()));
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let compiled = Arc::new(LookupOptions::compile(options)?);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_COMPILED {
            all.clear();
        }
        all.insert(key, compiled.clone());
        Ok(compiled)
    }
}

/// The options of one key.
#[derive(Debug, Default)]
pub(crate) struct KeyOptions {
    pub(crate) merge: Option<Result<Strategy, Error>>,
    pub(crate) convert: Option<Conversion>,
    /// The error of options that are not a hash, on which the reference fails.
    pub(crate) fault: Option<Error>,
}

/// A conversion of the looked-up value.
#[derive(Debug)]
pub(crate) struct Conversion {
    /// The parsed type, or the reference's message if it is invalid.
    pub(crate) to: Result<Type, String>,
    /// The type as written.
    pub(crate) source: Value,
    pub(crate) arguments: Vec<Value>,
    /// Whether it is written as an array. The reference replaces the array's first element by the type.
    pub(crate) is_array: bool,
}

impl Conversion {
    /// Returns whether the result is a Sensitive value.
    pub(crate) fn is_sensitive(&self) -> bool {
        matches!(&self.to, Ok(to) if to.to_string().contains("Sensitive"))
    }
}

impl LookupOptions {
    /// Compiles merged options.
    pub(crate) fn compile(options: &Hash) -> Result<LookupOptions, Error> {
        let mut compiled = LookupOptions::default();
        for (key, value) in options {
            let Some(text) = key.as_str() else {
                return Err(not_text(key));
            };
            if text.starts_with('^') {
                let pattern = Regexp::new(text).map_err(|error| {
                    Error::fatal(codes::LOOKUP_OPTIONS_PATTERN, error.to_string())
                        .help(format!("fix the pattern '{text}' in lookup_options; it uses Ruby's syntax"))
                })?;
                let regexp = (literal_start(text).len() + 1 < text.len()).then_some(pattern);
                let options = Arc::new(KeyOptions::compile(value));
                compiled.patterns.push(Pattern { regexp, options, text: text.into() });
                compiled.index.add(text);
            } else if !value.is_undef() {
                compiled.keys.insert(key.clone(), Arc::new(KeyOptions::compile(value)));
            }
        }
        Ok(compiled)
    }

    /// The options of a key: its own, or those of the first pattern that matches it.
    pub(crate) fn get(&self, key: &Key) -> Option<&Arc<KeyOptions>> {
        match key::position(&self.keys, key) {
            Some(index) => self.keys.get_index(index).map(|(_, options)| options),
            None => self.pattern(key.root()).map(|pattern| &pattern.options),
        }
    }

    /// The key or pattern under which the options of a key are written.
    pub(crate) fn rule(&self, root: &str) -> Option<Str> {
        match self.keys.get_key_value(&Value::from(root)) {
            Some((key, _)) => Some(key.to_text().into()),
            None => self.pattern(root).map(|pattern| (&*pattern.text).into()),
        }
    }

    fn pattern(&self, root: &str) -> Option<&Pattern> {
        let is_match = |number: usize| {
            let pattern = self.patterns.get(number);
            pattern.is_some_and(|pattern| pattern.regexp.as_ref().is_none_or(|regexp| regexp.is_match(root)))
        };
        self.patterns.get(self.index.first(root, is_match)?)
    }
}

fn not_text(key: &Value) -> Error {
    let message = format!("undefined method `start_with?' for {}:{}", key.inspect(), key.ruby_class());
    Error::fatal(codes::LOOKUP_OPTIONS_KEY, message).help("the keys of lookup_options are strings: quote the key")
}

impl KeyOptions {
    fn compile(value: &Value) -> KeyOptions {
        match value {
            Value::Hash(hash) => KeyOptions {
                merge: hash.get("merge").filter(|merge| !merge.is_undef()).map(Strategy::parse),
                convert: hash.get("convert_to").filter(|to| !to.is_undef()).map(Conversion::compile),
                fault: None,
            },
            // Ruby's `[]` searches for the option's name in a string.
            Value::String(text) => KeyOptions {
                merge: text.contains("merge").then(|| Strategy::parse(&"merge".into())),
                convert: text.contains("convert_to").then(|| Conversion::compile(&"convert_to".into())),
                fault: None,
            },
            value if !value.is_truthy() => KeyOptions::default(),
            Value::Array(_) | Value::Integer(_) => {
                KeyOptions::failing("no implicit conversion of String into Integer".into())
            }
            other => {
                KeyOptions::failing(format!("undefined method `[]' for {}:{}", other.inspect(), other.ruby_class()))
            }
        }
    }

    fn failing(message: String) -> KeyOptions {
        let error = Error::fatal(codes::LOOKUP_OPTIONS_VALUE, message)
            .help("the options of a key are a hash such as `{merge: unique}`");
        KeyOptions { fault: Some(error), ..KeyOptions::default() }
    }
}

impl Conversion {
    fn compile(spec: &Value) -> Conversion {
        let (source, arguments) = match spec {
            Value::Array(elements) => {
                (elements.first().cloned().unwrap_or_default(), elements.iter().skip(1).cloned().collect())
            }
            other => (other.clone(), Vec::new()),
        };
        let to = match &source {
            Value::String(text) => pcore::parse(text).map_err(|error| error.to_string()),
            other => {
                let got = pcore::infer_set(other);
                let got = got.simple_name();
                Err(format!("'new' parameter 'type' expects a Type value, got {got}"))
            }
        };
        Conversion { to, source, arguments, is_array: matches!(spec, Value::Array(_)) }
    }
}

/// Checks that options are a hash, and that those of a module stay in its namespace.
pub(crate) fn validate(options: &Value, module: Option<&str>) -> Result<(), Error> {
    let Some(hash) = options.as_hash() else {
        return Err(Error::lookup(codes::LOOKUP_OPTIONS_HASH, "value of lookup_options must be a hash")
            .help("write one entry per key under lookup_options"));
    };
    let Some(module) = module else { return Ok(()) };
    for key in hash.keys() {
        let Some(text) = key.as_str() else { return Err(not_text(key)) };
        let (subject, name) = match text.strip_prefix('^') {
            Some(pattern) => ("patterns", pattern),
            None => ("keys", text),
        };
        if !name.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")) {
            let message = match subject {
                "keys" => format!("all lookup_options keys must start with module name '{module}'"),
                _ => format!("all lookup_options patterns must match a key starting with module name '{module}'"),
            };
            return Err(Error::lookup(codes::LOOKUP_OPTIONS_NAMESPACE, message)
                .help(format!("move '{text}' to the environment's data, or start it with '{module}::'")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&str, Value)]) -> Hash {
        pairs.iter().map(|(key, value)| (*key, value.clone())).collect()
    }

    fn merge(strategy: &str) -> Value {
        options(&[("merge", strategy.into())]).into()
    }

    #[test]
    fn the_first_pattern_counts_whatever_was_compiled_before() {
        let pairs = [("^.*a$", merge("deep")), ("^[ab]$", merge("unique"))];
        let compiled = OptionsCache::default();
        let rule =
            |pairs: &[(&str, Value)]| compiled.get_or_compile(&options(pairs)).unwrap().rule("a").unwrap().to_string();
        assert_eq!(rule(&pairs), "^.*a$");
        assert_eq!(rule(&[pairs[1].clone(), pairs[0].clone()]), "^[ab]$");
        assert_eq!(compiled.0.lock().unwrap().len(), 2);
        assert_eq!(rule(&pairs), "^.*a$");
        assert_eq!(compiled.0.lock().unwrap().len(), 2);
    }

    #[test]
    fn an_own_entry_hides_the_patterns() {
        let compiled =
            LookupOptions::compile(&options(&[("^a", merge("hash")), ("ab", merge("unique")), ("^ab", merge("deep"))]))
                .unwrap();
        let name = |key: &str| compiled.get(&Key::parse(key).ok()?)?.merge.as_ref()?.as_ref().ok().map(Strategy::name);
        assert_eq!(name("ab"), Some("unique"));
        assert_eq!(name("abc"), Some("hash"));
        assert_eq!(name("x"), None);
    }

    #[test]
    fn every_match_begins_with_the_prefix() {
        for (pattern, prefix) in
            [("^a::b", "a::b"), ("^ab*", "a"), ("^a.b", "a"), ("^a|b", ""), ("^(a)", ""), ("^ab?c", "a")]
        {
            assert_eq!(literal_start(pattern), prefix, "{pattern}");
        }
    }

    #[test]
    fn a_module_stays_in_its_namespace() {
        let keys: Value = options(&[("m::a", merge("hash")), ("^m::b", merge("hash"))]).into();
        assert!(validate(&keys, Some("m")).is_ok());
        let wrong = validate(&options(&[("a", merge("hash"))]).into(), Some("m"));
        assert!(wrong.is_err_and(|e| e.to_string() == "all lookup_options keys must start with module name 'm'"));
        assert!(
            validate(&Value::from(1), None).is_err_and(|e| e.to_string() == "value of lookup_options must be a hash")
        );
    }
}
