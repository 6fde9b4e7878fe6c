//! Files of Nomad, Consul and Vault besides jobs: agents' configuration, policies, volumes and the like.

use std::path::Path;

use hieratic::budget::Budget;
use hieratic::hcl_eval::syntax::ast::Expression;
use hieratic::hcl_eval::syntax::{Body, Parsed};
use hieratic::hcl1::{Dialect, Error, parse, parse_json};
use hieratic::nomad_job::check_node_pool;
use hieratic::nomad_schema::{Finding as SchemaFinding, Kind, RootItem, check as check_schema};
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
        Err(_) if !has_content(parsed) => return HclCheck::default(),
        // HCL2 has names without quotes, calls and operators.
        Err(error) => {
            return match Kind::of_items(&path.to_string_lossy(), &root_items(parsed, source)) {
                Some(kind) => of_finding(syntax(source, &error).note(read_as(kind))),
                None => unknown(),
            };
        }
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

/// Checks a document of JSON that is not a job.
pub(super) fn check_json(path: &Path, source: &Source, budget: &Budget) -> HclCheck {
    match kind_of_json(path, source.text(), budget) {
        Some(kind) => HclCheck { findings: of_kind(source, kind, budget), ..HclCheck::default() },
        None => HclCheck { not_judged: vec![Reason::UnknownHcl], ..HclCheck::default() },
    }
}

/// Returns whether a document of JSON is one of Nomad, Consul or Vault.
pub(super) fn is_cluster_file(path: &Path, text: &str) -> bool {
    kind_of_json(path, text, &Budget::default()).is_some()
}

fn kind_of_json(path: &Path, text: &str, budget: &Budget) -> Option<Kind> {
    let is_of_any = path.extension().is_some_and(|extension| extension == "json");
    // Most documents of other programs need not be parsed.
    if !text.trim_start().starts_with('{') || is_of_any && !MARKS.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    // The check of JSON reports syntax errors.
    let file = parse(text.trim_start().as_bytes(), Dialect::Nomad, budget).ok();
    // Only Consul reads what HCL1 does not.
    let file = file.or_else(|| parse_json(text.as_bytes(), budget).ok())?;
    Kind::recognize(&path.to_string_lossy(), &file)
}

/// Names of which each kind of document with the extension of JSON has one.
const MARKS: [&str; 26] = [
    "\"Kind\"",
    "\"kind\"",
    "\"server\"",
    "\"client\"",
    "\"plugin\"",
    "\"advertise\"",
    "\"audit\"",
    "\"rpc\"",
    "\"client_addr\"",
    "\"node_name\"",
    "\"retry_join\"",
    "\"bootstrap_expect\"",
    "\"encrypt\"",
    "\"primary_datacenter\"",
    "\"listener\"",
    "\"storage\"",
    "\"seal\"",
    "\"backend\"",
    "\"service_registration\"",
    "\"service\"",
    "\"services\"",
    "\"check\"",
    "\"checks\"",
    "\"policy\"",
    "\"capabilities\"",
    "\"capability\"",
];

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

/// The items at the root of a file of HCL2.
fn root_items(parsed: &Parsed<Body>, source: &Source) -> Vec<RootItem> {
    let blocks = parsed.tree.blocks.iter().map(|block| {
        let attributes = block.body.attributes().iter().map(|attribute| attribute.name.to_ascii_lowercase());
        let inner = attributes.chain(block.body.blocks.iter().map(|inner| inner.kind.to_ascii_lowercase()));
        let (name, labels) = (block.kind.to_ascii_lowercase(), block.labels.len());
        RootItem { name, labels, is_object: true, text: None, inner: inner.collect() }
    });
    let attributes = parsed.tree.attributes().iter().map(|attribute| {
        let text = source.slice(attribute.expression.span());
        RootItem {
            name: attribute.name.to_ascii_lowercase(),
            labels: 0,
            is_object: matches!(attribute.expression, Expression::Object(_)),
            text: text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned),
            inner: Vec::new(),
        }
    });
    blocks.chain(attributes).collect()
}

fn read_as(kind: Kind) -> String {
    format!("the file is read as {}", kind.name())
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
    let finding = finding.note(read_as(kind));
    match &found.help {
        Some(help) => finding.help(help.clone()),
        None => finding,
    }
}
