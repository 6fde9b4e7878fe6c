//! `hieratic eval --language hcl`: expressions, templates and files of HCL with Nomad's functions.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hieratic::budget::{Budget, Limits};
use hieratic::hcl::{
    HclInput, HclKind, HclOutput, HclValue, HieraInHcl, evaluate_hcl, from_cty, hcl_functions, hcl_functions_reading,
    hcl_type,
};
use hieratic::hcl_eval::Functions;
use hieratic::hcl_types::{Text, Value};
use hieratic::sandbox::{Files, Mounted};
use hieratic::{Environment, Error, Facts, Redactor};
use hieratic_output::RenderAs;
use serde_json::Value as Json;

use super::flags::{EvalArguments, name_and_value};
use super::many;
use crate::args::PlaceArguments;
use crate::report::Reporter;
use crate::target::{self, Target};
use crate::usage::usage;
use crate::{documents, files, hints, output, row_output};
use hieratic::sandbox::SlashPath as _;

/// The form of the printed value.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// Everything there is to know, as JSON.
    Report,
    /// The value as JSON with all digits.
    Json,
    /// The string that a template would contain.
    Text,
    /// The value as other data.
    Data(RenderAs),
}

/// Recognizes an HCL file by its name.
pub(super) fn is_hcl(path: &Path) -> bool {
    matches!(path.extension().and_then(|extension| extension.to_str()), Some("hcl" | "tfvars" | "nomadvars" | "nomad"))
}

/// Runs the evaluation for the flags.
pub(super) fn evaluate(arguments: &EvalArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let format = match arguments.render_as.as_deref() {
        None | Some("json") => Format::Json,
        Some("report") => Format::Report,
        Some("s") => Format::Text,
        Some(name) => Format::Data(
            name.parse::<RenderAs>()
                .map_err(|error| usage(error.to_string()).help("the formats are json, yaml, s and report"))?,
        ),
    };
    let kind = match (&arguments.kind, &arguments.file) {
        (Some(kind), _) => kind.parse::<HclKind>().map_err(usage)?,
        (None, Some(file)) if file.as_os_str() != "-" => HclKind::Body,
        (None, _) => HclKind::Expression,
    };
    let (name, text, folder) = input(arguments)?;
    let budget = Budget::new(arguments.code_may.limits());
    let folder = target::permissions(&arguments.place).outside.then_some(folder);
    if arguments.many.are_given() {
        let environment = Target::new(&arguments.place).open_if_any(reporter)?;
        let variables = variables(&arguments.place)?;
        return many::rows(arguments, environment.as_ref(), reporter).write(&|facts| {
            let budget = Budget::new(arguments.code_may.limits());
            let (name, text, variables) = (name.clone(), text.clone(), variables.clone());
            let question = HclInput { kind, name, text, variables, budget };
            let functions =
                with_data(own(&arguments.place, folder.clone()), environment.as_ref(), facts, &question.budget);
            vec![(None, functions.and_then(|functions| row(&evaluate_hcl(&question, &functions), reporter.redactor())))]
        });
    }
    let functions = table(&arguments.place, folder, &budget, reporter)?;
    let question = HclInput { kind, name, text, variables: variables(&arguments.place)?, budget };
    let answer = evaluate_hcl(&question, &functions);
    if let Format::Report = format {
        reporter.print_report(&answer.report(), REPORT_DATA);
        return Ok(ExitCode::SUCCESS);
    }
    hints::report_hcl(reporter, &answer.problems, hints::ALLOW_FILES);
    match &answer.value {
        Some(value) => {
            print(value, format, reporter)?;
            Ok(ExitCode::SUCCESS)
        }
        None => Ok(ExitCode::FAILURE),
    }
}

/// The members of reports and of syntax trees that contain data.
const REPORT_DATA: &[&str] = &["value", "string", "json", "labels", "logs"];

fn print(value: &HclValue, format: Format, reporter: &Reporter) -> Result<(), Error> {
    let json = match value {
        HclValue::Body { infinite: true, .. } => return Err(infinite()),
        HclValue::Body { tree, .. } => tree.clone(),
        HclValue::Value(value) => match (format, value) {
            (Format::Text, Value::String(text)) => {
                reporter.print_text(format!("{text}\n").as_bytes());
                return Ok(());
            }
            (Format::Text, Value::Number(number)) => {
                reporter.print_text(format!("{number}\n").as_bytes());
                return Ok(());
            }
            (Format::Data(format), value) => return reporter.print_data(&from_cty(value), format).map_err(usage),
            (_, value) => value.to_json().map_err(|_| infinite())?,
        },
    };
    let json = match value {
        HclValue::Body { .. } => reporter.redactor().report(&json, REPORT_DATA),
        HclValue::Value(_) => reporter.redactor().tree(&json),
    };
    match format {
        Format::Data(format) => {
            let value = hieratic::json::parse(json.to_string().as_bytes()).map_err(|error| usage(error.to_string()))?;
            reporter.print_data(&value, format).map_err(usage)
        }
        // Data always have a JSON form.
        _ => {
            output::print(format!("{}\n", serde_json::to_string_pretty(&json).unwrap_or_default()).as_bytes());
            Ok(())
        }
    }
}

fn infinite() -> Error {
    usage("the value contains an infinite number, which this format cannot represent").help("pass --format report")
}

/// The code, with its name in messages and the folder of its file functions.
fn input(arguments: &EvalArguments) -> Result<(String, Vec<u8>, PathBuf), Error> {
    let here = PathBuf::from(".");
    if let Some(code) = &arguments.code {
        return Ok(("-e".to_owned(), code.clone().into_bytes(), here));
    }
    match &arguments.file {
        Some(path) if path.as_os_str() != "-" => {
            let name = path.to_slashes();
            let files = Mounted::over(arguments.place.revision.as_ref(), Files::of_user());
            let bytes = files.read(path).map_err(|error| files::unreadable(path, &error))?;
            Ok((name, bytes, documents::folder(path)))
        }
        _ => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|error| usage(format!("standard input cannot be read: {error}")))?;
            Ok(("standard input".to_owned(), bytes, here))
        }
    }
}

/// The functions, with `hiera` if there is an environment.
fn table(
    place: &PlaceArguments,
    folder: Option<PathBuf>,
    budget: &Budget,
    reporter: &Reporter,
) -> Result<Functions, Error> {
    let mut functions = own(place, folder);
    let target = Target::new(place);
    if let Some(environment) = target.open_if_any(reporter)? {
        let facts = target.facts(reporter)?;
        functions = HieraInHcl::new(&environment, &facts, budget)?.add_to(functions);
    }
    Ok(functions)
}

/// The functions without data.
fn own(place: &PlaceArguments, folder: Option<PathBuf>) -> Functions {
    match folder {
        Some(folder) => {
            let files = Mounted::over(place.revision.as_ref(), Files::below([&folder]));
            hcl_functions_reading(&folder, files)
        }
        None => hcl_functions(None),
    }
}

/// The functions with `hiera` for a node of many.
fn with_data(
    functions: Functions,
    environment: Option<&Environment>,
    facts: &Facts,
    budget: &Budget,
) -> Result<Functions, row_output::Failure> {
    let Some(environment) = environment else { return Ok(functions) };
    match HieraInHcl::new(environment, facts, budget) {
        Ok(data) => Ok(data.add_to(functions)),
        Err(error) => Err(row_output::Failure { message: error.to_string(), ..row_output::Failure::default() }),
    }
}

/// An answer as a row of many nodes has it.
fn row(answer: &HclOutput, redactor: &Redactor) -> row_output::Answer {
    let failed = |message: String| row_output::Failure {
        message: redactor.message(&message).into_owned(),
        line: None,
        column: None,
    };
    let is_infinite = || failed(infinite().to_string());
    match &answer.value {
        Some(HclValue::Body { infinite: true, .. }) => Err(is_infinite()),
        Some(HclValue::Body { tree, .. }) => Ok(redactor.report(tree, REPORT_DATA).to_string()),
        Some(HclValue::Value(value)) => Ok(redactor.tree(&value.to_json().map_err(|_| is_infinite())?).to_string()),
        None => {
            let range = answer.problems.first().and_then(|first| first.subject.as_ref());
            let start = range.map(|range| range.start());
            Err(row_output::Failure {
                line: start.as_ref().map(|start| start.line),
                column: start.as_ref().map(|start| start.column),
                ..failed(answer.problems.to_string())
            })
        }
    }
}

/// The variables of the flags: a value that parses as an expression without variables is evaluated, any other is a
/// string.
fn variables(place: &PlaceArguments) -> Result<Vec<(Text, Value)>, Error> {
    let functions = Functions::new();
    let variable = |assignment: &String| {
        let (name, text) = name_and_value(assignment, "--var")?;
        let question = HclInput { text: text.into(), ..HclInput::default() };
        let value = match evaluate_hcl(&question, &functions).value {
            Some(HclValue::Value(value)) => value,
            _ => Value::string(text),
        };
        Ok((Text::from(name), value))
    };
    place.var.iter().map(variable).collect()
}

/// Answers a request of `--jsonl` with a report in one line.
pub(super) fn respond(
    line: &[u8],
    environment: Option<&Environment>,
    facts: &Facts,
    place: &PlaceArguments,
    redactor: &Redactor,
    limits: Limits,
) -> Result<String, String> {
    let request: Json =
        serde_json::from_slice(line).map_err(|error| format!("the request is not valid JSON: {error}"))?;
    let text = |name: &str| request.get(name).and_then(Json::as_str);
    let kinds = [
        ("expr", HclKind::Expression),
        ("template", HclKind::Template),
        ("body", HclKind::Body),
        ("json_expr", HclKind::JsonExpression),
        ("code", HclKind::Expression),
    ];
    let (kind, input) = kinds
        .iter()
        .find_map(|(name, kind)| text(name).map(|text| (*kind, text)))
        .ok_or("the request requires one of 'expr', 'template', 'body' and 'json_expr'")?;
    let budget = Budget::new(limits);
    // A request names the folder of its files, or the flag permits those of the working folder.
    let by_flag = || target::permissions(place).outside.then(|| PathBuf::from("."));
    let mut functions = match (text("base").map(PathBuf::from), by_flag()) {
        (Some(base), _) => hcl_functions(Some(base)),
        (None, folder) => own(place, folder),
    };
    if let Some(environment) = environment {
        functions = HieraInHcl::new(environment, facts, &budget).map_err(|error| error.to_string())?.add_to(functions);
    }
    let question = HclInput {
        kind,
        name: text("file").unwrap_or("case.hcl").to_owned(),
        text: input.into(),
        variables: typed_variables(request.get("vars"))?,
        budget,
    };
    Ok(redactor.report(&evaluate_hcl(&question, &functions).report(), REPORT_DATA).to_string())
}

/// `{name: {"type", "value"}}` as values of those types.
fn typed_variables(vars: Option<&Json>) -> Result<Vec<(Text, Value)>, String> {
    let vars = match vars {
        None | Some(Json::Null) => return Ok(Vec::new()),
        Some(Json::Object(vars)) => vars,
        Some(_) => return Err("'vars' must be an object".to_owned()),
    };
    let variable = |(name, given): (&String, &Json)| {
        let ty = given.get("type").and_then(Json::as_str).unwrap_or("any");
        let ty = hcl_type(ty).map_err(|error| format!("the type of '{name}': {error}"))?;
        let value = given.get("value").ok_or_else(|| format!("the variable '{name}' has no 'value'"))?;
        let value = Value::from_json_as(value, &ty).map_err(|error| format!("the value of '{name}': {error}"))?;
        Ok((Text::from(name.as_str()), value))
    };
    vars.iter().map(variable).collect()
}
