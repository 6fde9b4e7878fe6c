//! The forms that a text takes on its way out: as it is, escaped for a language or a format, encoded.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What `encodeURIComponent` and its relatives leave as it is.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// What encoders of paths leave as it is.
const PATH: &AsciiSet = &COMPONENT.remove(b'/');

/// Shorter texts are in everything: covering them would cover all, and tell what they are.
pub(super) const SHORTEST: usize = 4;

/// All forms of a text that are long enough to be searched for.
pub(super) fn forms(text: &str) -> Vec<String> {
    let mut forms = Vec::new();
    let lines = text.lines().map(str::trim).filter(|line| *line != text);
    for part in std::iter::once(text).chain(std::iter::once(text.trim())).chain(lines) {
        if part.len() >= SHORTEST {
            forms.extend(forms_of_part(part));
        }
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

fn forms_of_part(text: &str) -> Vec<String> {
    let percent = utf8_percent_encode(text, COMPONENT).to_string();
    let mut forms = vec![
        text.to_owned(),
        text.chars().rev().collect(),
        escaped(text, &['\\', '"']),
        escaped(text, &['\\', '"', '$']),
        escaped(text, &['\\', '"', '#']),
        escaped(text, &['\\', '\'']),
        text.replace('\'', "''"),
        text.replace('\'', "'\\''"),
        markup(text, "&#39;"),
        markup(text, "&#x27;"),
        markup(text, "&apos;"),
        markup(text, "&#39;").replace("&quot;", "&#34;"),
        // Values as they are written in programs and in JSON, on a page.
        markup(&escaped(text, &['\\', '"']), "&#39;"),
        markup(&json(text), "&#39;"),
        markup(&json(text), "'"),
        json(text),
        percent.replace("%20", "+"),
        percent,
        utf8_percent_encode(text, PATH).to_string(),
        hexadecimal(text),
    ];
    // How a text is encoded in the middle of another depends on where it begins.
    for before in 0..3 {
        let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(text.bytes()).collect();
        // Digits that also hold bits of what stands before or behind.
        let (start, end) = ((before * 4).div_ceil(3), bytes.len() * 4 / 3);
        for encoded in [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)] {
            forms.extend(encoded.get(start..end).map(str::to_owned));
            // The last digit is whole if nothing follows.
            forms.extend(encoded.get(start..).map(str::to_owned));
        }
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms
}

/// With backslashes before the characters, and control characters written as languages do.
fn escaped(text: &str, special: &[char]) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if special.contains(&c) => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn json(text: &str) -> String {
    // Texts always have a form in JSON, in quotes.
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned()
}

fn markup(text: &str, apostrophe: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.replace('\'', apostrophe)
}

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_text_has_its_encoded_forms() {
        let forms = forms("p \"w\"/d&");
        for form in [
            "p \"w\"/d&",
            "p \\\"w\\\"/d&",
            "p%20%22w%22%2Fd%26",
            "p+%22w%22%2Fd%26",
            "p &#34;w&#34;/d&amp;",
            "p &quot;w&quot;/d&amp;",
        ] {
            assert!(forms.iter().any(|known| known == form), "{form}");
        }
        assert!(forms.contains(&hexadecimal("p \"w\"/d&")));
    }

    #[test]
    fn base_64_is_known_wherever_the_text_stands() {
        let forms = forms("swordfish");
        for before in ["", "a", "ab", "abc"] {
            for behind in ["", "x", "xy"] {
                let encoded = STANDARD_NO_PAD.encode(format!("{before}swordfish{behind}"));
                assert!(forms.iter().any(|form| encoded.contains(form.as_str())), "{encoded}");
            }
        }
    }

    #[test]
    fn each_line_counts_unless_it_is_short() {
        let forms = forms("first line\n}\n  last line\n");
        assert!(forms.iter().any(|form| form == "first line"));
        assert!(forms.iter().any(|form| form == "last line"));
        assert!(!forms.iter().any(|form| form == "}"));
    }
}
