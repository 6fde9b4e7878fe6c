//! Renames variables and locals of a job.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::sandbox::FileKind;
use hieratic_hcl_syntax::is_identifier;
use lsp_server::ResponseError;
use lsp_types::{PrepareRenameResponse, TextEdit, WorkspaceEdit};

use super::values::variable_files;
use super::variables::{self, JobValue, JobValueKind};
use crate::client::failed;
use crate::document::{Document, Language};
use crate::edits::{Edits, workspace_edit};
use crate::snapshot::Snapshot;

/// Returns the range of the name at an offset, and the name.
pub(crate) fn prepare_rename(document: &Document, offset: usize) -> Result<PrepareRenameResponse, ResponseError> {
    let (value, span) = declared_at(document, offset)?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder { range: document.range(span), placeholder: value.name })
}

/// Returns the edit that renames the variable or local at an offset: in the job, and in the chosen variable files.
pub(crate) fn rename(
    snapshot: &Snapshot,
    document: &Arc<Document>,
    offset: usize,
    to: &str,
) -> Result<WorkspaceEdit, ResponseError> {
    let (value, _) = declared_at(document, offset)?;
    let kind = value.kind.word();
    let refused = |reason: String| failed(format!("the {kind} '{}' was not renamed: {reason}", value.name));
    if document.hcl().problems.has_errors() {
        return Err(refused("the file has errors".to_owned()));
    }
    if !is_identifier(to) {
        return Err(refused(format!("'{to}' cannot be the name of a {kind}")));
    }
    let declared = variables::declarations(document);
    if declared.iter().any(|one| one.value.kind == value.kind && one.value.name == to) {
        return Err(refused(format!("there is a {kind} '{to}' already")));
    }
    let own = declared.iter().filter(|one| one.value == value).map(|one| one.name_span(document));
    let named = variables::references(document).into_iter().filter(|one| one.value == value).map(|one| one.name_span);
    let edits = own.chain(named).map(|span| TextEdit { range: document.range(span), new_text: to.to_owned() });
    let mut all = vec![Edits::new(document.clone(), edits.collect())];
    if !super::is_job(document) {
        let beside = in_folder(snapshot, document, &value, to).map_err(refused)?;
        if !beside.declares && !declared.iter().any(|one| one.value == value) {
            return Err(refused("no file of the folder declares it".to_owned()));
        }
        all.extend(beside.edits);
    }
    if value.kind == JobValueKind::Variable {
        all.extend(in_variable_files(snapshot, document, &value, to).map_err(refused)?);
    }
    Ok(workspace_edit(snapshot, all))
}

/// The variable or local at an offset that the document itself declares or, if it is not a job, another file of its folder.
fn declared_at(document: &Document, offset: usize) -> Result<(JobValue, hieratic_hcl_syntax::Span), ResponseError> {
    let (value, span) =
        variables::at(document, offset).ok_or_else(|| failed("only variables and locals can be renamed"))?;
    if super::is_job(document) && !variables::declarations(document).iter().any(|one| one.value == value) {
        return Err(failed(format!("the file does not declare the {} '{}'", value.kind.word(), value.name)));
    }
    Ok((value, span))
}

/// The edits of the other files in the folder of a file that is not a job: they share its variables and locals.
fn in_folder(snapshot: &Snapshot, document: &Document, value: &JobValue, to: &str) -> Result<FolderEdits, String> {
    let mut all = FolderEdits::default();
    for path in files_beside(snapshot, document) {
        let Some(file) = snapshot.document(&path).filter(|file| file.text.contains(&value.name)) else { continue };
        if file.language != Language::Hcl {
            if is_named(&file.text, value) {
                return Err(format!("{} may name it", path.display()));
            }
            continue;
        }
        // A job has its own variables.
        if super::is_job(&file) || snapshot.variables.contains(&path) {
            continue;
        }
        if file.hcl().problems.has_errors() {
            return Err(format!("{} has errors, and may name it", path.display()));
        }
        let declared = variables::declarations(&file);
        if declared.iter().any(|one| one.value.kind == value.kind && one.value.name == to) {
            return Err(format!("{} has a {} '{to}' already", path.display(), value.kind.word()));
        }
        let own = declared.iter().filter(|one| one.value == *value).map(|one| one.name_span(&file));
        let named = variables::references(&file).into_iter().filter(|one| one.value == *value).map(|one| one.name_span);
        let edits: Vec<TextEdit> =
            own.chain(named).map(|span| TextEdit { range: file.range(span), new_text: to.to_owned() }).collect();
        all.declares |= declared.iter().any(|one| one.value == *value);
        if !edits.is_empty() {
            all.edits.push(Edits::new(file.clone(), edits));
        }
    }
    Ok(all)
}

/// The edits of the other files of a folder.
#[derive(Default)]
struct FolderEdits {
    edits: Vec<Edits>,
    /// Whether one of them declares the variable or local.
    declares: bool,
}

/// Returns whether a file that is not parsed names a variable or local: `var.name`, `var "name"`.
fn is_named(text: &str, value: &JobValue) -> bool {
    let root = if value.kind == JobValueKind::Variable { "var" } else { "local" };
    [format!("{root}.{}", value.name), format!("{root} \"{}\"", value.name), format!("{root}[\"{}\"]", value.name)]
        .iter()
        .any(|written| text.contains(written))
}

/// The other files in the folder of a document.
fn files_beside(snapshot: &Snapshot, document: &Document) -> Vec<PathBuf> {
    let (Some(folder), Some(files)) = (document.path.parent(), snapshot.files_around(&document.path)) else {
        return Vec::new();
    };
    // A folder that cannot be listed has no files that the editor can show.
    let entries = files.list(folder).unwrap_or_default();
    let paths = entries.iter().filter(|entry| entry.kind == FileKind::File).map(|entry| folder.join(&entry.name));
    paths.filter(|path| *path != document.path).collect()
}

/// The edits of the variable files of a job. Another file in the folder that sets the variable may be for this job, too.
fn in_variable_files(snapshot: &Snapshot, job: &Document, value: &JobValue, to: &str) -> Result<Vec<Edits>, String> {
    let mut all = Vec::new();
    let files = variable_files(snapshot, &job.path);
    for path in &files {
        let Some(file) = snapshot.document(path) else {
            return Err(format!("the variable file {} cannot be read", path.display()));
        };
        let attributes = file.hcl().tree.attributes();
        let named = attributes.iter().filter(|one| *one.name == *value.name);
        let edits: Vec<TextEdit> =
            named.map(|one| TextEdit { range: file.range(one.name_span), new_text: to.to_owned() }).collect();
        if edits.is_empty() && file.text.contains(&value.name) {
            return Err(format!("{} may set it in a form that cannot be changed", path.display()));
        }
        if !edits.is_empty() {
            all.push(Edits::new(file, edits));
        }
    }
    if let Some(path) = unchosen_file(snapshot, job, &files, &value.name) {
        return Err(format!(
            "{} sets a variable of this name, and may be for this job: choose it as a variable file, or change it by hand",
            path.display()
        ));
    }
    Ok(all)
}

/// A file of HCL in the folder of a job that sets a variable, and that was not chosen.
fn unchosen_file(snapshot: &Snapshot, job: &Document, chosen: &[PathBuf], name: &str) -> Option<PathBuf> {
    let paths = files_beside(snapshot, job).into_iter();
    let mut others = paths.filter(|path| {
        !chosen.contains(path)
            && (Language::from_path(path, "") == Language::Hcl || path.extension().is_some_and(|end| end == "vars"))
    });
    others.find(|path| {
        let file = snapshot.document(path);
        // Other jobs declare their variables.
        file.is_some_and(|file| file.text.contains(name) && file.hcl().tree.attribute(name).is_some())
    })
}
