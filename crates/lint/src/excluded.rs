//! [`Excluded`]: the patterns of files that the settings or a flag exclude.
//!
//! Patterns have the syntax of `.gitignore`, relative to the folder of the settings: see
//! <https://git-scm.com/docs/gitignore#_pattern_format>.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::finding::Finding;
use crate::rules::unreadable;

/// Files that patterns name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Excluded(Vec<Gitignore>);

impl Excluded {
    /// Compiles patterns, each relative to a folder; returns findings for invalid patterns.
    pub(crate) fn new(patterns: &[(PathBuf, String)]) -> (Excluded, Vec<Finding>) {
        let mut faults = Vec::new();
        let mut excluded = Vec::new();
        for (folder, pattern) in patterns {
            let mut builder = GitignoreBuilder::new(folder);
            let added = builder.add_line(None, pattern).map(|builder| builder.build());
            match added {
                Ok(Ok(rules)) if rules.num_ignores() + rules.num_whitelists() > 0 => excluded.push(rules),
                // The library takes a pattern that it cannot read for one that names nothing.
                Ok(Ok(_)) => faults.push(unreadable::pattern(pattern, "it names nothing")),
                Ok(Err(error)) | Err(error) => faults.push(unreadable::pattern(pattern, &error.to_string())),
            }
        }
        (Excluded(excluded), faults)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a pattern excludes a file or a folder around it.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let has = |rules: &Gitignore| {
            path.starts_with(rules.path()) && rules.matched_path_or_any_parents(path, false).is_ignore()
        };
        self.0.iter().any(has)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_git() {
        let patterns = ["vendor/", "*.bak.yaml", "/data/old"].map(|text| (PathBuf::from("/r"), text.to_owned()));
        let (excluded, faults) = Excluded::new(&patterns);
        assert!(faults.is_empty());
        for path in ["/r/a/vendor/x.pp", "/r/vendor/x.pp", "/r/data/a.bak.yaml", "/r/data/old/x.yaml"] {
            assert!(excluded.has(Path::new(path)), "{path}");
        }
        for path in ["/r/a/data/old/x.yaml", "/vendor/x.pp", "/r/vendors/x.pp"] {
            assert!(!excluded.has(Path::new(path)), "{path}");
        }
        let (_, faults) = Excluded::new(&[(PathBuf::from("/r"), "a{b".to_owned())]);
        assert_eq!(faults.len(), 1);
    }
}
