//! [`SearchPath`]: folders that are searched one after the other.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Folders that are searched in their order, as `environmentpath` and `modulepath` name them.
///
/// Puppet separates them by colons; so does this when it is parsed and printed.
///
/// ```
/// use std::path::Path;
///
/// use hieratic::SearchPath;
///
/// let path = SearchPath::from("site:modules");
/// assert_eq!(path.folders().collect::<Vec<_>>(), [Path::new("site"), Path::new("modules")]);
/// assert_eq!(path.to_string(), "site:modules");
/// assert_eq!(path, ["site", "modules"].into_iter().collect());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    /// As they are written: a part between two colons can be empty, and then names no folder.
    parts: Vec<PathBuf>,
}

impl SearchPath {
    /// The folders, the first first.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().map(PathBuf::as_path).filter(|folder| !folder.as_os_str().is_empty())
    }

    /// Returns whether it contains no folder.
    pub fn is_empty(&self) -> bool {
        self.folders().next().is_none()
    }
}

impl From<&str> for SearchPath {
    fn from(text: &str) -> SearchPath {
        SearchPath { parts: text.split(':').map(PathBuf::from).collect() }
    }
}

impl From<String> for SearchPath {
    fn from(text: String) -> SearchPath {
        text.as_str().into()
    }
}

impl FromStr for SearchPath {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<SearchPath, Infallible> {
        Ok(text.into())
    }
}

/// A path of one folder, even if its name contains a colon.
impl From<&Path> for SearchPath {
    fn from(folder: &Path) -> SearchPath {
        folder.to_owned().into()
    }
}

impl From<PathBuf> for SearchPath {
    fn from(folder: PathBuf) -> SearchPath {
        SearchPath { parts: vec![folder] }
    }
}

impl From<Vec<PathBuf>> for SearchPath {
    fn from(parts: Vec<PathBuf>) -> SearchPath {
        SearchPath { parts }
    }
}

impl<P: Into<PathBuf>> FromIterator<P> for SearchPath {
    fn from_iter<I: IntoIterator<Item = P>>(folders: I) -> SearchPath {
        SearchPath { parts: folders.into_iter().map(Into::into).collect() }
    }
}

impl fmt::Display for SearchPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            let colon = if index == 0 { "" } else { ":" };
            write!(out, "{colon}{}", part.display())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_parsed_is_printed_as_it_was() {
        for text in ["", "a", "a:b", "/a::b:", ":"] {
            assert_eq!(SearchPath::from(text).to_string(), text);
        }
        assert_eq!(SearchPath::from("a::b:").folders().collect::<Vec<_>>(), [Path::new("a"), Path::new("b")]);
        assert!(SearchPath::from("").is_empty() && SearchPath::from("::").is_empty());
    }

    #[test]
    fn a_folder_can_have_a_colon_in_its_name() {
        let path = SearchPath::from(Path::new("/a:b"));
        assert_eq!(path.folders().collect::<Vec<_>>(), [Path::new("/a:b")]);
    }
}
