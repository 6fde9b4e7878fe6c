//! `variable` and `variables` blocks.

use hieratic_hcl_eval::{Attribute, Block, Expression, Problem, Problems, Schema, type_expression};
use hieratic_hcl_types::{Text, Type, Value, convert};

use super::validation::Validation;
use super::{Assignment, DeclaredVariable, ValueSource, Variable, Variables};

/// The definition of an identifier for messages.
const IDENTIFIER: &str =
    "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.";

impl<'a> Variables<'a> {
    /// Declares the variable of a `variable` block.
    pub(crate) fn declare(&mut self, block: &Block<'a>) -> Problems {
        let Some(name) = block.labels.first() else { return Problems::default() };
        let problems = self.declare_as(name, block);
        if !self.is_declared(name) {
            self.failed.insert(name.clone());
        }
        problems
    }

    fn declare_as(&mut self, name: &Text, block: &Block<'a>) -> Problems {
        if self.is_declared(name) {
            let problem = Problem::error("Duplicate variable", format!("Duplicate {name} variable definition found."));
            return Problem { context: Some(block.def_range.clone()), ..problem }.into();
        }
        let schema = Schema::new(&["description", "default", "type"], &[("validation", &[])]);
        let (content, mut problems) = block.body.content(&schema);
        if !hieratic_hcl_syntax::is_identifier(name) {
            let place = block.label_ranges.first().unwrap_or(&block.def_range);
            problems.push(Problem::error("Invalid variable name", IDENTIFIER).at_range(place.clone()));
        }
        let mut variable = Variable {
            name: name.clone(),
            description: None,
            ty: None,
            declaration: block.def_range.clone(),
            assignments: Vec::new(),
            defaults: None,
        };
        if let Some(attribute) = content.attribute("description") {
            variable.description = text(&attribute.expression, &mut problems).map(Into::into);
        }
        if let Some(attribute) = content.attribute("type") {
            let (ty, defaults, more) = if self.extensions {
                type_expression::constraint_with_defaults(&attribute.expression)
            } else {
                let (ty, more) = type_expression::exact(&attribute.expression);
                (ty, None, more)
            };
            let failed = more.has_errors();
            problems.append(more);
            if failed {
                return problems;
            }
            variable.ty = Some(ty);
            variable.defaults = defaults;
        }
        if let Some(attribute) = content.attribute("default") {
            let (value, more) = attribute.expression.literal_value();
            let failed = more.has_errors();
            problems.append(more);
            if failed {
                return problems;
            }
            let value = match &variable.ty {
                Some(ty) => variable.convert_value(&value, ty).unwrap_or_else(|failure| {
                    let detail =
                        format!("This default value is not compatible with the variable's type constraint: {failure}.");
                    let problem = Problem::error("Invalid default value for variable", detail);
                    problems.push(problem.at_range(attribute.expression.range()));
                    Value::DYNAMIC
                }),
                None => value,
            };
            variable.ty.get_or_insert_with(|| value.ty());
            variable.assignments.push(default(value, &attribute.expression));
        }
        let mut validations = Vec::new();
        for block in content.blocks {
            let (validation, more) = Validation::read(&variable.name, &block);
            problems.append(more);
            validations.push(validation);
        }
        self.add(DeclaredVariable { variable, validations });
        problems
    }

    /// Declares the variable of an argument in a `variables` block, which is its default.
    pub(crate) fn declare_default(&mut self, attribute: &Attribute<'a>) -> Problems {
        let name = &attribute.name;
        if self.is_declared(name) {
            let problem = Problem::error("Duplicate variable", format!("Duplicate {name} variable definition found."));
            return problem.at_range(attribute.name_range.clone()).into();
        }
        let (value, problems) = attribute.expression.literal_value();
        if problems.has_errors() {
            self.failed.insert(name.clone());
            return problems;
        }
        let variable = Variable {
            name: name.clone(),
            description: None,
            ty: Some(value.ty()),
            declaration: attribute.range.clone(),
            assignments: vec![default(value, &attribute.expression)],
            defaults: None,
        };
        self.add(DeclaredVariable { variable, validations: Vec::new() });
        problems
    }
}

fn default(value: Value, expression: &Expression<'_>) -> Assignment {
    let place = expression.range();
    Assignment { from: ValueSource::Default, value, place: Some(place.clone()), subject: place }
}

/// Evaluates an expression without variables to a string.
pub(super) fn text(expression: &Expression<'_>, problems: &mut Problems) -> Option<String> {
    let (value, more) = expression.literal_value();
    problems.append(more);
    let failure = match convert(&value, &Type::String) {
        Ok(Value::String(text)) => return Some(text.to_string()),
        Ok(Value::Null(_)) => "null value is not allowed".to_owned(),
        Ok(_) => "value must be known".to_owned(),
        Err(failure) => failure.to_string(),
    };
    let problem = Problem::error("Unsuitable value type", format!("Unsuitable value: {failure}"));
    let problem = problem.at_range(expression.start_range());
    problems.push(Problem { context: Some(expression.range()), ..problem });
    None
}
