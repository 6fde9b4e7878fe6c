//! The pages of `docs/reference` that are made from the program and its sources.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::pages;
use crate::program::{current, printed, sources};

const MADE: &str = "<!-- Made by `HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose`. Do not edit. -->\n\n";

/// No terminal is as wide, so every paragraph is one line.
const WIDE: usize = 10_000;

/// The verbs in the order of the help, each followed by its actions.
fn verbs() -> Vec<Vec<String>> {
    let mut verbs = Vec::new();
    for verb in commands(&[]) {
        let actions = commands(&[&verb]);
        verbs.push(vec![verb.clone()]);
        verbs.extend(actions.into_iter().map(|action| vec![verb.clone(), action]));
    }
    verbs
}

fn commands(verb: &[&str]) -> Vec<String> {
    let help = help(verb);
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned));
    names.filter(|name| !name.is_empty()).collect()
}

fn help(verb: &[&str]) -> String {
    let text = printed(".", WIDE, &[verb, &["--help"]].concat());
    assert!(text.contains("Usage:"), "{verb:?}");
    text
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('>', "&gt;")
}

/// A flag or an argument: how it is written, and what its help says.
struct Flag {
    written: String,
    help: Vec<String>,
}

fn flags(part: &str) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    for line in part.lines() {
        let indent = line.len() - line.trim_start().len();
        let text = line.trim();
        match flags.last_mut() {
            _ if text.is_empty() => {}
            Some(flag) if indent >= 10 => flag.help.push(text.to_owned()),
            _ => {
                let (written, reported) = text.split_once("  ").unwrap_or((text, ""));
                let reported = if reported.is_empty() { Vec::new() } else { vec![reported.trim().to_owned()] };
                flags.push(Flag { written: written.to_owned(), help: reported });
            }
        }
    }
    flags
}

/// What a flag does, with its values and its default as sentences of one cell.
fn describe_flag(flag: &Flag) -> String {
    let mut text = String::new();
    let mut values = Vec::new();
    for line in &flag.help {
        let note =
            line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).and_then(|line| line.split_once(": "));
        if let Some((name, value)) = line.strip_prefix("- ").and_then(|line| line.split_once(':')) {
            values.push(format!("`{name}` ({})", value.trim()));
        } else if let Some((kind, value)) = note {
            let value = value.split(", ").map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
            match kind {
                "possible values" => values.push(value),
                kind => text += &format!(". {}: {value}", kind[..1].to_uppercase() + &kind[1..]),
            }
        } else if line != "Possible values:" {
            text += &format!("{}{line}", if text.is_empty() { "" } else { ". " });
        }
    }
    if !values.is_empty() {
        text += &format!(". Values: {}", values.join(", "));
    }
    cell(&text)
}

/// The headings of flags.
const FLAGS: [&str; 5] = ["Options", "Node and facts", "Output", "Puppet settings", "Limits and permissions"];

fn command_page() -> String {
    let mut page = format!(
        "# Command reference\n\n{MADE}Every verb with its arguments and flags, as `hieratic VERB --help` prints them.\n"
    );
    for verb in std::iter::once(Vec::new()).chain(verbs()) {
        let words: Vec<&str> = verb.iter().map(String::as_str).collect();
        let help = help(&words);
        let (about, rest) = help.split_once("\n\nUsage: ").unwrap();
        let (usage, rest) = rest.split_once("\n\n").unwrap();
        let usage = usage.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        page += &format!(
            "\n## {}\n\n{}.\n\n```text\n{usage}\n```\n",
            [&["hieratic"], words.as_slice()].concat().join(" "),
            cell(about.trim().trim_end_matches('.'))
        );
        let (rest, examples) = rest.split_once("\nExamples:\n").unwrap_or((rest, ""));
        for section in rest.split("\n\n").fold(Vec::<String>::new(), |mut sections, part| {
            let heads = part
                .trim_start_matches('\n')
                .lines()
                .next()
                .is_some_and(|line| line.ends_with(':') && !line.starts_with(' '));
            match sections.last_mut() {
                Some(last) if !heads => *last += &format!("\n{part}"),
                _ => sections.push(part.to_owned()),
            }
            sections
        }) {
            let Some((head, part)) = section.trim_start_matches('\n').split_once(":\n") else { continue };
            if head != "Arguments" && !FLAGS.contains(&head) {
                continue;
            }
            if !["Arguments", "Options"].contains(&head) {
                page += &format!("\n{head}:\n");
            }
            page += &format!("\n| {} | does |\n|---|---|\n", if head == "Arguments" { "argument" } else { "flag" });
            for flag in flags(part) {
                page += &format!("| `{}` | {} |\n", flag.written.replace('|', "\\|"), describe_flag(&flag));
            }
        }
        let mut paragraphs = Vec::new();
        let mut shown = String::new();
        for line in examples.lines() {
            match line.strip_prefix("  ") {
                Some(example) => shown += &format!("{example}\n"),
                None if !line.is_empty() => paragraphs.push(cell(line)),
                None => {}
            }
        }
        if !shown.is_empty() {
            page += &format!("\n```sh\n{shown}```\n");
        }
        for paragraph in paragraphs {
            page += &format!("\n{paragraph}\n");
        }
    }
    page
}

#[test]
fn the_page_of_commands_is_current() {
    let page = command_page();
    assert!(verbs().len() > 15 && page.matches("| `").count() > 200, "{page}");
    current("docs/reference/command.md", &page);
}

#[test]
fn the_page_of_limits_is_current() {
    let mut page = format!(
        "# Limits\n\n{MADE}A budget bounds the work of every answer; see the [security model](../security.md#limits). `--limit NAME=VALUE` \
         changes a limit, and `hieratic --limits` prints this list. [Differences](../differences/check.md#bounds) lists the fixed bounds.\n\n\
         | name | default | counts |\n|---|---|---|\n"
    );
    let list = printed(".", WIDE, &["--limits"]);
    for line in list.lines() {
        let mut words = line.split_whitespace();
        let (name, value) = (words.next().unwrap(), words.next().unwrap());
        page += &format!("| `{name}` | {value} | {} |\n", words.collect::<Vec<_>>().join(" "));
    }
    assert!(list.lines().count() >= 5, "{list}");
    current("docs/reference/limits.md", &page);
}

/// The tables of what verbs and routes may do, on the page about security.
#[test]
fn the_tables_of_permissions_are_current() {
    let page = std::fs::read_to_string(pages::root().join("docs/security.md")).unwrap();
    let (before, rest) = page.split_once("access.rs: begin -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    let tables = printed(".", WIDE, &["--permissions"]);
    assert!(tables.lines().count() > 50, "{tables}");
    current("docs/security.md", &format!("{before}access.rs: begin -->\n\n{tables}\n<!-- end -->{after}"));
}

/// What the formats page shows: a title, a folder of the examples, a command, and what is to be known.
const FORMATS: &[(&str, &str, &str, &str)] = &[
    (
        "Messages",
        "control-repo",
        "lookup profile::web::prot --node web01.example.com --message-format json",
        "Every verb writes warnings and errors in this format to standard error, one object per line. [Codes of errors](../errors/README.md) \
         has a page for each `code`.",
    ),
    (
        "Findings",
        "unfurl",
        "check broken.yaml --message-format json",
        "`check` writes findings to standard output, one object per line. Here, `broken.yaml` refers to a missing key.",
    ),
    (
        "Origins",
        "control-repo",
        "lookup profile::base::packages --node web01.example.com --fact role=web --origins --format json",
        "`path` leads to a part of `value`. Lines and columns start at 1.",
    ),
    (
        "Why",
        "control-repo",
        "lookup profile::base::packages --node web01.example.com --fact role=web --why --format json",
        "`layers` are in the order of the hierarchy. `fate` says what became of each part.",
    ),
    (
        "Report of an evaluation",
        "control-repo",
        "eval -e notice(1)+1/0 --node web01.example.com --format report",
        "`eval`, `expand` and `eval --jsonl` write one object per evaluation. Without an error, `error` is null.",
    ),
    (
        "Explained directives",
        "unfurl",
        "expand site.yaml --explain --format json",
        "One object per directive: where it is, what it refers to, and what happened to each key.",
    ),
    (
        "Validation of a job",
        "nomad",
        "job web.nomad.hcl -var replicas=-1 --validate --format report",
        "The findings of `job --validate`.",
    ),
];

/// The fields of a value, as paths with the types that occur.
fn fields(value: &Value, path: &str, all: &mut BTreeMap<String, BTreeSet<&'static str>>, order: &mut Vec<String>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !path.is_empty() {
        if !all.contains_key(path) {
            order.push(path.to_owned());
        }
        all.entry(path.to_owned()).or_default().insert(kind);
    }
    // What is in a value is the data's own.
    let own = ["value", "target", "keys", "options"].iter().any(|name| path.rsplit('.').next() == Some(name));
    match value {
        Value::Array(items) if !own => items.iter().for_each(|item| fields(item, &format!("{path}[]"), all, order)),
        Value::Object(map) if !own => map.iter().for_each(|(key, item)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            fields(item, &path, all, order);
        }),
        _ => {}
    }
}

#[test]
fn the_page_of_formats_is_current() {
    let mut page = format!(
        "# JSON formats\n\n{MADE}Each section shows a command, an answer, and its fields. Fields are [stable](../versions.md); new ones may be \
         added. [The service](../service.md) describes its own formats in `/v1/openapi.json`.\n"
    );
    for (title, folder, command, about) in FORMATS {
        let copy = tempfile::tempdir().unwrap();
        crate::support::copy(&pages::root().join("examples").join(folder), copy.path());
        std::fs::write(copy.path().join("broken.yaml"), "base: {port: 80}\nweb: {+/bse: , name: web}\n").unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_hieratic"))
            .args(command.split(' '))
            .current_dir(copy.path())
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap();
        let text = String::from_utf8(if output.stdout.is_empty() { output.stderr } else { output.stdout }).unwrap();
        let folder = copy.path().canonicalize().unwrap().display().to_string();
        let text = text.replace(&folder, "/repo");
        let values: Vec<Value> = serde_json::Deserializer::from_str(&text)
            .into_iter::<Value>()
            .map(|value| value.unwrap_or_else(|_| panic!("{text}")))
            .collect();
        assert!(!values.is_empty(), "{command}: no JSON");
        let (mut all, mut order) = (BTreeMap::new(), Vec::new());
        values.iter().for_each(|value| fields(value, "", &mut all, &mut order));
        page += &format!("\n## {title}\n\n{about}\n\n```sh\nhieratic {command}\n```\n\n");
        page += &format!(
            "```json\n{}\n```\n\n| field | type |\n|---|---|\n",
            serde_json::to_string_pretty(&values[0]).unwrap()
        );
        for path in order {
            let kinds: Vec<&str> = all[&path].iter().copied().collect();
            page += &format!("| `{path}` | {} |\n", kinds.join(" or "));
        }
    }
    current("docs/reference/formats.md", &page);
}

/// Every variable of the environment that the command reads is on the page of settings.
#[test]
fn the_page_of_settings_names_every_variable() {
    let page = std::fs::read_to_string(pages::root().join("docs/reference/settings.md")).unwrap();
    let mut names = BTreeSet::new();
    for (_, source) in sources() {
        for (at, _) in source.match_indices("env::var") {
            let name = source[at..].split_once('(').and_then(|(_, rest)| rest.strip_prefix('"')?.split('"').next());
            names.extend(name.map(str::to_owned));
        }
        for (at, _) in source.match_indices("\"HIERATIC_") {
            names.extend(source[at + 1..].split('"').next().map(str::to_owned));
        }
    }
    // The folder of a request of WebAssembly; who runs the command, on systems that name it otherwise; what is built into it; and what is for tests.
    let built_in = ["PWD", "USER", "USERNAME", "HIERATIC_COMMIT", "HIERATIC_TARGET", "HIERATIC_UPDATE"];
    names.retain(|name| !built_in.contains(&name.as_str()));
    assert!(names.len() > 7, "{names:?}");
    let missing: Vec<&String> = names
        .iter()
        .filter(|name| !page.contains(&format!("`{name}`")) && !page.contains(&format!("`${name}`")))
        .collect();
    assert!(missing.is_empty(), "docs/reference/settings.md lacks {missing:?}");
}
