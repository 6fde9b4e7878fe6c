//! [`changes`]: the changes of a comparison, grouped by nodes.

use crate::{ChangeEntry, ChangeKind, NodeGroup, View};
use hieratic::diagnostics::render::visible_line as line;
use maud::{Markup, html};

use crate::pages::{alone, counted, lines};

/// Which parts of a comparison are shown, and the targets of their links.
pub struct ChangesOptions<'m> {
    /// The page of a key for the first of some nodes.
    pub key: &'m dyn Fn(&NodeGroup, &ChangeEntry) -> Option<String>,
    /// The page of a node.
    pub node: &'m dyn Fn(&str) -> Option<String>,
    /// The page of a rule of `check`.
    pub rule: &'m dyn Fn(&str) -> Option<String>,
    /// Which changes are shown.
    pub shows: &'m dyn Fn(&ChangeEntry) -> bool,
    /// The most changes that are shown.
    pub most: usize,
    /// The most node names that are shown for a group.
    pub most_names: usize,
}

impl ChangesOptions<'_> {
    /// Everything, leading nowhere.
    pub const ALL: ChangesOptions<'static> = ChangesOptions {
        key: &|_, _| None,
        node: &|_| None,
        rule: &|_| None,
        shows: &|_| true,
        most: usize::MAX,
        most_names: usize::MAX,
    };
}

/// A comparison as a page to send around.
pub fn changes_page(view: &View) -> String {
    let headline = line(&view.headline());
    alone(&headline, &html! { h1 { (headline) } "\n" (changes(view, &ChangesOptions::ALL)) })
}

/// A comparison, without its headline.
pub fn changes(view: &View, options: &ChangesOptions<'_>) -> Markup {
    let mut left = options.most;
    let mut shown: Vec<(&NodeGroup, Vec<&ChangeEntry>)> = Vec::new();
    let mut more = 0;
    for group in view.groups.iter().chain(&view.catalogs) {
        let all: Vec<&ChangeEntry> = group.changes.iter().filter(|change| (options.shows)(change)).collect();
        more += all.len().saturating_sub(left);
        let some: Vec<&ChangeEntry> = all.into_iter().take(left).collect();
        left -= some.len();
        if !some.is_empty() {
            shown.push((group, some));
        }
    }
    html! {
        @for broken in &view.broken {
            (node_card(broken, options, &failing(broken)))
        }
        @for (group, changes) in &shown {
            (node_card(group, options, &html! { @for change in changes { (changed(group, change, options)) } }))
        }
        @if more > 0 { p.dim { "There are " (counted(more, "more change")) ": restrict the keys or the nodes." } "\n" }
        (parameters(view))
        (findings(view, options))
        @for lone in &view.lone {
            p { "The environment " code { (line(&lone.name)) } @if lone.is_head { " is new" } @else { " is removed" } } "\n"
        }
        @for note in &view.notes { p.dim { "Not compared: " (line(note)) } "\n" }
        @if let Some(ignored) = view.ignored_summary() { p.dim { "Ignored: " (line(&ignored)) } "\n" }
    }
}

/// A foldable card with a group of nodes.
fn node_card(group: &NodeGroup, options: &ChangesOptions<'_>, inside: &Markup) -> Markup {
    let more = group.names.len().saturating_sub(options.most_names);
    html! {
        details.card open {
            summary { h2 { (line(&group.title)) } }
            (inside)
            @if group.names.len() > 1 {
                details.fold {
                    summary { (counted(group.count, "node")) }
                    ul.names {
                        @for name in group.names.iter().take(options.most_names) {
                            li {
                                @match (options.node)(name) {
                                    Some(address) => a href=(address) { (line(name)) },
                                    None => (line(name)),
                                }
                            }
                        }
                        @if more > 0 { li.dim { "and " (more) " more" } }
                    }
                }
            }
        }
        "\n"
    }
}

/// Why the lookups or catalogs of some nodes fail.
fn failing(broken: &NodeGroup) -> Markup {
    let [before, now] = broken.reason_texts().map(line);
    html! { div.change { pre { del.lost { "− " (before) } } pre { ins.added { "+ " (now) } } } }
}

fn changed(group: &NodeGroup, change: &ChangeEntry, options: &ChangesOptions<'_>) -> Markup {
    let key = line(&change.key);
    // The origins of the lines show the other causes.
    let is_shown = |cause: &&String| {
        let place = cause.strip_suffix(" before the change").unwrap_or(cause);
        change.lines.iter().any(|part| part.origin.as_deref() == Some(place))
    };
    let causes: Vec<String> = change.causes.iter().filter(|cause| !is_shown(cause)).map(|cause| line(cause)).collect();
    html! {
        div.change {
            h3 {
                @match (options.key)(group, change) {
                    Some(address) => a href=(address) { code { (key) } },
                    None => code { (key) },
                }
                @match change.kind {
                    ChangeKind::Changed => {},
                    ChangeKind::Added => { " " span.badge.added { "new" } },
                    ChangeKind::Removed => { " " span.badge.lost { "removed" } },
                }
                @for remark in change.remarks.iter().filter(|remark| !matches!(remark.as_str(), "new" | "removed")) {
                    " " span.dim.small { (line(remark)) }
                }
            }
            (lines(&change.lines))
            @if !causes.is_empty() { p.dim.small { "because of " (causes.join(", ")) } }
        }
        "\n"
    }
}

fn parameters(view: &View) -> Markup {
    html! {
        @if !view.parameters.is_empty() {
            details.card open {
                summary { h2 { "Class parameters" } }
                @for parameter in &view.parameters {
                    @let (file, at) = &parameter.place;
                    div.change {
                        h3 { code { (line(&parameter.key)) } (line(&view.within(&parameter.environments))) " " span.dim.small { (line(&format!("{file}:{at}"))) } }
                        @let texts = [0, 1].map(|side| parameter.sides[side].as_deref().map(line));
                        (crate::pages::pair([0, 1].map(|side| Some(crate::pages::Side { text: texts[side].as_deref()?, origin: None }))))
                    }
                }
            }
            "\n"
        }
    }
}

fn findings(view: &View, options: &ChangesOptions<'_>) -> Markup {
    html! {
        @if !view.findings.is_empty() {
            details.card open {
                summary { h2 { "New findings of " code { "hieratic check" } } }
                @for finding in &view.findings {
                    div.change {
                        p {
                            @if let Some((file, at)) = &finding.place { code { (line(&format!("{file}:{at}"))) } " " }
                            span class=(finding.severity) { (finding.severity) } ": " (line(&finding.message)) (line(&view.within(&finding.environments))) " "
                            @match (options.rule)(finding.code) {
                                Some(address) => a.small href=(address) { (finding.code) },
                                None => span.dim.small { (finding.code) },
                            }
                        }
                    }
                }
            }
            "\n"
        }
    }
}
