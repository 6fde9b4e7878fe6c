//! A comparison as a page to send around: complete in itself, without scripts, and fit to be printed.

use hieratic_diagnostics::render::visible_line;

use super::rows::{Row, Sign, rows};
use super::view::{Changed, NodeGroup, View};
use crate::markup;

const STYLE: &str = "\
:root{color-scheme:light dark;--dim:#667;--line:#ccd;--add:#176d2c;--lost:#b3261e}
@media (prefers-color-scheme:dark){:root{--dim:#99a;--line:#445;--add:#6fcf8a;--lost:#ff8a80}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem;overflow-wrap:anywhere}summary{font-weight:600;cursor:pointer;overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:6px;padding:.5rem 1rem;margin:.8rem 0}
code,pre{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
pre{white-space:pre-wrap;margin:.2rem 0 .2rem 1rem}p{margin:.6rem 0 0}
del,ins{text-decoration:none}del{color:var(--lost)}ins{color:var(--add)}.dim{color:var(--dim)}
@media print{body{max-width:none;margin:0}}";

/// The comparison as a page.
pub(super) fn written(view: &View) -> String {
    let headline = escaped(&view.headline());
    let mut body = format!("<h1>{headline}</h1>\n");
    for broken in &view.broken {
        let [before, now] = broken.told_reasons().map(escaped);
        body.push_str(&folded(broken, &format!("<pre><del>- {before}</del>\n<ins>+ {now}</ins></pre>\n")));
    }
    for group in view.groups.iter().chain(&view.catalogs) {
        body.push_str(&folded(group, &group.changes.iter().map(changed).collect::<String>()));
    }
    if !view.parameters.is_empty() {
        body.push_str("<details open><summary>Class parameters</summary>\n");
        for parameter in &view.parameters {
            let (file, line) = &parameter.place;
            let place = escaped(&format!("{file}:{line}"));
            body.push_str(&format!(
                "<p><code>{}</code> <span class=\"dim\">{place}</span></p>\n<pre>",
                escaped(&parameter.key)
            ));
            for (tag, sign, side) in [("del", "-", &parameter.sides[0]), ("ins", "+", &parameter.sides[1])] {
                if let Some(side) = side {
                    body.push_str(&format!("<{tag}>{sign} {}</{tag}>\n", escaped(side)));
                }
            }
            body.push_str("</pre>\n");
        }
        body.push_str("</details>\n");
    }
    if !view.findings.is_empty() {
        body.push_str("<details open><summary>New findings of <code>hieratic check</code></summary>\n");
        for finding in &view.findings {
            let place = finding.place.as_ref().map_or(String::new(), |(file, line)| escaped(&format!("{file}:{line}")));
            body.push_str(&format!(
                "<p><code>{place}</code> {}: {} <span class=\"dim\">{}</span></p>\n",
                finding.severity,
                escaped(&finding.message),
                finding.code
            ));
        }
        body.push_str("</details>\n");
    }
    for note in &view.notes {
        body.push_str(&format!("<p class=\"dim\">Not compared: {}</p>\n", escaped(note)));
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{headline}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn folded(group: &NodeGroup, inside: &str) -> String {
    let names: Vec<String> = group.names.iter().map(|name| escaped(name)).collect();
    let names = match names.len() {
        0..=1 => String::new(),
        count => format!("<details><summary>{count} nodes</summary><p>{}</p></details>\n", names.join(" ")),
    };
    format!("<details open><summary>{}</summary>\n{inside}{names}</details>\n", escaped(&group.title))
}

fn changed(change: &Changed) -> String {
    let remarks = match change.remarks.is_empty() {
        true => String::new(),
        false => format!(" <span class=\"dim\">{}</span>", escaped(&change.remarks.join(", "))),
    };
    let mut out = format!("<p><code>{}</code>{remarks}</p>\n", escaped(&change.key));
    let rows = rows(&change.lines);
    if rows.is_empty() {
        return out;
    }
    out.push_str("<pre>");
    for Row { sign, text, origin } in rows {
        let origin =
            origin.map_or(String::new(), |origin| format!("  <span class=\"dim\"># {}</span>", escaped(origin)));
        let text = format!("{} {}", sign.text(), escaped(&text));
        match sign {
            Sign::Added => out.push_str(&format!("<ins>{text}</ins>{origin}\n")),
            Sign::Removed => out.push_str(&format!("<del>{text}</del>{origin}\n")),
            Sign::Around => out.push_str(&format!("{text}{origin}\n")),
        }
    }
    out.push_str("</pre>\n");
    if !change.causes.is_empty() {
        let causes: Vec<String> = change.causes.iter().map(|cause| escaped(cause)).collect();
        out.push_str(&format!("<p class=\"dim\">because of {}</p>\n", causes.join(", ")));
    }
    out
}

fn escaped(text: &str) -> String {
    markup::escaped(&visible_line(text), |_| None)
}
