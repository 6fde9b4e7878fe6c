//! The alternatives of a pattern of file names (<https://github.com/bmatcuk/doublestar/tree/v1#patterns>).

use hieratic_sandbox::name_pattern::{BadPattern, Dialect, split_braces};

/// The maximum number of patterns that alternatives may expand to.
const MAX_PATTERNS: usize = 10_000;

/// Expands the alternatives of a pattern.
pub(super) fn alternatives(pattern: &str) -> Result<Vec<String>, BadPattern> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        if open.len() + done.len() > MAX_PATTERNS {
            return Err(BadPattern);
        }
        match split_braces(Dialect::Go, &pattern)? {
            None => done.push(pattern),
            Some((before, options, after)) => {
                open.extend(options.iter().rev().map(|option| format!("{before}{option}{after}")));
            }
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_nest() {
        let all = |pattern| alternatives(pattern).map(|all| all.join(" "));
        assert_eq!(all("a{b,c{d,e}}f"), Ok("abf acdf acef".into()));
        assert_eq!(all("[{]a"), Ok("[{]a".into()));
        assert_eq!(all("a{b"), Err(BadPattern));
    }
}
