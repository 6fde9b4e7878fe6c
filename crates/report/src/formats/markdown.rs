//! A report as Markdown that can be posted on a pull request.

use hieratic::diagnostics::render::visible_line;

use crate::change::{Content, Entry};
use crate::counted;
use crate::report::{ChangeGroup, LoneEnvironment, Report};
use crate::rows::{Sign, rows};

/// The maximum length of a comment; GitHub accepts 65,536 characters.
const LONGEST: usize = 60_000;
/// From how many changes on a group is folded.
const MOST_OPEN: usize = 10;
/// The most changes of a group.
const MOST_CHANGES: usize = 1000;

impl Report {
    /// The report as Markdown. It is truncated to the length of a comment, with a sentence about the rest.
    pub fn to_markdown(&self) -> String {
        let mut blocks: Vec<String> = Vec::new();
        for (kind, groups) in self.sections() {
            match &kind.heading {
                Some(heading) => blocks.push(section(self, heading.title, &groups)),
                None => blocks.extend(groups.iter().map(|group| nodes(self, group))),
            }
        }
        if !self.lone.is_empty() {
            let line = |lone: &LoneEnvironment| format!("- {}: {}\n", code(&lone.name), lone.word());
            blocks.push(format!("**Environments**\n\n{}", self.lone.iter().map(line).collect::<String>()));
        }
        if !self.notes.is_empty() {
            let notes: String = self.notes.iter().map(|note| format!("- {}\n", escape(note))).collect();
            blocks.push(format!("**Not compared**\n\n{notes}"));
        }
        blocks.extend(self.ignored_summary().map(|ignored| format!("**Ignored**: {}\n", escape(&ignored))));
        join(&self.headline(), blocks)
    }
}

/// The headline and as many blocks as fit.
fn join(headline: &str, blocks: Vec<String>) -> String {
    let mut out = format!("### {}\n\n", escape(headline));
    let all = blocks.len();
    for (index, block) in blocks.into_iter().enumerate() {
        if out.len() + block.len() > LONGEST {
            out.push_str(&format!(
                "\n{} of {all} groups of changes are not shown here: run `hieratic diff` for all of them.\n",
                all - index
            ));
            break;
        }
        out.push_str(&block);
        out.push('\n');
    }
    out
}

/// Changes of the repository below their heading.
fn section(report: &Report, title: &str, groups: &[&ChangeGroup]) -> String {
    let changes = groups.iter().flat_map(|group| group.changes.iter().map(move |change| (*group, change)));
    let changes = changes.map(|(group, change)| entry(&change.entry(), &report.within(&group.environments)));
    format!("**{title}**\n\n{}", changes.collect::<String>())
}

/// Changes of nodes below their title.
fn nodes(report: &Report, group: &ChangeGroup) -> String {
    let mut changes: Vec<String> = group.changes.iter().map(|change| entry(&change.entry(), "")).collect();
    let count = counted(changes.len(), "change");
    let is_long = changes.len() > MOST_OPEN;
    let title = escape(&report.title(group));
    let rest = changes.split_off(changes.len().min(MOST_CHANGES));
    let more = match rest.len() {
        0 => String::new(),
        more => format!("\nand {}\n", counted(more, "more change")),
    };
    let changes = changes.concat();
    if is_long {
        format!("<details><summary><b>{title}</b>: {count}</summary>\n\n{changes}{more}\n</details>\n")
    } else {
        format!("**{title}**\n\n{changes}{more}")
    }
}

fn entry(entry: &Entry, within: &str) -> String {
    let lines: Vec<(Sign, String)> = match &entry.content {
        Content::Message { severity, text, rule } => {
            let place = entry.place.as_ref().map_or(String::new(), |place| code(&place.to_string()) + " ");
            return format!("- {place}{severity}: {} ({})\n", escape(&format!("{text}{within}")), code(rule));
        }
        Content::Parts(lines) => rows(lines).into_iter().map(|row| (row.sign, row.text)).collect(),
        Content::Texts(texts) => {
            let texts = texts.clone().sides();
            texts.into_iter().filter_map(|(side, text)| Some((Sign::from_side(side), text?))).collect()
        }
    };
    let Some(label) = &entry.label else { return fenced(&lines) };
    let place = entry.place.as_ref().map_or(String::new(), |place| format!(" ({})", code(&place.to_string())));
    let remarks = match entry.remarks.join(", ") {
        none if none.is_empty() => none,
        remarks => format!(": {}", escape(&remarks)),
    };
    let redacted = if entry.is_redacted() { " (redacted)" } else { "" };
    let causes: Vec<String> = entry.causes.iter().map(|cause| code(cause)).collect();
    let because = if causes.is_empty() { String::new() } else { format!(" because of {}", causes.join(", ")) };
    format!("{}{}{place}{remarks}{redacted}{because}\n\n{}", code(label), escape(within), fenced(&lines))
}

/// A code block that is highlighted as a diff, with a fence that no line can end.
fn fenced(lines: &[(Sign, String)]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let longest = lines.iter().map(|(_, text)| longest_run(text)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: String = lines.iter().map(|(sign, text)| format!("{} {}\n", sign.text(), visible_line(text))).collect();
    format!("{fence}diff\n{lines}{fence}\n\n")
}

/// Formats a string as code, with a delimiter that the string cannot end.
fn code(text: &str) -> String {
    let text = visible_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Escapes a string for Markdown and HTML, without mentions of people.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in visible_line(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}
