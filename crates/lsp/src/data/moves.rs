//! Copies keys to other levels ([`copy_edit`]), or moves equal values to a common level ([`hoist_edit`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::hiera::inspect::{LevelFileFormat, is_encrypted};
use hieratic::value::ErasedSort as _;
use hieratic_lint::{DataFile, LOOKUP_OPTIONS, Reader, View};
use hieratic_refactor::{FileChange, hoist, with_entry};
use lsp_server::ResponseError;
use lsp_types::{CodeAction, CodeActionKind, Url, WorkspaceEdit};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::failed;
use crate::document::{Document, Language};
use crate::edits::{Edits, workspace_edit};
use crate::paths::uri_of;
use crate::plans;
use crate::snapshot::Snapshot;
use hieratic::sandbox::SlashPath as _;

/// The maximum number of other files that are offered.
const MAX_TARGETS: usize = 8;

/// The arguments of an action, for clients that resolve its edit later.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveArguments {
    uri: Url,
    key: String,
    /// The file that gets a copy; without one, the key is hoisted.
    to: Option<PathBuf>,
}

/// A file that can get a copy of a key.
struct Target {
    path: PathBuf,
    is_new: bool,
    is_json: bool,
}

/// Returns the code actions for a key of a data file.
pub(crate) fn actions(snapshot: &Snapshot, document: &Document, key: &str) -> Vec<CodeAction> {
    let Some((view, file)) = snapshot.data_of(&document.path) else { return Vec::new() };
    if key == LOOKUP_OPTIONS || !file.entries().any(|(name, _)| name == key) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for Target { path, is_new, .. } in targets(snapshot, view, file, key) {
        let name = path.strip_prefix(view.root()).unwrap_or(&path).to_slashes();
        let subject = if is_new { ", a new file" } else { "" };
        let title = format!("Copy '{key}' to {name}{subject}");
        let arguments = MoveArguments { uri: document.uri.clone(), key: key.to_owned(), to: Some(path) };
        found.extend(offer(snapshot, document, title, arguments));
    }
    if snapshot.capabilities.resolve_edits && is_in_several(view, file, key) {
        let title = format!("Hoist '{key}' to the lowest level where no answer changes");
        found.extend(offer(
            snapshot,
            document,
            title,
            MoveArguments { uri: document.uri.clone(), key: key.to_owned(), to: None },
        ));
    }
    found
}

/// An action; with its edit if the client does not ask for it later.
fn offer(snapshot: &Snapshot, document: &Document, title: String, arguments: MoveArguments) -> Option<CodeAction> {
    let edit = match (snapshot.capabilities.resolve_edits, &arguments.to) {
        (true, _) => None,
        (false, Some(to)) => Some(copy_edit(snapshot, document, &arguments.key, to).ok()?),
        (false, None) => return None,
    };
    Some(CodeAction {
        title,
        kind: Some(CodeActionKind::REFACTOR),
        data: edit.is_none().then(|| json!(arguments)),
        edit,
        ..CodeAction::default()
    })
}

/// An action with its edit.
pub(crate) fn resolve(snapshot: &Snapshot, mut action: CodeAction) -> Result<CodeAction, ResponseError> {
    let Some(data) = action.data.clone() else { return Ok(action) };
    let arguments: MoveArguments = crate::client::from_value(data)?;
    let document = snapshot.open(&arguments.uri)?;
    action.edit = Some(match &arguments.to {
        Some(to) => copy_edit(snapshot, &document, &arguments.key, to)?,
        None => hoist_edit(snapshot, &document, &arguments.key)?,
    });
    Ok(action)
}

/// The files that can get a copy of a key: those that the chosen node reads, by their levels, then the most general ones.
fn targets(snapshot: &Snapshot, view: &View, file: &DataFile, key: &str) -> Vec<Target> {
    let module = view.module_of(file);
    let is_secret = file.entries().any(|(name, value)| name == key && is_encrypted(value));
    let may_have = |is_eyaml: bool, is_plain: bool| is_eyaml || is_plain && !is_secret;
    let fits = |other: &Arc<DataFile>| {
        let reader = other.reader();
        let reads = may_have(reader == Reader::Eyaml, matches!(reader, Reader::Yaml | Reader::Json));
        let has = other.entries().any(|(name, _)| name == key);
        other.path() != file.path() && reads && !has && view.module_of(other) == module
    };
    let mut found: Vec<Target> = Vec::new();
    for named in
        snapshot.node_for(view, Some(file)).and_then(|context| context.node.named_files().ok()).unwrap_or_default()
    {
        let is_known = snapshot.chosen.facts.is_some() || named.is_fixed;
        let reads = may_have(
            named.kind == LevelFileFormat::Eyaml,
            matches!(named.kind, LevelFileFormat::Yaml | LevelFileFormat::Json),
        );
        if !is_known || !named.is_certain || !reads || named.module.as_deref() != module {
            continue;
        }
        let is_new = match view.file(&named.path) {
            Some(other) if fits(other) => false,
            None if !named.exists && snapshot.capabilities.create_files && can_create(snapshot, view, &named.path) => {
                true
            }
            _ => continue,
        };
        if !found.iter().any(|known| known.path == named.path) {
            let is_json = named.kind == LevelFileFormat::Json;
            found.push(Target { path: named.path, is_new, is_json });
        }
    }
    // The most general files come first: every node reads them.
    let mut others: Vec<&Arc<DataFile>> = view.files().iter().filter(|other| fits(other)).collect();
    others.sort_erased_by_key(|other| (other.path().components().count(), other.path()));
    for other in others {
        if found.len() >= MAX_TARGETS {
            break;
        }
        if !found.iter().any(|known| known.path == other.path()) {
            let is_json = other.reader() == Reader::Json;
            found.push(Target { path: other.path().to_owned(), is_new: false, is_json });
        }
    }
    found.truncate(MAX_TARGETS);
    found
}

/// Returns whether a file can be created: inside the repository without crossing a link, and with a path in which no
/// fact is empty.
fn can_create(snapshot: &Snapshot, view: &View, path: &Path) -> bool {
    let Some(files) = snapshot.files_around(path) else { return false };
    let Ok(below) = path.strip_prefix(view.root()) else { return false };
    let is_plain = !path.to_string_lossy().contains("//") && below.components().all(is_plain_name);
    let mut folders = path.ancestors().skip(1).take_while(|folder| folder.starts_with(view.root()));
    let is_free = !snapshot.documents.contains_key(path) && !files.exists(path) && !files.leads_out(path);
    is_plain && is_free && !folders.any(|folder| files.leads_out(folder) || files.is_file(folder))
}

fn is_plain_name(part: std::path::Component<'_>) -> bool {
    matches!(part, std::path::Component::Normal(name) if !name.to_string_lossy().starts_with('.'))
}

/// The edit that copies a key to another file.
fn copy_edit(snapshot: &Snapshot, document: &Document, key: &str, to: &Path) -> Result<WorkspaceEdit, ResponseError> {
    let (view, file) = snapshot.data_of(&document.path).ok_or_else(|| failed("the file is not a checked data file"))?;
    // The target from the client must be one of the files that were offered.
    let target = targets(snapshot, view, file, key).into_iter().find(|target| target.path == to);
    let target = target.ok_or_else(|| failed(format!("{} cannot get '{key}' any more", to.display())))?;
    let language = if target.is_json { Language::Json } else { Language::Yaml };
    let other = if target.is_new {
        let encoding = snapshot.capabilities.encoding;
        uri_of(to).map(|uri| Arc::new(Document::new(to.to_owned(), uri, None, language, "", encoding)))
    } else {
        snapshot.document(to)
    };
    let other = other.ok_or_else(|| failed(format!("{} cannot be read", to.display())))?;
    let before = (!target.is_new).then(|| other.text.to_string());
    let refused = |reason: String| failed(format!("'{key}' cannot be written to {}: {reason}", to.display()));
    let after = with_entry(key, &document.text, before.as_deref(), target.is_json).map_err(refused)?;
    let change = FileChange { before, after };
    let edits = Edits { is_new: target.is_new, ..plans::to_edits(other, &change) };
    Ok(workspace_edit(snapshot, vec![edits]))
}

/// Returns whether several files of the environment have a key with the same value.
fn is_in_several(view: &View, file: &DataFile, key: &str) -> bool {
    if view.module_of(file).is_some() {
        return false;
    }
    let own = view.files().iter().filter(|other| view.module_of(other).is_none());
    let mut values = own.filter_map(|other| other.entries().find_map(|(name, value)| (name == key).then_some(value)));
    let first = values.next();
    let mut count = 1;
    values.all(|value| {
        count += 1;
        Some(value) == first
    }) && count > 1
}

/// The edit that moves a key to the lowest level for which it is proved that no answer changes.
fn hoist_edit(snapshot: &Snapshot, document: &Document, key: &str) -> Result<WorkspaceEdit, ResponseError> {
    let view = snapshot.view_of(&document.path).ok_or_else(|| failed("the file is not a checked data file"))?;
    let settings = plans::settings(snapshot, view)?;
    let mut reasons = None;
    for plan in hoist(&settings, key).map_err(plans::refusal_to_error)? {
        snapshot.check_cancelled()?;
        let unexpected = plans::unexpected_changes(snapshot, view, &settings, &plan, &[key])?;
        if unexpected.is_empty() {
            return Ok(workspace_edit(snapshot, plans::edits(snapshot, &plan)?));
        }
        reasons = reasons.or(Some(unexpected));
    }
    let reasons = plans::list_reasons(reasons.unwrap_or_default());
    Err(failed(format!("'{key}' was not hoisted: an answer would change\n{reasons}")))
}
