//! The variables of a pack, and their values.

use std::collections::BTreeMap;

use hieratic_go_template::Value;
use hieratic_hcl_eval::{Attribute, Block, File, Problem, Problems, Schema, type_expression};
use hieratic_hcl_types::{Type, Value as HclValue, convert, quoted};

use crate::failure::Failure;
use crate::pack::Pack;

/// The values of variables, from the lowest to the highest precedence.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The environment variables `NOMAD_PACK_VAR_name`, without the prefix.
    pub environment: Vec<(String, String)>,
    /// The variable files: name and content.
    pub files: Vec<(String, String)>,
    /// The arguments: `name=value`, or `dependency.name=value` for a dependency.
    pub arguments: Vec<String>,
}

/// The names of the variables that have no value: neither a default nor a given one, or null. Templates get nothing for
/// them.
///
/// # Errors
/// The variables are invalid.
pub fn unset_variables(pack: &Pack, inputs: &Inputs) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    Variables::new(pack, inputs)?.unset("", &mut names);
    Ok(names)
}

/// A declared variable with its value.
struct Variable {
    ty: Option<Type>,
    value: HclValue,
    description: String,
}

/// The variables of a pack by name, and those of its dependencies.
pub(crate) struct Variables {
    own: BTreeMap<String, Variable>,
    dependencies: BTreeMap<String, Variables>,
}

impl Variables {
    /// Reads the variables of a pack and its dependencies, and sets their values.
    pub(crate) fn new(pack: &Pack, inputs: &Inputs) -> Result<Variables, Failure> {
        let mut problems = Problems::default();
        let mut variables = declared(pack, &mut problems);
        if problems.has_errors() {
            return Err(Failure::of_problems(&problems));
        }
        for (name, text) in &inputs.environment {
            variables.set_text(name, text, "environment", &mut problems);
        }
        for (file, text) in &inputs.files {
            variables.read(file, text, &mut problems);
        }
        for argument in &inputs.arguments {
            match argument.split_once('=') {
                Some((name, text)) => variables.set_text(name, text, "arguments", &mut problems),
                None => {
                    problems.push(Problem::error("Invalid -var option", format!("{argument:?} is not NAME=VALUE.")))
                }
            }
        }
        if problems.has_errors() { Err(Failure::of_problems(&problems)) } else { Ok(variables) }
    }

    /// The values for templates.
    pub(crate) fn values(&self) -> Value {
        Value::map(self.own.iter().map(|(name, variable)| (name.clone(), to_template(&variable.value))))
    }

    /// The names of the variables without a value, those of dependencies with the names of these.
    fn unset(&self, above: &str, names: &mut Vec<String>) {
        let unset = self.own.iter().filter(|(_, one)| one.value.is_null());
        names.extend(unset.map(|(name, _)| format!("{above}{name}")));
        for (name, inner) in &self.dependencies {
            inner.unset(&format!("{above}{name}."), names);
        }
    }

    /// The failure of the variables without a value, as the reference tells it.
    pub(crate) fn require_values(&self) -> Result<(), Failure> {
        let mut problems = Problems::default();
        self.collect_unset(&mut problems);
        if !problems.has_errors() {
            return Ok(());
        }
        Err(Failure::of_problems(&problems).with_help("set it with --var or --var-file, or pass --allow-unset-vars"))
    }

    fn collect_unset(&self, problems: &mut Problems) {
        for (name, variable) in self.own.iter().filter(|(_, one)| one.value.is_null()) {
            let description = match variable.description.as_str() {
                "" => String::new(),
                text => format!(" ({text})"),
            };
            let detail = format!("missing required variable: {}{description}", quoted(name));
            problems.push(Problem::error("missing required variable", detail));
        }
        for inner in self.dependencies.values() {
            inner.collect_unset(problems);
        }
    }

    pub(crate) fn dependency(&self, name: &str) -> Option<&Variables> {
        self.dependencies.get(name)
    }

    /// The variable of a name, which may be one of a dependency.
    fn find(&mut self, name: &str) -> Option<&mut Variable> {
        match name.split_once('.') {
            Some((dependency, rest)) => self.dependencies.get_mut(dependency)?.find(rest),
            None => self.own.get_mut(name),
        }
    }

    /// Gives a variable a value that is a string, or HCL if its type needs it.
    fn set_text(&mut self, name: &str, text: &str, from: &str, problems: &mut Problems) {
        let place = format!("<value for var {name} from {from}>");
        let Some(variable) = self.find(name) else {
            problems.push(undeclared(name));
            return;
        };
        let is_text = matches!(variable.ty, None | Some(Type::String | Type::Number));
        let value = if is_text {
            HclValue::string(text)
        } else {
            let file = File::native_expression(&place, text);
            problems.append(file.problems().clone());
            let Some(expression) = file.expression() else { return };
            let (value, more) = expression.literal_value();
            problems.append(more);
            value
        };
        variable.set(name, value, problems);
    }

    fn read(&mut self, name: &str, text: &str, problems: &mut Problems) {
        let file = if name.ends_with(".json") { File::json(name, text) } else { File::native(name, text) };
        problems.append(file.problems().clone());
        let (attributes, more) = file.body().just_attributes();
        problems.append(more);
        for attribute in &attributes {
            let (value, more) = attribute.expression.literal_value();
            problems.append(more);
            match self.find(&attribute.name) {
                Some(variable) => variable.set(&attribute.name, value, problems),
                None => problems.push(undeclared(&attribute.name).at_range(attribute.name_range.clone())),
            }
        }
    }
}

fn undeclared(name: &str) -> Problem {
    let detail = format!("The pack declares no variable {name:?}. Its variables are in variables.hcl.");
    Problem::error("Missing base variable declaration to override", detail)
}

impl Variable {
    fn set(&mut self, name: &str, value: HclValue, problems: &mut Problems) {
        match &self.ty {
            None => self.value = value,
            Some(ty) => match convert(&value, ty) {
                Ok(value) => self.value = value,
                Err(error) => {
                    let detail = format!("The value of {name:?} is not compatible with its type: {error}.");
                    problems.push(Problem::error("Invalid value for variable", detail));
                }
            },
        }
    }
}

/// The variables that a pack declares, with their defaults.
fn declared(pack: &Pack, problems: &mut Problems) -> Variables {
    let mut own = BTreeMap::new();
    if let Some(source) = &pack.variables {
        let file = File::native(&source.path(), source.text.as_str());
        problems.append(file.problems().clone());
        let blocks: [(&str, &[&str]); 2] = [("variable", &["name"]), ("nomad_variable", &["path"])];
        let (content, more) = file.body().content(&Schema::new(&[], &blocks));
        problems.append(more);
        for block in content.blocks.iter().filter(|block| &*block.kind == "variable") {
            let name = block.labels.first().map(ToString::to_string).unwrap_or_default();
            own.insert(name, declaration(block, problems));
        }
    }
    let inner = pack.dependencies.iter().map(|(name, pack)| (name.clone(), declared(pack, problems)));
    Variables { own, dependencies: inner.collect() }
}

fn declaration(block: &Block<'_>, problems: &mut Problems) -> Variable {
    let schema = Schema::new(&["description", "default", "type"], &[("validation", &[])]);
    let (content, more) = block.body.content(&schema);
    problems.append(more);
    // The checks of the schema report another type.
    let description = content.attribute("description").map(|attribute| attribute.expression.literal_value().0);
    let description = description.and_then(|value| value.as_str().map(ToString::to_string)).unwrap_or_default();
    let mut variable = Variable { ty: None, value: HclValue::NULL, description };
    let mut defaults = None;
    if let Some(attribute) = content.attribute("type") {
        let (ty, found, more) = type_expression::constraint_with_defaults(&attribute.expression);
        problems.append(more);
        (variable.ty, defaults) = (Some(ty), found);
    }
    if let Some(attribute) = content.attribute("default") {
        let value = default(attribute, problems);
        let value = match &defaults {
            Some(defaults) if !value.is_null() => defaults.apply(&value),
            _ => value,
        };
        // An object without attributes is a default of any object.
        let is_empty = matches!((&value, &variable.ty), (HclValue::Object(_), Some(Type::Object(_))))
            && value.as_entries().is_some_and(<[_]>::is_empty);
        match variable.ty.as_ref().filter(|_| !is_empty).map(|ty| convert(&value, ty)) {
            None => variable.value = value,
            Some(Ok(value)) => variable.value = value,
            Some(Err(error)) => {
                let detail = format!("The default is not compatible with the type of the variable: {error}.");
                let problem = Problem::error("Invalid default value for variable", detail);
                problems.push(problem.at_range(attribute.expression.range()));
            }
        }
    }
    variable
}

fn default(attribute: &Attribute<'_>, problems: &mut Problems) -> HclValue {
    let (value, more) = attribute.expression.literal_value();
    problems.append(more);
    value
}

/// A value of HCL as templates see it.
pub(crate) fn to_template(value: &HclValue) -> Value {
    match value {
        HclValue::Null(_) | HclValue::Unknown(_) => Value::Nil,
        HclValue::Bool(truth) => Value::Bool(*truth),
        HclValue::Number(number) => match number.to_i64() {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.to_f64()),
        },
        HclValue::String(text) => Value::from(&**text),
        HclValue::List(_) | HclValue::Set(_) | HclValue::Tuple(_) => {
            Value::list(value.elements().map(to_template).collect())
        }
        HclValue::Map(_) | HclValue::Object(_) => {
            let entries = value.as_entries().unwrap_or_default();
            Value::map(entries.iter().map(|(key, value)| (key.to_string(), to_template(value))))
        }
    }
}
