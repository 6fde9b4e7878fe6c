//! [`Types`]: the types that parameters declare, with the aliases of modules.

use std::sync::Arc;

use hieratic::puppet_eval::{Evaluator, Options};
use hieratic::puppet_types::Type;
use hieratic::value::collections::HashMap;
use hieratic::{Code, Environment, Facts, Value};
use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::parse;

/// A cache of types by their source text.
pub(crate) struct Types<'e> {
    evaluator: Evaluator<'e>,
    known: HashMap<String, Option<Type>>,
}

/// The evaluator of types for an environment.
pub(crate) fn language(environment: &Environment) -> Code<'_> {
    Code::new(Some(environment), Facts::named("any.node.invalid"), Options::for_version(environment.puppet_version()))
}

impl<'e> Types<'e> {
    pub(crate) fn new(language: &'e Code<'_>) -> Types<'e> {
        Types { evaluator: language.evaluator(), known: HashMap::default() }
    }

    /// Evaluates a type; `None` if it is not a type, or names an alias that is not installed.
    pub(crate) fn get(&mut self, text: &str) -> Option<Type> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let found = match hieratic::puppet_types::parse(text) {
            // A type with built-in names alone needs no evaluator.
            Ok(kind) if !text.contains("::") && !kind.to_string().contains("TypeReference") => Some(kind),
            _ => self.value(text).as_ref().and_then(Type::of_value).cloned(),
        };
        self.known.insert(text.to_owned(), found.clone());
        found
    }

    /// The value of an expression that is written out.
    pub(crate) fn value(&mut self, text: &str) -> Option<Value> {
        let program = parse(&Source::new("", text), &Default::default()).program?;
        self.evaluator.run_more(&Arc::new(program)).ok()
    }
}
