//! `hieratic pack`: packs of nomad-pack and templates of levant, rendered and checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use hieratic::budget::Budget;
use hieratic::go_template::Value as TemplateValue;
use hieratic::layers::repository_of;
use hieratic::nomad_job::{Job, Options};
use hieratic::nomad_lint::{NomadVersion, check_job};
use hieratic::nomad_pack::{
    Failure, Inputs, Pack, PackFile, RenderOptions, RenderedFile, codes, json_variables, render, render_levant,
    terraform_variables, unset_variables, yaml_variables,
};
use hieratic::sandbox::Files;
use hieratic_diagnostics::{Diagnose, Diagnostic, Label, Severity, Source, Span};

use crate::args::{MessageArguments, MessageFormat};
use crate::examples;
use crate::report::Reporter;
use crate::{files, output};
use hieratic::sandbox::SlashPath as _;

/// The flags of `pack`.
#[derive(Args, Debug)]
pub(crate) struct PackArguments {
    #[command(subcommand)]
    action: PackAction,
}

impl PackArguments {
    pub(crate) fn messages(&self) -> &MessageArguments {
        match &self.action {
            PackAction::Render(arguments) => &arguments.pack.messages,
            PackAction::Check(arguments) => &arguments.messages,
        }
    }
}

#[derive(Debug, Subcommand)]
enum PackAction {
    /// Print the files that a pack is rendered to, like `nomad-pack render`
    #[command(after_help = examples::PACK_RENDER)]
    Render(RenderPack),
    /// Report what a server would refuse in the jobs of a pack, with places in the templates
    #[command(after_help = examples::PACK_CHECK)]
    Check(OnePack),
}

#[derive(Args, Debug)]
struct RenderPack {
    #[command(flatten)]
    pack: OnePack,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Print jobs as the templates render them, without the layout of `nomad fmt`
    #[arg(long)]
    no_format: bool,
    /// Accept variables without a value
    #[arg(long)]
    allow_unset_vars: bool,
}

/// The format of rendered files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Each file under its name
    #[default]
    Text,
    /// An array of objects with `name` and `text`
    Json,
}

/// A pack, and the values of its variables.
#[derive(Args, Debug)]
struct OnePack {
    /// The folder of a pack, with its metadata.hcl, or a template of levant
    #[arg(value_name = "PACK")]
    folder: PathBuf,
    /// Set a variable; in a pack, `dependency.name` sets that of a dependency
    #[arg(long, value_name = "NAME=VALUE")]
    var: Vec<String>,
    /// Read values of variables from a file: HCL or JSON for a pack, YAML, JSON or Terraform (.tf) for a template of levant
    #[arg(long, value_name = "FILE")]
    var_file: Vec<PathBuf>,
    /// Fail if a template uses a missing key
    #[arg(long)]
    strict: bool,
    /// Read templates in the first syntax of nomad-pack, with variables as `.pack.name`
    #[arg(long)]
    parser_v1: bool,
    #[command(flatten)]
    messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &PackArguments) -> ExitCode {
    let one = match &arguments.action {
        PackAction::Render(render) => &render.pack,
        PackAction::Check(one) => one,
    };
    let reporter = Reporter::new(one.messages.message_format, one.messages.color);
    let allows_unset = match &arguments.action {
        PackAction::Render(render) => render.allow_unset_vars,
        // A note names them, and the rest is judged.
        PackAction::Check(_) => true,
    };
    let opened = match open(one, allows_unset) {
        Ok(opened) => opened,
        Err(failure) => {
            reporter.failure(&failure);
            return ExitCode::FAILURE;
        }
    };
    let passed = match &arguments.action {
        PackAction::Render(_) if opened.rendered.is_empty() => {
            let message = "no templates were rendered: the pack has none, or all results are blank";
            reporter.failure(&Failure::new(message));
            false
        }
        PackAction::Render(render) => {
            print(&opened, render);
            true
        }
        PackAction::Check(one) => check(&opened, &one.messages, &reporter),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Templates with their rendered text.
struct Opened {
    /// The folder that functions may read.
    folder: PathBuf,
    templates: Templates,
    rendered: Vec<RenderedFile>,
    /// The variables that have no value.
    unset: Vec<String>,
}

enum Templates {
    Pack(Box<Pack>),
    Levant(PackFile),
}

impl Templates {
    fn file(&self, name: &str) -> Option<&PackFile> {
        match self {
            Templates::Pack(pack) => pack.file(name),
            Templates::Levant(file) => Some(file).filter(|file| file.template_name() == name),
        }
    }
}

fn open(arguments: &OnePack, allows_unset: bool) -> Result<Opened, Failure> {
    if arguments.folder.is_file() {
        return open_levant(arguments);
    }
    // Packs of a registry share templates by links.
    let files = Files::below([repository_of(&arguments.folder).as_ref().unwrap_or(&arguments.folder)]);
    let budget = Budget::default();
    let pack = Pack::load(&arguments.folder, &files, &budget)?;
    let mut inputs = Inputs { arguments: arguments.var.clone(), ..Inputs::default() };
    for path in &arguments.var_file {
        inputs.files.push((path.to_slashes(), read(path)?));
    }
    let options = RenderOptions {
        files: &files,
        is_strict: arguments.strict,
        with_auxiliary: true,
        is_legacy: arguments.parser_v1,
        allows_unset,
        budget: &budget,
    };
    let rendered = render(&pack, &inputs, &options)?;
    let unset = unset_variables(&pack, &inputs)?;
    Ok(Opened { folder: arguments.folder.clone(), templates: Templates::Pack(Box::new(pack)), rendered, unset })
}

fn read(path: &Path) -> Result<String, Failure> {
    files::read_text(path).map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))
}

/// Renders a template of levant, which may read files below its folder.
fn open_levant(arguments: &OnePack) -> Result<Opened, Failure> {
    let template = PackFile::new(arguments.folder.clone(), read(&arguments.folder)?);
    let mut variables = BTreeMap::new();
    for path in &arguments.var_file {
        variables.extend(levant_variables(path)?);
    }
    for argument in &arguments.var {
        let Some((name, value)) = argument.split_once('=') else {
            return Err(Failure::new(format!("--var {argument}: expected NAME=VALUE")));
        };
        variables.insert(name.to_owned(), TemplateValue::from(value));
    }
    let folder = arguments.folder.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).to_owned();
    let files = Files::below([&folder]);
    let budget = Budget::default();
    let options = RenderOptions {
        files: &files,
        is_strict: arguments.strict,
        with_auxiliary: true,
        is_legacy: false,
        allows_unset: true,
        budget: &budget,
    };
    let rendered = render_levant(&template, variables, &options)?;
    Ok(Opened { folder, templates: Templates::Levant(template), rendered: vec![rendered], unset: Vec::new() })
}

/// The variables in a file, by its extension.
fn levant_variables(path: &Path) -> Result<BTreeMap<String, TemplateValue>, Failure> {
    let text = read(path)?;
    let name = path.to_slashes();
    let budget = Budget::default();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("tf") => terraform_variables(&name, &text),
        Some("yaml" | "yml") => yaml_variables(&name, &text, &budget),
        Some("json") => json_variables(&name, &text, &budget),
        _ => Err(Failure::new(format!("{name}: variables of levant are in files named .yaml, .yml, .json or .tf"))),
    }
}

/// Prints every file of a pack under its name, or a template of levant alone.
fn print(opened: &Opened, arguments: &RenderPack) {
    let is_formatted = matches!(opened.templates, Templates::Pack(_)) && !arguments.no_format;
    let text = |file: &RenderedFile| if is_formatted { file.formatted() } else { file.text.clone() };
    let name = |file: &RenderedFile| {
        let name = file.name.replacen("/templates/", "/", 1);
        name.strip_suffix(".tpl").unwrap_or(&name).to_owned()
    };
    if arguments.format == Format::Json {
        let files = opened.rendered.iter().map(|file| serde_json::json!({"name": name(file), "text": text(file)}));
        output::print(format!("{:#}\n", files.collect::<serde_json::Value>()).as_bytes());
        return;
    }
    if let (Templates::Levant(_), [only]) = (&opened.templates, opened.rendered.as_slice()) {
        output::print(only.text.as_bytes());
        return;
    }
    for file in &opened.rendered {
        output::print(format!("{}:\n\n{}\n\n", name(file), text(file)).as_bytes());
    }
}

/// Reports the findings in the rendered jobs and the number of jobs. A pack without a job is an error.
fn check(opened: &Opened, messages: &MessageArguments, reporter: &Reporter) -> bool {
    let mut jobs = 0_usize;
    let mut severities = Vec::new();
    if !opened.unset.is_empty() {
        let message = format!("no value for {}", opened.unset.join(", "));
        let note = Diagnostic::new(Severity::Note, codes::PACK, message);
        reporter.diagnostic(&note.help("set them with --var or --var-file: templates see them as missing"));
    }
    let is_job =
        |file: &&RenderedFile| file.name.ends_with(".nomad.tpl") || matches!(opened.templates, Templates::Levant(_));
    for file in opened.rendered.iter().filter(is_job) {
        jobs += 1;
        for diagnostic in diagnostics(file, &opened.folder) {
            severities.push(diagnostic.severity);
            reporter.diagnostic(&in_template(diagnostic, file, &opened.templates));
        }
    }
    if jobs == 0 {
        let message = "the pack has no job: nothing was checked".to_owned();
        let error = Diagnostic::new(Severity::Error, codes::PACK, message);
        reporter.diagnostic(&error.help("templates of jobs are in the folder templates, and are named *.nomad.tpl"));
        return false;
    }
    if messages.message_format == MessageFormat::Human {
        let found = output::count_severities(severities.iter().copied()).unwrap_or_else(|| "nothing found".to_owned());
        output::print(format!("Checked {}: {found}\n", output::counted(jobs, "job")).as_bytes());
    }
    !severities.contains(&Severity::Error)
}

/// The messages of a server about a job, whose functions may read files below the folder.
fn diagnostics(file: &RenderedFile, folder: &Path) -> Vec<Diagnostic> {
    let options = Options { path: file.name.clone(), folder: Some(folder.to_owned()), ..Options::default() };
    match Job::parse(file.text.as_str(), &options) {
        Ok(job) => check_job(&job, NomadVersion::NEWEST).iter().flat_map(Diagnose::diagnose).collect(),
        Err(failure) => failure.diagnose(),
    }
}

/// A message about a rendered file, at its place in the template.
fn in_template(diagnostic: Diagnostic, file: &RenderedFile, templates: &Templates) -> Diagnostic {
    let label = |label: Label| moved(&label, file, templates).unwrap_or(label);
    let Diagnostic { labels, .. } = diagnostic;
    Diagnostic { labels: labels.into_iter().map(label).collect(), ..diagnostic }
}

fn moved(label: &Label, file: &RenderedFile, templates: &Templates) -> Option<Label> {
    if label.source.text() != file.text {
        return None;
    }
    let (name, start) = file.origin(label.span.first())?;
    // The last byte may be from elsewhere.
    let end = file.origin(label.span.behind().saturating_sub(1)).filter(|(other, at)| *other == name && *at >= start);
    let end = end.map_or(start, |(_, at)| at + 1);
    let template = templates.file(name)?;
    let source = Source::new(Path::new(&template.path()).to_slashes(), template.text.clone());
    Some(Label { source, span: Span::new(start, end), ..label.clone() })
}
