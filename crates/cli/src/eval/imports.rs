//! The imports of the service template of an ensemble, and its inputs from flags.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::directives::{Document, Failure, File, Files, Options, ReadFault, Vault, codes, expand};
use hieratic::documents::IncludedFiles;
use hieratic::unfurl::{NodeTypes, TypesFile};
use hieratic::value::collections::HashMap;
use hieratic::{Hash, Value};
use hieratic_diagnostics::{Diagnostic, Severity, nearest};

/// The limit of files that a service template imports.
const MOST_FILES: usize = 1000;

/// The limit of files that import each other.
const MOST_LEVELS: usize = 100;

/// The types of nodes that the service template of an ensemble defines and imports. Those of Unfurl itself are unknown
/// unless the project says where it is installed.
pub(super) fn node_types(
    document: &Value,
    folder: &Path,
    files: &mut IncludedFiles,
    options: &Options,
    vault: Option<Arc<dyn Vault>>,
) -> Result<NodeTypes, Failure> {
    let service = ["service_template", "tosca"].into_iter().find_map(|key| document.at_path(&["spec", key]));
    let Some(service) = service else { return Ok(NodeTypes::default()) };
    let repositories = map(service, "repositories");
    let mut importer = Importer {
        types: NodeTypes::default(),
        repositories,
        files,
        options,
        vault,
        known: HashMap::default(),
        depth: 0,
    };
    importer.read_types(NodeTypes::DOCUMENT, service, folder)?;
    Ok(importer.types)
}

/// Reads the files that a service template imports, and what these import.
struct Importer<'a> {
    types: NodeTypes,
    /// The repositories that the service template declares.
    repositories: Hash,
    files: &'a mut IncludedFiles,
    options: &'a Options,
    vault: Option<Arc<dyn Vault>>,
    /// The files that were read, or are being read, with the parts of them.
    known: HashMap<(String, Vec<String>), TypesFile>,
    depth: usize,
}

/// The file that an import names.
struct ImportedFile {
    file: File,
    /// The folder that the imports of the file start from.
    folder: PathBuf,
    /// The keys that lead to the part that is imported; none for the whole file.
    part: Vec<String>,
}

impl Importer<'_> {
    /// Reads the imports of a service template, and then its own types, which replace those of the same name.
    fn read_types(&mut self, into: TypesFile, service: &Value, folder: &Path) -> Result<(), Failure> {
        let imports = service.at_path(&["imports"]).and_then(Value::as_array).unwrap_or_default();
        for import in imports {
            let Some(from) = self.import(import, folder)? else { continue };
            let prefix = import.at_path(&["namespace_prefix"]).and_then(Value::as_str);
            let added = self.types.import(into, from, prefix, &self.options.budget);
            added.map_err(|exhausted| refused(exhausted.to_string(), exhausted.help()))?;
        }
        for kind in ["data_types", "node_types"] {
            self.types.define(into, &map(service, kind));
        }
        Ok(())
    }

    /// Reads an imported file, which may be read already; `None` if it cannot be seen.
    fn import(&mut self, import: &Value, folder: &Path) -> Result<Option<TypesFile>, Failure> {
        let Some(ImportedFile { file, folder, part }) = self.file(import, folder)? else { return Ok(None) };
        let key = (file.identity.clone(), part.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        if self.known.len() >= MOST_FILES || self.depth >= MOST_LEVELS {
            let message = format!(
                "the service template imports more than {MOST_FILES} files, or files more than {MOST_LEVELS} levels deep"
            );
            return Err(refused(message, None));
        }
        let id = self.types.add_file();
        self.known.insert(key, id);
        let imported = Document::parse_with_vault(&file.text, &file.name, &folder, self.vault.clone())?;
        let imported = expand(&imported, self.files, self.options)?.to_value();
        let keys: Vec<&str> = part.iter().map(String::as_str).collect();
        let Some(imported) = imported.at_path(&keys) else {
            let message = format!("the import names a part that '{}' does not have: #/{}", file.name, part.join("/"));
            return Err(refused(message, Some("name keys of the file, with / between them".to_owned())));
        };
        self.depth += 1;
        self.read_types(id, imported, &folder)?;
        self.depth -= 1;
        Ok(Some(id))
    }

    /// Reads the text of an import; `None` for Python, and for Unfurl's own files if it is not known where they are.
    fn file(&mut self, import: &Value, folder: &Path) -> Result<Option<ImportedFile>, Failure> {
        let name = match import {
            Value::String(name) => Some(&**name),
            // The old form is {NAME: FILE}.
            Value::Hash(hash) if hash.len() == 1 && !hash.contains("file") && !hash.contains("repository") => {
                hash.iter().next().and_then(|(_, it)| it.as_str())
            }
            subject => subject.at_path(&["file"]).and_then(Value::as_str),
        };
        let Some(name) = name else {
            let message = format!("an import names no file: {}", import.inspect());
            return Err(refused(message, Some("write `imports: [FILE]` or `imports: [{file: FILE}]`".to_owned())));
        };
        let (name, part) = name.split_once('#').unwrap_or((name, ""));
        if name.ends_with(".py") {
            self.types.leave_unread(&format!("'{name}', which is Python and not run"));
            return Ok(None);
        }
        let to_error = |error: ReadFault| refused(format!("cannot import '{name}': {}", error.message), error.help);
        let folder = match import.at_path(&["repository"]).and_then(Value::as_str) {
            Some(repository) => {
                let address = self.repositories.get(repository).and_then(|it| it.at_path(&["url"]));
                let address = address.and_then(Value::as_str);
                if repository == "unfurl" && address.is_none() && !self.files.declares(repository).map_err(to_error)? {
                    self.types.leave_unread(&format!(
                        "'{name}' of the repository 'unfurl': declare that in unfurl.yaml with the folder of the installed \
                         package, and pass --allow-outside"
                    ));
                    return Ok(None);
                }
                self.files.repository(repository, address, folder).map_err(to_error)?
            }
            None => folder.to_owned(),
        };
        let file = self.files.read(name, &folder).map_err(to_error)?;
        let folder = file.folder.clone().unwrap_or(folder);
        let part = part.split('/').filter(|key| !key.is_empty()).map(str::to_owned).collect();
        Ok(Some(ImportedFile { file, folder, part }))
    }
}

/// The document with inputs: those of an ensemble under `spec`, those of other trees among the attributes of the root.
pub(super) fn with_inputs(document: Value, given: &[(String, Value)]) -> Value {
    if given.is_empty() {
        return document;
    }
    let add = |parent: Hash| {
        let inputs = given.iter().fold(map(&parent.clone().into(), "inputs"), |inputs, (name, value)| {
            with(&inputs, name.as_str().into(), value.clone())
        });
        with(&parent, "inputs".into(), inputs.into())
    };
    let all = document.as_hash().cloned().unwrap_or_default();
    let is_ensemble =
        all.get("apiVersion").and_then(Value::as_str).is_some_and(|version| version.starts_with("unfurl/"));
    let parent = if is_ensemble { "spec" } else { "attributes" };
    match all.get(parent).and_then(Value::as_hash) {
        Some(inner) => with(&all, parent.into(), add(inner.clone()).into()).into(),
        None => add(all).into(),
    }
}

/// Warnings of inputs that an ensemble does not declare, if it declares some.
pub(super) fn undeclared_inputs(document: &Value, given: &[(String, Value)]) -> Vec<Diagnostic> {
    let declared = ["service_template", "tosca"]
        .into_iter()
        .find_map(|key| document.at_path(&["spec", key, "topology_template", "inputs"])?.as_hash());
    let Some(declared) = declared.filter(|declared| !declared.is_empty()) else { return Vec::new() };
    let own = document.at_path(&["spec", "inputs"]).and_then(Value::as_hash);
    let known: Vec<&str> =
        declared.keys().chain(own.into_iter().flat_map(Hash::keys)).filter_map(Value::as_str).collect();
    let unknown = given.iter().filter(|(name, _)| !known.contains(&name.as_str()));
    let warning = |name: &str| {
        let warning =
            Diagnostic::new(Severity::Warning, crate::codes::USAGE, format!("the ensemble declares no input '{name}'"));
        match nearest(name, known.iter().copied()) {
            Some(near) => warning.help(format!("did you mean '{near}'?")),
            None => warning.help(format!("its inputs are {}", known.join(", "))),
        }
    };
    unknown.map(|(name, _)| warning(name)).collect()
}

/// The map under a key of a value; empty if there is none.
fn map(value: &Value, key: &str) -> Hash {
    value.at_path(&[key]).and_then(Value::as_hash).cloned().unwrap_or_default()
}

fn with(hash: &Hash, key: Value, value: Value) -> Hash {
    hash.iter().map(|(key, value)| (key.clone(), value.clone())).chain([(key, value)]).collect()
}

fn refused(message: String, help: Option<String>) -> Failure {
    let diagnostic = Diagnostic::new(Severity::Error, codes::INCLUDE_FAILED, message);
    Failure::from(help.into_iter().fold(diagnostic, Diagnostic::help))
}
