//! Variables of levant in files of Terraform, which are read as Terraform 0.13 reads them.
//!
//! Source: <https://developer.hashicorp.com/terraform/language/v1.1.x/values/variables>.

use std::collections::BTreeMap;

use hieratic_go_template::Value;
use hieratic_hcl_eval::syntax::is_identifier;
use hieratic_hcl_eval::{Block, Expression, File, Problem, Problems, Schema, type_expression};
use hieratic_hcl_types::{Type, convert, quoted};

use crate::failure::Failure;
use crate::variables::to_template;

/// The blocks of a configuration, with their labels. Only those of variables are read.
const BLOCKS: [(&str, &[&str]); 9] = [
    ("terraform", &[]),
    ("required_providers", &[]),
    ("provider", &["name"]),
    ("variable", &["name"]),
    ("locals", &[]),
    ("output", &["name"]),
    ("module", &["name"]),
    ("resource", &["type", "name"]),
    ("data", &["type", "name"]),
];

/// The names of arguments and blocks of a module, which variables cannot have.
const RESERVED: [&str; 9] =
    ["source", "version", "count", "for_each", "depends_on", "providers", "lifecycle", "locals", "provider"];

/// Returns the defaults of the variables in a Terraform file.
///
/// # Errors
/// The file is not valid.
pub fn terraform_variables(name: &str, text: &str) -> Result<BTreeMap<String, Value>, Failure> {
    let file = File::native(name, text);
    let mut problems: Problems = file.problems().clone();
    let (content, more) = file.body().content(&Schema::new(&[], &BLOCKS));
    problems.append(more);
    let mut variables = BTreeMap::new();
    for block in content.blocks.iter().filter(|block| &*block.kind == "variable") {
        let Some(name) = block.labels.first() else { continue };
        if let Some(problem) = invalid_name(name, block) {
            problems.push(problem);
        }
        if let Some(value) = default(block, &mut problems) {
            variables.insert(name.to_string(), value);
        }
    }
    if problems.has_errors() { Err(Failure::of_problems(&problems)) } else { Ok(variables) }
}

fn invalid_name(name: &str, block: &Block<'_>) -> Option<Problem> {
    let detail = if !is_identifier(name) {
        "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes."
            .to_owned()
    } else if RESERVED.contains(&name) {
        format!("The variable name {} is reserved due to its special meaning inside module blocks.", quoted(name))
    } else {
        return None;
    };
    let problem = Problem::error("Invalid variable name", detail);
    Some(match block.label_ranges.first() {
        Some(range) => problem.at_range(range.clone()),
        None => problem,
    })
}

/// The default of a variable, converted to its type.
fn default(block: &Block<'_>, problems: &mut Problems) -> Option<Value> {
    let schema = Schema::new(&["description", "default", "type"], &[("validation", &[])]);
    let (content, more) = block.body.content(&schema);
    problems.append(more);
    let ty = content.attribute("type").map(|attribute| variable_type(&attribute.expression, problems));
    let attribute = content.attribute("default")?;
    let (value, more) = attribute.expression.literal_value();
    problems.append(more);
    match ty.map_or_else(|| Ok(value.clone()), |ty| convert(&value, &ty)) {
        Ok(value) => Some(to_template(&value)),
        Err(error) => {
            let detail = format!("This default value is not compatible with the variable's type constraint: {error}.");
            let problem = Problem::error("Invalid default value for variable", detail);
            problems.push(problem.at_range(attribute.expression.range()));
            None
        }
    }
}

/// The type of a variable, also in the notations of earlier versions: a word in quotes, or a collection alone.
fn variable_type(expression: &Expression<'_>, problems: &mut Problems) -> Type {
    let word = expression.as_keyword();
    let (text, _) = expression.literal_value();
    let old = text.as_str().map(ToString::to_string);
    match (word.as_deref(), old.as_deref()) {
        (_, Some("string")) => Type::String,
        (Some("list"), _) | (_, Some("list")) => Type::list(Type::Dynamic),
        (Some("map"), _) | (_, Some("map")) => Type::map(Type::Dynamic),
        (_, Some(_)) => {
            let detail = "The legacy variable type hint form, using a quoted string, allows only the values \
                          \"string\", \"list\", and \"map\".";
            let problem = Problem::error("Invalid legacy variable type hint", detail.to_owned());
            problems.push(problem.at_range(expression.range()));
            Type::Dynamic
        }
        _ => {
            let (ty, more) = type_expression::constraint(expression);
            problems.append(more);
            ty
        }
    }
}
