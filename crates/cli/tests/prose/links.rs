//! Every link between our pages leads to a file that is there, and to a heading that it has. The network is not asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::pages::{self, Page};

/// The targets of a page's links, with the lines that they stand in.
fn targets(page: &Page) -> Vec<(usize, String)> {
    let mut targets = Vec::new();
    for (number, line) in page.lines() {
        let spans: Vec<&str> = line.split('`').collect();
        // Outside of code; an odd number of backquotes means that the line is not split by them.
        let prose =
            if spans.len() % 2 == 1 { spans.into_iter().step_by(2).collect::<Vec<_>>().join("`") } else { line.into() };
        for (at, _) in prose.match_indices("](") {
            let rest = &prose[at + 2..];
            let end =
                rest.find(')').unwrap_or_else(|| panic!("{}:{number}: a link is not closed", page.path.display()));
            targets.push((number, rest[..end].split(' ').next().unwrap().to_owned()));
        }
        if line.starts_with('[')
            && let Some((_, target)) = line.split_once("]: ")
        {
            targets.push((number, target.trim().to_owned()));
        }
    }
    targets
}

/// The anchors that GitHub and mdBook make of headings.
fn anchors(page: &Page) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in page.lines() {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
        let count = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

/// A path without `.` and `..`; none if it leads out of the project.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => drop(plain.pop().then_some(())?),
            _ => {}
        }
    }
    Some(plain)
}

fn all_pages() -> Vec<Page> {
    let mut pages = pages::at_the_root();
    for folder in ["docs", "conformance", "examples", "fuzz", "benches", ".github"] {
        pages.extend(pages::below(Path::new(folder)));
    }
    pages
}

#[test]
fn every_link_leads_somewhere() {
    let (root, pages) = (pages::root(), all_pages());
    let anchors: BTreeMap<&Path, BTreeSet<String>> =
        pages.iter().map(|page| (page.path.as_path(), anchors(page))).collect();
    let (mut broken, mut count) = (Vec::new(), 0);
    for page in &pages {
        for (number, target) in targets(page) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (file, anchor) =
                target.split_once('#').map_or((target.as_str(), None), |(file, anchor)| (file, Some(anchor)));
            let path = match file {
                "" => Some(page.path.clone()),
                file => plain(&page.path.parent().unwrap().join(file)),
            };
            let there = path.as_deref().is_some_and(|path| root.join(path).exists());
            let known = |anchor: &str| {
                path.as_deref().and_then(|path| anchors.get(path)).is_some_and(|all| all.contains(anchor))
            };
            if !there || anchor.is_some_and(|anchor| !known(anchor)) {
                broken.push(format!("{}:{number}: {target}", page.path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{} of {count} links:\n{}", broken.len(), broken.join("\n"));
    assert!(count > 150, "{count} links");
}

#[test]
fn links_and_headings_are_found() {
    let page = Page {
        path: "page.md".into(),
        text: "# A `b` c.d: e\n## Twice\n## Twice\n[x](a.md#b) `[y](none)` [z](c.md \"title\")\n\n[r]: d.md\n".into(),
    };
    let found: Vec<String> = targets(&page).into_iter().map(|(_, target)| target).collect();
    assert_eq!(found, ["a.md#b", "c.md", "d.md"]);
    let expected = ["a-b-cd-e", "twice", "twice-1"].map(String::from);
    assert_eq!(anchors(&page), expected.into_iter().collect());
}
