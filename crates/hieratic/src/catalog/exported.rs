//! [`Exported`]: the resources that nodes export, taken from their catalogs.

use std::path::Path;
use std::sync::Arc;

use hieratic_hiera::{Error, ErrorKind};
use hieratic_puppet_eval::{CompiledCatalog, ExportedResource};
use hieratic_sandbox::{FileKind, Files};
use hieratic_value::ErasedSort as _;
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Value};

use crate::codes;

/// The resources of a type, or the reason why they are unknown.
pub(crate) type Answer = Result<Arc<Vec<ExportedResource>>, String>;

/// The resources that nodes export.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// By type, in lower case.
    by_kind: HashMap<String, Arc<Vec<ExportedResource>>>,
}

impl Exported {
    /// Reads the catalogs in a folder: a JSON file for each node, as `hieratic catalog --with-exported` and a server
    /// write them.
    ///
    /// # Errors
    /// The folder or a file cannot be read, or a file is not a catalog.
    pub fn read(folder: &Path, files: &Files) -> Result<Exported, Error> {
        let problem = |path: &Path, message: String| {
            Error::new(ErrorKind::Fatal, codes::EXPORTED, format!("{}: {message}", path.display()))
                .help("name a folder with a catalog for each node, NAME.json, written by 'hieratic catalog NAME --with-exported'")
        };
        let mut entries = files.list(folder).map_err(|error| problem(folder, error.to_string()))?;
        entries.sort_erased_by(|one, other| one.name.cmp(&other.name));
        let mut all: HashMap<String, Vec<ExportedResource>> = HashMap::default();
        for entry in entries.iter().filter(|entry| entry.kind != FileKind::Folder && entry.name.ends_with(".json")) {
            let path = folder.join(&entry.name);
            let bytes = files.read(&path).map_err(|error| problem(&path, error.to_string()))?;
            let data = hieratic_json::parse(&bytes).map_err(|error| problem(&path, error.to_string()))?;
            let catalog = data.as_hash().and_then(|data| data.get("data").and_then(Value::as_hash).or(Some(data)));
            let Some((node, resources)) = catalog
                .and_then(|catalog| Some((catalog.get("name")?.as_str()?, catalog.get("resources")?.as_array()?)))
            else {
                return Err(problem(&path, "this is not a catalog: 'name' or 'resources' is missing".into()));
            };
            for resource in resources.iter() {
                if let Some((kind, one)) = exported_of(node, resource) {
                    all.entry(kind).or_default().push(one);
                }
            }
        }
        Ok(Exported { by_kind: all.into_iter().map(|(kind, all)| (kind, Arc::new(all))).collect() })
    }

    /// Adds the exported resources of a new catalog.
    pub fn add(&mut self, catalog: &CompiledCatalog) {
        for resource in catalog.resources.iter().filter(|resource| resource.exported) {
            let data = resource.document(true, &mut |_| {}).to_value();
            if let Some((kind, one)) = exported_of(&catalog.name, &data) {
                Arc::make_mut(self.by_kind.entry(kind).or_default()).push(one);
            }
        }
    }

    /// The resources of a type in lower case.
    pub(crate) fn of_kind(&self, kind: &str) -> Arc<Vec<ExportedResource>> {
        self.by_kind.get(kind).cloned().unwrap_or_default()
    }

    /// Returns the number of resources.
    pub fn len(&self) -> usize {
        self.by_kind.values().map(|all| all.len()).sum()
    }

    /// Returns whether no node exports a resource.
    pub fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }
}

/// A resource of a catalog, if it is exported, with its type in lower case.
pub(super) fn exported_of(node: &str, resource: &Value) -> Option<(String, ExportedResource)> {
    let resource = resource.as_hash()?;
    if resource.get("exported") != Some(&Value::Boolean(true)) {
        return None;
    }
    let text = |name: &str| resource.get(name).and_then(Value::as_str);
    let tags = resource.get("tags").and_then(Value::as_array).into_iter().flat_map(|tags| tags.iter());
    let one = ExportedResource {
        node: node.to_owned(),
        title: text("title")?.to_owned(),
        tags: tags.map(Value::to_text).collect(),
        file: text("file").map(Arc::from),
        line: match resource.get("line") {
            Some(Value::Integer(line)) => u32::try_from(*line).ok(),
            _ => None,
        },
        parameters: resource.get("parameters").and_then(Value::as_hash).cloned().unwrap_or_else(Hash::default),
    };
    Some((text("type")?.to_lowercase(), one))
}
