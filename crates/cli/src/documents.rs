//! Functions that `expand`, `restore` and `check` share: reading documents, and reporting errors in their directives.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::budget::{Budget, Limits};
use hieratic::directives::{Document, Failure, Options, Record, Vault};
use hieratic::documents::IncludedFiles;
use hieratic::sandbox::{Files, Mounted};
use hieratic::{Permissions, Settings};
use hieratic_diagnostics::{Diagnostic, Severity};
use hieratic_lint::rules;

use crate::access::Access;
use crate::args::{AccessArguments, PermissionArguments};
use crate::report::Reporter;
use crate::trust;
use hieratic::sandbox::SlashPath as _;

/// A document, and where its files are found.
pub(crate) struct Input {
    pub(crate) document: Document,
    pub(crate) files: IncludedFiles,
    pub(crate) permissions: Permissions,
}

/// Reads a document with directives, from the disk or from a commit, and decrypts its values if a vault is given.
pub(crate) fn read(
    path: &Path,
    access: AccessArguments,
    commit: Option<&Mounted>,
    vault: Option<Arc<dyn Vault>>,
) -> Result<Input, Failure> {
    let permissions = permissions(path, access);
    let text = text(path, &Mounted::over(commit, permissions.files_named(path)))?;
    let (name, folder) = match path.to_str() {
        Some("-") => ("standard input".to_owned(), PathBuf::from(".")),
        _ => (path.to_slashes(), folder(path)),
    };
    let document = Document::parse_with_vault(&text, &name, &folder, vault)?;
    let settings = Settings { permissions, tree: commit.cloned(), ..Settings::default() };
    let files = IncludedFiles::with_settings(&folder, &settings);
    Ok(Input { document, files, permissions })
}

/// The permissions of a document, by flags or by earlier trust.
pub(crate) fn permissions(path: &Path, access: AccessArguments) -> Permissions {
    let requested = PermissionArguments { allow_programs: false, access };
    trust::permissions(Access::for_verb("expand"), requested, Some(&folder(path)))
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The folder that a path names, or that its file is in.
pub(crate) fn around(path: &Path) -> PathBuf {
    if path.is_dir() { path.to_owned() } else { folder(path) }
}

/// Reads a file, or standard input.
pub(crate) fn text(path: &Path, files: &Files) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let name = path.display();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        files.read(path).map(|read| bytes = read)
    };
    let refused = |message: String, help: &str| {
        Failure::from(Diagnostic::new(Severity::Error, rules::UNREADABLE.code, message).help(help))
    };
    read.map_err(|error| refused(format!("{name} cannot be read: {error}"), "name a YAML or JSON file"))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refused(format!("{name} is not valid UTF-8 at byte {at}"), "save the file as UTF-8")
    })
}

/// The options for expanding: with the environment's variables if they are permitted, overridden by those of flags.
pub(crate) fn options(record: Record, vars: &[String], permissions: &Permissions, limits: Limits) -> Options {
    let set = vars.iter().map(|assignment| assignment.split_once('=').unwrap_or((assignment, "")));
    let environment = permissions.variables().and(set.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Options { environment, record, budget: Budget::new(limits), ..Options::default() }
}

/// Prints all errors, the first with the reference's prefix.
pub(crate) fn report(reporter: &Reporter, path: &Path, failure: &Failure) {
    for (index, diagnostic) in failure.diagnostics().iter().enumerate() {
        let mut diagnostic = diagnostic.clone();
        if index == 0 && diagnostic.code != rules::UNREADABLE.code {
            diagnostic.message = format!("Unable to load yaml config at {}: {}", path.display(), diagnostic.message);
        }
        reporter.diagnostic(&diagnostic);
    }
}
