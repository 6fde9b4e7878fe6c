//! # conflict-marker
//!
//! A merge conflict is not resolved. (error)
//!
//! ## What is found
//!
//! A file of any language that is checked with the three marks of a conflict at the beginning of lines: `<<<<<<<`,
//! `=======` and `>>>>>>>`, in this order. Nothing else in the file is checked, because further errors usually follow
//! from the marks.
//!
//! ## Why it matters
//!
//! Puppet and Nomad refuse such a file, and the message names a syntax error somewhere near the marks. Lookups that
//! need the file fail.
//!
//! ## How to fix it
//!
//! Choose one of the sides, or combine them, and remove the marks. `git diff --check` finds them before a commit.
//!
//! ## Example
//!
//! ```yaml
//! ntp::servers:
//! <<<<<<< HEAD
//!   - ntp1.example.com
//! =======
//!   - ntp2.example.com
//! >>>>>>> topic
//! ```

use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;

/// Finds the first conflict of a file: its three marks at the beginning of lines, in order. Whatever else is wrong with
/// such a file follows from them.
///
/// See [how git presents conflicts](https://git-scm.com/docs/git-merge#_how_conflicts_are_presented).
pub(crate) fn check(source: &Source) -> Option<Finding> {
    let text = source.text();
    if !text.contains("<<<<<<< ") {
        return None;
    }
    let mut at = 0;
    let mut found: [Option<usize>; 2] = [None, None];
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        match found {
            _ if line.starts_with("<<<<<<< ") => found = [Some(at), None],
            [Some(_), None] if bare == "=======" => found[1] = Some(at),
            [Some(start), Some(_)] if line.starts_with(">>>>>>> ") => {
                let end = start + text[start..].find(['\r', '\n']).unwrap_or(text.len() - start);
                let finding = Finding::new(&rules::CONFLICT_MARKER, "A merge conflict is not resolved")
                    .at(source, Span::new(start, end), "")
                    .related(source, Span::new(at, at + bare.len()), "it ends here");
                return Some(finding.help("choose one side, and remove the marks"));
            }
            _ => {}
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Option<u32> {
        check(&Source::new("a", text)).and_then(|finding| finding.line())
    }

    #[test]
    fn only_all_three_marks_are_a_conflict() {
        assert_eq!(line("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> topic\n"), Some(2));
        assert_eq!(line("<<<<<<< HEAD\r\nb: 1\r\n||||||| base\r\n=======\r\nb: 2\r\n>>>>>>> topic"), Some(1));
        assert_eq!(line("a: |\n  <<<<<<< HEAD\n  =======\n  >>>>>>> topic\n"), None);
        assert_eq!(line("<<<<<<< HEAD\n>>>>>>> topic\n======= \n"), None);
        assert_eq!(line("title\n=======\n"), None);
    }
}
