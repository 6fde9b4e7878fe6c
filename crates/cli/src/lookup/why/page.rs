//! The reasons of answers as a page to send around: complete in itself, without scripts, and fit to be printed.

use crate::markup;

use hieratic::{Change, NO_SUCH_KEY, NOT_THERE, Story, Told, Tone};

const STYLE: &str = "\
:root{color-scheme:light dark;--dim:#667;--line:#ccd;--add:#176d2c;--lost:#8a5a00;--cut:#7a2f9a;--fail:#b3261e}
@media (prefers-color-scheme:dark){:root{--dim:#99a;--line:#445;--add:#6fcf8a;--lost:#e0b050;--cut:#cf9be8;--fail:#ff8a80}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0 0 .5rem;overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
pre{white-space:pre-wrap;border-left:3px solid var(--line);padding:.5rem 1rem;margin:.5rem 0}
p{margin:.3rem 0}.dim{color:var(--dim)}
ol{list-style:none;padding:0;margin:1rem 0;counter-reset:layer}
ol>li{border:1px solid var(--line);border-radius:6px;padding:.6rem 1rem;margin-bottom:-1px;counter-increment:layer;break-inside:avoid}
ol>li>p:first-child::before{content:counter(layer) \". \";color:var(--dim)}
li.hidden{border-style:dashed;color:var(--dim)}
ul{list-style:none;padding:0;margin:.3rem 0}
.added{color:var(--add)}.lost{color:var(--lost)}.removes{color:var(--cut)}.failed{color:var(--fail)}
article+article{border-top:2px solid var(--line);margin-top:2rem;padding-top:2rem}
@media print{body{max-width:none;margin:0}}";

/// Writes a page.
pub(super) fn write(stories: &[Story]) -> String {
    let keys: Vec<&str> = stories.iter().map(|story| story.key.as_str()).collect();
    let title = escaped(&keys.join(", "));
    let articles: String = stories.iter().map(article).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Why {title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n{articles}</body>\n</html>\n"
    )
}

fn article(story: &Story) -> String {
    let mut out = format!("<article>\n<h1><code>{}</code></h1>\n", escaped(&story.key));
    match &story.answer {
        Ok(value) => {
            // Lines of the value are no lines of the page: one may begin as a message does, which would be made visible.
            let value = escaped(super::yaml(story).as_deref().unwrap_or(value)).replace('\n', "&#10;");
            out.push_str(&format!("<pre>{value}</pre>\n"));
        }
        Err(reason) => out.push_str(&format!("<p class=\"failed\">{}</p>\n", escaped(reason))),
    }
    for rule in &story.rules {
        out.push_str(&format!("<p class=\"dim\">{}</p>\n", escaped(rule)));
    }
    if !story.layers.is_empty() || !story.hidden.is_empty() {
        out.push_str("<ol>\n");
        story.layers.iter().for_each(|told| out.push_str(&layer(told)));
        for place in &story.hidden {
            let because = escaped(story.hidden_because);
            out.push_str(&format!(
                "<li class=\"hidden\"><p><code>{}</code> is hidden: {because}</p></li>\n",
                escaped(place)
            ));
        }
        out.push_str("</ol>\n");
    }
    for fault in &story.faulty {
        out.push_str(&format!("<p class=\"failed\">{}</p>\n", escaped(fault)));
    }
    let rest = format!("<p class=\"dim\">{}</p>\n", escaped(&story.rest));
    match story.others.as_slice() {
        [] => out.push_str(&rest),
        others => {
            out.push_str(&format!("<details>\n<summary>{}</summary>\n<ul>\n", escaped(&story.rest)));
            for (place, is_there) in others {
                let state = if *is_there { NO_SUCH_KEY } else { NOT_THERE };
                out.push_str(&format!("<li><code>{}</code> <span class=\"dim\">{state}</span></li>\n", escaped(place)));
            }
            out.push_str("</ul>\n</details>\n");
        }
    }
    out.push_str("</article>\n");
    out
}

fn layer(told: &Told) -> String {
    let changes: String = told.changes.iter().map(change).collect();
    let (place, level) = (escaped(&told.place), escaped(&told.level));
    let place = match &told.link {
        Some(link) => format!("<a href=\"{}\"><code>{place}</code></a>", escaped(link)),
        None => format!("<code>{place}</code>"),
    };
    format!("<li><p>{place} <span class=\"dim\">{level}</span></p>\n<ul>\n{changes}</ul></li>\n")
}

fn change(change: &Change) -> String {
    let class = match change.tone {
        Tone::Added => "added",
        Tone::Lost => "lost",
        Tone::Removes => "removes",
        Tone::Failed => "failed",
    };
    let value = change.value.as_ref().map_or(String::new(), |value| format!(" = {}", escaped(value)));
    let outcome = match change.outcome.as_str() {
        "" => String::new(),
        outcome => format!(" <span class=\"dim\">{}</span>", escaped(outcome)),
    };
    let sign = change.tone.sign();
    format!("<li class=\"{class}\"><code>{sign} {}{value}</code>{outcome}</li>\n", escaped(&change.part))
}

/// Text as it may stand in a page, between tags and in attributes.
fn escaped(text: &str) -> String {
    markup::escaped(text, |c| match c {
        '\'' => Some("&#39;"),
        // No page may hold these.
        c if c.is_control() && !matches!(c, '\n' | '\t') => Some("\u{fffd}"),
        _ => None,
    })
}
