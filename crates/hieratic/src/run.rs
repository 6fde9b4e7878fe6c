//! [`Run`]: one evaluation of code, with its access to data.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_hiera::{GenerationalCache, LocalVariable, NamedVariables, Node, Origin, Query, not_known_here};
use hieratic_puppet_eval::read::CodeFile;
use hieratic_puppet_eval::{
    ExportedResource, Options, ProgramRun, Request, RubyFiles, RubyMemo, Site, Validator, Variables, VisibleVariables,
};
use hieratic_puppet_functions::EvalError;
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use crate::Environment;
use crate::catalog::Programs;
use crate::code::{Code, to_answer, to_fault, to_query};
use crate::reading;
use hieratic_sandbox::SlashPath as _;

/// The variables that data names and that have another meaning at a position in code than in the top scope.
type LocalVariables = Vec<(Str, LocalVariable)>;

/// The number of recently used [sets of local variables](LocalVariables) for which a node is cached, in each of two generations.
const MAX_VIEWS: usize = 16;

/// One evaluation. It cannot be reused, because its variables are visible to data.
pub(crate) struct Run<'c> {
    code: &'c Code<'c>,
    /// The node as data sees it from the top scope, with the number of variables at that time.
    node: RefCell<Option<(usize, Arc<Node>)>>,
    /// The variables that data has named.
    named_variables: Arc<NamedVariables>,
    /// The node as data sees it from positions with other meanings for some of them.
    nearer: RefCell<GenerationalCache<LocalVariables, Arc<Node>>>,
    /// Whether the classes exist whose variables data has named.
    classes: RefCell<HashMap<Str, bool>>,
    /// The outputs of its programs, if they are shared with other catalogs.
    programs: Option<Programs>,
    /// The warnings of lookups.
    warnings: RefCell<Vec<String>>,
    /// Returns whether a file has other content elsewhere, if the caller wants to know whether data depends on one.
    is_other: Option<&'c dyn Fn(&Path) -> bool>,
    /// Whether an earlier view of the node may have read such a file.
    has_read_other: Cell<bool>,
}

impl<'c> Run<'c> {
    pub(crate) fn new(code: &'c Code<'c>) -> Run<'c> {
        Run {
            code,
            node: RefCell::new(None),
            named_variables: Arc::default(),
            nearer: RefCell::new(GenerationalCache::new(MAX_VIEWS)),
            classes: RefCell::default(),
            programs: code.programs.clone().map(Programs::new),
            warnings: RefCell::default(),
            is_other: None,
            has_read_other: Cell::new(false),
        }
    }

    /// Creates a run that records whether lookups may depend on files with other content elsewhere.
    pub(crate) fn noting(code: &'c Code<'c>, is_other: &'c dyn Fn(&Path) -> bool) -> Run<'c> {
        Run { is_other: Some(is_other), ..Run::new(code) }
    }

    /// Returns whether a lookup may depend on a file with other content elsewhere.
    pub(crate) fn may_have_read_other(&self) -> bool {
        self.has_read_other.get() || self.node.borrow().as_ref().is_some_and(|(_, node)| self.may_read_other(node))
    }

    /// Records the possible reads of a node that is about to be dropped.
    fn record_reads(&self, node: &Node) {
        if !self.has_read_other.get() {
            self.has_read_other.set(self.may_read_other(node));
        }
    }

    fn may_read_other(&self, node: &Node) -> bool {
        self.is_other.is_some_and(|is_other| node.may_read(is_other, &Budget::default()).unwrap_or(true))
    }

    fn top_view(&self, variables: &Variables) -> Result<Arc<Node>, EvalError> {
        let Some(environment) = self.code.environment else {
            return Err(EvalError::new("no environment is open"));
        };
        if let Some((count, node)) = &*self.node.borrow() {
            // Variables of the top are never changed, only added.
            if *count == variables.len() {
                return Ok(node.clone());
            }
        }
        let mut facts = self.code.facts.clone();
        for (name, value) in variables {
            if !facts.facts().contains(name) && !matches!(&**name, "facts" | "trusted" | "server_facts" | "environment")
            {
                facts.set_variable(name, value.clone());
            }
        }
        let node = environment.node(&facts).map_err(to_fault)?;
        let node = Arc::new(node.noting(self.named_variables.clone()));
        let before = self.node.borrow_mut().replace((variables.len(), node.clone()));
        if let Some((_, before)) = before {
            self.record_reads(&before);
        }
        self.nearer.replace(GenerationalCache::new(MAX_VIEWS));
        Ok(node)
    }

    /// Returns the variables that have another meaning at a position in code.
    fn views(&self, visible: &dyn VisibleVariables) -> Result<LocalVariables, EvalError> {
        let of = |name: &str| match visible.nearer(name) {
            Some(value) => Some(LocalVariable::Value(value)),
            None => {
                let class = name.strip_prefix("::").unwrap_or(name).rsplit_once("::")?.0;
                if visible.is_evaluated(class) {
                    return Some(LocalVariable::NotInClass);
                }
                let mut classes = self.classes.borrow_mut();
                let is_known = *classes.entry(class.into()).or_insert_with(|| visible.has_class(class));
                is_known.then_some(LocalVariable::NotEvaluated)
            }
        };
        let named = self.named_variables.from(0);
        self.code.options.budget.steps(named.len() as u64).map_err(|limit| to_fault(limit.into()))?;
        Ok(named.into_iter().filter_map(|name| of(&name).map(|nearer| (name, nearer))).collect())
    }

    /// The node as data sees it from a place with these variables.
    fn view_with(&self, node: Arc<Node>, variables: &[(Str, LocalVariable)]) -> Arc<Node> {
        if variables.is_empty() {
            return node;
        }
        self.nearer.borrow_mut().get_or_insert_with(variables.to_vec(), || {
            let node = Arc::new(node.with_locals(variables));
            self.record_reads(&node);
            node
        })
    }
}

impl hieratic_puppet_eval::Environment for Run<'_> {
    fn name(&self) -> &str {
        self.code.environment_name()
    }

    fn root(&self) -> Option<&Path> {
        self.code.environment.map(|environment| environment.layers().environment.root.as_path())
    }

    fn module(&self, name: &str) -> Option<PathBuf> {
        let modules = &self.code.environment?.layers().modules;
        modules.get(name).map(|module| module.root.clone())
    }

    fn modules(&self) -> Vec<String> {
        let modules = self.code.environment.map(|environment| &environment.layers().modules);
        modules.into_iter().flat_map(|modules| modules.keys()).map(|name| name.to_string()).collect()
    }

    fn code(&self, file: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        match &self.code.shared {
            Some(shared) => {
                // Files that record accesses must be accessed, even if another node has read them.
                if self.is_other.is_some() {
                    options.files.exists(file);
                }
                shared.file(file, options)
            }
            None => reading::code_file(file, options),
        }
    }

    fn validator(&self) -> &dyn Validator {
        &reading::Validation
    }

    fn ruby_files(&self, find: &dyn Fn() -> Arc<RubyFiles>) -> Arc<RubyFiles> {
        match &self.code.shared {
            Some(shared) if self.is_other.is_none() => shared.ruby_files(&self.code.options.files, find),
            _ => find(),
        }
    }

    fn ruby_memo(&self) -> Option<&RubyMemo> {
        self.code.shared.as_ref().map(|shared| &*shared.answers)
    }

    fn cached_file_result(&self, reader: &'static str, path: &Path, text: &str) -> Option<Value> {
        self.code.shared.as_ref()?.cached_result(reader, path, text)
    }

    fn cache_file_result(&self, reader: &'static str, path: &Path, text: String, value: &Value) {
        if let Some(shared) = &self.code.shared {
            shared.cache_result(reader, path, text, value);
        }
    }

    fn program_output(&self, command: &[String], run: ProgramRun<'_>) -> Result<String, String> {
        match &self.programs {
            Some(programs) => programs.output(command, run),
            None => run(),
        }
    }

    fn stores_exported(&self) -> bool {
        self.code.others.stores_exported()
    }

    fn exported(&self, kind: &str) -> Option<Result<Arc<Vec<ExportedResource>>, String>> {
        self.code.others.exported(kind)
    }

    fn query_database(&self, query: &Value) -> Option<Result<Value, String>> {
        self.code.others.query(query)
    }

    fn take_warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    fn data_place(&self, key: &str, visible: &dyn VisibleVariables) -> Option<Site> {
        // The value was just looked up from here: all variables that data names are known.
        let node = self.view_with(self.top_view(visible.top()).ok()?, &self.views(visible).ok()?);
        let answer = node.lookup_traced(&Query { budget: self.code.options.budget.clone(), ..Query::new(key) }).ok()?;
        node.take_warnings();
        Some(match answer.value.origin()? {
            Origin::File { file, line, column } => Site {
                file: Some(file.to_slashes().into()),
                line: *line,
                column: *column,
                source: node.source_of(file),
            },
            Origin::Named(name) => Site { file: Some(name.clone()), ..Site::default() },
        })
    }

    fn lookup(&self, request: &Request, visible: &dyn VisibleVariables) -> Result<Option<Value>, EvalError> {
        if self.code.environment.is_none() {
            return hieratic_puppet_eval::EmptyEnvironment.lookup(request, visible);
        }
        let top = self.top_view(visible.top())?;
        let query = to_query(request, &self.code.options.budget);
        let mut nearer = self.views(visible)?;
        loop {
            let count = self.named_variables.count();
            let node = self.view_with(top.clone(), &nearer);
            let answer = node.lookup(&query);
            let warnings = node.take_warnings();
            // Data has named further variables, which may have another meaning here.
            if self.named_variables.count() > count {
                let all = self.views(visible)?;
                if all != nearer {
                    nearer = all;
                    continue;
                }
            }
            self.warnings.borrow_mut().extend(warnings.iter().map(ToString::to_string));
            return to_answer(answer);
        }
    }

    fn record_computed(&self, of: &[Value], result: &Value) {
        if let Some(followed) = &self.code.taint {
            followed.record_result(of, result);
        }
    }

    fn secrets(&self) -> usize {
        self.code.taint.as_ref().map_or(0, crate::redaction::TaintTracker::count)
    }

    fn secret_parts(&self, text: &Str) -> Vec<Range<usize>> {
        self.code.taint.as_ref().map(|followed| followed.secret_ranges(text)).unwrap_or_default()
    }

    fn is_secret(&self, value: &Value) -> bool {
        self.code.taint.as_ref().is_some_and(|followed| followed.is_tainted(value))
    }

    fn record_secret(&self, result: &Value) {
        if let Some(followed) = &self.code.taint {
            followed.record_secret(result);
        }
    }

    fn key_suggestion(&self, names: &[String]) -> Option<String> {
        let node = self.node.borrow();
        let (_, node) = node.as_ref()?;
        let mut near = Vec::new();
        let mut parts = None;
        for name in names {
            match crate::keys::missing_part(node, &Query::default(), name) {
                Some(missing) => {
                    parts = parts.or_else(|| missing.parts.of(&missing.found));
                    near.extend(missing.near);
                }
                None => near.extend(crate::keys::nearest_keys(node, name).keys),
            }
        }
        near.dedup();
        let skipped_levels = self.code.environment.map(Environment::skipped_levels).unwrap_or_default();
        let unknown = (!skipped_levels.is_empty()).then(|| not_known_here(&skipped_levels));
        let advice: Vec<String> =
            [unknown, parts, hieratic_diagnostics::did_you_mean(&near)].into_iter().flatten().collect();
        (!advice.is_empty()).then(|| advice.join("; "))
    }
}
