//! Judges the manifests that standard input names, and writes a line of JSON for each, as `conformance/recorders/style`
//! does with puppet-lint.
//!
//! Arguments: `--vox-pupuli` for the rules of the plugins, and options of `.puppet-lint.rc`.

use std::io::{BufRead, Write};

use hieratic_budget::{Budget, Limits};
use hieratic_puppet_style::{Failure, RuleSet, Settings, check_style};
use serde_json::json;

fn main() -> std::io::Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let has_plugins = arguments.iter().any(|argument| argument == "--vox-pupuli");
    arguments.retain(|argument| argument != "--vox-pupuli");
    let mut settings = Settings::new(if has_plugins { RuleSet::VoxPupuli } else { RuleSet::PuppetLint });
    for unknown in settings.read_options(&arguments.join("\n")) {
        eprintln!("unknown: {}", unknown.option);
    }
    let mut out = std::io::stdout().lock();
    for file in std::io::stdin().lock().lines() {
        let file = file?;
        let Ok(text) = String::from_utf8(std::fs::read(&file)?) else {
            writeln!(out, "{}", json!({"file": file, "error": "not UTF-8"}))?;
            continue;
        };
        let path = std::path::absolute(&file)?;
        let report = check_style(&text, &path.to_string_lossy(), &settings, &Budget::new(Limits::default()));
        let line = match report {
            Ok(report) => {
                let problems: Vec<_> = report
                    .problems
                    .iter()
                    .map(|problem| {
                        let kind = match (&problem.ignored, problem.severity) {
                            (Some(_), _) => "ignored",
                            (None, hieratic_puppet_style::Severity::Warning) => "warning",
                            (None, hieratic_puppet_style::Severity::Error) => "error",
                        };
                        json!([problem.rule, kind, problem.line, problem.column, problem.message])
                    })
                    .collect();
                json!({"file": file, "problems": problems, "fixed": report.fixed})
            }
            Err(failure @ Failure::Syntax { line, column, .. }) => {
                json!({"file": file, "problems": [["syntax", "error", line, column, failure.to_string()]]})
            }
            Err(failure) => json!({"file": file, "problems": null, "error": failure.to_string()}),
        };
        writeln!(out, "{line}")?;
    }
    Ok(())
}
