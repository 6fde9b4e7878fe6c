//! The pages that the project writes, and their lines without code.

use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A page, by its path below the root.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

impl Page {
    fn read(root: &Path, path: &Path) -> Page {
        Page { path: path.strip_prefix(root).unwrap().to_owned(), text: fs::read_to_string(path).unwrap() }
    }

    /// The lines outside of code blocks, with their numbers from 1.
    pub fn lines(&self) -> Vec<(usize, &str)> {
        let mut fence: Option<&str> = None;
        let mut lines = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            let start = line.trim_start();
            let marker = ["```", "~~~"].into_iter().find(|marker| start.starts_with(marker));
            match (fence, marker) {
                (None, Some(marker)) => fence = Some(marker),
                (Some(open), Some(marker)) if open == marker => fence = None,
                (None, None) if !line.starts_with("    ") => lines.push((index + 1, line)),
                _ => {}
            }
        }
        assert!(fence.is_none(), "{}: a code block is not closed", self.path.display());
        lines
    }
}

/// Every Markdown page below a folder.
pub fn below(folder: &Path) -> Vec<Page> {
    let (root, mut folders, mut pages) = (root(), vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(Page::read(&root, &path));
            }
        }
    }
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    pages
}

/// The pages at the root of the project.
pub fn at_the_root() -> Vec<Page> {
    let root = root();
    let names = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<Page> = names
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| Page::read(&root, &path))
        .collect();
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    pages
}

/// A line in which code in backquotes is a single mark, and links have lost their targets.
pub fn without_code(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['`', ']', '<']) {
        let (before, here) = rest.split_at(at);
        text.push_str(before);
        let ticks = here.len() - here.trim_start_matches('`').len();
        let end = match here.as_bytes()[0] {
            b'`' => here[ticks..].find(&here[..ticks]).map(|end| ticks + end + ticks),
            b']' if here.starts_with("](") => here.find(')').map(|end| end + 1),
            b'<' if here.starts_with("<http") => here.find('>').map(|end| end + 1),
            _ => None,
        };
        if ticks > 0 && end.is_some() {
            text.push('\u{2026}');
        }
        rest = match end {
            Some(end) => &here[end..],
            None => {
                let first = here.chars().next().map_or(0, char::len_utf8);
                text.push_str(&here[..first]);
                &here[first..]
            }
        };
    }
    text + rest
}
