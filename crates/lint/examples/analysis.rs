//! Analyzes the manifests of an environment: `analysis ENVIRONMENT`, or `analysis ENVIRONMENT mutants < mutants.jsonl`.
//!
//! The first writes all findings of the analysis, one a line. The second reads lines with `file` and `text`, the text of the file with a
//! mistake, and writes for each its `id` and the findings that the file does not have without the mistake.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::BufRead;
use std::path::Path;

use hieratic_diagnostics::{Severity, Source};
use hieratic_lint::{BufferCheck, EnvironmentProgram, Options, Session};
use serde_json::{Value, json};

fn findings(program: &EnvironmentProgram, alone: &BufferCheck, file: &str, text: &str) -> BTreeSet<String> {
    let tree = hieratic_puppet_syntax::parse(&Source::new(file, text), &Default::default()).program;
    let mut found = tree.map_or_else(Vec::new, |tree| program.analyze_edited(Path::new(file), &tree));
    found.extend(alone.check(Path::new(file), text));
    let is_counted = |finding: &&hieratic_lint::Finding| finding.severity() != Severity::Note;
    found
        .iter()
        .filter(is_counted)
        .map(|finding| format!("{} {}", finding.rule.id(), finding.diagnostic.message))
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("no folder")?;
    let mut session = Session::new(Options::for_paths([&folder]));
    let report = session.check(&());
    if std::env::args().nth(2).is_none() {
        let ids: BTreeSet<&str> = hieratic_puppet_analysis::ALL.iter().map(|check| check.id).collect();
        for finding in report.findings.iter().filter(|finding| ids.contains(finding.rule.id())) {
            let (file, line) = (finding.file(), finding.line().unwrap_or(0));
            println!(
                "{} {} {file}:{line} {}",
                finding.severity().name(),
                finding.rule.id(),
                finding.diagnostic.message
            );
        }
        return Ok(());
    }
    let views = session.views();
    let program = views.first().ok_or("no environment")?.program();
    let alone = session.buffer_check();
    for line in std::io::stdin().lock().lines() {
        let one: Value = serde_json::from_str(&line?)?;
        let (file, text) = (one["file"].as_str().ok_or("no file")?, one["text"].as_str().ok_or("no text")?);
        let before = findings(program, &alone, file, &std::fs::read_to_string(file)?);
        let after = findings(program, &alone, file, text);
        let new: Vec<&String> = after.difference(&before).collect();
        println!("{}", json!({"id": one["id"], "found": new}));
    }
    Ok(())
}
