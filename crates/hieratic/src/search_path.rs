//! [`SearchPath`]: a list of folders that are searched in order.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A list of folders that are searched in order, such as `environmentpath` and `modulepath`.
///
/// The separator is a colon, on Windows a semicolon, as in Puppet. On Windows, a colon separates as well when a path is
/// parsed, except after a drive letter, because `environment.conf` is written for the servers.
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
    /// Returns the folders, in order.
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
        SearchPath { parts: split(text, cfg!(windows)).map(PathBuf::from).collect() }
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
            let separator = match index {
                0 => "",
                _ if cfg!(windows) => ";",
                _ => ":",
            };
            write!(out, "{separator}{}", part.display())?;
        }
        Ok(())
    }
}

/// Splits a list of folders, on Windows or elsewhere.
fn split(text: &str, on_windows: bool) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let ends = text.char_indices().filter(move |(at, c)| match c {
        ';' => on_windows,
        ':' => !on_windows || !is_of_drive(text, *at),
        _ => false,
    });
    ends.map(|(at, _)| at).chain([text.len()]).map(move |end| &text[std::mem::replace(&mut start, end + 1)..end])
}

/// Returns whether the colon at this place follows the letter of a drive: `C:\` or `C:/` at the beginning of a path.
fn is_of_drive(text: &str, colon: usize) -> bool {
    let bytes = text.as_bytes();
    let Some(letter) = colon.checked_sub(1) else { return false };
    let begins = letter.checked_sub(1).is_none_or(|before| matches!(bytes[before], b':' | b';' | b'\\'));
    begins && bytes[letter].is_ascii_alphabetic() && matches!(bytes.get(colon + 1), Some(b'\\' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drives_of_windows_have_colons() {
        for (text, parts) in [
            ("", &[""] as &[&str]),
            (r"C:\a;D:\b", &[r"C:\a", r"D:\b"]),
            (r"C:\a:D:/b:modules", &[r"C:\a", "D:/b", "modules"]),
            ("site:modules;c", &["site", "modules", "c"]),
            (r"\\?\C:\a;b", &[r"\\?\C:\a", "b"]),
            ("x:modules", &["x", "modules"]),
            (":a:", &["", "a", ""]),
        ] {
            assert_eq!(split(text, true).collect::<Vec<_>>(), parts, "{text}");
        }
        assert_eq!(split(r"C:\a;b", false).collect::<Vec<_>>(), ["C", r"\a;b"]);
    }

    #[test]
    fn printing_a_parsed_source_returns_it() {
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
