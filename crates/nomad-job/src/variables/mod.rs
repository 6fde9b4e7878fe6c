//! Variables, which are declared in the job file and get external values; and locals.
//!
//! A variable may have values from several sources, each overriding the previous one: its default, the environment,
//! variable files in order, the command line. A variable without any value is an error, even if it is not used.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/variables> and
//! <https://developer.hashicorp.com/nomad/docs/reference/hcl2/locals>.

mod assign;
mod declare;
mod locals;
mod validation;

use std::sync::Arc;

use hieratic_hcl_eval::type_expression::Defaults;
use hieratic_hcl_eval::{Functions, Position, Problem, Problems, Range, Reference, Source, Span};
use hieratic_hcl_syntax::ast::Step;
use hieratic_hcl_types::{ConversionError, Text, Type, Value, convert};
use hieratic_value::collections::{HashMap, HashSet};

pub(crate) use self::assign::Assignments;
pub(crate) use self::locals::locals;
use self::validation::Validation;
use crate::Options;

/// The source of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// The declaration.
    Default,
    /// An environment variable `NOMAD_VAR_name`.
    Environment,
    /// A variable file.
    File,
    /// `-var name=value`.
    CommandLine,
}

impl ValueSource {
    /// Returns the name of the source in messages.
    pub fn name(self) -> &'static str {
        match self {
            ValueSource::Default => "default",
            ValueSource::Environment => "env",
            ValueSource::File => "varfile",
            ValueSource::CommandLine => "cmd",
        }
    }
}

/// An assignment to a variable.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The source of the value.
    pub from: ValueSource,
    /// The value, of the variable's type.
    pub value: Value,
    /// The range of the value, if it is in a file.
    pub place: Option<Range>,
    /// The range that messages about the value point to.
    subject: Range,
}

/// A variable of a job, with its assignments.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Text,
    /// The description.
    pub description: Option<Text>,
    /// The declared type, or the type of the default.
    pub ty: Option<Type>,
    /// The range of its declaration.
    pub declaration: Range,
    /// The assignments in the order of their sources. The last one is the value of the variable.
    pub assignments: Vec<Assignment>,
    /// The defaults of optional attributes of its values; only with extensions.
    defaults: Option<Defaults>,
}

impl Variable {
    /// A value as one of the variable's type.
    fn convert_value(&self, value: &Value, ty: &Type) -> Result<Value, ConversionError> {
        match &self.defaults {
            Some(defaults) => convert(&defaults.apply(value), ty),
            None => convert(value, ty),
        }
    }

    /// Returns the last assignment, which is the value of the variable.
    pub fn winner(&self) -> Option<&Assignment> {
        self.assignments.last()
    }
}

/// A variable with the data that is only needed while reading.
struct DeclaredVariable<'a> {
    variable: Variable,
    validations: Vec<Validation<'a>>,
}

/// The variables of a job, in the order of their declaration.
#[derive(Default)]
pub(crate) struct Variables<'a> {
    declared: Vec<DeclaredVariable<'a>>,
    places: HashMap<Text, usize>,
    /// The names of variables with invalid declarations, which the reference treats as undeclared.
    failed: HashSet<Text>,
    /// The names of values in files for several jobs that this one does not declare.
    undeclared: Vec<Text>,
    /// Whether attributes may be optional.
    extensions: bool,
}

impl<'a> Variables<'a> {
    /// No variables yet; with extensions or without.
    pub(crate) fn new(extensions: bool) -> Self {
        Variables { extensions, ..Self::default() }
    }

    fn find(&mut self, name: &str) -> Option<&mut DeclaredVariable<'a>> {
        self.declared.get_mut(*self.places.get(name)?)
    }

    fn is_declared(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    fn add(&mut self, declared: DeclaredVariable<'a>) {
        self.places.insert(declared.variable.name.clone(), self.declared.len());
        self.declared.push(declared);
    }

    /// The effective values as the object `var`, and their problems.
    pub(crate) fn values(&self, functions: &Functions, options: &Options) -> (Value, Problems) {
        let mut problems = Problems::default();
        let mut values = Vec::with_capacity(self.declared.len());
        for DeclaredVariable { variable, validations } in &self.declared {
            let value = match variable.winner() {
                Some(winner) => {
                    for validation in validations {
                        problems.append(validation.check(&variable.name, winner, functions, &options.budget));
                    }
                    winner.value.clone()
                }
                None => {
                    if !options.partial {
                        problems.push(unset(variable));
                    }
                    Value::Unknown(variable.ty.as_ref().map_or(Type::Dynamic, Type::without_optional))
                }
            };
            values.push((variable.name.clone(), value));
        }
        (Value::object(values), problems)
    }

    /// Drops the data that is only needed while reading.
    /// The variables, and the names of values that are for other jobs.
    pub(crate) fn into_parts(self) -> (Vec<Variable>, Vec<Text>) {
        (self.declared.into_iter().map(|declared| declared.variable).collect(), self.undeclared)
    }
}

fn unset(variable: &Variable) -> Problem {
    let problem = Problem::error(
        format!("Unset variable {}", hieratic_hcl_types::quoted(&variable.name)),
        "A used variable must be set or have a default value; see \
         https://developer.hashicorp.com/nomad/docs/reference/hcl2/variables  for details.",
    );
    Problem { context: Some(variable.declaration.clone()), ..problem }
}

/// The range of a value without a position, such as a literal string.
fn nowhere() -> Range {
    let source = Source::at("", Vec::new(), Position { line: 0, column: 0 }, 0);
    Range::new(Arc::new(source), Span::default())
}

/// The first attribute of a reference.
pub(crate) fn first_attribute(reference: &Reference) -> Option<&str> {
    match reference.steps.first() {
        Some(Step::Attribute { name, .. }) => Some(name),
        _ => None,
    }
}
