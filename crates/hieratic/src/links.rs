//! Links to lines of files on a forge.

use std::path::{Path, PathBuf};

/// The template of links to lines in a repository's files, with `{path}` and `{line}` in it.
#[derive(Clone, Debug)]
pub struct Links {
    template: String,
    root: PathBuf,
}

impl Links {
    /// Creates links to files of the repository around a folder, or of the folder itself outside of a repository.
    pub fn new(template: &str, folder: &Path) -> Links {
        let root = crate::control_repo::repository_of(folder).unwrap_or_else(|| folder.to_owned());
        Links { template: template.to_owned(), root }
    }

    /// Returns the address of a line, or `None` if the file is not in the repository.
    pub fn of(&self, file: &Path, line: u32) -> Option<String> {
        let path = file.strip_prefix(&self.root).ok()?.to_str()?;
        Some(self.template.replace("{path}", &encoded(path)).replace("{line}", &line.to_string()))
    }
}

/// Percent-encodes a path for a URL.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_line_of_the_repository() {
        let links = Links { template: "https://forge/blob/{path}#L{line}".into(), root: "/srv/control".into() };
        let of = |file: &str| links.of(Path::new(file), 7);
        assert_eq!(of("/srv/control/data/a b.yaml").as_deref(), Some("https://forge/blob/data/a%20b.yaml#L7"));
        assert_eq!(of("/etc/hiera.yaml"), None);
    }
}
