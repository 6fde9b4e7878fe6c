//! Answers a [`Query`]: its keys in order, then its defaults. Each value is checked against the type.

use hieratic_diagnostics::Code;
use hieratic_json::Position;
use hieratic_puppet_types as pcore;
use hieratic_value::Value;
use serde_core::de::DeserializeOwned;

use super::MergeArgument;
use super::evaluator::Evaluator;
use super::mode::{Mode, Plain, Traced};
use super::request::LookupRequest;
use crate::Error;
use crate::codes;
use crate::datum::{Datum, ValueContext};
use crate::error::Place;
use crate::explain::{Explain, Explanation};
use crate::merge::Strategy;
use crate::node::{Node, SkippedLevel};
use crate::object::Origin;
use crate::query::{Answer, Query};

/// The origin of values that were passed with the query and win over all data.
pub(super) const OVERRIDES: &str = "overrides";

/// The origin of values that were passed with the query as defaults by key.
pub(super) const DEFAULT_VALUES: &str = "default values";

impl Node {
    /// The code of the error for a query without a value.
    pub const NOT_FOUND: Code = codes::KEY_NOT_FOUND;

    /// Answers a query.
    ///
    /// # Errors
    /// No key has a value ([`Node::NOT_FOUND`]), the data is invalid, or the value has another type.
    pub fn lookup(&self, query: &Query<'_>) -> Result<Value, Error> {
        self.lookup_or(query, &mut |_| None)
    }

    /// Answers a query with a Rust type, converted by [`Value::to`].
    ///
    /// ```
    /// # use std::collections::BTreeMap;
    /// # use hieratic_hiera::{Node, Query};
    /// # fn ports(node: &Node) -> Result<BTreeMap<String, u16>, hieratic_hiera::Error> {
    /// let ports: BTreeMap<String, u16> = node.lookup_as(&Query::new("profile::web::ports"))?;
    /// # Ok(ports)
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`lookup`](Self::lookup), or the value cannot be converted to the type.
    pub fn lookup_as<T: DeserializeOwned>(&self, query: &Query<'_>) -> Result<T, Error> {
        self.lookup(query)?.to().map_err(|mismatch| {
            let names = query.names.join("', '");
            // The message quotes a part of the value, which may be a secret.
            Error::puppet(codes::VALUE_TYPE, format!("The value of '{names}' has the wrong type: {mismatch}"))
                .with_quoted_value()
        })
    }

    /// Answers a query. If no key has a value, `block` is called before the default is used.
    pub fn lookup_or(
        &self,
        query: &Query<'_>,
        default_block: &mut dyn FnMut(&[&str]) -> Option<Value>,
    ) -> Result<Value, Error> {
        let request = LookupRequest::from_query(query);
        let mut evaluator = Evaluator::new(self, Plain, &request);
        match query.ask(&mut evaluator, default_block) {
            Ok((_, value)) => Ok(value),
            Err(error) if error.is_limit() => Err(error),
            // The message may quote a secret, which only a lookup with objects can detect.
            Err(error) if error.quotes_value() => {
                let mut evaluator = Evaluator::new(self, Traced::default(), &request);
                query.ask(&mut evaluator, default_block).map(|(_, value)| value.to_value())
            }
            Err(error) => Err(error),
        }
    }

    /// Answers a query with the origin of every part.
    ///
    /// # Errors
    /// As [`lookup`](Self::lookup).
    pub fn lookup_traced(&self, query: &Query<'_>) -> Result<Answer, Error> {
        let request = LookupRequest::from_query(query);
        let mut evaluator = Evaluator::new(self, Traced::sharing_options(), &request);
        let (key, value) = query.ask(&mut evaluator, &mut |_| None)?;
        Ok(Answer { key: key.map(str::to_owned), value })
    }

    /// Returns the merge strategy of the first name of a query. Options of default hierarchies are ignored.
    pub fn strategy(&self, query: &Query<'_>) -> Result<Strategy, Error> {
        let request = LookupRequest::from_query(query);
        let Some(name) = query.names.first() else { return Ok(Strategy::none().clone()) };
        Evaluator::new(self, Traced::sharing_options(), &request).strategy_of(name, query.merge_argument())
    }

    /// Answers a query with secrets redacted: decrypted and Sensitive values, and every string that contains one.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use hieratic_hiera::{EnvironmentLayer, Layers, Node, Query, Scope, Shared};
    /// # use hieratic_value::{Hash, Value};
    /// # let environment = EnvironmentLayer { name: "production".into(), root: "/none".into(), data_provider: None, datadirs: Vec::new() };
    /// # let layers = Layers { global_config: "/none/hiera.yaml".into(), environment, modules: Default::default(),
    /// #     codedir: "/none".into() };
    /// # let scope = Scope::new(Hash::default(), Hash::default(), Hash::default(), Hash::default(), Hash::default());
    /// # let node = Node::new(Arc::new(Shared::new(layers, false)), scope, Default::default());
    /// let query = Query { default: Some(Value::sensitive("word".into())), ..Query::new("password") };
    /// assert_eq!(node.lookup_redacted(&query)?, Value::from("Sensitive [value redacted]"));
    /// # Ok::<(), hieratic_hiera::Error>(())
    /// ```
    pub fn lookup_redacted(&self, query: &Query<'_>) -> Result<Value, Error> {
        let request = LookupRequest::from_query(query);
        let mut evaluator = Evaluator::new(self, Plain, &request);
        let answer = query.ask(&mut evaluator, &mut |_| None);
        if let Err(error) = &answer
            && error.is_limit()
        {
            return Err(error.clone());
        }
        let is_open = !evaluator.record.has_read_secret
            && match &answer {
                Ok((_, value)) => !value.contains_sensitive(),
                Err(error) => !error.quotes_value(),
            };
        if is_open {
            return answer.map(|(_, value)| value);
        }
        // Only objects know what of them is secret.
        self.lookup_traced(query).map(|answer| answer.value.masked())
    }

    /// Answers a query and explains every step.
    pub fn explain(&self, query: &Query<'_>, explain: Explain) -> (Result<Value, Error>, Explanation) {
        let request = LookupRequest::from_query(query).revealing(explain.reveal);
        let mut evaluator = Evaluator::new(self, Traced::explaining(Explanation::new(explain)), &request);
        let answer = query.ask(&mut evaluator, &mut |_| None).map(|(_, value)| value.to_value());
        let explanation = evaluator.into_mode().explanation.unwrap_or_else(|| Explanation::new(explain));
        (answer, explanation)
    }
}

impl<'q> Query<'q> {
    /// Returns the caller's merge strategy, or the error of an invalid one.
    pub(super) fn merge_argument(&self) -> MergeArgument<'_> {
        match &self.merge_fault {
            Some(error) => Some(Err(error)),
            None => self.merge.as_ref().map(Ok),
        }
    }

    /// Returns the answer, unless a part of the files could not be read: then there is none, whatever the other files
    /// contain.
    pub(super) fn ask<M: Mode>(
        &self,
        evaluator: &mut Evaluator<'_, M>,
        default_block: &mut dyn FnMut(&[&str]) -> Option<Value>,
    ) -> Result<(Option<&'q str>, M::V), Error> {
        let answer = self.answer(evaluator, default_block);
        evaluator.log_warnings(ValueContext::default());
        if let Some(noted) = &self.skipped_levels {
            evaluator.record.skipped_levels.iter().for_each(|level| noted.add(level.clone()));
        }
        match evaluator.node.fault() {
            Some(error) => Err(error),
            None => answer,
        }
    }

    fn answer<M: Mode>(
        &self,
        evaluator: &mut Evaluator<'_, M>,
        default_block: &mut dyn FnMut(&[&str]) -> Option<Value>,
    ) -> Result<(Option<&'q str>, M::V), Error> {
        let merge = self.merge_argument();
        for name in &self.names {
            if let Some(value) = self.overrides.get(name) {
                let subject = format!("Value found for key '{name}' in override hash");
                self.check(&subject, value)?;
                return Ok((Some(name), M::V::from_named(value, OVERRIDES)));
            }
            let (found, sensitive) = evaluator.watch_sensitive(|evaluator| evaluator.lookup(name, merge));
            if let Some(found) = found? {
                let found = if sensitive { evaluator.make_sensitive(found) } else { found };
                self.check_found(evaluator, name, &found)?;
                return Ok((Some(name), found));
            }
        }
        for name in &self.names {
            if let Some(value) = self.default_values.get(name) {
                let subject = format!("Value found for key '{name}' in default values hash");
                self.check(&subject, value)?;
                return Ok((Some(name), M::V::from_named(value, DEFAULT_VALUES)));
            }
        }
        if let Some(value) = default_block(&self.names) {
            self.check("Value returned from default block", &value)?;
            return Ok((None, M::V::from_named(&value, "default")));
        }
        if let Some(value) = &self.default {
            self.check("Default value", value)?;
            return Ok((None, M::V::from_named(value, "default")));
        }
        Err(not_found(&self.names, &evaluator.record.skipped_levels))
    }

    fn check(&self, subject: &str, value: &Value) -> Result<(), Error> {
        let Some(expected) = &self.value_type else { return Ok(()) };
        pcore::assert_instance_within(subject, expected, value, &self.budget)
            .map_err(Error::from)?
            .map_err(|mismatch| Error::puppet(codes::VALUE_TYPE, mismatch.to_string()).with_quoted_value())
    }

    fn check_found<M: Mode>(&self, evaluator: &Evaluator<'_, M>, name: &str, found: &M::V) -> Result<(), Error> {
        let Some(expected) = &self.value_type else { return Ok(()) };
        // Plain values do not track secrets; a caller in that mode repeats the query with objects if a secret was read.
        if self.conceal && (found.has_hidden() || !M::TRACES && evaluator.record.has_read_secret) {
            return Err(Error::puppet(codes::TYPE_NOT_TOLD, "Whether a secret matches the type is not reported"));
        }
        let help = || format!("this is the value of '{name}'; fix it, or the requested type");
        self.check("Found value", &found.to_value()).map_err(|error| {
            if found.is_secret() || found.has_hidden() {
                // An excerpt of its line would show it.
                let message = format!("Found value has wrong type, expects {expected} (it is secret and not shown)");
                return Error::puppet(codes::VALUE_TYPE, message).help(help());
            }
            let error = error.help(help());
            match found.to_object().origin() {
                Some(Origin::File { file, line, column }) => {
                    let place = Place::new(file.clone(), Some(Position { line: *line, column: *column }));
                    error.at(match evaluator.node.shared.source_of(file) {
                        Some(source) => place.within(&source),
                        None => place,
                    })
                }
                _ => error,
            }
        })
    }
}

fn not_found(names: &[&str], skipped_levels: &[SkippedLevel]) -> Error {
    let message = match names {
        [name] => format!("Function lookup() did not find a value for the name '{name}'"),
        names => {
            let list: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            format!("Function lookup() did not find a value for any of the names [{}]", list.join(", "))
        }
    };
    let error = Error::lookup(Node::NOT_FOUND, message);
    match skipped_levels {
        [] => error,
        levels => error.help(not_known_here(levels)),
    }
}

/// Formats the help line for a missing key that skipped levels may define.
pub fn not_known_here(levels: &[SkippedLevel]) -> String {
    let levels: Vec<String> = levels.iter().map(|level| format!("'{}' ({})", level.level, level.reason())).collect();
    match levels.as_slice() {
        [level] => format!("whether the key exists is not known here: the level {level} was not asked"),
        levels => format!("whether the key exists is not known here: the levels {} were not asked", levels.join(", ")),
    }
}
