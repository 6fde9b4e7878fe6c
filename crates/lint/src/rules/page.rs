//! The page of a rule: the documentation at the top of its module, taken out when the crate is compiled.

/// The beginning of a line of documentation.
const MARK: &[u8] = b"//!";

/// Returns whether a line begins with the mark.
const fn is_documentation(source: &[u8], line: usize) -> bool {
    line + MARK.len() <= source.len()
        && source[line] == MARK[0]
        && source[line + 1] == MARK[1]
        && source[line + 2] == MARK[2]
}

/// Copies the page in the source of a module, as far as it fits. Returns it with its whole length, in bytes.
const fn copy<const LENGTH: usize>(source: &str) -> ([u8; LENGTH], usize) {
    let source = source.as_bytes();
    let mut page = [0; LENGTH];
    let (mut at, mut length) = (0, 0);
    while is_documentation(source, at) {
        at += MARK.len();
        if at < source.len() && source[at] == b' ' {
            at += 1;
        }
        while at < source.len() {
            if length < LENGTH {
                page[length] = source[at];
            }
            length += 1;
            at += 1;
            if source[at - 1] == b'\n' {
                break;
            }
        }
    }
    (page, length)
}

/// The length of the page in the source of a module, in bytes.
pub(super) const fn length(source: &str) -> usize {
    copy::<0>(source).1
}

/// The page in the source of a module. Its length is [`length`].
pub(super) const fn page<const LENGTH: usize>(source: &str) -> [u8; LENGTH] {
    copy(source).0
}

/// A page as text.
pub(super) const fn text(page: &'static [u8]) -> &'static str {
    match std::str::from_utf8(page) {
        Ok(text) => text,
        // The source is text, and no line is cut.
        Err(_) => panic!("a page is not text"),
    }
}

/// The page of the module in a file next to this one.
macro_rules! page_of {
    ($file:expr) => {{
        const SOURCE: &str = include_str!($file);
        const PAGE: [u8; $crate::rules::page::length(SOURCE)] = $crate::rules::page::page(SOURCE);
        $crate::rules::page::text(&PAGE)
    }};
}
pub(super) use page_of;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_documentation_at_the_top() {
        const SOURCE: &str = "//! # é\n//!\n//!   a\n//!b\n\n//! c\nfn d() {}\n";
        const PAGE: [u8; length(SOURCE)] = page(SOURCE);
        assert_eq!(text(&PAGE), "# é\n\n  a\nb\n");
        assert_eq!([length(""), length("//"), length("//!"), length("//! a"), length("/// a\n")], [0, 0, 0, 1, 0]);
    }
}
