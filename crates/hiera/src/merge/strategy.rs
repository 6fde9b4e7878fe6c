//! [`Strategy`]: the rule that merges the values of several levels, with its options.
//!
//! A new option is also named outside of this crate: `cli/src/lookup/flags.rs` (the flag),
//! `json-schema/src/document.rs` (the schema), `lsp/src/data/complete.rs` (completion),
//! `lint/src/rules/lookup_options.rs` (unknown options), `lint/src/hygiene/merged.rs` (redundant values) and
//! `impact/src/parts.rs` (changes of lists).

use std::sync::LazyLock;

use hieratic_puppet_types::{self as pcore, Type};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Hash, Value};

use crate::Error;
use crate::codes;

/// The rule that merges the values of several levels.
#[derive(Clone, Debug)]
pub struct Strategy {
    kind: StrategyKind,
    /// The given options without the strategy's name; explanations show them.
    options: Hash,
}

#[derive(Clone, Debug)]
pub(crate) enum StrategyKind {
    /// No strategy: the first value found.
    Default,
    First,
    Unique,
    Hash,
    Deep(Deep),
    /// The deep merge of Hiera 3, whose options the reference does not check.
    UnconstrainedDeep(Deep),
    /// The deep merge of Hiera 3 with reversed priorities.
    ReverseDeep(Deep),
}

/// The options of a deep merge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deep {
    pub(crate) knockout: Option<Knockout>,
    pub(crate) sort_merged_arrays: bool,
    pub(crate) merge_hash_arrays: bool,
}

/// The options for knockouts.
#[derive(Clone, Debug)]
pub(crate) struct Knockout {
    pub(crate) prefix: String,
    /// The regular expression that the reference builds from the prefix, special characters included. An invalid one is
    /// reported when it is first needed.
    pub(crate) pattern: Result<Regexp, String>,
    /// Whether a knockout applies to all lower levels, and not only to the next one.
    pub(crate) strict: bool,
    /// Whether keys of hashes are removed as well.
    pub(crate) keys: bool,
}

impl Strategy {
    /// The names of the strategies; see [merge behaviors](https://www.puppet.com/docs/puppet/8/hiera_merging.html#merge_behaviors). The last
    /// two are of Hiera 3.
    pub const NAMES: [&str; 7] = ["default", "first", "unique", "hash", "deep", "reverse_deep", "unconstrained_deep"];

    /// The options of `deep`, without the name of the strategy.
    pub const DEEP_OPTIONS: [&str; 4] = ["knockout_prefix", "merge_debug", "merge_hash_arrays", "sort_merged_arrays"];

    /// Returns the strategy if none is chosen: the first value is the answer.
    pub fn none() -> &'static Strategy {
        static NONE: LazyLock<Strategy> =
            LazyLock::new(|| Strategy { kind: StrategyKind::Default, options: Hash::default() });
        &NONE
    }

    /// The merge of `lookup_options` themselves.
    pub(crate) fn hash() -> Strategy {
        Strategy { kind: StrategyKind::Hash, options: Hash::default() }
    }

    /// Parses a strategy: an undefined value, a name, or a hash with `strategy` and options.
    ///
    /// ```
    /// use hieratic_hiera::Strategy;
    /// let strategy = Strategy::parse(&"unique".into())?;
    /// assert_eq!(strategy.name(), "unique");
    /// assert!(Strategy::parse(&"bogus".into()).is_err());
    /// # Ok::<(), hieratic_hiera::Error>(())
    /// ```
    pub fn parse(merge: &Value) -> Result<Strategy, Error> {
        let (name, given) = match merge {
            value if !value.is_truthy() => return Ok(Strategy::none().clone()),
            Value::Hash(hash) => match hash.get("strategy") {
                None | Some(Value::Undef) => {
                    return Err(Error::fatal(
                        codes::MERGE_STRATEGY,
                        "The hash given as 'merge' must contain the name of a strategy in string form for the key \
                         'strategy'",
                    )
                    .help("add `strategy: deep` (or first, unique, hash) to the hash"));
                }
                Some(name) if hash.len() == 1 => (name.clone(), Hash::default()),
                Some(name) => (name.clone(), hash.clone()),
            },
            name => (name.clone(), Hash::default()),
        };
        let is_on = |name: &str| matches!(given.get(name), Some(Value::Boolean(true)));
        let extensions = Extensions { strict: is_on("strict_knockout"), keys: is_on("knockout_keys") };
        let known = without(&given, &["strict_knockout", "knockout_keys"]);
        let options = without(&known, &["strategy"]);
        let kind = match name.as_str() {
            Some("default") => checked(StrategyKind::Default, &DEFAULT_OPTIONS, &known)?,
            Some("first") => checked(StrategyKind::First, &FIRST_OPTIONS, &known)?,
            Some("unique") => checked(StrategyKind::Unique, &UNIQUE_OPTIONS, &known)?,
            Some("hash") => checked(StrategyKind::Hash, &HASH_OPTIONS, &known)?,
            Some("deep") => checked(StrategyKind::Deep(Deep::parse(&known, extensions)), &DEEP_OPTIONS, &known)?,
            // Without options, the reference takes the one of `deep` for it.
            Some("unconstrained_deep") if given.is_empty() => StrategyKind::Deep(Deep::default()),
            Some("unconstrained_deep") => {
                checked(StrategyKind::UnconstrainedDeep(Deep::parse(&known, extensions)), &ANY_OPTIONS, &known)?
            }
            Some("reverse_deep") => {
                checked(StrategyKind::ReverseDeep(Deep::parse(&known, extensions)), &ANY_OPTIONS, &known)?
            }
            _ => {
                return Err(Error::fatal(
                    codes::MERGE_STRATEGY,
                    format!("Unknown merge strategy: '{}'", name.to_text()),
                )
                .help("the strategies are first, unique, hash and deep"));
            }
        };
        if let StrategyKind::UnconstrainedDeep(_) | StrategyKind::ReverseDeep(_) = kind {
            refuse_unknown(&options)?;
        }
        Ok(Strategy { kind, options })
    }

    pub(crate) fn kind(&self) -> &StrategyKind {
        &self.kind
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &'static str {
        match self.kind {
            StrategyKind::Default => "default",
            StrategyKind::First => "first",
            StrategyKind::Unique => "unique",
            StrategyKind::Hash => "hash",
            StrategyKind::Deep(_) => "deep",
            StrategyKind::UnconstrainedDeep(_) => "unconstrained_deep",
            StrategyKind::ReverseDeep(_) => "reverse_deep",
        }
    }

    /// Returns the options of the strategy.
    pub fn options(&self) -> &Hash {
        &self.options
    }

    /// Returns whether the first value found is the answer.
    pub(crate) fn stops_at_first(&self) -> bool {
        matches!(self.kind, StrategyKind::Default | StrategyKind::First)
    }

    /// The knockout options, where the strategy has some.
    pub(crate) fn knockout(&self) -> Option<&Knockout> {
        match &self.kind {
            StrategyKind::Deep(deep) | StrategyKind::UnconstrainedDeep(deep) | StrategyKind::ReverseDeep(deep) => {
                deep.knockout.as_ref()
            }
            _ => None,
        }
    }

    /// Returns the fingerprint of the strategy, if its results can be shared. Knockouts log warnings, so theirs cannot.
    pub(crate) fn fingerprint(&self) -> Option<u64> {
        match &self.kind {
            StrategyKind::Unique => Some(1),
            StrategyKind::Hash => Some(2),
            StrategyKind::Deep(deep) if deep.knockout.is_none() => {
                Some(4 + u64::from(deep.sort_merged_arrays) + 2 * u64::from(deep.merge_hash_arrays))
            }
            _ => None,
        }
    }

    /// Makes knockouts apply at every depth.
    pub(crate) fn with_strict_knockout(mut self) -> Strategy {
        if let StrategyKind::Deep(deep) | StrategyKind::UnconstrainedDeep(deep) | StrategyKind::ReverseDeep(deep) =
            &mut self.kind
            && let Some(knockout) = &mut deep.knockout
        {
            knockout.strict = true;
        }
        self
    }
}

/// Options that the reference does not have.
#[derive(Clone, Copy)]
struct Extensions {
    strict: bool,
    keys: bool,
}

impl Deep {
    fn parse(options: &Hash, extensions: Extensions) -> Deep {
        let flag = |name: &str| options.get(name).is_some_and(Value::is_truthy);
        Deep {
            knockout: options.get("knockout_prefix").and_then(Value::as_str).map(|prefix| Knockout {
                prefix: prefix.into(),
                pattern: Regexp::new(&format!("^{prefix}")).map_err(|error| error.to_string()),
                strict: extensions.strict,
                keys: extensions.keys,
            }),
            sort_merged_arrays: flag("sort_merged_arrays"),
            merge_hash_arrays: flag("merge_hash_arrays"),
        }
    }
}

fn without(hash: &Hash, names: &[&str]) -> Hash {
    hash.iter()
        .filter(|(key, _)| !key.as_str().is_some_and(|key| names.contains(&key)))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// The options of Hiera 3's deep merge that this one does not have.
fn refuse_unknown(options: &Hash) -> Result<(), Error> {
    match options.keys().find(|key| !key.as_str().is_some_and(|key| Strategy::DEEP_OPTIONS.contains(&key))) {
        None => Ok(()),
        Some(unknown) => Err(Error::fatal(
            codes::MERGE_OPTION,
            format!("The deep merge option '{}' of Hiera 3 is not supported", unknown.to_text()),
        )
        .help("knockout_prefix, sort_merged_arrays and merge_hash_arrays are")),
    }
}

/// The kinds of options that a strategy takes, as the reference states them.
type OptionsType = LazyLock<Type>;

/// Parses the type in a constant.
pub(super) fn parse_type(text: &str) -> Type {
    // Tests parse all of them.
    pcore::parse(text).unwrap_or(Type::Any)
}

static DEFAULT_OPTIONS: OptionsType = LazyLock::new(|| parse_type("Struct[{strategy=>Optional[Pattern[/default/]]}]"));
static FIRST_OPTIONS: OptionsType = LazyLock::new(|| parse_type("Struct[{strategy=>Optional[Pattern[/first/]]}]"));
static UNIQUE_OPTIONS: OptionsType = LazyLock::new(|| parse_type("Struct[{strategy=>Optional[Pattern[/unique/]]}]"));
static HASH_OPTIONS: OptionsType = LazyLock::new(|| parse_type("Struct[{strategy=>Optional[Pattern[/hash/]]}]"));
static ANY_OPTIONS: OptionsType = LazyLock::new(|| parse_type("Hash[String[1],Any]"));
static DEEP_OPTIONS: OptionsType = LazyLock::new(|| {
    parse_type(
        "Struct[{strategy=>Optional[Pattern[deep]],knockout_prefix=>Optional[String],merge_debug=>Optional[Boolean],\
         merge_hash_arrays=>Optional[Boolean],sort_merged_arrays=>Optional[Boolean]}]",
    )
});
fn checked(kind: StrategyKind, expected: &OptionsType, options: &Hash) -> Result<StrategyKind, Error> {
    if options.is_empty() {
        return Ok(kind);
    }
    pcore::assert_instance("The merge options", expected, &Value::Hash(options.clone()))
        .map_err(|mismatch| Error::puppet(codes::MERGE_OPTION, mismatch.to_string()))?;
    Ok(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_options_are_all_well_formed() {
        let all = [&DEFAULT_OPTIONS, &FIRST_OPTIONS, &UNIQUE_OPTIONS, &HASH_OPTIONS, &ANY_OPTIONS, &DEEP_OPTIONS];
        assert!(all.iter().all(|expected| ***expected != Type::Any));
    }

    fn options(pairs: &[(&str, Value)]) -> Value {
        pairs.iter().map(|(key, value)| (*key, value.clone())).collect::<Hash>().into()
    }

    #[test]
    fn a_strategy_is_a_name_or_a_hash() {
        assert_eq!(Strategy::parse(&Value::Undef).map(|s| s.name()).ok(), Some("default"));
        assert_eq!(Strategy::parse(&options(&[("strategy", "hash".into())])).map(|s| s.name()).ok(), Some("hash"));
        let missing = Strategy::parse(&options(&[("knockout_prefix", "--".into())]));
        assert!(missing.is_err_and(|error| error.to_string().contains("must contain the name of a strategy")));
        let unknown = Strategy::parse(&"weird".into());
        assert!(unknown.is_err_and(|error| error.to_string() == "Unknown merge strategy: 'weird'"));
    }

    #[test]
    fn every_name_is_one_of_a_strategy() {
        for name in Strategy::NAMES {
            assert!(Strategy::parse(&name.into()).is_ok(), "{name}");
        }
        let deep = Strategy::DEEP_OPTIONS.map(|name| (name, Value::Undef));
        let named = [("strategy", Value::from("deep"))].into_iter().chain(deep).collect::<Vec<_>>();
        assert!(Strategy::parse(&options(&named)).is_ok());
    }

    #[test]
    fn options_are_checked() {
        let wrong = Strategy::parse(&options(&[("strategy", "deep".into()), ("sort_merged_arrays", "x".into())]));
        assert_eq!(
            wrong.map_err(|error| error.to_string()).err().as_deref(),
            Some(
                "The merge options has wrong type, entry 'sort_merged_arrays' expects a value of type Undef or \
                 Boolean, got String"
            )
        );
    }

    #[test]
    fn strict_knockout_is_our_own_option() {
        let given =
            options(&[("strategy", "deep".into()), ("knockout_prefix", "--".into()), ("strict_knockout", true.into())]);
        let strategy = Strategy::parse(&given).unwrap();
        assert!(strategy.knockout().is_some_and(|knockout| knockout.strict));
        assert!(!strategy.options().contains("strict_knockout"));
    }
}
