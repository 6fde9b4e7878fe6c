//! A report as Markdown that can be posted on a pull request.
//!
//! The first line is a summary, a table lists the keys, and the details are folded. The output is truncated to the
//! length of a comment, and the omitted changes are counted.

use std::collections::HashMap;

use hieratic::diagnostics::render::visible_line;
use hieratic_impact::{Diff, Side};

use crate::change::{Content, Entry};
use crate::counted;
use crate::overview::OverviewRow;
use crate::place::Place;
use crate::report::{ChangeGroup, LoneEnvironment, Report};
use crate::rows::{Row, Sign, rows};
use crate::truncation::truncate_both;

/// The maximum length of a comment, in bytes; GitHub accepts 65,536 characters.
const LONGEST: usize = 60_000;
/// The most bytes of the tables, so that details fit, too.
const LONGEST_TABLES: usize = 40_000;
/// The most rows of a table.
const MOST_ROWS: usize = 100;
/// Up to how many changes the details are not folded.
const MOST_OPEN: usize = 3;
/// The most changes of a group.
const MOST_CHANGES: usize = 1000;
/// The most characters of a value in a cell, which does not break everywhere.
const LONGEST_VALUE: usize = 36;
/// The most places in a cell.
const MOST_PLACES: usize = 2;
/// The most characters of the names of nodes in a cell: of longer ones, only their number is shown.
const LONGEST_NODES: usize = 40;
/// Up to how many notes are not folded.
const MOST_NOTES: usize = 3;
/// The most places of equal findings.
const MOST_EQUAL: usize = 8;

impl Report {
    /// Returns the report as Markdown. It is truncated to the length of a comment, with a sentence about the rest.
    pub fn to_markdown(&self) -> String {
        let writer = MarkdownWriter { report: self };
        let mut out = format!("### {}\n\n", escape(&self.first_line()));
        let overview = self.overview();
        let changes = self.groups.iter().map(|group| group.changes.len()).sum::<usize>();
        let is_short = changes <= MOST_OPEN;
        let mut left_out = Vec::new();
        for (noun, rows) in [("key", &overview.keys), ("resource", &overview.resources)] {
            let more = writer.table(noun, rows, &mut out);
            if more > 0 {
                left_out.push(format!("{} of the table", counted(more, noun)));
                out.push_str(&format!("\n{} more.\n\n", counted(more, noun)));
            }
        }
        let mut blocks: Vec<String> = Vec::new();
        for (kind, groups) in self.sections() {
            match &kind.heading {
                Some(heading) => blocks.push(writer.section(heading.title, &groups)),
                None => blocks.extend(groups.iter().map(|group| writer.nodes(group, is_short))),
            }
        }
        if !self.lone.is_empty() {
            let line = |lone: &LoneEnvironment| format!("- {}: {}\n", code(&lone.name), lone.word());
            blocks.push(format!("**Environments**\n\n{}", self.lone.iter().map(line).collect::<String>()));
        }
        if !self.notes.is_empty() {
            let notes: String = self.notes.iter().map(|note| format!("- {}\n", escape(note))).collect();
            blocks.push(match self.notes.len() {
                ..=MOST_NOTES => format!("**Not compared**\n\n{notes}"),
                count => format!("<details><summary><b>Not compared</b>: {count}</summary>\n\n{notes}\n</details>\n"),
            });
        }
        blocks.extend(self.ignored_summary().map(|ignored| format!("**Ignored**: {}\n", escape(&ignored))));
        let all = blocks.len();
        let mut skipped = 0;
        for block in blocks {
            // A small block after a large one may fit: the list of parts that were not compared is last.
            if out.len() + block.len() > LONGEST {
                skipped += 1;
                continue;
            }
            out.push_str(&block);
            out.push('\n');
        }
        if skipped > 0 {
            left_out.push(format!("{skipped} of {all} sections of details"));
        }
        if !left_out.is_empty() {
            let command = if self.command.is_empty() { "hieratic diff" } else { &self.command };
            let subject = left_out.join(" and ");
            out.push_str(&format!(
                "\nNot shown here, because a comment has a limit: {subject}. Run {} for all.\n",
                code(command)
            ));
        }
        out
    }
}

struct MarkdownWriter<'r> {
    report: &'r Report,
}

impl MarkdownWriter<'_> {
    /// Writes a table of keys or resources, and returns how many rows it leaves out.
    fn table(&self, noun: &str, rows: &[OverviewRow], out: &mut String) -> usize {
        if rows.is_empty() {
            return 0;
        }
        out.push_str(&format!("| {noun} | before | after | nodes | place |\n|---|---|---|---|---|\n"));
        let mut shown = 0;
        for row in rows.iter().take(MOST_ROWS) {
            // They leave room for the other columns of a comment.
            let texts = row.values.as_ref().map(|text| text.as_deref().unwrap_or_default());
            let values =
                truncate_both(texts, Diff { base: LONGEST_VALUE, head: LONGEST_VALUE }).zip(row.values.as_ref());
            let values = values.map(|(text, found)| found.as_ref().map_or("—".to_owned(), |_| cell_code(&text)));
            let word = row.presence.word().filter(|_| row.values.as_ref().into_iter().all(Option::is_none));
            let remarks: Vec<&str> =
                word.into_iter().chain(Some(row.effect.as_str())).filter(|word| !word.is_empty()).collect();
            let remarks =
                if remarks.is_empty() { String::new() } else { format!("<br>{}", escape(&remarks.join(", "))) };
            let others = row.more().map_or(String::new(), |more| format!("<br>and {more}"));
            let (places, more) = row.ranges(MOST_PLACES);
            let shown_place = |(text, place): &(String, Place)| match self.report.link(row.side, place) {
                Some(_) => self.place(row.side, short_place(text), place),
                None => cell_code(text),
            };
            let mut places: Vec<String> = places.iter().map(shown_place).collect();
            places.extend((more > 0).then(|| format!("{more} more")));
            let line = format!(
                "| {}{remarks}{others} | {} | {} | {} | {} |\n",
                cell_code(&row.name),
                values.base,
                values.head,
                escape(&short_nodes(row)),
                places.join("<br>"),
            );
            if out.len() + line.len() > LONGEST_TABLES {
                break;
            }
            out.push_str(&line);
            shown += 1;
        }
        out.push('\n');
        rows.len() - shown
    }

    /// A place of a side as a link to the forge.
    fn place(&self, side: Side, text: &str, place: &Place) -> String {
        match self.report.link(side, place) {
            Some(address) => format!("[{}]({address})", cell_code(text)),
            None => cell_code(text),
        }
    }

    /// Changes of the repository below their heading.
    fn section(&self, title: &str, groups: &[&ChangeGroup]) -> String {
        let changes = groups.iter().flat_map(|group| group.changes.iter().map(move |change| (*group, change)));
        let mut out = format!("**{title}**\n\n");
        // Equal messages are one line with all their places.
        let mut messages: Vec<(String, Vec<String>)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (group, change) in changes {
            let (entry, within) = (change.entry(), self.report.within(&group.environments));
            match &entry.content {
                Content::Message { severity, text, rule } => {
                    let line = format!("{severity}: {} ({})", escape(&format!("{text}{within}")), code(rule));
                    let place = entry.place.as_ref().map(|place| self.place(Side::Head, &place.to_string(), place));
                    let at = *known.entry(line.clone()).or_insert(messages.len());
                    if at == messages.len() {
                        messages.push((line, Vec::new()));
                    }
                    messages[at].1.extend(place);
                }
                _ => out.push_str(&self.entry(&entry, &within)),
            }
        }
        for (line, mut places) in messages {
            places.dedup();
            let more = places.len().saturating_sub(MOST_EQUAL);
            places.truncate(MOST_EQUAL);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let space = if places.is_empty() { "" } else { " " };
            out.push_str(&format!("- {}{more}{space}{line}\n", places.join(", ")));
        }
        out
    }

    /// Changes of nodes below their title, as one block. Reasons that all of them have are named once.
    fn nodes(&self, group: &ChangeGroup, is_open: bool) -> String {
        let entries: Vec<Entry> = group.changes.iter().take(MOST_CHANGES).map(|change| change.entry()).collect();
        let common = Entry::common_causes(&entries);
        let mut lines: Vec<(Sign, String)> = Vec::new();
        for entry in &entries {
            lines.extend(lines_of(entry, &common));
        }
        let because = if common.is_empty() { String::new() } else { format!("because of {}\n\n", codes(&common)) };
        let more = match group.changes.len() - entries.len() {
            0 => String::new(),
            more => format!("\nand {}\n", counted(more, "more change")),
        };
        let title = escape(&self.report.title(group));
        let body = format!("{because}{}{more}", fenced(&lines));
        if is_open {
            format!("**{title}**\n\n{body}")
        } else {
            let count = counted(group.changes.len(), "change");
            format!("<details><summary><b>{title}</b>: {count}</summary>\n\n{body}\n</details>\n")
        }
    }

    fn entry(&self, entry: &Entry, within: &str) -> String {
        let place = entry.place.as_ref().map(|place| self.place(Side::Head, &place.to_string(), place));
        let lines = lines_of_content(&entry.content);
        let Some(label) = &entry.label else { return fenced(&lines) };
        let place = place.map_or(String::new(), |place| format!(" ({place})"));
        let remarks = match entry.remarks.join(", ") {
            none if none.is_empty() => none,
            remarks => format!(": {}", escape(&remarks)),
        };
        format!("{}{}{place}{remarks}\n\n{}", code(label), escape(within), fenced(&lines))
    }
}

/// The nodes of a row in a cell: by name, if that is short.
fn short_nodes(row: &OverviewRow) -> String {
    if row.which.chars().count() <= LONGEST_NODES { row.which.clone() } else { counted(row.nodes, "node") }
}

/// A place by its file and the folder of it, so that a row stays low. The link leads to all of it.
fn short_place(text: &str) -> &str {
    let parts = text.rmatch_indices('/').nth(1);
    parts.and_then(|(slash, _)| text.get(slash + 1..)).unwrap_or(text)
}

/// A change as lines of a block: its name, then what differs.
fn lines_of(entry: &Entry, common: &[String]) -> Vec<(Sign, String)> {
    let mut lines = Vec::new();
    if let Some(label) = &entry.label {
        let mut remarks = entry.remarks.clone();
        remarks.extend(entry.is_redacted().then(|| "redacted".to_owned()));
        let remarks = if remarks.is_empty() { String::new() } else { format!("  # {}", remarks.join(", ")) };
        lines.push((Sign::Context, format!("{label}:{remarks}")));
    }
    lines.extend(lines_of_content(&entry.content));
    let causes = entry.new_causes();
    if causes != common {
        lines.extend(causes.iter().map(|cause| (Sign::Context, format!("# because of {cause}"))));
    }
    lines
}

fn lines_of_content(content: &Content) -> Vec<(Sign, String)> {
    match content {
        Content::Parts(lines) => {
            let text = |Row { sign, text, origin }: Row<'_>| match origin {
                Some(origin) => (sign, format!("{text}  # {origin}")),
                None => (sign, text),
            };
            rows(lines).into_iter().map(text).collect()
        }
        Content::Texts(texts) => {
            let texts = texts.clone().sides();
            texts.into_iter().filter_map(|(side, text)| Some((Sign::from_side(side), text?))).collect()
        }
        Content::Message { .. } => Vec::new(),
    }
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

/// Strings as code, in a list.
fn codes(texts: &[String]) -> String {
    texts.iter().map(|text| code(text)).collect::<Vec<_>>().join(", ")
}

/// Formats a string as code, with a delimiter that the string cannot end.
fn code(text: &str) -> String {
    let text = visible_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Formats a string as code in a cell of a table, which a bar would end even in code.
fn cell_code(text: &str) -> String {
    code(text).replace('|', "\\|")
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
