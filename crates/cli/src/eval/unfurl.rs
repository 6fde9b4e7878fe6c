//! `hieratic eval --language unfurl`: Unfurl's expressions over a tree of instances or a document.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use hieratic::budget::{Budget, Limits};
use hieratic::code::Report;
use hieratic::diagnostics::{Source, Span};
use hieratic::directives::{Record, expand};
use hieratic::expressions::{
    ExpressionAnswer, ExpressionKind, Vault, evaluate_expression, hiera_lookup, resolve_expression,
};
use hieratic::lookup::Place;
use hieratic::sandbox::{Files, Mounted, Outside, Variables};
use hieratic::secrets::TaintTracker;
use hieratic::unfurl::{Context, Expression, ExpressionError, Match, NodeTypes, Options, TaintObserver, Tree};
use hieratic::yaml_edit::tree::{self, Content, Node};
use hieratic::{Environment, Error, Facts, Hash, Redactor, Value};
use hieratic_output::RenderAs;

use super::flags::{EvalArguments, name_and_value};
use super::imports;
use super::many;
use super::{dead_end, report};
use crate::args::{PlaceArguments, TreeArguments};
use crate::code::invalid_text;
use crate::report::Reporter;
use crate::target::{self, Target};
use crate::usage::usage;
use crate::{documents, files, output, row_output};
use hieratic::sandbox::SlashPath as _;

/// The form of the printed value.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// Everything there is to know, as JSON.
    Report,
    /// The value.
    Data(RenderAs),
}

/// Runs the evaluation for the flags.
pub(super) fn evaluate(arguments: &EvalArguments, reporter: &Reporter) -> Result<ExitCode, Error> {
    let format = match arguments.render_as.as_deref() {
        None => Format::Data(RenderAs::Json),
        Some("report") => Format::Report,
        Some(name) => Format::Data(
            name.parse::<RenderAs>()
                .map_err(|error| usage(error.to_string()).help("the formats are yaml, json, s and report"))?,
        ),
    };
    let kind = arguments.kind.as_deref().unwrap_or("expr").parse::<ExpressionKind>().map_err(usage)?;
    let limits = arguments.code_may.limits();
    let vault = arguments.vault.open(reporter)?;
    if arguments.many.are_given() {
        let environment = Target::new(&arguments.place).open_if_any(reporter)?;
        let setting = Setting::of(&arguments.tree, &arguments.place, limits, Vec::new(), vault, reporter)?;
        let input = input(arguments, kind)?;
        return many::rows(arguments, environment.as_ref(), reporter).write(&|facts| {
            vec![(None, row(&setting, kind, &input, environment.as_ref(), facts, reporter.redactor()))]
        });
    }
    let setting = Setting::of(&arguments.tree, &arguments.place, limits, Vec::new(), vault, reporter)?;
    let document = setting.document.clone();
    let result = setting.with_hiera(&arguments.place, reporter).and_then(|context| {
        let input = input(arguments, kind)?;
        let result = answer(&context, kind, &input);
        if let (Format::Data(_), ExpressionKind::Expression, Input::Text(source), Ok(answer)) =
            (format, kind, &input, &result)
            && answer.matches.as_ref().is_some_and(|matches| matches.is_empty())
            && let Some(warning) = dead_end::diagnose(&context, source.text())
        {
            reporter.diagnostic(&warning);
        }
        Ok(result.map_err(|problem| in_document(problem, &input, document.as_ref())))
    })?;
    match (format, result) {
        (Format::Report, result) => {
            reporter.print_redacted(format!("{}\n", line(&result, reporter.redactor())).as_bytes(), RenderAs::Json);
            Ok(ExitCode::SUCCESS)
        }
        (Format::Data(format), Ok(answer)) => {
            let value = reporter.redactor().value(&answer.one());
            match format {
                RenderAs::S => output::print(format!("{}\n", Match::Value(value)).as_bytes()),
                format => reporter.print_data(&value, format).map_err(usage)?,
            }
            Ok(ExitCode::SUCCESS)
        }
        (Format::Data(_), Err(problem)) => {
            reporter.failure(&problem);
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The expression or template to evaluate.
enum Input {
    /// A string with its file, if it is from one.
    Text(Source),
    Data(Value),
}

fn answer(context: &Context, kind: ExpressionKind, input: &Input) -> Result<ExpressionAnswer, ExpressionError> {
    match (kind, input) {
        (ExpressionKind::Expression, Input::Text(source)) => {
            let text = source.text();
            let start = text.len() - text.trim_start().len();
            let end = text.trim_end().len().max(start);
            resolve_expression(context, &Expression::parse_in(source, Span::new(start, end))?)
        }
        (_, Input::Text(source)) => evaluate_expression(context, kind, &source.text().into()),
        (_, Input::Data(value)) => evaluate_expression(context, kind, value),
    }
}

/// The evaluation context of the flags, with these limits. `vars` are variables in addition to those of flags.
pub(crate) fn context(
    arguments: &TreeArguments,
    place: &PlaceArguments,
    limits: Limits,
    vars: Vec<(String, Value)>,
    vault: Vault,
    reporter: &Reporter,
) -> Result<Context, Error> {
    Setting::of(arguments, place, limits, vars, vault, reporter)?.with_hiera(place, reporter)
}

/// The evaluation context of the flags, without the data of a node.
struct Setting {
    tree: Value,
    /// The types of nodes that it defines and imports, if its files were read.
    types: Option<NodeTypes>,
    /// The file of the tree, as it was read.
    document: Option<Source>,
    vars: Hash,
    env: Variables,
    base: PathBuf,
    files: Files,
    limits: Limits,
    start: Option<String>,
    /// The vault that decrypted values of the tree.
    vault: Vault,
}

impl Setting {
    fn of(
        arguments: &TreeArguments,
        place: &PlaceArguments,
        limits: Limits,
        mut vars: Vec<(String, Value)>,
        vault: Vault,
        reporter: &Reporter,
    ) -> Result<Setting, Error> {
        let permissions = target::permissions(place);
        let (tree, types, document, base) = match &arguments.file {
            Some(file) => {
                let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let source = read(file, &permissions, place.revision.as_ref())?;
                let (tree, types) = expanded(file, &source, place, limits, &vault)?;
                (tree, types, Some(source), folder.to_path_buf())
            }
            None => (Value::Undef, None, None, PathBuf::from(".")),
        };
        let given = arguments.input.iter().map(|assignment| {
            let (name, text) = name_and_value(assignment, "--input")?;
            Ok((name.to_owned(), value_of(text)))
        });
        let given = given.collect::<Result<Vec<_>, Error>>()?;
        reporter.diagnostics(imports::undeclared_inputs(&tree, &given));
        let tree = imports::with_inputs(tree, &given);
        for assignment in &place.var {
            let (name, text) = name_and_value(assignment, "--var")?;
            vars.push((name.to_owned(), value_of(text)));
        }
        let base = std::path::absolute(&base).unwrap_or(base);
        let outside = if permissions.outside { Outside::Always } else { Outside::Never };
        Ok(Setting {
            tree,
            types,
            document,
            vars: vars.into_iter().map(|(name, value)| (Value::from(name), value)).collect(),
            env: permissions.variables(),
            files: Mounted::over(place.revision.as_ref(), Files::below([&base]).with_outside(outside)),
            base,
            limits,
            start: arguments.start.clone(),
            vault,
        })
    }

    /// The context with the data of the node that the flags name.
    fn with_hiera(&self, place: &PlaceArguments, reporter: &Reporter) -> Result<Context, Error> {
        self.context(hiera(place, reporter)?).map_err(|error| refused(&error))
    }

    /// The context with the data of a node.
    fn context(&self, (lookups, observer): Data) -> Result<Context, ExpressionError> {
        let observer = self.vault.observer(observer);
        let options = Options {
            vars: self.vars.clone(),
            env: self.env.clone(),
            files: self.files.clone(),
            base: self.base.clone(),
            lookups,
            observer,
            budget: Budget::new(self.limits),
            ..Options::default()
        };
        let tree = match &self.types {
            Some(types) => Tree::with_types(&self.tree, types)?,
            None => Tree::new(&self.tree)?,
        };
        let context = Context::new(tree, options);
        match &self.start {
            Some(start) => context.start(start),
            None => Ok(context),
        }
    }
}

/// The value of a flag: YAML, or a string if it is not valid YAML.
fn value_of(text: &str) -> Value {
    tree::parse(text, 0, "").map_or_else(|_| Value::from(text), |node| node.to_value())
}

/// The answer for a node of many.
fn row(
    setting: &Setting,
    kind: ExpressionKind,
    input: &Input,
    environment: Option<&Environment>,
    facts: &Facts,
    redactor: &Redactor,
) -> row_output::Answer {
    let failed = |message: &str, line, column| row_output::Failure {
        message: redactor.message(message).into_owned(),
        line,
        column,
    };
    let data = match environment {
        Some(environment) => data_of(environment, facts).map_err(|error| failed(&error.to_string(), None, None))?,
        None => (Vec::new(), None),
    };
    let result = setting.context(data).and_then(|context| answer(&context, kind, input));
    let value = result.map_err(|problem| failed(&problem.message, problem.line(), problem.column()))?;
    hieratic_output::json(&redactor.value(&value.one())).map_err(|error| failed(&error.to_string(), None, None))
}

/// Gives an error in an expression or template of the document its position in the document.
fn in_document(mut error: ExpressionError, input: &Input, document: Option<&Source>) -> ExpressionError {
    let Some((source, span)) = &error.place else { return error };
    let is_input = matches!(input, Input::Text(input) if input.text().trim() == source.text().trim());
    if let Some(document) = document.filter(|_| !is_input)
        && let Ok(root) = tree::parse(document.text(), 0, "")
        && let Some(node) = scalar_of(&root, source.text().trim())
    {
        let written = document.slice(node.span());
        let place = match written.find(source.text().trim()) {
            // The document contains the string literally, with or without quotes.
            Some(at) => {
                let start = node.span().first() + at;
                Span::new(start + span.first(), start + span.behind())
            }
            None => node.span(),
        };
        error.place = Some((document.clone(), place));
    }
    error
}

/// The first scalar of a document with that string.
fn scalar_of(root: &Node, text: &str) -> Option<Node> {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match node.content() {
            Content::Scalar(_) if node.as_str().is_some_and(|known| known.trim() == text) => return Some(node.clone()),
            Content::Scalar(_) => {}
            Content::List(items) => open.extend(items.iter().rev().map(|item| item.node())),
            Content::Map(map) => open.extend(map.entries().iter().rev().map(|entry| entry.node())),
        }
    }
    None
}

/// The error for invalid flags.
fn refused(problem: &ExpressionError) -> Error {
    let error = usage(problem.message.clone());
    match &problem.help {
        Some(help) => error.help(help.clone()),
        None => error,
    }
}

/// The lookup function of an environment, with the tracker of its secrets; empty without an environment.
fn hiera(place: &PlaceArguments, reporter: &Reporter) -> Result<Data, Error> {
    let target = Target::new(place);
    let Some(environment) = target.open_if_any(reporter)? else { return Ok((Vec::new(), None)) };
    let facts = target.facts(reporter)?;
    data_of(&environment, &facts)
}

/// The functions that look keys up, and the observer of the secrets that they find.
type Data = (Vec<(String, hieratic::unfurl::Lookup)>, Option<Arc<dyn TaintObserver>>);

fn data_of(environment: &Environment, facts: &Facts) -> Result<Data, Error> {
    let node = Arc::new(environment.node(facts)?);
    let followed: Arc<dyn TaintObserver> = Arc::new(TaintTracker::new(environment.secrets()));
    Ok((vec![hiera_lookup(node)], Some(followed)))
}

/// The input of the evaluation: a string, or data that is written as YAML.
fn input(arguments: &EvalArguments, kind: ExpressionKind) -> Result<Input, Error> {
    let source = match (&arguments.code, &arguments.file) {
        (Some(code), _) => Source::new("", code.as_str()),
        (None, Some(path)) if path.as_os_str() != "-" => {
            let permissions = target::permissions(&arguments.place);
            read(path, &permissions, arguments.place.revision.as_ref())?
        }
        _ => {
            let mut text = String::new();
            std::io::stdin()
                .lock()
                .read_to_string(&mut text)
                .map_err(|error| usage(format!("standard input cannot be read: {error}")))?;
            Source::new("", text)
        }
    };
    let is_data = match kind {
        ExpressionKind::Template => false,
        ExpressionKind::Value => true,
        // An expression. A map is data, and only a file has one without braces. `{{` begins a template.
        _ => {
            let start = source.text().trim_start();
            let braces = start.starts_with('{') && !start.starts_with("{{") && !start.starts_with("{%");
            let is_map = || tree::parse(source.text(), 0, source.name()).is_ok_and(|node| node.as_map().is_some());
            braces || !source.name().is_empty() && is_map()
        }
    };
    if is_data { document(&source).map(Input::Data) } else { Ok(Input::Text(source)) }
}

/// A file that a flag names, from the disk or from a commit.
fn read(path: &Path, permissions: &hieratic::Permissions, commit: Option<&Mounted>) -> Result<Source, Error> {
    let name = path.to_slashes();
    let files = Mounted::over(commit, permissions.files_named(path));
    let text = String::from_utf8(files.read(path).map_err(|error| files::unreadable(path, &error))?)
        .map_err(|error| invalid_text(&name, error.as_bytes(), error.utf8_error().valid_up_to()))?;
    Ok(Source::new(name, text))
}

/// A document in YAML or JSON, from a file or from the command line.
fn document(source: &Source) -> Result<Value, Error> {
    let name = Some(source.name()).filter(|name| !name.is_empty());
    tree::parse(source.text(), 0, name.unwrap_or("the code")).map(|node| node.to_value()).map_err(|error| {
        let mut problem = usage(error.to_string());
        if let (Some(name), Some(position)) = (name, error.position()) {
            problem = problem.at(Place::new(Path::new(name), Some(position)).within(source));
        }
        match error.hint() {
            Some(hint) => problem.help(hint.to_owned()),
            None => problem,
        }
    })
}

/// A document with its merge directives expanded, and the types of nodes that it defines and imports.
fn expanded(
    file: &Path,
    source: &Source,
    place: &PlaceArguments,
    limits: Limits,
    vault: &Vault,
) -> Result<(Value, Option<NodeTypes>), Error> {
    if vault.is_empty() {
        let value = document(source)?;
        if !matches!(value, Value::Hash(_)) || !source.text().contains('+') && !source.text().contains("imports") {
            return Ok((value, None));
        }
    }
    let vault = (!vault.is_empty()).then(|| vault.of_documents(Budget::new(limits)));
    let (access, commit) = (place.permissions.access, place.revision.as_ref());
    let expanded = documents::read(file, access, commit, vault.clone()).and_then(|mut input| {
        let options = documents::options(Record::Nothing, &[], &input.permissions, limits);
        let expanded = expand(&input.document, &mut input.files, &options)?.to_value();
        let types = imports::node_types(&expanded, &documents::folder(file), &mut input.files, &options, vault)?;
        Ok((expanded, Some(types)))
    });
    expanded.map_err(|failure| {
        let mut error = usage(failure.message());
        let first = failure.diagnostics().first();
        if let Some(label) = first.and_then(|diagnostic| diagnostic.labels.first()) {
            error = error.at(Place::of(Path::new(label.source.name()), &label.source, label.span));
        }
        // The message only names the missing part; the label has the reason.
        let label = first.and_then(|diagnostic| diagnostic.labels.first()).map(|label| &label.text);
        match first.and_then(|diagnostic| diagnostic.help.first()).or(label.filter(|text| !text.is_empty())) {
            Some(help) => error.help(help.clone()),
            None => error,
        }
    })
}

/// The environment variables that all requests of `--jsonl` see. Expressions may come from a repository, which sees no
/// variables without permission. The search path for programs is not secret, and `which` needs it.
pub(super) fn variables(place: &PlaceArguments) -> Variables {
    const PATH: &str = "PATH";
    let path = Variables::of_process().get(PATH).map(|path| (PATH.to_owned(), path.to_owned()));
    target::permissions(place).variables().and(path)
}

/// Answers a request of `--jsonl` with a report in one line.
pub(super) fn respond(
    request: &Hash,
    environment: Option<&Environment>,
    facts: &Facts,
    variables: &Variables,
    redactor: &Redactor,
    limits: Limits,
) -> Result<String, String> {
    let kind = match request.get("kind") {
        None | Some(Value::Undef) => ExpressionKind::default(),
        Some(kind) => kind.to_text().parse()?,
    };
    let expression = request.get("expr").ok_or("the request has no 'expr'")?;
    let vars = super::request::object(request, "vars")?.cloned().unwrap_or_default();
    let env = match super::request::object(request, "env")? {
        // A caller that names variables has to list them.
        Some(named) => {
            variables.clone().and(named.iter().map(|(name, value)| (name.to_text(), value.to_text()))).alone()
        }
        None => variables.clone(),
    };
    let base = request.get("base").and_then(Value::as_str);
    let (lookups, observer) = match environment {
        Some(environment) => data_of(environment, facts).map_err(|error| error.to_string())?,
        None => (Vec::new(), None),
    };
    let options = Options {
        vars,
        env,
        base: base.unwrap_or(".").into(),
        files: Files::below(base),
        lookups,
        observer,
        budget: Budget::new(limits),
        ..Options::default()
    };
    let answer = || {
        let tree = Tree::new(request.get("tree").unwrap_or(&Value::Undef))?;
        let context = Context::new(tree, options);
        let context = match request.get("start").and_then(Value::as_str) {
            Some(start) => context.start(start)?,
            None => context,
        };
        evaluate_expression(&context, kind, expression)
    };
    Ok(line(&answer(), redactor))
}

/// The report of an answer in one line.
fn line(result: &Result<ExpressionAnswer, ExpressionError>, redactor: &Redactor) -> String {
    let (report, one) = match result {
        Ok(answer) => {
            let value = redactor.value(&answer.value());
            let report = Report {
                value: Some(report::line(&value)),
                string: Some(redactor.text(&answer.one.to_string()).into_owned()),
                kind: Some(kind(&answer.one).to_owned()),
                json: Some(value),
                ..Report::default()
            };
            (report, redactor.value(&answer.one()))
        }
        Err(problem) => {
            let message = redactor.message(&problem.message).into_owned();
            let error = Some(hieratic::code::ReportedError { message, line: problem.line(), column: problem.column() });
            (Report { error, ..Report::default() }, Value::Undef)
        }
    };
    report::json_with(&report, [("one", one)])
}

/// The JSON type of the value.
fn kind(found: &Match) -> &'static str {
    match found {
        Match::Instance(_) => "instance",
        Match::Value(value) => match value {
            Value::Undef => "null",
            Value::Boolean(_) => "boolean",
            Value::Integer(_) => "integer",
            Value::Float(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Hash(_) => "object",
            Value::Rich(rich) => match &**rich {
                hieratic::value::Rich::BigInteger(_) => "integer",
                hieratic::value::Rich::Sensitive(_) => "secret",
                _ => "string",
            },
        },
    }
}
