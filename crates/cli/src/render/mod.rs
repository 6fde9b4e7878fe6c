//! `hieratic render`: renders a template.

mod flags;
mod many;
mod play;
mod playbook;
mod source;

use std::mem::ManuallyDrop;
use std::process::ExitCode;

use hieratic::Error;
use hieratic::templates::{Jinja2, RenderFailure, TemplateLanguage};
use hieratic::value::text::REDACTED;
use hieratic_diagnostics::{Diagnostic, Severity};

use crate::code::{diagnostic, show_logs};
use crate::codes;
use crate::report::Reporter;
use crate::usage::usage;
use crate::{hints, output};
use hieratic::sandbox::SlashPath as _;

pub(crate) use flags::RenderArguments;
use play::{Play, RenderOutput, Target};
use source::is_standard_input;

/// Runs the verb.
pub(crate) fn run(arguments: &RenderArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    let language = match language(arguments) {
        Ok(language) => language,
        Err((message, help)) => {
            reporter.plain_error(codes::USAGE, &message, &[help.to_owned()]);
            return ExitCode::from(2);
        }
    };
    let jinja2 = match jinja2(arguments, language) {
        Ok(jinja2) => jinja2,
        Err(message) => {
            let help =
                "they are for templates of Jinja2: --extension do, loopcontrols or i18n, --line-statement-prefix TEXT";
            reporter.plain_error(codes::USAGE, &message, &[help.to_owned()]);
            return ExitCode::from(2);
        }
    };
    match render(arguments, language, jinja2, &reporter) {
        Ok(status) => status,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}

/// The language that the flags or the file's name mean; a message and help if they mean none.
fn language(arguments: &RenderArguments) -> Result<TemplateLanguage, (String, &'static str)> {
    const NAMED: &str = "the only format is text: what the template prints";
    if let Some(format) = arguments.render_as.as_deref().filter(|format| !matches!(*format, "text" | "s")) {
        return Err((format!("Unknown format '{format}'"), NAMED));
    }
    if let Some(name) = &arguments.language {
        return name.parse().map_err(|message| (message, "pass --language epp, erb, jinja2 or hcl"));
    }
    // All templates of roles are of Jinja2, whatever their names end with.
    let Some(path) = &arguments.template else { return Ok(TemplateLanguage::Jinja2) };
    if arguments.role.is_some() && !is_standard_input(path) {
        return Ok(TemplateLanguage::Jinja2);
    }
    TemplateLanguage::of_file(path).ok_or_else(|| {
        let name = if is_standard_input(path) { "standard input".to_owned() } else { path.to_slashes() };
        (format!("the language of {name} is unknown"), "pass --language epp, erb, jinja2 or hcl")
    })
}

/// Returns the options of Jinja2 that the flags set, or the message for a flag that does not fit the language.
fn jinja2(arguments: &RenderArguments, language: TemplateLanguage) -> Result<Jinja2, String> {
    let mut jinja2 = Jinja2 { template_vars: !arguments.no_template_vars, ..Jinja2::default() };
    for name in &arguments.extension {
        jinja2.extensions.add(name)?;
    }
    for (flag, given, prefix) in [
        ("--line-statement-prefix", &arguments.line_statement_prefix, &mut jinja2.lines.statement),
        ("--line-comment-prefix", &arguments.line_comment_prefix, &mut jinja2.lines.comment),
    ] {
        match given.as_deref() {
            Some("") => return Err(format!("{flag} is empty, which would start every line")),
            Some(text) => prefix.push_str(text),
            None => {}
        }
    }
    let given =
        !arguments.extension.is_empty() || !jinja2.lines.statement.is_empty() || !jinja2.lines.comment.is_empty();
    if given && language != TemplateLanguage::Jinja2 {
        return Err("only Jinja2 templates have extensions and line statements".to_owned());
    }
    if given && arguments.tree.file.is_some() {
        return Err("templates over a tree have no extensions and no statements in lines, as in Unfurl".to_owned());
    }
    Ok(jinja2)
}

fn render(
    arguments: &RenderArguments,
    language: TemplateLanguage,
    jinja2: Jinja2,
    reporter: &Reporter,
) -> Result<ExitCode, Error> {
    // The process ends after the rendering: to free large variables would take as long as to read them.
    let play = ManuallyDrop::new(Play::new(arguments, language, jinja2, reporter)?);
    if let Some(folder) = &arguments.output {
        return many::into_folder(&play, folder, reporter);
    }
    if let Some(base) = &arguments.against {
        return many::differences(&play, base, reporter);
    }
    let template = arguments.template.as_deref().ok_or_else(no_template)?;
    let role = match &arguments.role {
        Some(folder) => Some(play.role(folder, reporter)?),
        None => None,
    };
    let host = play.only_host()?;
    let path = match &role {
        Some(role) if !is_standard_input(template) => role.template(template)?,
        _ => template.to_path_buf(),
    };
    let target = Target { role: role.as_ref(), name: template, path: &path, host: host.as_deref() };
    let rendering = match play.rendering(target, reporter)? {
        RenderOutput::Rendering(rendering) => rendering,
        RenderOutput::Tree(status) => return Ok(status),
    };
    show_logs(&rendering.logs, reporter);
    match rendering.text {
        Ok(_) if rendering.secret && !reporter.redactor().reveals() => {
            output::print(format!("{REDACTED}\n").as_bytes());
            let note = Diagnostic::new(
                Severity::Warning,
                codes::SECRET,
                "the output contains a Sensitive value and was not printed",
            );
            reporter.diagnostic(&note.help("pass --reveal to print it"));
            Ok(ExitCode::SUCCESS)
        }
        Ok(text) => {
            reporter.print_text(text.as_bytes());
            Ok(ExitCode::SUCCESS)
        }
        Err(RenderFailure::Epp(failure) | RenderFailure::Erb(failure)) => {
            let node = arguments.place.node.as_deref().unwrap_or("localhost");
            reporter.diagnostic(&diagnostic(&failure, node));
            Ok(ExitCode::FAILURE)
        }
        Err(RenderFailure::Data(error)) => Err(error),
        Err(problem) => {
            hints::report_hcl(reporter, &problem, hints::ALLOW_FILES);
            Ok(ExitCode::FAILURE)
        }
    }
}

fn no_template() -> Error {
    usage("no template is named".to_owned())
        .help("name a template, or render all templates of a role: --role FOLDER --output FOLDER")
}
