//! [`alone`]: a standalone page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::pages::{Imprint, STYLE};

/// Renders a standalone page: it loads nothing and runs no scripts.
pub fn alone(title: &str, body: &Markup, imprint: &Imprint) -> String {
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                "\n" meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                title { (title) } "\n"
                style { "\n" (PreEscaped(STYLE)) } "\n"
            }
            "\n"
            body { "\n" main { "\n" (body) "\n" (imprint.shown()) "\n" } "\n" }
            "\n"
        }
        "\n"
    };
    page.into_string()
}
