//! `hieratic doctor` reports the contents of a control repository, and the reasons why parts of it cannot be checked here.

use std::process::ExitCode;

use clap::Args;
use hieratic_diagnostics::render::visible_line;
use hieratic_lint::OmissionGroup;
use hieratic_output::RenderAs;

use crate::args::MessageArguments;
use crate::found_facts::FoundFacts;
use crate::output::counted;
use crate::report::Reporter;
use crate::revisions::help_of;
use crate::survey::{Survey, paths_text};
use crate::terminal::{self, painted};

/// The flags of `doctor`.
#[derive(Args, Debug)]
pub(crate) struct DoctorArguments {
    /// Exit with status 1 if something cannot be judged
    #[arg(long)]
    exit_code: bool,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// The meaning of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Fine,
    /// Something is not judged.
    Gap,
    /// Something does not work.
    Fault,
}

/// A line of the report, with the step that improves it.
struct Item {
    mark: Mark,
    text: String,
    remedy: Option<String>,
}

impl Item {
    fn fine(text: impl Into<String>) -> Item {
        Item { mark: Mark::Fine, text: text.into(), remedy: None }
    }

    fn gap(text: impl Into<String>, remedy: impl Into<String>) -> Item {
        Item { mark: Mark::Gap, text: text.into(), remedy: Some(remedy.into()) }
    }
}

/// The columns before the text of an item.
const INDENT: usize = 5;

/// The text of an item as it is shown, divided between words.
fn shown(text: &str, reporter: &Reporter) -> String {
    terminal::fitted_behind(INDENT, &visible_line(&reporter.redactor().message(text)), &std::io::stdout())
}

/// Runs the verb.
pub(crate) fn run(arguments: &DoctorArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let survey = match Survey::new(true, &reporter) {
        Ok(survey) => survey,
        Err(error) => {
            reporter.error("", &error);
            return ExitCode::from(2);
        }
    };
    let items = items(&survey);
    let color = reporter.colors_answers();
    let painted = |style: &str, text: &str| painted(color, style, text);
    let mut out = String::new();
    for Item { mark, text, remedy } in &items {
        let mark = match mark {
            Mark::Fine => painted("32", "ok  "),
            Mark::Gap => painted("33", "gap "),
            Mark::Fault => painted("31", "bad "),
        };
        out.push_str(&format!("{mark} {}\n", shown(text, &reporter)));
        if let Some(remedy) = remedy.as_deref().filter(|remedy| !remedy.is_empty()) {
            out.push_str(&format!("{:INDENT$}{}\n", "", painted("2", &shown(remedy, &reporter))));
        }
    }
    let count = |expected: Mark| items.iter().filter(|item| item.mark == expected).count();
    let (gaps, faults) = (count(Mark::Gap), count(Mark::Fault));
    let end = match (gaps, faults) {
        (0, 0) => "Everything here can be checked".to_owned(),
        (gaps, 0) => format!("{} in the parts that can be checked here", counted(gaps, "gap")),
        (gaps, faults) => {
            format!("{}, {} in the parts that can be checked here", counted(faults, "fault"), counted(gaps, "gap"))
        }
    };
    out.push_str(&format!("\n{end}\n"));
    reporter.print_redacted(out.as_bytes(), RenderAs::S);
    if faults > 0 || arguments.exit_code && gaps > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn items(survey: &Survey) -> Vec<Item> {
    let mut items = vec![Item::fine(format!("hieratic {}", crate::version::SHORT))];
    items.push(Item::fine(format!("control repository {}", survey.root.display())));
    items.extend(git(survey));
    items.push(match survey.settings.as_slice() {
        [] => Item::gap("no settings: every run needs its flags", "hieratic init proposes a hieratic.toml"),
        files => Item::fine(format!("settings in {}", files.join(", "))),
    });
    for environment in &survey.environments {
        items.push(match environment {
            Err((name, error)) => Item {
                mark: Mark::Fault,
                text: format!("environment {name} cannot be opened: {error}"),
                remedy: error.help_text().map(str::to_owned),
            },
            Ok(own) => match (&own.missing, &own.keys) {
                (Some(missing), _) => Item {
                    mark: Mark::Fault,
                    text: format!("environment {}: no lookup finds its data: {missing}", own.name),
                    remedy: Some(
                        "write a hiera.yaml of version 5, or name a global one: hiera_config in hieratic.toml"
                            .to_owned(),
                    ),
                },
                (None, Err(error)) => Item {
                    mark: Mark::Fault,
                    text: format!("environment {}: its keys are not known: {error}", own.name),
                    remedy: error.help_text().map(str::to_owned),
                },
                (None, Ok(keys)) => Item::fine(format!(
                    "environment {}: {}, {}, {}",
                    own.name,
                    counted(own.levels, "level"),
                    counted(*keys, "key"),
                    counted(own.modules, "module")
                )),
            },
        });
    }
    items.push(match &survey.nodes {
        Err(error) => Item { mark: Mark::Fault, text: format!("facts: {error}"), remedy: error.help_text().map(str::to_owned) },
        Ok(nodes) if survey.are_derived => {
            let text = format!("no facts: {} made up from the paths of the hierarchy", counted(nodes.len(), "node"));
            let remedy = match FoundFacts::below(&survey.root) {
                Some(found) => format!(
                    "the folder {} has those of {}: set facts = \"{}\" in hieratic.toml",
                    found.name,
                    counted(found.nodes, "node"),
                    found.name
                ),
                None => "put the facts of nodes into a folder, one file each (puppet facts show > facts/NAME.json), and set facts = \"facts\"".to_owned(),
            };
            Item::gap(text, remedy)
        }
        Ok(nodes) => Item::fine(format!("facts of {} in {}", counted(nodes.len(), "node"), paths_text(&survey.facts))),
    });
    if let Some(report) = &survey.report {
        items.push(Item::fine(format!(
            "{} checked: {}",
            counted(report.files, "file"),
            counted(report.findings.len(), "finding")
        )));
        for unseen in &report.unseen {
            let diagnostic = &unseen.diagnostic;
            let details: Vec<&str> = diagnostic.notes.iter().chain(&diagnostic.help).map(String::as_str).collect();
            items.push(Item::gap(diagnostic.message.clone(), details.join("; ")));
        }
        for group in OmissionGroup::group(&report.not_judged) {
            let text = format!("not judged: {}", group.words_without_remedy());
            items.push(if group.reason.is_gap() {
                Item { mark: Mark::Gap, text, remedy: group.reason.remedy().map(str::to_owned) }
            } else {
                Item::fine(text)
            });
        }
    }
    items
}

/// Reports the revisions that can be compared.
fn git(survey: &Survey) -> Vec<Item> {
    match &survey.git {
        None => vec![Item::gap(
            "not a repository of git: no revisions can be compared",
            "git init, or diff --against FOLDER",
        )],
        Some(Err(error)) => {
            let (text, remedy) =
                (format!("git: {}", error.message), Some(help_of(error)).filter(|help| !help.is_empty()));
            vec![Item { mark: Mark::Fault, text, remedy }]
        }
        Some(Ok(git)) => {
            let mut items = Vec::new();
            match git.commits.first() {
                Some((commit, author)) => items.push(Item::fine(format!("last commit {commit} of {}", author.day()))),
                None => items.push(Item::gap("no commit yet: there is nothing to compare with", "git commit")),
            }
            if git.is_shallow {
                items.push(Item::gap(
                    "a shallow clone: older commits and merge bases are missing",
                    "git fetch --unshallow",
                ));
            }
            if git.is_partial {
                let text = "a partial clone: objects that are not here yet cannot be read";
                items.push(Item::gap(text, "git fetch --refetch --filter=blob:limit=1g, or clone without --filter"));
            }
            items
        }
    }
}
