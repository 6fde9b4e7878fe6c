//! Other names for variables and locals of a job.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::sandbox::FileKind;
use hieratic_hcl_syntax::is_identifier;
use lsp_server::ResponseError;
use lsp_types::{PrepareRenameResponse, TextEdit, WorkspaceEdit};

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
    if value.kind == JobValueKind::Variable {
        all.extend(in_variable_files(snapshot, document, &value, to).map_err(refused)?);
    }
    Ok(workspace_edit(snapshot, all))
}

/// The variable or local at an offset that the document itself declares.
fn declared_at(document: &Document, offset: usize) -> Result<(JobValue, hieratic_hcl_syntax::Span), ResponseError> {
    let (value, span) =
        variables::at(document, offset).ok_or_else(|| failed("only variables and locals of a job can be renamed"))?;
    if !variables::declarations(document).iter().any(|one| one.value == value) {
        return Err(failed(format!("the file does not declare the {} '{}'", value.kind.word(), value.name)));
    }
    Ok((value, span))
}

/// The edits of the chosen variable files. Another file in the folder that sets the variable may be for this job, too.
fn in_variable_files(snapshot: &Snapshot, job: &Document, value: &JobValue, to: &str) -> Result<Vec<Edits>, String> {
    let mut all = Vec::new();
    for path in snapshot.variables.iter() {
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
    if let Some(path) = unchosen_file(snapshot, job, &value.name) {
        return Err(format!(
            "{} sets a variable of this name, and may be for this job: choose it as a variable file, or change it by hand",
            path.display()
        ));
    }
    Ok(all)
}

/// A file of HCL in the folder of a job that sets a variable, and that was not chosen.
fn unchosen_file(snapshot: &Snapshot, job: &Document, name: &str) -> Option<PathBuf> {
    let folder = job.path.parent()?;
    let files = snapshot.files_around(&job.path)?;
    // A folder that cannot be listed has no files that the editor can show.
    let entries = files.list(folder).unwrap_or_default();
    let paths = entries.iter().filter(|entry| entry.kind == FileKind::File).map(|entry| folder.join(&entry.name));
    let mut others = paths.filter(|path| {
        *path != job.path
            && !snapshot.variables.contains(path)
            && (Language::from_path(path, "") == Language::Hcl || path.extension().is_some_and(|end| end == "vars"))
    });
    others.find(|path| {
        let file = snapshot.document(path);
        // Other jobs declare their variables.
        file.is_some_and(|file| file.text.contains(name) && file.hcl().tree.attribute(name).is_some())
    })
}
