//! Text inside of HTML and XML.

/// Text between tags, or in an attribute in double quotes. `others` replaces further characters, which formats treat differently.
pub(crate) fn escaped(text: &str, others: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let replaced = match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            '"' => Some("&quot;"),
            c => others(c),
        };
        match replaced {
            Some(replaced) => out.push_str(replaced),
            None => out.push(c),
        }
    }
    out
}
