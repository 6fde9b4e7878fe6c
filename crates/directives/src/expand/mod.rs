//! [`expand`]: replaces the directives of a document by the data that they refer to.
//!
//! - References are looked up in the unexpanded document. Their targets are expanded at the position of the directive:
//!   dots count from there, and absolute paths begin at the root of the main document, also in included files.
//! - A path through a map with directives sees the keys of their targets. Only the needed parts are expanded.
//! - A target that cannot be expanded at the directive, because a relative reference in it does not resolve from there,
//!   is expanded at its own position instead.
//! - An unresolved reference is ignored after `?`, and is an error otherwise. All errors are reported at once.

mod anchors;
mod apply;
mod chains;
mod children;
mod include;
mod paths;
mod walk;

use hieratic_python_values as python;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_budget::{Budget, Exhausted};
use hieratic_diagnostics::{Diagnostic, Severity, Source};
use hieratic_sandbox::Variables;
use hieratic_value::Value;
use hieratic_value::collections::HashMap;
use hieratic_yaml_edit::tree::{Content, Entry, Itself, Map, Node, Reading, Span};

use crate::codes;
use crate::error::{DirectiveError, DirectiveErrors, Failure};
use crate::merge::without_strategies;
use crate::repositories::Repositories;
use crate::source::Sources;
use crate::{Document, Files, Vault};
use anchors::Anchors;
use children::Outcome;
use include::Loaded;
use walk::WalkCaches;

/// The options of an expansion.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The environment variables that `when` can read. Reading a hidden one is an error.
    pub environment: Variables,
    /// The directives to record.
    pub record: Record,
    /// Whether the result is not merged further, so that `+%: merge` has no effect in it.
    pub is_final: bool,
    /// The budget of the expansion, which all calls with the same options share.
    pub budget: Budget,
}

/// The directives that [`Expanded::applied`] lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// No directives. This is the fastest.
    #[default]
    Nothing,
    /// The directives in the main document.
    Written,
    /// All directives, including those in targets and included files, once for each occurrence of these.
    All,
}

/// A directive that was applied.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The path of the map that contains it, in the expanded document: keys and indexes.
    pub path: Vec<Value>,
    /// The key.
    pub key: String,
    /// The value of the key.
    pub value: Value,
    /// The position of the key.
    pub origin: Option<Origin>,
    /// The resolved target.
    pub found: ResolvedTarget,
    /// The effect of each key of the target, if it is a map, in order.
    pub keys: Vec<(Value, Effect)>,
    /// The unexpanded target.
    pub(crate) written: Option<Node>,
}

/// The effect of a key of a directive's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The key was added to the map.
    Added,
    /// The value was merged with that of the map itself, or of a later directive.
    Merged,
    /// The value is overridden by that of the map itself, or of a later directive.
    Overridden,
}

/// The target of a directive.
#[derive(Clone, Debug)]
pub enum ResolvedTarget {
    /// An expanded value with its position.
    Target(Node, Option<Origin>),
    /// An optional target that does not exist, with the reason.
    Nothing(String),
    /// A missing target, which is an error.
    Missing,
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name of the file in messages.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
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
    /// Returns the expanded tree, whose nodes have positions.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Converts the expanded document to plain data.
    pub fn to_value(&self) -> Value {
        self.root.to_value()
    }

    /// Returns the position of a node.
    pub fn origin(&self, node: &Node) -> Option<Origin> {
        origin(&self.sources, node.source(), node.span())
    }

    /// Returns the source of a node.
    pub fn source(&self, node: &Node) -> Option<&Source> {
        Some(&self.sources.get(node.source())?.source)
    }

    /// Returns the directives that [`Options::record`] selects, in the order of their application.
    pub fn applied(&self) -> &[Applied] {
        &self.applied
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the warnings.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

/// The approximate memory of a value that is written out, as plain data and as a string, in bytes.
const VALUE_SIZE: u64 = 256;

/// The memory of an entry in the index of its map, in bytes.
const INDEX_SIZE: usize = 48;

/// Expands a document.
///
/// # Errors
/// A directive is invalid or cannot be resolved. The error contains all diagnostics. `+?` makes a reference optional,
/// but errors in its target are still errors.
pub fn expand(document: &Document, files: &mut dyn Files, options: &Options) -> Result<Expanded, Failure> {
    let root = document.root();
    if root.as_map().is_none() {
        let shown = root.as_str().map_or_else(|| python::repr(&root.to_value()), str::to_owned);
        let message = format!("invalid YAML document with contents: \"{shown}\"");
        let error = DirectiveError::new(codes::NO_MAP, message)
            .at(0, root.span(), "a map is expected here")
            .help("directives are keys of maps: put the values under a key");
        return Err(Failure::new(&[error], &Sources::new(document.main.clone())));
    }
    let mut expander = Expander::new(document, files, options);
    // A name of an included file may be used before the include. Once the file is known, the expansion is repeated.
    const MAX_ROUNDS: usize = 10;
    let mut known = expander.names();
    let mut result = expander.run();
    if expander.is_too_deep {
        // Once the ends of the reference chains are expanded, no reference leads deeper than to its own target.
        expander.forget();
        expander.expand_targets_first();
        result = expander.run();
    }
    for _ in 0..MAX_ROUNDS {
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
    walks: WalkCaches,
    /// Targets that look the same wherever they are put.
    memo: HashMap<Itself, Rc<CachedExpansion>>,
    /// Counts what depends on the place where it is done, so that it is not remembered for others.
    local: u64,
    /// The maps and lists that are being expanded, the outermost first.
    open: Vec<usize>,
    /// The inclusions that are being done, the outermost first.
    active: Vec<ActiveInclude>,
    errors: DirectiveErrors,
    warnings: DirectiveErrors,
    applied: Vec<Applied>,
    /// Whether an anchor or a repository was unknown.
    misses_name: bool,
    /// The length of the document in bytes.
    written: u64,
    /// The number of names that were compared for suggestions.
    compared: usize,
    /// The number of unresolved references.
    missed: u64,
    /// Whether a limit was reached.
    is_stopped: bool,
    /// True if that limit was the depth of references to further references.
    is_too_deep: bool,
    /// True while targets are expanded in advance, so that no error is reported.
    is_expanding_ahead: bool,
}

/// The cached expansion of a target that does not depend on its place.
struct CachedExpansion {
    /// The result; `None` if it is empty.
    expanded: Option<Node>,
    /// The number of unresolved references in it, and their errors.
    missed: u64,
    errors: DirectiveErrors,
}

/// An inclusion in progress.
struct ActiveInclude {
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
            walks: WalkCaches::default(),
            memo: HashMap::default(),
            local: 0,
            open: Vec::new(),
            active: Vec::new(),
            errors: DirectiveErrors::default(),
            compared: 0,
            written: document.text().len() as u64,
            warnings: DirectiveErrors::default(),
            applied: Vec::new(),
            misses_name: false,
            missed: 0,
            is_stopped: false,
            is_too_deep: false,
            is_expanding_ahead: false,
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

    /// Clears the results of a round. Files and names remain known.
    fn forget(&mut self) {
        self.walks = WalkCaches::default();
        self.memo.clear();
        self.errors = DirectiveErrors::default();
        self.warnings = DirectiveErrors::default();
        self.applied.clear();
        self.misses_name = false;
    }

    fn finish(mut self, result: Node) -> Result<Expanded, Failure> {
        if self.errors.is_empty() && result.as_map().is_none() {
            let message = format!("the document does not expand to a map: {}", python::repr(&result.to_value()));
            let span = self.root.as_map().and_then(|map| map.entries().first()).map(|entry| entry.key_span);
            self.errors.add(
                DirectiveError::new(codes::NO_MAP, message)
                    .at(0, span.unwrap_or_default(), "this directive replaces the whole document")
                    .help("put the directive under a key"),
            );
        }
        if self.errors.is_empty() {
            self.check_size(&result);
        }
        if !self.errors.is_empty() {
            return Err(Failure::new(&self.errors, &self.sources));
        }
        let warnings = self.warnings.iter().map(|error| error.diagnostic(Severity::Warning, &self.sources));
        Ok(Expanded {
            warnings: warnings.collect(),
            root: without_strategies(&result, !self.options.is_final),
            sources: self.sources,
            applied: self.applied,
        })
    }

    fn error(&mut self, error: DirectiveError) {
        if !self.is_stopped {
            self.errors.add(error);
        }
    }

    /// Charges the steps and bytes of a map or list with `entries` entries. Returns whether the budget sufficed.
    fn may_build(&mut self, entries: usize, node: &Node) -> bool {
        let budget = &self.options.budget;
        let bytes = entries.saturating_mul(size_of::<Entry>() + INDEX_SIZE);
        match budget.steps(entries as u64).and_then(|()| budget.bytes(bytes)) {
            Ok(()) => true,
            Err(exhausted) => {
                self.exhausted(exhausted, node);
                false
            }
        }
    }

    /// Checks that a value, with its shared parts written out, is not too large: a few lines of directives can expand
    /// to more than fits into memory.
    fn check_size(&mut self, node: &Node) -> bool {
        let limits = self.options.budget.limits();
        let by_bytes = limits.bytes / VALUE_SIZE;
        // A result of the size of the document is always allowed; each value takes at least a byte there.
        let limit = limits.steps.min(by_bytes).max(self.written);
        if node.size() <= limit {
            return true;
        }
        let message = format!("the document expands to more than {limit} values");
        let error = DirectiveError::new(codes::TOO_LARGE, message).at(node.source(), node.span(), "");
        let help =
            if by_bytes < limits.steps { Exhausted::Bytes(limits.bytes) } else { Exhausted::Steps(limits.steps) };
        let help = help.help();
        self.stop(help.into_iter().fold(error, DirectiveError::help));
        false
    }

    /// There is nothing left of the budget.
    fn exhausted(&mut self, exhausted: Exhausted, node: &Node) {
        let (code, message) = match exhausted {
            Exhausted::Bytes(_) => {
                (codes::TOO_LARGE, format!("the expansion of the document is too large: {exhausted}"))
            }
            Exhausted::Depth(limit) => {
                (codes::TOO_DEEP, format!("the document nests deeper than {limit} levels when it is expanded"))
            }
            _ => (
                codes::TOO_MANY_STEPS,
                format!("the directives of the document refer to each other too often: {exhausted}"),
            ),
        };
        let error = DirectiveError::new(code, message).at(node.source(), node.span(), "");
        self.stop(match exhausted.help() {
            Some(help) => error.help(help),
            None => error,
        });
    }

    /// Stops the expansion at a limit. Its error replaces all others.
    fn stop(&mut self, error: DirectiveError) {
        if !self.is_stopped {
            self.is_stopped = true;
            self.errors = error.into();
        }
    }

    fn warn(&mut self, error: DirectiveError) {
        self.warnings.add(error);
    }
}

fn origin(sources: &Sources, source: u32, span: Span) -> Option<Origin> {
    let file = sources.get(source)?;
    let place = file.source.start(span);
    Some(Origin { file: file.source.name().to_owned(), line: place.line, column: place.column })
}
