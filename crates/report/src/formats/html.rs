//! A report as a part of a page.

use hieratic::diagnostics::render::visible_line as line;
use hieratic_impact::{Diff, Presence, Side};
use maud::{Markup, html};

use crate::change::{Change, ChangeKind, Content, Entry};
use crate::counted;
use crate::overview::OverviewRow;
use crate::pages::{Imprint, LineAddress, SideText, alone, lines, pair};
use crate::place::Place;
use crate::report::{ChangeGroup, Report};

/// The parts of a report to show, and the targets of links.
pub struct HtmlOptions<'m> {
    /// Returns the address of the page of a change, for the first node of its group.
    pub key: &'m dyn Fn(&ChangeGroup, &Change) -> Option<String>,
    /// Returns the address of the page of a node.
    pub node: &'m dyn Fn(&str) -> Option<String>,
    /// Returns the address of the page of a rule of `check`.
    pub rule: &'m dyn Fn(&str) -> Option<String>,
    /// Returns the address of the page of a line on a side. `None` links to the forge.
    pub line: &'m dyn Fn(Side, &Place) -> Option<String>,
    /// Returns whether a change is shown in the groups by nodes.
    pub shows: &'m dyn Fn(&Change) -> bool,
    /// Whether to begin with a table of all changes.
    pub has_overview: bool,
    /// The maximum number of changes.
    pub most: usize,
    /// The maximum number of node names of a group.
    pub most_names: usize,
}

impl HtmlOptions<'_> {
    /// Options that show everything, without links.
    pub const ALL: HtmlOptions<'static> = HtmlOptions {
        key: &|_, _| None,
        node: &|_| None,
        rule: &|_| None,
        line: &|_, _| None,
        shows: &|_| true,
        has_overview: true,
        most: usize::MAX,
        most_names: usize::MAX,
    };
}

/// Renders a report as a standalone page.
pub fn changes_page(report: &Report) -> String {
    let headline = line(&report.first_line()).replace(" -> ", " → ");
    let environments = match report.environments.as_slice() {
        [] => report.only_environment.to_string(),
        names => names.iter().map(|name| &**name).collect::<Vec<_>>().join(", "),
    };
    let imprint = Imprint::default()
        .with("From", line(&report.names.base))
        .with("To", line(&report.names.head))
        .with("Environment", environments)
        .with("Nodes", report.summary.nodes.to_string());
    alone(&headline, &html! { h1 { (headline) } "\n" (changes(report, &HtmlOptions::ALL)) }, &imprint)
}

/// Renders a report without its headline.
pub fn changes(report: &Report, options: &HtmlOptions<'_>) -> Markup {
    let overview = report.overview();
    let mut left = options.most;
    let mut more = 0;
    let mut cards: Vec<(&ChangeGroup, Vec<&Change>)> = Vec::new();
    let mut headed: Vec<Markup> = Vec::new();
    for (kind, groups) in report.sections() {
        if let Some(heading) = &kind.heading {
            headed.push(section(report, heading.title, &groups, options));
            continue;
        }
        for group in groups {
            let changes = choose(kind, group, options, &mut left, &mut more);
            if !changes.is_empty() {
                cards.push((group, changes));
            }
        }
    }
    // Few changes are seen at once.
    let has_tables = cards.len() + headed.len() > 1 || more > 0;
    html! {
        @if has_tables {
            (table(report, "Key", &overview.keys, options))
            (table(report, "Resource", &overview.resources, options))
            (table(report, "Job", &overview.jobs, options))
        }
        // The table says the same in fewer lines.
        @for (group, changes) in &cards { (node_card(report, group, changes, !has_tables || !options.has_overview, options)) }
        @if more > 0 { p.dim { "There are " (counted(more, "more change")) ": restrict the keys or the nodes." } "\n" }
        @for section in &headed { (section) }
        @for lone in &report.lone {
            p {
                "The environment " code { (line(&lone.name)) }
                @match lone.side { Side::Head => " is new", Side::Base => " is removed" }
            }
            "\n"
        }
        @for note in &report.notes { p.dim { "Not compared: " (line(note)) } "\n" }
        @if let Some(ignored) = report.ignored_summary() { p.dim { "Ignored: " (line(&ignored)) } "\n" }
    }
}

/// The most rows of a table.
const MOST_ROWS: usize = 500;
/// The most places in a cell.
const MOST_PLACES: usize = 3;

/// Returns the addresses of lines: their page, or else the forge.
fn line_address<'a>(report: &'a Report, options: &'a HtmlOptions<'_>) -> impl Fn(Side, &Place) -> Option<String> + 'a {
    move |side, place| (options.line)(side, place).or_else(|| report.link(side, place))
}

/// A table of the keys or resources that change. Pages that show some of the changes alone have none.
fn table(report: &Report, noun: &str, rows: &[OverviewRow], options: &HtmlOptions<'_>) -> Markup {
    let shown: Vec<&OverviewRow> =
        if options.has_overview { rows.iter().take(MOST_ROWS).collect() } else { Vec::new() };
    let has_effects = shown.iter().any(|row| !row.effect.is_empty());
    let has_nodes = shown.iter().any(|row| !row.which.is_empty());
    let address = line_address(report, options);
    let place = |side: Side, text: &str, place: &Place| {
        html! {
            @match address(side, place) {
                Some(address) => a href=(address) rel="noreferrer" { (path(text)) },
                None => (path(text)),
            }
        }
    };
    html! {
        @if !shown.is_empty() {
            div.scroll {
                table.overview {
                    thead {
                        tr {
                            th scope="col" { "Change" } th scope="col" { (noun) }
                            @if has_effects { th scope="col" { "Effect" } }
                            th scope="col" { "Before" } th scope="col" { "After" }
                            @if has_nodes { th scope="col" { "Nodes" } }
                            th scope="col" { "Place" }
                        }
                    }
                    tbody {
                        @for row in &shown {
                            @let (places, more) = row.ranges(MOST_PLACES);
                            tr {
                                td {
                                    @match row.presence {
                                        Presence::Head => span.badge.added { "new" },
                                        Presence::Base => span.badge.lost { "removed" },
                                        Presence::Both => span.dim { "changed" },
                                    }
                                }
                                td {
                                    code { (name(&row.name)) }
                                    @if let Some(more) = row.more() { div.dim.small { "and " (more) } }
                                }
                                @if has_effects { td { (line(&row.effect)) } }
                                td data-title="before" { @if let Some(value) = &row.values.base { code { (value) } } @else { span.dim { "—" } } }
                                td data-title="after" { @if let Some(value) = &row.values.head { code { (value) } } @else { span.dim { "—" } } }
                                @if has_nodes { td data-title="nodes" { (line(&row.which)) } }
                                td.dim.small {
                                    @for (index, (text, first)) in places.iter().enumerate() {
                                        @if index > 0 { br; }
                                        (place(row.side, text, first))
                                    }
                                    @if more > 0 { br; (more) " more" }
                                }
                            }
                        }
                    }
                }
            }
            @if rows.len() > shown.len() { p.dim { (counted(rows.len() - shown.len(), &noun.to_lowercase())) " more" } }
            "\n"
        }
    }
}

/// A name, which is broken between the parts of a module's name where it does not fit.
fn name(text: &str) -> Markup {
    let text = line(text);
    html! { @for part in text.split_inclusive("::") { (part) @if part.ends_with("::") { wbr; } } }
}

/// A place, which is broken at its slashes where it does not fit.
fn path(text: &str) -> Markup {
    let text = line(text);
    html! { @for part in text.split_inclusive('/') { (part) @if part.ends_with('/') { wbr; } } }
}

/// The changes of a group that are shown. `left` is how many more may be, `more` counts the others.
fn choose<'g>(
    kind: &ChangeKind,
    group: &'g ChangeGroup,
    options: &HtmlOptions<'_>,
    left: &mut usize,
    more: &mut usize,
) -> Vec<&'g Change> {
    if !kind.is_grouped {
        return group.changes.iter().collect();
    }
    let all: Vec<&Change> = group.changes.iter().filter(|change| (options.shows)(change)).collect();
    *more += all.len().saturating_sub(*left);
    let some: Vec<&Change> = all.into_iter().take(*left).collect();
    *left -= some.len();
    some
}

/// A foldable card with the changes of some nodes.
fn node_card(
    report: &Report,
    group: &ChangeGroup,
    changes: &[&Change],
    is_open: bool,
    options: &HtmlOptions<'_>,
) -> Markup {
    let names = group.names();
    let address = line_address(report, options);
    let more = names.len().saturating_sub(options.most_names);
    html! {
        details.card open[is_open] {
            summary { h2 { (line(&report.title(group))) } " " span.dim.small { (counted(changes.len(), "change")) } }
            @for change in changes { (entry(&change.entry(), (options.key)(group, change), "", options, &address)) }
            @if names.len() > 1 {
                details.fold {
                    summary { (counted(group.count(), "node")) }
                    ul.names {
                        @for name in names.iter().take(options.most_names) {
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

/// A foldable card with changes of the repository.
fn section(report: &Report, title: &str, groups: &[&ChangeGroup], options: &HtmlOptions<'_>) -> Markup {
    let address = line_address(report, options);
    html! {
        details.card open {
            summary {
                h2 {
                    @for (index, part) in title.split('`').enumerate() {
                        @if index % 2 == 0 { (part) } @else { code { (part) } }
                    }
                }
            }
            @for group in groups {
                @let within = report.within(&group.environments);
                @for change in &group.changes { (entry(&change.entry(), None, &within, options, &address)) }
            }
        }
        "\n"
    }
}

/// A change. `address` is the page of what changes.
fn entry(
    entry: &Entry,
    address: Option<String>,
    within: &str,
    options: &HtmlOptions<'_>,
    address_of_line: LineAddress<'_>,
) -> Markup {
    match &entry.content {
        Content::Message { severity, text, rule } => {
            message(entry, severity, text, rule, within, options, address_of_line)
        }
        Content::Texts(texts) if entry.label.is_none() => {
            let Diff { base, head } = texts.as_ref().map(|text| text.as_deref().map(line));
            html! {
                div.change {
                    @if let Some(base) = base { pre { del.lost { "− " (base) } } }
                    @if let Some(head) = head { pre { ins.added { "+ " (head) } } }
                }
            }
        }
        Content::Texts(texts) => {
            let texts = texts.as_ref().map(|text| text.as_deref().map(line));
            let sides =
                texts.as_ref().map(|text| Some(SideText { text: text.as_deref()?, origin: None, address: None }));
            html! { div.change { (label(entry, address, within)) (pair(sides)) } }
        }
        Content::Parts(parts) => {
            let causes: Vec<String> = entry.new_causes().iter().map(|cause| line(cause)).collect();
            html! {
                div.change {
                    (label(entry, address, within))
                    (lines(parts, address_of_line))
                    @if !causes.is_empty() { p.dim.small { "because of " (causes.join(", ")) } }
                }
                "\n"
            }
        }
    }
}

/// The name of what changes, with remarks.
fn label(entry: &Entry, address: Option<String>, within: &str) -> Markup {
    let name = line(entry.label.as_deref().unwrap_or_default());
    let word = entry.presence.and_then(Presence::word);
    html! {
        h3 {
            @match address {
                Some(address) => a href=(address) { code { (name) } },
                None => code { (name) },
            }
            (line(within))
            @match entry.presence {
                Some(Presence::Head) => { " " span.badge.added { "new" } },
                Some(Presence::Base) => { " " span.badge.lost { "removed" } },
                Some(Presence::Both) | None => {},
            }
            @for remark in entry.remarks.iter().filter(|remark| Some(remark.as_str()) != word) {
                " " span.dim.small { (line(remark)) }
            }
            @if let Some(place) = &entry.place { " " span.dim.small { (line(&place.to_string())) } }
        }
    }
}

fn message(
    entry: &Entry,
    severity: &str,
    text: &str,
    rule: &str,
    within: &str,
    options: &HtmlOptions<'_>,
    address_of_line: LineAddress<'_>,
) -> Markup {
    html! {
        div.change {
            p {
                @if let Some(place) = &entry.place {
                    @match address_of_line(Side::Head, place) {
                        Some(address) => a href=(address) rel="noreferrer" { (line(&place.to_string())) },
                        None => code { (line(&place.to_string())) },
                    }
                    " "
                }
                span class=(severity) { (severity) } ": " (line(text)) (line(within)) " "
                @match (options.rule)(rule) {
                    Some(address) => a.small href=(address) { (rule) },
                    None => span.dim.small { (rule) },
                }
            }
        }
    }
}
