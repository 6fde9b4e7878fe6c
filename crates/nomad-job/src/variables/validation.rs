//! `validation` blocks: conditions that the value of a variable must meet.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/variables#custom-validation-rules>.

use hieratic_budget::Budget;
use hieratic_hcl_eval::{
    Attribute, AttributeSchema, Block, Context, Expression, Functions, Problem, Problems, Range, Reference, Schema,
};
use hieratic_hcl_types::{Text, Type, Value, convert};

use super::Assignment;
use super::declare::text;
use super::first_attribute;

/// A condition, with the error message if it is false.
pub(super) struct Validation<'a> {
    condition: Option<Expression<'a>>,
    message: String,
    declaration: Range,
    /// Whether the block itself has errors.
    wrong: bool,
}

impl<'a> Validation<'a> {
    /// Decodes the block. The condition may only refer to the variable itself.
    pub(super) fn read(variable: &str, block: &Block<'a>) -> (Self, Problems) {
        let attributes = vec![AttributeSchema::required("condition"), AttributeSchema::required("error_message")];
        let schema = Schema { attributes, blocks: Vec::new() };
        let (content, mut problems) = block.body.content(&schema);
        let mut validation =
            Validation { condition: None, message: String::new(), declaration: block.def_range.clone(), wrong: false };
        if let Some(attribute) = content.attribute("condition") {
            references(variable, &attribute.expression, &mut problems);
            validation.condition = Some(attribute.expression.clone());
        }
        if let Some(attribute) = content.attribute("error_message") {
            validation.message = message(attribute, &mut problems);
        }
        validation.wrong = problems.has_errors();
        (validation, problems)
    }

    /// Checks a value of the variable. The problems are consequences if the block itself has errors.
    pub(super) fn check(
        &self,
        variable: &Text,
        assignment: &Assignment,
        functions: &Functions,
        budget: &Budget,
    ) -> Problems {
        let problems = self.check_condition(variable, assignment, functions, budget);
        problems.into_iter().map(|problem| problem.with_follows(self.wrong)).collect()
    }

    fn check_condition(
        &self,
        variable: &Text,
        assignment: &Assignment,
        functions: &Functions,
        budget: &Budget,
    ) -> Problems {
        let Some(condition) = &self.condition else {
            let problem =
                Problem::error("Invalid variable validation specification", "validation requires a condition.");
            return problem.at_range(self.declaration.clone()).into();
        };
        let value = Value::object(vec![(variable.clone(), assignment.value.clone())]);
        let context =
            Context::new().with_budget(budget).with_variables([("var".into(), value)]).with_functions(functions);
        let (result, mut problems) = condition.value(&context);
        let invalid =
            |detail: String| Problem::error("Invalid variable validation result", detail).at_range(condition.range());
        match convert(&result, &Type::Bool) {
            _ if !result.is_known() => {}
            _ if result.is_null() => problems.push(invalid(
                "Validation condition expression must return either true or false, not null.".to_owned(),
            )),
            Ok(Value::Bool(true)) => {}
            Ok(_) => {
                let detail =
                    format!("{}\n\nThis was checked by the validation rule at {}.", self.message, self.declaration);
                let summary = format!("Invalid value for {} variable", assignment.from.name());
                problems.push(Problem::error(summary, detail).at_range(assignment.subject.clone()));
            }
            Err(failure) => problems.push(invalid(format!("Invalid validation condition result value: {failure}."))),
        }
        problems
    }
}

/// Reports references that a condition must not have, and a missing reference to the variable.
fn references(variable: &str, condition: &Expression<'_>, problems: &mut Problems) {
    let mut good = false;
    for traversal in condition.variables() {
        if refers_to(&traversal, variable) {
            good = true;
            continue;
        }
        let detail = format!(
            "The condition for variable \"{variable}\" can only refer to the variable itself, using var.{variable}."
        );
        let problem = Problem::error("Invalid reference in variable validation", detail);
        problems.push(problem.at_range(traversal.range.clone()));
    }
    if !good {
        let detail = format!(
            "The condition for variable \"{variable}\" must refer to var.{variable} in order to test incoming values."
        );
        let problem = Problem::error("Invalid variable validation condition", detail);
        problems.push(problem.at_range(condition.range()));
    }
}

fn refers_to(reference: &Reference, variable: &str) -> bool {
    &*reference.root == "var" && first_attribute(reference) == Some(variable)
}

fn message(attribute: &Attribute<'_>, problems: &mut Problems) -> String {
    let Some(text) = text(&attribute.expression, problems) else { return String::new() };
    if text.trim().is_empty() {
        let detail = "An empty or blank string is not a valid nor useful error message.";
        let problem = Problem::error("Invalid validation error message", detail);
        problems.push(problem.at_range(attribute.expression.range()));
    }
    text
}
