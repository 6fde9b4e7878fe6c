//! The files of a pack.

use std::path::{Path, PathBuf};

use hieratic_budget::{Budget, Depth};
use hieratic_sandbox::{Files, is_absence};
use hieratic_value::ErasedSort as _;

use crate::failure::Failure;
use crate::metadata::Metadata;

/// A pack with its dependencies.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Its folder.
    pub folder: PathBuf,
    /// Its metadata.
    pub metadata: Metadata,
    /// The file `variables.hcl`.
    pub variables: Option<PackFile>,
    /// The templates: jobs, other files, and helpers, whose names begin with an underscore.
    pub templates: Vec<PackFile>,
    /// The packs in `deps`, by the names in references.
    pub dependencies: Vec<(String, Pack)>,
}

/// A file of a pack.
#[derive(Clone, Debug)]
pub struct PackFile {
    /// The names of the packs from the root to the owner, and the name in the folder.
    name: String,
    path: PathBuf,
    /// Its content.
    pub text: String,
}

impl PackFile {
    /// Creates a template that is not part of a pack, for levant.
    pub fn new(path: PathBuf, text: String) -> PackFile {
        PackFile { name: path.display().to_string(), path, text }
    }

    /// Returns the name of the template: `web/templates/web.nomad.tpl`.
    pub fn template_name(&self) -> &str {
        &self.name
    }

    /// Returns the path.
    pub fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// Returns whether the file only defines templates for others.
    pub fn is_helper(&self) -> bool {
        self.name.contains("templates/_")
    }
}

impl Pack {
    /// Reads a pack.
    ///
    /// # Errors
    /// A file is missing, unreadable or invalid.
    pub fn load(folder: &Path, files: &Files, budget: &Budget) -> Result<Pack, Failure> {
        let loader = Loader { files, budget, depth: Depth::default() };
        loader.load(folder, "")
    }

    /// Returns the template with this name, in the pack or in a dependency.
    pub fn file(&self, name: &str) -> Option<&PackFile> {
        let own = self.templates.iter().find(|file| file.template_name() == name);
        own.or_else(|| self.dependencies.iter().find_map(|(_, inner)| inner.file(name)))
    }
}

struct Loader<'l> {
    files: &'l Files,
    budget: &'l Budget,
    depth: Depth,
}

impl Loader<'_> {
    fn load(&self, folder: &Path, above: &str) -> Result<Pack, Failure> {
        let entered = self.budget.enter(&self.depth);
        let guard = entered.map_err(|exhausted| Failure::new(exhausted.to_string()))?;
        let path = folder.join("metadata.hcl");
        if !self.files.is_file(&path) {
            let message = format!("{} is not a pack: it has no metadata.hcl", folder.display());
            return Err(Failure::new(message).with_help("name the folder of a pack"));
        }
        let metadata = Metadata::read(&path.display().to_string(), &self.read(&path)?)?;
        let id = if metadata.alias.is_empty() { &metadata.name } else { &metadata.alias };
        let name = if above.is_empty() { id.clone() } else { format!("{above}/{id}") };
        let variables = folder.join("variables.hcl");
        let variables = if self.files.is_file(&variables) {
            Some(PackFile { name: format!("{name}/variables.hcl"), text: self.read(&variables)?, path: variables })
        } else {
            None
        };
        let mut templates = Vec::new();
        self.templates(&folder.join("templates"), &format!("{name}/templates"), &mut templates)?;
        let mut dependencies = Vec::new();
        for dependency in metadata.dependencies.iter().filter(|dependency| dependency.is_enabled) {
            let inner = folder.join("deps").join(dependency.reference());
            if !self.files.is_folder(&inner) {
                let message = format!("the dependency {} is not in {}", dependency.reference(), inner.display());
                return Err(Failure::new(message).with_help("fetch it with `nomad-pack deps vendor`"));
            }
            dependencies.push((dependency.reference().to_owned(), self.load(&inner, &name)?));
        }
        drop(guard);
        Ok(Pack { folder: folder.to_owned(), metadata, variables, templates, dependencies })
    }

    fn read(&self, path: &Path) -> Result<String, Failure> {
        let read = self.files.read_text(path);
        let text = read.map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    /// The templates of a folder, and of those in it.
    fn templates(&self, folder: &Path, name: &str, found: &mut Vec<PackFile>) -> Result<(), Failure> {
        if !self.files.is_folder(folder) {
            // A link that leads out of what may be read is no folder, either.
            return match self.files.list(folder) {
                Err(error) if is_absence(&error) => Ok(()),
                Err(error) => {
                    let failure = Failure::new(format!("{} cannot be read: {error}", folder.display()));
                    Err(failure.with_help("templates are read in the repository of the pack, or below its folder"))
                }
                Ok(_) => Ok(()),
            };
        }
        let entered = self.budget.enter(&self.depth);
        let guard = entered.map_err(|exhausted| Failure::new(exhausted.to_string()))?;
        let listed = self.files.list(folder);
        let mut entries =
            listed.map_err(|error| Failure::new(format!("{} cannot be read: {error}", folder.display())))?;
        entries.sort_erased_by(|one, other| one.name.cmp(&other.name));
        for entry in entries {
            let path = folder.join(&entry.name);
            let name = format!("{name}/{}", entry.name);
            if self.files.is_folder(&path) {
                self.templates(&path, &name, found)?;
            } else if entry.name.ends_with(".tpl") || name.contains("templates/_") {
                found.push(PackFile { name, text: self.read(&path)?, path });
            }
        }
        drop(guard);
        Ok(())
    }
}
