//! The imports of the service template of an ensemble, and the inputs that flags give it.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::directives::{Document, Failure, File, Files, Options, ReadFault, Vault, codes, expand};
use hieratic::documents::IncludedFiles;
use hieratic::value::collections::HashSet;
use hieratic::{Hash, Value};
use hieratic_diagnostics::{Diagnostic, Severity};

/// The limit of files that a service template imports.
const MOST_FILES: usize = 1000;

/// An import that has not been read.
struct Import {
    /// The file, or a map with `file` and `repository`.
    what: Value,
    /// The folder of the file that imports it.
    folder: PathBuf,
}

/// The file that an import names.
struct ImportedFile {
    file: File,
    /// The folder that the imports of the file start from.
    folder: PathBuf,
    /// The keys that lead to the part that is imported; none for the whole file.
    part: Vec<String>,
}

/// An ensemble with the types of the files that its service template imports. Those of Unfurl itself are not here.
pub(super) fn with_imports(
    document: Value,
    folder: &Path,
    files: &mut IncludedFiles,
    options: &Options,
    vault: Option<Arc<dyn Vault>>,
) -> Result<Value, Failure> {
    let service =
        ["service_template", "tosca"].into_iter().find_map(|key| Some((key, document.at_path(&["spec", key])?)));
    let Some((key, service)) = service else { return Ok(document) };
    let repositories = map(service, "repositories");
    // The document's own types count, then those of the files that are imported first.
    let mut types: Vec<(Value, Value)> = Vec::new();
    let mut known: HashSet<String> = HashSet::default();
    let mut add = |name: Value, definition: Value| {
        if known.insert(name.to_text()) {
            types.push((name, definition));
        }
    };
    for (name, definition) in map(service, "node_types").iter() {
        add(name.clone(), definition.clone());
    }
    let mut open: VecDeque<Import> = imports(service, folder).collect();
    let mut seen: HashSet<(String, Vec<String>)> = HashSet::default();
    while let Some(import) = open.pop_front() {
        let Some(ImportedFile { file, folder, part }) = read(&import, &repositories, files)? else { continue };
        if !seen.insert((file.identity.clone(), part.clone())) {
            continue;
        }
        if seen.len() > MOST_FILES {
            return Err(refused(format!("the service template imports more than {MOST_FILES} files"), None));
        }
        let imported = Document::parse_with_vault(&file.text, &file.name, &folder, vault.clone())?;
        let imported = expand(&imported, files, options)?.to_value();
        let keys: Vec<&str> = part.iter().map(String::as_str).collect();
        let Some(imported) = imported.at_path(&keys).cloned() else {
            let message = format!("the import names a part that '{}' does not have: #/{}", file.name, part.join("/"));
            return Err(refused(message, Some("name keys of the file, with / between them".to_owned())));
        };
        let prefix = import.what.at_path(&["namespace_prefix"]).and_then(Value::as_str).map(str::to_owned);
        for (name, definition) in map(&imported, "node_types").iter() {
            if let Some(prefix) = &prefix {
                let derived: Hash = [("derived_from", name.clone())].into_iter().collect();
                add(format!("{prefix}.{}", name.to_text()).into(), derived.into());
            }
            add(name.clone(), definition.clone());
        }
        open.extend(imports(&imported, &folder));
    }
    let service = with(
        &service.as_hash().cloned().unwrap_or_default(),
        "node_types".into(),
        types.into_iter().collect::<Hash>().into(),
    );
    let spec = with(&map(&document, "spec"), key.into(), service.into());
    Ok(with(&document.as_hash().cloned().unwrap_or_default(), "spec".into(), spec.into()).into())
}

/// The document with inputs: those of an ensemble under `spec`, those of other trees among the attributes of the root.
pub(super) fn with_inputs(document: Value, given: &[(String, Value)]) -> Value {
    if given.is_empty() {
        return document;
    }
    let add = |holder: Hash| {
        let inputs = given.iter().fold(map(&holder.clone().into(), "inputs"), |inputs, (name, value)| {
            with(&inputs, name.as_str().into(), value.clone())
        });
        with(&holder, "inputs".into(), inputs.into())
    };
    let all = document.as_hash().cloned().unwrap_or_default();
    let is_ensemble =
        all.get("apiVersion").and_then(Value::as_str).is_some_and(|version| version.starts_with("unfurl/"));
    let holder = if is_ensemble { "spec" } else { "attributes" };
    match all.get(holder).and_then(Value::as_hash) {
        Some(inner) => with(&all, holder.into(), add(inner.clone()).into()).into(),
        None => add(all).into(),
    }
}

/// The map under a key of a value; empty if there is none.
fn map(value: &Value, key: &str) -> Hash {
    value.at_path(&[key]).and_then(Value::as_hash).cloned().unwrap_or_default()
}

fn with(hash: &Hash, key: Value, value: Value) -> Hash {
    hash.iter().map(|(key, value)| (key.clone(), value.clone())).chain([(key, value)]).collect()
}

fn imports(service: &Value, folder: &Path) -> impl Iterator<Item = Import> {
    let all = service.at_path(&["imports"]).and_then(Value::as_array).unwrap_or_default().to_vec();
    let folder = folder.to_owned();
    all.into_iter().map(move |what| Import { what, folder: folder.clone() })
}

fn refused(message: String, help: Option<String>) -> Failure {
    let diagnostic = Diagnostic::new(Severity::Error, codes::INCLUDE_FAILED, message);
    Failure::from(help.into_iter().fold(diagnostic, Diagnostic::help))
}

/// Reads an import; `None` for Unfurl's built-in files and for Python, whose types stay unknown.
fn read(import: &Import, repositories: &Hash, files: &mut IncludedFiles) -> Result<Option<ImportedFile>, Failure> {
    let name = match &import.what {
        Value::String(name) => Some(&**name),
        // The old form is {NAME: FILE}.
        Value::Hash(hash) if hash.len() == 1 && !hash.contains("file") && !hash.contains("repository") => {
            hash.iter().next().and_then(|(_, it)| it.as_str())
        }
        what => what.at_path(&["file"]).and_then(Value::as_str),
    };
    let Some(name) = name else {
        let message = format!("an import names no file: {}", import.what.inspect());
        return Err(refused(message, Some("write `imports: [FILE]` or `imports: [{file: FILE}]`".to_owned())));
    };
    let (name, part) = name.split_once('#').unwrap_or((name, ""));
    if name.ends_with(".py") {
        return Ok(None);
    }
    let told = |fault: ReadFault| refused(format!("cannot import '{name}': {}", fault.message), fault.help);
    let folder = match import.what.at_path(&["repository"]).and_then(Value::as_str) {
        Some(repository) => {
            let address = repositories.get(repository).and_then(|it| it.at_path(&["url"])).and_then(Value::as_str);
            if repository == "unfurl" && address.is_none() {
                return Ok(None);
            }
            files.repository(repository, address, &import.folder).map_err(told)?
        }
        None => import.folder.clone(),
    };
    let file = files.read(name, &folder).map_err(told)?;
    let folder = file.folder.clone().unwrap_or(folder);
    let part = part.split('/').filter(|key| !key.is_empty()).map(str::to_owned).collect();
    Ok(Some(ImportedFile { file, folder, part }))
}
