//! Shows pages of the documentation as pages of the service.

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::html::push_html;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Returns the address of a page `NAME` of the documentation, if the service has it.
type AddressOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Renders a page of Markdown. A link to a page that is not here is its text alone, and tags in the text are characters.
pub(super) fn page(text: &str, address_of: AddressOf<'_>) -> Markup {
    let mut parts: Vec<Markup> = Vec::new();
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut is_link = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        if matches!(event, Event::Start(Tag::Table(_))) {
            parts.push(render(&mut events));
        }
        let ends_table = matches!(event, Event::End(TagEnd::Table));
        events.extend(adapt(event, &mut is_link, address_of));
        if ends_table {
            parts.push(super::scrolling("Table", &render(&mut events)));
        }
    }
    parts.push(render(&mut events));
    html! { @for part in &parts { (part) } }
}

/// Renders a sentence with code in backticks.
pub(super) fn inline(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // A backtick without another is a character.
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

/// The maximum length of a word in a table, in characters.
const MAX_WORD: usize = 48;
/// The length to which a longer one is shortened.
const SHORT_WORD: usize = 20;

/// Shortens the words of a message that are longer than any that people read, such as an encrypted value.
pub(super) fn without_long_words(message: &str) -> String {
    let shortened = |word: &str| {
        // The end of a path says more than its beginning.
        if word.chars().nth(MAX_WORD).is_none() || word.starts_with('/') {
            return word.to_string();
        }
        word.chars().take(SHORT_WORD).chain(['…']).collect()
    };
    message.split(' ').map(shortened).collect::<Vec<_>>().join(" ")
}

/// Renders the events so far, and forgets them.
fn render(events: &mut Vec<Event<'_>>) -> Markup {
    let mut out = String::new();
    push_html(&mut out, events.drain(..));
    PreEscaped(out)
}

/// Changes the parts that the service shows in another way than Markdown says: headings below the page's own, code as a card, links that
/// lead somewhere, no tags and no pictures.
fn adapt<'t>(event: Event<'t>, is_link: &mut bool, address_of: AddressOf<'_>) -> Option<Event<'t>> {
    Some(match event {
        Event::Start(Tag::Heading { .. }) => Event::Html("<h2>".into()),
        Event::End(TagEnd::Heading(_)) => Event::Html("</h2>\n".into()),
        Event::Start(Tag::CodeBlock(_)) => Event::Html("<pre class=\"card\">".into()),
        Event::End(TagEnd::CodeBlock) => Event::Html("</pre>\n".into()),
        Event::Html(tag) | Event::InlineHtml(tag) => Event::Text(tag),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        Event::Start(Tag::Link { dest_url, .. }) => {
            let address = address_to(&dest_url, address_of);
            *is_link = address.is_some();
            let address = address?;
            let tag = html! { a href=(address) rel="noreferrer" {} }.into_string();
            Event::InlineHtml(tag.trim_end_matches("</a>").to_string().into())
        }
        Event::End(TagEnd::Link) if !std::mem::take(is_link) => return None,
        event => event,
    })
}

/// The address that a link leads to: the web, or another page of the documentation.
fn address_to(link: &str, address_of: AddressOf<'_>) -> Option<String> {
    if link.starts_with("https://") { Some(link.to_string()) } else { link.strip_suffix(".md").and_then(address_of) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_shortened() {
        let long = "A".repeat(400);
        let (path, short) = (format!("/srv/{long}"), format!("ENC[PKCS7,{}…", "A".repeat(10)));
        assert_eq!(without_long_words(&format!("no ENC[PKCS7,{long}] in {path}")), format!("no {short} in {path}"));
        assert_eq!(without_long_words("é  b"), "é  b");
    }

    #[test]
    fn markdown_is_rendered() {
        let text = "# Title\n\nA `code` and\na [link](job.md), [none](../x.md).\n\n- one\n  more\n- two\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n\
                    ```yaml\na: <b>\n```\n";
        let own = |name: &str| (name == "job").then(|| "/finding?rule=job".to_string());
        let shown = page(text, &own).into_string();
        for part in [
            "<h2>Title</h2>",
            "<p>A <code>code</code> and\na <a href=\"/finding?rule=job\" rel=\"noreferrer\">link</a>, none.</p>",
            "<ul>\n<li>one\nmore</li>\n<li>two</li>\n</ul>",
            "<td>1</td><td><code>2</code></td>",
            "<pre class=\"card\">a: &lt;b&gt;\n</pre>",
        ] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
        assert!(page("a ` b [ c", &own).into_string().contains("a ` b [ c"));
    }

    #[test]
    fn backticks_in_a_sentence_are_code() {
        assert_eq!(inline("use `a<b` now").into_string(), "use <code>a&lt;b</code> now");
        assert_eq!(inline("one ` alone").into_string(), "one ` alone");
    }

    #[test]
    fn tags_and_other_addresses_are_characters() {
        let text = "a <script>alert(1)</script> [b](javascript:alert(1)) ![c](https://x/y.png) [d](https://x/\"y)\n\n<div onclick=x>\n";
        let shown = page(text, &|_| None).into_string();
        assert!(!shown.contains("<script") && !shown.contains("<div") && !shown.contains("<img"), "{shown}");
        assert!(!shown.contains("javascript:") && shown.contains("href=\"https://x/&quot;y\""), "{shown}");
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
