//! [`Mode`]: the data that a lookup records in addition to the answer.

use std::sync::{Arc, OnceLock};

use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use crate::datum::Datum;
use crate::explain::{EmptyInterpolation, Event, Explanation, StepKind};
use crate::node::{Location, OptionsOfLayers};
use crate::object::{Content, Object};
use crate::options::LookupOptions;

/// The options that apply to a key's module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OptionsFor {
    /// Keys without a module, and keys of a missing module unless the lookup is explained.
    Unqualified,
    /// Keys of a missing module: their options are those of unqualified keys, but the reference searches again, and its
    /// explanations show it.
    Missing(Str),
    Module(usize),
    /// A module's default hierarchy.
    Defaults(usize),
}

impl OptionsOfLayers {
    fn cell(&self, which: &OptionsFor) -> &OnceLock<Arc<LookupOptions>> {
        match which {
            OptionsFor::Unqualified | OptionsFor::Missing(_) => &self.unqualified,
            OptionsFor::Module(index) => &self.modules[*index],
            OptionsFor::Defaults(index) => &self.defaults[*index],
        }
    }
}

/// The data that a lookup records besides the answer: nothing, or objects and an explanation.
pub(crate) trait Mode {
    type V: Datum;
    /// Whether values track their origins and secrecy.
    const TRACES: bool;

    /// Begins a part of the explanation; how many bytes it takes, about.
    fn enter(&mut self, kind: impl FnOnce() -> StepKind) -> usize;
    fn leave(&mut self);
    fn leaf(&mut self, kind: impl FnOnce() -> StepKind, event: Option<Event>);
    fn found(&mut self, event: Event, key: impl FnOnce() -> Str, value: &Self::V);
    fn not_found(&mut self, key: impl FnOnce() -> Str);
    fn event(&mut self, event: Event);
    fn result(&mut self, value: &Self::V);
    fn text(&mut self, text: impl FnOnce() -> String);
    fn record_empty(&mut self, written: impl FnOnce() -> EmptyInterpolation);
    fn only_options(&self) -> bool;
    /// Returns whether every step must be recorded, which disables the fast paths.
    fn explains(&self) -> bool;
    fn hide(&mut self);
    fn reveal_again(&mut self);
    /// Stops explaining until [`unmute`](Self::unmute).
    fn mute(&mut self) -> Option<Explanation>;
    fn unmute(&mut self, explanation: Option<Explanation>);

    /// A variable's value.
    fn variable(&mut self, name: &str, value: &Value) -> Self::V;
    /// The value that an encrypted key of a location had before, where it keeps its identity.
    fn decrypted(&self, location: &Location, key: &str) -> Option<Self::V>;
    fn keep_decrypted(&mut self, location: &Location, key: &Str, value: &Self::V);

    fn options(&self, known: &OptionsOfLayers, which: &OptionsFor) -> Option<Arc<LookupOptions>>;
    /// Like [`options`](Self::options), without counting references, if the node caches the options.
    fn borrowed_options<'n>(&self, known: &'n OptionsOfLayers, which: &OptionsFor) -> Option<&'n LookupOptions>;
    /// Keeps options for the run, and in the cache of the node if there is one.
    fn keep_options(&mut self, known: Option<&OptionsOfLayers>, which: OptionsFor, options: Arc<LookupOptions>);
    fn global_options(&self, known: &OptionsOfLayers) -> Option<Option<Self::V>>;
    fn keep_global_options(&mut self, known: &OptionsOfLayers, options: Option<Self::V>);
    fn environment_options(&self, known: &OptionsOfLayers) -> Option<Option<Self::V>>;
    fn keep_environment_options(&mut self, known: &OptionsOfLayers, options: Option<Self::V>);
    /// The reference puts the type in place of its name in the options of a key that was converted.
    fn converted_type(&mut self, key: &str, to: &str);
}

/// Records nothing; options are shared with every other lookup of the node.
pub(crate) struct Plain;

impl Mode for Plain {
    type V = Value;
    const TRACES: bool = false;

    fn enter(&mut self, _: impl FnOnce() -> StepKind) -> usize {
        0
    }
    fn leave(&mut self) {}
    fn leaf(&mut self, _: impl FnOnce() -> StepKind, _: Option<Event>) {}
    fn found(&mut self, _: Event, _: impl FnOnce() -> Str, _: &Value) {}
    fn not_found(&mut self, _: impl FnOnce() -> Str) {}
    fn event(&mut self, _: Event) {}
    fn result(&mut self, _: &Value) {}
    fn text(&mut self, _: impl FnOnce() -> String) {}
    fn record_empty(&mut self, _: impl FnOnce() -> EmptyInterpolation) {}
    fn only_options(&self) -> bool {
        false
    }
    fn explains(&self) -> bool {
        false
    }
    fn hide(&mut self) {}
    fn reveal_again(&mut self) {}
    fn mute(&mut self) -> Option<Explanation> {
        None
    }
    fn unmute(&mut self, _: Option<Explanation>) {}

    fn variable(&mut self, _: &str, value: &Value) -> Value {
        value.clone()
    }
    fn decrypted(&self, _: &Location, _: &str) -> Option<Value> {
        None
    }
    fn keep_decrypted(&mut self, _: &Location, _: &Str, _: &Value) {}

    fn options(&self, known: &OptionsOfLayers, which: &OptionsFor) -> Option<Arc<LookupOptions>> {
        known.cell(which).get().cloned()
    }

    fn borrowed_options<'n>(&self, known: &'n OptionsOfLayers, which: &OptionsFor) -> Option<&'n LookupOptions> {
        known.cell(which).get().map(|options| &**options)
    }

    fn keep_options(&mut self, known: Option<&OptionsOfLayers>, which: OptionsFor, options: Arc<LookupOptions>) {
        // Another thread may have been first; both found the same.
        let _ = known.map(|known| known.cell(&which).set(options));
    }

    fn global_options(&self, known: &OptionsOfLayers) -> Option<Option<Value>> {
        known.global.get().cloned()
    }

    fn keep_global_options(&mut self, known: &OptionsOfLayers, options: Option<Value>) {
        let _ = known.global.set(options);
    }

    fn environment_options(&self, known: &OptionsOfLayers) -> Option<Option<Value>> {
        known.environment.get().cloned()
    }

    fn keep_environment_options(&mut self, known: &OptionsOfLayers, options: Option<Value>) {
        let _ = known.environment.set(options);
    }

    fn converted_type(&mut self, _: &str, _: &str) {}
}

/// Objects, optionally with an explanation. Options are searched again if the search is part of the explanation.
#[derive(Default)]
pub(crate) struct Traced {
    pub(crate) explanation: Option<Explanation>,
    /// Whether options are shared with other lookups of the node.
    shares_options: bool,
    variables: HashMap<Str, Object>,
    decrypted: HashMap<(usize, Str), Object>,
    options: Vec<(OptionsFor, Arc<LookupOptions>)>,
    global_options: Option<Option<Object>>,
    environment_options: Option<Option<Object>>,
}

impl Traced {
    /// Creates a mode that explains.
    pub(crate) fn explaining(explanation: Explanation) -> Traced {
        Traced { explanation: Some(explanation), ..Traced::default() }
    }

    /// Creates a mode without an explanation, which uses the node's cached options.
    pub(crate) fn sharing_options() -> Traced {
        Traced { shares_options: true, ..Traced::default() }
    }
}

impl Mode for Traced {
    type V = Object;
    const TRACES: bool = true;

    fn enter(&mut self, kind: impl FnOnce() -> StepKind) -> usize {
        /// The memory of an explanation node, with its names, its text, its index in the parent, and its printed form.
        const PART: usize = 1536;
        match &mut self.explanation {
            Some(explanation) => {
                explanation.enter(kind());
                PART
            }
            None => 0,
        }
    }

    fn leave(&mut self) {
        if let Some(explanation) = &mut self.explanation {
            explanation.leave();
        }
    }

    fn leaf(&mut self, kind: impl FnOnce() -> StepKind, event: Option<Event>) {
        if let Some(explanation) = &mut self.explanation {
            explanation.leaf(kind(), event);
        }
    }

    fn found(&mut self, event: Event, key: impl FnOnce() -> Str, value: &Object) {
        if let Some(explanation) = &mut self.explanation {
            explanation.found(event, &key(), value);
        }
    }

    fn not_found(&mut self, key: impl FnOnce() -> Str) {
        if let Some(explanation) = &mut self.explanation {
            explanation.not_found(&key());
        }
    }

    fn event(&mut self, event: Event) {
        if let Some(explanation) = &mut self.explanation {
            explanation.event(event);
        }
    }

    fn result(&mut self, value: &Object) {
        if let Some(explanation) = &mut self.explanation {
            explanation.result(value);
        }
    }

    fn text(&mut self, text: impl FnOnce() -> String) {
        if let Some(explanation) = &mut self.explanation {
            explanation.text(text());
        }
    }

    fn record_empty(&mut self, written: impl FnOnce() -> EmptyInterpolation) {
        if let Some(explanation) = &mut self.explanation {
            explanation.record_empty(written);
        }
    }

    fn only_options(&self) -> bool {
        self.explanation.as_ref().is_some_and(Explanation::only_options)
    }

    fn explains(&self) -> bool {
        self.explanation.is_some()
    }

    fn hide(&mut self) {
        if let Some(explanation) = &mut self.explanation {
            explanation.redact_values();
        }
    }

    fn reveal_again(&mut self) {
        if let Some(explanation) = &mut self.explanation {
            explanation.stop_redacting();
        }
    }

    fn mute(&mut self) -> Option<Explanation> {
        self.explanation.take()
    }

    fn unmute(&mut self, explanation: Option<Explanation>) {
        self.explanation = explanation;
    }

    fn variable(&mut self, name: &str, value: &Value) -> Object {
        let name = name.strip_prefix("::").unwrap_or(name);
        if let Some(known) = self.variables.get(name) {
            return known.clone();
        }
        let object = Object::from_named(value, &format!("variable {name}"));
        self.variables.insert(name.into(), object.clone());
        object
    }

    fn decrypted(&self, location: &Location, key: &str) -> Option<Object> {
        self.decrypted.get(&(std::ptr::from_ref(location) as usize, key.into())).cloned()
    }

    fn keep_decrypted(&mut self, location: &Location, key: &Str, value: &Object) {
        self.decrypted.insert((std::ptr::from_ref(location) as usize, key.clone()), value.clone());
    }

    fn borrowed_options<'n>(&self, known: &'n OptionsOfLayers, which: &OptionsFor) -> Option<&'n LookupOptions> {
        known.cell(which).get().filter(|_| self.shares_options).map(|options| &**options)
    }

    fn options(&self, known: &OptionsOfLayers, which: &OptionsFor) -> Option<Arc<LookupOptions>> {
        if let Some(known) = known.cell(which).get().filter(|_| self.shares_options) {
            return Some(known.clone());
        }
        self.options.iter().find(|(of, _)| of == which).map(|(_, options)| options.clone())
    }

    fn keep_options(&mut self, known: Option<&OptionsOfLayers>, which: OptionsFor, options: Arc<LookupOptions>) {
        if let Some(known) = known.filter(|_| self.shares_options) {
            // Another thread may have been first; both found the same.
            let _ = known.cell(&which).set(options.clone());
        }
        self.options.push((which, options));
    }

    fn global_options(&self, _: &OptionsOfLayers) -> Option<Option<Object>> {
        self.global_options.clone()
    }

    fn keep_global_options(&mut self, _: &OptionsOfLayers, options: Option<Object>) {
        self.global_options = Some(options);
    }

    fn environment_options(&self, _: &OptionsOfLayers) -> Option<Option<Object>> {
        self.environment_options.clone()
    }

    fn keep_environment_options(&mut self, _: &OptionsOfLayers, options: Option<Object>) {
        self.environment_options = Some(options);
    }

    fn converted_type(&mut self, key: &str, to: &str) {
        let all = [&self.global_options, &self.environment_options];
        for options in all.into_iter().flatten().flatten() {
            let Content::Hash(map) = &*options.content() else { continue };
            let Some(entry) = map.get(&Value::from(key)) else { continue };
            let Content::Hash(entry) = &*entry.content() else { continue };
            let Some(spec) = entry.get(&Value::from("convert_to")) else { continue };
            let changed = match &*spec.content() {
                Content::Array(elements) => {
                    let mut elements = elements.clone();
                    if let Some(first) = elements.first_mut() {
                        *first = Object::new(Content::Verbatim(to.into()), first.mark().clone());
                    }
                    elements
                }
                _ => continue,
            };
            spec.replace(Content::Array(changed));
        }
    }
}
