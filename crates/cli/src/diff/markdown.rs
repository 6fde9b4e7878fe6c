//! A comparison as Markdown that can be posted on a pull request.

use hieratic_diagnostics::render::visible_line;

use hieratic_report::{ChangeEntry, LoneEnvironment, View, rows};

/// The maximum length of a comment; GitHub accepts 65,536 characters.
const LONGEST: usize = 60_000;
/// From how many changes on a group is folded.
const MOST_OPEN: usize = 10;

/// The comparison as Markdown. It is truncated to the length of a comment, with a sentence about the rest.
pub(super) fn render(view: &View) -> String {
    let mut out = format!("### {}\n\n", escape(&view.headline()));
    let mut blocks: Vec<String> = Vec::new();
    for broken in &view.broken {
        let [before, now] = broken.reason_texts();
        blocks.push(format!("**{}**\n\n{}", escape(&broken.title), fenced(&[("-", before), ("+", now)])));
    }
    for group in view.groups.iter().chain(&view.catalogs) {
        let mut changes: Vec<String> = group.changes.iter().map(changed).collect();
        let keys = crate::output::counted(changes.len(), "change");
        let is_long = changes.len() > MOST_OPEN;
        let title = escape(&group.title);
        let rest = changes.split_off(changes.len().min(1000));
        let more = match rest.len() {
            0 => String::new(),
            more => format!("\nand {}\n", crate::output::counted(more, "more change")),
        };
        blocks.push(match is_long {
            true => format!(
                "<details><summary><b>{title}</b>: {keys}</summary>\n\n{}{more}\n</details>\n",
                changes.concat()
            ),
            false => format!("**{title}**\n\n{}{more}", changes.concat()),
        });
    }
    if !view.parameters.is_empty() {
        let mut block = "**Class parameters**\n\n".to_owned();
        for parameter in &view.parameters {
            let sides: Vec<(&str, &str)> = [("-", &parameter.sides[0]), ("+", &parameter.sides[1])]
                .into_iter()
                .filter_map(|(sign, side)| Some((sign, side.as_deref()?)))
                .collect();
            let (file, line) = &parameter.place;
            block.push_str(&format!(
                "{}{} ({})\n\n{}",
                code(&parameter.key),
                escape(&view.within(&parameter.environments)),
                code(&format!("{file}:{line}")),
                fenced(&sides)
            ));
        }
        blocks.push(block);
    }
    if !view.findings.is_empty() {
        let findings: String = view
            .findings
            .iter()
            .map(|finding| {
                let place =
                    finding.place.as_ref().map_or(String::new(), |(file, line)| code(&format!("{file}:{line}")) + " ");
                let message = format!("{}{}", finding.message, view.within(&finding.environments));
                format!("- {place}{}: {} ({})\n", finding.severity, escape(&message), code(finding.code))
            })
            .collect();
        blocks.push(format!("**New findings of `hieratic check`**\n\n{findings}"));
    }
    if !view.lone.is_empty() {
        let told = |lone: &LoneEnvironment| {
            format!("- {}: {}\n", code(&lone.name), if lone.is_head { "new" } else { "removed" })
        };
        blocks.push(format!("**Environments**\n\n{}", view.lone.iter().map(told).collect::<String>()));
    }
    if !view.notes.is_empty() {
        let notes: String = view.notes.iter().map(|note| format!("- {}\n", escape(note))).collect();
        blocks.push(format!("**Not compared**\n\n{notes}"));
    }
    blocks.extend(view.ignored_summary().map(|ignored| format!("**Ignored**: {}\n", escape(&ignored))));
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

fn changed(change: &ChangeEntry) -> String {
    let texts: Vec<(&str, String)> = rows(&change.lines).into_iter().map(|row| (row.sign.text(), row.text)).collect();
    let lines: Vec<(&str, &str)> = texts.iter().map(|(sign, text)| (*sign, text.as_str())).collect();
    let causes: Vec<String> = change.causes.iter().map(|cause| code(cause)).collect();
    let because = if causes.is_empty() { String::new() } else { format!(" because of {}", causes.join(", ")) };
    let covered = if change.is_redacted() { " (redacted)" } else { "" };
    let remarks = match change.remarks.is_empty() {
        true => String::new(),
        false => format!(": {}", escape(&change.remarks.join(", "))),
    };
    format!("{}{remarks}{covered}{because}\n\n{}", code(&change.key), fenced(&lines))
}

/// A code block that is highlighted as a diff, with a fence that no line can end.
fn fenced(lines: &[(&str, &str)]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let longest = lines.iter().map(|(_, text)| longest_run(text)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: String = lines.iter().map(|(sign, text)| format!("{sign} {}\n", visible_line(text))).collect();
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
