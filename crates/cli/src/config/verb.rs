//! `hieratic config`: every setting with its origin.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hieratic_diagnostics::render::sanitize_json;
use hieratic_lint::JobSet;
use hieratic_output::RenderAs;
use serde_json::{Map, Value as Json, json};

use super::file::{Entry, Value};
use super::keys::{KEYS, Key};
use super::{Config, FILE, user_file};
use crate::args::MessageArguments;
use crate::codes;
use crate::output;
use crate::report::Reporter;
use hieratic::sandbox::SlashPath as _;

/// The flags of `config`.
#[derive(Args, Debug)]
pub(crate) struct ConfigArguments {
    /// A folder of the repository (default: the current folder)
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The output format: toml or json
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT", default_value = "toml", value_parser = ["toml", "json"], hide_default_value = true)]
    render_as: String,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// Runs the verb.
pub(crate) fn run(arguments: &ConfigArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    let folder = arguments.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    if !folder.is_dir() {
        reporter.plain_error(codes::USAGE, &format!("{} is not a folder", folder.display()), &["name a folder".into()]);
        return ExitCode::FAILURE;
    }
    match Config::for_folder(&folder) {
        Ok(config) if arguments.render_as == "json" => reporter.print_report(&as_json(&config), &[]),
        Ok(config) => reporter.print_redacted(as_toml(&config).as_bytes(), RenderAs::S),
        Err(error) => {
            reporter.diagnostic(&error);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The settings in the form of a settings file, each with its origin. Unset ones are comments.
fn as_toml(config: &Config) -> String {
    let mut out = String::new();
    if !config.files.iter().any(|(path, _)| path.ends_with(FILE)) {
        out.push_str(&format!("# {FILE}: does not exist\n"));
    }
    for (path, is_there) in &config.files {
        let state = if *is_there { "" } else { ": does not exist" };
        out.push_str(&format!("# {}{state}\n", output::relative_file(path)));
    }
    if config.files.is_empty() && user_file().is_none() {
        out.push_str("# no home folder for settings\n");
    }
    let mut table = "";
    for key in KEYS {
        let (of, name) = key.name.split_once('.').unwrap_or(("", key.name));
        out.push_str(&match (of != table, of) {
            (true, "") | (false, _) => "\n".to_owned(),
            (true, of) => format!("\n[{of}]\n"),
        });
        table = of;
        out.push_str(&format!("# {}\n", key.about));
        out.push_str(&match config.entry(key.name) {
            Some(entry) => {
                let place = format!("{}:{}", output::relative_file(&entry.file), entry.line);
                format!("{name} = {}  # {place}\n", toml(&entry.value))
            }
            None => format!("# {name} = {}\n", key.example),
        });
    }
    out
}

fn toml(value: &Value) -> String {
    // One line, so that CI systems do not take it for a command. A JSON string is a TOML string, except for one
    // character.
    let text = |text: &str| sanitize_json(&serde_json::Value::from(text).to_string()).replace('\u{7f}', "\\u007f");
    let path = |path: &PathBuf| text(&path.to_slashes());
    let list = |parts: Vec<String>| format!("[{}]", parts.join(", "));
    match value {
        Value::Text(value) => text(value),
        Value::Switch(value) => value.to_string(),
        Value::Path(value) => path(value),
        Value::Paths(paths) => list(paths.iter().map(path).collect()),
        Value::Texts(texts) => list(texts.iter().map(|value| text(value)).collect()),
        Value::Folders(folders) => {
            let parts: Vec<String> =
                folders.iter().map(|(there, here)| format!("{} = {}", text(there), path(here))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        Value::Lists(lists) => {
            let of = |list: &[String]| list.iter().map(|value| text(value)).collect();
            let parts: Vec<String> =
                lists.iter().map(|(name, one)| format!("{} = {}", text(name), list(of(one)))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        Value::Jobs(jobs) => {
            let texts = |all: &[String]| list(all.iter().map(|value| text(value)).collect());
            let one = |job: &JobSet| {
                let files = list(job.var_files.iter().map(path).collect());
                let mut parts = vec![format!("files = {}", texts(&job.files)), format!("var-files = {files}")];
                if !job.arguments.is_empty() {
                    let value = |argument: &String| {
                        argument.split_once('=').map(|(name, value)| (name.to_owned(), text(value)))
                    };
                    let values =
                        job.arguments.iter().filter_map(value).map(|(name, value)| format!("{name} = {value}"));
                    parts.push(format!("vars = {{ {} }}", values.collect::<Vec<_>>().join(", ")));
                }
                let version = job.nomad_version.map(|version| version.to_string());
                let named = [("name", &job.name), ("region", &job.region), ("namespace", &job.namespace)];
                let named = named.into_iter().chain([("nomad_version", &version)]);
                parts.extend(named.filter_map(|(name, value)| Some(format!("{name} = {}", text(value.as_ref()?)))));
                format!("{{ {} }}", parts.join(", "))
            };
            list(jobs.iter().map(one).collect())
        }
        Value::Words(words) => {
            let parts: Vec<String> =
                words.iter().map(|(name, word)| format!("{} = {}", text(name), text(word))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
    }
}

fn as_json(config: &Config) -> Json {
    let files: Vec<Json> =
        config.files.iter().map(|(path, is_there)| json!({ "path": path.to_slashes(), "exists": is_there })).collect();
    let settings: Map<String, Json> =
        KEYS.iter().map(|key: &Key| (key.name.to_owned(), config.entry(key.name).map_or(Json::Null, entry))).collect();
    json!({ "files": files, "settings": settings })
}

fn entry(entry: &Entry) -> Json {
    let path = |path: &PathBuf| Json::from(path.to_slashes());
    let value = match &entry.value {
        Value::Text(value) => value.as_str().into(),
        Value::Switch(value) => (*value).into(),
        Value::Path(value) => path(value),
        Value::Paths(paths) => paths.iter().map(path).collect(),
        Value::Texts(texts) => texts.clone().into(),
        Value::Folders(folders) => {
            Json::Object(folders.iter().map(|(there, here)| (there.clone(), path(here))).collect())
        }
        Value::Lists(lists) => {
            Json::Object(lists.iter().map(|(name, list)| (name.clone(), list.clone().into())).collect())
        }
        Value::Jobs(jobs) => jobs
            .iter()
            .map(|job| {
                json!({
                    "name": job.name,
                    "files": job.files,
                    "var-files": job.var_files.iter().map(path).collect::<Vec<_>>(),
                    "vars": job.arguments,
                    "region": job.region,
                    "namespace": job.namespace,
                    "nomad_version": job.nomad_version.map(|version| version.to_string()),
                })
            })
            .collect(),
        Value::Words(words) => {
            Json::Object(words.iter().map(|(name, word)| (name.clone(), word.as_str().into())).collect())
        }
    };
    json!({ "value": value, "file": entry.file.to_slashes(), "line": entry.line })
}
