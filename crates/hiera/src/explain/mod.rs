//! The explanation of a lookup: a tree of all steps.
//!
//! [`text`] prints it as the reference's `--explain` does, [`tree`] converts it to the data of its JSON and YAML forms.

mod text;
mod tree;

use std::path::Path;
use std::sync::Arc;

use hieratic_value::{Hash, Str};

use crate::error::Place;
use crate::key::Segment;
use crate::object::Object;

pub use tree::{ExplainTree, ObjectView};

/// The kind of an explanation node.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    /// The whole.
    Root,
    /// The search for a key.
    Search {
        key: Str,
    },
    /// A key that cannot be looked up.
    InvalidKey {
        key: Str,
    },
    /// The merge options came from `lookup_options`.
    MergeSource,
    /// A module that is missing, or has no data.
    Module {
        name: Str,
    },
    Interpolation {
        subject: Str,
    },
    Merge {
        strategy: &'static str,
        options: Hash,
    },
    /// A layer or a level.
    Provider {
        name: Str,
        configuration: Option<Arc<Path>>,
        module: Option<Str>,
    },
    Location {
        is_path: bool,
        original: Str,
        location: Str,
    },
    SubLookup {
        segments: Box<[Segment]>,
    },
    Segment,
    Scope {
        name: Str,
    },
}

/// The outcome of an explanation node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Found,
    FoundInOverrides,
    FoundInDefaults,
    NotFound,
    Result,
    LocationNotFound,
    ModuleNotFound,
    ModuleProviderNotFound,
}

#[derive(Debug)]
struct Step {
    kind: StepKind,
    parent: usize,
    branches: Vec<usize>,
    event: Option<Event>,
    key: Option<Str>,
    value: Option<Object>,
    texts: Vec<String>,
    /// Whether its values are redacted.
    redacted: bool,
}

/// An explanation: a tree of all steps of a lookup.
#[derive(Debug)]
pub struct Explanation {
    nodes: Vec<Step>,
    current: usize,
    /// The number of enclosing lookups whose values are redacted.
    redacting: usize,
    /// Whether secrets are shown.
    reveal: bool,
    only_options: bool,
    empty: Option<EmptyInterpolation>,
}

/// An interpolation with an empty result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyInterpolation {
    /// The interpolation as written in the data.
    pub written: String,
    /// The position of the string that contains it, if it is in a file.
    pub place: Option<Place>,
}

/// Redacts secrets in the strings of an explanation. Its values have marks.
pub trait Redaction {
    /// Redacts the secrets in a string of a program or of data. Returns `None` if there are no secrets.
    fn text(&self, text: &str) -> Option<String>;
    /// Redacts the secrets in a sentence that quotes data. Returns `None` if there are no secrets.
    fn message(&self, text: &str) -> Option<String>;
    /// Redacts the secrets in the name of a key or a location. Returns `None` if there are no secrets.
    fn name(&self, text: &str) -> Option<String>;
}

/// Options of an explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explain {
    /// Whether to explain only the search for `lookup_options`.
    pub only_options: bool,
    /// Whether to reveal secrets.
    pub reveal: bool,
}

impl Explanation {
    pub(crate) fn new(explain: Explain) -> Explanation {
        let mut explanation = Explanation {
            nodes: Vec::new(),
            current: 0,
            redacting: 0,
            reveal: explain.reveal,
            only_options: explain.only_options,
            empty: None,
        };
        explanation.add(StepKind::Root);
        explanation
    }

    pub(crate) fn only_options(&self) -> bool {
        self.only_options
    }

    fn add(&mut self, kind: StepKind) -> usize {
        let index = self.nodes.len();
        let key = match &kind {
            StepKind::Search { key } | StepKind::InvalidKey { key } => Some(key.clone()),
            _ => None,
        };
        self.nodes.push(Step {
            kind,
            parent: self.current,
            branches: Vec::new(),
            event: None,
            key,
            value: None,
            texts: Vec::new(),
            redacted: self.redacting > 0,
        });
        if index > 0 {
            self.nodes[self.current].branches.push(index);
        }
        index
    }

    pub(crate) fn enter(&mut self, kind: StepKind) {
        self.current = self.add(kind);
    }

    pub(crate) fn leave(&mut self) {
        self.current = self.nodes[self.current].parent;
    }

    /// Redacts found values from here to the matching [`Explanation::stop_redacting`].
    pub(crate) fn redact_values(&mut self) {
        self.redacting += 1;
    }

    pub(crate) fn stop_redacting(&mut self) {
        self.redacting = self.redacting.saturating_sub(1);
    }

    fn now(&mut self) -> &mut Step {
        &mut self.nodes[self.current]
    }

    pub(crate) fn found(&mut self, event: Event, key: &Str, value: &Object) {
        let node = self.now();
        node.event = Some(event);
        node.key = Some(key.clone());
        node.value = Some(value.clone());
    }

    pub(crate) fn not_found(&mut self, key: &Str) {
        let node = self.now();
        node.event = Some(Event::NotFound);
        node.key = Some(key.clone());
    }

    pub(crate) fn result(&mut self, value: &Object) {
        let node = self.now();
        node.event = Some(Event::Result);
        node.value = Some(value.clone());
    }

    pub(crate) fn event(&mut self, event: Event) {
        self.now().event = Some(event);
    }

    pub(crate) fn text(&mut self, text: String) {
        self.now().texts.push(text);
    }

    pub(crate) fn leaf(&mut self, kind: StepKind, event: Option<Event>) {
        let index = self.add(kind);
        self.nodes[index].event = event;
    }

    /// Returns the first interpolation with an empty result that the answer depends on.
    pub fn first_empty(&self) -> Option<&EmptyInterpolation> {
        self.empty.as_ref()
    }

    pub(crate) fn record_empty(&mut self, written: impl FnOnce() -> EmptyInterpolation) {
        self.empty.get_or_insert_with(written);
    }

    /// Redacts the secrets in the strings of functions and errors, and in the names of keys and locations.
    pub fn redact(&mut self, with: &dyn Redaction) {
        let renamed = |old: &mut Str| {
            if let Some(replacement) = with.name(old) {
                *old = replacement.into();
            }
        };
        for (index, node) in self.nodes.iter_mut().enumerate() {
            for text in &mut node.texts {
                // The last line of an explanation is an error.
                if let Some(replacement) = if index == 0 { with.message(text) } else { with.text(text) } {
                    *text = replacement;
                }
            }
            node.key.iter_mut().for_each(renamed);
            match &mut node.kind {
                StepKind::Search { key } | StepKind::InvalidKey { key } => renamed(key),
                StepKind::Interpolation { subject } => renamed(subject),
                StepKind::Location { location, .. } => renamed(location),
                _ => {}
            }
        }
    }

    /// Adds a final line, such as the message of an error.
    pub fn conclude(&mut self, text: impl Into<String>) {
        self.nodes[0].texts.push(text.into());
    }
}
