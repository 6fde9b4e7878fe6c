//! Pages of the documentation as pages of the service: the few parts of Markdown that they are written in.

use maud::{Markup, html};

/// Renders a page: headings, paragraphs, lists and code blocks. `own` returns the address of another page `NAME.md`, if
/// it exists.
pub(super) fn page(text: &str, own: &dyn Fn(&str) -> Option<String>) -> Markup {
    let mut parts: Vec<Markup> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            parts.push(html! { pre.card { (code.join("\n")) } });
        } else if let Some(heading) = line.strip_prefix('#') {
            parts.push(html! { h2 { (inline(heading.trim_start_matches('#').trim(), own)) } });
        } else if line.starts_with("- ") || line.starts_with('|') {
            let mark = line.chars().next().unwrap_or('-');
            let mut rows = vec![line.to_string()];
            while let Some(next) = lines.next_if(|next| next.starts_with(mark) || next.starts_with("  ")) {
                match (next.starts_with(mark), rows.last_mut()) {
                    (false, Some(row)) => *row = format!("{row} {}", next.trim()),
                    _ => rows.push(next.to_string()),
                }
            }
            parts.push(if mark == '|' { table(&rows, own) } else { items(&rows, own) });
        } else if !line.trim().is_empty() {
            let mut paragraph = line.to_string();
            let is_more = |next: &&str| {
                !next.trim().is_empty() && !["#", "```", "- ", "|"].iter().any(|mark| next.starts_with(mark))
            };
            while let Some(next) = lines.next_if(|next| is_more(next)) {
                paragraph = format!("{paragraph} {}", next.trim());
            }
            parts.push(html! { p { (inline(&paragraph, own)) } });
        }
    }
    html! { @for part in &parts { (part) } }
}

fn items(rows: &[String], own: &dyn Fn(&str) -> Option<String>) -> Markup {
    html! { ul { @for row in rows { li { (inline(row.trim_start_matches("- "), own)) } } } }
}

fn table(rows: &[String], own: &dyn Fn(&str) -> Option<String>) -> Markup {
    let is_line = |row: &str| row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    let (head, body) = rows.split_first().map_or((Vec::new(), rows), |(head, rest)| (cells(head), rest));
    super::scrolling(
        "Table",
        &html! {
            table {
                tr { @for cell in &head { th scope="col" { (inline(cell, own)) } } }
                @for row in body.iter().filter(|row| !is_line(row)) {
                    tr { @for cell in cells(row) { td { (inline(&cell, own)) } } }
                }
            }
        },
    )
}

/// Text with code and links in it. What leads to a page that is not here is text alone.
fn inline(text: &str, own: &dyn Fn(&str) -> Option<String>) -> Markup {
    let mut parts: Vec<Markup> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[']) {
        let (before, from) = rest.split_at(at);
        parts.push(html! { (before) });
        let found = match from.strip_prefix('`') {
            Some(code) => code.split_once('`').map(|(code, rest)| (html! { code { (code) } }, rest)),
            None => link(from, own),
        };
        let (part, after) = found.unwrap_or_else(|| (html! { (&from[..1]) }, &from[1..]));
        parts.push(part);
        rest = after;
    }
    html! { @for part in &parts { (part) } (rest) }
}

/// A link `[text](address)`, and what comes after it.
fn link<'t>(text: &'t str, own: &dyn Fn(&str) -> Option<String>) -> Option<(Markup, &'t str)> {
    let (shown, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (address, rest) = rest.split_once(')')?;
    let shown = shown.replace('`', "");
    let address = match address.starts_with("https://") {
        true => Some(address.to_string()),
        false => address.strip_suffix(".md").and_then(own),
    };
    let part = match address {
        Some(address) => html! { a href=(address) rel="noreferrer" { (shown) } },
        None => html! { (shown) },
    };
    Some((part, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_rendered() {
        let text = "# Title\n\nA `code` and\na [link](job.md), [none](../x.md).\n\n- one\n  more\n- two\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n\
                    ```yaml\na: <b>\n```\n";
        let own = |name: &str| (name == "job").then(|| "/finding?rule=job".to_string());
        let shown = page(text, &own).into_string();
        for part in [
            "<h2>Title</h2>",
            "<p>A <code>code</code> and a <a href=\"/finding?rule=job\" rel=\"noreferrer\">link</a>, none.</p>",
            "<ul><li>one more</li><li>two</li></ul>",
            "<td>1</td><td><code>2</code></td>",
            "<pre class=\"card\">a: &lt;b&gt;</pre>",
        ] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        assert!(page("a ` b [ c", &own).into_string().contains("a ` b [ c"));
    }

    #[test]
    fn pages_of_all_rules_render_without_leftover_markup() {
        for rule in hieratic_lint::rules::ALL {
            let shown = page(rule.page, &|_| None).into_string();
            let outside: String =
                shown.split("<pre").map(|part| part.split_once("</pre>").map_or(part, |(_, rest)| rest)).collect();
            assert!(!outside.contains("](") && !outside.contains("```"), "{}: {outside}", rule.id());
        }
    }
}
