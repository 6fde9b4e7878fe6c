//! Files of Nomad, Consul and Vault besides jobs: agents' configuration, policies, volumes and the like.

use std::path::Path;

use hieratic::budget::Budget;
use hieratic::hcl_eval::syntax::{Body, Parsed};
use hieratic::hcl1::{Dialect, Error, parse};
use hieratic::nomad_job::check_node_pool;
use hieratic::nomad_schema::{Finding as SchemaFinding, Kind, check as check_schema};
use hieratic_diagnostics::{Diagnostic, Severity, Source};

use super::{HclCheck, to_findings};
use crate::coverage::Reason;
use crate::finding::Finding;
use crate::rules;

/// Checks a file that is not a job. `parsed` is its tree of HCL2.
pub(super) fn check(path: &Path, source: &Source, parsed: &Parsed<Body>, budget: &Budget) -> HclCheck {
    let problems = || HclCheck { findings: to_findings(&rules::HCL_SYNTAX, &parsed.problems), ..HclCheck::default() };
    let of_finding = |finding| HclCheck { findings: vec![finding], ..HclCheck::default() };
    if is_node_pool(path, parsed) {
        let problems = check_node_pool(source.name(), source.text(), budget);
        let rule = if parsed.problems.has_errors() { &rules::HCL_SYNTAX } else { &rules::CLUSTER_FILE };
        let note = |finding: Finding| finding.note("the file is read as a Nomad node pool");
        let findings = to_findings(rule, &problems).into_iter().map(note).collect();
        return HclCheck { findings, ..HclCheck::default() };
    }
    let unknown = || HclCheck { not_judged: vec![Reason::UnknownHcl], ..HclCheck::default() };
    let file = match parse(source.bytes(), Dialect::Nomad, budget) {
        Ok(file) => file,
        // A file that is neither is reported by the language that reads more of it.
        Err(error) if parsed.problems.has_errors() => {
            let hcl2 =
                parsed.problems.iter().filter_map(|problem| problem.subject.as_ref()).map(|at| at.span.start).min();
            return if hcl2.is_some_and(|at| at >= error.span.start) {
                problems()
            } else {
                of_finding(syntax(source, &error))
            };
        }
        // HCL2 skips a byte order mark, and the agents refuse it.
        Err(error) if is_known_behind_mark(path, source.text(), budget) => return of_finding(syntax(source, &error)),
        Err(_) => return if has_content(parsed) { unknown() } else { HclCheck::default() },
    };
    let name = path.to_string_lossy();
    let Some(kind) = Kind::recognize(&name, &file) else {
        // HCL1 reads an argument without a value at the end of a file as nothing.
        if file.items.is_empty() && parsed.problems.has_errors() {
            return problems();
        }
        return if file.items.is_empty() || is_variable_file(path) { HclCheck::default() } else { unknown() };
    };
    HclCheck { findings: of_kind(source, kind, budget), ..HclCheck::default() }
}

/// Checks a file of JSON that is an entry of Consul's configuration. `None` if it is not one.
pub(super) fn check_json(path: &Path, source: &Source, budget: &Budget) -> Option<HclCheck> {
    let is_entry = is_config_entry(path, source.text());
    is_entry.then(|| HclCheck { findings: of_kind(source, Kind::ConsulConfigEntry, budget), ..HclCheck::default() })
}

/// Returns whether a document of JSON is an entry of Consul's configuration.
pub(super) fn is_config_entry(path: &Path, text: &str) -> bool {
    // Most other files need not be parsed.
    if !text.trim_start().starts_with('{') || !text.contains("\"Kind\"") && !text.contains("\"kind\"") {
        return false;
    }
    // The check of JSON reports syntax errors.
    let file = Kind::ConsulConfigEntry.parse(text, &Budget::default());
    let kind = file.ok().and_then(|file| Kind::recognize(&path.to_string_lossy(), &file));
    kind == Some(Kind::ConsulConfigEntry)
}

/// The findings of the schema of a kind.
fn of_kind(source: &Source, kind: Kind, budget: &Budget) -> Vec<Finding> {
    // Vault refuses what Nomad reads.
    let file = match kind.parse(source.text(), budget) {
        Ok(file) => file,
        Err(error) => return vec![syntax(source, &error)],
    };
    match check_schema(kind, &file, budget) {
        Ok(findings) => findings.iter().map(|finding| to_finding(source, kind, finding)).collect(),
        Err(exhausted) => {
            let diagnostic = Diagnostic::new(Severity::Error, rules::CLUSTER_FILE.code, exhausted.to_string());
            vec![Finding::from_diagnostic(&rules::CLUSTER_FILE, diagnostic).in_file(source.name())]
        }
    }
}

/// Reports whether a file is a node pool. The rules of a policy about node pools have the same name.
fn is_node_pool(path: &Path, parsed: &Parsed<Body>) -> bool {
    let has = |names: &[&str]| {
        parsed.tree.blocks.iter().any(|block| {
            let attributes = block.body.attributes().iter().map(|attribute| &*attribute.name);
            attributes.chain(block.body.blocks.iter().map(|inner| &*inner.kind)).any(|name| names.contains(&name))
        })
    };
    let is_named = || !path.to_string_lossy().to_ascii_lowercase().contains("polic");
    !parsed.tree.blocks.is_empty()
        && parsed.tree.blocks.iter().all(|block| &*block.kind == "node_pool")
        && parsed.tree.attributes().is_empty()
        && !has(&["policy", "capabilities"])
        && (is_named() || has(&["description", "meta", "node_identity_ttl", "scheduler_config"]))
}

fn is_known_behind_mark(path: &Path, text: &str, budget: &Budget) -> bool {
    let Some(rest) = text.strip_prefix('\u{feff}') else { return false };
    // An error after the mark does not matter yet.
    let file = parse(rest.as_bytes(), Dialect::Nomad, budget);
    file.is_ok_and(|file| Kind::recognize(&path.to_string_lossy(), &file).is_some())
}

fn has_content(parsed: &Parsed<Body>) -> bool {
    !parsed.tree.blocks.is_empty() || !parsed.tree.attributes().is_empty()
}

/// Whether a file has the values of variables, which no schema tells apart from others.
fn is_variable_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["vars", "tfvars", "nomadvars"].iter().any(|one| extension == *one))
}

fn syntax(source: &Source, error: &Error) -> Finding {
    let finding = Finding::new(&rules::HCL_SYNTAX, error.message.clone()).at(source, error.span, "");
    match error.help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

fn to_finding(source: &Source, kind: Kind, found: &SchemaFinding) -> Finding {
    let rule = if found.is_refused { &rules::CLUSTER_FILE } else { &rules::CLUSTER_FILE_REMARK };
    let finding = Finding::new(rule, found.message.clone()).at(source, found.span, "");
    let finding = finding.note(format!("the file is read as {}", kind.name()));
    match &found.help {
        Some(help) => finding.help(help.clone()),
        None => finding,
    }
}
