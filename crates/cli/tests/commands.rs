//! A hostile repository, checked and asked in CI: whatever its data say, no message is a command to who reads along, drives the
//! terminal, or passes for another message.

#![cfg(unix)]
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the data say, wherever they can say something.
const HOSTILE: &str = "x\n::add-mask::FAKE\n  ::error file=a::FAKE\n##[error]FAKE ##vso[task.complete result=Failed]FAKE\n\
    ##teamcity[buildStop comment='FAKE']\nsection_start:1700000000:FAKE\r\u{1b}[0K\ntravis_fold:start:FAKE\n\
    y\r::stop-commands::FAKE\u{1b}]0;FAKE\u{7}\u{9b}31m\nError: FAKE\nwarning: FAKE\nhelp: FAKE\n --> FAKE:1:1\n";

/// The same for names of files, which are short.
const NAME: &str = "x\n::error::FAKE\n##[e]FAKE\nError: FAKE\r\u{1b}]0;FAKE\u{7}";

/// The same on one line, for places where there is but one.
const LINE: &str =
    "::error::FAKE ##[error]FAKE ##vso[task.complete]FAKE ##teamcity[x] section_end:1:FAKE travis_time:end:FAKE";

/// Whether somebody would take it for a command, or people for something that it is not.
fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for line in text.split(['\n', '\r']) {
        let hashes = line.match_indices("##").any(|(at, _)| {
            let rest = line[at + 2..].trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-.".contains(c));
            rest.starts_with('[')
        });
        let begins = line.trim_start();
        let names = ["section_start:", "section_end:", "travis_fold:", "travis_time:"];
        let ours = ["Error: FAKE", "warning: FAKE", "help: FAKE", "--> FAKE"];
        if begins.starts_with("::") && !begins.starts_with(":::")
            || hashes
            || names.iter().any(|name| line.contains(name))
        {
            faults.push(format!("a command: {line:?}"));
        }
        if ours.iter().any(|fake| begins.starts_with(fake)) {
            faults.push(format!("a message that is none: {line:?}"));
        }
    }
    if let Some(c) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        faults.push(format!("the control character {c:?}"));
    }
    faults
}

/// A text as JSON, HCL and YAML take it in double quotes.
fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap().replace('\u{9b}', "\\u009b")
}

fn set_up() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (hostile, name) = (json(HOSTILE), json(NAME));
    let puppet = HOSTILE.replace('\'', "\"");
    let files = [
        (
            "hiera.yaml",
            format!("version: 5\nhierarchy:\n  - {{name: {name}, path: a.yaml}}\n  - {{name: B, path: {name}}}\n"),
        ),
        (
            "data/a.yaml",
            format!(
                "k: {hostile}\n{hostile}: 1\nm: {{{hostile}: {hostile}}}\nlist: [{hostile}]\ni: '%{{lookup(\"{LINE}\")}}'\n"
            ),
        ),
        (&format!("data/{NAME}"), format!("k: {hostile}\nm: {{b: {hostile}}}\n")),
        ("notice.pp", format!("notice('{puppet}')\nwarning('{puppet}')\nfail('{puppet}')\n")),
        ("code.pp", format!("class a {{\n  $x = 1 + '{LINE}'\n}}\n# {LINE}\n{LINE} class {{\n")),
        (&format!("{NAME}.pp"), "class {\n".to_owned()),
        ("bad.yaml", format!("a: [1, 2\n{LINE}\nb: {hostile}\n")),
        (
            "site.yaml",
            format!(
                "{hostile}: {{a: {hostile}}}\nm:\n  +/nowhere: null\n  {hostile}: 1\nn:\n  {}: null\n",
                json(&format!("+/{HOSTILE}"))
            ),
        ),
        ("fine.yaml", format!("base: {{{hostile}: {hostile}}}\nmore:\n  +/base:\n  c: {hostile}\n")),
        ("a.epp", format!("<% fail('{puppet}') %>\n")),
        ("a.j2", format!("{{{{ nothing[{hostile}].x }}}}\n")),
        ("a.tftpl", format!("${{file({})}}\n", json(LINE))),
        (
            "web.nomad",
            format!("variable {name} {{}}\njob {hostile} {{\n  {LINE}\n  group \"g\" {{ count = {hostile} }}\n}}\n"),
        ),
        (
            "fine.nomad",
            format!(
                "job {0} {{\n  meta {{ a = {hostile} }}\n  group {0} {{\n    task \"t\" {{ driver = \"docker\" }}\n  }}\n}}\n",
                json(LINE)
            ),
        ),
        ("facts.json", format!("{{\"role\": {hostile}, {hostile}: 1}}\n")),
        ("bad.eyaml", "a: ENC[PKCS7,AAAA]\n".to_owned()),
        (&format!("{NAME}.eyaml"), "a: ENC[PKCS7,AAAA]\n".to_owned()),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("NO_COLOR", "1")
        .env_remove("EYAML_CONFIG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Commands whose standard error is looked at.
fn messages() -> Vec<Vec<String>> {
    let pp = format!("{NAME}.pp");
    let eyaml = format!("{NAME}.eyaml");
    let code = format!("notice('{}')", HOSTILE.replace('\'', "\""));
    let unknown = format!("no::such::{NAME}");
    let rows: Vec<Vec<&str>> = vec![
        vec!["lookup", "i"],
        vec!["lookup", &unknown],
        vec!["lookup", HOSTILE],
        vec!["lookup", "k", "--node", HOSTILE, "--merge", "hash"],
        vec!["lookup", "k", "--type", HOSTILE],
        vec!["lookup", "k", "--type", "Integer"],
        vec!["lookup", "k", "--facts", "bad.yaml"],
        vec!["lookup", "k", "--environment", NAME],
        vec!["lookup", "k", HOSTILE, "--no-such-flag"],
        vec!["lookup", "k", "--merge", HOSTILE],
        vec!["eval", "-e", &code],
        vec!["eval", "-e", HOSTILE],
        vec!["eval", "notice.pp", "--facts", "facts.json"],
        vec!["eval", "code.pp"],
        vec!["eval", &pp],
        vec!["eval", "notice.pp", "--node", HOSTILE],
        vec!["eval", "--language", "hcl", "-e", HOSTILE],
        vec!["eval", "--language", "unfurl", "-e", HOSTILE],
        vec!["eval", "--language", HOSTILE, "-e", "1"],
        vec!["parse", "code.pp", &pp],
        vec!["parse", "-e", HOSTILE],
        vec!["check"],
        vec!["check", "--unused", "--facts", "facts.json"],
        vec!["check", "code.pp", &pp, "bad.yaml", "site.yaml", "bad.eyaml"],
        vec!["expand", "site.yaml"],
        vec!["expand", "bad.yaml"],
        vec!["expand", NAME],
        vec!["restore", "site.yaml", "bad.yaml"],
        vec!["restore", "site.yaml", "site.yaml"],
        vec!["render", "a.epp"],
        vec!["render", "a.j2"],
        vec!["render", "a.tftpl"],
        vec!["job", "web.nomad"],
        vec!["job", "fine.nomad", "--validate"],
        vec!["job", "fine.nomad", "--var", HOSTILE],
        vec!["secret", "decrypt", "--eyaml", "bad.eyaml"],
        vec!["secret", "decrypt", "--eyaml", &eyaml],
        vec!["secret", "rotate", ".", "--new-public-key", NAME],
        vec!["secret", "encrypt", "--eyaml", NAME],
        vec!["secret", "createkeys", "--pkcs7-subject", HOSTILE],
        vec![HOSTILE],
        vec!["serve", "--token-file", NAME],
        vec!["repl"],
    ];
    rows.into_iter().map(|row| row.into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn no_message_of_any_verb_is_a_command() {
    let folder = set_up();
    let mut wrong = Vec::new();
    let mut quoting = 0;
    for row in messages() {
        for format in ["human", "json"] {
            let mut arguments: Vec<&str> = row.iter().map(String::as_str).collect();
            if arguments.len() > 1 || arguments == ["check"] || arguments == ["repl"] {
                arguments.extend(["--message-format", format]);
            }
            let (_, errors) = run(folder.path(), &arguments, &format!("notice({})\n{LINE}\n", json(LINE)));
            quoting += usize::from(errors.contains("FAKE"));
            for line in errors.lines().filter(|_| format == "json" && arguments.contains(&"check")) {
                serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|_| panic!("{line}"));
            }
            wrong.extend(faults(&errors).into_iter().map(|error| format!("{arguments:?}\n  {error}")));
        }
    }
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
    assert!(quoting > 40, "only {quoting} messages quote the data at all");
}

#[test]
fn no_report_about_data_is_a_command() {
    let folder = set_up();
    let mut wrong = Vec::new();
    let mut quoting = 0;
    let rows: &[(&[&str], &[&str])] = &[
        (&["lookup", "k", "--why"], &["s", "html", "json", "yaml"]),
        (&["lookup", "m", "--why", "--merge", "deep"], &["s", "html", "json", "yaml"]),
        (&["lookup", "k", "m", "--why", "--each"], &["s", "html", "json", "yaml"]),
        (&["lookup", "m", "--origins", "--merge", "deep"], &["s", "json", "yaml", "flat", "console", "pson"]),
        (&["lookup", "k", "m", "--origins", "--each"], &["s", "json", "yaml"]),
        (&["lookup", "m", "--explain", "--merge", "deep"], &["s", "json", "yaml"]),
        (&["lookup", HOSTILE, "--explain"], &["s", "json", "yaml"]),
        (&["eval", "notice.pp"], &["report"]),
        (&["eval", "-e", HOSTILE, "--language", "hcl"], &["report"]),
        (&["eval", "-e", HOSTILE, "--language", "unfurl"], &["report"]),
        (&["expand", "fine.yaml", "--origins"], &["s", "json", "yaml"]),
        (&["expand", "fine.yaml", "--explain"], &["s", "json", "yaml"]),
        (&["expand", "site.yaml"], &["report"]),
        (&["job", "web.nomad"], &["report"]),
        (&["job", "fine.nomad", "--origins"], &["report", "json", "yaml"]),
        (&["job", "fine.nomad", "--validate"], &["s", "report", "yaml"]),
    ];
    for (row, formats) in rows {
        for format in *formats {
            let arguments = [*row, &["--render-as", format]].concat();
            let (answer, errors) = run(folder.path(), &arguments, "");
            assert!(!answer.is_empty(), "{arguments:?}\n{errors}");
            quoting += usize::from(answer.contains("FAKE"));
            wrong.extend(faults(&answer).into_iter().map(|error| format!("{arguments:?}\n  {error}")));
            if matches!(*format, "json" | "report") && !row.contains(&"--origins") {
                serde_json::from_str::<serde_json::Value>(answer.trim()).unwrap_or_else(|_| panic!("{answer}"));
            }
        }
    }
    let requests = format!("{{\"code\": {}}}\n{{\"expr\": {}, \"language\": \"hcl\"}}\n", json(HOSTILE), json(HOSTILE));
    let (answer, _) = run(folder.path(), &["eval", "--jsonl"], &requests);
    wrong.extend(faults(&answer).into_iter().map(|error| format!("--jsonl\n  {error}")));
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
    assert!(quoting > 25, "only {quoting} reports quote the data at all");
}

#[test]
fn findings_in_every_format_are_no_commands_but_our_own() {
    let folder = set_up();
    let check = |format| run(folder.path(), &["check", "--unused", "--message-format", format], "").0;
    let sarif = check("sarif");
    assert_eq!(faults(&sarif), [""; 0]);
    let log: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert!(log["runs"][0]["results"].to_string().contains("FAKE"));
    let github = check("github");
    assert!(github.contains("FAKE") && github.lines().count() > 3, "{github}");
    for line in github.lines() {
        let rest = ["::error ", "::warning ", "::notice "].iter().find_map(|command| line.strip_prefix(command));
        assert_eq!(faults(rest.unwrap_or(line)), [""; 0], "{line}");
        // What the runner takes for the data of the command is the message, and the properties are ours.
        let (properties, _) = rest.unwrap().split_once("::").unwrap();
        let names = properties.split(',').map(|property| property.split_once('=').unwrap().0);
        let known = ["file", "line", "endLine", "col", "endColumn", "title"];
        assert!(names.into_iter().all(|name| known.contains(&name)), "{line}");
    }
}

/// The plain answer is the user's own data, byte for byte.
#[test]
fn answers_stay_as_they_are() {
    let folder = set_up();
    let path = folder.path();
    assert_eq!(run(path, &["lookup", "k", "--render-as", "s"], "").0, format!("{}\n", HOSTILE.trim_end_matches('\n')));
    let template = path.join("plain.j2");
    fs::write(&template, HOSTILE).unwrap();
    assert!(run(path, &["render", "plain.j2"], "").0.contains("\n::add-mask::FAKE\n"));
}
