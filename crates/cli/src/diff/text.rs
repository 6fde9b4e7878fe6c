//! A comparison for the terminal, and as annotations of GitHub's workflows.

use hieratic_diagnostics::render::visible_line;

use super::view::View;

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const CYAN: &str = "36";
const DIM: &str = "2";

/// The comparison as lines of text.
pub(super) fn written(view: &View, color: bool) -> String {
    let painted = |code: &str, text: &str| match color {
        true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    };
    let line = |text: &str| visible_line(text);
    let mut out = String::new();
    for broken in &view.broken {
        out.push_str(&format!("{}\n", painted(BOLD, &line(&broken.title))));
        for (sign, code, reason) in [("-", RED, &broken.reasons[0]), ("+", GREEN, &broken.reasons[1])] {
            let reason = reason.as_deref().unwrap_or("can be looked up");
            out.push_str(&format!("  {}\n", painted(code, &line(&format!("{sign} {reason}")))));
        }
        out.push('\n');
    }
    for group in &view.groups {
        out.push_str(&format!("{}\n", painted(BOLD, &line(&group.title))));
        for change in &group.changes {
            out.push_str(&format!("  {}\n", painted(CYAN, &line(&change.key))));
            for part in &change.lines {
                let (sign, code) = if part.is_head { ("+", GREEN) } else { ("-", RED) };
                let origin = part.origin.as_ref().map_or(String::new(), |origin| line(&format!("  # {origin}")));
                let text = painted(code, &format!("{sign} {}", part.text()));
                out.push_str(&format!("    {text}{}\n", painted(DIM, &origin)));
            }
            // The origins of the lines say the rest.
            let is_told = |cause: &&String| change.lines.iter().all(|part| part.origin.as_ref() != Some(cause));
            for cause in change.causes.iter().filter(is_told) {
                out.push_str(&format!("    {}\n", painted(DIM, &line(&format!("because of {cause}")))));
            }
        }
        out.push('\n');
    }
    if !view.parameters.is_empty() {
        out.push_str(&format!("{}\n", painted(BOLD, "class parameters")));
        for parameter in &view.parameters {
            let (file, at) = &parameter.place;
            let place = painted(DIM, &line(&format!("  # {file}:{at}")));
            out.push_str(&format!("  {}{place}\n", painted(CYAN, &line(&parameter.key))));
            for (sign, code, side) in [("-", RED, &parameter.sides[0]), ("+", GREEN, &parameter.sides[1])] {
                if let Some(side) = side {
                    out.push_str(&format!("    {}\n", painted(code, &line(&format!("{sign} {side}")))));
                }
            }
        }
        out.push('\n');
    }
    if !view.findings.is_empty() {
        out.push_str(&format!("{}\n", painted(BOLD, "new findings of check")));
        for finding in &view.findings {
            let place = finding.place.as_ref().map_or(String::new(), |(file, at)| line(&format!("{file}:{at}: ")));
            let code = painted(DIM, &format!("[{}]", finding.code));
            out.push_str(&format!(
                "  {}{}: {} {code}\n",
                painted(CYAN, &place),
                finding.severity,
                line(&finding.message)
            ));
        }
        out.push('\n');
    }
    for note in &view.notes {
        out.push_str(&format!("not compared: {}\n", line(note)));
    }
    out.push_str(&format!("{}\n", line(&view.headline())));
    out
}

/// The comparison as commands of GitHub's workflows: an annotation for each change at the line that causes it.
/// See <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.
pub(super) fn annotations(view: &View) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut out = String::new();
    let mut tell = |level: &str, place: Option<&(String, u32)>, title: &str, message: &str| {
        let place =
            place.map_or(String::new(), |(file, line)| format!("file={},line={line},", property(&visible_line(file))));
        out.push_str(&format!("::{level} {place}title={}::{}\n", property(&visible_line(title)), data(message)));
    };
    for broken in &view.broken {
        let level = if broken.reasons[1].is_some() { "error" } else { "notice" };
        let reason = broken.reasons[1].as_deref().unwrap_or("can be looked up again");
        tell(level, None, &broken.title, &visible_line(reason));
    }
    for group in &view.groups {
        for change in &group.changes {
            let is_fault = change.lines.iter().any(|line| line.is_head && line.is_fault);
            let lines: Vec<String> = change
                .lines
                .iter()
                .map(|line| format!("{} {}", if line.is_head { "+" } else { "-" }, line.text()))
                .collect();
            let title = format!("{} changes on {}", change.key, group.title);
            tell(if is_fault { "error" } else { "notice" }, change.place.as_ref(), &title, &lines.join("\n"));
        }
    }
    for parameter in &view.parameters {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "not declared".to_owned());
        let message = format!("- {}\n+ {}", side(&parameter.sides[0]), side(&parameter.sides[1]));
        tell("notice", Some(&parameter.place), &format!("The parameter {} changes", parameter.key), &message);
    }
    for finding in &view.findings {
        let level = if finding.severity == "note" { "notice" } else { finding.severity };
        tell(level, finding.place.as_ref(), &format!("New finding: {}", finding.code), &visible_line(&finding.message));
    }
    out.push_str(&format!("{}\n", visible_line(&view.headline())));
    out
}
