//! A comparison for the terminal, and as annotations of GitHub's workflows.

use hieratic_diagnostics::render::visible_line;

use hieratic_report::{Row, Sign, View, rows};

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const CYAN: &str = "36";
const DIM: &str = "2";

/// Renders the comparison as lines of text.
pub(super) fn render(view: &View, color: bool) -> String {
    let painted = |code: &str, text: &str| match color {
        true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    };
    let line = |text: &str| visible_line(text);
    let mut out = String::new();
    for broken in &view.broken {
        out.push_str(&format!("{}\n", painted(BOLD, &line(&broken.title))));
        let [before, now] = broken.reason_texts();
        for (sign, code, reason) in [("-", RED, before), ("+", GREEN, now)] {
            out.push_str(&format!("  {}\n", painted(code, &line(&format!("{sign} {reason}")))));
        }
        out.push('\n');
    }
    for group in view.groups.iter().chain(&view.catalogs) {
        out.push_str(&format!("{}\n", painted(BOLD, &line(&group.title))));
        for change in &group.changes {
            let remarks = match change.remarks.is_empty() {
                true => String::new(),
                false => painted(DIM, &line(&format!("  # {}", change.remarks.join(", ")))),
            };
            out.push_str(&format!("  {}{remarks}\n", painted(CYAN, &line(&change.key))));
            for Row { sign, text, origin } in rows(&change.lines) {
                let origin = origin.map_or(String::new(), |origin| line(&format!("  # {origin}")));
                let text = format!("{} {text}", sign.text());
                let text = match sign {
                    Sign::Added => painted(GREEN, &text),
                    Sign::Removed => painted(RED, &text),
                    Sign::Around => text,
                };
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
            let within = line(&view.within(&parameter.environments));
            out.push_str(&format!("  {}{within}{place}\n", painted(CYAN, &line(&parameter.key))));
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
                "  {}{}: {}{} {code}\n",
                painted(CYAN, &place),
                finding.severity,
                line(&finding.message),
                line(&view.within(&finding.environments))
            ));
        }
        out.push('\n');
    }
    for lone in &view.lone {
        let (code, sign, what) = if lone.is_head { (GREEN, "+", "new") } else { (RED, "-", "removed") };
        out.push_str(&format!("{}\n", painted(code, &line(&format!("{sign} environment {} ({what})", lone.name)))));
    }
    if !view.lone.is_empty() {
        out.push('\n');
    }
    for note in &view.notes {
        out.push_str(&format!("not compared: {}\n", line(note)));
    }
    if let Some(ignored) = view.ignored_summary() {
        out.push_str(&format!("ignored: {}\n", line(&ignored)));
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
        tell(level, None, &broken.title, &visible_line(broken.reason_texts()[1]));
    }
    for group in view.groups.iter().chain(&view.catalogs) {
        for change in &group.changes {
            let is_error = change.lines.iter().any(|line| line.is_head && line.is_error);
            let rows = rows(&change.lines).into_iter().map(|row| format!("{} {}", row.sign.text(), row.text));
            let remarks = change.remarks.iter().map(|remark| visible_line(remark));
            let lines: Vec<String> = remarks.chain(rows).collect();
            let title = format!("{} changes on {}", change.key, group.title);
            tell(if is_error { "error" } else { "notice" }, change.place.as_ref(), &title, &lines.join("\n"));
        }
    }
    for parameter in &view.parameters {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "not declared".to_owned());
        let message = format!("- {}\n+ {}", side(&parameter.sides[0]), side(&parameter.sides[1]));
        let within = view.within(&parameter.environments);
        tell("notice", Some(&parameter.place), &format!("The parameter {} changes{within}", parameter.key), &message);
    }
    for finding in &view.findings {
        let level = if finding.severity == "note" { "notice" } else { finding.severity };
        let message = format!("{}{}", finding.message, view.within(&finding.environments));
        tell(level, finding.place.as_ref(), &format!("New finding: {}", finding.code), &visible_line(&message));
    }
    for lone in &view.lone {
        let what = if lone.is_head { "is new" } else { "is removed" };
        tell("notice", None, "Environments", &visible_line(&format!("The environment {} {what}", lone.name)));
    }
    for note in &view.notes {
        tell("notice", None, "Not compared", &visible_line(note));
    }
    if let Some(ignored) = view.ignored_summary() {
        tell("notice", None, "Ignored", &visible_line(&ignored));
    }
    out.push_str(&format!("{}\n", visible_line(&view.headline())));
    out
}
