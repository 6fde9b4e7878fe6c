//! Runs every example of `docs/puppet-language.md`: values, logs and errors are as written there.

use std::path::Path;

use hieratic::code::ReportedError;
use hieratic::{Code, Facts};
use libtest_mimic::{Failed, Trial};

/// One test for each example.
pub fn trials() -> Vec<Trial> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/puppet-language.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut trials = Vec::new();
    let mut section = "";
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title;
        } else if line == "```puppet" {
            let example: Vec<String> =
                lines.by_ref().map(|(_, line)| line.to_owned()).take_while(|line| line != "```").collect();
            trials.push(Trial::test(format!("{section}, line {}", number + 1), move || run(&example)));
        }
    }
    assert!(trials.len() > 100, "the examples were not found");
    trials
}

/// Lines that begin with `#=>`, `#>` or `#!` are what the lines before them answer.
fn run(example: &[String]) -> Result<(), Failed> {
    let is_answer = |line: &&String| ["#=>", "#>", "#!"].iter().any(|sign| line.starts_with(sign));
    let (answers, code): (Vec<&String>, Vec<&String>) = example.iter().partition(is_answer);
    let code = code.into_iter().map(String::as_str).collect::<Vec<_>>().join("\n");

    let facts: serde_json::Value = serde_json::json!({"os": {"family": "Debian"}, "hostname": "web01"});
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("facts.json");
    std::fs::write(&path, facts.to_string()).unwrap();
    let facts =
        Facts::new(Some("web01.example.com"), Facts::load(&path, &hieratic::sandbox::Files::anywhere()).unwrap());
    let report = Code::new(None, facts, Default::default()).evaluate("", &code).report();

    let one_line = |text: &str| text.replace('\n', "\\n");
    let mut ours: Vec<String> =
        report.logs.iter().map(|log| format!("#> {}: {}", log.level, one_line(&log.text))).collect();
    ours.push(match report.error {
        Some(ReportedError { message, line, column }) => {
            let column = column.map(|column| format!(", column: {column}")).unwrap_or_default();
            let place = line.map(|line| format!(" (line: {line}{column})")).unwrap_or_default();
            format!("#! {}{place}", one_line(&message))
        }
        None => format!("#=> {}", one_line(&report.value.or(report.string).unwrap())),
    });
    let theirs: Vec<String> = answers.into_iter().cloned().collect();
    if ours == theirs {
        Ok(())
    } else {
        Err(format!("{code}\n documented: {theirs:#?}\n       ours: {ours:#?}").into())
    }
}
