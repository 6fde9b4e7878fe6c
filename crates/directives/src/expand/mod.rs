//! [`expand`]: a document with what its directives refer to in their places.
//!
//! - References are looked up in the document as it is written. What they find is expanded where it is put: dots count
//!   from there, absolute paths begin at the root of the main document, also in included files.
//! - A path that leads through a map with directives sees what these bring in, and only as much as it needs of it.
//! - A target that cannot be expanded where it is put, because a relative reference in it leads nowhere from there, is taken
//!   as it is expanded where it stands.
//! - What leads nowhere counts as nothing behind `?`, and is an error otherwise; all errors are told at once.

mod anchors;
mod apply;
mod chains;
mod children;
mod include;
mod place;
mod walk;

use hieratic_pythonic as python;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_diagnostics::{Diagnostic, Severity, Source};
use hieratic_document::tree::{Content, Entry, Itself, Map, Node, Reading, Span};
use hieratic_hash::HashMap;
use hieratic_powers::{Budget, Exhausted};
use hieratic_value::Value;

use crate::codes;
use crate::fault::{Failure, Fault, Faults};
use crate::merge::without_strategies;
use crate::repositories::Repositories;
use crate::source::Sources;
use crate::{Document, Files, Vault};
use anchors::Anchors;
use children::Outcome;
use include::Loaded;
use walk::Walks;

/// How to expand.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The environment variables that `when` asks for.
    pub environment: HashMap<String, String>,
    /// Which directives to remember.
    pub record: Record,
    /// Whether nobody merges the result further, so that `+%: merge` means nothing in it any more.
    pub is_final: bool,
    /// What expanding may take; what is done with the same options draws from the same budget.
    pub budget: Budget,
}

/// Which directives [`Expanded::applied`] lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// None: the fastest.
    #[default]
    Nothing,
    /// Those that are written in the main document.
    Written,
    /// All, those in targets and included files at every place where they are put.
    All,
}

/// A directive that was applied.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The path of the map that holds it, as it is put into the main document: keys and indexes.
    pub path: Vec<Value>,
    /// The key, and the value of the key.
    pub key: String,
    /// What the key holds.
    pub value: Value,
    /// Where the key is written.
    pub origin: Option<Origin>,
    /// What it found.
    pub found: Found,
    /// What became of the keys of the map that it found, in the map's order.
    pub keys: Vec<(Value, Effect)>,
    /// What it found, as it is written.
    pub(crate) written: Option<Node>,
}

/// What became of a key that a directive brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The map has it from there.
    Added,
    /// It was merged with what the map itself, or a later directive, has at the key.
    Merged,
    /// The map itself, or a later directive, has something else at the key.
    Overridden,
}

/// What a directive found.
#[derive(Clone, Debug)]
pub enum Found {
    /// A value, expanded; and where its text stands.
    Target(Node, Option<Origin>),
    /// Nothing, which is allowed; and why.
    Nothing(String),
    /// Nothing, which is an error.
    Missing,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file, as messages call it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// An expanded document.
#[derive(Debug)]
pub struct Expanded {
    root: Node,
    sources: Sources,
    applied: Vec<Applied>,
    warnings: Vec<Diagnostic>,
}

impl Expanded {
    /// The values, each of which knows where it is written.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The values as plain data.
    pub fn to_value(&self) -> Value {
        self.root.to_value()
    }

    /// Where a node is written.
    pub fn origin(&self, node: &Node) -> Option<Origin> {
        origin(&self.sources, node.source(), node.span())
    }

    /// The file that a node is written in.
    pub fn source(&self, node: &Node) -> Option<&Source> {
        Some(&self.sources.get(node.source())?.source)
    }

    /// The directives in the order in which they were met, as far as [`Options::record`] asked for them.
    pub fn applied(&self) -> &[Applied] {
        &self.applied
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What is allowed but should be looked at.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

/// What a value takes, about, when it is written out: as plain data, and as text.
const WRITTEN: u64 = 256;

/// What finding an entry by its key takes beside the entry.
const INDEX: usize = 48;

/// Expands a document.
///
/// The error tells everything that is wrong with the directives. `+?` makes a reference optional, not its target's faults.
pub fn expand(document: &Document, files: &mut dyn Files, options: &Options) -> Result<Expanded, Failure> {
    let root = document.root();
    if root.as_map().is_none() {
        let shown = root.as_str().map_or_else(|| python::repr(&root.to_value()), str::to_owned);
        let message = format!("invalid YAML document with contents: \"{shown}\"");
        let fault = Fault::new(codes::NO_MAP, message)
            .at(0, root.span(), "a map is expected here")
            .help("directives are keys of maps: put the values under a key");
        return Err(Failure::new(&[fault], &Sources::new(document.main.clone())));
    }
    let mut expander = Expander::new(document, files, options);
    // A name that an included file gives may be used before the file is included: once the file is known, all is done again.
    const FURTHER_ROUNDS: usize = 10;
    let mut known = expander.names();
    let mut result = expander.run();
    if expander.is_too_far {
        // Once what is at the end of the references is expanded, nothing leads deeper than to it.
        expander.forget();
        expander.expand_targets_first();
        result = expander.run();
    }
    for _ in 0..FURTHER_ROUNDS {
        if !expander.misses_name || expander.names() == known {
            break;
        }
        known = expander.names();
        expander.forget();
        result = expander.run();
    }
    expander.finish(result)
}

pub(crate) struct Expander<'e> {
    files: &'e mut dyn Files,
    options: &'e Options,
    sources: Sources,
    reading: Reading,
    vault: Option<Arc<dyn Vault>>,
    root: Node,
    anchors: Anchors,
    repositories: Repositories,
    /// Files by identity, and parts of them by fragment.
    loaded: HashMap<(String, String), Loaded>,
    walks: Walks,
    /// Targets that look the same wherever they are put.
    memo: HashMap<Itself, Rc<Remembered>>,
    /// Counts what depends on the place where it is done, so that it is not remembered for others.
    local: u64,
    /// The maps and lists that are being expanded, the outermost first.
    open: Vec<usize>,
    /// The inclusions that are being done, the outermost first.
    active: Vec<Active>,
    faults: Faults,
    warnings: Faults,
    applied: Vec<Applied>,
    /// Whether an anchor or a repository was not known.
    misses_name: bool,
    /// How long the document is, in bytes.
    written: u64,
    /// How many names were compared with others for suggestions.
    compared: usize,
    /// How many references led nowhere.
    missed: u64,
    /// Whether a limit was reached.
    given_up: bool,
    /// Whether that was how far references lead to further ones.
    is_too_far: bool,
    /// Whether targets are expanded before they are needed, so that nothing is told of them.
    is_ahead: bool,
}

/// What became of a target, wherever it is put.
struct Remembered {
    /// None if nothing was left of it.
    expanded: Option<Node>,
    /// How many references in it led nowhere, and the faults that tell it.
    missed: u64,
    faults: Faults,
}

/// An inclusion that is being done.
struct Active {
    source: u32,
    span: Span,
    key: String,
    target: usize,
}

impl<'e> Expander<'e> {
    fn new(document: &Document, files: &'e mut dyn Files, options: &'e Options) -> Expander<'e> {
        let mut anchors = Anchors::default();
        anchors.add(document.root());
        let mut repositories = Repositories::default();
        repositories.add(document.root());
        Expander {
            files,
            options,
            sources: Sources::new(document.main.clone()),
            reading: document.reading,
            vault: document.vault.clone(),
            root: document.root().clone(),
            anchors,
            repositories,
            loaded: HashMap::default(),
            walks: Walks::default(),
            memo: HashMap::default(),
            local: 0,
            open: Vec::new(),
            active: Vec::new(),
            faults: Faults::default(),
            compared: 0,
            written: document.text().len() as u64,
            warnings: Faults::default(),
            applied: Vec::new(),
            misses_name: false,
            missed: 0,
            given_up: false,
            is_too_far: false,
            is_ahead: false,
        }
    }

    /// Changes whenever an anchor or a repository becomes known.
    fn names(&self) -> (usize, usize) {
        (self.anchors.version(), self.repositories.len())
    }

    fn run(&mut self) -> Node {
        let root = self.root.clone();
        match self.node(&root, &mut Vec::new()) {
            Outcome::Node(node) => node,
            Outcome::Nothing => root.with_content(Content::Map(Map::default())),
        }
    }

    /// Forgets what another round finds out again; what was read and which anchors are known stays.
    fn forget(&mut self) {
        self.walks = Walks::default();
        self.memo.clear();
        self.faults = Faults::default();
        self.warnings = Faults::default();
        self.applied.clear();
        self.misses_name = false;
    }

    fn finish(mut self, result: Node) -> Result<Expanded, Failure> {
        if self.faults.is_empty() && result.as_map().is_none() {
            let message = format!("the document does not expand to a map: {}", python::repr(&result.to_value()));
            let span = self.root.as_map().and_then(|map| map.entries().first()).map(|entry| entry.key_span);
            self.faults.add(
                Fault::new(codes::NO_MAP, message)
                    .at(0, span.unwrap_or_default(), "this directive replaces the whole document")
                    .help("put the directive under a key"),
            );
        }
        if self.faults.is_empty() {
            self.is_bearable(&result);
        }
        if !self.faults.is_empty() {
            return Err(Failure::new(&self.faults, &self.sources));
        }
        let warnings = self.warnings.iter().map(|fault| fault.diagnostic(Severity::Warning, &self.sources));
        Ok(Expanded {
            warnings: warnings.collect(),
            root: without_strategies(&result, !self.options.is_final),
            sources: self.sources,
            applied: self.applied,
        })
    }

    fn fault(&mut self, fault: Fault) {
        if !self.given_up {
            self.faults.add(fault);
        }
    }

    /// Takes the steps and bytes of a map or list of so many entries; whether that was possible.
    fn may_build(&mut self, entries: usize, node: &Node) -> bool {
        let budget = &self.options.budget;
        let bytes = entries.saturating_mul(size_of::<Entry>() + INDEX);
        match budget.steps(entries as u64).and_then(|()| budget.bytes(bytes)) {
            Ok(()) => true,
            Err(exhausted) => {
                self.exhausted(exhausted, node);
                false
            }
        }
    }

    /// Whether a value is no larger, with what it shares written out, than anybody can read: a few lines of directives can
    /// stand for more than there is memory.
    fn is_bearable(&mut self, node: &Node) -> bool {
        let limits = self.options.budget.limits();
        let by_bytes = limits.bytes / WRITTEN;
        // What is written out in the document may be written out again; each value takes a byte there and one beside it.
        let limit = limits.steps.min(by_bytes).max(self.written);
        if node.size() <= limit {
            return true;
        }
        let message = format!("the document expands to more than {limit} values");
        let fault = Fault::new(codes::TOO_LARGE, message).at(node.source(), node.span(), "");
        let help =
            if by_bytes < limits.steps { Exhausted::Bytes(limits.bytes) } else { Exhausted::Steps(limits.steps) };
        let help = help.help();
        self.give_up(help.into_iter().fold(fault, Fault::help));
        false
    }

    /// There is nothing left of the budget.
    fn exhausted(&mut self, exhausted: Exhausted, node: &Node) {
        let (code, message) = match exhausted {
            Exhausted::Bytes(_) => (codes::TOO_LARGE, format!("the document expands to too much: {exhausted}")),
            Exhausted::Depth(limit) => {
                (codes::TOO_DEEP, format!("the document nests deeper than {limit} levels when it is expanded"))
            }
            _ => (
                codes::TOO_MANY_STEPS,
                format!("the directives of the document refer to each other too often: {exhausted}"),
            ),
        };
        let fault = Fault::new(code, message).at(node.source(), node.span(), "");
        self.give_up(match exhausted.help() {
            Some(help) => fault.help(help),
            None => fault,
        });
    }

    /// A limit was reached: nothing more is expanded, and nothing else is told.
    fn give_up(&mut self, fault: Fault) {
        if !self.given_up {
            self.given_up = true;
            self.faults = fault.into();
        }
    }

    fn warn(&mut self, fault: Fault) {
        self.warnings.add(fault);
    }
}

fn origin(sources: &Sources, source: u32, span: Span) -> Option<Origin> {
    let file = sources.get(source)?;
    let place = file.source.start(span);
    Some(Origin { file: file.source.name().to_owned(), line: place.line, column: place.column })
}
