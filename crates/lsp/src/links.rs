//! Links in documents: the existing files that they name.

use std::path::{Path, PathBuf};

use hieratic_diagnostics::Span;
use hieratic_lint::{Ignores, View, rules};
use lsp_types::{DocumentLink, Url};

use crate::code::define::module_file;
use crate::code::symbol_at::{CodeWords, Symbol};
use crate::document::{Document, Language};
use crate::findings::page_of;
use crate::keys::{Name, Value};
use crate::paths::uri_of;
use crate::project::{self, ProjectFile};
use crate::snapshot::Snapshot;
use crate::templates;

/// The links of a document.
pub(crate) fn links(snapshot: &Snapshot, document: &Document) -> Vec<DocumentLink> {
    let mut found: Vec<(usize, usize, PathBuf)> = Vec::new();
    let view = snapshot.view_of(&document.path);
    if document.language.is_code() {
        let words = CodeWords::new(document);
        for index in 0..words.len() {
            let Some(Symbol::File(folder, path)) = words.symbol(index) else { continue };
            let Some(file) = view.and_then(|view| module_file(view, folder, &path)) else { continue };
            let span = words.extent(index);
            found.push((span.first(), span.behind(), file));
        }
    }
    match document.language {
        Language::Yaml => found.extend(in_tree(snapshot, document)),
        Language::Jinja | Language::Erb => found.extend(templates::links(snapshot, document)),
        Language::Hcl => found.extend(in_blocks(snapshot, document)),
        _ => {}
    }
    if let Some(view) = view.filter(|view| view.file(&document.path).is_some()) {
        found.extend(module_links(view, document));
    }
    let files = found.into_iter().filter_map(|(start, end, file)| Some((Span::new(start, end), uri_of(&file)?)));
    let pages = ProjectFile::of(document).map(|kind| project::links(kind, document)).unwrap_or_default();
    let all = files.chain(pages).chain(finding_pages(document));
    all.map(|(span, target)| DocumentLink {
        range: document.range(span),
        target: Some(target),
        tooltip: None,
        data: None,
    })
    .collect()
}

/// The pages of the findings that comments accept: `# hieratic: ignore unused-key`.
fn finding_pages(document: &Document) -> Vec<(Span, Url)> {
    let mut found = Vec::new();
    if !document.text.contains("hieratic") {
        return found;
    }
    for line in 0..document.lines.count() {
        let range = document.lines.line(&document.text, line);
        let text = document.slice(range.clone());
        for code in Ignores::on(text) {
            // The code is a part of the line.
            let start = range.start + (code.as_ptr() as usize - text.as_ptr() as usize);
            let page = rules::find(code).and_then(|rule| page_of(rule.id()));
            found.extend(page.map(|page| (Span::new(start, start + code.len()), page)));
        }
    }
    found
}

/// Files that configurations and documents name.
fn in_tree(snapshot: &Snapshot, document: &Document) -> Vec<(usize, usize, PathBuf)> {
    let Some(files) = snapshot.files_around(&document.path) else { return Vec::new() };
    let folder = document.path.parent().unwrap_or(Path::new("/"));
    let is_configuration = document.path.file_name().is_some_and(|name| name == "hiera.yaml");
    let keys = document.keys();
    let all = if is_configuration { keys.nodes() } else { &[] };
    let datadir = all.iter().enumerate().find_map(|(index, node)| match (&node.value, keys.path(index).as_slice()) {
        (Value::Scalar(text, _), [first, second]) if first == "defaults" && second == "datadir" => Some(text.clone()),
        _ => None,
    });
    let mut found = Vec::new();
    for (index, node) in keys.nodes().iter().enumerate() {
        let Value::Scalar(text, _) = &node.value else { continue };
        let is_include = matches!(&node.name, Name::Key(key, _) if key.starts_with("+include") || key == "file");
        let path = if is_include {
            folder.join(text)
        } else if is_configuration && !text.contains("%{") {
            let path = keys.path(index);
            let is_path = path.first().is_some_and(|first| first == "hierarchy")
                && path.iter().any(|part| matches!(part.as_str(), "path" | "paths"));
            if !is_path {
                continue;
            }
            let own = own_datadir(document, index).or_else(|| datadir.clone()).unwrap_or_else(|| "data".to_owned());
            folder.join(own).join(text)
        } else {
            continue;
        };
        let path = hieratic::sandbox::plain(&path);
        if files.is_file(&path) {
            found.push((node.span.first(), node.span.behind(), path));
        }
    }
    found
}

/// The `datadir` of the level that a value is in.
fn own_datadir(document: &Document, index: usize) -> Option<String> {
    let keys = document.keys();
    let mut at = index;
    loop {
        let node = keys.node(at)?;
        if matches!(node.name, Name::Element(_)) && keys.path(at).len() == 2 {
            return keys.children(at).find_map(|(_, child)| match (&child.name, &child.value) {
                (Name::Key(key, _), Value::Scalar(text, _)) if key == "datadir" => Some(text.clone()),
                _ => None,
            });
        }
        at = node.parent?;
    }
}

/// Files of modules that data names: `puppet:///modules/name/file`.
fn module_links(view: &View, document: &Document) -> Vec<(usize, usize, PathBuf)> {
    const SCHEME: &str = "puppet:///modules/";
    let mut found = Vec::new();
    for (start, _) in document.text.match_indices(SCHEME) {
        let rest = &document.text[start..];
        let end =
            rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ']' | '}')).unwrap_or(rest.len());
        if let Some(file) = module_file(view, "files", &rest[SCHEME.len()..end]) {
            found.push((start, start + end, file));
        }
    }
    found
}

/// Files that functions of HCL read: `file("name")`.
fn in_blocks(snapshot: &Snapshot, document: &Document) -> Vec<(usize, usize, PathBuf)> {
    const FUNCTIONS: [&str; 9] = [
        "file",
        "filebase64",
        "filebase64sha256",
        "filebase64sha512",
        "filemd5",
        "filesha1",
        "filesha256",
        "filesha512",
        "templatefile",
    ];
    let Some(files) = snapshot.files_around(&document.path) else { return Vec::new() };
    let folder = document.path.parent().unwrap_or(Path::new("/"));
    let mut found = Vec::new();
    for (open, _) in document.text.match_indices("(\"") {
        let before = document.before(open);
        let name = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let start = open + 2;
        let end = document.text[start..].find(['"', '\n']).map_or(document.text.len(), |end| start + end);
        let written = document.slice(start..end);
        if !FUNCTIONS.contains(&name) || written.is_empty() || written.contains("${") {
            continue;
        }
        let path = hieratic::sandbox::plain(&folder.join(written));
        if files.is_file(&path) {
            found.push((start, end, path));
        }
    }
    found
}
