//! The page of a file: its lines, the values that contribute on a node, its readers, and its commits.

use std::time::{Duration, Instant};

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::budget::Budget;
use hieratic::diagnostics::counted_as;
use hieratic_git::Repository;
use hieratic_report::truncate;
use maud::{Markup, html};
use serde::Deserialize;

use super::{FileLinks, Head, Page, chosen, framed, key_address, link, node_address, shortened};
use crate::blame::{Blame, LineOrigin, blame};
use crate::files::{self, FileLine, LineUse, MAX_LINES, SourceFile};
use crate::problem::Problem;
use crate::{Service, Shared, forge, history, limits};

/// The maximum number of commits that blame reads.
const MAX_COMMITS: usize = 5000;

/// The maximum length of the summary of a commit beside a line, in characters.
const MAX_SUMMARY_LENGTH: usize = 32;

/// The maximum length of a line, in characters.
const MAX_LENGTH: usize = 10_000;

/// The time limit of blame.
const MAX_TIME: Duration = Duration::from_secs(2);

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct FileQuery {
    environment: String,
    path: String,
    node: String,
    blame: String,
}

/// The page of a file.
pub(crate) async fn file(State(service): State<Shared>, Query(query): Query<FileQuery>) -> impl IntoResponse {
    let page = limits::work(&service, move |service, budget| {
        let environment = chosen(service, query.environment.clone());
        let file = files::source_file(service, &environment, &query.path, &query.node, budget)?;
        let (opened, _) = service.nodes.environments.get(&environment)?;
        let root = opened.environment.layers().environment.root.clone();
        // Pages work in folders without git, too.
        let repository = history::repository(service, &environment, &opened, budget).ok();
        let template = service.link.clone().or_else(|| forge::line_template(repository.as_ref()?));
        let links = FileLinks::new(&root).with_pages(&environment, &file.node).with_forge(template.as_deref());
        let blamed = match (&repository, query.blame.is_empty()) {
            (Some(repository), false) => Some(blame_of(repository, &file, service, budget)?),
            _ => None,
        };
        let body = html! {
            (about(&file, &links, &query, &environment, repository.is_some()))
            @if file.is_waiting {
                p.dim role="status" data-pending="" { "Values are shown when all nodes have been read: only then is it known that none of them is secret." }
            } @else {
                @if file.hidden_keys > 0 { p.dim { (hidden(&file)) } }
                @if let Some((count, error)) = &file.failed_keys {
                    p.dim { (counted_as(*count, "key is", "keys are")) " not shown, because an error on " (file.node) " hides whether a lookup of them is secret: " span.fault { (error) } }
                }
            }
            (lines(&file, &links, blamed.as_ref(), &environment))
            @if file.lines.len() >= MAX_LINES { p.dim { "The first " (MAX_LINES) " lines are shown." } }
        };
        let mut crumbs = vec![(environment.as_str(), link("/", &[("environment", &environment)]))];
        if !file.node.is_empty() {
            crumbs.push((&file.node, node_address(&environment, &file.node)));
        }
        let description = format!("The lines of {}, and which of them count.", file.name);
        Ok(framed(&Head { environment: &environment, crumbs, description, ..Head::new(&file.name) }, &body))
    });
    Page(page.await)
}

fn blame_of(repository: &Repository, file: &SourceFile, service: &Service, budget: &Budget) -> Result<Blame, Problem> {
    budget.check().map_err(crate::nodes::exhausted)?;
    let real = history::real_path(&file.path);
    let relative = real
        .strip_prefix(repository.root())
        .map_err(|_| Problem::not_found(format!("{} is not in the git repository of the environment", file.name)))?;
    let files = hieratic::sandbox::Files::below(real.parent());
    let text = files.read_text(&real).map_err(|error| Problem::not_found(format!("{}: {error}", file.name)))?;
    blame(repository, relative, &text, MAX_COMMITS, Instant::now() + MAX_TIME.min(service.limits.time / 4))
}

fn hidden(file: &SourceFile) -> String {
    let count = file.hidden_keys;
    if file.is_data {
        format!("{} not shown: a lookup of them is or may be secret.", counted_as(count, "key is", "keys are"))
    } else {
        format!("{} not shown: they speak of sensitive values.", counted_as(count, "line is", "lines are"))
    }
}

/// The readers of the file, its page at the forge, and the node that it is shown for.
fn about(file: &SourceFile, links: &FileLinks, query: &FileQuery, environment: &str, has_git: bool) -> Markup {
    let node = |name: &str| node_address(environment, name);
    let here = |blame: &str| {
        let pairs = [("environment", environment), ("path", &query.path), ("node", &query.node), ("blame", blame)];
        let pairs: Vec<(&str, &str)> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        link("/file", &pairs)
    };
    html! {
        ul.tools {
            @if let Some(level) = &file.level { li { span.dim { "Level " } strong { (level) } } }
            @if let Some((_, count)) = &file.readers { li { "read by " (counted_as(*count, "node", "nodes")) } }
            @if has_git {
                li { @if query.blame.is_empty() { a href=(here("lines")) { "Blame" } } @else { a href=(here("")) { "Without blame" } } }
            }
            @if let Some(address) = links.at_forge(&file.path, 1) { li { a href=(address) rel="noreferrer" { "Open at the forge" } } }
            @if !query.node.is_empty() { li { a href=(link("/findings", &[("environment", environment), ("file", &file.name)])) { "Findings" } } }
        }
        @if file.is_data {
            form action="/file" {
                input type="hidden" name="environment" value=(environment);
                input type="hidden" name="path" value=(query.path);
                label { "What counts for the node" input name="node" value=(file.node) list="readers"; }
                @if let Some((names, _)) = &file.readers { datalist #readers { @for name in names { option value=(name) {} } } }
                button { "Show" }
            }
            @if let Some((names, count)) = &file.readers {
                details.fold {
                    summary { "Read by " (counted_as(*count, "node", "nodes")) }
                    ul.names { @for name in names { li { a href=(node(name)) { (name) } } } }
                    @if *count > names.len() { p.dim { "and " (count - names.len()) " more" } }
                }
            }
            p.dim.small { "Plain lines count on " (file.node) ". Lines that are struck through are not in the answer; → leads to the line that is." }
        }
    }
}

/// The lines of the file.
fn lines(file: &SourceFile, links: &FileLinks, blamed: Option<&Blame>, environment: &str) -> Markup {
    let mut origin_before = None;
    let mut key_before: Option<&str> = None;
    let mut is_hidden_before = false;
    html! {
        div.scroll role="region" aria-label={ "Lines of " (file.name) } tabindex="0" {
            table.lines {
                @for (number, line) in (1usize..).zip(&file.lines) {
                    @let origin = blamed.and_then(|blamed| blamed.lines.get(number - 1)).copied();
                    @let is_new = origin != origin_before;
                    ({ origin_before = origin; if let Some(key) = &line.key { key_before = Some(key); } html! {} })
                    // Several hidden lines are shown as one.
                    @let repeats = line.text.is_none() && is_hidden_before && line.key.is_none();
                    ({ is_hidden_before = line.text.is_none(); html! {} })
                    @if !repeats {
                        tr id={ "L" (number) } class=[(line.line_use == LineUse::Loses).then_some("loses")] {
                            @if let Some(blamed) = blamed { td.blame { @if is_new { (origin_cell(origin, blamed)) } } }
                            td.n { a href={ "#L" (number) } { (number) } }
                            td.code {
                                (line_text(line, file, environment))
                                @if line.key.is_some() && let Some(winner) = key_before.and_then(|key| file.winners.get(key)) {
                                    " " span.wins.small.dim { span aria-hidden="true" { "→ " } span.unseen { "the answer is in " } (links.line(&winner.path, Some(winner.line))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn origin_cell(origin: Option<LineOrigin>, blamed: &Blame) -> Markup {
    html! {
        @match origin {
            Some(LineOrigin::Uncommitted) => span.added { "not committed" },
            Some(LineOrigin::Commit(index)) => {
                @if let Some(one) = blamed.commits.get(index) {
                    @let commit = one.commit.to_string();
                    @let base = format!("{commit}~1");
                    @let address = if one.is_first { None } else { Some(link("/changes", &[("base", &base), ("head", &commit)])) };
                    span title={ (one.author.name) ": " (one.author.summary) } {
                        (one.author.day()) " "
                        @match address {
                            Some(address) => a href=(address) { (truncate(&one.author.summary, MAX_SUMMARY_LENGTH)) },
                            None => (truncate(&one.author.summary, MAX_SUMMARY_LENGTH)),
                        }
                    }
                }
            },
            Some(LineOrigin::Older) => span.dim { "older" },
            None => {},
        }
    }
}

/// The text of a line. A key leads to its page, a comment is quiet.
fn line_text(line: &FileLine, file: &SourceFile, environment: &str) -> Markup {
    let Some(text) = &line.text else {
        return html! {
            @if let Some(key) = &line.key { code { (key) ": " } }
            span.dim { "not shown" }
        };
    };
    let address = |key: &str| key_address(environment, &file.node, key);
    // The key as written: plain, or in quotes.
    // A blank one is no text of a link.
    let has_page = |key: &&String| *key != hieratic::Node::OPTIONS_KEY && !key.trim().is_empty();
    let divided = line.key.as_ref().filter(has_page).and_then(|key| {
        let at = text.find(key.as_str())?;
        Some((text.get(..at)?, key.as_str(), text.get(at + key.len()..)?))
    });
    let is_comment = text.trim_start().starts_with('#');
    html! {
        @match divided {
            Some((before, key, after)) => code { (before) a href=(address(key)) { (key) } (shortened(after, MAX_LENGTH)) },
            None if is_comment => code.comment { (shortened(text, MAX_LENGTH)) },
            None => code { (shortened(text, MAX_LENGTH)) },
        }
    }
}
