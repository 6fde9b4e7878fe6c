//! [`wrap`]: lines that fit a terminal.

use unicode_width::UnicodeWidthStr;

/// Wraps a line between words into lines of at most `width` columns. All lines except the first begin with `indent`. A
/// word that is longer stays whole.
///
/// ```
/// use hieratic_diagnostics::render::wrap;
///
/// assert_eq!(wrap("2 of 3 nodes change", 12, "  "), ["2 of 3 nodes", "  change"]);
/// assert_eq!(wrap("", 12, "  "), [""]);
/// ```
pub fn wrap(line: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut open, mut used) = (String::new(), 0);
    let mut is_empty = true;
    for word in line.split_inclusive(' ') {
        if !is_empty && used + word.trim_end().width() > width {
            lines.push(open.trim_end().to_owned());
            indent.clone_into(&mut open);
            used = indent.width();
        }
        open.push_str(word);
        used += word.width();
        is_empty = false;
    }
    lines.push(open.trim_end().to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn no_word_is_lost_and_no_line_is_too_long() {
        let text = "a bb  ccc /a/long/path/that/fits/nowhere d 日本語 e";
        for width in 1..60 {
            let lines = wrap(text, width, "  ");
            let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
            assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
            for line in &lines {
                let only = line.split_whitespace().count() <= 1;
                assert!(only || unicode_width::UnicodeWidthStr::width(&**line) <= width, "{line:?} at {width}");
            }
        }
    }
}
