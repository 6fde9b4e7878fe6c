//! Variables: scopes, the local variables of blocks, and the match variables.
//!
//! Every class, defined type and node has its own [`Scope`] below the top scope; see
//! [scope](https://www.puppet.com/docs/puppet/8/lang_scope.html). Blocks and functions do not create scopes: they push
//! local variables on a stack on top of the scope in which they run. The same holds for the groups of a match (`$0`,
//! `$1`...), which are removed at the end of the `if`, `case` or selector with the match.

use std::sync::Arc;

use hieratic_puppet_functions::{EvalError, EvalErrorKind, Flow};
use hieratic_ruby_regexp::Captures;
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use super::Evaluator;
use crate::catalog::{Attribute, Catalog, Source};
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
    /// The variables. They are copied only if one is added while they are shared.
    pub variables: Arc<Variables>,
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
            resource: Catalog::MAIN,
            source: Source::Main,
        }
    }
}

/// The stack of local names and matches on top of the current scope.
#[derive(Debug, Default)]
pub(crate) struct Locals {
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

/// A state of the stack that it can be reset to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackMark {
    names: usize,
    base: usize,
    block: Option<usize>,
    matches: usize,
    match_base: usize,
    pending: usize,
}

impl Locals {
    /// Returns the state of the stack.
    pub fn mark(&self) -> StackMark {
        StackMark {
            names: self.names.len(),
            base: self.base,
            block: self.block,
            matches: self.matches.len(),
            match_base: self.match_base,
            pending: self.pending.len(),
        }
    }

    /// Returns the number of variables on the stack.
    pub fn depth(&self) -> usize {
        self.names.len()
    }

    /// Removes everything that was added since.
    pub fn reset(&mut self, mark: StackMark) {
        self.names.truncate(mark.names);
        self.matches.truncate(mark.matches);
        self.pending.truncate(mark.pending);
        self.base = mark.base;
        self.block = mark.block;
        self.match_base = mark.match_base;
    }

    /// Returns the number of matches, for [`Locals::forget_matches`].
    pub fn matches(&self) -> usize {
        self.matches.len()
    }

    /// Removes the later matches.
    pub fn forget_matches(&mut self, count: usize) {
        self.matches.truncate(count);
    }

    /// Starts a block: variables that are assigned from now on belong to it.
    pub fn open_block(&mut self) {
        self.block = Some(self.names.len());
    }

    /// Switches to another scope: everything on the stack becomes invisible.
    pub fn open_scope(&mut self) {
        self.base = self.names.len();
        self.match_base = self.matches.len();
        self.block = None;
    }

    /// Adds a variable to the current block without checking whether it exists.
    pub fn bind(&mut self, name: Str, value: Value) {
        self.names.push((name, value));
    }

    /// Records a match.
    pub fn push_match(&mut self, text: Str, captures: Captures) {
        self.matches.push((text, captures));
    }

    /// Starts to set the values of a parameter list.
    pub fn open_parameters(&mut self, callee: &str, names: Vec<Str>) {
        self.open_block();
        self.pending.push(PendingParameters { start: self.names.len(), callee: callee.to_owned(), names, current: 0 });
    }

    /// Continues with the next parameter.
    pub fn at_parameter(&mut self, index: usize) {
        if let Some(pending) = self.pending.last_mut() {
            pending.current = index;
        }
    }

    fn get(&self, name: &str) -> Result<Option<&Value>, Flow> {
        let own = &self.names[self.base..];
        if let Some(pending) = self.pending.last().filter(|pending| pending.start >= self.base) {
            let start = pending.start - self.base;
            if let Some(found) = find(&own[start..], name) {
                return Ok(Some(found));
            }
            if let Some(wanted) = pending.names.iter().position(|known| **known == *name) {
                return Err(pending.refuse(wanted).into());
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
    fn refuse(&self, wanted: usize) -> EvalError {
        let (callee, to) = (&self.callee, &self.names[wanted]);
        if wanted < self.current {
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
        &self.scopes[TOP].variables
    }

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
        if self.scope == TOP {
            return None;
        }
        match self.find_variable(self.scope, name) {
            Some((TOP, _)) => None,
            Some((_, value)) => Some(value.clone()),
            None => self.module_variable(name),
        }
    }

    fn is_evaluated(&self, class: &str) -> bool {
        self.class_scopes.contains_key(class)
    }

    fn has_class(&self, class: &str) -> bool {
        Evaluator::has_class(self, class)
    }
}

impl Evaluator<'_> {
    /// Returns all visible variables: local ones, and those of the scopes up to the top scope.
    pub(crate) fn visible_variables(&self) -> Vec<(String, Value)> {
        let mut all: std::collections::BTreeMap<String, Value> = Default::default();
        for (name, value) in self.locals.names[self.locals.base..].iter().rev() {
            all.entry(name.to_string()).or_insert_with(|| value.clone());
        }
        let mut scope = Some(self.scope);
        while let Some(id) = scope {
            for (name, value) in &*self.scopes[id].variables {
                all.entry(name.to_string()).or_insert_with(|| value.clone());
            }
            scope = self.scopes[id].inherits.or(self.scopes[id].parent);
        }
        all.into_iter().collect()
    }

    /// Returns the value of a variable by its name without `::`, or `None` if it is not set.
    pub(crate) fn local_variable(&self, name: &str) -> Result<Option<Value>, Flow> {
        if let Some(value) = self.locals.get(name)? {
            return Ok(Some(value.clone()));
        }
        Ok(self.scope_variable(self.scope, name).cloned().or_else(|| self.module_variable(name)))
    }

    /// Returns the value of a module-name variable that no scope sets.
    fn module_variable(&self, name: &str) -> Option<Value> {
        match name {
            "module_name" => Some(self.scopes[self.scope].module.clone().into()),
            "caller_module_name" => Some(self.caller_module().into()),
            _ => None,
        }
    }

    /// Returns the value of a variable in a scope or its parents.
    pub(crate) fn scope_variable(&self, scope: ScopeId, name: &str) -> Option<&Value> {
        self.find_variable(scope, name).map(|(_, value)| value)
    }

    /// Finds a variable and the scope that defines it.
    fn find_variable(&self, scope: ScopeId, name: &str) -> Option<(ScopeId, &Value)> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = self.scopes.get(id)?;
            if let Some(value) = scope.variables.get(name) {
                return Some((id, value));
            }
            // The parents of an inherited scope end at the top scope as well.
            at = scope.inherits.or(scope.parent);
        }
        None
    }

    fn caller_module(&self) -> Str {
        let scope = &self.scopes[self.scope];
        // A class that inherits another one runs inside of it.
        let parent = scope.inherits.or(scope.declared_in);
        parent.and_then(|parent| self.scopes.get(parent)).map_or_else(|| "".into(), |scope| scope.module.clone())
    }

    /// Returns a group of the last match; undef if there was no match.
    pub(crate) fn match_variable(&self, group: u32) -> Value {
        match self.locals.capture(group) {
            Some((text, found)) => {
                self.environment.record_computed(&[Value::String(text.clone())], &found);
                found
            }
            None => Value::Undef,
        }
    }

    /// Returns the value of a variable with `::` in its name, or a message if its class does not exist.
    pub(crate) fn qualified_variable(&self, name: &str) -> Option<Value> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let Some(end) = name.rfind("::") else {
            return self.scopes[TOP].variables.get(name).cloned().or_else(|| self.scopes_node(name));
        };
        let (class, leaf) = (&name[..end], &name[end + 2..]);
        if class == "settings" {
            return self.settings.get(leaf).cloned();
        }
        let mut at = self.class_scopes.get(class).copied();
        // While its defaults are evaluated, a class also sees its parameters by their qualified names.
        if at == Some(self.scope)
            && !self.locals.pending.is_empty()
            && let Ok(Some(value)) = self.locals.get(leaf)
        {
            return Some(value.clone());
        }
        while let Some(id) = at {
            let scope = self.scopes.get(id)?;
            if let Some(value) = scope.variables.get(leaf) {
                return Some(value.clone());
            }
            at = scope.inherits;
        }
        None
    }

    /// Variables of the node are visible everywhere, like those of the top scope.
    fn scopes_node(&self, name: &str) -> Option<Value> {
        self.scopes.iter().find(|scope| scope.is_node)?.variables.get(name).cloned()
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
            self.locals.bind(name.clone(), value);
            return Ok(None);
        }
        let scope = &mut self.scopes[self.scope];
        // At a prompt, variables may be assigned repeatedly.
        let again = self.prompting && self.scope == TOP && !matches!(&**name, "trusted" | "facts");
        if scope.variables.contains_key(name) && !again {
            let reserved = matches!(&**name, "trusted" | "facts");
            return Ok(Some(if reserved { AssignError::Reserved } else { AssignError::Assigned }));
        }
        Arc::make_mut(&mut scope.variables).insert(name.clone(), value);
        Ok(None)
    }
}
