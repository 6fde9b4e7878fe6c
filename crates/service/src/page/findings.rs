//! The pages of findings: all of them, those about one node, and the documentation of each rule.

use hieratic::diagnostics::counted_as;
use hieratic::value::ErasedSort as _;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::budget::Budget;
use hieratic_lint::{Rule, rules};
use hieratic_report::Change;
use maud::{Markup, html};
use serde::Deserialize;

use super::{FileLinks, Head, Page, chosen, environment_choice, framed, link, prose};
use crate::changes::{self, ComparisonRequest, ComparisonState};
use crate::findings::{
    self, CheckRequest, CheckResult, CheckState, DisplayedFinding, Filter, FilteredFindings, FindingPosition,
    NewFinding,
};
use crate::problem::Problem;
use crate::{Service, Shared, limits};

/// The maximum number of findings on the page.
const MAX_FINDINGS: usize = 200;

/// The maximum number of findings on the page of a node.
const MAX_FINDINGS_OF_NODE: usize = 20;

/// The time to wait for the first check of an environment.
const MAX_WAIT: Duration = Duration::from_secs(2);

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct FindingsQuery {
    environment: String,
    rule: String,
    severity: String,
    file: String,
    node: String,
    hygiene: String,
    /// A revision: only the findings that are new since then.
    since: String,
}

impl FindingsQuery {
    /// The address of the same findings with another filter.
    fn with(&self, environment: &str, name: &str, value: &str) -> String {
        let all = [
            ("environment", environment),
            ("node", self.node.as_str()),
            ("severity", self.severity.as_str()),
            ("rule", self.rule.as_str()),
            ("file", self.file.as_str()),
            ("hygiene", self.hygiene.as_str()),
            ("since", self.since.as_str()),
        ];
        let pairs: Vec<(&str, &str)> =
            all.into_iter().map(|(own, old)| (own, if own == name { value } else { old })).collect();
        let pairs: Vec<(&str, &str)> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        link("/findings", &pairs)
    }
}

/// Everything that is wrong with an environment.
pub(crate) async fn findings(State(service): State<Shared>, Query(query): Query<FindingsQuery>) -> impl IntoResponse {
    let shared = service.clone();
    let page = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment.clone());
        let within = match query.node.as_str() {
            "" => None,
            node => Some(findings::files_of_node(service, &environment, node, budget)?),
        };
        // Outdated findings are shown at once, marked as outdated.
        let extent = CheckRequest { environment: environment.clone(), hygiene: !query.hygiene.is_empty() };
        let mut known = findings::request_check(&shared, &extent, Duration::ZERO, budget)?;
        if known.result.is_none() {
            known = findings::request_check(&shared, &extent, MAX_WAIT.min(service.limits.time / 2), budget)?;
        }
        let links = file_links(service, &environment, &query.node)?;
        let since = match query.since.as_str() {
            "" => None,
            since => Some(new_since(service, &environment, since, budget)),
        };
        let new = since.as_ref().and_then(|found| found.as_ref().ok().cloned().flatten());
        let filter = Filter {
            rule: query.rule.clone(),
            severity: query.severity.clone(),
            file: query.file.clone(),
            within,
            new,
        };
        let revision = usual_revision(service, &environment, budget);
        let body = html! {
            (filters(&query, &environments, &environment))
            (state(&known, &query.with(&environment, "", "")))
            @match &since {
                Some(Ok(None)) => p.dim role="status" data-pending="" { "The findings of " (query.since) " are being compared; until then, all are shown." },
                Some(Ok(Some(_))) => p { "Only findings that are new since " code { (query.since) } ". " a href=(query.with(&environment, "since", "")) { "All findings" } },
                Some(Err(problem)) => p.fault role="alert" { (problem.detail) },
                None => { @if let Some(revision) = &revision { p { a href=(query.with(&environment, "since", revision)) { "New since " (revision) } } } },
            }
            @if let Some(checked) = &known.result {
                @let chosen = filter.apply(&checked.findings);
                (counts(&query, &environment, &chosen))
                p.dim.small {
                    (counted_as(checked.files, "file", "files")) " checked"
                    @if checked.nodes > 0 { " for " (counted_as(checked.nodes, "node", "nodes")) }
                    @if checked.ignored > 0 { "; " (counted_as(checked.ignored, "finding", "findings")) " suppressed by comments" }
                    "."
                }
                (not_judged(checked))
                @if chosen.findings.is_empty() && known.is_current { p { "No findings." } }
                (grouped(&chosen.findings[..chosen.findings.len().min(MAX_FINDINGS)], &links, &query, &environment))
                @if chosen.findings.len() > MAX_FINDINGS || checked.all > checked.findings.len() {
                    p.dim { "There are more findings: the first " (MAX_FINDINGS) " are shown. Choose a rule or a file." }
                }
            }
        };
        Ok(framed(&Head { at: "/findings", environment: &environment, ..Head::new("Findings") }, &body))
    });
    Page(page.await)
}

/// Returns the findings that are new since a revision; `None` while they are being compared.
fn new_since(
    service: &Service,
    environment: &str,
    since: &str,
    budget: &Budget,
) -> Result<Option<Vec<NewFinding>>, Problem> {
    let request = ComparisonRequest {
        environment: environment.into(),
        base: since.into(),
        from_merge_base: true,
        ..ComparisonRequest::default()
    };
    let report = match changes::request_comparison(service, &request, MAX_WAIT.min(service.limits.time / 3), budget)? {
        ComparisonState::Running(_) => return Ok(None),
        ComparisonState::Done(report) => report,
    };
    let new = report.changes().filter_map(|change| match change {
        Change::Finding(found) => {
            let place = found.place.as_ref()?;
            Some(NewFinding { rule: found.rule, file: place.file.clone(), line: place.line })
        }
        _ => None,
    });
    Ok(Some(new.collect()))
}

/// Returns the revision that changes are usually compared with: the main branch, or the commit before on it.
fn usual_revision(service: &Service, environment: &str, budget: &Budget) -> Option<String> {
    // Without git, nothing is new.
    let revisions = changes::revisions(service, environment, 2, budget).ok()?;
    let main = ["main", "master", "production"]
        .into_iter()
        .find(|name| revisions.branches.iter().any(|row| !row.branch.is_remote && row.branch.name == *name))?;
    if revisions.current.as_deref() != Some(main) {
        return Some(main.to_string());
    }
    (revisions.commits.len() > 1).then(|| "HEAD~1".to_string())
}

/// Renders the findings about a node, for its page.
pub(super) fn of_node(service: &Shared, environment: &str, node: &str, budget: &Budget) -> Result<Markup, Problem> {
    let extent = CheckRequest { environment: environment.into(), hygiene: false };
    let known = match findings::request_check(service, &extent, Duration::ZERO, budget) {
        Ok(known) => known,
        // A check that cannot run must not prevent the page of the node.
        Err(problem) => return Ok(html! { h2 #findings { "Findings" } p.fault { (problem.detail) } }),
    };
    let within: HashSet<PathBuf> = findings::files_of_node(service, environment, node, budget)?;
    let links = file_links(service, environment, node)?;
    let all = link("/findings", &[("environment", environment), ("node", node)]);
    Ok(html! {
        h2 #findings { "Findings" }
        (state(&known, &all))
        @if let Some(checked) = &known.result {
            @let chosen = Filter { within: Some(within), ..Filter::default() }.apply(&checked.findings);
            (not_judged(checked))
            @if chosen.findings.is_empty() { p { "Nothing was found in the files that the node reads." } }
            @else {
                p { a href=(all) { (counted_as(chosen.findings.len(), "finding", "findings")) } " in the files that the node reads" }
                (list(&chosen.findings[..chosen.findings.len().min(MAX_FINDINGS_OF_NODE)], &links))
            }
        }
    })
}

fn file_links(service: &Service, environment: &str, node: &str) -> Result<FileLinks, Problem> {
    let (opened, _) = service.nodes.environments.get(environment)?;
    Ok(FileLinks::new(&opened.environment.layers().environment.root).with_pages(environment, node))
}

/// Renders the findings in some lines, for the page of a key.
pub(super) fn of_lines(
    service: &Shared,
    environment: &str,
    lines: &[(PathBuf, u32)],
    budget: &Budget,
) -> Result<Markup, Problem> {
    let extent = CheckRequest { environment: environment.into(), hygiene: false };
    let known = match findings::request_check(service, &extent, Duration::ZERO, budget) {
        Ok(known) => known,
        // A check that cannot run must not prevent the page of the key.
        Err(problem) => return Ok(html! { p.fault { (problem.detail) } }),
    };
    let links = file_links(service, environment, "")?;
    let all = link("/findings", &[("environment", environment)]);
    Ok(html! {
        (state(&known, &all))
        @if let Some(checked) = &known.result {
            @let found = checked.in_lines(lines);
            @if found.is_empty() { p.dim { "Nothing was found in the lines of this value." } }
            @else { (list(&found[..found.len().min(MAX_FINDINGS_OF_NODE)], &links)) }
        }
    })
}

/// Renders the numbers of findings, for the first page.
pub(super) fn tile(service: &Shared, environment: &str, budget: &Budget) -> Markup {
    let extent = CheckRequest { environment: environment.into(), hygiene: false };
    let known = match findings::request_check(service, &extent, Duration::ZERO, budget) {
        Ok(known) => known,
        Err(problem) => return html! { p.fault { (problem.detail) } },
    };
    let with = |severity: &str| link("/findings", &[("environment", environment), ("severity", severity)]);
    html! {
        @match &known.result {
            None => p.dim data-pending="" { "being checked" },
            Some(checked) => {
                @let [errors, warnings, notes] = Filter::default().apply(&checked.findings).severities;
                @for (severity, count, words) in [("error", errors, ("error", "errors")), ("warning", warnings, ("warning", "warnings")), ("note", notes, ("note", "notes"))] {
                    @if count > 0 { p.share { a class=(severity) href=(with(severity)) { (words.1) } " " strong { (count) } } }
                }
                @if errors + warnings + notes == 0 { p { "none" } }
                @if !known.is_current { p.dim.small { "of the files before a change" } }
            },
        }
    }
}

/// Renders the parts that were not checked, collapsed.
fn not_judged(checked: &CheckResult) -> Markup {
    html! {
        @if !checked.not_judged.is_empty() {
            details.fold {
                summary { "Not judged: " (counted_as(checked.not_judged.len(), "kind of files", "kinds of files")) }
                ul { @for words in &checked.not_judged { li { (words) } } }
            }
        }
    }
}

/// Renders whether the findings are those of the current files.
fn state(known: &CheckState, address: &str) -> Markup {
    if known.is_current {
        return html! {};
    }
    let (done, all) = known.steps;
    html! {
        p.dim role="status" data-pending[known.result.is_none()] {
            @if known.result.is_some() { "Files have changed since this check, and the next is in progress" }
            @else { "The first check is in progress" }
            @if all > 0 { " (" (done) " of " (all) " steps)" }
            ". " a href=(address) { "Refresh" }
        }
    }
}

fn filters(query: &FindingsQuery, environments: &[String], environment: &str) -> Markup {
    html! {
        form action="/findings" {
            (environment_choice("Environment", "environment", environments, environment))
            label {
                "Severity"
                select name="severity" {
                    @for (value, name) in [("", "all"), ("error", "errors"), ("warning", "warnings"), ("note", "notes")] {
                        option value=(value) selected[value == query.severity] { (name) }
                    }
                }
            }
            label { "Rule" input name="rule" value=(query.rule) list="rules"; }
            datalist #rules { @for rule in rules::ALL { option value=(rule.id()) { (rule.code.title()) } } }
            label { "File contains" input type="search" name="file" value=(query.file); }
            label { "Node" input name="node" value=(query.node); }
            label.check { input type="checkbox" name="hygiene" value="true" checked[!query.hygiene.is_empty()]; "unneeded data" }
            button { "Show" }
        }
    }
}

/// Renders the number of findings of each kind, as links to these findings.
fn counts(query: &FindingsQuery, environment: &str, chosen: &FilteredFindings<'_>) -> Markup {
    let [errors, warnings, notes] = chosen.severities;
    let severities = [
        ("error", counted_as(errors, "error", "errors"), errors),
        ("warning", counted_as(warnings, "warning", "warnings"), warnings),
        ("note", counted_as(notes, "note", "notes"), notes),
    ];
    let is_filtered =
        [&query.rule, &query.severity, &query.file, &query.node, &query.since].iter().any(|text| !text.is_empty());
    html! {
        ul.tools {
            @for (word, text, count) in severities {
                @if count > 0 { li { a href=(query.with(environment, "severity", word)) { (text) } } }
            }
            @if is_filtered { li { a href=(link("/findings", &[("environment", environment)])) { "All findings" } } }
        }
        @if !chosen.rules.is_empty() {
            details.fold open[chosen.rules.len() <= 8] {
                summary { (counted_as(chosen.rules.len(), "rule", "rules")) }
                ul.names {
                    @for (rule, count) in &chosen.rules {
                        li { a href=(query.with(environment, "rule", rule.id())) { (rule.id()) } " (" (count) ")" }
                    }
                }
            }
        }
    }
}

/// The number of findings of a rule up to which they are shown expanded.
const MAX_EXPANDED: usize = 5;

/// Renders findings by rule, and those of a rule by file.
fn grouped(found: &[&DisplayedFinding], links: &FileLinks, query: &FindingsQuery, environment: &str) -> Markup {
    let mut rules: Vec<(&'static Rule, Vec<&DisplayedFinding>)> = Vec::new();
    for one in found {
        match rules.iter_mut().find(|(rule, _)| rule.id() == one.rule.id()) {
            Some((_, of_rule)) => of_rule.push(one),
            None => rules.push((one.rule, vec![one])),
        }
    }
    let file = |one: &DisplayedFinding| one.place.as_ref().map(|at| at.file.clone()).unwrap_or_default();
    html! {
        @for (rule, of_rule) in &mut rules {
            ({ of_rule.sort_erased_by_key(|one| file(one)); html! {} })
            details.rule-group open[of_rule.len() <= MAX_EXPANDED || !query.rule.is_empty()] {
                summary {
                    span class={ "badge " (rule.severity.name()) } { (rule.severity.name()) } " "
                    strong { (prose::inline(rule.code.title())) } " "
                    span.dim { (of_rule.len()) " in " (counted_as(of_rule.chunk_by(|one, other| file(one) == file(other)).count(), "file", "files")) }
                }
                p.small {
                    a href=(link("/finding", &[("rule", rule.id())])) { (rule.id()) }
                    @if query.rule.is_empty() { " · " a href=(query.with(environment, "rule", rule.id())) { "only these" } }
                }
                @for in_file in of_rule.chunk_by(|one, other| file(one) == file(other)) {
                    @if let Some(at) = &in_file[0].place { p.file-name { (links.line(&at.path, None)) " " span.dim.small { (in_file.len()) } } }
                    ol.findings { @for one in in_file { li { (card(one, links, false)) } } }
                }
            }
        }
    }
}

fn list(found: &[&DisplayedFinding], links: &FileLinks) -> Markup {
    html! {
        @if !found.is_empty() {
            ol.findings { @for one in found { li.card { (card(one, links, true)) } } }
        }
    }
}

/// A finding. Its rule is left out where it is in a group of the same rule.
fn card(found: &DisplayedFinding, links: &FileLinks, names_rule: bool) -> Markup {
    html! {
        p.head {
            @if names_rule { strong class=(found.severity.name()) { (found.severity.name()) } " " }
            @if let Some(at) = &found.place { (links.line(&at.path, at.line)) " " }
            @if names_rule { a.small href=(link("/finding", &[("rule", found.rule.id())])) { (found.rule.id()) } }
            @if found.is_fixable { " " span.badge { "fixable with check --fix" } }
        }
        p.message { (prose::inline(&found.message)) }
        @if let Some(at) = &found.place { (line(at)) }
        @for (at, text) in &found.related {
            p.small { (links.line(&at.path, at.line)) @if !text.is_empty() { ": " (prose::inline(text)) } }
            (line(at))
        }
        @for note in &found.notes { p.dim.small.message { (prose::inline(note)) } }
        @for help in &found.help { p.small.message { "Help: " (prose::inline(help)) } }
    }
}

fn line(at: &FindingPosition) -> Markup {
    html! {
        @if let Some(line) = &at.text {
            pre.line { (line.before) @if !line.marked.is_empty() { mark { (line.marked) } } (line.after) }
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct RuleQuery {
    rule: String,
}

/// The address of the page of a rule or a group.
fn page_of(code: &str) -> Option<String> {
    rules::codes().find(|known| known.id() == code).map(|known| link("/finding", &[("rule", known.id())]))
}

/// The page of a rule: the problem that it finds, the reason, and the fix.
pub(crate) async fn finding(Query(query): Query<RuleQuery>) -> impl IntoResponse {
    let all = vec![("Findings", "/findings".to_string())];
    if let Some(group) = rules::group(&query.rule) {
        let head = Head { at: "/findings", crumbs: all, ..Head::new(group.code.id()) };
        let text = group.page.split_once('\n').map_or("", |(_, rest)| rest);
        return Page(Ok(framed(&head, &prose::page(text, &page_of))));
    }
    let Some(rule) = rules::find(&query.rule) else {
        if query.rule.is_empty() {
            let head = Head { at: "/findings", crumbs: all, ..Head::new("Rules") };
            return Page(Ok(framed(&head, &every(rules::ALL))));
        }
        let problem = Problem::not_found("there is no such rule").help("GET /finding lists all rules");
        return Page(Err(problem));
    };
    let head = Head { at: "/findings", crumbs: all, ..Head::new(rule.id()) };
    // The title of the page is that of the rule.
    let text = rule.page.split_once('\n').map_or("", |(_, rest)| rest);
    let page = prose::page(text, &page_of);
    let body = html! {
        (page)
        p { a href=(link("/findings", &[("rule", rule.id())])) { "All findings of this rule" } }
    };
    Page(Ok(framed(&head, &body)))
}

/// All rules.
fn every(all: &[&'static Rule]) -> Markup {
    html! {
        ul {
            @for rule in all {
                li { a href=(link("/finding", &[("rule", rule.id())])) { (rule.id()) } ": " (rule.code.title()) " (" (rule.severity.name()) ")" }
            }
        }
    }
}
