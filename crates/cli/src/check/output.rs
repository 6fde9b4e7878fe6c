//! Findings in every format.

use std::path::{Path, PathBuf};

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Diagnostic, Severity, render};
use hieratic_lint::{Finding, OmissionGroup, Report, Rule, file_from, rules};
use hieratic_output::RenderAs;

use super::flags::{CheckArguments, CheckFormat};
use crate::codes;
use crate::junit::{self, Outcome};
use crate::output;
use crate::report::Reporter;
use crate::terminal::{self, painted};

/// The folder of the pages about rules.
const PAGES: &str = "https://github.com/hieratic/hieratic/blob/main/docs/findings";

/// The options of the output.
pub(super) struct OutputOptions<'t> {
    pub(super) format: CheckFormat,
    /// Whether only findings are printed.
    pub(super) quiet: bool,
    /// Whether skipped checks are errors.
    pub(super) is_strict: bool,
    /// The root of the repository, from which some formats name files.
    pub(super) root: Option<&'t Path>,
    /// The number of findings that are in the baseline, and so are not reported.
    pub(super) known: usize,
    /// The number of findings that the settings ignore for their files, and so are not reported.
    pub(super) by_settings: usize,
    /// The number of findings that were fixed, and so are not reported.
    pub(super) fixed: usize,
}

/// Writes the findings.
pub(super) fn write_findings(report: &Report, options: &OutputOptions<'_>, reporter: &Reporter) {
    let findings = report.findings.iter().chain(report.unseen.iter().filter(|_| !options.quiet));
    let mut groups = if options.quiet { Vec::new() } else { OmissionGroup::group(&report.not_judged) };
    // A skipped check that is an error already is not reported again as a note.
    groups.retain(|group| !options.is_strict || !group.reason.is_gap());
    let not_judged: Vec<Finding> = groups.iter().map(OmissionGroup::note).collect();
    match options.format {
        CheckFormat::Human => {
            let in_repository = !report.environments.is_empty();
            let all: Vec<&Finding> = findings.collect();
            for group in all.chunk_by(|one, other| one.file() == other.file()) {
                let [first, ..] = group else { continue };
                // The findings of a single file need no heading.
                if group.len() < all.len() {
                    heading(first.file(), group.len(), reporter);
                }
                for finding in group {
                    reporter.print_finding(&for_people(finding, in_repository));
                    output::print(b"\n");
                }
            }
            if !options.quiet {
                summary(report, options, reporter);
            }
        }
        CheckFormat::Json => {
            findings.for_each(|finding| print_line(&json(finding), reporter));
            for (group, finding) in groups.iter().zip(&not_judged) {
                print_line(&json_of_group(group, finding), reporter);
            }
        }
        CheckFormat::Sarif => output::print(format!("{}\n", sarif(report, &not_judged)).as_bytes()),
        CheckFormat::Junit => output::print(tests(findings, &not_judged, reporter).as_bytes()),
        CheckFormat::Gitlab => output::print(format!("{}\n", gitlab(report, options.root)).as_bytes()),
        CheckFormat::Github => {
            for finding in findings.chain(&not_judged) {
                output::print(format!("{}\n", render::github(&of_rule(finding))).as_bytes());
            }
        }
    }
}

/// A failed test for each finding, and a skipped one for each group of skipped checks; a passed test if there is no
/// finding. The names are unique.
fn tests<'f>(findings: impl Iterator<Item = &'f Finding>, not_judged: &[Finding], reporter: &Reporter) -> String {
    let mut names: HashMap<String, usize> = HashMap::default();
    let test = |finding: &Finding| {
        let diagnostic = reporter.redactor().diagnostic(&finding.diagnostic);
        let place = match (finding.file(), finding.line()) {
            ("", _) => String::new(),
            (file, None) => format!("{file} "),
            (file, Some(line)) => format!("{file}:{line} "),
        };
        let more = diagnostic.notes.iter().map(|note| format!("\n{note}"));
        let help = diagnostic.help.iter().map(|help| format!("\nhelp: {help}"));
        let failure = diagnostic.message.clone() + &more.chain(help).collect::<String>();
        let name = format!("{place}{}", finding.rule.id());
        let count = names.entry(name.clone()).or_default();
        *count += 1;
        let name = if *count > 1 { format!("{name} ({count})") } else { name };
        let outcome = if finding.severity() == Severity::Note { Outcome::Passed } else { Outcome::Failed(failure) };
        (name, outcome)
    };
    let mut tests: Vec<(String, Outcome)> = findings.map(test).collect();
    if tests.is_empty() {
        tests.push(("nothing found".to_owned(), Outcome::Passed));
    }
    let skipped = |finding: &Finding| {
        let message = &finding.diagnostic.message;
        (message.clone(), Outcome::Skipped(message.clone()))
    };
    tests.extend(not_judged.iter().map(skipped));
    junit::report("hieratic check", &tests)
}

/// A report for GitLab, which names files from the root of the repository.
fn gitlab(report: &Report, root: Option<&Path>) -> String {
    let anchor = anchor(report);
    let all: Vec<(Diagnostic, String)> = report
        .findings
        .iter()
        .map(|finding| {
            let file = if finding.file().is_empty() { anchor.as_str() } else { finding.file() };
            (of_rule(finding), file_from(root, file))
        })
        .collect();
    let issues: Vec<render::GitlabIssue<'_>> = all
        .iter()
        .zip(&report.findings)
        .map(|((diagnostic, file), finding)| render::GitlabIssue {
            diagnostic,
            file,
            line: finding.line().unwrap_or(1).max(1),
            fingerprint: &finding.fingerprint,
        })
        .collect();
    render::gitlab(&issues)
}

/// The file for findings without a position: viewers of code scanning reject a result without a file.
fn anchor(report: &Report) -> String {
    let configuration = report.environments.first().map(|root| root.join("hiera.yaml"));
    let file = configuration.filter(|file| file.exists());
    file.map_or_else(|| ".".to_owned(), |file| output::relative_file(&file))
}

/// Writes a JSON object on a separate line.
fn print_line(json: &str, reporter: &Reporter) {
    reporter.print_redacted(format!("{json}\n").as_bytes(), RenderAs::Json);
}

/// Writes the name of a file with the number of its findings.
fn heading(file: &str, count: usize, reporter: &Reporter) {
    let file = if file.is_empty() { "without a file" } else { file };
    let text = render::visible_line(&format!("{file}: {}", output::counted(count, "finding")));
    let text = painted(reporter.colors_answers(), "1;4", &text);
    reporter.print_redacted(format!("{text}\n\n").as_bytes(), RenderAs::S);
}

/// Returns whether `--fix` fixes a finding.
fn is_fixable(finding: &Finding) -> bool {
    !finding.fixes().is_empty() || finding.is_restyled()
}

/// Writes how many findings each rule has, the most first.
pub(super) fn statistics(report: &Report, options: &OutputOptions<'_>, reporter: &Reporter) {
    let mut counts: Vec<(&Rule, usize, usize)> = Vec::new();
    for rule in rules::ALL {
        let of_rule: Vec<&Finding> = report.findings.iter().filter(|finding| finding.rule.id() == rule.id()).collect();
        if !of_rule.is_empty() {
            let fixable = of_rule.iter().filter(|finding| is_fixable(finding)).count();
            counts.push((rule, of_rule.len(), fixable));
        }
    }
    counts.sort_erased_by_key(|(rule, count, _)| (std::cmp::Reverse(*count), rule.id()));
    let longest = counts.iter().map(|(rule, ..)| rule.id().len()).max().unwrap_or(0).max("rule".len());
    if options.format != CheckFormat::Json && !options.quiet && !counts.is_empty() {
        output::print(format!("count  fixable  {:<longest$}  title\n", "rule").as_bytes());
    }
    for (rule, count, fixable) in counts {
        let (code, title) = (rule.id(), rule.code.title());
        match options.format {
            CheckFormat::Json => {
                let line = serde_json::json!({"code": code, "count": count, "fixable": fixable, "title": title});
                print_line(&line.to_string(), reporter);
            }
            _ => {
                let front = format!("{count:>5}  {fixable:>7}  {code:<longest$}  ");
                let title = terminal::fitted_behind(front.len(), title, &std::io::stdout());
                output::print(format!("{front}{title}\n").as_bytes());
            }
        }
    }
    if options.format == CheckFormat::Human && !options.quiet {
        summary(report, options, reporter);
    }
}

/// Appends the code of its rule, by which it is selected and ignored, to the message of a finding. Messages of the
/// references about single files are not changed.
fn for_people(finding: &Finding, in_repository: bool) -> Diagnostic {
    let mut diagnostic = Diagnostic::clone(&finding.diagnostic);
    let verbatim = [rules::MANIFEST.id(), rules::DIRECTIVE.id(), rules::UNREADABLE.id()];
    if in_repository || !verbatim.contains(&finding.rule.id()) {
        let end = diagnostic.message.find('\n').unwrap_or(diagnostic.message.len());
        diagnostic.message.insert_str(end, &format!(" [{}]", finding.rule.id()));
    }
    diagnostic
}

/// A finding under the code of its rule.
fn of_rule(finding: &Finding) -> Diagnostic {
    Diagnostic { code: finding.rule.code, ..Diagnostic::clone(&finding.diagnostic) }
}

/// The message as JSON, with its rule and fingerprint.
fn json(finding: &Finding) -> String {
    let text = render::json(&finding.diagnostic);
    // Both consist of letters, digits and hyphens, so they need no escaping.
    let more = format!(",\"rule\":\"{}\",\"fingerprint\":\"{}\"", finding.rule.id(), finding.fingerprint);
    let environments = match finding.environments.as_slice() {
        [] => String::new(),
        names => format!(",\"environments\":{}", render::sanitize_json(&serde_json::Value::from(names).to_string())),
    };
    format!("{}{more}{environments}}}", text.strip_suffix('}').unwrap_or(&text))
}

/// A group of skipped checks as JSON: the note, and every file.
fn json_of_group(group: &OmissionGroup<'_>, finding: &Finding) -> String {
    let files: Vec<String> = group.paths.iter().map(|path| output::relative_file(path)).collect();
    let line = serde_json::json!({
        "severity": finding.severity().name(),
        "rule": finding.rule.id(),
        "message": finding.diagnostic.message,
        "kind": group.subject.noun(),
        "reason": group.reason_words(),
        "remedy": group.reason.remedy(),
        "count": files.len(),
        "files": files,
    });
    render::sanitize_json(&line.to_string())
}

fn sarif(report: &Report, not_judged: &[Finding]) -> String {
    let anchor = anchor(report);
    let placed = |finding: &Finding| {
        let diagnostic = of_rule(finding);
        match finding.file() {
            "" => diagnostic.location(anchor.as_str(), None, None),
            _ => diagnostic,
        }
    };
    let diagnostics: Vec<Diagnostic> = report.findings.iter().map(placed).collect();
    let notes: Vec<Diagnostic> = report.unseen.iter().chain(not_judged).map(of_rule).collect();
    let results: Vec<render::SarifResult<'_>> = diagnostics
        .iter()
        .zip(&report.findings)
        .map(|(diagnostic, finding)| render::SarifResult { diagnostic, fingerprint: Some(&finding.fingerprint) })
        .collect();
    let rules: Vec<render::SarifRule<'_>> = rules::ALL
        .iter()
        .map(|rule| render::SarifRule {
            code: rule.code,
            explanation: rule.explanation,
            page: Some(format!("{PAGES}/{}.md", rule.id())),
        })
        .collect();
    let tool = render::Tool { name: "hieratic", version: env!("CARGO_PKG_VERSION") };
    render::sarif_log(&results, &notes, &rules, &tool)
}

/// The output of `--verbose`: the inputs of the check.
pub(super) fn write_inputs(report: &Report, arguments: &CheckArguments, reporter: &Reporter) {
    let list = |paths: &[PathBuf]| paths.iter().map(|path| output::relative_file(path)).collect::<Vec<_>>().join(", ");
    let or = |list: String, none: &str| if list.is_empty() { none.to_owned() } else { list };
    // Invalid settings would have ended the check.
    let settings = super::settings(arguments).map(|config| config.files()).unwrap_or_default();
    let lines = [
        format!("environments: {}", or(list(&report.environments), "none")),
        format!("facts: {}", or(list(&arguments.facts), "none; nodes are derived from the hierarchy")),
        format!("settings: {}", or(settings.join(", "), "none")),
        format!("rules left out: {}", or(arguments.ignore.join(", "), "none")),
    ];
    let note =
        Diagnostic::new(Severity::Note, codes::USED, format!("checked {}", output::counted(report.files, "file")));
    reporter.diagnostic(&lines.into_iter().fold(note, Diagnostic::note));
}

/// The sentence of the summary about skipped checks; empty if there are none.
fn not_judged(report: &Report) -> String {
    let groups = OmissionGroup::group(&report.not_judged);
    if groups.is_empty() {
        String::new()
    } else {
        let words: Vec<String> = groups.iter().map(OmissionGroup::words).collect();
        format!(". Not judged: {}", words.join(", "))
    }
}

/// A line with how much was checked and found.
fn summary(report: &Report, options: &OutputOptions<'_>, reporter: &Reporter) {
    if report.files == 0 && report.findings.is_empty() {
        let line = "Nothing to check: no code, data, templates or hiera.yaml found";
        reporter.log_line(&format!("{line}{}", not_judged(report)), "", false);
        return;
    }
    let found = output::count_severities(report.findings.iter().map(Finding::severity));
    let mut line = format!("Checked {}", output::counted(report.files, "file"));
    if report.nodes > 0 {
        line.push_str(&format!(" for {}", output::counted(report.nodes, "node")));
    }
    line.push_str(&format!(": {}", found.unwrap_or_else(|| "nothing found".into())));
    let fixable = report.findings.iter().filter(|finding| is_fixable(finding)).count();
    if fixable > 0 {
        line.push_str(&format!(", {fixable} fixable with --fix"));
    }
    for (count, subject) in [
        (options.fixed, "fixed"),
        (options.known, "in the baseline"),
        (report.ignored, "ignored by comments"),
        (options.by_settings, "ignored by hieratic.toml"),
    ] {
        if count > 0 {
            line.push_str(&format!(", {count} {subject}"));
        }
    }
    let line = terminal::fitted(&format!("{line}{}", not_judged(report)), &std::io::stdout());
    output::print(format!("{line}\n").as_bytes());
}
