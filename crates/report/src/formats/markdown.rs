//! A report as Markdown that can be posted on a pull request.
//!
//! The first line is a summary, a table lists the keys, and the details are folded. The output is truncated to the
//! length of a comment, and the omitted changes are counted.

use std::collections::HashMap;

use hieratic::diagnostics::render::visible_line;
use hieratic::value::ErasedSort as _;
use hieratic_impact::{Diff, Side};

use crate::change::{Change, Content, Entry};
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
/// Up to how many changes of the repository are not folded.
const MOST_UNFOLDED: usize = 5;
/// The cell of a side that has no value.
const NOTHING: &str = "—";
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
        for (noun, rows) in [("key", &overview.keys), ("resource", &overview.resources), ("job", &overview.jobs)] {
            let more = writer.table(noun, rows, &mut out);
            if more > 0 {
                left_out.push(format!("{} of the table", counted(more, noun)));
                out.push_str(&format!("\n{} more.\n\n", counted(more, noun)));
            }
        }
        let mut blocks: Vec<String> = Vec::new();
        for (kind, groups) in self.sections() {
            match &kind.heading {
                Some(heading) => blocks.extend(writer.section(heading.title, &groups)),
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
        let has_nodes = rows.iter().any(|row| !row.which.is_empty());
        let columns = [noun, "before", "after", "nodes", "place"];
        let columns: Vec<&str> = columns.into_iter().filter(|column| has_nodes || *column != "nodes").collect();
        out.push_str(&table_head(&columns));
        let mut shown = 0;
        for row in rows.iter().take(MOST_ROWS) {
            // They leave room for the other columns of a comment.
            let texts = row.values.as_ref().map(|text| split_count(text.as_deref().unwrap_or_default()));
            let values = truncate_both(texts.map(|(text, _)| text), Diff { base: LONGEST_VALUE, head: LONGEST_VALUE });
            let values =
                values.zip(texts).map(|(text, (_, count))| (!text.is_empty()).then(|| breakable_code(&text) + count));
            let values = values.map(|text| text.unwrap_or_else(|| NOTHING.to_owned()));
            let word = row.presence.word().filter(|_| row.values.as_ref().into_iter().all(Option::is_none));
            let remarks: Vec<&str> =
                word.into_iter().chain(Some(row.effect.as_str())).filter(|word| !word.is_empty()).collect();
            let remarks =
                if remarks.is_empty() { String::new() } else { format!("<br>{}", escape(&remarks.join(", "))) };
            let others = row.more().map_or(String::new(), |more| format!("<br>and {more}"));
            let (places, more) = row.ranges(MOST_PLACES);
            let shown_place = |(text, place): &(String, Place)| match self.report.link(row.side, place) {
                Some(_) => self.place(row.side, short_place(text), place),
                None => breakable_code(text),
            };
            let mut places: Vec<String> = places.iter().map(shown_place).collect();
            places.extend((more > 0).then(|| format!("{more} more")));
            let nodes = if has_nodes { format!(" {} |", escape(&short_nodes(row))) } else { String::new() };
            let name = breakable_code(&row.name);
            let Diff { base, head } = values;
            let line = format!("| {name}{remarks}{others} | {base} | {head} |{nodes} {} |\n", places.join("<br>"));
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
            Some(address) => format!("[{}]({address})", breakable_code(text)),
            None => breakable_code(text),
        }
    }

    /// Changes of the repository below their heading, folded if there are many. `None` if the tables show all of them.
    fn section(&self, title: &str, groups: &[&ChangeGroup]) -> Option<String> {
        let changes = groups.iter().flat_map(|group| group.changes.iter().map(move |change| (*group, change)));
        let mut messages: Vec<Message> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut declarations = String::new();
        let mut parts: Vec<(Sign, String)> = Vec::new();
        let (mut count, mut entries) = (0, 0);
        for (group, change) in changes {
            let (entry, within) = (change.entry(), self.report.within(&group.environments));
            count += 1;
            match &entry.content {
                // Equal messages are one line with all their places.
                Content::Message { severity, text, rule } => {
                    let line = format!("{severity}: {} ({})", escape(&format!("{text}{within}")), code(rule));
                    let place = entry.place.as_ref().map(|place| self.place(Side::Head, &place.to_string(), place));
                    let at = *known.entry(line.clone()).or_insert(messages.len());
                    if at == messages.len() {
                        messages.push(Message { severity, line, places: Vec::new() });
                    }
                    messages[at].places.extend(place);
                }
                Content::Texts(texts) if matches!(change, Change::Parameter(_)) => {
                    declarations.push_str(&self.declaration(&entry, texts, &within));
                }
                // The table says that a job is new or removed.
                Content::Texts(texts) if texts.base.is_none() || texts.head.is_none() => {}
                _ => {
                    entries += 1;
                    parts.extend(lines_of_job(&entry, &within));
                }
            }
        }
        let mut body = String::new();
        if !declarations.is_empty() {
            body.push_str(&table_head(&["parameter", "before", "after", "place"]));
            body.push_str(&declarations);
        }
        body.push_str(&fenced(&parts));
        messages.sort_erased_by_key(|message| SEVERITIES.iter().position(|severity| *severity == message.severity));
        let summary = summary_of(&messages);
        body.extend(messages.into_iter().map(Message::item));
        if body.is_empty() {
            return None;
        }
        let shown = if entries > 0 { entries } else { count };
        Some(if shown <= MOST_UNFOLDED {
            format!("**{title}**\n\n{body}")
        } else {
            let title = html_code(title);
            format!("<details><summary><b>{title}</b>: {shown}{summary}</summary>\n\n{body}\n</details>\n")
        })
    }

    /// A row of the table of declarations.
    fn declaration(&self, entry: &Entry, texts: &Diff<Option<String>>, within: &str) -> String {
        let name = breakable_code(entry.label.as_deref().unwrap_or_default());
        let cell = |text: &Option<String>| text.as_ref().map_or(NOTHING.to_owned(), |text| cell_code(text));
        let Diff { base, head } = texts.as_ref().map(cell);
        let side = if texts.head.is_some() { Side::Head } else { Side::Base };
        let place = entry.place.as_ref().map_or(String::new(), |place| {
            let text = place.to_string();
            let is_linked = self.report.link(side, place).is_some();
            self.place(side, if is_linked { short_place(&text) } else { &text }, place)
        });
        format!("| {name}{} | {base} | {head} | {place} |\n", escape(within))
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
        let title = self.report.title(group);
        let body = format!("{because}{}{more}", fenced(&lines));
        if is_open {
            format!("**{}**\n\n{body}", escape(&title))
        } else {
            let count = counted(group.changes.len(), "change");
            let title = escape_html(&title);
            format!("<details><summary><b>{title}</b>: {count}</summary>\n\n{body}\n</details>\n")
        }
    }
}

/// The severities of messages, the worst first.
const SEVERITIES: [&str; 3] = ["error", "warning", "note"];

/// Equal messages of `check`.
struct Message {
    severity: &'static str,
    line: String,
    places: Vec<String>,
}

impl Message {
    /// An item of a list.
    fn item(self) -> String {
        let Message { line, mut places, .. } = self;
        places.dedup();
        let more = places.len().saturating_sub(MOST_EQUAL);
        places.truncate(MOST_EQUAL);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let space = if places.is_empty() { "" } else { " " };
        format!("- {}{more}{space}{line}\n", places.join(", "))
    }
}

/// The number of messages of each severity, in parentheses.
fn summary_of(messages: &[Message]) -> String {
    let count = |severity: &'static str| {
        let places =
            messages.iter().filter(|message| message.severity == severity).map(|message| message.places.len().max(1));
        Some(places.sum::<usize>()).filter(|count| *count > 0).map(|count| counted(count, severity))
    };
    let counts: Vec<String> = SEVERITIES.into_iter().filter_map(count).collect();
    if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) }
}

/// A changed job as lines of a block: its name with its place, then what differs.
fn lines_of_job(entry: &Entry, within: &str) -> Vec<(Sign, String)> {
    let place = entry.place.as_ref().map(ToString::to_string);
    let remarks: Vec<String> = place.into_iter().chain(entry.remarks.iter().cloned()).collect();
    let remarks = if remarks.is_empty() { String::new() } else { format!("  # {}", remarks.join(", ")) };
    let title = entry.label.iter().map(|label| (Sign::Context, format!("{label}{within}:{remarks}")));
    title.chain(lines_of_content(&entry.content)).collect()
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

/// Formats a string as code in a cell of a table that is broken after separators where it does not fit: a long name
/// would push the other columns out of sight. Pieces are long enough that few lines are needed.
fn breakable_code(text: &str) -> String {
    const PIECE: usize = 16;
    const LAST_PIECE: usize = 8;
    let has_address = ["://", "www."].iter().any(|address| text.contains(address));
    if text.chars().count() <= PIECE || has_address {
        return cell_code(text);
    }
    let visible = visible_line(text);
    let mut pieces = vec![String::new()];
    let mut left = visible.chars().count();
    let mut length = 0;
    let mut letters = visible.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
        (length, left) = (length + 1, left - 1);
        // A space is a place to break, too.
        let ends_part = letters.peek().is_some_and(|next| *next != letter && *next != ' ');
        if ":/._-,".contains(letter) && ends_part && length >= PIECE && left >= LAST_PIECE {
            pieces.push(String::new());
            length = 0;
        }
    }
    match pieces.as_slice() {
        [_] => cell_code(text),
        pieces => {
            let pieces: Vec<String> = pieces.iter().map(|piece| escape(piece)).collect();
            format!("<code>{}</code>", pieces.join("<wbr>"))
        }
    }
}

/// A title with code in backticks as HTML.
fn html_code(title: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        let text = escape_html(part);
        if index % 2 == 0 { text } else { format!("<code>{text}</code>") }
    };
    title.split('`').enumerate().map(part).collect()
}

/// Splits a value of the table from the number of the parts that it leaves out.
fn split_count(text: &str) -> (&str, &str) {
    let counts = |(before, after): (&str, &str)| {
        let at = text.rfind(before)?;
        let count = text.get(at + before.len()..)?.strip_suffix(after)?;
        let is_count = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        if is_count { text.split_at_checked(at) } else { None }
    };
    [(" and ", " more"), (" (", " values)")].into_iter().find_map(counts).unwrap_or((text, ""))
}

/// The head of a table.
fn table_head(columns: &[&str]) -> String {
    format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Escapes a string for Markdown and HTML, without mentions of people.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in visible_line(text).chars() {
        match c {
            '<' | '>' | '&' | '@' => out.push_str(&escape_html(c.encode_utf8(&mut [0; 4]))),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}

/// Escapes a string for HTML, without mentions of people: GitHub finds them after it has decoded references of
/// characters, so that a space without a width follows.
fn escape_html(text: &str) -> String {
    let mut out = String::new();
    for c in visible_line(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;&#8203;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_broken_after_their_parts() {
        assert_eq!(breakable_code("ntp::servers"), "`ntp::servers`");
        assert_eq!(
            breakable_code("profile::platform::baseline::debian::packages"),
            "<code>profile::platform::<wbr>baseline::debian::<wbr>packages</code>"
        );
        assert_eq!(breakable_code("data/nodes/a_very_long|name<b>.yaml"), {
            "<code>data/nodes/a\\_very\\_<wbr>long\\|name&lt;b&gt;.yaml</code>"
        });
        // Few letters stay with the others.
        assert_eq!(breakable_code("data/roles/web.yaml:12"), "`data/roles/web.yaml:12`");
        // A forge would make a link of it.
        assert_eq!(breakable_code("https://files.example.com/a"), "`https://files.example.com/a`");
    }

    #[test]
    fn counts_are_apart_from_values() {
        for (text, parts) in [
            ("a: 1 and 12 more", ("a: 1", " and 12 more")),
            ("web.content (3 values)", ("web.content", " (3 values)")),
            ("this and more", ("this and more", "")),
            ("(values)", ("(values)", "")),
        ] {
            assert_eq!(split_count(text), parts);
        }
    }

    #[test]
    fn titles_in_html_have_no_escapes_of_markdown() {
        assert_eq!(escape_html("a_b=<x> & @team"), "a_b=&lt;x&gt; &amp; &#64;&#8203;team");
        assert_eq!(escape("a_b @team"), "a\\_b &#64;&#8203;team");
        assert_eq!(html_code("New findings of `hieratic check`"), "New findings of <code>hieratic check</code>");
    }
}
