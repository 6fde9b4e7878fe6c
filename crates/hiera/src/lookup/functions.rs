//! Functions of a language as backends: the context of a call, and the cache of their answers for the node.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use hieratic_budget::Budget;
use hieratic_puppet_types as pcore;
use hieratic_value::text::REDACTED;
use hieratic_value::{Str, Value};

use super::evaluator::{Evaluator, KeyRequest};
use super::mode::Mode;
use super::request::PassedValues;
use super::scope::LookupScope;
use crate::backend::function::{
    CachedAnswer, DataAnswer, DataCache, DataCall, DataContext, DataFunctions, options_with,
};
use crate::codes;
use crate::config::FunctionKind;
use crate::datum::{Datum, ValueContext};
use crate::error::Place;
use crate::explain::Event;
use crate::file_cache::FileState;
use crate::key::{Key, Segment};
use crate::node::{Level, Location, Provider, looks_remote, not_a_hash, returned_from};
use crate::query::Query;
use crate::scope::Scope;
use crate::source::{Data, SourceName};
use crate::template::Functions;
use crate::{Error, Warning};

/// The largest index for which the enclosing array of a part from `data_dig` is rebuilt.
const LARGEST_INDEX: usize = 10_000;

impl<M: Mode> Evaluator<'_, M> {
    /// Returns all data of a `data_hash` function, which is called once.
    pub(super) fn function_hash(
        &mut self,
        functions: &Arc<dyn DataFunctions>,
        provider: &Provider,
        level: &Level,
        location: &Location,
    ) -> Result<Option<Arc<Data>>, Error> {
        if let Some(known) = location.data.get() {
            return known.clone();
        }
        let data = self.call(functions, provider, level, location, None)?;
        let hash = match data.value {
            Some(Value::Hash(hash)) => hash,
            Some(other) => return Err(not_a_hash(level, location, &other)),
            None => Default::default(),
        };
        self.node.check_namespace(provider, level, location, hash.keys())?;
        let data = Data::new(hash, None, SourceName::Other(source_name(level, location))).with_secret(data.secret);
        // A nested lookup may have stored the data before; the first value stays.
        location.data.get_or_init(|| Ok(Some(Arc::new(data)))).clone()
    }

    /// Returns the answer of a `lookup_key` or `data_dig` function, which is called once for each key that it has.
    pub(super) fn function_key(
        &mut self,
        functions: &Arc<dyn DataFunctions>,
        provider: &Provider,
        level: &Level,
        location: &Location,
        request: KeyRequest<'_>,
    ) -> Result<Option<M::V>, Error> {
        let digs = level.kind == FunctionKind::DataDig;
        let key = if digs { request.key.text() } else { request.key.root() };
        let kept = location.function_answers.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        let answer = match kept {
            Some(kept) => kept,
            None => {
                let answer = self.call(functions, provider, level, location, Some(request.key))?;
                if let Some(value) = &answer.value {
                    check_type(level, location, key, value)?;
                    let mut all = location.function_answers.lock().unwrap_or_else(PoisonError::into_inner);
                    all.insert(key.clone(), answer.clone());
                }
                answer
            }
        };
        let Some(value) = answer.value else {
            self.mode.not_found(|| key.clone());
            return Ok(None);
        };
        if answer.secret {
            self.record_secret(&value);
        }
        let data = Data::new(Default::default(), None, SourceName::Other(source_name(level, location)));
        let at = ValueContext { data: Some(&data), positions: None, secret: answer.secret };
        let found = M::V::from_value(&value, at);
        self.mode.found(Event::Found, || key.clone(), &found);
        if !digs {
            return Ok(Some(found));
        }
        Ok(Some(wrap_in_path(request.key.segments(), found, at)))
    }

    fn call(
        &mut self,
        functions: &Arc<dyn DataFunctions>,
        provider: &Provider,
        level: &Level,
        location: &Location,
        key: Option<&Key>,
    ) -> Result<CachedAnswer, Error> {
        let options = options_with(&level.options, location.option());
        let call = DataCall { function: &level.function, kind: level.kind, key, options: &options };
        let changes = location.cache.changes();
        let (answer, has_read_secret) = self.watch_secrets(|this| {
            let module = provider.module.as_deref();
            functions.call(&call, &mut CallContext { evaluator: this, module, cache: &location.cache })
        });
        let secret = location.cache.is_secret(has_read_secret, changes);
        let value = match answer? {
            DataAnswer::Found(value) => Some(value),
            DataAnswer::NotFound => None,
            DataAnswer::NoFunction(_) if looks_remote(&level.function) => {
                location.is_remote.store(true, Ordering::Relaxed);
                None
            }
            DataAnswer::NoFunction(help) => return Err(unknown_function(level, help)),
        };
        if let Some(value) = &value {
            self.node.secrets().add_sensitive(value);
        }
        Ok(CachedAnswer { value, secret })
    }
}

/// The context of a running function.
struct CallContext<'a, 'n, M: Mode> {
    evaluator: &'a mut Evaluator<'n, M>,
    module: Option<&'a str>,
    cache: &'a DataCache,
}

impl<M: Mode> DataContext for CallContext<'_, '_, M> {
    fn budget(&self) -> &Budget {
        self.evaluator.budget()
    }

    fn scope(&self) -> &Scope {
        &self.evaluator.node.scope
    }

    fn module(&self) -> Option<&str> {
        self.module
    }

    fn cache(&self) -> &DataCache {
        self.cache
    }

    fn explains(&self) -> bool {
        self.evaluator.mode.explains()
    }

    fn explain(&mut self, text: String) {
        let is_redacted = self.evaluator.record.has_read_secret && !self.evaluator.request.secrets.reveals;
        self.evaluator.mode.text(|| if is_redacted { REDACTED.into() } else { text });
    }

    fn see(&mut self, file: &Path) -> FileState {
        let node = self.evaluator.node;
        if let Some(recorded_keys) = &node.recorded_keys {
            recorded_keys.record_code_file(file);
        }
        FileState(node.accesses.last_observation(&node.shared.capabilities.code, file))
    }

    fn mark_unknown_reads(&mut self) {
        if let Some(recorded_keys) = &self.evaluator.node.recorded_keys {
            recorded_keys.record_unknown();
        }
    }

    fn snapshot(&self) -> u64 {
        self.evaluator.node.number
    }

    fn has_read_secret(&self) -> bool {
        self.evaluator.record.has_read_secret
    }

    fn mark_secret(&mut self, value: &Value) {
        self.evaluator.record_secret(value);
    }

    fn warn(&mut self, warning: Warning) {
        self.evaluator.node.warn(warning);
    }

    fn interpolate(&mut self, value: &Value) -> Result<Value, Error> {
        let value = self.evaluator.interpolate_again(value, Functions::Allowed, ValueContext::default());
        self.evaluator.log_warnings(ValueContext::default());
        Ok(value?.to_value())
    }

    fn lookup(&mut self, query: &Query<'_>) -> Result<Value, Error> {
        // A lookup by code has its own values, not those of the query that called the code.
        let scope = LookupScope { passed: PassedValues::from_query(query), ..self.evaluator.scope.clone() };
        let (_, found) = self.evaluator.within(scope, |evaluator| query.ask(evaluator, &mut |_| None))?;
        Ok(found.to_value())
    }
}

/// The path of a key laid around the part that a function dug out, so that it can be merged.
pub(super) fn wrap_in_path<V: Datum>(segments: &[Segment], part: V, at: ValueContext<'_>) -> V {
    segments.iter().rev().fold(part, |inner, segment| match segment {
        Segment::Index(index) => {
            let index = usize::try_from(*index).unwrap_or(0).min(LARGEST_INDEX);
            let mut elements = vec![V::from_value(&Value::Undef, at); index];
            elements.push(inner);
            V::array(elements, at)
        }
        Segment::Name(_) => V::hash(vec![(segment.to_value(), inner)], at),
    })
}

fn source_name(level: &Level, location: &Location) -> Str {
    match location.text() {
        Some(text) => text.into(),
        None => format!("function {}", level.function).into(),
    }
}

fn check_type(level: &Level, location: &Location, key: &str, value: &Value) -> Result<(), Error> {
    if pcore::is_rich_data(value) {
        return Ok(());
    }
    let subject = returned_from(level, location);
    let origin = subject.strip_prefix("Value ").unwrap_or(&subject);
    let message = format!(
        "Value for key '{key}', {origin} has wrong type, expects Puppet::LookupValue, got {}",
        pcore::infer(value)
    );
    Err(Error::puppet(codes::DATA_TYPE, message).help("functions must return data: strings, numbers, arrays, hashes"))
}

/// Returns the error for a level whose function does not exist.
pub(super) fn unknown_function(level: &Level, help: Option<String>) -> Error {
    let message = format!("Unable to find '{}' function named '{}'", level.kind.name(), level.function);
    let error = Error::lookup(codes::DATA_FUNCTION, message);
    let help = help.unwrap_or_else(|| {
        "the functions are yaml_data, json_data, hocon_data and eyaml_lookup_key; for others, name an executable in \
         a hieratic.yaml next to hiera.yaml"
            .into()
    });
    match &level.config {
        Some(path) => error.at_in_text(Place::file(path)),
        None => error,
    }
    .help(help)
}
