//! The modules of the environment that a file belongs to, by their metadata.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::Value;

use crate::document::Document;
use crate::snapshot::Snapshot;

/// The maximum number of modules whose metadata is read.
const MAX_MODULES: usize = 1_000;

/// A module that is there.
#[derive(Clone, Debug, Default)]
pub(super) struct InstalledModule {
    /// `author-name`.
    pub(super) full_name: Option<String>,
    pub(super) version: Option<String>,
    pub(super) summary: Option<String>,
    /// The names of the modules that it depends on.
    pub(super) dependencies: Vec<String>,
    pub(super) folder: PathBuf,
}

/// The installed modules by their short names.
pub(super) fn installed(snapshot: &Snapshot, document: &Document) -> BTreeMap<String, InstalledModule> {
    let Some(view) = snapshot.view_of(&document.path) else { return BTreeMap::new() };
    let Some(files) = snapshot.files_around(view.root()) else { return BTreeMap::new() };
    let modules = view.environment().layers().modules.iter().take(MAX_MODULES);
    let read = |root: &Path| {
        // A module without metadata, or whose metadata cannot be read, has only a name. The check reports faults.
        let bytes = files.read(&root.join("metadata.json")).ok()?;
        hieratic::json::parse(&bytes).ok()
    };
    modules.map(|(name, module)| (name.to_string(), described(&module.root, read(&module.root)))).collect()
}

fn described(folder: &Path, metadata: Option<Value>) -> InstalledModule {
    let mut module = InstalledModule { folder: folder.to_owned(), ..InstalledModule::default() };
    let Some(metadata) = metadata.as_ref().and_then(Value::as_hash) else { return module };
    let text = |name: &str| metadata.get(name).and_then(Value::as_str).map(str::to_owned);
    module.full_name = text("name").map(|name| name.replace('/', "-"));
    module.version = text("version");
    module.summary = text("summary");
    let dependencies = metadata.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    let names = dependencies.filter_map(|one| one.as_hash()?.get("name")?.as_str());
    module.dependencies = names.map(|name| name.replace('/', "-")).collect();
    module
}

/// The last part of a module's name: `stdlib` of `puppetlabs-stdlib`.
pub(super) fn short_name(name: &str) -> &str {
    name.split_once(['/', '-']).map_or(name, |(_, short)| short)
}

/// Describes a module by its metadata.
pub(super) fn describe(name: &str, module: Option<&InstalledModule>) -> String {
    let Some(module) = module else { return format!("**{name}**\n\nNot installed here.") };
    let summary = module.summary.as_ref().map(|summary| format!("\n\n{summary}")).unwrap_or_default();
    let version = module.version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
    let dependencies = match module.dependencies.as_slice() {
        [] => String::new(),
        names => format!("\n\nDepends on {}.", names.join(", ")),
    };
    format!("**{name}**{version}{summary}{dependencies}\n\nInstalled in {}.", module.folder.display())
}
