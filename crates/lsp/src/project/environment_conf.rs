//! `environment.conf`: the settings of an environment.

use hieratic::sandbox::FileKind;
use hieratic_diagnostics::Span;
use lsp_types::{CompletionItem, CompletionItemKind};

use super::{documented, item};
use crate::data::complete::replace;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The settings, and their documentation.
const SETTINGS: [(&str, &str); 8] = [
    (
        "modulepath",
        "The folders of modules, separated by colons, relative to the environment. `$basemodulepath` stands for the setting of the server.",
    ),
    ("manifest", "The main manifest, or a folder of manifests that are evaluated in the order of their names."),
    ("config_version", "A program that prints the version of the configuration, such as the commit."),
    ("environment_timeout", "How long the server caches the environment: `0`, `unlimited`, or a duration."),
    ("disable_per_environment_manifest", "Whether the environment must not have its own main manifest."),
    ("static_catalogs", "Whether catalogs contain the metadata of files."),
    ("rich_data", "Whether catalogs may contain values such as Sensitive and Timestamp."),
    ("environment_data_provider", "Removed: `hiera.yaml` describes where data comes from."),
];

/// The hover at an offset.
pub(super) fn hover(document: &Document, offset: usize) -> Option<(String, Span)> {
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    let name = document.slice(line.clone()).split('=').next()?.trim();
    let start = line.start + document.slice(line.clone()).find(name)?;
    let span = Span::new(start, start + name.len());
    let docs = documented(&SETTINGS, name).filter(|_| span.touches(offset))?;
    Some((format!("**{name}**\n\n{docs}"), span))
}

/// The completions at an offset.
pub(super) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CompletionItem> {
    let before = document.before(offset);
    if before.trim_start().starts_with('#') {
        return Vec::new();
    }
    let Some((name, value)) = before.split_once('=') else {
        let typed = before.trim_start();
        let given: Vec<&str> =
            document.text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name.trim()).collect();
        let missing = SETTINGS.iter().filter(|(name, _)| name.starts_with(typed) && !given.contains(name));
        let proposed = missing.filter(|(name, _)| *name != "environment_data_provider");
        return proposed.map(|(name, docs)| setting(document, offset, typed, name, docs)).collect();
    };
    let typed = value.rsplit([':', ';']).next().unwrap_or_default().trim_start();
    let values: Vec<(String, &str)> = match name.trim() {
        "modulepath" => {
            let base = ("$basemodulepath".to_owned(), "the modules of the server");
            folders(snapshot, document).map(|name| (name, "folder")).chain([base]).collect()
        }
        "manifest" => ["manifests", "manifests/site.pp"].map(|name| (name.to_owned(), "main manifest")).to_vec(),
        "environment_timeout" => ["0", "unlimited", "3m"].map(|value| (value.to_owned(), "duration")).to_vec(),
        "disable_per_environment_manifest" | "static_catalogs" | "rich_data" => {
            ["true", "false"].map(|value| (value.to_owned(), "boolean")).to_vec()
        }
        _ => Vec::new(),
    };
    let fits = values.into_iter().filter(|(value, _)| value.starts_with(typed) && !value_is_given(value, document));
    let items = fits.map(|(value, detail)| {
        let kind = if detail == "folder" { CompletionItemKind::FOLDER } else { CompletionItemKind::VALUE };
        let mut item = CompletionItem { detail: Some(detail.to_owned()), ..item(&value, kind, "") };
        replace(document, offset, typed, &mut item);
        item
    });
    items.collect()
}

fn setting(document: &Document, offset: usize, typed: &str, name: &str, docs: &str) -> CompletionItem {
    let mut item =
        CompletionItem { insert_text: Some(format!("{name} = ")), ..item(name, CompletionItemKind::PROPERTY, docs) };
    replace(document, offset, typed, &mut item);
    item
}

/// Returns whether a folder is in the path of modules already.
fn value_is_given(value: &str, document: &Document) -> bool {
    let paths =
        document.text.lines().filter_map(|line| line.split_once('=')).filter(|(name, _)| name.trim() == "modulepath");
    paths.flat_map(|(_, value)| value.split([':', ';'])).any(|folder| folder.trim() == value)
}

/// The folders beside the file that may have modules.
fn folders(snapshot: &Snapshot, document: &Document) -> impl Iterator<Item = String> {
    let files = snapshot.files_around(&document.path);
    let folder = document.path.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
    // A folder that cannot be listed has nothing to propose.
    let entries = files.and_then(|files| files.list(&folder).ok()).unwrap_or_default();
    let is_proposed = |name: &str| {
        !name.starts_with('.') && !matches!(name, "data" | "hieradata" | "manifests" | "scripts" | "spec" | "facts")
    };
    let folders = entries.into_iter().filter(move |entry| entry.kind == FileKind::Folder && is_proposed(&entry.name));
    folders.map(|entry| entry.name.clone())
}
