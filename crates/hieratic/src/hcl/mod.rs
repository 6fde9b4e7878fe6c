//! HCL for tools: evaluation with a detailed result.

mod data;
mod hiera;
mod report;
mod values;

use std::path::{Path, PathBuf};

use hieratic_budget::Budget;
use hieratic_hcl_eval::{Body, Context, File, Functions, Problems, Template, type_expression};
use hieratic_hcl_functions::{Files, functions};
use hieratic_hcl_types::{Text, Type, Value};
use hieratic_sandbox::SlashPath as _;
use hieratic_sandbox::Variables;
use serde_json::{Map, Value as Json};

pub(crate) use data::HclData;
pub use hiera::HieraInHcl;
pub use values::{NoHclForm, from_cty, to_cty};

/// The kind of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HclKind {
    /// One expression.
    #[default]
    Expression,
    /// A template without quotes around it.
    Template,
    /// A file with attributes and blocks; all attributes are evaluated.
    Body,
    /// One expression of the JSON syntax.
    JsonExpression,
}

impl std::str::FromStr for HclKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "expr" => Ok(HclKind::Expression),
            "template" => Ok(HclKind::Template),
            "body" => Ok(HclKind::Body),
            "json_expr" => Ok(HclKind::JsonExpression),
            other => Err(format!("unknown kind '{other}'; the kinds are expr, template, body and json_expr")),
        }
    }
}

/// HCL source, with its variables.
#[derive(Clone, Debug, Default)]
pub struct HclInput {
    /// The kind of the source.
    pub kind: HclKind,
    /// The name of the source in messages.
    pub name: String,
    /// The source.
    pub text: Vec<u8>,
    /// The variables. If there are none, the source may not use variables.
    pub variables: Vec<(Text, Value)>,
    /// The budget of the evaluation.
    pub budget: Budget,
}

/// The result of an evaluation.
#[derive(Clone, Debug)]
pub struct HclOutput {
    /// The value, or the tree of a body. `None` after errors.
    pub value: Option<HclValue>,
    /// The errors and warnings.
    pub problems: Problems,
    /// Whether the source has syntax errors.
    pub unread: bool,
}

/// A value, or the tree of a body.
#[derive(Clone, Debug)]
pub enum HclValue {
    /// The value of an expression or template.
    Value(Value),
    /// The tree of a body: `{"attributes": {name: {"type", "value"}}, "blocks": [{"type", "labels", "body"}]}`.
    Body {
        /// The tree.
        tree: Json,
        /// Whether the tree contains an infinite number, which is written as null.
        infinite: bool,
    },
}

/// Returns the functions of Nomad's job specifications with `try`, `can` and `convert`.
///
/// The file functions read below the folder only. Without a folder, they fail.
pub fn hcl_functions(folder: Option<PathBuf>) -> Functions {
    match folder {
        Some(folder) => hcl_functions_reading(&folder, hieratic_sandbox::Files::below([&folder])),
        None => functions(None).into_iter().collect::<Functions>().with_expression_functions(),
    }
}

/// Like [`hcl_functions`], with file functions that resolve paths relative to the folder and read these files.
pub fn hcl_functions_reading(folder: &Path, files: hieratic_sandbox::Files) -> Functions {
    // `~` is the home of the user who allowed the files.
    let home = Variables::of_process().get("HOME").filter(|home| !home.is_empty()).map(String::from);
    let files = Files::new(folder.to_slashes()).reading(files).home(home);
    functions(Some(files)).into_iter().collect::<Functions>().with_expression_functions()
}

/// Evaluates HCL source.
///
/// ```
/// use hieratic::hcl::{HclInput, HclValue, evaluate_hcl, hcl_functions};
///
/// let question = HclInput { text: b"upper(\"a\")".to_vec(), ..HclInput::default() };
/// let answer = evaluate_hcl(&question, &hcl_functions(None));
/// let Some(HclValue::Value(value)) = answer.value else { panic!("{:?}", answer.problems) };
/// assert_eq!(value.as_str(), Some("A"));
/// ```
pub fn evaluate_hcl(question: &HclInput, functions: &Functions) -> HclOutput {
    let context = Context::new()
        .with_budget(&question.budget)
        .with_variables(question.variables.iter().cloned())
        .with_functions(functions);
    let text = question.text.clone();
    let name = question.name.as_str();
    let (read, evaluated) = match question.kind {
        HclKind::Template => {
            let template = Template::parse(name, text);
            let read = template.problems().clone();
            let value = (!read.has_errors()).then(|| template.value(&context));
            (read, value.map(|(value, found)| (HclValue::Value(value), found)))
        }
        HclKind::Body => {
            let file = File::native(name, text);
            let read = file.problems().clone();
            let tree = (!read.has_errors()).then(|| {
                let mut reader = TreeReader { context: &context, problems: Problems::default(), infinite: false };
                let tree = reader.tree(&file.body());
                (HclValue::Body { tree, infinite: reader.infinite }, reader.problems)
            });
            (read, tree)
        }
        HclKind::Expression | HclKind::JsonExpression => {
            let file = match question.kind {
                HclKind::Expression => File::native_expression(name, text),
                _ => File::json_expression(name, text),
            };
            let read = file.problems().clone();
            let expression = file.expression().filter(|_| !read.has_errors());
            let value = expression.map(|expression| expression.value(&context));
            (read, value.map(|(value, found)| (HclValue::Value(value), found)))
        }
    };
    match evaluated {
        None => HclOutput { value: None, problems: read, unread: true },
        Some((value, found)) => {
            let mut problems = read;
            let failed = found.has_errors();
            problems.append(found);
            HclOutput { value: (!failed).then_some(value), problems, unread: false }
        }
    }
}

/// Parses a type constraint; `any` is the dynamic type.
///
/// # Errors
///
/// The string is not a type constraint. The error contains the messages.
pub fn hcl_type(text: &str) -> Result<Type, String> {
    let file = File::native_expression("type", text);
    let failed = |problems: &Problems| problems.to_string();
    if file.problems().has_errors() {
        return Err(failed(file.problems()));
    }
    let Some(expression) = file.expression() else { return Ok(Type::Dynamic) };
    let (ty, problems) = type_expression::constraint(&expression);
    if problems.has_errors() { Err(failed(&problems)) } else { Ok(ty) }
}

struct TreeReader<'c> {
    context: &'c Context<'c>,
    problems: Problems,
    infinite: bool,
}

impl TreeReader<'_> {
    /// All attributes in the order in which they are written, then the blocks.
    fn tree(&mut self, body: &Body<'_>) -> Json {
        let Some((source, native)) = body.as_native() else { return Json::Null };
        let mut attributes = Map::new();
        for attribute in native.attributes() {
            let (value, found) = body.expression(source, &attribute.expression).value(self.context);
            let failed = found.has_errors();
            self.problems.append(found);
            if failed {
                continue;
            }
            let json = value.to_json().unwrap_or_else(|_| {
                self.infinite = true;
                Json::Null
            });
            let entry = [("type".to_owned(), value.ty().constraint().into()), ("value".to_owned(), json)];
            attributes.insert(attribute.name.to_string(), Json::Object(entry.into_iter().collect()));
        }
        let mut blocks = Vec::with_capacity(native.blocks.len());
        for block in &native.blocks {
            let labels: Vec<Json> = block.labels.iter().map(|label| label.text.as_ref().into()).collect();
            let tree = self.tree(&Body::from_native(source, &block.body));
            let entry = [
                ("type".to_owned(), block.kind.as_ref().into()),
                ("labels".to_owned(), labels.into()),
                ("body".to_owned(), tree),
            ];
            blocks.push(Json::Object(entry.into_iter().collect()));
        }
        let tree = [("attributes".to_owned(), Json::Object(attributes)), ("blocks".to_owned(), Json::Array(blocks))];
        Json::Object(tree.into_iter().collect())
    }
}
