//! Assigns external values to variables.

use hieratic_hcl_eval::{Attribute, Body, File, Problem, Problems, Schema};
use hieratic_hcl_types::{Type, Value};

use super::{Assignment, ValueSource, Variable, Variables, nowhere};

/// The prefix of environment variables that set variables.
const PREFIX: &str = "NOMAD_VAR_";

/// The sources of values.
pub(crate) struct Assignments<'a> {
    /// The environment: names with their values.
    pub(crate) environment: &'a [(String, String)],
    /// The variable files, read.
    pub(crate) files: &'a [File],
    /// The arguments of `-var`.
    pub(crate) arguments: &'a [String],
    /// The values for all jobs of a set, which arguments override.
    pub(crate) set_arguments: &'a [String],
    /// The values that a program gives.
    pub(crate) values: &'a [(String, Value)],
    /// Whether a value for an undeclared variable is an error; otherwise it is a warning.
    pub(crate) strict: bool,
    /// Whether variable files may set undeclared variables without a message.
    pub(crate) allow_undeclared: bool,
    /// Whether arguments may do so.
    pub(crate) shared_arguments: bool,
}

impl Assignments<'_> {
    /// Assigns the values of all sources.
    pub(crate) fn assign(&self, variables: &mut Variables<'_>) -> Problems {
        let mut problems = Problems::default();
        for (name, value) in self.environment {
            if let Some(name) = name.strip_prefix(PREFIX)
                && let Some(declared) = variables.find(name)
            {
                let place = format!("<value for var.{name} from env>");
                give_text(&mut declared.variable, ValueSource::Environment, value, place, &mut problems);
            }
        }
        for file in self.files {
            let body = file.body();
            misplaced_declarations(&body, &mut problems);
            // The general messages about this common mistake would be less helpful.
            if problems.has_errors() {
                return problems;
            }
            let (attributes, more) = body.just_attributes();
            problems.append(more);
            for attribute in &attributes {
                match variables.find(&attribute.name) {
                    Some(declared) => give_expression(&mut declared.variable, attribute, &mut problems),
                    None if self.allow_undeclared => variables.undeclared.push(attribute.name.clone()),
                    None => {
                        let problem = self.undeclared_in_file(attribute);
                        problems.push(problem.with_follows(variables.failed.contains(&attribute.name)));
                    }
                }
            }
        }
        for (name, value) in self.last_arguments() {
            match variables.find(name) {
                Some(declared) => {
                    let place = format!("<value for var.{name} from arguments>");
                    give_text(&mut declared.variable, ValueSource::CommandLine, value, place, &mut problems);
                }
                None if !self.is_argument(name) => {}
                None => self.report_undeclared(name, variables, &mut problems),
            }
        }
        for (name, value) in self.values {
            match variables.find(name) {
                Some(declared) => give_value(&mut declared.variable, value.clone(), &mut problems),
                None => self.report_undeclared(name, variables, &mut problems),
            }
        }
        problems
    }

    /// The arguments by name, the last of each; those without a value do not count.
    fn last_arguments(&self) -> Vec<(&str, &str)> {
        let mut last: Vec<(&str, &str)> = Vec::new();
        let all = self.set_arguments.iter().chain(self.arguments);
        for (name, value) in all.filter_map(|argument| argument.split_once('=')) {
            match last.iter_mut().find(|(own, _)| *own == name) {
                Some((_, own)) => *own = value,
                None => last.push((name, value)),
            }
        }
        last
    }

    /// Whether an argument sets a variable, besides the values of a set.
    fn is_argument(&self, name: &str) -> bool {
        self.arguments.iter().filter_map(|argument| argument.split_once('=')).any(|(own, _)| own == name)
    }

    fn undeclared_in_file(&self, attribute: &Attribute<'_>) -> Problem {
        let name = hieratic_hcl_types::quoted(&attribute.name);
        let detail = format!(
            "A {name} variable was set but was not found in known variables. To declare variable {name}, place this block \
             in your job files"
        );
        let problem = self.severe(Problem::error("Undefined variable", detail));
        Problem { context: Some(attribute.range.clone()), ..problem }
    }

    /// Reports that an argument or a value is for no variable, unless these are for several jobs.
    fn report_undeclared(&self, name: &str, variables: &Variables<'_>, problems: &mut Problems) {
        if !self.shared_arguments {
            let follows = variables.failed.contains(name);
            problems.push(self.undeclared_argument(name).with_follows(follows));
        }
    }

    fn undeclared_argument(&self, name: &str) -> Problem {
        let name = hieratic_hcl_types::quoted(name);
        let detail = format!(
            "A {name} variable was passed in the command line but was not found in known variables. To declare variable \
             {name}, place this block in your job file"
        );
        self.severe(Problem::error("Undefined -var variable", detail))
    }

    fn severe(&self, problem: Problem) -> Problem {
        if self.strict { problem } else { problem.as_warning() }
    }
}

/// Reports declarations in a variable file, with the syntax to use instead.
fn misplaced_declarations(body: &Body<'_>, problems: &mut Problems) {
    let (content, _, _) = body.partial_content(&Schema::new(&[], &[("variable", &["name"])]));
    for block in &content.blocks {
        let name = block.labels.first().map_or("", |label| label);
        let (quoted, file) = (hieratic_hcl_types::quoted(name), block.type_range.source.name());
        let detail = format!(
            "A .var file is used to assign values to variables that have already been declared in job files, not to \
             declare new variables. To declare variable {quoted}, place this block in one of your job files\n\nTo set a \
             value for this variable in {file}, use the definition syntax instead:\n    {name} = <value>"
        );
        let problem = Problem::error("Variable declaration in a .var file", detail);
        problems.push(problem.at_range(block.type_range.clone()));
    }
}

/// Assigns the value of an argument in a file.
fn give_expression(variable: &mut Variable, attribute: &Attribute<'_>, problems: &mut Problems) {
    let (value, more) = attribute.expression.literal_value();
    problems.append(more);
    let place = attribute.expression.range();
    let value = converted(variable, value, "Invalid value for variable", "value", || place.clone(), problems);
    variable.assignments.push(Assignment {
        from: ValueSource::File,
        value,
        place: Some(place.clone()),
        subject: place,
    });
}

/// Assigns a value from a string: for variables of type string and number, and without a type, it is the value; for
/// others it is an expression.
fn give_text(variable: &mut Variable, from: ValueSource, text: &str, place: String, problems: &mut Problems) {
    let literal = matches!(variable.ty, None | Some(Type::String | Type::Number));
    let (value, subject) = if literal {
        (Value::string(text), nowhere())
    } else {
        let file = File::native_expression(&place, text);
        let failed = file.problems().has_errors();
        problems.extend(file.problems().iter().cloned());
        let Some(expression) = file.expression().filter(|_| !failed) else { return };
        let (value, more) = expression.literal_value();
        problems.append(more);
        (value, expression.range())
    };
    let (summary, label) = match from {
        ValueSource::CommandLine => ("Invalid argument value for -var variable", "received arg value"),
        _ => ("Invalid value for variable", "value"),
    };
    let value = converted(variable, value, summary, label, || subject.clone(), problems);
    variable.assignments.push(Assignment { from, value, place: None, subject });
}

/// Assigns a value as it is.
fn give_value(variable: &mut Variable, value: Value, problems: &mut Problems) {
    let (summary, subject) = ("Invalid value for variable", nowhere());
    let value = converted(variable, value, summary, "value", || subject.clone(), problems);
    variable.assignments.push(Assignment { from: ValueSource::CommandLine, value, place: None, subject });
}

/// The value as one of the variable's type.
fn converted(
    variable: &Variable,
    value: Value,
    summary: &'static str,
    subject: &str,
    place: impl Fn() -> hieratic_hcl_eval::Range,
    problems: &mut Problems,
) -> Value {
    let Some(ty) = &variable.ty else { return value };
    variable.convert_value(&value, ty).unwrap_or_else(|problem| {
        let name = &variable.name;
        let detail =
            format!("The {subject} for {name} is not compatible with the variable's type constraint: {problem}.");
        problems.push(Problem::error(summary, detail).at_range(place()));
        Value::DYNAMIC
    })
}
