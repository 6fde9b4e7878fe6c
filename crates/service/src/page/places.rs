//! [`FileLinks`]: the display names of files, and links to their lines.

use std::path::{Path, PathBuf};

use hieratic::explain::Links;
use hieratic::lookup::Origin;
use maud::{Markup, html};

use super::link;

/// Renders names of files relative to their environment, as links to the page of the file.
pub(crate) struct FileLinks {
    root: PathBuf,
    /// The environment and the node in the address of the page of a file. Without an environment, there are no links.
    environment: String,
    node: String,
    links: Option<Links>,
}

impl FileLinks {
    /// Creates names of files of an environment, which link nowhere.
    pub(crate) fn new(root: &Path) -> FileLinks {
        FileLinks { root: root.into(), environment: String::new(), node: String::new(), links: None }
    }

    /// Links to the pages of files, for a node if its name is not empty.
    pub(crate) fn with_pages(self, environment: &str, node: &str) -> FileLinks {
        FileLinks { environment: environment.into(), node: node.into(), ..self }
    }

    /// Adds the template of a line's address at a forge. Only web pages are linked, regardless of the settings.
    pub(crate) fn with_forge(self, template: Option<&str>) -> FileLinks {
        let template = template.filter(|template| template.starts_with("https://") || template.starts_with("http://"));
        let links = template.map(|template| Links::new(template, &self.root));
        FileLinks { links, ..self }
    }

    /// Returns the name of a file, relative to the environment.
    pub(crate) fn file(&self, file: &Path) -> String {
        let below = file.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        below.unwrap_or(file).display().to_string()
    }

    /// Returns the address of a line at the forge.
    pub(crate) fn at_forge(&self, file: &Path, line: u32) -> Option<String> {
        self.links.as_ref().and_then(|links| links.of(file, line))
    }

    /// Returns the address of the page of a file; `None` if it is not a file.
    pub(crate) fn address(&self, file: &Path, line: Option<u32>) -> Option<String> {
        if self.environment.is_empty() || !file.is_absolute() {
            return None;
        }
        let name = self.file(file);
        let mut pairs = vec![("environment", self.environment.as_str()), ("path", name.as_str())];
        if !self.node.is_empty() {
            pairs.push(("node", &self.node));
        }
        let address = link("/file", &pairs);
        Some(match line {
            Some(line) => format!("{address}#L{line}"),
            None => address,
        })
    }

    /// A line of a file as a link, if it has a page.
    pub(crate) fn line(&self, file: &Path, line: Option<u32>) -> Markup {
        let name = self.file(file);
        let text = match line {
            Some(line) => format!("{name}:{line}"),
            None => name,
        };
        match self.address(file, line) {
            Some(address) => html! { a.place href=(address) { (text) } },
            None => html! { (text) },
        }
    }

    /// Renders an origin.
    pub(crate) fn origin(&self, origin: &Origin) -> Markup {
        match origin {
            Origin::File { file, line, .. } => self.line(file, Some(*line)),
            other => html! { (other.to_string()) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_relative_and_lead_to_their_page() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data/a b.yaml");
        let links = FileLinks::new(folder.path());
        assert_eq!(links.line(&file, Some(3)).into_string(), "data/a b.yaml:3");
        let links = links.with_pages("production", "n");
        assert_eq!(
            links.line(&file, Some(3)).into_string(),
            "<a class=\"place\" href=\"/file?environment=production&amp;path=data%2Fa%20b.yaml&amp;node=n#L3\">data/a b.yaml:3</a>"
        );
        // An address that is not a file has no page.
        assert_eq!(links.line(Path::new("https://a/b"), None).into_string(), "https://a/b");
    }

    #[test]
    fn only_web_pages_are_forges() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data/a b.yaml");
        let at = |template| FileLinks::new(folder.path()).with_forge(template).at_forge(&file, 3);
        assert_eq!(at(None), None);
        assert_eq!(at(Some("javascript:{path}")), None);
        assert_eq!(at(Some("https://forge/{path}#L{line}")).as_deref(), Some("https://forge/data/a%20b.yaml#L3"));
    }
}
