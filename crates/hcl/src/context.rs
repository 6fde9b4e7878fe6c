//! What an expression may refer to.

use std::sync::Arc;

use hieratic_cty::{Text, Value};
use hieratic_hash::HashMap;
use hieratic_hcl_syntax::{Problems, Source, Span};
use hieratic_powers::Budget;

use crate::dynamic::Iteration;
use crate::functions::{Functions, Witness};

/// From how many variables on they are found by hash.
const MANY: usize = 8;

/// A reference to a variable that no context has.
#[derive(Clone, Copy, Debug)]
pub struct Undefined<'s> {
    /// The name of the variable.
    pub name: &'s str,
    /// The name and all steps from it.
    pub span: Span,
    /// The text that it stands in.
    pub source: &'s Arc<Source>,
}

/// What is asked for the value of a variable that no context has.
pub type UndefinedHook<'p> = dyn Fn(Undefined<'_>) -> (Value, Problems) + 'p;

/// The variables and functions of an expression; what is not found in a context is looked for in its parent.
///
/// A context without variables is not the same as one with none: where no context has any, "variables are not allowed".
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
    /// A context with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with these variables.
    pub fn with_variables(self, variables: impl IntoIterator<Item = (Text, Value)>) -> Self {
        let few: Vec<(Text, Value)> = variables.into_iter().collect();
        let variables = if few.len() < MANY { Variables::Few(few) } else { Variables::Many(few.into_iter().collect()) };
        Self { variables, ..self }
    }

    /// The same with these functions.
    pub fn with_functions(self, functions: &'p Functions) -> Self {
        Self { functions: Some(functions), ..self }
    }

    /// The same; variables that are not there are asked for from that.
    pub fn with_undefined(self, hook: &'p UndefinedHook<'p>) -> Self {
        Self { undefined: Some(hook), ..self }
    }

    /// The same; what is evaluated draws from that budget. Without one, each expression has its own.
    pub fn with_budget(self, budget: &'p Budget) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// The budget of this context or the nearest above it that has one; a new one if none has.
    pub fn budget(&self) -> Budget {
        self.chain().find_map(|context| context.budget).cloned().unwrap_or_default()
    }

    /// The same; labels of `dynamic` blocks that are not known are no error.
    pub fn keeping_unknown(self, keeps_unknown: bool) -> Self {
        Self { keeps_unknown, ..self }
    }

    /// Whether labels of `dynamic` blocks may be unknown.
    pub(crate) fn keeps_unknown(&self) -> bool {
        self.chain().any(|context| context.keeps_unknown)
    }

    /// A context below this one.
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

    /// The variable of that name.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.chain().find_map(|context| context.variables.get(name))
    }

    pub(crate) fn allows_variables(&self) -> bool {
        self.chain().any(|context| !matches!(context.variables, Variables::NotAllowed))
    }

    pub(crate) fn undefined(&self) -> Option<&'p UndefinedHook<'p>> {
        self.chain().find_map(|context| context.undefined)
    }

    /// Who learns what is made of which values.
    pub(crate) fn witness(&self) -> Option<Witness> {
        self.functions().find_map(Functions::witness).cloned()
    }

    /// The functions of this context or the nearest above it that has any.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &'p Functions> + '_ {
        self.chain().filter_map(|context| context.functions)
    }

    /// All names that a variable may be meant by.
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
