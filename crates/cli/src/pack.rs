//! `hieratic pack`: packs of nomad-pack, rendered and checked.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use hieratic::budget::Budget;
use hieratic::nomad_job::{Job, Options};
use hieratic::nomad_lint::{NomadVersion, check_job};
use hieratic::nomad_pack::{Failure, Inputs, Pack, RenderOptions, RenderedFile, render};
use hieratic::sandbox::Files;
use hieratic_diagnostics::{Diagnose, Diagnostic, Label, Severity, Source, Span};

use crate::args::MessageArguments;
use crate::report::Reporter;
use crate::{files, output};

/// The flags of `pack`.
#[derive(Args, Debug)]
pub(crate) struct PackArguments {
    #[command(subcommand)]
    action: PackAction,
}

impl PackArguments {
    pub(crate) fn messages(&self) -> &MessageArguments {
        match &self.action {
            PackAction::Render(arguments) | PackAction::Check(arguments) => &arguments.messages,
        }
    }
}

#[derive(Debug, Subcommand)]
enum PackAction {
    /// Print the files that a pack is rendered to, like `nomad-pack render`
    Render(OnePack),
    /// Report what a server would refuse in the jobs of a pack, with places in the templates
    Check(OnePack),
}

/// A pack, and the values of its variables.
#[derive(Args, Debug)]
struct OnePack {
    /// The folder of the pack, with its metadata.hcl
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Set a variable; `dependency.name` sets that of a dependency
    #[arg(long, value_name = "NAME=VALUE")]
    var: Vec<String>,
    /// Read values of variables from a file
    #[arg(long, value_name = "FILE")]
    var_file: Vec<PathBuf>,
    /// Refuse templates that ask for a key that does not exist
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &PackArguments) -> ExitCode {
    let (PackAction::Render(one) | PackAction::Check(one)) = &arguments.action;
    let reporter = Reporter::new(one.messages.message_format, one.messages.color);
    let opened = match open(one) {
        Ok(opened) => opened,
        Err(failure) => {
            reporter.failure(&failure);
            return ExitCode::FAILURE;
        }
    };
    let passed = match &arguments.action {
        PackAction::Render(_) => print(&opened),
        PackAction::Check(_) => check(&opened, &reporter),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A pack with what it is rendered to.
struct Opened {
    pack: Pack,
    rendered: Vec<RenderedFile>,
}

fn open(arguments: &OnePack) -> Result<Opened, Failure> {
    let files = Files::below([&arguments.folder]);
    let budget = Budget::default();
    let pack = Pack::load(&arguments.folder, &files, &budget)?;
    let mut inputs = Inputs { arguments: arguments.var.clone(), ..Inputs::default() };
    for path in &arguments.var_file {
        let name = path.display().to_string();
        let read = files::read(path).map_err(|error| Failure::new(format!("{name} cannot be read: {error}")))?;
        let text = String::from_utf8(read).map_err(|_| Failure::new(format!("{name} is not UTF-8")))?;
        inputs.files.push((name, text));
    }
    let options = RenderOptions { files: &files, is_strict: arguments.strict, with_auxiliary: true, budget: &budget };
    let rendered = render(&pack, &inputs, &options)?;
    Ok(Opened { pack, rendered })
}

/// Prints every file under its name.
fn print(opened: &Opened) -> bool {
    for file in &opened.rendered {
        let name = file.name.replacen("/templates/", "/", 1);
        let name = name.strip_suffix(".tpl").unwrap_or(&name);
        output::print(format!("{name}:\n\n{}\n\n", file.text).as_bytes());
    }
    true
}

/// Reports what is wrong in the rendered jobs.
fn check(opened: &Opened, reporter: &Reporter) -> bool {
    let mut passed = true;
    for file in opened.rendered.iter().filter(|file| file.name.ends_with(".nomad.tpl")) {
        for diagnostic in diagnostics(file) {
            passed &= diagnostic.severity != Severity::Error;
            reporter.diagnostic(&in_template(diagnostic, file, &opened.pack));
        }
    }
    passed
}

fn diagnostics(file: &RenderedFile) -> Vec<Diagnostic> {
    let options = Options { path: file.name.clone(), ..Options::default() };
    match Job::parse(file.text.as_str(), &options) {
        Ok(job) => check_job(&job, NomadVersion::NEWEST).iter().flat_map(Diagnose::diagnose).collect(),
        Err(failure) => failure.diagnose(),
    }
}

/// A message about a rendered file, at its place in the template.
fn in_template(diagnostic: Diagnostic, file: &RenderedFile, pack: &Pack) -> Diagnostic {
    let label = |label: Label| moved(&label, file, pack).unwrap_or(label);
    let Diagnostic { labels, .. } = diagnostic;
    Diagnostic { labels: labels.into_iter().map(label).collect(), ..diagnostic }
}

fn moved(label: &Label, file: &RenderedFile, pack: &Pack) -> Option<Label> {
    if label.source.text() != file.text {
        return None;
    }
    let (name, start) = file.origin(label.span.first())?;
    // The last byte may be from elsewhere.
    let end = file.origin(label.span.behind().saturating_sub(1)).filter(|(other, at)| *other == name && *at >= start);
    let end = end.map_or(start, |(_, at)| at + 1);
    let template = pack.file(name)?;
    let source = Source::new(Path::new(&template.path()).display().to_string(), template.text.clone());
    Some(Label { source, span: Span::new(start, end), ..label.clone() })
}
