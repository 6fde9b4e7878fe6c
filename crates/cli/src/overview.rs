//! `hieratic` without arguments in a control repository prints a summary of it and five next steps.

use std::process::ExitCode;

use hieratic_diagnostics::render::visible_line;
use hieratic_lint::Finding;
use hieratic_output::RenderAs;

use crate::args::{Color, MessageFormat};
use crate::output::{count_severities, counted};
use crate::report::Reporter;
use crate::survey::{EnvironmentSurvey, Survey, paths_text};
use crate::terminal::{self, painted};
use crate::variables::shell_quoted;

/// The width of the column of names.
const NAMES: usize = 14;

/// Prints the overview; `None` if the current folder is not in a control repository, for which there is the help.
pub(crate) fn run() -> Option<ExitCode> {
    let reporter = Reporter::new(MessageFormat::Human, Color::Auto);
    if !Survey::is_here() {
        return None;
    }
    let survey = match Survey::new(true, &reporter) {
        Ok(survey) => survey,
        Err(error) => {
            reporter.error("", &error);
            return Some(ExitCode::from(2));
        }
    };
    let text = text(&survey, reporter.colors_answers(), &reporter);
    reporter.print_redacted(text.as_bytes(), RenderAs::S);
    Some(ExitCode::SUCCESS)
}

fn text(survey: &Survey, color: bool, reporter: &Reporter) -> String {
    let painted = |style: &str, text: &str| painted(color, style, text);
    let mut out =
        format!("{}\n\n", painted("1", &visible_line(&format!("Control repository {}", survey.root.display()))));
    let mut row = |name: &str, text: String| {
        let text = visible_line(&reporter.redactor().message(&text));
        let text = terminal::fitted_behind(NAMES, &text, &std::io::stdout());
        out.push_str(&format!("{}{text}\n", painted("2", &format!("{name:<NAMES$}"))));
    };
    for (index, environment) in survey.environments.iter().enumerate() {
        let name = if index == 0 { "environments" } else { "" };
        row(
            name,
            match environment {
                Ok(environment) => environment_text(environment),
                Err((name, error)) => format!("{name}: cannot be opened: {error}"),
            },
        );
    }
    row(
        "nodes",
        match &survey.nodes {
            Ok(nodes) if survey.are_derived => {
                format!("{}, made up from the paths of the hierarchy: no facts are known", nodes.len())
            }
            Ok(nodes) => format!("{} with facts in {}", nodes.len(), paths_text(&survey.facts)),
            Err(error) => format!("unknown: {error}"),
        },
    );
    if let Some(report) = &survey.report {
        let found = count_severities(report.findings.iter().map(Finding::severity));
        let found = found.unwrap_or_else(|| "none".to_owned());
        row("findings", format!("{found} in {}", counted(report.files, "file")));
    }
    if let Some(Ok(git)) = &survey.git {
        for (index, (commit, author)) in git.commits.iter().enumerate() {
            let name = if index == 0 { "last changes" } else { "" };
            row(name, format!("{commit} {} {}: {}", author.day(), author.name, author.summary));
        }
    }
    out.push_str(&format!("\n{}\n", painted("1", "Next steps")));
    let steps = next_steps(survey);
    let command_width = steps.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let subject_width = steps.iter().map(|(_, subject)| subject.chars().count()).max().unwrap_or(0);
    let width = command_width + subject_width + "    # ".len();
    // Comments that do not fit beside the commands are below them.
    let fits = terminal::width().is_none_or(|columns| width <= columns);
    for (command, subject) in &steps {
        let comment = painted("2", &format!("# {subject}"));
        if fits {
            out.push_str(&format!("  {command:<command_width$}  {comment}\n"));
        } else {
            out.push_str(&format!("  {command}\n      {comment}\n"));
        }
    }
    out
}

fn environment_text(environment: &EnvironmentSurvey) -> String {
    let EnvironmentSurvey { name, levels, modules, keys, missing, .. } = environment;
    match (missing, keys) {
        (Some(missing), _) => format!("{name}: {missing}"),
        (None, Err(error)) => {
            let (levels, modules) = (counted(*levels, "level"), counted(*modules, "module"));
            format!("{name}: {levels}, {modules}; its keys are not known: {error}")
        }
        (None, Ok(keys)) => {
            format!("{name}: {}, {}, {}", counted(*levels, "level"), counted(*keys, "key"), counted(*modules, "module"))
        }
    }
}

/// Five commands that can be run here, each with its purpose.
fn next_steps(survey: &Survey) -> Vec<(String, &'static str)> {
    let environments = survey.environments.iter().filter_map(|environment| environment.as_ref().ok());
    let example = environments.filter_map(|environment| environment.example.as_ref()).next();
    let mut steps: Vec<(String, &'static str)> = Vec::new();
    if let Some((key, node)) = example {
        let node =
            if survey.are_derived || node.is_empty() { String::new() } else { format!(" --node {}", word(node)) };
        steps.push((format!("hieratic lookup {}{node} --why", word(key)), "where a value comes from"));
    }
    steps.push(("hieratic check".to_owned(), "the findings, by file"));
    steps.push(match survey.git {
        Some(_) => ("hieratic diff".to_owned(), "what your changes do to all nodes"),
        None => ("hieratic diff --against FOLDER".to_owned(), "how another folder differs"),
    });
    steps.push(if survey.settings.iter().any(|file| file.ends_with("hieratic.toml")) {
        ("hieratic doctor".to_owned(), "what cannot be checked here, and why")
    } else {
        ("hieratic init".to_owned(), "proposes settings, a workflow and a hook")
    });
    steps.push(("hieratic serve".to_owned(), "all of this as pages in the browser"));
    steps
}

/// A word of a shell command.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.:/@%+=,".contains(c);
    let text = visible_line(text);
    if !text.is_empty() && text.chars().all(is_plain) { text } else { shell_quoted(&text) }
}
