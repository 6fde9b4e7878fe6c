//! Findings in every format.

use std::io::IsTerminal;

use hieratic_audit::{Finding, Report, rules};
use hieratic_diagnostics::{Code, Diagnostic, Severity, render};

use crate::args::CheckFormat;
use crate::output;
use crate::report::Reporter;

/// Where the pages about rules are.
const PAGES: &str = "https://github.com/hieratic/hieratic/blob/main/docs/findings";

/// Writes what was found; `known` findings are in the baseline and not told.
pub(super) fn tell(report: &Report, known: usize, format: CheckFormat, reporter: &Reporter) {
    match format {
        CheckFormat::Human => {
            let in_repository = !report.environments.is_empty();
            for finding in &report.findings {
                reporter.diagnostic(&for_people(finding, in_repository));
            }
            summary(report, known, reporter);
        }
        CheckFormat::Json => report.findings.iter().for_each(|finding| reporter.say_json(&json(finding))),
        CheckFormat::Sarif => output::print(format!("{}\n", sarif(report)).as_bytes()),
        CheckFormat::Github => {
            for finding in &report.findings {
                output::print(format!("{}\n", render::github(&of_rule(finding))).as_bytes());
            }
        }
    }
}

/// A finding with the code of its rule behind the message, by which it is selected and ignored. What the references say of
/// single files stays as they say it.
fn for_people(finding: &Finding, in_repository: bool) -> Diagnostic {
    let mut diagnostic = finding.diagnostic.clone();
    let verbatim = [rules::MANIFEST.id(), rules::DIRECTIVE.id(), rules::UNREADABLE.id()];
    if in_repository || !verbatim.contains(&finding.rule.id()) {
        let end = diagnostic.message.find('\n').unwrap_or(diagnostic.message.len());
        diagnostic.message.insert_str(end, &format!(" [{}]", finding.rule.id()));
    }
    diagnostic
}

/// A finding under the code of its rule.
fn of_rule(finding: &Finding) -> Diagnostic {
    Diagnostic { code: finding.rule.id(), ..finding.diagnostic.clone() }
}

/// The message as JSON, with its rule and fingerprint.
fn json(finding: &Finding) -> String {
    let text = render::json(&finding.diagnostic);
    // Both are made of letters, digits and hyphens.
    let more = format!(",\"rule\":\"{}\",\"fingerprint\":\"{}\"}}", finding.rule.id(), finding.fingerprint);
    format!("{}{more}", text.strip_suffix('}').unwrap_or(&text))
}

fn sarif(report: &Report) -> String {
    let diagnostics: Vec<Diagnostic> = report.findings.iter().map(of_rule).collect();
    let results: Vec<render::SarifResult<'_>> = diagnostics
        .iter()
        .zip(&report.findings)
        .map(|(diagnostic, finding)| render::SarifResult { diagnostic, fingerprint: Some(&finding.fingerprint) })
        .collect();
    let codes: Vec<Code> = rules::ALL.iter().map(|rule| rule.code).collect();
    let tool = render::Tool { name: "hieratic", version: env!("CARGO_PKG_VERSION") };
    render::sarif_log(&results, &codes, &tool, Some(&|code| format!("{PAGES}/{code}.md")))
}

/// A line with how much was found, where there is something to count or somebody to read it.
fn summary(report: &Report, known: usize, reporter: &Reporter) {
    if report.files == 0 && report.findings.is_empty() {
        reporter.say("Nothing to check: there is no code, data, template or hiera.yaml here", "", false);
        return;
    }
    let quiet = report.findings.is_empty() && !std::io::stderr().is_terminal();
    if report.environments.is_empty() || quiet {
        return;
    }
    let count = |severity| report.findings.iter().filter(|finding| finding.severity() == severity).count();
    let words = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let mut parts: Vec<String> = words
        .into_iter()
        .map(|(severity, word)| (count(severity), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| output::counted(count, word))
        .collect();
    if parts.is_empty() {
        parts.push("nothing found".into());
    }
    let mut line = format!("{} in {}", parts.join(", "), output::counted(report.files, "file"));
    if known > 0 {
        line.push_str(&format!(", {known} in the baseline"));
    }
    if report.ignored > 0 {
        line.push_str(&format!(", {} ignored by comments", report.ignored));
    }
    reporter.say(&line, "", false);
}
