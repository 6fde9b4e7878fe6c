//! Files that describe a control repository and its modules: `Puppetfile`, `metadata.json`, `environment.conf`.

mod environment_conf;
mod metadata;
mod modules;
mod puppetfile;

use std::path::Path;

use hieratic_diagnostics::Span;
use lsp_types::{CompletionItem, CompletionItemKind, Documentation, Url};

use crate::document::Document;
use crate::snapshot::Snapshot;

/// A file that describes a control repository or a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProjectFile {
    Puppetfile,
    Metadata,
    EnvironmentConf,
}

impl ProjectFile {
    /// The kind of a file by its name. A `metadata.json` is that of a module only if it has the keys of one, or is empty.
    pub(crate) fn of(document: &Document) -> Option<ProjectFile> {
        match document.path.file_name()?.to_str()? {
            "Puppetfile" => Some(ProjectFile::Puppetfile),
            "environment.conf" => Some(ProjectFile::EnvironmentConf),
            "metadata.json" if is_in_module(&document.path) || document.text.contains("version_requirement") => {
                Some(ProjectFile::Metadata)
            }
            _ => None,
        }
    }
}

/// Returns whether a file is not in a folder of data or of files.
fn is_in_module(path: &Path) -> bool {
    !path.iter().any(|part| matches!(part.to_str(), Some("data" | "hieradata" | "files" | "fixtures")))
}

/// The hover at an offset, and its span.
pub(crate) fn hover(
    kind: ProjectFile,
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
) -> Option<(String, Span)> {
    match kind {
        ProjectFile::Puppetfile => puppetfile::hover(snapshot, document, offset),
        ProjectFile::Metadata => metadata::hover(snapshot, document, offset),
        ProjectFile::EnvironmentConf => environment_conf::hover(document, offset),
    }
}

/// The completions at an offset.
pub(crate) fn complete(
    kind: ProjectFile,
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
) -> Vec<CompletionItem> {
    match kind {
        ProjectFile::Puppetfile => puppetfile::complete(snapshot, document, offset),
        ProjectFile::Metadata => metadata::complete(snapshot, document, offset),
        ProjectFile::EnvironmentConf => environment_conf::complete(snapshot, document, offset),
    }
}

/// The links of a file: modules on the Forge, and addresses of repositories.
pub(crate) fn links(kind: ProjectFile, document: &Document) -> Vec<(Span, Url)> {
    match kind {
        ProjectFile::Puppetfile => puppetfile::links(document),
        ProjectFile::Metadata => metadata::links(document),
        ProjectFile::EnvironmentConf => Vec::new(),
    }
}

/// The page of a module on the Forge, by its full name with a slash or a dash.
fn forge_page(name: &str) -> Option<Url> {
    let (author, module) = name.split_once(['/', '-'])?;
    let is_word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_word(author) && is_word(module))
        .then(|| Url::parse(&format!("https://forge.puppet.com/modules/{author}/{module}")).ok())?
}

fn item(label: &str, kind: CompletionItemKind, docs: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        documentation: (!docs.is_empty()).then(|| Documentation::String(docs.to_owned())),
        ..CompletionItem::default()
    }
}

/// The documentation of a name in a table.
fn documented(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, docs)| *docs)
}
