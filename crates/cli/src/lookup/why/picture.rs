//! Draws the layers of an answer in the terminal.
//!
//! The diagram fits on one screen: it has at most [`MAX_LINES`] lines for any hierarchy. Every contributing level has
//! one line while lines are left; the remaining lines are divided among the parts that the levels added and lost.
//! [`Style::full`] lifts all of these limits.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::terminal;
use hieratic::explain::{Change, ContributingLevel, Emphasis, NO_SUCH_KEY, NOT_THERE, WhyReport};
use hieratic::lookup::SearchedLocation;

/// The maximum number of lines of a diagram.
pub(super) const MAX_LINES: usize = 25;

/// The width of a diagram if the width of the terminal is unknown, in columns.
const USUAL_WIDTH: usize = 100;

/// The style of a diagram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) width: usize,
    pub(super) color: bool,
    /// Whether to draw with Unicode characters.
    pub(super) unicode: bool,
    /// Whether to draw everything, without truncating lines or their number.
    pub(super) full: bool,
}

impl Style {
    /// The style that the terminal and the locale ask for.
    pub(super) fn of_process(color: bool) -> Style {
        let width = terminal::width().unwrap_or(USUAL_WIDTH);
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
        let locale = locale.into_iter().find(|locale| !locale.is_empty()).unwrap_or_default().to_lowercase();
        // Narrower than that nothing can be read anyway.
        Style { width: width.max(40), color, unicode: locale.contains("utf-8") || locale.contains("utf8"), full: false }
    }

    fn sides(&self) -> Sides {
        if self.unicode {
            Sides { first: "╭─", next: "├─", inside: "│", hidden: "┆", last: "╰─", more: "…" }
        } else {
            Sides { first: "+-", next: "+-", inside: "|", hidden: ":", last: "+-", more: "..." }
        }
    }
}

struct Sides {
    first: &'static str,
    next: &'static str,
    inside: &'static str,
    hidden: &'static str,
    last: &'static str,
    more: &'static str,
}

/// The style of a part of a line.
#[derive(Clone, Copy)]
enum PartStyle {
    Plain,
    Bold,
    Dim,
    Of(Emphasis),
}

struct Drawing<'s> {
    style: &'s Style,
    sides: Sides,
    lines: Vec<String>,
}

/// Draws a story.
pub(super) fn draw(report: &WhyReport, style: &Style) -> String {
    let mut drawing = Drawing { style, sides: style.sides(), lines: Vec::new() };
    let answer = match &report.answer {
        Ok(value) => format!(" = {value}"),
        Err(reason) => format!(": {reason}"),
    };
    match super::yaml(report) {
        // A structure is easier to read on separate lines.
        Some(yaml) if style.full && yaml.contains('\n') => {
            drawing.line(&[(PartStyle::Bold, &report.key), (PartStyle::Plain, " =")]);
            yaml.lines().for_each(|line| drawing.line(&[(PartStyle::Plain, "  "), (PartStyle::Plain, line)]));
        }
        _ => drawing.line(&[(PartStyle::Bold, &report.key), (PartStyle::Plain, &answer)]),
    }
    for rule in &report.rules {
        drawing.line(&[(PartStyle::Dim, rule)]);
    }
    let hidden = report.hidden.len().min(2) + report.faulty.len().min(1);
    let most = if style.full { usize::MAX } else { MAX_LINES };
    let room = most.saturating_sub(drawing.lines.len() + hidden + 1);
    drawing.layers(&report.layers, room);
    drawing.hidden(report);
    drawing.others(report);
    let last = format!("{} ", drawing.sides.last);
    drawing.line(&[(PartStyle::Dim, &last), (PartStyle::Dim, &report.rest)]);
    drawing.lines.concat()
}

impl Drawing<'_> {
    fn layers(&mut self, layers: &[ContributingLevel], room: usize) {
        let shown = if layers.len() > room { room.saturating_sub(1) } else { layers.len() };
        let line_counts: Vec<usize> = layers[..shown].iter().map(|layer| layer.changes.len()).collect();
        let shares = distribute_lines(&line_counts, room.saturating_sub(shown + usize::from(shown < layers.len())));
        for (index, (layer, share)) in layers[..shown].iter().zip(shares).enumerate() {
            let side = if index == 0 { self.sides.first } else { self.sides.next };
            let number = format!("{side} {} ", index + 1);
            let level = format!("  {}", layer.level);
            self.line(&[(PartStyle::Dim, &number), (PartStyle::Bold, &layer.place), (PartStyle::Dim, &level)]);
            for (tone, text) in changes(&layer.changes, share) {
                let inside = format!("{}  ", self.sides.inside);
                let sign = format!("{} ", tone.sign());
                self.line(&[(PartStyle::Dim, &inside), (PartStyle::Of(tone), &sign), (PartStyle::Of(tone), &text)]);
            }
        }
        if shown < layers.len() {
            let more = format!("{} and {} more levels", self.sides.next, layers.len() - shown);
            self.line(&[(PartStyle::Dim, &more)]);
        }
    }

    fn hidden(&mut self, report: &WhyReport) {
        let side = format!("{}  ", self.sides.hidden);
        let because = format!(" is hidden: {}", report.hidden_because);
        match report.hidden.as_slice() {
            [] => {}
            places if self.style.full || places.len() <= 2 => {
                for place in places {
                    self.line(&[(PartStyle::Dim, &side), (PartStyle::Dim, place), (PartStyle::Dim, &because)]);
                }
            }
            places => {
                let (first, last) = (&places[0], &places[places.len() - 1]);
                let rest = format!(" to {last}, {} in all, are hidden: {}", report.hidden.len(), report.hidden_because);
                self.line(&[(PartStyle::Dim, &side), (PartStyle::Dim, first), (PartStyle::Dim, &rest)]);
            }
        }
        for error in report.faulty.iter().take(if self.style.full { usize::MAX } else { 1 }) {
            self.line(&[(PartStyle::Dim, &side), (PartStyle::Of(Emphasis::Failed), error)]);
        }
    }

    /// Places that add nothing, one by one.
    fn others(&mut self, report: &WhyReport) {
        let side = format!("{}  ", self.sides.hidden);
        for SearchedLocation { name, is_there } in &report.others {
            let state = if *is_there { NO_SUCH_KEY } else { NOT_THERE };
            self.line(&[
                (PartStyle::Dim, &side),
                (PartStyle::Dim, name),
                (PartStyle::Dim, " "),
                (PartStyle::Dim, state),
            ]);
        }
    }

    /// Adds a line, as much of it as there is room for.
    fn line(&mut self, pieces: &[(PartStyle, &str)]) {
        let whole: usize = pieces.iter().map(|(_, text)| text.width()).sum();
        let mut room = if self.style.full { usize::MAX } else { self.style.width };
        let cut = whole > room;
        if cut {
            room = room.saturating_sub(self.sides.more.width());
        }
        let mut line = String::new();
        for (look, text) in pieces {
            let (fits, width) = truncate_to_width(text, room);
            room -= width;
            line.push_str(&self.painted(*look, &fits));
            if fits.len() < text.len() {
                break;
            }
        }
        if cut {
            line.push_str(self.sides.more);
        }
        line.push('\n');
        self.lines.push(line);
    }

    fn painted(&self, look: PartStyle, text: &str) -> String {
        let style = match look {
            PartStyle::Plain => "",
            PartStyle::Bold => "1",
            PartStyle::Dim => "2",
            PartStyle::Of(Emphasis::Added) => "32",
            PartStyle::Of(Emphasis::Lost) => "33",
            PartStyle::Of(Emphasis::Removes) => "35",
            PartStyle::Of(Emphasis::Failed) => "31",
        };
        terminal::painted(self.style.color, style, text)
    }
}

/// Returns the start of a string that fits, and its width in columns. Control characters that move the cursor are left
/// out.
fn truncate_to_width(text: &str, room: usize) -> (String, usize) {
    let mut fits = String::with_capacity(text.len());
    let mut used = 0;
    for c in text.chars() {
        let c = if c.is_control() { '\u{fffd}' } else { c };
        let width = c.width().unwrap_or(0);
        if used + width > room {
            break;
        }
        used += width;
        fits.push(c);
    }
    (fits, used)
}

/// Distributes the available lines one by one in turn. Nothing gets more lines than it needs.
fn distribute_lines(line_counts: &[usize], mut room: usize) -> Vec<usize> {
    let mut shares = vec![0; line_counts.len()];
    loop {
        let before = room;
        for (share, count) in shares.iter_mut().zip(line_counts) {
            if *share < *count && room > 0 {
                *share += 1;
                room -= 1;
            }
        }
        if room == before || room == 0 {
            return shares;
        }
    }
}

/// The changes in a limited number of lines: each one, or those of one kind together, or only their count.
fn changes(changes: &[Change], most: usize) -> Vec<(Emphasis, String)> {
    if changes.len() <= most {
        return changes.iter().map(|change| (change.tone, sentence(change))).collect();
    }
    let mut kinds: Vec<(Emphasis, Vec<&Change>)> = Vec::new();
    for change in changes {
        match kinds.iter_mut().find(|(tone, of)| *tone == change.tone && same_outcome(of, change)) {
            Some((_, of)) => of.push(change),
            None => kinds.push((change.tone, vec![change])),
        }
    }
    let together = |(tone, of): &(Emphasis, Vec<&Change>)| {
        let parts: Vec<&str> = of.iter().map(|change| change.part.as_str()).collect();
        let outcome = of.first().map_or("", |change| change.outcome.as_str());
        let outcome = if outcome.is_empty() { String::new() } else { format!("{outcome}: ") };
        (*tone, format!("{outcome}{}", parts.join(", ")))
    };
    if kinds.len() <= most {
        return kinds.iter().map(together).collect();
    }
    if most == 0 {
        return Vec::new();
    }
    let mut tones: Vec<Emphasis> = changes.iter().map(|change| change.tone).collect();
    tones.sort_unstable();
    tones.dedup();
    let count = |tone: &Emphasis| {
        let count = changes.iter().filter(|change| change.tone == *tone).count();
        format!("{count} {}", tone.many())
    };
    let counted: Vec<String> = tones.iter().map(count).collect();
    vec![(tones[0], counted.join(", "))]
}

fn same_outcome(of: &[&Change], change: &Change) -> bool {
    of.first().is_some_and(|first| first.outcome == change.outcome)
}

fn sentence(change: &Change) -> String {
    let value = change.value.as_ref().map_or(String::new(), |value| format!(" = {value}"));
    let outcome = if change.outcome.is_empty() { String::new() } else { format!("  ({})", change.outcome) };
    format!("{}{value}{outcome}", change.part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_distributed_in_turn() {
        assert_eq!(distribute_lines(&[5, 1, 3], 6), [3, 1, 2]);
        assert_eq!(distribute_lines(&[1, 1], 6), [1, 1]);
        assert_eq!(distribute_lines(&[2, 2], 0), [0, 0]);
        assert_eq!(distribute_lines(&[], 3), [0usize; 0]);
    }

    #[test]
    fn a_line_is_truncated_by_its_width() {
        assert_eq!(truncate_to_width("日本語", 5), ("日本".into(), 4));
        assert_eq!(truncate_to_width("a\nb", 9), ("a\u{fffd}b".into(), 3));
    }
}
