//! Recognizes documents with merge directives, as Unfurl reads them.

use std::sync::LazyLock;

use regex::Regex;

/// A key that is a directive or an include with its letters mixed up, or what Unfurl's documents begin with.
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // A constant, which a test compiles.
    Regex::new(
        r#"(?m)(^|[{,-])\s*["']?\+(/|\./|\.\./|include|[include]{5,9}["'_:-]|\*|%|\?)|^apiVersion:\s*["']?unfurl/"#,
    )
    .ok()
});

/// Returns whether a document probably has directives.
pub fn has_directives(text: &str) -> bool {
    (text.contains('+') || text.contains("unfurl/")) && MARKS.as_ref().is_some_and(|marks| marks.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_plus_signs_are_not_directives() {
        for text in [
            "a:\n  +/b:\n",
            "a: {+/b: }\n",
            "+include: x.yaml\n",
            "apiVersion: unfurl/v1\n",
            "  +*base: x\n",
            "a: {+inlcude: b.yaml}\n",
        ] {
            assert!(has_directives(text), "{text}");
        }
        for text in ["a: 1+1\n", "phone: '+49'\n", "a: b+/c\n", "+HOME: x\n", "a: {+inc: 1}\n"] {
            assert!(!has_directives(text), "{text}");
        }
    }
}
