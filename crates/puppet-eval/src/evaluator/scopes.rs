//! [`Scopes`]: variables: those of scopes, the local variables of blocks, and the match variables.
//!
//! Every class, defined type and node has its own [`Scope`] below the top scope; see
//! [scope](https://www.puppet.com/docs/puppet/8/lang_scope.html). Blocks and functions do not create scopes: they push
//! local variables on a stack on top of the scope in which they run. The same holds for the groups of a match (`$0`,
//! `$1`...), which are removed at the end of the `if`, `case` or selector with the match.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use hieratic_puppet_functions::{EvalError, EvalErrorKind, Flow};
use hieratic_ruby_regexp::Captures;
use hieratic_value::ErasedSort as _;
use hieratic_value::collections::{FixedState, HashMap};
use hieratic_value::{LazyHash, Str, Value};
use indexmap::IndexMap;

use super::Evaluator;
use super::reads::ReadRecorder;
use crate::catalog::{Attribute, CatalogBuilder, Source};
use crate::environment::{Variables, VisibleVariables};

/// The index of a scope.
pub(crate) type ScopeId = usize;

/// The top scope.
pub(crate) const TOP: ScopeId = 0;

/// The variables of the top scope, a node, a class or a defined type.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The resource that it belongs to: `Class[Foo]`; empty for the top scope.
    pub title: String,
    /// The name of the class, if it is one's.
    pub class: Option<Str>,
    /// The module of its code.
    pub module: Str,
    /// The scope that is searched next: the node, or the top scope.
    pub parent: Option<ScopeId>,
    /// The scope of the class that this one inherits from.
    pub inherits: Option<ScopeId>,
    /// The variables. They are copied only if one is added while they are shared. Only this module reads them, so that
    /// every read of the top scope is recorded.
    variables: Arc<Variables>,
    /// The resource defaults, by type.
    pub defaults: HashMap<Str, Vec<Attribute>>,
    /// Whether it belongs to a node.
    pub is_node: bool,
    /// The scope in which its resource was declared: it is searched for resource defaults.
    pub declared_in: Option<ScopeId>,
    /// The resource whose body runs in it.
    pub resource: usize,
    /// The code that runs in it.
    pub source: Source,
}

impl Scope {
    pub fn new(title: String, parent: Option<ScopeId>) -> Scope {
        Scope {
            title,
            class: None,
            module: "".into(),
            parent,
            inherits: None,
            variables: Arc::default(),
            defaults: HashMap::default(),
            is_node: false,
            declared_in: parent,
            resource: CatalogBuilder::MAIN,
            source: Source::Main,
        }
    }
}

/// All scopes of an evaluation, and the one in which code runs with its local variables.
#[derive(Debug)]
pub(crate) struct Scopes {
    /// The first is the top scope.
    all: Vec<Scope>,
    /// The scope in which code runs.
    current: ScopeId,
    /// The scope of the node, or the top scope if there is no node definition.
    node: ScopeId,
    locals: Locals,
    /// The values of `$settings::name`.
    settings: LazyHash,
    /// The scopes of declared classes, by lower-case name.
    classes: HashMap<Str, ScopeId>,
    /// Whether variables of the top scope may be assigned again, as at a prompt.
    reassigns: bool,
    /// The variables that code has seen all of last.
    seen: Option<SeenVariables>,
    /// The index of the match of the node's name, while the node is evaluated.
    node_match: Option<usize>,
    /// Records the reads of the node.
    pub(crate) reads: ReadRecorder,
}

/// The variables that code in a scope sees. They are seen again as long as no scope has other ones.
#[derive(Debug)]
struct SeenVariables {
    /// The variables of each scope, the innermost first. Keeping them makes an assignment write into a copy.
    scopes: Vec<Arc<Variables>>,
    all: Arc<[(Str, Value)]>,
}

impl Default for Scopes {
    fn default() -> Scopes {
        Scopes {
            all: vec![Scope::new(String::new(), None)],
            current: TOP,
            node: TOP,
            locals: Locals::default(),
            settings: LazyHash::default(),
            classes: HashMap::default(),
            reassigns: false,
            seen: None,
            node_match: None,
            reads: ReadRecorder::default(),
        }
    }
}

impl Index<ScopeId> for Scopes {
    type Output = Scope;

    fn index(&self, id: ScopeId) -> &Scope {
        &self.all[id]
    }
}

impl IndexMut<ScopeId> for Scopes {
    fn index_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.all[id]
    }
}

/// The scopes themselves.
impl Scopes {
    /// Returns the variables of the top scope. A read of all of them cannot be shared.
    pub(super) fn top_variables(&self) -> &Arc<Variables> {
        self.reads.refuse();
        &self.all[TOP].variables
    }

    /// Returns the variables of the top scope, to change them.
    pub(super) fn top_variables_mut(&mut self) -> &mut Arc<Variables> {
        &mut self.all[TOP].variables
    }

    /// Adds a variable to the top scope for code in another scope. Returns false if there is one of the name.
    pub(super) fn add_top_variable(&mut self, name: &str, value: Value) -> bool {
        let name: Str = name.into();
        self.record_addition(&name, &value);
        let variables = Arc::make_mut(&mut self.all[TOP].variables);
        if variables.contains_key(&name) {
            return false;
        }
        variables.insert(name, value);
        true
    }

    fn record_addition(&self, name: &Str, value: &Value) {
        match self.all[TOP].variables.get(name) {
            // Adding it fails, and leaves it as it is.
            Some(existing) => self.reads.variable(name, Some(existing)),
            None => self.reads.add_variable(name, value),
        }
    }

    /// Replaces the value of a variable.
    pub(super) fn replace_variable(&mut self, id: ScopeId, name: &Str, value: Value) {
        Arc::make_mut(&mut self.all[id].variables).insert(name.clone(), value);
    }

    /// Returns the number of variables in the current scope.
    pub(super) fn count_variables(&self) -> usize {
        self.reads.refuse();
        self.all[self.current].variables.len()
    }

    /// Returns a variable of the class that a scope belongs to.
    pub(crate) fn class_variable(&self, class: ScopeId, name: &str) -> Option<&Value> {
        self.all.get(class)?.variables.get(name)
    }

    /// Returns the variables of evaluated classes, with their qualified names.
    pub(super) fn class_variables(&self) -> Vec<(Str, Value)> {
        let all = self.classes().flat_map(|(class, scope)| {
            scope.variables.iter().map(move |(name, value)| (format!("{class}::{name}").into(), value.clone()))
        });
        all.collect()
    }

    /// Sets the values of `$settings::name`.
    pub(super) fn set_settings(&mut self, settings: LazyHash) {
        self.settings = settings;
    }

    /// Returns the value of `$settings::name`.
    pub(super) fn setting(&self, name: &str) -> Option<&Value> {
        self.settings.get(name)
    }

    /// Lets variables of the top scope be assigned again from now on.
    pub(super) fn allow_reassignment(&mut self) {
        self.reassigns = true;
    }

    /// Returns the index of the scope in which code runs.
    pub(crate) fn current_id(&self) -> ScopeId {
        self.current
    }

    /// Returns the scope in which code runs.
    pub(crate) fn current(&self) -> &Scope {
        &self.all[self.current]
    }

    /// Returns the scope in which code runs, to change it.
    pub(crate) fn current_mut(&mut self) -> &mut Scope {
        &mut self.all[self.current]
    }

    /// Returns a scope.
    pub(super) fn get(&self, id: ScopeId) -> Option<&Scope> {
        self.all.get(id)
    }

    /// Creates a scope below the node or the top scope.
    pub(super) fn new_scope(&mut self, title: String, class: Option<Str>, inherits: Option<ScopeId>) -> ScopeId {
        let mut scope = Scope::new(title, Some(self.node));
        scope.inherits = inherits;
        scope.class = class;
        self.add(scope)
    }

    /// Adds the scope of the node.
    pub(super) fn add_node(&mut self, scope: Scope) -> ScopeId {
        self.node = self.add(scope);
        self.node
    }

    fn add(&mut self, scope: Scope) -> ScopeId {
        self.all.push(scope);
        self.all.len() - 1
    }

    /// Returns the scope of the node, or the top scope if there is no node definition.
    pub(super) fn global_scope(&self) -> ScopeId {
        self.node
    }

    /// Returns the variables of all scopes for which a function has another value.
    pub(super) fn replaced_variables(&self, new: impl Fn(&Value) -> Option<Value>) -> Vec<(ScopeId, Str, Value)> {
        self.reads.refuse();
        let scopes = self.all.iter().enumerate();
        let variables =
            scopes.flat_map(|(id, scope)| scope.variables.iter().map(move |(name, value)| (id, name, value)));
        variables.filter_map(|(id, name, value)| Some((id, name.clone(), new(value)?))).collect()
    }

    /// Replaces the local variables for which a function has another value.
    pub(super) fn replace_locals(&mut self, new: impl Fn(&Value) -> Option<Value>) {
        for (_, value) in &mut self.locals.names {
            if let Some(new) = new(value) {
                *value = new;
            }
        }
    }

    /// Records that the current scope is that of a class.
    pub(super) fn name_class(&mut self, class: &str) {
        self.classes.insert(class.into(), self.current);
    }

    /// Returns the scope of an evaluated class, by its name in lower case.
    pub(crate) fn of_class(&self, class: &str) -> Option<ScopeId> {
        self.classes.get(class).copied()
    }

    /// Returns the evaluated classes with their scopes.
    pub(super) fn classes(&self) -> impl Iterator<Item = (&Str, &Scope)> {
        self.classes.iter().filter_map(|(class, id)| Some((class, self.all.get(*id)?)))
    }

    /// Returns the names of the declared classes, in the order in which they were declared.
    pub(super) fn class_names(&self) -> Vec<String> {
        let mut classes: Vec<(&Str, &ScopeId)> = self.classes.iter().collect();
        classes.sort_erased_by_key(|(_, id)| **id);
        classes.into_iter().map(|(class, _)| class.to_string()).collect()
    }

    /// Returns the name of the current scope as the reference prefixes it to logged messages.
    pub(super) fn name(&self) -> String {
        let title = &self.current().title;
        format!("Scope({})", if title.is_empty() { "Class[main]" } else { title })
    }
}

/// The stack of local variables and matches.
impl Scopes {
    /// Returns the current scope and the state of the stack.
    pub(super) fn mark(&self) -> StackMark {
        let locals = &self.locals;
        StackMark {
            scope: self.current,
            names: locals.names.len(),
            base: locals.base,
            block: locals.block,
            matches: locals.matches.len(),
            match_base: locals.match_base,
            pending: locals.pending.len(),
        }
    }

    /// Returns to a scope, and removes everything that was added to the stack since.
    pub(super) fn reset(&mut self, mark: StackMark) {
        self.current = mark.scope;
        let locals = &mut self.locals;
        locals.names.truncate(mark.names);
        locals.matches.truncate(mark.matches);
        locals.pending.truncate(mark.pending);
        locals.base = mark.base;
        locals.block = mark.block;
        locals.match_base = mark.match_base;
    }

    /// Switches to a scope: everything on the stack becomes invisible.
    pub(super) fn enter(&mut self, scope: ScopeId) -> StackMark {
        let mark = self.mark();
        self.current = scope;
        self.locals.base = self.locals.names.len();
        self.locals.match_base = self.locals.matches.len();
        self.locals.block = None;
        mark
    }

    /// Returns the number of variables on the stack.
    pub(super) fn count_locals(&self) -> usize {
        self.locals.names.len()
    }

    /// Starts a block: variables that are assigned from now on belong to it.
    pub(super) fn open_block(&mut self) {
        self.locals.block = Some(self.locals.names.len());
    }

    /// Adds a variable to the current block without checking whether it exists.
    pub(super) fn bind(&mut self, name: Str, value: Value) {
        self.locals.names.push((name, value));
    }

    /// Starts to set the values of a parameter list.
    pub(super) fn open_parameters(&mut self, callee: &str, names: Vec<Str>) {
        self.open_block();
        let start = self.locals.names.len();
        self.locals.pending.push(PendingParameters { start, callee: callee.to_owned(), names, current: 0 });
    }

    /// Continues with the next parameter.
    pub(super) fn at_parameter(&mut self, index: usize) {
        if let Some(pending) = self.locals.pending.last_mut() {
            pending.current = index;
        }
    }

    /// Records a match.
    pub(crate) fn push_match(&mut self, text: Str, captures: Captures) {
        self.locals.matches.push((text, captures));
    }

    /// Records the match of the node's name with the pattern of its definition.
    pub(super) fn push_node_match(&mut self, name: Str, captures: Captures) {
        self.node_match = Some(self.locals.matches.len());
        self.push_match(name, captures);
    }

    /// Returns the number of matches, for [`Scopes::forget_matches`].
    pub(super) fn matches(&self) -> usize {
        self.locals.matches.len()
    }

    /// Removes the later matches.
    pub(super) fn forget_matches(&mut self, count: usize) {
        self.locals.matches.truncate(count);
    }
}

/// Variables by their names.
impl Scopes {
    /// Returns a variable that is nearer than the top scope, as data sees it.
    fn nearer(&self, name: &str) -> Option<Value> {
        let plain = name.strip_prefix("::").unwrap_or(name);
        if plain.contains("::") {
            return self.qualified_variable(plain);
        }
        if plain.len() < name.len() {
            return None;
        }
        // Data cannot interpolate a parameter that has no value yet.
        if let Ok(Some(local)) = self.locals.get(name) {
            return Some(local.clone());
        }
        if self.current == TOP {
            return None;
        }
        // Data itself reads the top scope.
        match self.find_unrecorded(self.current, name) {
            Some((TOP, _)) => None,
            Some((_, value)) => Some(value.clone()),
            None => self.module_variable(name),
        }
    }

    /// Returns a group of the last match, and the string that was matched.
    fn capture(&self, group: u32) -> Option<(&Str, Value)> {
        if let (Some(node), Some(last)) = (self.node_match, self.locals.matches.len().checked_sub(1))
            && node == last
            && let Some((name, _)) = self.locals.matches.get(node)
        {
            self.reads.node_name(name);
        }
        self.locals.capture(group)
    }

    /// Returns all visible variables, sorted by name: local ones, and those of the scopes up to the top scope. The same
    /// list is returned again as long as nothing is assigned.
    pub(crate) fn visible_variables(&mut self) -> Arc<[(Str, Value)]> {
        self.reads.refuse();
        let mut scopes = Vec::new();
        let mut next = Some(self.current);
        while let Some(scope) = next.and_then(|id| self.all.get(id)) {
            scopes.push(&scope.variables);
            next = scope.inherits.or(scope.parent);
        }
        let seen = self.seen.take().filter(|seen| {
            seen.scopes.len() == scopes.len()
                && seen.scopes.iter().zip(&scopes).all(|(one, other)| Arc::ptr_eq(one, other))
        });
        let seen = seen.unwrap_or_else(|| {
            let mut all: BTreeMap<&Str, &Value> = BTreeMap::new();
            for (name, value) in scopes.iter().flat_map(|variables| variables.iter()) {
                all.entry(name).or_insert(value);
            }
            let all = all.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            SeenVariables { scopes: scopes.into_iter().cloned().collect(), all }
        });
        let locals = &self.locals.names[self.locals.base..];
        let all = if locals.is_empty() { seen.all.clone() } else { with_locals(&seen.all, locals) };
        self.seen = Some(seen);
        all
    }

    /// Returns the value of a variable by its name without `::`, or `None` if it is not set.
    pub(crate) fn local_variable(&self, name: &str) -> Result<Option<Value>, Flow> {
        if let Some(value) = self.locals.get(name)? {
            return Ok(Some(value.clone()));
        }
        Ok(self.scope_variable(self.current, name).cloned().or_else(|| self.module_variable(name)))
    }

    /// Returns the value of a module-name variable that no scope sets.
    fn module_variable(&self, name: &str) -> Option<Value> {
        match name {
            "module_name" => Some(self.all[self.current].module.clone().into()),
            "caller_module_name" => Some(self.caller_module().into()),
            _ => None,
        }
    }

    /// Returns the value of a variable in a scope or its parents.
    pub(crate) fn scope_variable(&self, scope: ScopeId, name: &str) -> Option<&Value> {
        match self.find_unrecorded(scope, name) {
            Some((TOP, value)) => {
                self.reads.variable(name, Some(value));
                Some(value)
            }
            Some((_, value)) => Some(value),
            None => {
                self.reads.variable(name, None);
                None
            }
        }
    }

    /// Finds a variable and the scope that defines it. The caller records the read if it is the top scope.
    fn find_unrecorded(&self, scope: ScopeId, name: &str) -> Option<(ScopeId, &Value)> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = self.all.get(id)?;
            if let Some(value) = scope.variables.get(name) {
                return Some((id, value));
            }
            // The parents of an inherited scope end at the top scope as well.
            at = scope.inherits.or(scope.parent);
        }
        None
    }

    fn caller_module(&self) -> Str {
        let scope = &self.all[self.current];
        // A class that inherits another one runs inside of it.
        let parent = scope.inherits.or(scope.declared_in);
        parent.and_then(|parent| self.all.get(parent)).map_or_else(|| "".into(), |scope| scope.module.clone())
    }

    /// Returns the value of a variable with `::` in its name, or a message if its class does not exist.
    pub(crate) fn qualified_variable(&self, name: &str) -> Option<Value> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let Some(end) = name.rfind("::") else {
            let top = self.all[TOP].variables.get(name);
            self.reads.variable(name, top);
            return top.cloned().or_else(|| self.node_variable(name));
        };
        let (class, leaf) = (&name[..end], &name[end + 2..]);
        if class == "settings" {
            return self.settings.get(leaf).cloned();
        }
        let mut at = self.classes.get(class).copied();
        // While its defaults are evaluated, a class also sees its parameters by their qualified names.
        if at == Some(self.current)
            && !self.locals.pending.is_empty()
            && let Ok(Some(value)) = self.locals.get(leaf)
        {
            return Some(value.clone());
        }
        while let Some(id) = at {
            let scope = self.all.get(id)?;
            if let Some(value) = scope.variables.get(leaf) {
                return Some(value.clone());
            }
            at = scope.inherits;
        }
        None
    }

    /// Variables of the node are visible everywhere, like those of the top scope.
    fn node_variable(&self, name: &str) -> Option<Value> {
        self.all.iter().find(|scope| scope.is_node)?.variables.get(name).cloned()
    }

    /// Assigns a variable in the innermost block or in the scope.
    pub(crate) fn assign_local(&mut self, name: &Str, value: Value) -> Result<Option<AssignError>, Flow> {
        if !self.locals.pending.is_empty() {
            let message = format!("Attempt to assign variable {name} when evaluating parameters");
            let innermost = self.locals.pending.last().is_some_and(|last| self.locals.block == Some(last.start));
            if innermost {
                return Err(EvalError::new(message).into());
            }
        }
        if let Some(start) = self.locals.block {
            if find(&self.locals.names[start..], name).is_some() {
                return Ok(Some(AssignError::Assigned));
            }
            self.bind(name.clone(), value);
            return Ok(None);
        }
        if self.current == TOP {
            self.record_addition(name, &value);
        }
        let scope = &mut self.all[self.current];
        // At a prompt, variables may be assigned repeatedly.
        let again = self.reassigns && self.current == TOP && !matches!(&**name, "trusted" | "facts");
        if scope.variables.contains_key(name) && !again {
            let reserved = matches!(&**name, "trusted" | "facts");
            return Ok(Some(if reserved { AssignError::Reserved } else { AssignError::Assigned }));
        }
        // The values that code has seen would have to be copied.
        self.seen = None;
        Arc::make_mut(&mut scope.variables).insert(name.clone(), value);
        Ok(None)
    }
}

/// Variables with local ones, of which the last of a name counts.
fn with_locals(all: &[(Str, Value)], locals: &[(Str, Value)]) -> Arc<[(Str, Value)]> {
    let both: BTreeMap<&Str, &Value> = all.iter().chain(locals).map(|(name, value)| (name, value)).collect();
    both.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Resource defaults.
impl Scopes {
    /// Returns the next scope that is searched for resource defaults.
    fn outer(&self, scope: ScopeId) -> Option<ScopeId> {
        let scope = self.all.get(scope)?;
        scope.inherits.or(scope.declared_in)
    }

    /// Returns whether a value is the default of an attribute in a scope or those around it.
    pub(super) fn is_default(&self, scope: ScopeId, kind: &str, name: &str, value: &Value) -> bool {
        let mut at = Some(scope);
        while let Some(id) = at {
            let known = self.all.get(id).and_then(|scope| scope.defaults.get(kind));
            if known.into_iter().flatten().any(|one| *one.name == *name && one.value == *value) {
                return true;
            }
            at = self.outer(id);
        }
        false
    }

    /// Returns the defaults for a type: in the order of the outermost scope with a default, with the values of the
    /// innermost. Scopes are nested as their classes and resources are declared, not as written.
    pub(crate) fn defaults_of(&self, scope: ScopeId, kind: &str) -> Vec<Attribute> {
        let mut line = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            if let Some(known) = self.all.get(id).and_then(|scope| scope.defaults.get(kind)) {
                line.push(known);
            }
            at = self.outer(id);
        }
        let mut found: IndexMap<&Str, &Attribute, FixedState> = IndexMap::default();
        for default in line.into_iter().rev().flatten() {
            found.insert(&default.name, default);
        }
        found.into_values().cloned().collect()
    }
}

/// The stack of local names and matches on top of the current scope.
#[derive(Debug, Default)]
struct Locals {
    names: Vec<(Str, Value)>,
    /// The start of the variables on top of the current scope; those below belong to suspended scopes.
    base: usize,
    /// The start of the variables of the innermost block; `None` if assignments go into the scope itself.
    block: Option<usize>,
    matches: Vec<(Str, Captures)>,
    /// The start of the matches on top of the current scope.
    match_base: usize,
    /// Parameter lists whose defaults are being evaluated.
    pending: Vec<PendingParameters>,
}

/// A parameter list whose values are being set.
#[derive(Debug)]
struct PendingParameters {
    /// The start of its variables.
    start: usize,
    /// The name of the callee in messages.
    callee: String,
    /// All names in order.
    names: Vec<Str>,
    /// The index of the parameter that is being evaluated.
    current: usize,
}

/// The scope and the state of the stack that can be returned to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackMark {
    scope: ScopeId,
    names: usize,
    base: usize,
    block: Option<usize>,
    matches: usize,
    match_base: usize,
    pending: usize,
}

impl Locals {
    fn get(&self, name: &str) -> Result<Option<&Value>, Flow> {
        let own = &self.names[self.base..];
        if let Some(pending) = self.pending.last().filter(|pending| pending.start >= self.base) {
            let start = pending.start - self.base;
            if let Some(found) = find(&own[start..], name) {
                return Ok(Some(found));
            }
            if let Some(index) = pending.names.iter().position(|known| **known == *name) {
                return Err(pending.refuse(index).into());
            }
            return Ok(find(&own[..start], name));
        }
        Ok(find(own, name))
    }

    /// Returns a group of the last match, and the string that was matched.
    fn capture(&self, group: u32) -> Option<(&Str, Value)> {
        let (text, captures) = self.matches[self.match_base..].last()?;
        let range = captures.get(group as usize);
        Some((text, range.map_or(Value::Undef, |range| text.get(range).unwrap_or("").into())))
    }
}

impl PendingParameters {
    fn refuse(&self, index: usize) -> EvalError {
        let (callee, to) = (&self.callee, &self.names[index]);
        if index < self.current {
            let message = format!("{callee}: expects a value for parameter ${to}");
            return EvalError { kind: EvalErrorKind::Outer, ..EvalError::new(message) };
        }
        let from = self.names.get(self.current).map_or("", |name| name);
        let message =
            format!("{callee}: default expression for ${from} tries to illegally access not yet evaluated ${to}");
        EvalError { kind: EvalErrorKind::Outer, ..EvalError::new(message) }
    }
}

/// Returns the innermost value of a variable.
fn find<'n>(names: &'n [(Str, Value)], name: &str) -> Option<&'n Value> {
    names.iter().rev().find(|(known, _)| **known == *name).map(|(_, value)| value)
}

/// The reason why a variable cannot be assigned.
pub(crate) enum AssignError {
    /// The name is `trusted` or `facts`.
    Reserved,
    /// The variable already has a value.
    Assigned,
}

impl VisibleVariables for Evaluator<'_> {
    fn top(&self) -> &Variables {
        // The lookup is recorded, and repeated with the variables of the other node.
        &self.scopes.all[TOP].variables
    }

    fn nearer(&self, name: &str) -> Option<Value> {
        self.scopes.nearer(name)
    }

    fn is_evaluated(&self, class: &str) -> bool {
        self.scopes.of_class(class).is_some()
    }

    fn has_class(&self, class: &str) -> bool {
        Evaluator::has_class(self, class)
    }
}

impl Evaluator<'_> {
    /// Returns a group of the last match; undef if there was no match.
    pub(crate) fn match_variable(&self, group: u32) -> Value {
        match self.scopes.capture(group) {
            Some((text, found)) => {
                self.environment.record_computed(&[Value::String(text.clone())], &found);
                found
            }
            None => Value::Undef,
        }
    }
}
