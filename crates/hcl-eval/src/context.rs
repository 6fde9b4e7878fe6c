//! The variables and functions that an expression can refer to.

use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_hcl_syntax::{Problems, Source, Span};
use hieratic_hcl_types::{Text, Value};
use hieratic_value::collections::HashMap;

use crate::dynamic::Iteration;
use crate::functions::{Functions, TaintObserver};

/// From how many variables on they are found by hash.
const MANY: usize = 8;

/// A reference to an undefined variable.
#[derive(Clone, Copy, Debug)]
pub struct Undefined<'s> {
    /// The name of the variable.
    pub name: &'s str,
    /// The span of the name and all steps.
    pub span: Span,
    /// The source of the reference.
    pub source: &'s Arc<Source>,
}

/// A callback that returns the value of an undefined variable.
pub type UndefinedHook<'p> = dyn Fn(Undefined<'_>) -> (Value, Problems) + 'p;

/// The variables and functions of an expression. A name that a context does not define is looked up in its parent.
///
/// A context without variables differs from one with an empty list: if no context has variables, any reference fails
/// with "variables are not allowed".
#[derive(Clone, Default)]
pub struct Context<'p> {
    parent: Option<&'p Context<'p>>,
    variables: Variables<'p>,
    functions: Option<&'p Functions>,
    undefined: Option<&'p UndefinedHook<'p>>,
    budget: Option<&'p Budget>,
    keeps_unknown: bool,
}

#[derive(Clone, Default)]
pub(crate) enum Variables<'p> {
    #[default]
    NotAllowed,
    Few(Vec<(Text, Value)>),
    Many(HashMap<Text, Value>),
    Iteration(&'p Iteration),
    Element {
        key: Option<(&'p str, Value)>,
        value: (&'p str, Value),
    },
}

impl<'p> Context<'p> {
    /// Creates an empty context.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the variables.
    pub fn with_variables(self, variables: impl IntoIterator<Item = (Text, Value)>) -> Self {
        let few: Vec<(Text, Value)> = variables.into_iter().collect();
        let variables = if few.len() < MANY { Variables::Few(few) } else { Variables::Many(few.into_iter().collect()) };
        Self { variables, ..self }
    }

    /// Sets the functions.
    pub fn with_functions(self, functions: &'p Functions) -> Self {
        Self { functions: Some(functions), ..self }
    }

    /// Sets the callback for undefined variables.
    pub fn with_undefined(self, hook: &'p UndefinedHook<'p>) -> Self {
        Self { undefined: Some(hook), ..self }
    }

    /// Sets the budget that evaluation is charged to. Without it, each expression has its own budget.
    pub fn with_budget(self, budget: &'p Budget) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// Returns the budget of this context or of its nearest ancestor with one. Without any, returns a new budget.
    pub fn budget(&self) -> Budget {
        self.chain().find_map(|context| context.budget).cloned().unwrap_or_default()
    }

    /// Sets whether unknown labels of `dynamic` blocks are allowed.
    pub fn with_unknown_labels(self, keeps_unknown: bool) -> Self {
        Self { keeps_unknown, ..self }
    }

    /// Returns whether labels of `dynamic` blocks may be unknown.
    pub(crate) fn keeps_unknown(&self) -> bool {
        self.chain().any(|context| context.keeps_unknown)
    }

    /// Creates a child of this context.
    pub fn child(&'p self) -> Context<'p> {
        Context { parent: Some(self), ..Context::default() }
    }

    pub(crate) fn child_with(&'p self, variables: Variables<'p>) -> Context<'p> {
        Context { parent: Some(self), variables, ..Context::default() }
    }

    pub(crate) fn set(&mut self, variables: Variables<'p>) {
        self.variables = variables;
    }

    /// This context and all above it.
    fn chain(&self) -> impl Iterator<Item = &Context<'p>> {
        std::iter::successors(Some(self), |context| context.parent)
    }

    /// Returns the variable with this name.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.chain().find_map(|context| context.variables.get(name))
    }

    pub(crate) fn allows_variables(&self) -> bool {
        self.chain().any(|context| !matches!(context.variables, Variables::NotAllowed))
    }

    pub(crate) fn undefined(&self) -> Option<&'p UndefinedHook<'p>> {
        self.chain().find_map(|context| context.undefined)
    }

    /// The observer of computed values, if there is one.
    pub(crate) fn observer(&self) -> Option<TaintObserver> {
        self.functions().find_map(Functions::observer).cloned()
    }

    /// The functions of this context or the nearest above it that has any.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &'p Functions> + '_ {
        self.chain().filter_map(|context| context.functions)
    }

    /// The names of all variables, for suggestions.
    pub(crate) fn variable_names(&self) -> Vec<&str> {
        self.chain().flat_map(|context| context.variables.names()).collect()
    }
}

impl Variables<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Variables::NotAllowed => None,
            Variables::Few(few) => few.iter().find(|(own, _)| &**own == name).map(|(_, value)| value),
            Variables::Many(many) => many.get(name),
            Variables::Iteration(iteration) => iteration.variable(name),
            Variables::Element { key, value } => {
                if value.0 == name {
                    return Some(&value.1);
                }
                key.as_ref().filter(|key| key.0 == name).map(|key| &key.1)
            }
        }
    }

    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = match self {
            Variables::NotAllowed => Vec::new(),
            Variables::Few(few) => few.iter().map(|(name, _)| &**name).collect(),
            Variables::Many(many) => many.keys().map(|name| &**name).collect(),
            Variables::Iteration(iteration) => iteration.names(),
            Variables::Element { key, value } => key.iter().map(|key| key.0).chain([value.0]).collect(),
        };
        names.sort_unstable();
        names
    }
}
