//! A report for the terminal.

use hieratic::diagnostics::render::visible_line;

use crate::change::{Content, Entry};
use crate::report::{ChangeGroup, Report};
use crate::rows::{Line, Row, Sign, rows};

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const CYAN: &str = "36";
const DIM: &str = "2";

impl Report {
    /// The report as lines of text, with colors if the terminal has them.
    pub fn to_text(&self, color: bool) -> String {
        let mut writer = TextWriter { report: self, color, out: String::new() };
        writer.write();
        writer.out
    }
}

struct TextWriter<'r> {
    report: &'r Report,
    color: bool,
    out: String,
}

impl TextWriter<'_> {
    fn write(&mut self) {
        for (kind, groups) in self.report.sections() {
            if let Some(heading) = &kind.heading {
                self.line("", &self.painted(BOLD, heading.short));
            }
            for group in groups {
                if kind.heading.is_none() {
                    self.line("", &self.painted(BOLD, &visible_line(&self.report.title(group))));
                }
                group.changes.iter().for_each(|change| self.entry(group, &change.entry()));
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
            self.line("", &format!("not compared: {}", visible_line(note)));
        }
        if let Some(ignored) = self.report.ignored_summary() {
            self.line("", &format!("ignored: {}", visible_line(&ignored)));
        }
        self.line("", &visible_line(&self.report.headline()));
    }

    fn entry(&mut self, group: &ChangeGroup, entry: &Entry) {
        // The title names the environments of a group of nodes.
        let within = if group.nodes.is_some() { String::new() } else { self.report.within(&group.environments) };
        let within = visible_line(&within);
        if let Content::Message { severity, text, rule } = &entry.content {
            let place = entry.place.as_ref().map_or(String::new(), |place| visible_line(&format!("{place}: ")));
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
            Content::Parts(lines) => self.parts(indent, lines, &entry.causes),
            Content::Texts(texts) => {
                for (side, text) in texts.as_ref().sides() {
                    let (sign, Some(text)) = (Sign::from_side(side), text) else { continue };
                    let text = visible_line(&format!("{} {text}", sign.text()));
                    self.line(indent, &self.signed(sign, &text));
                }
            }
            Content::Message { .. } => {}
        }
    }

    fn parts(&mut self, indent: &str, lines: &[Line], causes: &[String]) {
        for Row { sign, text, origin } in rows(lines) {
            let origin = origin.map_or(String::new(), |origin| visible_line(&format!("  # {origin}")));
            let text = self.signed(sign, &format!("{} {text}", sign.text()));
            self.line(indent, &format!("{text}{}", self.painted(DIM, &origin)));
        }
        // The origins of the lines say the rest.
        let is_new = |cause: &&String| lines.iter().all(|line| line.origin.as_ref() != Some(cause));
        for cause in causes.iter().filter(is_new) {
            self.line(indent, &self.painted(DIM, &visible_line(&format!("because of {cause}"))));
        }
    }

    fn line(&mut self, indent: &str, text: &str) {
        self.out.push_str(indent);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn painted(&self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn signed(&self, sign: Sign, text: &str) -> String {
        match sign {
            Sign::Added => self.painted(GREEN, text),
            Sign::Removed => self.painted(RED, text),
            Sign::Around => text.to_owned(),
        }
    }
}
