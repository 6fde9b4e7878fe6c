//! [`Imprint`]: the inputs, the version and the time of a standalone page.

use std::time::{SystemTime, UNIX_EPOCH};

use hieratic::diagnostics::render::visible_line;
use maud::{Markup, html};

/// The inputs, the version and the time of a page, for readers who did not create it.
#[derive(Clone, Debug, Default)]
pub struct Imprint {
    parts: Vec<(&'static str, String)>,
}

impl Imprint {
    /// Adds a name and its value, such as a node; an empty value is left out.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Imprint {
        let value = value.into();
        if !value.is_empty() {
            self.parts.push((name, value));
        }
        self
    }

    /// The imprint as the end of a page, with the version and the time.
    pub(super) fn shown(&self) -> Markup {
        html! {
            footer.imprint {
                @for (name, value) in &self.parts { span { (name) " " strong { (visible_line(value)) } } " · " }
                span { "Made " (now()) } " · " span { "Hieratic " (env!("CARGO_PKG_VERSION")) }
            }
        }
    }
}

/// The time in UTC, to the minute.
fn now() -> String {
    // A clock before 1970 is wrong: the time is left out.
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let day = hieratic_git::day(i64::try_from(seconds).unwrap_or_default());
    format!("{day} {:02}:{:02} UTC", seconds / 3600 % 24, seconds / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_are_left_out() {
        let shown = Imprint::default().with("Node", "<web>").with("Revision", "").shown().into_string();
        assert!(shown.contains("Node <strong>&lt;web&gt;</strong>") && !shown.contains("Revision"), "{shown}");
        assert!(shown.contains(" UTC") && shown.contains(env!("CARGO_PKG_VERSION")), "{shown}");
    }
}
