//! [`alone`]: a page in one file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::pages::{Imprint, STYLE};

/// Returns a page that is complete in itself: nothing is loaded, and nothing runs.
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
