//! `hieratic expand`: a document with its merge directives expanded.

use std::convert::Infallible;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hieratic::budget::Budget;
use hieratic::code::{Report, ReportedError, ReportedLog};
use hieratic::directives::{Applied, Effect, Expanded, Failure, Origin, Record, ResolvedTarget, expand};
use hieratic::yaml_edit::tree::{Content, Node};
use hieratic::yaml_edit::write::{Style, document};
use hieratic::{Hash, Redactor, Value};
use hieratic_diagnostics::render::{escape_commands, sanitize_json, visible_line};
use hieratic_output::RenderAs;

use crate::args::{DocumentArguments, LimitArguments, MessageArguments, RevealArguments};
use crate::codes;
use crate::documents;
use crate::eval::report_line;
use crate::origin_table::OriginTable;
use crate::output::{self, OriginRows, Row, counted};
use crate::report::Reporter;
use crate::revision::RevisionArguments;
use crate::vault::VaultArguments;

/// The format of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Yaml,
    Json,
    Text,
    Report,
}

/// The flags of `expand`.
#[derive(Args, Debug)]
pub(crate) struct ExpandArguments {
    /// The document; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The output format: yaml, json, s or report
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,
    /// Print the file and line that every value comes from
    #[arg(long, conflicts_with = "explain")]
    pub(crate) origins: bool,
    /// List every directive with its match and its effect, in order
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) vault: VaultArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) revision: RevisionArguments,
    #[command(flatten)]
    pub(crate) document: DocumentArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &ExpandArguments) -> ExitCode {
    let reporter =
        Reporter::new(arguments.messages.message_format, arguments.messages.color).revealing(arguments.reveal.reveal);
    let format = match arguments.render_as.as_deref() {
        None => None,
        Some("yaml") => Some(Format::Yaml),
        Some("json") => Some(Format::Json),
        Some("s") => Some(Format::Text),
        Some("report") => Some(Format::Report),
        Some(other) => {
            let message = format!("Unknown format '{other}'");
            reporter.plain_error(codes::USAGE, &message, &["the formats are yaml, json, s and report".into()]);
            return ExitCode::from(2);
        }
    };
    let record = if arguments.explain { Record::All } else { Record::Nothing };
    let limits = arguments.limits.limits();
    let vault = match arguments.vault.open(&reporter) {
        Ok(vault) => (!vault.is_empty()).then(|| vault.of_documents(Budget::new(limits))),
        Err(error) => {
            reporter.failure(&error);
            return ExitCode::from(2);
        }
    };
    let (access, commit) = (arguments.document.access, arguments.revision.commit.as_ref());
    let answer = documents::read(&arguments.file, access, commit, vault);
    let answer = answer.and_then(|mut input| {
        expand(
            &input.document,
            &mut input.files,
            &documents::options(record, &arguments.document.var, &input.permissions, limits),
        )
    });
    if format == Some(Format::Report) {
        let report = as_report(answer.as_ref(), reporter.redactor());
        output::print(format!("{}\n", sanitize_json(&report_line(&report))).as_bytes());
        return ExitCode::SUCCESS;
    }
    let expanded = match answer {
        Ok(expanded) => expanded,
        Err(failure) => {
            documents::report(&reporter, &arguments.file, &failure);
            return ExitCode::FAILURE;
        }
    };
    for warning in expanded.warnings() {
        reporter.diagnostic(warning);
    }
    if arguments.origins && matches!(format, None | Some(Format::Text | Format::Report)) {
        let (table, root) = OriginTable::from_expanded(&expanded, reporter.redactor());
        let layout = output::Layout::of_process(arguments.messages.color);
        table.write(root, &layout, &mut |lines| {
            output::print(escape_commands(&reporter.redactor().message(lines)).as_bytes())
        });
        return ExitCode::SUCCESS;
    }
    output::print(shown(arguments, &expanded, format, reporter.redactor()).as_bytes());
    ExitCode::SUCCESS
}

fn shown(arguments: &ExpandArguments, expanded: &Expanded, format: Option<Format>, redactor: &Redactor) -> String {
    if arguments.explain {
        return match format {
            None | Some(Format::Text | Format::Report) => {
                let text: String = expanded.applied().iter().map(|applied| explained(applied, redactor)).collect();
                escape_commands(&redactor.message(&text)).into_owned()
            }
            Some(format) => report(&redactor.value(&expanded.applied().iter().map(explanation).collect()), format),
        };
    }
    if arguments.origins {
        let mut rows = OriginRows::default();
        each_row(expanded, &mut |row| rows.add(row));
        let pairs = [("value", expanded.to_value()), ("origins", rows.into_value())];
        return report(&redactor.value(&pairs.into_iter().collect::<Hash>().into()), format.unwrap_or(Format::Yaml));
    }
    data(&redactor.value(&expanded.to_value()), format.unwrap_or(Format::Yaml))
}

/// A report about a document, in which CI systems find no command.
fn report(value: &Value, format: Format) -> String {
    let format = match format {
        Format::Json => RenderAs::Json,
        Format::Text => RenderAs::S,
        Format::Yaml | Format::Report => RenderAs::Yaml,
    };
    let write = |format: RenderAs| {
        let text = match format {
            RenderAs::Json => sanitize_json(&data(value, Format::Json)),
            RenderAs::S => data(value, Format::Text),
            _ => data(value, Format::Yaml),
        };
        Ok::<_, Infallible>(text.into_bytes())
    };
    let Ok((text, _)) = output::written_report(format, write);
    String::from_utf8_lossy(&text).into_owned()
}

fn data(value: &Value, format: Format) -> String {
    match format {
        Format::Json => document(value, &Style::Json),
        Format::Text => format!("{}\n", value.to_text()),
        Format::Yaml | Format::Report => document(value, &Style::block(0)),
    }
}

/// Calls `show` with each leaf and its origins.
fn each_row(expanded: &Expanded, show: &mut dyn FnMut(&Row<'_>)) {
    fn walk(expanded: &Expanded, node: &Node, path: &mut Vec<Value>, show: &mut dyn FnMut(&Row<'_>)) {
        match node.content() {
            Content::List(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    path.push(Value::from(index));
                    walk(expanded, item.node(), path, show);
                    path.pop();
                }
            }
            Content::Map(map) if !map.is_empty() => {
                for entry in map.entries() {
                    path.push(entry.key.clone());
                    walk(expanded, entry.node(), path, show);
                    path.pop();
                }
            }
            _ => {
                let origin = expanded.origin(node);
                let origin = origin.as_ref().map(|Origin { file, line, column }| (file.as_str(), *line, *column));
                show(&Row { path, value: &node.to_value(), origin });
            }
        }
    }
    walk(expanded, expanded.root(), &mut Vec::new(), show);
}

/// Describes a directive.
fn explained(applied: &Applied, redactor: &Redactor) -> String {
    let place_text = visible_line(&output::path_text(&applied.path));
    let place_text = if place_text.is_empty() { "(top)".to_owned() } else { place_text };
    let value = match &applied.value {
        Value::Undef => String::new(),
        value => format!(": {}", visible_line(&redactor.value(value).inspect())),
    };
    let key = visible_line(&applied.key);
    let mut out = format!("{place_text}\n  {key}{value}{}\n", place(" written at ", &applied.origin));
    match &applied.found {
        ResolvedTarget::Missing => out.push_str("  found nothing\n"),
        ResolvedTarget::Nothing(reason) => out.push_str(&format!("  found nothing: {}\n", visible_line(reason))),
        ResolvedTarget::Target(node, origin) => {
            let kind = match node.content() {
                Content::Map(map) => format!("a map of {}", counted(map.len(), "key")),
                Content::List(items) => format!("a list of {}", counted(items.len(), "item")),
                Content::Scalar(value) => visible_line(&redactor.value(value).inspect()),
            };
            out.push_str(&format!("  found {kind}{}\n", place(" at ", origin)));
            if node.as_map().is_none() {
                out.push_str("  replaces the map\n");
            }
            for (effect, word) in
                [(Effect::Added, "added"), (Effect::Merged, "merged"), (Effect::Overridden, "overridden")]
            {
                let keys: Vec<String> =
                    applied.keys.iter().filter(|(_, is)| *is == effect).map(|(key, _)| key.to_text()).collect();
                if !keys.is_empty() {
                    out.push_str(&format!("  {word}: {}\n", visible_line(&keys.join(", "))));
                }
            }
        }
    }
    out
}

fn place(before: &str, origin: &Option<Origin>) -> String {
    origin.as_ref().map_or(String::new(), |origin| {
        format!("{before}{}:{}", visible_line(&output::relative_file(origin.file.as_ref())), origin.line)
    })
}

/// A directive as data.
fn explanation(applied: &Applied) -> Value {
    let at = |origin: &Option<Origin>| match origin {
        None => Value::Undef,
        Some(Origin { file, line, column }) => {
            let pairs: [(&str, Value); 3] = [
                ("file", file.as_str().into()),
                ("line", i64::from(*line).into()),
                ("column", i64::from(*column).into()),
            ];
            pairs.into_iter().collect::<Hash>().into()
        }
    };
    let mut pairs: Vec<(&str, Value)> = vec![
        ("path", applied.path.iter().cloned().collect()),
        ("directive", applied.key.as_str().into()),
        ("value", applied.value.clone()),
        ("at", at(&applied.origin)),
    ];
    match &applied.found {
        ResolvedTarget::Missing => pairs.push(("found", Value::Undef)),
        ResolvedTarget::Nothing(reason) => {
            pairs.push(("found", Value::Undef));
            pairs.push(("reason", reason.as_str().into()));
        }
        ResolvedTarget::Target(node, origin) => {
            pairs.push(("found", at(origin)));
            pairs.push(("target", node.to_value()));
        }
    }
    let keys = applied.keys.iter().map(|(key, effect)| {
        let word = match effect {
            Effect::Added => "added",
            Effect::Merged => "merged",
            Effect::Overridden => "overridden",
        };
        (key.clone(), Value::from(word))
    });
    pairs.push(("keys", keys.collect::<Hash>().into()));
    pairs.into_iter().collect::<Hash>().into()
}

/// The report for tools.
fn as_report(answer: Result<&Expanded, &Failure>, redactor: &Redactor) -> Report {
    match answer {
        Ok(expanded) => {
            let value = redactor.value(&expanded.to_value());
            let json = document(&value, &Style::Json);
            let logs = expanded.warnings().iter().map(|warning| ReportedLog {
                level: "warning".to_owned(),
                text: redactor.message(&warning.message).into_owned(),
            });
            Report {
                value: Some(json.trim_end().to_owned()),
                string: Some(value.to_text()),
                logs: logs.collect(),
                json: Some(value),
                ..Report::default()
            }
        }
        Err(failure) => {
            let all = failure.diagnostics();
            let named = all.iter().find(|diagnostic| diagnostic.message == failure.message()).or(all.first());
            let label = named.and_then(|diagnostic| diagnostic.labels.first());
            let place = label.map(|label| label.source.start(label.span));
            let message = redactor.message(failure.message()).into_owned();
            let (line, column) = (place.map(|place| place.line), place.map(|place| place.column));
            let error = ReportedError { message, line, column };
            Report { error: Some(error), ..Report::default() }
        }
    }
}
