//! Messages written out: for people, for tools, and for the viewers of code scanners.

mod human;
mod json;
mod sarif;

pub use human::{Style, human};
pub use json::json;
pub use sarif::sarif;

/// The text with control characters made visible; newlines and tabs stay.
pub(crate) fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            // The pictures of the control characters stand in the same order as these.
            '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c => c,
        })
        .collect()
}
