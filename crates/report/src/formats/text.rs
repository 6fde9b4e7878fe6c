//! A report for the terminal: the first line, the table of many changes, the details.

use hieratic::diagnostics::render::{visible_line, wrap};
use hieratic_impact::{Diff, Presence};

use crate::change::{Content, Entry};
use crate::counted;
use crate::overview::OverviewRow;
use crate::report::{ChangeGroup, Report};
use crate::rows::{Line, Row, Sign, rows};
use crate::truncation::truncate_both;

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const CYAN: &str = "36";
const DIM: &str = "2";

/// Up to how many rows there is no table: the details are as short.
const FEW_ROWS: usize = 3;
/// The most rows of a table.
const MOST_ROWS: usize = 50;
/// The width of lines that no terminal limits, in columns.
const USUAL_WIDTH: usize = 120;
/// The indent of a line that continues the one above.
const HANGING: &str = "    ";
/// The number of columns between those of a table.
const BETWEEN: usize = 2;
/// The narrowest column that is made narrower.
const NARROWEST: usize = 12;

impl Report {
    /// Returns the report as lines of text, with colors if the terminal has them. Tables fit into its width.
    pub fn to_text(&self, color: bool, width: Option<usize>) -> String {
        let table_width = width.unwrap_or(USUAL_WIDTH);
        let mut writer = TextWriter { report: self, color, width, table_width, out: String::new() };
        writer.write();
        writer.out
    }
}

struct TextWriter<'r> {
    report: &'r Report,
    color: bool,
    /// The width of the terminal, if lines are wrapped.
    width: Option<usize>,
    table_width: usize,
    out: String,
}

impl TextWriter<'_> {
    fn write(&mut self) {
        for line in wrap(&visible_line(&self.report.first_line()), self.width.unwrap_or(usize::MAX), "  ") {
            self.line("", &self.painted(BOLD, &line));
        }
        if !self.report.is_empty() || !self.report.notes.is_empty() {
            self.out.push('\n');
        }
        let overview = self.report.overview();
        self.table("key", &overview.keys);
        self.table("resource", &overview.resources);
        self.table("job", &overview.jobs);
        for (kind, groups) in self.report.sections() {
            if let Some(heading) = &kind.heading {
                self.line("", &self.painted(BOLD, heading.short));
            }
            for group in groups {
                if kind.heading.is_none() {
                    let title = visible_line(&self.report.title(group));
                    for line in wrap(&title, self.width.unwrap_or(usize::MAX), HANGING) {
                        self.line("", &self.painted(BOLD, &line));
                    }
                }
                self.entries(group);
                if kind.heading.is_none() {
                    self.out.push('\n');
                }
            }
            if kind.heading.is_some() {
                self.out.push('\n');
            }
        }
        for lone in &self.report.lone {
            let sign = Sign::from_side(lone.side);
            let text = format!("{} environment {} ({})", sign.text(), lone.name, lone.word());
            self.line("", &self.signed(sign, &visible_line(&text)));
        }
        if !self.report.lone.is_empty() {
            self.out.push('\n');
        }
        for note in &self.report.notes {
            let note = format!("not compared: {}", visible_line(note));
            for line in wrap(&note, self.width.unwrap_or(usize::MAX), HANGING) {
                self.line("", &line);
            }
        }
        if let Some(ignored) = self.report.ignored_summary() {
            self.line("", &format!("ignored: {}", visible_line(&ignored)));
        }
        self.out.truncate(self.out.trim_end_matches('\n').len());
        self.out.push('\n');
    }

    /// The table of more than a few rows.
    fn table(&mut self, noun: &str, all: &[OverviewRow]) {
        if all.len() <= FEW_ROWS {
            return;
        }
        let shown = all.get(..MOST_ROWS).unwrap_or(all);
        // A column whose cells are empty has no width, and is left out.
        let nodes = if shown.iter().any(|row| !row.which.is_empty()) { "nodes" } else { "" };
        let mut rows: Vec<Vec<String>> = vec![[noun, "before", "after", nodes, "place"].map(str::to_owned).to_vec()];
        rows.extend(shown.iter().map(|row| {
            let value = |text: &Option<String>| text.clone().unwrap_or_default();
            let (places, more) = row.ranges(1);
            let place = places.into_iter().next().map_or(String::new(), |(text, _)| text);
            let place = if more > 0 { format!("{place} and {more} more") } else { place };
            let effect = if row.effect.is_empty() { String::new() } else { format!(" ({})", row.effect) };
            let more = row.more().map_or(String::new(), |more| format!(" (and {more})"));
            let name = format!("{}{effect}{more}", row.name);
            [name, value(&row.values.base), value(&row.values.head), row.which.clone(), place]
                .map(|cell| visible_line(&cell))
                .to_vec()
        }));
        let widths = column_widths(&rows, self.table_width.saturating_sub(2));
        for (index, row) in rows.iter_mut().enumerate() {
            // The columns of both sides.
            if let ([_, base, head, ..], [_, base_width, head_width, ..]) = (row.as_mut_slice(), widths.as_slice()) {
                let widths = Diff { base: *base_width, head: *head_width };
                if columns(base) > widths.base || columns(head) > widths.head {
                    let texts = truncate_both(Diff { base: base.as_str(), head: head.as_str() }, widths);
                    (*base, *head) = (texts.base, texts.head);
                }
            }
            let sign = match index.checked_sub(1).and_then(|index| shown.get(index)).map(|row| row.presence) {
                None => " ",
                Some(Presence::Both) => "~",
                Some(Presence::Head) => "+",
                Some(Presence::Base) => "-",
            };
            let cells = row.iter().zip(&widths).filter(|(_, width)| **width > 0);
            let cells: Vec<String> = cells.map(|(cell, width)| fitted(cell, *width)).collect();
            let line = format!("{sign} {}", cells.join(&" ".repeat(BETWEEN)));
            let code = match sign {
                "+" => GREEN,
                "-" => RED,
                " " => DIM,
                _ => "",
            };
            let line = line.trim_end();
            let line = if code.is_empty() { line.to_owned() } else { self.painted(code, line) };
            self.line("", &line);
        }
        if all.len() > shown.len() {
            self.line("  ", &format!("and {}", counted(all.len() - shown.len(), &format!("more {noun}"))));
        }
        self.out.push('\n');
    }

    /// The changes of a group. Reasons that all of them have are named once.
    fn entries(&mut self, group: &ChangeGroup) {
        let entries: Vec<Entry> = group.changes.iter().map(|change| change.entry()).collect();
        let common = Entry::common_causes(&entries);
        for cause in &common {
            self.line("  ", &self.painted(DIM, &visible_line(&format!("because of {cause}"))));
        }
        entries.iter().for_each(|entry| self.entry(group, entry, &common));
    }

    fn entry(&mut self, group: &ChangeGroup, entry: &Entry, common: &[String]) {
        // The title names the environments of a group of nodes.
        let within = if group.nodes.is_some() { String::new() } else { self.report.within(&group.environments) };
        let within = visible_line(&within);
        if let Content::Message { severity, text, rule } = &entry.content {
            let place = entry.place.as_ref().map_or(String::new(), |place| visible_line(&format!("{place}: ")));
            let line = format!("{place}{severity}: {}{within} [{rule}]", visible_line(text));
            let width = self.width.map_or(usize::MAX, |width| width.saturating_sub(2).max(NARROWEST));
            if columns(&line) > width {
                wrap(&line, width, HANGING).iter().for_each(|line| self.line("  ", line));
                return;
            }
            let (place, rule) = (self.painted(CYAN, &place), self.painted(DIM, &format!("[{rule}]")));
            self.line("  ", &format!("{place}{severity}: {}{within} {rule}", visible_line(text)));
            return;
        }
        let mut indent = "  ";
        if let Some(label) = &entry.label {
            let comments = [Some(entry.remarks.join(", ")), entry.place.as_ref().map(ToString::to_string)];
            let comments = comments.into_iter().flatten().filter(|comment| !comment.is_empty());
            let comments: String =
                comments.map(|comment| self.painted(DIM, &visible_line(&format!("  # {comment}")))).collect();
            self.line(indent, &format!("{}{within}{comments}", self.painted(CYAN, &visible_line(label))));
            indent = "    ";
        }
        match &entry.content {
            Content::Parts(lines) => self.parts(indent, lines),
            Content::Texts(texts) => {
                for (side, text) in texts.as_ref().sides() {
                    let (sign, Some(text)) = (Sign::from_side(side), text) else { continue };
                    let text = visible_line(&format!("{} {text}", sign.text()));
                    self.line(indent, &self.signed(sign, &text));
                }
            }
            Content::Message { .. } => {}
        }
        let causes = entry.new_causes();
        if causes != common {
            for cause in causes {
                self.line(indent, &self.painted(DIM, &visible_line(&format!("because of {cause}"))));
            }
        }
    }

    fn parts(&mut self, indent: &str, lines: &[Line]) {
        for Row { sign, text, origin } in rows(lines) {
            let origin = origin.map_or(String::new(), |origin| visible_line(&format!("# {origin}")));
            let text = format!("{} {text}", sign.text());
            let width = self.width.map_or(usize::MAX, |width| width.saturating_sub(indent.len()).max(NARROWEST));
            if origin.is_empty() || columns(&text) + 2 + columns(&origin) <= width {
                let apart = if origin.is_empty() { "" } else { "  " };
                let text = self.signed(sign, &text);
                self.line(indent, &format!("{text}{apart}{}", self.painted(DIM, &origin)));
                continue;
            }
            // A line that does not fit is wrapped between words, and its origin follows.
            for line in wrap(&text, width, HANGING) {
                self.line(indent, &self.signed(sign, &line));
            }
            self.line(indent, &format!("{HANGING}{}", self.painted(DIM, &origin)));
        }
    }

    fn line(&mut self, indent: &str, text: &str) {
        self.out.push_str(indent);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn painted(&self, code: &str, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn signed(&self, sign: Sign, text: &str) -> String {
        match sign {
            Sign::Added => self.painted(GREEN, text),
            Sign::Removed => self.painted(RED, text),
            Sign::Context => text.to_owned(),
        }
    }
}

/// The widths of the columns so that rows fit: places go first, then the widest column is made narrower. A column that is
/// left out has no width.
fn column_widths(rows: &[Vec<String>], width: usize) -> Vec<usize> {
    let count = rows.first().map_or(0, Vec::len);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max();
    let mut widths: Vec<usize> = (0..count).map(|column| widest(column).unwrap_or(0)).collect();
    let total =
        |widths: &[usize]| widths.iter().filter(|width| **width > 0).map(|width| width + BETWEEN).sum::<usize>();
    if total(&widths) > width + BETWEEN
        && let Some(places) = widths.last_mut()
    {
        *places = 0;
    }
    while total(&widths) > width + BETWEEN {
        let Some(widest) = widths.iter_mut().filter(|width| **width > NARROWEST).max() else { break };
        *widest -= 1;
    }
    widths
}

fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A cell that is as wide as its column, shortened if it has to be.
fn fitted(cell: &str, width: usize) -> String {
    let own = columns(cell);
    if own <= width {
        return format!("{cell}{}", " ".repeat(width - own));
    }
    let mut out = String::new();
    for c in cell.chars() {
        if columns(&out) + unicode_width::UnicodeWidthChar::width(c).unwrap_or(0) + 1 > width {
            break;
        }
        out.push(c);
    }
    let used = columns(&out) + 1;
    format!("{out}…{}", " ".repeat(width.saturating_sub(used)))
}
