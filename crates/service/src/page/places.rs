//! [`FileLinks`]: files as pages name them, and where their lines can be seen.

use std::path::{Path, PathBuf};

use hieratic::explain::Links;
use hieratic::lookup::Origin;
use maud::{Markup, html};

/// Renders names of files relative to their environment, as links if there is a forge.
pub(crate) struct FileLinks {
    root: PathBuf,
    links: Option<Links>,
}

impl FileLinks {
    /// Creates links for the files of an environment, with the template of a line's address at a forge.
    pub(crate) fn new(root: &Path, template: Option<&str>) -> FileLinks {
        // Whatever settings say, nothing but pages is linked to.
        let template = template.filter(|template| template.starts_with("https://") || template.starts_with("http://"));
        FileLinks { root: root.into(), links: template.map(|template| Links::new(template, root)) }
    }

    /// Returns the name of a file, relative to the environment.
    pub(crate) fn file(&self, file: &Path) -> String {
        let below = file.strip_prefix(&self.root).ok().filter(|below| !below.as_os_str().is_empty());
        below.unwrap_or(file).display().to_string()
    }

    pub(crate) fn links(&self) -> Option<&Links> {
        self.links.as_ref()
    }

    /// A line of a file as a link, if it can be seen somewhere.
    pub(crate) fn line(&self, file: &Path, line: Option<u32>) -> Markup {
        let name = self.file(file);
        let text = match line {
            Some(line) => format!("{name}:{line}"),
            None => name,
        };
        match self.links.as_ref().and_then(|links| links.of(file, line.unwrap_or(1))) {
            Some(address) => html! { a href=(address) rel="noreferrer" { (text) } },
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
    fn files_are_relative_and_only_web_links_are_rendered() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data/a b.yaml");
        let shown = |template| FileLinks::new(folder.path(), template).line(&file, Some(3)).into_string();
        assert_eq!(shown(None), "data/a b.yaml:3");
        assert_eq!(shown(Some("javascript:{path}")), "data/a b.yaml:3");
        let linked = shown(Some("https://forge/{path}#L{line}"));
        assert_eq!(linked, "<a href=\"https://forge/data/a%20b.yaml#L3\" rel=\"noreferrer\">data/a b.yaml:3</a>");
    }
}
