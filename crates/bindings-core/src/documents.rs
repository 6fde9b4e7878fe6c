//! [`NamedDocument`]: documents with merge directives, expanded and restored.

use std::path::{Path, PathBuf};

use hieratic::budget::Budget;
use hieratic::directives::{Document, Failure, Options, Record, RestoreOptions, expand, restore};
use hieratic::documents::IncludedFiles;
use hieratic::{Limits, Permissions, Settings, Value};

use crate::error::BindingError;

impl From<Failure> for BindingError {
    fn from(failure: Failure) -> BindingError {
        BindingError::from_diagnostics(failure.diagnostics(), None).with_message(failure.message().to_owned())
    }
}

/// A document or a job: its content, its name in messages, and the base folder of its relative paths.
#[derive(Clone, Debug)]
pub struct NamedDocument {
    /// The content.
    pub text: String,
    /// The name for messages.
    pub name: String,
    /// The folder of relative paths.
    pub folder: PathBuf,
}

/// A directive as written in a document.
#[derive(Clone, Debug)]
pub struct AppliedDirective {
    /// The path: keys and indexes.
    pub path: Vec<Value>,
    /// The key of the directive.
    pub key: String,
    /// The value of the directive.
    pub value: Value,
}

/// An expanded document.
#[derive(Clone, Debug)]
pub struct ExpandedDocument {
    /// The expanded data.
    pub value: Value,
    /// The directives in the document.
    pub applied: Vec<AppliedDirective>,
}

impl NamedDocument {
    /// Reads a document from a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn from_file(path: &Path, permissions: &Permissions, limits: &Limits) -> Result<NamedDocument, BindingError> {
        let text = read_text(path, permissions, limits)?;
        Ok(NamedDocument { text, name: path.display().to_string(), folder: folder_of(path) })
    }

    fn document(&self) -> Result<Document, BindingError> {
        Ok(Document::parse(&self.text, &self.name, &self.folder)?)
    }

    /// Expands the document. The variables are those for the names of included files.
    ///
    /// # Errors
    /// The document is invalid, cannot be expanded, or includes a file that may not be read.
    pub fn expand(
        &self,
        variables: Vec<(String, String)>,
        permissions: Permissions,
        budget: &Budget,
    ) -> Result<ExpandedDocument, BindingError> {
        let options = options(&permissions, variables, Record::Written, budget);
        let document = self.document()?;
        let expanded = expand(&document, &mut self.files(permissions, budget), &options)?;
        let applied = expanded.applied().iter();
        let applied = applied.map(|one| AppliedDirective {
            path: one.path.clone(),
            key: one.key.clone(),
            value: one.value.clone(),
        });
        Ok(ExpandedDocument { applied: applied.collect(), value: expanded.to_value() })
    }

    /// Returns only the expanded data, for evaluating an expression over it.
    ///
    /// # Errors
    /// As [`expand`](Self::expand).
    pub fn expand_plain(&self, permissions: Permissions, budget: &Budget) -> Result<Value, BindingError> {
        let options = options(&permissions, Vec::new(), Record::Nothing, budget);
        Ok(expand(&self.document()?, &mut self.files(permissions, budget), &options)?.to_value())
    }

    /// Converts changed, expanded data back to a document with directives, and returns its source.
    ///
    /// # Errors
    /// No document expands to the data.
    pub fn restore(
        &self,
        changed: &Value,
        variables: Vec<(String, String)>,
        permissions: Permissions,
        budget: &Budget,
    ) -> Result<String, BindingError> {
        let expand = options(&permissions, variables, Record::Nothing, budget);
        let options = RestoreOptions { expand, into_includes: false };
        let document = self.document()?;
        Ok(restore(&document, changed, &mut self.files(permissions, budget), &options)?.text)
    }

    /// The files that the document may include.
    fn files(&self, permissions: Permissions, budget: &Budget) -> IncludedFiles {
        let settings = Settings { permissions, limits: *budget.limits(), ..Settings::default() };
        IncludedFiles::with_settings(&self.folder, &settings)
    }
}

fn options(permissions: &Permissions, variables: Vec<(String, String)>, record: Record, budget: &Budget) -> Options {
    let environment = permissions.variables().and(variables);
    Options { environment, record, budget: budget.clone(), ..Options::default() }
}

/// Reads a file as a string.
///
/// # Errors
/// The file cannot be read, or is not UTF-8.
pub fn read_text(path: &Path, permissions: &Permissions, limits: &Limits) -> Result<String, BindingError> {
    let bytes = read_bytes(path, permissions, limits)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        BindingError::plain(format!("{} is not valid UTF-8 at byte {at}", path.display()), "save the file as UTF-8")
    })
}

/// Reads a file.
///
/// # Errors
/// The file cannot be read, or is larger than the limit.
pub fn read_bytes(path: &Path, permissions: &Permissions, limits: &Limits) -> Result<Vec<u8>, BindingError> {
    let bytes = permissions.files_named(path).with_largest(limits.file).read(path);
    bytes.map_err(|error| BindingError::unreadable(path, &error))
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
