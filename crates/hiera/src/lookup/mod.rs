//! The lookup itself: layers, levels and locations in turn, merged, interpolated and converted.
//!
//! [`Evaluator`] is written once over a [`Mode`]: [`Plain`](mode::Plain) answers with shared values and tracks nothing,
//! [`Traced`](mode::Traced) answers with objects and may record an explanation. A missing key is `Ok(None)`, where the
//! reference throws `no_such_key`.
//!
//! A run has a mode and three other parts: the [`LookupRequest`], which is created from the query and never changes; the
//! [`LookupScope`] of the current key, which ends with its step; and the record of secrets and cycles.
//! Answers, explanations and reasons ([`why`]) differ in the mode and in named rules of the request, nowhere else.
//!
//! The order of the functions is the order of a lookup: [`Evaluator::lookup`] finds the options of the key, searches
//! the layers, falls back to the module's default hierarchy, and converts.

mod answer;
mod answer_template;
mod configuration;
mod dig;
mod evaluator;
mod fast_path;
mod functions;
mod interpolate;
mod layers;
mod mode;
mod nested_answers;
mod options;
mod request;
mod scope;
mod survey;
#[cfg(test)]
mod tests;
mod why;

pub(crate) use nested_answers::NestedAnswers;

use hieratic_value::{Str, Value};

use crate::Error;
use crate::codes;
use crate::datum::Datum;
use crate::explain::StepKind;
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::layers::Rank;
use crate::merge::knockout::{self, Contribution, Contributions};
use crate::merge::{Knockout, Strategy};
use crate::options::KeyOptionsRef;
use crate::template::{KeyReference, Template};

use evaluator::{Evaluator, KeyRequest, StackEntry};
use fast_path::FastPath;
use mode::Mode;
use scope::LookupScope;

pub use answer::not_known_here;
pub use answer_template::{AnswerPart, AnswerTemplate, InsertedVariable};
pub(crate) use request::LookupRequest;
pub use survey::Survey;
pub use why::ChosenBy;
pub(crate) use why::{LocatedSurvey, RawAnswer};

/// The fixed cost of a lookup in steps: parsing the key, finding its options, building the answer.
const STEPS_PER_LOOKUP: u64 = 16;

/// The maximum number of lookups for one query: chains of `lookup()` can multiply without end.
const MOST_LOOKUPS: u32 = 250_000;

/// The caller's merge strategy, or the error of an invalid one.
type MergeArgument<'q> = Option<Result<&'q Strategy, &'q Error>>;

impl<'n, M: Mode> Evaluator<'n, M> {
    /// Looks a key up; `merge` wins over the options of the data.
    pub(crate) fn lookup(&mut self, text: &str, merge: MergeArgument<'_>) -> Result<Option<M::V>, Error> {
        let numbers = self.node.shared.store.numbers();
        let guard = numbers.guard();
        self.lookup_key(text, numbers.parsed_key(text, &guard), merge)
    }

    /// Looks up a key that a value names.
    fn lookup_named(&mut self, key: &KeyReference) -> Result<Option<M::V>, Error> {
        let numbers = self.node.shared.store.numbers();
        let guard = numbers.guard();
        self.lookup_key(&key.text, numbers.parsed_key(&key.text, &guard).or(key.key.as_ref()), None)
    }

    /// Looks up a key that may have been parsed before.
    fn lookup_key(&mut self, text: &str, key: Option<&Key>, merge: MergeArgument<'_>) -> Result<Option<M::V>, Error> {
        self.record.lookups += 1;
        self.budget().steps(STEPS_PER_LOOKUP)?;
        if self.record.lookups > MOST_LOOKUPS {
            return Err(Error::fatal(
                codes::LOOKUP_LIMIT,
                format!("the lookup led to more than {MOST_LOOKUPS} lookups"),
            )
            .help("values that refer to each other through lookup() multiply: break the chain"));
        }
        if text == LOOKUP_OPTIONS || text.strip_prefix(LOOKUP_OPTIONS).is_some_and(|rest| rest.starts_with('.')) {
            self.mode.leaf(|| StepKind::InvalidKey { key: LOOKUP_OPTIONS.into() }, None);
            return Ok(None);
        }
        let read;
        let key = match key {
            Some(key) => key,
            None => {
                read = Key::parse(text)?;
                &read
            }
        };
        let module = key.module();
        if self.mode.only_options() {
            let options = Key::lookup_options();
            let request = KeyRequest { top: key.text(), ..KeyRequest::new(&options, module) };
            self.find(request, &Strategy::hash())?;
            return Ok(Some(M::V::from_value(&Value::Undef, Default::default())));
        }
        // The stack of the machine grows with the nesting, wherever the caller's began.
        stacker::maybe_grow(128 << 10, 1 << 20, || self.lookup_with_options(key, merge))
    }

    fn lookup_with_options(&mut self, key: &Key, merge: MergeArgument<'_>) -> Result<Option<M::V>, Error> {
        let options = self.options_of(key)?;
        let error = options.as_ref().and_then(|options| options.fault.clone());
        if merge.is_none()
            && let Some(error) = &error
        {
            return Err(error.clone());
        }
        let from_options = match (merge, options.as_ref().and_then(|options| options.merge.as_ref())) {
            (None, Some(found)) => {
                self.mode.leaf(|| StepKind::MergeSource, None);
                Some(found)
            }
            _ => None,
        };
        let hides = options.as_ref().and_then(|options| options.convert.as_ref()).is_some_and(|to| to.is_sensitive());
        let key_is_secret = hides && self.is_oblivious();
        self.record.has_read_secret |= key_is_secret;
        let scope = LookupScope { key_is_secret, ..self.scope.clone() };
        let found = self.within(scope, |this| {
            this.explained_without_values(hides, |this| {
                this.explained(
                    || StepKind::Search { key: key.text().clone() },
                    |this| {
                        let strategy = match (merge, from_options) {
                            (Some(strategy), _) => strategy.map_err(Error::clone)?,
                            (None, Some(strategy)) => strategy.as_ref().map_err(Error::clone)?,
                            (None, None) => Strategy::none(),
                        };
                        this.find_anywhere(key, strategy)
                    },
                )
            })
        });
        match (found?, error) {
            (None, _) => Ok(None),
            // With the caller's strategy, options are only read to convert the value.
            (Some(_), Some(error)) => Err(error),
            (Some(found), None) => self.convert(key, options, found).map(Some),
        }
    }

    /// Searches the layers, then the default hierarchy of the key's module.
    fn find_anywhere(&mut self, key: &Key, strategy: &Strategy) -> Result<Option<M::V>, Error> {
        let strict;
        let strategy = if self.request.strict_knockout && strategy.knockout().is_some() {
            strict = strategy.clone().with_strict_knockout();
            &strict
        } else {
            strategy
        };
        let request = KeyRequest::new(key, key.module());
        match self.find(request, strategy)? {
            Some(found) => Ok(Some(found)),
            None if self.scope.is_global() => Ok(None),
            None => match self.find_in_defaults(request)? {
                Some(found) => self.dig(key, found),
                None => Ok(None),
            },
        }
    }

    /// Searches the layers, merges their values, and digs into the result.
    fn find(&mut self, request: KeyRequest<'_>, strategy: &Strategy) -> Result<Option<M::V>, Error> {
        let shared = match self.try_fast_path(request, strategy) {
            FastPath::Answer(answer) => return self.dig(request.key, M::V::from_owned(answer, Default::default())),
            FastPath::First(first) => {
                let at = first.place();
                let found = match first.template {
                    Template::Plain(value) => Ok(M::V::from_value(value, at)),
                    template => self.checked(StackEntry::Key(request.key.text().clone()), |this| {
                        this.instantiate(template, at).map_err(|error| first.data.place(error, request.key.root()))
                    }),
                };
                let found =
                    if first.is_global { found.map_err(|error| error.in_global_layer(request.top)) } else { found };
                return self.dig(request.key, found?);
            }
            FastPath::Merge(parts) => Some(parts),
            FastPath::None => None,
        };
        let contributions = strategy.knockout().map(|_| Contributions::default());
        let found = {
            let request = KeyRequest { contributions: contributions.as_ref(), ..request };
            if self.scope.is_global() {
                self.global_layer(request, strategy)?
            } else {
                self.merged(strategy, &Rank::ALL, |this, rank| this.layer(*rank, request, strategy))?
            }
        };
        let Some(mut found) = found else { return Ok(None) };
        if let (Some(contributions), Some(options)) = (contributions, strategy.knockout()) {
            found = self.knock_out(request.key, strategy, options, &contributions.into_values(), found)?;
        }
        if let Some(parts) = shared {
            parts.keep(&found.to_value());
        }
        self.dig(request.key, found)
    }

    /// Applies the knockouts that a merge of two values at a time does not, or records that they were lost.
    fn knock_out(
        &mut self,
        key: &Key,
        strategy: &Strategy,
        options: &Knockout,
        contributions: &[Contribution],
        found: M::V,
    ) -> Result<M::V, Error> {
        if contributions.len() < 2 && !options.keys {
            return Ok(found);
        }
        if !options.strict && !options.keys {
            if contributions.iter().any(|source| knockout::may_hold_knockouts(options, &source.value)) {
                self.node.lose(knockout::lost(options, key.text(), contributions, &found.to_value()));
            }
            return Ok(found);
        }
        let secret = self.is_oblivious() && contributions.iter().any(|source| source.value.has_hidden());
        self.budget().steps(contributions.iter().map(|source| source.value.size()).sum())?;
        let merged = if options.keys {
            knockout::merge_without_keys(strategy, options, contributions).map(|merged| {
                merged.map(|(merged, keys)| {
                    self.explain_removed_keys(&keys, secret);
                    merged
                })
            })
        } else {
            knockout::merge_strictly(strategy, contributions)
        };
        let found = match merged {
            Ok(Some(merged)) => M::V::from_object(merged),
            Err(error) if !secret || error.is_limit() => return Err(error),
            // An error of a merge of secrets would reveal something about them: the redacted answer stays.
            Ok(None) | Err(_) => found,
        };
        Ok(if secret { found.marked_secret() } else { found })
    }

    /// Merges the values of the variants, in the order of priority.
    fn merged<T>(
        &mut self,
        strategy: &Strategy,
        variants: &[T],
        mut find: impl FnMut(&mut Self, &T) -> Result<Option<M::V>, Error>,
    ) -> Result<Option<M::V>, Error> {
        if strategy.stops_at_first() {
            for variant in variants {
                if let Some(found) = find(self, variant)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        }
        match variants {
            [] => Ok(None),
            [only] => {
                let found = find(self, only)?;
                Ok(found.map(|found| self.single(strategy, M::V::single(strategy, found.clone()), found)))
            }
            several => self.explained(
                || StepKind::Merge { strategy: strategy.name(), options: strategy.options().clone() },
                |this| {
                    let mut merged: Option<M::V> = None;
                    for variant in several {
                        let Some(found) = find(this, variant)? else { continue };
                        this.budget().steps(found.size())?;
                        merged = Some(match merged {
                            None => this.single(strategy, M::V::first(strategy, found.clone()), found),
                            Some(higher) => {
                                this.budget().steps(higher.size())?;
                                if this.is_oblivious() {
                                    M::V::merge_oblivious(strategy, higher, found)?
                                } else {
                                    M::V::merge(strategy, higher, found)?
                                }
                            }
                        });
                    }
                    if let Some(merged) = &merged {
                        this.mode.result(merged);
                    }
                    Ok(merged)
                },
            ),
        }
    }

    /// Returns the result of a strategy on one value, redacted if a secret in it may have influenced the result.
    fn single(&self, strategy: &Strategy, result: M::V, found: M::V) -> M::V {
        if self.is_oblivious() && found.has_hidden() { M::V::single_oblivious(strategy, found) } else { result }
    }

    /// Converts the value as the key's options request.
    fn convert(&mut self, key: &Key, options: Option<KeyOptionsRef<'_>>, found: M::V) -> Result<M::V, Error> {
        let Some(conversion) = options.as_ref().and_then(|options| options.convert.as_ref()) else {
            return Ok(found);
        };
        if self.request.skip_conversion && self.stack.is_empty() {
            return Ok(found);
        }
        let to = conversion.to.as_ref().map_err(|reason| {
            let name = key.text();
            let message = match &conversion.source {
                Value::String(source) => format!(
                    "Invalid data type in lookup_options for key '{name}' could not parse '{source}', error: '{reason}"
                ),
                _ => format!("The convert_to lookup_option for key '{name}' raised error: {reason}"),
            };
            Error::lookup(codes::CONVERT_TYPE, message)
                .help("convert_to takes the name of a Puppet type, or an array of the name and arguments")
        })?;
        let as_secret = self.is_oblivious() && (conversion.is_sensitive() || found.has_hidden());
        match hieratic_puppet_types::new_instance(to, &found.to_value(), &conversion.arguments) {
            // An error about a secret would reveal something about it.
            Err(_) if as_secret => {
                self.record_secret(&found.to_value());
                self.explain_conversion(key, to, conversion);
                Ok(found.marked_secret())
            }
            Ok(value) => {
                if conversion.is_sensitive() {
                    self.record.has_read_secret = true;
                    self.node.secrets().add_sensitive(&value);
                }
                self.explain_conversion(key, to, conversion);
                let converted = found.converted(value);
                Ok(if as_secret { converted.marked_secret() } else { converted })
            }
            Err(error) => {
                let secret = conversion.is_sensitive() || found.is_secret();
                if secret {
                    self.record_secret(&found.to_value());
                }
                let reason = if secret && !self.request.secrets.reveals {
                    format!("the value cannot be converted to {to} (it is secret and not shown)")
                } else {
                    error.to_string()
                };
                Err(Error::lookup(
                    codes::CONVERT,
                    format!("The convert_to lookup_option for key '{}' raised error: {reason}", key.text()),
                )
                .with_quoted_value())
            }
        }
    }

    /// Wraps a value as Sensitive, unless it is already.
    fn make_sensitive(&mut self, found: M::V) -> M::V {
        let value = found.to_value();
        if value.contains_sensitive() && matches!(&value, Value::Rich(_)) {
            return found;
        }
        let value = Value::sensitive(value);
        self.record.has_read_secret = true;
        self.node.secrets().add_sensitive(&value);
        let result = found.converted(value);
        if self.is_oblivious() { result.marked_secret() } else { result }
    }

    /// Explains which keys were knocked out, which no reference does.
    fn explain_removed_keys(&mut self, keys: &[Str], secret: bool) {
        if keys.is_empty() || secret {
            return;
        }
        let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
        self.mode.text(|| format!("Keys knocked out: {} (knockout_keys, an extension of Hieratic)", keys.join(", ")));
    }

    fn explain_conversion(
        &mut self,
        key: &Key,
        to: &hieratic_puppet_types::Type,
        conversion: &crate::options::Conversion,
    ) {
        if conversion.is_array {
            self.mode.converted_type(key.root(), &to.to_string());
        }
        self.mode.text(|| {
            let arguments = hieratic_puppet_types::convert_call_to_string(to, &conversion.arguments);
            format!("Applying convert_to lookup_option with arguments {arguments}")
        });
    }
}
